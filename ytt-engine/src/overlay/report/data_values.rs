//! A data value that a matcher looks for: where it is written.

use std::collections::HashSet;

use super::fragments::in_yaml;
use super::nearest::{Fix, Meaning};
use super::parts::Path;
use super::words::scalar_text;
use crate::diag::{Advice, Diagnostic};
use crate::overlay::engine::Scene;
use crate::source::{Origin, SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::written;
use crate::yaml::words::kind_name;
use crate::yaml::{Arena, Body, NodeId, Val};

/// A data value, as it is given.
pub(super) struct DataPlace {
    pub(super) span: Span,
    /// `data.values.app`, as code reads it, and where.
    pub(super) code: String,
    pub(super) read_at: Span,
    /// It is a scalar in a file, which nothing else reads as far as the matcher's file tells.
    pub(super) is_alone: bool,
    pub(super) is_file: bool,
}

/// A scalar of the data values that the matcher at hand may read, by its last key.
pub(super) struct GivenLeaf {
    value: Val,
    span: Span,
    code: String,
    read_at: Span,
}

impl Scene<'_> {
    /// What the matcher at hand may read of data values, found in one walk for all that it looks for.
    pub(super) fn given_leaves(&self, arena: &Arena) -> Vec<GivenLeaf> {
        const READ: &str = "data.values.";
        let Some(by) = self.by_span() else { return Vec::new() };
        let paths = written::paths(self.calls.sources(), self.value_in(by));
        let paths = paths.into_iter().filter_map(|span| Some((span, self.written(span)?)));
        let (paths, others): (Vec<_>, Vec<_>) = paths.partition(|(_, path)| path.starts_with(READ));
        // What other names hold may be a data value, too.
        let by_names = others.into_iter().flat_map(|(span, code)| {
            let items = self.calls.data_items(span).into_iter();
            items.filter_map(move |item| self.given_leaf(arena, item, (span, &code))).collect::<Vec<_>>()
        });
        let mut leaves: Vec<GivenLeaf> = by_names.collect();
        if paths.is_empty() {
            return leaves;
        }
        // What is overlaid, and overlays, may have the same key.
        let documents = self.sets.iter().flat_map(|set| arena.items(*set)).chain(self.overlays);
        let own: HashSet<SourceId> = documents.filter_map(|document| Some(arena.span_of(*document)?.source)).collect();
        let all = (0..to_u32(arena.len())).map(NodeId);
        leaves.extend(all.filter_map(|node| {
            let Body::MapItem(key, _) = arena.get(node).body else { return None };
            let key = arena.str(key)?;
            let (read_at, code) = paths.iter().find(|(_, path)| path.rsplit('.').next() == Some(key))?;
            self.given_leaf(arena, node, (*read_at, code)).filter(|leaf| !own.contains(&leaf.span.source))
        }));
        leaves
    }

    fn given_leaf(&self, arena: &Arena, item: NodeId, (read_at, code): (Span, &str)) -> Option<GivenLeaf> {
        let value = arena.value(item);
        if matches!(value, Val::Node(_) | Val::Raw(_) | Val::Null) {
            return None;
        }
        let place = arena.place_of(item).filter(|place| place.value < place.end)?;
        Some(GivenLeaf { value, span: place.value(), code: code.to_owned(), read_at })
    }

    /// The data value that is what a matcher looks for. Of two nobody knows which one is read.
    pub(super) fn data_value(&self, arena: &Arena, given: &[GivenLeaf], wanted: Val) -> Option<DataPlace> {
        if matches!(wanted, Val::Node(_) | Val::Raw(_) | Val::Null) {
            return None;
        }
        let mut found = given.iter().filter(|leaf| arena.same(leaf.value, wanted));
        let GivenLeaf { span, code, read_at, .. } = found.next()?;
        if found.any(|other| other.span != *span) {
            return None;
        }
        let is_file = matches!(self.calls.sources().get(span.source).origin, Origin::File(_) | Origin::Memory);
        Some(DataPlace {
            span: *span,
            code: code.clone(),
            read_at: *read_at,
            is_alone: self.uses_of(code) == 1,
            is_file,
        })
    }

    /// The data value that gives code this value, if it can be one alone.
    pub(super) fn given_by_data(&self, arena: &Arena, code: Span, wanted: Val) -> Option<DataPlace> {
        if matches!(wanted, Val::Node(_) | Val::Raw(_) | Val::Null) {
            return None;
        }
        let items = self.calls.data_items(code);
        let same = items.iter().filter(|item| arena.same(arena.value(**item), wanted));
        let mut places = same.map(|item| arena.place_of(*item).map(|place| place.value()));
        let span = places.next()??;
        if places.any(|other| other != Some(span)) {
            return None;
        }
        let (code, read_at) = (self.written(code)?, code);
        let sources = self.calls.sources();
        let is_file = matches!(sources.get(span.source).origin, Origin::File(_) | Origin::Memory);
        // Whatever it is read by ends in its key.
        let is_read_once = |member: &str| {
            let all = sources.all();
            let texts = all.iter().filter_map(|source| source.text.as_str());
            let is_longer = |rest: &&str| rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
            texts.map(|text| text.split(member).skip(1).filter(|rest| !is_longer(rest)).count()).sum::<usize>() == 1
        };
        let is_alone = code.rfind('.').and_then(|at| code.get(at..)).is_some_and(is_read_once);
        Some(DataPlace { span, code, read_at, is_alone, is_file })
    }

    /// The edit of a data value to what is there instead.
    pub(super) fn in_data(&self, arena: &Arena, given: &DataPlace, here: Val) -> Option<Fix> {
        let fix = in_yaml(arena, given.span, here).filter(|_| given.is_file && self.is_line(given.span))?;
        Some(Fix { is_guess: !given.is_alone, must_mend: true, ..fix })
    }

    /// The edit of a data value to the same as a value of another kind.
    pub(super) fn as_other_kind(&self, arena: &Arena, given: &DataPlace, here: Val) -> Option<Fix> {
        let fix = self.in_data(arena, given, here)?;
        let name = given.code.rsplit('.').next().unwrap_or_default();
        Some(Fix { text: as_there(arena, &format!("`{name}`"), here), meaning: Meaning::Quoted, ..fix })
    }

    /// The edit of code that gives a value of another kind than the one there.
    pub(super) fn converted(&self, code: Span, here: Val) -> Option<Fix> {
        let function = match here {
            Val::Str { .. } => "str",
            Val::Int(_) | Val::UInt(_) => "int",
            _ => return None,
        };
        let new = format!("{function}({})", self.written(code)?);
        let text = format!("make {} of it here", if function == "int" { "a number" } else { "a text" });
        Some(Fix { span: code, new, text, meaning: Meaning::Quoted, is_guess: true, must_mend: true })
    }

    /// How a flag gives the same as a value of another kind.
    pub(super) fn as_other_flag(&self, given: &DataPlace, here: Val) -> Option<Advice> {
        let source = self.calls.sources().get(given.span.source);
        let pair = source.text.as_str().filter(|_| source.origin == Origin::Flag)?.trim_end().to_owned();
        match (here, &*source.name) {
            (Val::Str { .. }, name) if name.starts_with("(data-value-yaml arg") => Some(Advice::GiveText(pair)),
            (Val::Int(_) | Val::UInt(_) | Val::Bool(_), name) if name.starts_with("(data-value arg") => {
                Some(Advice::GiveYaml { why: "to give what is no string, write".to_owned(), pair })
            }
            _ => None,
        }
    }

    pub(super) fn is_line(&self, span: Span) -> bool {
        self.written(span).is_some_and(|text| !text.is_empty() && !text.contains('\n') && !text.starts_with("#@"))
    }

    fn uses_of(&self, code: &str) -> usize {
        let sources = self.calls.sources().all();
        sources.iter().filter_map(|source| source.text.as_str()).map(|text| text.matches(code).count()).sum()
    }

    /// Marks what a matcher looks for and has from elsewhere: from a data value, or from what a loop goes over.
    pub(super) fn label_given(&self, diagnostic: Diagnostic, missed: &Path) -> Diagnostic {
        let arena = self.arena();
        let Some(value) = missed.last().map(|(item, _)| arena.value(*item)) else { return diagnostic };
        if let Some(place) = self.data_value(&arena, &self.given_leaves(&arena), value) {
            return diagnostic.label(place.span, format!("`{}` is {}", place.code, described(&arena, value)));
        }
        let in_loop = || {
            let (by, text) = (self.by_span()?, arena.str(value)?);
            if self.literal(by, text).is_some() {
                return None;
            }
            let code = FileCode::read(&self.calls.sources().get(by.source), by.source)?;
            self.literal(code.loop_around(by)?, text)
        };
        diagnostic.label_at(in_loop(), "for this one")
    }
}

/// What the edit of a scalar does that makes it what it is on the left, where only its kind is another one.
pub(super) fn as_there(arena: &Arena, what: &str, here: Val) -> String {
    match here {
        Val::Str { .. } => format!("give {what} between quotes, as the string that is there"),
        _ => format!("give {what} without quotes, as {}", described(arena, here)),
    }
}

/// A scalar with what it is: `the integer 1`.
pub(super) fn described(arena: &Arena, value: Val) -> String {
    match kind_name(arena, value) {
        "string" => format!("the string {}", scalar_text(arena, value)),
        kind => format!("the {kind} `{}`", scalar_text(arena, value)),
    }
}
