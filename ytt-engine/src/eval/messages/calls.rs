//! Errors of arguments: too few, too many, unknown, twice, of the wrong type.

use super::place::{ErrorSite, arguments};
use super::values::kind_of;
use super::{Message, matched};

/// The words for an error of this form, if it is one of them.
pub(super) fn words(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    let text = missing(text, place)
        .or_else(|| surplus(text, place))
        .or_else(|| counted(text, place))
        .or_else(|| unfit(text, place))
        .or_else(|| match text {
            "The argument provided for *args is not iterable" => Some("argument after * must be iterable".to_owned()),
            "The argument provided for **kwargs is not a dictionary" => {
                Some("argument after ** must be a mapping".to_owned())
            }
            "The argument provided for *args is not an identifier" => Some("keywords must be strings".to_owned()),
            _ => None,
        })?;
    Some(Message::from(text))
}

/// The function's name, without the file that the interpreter puts before it.
fn bare(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// What a function of Starlark takes.
#[derive(Default)]
struct Signature<'p> {
    /// Parameters that may be given by position, with a mark of those that have a default.
    positional: Vec<(&'p str, bool)>,
    /// Those that must be given by name.
    named: Vec<(&'p str, bool)>,
    /// `*args`.
    rest: bool,
    /// `**kwargs`.
    keywords: bool,
}

impl<'p> Signature<'p> {
    fn of(parameters: &[&'p str]) -> Signature<'p> {
        let mut signature = Signature::default();
        let mut after_star = false;
        for parameter in parameters {
            if parameter.starts_with("**") {
                signature.keywords = true;
            } else if let Some(rest) = parameter.strip_prefix('*') {
                after_star = true;
                signature.rest |= !rest.trim().is_empty();
            } else {
                let (name, default) = parameter.split_once('=').map_or((*parameter, false), |(name, _)| (name, true));
                let list = if after_star { &mut signature.named } else { &mut signature.positional };
                list.push((name.trim(), default));
            }
        }
        // Parameters that generated code adds have this name.
        signature.positional.retain(|(name, _)| !name.starts_with("__ytt_"));
        signature
    }

    fn is_empty(&self) -> bool {
        self.positional.is_empty() && self.named.is_empty() && !self.rest && !self.keywords
    }
}

fn missing(text: &str, place: &ErrorSite<'_>) -> Option<String> {
    let rest = ["Missing parameter `", "Missing named-only parameter `", "Missing positional-only parameter `"]
        .iter()
        .find_map(|start| matched(text, [start, "` for call to `", "`"]))?;
    let (name, function) = (rest[0], bare(rest[1]));
    if let Some(method) = place.method {
        return Some(format!("{method}: got 0 arguments, want at least 1"));
    }
    let mut names = vec![name];
    let given = arguments(place.snippet);
    if let Some(first) = worse(function, &given, place) {
        return Some(first);
    }
    // With `*X` or `**X` nobody knows what else is missing.
    if !given.iter().any(|argument| argument.starts_with('*'))
        && let Some(parameters) = place.parameters(function)
    {
        let signature = Signature::of(&parameters);
        let all = signature.positional.iter().chain(&signature.named).skip_while(|(known, _)| *known != name).skip(1);
        let by_name = |known: &str| {
            given.iter().any(|argument| argument.split_once('=').is_some_and(|(given, _)| given.trim() == known))
        };
        names.extend(all.filter(|(known, default)| !default && !by_name(known)).map(|(known, _)| *known));
    }
    let plural = if names.len() > 1 { "s" } else { "" };
    let count = names.len();
    let names: Vec<_> = names.into_iter().map(crate::template::unmangle).collect();
    Some(format!("function {function} missing {count} argument{plural} ({})", names.join(", ")))
}

/// What the reference says first of a call that lacks arguments and has others too much.
fn worse(function: &str, given: &[&str], place: &ErrorSite<'_>) -> Option<String> {
    if given.iter().any(|argument| argument.starts_with('*')) {
        return None;
    }
    let parameters = place.parameters(function)?;
    let signature = Signature::of(&parameters);
    let (named, positional): (Vec<&str>, Vec<&str>) = given.iter().partition(|argument| is_named(argument));
    let most = signature.positional.len();
    if positional.len() > most && !signature.rest {
        return Some(too_many(function, &signature, positional.len()));
    }
    let known = |name: &str| signature.positional.iter().chain(&signature.named).any(|(known, _)| *known == name);
    let names = named.iter().filter_map(|argument| argument.split_once('=')).map(|(name, _)| name.trim());
    let unknown = names.into_iter().find(|name| !known(name)).filter(|_| !signature.keywords)?;
    let unknown = crate::template::unmangle(unknown);
    Some(format!("function {function} got an unexpected keyword argument \"{unknown}\""))
}

fn too_many(function: &str, signature: &Signature<'_>, given: usize) -> String {
    let count = signature.positional.len();
    let most = if signature.positional.iter().any(|(_, default)| *default) { "at most " } else { "" };
    let plural = if count == 1 { "" } else { "s" };
    format!("function {function} accepts {most}{count} positional argument{plural} ({given} given)")
}

fn surplus(text: &str, place: &ErrorSite<'_>) -> Option<String> {
    if let Some(parts) = matched(text, ["Found ", " extra positional argument(s) for call to ", ""]) {
        let (extra, function) = (parts[0].parse::<usize>().ok()?, bare(parts[1]));
        if let Some(method) = place.method {
            return Some(format!("{method}: got too many arguments"));
        }
        let Some(parameters) = place.parameters(function) else {
            return Some(format!("function {function} accepts fewer positional arguments ({extra} too many given)"));
        };
        let signature = Signature::of(&parameters);
        if signature.is_empty() {
            let named = arguments(place.snippet).iter().filter(|argument| is_named(argument)).count();
            return Some(format!("function {function} accepts no arguments ({} given)", extra + named));
        }
        return Some(too_many(function, &signature, signature.positional.len() + extra));
    }
    if let Some(parts) = matched(text, ["Found `", "` extra named parameter(s) for call to ", ""]) {
        if let Some(method) = place.method {
            return Some(format!("{method}: unexpected keyword arguments"));
        }
        let function = bare(parts[1]);
        let names: Vec<&str> = parts[0].split("` `").collect();
        if place.parameters(function).is_some_and(|parameters| Signature::of(&parameters).is_empty()) {
            return Some(format!("function {function} accepts no arguments ({} given)", names.len()));
        }
        return Some(format!("function {function} got an unexpected keyword argument \"{}\"", names[0]));
    }
    let parts = matched(text, ["Argument `", "` occurs more than once"])?;
    let function = bare(place.called.unwrap_or_default());
    Some(format!("function {function} got multiple values for parameter \"{}\"", parts[0]))
}

/// What is said of a call by the engine, which gives `given` arguments by position; `None` if the function takes them.
/// `parameters` are as the interpreter lists them.
pub(super) fn refused_by_engine(function: &str, parameters: &str, given: usize) -> Option<String> {
    let parameters: Vec<&str> = parameters.split(", ").filter(|parameter| !parameter.is_empty()).collect();
    let (function, signature) = (bare(function), Signature::of(&parameters));
    if signature.is_empty() && given > 0 {
        return Some(format!("function {function} accepts no arguments ({given} given)"));
    }
    if given > signature.positional.len() && !signature.rest {
        return Some(too_many(function, &signature, given));
    }
    let all = signature.positional.iter().skip(given).chain(&signature.named);
    let names: Vec<_> = all.filter(|(_, default)| !default).map(|(name, _)| crate::template::unmangle(name)).collect();
    let plural = if names.len() > 1 { "s" } else { "" };
    (!names.is_empty())
        .then(|| format!("function {function} missing {} argument{plural} ({})", names.len(), names.join(", ")))
}

fn is_named(argument: &str) -> bool {
    argument.split_once('=').is_some_and(|(name, rest)| super::place::is_name(name.trim()) && !rest.starts_with('='))
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
    let parts = matched(text, ["Type of parameter `", "` doesn't match, expected `", "`, actual `", "`"])?;
    let (got, name) = (kind_of(parts[2]), parts[0]);
    Some(match (method, name) {
        ("join", _) => format!("join: in list, want string, got {got}"),
        ("startswith" | "endswith", "prefix" | "suffix") => {
            format!("{method}: got {got}, want string or tuple of string")
        }
        (_, "needle") => format!("{method}: for parameter 1: got {got}, want string"),
        (_, "start" | "end") => format!("{method}: invalid {name} index: got {got}, want int"),
        _ if parts[1] == "int" => format!("{method}: for parameter 1: got {got}, want int"),
        _ => format!("{method}: for parameter {name}: got {got}, want {}", parts[1]),
    })
}
