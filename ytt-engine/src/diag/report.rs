//! Reports of several problems: one after the other, then what they have in common, said once.

use std::borrow::Cow;
use std::collections::HashSet;

use annotate_snippets::normalize_untrusted_str as clean;
use annotate_snippets::{Group, Level};

use super::draw::{Style, draw};
use super::{Code, Diagnostic, Help, NoteKind, json};
use crate::caught::caught;
use crate::source::Span;

/// Draws at most `limit` diagnostics, with an empty line between them, and says how many there are beyond.
pub(crate) fn report(diagnostics: &[Diagnostic], limit: usize, style: Style) -> String {
    let (shown, more) = diagnostics.split_at(limit.min(diagnostics.len()));
    let mut known = HashSet::new();
    let once = shown.iter().map(|diagnostic| draw(&drawn_once(diagnostic, &mut known), style) + "\n");
    let mut parts: Vec<String> = once.collect();
    if style.steps {
        parts.extend(steps(shown, style));
    }
    if !more.is_empty() {
        parts.push(format!("and {} more\n", more.len()));
    }
    parts.join("\n")
}

/// What a help was told by before.
#[derive(PartialEq, Eq, Hash)]
enum Known<'d> {
    Edit(&'d (Span, String)),
    Text(&'d str),
}

/// A problem in which edits that were shown before are words only: one edit mends what several problems come of.
fn drawn_once<'d>(diagnostic: &'d Diagnostic, known: &mut HashSet<Known<'d>>) -> Cow<'d, Diagnostic> {
    // Few words are read faster than what points to them.
    const LONG: usize = 160;
    let key = |help: &'d Help| match &help.edit {
        Some(edit) => Some(Known::Edit(edit)),
        None => (help.text.len() > LONG).then_some(Known::Text(&help.text)),
    };
    let helps = diagnostic.parts().helps.iter().map(key);
    let is_again: Vec<bool> = helps.map(|help| help.is_some_and(|help| !known.insert(help))).collect();
    if !is_again.contains(&true) {
        return Cow::Borrowed(diagnostic);
    }
    let mut once = diagnostic.clone();
    for help in once.parts_mut().helps.iter_mut().zip(is_again).filter(|(_, again)| *again).map(|(help, _)| help) {
        help.also.clear();
        help.text = match help.edit.take() {
            Some(_) => format!("as above: {}", help.text),
            None => "as above".to_owned(),
        };
    }
    Cow::Owned(once)
}

/// The report that is drawn. Whoever asks for one has a problem already, which a panic of ours must not take away: then
/// it is the messages alone.
pub(crate) fn or_plain(diagnostics: &[Diagnostic], draw: impl FnOnce() -> String) -> String {
    caught(draw).unwrap_or_else(|panic| {
        let line = |one: &Diagnostic| format!("{}[{}]: {}\n", one.severity().as_str(), one.code(), one.message());
        plain(diagnostics, panic).iter().map(line).collect::<Vec<_>>().join("\n")
    })
}

/// The same for lines of JSON.
pub(crate) fn or_plain_lines(diagnostics: &[Diagnostic], write: impl FnOnce() -> String) -> String {
    caught(write).unwrap_or_else(|panic| json::lines(&plain(diagnostics, panic)))
}

/// Problems without anything to draw, and the panic behind them.
fn plain(diagnostics: &[Diagnostic], panic: String) -> Vec<Diagnostic> {
    let told = diagnostics.iter().map(|one| Diagnostic::new(one.severity(), one.code(), one.full_message()));
    told.chain([Diagnostic::error(Code::INTERNAL, panic)]).collect()
}

/// The steps that no place shows, each once.
fn steps(diagnostics: &[Diagnostic], style: Style) -> Option<String> {
    let (mut texts, mut known): (Vec<String>, HashSet<String>) = Default::default();
    for parts in diagnostics.iter().map(Diagnostic::parts).filter(|parts| !parts.labels.is_empty()) {
        let steps = parts.context.iter().filter(|step| !step.is_shown).map(|step| step.shown_text().to_owned());
        let from = parts.notes.iter().filter(|note| note.kind == NoteKind::From).map(|note| note.text().to_owned());
        let text = steps.chain(from).collect::<Vec<_>>().join(": ");
        if !text.is_empty() && known.insert(text.clone()) {
            texts.push(text);
        }
    }
    // Not broken into lines: people search for ytt's words.
    let groups: Vec<Group<'_>> =
        texts.iter().map(|text| Group::with_title(Level::NOTE.secondary_title(clean(text)))).collect();
    (!groups.is_empty()).then(|| style.renderer().render(&groups) + "\n")
}

/// The last line: what could not be done, such as "render `a.yml`", and how much is wrong with it.
#[cfg(feature = "codegen")]
pub(crate) fn summary(work: &str, problems: usize, shown: usize, warnings: usize, style: Style) -> String {
    let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut text = format!("could not {work}: {}", count(problems, "problem"));
    if shown < problems {
        text.push_str(&format!(", of which {shown} are shown (`--limit reports={problems}` shows all)"));
    }
    if warnings > 0 {
        text.push_str(&format!("; {}", count(warnings, "warning")));
    }
    style.renderer().render(&[Group::with_title(Level::ERROR.primary_title(text))]) + "\n"
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diag::{Note, Step};
    use crate::source::{LineBreaks, Origin, Source, SourceMap, Text};

    #[test]
    fn many_are_counted() {
        let all = vec![Diagnostic::error(Code::FILES_READ, "x"); 5];
        let text = report(&all, 2, Style::default());
        assert_eq!(text, "error[files::read]: x\n\nerror[files::read]: x\n\nand 3 more\n");
        assert_eq!(report(&all, 0, Style::default()), "and 5 more\n");
    }

    #[test]
    fn steps_that_no_place_shows_stand_at_the_end_once() {
        let sources = SourceMap::default();
        let id = sources.add(Source::new("a.yml", Text::Str("a: 1\n".into()), Origin::Memory, 0, LineBreaks::Yaml));
        let sources = Arc::new(sources);
        let problem = |message: &str, step: &str| {
            let mut problem = Diagnostic::error(Code::YAML_SYNTAX, message)
                .label_note(Span::new(id, 0, 1), Note::new(NoteKind::Found, "a"))
                .note(Note::new(NoteKind::From, "a.yml:1"))
                .context(Step::shown("Document on line a.yml:1"))
                .context(step);
            problem.parts_mut().sources = Some(sources.clone());
            problem
        };
        let all = [problem("x", "Overlaying"), problem("y", "Overlaying")];
        let expected = "\
error[yaml::syntax]: x
 --> a.yml:1:1
  |
1 | a: 1
  | ^ found: a

error[yaml::syntax]: y
 --> a.yml:1:1
  |
1 | a: 1
  | ^ found: a

note: Overlaying: from: a.yml:1
";
        assert_eq!(report(&all, 9, Style { steps: true, ..Style::default() }), expected);
    }

    #[cfg(feature = "codegen")]
    #[test]
    fn the_last_line_counts() {
        let line = |problems, shown, warnings| summary("render `a`", problems, shown, warnings, Style::default());
        assert_eq!(line(1, 1, 0), "error: could not render `a`: 1 problem\n");
        assert_eq!(line(2, 2, 1), "error: could not render `a`: 2 problems; 1 warning\n");
        let cut = "error: could not render `a`: 23 problems, of which 20 are shown (`--limit reports=23` shows all)\n";
        assert_eq!(line(23, 20, 0), cut);
    }
}
