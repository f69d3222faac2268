//! Files that are merged in the wrong order: by their names the one that others vary comes too late.

use crate::diag::{Advice, Code, Diagnostic};
use crate::source::SourceMap;

/// What people call the file that comes first.
const BASES: [&str; 6] = ["schema", "values", "defaults", "default", "base", "common"];

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
    let base = stem(&source.name);
    let is_variant = |file: &&String| {
        let other = stem(file);
        let is_named_by_it = other.strip_prefix(&*base).is_some_and(|rest| rest.starts_with(['-', '_', '.']));
        is_named_by_it || is_base(&base) && !is_base(&other)
    };
    let Some(variant) = files.iter().take(own).find(is_variant) else { return };
    let advice = Advice::OrderFiles { first: source.name.to_string(), then: variant.clone(), is_one_input: true };
    let mut told = problem.clone().advise(advice);
    let helps = &mut told.parts_mut().helps;
    // The edit of another help would keep the order, and the variant would be lost.
    helps.iter_mut().for_each(|help| help.edit = None);
    helps.rotate_right(1);
    *problem = told;
}
