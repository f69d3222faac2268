//! What belongs to a loaded file, and so cannot be changed: where that file sets it.

use super::super::host::Host;
use super::code_of;
use super::origin::Origins;
use crate::diag::Diagnostic;
use crate::source::{SourceId, SourceMap, Span};
use crate::template::code::{Binder, FileCode};
use crate::template::{outline, written};
use crate::yaml::Val;

/// Names that are followed to what they are set to, and files to those that they load a name from.
const STEPS: usize = 6;

/// Says of an argument that it is of a loaded file, and where it is set; `parameter` has it.
pub(super) fn given(host: &Host<'_>, data: Val, told: Diagnostic, (given, parameter): (Span, Span)) -> Diagnostic {
    let sources = &host.sources;
    let trace = told.parts().trace.clone();
    let outermost = Origins::new(host, data, &trace).handed(parameter).unwrap_or(given);
    let told = match outermost == given {
        true => told,
        false => told.label(given, format!("`{}` is handed on here", code_of(sources, given))),
    };
    let told = told.label(outermost, "this belongs to a loaded file, and cannot be changed");
    let name = |code: Span| written::path(sources, code).map(|path| path.root);
    let Some(mut root) = name(outermost) else { return told };
    for _ in 0..STEPS {
        let own = code_of(sources, root);
        let code = FileCode::read(&sources.get(root.source), root.source);
        match code.and_then(|code| code.bound(root, &own)).map(|bound| bound.by) {
            Some(Binder::Value(value)) => match name(value) {
                Some(next) => root = next,
                None => break,
            },
            Some(Binder::Load) => return set(sources, told, root.source, &own),
            _ => break,
        }
    }
    told
}

/// Says where a name is set that a file loads.
pub(super) fn set(sources: &SourceMap, told: Diagnostic, file: SourceId, name: &str) -> Diagnostic {
    let (mut file, mut name) = (file, name.to_owned());
    for _ in 0..STEPS {
        let Some((home, own)) = outline::home(sources, file, &name) else { return told };
        if home == file {
            break;
        }
        (file, name) = (home, own);
    }
    let place = outline::defined(&sources.get(file), file, &name);
    let is_known = |place: &Span| told.parts().labels.iter().any(|label| label.span == *place);
    match place.filter(|place| !is_known(place)) {
        Some(place) => told.label(place, format!("`{name}` is set here, in the file that is loaded")),
        None => told,
    }
}
