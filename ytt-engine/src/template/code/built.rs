//! What a function builds under a name of its own and nothing reads: it was to be returned.

use std::collections::{BTreeMap, HashMap};

use super::around::body_of;
use super::{FileCode, Function, operator};
use crate::source::Span;
use crate::template::token::Kind;
use crate::template::tree::{Expr, ExprKind, Stmt, StmtKind, Suite};

/// Methods that make a new value.
const MAKING: [&str; 8] = ["encode", "format", "join", "lower", "make", "replace", "strip", "upper"];

/// Functions that make a new value.
const NEW: [&str; 8] = ["bool", "dict", "float", "int", "list", "reversed", "sorted", "str"];

/// What is known of a name that a function sets.
#[derive(Default)]
struct Own {
    /// Where it is set first.
    set: Option<Span>,
    /// It is set to something else than a new value: what is changed there may be known elsewhere.
    is_shared: bool,
    /// A value is computed for it, by more than a call that may be there for what it does.
    is_made: bool,
    is_changed: bool,
    /// How often the statements that set or change it read it.
    reads: usize,
}

impl FileCode {
    /// The names of its own that a function gives a new value, and that nothing but changes of that value reads; each where it
    /// is set first.
    pub(crate) fn built(&self, function: &Function) -> Vec<Span> {
        let Some(body) = function.name.and_then(|name| body_of(self, &self.stmts, name)) else { return Vec::new() };
        let mut own: BTreeMap<String, Own> = BTreeMap::new();
        self.built_in(body, &mut own);
        let mut reads: HashMap<&str, usize> = HashMap::new();
        self.each(body, &mut |expr| {
            if matches!(expr.kind, ExprKind::Name) {
                let count = reads.entry(self.written(self.whole(expr))).or_default();
                *count = count.saturating_add(1);
            }
        });
        let is_parameter = |name: &str| function.parameters.iter().any(|parameter| parameter.name == name);
        let is_lost = |name: &str, own: &Own| {
            let is_read = reads.get(name).copied().unwrap_or_default() > own.reads;
            !is_read
                && !own.is_shared
                && (own.is_made || own.is_changed)
                && !name.starts_with('_')
                && !is_parameter(name)
        };
        let lost = own.into_iter().filter(|(name, own)| is_lost(name, own));
        let mut found: Vec<Span> = lost.filter_map(|(_, own)| own.set).collect();
        found.sort_unstable_by_key(|name| name.start);
        found
    }

    fn built_in(&self, stmts: &[Stmt], known: &mut BTreeMap<String, Own>) {
        for stmt in stmts {
            let name = match &stmt.kind {
                StmtKind::Assign { left, .. } => self.target(left),
                StmtKind::Expr(value) => self.changes(value),
                StmtKind::If { branches, otherwise } => {
                    let bodies = branches.iter().map(|branch| &branch.body).chain(otherwise);
                    bodies.for_each(|body| self.built_in(&body.stmts, known));
                    None
                }
                StmtKind::For { body: Suite { stmts, .. }, .. } | StmtKind::While { body: Suite { stmts, .. }, .. } => {
                    self.built_in(stmts, known);
                    None
                }
                _ => None,
            };
            let Some(name) = name else { continue };
            let mut reads = 0_usize;
            self.each(std::slice::from_ref(stmt), &mut |expr| {
                let is_it = matches!(expr.kind, ExprKind::Name) && self.written(self.whole(expr)) == name;
                reads = reads.saturating_add(usize::from(is_it));
            });
            let own = known.entry(name).or_default();
            own.reads = own.reads.saturating_add(reads);
            match &stmt.kind {
                StmtKind::Assign { left, operator: None, right } if matches!(left.bare().kind, ExprKind::Name) => {
                    own.set = own.set.or(Some(self.whole(left)));
                    // A number or text by itself may be a default, or where a count begins.
                    own.is_made |= !is_call(right) && !matches!(right.bare().kind, ExprKind::Literal);
                    own.is_shared |= !self.is_new(right);
                }
                // What is counted is there for the statements beside it, as a rule.
                StmtKind::Assign { operator: Some(_), right, .. } if matches!(right.bare().kind, ExprKind::Literal) => {
                }
                // What is changed further down may be a part of another value.
                StmtKind::Assign { left, .. } if is_below(left) => own.is_shared = true,
                _ => own.is_changed = true,
            }
        }
    }

    /// The name that an assignment sets, or whose value it changes: `labels["a"] = …`.
    fn target(&self, left: &Expr) -> Option<String> {
        let mut of = left.bare();
        loop {
            of = match &of.kind {
                ExprKind::Name => return Some(self.name(of.first)),
                ExprKind::Index(parts) => parts[0].bare(),
                ExprKind::Dot(value, _) => value.bare(),
                _ => return None,
            };
        }
    }

    /// Is it a value that nothing else knows? What a part of another value is, or a name, is changed there, too.
    fn is_new(&self, value: &Expr) -> bool {
        let value = value.bare();
        match &value.kind {
            ExprKind::Literal
            | ExprKind::List(_)
            | ExprKind::Tuple(_)
            | ExprKind::Dict(_)
            | ExprKind::Comprehension(_) => true,
            ExprKind::Binary(binary) => !matches!(operator(&self.tokens, &binary.left), Some(Kind::And | Kind::Or)),
            ExprKind::Call(function, _) => match &function.bare().kind {
                // What another function gives may be known elsewhere.
                ExprKind::Name => NEW.contains(&&*self.name(function.bare().first)),
                ExprKind::Dot(_, method) => MAKING.contains(&&*self.name(*method)),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Is it an item of an item?
fn is_below(left: &Expr) -> bool {
    let of = match &left.bare().kind {
        ExprKind::Index(parts) => parts[0].bare(),
        ExprKind::Dot(value, _) => value.bare(),
        _ => return false,
    };
    !matches!(of.kind, ExprKind::Name)
}

/// A call of a function by its name alone, which may be there for what it does.
fn is_call(value: &Expr) -> bool {
    matches!(&value.bare().kind, ExprKind::Call(function, _) if matches!(function.bare().kind, ExprKind::Name))
}
