//! Names with a dash, which is a minus in code: keys that are read behind a dot, where `v.root-level` is `v.root` minus
//! `level`, and texts that were written into a name, `name-headless` for `name + "-headless"`.

use super::super::host::Host;
use super::origin::Origins;
use super::{code_of, items, member, place_at};
use crate::diag::{Diagnostic, NoteKind, suggest};
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::yaml::Val;

/// A name that is a part of a key of data values: the key, and how code reads it.
pub(super) fn key(host: &Host<'_>, data: Val, problem: &Diagnostic) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let trace = &problem.parts().trace;
    let words = keys_around(host, place);
    let map_of = |word: Span| {
        let of = items::receiver(host, word)?;
        // Code that cannot be compiled was not called.
        let own = Origins::new(host, data, trace).values(of);
        let values = if own.is_empty() { Origins::returned(host, data).values(of) } else { own };
        let [map] = values[..] else { return None };
        Some((of, host.arena.borrow().map_of(map)?))
    };
    let exact = words.iter().find_map(|word| {
        let (of, map) = map_of(*word)?;
        let key = code_of(&host.sources, *word);
        Some((*word, of, host.arena.borrow().find_str(map, &key)?, key))
    });
    let near = || {
        let word = *words.first()?;
        let (of, map) = map_of(word)?;
        let arena = host.arena.borrow();
        let keys = arena.items(map).iter().filter_map(|item| arena.str(arena.key(*item)));
        let near = suggest::similar(&code_of(&host.sources, word), keys.filter(|key| key.contains('-')))?;
        Some((word, of, arena.find_str(map, near)?, near.to_owned()))
    };
    let (word, of, item, key) = exact.or_else(near)?;
    let code = code_of(&host.sources, word);
    let (first, rest) = code.split_once('-')?;
    let mut told = problem.clone().relabel(format!("this is `{first}` minus `{rest}`: code has no names with a dash"));
    place_at(&mut told, word);
    let parts = told.parts_mut();
    parts.labels.truncate(1);
    parts.helps.clear();
    parts.notes.clear();
    parts.word = None;
    let declared = host.arena.borrow().span_of(item);
    told = told.label_at(declared, format!("the key `{key}` stands here"));
    let new = member(&code_of(&host.sources, of), &key);
    let told = told.help_edit("read it with `getattr`", Span { end: word.end, ..of }, new);
    let told = if code == key { told } else { told.guessing() };
    let plain = key.replace('-', "_");
    Some(told.help(format!("or name the key `{plain}`, in the schema and wherever it is set and read")))
}

/// Texts around a place that may be keys with a dash, behind a dot: the longest one first.
fn keys_around(host: &Host<'_>, place: Span) -> Vec<Span> {
    let (before, behind) = line_around(&host.sources, place);
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let head = before.trim_end_matches(is_part);
    let start = place.start.saturating_sub(to_u32(before.len().saturating_sub(head.len())));
    let tail = behind.find(|letter| !is_part(letter)).unwrap_or(behind.len());
    let word = before.get(head.len()..).zip(behind.get(..tail)).map(|(first, rest)| format!("{first}{rest}"));
    let Some(word) = word.filter(|_| head.ends_with('.')) else { return Vec::new() };
    let ends = word.match_indices('-').map(|(at, _)| at).chain([word.len()]);
    let mut ends: Vec<u32> = ends.map(|at| start.saturating_add(to_u32(at))).filter(|end| *end >= place.end).collect();
    ends.reverse();
    let spans = ends.into_iter().map(|end| Span { start, end, ..place });
    spans.filter(|span| code_of(&host.sources, *span).contains('-')).collect()
}

/// What stands on the line of a place in front of it, and from it on.
fn line_around(sources: &SourceMap, place: Span) -> (String, String) {
    let source = sources.get(place.source);
    let line = source.line_range(source.line(place.start));
    let part = |start, end| source.written(Span { start, end, ..place }).unwrap_or_default().to_owned();
    (part(line.start, place.start), part(place.start, line.end))
}

/// An undefined name right behind a minus that follows a name of the file.
pub(super) fn text(sources: &SourceMap, problem: &Diagnostic) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let source = sources.get(place.source);
    let (before, behind) = line_around(sources, place);
    let before = before.strip_suffix('-')?;
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let base = before.get(before.trim_end_matches(is_part).len()..).filter(|base| !base.is_empty())?;
    let code = FileCode::read(&source, place.source)?;
    let bound = code.bound(place, base.split('.').next()?)?;
    // Another name may be misspelt: what is surely a text says that this is one, too.
    let is_text = matches!(bound.by, Binder::Value(value) if base.len() == code_of(sources, bound.name).len()
        && source.written(value).is_some_and(|value| value.starts_with('"')));
    let is_of_text = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let text = behind.get(..behind.find(|letter| !is_of_text(letter)).unwrap_or(behind.len()))?;
    let rest = behind.get(text.len()..)?;
    // A call or a member is no part of a text.
    if rest.starts_with(['.', '(', '[']) || text.ends_with('-') {
        return None;
    }
    let whole = Span { start: place.start.checked_sub(1)?, end: place.start.checked_add(to_u32(text.len()))?, ..place };
    if let Some(told) = key_of_a_file(sources, problem, (base, text), whole) {
        return Some(told);
    }
    let mut told = problem.clone().relabel(format!("this takes `{}` away from `{base}`", code_of(sources, place)));
    told.parts_mut().helps.clear();
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Text);
    let front = before.get(..before.len().checked_sub(base.len())?)?.trim_end();
    // Another operator in front may bind more.
    let is_alone = matches!(front.trim_start(), "" | "#@") || front.ends_with([':', '=', '@', '(', '[', ',']);
    let edit = (is_alone || front.ends_with("return")).then_some(whole);
    let text_of = format!("a text is joined with `+`: `{base} + \"-{text}\"`");
    let told = told.edit_at(text_of, edit, format!(" + \"-{text}\""));
    Some(if is_text { told } else { told.guessing() })
}

/// What stands behind a dot is a key with a dash, where a file has a line with it.
fn key_of_a_file(
    sources: &SourceMap,
    problem: &Diagnostic,
    (base, text): (&str, &str),
    whole: Span,
) -> Option<Diagnostic> {
    let (of, first) = base.rsplit_once('.')?;
    let key = format!("{first}-{text}");
    let line = format!("{key}:");
    let all = sources.all();
    let (number, at) = all.iter().enumerate().find_map(|(number, source)| {
        let found = source.text.as_str()?.match_indices(&line).map(|(at, _)| to_u32(at));
        let mut found = found.filter(|at| source.line_text(source.line(*at)).trim_start().starts_with(&line));
        Some((number, found.next()?))
    })?;
    let file = SourceId(to_u32(number));
    let place = Span { source: file, start: at, end: at.checked_add(to_u32(key.len()))? };
    let mut told = problem.clone().relabel(format!("this is `{first}` minus `{text}`: code has no names with a dash"));
    told.parts_mut().helps.clear();
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Text);
    let start = whole.start.checked_sub(to_u32(base.len()))?;
    let told = told.label(place, format!("the key `{key}` stands here"));
    Some(told.help_edit("read it with `getattr`", Span { start, ..whole }, member(of, &key)).guessing())
}
