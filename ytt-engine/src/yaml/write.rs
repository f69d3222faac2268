//! The text of one scalar in YAML: what is a value and not a tree.
//!
//! Uses only `core` and `alloc`, as `resolve`, `quote` and `number` do: values that are known only when a program runs
//! will be written by the same code. `tests/tidy.rs` asks the compiler.

use alloc::string::String;

use crate::yaml::number::{self, write_int};
use crate::yaml::quote::{self, Style};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Str(&'a str),
    /// Not UTF-8.
    Bytes(&'a [u8]),
}

/// Writes a scalar; lines after the first are indented by `indent`. Gives `false` if no line end belongs behind it.
pub(crate) fn write_scalar(out: &mut String, scalar: Scalar<'_>, indent: usize) -> bool {
    match scalar {
        Scalar::Null => out.push_str("null"),
        Scalar::Bool(true) => out.push_str("true"),
        Scalar::Bool(false) => out.push_str("false"),
        Scalar::Int(int) => write_int(out, int.is_negative(), int.unsigned_abs()),
        Scalar::UInt(int) => write_int(out, false, int),
        Scalar::Float(float) => number::write_yaml(out, float),
        Scalar::Str(text) => return quote::write_str(out, text, indent),
        Scalar::Bytes(bytes) => {
            out.push_str("!!binary ");
            let text = base64(bytes);
            if !is_long_base64(bytes) {
                out.push_str(&text);
                return true;
            }
            let breaks = (text.len() / BASE64_LINE).saturating_add(1);
            let mut lines = String::with_capacity(text.len().saturating_add(breaks));
            for line in text.as_bytes().chunks(BASE64_LINE) {
                lines.extend(line.iter().copied().map(char::from));
                lines.push('\n');
            }
            return quote::write_styled(out, &lines, Style::Literal, indent);
        }
    }
    true
}

/// Characters of one line of base64.
const BASE64_LINE: usize = 70;

/// Does the base64 of these bytes need several lines?
pub(crate) fn is_long_base64(bytes: &[u8]) -> bool {
    bytes.len() > BASE64_LINE / 4 * 3
}

/// Base64 with padding, on one line.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "six bits each of groups of 1 to 3 bytes")]
pub(crate) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3).saturating_mul(4));
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let six = bits >> (18 - 6 * place) & 63;
            out.push(if place <= group.len() { char::from(ALPHABET[six as usize]) } else { '=' });
        }
    }
    out
}
