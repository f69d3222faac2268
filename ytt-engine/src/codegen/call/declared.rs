//! Types that a call declares: structs with named fields, and enums.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{
    Attribute, Data, DeriveInput, Expr, Fields, GenericArgument, Ident, LitStr, Meta, PathArguments, Token, Type,
};

use super::CallError;

/// An attribute of an item.
#[derive(Clone, Debug)]
pub struct Attr {
    /// `derive`, `cfg`, `doc`, …
    pub name: String,
    pub tokens: TokenStream,
    /// What stands between its parentheses.
    pub arguments: TokenStream,
}

impl Attr {
    pub(crate) fn of(attribute: &Attribute) -> Attr {
        let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        let arguments = match &attribute.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        Attr { name, tokens: attribute.to_token_stream(), arguments }
    }
}

/// A declared type.
#[derive(Clone, Debug)]
pub struct Declared {
    /// All but `#[ytt(…)]`.
    pub attributes: Vec<Attr>,
    pub visibility: TokenStream,
    pub name: Ident,
    /// What it holds.
    pub body: DeclaredBody,
}

/// The inside of a declared type.
#[derive(Clone, Debug)]
pub enum DeclaredBody {
    Struct(Vec<DeclaredField>),
    Enum(Vec<DeclaredVariant>),
}

/// A field of a declared struct.
#[derive(Clone, Debug)]
pub struct DeclaredField {
    /// All but `#[ytt(…)]`.
    pub attributes: Vec<Attr>,
    pub visibility: TokenStream,
    pub name: Ident,
    /// The key that `#[ytt(rename = "…")]` gives it.
    pub rename: Option<String>,
    pub ty: FieldType,
    /// Its type as written.
    pub written: TokenStream,
}

impl DeclaredField {
    /// The key that it is read from: one of several where the name of the field says it.
    pub fn key(&self) -> String {
        self.rename.clone().unwrap_or_else(|| self.name.to_string().trim_start_matches("r#").to_owned())
    }
}

/// A variant of a declared enum: a text, or one value of another type.
#[derive(Clone, Debug)]
pub struct DeclaredVariant {
    /// All but `#[ytt(…)]`.
    pub attributes: Vec<Attr>,
    pub name: Ident,
    /// The text that `#[ytt(rename = "…")]` gives it.
    pub rename: Option<String>,
    /// What it holds, with the type as written; nothing for a text.
    pub content: Option<(FieldType, TokenStream)>,
}

/// What a value of YAML has to be to fit a declared place.
#[derive(Clone, Debug)]
pub enum FieldType {
    /// `()`: null.
    Unit,
    Bool,
    /// `char`: a text of one character.
    Char,
    /// An integer: its name, lowest and highest value.
    Int(&'static str, i128, i128),
    /// `f64`, or `f32` if the flag is set.
    Float(bool),
    /// `&'static str`; with the flag `Cow<'static, str>`.
    Str(bool),
    /// `&'static [u8]`: text or bytes; with the flag `Cow<'static, [u8]>`.
    Bytes(bool),
    /// `&'static [T]`; with the flag `Cow<'static, [T]>`.
    Slice(Box<FieldType>, bool),
    Array(Box<FieldType>, usize),
    /// `Option<T>`: null, or a key that is missing, is `None`.
    Option(Box<FieldType>),
    Map(Box<FieldType>),
    Value,
    /// A type of the same call.
    Declared(Ident),
}

/// Integers and their bounds; those of 128 bits hold what YAML has, and `isize` what every machine has.
const INTEGERS: [(&str, i128, i128); 12] = [
    ("i8", i8::MIN as i128, i8::MAX as i128),
    ("i16", i16::MIN as i128, i16::MAX as i128),
    ("i32", i32::MIN as i128, i32::MAX as i128),
    ("i64", i64::MIN as i128, i64::MAX as i128),
    ("i128", i64::MIN as i128, u64::MAX as i128),
    ("isize", i32::MIN as i128, i32::MAX as i128),
    ("u8", 0, u8::MAX as i128),
    ("u16", 0, u16::MAX as i128),
    ("u32", 0, u32::MAX as i128),
    ("u64", 0, u64::MAX as i128),
    ("u128", 0, u64::MAX as i128),
    ("usize", 0, u32::MAX as i128),
];

/// Reads `struct …` or `enum …` with what stands in front of it, up to the end of its body. A type that is wrong is none,
/// and its mistakes are in the list.
pub(super) fn declared(input: ParseStream<'_>, errors: &mut Vec<CallError>) -> Result<Option<Declared>, CallError> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let ends = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        tokens.extend([token]);
        if ends {
            break;
        }
    }
    let before = errors.len();
    let found = syn::parse2(tokens).map_err(CallError::from).and_then(|parsed| checked(parsed, errors));
    match found {
        Ok(found) => Ok(Some(found).filter(|_| errors.len() == before)),
        Err(error) => {
            errors.push(error);
            Ok(None)
        }
    }
}

/// Of a type without fields or with others, the first mistake is an error; those of fields are all in the list.
fn checked(parsed: DeriveInput, errors: &mut Vec<CallError>) -> Result<Declared, CallError> {
    let generics = &parsed.generics;
    let condition = generics.where_clause.as_ref().map(|clause| clause.where_token.span);
    if let Some(span) = generics.lt_token.as_ref().map(|token| token.spans[0]).or(condition) {
        return Err(CallError::new("declared-generic", span, "declared types have no generics"));
    }
    let body = match parsed.data {
        Data::Struct(data) => {
            let Fields::Named(fields) = data.fields else {
                let message = format!("declare the keys of `{0}`: `struct {0} {{ key: Type, … }}`", parsed.ident);
                return Err(CallError::new("declared-fields", parsed.ident.span(), message));
            };
            DeclaredBody::Struct(all(fields.named.into_iter().map(field), errors))
        }
        Data::Enum(data) => DeclaredBody::Enum(all(data.variants.into_iter().map(variant), errors)),
        Data::Union(_) => {
            return Err(CallError::new("declared-fields", parsed.ident.span(), "declare a struct or an enum"));
        }
    };
    let (attributes, rename) = renamed(parsed.attrs)?;
    if rename.is_some() {
        let message = "`rename` belongs to fields and variants";
        return Err(CallError::new("declared-attribute", parsed.ident.span(), message));
    }
    Ok(Declared { attributes, visibility: parsed.vis.to_token_stream(), name: parsed.ident, body })
}

/// What could be read; the mistakes of the others are in the list.
fn all<T>(found: impl Iterator<Item = Result<T, CallError>>, errors: &mut Vec<CallError>) -> Vec<T> {
    found.filter_map(|one| one.map_err(|error| errors.push(error)).ok()).collect()
}

fn field(field: syn::Field) -> Result<DeclaredField, CallError> {
    let ty = field_type(&field.ty)?;
    let (attributes, rename) = renamed(field.attrs)?;
    let Some(name) = field.ident else {
        return Err(CallError::new("declared-fields", Span::call_site(), "expected the name of a field"));
    };
    Ok(DeclaredField {
        attributes,
        visibility: field.vis.to_token_stream(),
        name,
        rename,
        ty,
        written: field.ty.to_token_stream(),
    })
}

fn variant(variant: syn::Variant) -> Result<DeclaredVariant, CallError> {
    let wrong = |message: &str| Err(CallError::new("declared-variants", variant.ident.span(), message));
    if variant.discriminant.is_some() {
        return wrong("variants of declared enums have no numbers");
    }
    let content = match variant.fields {
        Fields::Unit => None,
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let held = |field: syn::Field| Ok::<_, CallError>((field_type(&field.ty)?, field.ty.to_token_stream()));
            fields.unnamed.into_iter().next().map(held).transpose()?
        }
        _ => return wrong("a variant is a text, `Name`, or holds one value, `Name(Type)`"),
    };
    let (attributes, rename) = renamed(variant.attrs)?;
    Ok(DeclaredVariant { attributes, name: variant.ident, rename, content })
}

/// Attributes without ours, and what ours says.
fn renamed(attributes: Vec<Attribute>) -> Result<(Vec<Attr>, Option<String>), CallError> {
    let (ours, others): (Vec<_>, Vec<_>) =
        attributes.into_iter().partition(|attribute| attribute.path().is_ident("ytt"));
    let mut rename = None;
    for attribute in ours {
        let expected = "expected `#[ytt(rename = \"key\")]`";
        let read = |input: ParseStream<'_>| {
            let name = input.parse::<Ident>()?;
            input.parse::<Token![=]>()?;
            let text = input.parse::<LitStr>()?;
            Ok((name, text.value()))
        };
        let span = attribute.path().get_ident().map_or_else(Span::call_site, Ident::span);
        match attribute.parse_args_with(read) {
            Ok((name, text)) if name == "rename" => rename = Some(text),
            _ => return Err(CallError::new("declared-attribute", span, expected)),
        }
    }
    Ok((others.iter().map(Attr::of).collect(), rename))
}

/// The type of a field, by the names that its author used.
pub(super) fn field_type(ty: &Type) -> Result<FieldType, CallError> {
    let unknown = || {
        let written = ty.to_token_stream();
        let text = format!(
            "`{written}` cannot be filled from YAML: fields are `bool`, integers, `f64`, `f32`, `char`, `&'static str`, \
             `&'static [T]`, `[T; N]`, `Option<T>`, `Map<T>`, `Value`, `()`, and types of this call"
        );
        CallError::new("declared-type", span_of(ty), text)
    };
    match ty {
        Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(FieldType::Unit),
        Type::Reference(reference) if reference.lifetime.is_none() => {
            let text =
                format!("write `&'static {}`: constants live as long as the program", reference.elem.to_token_stream());
            Err(CallError::new("declared-type", span_of(ty), text))
        }
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => Ok(FieldType::Str(false)),
            Type::Slice(slice) => slice_of(&slice.elem, false),
            _ => Err(unknown()),
        },
        Type::Array(array) => {
            let Expr::Lit(length) = &array.len else { return Err(unknown()) };
            let syn::Lit::Int(length) = &length.lit else { return Err(unknown()) };
            let length = length.base10_parse().map_err(|_| unknown())?;
            Ok(FieldType::Array(Box::new(field_type(&array.elem)?), length))
        }
        Type::Group(group) => field_type(&group.elem),
        Type::Paren(paren) => field_type(&paren.elem),
        Type::Path(path) if path.qself.is_none() => named_type(&path.path).unwrap_or_else(|| Err(unknown())),
        _ => Err(unknown()),
    }
}

fn slice_of(item: &Type, owned: bool) -> Result<FieldType, CallError> {
    match item {
        Type::Path(path) if path.path.is_ident("u8") => Ok(FieldType::Bytes(owned)),
        item => Ok(FieldType::Slice(Box::new(field_type(item)?), owned)),
    }
}

/// Is it the name of a type that every program has, with values of YAML?
pub(super) fn is_primitive(name: &Ident) -> bool {
    INTEGERS.iter().any(|(known, ..)| name == known)
        || ["bool", "char", "f32", "f64", "str"].iter().any(|known| name == known)
}

/// The meaning of a path; `None` if it has none here.
fn named_type(path: &syn::Path) -> Option<Result<FieldType, CallError>> {
    let last = path.segments.last()?;
    let name = last.ident.unraw().to_string();
    let arguments: Vec<&Type> = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => {
            let types = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            types.collect()
        }
        _ => Vec::new(),
    };
    let boxed = |ty: &Type| field_type(ty).map(Box::new);
    match (name.as_str(), &arguments[..]) {
        ("Option", [ty]) => return Some(boxed(ty).map(FieldType::Option)),
        ("Map" | "CowMap", [ty]) => return Some(boxed(ty).map(FieldType::Map)),
        ("Cow", [Type::Path(text)]) if text.path.is_ident("str") => return Some(Ok(FieldType::Str(true))),
        ("Cow", [Type::Slice(slice)]) => return Some(slice_of(&slice.elem, true)),
        (_, []) => {}
        _ => return None,
    }
    if let Some((name, low, high)) = INTEGERS.iter().find(|(known, ..)| *known == name) {
        return Some(Ok(FieldType::Int(name, *low, *high)));
    }
    Some(Ok(match name.as_str() {
        "bool" => FieldType::Bool,
        "char" => FieldType::Char,
        "f64" => FieldType::Float(false),
        "f32" => FieldType::Float(true),
        "Value" => FieldType::Value,
        // `str`, `String` and their kin hold no constant text.
        "str" | "String" | "Vec" | "Box" => return None,
        _ if path.segments.len() == 1 => FieldType::Declared(last.ident.clone()),
        _ => return None,
    }))
}

pub(super) fn span_of(ty: &Type) -> Span {
    ty.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
