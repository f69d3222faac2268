//! A key that is written twice, with a map or a list below it each time: people join the two.
#![allow(clippy::string_slice, reason = "texts are cut at line breaks, blanks and other ASCII that was found there")]
#![allow(clippy::arithmetic_side_effects, reason = "places and columns of a text in memory, which lines are parts of")]

use std::collections::{BTreeSet, HashMap};

use super::layout::{Change, LINES, content, indent, item_start, line, line_start};

/// What becomes of two equal keys.
pub(crate) enum Joined {
    /// The lines below the second one go behind those below the first one.
    Moved { change: Change, is_list: bool },
    /// The first one says all that the second one says.
    Removed(Change),
    /// Keys of both maps, or items of the same name in both lists: what they are called, and where they stand.
    InBoth { both: Vec<(String, [(usize, usize); 2])>, is_list: bool },
}

/// A key and the lines below it.
struct Block {
    start: usize,
    body: usize,
    end: usize,
    /// Column of what stands below the key.
    column: usize,
    is_list: bool,
}

/// A key of a map with its value, or an item of a list.
struct Part<'t> {
    name: Option<&'t str>,
    keys: BTreeSet<&'t str>,
    /// Its first line, without blanks.
    at: (usize, usize),
    start: usize,
    end: usize,
}

/// Two equal keys with a map below each of them, or with a list below each.
pub(crate) fn joined(text: &str, first: usize, second: usize) -> Option<Joined> {
    let (first, second) = (block(text, first, true)?, block(text, second, false)?);
    let between = text.get(first.end..second.start)?;
    // Code between or in them belongs to lines that would move.
    let has_code = text.get(first.body..second.end)?.lines().any(|line| line.trim_start().starts_with("#@"));
    let is_same = first.column == second.column && first.is_list == second.is_list;
    (is_same && between.len() < 4000 && !has_code).then_some(())?;
    let is_list = first.is_list;
    let (own, more) = (parts(text, &first), parts(text, &second));
    let written = |part: &Part<'_>| text.get(part.start..part.end).unwrap_or_default().trim();
    let removed = Change { start: second.start, end: second.end, new: String::new() };
    let lines: BTreeSet<&str> = own.iter().map(written).collect();
    if !more.is_empty() && more.iter().all(|part| lines.contains(written(part))) {
        return Some(Joined::Removed(removed));
    }
    let named: HashMap<&str, &Part<'_>> = own.iter().filter_map(|part| Some((part.name?, part))).collect();
    let both = more.iter().filter_map(|part| {
        let name = part.name?;
        Some((name.to_owned(), [named.get(name)?.at, part.at]))
    });
    let both: Vec<_> = both.collect();
    if !both.is_empty() {
        return Some(Joined::InBoth { both, is_list });
    }
    (!is_list || is_alike(line(text, second.start).trim(), &own, &more)).then_some(())?;
    let change = match between {
        "" => Change { end: second.body, ..removed },
        _ => Change { start: first.end, new: text.get(second.body..second.end)?.to_owned() + between, ..removed },
    };
    Some(Joined::Moved { change, is_list })
}

/// The key at a place with the lines below it. The first of an item may stand behind its dash.
fn block(text: &str, key: usize, may_be_in_item: bool) -> Option<Block> {
    let start = line_start(text, key);
    let own = line(text, start);
    let before = own.get(..key.checked_sub(start)?)?;
    let is_first = before.trim().is_empty() || may_be_in_item && item_start(own) == before.len();
    let is_key = content(own).ends_with(':') && is_first;
    let body = start + own.len() + text[start + own.len()..].find('\n')? + 1;
    let (mut at, mut end, mut count) = (body, body, 0);
    let mut shape = None;
    while at < text.len() && count < LINES {
        let own = line(text, at);
        let next = text[at..].find('\n').map_or(text.len(), |found| at + found + 1);
        let says = own.trim_start();
        if !says.is_empty() {
            let (column, is_item) = (indent(own), says == "-" || says.starts_with("- "));
            // Items may stand in the column of their key.
            if column < before.len() || column == before.len() && !is_item {
                break;
            }
            if !says.starts_with('#') {
                shape.get_or_insert((column, is_item));
            }
            end = next;
        }
        (at, count) = (next, count + 1);
    }
    let (column, is_list) = shape?;
    let is_whole = is_key && count < LINES && text[..end].ends_with('\n');
    is_whole.then_some(Block { start, body, end, column, is_list })
}

fn parts<'t>(text: &'t str, block: &Block) -> Vec<Part<'t>> {
    let mut parts: Vec<Part<'t>> = Vec::new();
    let (mut at, mut inner) = (block.body, block.column);
    while at < block.end {
        let own = line(text, at);
        let says = own.trim_start();
        let next = text[at..].find('\n').map_or(text.len(), |found| at + found + 1);
        let column = indent(own);
        if says.is_empty() || says.starts_with('#') {
            at = next;
            continue;
        }
        if column == block.column {
            inner = if block.is_list { item_start(own) } else { column };
            let place = (at + column, at + own.trim_end().len());
            let name = if block.is_list { None } else { key_of(says).map(|(key, _)| key) };
            parts.push(Part { name, keys: BTreeSet::new(), at: place, start: at, end: next });
        }
        let Some(part) = parts.last_mut() else { break };
        part.end = next;
        if block.is_list && (column == block.column || column == inner) {
            let says = own.get(inner..).unwrap_or_default();
            match key_of(says) {
                Some(("name", value)) => part.name = Some(value),
                Some((key, _)) => _ = part.keys.insert(key),
                None if column == block.column && !says.is_empty() => part.name = Some(says.trim_end()),
                None => {}
            }
        }
        at = next;
    }
    parts
}

fn key_of(says: &str) -> Option<(&str, &str)> {
    let (key, value) = says.split_once(": ").or_else(|| Some((says.trim_end().strip_suffix(':')?, "")))?;
    let quotes = ['"', '\''];
    Some((key.trim_matches(quotes), value.trim().trim_matches(quotes))).filter(|(key, _)| !key.is_empty())
}

/// Are items of two lists of one kind, as far as their keys tell? A name is in items of every kind.
fn is_alike(key: &str, own: &[Part<'_>], more: &[Part<'_>]) -> bool {
    let all = || own.iter().chain(more);
    match key {
        // What runs is one command: options alone can be put together.
        "command:" | "entrypoint:" => return false,
        "args:" => {
            let name = |part: &Part<'_>| part.name.unwrap_or_default().trim_start_matches("- ").to_owned();
            return all().all(|part| name(part).starts_with(['-', '#']))
                && all().any(|part| name(part).starts_with('-'));
        }
        // Each volume is of another kind, and has another key.
        "volumes:" => return all().all(|part| part.name.is_some() && !part.keys.contains("mountPath")),
        _ => {}
    }
    let keys = |parts: &[Part<'_>]| -> BTreeSet<String> {
        parts.iter().flat_map(|part| &part.keys).map(|key| (*key).to_owned()).collect()
    };
    let (own, more) = (keys(own), keys(more));
    let begins = |one: &String| more.iter().any(|other| one.starts_with(&**other) || other.starts_with(&**one));
    own.is_empty() && more.is_empty() || own.iter().any(begins)
}
