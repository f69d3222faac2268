//! A key of values that stands beside its group, or too deep inside of it: its lines, written where the schema has the key.

use super::misfit::{Checked, Told};
use super::{ItemId, MapType, Schema, TypeId, TypeKind};
use crate::diag::path::{PathStep, push_key, steps};
use crate::diag::{Advice, Diagnostic};
use crate::source::{Origin, Source, Span, indented, to_u32};
use crate::validate::key_text;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, NodeId, ReadOptions, Val, read};

/// Paths that are told.
pub(super) const SHOWN: usize = 3;
/// Declarations of a key that are looked for.
pub(super) const MOST: usize = 20;
/// Bytes of a file that is read once more.
const LONGEST: usize = 100_000;
/// Keys that move together.
pub(super) const TOGETHER: usize = 30;
/// Columns by which a map stands farther to the right than its key.
pub(super) const STEP: usize = 2;

/// A key that the schema declares elsewhere.
pub(super) struct Declared {
    pub(super) path: String,
    /// Its items from the top; `None` of one in a list, which stands at no one place.
    pub(super) way: Option<Vec<ItemId>>,
}

impl Schema {
    /// Declared keys that are this one, so many at most.
    pub(super) fn declared_elsewhere(&self, arena: &Arena, key: Val) -> Vec<Declared> {
        let mut found = Vec::new();
        let mut open = vec![(self.root, String::new(), Some(Vec::new()))];
        while let Some((item, path, way)) = open.pop() {
            match &self.inner(self.item(item).ty).kind {
                TypeKind::Map(map) => {
                    let below = map.items.iter().map(|id| {
                        let (mut path, mut way) = (path.clone(), way.clone());
                        push_key(&mut path, &key_text(arena, self.item(*id).key));
                        way.iter_mut().for_each(|way| way.push(*id));
                        (*id, path, way)
                    });
                    let below: Vec<_> = below.collect();
                    for (id, path, way) in &below {
                        if arena.same(self.item(*id).key, key) {
                            found.push(Declared { path: path.clone(), way: way.clone() });
                            if found.len() == MOST {
                                return found;
                            }
                        }
                    }
                    open.extend(below.into_iter().rev());
                }
                TypeKind::Array(item) => open.push((*item, format!("{path}[]"), None)),
                _ => {}
            }
        }
        found
    }
}

/// Where a way to a declared key begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Top,
    /// The map that has the wrong key.
    Here,
}

/// Lines of a file, and what is written in their place.
pub(super) struct Move {
    pub(super) edit: (Span, String),
    /// The keys that move with the one that is asked for.
    others: Vec<String>,
    /// The group that takes them, where it stands.
    pub(super) group: Option<Span>,
}

impl Told<'_> {
    /// Says where the schema declares a key, and writes it there if that is one place.
    pub(super) fn regrouped(
        &self,
        told: Diagnostic,
        item: NodeId,
        map: &MapType,
        elsewhere: &[Declared],
    ) -> Diagnostic {
        let paths: Vec<String> = elsewhere.iter().take(SHOWN).map(|one| format!("`{}`", one.path)).collect();
        let plain = format!("the schema declares {}", paths.join(", "));
        let [only @ Declared { path, way: Some(way) }] = elsewhere else {
            return match self.in_the_only_free(&told, item, map, elsewhere) {
                Some(told) => told,
                None => self.one_of(told, item, map, elsewhere).unwrap_or_else(|told| told.help(plain)),
            };
        };
        let Some(last) = way.last() else { return told.help(plain) };
        let told = self.declared_there(told, *last, path);
        if let Some(told) = self.as_group(&told, map, only) {
            return told;
        }
        if let Some(edit) = self.in_flag(item, path) {
            return self.given_there(told, item, self.schema.item(*last).ty, edit);
        }
        match self.moved(item, map, (From::Top, way)) {
            Some(Place::Taken(place)) => {
                let told = told.label(place, "it is set here already");
                told.help(format!("`{path}` is what the schema declares, which is set already: keep one of the two"))
            }
            Some(Place::Free(found)) => {
                let told = written_there(told, path, found);
                // One name in two groups beside each other says little.
                let groups =
                    [self.path, path.as_str()].map(|path| path.rsplit_once('.').map_or("", |(group, _)| group));
                let is_around = |outer: &str, inner: &str| {
                    let rest = inner.strip_prefix(outer);
                    outer.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                };
                let is_near = is_around(groups[0], groups[1]) || is_around(groups[1], groups[0]);
                self.declared_as_given(
                    if is_near { told } else { told.guessing() },
                    &key_text(self.arena, self.arena.key(item)),
                    only,
                )
            }
            None => told.help(plain),
        }
    }

    /// Marks the declaration, unless it stands on a line that is marked.
    pub(super) fn declared_there(&self, told: Diagnostic, declared: ItemId, path: &str) -> Diagnostic {
        let Some(place) = self.arena.place(self.schema.item(declared).pos).map(|place| place.key()) else {
            return told;
        };
        let (group, key) = match path.rsplit_once('.') {
            Some((group, key)) => (format!("in `{group}`"), key),
            None => ("at the top".to_owned(), path),
        };
        told.label(place, format!("`{key}` is declared here, {group}"))
    }

    /// The path of a flag, if that is where the key stands.
    pub(super) fn in_flag(&self, item: NodeId, path: &str) -> Option<(Span, String)> {
        let key = self.arena.place_of(item)?.key();
        let source = self.sources.get(key.source);
        let span = Span { start: key.end.checked_sub(to_u32(self.path.len()))?, ..key };
        (source.origin == Origin::Flag && source.written(span) == Some(self.path)).then(|| (span, path.to_owned()))
    }

    /// A flag with another path; one that gives a text for something else has to be another flag.
    pub(super) fn given_there(
        &self,
        told: Diagnostic,
        item: NodeId,
        declared: TypeId,
        (span, path): (Span, String),
    ) -> Diagnostic {
        let text = format!("did you mean `{path}`?");
        let source = self.sources.get(span.source);
        let ty = self.schema.inner(declared);
        let is_text = self.arena.str(self.arena.value(item)).is_some() && source.name.starts_with("(data-value arg");
        if !is_text || matches!(ty.kind, TypeKind::Str | TypeKind::Any) {
            return told.help_edit(text, span, path);
        }
        let all = source.text.as_str().unwrap_or_default();
        let part = |from: u32, to: usize| all.get(from as usize..to).unwrap_or_default();
        let pair = [part(0, span.start as usize), &path, part(span.end, all.len())].concat().trim_end().to_owned();
        told.advise(Advice::GiveYaml { why: format!("{text} It is of type {}: write", ty.name()), pair })
    }

    /// What is where a key of a map belongs, and the edit that writes it there; keys beside it that lie as wrong go along.
    pub(super) fn moved(&self, item: NodeId, map: &MapType, (from, way): (From, &[ItemId])) -> Option<Place> {
        let (last, groups) = way.split_last()?;
        let names: Vec<String> = groups.iter().map(|id| key_text(self.arena, self.schema.item(*id).key)).collect();
        let new = key_text(self.arena, self.schema.item(*last).key);
        let root = &self.schema.inner(self.schema.item(self.schema.root).ty).kind;
        let declared = match (groups.last(), from, root) {
            (Some(group), ..) => match &self.schema.inner(self.schema.item(*group).ty).kind {
                TypeKind::Map(declared) => declared,
                _ => return None,
            },
            (None, From::Top, TypeKind::Map(declared)) => declared,
            _ => map,
        };
        self.in_file(self.given_at(item)?, |written| {
            written.moved((from, &names), &new, |key| !self.has(map, key) && self.has(declared, key))
        })
    }

    /// A key without a value, below which its keys stand as far to the left as itself: the edit that indents them.
    pub(super) fn indented_below(&self, item: NodeId, map: &MapType) -> Option<(Span, String)> {
        let mut around = self.schema.root;
        let steps = steps(self.path)?;
        for step in steps.split_last()?.1 {
            around = match (&self.schema.inner(self.schema.item(around).ty).kind, step) {
                (TypeKind::Map(map), PathStep::Key(key)) => self.declared(map, key)?,
                (TypeKind::Array(item), PathStep::Index(_)) => *item,
                _ => return None,
            };
        }
        let TypeKind::Map(around) = &self.schema.inner(self.schema.item(around).ty).kind else { return None };
        let found = self.in_file(self.given_at(item)?, |written| {
            let (own, holders) = written.around.split_last()?;
            let siblings = written.arena.items(written.arena.map_of(written.arena.value(*holders.last()?))?);
            let next = *siblings.get(siblings.iter().position(|item| item == own)?.checked_add(1)?)?;
            let name = written
                .arena
                .str(written.arena.key(next))
                .filter(|name| self.has(map, name) && !self.has(around, name));
            let name = name?.to_owned();
            let group = written.arena.str(written.arena.key(*own))?.to_owned();
            let beside = Written { around: holders.iter().copied().chain([next]).collect(), ..*written };
            beside.moved((From::Here, &[group]), &name, |key| !self.has(around, key) && self.has(map, key))
        });
        match found? {
            Place::Free(found) => Some(found.edit),
            Place::Taken(_) => None,
        }
    }

    /// The same for a declaration, of which groups are where it belongs.
    pub(super) fn moved_declaration(&self, place: Span, groups: &[String], key: &str) -> Option<Place> {
        self.in_file(place, |written| written.moved((From::Top, groups), key, |_| false))
    }

    pub(super) fn declared(&self, map: &MapType, key: &str) -> Option<ItemId> {
        map.items.iter().copied().find(|id| key_text(self.arena, self.schema.item(*id).key) == key)
    }

    fn has(&self, map: &MapType, key: &str) -> bool {
        self.declared(map, key).is_some()
    }

    /// Where data values give an item.
    pub(super) fn given_at(&self, item: NodeId) -> Option<Span> {
        self.arena.span_of(item).filter(|_| matches!(self.from, Checked::Values))
    }

    /// Looks at an item in its file, which is read once more: what is merged is no file any longer.
    pub(super) fn in_file<T>(&self, place: Span, look: impl FnOnce(&Written<'_>) -> Option<T>) -> Option<T> {
        let source = self.sources.get(place.source);
        let is_file = matches!(source.origin, Origin::File(_) | Origin::Memory);
        if !is_file || source.text.as_bytes().len() > LONGEST {
            return None;
        }
        // Each problem of a file looks at it.
        let file = source.reading(|| {
            let mut arena = Arena::new(self.arena.depth());
            let options = ReadOptions { strict: false, alias_nodes: to_u32(LONGEST).into(), reports: 1 };
            let root = read(&mut arena, self.sources, place.source, &options).ok()?.root;
            Some(ReadAgain { arena, root })
        })?;
        let around = way_to(&file.arena, file.root, place)?;
        look(&Written { arena: &file.arena, source: &source, around })
    }
}

/// The edit that writes a key where the schema has it, in the group that stands in the file.
pub(super) fn written_there(told: Diagnostic, path: &str, found: Move) -> Diagnostic {
    let Move { edit: (span, new), others, group: there } = found;
    let key = path.rsplit('.').next().unwrap_or_default();
    let told = told.label_at(there, format!("`{key}` belongs in here"));
    let group = path.rsplit_once('.').map_or("at the top".to_owned(), |(group, _)| format!("in `{group}`"));
    let text = match &others[..] {
        [] => format!("write it where the schema has it: {group}"),
        [other] => format!("write it where the schema has it, {group}, and `{other}` with it"),
        _ => format!("write it where the schema has it, {group}, and {} other keys with it", others.len()),
    };
    told.help_edit(text, span, new)
}

/// A file as it is written.
struct ReadAgain {
    arena: Arena,
    root: NodeId,
}

/// What is where a key belongs.
pub(super) enum Place {
    Free(Move),
    /// The key is there, too.
    Taken(Span),
}

/// A file as it is written, with a key of it.
pub(super) struct Written<'a> {
    pub(super) arena: &'a Arena,
    pub(super) source: &'a Source,
    /// The document, and the items from there to the key.
    pub(super) around: Vec<NodeId>,
}

impl Written<'_> {
    /// The edit that moves the key into the group of these names, under a name that may be another one; of those right
    /// beside it, all go along that belong there too.
    fn moved(
        &self,
        (from, groups): (From, &[String]),
        new_name: &str,
        belongs: impl Fn(&str) -> bool,
    ) -> Option<Place> {
        let arena = self.arena;
        let (own, holders) = self.around.split_last()?;
        let (document, holder) = (*holders.first()?, *holders.last()?);
        let siblings = arena.items(arena.map_of(arena.value(holder))?);
        let at = siblings.iter().position(|item| item == own)?;
        // As much of the group as is there.
        let (mut group, mut rest) = (if from == From::Top { document } else { holder }, groups);
        while let [name, inner @ ..] = rest {
            let Some(item) = arena.map_of(arena.value(group)).and_then(|map| arena.find_str(map, name)) else { break };
            (group, rest) = (item, inner);
        }
        let there = arena.map_of(arena.value(group)).map(|map| arena.items(map)).unwrap_or_default();
        if self.around.contains(&group) && group == *own || !rest.iter().all(|name| needs_no_quotes(name)) {
            return None;
        }
        let name = |item: &NodeId| arena.str(arena.key(*item));
        let other = |wanted: &str| there.iter().find(|other| rest.is_empty() && name(other) == Some(wanted));
        let goes =
            |item: &&NodeId| **item != group && name(item).is_some_and(|name| belongs(name) && other(name).is_none());
        let is_renamed = name(own) != Some(new_name);
        let (before, behind) = if is_renamed {
            (0, 0)
        } else {
            let before = siblings.get(..at)?.iter().rev().take(TOGETHER).take_while(goes).count();
            (before, siblings.get(at.checked_add(1)?..)?.iter().take(TOGETHER).take_while(goes).count())
        };
        if let Some(taken) = other(new_name) {
            return Some(Place::Taken(arena.span_of(*taken)?));
        }
        if is_renamed && !needs_no_quotes(new_name) {
            return None;
        }
        let moved = siblings.get(at.checked_sub(before)?..at.checked_add(behind)?.checked_add(1)?)?;
        let lines = self.lines_of_all(moved)?;
        let key = self.arena.span_of(*own)?;
        let part = |start: u32, end: u32| self.source.written(Span { start, end, ..lines });
        let text = match is_renamed {
            true => [part(lines.start, key.start)?, new_name, part(key.end, lines.end)?].concat(),
            false => part(lines.start, lines.end)?.to_owned(),
        };
        let mut new = String::new();
        let mut column = match there.first() {
            Some(first) => self.column(*first)?,
            None => self.below_key(group)?,
        };
        for name in rest {
            new.push_str(&format!("{}{name}:\n", " ".repeat(column)));
            column = column.checked_add(STEP)?;
        }
        new.push_str(&indented(&text, self.column(*own)?, column)?);
        // With the keys goes what would be left empty.
        let mut gone = lines;
        let mut emptied = moved.len() == siblings.len();
        for (around, item) in holders.iter().zip(holders.iter().skip(1)).rev() {
            if !emptied || *item == group {
                break;
            }
            gone = self.lines_of_all(&[*item])?;
            emptied = arena.map_of(arena.value(*around)).is_some_and(|map| arena.count(map) == 1);
        }
        let anchors = self.anchors(group, there, gone)?;
        let edit = self.source.moved(gone, anchors, &new)?;
        let others = moved.iter().filter(|item| *item != own).filter_map(name).map(str::to_owned).collect();
        let group = arena.span_of(group).filter(|_| group != document && rest.is_empty());
        Some(Place::Free(Move { edit, others, group }))
    }

    /// Where lines can go into a group: before or behind the items that hold them now, else before or behind all of it.
    fn anchors(&self, group: NodeId, there: &[NodeId], gone: Span) -> Option<Vec<u32>> {
        let (Some(first), Some(last)) = (there.first(), there.last()) else {
            let key = self.arena.span_of(group)?;
            let line = self.source.line(key.start).checked_add(1)?;
            return Some(vec![self.source.line_range(line).start]);
        };
        let whole = Span { end: self.lines_of_all(&[*last])?.end, ..self.lines_of_all(&[*first])? };
        let holds = |lines: &Span| lines.start < gone.end && gone.start < lines.end;
        let around = there.iter().filter_map(|item| self.lines_of_all(&[*item])).filter(holds);
        let around = around.reduce(|one, next| Span { end: next.end, ..one }).unwrap_or(whole);
        Some(vec![around.start, around.end])
    }

    /// Where the first key goes below one that holds nothing.
    fn below_key(&self, group: NodeId) -> Option<usize> {
        let place = self.arena.place_of(group)?;
        let is_bare = self.arena.value(group) == Val::Null && place.value == place.end;
        is_bare.then(|| self.column(group))?.map(|column| column.saturating_add(STEP))
    }

    /// The lines of items below each other, with the comments and annotations right above; statements stay where they are.
    pub(super) fn lines_of_all(&self, items: &[NodeId]) -> Option<Span> {
        let (first, last) = (self.arena.place_of(*items.first()?)?, self.arena.place_of(*items.last()?)?);
        let end = match last.value < last.end {
            true => last.end,
            // Nothing is written behind the colon.
            false => self.source.line_range(self.source.line(last.key_end)).end,
        };
        let whole = Span { end, ..first.key() };
        let lines = self.source.whole_lines(whole).or_else(|| self.source.lines_of(whole))?;
        let first = self.source.line(lines.start);
        let is_comment = |line: &u32| self.source.line_text(*line).trim_start().starts_with('#');
        // What a file begins with is said of all of it, unless it is code.
        let above = (1..first).rev().take_while(is_comment).last();
        let is_code = |line: u32| self.source.line_text(line).trim_start().starts_with("#@");
        let above = above.filter(|above| *above > 1 || (1..first).any(is_code));
        let lines = Span { start: above.map_or(lines.start, |line| self.source.line_range(line).start), ..lines };
        let is_statement = |line: &str| {
            line.trim_start().strip_prefix("#@").is_some_and(|code| code.starts_with(' ') || !code.contains('/'))
        };
        (!self.source.written(lines)?.lines().any(is_statement)).then_some(lines)
    }

    /// Whether a line can begin here.
    pub(super) fn ends_line(&self, at: u32) -> bool {
        self.source
            .text
            .as_bytes()
            .get(..at as usize)
            .is_some_and(|before| before.last().is_none_or(|last| *last == b'\n'))
    }

    /// The blanks in front of an item, if nothing else is there.
    pub(super) fn column(&self, item: NodeId) -> Option<usize> {
        Some(self.source.above(self.arena.span_of(item)?)?.1.len())
    }
}

/// The items that lead to the key at a place, from the document on.
fn way_to(arena: &Arena, root: NodeId, place: Span) -> Option<Vec<NodeId>> {
    let mut open: Vec<Vec<NodeId>> = arena.items(root).iter().map(|document| vec![*document]).collect();
    while let Some(way) = open.pop() {
        let item = *way.last()?;
        if way.len() > 1 && arena.span_of(item) == Some(place) {
            return Some(way);
        }
        // Only what holds the place is looked into: a way is as long as the place is deep.
        let Val::Node(inner) = arena.value(item) else { continue };
        let holds = |item: &&NodeId| {
            arena
                .place_of(**item)
                .is_some_and(|whole| whole.start <= place.start && place.end <= whole.end.max(whole.key_end))
        };
        open.extend(arena.items(inner).iter().filter(holds).map(|item| way.iter().copied().chain([*item]).collect()));
    }
    None
}
