//! Keys that overlays add beside a map: which of them other documents show to be one level too high.

use crate::Project;

/// The lines of the overlay that are warned of.
fn warned(documents: &str, overlay: &str) -> Vec<usize> {
    let head = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
    let project = Project::new().file("a.yml", documents).file("o.yml", format!("{head}{overlay}"));
    let rendered = project.render().unwrap_or_else(|error| panic!("{overlay}: {error}"));
    let told = rendered.warnings().iter().filter(|warning| warning.code().as_str() == "overlay::one-level-too-high");
    told.map(|warning| warning.position().expect("it has a place").line as usize).collect()
}

/// An overlay of the first document, named `a`, with keys below `spec`.
fn first(below: &str) -> String {
    let matcher = "overlay.subset({\"metadata\": {\"name\": \"a\"}})";
    format!("#@overlay/match by={matcher}\n#@overlay/match-child-defaults missing_ok=True\n---\nspec:\n{below}")
}

fn document(kind: &str, name: &str, spec: &str) -> String {
    format!("apiVersion: x/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {spec}\n---\n")
}

#[test]
fn another_document_has_the_key_below() {
    let a = document("A", "a", "{pod: {spec: {image: x}}}");
    let both = |spec: &str| a.clone() + &document("A", "b", spec);
    let overlay = first("  pod:\n    node: n\n");
    assert_eq!(warned(&both("{pod: {spec: {node: m}}}"), &overlay), [7]);
    // Of another kind of the same API, and of one of another.
    assert_eq!(warned(&(a.clone() + &document("B", "b", "{pod: {spec: {node: m}}}")), &overlay), [7]);
    let other = document("A", "b", "{pod: {spec: {node: m}}}").replace("x/v1", "y/v1").replace("kind: A", "kind: B");
    assert_eq!(warned(&(a.clone() + &other), &overlay), [0; 0]);
    // At another path, or nowhere.
    assert_eq!(warned(&both("{spec: {node: m}}"), &overlay), [0; 0]);
    assert_eq!(warned(&both("{pod: {spec: {image: x}}}"), &overlay), [0; 0]);
    assert_eq!(warned(&a, &overlay), [0; 0]);
    // One has it where the overlay adds it, or beside such a map elsewhere.
    let third = |spec: &str| both("{pod: {spec: {node: m}}}") + &document("A", "c", spec);
    assert_eq!(warned(&third("{pod: {node: m}}"), &overlay), [0; 0]);
    assert_eq!(warned(&third("{list: [{node: m, spec: 1}]}"), &overlay), [0; 0]);
    assert_eq!(warned(&third("{list: [{node: m}]}"), &overlay), [7]);
}

/// Maps of people's own names, or of one part among others, have keys of their own.
#[test]
fn only_maps_that_hold_a_part_of_all_are_meant() {
    let two = |own: &str, other: &str| document("A", "a", own) + &document("A", "b", other);
    for (own, other, below) in [
        ("{selector: {app: a}}", "{selector: {type: x}}", "  type: t\n"),
        ("{install: {crds: x}}", "{install: {timeout: 1m}}", "  timeout: 5m\n"),
        // As elsewhere than at the top.
        ("{metadata: {app: a}}", "{metadata: {labels: {}}}", "  labels: {a: b}\n"),
        // The map has it already.
        ("{template: {node: m}}", "{template: {node: m}}", "  node: n\n"),
    ] {
        assert_eq!(warned(&two(own, other), &first(below)), [0; 0], "{own}");
    }
    for (own, other, below) in [
        ("{template: {app: a}}", "{template: {node: m}}", "  node: n\n"),
        ("{jobTemplate: {app: a}}", "{jobTemplate: {node: m}}", "  node: n\n"),
    ] {
        assert_eq!(warned(&two(own, other), &first(below)), [6], "{own}");
    }
    let matcher = "overlay.subset({\"metadata\": {\"name\": \"a\"}})";
    let labels = format!("#@overlay/match by={matcher}\n---\n#@overlay/match missing_ok=True\nlabels: {{a: b}}\n");
    let other = document("A", "b", "{}").replace("{name: b}", "{name: b, labels: {}}");
    assert_eq!(warned(&(document("A", "a", "{}") + &other), &labels), [5]);
}

/// One mistake in several documents is told once, and with no edit: another one may lack the map, or have the key.
#[test]
fn one_overlay_of_several_documents_is_told_once() {
    let spec = |own: &str| format!("{{template: {{spec: {{{own}}}}}}}");
    let documents = document("A", "a", &spec("node: m")) + &document("A", "b", &spec("zone: z"));
    let every = |below: &str| {
        let every = first(below).replace("overlay.subset({\"metadata\": {\"name\": \"a\"}})", "overlay.all, expects=2");
        format!("#@ load(\"@ytt:overlay\", \"overlay\")\n{every}")
    };
    let overlay = every("  template:\n    zone: x\n    node: n\n");
    let project = Project::new().file("a.yml", documents).file("o.yml", overlay);
    let rendered = project.render().expect("it renders");
    let helps: Vec<_> = rendered.warnings().iter().flat_map(|told| told.helps()).collect();
    let helps: Vec<_> = helps.iter().map(|help| (help.text(), help.edit().is_some())).collect();
    assert_eq!(helps, [("write `zone` and `node` below `spec`", false)]);
}

#[test]
fn definitions_have_keys_on_both_levels() {
    let a = document("D", "a", "{properties: {host: {type: string}}}");
    let b = document("D", "b", "{properties: {description: {type: string}}}");
    let c = document("D", "c", "{inner: {description: x, properties: {}}}");
    let overlay = first("  description: d\n");
    assert_eq!(warned(&(a + &b + &c), &overlay), [0; 0]);
}

#[test]
fn lists_on_the_way_and_several_documents_of_one_overlay() {
    let list = |name: &str, item: &str| document("A", name, &format!("{{list: [{{name: x, {item}}}]}}"));
    let overlay = first("  list:\n  #@overlay/match by=\"name\"\n  - name: x\n    node: n\n");
    let all = list("a", "spec: {image: x}") + &list("b", "spec: {node: m}");
    assert_eq!(warned(&all, &overlay), [9]);
    let two = list("c", "spec: {image: x}") + &all;
    let every = overlay.replace("overlay.subset({\"metadata\": {\"name\": \"a\"}})", "overlay.all, expects=3");
    let removed = "  list:\n  #@overlay/match by=\"name\"\n  - name: x\n    #@overlay/remove\n    node:\n";
    assert_eq!(warned(&two, &every), [9]);
    // What a later overlay removes is not there.
    assert_eq!(warned(&all, &(overlay + &first(removed))), [0; 0]);
}
