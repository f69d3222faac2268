//! Percent escapes: which bytes each part of a URL leaves alone, and reading them.

use crate::quoted;

/// Where text stands in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    PathSegment,
    /// Keys and values of a query: a blank is `+`.
    Query,
    Path,
    User,
    Fragment,
    Host,
    /// The zone of an IPv6 address.
    Zone,
}

/// Does a byte stand for itself in this part?
pub(super) fn stays(byte: u8, part: Part) -> bool {
    if byte.is_ascii_alphanumeric() {
        return true;
    }
    let further: &[u8] = match part {
        Part::PathSegment => b"$&+:=@",
        Part::Query => b"",
        Part::Path => b"$&+,/:;=@",
        Part::User => b"$&+,;=",
        Part::Fragment => b"$&+,/:;=?@!()*",
        Part::Host | Part::Zone => b"!$&'()*+,;=:[]<>\"",
    };
    matches!(byte, b'-' | b'_' | b'.' | b'~') || further.contains(&byte)
}

#[allow(clippy::indexing_slicing, reason = "four bits are less than the sixteen digits")]
pub(super) fn escape(text: &[u8], part: Part, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in text {
        if stays(byte, part) {
            out.push(byte);
        } else if byte == b' ' && part == Part::Query {
            out.push(b'+');
        } else {
            out.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
    }
}

pub(super) fn escaped(text: &[u8], part: Part) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    escape(text, part, &mut out);
    out
}

/// Reads escapes; the error is the reference's text.
pub(super) fn unescape(text: &[u8], part: Part) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'%' {
            if matches!(part, Part::Host | Part::Zone) && byte < 0x80 && !stays(byte, part) {
                return Err(format!("invalid character {} in host name", quoted::go(&[byte])));
            }
            out.push(if byte == b'+' && part == Part::Query { b' ' } else { byte });
            rest = after;
            continue;
        }
        let digits = after.split_first_chunk::<2>().map(|(digits, after)| (digits.map(hexadecimal), after));
        let Some(([Some(high), Some(low)], after)) = digits else { return Err(invalid(rest)) };
        let value = high << 4 | low;
        let refused = match part {
            // A host may escape what is not ASCII, and `%25` for the zone.
            Part::Host => high < 8 && value != b'%',
            Part::Zone => value != b'%' && value != b' ' && !stays(value, Part::Host),
            _ => false,
        };
        if refused {
            return Err(invalid(rest));
        }
        out.push(value);
        rest = after;
    }
    Ok(out)
}

fn invalid(text: &[u8]) -> String {
    format!("invalid URL escape {}", quoted::go(text.get(..3).unwrap_or(text)))
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
