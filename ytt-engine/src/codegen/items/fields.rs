//! `as fields`: code that fills a type of the user's field by field, which the compiler checks as if written by hand.
//!
//! `constant::fields` has the functions, and says what the compiler tells. What is written for a value depends on the
//! value and its path alone, since the type is not known here:
//!
//! * A map is a struct whose fields have the names of the keys, or those that `rename` gives. It is a map of Rust where a
//!   pattern of `maps` says so, and where one of its keys is no text, which no field could be called.
//! * Kubernetes marks every document with `apiVersion` and `kind`, and the usual types in Rust have no fields for them.
//!   At the root of a document, where `where` decides about one of the two, as in `where kind = "Deployment"`, it is
//!   known and left out. One that no condition names must be a field as every other key, and so must one that `rename`
//!   names: of a type that has the field `kind` it is filled by `rename = { kind: kind }`, else it keeps its default. No
//!   other key is ever left out: what the YAML has and the type has not is an error.
//!
//! The compiler shows its errors at the first token of the written type.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::group::Settings;
use super::{Maker, describe};
use crate::Rendered;
use crate::codegen::call::{Condition, StaticItem, Step, Written, push_key};
use crate::codegen::types::Problem;
use crate::codegen::types::emit::{Style, push_bytes, push_float, push_text};
use crate::codegen::types::layout::collision;
use crate::codegen::types::shape::deeper;
use crate::constant::fields::bits;
use crate::diag::Diagnostic;
use crate::yaml::NodeRef;
use crate::yaml::view::{View, too_large};

#[cfg(test)]
mod tests;

/// Keys of a document that tell its type. A type of Rust is one already, so it may have no fields for them.
const MARKS: [&str; 2] = ["apiVersion", "kind"];

/// Up to this one every integer is a float, and every float without fraction an integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Expands a constant that is filled field by field.
pub(super) fn fields(
    maker: &mut Maker<'_>,
    item: &StaticItem,
    result: &Rendered,
    nodes: &[NodeRef<'_>],
) -> TokenStream {
    let (Written::Lazy { ty, .. }, Some(node)) = (&item.ty, nodes.first()) else { return TokenStream::new() };
    let mut settings = Settings::new([&item.source].into_iter());
    let mut writer = Writer::new(&mut settings, &item.conditions, maker.style(false), result.outer().1.output_bytes);
    let written = writer.root(*node);
    let (text, problems) = (std::mem::take(&mut writer.out), std::mem::take(&mut writer.problems));
    settings.note(maker);
    maker.name_problems(&problems, &item.source, result);
    if let Err(problem) = &written {
        maker.limit(problem, result, item.source.span);
    }
    if written.is_err() || !problems.is_empty() {
        return TokenStream::new();
    }
    let spans = Spans::of(ty);
    let (filled, span) = (spans.put_on(maker.parsed(&text, item.source.span)), spans.code);
    let imports = match node.is_map() || node.is_array() {
        true => quote_spanned!(span=> use ::ytt_engine::constant::fields::{self as __f, Plain as _};),
        false => quote_spanned!(span=> use ::ytt_engine::constant::fields as __f;),
    };
    let made = quote_spanned!(span=> let mut __0 = <#ty as ::core::default::Default>::default(););
    let given = quote_spanned!(span=> __0);
    let (visibility, name, lazy) = (&item.visibility, &item.name, &item.tokens);
    let head = maker.head(&item.attributes, &describe(item, None), &[]);
    quote! {
        #head
        #visibility static #name: #lazy = <#lazy>::new(|| { #imports #made #filled #given });
    }
}

/// Where generated tokens stand: at the first token of the written type, since the compiler shows its errors there.
struct Spans {
    /// Code of the macro: names are looked up where it is called, and lints pass it over.
    code: Span,
    /// Fields are the author's own, or the compiler would not list those that there are.
    field: Span,
}

impl Spans {
    fn of(ty: &TokenStream) -> Spans {
        let field = first(ty).unwrap_or_else(Span::call_site);
        Spans { code: Span::call_site().located_at(field), field }
    }

    fn put_on(&self, tokens: TokenStream) -> TokenStream {
        let mut out = Vec::new();
        let mut tokens = tokens.into_iter().peekable();
        let mut is_behind_dot = false;
        while let Some(mut token) = tokens.next() {
            let is_method = matches!(tokens.peek(), Some(TokenTree::Group(_)));
            let is_field = is_behind_dot && !is_method;
            is_behind_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
            if let TokenTree::Group(group) = token {
                token = TokenTree::Group(Group::new(group.delimiter(), self.put_on(group.stream())));
            }
            token.set_span(if is_field { self.field } else { self.code });
            out.push(token);
        }
        out.into_iter().collect()
    }
}

/// The first token, inside of groups that a `macro_rules!` makes of its parameters.
fn first(tokens: &TokenStream) -> Option<Span> {
    match tokens.clone().into_iter().next()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => first(&group.stream()),
        token => Some(token.span()),
    }
}

/// Writes the statements that fill one type.
struct Writer<'a> {
    settings: &'a mut Settings,
    conditions: &'a [Condition],
    style: Style,
    limit: u64,
    out: String,
    problems: Vec<Problem>,
    /// Keys from the document to the current value; items of arrays have none. Patterns are about them.
    path: Vec<String>,
    /// The same without keys of maps that are no structs. Names are about them.
    named: Vec<String>,
    /// The fields of structs by the paths to these: one name belongs to one key, in all items of an array.
    known: HashMap<String, Known>,
    /// Open collections; the innermost is the variable of this number.
    depth: u32,
}

/// Fields of a struct.
#[derive(Default)]
struct Known {
    by_key: HashMap<String, Rc<str>>,
    by_name: HashMap<Rc<str>, String>,
}

/// What a collection of the YAML is in Rust.
enum Kind {
    List,
    Map,
    Struct,
}

impl<'a> Writer<'a> {
    /// `limit` is the most bytes that are written.
    fn new(settings: &'a mut Settings, conditions: &'a [Condition], style: Style, limit: u64) -> Writer<'a> {
        Writer {
            settings,
            conditions,
            style,
            limit,
            out: String::new(),
            problems: Vec::new(),
            path: Vec::new(),
            named: Vec::new(),
            known: HashMap::new(),
            depth: 0,
        }
    }

    fn root(&mut self, node: NodeRef<'_>) -> Result<(), Diagnostic> {
        self.value(node, "__f::put(", ", &mut __0); ", "&mut __0")
    }

    /// A scalar goes between two texts, a collection into a place.
    fn value(&mut self, node: NodeRef<'_>, before: &str, behind: &str, place: &str) -> Result<(), Diagnostic> {
        if self.out.len() as u64 > self.limit {
            return Err(too_large(self.limit, node.span()));
        }
        if node.is_map() || node.is_array() {
            return self.collection(node, place);
        }
        self.out.push_str(before);
        push_scalar(&mut self.out, node, self.style);
        self.out.push_str(behind);
        Ok(())
    }

    fn collection(&mut self, node: NodeRef<'_>, place: &str) -> Result<(), Diagnostic> {
        self.depth = deeper(self.depth, node)?;
        let (kind, open, close) = match node.is_array() {
            true => (Kind::List, "__f::list(", ")"),
            // Which patterns are of use is seen by asking them.
            false if self.settings.patterns.matches(&self.path) => (Kind::Map, "__f::map(", ")"),
            false if node.entries().any(|(key, _)| key.as_str().is_none()) => (Kind::Map, "__f::map(", ")"),
            false => (Kind::Struct, "", ""),
        };
        let variable = format!("__{}", self.depth);
        let _ = write!(self.out, "{{ let {variable} = {open}__f::Slot({place}).slot(){close}; ");
        match kind {
            Kind::List => {
                let (behind, place) = (format!(", {variable}); "), format!("__f::item({variable})"));
                node.items().try_for_each(|value| self.value(value, "__f::add(", &behind, &place))?;
            }
            Kind::Map => self.map(node, &variable)?,
            Kind::Struct => self.structure(node, &variable)?,
        }
        self.out.push_str("} ");
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    fn map(&mut self, node: NodeRef<'_>, variable: &str) -> Result<(), Diagnostic> {
        for (key, value) in node.entries() {
            if key.is_map() || key.is_array() {
                self.other_key(key);
                continue;
            }
            let mut scalar = String::new();
            push_scalar(&mut scalar, key, self.style);
            self.path.push(key.as_str().unwrap_or_default().to_owned());
            let (before, behind) = (format!("__f::set({scalar}, "), format!(", {variable}); "));
            self.value(value, &before, &behind, &format!("__f::entry({scalar}, {variable})"))?;
            self.path.pop();
        }
        Ok(())
    }

    fn structure(&mut self, node: NodeRef<'_>, variable: &str) -> Result<(), Diagnostic> {
        let fields: Vec<(Rc<str>, &str, NodeRef<'_>)> = self.fields(node);
        for (name, key, value) in fields {
            self.path.push(key.to_owned());
            self.named.push(key.to_owned());
            let place = format!("&mut {variable}.{name}");
            self.value(value, "__f::put(", &format!(", {place}); "), &place)?;
            self.path.pop();
            self.named.pop();
        }
        Ok(())
    }

    /// The entries of a struct with the names of their fields, without what is left out.
    fn fields<'n>(&mut self, node: NodeRef<'n>) -> Vec<(Rc<str>, &'n str, NodeRef<'n>)> {
        let path = self.shown();
        let mut known = self.known.remove(&path).unwrap_or_default();
        let mut fields = Vec::with_capacity(node.len());
        for (key, value) in node.entries() {
            // Where a key is no text, the map is no struct.
            let Some(text) = key.as_str() else { continue };
            if self.depth == 1 && self.is_decided(text) {
                continue;
            }
            let name = match known.by_key.get(text) {
                Some(name) => name.clone(),
                None => self.field(&mut known, text, key),
            };
            fields.push((name, text, value));
        }
        self.known.insert(path, known);
        fields
    }

    /// Does a condition say what this key of the document holds, so that no field is needed for it?
    fn is_decided(&mut self, key: &str) -> bool {
        let is_path = |steps: &[Step]| matches!(steps, [Step::Key(step)] if step == key);
        MARKS.contains(&key)
            && self.conditions.iter().any(|condition| is_path(&condition.path.steps))
            && self.settings.renames.get(&[key]).is_none()
    }

    /// The name of a field that is met for the first time. What cannot be one is told as for other items.
    fn field(&mut self, known: &mut Known, key: &str, node: NodeRef<'_>) -> Rc<str> {
        let path: Vec<&str> = self.named.iter().map(String::as_str).chain([key]).collect();
        let name: Rc<str> = self.settings.renames.field(&path, node.span(), &mut self.problems).into();
        if let Some(other) = known.by_name.insert(name.clone(), key.to_owned()) {
            self.problems.push(collision(&path, &other, &name, node.span()));
        }
        known.by_key.insert(key.to_owned(), name.clone());
        name
    }

    /// A key that is a map or an array.
    fn other_key(&mut self, key: NodeRef<'_>) {
        let kind = key.kind();
        let place = match self.shown() {
            path if path.is_empty() => String::new(),
            path => format!(" in `{path}`"),
        };
        let message = format!("a key{place} is of type {kind}: `as fields` takes scalars as keys");
        self.problems.push(Problem { name: "fields-key", message, at: key.span() });
    }

    /// The path of names as people write it.
    fn shown(&self) -> String {
        let mut path = String::new();
        self.named.iter().for_each(|key| push_key(&mut path, key));
        path
    }
}

/// A scalar as the functions of `constant::fields` take it.
#[allow(clippy::cast_possible_truncation, reason = "`is_integer` bounds the float, which has no fraction then")]
fn push_scalar(out: &mut String, node: NodeRef<'_>, style: Style) {
    match node.view() {
        View::Bool(value) => _ = write!(out, "__f::YamlBool({value})"),
        View::Int(value) => push_int(out, i128::from(value)),
        View::UInt(value) => push_int(out, i128::from(value)),
        View::Float(value) if is_integer(value) => push_int(out, value as i128),
        View::Float(value) => {
            out.push_str("__f::YamlFloat(");
            push_float(out, value, "f64");
            out.push(')');
        }
        View::Str(text) => {
            out.push_str("__f::YamlText(");
            push_text(out, text, style);
            out.push(')');
        }
        View::Bytes(bytes) => {
            out.push_str("__f::YamlBytes(");
            push_bytes(out, bytes);
            out.push(')');
        }
        View::Null | View::Map(_) | View::Array(_) | View::Other(_) => out.push_str("__f::YamlNull"),
    }
}

fn push_int(out: &mut String, value: i128) {
    let _ = write!(out, "__f::YamlInt::<{value}, {}>", bits(value));
}

/// Does an integer say the same as the float, so that a field of either kind can take it?
fn is_integer(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= EXACT && (value != 0.0 || value.is_sign_positive())
}
