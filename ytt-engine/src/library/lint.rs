//! What a whole render could have done without: told at its end, when all of it is known.

use std::collections::HashMap;

use super::scope::FileScope;
use super::tree::Idle;
use super::{in_texts, no_return, unkept, unused_values};
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::{self, Session};
use crate::files::File;
use crate::overlay;
use crate::source::{SourceId, SourceMap, Span};
use crate::template::code::FileCode;
use crate::template::{BoundBy, Unused};

/// Lints that ask which names are used.
pub(super) const NAMES: [Code; 3] =
    [Code::TEMPLATE_UNUSED_FUNCTION, Code::TEMPLATE_UNUSED_LOAD, Code::TEMPLATE_UNUSED_NAME];

/// Functions that are told of.
const TOLD: usize = 20;

/// Warns of what was of no use. `is_whole`: templates and overlays were run, not data values alone.
pub(super) fn lint(session: &Session<'_, '_, '_, '_>, scope: &FileScope, is_whole: bool) {
    let state = session.state();
    let is_on = |code: Code| scope.common.lints.is_on(code.as_str());
    let mut found = overlay::useless(&state.arena.borrow(), &state.sources, &is_on);
    if is_on(Code::OVERLAY_JUNCTION) {
        let lists = state.arguments_of(overlay::MATCH, overlay::may_join);
        found.extend(overlay::warn_of_junctions(&state.sources, &lists));
        found.extend(overlay::warn_of_joined(&state.sources, &state.programs()));
    }
    if is_whole {
        if is_on(Code::VALUES_UNUSED) {
            found.extend(unused_values::lint(&state.arena.borrow(), &state.sources));
        }
        if is_on(Code::TEMPLATE_UNPRINTED) {
            found.extend(unkept::lint(&state.sources, &state.arena.borrow(), &state.trees()));
        }
        if is_on(Code::STARLARK_FUNCTION_NOT_CALLED) {
            found.extend(not_called(session));
        }
        if is_on(Code::TEMPLATE_LIST_IN_LIST) {
            found.extend(eval::first_lists(state));
        }
        if is_on(Code::STARLARK_IN_TEXT) {
            found.extend(in_texts::lint(&state.sources, &state.programs()));
        }
        if is_on(Code::STARLARK_NO_RETURN) {
            found.extend(no_return::lint(&state.sources, &state.programs()));
        }
        found.extend(names(session).into_iter().filter(|one| is_on(one.code())));
        if is_on(Code::FILES_UNUSED) {
            found.extend(files(scope, &state.sources));
        }
    }
    found.into_iter().for_each(|one| state.warn(one));
}

fn names(session: &Session<'_, '_, '_, '_>) -> Vec<Diagnostic> {
    let state = session.state();
    // That the module of overlays is not used has a cause there, and is no reason to remove it.
    let has_cause = |unused: &Unused| {
        unused.by == BoundBy::Load && state.has_warned(Code::OVERLAY_NOT_AN_OVERLAY, unused.place.source)
    };
    let told = state.unused_names().into_iter().filter(|unused| !has_cause(unused)).map(|unused| {
        let name = &unused.name;
        let (code, text) = match unused.by {
            BoundBy::Load => (Code::TEMPLATE_UNUSED_LOAD, format!("`{name}` is loaded, and never used")),
            BoundBy::Function => (Code::TEMPLATE_UNUSED_FUNCTION, format!("the function `{name}` is never used")),
            BoundBy::Assignment => (Code::TEMPLATE_UNUSED_NAME, format!("`{name}` is set, and never used")),
        };
        let label = if unused.is_offered { "not here, and no file loads it" } else { "not in this file" };
        let warning = Diagnostic::warning(code, text).fact(Fact::Useless).label(unused.place, label);
        warning.edit_at("remove it", unused.part, "")
    });
    told.collect()
}

/// Functions that are asked for themselves: they are always true, and equal nothing but themselves.
fn not_called(session: &Session<'_, '_, '_, '_>) -> Vec<Diagnostic> {
    let state = session.state();
    // Most names are asked for many times, and hold values.
    let mut functions: HashMap<(SourceId, String), bool> = HashMap::new();
    let told = state.asked_names().into_iter().filter_map(|place| {
        let source = state.sources.get(place.source);
        let name = source.written(place)?.to_owned();
        let is_function = functions.entry((place.source, name));
        if !*is_function.or_insert_with(|| eval::is_function(&state.sources, place)) {
            return None;
        }
        let code = FileCode::read(&source, place.source)?;
        // A function may have one of its own by that name.
        if code.is_local(place, source.written(place)?) {
            return None;
        }
        let text = "a function is asked for here, and not what it gives";
        let warning = Diagnostic::warning(Code::STARLARK_FUNCTION_NOT_CALLED, text);
        let warning = warning.label(place, "this is a function, not its value");
        Some(eval::call_it(&state.sources, warning, place))
    });
    told.take(TOLD).collect()
}

/// Is a file for people, and no data? It stands beside templates for another reason than to be read by them.
fn is_for_people(file: &File) -> bool {
    let path = file.path.as_str().to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    extension == "md" || matches!(stem, "readme" | "license" | "notice")
}

fn files(scope: &FileScope, sources: &SourceMap) -> Vec<Diagnostic> {
    let idle = scope.common.tree.idle().into_iter();
    let idle = idle.filter(|idle| !matches!(idle, Idle::File(file) if is_for_people(file)));
    let told = idle.map(|idle| {
        let (path, text, file) = match idle {
            Idle::Library(path, file) => {
                let text = format!("the library `{path}` is not used: nothing loads or evaluates it");
                (path, text, file)
            }
            Idle::File(file) => {
                let path = file.path.as_str().to_owned();
                let text = format!("`{path}` is not used: nothing loads or reads it");
                (path, text, Some(file))
            }
        };
        let place = file.map(|file| Span::new(file.mentioned(sources), 0, 0));
        let warning = Diagnostic::warning(Code::FILES_UNUSED, text).fact(Fact::IdleFile { path });
        warning.label_at(place, "").help("remove it, or leave it out by a file mark with `exclude=true`")
    });
    told.collect()
}
