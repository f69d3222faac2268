//! Files that are merged in the wrong order: by their names the one that others vary comes too late.

use crate::diag::{Advice, Code, Diagnostic, Help};
use crate::source::SourceMap;

/// What people call the file that comes first.
const BASES: [&str; 6] = ["schema", "values", "defaults", "default", "base", "common"];

/// Of these, what comes even before the others.
const MORE_BASIC: [&str; 4] = ["base", "common", "default", "defaults"];

/// A key that nothing has yet, in a file that comes behind one which is a variant of it by their names: `values-prod.yml`
/// before `values.yml`, `more.yml` before `schema.yml`.
pub(super) fn out_of_order(problem: &mut Diagnostic, sources: &SourceMap, files: &[String]) {
    if problem.code() != Code::OVERLAY_NO_MATCH {
        return;
    }
    let Some(label) = problem.parts().labels.first() else { return };
    let source = sources.get(label.span.source);
    let Some(own) = files.iter().position(|file| **file == *source.name) else { return };
    let stem = |file: &str| file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
    let is_base = |file: &str| file.rsplit('/').next().is_some_and(|name| BASES.contains(&name));
    // `base-schema` is no variant of `schema`.
    let says_base = |file: &str| {
        let mut words = file.rsplit('/').next().unwrap_or_default().split(['-', '_', '.']);
        words.any(|word| MORE_BASIC.contains(&word))
    };
    let base = stem(&source.name);
    let is_variant = |file: &&String| {
        let other = stem(file);
        let is_named_by_it = other.strip_prefix(&*base).is_some_and(|rest| rest.starts_with(['-', '_', '.']));
        is_named_by_it || is_base(&base) && !is_base(&other) && !says_base(&other)
    };
    let Some(variant) = files.iter().take(own).find(is_variant) else { return };
    // A name like another one is misspelt; what people call a file says less.
    let is_named_by_it = stem(variant).starts_with(&*base);
    let is_known = |help: &Help| help.near.is_some() || help.edit.is_some() && !help.silences;
    if !is_named_by_it && problem.parts().helps.iter().any(is_known) {
        return;
    }
    let all = sources.all();
    let then = all.iter().find(|other| *other.name == **variant).map_or(variant.clone(), |other| other.shown_name());
    let advice = Advice::OrderFiles { first: source.shown_name(), then, is_one_input: true };
    // Other helps would keep the order, and what the variant sets would be lost.
    problem.parts_mut().helps.clear();
    *problem = problem.clone().advise(advice);
}
