//! Names of a file that mean one value, from when they are set: nothing sets them again, and nothing changes what they hold.

use super::{FileCode, operator};
use crate::source::Span;
use crate::template::token::Kind;
use crate::template::tree::{Clause, Expr, ExprKind, Param, Stmt, StmtKind};

/// Functions that only look at what they are given.
const LOOKING: [&str; 9] = ["len", "any", "all", "type", "bool", "str", "repr", "sorted", "list"];
/// Methods that only look.
const READING: [&str; 5] = ["get", "keys", "values", "items", "index"];

/// What a name of the file is looked for in.
struct Uses<'c> {
    code: &'c FileCode,
    name: &'c str,
    /// It holds nothing that can be changed itself.
    is_flat: bool,
    /// Built-ins that keep nothing of what they are given, and whose names the file leaves alone.
    looking: Vec<&'static str>,
}

impl FileCode {
    /// Does the file bind the name outside of functions?
    pub(crate) fn binds(&self, name: &str) -> bool {
        self.walk().bounds(0, name).next().is_some()
    }

    /// Does a function, lambda or comprehension around a place bind the name?
    pub(crate) fn is_local(&self, place: Span, name: &str) -> bool {
        let walk = self.walk();
        walk.around(place.start).into_iter().any(|scope| scope != 0 && walk.bounds(scope, name).next().is_some())
    }

    /// The one statement that sets a name of the file; it is in no block.
    pub(super) fn sets_once(&self, name: &str) -> Option<&Stmt> {
        let walk = self.walk();
        let mut all = walk.bounds(0, name);
        let (Some(_), None) = (all.next(), all.next()) else { return None };
        let is_changed = |(scope, place, _): &(usize, Span, String)| *scope == 0 && self.written(*place) == name;
        if walk.changed.iter().any(is_changed) {
            return None;
        }
        self.stmts.iter().find(|stmt| match &stmt.kind {
            StmtKind::Def(def) => self.name(def.name) == name,
            StmtKind::Assign { left, operator: None, .. } => {
                matches!(left.bare().kind, ExprKind::Name) && self.name(left.bare().first) == name
            }
            _ => false,
        })
    }

    /// The names that one assignment outside of all blocks sets and that the file reads nowhere, of those that are meant.
    pub(crate) fn idle_constants(&self, is_meant: &dyn Fn(&str) -> bool) -> Vec<Span> {
        let names = self.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign { left, operator: None, .. } if matches!(left.bare().kind, ExprKind::Name) => {
                Some(self.whole(left.bare()))
            }
            _ => None,
        });
        let is_idle = |name: &Span| {
            let name = self.written(*name);
            is_meant(name) && self.sets_once(name).is_some() && self.reads(name).is_empty()
        };
        names.filter(is_idle).collect()
    }

    /// Does a name of the file mean a function, and nothing else?
    pub(crate) fn is_function(&self, name: &str) -> bool {
        self.sets_once(name).is_some_and(|stmt| matches!(stmt.kind, StmtKind::Def(_)))
    }

    /// Is what a name of the file holds only looked at, wherever the file has the name? What is given to functions, put
    /// into other values or returned may be changed by others while the file runs.
    pub(super) fn only_reads(&self, name: &str, is_flat: bool) -> bool {
        let is_own = |name: &&str| !self.binds(name);
        let looking = LOOKING.into_iter().filter(is_own).collect();
        Uses { code: self, name, is_flat, looking }.stmts(&self.stmts)
    }
}

impl Uses<'_> {
    fn stmts(&self, stmts: &[Stmt]) -> bool {
        stmts.iter().all(|stmt| match &stmt.kind {
            StmtKind::Made | StmtKind::Branch(_) | StmtKind::Return(None) | StmtKind::Load(_) => true,
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.expr(expr, false),
            StmtKind::Assign { left, right, .. } => self.expr(right, false) && self.left(left),
            StmtKind::If { branches, otherwise } => {
                branches.iter().all(|branch| self.expr(&branch.condition, true) && self.stmts(&branch.body.stmts))
                    && otherwise.iter().all(|body| self.stmts(&body.stmts))
            }
            StmtKind::For { vars, over, body } => {
                self.left(vars) && self.expr(over, self.is_flat) && self.stmts(&body.stmts)
            }
            StmtKind::While { condition, body } => self.expr(condition, true) && self.stmts(&body.stmts),
            StmtKind::Def(def) => self.params(&def.params) && self.stmts(&def.body.stmts),
        })
    }

    fn params(&self, params: &[Param]) -> bool {
        params.iter().filter_map(|param| param.default.as_ref()).all(|default| self.expr(default, false))
    }

    /// What is assigned to: a name is set there, not what it holds.
    fn left(&self, left: &Expr) -> bool {
        match &left.bare().kind {
            ExprKind::Name => true,
            ExprKind::Tuple(parts) | ExprKind::List(parts) => parts.iter().all(|part| self.left(part)),
            ExprKind::Index(parts) => {
                let [value, index] = &**parts;
                self.expr(value, false) && self.expr(index, true)
            }
            _ => self.expr(left, false),
        }
    }

    /// `is_looked_at`: nothing keeps the value of the expression.
    fn expr(&self, expr: &Expr, is_looked_at: bool) -> bool {
        match &expr.kind {
            ExprKind::Name => is_looked_at || self.code.name(expr.first) != self.name,
            ExprKind::Paren(inner) => self.expr(inner, is_looked_at),
            ExprKind::Unary(inner) => self.expr(inner, true),
            ExprKind::Binary(binary) => {
                let is_kept = match operator(&self.code.tokens, &binary.left) {
                    Some(Kind::And | Kind::Or) => !is_looked_at,
                    Some(Kind::Plus | Kind::Star | Kind::Percent | Kind::Pipe) => !self.is_flat,
                    _ => false,
                };
                self.expr(&binary.left, !is_kept) && self.expr(&binary.right, !is_kept)
            }
            ExprKind::Index(parts) => {
                let [value, index] = &**parts;
                self.expr(value, is_looked_at || self.is_flat) && self.expr(index, true)
            }
            ExprKind::Condition(parts) => {
                let mut sorted: Vec<&Expr> = parts.iter().collect();
                sorted.sort_by_key(|part| part.first);
                sorted.iter().enumerate().all(|(number, part)| self.expr(part, number == 1 || is_looked_at))
            }
            ExprKind::Call(function, arguments) => {
                let is_looking = match &function.bare().kind {
                    ExprKind::Name => {
                        let name = self.code.name(function.bare().first);
                        self.looking.contains(&&*name) && (self.is_flat || name == "len")
                    }
                    _ => false,
                };
                let is_read = match &function.bare().kind {
                    ExprKind::Dot(of, name) if self.is_flat && READING.contains(&&*self.code.name(*name)) => {
                        self.expr(of, true)
                    }
                    _ => self.expr(function, false),
                };
                is_read && arguments.iter().all(|argument| self.expr(&argument.value, is_looking))
            }
            ExprKind::Comprehension(comprehension) => {
                comprehension.body.iter().all(|body| self.expr(body, false))
                    && comprehension.clauses.iter().all(|clause| match clause {
                        Clause::If(condition) => self.expr(condition, true),
                        Clause::For(vars, over) => self.left(vars) && self.expr(over, self.is_flat),
                    })
            }
            ExprKind::Lambda(lambda) => self.params(&lambda.params) && self.expr(&lambda.body, false),
            kind => {
                let mut only_reads = true;
                kind.each_part(|part| only_reads &= self.expr(part, false));
                only_reads
            }
        }
    }
}
