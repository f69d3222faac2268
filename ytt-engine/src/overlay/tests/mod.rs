//! Tests of overlays against a scripted `Call`. Expected results follow the rule book and were compared with ytt
//! 0.48.0.

mod apply;
mod index;
mod script;
mod shared;
mod sharing;
mod stage;

use crate::diag::Diagnostic;
use script::{Script, Value};

/// A script with the functions that the cases name.
fn script() -> Script {
    let mut script = Script::new();
    script.function("yes", |_, _| Ok(Value::Bool(true)));
    script.function("no", |_, _| Ok(Value::Bool(false)));
    script.function("one", |_, _| Ok(Value::Int(1)));
    script.function("none", |_, _| Ok(Value::Null));
    script.function("left", |_, args| Ok(Value::Val(args[0])));
    script.function("right", |_, args| Ok(Value::Val(args[1])));
    script.function("boom", |_, _| Err(Diagnostic::error(crate::diag::Code::INTERNAL, "fail: boom")));
    script.function("bad", |script, _| {
        let (no, text) = (script.live(Value::Bool(false)), script.live(Value::Str("bad".into())));
        Ok(Value::Tuple(vec![no, text]))
    });
    script.function("dict", |script, args| {
        let (key, value) = (script.live(Value::Str("was".into())), script.live(Value::Val(args[0])));
        Ok(Value::Dict(vec![(key, value)]))
    });
    script
}
