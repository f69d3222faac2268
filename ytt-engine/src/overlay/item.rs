//! The operations of one right item on the left items that it matches.
//!
//! Documents, map items and array items share the steps; where they differ is said here: who is added when nothing
//! matched, and whose position changes. Matches are place numbers: a function may change the list in between.

use super::annotation::{
    self, Argument, Counts, InsertRule, Operation, ReplaceRule, RightKind, assert_function, assert_rule,
    child_defaults, insert_rule, match_rule, plain_kind, replace_rule,
};
use super::compare::part;
use super::engine::{Engine, Right};
use super::failure::Failure;
use super::select::Selected;
use crate::call::{Arg, Seen, ValueHandle};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::yaml::{Body, NodeId, Val};

impl Engine<'_> {
    /// The steps of one item, in the reference's order.
    pub(super) fn operate(
        &mut self,
        lefts: &[NodeId],
        right: Right,
        kind: RightKind,
        defaults: &Counts,
    ) -> Result<(), Failure> {
        let operation = annotation::operation(&*self.calls, right.node)?;
        self.warn_of_arguments(right.node, operation);
        match operation {
            Operation::Insert | Operation::Append if kind == RightKind::MapItem => {
                Err(self.no_order(right.node, operation))
            }
            Operation::Merge => self.merge(lefts, right, kind, defaults),
            Operation::Remove => self.remove(lefts, right, kind, defaults),
            Operation::Replace => self.replace(lefts, right, kind, defaults),
            Operation::Insert => self.insert(lefts, right, kind, defaults),
            Operation::Append => self.append(lefts, right),
            Operation::Assert => self.assert(lefts, right, kind, defaults),
        }
    }

    /// A map has no order to insert into.
    pub(super) fn no_order(&self, node: NodeId, operation: Operation) -> Failure {
        let name = operation.name();
        let line = self.line(node);
        let text = format!("Found @{name} on map item ({line}); only array items can be annotated with @{name}");
        let diagnostic = Diagnostic::error(Code::OVERLAY_PLACE, text);
        let help = "maps have no order to insert into: a new key goes to the end";
        let new = format!("#@{} missing_ok=True", annotation::MATCH);
        Failure::argument(match annotation::end(&*self.calls, node, name) {
            Some((span, end)) if self.arena().ann(node, annotation::MATCH).is_none() => {
                let whole = Span::new(span.source, span.start, end.start);
                diagnostic.label(span, "not for the keys of a map").help_edit(help, whole, new)
            }
            place => diagnostic.at(place.map(|(span, _)| span)).help(format!("{help}, with {new}")),
        })
    }

    fn merge(&mut self, lefts: &[NodeId], mut right: Right, kind: RightKind, defaults: &Counts) -> Result<(), Failure> {
        let below = child_defaults(&*self.calls, right.node, defaults)?;
        let rule = match_rule(&*self.calls, right.node, kind, self.exact, defaults)?;
        let Some(found) = self.select(lefts, &mut right, kind, &rule)? else {
            return Ok(());
        };
        if found.is_empty() {
            return match kind {
                RightKind::Document => Ok(()),
                _ => self.add(lefts, right, kind),
            };
        }
        let owned = right.owned && !right.exposed && found.len() == 1;
        for one in found {
            let Some(item) = self.item_at(lefts, one) else {
                continue;
            };
            self.at(lefts[one.set as usize], item, one.place);
            let left = self.left_value(item)?;
            let taken = match left {
                Val::Null => true,
                _ => {
                    let new = self.value(right.node);
                    match self.walk(left, new, &below, owned) {
                        Ok(taken) => taken,
                        Err(failure) => {
                            self.fail(failure)?;
                            continue;
                        }
                    }
                }
            };
            if taken {
                if matches!(self.value(right.node), Val::Node(_)) {
                    self.own(&mut right)?;
                }
                let mut arena = self.arena_mut();
                let (value, pos) = (arena.value(right.node), arena.get(right.node).pos);
                arena.set_value(item, value);
                if kind != RightKind::Document {
                    arena.get_mut(item).pos = pos;
                }
                drop(arena);
                self.note_changed(item);
                self.note_placed(value);
            }
        }
        Ok(())
    }

    /// The value of a left item; a raw one, which a function gave in this very application, becomes nodes.
    fn left_value(&mut self, item: NodeId) -> Result<Val, Diagnostic> {
        let value = self.value(item);
        if let Val::Raw(_) = value {
            self.make_nodes(Val::Node(item))?;
        }
        Ok(self.value(item))
    }

    /// Puts a right item that matched nothing at the end, whole: nothing inside is evaluated.
    fn add(&mut self, lefts: &[NodeId], mut right: Right, kind: RightKind) -> Result<(), Failure> {
        let Some(&left) = lefts.first() else {
            return Ok(());
        };
        self.warn_not_evaluated(right.node);
        self.own(&mut right)?;
        if kind == RightKind::ArrayItem && right.exposed {
            right.node = self.copy(right.node)?;
        }
        self.push(left, right.node);
        Ok(())
    }

    fn remove(
        &mut self,
        lefts: &[NodeId],
        mut right: Right,
        kind: RightKind,
        defaults: &Counts,
    ) -> Result<(), Failure> {
        let rule = match_rule(&*self.calls, right.node, kind, self.exact, defaults)?;
        let Some(found) = self.select(lefts, &mut right, kind, &rule)? else {
            return Ok(());
        };
        self.take_out(lefts, &found);
        Ok(())
    }

    fn replace(
        &mut self,
        lefts: &[NodeId],
        mut right: Right,
        kind: RightKind,
        defaults: &Counts,
    ) -> Result<(), Failure> {
        let rule = match_rule(&*self.calls, right.node, kind, self.exact, defaults)?;
        let replace = replace_rule(&*self.calls, right.node)?;
        let Some(mut found) = self.select(lefts, &mut right, kind, &rule)? else {
            return Ok(());
        };
        if found.is_empty() {
            return if replace.or_add { self.or_add(lefts, right, &replace) } else { Ok(()) };
        }
        self.resolve(lefts, &mut found);
        let movable = replace.via.is_none() && right.owned && !right.exposed && found.len() == 1;
        for one in &found {
            let Some(old) = self.item_at(lefts, *one) else {
                continue;
            };
            self.at(lefts[one.set as usize], old, one.place);
            let new = if movable { right.node } else { self.new_item(Some(old), right, replace.via)? };
            self.warn_renamed(old, right.node, rule.by.is_some(), found.len());
            self.put(lefts[one.set as usize], one.place as usize, new);
        }
        Ok(())
    }

    fn or_add(&mut self, lefts: &[NodeId], right: Right, replace: &ReplaceRule) -> Result<(), Failure> {
        let Some(&left) = lefts.first() else {
            return Err(self.no_document(right.node));
        };
        let new = self.new_item(None, right, replace.via)?;
        self.push(left, new);
        Ok(())
    }

    fn insert(
        &mut self,
        lefts: &[NodeId],
        mut right: Right,
        kind: RightKind,
        defaults: &Counts,
    ) -> Result<(), Failure> {
        let rule = match_rule(&*self.calls, right.node, kind, self.exact, defaults)?;
        let Some(mut found) = self.select(lefts, &mut right, kind, &rule)? else {
            return Ok(());
        };
        let insert = insert_rule(&*self.calls, right.node)?;
        self.resolve(lefts, &mut found);
        let mut found = found.as_slice();
        while let Some(first) = found.first() {
            let set = first.set;
            let count = found.iter().take_while(|one| one.set == set).count();
            let (here, rest) = found.split_at(count);
            self.insert_into(lefts[set as usize], here, right, &insert)?;
            found = rest;
        }
        Ok(())
    }

    /// Writes a new list of items with the inserted ones; what functions did to the list meanwhile is lost.
    fn insert_into(
        &mut self,
        container: NodeId,
        found: &[Selected],
        right: Right,
        insert: &InsertRule,
    ) -> Result<(), Failure> {
        let old = insert.via.map(|_| self.items(container));
        let mut new = Vec::with_capacity(found.len());
        for one in found {
            let place = one.place as usize;
            let item = match &old {
                Some(old) => old.get(place).copied(),
                None => self.arena().item_at(container, place),
            };
            let Some(item) = item else {
                continue;
            };
            self.at(container, item, one.place);
            let inserted = self.new_item(Some(item), right, insert.via)?;
            self.note_placed(Val::Node(inserted));
            new.push((place, inserted));
        }
        self.put_beside(container, old, &new, insert.before, insert.after);
        Ok(())
    }

    fn append(&mut self, lefts: &[NodeId], mut right: Right) -> Result<(), Failure> {
        let Some(&left) = lefts.last() else {
            return Err(self.no_document(right.node));
        };
        self.warn_not_evaluated(right.node);
        self.own(&mut right)?;
        self.push(left, right.node);
        Ok(())
    }

    fn no_document(&self, node: NodeId) -> Failure {
        let text = "Expected at least one document to overlay, but found none";
        let mut diagnostic = Diagnostic::error(Code::OVERLAY_NO_DOCUMENT, text);
        if let Some(span) = self.arena().span_of(node) {
            diagnostic = diagnostic.label(span, "there is nothing that this document could be added to");
        }
        Failure::from(
            diagnostic
                .help("give a file with a document to change; or, to print this one as it is, remove its annotations"),
        )
    }

    fn assert(
        &mut self,
        lefts: &[NodeId],
        mut right: Right,
        kind: RightKind,
        defaults: &Counts,
    ) -> Result<(), Failure> {
        let below = child_defaults(&*self.calls, right.node, defaults)?;
        let rule = match_rule(&*self.calls, right.node, kind, self.exact, defaults)?;
        let via = assert_rule(&*self.calls, right.node)?;
        let Some(mut found) = self.select(lefts, &mut right, kind, &rule)? else {
            return Ok(());
        };
        if via.is_some() {
            self.resolve(lefts, &mut found);
        }
        let owned = right.owned && !right.exposed && found.len() == 1;
        for one in found {
            let Some(item) = self.item_at(lefts, one) else {
                continue;
            };
            self.at(lefts[one.set as usize], item, one.place);
            match via {
                Some(via) => self.assert_via(item, right, via)?,
                None => self.assert_part(item, right)?,
            }
            let left = self.left_value(item)?;
            let new = self.value(right.node);
            if let Err(failure) = self.walk(left, new, &below, owned) {
                self.fail(failure)?;
            }
        }
        Ok(())
    }

    fn assert_part(&mut self, item: NodeId, right: Right) -> Result<(), Failure> {
        let arena = self.arena();
        match part(&arena, arena.value(item), arena.value(right.node)) {
            Ok(()) => Ok(()),
            Err(difference) => Err(Failure::from(self.assert_failed(&arena, item, right.node, &difference))),
        }
    }

    fn assert_via(&mut self, item: NodeId, right: Right, via: Argument) -> Result<(), Failure> {
        let (left, new) = (self.copy_val(self.value(item))?, self.copy_val(self.value(right.node))?);
        let function = assert_function(&*self.calls, via)?;
        let place = (Operation::Assert.name(), Some(item));
        let result = self.call_via(function, &[Arg::Val(left), Arg::Val(new)], place)?;
        let failed = "returned False".to_string();
        let (text, label) = match self.calls.see(result) {
            Seen::Null | Seen::Bool(true) => return Ok(()),
            Seen::Bool(false) => ("Expected via invocation to return true, but was false".to_string(), failed),
            Seen::List(values) | Seen::Tuple(values) => match self.verdict(&values) {
                Some((true, _)) => return Ok(()),
                Some((false, message)) => {
                    let text = "Expected via invocation to return true, but was false with message";
                    (format!("{text}: {message}"), failed)
                }
                None => (NO_VERDICT.to_string(), self.no_verdict(result)),
            },
            _ => (NO_VERDICT.to_string(), self.no_verdict(result)),
        };
        let mut diagnostic = Diagnostic::error(Code::OVERLAY_ASSERT, text);
        if let Some(span) = annotation::argument_span(&*self.calls, via.pos, "via") {
            diagnostic = diagnostic.label(span, label);
        }
        Err(Failure::from(self.chain(self.left_label(diagnostic, item))))
    }

    fn no_verdict(&self, result: ValueHandle) -> String {
        let kind = plain_kind(self.calls.kind(result));
        format!("returned {kind}; it may return True, False, None, or a tuple such as (False, \"why\")")
    }

    /// Calls a function of `via`; what fails in it is told with the annotation and the left item.
    fn call_via(
        &mut self,
        via: ValueHandle,
        args: &[Arg<'_>],
        place: (&str, Option<NodeId>),
    ) -> Result<ValueHandle, Diagnostic> {
        let (name, item) = place;
        self.call(via, args).map_err(|diagnostic| {
            let refused = diagnostic.parts().labels.is_empty();
            let node = self.trail.last().map(|step| step.node);
            let pos = node.and_then(|node| self.arena().ann(node, name).map(|annotation| annotation.pos));
            let span = pos.and_then(|pos| annotation::argument_span(&*self.calls, pos, "via"));
            let mut diagnostic = match span {
                Some(span) if refused => diagnostic
                    .label(span, "`via` is called with 2 values; this function takes another number")
                    .help("take both of them: def NAME(left, right): …"),
                Some(span) => diagnostic.label(span, "called for this `via`"),
                None => diagnostic,
            };
            if let Some(span) = item.and_then(|item| self.mark(&self.arena(), item)) {
                diagnostic = diagnostic.label(span, "called with this value as `left`");
            }
            if let Some(span) = node.and_then(|node| self.mark(&self.arena(), node)) {
                diagnostic = diagnostic.label(span, "and with this value as `right`");
            }
            diagnostic
        })
    }

    /// A bool and a text, as `via` of an assertion may return them.
    fn verdict(&self, values: &[ValueHandle]) -> Option<(bool, String)> {
        let [passed, message] = values else {
            return None;
        };
        match (self.calls.see(*passed), self.calls.see(*message)) {
            (Seen::Bool(passed), Seen::Str(message)) => Some((passed, message.to_string())),
            _ => None,
        }
    }

    /// The item to place for one match: a copy of the right one, with its value or that of `via`.
    fn new_item(&mut self, old: Option<NodeId>, right: Right, via: Option<ValueHandle>) -> Result<NodeId, Failure> {
        let mut value = self.copy_val(self.value(right.node))?;
        if let Some(via) = via {
            let left = match old {
                Some(old) => self.copy_val(self.value(old))?,
                None => Val::Null,
            };
            let operation = annotation::operation(&*self.calls, right.node)?;
            let result = self.call_via(via, &[Arg::Val(left), Arg::Val(value)], (operation.name(), old))?;
            value = self
                .calls
                .to_val(result)
                .map_err(|diagnostic| diagnostic.note("this is what the function of `via` returned"))?;
        }
        let node = self.arena().get(right.node).clone();
        if let Val::Node(id) = value {
            self.placeable(&node.body, id)?;
        }
        let body = match node.body {
            Body::Doc(_) => Body::Doc(Val::Null),
            Body::MapItem(key, _) => Body::MapItem(key, Val::Null),
            _ => Body::ArrayItem(Val::Null),
        };
        let mut arena = self.arena_mut();
        let new = arena.add(body, node.pos);
        arena.get_mut(new).ann = node.ann;
        arena.set_value(new, value);
        drop(arena);
        self.note_raw(new, value);
        Ok(new)
    }

    /// Only maps and arrays can be values of items.
    fn placeable(&self, item: &Body, value: NodeId) -> Result<(), Failure> {
        let arena = self.arena();
        let body = &arena.get(value).body;
        if matches!(body, Body::Map(_) | Body::Array(_)) {
            return Ok(());
        }
        let what = match item {
            Body::Doc(_) => "documents can only contain arrays, maps, or scalars",
            Body::MapItem(..) => "map items can only contain arrays, maps, or scalars",
            _ => "array items can only contain maps, arrays, or scalars",
        };
        let text = format!("{what}; this is a {}", body.kind());
        Err(Failure::from(Diagnostic::error(Code::OVERLAY_VALUE, text)))
    }
}

const NO_VERDICT: &str =
    "Expected via invocation to return NoneType, Bool or Tuple(Bool,String), but returned neither of those";
