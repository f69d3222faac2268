//! A function of people run on paper, for messages: at which `return` it ended, and by which values.
//!
//! What is not reckoned with (data values, libraries, what changes a list) is unknown: a condition that is unknown ends
//! it, and nothing is told.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::FileCode;
use super::known::{Known, builtin, method};
use super::operands::{Taken, add};
use crate::source::{Source, SourceId, SourceMap, Span};
use crate::template::input::Input;
use crate::template::outline;
use crate::template::parse::Single;
use crate::template::scan::literal;
use crate::template::token::{Kind, Token};
use crate::template::tree::{
    Argument, ArgumentRole, Clause, Comprehension, Expr, ExprKind, Param, Stmt, StmtKind, TokenId,
};
use crate::template::written;
use crate::yaml::{Arena, Val};

/// Expressions and statements of one run.
const STEPS: u32 = 5_000;
/// Bytes of a text that is put behind another one.
const LONGEST: usize = 1_000;
/// Calls in calls.
const DEPTH: u32 = 6;

/// Runs the function that an argument is: a lambda, a name, or a call that makes one.
pub(crate) fn replay(sources: &SourceMap, arena: &Arena, argument: Span, given: &[Val]) -> Option<Taken> {
    let paper = Paper { sources, arena, readings: RefCell::default(), left: Cell::new(STEPS), depth: Cell::new(0) };
    let single = written::single(sources, argument)?;
    let number = paper.keep(argument.source, Reading::Part(single));
    let reading = paper.reading(number)?;
    let Reading::Part(part) = &*reading else { return None };
    let frame = Run::new(&paper, &reading, number, Vec::new());
    let Known::Function(function) = frame.eval(&part.root)? else { return None };
    let given = given.iter().map(|value| Known::of(arena, *value)).collect();
    paper.call(&function, given)?.taken
}

/// A function with the names around it.
#[derive(Debug)]
pub(super) struct Closure {
    reading: usize,
    /// Its first token: a `def`, or a lambda.
    first: TokenId,
    env: Vec<(String, Known)>,
}

pub(super) enum Reading {
    File(FileCode),
    Part(Single),
}

impl Reading {
    fn input(&self) -> &Input {
        match self {
            Reading::File(file) => &file.input,
            Reading::Part(part) => &part.input,
        }
    }

    fn token(&self, id: TokenId) -> Option<&Token> {
        let tokens = match self {
            Reading::File(file) => &file.tokens,
            Reading::Part(part) => &part.tokens,
        };
        tokens.get(id as usize)
    }

    pub(super) fn text(&self, id: TokenId) -> String {
        let token = self.token(id).map(|token| self.input().token(*token)).unwrap_or_default();
        String::from_utf8_lossy(token).into_owned()
    }

    pub(super) fn span(&self, expr: &Expr) -> Option<Span> {
        Some(self.input().span(self.token(expr.first)?.start, self.token(expr.last)?.end))
    }
}

/// What is shared by all calls.
pub(super) struct Paper<'a> {
    sources: &'a SourceMap,
    pub(super) arena: &'a Arena,
    readings: RefCell<Vec<(SourceId, Rc<Reading>)>>,
    left: Cell<u32>,
    depth: Cell<u32>,
}

/// What a call gave.
struct Gave {
    value: Option<Known>,
    taken: Option<Taken>,
}

impl Paper<'_> {
    fn keep(&self, file: SourceId, reading: Reading) -> usize {
        let mut all = self.readings.borrow_mut();
        all.push((file, Rc::new(reading)));
        all.len().saturating_sub(1)
    }

    fn reading(&self, number: usize) -> Option<Rc<Reading>> {
        self.readings.borrow().get(number).map(|(_, reading)| Rc::clone(reading))
    }

    fn file_of(&self, number: usize) -> Option<SourceId> {
        self.readings.borrow().get(number).map(|(file, _)| *file)
    }

    fn file(&self, file: SourceId) -> Option<usize> {
        let is_it = |(own, reading): &(SourceId, Rc<Reading>)| *own == file && matches!(**reading, Reading::File(_));
        if let Some(known) = self.readings.borrow().iter().position(is_it) {
            return Some(known);
        }
        let code = FileCode::read(&self.sources.get(file), file)?;
        Some(self.keep(file, Reading::File(code)))
    }

    fn step(&self) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }

    /// What a file, or a file that it loads, sets a name to.
    fn global(&self, from: SourceId, name: &str) -> Option<Known> {
        let (file, own) = outline::home(self.sources, from, name)?;
        let number = self.file(file)?;
        let reading = self.reading(number)?;
        let Reading::File(code) = &*reading else { return None };
        let sets = |stmt: &&Stmt| match &stmt.kind {
            StmtKind::Def(def) => reading.text(def.name) == own,
            StmtKind::Assign { left, .. } => {
                matches!(left.bare().kind, ExprKind::Name) && reading.text(left.bare().first) == own
            }
            _ => false,
        };
        let mut all = code.stmts.iter().filter(sets);
        let (only, None) = (all.next()?, all.next()) else { return None };
        match &only.kind {
            StmtKind::Assign { operator: None, right, .. } if !is_changed(&self.sources.get(file), &own) => {
                self.depth.set(self.depth.get().checked_add(1).filter(|depth| *depth <= DEPTH)?);
                let value = Run::new(self, &reading, number, Vec::new()).eval(right);
                self.depth.set(self.depth.get().saturating_sub(1));
                value
            }
            StmtKind::Def(_) => {
                let closure = Closure { reading: number, first: only.first, env: Vec::new() };
                Some(Known::Function(Rc::new(closure)))
            }
            _ => None,
        }
    }

    fn call(&self, closure: &Closure, given: Vec<Known>) -> Option<Gave> {
        self.depth.set(self.depth.get().checked_add(1).filter(|depth| *depth <= DEPTH)?);
        let gave = self.run(closure, given);
        self.depth.set(self.depth.get().saturating_sub(1));
        gave
    }

    fn run(&self, closure: &Closure, given: Vec<Known>) -> Option<Gave> {
        let reading = self.reading(closure.reading)?;
        let mut run = Run::new(self, &reading, closure.reading, closure.env.clone());
        let mut found = None;
        match &*reading {
            Reading::File(file) => find_in(&file.stmts, closure.first, &mut found),
            Reading::Part(part) => find(&part.root, closure.first, &mut found),
        }
        match found? {
            Body::Lambda(params, body) => {
                run.take(params, given)?;
                run.returned(Some(body))
            }
            Body::Def(params, stmts) => {
                run.take(params, given)?;
                let is_code = self.sources.get(self.file_of(closure.reading)?).name.ends_with(".star");
                match run.block(stmts)? {
                    Flow::Return(gave) => Some(gave),
                    // A function of a template may give its nodes, which are not read here.
                    _ if !is_code => None,
                    _ => Some(Gave { value: Some(Known::None), taken: None }),
                }
            }
        }
    }
}

/// Does a file set a name more than once, or change what it holds? What code does at its top level is not reckoned with.
fn is_changed(source: &Source, name: &str) -> bool {
    let text = source.text.as_str().unwrap_or_default();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let changes = text.match_indices(name).filter(|(at, _)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let rest = text.get(at.saturating_add(name.len())..).unwrap_or_default();
        if before.is_some_and(|before| is_part(before) || before == '.') || rest.starts_with(is_part) {
            return false;
        }
        let behind = rest.trim_start_matches(' ');
        let is_set = behind.strip_prefix(['+', '-', '*', '/', '|', '%']).unwrap_or(behind);
        // A method may change it, and so may what an index or a loop sets.
        is_set.starts_with('=') && !is_set.starts_with("==")
            || behind.starts_with('.')
            || behind.starts_with('[') && behind.contains("] =")
            || behind.starts_with("in ")
            || behind.starts_with(',')
    });
    changes.take(2).count() > 1
}

enum Body<'e> {
    Lambda(&'e [Param], &'e Expr),
    Def(&'e [Param], &'e [Stmt]),
}

/// The function that begins with a token.
fn find_in<'e>(stmts: &'e [Stmt], first: TokenId, found: &mut Option<Body<'e>>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Def(def) if stmt.first == first => *found = Some(Body::Def(&def.params, &def.body.stmts)),
            StmtKind::Def(def) => find_in(&def.body.stmts, first, found),
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => find(expr, first, found),
            StmtKind::Assign { right, .. } => find(right, first, found),
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    find(&branch.condition, first, found);
                    find_in(&branch.body.stmts, first, found);
                }
                otherwise.iter().for_each(|body| find_in(&body.stmts, first, found));
            }
            StmtKind::For { over, body, .. } => {
                find(over, first, found);
                find_in(&body.stmts, first, found);
            }
            _ => {}
        }
    }
}

fn find<'e>(expr: &'e Expr, first: TokenId, found: &mut Option<Body<'e>>) {
    match &expr.kind {
        ExprKind::Lambda(lambda) if expr.first == first => *found = Some(Body::Lambda(&lambda.params, &lambda.body)),
        kind => kind.each_part(|part| find(part, first, found)),
    }
}

enum Flow {
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
    env: Vec<(String, Known)>,
    /// The conditions that were asked, the last one at the end, with what decided.
    asked: Vec<(Span, Operands)>,
}

impl<'p> Run<'p> {
    fn new(paper: &'p Paper<'p>, reading: &'p Reading, number: usize, env: Vec<(String, Known)>) -> Run<'p> {
        Run { paper, reading, number, env, asked: Vec::new() }
    }

    pub(super) fn inner(&self) -> Run<'p> {
        Run::new(self.paper, self.reading, self.number, self.env.clone())
    }

    fn set(&mut self, name: String, value: Known) {
        match self.env.iter_mut().rfind(|(own, _)| *own == name) {
            Some((_, own)) => *own = value,
            None => self.env.push((name, value)),
        }
    }

    /// Gives parameters their values.
    fn take(&mut self, params: &[Param], given: Vec<Known>) -> Option<()> {
        let mut given = given.into_iter();
        for param in params {
            if !matches!(param.role, ArgumentRole::Plain | ArgumentRole::Named) {
                return None;
            }
            let value = match (given.next(), &param.default) {
                (Some(value), _) => value,
                // It is made where the function is, which need not be here.
                (None, Some(default)) if matches!(default.bare().kind, ExprKind::Literal) => self.eval(default)?,
                (None, Some(_)) => return None,
                (None, None) => return None,
            };
            self.env.push((self.reading.text(param.name), value));
        }
        given.next().is_none().then_some(())
    }

    fn block(&mut self, stmts: &[Stmt]) -> Option<Flow> {
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
                self.set(self.reading.text(left.bare().first), value);
            }
            StmtKind::Def(def) => {
                let closure = Closure { reading: self.number, first: stmt.first, env: self.env.clone() };
                self.set(self.reading.text(def.name), Known::Function(Rc::new(closure)));
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

    fn bind(&mut self, vars: &Expr, item: Known) -> Option<()> {
        match &vars.bare().kind {
            ExprKind::Name => {
                self.set(self.reading.text(vars.bare().first), item);
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

    fn returned(&mut self, value: Option<&Expr>) -> Option<Gave> {
        let Some(expr) = value else { return Some(Gave { value: Some(Known::None), taken: None }) };
        let value = self.eval(expr);
        let gave = value.as_ref().and_then(|value| value.is_true(self.paper.arena));
        let returned = self.reading.span(expr)?;
        let is_name = |expr: &Expr| matches!(&*self.reading.text(expr.first), "True" | "False" | "None");
        let is_constant = match expr.bare().kind {
            ExprKind::Literal => true,
            ExprKind::Name => is_name(expr.bare()),
            _ => false,
        };
        let taken = match (is_constant, self.asked.last()) {
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
        let at = |steps: u32| Some(self.reading.token(left.last.checked_add(steps)?)?.kind);
        match (at(1)?, at(2)) {
            (Kind::Not, Some(Kind::In)) => Some(Kind::NotIn),
            (kind, _) => Some(kind),
        }
    }

    pub(super) fn eval(&self, expr: &Expr) -> Option<Known> {
        self.paper.step()?;
        let arena = self.paper.arena;
        match &expr.bare().kind {
            ExprKind::Literal => self.literal(expr.bare().first),
            ExprKind::Name => self.name(&self.reading.text(expr.bare().first)),
            // Nothing here tells a tuple from a list, where one is compared or asked for its type.
            ExprKind::Tuple(items) if items.is_empty() => None,
            ExprKind::List(items) | ExprKind::Tuple(items) => {
                Some(Known::List(items.iter().map(|item| self.eval(item)).collect::<Option<Vec<_>>>()?.into()))
            }
            ExprKind::Dict(parts) => {
                let entry = |pair: &[Expr]| match pair {
                    [key, value] => Some((self.eval(key)?, self.eval(value)?)),
                    _ => None,
                };
                Some(Known::Dict(parts.chunks(2).map(entry).collect::<Option<Vec<_>>>()?.into()))
            }
            ExprKind::Lambda(_) => {
                let closure = Closure { reading: self.number, first: expr.bare().first, env: self.env.clone() };
                Some(Known::Function(Rc::new(closure)))
            }
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
    pub(super) fn turns(
        mut self,
        of: &Comprehension,
        each: &mut dyn FnMut(&Run<'p>, &Expr) -> Option<()>,
    ) -> Option<()> {
        let [body] = &of.body[..] else { return None };
        let (Clause::For(vars, over), rest) = of.clauses.split_first()? else { return None };
        for item in self.eval(over)?.items(self.paper.arena)? {
            self.paper.step()?;
            self.bind(vars, item)?;
            let mut is_wanted = true;
            for clause in rest {
                let Clause::If(condition) = clause else { return None };
                is_wanted &= self.eval(condition)?.is_true(self.paper.arena)?;
            }
            if is_wanted {
                each(&self, body)?;
            }
        }
        Some(())
    }

    fn literal(&self, token: TokenId) -> Option<Known> {
        let text = self.reading.text(token);
        match self.reading.token(token)?.kind {
            Kind::Str => Some(Known::Str(String::from_utf8_lossy(&literal(text.as_bytes())).into())),
            Kind::Int => text.parse().ok().map(Known::Int),
            _ => None,
        }
    }

    fn name(&self, name: &str) -> Option<Known> {
        match name {
            "True" => Some(Known::Bool(true)),
            "False" => Some(Known::Bool(false)),
            "None" => Some(Known::None),
            _ => match self.env.iter().rfind(|(own, _)| own == name) {
                Some((_, value)) => Some(value.clone()),
                None => self.paper.global(self.paper.file_of(self.number)?, name),
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
            ExprKind::Dot(of, name) => method(arena, &self.eval(of)?, &self.reading.text(*name), &given()?),
            ExprKind::Name => {
                let name = self.reading.text(function.bare().first);
                if let Some(Known::Function(closure)) = self.name(&name) {
                    return self.paper.call(&closure, given()?)?.value;
                }
                builtin(arena, &name, &given()?)
            }
            _ => match self.eval(function)? {
                Known::Function(closure) => self.paper.call(&closure, given()?)?.value,
                _ => None,
            },
        }
    }
}
