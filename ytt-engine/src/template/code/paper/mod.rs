//! A function of people run on paper, for messages: at which `return` it ended, and by which values.
//!
//! What is not reckoned with (data values, libraries, what changes a list) is unknown: a condition that is unknown ends
//! it, and nothing is told. What it does tell is what the interpreter does: `project/tests/paper.rs` compares them.

mod known;
mod operands;
mod run;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use self::known::Known;
pub(crate) use self::operands::Taken;
use self::run::{Flow, Run};
use super::FileCode;
use crate::source::{SourceId, SourceMap, Span};
use crate::template::input::Input;
use crate::template::outline;
use crate::template::parse::Single;
use crate::template::token::Token;
use crate::template::tree::{Expr, ExprKind, Param, Stmt, StmtKind, TokenId};
use crate::template::written;
use crate::yaml::{Arena, NodeId, Val};

/// Expressions and statements of one run.
const STEPS: u32 = 5_000;
/// The same of all runs of one function: a list may have many items.
const ALL_STEPS: u32 = 500_000;
/// Calls in calls.
const DEPTH: u32 = 6;

/// The function that an argument is: a lambda, a name, or a call that makes one.
pub(crate) struct Replay<'a> {
    paper: Paper<'a>,
    function: Rc<Closure>,
}

impl<'a> Replay<'a> {
    pub(crate) fn of(sources: &'a SourceMap, arena: &'a Arena, argument: Span) -> Option<Replay<'a>> {
        let paper = Paper {
            sources,
            arena,
            readings: RefCell::default(),
            globals: RefCell::default(),
            scopes: RefCell::default(),
            left: Cell::new(STEPS),
            all_left: Cell::new(ALL_STEPS),
            depth: Cell::new(0),
            sought: None.into(),
        };
        let single = written::single(sources, argument)?;
        let number = paper.keep(argument.source, Reading::Part(Box::new(single)));
        let reading = paper.reading(number)?;
        let Reading::Part(part) = &*reading else { return None };
        let Known::Function(function) = Run::new(&paper, &reading, number, None).eval(&part.root)? else { return None };
        Some(Replay { paper, function })
    }

    /// Where it ends for these arguments.
    pub(crate) fn run(&self, given: &[Val]) -> Option<Taken> {
        self.gave(given)?.taken
    }

    /// The arrays of YAML that it would have to ask as lists to be true, each with the item that is equal to what `in`
    /// asks for: of an array of YAML that asks for indexes, so that it misses all texts.
    pub(crate) fn sought(&self, given: &[Val]) -> Vec<(Span, NodeId)> {
        *self.paper.sought.borrow_mut() = Some(Vec::new());
        let is_true = self.run(given).is_some_and(|taken| taken.gave == Some(true));
        self.paper.sought.borrow_mut().take().filter(|_| is_true).unwrap_or_default()
    }

    fn gave(&self, given: &[Val]) -> Option<Gave> {
        let (scopes, globals) = (self.paper.scopes.borrow().len(), self.paper.globals.borrow().len());
        let given = given.iter().map(|value| Known::of(self.paper.arena, *value)).collect();
        self.paper.left.set(STEPS.min(self.paper.all_left.get()));
        self.paper.depth.set(0);
        let gave = self.paper.call(&self.function, given);
        // A function that a global name is, made for the first time, may know names of a scope of this run.
        if self.paper.globals.borrow().len() == globals {
            self.paper.scopes.borrow_mut().truncate(scopes);
        }
        gave
    }

    /// What it gives, as code, and whether that is true.
    #[cfg(test)]
    pub(crate) fn value(&self, given: &[Val]) -> Option<(Option<String>, Option<bool>)> {
        let value = self.gave(given)?.value?;
        Some((value.code(), value.is_true(self.paper.arena)))
    }
}

/// A function with the names around it.
#[derive(Debug)]
struct Closure {
    reading: usize,
    /// Its first token: a `def`, or a lambda.
    first: TokenId,
    scope: Option<usize>,
}

/// The names of a call or comprehension. Functions that are made in it see what a name is when they run.
struct Scope {
    /// Without a value: not set yet.
    names: Vec<(String, Option<Known>)>,
    outer: Option<usize>,
}

enum Reading {
    File(Arc<FileCode>),
    Part(Box<Single>),
}

impl Reading {
    fn input(&self) -> &Input {
        match self {
            Reading::File(file) => &file.input,
            Reading::Part(part) => &part.input,
        }
    }

    fn tokens(&self) -> &[Token] {
        match self {
            Reading::File(file) => &file.tokens,
            Reading::Part(part) => &part.tokens,
        }
    }

    fn token(&self, id: TokenId) -> Option<&Token> {
        self.tokens().get(id as usize)
    }

    fn text(&self, id: TokenId) -> String {
        let token = self.token(id).map(|token| self.input().token(*token)).unwrap_or_default();
        String::from_utf8_lossy(token).into_owned()
    }

    fn span(&self, expr: &Expr) -> Option<Span> {
        Some(self.input().span(self.token(expr.first)?.start, self.token(expr.last)?.end))
    }
}

/// What a name is.
#[derive(Clone)]
enum Named {
    Known(Known),
    /// Bound, and not reckoned with.
    Unknown,
    /// Nothing of people's has the name.
    Free,
}

/// What is shared by all calls.
struct Paper<'a> {
    sources: &'a SourceMap,
    arena: &'a Arena,
    readings: RefCell<Vec<(SourceId, Rc<Reading>)>>,
    /// The names that were asked for outside of functions, each by its reading.
    globals: RefCell<HashMap<(usize, String), Named>>,
    /// Of the run. Closures have the numbers of theirs: a scope and a function in it would hold each other for ever.
    scopes: RefCell<Vec<Scope>>,
    left: Cell<u32>,
    all_left: Cell<u32>,
    depth: Cell<u32>,
    /// What `in` finds in arrays of YAML, where that is to be found.
    sought: RefCell<Option<Vec<(Span, NodeId)>>>,
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
        self.all_left.set(self.all_left.get().saturating_sub(1));
        Some(())
    }

    fn open(&self, outer: Option<usize>) -> usize {
        let mut scopes = self.scopes.borrow_mut();
        scopes.push(Scope { names: Vec::new(), outer });
        scopes.len().saturating_sub(1)
    }

    fn set(&self, scope: usize, name: String, value: Option<Known>) {
        let mut scopes = self.scopes.borrow_mut();
        let Some(scope) = scopes.get_mut(scope) else { return };
        match scope.names.iter_mut().find(|(own, _)| *own == name) {
            Some((_, own)) => *own = value,
            None => scope.names.push((name, value)),
        }
    }

    /// What a name is in a scope, or outside of it.
    fn name(&self, number: usize, mut scope: Option<usize>, name: &str) -> Named {
        let scopes = self.scopes.borrow();
        while let Some(inner) = scope.and_then(|scope| scopes.get(scope)) {
            if let Some((_, value)) = inner.names.iter().find(|(own, _)| own == name) {
                return value.clone().map_or(Named::Unknown, Named::Known);
            }
            scope = inner.outer;
        }
        drop(scopes);
        let key = (number, name.to_owned());
        if let Some(known) = self.globals.borrow().get(&key) {
            return known.clone();
        }
        let found = self.global(number, name).unwrap_or(Named::Unknown);
        // What the steps did not suffice for is known another time.
        if self.left.get() > 0 {
            self.globals.borrow_mut().insert(key, found.clone());
        }
        found
    }

    /// What a file, or a file that it loads, sets a name to.
    fn global(&self, number: usize, name: &str) -> Option<Named> {
        let from = self.file_of(number)?;
        if let Reading::Part(part) = &*self.reading(number)? {
            let place = part.input.span(part.tokens.first()?.start, part.tokens.first()?.end);
            // A parameter or a variable of what is around the argument.
            if FileCode::read(&self.sources.get(from), from)?.is_local(place, name) {
                return None;
            }
        }
        let (file, own) = outline::home(self.sources, from, name)?;
        let number = self.file(file)?;
        let reading = self.reading(number)?;
        let Reading::File(code) = &*reading else { return None };
        if !code.binds(&own) {
            return Some(if file == from { Named::Free } else { Named::Unknown });
        }
        let only = code.sets_once(&own)?;
        let value = match &only.kind {
            StmtKind::Assign { right, .. } => {
                self.deeper()?;
                let value = Run::new(self, &reading, number, None).eval(right);
                self.depth.set(self.depth.get().saturating_sub(1));
                value.filter(|value| match value {
                    Known::List(items) | Known::Tuple(items) => code.only_reads(&own, !items.iter().any(is_inner)),
                    Known::Dict(entries) => code.only_reads(&own, !entries.iter().any(|(_, value)| is_inner(value))),
                    _ => true,
                })?
            }
            StmtKind::Def(_) => Known::Function(Rc::new(Closure { reading: number, first: only.first, scope: None })),
            _ => return None,
        };
        Some(Named::Known(value))
    }

    fn deeper(&self) -> Option<()> {
        self.depth.set(self.depth.get().checked_add(1).filter(|depth| *depth <= DEPTH)?);
        Some(())
    }

    fn call(&self, closure: &Closure, given: Vec<Known>) -> Option<Gave> {
        self.deeper()?;
        let gave = self.run(closure, given);
        self.depth.set(self.depth.get().saturating_sub(1));
        gave
    }

    fn run(&self, closure: &Closure, given: Vec<Known>) -> Option<Gave> {
        let reading = self.reading(closure.reading)?;
        let scope = self.open(closure.scope);
        let mut run = Run::new(self, &reading, closure.reading, Some(scope));
        let found = match &*reading {
            Reading::File(file) => find_in(&file.stmts, closure.first),
            Reading::Part(part) => find(&part.root, closure.first),
        };
        match found? {
            Body::Lambda(params, body) => {
                run.take(params, given)?;
                run.returned(Some(body))
            }
            Body::Def(params, stmts) => {
                let mut own = Vec::new();
                bound_in(stmts, &mut own);
                own.into_iter().for_each(|name| self.set(scope, reading.text(name), None));
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

/// Can it be changed, though what holds it is only read?
fn is_inner(value: &Known) -> bool {
    matches!(value, Known::List(_) | Known::Tuple(_) | Known::Dict(_) | Known::Other(_))
}

/// The names that statements of a function bind in it.
fn bound_in(stmts: &[Stmt], found: &mut Vec<TokenId>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Def(def) => found.push(def.name),
            StmtKind::Assign { left, .. } => bound_by(left, found),
            StmtKind::If { branches, otherwise } => {
                branches.iter().for_each(|branch| bound_in(&branch.body.stmts, found));
                otherwise.iter().for_each(|body| bound_in(&body.stmts, found));
            }
            StmtKind::For { vars, body, .. } => {
                bound_by(vars, found);
                bound_in(&body.stmts, found);
            }
            StmtKind::While { body, .. } => bound_in(&body.stmts, found),
            StmtKind::Load(load) => found.extend(load.names.iter().map(|(name, _)| *name)),
            StmtKind::Made | StmtKind::Expr(_) | StmtKind::Branch(_) | StmtKind::Return(_) => {}
        }
    }
}

fn bound_by(left: &Expr, found: &mut Vec<TokenId>) {
    match &left.bare().kind {
        ExprKind::Name => found.push(left.bare().first),
        ExprKind::Tuple(names) | ExprKind::List(names) => names.iter().for_each(|name| bound_by(name, found)),
        _ => {}
    }
}

enum Body<'e> {
    Lambda(&'e [Param], &'e Expr),
    Def(&'e [Param], &'e [Stmt]),
}

/// The function that begins with a token: statements stand in the order of their tokens, so only one of them is opened.
fn find_in(stmts: &[Stmt], first: TokenId) -> Option<Body<'_>> {
    let around = stmts.partition_point(|stmt| stmt.first <= first).checked_sub(1)?;
    let stmt = stmts.get(around)?;
    match &stmt.kind {
        StmtKind::Def(def) if stmt.first == first => Some(Body::Def(&def.params, &def.body.stmts)),
        StmtKind::Def(def) => find_in(&def.body.stmts, first),
        StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => find(expr, first),
        StmtKind::Assign { left, right, .. } => find(left, first).or_else(|| find(right, first)),
        StmtKind::If { branches, otherwise } => branches
            .iter()
            .find_map(|branch| find(&branch.condition, first).or_else(|| find_in(&branch.body.stmts, first)))
            .or_else(|| find_in(&otherwise.as_ref()?.stmts, first)),
        StmtKind::For { over: head, body, .. } | StmtKind::While { condition: head, body } => {
            find(head, first).or_else(|| find_in(&body.stmts, first))
        }
        StmtKind::Made | StmtKind::Branch(_) | StmtKind::Return(None) | StmtKind::Load(_) => None,
    }
}

fn find(expr: &Expr, first: TokenId) -> Option<Body<'_>> {
    if !(expr.first..=expr.last).contains(&first) {
        return None;
    }
    if let ExprKind::Lambda(lambda) = &expr.kind
        && expr.first == first
    {
        return Some(Body::Lambda(&lambda.params, &lambda.body));
    }
    let mut found = None;
    expr.kind.each_part(|part| {
        if found.is_none() {
            found = find(part, first);
        }
    });
    found
}
