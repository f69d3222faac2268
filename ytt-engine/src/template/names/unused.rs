//! Names that a file binds and never reads. A name is judged in the whole file, whatever scope it belongs to.

use std::collections::HashSet;

use crate::source::{Source, Span, to_u32};
use crate::template::input::Input;
use crate::template::parse::Parsed;
use crate::template::scan::literal;
use crate::template::token::Kind;
use crate::template::tree::{Argument, Clause, Expr, ExprKind, Param, Stmt, StmtKind, StmtPart, TokenId};

/// What binds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoundBy {
    Load,
    Function,
    Assignment,
}

/// A name that nothing in its file reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unused {
    pub(crate) name: String,
    pub(crate) by: BoundBy,
    pub(crate) place: Span,
    /// Other files may load it.
    pub(crate) is_offered: bool,
    /// What goes without it: whole lines, or a part of one.
    pub(crate) part: Option<Span>,
}

/// Modules whose functions do nothing but give a value.
const QUIET: [&str; 13] =
    ["base64", "data", "ip", "json", "md5", "overlay", "regexp", "sha256", "struct", "toml", "url", "version", "yaml"];

/// The unused names of a file, without those that begin with `_`, parameters and variables of loops.
pub(in crate::template) fn unused(input: &Input, parsed: &Parsed, source: &Source) -> Vec<Unused> {
    let mut reader = Reader { input, parsed, source, read: HashSet::new(), modules: HashSet::new(), found: Vec::new() };
    reader.stmts(&parsed.stmts, true);
    let Reader { read, mut found, .. } = reader;
    found.retain(|one| !read.contains(one.name.as_bytes()) && !one.name.starts_with('_'));
    // A name that is bound more than once goes with all of its lines, or not at all.
    let names: Vec<String> = found.iter().map(|one| one.name.clone()).collect();
    found.retain(|one| names.iter().filter(|name| **name == one.name).count() == 1);
    found
}

struct Reader<'a> {
    input: &'a Input,
    parsed: &'a Parsed,
    source: &'a Source,
    read: HashSet<&'a [u8]>,
    /// Names of modules that were loaded.
    modules: HashSet<Vec<u8>>,
    found: Vec<Unused>,
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the statements were read from these tokens, and what ends in `#@` is two bytes or more"
)]
impl<'a> Reader<'a> {
    fn text(&self, id: TokenId) -> &'a [u8] {
        self.input.token(self.parsed.tokens[id as usize])
    }

    /// From one token to another one.
    fn span(&self, first: TokenId, last: TokenId) -> Span {
        let tokens = &self.parsed.tokens;
        self.input.span(tokens[first as usize].start, tokens[last as usize].end)
    }

    fn bind(&mut self, name: TokenId, by: BoundBy, is_offered: bool, part: Option<Span>) {
        let text = String::from_utf8_lossy(&self.value(name)).into_owned();
        self.found.push(Unused { name: text, by, place: self.span(name, name), is_offered, part });
    }

    fn stmts(&mut self, stmts: &'a [Stmt], is_top: bool) {
        stmts.iter().for_each(|stmt| self.stmt(stmt, is_top));
    }

    fn stmt(&mut self, stmt: &'a Stmt, is_top: bool) {
        match &stmt.kind {
            StmtKind::Assign { left, operator, right } => {
                self.expr(right);
                match &left.bare().kind {
                    ExprKind::Name if operator.is_none() => {
                        if self.is_quiet(right) {
                            let part = self.lines(self.span(stmt.first, right.last));
                            self.bind(left.bare().first, BoundBy::Assignment, is_top, part);
                        }
                    }
                    ExprKind::Tuple(_) | ExprKind::List(_) if operator.is_none() => self.targets(left),
                    _ => self.expr(left),
                }
            }
            StmtKind::Load(load) => {
                for (bound, wanted) in &load.names {
                    if self.value(load.path).starts_with(b"@ytt:") {
                        self.modules.insert(self.value(*bound));
                    }
                    let list = self.span(load.path, load.last);
                    let part = match load.names.len() {
                        1 => self.lines(self.span(stmt.first, load.last)),
                        _ => Some(self.source.with_comma(list, self.span(*bound, *wanted))),
                    };
                    self.bind(*bound, BoundBy::Load, false, part);
                }
            }
            StmtKind::Def(def) => {
                let part = self.lines(self.span(stmt.first, def.body.close));
                self.bind(def.name, BoundBy::Function, is_top, part);
                self.parts(stmt, false);
            }
            _ => self.parts(stmt, is_top),
        }
    }

    fn parts(&mut self, stmt: &'a Stmt, is_top: bool) {
        stmt.kind.each_part(|part| match part {
            StmtPart::Value(value) | StmtPart::Condition(value) => self.expr(value),
            StmtPart::Target(target) => self.targets(target),
            StmtPart::Body(body) => self.stmts(&body.stmts, is_top),
        });
    }

    /// The text of a name, or what a literal means.
    fn value(&self, id: TokenId) -> Vec<u8> {
        match self.parsed.tokens[id as usize].kind {
            Kind::Str => literal(self.text(id)),
            _ => self.text(id).to_vec(),
        }
    }

    /// The places that are given values: names are bound, all else is read.
    fn targets(&mut self, target: &'a Expr) {
        match &target.bare().kind {
            ExprKind::Name => {}
            ExprKind::Tuple(parts) | ExprKind::List(parts) => parts.iter().for_each(|part| self.targets(part)),
            _ => self.expr(target.bare()),
        }
    }

    fn params(&mut self, params: &'a [Param]) {
        params.iter().filter_map(|param| param.default.as_ref()).for_each(|default| self.expr(default));
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name => _ = self.read.insert(self.text(expr.first)),
            ExprKind::Lambda(lambda) => {
                self.params(&lambda.params);
                self.expr(&lambda.body);
            }
            ExprKind::Comprehension(comprehension) => {
                comprehension.body.iter().for_each(|part| self.expr(part));
                for clause in &comprehension.clauses {
                    match clause {
                        Clause::If(condition) => self.expr(condition),
                        Clause::For(vars, over) => {
                            self.targets(vars);
                            self.expr(over);
                        }
                    }
                }
            }
            kind => kind.each_part(|part| self.expr(part)),
        }
    }

    /// Does a value do nothing but be made? Of calls that is known of functions of some modules.
    fn is_quiet(&self, value: &Expr) -> bool {
        let own = match &value.kind {
            ExprKind::Call(function, arguments) => {
                let is_plain = |argument: &Argument| !matches!(argument.value.bare().kind, ExprKind::Lambda(_));
                arguments.iter().all(is_plain)
                    && match &function.kind {
                        ExprKind::Dot(module, _) if matches!(module.kind, ExprKind::Name) => {
                            let module = self.text(module.first);
                            let is_known = QUIET.iter().any(|name| name.as_bytes() == module);
                            is_known && self.modules.contains(module)
                        }
                        _ => false,
                    }
            }
            // Its body does not run.
            ExprKind::Lambda(_) => return true,
            _ => true,
        };
        let mut all = own;
        value.kind.each_part(|part| all = all && self.is_quiet(part));
        all
    }

    /// The lines of a statement, if it stands alone on them: with the mark of code in front, in YAML.
    fn lines(&self, span: Span) -> Option<Span> {
        let start = self.source.line_range(self.source.line(span.start)).start;
        let before = self.source.written(Span { start, end: span.start, ..span })?.trim_end();
        let whole = match before.trim_start() {
            "" => span,
            "#@" => Span { start: start + to_u32(before.len() - 2), ..span },
            _ => return None,
        };
        self.source.lines_of(whole)
    }
}
