//! What must be written differently in an expression for the interpreter to mean what ytt means.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the tree was read from these tokens, so they have the numbers in it and the signs beside its parts"
)]

use std::borrow::Cow;

use hashbrown::HashMap;

use super::{cost, functions, quote};
use crate::template::input::Input;
use crate::template::methods::{self, Method, Way};
use crate::template::names::mangle;
use crate::template::token::{Kind, Token};
use crate::template::tree::{Argument, ArgumentRole, Clause, Expr, ExprKind, Param, TokenId};

/// Changes of some tokens.
#[derive(Debug)]
pub(super) struct Edits<'a> {
    input: &'a Input,
    tokens: &'a [Token],
    before: HashMap<TokenId, Vec<&'static str>>,
    after: HashMap<TokenId, Vec<Cow<'static, str>>>,
    replaced: HashMap<TokenId, String>,
    /// Replaced tokens that stand for all up to another one.
    reaching: HashMap<TokenId, TokenId>,
    /// Runs of tokens that are written in another order, inner ones first.
    moved: Vec<Vec<(TokenId, TokenId)>>,
    /// Names of the `**k` of the lambdas around: where they are used they get the names that the caller wrote. Another
    /// variable of that name is left as it is by `__ytt_unkw`.
    keywords: Vec<&'a [u8]>,
    /// The functions of ours that operators are.
    operators: Vec<&'static str>,
}

/// Is a name written in the program as it is in the source?
fn is_plain(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| mangle(name) == name)
}

impl<'a> Edits<'a> {
    pub(super) fn new(input: &'a Input, tokens: &'a [Token]) -> Edits<'a> {
        let (before, after, replaced) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (reaching, moved, keywords, operators) = (HashMap::new(), Vec::new(), Vec::new(), Vec::new());
        Edits { input, tokens, before, after, replaced, reaching, moved, keywords, operators }
    }

    fn text(&self, id: TokenId) -> &'a [u8] {
        self.input.token(self.tokens[id as usize])
    }

    pub(super) fn before(&self, id: TokenId) -> &[&'static str] {
        self.before.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(super) fn after(&self, id: TokenId) -> &[Cow<'static, str>] {
        self.after.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(super) fn replaced(&self, id: TokenId) -> Option<&str> {
        self.replaced.get(&id).map(String::as_str)
    }

    /// The last token that a replaced one stands for.
    pub(super) fn last(&self, id: TokenId) -> TokenId {
        self.reaching.get(&id).copied().unwrap_or(id)
    }

    pub(super) fn operators(&self) -> &[&'static str] {
        &self.operators
    }

    /// The tokens from `first` to `last` in the order in which they are written.
    pub(super) fn order(&self, first: TokenId, last: TokenId) -> Vec<TokenId> {
        let mut order: Vec<TokenId> = (first..=last).collect();
        for runs in &self.moved {
            let Some(start) = runs.iter().map(|run| run.0).min() else { continue };
            // what lies within the runs may have been moved already, but not out of them
            let at = |id: TokenId| (id - first) as usize;
            let new: Vec<TokenId> = runs.iter().flat_map(|run| order[at(run.0)..=at(run.1)].to_vec()).collect();
            order[at(start)..at(start) + new.len()].copy_from_slice(&new);
        }
        order
    }

    /// Of a value such as `1), (2`, which makes two arguments, the first counts.
    pub(super) fn first_of_values(&mut self, call: &Expr) {
        let ExprKind::Call(_, arguments) = &call.kind else { return };
        // in made calls numbers stand in front of values
        let Some(at) = arguments.iter().position(|one| matches!(one.value.kind, ExprKind::Paren(_))) else { return };
        let [first, .., last] = &arguments[at..] else { return };
        if arguments.iter().any(|one| one.role != ArgumentRole::Plain) {
            return;
        }
        self.around(first.first, "[", last.value.last, "][0]");
    }

    /// A name that is used or bound.
    pub(super) fn name(&mut self, id: TokenId) {
        let token = self.tokens[id as usize];
        if token.made || token.kind != Kind::Name {
            return;
        }
        let text = String::from_utf8_lossy(self.text(id));
        let mangled = mangle(&text);
        if mangled != text {
            self.replaced.insert(id, mangled.into_owned());
        }
    }

    /// Another name for the function that a `def` makes.
    pub(super) fn rename(&mut self, id: TokenId, name: &str) {
        self.replaced.insert(id, name.to_owned());
    }

    /// The left side of an assignment, or the variables of a loop.
    pub(super) fn target(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Dot(value, name) => {
                self.expr(value);
                self.name(*name);
            }
            ExprKind::Name => self.name(expr.first),
            ExprKind::Paren(inner) => self.target(inner),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.target(item));
            }
            // what something is put into is read, its index too
            ExprKind::Index(parts) => {
                self.change(&parts[0], "=");
                parts.iter().for_each(|part| self.expr(part));
            }
            _ => self.expr(expr),
        }
    }

    pub(super) fn params(&mut self, params: &[Param]) {
        for param in params {
            self.name(param.name);
            if let Some(default) = &param.default {
                self.expr(default);
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name => {
                self.name(expr.first);
                let made = self.tokens[expr.first as usize].made;
                if !made && self.keywords.iter().any(|name| *name == self.text(expr.first)) {
                    self.wrap(expr, "__ytt_unkw(");
                }
            }
            ExprKind::Paren(inner) => match &inner.kind {
                ExprKind::Tuple(items) => items.iter().for_each(|item| self.expr(item)),
                _ => self.expr(inner),
            },
            ExprKind::Lambda(lambda) => {
                self.params(&lambda.params);
                let outer = self.keywords.len();
                let named = lambda.params.iter().filter(|param| param.role == ArgumentRole::DoubleStar);
                self.keywords.extend(named.map(|param| self.input.token(self.tokens[param.name as usize])));
                self.expr(&lambda.body);
                self.keywords.truncate(outer);
            }
            ExprKind::Call(function, arguments) => {
                self.called(function, arguments, expr.last);
                self.arguments(arguments);
            }
            ExprKind::Comprehension(comprehension) => {
                comprehension.body.iter().for_each(|part| self.expr(part));
                for clause in &comprehension.clauses {
                    match clause {
                        Clause::If(condition) => self.expr(condition),
                        Clause::For(vars, over) => {
                            self.target(vars);
                            self.over(over);
                        }
                    }
                }
            }
            kind => {
                match kind {
                    // the interpreter takes a tuple without parentheses at fewer places
                    ExprKind::Tuple(items) if !items.is_empty() => self.wrap(expr, "("),
                    ExprKind::Slice(value, parts) => self.slice(expr, value, parts),
                    ExprKind::Index(parts) => self.index(expr, parts),
                    ExprKind::Dot(value, name) => self.dot(expr, value, *name),
                    ExprKind::Binary(binary) => {
                        let operator = self.tokens[binary.left.last as usize + 1].kind;
                        self.operators.extend(functions::of_operator(operator));
                        if operator == Kind::Plus && cost::may_grow(binary, self.tokens) {
                            self.grow(&binary.right);
                        }
                    }
                    _ => {}
                }
                kind.each_part(|part| self.expr(part));
            }
        }
    }

    /// The function of a call; methods that cost more than a step say so.
    fn called(&mut self, function: &Expr, arguments: &[Argument], last: TokenId) {
        let ExprKind::Dot(value, name) = &function.kind else { return self.expr(function) };
        let method = methods::named(self.text(*name));
        if method.is_some_and(|method| method.way == Way::Counted) {
            self.method(function, value, *name);
            self.expr(value);
        } else if let Some(call) = method.and_then(|method| by_function(method, arguments)) {
            self.before.entry(function.first).or_default().push(call);
            self.replaced.insert(value.last + 1, ")".to_string());
            self.reaching.insert(value.last + 1, last);
            self.replaced.insert(*name, String::new());
            self.expr(value);
        } else if let Some(known) = method {
            if let Some(call) = cost::walk(known, arguments) {
                self.wrap(value, call);
            }
            if known.changes {
                self.change(value, known.name);
            }
            self.dot(function, value, *name);
            self.expr(value);
        } else {
            if is_plain(self.text(*name)) {
                self.by_value(function, *name, last);
            }
            self.expr(function);
        }
        if let [first, ..] = arguments
            && method.is_some_and(|method| method.way == Way::Grow)
        {
            self.grow(&first.value);
        }
    }

    /// Writes the function `E.name` of a call so that it is a value first. What the interpreter sees to be the call of a
    /// method it looks up among its own while it compiles, which makes all of them, with their documentation. If there is
    /// no such member, the whole call is the place of the error, as it is of methods.
    fn by_value(&mut self, function: &Expr, name: TokenId, last: TokenId) {
        self.around(function.first, "(", function.last, " if __i else 0)");
        self.replaced.insert(name, String::from_utf8_lossy(self.text(name)).into_owned());
        self.reaching.insert(name, last);
    }

    /// `E.name` becomes `__ytt_m(E, "name")` where the interpreter would give something else, or nothing.
    fn dot(&mut self, expr: &Expr, value: &Expr, name: TokenId) {
        let text = self.text(name);
        if is_plain(text) && methods::named(text).is_none_or(|method| method.way != Way::Ours) {
            return;
        }
        self.method(expr, value, name);
    }

    /// Writes `E.name` as `__ytt_m(E, "name")`.
    fn method(&mut self, expr: &Expr, value: &Expr, name: TokenId) {
        let text = self.text(name);
        self.before.entry(expr.first).or_default().push("__ytt_m(");
        // the dot is the token behind the value
        self.replaced.insert(value.last + 1, ", ".to_string());
        self.replaced.insert(name, format!("{})", quote(text)));
    }

    /// Writes `X.append(…)` as `__ytt_change(X, "append").append(…)`.
    fn change(&mut self, value: &Expr, method: &str) {
        self.around(value.first, "__ytt_change(", value.last, format!(", {})", quote(method.as_bytes())));
    }

    /// Writes `X[i]` as `__ytt_at(X, i)`.
    fn index(&mut self, expr: &Expr, [value, _]: &[Expr; 2]) {
        self.before.entry(expr.first).or_default().push("__ytt_at(");
        // the bracket is the token behind the value
        self.replaced.insert(value.last + 1, ", ".to_string());
        self.replaced.insert(expr.last, ")".to_string());
    }

    /// Writes `X[a:b:c]` as `__ytt_part(X, a, b, c)`, with `None` for what is left out.
    fn slice(&mut self, expr: &Expr, value: &Expr, parts: &[Option<Expr>; 3]) {
        self.before.entry(expr.first).or_default().push("__ytt_part(");
        let (mut separator, mut end) = (value.last + 1, String::from(")"));
        for part in parts {
            if separator == expr.last {
                end = String::from(", None)");
                break;
            }
            let text = if part.is_some() { ", " } else { ", None" };
            self.replaced.insert(separator, text.to_string());
            separator = part.as_ref().map_or(separator, |part| part.last) + 1;
        }
        self.replaced.insert(expr.last, end);
    }

    /// What a loop goes over; lists and dicts that are written out need no look.
    pub(super) fn over(&mut self, expr: &Expr) {
        if !matches!(expr.bare().kind, ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Dict(_)) {
            self.wrap(expr, "__ytt_over(");
        }
        self.expr(expr);
    }

    /// The right side of an assignment to several targets; what is written out shows how many values it has.
    pub(super) fn unpack(&mut self, left: &Expr, right: &Expr) {
        let count = |expr: &Expr| match &expr.bare().kind {
            ExprKind::Tuple(items) | ExprKind::List(items) => Some(items.len()),
            _ => None,
        };
        if let Some(targets) = count(left).filter(|targets| count(right) != Some(*targets)) {
            self.around(right.first, "__ytt_unpack(", right.last, format!(", {targets})"));
        }
    }

    /// A value that will be put behind another one.
    pub(super) fn grow(&mut self, expr: &Expr) {
        self.wrap(expr, "__ytt_grow(");
    }

    /// Puts a call or a bracket around an expression; what it consists of is changed after it.
    fn wrap(&mut self, expr: &Expr, call: &'static str) {
        self.around(expr.first, call, expr.last, ")");
    }

    fn around(&mut self, first: TokenId, before: &'static str, last: TokenId, after: impl Into<Cow<'static, str>>) {
        self.before.entry(first).or_default().push(before);
        // inner calls that end here are closed before this one
        self.after.entry(last).or_default().insert(0, after.into());
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            match argument.role {
                ArgumentRole::Named => self.name(argument.first),
                ArgumentRole::DoubleStar => self.wrap(&argument.value, "__ytt_kw("),
                ArgumentRole::Star => self.wrap(&argument.value, "__ytt_star("),
                ArgumentRole::Plain => {}
            }
            self.expr(&argument.value);
        }
        let Some(star) = arguments.iter().position(|argument| argument.role == ArgumentRole::Star) else { return };
        let behind = &arguments[star + 1..];
        let named = behind.iter().take_while(|argument| argument.role == ArgumentRole::Named);
        // `*X, k=v` is written `k=v, *X`: all names are computed before the stars in both languages
        let mut runs = Vec::new();
        for argument in named {
            runs.push((argument.first, argument.value.last));
            // the comma in front of it goes behind it
            runs.push((argument.first - 1, argument.first - 1));
        }
        runs.push((arguments[star].first, arguments[star].value.last));
        self.moved.push(runs);
    }
}

/// The function of ours that gives the method of a call.
fn by_function(method: &Method, arguments: &[Argument]) -> Option<&'static str> {
    match method.way {
        Way::Read(call) => Some(call),
        Way::Put(call) if matches!(arguments, [one] if one.role == ArgumentRole::Plain) => Some(call),
        _ => None,
    }
}
