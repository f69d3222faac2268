//! Runs rules over data values: those of the schema belong to the type of an item, those of `@assert/validate` to its node.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::sync::Arc;

use super::misfit::HINTED;
use super::misplaced::Misplaced;
use super::{ItemId, Schema, appended, fields, judge, never_null, own_default, parts, switch};
use crate::call::{Arg, Call, Seen};
use crate::diag::{Code, DataValue, Diagnostic, Diagnostics, Fact, Label, Note, NoteKind};
use crate::source::{Origin, Source, Span, to_u32};
use crate::template::given;
use crate::template::written::{self, Argument};
use crate::validate::{self, Rule, Rules, Test};
use crate::yaml::words::{key_text, place_text, push_item};
use crate::yaml::{NodeId, PosId, Val};

/// Runs every rule of every node, in the order of the values; each node and annotation that fails is one diagnostic.
pub(crate) fn validate(calls: &mut dyn Call, schema: &Schema, document: NodeId) -> Diagnostics {
    let root = calls.arena().borrow().value(document);
    let mut walk = Walk {
        calls,
        schema,
        root,
        ty: None,
        path: String::new(),
        problems: Diagnostics::default(),
        codes: RefCell::default(),
    };
    walk.item(document, Some(schema.root), Val::Null, 0);
    walk.problems
}

pub(super) struct Walk<'a> {
    pub(super) calls: &'a mut dyn Call,
    pub(super) schema: &'a Schema,
    pub(super) root: Val,
    /// The declared type of the item whose rules run.
    ty: Option<ItemId>,
    path: String,
    pub(super) problems: Diagnostics,
    /// The code of rules that failed, by their places: many values may break one.
    codes: RefCell<HashMap<PosId, String>>,
}

impl Walk<'_> {
    /// A document, map item or array item, and its type if one is declared; `parent` is the map or array that holds it.
    fn item(&mut self, node: NodeId, ty: Option<ItemId>, parent: Val, depth: u32) {
        let schema = self.schema;
        self.ty = ty;
        if let Some(rules) = ty.and_then(|ty| schema.item(ty).rules.as_ref()) {
            self.rules(node, rules, parent);
        }
        let assert = self.calls.arena().borrow().ann(node, "assert/validate").cloned();
        if let Some(annotation) = assert {
            match validate::read(self.calls, &annotation) {
                Ok(rules) => self.rules(node, &rules, parent),
                Err(problem) => self.problems.push(problem.context(STAGE)),
            }
        }
        let value = self.calls.arena().borrow().value(node);
        let Val::Node(container) = value else { return };
        if depth == self.calls.arena().borrow().depth() {
            return;
        }
        let items = self.calls.arena().borrow().items(container).to_vec();
        for (index, item) in items.into_iter().enumerate() {
            let before = self.path.len();
            let child = {
                let arena = self.calls.arena().borrow();
                push_item(&mut self.path, &arena, item, index);
                ty.and_then(|ty| schema.below(ty, &arena, item))
            };
            self.item(item, child, value, depth.saturating_add(1));
            self.path.truncate(before);
        }
    }

    /// The path as reports name it.
    pub(super) fn shown(&self) -> &str {
        if self.path.is_empty() { "(document)" } else { &self.path }
    }

    fn rules(&mut self, node: NodeId, rules: &Rules, parent: Val) {
        self.calls.arena().borrow_mut().note_read_whole(node);
        let value = self.calls.arena().borrow().value(node);
        if value == Val::Null && !rules.not_null {
            return;
        }
        match self.when(rules, value, parent) {
            Ok(true) => {}
            Ok(false) => return,
            Err((text, crash)) => {
                let problem = Diagnostic::error(Code::VALIDATE_WHEN, text)
                    .context(format!("Validating {}", self.shown()))
                    .context(STAGE)
                    .note(format!("by: {}", self.place(rules.pos)));
                let problem = self.labels(problem, node, rules, "the value that is judged", "");
                let problem = self.mistaken(problem, rules, crash, parent);
                self.problems.push(problem);
                return;
            }
        }
        let mut violations = Vec::new();
        let mut functions = 0_usize;
        for rule in &rules.list {
            let number = functions;
            functions = functions.saturating_add(usize::from(matches!(rule.test, Test::Custom(_))));
            if let Err(found) = self.test(rule, value) {
                violations.push((rule, found.text, (found.crash, number)));
                if matches!(rule.test, Test::NotNull) {
                    break;
                }
            }
        }
        if !violations.is_empty() {
            let (crash, number) =
                violations.first_mut().map(|(.., (crash, number))| (crash.take(), *number)).unwrap_or_default();
            let violations: Vec<_> = violations.into_iter().map(|(rule, found, _)| (rule, found)).collect();
            let problem = self.entry(node, rules, &violations, parent, (crash, number));
            self.problems.push(problem);
        }
    }

    /// Do the rules hold here at all?
    fn when(&mut self, rules: &Rules, value: Val, parent: Val) -> Result<bool, (String, Crash)> {
        let Some(when) = rules.when else { return Ok(true) };
        let ctx = [("parent", parent), ("root", self.root)];
        let args = [Arg::Val(value), Arg::Struct(&ctx)];
        let count = match self.calls.params(when) {
            None | Some(1) => 1,
            Some(2) => {
                let mut arena = self.calls.arena().borrow_mut();
                arena.map_of(self.root).into_iter().for_each(|root| arena.declared.read_whole(root));
                2
            }
            Some(count) => {
                let text = format!("Failed to evaluate when=: function must accept 1 or 2 arguments ({count} given)");
                return Err((text, Crash::Unfit(Unfit::Takes(count))));
            }
        };
        let result = self
            .calls
            .call(when, args.get(..count).unwrap_or(&args))
            .map_err(|error| (format!("Failure evaluating when=: {}", error.full_message()), Crash::Failed(error)))?;
        match self.calls.see(result) {
            Seen::Bool(holds) => Ok(holds),
            seen => {
                let kind = self.calls.kind(result);
                let text = match seen {
                    Seen::Str(text) => Some(text).filter(|text| given::is_boolean(text)),
                    _ => None,
                };
                Err((format!("want when= to be bool, got {kind}"), Crash::Unfit(Unfit::Gave(kind, text))))
            }
        }
    }

    /// Runs one rule.
    fn test(&mut self, rule: &Rule, value: Val) -> Result<(), Broken> {
        let Test::Custom(function) = rule.test else {
            let checked = rule.test.check(&self.calls.arena().borrow(), value);
            return checked.map_err(|failure| Broken { text: Some(failure.text), crash: None });
        };
        match self.calls.call(function, &[Arg::Val(value)]) {
            Ok(result) if matches!(self.calls.see(result), Seen::Bool(true)) => Ok(()),
            Ok(result) => {
                let is_function = matches!(self.calls.see(result), Seen::Function);
                let crash = is_function.then_some(Crash::Unfit(Unfit::Gave("function", None)));
                Err(Broken { text: None, crash })
            }
            Err(error) => {
                let whole = error.full_message();
                let text = whole.strip_prefix("fail: ").unwrap_or(&whole);
                let text = text.strip_prefix("check: ").unwrap_or(text);
                // Nothing is cut off where the code did not refuse the value by itself.
                let is_crash = text.len() == whole.len() && !error.parts().labels.is_empty();
                let takes = self.calls.params(function).filter(|count| *count != 1);
                let is_refusal = matches!(error.parts().fact, Some(Fact::Assertion { .. } | Fact::Check { .. }));
                let crash = match takes {
                    Some(count) => Some(Crash::Unfit(Unfit::Takes(count))),
                    None if is_refusal => Some(Crash::Refused(error)),
                    None => Some(Crash::Failed(error)).filter(|_| is_crash),
                };
                Err(Broken { text: Some(text.to_owned()), crash })
            }
        }
    }

    fn place(&self, pos: PosId) -> String {
        place_text(&self.calls.arena().borrow(), self.calls.sources(), pos)
    }

    /// The places of the value and of the annotation.
    fn labels(&self, problem: Diagnostic, node: NodeId, rules: &Rules, found: &str, by: &str) -> Diagnostic {
        let arena = self.calls.arena().borrow();
        let places = [(arena.get(node).pos, found), (rules.pos, by)];
        places.into_iter().fold(problem, |problem, (pos, text)| match arena.place(pos) {
            Some(place) if pos == rules.pos => problem.label(place.whole(), text),
            Some(place) => problem.label(place.value_or_key(self.calls.sources()), text),
            None => problem,
        })
    }

    /// All that one annotation finds wrong with one node.
    #[allow(clippy::indexing_slicing, reason = "asked only where something is wrong")]
    fn entry(
        &self,
        node: NodeId,
        rules: &Rules,
        violations: &[(&Rule, Option<String>)],
        parent: Val,
        (crash, number): (Option<Crash>, usize),
    ) -> Diagnostic {
        let shown = self.shown();
        let (by, from) = (self.place(rules.pos), self.place(self.calls.arena().borrow().get(node).pos));
        let (first, found) = &violations[0];
        let message = format!("{shown}: must be: {} (by: {by})", first.must_be);
        let written = self.calls.arena().borrow().place_of(node).is_some();
        let found_here = found.clone().unwrap_or_default();
        let value = DataValue { path: self.path.clone(), found: found_here, written, is_whole: false };
        let must_be = format!("{} (by: {by})", first.must_be);
        let fails = match &crash {
            Some(Crash::Failed(crash)) => judge::is_mistake_alone(crash),
            Some(Crash::Unfit(Unfit::Takes(_))) => true,
            _ => false,
        };
        let fact =
            Fact::Rule { path: shown.to_owned(), must_be, beside: None, fails, near: None, given: self.unplaced(node) };
        let problem = Diagnostic::error(Code::VALIDATE_RULE, message).context(STAGE).about(value).fact(fact);
        let must_be = format!("must be: {}", first.must_be);
        let is_default = self.is_default(node, rules);
        let judged =
            matches!(crash, Some(Crash::Unfit(Unfit::Takes(_)))).then(|| "the value that is judged".to_owned());
        let bound = match &crash {
            Some(Crash::Refused(error)) => match &error.parts().fact {
                Some(Fact::Check { must, .. }) => format!(", must {must}"),
                _ => String::new(),
            },
            _ => String::new(),
        };
        let found_here = found.as_deref().filter(|found| !found.is_empty()).map(|found| {
            let found = found.strip_prefix("assert.fail: fail: ").unwrap_or(found);
            let default = if is_default { ", the default, which no data values set" } else { "" };
            match (&first.test, self.scalar(node)) {
                // What a function says of a value is no value.
                (Test::Custom(_), Some(value)) => format!("found: {value}{default} ({found})"),
                _ => format!("{}{default}{bound}", Note::new(NoteKind::Found, found).text()),
            }
        });
        let found_here = judged.or(found_here).map(|found| found + &self.of_file(node)).unwrap_or_default();
        let mut problem = self.labels(problem, node, rules, &found_here, &must_be);
        let mut found_at = {
            let arena = self.calls.arena().borrow();
            arena.place_of(node).map(|place| place.value_or_key(self.calls.sources()))
        };
        if let Some(default) = self.default_above(node).filter(|_| is_default)
            && let Some(label) = problem.parts_mut().labels.iter_mut().find(|label| Some(label.span) == found_at)
        {
            label.span = default;
            found_at = Some(default);
        }
        let elsewhere = judge::items_elsewhere(self.calls.sources(), &self.calls.arena().borrow(), node);
        if let Some(place) = elsewhere {
            let text = "the items are set here";
            problem.parts_mut().labels.insert(0, Label { span: place, text: text.to_owned() });
        }
        let of_second = appended::told(self.calls.sources(), &self.calls.arena().borrow(), node, &problem);
        problem = of_second.unwrap_or(problem).note(Note::new(NoteKind::From, from));
        for (number, (rule, found)) in violations.iter().enumerate() {
            if number > 0 {
                problem = problem.note(Note::new(NoteKind::MustBe, format!("{} (by: {by})", rule.must_be)));
            }
            if let Some(found) = found.as_ref().filter(|found| !found.is_empty()) {
                let is_first = number == 0;
                problem = problem.note(Note::new(NoteKind::Found, found).shown(found_at.filter(|_| is_first)));
            }
        }
        if let Some(item) = self.ty.filter(|_| self.problems.0.len() < HINTED) {
            let arena = self.calls.arena().borrow();
            if let Some(misplaced) = Misplaced::of((&arena, self.calls.sources(), self.schema), item, rules) {
                return misplaced.told(problem);
            }
        }
        let mut allowed = first.test.allowed(&self.calls.arena().borrow());
        let failed = match crash {
            Some(Crash::Failed(crash)) if judge::is_mistake(&crash) => {
                let told = judge::crashed(problem, &crash, "rule");
                let arena = self.calls.arena().borrow();
                let scene = (self.calls.sources(), &*arena);
                let told = fields::as_keys(scene, &told, &crash, arena.value(node)).unwrap_or(told);
                let is_mended = fails && told.parts().helps.iter().any(|help| help.edit.is_some());
                return if is_mended { told } else { told.help("mend the rule, or give a value that it can judge") };
            }
            Some(Crash::Unfit(unfit)) => {
                let place = self.argument(rules, |argument, _| {
                    let of = written::elements(self.calls.sources(), argument.value);
                    of.get(1).copied()
                });
                return self.refused(problem, place, &unfit, "rule");
            }
            Some(Crash::Refused(error)) => {
                let in_code = |label: &&Label| self.annotation(rules).is_none_or(|own| !own.holds(label.span));
                let place = error.parts().labels.iter().rfind(in_code).map(|label| label.span);
                problem = problem.label_at(place, "the rule refuses it here");
                if let Some(Fact::Check { allowed: own, .. }) = &error.parts().fact {
                    own.clone_into(&mut allowed);
                }
                false
            }
            Some(Crash::Failed(crash)) => {
                let place = crash.parts().labels.first().map(|label| label.span);
                problem = problem.label_at(place, "the rule fails here, before it can judge the value");
                place.is_some()
            }
            None => {
                let is_read = matches!(first.test, Test::Custom(_)) && self.problems.0.len() < HINTED;
                let function = is_read.then(|| self.function(rules, number)).flatten();
                let function = function.map(|function| judge::decider(self.calls.sources(), function));
                if let Some(swapped) = function.and_then(|function| judge::swapped(self.calls.sources(), function)) {
                    return swapped.told(problem);
                }
                let arena = self.calls.arena().borrow();
                let value = arena.value(node);
                if let Some(last) = function.and_then(|function| judge::thrown_away(self.calls.sources(), function)) {
                    let at = Span { end: last.start, ..last };
                    let problem = problem.label(last, "the rule computes this and does not return it");
                    return problem.help_edit("return it: a rule holds where its function returns True", at, "return ");
                }
                let refused =
                    function.and_then(|function| judge::refused(self.calls.sources(), &arena, function, value));
                if let Some((place, text)) = refused {
                    problem = problem.label(place, text);
                }
                false
            }
        };
        if let Some((span, number)) = self.bound_as_text(rules, &first.test, node) {
            return problem.help_edit("a number is written without quotes", span, number);
        }
        let told = match self.never_null(&problem, node, first) {
            Some(told) => told,
            None if is_default => match self.own_default(&problem, rules) {
                Some(told) => told,
                None => self.missing(problem, (parent, node), rules),
            },
            None => match self.with_parts(problem.clone(), node, rules) {
                Some(told) => told,
                None => {
                    let problem =
                        switch::told((&self.calls.arena().borrow(), self.calls.sources()), (parent, node), problem);
                    self.meant(problem, node, &allowed, (rules, first))
                }
            },
        };
        if failed { told.help("or, if the value is right, mend the rule where it fails") } else { told }
    }

    /// A map of which only one value may be set, where the schema sets another one.
    fn never_null(&self, problem: &Diagnostic, node: NodeId, rule: &Rule) -> Option<Diagnostic> {
        let (Test::OneNotNull(keys), Some(ty)) = (&rule.test, self.ty) else { return None };
        let arena = self.calls.arena().borrow();
        never_null::told((&arena, self.calls.sources(), self.schema), (node, ty), keys.as_deref(), problem)
    }

    /// A default that is a value of its own, and not what its rule allows.
    fn own_default(&self, problem: &Diagnostic, rules: &Rules) -> Option<Diagnostic> {
        let item = self.ty.filter(|_| self.problems.0.len() < HINTED)?;
        own_default::told((&self.calls.arena().borrow(), self.calls.sources(), self.schema), item, rules, problem)
    }

    /// A scalar that stands nowhere, as text.
    fn unplaced(&self, node: NodeId) -> Option<String> {
        let arena = self.calls.arena().borrow();
        let value = arena.value(node);
        let is_scalar = !matches!(value, Val::Null | Val::Node(_) | Val::Raw(_));
        (is_scalar && arena.place_of(node).is_none()).then(|| key_text(&arena, value))
    }

    /// A scalar as it is written, if it is short and no text.
    fn scalar(&self, node: NodeId) -> Option<String> {
        let arena = self.calls.arena().borrow();
        let value = arena.value(node);
        let is_short = matches!(value, Val::Int(_) | Val::UInt(_) | Val::Float(_) | Val::Bool(_));
        is_short.then(|| key_text(&arena, value))
    }

    /// A rule of a map: the values in it that the rule looks at come first, those that data values set before others.
    fn with_parts(&self, mut problem: Diagnostic, node: NodeId, rules: &Rules) -> Option<Diagnostic> {
        let (arena, sources) = (self.calls.arena().borrow(), self.calls.sources());
        let map = arena.map_of(arena.value(node))?;
        let rule = arena.place(rules.pos)?.whole();
        let code = self.codes.borrow_mut();
        let code =
            RefMut::map(code, |codes| codes.entry(rules.pos).or_insert_with(|| parts::code_of_rule(sources, rule)));
        let mut looked = parts::looked_at(&arena, sources, map, &self.path, &code);
        looked.sort_by_key(|one| (one.place.source == rule.source, std::cmp::Reverse(one.place.source)));
        if looked.is_empty() {
            return None;
        }
        let own = arena.place(arena.get(node).pos).map(|place| place.value_or_key(sources));
        problem.parts_mut().labels.retain(|label| !label.text.is_empty() || Some(label.span) != own);
        let paths: Vec<String> = looked.iter().map(|one| format!("`{}`", one.path)).collect();
        let labels = looked.into_iter().map(|one| {
            let default = if one.place.source == rule.source { ", the default" } else { "" };
            Label { span: one.place, text: format!("`{}` is {}{default}", one.path, one.shown) }
        });
        problem.parts_mut().labels.splice(0..0, labels);
        Some(problem.help(format!("change {}; {}", paths.join(" or "), self.required(rules))))
    }

    /// Where the annotation of rules has an argument, as `of` finds it.
    pub(super) fn argument(&self, rules: &Rules, of: impl Fn(&Argument, &Source) -> Option<Span>) -> Option<Span> {
        let place = self.calls.arena().borrow().place(rules.pos)?.whole();
        let source = self.calls.sources().get(place.source);
        let blank = source.written(place)?.find(' ')?;
        let list = Span { start: place.start.saturating_add(to_u32(blank)), ..place };
        written::arguments(self.calls.sources(), list).iter().find_map(|argument| of(argument, &source))
    }

    /// The bound of a rule for numbers that is a text: where it stands, and the number in it.
    fn bound_as_text(&self, rules: &Rules, test: &Test, node: NodeId) -> Option<(Span, String)> {
        let (Test::Min(bound) | Test::Max(bound)) = test else { return None };
        let number = {
            let arena = self.calls.arena().borrow();
            let is_number = matches!(arena.value(node), Val::Int(_) | Val::UInt(_) | Val::Float(_));
            arena.str(*bound).filter(|text| is_number && text.parse::<f64>().is_ok_and(f64::is_finite))?.to_owned()
        };
        let name = if matches!(test, Test::Min(_)) { "min" } else { "max" };
        let span = self.argument(rules, |argument, source| {
            let is_it = argument.name.is_some_and(|own| source.written(own) == Some(name));
            is_it.then_some(argument.value)
        })?;
        let is_written = self.calls.sources().get(span.source).written(span)?.trim_matches(['"', '\'']) == number;
        is_written.then_some((span, number))
    }

    /// The function of the rule of that number, as the annotation has it.
    fn function(&self, rules: &Rules, number: usize) -> Option<Span> {
        let seen = Cell::new(0_usize);
        self.argument(rules, |argument, _| {
            let place = argument.name.is_none().then(|| seen.replace(seen.get().saturating_add(1)))?;
            let parts = (place == number).then(|| written::elements(self.calls.sources(), argument.value))?;
            parts.get(1).copied()
        })
    }

    fn annotation(&self, rules: &Rules) -> Option<Span> {
        Some(self.calls.arena().borrow().place(rules.pos)?.whole())
    }

    /// What a value must be, by all of its rules.
    pub(super) fn required(&self, rules: &Rules) -> String {
        const SHOWN: usize = 4;
        let all: Vec<&str> = rules.list.iter().take(SHOWN).map(|rule| rule.must_be.as_str()).collect();
        let more = match rules.list.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        format!("it must be: {}{more}", all.join(", "))
    }

    /// What is said beside a value that is the text of a file which a flag names.
    fn of_file(&self, node: NodeId) -> String {
        let arena = self.calls.arena().borrow();
        let file = arena.place_of(node).and_then(|place| self.file_of(place.key()));
        let ends = arena.str(arena.value(node)).is_some_and(|text| text.ends_with('\n'));
        match (file, ends) {
            (Some(file), true) => format!(", in `{file}`, which ends with a line break"),
            (Some(file), false) => format!(", in `{file}`"),
            (None, _) => String::new(),
        }
    }

    /// The file whose text a flag gives.
    pub(super) fn file_of(&self, span: Span) -> Option<String> {
        let source = self.calls.sources().get(span.source);
        let is_file = matches!(source.origin, Origin::Flag) && source.name.starts_with("(data-value-file arg)");
        Some(source.text.as_str().filter(|_| is_file)?.split_once('=')?.1.trim_end().to_owned())
    }

    /// The flag or variable that sets a value, without the value: it may be a secret. What stands in a file is marked
    /// there.
    pub(super) fn given_by(&self, span: Span) -> Option<String> {
        let source = self.calls.sources().get(span.source);
        if !matches!(source.origin, Origin::Flag) {
            return None;
        }
        if let Some(file) = self.file_of(span) {
            return Some(format!("`{file}`"));
        }
        let (name, _) = source.text.as_str()?.split_once('=')?;
        Some(format!("`{name}=…`"))
    }

    /// Does the value stand where its rules do: in the schema?
    fn is_default(&self, node: NodeId, rules: &Rules) -> bool {
        let arena = self.calls.arena().borrow();
        let is_scalar = !matches!(arena.value(node), Val::Node(_) | Val::Raw(_));
        let places = arena.place_of(node).zip(arena.place(rules.pos)).filter(|_| is_scalar);
        places.is_some_and(|(value, rule)| value.source == rule.source)
    }

    /// Nothing sets the value: where other values of its map are set.
    fn missing(&self, problem: Diagnostic, (parent, node): (Val, NodeId), rules: &Rules) -> Diagnostic {
        let arena = self.calls.arena().borrow();
        let (Val::Node(map), Some(schema)) = (parent, problem.parts().labels.first()) else { return problem };
        let schema = schema.span.source;
        let beside = arena.items(map).iter().find_map(|item| {
            let place = arena.place_of(*item).filter(|place| place.source != schema)?;
            Some((place.key(), arena.str(arena.key(*item))?))
        });
        let required = self.required(rules);
        let path = self.shown();
        let Some((beside, key)) = beside else {
            return problem.help(format!("set `{path}` in data values; {required}"));
        };
        let name = key_text(&arena, arena.key(node));
        let mut told = match self.given_by(beside) {
            Some(flag) => problem.help(format!("set `{path}` too, as {flag} sets `{key}`; {required}")),
            None => {
                let text = format!("set `{name}` beside `{key}`; {required}");
                let mut told = match self.line_beside(beside, &name, arena.value(node)) {
                    Some((span, new)) => problem.help_edit(text, span, new).guessing(),
                    None => problem.help(text),
                };
                if let Some(Fact::Rule { beside: place, .. }) = &mut told.parts_mut().fact {
                    *place = Some(beside);
                }
                told
            }
        };
        let text = format!("`{key}` is set here, `{name}` is not");
        told.parts_mut().labels.insert(0, Label { span: beside, text });
        let group = self.calls.sources().get(beside.source).parent_key(beside);
        told.label_at(group.filter(|_| self.given_by(beside).is_none()), format!("in this map `{name}` is missing"))
    }
}

/// Why a value breaks a rule.
struct Broken {
    /// What was found.
    text: Option<String>,
    /// How the function failed, if it did not refuse the value on purpose.
    crash: Option<Crash>,
}

/// Why a function says nothing of a value.
pub(super) enum Crash {
    Failed(Diagnostic),
    /// It asserts something that does not hold.
    Refused(Diagnostic),
    Unfit(Unfit),
}

/// A function that can be no rule, or no condition.
pub(super) enum Unfit {
    /// It takes another number of arguments: so many.
    Takes(usize),
    /// It gave a value of this type; a text that says what a boolean does.
    Gave(&'static str, Option<Arc<str>>),
}

const STAGE: &str = "Validating final data values";
