//! `@ytt:base64`: `encode` and `decode`, with the options `url`, `raw` and `strict`.

use std::borrow::Cow;

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, DecodeError, DecodeKind, Encoding};
use starlark::eval::Evaluator;

use super::arguments::{expect, flag, text, warn_unknown};
use crate::diag::{Code, Diagnostic};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::text::to_star;
use crate::eval::{EvalResult, Returned, error};

pub(super) const FUNCTIONS: Functions = &[("encode", encode), ("decode", decode)];

fn encode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let (bytes, form) = arguments(function, &given)?;
    Ok(eval.heap().alloc_str(&form.encoding().encode(&bytes)).to_value())
}

fn decode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let (bytes, form) = arguments(function, &given)?;
    match decoded(&bytes, form) {
        Ok(result) => Ok(eval.heap().alloc_str(&to_star(&result)).to_value()),
        Err(wrong) => {
            let text = format!("illegal base64 data at input byte {}", wrong.position);
            Err(error::wrap(explained(Diagnostic::error(Code::MODULE_DECODE, text), &bytes, wrong, form)))
        }
    }
}

/// Says which character it is, or what is missing, and what to write instead.
fn explained(error: Diagnostic, text: &[u8], wrong: DecodeError, form: Form) -> Diagnostic {
    let error = error.misspelt(String::from_utf8_lossy(text), None);
    let length = text.iter().filter(|byte| !matches!(byte, b'\n' | b'\r')).count();
    let byte = text.get(wrong.position).copied().unwrap_or(b'=');
    match wrong.kind {
        DecodeKind::Length if !form.raw && !text.contains(&b'=') => error
            .note(format!("base64 is written in groups of four characters: the text has {length} of them"))
            .help("pad it with `=`, or write `raw=True` for text without padding"),
        DecodeKind::Length if !form.raw => error.note("a `=` is missing at the end of the text"),
        DecodeKind::Symbol if byte == b'=' && form.raw => {
            error.help("the text is padded with `=`: remove `raw=True`, or the padding")
        }
        DecodeKind::Symbol if byte != b'=' => {
            let alphabet = if form.url { "URL-safe base64 (A-Z a-z 0-9 - _)" } else { "base64 (A-Z a-z 0-9 + /)" };
            let next: Vec<u8> = text.iter().skip(wrong.position).take(4).copied().collect();
            let shown = String::from_utf8_lossy(&next).chars().next();
            let shown = match shown.filter(|shown| !shown.is_control() && *shown != char::REPLACEMENT_CHARACTER) {
                Some(shown) => format!("`{shown}`"),
                None => format!("byte 0x{byte:02x}"),
            };
            let error = error.note(format!("{shown} is not a character of {alphabet}"));
            match (form.url, byte) {
                (false, b'-' | b'_') => error.help(match length % 4 == 0 || form.raw {
                    true => "for text that is URL-safe, write `url=True`",
                    false => "for text that is URL-safe and has no padding, write `url=True, raw=True`",
                }),
                (true, b'+' | b'/') => error.help("the text is not URL-safe: remove `url=True`"),
                _ => error,
            }
        }
        _ => error,
    }
}

fn arguments<'v>(function: &Func<'v>, given: &CallArgs<'v>) -> EvalResult<(Cow<'v, [u8]>, Form)> {
    let [value] = expect(given, "expected exactly one argument")?;
    let bytes = text(value)?;
    warn_unknown(function, given, &["url", "raw", "strict"]);
    Ok((bytes, Form { url: flag(given, "url")?, raw: flag(given, "raw")?, strict: flag(given, "strict")? }))
}

/// The options: the other alphabet, no padding, no stray bits.
#[derive(Clone, Copy, Debug, Default)]
struct Form {
    url: bool,
    raw: bool,
    strict: bool,
}

impl Form {
    #[allow(
        clippy::expect_used,
        reason = "none of the four alphabets has a line break, so ignoring them contradicts nothing"
    )]
    fn encoding(self) -> Encoding {
        let known = match (self.url, self.raw) {
            (false, false) => BASE64,
            (false, true) => BASE64_NOPAD,
            (true, false) => BASE64URL,
            (true, true) => BASE64URL_NOPAD,
        };
        let mut form = known.specification();
        form.check_trailing_bits = self.strict;
        form.ignore.push_str("\r\n");
        form.encoding().expect("line breaks are in no alphabet")
    }
}

fn decoded(text: &[u8], form: Form) -> Result<Vec<u8>, DecodeError> {
    let found = form.encoding().decode(text);
    let padding = if form.raw { None } else { text.iter().position(|byte| *byte == b'=') };
    match found {
        // The crate takes several padded texts behind each other as one.
        Ok(bytes) => match padding.and_then(|padding| Padding::of(text, padding).behind) {
            Some(position) => Err(DecodeError { position, kind: DecodeKind::Padding }),
            None => Ok(bytes),
        },
        Err(wrong) => Err(at_reference(wrong, text, form, padding)),
    }
}

/// What follows the first `=`: where all padding ends with its line breaks, and what should not be there.
struct Padding {
    end: usize,
    behind: Option<usize>,
}

impl Padding {
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "`first` is the offset of the first `=`"
    )]
    fn of(text: &[u8], first: usize) -> Padding {
        let is_other = |byte: &u8| !matches!(byte, b'=' | b'\r' | b'\n');
        let behind = text[first..].iter().position(is_other).map(|at| first + at);
        Padding { end: behind.unwrap_or(text.len()), behind }
    }
}

/// An error with the offset and the reason that the reference has, which reads from the start to the end.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "`padding` and what is found behind it are offsets of the text, and a group has at most four symbols of it"
)]
fn at_reference(wrong: DecodeError, text: &[u8], form: Form, padding: Option<usize>) -> DecodeError {
    let content = &text[..padding.unwrap_or(text.len())];
    let symbols = form.encoding().specification().symbols;
    let is_stray = |byte: &u8| !symbols.as_bytes().contains(byte) && !matches!(byte, b'\r' | b'\n');
    if let Some(position) = content.iter().position(is_stray) {
        return DecodeError { position, kind: DecodeKind::Symbol };
    }
    let in_group = content.iter().filter(|byte| !matches!(byte, b'\r' | b'\n')).count() % 4;
    if wrong.kind == DecodeKind::Trailing {
        let end = padding.map_or(text.len(), |first| Padding::of(text, first).end);
        return DecodeError { position: end - (4 - in_group).min(end), ..wrong };
    }
    let Some(first) = padding else {
        return DecodeError { position: text.len() - in_group, kind: DecodeKind::Length };
    };
    let rest = &text[first + 1..];
    let second = rest.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).map(|at| first + 1 + at);
    let (position, kind) = match (in_group, second) {
        (0 | 1, _) => (first, DecodeKind::Padding),
        (2, None) => (text.len(), DecodeKind::Length),
        (2, Some(at)) if text[at] != b'=' => (at - 1, DecodeKind::Padding),
        (2, Some(at)) => {
            let third = text[at + 1..].iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
            (third.map_or(text.len(), |third| at + 1 + third), DecodeKind::Padding)
        }
        (_, second) => (second.unwrap_or(text.len()), DecodeKind::Padding),
    };
    DecodeError { position, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Form = Form { url: false, raw: false, strict: false };

    #[test]
    fn both_alphabets_with_and_without_padding() {
        for (bytes, standard, url_raw) in [
            (&b""[..], "", ""),
            (b"a", "YQ==", "YQ"),
            (b"ab", "YWI=", "YWI"),
            (b"abc", "YWJj", "YWJj"),
            ("é".as_bytes(), "w6k=", "w6k"),
            (b"\xff\xfe\xfb", "//77", "__77"),
        ] {
            let url = Form { url: true, raw: true, strict: true };
            assert_eq!(PLAIN.encoding().encode(bytes), standard);
            assert_eq!(url.encoding().encode(bytes), url_raw);
            assert_eq!(decoded(standard.as_bytes(), PLAIN).as_deref(), Ok(bytes));
            assert_eq!(decoded(url_raw.as_bytes(), url).as_deref(), Ok(bytes));
        }
        assert_eq!(decoded(b"Y\r\nQ=\n=\n", PLAIN).as_deref(), Ok(&b"a"[..]));
    }

    #[test]
    fn offsets_of_errors() {
        let raw = Form { raw: true, ..PLAIN };
        let strict = Form { strict: true, ..PLAIN };
        let raw_strict = Form { raw: true, ..strict };
        for (text, form, at) in [
            ("YQ", PLAIN, 0),
            ("YWJjY", raw, 4),
            ("Y Q=", PLAIN, 1),
            ("YQ-_", PLAIN, 2),
            ("=", PLAIN, 0),
            ("Y===", PLAIN, 1),
            ("YQ=", PLAIN, 3),
            ("AP==+Pj5B", PLAIN, 4),
            ("a=1", PLAIN, 1),
            ("Pk\nFB//\n", PLAIN, 6),
            ("\rbb=\r=+", PLAIN, 6),
            ("+wB=", strict, 3),
            ("YQ=\nx", PLAIN, 3),
            ("YQ==\nx", PLAIN, 5),
            ("YQ==\nYQ==", PLAIN, 5),
            ("YQ==", raw, 2),
            ("YR==", strict, 2),
            ("YR", raw_strict, 0),
            ("YWK=\n", strict, 4),
        ] {
            let found = decoded(text.as_bytes(), form).map_err(|wrong| wrong.position);
            assert_eq!(found, Err(at), "{text}");
        }
    }
}
