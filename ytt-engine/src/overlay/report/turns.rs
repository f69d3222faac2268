//! An item that a loop makes, and that an earlier overlay took out: where the loop has it from.

use super::cause::Cause;
use super::junction;
use crate::nearest::only;
use crate::overlay::annotation::RightKind;
use crate::overlay::engine::Scene;
use crate::overlay::matcher::{Target, Test};
use crate::overlay::problem::Unmet;
use crate::overlay::target;
use crate::source::{Source, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::{word, written};
use crate::yaml::{Arena, Body, NodeId, Val};

/// What makes an item in one turn of a loop.
pub(super) struct Turn {
    /// What the loop goes over.
    pub(super) over: Span,
    /// The element of this turn, where it is written out.
    pub(super) element: Option<Span>,
    /// The edit that takes it out.
    pub(super) edit: Option<(Span, String)>,
    /// The turn makes nothing else.
    pub(super) is_alone: bool,
    /// What the matcher asks for because of it.
    pub(super) name: Option<String>,
}

impl Scene<'_> {
    /// The turn of a loop that makes an item, by the name that it has in that turn.
    pub(super) fn turn_of(&self, arena: &Arena, unmet: &Unmet) -> Option<Turn> {
        let (name, place) = match (unmet.kind, &unmet.test) {
            (RightKind::MapItem, None) => (arena.key(unmet.right), arena.span_of(unmet.right)?),
            (RightKind::ArrayItem, Some(Test::Key(key))) => {
                let own = arena.find(arena.map_of(arena.value(unmet.right))?, *key)?;
                (arena.value(own), arena.place_of(own)?.value())
            }
            (_, Some(test)) => return self.turn_of_matcher(arena, unmet.right, test),
            _ => return None,
        };
        let name = arena.str(name).filter(|name| !self.is_scalar_at(place, name))?;
        let sources = self.calls.sources();
        let code = FileCode::read(&sources.get(place.source), place.source)?;
        let source = sources.get(place.source);
        let line = source.line_text(source.line(place.start));
        let (_, over) = code.turns(place).into_iter().find(|(vars, _)| self.reads_one(*vars, &line))?;
        let (list, is_own) = match junction::bound(sources, over) {
            // What else reads the list has the name from it, too.
            Some((_, Binder::Value(value))) => (value, code.reads(&self.written(over)?).len() == 1),
            _ => (over, true),
        };
        let is_line = self.written(list).is_some_and(|list| !list.contains('\n'));
        let mut elements = written::elements(sources, list).into_iter().filter(|_| is_own && is_line);
        let element = elements.find(|element| self.literal(*element, name) == Some(*element));
        let edit = element.map(|element| (source.with_comma(list, element), String::new()));
        Some(Turn { over: list, element, edit, is_alone: true, name: None })
    }

    /// What to do about a turn of a loop that nothing is left for.
    pub(super) fn leave_out_turn(
        &self,
        arena: &Arena,
        mut cause: Cause,
        turn: &Turn,
        (by, what): (NodeId, &str),
    ) -> Cause {
        let Turn { over, element, edit, is_alone, name } = turn;
        let what = name.as_ref().map_or_else(|| what.to_owned(), |name| format!("`{name}`"));
        let told = match element {
            Some(_) => format!("this turn of the loop makes {what} here"),
            None => format!("a turn of the loop over this makes {what} here"),
        };
        cause.labels.push((Some(element.unwrap_or(*over)), told));
        let text = match is_alone {
            true => format!("leave {what} out of the loop: nothing is left to change"),
            false => {
                format!(
                    "leave {what} out of this part of the loop: nothing is left to change here; the rest of the turn stays"
                )
            }
        };
        let stay = self.keep_it(arena, by).map(|stay| format!("or keep it: {stay}"));
        let cause = cause.help(text, edit.clone());
        stay.into_iter().fold(cause, |cause, stay| cause.help(stay, None)).guessing(true)
    }

    /// What lets a left item stay that a right one takes out.
    pub(super) fn keep_it(&self, arena: &Arena, by: NodeId) -> Option<String> {
        let line = self.line_of(arena, by)?;
        let what = if matches!(arena.get(by).body, Body::Doc(_)) { "document" } else { "item" };
        Some(match self.is_of_many(arena, by) {
            true => format!("leave it out of the loop around the {what} at {line}, which takes it out first"),
            false => format!("delete the {what} at {line}, which takes it out"),
        })
    }

    /// The same of an item whose matcher asks for what the loop has in that turn.
    fn turn_of_matcher(&self, arena: &Arena, right: NodeId, test: &Test) -> Option<Turn> {
        let by = self.by_span()?;
        let Test::Subset(Target::Val(wanted)) = test else { return None };
        let sources = self.calls.sources();
        let source = sources.get(by.source);
        let code = FileCode::read(&source, by.source)?;
        let argument = self.written(by)?;
        let (vars, over) = code.turns(by).into_iter().find(|(vars, _)| self.reads_one(*vars, &argument))?;
        let whole = code.whole_loop_around(by)?;
        let series = written::series(sources, over).map_or(over, |(series, _)| series);
        // What takes another entry than that of the turn fails without it.
        let takes_own = |read: Span| {
            let behind = source.text.as_str().and_then(|text| text.get(read.end as usize..)).unwrap_or_default();
            let index = behind.strip_prefix('[').and_then(|behind| behind.split_once(']'));
            series.holds(read) || index.is_some_and(|(index, _)| self.written(vars).is_some_and(|vars| vars == index))
        };
        let is_within = |name: &str| {
            let reads = code.reads(name);
            reads.iter().all(|read| whole.holds(read.whole) && takes_own(read.whole))
        };
        let (list, is_own) = match junction::bound(sources, series) {
            Some((_, Binder::Value(value))) => (value, is_within(&self.written(series)?)),
            _ => (series, true),
        };
        // What is written in the matcher itself does not come of the loop.
        let leaves = target::leaves(arena, *wanted);
        let texts = leaves.iter().filter_map(|(_, value)| arena.str(*value));
        let texts: Vec<&str> = texts.filter(|text| self.literal(by, text).is_none()).collect();
        // A turn goes by the key of an entry, or by texts of an element.
        let has = |(key, part): &(Option<Span>, Span), text: &str| match key {
            Some(key) => self.literal(*key, text) == Some(*key),
            None => self.literal(*part, text).is_some(),
        };
        let parts = written::parts(sources, list);
        // What no element has is the same in each turn, or code makes it.
        let of_turns: Vec<&str> =
            texts.iter().copied().filter(|text| parts.iter().any(|part| has(part, text))).collect();
        let texts = if of_turns.is_empty() { texts } else { of_turns };
        let has_all = |part: &&(Option<Span>, Span)| texts.iter().all(|text| has(part, text));
        let element = only(parts.iter().filter(has_all)).map(|(_, part)| *part);
        let element = element.filter(|_| is_own && !texts.is_empty());
        // What else is made in this turn may be there.
        let is_alone = self.is_alone_in(arena, right, whole) && makes_one_document(&source, whole);
        let edit = element.filter(|_| is_alone && parts.len() > 1).and_then(|one| without(&source, list, one));
        Some(Turn { over: list, element, edit, is_alone, name: texts.last().map(|text| (*text).to_owned()) })
    }

    /// Does code read one of the variables of a loop?
    fn reads_one(&self, vars: Span, code: &str) -> bool {
        let vars = self.written(vars).unwrap_or_default();
        let mut names = vars.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        names.any(|var| !var.is_empty() && word::whole(code, var).next().is_some())
    }

    /// Does a loop make nothing but this item in a turn, as far as its document goes?
    fn is_alone_in(&self, arena: &Arena, right: NodeId, whole: Span) -> bool {
        let Some(place) = arena.span_of(right) else { return false };
        let is_other = |other: &NodeId| {
            arena
                .span_of(*other)
                .is_some_and(|other| other != place && other.source == whole.source && whole.holds(other))
        };
        let around = self.trail.iter().rev().nth(1).map(|step| step.node);
        let beside = around.and_then(|around| match arena.value(around) {
            Val::Node(container) => Some(arena.items(container)),
            _ => None,
        });
        !self.overlays.iter().chain(beside.into_iter().flatten()).any(is_other)
    }

    /// Does the place of a document make others, too, in other turns of a loop?
    pub(super) fn is_of_many(&self, arena: &Arena, document: NodeId) -> bool {
        let place = arena.span_of(document);
        place.is_some() && self.overlays.iter().filter(|other| arena.span_of(**other) == place).take(2).count() > 1
    }
}

/// Does a loop make one document, and do nothing else that is seen outside of a turn?
fn makes_one_document(source: &Source, whole: Span) -> bool {
    let lines = || source.written(whole).unwrap_or_default().lines().map(str::trim_start);
    let documents = lines().filter(|line| line.starts_with("---")).count();
    let is_inner = |code: &str| {
        let word = code.split([' ', ':', '(', '/']).next().unwrap_or_default();
        // A name that is set is one of the turn, as a rule; what is set by an index or called may be seen elsewhere.
        let sets = code.split_once(" = ").is_some_and(|(name, _)| name.chars().all(char::is_alphanumeric));
        matches!(word, "for" | "if" | "elif" | "else" | "end" | "pass" | "") || sets
    };
    let mut code = lines().filter_map(|line| line.strip_prefix("#@ "));
    documents <= 1 && code.all(|code| is_inner(code.trim()))
}

/// The edit that takes an element out of a list or dict: with its lines, where it has lines of its own.
fn without(source: &Source, list: Span, element: Span) -> Option<(Span, String)> {
    if source.written(list).is_some_and(|list| !list.contains('\n')) {
        return Some((source.with_comma(list, element), String::new()));
    }
    let (first, last) = (source.line_range(source.line(element.start)), source.line_range(source.line(element.end)));
    let before = source.written(Span { start: first.start, end: element.start, ..element })?;
    let behind = source.written(Span { start: element.end, end: last.end, ..element })?;
    let is_own = before.trim_start().trim_start_matches("#@").trim().is_empty() && matches!(behind.trim(), "," | "");
    let text = source.text.as_str()?.get(last.end as usize..)?;
    let line_break = to_u32(text.len().saturating_sub(text.strip_prefix('\n').unwrap_or(text).len()));
    let end = last.end.saturating_add(line_break);
    is_own.then(|| (Span { start: first.start, end, ..element }, String::new()))
}
