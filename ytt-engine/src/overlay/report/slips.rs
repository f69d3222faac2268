//! Slips of whoever knows overlays from hearsay: patterns in a `subset`, the name of a new item in a matcher that says beside
//! which one it goes, the two arguments of `overlay.apply` the other way round.

use super::cause::Cause;
use super::nearest::COMPARISONS;
use super::other_way::{BY_THE_SECOND, FIRST, IS_CHANGED, OtherWay};
use super::parts::{at_path, leaves};
use super::several::{literal, subset};
use super::words::scalar_text;
use crate::diag::{Diagnostic, Fact, Label};
use crate::overlay::annotation::{CHILD_DEFAULTS, MATCH, Operation, RightKind};
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::overlay::matcher::{Target, Test};
use crate::overlay::problem::Unmet;
use crate::overlay::rules;
use crate::quoted;
use crate::source::{Span, to_u32};
use crate::template::chain;
use crate::template::code::FileCode;
use crate::yaml::{Annotation, Arena, Body, NodeId, Val};

impl Scene<'_> {
    /// A slip that explains why an item matches nothing.
    pub(super) fn slip(&self, unmet: &Unmet) -> Option<Cause> {
        self.pattern(unmet)
            .or_else(|| self.one_of(unmet))
            .or_else(|| self.inserted_by_own_name(unmet))
            .or_else(|| self.swapped(unmet))
    }

    /// A `subset` that looks for a text with `*`, where the texts there are such as the pattern means.
    fn pattern(&self, unmet: &Unmet) -> Option<Cause> {
        let Some(Test::Subset(Target::Val(wanted))) = unmet.test else { return None };
        let wanted = self.calls.arena().borrow_mut().nodes(wanted).ok()?;
        let arena = self.arena();
        let leaves = leaves(&arena, wanted);
        let pattern = |value: Val| Pattern::read(arena.str(value)?);
        let (at, pattern) = leaves.iter().enumerate().find_map(|(at, (_, value))| Some((at, pattern(*value)?)))?;
        let (path, value) = leaves.get(at)?;
        let items = unmet.lefts.iter().flat_map(|left| arena.items(*left)).take(COMPARISONS);
        let text_of = |item: &NodeId| {
            let (there, _) = at_path(&arena, arena.value(*item), path)?;
            arena.str(there)
        };
        let found = items.filter_map(text_of).find(|text| pattern.takes(text))?.to_owned();
        let by = self.by_span()?;
        let span = self.literal(by, arena.str(*value)?).unwrap_or(by);
        let label = Label { span, text: format!("a `subset` knows no patterns, and `{found}` is another text") };
        let keys = path.iter().map(|(item, _)| arena.str(arena.key(*item)).map(quoted::starlark));
        let keys: String = keys.collect::<Option<Vec<_>>>()?.iter().map(|key| format!("[{key}]")).collect();
        let mut tests = vec![format!("lambda i, left, right: {}", pattern.code(&format!("left{keys}")))];
        for (path, value) in leaves.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, leaf)| leaf) {
            let steps: Vec<NodeId> = path.iter().map(|(item, _)| *item).collect();
            tests.insert(tests.len().checked_sub(1)?, format!("overlay.subset({})", subset(&arena, &steps, *value)?));
        }
        let new = match &tests[..] {
            [only] => format!("by={only}"),
            all => format!("by=overlay.and_op({})", all.join(", ")),
        };
        let cause = Cause { instead: (span == by).then(|| Label { span, ..label.clone() }), ..Cause::default() };
        let mut cause = if span == by { cause } else { Cause::new(Some(span), label.text) };
        cause.is_guess = true;
        Some(cause.help("ask by a function", Some((by, new))))
    }

    /// A `subset` with a list of texts, where the left items have one of them each: any of them is meant.
    fn one_of(&self, unmet: &Unmet) -> Option<Cause> {
        let Some(Test::Subset(Target::Val(wanted))) = unmet.test else { return None };
        let wanted = self.calls.arena().borrow_mut().nodes(wanted).ok()?;
        let arena = self.arena();
        let by = self.by_span()?;
        let written = self.written(by)?;
        let matcher = written.strip_prefix("by=").unwrap_or(&written);
        let (before, rest) = matcher.split_once('[')?;
        let (list, behind) = rest.split_once(']').filter(|(list, rest)| !list.contains('[') && !rest.contains('['))?;
        let leaves = leaves(&arena, wanted);
        // The leaves of a list end with its items.
        let in_list = leaves.iter().filter(|(path, _)| {
            path.last().is_some_and(|(item, _)| matches!(arena.get(*item).body, Body::ArrayItem(_)))
        });
        let texts: Vec<(&[(NodeId, usize)], Val)> =
            in_list.filter_map(|(path, value)| Some((path.split_last()?.1, *value))).collect();
        let (path, _) = texts.first().filter(|_| texts.len() > 1)?;
        let items = unmet.lefts.iter().flat_map(|left| arena.items(*left)).take(COMPARISONS);
        let there = items.filter_map(|item| at_path(&arena, arena.value(*item), path));
        let fitting = there.filter(|(there, _)| texts.iter().any(|(_, text)| leaf(&arena, *there, *text)));
        let (_, holder) = fitting.take(COMPARISONS).next()?;
        let alternatives: Option<Vec<String>> =
            texts.iter().map(|(_, text)| Some(format!("{before}{}{behind}", literal(&arena, *text)?))).collect();
        let expects = if unmet.argument.is_none() { ", expects=\"1+\"" } else { "" };
        let new = format!("by=overlay.or_op({}){expects}", alternatives?.join(", "));
        let start = to_u32(written.len().checked_sub(matcher.len())?.checked_add(before.len())?);
        let start = by.start.checked_add(start)?;
        let span = Span { start, end: start.checked_add(to_u32(list.len().checked_add(2)?))?, ..by };
        let mut cause = Cause::new(Some(span), "a list is compared as a list, and not with each of its texts");
        cause
            .labels
            .push((holder.and_then(|holder| self.mark(&arena, holder)), "one of these texts is here".to_owned()));
        Some(cause.help("to match what has any of them", Some((by, new))).guessing(true))
    }

    /// An item to insert that is itself looked for: what is matched is the one beside which it goes.
    fn inserted_by_own_name(&self, unmet: &Unmet) -> Option<Cause> {
        let Some(Test::Key(key)) = unmet.test else { return None };
        let operation = rules::operation(&*self.calls, unmet.right).ok()?;
        (operation == Operation::Insert && unmet.kind == RightKind::ArrayItem).then_some(())?;
        let arena = self.arena();
        let key = arena.str(key)?;
        let has_it = |item: &NodeId| {
            let there = arena.find_str(arena.map_of(arena.value(*item))?, key)?;
            literal(&arena, arena.value(there))
        };
        let names: Vec<String> =
            unmet.lefts.iter().flat_map(|left| arena.items(*left)).take(SHOWN).filter_map(has_it).collect();
        let all: usize = unmet.lefts.iter().map(|left| arena.count(*left)).sum();
        let mut shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        if all > SHOWN {
            shown.push("…".to_owned());
        }
        let help = format!(
            "match the one beside which it goes, by its `{key}` ({}): `by=overlay.subset({{{}: …}})`",
            shown.join(", "),
            quoted::starlark(key)
        );
        let mut cause = Cause::default();
        let values =
            || {
                unmet.lefts.iter().flat_map(|left| arena.items(*left)).filter_map(|item| {
                    Some((*item, arena.value(arena.find_str(arena.map_of(arena.value(*item))?, key)?)))
                })
            };
        // What the lines of the document speak of is where it goes.
        let document = self.trail.first().map_or(unmet.right, |step| step.node);
        let around = self.named_around(&arena, document, values().map(|(_, value)| value));
        let named = around.and_then(|named| values().find(|(_, value)| leaf(&arena, *value, named)));
        let spoken = named.is_some();
        let named = named.or_else(|| values().next().filter(|_| all == 1));
        if let (Some((item, value)), Some(by)) = (named, self.by_span()) {
            let name = literal(&arena, value)?;
            let new = format!("by=overlay.subset({{{}: {name}}})", quoted::starlark(key));
            let shown = scalar_text(&arena, value);
            let text = match spoken {
                true => format!("{shown}, of which the lines of the overlay speak"),
                false => format!("{shown}, the only item that is there"),
            };
            cause = Cause::new(self.mark_left(&arena, item), text);
            cause.is_guess = true;
            cause = cause.help(format!("if it goes beside {shown}, match that"), Some((by, new)));
        }
        // Where nothing says which one is meant, no edit puts the item anywhere.
        let is_sure = named.is_some();
        if !is_sure && all <= SHOWN {
            let there = values().map(|(item, _)| (self.mark_left(&arena, item), "it may go beside this".to_owned()));
            cause.labels.extend(there);
        }
        let cause = if is_sure && all == 1 { cause } else { cause.help(help, None) };
        let edit = || {
            let anns = [MATCH, operation.name()].map(|name| arena.ann(unmet.right, name));
            let spans = anns.map(|ann| ann.and_then(|ann| self.whole_annotation(&arena, ann)));
            let [Some(one), Some(other)] = spans else { return None };
            let (first, last) = if one.start < other.start { (one, other) } else { (other, one) };
            let between = self.written(Span { start: first.end, end: last.start, ..first })?;
            between
                .trim()
                .is_empty()
                .then(|| (Span { end: last.end, ..first }, format!("#@{}", Operation::Append.name())))
        };
        // Who says before what it goes means no end.
        let inserts = arena.ann(unmet.right, operation.name()).and_then(|ann| self.whole_annotation(&arena, ann));
        if inserts.and_then(|span| self.written(span)).is_some_and(|written| written.contains("before")) {
            return Some(cause);
        }
        Some(cause.help(
            format!("or, to add it at the end, `#@{}` alone", Operation::Append.name()),
            edit().filter(|_| is_sure),
        ))
    }

    /// `overlay.apply` whose first argument has annotations of overlays, and whose second has none.
    fn swapped(&self, unmet: &Unmet) -> Option<Cause> {
        let OtherWay { call, annotated, edit } =
            self.other_way(&unmet.lefts, &[unmet.right]).filter(|_| self.trail.len() == 1)?;
        let mut cause = Cause::new(self.mark(&self.arena(), annotated), IS_CHANGED);
        cause.labels.push((Some(call), BY_THE_SECOND.to_owned()));
        Some(cause.help(FIRST, Some(edit)))
    }

    /// The same, in front of other helps: what is written twice may be all that is wrong.
    pub(super) fn given_twice_first(&self, told: Diagnostic) -> Diagnostic {
        let known = told.parts().helps.len();
        let mut told = self.given_twice(told);
        told.parts_mut().helps.rotate_left(known);
        told
    }

    /// A match rule below another one, which counts for nothing.
    pub(super) fn given_twice(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some(node) = self.trail.last().map(|step| step.node) else { return diagnostic };
        let arena = self.arena();
        let all: Vec<&Annotation> = arena.anns_of(node).iter().filter(|ann| &*ann.name == MATCH).collect();
        let [.., first, last] = all[..] else { return diagnostic };
        let (Some(above), Some(below)) = (self.whole_annotation(&arena, first), self.whole_annotation(&arena, last))
        else {
            return diagnostic;
        };
        let arguments = arena.place(last.pos).and_then(|place| self.written(place.value())).unwrap_or_default();
        let source = self.calls.sources().get(below.source);
        let told = diagnostic.label(above, format!("counts for nothing: of two `@{MATCH}` the last one is taken"));
        let between = self.written(Span { start: above.end, end: below.start, ..above });
        let is_next = above.source == below.source && between.is_some_and(|between| between.trim().is_empty());
        let Some(old) = self.written(above).filter(|_| is_next) else { return told };
        if arguments.trim().is_empty() {
            let Some(line) = source.lines_of(below) else { return told };
            return told.help_edit("leave the second one out", line, "");
        }
        let by = |annotation: &Annotation| self.argument_span(annotation.pos, "by").map(|by| self.value_in(by));
        let joined = match by(first).zip(by(last)) {
            Some((one, other)) => {
                let both = [one, other].map(|by| self.written(by).unwrap_or_default()).join(", ");
                let part = |start, end| self.written(Span { start, end, ..above }).unwrap_or_default();
                [&part(above.start, one.start), &*format!("overlay.and_op({both})"), &part(one.end, above.end)].concat()
            }
            None => format!("{old}, {}", arguments.trim()),
        };
        let told =
            told.help_edit("write all of it in one", Span { end: below.end, ..above }, joined).if_it_mends().guessing();
        let defaults = format!("#@{CHILD_DEFAULTS} {}", arguments.trim());
        // What stands above a dash is for the item, also where a key stands behind it on that line.
        let value = arena.map_of(arena.value(node)).and_then(|map| arena.items(map).first().copied());
        let key = value.and_then(|key| arena.place_of(key)).map(|place| place.key());
        let dash = arena.place_of(node).map(|place| place.key());
        let beside = key.zip(dash).filter(|(key, dash)| source.line(key.start) == source.line(dash.start));
        let is_item = matches!(arena.get(node).body, Body::ArrayItem(_));
        let Some((key, _)) = beside.filter(|(key, _)| is_item && key.source == below.source) else {
            return told.help_edit("if it is for the items below, say so", below, defaults).if_it_mends().guessing();
        };
        let name = self.written(key).unwrap_or_default();
        let text = "on the line of the `-`: what stands above that is for the item, and not for this key";
        let told = told.label(key, text);
        let text = format!("if it is for `{name}` and the other keys of this item, say so");
        told.help_edit(text, below, defaults).if_it_mends().guessing()
    }

    /// A map of items by their names, where a list has them as items: the edit that writes it as one.
    pub(super) fn as_named_items(&self, arena: &Arena, list: NodeId, map: NodeId) -> Option<(Span, String)> {
        const KEY: &str = "name";
        let (Body::Array(_), Body::Map(_)) = (&arena.get(list).body, &arena.get(map).body) else { return None };
        let names = arena
            .items(list)
            .iter()
            .take(COMPARISONS)
            .filter_map(|item| arena.str(arena.value(arena.find_str(arena.map_of(arena.value(*item))?, KEY)?)));
        let names: Vec<&str> = names.collect();
        let entries = arena.items(map);
        let (first, last) = (self.lines_of(arena, *entries.first()?)?, self.lines_of(arena, *entries.last()?)?);
        let (_, indent) = self.line_start(*entries.first()?)?;
        let outer = indent.strip_prefix("  ")?;
        let (mut new, mut count) = (String::new(), 0_usize);
        for entry in entries {
            let name = arena.str(arena.key(*entry)).filter(|name| names.contains(name))?;
            arena.map_of(arena.value(*entry))?;
            let lines = self.lines_of(arena, *entry)?;
            for line in self.written(lines)?.lines() {
                count = count.saturating_add(1);
                let rest = line.strip_prefix(&*indent)?;
                match rest.strip_prefix("  ") {
                    Some(inner) => new.push_str(&format!("{outer}  {inner}\n")),
                    None if rest.strip_suffix(':') == Some(name) => {
                        new.push_str(&format!("{outer}#@{MATCH} by=\"{KEY}\"\n{outer}- {KEY}: {name}\n"));
                    }
                    None => return None,
                }
            }
        }
        // Comments between the entries would get lost.
        let all = self.written(Span { end: last.end, ..first })?.lines().count();
        (all == count).then_some(())?;
        Some((Span { end: last.end, ..first }, new))
    }

    /// A member of a map of YAML, which has keys alone.
    pub(super) fn member_of_map(&self, diagnostic: Diagnostic, given: [Option<NodeId>; 2]) -> Diagnostic {
        let Some(Fact::NoMember { kind, name, near: None, .. }) = diagnostic.parts().fact.clone() else {
            return diagnostic;
        };
        let Some(mut place) = diagnostic.parts().labels.first().map(|label| label.span) else { return diagnostic };
        let source = self.calls.sources().get(place.source);
        let file = FileCode::read(&source, place.source);
        let mut diagnostic = diagnostic;
        if let (Some(field), Some(label)) =
            (file.as_ref().and_then(|file| file.field_in(place, &name)), diagnostic.parts_mut().labels.first_mut())
        {
            (place, label.span) = (field, field);
        }
        let code = self.written(place).unwrap_or_default();
        let Some(of) = code.strip_suffix(&*name).and_then(|of| of.strip_suffix('.')) else { return diagnostic };
        let arena = self.arena();
        let has_it =
            |item: NodeId| arena.map_of(arena.value(item)).is_some_and(|map| arena.find_str(map, &name).is_some());
        let map =
            given.into_iter().flatten().find(|item| has_it(*item)).and_then(|item| arena.map_of(arena.value(item)));
        let Some(map) = map.filter(|_| kind == "yamlfragment") else { return diagnostic };
        let has_key = |key: &str| arena.find_str(map, key).is_some();
        let fields = file.and_then(|file| file.keys_as_fields(place, of, &has_key));
        let fields = fields.unwrap_or_default();
        let all = source.replaced(fields.iter().map(|(span, new)| (*span, new.as_str())));
        if let Some((span, new)) = all.clone().filter(|_| fields.len() > 1) {
            let others = fields.iter().filter(|(span, _)| span.end != place.end).take(SHOWN);
            let told = others.fold(diagnostic, |told, (span, _)| told.label(*span, "the same here"));
            return told.help_edit("what YAML gives has keys, no fields", span, new).if_it_mends();
        }
        let end = place.start.saturating_add(to_u32(of.len()));
        // A lambda in an annotation is no code of the file.
        let one = all.or_else(|| chain::as_keys_on_line(&source, Span { end, ..place }));
        let (place, new) = one.unwrap_or_else(|| (place, format!("{of}[{}]", quoted::starlark(&name))));
        diagnostic.help_edit("what YAML gives has keys, no fields", place, new).if_it_mends()
    }
}

/// Names that are shown of those that are there.
const SHOWN: usize = 3;

/// A text with `*` at its start, at its end, or at both.
struct Pattern<'a> {
    fixed: &'a str,
    open: (bool, bool),
}

impl Pattern<'_> {
    fn read(text: &str) -> Option<Pattern<'_>> {
        let cut_start = [".*", "*"].iter().find_map(|star| text.strip_prefix(star));
        let rest = cut_start.unwrap_or(text);
        let from_start = cut_start.is_none();
        let cut_end = [".*", "*"].iter().find_map(|star| rest.strip_suffix(star));
        let fixed = cut_end.unwrap_or(rest);
        let fixed = if from_start { fixed.strip_prefix('^').unwrap_or(fixed) } else { fixed };
        let fixed = if cut_end.is_none() { fixed.strip_suffix('$').unwrap_or(fixed) } else { fixed };
        let open = (cut_start.is_some(), cut_end.is_some());
        let is_plain = !fixed.is_empty() && !fixed.contains(['*', '^', '$', '(', '[', '|', '\\', '?', '+']);
        (is_plain && (open.0 || open.1)).then_some(Pattern { fixed, open })
    }

    fn takes(&self, text: &str) -> bool {
        match self.open {
            (false, _) => text.starts_with(self.fixed),
            (true, false) => text.ends_with(self.fixed),
            (true, true) => text.contains(self.fixed),
        }
    }

    fn code(&self, of: &str) -> String {
        let fixed = quoted::starlark(self.fixed);
        match self.open {
            (false, _) => format!("{of}.startswith({fixed})"),
            (true, false) => format!("{of}.endswith({fixed})"),
            (true, true) => format!("{fixed} in {of}"),
        }
    }
}
