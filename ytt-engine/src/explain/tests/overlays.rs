//! What overlays did, item by item, and which lints are known.

use serde_json::Value;

use crate::explain::OverlayItem;
use crate::{Level, Project};

const OVERLAY: &str = "#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"0+\"
---
spec:
  replicas: 5
  #@overlay/match missing_ok=True
  #@overlay/remove
  gone:
  #@overlay/remove
  paused:
  ports:
  #@overlay/match by=\"name\", when=1
  - name: http
    port: 81
  #@overlay/append
  - name: more
#@overlay/match by=overlay.subset({\"kind\": \"Nothing\"}), expects=\"0+\"
---
spec: 1
";

fn project(count: usize) -> Project {
    let one = |number: usize| {
        format!(
            "---\nkind: Deployment\nname: d{number}\nspec:\n  replicas: 1\n  paused: true\n  ports:\n  - name: grpc\n"
        )
    };
    let documents: String = (0..count).map(one).collect();
    Project::new().file("a.yml", documents).file("o.yml", OVERLAY).explain(true)
}

fn told(items: &[OverlayItem]) -> Vec<String> {
    let told = items.iter().map(|item| {
        let line = item.place().unwrap().start().line;
        let (matches, changes) = (item.matches(), item.changes());
        format!("{line} {} {matches} {changes} {:?}", item.operation(), item.lines().collect::<Vec<_>>())
    });
    told.collect()
}

#[test]
fn each_item_says_what_it_matched_and_changed() {
    let rendered = project(2).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let items = explanation.overlays();
    assert_eq!(
        told(&items),
        [
            "3 merge 2 0 []",
            "5 merge 2 2 [4, 12]",
            "8 remove 0 0 []",
            "10 remove 2 2 []",
            "13 merge 0 0 []",
            "16 append 0 2 [7, 15]",
            "18 merge 0 0 []",
        ]
    );
    let nothing = items.last().unwrap();
    assert_eq!(nothing.matcher(), Some("by=overlay.subset({\"kind\": \"Nothing\"}), expects=\"0+\""));
}

#[test]
fn a_file_of_overlays_is_told_as_text_and_as_json() {
    let rendered = project(1).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let text = explanation.overlays_to_text("o.yml", false).unwrap();
    let expected = "o.yml:8:3   remove  matched nothing    missing_ok=True\n            | gone:\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("o.yml:10:3  remove  matched 1 item, 1 change"), "{text}");
    assert!(explanation.overlays_to_text("a.yml", false).is_none());
    assert!(explanation.overlays_to_text("", false).is_none());
    let json: Value = serde_json::from_str(&explanation.overlays_to_json("o.yml").unwrap()).unwrap();
    let whole: Value = serde_json::from_str(&explanation.to_json()).unwrap();
    assert_eq!(json, whole["overlays"]);
    assert_eq!(json.as_array().unwrap().len(), explanation.overlays().len());
    assert_eq!((&json[2]["matches"], &json[2]["source"]), (&Value::from(0), &Value::from("gone:")));
}

#[test]
fn overlays_on_data_values_are_steps_of_values_only() {
    let schema = "#@data/values-schema\n---\na: 1\n";
    let template = "#@ load(\"@ytt:data\", \"data\")\nall: #@ data.values.a\n";
    let project = Project::new()
        .file("s.yml", schema)
        .file("v.yml", "#@data/values\n---\na: 2\n")
        .file("t.yml", template)
        .explain(true);
    let rendered = project.render().unwrap();
    assert!(rendered.explanation().unwrap().unwrap().overlays().is_empty());
}

#[test]
fn an_overlay_of_code_is_told_too() {
    let template = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def left(n):\nn: #@ n\nb: 2\n#@ end\n#@ def right():\nb: 5\n\
                    #@overlay/match missing_ok=True\nc: 1\n#@ end\nall:\n#@ for n in range(3):\n- #@ overlay.apply(left(n), right())\n#@ end\n";
    let rendered = Project::new().file("t.yml", template).explain(true).render().unwrap();
    let items = rendered.explanation().unwrap().unwrap().overlays();
    assert_eq!(told(&items), ["7 merge 3 3 [3, 6, 9]", "9 merge 0 3 [4, 7, 10]"]);
}

#[test]
fn lints_are_those_of_the_render() {
    let project = project(1).lint("overlay::matched-nothing", Level::Warn);
    let rendered = project.render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let lints = explanation.lints();
    assert!(!lints.is_empty());
    assert_eq!(lints.len(), rendered.warnings().len());
    let json: Value = serde_json::from_str(&explanation.to_json()).unwrap();
    let listed = json["lints"].as_array().unwrap();
    assert_eq!(listed.len(), lints.len());
    assert_eq!(listed[0]["code"], "overlay::matched-nothing");
}

/// Refuses after so many bytes.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn json_is_written_piece_by_piece() {
    let rendered = project(300).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let (mut written, whole) = (Vec::new(), explanation.to_json());
    explanation.write_json(&mut written).unwrap();
    assert!(written == whole.as_bytes(), "both are the same");
    for room in [0, 100_000, whole.len() - 1] {
        assert!(explanation.write_json(Full(room)).is_err(), "{room}");
    }
    assert!(explanation.write_json(Full(whole.len())).is_ok());
}

#[test]
fn steps_of_a_list_say_how_many_items_it_had() {
    let web = "ports:\n- {name: http}\n- {name: https}\n";
    let add = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nports:\n\
               #@overlay/append\n- name: metrics\n  port: 9090\n";
    let project = Project::new().file("web.yml", web).file("x.yml", add).explain(true);
    let rendered = project.render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let steps = |path: &str| -> Vec<String> {
        let origins = explanation.find("web.yml", path).unwrap().origins();
        let told = origins.iter().map(|origin| {
            let place = origin.place().unwrap();
            format!("{} {}:{} {}", origin.value(), place.file(), place.start(), origin.said())
        });
        told.collect()
    };
    assert_eq!(steps("ports"), ["list of 2 items web.yml:1:1 written here"]);
    // A part of what was added stands on a line of its own.
    assert_eq!(steps("ports[2].port"), ["9090 x.yml:7:3 this overlay item added it"]);
}

#[test]
fn what_was_replaced_is_told_as_it_was_then() {
    let web = "#@ def s():\na: 1\nb: 2\n#@ end\n#@ x = s()\none: #@ x\ntwo: #@ x\n";
    let head = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n";
    let replace = format!("{head}#@overlay/replace\none:\n  c: 1\n");
    let add = format!("{head}two:\n  #@overlay/match missing_ok=True\n  d: 1\n");
    let project = Project::new().file("web.yml", web).file("x.yml", replace).file("y.yml", add).explain(true);
    let rendered = project.render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let origins = explanation.find("web.yml", "one").unwrap().origins();
    let told: Vec<String> = origins.iter().map(|origin| format!("{}: {}", origin.value(), origin.said())).collect();
    assert_eq!(
        told,
        ["map of 1 key: this overlay item replaced map of 2 keys", "map of 2 keys: this expression gave it"]
    );
}
