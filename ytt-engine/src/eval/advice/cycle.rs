//! Two files that load each other: what each uses of the other, and what of it could stand in the other one.

use super::code_of;
use crate::diag::{Diagnostic, suggest};
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::{outline, word};

/// Uses that are shown of one file.
const SHOWN: usize = 3;

/// One side of a cycle of two files: what it loads of the other one, by the names there.
struct Side {
    file: SourceId,
    of: SourceId,
    names: Vec<(String, String)>,
}

/// Says of a cycle of two files, by their loads, how to open it. Words alone: the edit has to change both.
pub(in crate::eval) fn told(sources: &SourceMap, diagnostic: Diagnostic, loads: &[Span]) -> Diagnostic {
    let [first, second] = loads else { return diagnostic };
    let Some(sides) = side(sources, *first, second.source).zip(side(sources, *second, first.source)) else {
        return diagnostic;
    };
    let mut told = diagnostic;
    for side in [&sides.0, &sides.1] {
        for (own, here) in side.names.iter().take(SHOWN) {
            if let Some((place, by)) = used(sources, side.file, here) {
                let by = by.map_or(String::new(), |by| format!(", by `{by}`"));
                told = told.label(place, format!("`{own}` is used here{by}"));
            }
        }
    }
    for (side, back) in [(&sides.0, &sides.1), (&sides.1, &sides.0)] {
        if side.names.is_empty() || !side.names.iter().all(|(own, _)| is_apart(sources, side.of, own)) {
            continue;
        }
        let name = |file: SourceId| sources.get(file).shown_name();
        let (to, from) = (name(side.file), name(side.of));
        let all: Vec<String> = side.names.iter().map(|(own, _)| format!("`{own}`")).collect();
        let all = suggest::all_of(&all);
        let is_one = side.names.len() == 1;
        let (needs, them) = if is_one { ("needs", "it") } else { ("need", "them") };
        let still: Vec<String> = loaders(sources, side, back).into_iter().map(name).collect();
        let load = match still.is_empty() {
            true => String::new(),
            false => format!(", and load {them} from there in {}", suggest::all_of(&still)),
        };
        let parts = told.parts_mut();
        parts.helps.clear();
        return told.help(format!(
            "{all} {needs} nothing of {to}: move {them} there, delete the `load` of {from} there{load}"
        ));
    }
    told
}

/// What the file of a `load` has of another one by it.
fn side(sources: &SourceMap, load: Span, of: SourceId) -> Option<Side> {
    let source = sources.get(load.source);
    let found = outline::loads(&source, load.source).into_iter();
    let mut found = found.filter(|one| load.start <= one.path.span.start && one.path.span.end <= load.end);
    let names = found.next()?.names.into_iter().map(|name| (name.own.name.clone(), name.here().to_owned())).collect();
    Some(Side { file: load.source, of, names })
}

/// Where a file first uses a name that it loads, and the function there.
fn used(sources: &SourceMap, file: SourceId, name: &str) -> Option<(Span, Option<String>)> {
    let source = sources.get(file);
    let place = uses(&source, file, name).into_iter().next()?;
    let function = FileCode::read(&source, file).and_then(|code| code.function_around(place)?.name);
    Some((place, function.map(|function| code_of(sources, function))))
}

/// Where a file has a name, other than in a `load`.
fn uses(source: &Source, file: SourceId, name: &str) -> Vec<Span> {
    let text = source.text.as_str().unwrap_or_default();
    let loads = outline::loads(source, file);
    let is_loaded = |at: u32| loads.iter().any(|load| source.line(load.path.span.start) == source.line(at));
    let places = word::whole(text, name).map(to_u32).filter(|at| !is_loaded(*at));
    places.map(|at| Span::new(file, at, at.saturating_add(to_u32(name.len())))).collect()
}

/// Is a function of a file one that uses no other name of the file, nor one that the file loads of files?
fn is_apart(sources: &SourceMap, file: SourceId, name: &str) -> bool {
    let source = sources.get(file);
    let Some(code) = FileCode::read(&source, file) else { return false };
    let Some(function) = code.function_of(name, false) else { return false };
    let loads = outline::loads(&source, file).into_iter().filter(|load| !load.path.name.starts_with('@'));
    let loaded = loads.flat_map(|load| load.names).map(|name| name.here().to_owned());
    let defined = code.defined().into_iter().map(|(own, _)| own).filter(|own| own != name);
    let is_inside = |place: &Span| function.whole.start <= place.start && place.end <= function.whole.end;
    let is_used = |other: &String| uses(&source, file, other).iter().any(is_inside);
    !loaded.chain(defined).any(|other| is_used(&other))
}

/// The files that need what moves: the one that it leaves, if that uses it, and others that load it from there.
fn loaders(sources: &SourceMap, side: &Side, back: &Side) -> Vec<SourceId> {
    let (mut found, all) = (Vec::new(), sources.all());
    for (number, source) in all.iter().enumerate() {
        let id = SourceId(to_u32(number));
        let has_it = side.names.iter().any(|(own, _)| match id == back.file {
            true => uses(source, id, own).len() > 1,
            false => outline::loads(source, id).into_iter().flat_map(|load| load.names).any(|name| {
                name.own.name == *own
                    && outline::home(sources, id, name.here()).is_some_and(|(home, _)| home == side.of)
            }),
        });
        if id != side.file && has_it {
            found.push(id);
        }
    }
    found
}
