//! Text in a call: a string literal, `concat!(…)` or `env!(…)`. A macro cannot read constants.

use proc_macro2::{Delimiter, Span, TokenTree};
use syn::parse::ParseStream;
use syn::{Lit, Token};

use super::{CallError, Variable, comma, within};

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

/// Reads a text.
pub(super) fn parse(input: ParseStream<'_>, variable: Variable<'_>) -> Result<Text, CallError> {
    if input.peek(Lit) {
        return match input.parse::<Lit>()? {
            Lit::Str(text) => Ok(Text { span: text.span(), value: text.value(), is_literal: true }),
            other => Err(not_literal(&other.span(), "this")),
        };
    }
    let found: TokenTree = input.parse()?;
    match &found {
        TokenTree::Ident(name) if (name == "concat" || name == "env") && input.peek(Token![!]) => {
            input.parse::<Token![!]>()?;
            let inside = match input.parse::<TokenTree>()? {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => group.stream(),
                other => return Err(CallError::new("syntax", other.span(), "expected `(`")),
            };
            let value = expand(&name.to_string(), name.span(), inside, variable)?;
            Ok(Text { value, span: name.span(), is_literal: false })
        }
        other => Err(not_literal(&other.span(), &format!("`{other}`"))),
    }
}

fn not_literal(span: &Span, what: &str) -> CallError {
    CallError::new(
        "input-not-literal",
        *span,
        format!("expected a string literal, `concat!(..)` or `env!(..)`; a macro cannot read {what}"),
    )
}

/// What `concat!` and `env!` give.
fn expand(
    name: &str,
    span: Span,
    inside: proc_macro2::TokenStream,
    variable: Variable<'_>,
) -> Result<String, CallError> {
    let parts = |input: ParseStream<'_>| {
        let mut parts = Vec::new();
        while !input.is_empty() {
            parts.push(piece(input, variable)?);
            comma(input)?;
        }
        Ok(parts)
    };
    let parts: Vec<String> = within(inside, parts)?;
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
        other => Err(not_literal(&other.span(), "this")),
    }
}
