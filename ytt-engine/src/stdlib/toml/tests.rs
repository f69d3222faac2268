//! Decoding as the reference does it: the values were confirmed with it, and that it refuses what is refused here.

use super::decode::{Table, Toml, decode};
use super::syntax::Scalar;

fn read(text: &[u8]) -> String {
    match decode(text, 100) {
        Ok(decoded) => show_table(&decoded.root),
        Err(fault) => fault.message,
    }
}

fn show_table(table: &Table) -> String {
    let pairs = table.iter().map(|(key, value)| format!("{key:?}: {}", show(value)));
    format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
}

fn show(value: &Toml) -> String {
    match value {
        Toml::Scalar(Scalar::Bool(flag)) => flag.to_string(),
        Toml::Scalar(Scalar::Int(number)) => number.to_string(),
        Toml::Scalar(Scalar::Float(number)) => format!("{number:?}"),
        Toml::Scalar(Scalar::Text(text)) => format!("{text:?}"),
        Toml::Scalar(Scalar::Date(at)) => format!("date at {at}"),
        Toml::List(values) => format!("[{}]", values.iter().map(show).collect::<Vec<_>>().join(", ")),
        Toml::Table(table) => show_table(table),
        Toml::Tables(tables) => {
            format!("[{}]", tables.iter().map(|table| show_table(table)).collect::<Vec<_>>().join(", "))
        }
    }
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(read(text.as_bytes()), *expected, "{text:?}");
    }
}

#[test]
fn values() {
    check(&[
        ("a.b = 1\na.c = 2", "{\"a\": {\"b\": 1, \"c\": 2}}"),
        ("[a.b]\nc = 1\n[a]\nd = 2", "{\"a\": {\"b\": {\"c\": 1}, \"d\": 2}}"),
        ("[[a]]\nb = 1\n[[a]]\n[a.c]\nd = 1", "{\"a\": [{\"b\": 1}, {\"c\": {\"d\": 1}}]}"),
        ("a = [1]\na = 2", "{\"a\": 2}"),
        ("a.b = 1\na = 2", "{\"a\": {\"b\": 1}}"),
        ("a = [{b.c = 1}]", "{\"a\": [{\"c\": 1}]}"),
        ("a = {b = 1}\na.c = 2", "{\"a\": {\"b\": 1, \"c\": 2}}"),
        ("a = {b = 1}\n[a.c]", "{\"a\": {\"b\": 1, \"c\": {}}}"),
        ("\"\" = [1]\n\"\" = 2", "{\"\": 2}"),
        ("a = 0x1F\nb = 0o17\nc = 0b11\nd = 1_000\ne = -0", "{\"a\": 31, \"b\": 15, \"c\": 3, \"d\": 1000, \"e\": 0}"),
        ("a = 1e3\nb = -inf\nc = +inf\nd = 1_0.5_0", "{\"a\": 1000.0, \"b\": -inf, \"c\": inf, \"d\": 10.5}"),
        ("a = \"\"\"\n\\\n  x\n  y \\\n\n  z\"\"\"", "{\"a\": \"xy   z\"}"),
        ("a = \"\"\"b\"\"c\"\"\"\"\"\nd = '''\ne\\n'''", "{\"a\": \"b\\\"\\\"c\\\"\\\"\", \"d\": \"e\\\\n\"}"),
        (
            "a = \"\"\"x\\\\\"\"\"\nb = \"\"\"x\r\ny\"\"\"\nc = '''x\r\n'''",
            "{\"a\": \"x\\\\\\n\", \"b\": \"x\\ny\", \"c\": \"x\\r\\n\"}",
        ),
        ("a = 'x\\ny' # c\n\"é \\u00e9\\U0001F600\" = true", "{\"a\": \"x\\\\ny\", \"é é😀\": true}"),
        ("a = [1, # c\n [2, 3],\n]", "{\"a\": [1, [2, 3]]}"),
    ]);
    assert_eq!(read(b"\xff\xfea = 1"), "{\"a\": 1}");
    assert_eq!(read(b"a = 2001-01-01\nb = [1, 07:32:00.5]"), "{\"a\": date at 4, \"b\": [1, date at 23]}");
}

#[test]
fn what_is_loose_is_named_by_its_line() {
    let found = decode(b"a = [1]\n\na = 2\nb.c = 1\nb = 2\nd = [{e.f = 1}]\n", 100).unwrap().loose;
    let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [3, 5, 6]);
    assert!(decode(b"a = [1]\nb = 2\n", 100).unwrap().loose.is_empty());
}

#[test]
fn errors() {
    check(&[
        ("[a]\n[a]", "toml: line 2: Key 'a' has already been defined."),
        ("a = 1\n[a.b]", "toml: line 2: Key 'a' was already created as a hash."),
        ("[[a]]\n[a]", "toml: line 2: Key 'a' has already been defined."),
        ("[a]\n[[a]]", "toml: line 2: Key 'a' was already created and cannot be used as an array."),
        ("a.b = 1\na.b = 2", "toml: line 2 (last key \"a.b\"): Key 'a.b' has already been defined."),
        ("a", "toml: line 1: key with no value, expected `=`"),
        ("a =", "toml: line 1 (last key \"a\"): expected value but found end of file instead"),
        ("b = 1\na = \n1", "toml: line 2 (last key \"a\"): expected value but found '\\n' instead"),
        ("= 1", "toml: line 1: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`"),
        ("é = 1", "toml: line 1: invalid unquoted key, expected letters, numbers, `-`, `_`"),
        ("a = b", "toml: line 1 (last key \"a\"): string values must be quoted, expected literal string"),
        ("[[a] ]", "toml: line 1: unclosed array table, expected `]`"),
        ("a = [1", "toml: line 1 (last key \"a\"): unclosed array, expected `]`"),
        (
            "a = [1, # \x01\n]",
            "toml: line 1 (last key \"a\"): invalid comment character, expected printable characters",
        ),
        ("a = \"\\q\"", "toml: line 1 (last key \"a\"): invalid escape in string '\\q'"),
        ("a = 0x\n", "toml: line 1 (last key \"a\"): 0x is out of range for int64"),
        ("a = 9223372036854775808", "toml: line 1 (last key \"a\"): 9223372036854775808 is out of range for int64"),
        ("a = 1e400", "toml: line 1 (last key \"a\"): 1e400 is out of range for float64"),
        ("a = 1_", "toml: line 1 (last key \"a\"): `_` may only go between digits"),
        // What is wrong first counts, whether it is the grammar or the tree.
        ("a = 1\na = 2\nb", "toml: line 2 (last key \"a\"): Key 'a' has already been defined."),
        ("a = 1\nb\na = 2", "toml: line 2: key with no value, expected `=`"),
    ]);
    assert_eq!(read(b"a = 1\nb = \"\xe9\""), "toml: line 2: invalid UTF-8 byte: 0xe9");
    assert!(read(b"\xff\xfea\0 \0").contains("files cannot contain NULL bytes; probably using UTF-16"));
    assert!(decode(&b"a = ".iter().chain(&[b'['; 101]).copied().collect::<Vec<_>>(), 100).unwrap_err().too_deep);
}

#[test]
fn what_the_crate_takes_and_the_reference_does_not() {
    check(&[
        ("a = {b = 1,}", "toml: line 1 (last key \"a.b\"): trailing comma not allowed in inline tables"),
        ("a = {b = 1\n}", "toml: line 1 (last key \"a.b\"): newlines not allowed within inline tables"),
        ("a = {b\n= 1}", "toml: line 1 (last key \"a\"): newlines not allowed within inline tables"),
        ("a = {b =\n1}", "toml: line 1 (last key \"a.b\"): newlines not allowed within inline tables"),
        ("\"\\x41\" = 1", "toml: line 1: invalid escape in string '\\x'"),
        ("a = \"\"\"\\\\\\e\"\"\"", "toml: line 1 (last key \"a\"): invalid escape in string '\\e'"),
        ("\u{feff}a = 1", "toml: line 1: invalid unquoted key"),
        ("a = '\u{fffd}'", "toml: line 1: invalid UTF-8 byte: 0xef"),
    ]);
}
