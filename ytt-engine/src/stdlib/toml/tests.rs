//! Decoding as the reference does it, errors included; every row was confirmed with it.

use super::decode::{Table, Toml, decode};

fn read(text: &[u8]) -> String {
    match decode(text, 100) {
        Ok(decoded) => show_table(&decoded.root),
        Err(error) => error.message,
    }
}

fn show_table(table: &Table) -> String {
    let pairs = table.iter().map(|(key, value)| format!("{:?}: {}", String::from_utf8_lossy(key), show(value)));
    format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
}

fn show(value: &Toml) -> String {
    match value {
        Toml::Bool(flag) => flag.to_string(),
        Toml::Int(number) => number.to_string(),
        Toml::Float(number) => format!("{number:?}"),
        Toml::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        Toml::Date(end) => format!("date before {end}"),
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
        ("a = 'x\\ny' # c\n\"é \\u00e9\\U0001F600\" = true", "{\"a\": \"x\\\\ny\", \"é é😀\": true}"),
        ("a = [1, # c\n [2, 3],\n]", "{\"a\": [1, [2, 3]]}"),
    ]);
    assert_eq!(read(b"\xff\xfea = 1"), "{\"a\": 1}");
    assert_eq!(read(b"a = 2001-01-01\nb = [1, 07:32:00.5]"), "{\"a\": date before 14, \"b\": [1, date before 33]}");
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
        (
            "a=1 b",
            "toml: line 1: expected a top-level item to end with a newline, comment, or EOF, but got 'b' instead",
        ),
        ("[a]\n[a]", "toml: line 2: Key 'a' has already been defined."),
        ("a = 1\n[a.b]", "toml: line 2: Key 'a' was already created as a hash."),
        ("[[a]]\n[a]", "toml: line 2: Key 'a' has already been defined."),
        ("[a]\n[[a]]", "toml: line 2: Key 'a' was already created and cannot be used as an array."),
        ("a", "toml: line 0: unexpected EOF; expected key separator '='"),
        ("a =", "toml: line 0 (last key \"a\"): unexpected EOF; expected value"),
        ("= 1", "toml: line 1: unexpected '=': key name appears blank"),
        (".a = 1", "toml: line 1: unexpected '.': keys cannot start with a '.'"),
        ("a. = 1", "toml: line 1: unexpected '='"),
        ("é = 1", "toml: line 1: expected '.' or '=', but got 'é' instead"),
        ("a = b", "toml: line 1 (last key \"a\"): expected value but found \"b\" instead"),
        ("a = \n1", "toml: line 2 (last key \"a\"): expected value but found '\\n' instead"),
        ("[", "toml: line 1: unexpected end of table name (table names cannot be empty)"),
        ("[]", "toml: line 1: unexpected end of table name (table names cannot be empty)"),
        ("[.a]", "toml: line 1: unexpected table separator (table names cannot be empty)"),
        ("[a b]", "toml: line 1: expected '.' or ']' to end table name, but got 'b' instead"),
        ("[[a] ]", "toml: line 1: expected end of table array name delimiter ']', but got ' ' instead"),
        ("a = [1 2]", "toml: line 1 (last key \"a\"): expected a comma (',') or array terminator (']'), but got '2'"),
        ("a = [,]", "toml: line 1 (last key \"a\"): unexpected comma"),
        (
            "a = [1",
            "toml: line 0 (last key \"a\"): expected a comma (',') or array terminator (']'), but got end of file",
        ),
        ("a = {b = 1,}", "toml: line 1 (last key \"a.b\"): trailing comma not allowed in inline tables"),
        ("a = {b = 1\n}", "toml: line 1 (last key \"a.b\"): newlines not allowed within inline tables"),
        (
            "a = {b = 1 c = 2}",
            "toml: line 1 (last key \"a.b\"): expected a comma or an inline table terminator '}', but got 'c' instead",
        ),
        ("a = \"b\nc\"", "toml: line 1 (last key \"a\"): strings cannot contain newlines"),
        ("a = \"\\q\"", "toml: line 1 (last key \"a\"): invalid escape in string '\\q'"),
        (
            "a = \"\\u12\"",
            "toml: line 1 (last key \"a\"): expected four hexadecimal digits after '\\u', but got \"\\\\u12\\\"\" instead",
        ),
        ("a = \"\\ud800\"", "toml: line 1 (last key \"a\"): Escaped character '\\ud800' is not valid UTF-8."),
        ("a = \"", "toml: line 0 (last key \"a\"): unexpected EOF; expected '\"'"),
        ("a = \"\"\"", "toml: line 0 (last key \"a\"): unexpected EOF; expected '\"\"\"'"),
        ("a = \"\"\"\"\"\"\"\"\"", "toml: line 1 (last key \"a\"): unexpected '\"\"\"\"\"\"'"),
        ("a = 01", "toml: line 1 (last key \"a\"): Invalid integer \"01\": cannot have leading zeroes"),
        ("a = 1_", "toml: line 1 (last key \"a\"): Invalid integer \"1_\": underscores must be surrounded by digits"),
        ("a = 9223372036854775808", "toml: line 1 (last key \"a\"): 9223372036854775808 is out of range for int64"),
        ("a = 1e400", "toml: line 1 (last key \"a\"): 1e400 is out of range for float64"),
        ("a = 1.", "toml: line 1 (last key \"a\"): Invalid float \"1.\": '.' must be followed by one or more digits"),
        ("a = 1e", "toml: line 1 (last key \"a\"): Invalid float value: \"1e\""),
        ("a = .5", "toml: line 1 (last key \"a\"): floats must start with a digit, not '.'"),
        ("a = -0x1", "toml: line 1 (last key \"a\"): cannot use sign with non-decimal numbers: '-0x'"),
        ("a = 0b2", "toml: line 1 (last key \"a\"): not a binary number: '0b2'"),
        ("a = 0xg", "toml: line 1 (last key \"a\"): not a hexidecimal number: '0xg'"),
        ("a = +", "toml: line 0 (last key \"a\"): expected a digit but got '\\x00'"),
        ("a = 1979-13-27", "toml: line 1 (last key \"a\"): Invalid TOML Datetime: \"1979-13-27\"."),
        ("a = 1979-02-30", "toml: line 1 (last key \"a\"): Invalid TOML Datetime: \"1979-02-30\"."),
        ("a = \x01", "toml: line 1 (last key \"a\"): TOML files cannot contain control characters: '0x01'"),
        ("a = \r", "toml: line 1 (last key \"a\"): TOML files cannot contain control characters: '0x0d'"),
        ("\n\n\x00", "toml: line 1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8"),
    ]);
    assert_eq!(read(b"a = 1\nb = \"\xe9\""), "toml: line 2 (last key \"b\"): invalid UTF-8 byte: 0xe9");
    assert!(decode(&b"a = ".iter().chain(&[b'['; 101]).copied().collect::<Vec<_>>(), 100).unwrap_err().limit);
}
