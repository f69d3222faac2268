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
        let [Some(high), Some(low)] = [0, 1].map(|place| after.get(place).and_then(|digit| hexadecimal(*digit))) else {
            return Err(invalid(rest));
        };
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
        rest = &after[2..];
    }
    Ok(out)
}

fn invalid(text: &[u8]) -> String {
    format!("invalid URL escape {}", quoted::go(&text[..text.len().min(3)]))
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}
