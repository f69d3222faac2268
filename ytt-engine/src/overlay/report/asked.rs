//! A matcher's function that asks a number for a method of texts, where the other items have texts there.

use super::nearest::COMPARISONS;
use crate::diag::{Diagnostic, Fact};
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::methods;
use crate::template::written::{self, CodeStep};
use crate::yaml::{NodeId, Val};

impl Scene<'_> {
    /// Quotes what the function is given where it is the only one that is no text, or makes a text of it in the function.
    pub(super) fn asked_for_text(&self, told: Diagnostic, by: Option<Span>, item: NodeId) -> Diagnostic {
        let Some(Fact::NoMember { kind, name, .. }) = &told.parts().fact else { return told };
        let is_of_texts = methods::of_kind("string").any(|method| method == name);
        if !is_of_texts || !matches!(kind.as_str(), "int" | "float" | "bool") {
            return told;
        }
        let sources = self.calls.sources();
        let code = told.parts().labels.first().map(|label| label.span);
        let code = code.map(|code| written::callee(sources, code).unwrap_or(code));
        let Some((code, path)) = code.and_then(|code| Some((code, written::path(sources, code)?))) else { return told };
        let [keys @ .., CodeStep::Key(last)] = &path.steps[..] else { return told };
        let parameters = self.parameters_around(code, by);
        let is_left = parameters.len() == 3
            && parameters.get(1).is_some_and(|left| self.written(path.root).as_ref() == Some(left));
        let Some(of) = written::receiver(sources, code).filter(|_| is_left && last == &*name) else { return told };
        let arena = self.arena();
        let at = |item: NodeId| {
            keys.iter().try_fold(item, |item, step: &CodeStep| match (step, arena.value(item)) {
                (CodeStep::Key(key), value) => arena.find_str(arena.map_of(value)?, key),
                (CodeStep::Index(number), Val::Node(list)) => arena.item_at(list, *number),
                _ => None,
            })
        };
        let is_text = |item: NodeId| arena.str(arena.value(item)).is_some();
        let around =
            self.trail.iter().rev().nth(1).and_then(|step| step.matched).map(|around| arena.value(around.item));
        let list = if let Some(Val::Node(list)) = around { arena.items(list) } else { &[] };
        let others = list.iter().filter(|other| **other != item).take(COMPARISONS);
        let others: Vec<NodeId> = others.filter_map(|other| at(*other)).collect();
        // A schema decides what a data value is.
        let is_odd = !self.exact && !others.is_empty() && others.into_iter().all(is_text);
        let wrong = at(item).filter(|_| is_odd);
        let place = wrong.and_then(|item| arena.place_of(item)).map(|place| place.value());
        let text = place.and_then(|place| self.written(place)).filter(|text| {
            let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+_".contains(&byte));
            !text.is_empty() && is_plain
        });
        let told = match place.zip(text) {
            Some((place, text)) => {
                let help = "the others there are texts: write it in quotes, as one";
                told.help_edit(help, place, format!("\"{text}\"")).guessing()
            }
            None => told,
        };
        let code = self.written(of).unwrap_or_default();
        told.help_edit("make a text of it before it is asked", of, format!("str({code})")).guessing()
    }
}
