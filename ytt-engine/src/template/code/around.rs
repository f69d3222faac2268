//! What is around a place: the conditions that hold there, the loops that run; and where a function gives nothing.

use super::{Binder, Bound, FileCode, FileKind, Function};
use crate::source::Span;
use crate::template::tree::{Clause, Expr, ExprKind, Stmt, StmtKind, StmtPart, Suite, TokenId};
use crate::template::written::Argument;

/// How a function ends without giving a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    /// It never gives one.
    pub(crate) never: bool,
    /// What is computed last on such ways, and thrown away.
    pub(crate) thrown: Vec<Span>,
    /// What is last on the other ways.
    pub(crate) falls: Vec<(Span, Fall)>,
    /// In front of its `end`, and what a line begins with there.
    pub(crate) end: Option<(Span, String)>,
    /// The name whose value it changes there instead.
    pub(crate) changed: Option<String>,
}

/// What a function ends behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fall {
    /// The last condition of an `if`, where none of so many holds.
    Conditions(usize),
    Loop,
    Statement,
    /// A `return` without a value.
    Return,
}

impl Fall {
    /// In a label.
    pub(crate) fn told(self, name: &str) -> String {
        match self {
            Fall::Conditions(1) => format!("where this does not hold, `{name}` ends without a `return`"),
            Fall::Conditions(_) => format!("where no condition holds, `{name}` ends without a `return`"),
            Fall::Loop => format!("behind this loop `{name}` ends without a `return`"),
            Fall::Statement => format!("behind this `{name}` ends without a `return`"),
            Fall::Return => format!("here `{name}` returns nothing"),
        }
    }
}

/// Methods that change a value and give none.
pub(crate) const CHANGING: [&str; 7] = ["append", "extend", "insert", "update", "clear", "remove", "add"];

/// Methods that give a new text and do nothing else.
const OF_TEXTS: [&str; 6] = ["format", "join", "lower", "replace", "strip", "upper"];

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

    /// The conditions of all `if`s and `elif`s, each as a whole.
    pub(crate) fn ifs(&self) -> Vec<Span> {
        let mut found = Vec::new();
        self.ifs_in(&self.stmts, &mut found);
        found
    }

    fn ifs_in(&self, stmts: &[Stmt], found: &mut Vec<Span>) {
        for stmt in stmts {
            let is_if = matches!(stmt.kind, StmtKind::If { .. });
            stmt.kind.each_part(|part| match part {
                StmtPart::Condition(condition) if is_if => found.push(self.whole(condition)),
                StmtPart::Body(body) => self.ifs_in(&body.stmts, found),
                _ => {}
            });
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

    /// What binds the names that code at a place may use, the nearest one first: of loops those around it.
    pub(crate) fn in_scope(&self, place: Span) -> Vec<Bound> {
        let walk = self.walk();
        let scopes = walk.around(place.start);
        let turns = self.turns(place);
        let is_there = |bound: &Bound| match bound.by {
            Binder::Loop { vars, over } => turns.contains(&(vars, over)),
            _ => true,
        };
        let mut found: Vec<Bound> = walk
            .bound
            .iter()
            .filter(|(scope, _, bound)| bound.name.start < place.start && scopes.contains(scope) && is_there(bound))
            .map(|(.., bound)| bound.clone())
            .collect();
        found.sort_by_key(|bound| std::cmp::Reverse(bound.name.start));
        found
    }

    /// The variables of the loops around a place, each with what the loop goes over; the innermost one first.
    pub(crate) fn turns(&self, place: Span) -> Vec<(Span, Span)> {
        let walk = self.walk();
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
        let mut calls = self.walk().calls.iter().filter(|(function, _)| self.written(*function) == name);
        let (_, given) = calls.next()?;
        calls.next().is_none().then(|| given.clone())
    }

    /// How a function may end without giving a value; `None` if it cannot, or gives lines of YAML or text.
    pub(crate) fn ends(&self, function: &Function) -> Option<Ends> {
        let name = function.name?;
        if self.gives_nodes(function) {
            return None;
        }
        let mut ends = Ends { never: function.returned.is_empty(), ..Ends::default() };
        let body = body_of(self, &self.stmts, name)?;
        self.bare_returns(body, &mut ends);
        self.ends_in(body, None, &mut ends);
        if ends.thrown.is_empty() && ends.falls.is_empty() {
            return None;
        }
        ends.end = self.in_front_of_end(function);
        Some(ends)
    }

    /// Do lines that are not code stand in a function?
    pub(crate) fn gives_nodes(&self, function: &Function) -> bool {
        match self.kind {
            FileKind::Code => false,
            FileKind::Text => true,
            FileKind::Yaml => self.written(function.whole).lines().skip(1).any(|line| {
                let line = line.trim_start();
                !line.is_empty() && !line.starts_with('#')
            }),
        }
    }

    fn in_front_of_end(&self, function: &Function) -> Option<(Span, String)> {
        let line_of = |at: u32| {
            let before = self.text.as_str()?.get(..at as usize)?;
            Some(before.rfind('\n').map_or(0, |end| end + 1) as u32)
        };
        let is_mark = |text: &str| matches!(text.trim(), "" | "#@");
        let last = line_of(function.whole.end.checked_sub(1)?)?;
        let closing = self.written(Span { start: last, ..function.whole }).trim_start().trim_start_matches("#@");
        let before =
            self.written(Span { start: line_of(function.whole.start)?, end: function.whole.start, ..function.whole });
        (closing.trim() == "end" && is_mark(before))
            .then(|| (Span { start: last, end: last, ..function.whole }, format!("{before}  ")))
    }

    fn bare_returns(&self, stmts: &[Stmt], ends: &mut Ends) {
        for stmt in stmts {
            let bodies: Vec<&Suite> = match &stmt.kind {
                StmtKind::Return(None) => {
                    ends.falls.push((self.token(stmt.first), Fall::Return));
                    continue;
                }
                StmtKind::If { branches, otherwise } => {
                    branches.iter().map(|branch| &branch.body).chain(otherwise).collect()
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
                _ => continue,
            };
            bodies.into_iter().for_each(|body| self.bare_returns(&body.stmts, ends));
        }
    }

    /// `before` is what a body that has no statements stands behind.
    fn ends_in(&self, stmts: &[Stmt], before: Option<(Span, Fall)>, ends: &mut Ends) {
        let last = stmts.iter().rfind(|stmt| !matches!(stmt.kind, StmtKind::Made));
        let Some(last) = last else {
            ends.falls.extend(before);
            return;
        };
        let head = |end: TokenId| self.span(last.first, end);
        match &last.kind {
            StmtKind::Return(_) | StmtKind::Made => {}
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    let condition = self.span(branch.keyword, branch.condition.last);
                    self.ends_in(&branch.body.stmts, Some((condition, Fall::Statement)), ends);
                }
                let condition = branches.last().map(|branch| self.span(branch.keyword, branch.condition.last));
                let condition = condition.map(|span| (span, Fall::Conditions(branches.len())));
                match otherwise {
                    Some(body) => self.ends_in(&body.stmts, condition, ends),
                    None => ends.falls.extend(condition),
                }
            }
            StmtKind::Expr(value) if self.stops(value) => {}
            StmtKind::Expr(value) if self.is_idle(value) || is_description(value, stmts, before) => {
                ends.changed = ends.changed.take().or_else(|| self.changes(value));
                ends.falls.push((self.whole(value), Fall::Statement))
            }
            StmtKind::Expr(value) => ends.thrown.push(self.whole(value)),
            StmtKind::For { vars, over, body } => {
                if let Some(Stmt { kind: StmtKind::Expr(value), .. }) = body.stmts.last() {
                    let is_outside = |name: &String| !self.written(self.whole(vars)).contains(&**name);
                    ends.changed = ends.changed.take().or_else(|| self.changes(value).filter(is_outside));
                }
                ends.falls.push((head(over.last), Fall::Loop));
            }
            StmtKind::While { condition, .. } => ends.falls.push((head(condition.last), Fall::Loop)),
            StmtKind::Assign { right, .. } => ends.falls.push((head(right.last), Fall::Statement)),
            StmtKind::Branch(_) | StmtKind::Load(_) | StmtKind::Def(_) => {
                ends.falls.push((self.token(last.first), Fall::Statement));
            }
        }
    }

    /// Values that branches of a function end with, computed by operators or methods of texts and not returned, in front of
    /// a place in it.
    pub(crate) fn thrown_before(&self, function: &Function, place: Span) -> Vec<Span> {
        let mut found = Vec::new();
        if let Some(stmts) = function.name.and_then(|name| body_of(self, &self.stmts, name)) {
            self.thrown_in(stmts, false, &mut found);
        }
        found.retain(|thrown| thrown.end <= place.start);
        found
    }

    fn thrown_in(&self, stmts: &[Stmt], is_branch: bool, found: &mut Vec<Span>) {
        let last = stmts.iter().rfind(|stmt| !matches!(stmt.kind, StmtKind::Made)).map(|stmt| stmt.first);
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::If { branches, otherwise } => {
                    let bodies = branches.iter().map(|branch| &branch.body).chain(otherwise);
                    bodies.for_each(|body| self.thrown_in(&body.stmts, true, found));
                }
                StmtKind::Expr(value) if is_branch && Some(stmt.first) == last && self.is_computed(value) => {
                    found.push(self.whole(value));
                }
                _ => {}
            }
        }
    }

    fn is_computed(&self, value: &Expr) -> bool {
        match &value.bare().kind {
            // `a or fail(…)` is there for what it does.
            ExprKind::Binary(binary) => {
                let start = self.whole(&binary.left).end;
                let between = Span { start, end: self.whole(&binary.right).start, ..self.whole(&binary.right) };
                matches!(self.written(between).trim(), "+" | "%" | "*")
            }
            ExprKind::Call(function, _) => match &function.bare().kind {
                ExprKind::Dot(_, method) => OF_TEXTS.contains(&&*self.name(*method)),
                _ => false,
            },
            _ => false,
        }
    }

    /// The name whose value a call changes: `all.append(…)`.
    pub(super) fn changes(&self, value: &Expr) -> Option<String> {
        let ExprKind::Call(function, _) = &value.bare().kind else { return None };
        let ExprKind::Dot(of, method) = &function.bare().kind else { return None };
        let is_it = matches!(of.bare().kind, ExprKind::Name) && CHANGING.contains(&&*self.name(*method));
        is_it.then(|| self.name(of.bare().first))
    }

    /// Is it there for what it does, and not for a value? What changes a value, prints or asserts something gives none.
    fn is_idle(&self, value: &Expr) -> bool {
        match &value.bare().kind {
            ExprKind::Condition(parts) => {
                let mut parts: Vec<&Expr> = parts.iter().collect();
                parts.sort_unstable_by_key(|part| part.first);
                matches!(parts[..], [value, _, other] if self.is_idle(value) && self.is_idle(other))
            }
            ExprKind::Name => self.name(value.bare().first) == "None",
            ExprKind::Call(function, _) => match &function.bare().kind {
                ExprKind::Name => self.name(function.bare().first) == "print",
                ExprKind::Dot(of, name) => {
                    CHANGING.contains(&&*self.name(*name))
                        || matches!(of.bare().kind, ExprKind::Name) && self.name(of.bare().first) == "assert"
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// A text that stands alone in a function says what it is for.
fn is_description(value: &Expr, stmts: &[Stmt], before: Option<(Span, Fall)>) -> bool {
    before.is_none() && stmts.len() == 1 && matches!(value.bare().kind, ExprKind::Literal)
}

/// The body of the function whose name stands there.
pub(super) fn body_of<'c>(code: &FileCode, stmts: &'c [Stmt], name: Span) -> Option<&'c [Stmt]> {
    stmts.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Def(def) if code.token(def.name) == name => Some(&def.body.stmts[..]),
        StmtKind::Def(def) => body_of(code, &def.body.stmts, name),
        StmtKind::If { branches, otherwise } => {
            let bodies = branches.iter().map(|branch| &branch.body).chain(otherwise);
            bodies.into_iter().find_map(|body| body_of(code, &body.stmts, name))
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => body_of(code, &body.stmts, name),
        _ => None,
    })
}
