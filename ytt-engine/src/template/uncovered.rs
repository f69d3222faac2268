//! Strings with what looks like code that no `@yaml/text-templated-strings` covers.

use super::unfilled::{CODE, SHOWN, TEMPLATED, map_around, names_known};
use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span, replaced, to_u32};
use crate::yaml::NodeSpan;

/// `@yaml/text-templated-strings`, and the node that it is for.
pub(super) struct Templated {
    pub(super) annotation: Span,
    pub(super) place: NodeSpan,
}

/// An annotation for a node without any code in its strings, where a string elsewhere in the file has some: the first of
/// `uncovered`.
pub(super) fn of_idle(
    text: &str,
    source: SourceId,
    templated: &[Templated],
    uncovered: &[Uncovered],
) -> Option<Diagnostic> {
    let has_code =
        |place: &NodeSpan| text.get(place.start as usize..place.end as usize).is_none_or(|text| text.contains(CODE));
    let idle = templated.iter().find(|one| !has_code(&one.place))?;
    let meant = uncovered.first()?;
    let key = |place: &NodeSpan| text.get(place.start as usize..place.key_end as usize).unwrap_or_default();
    let told = Diagnostic::warning(Code::TEMPLATE_UNPRINTED, MESSAGE)
        .label(meant.span(source), "nothing fills this: `@yaml/text-templated-strings` does not stand above it")
        .label(idle.annotation, format!("covers `{}` only, which has no `(@= … @)`", key(&idle.place)));
    let help = "move the annotation above the key with the text; above the line `---` it covers the whole document";
    Some(match moved(text, idle.annotation, meant) {
        Some((span, new)) => told.help_edit(help, span, new),
        None => told.help(help),
    })
}

/// The edit that moves the line of an annotation down, above the line of a string.
fn moved(text: &str, annotation: Span, to: &Uncovered) -> Option<(Span, String)> {
    let (target, indent) = to.line.as_ref()?;
    let start = text.get(..annotation.start as usize)?.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let line = text.get(start..)?.split_inclusive('\n').next()?;
    let is_alone = line.trim_start().starts_with("#@") && line.ends_with('\n');
    let between = text.get(start.checked_add(line.len())?..*target)?;
    let edit = Span { start: to_u32(start), end: to_u32(*target), ..annotation };
    is_alone.then(|| (edit, format!("{between}{indent}{}", line.trim_start())))
}

const MISSING: &str = "above this the annotation is missing";
const MESSAGE: &str = "`(@= … @)` is printed as it is: no annotation covers it";

/// Where code ends that begins there.
fn end_of(text: &str, at: usize) -> Option<usize> {
    let end = text.get(at..)?.find("@)").map_or(CODE.len(), |end| end.saturating_add(2));
    at.checked_add(end)
}

/// A string that has what looks like code, without an annotation that makes code of it.
pub(super) struct Uncovered {
    code: (usize, usize),
    /// The string, as it is written.
    whole: (usize, usize),
    /// Some that follows.
    others: Vec<(usize, usize)>,
    /// All that looks like code in the string.
    text: String,
    /// The line above which the annotation belongs: where it begins, and its indentation.
    line: Option<(usize, String)>,
    /// Bytes of the key or item in that line.
    head: u32,
    /// An annotation above that covers something else beside it, and what that is.
    beside: Option<(Span, String)>,
    /// What to do about it.
    help: &'static str,
}

impl Uncovered {
    /// Nothing for a string that has the code of a template of its own, such as a file that another run is to read.
    pub(super) fn at(text: &str, place: NodeSpan) -> Option<Uncovered> {
        let (start, end) = (place.value as usize, place.end as usize);
        Uncovered::within(text, (start, end), (place.start as usize, start))
    }

    /// The same of a key: what makes code of it belongs above its map, whose other keys are mostly like it.
    pub(super) fn of_key(text: &str, place: NodeSpan) -> Option<Uncovered> {
        const HELP: &str = "write `#@yaml/text-templated-strings` above it: code in keys is read below that only";
        let (start, end) = (place.start as usize, place.key_end as usize);
        let above = map_around(text, start).unwrap_or((start, start));
        let of_key = Uncovered::within(text, (start, end), above)?;
        Some(Uncovered { help: HELP, ..of_key })
    }

    /// What stands in a range, with the node that the annotation belongs above: where that begins, and an end behind its key.
    fn within(text: &str, (start, end): (usize, usize), (above, behind): (usize, usize)) -> Option<Uncovered> {
        let value = text.get(start..end).filter(|value| !value.contains("#@"))?;
        let at = start.checked_add(value.find(CODE)?)?;
        let others = value.match_indices(CODE).skip(1).take(SHOWN);
        let others =
            others.filter_map(|(other, _)| Some((start.checked_add(other)?, end_of(text, start.checked_add(other)?)?)));
        let codes = value.split(CODE).skip(1).filter_map(|rest| rest.split_once("@)"));
        let codes: Vec<&str> = codes.map(|(code, _)| code).collect();
        let before = text.get(..above)?;
        let begin = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let indent = before.get(begin..).filter(|before| before.trim_start_matches([' ', '-']).is_empty());
        let indent = indent.map(|before| before.split('-').next().unwrap_or_default());
        let own = indent.and_then(|indent| text.get(begin.checked_add(indent.len())?..behind));
        let head = own.map_or(0, |own| to_u32(own.split(':').next().unwrap_or_default().trim_end().len()));
        Some(Uncovered {
            head,
            beside: None,
            help: "write `#@yaml/text-templated-strings` above it: code in strings is read below that only",
            code: (at, end_of(text, at)?),
            whole: (start, end),
            others: others.collect(),
            text: codes.join(" "),
            line: indent.map(|indent| (begin, indent.to_owned())),
        })
    }

    /// Notes the annotation above, if what it covers stands in the same map.
    pub(super) fn look_beside(&mut self, text: &str, last: Option<&Templated>) {
        /// Lines between the two that are looked at.
        const MOST: usize = 40;
        let beside = |one: &Templated| {
            let (start, indent) = self.line.as_ref()?;
            let before = text.get(..one.place.start as usize)?;
            let column = before.len().saturating_sub(before.rfind('\n').map_or(0, |at| at.saturating_add(1)));
            let between = text.get(one.place.start as usize..*start)?;
            let mut lines = between.split('\n').skip(1).filter(|line| !line.trim().is_empty());
            let is_deep = |line: &str| line.len().saturating_sub(line.trim_start_matches(' ').len()) >= column;
            let is_beside = column == indent.len() && lines.by_ref().take(MOST).all(is_deep) && lines.next().is_none();
            let key = text.get(one.place.start as usize..one.place.key_end as usize)?;
            is_beside.then(|| (one.annotation, format!("this covers `{}` only", key.trim_end())))
        };
        self.beside = last.and_then(beside);
    }

    /// Where its first code begins.
    pub(super) fn start(&self) -> usize {
        self.code.0
    }

    /// Its first code.
    fn span(&self, source: SourceId) -> Span {
        Span::new(source, to_u32(self.code.0), to_u32(self.code.1))
    }

    /// Does its code name what the file knows? Then it was meant as such.
    fn is_meant(&self, binds: &dyn Fn(&str) -> bool) -> bool {
        names_known(&self.text, binds)
    }

    /// Where the key or item begins above which the annotation belongs.
    fn head(&self, source: SourceId) -> Option<Span> {
        let (at, indent) = self.line.as_ref()?;
        let start = to_u32(at.checked_add(indent.len())?);
        (start < to_u32(self.code.0) && self.head > 0)
            .then(|| Span::new(source, start, start.saturating_add(self.head)))
    }
}

/// The first of these strings whose code was meant as such, with those like it in its document.
pub(super) fn told(
    text: &str,
    source: SourceId,
    uncovered: &[Uncovered],
    binds: &dyn Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let first = uncovered.iter().find(|one| one.is_meant(binds))?;
    let warning = Diagnostic::warning(Code::TEMPLATE_UNPRINTED, MESSAGE)
        .label(first.span(source), "nothing fills this: no `@yaml/text-templated-strings` stands above it");
    let others = first.others.iter().map(|(start, end)| Span::new(source, to_u32(*start), to_u32(*end)));
    let warning = others.fold(warning, |warning, other| warning.label(other, "nor this"));
    let (start, end) = document_around(text, first.code.0);
    let inside: Vec<_> = uncovered.iter().filter(|one| (start.unwrap_or(0)..end).contains(&one.start())).collect();
    let others: Vec<_> = inside.iter().filter(|one| one.start() != first.start() && one.is_meant(binds)).collect();
    let warning =
        others.iter().take(SHOWN).fold(warning, |warning, other| warning.label(other.span(source), "nor this"));
    if inside.iter().any(|one| text.get(one.whole.0..one.whole.1).is_some_and(has_open_block)) {
        return Some(warning.label_at(first.head(source), MISSING).help(first.help));
    }
    if let Some(start) = start.filter(|start| {
        let are_all = !others.is_empty() && others.len().checked_add(1) == Some(inside.len());
        are_all && first.beside.is_none() && text.get(*start..end).is_some_and(|all| is_all_in(all, *start, &inside))
    }) {
        const HELP: &str = "write `#@yaml/text-templated-strings` above `---`, for the whole document: code in strings and keys is read below that only";
        let at = Span::new(source, to_u32(start), to_u32(start));
        let marker = Span { end: at.end.saturating_add(3), ..at };
        let warning = warning.label(marker, MISSING);
        return Some(warning.help_edit(HELP, at, format!("{TEMPLATED}\n")));
    }
    let warning = warning.label_at(first.head(source), MISSING);
    let warning = match &first.beside {
        Some((annotation, what)) => warning.label(*annotation, what),
        None => warning,
    };
    let mut lines: Vec<_> = [first].into_iter().chain(others.into_iter().copied()).map(|one| &one.line).collect();
    lines.sort_unstable();
    lines.dedup();
    if let [_, _, ..] = &lines[..]
        && let Some(lines) = lines.iter().map(|line| line.as_ref()).collect::<Option<Vec<_>>>()
    {
        const HELP: &str =
            "write `#@yaml/text-templated-strings` above each: code in strings and keys is read below that only";
        let new: Vec<_> = lines.iter().map(|(_, indent)| format!("{indent}{TEMPLATED}\n")).collect();
        let places = lines.iter().map(|(at, _)| Span::new(source, to_u32(*at), to_u32(*at)));
        let edit = replaced(text, places.zip(new.iter().map(String::as_str)));
        return Some(match edit {
            Some((span, new)) => warning.help_edit(HELP, span, new),
            None => warning.help(HELP),
        });
    }
    Some(match &first.line {
        Some((at, indent)) => {
            let new = format!("{indent}{TEMPLATED}\n");
            warning.help_edit(first.help, Span::new(source, to_u32(*at), to_u32(*at)), new)
        }
        None => warning.help(first.help),
    })
}

/// The document that an offset is in: where the line `---` above it begins, if there is one, and where it ends. No string
/// can have such a line.
fn document_around(text: &str, at: usize) -> (Option<usize>, usize) {
    const MARKER: &str = "\n---";
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind(MARKER).map(|break_at| break_at.saturating_add(1));
    let start = start.or_else(|| before.starts_with("---").then_some(0));
    let end = text.get(at..).and_then(|rest| rest.find(MARKER)).and_then(|more| at.checked_add(more));
    (start, end.unwrap_or(text.len()))
}

/// Has a string other than as many blocks as ends? Prose such as `(@ for x in y: @)` would be read as code.
fn has_open_block(string: &str) -> bool {
    let codes = string.split("(@").skip(1).filter_map(|rest| rest.split_once("@)"));
    let statements = codes.map(|(code, _)| code.trim_matches(['-', ' ', '\n'])).filter(|code| !code.starts_with('='));
    let (ends, others): (Vec<&str>, Vec<&str>) = statements.partition(|code| *code == "end");
    let begins = |code: &&&str| code.ends_with(':') && !["else", "elif "].iter().any(|word| code.starts_with(word));
    others.iter().filter(begins).count() != ends.len()
}

/// Does all that looks like code in a part of a text, which begins there, stand in these strings? An annotation for all of it
/// makes code of any other, too.
fn is_all_in(part: &str, begin: usize, strings: &[&Uncovered]) -> bool {
    let mut strings = strings.iter().peekable();
    part.match_indices("(@").all(|(at, _)| {
        let at = begin.saturating_add(at);
        while strings.next_if(|string| string.whole.1 <= at).is_some() {}
        strings.peek().is_some_and(|string| string.whole.0 <= at)
    })
}
