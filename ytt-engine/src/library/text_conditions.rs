//! The text `false` as a data value that code asks for as for a boolean: a text that is not empty is true.

use std::sync::Arc;

use super::values::{GivenContent, GivenKind, GivenValue};
use crate::diag::path::push_key;
use crate::diag::{Code, Diagnostic};
use crate::files::is_in_library;
use crate::schema::Schema;
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::word;
use crate::template::written::{self, CodeStep};
use crate::yaml::words::key_text;
use crate::yaml::{Arena, NodeId, NodeSpan, PosId, Val};

/// Names that are followed to what they are set to.
const STEPS: usize = 4;
/// Values whose conditions are looked for: each is looked for in all files with its name.
const MOST: usize = 20;

/// A text that may be meant as a boolean.
pub(super) struct Suspect {
    keys: Vec<String>,
    pos: PosId,
    by: By,
}

/// Who gave a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Flag,
    Variable,
    /// A file, in quotes.
    File,
}

/// Those among the values that flags and variables give to the root library.
pub(super) fn suspects(arena: &Arena, given: &[GivenValue]) -> Vec<Suspect> {
    let found = given.iter().filter(|one| one.route.is_here()).filter_map(|one| {
        let GivenContent::Path(path, value) = &one.content else { return None };
        (is_false(arena, *value) && matches!(one.kind, GivenKind::Text | GivenKind::Env)).then(|| Suspect {
            keys: path.iter().map(|(key, _)| key_text(arena, *key)).collect(),
            pos: one.pos,
            by: if one.kind == GivenKind::Text { By::Flag } else { By::Variable },
        })
    });
    found.collect()
}

/// Those that files give, beside these.
fn written(arena: &Arena, values: NodeId, known: &[Suspect]) -> Vec<Suspect> {
    let (mut found, mut open) = (Vec::new(), vec![(values, Vec::new())]);
    while let Some((holder, keys)) = open.pop() {
        for &item in arena.map_of(arena.value(holder)).map_or(&[][..], |map| arena.items(map)) {
            let inner = || keys.iter().cloned().chain([key_text(arena, arena.key(item))]).collect::<Vec<String>>();
            match arena.value(item) {
                Val::Node(_) => open.push((item, inner())),
                value if is_false(arena, value) => {
                    found.push(Suspect { keys: inner(), pos: arena.get(item).pos, by: By::File });
                }
                _ => {}
            }
        }
    }
    found.retain(|one| known.iter().all(|known| known.keys != one.keys));
    found
}

fn is_false(arena: &Arena, value: Val) -> bool {
    arena.str(value).is_some_and(|text| text.eq_ignore_ascii_case("false"))
}

/// The conditions of templates that ask for one of these, or for one that a file gives.
pub(super) fn lint(
    arena: &Arena,
    sources: &SourceMap,
    mut suspects: Vec<Suspect>,
    (schema, values): (&Schema, NodeId),
    is_told: &dyn Fn(SourceId) -> bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    suspects.extend(written(arena, values, &suspects));
    for suspect in suspects.into_iter().take(MOST) {
        let (Some(item), Some(last)) = (item_at(arena, values, &suspect.keys), suspect.keys.last()) else { continue };
        let given = arena.place(suspect.pos);
        // Something may have set it to another value since.
        if !is_false(arena, arena.value(item)) || given.is_some_and(|place| is_told(place.source)) {
            continue;
        }
        let all = sources.all();
        let with_name = || {
            all.iter().enumerate().filter(|(_, source)| {
                // A library has data values of its own.
                if is_in_library(&source.name) {
                    return false;
                }
                let text = source.text.as_str().unwrap_or_default();
                text.contains("data") && text.contains(last.as_str())
            })
        };
        let asked =
            |(number, source): (usize, &Arc<Source>)| asked(sources, source, SourceId(to_u32(number)), &suspect.keys);
        let conditions: Vec<Span> = with_name().flat_map(asked).collect();
        let Some(&asked) = conditions.first() else { continue };
        // What is printed, too, may be a text that is left out where it is empty.
        if suspect.by == By::File && with_name().any(|(_, source)| is_used(source, last, &conditions)) {
            continue;
        }
        let mut name = String::new();
        suspect.keys.iter().for_each(|key| push_key(&mut name, key));
        let text = format!("`{name}` is the text `false`, which counts as true in a condition");
        let mut warning = Diagnostic::warning(Code::VALUES_TEXT_FOR_BOOLEAN, text);
        let declared = declared_at(arena, schema, values, &suspect.keys);
        let declared = declared.filter(|place| given.is_none_or(|given| given.key() != place.key()));
        if let Some(place) = given {
            warning = warning.label(place.value_or_key(sources), "this gives a text");
        }
        warning = warning.label(asked, "this condition holds for every text but an empty one");
        if let Some(place) = declared {
            warning = warning.label(place.value_or_key(sources), "it is declared as a text here");
        }
        let way = match suspect.by {
            By::Flag => "give it by `--data-value-yaml`",
            By::Variable => "give it by `--data-values-env-yaml`",
            By::File => "write it without quotes where it is set",
        };
        let code = sources.get(asked.source).written(asked).unwrap_or_default().to_owned();
        warning = warning.help(format!("if it is a boolean, declare it as one (`{last}: false`) and {way}"));
        found.push(warning.help(format!("if it is a text, compare it: `{code} == \"true\"`")));
    }
    found
}

fn declared_at(arena: &Arena, schema: &Schema, values: NodeId, keys: &[String]) -> Option<NodeSpan> {
    let (mut ty, mut at) = (schema.root, values);
    for key in keys {
        let Val::Node(map) = arena.value(at) else { return None };
        at = arena.find_str(map, key)?;
        ty = schema.below(ty, arena, at)?;
    }
    arena.place(schema.item(ty).pos).copied()
}

fn item_at(arena: &Arena, values: NodeId, keys: &[String]) -> Option<NodeId> {
    let mut at = values;
    for key in keys {
        let Val::Node(map) = arena.value(at) else { return None };
        at = arena.find_str(map, key)?;
    }
    Some(at)
}

/// The conditions of a file that ask for the data value.
fn asked(sources: &SourceMap, source: &Source, id: SourceId, keys: &[String]) -> Vec<Span> {
    let Some(code) = FileCode::read(source, id) else { return Vec::new() };
    let mut asked = code.asked();
    asked.retain(|span| leads(sources, &code, *span, keys, STEPS));
    asked
}

/// Does a text have the name of a data value where none of these conditions is, and no key?
fn is_used(source: &Source, name: &str, conditions: &[Span]) -> bool {
    let text = source.text.as_str().unwrap_or_default();
    word::whole(text, name).any(|at| {
        let is_key = text.get(at..).and_then(|text| text.strip_prefix(name)).is_some_and(|text| text.starts_with(':'));
        let is_asked = |span: &Span| {
            (span.start as usize..span.end as usize).contains(&at)
                && source.written(*span).is_some_and(|code| code.ends_with(name))
        };
        !is_key && !conditions.iter().any(is_asked)
    })
}

/// Does code stand for the data value?
fn leads(sources: &SourceMap, code: &FileCode, span: Span, keys: &[String], left: usize) -> bool {
    let (Some(path), Some(left)) = (written::path(sources, span), left.checked_sub(1)) else { return false };
    let name = sources.get(span.source).written(path.root).unwrap_or_default().to_owned();
    let bound = code.bound(path.root, &name).map(|bound| bound.by);
    let is_data = name == "data" && matches!(bound, None | Some(Binder::Load));
    let steps: Option<Vec<&str>> = path
        .steps
        .iter()
        .map(|step| match step {
            CodeStep::Key(key) => Some(key.as_str()),
            _ => None,
        })
        .collect();
    match (steps.as_deref(), bound) {
        (Some(["values", steps @ ..]), _) if is_data => steps.iter().eq(keys.iter()),
        (Some(steps), Some(Binder::Value(value))) => {
            let rest = keys.len().checked_sub(steps.len()).and_then(|rest| keys.split_at_checked(rest));
            match rest {
                Some((above, below)) if steps.iter().eq(below.iter()) => match above {
                    [] => is_values(sources, value),
                    above => leads(sources, code, value, above, left),
                },
                _ => false,
            }
        }
        _ => false,
    }
}

/// Is it `data.values`?
fn is_values(sources: &SourceMap, span: Span) -> bool {
    sources.get(span.source).written(span) == Some("data.values")
}
