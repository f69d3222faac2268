//! All that the code of a file binds, defines, reads and calls, found in one walk over it.

use std::collections::HashMap;

use super::{Binder, Bound, FileCode, Function, Parameter};
use crate::source::Span;
use crate::template::tree::{Clause, Expr, ExprKind, Param, Stmt, StmtKind, TokenId};
use crate::template::written::Argument;

/// A file, function or comprehension by its number, and the function that a `return` there belongs to.
type Place = (usize, Option<usize>);

/// Where names are bound by themselves.
#[derive(Debug)]
struct Scope {
    /// The one around it; of the file itself.
    outer: usize,
    /// All of it; `None` of the file.
    whole: Option<Span>,
    /// A part of that which belongs to the scope around it.
    outside: Option<Span>,
}

/// All that code binds and defines.
#[derive(Debug)]
pub(super) struct Walk {
    /// Outer ones before inner ones, that of the file first.
    scopes: Vec<Scope>,
    /// Names with their scopes.
    pub(super) bound: Vec<(usize, String, Bound)>,
    /// The numbers of what is bound, by name.
    named: HashMap<String, Vec<usize>>,
    pub(super) functions: Vec<Function>,
    /// The names that are changed by `+=` and its like, each with its scope and the operator.
    pub(super) changed: Vec<(usize, Span, String)>,
    /// The names that are read, each with its scope.
    pub(super) read: Vec<(usize, Span)>,
    /// What is called, with its arguments.
    pub(super) calls: Vec<(Span, Vec<Argument>)>,
    /// What each loop goes over, and all of it.
    pub(super) loops: Vec<(Span, Span)>,
}

impl Walk {
    pub(super) fn of(code: &FileCode) -> Walk {
        let (bound, functions, changed, read) = (vec![], vec![], vec![], vec![]);
        let (calls, loops, named) = (vec![], vec![], HashMap::new());
        let scopes = vec![Scope { outer: 0, whole: None, outside: None }];
        let found = Walk { scopes, bound, named, functions, changed, read, calls, loops };
        let mut walker = Walker { code, found };
        walker.stmts(&code.stmts, (0, None));
        let mut found = walker.found;
        for (number, (_, name, _)) in found.bound.iter().enumerate() {
            match found.named.get_mut(name) {
                Some(all) => all.push(number),
                None => drop(found.named.insert(name.clone(), vec![number])),
            }
        }
        found
    }

    /// The scopes around an offset, outer ones before inner ones.
    pub(super) fn around(&self, at: u32) -> Vec<usize> {
        let is_in = |span: Span| (span.start..span.end).contains(&at);
        let is_around = |scope: &Scope| scope.whole.is_none_or(is_in) && !scope.outside.is_some_and(is_in);
        (0..self.scopes.len()).filter(|number| is_around(&self.scopes[*number])).collect()
    }

    /// The scope around another one; `None` of the file.
    pub(super) fn outer(&self, scope: usize) -> Option<usize> {
        self.scopes.get(scope).map(|known| known.outer).filter(|outer| *outer != scope)
    }

    /// What binds a name in a scope, in the order in which it stands there.
    pub(super) fn bounds(&self, scope: usize, name: &str) -> impl DoubleEndedIterator<Item = &Bound> {
        let all = self.named.get(name).map_or(&[][..], Vec::as_slice);
        let all = all.iter().map(|number| &self.bound[*number]);
        all.filter(move |(at, ..)| *at == scope).map(|(.., bound)| bound)
    }
}

struct Walker<'c> {
    code: &'c FileCode,
    found: Walk,
}

impl Walker<'_> {
    fn stmts(&mut self, stmts: &[Stmt], place: Place) {
        for stmt in stmts {
            self.stmt(stmt, place);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, place: Place) {
        match &stmt.kind {
            StmtKind::Made | StmtKind::Branch(_) | StmtKind::Return(None) => {}
            StmtKind::Expr(expr) => self.expr(expr, place),
            StmtKind::Return(Some(value)) => {
                if let Some(function) = place.1 {
                    let span = self.code.whole(value);
                    self.found.functions[function].returned.push(span);
                }
                self.expr(value, place);
            }
            StmtKind::Assign { left, operator, right } => {
                self.expr(right, place);
                let value = self.code.whole(right);
                match left.bare().kind {
                    ExprKind::Name if operator.is_some() => {
                        let name = self.code.whole(left.bare());
                        let between = Span { start: self.code.whole(left).end, end: value.start, ..value };
                        self.found.changed.push((place.0, name, self.code.written(between).trim().to_owned()));
                        self.expr(left, place);
                    }
                    _ if operator.is_some() => self.expr(left, place),
                    ExprKind::Dot(..) | ExprKind::Index(_) => self.expr(left, place),
                    ExprKind::Name => self.bind(left, place, &Binder::Value(value)),
                    _ => self.bind(left, place, &Binder::Part(value)),
                }
            }
            StmtKind::Load(load) => {
                for (name, _) in &load.names {
                    self.note(*name, place, Binder::Load);
                }
            }
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    self.expr(&branch.condition, place);
                    self.stmts(&branch.body.stmts, place);
                }
                self.stmts(otherwise.as_ref().map_or(&[], |body| &body.stmts[..]), place);
            }
            StmtKind::For { vars, over, body } => {
                self.expr(over, place);
                self.turn(vars, over, place);
                let whole = self.code.span(stmt.first, body.close);
                self.found.loops.push((self.code.span(vars.first, over.last), whole));
                self.stmts(&body.stmts, place);
            }
            StmtKind::While { condition, body } => {
                self.expr(condition, place);
                self.found.loops.push((self.code.whole(condition), self.code.span(stmt.first, body.close)));
                self.stmts(&body.stmts, place);
            }
            StmtKind::Def(def) => {
                self.note(def.name, place, Binder::Def);
                let whole = self.code.span(stmt.first, def.body.close);
                let head = self.code.span(stmt.first, def.body.colon);
                let inner = self.function(place, Some(def.name), &def.params, (head, whole));
                self.stmts(&def.body.stmts, inner);
            }
        }
    }

    fn expr(&mut self, expr: &Expr, place: Place) {
        match &expr.kind {
            ExprKind::Name => self.found.read.push((place.0, self.code.whole(expr))),
            ExprKind::Call(function, arguments) => {
                let arguments = arguments.iter().map(|one| self.code.argument(one)).collect();
                self.found.calls.push((self.code.whole(function), arguments));
                expr.kind.each_part(|part| self.expr(part, place));
            }
            ExprKind::Lambda(lambda) => {
                let head = self.code.span(expr.first, lambda.body.first - 1);
                let inner = self.function(place, None, &lambda.params, (head, self.code.whole(expr)));
                let body = self.code.whole(&lambda.body);
                self.found.functions[inner.1.unwrap_or_default()].returned.push(body);
                self.expr(&lambda.body, inner);
            }
            ExprKind::Comprehension(comprehension) => {
                let whole = self.code.whole(expr);
                // What the first clause goes over belongs to the scope outside.
                let outside = match comprehension.clauses.first() {
                    Some(Clause::For(_, over)) => Some(self.code.whole(over)),
                    _ => None,
                };
                let inner = (self.enter(Scope { outer: place.0, whole: Some(whole), outside }), place.1);
                for (number, clause) in comprehension.clauses.iter().enumerate() {
                    match clause {
                        Clause::If(condition) => self.expr(condition, inner),
                        Clause::For(vars, over) => {
                            self.found.loops.push((self.code.span(vars.first, over.last), whole));
                            self.expr(over, if number == 0 { place } else { inner });
                            self.turn(vars, over, inner);
                        }
                    }
                }
                comprehension.body.iter().for_each(|part| self.expr(part, inner));
            }
            kind => kind.each_part(|part| self.expr(part, place)),
        }
    }

    /// Opens a scope in another one.
    fn enter(&mut self, scope: Scope) -> usize {
        self.found.scopes.push(scope);
        self.found.scopes.len() - 1
    }

    fn function(
        &mut self,
        outer: Place,
        name: Option<TokenId>,
        params: &[Param],
        (head, whole): (Span, Span),
    ) -> Place {
        let scope = self.enter(Scope { outer: outer.0, whole: Some(whole), outside: None });
        let name = name.map(|name| self.code.token(name));
        let mut parameters = Vec::with_capacity(params.len());
        for param in params {
            if !param.bare {
                self.note(param.name, (scope, None), Binder::Parameter(name));
            }
            parameters.push(Parameter {
                name: if param.bare { String::new() } else { self.code.name(param.name) },
                span: self.code.token(param.name),
                role: param.role,
                whole: self.code.span(
                    param.name.min(param.operator),
                    param.default.as_ref().map_or(param.name, |default| default.last),
                ),
            });
        }
        self.found.functions.push(Function { name, parameters, head, returned: Vec::new(), whole });
        (scope, Some(self.found.functions.len() - 1))
    }

    fn turn(&mut self, vars: &Expr, over: &Expr, place: Place) {
        let by = Binder::Loop { vars: self.code.whole(vars), over: self.code.whole(over) };
        self.bind(vars, place, &by);
    }

    /// Binds the names of what something is assigned to.
    fn bind(&mut self, left: &Expr, place: Place, by: &Binder) {
        match &left.kind {
            ExprKind::Name => self.note(left.first, place, by.clone()),
            ExprKind::Paren(_) | ExprKind::Tuple(_) | ExprKind::List(_) => {
                left.kind.each_part(|part| self.bind(part, place, by));
            }
            _ => {}
        }
    }

    fn note(&mut self, name: TokenId, (scope, _): Place, by: Binder) {
        let bound = Bound { name: self.code.token(name), by };
        self.found.bound.push((scope, self.code.name(name), bound));
    }
}
