//! Values that code has when it is run on paper.

use std::rc::Rc;

use super::Closure;
use crate::yaml::words::key_text;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Characters of a value that is shown.
const LONGEST: usize = 60;
/// Keys of a map that are shown.
const KEYS: usize = 6;
/// Items of a list or map that are looked at.
const ITEMS: usize = 2_000;
/// Bytes of a text that is looked at.
const BYTES: usize = 10_000;
/// Values that are compared, or written out, as parts of one: a list may hold itself many times over.
const PARTS: u32 = 2_000;

/// A value that is known.
#[derive(Clone, Debug)]
pub(super) enum Known {
    None,
    Bool(bool),
    Int(i128),
    Str(Rc<str>),
    List(Rc<[Known]>),
    Tuple(Rc<[Known]>),
    Dict(Rc<[(Known, Known)]>),
    /// A node, or what is not reckoned with.
    Other(Val),
    Function(Rc<Closure>),
}

impl Known {
    pub(super) fn of(arena: &Arena, value: Val) -> Known {
        match value {
            Val::Null => Known::None,
            Val::Bool(value) => Known::Bool(value),
            Val::Int(value) => Known::Int(value.into()),
            Val::UInt(value) => Known::Int(value.into()),
            Val::Str { .. } => match arena.str(value).filter(|text| text.len() <= BYTES) {
                Some(text) => Known::Str(text.into()),
                None => Known::Other(value),
            },
            other => Known::Other(other),
        }
    }

    pub(super) fn is_true(&self, arena: &Arena) -> Option<bool> {
        Some(match self {
            Known::None => false,
            Known::Bool(value) => *value,
            Known::Int(value) => *value != 0,
            Known::Str(text) => !text.is_empty(),
            Known::List(items) | Known::Tuple(items) => !items.is_empty(),
            Known::Dict(entries) => !entries.is_empty(),
            Known::Function(_) => true,
            Known::Other(Val::Node(node)) => !arena.items(*node).is_empty(),
            Known::Other(_) => return None,
        })
    }

    pub(super) fn equals(&self, other: &Known) -> Option<bool> {
        self.equals_within(other, &mut { PARTS })
    }

    fn equals_within(&self, other: &Known, left_over: &mut u32) -> Option<bool> {
        *left_over = left_over.checked_sub(1)?;
        Some(match (self, other) {
            (Known::None, Known::None) => true,
            (Known::Bool(left), Known::Bool(right)) => left == right,
            (Known::Int(left), Known::Int(right)) => left == right,
            (Known::Str(left), Known::Str(right)) => left == right,
            (Known::List(left), Known::List(right)) | (Known::Tuple(left), Known::Tuple(right)) => {
                if left.len() != right.len() {
                    return Some(false);
                }
                for (left, right) in left.iter().zip(right.iter()) {
                    if !left.equals_within(right, left_over)? {
                        return Some(false);
                    }
                }
                true
            }
            (Known::Other(Val::Float(_)), Known::Int(_)) | (Known::Int(_), Known::Other(Val::Float(_))) => return None,
            (Known::Other(_), Known::Other(_)) | (Known::Function(_), _) | (_, Known::Function(_)) => return None,
            (Known::Dict(_), Known::Dict(_) | Known::Other(_)) | (Known::Other(_), Known::Dict(_)) => return None,
            (Known::List(_) | Known::Tuple(_), Known::Other(_))
            | (Known::Other(_), Known::List(_) | Known::Tuple(_)) => {
                return None;
            }
            _ => false,
        })
    }

    /// What a loop over it goes through.
    pub(super) fn items(&self, arena: &Arena) -> Option<Vec<Known>> {
        match self {
            Known::List(items) | Known::Tuple(items) => Some(items.to_vec()),
            Known::Dict(entries) => Some(entries.iter().map(|(key, _)| key.clone()).collect()),
            Known::Other(Val::Node(node)) if arena.count(*node) > ITEMS => None,
            Known::Other(Val::Node(node)) => match arena.get(*node).body {
                Body::Array(_) => {
                    Some(arena.items(*node).iter().map(|item| Known::of(arena, arena.value(*item))).collect())
                }
                Body::Map(_) => {
                    Some(arena.items(*node).iter().map(|item| Known::of(arena, arena.key(*item))).collect())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `self[index]`.
    pub(super) fn at(&self, arena: &Arena, index: &Known) -> Option<Known> {
        match (self, index) {
            (Known::Other(Val::Node(node)), Known::Str(key)) if matches!(arena.get(*node).body, Body::Map(_)) => {
                Some(Known::of(arena, arena.value(arena.find_str(*node, key)?)))
            }
            (Known::Dict(entries), key) => found(entries, key)?,
            // There are no indexes from its end.
            (Known::Other(Val::Node(node)), Known::Int(number)) if matches!(arena.get(*node).body, Body::Array(_)) => {
                Some(Known::of(arena, arena.value(arena.item_at(*node, usize::try_from(*number).ok()?)?)))
            }
            (Known::List(items) | Known::Tuple(items), Known::Int(number)) => {
                let from_end = if *number < 0 { items.len() as i128 } else { 0 };
                items.get(usize::try_from(number.checked_add(from_end)?).ok()?).cloned()
            }
            _ => None,
        }
    }

    /// `item in self`.
    pub(super) fn holds(&self, arena: &Arena, item: &Known) -> Option<bool> {
        match (self, item) {
            (Known::Str(text), Known::Str(part)) => Some(text.contains(&**part)),
            (Known::Dict(entries), key) => Some(found(entries, key)?.is_some()),
            // Asks for keys, or indexes.
            (Known::Other(Val::Node(node)), _) => match (&arena.get(*node).body, item) {
                (Body::Map(_), Known::Str(key)) => Some(arena.find_str(*node, key).is_some()),
                (Body::Array(_), Known::Str(_) | Known::None | Known::Bool(_)) => Some(false),
                _ => None,
            },
            (Known::List(items) | Known::Tuple(items), _) => {
                for one in items.iter() {
                    if one.equals(item)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            _ => None,
        }
    }

    /// The item of an array of YAML that is equal to this text, though `in` does not find it.
    pub(super) fn misses(&self, arena: &Arena, item: &Known) -> Option<NodeId> {
        let (Known::Other(Val::Node(node)), Known::Str(_)) = (self, item) else { return None };
        let is_array = matches!(arena.get(*node).body, Body::Array(_));
        let mut items = arena.items(*node).iter().take(ITEMS).filter(|_| is_array);
        items.find(|own| Known::of(arena, arena.value(**own)).equals(item) == Some(true)).copied()
    }

    /// With these entries; `None` where the interpreter refuses them, or may.
    pub(super) fn dict(entries: Vec<(Known, Known)>) -> Option<Known> {
        for (number, (key, _)) in entries.iter().enumerate() {
            if found(entries.get(..number)?, key)?.is_some() {
                return None;
            }
        }
        Some(Known::Dict(entries.into()))
    }

    pub(super) fn length(&self, arena: &Arena) -> Option<i128> {
        Some(match self {
            Known::Str(text) => text.len() as i128,
            other => other.items(arena)?.len() as i128,
        })
    }

    /// As code would be written for it, if that is short.
    pub(super) fn code(&self) -> Option<String> {
        self.code_within(&mut { PARTS }).filter(|code| code.len() <= LONGEST)
    }

    fn code_within(&self, left_over: &mut u32) -> Option<String> {
        *left_over = left_over.checked_sub(1)?;
        Some(match self {
            Known::None => "None".to_owned(),
            Known::Bool(true) => "True".to_owned(),
            Known::Bool(false) => "False".to_owned(),
            Known::Int(number) => number.to_string(),
            Known::Str(text) => Some(format!("{text:?}")).filter(|text| text.len() <= LONGEST)?,
            Known::List(items) => {
                let items: Option<Vec<String>> = items.iter().map(|item| item.code_within(left_over)).collect();
                format!("[{}]", items?.join(", "))
            }
            Known::Tuple(items) => {
                let all: Option<Vec<String>> = items.iter().map(|item| item.code_within(left_over)).collect();
                format!("({}{})", all?.join(", "), if items.len() == 1 { "," } else { "" })
            }
            Known::Dict(entries) => {
                let mut entry = |(key, value): &(Known, Known)| {
                    Some(format!("{}: {}", key.code_within(left_over)?, value.code_within(left_over)?))
                };
                format!("{{{}}}", entries.iter().map(&mut entry).collect::<Option<Vec<_>>>()?.join(", "))
            }
            Known::Other(_) | Known::Function(_) => return None,
        })
    }

    /// In a message.
    pub(super) fn shown(&self, arena: &Arena) -> String {
        match self {
            Known::Str(text) if text.is_empty() => "an empty text".to_owned(),
            Known::Str(text) => {
                let first: String = text.trim_end().lines().next().unwrap_or_default().chars().take(LONGEST).collect();
                let more = if first.len() < text.trim_end().len() { "…" } else { "" };
                format!("`{first}{more}`")
            }
            Known::List(items) => match self.code() {
                Some(code) => format!("`{code}`"),
                None => format!("a list of {}", items.len()),
            },
            Known::Tuple(items) => match self.code() {
                Some(code) => format!("`{code}`"),
                None => format!("a tuple of {}", items.len()),
            },
            Known::Dict(entries) => match self.code() {
                Some(code) => format!("`{code}`"),
                None => format!("a dict of {}", entries.len()),
            },
            Known::Function(_) => "a function".to_owned(),
            Known::Other(Val::Node(node)) => match arena.get(*node).body {
                Body::Map(_) => {
                    let keys = arena.items(*node).iter().map(|item| key_text(arena, arena.key(*item)));
                    let mut keys: Vec<String> = keys.take(KEYS).map(|key| format!("`{key}`")).collect();
                    if arena.items(*node).len() > KEYS {
                        keys.push("…".to_owned());
                    }
                    if keys.is_empty() { "an empty map".to_owned() } else { format!("a map of {}", keys.join(", ")) }
                }
                _ => match self.items(arena) {
                    Some(items) if items.is_empty() => "an empty list".to_owned(),
                    Some(items) => match Known::List(items.iter().cloned().collect()).code() {
                        Some(code) => format!("`{code}`"),
                        None => format!("a list of {}", items.len()),
                    },
                    None => "a fragment".to_owned(),
                },
            },
            Known::Other(value) => format!("`{}`", key_text(arena, *value)),
            scalar => format!("`{}`", scalar.code().unwrap_or_default()),
        }
    }
}

/// What a dict has under a key; `None` if that is not known.
fn found(entries: &[(Known, Known)], key: &Known) -> Option<Option<Known>> {
    if !matches!(key, Known::None | Known::Bool(_) | Known::Int(_) | Known::Str(_)) {
        return None;
    }
    for (own, value) in entries {
        if own.equals(key)? {
            return Some(Some(value.clone()));
        }
    }
    Some(None)
}

/// A method of a text or dict.
pub(super) fn method(of: &Known, name: &str, given: &[Known]) -> Option<Known> {
    Some(match (of, name, given) {
        (Known::Str(text), "startswith", [Known::Str(part)]) => Known::Bool(text.starts_with(&**part)),
        (Known::Str(text), "endswith", [Known::Str(part)]) => Known::Bool(text.ends_with(&**part)),
        (Known::Str(text), "find", [Known::Str(part)]) => Known::Int(text.find(&**part).map_or(-1, |at| at as i128)),
        // Of other letters the interpreter has tables of its own.
        (Known::Str(text), "lower" | "upper" | "strip" | "isdigit", []) if text.is_ascii() => match name {
            "lower" => Known::Str(text.to_ascii_lowercase().into()),
            "upper" => Known::Str(text.to_ascii_uppercase().into()),
            "strip" => Known::Str(text.trim().into()),
            _ => Known::Bool(!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())),
        },
        (Known::Str(text), "split", [Known::Str(by)]) if !by.is_empty() => {
            Known::List(text.split(&**by).map(|part| Known::Str(part.into())).collect())
        }
        (Known::Dict(entries), "get", [key]) => found(entries, key)?.unwrap_or(Known::None),
        (Known::Dict(entries), "get", [key, otherwise]) => found(entries, key)?.unwrap_or_else(|| otherwise.clone()),
        (Known::Dict(entries), "keys", []) => Known::List(entries.iter().map(|(key, _)| key.clone()).collect()),
        (Known::Dict(entries), "values", []) => Known::List(entries.iter().map(|(_, value)| value.clone()).collect()),
        _ => return None,
    })
}

/// A function that there is everywhere.
pub(super) fn builtin(arena: &Arena, name: &str, given: &[Known]) -> Option<Known> {
    Some(match (name, given) {
        ("len", [value]) => Known::Int(value.length(arena)?),
        ("bool", [value]) => Known::Bool(value.is_true(arena)?),
        ("str", [Known::Str(text)]) => Known::Str(Rc::clone(text)),
        ("str", [Known::Int(number)]) => Known::Str(number.to_string().into()),
        ("int", [Known::Int(number)]) => Known::Int(*number),
        ("int", [Known::Str(text)]) => Known::Int(text.parse().ok()?),
        ("any" | "all", [value]) => {
            for item in value.items(arena)? {
                if item.is_true(arena)? == (name == "any") {
                    return Some(Known::Bool(name == "any"));
                }
            }
            Known::Bool(name == "all")
        }
        ("type", [value]) => Known::Str(
            match value {
                Known::None => "NoneType",
                Known::Bool(_) => "bool",
                Known::Int(_) => "int",
                Known::Str(_) => "string",
                Known::List(_) => "list",
                Known::Tuple(_) => "tuple",
                Known::Dict(_) => "dict",
                Known::Other(Val::Node(_)) => "yamlfragment",
                _ => return None,
            }
            .into(),
        ),
        _ => return None,
    })
}
