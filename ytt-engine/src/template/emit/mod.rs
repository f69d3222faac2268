//! Writes the program that the interpreter reads: one function, indented, every `end` resolved.
//!
//! Statements are written anew, one to a line; the tokens of an expression are copied with the changes that `edit` found
//! (the two languages differ in little). Every token goes into the line map.

mod body;
mod cost;
mod edit;
mod functions;
mod spare;

use std::borrow::Cow;
use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use self::body::{has_loop, is_node_call, makes_nodes};
pub(super) use self::cost::{may_grow, steps_of_turn, walk};
use self::edit::Edits;
pub(crate) use self::functions::OPERATORS;
pub(super) use self::functions::of_operator;
pub(crate) use self::spare::{Needed, Spare};
use super::input::{Input, TASKS};
use super::lines::LineMap;
use super::names::{Resolved, hidden, mangle, numbered};
use super::parse::Parsed;
use super::scan::literal;
use super::text::PRINT;
use super::token::{Kind, Token};
use super::tree::{ArgumentRole, Def, Expr, ExprKind, Load, Stmt, StmtKind, Suite, TokenId};
use super::{Asked, FILE_FUNCTION, refuse_long};
use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span, to_u32};
use crate::yaml::quote::write_indent;

/// The function of a file, as it was written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) lines: LineMap,
    /// Does it hold operators that are functions of ours?
    pub(super) has_operators: bool,
    pub(super) spare: Option<Spare>,
}

/// Writes the function of a file. `root` is what it returns as its document or text.
pub(super) fn emit(
    input: &Input,
    parsed: &Parsed,
    resolved: &Resolved,
    source: SourceId,
    (root, text_only): (&str, bool),
    asked: Asked<'_>,
) -> Result<Written, Diagnostic> {
    let mut emitter = Emitter {
        input,
        tokens: &parsed.tokens,
        out: String::new(),
        line: 0,
        column: 0,
        lines: LineMap::new(source),
        edits: Edits::new(input, &parsed.tokens),
        hidden: &resolved.hidden,
        whiles: 0,
        functions: HashMap::new(),
        operators: BTreeSet::new(),
        text_only,
        returns: asked.returns,
        builtins: asked.builtins,
    };
    let exported = |name: &str| match resolved.names.loaded.contains(name) {
        true => hidden(name),
        false => mangle(name).into_owned(),
    };
    let head = format!("def {FILE_FUNCTION}(__i");
    emitter.made_line(0, &format!("{head}):"), Span::new(source, 0, 0));
    let (mut spare, mut number) = (spare::find(input, parsed, resolved), 0);
    for stmt in &parsed.stmts {
        let start = emitter.out.len();
        emitter.stmt(stmt, 1, false)?;
        spare.iter_mut().for_each(|spare| spare.wrote(&mut number, stmt.first, start..emitter.out.len()));
    }
    let end = to_u32(input.text.len());
    let at = input.span(end.saturating_sub(1), end);
    let names = |names: &[String], before: &str| -> String {
        names.iter().map(|name| format!("{before}{},", exported(name))).collect()
    };
    let definite = names(&resolved.names.definite, "");
    let conditional = names(&resolved.names.conditional, "lambda: ");
    let behind = format!("), ({conditional}))");
    emitter.made_line(1, &format!("return ({root}, ({definite}{behind}"), at);
    let end = emitter.out.len().saturating_sub(behind.len()).saturating_sub(1);
    let names = end.saturating_sub(definite.len())..end;
    let operators = parsed.operators.iter();
    let operators = operators.map(|&[first, last, sign]| (emitter.span(first, last), emitter.span(sign, sign)));
    emitter.lines.add_operators(operators.collect());
    let mut text = emitter.out;
    let has_operators = !emitter.operators.is_empty();
    let params = functions::parameters(&text, emitter.operators, resolved, asked.builtins);
    text.insert_str(head.len(), &params);
    spare.iter_mut().for_each(|spare| spare.ends(names.clone(), params.len()));
    refuse_long(source, text.len())?;
    Ok(Written { text, lines: emitter.lines, has_operators, spare })
}

struct Emitter<'a> {
    input: &'a Input,
    tokens: &'a [Token],
    out: String,
    line: u32,
    column: u32,
    lines: LineMap,
    edits: Edits<'a>,
    /// Tokens that mean a variable which a `load` hides.
    hidden: &'a HashSet<TokenId>,
    whiles: u32,
    /// How many functions of each name were written.
    functions: HashMap<&'a [u8], usize>,
    /// The functions of ours that operators are.
    operators: BTreeSet<&'static str>,
    /// A text template: its functions make text.
    text_only: bool,
    /// Is it told what functions without nodes return?
    returns: bool,
    builtins: &'a dyn Fn(&str) -> bool,
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the tree was read from these tokens, and its depth, lines and statements are fewer than its bytes"
)]
impl<'a> Emitter<'a> {
    fn token(&self, id: TokenId) -> Token {
        self.tokens[id as usize]
    }

    fn text(&self, id: TokenId) -> &'a [u8] {
        self.input.token(self.token(id))
    }

    fn name(&self, id: TokenId) -> Cow<'a, str> {
        String::from_utf8_lossy(self.text(id))
    }

    fn span(&self, first: TokenId, last: TokenId) -> Span {
        self.input.span(self.token(first).start, self.token(last).end)
    }

    fn place(&self, id: TokenId) -> Span {
        self.span(id, id)
    }

    // Lines of the program.

    fn open(&mut self, indent: u32) {
        write_indent(&mut self.out, indent as usize);
        self.column = indent;
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.line += 1;
        self.column = 0;
    }

    /// Writes text that stands for a part of the source.
    fn made(&mut self, text: &str, place: Span) {
        self.lines.add(self.line, self.column, place, false);
        self.out.push_str(text);
        self.column = self.column.saturating_add(to_u32(text.chars().count()));
    }

    /// A line of its own that the compiler adds.
    fn made_line(&mut self, indent: u32, text: &str, place: Span) {
        self.open(indent);
        self.made(text, place);
        self.newline();
    }

    /// Writes an expression with its changes.
    fn expr(&mut self, expr: &Expr) {
        self.edits.expr(expr);
        self.tokens_between(expr.first, expr.last);
    }

    /// Computes what an `x[k]` that will be written twice consists of, where that is more than a name or literal.
    fn once(&mut self, parts: &[Expr; 2], place: Span) {
        for (part, name) in parts.iter().zip(ONCE).filter(|(part, _)| !is_simple(part)) {
            self.made(&format!("{name} = ("), place);
            self.expr(part);
            self.made("); ", place);
        }
    }

    /// Writes `before`, then value and index of an `x[k]` and the bracket that closes a call, after [`Emitter::once`].
    fn with_item(&mut self, before: &str, parts: &[Expr; 2], place: Span) {
        for (number, (part, name)) in parts.iter().zip(ONCE).enumerate() {
            self.made(if number == 0 { before } else { ", " }, place);
            match is_simple(part) {
                true => self.expr(part),
                false => self.made(name, place),
            }
        }
        self.made(")", place);
    }

    /// Writes tokens with the changes that were collected for them.
    fn tokens_between(&mut self, first: TokenId, last: TokenId) {
        let edits = std::mem::replace(&mut self.edits, Edits::new(self.input, self.tokens));
        self.operators.extend(edits.operators());
        let order = edits.order(first, last);
        let mut before: Option<TokenId> = None;
        let mut brackets = 0u32;
        for id in order {
            self.gap(before, id, brackets > 0);
            let place = self.place(id);
            for text in edits.before(id) {
                self.made(text, place);
            }
            match edits.replaced(id) {
                _ if self.hidden.contains(&id) => self.made(&hidden(&self.name(id)), place),
                Some(text) => self.made(text, self.span(id, edits.last(id))),
                None => self.copy(id, place),
            }
            for text in edits.after(id) {
                self.made(text, place);
            }
            match self.token(id).kind {
                Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace => brackets += 1,
                Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            before = Some(id);
        }
    }

    /// The white space between two tokens: as in the source, where that is blanks.
    fn gap(&mut self, before: Option<TokenId>, id: TokenId, in_brackets: bool) {
        let Some(before) = before else { return };
        let is_word = |id| {
            let kind = self.token(id).kind;
            kind.is_keyword() || matches!(kind, Kind::Name | Kind::Int | Kind::Float | Kind::Str)
        };
        let blanks = if before + 1 == id {
            let gap = &self.input.text[self.token(before).end as usize..self.token(id).start as usize];
            match gap.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
                true if in_brackets => return self.newline(),
                true => 1,
                false => gap.len().max(usize::from(is_word(before) && is_word(id))),
            }
        } else {
            1
        };
        write_indent(&mut self.out, blanks);
        self.column = self.column.saturating_add(to_u32(blanks));
    }

    /// Copies one token. Literals are written anew where the languages read them in different ways.
    fn copy(&mut self, id: TokenId, place: Span) {
        let token = self.token(id);
        let text = self.text(id);
        let plain = |byte: &u8| (b' '..0x7F).contains(byte);
        if token.kind == Kind::Str && (text[0] == b'r' || text.contains(&b'\\') || !text.iter().all(plain)) {
            let text = quote(&literal(text));
            return self.made(&text, place);
        }
        if token.kind == Kind::Int && text.len() > 1 && text.iter().all(|byte| *byte == b'0') {
            return self.made("0", place);
        }
        let (_, _, linear) = self.input.place(token.start);
        // a program that runs meets the function where its value is
        let is_print = token.made && text == PRINT.as_bytes();
        let place = if is_print { self.place(id + 1) } else { place };
        self.lines.add(self.line, self.column, place, linear);
        // what is not ASCII stands in literals and names only, and those are written anew
        self.out.push_str(&String::from_utf8_lossy(text));
        self.column = self.column.saturating_add(to_u32(text.len()));
    }

    // Statements.

    /// Writes statements; gives whether there were any. `nodes`: they stand in a `def` that makes nodes, which a `return`
    /// closes.
    fn stmts(&mut self, stmts: &[Stmt], indent: u32, nodes: bool) -> Result<bool, Diagnostic> {
        for stmt in stmts {
            self.stmt(stmt, indent, nodes)?;
        }
        Ok(!stmts.is_empty())
    }

    fn body(&mut self, body: &Suite, indent: u32, nodes: bool) -> Result<(), Diagnostic> {
        if !self.stmts(&body.stmts, indent, nodes)? {
            let place = self.place(body.close);
            self.made_line(indent, "pass", place);
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt, indent: u32, nodes: bool) -> Result<(), Diagnostic> {
        if let Some(item) = self.input.item_at(self.token(stmt.first).start) {
            self.lines.add_string(self.line, item);
        }
        match &stmt.kind {
            StmtKind::Made => {
                let text = self.name(stmt.first);
                let place = self.place(stmt.first);
                self.made_line(indent, &text, place);
            }
            StmtKind::Expr(expr) => {
                self.open(indent);
                if self.token(stmt.first).made {
                    self.edits.first_of_values(expr);
                }
                self.expr(expr);
                self.newline();
            }
            StmtKind::Assign { left, operator, right } => {
                self.open(indent);
                self.assign(left, *operator, right);
                self.newline();
            }
            StmtKind::Branch(_) => {
                self.open(indent);
                self.tokens_between(stmt.first, stmt.first);
                self.newline();
            }
            StmtKind::Return(value) => {
                self.open(indent);
                self.return_statement(stmt.first, value.as_ref(), nodes);
                self.newline();
            }
            StmtKind::Load(load) => self.load(load, stmt.first, indent),
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    self.head(indent, branch.keyword, &branch.body, &[&branch.condition]);
                    self.body(&branch.body, indent + 1, nodes)?;
                }
                if let Some(body) = otherwise {
                    self.head(indent, body.colon - 1, body, &[]);
                    self.body(body, indent + 1, nodes)?;
                }
            }
            StmtKind::For { vars, over, body } => {
                self.edits.target(vars);
                self.edits.over(over);
                self.head(indent, stmt.first, body, &[]);
                let place = self.place(stmt.first);
                self.turn(&body.stmts, 0, indent + 1, place);
                self.body(body, indent + 1, nodes)?;
            }
            StmtKind::While { condition, body } => self.while_statement(condition, body, indent, nodes)?,
            StmtKind::Def(def) => self.def(def, stmt.first, indent)?,
        }
        Ok(())
    }

    /// Writes the line that opens a block, from its keyword to the colon.
    fn head(&mut self, indent: u32, first: TokenId, body: &Suite, exprs: &[&Expr]) {
        for expr in exprs {
            self.edits.expr(expr);
        }
        self.open(indent);
        self.tokens_between(first, body.colon);
        self.newline();
    }

    fn assign(&mut self, left: &Expr, operator: Option<Kind>, right: &Expr) {
        let target = left.bare();
        let (whole, sign) = (self.span(left.first, left.last), self.place(right.first - 1));
        // a counter needs no look at what it is added to
        let is_int = matches!(right.kind, ExprKind::Literal) && self.token(right.first).kind == Kind::Int;
        let takes_in = operator == Some(Kind::AddAssign) && !is_int;
        match (&target.kind, operator) {
            (ExprKind::Index(parts), None) => {
                // the right side is computed first, as in the reference
                self.made("__ytt_set(", whole);
                self.expr(right);
                for part in &parts[..] {
                    self.made(", ", whole);
                    self.expr(part);
                }
                self.made(")", whole);
            }
            (ExprKind::Index(parts), Some(_)) if takes_in => {
                // a list stays the same list
                self.once(parts, sign);
                self.with_item("__ytt_v = __ytt_at(", parts, whole);
                self.made("; __ytt_v += __ytt_more(__ytt_v, ", sign);
                self.expr(right);
                self.made(")", sign);
                self.with_item("; __ytt_set(__ytt_v, ", parts, whole);
            }
            (ExprKind::Index(parts), Some(operator)) => {
                self.once(parts, sign);
                self.made("__ytt_set(", whole);
                self.with_item("__ytt_at(", parts, whole);
                self.made(&format!(" {} (", operator.bare().trim_end_matches('=')), sign);
                self.operators.extend(functions::of_operator(operator));
                self.expr(right);
                self.made(")", sign);
                self.with_item(", ", parts, whole);
            }
            (ExprKind::Name, Some(operator)) if functions::of_operator(operator).is_some() => {
                // the interpreter's own `%=` would not use our `%`
                self.operators.extend(functions::of_operator(operator));
                self.expr(target);
                self.made(" = ", sign);
                self.expr(target);
                self.made(&format!(" {} (", operator.bare().trim_end_matches('=')), sign);
                self.expr(right);
                self.made(")", sign);
            }
            (ExprKind::Name, Some(_)) if takes_in => {
                self.expr(target);
                self.made(" += __ytt_more(", sign);
                self.expr(target);
                self.made(", ", sign);
                self.expr(right);
                self.made(")", sign);
            }
            _ => {
                self.edits.target(left);
                if operator.is_none() {
                    self.edits.unpack(left, right);
                }
                self.edits.expr(right);
                self.tokens_between(left.first, right.last);
            }
        }
    }

    fn return_statement(&mut self, first: TokenId, value: Option<&Expr>, nodes: bool) {
        let place = self.place(first);
        match (nodes, value) {
            (true, None) => self.made("return __ytt_end(__i)", place),
            (true, Some(value)) => {
                self.made("return __ytt_end(__i, (", place);
                self.expr(value);
                self.made("))", place);
            }
            (_, Some(value)) if self.returns => {
                self.made("return __ytt_gave(__i, (", place);
                self.expr(value);
                self.made("))", place);
            }
            (_, Some(value)) => {
                self.edits.expr(value);
                self.tokens_between(first, value.last);
            }
            (_, None) => self.tokens_between(first, first),
        }
    }

    /// One evaluation for the statement, however many names it binds.
    fn load(&mut self, load: &Load, first: TokenId, indent: u32) {
        let path = quote(&literal(self.text(load.path)));
        self.open(indent);
        // what is loaded gives at least these names
        let names: String = load.names.iter().map(|(_, wanted)| quote(&literal(self.text(*wanted))) + ",").collect();
        self.made(&format!("__l = __ytt_load(__i, {path}, ({names}))"), self.span(first, load.last));
        for (bound, wanted) in &load.names {
            let name = match self.token(*bound).kind {
                Kind::Str => String::from_utf8_lossy(&literal(self.text(*bound))).into_owned().into(),
                _ => self.name(*bound),
            };
            let wanted_name = quote(&literal(self.text(*wanted)));
            let place = self.place(*wanted);
            self.made(&format!("; {} = __l[{wanted_name}]", mangle(&name)), place);
        }
        self.newline();
    }

    fn while_statement(&mut self, condition: &Expr, body: &Suite, indent: u32, nodes: bool) -> Result<(), Diagnostic> {
        let place = self.place(condition.first);
        self.whiles += 1;
        let counter = format!("__ytt_w{}", self.whiles);
        self.made_line(indent, &format!("for {counter} in range(2147483647):"), place);
        self.turn(&body.stmts, 1 + cost::operations(condition), indent + 1, place);
        self.open(indent + 1);
        self.made("if not (", place);
        self.expr(condition);
        self.made("): break", place);
        self.newline();
        self.stmts(&body.stmts, indent + 1, nodes)?;
        let place = self.place(body.close);
        self.made_line(indent + 1, &format!("if {counter} == 2147483646: __ytt_endless()"), place);
        Ok(())
    }

    fn def(&mut self, def: &Def, first: TokenId, indent: u32) -> Result<(), Diagnostic> {
        self.check_border(def, first)?;
        let text = self.text_only || self.input.region_at(self.token(first).start) > 0;
        let nodes = makes_nodes(&def.body.stmts, &|id| self.token(id).made && is_node_call(self.text(id)));
        self.edits.params(&def.params);
        let again = self.again(def.name);
        match &again {
            Some(name) => self.edits.rename(def.name, name),
            None => self.edits.name(def.name),
        }
        self.head(indent, first, &def.body, &[]);
        let place = self.place(first);
        let operators = std::mem::take(&mut self.operators);
        let own = has_loop(&def.body.stmts).then(|| {
            self.made_line(indent + 1, OWN, place);
            self.out.len()
        });
        let mut any = false;
        for param in def.params.iter().filter(|param| param.role == ArgumentRole::DoubleStar) {
            let name = self.name(param.name);
            let name = mangle(&name);
            self.made_line(indent + 1, &format!("{name} = __ytt_unkw({name})"), self.place(param.name));
            any = true;
        }
        self.turn(&def.body.stmts, 0, indent + 1, place);
        if nodes {
            self.made_line(indent + 1, &format!("__ytt_start(__i, {})", if text { 2 } else { 0 }), place);
        }
        any |= self.stmts(&def.body.stmts, indent + 1, nodes)?;
        let place = self.place(def.body.close);
        if nodes {
            self.made_line(indent + 1, "return __ytt_end(__i)", place);
        } else if !any {
            self.made_line(indent + 1, "pass", place);
        }
        if let Some(end) = own {
            let names = functions::own(self.out.get(end..).unwrap_or_default(), &self.operators, self.builtins);
            let line = end - 1 - OWN.len()..end - 1;
            self.out.replace_range(line, &names);
        }
        self.operators.extend(operators);
        if let Some(again) = again {
            self.made_line(indent, &format!("{} = {again}", mangle(&self.name(def.name))), place);
        }
        Ok(())
    }

    /// The name under which a function is written whose own name another one of the file has already.
    fn again(&mut self, name: TokenId) -> Option<String> {
        if self.hidden.contains(&name) {
            return None;
        }
        let text = self.text(name);
        let count = self.functions.entry(text).or_insert(0);
        *count += 1;
        (*count > 1).then(|| numbered(&String::from_utf8_lossy(text), *count))
    }

    /// A function of a text-templated string ends in that string, and one of the YAML around ends outside of strings.
    fn check_border(&self, def: &Def, first: TokenId) -> Result<(), Diagnostic> {
        let region = |id| self.input.region_at(self.token(id).start);
        if region(first) == region(def.body.close) {
            return Ok(());
        }
        let name = self.name(def.name);
        let (first, close) = (self.span(first, def.name), self.span(def.body.close, def.body.close));
        Err(Diagnostic::error(Code::TEMPLATE_CODE, "code in a text-templated string must not leave the string")
            .label(close, format!("'{name}' ends here"))
            .label(first, format!("'{name}' begins here")))
    }
}

/// The line of a function for variables of its own, until they are known.
const OWN: &str = "pass";

/// Variables for the two parts of an `x[k]`.
const ONCE: [&str; 2] = ["__ytt_o", "__ytt_k"];

/// Does an expression mean the same each time that it is written?
fn is_simple(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Name | ExprKind::Literal)
}

/// A literal of the interpreter for a byte string: one character for each byte.
pub(super) fn quote(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().saturating_add(2));
    text.push('"');
    for byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            0..0x20 | 0x7F => text.push_str(&format!("\\x{byte:02x}")),
            _ => text.push(char::from(*byte)),
        }
    }
    text.push('"');
    text
}
