//! What code took from elsewhere, what functions returned, and what came from libraries and `overlay.apply`.

use crate::Project;

/// What is told of a value, without the first line.
#[track_caller]
fn told(project: Project, selector: &str, path: &str) -> String {
    let rendered = project.explain(true).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let text = explanation.find(selector, path).unwrap().to_text(false);
    text.split_once("\n\n").unwrap().1.to_owned()
}

fn code(modules: &[&str], text: &str) -> String {
    let loads = modules.iter().map(|module| format!("#@ load(\"@ytt:{module}\", \"{module}\")\n"));
    loads.collect::<String>() + text
}

#[test]
fn a_file_that_an_expression_read_is_told_with_the_decoder() {
    let template = code(&["data", "json"], "port: #@ json.decode(data.read(\"web.json\"))[\"ports\"]\nother: 1\n");
    let project = Project::new().file("web.yml", template).file("web.json", "{\"ports\": [80]}");
    let expected = "  80  web.yml:3:1  this expression gave it
      | port: #@ json.decode(data.read(\"web.json\"))[\"ports\"]
      `- file web.json, read at web.yml:3:22
      `- JSON text, decoded at web.yml:3:10
";
    assert_eq!(told(project.clone(), "web.yml", "port[0]"), expected);
    assert!(!told(project, "web.yml", "other").contains("web.json"), "an expression keeps it to itself");
}

#[test]
fn what_was_taken_before_is_in_scope() {
    for (format, text, read) in
        [("yaml", "a: 1", "cfg.txt"), ("toml", "a = 1", "cfg.toml"), ("json", "{\"a\": 1}", "cfg.txt")]
    {
        let template = format!("early: 1\n#@ cfg = {format}.decode(data.read(\"{read}\"))\nlate: #@ cfg[\"a\"]\n");
        let project = Project::new().file("web.yml", code(&["data", format], &template)).file(read, text);
        let column = 13 + format.len();
        let expected = format!(
            "  1  web.yml:5:1  this expression gave it
     | late: #@ cfg[\"a\"]
     `- cfg = {format}.decode(data.read(\"{read}\")), set at web.yml:4:4
     `- in scope: file {read}, read at web.yml:4:{}
     `- in scope: {} text, decoded at web.yml:4:10
",
            column + 5,
            format.to_uppercase(),
        );
        assert_eq!(told(project.clone(), "web.yml", "late"), expected);
        assert!(!told(project, "web.yml", "early").contains("in scope"));
    }
}

#[test]
fn functions_without_nodes_say_where_they_returned() {
    let module = "def twice(x):\n  return x * 2\nend\ndef labels(name):\n  if name:\n    return {\"app\": {\"name\": name, \"n\": twice(3)}}\n  end\n  return {}\nend\n";
    let template = "#@ load(\"lib.star\", \"labels\", \"twice\")\nlabels: #@ labels(\"web\")\nother: #@ 1 + 1\n#@ x = twice(1)\nlast: #@ x\n";
    let project = Project::new().file("web.yml", template).file("lib.star", module);
    let expected = "  6  web.yml:2:1  this expression gave it
     | labels: #@ labels(\"web\")
     returned at lib.star:2:3, called at lib.star:6:40
     returned at lib.star:6:5, called at web.yml:2:12
";
    assert_eq!(told(project.clone(), "web.yml", "labels.app.n"), expected);
    for path in ["other", "last"] {
        assert!(!told(project.clone(), "web.yml", path).contains("returned"), "{path}");
    }
}

#[test]
fn what_functions_return_changes_nothing() {
    let module = "def f(n):\n  return [x for x in range(n)] if n else None\nend\ndef g(*args, **kw):\n  return (args, kw)\nend\ndef h():\n  return\nend\n";
    let template = "#@ load(\"lib.star\", \"f\", \"g\", \"h\")\na: #@ f(3)\nb: #@ g(1, x=2)\nc: #@ h()\nd: #@ [f(i) for i in range(3)]\ne: #@ (lambda x: f(x))(2)\n";
    let project = Project::new().file("web.yml", template).file("lib.star", module);
    let text = |project: Project| project.render().unwrap().to_text(crate::Format::Yaml).unwrap().to_owned();
    assert_eq!(text(project.clone().explain(true)), text(project));
}

#[test]
fn an_overlay_that_was_applied_before_is_older_than_what_placed_it() {
    let template = code(
        &["overlay", "template"],
        "#@ def left():\na: 1\nb: 2\n#@ end\n#@ def right():\nb: 5\n#@ end\nmap:\n  _: #@ template.replace(overlay.apply(left(), right()))\n",
    );
    let project = Project::new().file("web.yml", template);
    let rendered = project.clone().explain(true).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let steps = |path: &str| -> Vec<(&str, String)> {
        let origins = explanation.find("web.yml", path).unwrap().origins();
        origins.iter().map(|origin| (origin.kind().as_str(), origin.value().to_owned())).collect()
    };
    let step = |kind, value: &str| (kind, value.to_owned());
    assert_eq!(steps("map.b"), [step("replaced-by-code", "5"), step("overlaid", "5"), step("written", "2")]);
    assert_eq!(steps("map.a"), [step("replaced-by-code", "1"), step("written", "1")]);
}

#[test]
fn libraries_are_told_item_by_item_and_named_by_their_aliases() {
    let main = code(
        &["library", "template", "overlay"],
        "#@ def more():\n#@overlay/match by=overlay.all\n---\nextra: 1\n#@ end\n\
         --- #@ template.replace(library.get(\"db\").eval())\n\
         --- #@ template.replace(library.get(\"db\", alias=\"shop\").with_data_values({\"user\": \"s\"}).eval())\n\
         --- #@ template.replace(overlay.apply(library.get(\"db\").with_data_values({\"user\": \"x\"}).eval(), more()))\n",
    );
    let values = "#@data/values-schema\n---\nuser: me\n";
    let out = code(&["data"], "user: #@ data.values.user\nextra: 0\n");
    let project = Project::new()
        .file("main.yml", main)
        .file("_ytt_lib/db/values.yml", values)
        .file("_ytt_lib/db/out.yml", out)
        .explain(true);
    let rendered = project.render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let names: Vec<&str> = explanation.data_values().map(|value| value.name()).collect();
    assert_eq!(names, ["@db:user", "@db~shop:user", "@db#2:user"]);
    let steps = |selector: &str, path: &str| -> Vec<String> {
        let origins = explanation.find(selector, path).unwrap().origins();
        let place =
            |origin: &crate::explain::Origin| origin.place().map(|place| place.file().to_owned()).unwrap_or_default();
        origins.iter().map(|origin| format!("{} {}", origin.kind().as_str(), place(origin))).collect()
    };
    assert_eq!(steps("main.yml#2", "user"), ["replaced-by-code main.yml", "computed _ytt_lib/db/out.yml"]);
    assert_eq!(
        steps("main.yml#3", "extra"),
        ["replaced-by-code main.yml", "overlaid main.yml", "written _ytt_lib/db/out.yml"]
    );
}

/// The names that the newest step of a value tells, each with its place.
#[track_caller]
fn set(template: &str, path: &str) -> Vec<String> {
    let rendered = Project::new().file("web.yml", template).explain(true).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let newest = &explanation.find("web.yml", path).unwrap().origins()[0];
    newest.names().iter().map(|set| format!("{} {}", set.place().start(), set.code())).collect()
}

#[test]
fn names_are_told_with_what_set_them() {
    let template = "#@ app = \"shop\"\n#@ name = app + \"-web\"\nname: #@ name\nplain: name\n";
    assert_eq!(set(template, "name"), ["2:4 name = app + \"-web\"", "1:4 app = \"shop\""]);
    assert!(set(template, "plain").is_empty());

    let loops = "#@ base = 1\n#@ for i, port in enumerate([p + base for p in [80]]):\nport: #@ port\n#@ end\n";
    let expected = ["2:8 i, port in enumerate([p + base for p in [80]])", "2:43 p in [80]", "1:4 base = 1"];
    assert_eq!(set(loops, "port"), expected);

    let parts = "#@ a, b = [1, 2]\nb: #@ b\n";
    assert_eq!(set(parts, "b"), ["1:7 b = [1, 2]"]);
}

#[test]
fn names_of_which_several_places_may_be_meant_are_not_told() {
    assert!(set("#@ x = 1\n#@ x = 2\nx: #@ x\n", "x").is_empty());
    assert!(set("#@ x = 1\n#@ x += 2\nx: #@ x\n", "x").is_empty());
    // A parameter hides the name of the file.
    let hidden = "#@ x = 1\n#@ def f(x):\nx: #@ x\n#@ end\na: #@ f(2)\n";
    assert!(set(hidden, "a.x").is_empty());
    // A name of another function is another one.
    let inner = "#@ x = 1\n#@ def f():\n#@   x = 2\n#@   return x\n#@ end\na: #@ x + f()\n";
    assert_eq!(set(inner, "a"), ["1:4 x = 1"]);
}

#[test]
fn names_of_overlays_and_texts_are_told_too() {
    let overlay =
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ n = 3\n#@overlay/match by=overlay.all\n---\nreplicas: #@ n\n";
    let project = Project::new()
        .file("a.yml", "replicas: 1\n")
        .file("b.yml", overlay)
        .file("t.txt", "(@ x = 5 @)a(@= str(x) @)\n");
    let rendered = project.explain(true).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let codes = |found: Vec<super::super::Origin>| {
        found.iter().flat_map(|origin| origin.names().iter().map(|set| set.code().to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(codes(explanation.find("a.yml", "replicas").unwrap().origins()), ["n = 3"]);
    assert_eq!(codes(explanation.find("t.txt:1", "").unwrap().origins()), ["x = 5"]);
    assert!(explanation.to_json().contains("\"names\":[{\"code\":\"n = 3\",\"place\":{"));
}
