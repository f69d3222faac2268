//! Text in a call: a string literal, `concat!(…)` or `env!(…)`. A macro cannot read constants.

use proc_macro2::{Delimiter, Span, TokenTree};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Ident, Lit, Token};

use super::argument::NAMES;
use super::{CallError, Variable, brackets, list};

/// A text with the token that it comes from.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text.
    pub value: String,
    /// The literal, or the name of the macro.
    pub span: Span,
    /// Is it written as it is, without `concat!` and `env!`?
    pub is_literal: bool,
}

pub(super) fn parse(input: ParseStream<'_>, variable: Variable<'_>) -> Result<Text, CallError> {
    if input.peek(Lit) {
        return match input.parse::<Lit>()? {
            Lit::Str(text) => Ok(Text { span: text.span(), value: text.value(), is_literal: true }),
            other => Err(not_literal(other.span(), &format!("`{}`", other.to_token_stream()))),
        };
    }
    if input.peek(Ident) && input.peek2(Token![!]) {
        let name: Ident = input.parse()?;
        if name != "concat" && name != "env" {
            return Err(not_literal(name.span(), &format!("`{name}!`")));
        }
        input.parse::<Token![!]>()?;
        let span = input.span();
        let all = [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace];
        let Some((inside, _)) = all.into_iter().find_map(|delimiter| brackets(input, delimiter)) else {
            return Err(CallError::new("syntax", span, "expected `(`"));
        };
        let value = expand(&name.to_string(), name.span(), inside, variable)?;
        return Ok(Text { value, span: name.span(), is_literal: false });
    }
    let found: TokenTree = input.parse()?;
    if let TokenTree::Ident(name) = &found {
        let (span, word) = (name.span(), name.to_string());
        if word == "where" {
            return Err(CallError::new("where-source", span, "`where` stands behind the `)` of `document(…)`"));
        }
        if NAMES.contains(&word.as_str()) {
            return Err(CallError::new("syntax", span, format!("expected `=` behind `{word}`")));
        }
    }
    Err(not_literal(found.span(), &format!("`{found}`")))
}

fn not_literal(span: Span, what: &str) -> CallError {
    let message = format!("expected a string literal, `concat!(..)` or `env!(..)`; a macro cannot read {what}");
    CallError::new("input-not-literal", span, message)
}

/// What `concat!` and `env!` give.
fn expand(
    name: &str,
    span: Span,
    inside: proc_macro2::TokenStream,
    variable: Variable<'_>,
) -> Result<String, CallError> {
    let parts = list(inside, |input| piece(input, variable))?;
    if name == "concat" {
        return Ok(parts.concat());
    }
    let [wanted] = &parts[..] else {
        return Err(CallError::new("syntax", span, "`env!` takes the name of one variable"));
    };
    variable(wanted).ok_or_else(|| {
        CallError::new("env-unset", span, format!("the environment variable `{wanted}` is not set for this build"))
    })
}

/// A part of `concat!`: any literal, or a text.
fn piece(input: ParseStream<'_>, variable: Variable<'_>) -> Result<String, CallError> {
    if !input.peek(Lit) {
        return parse(input, variable).map(|text| text.value);
    }
    match input.parse::<Lit>()? {
        Lit::Str(text) => Ok(text.value()),
        Lit::Char(character) => Ok(character.value().to_string()),
        Lit::Bool(flag) => Ok(flag.value().to_string()),
        Lit::Int(number) => Ok(number.base10_digits().to_owned()),
        Lit::Float(number) => Ok(number.base10_digits().to_owned()),
        other => Err(not_literal(other.span(), &format!("`{}`", other.to_token_stream()))),
    }
}
