//! A function that a second one of the same name has replaced, in one file: the call was meant for the first.

use super::calls::{fits, parameters};
use super::code_of;
use crate::diag::{Diagnostic, suggest};
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::written::{self, Argument};
use crate::template::{outline, word};

/// Calls that are shown.
const SHOWN: usize = 4;

/// Tells a call whose arguments fit the function that was defined before the one at `defined`, by the same name.
pub(super) fn told(
    sources: &SourceMap,
    diagnostic: &Diagnostic,
    (given, defined): (&[Argument], Span),
) -> Option<Diagnostic> {
    let source = sources.get(defined.source);
    let code = FileCode::read(&source, defined.source)?;
    let name = code_of(sources, code.function_at(defined.start)?.name?);
    let all: Vec<Span> =
        code.defined().into_iter().filter(|(own, _)| *own == name).filter_map(|(_, one)| one.name).collect();
    let is_top = |place: &Span| code.function_around(*place).is_none_or(|around| around.name == Some(*place));
    let earlier = all.iter().rfind(|place| place.start < defined.start && is_top(place))?;
    let line = source.line(all.iter().find(|place| place.start >= defined.start)?.start);
    fits(sources, given, &parameters(sources, *earlier)?).then_some(())?;
    let text = format!("an earlier `{name}`, which takes this call, but is replaced by the one of line {line}");
    let mut told = diagnostic.clone().label(*earlier, text);
    let own = diagnostic.parts().labels.first()?.span;
    let (mut meant, mut others) = (Vec::new(), Vec::new());
    for (number, file) in sources.all().iter().enumerate() {
        let id = SourceId(to_u32(number));
        let local = match id == defined.source {
            true => Some(name.clone()),
            false => here(sources, id, defined.source, &name),
        };
        let Some(local) = local else { continue };
        let text = file.text.as_str().unwrap_or_default();
        for at in word::whole(text, &local) {
            let start = to_u32(at);
            let Some(call) = call_at(text, start, &local, id) else { continue };
            let Some(given) = written::call(sources, call) else { continue };
            let is_own = call.source == own.source && call.start <= own.start && own.end <= call.end;
            let is_earlier = parameters(sources, *earlier).is_some_and(|all| fits(sources, &given, &all));
            match is_earlier {
                true if !is_own => meant.push(call),
                true => {}
                false => others.push(call),
            }
        }
    }
    for call in meant.iter().take(SHOWN) {
        told = told.label(*call, "this call is meant for the earlier one, too");
    }
    for call in others.iter().take(SHOWN) {
        told = told.label(*call, format!("this call is meant for the one of line {line}"));
    }
    let places: Vec<String> = others.iter().take(SHOWN).map(|call| format!("`{}`", sources.name_line(*call))).collect();
    let callers = match places.is_empty() {
        true => "its callers".to_owned(),
        false => format!("what is called at {}", suggest::all_of(&places)),
    };
    Some(told.help(format!(
        "`{name}` is defined twice in one file: give the one of line {line} another name, and {callers}"
    )))
}

/// What a file calls a name of another one that it loads.
fn here(sources: &SourceMap, file: SourceId, home: SourceId, name: &str) -> Option<String> {
    let names = outline::loads(&sources.get(file), file).into_iter().flat_map(|load| load.names);
    let mut own = names.filter(|loaded| loaded.own.name == name).map(|loaded| loaded.here().to_owned());
    own.find(|local| outline::home(sources, file, local).is_some_and(|(found, _)| found == home))
}

/// The call of a name that a place of a text begins, where its brackets close on the same line.
fn call_at(text: &str, start: u32, name: &str, file: SourceId) -> Option<Span> {
    let behind = text.get(start as usize..)?.strip_prefix(name)?;
    let before = text.get(..start as usize)?.trim_end();
    let is_code = behind.starts_with('(') && !before.ends_with("def") && !before.ends_with('.');
    let line = behind.lines().next().filter(|_| is_code)?;
    let mut depth = 0_usize;
    let length = line.find(|letter| {
        match letter {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    let end = start.checked_add(to_u32(name.len()))?.checked_add(to_u32(length))?.checked_add(1)?;
    Some(Span::new(file, start, end))
}
