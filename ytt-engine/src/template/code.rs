//! The code of a file as the parser reads it once more, for messages: what binds a name at a place, and the function that
//! a place is in.
//!
//! Nodes are left out: of a YAML template the lines of code are read and the values that are code, of a text template what
//! stands between its brackets. So the tree holds all that people bind, and a body without lines of code is empty.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "tokens, functions and offsets are those of one reading of a source, which has at most `MOST_BYTES`"
)]

mod around;
mod built;
mod expressions;
mod fields;
mod fixed;
mod hidden;
mod lines;
mod paper;
mod sets;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::{Arc, OnceLock};

use super::input::Input;
use super::parse::{self, Parsed};
use super::scan::literal;
use super::token::{Kind, Token};
use super::tree::{self, ArgumentRole, Expr, ExprKind, Stmt, TokenId};
use crate::nearest::only;
use crate::source::{LineBreaks, Source, SourceId, Span, Text};
use crate::template::written::Argument;
pub(crate) use around::{CHANGING, Ends, Fall};
pub(crate) use expressions::{Comparison, Filter, Read};
pub(crate) use fields::TakenAsDict;
pub(crate) use hidden::HiddenByLoop;
pub(crate) use paper::{Replay, Taken};
#[cfg(feature = "explain")]
pub(crate) use sets::Set;
use walk::Walk;

/// Bytes of a file that is read.
const MOST_BYTES: usize = 1 << 20;

/// The code of a file.
#[derive(Debug)]
pub(crate) struct FileCode {
    text: Text,
    input: Input,
    tokens: Vec<Token>,
    stmts: Vec<Stmt>,
    kind: FileKind,
    walk: OnceLock<Walk>,
    sets: OnceLock<sets::Sets>,
}

/// What is in a file besides code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Code,
    Yaml,
    Text,
}

/// What gives a name its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Binder {
    /// `for VARS in OVER`, also in a comprehension.
    Loop {
        vars: Span,
        over: Span,
    },
    /// `NAME = VALUE`.
    Value(Span),
    /// `NAME, OTHER = VALUE`.
    Part(Span),
    /// A parameter of this function; of a lambda without a name.
    Parameter(Option<Span>),
    Load,
    Def,
}

/// Where a name is bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) name: Span,
    pub(crate) by: Binder,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Without stars; empty where a star stands alone.
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) role: ArgumentRole,
    /// With its stars and its default.
    pub(crate) whole: Span,
}

/// A `def` or a lambda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// `None` of a lambda.
    pub(crate) name: Option<Span>,
    pub(crate) parameters: Vec<Parameter>,
    /// Up to its colon.
    pub(crate) head: Span,
    /// What it returns, at each `return` of its own; of a lambda its body.
    pub(crate) returned: Vec<Span>,
    /// From `def` or `lambda` to its end.
    pub(crate) whole: Span,
}

impl FileCode {
    /// `None` if the code is not read as a whole. The source keeps it, since one report asks many times.
    pub(crate) fn read(source: &Source, id: SourceId) -> Option<Arc<FileCode>> {
        source.reading(|| FileCode::read_anew(source, id))
    }

    fn read_anew(source: &Source, id: SourceId) -> Option<FileCode> {
        let text = source.text.as_str().filter(|text| text.len() <= MOST_BYTES)?;
        let mut input = Input::new(id, ("", ""));
        let kind = match source.breaks {
            _ if source.name.ends_with(".star") => FileKind::Code,
            LineBreaks::Yaml => FileKind::Yaml,
            LineBreaks::Plain => FileKind::Text,
        };
        match kind {
            FileKind::Code => input.lines(text.as_bytes(), 0),
            FileKind::Yaml => lines::of_yaml(&mut input, text),
            FileKind::Text => lines::between_brackets(&mut input, text),
        }
        let Parsed { tokens, stmts, .. } = parse::parse(&input).ok()?;
        let (walk, sets) = (OnceLock::new(), OnceLock::new());
        Some(FileCode { text: source.text.clone(), input, tokens, stmts, kind, walk, sets })
    }

    /// What binds the name that code at a place uses: in the innermost function that binds it, the last one above.
    pub(crate) fn bound(&self, place: Span, name: &str) -> Option<Bound> {
        let walk = self.walk();
        walk.around(place.start).into_iter().rev().find_map(|scope| {
            let own = || walk.bounds(scope, name);
            let above = own().rfind(|bound| bound.name.start < place.start);
            above.or_else(|| own().next_back()).cloned()
        })
    }

    /// Does one statement alone bind the name that code at a place uses?
    pub(crate) fn is_bound_once(&self, place: Span, name: &str) -> bool {
        let walk = self.walk();
        let count = |scope| walk.bounds(scope, name).count();
        walk.around(place.start).into_iter().rev().map(count).find(|count| *count > 0) == Some(1)
    }

    /// What is called with this argument, and all arguments of the call.
    pub(crate) fn call_with(&self, argument: Span) -> Option<(Span, Vec<Argument>)> {
        let mut calls = self.walk().calls.iter();
        calls.find(|(_, all)| all.iter().any(|one| one.value == argument)).cloned()
    }

    /// The call with an argument of this name, and all arguments of it.
    pub(crate) fn call_of_argument(&self, name: Span) -> Option<(Span, Vec<Argument>)> {
        let mut calls = self.walk().calls.iter();
        calls.find(|(_, all)| all.iter().any(|one| one.name == Some(name))).cloned()
    }

    /// The innermost function that a place is in, or that code is a part of.
    pub(crate) fn function_around(&self, place: Span) -> Option<Function> {
        let is_around = |whole: Span| whole.start <= place.start && place.end <= whole.end && whole != place;
        let all = self.walk().functions.iter();
        all.filter(|function| is_around(function.whole))
            .min_by_key(|function| function.whole.end - function.whole.start)
            .cloned()
    }

    /// The functions that have a name.
    pub(crate) fn defined(&self) -> Vec<(String, Function)> {
        let all = self.walk().functions.iter();
        all.filter_map(|function| Some((self.written(function.name?).to_owned(), function.clone()))).collect()
    }

    /// The function of a name that no other one has.
    pub(crate) fn only_function(&self, name: &str) -> Option<Function> {
        let is_it = |function: &&Function| function.name.is_some_and(|own| self.written(own) == name);
        only(self.walk().functions.iter().filter(is_it)).cloned()
    }

    /// The function of a name or, where that is called, the one that it makes.
    pub(crate) fn function_of(&self, name: &str, is_called: bool) -> Option<Function> {
        let walk = self.walk();
        let is_within = |inner: Span, outer: Option<Span>| {
            outer.is_none_or(|outer| outer.start < inner.start && inner.end <= outer.end)
        };
        let find = |name: &str, outer: Option<Span>| {
            let of_def = walk.functions.iter().rfind(|function| {
                function.name.is_some_and(|own| self.written(own) == name) && is_within(function.whole, outer)
            });
            let set = || walk.bound.iter().rfind(|(_, known, bound)| known == name && is_within(bound.name, outer));
            of_def.or_else(|| match set()?.2.by {
                Binder::Value(value) => walk.functions.iter().find(|function| function.whole == value),
                _ => None,
            })
        };
        let function = find(name, None)?;
        match (is_called, &function.returned[..]) {
            (false, _) => Some(function.clone()),
            (true, [made]) => {
                let lambda = walk.functions.iter().find(|function| function.whole == *made);
                lambda.or_else(|| find(self.written(*made), Some(function.whole))).cloned()
            }
            (true, _) => None,
        }
    }

    /// What decides of the function of a name: what it returns or, where it returns a function of its own, what that one
    /// returns.
    pub(crate) fn decisions(&self, name: &str) -> Option<Vec<Span>> {
        let all = self.defined();
        let (_, function) = all.iter().rfind(|(own, _)| own == name)?;
        let mut found = Vec::new();
        for span in &function.returned {
            let value = self.written(*span);
            let is_inner = |(own, inner): &&(String, Function)| {
                own == value && function.whole.start < inner.whole.start && inner.whole.end <= function.whole.end
            };
            match all.iter().find(is_inner) {
                Some((_, inner)) => found.extend(&inner.returned),
                None if value.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && !is_literal(value) => {
                }
                None => found.push(*span),
            }
        }
        Some(found)
    }

    /// A part of the source.
    fn written(&self, span: Span) -> &str {
        self.text.as_str().and_then(|text| text.get(span.start as usize..span.end as usize)).unwrap_or_default()
    }

    /// What the innermost loop around a place goes over, with its variables, or its condition.
    pub(crate) fn loop_around(&self, place: Span) -> Option<Span> {
        let around = |(_, whole): &&(Span, Span)| whole.start <= place.start && place.end <= whole.end;
        self.walk().loops.iter().filter(around).min_by_key(|(_, whole)| whole.end - whole.start).map(|(head, _)| *head)
    }

    /// The innermost loop around a place, from its `for` to its end.
    pub(crate) fn whole_loop_around(&self, place: Span) -> Option<Span> {
        let around = |whole: &Span| whole.start <= place.start && place.end <= whole.end;
        let wholes = self.walk().loops.iter().map(|(_, whole)| *whole);
        wholes.filter(around).min_by_key(|whole| whole.end.saturating_sub(whole.start))
    }

    /// The function that begins at a place, with `def` or `lambda`, or whose name does.
    pub(crate) fn function_at(&self, at: u32) -> Option<Function> {
        let begins =
            |function: &Function| [function.whole.start, function.name.unwrap_or(function.whole).start].contains(&at);
        self.walk().functions.iter().find(|function| begins(function)).cloned()
    }

    /// What its code binds and uses; one report asks many times.
    fn walk(&self) -> &Walk {
        self.walk.get_or_init(|| Walk::of(self))
    }

    /// Does it raise an error whenever it runs: `fail(…)`, `assert.fail(…)`?
    fn stops(&self, expr: &Expr) -> bool {
        let ExprKind::Call(function, _) = &expr.bare().kind else { return false };
        match &function.bare().kind {
            ExprKind::Name => self.name(function.bare().first) == "fail",
            ExprKind::Dot(_, name) => self.name(*name) == "fail",
            _ => false,
        }
    }

    fn token(&self, id: TokenId) -> Span {
        self.span(id, id)
    }

    fn span(&self, first: TokenId, last: TokenId) -> Span {
        self.input.span(self.tokens[first as usize].start, self.tokens[last as usize].end)
    }

    fn argument(&self, argument: &tree::Argument) -> Argument {
        Argument {
            name: (argument.role == ArgumentRole::Named).then(|| self.token(argument.first)),
            value: match argument.role {
                ArgumentRole::Plain | ArgumentRole::Named => self.whole(&argument.value),
                _ => self.span(argument.first, argument.value.last),
            },
        }
    }

    fn whole(&self, expr: &Expr) -> Span {
        self.span(expr.first, expr.last)
    }

    /// The name that a token is, or holds between quotes.
    fn name(&self, id: TokenId) -> String {
        let token = self.tokens[id as usize];
        let text = self.input.token(token);
        match token.kind {
            Kind::Str => String::from_utf8_lossy(&literal(text)).into_owned(),
            _ => String::from_utf8_lossy(text).into_owned(),
        }
    }
}

/// The operator behind the left one of two operands.
fn operator(tokens: &[Token], left: &Expr) -> Option<Kind> {
    match tokens.get(left.last as usize + 1..)? {
        [first, second, ..] if (first.kind, second.kind) == (Kind::Not, Kind::In) => Some(Kind::NotIn),
        [first, ..] => Some(first.kind),
        [] => None,
    }
}

fn is_literal(value: &str) -> bool {
    matches!(value, "True" | "False" | "None") || value.bytes().all(|byte| byte.is_ascii_digit())
}
