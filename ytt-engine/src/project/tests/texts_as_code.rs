//! Texts that look like code or annotations, which no warning of code is about.

use crate::Project;

/// The codes and lines of what is warned of.
fn warned(files: &[(&str, &str)], marks: &[&str]) -> Vec<String> {
    let project = files.iter().fold(Project::new(), |project, (path, text)| project.file(*path, *text));
    let project = marks.iter().fold(project, |project, mark| project.file_mark(*mark));
    let rendered = project.render().unwrap_or_else(|error| panic!("{files:?}: {error}"));
    let told = rendered.warnings().iter().map(|warning| {
        let place = warning.position().expect("it has a place");
        format!("{} {}", warning.code(), place.line)
    });
    told.collect()
}

const LABELS: &str = "#@ def labels():\na: 1\n#@ end\n";
const OVERLAY: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n";

#[test]
fn calls_below_keys() {
    for (below, expected) in [
        ("labels:\n  #@ labels()\nb: 1\n", Some(5)),
        ("usage: |\n  labels:\n    #@ labels()\nb: 1\n", None),
        ("usage: |2-\n   labels:\n     #@ labels()\nb: 1\n", None),
        ("k: \"\n  labels:\n    #@ labels()\n  \"\nb: 1\n", None),
        ("k: '\n\n  labels:\n\n    #@ labels()\n  '\nb: 1\n", None),
    ] {
        let text = format!("{LABELS}---\n{below}");
        let expected: Vec<String> =
            expected.into_iter().map(|line| format!("template::unprinted {}", line + 1)).collect();
        assert_eq!(warned(&[("a.yml", &text)], &[]), expected, "{below}");
    }
    // What is no template has no code.
    let text = "labels:\n  #@ labels()\nb: 1\n";
    let all = [("lib.lib.yml", LABELS), ("crd.yml", text)];
    assert_eq!(warned(&all, &["crd.yml:type=yaml-plain"]), [""; 0]);
}

#[test]
fn matchers_with_a_word_between_them() {
    let by = "#@overlay/match by=overlay.subset({\"a\": 1}) or overlay.subset({\"a\": 2}), expects=\"0+\"\n";
    let code = format!("{OVERLAY}---\nx: 1\n{by}---\n#@overlay/match missing_ok=True\nb: 1\n");
    assert_eq!(warned(&[("a.yml", &code)], &[]), ["overlay::junction 4"]);
    for block in ["k: |\n  ", "k:\n- >+\n  ", "k: \"\n  "] {
        let end = if block.contains('"') { "  \"\n" } else { "" };
        let by = by.replace('"', "");
        let code = format!("#@ load(\"@ytt:overlay\", \"overlay\")\n---\n{block}{by}{end}x: #@ 1\n");
        assert_eq!(warned(&[("a.yml", &code)], &[]), [""; 0], "{code}");
    }
    assert_eq!(warned(&[("a.yml", &format!("x: 1\n{by}---\nb: 1\n"))], &["a.yml:type=yaml-plain"]), [""; 0]);
}

#[test]
fn a_matcher_that_may_be_none_is_asked_for() {
    for (set, expected) in [
        ("#@ custom = overlay.subset({\"a\": 1})\n", Some("overlay::junction 6")),
        ("#@ custom = None\n#@ if x:\n#@ custom = overlay.subset({\"a\": 1})\n#@ end\n", None),
        ("#@ custom = overlay.subset({\"a\": 1}) if x else None\n", None),
    ] {
        let by = "#@overlay/match by=custom or overlay.all, expects=\"0+\"\n";
        let code = format!("{OVERLAY}#@ x = False\n{set}---\nx: 1\n{by}---\n#@overlay/match missing_ok=True\nb: 1\n");
        let expected: Vec<&str> = expected.into_iter().collect();
        assert_eq!(warned(&[("a.yml", &code)], &[]), expected, "{set}");
    }
}

#[test]
fn quoted_code_that_is_shown() {
    for (text, line) in [
        ("a: \"#@ name\"\n", Some(3)),
        ("template:\n  spec:\n  - image: '#@ name'\n", Some(5)),
        ("docs:\n- '#@ name'\n", None),
        ("example: {a: ['#@ name']}\n", None),
        ("paths:\n  config.yml: '#@ name'\n", None),
        ("usage: '#@ name'\n", None),
    ] {
        let text = format!("#@ name = 1\n---\n{text}");
        let expected: Vec<String> = line.into_iter().map(|line| format!("template::unprinted {line}")).collect();
        assert_eq!(warned(&[("a.yml", &text)], &[]), expected, "{text}");
    }
}

#[test]
fn keys_that_look_like_code() {
    for (below, expected) in [
        ("labels:\n  (@= name @)/part: 1\n", Some("template::unprinted 4")),
        ("labels:\n- a: 1\n  (@= name @)/part: 1\n", Some("template::unprinted 5")),
        ("(@= name @)/part: 1\n", Some("template::unprinted 3")),
        ("labels:\n  #@yaml/text-templated-strings\n  (@= name @)/part: 1\n", None),
        ("#@yaml/text-templated-strings\nlabels:\n  (@= name @)/part: 1\n", None),
        ("labels:\n  (@= other @)/part: 1\n", None),
    ] {
        let text = format!("#@ name = \"a\"\n---\n{below}");
        let expected: Vec<&str> = expected.into_iter().collect();
        assert_eq!(warned(&[("a.yml", &text)], &[]), expected, "{below}");
    }
}

#[test]
fn code_in_a_text_binds_no_name() {
    let in_code = "#@ images = [\"prod\"]\n---\nkind: #@ \"prod\" in images\n";
    let in_text = "x: |\n  #@ images = (\"prod\")\n  #@ if data.values.kind in (\"prod\"):\n  #@ end\n  y: #@ data.values.kind in (\"a\")\n";
    assert_eq!(warned(&[("a.yml", &format!("{in_code}{in_text}"))], &[]), [""; 0]);
}
