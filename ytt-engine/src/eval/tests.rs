//! Templates run as a whole: nodes that are replaced, overridden, looked up. What is expected was confirmed with the
//! reference.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use crate::{Format, Project};

const LOADS: &str = "\
#@ load(\"@ytt:template\", \"template\")
#@ load(\"@ytt:struct\", \"struct\")
#@ load(\"@ytt:regexp\", \"regexp\")
#@ load(\"@ytt:yaml\", \"yaml\")
";

/// The output of a template, or its error.
fn text(template: &str) -> String {
    match Project::new().file("t.yml", format!("{LOADS}{template}")).render() {
        Ok(rendered) => rendered.to_text(Format::Yaml).unwrap_or_else(|error| error.to_string()),
        Err(error) => error.to_string(),
    }
}

/// `k0: 0`, `k1: 1` and so on.
fn keys(count: usize) -> String {
    (0..count).fold(String::new(), |mut out, number| {
        let _ = writeln!(out, "k{number}: {number}");
        out
    })
}

#[test]
fn placeholders_may_have_one_key_in_maps_of_any_size() {
    for size in [0, 3, 7, 8, 9, 20] {
        let replaced = "_: #@ template.replace({\"x\": 1})\nj: 1\n_: #@ template.replace({\"y\": 2, \"z\": 3})\n\
                        _: #@ template.replace({})\n_: #@ template.replace({\"x\": 4})\n";
        let expected = format!("{}j: 1\n\"y\": 2\nz: 3\nx: 4\n", keys(size));
        assert_eq!(text(&format!("{}{replaced}", keys(size))), expected, "{size}");
    }
}

#[test]
fn a_placeholder_that_stays_is_a_key_like_others() {
    let found = text(&format!("{}_: 1\n_: #@ template.replace({{\"x\": 1}})\n", keys(9)));
    assert!(found.contains("expected key '_' to not be specified again"), "{found}");
}

#[test]
fn overridden_items_leave_maps_of_any_size() {
    for size in [3, 8, 20] {
        let loops = "#@ for i in range(3):\n#@yaml/map-key-override\nk1: #@ i\n#@yaml/map-key-override\nk0: #@ -i\n#@ end\nend: 1\n";
        let rest = keys(size).lines().skip(2).fold(String::new(), |out, line| out + line + "\n");
        let expected = format!("{rest}k1: 2\nk0: -2\nend: 1\n");
        assert_eq!(text(&format!("{}{loops}", keys(size))), expected, "{size}");
    }
}

#[test]
fn items_of_a_fragment_come_back_after_they_were_overridden() {
    // The items of a fragment are shared: the same nodes are put into the map three times.
    let template = format!(
        "#@ def f():\n#@yaml/map-key-override\na: 1\n#@ end\n#@ v = f()\n---\n{}_: #@ template.replace(v)\n\
         #@yaml/map-key-override\na: 2\n_: #@ template.replace(v)\nb: 3\n_: #@ template.replace(v)\n",
        keys(9)
    );
    assert_eq!(text(&template), format!("{}b: 3\na: 1\n", keys(9)));
}

#[test]
fn structs_and_fragments_are_asked_for_names() {
    let template = "#@ s = struct.make(a=1, b=2)\n#@ def f():\na: 1\n2: 3\n2.5: 4\ntrue: 5\nnull: 6\n18446744073709551615: 7\n#@ end\n\
                    s: #@ [\"a\" in s, \"c\" in s, 1 in s, \"a\" not in s]\n#@ v = f()\n\
                    f: #@ [v[\"a\"], v[2], v[2.5], v[True], v[None], v[18446744073709551615]]\n\
                    g: #@ [1 in v, 2.0 in v, False in v, \"2\" in v, (1,) in v]\n";
    let expected = "s:\n- true\n- false\n- false\n- false\nf:\n- 1\n- 3\n- 4\n- 5\n- 6\n- 7\n\
                    g:\n- false\n- false\n- false\n- false\n- false\n";
    assert_eq!(text(template), expected);
}

#[test]
fn reserved_names_reach_a_lambda_as_they_were_written() {
    let template = "a: #@ (lambda **k: k)(assert=1, é=2, b=3)\nb: #@ (lambda **k: [k for k in k])(async=1)\n\
                    #@ d = {\"x\": [7.5, 5]}\n#@ d[\"x\"][len(d) - 1] %= 2\n#@ d[\"x\"][1] *= 3\nc: #@ d\n";
    let expected = "a:\n  assert: 1\n  é: 2\n  b: 3\nb:\n- async\nc:\n  x:\n  - 1.5\n  - 15\n";
    assert_eq!(text(template), expected);
}

#[test]
fn a_warning_is_given_once_however_often_code_runs() {
    let template = format!("{LOADS}#@ for i in range(50):\n#@ yaml.encode(i, foo=1)\n#@ end\na: 1\n");
    let rendered = Project::new().file("t.yml", template).render().unwrap();
    assert_eq!(rendered.warnings().len(), 1);
}

/// The output or the error of a template that loads `h.star`, and the lines that both print.
fn beside(star: &str, template: &str) -> (String, Vec<String>) {
    let printed = Arc::new(Mutex::new(Vec::new()));
    let sink = printed.clone();
    let project = Project::new().on_print(move |line| sink.lock().unwrap().push(line.to_owned()));
    let template = format!("#@ load(\"h.star\", \"f\")\n{template}");
    let text = match project.file("a.yml", template).file("h.star", star).render() {
        Ok(rendered) => rendered.to_text(Format::Yaml).unwrap(),
        Err(error) => error.to_string(),
    };
    (text, std::mem::take(&mut *printed.lock().unwrap()))
}

#[test]
fn what_fails_loads_nothing_twice() {
    let (text, printed) = beside("print(\"loaded\")\ndef f(): return 1\n", "#@ print(\"runs\")\na: #@ f() + \"\"\n");
    assert_eq!(text, "unknown binary op: int + string");
    // the last one is the file itself
    assert_eq!(printed, ["loaded", "runs", "loaded"]);
    let (text, printed) = beside("print(\"loaded\")\nf = 1 // 0\n", "a: 1\n");
    assert!(text.contains("floored division by zero"), "{text}");
    assert_eq!(printed, ["loaded", "loaded"]);
}

#[test]
fn what_fails_fails_also_where_functions_remember() {
    let counts =
        "def counter():\n  l = []\n  def next():\n    l.append(0)\n    return len(l)\n  end\n  return next\nend\n";
    let refuses = "f = (lambda next: lambda: [1][2 - next()])(counter())\n";
    let (text, _) = beside(&format!("{counts}{refuses}"), "a: #@ f()\n");
    assert!(text.contains("index 1 out of range"), "{text}");
    let (text, _) = beside(&format!("{counts}f = counter()\n"), "a: #@ [0][f()]\n");
    assert!(text.contains("index 1 out of range"), "{text}");
    // a warning is no reason to call it once more
    let (text, _) = beside(&format!("{counts}f = counter()\n"), "a: #@ \"%s\" % None\nb: #@ f()\n");
    assert_eq!(text, "a: None\nb: 1\n");
}
