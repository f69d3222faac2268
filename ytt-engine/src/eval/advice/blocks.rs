//! Keys and items of a YAML template that are nothing without a value: the widest ones of which all code reads that value,
//! wherever the function or document around it does so, and a key that has the name of the value.

use std::ops::Range;

use super::shells::{Codes, EMPTY, ITEM, MOST_LINES, NEEDED, SETTINGS, Texts, codes, root};
use super::whole::{self, Block, Line, Node};
use crate::nearest::folded;
use crate::source::{Source, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::word;

/// Lines that are looked at in each direction.
const MOST: u32 = 300;
/// Places that are left out together.
const PLACES: usize = 6;
/// Keys of objects that are there whatever a value is.
const KEPT: [&str; 12] = [
    "annotations",
    "containers",
    "data",
    "initContainers",
    "labels",
    "matchLabels",
    "metadata",
    "ports",
    "selector",
    "spec",
    "stringData",
    "template",
];
/// Lists whose items are there whatever a value is.
const KEPT_ITEMS: [&str; 7] = ["containers", "from", "initContainers", "ports", "rules", "subjects", "to"];
/// Keys by which an item with a name has what it is there for.
const HOLDING: [&str; 13] = [
    "configMap",
    "configMapRef",
    "csi",
    "devicePath",
    "hostPath",
    "mountPath",
    "nfs",
    "persistentVolumeClaim",
    "secret",
    "secretName",
    "secretRef",
    "value",
    "valueFrom",
];
/// Keys that say which one is meant, or how it is reached, and nothing that would be wanted alone.
const BESIDE: [&str; 11] =
    ["apiGroup", "apiVersion", "id", "key", "kind", "name", "optional", "path", "port", "scheme", "type"];
/// What is left out together.
pub(super) struct Blocks {
    /// What it is called, of a single one.
    pub(super) name: Option<String>,
    /// Where lines are put around each, or around a run of neighbours.
    pub(super) runs: Vec<Run>,
    /// The lines where they begin.
    pub(super) lines: Vec<u32>,
    /// How many lines of the function or document read the value, also those that stay.
    pub(super) reads: usize,
    /// A line that is not among them, and reads the value, too.
    pub(super) beyond: Option<u32>,
}

/// What one condition decides about.
pub(super) struct Run {
    /// Where its line is put, and how far that is indented.
    pub(super) above: Span,
    pub(super) indent: String,
    /// Where the end of several neighbours is said.
    pub(super) below: Option<Span>,
}

#[derive(Clone, Copy, PartialEq)]
enum Value {
    Nothing,
    Literal,
    Reads,
    /// Of other code.
    Other,
}

/// A key, or an item of a list.
struct Entry {
    line: u32,
    column: usize,
    key: Option<String>,
    /// A key behind the dash of its item, above which no line can stand.
    is_behind_dash: bool,
    parent: Option<usize>,
    /// The block of code that it is in.
    block: u32,
    /// A line of code above decides about it.
    is_chosen: bool,
    /// A text of several lines is below it.
    has_text: bool,
    value: Value,
}

/// What is in an entry.
#[derive(Clone, Copy, Default)]
struct Inside {
    has_children: bool,
    reads: bool,
    has_code: bool,
    /// Something in it may be wanted without the value.
    has_more: bool,
    /// Only settings may be.
    has_settings: bool,
    /// A value is written in it that may be wanted without the value, whatever stands around it.
    has_literal: bool,
    /// All of it goes with the value.
    fits: bool,
    /// Parts of it that read the value, and whether one of them is what items are there for.
    parts: usize,
    is_held: bool,
    is_named: bool,
}

struct Tree<'a> {
    source: &'a Source,
    place: Span,
    code: &'a str,
    file: &'a FileCode,
    /// What the value can be read by, and where the name in front of that has its value.
    codes: Codes,
    entries: Vec<Entry>,
    inside: Vec<Inside>,
}

/// What to leave out where the value at a place is None, which `code` is: `None` if that is no more than its own line.
pub(super) fn around(source: &Source, place: Span, code: &str) -> Option<Blocks> {
    let file = FileCode::read(source, place.source)?;
    let codes = codes(source, &file, place, code);
    let mut tree = Tree { source, place, code, file: &file, codes, entries: Vec::new(), inside: Vec::new() };
    let range = tree.read()?;
    tree.look_inside();
    let own = source.line(place.start);
    let reads = || (0..tree.entries.len()).filter(|at| tree.value(*at) == Value::Reads);
    let first = reads().find(|at| tree.entries.get(*at).is_some_and(|entry| entry.line == own))?;
    let units: Option<Vec<usize>> = reads().map(|at| tree.with_shell(tree.widest(at))).collect();
    let mut units = tree.without_empty(units?)?;
    // Without any node it would be something else.
    let top = |entry: &Entry| entry.parent.is_none();
    let is_all = tree.entries.iter().enumerate().all(|(at, entry)| !top(entry) || units.contains(&at));
    if is_all || units.len() > PLACES {
        return None;
    }
    // A document without its name is none.
    let is_name = |unit: &usize| {
        let above = tree.of(*unit).filter(|above| tree.of(*above).is_none());
        tree.key(Some(*unit)) == "name" && tree.key(above) == "metadata"
    };
    if units.iter().any(is_name) {
        return None;
    }
    // No line can stand above what begins behind a dash.
    let behind_dash = |unit: &usize| tree.entries.get(*unit).is_some_and(|entry| entry.is_behind_dash);
    let is_out =
        |at: usize, units: &[usize]| units.contains(&at) || tree.ancestors(at).any(|above| units.contains(&above));
    units.retain(|unit| !behind_dash(unit));
    (is_out(first, &units) && units != [first]).then_some(())?;
    let left = reads().find(|at| !is_out(*at, &units)).and_then(|at| Some(tree.entries.get(at)?.line));
    let beyond = left.or_else(|| tree.read_beyond(range));
    let parts: Vec<&Entry> = units.iter().filter_map(|unit| tree.entries.get(*unit)).collect();
    parts.iter().all(|entry| !entry.is_chosen).then_some(())?;
    if parts.iter().any(|part| tree.is_of_flag(part) || tree.is_named_elsewhere(part, &|at| is_out(at, &units))) {
        return None;
    }
    let runs = tree.runs(&units);
    // The condition reads the name in front of all of it.
    let bound = file.bound(place, tree.root())?;
    (bound.name.start < runs.first()?.above.start).then_some(())?;
    let name = match &parts[..] {
        [only] => Some(only.key.as_ref().map_or("the whole item".to_owned(), |key| format!("`{key}`"))),
        _ => None,
    };
    Some(Blocks { name, runs, lines: parts.iter().map(|entry| entry.line).collect(), reads: reads().count(), beyond })
}

/// Is the value at a place read outside of the function or document around it, too?
pub(super) fn is_read_beyond(source: &Source, place: Span, code: &str) -> bool {
    let Some(file) = FileCode::read(source, place.source) else { return false };
    let codes = codes(source, &file, place, code);
    let mut tree = Tree { source, place, code, file: &file, codes, entries: Vec::new(), inside: Vec::new() };
    tree.read().is_some_and(|range| tree.read_beyond(range).is_some())
}

impl Tree<'_> {
    /// Does the line above give an option whose value this item is?
    fn is_of_flag(&self, part: &Entry) -> bool {
        let above = self.source.line_text(part.line.saturating_sub(1));
        // An option, with quotes or without.
        let is_option = |item: &str| {
            item.trim_start_matches(|letter: char| letter.is_ascii_punctuation() && letter != '-').starts_with('-')
        };
        let item = above.trim().strip_prefix("- ").filter(|item| !item.contains(['=', '#']));
        part.key.is_none() && item.is_some_and(is_option)
    }

    /// Is this a volume whose name stands in what stays, as that of a mount does?
    fn is_named_elsewhere(&self, part: &Entry, is_out: &dyn Fn(usize) -> bool) -> bool {
        let named = |line: u32| {
            let text = self.source.line_text(line);
            let name = text.trim().trim_start_matches("- ").strip_prefix("name:").map(|name| name.trim().to_owned());
            name.filter(|name| !name.is_empty())
        };
        let Some(name) = named(part.line).filter(|_| part.key.is_none() && self.key(part.parent) == "volumes") else {
            return false;
        };
        let stays = |(at, entry): (usize, &Entry)| !is_out(at) && named(entry.line).as_ref() == Some(&name);
        self.entries.iter().enumerate().any(stays)
    }

    /// Reads the lines of the function or document, and gives which they are; `None` where code or a text reads the value.
    fn read(&mut self) -> Option<Range<u32>> {
        let own = self.source.line(self.place.start);
        let (first, last) = match self.file.function_around(self.place) {
            Some(function) => {
                (self.source.line(function.whole.start).saturating_add(1), self.source.line(function.whole.end))
            }
            None => (1, self.source.line(u32::MAX)),
        };
        let starts = |number: &u32| matches!(whole::line(self.source, *number), Line::Document);
        let start = (first..own).rev().take(MOST as usize).find(starts).map_or(first, |line| line.saturating_add(1));
        let end = (own..=last).take(MOST as usize).find(starts).unwrap_or(last.saturating_add(1));
        if own.saturating_sub(start) >= MOST || end.saturating_sub(own) >= MOST {
            return None;
        }
        // The blocks around a line, by a number that each has for itself.
        let (mut blocks, mut next, mut is_chosen) = (Vec::new(), 1_u32, false);
        let mut open: Vec<usize> = Vec::new();
        let mut texts = Texts::default();
        for number in start..end {
            let line = whole::line(self.source, number);
            let text = self.source.line_text(number);
            if texts.holds(&line, &text) {
                if let Some(entry) = self.entries.last_mut() {
                    entry.has_text = true;
                }
                // Without the value it would be another text.
                if text.contains("(@") && self.reads(number, &text, 0) {
                    return None;
                }
                if let Some(entry) = self.entries.last_mut().filter(|_| text.contains("(@")) {
                    entry.value = Value::Other;
                }
                continue;
            }
            match line {
                Line::Blank | Line::Beside { .. } | Line::Document => {}
                Line::Code(block) => {
                    if self.reads(number, &text, 0) {
                        return None;
                    }
                    if block != Block::Stays {
                        if block != Block::Begins {
                            blocks.pop();
                        }
                        if block != Block::Ends {
                            blocks.push(next);
                            next = next.saturating_add(1);
                        }
                    }
                    is_chosen |= text.contains("/end");
                }
                Line::Node(node) => {
                    let block = blocks.last().copied().unwrap_or_default();
                    self.add(&mut open, number, node, (block, std::mem::take(&mut is_chosen)));
                }
            }
        }
        Some(start..end)
    }

    /// The first line outside of those that were read where the value is read, too.
    fn read_beyond(&self, range: Range<u32>) -> Option<u32> {
        let mut texts = Texts::default();
        (1..=self.source.line(u32::MAX)).take(MOST_LINES).find(|number| {
            let text = self.source.line_text(*number);
            let is_text = texts.holds(&whole::line(self.source, *number), &text) && !text.contains("(@");
            !is_text && !range.contains(number) && !text.trim_start().starts_with("#!") && self.reads(*number, &text, 0)
        })
    }

    /// Adds what a line begins; `open` are the entries around it.
    fn add(&mut self, open: &mut Vec<usize>, line: u32, node: Node, (block, is_chosen): (u32, bool)) {
        let value = self.value_of(line, &node);
        let Node { indent, is_dashed, column, key, .. } = node;
        let mut push = |column: usize, key: Option<String>, is_chosen: bool, value: Value| {
            let is_item = key.is_none();
            // A list may begin where its key does.
            while let Some(last) = open.last().and_then(|last| self.entries.get(*last)) {
                let is_around = last.column < column || is_item && last.column == column && last.key.is_some();
                if is_around {
                    break;
                }
                open.pop();
            }
            let parent = open.last().copied();
            open.push(self.entries.len());
            let is_behind_dash = is_dashed && !is_item;
            self.entries.push(Entry {
                line,
                column,
                key,
                is_behind_dash,
                parent,
                block,
                is_chosen,
                has_text: false,
                value,
            });
        };
        match (is_dashed, key) {
            (true, Some(key)) => {
                push(indent, None, is_chosen, Value::Nothing);
                push(column, Some(key), false, value);
            }
            (true, None) => push(indent, None, is_chosen, value),
            (false, Some(key)) => push(column, Some(key), is_chosen, value),
            // A line of a text.
            (false, None) => {}
        }
    }

    fn value_of(&self, line: u32, node: &Node) -> Value {
        let text = self.source.line_text(line);
        let Some(before) = text.len().checked_sub(node.rest.len()) else { return Value::Other };
        match &*node.rest {
            "" => Value::Nothing,
            rest if !rest.contains("#@") && !rest.contains("(@") => Value::Literal,
            rest => {
                let has_more = [" if ", " or ", " and ", " not ", "lambda"].iter().any(|part| rest.contains(part));
                if !has_more && self.reads(line, &text, before) { Value::Reads } else { Value::Other }
            }
        }
    }

    /// Is a member of the value read behind so many bytes of a line, where no condition asks for it?
    fn reads(&self, line: u32, text: &str, behind: usize) -> bool {
        let belong = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let start = self.source.line_range(line).start;
        let is_asked = |(condition, _): &(Span, bool)| {
            let asked = self.source.written(*condition).unwrap_or_default();
            self.codes.iter().any(|(code, _)| word::whole(asked, code).next().is_some())
        };
        self.codes.iter().any(|(code, bound)| {
            let read = format!("{code}.");
            let mut places = text
                .match_indices(&read)
                .filter(|(at, _)| *at >= behind && !text.get(..*at).unwrap_or_default().ends_with(belong));
            places.any(|(at, _)| {
                let at = start.saturating_add(to_u32(at));
                let span = Span { start: at, end: at.saturating_add(to_u32(code.len())), ..self.place };
                self.file.bound(span, root(code)) == *bound && !self.file.conditions(span).iter().any(is_asked)
            })
        })
    }

    fn root(&self) -> &str {
        root(self.code)
    }

    fn value(&self, at: usize) -> Value {
        self.entries.get(at).map_or(Value::Nothing, |entry| entry.value)
    }

    fn key(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.entries.get(at)?.key.as_deref()).unwrap_or_default()
    }

    fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let parent = |at: usize| self.entries.get(at).and_then(|entry| entry.parent);
        std::iter::successors(parent(at), move |above| parent(*above))
    }

    /// What stands in each entry: those inside of one are behind it.
    fn look_inside(&mut self) {
        let mut all = vec![Inside::default(); self.entries.len()];
        for (at, entry) in self.entries.iter().enumerate().rev() {
            let Some(own) = all.get_mut(at) else { continue };
            own.reads |= entry.value == Value::Reads;
            own.has_code |= matches!(entry.value, Value::Reads | Value::Other);
            let is_beside = entry.key.as_deref().is_some_and(|key| BESIDE.contains(&key));
            let is_setting = entry.key.as_deref().is_some_and(|key| SETTINGS.contains(&key));
            let is_setting = is_setting && entry.value == Value::Literal;
            own.has_literal |= entry.value == Value::Literal && !is_beside && !is_setting;
            own.fits = match (own.has_children, entry.value) {
                (true, value) => {
                    // A thing of its own has more to it than one of its settings.
                    let is_thing = entry.key.is_none() && own.is_named && !own.is_held && own.parts < 2;
                    value == Value::Nothing
                        && own.reads
                        && !own.has_more
                        && !is_thing
                        && (own.is_held || !own.has_settings)
                }
                (false, value) => value == Value::Reads || value == Value::Literal && is_beside,
            };
            let own = *own;
            let Some(parent) = entry.parent else { continue };
            let is_same = self.entries.get(parent).is_some_and(|parent| parent.block == entry.block);
            if let Some(above) = all.get_mut(parent) {
                above.has_children = true;
                above.reads |= own.reads;
                above.has_code |= own.has_code;
                above.has_literal |= own.has_literal;
                above.has_settings |= is_setting;
                above.has_more |= !own.fits && !is_setting || !is_same || entry.is_chosen;
                above.parts = above.parts.saturating_add(usize::from(own.reads));
                above.is_held |= own.reads && entry.key.as_deref().is_some_and(|key| HOLDING.contains(&key));
                above.is_named |= !own.reads && is_beside;
            }
        }
        self.inside = all;
    }

    /// The widest entry around a read that is nothing without it.
    fn widest(&self, read: usize) -> usize {
        let mut widest = read;
        for above in self.ancestors(read) {
            let Some((entry, inside)) = self.entries.get(above).zip(self.inside.get(above)) else { break };
            if self.is_kept(above) || !inside.fits || entry.is_chosen {
                break;
            }
            widest = above;
        }
        self.of_its_name(widest).unwrap_or(widest)
    }

    /// What goes with an entry, since it is not valid without that: `None` where something in it may be wanted.
    fn with_shell(&self, mut at: usize) -> Option<usize> {
        while let Some(above) = self.of(at) {
            let (entry, around) = (self.entries.get(at)?, self.entries.get(above)?);
            let key = self.key(Some(at));
            let needed = NEEDED.iter().find(|(needed, _)| *needed == key).map_or(&[][..], |(_, of)| *of);
            // An item is told by the list that it is in, where it matters.
            let list = around.key.is_none().then(|| self.key(around.parent));
            let is_needed = needed.iter().any(|of| match list {
                Some(_) if *of == ITEM => self.has_name(above),
                Some(list) => *of == list,
                None => !of.is_empty() && *of == self.key(Some(above)),
            });
            if !is_needed {
                break;
            }
            // What an overlay changes in an item is more than that.
            let (_, annotations) = whole::top(self.source, (around.line, around.column));
            let is_annotated = |name: &str| annotations.iter().any(|line| word::whole(line, name).next().is_some());
            let is_changed = is_annotated("match") && !is_annotated("missing_ok");
            if entry.block != around.block || entry.is_chosen || around.is_chosen || is_changed {
                return None;
            }
            at = above;
        }
        Some(at)
    }

    /// Is there a key in an entry that tells what it is?
    fn has_name(&self, at: usize) -> bool {
        let is_name = |child: &usize| {
            ["name", "key", "op", "path", "configMapRef", "secretRef"].contains(&self.key(Some(*child)))
        };
        (at..self.entries.len()).filter(|child| self.of(*child) == Some(at)).any(|child| is_name(&child))
    }

    /// The entries, each once, and for all of an entry that one itself; `None` where one would stay with nothing in it.
    fn without_empty(&self, mut units: Vec<usize>) -> Option<Vec<usize>> {
        loop {
            units.sort_unstable();
            units.dedup();
            let all = units.clone();
            units.retain(|unit| !self.ancestors(*unit).any(|above| all.contains(&above)));
            let is_empty = |above: &usize| {
                let mut children = (0..self.entries.len()).filter(|child| self.of(*child) == Some(*above));
                children.all(|child| units.contains(&child))
            };
            let may_be = |above: &usize| EMPTY.contains(&self.key(Some(*above)));
            let above = units.iter().filter_map(|unit| self.of(*unit)).filter(|above| !may_be(above));
            let Some(empty) = above.into_iter().find(is_empty) else { return Some(units) };
            let entry = self.entries.get(empty)?;
            let is_same = units.iter().filter(|unit| self.of(**unit) == Some(empty));
            let mut is_same = is_same.filter_map(|unit| self.entries.get(*unit));
            let is_kept = self.is_kept(empty) || entry.is_chosen || entry.key.is_none();
            if is_kept || !is_same.all(|unit| unit.block == entry.block && !unit.is_chosen) {
                return None;
            }
            units.push(self.with_shell(empty)?);
        }
    }

    /// Is an entry there whatever a value is?
    fn is_kept(&self, at: usize) -> bool {
        let Some(entry) = self.entries.get(at) else { return true };
        match entry.key.as_deref() {
            Some(key) => KEPT.contains(&key),
            None => KEPT_ITEMS.contains(&self.key(entry.parent)),
        }
    }

    /// The key around an entry that has the name of the value, where nothing in it is wanted without that.
    fn of_its_name(&self, at: usize) -> Option<usize> {
        let name = folded(self.code.rsplit('.').next()?);
        let block = self.entries.get(at)?.block;
        let is_there =
            |above: &usize| self.entries.get(*above).is_some_and(|entry| entry.block == block && !entry.is_chosen);
        let above = self.ancestors(at).take_while(is_there).find(|above| folded(self.key(Some(*above))) == name)?;
        let entry = self.entries.get(above)?;
        let children = || (above..self.entries.len()).filter(|child| self.of(*child) == Some(above));
        let is_only = entry.parent.is_some()
            && (0..self.entries.len()).all(|other| other == above || self.of(other) != entry.parent);
        let goes_with_it = |child: usize| {
            let (key, inside) = (self.key(Some(child)), self.inside.get(child).copied().unwrap_or_default());
            match key {
                "" => inside.reads && !inside.has_literal,
                "name" => false,
                _ => inside.has_code && !inside.has_literal || BESIDE.contains(&key),
            }
        };
        (!self.is_kept(above) && !is_only && !entry.is_behind_dash && children().all(goes_with_it)).then_some(above)
    }

    fn of(&self, at: usize) -> Option<usize> {
        self.entries.get(at).and_then(|entry| entry.parent)
    }

    /// What is left out, with neighbours together: one condition around all of them, as people write it.
    fn runs(&self, units: &[usize]) -> Vec<Run> {
        let at = |line: u32| {
            let start = self.source.line_range(line).start;
            Span { start, end: start, ..self.place }
        };
        let mut runs: Vec<Run> = Vec::new();
        let mut before: Option<usize> = None;
        for unit in units {
            let Some(entry) = self.entries.get(*unit) else { continue };
            let below = self.last_line(*unit).map(|last| at(last.saturating_add(1)));
            let is_next = before.is_some_and(|before| self.follows(before, *unit)) && below.is_some();
            match runs.last_mut().filter(|_| is_next) {
                Some(run) => run.below = below,
                None => {
                    let top = whole::top(self.source, (entry.line, entry.column)).0;
                    runs.push(Run { above: at(top), indent: " ".repeat(entry.column), below: None });
                }
            }
            before = Some(*unit);
        }
        runs
    }

    /// Is the second entry the next one in the container of the first, with no code between?
    fn follows(&self, first: usize, second: usize) -> bool {
        let (Some(one), Some(other)) = (self.entries.get(first), self.entries.get(second)) else { return false };
        let is_code = |line: u32| matches!(whole::line(self.source, line), Line::Code(_));
        one.parent == other.parent
            && (one.block, one.column) == (other.block, other.column)
            && self.next(first) == Some(second)
            && !(one.line..other.line).any(is_code)
    }

    /// The entry behind all that is in one.
    fn next(&self, at: usize) -> Option<usize> {
        let behind = |other: &usize| !self.ancestors(*other).any(|above| above == at);
        (at.saturating_add(1)..self.entries.len()).find(behind)
    }

    /// Where an entry ends, if nothing is in it but other entries, and another line can stand below.
    fn last_line(&self, at: usize) -> Option<u32> {
        let first = self.entries.get(at)?.line;
        let last = self.next(at).unwrap_or(self.entries.len()).checked_sub(1)?;
        let last = self.entries.get(last).filter(|entry| !entry.has_text)?.line;
        let is_entry = |line: u32| match whole::line(self.source, line) {
            Line::Node(node) => node.is_dashed || node.key.is_some(),
            Line::Blank | Line::Beside { .. } => true,
            Line::Code(_) | Line::Document => false,
        };
        // The rest of a text would be cut off.
        let behind = whole::line(self.source, last.saturating_add(1));
        let is_closed = !matches!(&behind, Line::Node(node) if !node.is_dashed && node.key.is_none());
        let ends = self.source.text.as_str().is_some_and(|text| text.ends_with('\n'));
        let is_last = self.source.line(u32::MAX) <= last;
        (is_closed && (ends || !is_last) && (first..=last).all(is_entry)).then_some(last)
    }
}
