//! Values that the project does not declare, where the schema of one library declares all of them: they were meant for it,
//! and lack its name.

use std::collections::HashMap;

use super::scope::FileScope;
use crate::diag::{Code, Diagnostic, Diagnostics, Help, Label};
use crate::source::{Origin, Source, SourceId, SourceMap, Span, to_u32};

const VALUES: &str = "#@data/values";
const SCHEMA: &str = "#@data/values-schema";

/// Files of libraries that are looked through.
const MOST: usize = 200;

/// Names of libraries that are looked for in code.
const NAMES: usize = 20;

/// What one library declares at the top of its values.
struct Declared {
    library: String,
    keys: HashMap<String, Span>,
}

/// Makes one problem of all undeclared values of a file or flag that one library declares.
pub(super) fn told(scope: &FileScope, problems: Diagnostics) -> Diagnostics {
    let sources = &scope.common.sources;
    let mut groups: Vec<(SourceId, Vec<usize>)> = Vec::new();
    for (number, problem) in problems.0.iter().enumerate() {
        let Some(label) = problem.parts().labels.first() else { continue };
        if problem.code() != Code::SCHEMA_UNDECLARED {
            continue;
        }
        match groups.iter_mut().find(|(file, _)| *file == label.span.source) {
            Some((_, group)) => group.push(number),
            None => groups.push((label.span.source, vec![number])),
        }
    }
    if groups.is_empty() {
        return problems;
    }
    let libraries = libraries(scope);
    let (mut gone, mut problems) = (Vec::new(), problems.0);
    for (file, group) in groups {
        let places: Vec<Span> = group
            .iter()
            .filter_map(|number| problems.get(*number)?.parts().labels.first().map(|label| label.span))
            .collect();
        let Some((keys, library)) = of_one(&sources.get(file), &places, &libraries) else { continue };
        let [first, others @ ..] = &group[..] else { continue };
        if let Some(problem) = problems.get_mut(*first) {
            tell(sources, problem, (&places, &keys), library);
            gone.extend(others.iter().copied());
        }
    }
    let kept = problems.into_iter().enumerate().filter(|(number, _)| !gone.contains(number)).map(|(_, one)| one);
    Diagnostics(kept.collect())
}

/// The keys at these places, and the only library that has all of them, if these are all keys of their file or flag.
fn of_one<'d>(source: &Source, places: &[Span], libraries: &'d [Declared]) -> Option<(Vec<String>, &'d Declared)> {
    let text = source.text.as_str()?;
    let keys: Vec<String> = match source.origin {
        Origin::Flag => vec![text.split_once('=')?.0.to_owned()],
        _ => places.iter().map(|place| Some(source.written(*place)?.to_owned())).collect::<Option<_>>()?,
    };
    let given = match source.origin {
        Origin::Flag => 1,
        _ => top_keys(text, 0).count(),
    };
    let is_at_top = places.iter().all(|place| source.line_range(source.line(place.start)).start == place.start);
    if given != places.len() || !is_at_top {
        return None;
    }
    let has_all = |one: &&Declared| keys.iter().all(|key| one.keys.contains_key(key));
    let library = crate::nearest::only(libraries.iter().filter(has_all))?;
    Some((keys, library))
}

fn tell(sources: &SourceMap, problem: &mut Diagnostic, (places, keys): (&[Span], &[String]), of: &Declared) {
    let Declared { library, keys: declared } = of;
    let Some(first) = places.first().copied() else { return };
    let source = sources.get(first.source);
    let parts = problem.parts_mut();
    // The place and what is expected there: which other keys the application declares does not matter.
    parts.labels.truncate(2);
    for (place, key) in places.iter().zip(keys).skip(1) {
        parts.labels.push(Label { span: *place, text: format!("and no `{key}`") });
    }
    for span in keys.iter().filter_map(|key| declared.get(key)) {
        parts.labels.push(Label { span: *span, text: format!("declared in the library `{library}`") });
    }
    let mut help = Help::new(match source.origin {
        Origin::Flag => {
            let key = keys.first().map(String::as_str).unwrap_or_default();
            format!("`{library}` declares it: a flag reaches a library by its name, `@{library}:{key}=…`")
        }
        _ => format!("`{library}` declares all of them: say that they are for it, `#@library/ref \"@{library}\"`"),
    });
    let text = source.text.as_str().unwrap_or_default();
    match source.origin {
        Origin::Flag => {}
        _ => match annotation_above(text, first.start) {
            Some(at) => {
                let place = Span { start: to_u32(at), end: to_u32(at), ..first };
                help.edit = Some((place, format!("#@library/ref \"@{library}\"\n")));
            }
            // A plain file is named by a flag.
            None => {
                let file = source.shown_name();
                help.text = format!(
                    "`{library}` declares all of them: give the file to it, as `--data-values-file @{library}:{file}`"
                );
            }
        },
    }
    parts.helps.insert(0, help);
}

/// Where the line of the annotation for values begins that is above a place.
fn annotation_above(text: &str, place: u32) -> Option<usize> {
    let before = text.get(..place as usize)?;
    let at = before.rfind(VALUES)?;
    let is_line = before.get(..at)?.rsplit('\n').next()?.is_empty();
    let is_whole = before.get(at..)?.strip_prefix(VALUES)?.starts_with(['\n', '\r', ' ']);
    (is_line && is_whole).then_some(at)
}

/// What the libraries of the run declare, of those that code gets by a name.
fn libraries(scope: &FileScope) -> Vec<Declared> {
    let (common, mut found) = (&scope.common, Vec::<Declared>::new());
    let all = common.sources.all();
    let mut asked: HashMap<String, bool> = HashMap::new();
    let mut got = |library: &str| {
        // Each look goes through all texts.
        let is_asked_more = asked.len() >= NAMES;
        let call = format!(".get(\"{library}\"");
        let has_it = || all.iter().any(|source| source.text.as_str().is_some_and(|text| text.contains(&call)));
        *asked.entry(library.to_owned()).or_insert_with(|| !is_asked_more && has_it())
    };
    for (folders, file) in common.tree.in_libraries(scope.root).into_iter().take(MOST) {
        let names = std::iter::successors(Some(&*folders), |path| path.rsplit_once('/').map(|(outer, _)| outer));
        let Some(library) = names.into_iter().find(|name| got(name)) else { continue };
        let Ok(id) = file.open(&common.sources, &common.limits) else { continue };
        let source = common.sources.get(id);
        let Some(text) = source.text.as_str() else { continue };
        let Some(start) = text.find(SCHEMA) else { continue };
        let keys = top_keys(text, start).map(|(at, key)| {
            let at = to_u32(at);
            (key.to_owned(), Span::new(id, at, at.saturating_add(to_u32(key.len()))))
        });
        match found.iter_mut().find(|one| one.library == *library) {
            Some(known) => known.keys.extend(keys),
            None => found.push(Declared { library: library.to_owned(), keys: keys.collect() }),
        }
    }
    found
}

/// The keys that begin a line, from a place on.
fn top_keys(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0_usize;
    let lines = text.split_inclusive('\n').map(move |line| {
        let start = at;
        at = at.saturating_add(line.len());
        (start, line)
    });
    lines.filter(move |(start, _)| *start >= from).filter_map(|(start, line)| {
        let (key, rest) = line.split_once(':')?;
        let is_key = key.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
        let is_value = rest.is_empty() || rest.starts_with([' ', '\n', '\r']);
        (is_key && is_value && !key.is_empty()).then_some((start, key))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_at_the_top_begin_their_line() {
        let text = "#@data/values\n---\na: 1\nb:\n  c: 2\n#! d: 1\ne-f: x\nhttp://x\n";
        assert_eq!(top_keys(text, 0).map(|(_, key)| key).collect::<Vec<_>>(), ["a", "b", "e-f"]);
        assert_eq!(annotation_above(text, 18), Some(0));
        assert_eq!(annotation_above("#@data/values-schema\n---\na: 1\n", 25), None);
    }
}
