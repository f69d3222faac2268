//! A matcher that a function of the user's own makes, whose call has its arguments in another order than the function
//! takes them.
//!
//! Which order is meant only a render tells: each other one is tried.

use super::junction;
use crate::diag::{Diagnostic, Help, Label};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::source::{SourceId, Span, to_u32};
use crate::template::code::{Binder, FileCode, Function};
use crate::template::snippet::ArgumentRole;
use crate::template::written::{self, Argument};

/// The other orders of two and of three arguments.
const PAIR: [&[usize]; 1] = [&[1, 0]];
const TRIPLE: [&[usize]; 5] = [&[1, 0, 2], &[2, 1, 0], &[0, 2, 1], &[1, 2, 0], &[2, 0, 1]];

impl Scene<'_> {
    /// The helps that give the arguments in another order to the function that makes a matcher which takes nothing.
    pub(super) fn other_orders(&self, unmet: &Unmet) -> Vec<Help> {
        let is_open = unmet.found.is_empty() && unmet.test.is_some() && !self.calls.is_tried();
        is_open.then(|| self.orders()).flatten().unwrap_or_default()
    }

    fn orders(&self) -> Option<Vec<Help>> {
        let sources = self.calls.sources();
        let value = self.value_in(self.by_span()?);
        let value = match junction::bound(sources, value) {
            Some((_, Binder::Value(value))) => value,
            _ => value,
        };
        // One of several matchers is made in the same way.
        let inner = written::call(sources, value)?.into_iter().map(|argument| argument.value);
        let (call, function) =
            std::iter::once(value).chain(inner).find_map(|call| Some((call, self.own_function(call)?)))?;
        let given = written::call(sources, call)?;
        let by_place: Vec<Argument> = given.iter().copied().take_while(|one| one.name.is_none()).collect();
        let parameters = function.parameters.get(..by_place.len())?;
        let is_by_place = parameters.iter().all(|one| matches!(one.role, ArgumentRole::Plain | ArgumentRole::Named));
        let texts: Vec<String> = by_place.iter().filter_map(|one| self.written(one.value)).collect();
        let is_open = texts.iter().any(|text| text.starts_with('*'));
        if !is_by_place || is_open || texts.len() != by_place.len() || !(2..=3).contains(&texts.len()) {
            return None;
        }
        let names: Vec<String> = parameters.iter().map(|one| format!("`{}`", one.name)).collect();
        let head = Span { end: parameters.last()?.whole.end, ..function.name? };
        let label = Label { span: head, text: format!("it takes {}, in this order", names.join(", ")) };
        let source = sources.get(call.source);
        let orders: &[&[usize]] = if texts.len() == 2 { &PAIR } else { &TRIPLE };
        let in_order = |order: &&[usize]| {
            let new: Vec<&str> = order.iter().filter_map(|number| texts.get(*number)).map(String::as_str).collect();
            let is_same = new.iter().eq(&texts);
            source.replaced(by_place.iter().map(|one| one.value).zip(new)).filter(|_| !is_same)
        };
        let helps = orders.iter().filter_map(in_order).map(|(span, new)| Help {
            must_mend: true,
            labels: vec![label.clone()],
            ..Help::with_edit("give the arguments in the order of the parameters", span, new)
        });
        let mut helps: Vec<Help> = helps.collect();
        helps.dedup();
        Some(helps)
    }

    /// The function of the project that a call calls, if there is one of its name alone.
    fn own_function(&self, call: Span) -> Option<Function> {
        let sources = self.calls.sources();
        let callee = self.written(written::callee(sources, call)?)?;
        if !callee.contains('.') {
            let (file, own) = self.home(call.source, &callee)?;
            return FileCode::read(&sources.get(file), file)?.function_of(&own, false);
        }
        // A member of a struct that a file exports has the name of its function, as a rule.
        let name = callee.rsplit('.').next()?;
        let header = format!("def {name}(");
        let all = sources.all();
        let defining = all
            .iter()
            .enumerate()
            .filter(|(_, source)| source.text.as_str().is_some_and(|text| text.contains(&header)));
        let mut found = defining
            .filter_map(|(number, source)| FileCode::read(source, SourceId(to_u32(number)))?.function_of(name, false));
        found.next().filter(|_| found.next().is_none())
    }
}

/// The same problem, with these helps as the first ones.
pub(super) fn in_front(mut told: Diagnostic, helps: Vec<Help>) -> Diagnostic {
    told.parts_mut().helps.splice(0..0, helps);
    told
}
