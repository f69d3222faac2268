//! What `--strict` makes of a plain scalar without a tag.
//!
//! Strict parsing knows fewer spellings than YAML 1.1. A scalar that both read alike is accepted; the others must be
//! quoted or spelled otherwise. Texts are the reference's, spelling included.

use super::resolve::{Resolved, resolve};

/// The type of a plain scalar, or the reason why it is refused.
pub(super) fn resolve_strictly(text: &str) -> Result<Resolved, String> {
    let strict = strict_tag(text)?;
    let resolved = resolve(text);
    if resolved.tag() == strict {
        return Ok(resolved);
    }
    let found = resolved.tag();
    Err(format!("Strict parsing: Found '{text}' ambigious (could be {strict} or {found})"))
}

/// Both readings of a scalar that is refused for having two.
pub(super) fn readings(text: &str) -> Option<String> {
    let strict = strict_tag(text).ok()?;
    let other = match resolve(text) {
        Resolved::Null => "null".to_owned(),
        Resolved::Bool(value) => format!("the boolean {value}"),
        Resolved::Int(_) | Resolved::UInt(_) | Resolved::Float(_) => "a number".to_owned(),
        Resolved::Timestamp => "a time".to_owned(),
        Resolved::Str => return None,
    };
    (strict == "!!str").then(|| format!("is this a string, or {other}?"))
}

/// What to write instead of a scalar that is refused, by what was meant.
pub(super) fn instead(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(&str, String)> = Vec::new();
    if !text.contains(['"', '\\', '\n', '\r']) {
        all.push(("for the string, write", format!("\"{text}\"")));
    }
    match resolve(text) {
        Resolved::Null => all.push(("for null, write nothing", String::new())),
        Resolved::Bool(value) => all.push(("for the boolean, write", value.to_string())),
        Resolved::Int(value) => all.push(("for the number, write", value.to_string())),
        Resolved::UInt(value) => all.push(("for the number, write", value.to_string())),
        Resolved::Float(value) if value.is_finite() => all.push(("for the number, write", format!("{value:?}"))),
        _ => {}
    }
    all.retain(|(_, new)| new != text);
    let told = all.into_iter().map(|(help, new)| (format!("{help} {new}").trim_end().to_owned(), new));
    told.collect()
}

fn strict_tag(text: &str) -> Result<&'static str, String> {
    let quote = |what: &str| Err(format!("Strict parsing: Strings with {what} must be explicitly quoted: '{text}'"));
    match text {
        "" => Ok("!!null"),
        "true" | "false" => Ok("!!bool"),
        _ if is_number(text) => {
            let kind = if text.contains(['.', 'e', 'E']) { "float" } else { "int" };
            match (kind, resolve(text)) {
                ("int", Resolved::Int(_) | Resolved::UInt(_)) => Ok("!!int"),
                ("float", Resolved::Float(_)) => Ok("!!float"),
                _ => Err(format!("Strict parsing: Parsing {kind} '{text}': value out of range")),
            }
        }
        _ if text.contains(char::is_whitespace) => quote("whitespace"),
        _ if text.contains(':') => quote("colon"),
        // A `---` that does not start its line.
        _ if text.contains("---") => quote("triple-dash"),
        _ => Ok("!!str"),
    }
}

/// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`
fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || whole > 1 && rest.starts_with('0') {
        return false;
    }
    rest = rest.get(whole..).unwrap_or_default();
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = fraction.get(length..).unwrap_or_default();
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted() {
        for (text, expected) in [
            ("", Resolved::Null),
            ("true", Resolved::Bool(true)),
            ("0", Resolved::Int(0)),
            ("-12", Resolved::Int(-12)),
            ("18446744073709551615", Resolved::UInt(u64::MAX)),
            ("1.5", Resolved::Float(1.5)),
            ("1e3", Resolved::Float(1000.0)),
            ("-0.5E-1", Resolved::Float(-0.05)),
            ("abc", Resolved::Str),
            ("--", Resolved::Str),
        ] {
            assert_eq!(resolve_strictly(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_written_instead_is_accepted() {
        for (text, expected) in [
            ("yes", &["\"yes\"", "true"][..]),
            ("~", &["\"~\"", ""]),
            ("0x1F", &["\"0x1F\"", "31"]),
            ("1_000", &["\"1_000\"", "1000"]),
            (".5", &["\".5\"", "0.5"]),
            ("1.", &["\"1.\"", "1.0"]),
            (".inf", &["\".inf\""]),
            ("say \"x\"", &[]),
        ] {
            let found: Vec<String> = instead(text).into_iter().map(|(_, new)| new).collect();
            assert_eq!(found, expected, "{text}");
            for new in found.iter().filter(|new| !new.starts_with('"')) {
                assert_eq!(resolve_strictly(new), Ok(resolve(text)), "{text}");
            }
        }
        assert_eq!(readings("no").as_deref(), Some("is this a string, or the boolean false?"));
        assert_eq!(readings("b c"), None);
    }

    #[test]
    fn refused() {
        for (text, expected) in [
            ("yes", "Found 'yes' ambigious (could be !!str or !!bool)"),
            ("~", "Found '~' ambigious (could be !!str or !!null)"),
            ("+1", "Found '+1' ambigious (could be !!str or !!int)"),
            ("01", "Found '01' ambigious (could be !!str or !!int)"),
            ("1.", "Found '1.' ambigious (could be !!str or !!float)"),
            (".5", "Found '.5' ambigious (could be !!str or !!float)"),
            (".inf", "Found '.inf' ambigious (could be !!str or !!float)"),
            ("2001-01-01", "Found '2001-01-01' ambigious (could be !!str or !!timestamp)"),
            ("b c", "Strings with whitespace must be explicitly quoted: 'b c'"),
            ("b\u{a0}:", "Strings with whitespace must be explicitly quoted: 'b\u{a0}:'"),
            ("1:30", "Strings with colon must be explicitly quoted: '1:30'"),
            ("a---", "Strings with triple-dash must be explicitly quoted: 'a---'"),
            ("99999999999999999999", "Parsing int '99999999999999999999': value out of range"),
            ("-9223372036854775809", "Parsing int '-9223372036854775809': value out of range"),
            ("1e400", "Parsing float '1e400': value out of range"),
        ] {
            assert_eq!(resolve_strictly(text), Err(format!("Strict parsing: {expected}")), "{text}");
        }
    }
}
