//! Values held against types that a call declares, and written as constants of them.
//!
//! Every misfit is told, with the place of the value. The types themselves are written as their author wrote them, but
//! for our `Map` and `Value`, which get their paths.

use std::collections::HashMap;
use std::fmt::Write as _;

use syn::ext::IdentExt;

use super::emit::{ENGINE, Style, Writer, push_bytes, push_float, push_text};
use super::shape::deeper;
use super::{Problem, names};
use crate::codegen::call::{Declared, DeclaredBody, DeclaredField, DeclaredVariant, FieldType, push_key};
use crate::codegen::did_you_mean;
use crate::codegen::similar;
use crate::diag::Diagnostic;
use crate::yaml::NodeRef;
use crate::yaml::view::View;

pub(in crate::codegen) type Types<'a> = HashMap<String, &'a Declared>;

pub(in crate::codegen) struct Filler<'a> {
    types: &'a Types<'a>,
    pub(in crate::codegen) writer: Writer<'a, 'a>,
    pub(in crate::codegen) misfits: Vec<Problem>,
    /// `Config.web.replicas`: the declared type of the root, and the fields.
    place: String,
}

impl<'a> Filler<'a> {
    pub(in crate::codegen) fn new(types: &'a Types<'a>, style: Style, root: &str, limit: u64) -> Filler<'a> {
        Filler { types, writer: Writer::new(style, &[], limit), misfits: Vec::new(), place: root.to_owned() }
    }

    fn misfit(&mut self, name: &'static str, message: String, node: NodeRef<'_>) {
        self.misfits.push(Problem { name, message, at: node.span() });
    }

    fn wrong(&mut self, expected: &str, node: NodeRef<'_>) {
        let message = format!("`{}`: expected {expected}, but was {}", self.place, node.kind());
        self.misfit("declared-type", message, node);
    }

    fn range(&mut self, value: impl std::fmt::Display, ty: &str, node: NodeRef<'_>) {
        let message = format!("`{}`: {value} does not fit `{ty}`", self.place);
        self.misfit("declared-range", message, node);
    }

    /// Writes a value as the type of its place.
    pub(in crate::codegen) fn value(&mut self, node: NodeRef<'_>, ty: &FieldType) -> Result<(), Diagnostic> {
        self.writer.check(node)?;
        match (ty, node.view()) {
            (FieldType::Option(_), View::Null) => self.writer.none(),
            (FieldType::Option(inner), _) => {
                self.writer.out.push_str("::core::option::Option::Some(");
                self.value(node, inner)?;
                self.writer.out.push(')');
            }
            (FieldType::Unit, View::Null) => self.writer.out.push_str("()"),
            (FieldType::Unit, _) => self.wrong("null", node),
            (FieldType::Bool, View::Bool(value)) => _ = write!(self.writer.out, "{value}"),
            (FieldType::Bool, _) => self.wrong("boolean", node),
            (FieldType::Int(name, low, high), View::Int(value)) => {
                self.int(i128::from(value), (name, *low, *high), node)
            }
            (FieldType::Int(name, low, high), View::UInt(value)) => {
                self.int(i128::from(value), (name, *low, *high), node)
            }
            (FieldType::Int(..), _) => self.wrong("integer", node),
            (FieldType::Float(is_short), view) => self.float(view, *is_short, node),
            (FieldType::Char, View::Str(text)) if text.chars().count() == 1 => {
                self.writer.out.extend(text.chars().map(|character| format!("'{}'", character.escape_default())));
            }
            (FieldType::Char, View::Str(_)) => self.wrong("a text of one character", node),
            (FieldType::Str(owned), View::Str(text)) => {
                self.writer.borrowed(*owned, |out, style| push_text(out, text, style))
            }
            (FieldType::Char | FieldType::Str(_), _) => self.wrong("string", node),
            (FieldType::Bytes(owned), View::Str(_) | View::Bytes(_)) => {
                let bytes = node.as_bytes().unwrap_or_default();
                self.writer.borrowed(*owned, |out, _| push_bytes(out, bytes));
            }
            (FieldType::Bytes(owned), View::Array(_)) => {
                self.list(node, &FieldType::Int("u8", 0, 255), *owned)?;
            }
            (FieldType::Bytes(_), _) => self.wrong("string", node),
            (FieldType::Slice(item, owned), View::Array(_)) => self.list(node, item, *owned)?,
            (FieldType::Array(item, length), View::Array(_)) => self.array(node, item, *length)?,
            (FieldType::Slice(..) | FieldType::Array(..), _) => self.wrong("array", node),
            (FieldType::Map(item), View::Map(_)) => self.map(node, item)?,
            (FieldType::Map(_), _) => self.wrong("map", node),
            (FieldType::Value, _) => {
                // The levels of a value of any type are counted for themselves.
                let depth = std::mem::take(&mut self.writer.depth);
                self.writer.any(node)?;
                self.writer.depth = depth;
            }
            (FieldType::Declared(name), _) => self.declared(node, &name.to_string())?,
        }
        Ok(())
    }

    fn int(&mut self, value: i128, (name, low, high): (&str, i128, i128), node: NodeRef<'_>) {
        if (low..=high).contains(&value) {
            let _ = write!(self.writer.out, "{value}");
        } else {
            self.range(value, name, node);
        }
    }

    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "an integer that it changes is refused"
    )]
    fn float(&mut self, view: View<'_>, is_short: bool, node: NodeRef<'_>) {
        let name = if is_short { "f32" } else { "f64" };
        // Fractions are rounded as the compiler rounds them; an integer stays what it is.
        let is_exact = |int: i128, value: f64| {
            let held = if is_short { f64::from(value as f32) } else { value };
            held as i128 == int
        };
        let (value, is_exact) = match view {
            View::Float(value) => (value, true),
            View::Int(int) => (int as f64, is_exact(int.into(), int as f64)),
            View::UInt(int) => (int as f64, is_exact(int.into(), int as f64)),
            _ => return self.wrong("float", node),
        };
        if !is_exact {
            return self.range(node.to_yaml().unwrap_or_default().trim_end(), name, node);
        }
        if is_short {
            let short = value as f32;
            if short.is_infinite() && !value.is_infinite() {
                return self.range(value, name, node);
            }
            let text = format!("{short:?}");
            return match short.is_finite() {
                true => self.writer.out.push_str(&text),
                false => push_float(&mut self.writer.out, value, name),
            };
        }
        push_float(&mut self.writer.out, value, name);
    }

    fn deeper(&mut self, node: NodeRef<'_>, ty: &FieldType) -> Result<(), Diagnostic> {
        let inner = deeper(self.writer.depth, node)?;
        let before = std::mem::replace(&mut self.writer.depth, inner);
        let done = self.value(node, ty);
        self.writer.depth = before;
        done
    }

    /// Works on a part of the current place.
    fn inside(&mut self, step: &str, work: impl FnOnce(&mut Self) -> Result<(), Diagnostic>) -> Result<(), Diagnostic> {
        let length = self.place.len();
        match step.starts_with('[') {
            true => self.place.push_str(step),
            false => push_key(&mut self.place, step),
        }
        let done = work(self);
        self.place.truncate(length);
        done
    }

    fn items(&mut self, node: NodeRef<'_>, item: &FieldType) -> Result<(), Diagnostic> {
        for (number, value) in node.items().enumerate() {
            self.inside(&format!("[{number}]"), |filler| filler.deeper(value, item))?;
            self.writer.out.push_str(", ");
        }
        Ok(())
    }

    fn list(&mut self, node: NodeRef<'_>, item: &FieldType, owned: bool) -> Result<(), Diagnostic> {
        self.writer.out.push_str(if owned { "::std::borrow::Cow::Borrowed(const { &[" } else { "&[" });
        self.items(node, item)?;
        self.writer.out.push_str(if owned { "] })" } else { "]" });
        Ok(())
    }

    fn array(&mut self, node: NodeRef<'_>, item: &FieldType, length: usize) -> Result<(), Diagnostic> {
        if node.len() != length {
            let message = format!("`{}`: expected {length} items, but there are {}", self.place, node.len());
            self.misfit("declared-length", message, node);
        }
        self.writer.out.push('[');
        self.items(node, item)?;
        self.writer.out.push(']');
        Ok(())
    }

    fn map(&mut self, node: NodeRef<'_>, item: &FieldType) -> Result<(), Diagnostic> {
        let cow = self.writer.style.cow;
        let start = if cow { "::constant::CowMap::borrowed(const { &[" } else { "::constant::Map::new(&[" };
        let _ = write!(self.writer.out, "{ENGINE}{start}");
        for (key, value) in node.entries() {
            let Some(text) = key.as_str() else {
                self.wrong("keys that are strings", key);
                continue;
            };
            self.writer.out.push('(');
            self.writer.borrowed(cow, |out, style| push_text(out, text, style));
            self.writer.out.push_str(", ");
            self.inside(text, |filler| filler.deeper(value, item))?;
            self.writer.out.push_str("), ");
        }
        self.writer.out.push_str(if cow { "] })" } else { "])" });
        Ok(())
    }

    /// Writes a value as a type of the call.
    pub(in crate::codegen) fn declared(&mut self, node: NodeRef<'_>, name: &str) -> Result<(), Diagnostic> {
        let types = self.types;
        match types.get(name).map(|declared| &declared.body) {
            Some(DeclaredBody::Struct(fields)) => self.structure(node, name, fields),
            Some(DeclaredBody::Enum(variants)) => self.variant(node, name, variants),
            // Names are checked before values.
            None => Ok(()),
        }
    }

    fn structure(&mut self, node: NodeRef<'_>, name: &str, fields: &[DeclaredField]) -> Result<(), Diagnostic> {
        if !node.is_map() {
            self.wrong(&format!("map for `{name}`"), node);
            return Ok(());
        }
        let mut found: Vec<Option<NodeRef<'_>>> = vec![None; fields.len()];
        for (key, value) in node.entries() {
            let text = key.as_str();
            let mut all = fields.iter().zip(&mut found);
            match (text.and_then(|text| all.find(|(field, _)| is_field(field, text))), text) {
                (Some((_, place @ None)), Some(_)) => *place = Some(value),
                (Some((field, _)), Some(text)) => {
                    let field = &field.name;
                    let message = format!("key `{text}` is a second one for the field `{field}` of `{name}`");
                    self.misfit("name-collision", message, key);
                }
                _ => {
                    let shown = text.map_or_else(|| key.to_yaml().unwrap_or_default(), str::to_owned);
                    let names: Vec<String> = fields.iter().map(DeclaredField::key).collect();
                    let near = did_you_mean(shown.trim_end(), names.iter().map(String::as_str));
                    let message = format!("key `{}` has no field in `{name}`{near}", shown.trim_end());
                    self.misfit("declared-unknown", message, key);
                }
            }
        }
        let _ = write!(self.writer.out, "{name} {{ ");
        for (field, value) in fields.iter().zip(found) {
            let raw = field.name.to_string();
            let plain = raw.trim_start_matches("r#");
            let _ = write!(self.writer.out, "{raw}: ");
            match (value, &field.ty) {
                (Some(value), ty) => self.inside(plain, |filler| filler.deeper(value, ty))?,
                (None, FieldType::Option(_)) => self.writer.none(),
                (None, _) => {
                    let key = field.key();
                    let unknown = node.entries().filter_map(|(key, _)| key.as_str());
                    let unknown = unknown.filter(|text| !fields.iter().any(|field| is_field(field, text)));
                    let near = similar(&key, unknown).map(|near| format!(" (is `{near}` meant?)")).unwrap_or_default();
                    let message = format!("`{}.{plain}`: key `{key}` is missing{near}", self.place);
                    self.misfit("declared-missing", message, node);
                }
            }
            self.writer.out.push_str(", ");
        }
        self.writer.out.push('}');
        Ok(())
    }

    fn variant(&mut self, node: NodeRef<'_>, name: &str, variants: &[DeclaredVariant]) -> Result<(), Diagnostic> {
        if let Some(text) = node.as_str()
            && let Some(variant) = variants.iter().find(|variant| is_variant(variant, text))
        {
            let _ = write!(self.writer.out, "{name}::{}", variant.name);
            return Ok(());
        }
        for variant in variants {
            let Some((ty, _)) = &variant.content else { continue };
            let (out, misfits) = (self.writer.out.len(), self.misfits.len());
            let _ = write!(self.writer.out, "{name}::{}(", variant.name);
            self.deeper(node, ty)?;
            self.writer.out.push(')');
            if self.misfits.len() == misfits {
                return Ok(());
            }
            self.writer.out.truncate(out);
            self.misfits.truncate(misfits);
        }
        let texts: Vec<String> = variants
            .iter()
            .filter(|variant| variant.content.is_none())
            .map(|variant| format!("`{}`", spelling(variant)))
            .collect();
        let shown = match node.as_str() {
            Some(text) => format!("{text:?}"),
            None => format!("this {}", node.kind()),
        };
        let message = match texts.is_empty() {
            true => format!("{shown} fits no variant of `{name}`"),
            false => format!("{shown} is no variant of `{name}` ({})", texts.join(", ")),
        };
        self.misfit("declared-variant", message, node);
        Ok(())
    }
}

/// Does a key belong to a field: by its other name, or by the name that it would get?
fn is_field(field: &DeclaredField, key: &str) -> bool {
    match &field.rename {
        Some(rename) => rename == key,
        // a keyword of a later edition is a plain name in an earlier one
        None => names::snake(key).is_some_and(|name| field.name.unraw() == name.trim_start_matches("r#")),
    }
}

/// Is a text a variant, in one of the spellings that people use?
fn is_variant(variant: &DeclaredVariant, text: &str) -> bool {
    if variant.content.is_some() {
        return false;
    }
    if let Some(rename) = &variant.rename {
        return rename == text;
    }
    let name = variant.name.to_string();
    let name = name.trim_start_matches("r#");
    let snake = names::snake(name).unwrap_or_default();
    let snake = snake.trim_start_matches("r#");
    let mut letters = name.chars();
    let small: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    text == name || text == snake || text == small || text == snake.replace('_', "-")
}

/// How a variant is probably written in YAML.
fn spelling(variant: &DeclaredVariant) -> String {
    variant.rename.clone().unwrap_or_else(|| {
        let snake = names::snake(&variant.name.to_string().replace("r#", "")).unwrap_or_default();
        snake.trim_start_matches("r#").replace('_', "-")
    })
}

/// The types that are used but not declared, as the tokens that name them.
pub(in crate::codegen) fn undeclared<'a>(types: &Types<'a>) -> Vec<&'a proc_macro2::Ident> {
    let mut missing = Vec::new();
    let mut names: Vec<&String> = types.keys().collect();
    names.sort();
    for declared in names.into_iter().map(|name| types[name]) {
        let fields: Vec<&FieldType> = match &declared.body {
            DeclaredBody::Struct(fields) => fields.iter().map(|field| &field.ty).collect(),
            DeclaredBody::Enum(variants) => variants.iter().filter_map(|one| Some(&one.content.as_ref()?.0)).collect(),
        };
        for ty in fields {
            if let Some(name) = innermost(ty)
                && !types.contains_key(&name.to_string())
            {
                missing.push(name);
            }
        }
    }
    missing
}

fn innermost(ty: &FieldType) -> Option<&proc_macro2::Ident> {
    match ty {
        FieldType::Slice(inner, _) | FieldType::Array(inner, _) | FieldType::Option(inner) | FieldType::Map(inner) => {
            innermost(inner)
        }
        FieldType::Declared(name) => Some(name),
        _ => None,
    }
}
