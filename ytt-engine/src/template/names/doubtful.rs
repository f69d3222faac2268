//! What code surely does otherwise than it looks: functions that are asked for themselves and not for their values, and
//! functions made in a loop, which see its variable as it is when they run.

use hashbrown::HashSet;
use std::cell::OnceCell;

use super::uses::{Part, Uses};
use crate::diag::{Code, Diagnostic};
use crate::source::{Span, to_u32};
use crate::template::input::Input;
use crate::template::parse::Parsed;
use crate::template::token::Kind;
use crate::template::tree::{
    ArgumentRole, Clause, Def, Expr, ExprKind, Lambda, Param, Stmt, StmtKind, StmtPart, Suite, TokenId,
};

/// Annotations: their functions run when the file has ended.
const ANNOTATION: &[u8] = b"__ytt_a";

/// What was found in a file.
#[derive(Debug, Default)]
pub(in crate::template) struct Doubtful {
    pub(in crate::template) warnings: Vec<Diagnostic>,
    /// Names of functions, or of what other files have, whose truth is asked, or that are compared.
    pub(in crate::template) asked: Vec<Span>,
}

/// Looks through a program, if it has anything to look for.
pub(in crate::template) fn doubtful(input: &Input, parsed: &Parsed) -> Doubtful {
    let has = |wanted: Kind| parsed.tokens.iter().any(|token| token.kind == wanted && !token.made);
    let mut names = HashSet::new();
    let mut reader = Reader {
        input,
        parsed,
        names: HashSet::new(),
        loops: Vec::new(),
        inside: HashSet::new(),
        late: Vec::new(),
        holder: None,
        kept: Vec::new(),
        writes: HashSet::new(),
        defs: Vec::new(),
        uses: OnceCell::new(),
        found: Doubtful::default(),
    };
    reader.functions(&parsed.stmts, &mut names);
    if names.is_empty() && !has(Kind::Lambda) && !has(Kind::Def) {
        return Doubtful::default();
    }
    reader.names = names;
    reader.stmts(&parsed.stmts, to_u32(parsed.tokens.len()));
    reader.tell_kept();
    reader.found
}

/// Does what stands behind these statements not run after them?
fn ends(stmts: &[Stmt]) -> bool {
    matches!(stmts.last().map(|stmt| &stmt.kind), Some(StmtKind::Return(_) | StmtKind::Branch(_)))
}

/// Do statements of a loop end it, or the function around?
fn leaves(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Branch(kind) => *kind == Kind::Break,
        StmtKind::Return(_) => true,
        StmtKind::If { branches, otherwise } => {
            let bodies = branches.iter().map(|branch| &branch.body).chain(otherwise.iter());
            bodies.into_iter().any(|body| leaves(&body.stmts))
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => leaves(&body.stmts),
        _ => false,
    })
}

struct Reader<'a> {
    input: &'a Input,
    parsed: &'a Parsed,
    /// Functions of the file, and what it loads from other files.
    names: HashSet<&'a [u8]>,
    /// The variables of the loops around, up to the next function.
    loops: Vec<Variable>,
    /// Names that are set inside of loops.
    inside: HashSet<&'a [u8]>,
    /// Functions that are defined inside of the loops around and read a variable of one.
    late: Vec<(&'a Def, Late)>,
    /// The name of what takes a value that stays.
    holder: Option<TokenId>,
    /// Functions that are put into something with a name, in the loop of their variable.
    kept: Vec<Kept<'a>>,
    /// Where something is put into what a name holds.
    writes: HashSet<TokenId>,
    /// The functions of the file.
    defs: Vec<(&'a [u8], Part)>,
    uses: OnceCell<Uses<'a>>,
    found: Doubtful,
}

/// A variable of a loop, and all of what runs in each turn.
#[derive(Clone, Copy)]
struct Variable {
    name: TokenId,
    turn: Part,
}

/// A variable of a loop that a function reads, and where.
#[derive(Clone, Copy)]
struct Late {
    variable: Variable,
    place: Span,
}

/// A warning of a function that the name `holder` keeps.
struct Kept<'a> {
    holder: &'a [u8],
    turn: Part,
    warning: Diagnostic,
}

/// Warnings of functions in a loop that are told of one file.
const TOLD: usize = 50;

/// Code that runs by the condition at hand, and what is around that.
#[derive(Clone, Copy)]
struct Guard<'g> {
    part: Part,
    /// Is it the other side of `and` or `or`? There a name may be asked for its truth as well.
    is_side: bool,
    around: Option<&'g Guard<'g>>,
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the statements were read from these tokens, and a bracket follows the name of a function"
)]
impl<'a> Reader<'a> {
    fn text(&self, id: TokenId) -> &'a [u8] {
        self.input.token(self.parsed.tokens[id as usize])
    }

    fn span(&self, first: TokenId, last: TokenId) -> Span {
        let tokens = &self.parsed.tokens;
        self.input.span(tokens[first as usize].start, tokens[last as usize].end)
    }

    fn functions(&self, stmts: &'a [Stmt], names: &mut HashSet<&'a [u8]>) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Def(def) if !self.parsed.tokens[def.name as usize].made => {
                    _ = names.insert(self.text(def.name))
                }
                StmtKind::Load(load) if !self.text(load.path).get(1..).unwrap_or_default().starts_with(b"@ytt:") => {
                    names.extend(load.names.iter().map(|(bound, _)| unquoted(self.text(*bound))));
                }
                _ => {}
            }
        }
    }

    /// Statements of a block that this token closes.
    fn stmts(&mut self, stmts: &'a [Stmt], close: TokenId) {
        stmts.iter().for_each(|stmt| self.stmt(stmt, close));
    }

    fn suite(&mut self, body: &'a Suite) {
        self.stmts(&body.stmts, body.close);
    }

    fn stmt(&mut self, stmt: &'a Stmt, close: TokenId) {
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                if let ExprKind::Call(function, arguments) = &expr.bare().kind {
                    let is_annotation =
                        matches!(function.kind, ExprKind::Name) && self.text(function.first) == ANNOTATION;
                    let appended = match &function.kind {
                        ExprKind::Dot(of, name) if self.text(*name) == b"append" => self.outlives(of),
                        _ => None,
                    };
                    if is_annotation {
                        arguments.iter().for_each(|argument| self.each_lambda(&argument.value));
                    } else if appended.is_some() {
                        self.holder = appended;
                        arguments.iter().for_each(|argument| self.kept(&argument.value));
                        self.holder = None;
                    }
                }
                self.expr(expr);
            }
            StmtKind::Assign { left, right, .. } => {
                match &left.bare().kind {
                    ExprKind::Index(parts) => {
                        self.holder = self.outlives(&parts[0]);
                        if self.holder.is_some() {
                            self.kept(right);
                            self.holder = None;
                        }
                    }
                    ExprKind::Name => {
                        let name = self.text(left.bare().first);
                        // It is no longer the function that was defined.
                        let defs = std::mem::take(&mut self.late);
                        self.late = defs.into_iter().filter(|(def, _)| self.text(def.name) != name).collect();
                        if !self.loops.is_empty() {
                            self.inside.insert(name);
                        }
                    }
                    _ => {}
                }
                self.expr(left);
                self.expr(right);
            }
            StmtKind::For { vars, over, body } => {
                self.expr(over);
                let outer = self.loops.len();
                // Who leaves a loop keeps the turn.
                if !leaves(&body.stmts) {
                    self.variables(vars, Part { first: body.colon, last: body.close });
                }
                let known = self.late.len();
                self.suite(body);
                self.loops.truncate(outer);
                self.late.truncate(known);
            }
            StmtKind::Def(def) => {
                self.defs.push((self.text(def.name), Part { first: def.name, last: def.body.close }));
                let read = self.loops.iter().find_map(|variable| {
                    Some(Late { variable: *variable, place: self.read_in(&def.body.stmts, &def.params, *variable)? })
                });
                self.late.extend(read.map(|late| (&**def, late)));
                let outer = std::mem::take(&mut self.loops);
                self.parts(stmt, close);
                self.loops = outer;
            }
            _ => self.parts(stmt, close),
        }
    }

    fn parts(&mut self, stmt: &'a Stmt, close: TokenId) {
        let (mut guarded, mut goes_on) = (None::<Part>, false);
        stmt.kind.each_part(|part| {
            if let StmtPart::Body(body) = part {
                let first = guarded.map_or(body.colon, |part| part.first);
                guarded = Some(Part { first, last: body.close });
                goes_on |= ends(&body.stmts);
            }
        });
        // Where a body leaves the block, all behind it runs by the condition too.
        let guarded = guarded.map(|part| if goes_on { Part { last: close, ..part } } else { part });
        let guard = guarded.map(|part| Guard { part, is_side: false, around: None });
        stmt.kind.each_part(|part| match part {
            StmtPart::Condition(condition) => self.truth(condition, guard.as_ref()),
            StmtPart::Value(value) | StmtPart::Target(value) => self.expr(value),
            StmtPart::Body(body) => self.suite(body),
        });
    }

    /// The name of what takes a value, if no turn of a loop makes it anew.
    fn outlives(&mut self, holder: &Expr) -> Option<TokenId> {
        let holder = holder.bare();
        let is_name = matches!(holder.kind, ExprKind::Name) && !self.inside.contains(self.text(holder.first));
        is_name.then(|| {
            self.writes.insert(holder.first);
            holder.first
        })
    }

    fn params(&mut self, params: &'a [Param]) {
        params.iter().filter_map(|param| param.default.as_ref()).for_each(|default| self.expr(default));
    }

    fn variables(&mut self, vars: &'a Expr, turn: Part) {
        match &vars.bare().kind {
            ExprKind::Name => self.loops.push(Variable { name: vars.bare().first, turn }),
            ExprKind::Tuple(parts) | ExprKind::List(parts) => {
                parts.iter().for_each(|part| self.variables(part, turn));
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Unary(inner) if self.parsed.tokens[expr.first as usize].kind == Kind::Not => {
                self.truth(inner, None);
            }
            ExprKind::Binary(binary) => match self.operator(&binary.left) {
                // Of two functions `or` gives the one that is there.
                Some(Kind::Or) if matches!(binary.left.bare().kind, ExprKind::Name) => self.expr(&binary.right),
                Some(Kind::And | Kind::Or) => {
                    self.truth(&binary.left, Some(&Guard::side(&binary.right, None)));
                    self.expr(&binary.right);
                }
                Some(
                    Kind::Equal | Kind::NotEqual | Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual,
                ) => {
                    self.compared(&binary.left, &binary.right);
                    self.compared(&binary.right, &binary.left);
                    self.expr(&binary.left);
                    self.expr(&binary.right);
                }
                _ => {
                    self.expr(&binary.left);
                    self.expr(&binary.right);
                }
            },
            ExprKind::Condition(parts) => {
                let mut sorted: Vec<&Expr> = parts.iter().collect();
                sorted.sort_by_key(|part| part.first);
                let [value, condition, otherwise] = sorted[..] else { return };
                let guard = |part: &Expr, around| Guard { part: part_of(part), is_side: false, around };
                let by_false = guard(otherwise, None);
                self.expr(value);
                self.truth(condition, Some(&guard(value, Some(&by_false))));
                self.expr(otherwise);
            }
            ExprKind::Lambda(lambda) => {
                let outer = std::mem::take(&mut self.loops);
                self.params(&lambda.params);
                self.expr(&lambda.body);
                self.loops = outer;
            }
            ExprKind::Comprehension(comprehension) => {
                let outer = std::mem::take(&mut self.loops);
                let turn = Part { first: expr.first, last: expr.last };
                let body = comprehension.body.first().zip(comprehension.body.last());
                let body = body.map(|(first, last)| Part { first: first.first, last: last.last });
                let guard = body.map(|part| Guard { part, is_side: false, around: None });
                for clause in &comprehension.clauses {
                    match clause {
                        Clause::If(condition) => self.truth(condition, guard.as_ref()),
                        Clause::For(vars, over) => {
                            self.expr(over);
                            self.variables(vars, turn);
                        }
                    }
                }
                let holder = self.holder.take();
                for part in &comprehension.body {
                    self.kept(part);
                    self.expr(part);
                }
                self.holder = holder;
                self.loops = outer;
            }
            kind => kind.each_part(|part| self.expr(part)),
        }
    }

    fn operator(&self, left: &Expr) -> Option<Kind> {
        let behind = self.parsed.tokens.get(left.last as usize..)?;
        behind.get(1).map(|token| token.kind)
    }

    /// Code whose truth is asked.
    fn truth(&mut self, expr: &'a Expr, guard: Option<&Guard<'_>>) {
        let bare = expr.bare();
        match &bare.kind {
            ExprKind::Name => self.ask(bare, guard),
            ExprKind::Unary(inner) if self.parsed.tokens[bare.first as usize].kind == Kind::Not => {
                self.truth(inner, guard);
            }
            ExprKind::Binary(binary) if matches!(self.operator(&binary.left), Some(Kind::And | Kind::Or)) => {
                self.truth(&binary.left, Some(&Guard::side(&binary.right, guard)));
                self.truth(&binary.right, guard);
            }
            _ => self.expr(bare),
        }
    }

    /// Does what a condition decides use the name that it asks for? So do those who may have a function or none.
    fn is_used(&self, name: &[u8], guard: Option<&Guard<'_>>) -> bool {
        let uses = self.uses();
        std::iter::successors(guard, |guard| guard.around)
            .any(|guard| uses.within(name, guard.part).iter().any(|token| !guard.is_side || self.is_passed(*token)))
    }

    /// Is a name called, or an argument?
    fn is_passed(&self, token: TokenId) -> bool {
        let kind = |at: Option<TokenId>| Some(self.parsed.tokens.get(at? as usize)?.kind);
        let before = kind(token.checked_sub(1));
        let is_of_call = before == Some(Kind::OpenParen) && kind(token.checked_sub(2)) == Some(Kind::Name);
        kind(token.checked_add(1)) == Some(Kind::OpenParen)
            || is_of_call
            || matches!(before, Some(Kind::Comma | Kind::Assign))
    }

    fn uses(&self) -> &Uses<'a> {
        self.uses.get_or_init(|| Uses::read(self.input, self.parsed))
    }

    /// Two functions may well be compared.
    fn compared(&mut self, expr: &'a Expr, with: &Expr) {
        let is_name = matches!(with.bare().kind, ExprKind::Name);
        if !is_name || matches!(self.text(with.bare().first), b"True" | b"False") {
            let bare = expr.bare();
            if matches!(bare.kind, ExprKind::Name) {
                self.ask(bare, None);
            }
        }
    }

    fn ask(&mut self, name: &Expr, guard: Option<&Guard<'_>>) {
        let text = self.text(name.first);
        let is_asked = self.names.contains(text) && !self.parsed.tokens[name.first as usize].made;
        if is_asked && !self.is_used(text, guard) {
            let span = self.span(name.first, name.last);
            self.found.asked.push(span);
        }
    }

    /// A value that stays when the turn of its loop has ended.
    fn kept(&mut self, expr: &'a Expr) {
        match &expr.bare().kind {
            ExprKind::Lambda(lambda) => self.late(expr.bare(), lambda),
            ExprKind::Name => {
                let name = self.text(expr.bare().first);
                if let Some((def, late)) = self.late.iter().rfind(|(def, _)| self.text(def.name) == name).copied() {
                    self.tell_late(late, def.name + 1, &def.params);
                }
            }
            ExprKind::List(parts) | ExprKind::Tuple(parts) | ExprKind::Dict(parts) => {
                parts.iter().for_each(|part| self.kept(part));
            }
            _ => {}
        }
    }

    fn each_lambda(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Lambda(lambda) => self.late(expr, lambda),
            ExprKind::Comprehension(_) => {}
            kind => kind.each_part(|part| self.each_lambda(part)),
        }
    }

    /// A function that reads a variable of a loop around it.
    fn late(&mut self, expr: &Expr, lambda: &'a Lambda) {
        let read = self.loops.iter().find_map(|variable| {
            Some(Late { variable: *variable, place: self.read(&lambda.body, &lambda.params, *variable)? })
        });
        if let Some(late) = read {
            self.tell_late(late, expr.first, &lambda.params);
        }
    }

    /// `open` is what stands in front of the first parameter.
    fn tell_late(&mut self, Late { variable, place }: Late, open: TokenId, params: &[Param]) {
        let Variable { name: variable, turn } = variable;
        let name = String::from_utf8_lossy(self.text(variable)).into_owned();
        let warning = Diagnostic::warning(
            Code::STARLARK_LATE_BOUND,
            "a function made in a loop reads its variable when the loop has ended",
        )
        .label(place, format!("when this runs, `{name}` is the last one"))
        .label(self.span(variable, variable), format!("`{name}` is another one in each turn"));
        let is_plain = |param: &Param| matches!(param.role, ArgumentRole::Plain | ArgumentRole::Named);
        let end = params.last().map_or(open, |last| last.default.as_ref().map_or(last.name, |one| one.last));
        let end = self.span(end, end);
        let before = match (params.is_empty(), self.parsed.tokens[open as usize].kind) {
            (true, Kind::OpenParen) => "",
            (true, _) => " ",
            (false, _) => ", ",
        };
        let at = params.iter().all(is_plain).then_some(Span { start: end.end, ..end });
        let help = format!("let the function keep its own `{name}`");
        let warning = warning.edit_at(help, at, format!("{before}{name}={name}"));
        match self.holder.map(|holder| self.text(holder)) {
            Some(holder) if self.kept.len() < TOLD => self.kept.push(Kept { holder, turn, warning }),
            Some(_) => {}
            None => self.found.warnings.push(warning),
        }
    }

    /// Tells of functions in what no turn of their loop reads: who asks for them in their own turn gets what they expect.
    fn tell_kept(&mut self) {
        for Kept { holder, turn, warning } in std::mem::take(&mut self.kept) {
            let uses = self.uses();
            let reads = |part| uses.within(holder, part).iter().any(|token| !self.writes.contains(token));
            let may_read = |(name, whole): &(&[u8], Part)| {
                !whole.has(turn) && !uses.within(name, turn).is_empty() && reads(*whole)
            };
            if !reads(turn) && !self.defs.iter().any(may_read) && !self.is_shared(holder, turn) {
                self.found.warnings.push(warning);
            }
        }
    }

    /// Has something in front of a turn what a name holds, such as another name, or a lambda that the turn may call?
    fn is_shared(&self, holder: &[u8], turn: Part) -> bool {
        let before = self.uses().within(holder, Part { first: 0, last: turn.first });
        before.iter().any(|token| {
            let is_set = self.parsed.tokens.get(*token as usize + 1).is_some_and(|next| next.kind == Kind::Assign);
            let at = Part { first: *token, last: *token };
            let is_in_def = |(_, whole): &(&[u8], Part)| whole.has(at) && !whole.has(turn);
            !is_set && !self.writes.contains(token) && !self.defs.iter().any(is_in_def)
        })
    }

    /// Where statements of a function read a variable from outside of it.
    fn read_in(&self, stmts: &'a [Stmt], params: &[Param], variable: Variable) -> Option<Span> {
        if self.sets(stmts, self.text(variable.name)) {
            return None;
        }
        stmts.iter().find_map(|stmt| {
            let mut found = None;
            stmt.kind.each_part(|part| {
                found = found.or_else(|| match part {
                    StmtPart::Value(expr) | StmtPart::Condition(expr) | StmtPart::Target(expr) => {
                        self.read(expr, params, variable)
                    }
                    // Another function may have a variable of that name itself.
                    StmtPart::Body(body) => match stmt.kind {
                        StmtKind::Def(_) => None,
                        _ => self.read_in(&body.stmts, params, variable),
                    },
                });
            });
            found
        })
    }

    /// Do statements give a name a value, which makes it one of their function?
    fn sets(&self, stmts: &'a [Stmt], name: &[u8]) -> bool {
        stmts.iter().any(|stmt| {
            let mut sets = matches!(&stmt.kind, StmtKind::Def(def) if self.text(def.name) == name);
            let is_def = matches!(stmt.kind, StmtKind::Def(_));
            stmt.kind.each_part(|part| match part {
                StmtPart::Target(target) => sets |= self.names_of(target, name),
                StmtPart::Body(body) if !is_def => sets |= self.sets(&body.stmts, name),
                _ => {}
            });
            sets
        })
    }

    fn names_of(&self, target: &Expr, name: &[u8]) -> bool {
        match &target.bare().kind {
            ExprKind::Name => self.text(target.bare().first) == name,
            ExprKind::Tuple(parts) | ExprKind::List(parts) => parts.iter().any(|part| self.names_of(part, name)),
            _ => false,
        }
    }

    /// Where code of a function reads a variable from outside of it.
    fn read(&self, expr: &'a Expr, params: &[Param], variable: Variable) -> Option<Span> {
        let name = self.text(variable.name);
        if params.iter().any(|param| self.text(param.name) == name) {
            return None;
        }
        match &expr.kind {
            ExprKind::Name => (self.text(expr.first) == name).then(|| self.span(expr.first, expr.last)),
            ExprKind::Lambda(inner) => self.read(&inner.body, &inner.params, variable),
            // It may have a variable of that name itself.
            ExprKind::Comprehension(comprehension) if self.binds(&comprehension.clauses, name) => None,
            kind => {
                let mut found = None;
                kind.each_part(|part| found = found.or_else(|| self.read(part, params, variable)));
                found
            }
        }
    }

    fn binds(&self, clauses: &[Clause], name: &[u8]) -> bool {
        clauses.iter().any(|clause| match clause {
            Clause::For(vars, _) => (vars.first..=vars.last).any(|token| self.text(token) == name),
            Clause::If(_) => false,
        })
    }
}

impl<'g> Guard<'g> {
    /// The other side of `and` or `or`.
    fn side(other: &Expr, around: Option<&'g Guard<'g>>) -> Guard<'g> {
        Guard { part: part_of(other), is_side: true, around }
    }
}

fn part_of(expr: &Expr) -> Part {
    Part { first: expr.first, last: expr.last }
}

fn unquoted(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name)
}
