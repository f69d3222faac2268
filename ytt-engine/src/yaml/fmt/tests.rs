//! Texts before and after the formatter.

use super::*;

fn check(text: &str, expected: &str) {
    assert_eq!(format("a.yml", text.as_bytes(), false).unwrap(), expected, "{text:?}");
}

#[test]
fn comments_and_layout() {
    for (text, expected) in [
        ("", ""),
        ("{a: 1, b: [yes]} # c\n", "a: 1\nb:\n  - true # c\n"),
        (
            "# top\na: 1\n# mid\nb:\n  # in\n  c: 1\n  # in2\n  d: 2\n# end\n",
            "# top\na: 1\n\n# mid\nb:\n  # in\n  c: 1\n\n  # in2\n  d: 2\n\n# end\n---\n",
        ),
        ("# c\n---\na: 1\n", "\n# c\n---\na: 1\n"),
        ("a: \"x\\ny\" # c\n", "a: # c\n  |-\n  x\n  y\n"),
        ("a: # c\n- 1\n", "a: # c\n  - 1\n"),
        ("-\n  # c\n  a: 1\n", "-\n  # c\n  a: 1\n"),
        ("a:\n  b:\n    c: |\n      x\n\n      y\n", "a:\n  b:\n    c: |\n      x\n    \n      y\n"),
        ("b: # d\nc:\n", "b: # d\nc: null\n"),
        ("- - 1\n  - a: 1\n    b: 2\n", "- - 1\n  - a: 1\n    b: 2\n"),
        ("--- # x\na: &y 1.0\nb: *y\n--- 2001-01-01\n", "--- # x\na: 1\nb: 1\n---\n\"2001-01-01\"\n"),
        ("a: 1\na: 2\n", "a: 1\na: 2\n"),
        ("a: >\n  x\n  y\n", "a: |\n  x y\n"),
        ("a: {b: {c: \"x\\u2028\\ny\"}}\n", "a:\n  b:\n    c: |-\n      x\u{2028}\n      y\n"),
    ] {
        check(text, expected);
    }
}

#[test]
fn damage_is_mended() {
    for (text, expected) in [
        ("a: {}\nb: [] # c\n", "a: {}\nb: [] # c\n"),
        ("- {}\n- 1\n", "- {}\n- 1\n"),
        ("{}\n", "{}\n"),
        (
            "\"a: b\": 1\n\"true\": 2\n\"\": 3\n\"#x\": 4\n\"<<\": {a: 1}\n",
            "'a: b': 1\n\"true\": 2\n\"\": 3\n'#x': 4\n\"<<\":\n  a: 1\n",
        ),
        ("1: a\non: b\n~: c\n1.0: d\n", "1: a\ntrue: b\nnull: c\n1: d\n"),
        ("\"x\\ny\\n\": 1\n", "? |\n  x\n  y\n: 1\n"),
        ("a:\n  ? \"x\\ny\"\n  : [1]\n", "a:\n  ? |-\n    x\n    y\n  : - 1\n"),
        ("? [a, {b: 1}]\n: # c\n  d: 1\n", "? - a\n  - b: 1\n:\n  # c\n  d: 1\n"),
        ("- ? {a: b}\n  : x\n", "- ? a: b\n  : x\n"),
        ("|\n  x\n  y\n", "|\n  x\n  y\n"),
        // An empty line would become a part of the text.
        ("a: |+\n  x\n\n# c\nb: 1\n", "a: |+\n  x\n\n# c\nb: 1\n"),
        ("--- |+\n  x\n\n# c\n--- 1\n", "|+\n  x\n\n# c\n---\n1\n"),
        ("? {\"<<\": 1}\n: 2\n", "? \"<<\": 1\n: 2\n"),
        ("a: {b: {c: \"x\\n\\u2028y\"}}\n", "a:\n  b:\n    c: |-\n      x\n    \u{2028}      y\n"),
        // A key of more bytes than a line has.
        (
            &format!("? !!binary \"{}\"\n: 1\n", "/".repeat(120)),
            &format!("? !!binary |\n  {}\n  {}\n: 1\n", "/".repeat(70), "/".repeat(50)),
        ),
    ] {
        check(text, expected);
    }
}

#[test]
fn keys_that_read_back_stay_as_they_are() {
    for key in ["2001-01-01", "1:30", "😀", "---a", "-", "a\tb"] {
        check(&format!("\"{key}\": 1\n"), &format!("{key}: 1\n"));
    }
    // A key at the left edge could be taken for a marker.
    check("\"--- a\": {\"--- a\": 1}\n", "'--- a':\n  --- a: 1\n");
    let long = "x".repeat(1024);
    check(&format!("? {long}\n: 1\n"), &format!("{long}: 1\n"));
    check(&format!("? {long}x\n: 1\n"), &format!("? {long}x\n: 1\n"));
}

#[test]
fn errors_name_the_file() {
    let error = format("b.yml", b"a: [\n", false).unwrap_err();
    assert_eq!(error.file().as_deref(), Some("b.yml"));
    assert!(format("b.yml", b"a: yes\n", true).is_err());
}

#[test]
fn what_is_formatted_stays_as_it_is() {
    for text in [
        "# top\n{a: [1, {b: c, d: []}], e: \"x\\n\\n\"} # f\n---\n# g\n- - - 1 # h\n",
        "\"a: b\": {1: x, \"1\": y}\n? [1, 2]\n: ? {a: 1}\n  : b\n",
    ] {
        let once = format("a.yml", text.as_bytes(), false).unwrap();
        check(&once, &once);
    }
}
