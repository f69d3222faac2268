//! Files whose code is run as it was read: no functions, and loops only where each turn makes nodes or text, which takes
//! longer than to follow the tree. To compile such code to a program costs ten times what it costs to run it once.
//!
//! Only what is surely the same in both ways is read here, as for files without a program (`literal`). All else is `None`,
//! and the file gets its program.

use std::cell::Cell;
use std::collections::HashMap;

use super::emit::{self, may_grow, walk};
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
    /// The numbers of the names that the file exports: those that it always binds, then the others.
    pub(crate) exports: Vec<usize>,
    /// How many values are the same whenever they are asked for.
    pub(crate) constants: usize,
}

/// A statement. Names are numbers.
#[derive(Debug)]
pub(crate) enum Step {
    /// The run of tasks of that number.
    Run(usize),
    /// A path, and which of its names are bound to which numbers. Files of the project are loaded before anything else is
    /// done.
    Load(Box<[u8]>, Vec<(Box<[u8]>, usize)>),
    /// The node of that number gets the annotation of that number among its own, with these arguments.
    Annotate(u32, u32, Given),
    /// The value of the innermost open node.
    Set(Code),
    /// The piece of text of that number, and the value behind it.
    Print(u32, Code),
    Assign(usize, Code),
    /// Several names get the items of a value.
    Unpack(Vec<usize>, Code),
    /// An expression that stands alone.
    Do(Code),
    /// The first branch whose condition is true.
    If(Vec<(Code, Steps)>, Steps),
    For(Box<For>),
}

/// A loop.
#[derive(Debug)]
pub(crate) struct For {
    /// What an item is bound to; several take it apart.
    pub(crate) names: Vec<usize>,
    pub(crate) over: Code,
    /// Steps of a turn beside its calls.
    pub(crate) steps: usize,
    pub(crate) body: Steps,
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
    Float(f64),
    /// The constant of that number is a text.
    Text(Box<[u8]>, usize),
    List(Vec<Code>),
    Tuple(Vec<Code>),
    /// Keys and their values.
    Dict(Vec<(Code, Code)>),
    Name(usize),
    /// The constant of that number is a built-in.
    Builtin(Box<str>, usize),
    Member(Box<Code>, Box<str>),
    /// A function of ours, with the number of the constant that it is: it stands for an operator, or for what the
    /// interpreter would give in another way.
    Ours(&'static str, usize, Vec<Code>, Span),
    Call(Box<(Code, Given)>, Span),
    /// An operator that is the interpreter's own.
    Plain(Operator, Box<[Code; 2]>),
    /// `left == right`, or `left != right` if the flag is not set.
    Equal(bool, Box<[Code; 2]>),
    Not(Box<Code>),
    Negative(Box<Code>),
    /// `left and right`, or `left or right` if the flag is not set.
    Both(bool, Box<[Code; 2]>),
    /// Condition, value, other value.
    Choice(Box<[Code; 3]>),
}

/// Operators between two values that the interpreter does as ytt does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Divide,
    DivideToFloor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
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
    if !resolved.hidden.is_empty() {
        return None;
    }
    let mut slots: HashMap<&str, usize> = HashMap::new();
    for name in names.definite.iter().chain(&names.conditional).chain(&names.loaded) {
        if builtins(name) || mangle(name) != *name || slots.insert(name, slots.len()).is_some() {
            return None;
        }
    }
    let exports = (0..names.definite.len().checked_add(names.conditional.len())?).collect();
    let reader = Reader { input, parsed, slots, builtins, has_begun: Cell::new(false), constants: Cell::new(0) };
    let steps = reader.steps(&parsed.stmts)?;
    Some(Straight { steps, slots: reader.slots.len(), exports, constants: reader.constants.get() })
}

struct Reader<'a> {
    input: &'a Input,
    parsed: &'a Parsed,
    slots: HashMap<&'a str, usize>,
    builtins: &'a dyn Fn(&str) -> bool,
    /// Has the file done anything but to load and to make nodes?
    has_begun: Cell<bool>,
    constants: Cell<usize>,
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
        if !matches!(stmt.kind, StmtKind::Made | StmtKind::Load(_)) {
            self.has_begun.set(true);
        }
        Some(match &stmt.kind {
            StmtKind::Made => {
                let number = self.text(stmt.first).strip_prefix(TASKS.as_bytes())?.strip_suffix(b"]")?;
                (Step::Run(number_of(number)?), place(stmt.first)?)
            }
            StmtKind::Expr(expr) if self.is_made(stmt.first) => (self.made(expr)?, place(expr.last)?),
            StmtKind::Expr(expr) => (Step::Do(self.code(expr)?), place(expr.last)?),
            StmtKind::Assign { left, operator: None, right } => (self.assign(left, right)?, place(right.last)?),
            StmtKind::Load(load) => (self.load(load)?, place(load.last)?),
            StmtKind::If { branches, otherwise } => {
                let branch = |branch: &Branch| Some((self.code(&branch.condition)?, self.steps(&branch.body.stmts)?));
                let all = branches.iter().map(branch).collect::<Option<_>>()?;
                let otherwise = otherwise.as_ref().map_or(Some(Vec::new()), |body| self.steps(&body.stmts))?;
                (Step::If(all, otherwise), place(stmt.first)?)
            }
            StmtKind::For { vars, over, body } => {
                let (names, over) = (self.slots_of(vars)?, self.over(over)?);
                let (steps, body) = (emit::steps_of_turn(&body.stmts), self.steps(&body.stmts)?);
                if !body.iter().any(|(step, _)| makes(step)) {
                    return None;
                }
                (Step::For(Box::new(For { names, over, steps, body })), place(stmt.first)?)
            }
            _ => return None,
        })
    }

    fn slot(&self, name: &Expr) -> Option<usize> {
        if !matches!(name.kind, ExprKind::Name) {
            return None;
        }
        self.slots.get(self.word(name.first)?).copied()
    }

    /// The names of a target.
    fn slots_of(&self, target: &Expr) -> Option<Vec<usize>> {
        match &target.bare().kind {
            ExprKind::Tuple(items) => items.iter().map(|item| self.slot(item)).collect(),
            _ => Some(vec![self.slot(target)?]),
        }
    }

    fn assign(&self, left: &Expr, right: &Expr) -> Option<Step> {
        match &left.kind {
            ExprKind::Index(parts) => {
                let given = std::iter::once(right).chain(&**parts).map(|part| self.code(part));
                Some(Step::Do(self.ours("__ytt_set", given.collect::<Option<_>>()?, left)?))
            }
            ExprKind::Tuple(targets) => {
                let given = vec![self.code(right)?, Code::Int(i32::try_from(targets.len()).ok()?)];
                Some(Step::Unpack(self.slots_of(left)?, self.ours("__ytt_unpack", given, right)?))
            }
            _ => Some(Step::Assign(self.slot(left)?, self.code(right)?)),
        }
    }

    /// What a loop goes over.
    fn over(&self, over: &Expr) -> Option<Code> {
        let code = self.code(over)?;
        match code {
            Code::List(_) | Code::Tuple(_) | Code::Dict(_) => Some(code),
            _ => self.ours("__ytt_over", vec![code], over),
        }
    }

    /// Files of the project come before anything else: if one cannot be loaded, the program is handed those before it and
    /// does the rest. A program that does all anew would evaluate libraries once more.
    fn load(&self, load: &Load) -> Option<Step> {
        let path = literal(self.text(load.path));
        if &*path == LIBRARY || self.has_begun.get() && !path.starts_with(MODULE) {
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

    /// A call of a function of ours for what a whole expression is.
    fn ours(&self, function: &'static str, given: Vec<Code>, whole: &Expr) -> Option<Code> {
        Some(Code::Ours(function.trim_end_matches('('), self.constant(), given, self.span(whole.first, whole.last)?))
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
            ExprKind::Dict(parts) => {
                let (pairs, _) = parts.as_chunks();
                let entry = |[key, value]: &[Expr; 2]| Some((self.code(key)?, self.code(value)?));
                Code::Dict(pairs.iter().map(entry).collect::<Option<_>>()?)
            }
            ExprKind::Call(function, arguments) => {
                let mut given = self.given(arguments)?;
                let function = match &function.kind {
                    ExprKind::Dot(..) => self.method(function, arguments, &mut given)?,
                    _ => self.code(function)?,
                };
                Code::Call(Box::new((function, given)), self.span(expr.first, expr.last)?)
            }
            ExprKind::Index(parts) => self.ours("__ytt_at", self.all(&**parts)?, expr)?,
            ExprKind::Slice(value, parts) => {
                let part = |part: &Option<Expr>| part.as_ref().map_or(Some(Code::None), |part| self.code(part));
                let given = std::iter::once(self.code(value)).chain(parts.iter().map(part));
                self.ours("__ytt_part", given.collect::<Option<_>>()?, expr)?
            }
            ExprKind::Binary(binary) => self.binary(binary, expr)?,
            ExprKind::Unary(value) => match self.kind(expr.first)? {
                Kind::Not => Code::Not(Box::new(self.code(value)?)),
                Kind::Minus => Code::Negative(Box::new(self.code(value)?)),
                _ => return None,
            },
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
            _ if (self.builtins)(name) => Code::Builtin(name.into(), self.constant()),
            _ => return None,
        })
    }

    fn literal(&self, expr: &Expr) -> Option<Code> {
        let text = self.text(expr.first);
        match self.kind(expr.first)? {
            Kind::Str => Some(self.written(literal(text))),
            Kind::Int if text.len() == 1 || !text.starts_with(b"0") => {
                Some(Code::Int(i32::try_from(number_of(text)?).ok()?))
            }
            Kind::Float if text.len() <= DIGITS && text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') => {
                Some(Code::Float(std::str::from_utf8(text).ok()?.parse().ok()?))
            }
            _ => None,
        }
    }

    /// A text that is a value.
    fn written(&self, text: impl Into<Vec<u8>>) -> Code {
        Code::Text(text.into().into(), self.constant())
    }

    /// The number of one more constant.
    fn constant(&self) -> usize {
        self.constants.replace(self.constants.get().saturating_add(1))
    }

    /// `E.name` where it is no function of a call.
    fn member(&self, value: &Expr, name: TokenId, whole: &Expr) -> Option<Code> {
        let is_ours = methods::named(self.text(name)).is_some_and(|method| method.way == Way::Ours);
        let (value, name) = (self.code(value)?, self.word(name)?);
        match is_ours {
            true => self.ours("__ytt_m", vec![value, self.written(name)], whole),
            false => Some(Code::Member(Box::new(value), name.into())),
        }
    }

    /// `E.name` of a call `E.name(…)`, as the program has it.
    fn method(&self, function: &Expr, arguments: &[Argument], given: &mut Given) -> Option<Code> {
        let ExprKind::Dot(value, name) = &function.kind else { return None };
        let (mut value, name) = (self.code(value)?, self.word(*name)?);
        let Some(method) = methods::named(name.as_bytes()) else {
            return Some(Code::Member(Box::new(value), name.into()));
        };
        match method.way {
            Way::Ours | Way::Counted => return self.ours("__ytt_m", vec![value, self.written(name)], function),
            Way::Read(call) => return self.ours(call, vec![value], function),
            Way::Put(call) if matches!((&*given.positional, &*given.named), ([_], [])) => {
                return self.ours(call, vec![value], function);
            }
            Way::Grow => {
                let first = given.positional.first_mut()?;
                *first = self.ours("__ytt_grow", vec![std::mem::replace(first, Code::None)], function)?;
            }
            Way::Native | Way::Put(_) | Way::Walk | Way::Seek => {}
        }
        if method.changes {
            value = self.ours("__ytt_change", vec![value, self.written(name)], function)?;
        }
        if let Some(call) = walk(method, arguments) {
            value = self.ours(call, vec![value], function)?;
        }
        Some(Code::Member(Box::new(value), name.into()))
    }

    fn binary(&self, binary: &Binary, whole: &Expr) -> Option<Code> {
        let operator = self.kind(binary.left.last.checked_add(1)?)?;
        let mut parts = self.two(&binary.left, &binary.right)?;
        if let Some(function) = emit::of_operator(operator) {
            return self.ours(function, (*parts).into(), whole);
        }
        if operator == Kind::Plus && may_grow(binary, &self.parsed.tokens) {
            let [_, right] = &mut *parts;
            *right = self.ours("__ytt_grow", vec![std::mem::replace(right, Code::None)], &binary.right)?;
        }
        Some(match operator {
            Kind::Plus => Code::Plain(Operator::Plus, parts),
            Kind::Equal | Kind::NotEqual => Code::Equal(operator == Kind::Equal, parts),
            Kind::And | Kind::Or => Code::Both(operator == Kind::And, parts),
            Kind::Minus => Code::Plain(Operator::Minus, parts),
            Kind::Slash => Code::Plain(Operator::Divide, parts),
            Kind::DoubleSlash => Code::Plain(Operator::DivideToFloor, parts),
            Kind::Less => Code::Plain(Operator::Less, parts),
            Kind::LessEqual => Code::Plain(Operator::LessEqual, parts),
            Kind::Greater => Code::Plain(Operator::Greater, parts),
            Kind::GreaterEqual => Code::Plain(Operator::GreaterEqual, parts),
            _ => return None,
        })
    }
}

/// Does a step make nodes or text?
fn makes(step: &Step) -> bool {
    let any = |steps: &Steps| steps.iter().any(|(step, _)| makes(step));
    match step {
        Step::Run(_) | Step::Annotate(..) | Step::Set(_) | Step::Print(..) => true,
        Step::Load(..) | Step::Assign(..) | Step::Unpack(..) | Step::Do(_) => false,
        Step::If(branches, otherwise) => branches.iter().any(|(_, body)| any(body)) || any(otherwise),
        Step::For(inner) => any(&inner.body),
    }
}

/// A number of a few digits.
fn number_of(text: &[u8]) -> Option<usize> {
    let digits = std::str::from_utf8(text).ok().filter(|digits| digits.len() <= DIGITS)?;
    digits.parse().ok().filter(|_| text.iter().all(u8::is_ascii_digit))
}
