//! Whether a condition holds, as far as the values that it asks for are known.

use super::read;
use crate::source::{SourceMap, Span};
use crate::template::parse::Single;
use crate::template::scan::literal;
use crate::template::token::Kind;
use crate::template::tree::{Expr, ExprKind};

/// A value that a condition asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    /// A list or map, with so many items.
    Items(usize),
}

impl Asked {
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Asked::Null => false,
            Asked::Bool(value) => *value,
            Asked::Int(value) => *value != 0,
            Asked::Text(text) => !text.is_empty(),
            Asked::Items(count) => *count > 0,
        }
    }
}

/// Whether a condition holds, and the names in it that decide.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Holds {
    pub(crate) is_true: bool,
    pub(crate) by: Vec<Span>,
}

/// Whether a condition holds, where `ask` knows what the names in it stand for; `None` if that cannot be told.
pub(crate) fn holds(sources: &SourceMap, code: Span, ask: &dyn Fn(Span) -> Option<Asked>) -> Option<Holds> {
    let written = read(sources, code)?;
    written.holds(&written.root, ask)
}

impl Single {
    fn holds(&self, expr: &Expr, ask: &dyn Fn(Span) -> Option<Asked>) -> Option<Holds> {
        let expr = expr.bare();
        match &expr.kind {
            ExprKind::Unary(inner) if self.kind(expr.first) == Some(Kind::Not) => {
                let inner = self.holds(inner, ask)?;
                Some(Holds { is_true: !inner.is_true, ..inner })
            }
            ExprKind::Binary(binary) => {
                let operator = self.kind(binary.left.last.checked_add(1)?)?;
                match operator {
                    Kind::And => self.either((&binary.left, &binary.right), false, ask),
                    Kind::Or => self.either((&binary.left, &binary.right), true, ask),
                    _ => {
                        let (left, mut by) = self.asked(&binary.left, ask)?;
                        let (right, others) = self.asked(&binary.right, ask)?;
                        by.extend(others);
                        let is_true = compare(operator, &left, &right)?;
                        Some(Holds { is_true, by })
                    }
                }
            }
            _ => {
                let (value, by) = self.asked(expr, ask)?;
                Some(Holds { is_true: value.is_true(), by })
            }
        }
    }

    /// Of `and` what is false decides, of `or` what is true, even if the other one is not known.
    fn either(
        &self,
        (left, right): (&Expr, &Expr),
        decisive: bool,
        ask: &dyn Fn(Span) -> Option<Asked>,
    ) -> Option<Holds> {
        let both = [left, right].map(|side| self.holds(side, ask));
        if let Some(one) = both.iter().flatten().find(|one| one.is_true == decisive) {
            return Some(one.clone());
        }
        let [Some(left), Some(right)] = both else { return None };
        Some(Holds { is_true: !decisive, by: left.by.into_iter().chain(right.by).collect() })
    }

    /// The value of a literal or of a name, with the name.
    fn asked(&self, expr: &Expr, ask: &dyn Fn(Span) -> Option<Asked>) -> Option<(Asked, Vec<Span>)> {
        let expr = expr.bare();
        let text = self.text(expr.first);
        match &expr.kind {
            ExprKind::Literal if self.kind(expr.first) == Some(Kind::Str) => {
                Some((Asked::Text(String::from_utf8_lossy(&literal(text)).into_owned()), Vec::new()))
            }
            ExprKind::Literal => Some((Asked::Int(std::str::from_utf8(text).ok()?.parse().ok()?), Vec::new())),
            ExprKind::Name | ExprKind::Dot(..) | ExprKind::Index(_) => match text {
                b"True" | b"False" | b"None" if expr.first == expr.last => {
                    let value = if text == b"None" { Asked::Null } else { Asked::Bool(text == b"True") };
                    Some((value, Vec::new()))
                }
                _ => Some((ask(self.span(expr))?, vec![self.span(expr)])),
            },
            ExprKind::Call(function, arguments) if matches!(function.bare().kind, ExprKind::Name) => {
                let ([only], b"len" | b"bool") = (&arguments[..], self.text(function.bare().first)) else {
                    return None;
                };
                let (value, by) = self.asked(&only.value, ask)?;
                let is_length = self.text(function.bare().first) == b"len";
                let value = match value {
                    Asked::Items(count) if is_length => Asked::Int(i64::try_from(count).ok()?),
                    _ if is_length => return None,
                    value => Asked::Bool(value.is_true()),
                };
                Some((value, by))
            }
            _ => None,
        }
    }

    fn kind(&self, id: u32) -> Option<Kind> {
        Some(self.tokens.get(usize::try_from(id).ok()?)?.kind)
    }
}

fn compare(operator: Kind, left: &Asked, right: &Asked) -> Option<bool> {
    let is_whole = |value: &Asked| !matches!(value, Asked::Items(_));
    let are_whole = is_whole(left) && is_whole(right);
    Some(match (operator, left, right) {
        (Kind::Equal, ..) if are_whole => left == right,
        (Kind::NotEqual, ..) if are_whole => left != right,
        (Kind::Less, Asked::Int(left), Asked::Int(right)) => left < right,
        (Kind::LessEqual, Asked::Int(left), Asked::Int(right)) => left <= right,
        (Kind::Greater, Asked::Int(left), Asked::Int(right)) => left > right,
        (Kind::GreaterEqual, Asked::Int(left), Asked::Int(right)) => left >= right,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Asked, holds};
    use crate::source::{LineBreaks, Origin, Source, SourceMap, Span, Text, to_u32};

    #[test]
    fn conditions_are_decided_as_far_as_names_are_known() {
        let decided = |code: &str| {
            let sources = SourceMap::default();
            let source = Source::new("a.star", Text::from_bytes(code.into()), Origin::Memory, 0, LineBreaks::Plain);
            let id = sources.add(source);
            let ask = |span: Span| match sources.get(id).written(span)? {
                "v.on" => Some(Asked::Bool(true)),
                "v.off" => Some(Asked::Bool(false)),
                "v.count" => Some(Asked::Int(1)),
                "v.env" => Some(Asked::Text("dev".to_owned())),
                "v.hosts" => Some(Asked::Items(0)),
                _ => None,
            };
            let found = holds(&sources, Span::new(id, 0, to_u32(code.len())), &ask)?;
            let by: Vec<String> =
                found.by.iter().filter_map(|span| Some(sources.get(id).written(*span)?.to_owned())).collect();
            Some((found.is_true, by.join(" ")))
        };
        let is = |is_true: bool, by: &str| Some((is_true, by.to_owned()));
        assert_eq!(decided("v.off"), is(false, "v.off"));
        assert_eq!(decided("not v.on"), is(false, "v.on"));
        assert_eq!(decided("v.on and v.count > 1"), is(false, "v.count"));
        assert_eq!(decided("other and v.off"), is(false, "v.off"));
        assert_eq!(decided("other and v.on"), None);
        assert_eq!(decided("(v.off or v.env == \"prod\")"), is(false, "v.off v.env"));
        assert_eq!(decided("v.env != \"dev\""), is(false, "v.env"));
        assert_eq!(decided("len(v.hosts) > 0"), is(false, "v.hosts"));
        assert_eq!(decided("v.hosts"), is(false, "v.hosts"));
        assert_eq!(decided("f(v.off)"), None);
        assert_eq!(decided("True"), is(true, ""));
    }
}
