//! Tests of what the page holds; `tests/page.rs` of the workspace opens it in a browser.

use serde_json::Value;

use super::super::Explanation;
use super::{PAGE, SCRIPT, STYLE};
use crate::{Project, Warnings};

const SCHEMA: &str = "#@data/values-schema\n---\nreplicas: 1\napps:\n- name: \"\"\n";
const DEPLOY: &str = "#@ load(\"@ytt:data\", \"data\")
#@ for app in data.values.apps:
---
kind: Deployment
metadata:
  name: #@ app.name
spec:
  replicas: #@ data.values.replicas
  paused: false
  strategy:
    type: Recreate
  ports:
  - port: 80
    name: http
  text: |
    one
    two
#@ end
";
const OVERLAY: &str = "#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.all, expects=\"1+\"
---
spec:
  replicas: 5
  #@overlay/remove
  paused:
";

fn project(apps: usize) -> Project {
    let names: String = (0..apps).map(|number| format!("- name: app-{number}\n")).collect();
    Project::new()
        .file("schema.yml", SCHEMA)
        .file("values.yml", format!("#@data/values\n---\napps:\n{names}"))
        .file("deploy.yml", DEPLOY)
        .file("overlay.yml", OVERLAY)
        .explain(true)
}

/// The page of a project, and what its script reads.
fn page(project: Project, test: impl FnOnce(&Explanation<'_>, &str, &Value)) {
    let rendered = project.render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let page = explanation.to_html(rendered.warnings());
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data = serde_json::from_str(data).unwrap();
    test(&explanation, &page, &data);
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// The steps of a line: value, words and the line of the place.
fn steps(data: &Value, line: usize) -> Vec<(String, String, i64)> {
    let mut histories = data["histories"].as_array().unwrap().iter();
    let wanted = number(&data["lines"][line]);
    let mut history = Vec::new();
    for _ in 0..=wanted {
        let length = number(histories.next().unwrap());
        history = histories.by_ref().take(length as usize).map(|step| number(step) as usize).collect();
    }
    let text = |at: &Value| data["texts"][number(at) as usize].as_str().unwrap().to_owned();
    let told = history.into_iter().map(|step| {
        let form = &data["forms"][number(&data["steps"][step * 4]) as usize];
        let place = number(&form[3]) as usize;
        (text(&data["steps"][step * 4 + 1]), text(&form[1]), number(&data["places"][place * 5 + 1]))
    });
    told.collect()
}

#[test]
fn each_line_has_its_history() {
    page(project(3), |explanation, _, data| {
        assert_eq!(data["lines"].as_array().unwrap().len(), explanation.lines().len());
        for (at, line) in explanation.lines().enumerate() {
            let origins = line.origins();
            let expected: Vec<(String, String, i64)> = origins
                .iter()
                .map(|origin| {
                    let place = origin.place().map_or(0, |place| place.start().line.into());
                    (origin.value().to_owned(), origin.said(), place)
                })
                .collect();
            assert_eq!(steps(data, at), expected, "line {}", at + 1);
        }
        let text: String = explanation.lines().map(|line| format!("{}\n", line.text())).collect();
        assert_eq!(data["output"], text);
    });
}

#[test]
fn what_overlays_removed_is_told() {
    page(project(2), |_, _, data| {
        let removed = data["removed"].as_array().unwrap();
        assert_eq!(removed.len(), 4, "a step and a name for each of two documents");
        assert_eq!(data["texts"][number(&removed[1]) as usize], "paused");
    });
}

#[test]
fn items_of_overlays_that_changed_nothing_are_listed() {
    let idle = "#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"kind\": \"Job\"}), expects=\"0+\"
---
spec: {}
#@overlay/match by=overlay.all, expects=2
---
spec:
  #@overlay/match missing_ok=True
  #@overlay/remove
  absent:
  replicas: 7
";
    page(project(2).file("z.yml", idle), |explanation, _, data| {
        let text = |at: &Value| data["texts"].get(number(at) as usize).map(|text| text.as_str().unwrap());
        let rows = data["tried"].as_array().unwrap().iter().filter(|row| row[4] == 0);
        let told = rows.map(|row| {
            let line = number(&data["places"][number(&row[0]) as usize * 5 + 1]);
            (line, text(&row[1]).unwrap(), text(&row[2]), number(&row[3]))
        });
        let told: Vec<_> = told.collect();
        let of_z = [
            (3, "merge", Some("by=overlay.subset({\"kind\": \"Job\"}), expects=\"0+\""), 0),
            (6, "merge", Some("by=overlay.all, expects=2"), 2),
            (10, "remove", Some("missing_ok=True"), 0),
        ];
        // The document of `overlay.yml` changed nothing itself, either.
        assert_eq!(told, [&[(3, "merge", Some("by=overlay.all, expects=\"1+\""), 2)], &of_z[..]].concat());
        let all = explanation.overlays();
        assert_eq!(told.len(), all.iter().filter(|item| item.changes() == 0).count());
    });
}

#[test]
fn the_page_is_a_few_times_the_output() {
    for apps in [500, 1000] {
        page(project(apps), |explanation, page, _| {
            let output: usize = explanation.lines().map(|line| line.text().len() + 1).sum();
            let data = page.len() - PAGE.len() - STYLE.len() - SCRIPT.len();
            assert!(data < 6 * output, "{data} bytes for {output}");
        });
    }
}

#[test]
fn the_policy_names_its_own_script_and_style() {
    page(project(1), |_, page, _| {
        let between = |start: &str, end: &str| {
            let (_, rest) = page.rsplit_once(start).unwrap();
            rest.split_once(end).unwrap().0
        };
        let policy = between("Content-Security-Policy\" content=\"", "\"");
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        for (kind, text) in [("script", between("<script>", "</script>")), ("style", between("<style>", "</style>"))] {
            assert!(policy.contains(&format!("{kind}-src '{}';", super::digest(text))), "{kind}: {policy}");
        }
        // What asks for something else would be refused, and what ends too early would be no script.
        for word in ["http:", "https:", "innerHTML", "</script", "</style", "{{"] {
            assert!(!SCRIPT.contains(word) && !STYLE.contains(word), "{word}");
        }
    });
}

#[test]
fn nothing_from_outside_is_markup() {
    let hostile = "</script><!--<script> <img src=x onerror=alert(1)> '\" & \u{2028} {{script}}";
    // As they are, the separators would end a line of YAML.
    let quoted = serde_json::to_string(hostile).unwrap().replace('\u{2028}', "\\u2028");
    let schema = format!("#@data/values-schema\n---\n{quoted}: {quoted}\n");
    let project = Project::new()
        .file("schema.yml", schema)
        .file(format!("{hostile}.yml"), format!("#! {{{{data}}}} </script>\n{quoted}: {quoted}\n"))
        .explain(true);
    page(project, |_, page, data| {
        assert_eq!(page.matches("</script").count(), 2);
        assert_eq!(page.matches("<script").count(), 2);
        assert!(!page.contains("<img") && !page.contains('\u{2028}') && !page.contains("<!--"));
        assert!(data["output"].as_str().unwrap().contains("onerror"));
        assert_eq!(data["documents"][0][1], format!("{hostile}.yml"));
        assert_eq!(data["values"].as_array().unwrap().len(), 2);
    });
}

#[test]
fn a_render_without_documents_has_a_page() {
    page(Project::new().file("values.txt", "a").explain(true), |_, _, data| {
        assert_eq!((&data["output"], &data["documents"]), (&Value::from(""), &serde_json::json!([])));
    });
}

#[test]
fn warnings_are_listed_with_their_places() {
    let schema = "#@data/values-schema\n---\n#@schema/deprecated \"gone soon\"\nold: 1\n";
    let project =
        Project::new().file("schema.yml", schema).data_value("old", 2).warnings(Warnings::Default).explain(true);
    let rendered = project.render().unwrap();
    assert_eq!(rendered.warnings().len(), 1);
    let other = Project::new().file("a.yml", "a: 1\n").explain(true).render().unwrap();
    // The place of a warning of another render means nothing here, and is left out.
    for (of, has_place) in [(&rendered, true), (&other, false)] {
        let page = of.explanation().unwrap().unwrap().to_html(rendered.warnings());
        let (_, list) = page.split_once("\"warnings\":").unwrap();
        let (list, _) = list.split_once(",\"readers\"").unwrap();
        let list: Value = serde_json::from_str(list).unwrap();
        assert_eq!(list[0][0], rendered.warnings()[0].code().as_str());
        assert_eq!(list[0][1], rendered.warnings()[0].message());
        assert_eq!(number(&list[0][2]) >= 0, has_place);
    }
}

#[test]
fn what_code_took_and_returned_is_in_the_page() {
    let template = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:json\", \"json\")\n#@ def f(x):\n#@   return x\n#@ end\n\
                    a: #@ f(json.decode(data.read(\"x.json\")))\n";
    page(Project::new().file("a.yml", template).file("x.json", "1").explain(true), |_, _, data| {
        let taken = data["taken"].as_array().unwrap();
        let words: Vec<&str> = taken.iter().map(|row| row[0].as_str().unwrap()).collect();
        assert_eq!(words, ["file x.json", "JSON text", ""]);
        assert!(taken.iter().all(|row| number(&row[2]) >= 0), "each has its call");
        assert_eq!(number(&data["places"][number(&taken[2][1]) as usize * 5 + 1]), 4, "the `return`");
        let reads: Vec<i64> =
            data["readers"].as_array().unwrap().iter().flat_map(|row| row[0].as_array().unwrap()).map(number).collect();
        assert_eq!(reads, [-2, -3, -4]);
    });
}
