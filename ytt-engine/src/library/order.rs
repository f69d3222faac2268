//! The order in which files are merged, and files that are in the wrong one: by their names what others vary comes too late.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::kind::Use;
use crate::diag::{Advice, Code, Diagnostic, Diagnostics, Help, Step};
use crate::nearest::ENVIRONMENTS;
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::outline;
use crate::yaml::{Arena, NodeId, Val};

/// What people call the file that comes first.
const BASES: [&str; 6] = ["schema", "values", "defaults", "default", "base", "common"];

/// Of these, what comes even before the others.
const MORE_BASIC: [&str; 4] = ["base", "common", "default", "defaults"];

/// Values that are shown, and items that are compared.
const SHOWN: usize = 3;
const COMPARED: usize = 10_000;
/// Pairs of documents whose names are compared.
const PAIRS: usize = 10_000;

/// The name of a file without its ending.
fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Warns where documents of values, in their order, override those of one environment by those that all have, of the same
/// folder.
pub(super) fn overridden_by_bases(arena: &Arena, sources: &SourceMap, documents: &[NodeId]) -> Vec<Diagnostic> {
    let stems: Vec<(NodeId, String)> = documents
        .iter()
        .filter_map(|document| Some((*document, stem(&sources.get(arena.span_of(*document)?.source).name).to_owned())))
        .collect();
    let mut found: Vec<Diagnostic> = Vec::new();
    let (mut left, mut told) = (PAIRS, HashSet::new());
    for (number, (base, own)) in stems.iter().enumerate() {
        let (folder, name) = own.rsplit_once('/').unwrap_or(("", own));
        if !BASES.contains(&name) {
            continue;
        }
        for (variant, other) in stems.get(..number).unwrap_or_default() {
            let Some(less) = left.checked_sub(1) else { return found };
            left = less;
            let (other_folder, other_name) = other.rsplit_once('/').unwrap_or(("", other));
            // A file may have many documents.
            let is_told = told.contains(&(own, other));
            if is_told || folder != other_folder || !is_of_environment(other_name) {
                continue;
            }
            let pairs = overridden(arena, *variant, *base);
            let Some((_, first)) = pairs.first() else { continue };
            told.insert((own, other));
            let [base, variant] = [first.source, pairs.first().map_or(first.source, |(before, _)| before.source)]
                .map(|source| sources.get(source));
            let is_one_input = base.input == variant.input;
            let [base, variant] = [base, variant].map(|source| source.shown_name());
            let text = format!("`{base}` overrides `{variant}`: it comes later");
            let warning = pairs.iter().take(SHOWN).fold(
                Diagnostic::warning(Code::VALUES_OUT_OF_ORDER, text),
                |warning, (before, counts)| {
                    warning.label(*counts, "this value counts").label(*before, "and this one is overridden")
                },
            );
            let more = pairs.len().saturating_sub(SHOWN);
            let warning = if more > 0 { warning.note(format!("and {more} more values")) } else { warning };
            found.push(warning.advise(Advice::OrderFiles { first: base, then: variant, is_one_input }));
        }
    }
    found
}

/// Is a file that of one environment, by the words of its name? `test-defaults` is for all tests, and `live-probe` is about
/// something else.
fn is_of_environment(name: &str) -> bool {
    let words = || name.split(['-', '_', '.']);
    words().any(|word| ENVIRONMENTS.contains(&word))
        && words().all(|word| ENVIRONMENTS.contains(&word) || BASES.contains(&word))
        && !words().any(|word| MORE_BASIC.contains(&word))
}

/// Where the second document sets scalars to something else than the first one, with the places in both.
fn overridden(arena: &Arena, first: NodeId, second: NodeId) -> Vec<(Span, Span)> {
    let (mut found, mut open, mut left) = (Vec::new(), vec![(first, second)], COMPARED);
    while let Some((first, second)) = open.pop() {
        let (Some(before), Some(after)) = (arena.map_of(arena.value(first)), arena.map_of(arena.value(second))) else {
            continue;
        };
        for &item in arena.items(after) {
            let Some(less) = left.checked_sub(1) else { return found };
            left = less;
            let Some(there) = arena.find(before, arena.key(item)) else { continue };
            // What an annotation makes of it is not seen here.
            if [there, item].iter().any(|item| arena.anns_of(*item).iter().next().is_some()) {
                continue;
            }
            let (old, new) = (arena.value(there), arena.value(item));
            open.push((there, item));
            let is_scalar = |value: Val| !matches!(value, Val::Node(_) | Val::Raw(_));
            if is_scalar(old) && is_scalar(new) && !arena.prints_same(old, new) {
                found.extend(arena.span_of(there).zip(arena.span_of(item)));
            }
        }
    }
    found.sort_by_key(|(_, after)| after.start);
    found
}

/// A key that nothing has yet, in a file that comes behind one which is a variant of it by their names: `values-prod.yml`
/// before `values.yml`, `more.yml` before `schema.yml`.
fn out_of_order(problem: &mut Diagnostic, sources: &SourceMap, files: &[String]) {
    if problem.code() != Code::OVERLAY_NO_MATCH {
        return;
    }
    let Some(label) = problem.parts().labels.first() else { return };
    let source = sources.get(label.span.source);
    let Some(own) = files.iter().position(|file| **file == *source.name) else { return };
    let is_base = |file: &str| file.rsplit('/').next().is_some_and(|name| BASES.contains(&name));
    // `base-schema` is no variant of `schema`.
    let says_base = |file: &str| {
        let mut words = file.rsplit('/').next().unwrap_or_default().split(['-', '_', '.']);
        words.any(|word| MORE_BASIC.contains(&word))
    };
    let base = stem(&source.name);
    let is_variant = |file: &&String| {
        let other = stem(file);
        let is_named_by_it = other.strip_prefix(base).is_some_and(|rest| rest.starts_with(['-', '_', '.']));
        is_named_by_it || is_base(base) && !is_base(other) && !says_base(other)
    };
    let Some(variant) = files.iter().take(own).find(is_variant) else { return };
    // A name like another one is misspelt; what people call a file says less.
    let is_named_by_it = stem(variant).starts_with(base);
    let is_known = |help: &Help| help.near.is_some() || help.edit.is_some() && !help.silences;
    if !is_named_by_it && problem.parts().helps.iter().any(is_known) {
        return;
    }
    let all = sources.all();
    let found = all.iter().enumerate().find(|(_, other)| *other.name == **variant);
    let then = found.map_or(variant.clone(), |(_, other)| other.shown_name());
    let first = found.and_then(|(number, other)| values_in(other, SourceId(to_u32(number))));
    let advice = Advice::OrderFiles { first: source.shown_name(), then, is_one_input: true };
    // Other helps would keep the order, and what the variant sets would be lost.
    problem.parts_mut().helps.clear();
    let told = problem.clone().label_at(first, "the document that comes first: all that others change must be in it");
    *problem = told.advise(advice);
}

/// Where the first document of data values of a file says that it is one.
fn values_in(source: &Source, id: SourceId) -> Option<Span> {
    const ANNOTATION: &str = "#@data/values";
    let start = source.text.as_str()?.find(ANNOTATION)?;
    Some(Span::new(id, to_u32(start), to_u32(start.checked_add(ANNOTATION.len())?)))
}

/// Puts in front what the reference says of this stage.
pub(super) fn in_order(
    problems: Diagnostics,
    sources: &SourceMap,
    used: Use,
    files: &[String],
    given: bool,
) -> Diagnostics {
    let (what, more) = match used {
        Use::Schema => ("data values schema", "additional data value schema"),
        _ => ("data values", "additional data values"),
    };
    let mut problems = problems;
    // With a schema, that is what the first of the values are laid over.
    let has_schema = || sources.all().iter().any(|source| outline::has_schema(source));
    if used == Use::Schema || !has_schema() {
        problems.0.iter_mut().for_each(|problem| out_of_order(problem, sources, files));
    }
    let mut files: Vec<&str> = files.iter().map(String::as_str).collect();
    files.extend(given.then_some(more));
    problems.context(order(sources, &format!("Overlaying {what}"), &files))
}

/// What is merged in which order; of one file, the place of a problem says it.
pub(super) fn order(sources: &SourceMap, what: &str, files: &[impl AsRef<str>]) -> Step {
    let names: Vec<&str> = files.iter().map(AsRef::as_ref).collect();
    let in_order = |names: &[&str]| format!("{what} (in following order: {})", names.join(", "));
    let told = told_apart(sources, &names).map(|names| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        in_order(&names)
    });
    Step::from(in_order(&names)).shown_if(files.len() == 1).reported(told)
}

/// The paths of files of which two have one name, since several inputs have it; `None` if none have, or it is not clear
/// which is which.
fn told_apart(sources: &SourceMap, names: &[&str]) -> Option<Vec<String>> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names {
        let count = counts.entry(*name).or_default();
        *count = count.saturating_add(1);
    }
    counts.retain(|_, count| *count > 1);
    (!counts.is_empty()).then_some(())?;
    let mut same: HashMap<&str, Vec<Arc<Source>>> = HashMap::new();
    for source in sources.all() {
        if let Some((name, _)) = counts.get_key_value(&*source.name) {
            same.entry(*name).or_default().push(source);
        }
    }
    // The first one is taken last.
    same.values_mut().for_each(|same| same.sort_by_key(|source| std::cmp::Reverse(source.input)));
    counts.iter().all(|(name, count)| same.get(name).is_some_and(|same| same.len() == *count)).then_some(())?;
    let mut shown = |name: &&str| match same.get_mut(*name) {
        Some(same) => same.pop().map(|source| source.shown_name()),
        None => Some((*name).to_owned()),
    };
    names.iter().map(&mut shown).collect()
}
