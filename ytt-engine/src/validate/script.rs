//! For tests: the functions that rules name, and how problems and values are compared.

use crate::call::testing::{Script, Value};
use crate::diag::{Code, Diagnostic};
use crate::yaml::{NodeId, Val};

/// A script with the functions that annotations name.
pub(crate) fn script() -> Script {
    let mut script = Script::new();
    script.function_of(1, "first", |_, args| Ok(Value::bool(args[0] == Val::Int(0))));
    script.function_of(1, "odd", |_, args| Ok(Value::bool(matches!(args[0], Val::Int(value) if value % 2 != 0))));
    script.function_of(1, "yes", |_, _| Ok(Value::bool(true)));
    script.function("built_in", |_, _| Ok(Value::bool(true)));
    script.function_of(1, "no", |_, _| Ok(Value::bool(false)));
    script.function_of(1, "text", |_, _| Ok(Value::Str("x".into())));
    script.function_of(1, "fails", |_, _| Err(Diagnostic::error(Code::INTERNAL, "fail: fails")));
    script.function_of(0, "none", |_, _| unreachable!("it takes no value"));
    script.function_of(2, "ctx_parent_is_root", |_, args| Ok(Value::bool(args[1] == args[2])));
    let odd = script.handle(script.names["odd"].clone());
    script.names.insert("object", Value::Object(odd));
    script
}

impl Script {
    /// The value of a document as Starlark prints it.
    pub(crate) fn printed(&self, document: NodeId) -> String {
        let arena = self.arena.borrow();
        super::text::repr(&arena, arena.value(document))
    }
}

/// A diagnostic in a few lines: what precedes the message, the message, notes, helps.
pub(crate) fn told(problem: &Diagnostic) -> String {
    let parts = problem.parts();
    let mut text = problem.full_message();
    for note in &parts.notes {
        text += &format!("\n= {note}");
    }
    for help in &parts.helps {
        text += &format!("\n? {}", help.text);
    }
    text
}
