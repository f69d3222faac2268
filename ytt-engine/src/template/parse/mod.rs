//! The grammar of statements: tokens to the syntax tree, mistakes in the reference's words.
//!
//! `blocks` turns `end` into the end of a block, `expression` reads expressions. A mistake stands at the token that is
//! wrong (the reference points behind it, often at the next line).

mod beside;
mod blocks;
mod branches;
mod ends;
mod expression;
mod foreign;
mod last;
mod lines;
mod otherwise;
mod pairs;
mod slips;
mod sugar;
mod unquoted;

use std::borrow::Cow;

use self::blocks::Blocks;
pub(super) use self::slips::annotation;
pub(super) use self::unquoted::unquoted;
use super::input::{Input, Origin};
use super::scan::Scanner;
use super::token::{Kind, Token};
use super::tree::{ArgumentRole, Branch, Def, Expr, Load, Param, Stmt, StmtKind, Suite, TokenId};
use crate::diag::{Diagnostic, Fact};
use crate::source::SourceId;

/// `elif`s in one statement; parser and compiler recurse over them.
const BRANCHES: usize = 1000;

/// A program as it was read.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) tokens: Vec<Token>,
    pub(super) stmts: Vec<Stmt>,
    /// First and last token and operator of each expression that spans lines.
    pub(super) operators: Vec<[TokenId; 3]>,
}

pub(super) fn parse(input: &Input) -> Result<Parsed, Diagnostic> {
    let mut parser = Parser::new(input)?;
    let mut stmts = Vec::new();
    while parser.kind != Kind::End {
        if parser.kind == Kind::Newline {
            parser.advance()?;
        } else {
            parser.statement(&mut stmts)?;
        }
    }
    Ok(Parsed { tokens: parser.blocks.scanner.tokens, stmts, operators: parser.operators })
}

/// The parameters of the `def` or lambda that a text begins with; what follows is not read.
pub(super) fn head(input: &Input) -> Result<(Vec<Param>, Vec<Token>), Diagnostic> {
    let mut parser = Parser::new(input)?;
    if parser.kind == Kind::Lambda {
        parser.advance()?;
    } else {
        parser.expect(Kind::Def)?;
        parser.name()?;
        parser.expect(Kind::OpenParen)?;
    }
    let params = parser.params()?;
    Ok((params, parser.blocks.scanner.tokens))
}

/// Where the tokens of a line end, in front of a bracket that closes nothing.
pub(super) fn tokens_end(line: &[u8]) -> usize {
    let input = whole(line);
    let mut scanner = Scanner::new(&input);
    let mut end = 0;
    while let Some(token) = scanner.next().ok().and_then(|id| scanner.tokens.get(id as usize).copied())
        && token.kind != Kind::End
    {
        end = token.end as usize;
    }
    end
}

/// Where the expression ends that a line begins with, whatever follows it.
pub(super) fn expression_end(line: &[u8]) -> Option<usize> {
    let input = whole(line.get(..tokens_end(line)).unwrap_or(line));
    let mut parser = Parser::new(&input).ok()?;
    parser.test().ok()?;
    Some(parser.blocks.token(parser.previous).end as usize)
}

/// Code by itself.
fn whole(code: &[u8]) -> Input {
    let mut input = Input::new(SourceId(0), ("", ""));
    input.piece(code, Origin::Code(0));
    input
}

/// A text that is one expression.
#[derive(Debug)]
pub(super) struct Single {
    pub(super) input: Input,
    pub(super) tokens: Vec<Token>,
    pub(super) root: Expr,
}

impl Single {
    /// `None` if the text is more or less than an expression.
    pub(super) fn read(input: Input) -> Option<Single> {
        let Parsed { tokens, mut stmts, .. } = parse(&input).ok()?;
        match (stmts.pop()?.kind, stmts.is_empty()) {
            (StmtKind::Expr(root), true) => Some(Single { input, tokens, root }),
            _ => None,
        }
    }

    #[allow(clippy::indexing_slicing, reason = "the tree was read from these tokens")]
    pub(super) fn text(&self, id: TokenId) -> &[u8] {
        self.input.token(self.tokens[id as usize])
    }
}

struct Parser<'a> {
    blocks: Blocks<'a>,
    /// The token that comes next.
    kind: Kind,
    id: TokenId,
    /// The token that was taken last.
    previous: TokenId,
    /// Open expressions, which the parser recurses over.
    depth: u32,
    operators: Vec<[TokenId; 3]>,
}

impl<'a> Parser<'a> {
    /// A parser that has taken the first token.
    fn new(input: &'a Input) -> Result<Parser<'a>, Diagnostic> {
        let blocks = Blocks::new(Scanner::new(input));
        let mut parser = Parser { blocks, kind: Kind::Newline, id: 0, previous: 0, depth: 0, operators: Vec::new() };
        parser.advance()?;
        Ok(parser)
    }

    /// Takes the next token and gives its number.
    fn advance(&mut self) -> Result<TokenId, Diagnostic> {
        self.previous = self.id;
        (self.kind, self.id) = self.blocks.next()?;
        Ok(self.previous)
    }

    fn error(&self, message: impl Into<String>, id: TokenId) -> Diagnostic {
        self.blocks.error(message, id)
    }

    fn text(&self, id: TokenId) -> Cow<'a, str> {
        String::from_utf8_lossy(self.blocks.scanner.input.token(self.blocks.token(id)))
    }

    /// Says that something else was wanted here. Text that the compiler made counts as the end of the line.
    fn unexpected(&self, want: &str) -> Diagnostic {
        if let Some(open) = self.blocks.scanner.unclosed {
            return self.blocks.scanner.unclosed_bracket(open);
        }
        let token = self.blocks.token(self.id);
        let (got, at) = match token.made && self.kind != Kind::Name {
            true => ("newline", self.previous),
            false => (self.kind.name(), self.id),
        };
        let hint = match (self.kind, want) {
            (Kind::Newline, "':'") => " (hint: missing colon at the end of 'if/for/def' statement?)",
            (Kind::Ampersand, "primary expression") if self.line_has(token, b"&&") => {
                " (hint: use 'and' instead of '&&' for logical-and)"
            }
            (Kind::Pipe, "primary expression") if self.line_has(token, b"||") => {
                " (hint: use 'or' instead of '||' for logical-or)"
            }
            _ => "",
        };
        // behind the line there is nothing to point at
        let at = if self.kind == Kind::Newline && self.id > 0 { self.id.saturating_sub(1) } else { at };
        let mut error = self.error(format!("got {got}, want {want}{hint}"), at);
        if let Some(error) = self.slip(&error, want) {
            return error;
        }
        if self.kind == Kind::Assign && want == "')'" {
            error = error.fact(Fact::AssignmentAsValue);
        }
        let missing = want == "':'" && got == "newline";
        let Some(label) = error.parts_mut().labels.first_mut().filter(|_| missing) else { return error };
        label.span.start = label.span.end;
        let place = label.span;
        error.help_edit("write `:` at the end of the line", place, ":")
    }

    fn line_has(&self, token: Token, wanted: &[u8]) -> bool {
        let text = &self.blocks.scanner.input.text;
        let (before, behind) = text.split_at(token.start as usize);
        let is_break = |byte: &u8| *byte == b'\n';
        let from = before.iter().rposition(is_break).map_or(0, |at| at.saturating_add(1));
        let to = before.len().saturating_add(behind.iter().position(is_break).unwrap_or(behind.len()));
        text.get(from..to).unwrap_or_default().windows(wanted.len()).any(|window| window == wanted)
    }

    fn expect(&mut self, kind: Kind) -> Result<TokenId, Diagnostic> {
        if self.kind != kind {
            return Err(self.unexpected(kind.name()));
        }
        self.advance()
    }

    /// Takes the bracket that closes the one at `open`.
    fn close(&mut self, kind: Kind, open: TokenId) -> Result<TokenId, Diagnostic> {
        if self.kind == kind {
            return self.advance();
        }
        let opened = self.blocks.token(open);
        if opened.made {
            return Err(self.unexpected(kind.name()));
        }
        if self.blocks.token(self.id).made || self.blocks.scanner.unclosed.is_some() {
            return Err(self.blocks.scanner.unclosed_bracket(self.blocks.scanner.unclosed.unwrap_or(open)));
        }
        let error = self.unexpected(kind.name());
        match error.parts().helps.is_empty() {
            true => Err(self.blocks.scanner.not_closed(error, opened, self.id as usize)),
            false => Err(error),
        }
    }

    fn name(&mut self) -> Result<TokenId, Diagnostic> {
        if self.kind == Kind::Name {
            return self.advance();
        }
        if !self.kind.is_keyword() {
            return Err(self.error("not an identifier", self.id));
        }
        let word = self.text(self.id);
        let message = format!("use of reserved keyword '{word}' is not allowed (expected identifier)");
        let error = self.error(message, self.id);
        Err(match self.blocks.token(self.previous).kind {
            Kind::Dot => {
                let (dot, end) = (self.blocks.token(self.previous).start, self.blocks.token(self.id).end);
                let place = self.blocks.scanner.input.span(dot, end);
                error.help_edit("a reserved word is read between brackets", place, format!("[\"{word}\"]"))
            }
            _ => match self.blocks.scanner.innermost() {
                Some(open) => self.blocks.scanner.not_closed(error, open, self.id as usize),
                None => error,
            },
        })
    }

    fn statement(&mut self, stmts: &mut Vec<Stmt>) -> Result<(), Diagnostic> {
        let first = self.id;
        let kind = match self.kind {
            Kind::Def => self.def()?,
            Kind::If => self.if_statement()?,
            Kind::For => {
                self.advance()?;
                let vars = self.loop_variables()?;
                self.expect(Kind::In)?;
                let over = self.expression(false)?;
                StmtKind::For { vars, over, body: self.suite()? }
            }
            Kind::While => {
                self.advance()?;
                let condition = self.test()?;
                StmtKind::While { condition, body: self.suite()? }
            }
            Kind::Made => {
                self.advance()?;
                self.expect(Kind::Newline)?;
                StmtKind::Made
            }
            _ => return self.simple_statements(stmts),
        };
        stmts.push(Stmt { kind, first });
        Ok(())
    }

    fn def(&mut self) -> Result<StmtKind, Diagnostic> {
        self.advance()?;
        let name = self.name()?;
        let open = self.expect(Kind::OpenParen)?;
        let params = self.params()?;
        self.close(Kind::CloseParen, open)?;
        Ok(StmtKind::Def(Box::new(Def { name, params, body: self.suite()? })))
    }

    fn if_statement(&mut self) -> Result<StmtKind, Diagnostic> {
        let mut branches = Vec::new();
        loop {
            let keyword = self.advance()?;
            if branches.len() > BRANCHES {
                return Err(self.error("expression is nested too deeply", keyword));
            }
            let condition = self.test()?;
            branches.push(Branch { keyword, condition, body: self.suite()? });
            if self.kind != Kind::Elif {
                break;
            }
        }
        if self.kind != Kind::Else {
            return Ok(StmtKind::If { branches, otherwise: None });
        }
        self.advance()?;
        Ok(StmtKind::If { branches, otherwise: Some(self.suite()?) })
    }

    /// `:` and the body: a block, or statements on the same line.
    fn suite(&mut self) -> Result<Suite, Diagnostic> {
        let colon = self.expect(Kind::Colon)?;
        let mut stmts = Vec::new();
        if self.kind != Kind::Newline {
            self.simple_statements(&mut stmts)?;
            return Ok(Suite { stmts, colon, close: self.previous });
        }
        self.advance()?;
        self.expect(Kind::Indent)?;
        while !matches!(self.kind, Kind::Outdent | Kind::End) {
            self.statement(&mut stmts)?;
        }
        let close = self.expect(Kind::Outdent)?;
        Ok(Suite { stmts, colon, close })
    }

    fn simple_statements(&mut self, stmts: &mut Vec<Stmt>) -> Result<(), Diagnostic> {
        loop {
            let first = self.id;
            let kind = self.small_statement()?;
            stmts.push(Stmt { kind, first });
            if self.kind != Kind::Semicolon {
                break;
            }
            self.advance()?;
            if matches!(self.kind, Kind::Newline | Kind::End) {
                break;
            }
        }
        if self.kind != Kind::End {
            self.expect(Kind::Newline)?;
        }
        Ok(())
    }

    fn small_statement(&mut self) -> Result<StmtKind, Diagnostic> {
        match self.kind {
            Kind::Return => {
                self.advance()?;
                let bare = matches!(self.kind, Kind::End | Kind::Newline | Kind::Semicolon);
                Ok(StmtKind::Return(if bare { None } else { Some(self.expression(false)?) }))
            }
            Kind::Break | Kind::Continue => {
                let kind = self.kind;
                self.advance()?;
                Ok(StmtKind::Branch(kind))
            }
            Kind::Load => self.load(),
            _ => {
                let left = self.expression(false)?;
                let operator = match self.kind {
                    Kind::Assign => None,
                    kind if kind.assigns() => Some(kind),
                    _ => return Ok(StmtKind::Expr(left)),
                };
                self.advance()?;
                let right = self.expression(false)?;
                Ok(StmtKind::Assign { left, operator, right })
            }
        }
    }

    fn load(&mut self) -> Result<StmtKind, Diagnostic> {
        self.advance()?;
        let open = self.expect(Kind::OpenParen)?;
        if self.kind != Kind::Str {
            return Err(self.error("first operand of load statement must be a string literal", self.id));
        }
        let path = self.advance()?;
        let mut names = Vec::new();
        while !matches!(self.kind, Kind::CloseParen | Kind::End) {
            self.expect(Kind::Comma)?;
            match self.kind {
                Kind::CloseParen => break,
                Kind::Str => {
                    let name = self.advance()?;
                    names.push((name, name));
                }
                Kind::Name => names.push(self.load_as()?),
                kind => {
                    let got = kind.name();
                    let message = format!("load operand must be \"name\" or localname=\"name\" (got {got})");
                    return Err(self.error(message, self.id));
                }
            }
        }
        let last = self.close(Kind::CloseParen, open)?;
        if names.is_empty() {
            return Err(self.nothing_loaded(path, open));
        }
        Ok(StmtKind::Load(Box::new(Load { path, names, last })))
    }

    /// `here="there"`.
    fn load_as(&mut self) -> Result<(TokenId, TokenId), Diagnostic> {
        let bound = self.advance()?;
        let name = self.text(bound);
        if self.kind != Kind::Assign {
            let message = format!("load operand must be \"{name}\" or {name}=\"originalname\" (want '=' after {name})");
            let error = self.error(message, bound).relabel("the name stands in quotes in a `load`");
            let quoted = format!("\"{name}\"");
            let place = error.parts().labels.first().map(|label| label.span);
            return Err(error.edit_at("put it into quotes", place, quoted));
        }
        self.advance()?;
        if self.kind != Kind::Str {
            let message = format!("original name of loaded symbol must be quoted: {name}=\"originalname\"");
            return Err(self.error(message, self.id));
        }
        Ok((bound, self.advance()?))
    }

    /// Parameters of a `def` or a lambda, up to what closes them.
    fn params(&mut self) -> Result<Vec<Param>, Diagnostic> {
        let mut params: Vec<Param> = Vec::new();
        let mut stars = false;
        while !matches!(self.kind, Kind::CloseParen | Kind::Colon | Kind::End) {
            if !params.is_empty() {
                self.expect(Kind::Comma)?;
            }
            if self.kind == Kind::CloseParen {
                if stars {
                    return Err(self.unexpected("parameter"));
                }
                break;
            }
            if matches!(self.kind, Kind::Star | Kind::DoubleStar) {
                stars = true;
                let double = self.kind == Kind::DoubleStar;
                let operator = self.advance()?;
                let bare = !double && self.kind != Kind::Name;
                let name = if bare { operator } else { self.name()? };
                let role = if double { ArgumentRole::DoubleStar } else { ArgumentRole::Star };
                params.push(Param { role, name, bare, operator, default: None });
                continue;
            }
            let name = self.name()?;
            let mut param = Param { role: ArgumentRole::Plain, name, bare: false, operator: name, default: None };
            if self.kind == Kind::Assign {
                param.role = ArgumentRole::Named;
                param.operator = self.advance()?;
                param.default = Some(self.test()?);
            }
            params.push(param);
        }
        Ok(params)
    }
}
