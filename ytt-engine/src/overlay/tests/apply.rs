//! `overlay.apply` of one right: results and one-line errors.

use super::script;
use crate::overlay::apply;
use crate::yaml::Val;

/// Left, right, result in one line or `! ` and the error.
fn check(cases: &[(&str, &str, &str)]) {
    for (left, right, expected) in cases {
        let mut script = script();
        let left_value = script.fragment("l.yml", left);
        let right_value = script.fragment("r.yml", right);
        let before = script.show(right_value);
        let result = match apply(&mut script, left_value, right_value) {
            Ok(value) => {
                assert_eq!(value, left_value, "the result is the left itself: {left}");
                script.show(value)
            }
            Err(error) => format!("! {}", error.full_message()),
        };
        assert_eq!(&result, expected, "\n--- left\n{left}\n--- right\n{right}");
        assert_eq!(script.show(right_value), before, "the right is not changed:\n{right}");
    }
}

#[test]
fn map_items_merge_by_key_and_must_exist() {
    check(&[
        ("a: 1\nb: 2", "b: 3", "{a: 1, b: 3}"),
        ("a: 1", "b: 3", "! Map item (key 'b') on line r.yml:1: Expected number of matched nodes to be 1, but was 0"),
        ("a: 1", "#@overlay/match missing_ok=True\nb: 3", "{a: 1, b: 3}"),
        ("a:\n  b: 1\n  c: 2", "a:\n  c: 3", "{a: {b: 1, c: 3}}"),
        ("a: 1", "a: {}", "! Map item (key 'a') on line r.yml:1: Expected map, but was integer"),
        ("a: {x: 1}", "a: []", "! Map item (key 'a') on line r.yml:1: Expected array, but was map"),
        ("a: {x: 1}", "a: {}", "{a: {x: 1}}"),
        ("a: {x: 1}", "a: 5", "{a: 5}"),
        ("a:", "a:\n  #@overlay/remove\n  x: 1", "{a: {x: 1}}"),
        ("1: x\ntrue: u", "1: z\ntrue: w", "{1: z, true: w}"),
        ("a: 1", "5: 1", "! Map item (key '5') on line r.yml:1: Expected number of matched nodes to be 1, but was 0"),
    ]);
}

#[test]
fn array_items_append_unless_matched() {
    check(&[
        ("- 1", "- 2\n- {x: 1}", "[1, 2, {x: 1}]"),
        ("- 1", "#@overlay/match by=overlay.index(0)\n- 2", "[2]"),
        (
            "- name: x\n  v: 1\n- name: u",
            "#@overlay/match by=\"name\"\n- name: x\n  v: 2",
            "[{name: x, v: 2}, {name: u}]",
        ),
        (
            "- name: x",
            "#@overlay/match by=\"name\"\n- name: z",
            "! Array item on line r.yml:2: Expected number of matched nodes to be 1, but was 0",
        ),
        ("- name: x", "#@overlay/match by=\"name\", missing_ok=True\n- name: z", "[{name: x}, {name: z}]"),
        ("- a\n- b\n- c", "#@overlay/match by=overlay.all, expects=3\n#@overlay/remove\n-", "[]"),
        ("- a\n- b", "#@overlay/append\n- c", "[a, b, c]"),
        (
            "- a\n- b",
            "#@overlay/match by=overlay.index(0)\n#@overlay/insert before=True, after=True\n- c",
            "[c, a, c, b]",
        ),
        (
            "- a\n- b\n- c\n- d",
            "#@overlay/match by=overlay.index(0)\n#@overlay/remove\n-\n\
             #@overlay/match by=overlay.index(0)\n#@overlay/replace\n- F\n\
             #@overlay/match by=overlay.index(0)\n#@overlay/insert before=True\n- ins\n\
             #@overlay/match by=overlay.index(1)\n#@overlay/insert after=True\n- after1\n\
             #@overlay/match by=overlay.index(4)\n- idx4\n- appended\n\
             #@overlay/match by=overlay.index(5)\n#@overlay/remove\n-",
            "[ins, F, after1, c, idx4]",
        ),
    ]);
}

#[test]
fn replace_brings_the_right_key_and_may_add() {
    check(&[
        ("a: {x: 1}", "#@overlay/replace\na: {u: 2}", "{a: {u: 2}}"),
        ("a: 1", "#@overlay/match by=overlay.all\n#@overlay/replace\n_: 5", "{_: 5}"),
        ("a: 1", "#@overlay/match missing_ok=True\n#@overlay/replace or_add=True\nb: 5", "{a: 1, b: 5}"),
        ("a: 1", "#@overlay/replace via=dict\na: 5", "{a: (was= 1)}"),
        ("a: 1", "#@overlay/replace via=right\na: {x: 1}", "{a: {x: 1}}"),
        ("a: 1", "#@overlay/replace via=boom\na: 5", "! Map item (key 'a') on line r.yml:2: fail: boom"),
        (
            "a: 1",
            "#@overlay/replace via=5\na: 5",
            "! Map item (key 'a') on line r.yml:2: Expected 'overlay/replace' annotation keyword argument 'via' to be \
             function, but was starlark.Int",
        ),
        (
            "a: 1",
            "#@overlay/replace or_add=1\na: 5",
            "! Map item (key 'a') on line r.yml:2: expected starlark.Bool, but was starlark.Int",
        ),
        (
            "a: 1",
            "#@overlay/match by=no, missing_ok=True\n#@overlay/replace via=left, or_add=True\nb: 1",
            "{a: 1, b: null}",
        ),
    ]);
}

#[test]
fn counts() {
    let two = "a: 1\nb: 2";
    let key = |args: &str| format!("#@overlay/match by=overlay.all, {args}\n_: 5");
    let fail = |text: &str| format!("! Map item (key '_') on line r.yml:2: {text}");
    for (args, expected) in [
        ("expects=2", "{a: 5, b: 5}".to_string()),
        ("expects=\"2+\"", "{a: 5, b: 5}".to_string()),
        ("expects=\"-1+\"", "{a: 5, b: 5}".to_string()),
        ("expects=[1, \"x\", 2]", "{a: 5, b: 5}".to_string()),
        ("expects=[]", "{a: 5, b: 5}".to_string()),
        ("expects=yes", "{a: 5, b: 5}".to_string()),
        ("when=1", "{a: 1, b: 2}".to_string()),
        ("when=[\"x\", 5]", "{a: 1, b: 2}".to_string()),
        ("when=[5, \"x\"]", fail("Expected 'x' to be in format 'i+' where i is an integer")),
        ("when=no", "{a: 1, b: 2}".to_string()),
        ("expects=3", fail("Expected number of matched nodes to be 3, but was 2 (lines: l.yml:1, l.yml:2)")),
        ("expects=\"3+\"", fail("Expected number of matched nodes to be >= 3, but was 2 (lines: l.yml:1, l.yml:2)")),
        ("missing_ok=True", fail("Expected number of matched nodes to be 1, but was 2 (lines: l.yml:1, l.yml:2)")),
        ("missing_ok=1", fail("Expected keyword argument 'missing_ok' to be a boolean")),
        ("expects=\"2\"", fail("Expected '2' to be in format 'i+' where i is an integer")),
        ("expects=no", fail("Expectation of number of matched nodes failed")),
        ("expects=one", fail("Expected keyword argument 'expects' to have a function that returns a boolean")),
        (
            "expects=None",
            fail(
                "Expected 'overlay/match' annotation keyword argument 'expects' to be either int, string or \
                 function, but was starlark.NoneType",
            ),
        ),
        (
            "expects=1, missing_ok=True",
            fail("Expected only one of keyword arguments ('missing_ok', 'expects') specified"),
        ),
        ("expects=1, when=1", fail("Expected only one of keyword arguments ('when', 'expects') specified")),
        ("expects=big", fail("Expected keyword argument 'expects' to be an integer")),
    ] {
        check(&[(two, &key(args), &expected)]);
    }
}

#[test]
fn child_defaults_are_inherited_each_by_itself() {
    check(&[
        (
            "a: {}",
            "#@overlay/match-child-defaults missing_ok=True\na:\n  b: 1\n  c:\n    d: 1",
            "{a: {b: 1, c: {d: 1}}}",
        ),
        (
            "a: {b: {}}",
            "#@overlay/match-child-defaults missing_ok=True\na:\n  b:\n    x: 1\n  #@overlay/match \
             missing_ok=False\n  z: 1",
            "! Map item (key 'a') on line r.yml:2: Map item (key 'z') on line r.yml:6: Expected number of matched \
             nodes to be 1, but was 0",
        ),
        (
            "a: {b: 1}",
            "#@overlay/match-child-defaults missing_ok=True\na:\n  #@overlay/match expects=1\n  b: 1",
            "! Map item (key 'a') on line r.yml:2: Map item (key 'b') on line r.yml:4: Expected only one of keyword \
             arguments ('missing_ok', 'expects') specified",
        ),
        (
            "a: 1",
            "#@overlay/match-child-defaults by=\"x\"\na: 1",
            "! Map item (key 'a') on line r.yml:2: Unknown 'overlay/match-child-defaults' annotation keyword argument \
             'by'",
        ),
        ("a: 1", "#@overlay/match-child-defaults by=\"x\"\n#@overlay/remove\na: 1", "{}"),
        ("- 1", "#@overlay/match-child-defaults expects=9\n- 2", "[1, 2]"),
    ]);
}

#[test]
fn matchers_and_their_errors() {
    let array = "- name: x\n  v: 1\n- name: u\n  v: 2";
    let on = |by: &str| format!("#@overlay/match by={by}\n- name: u\n  v: 9");
    let fail = |text: &str| format!("! Array item on line r.yml:2: {text}");
    let changed = "[{name: x, v: 1}, {name: u, v: 9}]".to_string();
    for (by, expected) in [
        ("\"name\"", changed.clone()),
        ("overlay.map_key(\"name\")", changed.clone()),
        ("overlay.subset({\"v\": 2})", changed.clone()),
        ("overlay.and_op(overlay.subset({\"v\": 2}), yes)", changed.clone()),
        ("overlay.or_op(overlay.index(1), boom)", fail("overlay.or_op: fail: boom")),
        ("overlay.not_op(overlay.index(0))", changed.clone()),
        (
            "3",
            fail(
                "Expected 'overlay/match' annotation keyword argument 'by' to be either string (for map key) or \
                 function, but was starlark.Int",
            ),
        ),
        ("overlay.and_op(\"name\")", fail("overlay.and_op: invalid call of non-function (string)")),
        ("overlay.and_op(one)", fail("overlay.and_op: expected starlark.Bool, but was starlark.Int")),
        ("one", fail("expected starlark.Bool, but was starlark.Int")),
        ("\"nam\"", fail("overlay.map_key_matcher: Expected to find map item with key 'nam', but did not")),
        (
            "overlay.and_op(overlay.or_op(overlay.map_key(\"zz\")))",
            fail(
                "overlay.and_op: overlay.or_op: overlay.map_key_matcher: Expected to find map item with key 'zz', \
                 but did not",
            ),
        ),
        ("overlay.subset(yes)", fail("overlay.subset_matcher: unknown type function for conversion to a value")),
    ] {
        check(&[(array, &on(by), &expected)]);
    }
    check(&[
        (
            "- 1",
            "#@overlay/match by=\"k\"\n- {k: 1}",
            "! Array item on line r.yml:2: overlay.map_key_matcher: Expected value to be map, but was integer",
        ),
        (
            "a: 1",
            "#@overlay/match by=overlay.index(0)\na: 1",
            "! Map item (key 'a') on line r.yml:2: overlay.index_matcher: expected starlark.Int",
        ),
        ("0: 1", "#@overlay/match by=overlay.index(0)\nz: 7", "{0: 7}"),
        (
            "a: {id: 1}\nb: {id: 2}",
            "#@overlay/match by=\"id\"\n_: {id: 2, \"#\": 1}",
            "! Map item (key '_') on line r.yml:2: Map item (key '#') on line r.yml:2: Expected number of matched \
             nodes to be 1, but was 0",
        ),
        (
            "- 1",
            "#@overlay/match\n- 1",
            "! Array item on line r.yml:2: Expected 'overlay/match' annotation to have at least one keyword \
             argument (by=..., expects=...)",
        ),
        (
            "- 1",
            "#@overlay/match expects=1\n- 1",
            "! Array item on line r.yml:2: Expected 'overlay/match' annotation keyword argument 'by' to be specified",
        ),
        (
            "- 1",
            "#@overlay/match bye=1\n- 1",
            "! Array item on line r.yml:2: Unknown 'overlay/match' annotation keyword argument 'bye'",
        ),
    ]);
}

#[test]
fn subset_is_partial_equality() {
    for (left, target, matches) in [
        ("{a: 1, b: 2}", "{\"a\": 1}", true),
        ("{a: 1}", "{\"a\": 1.0}", false),
        ("{a: 1}", "{\"a\": \"1\"}", false),
        ("{a: 1}", "{}", true),
        ("[]", "{}", false),
        ("[1, 2]", "[1]", true),
        ("[1, 2]", "[2]", false),
        ("[1]", "[1, 2]", false),
        ("{a: {b: [{c: 1, d: 2}]}}", "{\"a\": {\"b\": [{\"c\": 1}]}}", true),
        ("{a: 1}", "{\"zz\": None}", false),
        ("{zz: null}", "{\"zz\": None}", true),
        ("x", "\"x\"", true),
    ] {
        let right = format!("#@overlay/match by=overlay.subset({target}), missing_ok=True\n#@overlay/replace\n- hit");
        let mut script = script();
        let left_value = script.fragment("l.yml", &format!("- {left}"));
        let right = script.fragment("r.yml", &right);
        apply(&mut script, left_value, right).unwrap();
        assert_eq!(script.show(left_value) == "[hit]", matches, "{left} {target}");
    }
}

#[test]
fn operations_that_do_not_fit() {
    check(&[
        (
            "a: 1",
            "#@overlay/remove\n#@overlay/replace\na: 1",
            "! Map item (key 'a') on line r.yml:3: Expected to find only one overlay operation",
        ),
        (
            "a: 1",
            "#@overlay/insert before=True\na: 1",
            "! Map item (key 'a') on line r.yml:2: Found @overlay/insert on map item (r.yml:2); only array items can \
             be annotated with @overlay/insert",
        ),
        (
            "- 1",
            "#@overlay/match by=overlay.all\n#@overlay/insert\n- 1",
            "! Array item on line r.yml:3: Expected 'overlay/insert' annotation to have at least one keyword argument \
             (before=..., after=...)",
        ),
    ]);
}

#[test]
fn assertions_check_and_then_merge() {
    check(&[
        ("a: 1", "#@overlay/assert\na: 1", "{a: 1}"),
        ("a: [1]", "#@overlay/assert\na: [1]", "{a: [1, 1]}"),
        ("a: 1", "#@overlay/assert via=none\na: 2", "{a: 1}"),
        (
            "a: 1",
            "#@overlay/assert\na: x",
            "! Map item (key 'a') on line r.yml:2: Expected objects to equal, but did not: Expected leaf values to \
             match integer string",
        ),
        (
            "a: {b: 1}",
            "#@overlay/assert\na: {c: 1}",
            "! Map item (key 'a') on line r.yml:2: Expected objects to equal, but did not: Expected at least one \
             map item to match by key",
        ),
        (
            "a: [1]",
            "#@overlay/assert\na: [1, 2]",
            "! Map item (key 'a') on line r.yml:2: Expected objects to equal, but did not: Expected to have \
             matching number of array items",
        ),
        (
            "a: 1",
            "#@overlay/assert\na: {c: 1}",
            "! Map item (key 'a') on line r.yml:2: Expected objects to equal, but did not: Expected map, but was \
             integer",
        ),
        (
            "a: 1",
            "#@overlay/assert via=no\na: 1",
            "! Map item (key 'a') on line r.yml:2: Expected via invocation to return true, but was false",
        ),
        (
            "a: 1",
            "#@overlay/assert via=bad\na: 1",
            "! Map item (key 'a') on line r.yml:2: Expected via invocation to return true, but was false with \
             message: bad",
        ),
        (
            "a: 1",
            "#@overlay/assert via=one\na: 1",
            "! Map item (key 'a') on line r.yml:2: Expected via invocation to return NoneType, Bool or \
             Tuple(Bool,String), but returned neither of those",
        ),
        (
            "a: 1",
            "#@overlay/assert via=3\na: 1",
            "! Map item (key 'a') on line r.yml:2: Expected 'overlay/assert' annotation keyword argument 'via' to \
             be function, but was starlark.Int",
        ),
        (
            "a:",
            "#@overlay/assert via=yes\na: {x: 1}",
            "! Map item (key 'a') on line r.yml:2: Expected map, but was null",
        ),
    ]);
}

#[test]
fn scalars_and_kinds_at_the_top() {
    let mut script = script();
    assert_eq!(apply(&mut script, Val::Int(1), Val::Int(2)).unwrap(), Val::Int(1));
    let map = script.fragment("m.yml", "a: 1");
    assert_eq!(apply(&mut script, map, Val::Null).unwrap(), map);
    let error = apply(&mut script, Val::Null, map).unwrap_err();
    assert_eq!(error.full_message(), "Expected map, but was null");
    let set = script.set("s.yml", "a: 1");
    let error = apply(&mut script, map, Val::Node(set)).unwrap_err();
    assert_eq!(error.full_message(), "Expected document set, but was map");
}

/// Compat: programs that try an overlay see the reference's texts, other people what is meant.
#[test]
fn texts_of_the_reference_for_programs_that_try() {
    let right = "1:\n  #@overlay/match by=overlay.not_op(3)\n  a: 1";
    for (tried, expected) in [
        (false, "Map item (key '1') on line r.yml:1: Map item (key 'a') on line r.yml:3: overlay.not_op: "),
        (true, "Map item (key '%!s(int=1)') on line r.yml:1: Map item (key 'a') on line r.yml:3: overlay.or_op: "),
    ] {
        let mut script = script();
        script.tried = tried;
        let left = script.fragment("l.yml", "1: {a: 2}");
        let right = script.fragment("r.yml", right);
        let error = apply(&mut script, left, right).unwrap_err();
        assert_eq!(error.full_message(), format!("{expected}invalid call of non-function (int)"));
    }
}
