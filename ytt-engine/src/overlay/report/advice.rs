//! What to do about a number of matches that was not expected: what is there instead, and the edit to make.
//!
//! Candidates come from `nearest`. Every help that changes a file carries the edit, so that it can be drawn and applied.

use super::SHOWN;
use super::elsewhere::name_of;
use super::nearest::{COMPARISONS, MOST as CANDIDATES, Meaning};
use super::swapped::in_front;
use super::words::{counted, key_text, scalar_text};
use crate::call::Seen;
use crate::diag::{Diagnostic, suggest};
use crate::nearest::only;
use crate::overlay::annotation::{CHILD_DEFAULTS, MATCH, MatchRule, Operation, RightKind};
use crate::overlay::engine::{Scene, TrailStep};
use crate::overlay::matcher::Test;
use crate::overlay::problem::{Expected, Unmet};
use crate::overlay::rules;
use crate::overlay::target::target_value;
use crate::quoted;
use crate::source::Span;
use crate::yaml::{Body, NodeId};

/// Problems of a render for which all left items are looked at, however many there are.
const THOROUGH: usize = 5;

impl Scene<'_> {
    /// Adds candidates and helps to a problem of numbers.
    pub(super) fn advise(&mut self, diagnostic: Diagnostic, unmet: Unmet) -> Diagnostic {
        // A key may be missing because of what a template leaves out, whatever else is said.
        let inside = (unmet.kind != RightKind::Document).then(|| self.unwritten(&unmet)).flatten();
        let orders = self.other_orders(&unmet);
        let is_by_key = unmet.kind == RightKind::MapItem && unmet.found.is_empty() && unmet.rule.by.is_none();
        let told = in_front(self.advised(diagnostic, unmet), orders);
        let told = if is_by_key { self.looked_through(told) } else { told };
        match inside {
            Some(unwritten) => self.label_unwritten(told, &unwritten),
            None => told,
        }
    }

    fn advised(&mut self, mut diagnostic: Diagnostic, mut unmet: Unmet) -> Diagnostic {
        // Where there was nothing to compare, nobody has looked at the target yet.
        if let Some(Test::Subset(target)) = &mut unmet.test {
            let _ = target_value(&*self.calls, target);
        }
        if let Some(told) = self.junction(&diagnostic) {
            return told;
        }
        diagnostic = match self.swallowed(diagnostic, &unmet) {
            Ok(told) => return told,
            Err(diagnostic) => diagnostic,
        };
        let few = match unmet.expected {
            Expected::Agreement if self.calls.is_tried() => return diagnostic,
            Expected::Agreement => {
                return match self.expects_function(&unmet) {
                    Some(cause) => cause.told(diagnostic, None).silencing(),
                    None => diagnostic,
                };
            }
            Expected::Exactly(wanted) => (unmet.found.len() as i128) < wanted,
            Expected::AtLeast(_) => true,
        };
        if !few {
            return self.advise_fewer(diagnostic, &unmet);
        }
        let Unmet { lefts, right, kind, rule, found, test, .. } = &unmet;
        let mut meant = None;
        let count: usize = lefts.iter().map(|left| self.arena().count(*left)).sum();
        // Whoever waits for many reports does not wait for a search through all documents each time.
        let most = if self.before >= THOROUGH { COMPARISONS } else { CANDIDATES };
        if count <= most {
            if found.is_empty() && !self.calls.is_tried() {
                diagnostic = match self.explained(diagnostic, &unmet) {
                    Ok(explained) => return explained,
                    Err(diagnostic) => diagnostic,
                };
            }
            if *kind == RightKind::Document
                && let Some(unwritten) = self.unwritten(&unmet)
            {
                let told = self.advise_unwritten(self.label_unwritten(diagnostic, &unwritten), &unwritten);
                return self.advise_more(told, &unmet, None);
            }
            let (mut near, mut values) = self.near(lefts, *right, test.clone());
            near.retain(|one| found.iter().all(|found| found.item != one.item));
            if found.is_empty()
                && near.iter().all(|one| one.fix.is_none())
                && let Some(there) = self.item_elsewhere(&unmet)
            {
                (near, values) = (vec![there], None);
            }
            let is_like = near.iter().any(|one| one.fix.is_some() && one.elsewhere.is_none());
            let is_open = found.is_empty() && !self.calls.is_tried();
            let is_elsewhere = near.iter().any(|one| one.fix.is_some() || one.apart.is_some());
            if is_open
                && !is_elsewhere
                && let Some(cause) = self.excepted(&unmet)
            {
                let others = self.missing_too(&unmet);
                diagnostic = self.tell_missing(diagnostic, others);
                return self.advise_more(cause.told(diagnostic, None), &unmet, Some(Meaning::Like));
            }
            if is_open && !is_like {
                diagnostic = match self.explained_by_stray(diagnostic, &unmet) {
                    Ok(explained) => return explained,
                    Err(diagnostic) => diagnostic,
                };
            }
            if is_open
                && !is_like
                && let Some(cause) = self
                    .beside(&unmet, !is_elsewhere)
                    .or_else(|| self.in_other_document(&unmet).filter(|_| !is_elsewhere))
                    .or_else(|| self.contents_elsewhere(&unmet).filter(|_| !is_elsewhere))
            {
                let others = self.missing_too(&unmet);
                diagnostic = self.tell_missing(diagnostic, others);
                return self.advise_more(cause.told(diagnostic, None), &unmet, Some(Meaning::Like));
            }
            if found.is_empty() && near.is_empty() && !self.calls.is_tried() {
                diagnostic = match self.by_former(diagnostic, &unmet) {
                    Ok(told) => return told,
                    Err(diagnostic) => diagnostic,
                };
                if let Some(cause) = self.by_function(&unmet) {
                    let is_mended = !cause.helps.is_empty();
                    diagnostic = cause.told(diagnostic, self.by_span());
                    return if is_mended { diagnostic } else { self.contents(diagnostic, lefts, *kind, rule) };
                }
                diagnostic = match self.with_siblings(diagnostic, &unmet) {
                    Ok(told) => return told,
                    Err(diagnostic) => diagnostic,
                };
            }
            for one in &near {
                match one.span {
                    Some(span) => diagnostic = diagnostic.label(span, one.text.clone()),
                    None => diagnostic = diagnostic.note(one.text.clone()),
                }
            }
            if let Some((span, text)) = near.first().and_then(|one| one.from.clone()).filter(|_| is_open) {
                diagnostic = diagnostic.label(span, text);
            }
            if is_open {
                let missed = near.first().and_then(|one| one.missed.as_ref()?.last());
                let missed = missed.map(|(item, _)| self.arena().value(*item));
                diagnostic = self.constants(diagnostic, test.as_ref(), missed);
                let missed = near.first().and_then(|one| one.missed.as_ref());
                if let Some(missed) = missed {
                    diagnostic = self.label_given(self.label_leaf(diagnostic, missed), missed);
                }
            }
            if let (true, true, Some(test), RightKind::ArrayItem) = (is_open, near.is_empty(), &test, *kind) {
                let known = diagnostic.parts().labels.len();
                diagnostic = self.those_there(diagnostic, lefts, test);
                // The labels have them.
                if diagnostic.parts().labels.len() > known {
                    values = Some(String::new());
                }
            }
            if found.is_empty() {
                diagnostic = match (values, test) {
                    (Some(values), _) if values.is_empty() => diagnostic,
                    (Some(values), _) => diagnostic.note(values),
                    (None, _) if !near.is_empty() => diagnostic,
                    (None, Some(Test::Index(index))) if *kind != RightKind::MapItem && count > 0 => {
                        self.last_index(diagnostic, lefts, *kind, *index)
                    }
                    _ => self.contents(diagnostic, lefts, *kind, rule),
                };
            }
            let ask_for = near.first_mut().and_then(|one| one.ask_for.take()).filter(|_| is_open);
            // Where some match, the spelling of the overlay is right.
            near.retain_mut(|one| {
                if !found.is_empty() {
                    one.fix = one.left_fix.take();
                }
                let is_told = one.elsewhere.is_some() || one.given.is_some() || one.renamed.is_some();
                let is_told = is_told || found.is_empty() && !one.alike.is_empty();
                one.fix.is_some() || is_told || found.is_empty() && one.flag.is_some()
            });
            if let Some(text) = ask_for {
                diagnostic = diagnostic.help(text);
            }
            if let Some(near) = near.into_iter().next() {
                // What is wrong is one text of the matcher.
                if let (Some(fix), Some(by)) = (near.fix.as_ref().filter(|fix| !fix.must_mend), self.by_span()) {
                    let is_inside = by.source == fix.span.source && by.start < fix.span.start && fix.span.end <= by.end;
                    let labels = diagnostic.parts_mut().labels.iter_mut();
                    labels.filter(|label| is_inside && label.span == by).for_each(|label| label.span = fix.span);
                }
                // What could be written instead does for this run alone, or not for other documents.
                if let Some(apart) = near.apart {
                    return diagnostic.help(apart);
                }
                let renamed = near.renamed.filter(|_| found.is_empty());
                if let Some(made) = renamed.as_ref().filter(|renamed| renamed.is_made()) {
                    let told = self.tell_order(diagnostic, made);
                    return self.tell_made(told, made, near.fix.as_ref(), "or ");
                }
                (diagnostic, meant) = match (near.fix, near.elsewhere) {
                    (fix, _) if found.is_empty() && !near.alike.is_empty() => {
                        let alike: Vec<&str> = near.alike.iter().map(String::as_str).collect();
                        let text = format!("did you mean {}?", suggest::either(&alike));
                        (diagnostic.help(text), Some(fix.map_or(Meaning::Like, |fix| fix.meaning)))
                    }
                    (Some(fix), _) => {
                        let diagnostic = near.flag.into_iter().fold(diagnostic, Diagnostic::advise);
                        let told = diagnostic.help_edit(fix.text, fix.span, fix.new);
                        let told = if fix.must_mend { told.if_it_mends() } else { told };
                        let told = if fix.is_guess { told.guessing() } else { told };
                        let told = match near.made {
                            Some(made) => told.help_edit(made.text, made.span, made.new).if_it_mends().guessing(),
                            None => told,
                        };
                        let told = match &renamed {
                            Some(renamed) => self.tell_order(told, renamed),
                            None => told,
                        };
                        (told, Some(fix.meaning))
                    }
                    (None, Some(path)) => {
                        (diagnostic.help(format!("write it where it is: at `{path}`")), Some(Meaning::Elsewhere))
                    }
                    (None, None) => match (near.given, near.flag, &renamed) {
                        (Some(key), ..) => {
                            let text = format!("if `{key}` is meant, which is given already, keep one of the two");
                            (diagnostic.help(text), Some(Meaning::Like))
                        }
                        (None, Some(flag), _) => (diagnostic.advise(flag), Some(Meaning::Quoted)),
                        (None, None, Some(renamed)) => (self.tell_order(diagnostic, renamed), Some(Meaning::Like)),
                        (None, None, None) => (diagnostic, None),
                    },
                };
            }
        }
        self.advise_more(diagnostic, &unmet, meant)
    }

    /// `overlay.index` beyond the end, or negative: how many items there are, and the index of the last one.
    fn last_index(&self, diagnostic: Diagnostic, lefts: &[NodeId], kind: RightKind, index: i64) -> Diagnostic {
        let count: usize = lefts.iter().map(|left| self.arena().count(*left)).sum();
        let what = match (kind, count) {
            (RightKind::Document, 1) => "there is 1 document".to_string(),
            (RightKind::Document, _) => format!("there are {count} documents"),
            _ => format!("the array has {}", counted(count, kind)),
        };
        let last = format!("overlay.index({})", count.saturating_sub(1));
        let note = if index < 0 { "a negative index matches nothing" } else { "indexes count from 0" };
        let diagnostic = diagnostic.note(format!("{what}, the last one is {last}; {note}"));
        let by = self
            .by_span()
            .filter(|span| self.written(*span).as_deref() == Some(&*format!("by=overlay.index({index})")));
        match by {
            Some(span) => {
                if kind == RightKind::ArrayItem
                    && let Some(told) = self.only_item(&diagnostic, lefts, span, &last)
                {
                    return told;
                }
                let (diagnostic, is_new) = self.by_its_name(diagnostic, lefts, span);
                let edit = (span, format!("by={last}"));
                if diagnostic.parts().helps.iter().any(|help| help.edit.as_ref() == Some(&edit)) {
                    return diagnostic;
                }
                let told = diagnostic.help_edit("to change the last one", edit.0, edit.1);
                if is_new { told.guessing() } else { told }
            }
            None => diagnostic,
        }
    }

    /// An item without a name, for the only item of a list, which has one: by that it stays the same item when the list
    /// changes again.
    fn only_item(&self, told: &Diagnostic, lefts: &[NodeId], by: Span, last: &str) -> Option<Diagnostic> {
        let (arena, right) = (self.arena(), self.trail.last()?.node);
        let item = only(lefts.iter().flat_map(|left| arena.items(*left)))?;
        let name = name_of(&arena, *item).filter(|_| name_of(&arena, right).is_none())?;
        let shown = quoted::starlark(arena.str(name)?);
        let told = told.clone().label_at(self.mark_left(&arena, *item), format!("the only item: `{last}`"));
        let text = "match it by its name, which stays when items come and go";
        let told = told.help_edit(text, by, format!("by=overlay.subset({{\"name\": {shown}}})"));
        let is_named = self.named_around(&arena, right, [name].into_iter()).is_some();
        let told = if is_named { told } else { told.guessing() };
        Some(told.help_edit("or whatever stands there, by its index", by, format!("by={last}")).guessing())
    }

    /// An item with a name, whose index is wrong: the index of the one with that name, or how to add it if there is none;
    /// and whether the index of another one is hardly meant.
    fn by_its_name(&self, diagnostic: Diagnostic, lefts: &[NodeId], by: Span) -> (Diagnostic, bool) {
        let (arena, right) = (self.arena(), self.trail.last().map(|step| step.node));
        let Some((right, name)) = right.and_then(|right| Some((right, name_of(&arena, right)?))) else {
            return (diagnostic, false);
        };
        let mut names = lefts.iter().flat_map(|left| arena.items(*left)).map(|item| name_of(&arena, *item));
        let shown = scalar_text(&arena, name);
        match names.clone().position(|other| other.is_some_and(|other| arena.same(other, name))) {
            Some(at) => {
                let new = format!("by=overlay.index({at})");
                (diagnostic.help_edit(format!("{shown} is `overlay.index({at})`"), by, new), true)
            }
            None if names.all(|other| other.is_some()) => {
                let whole = arena.ann(right, MATCH).and_then(|annotation| self.whole_annotation(&arena, annotation));
                let text =
                    format!("no item is named {shown}: to add it as a new one, `#@{}`", Operation::Append.name());
                let new = format!("#@{}", Operation::Append.name());
                (diagnostic.edit_at(text, whole, new).guessing(), true)
            }
            None => (diagnostic, false),
        }
    }

    /// What the left container holds, if it is little.
    fn contents(&self, diagnostic: Diagnostic, lefts: &[NodeId], kind: RightKind, rule: &MatchRule) -> Diagnostic {
        let arena = self.arena();
        let all: Vec<NodeId> = lefts.iter().flat_map(|left| arena.items(*left)).copied().collect();
        match (kind, all.len()) {
            (RightKind::MapItem, 0) => diagnostic.note("the map is empty"),
            (RightKind::ArrayItem, 0) => diagnostic.note("the array is empty"),
            (RightKind::Document, 0) => diagnostic
                .note("there is no document to overlay: all files given are overlays")
                .help("give the files to change, too"),
            (RightKind::MapItem, 1..=SHOWN) => {
                let keys: Vec<String> = all.iter().map(|item| key_text(&arena, arena.key(*item))).collect();
                let which = if rule.by.is_none() { "keys there" } else { "keys that were tried" };
                diagnostic.note(format!("{which}: {}", keys.join(", ")))
            }
            (RightKind::MapItem, count) => diagnostic.note(format!("the map has {count} keys")),
            (RightKind::ArrayItem, 1) => {
                let only = all.first().copied();
                let name = only.and_then(|item| name_of(&arena, item));
                let text = match name {
                    Some(name) => format!("the only item there: its `name` is {}", scalar_text(&arena, name)),
                    None => "the only item there".to_owned(),
                };
                diagnostic.label_at(only.and_then(|item| self.mark_left(&arena, item)), text)
            }
            (RightKind::ArrayItem, count) => diagnostic.note(format!("the array has {}", counted(count, kind))),
            (RightKind::Document, 1..=SHOWN) => {
                let names: Vec<String> = all.iter().map(|document| self.document_name(&arena, *document)).collect();
                diagnostic.note(format!("documents that were tried: {}", names.join(", ")))
            }
            (RightKind::Document, count) => diagnostic.note(format!("{count} documents were tried")),
        }
    }

    /// The left map in which a key was looked for, where no label is in it and it is not a whole document, which is named.
    fn looked_through(&self, diagnostic: Diagnostic) -> Diagnostic {
        let (arena, around) =
            (self.arena(), self.trail.iter().rev().nth(1).and_then(|step| step.matched).map(|left| left.item));
        // A directive of another tool is wanted nowhere.
        let is_directive = |step: &TrailStep| key_text(&arena, arena.key(step.node)).starts_with('$');
        let is_wanted = !self.trail.last().is_some_and(is_directive);
        let around = around.filter(|around| is_wanted && !matches!(arena.get(*around).body, Body::Doc(_)));
        let whole = around.and_then(|around| arena.place_of(around)).map(|place| place.whole());
        let is_shown = |whole: Span| diagnostic.parts().labels.iter().any(|label| whole.holds(label.span));
        let place = around.filter(|_| whole.is_some_and(|whole| !is_shown(whole)));
        diagnostic.label_at(place.and_then(|around| self.mark(&arena, around)), "it was looked for in here")
    }

    /// How to allow that nothing matches, or as few as were found.
    fn advise_more(&self, diagnostic: Diagnostic, unmet: &Unmet, meant: Option<Meaning>) -> Diagnostic {
        let (right, found) = (unmet.right, unmet.found.len());
        let operation = rules::operation(&*self.calls, right).unwrap_or(Operation::Merge);
        let replace = rules::replace_rule(&*self.calls, right).unwrap_or_default();
        let adds = operation == Operation::Merge || operation == Operation::Replace && replace.or_add;
        if let Some((name, argument)) = unmet.argument {
            let span = self.argument_span(argument.pos, name);
            let new = match (name, unmet.expected) {
                ("expects", Expected::AtLeast(_)) => format!("expects=\"{found}+\""),
                ("expects", _) if matches!(self.calls.see(argument.value), Seen::List(_)) => {
                    // What the list allows stays allowed.
                    let old = span.and_then(|span| self.written(span));
                    match old.as_deref().and_then(written_list) {
                        Some(old) => format!("expects=[{old}, {found}]"),
                        None => return diagnostic,
                    }
                }
                ("expects", _) => format!("expects={found}"),
                // Only where there is none are there too few.
                _ => "missing_ok=True".to_owned(),
            };
            let what = match found {
                0 if adds && unmet.kind != RightKind::Document => "if it is new where nothing matches, add it there",
                0 => "only if nothing may match (then nothing is changed where there is none)",
                _ => "to accept what is there",
            };
            return diagnostic.edit_at(format!("{what}: `{new}`"), span, new).silencing();
        }
        match (unmet.kind, unmet.rule.by) {
            (RightKind::Document, _) => {
                let what = "only if nothing may match (then nothing is changed where there is none)";
                self.add_keyword(diagnostic, right, what, "expects=\"0+\"")
            }
            (RightKind::MapItem, None) if adds => {
                let key = key_text(&self.arena(), self.arena().key(right));
                let what = match meant {
                    // The same word as another type: nobody wants both.
                    Some(Meaning::Quoted) => return diagnostic,
                    Some(Meaning::Elsewhere) => format!("only if a second `{key}`, here, is really meant"),
                    Some(Meaning::Like | Meaning::There) => format!("only if `{key}` is meant to be a new key"),
                    None => format!("if `{key}` is meant to be a new key, add it"),
                };
                self.add_keyword(diagnostic, right, &what, "missing_ok=True")
            }
            (RightKind::MapItem, None) => {
                let others = if operation == Operation::Remove { self.others_with_key(right) } else { 0 };
                let what = match others {
                    0 => "only if it may be missing (then nothing is changed where there is none)".to_string(),
                    1 => "to remove it where it is there, as in 1 other document".to_string(),
                    _ => format!("to remove it where it is there, as in {others} other documents"),
                };
                let diagnostic =
                    match self.or_added(right).filter(|_| operation == Operation::Replace && meant.is_none()) {
                        Some((key, (span, new))) => {
                            let text =
                                format!("to set `{key}` whether it is there or not, let both annotations say so");
                            diagnostic.help_edit(text, span, new).guessing()
                        }
                        None => diagnostic,
                    };
                self.add_keyword(diagnostic, right, &what, "missing_ok=True")
            }
            // Nobody wants a new item without a name beside those that have one.
            _ if adds && unmet.kind == RightKind::ArrayItem && self.is_nameless(unmet) => diagnostic,
            _ if adds && meant == Some(Meaning::Quoted) => diagnostic,
            _ if adds && meant.is_some() => {
                let item = self.called(&self.arena(), unmet);
                let what = format!("only if {item} is meant to be a new item");
                self.add_keyword(diagnostic, right, &what, "missing_ok=True")
            }
            _ if adds => {
                let what = match self.called(&self.arena(), unmet) {
                    item if item.starts_with('`') => format!("if {item} is meant to be a new item, add it"),
                    _ => "if a new item is meant, add it".to_string(),
                };
                self.add_keyword(diagnostic, right, &what, "missing_ok=True")
            }
            _ => {
                let what = "only if nothing may match (then nothing is changed where there is none)";
                self.add_keyword(diagnostic, right, what, "missing_ok=True")
            }
        }
    }

    /// The edit of a `@overlay/replace` without arguments that sets a key also where there is none, and the key.
    fn or_added(&self, right: NodeId) -> Option<(String, (Span, String))> {
        let arena = self.arena();
        let name = Operation::Replace.name();
        let span = self.whole_annotation(&arena, arena.ann(right, name)?)?;
        let is_bare = arena.ann(right, MATCH).is_none() && self.written(span)? == format!("#@{name}");
        let (_, indent) = self.line_start(right).filter(|_| is_bare)?;
        let new = format!("#@{MATCH} missing_ok=True\n{indent}#@{name} or_add=True");
        Some((key_text(&arena, arena.key(right)), (span, new)))
    }

    /// An item that is matched by its index, and has no name beside others that have one.
    fn is_nameless(&self, unmet: &Unmet) -> bool {
        let arena = self.arena();
        let is_by_index =
            self.by_span().and_then(|by| self.written(by)).is_some_and(|by| by.contains("overlay.index("));
        let mut items = unmet.lefts.iter().flat_map(|left| arena.items(*left)).peekable();
        let are_named = items.peek().is_some() && items.all(|item| name_of(&arena, *item).is_some());
        is_by_index && are_named && name_of(&arena, unmet.right).is_none()
    }

    /// A help that adds a keyword to the match rule of an item, or writes such a rule.
    pub(super) fn add_keyword(&self, diagnostic: Diagnostic, right: NodeId, what: &str, keyword: &str) -> Diagnostic {
        if let Some(ann) = self.arena().ann(right, MATCH) {
            let place = self.arena().place(ann.pos).copied();
            let end = place.map(|place| Span::new(place.source, place.end, place.end));
            return diagnostic.edit_at(format!("{what}: `{keyword}`"), end, format!(", {keyword}")).silencing();
        }
        let text = format!("{what}: `#@{MATCH} {keyword}`");
        match self.line_start(right) {
            Some((span, indent)) => {
                diagnostic.help_edit(text, span, format!("#@{MATCH} {keyword}\n{indent}")).silencing()
            }
            None => match self.above_the_item(right).filter(|_| keyword == "missing_ok=True") {
                Some((span, indent)) => {
                    let text = format!("{what}: `#@{CHILD_DEFAULTS} {keyword}`, above the item");
                    diagnostic.help_edit(text, span, format!("#@{CHILD_DEFAULTS} {keyword}\n{indent}")).silencing()
                }
                None => diagnostic.help(text),
            },
        }
    }

    /// Where something for the first key of a list item can be said, which has no line of its own.
    fn above_the_item(&self, right: NodeId) -> Option<(Span, String)> {
        let around = self.trail.iter().rev().nth(1).filter(|step| step.kind == RightKind::ArrayItem)?.node;
        let is_open = {
            let arena = self.arena();
            matches!(arena.get(right).body, Body::MapItem(..)) && arena.ann(around, CHILD_DEFAULTS).is_none()
        };
        self.line_start(around).filter(|_| is_open)
    }
}

/// What stands in the brackets of `expects=[…]`, if these are plain elements one after the other.
fn written_list(argument: &str) -> Option<&str> {
    let list = argument.strip_prefix("expects=")?.trim_start().strip_prefix('[')?.strip_suffix(']')?;
    let list = list.trim().trim_end_matches(',').trim_end();
    (!list.is_empty() && !list.contains(['[', ']', '\n']) && !list.contains(" for ")).then_some(list)
}
