//! More items match than are allowed: which of them is meant, as far as the overlay itself tells, and how to say so.

use std::collections::HashSet;

use super::junction;
use super::nearest::COMPARISONS;
use super::words::{key_text, scalar_text, step_text};
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::overlay::annotation::{CHILD_DEFAULTS, MATCH, RightKind};
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::overlay::marks::below;
use crate::overlay::problem::{Expected, Unmet};
use crate::quoted;
use crate::source::Span;
use crate::template::code::Binder;
use crate::template::written;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, Body, NodeId, Val};

/// What tells documents apart, the surest first.
const NAMES: [&[&str]; 4] = [&["metadata", "name"], &["metadata", "namespace"], &["kind"], &["apiVersion"]];

/// Keys of an overlay's item that are looked at.
const MOST_KEYS: usize = 20;
/// Values that are shown of those that tell items apart.
const SHOWN: usize = 3;
/// Characters of a value that people take in at a glance.
const SHORT: usize = 30;
/// Bytes of a text that a help writes.
const LONGEST: usize = 60;

/// A help, with its edit where it is clear which one is meant.
#[derive(Default)]
struct Narrower {
    text: String,
    edit: Option<(Span, String)>,
    is_guess: bool,
    /// The others that match lack what is changed: all of them cannot be meant.
    is_only: bool,
    /// What says so.
    label: Option<(Span, String)>,
    /// An edit for each of those that may be meant, with its text.
    each: Vec<(String, Span, String)>,
}

impl Scene<'_> {
    /// More items matched than are allowed.
    pub(super) fn advise_fewer(&self, diagnostic: Diagnostic, unmet: &Unmet) -> Diagnostic {
        let mut diagnostic = match self.same_resource_twice(diagnostic, unmet) {
            Ok(told) => return told,
            Err(diagnostic) => diagnostic,
        };
        let found = unmet.found.len();
        // Who counts on several has another number of them now.
        let counted = matches!((unmet.argument, &unmet.expected), (Some(("expects", _)), Expected::Exactly(wanted)) if *wanted > 1);
        if let (true, Some((name, argument))) = (counted, unmet.argument) {
            let help = format!("if all {found} of them are meant: `expects={found}`");
            let span = self.argument_span(argument.pos, name);
            diagnostic = diagnostic.edit_at(help, span, format!("expects={found}")).guessing();
        }
        let narrower = if counted { None } else { self.narrower(unmet) };
        // What one place made is meant as a whole, as a rule.
        // Who names several ways to match means what each of them finds.
        let by = self.by_span().and_then(|by| self.written(by)).unwrap_or_default();
        let is_either = by.strip_prefix("by=").is_some_and(|by| by.starts_with("overlay.or_op("));
        // What has an edit is told by more than the key.
        let is_key = narrower.as_ref().is_some_and(|one| one.edit.is_none()) && self.is_by_key_alone(unmet, &by);
        let nameless = self.nameless(unmet).filter(|_| narrower.as_ref().is_some_and(|one| one.edit.is_none()));
        let is_one_of_two = narrower.as_ref().is_some_and(|one| !one.each.is_empty());
        let of_all = self.is_of_one_place(unmet)
            || is_either
            || is_key
            || nameless.is_some() && (!is_one_of_two || self.is_for_all(unmet.right));
        let (first, last) = if of_all { (None, narrower) } else { (narrower, None) };
        if let Some(place) = nameless.flatten() {
            diagnostic = diagnostic.label(place, "this matcher asks for no name, so it takes all that are like this");
        }
        if is_one_of_two && !of_all {
            diagnostic = diagnostic.label_at(self.first_change(unmet.right), "this would change each of them");
        }
        if first.as_ref().is_some_and(|first| first.is_only) {
            return with_narrower(diagnostic, first);
        }
        diagnostic = with_narrower(diagnostic, first);
        with_narrower(self.advise_all(diagnostic, unmet), last)
    }

    /// Does everything that matched stand at one place, as what a loop makes?
    fn is_of_one_place(&self, unmet: &Unmet) -> bool {
        let arena = self.arena();
        let mut places = unmet.found.iter().map(|one| arena.span_of(one.item));
        let first = places.next().flatten();
        first.is_some() && places.all(|place| place == first)
    }

    /// Do items of a list match by one key, of which the item has nothing else that tells them apart? Then all that have
    /// its value are as likely meant as any of them.
    fn is_by_key_alone(&self, unmet: &Unmet, by: &str) -> bool {
        let is_key = by.strip_prefix("by=").is_some_and(|by| by.starts_with('"'));
        let by = self.by_span().filter(|_| is_key && unmet.kind == RightKind::ArrayItem);
        let found: Vec<NodeId> = unmet.found.iter().map(|found| found.item).collect();
        by.is_some_and(|by| self.item_by_own_key(&self.arena(), unmet, by, &found).is_none())
    }

    /// Documents or items of a list whose matcher asks for no name, where nobody wrote how many there are: who wants one of
    /// them names it, as a rule, since several are of one kind or type. With the place where the matcher is set, if it is a variable.
    fn nameless(&self, unmet: &Unmet) -> Option<Option<Span>> {
        let by = self.by_span().filter(|_| unmet.kind != RightKind::MapItem && unmet.argument.is_none())?;
        let sources = self.calls.sources();
        let value = self.value_in(by);
        let (matcher, place) = match junction::bound(sources, value) {
            Some((name, Binder::Value(value))) => (value, Some(name)),
            _ => (value, None),
        };
        let called = written::callee(sources, matcher).and_then(|callee| self.written(callee))?;
        let code = sources.get(matcher.source).written(matcher)?.to_owned();
        let names_one = code.contains("name")
            || unmet.kind == RightKind::ArrayItem && ["\"id\"", "'id'"].iter().any(|id| code.contains(id));
        (called == "overlay.subset" && !names_one && !self.sets_what_differs(unmet)).then_some(place)
    }

    /// Does the overlay's item give a value to a key that has another one in each item that matched, as ports have? Then it
    /// is for one of them.
    fn sets_what_differs(&self, unmet: &Unmet) -> bool {
        let arena = self.arena();
        let Some(map) = arena.map_of(arena.value(unmet.right)).filter(|_| unmet.kind == RightKind::ArrayItem) else {
            return false;
        };
        let differs = |key: Val| {
            let value = |item: NodeId| {
                let map = arena.map_of(arena.value(item))?;
                let value = arena.value(arena.find(map, key)?);
                (!matches!(value, Val::Node(_))).then(|| key_text(&arena, value))
            };
            let mut seen = HashSet::new();
            unmet.found.iter().all(|one| value(one.item).is_some_and(|value| seen.insert(value)))
        };
        let is_scalar = |item: &&NodeId| !matches!(arena.value(**item), Val::Node(_));
        arena.items(map).iter().take(MOST_KEYS).filter(is_scalar).any(|item| differs(arena.key(*item)))
    }

    /// How all that matched are changed.
    fn advise_all(&self, diagnostic: Diagnostic, unmet: &Unmet) -> Diagnostic {
        let all = if matches!(unmet.argument, Some(("missing_ok", _))) { "\"0+\"" } else { "\"1+\"" };
        match unmet.argument {
            None => {
                let what = "to change all of them";
                self.add_keyword(diagnostic, unmet.right, what, &format!("expects={all}"))
            }
            Some((name, argument)) => match self.argument_span(argument.pos, name) {
                Some(span) => {
                    let help = format!("to change all of them: `expects={all}`");
                    diagnostic.help_edit(help, span, format!("expects={all}")).silencing()
                }
                None => diagnostic.help(format!("to change all of them: `expects={all}` (see `@{CHILD_DEFAULTS}`)")),
            },
        }
    }

    /// A matcher that takes less: what the right item itself names, else what has the keys that it changes. Else any of
    /// them may be meant: what tells them apart.
    fn narrower(&self, unmet: &Unmet) -> Option<Narrower> {
        let by = self.by_span().filter(|_| unmet.rule.by.is_some())?;
        let found: Vec<NodeId> = unmet.found.iter().map(|found| found.item).collect();
        if found.len() > COMPARISONS {
            return None;
        }
        let taken = match unmet.kind {
            RightKind::Document => self.taken(unmet.right, &found),
            _ => Vec::new(),
        };
        let arena = self.arena();
        let (named, left) = match unmet.kind {
            RightKind::ArrayItem => (self.item_by_own_key(&arena, unmet, by, &found), found),
            RightKind::Document => self.document_by_own_name(&arena, unmet.right, by, found),
            RightKind::MapItem => (None, found),
        };
        if named.is_some() {
            return named;
        }
        if let RightKind::Document = unmet.kind
            && let Some(narrower) = self
                .document_by_own_value(&arena, unmet.right, by, &left)
                .or_else(|| self.document_by_label(&arena, unmet.right, by, &left))
                // Who asks for no name does not mean the one that is left.
                .or_else(|| match self.nameless(unmet) {
                    Some(_) => None,
                    None => self.document_left_over(&arena, &taken, by, &left),
                })
        {
            return Some(narrower);
        }
        if let (RightKind::Document, Some(kind)) = (unmet.kind, self.of_the_kind_that_fits(&arena, unmet, by, &left)) {
            return Some(kind);
        }
        // Who asks for all of them means all.
        let [first, second, ..] = left[..] else { return None };
        if self.written(by)? == "by=overlay.all" {
            return None;
        }
        let (path, value, _) = told_apart(&arena, &left, (first, second))?;
        let keys: Vec<Val> = path.iter().map(|item| arena.key(*item)).collect();
        let there = |item: &NodeId| {
            keys.iter()
                .try_fold(arena.value(*item), |value, key| Some(arena.value(arena.find(arena.map_of(value)?, *key)?)))
        };
        let first_key = arena.str(*keys.first()?)?;
        let key: String = path.iter().map(|item| step_text(&arena, *item)).collect();
        let key = key.trim_start_matches('.');
        let values = || left.iter().filter_map(there);
        let named = self.named_around(&arena, unmet.right, values()).map(|named| (named, "these lines speak"));
        let is_document = unmet.kind == RightKind::Document;
        let by_file = || self.named_by_file(&arena, unmet.right, values()).filter(|_| is_document);
        if let Some((named, who)) = named.or_else(|| by_file().map(|named| (named, "the name of this file speaks"))) {
            let wanted = subset_of(&arena, &path, literal(&arena, named)?)?;
            let shown = named_value(&arena, named);
            let text = format!("{who} of {shown}: to change only the one whose `{key}` is that, ");
            let Some(new) = self.narrowed_to(by, first_key, &wanted, true) else {
                let text = format!("{text}ask for it, too");
                return Some(Narrower { text, label: self.asked_by(by), ..Narrower::default() });
            };
            let text = format!("{text}`{new}`");
            return Some(Narrower { text, edit: Some((by, new)), is_guess: true, ..Narrower::default() });
        }
        let values = left.iter().take(SHOWN).filter_map(|item| literal(&arena, there(item)?));
        let mut known = HashSet::new();
        let values = values.map(|value| format!("`{value}`")).filter(|value| known.insert(value.clone()));
        let mut values: Vec<String> = values.collect();
        if values.is_empty() {
            return None;
        }
        if left.len() > SHOWN {
            values.push("…".to_string());
        }
        // Which one is meant only people know.
        let blank = if matches!(value, Val::Str { .. }) { "\"…\"" } else { "…" };
        let wanted = subset_of(&arena, &path, blank.to_string())?;
        let text = format!("to change only one of them, ask for its `{key}`, which is {}", values.join(" or "));
        let Some(new) = self.narrowed_to(by, first_key, &wanted, true) else {
            // The file has no `overlay`: its matcher is made elsewhere.
            return Some(Narrower { text: format!("{text}, too"), label: self.asked_by(by), ..Narrower::default() });
        };
        let text = format!("{text}: `{new}`");
        let each = match (&left[..], unmet.kind) {
            ([_, _], RightKind::Document) => {
                let edit = |item: &NodeId| {
                    let value = there(item)?;
                    let wanted = subset_of(&arena, &path, literal(&arena, value)?)?;
                    let new = self.narrowed_to(by, first_key, &wanted, true)?;
                    Some((format!("to change only {}, ask for its `{key}`", named_value(&arena, value)), by, new))
                };
                self.by_fit(&arena, unmet.right, &left).iter().map(edit).collect::<Option<Vec<_>>>().unwrap_or_default()
            }
            _ => Vec::new(),
        };
        Some(Narrower { text, each, ..Narrower::default() })
    }

    /// What a function of people's own returns for a matcher.
    fn asked_by(&self, by: Span) -> Option<(Span, String)> {
        let callee = written::callee(self.calls.sources(), self.value_in(by))?;
        let returned = only(self.returned_by(callee)?)?;
        Some((returned, format!("this is what `{}` asks for", self.written(callee)?)))
    }

    /// The first key of an overlay's document whose value is none that others are in.
    fn first_change(&self, right: NodeId) -> Option<Span> {
        let arena = self.arena();
        let mut at = right;
        loop {
            match arena.map_of(arena.value(at)).and_then(|map| arena.items(map).first().copied()) {
                Some(first) => at = first,
                None => return arena.span_of(at).filter(|_| at != right),
            }
        }
    }

    /// A key of the right item whose value one left item has, and no other.
    fn item_by_own_key(&self, arena: &Arena, unmet: &Unmet, by: Span, found: &[NodeId]) -> Option<Narrower> {
        let Val::Node(own) = arena.value(unmet.right) else { return None };
        let items: Vec<NodeId> = unmet.lefts.iter().flat_map(|left| arena.items(*left)).copied().collect();
        let keys = arena.items(own);
        if items.len().saturating_mul(keys.len()) > COMPARISONS {
            return None;
        }
        let value = |item: &NodeId, key: Val| match arena.value(*item) {
            Val::Node(map) => arena.find(map, key).map(|there| arena.value(there)),
            _ => None,
        };
        let has_it = |item: &NodeId, own: NodeId| {
            value(item, arena.key(own)).is_some_and(|there| leaf(arena, there, arena.value(own)))
        };
        let is_named = |own: &NodeId| arena.str(arena.key(*own)) == Some("name");
        let mut keys: Vec<NodeId> = keys.to_vec();
        keys.sort_by_key(|own| !is_named(own));
        let tells_apart = |own: &NodeId| {
            !matches!(arena.value(*own), Val::Node(_) | Val::Raw(_) | Val::Null)
                && found.iter().filter(|item| has_it(item, *own)).count() == 1
        };
        let own = keys.into_iter().find(tells_apart)?;
        let key = arena.str(arena.key(own)).filter(|key| needs_no_quotes(key))?;
        let is_alone = items.iter().filter(|item| has_it(item, own)).count() == 1;
        let new = match is_alone && items.iter().all(|item| value(item, arena.key(own)).is_some()) {
            true => format!("by={}", quoted::starlark(key)),
            false => self.narrowed(by, &[own], arena.value(own), true)?,
        };
        let shown = named_value(arena, arena.value(own));
        let text = format!("this item's `{key}` is {shown}: to change only that one, `{new}`");
        Some(Narrower { text, edit: Some((by, new)), is_guess: !is_named(&own), ..Narrower::default() })
    }

    /// A name of the right document that one left one has, and no other; else those that have the same names.
    fn document_by_own_name(
        &self,
        arena: &Arena,
        right: NodeId,
        by: Span,
        mut found: Vec<NodeId>,
    ) -> (Option<Narrower>, Vec<NodeId>) {
        for name in NAMES {
            let Some(own) = way(arena, arena.value(right), name) else { continue };
            let Some(value) = own.last().map(|item| arena.value(*item)) else { continue };
            if matches!(value, Val::Node(_) | Val::Raw(_) | Val::Null) {
                continue;
            }
            let has_it = |document: &NodeId| has_at(arena, *document, name, value);
            let fitting: Vec<NodeId> = found.iter().copied().filter(has_it).collect();
            if let ([_], [_, _, ..]) = (&fitting[..], &found[..])
                && let Some(new) = self.narrowed(by, &own, value, true)
            {
                let shown = named_value(arena, value);
                let text =
                    format!("this overlay's `{}` is {shown}: to change only that one, ask for it", name.join("."));
                return (Some(Narrower { text, edit: Some((by, new)), ..Narrower::default() }), fitting);
            }
            if !fitting.is_empty() {
                found = fitting;
            }
        }
        (None, found)
    }

    /// The only left document that has a value which the right one sets as well, where the others have other values.
    fn document_by_own_value(&self, arena: &Arena, right: NodeId, by: Span, found: &[NodeId]) -> Option<Narrower> {
        const MOST: usize = 50;
        let mut open = vec![(Vec::new(), arena.value(right))];
        let mut looked_at = 0_usize;
        while let Some((path, value)) = open.pop() {
            if let Some(map) = arena.map_of(value) {
                for &item in arena.items(map).iter().rev() {
                    let inner: Vec<NodeId> = path.iter().copied().chain([item]).collect();
                    open.push((inner, arena.value(item)));
                }
                continue;
            }
            looked_at = looked_at.saturating_add(1);
            if looked_at > MOST || looked_at.saturating_mul(found.len()) > COMPARISONS {
                return None;
            }
            let keys: Vec<&str> = path.iter().filter_map(|item| arena.str(arena.key(*item))).collect();
            if keys.len() != path.len() || !matches!(value, Val::Str { .. }) {
                continue;
            }
            let there =
                |document: &NodeId| way(arena, arena.value(*document), &keys)?.last().map(|item| arena.value(*item));
            let (same, others): (Vec<NodeId>, Vec<NodeId>) =
                found.iter().partition(|document| there(document).is_some_and(|other| leaf(arena, other, value)));
            let ([only], true) = (&same[..], !others.is_empty() && others.iter().all(|other| there(other).is_some()))
            else {
                continue;
            };
            let (named, name, _) = told_apart(arena, found, (*only, *others.first()?))?;
            let new = self.narrowed(by, &named, name, true)?;
            let (shown, set) = (named_value(arena, name), named_value(arena, value));
            let text = format!(
                "of these, only {shown} has {set} as its `{}`, as here: to change only that one",
                keys.join(".")
            );
            return Some(Narrower { text, edit: Some((by, new)), is_guess: true, ..Narrower::default() });
        }
        None
    }

    /// The only left document with a label that lines of the right one name, as a selector does.
    fn document_by_label(&self, arena: &Arena, right: NodeId, by: Span, found: &[NodeId]) -> Option<Narrower> {
        const MOST: usize = 200;
        let named = below(arena, right).ok()?.into_iter().take(MOST).find_map(|item| {
            let key = arena.str(arena.key(item))?;
            let value = Some(arena.value(item)).filter(|value| matches!(value, Val::Str { .. }))?;
            let has_it = |document: &NodeId| has_at(arena, *document, &["metadata", "labels", key], value);
            Some((item, key, value, only(found.iter().copied().filter(has_it))?))
        });
        let (item, key, value, meant) = named?;
        let other = found.iter().find(|other| **other != meant)?;
        let (path, name, _) = told_apart(arena, found, (meant, *other))?;
        let new = self.narrowed(by, &path, name, true)?;
        let shown = named_value(arena, name);
        let label = format!("of these, only {shown} has this label");
        let text = format!(
            "these lines name `{key}: {}`, a label of {shown}: to change only that one",
            key_text(arena, value)
        );
        let label = arena.span_of(item).map(|span| (span, label));
        Some(Narrower { text, edit: Some((by, new)), is_guess: true, label, ..Narrower::default() })
    }

    /// The only left document that no other overlay of the file names.
    fn document_left_over(
        &self,
        arena: &Arena,
        taken: &[(NodeId, NodeId)],
        by: Span,
        found: &[NodeId],
    ) -> Option<Narrower> {
        let meant = only(found.iter().copied().filter(|one| taken.iter().all(|(_, other)| other != one)))?;
        let (overlay, other) = taken.iter().find(|(_, other)| found.contains(other))?;
        let (path, name, named) = told_apart(arena, found, (meant, *other))?;
        let new = self.narrowed(by, &path, name, true)?;
        let [name, named] = [name, named].map(|value| named_value(arena, value));
        let text = format!("{named} has an overlay of its own in this file: to change only {name}");
        let span = self.annotation_span(*overlay, MATCH).or_else(|| arena.span_of(*overlay));
        let label = span.map(|span| (span, format!("this one changes {named}")));
        Some(Narrower { text, edit: Some((by, new)), is_guess: true, label, ..Narrower::default() })
    }

    /// The only kind of which a document has all keys that the overlay changes, where those of other kinds lack one.
    fn of_the_kind_that_fits(&self, arena: &Arena, unmet: &Unmet, by: Span, found: &[NodeId]) -> Option<Narrower> {
        let has_all = |document: &NodeId| self.has_all(arena, arena.value(*document), arena.value(unmet.right), 0);
        let (fitting, others): (Vec<NodeId>, Vec<NodeId>) = found.iter().partition(|document| has_all(document));
        let path = way(arena, arena.value(*fitting.first()?), &["kind"])?;
        let kind = arena.value(*path.first()?);
        let is_of_it = |document: &NodeId| has_at(arena, *document, &["kind"], kind);
        if others.is_empty() || !fitting.iter().all(is_of_it) || others.iter().any(is_of_it) {
            return None;
        }
        let new = self.narrowed(by, &path, kind, true)?;
        let shown = named_value(arena, kind);
        // What the match says of numbers may not fit then.
        if fitting.len() > 1 && unmet.argument.is_some() {
            return None;
        }
        Some(match fitting.len() {
            1 => {
                let text = format!("of these, only the {shown} has the keys that are changed here: ask for its kind");
                Narrower { text, edit: Some((by, new)), is_only: true, ..Narrower::default() }
            }
            _ => {
                let text = format!("of these, every {shown} has the keys that are changed here: ask for that kind");
                let edit = Some((by, format!("{new}, expects=\"1+\"")));
                Narrower { text, edit, is_guess: true, ..Narrower::default() }
            }
        })
    }
}

fn with_narrower(diagnostic: Diagnostic, narrower: Option<Narrower>) -> Diagnostic {
    let Some(Narrower { text, edit, is_guess, label, each, .. }) = narrower else { return diagnostic };
    let diagnostic = label.into_iter().fold(diagnostic, |told, (span, text)| told.label(span, text));
    if !each.is_empty() {
        return each.into_iter().fold(diagnostic, |told, (text, span, new)| told.help_edit(text, span, new).guessing());
    }
    let told = match edit {
        Some((span, new)) => diagnostic.help_edit(text, span, new),
        None => diagnostic.help(text),
    };
    if is_guess { told.guessing() } else { told }
}

/// A scalar in backticks.
fn named_value(arena: &Arena, value: Val) -> String {
    match scalar_text(arena, value) {
        text if text.starts_with('`') => text,
        text => format!("`{text}`"),
    }
}

/// The items of maps that keys lead to.
fn way(arena: &Arena, mut value: Val, keys: &[&str]) -> Option<Vec<NodeId>> {
    keys.iter()
        .map(|key| {
            let Val::Node(map) = value else { return None };
            let item = arena.find_str(map, key)?;
            value = arena.value(item);
            Some(item)
        })
        .collect()
}

fn has_at(arena: &Arena, document: NodeId, keys: &[&str], wanted: Val) -> bool {
    let there = way(arena, arena.value(document), keys).and_then(|way| way.last().copied());
    there.is_some_and(|item| leaf(arena, arena.value(item), wanted))
}

/// What tells items apart, as [`first_difference`] gives it: a name that is another one for each, else one that two of them
/// do not share, else anything.
pub(super) fn told_apart(
    arena: &Arena,
    all: &[NodeId],
    (first, second): (NodeId, NodeId),
) -> Option<(Vec<NodeId>, Val, Val)> {
    const KEYS: [&[&str]; 5] = [&["metadata", "name"], &["metadata", "namespace"], &["kind"], &["name"], &["id"]];
    let at = |item: NodeId, keys: &[&str]| {
        let path = way(arena, arena.value(item), keys)?;
        let value = arena.value(*path.last()?);
        (!matches!(value, Val::Node(_) | Val::Raw(_) | Val::Null)).then_some((path, value))
    };
    let differs = |keys: &[&str]| {
        let ((path, one), (_, other)) = (at(first, keys)?, at(second, keys)?);
        (!leaf(arena, one, other)).then_some((path, one, other))
    };
    let is_own = |keys: &[&str]| {
        let values: Option<HashSet<String>> =
            all.iter().map(|item| at(*item, keys).map(|(_, value)| key_text(arena, value))).collect();
        values.is_some_and(|values| values.len() == all.len())
    };
    let own = KEYS.into_iter().filter(|keys| is_own(keys)).find_map(differs);
    own.or_else(|| KEYS.into_iter().find_map(differs)).or_else(|| {
        let is_short = |value: Val| scalar_text(arena, value).chars().count() <= SHORT;
        let (one, other) = (arena.value(first), arena.value(second));
        let mut differences = Differences::between(arena, one, other);
        differences.find(|(_, a, b)| is_short(*a) && is_short(*b)).or_else(|| first_difference(arena, one, other))
    })
}

/// The first path in which two values differ, as the items of the one, and what is there.
pub(super) fn first_difference(arena: &Arena, a: Val, b: Val) -> Option<(Vec<NodeId>, Val, Val)> {
    Differences::between(arena, a, b).next()
}

/// The paths in which two values differ, in order, as far as may be looked for.
struct Differences<'a> {
    arena: &'a Arena,
    open: Vec<(Vec<NodeId>, Val, Val)>,
    left: usize,
}

impl<'a> Differences<'a> {
    fn between(arena: &'a Arena, a: Val, b: Val) -> Differences<'a> {
        Differences { arena, open: vec![(Vec::new(), a, b)], left: COMPARISONS }
    }
}

impl Iterator for Differences<'_> {
    type Item = (Vec<NodeId>, Val, Val);

    fn next(&mut self) -> Option<Self::Item> {
        let arena = self.arena;
        while let Some((path, a, b)) = self.open.pop() {
            self.left = self.left.checked_sub(1)?;
            let (Val::Node(x), Val::Node(y)) = (a, b) else {
                if leaf(arena, a, b) || path.is_empty() {
                    continue;
                }
                return Some((path, a, b));
            };
            if let (Body::Map(items), Body::Map(_)) = (&arena.get(x).body, &arena.get(y).body) {
                for &item in items.iter().rev() {
                    if let Some(other) = arena.find(y, arena.key(item)) {
                        let mut path = path.clone();
                        path.push(item);
                        self.open.push((path, arena.value(item), arena.value(other)));
                    }
                }
            }
        }
        None
    }
}

/// The argument of `overlay.subset` that asks for a value at a path, as Starlark.
pub(super) fn subset(arena: &Arena, path: &[NodeId], value: Val) -> Option<String> {
    subset_of(arena, path, literal(arena, value)?)
}

/// A scalar as Starlark, unless it is long.
pub(super) fn literal(arena: &Arena, value: Val) -> Option<String> {
    Some(match value {
        Val::Str { .. } => arena.str(value).filter(|text| text.len() <= LONGEST).map(quoted::starlark)?,
        Val::Int(_) | Val::UInt(_) => key_text(arena, value),
        Val::Bool(value) => if value { "True" } else { "False" }.to_string(),
        Val::Null => "None".to_string(),
        _ => return None,
    })
}

/// A dict that has code at a path.
fn subset_of(arena: &Arena, path: &[NodeId], code: String) -> Option<String> {
    path.iter().rev().try_fold(code, |inner, item| {
        let key = arena.str(arena.key(*item)).filter(|key| key.len() <= LONGEST)?;
        Some(format!("{{{}: {inner}}}", quoted::starlark(key)))
    })
}
