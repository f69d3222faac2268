//! A call that lacks an argument: the other calls of the function, which lack it as well, and those that give it.

use super::super::host::Host;
use super::offered::{Offered, offered};
use super::operands::data_path;
use super::{code_of, supplied};
use crate::diag::{Diagnostic, suggest};
use crate::nearest::only;
use crate::source::{SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::loading::with_load;
use crate::template::written::{self, Argument};
use crate::template::{outline, word};
use crate::yaml::Val;
use crate::yaml::words::kind_name;

/// Calls that are shown beside the one that failed.
const SHOWN: usize = 3;
/// Calls of which it is seen what they give.
const GIVING: usize = 20;
/// Keys that are looked at.
const KEYS: usize = 200;

/// Marks the calls of the same function: the ones that lack `name` too, and one that gives it.
pub(super) fn elsewhere(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(callee) = written::callee(&host.sources, call).map(|callee| code_of(&host.sources, callee)) else {
        return;
    };
    let Some(given) = written::call(&host.sources, call) else { return };
    let own = place(host, call);
    let at = parameter(host, call.source, &callee, name);
    // Another file may have a function of its own by that name.
    let home = |file: SourceId| outline::home(&host.sources, file, &callee);
    let its = home(call.source);
    let is_open = |arguments: &[Argument]| arguments.iter().any(|argument| has_star(host, argument));
    let (mut lacking, mut giving, mut others) = (Vec::new(), None, Vec::new());
    for (number, source) in host.sources.all().iter().enumerate() {
        let id = SourceId(to_u32(number));
        let may = source.text.as_str().is_some_and(|text| text.contains(&format!("{callee}(")));
        if !may || !host.may_advise(source.text.as_bytes().len()) {
            continue;
        }
        let Some(code) = FileCode::read(source, id) else { continue };
        for (span, arguments) in code.calls_of(&callee) {
            let is_here = id == call.source;
            let value = argument(host, &arguments, name, at);
            let is_other = is_here && place(host, span) != own && arguments.len() == given.len();
            if is_other && value.is_none() && !is_open(&arguments) {
                lacking.push(span);
            } else if let Some(value) = value
                && others.len() < GIVING
                && (is_here || its.is_some() && home(id) == its)
            {
                giving = giving.or(Some((span, value)));
                others.push(value);
            }
        }
    }
    let count = lacking.len().saturating_add(1);
    let mut told = problem.clone();
    for span in lacking.iter().take(SHOWN) {
        told = told.label(*span, format!("`{name}` is missing here, too"));
    }
    if let Some((span, _)) = giving {
        told = told.label(span, format!("here `{name}` is given"));
    }
    if let (Some((_, other)), true) = (giving, lacking.is_empty())
        && let Some(unread) = Unread::beside(host, data, other)
    {
        *problem = unread.told(host, told, (call, &given), name);
        return;
    }
    let mut supplied = lacking.is_empty().then(|| supplied::beside(host, call, &callee, name)).flatten();
    let mut choices = Vec::new();
    if supplied.is_none() && lacking.is_empty() {
        match offered(host, data, (call, &given), &others) {
            Some(Offered::One(one)) => supplied = Some(one),
            Some(Offered::Several(all)) => choices = all,
            None => {}
        }
    }
    if !lacking.is_empty() || giving.is_some() || at.is_some() {
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
        let mut text = format!("give `{name}` in {calls} ({})", suggest::all_of(&lines));
        if !choices.is_empty() {
            let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
            text.push_str(&format!(", such as {}", suggest::either(&choices)));
        }
        let edit = supplied.as_ref().and_then(|one| {
            let (span, new) = written_as(host, (call, &given), (name, at), &one.code)?;
            match one.code.starts_with("data.values.") {
                true => with_load(&host.sources.get(call.source), ("@ytt:data", "data"), span, new),
                false => Some((span, new)),
            }
        });
        told = match (supplied, edit) {
            (Some(one), Some((span, new))) => {
                let is_shown = told.parts().labels.iter().any(|label| label.span == one.place);
                let told = if is_shown { told } else { told.label(one.place, one.label) };
                told.help_edit(format!("{text}; only a guess: {}", one.why), span, new).guessing()
            }
            _ => told.help(text),
        };
        if lacking.is_empty() {
            told = told.help(format!("or give the parameter a default where the function is defined: `{name}=…`"));
        }
    }
    *problem = told;
}

/// The edit that gives a call this argument.
fn written_as(
    host: &Host<'_>,
    (call, given): (Span, &[Argument]),
    (name, at): (&str, Option<usize>),
    value: &str,
) -> Option<(Span, String)> {
    let whole = code_of(&host.sources, call);
    let end = call.end.checked_sub(1).filter(|_| whole.ends_with(')'))?;
    let last = given.last()?;
    // A `**` stands behind all others, and what a `*` stands for nobody sees.
    if given.iter().any(|argument| has_star(host, argument)) {
        let is_last = code_of(&host.sources, last.value).starts_with("**");
        let is_only = given.iter().filter(|argument| has_star(host, argument)).count() == 1;
        let start = Span { end: last.value.start, ..last.value };
        return (is_last && is_only).then(|| (start, format!("{name}={value}, ")));
    }
    // The others stand in front of it, in the order of the parameters.
    let is_plain = at == Some(given.len()) && given.iter().all(|argument| argument.name.is_none());
    let behind = code_of(&host.sources, Span { start: last.value.end, end, ..call });
    let argument = if is_plain { value.to_owned() } else { format!("{name}={value}") };
    behind.is_empty().then(|| (Span { start: end, end, ..call }, format!(", {argument}")))
}

/// Where a call begins: the place of a problem may end elsewhere than the call.
fn place(host: &Host<'_>, call: Span) -> (u32, u32) {
    (host.sources.get(call.source).line(call.start), call.start)
}

/// The number of the parameter of this name.
pub(super) fn parameter(host: &Host<'_>, file: SourceId, callee: &str, name: &str) -> Option<usize> {
    parameters(host, file, callee)?.iter().position(|parameter| parameter == name)
}

/// The names of the parameters of a function that code of a file calls.
pub(super) fn parameters(host: &Host<'_>, file: SourceId, callee: &str) -> Option<Vec<String>> {
    let (home, own) = outline::home(&host.sources, file, callee)?;
    let function = FileCode::read(&host.sources.get(home), home)?.function_of(&own, false)?;
    Some(function.parameters.into_iter().map(|parameter| parameter.name).collect())
}

/// Does an argument stand for any number of them?
fn has_star(host: &Host<'_>, argument: &Argument) -> bool {
    argument.name.is_none() && code_of(&host.sources, argument.value).starts_with('*')
}

/// The argument of this name, or the one in the place of its parameter.
pub(super) fn argument(host: &Host<'_>, arguments: &[Argument], name: &str, at: Option<usize>) -> Option<Span> {
    let is_named = |argument: &&Argument| argument.name.is_some_and(|own| code_of(&host.sources, own) == name);
    let positional = arguments.iter().take_while(|one| one.name.is_none() && !has_star(host, one));
    let found = arguments.iter().find(is_named).or_else(|| positional.into_iter().nth(at?));
    found.map(|found| found.value)
}

/// A data value that no code names, beside one of a like name that another call is given.
struct Unread {
    code: String,
    place: Span,
}

impl Unread {
    fn beside(host: &Host<'_>, data: Val, other: Span) -> Option<Unread> {
        let names = data_path(&host.sources.get(other.source), &code_of(&host.sources, other))?;
        let (last, around) = names.split_last()?;
        let arena = host.arena.borrow();
        let inner = |map, key: &String| arena.map_of(arena.value(arena.find_str(map, key)?));
        let map = around.iter().try_fold(arena.map_of(data)?, inner)?;
        let kind = kind_name(&arena, arena.value(arena.find_str(map, last)?));
        // What differs in front is what it is for: `boiler_limit`, `pump_limit`.
        let (_, end) = last.rsplit_once('_')?;
        let is_like = |key: &str| key != last && key.rsplit_once('_').is_some_and(|(_, own)| own == end);
        let all = arena.items(map).iter().take(KEYS).filter_map(|item| {
            let key = arena.str(arena.key(*item))?;
            let is_it = is_like(key) && kind_name(&arena, arena.value(*item)) == kind && !is_named(host, key);
            is_it.then(|| Some((key, arena.place_of(*item)?.key())))?
        });
        let (key, place) = only(all)?;
        let code = format!("data.values.{}", [around, &[key.to_owned()]].concat().join("."));
        Some(Unread { code, place })
    }

    /// The problem, with this value for the argument that is missing.
    fn told(self, host: &Host<'_>, told: Diagnostic, (call, given): (Span, &[Argument]), name: &str) -> Diagnostic {
        let told = told.label(self.place, "no code names this data value");
        let source = host.sources.get(call.source);
        let is_there = outline::brought(&source, call.source, "data").is_some_and(|(path, _)| path.name == "@ytt:data");
        let whole = code_of(&host.sources, call);
        let is_open = given.iter().any(|argument| has_star(host, argument));
        let end = call.end.checked_sub(1).filter(|_| is_there && !is_open && whole.ends_with(')'));
        let is_plain = given.iter().all(|argument| argument.name.is_none());
        let argument = if is_plain { self.code.clone() } else { format!("{name}={}", self.code) };
        let text = format!("give `{name}` in this call: `{}`", self.code);
        match (end, given.last()) {
            (Some(end), Some(last))
                if code_of(&host.sources, Span { start: last.value.end, end, ..call }).is_empty() =>
            {
                told.help_edit(text, Span { start: end, end, ..call }, format!(", {argument}")).guessing()
            }
            _ => told.help(text),
        }
    }
}

/// Does code of any file name a key?
fn is_named(host: &Host<'_>, key: &str) -> bool {
    let text = format!("\"{key}\"");
    host.sources.all().iter().any(|source| {
        // Of more than can be looked through nothing is said.
        if !host.may_advise(source.text.as_bytes().len()) {
            return true;
        }
        let code = source.text.as_str().unwrap_or_default();
        code.contains(&text) || word::whole(code, key).any(|at| code.get(..at).is_some_and(|code| code.ends_with('.')))
    })
}
