//! What code reads of a name, as fields of a struct or as keys of a dict; and what `in` looks through.

use super::{Bound, FileCode, Read, operator};
use crate::nearest::only;
use crate::source::{self, Span, to_u32};
use crate::template::token::Kind;
use crate::template::tree::{Argument, Expr, ExprKind};
use crate::template::{chain, methods};

/// Uses of a name that are looked at: who has more has another problem.
const MOST: usize = 100;

/// Methods of dicts, which are no fields.
const METHODS: [&str; 9] = ["clear", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"];

/// How code reads fields of a name.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    /// What reads a field, and what would read that key of a dict; in order.
    pub(crate) as_keys: Vec<(Span, String)>,
    /// The calls of `hasattr` among these.
    pub(crate) asked: Vec<Span>,
    /// Code takes keys of it, too.
    pub(crate) has_keys: bool,
}

/// How code works with a dict that has a name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TakenAsDict {
    /// By `name["key"]` or `key in name`.
    pub(crate) by_keys: bool,
    /// By methods, which structs do not have.
    pub(crate) by_methods: bool,
}

impl TakenAsDict {
    pub(crate) fn is_any(self) -> bool {
        self.by_keys || self.by_methods
    }
}

impl FileCode {
    /// What reads fields of a name, wherever it is bound in the same way.
    pub(crate) fn fields_of(&self, name: &str, bound: &Bound) -> Fields {
        let mut found = Fields::default();
        let (mut methods, mut uses) = (Vec::new(), 0_usize);
        let mut is_it = |expr: &Expr| {
            let root = root(expr);
            let is_named = matches!(root.kind, ExprKind::Name) && self.written(self.whole(root)) == name;
            uses = uses.saturating_add(usize::from(is_named));
            is_named && uses <= MOST && self.bound(self.whole(root), name).as_ref() == Some(bound)
        };
        self.each(&self.stmts, &mut |expr| match &expr.kind {
            ExprKind::Call(function, arguments) => match &function.kind {
                ExprKind::Dot(value, method) if METHODS.contains(&self.name(*method).as_str()) && is_it(value) => {
                    found.has_keys = true;
                    methods.push(function.last);
                }
                // A method of what the field holds.
                ExprKind::Dot(_, method) if methods::named(self.name(*method).as_bytes()).is_some() => {
                    methods.push(function.last)
                }
                ExprKind::Name => match (self.name(function.first).as_str(), &arguments[..]) {
                    ("hasattr", [of, key]) if is_it(&of.value) => {
                        let (of, key) = (self.argument_text(of), self.argument_text(key));
                        found.asked.push(self.whole(expr));
                        found.as_keys.push((self.whole(expr), format!("{key} in {of}")));
                    }
                    ("getattr", [of, key]) if is_it(&of.value) => {
                        let (of, key) = (self.argument_text(of), self.argument_text(key));
                        found.as_keys.push((self.whole(expr), format!("{of}[{key}]")));
                    }
                    ("getattr", [of, key, default]) if is_it(&of.value) => {
                        let [of, key, default] = [of, key, default].map(|one| self.argument_text(one));
                        found.as_keys.push((self.whole(expr), format!("{of}.get({key}, {default})")));
                    }
                    _ => {}
                },
                _ => {}
            },
            ExprKind::Dot(value, field) if !methods.contains(&expr.last) && is_it(value) => {
                let start = self.whole(value).end;
                found.as_keys.push((Span { start, ..self.whole(expr) }, format!("[\"{}\"]", self.name(*field))));
            }
            ExprKind::Index(parts) if self.is_string(&parts[1]) && is_it(&parts[0]) => found.has_keys = true,
            _ => {}
        });
        found.as_keys.sort_by_key(|(span, _)| span.start);
        // What lies in another one cannot be written beside it, and a part of all would leave the rest as it is.
        if uses > MOST
            || found.as_keys.windows(2).any(|two| matches!(two, [(one, _), (next, _)] if next.start < one.end))
        {
            found.as_keys.clear();
        }
        found
    }

    /// The field of a name that code reads which is more than that, if it does so once: `a.b` of `if not a.b:`.
    pub(crate) fn field_in(&self, place: Span, field: &str) -> Option<Span> {
        let mut found = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            let ExprKind::Dot(value, name) = &expr.kind else { return };
            let whole = self.whole(expr);
            let is_inside = place.start <= whole.start && whole.end <= place.end;
            if is_inside && matches!(value.kind, ExprKind::Name) && self.name(*name) == field {
                found.push(whole);
            }
        });
        only(found)
    }

    /// What reads the keys of a map as fields of a name, in the function around a place where one is read, and what reads each
    /// by its key; in order.
    pub(crate) fn keys_as_fields(
        &self,
        place: Span,
        name: &str,
        has_key: &dyn Fn(&str) -> bool,
    ) -> Option<Vec<(Span, String)>> {
        let whole = self.function_around(place)?.whole;
        let bound = self.bound(place, name)?;
        let is_it = |read: Span| {
            whole.start <= read.start && read.end <= whole.end && self.bound(read, name).as_ref() == Some(&bound)
        };
        let field = |read: Read| {
            read.member.filter(|field| has_key(field) && is_it(read.whole))?;
            self.chain_as_keys(read.whole.start.checked_add(to_u32(name.len()))?)
        };
        Some(self.reads(name).into_iter().take(MOST).filter_map(field).collect())
    }

    /// What reads as keys the fields that stand behind an offset: see [`chain::as_keys`].
    pub(crate) fn chain_as_keys(&self, start: u32) -> Option<(Span, String)> {
        chain::as_keys(self.text.as_str()?, Span { start, end: start, ..self.span(0, 0) })
    }

    /// Where code that means the same as that at a place stands in the function around it, with a field behind it: its ends.
    pub(crate) fn ends_of(&self, of: Span) -> Vec<u32> {
        let code = self.written(of);
        let name = code.split(['.', '[']).next().unwrap_or_default();
        let bound = self.bound(of, name);
        let around = self.function_around(of).map(|function| function.whole);
        let (mut starts, mut uses) = (Vec::new(), 0_usize);
        self.each(&self.stmts, &mut |expr| {
            let ExprKind::Dot(value, _) = &expr.kind else { return };
            let whole = self.whole(value);
            let is_inside = around.is_none_or(|around| around.start <= whole.start && whole.end <= around.end);
            if is_inside && self.written(whole) == code {
                uses = uses.saturating_add(1);
                if uses <= MOST && self.bound(whole, name) == bound {
                    starts.push(whole.end);
                }
            }
        });
        starts.sort_unstable();
        starts.dedup();
        if uses > MOST {
            starts = vec![of.end];
        }
        starts
    }

    /// What reads as keys all fields that code reads of it in the function around it.
    pub(crate) fn chains_as_keys(&self, of: Span) -> Option<(Span, String)> {
        let all: Vec<_> = self.ends_of(of).into_iter().filter_map(|end| self.chain_as_keys(end)).collect();
        source::replaced(self.text.as_str()?, all.iter().map(|(span, new)| (*span, new.as_str())))
    }

    /// Of each dict that is written out its keys that are names: code gives these keys.
    pub(crate) fn names_as_keys(&self) -> Vec<Vec<Span>> {
        let mut found = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            let ExprKind::Dict(items) = &expr.kind else { return };
            let keys = items.chunks(2).filter_map(|entry| entry.first());
            let names = keys.filter(|key| matches!(key.kind, ExprKind::Name)).map(|key| self.whole(key));
            found.push(names.collect());
        });
        found.retain(|names: &Vec<Span>| !names.is_empty());
        found
    }

    fn argument_text(&self, argument: &Argument) -> &str {
        self.written(self.whole(&argument.value))
    }

    /// Is what has this name taken for a dict by other code of the file, whatever binds the name there?
    pub(crate) fn taken_as_dict(&self, name: &str) -> TakenAsDict {
        let mut found = TakenAsDict::default();
        let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Name) && self.written(self.whole(expr)) == name;
        self.each(&self.stmts, &mut |expr| match &expr.kind {
            ExprKind::Call(function, _) => {
                if let ExprKind::Dot(value, method) = &function.kind {
                    found.by_methods |= is_it(value) && METHODS.contains(&self.name(*method).as_str());
                }
            }
            ExprKind::Index(parts) => found.by_keys |= self.is_string(&parts[1]) && is_it(&parts[0]),
            ExprKind::Binary(binary) => {
                let is_looked_through = || matches!(operator(&self.tokens, &binary.left), Some(Kind::In | Kind::NotIn));
                found.by_keys |= is_it(&binary.right) && is_looked_through();
            }
            _ => {}
        });
        found
    }

    fn is_string(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Literal)
            && self.tokens.get(expr.first as usize).is_some_and(|token| token.kind == Kind::Str)
    }

    /// Each `a in b` and `a not in b`, with its right side.
    pub(crate) fn looked_through(&self) -> Vec<(Span, Span)> {
        let mut found = Vec::new();
        self.each(&self.stmts, &mut |expr| {
            if let ExprKind::Binary(binary) = &expr.kind
                && matches!(operator(&self.tokens, &binary.left), Some(Kind::In | Kind::NotIn))
            {
                found.push((self.whole(expr), self.whole(&binary.right)));
            }
        });
        found
    }
}

impl FileCode {
    /// The two operands of an operator, of which one stands at a place.
    pub(crate) fn operands_around(&self, place: Span) -> Option<[Span; 2]> {
        let mut found = None;
        self.each(&self.stmts, &mut |expr| {
            if let ExprKind::Binary(binary) = &expr.kind {
                let operands = [self.whole(&binary.left), self.whole(&binary.right)];
                found = found.or_else(|| operands.contains(&place).then_some(operands));
            }
        });
        found
    }
}

/// The name of `a.b["c"].d`, or other code that something is read of.
fn root(expr: &Expr) -> &Expr {
    let mut at = expr.bare();
    loop {
        at = match &at.kind {
            ExprKind::Dot(value, _) => value.bare(),
            ExprKind::Index(parts) => parts[0].bare(),
            _ => return at,
        };
    }
}
