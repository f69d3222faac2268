//! Values as printers read them: nodes and raw lists alike, one level at a time, nothing copied.

use crate::diag::{Code, Diagnostic};
use crate::source::{SourceMap, Span};
use crate::yaml::write::{Scalar, write_scalar};
use crate::yaml::{Arena, Body, NodeId, Raw, Val};

/// One level of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'a> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Str(&'a str),
    /// Not UTF-8.
    Bytes(&'a [u8]),
    Map(Entries<'a>),
    Array(Entries<'a>),
    /// A document set, document or item: has no place inside a document.
    Other(NodeId),
}

/// Entries of a map, or items of an array, whose keys are null.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entries<'a> {
    Nodes(&'a Arena, &'a [NodeId]),
    List(&'a [Val]),
    Dict(&'a [(Val, Val)]),
}

/// One entry of a map or array; `node` is `None` in raw lists and dicts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Val,
    pub(crate) value: Val,
    pub(crate) node: Option<NodeId>,
}

impl<'a> View<'a> {
    pub(crate) fn of(arena: &'a Arena, value: Val) -> View<'a> {
        match value {
            Val::Null => View::Null,
            Val::Bool(bool) => View::Bool(bool),
            Val::Int(int) => View::Int(int),
            Val::UInt(int) => View::UInt(int),
            Val::Float(float) => View::Float(float),
            Val::Str { .. } => View::Str(arena.str(value).unwrap_or_default()),
            Val::Bytes(_) => View::Bytes(arena.text_bytes(value).unwrap_or_default()),
            Val::Raw(number) => match arena.raw(number) {
                Raw::List(values) => View::Array(Entries::List(values)),
                Raw::Dict(entries) => View::Map(Entries::Dict(entries)),
            },
            Val::Node(id) => match &arena.get(id).body {
                Body::Map(items) => View::Map(Entries::Nodes(arena, items)),
                Body::Array(items) => View::Array(Entries::Nodes(arena, items)),
                _ => View::Other(id),
            },
        }
    }

    /// Writes a scalar; lines after the first are indented by `indent`. Gives `false` if no line end belongs behind it.
    /// Of a collection nothing is written: the caller opens it.
    pub(crate) fn write(self, out: &mut String, indent: usize) -> bool {
        let scalar = match self {
            View::Null => Scalar::Null,
            View::Bool(bool) => Scalar::Bool(bool),
            View::Int(int) => Scalar::Int(int),
            View::UInt(int) => Scalar::UInt(int),
            View::Float(float) => Scalar::Float(float),
            View::Str(text) => Scalar::Str(text),
            View::Bytes(bytes) => Scalar::Bytes(bytes),
            View::Map(_) | View::Array(_) | View::Other(_) => return true,
        };
        write_scalar(out, scalar, indent)
    }

    /// `int`, `string`, `map`: the words of messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            View::Null => "null",
            View::Bool(_) => "boolean",
            View::Int(_) | View::UInt(_) => "int",
            View::Float(_) => "float",
            View::Str(_) | View::Bytes(_) => "string",
            View::Map(_) => "map",
            View::Array(_) => "array",
            View::Other(_) => "document",
        }
    }
}

impl<'a> Entries<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Entries::Nodes(_, items) => items.len(),
            Entries::List(values) => values.len(),
            Entries::Dict(entries) => entries.len(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn get(&self, index: usize) -> Option<Entry> {
        match self {
            Entries::Nodes(arena, items) => {
                let node = *items.get(index)?;
                let (key, value) = arena.entry(node);
                Some(Entry { key, value, node: Some(node) })
            }
            Entries::List(values) => Some(Entry { key: Val::Null, value: *values.get(index)?, node: None }),
            Entries::Dict(entries) => {
                let (key, value) = *entries.get(index)?;
                Some(Entry { key, value, node: None })
            }
        }
    }

    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = Entry> + 'a {
        // Every index is below the length.
        (0..self.len())
            .map(move |index| self.get(index).unwrap_or(Entry { key: Val::Null, value: Val::Null, node: None }))
    }
}

/// Sorts entries by their keys; of equal keys the last entry counts.
pub(crate) fn sort_by_key<K: Ord, V>(entries: &mut Vec<(K, V)>) {
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    // `dedup_by` keeps the first of equal ones, so the later value moves there.
    entries.dedup_by(|later, kept| {
        let equal = later.0 == kept.0;
        if equal {
            std::mem::swap(&mut later.1, &mut kept.1);
        }
        equal
    });
}

/// What stops the walk of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    pub(crate) depth: u32,
    pub(crate) limit: u64,
}

impl Guard {
    /// Refuses to open one more collection inside of `open` ones.
    pub(crate) fn check_depth(&self, open: usize, at: Option<Span>) -> Result<(), Diagnostic> {
        if open < self.depth as usize { Ok(()) } else { Err(too_deep(self.depth, at)) }
    }

    /// Refuses text that has grown, or would grow, to `length` bytes.
    pub(crate) fn check_length(&self, length: usize, at: Option<Span>) -> Result<(), Diagnostic> {
        if length as u64 <= self.limit { Ok(()) } else { Err(too_large(self.limit, at)) }
    }
}

/// A tree is nested too deeply, or contains itself.
pub(crate) fn too_deep(limit: u32, at: Option<Span>) -> Diagnostic {
    Diagnostic::limit(Code::LIMIT, "depth", format!("nesting is deeper than {limit} levels")).at(at)
}

/// The printed text is larger than the limit `output_bytes`.
pub(crate) fn too_large(limit: u64, at: Option<Span>) -> Diagnostic {
    const MIB: u64 = 1 << 20;
    let size = if limit >= MIB && limit.is_multiple_of(MIB) {
        format!("{} MiB", limit / MIB)
    } else {
        format!("{limit} bytes")
    };
    Diagnostic::limit(Code::LIMIT, "output_bytes", format!("output is larger than {size}")).at(at)
}

/// A document set, document or item stands where a value belongs.
pub(crate) fn misplaced(arena: &Arena, node: NodeId, at: Option<Span>) -> Diagnostic {
    let kind = arena.get(node).body.kind();
    Diagnostic::error(Code::PRINT_KIND, format!("Unexpected {kind} within a document")).at(arena.span_of(node).or(at))
}

/// The line that belongs to an item of a collection in a key: from 0, where the first line is `---`, added if need be.
#[allow(clippy::arithmetic_side_effects, reason = "a line of 32 bits, and one less, in 64 bits")]
pub(crate) fn key_line(sources: &SourceMap, span: Span) -> i64 {
    let source = sources.get(span.source);
    let text = source.text.as_bytes();
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C);
    let start = text.iter().position(|byte| !blank(byte)).and_then(|start| text.get(start..)).unwrap_or_default();
    let marked = start.strip_prefix(b"---").is_some_and(|rest| rest.first().is_some_and(blank));
    i64::from(source.line(span.start)) - i64::from(marked)
}
