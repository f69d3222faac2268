//! What is around a place: the conditions that hold there, the loops that run; and where a function gives nothing.

use super::{Binder, FileCode, Function};
use crate::source::Span;
use crate::template::tree::{Clause, Expr, ExprKind, Stmt, StmtKind, Suite};
use crate::template::written::Argument;

/// Where a function that returns values ends without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    /// What is computed last on such ways, and thrown away.
    pub(crate) thrown: Vec<Span>,
    /// There is another one.
    pub(crate) falls: bool,
}

impl FileCode {
    /// The conditions that decide whether a place is reached in its function, the innermost one first, and whether they
    /// hold there: in front of an `else` they do not.
    pub(crate) fn conditions(&self, place: Span) -> Vec<(Span, bool)> {
        let mut found = Vec::new();
        self.conditions_in(&self.stmts, place, &mut found);
        found.reverse();
        found
    }

    fn conditions_in(&self, stmts: &[Stmt], place: Span, found: &mut Vec<(Span, bool)>) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::If { branches, otherwise } => {
                    for (number, branch) in branches.iter().enumerate() {
                        if self.is_around(&branch.body, place) {
                            let before = branches.iter().take(number);
                            found.extend(before.map(|branch| (self.whole(&branch.condition), false)));
                            found.push((self.whole(&branch.condition), true));
                            self.conditions_in(&branch.body.stmts, place, found);
                        }
                    }
                    for body in otherwise.iter().filter(|body| self.is_around(body, place)) {
                        found.extend(branches.iter().map(|branch| (self.whole(&branch.condition), false)));
                        self.conditions_in(&body.stmts, place, found);
                    }
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } if self.is_around(body, place) => {
                    self.conditions_in(&body.stmts, place, found);
                }
                StmtKind::Def(def) if self.is_around(&def.body, place) => {
                    found.clear();
                    self.conditions_in(&def.body.stmts, place, found);
                }
                _ => {}
            }
        }
    }

    /// The values that conditions ask for, without `not`, `and` and `or`.
    pub(crate) fn asked(&self) -> Vec<Span> {
        let mut found = Vec::new();
        self.asked_in(&self.stmts, &mut found);
        found
    }

    fn asked_in(&self, stmts: &[Stmt], found: &mut Vec<Span>) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::If { branches, otherwise } => {
                    for branch in branches {
                        self.asked_of(&branch.condition, true, found);
                        self.asked_in(&branch.body.stmts, found);
                    }
                    otherwise.iter().for_each(|body| self.asked_in(&body.stmts, found));
                }
                StmtKind::For { over, body, .. } => {
                    self.asked_of(over, false, found);
                    self.asked_in(&body.stmts, found);
                }
                StmtKind::While { condition, body } => {
                    self.asked_of(condition, true, found);
                    self.asked_in(&body.stmts, found);
                }
                StmtKind::Def(def) => self.asked_in(&def.body.stmts, found),
                StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) | StmtKind::Assign { right: expr, .. } => {
                    self.asked_of(expr, false, found);
                }
                _ => {}
            }
        }
    }

    /// `is_asked`: the expression itself decides.
    fn asked_of(&self, expr: &Expr, is_asked: bool, found: &mut Vec<Span>) {
        match &expr.bare().kind {
            ExprKind::Unary(inner) => {
                self.asked_of(inner, is_asked || self.written(self.whole(expr.bare())).starts_with("not"), found);
            }
            ExprKind::Binary(binary) => {
                let between = Span { start: self.whole(&binary.left).end, ..self.whole(&binary.right) };
                let between = Span { end: self.whole(&binary.right).start, ..between };
                let joins = is_asked && matches!(self.written(between).trim(), "and" | "or");
                self.asked_of(&binary.left, joins, found);
                self.asked_of(&binary.right, joins, found);
            }
            ExprKind::Condition(parts) => {
                let mut sorted: Vec<&Expr> = parts.iter().collect();
                sorted.sort_by_key(|part| part.first);
                for (number, part) in sorted.into_iter().enumerate() {
                    self.asked_of(part, number == 1, found);
                }
            }
            ExprKind::Comprehension(comprehension) => {
                for clause in &comprehension.clauses {
                    if let Clause::If(condition) = clause {
                        self.asked_of(condition, true, found);
                    }
                }
                comprehension.body.iter().for_each(|body| self.asked_of(body, false, found));
            }
            ExprKind::Name | ExprKind::Dot(..) | ExprKind::Index(_) if is_asked => found.push(self.whole(expr)),
            kind => kind.each_part(|part| self.asked_of(part, false, found)),
        }
    }

    /// Can a part of the file be taken out of it, as far as code is concerned? No block begins or ends in it alone, and it
    /// binds no name.
    pub(crate) fn may_cut(&self, part: Span) -> bool {
        self.may_cut_of(&self.stmts, part)
    }

    fn may_cut_of(&self, stmts: &[Stmt], part: Span) -> bool {
        let is_inside = |at: u32| (part.start..part.end).contains(&at);
        stmts.iter().all(|stmt| {
            let bodies: Vec<&Suite> = match &stmt.kind {
                StmtKind::Assign { .. } | StmtKind::Load(_) => {
                    return !is_inside(self.span(stmt.first, stmt.first).start);
                }
                StmtKind::Def(_) if is_inside(self.span(stmt.first, stmt.first).start) => return false,
                StmtKind::Def(def) => vec![&def.body],
                StmtKind::If { branches, otherwise } => {
                    branches.iter().map(|branch| &branch.body).chain(otherwise).collect()
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
                _ => Vec::new(),
            };
            bodies.into_iter().all(|body| {
                let [begins, ends] = [body.colon, body.close].map(|token| is_inside(self.span(token, token).start));
                begins == ends && self.may_cut_of(&body.stmts, part)
            })
        })
    }

    fn is_around(&self, body: &Suite, place: Span) -> bool {
        let whole = self.span(body.colon, body.close);
        whole.start <= place.start && place.end <= whole.end
    }

    /// The variables of the loops around a place, each with what the loop goes over; the innermost one first.
    pub(crate) fn turns(&self, place: Span) -> Vec<(Span, Span)> {
        let walk = self.walk(place.start);
        let is_around = |vars: Span, over: Span| {
            let is_it = |(head, whole): &(Span, Span)| {
                (head.start, head.end) == (vars.start, over.end) && whole.start <= place.start && place.end <= whole.end
            };
            walk.loops.iter().any(is_it)
        };
        let turns = walk.bound.iter().filter_map(|(.., bound)| match bound.by {
            Binder::Loop { vars, over } if is_around(vars, over) => Some((vars, over)),
            _ => None,
        });
        let mut turns: Vec<(Span, Span)> = turns.collect();
        turns.dedup();
        turns.reverse();
        turns
    }

    /// The arguments of the one call of a function of the file; `None` if there is another one, or none.
    pub(crate) fn only_call(&self, name: &str) -> Option<Vec<Argument>> {
        let calls = self.walk(0).calls;
        let mut calls = calls.into_iter().filter(|(function, _)| self.written(*function) == name);
        let (_, given) = calls.next()?;
        calls.next().is_none().then_some(given)
    }

    /// How a function that returns values may end without one; `None` if it cannot, or returns nothing at all.
    pub(crate) fn ends(&self, function: &Function) -> Option<Ends> {
        let name = function.name.filter(|_| !function.returned.is_empty())?;
        let mut ends = Ends::default();
        self.ends_in(self.body_of(name)?, &mut ends);
        (ends != Ends::default()).then_some(ends)
    }

    /// The body of a function of the file.
    fn body_of(&self, name: Span) -> Option<&[Stmt]> {
        self.stmts.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Def(def) if self.token(def.name) == name => Some(&def.body.stmts[..]),
            _ => None,
        })
    }

    fn ends_in(&self, stmts: &[Stmt], ends: &mut Ends) {
        match stmts.last().map(|stmt| &stmt.kind) {
            Some(StmtKind::Return(Some(_))) => {}
            Some(StmtKind::If { branches, otherwise }) => {
                branches.iter().for_each(|branch| self.ends_in(&branch.body.stmts, ends));
                match otherwise {
                    Some(body) => self.ends_in(&body.stmts, ends),
                    None => ends.falls = true,
                }
            }
            Some(StmtKind::Expr(value)) => {
                let code = self.written(self.whole(value));
                let stops = self.stops(value);
                // What changes a value, or asserts something, gives none.
                let changes =
                    [".append(", ".extend(", ".insert(", ".update(", ".clear(", ".remove(", "print(", "assert."];
                let is_idle =
                    matches!(value.bare().kind, ExprKind::Literal) || changes.iter().any(|call| code.contains(call));
                match is_idle {
                    _ if stops => {}
                    true => ends.falls = true,
                    false => ends.thrown.push(self.whole(value)),
                }
            }
            _ => ends.falls = true,
        }
    }
}
