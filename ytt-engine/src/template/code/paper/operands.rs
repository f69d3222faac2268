//! How a function that was run on paper ended, and what decided.

use super::run::{Operands, Run};
use crate::source::{SourceMap, Span};
use crate::template::token::Kind;
use crate::template::tree::{Clause, Expr, ExprKind};

/// Values of one operand that are shown.
const SHOWN: usize = 3;

/// How a function ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// What it returned; of a lambda its body.
    pub(crate) returned: Span,
    /// Whether that is true, if it is known.
    pub(crate) gave: Option<bool>,
    /// What it returned is a constant: the condition that was asked last.
    pub(crate) condition: Option<Span>,
    /// The code that decided, with its value; several of a loop.
    pub(crate) operands: Vec<(Span, Vec<String>)>,
}

impl Taken {
    /// Does it depend on what is compared there?
    pub(crate) fn compares(&self) -> bool {
        self.condition.is_none()
    }

    /// Ends at the same place: what the operands are there too is told with these.
    pub(crate) fn join(&mut self, other: &Taken) -> bool {
        let is_same = (self.returned, self.condition) == (other.returned, other.condition);
        if is_same {
            other.operands.iter().for_each(|operand| add(&mut self.operands, operand.clone()));
        }
        is_same
    }

    /// The part of code that decided.
    pub(crate) fn place(&self) -> Span {
        self.condition.unwrap_or(self.returned)
    }

    /// What a constant says that was returned behind a condition.
    pub(crate) fn end(&self, sources: &SourceMap) -> String {
        let source = sources.get(self.returned.source);
        match (self.condition, source.written(self.returned)) {
            (Some(_), Some(written)) => format!("; then line {} returns {written}", source.line(self.returned.start)),
            _ => String::new(),
        }
    }

    /// What the operands were.
    pub(crate) fn told(&self, sources: &SourceMap) -> String {
        let told = self.operands.iter().filter_map(|(span, values)| {
            let source = sources.get(span.source);
            let code = source.written(*span).filter(|code| !code.contains('\n'))?;
            let more = if values.len() > SHOWN { ", …" } else { "" };
            Some(format!("`{code}` is {}{more}", values.get(..SHOWN).unwrap_or(values).join(", ")))
        });
        let mut all: Vec<String> = Vec::new();
        told.for_each(|one| {
            if !all.contains(&one) {
                all.push(one);
            }
        });
        all.join("; ")
    }
}

impl Run<'_> {
    /// What decided of an expression.
    pub(super) fn operands(&self, expr: &Expr, found: &mut Operands) {
        match &expr.bare().kind {
            ExprKind::Unary(inner) => self.operands(inner, found),
            ExprKind::Binary(binary) => match self.operator(&binary.left) {
                Some(operator @ (Kind::And | Kind::Or)) => {
                    let left = self.eval(&binary.left).and_then(|left| left.is_true(self.paper.arena));
                    let right = self.eval(&binary.right).and_then(|right| right.is_true(self.paper.arena));
                    let (stops, is_and) = (left == Some(operator == Kind::Or), operator == Kind::And);
                    if stops || left.is_none() || right == Some(is_and) || !is_and && right == Some(false) {
                        self.operands(&binary.left, found);
                    }
                    if !stops {
                        self.operands(&binary.right, found);
                    }
                }
                _ => [&binary.left, &binary.right].into_iter().for_each(|side| self.operand(side, found)),
            },
            ExprKind::Condition(_) => {
                if let Some((condition, chosen)) = self.chosen(expr.bare()) {
                    let before = found.len();
                    self.operands(chosen, found);
                    if found.len() == before {
                        self.operands(condition, found);
                    }
                }
            }
            ExprKind::Call(function, arguments) => match (&function.bare().kind, arguments) {
                (ExprKind::Dot(of, _), arguments) => {
                    self.operand(of, found);
                    arguments.iter().for_each(|argument| self.operand(&argument.value, found));
                }
                (ExprKind::Name, arguments) => match &arguments[..] {
                    [only] if matches!(only.value.bare().kind, ExprKind::Comprehension(_)) => {
                        let ExprKind::Comprehension(comprehension) = &only.value.bare().kind else { return };
                        let mut inside = Vec::new();
                        // What was told before it went on is true all the same.
                        let _ = self.inner().turns(comprehension, &mut |run, body| {
                            let mut turn = Vec::new();
                            run.operands(body, &mut turn);
                            turn.into_iter().for_each(|operand| add(&mut inside, operand));
                            Some(())
                        });
                        inside.into_iter().for_each(|operand| add(found, operand));
                        if let Some(Clause::For(_, over)) = comprehension.clauses.first()
                            && found.is_empty()
                        {
                            self.operand(over, found);
                        }
                    }
                    arguments => arguments.iter().for_each(|argument| self.operand(&argument.value, found)),
                },
                _ => self.operand(expr, found),
            },
            _ => self.operand(expr, found),
        }
    }

    /// A value that was looked at; what is written out needs no words.
    fn operand(&self, expr: &Expr, found: &mut Operands) {
        match &expr.bare().kind {
            ExprKind::Literal | ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Dict(_) | ExprKind::Lambda(_) => {}
            ExprKind::Name if matches!(&*self.reading.text(expr.bare().first), "True" | "False" | "None") => {}
            ExprKind::Binary(binary) => {
                [&binary.left, &binary.right].into_iter().for_each(|side| self.operand(side, found));
            }
            ExprKind::Unary(inner) => self.operand(inner, found),
            _ => {
                if let (Some(span), Some(value)) = (self.reading.span(expr), self.eval(expr)) {
                    add(found, (span, vec![value.shown(self.paper.arena)]));
                }
            }
        }
    }
}

/// Adds what an operand was; of the same code it may have been something else in another turn.
pub(super) fn add(found: &mut Operands, (span, values): (Span, Vec<String>)) {
    match found.iter_mut().find(|(own, _)| *own == span) {
        Some((_, own)) => {
            for value in values {
                if !own.contains(&value) && own.len() <= SHOWN {
                    own.push(value);
                }
            }
        }
        None => found.push((span, values)),
    }
}
