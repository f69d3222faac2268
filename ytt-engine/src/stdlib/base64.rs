//! `@ytt:base64`: `encode` and `decode`, with the options `url`, `raw` and `strict`.
//!
//! Own code, since messages name the offset in the text with its line breaks, which decoding skips.

use starlark::eval::Evaluator;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{expect_count, flag, text, warn_unknown};
use crate::diag::{Code, Diagnostic};
use crate::eval::object::{CallArgs, Func};
use crate::eval::text::to_star;
use crate::eval::{EvalResult, FileInstance, error};

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(super) fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> EvalResult<Value<'v>> {
    Ok(super::functions(inst, heap, "base64", &[("encode", encode), ("decode", decode)]))
}

fn encode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Value<'v>> {
    let (bytes, form) = arguments(function, &given)?;
    Ok(eval.heap().alloc_str(&encoded(&bytes, form)).to_value())
}

fn decode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Value<'v>> {
    let (bytes, form) = arguments(function, &given)?;
    match decoded(&bytes, form) {
        Ok(result) => Ok(eval.heap().alloc_str(&to_star(&result)).to_value()),
        Err(at) => {
            let text = format!("illegal base64 data at input byte {at}");
            Err(error::wrap(explained(Diagnostic::error(Code::MODULE_DECODE, text), &bytes, at, form)))
        }
    }
}

/// Says which character it is, or what is missing, and what to write instead.
fn explained(error: Diagnostic, text: &[u8], at: usize, form: Form) -> Diagnostic {
    let error = error.misspelt(String::from_utf8_lossy(text), None);
    let (own, url) = (form.alphabet(), b"-_");
    let length = text.iter().filter(|byte| !matches!(byte, b'\n' | b'\r')).count();
    match text.get(at) {
        Some(byte) if own.contains(byte) && length % 4 != 0 && !form.raw && !text.contains(&b'=') => error
            .note(format!("base64 is written in groups of four characters: the text has {length} of them"))
            .help("pad it with `=`, or write `raw=True` for text without padding"),
        Some(b'=') if form.raw => error.help("the text is padded with `=`: remove `raw=True`, or the padding"),
        Some(byte) if own.contains(byte) || matches!(byte, b'=' | b'\n' | b'\r') => error,
        Some(byte) => {
            let alphabet = if form.url { "URL-safe base64 (A-Z a-z 0-9 - _)" } else { "base64 (A-Z a-z 0-9 + /)" };
            let shown = match String::from_utf8_lossy(&text[at..(at + 4).min(text.len())]).chars().next() {
                Some(shown) if !shown.is_control() && shown != char::REPLACEMENT_CHARACTER => format!("`{shown}`"),
                _ => format!("byte 0x{byte:02x}"),
            };
            let error = error.note(format!("{shown} is not a character of {alphabet}"));
            match (form.url, byte) {
                (false, byte) if url.contains(byte) => error.help(match length % 4 == 0 || form.raw {
                    true => "for text that is URL-safe, write `url=True`",
                    false => "for text that is URL-safe and has no padding, write `url=True, raw=True`",
                }),
                (true, b'+' | b'/') => error.help("the text is not URL-safe: remove `url=True`"),
                _ => error,
            }
        }
        None => error.note("a `=` is missing at the end of the text"),
    }
}

fn arguments<'v>(function: &Func<'v>, given: &CallArgs<'v>) -> EvalResult<(Vec<u8>, Form)> {
    expect_count(given, 1, "expected exactly one argument")?;
    let bytes = text(given.positional[0])?;
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
    fn alphabet(self) -> &'static [u8; 64] {
        if self.url { URL } else { STANDARD }
    }
}

fn encoded(bytes: &[u8], form: Form) -> String {
    let alphabet = form.alphabet();
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            if place <= group.len() {
                out.push(char::from(alphabet[(bits >> (18 - 6 * place)) as usize & 63]));
            } else if !form.raw {
                out.push('=');
            }
        }
    }
    out
}

/// The bytes, or the offset that the message names.
fn decoded(text: &[u8], form: Form) -> Result<Vec<u8>, usize> {
    let mut values = [None; 256];
    for (value, byte) in form.alphabet().iter().enumerate() {
        values[usize::from(*byte)] = Some(value as u32);
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let mut at = 0;
    loop {
        let (mut bits, mut count) = (0, 0);
        while count < 4 {
            let Some(&byte) = text.get(at) else {
                return if count == 0 {
                    Ok(out)
                } else if count == 1 || !form.raw {
                    Err(at - count)
                } else {
                    finish(out, bits, count, at, form)
                };
            };
            at += 1;
            if let Some(value) = values[usize::from(byte)] {
                bits = bits << 6 | value;
                count += 1;
            } else if matches!(byte, b'\n' | b'\r') {
                continue;
            } else if byte != b'=' || form.raw || count < 2 {
                return Err(at - 1);
            } else {
                at = skip_breaks(text, at);
                if count == 2 {
                    match text.get(at) {
                        None => return Err(text.len()),
                        Some(b'=') => at = skip_breaks(text, at + 1),
                        Some(_) => return Err(at - 1),
                    }
                }
                // Stray bits are found before something behind the padding.
                let whole = finish(out, bits, count, at, form)?;
                return if at < text.len() { Err(at) } else { Ok(whole) };
            }
        }
        out.extend_from_slice(&[(bits >> 16) as u8, (bits >> 8) as u8, bits as u8]);
    }
}

/// A last group of two or three characters.
fn finish(mut out: Vec<u8>, bits: u32, count: usize, at: usize, form: Form) -> Result<Vec<u8>, usize> {
    let spare = if count == 2 { 4 } else { 2 };
    if form.strict && bits & ((1 << spare) - 1) != 0 {
        return Err(at - (4 - count));
    }
    let bits = bits >> spare;
    if count == 3 {
        out.push((bits >> 8) as u8);
    }
    out.push(bits as u8);
    Ok(out)
}

fn skip_breaks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b'\n' | b'\r')) {
        at += 1;
    }
    at
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
            assert_eq!(encoded(bytes, PLAIN), standard);
            assert_eq!(encoded(bytes, url), url_raw);
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
            ("YQ=\n", PLAIN, 4),
            ("YQ=\nx", PLAIN, 3),
            ("YQ==\nx", PLAIN, 5),
            ("YQ==", raw, 2),
            ("YR==", strict, 2),
            ("YR==x", strict, 2),
            ("YR", raw_strict, 0),
            ("YWK=\n", strict, 4),
        ] {
            assert_eq!(decoded(text.as_bytes(), form), Err(at), "{text}");
        }
    }
}
