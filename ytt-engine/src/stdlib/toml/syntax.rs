//! A TOML text to events and scalars: the crate `toml_parser`, less what TOML 1.1 allows beyond 1.0.
//!
//! Compat: lines of a `"""` string are joined as the reference does it, see [`join_lines`].

use std::borrow::Cow;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{Expected, ParseError, Raw, Source, Span};

use crate::quoted;

/// What is wrong, and the offset it concerns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) at: usize,
    /// The text is nested too deeply, which is a limit and no mistake.
    pub(super) too_deep: bool,
}

impl Fault {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { message: message.into(), at, too_deep: false }
    }

    /// The fault with its line in the text and the key whose value was being read, as the reference words it.
    pub(super) fn told(self, text: &[u8], key: &str) -> Fault {
        let line = text.get(..self.at).unwrap_or(text).split(|byte| *byte == b'\n').count();
        let key = if key.is_empty() { String::new() } else { format!(" (last key {})", quoted::go(key.as_bytes())) };
        Fault { message: format!("toml: line {line}{key}: {}", self.message), ..self }
    }
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Fault {
        let mut message = error.description().to_owned();
        for (index, expected) in error.expected().unwrap_or_default().iter().enumerate() {
            message.push_str(if index == 0 { ", expected " } else { ", " });
            match expected {
                Expected::Literal("\n") => message.push_str("line break"),
                Expected::Literal(text) => message.extend(["`", text, "`"]),
                Expected::Description(text) => message.push_str(text),
                _ => {}
            }
        }
        Fault::new(error.unexpected().or(error.context()).map_or(0, |span| span.start()), message)
    }
}

pub(super) type Attempt<T> = Result<T, Fault>;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// A date or time, by its offset: code has no value for it.
    Date(usize),
}

/// What a text is made of, without blanks, comments and the points of keys.
#[derive(Debug)]
pub(super) struct Events<'a> {
    source: Source<'a>,
    events: std::vec::IntoIter<Event>,
    /// The first mistake in the grammar; events from there on mean nothing.
    wrong: Option<Fault>,
}

impl<'a> Events<'a> {
    /// The events of a text, whose collections end at the limit of depth.
    pub(super) fn new(text: &'a str, depth: u32) -> Events<'a> {
        let (source, mut events, mut wrong) = (Source::new(text), Vec::new(), None);
        let mut collect = |event: Event| {
            if !matches!(event.kind(), EventKind::Whitespace | EventKind::Comment | EventKind::KeySep) {
                events.push(event);
            }
        };
        // Whoever takes the events counts as well and stops one level earlier.
        let mut guard = RecursionGuard::new(&mut collect, depth.saturating_add(1));
        let mut receiver = ValidateWhitespace::new(&mut guard, source);
        parse_document(&source.lex().into_vec(), &mut receiver, &mut wrong);
        Events { source, events: events.into_iter(), wrong: wrong.map(Fault::from) }
    }

    /// The next event; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Attempt<Option<Event>> {
        let event = self.events.next();
        match &self.wrong {
            Some(wrong) if event.is_none_or(|event| wrong.at <= event.span().start()) => Err(wrong.clone()),
            _ => Ok(event),
        }
    }

    /// The next event, where the text cannot end.
    pub(super) fn expect(&mut self) -> Attempt<Event> {
        self.next()?.ok_or_else(|| Fault::new(self.source.input().len(), "unexpected EOF"))
    }

    /// One part of a key.
    pub(super) fn key(&self, event: Event) -> Attempt<String> {
        let (mut key, mut wrong) = (Cow::Borrowed(""), None);
        self.raw(event)?.decode_key(&mut key, &mut wrong);
        wrong.map_or_else(|| Ok(key.into_owned()), |wrong| Err(wrong.into()))
    }

    pub(super) fn scalar(&self, event: Event) -> Attempt<Scalar> {
        let at = event.span().start();
        if event.span().is_empty() {
            let found = self.source.input().get(at..).and_then(|rest| rest.chars().next());
            let found = found.map_or_else(|| "end of file".to_owned(), quoted::go_char);
            return Err(Fault::new(at, format!("expected value but found {found} instead")));
        }
        let raw = self.raw(event)?;
        let (mut text, mut wrong) = (Cow::Borrowed(""), None);
        let kind = raw.decode_scalar(&mut text, &mut wrong);
        if let Some(wrong) = wrong {
            return Err(wrong.into());
        }
        match kind {
            ScalarKind::Boolean(flag) => Ok(Scalar::Bool(flag)),
            ScalarKind::Integer(radix) => match i64::from_str_radix(&text, radix.value()) {
                Ok(number) => Ok(Scalar::Int(number)),
                Err(_) => Err(Fault::new(at, format!("{} is out of range for int64", raw.as_str()))),
            },
            ScalarKind::Float => match text.parse::<f64>() {
                Ok(number) if number.is_finite() || text.ends_with(['f', 'n']) => Ok(Scalar::Float(number)),
                _ => Err(Fault::new(at, format!("{} is out of range for float64", raw.as_str()))),
            },
            ScalarKind::DateTime => Ok(Scalar::Date(at)),
            ScalarKind::String if event.encoding() == Some(Encoding::MlBasicString) => {
                Ok(Scalar::Text(multi_line(raw)))
            }
            ScalarKind::String => Ok(Scalar::Text(text.into_owned())),
        }
    }

    fn raw(&self, event: Event) -> Attempt<Raw<'a>> {
        let at = event.span().start();
        let raw = self.source.get(event).ok_or_else(|| Fault::new(at, "unexpected EOF"))?;
        let basic = matches!(event.encoding(), Some(Encoding::BasicString | Encoding::MlBasicString));
        match wrong_escape(raw.as_str()).filter(|_| basic) {
            Some((place, kind)) => {
                Err(Fault::new(at.saturating_add(place), format!("invalid escape in string '\\{kind}'")))
            }
            None => Ok(raw),
        }
    }
}

const QUOTES: &str = "\"\"\"";

/// The first escape that TOML 1.0 does not have; blanks and line breaks follow a backslash that joins lines.
fn wrong_escape(text: &str) -> Option<(usize, char)> {
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == '\\' {
            let (_, kind) = characters.next()?;
            if !"btnfr\"\\uU \t\r\n".contains(kind) {
                return Some((at, kind));
            }
        }
    }
    None
}

/// The text of a `"""` string that is well formed.
fn multi_line(raw: Raw<'_>) -> String {
    let content = raw.as_str().strip_prefix(QUOTES).and_then(|rest| rest.strip_suffix(QUOTES)).unwrap_or_default();
    let joined = format!("{QUOTES}{}{QUOTES}", join_lines(content));
    let raw = Raw::new_unchecked(&joined, Some(Encoding::MlBasicString), Span::default());
    let mut text = String::new();
    let _ = raw.decode_scalar(&mut text, &mut ());
    text
}

/// Joins lines that end in a backslash.
///
/// Compat: once a line was joined, later line breaks are lost until a line ends in an even number of backslashes; such a
/// line gets a break behind it, even if it is the last.
fn join_lines(text: &str) -> String {
    const BLANKS: [char; 3] = [' ', '\t', '\r'];
    let (mut out, mut joined, mut trims_next) = (String::with_capacity(text.len()), false, false);
    for whole in text.split_inclusive('\n') {
        let (mut line, line_end) = whole.strip_suffix('\n').map_or((whole, ""), |line| (line, "\n"));
        if trims_next {
            line = line.trim_start_matches(BLANKS);
        }
        let mut trimmed = line.trim_end_matches(BLANKS);
        let backslashes = trimmed.bytes().rev().take_while(|byte| *byte == b'\\').count();
        trims_next = backslashes % 2 == 1;
        if trims_next {
            if joined {
                trimmed = trimmed.trim_start_matches(BLANKS);
            }
            joined = true;
            out.push_str(trimmed.strip_suffix('\\').unwrap_or(trimmed));
        } else if backslashes > 0 {
            joined = false;
            out.extend([line, "\n"]);
        } else {
            out.push_str(line.trim_end_matches('\r'));
            out.push_str(if joined { "" } else { line_end });
        }
    }
    out
}
