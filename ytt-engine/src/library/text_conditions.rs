//! The text `false` that a flag or a variable gives, where code asks for it as for a boolean: a text that is not empty is true.

use super::data_values::{data_value, declared_at};
use super::values::{GivenContent, GivenKind, GivenValue};
use crate::diag::path::push_key;
use crate::diag::{Code, Diagnostic};
use crate::files::is_in_library;
use crate::schema::Schema;
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::yaml::words::key_text;
use crate::yaml::{Arena, NodeId, PosId, Val};

/// Values whose conditions are looked for: each is looked for in all files with its name.
const MOST: usize = 20;

/// A text that may be meant as a boolean.
pub(super) struct Suspect {
    keys: Vec<String>,
    pos: PosId,
    is_flag: bool,
}

/// Those among the values that are given to the root library.
pub(super) fn suspects(arena: &Arena, given: &[GivenValue]) -> Vec<Suspect> {
    let found = given.iter().filter(|one| one.route.is_here()).filter_map(|one| {
        let GivenContent::Path(path, value) = &one.content else { return None };
        let is_false = arena.str(*value).is_some_and(|text| text.eq_ignore_ascii_case("false"));
        (is_false && matches!(one.kind, GivenKind::Text | GivenKind::Env)).then(|| Suspect {
            keys: path.iter().map(|(key, _)| key_text(arena, *key)).collect(),
            pos: one.pos,
            is_flag: one.kind == GivenKind::Text,
        })
    });
    found.collect()
}

/// The conditions of templates that ask for one of these.
pub(super) fn lint(
    arena: &Arena,
    sources: &SourceMap,
    suspects: Vec<Suspect>,
    (schema, values): (&Schema, NodeId),
    is_told: &dyn Fn(SourceId) -> bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for suspect in suspects.into_iter().take(MOST) {
        let (Some(item), Some(last)) = (item_at(arena, values, &suspect.keys), suspect.keys.last()) else { continue };
        let given = arena.place(suspect.pos);
        // Something may have set it to another value since.
        let is_text = arena.str(arena.value(item)).is_some_and(|text| text.eq_ignore_ascii_case("false"));
        if !is_text || given.is_some_and(|place| is_told(place.source)) {
            continue;
        }
        let all = sources.all();
        let with_name = all.iter().enumerate().filter(|(_, source)| {
            // A library has data values of its own.
            if is_in_library(&source.name) {
                return false;
            }
            let text = source.text.as_str().unwrap_or_default();
            text.contains("data") && text.contains(last.as_str())
        });
        let asked =
            with_name.filter_map(|(number, source)| asked(sources, source, SourceId(to_u32(number)), &suspect.keys));
        let Some(asked) = asked.into_iter().next() else { continue };
        let mut name = String::new();
        suspect.keys.iter().for_each(|key| push_key(&mut name, key));
        let text = format!("`{name}` is the text `false`, which counts as true in a condition");
        let mut warning = Diagnostic::warning(Code::VALUES_TEXT_FOR_BOOLEAN, text);
        let declared = declared_at(arena, schema, values, &suspect.keys);
        let declared = declared.and_then(|item| Some((*arena.place(item.pos)?, item.default)));
        let declared = declared.filter(|(place, _)| given.is_none_or(|given| given.key() != place.key()));
        if let Some(place) = given {
            warning = warning.label(place.value_or_key(sources), "this gives a text");
        }
        warning = warning.label(asked, "this condition holds for every text but an empty one");
        if let Some((place, _)) = declared {
            warning = warning.label(place.value_or_key(sources), "it is declared as a text here");
        }
        let way = if suspect.is_flag { "`--data-value-yaml`" } else { "`--data-values-env-yaml`" };
        let code = sources.get(asked.source).written(asked).unwrap_or_default().to_owned();
        let default = declared.and_then(|(_, default)| arena.str(default));
        let is_switch = default.is_some_and(|text| ["true", "false"].contains(&text));
        found.push(match is_switch {
            // The schema has thought of both texts.
            true => {
                let behind = Span { start: asked.end, ..asked };
                let text = format!("compare the text: `{code} == \"true\"`");
                let warning = warning.help_edit(text, behind, " == \"true\"").guessing();
                warning.help(format!("or, to have a boolean, declare it without quotes and give it by {way}"))
            }
            false => {
                let text = format!("if it is a boolean, declare it as one (`{last}: false`) and give it by {way}");
                warning.help(text).help(format!("if it is a text, compare it: `{code} == \"true\"`"))
            }
        });
    }
    found
}

fn item_at(arena: &Arena, values: NodeId, keys: &[String]) -> Option<NodeId> {
    let mut at = values;
    for key in keys {
        let Val::Node(map) = arena.value(at) else { return None };
        at = arena.find_str(map, key)?;
    }
    Some(at)
}

/// The first condition of a file that asks for the data value.
fn asked(sources: &SourceMap, source: &Source, id: SourceId, keys: &[String]) -> Option<Span> {
    let code = FileCode::read(source, id)?;
    code.asked().into_iter().find(|span| data_value(sources, &code, *span).as_deref() == Some(keys))
}
