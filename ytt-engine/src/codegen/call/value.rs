//! Data values in a call: `{ replicas: 3, image.tag: "1.2" }`.

use proc_macro2::{Delimiter, Span, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, Lit, Token, token};

use super::{CallError, Variable, brackets, list, path, text};

/// A data value with the token that it comes from; of a collection that is the opening bracket.
#[derive(Clone, Debug)]
pub struct CallValue {
    pub kind: CallKind,
    pub span: Span,
}

/// What a data value is.
#[derive(Clone, Debug)]
pub enum CallKind {
    Null,
    Bool(bool),
    /// An integer from `i64::MIN` to `u64::MAX`.
    Int(i128),
    /// A number with a point or an exponent.
    Float(f64),
    Str(String),
    Array(Vec<CallValue>),
    /// In the order in which keys first stand; keys with dots are already nested.
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// One part of a key; dots in it were written in quotes.
    pub key: String,
    pub span: Span,
    pub value: CallValue,
    /// Made of a key with dots: further keys may come into its map.
    joint: bool,
}

/// Reads `{ key: value, … }`; also where it begins.
pub(super) fn map(input: ParseStream<'_>, variable: Variable<'_>) -> Result<(Vec<Entry>, Span), CallError> {
    let span = input.span();
    let Some((inside, span)) = brackets(input, Delimiter::Brace) else {
        return Err(CallError::new("values-not-map", span, "expected `{ key: value, … }`"));
    };
    let mut map = Vec::new();
    list(inside, |input| {
        let path = key(input)?;
        colon(input, &path)?;
        insert(&mut map, &path, value(input, variable)?, "")
    })?;
    Ok((map, span))
}

/// The colon behind a key. Where `-` stands instead, the whole key was meant: it has to be quoted.
pub(super) fn colon(input: ParseStream<'_>, path: &[(String, Span)]) -> Result<(), CallError> {
    if input.parse::<Option<Token![:]>>()?.is_some() {
        return Ok(());
    }
    let span = input.span();
    if !input.peek(Token![-]) {
        return Err(CallError::new("value-colon", span, "expected `:`"));
    }
    let (last, before) = path.split_last().map_or(("", &[][..]), |((last, _), before)| (last.as_str(), before));
    let mut key = last.to_owned();
    while let Ok(token) = input.parse::<TokenTree>() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '-' => key.push('-'),
            TokenTree::Ident(name) => key.push_str(&name.unraw().to_string()),
            TokenTree::Literal(number) => key.push_str(&number.to_string()),
            _ => break,
        }
    }
    let before: String = before.iter().map(|(part, _)| format!("{part}.")).collect();
    let message = format!("expected `:`; a key with `-` is quoted: `{before}\"{key}\"`");
    Err(CallError::new("value-dash", span, message))
}

/// The parts of a key: identifiers and quoted texts with dots between them.
pub(super) fn key(input: ParseStream<'_>) -> Result<Vec<(String, Span)>, CallError> {
    let mut parts = Vec::new();
    loop {
        let Some(part) = path::part(input)? else {
            return Err(CallError::new("value-key", input.span(), "expected a key: an identifier or a quoted text"));
        };
        parts.push(part);
        if input.parse::<Option<Token![.]>>()?.is_none() {
            return Ok(parts);
        }
    }
}

/// Puts a value under a path of keys; `seen` is the part of the path above `map`.
fn insert(map: &mut Vec<Entry>, path: &[(String, Span)], value: CallValue, seen: &str) -> Result<(), CallError> {
    let Some(((key, span), rest)) = path.split_first() else { return Ok(()) };
    let shown = if seen.is_empty() { key.clone() } else { format!("{seen}.{key}") };
    let Some(entry) = map.iter_mut().find(|entry| entry.key == *key) else {
        let new = if rest.is_empty() {
            value
        } else {
            let mut inner = Vec::new();
            insert(&mut inner, rest, value, &shown)?;
            CallValue { kind: CallKind::Map(inner), span: *span }
        };
        map.push(Entry { key: key.clone(), span: *span, value: new, joint: true });
        return Ok(());
    };
    match (&mut entry.value.kind, value) {
        (CallKind::Map(inner), value) if entry.joint && !rest.is_empty() => insert(inner, rest, value, &shown),
        // `a.b: 1, a: { c: 2 }`: the maps are one, as long as no key stands twice.
        (CallKind::Map(inner), CallValue { kind: CallKind::Map(new), .. }) if rest.is_empty() => {
            for entry in new {
                insert(inner, &[(entry.key, entry.span)], entry.value, &shown)?;
            }
            Ok(())
        }
        _ => Err(CallError::new("value-twice", *span, format!("key `{shown}` is given twice"))),
    }
}

pub(super) fn value(input: ParseStream<'_>, variable: Variable<'_>) -> Result<CallValue, CallError> {
    if input.peek(token::Brace) {
        return map(input, variable).map(|(map, span)| CallValue { kind: CallKind::Map(map), span });
    }
    if let Some((inside, span)) = brackets(input, Delimiter::Bracket) {
        let kind = CallKind::Array(list(inside, |input| value(input, variable))?);
        return Ok(CallValue { kind, span });
    }
    let minus = input.parse::<Option<Token![-]>>()?;
    if input.peek(Lit) {
        return literal(input.parse()?, minus.is_some());
    }
    if let Some(minus) = minus {
        return Err(CallError::new("syntax", minus.spans[0], "expected a number after `-`"));
    }
    if input.peek(Ident::peek_any) && !input.peek2(Token![!]) {
        let name = Ident::parse_any(input)?;
        return match name.to_string().as_str() {
            "null" => Ok(CallValue { kind: CallKind::Null, span: name.span() }),
            "None" => Err(CallError::new("value-none", name.span(), "write `null`")),
            other => Err(constant(name.span(), other)),
        };
    }
    if input.is_empty() {
        return Err(constant(input.span(), "this"));
    }
    text::parse(input, variable).map(|text| CallValue { kind: CallKind::Str(text.value), span: text.span })
}

fn constant(span: Span, what: &str) -> CallError {
    let message = format!("expected a literal, `[…]`, `{{…}}` or `null`; a macro cannot read `{what}`");
    CallError::new("value-constant", span, message)
}

fn literal(literal: Lit, negative: bool) -> Result<CallValue, CallError> {
    let span = literal.span();
    let suffixed =
        |digits: &str| CallError::new("value-suffix", span, format!("a data value has no suffix: write `{digits}`"));
    let range = || CallError::new("value-range", span, "integer outside 64 bits: write a float or a string");
    let sign = if negative { -1.0 } else { 1.0 };
    let kind = match literal {
        Lit::Int(number) if !number.suffix().is_empty() => return Err(suffixed(number.base10_digits())),
        Lit::Int(number) => {
            let number: i128 = number.base10_parse().map_err(|_| range())?;
            let number = if negative { number.checked_neg().ok_or_else(range)? } else { number };
            let fits = number >= i128::from(i64::MIN) && number <= i128::from(u64::MAX);
            if fits { CallKind::Int(number) } else { return Err(range()) }
        }
        Lit::Float(number) if !number.suffix().is_empty() => return Err(suffixed(number.base10_digits())),
        Lit::Float(number) => CallKind::Float(sign * number.base10_parse::<f64>()?),
        Lit::Str(text) if !negative => CallKind::Str(text.value()),
        Lit::Bool(flag) if !negative => CallKind::Bool(flag.value()),
        other => return Err(constant(span, &other.to_token_stream().to_string())),
    };
    Ok(CallValue { kind, span })
}
