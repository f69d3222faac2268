//! `"…{}…".format(…)`.

use starlark::values::Heap;

use super::percent::WIDTH;
use crate::diag::Fact;
use crate::eval::arguments::Input;
use crate::eval::error::{self, EvalResult, Returned, helped, text_only};
use crate::eval::repr;
use crate::eval::text::readable;

/// How the fields of a format name their values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fields {
    Unknown,
    /// `{}`, counted.
    Automatic(usize),
    /// `{0}`.
    Manual,
}

/// The text of a format (Starlark text) with its fields filled in.
pub(super) fn format<'v>(format: &str, input: &Input<'v>, heap: Heap<'v>) -> Returned<'v> {
    let mut out = String::with_capacity(format.len());
    let mut fields = Fields::Unknown;
    let mut rest = format;
    loop {
        let (text, after) = match rest.split_once('{') {
            Some((text, after)) => (text, Some(after)),
            None => (rest, None),
        };
        literal(&mut out, text, input)?;
        let Some(after) = after else { break };
        if let Some(after) = after.strip_prefix('{') {
            out.push('{');
            rest = after;
            continue;
        }
        let Some((field, after)) = after.split_once('}') else { return input.fail("unmatched '{' in format") };
        rest = after;
        replace(&mut out, field, &mut fields, input)?;
        input.meter.room(out.len().saturating_mul(2))?;
    }
    Ok(heap.alloc_str(&out).to_value())
}

/// Text between fields: `}}` means one brace, and no brace stands alone.
fn literal(out: &mut String, mut text: &str, input: &Input<'_>) -> EvalResult<()> {
    while let Some((before, after)) = text.split_once('}') {
        let Some(after) = after.strip_prefix('}') else { return input.fail("single '}' in format") };
        out.push_str(before);
        out.push('}');
        text = after;
    }
    out.push_str(text);
    Ok(())
}

/// One field: `name!conversion:spec`, of which each part may be missing.
fn replace<'v>(out: &mut String, field: &str, fields: &mut Fields, input: &Input<'v>) -> EvalResult<()> {
    let (name, conversion, spec) = match field.split_once('!') {
        Some((name, rest)) => {
            let (conversion, spec) = rest.split_once(':').unwrap_or((rest, ""));
            (name, conversion, spec)
        }
        None => {
            let (name, spec) = field.split_once(':').unwrap_or((field, ""));
            (name, "s", spec)
        }
    };
    let value = value(name, fields, input)?;
    if !spec.is_empty() {
        let text = format!("format spec features not supported in replacement fields: {}", readable(spec));
        return Err(helped(text, WIDTH));
    }
    match conversion {
        "s" => out.push_str(&repr::str(value, input.meter)?),
        "r" => repr::write(out, value, input.meter)?,
        other => {
            let mut shown = String::new();
            repr::quote(&mut shown, other);
            return input.fail(format!("unknown conversion {}", readable(&shown)));
        }
    }
    Ok(())
}

/// A place whose value, of that number, is not there.
fn short<'v>(number: usize, input: &Input<'v>) -> Returned<'v> {
    input.fail("tuple index out of range").map_err(|failure| match error::diagnostic_of(&failure) {
        Some(problem) => {
            let short = Some((number.saturating_add(1), input.positional.len()));
            error::wrap(problem.clone().fact(Fact::Format { short }))
        }
        None => failure,
    })
}

/// How many places `{}` a format has.
pub(super) fn automatic(format: &str) -> usize {
    let (mut count, mut rest) = (0_usize, format);
    while let Some((_, after)) = rest.split_once('{') {
        rest = match after.strip_prefix('{') {
            Some(after) => after,
            None => {
                count = count.saturating_add(usize::from(after.starts_with(['}', '!'])));
                after.split_once('}').map_or("", |(_, after)| after)
            }
        };
    }
    count
}

fn value<'v>(name: &str, fields: &mut Fields, input: &Input<'v>) -> Returned<'v> {
    let number = if name.is_empty() {
        let count = match *fields {
            Fields::Unknown => 0,
            Fields::Automatic(count) => count,
            Fields::Manual => {
                return input.fail("cannot switch from manual field specification to automatic field numbering");
            }
        };
        *fields = Fields::Automatic(count.saturating_add(1));
        Some(count)
    } else if let Some(number) = name.parse::<i64>().ok().filter(|_| name.bytes().all(|byte| byte.is_ascii_digit())) {
        if matches!(fields, Fields::Automatic(_)) {
            return input.fail("cannot switch from automatic field numbering to manual field specification");
        }
        *fields = Fields::Manual;
        Some(usize::try_from(number).unwrap_or(usize::MAX))
    } else {
        None
    };
    if let Some(number) = number {
        return match input.get(number) {
            Some(value) => Ok(value),
            None => short(number, input),
        };
    }
    if let Some((_, value)) = input.named.iter().find(|(known, _)| known.as_str() == name) {
        return Ok(*value);
    }
    let shown = readable(name);
    Err(text_only(if name.contains('.') {
        format!("format: attribute syntax x.y is not supported in replacement fields: {shown}")
    } else if name.contains('[') {
        format!("format: element syntax a[i] is not supported in replacement fields: {shown}")
    } else if name.contains('{') {
        "format: nested replacement fields not supported".to_owned()
    } else {
        format!("format: keyword {shown} not found")
    }))
}
