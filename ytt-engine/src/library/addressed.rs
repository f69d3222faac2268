//! Documents and flags that a run has for the libraries it evaluates, and which of them were used.
//!
//! They belong to the run, not to an instance: two instances of one library get the same ones, and what none of them
//! took is an error at the end of the templates (`docs/libraries.md#addressed-values`).

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::route::Route;
use super::schemas::GivenSchema;
use super::values::{GivenContent, GivenValue};
use crate::diag::{Code, Diagnostic, suggest};
use crate::files::is_in_library;
use crate::nearest::{folded, only};
use crate::quoted;
use crate::source::{Origin, SourceId, SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::written::Argument;
use crate::template::{word, written};
use crate::yaml::words::place_text;
use crate::yaml::{Arena, NodeId, PosId};

/// Instances of a library that are shown.
const SHOWN: usize = 4;
/// Calls that are compared with each other.
const CALLS: usize = 100;

/// What a run hands to libraries, in the order in which it counts.
#[derive(Debug, Default)]
pub(crate) struct Addressed {
    values: Vec<(GivenValue, AtomicBool)>,
    schemas: Vec<(GivenSchema, AtomicBool)>,
    /// The libraries that were evaluated, with their aliases.
    evaluated: Mutex<BTreeSet<(String, Option<String>)>>,
}

/// What is given to one library: for itself where the route ends, for the libraries that it evaluates otherwise.
#[derive(Debug, Default)]
pub(crate) struct Given {
    pub(crate) values: Vec<GivenValue>,
    pub(crate) schemas: Vec<GivenSchema>,
}

impl Addressed {
    pub(crate) fn new(given: Given) -> Addressed {
        Addressed {
            values: given.values.into_iter().map(|value| (value, AtomicBool::new(false))).collect(),
            schemas: given.schemas.into_iter().map(|schema| (schema, AtomicBool::new(false))).collect(),
            evaluated: Mutex::default(),
        }
    }

    /// What is for the library that was got by this name and alias; it counts as used from now on.
    pub(crate) fn hand_to(&self, name: &str, alias: Option<&str>) -> Given {
        fn all<T>(documents: &[(T, AtomicBool)], follow: impl Fn(&T) -> Option<T>) -> Vec<T> {
            let followed = documents.iter().filter_map(|(document, used)| {
                // Whoever evaluates the library again gets the same documents again, so they are not taken out.
                let followed = follow(document)?;
                used.store(true, Ordering::Relaxed);
                Some(followed)
            });
            followed.collect()
        }
        let known = (name.to_owned(), alias.map(str::to_owned));
        self.evaluated.lock().unwrap_or_else(PoisonError::into_inner).insert(known);
        Given {
            values: all(&self.values, |value| {
                Some(GivenValue { route: value.route.follow(name, alias)?, ..value.clone() })
            }),
            schemas: all(&self.schemas, |schema| {
                Some(GivenSchema { route: schema.route.follow(name, alias)?, ..*schema })
            }),
        }
    }

    /// `is_there` tells whether there is a library of that name at the root of the run.
    ///
    /// # Errors
    ///
    /// No library took one of the documents.
    pub(crate) fn check_used(
        &self,
        arena: &Arena,
        sources: &SourceMap,
        is_there: impl Fn(&str) -> bool,
    ) -> Result<(), Diagnostic> {
        fn unused<T>(documents: &[(T, AtomicBool)]) -> impl Iterator<Item = &T> {
            documents.iter().filter(|(_, used)| !used.load(Ordering::Relaxed)).map(|(document, _)| document)
        }
        let values = unused(&self.values).map(|value| match value.content {
            GivenContent::Overlay(document) => ("Data Value", Some(document), value.pos, &value.route),
            _ => ("Data Value", None, value.pos, &value.route),
        });
        let pos = |document| arena.get(document).pos;
        let schemas =
            unused(&self.schemas).map(|schema| ("Schema", Some(schema.document), pos(schema.document), &schema.route));
        let unused: Vec<_> = values.chain(schemas).collect();
        let kinds = match (unused.first(), unused.last()) {
            (None, _) | (_, None) => return Ok(()),
            (Some(("Schema", ..)), _) => "schema",
            (_, Some(("Data Value", ..))) => "data values",
            _ => "data values, and schema",
        };
        let texts = unused.iter().map(|(what, _, pos, route)| {
            let place = place_text(arena, sources, *pos);
            format!("{what} belonging to library '{}' on line {place}", route.text())
        });
        let message = format!(
            "Expected all provided library {kinds} documents to be used but found unused: {}",
            texts.collect::<Vec<_>>().join(", ")
        );
        let mut problem = Diagnostic::error(Code::VALUES_LIBRARY, message);
        let mut is_meant = false;
        // To an instance of a library, by its alias.
        let routes = self.values.iter().map(|(value, used)| (&value.route, used));
        let routes: Vec<_> = routes.chain(self.schemas.iter().map(|(schema, used)| (&schema.route, used))).collect();
        let is_given = |name: &str, alias: &str| {
            let is_used = |used: &AtomicBool| used.load(Ordering::Relaxed);
            routes.iter().any(|(route, used)| {
                is_used(used)
                    && route.next().is_some_and(|next| next.alias.is_some() && next.matches(name, Some(alias)))
            })
        };
        let evaluated = self.evaluated.lock().unwrap_or_else(PoisonError::into_inner);
        let without_alias: BTreeSet<&str> =
            unused.iter().filter_map(|(.., route)| without_alias(&route.text(), &evaluated)).collect();
        for (_, document, pos, route) in unused {
            let span = document.and_then(|document| reference(arena, sources, document, route));
            let Some(span) = span.or_else(|| given_reference(arena, sources, pos, route)) else { continue };
            problem = problem.label(span, "no evaluated library has this name");
            let known = problem.parts().helps.len();
            problem = meant(problem, sources, span, route, &evaluated, &is_there, &is_given);
            is_meant |= problem.parts().helps.len() > known;
        }
        for name in without_alias {
            let new = format!("library.get({}, alias=…)", quoted::go(name.as_bytes()));
            problem = problem.help(format!("`{name}` is evaluated without an alias: is `{new}` meant to have one?"));
            is_meant = true;
        }
        if let [(name, None)] = evaluated.iter().collect::<Vec<_>>()[..] {
            problem = problem.label_at(evaluation(sources, name), "the only library that is evaluated");
        }
        let known: Vec<String> = evaluated.iter().map(|(name, alias)| reference_text(name, alias.as_deref())).collect();
        let problem = match (suggest::listed(known.iter().map(String::as_str)), known.is_empty()) {
            (_, true) => problem.note("no library is evaluated"),
            (Some(known), _) => problem.note(format!("libraries that are evaluated: {known}")),
            (None, _) => problem,
        };
        // Without it the library would be rendered with other values.
        Err(problem.help(match is_meant {
            true => "name a library that a template evaluates with library.get(…).eval()",
            false => {
                "name a library that a template evaluates with library.get(…).eval(), or remove what is given for this one"
            }
        }))
    }
}

/// The library of a reference by an alias, if it is evaluated without one only.
fn without_alias<'e>(reference: &str, evaluated: &'e BTreeSet<(String, Option<String>)>) -> Option<&'e str> {
    let (name, alias) = reference.strip_prefix('@')?.split_once('~')?;
    let mut known = evaluated.iter().filter(|(known, _)| known == name);
    match (known.next(), known.next()) {
        (Some((name, None)), None) if !alias.contains('@') => Some(name),
        _ => None,
    }
}

/// Where code takes a library by its name.
fn evaluation(sources: &SourceMap, name: &str) -> Option<Span> {
    let call = format!("library.get({})", quoted::go(name.as_bytes()));
    let start = call.strip_suffix(')').unwrap_or(&call);
    only(sources.all().into_iter().enumerate().filter_map(|(number, source)| {
        let at = to_u32(source.text.as_str()?.find(start)?);
        let length = if source.text.as_str()?.contains(&call) { call.len() } else { start.len() };
        Some(Span::new(SourceId(to_u32(number)), at, at.saturating_add(to_u32(length))))
    }))
}

/// The same where the alias is written behind the name; else the one place of the name.
fn evaluation_as(sources: &SourceMap, name: &str, alias: Option<&str>) -> Option<Span> {
    let Some(alias) = alias else { return evaluation(sources, name) };
    let [name_is, alias_is] = [name, alias].map(|text| quoted::go(text.as_bytes()));
    let call = format!("library.get({name_is}, alias={alias_is})");
    let found = sources.all().into_iter().enumerate().filter_map(|(number, source)| {
        let at = to_u32(source.text.as_str()?.find(&call)?);
        Some(Span::new(SourceId(to_u32(number)), at, at.saturating_add(to_u32(call.len()))))
    });
    only(found).or_else(|| evaluation(sources, name))
}

/// Is a text longer than another one by words of its own: `us-east-1` than `us`?
fn begins_with(text: &str, start: &str) -> bool {
    text.strip_prefix(start).is_some_and(|rest| rest.starts_with(['-', '_', '.']))
}

/// Where code gives a library an alias, if one place does.
fn alias_in_code(sources: &SourceMap, name: &str, alias: &str) -> Option<Span> {
    let [name, alias] = [name, alias].map(|text| quoted::go(text.as_bytes()));
    let all = sources.all().into_iter().enumerate();
    let with_alias = all.filter(|(_, source)| source.text.as_str().is_some_and(|text| text.contains(&alias)));
    let found = with_alias.flat_map(|(number, source)| {
        let calls = FileCode::read(&source, SourceId(to_u32(number))).map(|code| code.calls_of("library.get"));
        let is_it = |(_, given): &(Span, Vec<Argument>)| {
            let [first, second] = given[..] else { return None };
            let is_alias = second.name.and_then(|name| source.written(name)) == Some("alias");
            let is_named = source.written(first.value) == Some(&*name) && source.written(second.value) == Some(&*alias);
            (is_alias && is_named).then(|| second.whole())
        };
        calls.iter().flatten().filter_map(is_it).collect::<Vec<_>>()
    });
    only(found)
}

/// A call that gives a library its alias.
struct Named {
    name: String,
    alias: String,
    /// The text that is the alias.
    literal: Span,
    argument: Span,
    /// The code of the line, but for the alias.
    before: String,
    behind: String,
}

/// The calls of files that give a library an alias as a text.
fn named_in_code(sources: &SourceMap) -> Vec<Named> {
    let all = sources.all().into_iter().enumerate();
    let with_alias = all.filter(|(_, source)| source.text.as_str().is_some_and(|text| text.contains("alias")));
    let found = with_alias.flat_map(|(number, source)| {
        let code = FileCode::read(&source, SourceId(to_u32(number)));
        let calls = code.map(|code| code.calls_of("library.get")).unwrap_or_default();
        let text = |span: Span| source.written(span)?.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
        let named = |given: &[Argument]| {
            let alias = given.iter().find(|one| one.name.and_then(|name| source.written(name)) == Some("alias"))?;
            let (literal, argument) = (alias.value, alias.whole());
            let line = source.line_range(source.line(literal.start));
            let before = source.written(Span { start: line.start, end: literal.start, ..literal })?.to_owned();
            let behind = source.written(Span { start: literal.end, end: line.end, ..literal })?.to_owned();
            Some(Named { name: text(given.first()?.value)?, alias: text(literal)?, literal, argument, before, behind })
        };
        calls.iter().filter_map(|(_, given)| named(given)).collect::<Vec<_>>()
    });
    found.collect()
}

/// Shows where libraries get the aliases that they are evaluated with. Of two that are called alike one was probably meant to
/// have the alias that nobody has: the one that is set to a variable of this name, or has it among what it is given.
fn called_alike(
    problem: Diagnostic,
    sources: &SourceMap,
    (path, alias): (&str, &str),
    evaluated: &BTreeSet<(String, Option<String>)>,
) -> Diagnostic {
    let mut calls = named_in_code(sources);
    // If a call gives this alias, nothing evaluates what it gives, or only under a condition.
    let is_of_project = |call: &&Named| !is_in_library(&sources.get(call.argument.source).name);
    let mut own = calls.iter().filter(is_of_project);
    let idle = own.find(|call| call.alias == alias && (path.is_empty() || path == call.name));
    if let Some(call) = idle {
        let text = format!("here `{}` has the alias `{alias}`, but nothing evaluates it", call.name);
        return problem.label(call.argument, text);
    }
    calls.retain(|call| {
        let is_evaluated = |(name, alias): &(String, Option<String>)| {
            *name == call.name && alias.as_ref() == Some(&call.alias) && (path.is_empty() || path == name)
        };
        evaluated.iter().any(is_evaluated)
    });
    calls.truncate(CALLS);
    let is_known = |place: Span| problem.parts().labels.iter().any(|label| label.span == place);
    let told = calls.iter().filter(|call| !is_known(call.argument)).take(SHOWN).fold(problem.clone(), |told, call| {
        told.label(call.argument, format!("here `{}` has the alias `{}`", call.name, call.alias))
    });
    let is_twice = |call: &&Named| {
        calls.iter().filter(|other| (&other.name, &other.alias) == (&call.name, &call.alias)).count() > 1
    };
    let wanted = folded(alias);
    let of_its_name = |call: &Named| {
        let before = call.before.trim_start().trim_start_matches("#@").trim_start();
        before.split_once('=').is_some_and(|(name, _)| folded(name.trim()) == wanted)
    };
    let is_given = |call: &Named| {
        let methods = ["with_data_values_schema(", "with_data_values(", "data_values(", "eval(", "export("];
        let given = methods.iter().fold(call.behind.clone(), |behind, method| behind.replace(method, "("));
        folded(&given).contains(&wanted)
    };
    let twice: Vec<&Named> = calls.iter().filter(is_twice).collect();
    let only_of = |is: &dyn Fn(&Named) -> bool| only(twice.iter().copied().filter(|call| is(call)));
    let sure = only_of(&of_its_name).or_else(|| only_of(&is_given));
    // Else the one that was copied.
    let second = || if let [_, second] = twice[..] { Some(second) } else { None };
    let Some(meant) = sure.or_else(second) else { return told };
    let text = format!("two libraries have the alias `{}`: is this one `{alias}`?", meant.alias);
    let told = told.help_edit(text, meant.literal, quoted::go(alias.as_bytes())).if_it_mends();
    if sure.is_some() { told } else { told.guessing() }
}

/// Where data values have the text that is an alias, if one place does.
fn alias_in_values(sources: &SourceMap, alias: &str) -> Option<Span> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '~');
    let literal = format!("alias={}", quoted::go(alias.as_bytes()));
    if sources.all().iter().any(|source| source.text.as_str().is_some_and(|text| text.contains(&literal))) {
        return None;
    }
    let found = sources.all().into_iter().enumerate().flat_map(|(number, source)| {
        let text = source.text.as_str().filter(|text| text.contains("#@data/values")).unwrap_or_default();
        let is_value = |at: &usize| {
            let [before, behind] =
                [text.get(..*at), text.get(at.saturating_add(alias.len())..)].map(Option::unwrap_or_default);
            let line = before.rsplit('\n').next().unwrap_or_default();
            !behind.starts_with(':') && !line.contains('#')
        };
        let places: Vec<usize> = word::apart(text, alias, is_part).filter(is_value).take(2).collect();
        places.into_iter().map(move |at| (number, at))
    });
    let (number, at) = only(found)?;
    let start = to_u32(at);
    Some(Span::new(SourceId(to_u32(number)), start, start.saturating_add(to_u32(alias.len()))))
}

fn reference_text(name: &str, alias: Option<&str>) -> String {
    match alias {
        Some(alias) => format!("@{name}~{alias}"),
        None => format!("@{name}"),
    }
}

/// Where the annotation of a document names its library.
fn reference(arena: &Arena, sources: &SourceMap, document: NodeId, route: &Route) -> Option<Span> {
    let place = arena.place(arena.ann(document, "library/ref")?.pos)?;
    written::find(sources, place.value(), &route.text())
}

/// Where a flag or a call names its library; all of it if it does so elsewhere.
fn given_reference(arena: &Arena, sources: &SourceMap, pos: PosId, route: &Route) -> Option<Span> {
    let whole = arena.place(pos)?.whole();
    let source = sources.get(whole.source);
    if source.origin != Origin::Flag {
        return Some(whole);
    }
    // A library that was found has taken its part of the reference.
    let reference = source.written(whole).and_then(|text| text.split_once(':')).map_or("", |(reference, _)| reference);
    let Some(above) = reference.strip_suffix(&*route.text()) else { return Some(whole) };
    let start = whole.start.saturating_add(to_u32(above.len()));
    Some(Span { start, end: start.saturating_add(to_u32(route.text().len())), ..whole })
}

/// Which library was probably meant: one with a similar name that is evaluated, or one that is there and is not.
fn meant(
    problem: Diagnostic,
    sources: &SourceMap,
    span: Span,
    route: &Route,
    evaluated: &BTreeSet<(String, Option<String>)>,
    is_there: &impl Fn(&str) -> bool,
    is_given: &impl Fn(&str, &str) -> bool,
) -> Diagnostic {
    let Some(next) = route.next() else { return problem };
    let whole = route.text();
    if let Some((name, alias)) = whole.strip_prefix('@').and_then(|whole| whole.split_once('~'))
        && !alias.contains('@')
        && evaluated.iter().any(|(known, _)| known == name)
    {
        let aliases: Vec<&str> =
            evaluated.iter().filter(|(known, _)| known == name).filter_map(|(_, alias)| alias.as_deref()).collect();
        let similar = suggest::similar(alias, aliases.iter().copied());
        let longer =
            || only(aliases.iter().copied().filter(|known| begins_with(alias, known) || begins_with(known, alias)));
        let left = || only(aliases.iter().copied().filter(|known| !is_given(name, known)));
        let (near, why) = match similar.or_else(longer) {
            Some(near) => (Some(near), ""),
            None => (left(), " Nothing else is given to that one"),
        };
        let shown = aliases.iter().filter(|known| near.is_none_or(|near| near == **known));
        // Each is looked for in all files.
        let more = SHOWN.saturating_mul(2).saturating_sub(problem.parts().labels.len());
        let problem =
            shown.take(SHOWN.min(more)).fold(problem, |told, known| match alias_in_code(sources, name, known) {
                Some(place) => told.label(place, format!("here `{name}` has the alias `{known}`")),
                None => told,
            });
        let set = near.and_then(|near| Some((near, alias_in_values(sources, near)?)));
        let problem = match set {
            Some((near, place)) => problem.label(place, format!("`{near}` stands here")),
            None => problem,
        };
        let told = match near {
            Some(near) if sources.get(span.source).written(span) == Some(&*whole) => {
                let start = span.end.saturating_sub(to_u32(alias.len()));
                problem.help_edit(format!("did you mean `@{name}~{near}`?{why}"), Span { start, ..span }, near)
            }
            Some(near) => problem.help(format!("did you mean `@{name}~{near}`?{why}")),
            None => return called_alike(problem, sources, (name, alias), evaluated),
        };
        return if similar.is_some() { told } else { told.guessing().if_it_mends() };
    }
    // Any library with this alias.
    if let (Some(alias), true) = (next.alias.as_deref(), next.path.is_empty()) {
        let near = suggest::similar(alias, evaluated.iter().filter_map(|(_, alias)| alias.as_deref()));
        let told = called_alike(problem.clone(), sources, ("", alias), evaluated);
        let Some(near) = near else { return told };
        // What is spelt nearly so is the reason.
        let mut told = told;
        told.parts_mut().helps.clone_from(&problem.parts().helps);
        let text = format!("did you mean `@~{near}`?");
        let is_alone = sources.get(span.source).written(span) == Some(&*whole) && !alias.contains('@');
        let start = span.end.saturating_sub(to_u32(alias.len()));
        return match is_alone && whole.matches('@').count() == 1 {
            true => told.help_edit(text, Span { start, ..span }, near),
            false => told.help(text),
        };
    }
    // A library in a library has a sign of its own.
    if let Some((outer, _)) = next.path.split_once('/')
        && evaluated.iter().any(|(name, _)| name == outer)
        && sources.get(span.source).written(span) == Some(&*whole)
    {
        let new = whole.replace('/', "@");
        let text = format!("a library in a library is named behind an `@`: did you mean `{new}`?");
        return problem.help_edit(text, span, new).if_it_mends();
    }
    // An alias, or the variable that holds the library, is easily taken for its name.
    let mut called = evaluated.iter().filter(|(_, alias)| alias.as_deref() == Some(&*next.path));
    if let (Some((name, alias)), None) = (called.next(), called.next()) {
        let new = reference_text(name, alias.as_deref());
        let text = format!("`{}` is an alias: did you mean `{new}`?", next.path);
        let place = evaluation_as(sources, name, alias.as_deref());
        let problem = problem.label_at(place, format!("the library with the alias `{}`", next.path));
        return match sources.get(span.source).written(span) == Some(&*whole) {
            true => problem.help_edit(text, span, new),
            false => problem.help(text),
        };
    }
    let aliases = evaluated.iter().filter_map(|(_, alias)| alias.as_deref());
    let near_alias = suggest::similar(&next.path, aliases)
        .filter(|near| evaluated.iter().filter(|(_, alias)| alias.as_deref() == Some(*near)).count() == 1);
    if let Some(near) = near_alias
        && let Some((name, alias)) = evaluated.iter().find(|(_, alias)| alias.as_deref() == Some(near))
    {
        let new = reference_text(name, alias.as_deref());
        let text = format!("`{near}` is an alias: did you mean `{new}`?");
        let place = evaluation_as(sources, name, alias.as_deref());
        let problem = problem.label_at(place, format!("the library with the alias `{near}`"));
        return match sources.get(span.source).written(span) == Some(&*whole) {
            true => problem.help_edit(text, span, new),
            false => problem.help(text),
        };
    }
    let Some(near) = suggest::similar(&next.path, evaluated.iter().map(|(name, _)| name.as_str())) else {
        let name = &next.path;
        if is_there(name) && !evaluated.iter().any(|(known, _)| known == name) {
            let text = format!("the library `{name}` is there: evaluate it, library.get(\"{name}\").eval()");
            return problem.help(text);
        }
        let mut names = evaluated.iter();
        let is_like = |name: &str| name.starts_with(&next.path) || next.path.starts_with(name);
        let only = names.next().filter(|(_, alias)| alias.is_none());
        let only = only.filter(|_| names.next().is_none());
        return match only.filter(|_| sources.get(span.source).written(span) == Some(&*whole)) {
            Some((name, _)) => {
                let text = format!("did you mean `@{name}`? No other library is evaluated");
                let told = problem.help_edit(text, span, reference_text(name, None)).guessing();
                // What is given has to fit, where the names are nothing alike.
                if is_like(name) { told } else { told.if_it_mends() }
            }
            None => problem,
        };
    };
    let text = format!("did you mean `@{near}`?");
    let source = sources.get(span.source);
    // With a single piece it is clear which part of the reference it is.
    let start = span.start.saturating_add(1);
    let end = start.saturating_add(to_u32(next.path.len()));
    match source.written(span) == Some(&*route.text()) && route.text().matches('@').count() == 1 {
        true => problem.help_edit(text, Span { start, end, ..span }, near),
        false => problem.help(text),
    }
}
