//! Variables that one side has as a map and the other as a list: of texts `KEY=value`, or of items with a name and a value.

use super::nearest::COMPARISONS;
use super::words::key_text;
use crate::overlay::annotation::{MATCH, Operation};
use crate::overlay::engine::Scene;
use crate::quoted::{self, Json};
use crate::source::Span;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Variables of an overlay that are written anew.
const MOST: usize = 50;

/// How a list has variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    /// `- KEY=value`.
    Texts,
    /// `- name: KEY` and `value: …`.
    Named,
}

impl Scene<'_> {
    /// The edit that writes the variables of the right side as the left one has them, and what it does.
    pub(super) fn pairs_as_there(
        &self,
        arena: &Arena,
        left: NodeId,
        right: NodeId,
    ) -> Option<(&'static str, (Span, String))> {
        match (&arena.get(left).body, &arena.get(right).body) {
            (Body::Map(_), Body::Array(_)) => {
                let text = "a map is there: write the variables as keys of it";
                Some((text, self.as_keys(arena, left, right)?))
            }
            (Body::Array(_), Body::Map(_)) => {
                let listed = listed(arena, left)?;
                let text = match listed {
                    Listed::Texts => "a list of texts is there: write the variables as items of it",
                    Listed::Named => "a list is there: write the variables as items of it, by their names",
                };
                Some((text, self.as_items(arena, (left, listed), right)?))
            }
            _ => None,
        }
    }

    /// Texts `KEY=value` as keys of a map of scalars.
    fn as_keys(&self, arena: &Arena, map: NodeId, list: NodeId) -> Option<(Span, String)> {
        let is_scalar = |item: &NodeId| !matches!(arena.value(*item), Val::Node(_) | Val::Raw(_));
        let (there, items) = (arena.items(map), arena.items(list));
        if there.len() > COMPARISONS || items.len() > MOST || !there.iter().all(is_scalar) {
            return None;
        }
        // Items may begin where their key does; keys do not.
        let around =
            self.trail.last().and_then(|step| self.line_start(step.node)).map_or(0, |(_, indent)| indent.len());
        let (mut parts, mut keys, mut is_shifted) = (Vec::new(), Vec::new(), false);
        for &item in items {
            let (key, text) = pair(arena, arena.value(item))?;
            if !needs_no_quotes(key) || keys.contains(&key) {
                return None;
            }
            keys.push(key);
            let known = arena.find_str(map, key).map(|there| arena.value(there));
            // What is a number there stays one.
            let is_text = known.is_none_or(|known| matches!(known, Val::Str { .. } | Val::Null));
            let is_number = text.starts_with(|first: char| first.is_ascii_digit()) && text.parse::<f64>().is_ok();
            let is_plain = !is_text && (is_number || matches!(text, "true" | "false"));
            let written = if is_plain { text.to_owned() } else { in_yaml(text) };
            let (span, indent) = self.whole_item(arena, item, arena.str(arena.value(item))?)?;
            is_shifted = indent.len() <= around;
            let new = match known {
                Some(_) => format!("{key}: {written}"),
                None => format!("#@{MATCH} missing_ok=True\n{indent}{key}: {written}"),
            };
            parts.push((span, new));
        }
        let source = self.calls.sources().get(parts.first()?.0.source);
        let (span, new) = source.replaced(parts.iter().map(|(span, new)| (*span, &**new)))?;
        Some((span, if is_shifted { format!("  {}", new.replace('\n', "\n  ")) } else { new }))
    }

    /// Keys of a map as the items of a list.
    fn as_items(&self, arena: &Arena, (list, listed): (NodeId, Listed), map: NodeId) -> Option<(Span, String)> {
        let entries = arena.items(map);
        // An item of the list, which was meant as one.
        let is_item = entries.iter().any(|entry| matches!(arena.str(arena.key(*entry)), Some("name" | "value")));
        if entries.len() > MOST || is_item {
            return None;
        }
        let mut parts = Vec::new();
        for &entry in entries {
            let key = arena.str(arena.key(entry)).filter(|key| is_name(key))?;
            let value = arena.value(entry);
            if matches!(value, Val::Node(_) | Val::Raw(_) | Val::Null | Val::Bytes(_)) {
                return None;
            }
            let text = key_text(arena, value);
            let code = self.code_of(arena, entry);
            // What is neither a text nor a whole number is written in another way by YAML than by code.
            if code.is_some() && !matches!(value, Val::Str { .. } | Val::Int(_) | Val::UInt(_)) {
                return None;
            }
            let (span, indent) = match &code {
                Some((span, _)) => self.up_to_value(arena, entry, *span)?,
                None => self.whole_item(arena, entry, &text)?,
            };
            let is_there = arena.items(list).iter().find(|item| name_of(arena, **item, listed) == Some(key));
            let append = Operation::Append.name();
            let (matcher, item) = match listed {
                Listed::Texts => {
                    let begins = quoted::starlark(&format!("{key}="));
                    let by = format!("by=lambda index, left, right: left.startswith({begins})");
                    let item = match &code {
                        Some((_, code)) => format!("#@ {}.format({code})", quoted::starlark(&format!("{key}={{}}"))),
                        None => in_yaml(&format!("{key}={text}")),
                    };
                    (by, format!("- {item}"))
                }
                Listed::Named => {
                    let has_value = |item: &NodeId| {
                        arena.map_of(arena.value(*item)).is_some_and(|map| arena.find_str(map, "value").is_some())
                    };
                    // Where it comes from elsewhere, more has to change than its value.
                    if is_there.is_some_and(|item| !has_value(item)) {
                        return None;
                    }
                    let text = match &code {
                        Some((_, code)) if matches!(value, Val::Str { .. }) => format!("#@ {code}"),
                        Some((_, code)) => format!("#@ str({code})"),
                        None => in_yaml(&text),
                    };
                    ("by=\"name\"".to_owned(), format!("- name: {}\n{indent}  value: {text}", in_yaml(key)))
                }
            };
            let annotation = if is_there.is_some() { format!("#@{MATCH} {matcher}") } else { format!("#@{append}") };
            parts.push((span, format!("{annotation}\n{indent}{item}")));
        }
        let source = self.calls.sources().get(parts.first()?.0.source);
        source.replaced(parts.iter().map(|(span, new)| (*span, &**new)))
    }

    /// An item with the annotations above it, and its indentation: only where its value is this text, on a line of its own.
    fn whole_item(&self, arena: &Arena, item: NodeId, text: &str) -> Option<(Span, String)> {
        let place = arena.place_of(item)?;
        if place.value >= place.end || !self.is_scalar_at(place.value(), text) {
            return None;
        }
        self.up_to_value(arena, item, place.value())
    }

    /// The code of an item's value, which stands alone on its line.
    fn code_of(&self, arena: &Arena, item: NodeId) -> Option<(Span, String)> {
        let span = arena.place_of(item)?.code(self.calls.sources())?;
        // A comment would swallow what is written behind it.
        let code = self.written(span).filter(|code| !code.contains('#'))?;
        Some((span, code))
    }

    /// An item up to the end of its value, with the annotations above it, and its indentation.
    fn up_to_value(&self, arena: &Arena, item: NodeId, value: Span) -> Option<(Span, String)> {
        let (span, indent) = self.line_start(item)?;
        // Other annotations say more than that it is new.
        let is_plain = |name: &str| [MATCH, Operation::Append.name()].contains(&name);
        if !arena.anns_of(item).iter().all(|annotation| is_plain(&annotation.name)) {
            return None;
        }
        let above = arena.anns_of(item).iter().filter_map(|annotation| arena.place(annotation.pos));
        let start = above.map(|place| place.key().start).fold(span.start, u32::min);
        Some((Span { start, end: value.end, ..span }, indent))
    }
}

/// How all items of a list are variables; `None` if one is not.
fn listed(arena: &Arena, list: NodeId) -> Option<Listed> {
    let items = arena.items(list);
    let all = |listed: Listed| items.iter().all(|item| name_of(arena, *item, listed).is_some());
    let is_open = !items.is_empty() && items.len() <= COMPARISONS;
    [Listed::Texts, Listed::Named].into_iter().find(|listed| is_open && all(*listed))
}

/// The name of a variable of a list.
fn name_of(arena: &Arena, item: NodeId, listed: Listed) -> Option<&str> {
    match listed {
        Listed::Texts => pair(arena, arena.value(item)).map(|(key, _)| key),
        Listed::Named => {
            let map = arena.map_of(arena.value(item))?;
            let has_value = ["value", "valueFrom"].iter().any(|key| arena.find_str(map, key).is_some());
            let name = arena.find_str(map, "name").filter(|_| has_value && arena.count(map) == 2)?;
            arena.str(arena.value(name))
        }
    }
}

/// A text `KEY=value`.
fn pair(arena: &Arena, value: Val) -> Option<(&str, &str)> {
    arena.str(value)?.split_once('=').filter(|(key, text)| is_name(key) && !text.contains('\n'))
}

/// Is it the name of a variable?
fn is_name(key: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
    !key.is_empty() && !key.starts_with('-') && key.chars().all(is_letter)
}

/// A text as YAML has it on one line.
fn in_yaml(text: &str) -> String {
    // What begins with a name and `=` is nothing but a text.
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=+,@".contains(letter);
    let is_pair = text.split_once('=').is_some_and(|(key, _)| is_name(key)) && text.chars().all(is_plain);
    if (needs_no_quotes(text) || is_pair) && !text.is_empty() {
        return text.to_owned();
    }
    let mut new = String::new();
    quoted::json(&mut new, text, Json::Yaml);
    new
}
