//! What is written out in code as it is: texts, numbers and truth values, and the elements of lists and dicts.
#![allow(clippy::indexing_slicing, reason = "entries of a dict are chunks of two")]

use super::{input, read, tokens};
use crate::nearest::only;
use crate::source::{SourceMap, Span};
use crate::template::scan::literal;
use crate::template::token::{Kind, Token};
use crate::template::tree::{Expr, ExprKind};

/// The elements of a tuple or list that is written out.
pub(crate) fn elements(sources: &SourceMap, value: Span) -> Vec<Span> {
    let Some(written) = read(sources, value) else { return Vec::new() };
    match &written.root.bare().kind {
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().map(|item| written.span(item)).collect(),
        _ => Vec::new(),
    }
}

/// The same, each with nothing in front, and of a dict its entries, each with its key and as a whole.
pub(crate) fn parts(sources: &SourceMap, value: Span) -> Vec<(Option<Span>, Span)> {
    let Some(written) = read(sources, value) else { return Vec::new() };
    let entry = |entry: &[Expr]| (Some(written.span(&entry[0])), written.tokens_between(entry[0].first, entry[1].last));
    match &written.root.bare().kind {
        ExprKind::Dict(parts) => parts.chunks_exact(2).map(entry).collect(),
        _ => elements(sources, value).into_iter().map(|element| (None, element)).collect(),
    }
}

/// Where a string is written in code, with its quotes, if it is there once.
pub(crate) fn string(sources: &SourceMap, code: Span, text: &str) -> Option<Span> {
    let input = input(sources, code, "", "")?;
    let tokens = tokens(&input);
    let is = |token: &&Token| token.kind == Kind::Str && literal(input.token(**token)) == text.as_bytes();
    let found = tokens.iter().filter(is);
    let token = only(found)?;
    Some(input.span(token.start, token.end))
}

/// What the one string says that code is.
pub(crate) fn whole_string(sources: &SourceMap, code: Span) -> Option<String> {
    let input = input(sources, code, "", "")?;
    let tokens = tokens(&input);
    let token = only(tokens.iter().filter(|token| token.kind == Kind::Str))?;
    (input.span(token.start, token.end) == code).then_some(())?;
    String::from_utf8(literal(input.token(*token))).ok()
}

/// Where a number, `True` or `False` is written in code, if there is one that is meant.
pub(crate) fn scalar(sources: &SourceMap, code: Span, is_it: impl Fn(&str) -> bool) -> Option<Span> {
    let input = input(sources, code, "", "")?;
    let tokens = tokens(&input);
    let is = |token: &&Token| {
        let text = std::str::from_utf8(input.token(**token)).unwrap_or_default();
        let is_scalar = match token.kind {
            Kind::Int | Kind::Float => true,
            Kind::Name => matches!(text, "True" | "False"),
            _ => false,
        };
        is_scalar && is_it(text)
    };
    let token = only(tokens.iter().filter(is))?;
    Some(input.span(token.start, token.end))
}
