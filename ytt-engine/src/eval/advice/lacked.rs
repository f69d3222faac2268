//! A call that lacks an argument: the other calls of the function, which lack it as well, and those that give it.

use super::super::host::Host;
use super::code_of;
use crate::diag::{Diagnostic, suggest};
use crate::source::{SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::written::{self, Argument};

/// Calls that are shown beside the one that failed.
const SHOWN: usize = 3;

/// Marks the calls of the same function: the ones that lack `name` too, and one that gives it.
pub(super) fn elsewhere(host: &Host<'_>, problem: &mut Diagnostic, name: &str) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(callee) = written::callee(&host.sources, call).map(|callee| code_of(&host.sources, callee)) else {
        return;
    };
    let Some(given) = written::call(&host.sources, call) else { return };
    let own = place(host, call);
    let (mut lacking, mut giving) = (Vec::new(), None);
    for (number, source) in host.sources.all().iter().enumerate() {
        let id = SourceId(to_u32(number));
        let may = source.text.as_str().is_some_and(|text| text.contains(&format!("{callee}(")));
        if !may || !host.may_advise(source.text.as_bytes().len()) {
            continue;
        }
        let Some(code) = FileCode::read(source, id) else { continue };
        for (span, arguments) in code.calls_of(&callee) {
            let is_here = id == call.source;
            let is_given = gives(host, &arguments, name, given.len());
            if is_here && place(host, span) != own && arguments.len() == given.len() && !is_given {
                lacking.push(span);
            } else if is_given && giving.is_none() && (is_here || code.bound(span, &callee).is_some()) {
                giving = Some(span);
            }
        }
    }
    let count = lacking.len().saturating_add(1);
    let mut told = problem.clone();
    for span in lacking.iter().take(SHOWN) {
        told = told.label(*span, format!("`{name}` is missing here, too"));
    }
    if let Some(span) = giving {
        told = told.label(span, format!("here `{name}` is given"));
    }
    if !lacking.is_empty() || giving.is_some() {
        let calls = match count {
            1 => "this call".to_owned(),
            2 => "both calls".to_owned(),
            _ => format!("all {count} calls"),
        };
        let lines: Vec<String> = std::iter::once(&call)
            .chain(&lacking)
            .take(SHOWN)
            .map(|span| format!("line {}", host.sources.get(span.source).line(span.start)))
            .collect();
        told = told.help(format!("give `{name}` in {calls} ({})", suggest::all_of(&lines)));
    }
    *problem = told;
}

/// Where a call begins: the place of a problem may end elsewhere than the call.
fn place(host: &Host<'_>, call: Span) -> (u32, u32) {
    (host.sources.get(call.source).line(call.start), call.start)
}

/// Has a call one argument more than another one, or one of this name?
fn gives(host: &Host<'_>, arguments: &[Argument], name: &str, others: usize) -> bool {
    let is_named = |argument: &Argument| argument.name.is_some_and(|own| code_of(&host.sources, own) == name);
    arguments.len() > others || arguments.iter().any(is_named)
}
