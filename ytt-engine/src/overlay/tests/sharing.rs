//! Which nodes are one node after an overlay: what is copied, what is placed as it is.

use super::{Value, script};
use crate::overlay::apply;
use crate::yaml::Val;

/// Left (with `$v` for one shared fragment), rights, the left after all of them.
fn check(shared: &str, left: &str, rights: &[&str], expected: &str) {
    let mut script = script();
    let value = script.fragment("v.yml", shared);
    script.names.insert("v", Value::Val(value));
    script.function("shared", move |_, _| Ok(Value::Val(value)));
    let left_value = script.fragment("l.yml", left);
    for right in rights {
        let right = script.fragment("r.yml", right);
        let before = script.show(right);
        apply(&mut script, left_value, right).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(script.show(right), before);
    }
    assert_eq!(script.show(left_value), expected, "{left}\n{rights:?}");
}

#[test]
fn one_node_at_two_places_changes_at_both() {
    check("k: 1", "a: $v\nb: $v", &["a:\n  k: 2"], "{a: {k: 2}, b: {k: 2}}");
    check(
        "k: 1",
        "a: $v\nb: {w: $v}",
        &["a:\n  #@overlay/match missing_ok=True\n  m: 2"],
        "{a: {k: 1, m: 2}, b: {w: {k: 1, m: 2}}}",
    );
    check("k: 1", "a: $v\nb: $v", &["#@overlay/replace\na: {k: 3}", "a:\n  k: 4"], "{a: {k: 4}, b: {k: 1}}");
}

#[test]
fn the_right_is_copied() {
    check(
        "k: 1",
        "a: {}\nb: {}",
        &[
            "#@overlay/match-child-defaults missing_ok=True\na:\n  x: $v\n#@overlay/match-child-defaults \
             missing_ok=True\nb:\n  x: $v",
            "a:\n  x:\n    k: 2",
        ],
        "{a: {x: {k: 2}}, b: {x: {k: 1}}}",
    );
    check("k: 1", "- 0", &["- $v\n- $v", "#@overlay/match by=overlay.index(1)\n- k: 5"], "[0, {k: 5}, {k: 1}]");
}

#[test]
fn several_nulls_take_one_node() {
    check(
        "k: 1",
        "-\n-\n- q: {w: 0}",
        &[
            "#@overlay/match by=overlay.all, expects=3\n- q:\n    w: 1",
            "#@overlay/match by=overlay.index(0)\n- q:\n    w: 2",
        ],
        "[{q: {w: 2}}, {q: {w: 2}}, {q: {w: 1}}]",
    );
}

#[test]
fn what_via_returns_is_placed_as_it_is() {
    check(
        "k: 1",
        "- 1\n- 2",
        &[
            "#@overlay/match by=overlay.all, expects=2\n#@overlay/replace via=shared\n-",
            "#@overlay/match by=overlay.index(0)\n- k: 2",
        ],
        "[{k: 2}, {k: 2}]",
    );
    check(
        "k: 1",
        "- 1\n- 2",
        &[
            "#@overlay/match by=overlay.all, expects=2\n#@overlay/replace via=right\n- k: 1",
            "#@overlay/match by=overlay.index(0)\n- k: 2",
        ],
        "[{k: 2}, {k: 1}]",
    );
}

#[test]
fn an_inserted_item_stands_twice_but_is_taken_out_once() {
    let insert = "#@overlay/match by=overlay.index(0)\n#@overlay/insert before=True, after=True\n- q: {w: 1}";
    check(
        "k: 1",
        "- 0",
        &[insert, "#@overlay/match by=overlay.index(0)\n- q:\n    w: 2"],
        "[{q: {w: 2}}, 0, {q: {w: 2}}]",
    );
    check("k: 1", "- 0", &[insert, "#@overlay/match by=overlay.index(0)\n#@overlay/remove\n-"], "[0, {q: {w: 1}}]");
}

#[test]
fn one_node_matched_twice_is_changed_twice() {
    let right = "#@overlay/match by=overlay.all, expects=2\n- l:\n  - m";
    check("l: []", "- $v\n- $v", &[right], "[{l: [m, m]}, {l: [m, m]}]");
}

#[test]
fn raw_values_become_nodes_in_place() {
    let mut script = script();
    script.function("seen", |script, args| {
        let text = script.show(args[0]);
        Ok(Value::Str(text.into()))
    });
    let left = script.fragment("l.yml", "a: 1\nb: 1\nc: 1");
    let dicts = "#@overlay/replace via=dict\na:\n#@overlay/replace via=dict\nb:";
    // A matcher that looks at a raw value leaves it raw.
    let look = "#@overlay/match by=overlay.subset(3), expects=\"0+\"\n#@overlay/remove\nz:";
    let right = script.fragment("r.yml", &format!("{dicts}\n{look}"));
    apply(&mut script, left, right).unwrap();
    assert_eq!(script.show(left), "{a: (was= 1), b: (was= 1), c: 1}");
    // In the same application a raw value is a map to overlays, in the next one it is nodes.
    let right = script.fragment("r.yml", "a:\n  was: 2\n#@overlay/replace via=seen\nb:");
    apply(&mut script, left, right).unwrap();
    assert_eq!(script.show(left), "{a: {was: 2}, b: {was: 1}, c: 1}");
}

#[test]
fn annotations_of_the_left_go() {
    let mut script = script();
    let left = script.fragment("l.yml", "#@overlay/replace\n#@schema/x\na: 1");
    let right = script.fragment("r.yml", "#@overlay/match missing_ok=True\nb: {}");
    apply(&mut script, left, right).unwrap();
    let Val::Node(map) = left else { panic!("a map") };
    let arena = script.arena.borrow();
    let names: Vec<Vec<String>> = arena
        .items(map)
        .iter()
        .map(|item| arena.anns_of(*item).iter().map(|ann| ann.name.to_string()).collect())
        .collect();
    assert_eq!(names, [vec!["schema/x".to_string()], vec![]]);
}
