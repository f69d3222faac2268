//! What a call gives, as far as it is written out: in the call, in what a name is set to, or in what a function returns.

use std::cell::OnceCell;

use super::{Entry, Single, is_dotted, read};
use crate::diag::PathStep;
use crate::nearest::only;
use crate::source::{SourceMap, Span};
use crate::template::code::{Binder, FileCode};
use crate::template::outline;
use crate::template::tree::{ArgumentRole, Expr, ExprKind};

/// Names and functions that are followed from one to the next.
const MOST: usize = 6;

/// The value that a call gives with its first argument. It is read when it is asked for, once for all problems in it.
#[derive(Debug)]
pub(crate) struct GivenInCall {
    call: Span,
    read: OnceCell<Option<Single>>,
}

impl GivenInCall {
    pub(crate) fn new(call: Span) -> GivenInCall {
        GivenInCall { call, read: OnceCell::new() }
    }

    /// The call, and the first argument that it gives without a name.
    fn argument(&self, sources: &SourceMap) -> Option<(&Single, &Expr)> {
        let written = self.read.get_or_init(|| read(sources, self.call)).as_ref()?;
        let ExprKind::Call(_, arguments) = &written.root.kind else { return None };
        let first = arguments.iter().find(|argument| argument.role == ArgumentRole::Plain)?;
        Some((written, &first.value))
    }

    /// Where the value stands; the call, if it is not found.
    pub(crate) fn place(&self, sources: &SourceMap) -> Span {
        self.argument(sources).map_or(self.call, |(written, value)| written.span(value))
    }

    /// Where a path leads in the value, as far as it is written out: there, or in what a name of the file is set to.
    pub(crate) fn entry(&self, sources: &SourceMap, path: &[PathStep<'_>]) -> Option<Entry> {
        let (written, value) = self.argument(sources)?;
        let (at, key, rest) = written.along(value, path);
        match rest {
            [] => Some(Entry { key, value: written.span(at) }),
            _ => within(sources, only_value(sources, written.span(value))?, path),
        }
    }

    /// Where a path leads, also through functions that make the value: what is found may be used for other calls, too.
    pub(crate) fn made(&self, sources: &SourceMap, path: &[PathStep<'_>]) -> Option<Entry> {
        let (written, value) = self.argument(sources)?;
        self.entry(sources, path).or_else(|| written.made(sources, value, path, MOST))
    }
}

/// Where a path leads in a value that is written out, as far as it is.
pub(crate) fn within(sources: &SourceMap, value: Span, path: &[PathStep<'_>]) -> Option<Entry> {
    let written = read(sources, value)?;
    let (at, key, rest) = written.along(&written.root, path);
    rest.is_empty().then(|| Entry { key, value: written.span(at) })
}

impl Single {
    /// Where a path leads in a value, through names that are set once and functions that are called there.
    fn made(&self, sources: &SourceMap, value: &Expr, path: &[PathStep<'_>], most: usize) -> Option<Entry> {
        let (at, key, rest) = self.along(value, path);
        if rest.is_empty() {
            return Some(Entry { key, value: self.span(at) });
        }
        let most = most.checked_sub(1)?;
        let go_on = |value: Span| {
            let written = read(sources, value)?;
            written.made(sources, &written.root, rest, most)
        };
        match &at.bare().kind {
            ExprKind::Name => go_on(set_to(sources, self.span(at.bare()))?),
            ExprKind::Call(function, _) if matches!(function.bare().kind, ExprKind::Name) => {
                // Of several returns one has it, or nobody knows which one counts.
                only(returned(sources, self.span(function.bare()))?.into_iter().filter_map(go_on))
            }
            _ => None,
        }
    }

    /// How far a path leads in an expression, and the steps that are left of it.
    fn along<'s, 'p>(
        &'s self,
        value: &'s Expr,
        path: &'p [PathStep<'p>],
    ) -> (&'s Expr, Option<Span>, &'p [PathStep<'p>]) {
        let (mut at, mut key, mut rest) = (value, None, path);
        while let [step, inner @ ..] = rest {
            let Some(next) = self.step_into(at, *step) else { break };
            (at, key) = next;
            rest = inner;
        }
        (at, key, rest)
    }

    /// The value at one step in an expression, and where its key stands.
    fn step_into<'s>(&'s self, at: &'s Expr, step: PathStep<'_>) -> Option<(&'s Expr, Option<Span>)> {
        match (step, &at.bare().kind) {
            (PathStep::Index(number), ExprKind::List(items) | ExprKind::Tuple(items)) => {
                Some((items.get(number)?, None))
            }
            (PathStep::Key(name), ExprKind::Dict(parts)) => parts.chunks_exact(2).find_map(|entry| match entry {
                [key, value] if self.is_string(key, name) => Some((value, Some(self.inside(key.first)))),
                _ => None,
            }),
            // `struct.make(key=…)` or `dict(key=…)`
            (PathStep::Key(name), ExprKind::Call(function, arguments))
                if self.is_member(function, "make") || self.is_name(function, "dict") =>
            {
                let is_it = |argument: &&crate::template::tree::Argument| {
                    argument.role == ArgumentRole::Named && self.text(argument.first) == name.as_bytes()
                };
                let argument = arguments.iter().find(is_it)?;
                Some((&argument.value, Some(self.tokens_between(argument.first, argument.first))))
            }
            _ => None,
        }
    }

    fn is_name(&self, expr: &Expr, name: &str) -> bool {
        matches!(expr.bare().kind, ExprKind::Name) && self.text(expr.bare().first) == name.as_bytes()
    }
}

/// What a name of the file is set to, if that is done once.
fn only_value(sources: &SourceMap, place: Span) -> Option<Span> {
    let source = sources.get(place.source);
    let name = source.written(place).filter(|name| is_dotted(name) && !name.contains('.'))?;
    outline::value(&source, place.source, name)
}

/// The code that a name stands for at a place, if one statement sets it.
fn set_to(sources: &SourceMap, place: Span) -> Option<Span> {
    let source = sources.get(place.source);
    let name = source.written(place).filter(|name| is_dotted(name) && !name.contains('.'))?;
    let code = FileCode::read(&source, place.source);
    match code.as_ref().and_then(|code| code.bound(place, name)).map(|bound| bound.by) {
        Some(Binder::Value(value)) if code.is_some_and(|code| code.is_bound_once(place, name)) => Some(value),
        Some(Binder::Load) => {
            let (home, own) = outline::home(sources, place.source, name)?;
            outline::value(&sources.get(home), home, &own)
        }
        Some(_) => None,
        None => only_value(sources, place),
    }
}

/// What the function of a name returns, at each of its ends.
fn returned(sources: &SourceMap, callee: Span) -> Option<Vec<Span>> {
    let name = sources.get(callee.source).written(callee)?.to_owned();
    let (home, own) = outline::home(sources, callee.source, &name)?;
    let code = FileCode::read(&sources.get(home), home)?;
    Some(code.function_of(&own, false)?.returned)
}
