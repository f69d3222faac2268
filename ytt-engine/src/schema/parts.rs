//! What a rule of a map looks at, and the parameters of rules and conditions.

use std::collections::BTreeSet;

use crate::source::{SourceId, SourceMap, Span};
use crate::template::code::FileCode;
use crate::template::outline;
use crate::template::written;
use crate::yaml::words::{key_text, push_item};
use crate::yaml::{Arena, NodeId, Val};

/// Values that are told of one rule.
const MOST: usize = 4;

/// A part of a map that its rule names.
pub(super) struct Looked {
    pub(super) path: String,
    pub(super) shown: String,
    pub(super) place: Span,
}

/// The scalars in a map whose keys stand as texts in the code of a rule; none if they are many. `path` is that of the map.
pub(super) fn looked_at(arena: &Arena, sources: &SourceMap, map: NodeId, path: &str, rule: &str) -> Vec<Looked> {
    let is_named = |item: NodeId| {
        let key = key_text(arena, arena.key(item));
        ['"', '\''].iter().any(|quote| rule.contains(&format!("[{quote}{key}{quote}]")))
    };
    let mut found = Vec::new();
    for &item in arena.items(map) {
        let value = arena.value(item);
        if !is_named(item) || matches!(value, Val::Node(_) | Val::Raw(_)) {
            continue;
        }
        let Some(place) = arena.place_of(item) else { continue };
        let mut path = path.to_owned();
        push_item(&mut path, arena, item, 0);
        found.push(Looked { path, shown: key_text(arena, value), place: place.value_or_key(sources) });
    }
    if found.len() > MOST { Vec::new() } else { found }
}

/// The code of an annotation with that of the functions which it names.
pub(super) fn code_of_rule(sources: &SourceMap, annotation: Span) -> String {
    let source = sources.get(annotation.source);
    let mut code = source.written(annotation).unwrap_or_default().to_owned();
    let part = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let names: BTreeSet<String> = code.split(part).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    for name in names {
        let Some((file, function)) = function(sources, annotation.source, &name) else { continue };
        code.push_str(sources.get(file).written(function.whole).unwrap_or_default());
    }
    code
}

/// The function that a name of a file means.
fn function(sources: &SourceMap, file: SourceId, name: &str) -> Option<(SourceId, crate::template::code::Function)> {
    let (file, own) = outline::home(sources, file, name)?;
    let defined = outline::defined(&sources.get(file), file, &own)?;
    let function = FileCode::read(&sources.get(file), file)?.function_at(defined.start)?;
    Some((file, function))
}

/// The names of the parameters of a function, which is a lambda or a name, and its code.
pub(super) fn parameters(sources: &SourceMap, value: Span) -> Option<(Vec<Span>, Span)> {
    written::lambda(sources, value).or_else(|| {
        let source = sources.get(value.source);
        let (_, function) = function(sources, value.source, source.written(value)?.trim())?;
        let body = Span { start: function.head.end, ..function.whole };
        Some((function.parameters.iter().map(|parameter| parameter.whole).collect(), body))
    })
}
