//! Warnings: what has no effect, or another one than it seems.

use super::annotation::{CHILD_DEFAULTS, MATCH, Operation};
use super::engine::Engine;
use crate::diag::{Code, Diagnostic, Severity};
use crate::yaml::{ArgId, Body, NodeId, Val};

impl Engine<'_> {
    /// Warns of arguments that are ignored: positional ones, and all of operations that take none.
    pub(super) fn warn_of_arguments(&mut self, node: NodeId, operation: Operation) {
        let annotations = self.arena().anns_of(node).clone();
        for annotation in annotations.iter() {
            let Some(name) = annotation.name.strip_prefix("overlay/") else {
                continue;
            };
            if matches!(annotation.args, ArgId::MISSING_OK | ArgId::OR_ADD) || self.warned.contains(&annotation.pos) {
                continue;
            }
            let args = self.calls.args(annotation.args);
            let takes_none = matches!(name, "merge" | "remove" | "append");
            let given = if takes_none { args.named.len() } else { 0 } + args.positional.len();
            let known = [MATCH, CHILD_DEFAULTS].contains(&&*annotation.name)
                || takes_none
                || *annotation.name == *operation.name();
            if given == 0 || !known {
                continue;
            }
            self.warned.insert(annotation.pos);
            let text = if takes_none {
                format!("@overlay/{name} takes no arguments; they are ignored")
            } else {
                format!("@overlay/{name} takes keyword arguments only; the others are ignored")
            };
            let place = self.arena().place(annotation.pos).copied();
            let mut warning =
                Diagnostic::warning(Code::OVERLAY_UNUSED_ARGUMENT, text).at(place.map(|place| place.value()));
            if name == "match" && !args.positional.is_empty() && args.named.is_empty() {
                warning = warning.help("write by=… in front of the matcher");
            }
            self.calls.warn(warning);
        }
    }

    /// Warns of a replaced map item that got another key.
    pub(super) fn warn_renamed(&mut self, old: NodeId, new: NodeId, by: bool, matches: usize) {
        if !by || matches != 1 {
            return;
        }
        let arena = self.arena();
        let (old_key, new_key) = (arena.key(old), arena.key(new));
        if !matches!(arena.get(new).body, Body::MapItem(..)) || arena.same(old_key, new_key) {
            return;
        }
        let text = format!(
            "@overlay/replace renames the key {} to {}",
            super::report::scalar_text(&arena, old_key),
            super::report::scalar_text(&arena, new_key)
        );
        let mut warning = Diagnostic::warning(Code::OVERLAY_RENAMED_KEY, text).at(arena.span_of(new));
        if let Some(span) = arena.span_of(old) {
            warning = warning.label(span, "this key is replaced");
        }
        drop(arena);
        self.calls.warn(warning.help("@overlay/merge keeps the key"));
    }

    /// Tells, on request, of annotations inside of an item that is added whole.
    pub(super) fn warn_not_evaluated(&mut self, node: NodeId) {
        let arena = self.arena();
        let mut open = match arena.value(node) {
            Val::Node(value) => vec![(value, 0)],
            _ => return,
        };
        let mut first = None;
        while let Some((id, depth)) = open.pop() {
            let annotated = arena.anns_of(id).iter().find(|annotation| {
                annotation.name.starts_with("overlay/") && !matches!(annotation.args, ArgId::MISSING_OK | ArgId::OR_ADD)
            });
            if let Some(annotation) = annotated {
                first = Some(annotation.clone());
                break;
            }
            if depth < arena.depth() {
                match arena.value(id) {
                    Val::Node(inner) if inner != id => open.push((inner, depth)),
                    _ => open.extend(arena.items(id).iter().rev().map(|&item| (item, depth + 1))),
                }
            }
        }
        let Some(annotation) = first else {
            return;
        };
        let allowed = matches!(&*annotation.name, CHILD_DEFAULTS) || {
            let missing_ok = self.calls.args(annotation.args);
            *annotation.name == *MATCH && missing_ok.named.iter().all(|(name, _)| &**name == "missing_ok")
        };
        if allowed || self.warned.contains(&annotation.pos) {
            return;
        }
        let text = format!("@{} is not evaluated: the item around it is added whole", annotation.name);
        let place = arena.place(annotation.pos).copied();
        let mut warning = Diagnostic::new(Severity::Hint, Code::OVERLAY_NOT_EVALUATED, text).at(place.map(|p| p.key()));
        if let Some(span) = arena.span_of(node) {
            warning = warning.label(span, "matched nothing, so it is added");
        }
        drop(arena);
        self.warned.insert(annotation.pos);
        self.calls.warn(warning);
    }
}
