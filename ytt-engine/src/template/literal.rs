//! Arguments of annotations that can be read without a program: literals, and matchers of `@ytt:overlay` with literals.
//!
//! Only what means the same whatever a file binds is read here. All else is `None`, and the program of the file says what it
//! means.

use super::input::{Input, Origin};
use super::parse::{Single, parse};
use super::scan::literal;
use super::token::Kind;
use super::tree::{Argument, ArgumentRole, Expr, ExprKind, StmtKind, TokenId};
use crate::source::SourceId;

/// A literal, or a matcher that is made of literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    None,
    Bool(bool),
    Int(i32),
    Text(Box<[u8]>),
    List(Vec<Literal>),
    Tuple(Vec<Literal>),
    /// The keys are texts, none twice.
    Dict(Vec<(Box<[u8]>, Literal)>),
    /// `overlay.all`, and functions of `overlay` that are called: name and arguments.
    Matcher(&'static str, Option<Vec<Literal>>),
}

/// Are the arguments of an annotation literals, and matchers of literals, in a file that loads `overlay`?
pub(crate) fn is_literal(text: &str) -> bool {
    arguments(text, true).is_some()
}

/// The arguments of an annotation, in the order written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Literals {
    pub(crate) positional: Vec<Literal>,
    pub(crate) named: Vec<(Box<str>, Literal)>,
}

impl Literals {
    /// Does one of them ask for a member of the module?
    pub(super) fn has_matcher(&self) -> bool {
        self.positional.iter().chain(self.named.iter().map(|(_, value)| value)).any(Literal::has_matcher)
    }
}

impl Literal {
    fn has_matcher(&self) -> bool {
        match self {
            Literal::None | Literal::Bool(_) | Literal::Int(_) | Literal::Text(_) => false,
            Literal::List(items) | Literal::Tuple(items) => items.iter().any(Literal::has_matcher),
            Literal::Dict(entries) => entries.iter().any(|(_, value)| value.has_matcher()),
            Literal::Matcher(..) => true,
        }
    }
}

/// The module whose members may be asked for, and the name that it is loaded by.
const MODULE: &str = "overlay";

const PATH: &str = "@ytt:overlay";

const USUAL_LOAD: &str = r#"load("@ytt:overlay", "overlay")"#;

/// Functions of `@ytt:overlay` that give a matcher.
pub(crate) const MATCHERS: [&str; 6] = ["and_op", "index", "map_key", "not_op", "or_op", "subset"];

/// Digits of an integer that surely fits.
const DIGITS: usize = 9;

/// Reads the arguments of an annotation. `loaded` says that the module is loaded above it.
pub(super) fn arguments(text: &str, loaded: bool) -> Option<Literals> {
    let mut literals = Literals::default();
    if text.is_empty() {
        return Some(literals);
    }
    let call = Single::read(code(&["_(", text, ")"]))?;
    let ExprKind::Call(function, arguments) = &call.root.kind else { return None };
    if !matches!(function.kind, ExprKind::Name) {
        return None;
    }
    let reader = Reader { call: &call, loaded };
    for argument in arguments {
        let value = reader.value(&argument.value)?;
        match argument.role {
            ArgumentRole::Plain if literals.named.is_empty() => literals.positional.push(value),
            ArgumentRole::Named => {
                let name = reader.word(argument.first)?;
                if literals.named.iter().any(|(known, _)| **known == *name) {
                    return None;
                }
                literals.named.push((name.into(), value));
            }
            _ => return None,
        }
    }
    Some(literals)
}

/// Is it the line that loads the module by its own name?
pub(super) fn is_load(line: &str) -> bool {
    // As almost everybody writes it, which needs no parser.
    if line.trim_matches(' ') == USUAL_LOAD {
        return true;
    }
    // most lines of code are others
    if !line.contains("load") || !line.contains(PATH) {
        return false;
    }
    let input = code(&[line]);
    let Ok(parsed) = parse(&input) else { return false };
    let [stmt] = &*parsed.stmts else { return false };
    let StmtKind::Load(load) = &stmt.kind else { return false };
    let is = |id: TokenId, text: &str| {
        let token = parsed.tokens.get(id as usize).filter(|token| token.kind == Kind::Str);
        token.is_some_and(|token| literal(input.token(*token)) == text.as_bytes())
    };
    is(load.path, PATH) && matches!(*load.names, [(bound, name)] if is(bound, MODULE) && is(name, MODULE))
}

fn code(parts: &[&str]) -> Input {
    let mut input = Input::new(SourceId(0), ("", ""));
    input.piece(parts.concat().as_bytes(), Origin::Code(0));
    input
}

struct Reader<'a> {
    call: &'a Single,
    loaded: bool,
}

impl<'a> Reader<'a> {
    /// A name, if it is of ASCII.
    fn word(&self, id: TokenId) -> Option<&'a str> {
        std::str::from_utf8(self.call.text(id)).ok().filter(|word| word.is_ascii())
    }

    fn value(&self, expr: &Expr) -> Option<Literal> {
        Some(match &expr.kind {
            ExprKind::Paren(inner) => self.value(inner)?,
            ExprKind::Literal => self.literal(expr.first)?,
            ExprKind::List(items) => Literal::List(self.all(items)?),
            ExprKind::Tuple(items) => Literal::Tuple(self.all(items)?),
            ExprKind::Dict(parts) => {
                let mut entries: Vec<(Box<[u8]>, Literal)> = Vec::with_capacity(parts.len() / 2);
                for [key, value] in parts.as_chunks().0 {
                    let Literal::Text(key) = self.value(key)? else { return None };
                    if entries.iter().any(|(known, _)| *known == key) {
                        return None;
                    }
                    entries.push((key, self.value(value)?));
                }
                Literal::Dict(entries)
            }
            ExprKind::Name => match self.word(expr.first)? {
                "None" => Literal::None,
                "True" => Literal::Bool(true),
                "False" => Literal::Bool(false),
                _ => return None,
            },
            ExprKind::Dot(..) => match self.member(expr)? {
                "all" => Literal::Matcher("all", None),
                _ => return None,
            },
            ExprKind::Call(function, arguments) => {
                let name = self.member(function)?;
                let name = MATCHERS.into_iter().find(|known| *known == name)?;
                let plain = |argument: &Argument| {
                    (argument.role == ArgumentRole::Plain).then(|| self.value(&argument.value)).flatten()
                };
                Literal::Matcher(name, Some(arguments.iter().map(plain).collect::<Option<_>>()?))
            }
            _ => return None,
        })
    }

    fn all(&self, items: &[Expr]) -> Option<Vec<Literal>> {
        items.iter().map(|item| self.value(item)).collect()
    }

    /// The name of the member of the module that an expression is.
    fn member(&self, expr: &Expr) -> Option<&'a str> {
        let ExprKind::Dot(module, name) = &expr.kind else { return None };
        let is_module = self.loaded && matches!(module.kind, ExprKind::Name) && self.word(module.first)? == MODULE;
        if is_module { self.word(*name) } else { None }
    }

    fn literal(&self, id: TokenId) -> Option<Literal> {
        let text = self.call.text(id);
        match self.call.tokens.get(id as usize)?.kind {
            Kind::Str => Some(Literal::Text(literal(text).into())),
            Kind::Int => {
                let is_plain = text.len() <= DIGITS && text.iter().all(u8::is_ascii_digit);
                let digits = self.word(id).filter(|_| is_plain && (text.len() == 1 || !text.starts_with(b"0")))?;
                digits.parse().ok().map(Literal::Int)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Literal {
        Literal::Text(text.as_bytes().into())
    }

    #[test]
    fn literals_are_read_without_a_program() {
        let dict = |value| Literal::Dict(vec![(b"a b"[..].into(), value), (b"c"[..].into(), Literal::None)]);
        for (written, expected) in [
            ("\"a\"", text("a")),
            ("'\"ä'", text("\"ä")),
            ("''", text("")),
            ("r'\\d'", text("\\d")),
            ("\"\"\"a\\n'\"\"\"", text("a\n'")),
            ("17", Literal::Int(17)),
            ("( 0 )", Literal::Int(0)),
            ("(1,)", Literal::Tuple(vec![Literal::Int(1)])),
            ("()", Literal::Tuple(vec![])),
            ("[1 , True,]", Literal::List(vec![Literal::Int(1), Literal::Bool(true)])),
            ("{'a b': [] , 'c':None}", dict(Literal::List(vec![]))),
            ("overlay.all", Literal::Matcher("all", None)),
            ("overlay.index(1)", Literal::Matcher("index", Some(vec![Literal::Int(1)]))),
        ] {
            let positional = vec![expected.clone()];
            assert_eq!(arguments(written, true), Some(Literals { positional, named: vec![] }), "{written}");
            let named = vec![("by".into(), expected)];
            assert_eq!(arguments(&format!(" by = {written} "), true), Some(Literals { positional: vec![], named }));
        }
        let named = vec![("by".into(), text("name")), ("missing_ok".into(), Literal::Bool(true))];
        let expected = Literals { positional: vec![text("x")], named };
        assert_eq!(arguments("'x', by=\"name\", missing_ok=True", false), Some(expected));
        assert_eq!(arguments("  ", false), Some(Literals::default()));
    }

    #[test]
    fn all_else_needs_a_program() {
        for written in [
            "x",
            "f()",
            "1.5",
            "1e3",
            "01",
            "0x1",
            "12345678901",
            "-1",
            "1 + 1",
            "'a' 'b'",
            "'a",
            "[1",
            "1]",
            "{1: 2}",
            "{'a': 1, 'a': 2}",
            "{'a': 1 'b': 2}",
            "{,}",
            "[,]",
            "a=1, a=2",
            "a=1, 2",
            "if=1",
            "class=1",
            "a==1",
            "1 # c",
            "1) + (2",
            "1)(2",
            "1); (2",
            "f(1)",
            "1,,2",
            ",",
            "overlay",
            "overlay.apply(1)",
            "overlay.subset",
            "overlay.all()",
            "overlay.index(*[1])",
            "*[1]",
            "'a' % 1",
            "True and False",
            "1 if True else 2",
        ] {
            assert_eq!(arguments(written, true), None, "{written}");
        }
        assert_eq!(arguments("overlay.all", false), None);
    }

    #[test]
    fn only_the_module_under_its_own_name_is_loaded() {
        for code in [" load('@ytt:overlay', \"overlay\") ", USUAL_LOAD, " load(\"@ytt:overlay\", \"overlay\")"] {
            assert!(is_load(code), "{code}");
        }
        for code in ["load('@ytt:overlay', o='overlay')", "load('@ytt:data', 'data')", "load('@ytt:overlay')", "load"] {
            assert!(!is_load(code), "{code}");
        }
        assert!(!is_load("load('@ytt:overlay', 'overlay'); x = 1"));
    }
}
