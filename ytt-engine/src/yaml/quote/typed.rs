//! Would this text, written plain, read back as something else than a string?
//!
//! The reader itself answers, so printer and reader cannot disagree. Uses only `core` and `alloc`.

use crate::yaml::resolve::{Resolved, resolve};

/// Is `text` a string when it stands plain and without a tag? Base 60 numbers are read as strings but are not plain
/// here, so that other readers do not take them for numbers.
pub(crate) fn is_plain_string(text: &str) -> bool {
    resolve(text) == Resolved::Str && !is_base_60(text.as_bytes())
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`
fn is_base_60(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"+").or_else(|| bytes.strip_prefix(b"-")).unwrap_or(bytes);
    if !bytes.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let mut parts = bytes.split(|byte| *byte == b':');
    let first = parts.next().unwrap_or_default();
    if !first.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'_')) {
        return false;
    }
    let sixty = |part: &[u8]| matches!(part, [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    let mut has_parts = false;
    while let Some(part) = parts.next() {
        has_parts = true;
        let last = parts.clone().next().is_none();
        let point = if last { part.iter().position(|byte| *byte == b'.') } else { None };
        let (part, fraction) = part.split_at(point.unwrap_or(part.len()));
        if !sixty(part) || !fraction.iter().skip(1).all(|byte| matches!(byte, b'0'..=b'9' | b'_')) {
            return false;
        }
    }
    has_parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_texts_are_not_plain() {
        for text in [
            "",
            "~",
            "null",
            "Null",
            "NULL",
            "true",
            "True",
            "TRUE",
            "y",
            "Y",
            "yes",
            "Yes",
            "YES",
            "on",
            "On",
            "ON",
            "n",
            "N",
            "no",
            "No",
            "NO",
            "false",
            "False",
            "FALSE",
            "off",
            "Off",
            "OFF",
            ".nan",
            ".NaN",
            ".NAN",
            ".inf",
            ".Inf",
            ".INF",
            "+.inf",
            "-.INF",
            "0",
            "12",
            "-1",
            "+1",
            "010",
            "0o10",
            "-0o10",
            "0x_1F",
            "0_7",
            "1_",
            "+_1",
            "0B11",
            "-0x_1",
            "08",
            "09",
            "0b-1",
            "0b+1",
            "18446744073709551615",
            "+18446744073709551615",
            "18446744073709551616",
            "-99999999999999999999",
            "1.",
            ".5",
            "-.5",
            "+.5",
            "1e3",
            "1.e2",
            "1_0.5",
            "1e5_0",
            ".5_0",
            ".5e1_0",
            "2001-01-01",
            "2001-1-1",
            "2001-12-14T21:59:43Z",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14 21:59:43",
            "2001-12-14   1:2:3.5",
            "2001-12-14 21:59:43,10",
            "2000-02-29",
            "1:30",
            "190:20:30.15",
            "-1:0",
            "1_0:59",
            "2001-01-01t1:2:3+24:60",
            "1:5.",
            "0:0:0",
        ] {
            assert!(!is_plain_string(text), "{text}");
        }
    }

    #[test]
    fn near_misses_are_strings() {
        for text in [
            "yEs",
            "tRue",
            "nULL",
            "nil",
            "=",
            "<<",
            "inf",
            "nan",
            "Infinity",
            "-.nan",
            ".Nan",
            "_1",
            "0x",
            "0b",
            "0o8",
            "0b2",
            "--1",
            "+-1",
            "0xg",
            "1e400",
            "0x1p-2",
            ".1p2",
            "1e",
            ".e1",
            "-.",
            "+",
            ".",
            "._5",
            ".5_",
            ".5__0",
            "0x10000000000000000",
            "2001-02-30",
            "2001-13-01",
            "2001-02-29",
            "2001-01-01T1:2Z",
            "2001-01-01t1:2:3z",
            "2001-01-01 24:00:00",
            "2001-01-01 1:2:60",
            "2001-12-14 21:59:43.10 -5",
            "20010-01-01",
            "1:60",
            "1:",
            ":1",
            "1:2.5:3",
            "a",
            "yesterday",
            "-",
            "-a",
            "0x-1",
            "0b--1",
            "-0b-1",
            "1.2.3",
            "1e+",
            "~a",
            "falsey",
            "é",
            "2001-01-01T01:02:03",
            "2001-01-01T01:02:03+25:00",
        ] {
            assert!(is_plain_string(text), "{text}");
        }
    }
}
