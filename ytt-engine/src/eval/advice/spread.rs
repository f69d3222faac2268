//! `overlay.apply` that is given a list of overlays as one: each of them is an argument of its own, which a star makes of
//! the list.

use super::super::host::Host;
use super::origin::Origins;
use super::{code_of, functions, place_at};
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::template::written::{self, Argument};
use crate::yaml::Val;

/// A call of which these arguments are lists, of so many items; the first of them is the one that failed.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, lists: &[(usize, usize)]) {
    let sources = &host.sources;
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some((number, length)) = lists.first().copied() else { return };
    let general = "give each overlay of a list as an argument of its own, by a star: `overlay.apply(left, *overlays)`";
    let all = written::call(sources, call).unwrap_or_default();
    let Some(argument) = all.get(number).filter(|_| all.iter().take(number.saturating_add(1)).all(is_plain(sources)))
    else {
        *problem = problem.clone().help(general);
        return;
    };
    let what = match length {
        0 => "this is a list, with nothing in it this time: it is taken for one overlay".to_owned(),
        1 => "this is a list with one overlay in it, and is taken for the overlay".to_owned(),
        _ => format!("this is a list of {length} overlays, and is taken for one overlay"),
    };
    let mut told = problem.clone().relabel(what);
    place_at(&mut told, argument.value);
    told = with_origin(host, data, told, argument.value);
    let edit = spread(sources, &all, number, lists);
    *problem = match edit {
        Some((span, new)) => {
            let told = told.help_edit("give each overlay of the list as an argument of its own", span, new);
            let told = told.if_it_mends();
            // Nobody knows what the list has in another run.
            if length == 0 { told.guessing() } else { told }
        }
        None => told.help(general),
    };
}

fn is_plain(sources: &SourceMap) -> impl Fn(&Argument) -> bool {
    |argument| argument.name.is_none() && !code_of(sources, argument.value).starts_with('*')
}

/// Says which code gives the list.
fn with_origin(host: &Host<'_>, data: Val, told: Diagnostic, given: Span) -> Diagnostic {
    let sources = &host.sources;
    let trace = told.parts().trace.clone();
    let (mut told, mut code) = (told, given);
    if let Some((value, _)) = Origins::new(host, data, &trace).given_by(given, 0) {
        code = value;
        if is_apart(sources, &told, value) {
            told = told.label(value, format!("`{}` comes from here", code_of(sources, given)));
        }
    }
    let Some(callee) = written::callee(sources, code) else { return told };
    let name = code_of(sources, callee);
    let Some((function, place)) = functions::defined(sources, code.source, &name) else { return told };
    match function.returned[..] {
        [returned] => told.label(returned, format!("`{name}` gives a list")),
        _ => told.label(place, format!("`{name}` gives a list")),
    }
}

/// Is a place in no line that has a label?
fn is_apart(sources: &SourceMap, told: &Diagnostic, place: Span) -> bool {
    let line = |span: Span| (span.source, sources.get(span.source).line(span.start));
    told.parts().labels.iter().all(|label| line(label.span) != line(place))
}

/// The edit that gives the overlays of a list one by one. Nothing may stand behind a star but named arguments, so what does is
/// added to the list.
fn spread(sources: &SourceMap, all: &[Argument], number: usize, lists: &[(usize, usize)]) -> Option<(Span, String)> {
    let argument = all.get(number)?;
    let code = code_of(sources, argument.value);
    if let [_, ..] = written::elements(sources, argument.value)[..] {
        let inside = code.strip_prefix('[').and_then(|code| code.strip_suffix(']'));
        let inside = inside.filter(|inside| !inside.contains('#'))?;
        return Some((argument.value, inside.trim().trim_end_matches(',').trim_end().to_owned()));
    }
    let behind = all.get(number.checked_add(1)?..)?;
    if behind.is_empty() {
        let start = Span { end: argument.value.start, ..argument.value };
        return Some((start, "*".to_owned()));
    }
    behind.iter().all(is_plain(sources)).then_some(())?;
    let mut sum = operand(sources, argument.value);
    for (at, other) in all.iter().enumerate().skip(number.checked_add(1)?) {
        let is_list = lists.iter().any(|(list, _)| *list == at);
        let other = other.value;
        sum.push_str(" + ");
        sum.push_str(&if is_list { operand(sources, other) } else { format!("[{}]", code_of(sources, other)) });
    }
    Some((Span { end: behind.last()?.value.end, ..argument.value }, format!("*({sum})")))
}

/// Code as one side of a sum.
fn operand(sources: &SourceMap, code: Span) -> String {
    let text = code_of(sources, code);
    let is_one = written::is_dotted(&text) || written::callee(sources, code).is_some() || text.starts_with('[');
    if is_one { text } else { format!("({text})") }
}
