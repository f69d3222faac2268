//! Keys with a dash that code reads behind a dot: `v.root-level` is `v.root` minus `level`.

use super::super::host::Host;
use super::origin::Origins;
use super::{code_of, items, member, place_at};
use crate::diag::{Diagnostic, suggest};
use crate::source::{Span, to_u32};
use crate::yaml::Val;

/// A name that is a part of a key of data values: the key, and how code reads it.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &Diagnostic) -> Option<Diagnostic> {
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
    let source = host.sources.get(place.source);
    let line = source.line_range(source.line(place.start));
    let Some(text) = source.written(Span { start: line.start, end: line.end, ..place }) else { return Vec::new() };
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let at = |at: u32| at.checked_sub(line.start).and_then(|at| usize::try_from(at).ok());
    let (Some(before), Some(behind)) =
        (at(place.start).and_then(|at| text.get(..at)), at(place.start).and_then(|at| text.get(at..)))
    else {
        return Vec::new();
    };
    let head = before.trim_end_matches(is_part);
    let start = line.start.saturating_add(to_u32(head.len()));
    let tail = behind.find(|letter| !is_part(letter)).unwrap_or(behind.len());
    let word = before.get(head.len()..).zip(behind.get(..tail)).map(|(first, rest)| format!("{first}{rest}"));
    let Some(word) = word.filter(|_| head.ends_with('.')) else { return Vec::new() };
    let ends = word.match_indices('-').map(|(at, _)| at).chain([word.len()]);
    let mut ends: Vec<u32> = ends.map(|at| start.saturating_add(to_u32(at))).filter(|end| *end >= place.end).collect();
    ends.reverse();
    let spans = ends.into_iter().map(|end| Span { start, end, ..place });
    spans.filter(|span| code_of(&host.sources, *span).contains('-')).collect()
}
