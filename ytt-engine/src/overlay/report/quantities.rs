//! A function of an annotation that takes a unit off a quantity, and is given one with another unit.

use super::nearest::COMPARISONS;
use crate::diag::{Diagnostic, Fact, Label};
use crate::nearest::only;
use crate::overlay::engine::Scene;
use crate::template::unit::{self, OtherUnit, TakenOff};
use crate::template::written;
use crate::yaml::{NodeId, Val};

impl Scene<'_> {
    /// Says what the quantity is in the unit that the function reads, where one of these items alone has it.
    pub(super) fn in_other_unit(&self, told: Diagnostic, given: [Option<NodeId>; 2]) -> Diagnostic {
        let Some(Fact::NoNumber { text }) = told.parts().fact.clone() else { return told };
        let sources = self.calls.sources();
        let place = told.parts().labels.first().map(|label| label.span);
        let argument = place.and_then(|call| Some(written::call(sources, call)?.first()?.value));
        let Some(TakenOff { unit, .. }) = argument.and_then(|argument| unit::taken_off(sources, argument)) else {
            return told;
        };
        let Some(OtherUnit { new, write_it, read_it }) = OtherUnit::of(&text, &unit) else { return told };
        let arena = self.arena();
        let (mut open, mut found): (Vec<NodeId>, Vec<NodeId>) = (given.into_iter().flatten().collect(), Vec::new());
        for _ in 0..COMPARISONS {
            let Some(item) = open.pop() else { break };
            match arena.value(item) {
                Val::Node(below) => open.extend(arena.items(below)),
                value if arena.str(value) == Some(&*text) => found.push(item),
                _ => {}
            }
        }
        let item = only(found).and_then(|item| arena.place_of(item)).map(|place| place.value());
        let told = match (item.and_then(|value| unit::within(sources, value, &text)), new) {
            (Some(place), Some(new)) => {
                let source = sources.get(place.source);
                let is_shown = told.parts().labels.iter().any(|label| {
                    label.span.source == place.source && source.line(label.span.start) == source.line(place.start)
                });
                let label = Label { span: place, text: format!("`{text}` is written here") };
                told.help_edit(write_it, place, new).guessing().beside_help((!is_shown).then_some(label))
            }
            _ => told.help(write_it),
        };
        told.help(read_it)
    }
}
