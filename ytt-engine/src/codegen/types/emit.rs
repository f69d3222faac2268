//! Types and values as text of Rust.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::docs::{self, Docs};
use super::layout::{DefaultOf, Struct, Ty};
use super::shape::deeper;
use crate::codegen::call::{needs_escape, push_key, push_string, rust_string};
use crate::diag::Diagnostic;
use crate::schema::{Schema, TypeKind};
use crate::yaml::NodeRef;
use crate::yaml::view::{View, too_large};

/// The path of the run-time half. Whoever uses the text replaces it where the crate has another name.
pub(in crate::codegen) const ENGINE: &str = "::ytt_engine";

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::codegen) struct Style {
    /// Texts and lists are `Cow`.
    pub(in crate::codegen) cow: bool,
    /// Texts of several lines are raw strings: for people who read differences of files.
    pub(in crate::codegen) raw: bool,
    /// A derive of `serde` reads or writes the types: fields have their keys beside their names.
    pub(in crate::codegen) serde: bool,
}

pub(in crate::codegen) struct Writer<'a, 'n> {
    pub(super) style: Style,
    structs: &'a [Struct<'n>],
    pub(in crate::codegen) out: String,
    /// `YttV::…` was written.
    pub(in crate::codegen) has_values: bool,
    limit: u64,
    pub(super) depth: u32,
}

impl<'a, 'n> Writer<'a, 'n> {
    /// `limit` is the most bytes that are written.
    pub(in crate::codegen) fn new(style: Style, structs: &'a [Struct<'n>], limit: u64) -> Writer<'a, 'n> {
        Writer { style, structs, out: String::new(), has_values: false, limit, depth: 0 }
    }

    /// The expression for what was written, in which `YttV` is [`constant::Value`](crate::constant::Value): no document
    /// has a type of that name.
    pub(in crate::codegen) fn finish(self) -> String {
        match self.has_values {
            true => format!("{{ use {ENGINE}::constant::Value as YttV; {} }}", self.out),
            false => self.out,
        }
    }

    /// Writes a value as a type that it has.
    pub(in crate::codegen) fn value(&mut self, node: NodeRef<'_>, ty: &Ty) -> Result<(), Diagnostic> {
        self.check(node)?;
        match (ty, node.view()) {
            (Ty::Option(inner), View::Null) if !matches!(**inner, Ty::Unit | Ty::Value) => self.none(),
            (Ty::Option(inner), _) => {
                self.out.push_str("::core::option::Option::Some(");
                self.value(node, inner)?;
                self.out.push(')');
            }
            (Ty::Unit, _) => self.out.push_str("()"),
            (Ty::Bool, View::Bool(value)) => self.out.push_str(if value { "true" } else { "false" }),
            (Ty::I64 | Ty::U64, View::Int(value)) => self.display(value),
            (Ty::U64, View::UInt(value)) => self.display(value),
            (Ty::F64, _) => push_float(&mut self.out, node.as_f64().unwrap_or(f64::NAN), "f64"),
            (Ty::Str, View::Str(text)) => self.text(text),
            (Ty::Bytes, _) => self.bytes(node.as_bytes().unwrap_or_default()),
            (Ty::Slice(item), View::Array(_)) => self.slice(node, item)?,
            (Ty::Struct(number), View::Map(_)) => self.structure(node, *number)?,
            (Ty::Map(item), View::Map(_)) => self.map(node, item)?,
            (Ty::Value, _) => self.any(node)?,
            // Types are made of the values that are written: there is no such pair.
            (_, _) => self.none(),
        }
        Ok(())
    }

    pub(super) fn check(&self, node: NodeRef<'_>) -> Result<(), Diagnostic> {
        if self.out.len() as u64 > self.limit { Err(too_large(self.limit, node.span())) } else { Ok(()) }
    }

    pub(super) fn none(&mut self) {
        self.out.push_str("::core::option::Option::None");
    }

    fn display(&mut self, value: impl std::fmt::Display) {
        let _ = write!(self.out, "{value}");
    }

    fn text(&mut self, text: &str) {
        self.borrowed(self.style.cow, |out, style| push_text(out, text, style));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.borrowed(self.style.cow, |out, _| push_bytes(out, bytes));
    }

    /// What is written, behind a `Cow` if the type has one.
    pub(super) fn borrowed(&mut self, cow: bool, write: impl FnOnce(&mut String, Style)) {
        self.out.push_str(if cow { "::std::borrow::Cow::Borrowed(" } else { "" });
        write(&mut self.out, self.style);
        self.out.push_str(if cow { ")" } else { "" });
    }

    /// Writes `&[…]`. Where items have to be dropped, the compiler makes a constant of it only if it is told to.
    fn list(
        &mut self,
        needs_constant: bool,
        write: impl FnOnce(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.out.push_str(if needs_constant { "const { &[" } else { "&[" });
        write(self)?;
        self.out.push_str(if needs_constant { "] }" } else { "]" });
        Ok(())
    }

    fn deeper<T>(
        &mut self,
        node: NodeRef<'_>,
        work: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let inner = deeper(self.depth, node)?;
        let before = std::mem::replace(&mut self.depth, inner);
        let done = work(self);
        self.depth = before;
        done
    }

    fn slice(&mut self, node: NodeRef<'_>, item: &Ty) -> Result<(), Diagnostic> {
        let cow = self.style.cow;
        self.out.push_str(if cow { "::std::borrow::Cow::Borrowed(" } else { "" });
        self.list(cow && self.drops(item), |writer| {
            node.items().try_for_each(|value| {
                writer.deeper(value, |writer| writer.value(value, item))?;
                writer.out.push_str(", ");
                Ok(())
            })
        })?;
        self.out.push_str(if cow { ")" } else { "" });
        Ok(())
    }

    fn map(&mut self, node: NodeRef<'_>, item: &Ty) -> Result<(), Diagnostic> {
        let cow = self.style.cow;
        self.out.push_str(ENGINE);
        self.out.push_str(if cow { "::constant::CowMap::borrowed(" } else { "::constant::Map::new(" });
        self.list(cow, |writer| {
            node.entries().try_for_each(|(key, value)| {
                writer.out.push('(');
                writer.text(key.as_str().unwrap_or_default());
                writer.out.push_str(", ");
                writer.deeper(value, |writer| writer.value(value, item))?;
                writer.out.push_str("), ");
                Ok(())
            })
        })?;
        self.out.push(')');
        Ok(())
    }

    #[allow(clippy::indexing_slicing, reason = "types have numbers of structs of the layout that made both")]
    fn known(&self, number: usize) -> &'a Struct<'n> {
        &self.structs[number]
    }

    fn structure(&mut self, node: NodeRef<'_>, number: usize) -> Result<(), Diagnostic> {
        let known = self.known(number);
        self.out.push_str(&known.name);
        self.out.push_str(" { ");
        let values = Values::of(node);
        for (hint, field) in known.fields.iter().enumerate() {
            self.out.push_str(&field.name);
            self.out.push_str(": ");
            match values.get(&field.key, hint) {
                Some(value) => self.deeper(value, |writer| writer.value(value, &field.ty))?,
                None => self.none(),
            }
            self.out.push_str(", ");
        }
        self.out.push('}');
        Ok(())
    }

    /// A value of any type.
    pub(in crate::codegen) fn any(&mut self, node: NodeRef<'_>) -> Result<(), Diagnostic> {
        self.check(node)?;
        self.has_values = true;
        match node.view() {
            View::Null | View::Other(_) => self.out.push_str("YttV::Null"),
            View::Bool(value) => _ = write!(self.out, "YttV::Bool({value})"),
            View::Int(value) => _ = write!(self.out, "YttV::Int({value})"),
            View::UInt(value) => _ = write!(self.out, "YttV::UInt({value})"),
            View::Float(value) => self.wrapped("Float", |out| push_float(out, value, "f64")),
            View::Str(text) => {
                let style = self.style;
                self.wrapped("Str", |out| push_text(out, text, style));
            }
            View::Bytes(bytes) => self.wrapped("Bytes", |out| push_bytes(out, bytes)),
            View::Array(_) => {
                self.out.push_str("YttV::Seq(&[");
                for value in node.items() {
                    self.deeper(value, |writer| writer.any(value))?;
                    self.out.push_str(", ");
                }
                self.out.push_str("])");
            }
            View::Map(_) => {
                self.out.push_str("YttV::Map(&[");
                for (key, value) in node.entries() {
                    self.out.push('(');
                    self.deeper(key, |writer| writer.any(key))?;
                    self.out.push_str(", ");
                    self.deeper(value, |writer| writer.any(value))?;
                    self.out.push_str("), ");
                }
                self.out.push_str("])");
            }
        }
        Ok(())
    }

    fn wrapped(&mut self, variant: &str, write: impl FnOnce(&mut String)) {
        self.out.push_str("YttV::");
        self.out.push_str(variant);
        self.out.push('(');
        write(&mut self.out);
        self.out.push(')');
    }

    /// Does a value of this type have to be dropped? Then the compiler makes no constant of a reference to it.
    fn drops(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Unit | Ty::Bool | Ty::I64 | Ty::U64 | Ty::F64 | Ty::Value => false,
            Ty::Str | Ty::Bytes | Ty::Slice(_) | Ty::Map(_) => true,
            Ty::Option(inner) => self.drops(inner),
            Ty::Struct(number) => self.known(*number).fields.iter().any(|field| self.drops(&field.ty)),
        }
    }

    /// A type as it is written.
    pub(in crate::codegen) fn type_text(&self, ty: &Ty) -> String {
        let cow = self.style.cow;
        let borrowed = |inner: &str| match cow {
            true => format!("::std::borrow::Cow<'static, {inner}>"),
            false => format!("&'static {inner}"),
        };
        match ty {
            Ty::Unit => "()".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::I64 => "i64".to_owned(),
            Ty::U64 => "u64".to_owned(),
            Ty::F64 => "f64".to_owned(),
            Ty::Str => borrowed("str"),
            Ty::Bytes => borrowed("[u8]"),
            Ty::Slice(item) => borrowed(&format!("[{}]", self.type_text(item))),
            Ty::Option(inner) => format!("::core::option::Option<{}>", self.type_text(inner)),
            Ty::Struct(number) => self.known(*number).name.clone(),
            Ty::Map(item) => {
                format!("{ENGINE}::constant::{}<{}>", if cow { "CowMap" } else { "Map" }, self.type_text(item))
            }
            Ty::Value => format!("{ENGINE}::constant::Value"),
        }
    }
}

/// Entries of a map by key.
struct Values<'a> {
    entries: Vec<(&'a str, NodeRef<'a>)>,
    index: HashMap<&'a str, usize>,
}

impl<'a> Values<'a> {
    /// Maps of more entries are looked up.
    const FEW: usize = 8;

    fn of(node: NodeRef<'a>) -> Values<'a> {
        let text = |(key, value): (NodeRef<'a>, NodeRef<'a>)| Some((key.as_str()?, value));
        let entries: Vec<_> = node.entries().filter_map(text).collect();
        let index = match entries.len() > Self::FEW {
            true => entries.iter().enumerate().map(|(number, (key, _))| (*key, number)).collect(),
            false => HashMap::new(),
        };
        Values { entries, index }
    }

    /// `hint` is where it probably stands.
    fn get(&self, key: &str, hint: usize) -> Option<NodeRef<'a>> {
        match self.entries.get(hint) {
            Some((known, value)) if *known == key => Some(*value),
            _ if self.entries.len() > Self::FEW => {
                let number = *self.index.get(key)?;
                self.entries.get(number).map(|(_, value)| *value)
            }
            _ => self.entries.iter().find(|(known, _)| *known == key).map(|(_, value)| *value),
        }
    }
}

/// Stands for the attributes of a type; tokens of the call take its place.
pub(in crate::codegen) const ATTRIBUTES: &str = "ytt_attributes";
/// Stands for the visibility of a type and its fields.
pub(in crate::codegen) const VISIBILITY: &str = "ytt_visibility";

/// The definitions of structs, with [`ATTRIBUTES`] and [`VISIBILITY`].
pub(in crate::codegen) fn structs(structs: &[Struct<'_>], style: Style) -> String {
    let types = Writer::new(style, structs, u64::MAX);
    let mut out = String::new();
    for known in structs {
        let docs = Docs::text(known.docs.as_deref(), if known.path.is_empty() { &known.name } else { &known.path });
        let _ = write!(out, "{}#[{ATTRIBUTES}] {VISIBILITY} struct {} {{ ", docs::attributes(&docs), known.name);
        for field in &known.fields {
            let mut path = known.path.clone();
            push_key(&mut path, &field.key);
            let docs = Docs::text(field.docs.as_deref(), &path);
            out.push_str(&docs::attributes(&docs));
            if let Some(notice) = field.docs.as_ref().and_then(|docs| docs.deprecated.as_ref()) {
                let _ = match notice.is_empty() {
                    true => write!(out, "#[deprecated] "),
                    false => write!(out, "#[deprecated(note = {})] ", rust_string(notice)),
                };
            }
            if style.serde && field.name.trim_start_matches("r#") != &*field.key {
                let _ = write!(out, "#[serde(rename = {})] ", rust_string(&field.key));
            }
            let _ = write!(out, "{VISIBILITY} {}: {}, ", field.name, types.type_text(&field.ty));
        }
        out.push_str("} ");
    }
    out
}

/// `impl Default` for structs that have a source for it.
pub(in crate::codegen) fn defaults(
    structs: &[Struct<'_>],
    style: Style,
    schema: &Schema,
    any: NodeRef<'_>,
    limit: u64,
) -> Result<String, Diagnostic> {
    let mut out = String::new();
    for (number, known) in structs.iter().enumerate() {
        let Some(default) = &known.default else { continue };
        let name = &known.name;
        let body = match default {
            DefaultOf::Constant(access) => format!("::core::clone::Clone::clone(&{access})"),
            DefaultOf::Node(node) => {
                let mut writer = Writer::new(style, structs, limit);
                writer.value(*node, &Ty::Struct(number))?;
                constant(name, &writer.finish())
            }
            DefaultOf::Schema(ty) => {
                let TypeKind::Map(map) = &schema.ty(*ty).kind else { continue };
                let mut writer = Writer::new(style, structs, limit);
                writer.out = format!("{name} {{ ");
                for (field, item) in known.fields.iter().zip(&map.items) {
                    let node = NodeRef::value(any.arena(), any.sources(), schema.item(*item).default);
                    let _ = write!(writer.out, "{}: ", field.name);
                    writer.value(node, &field.ty)?;
                    writer.out.push_str(", ");
                }
                writer.out.push('}');
                constant(name, &writer.finish())
            }
        };
        let _ = write!(out, "impl ::core::default::Default for {name} {{ fn default() -> Self {{ {body} }} }} ");
    }
    Ok(out)
}

fn constant(ty: &str, value: &str) -> String {
    format!("static D: {ty} = {value}; ::core::clone::Clone::clone(&D)")
}

/// A float that the compiler reads as the same one; `NaN` has one form.
pub(in crate::codegen) fn push_float(out: &mut String, value: f64, ty: &str) {
    let _ = match value {
        value if value.is_nan() => write!(out, "::core::primitive::{ty}::NAN"),
        f64::INFINITY => write!(out, "::core::primitive::{ty}::INFINITY"),
        f64::NEG_INFINITY => write!(out, "::core::primitive::{ty}::NEG_INFINITY"),
        value => write!(out, "{value:?}"),
    };
}

/// A text; where it is read by people, one of several lines keeps them.
pub(in crate::codegen) fn push_text(out: &mut String, text: &str, style: Style) {
    let is_raw = |character: char| matches!(character, '\n' | '\t' | '"' | '\\') || !needs_escape(character);
    if !style.raw || !text.contains('\n') || !text.chars().all(is_raw) {
        push_string(out, text);
        return;
    }
    let marks_behind = |part: &str| part.bytes().take_while(|byte| *byte == b'#').count().saturating_add(1);
    let marks = "#".repeat(text.split('"').skip(1).map(marks_behind).max().unwrap_or_default());
    let _ = write!(out, "r{marks}\"{text}\"{marks}");
}

pub(in crate::codegen) fn push_bytes(out: &mut String, bytes: &[u8]) {
    out.push_str("b\"");
    out.extend(bytes.iter().flat_map(|byte| std::ascii::escape_default(*byte)).map(char::from));
    out.push('"');
}
