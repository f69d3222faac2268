//! Text templates: text with code between `(@` and `@)`, in files and in strings of YAML. A `-` inside of a bracket takes
//! away the white space of the text beside it (`docs/templates.md#text-templates`).
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets are those of tags and parts of the text, which stands in a source below 2³¹ bytes"
)]

use super::input::{Input, Origin, trim_end, trim_start};
use super::skeleton::{Skeleton, Task};
use crate::diag::{Code, Diagnostic, Diagnostics, Label};
use crate::source::{SourceId, Span};

/// The function that adds a piece of text and the value behind it.
pub(super) const PRINT: &str = "__ytt_p";

/// A part of a text template, from `start` to `end` of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) is_code: bool,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Where the bytes of a template stand in the source.
#[derive(Debug)]
pub(super) enum Places<'a> {
    /// The text is a part of the source that begins here.
    Direct(u32),
    /// The text was decoded from a scalar: its lines of code are looked for in the scalar, one after the other.
    Decoded { scalar: &'a str, start: u32, found: usize, lost: bool },
}

impl Places<'_> {
    /// The place of a part of the text that is one line, and the part of it without white space around.
    fn origin(&mut self, text: &[u8], start: usize, end: usize, direct: fn(u32) -> Origin) -> Origin {
        match self {
            Places::Direct(at) => direct(*at + start as u32),
            Places::Decoded { scalar, start: at, found, lost } => {
                let line = &text[start..end];
                let core = trim_start(line);
                let cut = line.len() - core.len();
                let core = trim_end(core);
                let position = match *lost || core.is_empty() {
                    true => None,
                    false => scalar.get(*found..).and_then(|rest| rest.find(std::str::from_utf8(core).ok()?)),
                };
                match position {
                    Some(position) if *found + position >= cut => {
                        let offset = *found + position;
                        *found = offset + core.len();
                        direct(*at + (offset - cut) as u32)
                    }
                    _ => {
                        // from here on escapes would make every search one to the end
                        *lost |= !core.is_empty();
                        Origin::Loose(*at, *at + scalar.len() as u32)
                    }
                }
            }
        }
    }

    /// The place of a tag, for messages.
    fn offset(&self, at: usize) -> Option<u32> {
        match self {
            Places::Direct(start) => Some(*start + at as u32),
            Places::Decoded { .. } => None,
        }
    }
}

/// What is needed to say where a mistake is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// The place of the whole text.
    pub(super) span: Span,
    /// Line of the source in which the text begins.
    pub(super) line: u32,
}

/// Splits a text into text and code, in turn; an empty text is a part too. All mistakes are reported.
pub(super) fn split(text: &[u8], places: &Places<'_>, whole: Whole) -> Result<Vec<Part>, Diagnostics> {
    let mut parts = Vec::new();
    let mut mistakes =
        Mistakes { text, places, whole, counted: 0, line: whole.line, column: 1, tags: None, found: Vec::new() };
    let (mut is_code, mut start) = (false, 0);
    for at in 1..text.len() {
        let (before, here) = (text[at - 1], text[at]);
        if before == b'(' && here == b'@' {
            if is_code {
                mistakes.add("Unexpected code opening '(@'", at, "the next code opens here");
                mistakes.say_open(start - 2);
            } else {
                parts.push(Part { is_code, start, end: at - 1 });
            }
            (is_code, start) = (true, at + 1);
        } else if before == b'@' && here == b')' {
            // the `@` of `(@)` cannot close what it opens
            if !is_code || at - 1 < start {
                let label = "no code is open here: remove it, or open the code with `(@`";
                mistakes.add("Unexpected code closing '@)'", at, label);
                mistakes.say_sign(start, at - 1);
            } else {
                parts.push(Part { is_code, start, end: at - 1 });
            }
            (is_code, start) = (false, at + 1);
        }
    }
    if is_code && mistakes.found.is_empty() {
        mistakes.add("Missing code closing '@)'", text.len(), "the text ends here");
        mistakes.say_open(start - 2);
    }
    Diagnostics(mistakes.found).into_result()?;
    parts.push(Part { is_code, start, end: text.len() });
    Ok(parts)
}

/// The mistakes of a text, found from its start to its end: lines and columns are counted once.
struct Mistakes<'a> {
    text: &'a [u8],
    places: &'a Places<'a>,
    whole: Whole,
    /// Up to here the text was counted, with this line and column behind it.
    counted: usize,
    line: u32,
    column: u32,
    /// The tags of a decoded text with their places in the source, once they were looked for.
    tags: Option<Vec<(usize, u32)>>,
    found: Vec<Diagnostic>,
}

impl Mistakes<'_> {
    /// Adds the mistake of a tag whose second character is at `at`, with what is said of that place.
    fn add(&mut self, what: &str, at: usize, label: &str) {
        for &byte in &self.text[self.counted..at] {
            match byte {
                b'\n' => (self.line, self.column) = (self.line + 1, 1),
                // the rest of a character that has several bytes
                0x80..0xC0 => {}
                _ => self.column += 1,
            }
        }
        self.counted = at;
        let message = format!("{what} at line {} col {}", self.line, self.column);
        let whole = self.whole.span;
        let is_tag = at < self.text.len();
        let span = match (self.places.offset(at), is_tag) {
            (Some(offset), _) => Span::new(whole.source, offset.saturating_sub(1), offset + u32::from(is_tag)),
            (None, false) => Span::new(whole.source, whole.end, whole.end),
            (None, true) => match self.tag(at - 1) {
                Some(offset) => Span::new(whole.source, offset, offset + 2),
                None => whole,
            },
        };
        self.found.push(Diagnostic::error(Code::TEMPLATE_TEXT, message).label(span, label));
    }

    /// Says of the last mistake, a tag that closes nothing at `close`, that code seems to open in front of it as `(=`.
    fn say_sign(&mut self, from: usize, close: usize) {
        let Some(between) = self.text.get(from..close) else { return };
        let Some(open) = between.windows(2).rposition(|two| two == b"(=") else { return };
        let distance = (between.len() - open) as u32;
        if between.iter().skip(open).any(|byte| b"\n\"\\".contains(byte)) {
            return;
        }
        let Some(told) = self.found.pop() else { return };
        let start = told.parts().labels.first().and_then(|label| label.span.start.checked_sub(distance));
        // An escape in a scalar makes it longer than its text.
        let is_there = |at: &u32| match &self.places {
            Places::Direct(_) => true,
            Places::Decoded { scalar, start, .. } => at
                .checked_sub(*start)
                .and_then(|at| scalar.get(at as usize..))
                .is_some_and(|rest| rest.starts_with("(=")),
        };
        let start = start.filter(is_there);
        self.found.push(match start {
            Some(start) => {
                let place = Span::new(self.whole.span.source, start, start + 2);
                let told = told.relabel("no code is open here").label(place, "this opens no code");
                told.help_edit("open it with `(@=`", place, "(@=")
            }
            None => told,
        });
    }

    /// Where a tag stands in the source: those of a scalar come in the order of those of its text.
    fn tag(&mut self, at: usize) -> Option<u32> {
        let (scalar, start) = match self.places {
            Places::Direct(_) => return self.places.offset(at),
            Places::Decoded { scalar, start, .. } => (scalar, *start),
        };
        let text = self.text;
        let tags = self.tags.get_or_insert_with(|| {
            let tags = |text: &[u8]| -> Vec<usize> {
                let is_tag = |pair: &[u8]| pair == b"(@" || pair == b"@)";
                text.windows(2).enumerate().filter(|(_, pair)| is_tag(pair)).map(|(at, _)| at).collect()
            };
            let (here, there) = (tags(text), tags(scalar.as_bytes()));
            if here.len() != there.len() {
                return Vec::new();
            }
            here.into_iter().zip(there.into_iter().map(|at| start + at as u32)).collect()
        });
        let found = tags.binary_search_by_key(&at, |(tag, _)| *tag).ok()?;
        Some(tags[found].1)
    }

    /// Whether what follows a sign at `at` is written as text is: words that begin at once, and whose first one stands
    /// nowhere in front.
    fn is_prose(&self, words: &[u8], at: usize) -> bool {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./, ".contains(byte);
        let length = words.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let (first, rest) = words.split_at(length);
        let is_of_code = |word: &[u8]| {
            matches!(word, b"if" | b"for" | b"def" | b"elif" | b"else" | b"end" | b"load" | b"while")
                || WORDS.iter().any(|known| known.as_bytes() == word)
        };
        let before = self.text.get(..at).unwrap_or_default();
        let is_known = before.windows(first.len().max(1)).any(|part| part == first);
        !first.is_empty() && words.iter().all(is_part) && !is_of_code(first) && !is_known && !rest.ends_with(b" ")
    }

    /// Says of the last mistake that the code which begins at `at` is not closed, and where it ends.
    fn say_open(&mut self, at: usize) {
        // Each looks through the text, and nobody reads more of them.
        const TOLD: usize = 20;
        if self.found.len() > TOLD {
            return;
        }
        let (Some(opened), Some(mut mistake)) = (self.tag(at), self.found.pop()) else { return };
        let source = self.whole.span.source;
        let print = self.text[at + 2..].starts_with(b"=") || self.text[at + 2..].starts_with(b"-=");
        let width = if !print {
            2
        } else if self.text[at + 2] == b'=' {
            3
        } else {
            4
        };
        let label = Label {
            span: Span::new(source, opened, opened + width as u32),
            text: "opened here and not closed".to_owned(),
        };
        mistake.parts_mut().labels.insert(0, label);
        let code = &self.text[at + width..];
        let line = &code[..code.iter().position(|byte| *byte == b'\n').unwrap_or(code.len())];
        let next = line.windows(2).position(|pair| pair == b"(@").unwrap_or(line.len());
        let line = &line[..next];
        let end = match print {
            true => super::parse::expression_end(line),
            false => Some(super::parse::tokens_end(line)),
        };
        let close = match !print && self.text.windows(3).any(|tag| tag == b"-@)") {
            true => " -@)",
            false => " @)",
        };
        // `(@= name )`: the sign is forgotten, not the bracket.
        let bracket = end.and_then(|end| {
            let blanks = line[end..].iter().take_while(|byte| **byte == b' ').count();
            (line.get(end + blanks) == Some(&b')')).then_some(end + blanks + 1)
        });
        // Unless it closes one of the text.
        let is_open = self.text[..at].iter().rev().take_while(|byte| **byte != b'\n').any(|byte| *byte == b'(');
        // The same characters stand in the source, unless they are escaped there.
        let there = match self.places {
            Places::Direct(_) => true,
            Places::Decoded { scalar, start, .. } => {
                let from = (opened - start) as usize + width;
                bracket.or(end).is_some_and(|end| scalar.as_bytes().get(from..from + end) == Some(&line[..end]))
            }
        };
        // `(@` of something else, such as a pattern: there, or behind a word, stands what no code has.
        let behind = line.iter().find(|byte| !byte.is_ascii_alphanumeric() && **byte != b'_');
        let is_text = width == 2
            && behind.is_some_and(|byte| b"\\$?`;@".contains(byte))
            && matches!(self.places, Places::Direct(_));
        if is_text {
            let help = "`(@` opens code: to have it as text, write it as a value";
            self.found.push(mistake.help_edit(help, Span::new(source, opened, opened + 2), "(@= \"(@\" @)"));
            return;
        }
        // Words directly behind the sign, of which the first is no word of code and is named nowhere before: they are text.
        let words = bracket.filter(|_| width == 2 && there).and_then(|end| line.get(..end.saturating_sub(1)));
        if let Some(words) = words.filter(|words| self.is_prose(words, at))
            && matches!(self.places, Places::Direct(_))
        {
            let span = Span::new(source, opened, opened + (width + words.len() + 1) as u32);
            let new = format!("((@= \"@{}\" @))", String::from_utf8_lossy(words));
            let told = mistake.help_edit("`(@` opens code: if this is text, write it as a value", span, new);
            self.found.push(told.help("if it is code, close it with `@)`"));
            return;
        }
        self.found.push(match end.filter(|_| there) {
            Some(end) => {
                let at = |end: usize| opened + (width + end) as u32;
                let help = bracket.map_or("close the code where it ends", |_| "write `@)` for `)`");
                let told = mistake.help_edit(help, Span::new(source, at(end), at(bracket.unwrap_or(end))), close);
                if bracket.is_some() && is_open { told.guessing() } else { told }
            }
            None => mistake.help("write `@)` after the code"),
        });
    }
}

/// Where a piece stands that begins so many bytes behind an offset; the whole text where that is not known.
fn piece_place(offset: Option<u32>, cut: usize, length: usize, whole: Span) -> Span {
    let Some(offset) = offset else { return whole };
    let start = offset + cut as u32;
    Span { start, end: start + length as u32, ..whole }
}

/// Words that stand alone in a text and are no values.
const WORDS: [&str; 7] = ["break", "continue", "else", "end", "pass", "return", "try"];

/// Code that is a value and nothing else: it was probably meant to be printed.
pub(super) fn unprinted(text: &[u8], parts: &[Part], places: &Places<'_>, source: SourceId) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for part in parts.iter().filter(|part| part.is_code) {
        let inner = &text[part.start..part.end];
        let code = inner.strip_prefix(b"-").unwrap_or(inner);
        let core = trim_start(trim_end(code.strip_suffix(b"-").unwrap_or(code)));
        let is_path = core.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
            && core.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'[' | b']' | b'"'));
        let Some(word) = std::str::from_utf8(core).ok().filter(|word| is_path && !WORDS.contains(word)) else {
            continue;
        };
        let dash = inner.len() - code.len();
        let Some(at) = places.offset(part.start).map(|offset| offset + dash as u32) else { continue };
        let begin = at + (code.len() - trim_start(code).len()) as u32;
        let span = Span::new(source, begin, begin + core.len() as u32);
        found.push(
            Diagnostic::warning(Code::TEMPLATE_UNPRINTED, format!("`{word}` is not printed"))
                .label(span, "`(@ … @)` runs code, and prints nothing")
                .help_edit("to print the value, write `(@= … @)`", Span::new(source, at, at), "="),
        );
    }
    found
}

/// Adds the program of a text: its literal pieces and its code. The context must be open.
#[allow(
    clippy::unreachable,
    reason = "`split` makes text and code in turn, and a text in front of a print leaves its number"
)]
pub(super) fn compile(
    text: &[u8],
    parts: &[Part],
    mut places: Places<'_>,
    whole: Whole,
    input: &mut Input,
    skeleton: &mut Skeleton,
) {
    let content = |part: &Part| &text[part.start..part.end];
    let is_print = |part: &Part| content(part).starts_with(b"=") || content(part).starts_with(b"-=");
    // The literal piece in front of a value that is printed: one call takes both.
    let mut literal = None;
    for (index, part) in parts.iter().enumerate() {
        let place = match places.offset(part.start) {
            Some(offset) => (offset, offset + (part.end - part.start) as u32),
            None => (whole.span.start, whole.span.end),
        };
        let inner = content(part);
        if !part.is_code {
            let mut piece = inner;
            if index > 0 && content(&parts[index - 1]).ends_with(b"-") {
                piece = trim_start(piece);
            }
            let next = parts.get(index + 1);
            if next.is_some_and(|next| content(next).starts_with(b"-")) {
                piece = trim_end(piece);
            }
            let cut = inner.len() - trim_start(inner).len();
            let cut = if index > 0 && content(&parts[index - 1]).ends_with(b"-") { cut } else { 0 };
            let number = skeleton.piece(piece, piece_place(places.offset(part.start), cut, piece.len(), whole.span));
            if next.is_some_and(is_print) {
                literal = Some((number, place.0));
                continue;
            }
            input.task(skeleton, Task::Piece(number), place.0, place.0);
            continue;
        }
        let mut code = inner.strip_prefix(b"-=").unwrap_or(inner);
        code = code.strip_prefix(b"=").unwrap_or(code);
        code = code.strip_prefix(b"-").unwrap_or(code);
        let start = part.end - code.len();
        let code = code.strip_suffix(b"-").unwrap_or(code);
        if is_print(part) {
            let origin = places.origin(text, start, start + code.len(), Origin::Argument);
            // What the code gives is judged where the code stands, without the blanks around it.
            let place = match origin {
                Origin::Argument(at) => {
                    let (core, cut) = (trim_start(code), code.len() - trim_start(code).len());
                    (at + cut as u32, at + (cut + trim_end(core).len()) as u32)
                }
                _ => place,
            };
            let Some((number, at)) = literal.take() else { unreachable!("text and code take turns") };
            skeleton.pieces[number as usize].value = Some(Span { start: place.0, end: place.1, ..whole.span });
            // A bracket that is open before is met where the piece stands: see `Emitter::copy`.
            input.call_of((PRINT, at), &format!("(__i, {number}, ("), (code, origin), place.0, place.1);
            continue;
        }
        let mut at = start;
        for line in code.split(|byte| *byte == b'\n') {
            let origin = places.origin(text, at, at + line.len(), Origin::Code);
            input.line(line, origin);
            at += line.len() + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn values_that_nobody_prints_are_told() {
        let told = |text: &str| {
            let whole = Whole { span: Span::new(SourceId(0), 0, text.len() as u32), line: 1 };
            let parts = split(text.as_bytes(), &Places::Direct(0), whole).expect("it is a template");
            let found = unprinted(text.as_bytes(), &parts, &Places::Direct(0), SourceId(0));
            let help = |one: &Diagnostic| one.parts().helps[0].edit.clone().map(|(span, _)| span.start);
            found.iter().map(|one| (one.message().to_owned(), help(one))).collect::<Vec<_>>()
        };
        let value = |word: &str, at| (format!("`{word}` is not printed"), Some(at));
        assert_eq!(told("a (@ data.values.name @) b"), [value("data.values.name", 4)]);
        assert_eq!(told("(@- x[\"a\"] -@)"), [value("x[\"a\"]", 3)]);
        for text in [
            "(@= x @)",
            "(@-= x @)",
            "(@ end @)",
            "(@ x() @)",
            "(@ x = 1 @)",
            "(@ if x: @)(@ end @)",
            "(@ else: -@)",
            "(@ \n @)",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }

    fn parts(text: &str) -> Result<Vec<&str>, String> {
        let whole = Whole { span: Span::new(SourceId(0), 0, text.len() as u32), line: 1 };
        match split(text.as_bytes(), &Places::Direct(0), whole) {
            Ok(parts) => Ok(parts.iter().map(|part| &text[part.start..part.end]).collect()),
            Err(problems) => Err(problems.0.iter().map(Diagnostic::full_message).collect::<Vec<_>>().join("; ")),
        }
    }

    #[test]
    fn text_and_code_take_turns() {
        for (text, expected) in [
            ("", vec![""]),
            ("a", vec!["a"]),
            ("(@ x @)", vec!["", " x ", ""]),
            ("a(@=b@)(@c@)", vec!["a", "=b", "", "c", ""]),
            ("(((@=\"x\"@)))", vec!["((", "=\"x\"", "))"]),
            ("( @ @ ) \\", vec!["( @ @ ) \\"]),
            ("(@@)", vec!["", "", ""]),
        ] {
            assert_eq!(parts(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_of_tags_are_all_reported() {
        for (text, expected) in [
            ("a\nb (@ (@ x @)", "Unexpected code opening '(@' at line 2 col 7"),
            ("é@)", "Unexpected code closing '@)' at line 1 col 3"),
            ("x(@ y", "Missing code closing '@)' at line 1 col 6"),
            ("(@)", "Unexpected code closing '@)' at line 1 col 3"),
            (
                "é (@ (@ (@ é\n\n (@ ",
                "Unexpected code opening '(@' at line 1 col 7; Unexpected code opening '(@' at line 1 col 10; \
                 Unexpected code opening '(@' at line 3 col 3",
            ),
            ("@) @)", "Unexpected code closing '@)' at line 1 col 2; Unexpected code closing '@)' at line 1 col 5"),
        ] {
            assert_eq!(parts(text), Err(expected.to_string()), "{text}");
        }
    }
}
