//! Trees as JSON text: the output `-o json` and the functions of `@ytt:json`; the reader is in `read`.

mod keys;
mod read;

use crate::diag::{Code, Diagnostic, Fact};
use crate::quoted::{self, Json};
use crate::source::{SourceMap, Span};
use crate::times::Phase;
use crate::yaml::view::{self, Entries, Guard, View};
use crate::yaml::{Arena, NodeId, Val, number};

pub(crate) use read::{Make, place, read, read_into};

/// Prints documents one behind the other, with nothing between them; those that are null or an empty map or array node
/// are left out.
///
/// Compat: a document with a float that JSON cannot hold is left out, too; `warnings` gets one for each.
pub(crate) fn documents(
    arena: &Arena,
    sources: &SourceMap,
    documents: &[NodeId],
    limit: u64,
    warnings: &mut Vec<Diagnostic>,
) -> Result<String, Diagnostic> {
    let mut printer = Printer::new(arena, 0, true, limit);
    for &document in documents {
        if arena.is_empty_document(document) {
            continue;
        }
        let (start, span) = (printer.out.len(), arena.span_of(document));
        let _lap = span.and_then(|span| sources.lap(span.source, Phase::Printing));
        if let Err(stop) = printer.print(arena.value(document), span) {
            match stop {
                Stop::NotFinite(text, span) => {
                    printer.out.truncate(start);
                    warnings.push(
                        Diagnostic::warning(
                            Code::JSON_NOT_FINITE,
                            format!("JSON cannot hold {text}: the document is left out"),
                        )
                        .at(span),
                    );
                }
                Stop::Error(error) => return Err(error),
            }
        }
    }
    Ok(printer.out)
}

/// Prints one value, without a final line end. `indent` is the number of spaces of a level, `None` or 0 for one line.
pub(crate) fn value(
    arena: &Arena,
    value: Val,
    indent: Option<usize>,
    escape_html: bool,
    limit: u64,
) -> Result<String, Diagnostic> {
    let mut printer = Printer::new(arena, indent.unwrap_or(0), escape_html, limit);
    match printer.print(value, None) {
        Ok(()) => Ok(printer.out),
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::NotFinite(text, span)) => {
            Err(Diagnostic::error(Code::JSON_NOT_FINITE, format!("json: unsupported value: {text}")).at(span))
        }
    }
}

/// Why a document has no text.
enum Stop {
    /// NaN or an infinity, in Go's spelling, and nothing worse.
    NotFinite(&'static str, Option<Span>),
    Error(Diagnostic),
}

impl From<Diagnostic> for Stop {
    fn from(error: Diagnostic) -> Stop {
        Stop::Error(error)
    }
}

/// Bytes that are asked for at once.
const SHORT: usize = 256;

struct Printer<'a> {
    arena: &'a Arena,
    out: String,
    /// Spaces of a level; 0 prints one line.
    indent: usize,
    escapes: Json,
    guard: Guard,
    /// The first float of this value that JSON cannot hold. The walk goes on: a wrong key behind it is an error.
    not_finite: Option<(&'static str, Option<Span>)>,
}

/// A collection that is being printed.
struct Frame<'a> {
    members: Members<'a>,
    next: usize,
    span: Option<Span>,
}

/// A key with its value and place.
type Member<'a> = (&'a [u8], (Val, Option<Span>));

enum Members<'a> {
    /// Sorted by the bytes of the keys.
    Map(Vec<Member<'a>>),
    Array(Entries<'a>),
}

impl<'a> Printer<'a> {
    fn new(arena: &'a Arena, indent: usize, escape_html: bool, limit: u64) -> Printer<'a> {
        let guard = Guard { depth: arena.depth(), limit };
        let escapes = if escape_html { Json::Html } else { Json::Plain };
        // most texts are as short as that, and to grow to it costs more than their values
        let out = String::with_capacity(SHORT);
        Printer { arena, out, indent, escapes, guard, not_finite: None }
    }

    fn print(&mut self, value: Val, span: Option<Span>) -> Result<(), Stop> {
        let mut open: Vec<Frame<'a>> = Vec::new();
        self.value(value, span, &mut open)?;
        while let Some(frame) = open.last_mut() {
            self.guard.check_length(self.out.len(), frame.span)?;
            let first = frame.next == 0;
            let (key, value, span, close) = match &frame.members {
                Members::Map(members) => match members.get(frame.next) {
                    Some((key, (value, span))) => (Some(*key), Some(*value), span.or(frame.span), '}'),
                    None => (None, None, None, '}'),
                },
                Members::Array(entries) => match entries.get(frame.next) {
                    Some(entry) => {
                        let span = entry.node.and_then(|node| self.arena.span_of(node)).or(frame.span);
                        (None, Some(entry.value), span, ']')
                    }
                    None => (None, None, None, ']'),
                },
            };
            frame.next = frame.next.saturating_add(1);
            let Some(value) = value else {
                open.pop();
                self.line(open.len());
                self.out.push(close);
                continue;
            };
            if !first {
                self.out.push(',');
            }
            self.line(open.len());
            if let Some(key) = key {
                self.guard.check_length(self.out.len().saturating_add(key.len()), span)?;
                self.string(key);
                self.out.push_str(if self.indent > 0 { ": " } else { ":" });
            }
            self.value(value, span, &mut open)?;
        }
        self.guard.check_length(self.out.len(), span)?;
        match self.not_finite.take() {
            Some((text, span)) => Err(Stop::NotFinite(text, span)),
            None => Ok(()),
        }
    }

    /// Starts a line of the pretty form.
    fn line(&mut self, level: usize) {
        if self.indent > 0 {
            self.out.push('\n');
            crate::yaml::quote::write_indent(&mut self.out, self.indent.saturating_mul(level));
        }
    }

    /// Writes a scalar or an empty collection, or opens the frame of another.
    fn value(&mut self, value: Val, span: Option<Span>, open: &mut Vec<Frame<'a>>) -> Result<(), Diagnostic> {
        match View::of(self.arena, value) {
            View::Float(float) => {
                if !number::write_json(&mut self.out, float) {
                    let text = if float.is_nan() {
                        "NaN"
                    } else if float > 0.0 {
                        "+Inf"
                    } else {
                        "-Inf"
                    };
                    self.not_finite.get_or_insert((text, span));
                }
            }
            View::Str(text) => {
                self.guard.check_length(self.out.len().saturating_add(text.len()), span)?;
                self.string(text.as_bytes());
            }
            View::Bytes(bytes) => self.string(bytes),
            View::Other(node) => return Err(view::misplaced(self.arena, node, span)),
            View::Map(entries) => {
                self.guard.check_depth(open.len(), span)?;
                if entries.is_empty() {
                    self.out.push_str("{}");
                } else {
                    self.out.push('{');
                    open.push(Frame { members: self.sorted(entries, span)?, next: 0, span });
                }
            }
            View::Array(entries) => {
                self.guard.check_depth(open.len(), span)?;
                if entries.is_empty() {
                    self.out.push_str("[]");
                } else {
                    self.out.push('[');
                    open.push(Frame { members: Members::Array(entries), next: 0, span });
                }
            }
            scalar => {
                scalar.write(&mut self.out, 0);
            }
        }
        Ok(())
    }

    /// Entries in the order of their keys; of equal keys the last counts.
    fn sorted(&self, entries: Entries<'a>, span: Option<Span>) -> Result<Members<'a>, Diagnostic> {
        let mut members = Vec::with_capacity(entries.len());
        for entry in entries.iter() {
            let at = entry.node.and_then(|node| self.arena.span_of(node)).or(span);
            let key = match View::of(self.arena, entry.key) {
                View::Str(text) => text.as_bytes(),
                View::Bytes(bytes) => bytes,
                other => return Err(Printer::key_error(other, at)),
            };
            members.push((key, (entry.value, at)));
        }
        view::sort_by_key(&mut members);
        Ok(Members::Map(members))
    }

    fn key_error(view: View<'_>, at: Option<Span>) -> Diagnostic {
        let mut text = String::new();
        if !matches!(view, View::Map(_) | View::Array(_) | View::Other(_)) {
            text.push_str(": ");
            view.write(&mut text, 0);
        }
        let kind = view.kind();
        let found = format!("{kind}{text}");
        let message = format!("Expected key to be string, but was {found} (hint: JSON has string keys only)");
        let fact = Fact::Mismatch { expected: "string".to_owned(), found };
        Diagnostic::error(Code::JSON_KEY, message).fact(fact).at(at)
    }

    /// Writes a string; each byte that is not part of UTF-8 becomes `\ufffd`.
    fn string(&mut self, bytes: &[u8]) {
        self.out.push('"');
        match std::str::from_utf8(bytes) {
            Ok(text) => quoted::json_inside(&mut self.out, text, self.escapes),
            Err(_) => self.broken(bytes),
        }
        self.out.push('"');
    }

    fn broken(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            quoted::json_inside(&mut self.out, chunk.valid(), self.escapes);
            for _ in chunk.invalid() {
                self.out.push_str("\\ufffd");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Body, PosId, Raw};

    const NONE: u64 = u64::MAX;

    fn round(text: &str, indent: usize, escape_html: bool) -> String {
        let mut arena = Arena::new(1000);
        let tree = read(&mut arena, text.as_bytes()).unwrap();
        value(&arena, tree, Some(indent), escape_html, NONE).unwrap()
    }

    #[test]
    fn one_line_and_pretty() {
        for (text, indent, expected) in [
            (
                r#"{"b": [1, 2.5, {}], "a": {"c": null, "B": true}, "é": []}"#,
                0,
                r#"{"a":{"B":true,"c":null},"b":[1,2.5,{}],"é":[]}"#,
            ),
            (r#"{"b": [1], "a": {}}"#, 2, "{\n  \"a\": {},\n  \"b\": [\n    1\n  ]\n}"),
            ("[]", 4, "[]"),
            (r#""x""#, 2, r#""x""#),
            (r#"[[1],[2]]"#, 1, "[\n [\n  1\n ],\n [\n  2\n ]\n]"),
        ] {
            assert_eq!(round(text, indent, true), expected, "{text}");
        }
    }

    #[test]
    fn escapes() {
        for (text, html, expected) in [
            (r#""\u0000\b\f\n\r\t\u001f\"\\/""#, true, "\"\\u0000\\u0008\\u000c\\n\\r\\t\\u001f\\\"\\\\/\""),
            ("\"<a&b>\"", true, "\"\\u003ca\\u0026b\\u003e\""),
            ("\"<a&b>\"", false, "\"<a&b>\""),
            ("\"\u{2028}\u{2029}…\u{7F}😀\"", false, "\"\\u2028\\u2029…\u{7F}😀\""),
        ] {
            assert_eq!(round(text, 0, html), expected, "{text}");
        }
        let mut arena = Arena::new(1000);
        let bytes = arena.make_bytes(b"a\xff\xfe\xe2\x80b");
        assert_eq!(value(&arena, bytes, None, true, NONE).unwrap(), r#""a\ufffd\ufffd\ufffd\ufffdb""#);
    }

    #[test]
    fn documents_stand_side_by_side_and_those_with_nan_are_left_out() {
        let mut arena = Arena::new(1000);
        let nan = arena.add_raw(Raw::List(vec![Val::Int(1), Val::Float(f64::NAN)]));
        let ids = [Val::Int(1), nan, Val::Null, Val::UInt(u64::MAX)].map(|v| arena.add(Body::Doc(v), PosId(0)));
        let (sources, mut warnings) = (SourceMap::default(), vec![]);
        assert_eq!(documents(&arena, &sources, &ids, NONE, &mut warnings).unwrap(), "118446744073709551615");
        assert_eq!(warnings.len(), 1);
        let problem = value(&arena, nan, None, true, NONE).unwrap_err();
        assert_eq!((problem.code(), problem.message()), (Code::JSON_NOT_FINITE, "json: unsupported value: NaN"));
        // What is wrong in every document is still wrong in one that is left out.
        let key = arena.add_raw(Raw::Dict(vec![(Val::Int(1), Val::Null)]));
        let both = arena.add_raw(Raw::List(vec![nan, key]));
        let document = arena.add(Body::Doc(both), PosId(0));
        assert!(documents(&arena, &sources, &[document], NONE, &mut warnings).is_err() && warnings.len() == 1);
    }

    #[test]
    fn keys_must_be_strings_and_the_last_of_equal_ones_counts() {
        let mut arena = Arena::new(1000);
        let key = arena.make_str("a");
        let map = arena.add_raw(Raw::Dict(vec![(key, Val::Int(1)), (key, Val::Int(2)), (key, Val::Int(3))]));
        assert_eq!(value(&arena, map, None, true, NONE).unwrap(), r#"{"a":3}"#);
        let map = arena.add_raw(Raw::Dict(vec![(Val::Int(1), Val::Int(1))]));
        assert_eq!(
            value(&arena, map, None, true, NONE).unwrap_err().message(),
            "Expected key to be string, but was int: 1 (hint: JSON has string keys only)"
        );
    }

    #[test]
    fn depth_and_size_are_bounded() {
        let mut arena = Arena::new(1000);
        let array = arena.add(Body::Array(vec![].into()), PosId(0));
        let item = arena.add(Body::ArrayItem(Val::Node(array)), PosId(0));
        arena.items_mut(array).push(item);
        let error = value(&arena, Val::Node(array), None, true, NONE).unwrap_err();
        assert_eq!(error.message(), "nesting is deeper than 1000 levels");
        let mut wide = Val::Int(1);
        for _ in 0..100 {
            wide = arena.add_raw(Raw::List(vec![wide, wide]));
        }
        assert_eq!(value(&arena, wide, Some(2), true, 999).unwrap_err().message(), "output is larger than 999 bytes");
    }
}
