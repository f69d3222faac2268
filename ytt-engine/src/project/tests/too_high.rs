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
