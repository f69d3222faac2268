//! Errors of arguments: too few, too many, unknown, twice, of the wrong type.

use std::borrow::Cow;

use super::place::ErrorSite;
use super::values::kind_of;
use super::{Message, matched};
use crate::diag::{Fact, suggest};
use crate::template::snippet::{ArgumentForm, ArgumentRole, Parameter, Snippet};
use crate::template::{mangle, unmangle};

/// The words for an error of this form, if it is one of them.
pub(super) fn words(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    missing(text, place)
        .or_else(|| surplus(text, place))
        .or_else(|| counted(text, place).map(Message::from))
        .or_else(|| unfit(text, place).map(Message::from))
}

/// The function's name as the source has it, without the file that the interpreter puts before it.
fn bare(name: &str) -> Cow<'_, str> {
    unmangle(name.rsplit('.').next().unwrap_or(name))
}

/// What a function of Starlark takes.
#[derive(Default)]
struct Signature {
    /// Parameters that may be given by position, with a mark of those that have a default.
    positional: Vec<(String, bool)>,
    /// Those that must be given by name.
    named: Vec<(String, bool)>,
    /// `*args`.
    rest: bool,
    /// `**kwargs`.
    keywords: bool,
}

impl Signature {
    fn of(parameters: impl IntoIterator<Item = Parameter>) -> Signature {
        let mut signature = Signature::default();
        let mut after_star = false;
        for Parameter { name, role } in parameters {
            match role {
                ArgumentRole::DoubleStar => signature.keywords = true,
                ArgumentRole::Star => {
                    after_star = true;
                    signature.rest |= !name.is_empty();
                }
                ArgumentRole::Plain | ArgumentRole::Named => {
                    let list = if after_star { &mut signature.named } else { &mut signature.positional };
                    list.push((name, role == ArgumentRole::Named));
                }
            }
        }
        // Parameters that generated code adds have this name.
        signature.positional.retain(|(name, _)| !name.starts_with("__ytt_"));
        signature
    }

    fn is_empty(&self) -> bool {
        self.positional.is_empty() && self.named.is_empty() && !self.rest && !self.keywords
    }

    fn all(&self) -> impl Iterator<Item = &(String, bool)> {
        self.positional.iter().chain(&self.named)
    }
}

fn missing(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    let [name, function] =
        ["Missing parameter `", "Missing named-only parameter `", "Missing positional-only parameter `"]
            .iter()
            .find_map(|start| matched(text, start, ["` for call to `", "`"]))?;
    let (name, function) = (mangle(name).into_owned(), bare(function));
    if let Some(method) = place.method {
        return Some(format!("{method}: got 0 arguments, want at least 1").into());
    }
    let mut names = vec![name.clone()];
    let given = place.snippet.as_ref().map(Snippet::arguments).unwrap_or_default();
    // With `*X` or `**X` nobody knows what else is missing or too much.
    if !given.contains(&ArgumentForm::Stars)
        && let Some(parameters) = place.parameters()
    {
        let signature = Signature::of(parameters);
        if let Some(first) = worse(&function, &given, &signature) {
            return Some(first);
        }
        let behind = signature.all().skip_while(|(known, _)| *known != name).skip(1);
        let is_missing = |(known, default): &&(String, bool)| !default && !given.contains(&ArgumentForm::Named(known));
        names.extend(behind.filter(is_missing).map(|(known, _)| known.clone()));
    }
    let text = lacks(&function, &names);
    Some(match &names[..] {
        [only] => Message::of(text, Fact::MissingArgument { name: unmangle(only).into_owned() }),
        _ => text.into(),
    })
}

fn lacks(function: &str, names: &[String]) -> String {
    let plural = if names.len() > 1 { "s" } else { "" };
    let shown: Vec<_> = names.iter().map(|name| unmangle(name)).collect();
    format!("function {function} missing {} argument{plural} ({})", names.len(), shown.join(", "))
}

/// What the reference says first of a call that lacks arguments and has others too much.
fn worse(function: &str, given: &[ArgumentForm<'_>], signature: &Signature) -> Option<Message> {
    let positional = given.iter().filter(|argument| **argument == ArgumentForm::Positional).count();
    if positional > signature.positional.len() && !signature.rest {
        return Some(too_many(function, signature, positional).into());
    }
    let unknown = given.iter().find_map(|argument| match argument {
        ArgumentForm::Named(name) if !signature.all().any(|(known, _)| known == name) => Some(unmangle(name)),
        _ => None,
    })?;
    (!signature.keywords).then(|| unexpected(function, &unknown, Some(signature), given))
}

/// A keyword argument that the function does not take.
fn unexpected(function: &str, keyword: &str, signature: Option<&Signature>, given: &[ArgumentForm<'_>]) -> Message {
    let names: Vec<_> = signature.into_iter().flat_map(Signature::all).map(|(name, _)| unmangle(name)).collect();
    // A parameter that has its value is not meant.
    let by_place = given.iter().filter(|argument| **argument == ArgumentForm::Positional).count();
    let open = names.iter().skip(by_place).map(|name| &**name);
    let open = open.filter(|name| !given.contains(&ArgumentForm::Named(name)));
    let meant = suggest::meant(keyword, open);
    let (near, is_guess) = (meant.names.iter().map(|name| (*name).to_owned()).collect(), meant.is_guess());
    let text = format!("function {function} got an unexpected keyword argument \"{keyword}\"");
    Message::of(text, Fact::UnknownKeyword { keyword: keyword.to_owned(), near, is_guess, defined: None })
}

fn too_many(function: &str, signature: &Signature, given: usize) -> String {
    let count = signature.positional.len();
    let most = if signature.positional.iter().any(|(_, default)| *default) { "at most " } else { "" };
    let plural = if count == 1 { "" } else { "s" };
    format!("function {function} accepts {most}{count} positional argument{plural} ({given} given)")
}

fn surplus(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    if let Some([extra, function]) = matched(text, "Found ", [" extra positional argument(s) for call to ", ""]) {
        let (extra, function) = (extra.parse::<usize>().ok()?, bare(function));
        if let Some(method) = place.method {
            return Some(format!("{method}: got too many arguments").into());
        }
        let Some(signature) = place.parameters().map(Signature::of) else {
            let text = format!("function {function} accepts fewer positional arguments ({extra} too many given)");
            return Some(text.into());
        };
        if signature.is_empty() {
            let given = place.snippet.as_ref().map(Snippet::arguments).unwrap_or_default();
            let named = given.iter().filter(|argument| matches!(argument, ArgumentForm::Named(_))).count();
            return Some(
                format!("function {function} accepts no arguments ({} given)", extra.saturating_add(named)).into(),
            );
        }
        return Some(too_many(&function, &signature, signature.positional.len().saturating_add(extra)).into());
    }
    if let Some([names, function]) = matched(text, "Found `", ["` extra named parameter(s) for call to ", ""]) {
        if let Some(method) = place.method {
            return Some(format!("{method}: unexpected keyword arguments").into());
        }
        let (function, names): (_, Vec<&str>) = (bare(function), names.split("` `").collect());
        let signature = place.parameters().map(Signature::of);
        if signature.as_ref().is_some_and(Signature::is_empty) {
            return Some(format!("function {function} accepts no arguments ({} given)", names.len()).into());
        }
        let given = place.snippet.as_ref().map(Snippet::arguments).unwrap_or_default();
        return Some(unexpected(&function, names.first().unwrap_or(&""), signature.as_ref(), &given));
    }
    let [parameter] = matched(text, "Argument `", ["` occurs more than once"])?;
    let function = bare(place.called.unwrap_or_default());
    Some(format!("function {function} got multiple values for parameter \"{parameter}\"").into())
}

/// What is said of a call by the engine, which gives `given` arguments by position; `None` if the function takes them.
/// `parameters` are as the interpreter lists them.
pub(super) fn refused_by_engine(function: &str, parameters: &str, given: usize) -> Option<String> {
    let listed = parameters.split(", ").filter(|parameter| !parameter.is_empty()).map(|parameter| {
        let (name, default) = parameter.split_once('=').map_or((parameter, false), |(name, _)| (name, true));
        let role = match (name.starts_with("**"), name.starts_with('*'), default) {
            (true, ..) => ArgumentRole::DoubleStar,
            (_, true, _) => ArgumentRole::Star,
            (.., true) => ArgumentRole::Named,
            _ => ArgumentRole::Plain,
        };
        Parameter { name: name.trim_start_matches('*').trim().to_owned(), role }
    });
    let (function, signature) = (bare(function), Signature::of(listed));
    if signature.is_empty() && given > 0 {
        return Some(format!("function {function} accepts no arguments ({given} given)"));
    }
    if given > signature.positional.len() && !signature.rest {
        return Some(too_many(&function, &signature, given));
    }
    let all = signature.positional.iter().skip(given).chain(&signature.named);
    let names: Vec<String> = all.filter(|(_, default)| !default).map(|(name, _)| name.clone()).collect();
    (!names.is_empty()).then(|| lacks(&function, &names))
}

/// Methods of the interpreter count their arguments.
fn counted(text: &str, place: &ErrorSite<'_>) -> Option<String> {
    let method = place.method?;
    let rest = text.strip_prefix("Wrong number of positional arguments, expected ")?;
    let (want, got) = rest.split_once(", got ")?;
    let want = match want.strip_prefix("between ").and_then(|range| range.split_once(" and ")) {
        Some((min, max)) => {
            let few = got.parse::<u64>().ok()? < min.parse::<u64>().ok()?;
            if few { format!("at least {min}") } else { format!("at most {max}") }
        }
        None => want.to_owned(),
    };
    Some(format!("{method}: got {got} arguments, want {want}"))
}

fn unfit(text: &str, place: &ErrorSite<'_>) -> Option<String> {
    let method = place.method?;
    let [name, wanted, got] =
        matched(text, "Type of parameter `", ["` doesn't match, expected `", "`, actual `", "`"])?;
    let got = kind_of(got);
    Some(match (method, name) {
        ("join", _) => format!("join: in list, want string, got {got}"),
        ("startswith" | "endswith", "prefix" | "suffix") => {
            format!("{method}: got {got}, want string or tuple of string")
        }
        (_, "needle") => format!("{method}: for parameter 1: got {got}, want string"),
        (_, "start" | "end") => format!("{method}: invalid {name} index: got {got}, want int"),
        _ if wanted == "int" => format!("{method}: for parameter 1: got {got}, want int"),
        _ => format!("{method}: for parameter {name}: got {got}, want {wanted}"),
    })
}
