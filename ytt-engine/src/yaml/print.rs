//! A tree as YAML text, byte for byte as ytt prints it.
//!
//! The printer walks nodes by number and appends to one text; nothing is copied and nothing recurses, so neither depth
//! nor trees that contain themselves endanger the stack: both end in the error of the limit `depth`.

mod known;

use known::Known;

use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span, to_u32};
use crate::times::Phase;
use crate::yaml::number::write_int;
use crate::yaml::quote::{self, Shape};
use crate::yaml::view::{self, Entries, Guard, View};
use crate::yaml::write::is_long_base64;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Prints documents, joined by `---` lines; those that are null or an empty map or array node are left out.
///
/// `limit` is the largest number of bytes.
pub(crate) fn documents(arena: &Arena, documents: &[NodeId], limit: u64) -> Result<String, Diagnostic> {
    Printer::new(arena, limit).documents(documents)
}

/// As [`documents`], for documents that may come from files as they are: an array in a key shows its items with their
/// lines there.
pub(crate) fn documents_of_files(
    arena: &Arena,
    sources: &SourceMap,
    documents: &[NodeId],
    limit: u64,
) -> Result<String, Diagnostic> {
    Printer { sources: Some(sources), ..Printer::new(arena, limit) }.documents(documents)
}

/// An item, or a document, of a printed text; they stand in the order of the text.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "explain"), expect(dead_code, reason = "an explanation reads them"))]
pub(crate) struct Mark {
    /// Where its line begins, or where it begins on the line of the item around it.
    pub(crate) at: usize,
    /// How many items are around it; 0 for a document.
    pub(crate) depth: u32,
    /// Nothing in a list or dict that code set.
    pub(crate) item: Option<NodeId>,
    /// The key of a map item, the number of an array item.
    pub(crate) step: MarkStep,
    pub(crate) value: Val,
}

/// From an item to one in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MarkStep {
    Document,
    Key(Val),
    Index(u32),
}

/// As [`documents_of_files`], with what stands where.
#[cfg(feature = "explain")]
pub(crate) fn marked(
    arena: &Arena,
    sources: &SourceMap,
    documents: &[NodeId],
    limit: u64,
) -> Result<(String, Vec<Mark>), Diagnostic> {
    let mut printer = Printer { sources: Some(sources), marks: Some(Vec::new()), ..Printer::new(arena, limit) };
    printer.all(documents)?;
    Ok((printer.out, printer.marks.unwrap_or_default()))
}

/// Prints one value as `yaml.encode` does: null, and a map or array node without items, give no text; a document set
/// gives its documents.
pub(crate) fn value(arena: &Arena, value: Val, limit: u64) -> Result<String, Diagnostic> {
    let mut span = None;
    let mut value = value;
    if let Val::Node(id) = value {
        span = arena.span_of(id);
        match &arena.get(id).body {
            Body::Set(items) => return documents(arena, items, limit),
            Body::Doc(_) => return documents(arena, &[id], limit),
            Body::MapItem(..) | Body::ArrayItem(_) => value = arena.value(id),
            Body::Map(items) | Body::Array(items) if items.is_empty() => return Ok(String::new()),
            Body::Map(_) | Body::Array(_) => {}
        }
    }
    if value == Val::Null {
        return Ok(String::new());
    }
    let mut printer = Printer::new(arena, limit);
    printer.print(value, span)?;
    Ok(printer.out)
}

/// The text of one scalar or collection, without the rules for documents: `null`, `{}` and `[]` are printed. With `mends`
/// the text key `<<` is quoted, which reads back as what it is.
pub(crate) fn text(arena: &Arena, value: Val, mends: bool, limit: u64) -> Result<String, Diagnostic> {
    let mut printer = Printer { mends, ..Printer::new(arena, limit) };
    printer.print(value, None)?;
    Ok(printer.out)
}

/// Bytes of text that a node makes, roughly.
const NODE_TEXT: u64 = 16;

struct Printer<'a> {
    arena: &'a Arena,
    /// Compat: the reference writes the text key `<<` without quotes.
    mends: bool,
    /// Where lines in keys come from.
    sources: Option<&'a SourceMap>,
    out: String,
    guard: Guard,
    /// Empty where a single value is printed.
    known: Known,
    /// What stands where, if somebody asks.
    marks: Option<Vec<Mark>>,
}

/// The collection that is being printed, and how many there are.
fn innermost<'o, 'a>(open: &'o mut [Frame<'a>]) -> Option<(u32, &'o mut Frame<'a>)> {
    let depth = to_u32(open.len());
    Some((depth, open.last_mut()?))
}

/// What stands before a value on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// Nothing: it is a whole document.
    Start,
    /// `key:`
    Key,
    /// `-`, `?` or the `:` that follows a `?`: the first item of a collection stays on the line.
    Indicator,
}

/// A collection that is being printed.
struct Frame<'a> {
    entries: Entries<'a>,
    next: usize,
    is_map: bool,
    indent: usize,
    /// The first item continues a line.
    inline: bool,
    /// What follows the part that is being printed.
    pending: Option<Pending>,
    /// It is a key, or part of one.
    in_key: bool,
    /// The item that is being printed.
    node: Option<NodeId>,
}

#[derive(Clone, Copy)]
enum Pending {
    /// The value of a key written as `? key`.
    Value(Val),
    /// The line of an item in a key.
    Line(i64),
}

impl<'a> Printer<'a> {
    fn new(arena: &'a Arena, limit: u64) -> Printer<'a> {
        let guard = Guard { depth: arena.depth(), limit };
        Printer { arena, mends: false, sources: None, out: String::new(), guard, known: Known::default(), marks: None }
    }

    fn documents(mut self, documents: &[NodeId]) -> Result<String, Diagnostic> {
        self.all(documents)?;
        Ok(self.out)
    }

    fn all(&mut self, documents: &[NodeId]) -> Result<(), Diagnostic> {
        // Room for a usual text, so that a long one does not move while it grows: what is not used costs no memory.
        let usual = (self.arena.len() as u64).saturating_mul(NODE_TEXT).min(self.guard.limit);
        self.out.reserve(usual.try_into().unwrap_or(0));
        self.known = Known::with_room();
        for &document in documents {
            if self.arena.is_empty_document(document) {
                continue;
            }
            if !self.out.is_empty() {
                self.out.push_str("---\n");
            }
            let value = self.arena.value(document);
            if let Some(marks) = &mut self.marks {
                let (at, step) = (self.out.len(), MarkStep::Document);
                marks.push(Mark { at, depth: 0, item: Some(document), step, value });
            }
            let span = self.arena.span_of(document);
            let _lap = self.sources.and_then(|sources| sources.lap(span?.source, Phase::Printing));
            self.print(value, span)?;
        }
        Ok(())
    }

    /// Prints a value at the start of a line and ends its last line. An error without a place gets that of the innermost
    /// node which has one, or `span`.
    fn print(&mut self, value: Val, span: Option<Span>) -> Result<(), Diagnostic> {
        let mut open: Vec<Frame<'a>> = Vec::new();
        let done = self.walk(value, span, &mut open);
        done.map_err(|error| error.at(self.nearest(&open, span)))
    }

    /// The place of the innermost item that has one.
    fn nearest(&self, open: &[Frame<'_>], span: Option<Span>) -> Option<Span> {
        let mut nodes = open.iter().rev().filter_map(|frame| frame.node);
        nodes.find_map(|node| self.arena.span_of(node)).or(span)
    }

    fn walk(&mut self, value: Val, span: Option<Span>, open: &mut Vec<Frame<'a>>) -> Result<(), Diagnostic> {
        self.value(value, 0, After::Start, false, open)?;
        while let Some((depth, frame)) = innermost(open) {
            self.guard.check_length(self.out.len(), None)?;
            match frame.pending.take() {
                Some(Pending::Value(value)) => {
                    let (indent, in_key) = (frame.indent, frame.in_key);
                    quote::write_indent(&mut self.out, indent);
                    self.out.push(':');
                    self.value(value, indent, After::Indicator, in_key, open)?;
                    continue;
                }
                Some(Pending::Line(line)) => {
                    quote::write_indent(&mut self.out, frame.indent.saturating_add(2));
                    self.out.push_str("line: ");
                    write_int(&mut self.out, false, line.unsigned_abs());
                    self.out.push('\n');
                    continue;
                }
                None => {}
            }
            let Some(entry) = frame.entries.get(frame.next) else {
                open.pop();
                continue;
            };
            let number = frame.next;
            frame.next = number.saturating_add(1);
            let at = self.out.len();
            if !std::mem::take(&mut frame.inline) {
                quote::write_indent(&mut self.out, frame.indent);
            }
            frame.node = entry.node;
            let (indent, in_key) = (frame.indent, frame.in_key);
            let step = if frame.is_map { MarkStep::Key(entry.key) } else { MarkStep::Index(to_u32(number)) };
            if let (Some(marks), false) = (&mut self.marks, in_key) {
                marks.push(Mark { at, depth, item: entry.node, step, value: entry.value });
            }
            if !frame.is_map {
                self.out.push('-');
                if in_key
                    && entry.node.is_some()
                    && let Some(line) = self.line_in_key(open, span)
                {
                    if let Some(frame) = open.last_mut() {
                        frame.pending = Some(Pending::Line(line));
                    }
                    self.out.push_str(" value:");
                    self.value(entry.value, indent.saturating_add(2), After::Key, in_key, open)?;
                } else {
                    self.value(entry.value, indent, After::Indicator, in_key, open)?;
                }
            } else if self.simple_key(entry.key) {
                self.out.push(':');
                self.value(entry.value, indent, After::Key, in_key, open)?;
            } else {
                frame.pending = Some(Pending::Value(entry.value));
                self.out.push('?');
                self.value(entry.key, indent, After::Indicator, true, open)?;
            }
        }
        self.guard.check_length(self.out.len(), None)
    }

    /// Compat: an array in a key is a list of values and lines for the reference.
    fn line_in_key(&self, open: &[Frame<'_>], span: Option<Span>) -> Option<i64> {
        Some(view::key_line(self.sources?, self.nearest(open, span)?))
    }

    /// Writes a value, or opens its frame. Lines below the present one belong to a block at `indent`.
    fn value(
        &mut self,
        value: Val,
        indent: usize,
        after: After,
        in_key: bool,
        open: &mut Vec<Frame<'a>>,
    ) -> Result<(), Diagnostic> {
        let view = View::of(self.arena, value);
        let (entries, is_map) = match view {
            View::Map(entries) => (entries, true),
            View::Array(entries) => (entries, false),
            View::Other(node) => return Err(view::misplaced(self.arena, node, None)),
            scalar => {
                if after != After::Start {
                    self.out.push(' ');
                }
                let indent = indent.saturating_add(2);
                let ends = match scalar {
                    View::Str(text) => {
                        self.guard.check_length(self.out.len().saturating_add(text.len()), None)?;
                        self.text(value, text, indent)
                    }
                    scalar => scalar.write(&mut self.out, indent),
                };
                if ends {
                    self.out.push('\n');
                }
                return Ok(());
            }
        };
        self.guard.check_depth(open.len(), None)?;
        if entries.is_empty() {
            if after != After::Start {
                self.out.push(' ');
            }
            self.out.push_str(if is_map { "{}\n" } else { "[]\n" });
            return Ok(());
        }
        let (indent, inline) = match after {
            After::Start => (indent, true),
            After::Key => {
                self.out.push('\n');
                // An array in a map stands in the column of its key.
                (if is_map { indent.saturating_add(2) } else { indent }, false)
            }
            After::Indicator => {
                self.out.push(' ');
                (indent.saturating_add(2), true)
            }
        };
        open.push(Frame { entries, next: 0, is_map, indent, inline, pending: None, in_key, node: None });
        Ok(())
    }

    /// Writes a text; lines after the first are indented by `indent`. Gives `false` if no line end belongs behind it.
    fn text(&mut self, value: Val, text: &str, indent: usize) -> bool {
        if self.known.has(value) {
            self.out.push_str(text);
            return true;
        }
        let shape = Shape::of(text);
        self.known.note(value, text, shape);
        quote::write_styled(&mut self.out, text, shape.style, indent)
    }

    /// Writes a key if it can stand before its `:` on one line.
    fn simple_key(&mut self, key: Val) -> bool {
        match View::of(self.arena, key) {
            View::Str("<<") if self.mends => self.out.push_str("\"<<\""),
            View::Str(text) => {
                if self.known.has(key) {
                    self.out.push_str(text);
                    return true;
                }
                let shape = Shape::of(text);
                if !shape.is_simple_key(text) {
                    return false;
                }
                self.known.note(key, text, shape);
                quote::write_styled(&mut self.out, text, shape.style, 0);
            }
            View::Bytes(bytes) if is_long_base64(bytes) => return false,
            View::Map(entries) if entries.is_empty() => self.out.push_str("{}"),
            View::Array(entries) if entries.is_empty() => self.out.push_str("[]"),
            View::Map(_) | View::Array(_) | View::Other(_) => return false,
            scalar => {
                scalar.write(&mut self.out, 0);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, Source, Text};
    use crate::yaml::{PosId, Raw, ReadOptions, json, read_text};

    const NONE: u64 = u64::MAX;

    fn arena() -> Arena {
        Arena::new(1000)
    }

    /// Prints the tree of a JSON text.
    fn yaml(text: &str) -> String {
        let mut arena = arena();
        let value = json::read(&mut arena, text.as_bytes()).unwrap();
        let document = arena.add(Body::Doc(value), PosId(0));
        documents(&arena, &[document], NONE).unwrap()
    }

    #[test]
    fn structure() {
        for (json, expected) in [
            (r#"{"a": {"b": "c"}}"#, "a:\n  b: c\n"),
            (r#"{"a": ["x", "y"]}"#, "a:\n- x\n- \"y\"\n"),
            (r#"{"a": {"b": ["x", {"c": null, "d": ["z"]}]}}"#, "a:\n  b:\n  - x\n  - c: null\n    d:\n    - z\n"),
            (r#"[["a", ["b"]], {"c": {"d": {}}}, []]"#, "- - a\n  - - b\n- c:\n    d: {}\n- []\n"),
            (r#"["a\nb", ["c\n"], {"d": "e\n\n"}]"#, "- |-\n  a\n  b\n- - |\n    c\n- d: |+\n    e\n\n"),
            (r#""x""#, "x\n"),
            (r#""x\ny\n""#, "|\n  x\n  y\n"),
            (r#"{"a\nb": {"c": "d"}, "e": "f"}"#, "? |-\n  a\n  b\n: c: d\ne: f\n"),
            (r#"{"k": {"a\nb\n": ["c", {"d": "e"}]}}"#, "k:\n  ? |\n    a\n    b\n  : - c\n    - d: e\n"),
            ("null", ""),
            ("\"\"", "\"\"\n"),
            (r#"{"x\u2028y": "x\u2028y"}"#, "? 'x\u{2028}  y'\n: 'x\u{2028}  y'\n"),
            (r#"[{"a": "x\ny\u2028", "b": "z"}]"#, "- a: |\n    x\n    y\u{2028}  b: z\n"),
        ] {
            assert_eq!(yaml(json), expected, "{json}");
        }
    }

    #[test]
    fn long_keys_take_the_explicit_form() {
        let (short, long) = ("x".repeat(128), "x".repeat(129));
        assert_eq!(yaml(&format!(r#"{{"{short}": "a"}}"#)), format!("{short}: a\n"));
        assert_eq!(yaml(&format!(r#"{{"{long}": ["a"]}}"#)), format!("? {long}\n: - a\n"));
    }

    #[test]
    fn keys_of_every_kind() {
        let mut arena = arena();
        let list = arena.add_raw(Raw::List(vec![Val::Int(1), Val::Int(2)]));
        let empty = arena.add_raw(Raw::Dict(vec![]));
        let bytes = arena.make_bytes(&[0x80, 0x81, 0x82]);
        let long = arena.make_bytes(&[0xFF; 60]);
        let text = arena.make_str("1");
        let keys = [
            Val::Int(-1),
            Val::UInt(u64::MAX),
            Val::Float(1.5),
            Val::Bool(true),
            Val::Null,
            Val::Float(f64::NAN),
            text,
            empty,
            bytes,
            list,
            long,
        ];
        let dict = arena.add_raw(Raw::Dict(keys.iter().map(|key| (*key, Val::Int(0))).collect()));
        assert_eq!(
            value(&arena, dict, NONE).unwrap(),
            "-1: 0\n18446744073709551615: 0\n1.5: 0\ntrue: 0\nnull: 0\n.nan: 0\n\"1\": 0\n{}: 0\n!!binary gIGC: 0\n? - 1\n  - 2\n: 0\n\
             ? !!binary |\n  //////////////////////////////////////////////////////////////////////\n  //////////\n: 0\n"
        );
    }

    #[test]
    fn bytes_up_to_seventy_characters_stay_on_the_line() {
        let mut arena = arena();
        let short = arena.make_bytes(&[0x80; 51]);
        let long = arena.make_bytes(&[0x80; 52]);
        assert_eq!(value(&arena, short, NONE).unwrap(), format!("!!binary {}\n", "gICA".repeat(17)));
        assert_eq!(
            value(&arena, long, NONE).unwrap(),
            format!("!!binary |\n  {}gI\n  CA\n", "gICA".repeat(17)).replace("gI\n  CA", "gA\n  ==")
        );
    }

    #[test]
    fn values_follow_the_encoder_of_the_module() {
        let mut arena = arena();
        let map = arena.add(Body::Map(vec![].into()), PosId(0));
        let dict = arena.add_raw(Raw::Dict(vec![]));
        assert_eq!(value(&arena, Val::Null, NONE).unwrap(), "");
        assert_eq!(value(&arena, Val::Node(map), NONE).unwrap(), "");
        assert_eq!(value(&arena, dict, NONE).unwrap(), "{}\n");
        let documents =
            [Val::Int(1), Val::Null, Val::Node(map), Val::Int(2)].map(|v| arena.add(Body::Doc(v), PosId(0)));
        let set = arena.add(Body::Set(documents.to_vec().into()), PosId(0));
        assert_eq!(value(&arena, Val::Node(set), NONE).unwrap(), "1\n---\n2\n");
        let list = arena.add_raw(Raw::List(vec![Val::Node(set)]));
        let error = value(&arena, list, NONE).unwrap_err();
        assert_eq!(error.message(), "Unexpected document set within a document");
    }

    #[test]
    fn depth_and_size_are_bounded() {
        let mut arena = Arena::new(1000);
        let mut nested = Val::Int(1);
        for _ in 0..1000 {
            nested = arena.add_raw(Raw::List(vec![nested]));
        }
        assert!(value(&arena, nested, NONE).is_ok());
        let deeper = arena.add_raw(Raw::List(vec![nested]));
        assert_eq!(value(&arena, deeper, NONE).unwrap_err().message(), "nesting is deeper than 1000 levels");

        let array = arena.add(Body::Array(vec![].into()), PosId(0));
        let item = arena.add(Body::ArrayItem(Val::Node(array)), PosId(0));
        arena.items_mut(array).push(item);
        assert_eq!(value(&arena, Val::Node(array), NONE).unwrap_err().message(), "nesting is deeper than 1000 levels");

        // Two references a level: printed in full it would have 2^100 leaves.
        let mut wide = Val::Int(1);
        for _ in 0..100 {
            wide = arena.add_raw(Raw::List(vec![wide, wide]));
        }
        assert_eq!(value(&arena, wide, 1 << 20).unwrap_err().message(), "output is larger than 1 MiB");
        assert_eq!(value(&arena, wide, 1000).unwrap_err().message(), "output is larger than 1000 bytes");
    }

    /// Law: what is printed reads back as the same strings, as key and value, at every depth.
    #[test]
    fn strings_survive_printing_and_reading() {
        const PARTS: [&str; 48] = [
            " ",
            "\n",
            "\n\n",
            "\t",
            "\r",
            "\u{85}",
            "\u{2028}",
            "\u{2029}",
            "\u{FEFF}",
            "\u{A0}",
            "é",
            "日",
            "😀",
            "\0",
            "\x7F",
            "\u{FFFE}",
            "a",
            "x y",
            "#",
            " #",
            ":",
            ": ",
            "-",
            "- ",
            "? ",
            "'",
            "\"",
            "\\",
            ",",
            "[",
            "{",
            "&",
            "*",
            "!",
            "|",
            ">",
            "%",
            "@",
            "`",
            "---",
            "...",
            "0",
            "1e5",
            ".inf",
            "null",
            "yes",
            "2001-01-01",
            "=",
        ];
        let mut state = 88_172_645_463_325_252u64;
        let mut next = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        for _ in 0..2000 {
            let mut arena = arena();
            let texts: Vec<String> = (0..4).map(|_| (0..next(5)).map(|_| PARTS[next(PARTS.len())]).collect()).collect();
            let [a, b, c, d] = [0, 1, 2, 3].map(|index: usize| arena.make_str(&texts[index]));
            let inner = arena.add_raw(Raw::Dict(vec![(b, c)]));
            let list = arena.add_raw(Raw::List(vec![d, inner]));
            let dict = arena.add_raw(Raw::Dict(vec![(a, list)]));
            let text = value(&arena, dict, NONE).unwrap();
            let (sources, source) = (SourceMap::default(), Text::Str(text.as_str().into()));
            let source = Source::new("", source, Origin::Memory, 0, LineBreaks::Yaml);
            let options = ReadOptions { strict: false, alias_nodes: 0, reports: 0 };
            let file = read_text(&mut arena, &sources, source, &options).unwrap();
            let again = documents(&arena, arena.items(file.root), NONE).unwrap();
            assert_eq!(again, text, "{texts:?}");
            let entry = |value| View::of(&arena, value);
            let View::Map(map) = entry(file.first_value(&arena)) else { panic!("{text}") };
            let outer = map.get(0).unwrap();
            let View::Array(array) = entry(outer.value) else { panic!("{text}") };
            let View::Map(map) = entry(array.get(1).unwrap().value) else { panic!("{text}") };
            let found = [outer.key, map.get(0).unwrap().key, map.get(0).unwrap().value, array.get(0).unwrap().value];
            assert_eq!(found.map(|value| arena.str(value)), [0, 1, 2, 3].map(|index| Some(texts[index].as_str())));
        }
    }
}
