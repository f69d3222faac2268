//! Resolves every name of a program, and finds what stands where it must not.
//!
//! One scope for the file; functions and comprehensions make new ones. At top level a name must be bound above its use;
//! in functions and comprehensions the whole file counts, so their uses are judged at the end. The order of the problems
//! is the reference's: top level as it is read, then functions, inner ones first, then comprehensions at top level.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "scopes, names, bindings and tokens are numbered as they are added, and are fewer than bytes of code"
)]

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use super::{Binding, Names, loads};
use crate::diag::suggest::{either, equally_similar, listed, nearest};
use crate::diag::{Code, Diagnostics, Fact, Label};
use crate::source::Span;
use crate::template::input::Input;
use crate::template::parse::Parsed;
use crate::template::scan::literal;
use crate::template::token::{Kind, Token};
use crate::template::tree::{Clause, Expr, ExprKind, Load, Stmt, StmtKind, Suite, TokenId};

/// Problems for which similar names are looked for.
const SUGGESTED: usize = 50;

/// Uses of a name that is bound further down, each with a place of its own in the problem.
const USES: usize = 3;

/// What came out.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) names: Names,
    /// Names of builtins that the file uses or binds; of constants those that it binds.
    pub(crate) builtins: BTreeSet<String>,
    /// Tokens that mean a variable which a later `load` hides: its last value is exported, the loaded one is not.
    pub(crate) hidden: HashSet<TokenId>,
    /// Names that the file, not a function of it, binds more than once.
    pub(crate) repeated: HashSet<String>,
}

pub(crate) fn resolve(
    input: &Input,
    parsed: &Parsed,
    builtins: &dyn Fn(&str) -> bool,
) -> Result<Resolved, Diagnostics> {
    let mut resolver = Resolver {
        input,
        tokens: &parsed.tokens,
        builtins,
        ids: HashMap::new(),
        texts: Vec::new(),
        scopes: vec![Scope::default()],
        env: 0,
        globals: Vec::new(),
        definite: HashMap::new(),
        loops: 0,
        branches: 0,
        problems: Diagnostics::default(),
        undefined: Vec::new(),
        top: Vec::new(),
        bindings: Vec::new(),
        known: HashMap::new(),
        repeated: HashSet::new(),
    };
    resolver.stmts(&parsed.stmts);
    resolver.finish(0);
    resolver.explain();
    let Resolver { texts, scopes, globals, definite, problems, top, bindings, repeated, .. } = resolver;
    problems.into_result()?;
    let text = |name: &Name| texts[*name as usize].clone();
    let loaded = &scopes[0].bound;
    let is_definite = |name: &&Name| definite.get(*name) == Some(&true);
    let names = Names {
        definite: globals.iter().filter(is_definite).map(text).collect(),
        conditional: globals.iter().filter(|name| !is_definite(name)).map(text).collect(),
        loaded: loaded.iter().map(text).collect(),
        bindings,
    };
    let is_bound = |name: &str| globals.iter().chain(loaded).any(|bound| texts[*bound as usize] == name);
    let is_needed = |name: &str| builtins(name) && (!matches!(name, "True" | "False" | "None") || is_bound(name));
    let used = texts.iter().filter(|name| is_needed(name)).cloned().collect();
    let hidden = top.into_iter().filter(|(_, name)| loaded.contains(name)).map(|(id, _)| id).collect();
    Ok(Resolved { names, builtins: used, hidden, repeated: repeated.iter().map(text).collect() })
}

type Name = u32;

/// The file, a function or a comprehension.
#[derive(Debug, Default)]
struct Scope {
    parent: usize,
    function: bool,
    bound: HashSet<Name>,
    /// Found further out, or reported; `false` for those that were reported.
    known: HashMap<Name, bool>,
    children: Vec<usize>,
    /// Uses in this function or file that no scope of it binds, with the scope that they stand in.
    uses: Vec<(Name, TokenId, usize)>,
}

pub(super) struct Resolver<'a> {
    input: &'a Input,
    tokens: &'a [Token],
    builtins: &'a dyn Fn(&str) -> bool,
    ids: HashMap<String, Name>,
    texts: Vec<String>,
    /// Number 0 is the file; it binds what is loaded.
    scopes: Vec<Scope>,
    env: usize,
    /// Bound at top level, in the order of the first time.
    globals: Vec<Name>,
    definite: HashMap<Name, bool>,
    pub(super) loops: u32,
    /// Enclosing blocks at top level that need not run.
    branches: u32,
    pub(super) problems: Diagnostics,
    /// Which problems are undefined names.
    undefined: Vec<(usize, Name)>,
    /// Names at top level that no `load` above them binds.
    top: Vec<(TokenId, Name)>,
    bindings: Vec<Binding>,
    /// Which of the bindings a name has.
    known: HashMap<Name, usize>,
    repeated: HashSet<Name>,
}

impl<'a> Resolver<'a> {
    fn token(&self, id: TokenId) -> Token {
        self.tokens[id as usize]
    }

    pub(super) fn text(&self, id: TokenId) -> &'a [u8] {
        self.input.token(self.token(id))
    }

    fn span(&self, id: TokenId) -> Span {
        let token = self.token(id);
        self.input.span(token.start, token.end)
    }

    fn intern(&mut self, text: &[u8]) -> Name {
        let text = String::from_utf8_lossy(text);
        if let Some(id) = self.ids.get(&*text) {
            return *id;
        }
        let id = self.texts.len() as Name;
        self.texts.push(text.clone().into_owned());
        self.ids.insert(text.into_owned(), id);
        id
    }

    pub(super) fn problem(&mut self, message: impl Into<String>, first: TokenId, last: TokenId) {
        let (start, end) = (self.token(first).start, self.token(last).end);
        self.problems.push(self.input.error(Code::STARLARK_SYNTAX, message, start, end));
    }

    /// The function or file that the current scope belongs to.
    fn container(&self) -> usize {
        let mut scope = self.env;
        while scope != 0 && !self.scopes[scope].function {
            scope = self.scopes[scope].parent;
        }
        scope
    }

    fn in_function(&self) -> bool {
        self.container() != 0
    }

    pub(super) fn enter(&mut self, function: bool) {
        let number = self.scopes.len();
        self.scopes.push(Scope { parent: self.env, function, ..Scope::default() });
        self.scopes[self.env].children.push(number);
        self.env = number;
    }

    /// Leaves a scope. Uses that a function itself binds are done with.
    pub(super) fn leave(&mut self) {
        let scope = self.env;
        if self.scopes[scope].function {
            let mut uses = std::mem::take(&mut self.scopes[scope].uses);
            uses.retain(|(name, _, env)| !self.bound_within(*name, *env));
            self.scopes[scope].uses = uses;
        }
        self.env = self.scopes[scope].parent;
    }

    fn bound_within(&self, name: Name, env: usize) -> bool {
        let mut scope = env;
        loop {
            if self.scopes[scope].bound.contains(&name) {
                return true;
            }
            if scope == 0 || self.scopes[scope].function {
                return false;
            }
            scope = self.scopes[scope].parent;
        }
    }

    fn usage(&mut self, id: TokenId) {
        if self.token(id).made {
            return;
        }
        let name = self.intern(self.text(id));
        if self.env == 0 {
            self.note_top(name, id);
            self.at_top(name, id, 0);
        } else {
            let container = self.container();
            self.scopes[container].uses.push((name, id, self.env));
        }
    }

    fn note_top(&mut self, name: Name, id: TokenId) {
        if !self.scopes[0].bound.contains(&name) {
            self.top.push((id, name));
        }
    }

    /// A use that no function binds. Gives whether the name means anything.
    fn at_top(&mut self, name: Name, id: TokenId, env: usize) -> bool {
        let known = self.scopes[0].bound.contains(&name)
            || self.definite.contains_key(&name)
            || (self.builtins)(&self.texts[name as usize]) && !self.texts[name as usize].starts_with("__ytt_");
        if !known {
            self.undefined(name, id, env);
        }
        known
    }

    fn undefined(&mut self, name: Name, id: TokenId, env: usize) {
        // similar names are looked for among all names each time: not for more problems than people read
        let mut candidates: Vec<Name> = match self.problems.0.len() {
            0..SUGGESTED => self.globals.clone(),
            _ => Vec::new(),
        };
        let mut scope = env;
        loop {
            let Scope { bound, known, parent, .. } = &self.scopes[scope];
            candidates.extend(bound);
            candidates.extend(known.iter().filter(|(_, found)| **found).map(|(name, _)| name));
            if scope == 0 {
                break;
            }
            scope = *parent;
        }
        let wanted = &self.texts[name as usize];
        let names = || candidates.iter().map(|name| self.texts[*name as usize].as_str());
        let near = nearest(wanted, names());
        let (meant, hint) = match wanted.as_str() {
            "true" => (Some("True"), "use 'True' instead of 'true' for boolean assignment".to_string()),
            "false" => (Some("False"), "use 'False' instead of 'false' for boolean assignment".to_string()),
            "null" | "nil" | "none" => (Some("None"), format!("use 'None' instead of '{wanted}' to indicate no value")),
            _ => (None, String::new()),
        };
        let alike = equally_similar(wanted, names());
        let token = self.token(id);
        let message = match (near, meant) {
            (None, Some(_)) => format!("undefined: {wanted} (hint: {hint})"),
            _ => format!("undefined: {wanted}"),
        };
        let mut error = self
            .input
            .error(Code::STARLARK_UNDEFINED, message, token.start, token.end)
            .fact(Fact::Undefined { name: wanted.clone(), is_like_others: alike.len() > 1 })
            .proposal(near);
        let span = self.span(id);
        // Of names of three letters almost every one is near another.
        let is_short = |new: &str| wanted.len() <= 3 && new.len() <= 3 && meant.is_none();
        if let Some((place, alias)) = loads::as_alias(self.input, wanted) {
            error = error.label(place, format!("here it is loaded as `{alias}`"));
            error = error.help_edit(format!("write `{alias}`"), span, alias);
        } else if let Some((place, loaded)) = loads::as_other(self.input, wanted) {
            error = error.label(place, format!("loaded as `{loaded}`, which the module does not have"));
            error = error.help_edit(format!("the module gives `{wanted}`: load that"), place, format!("\"{wanted}\""));
        } else if let ([_, _, ..], None) = (&alike[..], meant) {
            error = error.help(format!("did you mean {}?", either(&alike)));
        } else if let Some(new) = near.or(meant) {
            error = match is_short(new) {
                true => error.help(format!("if `{new}` is meant, write that")),
                false => error.help_edit(format!("write `{new}`"), span, new),
            };
        } else if loads::MODULES.contains(&wanted.as_str()) {
            if let Some((comment, mark)) = loads::as_comment(self.input, wanted) {
                error = error.label(comment, "in a file of code this line is a comment");
                error = error.help_edit("leave out the `#@`, which is for templates", mark, "");
            } else {
                let (span, line) = self.input.load_line(&format!("load(\"@ytt:{wanted}\", \"{wanted}\")"));
                error = error.label_at(loads::first(self.input), format!("`{wanted}` is not among what is loaded"));
                error = error.help_edit(format!("`{wanted}` is a module: load it above"), span, line);
            }
        } else if let Some(new) = alike.first() {
            error = error.help_edit(format!("did you mean `{new}`?"), span, *new);
        } else {
            let names: BTreeSet<&str> = names().collect();
            let line = self.input.written(&format!("{wanted} = …"));
            let mut help = format!("define it above, as in `{line}`, or load it from a file or module");
            if names.contains("data") {
                help.push_str(&format!("; a data value is written `data.values.{wanted}`"));
            }
            if let Some(names) = listed(names) {
                error = error.note(format!("names that are known here: {names}"));
            }
            error = error.help(help);
        }
        self.undefined.push((self.problems.0.len(), name));
        self.problems.push(error);
    }

    /// Tells undefined names from those that are bound further down.
    fn explain(&mut self) {
        let mut first: HashMap<Name, usize> = HashMap::new();
        let mut told = HashSet::new();
        for (number, name) in std::mem::take(&mut self.undefined) {
            if !self.scopes[0].bound.contains(&name) && !self.definite.contains_key(&name) {
                continue;
            }
            let Some(binding) = self.known.get(&name).map(|at| &self.bindings[*at]) else { continue };
            // All uses of the name have one cause: they are told with the first one.
            if let Some(before) = first.get(&name) {
                let label = self.problems.0[number].parts().labels.first().cloned();
                let uses = &mut self.problems.0[*before].parts_mut().labels;
                if uses.len() < USES + 1 {
                    uses.extend(label.map(|label| Label { text: "and used here".to_owned(), ..label }));
                }
                told.insert(number);
                continue;
            }
            first.insert(name, number);
            let name = &binding.name;
            let place = Span { end: binding.first.start + name.len() as u32, ..binding.first };
            let problem = &mut self.problems.0[number];
            problem.parts_mut().helps.clear();
            problem.parts_mut().notes.clear();
            *problem = problem
                .clone()
                .label(place, format!("`{name}` is bound here, which is too late"))
                .help(format!("bind `{name}` above the line that uses it"));
        }
        let mut number = 0;
        self.problems.0.retain(|_| {
            number += 1;
            !told.contains(&(number - 1))
        });
    }

    /// Resolves what was left of a scope: inner ones first.
    fn finish(&mut self, scope: usize) {
        for child in std::mem::take(&mut self.scopes[scope].children) {
            self.finish(child);
        }
        for (name, id, env) in std::mem::take(&mut self.scopes[scope].uses) {
            let (mut at, mut passed) = (env, Vec::new());
            let found = loop {
                if at == 0 {
                    break self.at_top(name, id, env);
                }
                let scope = &self.scopes[at];
                if scope.bound.contains(&name) {
                    break true;
                }
                if let Some(found) = scope.known.get(&name) {
                    break *found;
                }
                passed.push(at);
                at = scope.parent;
            };
            for scope in passed {
                self.scopes[scope].known.insert(name, found);
            }
        }
    }

    /// Notes for messages where a name is bound.
    fn note_binding(&mut self, name: Name, id: TokenId) {
        let inner = self.env != 0;
        match self.known.get(&name) {
            Some(at) => {
                let binding = &mut self.bindings[*at];
                binding.once = false;
                binding.inner |= inner;
            }
            None => {
                let (first, text) = (self.span(id), self.texts[name as usize].clone());
                self.known.insert(name, self.bindings.len());
                self.bindings.push(Binding { name: text, first, once: false, inner });
            }
        }
    }

    /// A name that an assignment has bound: only that, if it does so at the first place.
    fn assigned(&mut self, id: TokenId) {
        let name = self.intern(self.text(id));
        let place = self.span(id);
        if let Some(at) = self.known.get(&name) {
            let binding = &mut self.bindings[*at];
            binding.once = binding.first == place;
        }
    }

    /// Binds a name; gives whether it was bound in this scope before.
    pub(super) fn bind(&mut self, id: TokenId) -> bool {
        let name = self.intern(self.text(id));
        self.note_binding(name, id);
        if self.env != 0 {
            return !self.scopes[self.env].bound.insert(name);
        }
        self.note_top(name, id);
        if self.scopes[0].bound.contains(&name) {
            return true;
        }
        let definite = self.branches == 0;
        match self.definite.get_mut(&name) {
            Some(before) => {
                *before |= definite;
                self.repeated.insert(name);
                true
            }
            None => {
                self.definite.insert(name, definite);
                self.globals.push(name);
                false
            }
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn block(&mut self, body: &Suite) {
        self.branches += 1;
        self.stmts(&body.stmts);
        self.branches -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Made => {}
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Branch(kind) => {
                if self.loops == 0 {
                    self.problem(format!("{} not in a loop", kind.bare()), stmt.first, stmt.first);
                }
            }
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    self.expr(&branch.condition);
                    self.block(&branch.body);
                }
                if let Some(body) = otherwise {
                    self.block(body);
                }
            }
            StmtKind::Assign { left, operator, right } => {
                self.expr(right);
                self.assign(left, operator.is_some());
                if operator.is_none() && matches!(left.kind, ExprKind::Name) {
                    self.assigned(left.first);
                }
            }
            StmtKind::Def(def) => {
                self.bind(def.name);
                self.function(&def.params, |resolver| resolver.stmts(&def.body.stmts));
            }
            StmtKind::For { vars, over, body } => {
                self.expr(over);
                self.branches += 1;
                self.assign(vars, false);
                self.branches -= 1;
                self.loops += 1;
                self.block(body);
                self.loops -= 1;
            }
            StmtKind::While { condition, body } => {
                self.expr(condition);
                self.loops += 1;
                self.block(body);
                self.loops -= 1;
            }
            StmtKind::Return(value) => {
                if !self.in_function() {
                    self.problem("return statement not within a function", stmt.first, stmt.first);
                }
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            StmtKind::Load(load) => self.load(load, stmt.first),
        }
    }

    fn load(&mut self, load: &Load, first: TokenId) {
        if self.in_function() {
            self.problem("load statement within a function", first, load.last);
        }
        for (bound, wanted) in &load.names {
            let name = literal(self.text(*wanted));
            if name.is_empty() {
                self.problem("load: empty identifier", *wanted, *wanted);
                continue;
            }
            if name[0] == b'_' {
                let name = String::from_utf8_lossy(&name);
                let message = format!("load: names with leading underscores are not exported: {name}");
                let (start, end) = (self.token(*wanted).start, self.token(*wanted).end);
                let own = name.trim_start_matches('_');
                let text = format!(
                    "`{name}` is private to its file: give it a name without `_` there, such as `{own}`, and load that"
                );
                self.problems.push(self.input.error(Code::STARLARK_SYNTAX, message, start, end).help(text));
            }
            let bound = match self.token(*bound).kind {
                Kind::Str => self.intern(&literal(self.text(*bound))),
                _ => self.intern(self.text(*bound)),
            };
            self.scopes[self.env].bound.insert(bound);
            self.note_binding(bound, *wanted);
        }
    }

    fn assign(&mut self, left: &Expr, augmented: bool) {
        let what = match &left.kind {
            ExprKind::Name => {
                // a made name cannot stand here, and one that could be is mangled
                self.bind(left.first);
                return;
            }
            kind @ (ExprKind::Index(_) | ExprKind::Dot(..)) => return kind.each_part(|part| self.expr(part)),
            ExprKind::Paren(inner) => return self.assign(inner, augmented),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                let tuple = matches!(left.kind, ExprKind::Tuple(_));
                if items.is_empty() {
                    let message = if tuple { "can't assign to ()" } else { "can't assign to []" };
                    self.problem(message, left.first, left.last);
                }
                if augmented {
                    let kind = if tuple { "tuple" } else { "list" };
                    let message = format!("can't use {kind} expression in augmented assignment");
                    self.problem(message, left.first, left.last);
                }
                return items.iter().for_each(|item| self.assign(item, augmented));
            }
            ExprKind::Literal => "literal",
            ExprKind::Dict(_) => "dictexpr",
            ExprKind::Comprehension(_) => "comprehension",
            ExprKind::Condition(_) => "condexpr",
            ExprKind::Unary(_) => "unaryexpr",
            ExprKind::Binary(_) => "binaryexpr",
            ExprKind::Lambda(_) => "lambdaexpr",
            ExprKind::Call(..) => "callexpr",
            ExprKind::Slice(..) => "sliceexpr",
        };
        self.problem(format!("can't assign to {what}"), left.first, left.last);
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name => self.usage(expr.first),
            ExprKind::Lambda(lambda) => {
                self.function(&lambda.params, |resolver| resolver.expr(&lambda.body));
            }
            ExprKind::Call(function, arguments) => {
                self.expr(function);
                self.arguments(arguments, expr);
            }
            ExprKind::Comprehension(comprehension) => {
                // what the first clause iterates belongs to the scope outside
                let mut clauses = comprehension.clauses.iter();
                let first = clauses.next();
                if let Some(Clause::For(_, over)) = first {
                    self.expr(over);
                }
                self.enter(false);
                if let Some(Clause::For(vars, _)) = first {
                    self.assign(vars, false);
                }
                for clause in clauses {
                    match clause {
                        Clause::If(condition) => self.expr(condition),
                        Clause::For(vars, over) => {
                            self.assign(vars, false);
                            self.expr(over);
                        }
                    }
                }
                comprehension.body.iter().for_each(|part| self.expr(part));
                self.leave();
            }
            kind => kind.each_part(|part| self.expr(part)),
        }
    }
}
