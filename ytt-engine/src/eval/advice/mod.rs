//! What people are told of an error of code beside its text: the part of the code that is wrong, what there is instead,
//! and the edit to make. Nothing here is needed to run code.

mod absent;
mod apart;
mod appended;
mod arguments;
mod asked;
mod assertions;
mod begins;
mod bindings;
mod blocks;
pub(super) mod calls;
mod changed;
mod chosen;
mod computed;
mod copied;
mod counted;
pub(super) mod cycle;
mod dashed;
mod decoded;
mod defaults;
mod dicts;
mod directives;
mod early;
mod endings;
mod entries;
mod exports;
mod fields;
mod filters;
pub(super) mod floats;
mod fragments;
mod frozen;
mod functions;
pub(super) mod groups;
mod guards;
mod handed;
mod helpers;
mod indexes;
mod inside;
mod items;
mod iterated;
mod joined;
mod keyed;
mod keywords;
mod lacked;
mod lacking;
mod library;
mod listed;
mod matchers;
mod members;
mod misordered;
mod names;
pub(super) mod nested;
mod nodes;
mod offered;
pub(super) mod operands;
mod origin;
mod passed;
mod paths;
mod permitted;
mod pieces;
mod queries;
mod redefined;
mod removed;
mod replaced;
mod returned;
mod scoped;
mod shells;
mod spread;
pub(super) mod structs;
mod subscripts;
mod supplied;
mod tables;
mod texts;
mod tried;
mod unset;
mod whence;
mod whole;
mod widths;

pub(in crate::eval) use directives::VERBS;
pub(super) use members::{attribute, of_method};
use starlark::values::Value;

use super::host::Host;
use super::scope::SourceUnit;
use crate::diag::{Code, Diagnostic, Diagnostics, Fact, Word, WordKind, suggest};
use crate::quoted;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::snippet::Snippet;
use crate::template::{Binding, Program, code, outline, unmangle, written};
use crate::yaml::{NodeId, Val};
use calls::article;

/// Problems of one file for which data values and other files are looked through.
const ADVISED: usize = 20;

/// Narrows the primary place to the part of the code that is wrong, if it stands there once, and makes the help for it an
/// edit.
pub(super) fn narrow(sources: &SourceMap, diagnostic: &mut Diagnostic) {
    let parts = diagnostic.parts_mut();
    let Some(label) = parts.labels.first_mut() else { return };
    let Some(word) = parts.word.take() else { return };
    let Some(found) = written::word(sources, label.span, &word.text, word.kind) else { return };
    label.span = found;
    if label.text.is_empty() {
        label.text = word.label;
    }
    if let Some((help, meant)) = word.meant
        && let Some(help) = parts.helps.get_mut(help)
    {
        help.edit = Some((label.span, meant));
    }
}

/// Puts the places of a problem, whose calls are known now, in the order in which they are looked at.
pub(super) fn told(sources: &SourceMap, diagnostic: &mut Diagnostic) {
    calls::recursion(sources, diagnostic);
    calls::spent(sources, diagnostic);
    match diagnostic.parts().fact.clone() {
        Some(Fact::DefinedAt { name, place }) if diagnostic.parts().labels.len() == 1 => {
            *diagnostic = diagnostic.clone().label(place, format!("`{name}` is defined here"));
        }
        Some(Fact::NotInLibrary { symbol, exported }) => exports::told(sources, diagnostic, &symbol, &exported),
        Some(Fact::Exported { symbol, files }) => calls::exported(sources, diagnostic, &symbol, &files),
        Some(Fact::InNoLibrary { name, place, is_plain }) => {
            let what = if is_plain { "no library, and its code is plain text" } else { "no library" };
            let text = format!("`{name}` is defined here; by the name of its file this is {what}");
            *diagnostic = diagnostic.clone().label(place, text);
        }
        Some(Fact::ExportedElsewhere { symbol, path, is_file, files }) => {
            calls::exported_elsewhere(sources, diagnostic, &symbol, (&path, is_file), &files);
        }
        Some(Fact::Assertion { .. } | Fact::Check { .. }) => calls::asserted(sources, diagnostic),
        Some(Fact::NotEqual { .. }) => calls::compared(sources, diagnostic),
        Some(Fact::OverlaidText { wanted, right }) => nodes::overlaid(sources, diagnostic, wanted, right),
        _ => {}
    }
}

/// The items of data values whose values code has that has run.
pub(super) fn data_items(host: &Host<'_>, data: Val, code: Span) -> Vec<NodeId> {
    origin::Origins::returned(host, data).of(code, 0)
}

/// Does any file declare data values?
fn has_schema(host: &Host<'_>) -> bool {
    host.sources.all().iter().any(|source| outline::has_schema(source))
}

/// The argument of a call that has no other one.
fn only_argument(sources: &SourceMap, call: Span) -> Option<written::Argument> {
    let [only] = written::call(sources, call)?[..] else { return None };
    Some(only)
}

/// A number, a text on one line, or a word that is a value.
fn is_plain_literal(code: &str) -> bool {
    let text = code.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let is_text = text.is_some_and(|text| !text.contains(['"', '\n']));
    let is_number = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    is_text || is_number || matches!(code, "True" | "False" | "None")
}

fn code_of(sources: &SourceMap, span: Span) -> String {
    sources.get(span.source).written(span).unwrap_or_default().to_owned()
}

/// Moves the primary place of a problem.
fn place_at(problem: &mut Diagnostic, span: Span) {
    if let Some(label) = problem.parts_mut().labels.first_mut() {
        label.span = span;
    }
}

/// The value at a place is a function, which was probably meant to be called.
pub(crate) fn call_it(sources: &SourceMap, diagnostic: Diagnostic, of: Span) -> Diagnostic {
    functions::uncalled(sources, diagnostic, of)
}

/// Does the name at a place mean a function of the project in every run?
pub(crate) fn is_function(sources: &SourceMap, of: Span) -> bool {
    functions::is_always(sources, of)
}

/// A function where a value is needed: where it is named, and the call that was probably meant.
pub(super) fn uncalled(value: Value<'_>, diagnostic: Diagnostic) -> Diagnostic {
    let general = "call it: write `()` after its name, with its arguments between them";
    let Some(spec) = value.parameters_spec() else { return diagnostic.help(general) };
    let signature = spec.signature();
    let name = unmangle(signature.rsplit('.').next().unwrap_or_default()).into_owned();
    if name.is_empty() || name == "lambda" {
        return diagnostic.help(general);
    }
    let diagnostic = diagnostic.fact(Fact::Uncalled);
    let alone = spec.can_fill_with_args(0, &[]);
    // `url(user)`: as it is defined.
    let written = spec.parameters_str();
    let is_known = !written.is_empty() && !written.contains(['<', '/']);
    let names: Vec<_> = written.split(", ").map(unmangle).collect();
    let parameters = if is_known { names.join(", ") } else { "…".to_owned() };
    let mut diagnostic = diagnostic.help(match alone {
        true => format!("`{name}` is a function: call it, `{name}()`"),
        false => format!("`{name}` is a function: call it with its arguments, `{name}({parameters})`"),
    });
    let meant = alone.then(|| (diagnostic.parts().helps.len().saturating_sub(1), format!("{name}()")));
    diagnostic.parts_mut().word = Some(Word { text: name, kind: WordKind::Name, meant, label: String::new() });
    diagnostic
}

/// Adds to an error of an index where the list or dict is set, and the key that was probably meant.
pub(super) fn of_index(program: &Program, failure: &starlark::Error, diagnostic: Diagnostic) -> Diagnostic {
    let snippet = failure.span().and_then(|span| Snippet::read(span.source_span()));
    let name = snippet.as_ref().and_then(Snippet::indexed).map(unmangle);
    let binding = name.as_deref().and_then(|name| program.names.binding(name)).filter(|binding| binding.once);
    let fact = diagnostic.parts().fact.clone();
    let set_here = |text: &dyn Fn(&str) -> String| match binding {
        Some(Binding { name, first, .. }) => {
            let place = Span { end: first.start.saturating_add(to_u32(name.len())), ..*first };
            diagnostic.clone().label(place, text(name))
        }
        None => diagnostic.clone(),
    };
    match fact {
        Some(Fact::OutOfRange { length }) => set_here(&|name| match length {
            0 => format!("`{name}` is empty"),
            1 => format!("`{name}` has 1 item: `{name}[0]`"),
            _ => format!("`{name}` has {length} items: the last one is `{name}[{}]`", length.saturating_sub(1)),
        }),
        Some(Fact::NotInDict { key, keys, .. } | Fact::NotInStruct { key, keys }) => {
            let told = set_here(&|name| format!("`{name}` is set here"));
            let Some(wanted) = key else { return told };
            let keys = || keys.iter().map(String::as_str);
            match (&suggest::equally_similar(&wanted, keys())[..], suggest::listed(keys())) {
                ([], Some(keys)) => told.misspelt(wanted, None).note(dicts::keys_there(&keys)),
                (near, _) => told.misspelt_among(WordKind::Text, wanted, near),
            }
        }
        _ => diagnostic,
    }
}

/// Adds to undefined names of files that could not be compiled the data values of these names.
pub(crate) fn name_values(host: &Host<'_>, data: Val, problems: &mut Diagnostics) {
    for problem in problems.0.iter_mut().take(ADVISED) {
        if let Some(told) = known_slip(host, data, problem) {
            *problem = told;
            continue;
        }
        if let Some(Fact::Undefined { name, is_like_others }) = problem.parts().fact.clone() {
            names::value_of_name(host, data, problem, (&name, is_like_others));
        }
    }
    told_once(problems);
}

/// Names that are parts of one mistake at one place are one problem.
fn told_once(problems: &mut Diagnostics) {
    let is_name = |problem: &Diagnostic| matches!(problem.parts().fact, Some(Fact::Undefined { .. }));
    let edit = |problem: &Diagnostic| problem.parts().helps.first().and_then(|help| help.edit.clone());
    problems.0.dedup_by(|next, first| {
        let place = |problem: &Diagnostic| problem.parts().labels.first().map(|label| label.span);
        is_name(next)
            && is_name(first)
            && place(next) == place(first)
            && edit(next).is_some()
            && edit(next) == edit(first)
    });
}

/// Adds to problems of a file what its data values tell: undefined names that are data values, values that are null,
/// and lists that are shorter.
pub(crate) fn with_data(host: &Host<'_>, unit: &SourceUnit, data: Val, mut problems: Diagnostics) -> Diagnostics {
    for problem in problems.0.iter_mut().take(ADVISED) {
        // A file that was evaluated for this one may belong to a library with other values.
        let own = problem.parts().labels.first().is_some_and(|label| label.span.source == unit.source);
        let alone = problem.parts().labels.len() == 1;
        if let Some(told) = known_slip(host, data, problem) {
            *problem = told;
            continue;
        }
        match problem.parts().fact.clone() {
            Some(Fact::Undefined { name, is_like_others }) if own => {
                names::undefined(host, unit, data, problem, (&name, is_like_others));
            }
            Some(Fact::NotExported { name, module: Some(module), .. }) if own && alone => {
                names::member_loaded(host, problem, &name, &module);
            }
            Some(Fact::NotExported { path, name, short, names, .. }) if own && alone => {
                names::not_exported(host, unit, problem, (&path, &name));
                if problem.parts().helps.is_empty() {
                    let short =
                        short.as_deref().or_else(|| suggest::meant(&name, names.iter().map(String::as_str)).only());
                    match short {
                        Some(short) => names::shortened(host, unit, problem, (&path, &name, short)),
                        None => names::others(host, unit, problem, (&path, &name), &names),
                    }
                }
            }
            Some(Fact::Uncalled) if alone => functions::defined_at(&host.sources, problem),
            Some(Fact::NoMember { kind, name, .. }) if alone && members::is_length(&kind, &name) => {
                members::length(host, problem, &name);
            }
            Some(Fact::NoMember { kind, .. }) if alone && kind == "NoneType" => {
                operands::none(host, data, problem);
            }
            Some(Fact::NoMember { kind, name, .. })
                if alone && kind == "struct" && code::CHANGING.contains(&&*name) =>
            {
                structs::set(host, problem, true);
            }
            Some(Fact::NoMember { kind, name, known, .. }) if alone && kind == "struct" => {
                if let Some(told) = library::loaded(host, problem, &name) {
                    *problem = told;
                    continue;
                }
                if let Some(told) = structs::with_default(&host.sources, problem, &name) {
                    *problem = told;
                    continue;
                }
                if let Some(told) = removed::told(host, unit, problem, &name) {
                    *problem = told;
                    continue;
                }
                structs::elsewhere(host, data, problem, &name);
                items::lacking(host, data, problem, &name);
                structs::declared_as(host, data, problem, &name);
                structs::of_data(host, data, problem, &name);
                handed::told(host, data, problem, &name);
                scoped::told(host, data, problem, &name);
                inside::told(host, unit, data, problem, &name);
                members::like(host, problem, &name, &known);
            }
            Some(Fact::NoneArgument) if alone => operands::none(host, data, problem),
            Some(Fact::Operands { left, right, .. }) if alone && [&*left, &*right].contains(&"NoneType") => {
                operands::none(host, data, problem);
            }
            Some(Fact::Operands { operator, left, right })
                if alone && operator == "+" && floats::is_text_with_number(&left, &right) =>
            {
                floats::unquoted(host, data, problem);
            }
            Some(Fact::Operands { operator, left, right })
                if alone && operator == "+" && [&*left, &*right] == ["yamlfragment"; 2] =>
            {
                nodes::added(&host.sources, problem);
                if problem.parts().helps.iter().all(|help| help.edit.is_none()) {
                    listed::both(host, data, problem, [&left, &right]);
                }
            }
            Some(Fact::Operands { operator, left, right })
                if alone
                    && operator == "+"
                    && matches!([&*left, &*right], ["yamlfragment", "list"] | ["list", "yamlfragment"]) =>
            {
                listed::added(host, data, problem, [&left, &right]);
            }
            Some(Fact::Operands { operator, left, right })
                if alone && matches!(&*operator, "+" | "|") && is_collection(&left) && is_collection(&right) =>
            {
                nodes::put_together(&host.sources, problem, [&left, &right]);
            }
            Some(Fact::Operands { operator, left, right })
                if alone && operator == "+" && [&*left, &*right].contains(&"struct") =>
            {
                bindings::tell(host, unit, data, problem);
                structs::taken_for_dict(&host.sources, problem);
            }
            Some(Fact::NotInDict { alike: Some(alike), .. }) => dicts::of_another_type(&host.sources, problem, &alike),
            Some(Fact::NotInDict { key: Some(key), keys, .. }) => dicts::lacks(host, data, problem, &key, &keys),
            Some(Fact::NotIterable { kind } | Fact::NotIndexed { kind }) if alone && kind == "NoneType" => {
                operands::none(host, data, problem);
            }
            Some(Fact::Operands { operator, right, .. })
                if operator == "|" && matches!(&*right, "builtin_function_or_method" | "function") =>
            {
                filters::operator(&host.sources, problem);
            }
            Some(Fact::Operands { operator, right, .. }) if operator == "in" && right == "string" => {
                texts::within(host, data, problem);
            }
            Some(Fact::MissingArgument { name }) => {
                arguments::missing(host, data, problem, &name);
                if problem.parts().helps.is_empty() {
                    lacked::elsewhere(host, data, problem, &name);
                }
            }
            Some(Fact::Argument { wanted, found, number }) if alone => {
                arguments::mistyped(host, data, problem, (wanted, &found), number);
            }
            Some(Fact::UnknownKeyword { keyword, defined, .. }) => {
                keywords::told(host, data, problem, &keyword, defined);
            }
            Some(Fact::KeywordsForMap) if alone => arguments::keywords_for_map(&host.sources, problem),
            Some(Fact::NoSuchArgument { name, known, is_idle }) if alone => {
                arguments::surplus(&host.sources, problem, (&name, is_idle), &known);
            }
            Some(Fact::Width { spec }) if alone => widths::padded(&host.sources, problem, &spec),
            Some(Fact::SeveralDocuments) => nodes::several_documents(&host.sources, problem),
            Some(Fact::ListsOfOverlays { lists }) if alone => spread::told(host, data, problem, &lists),
            Some(Fact::SeveralDicts) if alone => arguments::several_dicts(&host.sources, problem),
            Some(Fact::Joined { number, kind }) if alone => joined::item(host, data, problem, (number, &kind)),
            Some(Fact::NoNumber { text }) if alone => joined::no_number(host, data, problem, &text),
            Some(Fact::PositionalBehindNamed) if alone => arguments::unnamed(host, problem),
            Some(Fact::Unassigned { name }) => functions::hidden(host, data, problem, &name),
            Some(Fact::NotSettable { kind }) if alone && kind == "struct" => structs::set(host, problem, false),
            Some(Fact::Assertion { of }) => assertions::given(host, data, problem, of),
            Some(Fact::Check { allowed, .. }) => assertions::checked(host, data, problem, &allowed),
            Some(Fact::Conversion { at, number, kind, .. }) if alone => {
                texts::conversion(host, data, problem, at, (number, &kind));
            }
            Some(Fact::Unbracketed { places }) if alone => {
                texts::unbracketed(&host.sources, problem, places);
                directives::told(&host.sources, problem, 1);
            }
            Some(Fact::Directive { values }) if alone => directives::told(&host.sources, problem, values),
            Some(Fact::Counted { places, values }) if alone => {
                directives::told(&host.sources, problem, values);
                if problem.parts().helps.is_empty() {
                    counted::told(host, problem, (places, values));
                }
            }
            Some(Fact::Format { short }) if alone => texts::format(host, problem, short),
            Some(Fact::Iterated { kind }) if alone => iterated::told(host, data, problem, &kind),
            Some(Fact::OutOfRange { .. }) if alone => indexes::told(host, data, problem),
            Some(Fact::OutOfRange { .. }) => endings::indexed(host, data, problem),
            Some(Fact::EmptySequence) if alone => indexes::extreme(host, data, problem),
            Some(Fact::DocumentSet { is_document }) if alone => {
                nodes::documents(&host.sources, problem, is_document);
            }
            Some(Fact::FunctionAsKey { name }) if alone => dicts::function_as_key(host, problem, name.as_deref()),
            Some(Fact::MapForItems) if alone => nodes::one_item(&host.sources, problem),
            Some(Fact::Unlisted { keys, are_all }) if alone => {
                queries::unlisted(host, data, problem, (&keys, are_all));
            }
            Some(Fact::NotTried { kind }) if alone => tried::result(&host.sources, problem, &kind),
            Some(Fact::NullForItems { .. }) if alone => functions::replaced(host, problem),
            Some(Fact::LeadingV) if alone => texts::leading_v(&host.sources, problem),
            Some(Fact::NotText { kind }) => {
                nodes::not_text(&host.sources, problem, &kind);
                let place = problem.parts().labels.first().map(|label| label.span);
                if alone
                    && kind == "NoneType"
                    && !place.is_some_and(|place| functions::none_of_call(host, problem, place))
                {
                    unset::told(host, data, problem);
                }
            }
            Some(Fact::NoMember { kind, name, .. }) if kind == "struct" => {
                items::misspelt(host, data, problem, &name);
            }
            Some(Fact::NoMember { kind, name, near, known }) if alone && kind == "module" => {
                bindings::tell(host, unit, data, problem);
                if near.is_none() {
                    members::of_another_module(host, problem, &name);
                    members::like(host, problem, &name, &known);
                }
            }
            Some(Fact::NoMember { kind, name, .. })
                if alone && kind == "yamlfragment" && fragments::told(host, data, problem, &name) => {}
            Some(Fact::NoMember { kind, name, near, .. }) if alone => {
                let of = problem.parts().labels.first().and_then(|label| written::receiver(&host.sources, label.span));
                bindings::tell(host, unit, data, problem);
                if let (Some(of), None) = (of, near) {
                    members::method(host, data, problem, of, (&kind, &name));
                    members::set_at(host, data, problem, of, (&kind, &name));
                }
            }
            Some(
                Fact::Operands { .. }
                | Fact::NotIndexed { .. }
                | Fact::NotIterable { .. }
                | Fact::NotCallable { .. }
                | Fact::NotUnpacked { .. }
                | Fact::Frozen { .. },
            ) if alone => {
                bindings::tell(host, unit, data, problem);
                if let Some(Fact::NotUnpacked { counts: Some(counts) }) = problem.parts().fact {
                    pieces::told(host, data, problem, counts);
                }
            }
            _ if alone && matches!(problem.code(), Code::JSON_SYNTAX | Code::STARLARK_ERROR) => {
                texts::decoded(host, unit, problem);
            }
            _ if problem.code() == Code::TEMPLATE_LOAD => {
                if own {
                    paths::found(&host.sources, unit, problem);
                }
                paths::alike(&host.sources, problem);
                paths::listed(&host.sources, problem);
            }
            _ if own && problem.code() == Code::SCHEMA_UNDECLARED => {
                library::given_more(host, data, problem);
                library::handed_over(host, problem);
            }
            _ if own && problem.code() == Code::SCHEMA_TYPE => {
                library::given_another(host, data, problem);
                computed::told(host, data, problem);
                library::handed_over(host, problem);
            }
            _ if own && problem.code() == Code::VALIDATE_RULE => library::given_wrong(host, data, problem),
            _ if problem.code() == Code::VALIDATE_RULE => library::not_given(host, data, problem),
            _ if alone && problem.code() == Code::MODULE_ARGUMENT => arguments::of_text(host, data, problem),
            _ if own && problem.code() == Code::TEMPLATE_KEY => nodes::helm(&host.sources, problem),
            _ if problem.code() == Code::OVERLAY_FUNCTION => operands::none_of_overlay(host, data, problem),
            _ if problem.code() == Code::TEMPLATE_DUPLICATE_KEY => nodes::twice(host, data, problem),
            _ => {}
        }
        if problem.code() == Code::STARLARK_ERROR {
            misordered::told(&host.sources, problem);
            returned::unencoded(host, problem);
        }
        appended::told(host, data, problem);
        defaults::told(host, data, problem);
        let of_kind = matches!(
            problem.parts().fact,
            Some(
                Fact::Operands { .. }
                    | Fact::NotIndexed { .. }
                    | Fact::NotIterable { .. }
                    | Fact::NotCallable { .. }
                    | Fact::NotUnpacked { .. }
                    | Fact::NotText { .. }
                    | Fact::NotEqual { .. }
            )
        );
        if of_kind {
            whence::told(host, data, problem);
        }
        let is_of_value = matches!(
            problem.parts().fact,
            Some(
                Fact::Argument { .. }
                    | Fact::LibraryAsValue
                    | Fact::NotCallable { .. }
                    | Fact::NotIndexed { .. }
                    | Fact::NotIterable { .. }
                    | Fact::NotText { .. }
                    | Fact::NotUnpacked { .. }
            )
        ) || matches!(&problem.parts().fact, Some(Fact::NoMember { kind, .. }) if is_collection(kind) || kind == "list");
        if is_of_value {
            returned::told(&host.sources, problem);
        }
    }
    told_once(&mut problems);
    problems
}

/// Slips that explain a problem as a whole, however it shows.
fn known_slip(host: &Host<'_>, data: Val, problem: &Diagnostic) -> Option<Diagnostic> {
    match &problem.parts().fact {
        Some(Fact::Undefined { .. }) => dashed::key(host, data, problem),
        Some(Fact::NoMember { kind, name, .. }) if is_collection(kind) => {
            let dashed = if kind == "struct" { dashed::key(host, data, problem) } else { None };
            dashed.or_else(|| subscripts::told(host, data, problem, (kind, name)))
        }
        _ if problem.code() == Code::STARLARK_ERROR => {
            matchers::told(host, problem).or_else(|| apart::told(host, data, problem))
        }
        _ => None,
    }
}

fn is_collection(kind: &str) -> bool {
    matches!(kind, "struct" | "dict" | "yamlfragment")
}

/// The member of a struct, as code takes it.
pub(super) fn member(of: &str, name: &str) -> String {
    let part = |character: char| character.is_alphanumeric() || character == '_';
    let is_name = !name.starts_with(|first: char| first.is_ascii_digit()) && name.chars().all(part);
    if is_name { format!("{of}.{name}") } else { format!("getattr({of}, {})", quoted::go(name.as_bytes())) }
}

/// The data value that code such as `data.values.a.b` leads to, before its last step, with its place and last name.
fn data_value(host: &Host<'_>, data: Val, code: &str) -> Option<(Val, Span, String)> {
    let snippet = Snippet::read(code)?;
    let path = snippet.path()?;
    let names = path.strip_prefix(&["data", "values"][..])?;
    let (mut at, mut found) = (data, None);
    for name in names {
        let arena = host.arena.borrow();
        let Val::Node(map) = at else { return None };
        let item = arena.find_str(map, name)?;
        at = arena.value(item);
        found = Some((at, arena.span_of(item)?, (*name).to_owned()));
    }
    found
}
