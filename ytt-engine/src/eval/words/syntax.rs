//! What the parser says: `got X, want Y`.

use super::place::Place;
use super::{Words, matched};

fn plain(text: impl Into<String>) -> Option<Words> {
    Some(Words::from(text.into()))
}

/// The words for an error of this form, if it is one of them.
pub(super) fn words(text: &str, place: &Place<'_>) -> Option<Words> {
    if let Some(text) = text.strip_prefix("Parse error: ") {
        return parser(text, place);
    }
    match text {
        _ if text.starts_with("`break` cannot be used outside") => plain("break not in a loop"),
        _ if text.starts_with("`continue` cannot be used outside") => plain("continue not in a loop"),
        _ if text.starts_with("`return` cannot be used outside") => plain("return statement not within a function"),
        "duplicated parameter name" => plain(format!("duplicate parameter: {}", first_name(place.snippet))),
        "repeated named argument" => plain(format!("keyword argument {} repeated", first_name(place.snippet))),
        "positional argument after non positional" => match before_star(place) {
            true => plain("argument may not follow **kwargs"),
            false => plain("positional argument may not follow named"),
        },
        "positional parameter after non positional" => plain("required parameter may not follow optional"),
        "Args array after another args or kwargs" => plain("multiple *args not allowed"),
        "Multiple kwargs dictionary in arguments" => plain("multiple **kwargs not allowed"),
        "Args parameter after another args or kwargs parameter" => plain("multiple * parameters not allowed"),
        "Multiple kwargs parameters" => plain("multiple ** parameters not allowed"),
        "Parameter after kwargs" | "Default parameter after args array or kwargs dictionary" => {
            plain("required parameter may not follow **kwargs")
        }
        "`*` parameter must not be last" => plain("bare * must be followed by keyword-only parameters"),
        "left-hand-side of modifying assignment cannot be a list or tuple" => {
            let kind = if place.snippet.starts_with('[') { "list" } else { "tuple" };
            plain(format!("can't use {kind} expression in augmented assignment"))
        }
        _ if text.starts_with("left-hand-side of assignment must take the form") => {
            plain(format!("can't assign to {}", target(place.snippet)))
        }
        _ => None,
    }
}

fn parser(text: &str, place: &Place<'_>) -> Option<Words> {
    if let Some(parts) = matched(text, ["unexpected ", ", expected ", ""]) {
        return Some(unexpected(parts[0], parts[1], place));
    }
    if let Some(parts) = matched(text, ["invalid input `", "`"]) {
        return plain(format!("unexpected input character '{}'", parts[0].chars().next()?));
    }
    if text.starts_with("cannot use reserved keyword") {
        return plain("got illegal token, want primary expression");
    }
    if let Some(parts) = matched(text, ["integer cannot have leading 0, got `", "`"]) {
        return plain(format!("obsolete form of octal literal; use 0o{}", parts[0].trim_start_matches('0')));
    }
    if let Some(parts) = matched(text, ["invalid string escape sequence `", "`"]) {
        return plain(format!("invalid escape sequence {}", parts[0]));
    }
    match text {
        "unfinished string literal" => plain("unexpected newline in string"),
        "unexpected end of file" => plain("unexpected end of file"),
        _ => plain(text),
    }
}

fn unexpected(got: &str, want: &str, place: &Place<'_>) -> Words {
    if want.starts_with("end of expression (comparisons") {
        let operator = token(got);
        let operator = operator.trim_matches('\'');
        return Words::from(format!("{operator} does not associate with {operator} (use parens)"));
    }
    if want == "keyword 'else'" {
        return Words::from("conditional expression without else clause".to_owned());
    }
    let (got, want) = (token(got), token(want));
    if got.starts_with("'") && matches!(&*got, "')'" | "']'" | "'}'") && !is_open(place.before(), &got) {
        return Words::from(format!("unexpected {got}"));
    }
    let text = format!("got {got}, want {want}");
    let doubled = |sign: &str| place.before().ends_with(sign) || place.after().starts_with(sign);
    match (&*got, &*want) {
        ("newline", "':'") => Words::hinted(text, "missing colon at the end of 'if/for/def' statement?"),
        ("'&'", "primary expression") if doubled("&") => {
            Words::hinted(text, "use 'and' instead of '&&' for logical-and")
        }
        ("'|'", "primary expression") if doubled("|") => Words::hinted(text, "use 'or' instead of '||' for logical-or"),
        _ => Words::from(text),
    }
}

/// A token as the reference names it.
fn token(text: &str) -> String {
    let text = text.split(" (").next().unwrap_or(text);
    match text {
        "new line" => return "newline".to_owned(),
        "expression" => return "primary expression".to_owned(),
        _ => {}
    }
    for (start, name) in [("symbol ", None), ("keyword ", None), ("identifier", Some("identifier"))] {
        if let Some(rest) = text.strip_prefix(start) {
            return match name {
                Some(name) => name.to_owned(),
                None if start == "keyword " => rest.trim_matches('\'').to_owned(),
                None => rest.to_owned(),
            };
        }
    }
    for (start, name) in
        [("integer literal", "int literal"), ("float literal", "float literal"), ("string literal", "string literal")]
    {
        if text.starts_with(start) {
            return name.to_owned();
        }
    }
    text.to_owned()
}

/// Is a bracket open that this one closes?
fn is_open(before: &str, close: &str) -> bool {
    let (open, close) = match close {
        "')'" => ('(', ')'),
        "']'" => ('[', ']'),
        _ => ('{', '}'),
    };
    before.matches(open).count() > before.matches(close).count()
}

fn first_name(snippet: &str) -> &str {
    let snippet = snippet.trim_start_matches(['*', ' ']);
    let end = snippet.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(snippet.len());
    &snippet[..end]
}

/// Does `**X` stand before the place, in the same call?
fn before_star(place: &Place<'_>) -> bool {
    let before = place.before();
    before[before.rfind('(').unwrap_or(0)..].contains("**")
}

/// What cannot be assigned to.
fn target(snippet: &str) -> &'static str {
    let mut characters = snippet.chars();
    match (characters.next(), characters.next_back()) {
        (_, Some(')')) => "callexpr",
        (Some('"' | '\'' | '0'..='9'), _) if !snippet.contains(' ') => "literal",
        _ => "binaryexpr",
    }
}
