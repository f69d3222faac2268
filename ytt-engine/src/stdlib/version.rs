//! `@ytt:version`: `require_at_least`.
//!
//! It compares with the version of ytt whose behaviour this is, not with the version of the crate: programs ask for
//! functions that came with a version of ytt.

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::arguments::only_text;
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::{Returned, error};

/// The version of ytt that programs meet here.
const COMPATIBLE: [i64; 3] = [0, 48, 0];

pub(super) const FUNCTIONS: Functions = &[("require_at_least", require_at_least)];

fn require_at_least<'v>(function: &Func<'v>, given: CallArgs<'v>, _: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let wanted = String::from_utf8_lossy(&only_text(function, &given)?).into_owned();
    let Err(text) = required(&wanted) else { return Ok(Value::new_none()) };
    let problem = Diagnostic::error(Code::MODULE_VERSION, text);
    let bare = wanted.strip_prefix(['v', 'V']).filter(|bare| numbers(bare).is_some());
    Err(error::wrap(match (numbers(&wanted), bare) {
        (Some(_), _) => problem.help("use a newer version, or require a lower one"),
        (None, Some(_)) => problem.fact(Fact::LeadingV),
        (None, None) => problem.help("give a version of three numbers, such as `0.48.0`"),
    }))
}

/// Is this version at least `wanted`? Compat: what follows the three numbers does not count.
fn required(wanted: &str) -> Result<(), String> {
    let Some(numbers) = numbers(wanted) else {
        return Err(format!("version string '{wanted}' must be a valid semver"));
    };
    let mut parsed = [0; 3];
    for (number, digits) in parsed.iter_mut().zip(numbers) {
        *number = digits.parse().map_err(|_| {
            format!("Error parsing version: strconv.ParseInt: parsing \"{digits}\": value out of range")
        })?;
    }
    if parsed <= COMPATIBLE {
        return Ok(());
    }
    let [major, minor, patch] = COMPATIBLE;
    Err(format!("ytt version '{major}.{minor}.{patch}' does not meet the minimum required version '{wanted}'"))
}

/// The digits of major, minor and patch of a version by the grammar of Semantic Versioning 2.0.
fn numbers(version: &str) -> Option<[&str; 3]> {
    let (version, build) = version.split_once('+').map_or((version, None), |(version, build)| (version, Some(build)));
    let (core, pre) = version.split_once('-').map_or((version, None), |(core, pre)| (core, Some(pre)));
    let word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = |part: &str| digits(part) && (part == "0" || !part.starts_with('0'));
    if !build.is_none_or(|build| build.split('.').all(word)) {
        return None;
    }
    if !pre.is_none_or(|pre| pre.split('.').all(|part| if digits(part) { number(part) } else { word(part) })) {
        return None;
    }
    let numbers: [&str; 3] = core.split('.').collect::<Vec<_>>().try_into().ok()?;
    numbers.iter().all(|part| number(part)).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_three_numbers_count() {
        for version in ["0.48.0", "0.0.0", "0.47.99", "0.48.0-alpha.1", "0.48.0+build.01", "0.48.0--.-+-"] {
            assert_eq!(required(version), Ok(()), "{version}");
        }
        for version in ["0.48.1", "1.0.0", "0.48.1-alpha"] {
            let expected = format!("ytt version '0.48.0' does not meet the minimum required version '{version}'");
            assert_eq!(required(version), Err(expected));
        }
        assert_eq!(
            required("1.9999999999999999999.0").unwrap_err(),
            "Error parsing version: strconv.ParseInt: parsing \"9999999999999999999\": value out of range"
        );
    }

    #[test]
    fn the_grammar_is_strict() {
        for version in ["", "v1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", " 1.2.3", "1.2.3\n", "é"]
        {
            let expected = format!("version string '{version}' must be a valid semver");
            assert_eq!(required(version), Err(expected));
        }
    }
}
