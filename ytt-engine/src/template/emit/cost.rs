//! What generated code tells of its cost, so that the limits of a render hold whatever a program does (`eval/budget.rs`).
//!
//! The interpreter counts calls and turns of loops. What it makes itself in one step is led by functions of ours: methods
//! (`methods`, `__ytt_walk`), slices (`__ytt_part`), what is put behind a list, dict or text (`__ytt_grow`: the right
//! side of `+` too; `__ytt_more`: that of `+=`), and bodies with more operations than a step has (`__i[-n]`).
#![allow(
    clippy::arithmetic_side_effects,
    reason = "each operation is counted once, and the code that has them is in memory"
)]

use super::Emitter;
use crate::source::Span;
use crate::template::input::TASKS;
use crate::template::methods::{Method, Way};
use crate::template::token::{Kind, Token};
use crate::template::tree::{Argument, Binary, Clause, Expr, ExprKind, Stmt, StmtKind};

/// Operations that a step may have: with these it takes twice as long as an empty one.
const OPERATIONS: usize = 4;

/// What the receiver of a method is led through, if the call walks through it.
pub(in crate::template) fn walk(method: &Method, arguments: &[Argument]) -> Option<&'static str> {
    match method.way {
        Way::Seek => Some("__ytt_seek("),
        Way::Walk => Some("__ytt_walk("),
        // with a default it is one of a dict
        Way::Put(_) if method.name == "pop" && arguments.len() > 1 => Some("__ytt_walk("),
        Way::Native | Way::Ours | Way::Counted | Way::Read(_) | Way::Put(_) | Way::Grow => None,
    }
}

impl Emitter<'_> {
    /// The beginning of a body: the steps that a turn has beside the one that the interpreter counts.
    pub(super) fn turn(&mut self, body: &[Stmt], more: usize, indent: u32, place: Span) {
        let steps = steps_of(body, more);
        if steps > 0 {
            self.made_line(indent, &format!("{TASKS}-{steps}]"), place);
        }
    }
}

/// The steps of the turn of a loop beside the one that it is.
pub(in crate::template) fn steps_of_turn(body: &[Stmt]) -> usize {
    steps_of(body, 0)
}

fn steps_of(body: &[Stmt], more: usize) -> usize {
    (statements(body) + more) / OPERATIONS
}

/// Operations of statements, each counted once; bodies of loops and functions count for themselves.
fn statements(stmts: &[Stmt]) -> usize {
    stmts.iter().map(statement).sum()
}

fn statement(stmt: &Stmt) -> usize {
    match &stmt.kind {
        StmtKind::Expr(expr) => operations(expr),
        StmtKind::Assign { left, right, .. } => 1 + operations(left) + operations(right),
        StmtKind::Return(value) => value.as_ref().map_or(0, operations),
        StmtKind::If { branches, otherwise } => {
            // one of the bodies runs
            let bodies = branches.iter().map(|branch| &branch.body).chain(otherwise);
            let longest = bodies.map(|body| statements(&body.stmts)).max().unwrap_or(0);
            branches.iter().map(|branch| 1 + operations(&branch.condition)).sum::<usize>() + longest
        }
        StmtKind::For { over, .. } => 1 + operations(over),
        StmtKind::While { .. } | StmtKind::Def(_) => 1,
        StmtKind::Made | StmtKind::Branch(_) | StmtKind::Load(_) => 0,
    }
}

/// Operations of an expression beside its calls, which are steps.
pub(super) fn operations(expr: &Expr) -> usize {
    let own = match &expr.kind {
        ExprKind::Name | ExprKind::Literal | ExprKind::Lambda(_) => return 0,
        // its own turns are steps
        ExprKind::Comprehension(comprehension) => {
            return 1 + comprehension.clauses.first().map_or(0, |clause| match clause {
                Clause::For(_, over) | Clause::If(over) => operations(over),
            });
        }
        ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Dict(items) => 1 + items.len() / 4,
        ExprKind::Paren(_) | ExprKind::Call(..) => 0,
        _ => 1,
    };
    let mut parts = 0;
    expr.kind.each_part(|part| parts += operations(part));
    own + parts
}

/// May a sum be long? Where a number is written there is none of texts or lists, and literals are as long as the code.
pub(in crate::template) fn may_grow(sum: &Binary, tokens: &[Token]) -> bool {
    let literal = |expr: &Expr| matches!(expr.kind, ExprKind::Literal);
    let number = |expr: &Expr| is_number(expr, tokens);
    !(number(&sum.left) || number(&sum.right) || literal(&sum.left) && literal(&sum.right))
}

pub(super) fn is_number(expr: &Expr, tokens: &[Token]) -> bool {
    matches!(expr.kind, ExprKind::Literal)
        && tokens.get(expr.first as usize).is_some_and(|token| token.kind != Kind::Str)
}
