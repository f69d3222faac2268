//! `@ytt:json`: `encode` and `decode`. Printer and reader are those of the output `-o json`.

use starlark::eval::Evaluator;

use super::arguments::{boolean, expect_count, indent, only_names, only_text};
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::text::to_star;
use crate::eval::{Returned, convert, error};
use crate::overlay;
use crate::yaml::json;

pub(super) const FUNCTIONS: Functions = &[("encode", encode), ("decode", decode)];

fn encode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    expect_count(&given, 1, "expected exactly one argument")?;
    only_names(&given, &["escape_html", "indent"])?;
    let host = function.inst.as_ref().host.as_ref();
    let value = convert::to_val(host, given.positional[0], eval.heap())?;
    let indent = indent(&given)?;
    let escape_html = given.named("escape_html").map_or(Ok(true), boolean)?;
    overlay::refuse_equal_keys(&host.arena.borrow(), value).map_err(error::wrap)?;
    let encoded = json::value(&host.arena.borrow(), value, Some(indent), escape_html, host.limits.output_bytes);
    let encoded = encoded.map_err(|problem| error::wrap(reworded(problem)))?;
    Ok(eval.heap().alloc_str(&to_star(encoded.as_bytes())).to_value())
}

/// Programs see the reference's text for a key that is no string; what the output format adds to it becomes a note.
fn reworded(mut problem: Diagnostic) -> Diagnostic {
    let is_key = problem.code() == Code::JSON_KEY;
    let parts = problem.parts_mut();
    if let Some(Fact::Mismatch { found, .. }) = parts.fact.as_ref().filter(|_| is_key) {
        let note = format!("the key is of type {found} (hint: JSON has string keys only)");
        "Expected key to be string".clone_into(&mut parts.message);
        parts.notes.push(note.into());
    }
    problem
}

fn decode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let source = only_text(function, &given)?;
    let host = function.inst.as_ref().host;
    let value = json::read(&mut host.as_ref().arena.borrow_mut(), &source).map_err(error::wrap)?;
    Ok(convert::from_val(host, value, eval.heap()))
}
