//! Comments that allow lints: `#! ytt: allow overlay::no-effect` above an item, for all in it, or as the first lines of a
//! file with an empty line below, for the whole file.
//!
//! They are looked for when there is something to tell, in the lines around it, so they cost nothing otherwise.

use super::Diagnostic;
use crate::lints;
use crate::source::{Source, SourceMap};

const MARK: &str = "ytt: allow ";

/// The names in a comment, which is without its `#`, with their offsets in it; nothing if it allows nothing.
#[allow(clippy::arithmetic_side_effects, reason = "each name is a part of the comment, so it begins behind its start")]
pub(crate) fn names(comment: &str) -> impl Iterator<Item = (usize, &str)> {
    let list = comment.strip_prefix('!').map(str::trim_start).and_then(|rest| rest.strip_prefix(MARK));
    let offset = move |part: &str| part.as_ptr() as usize - comment.as_ptr() as usize;
    let names = list.into_iter().flat_map(|list| list.split(',')).map(str::trim).filter(|name| !name.is_empty());
    names.map(move |name| (offset(name), name))
}

/// Is a warning allowed by a comment of its file?
pub(crate) fn is_allowed(diagnostic: &Diagnostic, sources: &SourceMap) -> bool {
    let parts = diagnostic.parts();
    let Some(label) = parts.labels.first() else { return false };
    let source = sources.get(label.span.source);
    let bytes = source.text.as_bytes();
    let (mark, code) = (MARK.trim_end().as_bytes(), parts.code.as_str());
    bytes.windows(mark.len()).any(|part| part == mark)
        && (of_file(&source, code) || of_items(&source, source.line(label.span.start), code))
}

fn of_file(source: &Source, code: &str) -> bool {
    let mut found = false;
    for line in 1.. {
        let text = source.line_text(line);
        match comment(&text) {
            Some(comment) => found |= allows(comment, code),
            None => return found && text.trim().is_empty(),
        }
    }
    false
}

/// Does a comment allow it that stands above the item of a line, or above one that holds it?
#[allow(clippy::arithmetic_side_effects, reason = "behind the last line there is no comment")]
fn of_items(source: &Source, line: u32, code: &str) -> bool {
    let text = |line: u32| source.line_text(line);
    let mut item = line;
    // An annotation belongs to the item below it.
    while comment(&text(item)).is_some() {
        item += 1;
    }
    let mut inner = Place::of(&text(item));
    let mut below_item = true;
    for line in (1..item).rev() {
        let text = text(line);
        if let Some(comment) = comment(&text) {
            if below_item && allows(comment, code) {
                return true;
            }
            continue;
        }
        let outer = Place::of(&text);
        // What stands between belongs to neighbours, and so do the comments above it.
        below_item = !text.trim().is_empty() && outer.holds(inner);
        if below_item {
            inner = outer;
        }
        if outer == Place::Document {
            // Comments directly above the line that begins a document are the document's.
            return (1..line)
                .rev()
                .map(|line| source.line_text(line))
                .map_while(|text| comment(&text).map(|comment| allows(comment, code)))
                .any(|allowed| allowed);
        }
    }
    false
}

/// Where an item stands, as far as its line says it.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Item {
        indent: usize,
        is_dash: bool,
    },
    /// `---`
    Document,
}

impl Place {
    fn of(line: &str) -> Place {
        if line.starts_with("---") {
            return Place::Document;
        }
        let text = line.trim_start();
        let indent = line.len().saturating_sub(text.len());
        Place::Item { indent, is_dash: text == "-" || text.starts_with("- ") }
    }

    fn holds(self, inner: Place) -> bool {
        match (self, inner) {
            (Place::Document, Place::Item { .. }) => true,
            (Place::Item { indent, is_dash }, Place::Item { indent: below, is_dash: dash }) => {
                indent < below || indent == below && dash && !is_dash
            }
            _ => false,
        }
    }
}

/// The comment that a line is, without its `#`.
fn comment(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('#')
}

fn allows(comment: &str, code: &str) -> bool {
    names(comment).any(|(_, name)| lints::means(name, code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;
    use crate::source::{LineBreaks, Origin, Span, Text};

    /// Is a warning allowed at the first `X` of a text?
    fn check(text: &str, expected: bool) {
        let sources = SourceMap::default();
        let breaks = LineBreaks::Yaml;
        let source = sources.add(Source::new("a.yml", Text::Str(text.into()), Origin::Memory, 0, breaks));
        let at = text.find('X').unwrap() as u32;
        let warning = Diagnostic::warning(Code::OVERLAY_AGAIN, "").label(Span::new(source, at, at + 1), "");
        assert_eq!(is_allowed(&warning, &sources), expected, "{text}");
    }

    #[test]
    fn a_comment_holds_for_what_it_stands_above() {
        const ALLOW: &str = "#! ytt: allow yaml::*, overlay::again\n";
        for (text, expected) in [
            ("X: 1\n", false),
            ("%X: 1\n", true),
            ("%#@a/b\nX: 1\n", true),
            ("#@a/b\n%X: 1\n", true),
            ("%#@a/X\nb: 1\n", true),
            ("#@a/X\n%b: 1\n", true),
            ("%a: 1\nX: 1\n", false),
            ("%a:\n  b: 1\n  X: 1\n", true),
            ("a:\n%  b: 1\n  X: 1\n", false),
            ("%a:\n- b: 1\n  X: 1\n", true),
            ("a:\n%- b: 1\n  X: 1\n- c\n", true),
            ("a:\n%- b: 1\n- X: 1\n", false),
            ("%---\na:\n  X: 1\n", true),
            ("%#@a/b\n---\nX: 1\n", true),
            ("%---\na: 1\n---\nX: 1\n", false),
            ("%\na: 1\n---\nX: 1\n", true),
            ("\n%\na: 1\nX: 1\n", false),
        ] {
            check(&text.replace('%', ALLOW), expected);
        }
        check("#! ytt: allow overlay::second-item\nX: 1\n", false);
        check("#! ytt: allow all\nX: 1\n", true);
    }
}
