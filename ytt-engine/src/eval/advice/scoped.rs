//! A field that another variable beside the one of the code has: the variable of a loop within a loop, taken for that of the
//! outer one; or that only the items of a list have which the variable holds.

use super::super::host::Host;
use super::operands::items_named;
use super::origin::Origins;
use super::{code_of, items, member};
use crate::diag::{Diagnostic, suggest};
use crate::source::{Source, Span};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::word;
use crate::yaml::{NodeId, Val};

/// Variables that are looked at.
const MOST: usize = 20;
/// Fields that everything has: that another variable has them says nothing.
const COMMON: [&str; 4] = ["name", "id", "key", "value"];

/// A variable whose value has the field.
struct Other {
    bound: Bound,
    name: String,
    field: NodeId,
}

/// Tells of a struct of data values without a field, where nothing else was told.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    let ([label], true) = (&problem.parts().labels[..], problem.parts().helps.is_empty()) else { return };
    let place = label.span;
    let Some(of) = items::receiver(host, place) else { return };
    let code = code_of(&host.sources, of);
    let is_name = !code.is_empty() && code.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !is_name || !member("", name).starts_with('.') {
        return;
    }
    let source = host.sources.get(of.source);
    let Some(file) = FileCode::read(&source, of.source) else { return };
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let others = match COMMON.contains(&name) {
        true => Vec::new(),
        false => others(host, &origins, &file, (&source, of), name),
    };
    let arena = host.arena.borrow();
    match &others[..] {
        [] => {}
        [other] => {
            let var = &other.name;
            let at = arena.span_of(other.field);
            let told = problem.clone().label(other.bound.name, format!("`{var}` has `{name}`, `{code}` has not"));
            let told = told.label_at(at, format!("`{name}` is here"));
            *problem = told.help_edit(format!("did you mean `{var}.{name}`?"), of, var.as_str());
            return;
        }
        several => {
            let all: Vec<String> = several.iter().map(|other| format!("{}.{name}", other.name)).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            *problem = problem.clone().help(format!("is {} meant?", suggest::either(&all)));
            return;
        }
    }
    // In the items of one list of it.
    let found: Vec<(String, NodeId)> =
        origins.values(of).into_iter().take(MOST).flat_map(|value| items_named(host, value, name)).collect();
    let Some((path, first)) = found.first() else { return };
    let Some(list) = path.strip_suffix(name).and_then(|list| list.strip_suffix("..")) else { return };
    let is_plain = |list: &str| !list.contains("..") && list.split('.').all(|key| member("", key).starts_with('.'));
    if !is_plain(list) || found.iter().any(|(other, _)| other != path) {
        return;
    }
    let told = problem.clone().label_at(arena.span_of(*first), format!("`{name}` is here"));
    *problem = told.help(format!(
        "the items of `{code}.{list}` have `{name}`, `{code}` has not: read it of one of them, or in a loop over them"
    ));
}

/// The variables of loops around a place, and those that its line reads beside, whose values have a field.
fn others(
    host: &Host<'_>,
    origins: &Origins<'_, '_>,
    file: &FileCode,
    (source, of): (&Source, Span),
    field: &str,
) -> Vec<Other> {
    let line = source.line_text(source.line(of.start));
    let own = code_of(&host.sources, of);
    let mut found: Vec<Other> = Vec::new();
    for bound in file.in_scope(of).into_iter().take(MOST) {
        let name = code_of(&host.sources, bound.name);
        let is_near = matches!(bound.by, Binder::Loop { .. }) || word::whole(&line, &name).next().is_some();
        // What is read beside is not meant twice.
        let is_read = word::whole(&line, &format!("{name}.{field}")).next().is_some();
        if name == own || !is_near || is_read || found.iter().any(|other| other.name == name) {
            continue;
        }
        let items = origins.of_bound(&bound);
        let arena = host.arena.borrow();
        let fields: Option<Vec<NodeId>> =
            items.iter().map(|item| arena.find_str(arena.map_of(arena.value(*item))?, field)).collect();
        if let Some(&field) = fields.as_deref().and_then(<[NodeId]>::first) {
            found.push(Other { bound, name, field });
        }
    }
    found
}
