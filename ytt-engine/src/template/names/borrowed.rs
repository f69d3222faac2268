//! What code says as other languages have it, and Starlark does not: names of types that `type` never gives, and the
//! arguments of `regexp.replace` in the order of Python.

use std::collections::HashSet;

use super::Names;
use crate::diag::{Code, Diagnostic};
use crate::quoted;
use crate::source::Span;
use crate::template::input::Input;
use crate::template::parse::Parsed;
use crate::template::scan::literal;
use crate::template::token::Kind;
use crate::template::tree::{Argument, ArgumentRole, Expr, ExprKind, Load, Stmt, StmtKind, StmtPart, TokenId};

/// Warnings of each kind that are told of one file.
const TOLD: usize = 50;

/// The function that gives the name of a type.
const TYPE: &str = "type";
/// The module with `replace`.
const REGEXP: &str = "regexp";
/// Characters of a text that is surely what to write, and not where to look.
const SHORT: usize = 2;

/// What others call a type, in small letters, and its name here; whether nothing else can be meant by it.
const TYPES: [(&str, &str, bool); 33] = [
    ("array", "list", true),
    ("bool", "bool", true),
    ("boolean", "bool", true),
    ("decimal", "float", true),
    ("dict", "dict", true),
    ("dictionary", "dict", true),
    ("double", "float", true),
    ("float", "float", true),
    ("float64", "float", true),
    ("func", "function", true),
    ("function", "function", true),
    ("hash", "dict", false),
    ("int", "int", true),
    ("int64", "int", true),
    ("integer", "int", true),
    ("list", "list", true),
    ("long", "int", true),
    ("map", "dict", false),
    ("mapping", "dict", false),
    ("nil", "NoneType", true),
    ("none", "NoneType", true),
    ("nonetype", "NoneType", true),
    ("null", "NoneType", true),
    ("number", "int", false),
    ("object", "dict", false),
    ("seq", "list", true),
    ("sequence", "list", true),
    ("slice", "list", true),
    ("set", "set", true),
    ("str", "string", true),
    ("string", "string", true),
    ("struct", "struct", true),
    ("tuple", "tuple", true),
];

/// Looks through a program, if it has anything to look for.
pub(in crate::template) fn borrowed(
    input: &Input,
    parsed: &Parsed,
    names: &Names,
    uses: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let asks_types = uses(TYPE) && names.binding(TYPE).is_none();
    let mut reader = Reader { input, parsed, replaces: false, asks_types, compared: Vec::new(), swapped: Vec::new() };

    reader.replaces = names.binding(REGEXP).is_some() && reader.has_regexp();
    if !reader.asks_types && !reader.replaces {
        return Vec::new();
    }
    reader.stmts(&parsed.stmts, 0);
    let known: HashSet<_> =
        reader.compared.iter().map(|one| (one.scope, one.of, literal(reader.text(one.text)))).collect();
    let types = reader.compared.iter().filter_map(|one| reader.type_told(one, &known)).take(TOLD);
    let mut functions = HashSet::new();
    if !reader.swapped.is_empty() {
        reader.functions(&parsed.stmts, &mut functions);
    }
    let computed = reader.swapped.iter().filter(|[.., replacement]| reader.is_computed(replacement, &functions));
    let order = computed.filter_map(|three| reader.order_told(three)).take(TOLD);
    types.chain(order).collect()
}

struct Reader<'a> {
    input: &'a Input,
    parsed: &'a Parsed,
    /// Is `regexp` the module, wherever the file names it?
    replaces: bool,
    /// Is `type` the builtin, wherever the file names it?
    asks_types: bool,
    compared: Vec<Compared<'a>>,
    /// The arguments of calls whose order may be wrong.
    swapped: Vec<[&'a Expr; 3]>,
}

/// A text that the type of something is compared with.
struct Compared<'a> {
    call: &'a Expr,
    /// What is asked for its type, as written.
    of: &'a [u8],
    text: TokenId,
    /// The function that it stands in, by its name's token.
    scope: TokenId,
    /// It is not one of several texts, but what `in` looks into.
    is_whole: bool,
}

#[allow(
    clippy::indexing_slicing,
    reason = "the statements were read from these tokens, and these from the text of the program"
)]
impl<'a> Reader<'a> {
    fn text(&self, id: TokenId) -> &'a [u8] {
        self.input.token(self.parsed.tokens[id as usize])
    }

    fn code(&self, expr: &Expr) -> &'a [u8] {
        let tokens = &self.parsed.tokens;
        &self.input.text[tokens[expr.first as usize].start as usize..tokens[expr.last as usize].end as usize]
    }

    fn span(&self, first: TokenId, last: TokenId) -> Span {
        let tokens = &self.parsed.tokens;
        self.input.span(tokens[first as usize].start, tokens[last as usize].end)
    }

    /// Is the module loaded, and its name never used for anything else?
    fn has_regexp(&self) -> bool {
        let tokens = &self.parsed.tokens;
        let is_other = |at: usize| {
            let token = tokens[at];
            let is_module = at.checked_sub(1).is_none_or(|before| tokens[before].kind != Kind::Dot);
            token.kind == Kind::Name
                && is_module
                && self.input.token(token) == REGEXP.as_bytes()
                && tokens.get(at.saturating_add(1)).is_none_or(|next| next.kind != Kind::Dot)
        };
        let (mut is_loaded, mut by_another) = (false, false);
        self.each_load(&self.parsed.stmts, &mut |load| {
            let bound = |id: TokenId| match self.parsed.tokens[id as usize].kind {
                Kind::Str => literal(self.text(id)),
                _ => self.text(id).to_vec(),
            };
            for (name, wanted) in load.names.iter().filter(|(name, _)| bound(*name) == REGEXP.as_bytes()) {
                let is_it = literal(self.text(load.path)) == b"@ytt:regexp" && bound(*wanted) == bound(*name);
                (is_loaded, by_another) = (is_loaded | is_it, by_another | !is_it);
            }
        });
        is_loaded && !by_another && !(0..tokens.len()).any(is_other)
    }

    fn each_load(&self, stmts: &'a [Stmt], visit: &mut dyn FnMut(&'a Load)) {
        for stmt in stmts {
            if let StmtKind::Load(load) = &stmt.kind {
                visit(load);
            }
            stmt.kind.each_part(|part| {
                if let StmtPart::Body(body) = part {
                    self.each_load(&body.stmts, visit);
                }
            });
        }
    }

    fn stmts(&mut self, stmts: &'a [Stmt], scope: TokenId) {
        for stmt in stmts {
            let inner = match &stmt.kind {
                StmtKind::Def(def) => def.name,
                _ => scope,
            };
            stmt.kind.each_part(|part| match part {
                StmtPart::Value(expr) | StmtPart::Condition(expr) | StmtPart::Target(expr) => self.expr(expr, inner),
                StmtPart::Body(body) => self.stmts(&body.stmts, inner),
            });
        }
    }

    fn expr(&mut self, expr: &'a Expr, scope: TokenId) {
        match &expr.kind {
            ExprKind::Binary(binary) if self.asks_types => match self.operator(&binary.left) {
                Some(Kind::Equal | Kind::NotEqual) => {
                    self.compare(&binary.left, &binary.right, scope);
                    self.compare(&binary.right, &binary.left, scope);
                }
                Some(Kind::In | Kind::Not | Kind::NotIn) => match &binary.right.bare().kind {
                    ExprKind::List(items) | ExprKind::Tuple(items) => {
                        items.iter().for_each(|item| self.compare(&binary.left, item, scope));
                    }
                    _ => {
                        let known = self.compared.len();
                        self.compare(&binary.left, &binary.right, scope);
                        self.compared.iter_mut().skip(known).for_each(|one| one.is_whole = true);
                    }
                },
                _ => {}
            },
            ExprKind::Call(function, arguments) if self.replaces && self.is_replace(function) => {
                self.swapped.extend(self.in_another_order(arguments));
            }
            _ => {}
        }
        expr.kind.each_part(|part| self.expr(part, scope));
    }

    fn operator(&self, left: &Expr) -> Option<Kind> {
        let behind = self.parsed.tokens.get(left.last as usize..)?;
        behind.get(1).map(|token| token.kind)
    }

    /// Notes a text that is compared with `type(…)`.
    fn compare(&mut self, call: &'a Expr, with: &'a Expr, scope: TokenId) {
        let (call, with) = (call.bare(), with.bare());
        let ExprKind::Call(function, arguments) = &call.kind else { return };
        let [Argument { role: ArgumentRole::Plain, value, .. }] = &arguments[..] else { return };
        let is_type = matches!(function.kind, ExprKind::Name) && self.text(function.first) == TYPE.as_bytes();
        if is_type && self.is_string(with) {
            let of = self.code(value.bare());
            self.compared.push(Compared { call, of, text: with.first, scope, is_whole: false });
        }
    }

    fn is_string(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Literal)
            && expr.first == expr.last
            && self.parsed.tokens[expr.first as usize].kind == Kind::Str
    }

    /// A comparison with what no type is called. Who asks for the right name of the same thing as well knows it.
    fn type_told(&self, one: &Compared<'a>, known: &HashSet<(TokenId, &'a [u8], Vec<u8>)>) -> Option<Diagnostic> {
        let written = String::from_utf8(literal(self.text(one.text))).ok()?;
        let (_, right, is_sure) = TYPES.into_iter().find(|(name, ..)| written.eq_ignore_ascii_case(name))?;
        let is_part = one.is_whole && written.contains(right);
        if written == right || is_part || known.contains(&(one.scope, one.of, right.as_bytes().to_vec())) {
            return None;
        }
        let place = self.span(one.text, one.text);
        let warning =
            Diagnostic::warning(Code::STARLARK_TYPE_NAME, format!("no type is called `{written}` in Starlark"));
        let warning = warning.label(place, "`type` never gives this");
        let warning = warning.label(self.span(one.call.first, one.call.last), "this is the name of a type");
        Some(match (right, is_sure) {
            ("int", false) => warning.help("a number is of the type `int` or `float`: compare with both"),
            ("dict", false) => warning.help(
                "what code makes with braces is of the type `dict`, a map of data values of `struct`, one of YAML of \
                 `yamlfragment`",
            ),
            _ => {
                // Its quotes may be those that the YAML around it allows.
                let text = self.text(one.text);
                let quote =
                    text.first().filter(|first| matches!(first, b'"' | 0x27)).map_or('"', |first| *first as char);
                warning.help_edit(format!("this type is called `{right}`"), place, format!("{quote}{right}{quote}"))
            }
        })
    }

    fn is_replace(&self, function: &Expr) -> bool {
        let ExprKind::Dot(of, name) = &function.bare().kind else { return false };
        matches!(of.kind, ExprKind::Name) && self.text(of.first) == REGEXP.as_bytes() && self.text(*name) == b"replace"
    }

    /// The three arguments of a call whose text to look into is short and written out.
    fn in_another_order(&self, arguments: &'a [Argument]) -> Option<[&'a Expr; 3]> {
        let all: Vec<&Expr> =
            arguments.iter().filter(|one| one.role == ArgumentRole::Plain).map(|one| &one.value).collect();
        let [pattern, source, replacement] = all[..] else { return None };
        (arguments.len() == all.len() && self.is_string(source.bare())).then_some(())?;
        let short = String::from_utf8(literal(self.text(source.bare().first))).ok()?;
        (short.chars().count() <= SHORT).then_some([pattern, source, replacement])
    }

    /// Does a text come from elsewhere? A function that makes what to write has no text for it.
    fn is_computed(&self, expr: &Expr, functions: &HashSet<&[u8]>) -> bool {
        match &expr.bare().kind {
            ExprKind::Name => !functions.contains(self.text(expr.bare().first)),
            ExprKind::Call(..) | ExprKind::Dot(..) | ExprKind::Index(_) | ExprKind::Slice(..) => true,
            ExprKind::Binary(binary) => {
                self.is_computed(&binary.left, functions) || self.is_computed(&binary.right, functions)
            }
            _ => false,
        }
    }

    /// The names of functions, and of what is one.
    fn functions(&self, stmts: &'a [Stmt], found: &mut HashSet<&'a [u8]>) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Def(def) => _ = found.insert(self.text(def.name)),
                StmtKind::Assign { left, right, .. } if matches!(right.bare().kind, ExprKind::Lambda(_)) => {
                    found.insert(self.code(left.bare()));
                }
                _ => {}
            }
            stmt.kind.each_part(|part| {
                if let StmtPart::Body(body) = part {
                    self.functions(&body.stmts, found);
                }
            });
        }
    }

    fn order_told(&self, [_, source, replacement]: &[&Expr; 3]) -> Option<Diagnostic> {
        let [first, second] = [self.span(source.first, source.last), self.span(replacement.first, replacement.last)];
        let between = self.between(source, replacement)?;
        let short = literal(self.text(source.bare().first));
        // A group is `$1` here.
        let new = match short[..] {
            [b'\\', group @ b'0'..=b'9'] => quoted::go(&[b'$', group]).into_bytes(),
            _ => self.code(source).to_vec(),
        };
        let new = String::from_utf8([self.code(replacement), between, &new].concat()).ok()?;
        let warning = Diagnostic::warning(
            Code::MODULE_ARGUMENT_ORDER,
            "`regexp.replace` takes the text in front of what to write in it",
        );
        let warning = warning.label(first, "the pattern is looked for in this");
        let warning = warning.label(second, "this is written in place of what is found");
        let help = "write the pattern, the text, and what to write, in this order";
        Some(warning.help_edit(help, Span { end: second.end, ..first }, new))
    }

    /// What stands between two arguments, if they stand in one line.
    fn between(&self, left: &Expr, right: &Expr) -> Option<&'a [u8]> {
        let tokens = &self.parsed.tokens;
        let whole = tokens[left.first as usize].start as usize..tokens[right.last as usize].end as usize;
        let between = tokens[left.last as usize].end as usize..tokens[right.first as usize].start as usize;
        (!self.input.text[whole].contains(&b'\n')).then(|| &self.input.text[between])
    }
}
