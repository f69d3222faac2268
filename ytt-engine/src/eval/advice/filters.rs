//! Filters of other languages, `x | upper`: what does the same here.

use super::code_of;
use crate::diag::{Diagnostic, NoteKind};
use crate::source::{SourceMap, Span};
use crate::template::code::{FileCode, Filter};
use crate::template::loading::with_load;
use crate::template::snippet::Snippet;

/// What a filter is here.
enum Here<'a> {
    /// A method of texts, with its arguments.
    Method(&'a str),
    /// A built-in function.
    Function(&'a str),
    /// A function of a module.
    Of(&'static str, &'static str),
    /// `value or DEFAULT`.
    Or,
    /// `",".join(value)`.
    Join,
    Item(&'a str),
    /// Nothing is needed for it.
    Nothing,
}

fn here<'a>(name: &'a str, arguments: usize, is_indented: bool) -> Option<Here<'a>> {
    Some(match (name, arguments) {
        ("upper" | "lower" | "title" | "capitalize", 0) => Here::Method(name),
        ("trim" | "strip", 0) => Here::Method("strip"),
        ("replace", 2) | ("split", 1) => Here::Method(name),
        ("default" | "d", 1) => Here::Or,
        ("join", 1) => Here::Join,
        ("string" | "toString" | "quote" | "squote", 0) => Here::Function("str"),
        ("length" | "count", 0) => Here::Function("len"),
        ("sort", 0) => Here::Function("sorted"),
        ("int" | "float" | "bool" | "list" | "str" | "len" | "sorted" | "reversed", 0) => Here::Function(name),
        ("reverse", 0) => Here::Function("reversed"),
        ("first", 0) => Here::Item("[0]"),
        ("last", 0) => Here::Item("[-1]"),
        // With an indentation, these are nodes of YAML, which code gives as they are.
        ("toYaml" | "to_yaml" | "to_nice_yaml", _) if is_indented => Here::Nothing,
        ("indent" | "nindent", _) => Here::Nothing,
        ("toYaml" | "to_yaml" | "to_nice_yaml", _) => Here::Of("yaml", "encode"),
        ("fromYaml" | "from_yaml", 0) => Here::Of("yaml", "decode"),
        ("toJson" | "to_json" | "tojson" | "to_nice_json", _) => Here::Of("json", "encode"),
        ("fromJson" | "from_json", 0) => Here::Of("json", "decode"),
        ("b64enc" | "b64encode", 0) => Here::Of("base64", "encode"),
        ("b64dec" | "b64decode", 0) => Here::Of("base64", "decode"),
        ("sha256sum", 0) => Here::Of("sha256", "sum"),
        ("urlencode" | "urlquery", 0) => Here::Of("url", "query_param_value_encode"),
        _ => return None,
    })
}

/// The same of a built-in function, for which the operator is refused.
pub(super) fn operator(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(label) = problem.parts().labels.first() else { return };
    let place = label.span;
    let source = sources.get(place.source);
    let Some(piped) = FileCode::read(&source, place.source).and_then(|code| code.piped_at(place)) else { return };
    let Some(filter) = piped.filters.first() else { return };
    let mut at = problem.clone();
    if let Some(label) = at.parts_mut().labels.first_mut() {
        label.span = filter.name;
    }
    if let Some(told) = told(sources, &at) {
        *problem = told;
    }
}

/// A name behind `|` that is a filter elsewhere. The first one of a chain has the edit for all of it.
pub(super) fn told(sources: &SourceMap, problem: &Diagnostic) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let source = sources.get(place.source);
    let code = FileCode::read(&source, place.source)?;
    let piped = code.piped(place)?;
    let name = |filter: &Filter| code_of(sources, filter.name);
    let is_indented = piped.filters.iter().any(|filter| matches!(&*name(filter), "indent" | "nindent"));
    let is_known = |filter: &Filter| here(&name(filter), filter.arguments.len(), is_indented).is_some();
    piped.filters.iter().find(|filter| filter.name == place).filter(|filter| is_known(filter))?;
    let mut told = problem.clone().relabel("`|` is an operator here: there are no filters");
    told.parts_mut().helps.clear();
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Text);
    let first = piped.filters.first().filter(|filter| filter.name != place);
    if let Some(first) = first.filter(|_| piped.filters.iter().all(is_known)) {
        return Some(told.help(format!("what is to be written for `{}` has this, too", name(first))));
    }
    let mut value = code_of(sources, piped.base);
    let (mut is_simple, mut is_or, mut module) = (piped.is_simple, false, None);
    for filter in &piped.filters {
        let name = name(filter);
        let Some(here) = here(&name, filter.arguments.len(), is_indented) else {
            return Some(told.help("call a function or a method, as in `text.upper()`"));
        };
        let arguments: Vec<String> = filter.arguments.iter().map(|one| code_of(sources, *one)).collect();
        let arguments = arguments.join(", ");
        let held = if is_simple { value.clone() } else { format!("({value})") };
        (is_simple, is_or) = (true, false);
        value = match here {
            Here::Method(method) => format!("{held}.{method}({arguments})"),
            Here::Item(index) => format!("{held}{index}"),
            Here::Function(function) => format!("{function}({value})"),
            Here::Join => format!("{arguments}.join({value})"),
            Here::Nothing => held,
            Here::Or => {
                (is_simple, is_or) = (false, true);
                format!("{held} or {arguments}")
            }
            Here::Of(of, function) => {
                if module.replace(of).is_some_and(|before| before != of) {
                    return Some(told.help("call functions of modules, as in `base64.encode(text)`"));
                }
                format!("{of}.{function}({value})")
            }
        };
    }
    if is_or && !stands_alone(source.text.as_bytes(), piped.whole) {
        value = format!("({value})");
    }
    let help = format!("write `{value}`");
    Some(match module {
        Some(module) => {
            let path = format!("@ytt:{module}");
            match with_load(&source, (&path, module), piped.whole, value) {
                Some((span, new)) => told.help_edit(help, span, new),
                None => told.help(help),
            }
        }
        None => told.help_edit(help, piped.whole, value),
    })
    // In other languages a filter belongs to the last operand alone.
    .map(|told| if piped.is_simple { told } else { told.guessing() })
}

/// A method or another built-in that is called as a function, as in Terraform: `upper(name)`, `join(",", list)`.
pub(super) fn called(sources: &SourceMap, problem: &Diagnostic) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let name = code_of(sources, place);
    let source = sources.get(place.source);
    let code = FileCode::read(&source, place.source)?;
    let (whole, given) = code.calls_of(&name).into_iter().find(|(whole, _)| whole.start == place.start)?;
    if given.iter().any(|one| one.name.is_some()) {
        return None;
    }
    // An operator in an argument binds less than what is written behind it.
    let operand = |code: String| match Snippet::read(&code).is_some_and(|code| code.is_operand()) {
        true => code,
        false => format!("({code})"),
    };
    let given: Vec<String> = given.iter().map(|one| operand(code_of(sources, one.value))).collect();
    let new = match (&*name, &given[..]) {
        ("upper" | "lower" | "title" | "capitalize" | "strip", [of]) => format!("{of}.{name}()"),
        ("trim" | "trimspace", [of]) => format!("{of}.strip()"),
        ("replace", [of, old, new]) => format!("{of}.replace({old}, {new})"),
        ("startswith" | "endswith", [of, part]) => format!("{of}.{name}({part})"),
        ("join", [by, list]) => format!("{by}.join({list})"),
        ("split", [by, of]) if by.starts_with('"') => format!("{of}.split({by})"),
        ("split", [of, by]) => format!("{of}.split({by})"),
        ("length", [of]) => format!("len({of})"),
        ("concat", [one, other]) => format!("{one} + {other}"),
        _ => return None,
    };
    let mut told = problem.clone().relabel("there is no such function");
    told.parts_mut().helps.clear();
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Text);
    Some(told.help_edit(format!("write `{new}`"), whole, new))
}

/// Is it a value as a whole, so that no operator is beside it?
fn stands_alone(text: &[u8], place: Span) -> bool {
    let behind = text.get(place.end as usize..).unwrap_or_default();
    let behind = behind.iter().find(|byte| !matches!(byte, b' ' | b'\r'));
    let before = text.get(..place.start as usize).unwrap_or_default().trim_ascii_end();
    let is_operator = [&b"=="[..], b"!=", b"<=", b">="].iter().any(|sign| before.ends_with(sign));
    let opens = before.last().is_none_or(|byte| b"@=([{,:".contains(byte)) || before.ends_with(b"return");
    opens && !is_operator && behind.is_none_or(|byte| b"\n)]},@-".contains(byte))
}
