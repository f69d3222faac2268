//! Modules that belong to the file which loads them: data, overlay, template.

use super::{check, run};

fn documents(template: &str) -> String {
    match run(template).documents {
        Ok(text) => text,
        Err(problems) => format!("! {}", problems.0[0].full_message()),
    }
}

#[test]
fn data() {
    check(&[
        (r#"data.read("é.txt")"#, r#""grün""#),
        (r#"data.read("bytes") == "\xffa""#, "True"),
        (r#"data.list()"#, r#"["é.txt", "bytes"]"#),
        (r#"data.list("sub/")"#, r#"["sub/é.txt", "bytes"]"#),
        (r#"[type(data.values), dir(data.values)]"#, r#"["NoneType", []]"#),
        (r#"data.read()"#, "! data.read: expected exactly one argument"),
        (r#"data.list(1, 2)"#, "! data.list: expected exactly zero or one argument"),
        (
            r#"data.read("nope")"#,
            "! data.read: Expected to find file 'nope' (hint: only files included via -f flag are available)",
        ),
    ]);
}

#[test]
fn template_replace() {
    let map = "#@ def map():\na: 1\nb: é\n#@ end\n";
    assert_eq!(documents(&format!("{map}---\nx: 0\n_: #@ template.replace(map())\n")), "x: 0\na: 1\nb: é\n");
    assert_eq!(documents("a:\n- #@ template.replace([1, \"\\xff\"])\n"), "a:\n- 1\n- !!binary /w==\n");
    assert_eq!(
        documents("a:\n- #@ template.replace({})\n"),
        "! template.replace: expected value to be array, but was dict"
    );
    assert_eq!(documents("a: #@ template.replace()\n"), "! template.replace: expected exactly one argument");
}

#[test]
fn overlay_apply() {
    check(&[
        (r#"type(overlay.apply(1))"#, r#""yamlfragment""#),
        (r#"yaml.encode(overlay.apply({"é": 1}, {"é": "\xff"}))"#, r#""é: !!binary /w==\n""#),
        (r#"yaml.encode(overlay.apply([1], [2], [3]))"#, r#""- 1\n- 2\n- 3\n""#),
        (r#"yaml.encode(overlay.apply({"a": 1}, None))"#, r#""a: 1\n""#),
        (
            r#"overlay.apply({"a": 1}, {"é": 1})"#,
            "! overlay.apply: Map item (key 'é') on line ?: Expected number of matched nodes to be 1, but was 0",
        ),
        (r#"overlay.apply()"#, "! overlay.apply: expected exactly at least argument"),
    ]);
    let twice = "#@ f = map()\n#@ g = overlay.apply(f, {\"a\": 2})\nx: #@ f\n";
    assert_eq!(documents(&format!("#@ def map():\na: 1\n#@ end\n---\n{twice}")), "x:\n  a: 2\n");
}

#[test]
fn matchers() {
    check(&[
        (
            r#"str(overlay.index(1)) + str(overlay.all)"#,
            r#""<built-in function overlay.index_matcher><built-in function overlay.all>""#,
        ),
        (r#"[overlay.index(1)(1, None, None), overlay.index(1)(0, None, None)]"#, "[True, False]"),
        (r#"overlay.all(0, 1, 2, x=3)"#, "True"),
        (r#"overlay.all()"#, "! overlay.all: expected exactly 3 arguments"),
        (r#"overlay.index()"#, "! overlay.index: expected exactly one argument"),
        (r#"overlay.index("a")"#, "! overlay.index: expected starlark.Int"),
        (r#"overlay.index(1 << 70)"#, "! overlay.index: expected int64 value"),
        (r#"overlay.index(0)("é", None, None)"#, "! overlay.index_matcher: expected starlark.Int"),
        (r#"overlay.map_key("é")(0, {"é": 1}, {"é": 1})"#, "True"),
        (r#"overlay.map_key("a")(0, 1, {})"#, "! overlay.map_key_matcher: Expected value to be map, but was integer"),
        (r#"overlay.map_key(1)"#, "! overlay.map_key: expected a string, but was int"),
        (r#"overlay.subset({"a": "\xff"})(0, {"a": "\xff", "b": 1}, None)"#, "True"),
        (r#"overlay.subset({("a", 1): 2})(0, {("a", 1): 2, "b": 1}, None)"#, "True"),
        (r#"overlay.subset({("a", 2): 2})(0, {("a", 1): 2}, None)"#, "False"),
        (r#"overlay.and_op(overlay.all, overlay.index(1))(0, 1, 1)"#, "False"),
        (r#"overlay.or_op(overlay.all, boom)(0, 1, 1)"#, "True"),
        (r#"overlay.not_op(overlay.all)(0, 1, 1)"#, "False"),
        (r#"str(overlay.not_op(overlay.all))"#, r#""<built-in function overlay.or_op>""#),
        (r#"overlay.and_op()"#, "! overlay.and_op: expected at least one argument"),
        (r#"overlay.and_op("name")(0, 1, 1)"#, "! overlay.and_op: invalid call of non-function (string)"),
        (
            r#"overlay.and_op(overlay.or_op(overlay.map_key("a")))(0, 1, 1)"#,
            "! overlay.and_op: overlay.or_op: overlay.map_key_matcher: Expected value to be map, but was integer",
        ),
    ]);
}
