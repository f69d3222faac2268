//! What is known of a type before it has a name: put together from a schema and from values, one after the other.
//!
//! [`Observer::observe`] adds a value to a [`Part`]; it costs what the value is long, however many came before.

use std::collections::HashMap;
use std::rc::Rc;

use super::docs::Docs;
use super::pattern::Patterns;
use crate::diag::Diagnostic;
use crate::schema::TypeId;
use crate::source::Span;
use crate::yaml::NodeRef;
use crate::yaml::view::{View, too_deep, too_large};

/// Collections inside each other for which types are made. The compiler looks at types by recursion, twice for a slice,
/// so what is deeper is a `Value`.
const TYPE_DEPTH: usize = 100;

/// The type of one place: what the values there have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::codegen) struct Part {
    pub(in crate::codegen) shape: Shape,
    /// Null is among the values.
    pub(in crate::codegen) nullable: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::codegen) enum Shape {
    /// No value was seen but null.
    #[default]
    Unknown,
    Bool,
    Int(Ints),
    Float,
    Str,
    Bytes,
    Seq(Box<Part>),
    Struct(Fields),
    /// Keys are data: every value has this type.
    Map(Box<Part>),
    /// Anything.
    Value,
}

/// Which integers were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::codegen) struct Ints {
    pub(in crate::codegen) negative: bool,
    /// Above the largest `i64`.
    pub(in crate::codegen) large: bool,
    /// One that `f64` does not hold exactly.
    inexact: bool,
}

impl Ints {
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "it is asked whether something goes"
    )]
    fn of(int: i128, large: bool) -> Ints {
        Ints { negative: int < 0, large, inexact: int as f64 as i128 != int }
    }

    fn and(self, other: Ints) -> Ints {
        Ints {
            negative: self.negative || other.negative,
            large: self.large || other.large,
            inexact: self.inexact || other.inexact,
        }
    }
}

/// The keys of a map, in the order in which they were first seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::codegen) struct Fields {
    pub(in crate::codegen) list: Vec<Field>,
    index: HashMap<Rc<str>, usize>,
    /// Maps that were seen.
    total: u64,
    /// The schema's type of the map, if a schema declares it.
    pub(in crate::codegen) declared: Option<TypeId>,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::codegen) struct Field {
    pub(in crate::codegen) key: Rc<str>,
    pub(in crate::codegen) part: Part,
    pub(in crate::codegen) docs: Option<Rc<Docs>>,
    /// Where the key was first seen.
    pub(in crate::codegen) at: Option<Span>,
    /// Maps that have it.
    count: u64,
}

impl Fields {
    pub(in crate::codegen) fn contains(&self, key: &str) -> bool {
        self.index.contains_key(key)
    }

    pub(in crate::codegen) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        self.list.iter_mut().map(|field| &mut field.part)
    }

    /// Is the key missing in some of the maps?
    pub(in crate::codegen) fn is_optional(&self, field: &Field) -> bool {
        field.count < self.total
    }

    /// The field of a key, made if need be. `hint` is where it probably is.
    #[allow(clippy::indexing_slicing, reason = "`index` has numbers of fields, of which none goes away")]
    fn field(&mut self, key: &str, hint: usize, at: Option<Span>) -> &mut Field {
        let known = match self.list.get(hint) {
            Some(field) if *field.key == *key => Some(hint),
            _ => self.index.get(key).copied(),
        };
        let number = known.unwrap_or_else(|| {
            let (key, number): (Rc<str>, usize) = (key.into(), self.list.len());
            self.list.push(Field { key: key.clone(), part: Part::default(), docs: None, at, count: 0 });
            self.index.insert(key, number);
            number
        });
        &mut self.list[number]
    }

    /// A field that a schema declares.
    pub(super) fn declare(&mut self, key: &str, part: Part, docs: Option<Rc<Docs>>, at: Option<Span>) {
        let hint = self.list.len();
        let field = self.field(key, hint, at);
        *field = Field { part, docs, count: 1, ..field.clone() };
        self.total = 1;
    }

    fn add(&mut self, other: Fields) {
        self.total = self.total.saturating_add(other.total);
        self.declared = self.declared.or(other.declared);
        for (hint, new) in other.list.into_iter().enumerate() {
            let field = self.field(&new.key, hint, new.at);
            field.count = field.count.saturating_add(new.count);
            field.part.add(new.part);
            field.docs = field.docs.take().or(new.docs);
        }
    }
}

impl Part {
    /// A type without null.
    pub(super) fn of(shape: Shape) -> Part {
        Part { shape, nullable: false }
    }

    /// Makes this the type of what either holds.
    pub(in crate::codegen) fn add(&mut self, other: Part) {
        self.nullable |= other.nullable;
        let own = std::mem::take(&mut self.shape);
        self.shape = match (own, other.shape) {
            (Shape::Unknown, shape) | (shape, Shape::Unknown) => shape,
            (Shape::Int(left), Shape::Int(right)) => Shape::Int(left.and(right)),
            (Shape::Int(ints), Shape::Float) | (Shape::Float, Shape::Int(ints)) if !ints.inexact => Shape::Float,
            (Shape::Seq(mut left), Shape::Seq(right)) => {
                left.add(*right);
                Shape::Seq(left)
            }
            (Shape::Map(mut left), Shape::Map(right)) => {
                left.add(*right);
                Shape::Map(left)
            }
            (Shape::Struct(mut left), Shape::Struct(right)) => {
                left.add(right);
                Shape::Struct(left)
            }
            (left, right) if is_same_scalar(&left, &right) => left,
            _ => Shape::Value,
        };
    }
}

fn is_same_scalar(left: &Shape, right: &Shape) -> bool {
    use Shape::{Bool, Bytes, Float, Str};
    matches!((left, right), (Bool, Bool) | (Float, Float) | (Str, Str) | (Bytes, Bytes))
}

pub(in crate::codegen) struct Observer<'a> {
    patterns: &'a Patterns,
    /// Keys from the document to the value; items of arrays have none.
    path: Vec<String>,
    /// Values that may still be looked at: shared ones count at each place.
    budget: u64,
    limit: u64,
    depth: usize,
    /// The first boolean that is a key: where it stands, and the path of its map.
    pub(in crate::codegen) boolean_key: Option<(Option<Span>, String)>,
}

impl<'a> Observer<'a> {
    /// `limit` is the most bytes of output, which no smaller number of values can be.
    pub(in crate::codegen) fn new(patterns: &'a Patterns, limit: u64) -> Observer<'a> {
        Observer { patterns, path: Vec::new(), budget: limit, limit, depth: 0, boolean_key: None }
    }

    /// Adds a value to the type of its place.
    pub(in crate::codegen) fn observe(&mut self, part: &mut Part, node: NodeRef<'_>) -> Result<(), Diagnostic> {
        self.budget = self.budget.checked_sub(1).ok_or_else(|| too_large(self.limit, node.span()))?;
        let scalar = match node.view() {
            View::Null => {
                part.nullable = true;
                return Ok(());
            }
            View::Bool(_) => Shape::Bool,
            View::Int(int) => Shape::Int(Ints::of(int.into(), false)),
            View::UInt(int) => Shape::Int(Ints::of(int.into(), true)),
            View::Float(_) => Shape::Float,
            View::Str(_) => Shape::Str,
            View::Bytes(_) => Shape::Bytes,
            View::Map(_) | View::Array(_) | View::Other(_) if self.depth >= TYPE_DEPTH => Shape::Value,
            View::Map(_) | View::Array(_) => {
                let levels = if node.is_map() { 1 } else { 2 };
                let before = self.depth;
                self.depth = before.saturating_add(levels);
                let done = if node.is_map() { self.map(part, node) } else { self.array(part, node) };
                self.depth = before;
                return done;
            }
            View::Other(_) => Shape::Value,
        };
        part.add(Part::of(scalar));
        Ok(())
    }

    fn array(&mut self, part: &mut Part, node: NodeRef<'_>) -> Result<(), Diagnostic> {
        if part.shape == Shape::Unknown {
            part.shape = Shape::Seq(Box::default());
        }
        let Shape::Seq(item) = &mut part.shape else {
            part.shape = Shape::Value;
            return Ok(());
        };
        node.items().try_for_each(|value| self.observe(item, value))
    }

    fn map(&mut self, part: &mut Part, node: NodeRef<'_>) -> Result<(), Diagnostic> {
        let has_other_keys = node.entries().any(|(key, _)| key.as_str().is_none());
        if has_other_keys && self.boolean_key.is_none() {
            let boolean = node.entries().find(|(key, _)| matches!(key.view(), View::Bool(_)));
            self.boolean_key = boolean.map(|(key, _)| (key.span(), self.path.join(".")));
        }
        let is_map = self.patterns.matches(&self.path);
        if part.shape == Shape::Unknown {
            part.shape = if is_map { Shape::Map(Box::default()) } else { Shape::Struct(Fields::default()) };
        }
        if has_other_keys {
            part.shape = Shape::Value;
        }
        match &mut part.shape {
            Shape::Map(inner) => {
                for (key, value) in node.entries() {
                    self.path.push(key.as_str().unwrap_or_default().to_owned());
                    let done = self.observe(inner, value);
                    self.path.pop();
                    done?;
                }
            }
            Shape::Struct(fields) => {
                fields.total = fields.total.saturating_add(1);
                for (hint, (key, value)) in node.entries().enumerate() {
                    let name = key.as_str().unwrap_or_default();
                    let field = fields.field(name, hint, key.span());
                    field.count = field.count.saturating_add(1);
                    self.path.push(name.to_owned());
                    let done = self.observe(&mut field.part, value);
                    self.path.pop();
                    done?;
                }
            }
            _ => part.shape = Shape::Value,
        }
        Ok(())
    }
}

/// Collections inside each other that a constant may have: code is read by recursion, by the compiler and by us.
pub(in crate::codegen) const VALUE_DEPTH: u32 = 128;

/// Nesting that ends: a value that contains itself has none.
pub(in crate::codegen) fn deeper(depth: u32, node: NodeRef<'_>) -> Result<u32, Diagnostic> {
    let inner = depth.checked_add(1).filter(|inner| *inner <= VALUE_DEPTH);
    inner.ok_or_else(|| too_deep(VALUE_DEPTH, node.span()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::DocumentSet;

    /// The type of all documents of a text, in short.
    fn of(text: &str, maps: &[&str]) -> String {
        let set = DocumentSet::parse("a.yml", text.as_bytes()).unwrap();
        let patterns = Patterns::new(maps.iter().copied());
        let mut part = Part::default();
        let mut observer = Observer::new(&patterns, 1000);
        set.iter().try_for_each(|node| observer.observe(&mut part, node)).unwrap();
        show(&part)
    }

    fn show(part: &Part) -> String {
        let shape = match &part.shape {
            Shape::Unknown => "_".to_owned(),
            Shape::Bool => "bool".to_owned(),
            Shape::Int(ints) if ints.large && ints.negative => "mixed".to_owned(),
            Shape::Int(ints) => if ints.large { "u64" } else { "i64" }.to_owned(),
            Shape::Float => "f64".to_owned(),
            Shape::Str => "str".to_owned(),
            Shape::Bytes => "bytes".to_owned(),
            Shape::Seq(item) => format!("[{}]", show(item)),
            Shape::Map(item) => format!("map({})", show(item)),
            Shape::Value => "any".to_owned(),
            Shape::Struct(fields) => {
                let one = |field: &Field| {
                    let mark = if fields.is_optional(field) { "?" } else { "" };
                    format!("{}{mark}: {}", field.key, show(&field.part))
                };
                format!("{{{}}}", fields.list.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        };
        if part.nullable { format!("{shape}|null") } else { shape }
    }

    #[test]
    fn scalars() {
        assert_eq!(of("[true, 1, 1.5, a, null]", &[]), "[any|null]");
        assert_eq!(of("a: null\nb: [null]\nc: []\n", &[]), "{a: _|null, b: [_|null], c: [_]}");
        assert_eq!(of("a: 1\n---\na: 18446744073709551615\n", &[]), "{a: u64}");
        assert_eq!(of("a: -1\n---\na: 18446744073709551615\n", &[]), "{a: mixed}");
        assert_eq!(of("[1, 2.5]", &[]), "[f64]");
        assert_eq!(of("[9007199254740993, 2.5]", &[]), "[any]");
        assert_eq!(of("[2.5, 9007199254740993]", &[]), "[any]");
        assert_eq!(of("[!!binary /w==, !!binary /w==]", &[]), "[bytes]");
        assert_eq!(of("[!!binary /w==, a]", &[]), "[any]");
    }

    #[test]
    fn collections() {
        assert_eq!(of("- a: 1\n- b: x\n  a: 2\n", &[]), "[{a: i64, b?: str}]");
        assert_eq!(of("- {}\n- a: 1\n", &[]), "[{a?: i64}]");
        assert_eq!(of("- a: 1\n- [1]\n", &[]), "[any]");
        assert_eq!(of("- [1]\n- a: 1\n", &[]), "[any]");
        assert_eq!(of("a: {1: x}\nb: {}\n", &[]), "{a: any, b: {}}");
        assert_eq!(of("a: {x: 1}\n---\na: {1: x}\n---\na: {x: 1}\n", &[]), "{a: any}");
        assert_eq!(of("a: null\n---\na: {x: 1}\n---\na: {}\n", &[]), "{a: {x?: i64}|null}");
    }

    #[test]
    fn maps_are_chosen_by_path() {
        let text = "labels: {a: x, b: z}\nspec:\n- labels: {c: z}\n  other: {d: 1}\n";
        assert_eq!(of(text, &["**.labels"]), "{labels: map(str), spec: [{labels: map(str), other: {d: i64}}]}");
        assert_eq!(of(text, &["*.labels"]), "{labels: {a: str, b: str}, spec: [{labels: map(str), other: {d: i64}}]}");
        assert_eq!(of("labels: {}", &["labels"]), "{labels: map(_)}");
        assert_eq!(of("a: {x: {k: 1}, z: {k: 2, m: 1}}", &["a"]), "{a: map({k: i64, m?: i64})}");
    }

    #[test]
    fn parts_add_up_as_their_values_do() {
        let texts = ["a: 1\n", "b: x\na: null\n", "a: 1.5\nc: {d: [1]}\n", "c: {d: []}\n", "c: {e: 1}\n"];
        let patterns = Patterns::new([]);
        let part = |texts: &[&str]| {
            let mut part = Part::default();
            for text in texts {
                let set = DocumentSet::parse("a.yml", text.as_bytes()).unwrap();
                set.iter().try_for_each(|node| Observer::new(&patterns, 100).observe(&mut part, node)).unwrap();
            }
            part
        };
        for at in 0..texts.len() {
            let mut left = part(&texts[..at]);
            left.add(part(&texts[at..]));
            assert_eq!(show(&left), show(&part(&texts)), "{at}");
        }
    }

    #[test]
    fn deep_values_are_of_any_type_and_many_end() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        let shown = of(&deep, &[]);
        assert_eq!(shown, format!("{}any{}", "[".repeat(TYPE_DEPTH / 2), "]".repeat(TYPE_DEPTH / 2)));
        let wide = DocumentSet::parse("a.yml", format!("[{}]", "1,".repeat(200)).as_bytes()).unwrap();
        let patterns = Patterns::new([]);
        let error = Observer::new(&patterns, 100).observe(&mut Part::default(), wide.get(0).unwrap()).unwrap_err();
        assert_eq!(error.message(), "output is larger than 100 bytes");
    }
}
