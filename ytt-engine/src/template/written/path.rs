//! A name with what is read of it: `data.values.users[0].name`.

use super::{Single, call, callee, operands, read, receiver};
use crate::source::{SourceMap, Span};
use crate::template::scan::literal;
use crate::template::token::Kind;
use crate::template::tree::{Clause, Expr, ExprKind};

/// A name, and the steps from its value to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CodePath {
    pub(crate) root: Span,
    pub(crate) steps: Vec<CodeStep>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CodeStep {
    /// `.name` or `["name"]`.
    Key(String),
    Index(usize),
    /// An index that is computed: any item.
    Any,
}

/// The path that code is; `None` of other code.
pub(crate) fn path(sources: &SourceMap, code: Span) -> Option<CodePath> {
    let written = read(sources, code)?;
    let (mut at, mut steps) = (written.root.bare(), Vec::new());
    loop {
        match &at.kind {
            ExprKind::Name => break,
            ExprKind::Dot(value, name) => {
                steps.push(CodeStep::Key(String::from_utf8_lossy(written.text(*name)).into_owned()));
                at = value.bare();
            }
            ExprKind::Index(parts) => {
                let [value, index] = &**parts;
                steps.push(written.step(index));
                at = value.bare();
            }
            _ => return None,
        }
    }
    steps.reverse();
    Some(CodePath { root: written.span(at), steps })
}

/// Whether a text is names with dots between, as far as its characters tell: `data.values.app`.
pub(crate) fn is_dotted(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte))
}

/// The longest paths in code that stand for values: `a.b` and `c` of `f(a.b) > c.strip()`.
pub(crate) fn paths(sources: &SourceMap, code: Span) -> Vec<Span> {
    let mut found = Vec::new();
    if let Some(written) = read(sources, code) {
        written.paths(&written.root, &mut found);
    }
    found
}

/// The keys of a dict, or the items of a list or tuple, that is written out with nothing but texts.
pub(crate) fn choices(sources: &SourceMap, code: Span) -> Option<Vec<String>> {
    let written = read(sources, code)?;
    let text = |expr: &Expr| match written.step(expr) {
        CodeStep::Key(text) => Some(text),
        _ => None,
    };
    match &written.root.bare().kind {
        ExprKind::Dict(parts) => parts.iter().step_by(2).map(text).collect(),
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().map(text).collect(),
        _ => None,
    }
}

/// What a call passes on as it is, or the first of `x or []`: the code that its items come from.
pub(crate) fn passed_on(sources: &SourceMap, code: Span) -> Option<Span> {
    const FUNCTIONS: [&str; 3] = ["list", "tuple", "struct.decode"];
    let text = |span: Span| sources.get(span.source).written(span).unwrap_or_default().to_owned();
    if let Some([first, second]) = operands(sources, code) {
        let between = text(Span { start: first.end, end: second.start, ..first });
        return (between.trim_matches([' ', '(', ')']) == "or").then_some(first);
    }
    let function = text(callee(sources, code)?);
    let first = call(sources, code)?.first().map(|argument| argument.value)?;
    FUNCTIONS.contains(&function.as_str()).then_some(first)
}

/// What `enumerate(x)`, `sorted(x)`, `x.items()` or `x.values()` goes over, and whether an item of that is the second of
/// two values, or the only one.
pub(crate) fn series(sources: &SourceMap, code: Span) -> Option<(Span, bool)> {
    let text = |span: Span| sources.get(span.source).written(span).unwrap_or_default().to_owned();
    let function = text(callee(sources, code)?);
    match function.rsplit('.').next()? {
        "enumerate" => Some((call(sources, code)?.first()?.value, true)),
        "sorted" | "reversed" => Some((call(sources, code)?.first()?.value, false)),
        "items" => Some((receiver(sources, code)?, true)),
        "values" => Some((receiver(sources, code)?, false)),
        _ => None,
    }
}

/// What `[x for x in y if …]` takes its items from as they are.
pub(crate) fn kept(sources: &SourceMap, code: Span) -> Option<Span> {
    let written = read(sources, code)?;
    let ExprKind::Comprehension(comprehension) = &written.root.bare().kind else { return None };
    let [Clause::For(vars, over), rest @ ..] = &comprehension.clauses[..] else { return None };
    let [item] = &comprehension.body[..] else { return None };
    let is_name = |expr: &Expr| matches!(expr.kind, ExprKind::Name);
    let is_same = is_name(vars) && is_name(item) && written.text(vars.first) == written.text(item.first);
    let is_filter = rest.iter().all(|clause| matches!(clause, Clause::If(_)));
    (is_same && is_filter).then(|| written.span(over))
}

/// What stands in front of all brackets: `f(x)` of `f(x)["a"][0]`.
pub(crate) fn in_front(sources: &SourceMap, code: Span) -> Option<Span> {
    let written = read(sources, code)?;
    let mut at = written.root.bare();
    while let ExprKind::Index(parts) = &at.kind {
        let [value, _] = &**parts;
        at = value.bare();
    }
    Some(written.span(at))
}

impl Single {
    fn paths(&self, expr: &Expr, found: &mut Vec<Span>) {
        match &expr.kind {
            ExprKind::Name => found.push(self.span(expr)),
            ExprKind::Dot(..) | ExprKind::Index(_) if self.is_path(expr) => found.push(self.span(expr)),
            ExprKind::Call(function, arguments) => {
                // A method works with what stands in front of it.
                if let ExprKind::Dot(value, _) = &function.kind {
                    self.paths(value, found);
                }
                arguments.iter().for_each(|argument| self.paths(&argument.value, found));
            }
            kind => kind.each_part(|part| self.paths(part, found)),
        }
    }

    fn is_path(&self, expr: &Expr) -> bool {
        match &expr.bare().kind {
            ExprKind::Name => true,
            ExprKind::Dot(value, _) => self.is_path(value),
            ExprKind::Index(parts) => {
                let [value, _] = &**parts;
                self.is_path(value)
            }
            _ => false,
        }
    }

    fn step(&self, index: &Expr) -> CodeStep {
        let token = self.text(index.first);
        let at = usize::try_from(index.first).ok();
        let kind = at.and_then(|at| self.tokens.get(at)).map(|token| token.kind);
        match (&index.kind, kind) {
            (ExprKind::Literal, Some(Kind::Str)) => {
                CodeStep::Key(String::from_utf8_lossy(&literal(token)).into_owned())
            }
            (ExprKind::Literal, _) => {
                let number = std::str::from_utf8(token).ok().and_then(|text| text.parse().ok());
                number.map_or(CodeStep::Any, CodeStep::Index)
            }
            _ => CodeStep::Any,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, Source, SourceId, Text};

    #[test]
    fn paths_are_found_in_code() {
        for (text, expected) in [
            ("name not in PLANS", "name PLANS"),
            ("len(a.b) > 2 and not c[\"d\"].startswith(e)", "a.b c[\"d\"] e"),
            ("f(x)[0].a == g.h", "x g.h"),
            ("[y for y in z]", "y y z"),
        ] {
            let sources = SourceMap::default();
            sources.add(Source::new("a", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml));
            let found = paths(&sources, Span::new(SourceId(0), 0, text.len() as u32));
            let source = sources.get(SourceId(0));
            let found: Vec<&str> = found.into_iter().filter_map(|span| source.written(span)).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn paths_begin_with_a_name() {
        for (text, expected) in [
            ("a", Some("a")),
            ("a.b[\"c d\"].e", Some("a .b .c d .e")),
            ("(a.b)[0][i]", Some("a .b [0] [?]")),
            ("f(a).b", None),
            ("a.b()", None),
            ("a[1:]", None),
            ("a + b", None),
        ] {
            let sources = SourceMap::default();
            sources.add(Source::new("a", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml));
            let found = path(&sources, Span::new(SourceId(0), 0, text.len() as u32)).map(|path| {
                let root = sources.get(SourceId(0)).written(path.root).unwrap_or_default().to_owned();
                path.steps.iter().fold(root, |text, step| match step {
                    CodeStep::Key(key) => format!("{text} .{key}"),
                    CodeStep::Index(index) => format!("{text} [{index}]"),
                    CodeStep::Any => format!("{text} [?]"),
                })
            });
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
