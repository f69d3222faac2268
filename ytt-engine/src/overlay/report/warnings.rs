//! Warnings in words.

use super::words::{key_text, scalar_text};
use crate::diag::{Code, Diagnostic, Severity};
use crate::overlay::annotation::{MATCH, Operation};
use crate::overlay::compare::{key_value, leaf};
use crate::overlay::engine::Scene;
use crate::overlay::matcher::Test;
use crate::overlay::problem::Warning;
use crate::overlay::rules;
use crate::source::Span;
use crate::template::outline;
use crate::yaml::{Annotation, Arena, NodeId, Val};

impl Scene<'_> {
    /// Hands a warning to those who gather them.
    pub(super) fn warn(&mut self, warning: Warning) {
        let warning = match warning {
            Warning::UnusedArguments { annotation, all, only_positional } => {
                self.unused_arguments(&annotation, all, only_positional)
            }
            Warning::Renamed { old, new } => self.renamed(old, new),
            Warning::Second { item, left, key } => self.second(item, left, key),
            Warning::WithoutMatch { item, operation, lefts } => self.without_matcher(item, operation, &lefts),
            Warning::RemovesNothing { item, map } => match self.removes_nothing(item, map) {
                Some(warning) => warning,
                None => return,
            },
            Warning::MatchedNothing { document, lefts, test } => match self.other_letters(document, &lefts, test) {
                Some(warning) => warning,
                None => return,
            },
            Warning::TooHigh(found) => match self.too_high(&found) {
                Some(warning) => warning,
                None => return,
            },
            Warning::OldKey(found) => match self.old_key(&found) {
                Some(warning) => warning,
                None => return,
            },
            Warning::NotEvaluated { annotation, node } => self.not_evaluated(&annotation, node),
            Warning::Again(document) => self.again(document),
            Warning::NotAnOverlay { document, looks } => match self.not_an_overlay(document, &looks) {
                Some(warning) => warning,
                None => return,
            },
        };
        self.calls.warn(warning);
    }

    pub(super) fn key_span(&self, annotation: &Annotation) -> Option<Span> {
        self.arena().place(annotation.pos).map(|place| place.key())
    }

    fn unused_arguments(&self, annotation: &Annotation, all: bool, only_positional: bool) -> Diagnostic {
        let name = &annotation.name;
        let text = if all {
            format!("@{name} takes no arguments; they are ignored")
        } else {
            format!("@{name} takes keyword arguments only; positional arguments are ignored")
        };
        let place = self.arena().place(annotation.pos).copied();
        let warning = Diagnostic::warning(Code::OVERLAY_UNUSED_ARGUMENT, text).at(place.map(|place| place.value()));
        if **name != *MATCH || !only_positional {
            return warning;
        }
        match place.map(|place| Span { end: place.value, ..place.value() }) {
            Some(start) => warning.help_edit("name the argument", start, "by="),
            None => warning.help("write by=… in front of the matcher"),
        }
    }

    fn renamed(&self, old: NodeId, new: NodeId) -> Diagnostic {
        let arena = self.arena();
        let (old_key, new_key) = (scalar_text(&arena, arena.key(old)), scalar_text(&arena, arena.key(new)));
        let text = format!("@overlay/replace renames the key {old_key} to {new_key}");
        Diagnostic::warning(Code::OVERLAY_RENAMED_KEY, text)
            .label_at(arena.span_of(new), "the item is replaced whole, so this is its key then")
            .label_at(self.annotation_span(new, Operation::Replace.name()), "this replaces the item that matched")
            .label_at(arena.span_of(old), "this key is replaced")
            .help("to change the value and keep the key, remove @overlay/replace")
    }

    fn second(&self, item: NodeId, left: NodeId, key: Val) -> Diagnostic {
        let arena = self.arena();
        let name = key_text(&arena, key);
        let value = key_value(&arena, arena.value(item), key).map_or(Val::Null, |value| value);
        let shown = match scalar_text(&arena, value) {
            text if text.starts_with('`') => text,
            text => format!("`{text}`"),
        };
        let text = format!("this item is added as a second one whose `{name}` is {shown}");
        let warning = Diagnostic::warning(Code::OVERLAY_SECOND_ITEM, text)
            .label_at(self.mark(&arena, item), "no `#@overlay/match` above it, so it matches nothing and is added")
            .label_at(self.first_at(&arena, left, value), format!("the first {shown} is here"));
        if let Some(cause) = self.misplaced_matcher(&arena, item, &name) {
            return cause.told(warning, None);
        }
        let new = format!("#@{MATCH} by=\"{name}\"");
        let what = "to change the one that is there";
        // Who has annotations in the list changes items of the one before.
        let is_whole = |list: &NodeId| {
            let Val::Node(items) = arena.value(*list) else { return false };
            arena.items(items).iter().all(|item| arena.anns_of(*item).is_empty())
        };
        let list = self.trail.iter().rev().nth(1).filter(|_| self.exact).map(|step| step.node).filter(is_whole);
        let warning = match list.and_then(|list| Some((list, self.line_start(list)?))) {
            Some((list, (span, indent))) => {
                let replace = format!("#@{}", Operation::Replace.name());
                let key = key_text(&arena, arena.key(list));
                let help = format!("to give a list in place of the one before: `{replace}` above `{key}`");
                warning.help_edit(help, span, format!("{replace}\n{indent}")).guessing()
            }
            None => warning,
        };
        let warning = match self.line_start(item) {
            Some((span, indent)) => {
                let told = warning.help_edit(format!("{what}: `{new}`"), span, format!("{new}\n{indent}"));
                if list.is_some() { told.guessing() } else { told }
            }
            None => warning.help(format!("{what}: `{new}`")),
        };
        warning.help("if a second one is meant, say so: `#@overlay/append`")
    }

    /// Where an item has its name: what the default of a schema gives stands in an annotation.
    fn first_at(&self, arena: &Arena, item: NodeId, name: Val) -> Option<Span> {
        let (mark, text) = (self.mark(arena, item)?, key_text(arena, name));
        let whole = arena.place_of(item)?.whole();
        let source = self.calls.sources().get(mark.source);
        if !self.exact || source.written(whole).is_some_and(|written| written.contains(&*text)) {
            return Some(mark);
        }
        let list = self.trail.iter().rev().nth(1)?.matched?.item;
        let above = outline::default_above(&source, arena.span_of(list).filter(|span| span.source == mark.source)?)?;
        source.written(above).is_some_and(|written| written.contains(&*text)).then_some(above)
    }

    /// An array item that says what is done, and not to which item.
    fn without_matcher(&self, item: NodeId, operation: Operation, lefts: &[NodeId]) -> Diagnostic {
        let arena = self.arena();
        let does = match operation {
            Operation::Insert => "inserted",
            Operation::Remove => "removed",
            Operation::Replace => "replaced",
            _ => "asserted",
        };
        let text = format!("nothing is {does}: without `@{MATCH}` an array item matches nothing");
        let warning = Diagnostic::warning(Code::OVERLAY_WITHOUT_MATCH, text)
            .label_at(self.annotation_span(item, operation.name()), "has no item to work on")
            .label_at(self.mark(&arena, item), "no `#@overlay/match` above it");
        let own = arena.map_of(arena.value(item));
        if operation == Operation::Insert {
            let rule = rules::insert_rule(&*self.calls, item).unwrap_or_default();
            let span =
                arena.ann(item, operation.name()).and_then(|annotation| self.whole_annotation(&arena, annotation));
            let warning = match span.filter(|_| rule.after && !rule.before && rule.via.is_none()) {
                Some(span) => {
                    let help = "to add it at the end: `#@overlay/append`";
                    warning.help_edit(help, span, "#@overlay/append").if_it_mends()
                }
                None => warning,
            };
            return warning.help("to add it beside an item, say which one: `#@overlay/match by=overlay.subset({…})`");
        }
        let name = own.and_then(|own| arena.find_str(own, "name")).map(|name| arena.value(name));
        let has_it = |left: &NodeId| {
            let there = arena.map_of(arena.value(*left)).and_then(|map| arena.find_str(map, "name"));
            matches!((there, name), (Some(there), Some(name)) if leaf(&arena, arena.value(there), name))
        };
        let having = lefts.iter().flat_map(|left| arena.items(*left)).filter(|left| has_it(left));
        let is_one = having.take(2).count() == 1;
        let new = format!("#@{MATCH} by=\"name\"");
        match self.line_start(item).filter(|_| is_one) {
            Some((span, indent)) => warning
                .help_edit(format!("say which item is meant: `{new}`"), span, format!("{new}\n{indent}"))
                .if_it_mends(),
            None => warning.help("say which item is meant: `#@overlay/match by=…`"),
        }
    }

    fn removes_nothing(&self, item: NodeId, map: NodeId) -> Option<Diagnostic> {
        let near = self.keys_like(map, item).into_iter().min_by_key(|near| near.rank)?;
        let arena = self.arena();
        let key = key_text(&arena, arena.key(item));
        let text = format!("nothing is removed: there is no key `{key}`");
        let warning = Diagnostic::warning(Code::OVERLAY_REMOVES_NOTHING, text)
            .label_at(self.mark(&arena, item), "may be missing, and is")
            .label_at(near.span, near.text);
        Some(match near.fix {
            Some(fix) => warning.help_edit(fix.text, fix.span, fix.new),
            None => warning,
        })
    }

    /// What a document looks for is there in other letters: small ones for capital ones, or the other way around.
    fn other_letters(&mut self, document: NodeId, lefts: &[NodeId], test: Option<Test>) -> Option<Diagnostic> {
        let (near, _) = self.near(lefts, document, test);
        let near = near.into_iter().find(|near| self.differs_in_case(near))?;
        let fix = near.fix?;
        // Other words may well be corrected by the overlay itself.
        let source = self.calls.sources().get(fix.span.source);
        let line = source.line_range(source.line(fix.span.start));
        let before = source.written(Span { start: line.start, end: fix.span.start, ..fix.span })?;
        let is_kind = before.trim_end_matches(|letter: char| !letter.is_alphanumeric()).ends_with("kind");
        let sets_kind = {
            let arena = self.arena();
            arena.map_of(arena.value(document)).is_some_and(|map| arena.find_str(map, "kind").is_some())
        };
        if !is_kind || sets_kind {
            return None;
        }
        let text = "this overlay changes nothing: what it looks for is written in other letters where it is";
        let warning = Diagnostic::warning(Code::OVERLAY_OTHER_LETTERS, text)
            .label(fix.span, "matches nothing, which is allowed here")
            .label_at(near.span, near.text)
            .help_edit(fix.text, fix.span, fix.new);
        Some(if fix.is_guess { warning.guessing() } else { warning })
    }

    fn not_evaluated(&self, annotation: &Annotation, node: NodeId) -> Diagnostic {
        let text = format!("@{} is not evaluated: the item around it is added whole", annotation.name);
        let warning = Diagnostic::new(Severity::Hint, Code::OVERLAY_NOT_EVALUATED, text).at(self.key_span(annotation));
        let span = self.arena().span_of(node);
        let warning = warning.label_at(span, "matched nothing, so all of it is added, the annotated item too");
        warning.help(if *annotation.name == *Operation::Remove.name() {
            "delete what is not to be added, together with its annotation"
        } else {
            "delete the annotation, or give the item around it something to match"
        })
    }

    fn again(&self, document: NodeId) -> Diagnostic {
        let text = "this document was placed by an overlay and acts as an overlay again, since it kept @overlay/match";
        let warning = Diagnostic::warning(Code::OVERLAY_AGAIN, text).at(self.arena().span_of(document));
        let span = self.annotation_span(document, MATCH);
        warning
            .label_at(span, "matches once more, in the library that includes the result")
            .help("place it with overlay.apply inside of the library, which drops the annotation")
    }
}
