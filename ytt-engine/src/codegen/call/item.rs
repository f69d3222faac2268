//! Items of a call: statics, modules of statics, and the types that they use.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, GenericArgument, Ident, PathArguments, Token, Type, Visibility, token};

use super::declared::{self, Attr, Declared, is_primitive, span_of};
use super::path::{self, Condition, YamlPath, is_word};
use super::{CallError, Source, SourceKind, Variable, brackets, expect, source, within};
use crate::codegen::did_you_mean;

/// One item of a call.
#[derive(Clone, Debug)]
pub enum Item {
    /// `static NAME: Type = source;`
    Static(Box<StaticItem>),
    /// `mod name = documents(..) by path;`
    Module(Box<ModuleItem>),
    /// `struct` or `enum`.
    Declared(Box<Declared>),
}

impl Item {
    /// Where its values come from; a declared type has none.
    pub(crate) fn source(&self) -> Option<&Source> {
        match self {
            Item::Static(item) => Some(&item.source),
            Item::Module(item) => Some(&item.source),
            Item::Declared(_) => None,
        }
    }
}

/// A constant.
#[derive(Clone, Debug)]
pub struct StaticItem {
    pub attributes: Vec<Attr>,
    pub visibility: TokenStream,
    pub name: Ident,
    /// What it is made of.
    pub ty: Written,
    /// Its type, as written.
    pub tokens: TokenStream,
    /// Where its value comes from.
    pub source: Source,
    /// All must hold for a document to count.
    pub conditions: Vec<Condition>,
    /// How a type of the user's is filled.
    pub reading: Reading,
}

/// A module of constants, one for each document.
#[derive(Clone, Debug)]
pub struct ModuleItem {
    pub attributes: Vec<Attr>,
    pub visibility: TokenStream,
    pub name: Ident,
    /// Where the documents come from.
    pub source: Source,
    /// All must hold for a document to count.
    pub conditions: Vec<Condition>,
    /// What names modules and constants.
    pub by: Vec<YamlPath>,
}

/// How a value gets into a type of the user's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    #[default]
    Constant,
    /// `as serde`: read at first use.
    Serde,
    /// `as fields`: assigned field by field at first use.
    Fields,
}

/// The type of a constant.
#[derive(Clone, Debug)]
pub enum Written {
    /// The name of a generated or declared type; `Value` has none.
    One(Option<Ident>, Span),
    /// The same between brackets.
    List(Option<Ident>, Span),
    /// `[(&str, &str)]`, or with the flag `[(&str, &[u8])]`.
    Files(bool, Span),
    /// `LazyLock<T>`: `T`, and whether it is a list.
    Lazy { ty: TokenStream, is_list: bool },
}

impl Written {
    /// The name of a generated or declared type.
    pub fn name(&self) -> Option<&Ident> {
        if let Written::One(name, _) | Written::List(name, _) = self { name.as_ref() } else { None }
    }

    /// Is it a list, of documents or files?
    pub fn is_list(&self) -> bool {
        matches!(self, Written::List(..) | Written::Files(..) | Written::Lazy { is_list: true, .. })
    }
}

/// Does an item begin here: an attribute, a visibility, a static, a module, a type?
pub(super) fn is_item(input: ParseStream<'_>) -> bool {
    input.peek(Token![#])
        || input.peek(Token![pub])
        || input.peek(Token![static])
        || input.peek(Token![const])
        || input.peek(Token![mod])
        || input.peek(Token![struct])
        || input.peek(Token![enum])
}

/// Reads items up to the end. `bare` sources have no inputs: the builder has them.
pub(super) fn items(
    input: ParseStream<'_>,
    variable: Variable<'_>,
    bare: bool,
    errors: &mut Vec<CallError>,
) -> Vec<Item> {
    let mut reader = Reader { variable, bare, errors };
    let mut items = Vec::new();
    while !input.is_empty() {
        match reader.item(input) {
            Ok(item) => items.extend(item),
            Err(error) => {
                reader.errors.push(error);
                // The next item may have mistakes of its own; it begins behind `;` or a body.
                skip_item(input);
            }
        }
    }
    items
}

fn skip_item(input: ParseStream<'_>) {
    while let Ok(token) = input.parse::<TokenTree>() {
        let ends = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && is_item(input),
            _ => false,
        };
        if ends {
            return;
        }
    }
}

struct Reader<'a, 'e> {
    variable: Variable<'a>,
    bare: bool,
    errors: &'e mut Vec<CallError>,
}

impl Reader<'_, '_> {
    /// Reads an item. An error is one after which the rest of the item is there still; an item that was read to its end
    /// and is wrong is none, and its mistakes are in the list.
    fn item(&mut self, input: ParseStream<'_>) -> Result<Option<Item>, CallError> {
        let ahead = input.fork();
        ahead.call(Attribute::parse_outer)?;
        ahead.parse::<Visibility>()?;
        if ahead.peek(Token![struct]) || ahead.peek(Token![enum]) {
            let declared = declared::declared(input, self.errors)?;
            return Ok(declared.map(|declared| Item::Declared(Box::new(declared))));
        }
        let attributes = input.call(Attribute::parse_outer)?.iter().map(Attr::of).collect();
        let visibility = input.parse::<Visibility>()?.to_token_stream();
        if input.peek(Token![const]) {
            return Err(CallError::new("item-const", input.span(), "write `static`: constants can read it"));
        }
        let is_static = input.parse::<Option<Token![static]>>()?.is_some();
        if !is_static {
            expect::<Token![mod]>(input, "item-unknown", "expected `static`, `mod`, `struct` or `enum`")?;
        }
        let name = Ident::parse_any(input)?;
        let ty = if is_static { Some(static_type(input, &name)?) } else { None };
        expect::<Token![=]>(input, "item-equals", "expected `=` and a source")?;
        let source = self.source(input)?;
        if !is_static && source.kind != SourceKind::Documents {
            let message = "a module is made of `documents(..) by kind, metadata.name`";
            return Err(CallError::new("module-source", source.span, message));
        }
        let conditions = match input.parse::<Option<Token![where]>>()? {
            Some(_) => path::conditions(input, self.variable)?,
            None => Vec::new(),
        };
        let Some(ty) = ty else {
            let by = names(input)?;
            end(input)?;
            return Ok(Some(Item::Module(Box::new(ModuleItem {
                attributes,
                visibility,
                name,
                source,
                conditions,
                by,
            }))));
        };
        let reading = reading(input)?;
        end(input)?;
        Ok(written(&ty, &source, &conditions, reading).map_err(|error| self.errors.push(error)).ok().map(|written| {
            let tokens = ty.to_token_stream();
            let item = StaticItem { attributes, visibility, name, ty: written, tokens, source, conditions, reading };
            Item::Static(Box::new(item))
        }))
    }

    /// `data_values(..)`, `document(..)`, `documents(..)` or `files(..)`.
    fn source(&mut self, input: ParseStream<'_>) -> Result<Source, CallError> {
        let span = input.span();
        let word = input.call(Ident::parse_any).map(|word| word.unraw().to_string()).unwrap_or_default();
        let Some((_, kind)) = SOURCES.iter().find(|(name, _)| *name == word) else {
            let near = did_you_mean(&word, SOURCES.map(|(name, _)| name));
            let message = format!("expected `data_values`, `document`, `documents` or `files`{near}");
            return Err(CallError::new("source-unknown", span, message));
        };
        if self.bare {
            if input.peek(token::Paren) {
                let message = format!("the builder has the inputs: write `{word}` without parentheses");
                return Err(CallError::new("source-inputs", input.span(), message));
            }
            return Ok(Source::bare(*kind, span));
        }
        let example = format!("expected a path, as in `{word}(\"config\")`");
        let Some((inside, _)) = brackets(input, Delimiter::Parenthesis) else {
            return Err(CallError::new("no-input", span, example));
        };
        let found = within(inside, |inside| Ok(source(inside, *kind, span, &example, self.variable, self.errors)))?;
        // Its mistakes are in the list already; the item is read to its end for the others.
        Ok(found.unwrap_or_else(|| Source::bare(*kind, span)))
    }
}

fn static_type(input: ParseStream<'_>, name: &Ident) -> Result<Type, CallError> {
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return Err(CallError::new("item-no-type", name.span(), format!("expected `:` and a type after `{name}`")));
    }
    Ok(input.parse()?)
}

/// What names the constants of a module.
fn names(input: ParseStream<'_>) -> Result<Vec<YamlPath>, CallError> {
    if !is_word(input, "by") {
        let message = "expected `by` and the keys that name the constants, as in `by kind, metadata.name`";
        return Err(CallError::new("module-by", input.span(), message));
    }
    input.call(Ident::parse_any)?;
    path::paths(input)
}

fn end(input: ParseStream<'_>) -> Result<(), CallError> {
    expect::<Token![;]>(input, "item-end", "expected `;`").map(drop)
}

fn reading(input: ParseStream<'_>) -> Result<Reading, CallError> {
    if input.parse::<Option<Token![as]>>()?.is_none() {
        return Ok(Reading::Constant);
    }
    let span = input.span();
    let word = input.call(Ident::parse_any)?;
    match word.to_string().as_str() {
        "serde" => Ok(Reading::Serde),
        "fields" => Ok(Reading::Fields),
        _ => Err(CallError::new("as-unknown", span, "expected `as serde` or `as fields`")),
    }
}

const SOURCES: [(&str, SourceKind); 4] = [
    ("data_values", SourceKind::DataValues),
    ("document", SourceKind::Document),
    ("documents", SourceKind::Documents),
    ("files", SourceKind::Files),
];

/// What the type of a static says, with its source in mind; the conditions have to go with the source too.
fn written(ty: &Type, source: &Source, conditions: &[Condition], reading: Reading) -> Result<Written, CallError> {
    let written = match reading {
        Reading::Constant => plain(ty, source)?,
        _ => lazy(ty, source, reading)?,
    };
    match conditions.first() {
        Some(condition) if matches!(source.kind, SourceKind::DataValues | SourceKind::Files) => {
            let message = "`where` chooses documents: it goes with `document` and `documents`";
            Err(CallError::new("where-source", condition.path.span, message))
        }
        _ => Ok(written),
    }
}

fn plain(ty: &Type, source: &Source) -> Result<Written, CallError> {
    let span = span_of(ty);
    let wrong = |message: String| Err(CallError::new("item-type", span, message));
    let list = match ty {
        Type::Slice(slice) => Some(&*slice.elem),
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => Some(&*slice.elem),
            _ => None,
        },
        _ => None,
    };
    let found = match (list, ty) {
        (Some(Type::Tuple(pair)), _) if pair.elems.len() == 2 => match pair.elems.last().and_then(files_of) {
            Some(bytes) => Written::Files(bytes, span),
            None => return wrong("write `[(&str, &str)]` or `[(&str, &[u8])]`".to_owned()),
        },
        (Some(item), _) => Written::List(Some(one_name(item, span)?).filter(|name| name != "Value"), span),
        (None, ty) => Written::One(Some(one_name(ty, span)?).filter(|name| name != "Value"), span),
    };
    if let Some(name) = found.name().filter(|name| is_primitive(name)) {
        return wrong(format!(
            "`{name}` has a meaning already: write a new name for the type of the document, as in `Config`, or `Value`"
        ));
    }
    match source.kind {
        SourceKind::DataValues | SourceKind::Document | SourceKind::Text if found.is_list() => {
            wrong("one value: write a name, as in `static CONFIG: Config`".to_owned())
        }
        SourceKind::Documents if !matches!(found, Written::List(..)) => {
            wrong("`documents` is a list: write `[Name]` or `[Value]`".to_owned())
        }
        SourceKind::Files if !matches!(found, Written::Files(..)) => {
            wrong("`files` is a list: write `[(&str, &str)]` or `[(&str, &[u8])]`".to_owned())
        }
        _ => Ok(found),
    }
}

fn files_of(second: &Type) -> Option<bool> {
    let Type::Reference(reference) = second else { return None };
    match &*reference.elem {
        Type::Path(path) if path.path.is_ident("str") => Some(false),
        Type::Slice(slice) => match &*slice.elem {
            Type::Path(path) if path.path.is_ident("u8") => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// The one name that a type is.
fn one_name(ty: &Type, span: Span) -> Result<Ident, CallError> {
    if let Type::Group(group) = ty {
        return one_name(&group.elem, span);
    }
    if let Type::Path(path) = ty
        && let Some(name) = path.path.get_ident()
    {
        return Ok(name.clone());
    }
    if !matches!(ty, Type::Path(_)) {
        let message = "expected a name, `[Name]`, `Value` or `[Value]`; a text is `static X: &str = include_ytt!(…)`";
        return Err(CallError::new("item-type", span, message));
    }
    let message = "a type of yours needs `LazyLock<…>` and `as serde` or `as fields`";
    Err(CallError::new("type-path", span, message))
}

fn lazy(ty: &Type, source: &Source, reading: Reading) -> Result<Written, CallError> {
    let span = span_of(ty);
    let word = if reading == Reading::Serde { "serde" } else { "fields" };
    let found = arguments_of(ty, "LazyLock");
    let Some(inner) = found else {
        let message = format!("write `LazyLock<{}>`: `as {word}` fills it at first use", ty.to_token_stream());
        return Err(CallError::new("as-serde-type", span, message));
    };
    let is_list = source.kind == SourceKind::Documents;
    if source.kind == SourceKind::Files {
        let message = format!("`files` are texts or bytes: they cannot be read `as {word}`");
        return Err(CallError::new("as-source", source.span, message));
    }
    if is_list && arguments_of(inner, "Vec").is_none() {
        let message = format!("`documents` is a list: write `LazyLock<Vec<{}>>`", inner.to_token_stream());
        return Err(CallError::new("as-serde-type", span, message));
    }
    if is_list && reading == Reading::Fields {
        let message = "`as fields` fills one value: use `document(..) where ..`, or `as serde`";
        return Err(CallError::new("as-source", source.span, message));
    }
    Ok(Written::Lazy { ty: inner.to_token_stream(), is_list })
}

/// The type between the brackets of `Name<…>`.
fn arguments_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(ty)) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
}
