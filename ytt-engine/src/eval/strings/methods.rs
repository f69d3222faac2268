//! What the methods of strings do. Texts are Starlark text; positions count bytes, which are its characters.

use std::borrow::Cow;

use starlark::values::list::AllocList;
use starlark::values::tuple::{AllocTuple, TupleRef};
use starlark::values::{Heap, Value};

use super::case::{
    is_cased, is_digit, is_letter, is_lower, is_space, is_title, is_upper, to_lower, to_title, to_upper,
};
use super::elems::parts;
use super::format::{automatic, format};
use crate::diag::Fact;
use crate::eval::arguments::{Input, whole};
use crate::eval::error::{self, EvalResult, Returned, text_only};
use crate::eval::kind::type_name;
use crate::eval::text::{LONGEST, from_star, to_star};

/// Bytes of a piece of a text in a list, beside its own.
const PIECE: usize = 32;

/// Calls the method that `input` names.
pub(crate) fn call<'v>(text: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    let flag = |flag: bool| Ok(Value::new_bool(flag));
    match input.name {
        "format" => {
            let told = |failure| match error::diagnostic_of(&failure) {
                Some(problem) => {
                    let short = match problem.parts().fact {
                        Some(Fact::Format { short }) => short.map(|(all, given)| (all.max(automatic(text)), given)),
                        _ => None,
                    };
                    error::wrap(problem.clone().fact(Fact::Format { short }))
                }
                None => failure,
            };
            return format(text, input, heap).map_err(told);
        }
        "count" | "find" | "index" | "rfind" | "rindex" => return search(text, input, heap),
        "startswith" | "endswith" => return begins(text, input),
        "strip" | "lstrip" | "rstrip" => return strip(text, input, heap),
        "split" | "rsplit" => return split(text, input, heap),
        "splitlines" => return splitlines(text, input, heap),
        "replace" => return replace(text, input, heap),
        "partition" | "rpartition" => return partition(text, input, heap),
        "join" => return join(text, input, heap),
        _ => input.between(0, 0)?,
    }
    let real = real(text);
    let mut characters = real.chars();
    match input.name {
        "isalnum" => flag(!real.is_empty() && characters.all(|next| is_letter(next) || is_digit(next))),
        "isalpha" => flag(!real.is_empty() && characters.all(is_letter)),
        "isdigit" => flag(!real.is_empty() && characters.all(is_digit)),
        "isspace" => flag(!real.is_empty() && characters.all(is_space)),
        "islower" => flag(characters.clone().any(is_cased) && characters.all(|next| same(next, to_lower))),
        "isupper" => flag(characters.clone().any(is_cased) && characters.all(|next| same(next, to_upper))),
        "istitle" => flag(is_titled(&real)),
        "lower" if real.is_ascii() => Ok(heap.alloc_str(&real.to_ascii_lowercase()).to_value()),
        "upper" if real.is_ascii() => Ok(heap.alloc_str(&real.to_ascii_uppercase()).to_value()),
        "lower" => Ok(mapped(characters.map(to_lower), heap)),
        "upper" => Ok(mapped(characters.map(to_upper), heap)),
        "title" => {
            let mut after_cased = false;
            let title = characters.map(|next| {
                let next = if after_cased { to_lower(next) } else { to_title(next) };
                after_cased = is_cased(next);
                next
            });
            Ok(mapped(title, heap))
        }
        "capitalize" => {
            let first = characters.next().map(to_title);
            Ok(mapped(first.into_iter().chain(characters.map(to_lower)), heap))
        }
        name => {
            // it will be iterated, which makes a list of its parts
            input.meter.room_in_all(text.len().saturating_mul(PIECE))?;
            Ok(parts(name, text, heap))
        }
    }
}

/// Where bytes that are not UTF-8 stand while a text is looked at by code points.
const STRAY: u32 = 0x10_ff00;

/// The text that Starlark text means. A byte that is not UTF-8 is a character of its own, without any property.
fn real(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut real = String::with_capacity(text.len());
    for chunk in from_star(text).utf8_chunks() {
        real.push_str(chunk.valid());
        real.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(STRAY + u32::from(*byte))));
    }
    Cow::Owned(real)
}

/// A stray byte, if the character stands for one in a text with stray bytes.
fn stray(character: char) -> Option<u8> {
    u32::from(character).checked_sub(STRAY).and_then(|byte| u8::try_from(byte).ok())
}

/// A part of a text that [`real`] gave as a value.
fn value<'v>(real: &str, heap: Heap<'v>) -> Value<'v> {
    if !real.chars().any(|character| stray(character).is_some()) {
        return heap.alloc_str(&to_star(real.as_bytes())).to_value();
    }
    let mut bytes = Vec::with_capacity(real.len());
    for character in real.chars() {
        match stray(character) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    heap.alloc_str(&to_star(&bytes)).to_value()
}

/// A text that was made character by character: stray bytes do not survive that.
fn mapped<'v>(characters: impl Iterator<Item = char>, heap: Heap<'v>) -> Value<'v> {
    let text: String = characters
        .map(|character| if stray(character).is_some() { char::REPLACEMENT_CHARACTER } else { character })
        .collect();
    heap.alloc_str(&to_star(text.as_bytes())).to_value()
}

/// Does the character stay as it is? A stray byte never does.
fn same(character: char, map: fn(char) -> char) -> bool {
    map(character) == character && stray(character).is_none()
}

fn is_titled(text: &str) -> bool {
    let (mut any, mut after_cased) = (false, false);
    for character in text.chars() {
        if character.is_ascii_uppercase() || is_title(character) {
            if after_cased {
                return false;
            }
            (any, after_cased) = (true, true);
        } else if is_lower(character) {
            if !after_cased {
                return false;
            }
            any = true;
        } else if is_upper(character) {
            return false;
        } else {
            after_cased = false;
        }
    }
    any
}

/// Start and end from the arguments of these numbers, both within the text.
fn bounds(input: &Input<'_>, first: usize, length: usize) -> EvalResult<(usize, usize)> {
    let bound = |number: usize, name: &str, default: usize| match input.get(number) {
        Some(value) if !value.is_none() => match whole(value) {
            Ok(index) => {
                let steps = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
                Ok(if index < 0 { length.saturating_sub(steps) } else { steps.min(length) })
            }
            Err(_) => {
                Err(text_only(format!("{}: invalid {name} index: got {}, want int", input.name, type_name(value))))
            }
        },
        _ => Ok(default),
    };
    Ok((bound(first, "start", 0)?, bound(first.saturating_add(1), "end", length)?))
}

/// The part of a text between two positions.
#[allow(
    clippy::string_slice,
    reason = "positions of ASCII text are offsets, and others are made offsets of characters, in the same order"
)]
fn slice(text: &str, start: usize, end: usize) -> &str {
    if start >= end {
        return "";
    }
    if text.is_ascii() {
        return &text[start..end];
    }
    let offset = |position: usize| text.char_indices().nth(position).map_or(text.len(), |(offset, _)| offset);
    &text[offset(start)..offset(end)]
}

/// How many bytes a Starlark text means.
fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

fn search<'v>(text: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    input.between(1, 3)?;
    let wanted = input.text(0)?.unwrap_or_default();
    let (start, end) = bounds(input, 1, length(text))?;
    let part = slice(text, start, end);
    if input.name == "count" {
        // Between code points there is nothing, once more than there are code points.
        let count =
            if wanted.is_empty() { real(part).chars().count().saturating_add(1) } else { part.matches(wanted).count() };
        return Ok(heap.alloc(count));
    }
    let found = if input.name.starts_with('r') { part.rfind(wanted) } else { part.find(wanted) };
    match found {
        Some(offset) => Ok(heap.alloc(start.saturating_add(length(part.split_at(offset).0)))),
        None if input.name.ends_with("find") => Ok(heap.alloc(-1)),
        None => input.fail("substring not found"),
    }
}

fn begins<'v>(text: &str, input: &Input<'v>) -> Returned<'v> {
    input.between(1, 3)?;
    let (start, end) = bounds(input, 1, length(text))?;
    let part = slice(text, start, end);
    let matches = |wanted: &str| match input.name {
        "startswith" => part.starts_with(wanted),
        _ => part.ends_with(wanted),
    };
    let wanted = input.first();
    if let Some(wanted) = wanted.unpack_str() {
        return Ok(Value::new_bool(matches(wanted)));
    }
    let Some(tuple) = TupleRef::from_value(wanted) else {
        return input.fail(format!("got {}, want string or tuple of string", type_name(wanted)));
    };
    for (number, item) in tuple.iter().enumerate() {
        match item.unpack_str() {
            Some(wanted) if matches(wanted) => return Ok(Value::new_bool(true)),
            Some(_) => {}
            None => return input.fail(format!("want string, got {}, for element {number}", type_name(item))),
        }
    }
    Ok(Value::new_bool(false))
}

fn strip<'v>(text: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    input.between(0, 1)?;
    let set = real(input.text(0)?.unwrap_or_default());
    input.meter.walk(text.len().saturating_mul(set.len() / 16))?;
    let cut = |character: char| if set.is_empty() { is_space(character) } else { set.contains(character) };
    let real = real(text);
    let kept = match input.name {
        "lstrip" => real.trim_start_matches(cut),
        "rstrip" => real.trim_end_matches(cut),
        _ => real.trim_matches(cut),
    };
    Ok(value(kept, heap))
}

fn texts<'v, 'x>(texts: impl Iterator<Item = &'x str>, heap: Heap<'v>) -> Value<'v> {
    heap.alloc(AllocList(texts.map(|text| heap.alloc_str(text).to_value())))
}

/// Asks for a list of so many pieces of a text.
fn pieces(input: &Input<'_>, count: usize) -> EvalResult<()> {
    input.meter.room_in_all(count.saturating_mul(PIECE))?;
    input.meter.walk_items(count)
}

fn split<'v>(text: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    input.between(0, 2)?;
    let most = input.number(1)?.and_then(|most| usize::try_from(most).ok());
    let separator = match input.get(0) {
        Some(value) if !value.is_none() => match value.unpack_str() {
            Some("") => return Err(text_only("split: empty separator")),
            Some(separator) => separator,
            None => return Err(text_only(format!("split: got {} for separator, want string", type_name(value)))),
        },
        _ => {
            let blanks = text.bytes().filter(u8::is_ascii_whitespace).count();
            pieces(input, blanks)?;
            let real = real(text);
            let words = if input.name == "split" { words(&real, most) } else { words_from_end(&real, most) };
            return Ok(heap.alloc(AllocList(words.into_iter().map(|word| value(word, heap)))));
        }
    };
    pieces(input, text.matches(separator).count())?;
    match most {
        None => Ok(texts(text.split(separator), heap)),
        Some(most) if input.name == "split" => Ok(texts(text.splitn(most.saturating_add(1), separator), heap)),
        Some(most) => {
            // Cut from the left, and joined again: that matters where separators overlap.
            let pieces: Vec<&str> = text.split(separator).collect();
            let joined = pieces.len().saturating_sub(most);
            if joined < 2 {
                return Ok(texts(pieces.into_iter(), heap));
            }
            let (joined, rest) = pieces.split_at(joined);
            let first = joined.join(separator);
            Ok(texts(std::iter::once(&*first).chain(rest.iter().copied()), heap))
        }
    }
}

/// Words between blanks; the last of at most `most` cuts leaves the rest as it is.
fn words(text: &str, most: Option<usize>) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while !rest.is_empty() {
        if most == Some(words.len()) {
            words.push(rest);
            break;
        }
        let (word, after) = rest.split_at(rest.find(is_space).unwrap_or(rest.len()));
        words.push(word);
        rest = after.trim_start_matches(is_space);
    }
    words
}

fn words_from_end(text: &str, most: Option<usize>) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_end_matches(is_space);
    while !rest.is_empty() {
        if most == Some(words.len()) {
            words.push(rest);
            break;
        }
        let blank = rest.char_indices().rev().find(|(_, character)| is_space(*character));
        let (before, word) =
            rest.split_at(blank.map_or(0, |(offset, character)| offset.saturating_add(character.len_utf8())));
        words.push(word);
        rest = before.trim_end_matches(is_space);
    }
    words.reverse();
    words
}

fn splitlines<'v>(text: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    input.between(0, 1)?;
    pieces(input, text.matches('\n').count())?;
    let keep = input.flag(0, "1", input.get(0))?.unwrap_or(false);
    let lines =
        text.split_inclusive('\n').map(|line| if keep { line } else { line.strip_suffix('\n').unwrap_or(line) });
    Ok(texts(lines, heap))
}

fn replace<'v>(text: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    input.between(2, 3)?;
    let (old, new) = (input.text(0)?.unwrap_or_default(), input.text(1)?.unwrap_or_default());
    let most = input.number(2)?.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    if new.len() > old.len() {
        let places = if old.is_empty() { text.len().saturating_add(1) } else { text.matches(old).count() };
        let more = (places.min(most) as u128).saturating_mul(new.len().saturating_sub(old.len()) as u128);
        fits(input, more.saturating_add(text.len() as u128))?;
    }
    if !old.is_empty() {
        return Ok(heap.alloc_str(&text.replacen(old, new, most)).to_value());
    }
    Ok(value(&real(text).replacen("", &real(new), most), heap))
}

/// Refuses a result for which there is no memory.
fn fits(input: &Input<'_>, length: u128) -> EvalResult<()> {
    match usize::try_from(length).ok().filter(|length| *length < LONGEST) {
        Some(length) => input.meter.room(length.saturating_mul(2)),
        None => input.fail(format!("result is longer than {LONGEST} bytes")),
    }
}

fn partition<'v>(text: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    input.between(1, 1)?;
    let separator = input.text(0)?.unwrap_or_default();
    if separator.is_empty() {
        return input.fail("empty separator");
    }
    let first = input.name == "partition";
    let found = if first { text.split_once(separator) } else { text.rsplit_once(separator) };
    let [before, between, after] = match found {
        Some((before, after)) => [before, separator, after],
        None if first => [text, "", ""],
        None => ["", "", text],
    };
    let parts = [before, between, after].map(|part| heap.alloc_str(part).to_value());
    Ok(heap.alloc(AllocTuple(parts)))
}

fn join<'v>(text: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    input.between(1, 1)?;
    let mut out = String::new();
    let whole =
        |failed| error::with_fact(failed, || Fact::Joined { number: None, kind: type_name(input.first()).into() });
    for (number, item) in input.items("1", input.first()).map_err(whole)?.into_iter().enumerate() {
        if number > 0 {
            out.push_str(text);
        }
        match item.unpack_str() {
            Some(item) => {
                fits(input, (out.len() as u128).saturating_add(item.len() as u128))?;
                out.push_str(item);
            }
            None => {
                let failed = input.fail(format!("in list, want string, got {}", type_name(item)));
                let fact = || Fact::Joined { number: Some(number), kind: type_name(item).to_owned() };
                return failed.map_err(|failed| error::with_fact(failed, fact));
            }
        }
    }
    Ok(heap.alloc_str(&out).to_value())
}
