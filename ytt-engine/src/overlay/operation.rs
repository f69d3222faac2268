//! The operations of one right item on the left items that it matches.
//!
//! Documents, map items and array items share the steps; where they differ is said here: who is added when nothing
//! matched, and whose position changes.

use std::sync::Arc;

use super::annotation::{Argument, Counts, InsertRule, MatchRule, Operation, ReplaceRule, RightKind};
use super::candidates::resolve;
use super::compare::part;
use super::engine::{Engine, Extent, LeftItem, Right, Task};
use super::matcher::{Match, UNKNOWN};
use super::problem::{Caller, Failure, Problem, Verdict};
use super::rules::{self, assert_rule, child_defaults, insert_rule, match_rule, replace_rule};
use crate::call::{Arg, Call, Seen, ValueHandle};
use crate::yaml::{Arena, Body, Did, NodeId, Val, What};

impl Engine<'_> {
    /// The steps of one item, in the reference's order.
    pub(super) fn operate(&mut self, task: Task<'_>) -> Result<(), Failure> {
        let node = task.right.node;
        let operation = rules::operation(&*self.calls, node)?;
        self.warn_of_arguments(node, operation);
        match operation {
            Operation::Insert | Operation::Append if task.kind == RightKind::MapItem => {
                Err(Problem::NoOrder(node, operation).into())
            }
            Operation::Merge => self.merge(task),
            Operation::Remove => self.remove(task),
            Operation::Replace => self.replace(task),
            Operation::Insert => self.insert(task),
            Operation::Append => self.append(task),
            Operation::Assert => self.assert(task),
        }
    }

    /// The left item of a match, to which the right one is applied from here on; `None` if the list became shorter.
    fn enter(&mut self, lefts: &[NodeId], one: Match) -> Option<NodeId> {
        let container = *lefts.get(one.set as usize)?;
        let item = if one.at == UNKNOWN { one.item } else { self.arena().item_at(container, one.at as usize)? };
        self.at(LeftItem { container, at: one.at, item });
        Some(item)
    }

    /// Walks over one match, whose problem is told here. True: the right value replaces the left one.
    fn walk_match(&mut self, left: Val, right: Right, below: &Counts, owned: bool) -> Result<bool, Failure> {
        let new = self.value(right.node);
        self.walk(left, new, below, owned).or_else(|failure| self.fail(failure, Extent::Match).map(|()| false))
    }

    /// The match rule of an item.
    fn match_rule(&self, task: &Task<'_>) -> Result<MatchRule, Problem> {
        match_rule(&*self.calls, task.right.node, task.kind, self.exact, task.defaults)
    }

    fn merge(&mut self, mut task: Task<'_>) -> Result<(), Failure> {
        let below = child_defaults(&*self.calls, task.right.node, task.defaults)?;
        let rule = self.match_rule(&task)?;
        let Some(found) = self.select(&mut task, &rule)? else {
            return Ok(());
        };
        if found.is_empty() {
            return match task.kind {
                RightKind::Document => Ok(()),
                _ => {
                    if rule.nothing {
                        self.warn_second(task.lefts, task.right.node);
                    }
                    self.add(task)
                }
            };
        }
        let owned = task.right.owned && !task.right.exposed && found.len() == 1;
        for one in found {
            let Some(item) = self.enter(task.lefts, one) else {
                continue;
            };
            let left = left_value(&mut self.arena_mut(), item)?;
            if left == Val::Null || self.walk_match(left, task.right, &below, owned)? {
                if matches!(self.value(task.right.node), Val::Node(_)) {
                    self.own(&mut task.right)?;
                }
                self.note_set(item, item, self.value(task.right.node));
                let mut arena = self.arena_mut();
                let (value, pos) = (arena.value(task.right.node), arena.get(task.right.node).pos);
                let before = arena.value(item);
                arena.set_value(item, value);
                if task.kind != RightKind::Document {
                    arena.get_mut(item).pos = pos;
                }
                drop(arena);
                self.note_rewritten(item, before, task.right.node);
                self.note_changed(item, What::Value { before });
                self.note_placed(value);
            }
        }
        Ok(())
    }

    /// Puts a right item that matched nothing at the end, whole: nothing inside is evaluated.
    fn add(&mut self, mut task: Task<'_>) -> Result<(), Failure> {
        let Some(&left) = task.lefts.first() else {
            return Ok(());
        };
        self.warn_not_evaluated(task.right.node);
        self.note_changed_whole();
        self.own(&mut task.right)?;
        if task.kind == RightKind::ArrayItem && task.right.exposed {
            task.right.node = self.arena_mut().copy(task.right.node)?;
        }
        self.push(left, task.right.node);
        self.note_added(&task, left);
        Ok(())
    }

    fn remove(&mut self, mut task: Task<'_>) -> Result<(), Failure> {
        let rule = self.match_rule(&task)?;
        let Some(found) = self.select(&mut task, &rule)? else {
            return Ok(());
        };
        if found.is_empty() && rule.by.is_none() {
            self.warn_removes_nothing(task.lefts, task.right.node);
        }
        self.warn_without_match(&task, &rule, Operation::Remove);
        if !found.is_empty() {
            self.note(Did::CHANGE);
        }
        self.take_out(task.lefts, &found);
        Ok(())
    }

    fn replace(&mut self, mut task: Task<'_>) -> Result<(), Failure> {
        let rule = self.match_rule(&task)?;
        let replace = replace_rule(&*self.calls, task.right.node)?;
        let Some(mut found) = self.select(&mut task, &rule)? else {
            return Ok(());
        };
        if found.is_empty() {
            if !replace.or_add {
                self.warn_without_match(&task, &rule, Operation::Replace);
                return Ok(());
            }
            return self.or_add(task, &replace);
        }
        resolve(self.calls.arena(), task.lefts, &mut found);
        let movable = replace.via.is_none() && task.right.owned && !task.right.exposed && found.len() == 1;
        for one in &found {
            let (Some(old), Some(&left)) = (self.enter(task.lefts, *one), task.lefts.get(one.set as usize)) else {
                continue;
            };
            let new = if movable { task.right.node } else { self.new_item(Some(old), task.right, replace.via)? };
            self.warn_renamed(old, task.right.node, rule.by.is_some(), found.len());
            self.note_replaced(old, new, replace.via.is_some());
            self.put(left, one.at as usize, new);
        }
        Ok(())
    }

    fn or_add(&mut self, task: Task<'_>, replace: &ReplaceRule) -> Result<(), Failure> {
        let Some(&left) = task.lefts.first() else {
            return Err(Problem::NoDocument(task.right.node).into());
        };
        let new = self.new_item(None, task.right, replace.via)?;
        self.note_changed_whole();
        self.push(left, new);
        Ok(())
    }

    fn insert(&mut self, mut task: Task<'_>) -> Result<(), Failure> {
        let rule = self.match_rule(&task)?;
        let Some(mut found) = self.select(&mut task, &rule)? else {
            return Ok(());
        };
        let insert = insert_rule(&*self.calls, task.right.node)?;
        self.warn_without_match(&task, &rule, Operation::Insert);
        if !found.is_empty() {
            self.note(Did::CHANGE);
        }
        resolve(self.calls.arena(), task.lefts, &mut found);
        for here in found.chunk_by(|one, next| one.set == next.set) {
            let Some(&left) = here.first().and_then(|first| task.lefts.get(first.set as usize)) else { continue };
            self.insert_into(left, here, task.right, &insert)?;
        }
        Ok(())
    }

    /// Writes a new list of items with the inserted ones; what functions did to the list meanwhile is lost.
    fn insert_into(
        &mut self,
        container: NodeId,
        found: &[Match],
        right: Right,
        insert: &InsertRule,
    ) -> Result<(), Failure> {
        let old = insert.via.map(|_| self.items(container));
        let mut new = Vec::with_capacity(found.len());
        for one in found {
            let at = one.at as usize;
            let item = match &old {
                Some(old) => old.get(at).copied(),
                None => self.arena().item_at(container, at),
            };
            let Some(item) = item else {
                continue;
            };
            self.at(LeftItem { container, at: one.at, item });
            let inserted = self.new_item(Some(item), right, insert.via)?;
            self.note_placed(Val::Node(inserted));
            new.push((at, inserted));
        }
        self.put_beside(container, old, &new, insert);
        Ok(())
    }

    fn append(&mut self, mut task: Task<'_>) -> Result<(), Failure> {
        let Some(&left) = task.lefts.last() else {
            return Err(Problem::NoDocument(task.right.node).into());
        };
        self.warn_not_evaluated(task.right.node);
        self.note_changed_whole();
        self.own(&mut task.right)?;
        self.push(left, task.right.node);
        Ok(())
    }

    fn assert(&mut self, mut task: Task<'_>) -> Result<(), Failure> {
        let below = child_defaults(&*self.calls, task.right.node, task.defaults)?;
        let rule = self.match_rule(&task)?;
        let via = assert_rule(&*self.calls, task.right.node)?;
        self.note_changed_whole();
        let Some(mut found) = self.select(&mut task, &rule)? else {
            return Ok(());
        };
        self.warn_without_match(&task, &rule, Operation::Assert);
        if via.is_some() {
            resolve(self.calls.arena(), task.lefts, &mut found);
        }
        let owned = task.right.owned && !task.right.exposed && found.len() == 1;
        for one in found {
            let Some(item) = self.enter(task.lefts, one) else {
                continue;
            };
            match via {
                Some(via) => self.assert_via(item, task.right, via)?,
                None => assert_part(&self.arena(), item, task.right)?,
            }
            let left = left_value(&mut self.arena_mut(), item)?;
            self.walk_match(left, task.right, &below, owned)?;
        }
        Ok(())
    }

    fn assert_via(&mut self, item: NodeId, right: Right, via: Argument) -> Result<(), Problem> {
        let left = copy_of(&mut self.arena_mut(), item)?;
        let new = copy_of(&mut self.arena_mut(), right.node)?;
        let function = rules::via(&*self.calls, Operation::Assert, via)?;
        let caller = Caller::Via { annotation: Operation::Assert.name(), item: Some(item) };
        let result = self.call(function, &[Arg::Val(left), Arg::Val(new)], caller)?;
        let verdict = match self.calls.see(result) {
            Seen::Null | Seen::Bool(true) => return Ok(()),
            Seen::Bool(false) => Verdict::False,
            Seen::List(values) | Seen::Tuple(values) => match verdict(&*self.calls, &values) {
                Some((true, _)) => return Ok(()),
                Some((false, message)) => Verdict::FalseWith(message),
                None => Verdict::Unknown(self.calls.kind(result)),
            },
            _ => Verdict::Unknown(self.calls.kind(result)),
        };
        Err(Problem::Refused { item, via, verdict })
    }

    /// The item to place for one match: a copy of the right one, with its value or that of `via`.
    fn new_item(&mut self, old: Option<NodeId>, right: Right, via: Option<ValueHandle>) -> Result<NodeId, Problem> {
        let mut value = copy_of(&mut self.arena_mut(), right.node)?;
        if let Some(via) = via {
            let left = old.map_or(Ok(Val::Null), |old| copy_of(&mut self.arena_mut(), old))?;
            let annotation = rules::operation(&*self.calls, right.node)?.name();
            let result = self.call(via, &[Arg::Val(left), Arg::Val(value)], Caller::Via { annotation, item: old })?;
            value = self.calls.to_val(result).map_err(Problem::NoValue)?;
        }
        let mut arena = self.arena_mut();
        let node = arena.get(right.node).clone();
        // Only maps and arrays can be values of items.
        if let (Val::Node(id), Some(kind)) = (value, RightKind::of(&node.body))
            && !matches!(arena.get(id).body, Body::Map(_) | Body::Array(_))
        {
            return Err(Problem::NotPlaceable(kind, arena.get(id).body.kind()));
        }
        let new = arena.add(node.body.emptied(), node.pos);
        arena.get_mut(new).ann = node.ann;
        arena.set_value(new, value);
        drop(arena);
        self.note_raw(new, value);
        Ok(new)
    }
}

/// The value of a left item; a raw one, which a function gave in this very application, becomes nodes.
fn left_value(arena: &mut Arena, item: NodeId) -> Result<Val, Problem> {
    if let Val::Raw(_) = arena.value(item) {
        arena.nodes(Val::Node(item))?;
    }
    Ok(arena.value(item))
}

/// Whether the right value is a part of the left one.
fn assert_part(arena: &Arena, item: NodeId, right: Right) -> Result<(), Problem> {
    part(arena, arena.value(item), arena.value(right.node)).map_err(|difference| Problem::NoPart {
        item,
        right: right.node,
        difference,
    })
}

/// A copy of the value of an item.
fn copy_of(arena: &mut Arena, item: NodeId) -> Result<Val, Problem> {
    let value = arena.value(item);
    Ok(arena.copy_val(value)?)
}

/// A bool and a text, as `via` of an assertion may return them.
pub(super) fn verdict(calls: &dyn Call, values: &[ValueHandle]) -> Option<(bool, Arc<str>)> {
    let [passed, message] = values else {
        return None;
    };
    match (calls.see(*passed), calls.see(*message)) {
        (Seen::Bool(passed), Seen::Str(message)) => Some((passed, message)),
        _ => None,
    }
}
