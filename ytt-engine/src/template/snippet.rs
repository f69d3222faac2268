//! What a part of the generated text says: the interpreter names places of that text, and leaves out of its errors which
//! method, operator or parameters they are about.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    reason = "offsets were found in the text, and the tree was read from the tokens"
)]

use std::ops::Range;

use super::input::{Input, Origin};
use super::parse::{self, Single};
use super::token::Kind;
pub(crate) use super::tree::ArgumentRole;
use super::tree::{ExprKind, Param, TokenId};
use crate::source::SourceId;

/// Bytes that are read for the parameters of one function.
const HEAD: usize = 1_000;

/// One expression of generated text.
#[derive(Debug)]
pub(crate) struct Snippet(Single);

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentForm<'s> {
    Positional,
    Named(&'s str),
    /// `*args` or `**kwargs`: nobody knows what it brings.
    Stars,
}

/// A parameter of a function, without its stars; a star alone has no name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) role: ArgumentRole,
}

fn input(text: &str) -> Input {
    let mut input = Input::new(SourceId(0), ("", ""));
    input.piece(text.as_bytes(), Origin::Code(0));
    input
}

/// The condition of `if CONDITION:`, of which the interpreter names the whole statement.
pub(super) fn condition(text: &str) -> Option<Range<usize>> {
    let start = ["if ", "elif "].into_iter().find(|word| text.starts_with(word))?.len();
    let head = text[start..].lines().next()?.trim_end().strip_suffix(':')?;
    Some(start..start + head.len())
}

impl Snippet {
    /// `None` if the text is more or less than an expression, or a statement that begins with a condition.
    pub(crate) fn read(text: &str) -> Option<Snippet> {
        let text = condition(text).map_or(text, |range| &text[range]);
        // the interpreter leaves out the parentheses around the first and the last operand
        let around = [("", ""), ("(", ""), ("", ")"), ("(", ")")];
        around.into_iter().find_map(|(before, after)| Single::read(input(&[before, text, after].concat())).map(Snippet))
    }

    fn text(&self, id: TokenId) -> &str {
        std::str::from_utf8(self.0.text(id)).unwrap_or_default()
    }

    /// Can something be written behind it that belongs to all of it?
    pub(crate) fn is_operand(&self) -> bool {
        matches!(
            self.0.root.kind,
            ExprKind::Name
                | ExprKind::Literal
                | ExprKind::Call(..)
                | ExprKind::Dot(..)
                | ExprKind::Index(_)
                | ExprKind::List(_)
                | ExprKind::Dict(_)
                | ExprKind::Paren(_)
        )
    }

    pub(crate) fn is_call(&self) -> bool {
        matches!(self.0.root.kind, ExprKind::Call(..))
    }

    /// Is it a call of a method of that name?
    pub(crate) fn calls(&self, method: &str) -> bool {
        let ExprKind::Call(function, _) = &self.0.root.kind else { return false };
        matches!(&function.kind, ExprKind::Dot(_, name) if self.text(*name) == method)
    }

    /// The comparison that it is.
    pub(crate) fn comparison(&self) -> Option<&'static str> {
        let ExprKind::Binary(binary) = &self.0.root.bare().kind else { return None };
        let kind = self.0.tokens[binary.left.last as usize + 1].kind;
        matches!(kind, Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual).then(|| kind.bare())
    }

    /// The names `a`, `b`, `c` in front of the last step of `a.b.c.d` or `a.b.c[0]`.
    pub(crate) fn path(&self) -> Option<Vec<&str>> {
        let mut at = match &self.0.root.kind {
            ExprKind::Dot(value, _) => value,
            ExprKind::Index(parts) => &parts[0],
            _ => return None,
        };
        let mut names = Vec::new();
        while let ExprKind::Dot(value, name) = &at.kind {
            names.push(self.text(*name));
            at = value;
        }
        names.push(matches!(at.kind, ExprKind::Name).then(|| self.text(at.first))?);
        names.reverse();
        Some(names)
    }

    /// The name that `name[index]` takes from, which is written `__ytt_at(name, index)`.
    pub(crate) fn indexed(&self) -> Option<&str> {
        let ExprKind::Call(function, arguments) = &self.0.root.kind else { return None };
        let value = &arguments.first()?.value;
        let is_index = matches!(function.kind, ExprKind::Name) && self.text(function.first) == "__ytt_at";
        (is_index && matches!(value.kind, ExprKind::Name)).then(|| self.text(value.first))
    }

    /// The arguments of the call that it is.
    pub(crate) fn arguments(&self) -> Vec<ArgumentForm<'_>> {
        let ExprKind::Call(_, arguments) = &self.0.root.kind else { return Vec::new() };
        let given = arguments.iter().map(|argument| match argument.role {
            ArgumentRole::Plain => ArgumentForm::Positional,
            ArgumentRole::Named => ArgumentForm::Named(self.text(argument.first)),
            ArgumentRole::Star | ArgumentRole::DoubleStar => ArgumentForm::Stars,
        });
        given.collect()
    }
}

/// Where a generated text defines functions of a name, and what they take; `lambda` means those without a name.
pub(crate) fn definitions<'t>(text: &'t str, function: &str) -> impl Iterator<Item = (usize, Vec<Parameter>)> + 't {
    let opening = if function == "lambda" { "lambda".to_owned() } else { format!("def {function}(") };
    let mut from = 0;
    let starts = std::iter::from_fn(move || {
        let at = from + text[from..].find(&opening)?;
        from = at + opening.len();
        Some(at)
    });
    starts.filter_map(move |at| {
        let end = (at..=(at + HEAD).min(text.len())).rev().find(|end| text.is_char_boundary(*end))?;
        let input = input(&text[at..end]);
        let (params, tokens) = parse::head(&input).ok()?;
        let name = |id: TokenId| String::from_utf8_lossy(input.token(tokens[id as usize])).into_owned();
        let parameter = |param: &Param| Parameter {
            name: if param.bare { String::new() } else { name(param.name) },
            role: param.role,
        };
        Some((at, params.iter().map(parameter).collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_tells_what_it_is() {
        let read = |text: &str| Snippet::read(text).expect("it is an expression");
        assert!(read("__ytt_change(x, \"append\").append(1)").calls("append"));
        assert!(!read("append(x.append)").calls("append"));
        assert_eq!(read("a + 1 <= b").comparison(), Some("<="));
        assert_eq!(read("f(a < b)").comparison(), None);
        assert_eq!(read("(1 << 3) > \"a\"").comparison(), Some(">"));
        assert_eq!(read("data.values.a[0]").path(), Some(vec!["data", "values", "a"]));
        assert_eq!(read("data.values.a").path(), Some(vec!["data", "values"]));
        assert_eq!(read("f(x).a").path(), None);
        assert_eq!(
            read("f(a, b=1, *c, **__ytt_kw(d))").arguments(),
            [ArgumentForm::Positional, ArgumentForm::Named("b"), ArgumentForm::Stars, ArgumentForm::Stars]
        );
        assert_eq!(read("1 << 3) > (a + b").comparison(), Some(">"));
        assert!(Snippet::read("x = 1").is_none() && Snippet::read("for x in y:").is_none());
    }

    #[test]
    fn names_that_are_indexed() {
        for (text, name) in [
            ("__ytt_at(ports, \"a\")", Some("ports")),
            ("__ytt_at(ports, __ytt_at(x, 1))", Some("ports")),
            ("__ytt_at(a.ports, 0)", None),
            ("__ytt_at(f(x), 0)", None),
            ("__ytt_at(__ytt_at(x, 0), 1)", None),
        ] {
            assert_eq!(Snippet::read(text).expect("it is an expression").indexed(), name, "{text}");
        }
    }

    #[test]
    fn functions_are_found_with_their_parameters() {
        let text = "def __ytt_file(__i):\n def f(a, b=(1, \")\"), *, c, **d):\n  pass\n g = lambda x, *y: x\n";
        let found: Vec<_> = definitions(text, "f").collect();
        let [(at, parameters)] = &found[..] else { panic!("one function is there") };
        assert_eq!(&text[*at..*at + 6], "def f(");
        let all: Vec<_> = parameters.iter().map(|one| (one.name.as_str(), one.role)).collect();
        let expected = [
            ("a", ArgumentRole::Plain),
            ("b", ArgumentRole::Named),
            ("", ArgumentRole::Star),
            ("c", ArgumentRole::Plain),
            ("d", ArgumentRole::DoubleStar),
        ];
        assert_eq!(all, expected);
        let lambdas: Vec<_> = definitions(text, "lambda").map(|(_, parameters)| parameters.len()).collect();
        assert_eq!(lambdas, [2]);
        assert_eq!(definitions(text, "h").count(), 0);
    }
}
