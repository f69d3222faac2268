//! Dicts that are written out, and what code reads of names: members, keys, items.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "indexes of tokens are found by going through them, and what follows one is looked for by `get`"
)]

use super::{input, tokens};
use crate::source::{SourceMap, Span};
use crate::template::scan::literal;
use crate::template::token::{Kind, Token};

/// `value.member`, `value["member"]` or `value[0]` in code, where `value` is a name.
pub(crate) struct MemberOfName {
    pub(crate) whole: Span,
    pub(crate) name: Span,
    pub(crate) key: MemberKey,
}

pub(crate) enum MemberKey {
    Named(String),
    Index(usize),
}

/// The members of names that code reads, each of which is a value: nothing is called, and nothing read of them.
pub(crate) fn members(sources: &SourceMap, code: Span) -> Vec<MemberOfName> {
    let Some(input) = input(sources, code, "", "") else { return Vec::new() };
    let tokens = tokens(&input);
    let read = |at: usize| {
        let kind = |at: usize| tokens.get(at).map(|token| token.kind);
        let text = |at: usize| String::from_utf8_lossy(input.token(tokens[at])).into_owned();
        let string = |at: usize| String::from_utf8_lossy(&literal(input.token(tokens[at]))).into_owned();
        let (key, last) = match (kind(at + 1), kind(at + 2), kind(at + 3)) {
            (Some(Kind::Dot), Some(Kind::Name), _) => (MemberKey::Named(text(at + 2)), at + 2),
            (Some(Kind::OpenBracket), Some(Kind::Str), Some(Kind::CloseBracket)) => {
                (MemberKey::Named(string(at + 2)), at + 3)
            }
            (Some(Kind::OpenBracket), Some(Kind::Int), Some(Kind::CloseBracket)) => {
                (MemberKey::Index(text(at + 2).parse().ok()?), at + 3)
            }
            _ => return None,
        };
        let is_value = !matches!(kind(last + 1), Some(Kind::OpenParen | Kind::Dot | Kind::OpenBracket));
        let is_name = kind(at) == Some(Kind::Name) && (at == 0 || kind(at - 1) != Some(Kind::Dot));
        (is_name && is_value).then(|| MemberOfName {
            whole: input.span(tokens[at].start, tokens[last].end),
            name: input.span(tokens[at].start, tokens[at].end),
            key,
        })
    };
    (0..tokens.len()).filter_map(read).collect()
}

/// `left["a"]["b"]` in code.
pub(crate) struct KeysOfName {
    pub(crate) whole: Span,
    /// The last key, with its quotes.
    pub(crate) last: Span,
    pub(crate) keys: Vec<String>,
}

/// A dict that is written out.
pub(crate) struct Dict {
    pub(crate) open: Span,
    /// The name that it is set to.
    pub(crate) name: Option<Span>,
    /// Its keys that are texts, with their quotes.
    pub(crate) keys: Vec<(String, Span)>,
    /// The dict whose value it is, and the number of its key there.
    pub(crate) entry: Option<(usize, usize)>,
}

/// The dicts in code, outer ones before inner ones.
pub(crate) fn dicts(sources: &SourceMap, code: Span) -> Vec<Dict> {
    let Some(input) = input(sources, code, "", "") else { return Vec::new() };
    let tokens = tokens(&input);
    let span = |token: &Token| input.span(token.start, token.end);
    let (mut found, mut open): (Vec<Dict>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let kind_at = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
        let (before, after) = (kind_at(at.checked_sub(1)), kind_at(Some(at + 1)));
        let innermost = open.last().copied().flatten();
        match token.kind {
            Kind::OpenBrace => {
                let name = (before == Some(Kind::Assign)).then(|| at.checked_sub(2).map(|at| &tokens[at])).flatten();
                let has_key = before == Some(Kind::Colon) && kind_at(at.checked_sub(2)) == Some(Kind::Str);
                let entry = innermost.filter(|_| has_key);
                let entry = entry.and_then(|around| Some((around, found[around].keys.len().checked_sub(1)?)));
                let name = name.filter(|name| name.kind == Kind::Name).map(span);
                open.push(Some(found.len()));
                found.push(Dict { open: span(token), name, keys: Vec::new(), entry });
            }
            Kind::OpenBracket | Kind::OpenParen => open.push(None),
            Kind::CloseBrace | Kind::CloseBracket | Kind::CloseParen => drop(open.pop()),
            Kind::Str if after == Some(Kind::Colon) && matches!(before, Some(Kind::OpenBrace | Kind::Comma)) => {
                if let Some(dict) = innermost {
                    let key = String::from_utf8_lossy(&literal(input.token(*token))).into_owned();
                    found[dict].keys.push((key, span(token)));
                }
            }
            _ => {}
        }
    }
    found
}

/// Where code takes keys that are written out of the value of a name.
pub(crate) fn keys_of(sources: &SourceMap, code: Span, name: &str) -> Vec<KeysOfName> {
    let Some(input) = input(sources, code, "", "") else { return Vec::new() };
    let tokens = tokens(&input);
    let is_name = |at: usize| {
        let is_member = at > 0 && tokens[at - 1].kind == Kind::Dot;
        tokens[at].kind == Kind::Name && !is_member && input.token(tokens[at]) == name.as_bytes()
    };
    let read = |at: usize| {
        let parts = tokens[at + 1..].chunks_exact(3);
        let parts = parts.map_while(|part| match part {
            [open, key, close] => {
                let kinds = (open.kind, key.kind, close.kind);
                (kinds == (Kind::OpenBracket, Kind::Str, Kind::CloseBracket)).then_some((key, close))
            }
            _ => None,
        });
        let parts: Vec<_> = parts.collect();
        let (last, close) = parts.last()?;
        // An index that is no text leads on.
        let behind = tokens.get(at + 1 + parts.len() * 3);
        if behind.is_some_and(|token| token.kind == Kind::OpenBracket) {
            return None;
        }
        let key = |(key, _): &(&Token, &Token)| String::from_utf8_lossy(&literal(input.token(**key))).into_owned();
        Some(KeysOfName {
            whole: input.span(tokens[at].start, close.end),
            last: input.span(last.start, last.end),
            keys: parts.iter().map(key).collect(),
        })
    };
    (0..tokens.len()).filter(|at| is_name(*at)).filter_map(read).collect()
}
