//! Lines of a text that ends with a line break, as `split("\n")` gives them: the last one is empty, and has no parts.

use super::super::host::Host;
use super::code_of;
use super::origin::{Origins, turn};
use super::pieces::split;
use crate::diag::{Diagnostic, Fact, Label};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written;
use crate::yaml::Val;

/// As [`told`], for the index at the primary place.
pub(super) fn indexed(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let place = problem.parts().labels.first().map(|label| label.span);
    if let Some(of) = place.and_then(|place| written::indexed(&host.sources, place)) {
        told(host, data, problem, of);
    }
}

/// Adds to a problem of too few parts that the lines may end with an empty one. `of` is the parts, or the name of them.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, of: Span) {
    let is_one = match problem.parts().fact {
        Some(Fact::OutOfRange { length }) => length == 1,
        Some(Fact::NotUnpacked { counts }) => counts.is_some_and(|(got, _)| got == 1),
        _ => false,
    };
    if !is_one || !host.may_advise(host.sources.get(of.source).text.as_bytes().len()) {
        return;
    }
    let sources = &host.sources;
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let Some(parts) = split(sources, &origins, of) else { return };
    let line = if parts.frame == 0 { origins.handed(parts.of).unwrap_or(parts.of) } else { parts.of };
    let Some(over) = gone_through(sources, line) else { return };
    let Some(lines) = split(sources, &origins, over).filter(|lines| lines.frame == 0) else { return };
    let is_at_breaks = matches!(&*code_of(sources, lines.separator), "\"\\n\"" | "'\\n'");
    if !is_at_breaks || !code_of(sources, lines.whole).contains(".split(") {
        return;
    }
    let behind = Span { start: lines.of.end, end: lines.of.end, ..lines.of };
    let text = "a line break at the end of the text gives an empty line behind it".to_owned();
    let place = Label { span: lines.whole, text };
    let help = "take the line break from the end of the text first";
    let helps = problem.parts().helps.len();
    // Blanks around the text go, too.
    let mut told = problem.clone().help_edit(help, behind, ".strip()").if_it_mends().guessing().beside_help([place]);
    told.parts_mut().helps.rotate_right(usize::from(helps > 0));
    *problem = told;
}

/// What the loop goes over whose variable code is: a list, or all behind the first of its items.
fn gone_through(sources: &SourceMap, code: Span) -> Option<Span> {
    let path = written::path(sources, code).filter(|path| path.steps.is_empty())?;
    let file = FileCode::read(&sources.get(code.source), code.source)?;
    let Binder::Loop { vars, over } = file.bound(path.root, &code_of(sources, code))?.by else { return None };
    let (list, var) = turn(sources, vars, over)?;
    let whole = code_of(sources, list);
    let end = whole.strip_suffix(":]").and_then(|front| front.rsplit_once('[')).map(|(of, _)| to_u32(of.len()));
    let end = end.map_or(Some(list.end), |length| list.start.checked_add(length))?;
    (var == code_of(sources, code)).then_some(Span { end, ..list })
}
