//! Tests of overlays against a scripted `Call`. What is expected was compared with ytt 0.48.0.

mod apply;
mod index;
mod shared;
mod sharing;
mod stage;

use crate::call::testing::{Script, Value};
use crate::diag::{Code, Diagnostic};
use crate::yaml::{Arena, Body, Raw, Val};

/// A script with the functions that the cases name.
fn script() -> Script {
    let mut script = Script::new();
    script.function("yes", |_, _| Ok(Value::bool(true)));
    script.function("no", |_, _| Ok(Value::bool(false)));
    script.function("one", |_, _| Ok(Value::int(1)));
    script.function("none", |_, _| Ok(Value::NULL));
    script.function("left", |_, args| Ok(Value::Val(args[0])));
    script.function("right", |_, args| Ok(Value::Val(args[1])));
    script.function("boom", |_, _| Err(Diagnostic::error(Code::INTERNAL, "fail: boom")));
    script.function("bad", |script, _| {
        let (no, text) = (script.handle(Value::bool(false)), script.handle(Value::Str("bad".into())));
        Ok(Value::Tuple(vec![no, text]))
    });
    script.function("dict", |script, args| {
        let (key, value) = (script.handle(Value::Str("was".into())), script.handle(Value::Val(args[0])));
        Ok(Value::Dict(vec![(key, value)]))
    });
    script
}

impl Script {
    /// A value as one line of flow YAML.
    fn show(&self, value: Val) -> String {
        show(&self.arena.borrow(), value)
    }
}

fn show(arena: &Arena, value: Val) -> String {
    let list = |items: Vec<String>, open: &str, close: &str| format!("{open}{}{close}", items.join(", "));
    match value {
        Val::Null => "null".to_string(),
        Val::Bool(value) => value.to_string(),
        Val::Int(value) => value.to_string(),
        Val::UInt(value) => value.to_string(),
        Val::Float(value) => format!("{value:?}"),
        Val::Bytes(_) => "bytes".to_string(),
        Val::Str { .. } => arena.str(value).unwrap_or_default().to_string(),
        Val::Raw(number) => match arena.raw(number) {
            Raw::List(values) => list(values.iter().map(|value| show(arena, *value)).collect(), "(", ")"),
            Raw::Dict(entries) => list(
                entries.iter().map(|(key, value)| format!("{}= {}", show(arena, *key), show(arena, *value))).collect(),
                "(",
                ")",
            ),
        },
        Val::Node(id) => match &arena.get(id).body {
            Body::Map(items) => list(
                items
                    .iter()
                    .map(|item| format!("{}: {}", show(arena, arena.key(*item)), show(arena, arena.value(*item))))
                    .collect(),
                "{",
                "}",
            ),
            Body::Array(items) => list(items.iter().map(|item| show(arena, arena.value(*item))).collect(), "[", "]"),
            Body::Set(items) => {
                items.iter().map(|item| show(arena, arena.value(*item))).collect::<Vec<_>>().join(" --- ")
            }
            Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => show(arena, *value),
        },
    }
}
