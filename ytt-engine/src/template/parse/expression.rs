//! The grammar of expressions: binary operators by precedence, everything else by its first token.

use super::Parser;
use crate::diag::Diagnostic;
use crate::template::token::{COMPARISON, Kind, NOT};
use crate::template::tree::{Argument, ArgumentRole, Binary, Clause, Comprehension, Expr, ExprKind, Lambda, TokenId};

/// Height of the tree of one expression: a chain of `+` is as high as it is long.
const HEIGHT: u16 = 1000;
/// Expressions within each other, which the parser recurses over.
const DEPTH: u32 = 250;

impl Parser<'_> {
    #[allow(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        reason = "both summands are at most `HEIGHT`, which is 1000"
    )]
    fn made(&self, kind: ExprKind, first: TokenId) -> Result<Expr, Diagnostic> {
        let mut height = 0;
        kind.each_part(|part| height = height.max(part.height));
        if let ExprKind::Comprehension(comprehension) = &kind {
            height += comprehension.clauses.len().min(HEIGHT as usize) as u16;
        }
        if height >= HEIGHT {
            return Err(self.error("expression is nested too deeply", self.previous));
        }
        Ok(Expr { kind, first, last: self.previous, height: height + 1 })
    }

    /// Notes an operator that does not stand in the line in which its expression begins.
    fn operator(&mut self, first: TokenId, operator: TokenId) {
        let (start, end) = (self.blocks.token(first).start as usize, self.blocks.token(operator).start as usize);
        if self.blocks.scanner.spans_lines(start, end) {
            self.operators.push([first, self.previous, operator]);
        }
    }

    /// One expression, or several with commas between them, which make a tuple.
    pub(super) fn expression(&mut self, trailing_comma: bool) -> Result<Expr, Diagnostic> {
        let first = self.id;
        let expr = self.test()?;
        if self.kind != Kind::Comma {
            return Ok(expr);
        }
        let items = self.more(expr, trailing_comma, Self::test)?;
        self.made(ExprKind::Tuple(items), first)
    }

    /// The rest of a list whose first expression was read; `read` reads another.
    fn more(
        &mut self,
        first: Expr,
        trailing_comma: bool,
        read: fn(&mut Self) -> Result<Expr, Diagnostic>,
    ) -> Result<Vec<Expr>, Diagnostic> {
        let mut items = vec![first];
        while self.kind == Kind::Comma {
            let comma = self.advance()?;
            if self.kind.ends_list() {
                if !trailing_comma {
                    return Err(self.trailing_comma(&items, comma));
                }
                break;
            }
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// A lambda, or operators, or `a if b else c`.
    pub(super) fn test(&mut self) -> Result<Expr, Diagnostic> {
        self.deeper(|parser| if parser.kind == Kind::Lambda { parser.lambda(true) } else { parser.condition() })
    }

    /// `a if b else c if d else e` is read in a loop and put together from its end.
    fn condition(&mut self) -> Result<Expr, Diagnostic> {
        let first = self.id;
        let mut parts = Vec::new();
        let mut last = loop {
            let expr = match self.kind {
                Kind::Lambda if !parts.is_empty() => break self.lambda(true)?,
                _ => self.binary(0)?,
            };
            if self.kind != Kind::If {
                break expr;
            }
            let keyword = self.advance()?;
            let condition = self.binary(0)?;
            if self.kind != Kind::Else {
                return Err(self.without_else(first, keyword));
            }
            self.advance()?;
            parts.push((expr, condition));
        };
        while let Some((yes, condition)) = parts.pop() {
            let first = yes.first;
            last = self.made(ExprKind::Condition(Box::new([condition, yes, last])), first)?;
        }
        Ok(last)
    }

    fn test_without_condition(&mut self) -> Result<Expr, Diagnostic> {
        if self.kind == Kind::Lambda { self.lambda(false) } else { self.binary(0) }
    }

    fn lambda(&mut self, condition: bool) -> Result<Expr, Diagnostic> {
        let first = self.advance()?;
        let params = if self.kind == Kind::Colon { Vec::new() } else { self.params()? };
        self.expect(Kind::Colon)?;
        let body = if condition { self.test()? } else { self.test_without_condition()? };
        self.made(ExprKind::Lambda(Box::new(Lambda { params, body })), first)
    }

    /// Operators that bind at least as strongly as `least`.
    fn binary(&mut self, least: u8) -> Result<Expr, Diagnostic> {
        let first = self.id;
        let mut left = match self.kind {
            Kind::Not if least <= NOT => {
                self.advance()?;
                let operand = self.deeper(|parser| parser.binary(NOT))?;
                self.made(ExprKind::Unary(Box::new(operand)), first)?
            }
            _ => self.postfix()?,
        };
        let mut compared: Option<Kind> = None;
        let mut not = None;
        loop {
            if self.kind == Kind::Not {
                not = Some(self.advance()?);
                if self.kind != Kind::In {
                    return Err(self.unexpected("in"));
                }
                self.kind = Kind::NotIn;
            }
            let kind = self.kind;
            let Some(precedence) = kind.precedence().filter(|precedence| *precedence >= least) else { return Ok(left) };
            let before = std::mem::replace(&mut compared, (precedence == COMPARISON).then_some(kind));
            if let (Some(before), Some(_)) = (before, compared) {
                let message = format!("{} does not associate with {} (use parens)", before.bare(), kind.bare());
                let error = self.error(message, self.id);
                return Err(self.chained(error, &left));
            }
            let operator = self.id;
            let right = self.operand()?;
            let operator = not.take().unwrap_or(operator);
            self.operator(first, operator);
            left = self.made(ExprKind::Binary(Box::new(Binary { left, right })), first)?;
        }
    }

    /// A binary operator, and what stands behind it.
    pub(super) fn operand(&mut self) -> Result<Expr, Diagnostic> {
        let precedence = self.kind.precedence().unwrap_or_default();
        self.advance()?;
        self.deeper(|parser| parser.binary(precedence.saturating_add(1)))
    }

    #[allow(
        clippy::arithmetic_side_effects,
        reason = "the depth is at most one more than `DEPTH`, and what was added is taken away"
    )]
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<Expr, Diagnostic>) -> Result<Expr, Diagnostic> {
        self.depth += 1;
        let expr =
            if self.depth > DEPTH { Err(self.error("expression is nested too deeply", self.id)) } else { read(self) };
        self.depth -= 1;
        expr
    }

    /// A simple expression with its calls, attributes and indexes.
    pub(super) fn postfix(&mut self) -> Result<Expr, Diagnostic> {
        let first = self.id;
        let mut expr = self.primary()?;
        loop {
            let operator = self.id;
            let kind = match self.kind {
                Kind::Dot => {
                    self.advance()?;
                    ExprKind::Dot(Box::new(expr), self.name()?)
                }
                Kind::OpenBracket => self.index(expr)?,
                Kind::OpenParen => {
                    self.advance()?;
                    let arguments = self.arguments()?;
                    self.close(Kind::CloseParen, operator)?;
                    ExprKind::Call(Box::new(expr), arguments)
                }
                _ => return Ok(expr),
            };
            self.operator(first, operator);
            expr = self.made(kind, first)?;
        }
    }

    /// What stands between brackets behind `value`.
    fn index(&mut self, value: Expr) -> Result<ExprKind, Diagnostic> {
        let open = self.advance()?;
        let mut parts = [None, None, None];
        if self.kind != Kind::Colon {
            let index = self.expression(false)?;
            if self.kind == Kind::CloseBracket {
                self.advance()?;
                return Ok(ExprKind::Index(Box::new([value, index])));
            }
            parts[0] = Some(index);
        }
        for (number, part) in parts.iter_mut().enumerate().skip(1) {
            if self.kind != Kind::Colon {
                break;
            }
            self.advance()?;
            if self.kind != Kind::CloseBracket && (number == 2 || self.kind != Kind::Colon) {
                *part = Some(self.test()?);
            }
        }
        self.close(Kind::CloseBracket, open)?;
        Ok(ExprKind::Slice(Box::new(value), Box::new(parts)))
    }

    fn arguments(&mut self) -> Result<Vec<Argument>, Diagnostic> {
        let mut arguments: Vec<Argument> = Vec::new();
        let mut stars = false;
        while !matches!(self.kind, Kind::CloseParen | Kind::End) {
            if !arguments.is_empty() {
                self.expect(Kind::Comma)?;
            }
            if self.kind == Kind::CloseParen {
                if stars {
                    return Err(self.unexpected("argument"));
                }
                break;
            }
            let first = self.id;
            let role = match self.kind {
                Kind::Star => ArgumentRole::Star,
                Kind::DoubleStar => ArgumentRole::DoubleStar,
                _ => ArgumentRole::Plain,
            };
            if role != ArgumentRole::Plain {
                stars = true;
                self.advance()?;
            }
            let value = self.test()?;
            if role != ArgumentRole::Plain || self.kind != Kind::Assign {
                arguments.push(Argument { role, first, value });
                continue;
            }
            if !matches!(value.kind, ExprKind::Name) {
                return Err(self.error("keyword argument must have form name=expr", self.id));
            }
            self.advance()?;
            arguments.push(Argument { role: ArgumentRole::Named, first, value: self.test()? });
        }
        Ok(arguments)
    }

    fn primary(&mut self) -> Result<Expr, Diagnostic> {
        let first = self.id;
        match self.kind {
            Kind::Name | Kind::Int | Kind::Float | Kind::Str => {
                let kind = if self.kind == Kind::Name { ExprKind::Name } else { ExprKind::Literal };
                self.advance()?;
                self.made(kind, first)
            }
            Kind::OpenBracket => self.list(),
            Kind::OpenBrace => self.dict(),
            Kind::OpenParen => {
                self.advance()?;
                if self.kind == Kind::CloseParen {
                    self.advance()?;
                    return self.made(ExprKind::Tuple(Vec::new()), first);
                }
                let inner = self.expression(true)?;
                self.close(Kind::CloseParen, first)?;
                self.made(ExprKind::Paren(Box::new(inner)), first)
            }
            Kind::Minus | Kind::Plus | Kind::Tilde => {
                self.advance()?;
                let operand = self.deeper(Self::postfix)?;
                self.made(ExprKind::Unary(Box::new(operand)), first)
            }
            _ => Err(self.unexpected("primary expression")),
        }
    }

    fn list(&mut self) -> Result<Expr, Diagnostic> {
        let open = self.advance()?;
        if self.kind == Kind::CloseBracket {
            self.advance()?;
            return self.made(ExprKind::List(Vec::new()), open);
        }
        let item = self.test()?;
        if self.kind == Kind::For {
            return self.comprehension(open, vec![item], Kind::CloseBracket);
        }
        let items = self.more(item, true, Self::test)?;
        self.close(Kind::CloseBracket, open)?;
        self.made(ExprKind::List(items), open)
    }

    fn dict(&mut self) -> Result<Expr, Diagnostic> {
        let open = self.advance()?;
        let mut items = Vec::new();
        if self.kind != Kind::CloseBrace {
            self.entry_in(open, &mut items)?;
            if self.kind == Kind::For {
                return self.comprehension(open, items, Kind::CloseBrace);
            }
            while self.kind == Kind::Comma {
                self.advance()?;
                if self.kind == Kind::CloseBrace {
                    break;
                }
                self.entry_in(open, &mut items)?;
            }
        }
        self.close(Kind::CloseBrace, open)?;
        self.made(ExprKind::Dict(items), open)
    }

    /// An entry of the dict that begins with a brace.
    fn entry_in(&mut self, open: TokenId, items: &mut Vec<Expr>) -> Result<(), Diagnostic> {
        if self.kind == Kind::DoubleStar {
            let error = self.unexpected("primary expression");
            return Err(self.unpacked(error, open, items));
        }
        self.entry(items)
    }

    pub(super) fn entry(&mut self, items: &mut Vec<Expr>) -> Result<(), Diagnostic> {
        items.push(self.test()?);
        self.expect(Kind::Colon)?;
        items.push(self.test()?);
        Ok(())
    }

    fn comprehension(&mut self, open: TokenId, body: Vec<Expr>, close: Kind) -> Result<Expr, Diagnostic> {
        let mut clauses = Vec::new();
        while self.kind != close {
            clauses.push(match self.kind {
                Kind::For => {
                    self.advance()?;
                    let vars = self.loop_variables()?;
                    self.expect(Kind::In)?;
                    Clause::For(vars, self.binary(0)?)
                }
                Kind::If => {
                    self.advance()?;
                    Clause::If(self.test_without_condition()?)
                }
                _ => return Err(self.unexpected(&format!("{}, for, or if", close.name()))),
            });
        }
        self.advance()?;
        self.made(ExprKind::Comprehension(Box::new(Comprehension { body, clauses })), open)
    }

    /// What stands between `for` and `in`.
    pub(super) fn loop_variables(&mut self) -> Result<Expr, Diagnostic> {
        let first = self.id;
        let name = self.postfix()?;
        if self.kind != Kind::Comma {
            return Ok(name);
        }
        let names = self.more(name, true, Self::postfix)?;
        self.made(ExprKind::Tuple(names), first)
    }
}
