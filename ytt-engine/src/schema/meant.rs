//! Which declared key was probably meant by one that is not declared.

use super::misfit::{Checked, Told};
use crate::diag::Diagnostic;
use crate::diag::suggest::{self, either, listed};
use crate::nearest::only;
use crate::source::{Source, Span};
use crate::template::written::is_dotted;
use crate::validate::key_text;
use crate::yaml::words::kind_name;
use crate::yaml::{NodeId, Val};

use super::{MapType, TypeKind};

impl Told<'_> {
    /// Says which key was probably meant, with the edit if it is written where the wrong one is.
    pub(super) fn meant(
        &self,
        told: Diagnostic,
        (item, map): (NodeId, &MapType),
        key: &str,
        near: &str,
        text: String,
    ) -> Diagnostic {
        if let Some(told) = self.meant_in_map(&told, item, map, near) {
            return told;
        }
        let span = match self.from {
            // The nodes of an annotation's value have the place of what is annotated.
            Checked::Default(_) | Checked::Example(..) => self.in_code().and_then(|entry| entry.key),
            Checked::Values => self.arena.span_of(item).or_else(|| self.made()?.key),
        };
        let written = span.filter(|span| {
            let source = self.sources.get(span.source);
            let is_plain = near.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
            let behind =
                || source.written(Span { start: span.end, end: source.line_range(source.line(span.end)).end, ..*span });
            // The name of an argument has no dash.
            let is_argument = || behind().is_some_and(|behind| behind.trim_start().starts_with('='));
            source.written(*span) == Some(key) && is_plain && key != near && !(near.contains('-') && is_argument())
        });
        let declared = self.declared(map, near).and_then(|id| self.arena.place(self.schema.item(id).pos));
        let declared = declared.map(|place| place.key()).filter(|place| {
            // A label may have a part of that line already.
            told.parts().labels.iter().all(|label| label.span.source != place.source || label.span.start != place.start)
        });
        let told = told.label_at(declared, format!("`{near}` is declared here"));
        match written {
            Some(span) => told.help_edit(text, span, near),
            None => told.help(text),
        }
    }

    /// A scalar under a name that is near the one of a map: the only key of that map which takes it, or that a map is wanted.
    fn meant_in_map(&self, told: &Diagnostic, item: NodeId, map: &MapType, near: &str) -> Option<Diagnostic> {
        let TypeKind::Map(inside) = &self.schema.inner(self.schema.item(self.declared(map, near)?).ty).kind else {
            return None;
        };
        let value = self.arena.value(item);
        if matches!(value, Val::Null | Val::Node(_) | Val::Raw(_)) {
            return None;
        }
        let told = told.clone();
        let Some(only) = self.only_member(item, value, inside) else {
            return Some(
                told.help(format!("did you mean `{near}`? It is a map, and takes no {}", kind_name(self.arena, value))),
            );
        };
        let key = key_text(self.arena, self.schema.item(only).key);
        if let Some((span, path)) = self.in_flag(item, &self.beside_path(&format!("{near}.{key}"))) {
            return Some(self.given_there(told, item, self.schema.item(only).ty, (span, path)));
        }
        let text = format!("did you mean `{key}` of `{near}`?");
        Some(match self.member_edit(item, near, &key) {
            Some((span, new)) => told.help_edit(text, span, new).guessing(),
            None => told.help(text),
        })
    }

    /// The path with other keys in place of its last one.
    fn beside_path(&self, keys: &str) -> String {
        match self.path.rsplit_once('.') {
            Some((around, _)) => format!("{around}.{keys}"),
            None => keys.to_owned(),
        }
    }

    /// The only declared map that is not given and has the keys of what was given: its key, and where that stands. One key
    /// is enough where nothing else is undeclared beside.
    pub(super) fn of_same_shape(&self, container: NodeId, item: NodeId, map: &MapType) -> Option<(String, Span)> {
        let given = self.arena.items(self.arena.map_of(self.arena.value(item))?);
        let is_declared = |item: &&NodeId| self.schema.declared_item(map, self.arena, self.arena.key(**item)).is_some();
        let others = self.arena.items(container).iter().filter(|other| **other != item);
        let least = if others.into_iter().all(|other| is_declared(&other)) { 1 } else { 2 };
        let fitting = map.items.iter().filter(|id| {
            let TypeKind::Map(inner) = &self.schema.inner(self.schema.item(**id).ty).kind else { return false };
            let has = |item: &NodeId| self.schema.declared_item(inner, self.arena, self.arena.key(*item)).is_some();
            let key = key_text(self.arena, self.schema.item(**id).key);
            given.len() >= least && given.iter().all(has) && !self.is_set(container, map, &key)
        });
        let only = only(fitting)?;
        let declared = self.schema.item(*only);
        Some((key_text(self.arena, declared.key), self.arena.place(declared.pos)?.key()))
    }

    /// Is the declared key given, too? A default stands where it is declared.
    pub(super) fn is_set(&self, container: NodeId, map: &MapType, key: &str) -> bool {
        let given = self.arena.find_str(container, key).and_then(|item| self.arena.span_of(item));
        let mut declared = map.items.iter().map(|id| self.arena.place(self.schema.item(*id).pos));
        given.is_some_and(|given| declared.all(|place| place.is_none_or(|place| place.key() != given)))
    }

    /// Whether a declared key takes the value of an item, as far as its kind goes.
    pub(super) fn takes(&self, map: &MapType, key: &str, item: NodeId) -> bool {
        let value = self.arena.value(item);
        let declared = self.declared(map, key).map(|id| self.schema.inner(self.schema.item(id).ty));
        let is_collection = matches!(value, Val::Node(_) | Val::Raw(_));
        declared
            .is_none_or(|ty| is_collection || self.in_flag(item, self.path).is_some() || ty.allows(self.schema, value))
    }

    /// The one declared key that a map does not set, if it has another in its place.
    pub(super) fn only_key_left(&self, container: NodeId, map: &MapType) -> Option<String> {
        let set = self.arena.items(container);
        (set.len() == map.items.len() && set.len() > 1).then_some(())?;
        let is_set = |key: Val| set.iter().any(|item| self.arena.same(self.arena.key(*item), key));
        let left = map.items.iter().map(|id| self.schema.item(*id).key).filter(|key| !is_set(*key));
        let only = only(left)?;
        Some(key_text(self.arena, only))
    }

    /// The declared keys that are not set of which one was probably meant by the one that is given: of several those that take
    /// its value, if some do.
    pub(super) fn like_it(&self, (container, item): (NodeId, NodeId), map: &MapType, key: &str) -> Vec<String> {
        let declared: Vec<String> =
            map.items.iter().map(|id| key_text(self.arena, self.schema.item(*id).key)).collect();
        let unset = declared.iter().map(String::as_str).filter(|declared| !self.is_set(container, map, declared));
        let names = suggest::meant(key, unset).names;
        let fitting: Vec<&str> = names.iter().copied().filter(|name| self.takes(map, name, item)).collect();
        let names = if fitting.is_empty() { names } else { fitting };
        names.into_iter().map(str::to_owned).collect()
    }

    /// A struct that is given as a whole, with more than is declared: its members that are.
    pub(super) fn whole_given(&self, told: &Diagnostic, container: NodeId, map: &MapType) -> Option<Diagnostic> {
        let place = self.given.filter(|_| !self.path.contains(['.', '[']))?.place(self.sources);
        let code = self.sources.get(place.source).written(place)?.to_owned();
        let is_declared = |item: &NodeId| self.schema.declared_item(map, self.arena, self.arena.key(*item)).is_some();
        let fits = |item: &&NodeId| {
            let inner = self.arena.map_of(self.arena.value(**item)).map(|inner| self.arena.items(inner));
            !is_declared(item) && inner.is_some_and(|inner| !inner.is_empty() && inner.iter().all(is_declared))
        };
        let mut whole = self.arena.items(container).iter().filter(fits);
        if let (Some(only), None, true) = (whole.next(), whole.next(), is_dotted(&code)) {
            let key = key_text(self.arena, self.arena.key(*only));
            let new = format!("{code}.{key}");
            return is_dotted(&key).then(|| {
                let text = format!("did you mean `{new}`? It has just what is declared");
                let others = self.arena.items(container).iter().filter(|item| !is_declared(item) && *item != only);
                let others: Vec<String> = others.map(|item| key_text(self.arena, self.arena.key(*item))).collect();
                let told = match listed(others.iter().map(String::as_str)) {
                    Some(others) => told.clone().note(format!("`{code}` has, beside `{key}`: {others}")),
                    None => told.clone(),
                };
                // A dict has no fields.
                told.help_edit(text, place, new).if_it_mends()
            });
        }
        let declared = map.items.iter().map(|id| self.schema.item(*id).key);
        let given = declared.filter_map(|key| self.arena.str(self.arena.find(container, key).map(|_| key)?));
        let given: Vec<&str> = given.filter(|key| self.is_of_given(container, map, key)).collect();
        if !is_dotted(&code) || given.is_empty() || !given.iter().all(|key| is_dotted(key) && !key.contains('.')) {
            return None;
        }
        let members: Vec<String> = given.iter().map(|key| format!("\"{key}\": {code}.{key}")).collect();
        let new = format!("{{{}}}", members.join(", "));
        Some(told.clone().help_edit("give what is declared of it", place, new))
    }

    /// Was the item given by the call, and is it no default? What code made has no place.
    fn is_of_given(&self, container: NodeId, map: &MapType, key: &str) -> bool {
        let is_made = |item: NodeId| self.arena.span_of(item).is_none();
        self.arena.find_str(container, key).is_some_and(|item| is_made(item) || self.is_set(container, map, key))
    }

    /// The problem with what is near, where no edit is right: several keys are as near, or the near one is set beside.
    pub(super) fn without_edit(
        &self,
        told: &Diagnostic,
        (container, item, map): (NodeId, NodeId, &MapType),
        alike: &[&str],
        proposed: Option<&str>,
    ) -> Option<Diagnostic> {
        let near = if alike.is_empty() { proposed.as_slice() } else { alike };
        let beside = |key: &str| self.beside(container, item, key);
        let open: Vec<&str> = near.iter().copied().filter(|key| beside(key).is_none()).collect();
        let told = match (&open[..], near) {
            ([], [first, ..]) => {
                let told = told.clone().label(beside(first)?, format!("`{first}` is given here already"));
                told.help(format!("if `{first}` is meant, which is given already, keep one of the two"))
            }
            ([only], [_, _, ..]) => {
                let key = key_text(self.arena, self.arena.key(item));
                self.meant(told.clone(), (item, map), &key, only, format!("did you mean `{only}`?")).guessing()
            }
            ([_, _, ..], _) => told.clone().help(format!("did you mean {}?", either(&open))),
            _ => return None,
        };
        Some(proposed.into_iter().fold(told, Diagnostic::proposing))
    }

    /// Where a key is written in the map of another one; what is merged comes from other documents.
    fn beside(&self, container: NodeId, item: NodeId, key: &str) -> Option<Span> {
        let own = self.arena.span_of(item)?;
        let source = self.sources.get(own.source);
        let is_here = |other: &Span| {
            own.source == other.source && *other != own && source.document(own.start) == source.document(other.start)
        };
        let given = self.arena.find_str(container, key).and_then(|given| self.arena.span_of(given));
        // What could not be merged is not there.
        given.filter(is_here).or_else(|| written_beside(&source, own, key))
    }
}

/// Lines on which a key is looked for, in each direction.
const LINES: u32 = 100;

/// The line of a key as far to the right as another one, with nothing between them that is farther to the left.
fn written_beside(source: &Source, own: Span, key: &str) -> Option<Span> {
    let line = source.line(own.start);
    let column = |text: &str| text.len().checked_sub(text.trim_start().len());
    let indent = column(&source.line_text(line))?;
    let is_inside = |line: &u32| {
        let text = source.line_text(*line);
        let is_shown = !text.trim().is_empty() && !text.trim_start().starts_with('#');
        // A function has maps of its own.
        let begins_function =
            text.trim_start().strip_prefix("#@").is_some_and(|code| code.trim_start().starts_with("def "));
        let is_of_map = || {
            column(&text).is_some_and(|at| at >= indent) && text.trim() != "---" && !text.trim_start().starts_with("- ")
        };
        !begins_function && (!is_shown || is_of_map())
    };
    let is_it = |line: &u32| {
        let text = source.line_text(*line);
        let rest = text.get(indent..).and_then(|rest| rest.strip_prefix(key));
        column(&text) == Some(indent) && rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    let last = source.line(u32::try_from(source.text.as_bytes().len()).ok()?);
    let above = (1..line).rev().take(LINES as usize).take_while(is_inside).find(is_it);
    let below = || (line.saturating_add(1)..=last).take(LINES as usize).take_while(is_inside).find(is_it);
    let start = source.line_range(above.or_else(below)?).start.checked_add(u32::try_from(indent).ok()?)?;
    let end = start.checked_add(u32::try_from(key.len()).ok()?)?;
    // Where the key itself begins its line, the two are in one map.
    let begins = source.line_range(line).start.checked_add(u32::try_from(indent).ok()?)?;
    (begins == own.start).then(|| Span::new(own.source, start, end))
}
