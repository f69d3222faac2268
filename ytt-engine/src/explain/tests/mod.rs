//! Explanations of small projects.

mod overlays;
mod taken;

use std::collections::{BTreeMap, BTreeSet};

use super::{Origin, Reading};
use crate::Project;

const SCHEMA: &str = "#@data/values-schema\n---\nreplicas: 1\nimage:\n  tag: \"1\"\nhosts:\n- \"\"\n";
const DEPLOY: &str = "#@ load(\"@ytt:data\", \"data\")
#@ def ports(number):
- port: #@ number
#@ end
---
kind: Deployment
metadata:
  name: web
spec:
  replicas: #@ data.values.replicas
  tag: #@ \"v\" + data.values.image.tag
  paused: false
  #@ if data.values.hosts:
  ports: #@ ports(80)
  #@ end
  env: #@ {\"hosts\": data.values.hosts}
";
const OVERLAY: &str = "#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})
---
spec:
  replicas: 5
  #@overlay/remove
  paused:
";

fn project() -> Project {
    Project::new()
        .file("schema.yml", SCHEMA)
        .file("values.yml", "#@data/values\n---\nreplicas: 2\nhosts: [a]\n")
        .file("deploy.yml", DEPLOY)
        .file("overlay.yml", OVERLAY)
        .explain(true)
}

/// What is told of a value of the deployment, without the first line.
#[track_caller]
fn told(path: &str, expected: &str) {
    let rendered = project().render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let text = explanation.find("Deployment/web", path).unwrap().to_text(false);
    assert_eq!(text.split_once("\n\n").unwrap().1, expected, "{path}");
}

#[test]
fn a_value_is_followed_back() {
    told(
        "spec.replicas",
        r#"  5  overlay.yml:5:3  this overlay item replaced 2    1 match, by=overlay.subset({"kind": "Deployment"})
     | replicas: 5
  2  deploy.yml:10:3  this expression gave it
     | replicas: #@ data.values.replicas
     `- data value replicas = 2
        2  values.yml:3:1  replaced 1
           | replicas: 2
        1  schema.yml:3:1  default
           | replicas: 1
"#,
    );
}

#[test]
fn what_was_read_before_is_in_scope() {
    told(
        "spec.ports[0].port",
        "  80  deploy.yml:3:3  this expression gave it
      | - port: #@ number
      called at deploy.yml:14:13
      `- in scope: hosts = list of 1 item
",
    );
}

#[test]
fn what_a_dict_of_code_holds_is_of_the_item_that_holds_it() {
    told(
        "spec.env.hosts[0]",
        "  a  deploy.yml:16:3  this expression gave it
     | env: #@ {\"hosts\": data.values.hosts}
     `- data value hosts = list of 1 item
        hosts[0] = a  values.yml:4:8
",
    );
}

#[test]
fn what_was_removed_has_a_history_too() {
    told(
        "spec.paused",
        r#"  -      overlay.yml:7:3  this overlay item removed it    1 match, by=overlay.subset({"kind": "Deployment"})
         | paused:
  false  deploy.yml:12:3  written here
         | paused: false
"#,
    );
}

#[test]
fn what_is_not_there_is_an_error_with_what_is_near() {
    let rendered = project().render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let problem = |selector, path| explanation.find(selector, path).err().unwrap().to_report(false);
    assert!(problem("Deployment/wbe", "").contains("did you mean `Deployment/web`?"));
    assert!(problem("web", "").contains("there are: `Deployment/web`"));
    assert!(problem("", "spec.replica").contains("no `replica` in `spec`"));
    assert!(problem("", "spec.replica").contains("did you mean `replicas`?"));
    assert!(problem(":99", "").contains("error[explain::selector]: there is no line 99"));
}

#[test]
fn what_fits_several_is_listed() {
    let job = |namespace| format!("kind: Job\nmetadata:\n  name: x\n  namespace: {namespace}\nl: [1, 1]\n");
    let text = format!("{}---\n{}", job("one"), job("two"));
    let rendered = Project::new().file("a.yml", text).explain(true).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let problem = |selector, path| explanation.find(selector, path).err().unwrap().to_report(false);
    for selector in ["", "Job/x", "a.yml"] {
        let report = problem(selector, "");
        assert!(report.contains(&format!("{selector} fits 2 times")), "{report}");
        assert!(report.contains("it may be: `a.yml#1 (Job/x)`, `a.yml#2 (Job/x)`"), "{report}");
    }
    for selector in ["Job/two/x", "a.yml#2"] {
        assert_eq!(explanation.find(selector, "l[1]").unwrap().line(), Some(15), "{selector}");
    }
    assert!(problem("Job/one/x", "l[=1]").contains("item `[=1]` fits 2 times"));
    assert!(problem("Job/three/x", "").contains("no document `Job/three/x`"));
    assert!(problem("b.yml:1", "").contains("no document `b.yml`"));

    let nothing = Project::new().file("a.star", "").explain(true).render().unwrap();
    let nothing = nothing.explanation().unwrap().unwrap();
    assert_eq!(nothing.find("Job/x", "").unwrap_err().message(), "the output has no documents");
}

#[test]
fn lines_have_their_places_in_front() {
    let rendered = project().render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let output = rendered.to_text(crate::Format::Yaml).unwrap();
    let lines = explanation.to_lines(false);
    assert_eq!(lines.lines().count(), output.lines().count());
    for (line, expected) in lines.lines().zip(output.lines()) {
        assert!(line.ends_with(expected), "{line}");
    }
    let of_replicas = lines.lines().find(|line| line.contains("replicas: 5")).unwrap();
    assert!(of_replicas.trim_start().starts_with("overlay.yml:5"), "{of_replicas}");
    let spec = explanation.find("Deployment/web", "spec").unwrap().to_lines(false);
    assert!(lines.contains(&spec) && spec.lines().next().unwrap().ends_with("spec:"), "{spec}");
    let values = explanation.values_to_text(false);
    assert!(values.contains("replicas = 2\n") && values.contains("values.yml:3"), "{values}");
}

#[test]
fn a_line_is_found_by_its_number() {
    let rendered = project().render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    for line in explanation.lines() {
        let found = explanation.find(&format!(":{}", line.number()), "").unwrap();
        assert_eq!((found.path(), found.line()), (line.path(), Some(line.number())));
    }
}

#[test]
fn the_record_changes_nothing() {
    let text = |project: Project| project.render().unwrap().to_text(crate::Format::Yaml).unwrap();
    assert_eq!(text(project()), text(project().explain(false)));
}

/// The newest step of each line, in words.
fn newest(project: Project) -> Vec<String> {
    let rendered = project.explain(true).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let told = explanation.lines().map(|line| {
        let origins = line.origins();
        let reads: Vec<&str> = origins[0].reads().iter().map(|read| read.name()).collect();
        format!("{}: {} {}", line.path(), origins[0].said(), reads.join(","))
    });
    told.collect()
}

#[test]
fn literals_below_a_condition_have_it_in_scope() {
    let template = "#@ load(\"@ytt:data\", \"data\")\n#@ if data.values.tls:\na:\n  b: 1\n  c: [1]\n#@ end\ne: 2\n";
    let schema = "#@data/values-schema\n---\ntls: true\n";
    let told = newest(Project::new().file("a.yml", template).file("s.yml", schema));
    assert!(told.iter().all(|line| line.ends_with("written here tls")), "{told:#?}");
}

#[test]
fn what_is_given_as_a_part_of_a_list_is_no_default() {
    let schema = "#@data/values-schema\n---\nports:\n- name: x\n  port: 1\n";
    let project = Project::new().file("s.yml", schema).data_value_yaml("ports", "[{name: q}]");
    let rendered = project.explain(true).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let told = explanation.data_values().map(|value| {
        let steps: Vec<String> = value.origins().iter().map(|origin| origin.said()).collect();
        format!("{} = {}: {}", value.name(), value.value(), steps.join(", "))
    });
    assert_eq!(told.collect::<Vec<_>>(), ["ports[0].name = q: set here", "ports[0].port = 1: default"]);
}

#[test]
fn any_number_of_a_line_is_answered() {
    let rendered = project().render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    for line in [0, 13, u32::MAX as usize + 1, usize::MAX] {
        assert!(explanation.find(&format!(":{line}"), "").is_err(), "{line}");
        assert!(explanation.find(&format!("deploy.yml:{line}"), "").is_err(), "{line}");
    }
}

#[test]
fn removed_documents_and_items_can_be_asked_for() {
    let documents = "kind: Job\nmetadata:\n  name: old\n---\nkind: Job\nmetadata:\n  name: new\nargs:\n- \"-x\"\n- \"a]b\"\nports:\n- {port: 80, name: http}\n- port: 81\n";
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"metadata\": {\"name\": \"old\"}})
#@overlay/remove
---
#@overlay/match by=overlay.subset({\"metadata\": {\"name\": \"new\"}})
---
args:
#@overlay/match by=lambda i, l, r: True, expects=2
#@overlay/remove
- _
ports:
#@overlay/match by=lambda i, l, r: True, expects=2
#@overlay/remove
- _
";
    let project = Project::new().file("a.yml", documents).file("o.yml", overlay).explain(true);
    let rendered = project.render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    for path in ["", "metadata.name"] {
        let old = explanation.find("Job/old", path).unwrap();
        assert_eq!((old.document(), old.path(), old.line()), ("Job/old".into(), String::new(), None));
        assert!(old.to_text(false).starts_with("Job old was removed\n\n  -"), "{}", old.to_text(false));
        assert_eq!(old.origins()[1].place().unwrap().file(), "a.yml");
    }
    for path in ["args[=-x]", "args[=\"a]b\"]", "ports[name=http]", "ports[port=81]"] {
        let item = explanation.find("Job/new", path).unwrap();
        assert_eq!((item.path().as_str(), item.value()), (path, None));
    }
    let problem = explanation.find("Job/new", "ports[0]").unwrap_err().to_report(false);
    assert!(problem.contains("removed or replaced: `ports[name=http]`, `ports[port=81]`"), "{problem}");
}

#[test]
fn an_overlay_has_the_reads_of_its_template_and_of_its_functions() {
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")
#@ load(\"@ytt:data\", \"data\")
#@ def wanted(i, l, r): return data.values.wanted
#@ if data.values.made:
#@overlay/match by=wanted
---
a: 2
#@ end
";
    let schema = "#@data/values-schema\n---\nwanted: true\nmade: true\n";
    let project = Project::new().file("a.yml", "a: 1\n").file("o.yml", overlay).file("s.yml", schema);
    assert_eq!(newest(project), ["a: this overlay item replaced 1 wanted,made"]);
}

#[test]
fn a_list_is_named_beside_its_items() {
    let template = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.hosts[0].name\nb: #@ data.values.map.x\n";
    let schema = "#@data/values-schema\n---\nhosts:\n- name: x\nmap:\n  x: 1\n";
    let project = Project::new().file("a.yml", template).file("s.yml", schema).data_value_yaml("hosts", "[{name: q}]");
    assert_eq!(newest(project), ["a: this expression gave it hosts,hosts[0].name", "b: this expression gave it map.x"]);
}

#[test]
fn a_values_file_shows_its_line() {
    let folder = std::env::temp_dir().join(format!("ytt-explain-values-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("prod.yml");
    std::fs::write(&file, "a:\n  b: 2\n").unwrap();
    let template = "#@ load(\"@ytt:data\", \"data\")\nb: #@ data.values.a.b\n";
    let schema = "#@data/values-schema\n---\na:\n  b: 1\n";
    let project = Project::new().file("a.yml", template).file("s.yml", schema).data_values_file(&file).explain(true);
    let rendered = project.render();
    std::fs::remove_dir_all(&folder).unwrap();
    let rendered = rendered.unwrap();
    let text = rendered.explanation().unwrap().unwrap().find("", "b").unwrap().to_text(false);
    assert!(text.contains("prod.yml:2:3") && text.contains("| b: 2\n"), "{text}");
}

#[test]
fn more_steps_than_are_told_are_counted() {
    let document = |number| format!("#@overlay/match by=overlay.all\n---\na: {number}\n");
    let documents: String = (1..=120).map(document).collect();
    let text = format!("#@ load(\"@ytt:overlay\", \"overlay\")\n{documents}");
    let rendered = Project::new().file("a.yml", "a: 0\n").file("o.yml", text).explain(true).render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let found = explanation.find("", "a").unwrap();
    assert_eq!(found.origins().len(), 121);
    assert!(found.to_text(false).ends_with("\n  … and 21 more\n"), "{}", found.to_text(false));
}

/// What was read in the scopes of a step of the JSON form: maps in which something else was read do not count.
fn in_scope(json: &serde_json::Value, step: &serde_json::Value) -> BTreeSet<String> {
    let mut reads = BTreeMap::<String, bool>::new();
    let mut open: Vec<usize> =
        step["scopes"].as_array().unwrap().iter().map(|scope| scope.as_u64().unwrap() as usize).collect();
    while let Some(number) = open.pop() {
        let scope = &json["scopes"][number];
        for read in scope["reads"].as_array().unwrap() {
            let whole = reads.entry(read["name"].as_str().unwrap().to_owned()).or_default();
            *whole |= read["whole"] == true || read["value"].as_str().unwrap().starts_with("list of");
        }
        open.extend(scope["around"].as_u64().map(|number| number as usize));
    }
    let is_inside = |name: &str, other: &str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[']));
    let counts = |(name, whole): &(&String, &bool)| **whole || !reads.keys().any(|other| is_inside(name, other));
    reads.iter().filter(counts).map(|(name, _)| name.clone()).collect()
}

#[test]
fn scopes_of_the_whole_are_what_each_line_has() {
    let template = "#@ load(\"@ytt:data\", \"data\")
#@ def one(number):
#@   if data.values.map.z:
- port: #@ number
#@   end
#@ end
#@ for host in data.values.hosts:
---
a: #@ host
#@ if data.values.tls:
b: #@ one(data.values.map.x)
#@ end
#@ end
";
    let schema = "#@data/values-schema\n---\ntls: true\nhosts: [\"\"]\nmap:\n  x: 1\n  z: true\n";
    let project = Project::new().file("a.yml", template);
    let project = project.file("s.yml", schema).data_value_yaml("hosts", "[a, b]").explain(true);
    let rendered = project.render().unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let json: serde_json::Value = serde_json::from_str(&explanation.to_json()).unwrap();
    let mut count = 0;
    for (at, line) in explanation.lines().enumerate() {
        let history = &json["histories"][json["lines"][at]["history"].as_u64().unwrap() as usize];
        for (origin, step) in line.origins().iter().zip(history.as_array().unwrap()) {
            let expected = origin.reads().iter().filter(|read| read.in_scope()).map(|read| read.name().to_owned());
            let own: Vec<&str> =
                origin.reads().iter().filter(|read| !read.in_scope()).map(|read| read.name()).collect();
            let mut found = in_scope(&json, step);
            found.retain(|name| !own.contains(&name.as_str()));
            assert_eq!(found, expected.collect(), "{}", line.text());
            count += found.len();
        }
    }
    assert!(count > 10, "{count} reads");
}

#[test]
fn json_grows_as_its_lines_do() {
    let size = |count: usize| {
        let (mut template, mut schema) = ("#@ load(\"@ytt:data\", \"data\")\n".to_owned(), String::new());
        for number in 0..count {
            template += &format!("#@ if data.values.v{number}:\na{number}: 1\n#@ end\n");
            schema += &format!("v{number}: true\n");
        }
        let project =
            Project::new().file("a.yml", template).file("s.yml", format!("#@data/values-schema\n---\n{schema}"));
        let rendered = project.explain(true).render().unwrap();
        rendered.explanation().unwrap().unwrap().to_json().len()
    };
    let (small, large) = (size(100), size(400));
    assert!(large < small * 9 / 2, "{small} and {large} bytes");
}

/// A line of a text leads to the parts of the template that printed it.
#[test]
fn lines_of_texts_lead_to_their_templates() {
    let template = "# (@= data.values.name @) here\n\n(@ for port in data.values.ports: -@)\nport (@= str(port) @)/tcp\n(@ end -@)\n\
                    end é\n(@ def two(x): @)one\n(@= x @)(@ end -@)\n(@= two(\"b\") @)\n";
    let rendered = Project::new()
        .file("schema.yml", "#@data/values-schema\n---\nname: web\n#@schema/default [80]\nports:\n- 0\n")
        .file("conf/hosts.txt", format!("(@ load(\"@ytt:data\", \"data\") -@)\n{template}"))
        .file("plain.txt", "a\nb")
        .file("empty.txt", "")
        .explain(true)
        .render()
        .unwrap();
    let explanation = rendered.explanation().unwrap().unwrap();
    let told = |line: usize| {
        let found = explanation.find(&format!("hosts.txt:{line}"), "").unwrap();
        let part = |origin: &Origin| {
            let place = origin.place().unwrap();
            let reads: Vec<&str> = origin.reads().iter().map(Reading::name).collect();
            format!(
                "{} {:?} {}:{} {}",
                origin.kind().as_str(),
                origin.value(),
                place.start().line,
                place.start().column,
                reads.join(" ")
            )
        };
        (found.value().unwrap(), found.origins().iter().map(part).collect::<Vec<_>>())
    };
    let parts = |expected: &[&str]| expected.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
    let text = rendered.file("conf/hosts.txt").unwrap().and_then(crate::RenderedFile::text);
    assert_eq!(text, Some("# web here\n\nport 80/tcp\nend é\none\nb\n"));
    let expected = ["written \"# \" 2:1 ", "computed \"web\" 2:7 name", "written \" here\" 2:26 "];
    assert_eq!(told(1), ("# web here".to_owned(), parts(&expected)));
    assert_eq!(told(2), (String::new(), parts(&["written \"\" 3:1 "])));
    let expected = ["written \"port \" 5:1 ", "computed \"80\" 5:10 name ports", "written \"/tcp\" 5:22 "];
    assert_eq!(told(3), ("port 80/tcp".to_owned(), parts(&expected)));
    assert_eq!(told(4), ("end é".to_owned(), parts(&["written \"end é\" 7:1 "])));
    assert_eq!(told(6).1, ["computed \"b\" 10:5 name ports"]);

    let gutter = explanation.find("plain.txt", "").unwrap();
    assert!(gutter.is_whole());
    assert_eq!(gutter.to_lines(false), "plain.txt:1  |  a\nplain.txt:2  |  b\n");
    assert_eq!(explanation.find("empty.txt", "").unwrap().to_lines(false), "");
    for (selector, path, problem) in [
        ("hosts.txt:9", "", "there is no line 9: there are 6"),
        ("plain.txt", "a", "`plain.txt` is a text: nothing in it has a path"),
        ("plian.txt", "", "no document `plian.txt`"),
    ] {
        assert_eq!(explanation.find(selector, path).unwrap_err().message(), problem);
    }
}
