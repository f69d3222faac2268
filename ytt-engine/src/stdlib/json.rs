//! `@ytt:json`: `encode` and `decode`. Printer and reader are those of the output `-o json`.

use std::borrow::Cow;

use starlark::collections::{Hashed, SmallMap};
use starlark::eval::Evaluator;
use starlark::values::dict::Dict;
use starlark::values::list::AllocList;
use starlark::values::{Heap, StringValue, Value};

use super::arguments::{boolean, expect, indent, only_names, only_text};
use super::decoded::{self, Home};
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::text::to_star;
use crate::eval::{Host, Meter, Returned, convert, error, trace};
use crate::overlay;
use crate::yaml::{TakenFrom, Val, json};

pub(super) const FUNCTIONS: Functions = &[("encode", encode), ("decode", decode)];

fn encode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [value] = expect(&given, "expected exactly one argument")?;
    only_names(&given, &["escape_html", "indent"])?;
    let host = function.inst.as_ref().host.as_ref();
    let value = convert::to_val(host, value, eval.heap())?;
    host.note_taken_below(value);
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
    let host = function.inst.as_ref().host.as_ref();
    let mut star = Star { heap: eval.heap(), depth: host.limits.depth, members: 0 };
    let value = json::read_into(&mut star, &source);
    let value = value.map_err(|(problem, at)| error::wrap(broken(host, &source, problem, at)))?;
    // The heap does not count the tables of dicts.
    let tables = star.members.saturating_mul(size_of::<[Value<'v>; 3]>());
    Meter::of(eval).outside(tables)?;
    trace::note_taken(host, eval, TakenFrom::Text("JSON"));
    Ok(value)
}

/// Makes what a text holds as values of the program.
struct Star<'v> {
    heap: Heap<'v>,
    depth: u32,
    /// Members of all dicts.
    members: usize,
}

impl<'v> Star<'v> {
    fn string(&self, text: &str) -> StringValue<'v> {
        // Most are, and this is the faster look.
        let text = if text.is_ascii() { Cow::Borrowed(text) } else { to_star(text.as_bytes()) };
        self.heap.alloc_str(&text)
    }
}

impl<'v> json::Make for &mut Star<'v> {
    type Value = Value<'v>;
    /// Hashed once, however many dicts have it.
    type Key = Hashed<Value<'v>>;

    fn depth(&self) -> u32 {
        self.depth
    }
    fn scalar(&mut self, value: Val) -> Value<'v> {
        match value {
            Val::Bool(flag) => Value::new_bool(flag),
            Val::Float(number) => self.heap.alloc(number),
            _ => Value::new_none(),
        }
    }
    fn text(&mut self, text: &str) -> Value<'v> {
        self.string(text).to_value()
    }
    fn key(&mut self, text: &str) -> Hashed<Value<'v>> {
        self.string(text).get_hashed_value()
    }
    fn list(&mut self, items: &[Value<'v>]) -> Value<'v> {
        self.heap.alloc(AllocList(items.iter().copied()))
    }
    fn dict(&mut self, members: impl ExactSizeIterator<Item = (Hashed<Value<'v>>, Value<'v>)>) -> Value<'v> {
        self.members = self.members.saturating_add(members.len());
        let mut dict = SmallMap::with_capacity(members.len());
        for (key, value) in members {
            dict.insert_hashed_unique_unchecked(key, value);
        }
        self.heap.alloc(Dict::new(dict))
    }
}

/// A problem of a JSON text: where it is, and the comma that is missing or one too many.
fn broken(host: &Host<'_>, text: &[u8], problem: Diagnostic, at: usize) -> Diagnostic {
    let before = text.get(..at).unwrap_or(text).trim_ascii_end();
    let message = problem.message();
    let is_next =
        text.get(at).is_some_and(|byte| matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'));
    let missing =
        is_next && (message.ends_with("after object key:value pair") || message.ends_with("after array element"));
    let surplus = before.ends_with(b",") && matches!(text.get(at), Some(b']' | b'}'));
    let (at, label) = match (missing, surplus) {
        (true, _) => (at, "a comma is missing in front of this"),
        (_, true) => (before.len().saturating_sub(1), "no value follows this comma"),
        _ => (at, "here"),
    };
    let home = Home::of(host, text);
    let problem = decoded::located(home.as_ref(), problem, (text, at), label, || json::place(text, at));
    let Some(home) = home else { return problem };
    let end = before.len();
    match (missing, surplus) {
        (true, _) => problem.help_edit("write the comma", home.span(end, end), ","),
        (_, true) => problem.help_edit("remove the comma", home.span(end.saturating_sub(1), end), ""),
        _ => problem,
    }
}
