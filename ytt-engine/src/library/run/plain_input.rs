//! Plain files that are given as templates, and were probably meant to set data values.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::{Addressed, Evaluated, Given, Input, Run, Use};
use crate::diag::{Advice, Code, Diagnostic, Diagnostics};
use crate::eval::Root;
use crate::files::File;
use crate::source::Span;
use crate::template::{outline, plain};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Declarations that are shown.
const SHOWN: usize = 4;
/// Files that are looked at where values break rules.
const LOOKED: usize = 50;

impl Run<'_, '_, '_, '_, '_> {
    /// A file for output without code that has nothing but keys of data values was probably meant to set them.
    pub(super) fn warn_of_values(&self, results: &[Evaluated], values: NodeId) {
        let state = self.session.state();
        let arena = state.arena.borrow();
        let Val::Node(declared) = arena.value(values) else { return };
        // Looked at only where a file has no code.
        let known: LazyCell<HashMap<&str, NodeId>, _> = LazyCell::new(|| {
            let items = arena.items(declared).iter();
            items.filter_map(|item| Some((arena.str(arena.key(*item))?, *item))).collect()
        });
        for result in results {
            let Some(set) = result.documents() else { continue };
            self.warn_of_values_in(&result.file, set, &arena, &|key| known.get(key).copied());
        }
    }

    /// The same where values break rules, so that nothing is evaluated: they may be those that such a file was to set.
    pub(super) fn warn_of_values_beside(&mut self, inputs: &mut [Input], values: NodeId) {
        let state = self.session.state();
        let data = state.arena.borrow().value(values);
        let has_code = |input: &Input| {
            let source = state.sources.get(input.unit.source);
            source.text.as_str().is_none_or(|text| text.contains("#@") || text.contains("(@"))
        };
        let plain: Vec<usize> = (0..)
            .zip(inputs.iter())
            .filter(|(_, input)| input.used == Use::Output && input.prepared.is_some() && !has_code(input))
            .map(|(at, _)| at)
            .take(LOOKED)
            .collect();
        let nobody = Arc::new(Addressed::new(Given::default()));
        for at in plain {
            let Some(input) = inputs.get_mut(at) else { continue };
            let Ok((Root::Documents(set), _)) = self.evaluate_file(input, data, &nobody) else { continue };
            let state = self.session.state();
            let arena = state.arena.borrow();
            let Val::Node(declared) = data else { return };
            let known = |key: &str| arena.find_str(declared, key);
            self.warn_of_values_in(&input.found.file, set, &arena, &known);
        }
    }

    /// The same where overlays for all documents fail, since such a file is none of what they are for.
    pub(super) fn with_plain_input(
        &self,
        results: &[Evaluated],
        values: NodeId,
        mut problems: Diagnostics,
    ) -> Diagnostics {
        let state = self.session.state();
        let arena = state.arena.borrow();
        let Val::Node(declared) = arena.value(values) else { return problems };
        // Programs see the first problem only.
        let is_report = state.trying.get() == 0;
        for problem in problems.0.iter_mut().filter(|_| is_report) {
            let left_out =
                problem.parts().helps.iter().position(|help| matches!(help.advice, Some(Advice::LeaveOut(_))));
            let Some(at) = left_out else { continue };
            let is_here = |span: Span| problem.parts().labels.iter().any(|label| label.span == span);
            let mut sets = results.iter().filter_map(Evaluated::documents);
            let known = |key: &str| arena.find_str(declared, key);
            let Some(plain) = sets.find_map(|set| self.plain(set, &arena, &known).filter(|plain| is_here(plain.first)))
            else {
                continue;
            };
            let mut told = problem.clone();
            // Without the file its values would be missing; one scalar may have the name of a data value by chance.
            if plain.is_telling {
                told.parts_mut().helps.remove(at);
            }
            for (key, place) in plain.declared {
                told = told.label(place, format!("`{key}` is a data value"));
            }
            let text = "to set data values, annotate the document of that file with `#@data/values`";
            if let Some((span, new)) = plain.edit {
                told = told.help_edit(text, span, new).guessing();
            }
            let is_first = told.parts().helps.is_empty();
            let why = if is_first { "to set data values, give that file" } else { "or give that file" };
            *problem = told.advise(Advice::GiveValuesFile { why });
        }
        problems
    }

    fn warn_of_values_in(&self, file: &File, set: NodeId, arena: &Arena, known: &dyn Fn(&str) -> Option<NodeId>) {
        let Some(plain) = self.plain(set, arena, known).filter(|plain| plain.is_telling) else { return };
        let message = format!("`{}` sets no data values: it is a document of the output", file.path);
        let warning = Diagnostic::warning(Code::VALUES_PLAIN_INPUT, message)
            .label(plain.first, "all keys of this file are data values");
        let sources = &self.session.state().sources;
        let told = |place: Span| match outline::is_in_schema(&sources.get(place.source), place) {
            true => "declared here",
            false => "set here",
        };
        let warning = plain.declared.into_iter().fold(warning, |warning, (_, place)| warning.label(place, told(place)));
        let help = "to set them, annotate its document with `#@data/values`";
        self.session.state().warn(match plain.edit {
            Some((span, new)) => warning
                .help_edit(help, span, new)
                .advise(Advice::GiveValuesFile { why: "or, instead of as an input, give the file" }),
            None => warning.advise(Advice::GiveValuesFile { why: "to set them, give the file" }),
        });
    }

    /// The one document of a file without code that has nothing but keys of data values.
    fn plain(&self, set: NodeId, arena: &Arena, known: &dyn Fn(&str) -> Option<NodeId>) -> Option<Plain> {
        let [document] = arena.items(set) else { return None };
        let is_map = |value: Val| matches!(value, Val::Node(id) if matches!(arena.get(id).body, Body::Map(_)));
        let Val::Node(map) = arena.value(*document) else { return None };
        let items = arena.items(map);
        let first = items.first().and_then(|item| arena.span_of(*item))?;
        let source = self.session.state().sources.get(first.source);
        let has_code = source.text.as_str().is_none_or(|text| text.contains("#@") || text.contains("(@"));
        let is_known = |item: &NodeId| arena.str(arena.key(*item)).and_then(known).is_some();
        if !is_map(arena.value(*document)) || has_code || !items.iter().all(is_known) {
            return None;
        }
        let keys = items.iter().filter_map(|item| arena.str(arena.key(*item)));
        let declared = keys.filter_map(|key| Some((key.to_owned(), arena.span_of(known(key)?)?)));
        Some(Plain {
            first,
            // One scalar may have the name of a data value by chance.
            is_telling: items.len() > 1 || items.iter().any(|item| is_map(arena.value(*item))),
            declared: declared.take(SHOWN).collect(),
            edit: plain::annotated(&source, first),
        })
    }
}

/// A file of data values that is given as a template.
struct Plain {
    /// Its first key.
    first: Span,
    is_telling: bool,
    /// Keys, and where they are declared.
    declared: Vec<(String, Span)>,
    /// What makes data values of it.
    edit: Option<(Span, &'static str)>,
}
