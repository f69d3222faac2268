//! The grammar of a call: what may stand between the brackets of `include_ytt!`.
//!
//! [`parse`] reads tokens into a [`Call`]: paths first, then named arguments. Every part keeps its span, so that an error
//! of rendering can be shown at the token that caused it. Nothing here knows the engine.

mod argument;
mod text;
mod value;

use proc_macro2::{Span, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::{Token, token};

#[cfg(all(test, feature = "engine"))]
pub(crate) use argument::LIMITS;
pub use argument::{Arguments, Limit, Output};
pub use text::Text;
pub use value::{CallMap, CallValue, Entry};

/// What is wrong with a call, at one of its tokens. The message is without the leading `ytt: `.
#[derive(Clone, Debug)]
pub struct CallError {
    /// The stable name of the mistake, without `call::`.
    pub name: &'static str,
    /// What to write instead.
    pub message: String,
    /// The token.
    pub span: Span,
}

impl CallError {
    pub(crate) fn new(name: &'static str, span: Span, message: impl Into<String>) -> CallError {
        CallError { name, message: message.into(), span }
    }
}

impl From<syn::Error> for CallError {
    fn from(error: syn::Error) -> CallError {
        CallError::new("syntax", error.span(), error.to_string())
    }
}

/// A call in its expression form.
#[derive(Clone, Debug)]
pub struct Call {
    /// Files and folders, as written.
    pub inputs: Vec<Text>,
    /// The named arguments.
    pub arguments: Arguments,
}

/// Reads the tokens of a call. `variable` gives environment variables of the compiler, for `env!`.
///
/// # Errors
///
/// Every mistake that can be seen without reading a file, in the order of the tokens.
pub fn parse(tokens: TokenStream, variable: &dyn Fn(&str) -> Option<String>) -> Result<Call, Vec<CallError>> {
    let mut errors = Vec::new();
    let call = within(tokens, |input| Ok(call(input, variable, &mut errors)));
    match call {
        Ok(Some(call)) if errors.is_empty() => Ok(call),
        Ok(_) => Err(errors),
        Err(error) => {
            errors.push(error);
            Err(errors)
        }
    }
}

/// Reads tokens. What `work` leaves after a mistake is passed over: the mistake is what counts.
fn within<T>(tokens: TokenStream, work: impl FnOnce(ParseStream<'_>) -> Result<T, CallError>) -> Result<T, CallError> {
    let read = |input: ParseStream<'_>| {
        let result = work(input);
        input.step(|cursor| {
            let mut rest = *cursor;
            while let Some((_, next)) = rest.token_tree() {
                rest = next;
            }
            Ok(((), rest))
        })?;
        Ok(result)
    };
    read.parse2(tokens)?
}

fn call(
    input: ParseStream<'_>,
    variable: &dyn Fn(&str) -> Option<String>,
    errors: &mut Vec<CallError>,
) -> Option<Call> {
    let expected = "expected a path, as in `include_ytt!(\"config\")`";
    if input.is_empty() {
        errors.push(CallError::new("no-input", Span::call_site(), expected));
        return None;
    }
    if is_item(input) {
        errors.push(CallError::new(
            "no-input",
            input.span(),
            format!("{expected}; typed constants (`static X: T = …`) are not part of this version"),
        ));
        return None;
    }
    let mut call = Call { inputs: Vec::new(), arguments: Arguments::default() };
    while !input.is_empty() {
        if is_argument(input) {
            if let Err(error) = call.arguments.argument(input, variable, errors) {
                errors.push(error);
                return None;
            }
        } else {
            match text::parse(input, variable) {
                Ok(text) if call.arguments.is_empty() => call.inputs.push(text),
                Ok(text) => {
                    errors.push(CallError::new("path-after-argument", text.span, "paths come before named arguments"));
                }
                Err(error) => {
                    errors.push(error);
                    return None;
                }
            }
        }
        if input.is_empty() {
            break;
        }
        if !input.peek(Token![,]) {
            errors.push(CallError::new("missing-comma", input.span(), "expected `,`"));
            return None;
        }
        let _ = input.parse::<Token![,]>();
    }
    if call.inputs.is_empty() {
        errors.push(CallError::new("no-input", Span::call_site(), expected));
        return None;
    }
    Some(call)
}

/// Does an item begin here: an attribute, a visibility, a static, a module, a type?
fn is_item(input: ParseStream<'_>) -> bool {
    input.peek(Token![#])
        || input.peek(Token![pub])
        || input.peek(Token![static])
        || input.peek(Token![mod])
        || input.peek(Token![struct])
        || input.peek(Token![enum])
}

/// Does a named argument begin here: `NAME =`, but not `concat!`?
fn is_argument(input: ParseStream<'_>) -> bool {
    input.peek(syn::Ident) && input.peek2(Token![=]) || input.peek(Token![crate]) && !input.peek2(token::Paren)
}

/// The name that was probably meant: at most a third of its letters differ.
///
/// ```
/// use ytt_engine::codegen::call::nearest;
///
/// assert_eq!(nearest("confgi", ["config", "src"]), Some("config"));
/// assert_eq!(nearest("zzz", ["config", "src"]), None);
/// ```
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let names = names.into_iter().filter(|name| name.len().abs_diff(wanted.len()) <= wanted.len().max(name.len()) / 2);
    let (letters, name) = names.map(|name| (distance(wanted, name), name)).min()?;
    (letters <= wanted.len().max(name.len()).div_ceil(3)).then_some(name)
}

/// Letters to insert, delete or replace.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (number, a) in left.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], number + 1);
        for (place, b) in right.bytes().enumerate() {
            let cost = (diagonal + usize::from(a != b)).min(row[place] + 1).min(row[place + 1] + 1);
            diagonal = std::mem::replace(&mut row[place + 1], cost);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests;
