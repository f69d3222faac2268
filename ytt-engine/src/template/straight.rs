//! Files whose code is run as it was read: no functions, no loops, nothing that runs twice. To compile such code to a
//! program costs ten times what it costs to run it once.
//!
//! Only what is surely the same in both ways is read here, as for files without a program (`literal`). All else is `None`,
//! and the file gets its program.

use std::collections::HashMap;

use super::input::{Input, TASKS};
use super::methods::{self, Way};
use super::names::{Resolved, mangle};
use super::parse::Parsed;
use super::scan::literal;
use super::text::PRINT;
use super::token::Kind;
use super::tree::{Argument, ArgumentRole, Binary, Branch, Expr, ExprKind, Load, Stmt, StmtKind, TokenId};
use crate::source::Span;

/// Statements with their places.
pub(crate) type Steps = Vec<(Step, Span)>;

/// What a file does, statement by statement.
#[derive(Debug)]
pub(crate) struct Straight {
    pub(crate) steps: Steps,
    /// How many names there are.
    pub(crate) slots: usize,
    /// The numbers of the names that the file exports, in the order in which it binds them.
    pub(crate) exports: Vec<usize>,
}

/// A statement. Names are numbers.
#[derive(Debug)]
pub(crate) enum Step {
    /// The run of tasks of that number.
    Run(usize),
    /// A path, and which of its names are bound to which numbers.
    Load(Box<[u8]>, Vec<(Box<[u8]>, usize)>),
    /// The node of that number gets the annotation of that number among its own, with these arguments.
    Annotate(u32, u32, Given),
    /// The value of the innermost open node.
    Set(Code),
    /// The piece of text of that number, and the value behind it.
    Print(u32, Code),
    Assign(usize, Code),
    /// An expression that stands alone.
    Do(Code),
    /// The first branch whose condition is true.
    If(Vec<(Code, Steps)>, Steps),
}

/// Arguments of a call.
#[derive(Debug, Default)]
pub(crate) struct Given {
    pub(crate) positional: Vec<Code>,
    pub(crate) named: Vec<(Box<str>, Code)>,
}

/// An expression.
#[derive(Debug)]
pub(crate) enum Code {
    None,
    Bool(bool),
    Int(i32),
    Text(Box<[u8]>),
    List(Vec<Code>),
    Tuple(Vec<Code>),
    Name(usize),
    Builtin(Box<str>),
    Member(Box<Code>, Box<str>),
    /// A function of ours that stands for an operator, or for what the interpreter would give in another way.
    Ours(&'static str, Box<[Code; 2]>, Span),
    Call(Box<(Code, Given)>, Span),
    /// `left + right`
    Sum(Box<[Code; 2]>),
    /// `left == right`, or `left != right` if the flag is not set.
    Equal(bool, Box<[Code; 2]>),
    Not(Box<Code>),
    /// `left and right`, or `left or right` if the flag is not set.
    Both(bool, Box<[Code; 2]>),
    /// Condition, value, other value.
    Choice(Box<[Code; 3]>),
}

/// How paths of modules begin, and the one that evaluates files.
const MODULE: &[u8] = b"@ytt:";
const LIBRARY: &[u8] = b"@ytt:library";

/// Digits of an integer that surely fits.
const DIGITS: usize = 9;

/// Trees that are higher are left to the program.
const HEIGHT: u16 = 64;

/// The file as steps, if it can be run as it was read.
pub(super) fn read(
    input: &Input,
    parsed: &Parsed,
    resolved: &Resolved,
    builtins: &dyn Fn(&str) -> bool,
) -> Option<Straight> {
    let names = &resolved.names;
    if !names.conditional.is_empty() || !resolved.hidden.is_empty() {
        return None;
    }
    let mut slots: HashMap<&str, usize> = HashMap::new();
    for name in names.definite.iter().chain(&names.loaded) {
        if builtins(name) || mangle(name) != *name || slots.insert(name, slots.len()).is_some() {
            return None;
        }
    }
    let exports = (0..names.definite.len()).collect();
    let reader = Reader { input, parsed, slots, builtins };
    let steps = reader.steps(&parsed.stmts)?;
    Some(Straight { steps, slots: reader.slots.len(), exports })
}

struct Reader<'a> {
    input: &'a Input,
    parsed: &'a Parsed,
    slots: HashMap<&'a str, usize>,
    builtins: &'a dyn Fn(&str) -> bool,
}

impl<'a> Reader<'a> {
    fn text(&self, id: TokenId) -> &'a [u8] {
        self.parsed.tokens.get(id as usize).map_or(&[], |token| self.input.token(*token))
    }

    fn kind(&self, id: TokenId) -> Option<Kind> {
        self.parsed.tokens.get(id as usize).map(|token| token.kind)
    }

    fn is_made(&self, id: TokenId) -> bool {
        self.parsed.tokens.get(id as usize).is_some_and(|token| token.made)
    }

    fn span(&self, first: TokenId, last: TokenId) -> Option<Span> {
        let (first, last) = (self.parsed.tokens.get(first as usize)?, self.parsed.tokens.get(last as usize)?);
        Some(self.input.span(first.start, last.end))
    }

    /// A name that is written in a program as it is.
    fn word(&self, id: TokenId) -> Option<&'a str> {
        std::str::from_utf8(self.text(id)).ok().filter(|word| mangle(word) == **word)
    }

    fn steps(&self, stmts: &[Stmt]) -> Option<Steps> {
        stmts.iter().map(|stmt| self.step(stmt)).collect()
    }

    fn step(&self, stmt: &Stmt) -> Option<(Step, Span)> {
        let place = |last| self.span(stmt.first, last);
        Some(match &stmt.kind {
            StmtKind::Made => {
                let number = self.text(stmt.first).strip_prefix(TASKS.as_bytes())?.strip_suffix(b"]")?;
                (Step::Run(number_of(number)?), place(stmt.first)?)
            }
            StmtKind::Expr(expr) if self.is_made(stmt.first) => (self.made(expr)?, place(expr.last)?),
            StmtKind::Expr(expr) => (Step::Do(self.code(expr)?), place(expr.last)?),
            StmtKind::Assign { left, operator: None, right } if matches!(left.kind, ExprKind::Name) => {
                let slot = *self.slots.get(self.word(left.first)?)?;
                (Step::Assign(slot, self.code(right)?), place(right.last)?)
            }
            StmtKind::Load(load) => (self.load(load)?, place(load.last)?),
            StmtKind::If { branches, otherwise } => {
                let branch = |branch: &Branch| Some((self.code(&branch.condition)?, self.steps(&branch.body.stmts)?));
                let all = branches.iter().map(branch).collect::<Option<_>>()?;
                let otherwise = otherwise.as_ref().map_or(Some(Vec::new()), |body| self.steps(&body.stmts))?;
                (Step::If(all, otherwise), place(stmt.first)?)
            }
            _ => return None,
        })
    }

    /// Of modules that give no files and run none: what fails or is warned of is run once more, and that must be all.
    fn load(&self, load: &Load) -> Option<Step> {
        let path = literal(self.text(load.path));
        if !path.starts_with(MODULE) || &*path == LIBRARY {
            return None;
        }
        let names = load.names.iter().map(|(bound, wanted)| {
            let name = match self.kind(*bound)? {
                Kind::Str => String::from_utf8(literal(self.text(*bound))).ok()?,
                _ => self.word(*bound)?.to_owned(),
            };
            Some((literal(self.text(*wanted)).into(), *self.slots.get(&*name)?))
        });
        Some(Step::Load(path.into(), names.collect::<Option<_>>()?))
    }

    /// A call that the compiler made around the code of people.
    fn made(&self, call: &Expr) -> Option<Step> {
        let ExprKind::Call(function, arguments) = &call.kind else { return None };
        if !matches!(function.kind, ExprKind::Name) || arguments.iter().any(|one| one.role != ArgumentRole::Plain) {
            return None;
        }
        let number = |one: &Argument| u32::try_from(number_of(self.text(one.value.first))?).ok();
        match (self.text(function.first), &arguments[..]) {
            (b"__ytt_s", [_, value]) => Some(Step::Set(self.code(&value.value)?)),
            (name, [_, piece, value]) if name == PRINT.as_bytes() => {
                Some(Step::Print(number(piece)?, self.code(&value.value)?))
            }
            (b"__ytt_a", [_, item, index, given]) => {
                let ExprKind::Call(_, given) = &given.value.kind else { return None };
                Some(Step::Annotate(number(item)?, number(index)?, self.given(given)?))
            }
            _ => None,
        }
    }

    fn all(&self, items: &[Expr]) -> Option<Vec<Code>> {
        items.iter().map(|item| self.code(item)).collect()
    }

    fn two(&self, left: &Expr, right: &Expr) -> Option<Box<[Code; 2]>> {
        Some(Box::new([self.code(left)?, self.code(right)?]))
    }

    fn given(&self, arguments: &[Argument]) -> Option<Given> {
        let mut given = Given::default();
        for argument in arguments {
            let value = self.code(&argument.value)?;
            match argument.role {
                ArgumentRole::Plain if given.named.is_empty() => given.positional.push(value),
                ArgumentRole::Named => {
                    let name = self.word(argument.first)?;
                    if given.named.iter().any(|(known, _)| **known == *name) {
                        return None;
                    }
                    given.named.push((name.into(), value));
                }
                _ => return None,
            }
        }
        Some(given)
    }

    fn code(&self, expr: &Expr) -> Option<Code> {
        if expr.height > HEIGHT {
            return None;
        }
        Some(match &expr.kind {
            ExprKind::Paren(inner) => self.code(inner)?,
            ExprKind::Name if self.is_made(expr.first) => return None,
            ExprKind::Name => self.name(self.word(expr.first)?)?,
            ExprKind::Literal => self.literal(expr)?,
            ExprKind::List(items) => Code::List(self.all(items)?),
            ExprKind::Tuple(items) => Code::Tuple(self.all(items)?),
            ExprKind::Dot(value, name) => self.member(value, *name, expr)?,
            ExprKind::Call(function, arguments) => {
                let function = match &function.kind {
                    ExprKind::Dot(value, name) => self.method(value, *name, function)?,
                    _ => self.code(function)?,
                };
                Code::Call(Box::new((function, self.given(arguments)?)), self.span(expr.first, expr.last)?)
            }
            ExprKind::Index(parts) => {
                let [value, index] = &**parts;
                Code::Ours("__ytt_at", self.two(value, index)?, self.span(expr.first, expr.last)?)
            }
            ExprKind::Binary(binary) => self.binary(binary, expr)?,
            ExprKind::Unary(value) if self.kind(expr.first)? == Kind::Not => Code::Not(Box::new(self.code(value)?)),
            ExprKind::Condition(parts) => {
                let [condition, yes, no] = &**parts;
                Code::Choice(Box::new([self.code(condition)?, self.code(yes)?, self.code(no)?]))
            }
            _ => return None,
        })
    }

    fn name(&self, name: &str) -> Option<Code> {
        Some(match (self.slots.get(name), name) {
            (Some(slot), _) => Code::Name(*slot),
            (_, "None") => Code::None,
            (_, "True") => Code::Bool(true),
            (_, "False") => Code::Bool(false),
            _ if (self.builtins)(name) => Code::Builtin(name.into()),
            _ => return None,
        })
    }

    fn literal(&self, expr: &Expr) -> Option<Code> {
        // Texts beside each other are one literal of several tokens.
        if expr.first != expr.last {
            return None;
        }
        let text = self.text(expr.first);
        match self.kind(expr.first)? {
            Kind::Str => Some(Code::Text(literal(text).into())),
            Kind::Int if text.len() == 1 || !text.starts_with(b"0") => {
                Some(Code::Int(i32::try_from(number_of(text)?).ok()?))
            }
            _ => None,
        }
    }

    /// `E.name` where it is no function of a call.
    fn member(&self, value: &Expr, name: TokenId, whole: &Expr) -> Option<Code> {
        let ours = methods::named(self.text(name)).is_some_and(|method| method.way == Way::Ours);
        if ours {
            self.ours(value, name, whole)
        } else {
            Some(Code::Member(Box::new(self.code(value)?), self.word(name)?.into()))
        }
    }

    /// `E.name` of a call `E.name(…)`.
    fn method(&self, value: &Expr, name: TokenId, whole: &Expr) -> Option<Code> {
        match methods::named(self.text(name)).map(|method| method.way) {
            None => Some(Code::Member(Box::new(self.code(value)?), self.word(name)?.into())),
            Some(Way::Ours | Way::Counted) => self.ours(value, name, whole),
            Some(_) => None,
        }
    }

    fn ours(&self, value: &Expr, name: TokenId, whole: &Expr) -> Option<Code> {
        let name = Code::Text(self.word(name)?.as_bytes().into());
        Some(Code::Ours("__ytt_m", Box::new([self.code(value)?, name]), self.span(whole.first, whole.last)?))
    }

    fn binary(&self, binary: &Binary, whole: &Expr) -> Option<Code> {
        let operator = self.kind(binary.left.last.checked_add(1)?)?;
        let parts = self.two(&binary.left, &binary.right)?;
        Some(match operator {
            Kind::Plus => Code::Sum(parts),
            Kind::Equal | Kind::NotEqual => Code::Equal(operator == Kind::Equal, parts),
            Kind::And | Kind::Or => Code::Both(operator == Kind::And, parts),
            Kind::Percent => Code::Ours("__ytt_mod", parts, self.span(whole.first, whole.last)?),
            _ => return None,
        })
    }
}

/// A number of a few digits.
fn number_of(text: &[u8]) -> Option<usize> {
    let digits = std::str::from_utf8(text).ok().filter(|digits| digits.len() <= DIGITS)?;
    digits.parse().ok().filter(|_| text.iter().all(u8::is_ascii_digit))
}
