//! A key that a dict does not have: where the dict is written, what its neighbours have, and which data value asks.
#![allow(
    clippy::indexing_slicing,
    reason = "numbers of dicts come from going through the same list, and dicts that hold another one stand in it"
)]

use super::super::host::Host;
use super::origin::{self, Origins};
use super::{code_of, decoded, place_at};
use crate::diag::{Diagnostic, Label, NoteKind, suggest};
use crate::nearest::only;
use crate::quoted;
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written::{self, Dict};
use crate::template::{outline, word};
use crate::yaml::Val;
use crate::yaml::resolve::needs_no_quotes;

/// The note that lists the keys of a dict.
pub(super) fn keys_there(keys: &str) -> String {
    format!("keys there: {keys}")
}

/// A dict that has the key as a number, where a text is asked for, or the other way round.
pub(super) fn of_another_type(sources: &SourceMap, problem: &mut Diagnostic, alike: &str) {
    let Some(mut place) = problem.parts().labels.first().map(|label| label.span) else { return };
    // What a literal says is marked without its quotes.
    let around = Span { start: place.start.saturating_sub(1), end: place.end.saturating_add(1), ..place };
    let inside = code_of(sources, around);
    if inside.len() > 1 && inside.starts_with('"') && inside.ends_with('"') {
        place = around;
    }
    let (is_text, code) = (alike.starts_with('"'), code_of(sources, place));
    let index = index_of(&code).unwrap_or(&code).trim();
    let start = code.rfind(index).unwrap_or_default();
    let span = Span::new(place.source, place.start.saturating_add(to_u32(start)), place.start);
    let span = Span { end: span.start.saturating_add(to_u32(index.len())), ..span };
    let is_literal = index.trim_matches('"') == alike.trim_matches('"');
    let (kind, function) = if is_text { ("a text", "str") } else { ("an integer", "int") };
    let mut told = problem.clone().relabel(format!("the key there is {kind}: `{alike}`"));
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    place_at(&mut told, span);
    let new = if is_literal { alike.to_owned() } else { format!("{function}({index})") };
    *problem = told.help_edit(format!("ask for {kind}"), span, new);
}

/// Adds the places to a problem of a dict that has `keys` and not `wanted`.
pub(super) fn lacks(host: &Host<'_>, data: Val, problem: &mut Diagnostic, wanted: &str, keys: &[String]) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let code = code_of(&host.sources, place);
    let names = || keys.iter().map(String::as_str);
    let near = suggest::similar(wanted, names()).or_else(|| suggest::meant(wanted, names()).only());
    let is_of_data = index_of(&code).is_some_and(|index| index.starts_with("data.values."));
    let mut is_given = false;
    if let Some(index) = index_of(&code).filter(|_| is_of_data) {
        *problem = asked(host, data, problem.clone(), index, wanted, near);
    } else if let Some(told) =
        index_of(&code).and_then(|index| given(host, data, problem, (place, index), wanted, near))
    {
        (*problem, is_given) = (told, true);
    }
    let Some((dicts, at)) = written(host, &code, keys).filter(|(dicts, at)| is_meant(host, place, dicts, *at)) else {
        return decoded::lacks(host, problem, wanted, keys);
    };
    let dict = &dicts[at];
    let neighbours = dict.entry.map(|(around, _)| {
        let others = dicts
            .iter()
            .enumerate()
            .filter(|(number, other)| *number != at && other.entry.is_some_and(|(same, _)| same == around));
        others.map(|(_, other)| other).collect::<Vec<_>>()
    });
    let key_of = |dict: &Dict| {
        let (around, number) = dict.entry?;
        dicts[around].keys.get(number).cloned()
    };
    let having = |dict: &Dict| dict.keys.iter().find(|(key, _)| key == wanted).map(|(_, span)| *span);
    let other = neighbours.iter().flatten().find_map(|other| Some((key_of(other)?.0, having(other)?)));
    let told = problem.clone();
    *problem = match (key_of(dict), other) {
        (Some((own, span)), Some((other, there))) => told
            .label(span, format!("`{own}` is written without `{wanted}`"))
            .label(there, format!("`{other}` has `{wanted}`"))
            .help(format!("write `{wanted}` in `{own}`, as in `{other}`")),
        _ => {
            let name = dict.name.map(|name| code_of(&host.sources, name));
            let what = name.as_ref().map_or("this dict".to_owned(), |name| format!("`{name}`"));
            let is_set = told.parts().labels.iter().any(|label| Some(label.span) == dict.name);
            match near.and_then(|near| dict.keys.iter().find(|(key, _)| key == near)) {
                Some((_, key)) => {
                    let name = dict.name.filter(|_| !is_set);
                    let mut told = told.label_at(name, format!("{what} is set here")).label(*key, "nearest key");
                    if let (Some(near), true) = (near, told.parts().helps.is_empty() && code == wanted) {
                        told = told.help_edit(format!("did you mean `{near}`?"), place, near).guessing();
                    }
                    // A name that comes from elsewhere may be right, and the key misspelt.
                    match is_given || index_of(&code).is_some_and(written::is_dotted) {
                        false => told,
                        true => {
                            let text = format!("or, if the key is misspelt, write `{wanted}` here");
                            told.help_edit(text, *key, quoted::go(wanted.as_bytes())).guessing()
                        }
                    }
                }
                None => {
                    let listed = suggest::listed(keys.iter().map(String::as_str));
                    let span = dict.name.unwrap_or(dict.open);
                    let mut told = told;
                    if let Some(keys) = listed {
                        let parts = told.parts_mut();
                        parts.notes.retain(|note| note.kind != NoteKind::Text || note.text() != keys_there(&keys));
                        parts.labels.retain(|label| label.span != span);
                        told = told.label(span, format!("{what} has: {keys}"));
                    }
                    told
                }
            }
        }
    };
}

/// A key that code was given, where it comes from a data value: that one, and the key that was probably meant.
fn given(
    host: &Host<'_>,
    data: Val,
    problem: &Diagnostic,
    (place, index): (Span, &str),
    wanted: &str,
    near: Option<&str>,
) -> Option<Diagnostic> {
    let end = place.end.checked_sub(1)?;
    let span = Span { start: end.checked_sub(to_u32(index.len()))?, end, ..place };
    let trace = problem.parts().trace.clone();
    let item = Origins::new(host, data, &trace).only(span, 0)?;
    let value = host.arena.borrow().value(item);
    (host.arena.borrow().str(value) == Some(wanted)).then_some(())?;
    let there = origin::place_of(host, item)?;
    let told = problem.clone().label(there, format!("`{wanted}` comes from here"));
    let Some(near) = near.filter(|near| code_of(&host.sources, there) == wanted && needs_no_quotes(near)) else {
        return Some(told);
    };
    let mut told = told;
    // A value that is not known may be a new one.
    if let Some(help) = told.parts_mut().helps.iter_mut().find(|help| help.edit.is_none()) {
        (help.edit, help.is_guess) = (Some((there, near.to_owned())), true);
        return Some(told);
    }
    Some(told.help_edit(format!("did you mean `{near}`?"), there, near).guessing())
}

/// Whether code speaks of a dict that is written: by its name, or by what it sets to a part of it. A dict that was
/// decoded or computed may have the same keys.
fn is_meant(host: &Host<'_>, place: Span, dicts: &[Dict], at: usize) -> bool {
    let mut outer = &dicts[at];
    while let Some((around, _)) = outer.entry {
        outer = &dicts[around];
    }
    let Some(name) = outer.name.map(|name| code_of(&host.sources, name)) else { return false };
    let source = host.sources.get(place.source);
    let line = source.line_text(source.line(place.start));
    let is_apart = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let has = |text: &str| word::whole(text, &name).next().is_some();
    let before = line.get(..place.start.saturating_sub(source.line_range(source.line(place.start)).start) as usize);
    // Of `entry["memory"]` the key alone may be marked.
    let code = code_of(&host.sources, place);
    let indexed = match code.split_once('[') {
        Some((name, _)) => name,
        None => before.and_then(|before| before.trim_end().strip_suffix('[')).unwrap_or_default(),
    };
    let indexed = indexed.rsplit(is_apart).next().unwrap_or_default();
    let set_to = outline::assigned(&source, indexed);
    has(source.text.as_str().unwrap_or_default()) && (indexed == name || set_to.is_none_or(has))
}

/// The dict with just these keys among those that files write, or the one of them that the code names.
fn written(host: &Host<'_>, code: &str, keys: &[String]) -> Option<(Vec<Dict>, usize)> {
    let mut found = Vec::new();
    let has_all = |dict: &Dict| {
        let own = dict.keys.iter().map(|(key, _)| key);
        !keys.is_empty() && dict.keys.len() == keys.len() && own.eq(keys)
    };
    for (number, source) in host.sources.all().iter().enumerate() {
        host.may_advise(source.text.as_bytes().len()).then_some(())?;
        for block in outline::blocks(source, SourceId(to_u32(number))) {
            let dicts = written::dicts(&host.sources, block);
            let fitting: Vec<usize> = (0..dicts.len()).filter(|at| has_all(&dicts[*at])).collect();
            if !fitting.is_empty() {
                found.push((dicts, fitting));
            }
        }
    }
    if let [(_, fitting)] = &found[..]
        && let [at] = fitting[..]
    {
        return found.pop().map(|(dicts, _)| (dicts, at));
    }
    let (name, _) = code.split_once('[')?;
    let is_named = |dict: &Dict| dict.name.is_some_and(|span| code_of(&host.sources, span) == name);
    let named = found.into_iter().filter_map(|(dicts, fitting)| {
        let at = fitting.into_iter().find(|at| is_named(&dicts[*at]))?;
        Some((dicts, at))
    });
    let mut named = named.collect::<Vec<_>>();
    if named.len() == 1 { named.pop() } else { None }
}

/// What stands in the last brackets of code.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "there are not more brackets than bytes in a source, which has fewer than 2³¹"
)]
fn index_of(code: &str) -> Option<&str> {
    let inside = code.strip_suffix(']')?;
    let mut depth = 0;
    let open = inside.char_indices().rev().find(|(_, letter)| {
        match letter {
            ']' | ')' => depth += 1,
            '(' => depth -= 1,
            '[' if depth > 0 => depth -= 1,
            _ => return *letter == '[',
        }
        false
    })?;
    inside.split_at(open.0).1.strip_prefix('[')
}

/// The data value that is used as the key: where it is set, and the key that was probably meant.
fn asked(host: &Host<'_>, data: Val, told: Diagnostic, index: &str, wanted: &str, near: Option<&str>) -> Diagnostic {
    let Some(path) = index.strip_prefix("data.values.") else { return told };
    let arena = host.arena.borrow();
    let (mut at, mut found) = (data, None);
    for name in path.split('.') {
        let Val::Node(map) = at else { return told };
        let Some(item) = arena.find_str(map, name) else { return told };
        (at, found) = (arena.value(item), Some(item));
    }
    let place = found.and_then(|item| arena.place_of(item)).map(|place| place.value_or_key(&host.sources));
    let (Some(place), true) = (place, arena.str(at) == Some(wanted)) else { return told };
    let mut told = told.label(place, format!("`{wanted}` comes from here"));
    let is_plain = code_of(&host.sources, place) == wanted;
    let Some(near) = near.filter(|near| is_plain && needs_no_quotes(near)) else { return told };
    // A value that is not known may be a new one.
    if let Some(help) = told.parts_mut().helps.iter_mut().find(|help| help.edit.is_none()) {
        (help.edit, help.is_guess) = (Some((place, near.to_owned())), true);
        return told;
    }
    told.help_edit(format!("did you mean `{near}`?"), place, near).guessing()
}

/// A key without quotes that is the name of a function: the dict in which it is written, with its other keys that are names.
pub(super) fn function_as_key(host: &Host<'_>, problem: &mut Diagnostic, name: Option<&str>) {
    let mut found = Vec::new();
    for (number, source) in host.sources.all().iter().enumerate() {
        if !host.may_advise(source.text.as_bytes().len()) {
            return;
        }
        let Some(code) = FileCode::read(source, SourceId(to_u32(number))) else { continue };
        let is_it = |key: &Span| {
            let (own, bound) = (code_of(&host.sources, *key), code.bound(*key, &code_of(&host.sources, *key)));
            match (name, bound.map(|bound| bound.by)) {
                (Some(name), Some(Binder::Def | Binder::Load)) => own == name,
                (None, None) => (host.is_builtin)(&own),
                _ => false,
            }
        };
        let dicts = code.names_as_keys().into_iter();
        found.extend(dicts.filter_map(|keys| Some((keys.iter().copied().find(is_it)?, keys))));
    }
    let Some((function, keys)) = only(found) else { return };
    let source = host.sources.get(function.source);
    let own = code_of(&host.sources, function);
    let mut told = problem.clone();
    let at = told.parts().labels.first().map(|label| label.span);
    told.parts_mut().labels.insert(0, Label { span: function, text: format!("this key is the function `{own}`") });
    for key in keys.iter().filter(|key| **key != function) {
        told = told.label(*key, format!("and this is what `{}` holds", code_of(&host.sources, *key)));
    }
    if let (Some(at), Some(label)) = (at, told.parts_mut().labels.get_mut(1)) {
        *label = Label { span: at, text: "the dict is used here".to_owned() };
    }
    let texts: Vec<(Span, String)> =
        keys.iter().map(|key| (*key, quoted::go(code_of(&host.sources, *key).as_bytes()))).collect();
    let edit = source.replaced(texts.iter().map(|(span, new)| (*span, new.as_str())));
    let text = "a key that is a text has quotes";
    told.parts_mut().helps.clear();
    *problem = match edit {
        // Other keys may be meant to be what a name holds.
        Some((span, new)) if keys.len() > 1 => told.help_edit(text, span, new).guessing(),
        Some((span, new)) => told.help_edit(text, span, new),
        None => told.help(text),
    };
}
