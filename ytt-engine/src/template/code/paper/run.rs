//! Statements and expressions of one call on paper.

use std::rc::Rc;

use super::super::operator;
use super::known::{Known, builtin, method};
use super::operands::{Taken, add};
use super::{Closure, Gave, Named, Paper, Reading};
use crate::source::Span;
use crate::template::scan::literal;
use crate::template::token::Kind;
use crate::template::tree::{
    Argument, ArgumentRole, Clause, Comprehension, Expr, ExprKind, Param, Stmt, StmtKind, TokenId,
};

/// Bytes of a text that is put behind another one.
const LONGEST: usize = 1_000;

pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Gave),
}

pub(super) type Operands = Vec<(Span, Vec<String>)>;

/// One call.
pub(super) struct Run<'p> {
    pub(super) paper: &'p Paper<'p>,
    pub(super) reading: &'p Reading,
    number: usize,
    /// `None` outside of functions.
    scope: Option<usize>,
    /// The conditions that were asked, the last one at the end, with what decided.
    asked: Vec<(Span, Operands)>,
}

impl<'p> Run<'p> {
    pub(super) fn new(paper: &'p Paper<'p>, reading: &'p Reading, number: usize, scope: Option<usize>) -> Run<'p> {
        Run { paper, reading, number, scope, asked: Vec::new() }
    }

    /// With names of its own inside of this one.
    pub(super) fn inner(&self) -> Run<'p> {
        Run::new(self.paper, self.reading, self.number, Some(self.paper.open(self.scope)))
    }

    fn set(&self, name: TokenId, value: Known) {
        if let Some(scope) = self.scope {
            self.paper.set(scope, self.reading.text(name), Some(value));
        }
    }

    fn closure(&self, first: TokenId) -> Known {
        Known::Function(Rc::new(Closure { reading: self.number, first, scope: self.scope }))
    }

    /// Gives parameters their values.
    pub(super) fn take(&mut self, params: &[Param], given: Vec<Known>) -> Option<()> {
        let mut given = given.into_iter();
        for param in params {
            if !matches!(param.role, ArgumentRole::Plain | ArgumentRole::Named) {
                return None;
            }
            let value = match (given.next(), &param.default) {
                (Some(value), _) => value,
                // It is made where the function is, which need not be here.
                (None, Some(default)) if self.is_constant(default) => self.eval(default)?,
                (None, _) => return None,
            };
            self.set(param.name, value);
        }
        given.next().is_none().then_some(())
    }

    pub(super) fn block(&mut self, stmts: &[Stmt]) -> Option<Flow> {
        for stmt in stmts {
            self.paper.step()?;
            match self.stmt(stmt)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<Flow> {
        match &stmt.kind {
            StmtKind::Made => {}
            StmtKind::Branch(Kind::Break) => return Some(Flow::Break),
            StmtKind::Branch(_) => return Some(Flow::Continue),
            // `None` says that nothing is done, a text what is.
            StmtKind::Expr(expr) if matches!(expr.bare().kind, ExprKind::Literal | ExprKind::Name) => {}
            StmtKind::Return(value) => return Some(Flow::Return(self.returned(value.as_ref())?)),
            StmtKind::Assign { left, operator: None, right } if matches!(left.bare().kind, ExprKind::Name) => {
                let value = self.eval(right)?;
                self.set(left.bare().first, value);
            }
            StmtKind::Def(def) => {
                self.set(def.name, self.closure(stmt.first));
            }
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    if self.ask(&branch.condition)? {
                        return self.block(&branch.body.stmts);
                    }
                }
                return match otherwise {
                    Some(body) => self.block(&body.stmts),
                    None => Some(Flow::Next),
                };
            }
            StmtKind::For { vars, over, body } => {
                let items = self.eval(over)?.items(self.paper.arena)?;
                if items.is_empty() {
                    self.note(over);
                }
                for item in items {
                    self.paper.step()?;
                    self.bind(vars, item)?;
                    match self.block(&body.stmts)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        Flow::Return(gave) => return Some(Flow::Return(gave)),
                    }
                }
            }
            StmtKind::Expr(_) | StmtKind::Assign { .. } | StmtKind::Load(_) | StmtKind::While { .. } => return None,
        }
        Some(Flow::Next)
    }

    fn bind(&self, vars: &Expr, item: Known) -> Option<()> {
        match &vars.bare().kind {
            ExprKind::Name => {
                self.set(vars.bare().first, item);
                Some(())
            }
            ExprKind::Tuple(names) => {
                let parts = item.items(self.paper.arena).filter(|parts| parts.len() == names.len())?;
                names.iter().zip(parts).try_for_each(|(name, part)| self.bind(name, part))
            }
            _ => None,
        }
    }

    /// A condition.
    fn ask(&mut self, condition: &Expr) -> Option<bool> {
        let holds = self.eval(condition)?.is_true(self.paper.arena)?;
        self.note(condition);
        Some(holds)
    }

    /// Notes what a condition looked at, this time too.
    fn note(&mut self, condition: &Expr) {
        let Some(span) = self.reading.span(condition) else { return };
        let mut operands = Vec::new();
        self.operands(condition, &mut operands);
        let known = self.asked.iter().position(|(own, _)| *own == span);
        let mut entry = known.map_or_else(|| (span, Vec::new()), |at| self.asked.remove(at));
        operands.into_iter().for_each(|operand| add(&mut entry.1, operand));
        self.asked.push(entry);
    }

    /// Is it written out, or one of the three names that are?
    fn is_constant(&self, expr: &Expr) -> bool {
        match expr.bare().kind {
            ExprKind::Literal => true,
            ExprKind::Name => matches!(&*self.reading.text(expr.bare().first), "True" | "False" | "None"),
            _ => false,
        }
    }

    pub(super) fn returned(&mut self, value: Option<&Expr>) -> Option<Gave> {
        let Some(expr) = value else { return Some(Gave { value: Some(Known::None), taken: None }) };
        let value = self.eval(expr);
        let gave = value.as_ref().and_then(|value| value.is_true(self.paper.arena));
        let returned = self.reading.span(expr)?;
        let taken = match (self.is_constant(expr), self.asked.last()) {
            (true, Some((condition, operands))) => {
                Taken { returned, gave, condition: Some(*condition), operands: operands.clone() }
            }
            (true, None) => Taken { returned, gave, condition: None, operands: Vec::new() },
            (false, _) => {
                let mut operands = Vec::new();
                self.operands(expr, &mut operands);
                Taken { returned, gave, condition: None, operands }
            }
        };
        Some(Gave { value, taken: Some(taken) })
    }

    /// The operator of two operands.
    pub(super) fn operator(&self, left: &Expr) -> Option<Kind> {
        operator(self.reading.tokens(), left)
    }

    pub(super) fn eval(&self, expr: &Expr) -> Option<Known> {
        self.paper.step()?;
        let arena = self.paper.arena;
        match &expr.bare().kind {
            ExprKind::Literal => self.literal(expr.bare().first),
            ExprKind::Name => self.name(&self.reading.text(expr.bare().first)),
            ExprKind::List(items) => Some(Known::List(self.all(items)?)),
            ExprKind::Tuple(items) => Some(Known::Tuple(self.all(items)?)),
            ExprKind::Dict(parts) => {
                let entry = |pair: &[Expr]| match pair {
                    [key, value] => Some((self.eval(key)?, self.eval(value)?)),
                    _ => None,
                };
                Known::dict(parts.chunks(2).map(entry).collect::<Option<Vec<_>>>()?)
            }
            ExprKind::Lambda(_) => Some(self.closure(expr.bare().first)),
            ExprKind::Unary(inner) => match (self.reading.token(expr.bare().first)?.kind, self.eval(inner)?) {
                (Kind::Not, value) => Some(Known::Bool(!value.is_true(arena)?)),
                (Kind::Minus, Known::Int(number)) => Some(Known::Int(number.checked_neg()?)),
                _ => None,
            },
            ExprKind::Condition(_) => self.eval(self.chosen(expr.bare())?.1),
            ExprKind::Index(parts) => {
                let [value, index] = &**parts;
                self.eval(value)?.at(arena, &self.eval(index)?)
            }
            ExprKind::Binary(binary) => {
                let operator = self.operator(&binary.left)?;
                let left = self.eval(&binary.left)?;
                match (operator, left.is_true(arena)) {
                    (Kind::And, Some(false)) | (Kind::Or, Some(true)) => return Some(left),
                    (Kind::And | Kind::Or, Some(_)) => return self.eval(&binary.right),
                    (Kind::And | Kind::Or, None) => return None,
                    _ => {}
                }
                let right = self.eval(&binary.right)?;
                if matches!(operator, Kind::In | Kind::NotIn)
                    && let Some(found) = self.paper.sought.borrow_mut().as_mut()
                    && let Some(item) = right.misses(arena, &left)
                {
                    found.push((self.reading.span(&binary.right)?, item));
                    return Some(Known::Bool(operator == Kind::In));
                }
                self.compute(operator, &left, &right)
            }
            ExprKind::Call(function, arguments) => self.called(function, arguments),
            ExprKind::Comprehension(comprehension) => {
                let mut found = Vec::new();
                self.inner().turns(comprehension, &mut |run, body| {
                    found.push(run.eval(body)?);
                    Some(())
                })?;
                Some(Known::List(found.into()))
            }
            ExprKind::Dot(..) | ExprKind::Slice(..) | ExprKind::Paren(_) => None,
        }
    }

    fn all(&self, items: &[Expr]) -> Option<Rc<[Known]>> {
        items.iter().map(|item| self.eval(item)).collect()
    }

    /// The condition of a ternary, and the value that it chooses.
    pub(super) fn chosen<'e>(&self, expr: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
        let ExprKind::Condition(parts) = &expr.kind else { return None };
        // In the order of the source: a value, the condition, the other value.
        let mut sorted: Vec<&Expr> = parts.iter().collect();
        sorted.sort_by_key(|part| part.first);
        let [value, condition, other] = sorted[..] else { return None };
        let holds = self.eval(condition)?.is_true(self.paper.arena)?;
        Some((condition, if holds { value } else { other }))
    }

    /// Each turn of a comprehension of one value.
    pub(super) fn turns(self, of: &Comprehension, each: &mut dyn FnMut(&Run<'p>, &Expr) -> Option<()>) -> Option<()> {
        let [body] = &of.body[..] else { return None };
        let (Clause::For(vars, over), rest) = of.clauses.split_first()? else { return None };
        for item in self.eval(over)?.items(self.paper.arena)? {
            self.paper.step()?;
            self.bind(vars, item)?;
            if self.is_wanted(rest)? {
                each(&self, body)?;
            }
        }
        Some(())
    }

    fn is_wanted(&self, clauses: &[Clause]) -> Option<bool> {
        for clause in clauses {
            let Clause::If(condition) = clause else { return None };
            if !self.eval(condition)?.is_true(self.paper.arena)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn literal(&self, token: TokenId) -> Option<Known> {
        let text = self.reading.text(token);
        match self.reading.token(token)?.kind {
            Kind::Str => Some(Known::Str(std::str::from_utf8(&literal(text.as_bytes())).ok()?.into())),
            Kind::Int => text.parse().ok().map(Known::Int),
            _ => None,
        }
    }

    fn name(&self, name: &str) -> Option<Known> {
        match name {
            "True" => Some(Known::Bool(true)),
            "False" => Some(Known::Bool(false)),
            "None" => Some(Known::None),
            _ => match self.paper.name(self.number, self.scope, name) {
                Named::Known(value) => Some(value),
                Named::Unknown | Named::Free => None,
            },
        }
    }

    fn compute(&self, operator: Kind, left: &Known, right: &Known) -> Option<Known> {
        let arena = self.paper.arena;
        let compare = |holds: fn(std::cmp::Ordering) -> bool| match (left, right) {
            (Known::Int(left), Known::Int(right)) => Some(Known::Bool(holds(left.cmp(right)))),
            (Known::Str(left), Known::Str(right)) => Some(Known::Bool(holds(left.cmp(right)))),
            _ => None,
        };
        match operator {
            Kind::Equal => left.equals(right).map(Known::Bool),
            Kind::NotEqual => left.equals(right).map(|same| Known::Bool(!same)),
            Kind::In => right.holds(arena, left).map(Known::Bool),
            Kind::NotIn => right.holds(arena, left).map(|holds| Known::Bool(!holds)),
            Kind::Less => compare(std::cmp::Ordering::is_lt),
            Kind::LessEqual => compare(std::cmp::Ordering::is_le),
            Kind::Greater => compare(std::cmp::Ordering::is_gt),
            Kind::GreaterEqual => compare(std::cmp::Ordering::is_ge),
            _ => match (operator, left, right) {
                (Kind::Plus, Known::Str(left), Known::Str(right)) if left.len().max(right.len()) < LONGEST => {
                    Some(Known::Str(format!("{left}{right}").into()))
                }
                (Kind::Plus, Known::Int(left), Known::Int(right)) => left.checked_add(*right).map(Known::Int),
                (Kind::Minus, Known::Int(left), Known::Int(right)) => left.checked_sub(*right).map(Known::Int),
                (Kind::Star, Known::Int(left), Known::Int(right)) => left.checked_mul(*right).map(Known::Int),
                (Kind::Percent, Known::Int(left), Known::Int(right)) if *right > 0 => {
                    left.checked_rem_euclid(*right).map(Known::Int)
                }
                (Kind::DoubleSlash, Known::Int(left), Known::Int(right)) if *right > 0 => {
                    left.checked_div_euclid(*right).map(Known::Int)
                }
                _ => None,
            },
        }
    }

    fn called(&self, function: &Expr, arguments: &[Argument]) -> Option<Known> {
        if arguments.iter().any(|argument| argument.role != ArgumentRole::Plain) {
            return None;
        }
        let given = || arguments.iter().map(|argument| self.eval(&argument.value)).collect::<Option<Vec<Known>>>();
        let arena = self.paper.arena;
        match &function.bare().kind {
            ExprKind::Dot(of, name) => method(&self.eval(of)?, &self.reading.text(*name), &given()?),
            ExprKind::Name => {
                let name = self.reading.text(function.bare().first);
                match self.paper.name(self.number, self.scope, &name) {
                    Named::Known(Known::Function(closure)) => self.paper.call(&closure, given()?)?.value,
                    Named::Known(_) | Named::Unknown => None,
                    Named::Free => builtin(arena, &name, &given()?),
                }
            }
            _ => match self.eval(function)? {
                Known::Function(closure) => self.paper.call(&closure, given()?)?.value,
                _ => None,
            },
        }
    }
}
