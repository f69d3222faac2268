//! Files that cannot be read as programs beside those that a run found first: what others load, and text templates. They
//! would be told one after the other else, one in each run.

use std::collections::{HashSet, VecDeque};

use super::scope::FileScope;
use crate::diag::Diagnostic;
use crate::eval::{Session, SourceUnit};
use crate::files::FileKind;
use crate::template::outline;

/// Files that are looked through.
const MOST: usize = 500;

/// The problems of files that are loaded by those for output, or by one of these; and of text templates.
pub(super) fn wrong(session: &Session<'_, '_, '_, '_>, scope: &FileScope) -> Vec<Diagnostic> {
    let sources = &session.state().sources;
    let all = scope.common.tree.in_tree_order(scope.root).into_iter();
    let evaluated = all.filter(|found| found.file.for_output || found.file.is_template);
    let mut left: VecDeque<(SourceUnit, bool)> = evaluated
        .filter_map(|found| {
            // What is wrong with YAML templates is known already.
            let is_known = found.file.kind == FileKind::Yaml;
            Some((scope.unit(&found.file, found.folder).ok()?, is_known))
        })
        .take(MOST)
        .collect();
    let mut seen: HashSet<_> = left.iter().map(|(unit, _)| unit.source).collect();
    let mut problems = Vec::new();
    while let Some((unit, is_known)) = left.pop_front() {
        if !is_known && let Err(found) = session.prepare(&unit) {
            problems.extend(found.0);
        }
        for load in outline::loads(&sources.get(unit.source), unit.source) {
            let is_module = load.path.name.starts_with("@ytt:");
            let loaded = unit.scope.resolve(&load.path.name).ok().filter(|_| !is_module && seen.len() < MOST);
            left.extend(loaded.filter(|loaded| seen.insert(loaded.source)).map(|loaded| (loaded, false)));
        }
    }
    problems
}
