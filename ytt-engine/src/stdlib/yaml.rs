//! `@ytt:yaml`: `encode` and `decode`.
//!
//! `decode` reads as plain files are read: comments mean nothing. It differs from them in two ways: there must be one
//! document, and no key twice. Both functions are what values go through before `@ytt:assert` compares them.

use std::collections::HashMap;

use starlark::eval::Evaluator;
use starlark::values::dict::AllocDict;
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{only, only_text};
use super::decoded::Home;
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::text::to_star;
use crate::eval::{EvalResult, Host, Returned, convert, error, trace};
use crate::overlay;
use crate::source::{LineBreaks, Origin, Source, Span, Text};
use crate::yaml::{Arena, Body, ReadOptions, TakenFrom, Val, duplicates, print, read};

pub(super) const FUNCTIONS: Functions = &[("encode", encode), ("decode", decode)];

fn encode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let text = encoded(function.inst.as_ref().host.as_ref(), only(function, &given)?, eval.heap())?;
    Ok(eval.heap().alloc_str(&to_star(text.as_bytes())).to_value())
}

/// A value as the text of one document; nothing for None and for a fragment without items.
pub(super) fn encoded<'v>(host: &Host<'v>, value: Value<'v>, heap: Heap<'v>) -> EvalResult<String> {
    let value = convert::to_val(host, value, heap)?;
    host.note_taken_below(value);
    overlay::refuse_equal_keys(&host.arena.borrow(), value).map_err(error::wrap)?;
    print::value(&host.arena.borrow(), value, host.limits.output_bytes).map_err(error::wrap)
}

fn decode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let source = only_text(function, &given)?;
    let host = function.inst.as_ref().host;
    let value =
        document(host.as_ref(), source.into_owned()).map_err(|problem| error::wrap(in_file(host.as_ref(), problem)))?;
    trace::note_taken(host.as_ref(), eval, TakenFrom::Text("YAML"));
    star(host, value, eval.heap())
}

/// The value of the one document of a text, as nodes.
fn document(host: &Host<'_>, text: Vec<u8>) -> Result<Val, Diagnostic> {
    let source = Source::new("(yaml.decode)", Text::from_bytes(text), Origin::Memory, 0, LineBreaks::Yaml);
    let options = ReadOptions::new(false, &host.limits);
    let arena = &mut *host.arena.borrow_mut();
    let file = read::read_text(arena, &host.sources, source, &options)?;
    let value = match *file.documents(arena) {
        [] => Val::Null,
        [document] => arena.value(document),
        [_, second, ..] => {
            let text = "Expected to find exactly one YAML document";
            let told = Diagnostic::error(Code::MODULE_DECODE, text).fact(Fact::SeveralDocuments);
            return Err(told.label_at(arena.span_of(second), "a second document begins here"));
        }
    };
    if file.has_duplicate_keys
        && let Some((first, second)) = duplicates::first_duplicate_key(arena, file.root)
    {
        let text = format!("Unexpected duplicate key: {}", shown_key(arena, arena.key(second)));
        let mut diagnostic = Diagnostic::error(Code::MODULE_DECODE, text).at(arena.span_of(second));
        if let Some(span) = arena.span_of(first) {
            diagnostic = diagnostic.label(span, "the key is here, too");
        }
        return Err(diagnostic);
    }
    Ok(value)
}

/// The problem with its places in the file that the text was read from.
fn in_file(host: &Host<'_>, mut problem: Diagnostic) -> Diagnostic {
    let Some(text) = problem.parts().labels.first().map(|label| label.span.source) else { return problem };
    let source = host.sources.get(text);
    let Some(home) = Home::of(host, source.text.as_bytes()) else { return problem };
    let moved = |span: &mut Span| {
        if span.source == text {
            *span = home.span(span.start as usize, span.end as usize);
        }
    };
    let parts = problem.parts_mut();
    parts.labels.iter_mut().for_each(|label| moved(&mut label.span));
    parts.helps.iter_mut().filter_map(|help| help.edit.as_mut()).for_each(|edit| moved(&mut edit.0));
    problem
}

fn shown_key(arena: &Arena, key: Val) -> String {
    match arena.text_bytes(key) {
        Some(text) => String::from_utf8_lossy(text).into_owned(),
        None => print::value(arena, key, u64::MAX).unwrap_or_default().trim_end().to_owned(),
    }
}

/// Nodes of a file as dicts and lists.
#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "`numbers` has places of `pairs`, and a whole float below 2e19 is an `i128`"
)]
fn star<'v>(host: ValueTyped<'v, Host<'v>>, value: Val, heap: Heap<'v>) -> Returned<'v> {
    let Val::Node(id) = value else { return Ok(convert::from_val(host, value, heap)) };
    let entries = host.as_ref().entries(value);
    let is_map = matches!(host.as_ref().arena.borrow().get(id).body, Body::Map(_));
    if !is_map {
        let items = entries.into_iter().map(|(_, item)| star(host, item, heap)).collect::<EvalResult<Vec<_>>>()?;
        return Ok(heap.alloc(AllocList(items)));
    }
    let mut pairs: Vec<(Value<'v>, Value<'v>)> = Vec::with_capacity(entries.len());
    // Keys that differ in YAML can be equal in code: 1 and 1.0. The first one keeps its place, the last one its value.
    let mut numbers: HashMap<i128, usize> = HashMap::new();
    for (key, item) in entries {
        if let Val::Node(_) = key {
            let span = host.as_ref().arena.borrow().span_of(id);
            return Err(error::wrap(Diagnostic::error(Code::MODULE_DECODE, "map key must be a scalar").at(span)));
        }
        let item = star(host, item, heap)?;
        let number = match key {
            Val::Int(number) => Some(i128::from(number)),
            Val::UInt(number) => Some(i128::from(number)),
            Val::Float(number) if number.fract() == 0.0 && number.abs() < 2e19 => Some(number as i128),
            _ => None,
        };
        match number.and_then(|number| numbers.get(&number).copied()) {
            Some(place) => pairs[place].1 = item,
            None => {
                numbers.extend(number.map(|number| (number, pairs.len())));
                pairs.push((convert::from_val(host, key, heap), item));
            }
        }
    }
    Ok(heap.alloc(AllocDict(pairs)))
}
