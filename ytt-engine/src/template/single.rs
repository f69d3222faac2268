//! `if/end` over two items: it is about the next one alone, and the one behind it is there whatever the condition says.
//!
//! Nothing but names tells that both were meant: the word that the condition asks for stands in both items.
#![allow(clippy::arithmetic_side_effects, reason = "offsets are those of lines of a source")]

use crate::diag::{Code, Diagnostic};
use crate::source::{Source, SourceId, Span, replaced, to_u32};

const SUGAR: &str = "#@ if/end ";
/// Letters of a word that says something.
const LEAST: usize = 4;

/// A line of a file that is not empty.
struct Line<'a> {
    at: usize,
    text: &'a str,
    indent: usize,
    /// An empty line stands in front.
    is_apart: bool,
}

/// The warnings of a YAML template.
pub(super) fn warnings(source: &Source, id: SourceId) -> Vec<Diagnostic> {
    let Some(text) = source.text.as_str().filter(|text| text.contains(SUGAR)) else { return Vec::new() };
    let (mut lines, mut at, mut is_apart) = (Vec::new(), 0, false);
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end();
        if !line.is_empty() {
            lines.push(Line { at, text: line, indent: line.len() - line.trim_start().len(), is_apart });
        }
        is_apart = line.is_empty();
        at += whole.len();
    }
    (0..lines.len()).filter_map(|number| told(text, id, lines.get(number..)?)).collect()
}

/// What is told of the lines that begin with `if/end`.
fn told(text: &str, id: SourceId, lines: &[Line<'_>]) -> Option<Diagnostic> {
    let [head, first, ..] = lines else { return None };
    let condition = head.text.trim_start().strip_prefix(SUGAR)?.strip_suffix(':')?.trim();
    let is_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let word = condition.rsplit('.').next().filter(|_| condition.chars().all(is_path))?.to_lowercase();
    let is_item = |line: &Line<'_>| line.indent == head.indent && !line.text.trim_start().starts_with('#');
    let below = |from: usize| lines.get(from..)?.iter().position(|line| line.indent <= head.indent).map(|at| from + at);
    // A list may stand in the column of its key.
    let is_key = |line: &Line<'_>| !line.text.trim_start().starts_with("- ");
    if word.len() < LEAST || !is_item(first) || !is_key(first) {
        return None;
    }
    let number = below(2)?;
    let second = lines.get(number)?;
    let key = second.text.split(':').next()?;
    let is_second = is_item(second) && is_key(second) && !second.is_apart && has(key, &word);
    if !is_second || !has(first.text, &word) {
        return None;
    }
    let behind = below(number + 1).and_then(|next| lines.get(next));
    // What follows may be about the same.
    if behind.is_some_and(|line| {
        is_item(line) && is_key(line) && has(line.text.split(':').next().unwrap_or_default(), &word)
    }) {
        return None;
    }
    let span = |line: &Line<'_>, length: usize| {
        let start = to_u32(line.at + line.indent);
        Span::new(id, start, start.saturating_add(to_u32(length)))
    };
    let name = key.trim();
    let text_of = format!("`if/end` is about the next item alone: `{name}` is there whatever it says");
    let warning = Diagnostic::warning(Code::TEMPLATE_ONE_ITEM, text_of);
    let warning = warning.label(span(second, name.len()), "always there");
    let warning = warning.label(span(head, head.text.trim_start().len()), "decides about the item below it");
    let end = lines.iter().skip(number).take_while(|line| line.at == second.at || line.indent > head.indent).last()?;
    let end = text.get(end.at..)?.find('\n').map_or(text.len(), |length| end.at + length);
    let closed = format!("\n{}#@ end", " ".repeat(head.indent));
    let sugar = Span { start: to_u32(head.at + head.indent + "#@ if".len()), ..span(head, SUGAR.len() - 1) };
    let place = Span::new(id, to_u32(end), to_u32(end));
    let edit = replaced(text, [(sugar, ""), (place, closed.as_str())])?;
    let help = "if it is meant for both, let the block go on to an `end` of its own";
    Some(warning.help_edit(help, edit.0, edit.1).guessing())
}

/// Does a line have a word, or a name that it is a part of?
fn has(line: &str, word: &str) -> bool {
    let line = line.to_lowercase().replace('-', "_");
    line.match_indices(word).any(|(at, _)| {
        let (before, behind) = (line.get(..at).unwrap_or_default(), line.get(at + word.len()..).unwrap_or_default());
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use crate::Project;

    #[test]
    fn two_items_that_speak_of_the_condition_are_told() {
        let told = |lines: &str| {
            let code = format!("#@ debug = False\na:\n{lines}  z: 1\n");
            let rendered = Project::new().file("a.yml", code).render().unwrap_or_else(|error| panic!("{error}"));
            let warnings = rendered.warnings().iter().map(|warning| warning.code().as_str().to_owned());
            warnings.collect::<Vec<_>>()
        };
        let one = ["template::one-item"];
        assert_eq!(told("  #@ if/end debug:\n  level: debug\n  is_debug: 1\n"), one);
        assert_eq!(told("  #@ if/end debug:\n  debug:\n    b: 1\n  debug-port: 1\n"), one);
        for lines in [
            "  #@ if/end debug:\n  level: debug\n",
            "  #@ if/end debug:\n  level: debug\n  debugger: 1\n",
            "  #@ if/end debug:\n  level: 1\n  is_debug: 1\n",
            "  #@ if/end debug:\n  level: debug\n\n  is_debug: 1\n",
            "  #@ if/end not debug:\n  level: debug\n  is_debug: 1\n",
            "  #@ if/end debug:\n  level: debug\n  #@ if/end debug:\n  is_debug: 1\n",
        ] {
            assert_eq!(told(lines), <[&str; 0]>::default(), "{lines}");
        }
    }
}
