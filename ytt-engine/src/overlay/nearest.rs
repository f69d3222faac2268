//! What was probably meant: the nearest candidates for an item that matched nothing, and the edits to offer.
//!
//! Candidates are ranked as overlays 6.5 of the rule books says. The work is bounded: so many comparisons for one
//! diagnostic, so many for a stage; beyond, none are shown.

use super::annotation::{self, CHILD_DEFAULTS, Kind, MATCH, MatchRule};
use super::compare::{is_part, kind_name, leaf};
use super::count::{Unmet, Wanted};
use super::engine::{Engine, Right};
use super::matcher::{Target, Test, key_value};
use super::report::{SHOWN, key_text, scalar_text, step_text};
use super::select::Found;
use crate::diag::{Diagnostic, suggest};
use crate::source::Span;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Comparisons for one diagnostic.
const COMPARISONS: usize = 10_000;
/// Candidates shown.
const CANDIDATES: usize = 3;

/// A candidate: how far it is (smaller is nearer), and what to say at it.
struct Near {
    rank: (u32, usize, usize),
    span: Option<Span>,
    text: String,
    /// The text to write instead of the wanted key.
    key: Option<String>,
}

impl Engine<'_> {
    /// Adds candidates and helps to a problem of numbers.
    #[expect(clippy::too_many_arguments, reason = "all that is known of one match")]
    pub(super) fn advise(
        &mut self,
        diagnostic: Diagnostic,
        lefts: &[NodeId],
        right: Right,
        kind: Kind,
        rule: &MatchRule,
        test: Option<Test>,
        found: &[Found],
        unmet: &Unmet,
    ) -> Diagnostic {
        let few = match unmet.wanted {
            Wanted::Function => return diagnostic,
            Wanted::Exactly(wanted) => (found.len() as i128) < wanted,
            Wanted::AtLeast(_) => true,
        };
        if !few {
            return self.advise_fewer(diagnostic, right.node, rule, unmet, found);
        }
        let mut diagnostic = diagnostic;
        let mut key = None;
        if self.may_compare(lefts) {
            diagnostic = self.gone(diagnostic, lefts, right.node, &test);
            let (near, values) = self.near(lefts, right, test);
            for one in &near {
                match one.span {
                    Some(span) => diagnostic = diagnostic.label(span, one.text.clone()),
                    None => diagnostic = diagnostic.note(one.text.clone()),
                }
            }
            if near.is_empty() {
                diagnostic = match values {
                    Some(values) => diagnostic.note(values),
                    None => self.contents(diagnostic, lefts, kind, rule),
                };
            }
            key = near.into_iter().find_map(|one| one.key);
        }
        let written = self.arena().span_of(right.node);
        if let (Some(key), Some(span), Kind::MapItem) = (&key, written, kind) {
            diagnostic = diagnostic.help_edit(format!("did you mean `{key}`?"), span, key.clone());
        }
        self.advise_more(diagnostic, right.node, kind, rule, unmet, found.len())
    }

    /// Says where an earlier overlay of the stage took out what would have matched.
    fn gone(&self, diagnostic: Diagnostic, lefts: &[NodeId], right: NodeId, test: &Option<Test>) -> Diagnostic {
        let arena = self.arena();
        let removed = self.removed.iter().rev().find(|(container, item, _)| {
            lefts.contains(container)
                && match test {
                    None => arena.same(arena.key(*item), arena.key(right)),
                    Some(Test::Subset(Target::Val(wanted))) => is_part(&arena, arena.value(*item), *wanted),
                    Some(Test::Key(key)) => {
                        let value = |item| key_value(&arena, arena.value(item), *key);
                        matches!((value(*item), value(right)), (Ok(a), Ok(b)) if leaf(&arena, a, b))
                    }
                    Some(_) => false,
                }
        });
        let Some(&(_, item, by)) = removed else {
            return diagnostic;
        };
        let line = self.line_of(&arena, item).map_or(String::new(), |line| format!(" ({line})"));
        match arena.span_of(by) {
            Some(span) => diagnostic.label(span, format!("an earlier overlay took out what would match{line} here")),
            None => diagnostic.note(format!("an earlier overlay took out what would match{line}")),
        }
    }

    /// Whether candidates may still be looked for; counts the work.
    fn may_compare(&mut self, lefts: &[NodeId]) -> bool {
        let count: usize = lefts.iter().map(|left| self.arena().items(*left).len()).sum();
        if count > COMPARISONS {
            return false;
        }
        match &mut self.gather {
            Some(gather) => gather.spend(count),
            None => true,
        }
    }

    /// The nearest candidates; where there are none for a `subset`, the values that are there instead.
    fn near(&mut self, lefts: &[NodeId], right: Right, test: Option<Test>) -> (Vec<Near>, Option<String>) {
        let mut values = None;
        let mut near = match test {
            None => match lefts.first() {
                Some(&map) => self.near_keys(map, right.node),
                None => Vec::new(),
            },
            Some(Test::Key(key)) => self.near_values(lefts, right, key),
            Some(mut test) => match subset_of(&mut test) {
                Some(target) => match self.target(target) {
                    Ok(wanted) => {
                        values = self.values_there(lefts, wanted);
                        self.near_parts(lefts, wanted)
                    }
                    Err(_) => Vec::new(),
                },
                None => Vec::new(),
            },
        };
        near.sort_by_key(|one| one.rank);
        near.truncate(CANDIDATES);
        (near, values)
    }

    /// The values at the path of the first leaf of a target, if they are few.
    fn values_there(&self, lefts: &[NodeId], wanted: Val) -> Option<String> {
        let arena = self.arena();
        let leaves = leaves(&arena, wanted);
        let (path, _) = leaves.first().filter(|(path, _)| !path.is_empty())?;
        let mut values: Vec<String> = Vec::new();
        for &item in lefts.iter().flat_map(|left| arena.items(*left)) {
            let text = match at_path(&arena, arena.value(item), path) {
                Some((value, _)) => scalar_text(&arena, value),
                None => continue,
            };
            if !values.contains(&text) {
                values.push(text);
            }
            if values.len() > SHOWN {
                return None;
            }
        }
        let path = path_text(&arena, path);
        Some(match values.is_empty() {
            true => format!("none of them has `{path}`"),
            false => format!("`{path}` there: {}", values.join(", ")),
        })
    }

    /// Keys of a map like the wanted one; else the same key elsewhere in the document.
    fn near_keys(&self, map: NodeId, right: NodeId) -> Vec<Near> {
        let arena = self.arena();
        let wanted = arena.key(right);
        let text = key_text(&arena, wanted);
        let (plain, written) = (plain_key(&text), self.written_key(&arena, right));
        let most = (text.chars().count() / 3).max(1);
        let mut near = Vec::new();
        for (place, &item) in arena.items(map).iter().enumerate() {
            let (key, span) = (key_text(&arena, arena.key(item)), arena.span_of(item));
            let here = self.written_key(&arena, item);
            if key == text || here.is_some() && here == written {
                near.push(other_type(&arena, arena.key(item), wanted, here.unwrap_or(key), (place, span)));
                continue;
            }
            let rank = if plain_key(&key) == plain {
                (0, 1, place)
            } else if let Some(distance) = suggest::distance(&text, &key, most) {
                (1, distance, place)
            } else {
                continue;
            };
            near.push(Near { rank, span, text: "nearest key".to_string(), key: Some(key) });
        }
        if near.is_empty() {
            near.extend(self.same_key_elsewhere(&arena, wanted));
        }
        near
    }

    /// A key as it is written in its file, without quotes.
    fn written_key(&self, arena: &Arena, item: NodeId) -> Option<String> {
        let span = arena.span_of(item)?;
        let source = self.calls.sources().get(span.source);
        let bytes = source.text.as_bytes().get(span.start as usize..span.end as usize)?;
        let text = std::str::from_utf8(bytes).ok()?;
        Some(text.trim_matches(['"', '\'']).to_string())
    }

    /// The same key at another path of the left document, nearest in depth first.
    fn same_key_elsewhere(&self, arena: &Arena, wanted: Val) -> Option<Near> {
        let (document, _) = self.trail.first()?.matched?;
        let depth = self.trail.len();
        let mut best: Option<(usize, NodeId, String)> = None;
        let mut open = match arena.value(document) {
            Val::Node(value) => vec![(value, 1_usize, String::new())],
            _ => return None,
        };
        let mut visited = 0;
        while let Some((container, level, path)) = open.pop() {
            for &item in arena.items(container).iter().rev() {
                visited += 1;
                if visited > COMPARISONS {
                    return None;
                }
                let path = format!("{path}{}", step_text(arena, item));
                if matches!(arena.get(item).body, Body::MapItem(..)) && arena.same(arena.key(item), wanted) {
                    let far = level.abs_diff(depth);
                    if best.as_ref().is_none_or(|best| far <= best.0) {
                        best = Some((far, item, path.clone()));
                    }
                }
                if let Val::Node(inner) = arena.value(item)
                    && level < arena.depth() as usize
                {
                    open.push((inner, level + 1, path));
                }
            }
        }
        let (far, item, path) = best?;
        let (key, path) = (key_text(arena, wanted), path.trim_start_matches('.').to_string());
        Some(Near { rank: (2, far, 0), span: arena.span_of(item), text: format!("`{key}` is at `{path}`"), key: None })
    }

    /// Values of the key that `map_key` compares.
    fn near_values(&self, lefts: &[NodeId], right: Right, key: Val) -> Vec<Near> {
        let arena = self.arena();
        let Ok(wanted) = key_value(&arena, arena.value(right.node), key) else {
            return Vec::new();
        };
        let (name, wanted) = (key_text(&arena, key), key_text(&arena, wanted));
        let mut near = Vec::new();
        for (place, &item) in lefts.iter().flat_map(|left| arena.items(*left)).enumerate() {
            let Ok(value) = key_value(&arena, arena.value(item), key) else {
                continue;
            };
            let most = wanted.len().max(4);
            if let Some(distance) = suggest::distance(&wanted, &key_text(&arena, value), most) {
                let text = format!("its `{name}` is {}", scalar_text(&arena, value));
                near.push(Near { rank: (0, distance, place), span: arena.span_of(item), text, key: None });
            }
        }
        near
    }

    /// Items that hold some leaves of the target of `subset`.
    fn near_parts(&self, lefts: &[NodeId], wanted: Val) -> Vec<Near> {
        let arena = self.arena();
        let leaves = leaves(&arena, wanted);
        let mut near = Vec::new();
        for (place, &item) in lefts.iter().flat_map(|left| arena.items(*left)).enumerate() {
            let (mut kept, mut far, mut close, mut kind_differs) = (0, 0, false, 0);
            let mut first: Option<(String, Option<NodeId>)> = None;
            for (path, value) in &leaves {
                let here = at_path(&arena, arena.value(item), path);
                if here.is_some_and(|(here, _)| leaf(&arena, here, *value)) {
                    kept += 1;
                    continue;
                }
                let wanted = key_text(&arena, *value);
                let path_text = path_text(&arena, path);
                if path_text == "kind" || path_text == "apiVersion" {
                    kind_differs = 1;
                }
                let said = match here {
                    Some((here, _)) => {
                        let distance = suggest::distance(&wanted, &key_text(&arena, here), wanted.len().max(8));
                        far += distance.unwrap_or(wanted.len().max(8));
                        close |= distance.is_some_and(|distance| distance <= wanted.chars().count() / 3);
                        let (here, value) = (scalar_text(&arena, here), scalar_text(&arena, *value));
                        format!("`{path_text}` is {here}, expected {value}")
                    }
                    None => {
                        far += wanted.len();
                        format!("`{path_text}` is missing")
                    }
                };
                first = first.or(Some((said, here.and_then(|(_, item)| item))));
            }
            let Some((said, at)) = first.filter(|_| kept > 0 || close) else {
                continue;
            };
            let all = leaves.len();
            let text = match all {
                1 => format!("near: {said}"),
                _ => format!("{kept} of {all} keys of the subset match: {said}"),
            };
            let rank = (kind_differs, (all - kept) * 10_000 + far.min(9_999), place);
            near.push(Near { rank, span: arena.span_of(at.unwrap_or(item)), text, key: None });
        }
        near
    }

    /// What the left container holds, if it is little.
    fn contents(&self, diagnostic: Diagnostic, lefts: &[NodeId], kind: Kind, rule: &MatchRule) -> Diagnostic {
        let arena = self.arena();
        let count: usize = lefts.iter().map(|left| arena.items(*left).len()).sum();
        match (kind, count) {
            (Kind::MapItem, 0) => diagnostic.note("the map is empty"),
            (Kind::ArrayItem, 0) => diagnostic.note("the array is empty"),
            (Kind::Document, 0) => diagnostic.note("there is no document to overlay"),
            (Kind::MapItem, 1..=SHOWN) if rule.by.is_none() => {
                let keys = lefts.iter().flat_map(|left| arena.items(*left));
                let keys: Vec<String> = keys.map(|item| key_text(&arena, arena.key(*item))).collect();
                diagnostic.note(format!("keys there: {}", keys.join(", ")))
            }
            (Kind::ArrayItem, count) => diagnostic.note(format!("the array has {count} items")),
            (Kind::Document, count) => diagnostic.note(format!("{count} documents were tried")),
            _ => diagnostic,
        }
    }

    /// How to allow that nothing matches, or as few as were found.
    fn advise_more(
        &self,
        diagnostic: Diagnostic,
        right: NodeId,
        kind: Kind,
        rule: &MatchRule,
        unmet: &Unmet,
        found: usize,
    ) -> Diagnostic {
        if let Some((name, argument)) = unmet.argument {
            let span = annotation::argument_span(&*self.calls, argument.pos, name);
            return match (name, span) {
                ("expects", Some(span)) => diagnostic.help_edit(
                    format!("to accept what is there: expects={found}"),
                    span,
                    format!("expects={found}"),
                ),
                ("missing_ok", Some(span)) if found == 0 => {
                    diagnostic.help_edit("to allow none: missing_ok=True", span, "missing_ok=True")
                }
                _ => diagnostic,
            };
        }
        if found > 0 {
            return diagnostic.help(format!("to accept what is there: expects={found}"));
        }
        let (allowed, what) = match (kind, rule.by) {
            (Kind::MapItem, None) => ("missing_ok=True", "to add it"),
            (Kind::Document, _) => ("expects=\"0+\"", "to do nothing where nothing matches"),
            _ => ("missing_ok=True", "to add it where nothing matches"),
        };
        self.add_keyword(diagnostic, right, what, allowed)
    }

    /// A help that adds a keyword to the match rule of an item, or writes such a rule.
    fn add_keyword(&self, diagnostic: Diagnostic, right: NodeId, what: &str, keyword: &str) -> Diagnostic {
        if let Some(ann) = self.arena().ann(right, MATCH) {
            let place = self.arena().place(ann.pos).copied();
            let end = place.map(|place| Span::new(place.source, place.end, place.end));
            return match end {
                Some(end) => diagnostic.help_edit(format!("{what}: {keyword}"), end, format!(", {keyword}")),
                None => diagnostic.help(format!("{what}: {keyword}")),
            };
        }
        let text = format!("{what}: #@{MATCH} {keyword}");
        match self.line_start(right) {
            Some((span, indent)) => diagnostic.help_edit(text, span, format!("#@{MATCH} {keyword}\n{indent}")),
            None => diagnostic.help(text),
        }
    }

    /// More items matched than are allowed.
    fn advise_fewer(
        &self,
        diagnostic: Diagnostic,
        right: NodeId,
        rule: &MatchRule,
        unmet: &Unmet,
        found: &[Found],
    ) -> Diagnostic {
        let mut diagnostic = diagnostic;
        if let [first, second, ..] = found {
            let arena = self.arena();
            if let Some((path, a, b)) = first_difference(&arena, arena.value(first.item), arena.value(second.item)) {
                let (a, b) = (scalar_text(&arena, a), scalar_text(&arena, b));
                diagnostic = diagnostic.note(format!("the first two differ at `{path}`: {a}, {b}"));
                if rule.by.is_some() {
                    diagnostic = diagnostic.help(format!("narrow the matcher, with overlay.subset on `{path}`"));
                }
            }
        }
        let all = if matches!(unmet.argument, Some(("missing_ok", _))) { "\"0+\"" } else { "\"1+\"" };
        match unmet.argument {
            None => self.add_keyword(diagnostic, right, "to change all of them", &format!("expects={all}")),
            Some((name, argument)) => match annotation::argument_span(&*self.calls, argument.pos, name) {
                Some(span) => diagnostic.help_edit(
                    format!("to change all of them: expects={all}"),
                    span,
                    format!("expects={all}"),
                ),
                None => diagnostic.help(format!("to change all of them: expects={all} (see @{CHILD_DEFAULTS})")),
            },
        }
    }
}

/// A key that is written alike and has another type: YAML reads `on` as a boolean and `1` as a number.
fn other_type(arena: &Arena, key: Val, wanted: Val, written: String, at: (usize, Option<Span>)) -> Near {
    let (text, new) = match (key, wanted) {
        (Val::Str { .. }, _) => {
            let (kind, wanted) = (kind_name(arena, wanted), key_text(arena, wanted));
            (format!("this key is a text, the wanted one the {kind} {wanted}: quote it"), format!("\"{written}\""))
        }
        _ => {
            let (kind, key) = (kind_name(arena, key), key_text(arena, key));
            (format!("this key is the {kind} {key}, the wanted one is not"), written)
        }
    };
    Near { rank: (0, 0, at.0), span: at.1, text, key: Some(new) }
}

/// Lower case without `-` and `_`.
fn plain_key(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The first `subset` of a matcher that must hold.
fn subset_of(test: &mut Test) -> Option<&mut Target> {
    match test {
        Test::Subset(target) => Some(target),
        Test::And(tests) | Test::Or(tests) => tests.iter_mut().find_map(subset_of),
        _ => None,
    }
}

/// A path from a target to a leaf: the right items, and their places in their lists.
type Path = Vec<(NodeId, usize)>;

/// Leaves of a target with their paths.
fn leaves(arena: &Arena, target: Val) -> Vec<(Path, Val)> {
    const MOST: usize = 32;
    let mut found = Vec::new();
    let mut open: Vec<(Path, Val)> = vec![(Vec::new(), target)];
    while let Some((path, value)) = open.pop() {
        match value {
            Val::Node(container) if !arena.items(container).is_empty() && path.len() < MOST => {
                for (place, &item) in arena.items(container).iter().enumerate().take(MOST).rev() {
                    let mut path = path.clone();
                    path.push((item, place));
                    open.push((path, arena.value(item)));
                }
            }
            leaf if found.len() < MOST => found.push((path, leaf)),
            _ => break,
        }
    }
    found
}

/// The value at the path of a leaf of the target, and the left item that holds it.
fn at_path(arena: &Arena, left: Val, path: &[(NodeId, usize)]) -> Option<(Val, Option<NodeId>)> {
    let (mut value, mut at) = (left, None);
    for &(step, place) in path {
        let Val::Node(container) = value else {
            return None;
        };
        let item = match (&arena.get(container).body, &arena.get(step).body) {
            (Body::Map(_), Body::MapItem(key, _)) => arena.find(container, *key)?,
            // Lists match place by place from the start.
            (Body::Array(items), Body::ArrayItem(_)) => *items.get(place)?,
            _ => return None,
        };
        (value, at) = (arena.value(item), Some(item));
    }
    Some((value, at))
}

fn path_text(arena: &Arena, path: &[(NodeId, usize)]) -> String {
    let mut text = String::new();
    for &(item, place) in path {
        match arena.get(item).body {
            Body::ArrayItem(_) => text.push_str(&format!("[{place}]")),
            _ => text.push_str(&step_text(arena, item)),
        }
    }
    text.trim_start_matches('.').to_string()
}

/// The first path in which two values differ.
fn first_difference(arena: &Arena, a: Val, b: Val) -> Option<(String, Val, Val)> {
    let mut open = vec![(String::new(), a, b)];
    let mut visited = 0;
    while let Some((path, a, b)) = open.pop() {
        visited += 1;
        if visited > COMPARISONS {
            return None;
        }
        let (Val::Node(x), Val::Node(y)) = (a, b) else {
            if leaf(arena, a, b) || path.is_empty() {
                continue;
            }
            return Some((path.trim_start_matches('.').to_string(), a, b));
        };
        if let (Body::Map(items), Body::Map(_)) = (&arena.get(x).body, &arena.get(y).body) {
            for &item in items.iter().rev() {
                if let Some(other) = arena.find(y, arena.key(item)) {
                    let path = format!("{path}{}", step_text(arena, item));
                    open.push((path, arena.value(item), arena.value(other)));
                }
            }
        }
    }
    None
}
