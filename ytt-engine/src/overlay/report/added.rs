//! A function of `via` that adds two fragments, which have no `+`: what does the same.

use crate::diag::{Diagnostic, Fact};
use crate::overlay::annotation::CHILD_DEFAULTS;
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::written;
use crate::yaml::{Arena, Body, NodeId, Val};

impl Scene<'_> {
    /// Helps where `left + right` of maps or lists failed. `parameters` are those of the function, where they are known.
    pub(super) fn added(
        &self,
        diagnostic: Diagnostic,
        (left, right): (NodeId, NodeId),
        annotation: &str,
        parameters: &[String],
    ) -> Diagnostic {
        let arena = self.arena();
        let place = diagnostic.parts().labels.first().map(|label| label.span);
        if let (Some(method), Some(place)) = (changing_method(&diagnostic), place) {
            let diagnostic = match method {
                "update" if is_map(&arena, arena.value(left)) && is_map(&arena, arena.value(right)) => {
                    return self.merged(diagnostic, &arena, (left, right), annotation);
                }
                "append" | "extend" if is_array(&arena, arena.value(left)) => diagnostic,
                _ => return diagnostic,
            };
            return self.grown(diagnostic, place, method);
        }
        let Some(kinds) = added_kinds(&diagnostic) else { return diagnostic };
        let operands = place.and_then(|place| written::operands(self.calls.sources(), place));
        let Some([first, second]) = operands else { return diagnostic };
        // Which values are added is known of the parameters alone.
        let value = |operand: Span, kind: &str| {
            if kind == "list" {
                return Some(None);
            }
            let name = self.written(operand)?;
            let number = parameters.iter().position(|known| *known == name)?;
            let item = [left, right].get(number).copied()?;
            Some(Some(arena.value(item)))
        };
        let values = [(first, &kinds.0), (second, &kinds.1)].map(|(operand, kind)| value(operand, kind));
        match values {
            [Some(first_value), Some(second_value)]
                if [first_value, second_value].into_iter().flatten().all(|value| is_array(&arena, value)) =>
            {
                let list = |operand: Span, kind: &str| {
                    let code = self.written(operand).unwrap_or_default();
                    if kind == "list" { code } else { format!("list({code})") }
                };
                let new = format!("{} + {}", list(first, &kinds.0), list(second, &kinds.1));
                let span = Span { end: second.end, ..first };
                let text = "only lists have `+`: make lists of what YAML gives";
                diagnostic.help_edit(text, span, new).if_it_mends()
            }
            [Some(Some(first)), Some(Some(second))] if is_map(&arena, first) && is_map(&arena, second) => {
                self.merged(diagnostic, &arena, (left, right), annotation)
            }
            _ => diagnostic
                .help("fragments have no `+`: make lists of them by `list(…)`, or merge maps by leaving out `via`"),
        }
    }

    /// The edit of a lambda that calls a method of lists which changes them.
    fn grown(&self, diagnostic: Diagnostic, place: Span, method: &str) -> Diagnostic {
        let text = "what YAML gives is not changed by methods: add to a list of it, and return that";
        let edit = || {
            let sources = self.calls.sources();
            let arguments = written::call(sources, place)?;
            let [only] = &arguments[..] else { return None };
            let of = self.written(written::callee(sources, place)?)?;
            let (of, item) = (of.strip_suffix(method)?.strip_suffix('.')?, self.written(only.value)?);
            let more = if method == "append" { format!("[{item}]") } else { format!("list({item})") };
            Some(format!("list({of}) + {more}"))
        };
        match edit() {
            // In a `def` the list has to be returned, too.
            Some(new) => diagnostic.help_edit(text, place, new).if_it_mends(),
            None => diagnostic.help(text),
        }
    }

    /// The edit that merges a map in place of replacing it by what a function gives.
    fn merged(
        &self,
        diagnostic: Diagnostic,
        arena: &Arena,
        (left, right): (NodeId, NodeId),
        annotation: &str,
    ) -> Diagnostic {
        let adds_keys = !self.has_all(arena, arena.value(left), arena.value(right), 0);
        let defaults = format!("#@{CHILD_DEFAULTS} missing_ok=True");
        let text = match adds_keys {
            true => format!("maps are merged without `via`; `{defaults}` in its place lets new keys be added"),
            false => "maps are merged without `via`: leave the annotation out".to_string(),
        };
        let whole = arena.ann(right, annotation).and_then(|ann| self.whole_annotation(arena, ann));
        let whole = whole.filter(|_| arena.ann(right, CHILD_DEFAULTS).is_none());
        let edit = whole.and_then(|whole| {
            if adds_keys {
                return Some((whole, defaults.clone()));
            }
            Some((self.calls.sources().get(whole.source).lines_of(whole)?, String::new()))
        });
        match edit {
            Some((span, new)) => diagnostic.help_edit(text, span, new),
            None => diagnostic.help(text),
        }
    }
}

/// The method of lists or dicts that a fragment was asked for.
fn changing_method(diagnostic: &Diagnostic) -> Option<&'static str> {
    let Some(Fact::NoMember { kind, name, .. }) = &diagnostic.parts().fact else { return None };
    let known = ["append", "extend", "update"].into_iter().find(|known| known == name);
    known.filter(|_| kind == "yamlfragment")
}

/// The types of the two operands of a `+` that has a fragment among them, and no other value than lists.
fn added_kinds(diagnostic: &Diagnostic) -> Option<(String, String)> {
    let Some(Fact::Operands { operator, left, right }) = &diagnostic.parts().fact else { return None };
    let kinds = [left.as_str(), right.as_str()];
    let is_added = operator == "+" && kinds.contains(&"yamlfragment");
    (is_added && kinds.iter().all(|kind| ["yamlfragment", "list"].contains(kind)))
        .then(|| (left.clone(), right.clone()))
}

fn is_array(arena: &Arena, value: Val) -> bool {
    matches!(value, Val::Node(node) if matches!(arena.get(node).body, Body::Array(_)))
}

fn is_map(arena: &Arena, value: Val) -> bool {
    matches!(value, Val::Node(node) if matches!(arena.get(node).body, Body::Map(_)))
}
