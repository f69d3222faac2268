//! The warning of places that were changed without being matched: when it comes, and what it names.

use super::{Value, script};
use crate::overlay::{Options, documents, warn_of_shared};

/// Messages of the warnings after the overlays of one text; `$v` is the one fragment `k: 1` and `l: [{w: 1}]`.
fn warnings(left: &str, overlays: &str, kept: bool) -> Vec<String> {
    let mut script = script();
    let value = script.fragment("v.yml", "k: 1\nl:\n- {w: 1}");
    script.names.insert("v", Value::Val(value));
    let left = script.set("l.yml", left);
    let overlays = script.read("o.yml", overlays);
    if kept {
        script.arena.borrow_mut().events.keep(crate::yaml::Keep::Changes);
    }
    documents(&mut script, &[left], &overlays, Options { collecting: false, reports: 20 }).unwrap();
    warn_of_shared(&mut script, &[left]);
    script.warnings.iter().map(|warning| warning.message().to_string()).collect()
}

const MATCH: &str = "#@overlay/match by=overlay.all\n---\n";

#[test]
fn a_place_that_was_not_matched_is_named() {
    for (left, overlay, expected) in [
        ("a: $v\nb: $v", "a:\n  k: 2", "b.k"),
        ("a: $v\nb: $v", "b:\n  #@overlay/match missing_ok=True\n  m: 2", "a"),
        ("a: $v\nb: $v", "b:\n  #@overlay/remove\n  k:", "a"),
        ("a: $v\nb: $v", "a:\n  #@overlay/replace\n  k: 2", "b"),
        ("a: {x: $v}\nb: {u: {z: $v}}", "a:\n  x:\n    k: 2", "b.u.z.k"),
        ("a: $v\nb:\n- 0\n- $v", "a:\n  l:\n  #@overlay/match by=overlay.index(0)\n  - w: 2", "b[1].l[0].w"),
        ("a:\n- $v\n- $v", "a:\n#@overlay/match by=overlay.index(1)\n- k: 2", "a[0].k"),
    ] {
        let found = warnings(left, &format!("{MATCH}{overlay}"), true);
        let expected = format!("this overlay changes `{expected}` of document 1 of l.yml too, which it did not match");
        assert_eq!(found, [expected], "{left}\n{overlay}");
    }
}

#[test]
fn nothing_is_said_of_places_that_were_matched_or_are_gone() {
    for (left, overlay) in [
        ("a: $v\nb: $v", "a:\n  k: 2\nb:\n  k: 3"),
        ("a:\n- $v\n- $v", "a:\n#@overlay/match by=overlay.all, expects=2\n- k: 2"),
        ("a: $v\nb: $v", "a:\n  k: 2\n#@overlay/remove\nb:"),
        ("a: $v\nb: $v", "#@overlay/replace\na: 1"),
        ("a: $v\nb: $v", "a:\n  #@overlay/assert\n  k: 1"),
        ("a: $v\nb: 1", "a:\n  k: 2"),
    ] {
        assert_eq!(warnings(left, &format!("{MATCH}{overlay}"), true), [""; 0], "{left}\n{overlay}");
    }
}

#[test]
fn each_overlay_tells_of_a_shared_node_once() {
    let first = format!("{MATCH}a:\n  k: 2\n  l:\n  #@overlay/match by=overlay.index(0)\n  - w: 2\n");
    let both = format!("{first}{MATCH}b:\n  k: 3");
    let found = warnings("a: $v\nb: $v", &both, true);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("`b.k` of") && found[1].contains("`a.k` of"), "{found:?}");
}

#[test]
fn nothing_is_recorded_unless_asked_for() {
    assert_eq!(warnings("a: $v\nb: $v", &format!("{MATCH}a:\n  k: 2"), false), [""; 0]);
}
