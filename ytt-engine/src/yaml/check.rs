//! What must hold of a text before it is scanned: UTF-8, no forbidden characters, offsets that fit.

use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span, to_u32};

/// Spans hold 32 bits, and a text is added to them in some places.
const LARGEST: usize = 1 << 31;

/// Bytes that may begin a forbidden character.
static SUSPECT: [bool; 256] = suspects();

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::arithmetic_side_effects,
    reason = "`byte` is at most 256, and below where it is used"
)]
const fn suspects() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte < 0x20 && !matches!(byte as u8, b'\t' | b'\n' | b'\r') || matches!(byte, 0x7F | 0xC2 | 0xEF);
        byte += 1;
    }
    table
}

/// The text, if it is one that YAML allows.
pub(super) fn check(bytes: &[u8], source: SourceId) -> Result<&str, Diagnostic> {
    if bytes.len() > LARGEST {
        let text = format!("file has {} bytes, more than the limit of {LARGEST}", bytes.len());
        return Err(Diagnostic::error(Code::LIMIT, text)
            .label(Span::new(source, 0, 0), "")
            .note("this limit is fixed"));
    }
    let (text, broken) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let (valid, rest) = bytes.split_at_checked(error.valid_up_to()).unwrap_or((bytes, &[]));
            (std::str::from_utf8(valid).unwrap_or_default(), rest.first().map(|byte| (*byte, rest)))
        }
    };
    match (forbidden(text), broken) {
        (Some(at), _) => {
            let character = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
            Err(fault("control characters are not allowed", source, at, character.len_utf8())
                .note(format!("the character is U+{:04X}", u32::from(character)))
                .help("write it as an escape inside double quotes"))
        }
        (None, Some((byte, rest))) => Err(fault(broken_utf8(byte, rest), source, text.len(), 1)
            .note(format!("the byte is 0x{byte:02X}"))
            .help("save the file as UTF-8")),
        (None, None) => Ok(text),
    }
}

fn fault(text: &str, source: SourceId, at: usize, width: usize) -> Diagnostic {
    // The reference names no line here.
    Diagnostic::error(Code::YAML_ENCODING, format!("yaml: {text}"))
        .label(Span::new(source, to_u32(at), to_u32(at.saturating_add(width))), "")
}

/// The first forbidden character.
#[allow(clippy::indexing_slicing, reason = "`at` is at most the length, and `SUSPECT` has every byte")]
#[allow(clippy::arithmetic_side_effects, reason = "sums of lengths within the text")]
fn forbidden(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|byte| SUSPECT[usize::from(*byte)])?;
        let allowed = match bytes[at..] {
            [0xC2, next, ..] => next == 0x85 || next >= 0xA0,
            [0xEF, 0xBF, 0xBE | 0xBF, ..] => false,
            [0xEF, ..] => true,
            _ => false,
        };
        if !allowed {
            return Some(at);
        }
        at += 1;
    }
}

/// The reference's text for bytes that do not begin a character, and for the first of them.
fn broken_utf8(first: u8, bytes: &[u8]) -> &'static str {
    let width = match first {
        0x00..=0x7F => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return "invalid leading UTF-8 octet",
    };
    let Some(rest) = bytes.get(1..width) else {
        return "incomplete UTF-8 octet sequence";
    };
    if rest.iter().any(|byte| byte & 0xC0 != 0x80) {
        return "invalid trailing UTF-8 octet";
    }
    match (first, rest.first().copied().unwrap_or_default()) {
        (0xC0 | 0xC1, _) | (0xE0, 0x80..=0x9F) | (0xF0, 0x80..=0x8F) => "invalid length of a UTF-8 sequence",
        _ => "invalid Unicode character",
    }
}
