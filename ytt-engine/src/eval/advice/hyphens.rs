//! A text that was written into a name: `name-headless` for `name + "-headless"`.

use super::code_of;
use crate::diag::{Diagnostic, NoteKind};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};

/// An undefined name right behind a minus that follows a name of the file.
pub(super) fn told(sources: &SourceMap, problem: &Diagnostic) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let source = sources.get(place.source);
    let range = source.line_range(source.line(place.start));
    let before = source.written(Span { start: range.start, end: place.start, ..place })?.strip_suffix('-')?;
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let base = before.get(before.trim_end_matches(is_part).len()..).filter(|base| !base.is_empty())?;
    let code = FileCode::read(&source, place.source)?;
    let bound = code.bound(place, base.split('.').next()?)?;
    // Another name may be misspelt: what is surely a text says that this is one, too.
    let is_text = matches!(bound.by, Binder::Value(value) if base.len() == code_of(sources, bound.name).len()
        && source.written(value).is_some_and(|value| value.starts_with('"')));
    let behind = source.written(Span { start: place.start, end: range.end, ..place })?;
    let is_of_text = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let text = behind.get(..behind.find(|letter| !is_of_text(letter)).unwrap_or(behind.len()))?;
    let rest = behind.get(text.len()..)?;
    // A call or a member is no part of a text.
    if rest.starts_with(['.', '(', '[']) || text.ends_with('-') {
        return None;
    }
    let whole = Span { start: place.start.checked_sub(1)?, end: place.start.checked_add(to_u32(text.len()))?, ..place };
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
