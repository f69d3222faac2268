//! The stage over documents, exact application, plain merges; problems that are gathered.

use super::{Value, script};
use crate::call::Call;
use crate::diag::{Diagnostics, Note};
use crate::overlay::{Options, documents, exact, plain_merge_annotations};
use crate::yaml::Val;

const FIRST: Options = Options { collecting: false, reports: 20 };
const ALL: Options = Options { collecting: true, reports: 20 };

/// Result of the stage over files: documents of each, and the problems.
fn stage(files: &[&str], overlays: &str, options: Options) -> (Vec<String>, Diagnostics) {
    let mut script = script();
    let sets: Vec<_> =
        files.iter().enumerate().map(|(number, text)| script.set(&format!("f{number}.yml"), text)).collect();
    let overlays = script.read("o.yml", overlays);
    let result = documents(&mut script, &sets, &overlays, options);
    let shown = sets.iter().map(|set| script.show(Val::Node(*set))).collect();
    (shown, result.err().unwrap_or_default())
}

fn messages(problems: &Diagnostics) -> Vec<String> {
    problems.0.iter().map(|problem| problem.full_message()).collect()
}

#[test]
fn documents_stay_with_their_files() {
    for (overlay, expected) in [
        ("#@overlay/match by=overlay.all, expects=3\n---\nk: 5", ["{k: 5} --- {k: 5}", "{k: 5}"]),
        ("#@overlay/match by=overlay.index(2)\n#@overlay/remove\n---", ["{k: 1} --- {k: 2}", ""]),
        (
            "#@overlay/match by=overlay.index(1)\n#@overlay/insert before=True\n---\nm: 1",
            ["{k: 1} --- {m: 1} --- {k: 2}", "{k: 3}"],
        ),
        ("#@overlay/match by=overlay.all\n#@overlay/append\n---\nm: 1", ["{k: 1} --- {k: 2}", "{k: 3} --- {m: 1}"]),
        (
            "#@overlay/match by=no, expects=0\n#@overlay/replace or_add=True\n---\nm: 1",
            ["{k: 1} --- {k: 2} --- {m: 1}", "{k: 3}"],
        ),
        ("#@overlay/match by=no, expects=0\n---\nm: 1", ["{k: 1} --- {k: 2}", "{k: 3}"]),
        ("#@overlay/match by=overlay.subset({\"k\": 2})\n---", ["{k: 1} --- null", "{k: 3}"]),
        ("#@overlay/match by=overlay.all, when=1\n---\nz: 1", ["{k: 1} --- {k: 2}", "{k: 3}"]),
    ] {
        let (shown, problems) = stage(&["---\nk: 1\n---\nk: 2", "---\nk: 3"], overlay, FIRST);
        assert_eq!((shown.as_slice(), messages(&problems)), (&expected.map(str::to_string)[..], vec![]), "{overlay}");
    }
}

#[test]
fn documents_have_their_own_texts() {
    for (overlay, expected) in [
        (
            "#@overlay/match by=\"k\"\n---\n{}",
            "Expected 'overlay/match' annotation keyword argument 'by' to be function, but was starlark.String",
        ),
        (
            "#@overlay/match expects=1\n---\n{}",
            "Expected 'overlay/match' annotation keyword argument 'by'  to be specified",
        ),
        (
            "#@overlay/match\n---\n{}",
            "Expected 'overlay/match' annotation to have at least one keyword argument (by=..., expects=...)",
        ),
        ("#@overlay/match by=overlay.all\n---\n[]", "Expected array, but was map"),
        ("#@overlay/match by=no\n---\n[]", "Expected number of matched nodes to be 1, but was 0"),
    ] {
        let (_, problems) = stage(&["---\nk: 1"], overlay, FIRST);
        assert_eq!(messages(&problems), [format!("Document on line o.yml:2: {expected}")]);
    }
    let (_, problems) = stage(&[], "#@overlay/match by=no\n#@overlay/append\n---\n{}", FIRST);
    assert_eq!(
        messages(&problems),
        ["Document on line o.yml:3: Expected at least one document to overlay, but found none"]
    );
}

#[test]
fn independent_problems_are_all_reported() {
    let files = ["---\nspec:\n  replicas: 1\n  image: x\nmeta: {a: 1}"];
    let overlay =
        "#@overlay/match by=overlay.all\n---\nspec:\n  replica: 3\n  image: z\nmeta:\n  b: 1\n  a: 2\nnone: 1";
    let (shown, problems) = stage(&files, overlay, ALL);
    assert_eq!(shown, ["{spec: {replicas: 1, image: z}, meta: {a: 2}}"]);
    let at = "Document on line o.yml:2: ";
    let text = "Expected number of matched nodes to be 1, but was 0";
    assert_eq!(
        messages(&problems),
        [
            format!("{at}Map item (key 'spec') on line o.yml:3: Map item (key 'replica') on line o.yml:4: {text}"),
            format!("{at}Map item (key 'meta') on line o.yml:6: Map item (key 'b') on line o.yml:7: {text}"),
            format!("{at}Map item (key 'none') on line o.yml:9: {text}"),
        ]
    );
}

#[test]
fn what_only_follows_is_counted() {
    let overlay =
        "#@overlay/match by=overlay.all\n---\na:\n  x: 1\n#@overlay/match by=overlay.all\n---\na:\n  x: 2\nb: 1";
    let (_, problems) = stage(&["---\nc: 1"], overlay, ALL);
    assert_eq!(problems.0.len(), 2, "{problems:?}");
    assert!(problems.0[1].full_message().contains("'b'"));
    assert_eq!(
        problems.0[1].parts().notes.last().map(Note::text),
        Some("1 more problem is not shown: it may be a consequence of those above")
    );
}

#[test]
fn the_same_failure_at_several_places_is_one() {
    let overlay = "#@overlay/match by=overlay.all, expects=3\n---\nx: 1";
    let (_, problems) = stage(&["---\na: 1\n---\na: 2\n---\na: 3"], overlay, ALL);
    assert_eq!(problems.0.len(), 1, "{problems:?}");
}

#[test]
fn arguments_inside_of_skipped_items_are_checked() {
    let overlay = "#@overlay/match by=overlay.all\n---\na:\n  #@overlay/match x=1\n  b: 1\n  #@overlay/insert \
     before=True\n  c: 1";
    let (_, problems) = stage(&["---\nz: 1"], overlay, ALL);
    let texts: Vec<&str> = problems.0.iter().map(|problem| problem.message()).collect();
    assert_eq!(
        texts,
        [
            "Expected number of matched nodes to be 1, but was 0",
            "Unknown 'overlay/match' annotation keyword argument 'x'",
            "Found @overlay/insert on map item (o.yml:7); only array items can be annotated with @overlay/insert",
        ]
    );
}

#[test]
fn shown_problems_have_a_cap() {
    let keys = |value: &str| (0..30).map(|number| format!("k{number}: {{{value}: 1}}\n")).collect::<String>();
    let overlay = format!("#@overlay/match by=overlay.all\n---\n{}", keys("other"));
    let (_, problems) = stage(&[&format!("---\n{}", keys("z"))], &overlay, ALL);
    assert_eq!(problems.0.len(), 20);
    assert_eq!(
        problems.0[19].parts().notes.last().map(Note::text),
        Some("10 more errors of these overlays are not shown")
    );
}

#[test]
fn nearest_keys_are_named_with_the_edit() {
    let files = ["---\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1"];
    let overlay = "#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})\n---\nspec:\n  replica: 3";
    let (_, problems) = stage(&files, overlay, ALL);
    let parts = problems.0[0].parts();
    let labels: Vec<&str> = parts.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(
        labels,
        [
            "no key `replica` in `spec` of Deployment web",
            "this overlay matched Deployment web (f0.yml:1)",
            "nearest key"
        ]
    );
    let helps: Vec<(&str, Option<&str>)> = parts
        .helps
        .iter()
        .map(|help| (help.text.as_str(), help.edit.as_ref().map(|(_, text)| text.as_str())))
        .collect();
    assert_eq!(
        helps,
        [
            ("did you mean `replicas`?", Some("replicas")),
            (
                "only if `replica` is meant to be a new key: `#@overlay/match missing_ok=True`",
                Some("#@overlay/match missing_ok=True\n  ")
            ),
        ]
    );
}

#[test]
fn nearest_documents_and_items_are_named() {
    let files = ["---\nkind: D\nname: web-1\n---\nkind: S\nname: web\n---\nkind: X"];
    let overlay = "#@overlay/match by=overlay.subset({\"kind\": \"D\", \"name\": \"web\"})\n---\nz: 1";
    let (_, problems) = stage(&files, overlay, ALL);
    let labels: Vec<&str> = problems.0[0].parts().labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(
        labels,
        ["matches none of the 3 documents", "1 of 2 keys of the subset match: `name` is `web-1`, expected `web`",]
    );
}

/// One exact application of a right document.
fn exactly(left: &str, right: &str) -> String {
    let mut script = script();
    let left = script.read("l.yml", left)[0];
    let right = script.read("r.yml", right)[0];
    match exact(&mut script, left, right, None, false, FIRST) {
        Ok(document) => script.show(Val::Node(document)),
        Err(problems) => format!("! {}", problems.0[0].full_message()),
    }
}

#[test]
fn exact_application_needs_no_document_match() {
    for (right, expected) in [
        ("---\na: 2", "{a: 2, l: [1]}"),
        ("---\nl: [2]", "{a: 1, l: [1, 2]}"),
        (
            "---\nz: 2",
            "! Document on line r.yml:1: Map item (key 'z') on line r.yml:2: Expected number of matched nodes to be \
             1, but was 0",
        ),
        ("#@overlay/match-child-defaults missing_ok=True\n---\nz: 2", "{a: 1, l: [1], z: 2}"),
        (
            "#@overlay/match expects=2\n---\na: 2",
            "! Document on line r.yml:2: Expected number of matched nodes to be 2, but was 1 (lines: l.yml:1)",
        ),
        ("#@overlay/match when=2\n---\na: 2", "{a: 1, l: [1]}"),
        ("#@overlay/match by=no\n---\na: 2", "{a: 2, l: [1]}"),
        ("#@overlay/replace\n---\nb: 2", "{b: 2}"),
        ("#@overlay/append\n---\nb: 2", "{a: 1, l: [1]}"),
        ("#@overlay/insert before=True\n---\nb: 2", "{b: 2}"),
        ("#@overlay/remove\n---\nb: 2", "! Expected data values to have one document after overlaying, but found none"),
        ("---\nnull", "null"),
    ] {
        assert_eq!(exactly("---\na: 1\nl: [1]", right), expected, "{right}");
    }
}

#[test]
fn plain_merges() {
    let merge = |left: &str, right: &str| {
        let mut script = script();
        let left = script.read("l.yml", left)[0];
        let right = script.read("r.yml", right)[0];
        let marked = plain_merge_annotations(&mut script.arena().borrow_mut(), script.sources(), right);
        match marked.map_err(Diagnostics::from).and_then(|()| exact(&mut script, left, right, None, false, FIRST)) {
            Ok(document) => script.show(Val::Node(document)),
            Err(problems) => format!("! {}", problems.0[0].full_message()),
        }
    };
    for (left, right, expected) in [
        (
            "a: {b: 1, c: 2}\nl: [1]",
            "a:\n  b: 5\n  m: {x: 1}\nl: [2]\nz: 1",
            "{a: {b: 5, c: 2, m: {x: 1}}, l: [2], z: 1}",
        ),
        ("q: {a: 1}", "q: 5", "{q: 5}"),
        ("q: {a: 1}", "q: {}", "{q: {a: 1}}"),
        ("q:", "q: {a: 1}", "{q: {a: 1}}"),
        (
            "q: 5",
            "q: {a: 1}",
            "! Document on line r.yml:1: Map item (key 'q') on line r.yml:1: Expected map, but was integer",
        ),
        ("q: 5", "[1]", "[1]"),
        (
            "q: 5",
            "#@overlay/remove\nq: 5",
            "! Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)",
        ),
    ] {
        assert_eq!(merge(left, right), expected, "{left} {right}");
    }
}

#[test]
fn functions_may_overlay_while_an_overlay_runs() {
    let mut script = script();
    let left = script.set("f.yml", "---\nl: [1]");
    let document = script.arena.borrow().items(left)[0];
    let inner = script.fragment("i.yml", "l:\n- m");
    script.function("nested", move |script, args| {
        crate::overlay::apply(script, args[1], inner)?;
        Ok(Value::bool(true))
    });
    let overlay = script.read("o.yml", "#@overlay/match by=nested\n---\n#@overlay/match missing_ok=True\nz: 1");
    documents(&mut script, &[left], &overlay, FIRST).unwrap();
    assert_eq!(script.show(Val::Node(document)), "{l: [1, m], z: 1}");
}

#[test]
fn arguments_without_effect_are_warned_of() {
    let mut script = script();
    let left = script.fragment("l.yml", "a: 1\nb: 1");
    let right = script.fragment(
        "r.yml",
        "#@overlay/match overlay.all\na: 2\n#@overlay/match by=overlay.subset(1)\n#@overlay/replace\n_: 3",
    );
    crate::overlay::apply(&mut script, left, right).unwrap();
    let codes: Vec<&str> = script.warnings.iter().map(|warning| warning.code().as_str()).collect();
    assert_eq!(codes, ["overlay::unused-argument", "overlay::renamed-key"]);
}

#[test]
fn documents_that_look_like_overlays_are_warned_of() {
    let mut script = script();
    let set = script.set(
        "f.yml",
        "#@overlay/remove\n---\na: 1\n---\n#@overlay/match by=overlay.subset({\"a\": 1})\nb: 1\n---\nc: 1\n---\nd:\n  #@overlay/remove\n  e: 1",
    );
    crate::overlay::warn_of_targets(&mut script, &[set], &[], true);
    let texts: Vec<&str> = script.warnings.iter().map(|warning| warning.message()).collect();
    assert_eq!(
        texts,
        [
            "@overlay/remove has no effect: without @overlay/match this document is not an overlay",
            "@overlay/match belongs to the first key here, so this document is printed, not applied",
            "this document is no overlay: without `@overlay/match` above it, its annotations have no effect",
        ]
    );
    // Of an instance of a library a program may make overlays.
    let mut script = self::script();
    let set = script.set("f.yml", "d:\n  #@overlay/remove\n  e: 1");
    crate::overlay::warn_of_targets(&mut script, &[set], &[], false);
    assert!(script.warnings.is_empty());
}

#[test]
fn documents_that_act_again_are_warned_of() {
    let mut script = script();
    let inner = script.set("f.yml", "---\na: 1");
    let overlay = script.read("o.yml", "#@overlay/match by=overlay.all\n#@overlay/replace\n---\nb: 1");
    documents(&mut script, &[inner], &overlay, FIRST).unwrap();
    assert!(script.warnings.is_empty());
    let placed = script.arena.borrow().items(inner).to_vec();
    let outer = script.set("g.yml", "---\nc: 1");
    documents(&mut script, &[outer], &placed, FIRST).unwrap();
    let codes: Vec<&str> = script.warnings.iter().map(|warning| warning.code().as_str()).collect();
    assert_eq!(codes, ["overlay::again"]);
    assert_eq!(script.show(Val::Node(outer)), "{b: 1}");
}

#[test]
fn keys_of_other_types_are_told_apart() {
    for (left, right, label, edit) in [
        ("1: a", "\"1\": b", "this key is the integer 1, the overlay's is not", "1"),
        (
            "\"true\": a",
            "true: b",
            "this key is the string `true`; without quotes the overlay's is the boolean true",
            "\"true\"",
        ),
        ("some_key: a", "someKey: b", "nearest key", "some_key"),
    ] {
        let (_, problems) = stage(&[left], &format!("#@overlay/match by=overlay.all\n---\n{right}"), ALL);
        let parts = problems.0[0].parts();
        assert_eq!(parts.labels.last().map(|label| label.text.as_str()), Some(label), "{right}");
        assert_eq!(parts.helps[0].edit.as_ref().map(|(_, text)| text.as_str()), Some(edit));
    }
}

#[test]
fn values_that_are_there_are_listed() {
    let overlay = "#@overlay/match by=overlay.subset({\"kind\": \"Deploy\"})\n---\nx: 1";
    let (_, problems) = stage(&["---\nkind: Deployment\n---\nkind: Service"], overlay, ALL);
    assert_eq!(problems.0[0].parts().notes, ["`kind` there: `Deployment`, `Service`"]);
    let overlay = "#@overlay/match by=overlay.all\n---\n#@overlay/match by=overlay.subset({\"l\": [1, 2]})\n- 5";
    let expected = "1 of 2 keys of the subset match: `l[1]` is 3, expected 2; item 0 of a list is compared with item 0, \
                    and so on";
    let (_, problems) = stage(&["- l: [1, 3]\n- l: [9]"], overlay, ALL);
    let labels: Vec<&str> = problems.0[0].parts().labels.iter().map(|label| label.text.as_str()).collect();
    assert!(labels.contains(&expected), "{labels:?}");
}

#[test]
fn what_an_earlier_overlay_took_out_is_named() {
    let overlay =
        "#@overlay/match by=overlay.all\n---\n#@overlay/remove\na: 1\n#@overlay/match by=overlay.all\n---\na: 2";
    let (_, problems) = stage(&["---\na: 1\nz: 1"], overlay, ALL);
    let labels: Vec<&str> = problems.0[0].parts().labels.iter().map(|label| label.text.as_str()).collect();
    assert!(labels.contains(&"takes out what would match (f0.yml:2), before this overlay"), "{labels:?}");
}
