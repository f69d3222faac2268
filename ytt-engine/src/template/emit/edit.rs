//! What must be written differently in an expression for the interpreter to mean what ytt means.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{cost, quote};
use crate::template::input::Input;
use crate::template::methods::{self, Way};
use crate::template::names::mangle;
use crate::template::token::{Kind, Token};
use crate::template::tree::{Argument, ArgumentRole, Clause, Expr, ExprKind, Param, TokenId};

fn text<'a>(id: TokenId, input: &'a Input, tokens: &[Token]) -> &'a [u8] {
    input.token(tokens[id as usize])
}

/// Changes of some tokens.
#[derive(Debug, Default)]
pub(super) struct Edits {
    before: HashMap<TokenId, Vec<&'static str>>,
    after: HashMap<TokenId, Vec<Cow<'static, str>>>,
    replaced: HashMap<TokenId, String>,
    /// Runs of tokens that are written in another order, inner ones first.
    moved: Vec<Vec<(TokenId, TokenId)>>,
    /// Names of the `**k` of the lambdas around: where they are used they get the names that the caller wrote. Another
    /// variable of that name is left as it is by `__ytt_unkw`.
    keywords: Vec<Vec<u8>>,
}

impl Edits {
    pub(super) fn before(&self, id: TokenId) -> &[&'static str] {
        self.before.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(super) fn after(&self, id: TokenId) -> &[Cow<'static, str>] {
        self.after.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(super) fn replaced(&self, id: TokenId) -> Option<&str> {
        self.replaced.get(&id).map(String::as_str)
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
        let [_, first, .., last] = arguments.as_slice() else { return };
        // made calls with more arguments than two begin with numbers
        if !matches!(first.value.kind, ExprKind::Paren(_))
            || arguments.iter().any(|one| one.role != ArgumentRole::Plain)
        {
            return;
        }
        self.before.entry(first.first).or_default().push("[");
        self.after.entry(last.value.last).or_default().insert(0, "][0]".into());
    }

    /// A name that is used or bound.
    pub(super) fn name(&mut self, id: TokenId, input: &Input, tokens: &[Token]) {
        let token = tokens[id as usize];
        if token.made || token.kind != Kind::Name {
            return;
        }
        let text = String::from_utf8_lossy(text(id, input, tokens));
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
    pub(super) fn target(&mut self, expr: &Expr, input: &Input, tokens: &[Token]) {
        match &expr.kind {
            ExprKind::Dot(value, name) => {
                self.expr(value, input, tokens);
                self.name(*name, input, tokens);
            }
            ExprKind::Name => self.name(expr.first, input, tokens),
            ExprKind::Paren(inner) => self.target(inner, input, tokens),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.target(item, input, tokens));
            }
            // what something is put into is read, its index too
            ExprKind::Index(parts) => {
                self.change(&parts[0], "=");
                parts.iter().for_each(|part| self.expr(part, input, tokens));
            }
            _ => self.expr(expr, input, tokens),
        }
    }

    pub(super) fn params(&mut self, params: &[Param], input: &Input, tokens: &[Token]) {
        for param in params {
            self.name(param.name, input, tokens);
            if let Some(default) = &param.default {
                self.expr(default, input, tokens);
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr, input: &Input, tokens: &[Token]) {
        match &expr.kind {
            ExprKind::Name => {
                self.name(expr.first, input, tokens);
                let made = tokens[expr.first as usize].made;
                if !made && self.keywords.iter().any(|name| *name == text(expr.first, input, tokens)) {
                    self.wrap(expr, "__ytt_unkw(");
                }
            }
            ExprKind::Literal => {}
            ExprKind::Tuple(items) if !items.is_empty() => {
                // the interpreter takes a tuple without parentheses at fewer places
                self.wrap(expr, "(");
                items.iter().for_each(|item| self.expr(item, input, tokens));
            }
            ExprKind::Slice(value, parts) => {
                self.slice(expr, value, parts);
                self.expr(value, input, tokens);
                parts.iter().flatten().for_each(|part| self.expr(part, input, tokens));
            }
            ExprKind::Index(parts) => {
                self.index(expr, parts);
                parts.iter().for_each(|part| self.expr(part, input, tokens));
            }
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Dict(items) => {
                items.iter().for_each(|item| self.expr(item, input, tokens));
            }
            ExprKind::Paren(inner) => match &inner.kind {
                ExprKind::Tuple(items) => items.iter().for_each(|item| self.expr(item, input, tokens)),
                _ => self.expr(inner, input, tokens),
            },
            ExprKind::Unary(inner) => self.expr(inner, input, tokens),
            ExprKind::Condition(parts) => parts.iter().for_each(|part| self.expr(part, input, tokens)),
            ExprKind::Binary(binary) => {
                let operator = tokens[binary.left.last as usize + 1].kind;
                if operator == Kind::Plus && cost::may_grow(binary, tokens) {
                    self.grow(&binary.right);
                }
                self.expr(&binary.left, input, tokens);
                self.expr(&binary.right, input, tokens);
            }
            ExprKind::Lambda(lambda) => {
                self.params(&lambda.params, input, tokens);
                let outer = self.keywords.len();
                let named = lambda.params.iter().filter(|param| param.role == ArgumentRole::DoubleStar);
                self.keywords.extend(named.map(|param| text(param.name, input, tokens).to_vec()));
                self.expr(&lambda.body, input, tokens);
                self.keywords.truncate(outer);
            }
            ExprKind::Dot(value, name) => {
                self.dot(expr, value, *name, input, tokens);
                self.expr(value, input, tokens);
            }
            ExprKind::Call(function, arguments) => {
                self.called(function, arguments, input, tokens);
                self.arguments(arguments, input, tokens);
            }
            ExprKind::Comprehension(comprehension) => {
                comprehension.body.iter().for_each(|part| self.expr(part, input, tokens));
                for clause in &comprehension.clauses {
                    match clause {
                        Clause::If(condition) => self.expr(condition, input, tokens),
                        Clause::For(vars, over) => {
                            self.target(vars, input, tokens);
                            self.over(over, input, tokens);
                        }
                    }
                }
            }
        }
    }

    /// The function of a call; methods that cost more than a step say so.
    fn called(&mut self, function: &Expr, arguments: &[Argument], input: &Input, tokens: &[Token]) {
        let ExprKind::Dot(value, name) = &function.kind else { return self.expr(function, input, tokens) };
        let method = methods::named(text(*name, input, tokens));
        if method.is_some_and(|method| method.way == Way::Counted) {
            self.method(function, value, *name, input, tokens);
            self.expr(value, input, tokens);
        } else if let Some(known) = method {
            if let Some(call) = cost::walk(known, arguments) {
                self.wrap(value, call);
            }
            if known.changes {
                self.change(value, known.name);
            }
            self.dot(function, value, *name, input, tokens);
            self.expr(value, input, tokens);
        } else {
            self.expr(function, input, tokens);
        }
        if let [first, ..] = arguments
            && method.is_some_and(|method| method.way == Way::Grow)
        {
            self.grow(&first.value);
        }
    }

    /// `E.name` becomes `__ytt_m(E, "name")` where the interpreter would give something else, or nothing.
    fn dot(&mut self, expr: &Expr, value: &Expr, name: TokenId, input: &Input, tokens: &[Token]) {
        let text = text(name, input, tokens);
        let is_plain = std::str::from_utf8(text).is_ok_and(|text| mangle(text) == text);
        if is_plain && methods::named(text).is_none_or(|method| method.way != Way::Ours) {
            return;
        }
        self.method(expr, value, name, input, tokens);
    }

    /// Writes `E.name` as `__ytt_m(E, "name")`.
    fn method(&mut self, expr: &Expr, value: &Expr, name: TokenId, input: &Input, tokens: &[Token]) {
        let text = text(name, input, tokens);
        self.before.entry(expr.first).or_default().push("__ytt_m(");
        // the dot is the token behind the value
        self.replaced.insert(value.last + 1, ", ".to_string());
        self.replaced.insert(name, format!("{})", quote(text)));
    }

    /// Writes `X.append(…)` as `__ytt_change(X, "append").append(…)`.
    fn change(&mut self, value: &Expr, method: &str) {
        self.before.entry(value.first).or_default().push("__ytt_change(");
        // inner calls that end here are closed before this one
        self.after.entry(value.last).or_default().insert(0, format!(", {})", quote(method.as_bytes())).into());
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
    pub(super) fn over(&mut self, expr: &Expr, input: &Input, tokens: &[Token]) {
        if !matches!(expr.bare().kind, ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Dict(_)) {
            self.wrap(expr, "__ytt_over(");
        }
        self.expr(expr, input, tokens);
    }

    /// The right side of an assignment to several targets; what is written out shows how many values it has.
    pub(super) fn unpack(&mut self, left: &Expr, right: &Expr) {
        let count = |expr: &Expr| match &expr.bare().kind {
            ExprKind::Tuple(items) | ExprKind::List(items) => Some(items.len()),
            _ => None,
        };
        if let Some(targets) = count(left).filter(|targets| count(right) != Some(*targets)) {
            self.before.entry(right.first).or_default().push("__ytt_unpack(");
            self.after.entry(right.last).or_default().insert(0, format!(", {targets})").into());
        }
    }

    /// A value that will be put behind another one.
    pub(super) fn grow(&mut self, expr: &Expr) {
        self.wrap(expr, "__ytt_grow(");
    }

    /// Puts a call or a bracket around an expression; what it consists of is changed after it.
    fn wrap(&mut self, expr: &Expr, call: &'static str) {
        self.before.entry(expr.first).or_default().push(call);
        // inner calls that end here are closed before this one
        self.after.entry(expr.last).or_default().insert(0, ")".into());
    }

    fn arguments(&mut self, arguments: &[Argument], input: &Input, tokens: &[Token]) {
        for argument in arguments {
            match argument.role {
                ArgumentRole::Named => self.name(argument.first, input, tokens),
                ArgumentRole::DoubleStar => self.wrap(&argument.value, "__ytt_kw("),
                ArgumentRole::Star => self.wrap(&argument.value, "__ytt_star("),
                ArgumentRole::Plain => {}
            }
            self.expr(&argument.value, input, tokens);
        }
        let Some(star) = arguments.iter().position(|argument| argument.role == ArgumentRole::Star) else { return };
        let named: Vec<&Argument> =
            arguments[star + 1..].iter().take_while(|argument| argument.role == ArgumentRole::Named).collect();
        let Some(last) = named.last() else { return };
        // `*X, k=v` is written `k=v, *X`: all names are computed before the stars in both languages
        let mut runs = Vec::new();
        for argument in &named {
            let end = argument.value.last;
            runs.push((argument.first, end));
            // the comma in front of it goes behind it
            runs.push((argument.first - 1, argument.first - 1));
        }
        debug_assert!(last.value.last >= arguments[star].value.last, "arguments are in order");
        runs.push((arguments[star].first, arguments[star].value.last));
        self.moved.push(runs);
    }
}
