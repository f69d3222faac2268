//! A function of people that refuses what an earlier overlay changed: asked once more with what was there before, it agrees.

use super::cause::Cause;
use super::functions::{CALLS, function_of};
use super::nearest::Fix;
use super::parts::{Path, path_text};
use super::renamed::Renamed;
use super::words::key_text;
use crate::diag::Diagnostic;
use crate::overlay::compare::is_part;
use crate::overlay::engine::Scene;
use crate::overlay::matcher::Test;
use crate::overlay::problem::Unmet;
use crate::quoted;
use crate::source::SourceId;
use crate::template::written;
use crate::yaml::{Arena, NodeId, Val};

/// Left items that are looked at.
const ITEMS: usize = 12;
/// Nodes of one left item that are looked at.
const NODES: usize = 500;

/// A value of a left item that was another one.
struct Former {
    left: NodeId,
    /// The way to what was changed in the left item.
    path: Path,
    item: NodeId,
    old: Val,
    /// The right item that changed it.
    by: NodeId,
}

impl Scene<'_> {
    /// The problem of a function that would have taken an item as it was before an overlay changed it.
    ///
    /// # Errors
    ///
    /// The problem as it was: nothing that was changed explains it.
    pub(super) fn by_former(&mut self, diagnostic: Diagnostic, unmet: &Unmet) -> Result<Diagnostic, Diagnostic> {
        let test = unmet.test.clone().filter(|test| function_of(test).is_some() && self.may_ask());
        let Some(test) = test else { return Err(diagnostic) };
        let lefts: Vec<NodeId> = {
            let arena = self.arena();
            unmet.lefts.iter().flat_map(|left| arena.items(*left)).copied().take(ITEMS).collect()
        };
        let changes = self.changes_of(&lefts);
        let Some(former) = self.taken_before(&test, unmet, &changes) else { return Err(diagnostic) };
        // An overlay that comes before another one meets nothing of what that one changes.
        let is_of_one =
            |other: &&Former| other.left == former.left && self.file_of(other.by) == self.file_of(former.by);
        let all: Vec<&Former> = changes.iter().filter(is_of_one).collect();
        let is_ordered = self
            .value_before(former.left, &all)
            .is_some_and(|value| self.would_take(&test, unmet, former.left, value).unwrap_or_default());
        let labels = self.refusals(unmet, &lefts).into_iter().map(|(span, text)| (Some(span), text));
        let cause = Cause { labels: labels.collect(), ..Cause::default() };
        Ok(self.tell_former(cause.told(diagnostic, self.by_span()), former, is_ordered))
    }

    /// All that earlier overlays changed in left items, as far as it is known.
    fn changes_of(&self, lefts: &[NodeId]) -> Vec<Former> {
        let Some(renames) = self.renames else { return Vec::new() };
        let mut renames = renames.borrow_mut();
        renames.extend(self.removed, self.rewritten);
        let (arena, mut found) = (self.arena(), Vec::new());
        for &left in lefts {
            let (mut open, mut seen) = (vec![(left, Path::new())], 0_usize);
            while let Some((item, path)) = open.pop().filter(|_| seen < NODES) {
                seen = seen.saturating_add(1);
                let former = renames.former(&arena, item).into_iter();
                found.extend(former.map(|(old, by)| Former { left, path: path.clone(), item, old, by }));
                if let Val::Node(container) = arena.value(item) {
                    let items = arena.items(container).iter().enumerate().take(NODES);
                    open.extend(items.map(|(at, inner)| (*inner, [&path[..], &[(*inner, at)]].concat())));
                }
            }
        }
        found.truncate(CALLS);
        found
    }

    /// The first change without which the matcher takes its item.
    fn taken_before<'c>(&mut self, test: &Test, unmet: &Unmet, changes: &'c [Former]) -> Option<&'c Former> {
        changes.iter().find(|former| {
            let value = self.value_before(former.left, &[former]);
            value.is_some_and(|value| self.would_take(test, unmet, former.left, value).unwrap_or_default())
        })
    }

    /// A copy of what a left item is, without these changes; of several of one place the last one counts.
    fn value_before(&self, left: NodeId, changes: &[&Former]) -> Option<Val> {
        let mut arena = self.calls.arena().borrow_mut();
        let whole = arena.value(left);
        let mut copy = arena.copy_val(whole).ok()?;
        for former in changes {
            let old = arena.copy_val(former.old).ok()?;
            if former.path.is_empty() {
                copy = old;
            } else if let Some(there) = at(&arena, copy, &former.path) {
                arena.set_value(there, old);
            }
        }
        Some(copy)
    }

    /// Whether a matcher takes a left item that has another value; `None` if that is not known.
    fn would_take(&mut self, test: &Test, unmet: &Unmet, left: NodeId, value: Val) -> Option<bool> {
        match test {
            Test::All => Some(true),
            Test::Function(function) => self.ask(*function, unmet, left, value).ok(),
            Test::Subset(target) => {
                let wanted = self.target_nodes(&mut target.clone())?;
                Some(is_part(&self.arena(), value, wanted))
            }
            Test::And(tests) => {
                tests.iter().try_fold(true, |all, test| Some(all && self.would_take(test, unmet, left, value)?))
            }
            Test::Or(tests) => {
                tests.iter().try_fold(false, |any, test| Some(any || self.would_take(test, unmet, left, value)?))
            }
            _ => None,
        }
    }

    fn file_of(&self, right: NodeId) -> Option<SourceId> {
        Some(self.arena().span_of(right)?.source)
    }

    fn tell_former(&self, diagnostic: Diagnostic, former: &Former, is_ordered: bool) -> Diagnostic {
        let arena = self.arena();
        let path = path_text(&arena, &former.path);
        let shown = if path.is_empty() { "this".to_owned() } else { format!("`{path}`") };
        let path = if path.is_empty() { "this".to_owned() } else { path };
        let (old, new) = (former.old, arena.value(former.item));
        let is_scalar = |value: Val| !matches!(value, Val::Node(_) | Val::Raw(_));
        let texts = (is_scalar(old) && is_scalar(new)).then(|| (key_text(&arena, old), key_text(&arena, new)));
        let ordered =
            |told: Diagnostic, renamed: &Renamed| if is_ordered { self.tell_order(told, renamed) } else { told };
        let Some((old, new)) = texts else {
            let text = format!("{shown} is changed here, before this overlay");
            let told = diagnostic.label_at(self.mark(&arena, former.by), text);
            return ordered(told, &self.change_of(&arena, former.by, &path, ("", "")));
        };
        let renamed = self.change_of(&arena, former.by, &path, (&old, &new));
        let place = renamed.made_at().or_else(|| self.mark(&arena, former.by));
        let told = diagnostic.label_at(place, format!("{shown} is changed here, from `{old}` to `{new}`"));
        let literal = self.by_span().and_then(|by| {
            let whole = written::string(self.calls.sources(), by, &old);
            whole.or_else(|| written::string(self.calls.sources(), self.returned(by)?, &old))
        });
        let fix = literal.map(|span| Fix::meant(span, &new, quoted::starlark(&new)));
        let is_or = if is_ordered { "or " } else { "" };
        if renamed.is_made() {
            return self.tell_made(ordered(told, &renamed), &renamed, fix.as_ref(), is_or);
        }
        match fix.map(|fix| self.as_renamed(&arena, fix, (&old, &new), former.by)) {
            Some(fix) => ordered(told.help_edit(fix.text, fix.span, fix.new).if_it_mends(), &renamed),
            None => ordered(told, &renamed).help(format!("{is_or}match what `{path}` is by then: `{new}`")),
        }
    }
}

/// The item at a path in a copy of the value in which it is known.
fn at(arena: &Arena, value: Val, path: &Path) -> Option<NodeId> {
    let (mut value, mut item) = (value, None);
    for (_, number) in path {
        let Val::Node(container) = value else { return None };
        let found = arena.item_at(container, *number)?;
        (value, item) = (arena.value(found), Some(found));
    }
    item
}
