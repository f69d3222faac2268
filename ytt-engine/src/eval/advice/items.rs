//! An item of a list of data values without a key that the others have: where it stands.

use super::super::host::Host;
use super::lacking::Lacking;
use super::origin::Origins;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::yaml::Val;

/// Adds to a problem of a field that a struct does not have the item of data values that lacks it.
pub(super) fn lacking(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    if problem.parts().helps.is_empty()
        && let Some(told) = without_it(host, data, problem, name)
    {
        *problem = told;
    }
}

/// The same, in place of what was said of a field like it: where one item has the field asked for, the item that has it not
/// is what is wrong, and not the code.
pub(super) fn misspelt(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    let mut bare = problem.clone();
    bare.parts_mut().labels.truncate(1);
    bare.parts_mut().helps.clear();
    if let Some(told) = without_it(host, data, &bare, name) {
        *problem = told;
    }
}

fn without_it(host: &Host<'_>, data: Val, problem: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let of = receiver(host, problem.parts().labels.first()?.span)?;
    let trace = problem.parts().trace.clone();
    let items = Origins::new(host, data, &trace).of(of, 0);
    let arena = host.arena.borrow();
    let maps = || items.iter().filter_map(|item| arena.map_of(arena.value(*item)));
    let other = maps().find_map(|map| arena.find_str(map, name));
    let mut without = maps().filter(|map| arena.find_str(*map, name).is_none());
    let (other, map) = (other?, without.next()?);
    let otherwise = format!(
        "write `{name}` in this item too; or give it a default for all items, by a schema (`#@data/values-schema`)"
    );
    Some(Lacking { map, other: Some(other) }.told((host, &arena), problem.clone(), name, &otherwise))
}

/// The code in front of the dot of a member, if it is names and indexes.
pub(super) fn receiver(host: &Host<'_>, name: Span) -> Option<Span> {
    let source = host.sources.get(name.source);
    let line = source.line_range(source.line(name.start)).start;
    let before = source.written(Span::new(name.source, line, name.start))?;
    let code = before.strip_suffix('.')?;
    // A bracket that nothing of this closes is that of a list or an index around it: `[value.name, …]`.
    let mut open = 0_usize;
    let is_part = |letter: char| match letter {
        ']' => {
            open = open.saturating_add(1);
            true
        }
        '[' => {
            let is_own = open > 0;
            open = open.saturating_sub(1);
            is_own
        }
        _ => letter.is_alphanumeric() || matches!(letter, '_' | '.'),
    };
    let start = code.trim_end_matches(is_part).len();
    let at = |offset: usize| Some(line.saturating_add(u32::try_from(offset).ok()?));
    Some(Span::new(name.source, at(start)?, at(code.len())?))
}
