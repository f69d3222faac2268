//! Where in code the words of a message stand: the arguments of a call or annotation, a keyword, a part of a text.
//!
//! Problems are raised with values, which have no places. The text of the call is read once more when one is told, so
//! that the word to change is marked instead of the whole call. What is not found, or is there twice, is not marked.

use std::ops::Range;

use crate::source::{SourceMap, Span};

/// An argument as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) name: Option<Span>,
    pub(crate) value: Span,
}

impl Argument {
    /// Name and value.
    pub(crate) fn whole(&self) -> Span {
        Span { start: self.name.map_or(self.value.start, |name| name.start), ..self.value }
    }
}

/// The arguments that a list of arguments holds, which `list` spans without its brackets.
pub(crate) fn arguments(sources: &SourceMap, list: Span) -> Vec<Argument> {
    let source = sources.get(list.source);
    let Some(text) = text(source.text.as_str(), list) else { return Vec::new() };
    let at =
        |range: Range<usize>| Span::new(list.source, list.start + range.start as u32, list.start + range.end as u32);
    let split = split(&tokens(text)).into_iter();
    split.map(|(name, value)| Argument { name: name.map(at), value: at(value) }).collect()
}

/// The keyword argument of that name in such a list.
pub(crate) fn named(sources: &SourceMap, list: Span, name: &str) -> Option<Argument> {
    let source = sources.get(list.source);
    let written = |argument: &Argument| argument.name.and_then(|span| text(source.text.as_str(), span)) == Some(name);
    arguments(sources, list).into_iter().find(written)
}

/// The elements of a tuple, list or dict that is written out, with brackets around it.
pub(crate) fn elements(sources: &SourceMap, value: Span) -> Vec<Argument> {
    let source = sources.get(value.source);
    let tokens = text(source.text.as_str(), value).map(tokens).unwrap_or_default();
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return Vec::new() };
    match (first.0, group(&tokens)) {
        (Mark::Open, Some(0)) => {
            let inner = Span::new(value.source, value.start + first.1.end as u32, value.start + last.1.start as u32);
            arguments(sources, inner)
        }
        _ => Vec::new(),
    }
}

/// A step down into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// An entry of a dict, or an element of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Without its quotes.
    pub(crate) key: Option<Span>,
    pub(crate) value: Span,
}

/// The arguments of the call that `code` ends with.
fn call_arguments(sources: &SourceMap, code: Span) -> Vec<Argument> {
    let source = sources.get(code.source);
    let tokens = text(source.text.as_str(), code).map(tokens).unwrap_or_default();
    let Some(open) = group(&tokens) else { return Vec::new() };
    let (from, to) = (tokens[open].1.end, tokens[tokens.len() - 1].1.start);
    arguments(sources, Span::new(code.source, code.start + from as u32, code.start + to as u32))
}

/// The first argument that a call gives without a name; the call, if it is not found.
pub(crate) fn first_argument(sources: &SourceMap, call: Span) -> Span {
    let arguments = call_arguments(sources, call);
    arguments.iter().find(|argument| argument.name.is_none()).map_or(call, |argument| argument.value)
}

/// Where a path leads in a value that is written out, as far as it is.
pub(crate) fn within(sources: &SourceMap, value: Span, path: &[Step<'_>]) -> Option<Entry> {
    let mut found = Entry { key: None, value };
    for step in path {
        found = match *step {
            Step::Index(number) => Entry { key: None, value: elements(sources, found.value).get(number)?.value },
            Step::Key(key) => entry(sources, found.value, key)?,
        };
    }
    Some(found)
}

/// The entry of a dict that is written out.
fn entry(sources: &SourceMap, dict: Span, key: &str) -> Option<Entry> {
    let source = sources.get(dict.source);
    let whole = source.text.as_str()?;
    elements(sources, dict).into_iter().find_map(|element| {
        let tokens = tokens(text(Some(whole), element.value)?);
        let [(Mark::Text, written), (Mark::Colon, _), (_, first), ..] = &tokens[..] else { return None };
        let at = |range: Range<usize>| {
            let start = element.value.start;
            Span::new(dict.source, start + range.start as u32, start + range.end as u32)
        };
        let written = at(inside(text(Some(whole), element.value)?, written));
        let value = at(first.start..tokens.last()?.1.end);
        (text(Some(whole), written)? == key).then_some(Entry { key: Some(written), value })
    })
}

/// Where a word stands in the strings of the call that `code` ends with, if it is there once.
pub(crate) fn find(sources: &SourceMap, code: Span, word: &str) -> Option<Span> {
    let source = sources.get(code.source);
    let whole = text(source.text.as_str(), code)?;
    let tokens = tokens(whole);
    let list = match group(&tokens) {
        Some(open) => &tokens[open + 1..tokens.len() - 1],
        None => &tokens[..],
    };
    let texts = list.iter().filter(|token| token.0 == Mark::Text);
    let found: Vec<Range<usize>> = texts.flat_map(|(_, range)| words(whole, inside(whole, range), word)).collect();
    let [found] = &found[..] else { return None };
    Some(Span::new(code.source, code.start + found.start as u32, code.start + found.end as u32))
}

fn text(text: Option<&str>, span: Span) -> Option<&str> {
    text?.get(span.start as usize..span.end as usize)
}

/// Where a word stands in a part of a text, with nothing around it that could belong to it.
fn words(whole: &str, part: Range<usize>, word: &str) -> Vec<Range<usize>> {
    let text = &whole[part.clone()];
    let belongs = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let mut found = Vec::new();
    if !word.is_empty() {
        for (at, _) in text.match_indices(word) {
            let (before, after) = (&text[..at], &text[at + word.len()..]);
            if !before.ends_with(belongs) && !after.starts_with(belongs) {
                found.push(part.start + at..part.start + at + word.len());
            }
        }
    }
    found
}

/// What stands between the quotes of a string.
fn inside(text: &str, range: &Range<usize>) -> Range<usize> {
    let written = &text[range.clone()];
    let quotes =
        if written.len() >= 6 && (written.starts_with("\"\"\"") || written.starts_with("'''")) { 3 } else { 1 };
    (range.start + quotes).min(range.end)..range.end.saturating_sub(quotes).max((range.start + quotes).min(range.end))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Open,
    Close,
    Comma,
    Colon,
    Assign,
    Lambda,
    Name,
    /// A string with its quotes.
    Text,
    Other,
}

type Token = (Mark, Range<usize>);

fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let (mark, length) = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => (None, 1),
            // Of a template the lines of an expression begin with this.
            b'#' if bytes.get(at + 1) == Some(&b'@') => (None, 2),
            b'#' => (None, bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at)),
            b'"' | b'\'' => (Some(Mark::Text), string_length(&bytes[at..])),
            b'(' | b'[' | b'{' => (Some(Mark::Open), 1),
            b')' | b']' | b'}' => (Some(Mark::Close), 1),
            b',' => (Some(Mark::Comma), 1),
            b':' => (Some(Mark::Colon), 1),
            b'=' | b'!' | b'<' | b'>' if bytes.get(at + 1) == Some(&b'=') => (Some(Mark::Other), 2),
            b'=' => (Some(Mark::Assign), 1),
            _ if is_name(&byte) => {
                let length = bytes[at..].iter().position(|byte| !is_name(byte)).unwrap_or(bytes.len() - at);
                (Some(if &bytes[at..at + length] == b"lambda" { Mark::Lambda } else { Mark::Name }), length)
            }
            _ => (Some(Mark::Other), 1),
        };
        found.extend(mark.map(|mark| (mark, at..at + length)));
        at += length;
    }
    found
}

/// Length of the string that a text begins with, to its end where it is not closed.
fn string_length(bytes: &[u8]) -> usize {
    let quote = bytes[0];
    let quotes = if bytes.starts_with(&[quote; 3]) { 3 } else { 1 };
    let mut at = quotes;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 1;
        } else if bytes[at] == quote && bytes[at..].starts_with(&[quote; 3][..quotes]) {
            return at + quotes;
        }
        at += 1;
    }
    bytes.len()
}

/// Number of the token that opens the brackets which the last token closes.
fn group(tokens: &[Token]) -> Option<usize> {
    tokens.last().filter(|last| last.0 == Mark::Close)?;
    let mut depth = 0_usize;
    tokens.iter().rposition(|(mark, _)| {
        match mark {
            Mark::Close => depth += 1,
            Mark::Open => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Splits at commas that are not inside of brackets or the parameters of a lambda.
fn split(tokens: &[Token]) -> Vec<(Option<Range<usize>>, Range<usize>)> {
    let (mut found, mut start, mut depth, mut lambda) = (Vec::new(), 0, 0_usize, false);
    for at in 0..=tokens.len() {
        match tokens.get(at).map(|token| token.0) {
            Some(Mark::Open) => depth += 1,
            Some(Mark::Close) => depth = depth.saturating_sub(1),
            Some(Mark::Lambda) if depth == 0 => lambda = true,
            Some(Mark::Colon) if depth == 0 => lambda = false,
            None => found.extend(argument(&tokens[start..])),
            Some(Mark::Comma) if depth == 0 && !lambda => {
                found.extend(argument(&tokens[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

fn argument(tokens: &[Token]) -> Option<(Option<Range<usize>>, Range<usize>)> {
    let (name, value) = match tokens {
        [(Mark::Name, name), (Mark::Assign, _), value @ ..] => (Some(name.clone()), value),
        value => (None, value),
    };
    match (value, &name) {
        ([(_, first), .., (_, last)], _) => Some((name, first.start..last.end)),
        ([(_, only)], _) => Some((name, only.clone())),
        ([], Some(bare)) => Some((Some(bare.clone()), bare.end..bare.end)),
        ([], None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, Source, SourceId, Text};

    fn source(text: &str) -> (SourceMap, Span) {
        let sources = SourceMap::default();
        sources.add(Source::new("a", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml));
        (sources, Span::new(SourceId(0), 0, text.len() as u32))
    }

    #[test]
    fn arguments_are_split() {
        for (text, expected) in [
            ("", &[][..]),
            ("by=f(a, b), expects=2", &["by:f(a, b)", "expects:2"]),
            ("lambda i, l, r: l == \",\" , when=1", &[":lambda i, l, r: l == \",\"", "when:1"]),
            ("a=\"\\\",\", b={1: 2, 3: 4}", &["a:\"\\\",\"", "b:{1: 2, 3: 4}"]),
            ("'''a', ''', #! no, comment\n x == 1", &[":'''a', '''", ":x == 1"]),
            ("\n#@  a=1,\n#@ b", &["a:1", ":b"]),
            ("(", &[":("]),
            ("a=", &["a:"]),
        ] {
            let (sources, whole) = source(text);
            let part = |span: Span| text[span.start as usize..span.end as usize].to_owned();
            let found: Vec<String> = arguments(&sources, whole)
                .into_iter()
                .map(|argument| format!("{}:{}", argument.name.map(part).unwrap_or_default(), part(argument.value)))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
        let (sources, whole) = source("when=1, by==2, f(by=3), by = 4");
        let by = named(&sources, whole, "by").expect("it is written there");
        assert_eq!((by.whole().start, by.value.start), (24, 29));
        assert_eq!(named(&sources, whole, "f"), None);
    }

    #[test]
    fn elements_are_those_of_the_outer_brackets() {
        for (text, count) in [("(\"a\", 80)", 2), ("[1, (2, 3), 4]", 3), ("(1, 2) + (3,)", 0), ("f(1, 2)", 0), (")", 0)]
        {
            let (sources, whole) = source(text);
            assert_eq!(elements(&sources, whole).len(), count, "{text}");
        }
    }

    #[test]
    fn paths_lead_into_dicts_and_lists() {
        use Step::{Index, Key};
        let text = "f(x).g({\"a\": [1, {'b': 2}],\n#@  \"c\": lambda x: {1: 2}, d: 3}, plain=True)";
        let (sources, whole) = source(text);
        let [values, plain] = &call_arguments(&sources, whole)[..] else { panic!("two arguments") };
        assert_eq!(plain.name.map(|name| name.end - name.start), Some(5));
        for (path, expected) in [
            (&[][..], Some((None, "{\"a\""))),
            (&[Key("a"), Index(1), Key("b")], Some((Some("b"), "2"))),
            (&[Key("c")], Some((Some("c"), "lambda x: {1: 2}"))),
            (&[Key("d")], None),
            (&[Key("a"), Key("b")], None),
            (&[Index(9)], None),
        ] {
            let found = within(&sources, values.value, path);
            let part = |span: Span| &text[span.start as usize..span.end as usize];
            let found = found.map(|found| (found.key.map(part), part(found.value)));
            assert_eq!(found.map(|found| found.0), expected.map(|expected| expected.0), "{path:?}");
            assert!(found.is_none_or(|found| expected.is_some_and(|expected| found.1.starts_with(expected.1))));
        }
    }

    #[test]
    fn words_are_found_if_they_are_there_once() {
        for (text, word, expected) in [
            ("get(\"db\").export(\"db\")", "db", Some(18)),
            ("f(\"a\", \"a\")", "a", None),
            ("load(\"@lib:a/b.star\", \"lib\")", "a/b.star", Some(11)),
            ("f(\"a-b\")", "b", None),
            ("f({\"a\": {'b': 1}})", "b", Some(10)),
            ("\"k\" + x", "k", Some(1)),
            ("f(\"", "", None),
        ] {
            let (sources, whole) = source(text);
            assert_eq!(find(&sources, whole, word).map(|span| span.start), expected, "{text}");
        }
    }
}
