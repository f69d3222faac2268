//! Expressions around a place: a default behind `or`, and values that go through filters of another language.

use super::{FileCode, operator};
use crate::source::Span;
use crate::template::token::Kind;
use crate::template::tree::{Expr, ExprKind, Stmt, StmtPart};
use crate::template::written::Argument;

/// `BASE | upper | default("x")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piped {
    pub(crate) whole: Span,
    pub(crate) base: Span,
    /// The base needs no parentheses in front of a dot.
    pub(crate) is_simple: bool,
    pub(crate) filters: Vec<Filter>,
}

/// The name behind a `|`, with its arguments where it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) name: Span,
    pub(crate) arguments: Vec<Span>,
}

/// A name that is read, with the member that is read of it.
pub(crate) struct Read {
    pub(crate) whole: Span,
    pub(crate) member: Option<String>,
}

/// A comparison by `==` or `!=`.
pub(crate) struct Comparison {
    pub(crate) whole: Span,
    pub(crate) sides: [Span; 2],
    /// By `==`.
    pub(crate) is_equal: bool,
}

impl FileCode {
    /// All comparisons by `==` and `!=`.
    pub(crate) fn comparisons(&self) -> Vec<Comparison> {
        let mut found = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            if let ExprKind::Binary(binary) = &expr.kind
                && let Some(operator @ (Kind::Equal | Kind::NotEqual)) = operator(&self.tokens, &binary.left)
            {
                let sides = [self.whole(&binary.left), self.whole(&binary.right)];
                found.push(Comparison { whole: self.whole(expr), sides, is_equal: operator == Kind::Equal });
            }
        });
        found
    }

    /// All expressions that `and` or `or` joins, each with what is joined inside of it.
    pub(crate) fn joined(&self) -> Vec<Span> {
        let mut found: Vec<Span> = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            let ExprKind::Binary(binary) = &expr.kind else { return };
            let whole = self.whole(expr);
            let is_joined = matches!(operator(&self.tokens, &binary.left), Some(Kind::And | Kind::Or));
            if is_joined && found.last().is_none_or(|last| !last.holds(whole)) {
                found.push(whole);
            }
        });
        found
    }

    /// The pieces of the longest chain of `+` of which a place is one, in their order.
    pub(crate) fn added(&self, piece: Span) -> Vec<Span> {
        let mut found = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            if !found.is_empty() || !self.whole(expr).holds(piece) {
                return;
            }
            let (mut left, mut pieces) = (expr, Vec::new());
            while let ExprKind::Binary(binary) = &left.kind
                && operator(&self.tokens, &binary.left) == Some(Kind::Plus)
            {
                pieces.push(self.whole(&binary.right));
                left = &binary.left;
            }
            pieces.push(self.whole(left));
            if pieces.len() > 1 && pieces.contains(&piece) {
                pieces.reverse();
                found = pieces;
            }
        });
        found
    }

    /// The whole chain of `|` in which a name stands behind one.
    pub(crate) fn piped(&self, name: Span) -> Option<Piped> {
        let mut found = None;
        self.each(&self.stmts, &mut |expr| {
            if found.is_none() {
                found = self.chain(expr).filter(|piped| piped.filters.iter().any(|filter| filter.name == name));
            }
        });
        found
    }

    /// The chain that a place is, or is in front of further filters.
    pub(crate) fn piped_at(&self, place: Span) -> Option<Piped> {
        let mut found = None;
        self.each(&self.stmts, &mut |expr| {
            let whole = self.whole(expr);
            if found.is_none() && whole.start == place.start && whole.end >= place.end {
                found = self.chain(expr);
            }
        });
        found
    }

    fn chain(&self, expr: &Expr) -> Option<Piped> {
        let (mut base, mut filters) = (expr, Vec::new());
        while let ExprKind::Binary(binary) = &base.kind
            && operator(&self.tokens, &binary.left) == Some(Kind::Pipe)
        {
            let Some(filter) = self.filter(&binary.right) else { break };
            filters.push(filter);
            base = &binary.left;
        }
        filters.reverse();
        let is_simple = match &base.kind {
            ExprKind::Name | ExprKind::Dot(..) | ExprKind::Index(_) | ExprKind::Call(..) | ExprKind::Paren(_) => true,
            ExprKind::Literal => self.tokens[base.first as usize].kind == Kind::Str,
            _ => false,
        };
        let (whole, base) = (self.whole(expr), self.whole(base));
        (!filters.is_empty()).then_some(Piped { whole, base, is_simple, filters })
    }

    fn filter(&self, expr: &Expr) -> Option<Filter> {
        match &expr.kind {
            ExprKind::Name => Some(Filter { name: self.whole(expr), arguments: Vec::new() }),
            ExprKind::Call(function, arguments) if matches!(function.kind, ExprKind::Name) => {
                let arguments = arguments.iter().map(|one| self.span(one.first, one.value.last)).collect();
                Some(Filter { name: self.whole(function), arguments })
            }
            _ => None,
        }
    }

    /// Of `VALUE.name or DEFAULT`, where `name` stands at a place: all of it, the value and the default.
    pub(crate) fn default_behind(&self, name: Span) -> Option<[Span; 3]> {
        let mut found = None;
        self.each(&self.stmts, &mut |expr| {
            let ExprKind::Binary(binary) = &expr.kind else { return };
            let ExprKind::Dot(value, member) = &binary.left.kind else { return };
            if self.token(*member) == name && operator(&self.tokens, &binary.left) == Some(Kind::Or) {
                found = Some([self.whole(expr), self.whole(value), self.whole(&binary.right)]);
            }
        });
        found
    }

    /// The calls of a function by its name: each as a whole, and what it is given.
    pub(crate) fn calls_of(&self, name: &str) -> Vec<(Span, Vec<Argument>)> {
        let mut found = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            let ExprKind::Call(function, given) = &expr.kind else { return };
            let is_named = matches!(function.kind, ExprKind::Name | ExprKind::Dot(..));
            if is_named && self.written(self.whole(function)) == name {
                found.push((self.whole(expr), given.iter().map(|one| self.argument(one)).collect()));
            }
        });
        found
    }

    /// All calls, in the order of the text of their trees: what is called, the call as a whole, and what it is given.
    pub(crate) fn calls(&self) -> Vec<(Span, Span, Vec<Argument>)> {
        let mut found = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            if let ExprKind::Call(function, given) = &expr.kind {
                let given = given.iter().map(|one| self.argument(one)).collect();
                found.push((self.whole(function), self.whole(expr), given));
            }
        });
        found
    }

    /// Where a name is read, in any scope, in the order of the text.
    pub(crate) fn reads(&self, name: &str) -> Vec<Read> {
        let mut found: Vec<Read> = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            let (of, member) = match &expr.kind {
                ExprKind::Dot(of, member) if matches!(of.kind, ExprKind::Name) => (&**of, Some(self.name(*member))),
                _ => (expr, None),
            };
            let is_it = matches!(of.kind, ExprKind::Name) && self.written(self.whole(of)) == name;
            let whole = self.whole(expr);
            // The name of a member that was found comes behind it.
            if is_it && found.last().is_none_or(|known| known.whole.start != whole.start) {
                found.push(Read { whole, member });
            }
        });
        found.sort_unstable_by_key(|read| read.whole.start);
        found
    }

    /// Visits all expressions, outer ones before those in them.
    pub(super) fn each<'c>(&'c self, stmts: &'c [Stmt], visit: &mut dyn FnMut(&'c Expr)) {
        for stmt in stmts {
            stmt.kind.each_part(|part| match part {
                StmtPart::Value(expr) | StmtPart::Condition(expr) => each_within(expr, visit),
                StmtPart::Target(target) => each_of_target(target, visit),
                StmtPart::Body(body) => self.each(&body.stmts, visit),
            });
        }
    }
}

/// Names that are set are no expressions.
fn each_of_target<'c>(target: &'c Expr, visit: &mut dyn FnMut(&'c Expr)) {
    match &target.bare().kind {
        ExprKind::Name => {}
        ExprKind::Tuple(parts) | ExprKind::List(parts) => parts.iter().for_each(|part| each_of_target(part, visit)),
        _ => each_within(target, visit),
    }
}

fn each_within<'c>(expr: &'c Expr, visit: &mut dyn FnMut(&'c Expr)) {
    visit(expr);
    expr.kind.each_part(|part| each_within(part, visit));
}
