//! Functions of the user's own that look by `in` for an item of an array of YAML: `in` asks that for indexes, and finds the
//! item in a list made of it.

use super::cause::Cause;
use super::words::scalar_text;
use crate::diag::Diagnostic;
use crate::overlay::annotation::RightKind;
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::source::Span;
use crate::template::code::Replay;
use crate::yaml::{NodeId, Val};

/// Items that are marked.
const MARKED: usize = 2;

/// What `in` did not find.
#[derive(Default)]
struct Sought {
    /// The code of the arrays that were asked.
    arrays: Vec<Span>,
    /// The items that are equal to what was looked for.
    items: Vec<NodeId>,
}

impl Sought {
    fn add(&mut self, found: Vec<(Span, NodeId)>) {
        for (array, item) in found {
            if !self.arrays.contains(&array) {
                self.arrays.push(array);
            }
            if !self.items.contains(&item) {
                self.items.push(item);
            }
        }
    }
}

impl Scene<'_> {
    /// The same of a matcher that refused these items.
    pub(super) fn sought_by_matcher(&self, unmet: &Unmet, lefts: &[NodeId]) -> Option<Cause> {
        let (arena, argument) = (self.arena(), self.value_in(self.by_span()?));
        let replay = Replay::of(self.calls.sources(), &arena, argument)?;
        let mut sought = Sought::default();
        for (number, &left) in lefts.iter().enumerate() {
            let first = match unmet.kind {
                RightKind::MapItem => arena.key(left),
                _ => Val::Int(i64::try_from(number).unwrap_or_default()),
            };
            sought.add(replay.sought(&[first, arena.value(left), arena.value(unmet.right)]));
        }
        let (text, edit) = self.look_into_lists(&sought)?;
        let labels = self.refusals(unmet, lefts).into_iter().map(|(span, text)| (Some(span), text));
        let labels = labels.chain(self.items_sought(&sought).into_iter().map(|(span, text)| (Some(span), text)));
        Some(Cause { labels: labels.collect(), ..Cause::default() }.help(text, Some(edit)))
    }

    /// The same of a function of two values that refused them.
    pub(super) fn sought_in_values(&self, diagnostic: Diagnostic, via: Span, left: NodeId) -> Diagnostic {
        let arena = self.arena();
        let mut sought = Sought::default();
        if let Some(given) = self.values_given(left)
            && let Some(replay) = Replay::of(self.calls.sources(), &arena, self.value_in(via))
        {
            sought.add(replay.sought(&given));
        }
        let Some((text, (span, new))) = self.look_into_lists(&sought) else { return diagnostic };
        let labelled = self.items_sought(&sought).into_iter().fold(diagnostic, |told, (span, text)| {
            let is_known = told.parts().labels.iter().any(|label| label.span == span);
            if is_known { told } else { told.label(span, text) }
        });
        labelled.help_edit(text, span, new)
    }

    fn items_sought(&self, sought: &Sought) -> Vec<(Span, String)> {
        let arena = self.arena();
        let items = sought.items.iter().take(MARKED);
        let told = items.filter_map(|item| {
            Some((
                self.mark_left(&arena, *item)?,
                format!("{} is an item here, which `in` does not find", scalar_text(&arena, arena.value(*item))),
            ))
        });
        told.collect()
    }

    /// The help, and its edit of all places that were asked.
    fn look_into_lists(&self, sought: &Sought) -> Option<(String, (Span, String))> {
        let first = *sought.arrays.first()?;
        let mut arrays: Vec<Span> =
            sought.arrays.iter().copied().filter(|array| array.source == first.source).collect();
        arrays.sort_by_key(|array| array.start);
        let lists: Vec<(Span, String)> = arrays
            .iter()
            .map(|array| Some((*array, format!("list({})", self.written(*array)?))))
            .collect::<Option<_>>()?;
        let text = match &lists[..] {
            [(_, list)] => format!("`in` finds no items in an array of YAML: look into a list of it, `{list}`"),
            _ => "`in` finds no items in arrays of YAML: look into lists of them".to_owned(),
        };
        let source = self.calls.sources().get(first.source);
        Some((text, source.replaced(lists.iter().map(|(array, list)| (*array, &**list)))?))
    }
}
