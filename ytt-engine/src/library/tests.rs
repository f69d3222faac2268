//! Whole renders with libraries. What is expected was confirmed with the reference.

use std::sync::{Arc, Mutex};

use crate::{Format, Project};

/// A library with values and exports, and one with a schema and another library inside.
const FILES: [(&str, &str); 9] = [
    ("_ytt_lib/l/t.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nv: #@ data.values\n"),
    ("_ytt_lib/l/t.txt", "dropped"),
    ("_ytt_lib/l/v.yml", "#@data/values\n---\na: 1\nb: [1]\nm: {x: 1}\n"),
    ("_ytt_lib/l/f.star", "x = [1]\n_p = 2\ndef f(): return x\n"),
    ("_ytt_lib/l/s/g.star", "x = 3\ny = 4\n"),
    ("_ytt_lib/n/s.yml", "#@data/values-schema\n---\n#@schema/validation min_len=1\na: x\n#@schema/nullable\no: 1\n"),
    (
        "_ytt_lib/n/t.yml",
        "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n#@ load(\"@ytt:data\", \"data\")\n\
         ---\na: #@ data.values.a\n--- #@ template.replace(library.get(\"k\").eval())\n",
    ),
    ("_ytt_lib/n/v.yml", "#@library/ref \"@k\"\n#@data/values\n---\nk: 10\n"),
    ("_ytt_lib/n/_ytt_lib/k/t.yml", "#@ load(\"@ytt:data\", \"data\")\n#@data/values\n---\nk: 1\nz: 1\n"),
];

const LOADS: &str = "\
#@ load(\"@ytt:library\", \"library\")
#@ load(\"@ytt:assert\", \"assert\")
#@ load(\"@ytt:template\", \"template\")
#@ load(\"@ytt:overlay\", \"overlay\")
#@ def five():
b:
- 5
#@ end
---
#@ def new():
#@overlay/match missing_ok=True
q: 1
#@ end
---
#@ l = library.get(\"l\")
#@ n = library.get(\"n\")
";

fn project() -> Project {
    let files = FILES.into_iter().chain([(
        "_ytt_lib/n/_ytt_lib/k/u.yml",
        "#@ load(\"@ytt:data\", \"data\")\nk: #@ data.values.k\nz: #@ data.values.z\n",
    )]);
    files.fold(Project::new(), |project, (path, text)| project.file(path, text))
}

fn text(project: Project, template: &str) -> String {
    match project.file("c.yml", format!("{LOADS}{template}")).render() {
        Ok(rendered) => rendered.to_text(Format::Yaml).unwrap_or_else(|error| error.to_string()),
        Err(error) => error.to_string(),
    }
}

/// Each expression gives that text, or that error behind `! `.
fn check(cases: &[(&str, &str)]) {
    let template: String = cases
        .iter()
        .map(|(expression, _)| {
            format!("#@ r, e = assert.try_to(lambda: {expression})\n#@ print(\"! \" + e if e else str(r))\n")
        })
        .collect();
    let sink = Arc::<Mutex<Vec<String>>>::default();
    let lines = sink.clone();
    let printing = project().on_print(move |line| {
        if let Ok(mut lines) = lines.lock() {
            lines.push(line.to_owned());
        }
    });
    assert_eq!(text(printing, &template), "");
    let found = sink.lock().map(|lines| lines.clone()).unwrap_or_default();
    let expected: Vec<&str> = cases.iter().map(|(_, expected)| *expected).collect();
    assert_eq!(found, expected);
}

#[test]
fn get_finds_libraries_and_checks_its_arguments() {
    check(&[
        ("library.get()", "! library.get: expected exactly one argument"),
        ("library.get(1)", "! library.get: expected a string, but was int"),
        ("library.get(\"l\", foo=1, alias=2)", "! library.get: Unexpected kwarg 'foo'"),
        ("library.get(\"l\", alias=2)", "! library.get: expected a string, but was int"),
        ("library.get(\"l\", strict=1)", "! library.get: expected starlark.Bool, but was starlark.Int"),
        ("library.get(\"@l\")", "! library.get: Expected library '@l' to be specified without '@'"),
        ("library.get(\"l/x/y\")", "! library.get: Expected to find library 'l/x/y', but did not find 'l'"),
        ("library.get(\"_ytt_lib\")", "! library.get: Expected to find library '_ytt_lib', but did not find ''"),
        ("library.get(\"n/_ytt_lib\")", "! library.get: Could not load private library 'n'"),
        ("library.get(\"l/s\").export(\"y\")", "4"),
        ("l", "<module \"library\">"),
        ("l.eval", "<built-in function library.eval>"),
        ("dir(l)", "[\"data_values\", \"eval\", \"export\", \"with_data_values\", \"with_data_values_schema\"]"),
    ]);
}

#[test]
fn values_are_overlays_in_the_order_of_the_calls() {
    check(&[
        ("l.with_data_values({\"a\": 2}).with_data_values({\"a\": 3}).data_values().a", "3"),
        ("[l.with_data_values({\"a\": 2}).data_values().a, l.data_values().a]", "[2, 1]"),
        ("l.with_data_values({\"b\": [2]}).data_values().b", "[1, 2]"),
        ("l.with_data_values({\"b\": [2]}, plain=True).data_values().b", "[2]"),
        ("l.with_data_values(five()).data_values().b", "[1, 5]"),
        ("l.with_data_values(new()).data_values().q", "1"),
        (
            "l.with_data_values(new(), plain=True)",
            "! library.with_data_values: Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)",
        ),
        ("l.with_data_values({}, foo=1)", "! library.with_data_values: invalid argument name: foo"),
        ("l.with_data_values()", "! library.with_data_values: expected exactly one argument"),
        (
            "l.with_data_values({\"z\": 2}).eval()",
            "! library.eval: Evaluating library 'l': Overlaying data values (in following order: _ytt_lib/l/v.yml, additional data values): Document on line ?: Map item (key 'z') on line ?: Expected number of matched nodes to be 1, but was 0",
        ),
        ("library.get(\"l/s\").with_data_values([1]).data_values()", "[1]"),
        ("library.get(\"l/s\").data_values()", "struct(...)"),
    ]);
}

#[test]
fn schemas_are_checked_at_the_call_and_merged_at_evaluation() {
    check(&[
        ("l.with_data_values_schema({\"a\": 5, \"b\": [1], \"m\": {\"x\": 1}}).data_values().a", "1"),
        ("n.with_data_values_schema({\"a\": \"y\"}).data_values().a", "y"),
        (
            "n.with_data_values_schema({\"a\": None})",
            "! library.with_data_values_schema: \nInvalid schema - null value not allowed here\n============================================\n\n:\n    |\n  ? | \n    |\n\n    = found: null value\n    = expected: non-null value\n    = hint: in YAML, omitting a value implies null.\n    = hint: to set the default value to null, annotate with @schema/nullable.\n    = hint: to allow any value, annotate with @schema/type any=True.\n\n",
        ),
        (
            "n.with_data_values({\"a\": 2}).data_values()",
            "! library.data_values: Exporting from library 'n': Overlaying data values (in following order: _ytt_lib/n/v.yml, additional data values): \nOne or more data values were invalid\n====================================\n\nData value calculated:\n    #\n    # a: 2\n    #\n\n    = found: integer\n    = expected: string (by _ytt_lib/n/s.yml:4)\n\n",
        ),
        (
            "library.get(\"n\", dangerous_data_values_disable_validation=True).with_data_values({\"a\": \"\"}).data_values().a",
            "",
        ),
        (
            "n.with_data_values({\"a\": \"\"}).data_values()",
            "! library.data_values: Exporting from library 'n': Validating final data values:\n  a\n    from: ?\n    - must be: length >= 1 (by: _ytt_lib/n/s.yml:3)\n      found: length = 0\n\n",
        ),
    ]);
}

#[test]
fn exports_are_the_names_of_library_files() {
    check(&[
        ("l.export(\"x\", path=\"f.star\")", "[1]"),
        ("l.export(\"f\")()", "[1]"),
        ("l.export(\"y\", path=\"s/g.star\")", "4"),
        (
            "l.export(\"y\", path=\"/s/g.star\")",
            "! library.export: Exporting from library 'l': Expected to find exported symbol 'y', but did not",
        ),
        (
            "l.export(\"x\")",
            "! library.export: Exporting from library 'l': Expected to find exactly one exported symbol 'x', but found multiple across files: f.star, s/g.star",
        ),
        (
            "library.get(\"l\", alias=\"q\").export(\"_p\")",
            "! library.export: Exporting from library 'l~q': Symbols starting with '_' are private, and cannot be exported",
        ),
        ("l.export(\"x\", foo=1)", "! library.export: Exporting from library 'l': Unexpected keyword argument 'foo'"),
        ("l.eval(1)", "! library.eval: Evaluating library 'l': expected no arguments"),
    ]);
}

#[test]
fn documents_and_flags_reach_the_libraries_that_they_name() {
    let run = |project: Project| text(project, "--- #@ template.replace(n.eval())\n");
    assert_eq!(run(project()), "a: x\n---\nk: 10\nz: 1\n");
    let values = |more: &str, rest: &str| format!("#@library/ref \"@n@k\"\n#@data/values{more}\n---\n{rest}\n");
    let before = project().file("v.yml", values("", "k: 20"));
    assert_eq!(run(before.clone()), "a: x\n---\nk: 20\nz: 1\n");
    assert_eq!(run(before.data_value_yaml("@n@k:k", "30")), "a: x\n---\nk: 30\nz: 1\n");
    let after = project().file("v.yml", values(" after_library_module=True", "k: 20"));
    assert_eq!(run(after.data_value_yaml("@n@k:k", "30")), "a: x\n---\nk: 20\nz: 1\n");
    let aliased = project().file("v.yml", "#@library/ref \"@~q\"\n#@data/values\n---\na: u\n");
    let template = "--- #@ template.replace(library.get(\"n\", alias=\"q\").with_data_values({\"a\": \"w\"}).eval())\n";
    assert_eq!(text(aliased, template), "a: w\n---\nk: 10\nz: 1\n");
}

#[test]
fn what_no_library_takes_is_an_error() {
    let values = "#@library/ref \"@~q\"\n#@data/values\n---\na: u\n";
    let schema = "#@library/ref \"@n~q@w\"\n#@data/values-schema\n---\na: u\n";
    let both = project().file("v.yml", values).file("s.yml", schema);
    let expected = "Expected all provided library data values, and schema documents to be used but found unused: \
                    Data Value belonging to library '@~q' on line v.yml:3, Schema belonging to library '@n~q@w' on line s.yml:3";
    let found = text(both.clone(), "---\na: 1\n");
    assert!(found.contains(expected), "{found}");
    assert!(both.values().is_ok());
    let inner = project().file("v.yml", "#@library/ref \"@n@nope\"\n#@data/values\n---\na: u\n");
    let found = text(inner, "--- #@ template.replace(n.eval())\n");
    let expected =
        "library.eval: Evaluating library 'n': Expected all provided library data values documents to be used";
    assert!(found.contains(expected), "{found}");
}

/// What is not evaluated is not compiled, for all that people see: values and schema are shown beside a template that is
/// none.
#[test]
fn values_are_shown_beside_a_template_that_cannot_be_compiled() {
    let values = "#@data/values\n---\na: #@ 1 +\n";
    let broken = ["x: #@ (\n", "x: #@ nothing\n", "# plain\nx: #@ 1\n", "x: 1 #@ 2\n"];
    for template in broken {
        let project = Project::new().file("s.yml", "#@data/values-schema\n---\na: 1\n").file("t.yml", template);
        assert!(project.render().is_err(), "{template}");
        assert_eq!(project.values().unwrap().to_text(Format::Yaml).unwrap(), "a: 1\n", "{template}");
        assert!(project.schema().is_ok(), "{template}");
        let project = project.file("v.yml", values);
        assert!(project.values().is_err(), "{template}");
        assert!(project.schema().is_ok(), "{template}");
        assert!(project.file("y.yml", "a: ]\nb: #@ 1\n").schema().is_err(), "{template}");
    }
}

#[test]
fn a_fragment_is_held_until_the_run_and_keeps_the_marks_of_a_plain_merge() {
    let template = "#@ f = five()\n#@ held = l.with_data_values(f, plain=True)\n#@ overlay.apply(f, {\"b\": [6]})\n\
                    --- #@ held.data_values().b\n---\nx: #@ overlay.apply({\"b\": [1]}, five())[\"b\"]\n";
    assert_eq!(text(project(), template), "- 1\n- 5\n- 6\n---\nx:\n- 1\n- 5\n");
    let template =
        "#@ f = five()\n#@ l.with_data_values(f, plain=True)\n---\nx: #@ overlay.apply({\"b\": [1]}, f)[\"b\"]\n";
    assert_eq!(text(project(), template), "x:\n- 5\n");
}

/// What a program sees of a library's error is the reference's text, with calls and reasons.
#[test]
fn texts_of_errors_have_their_calls() {
    let load = "#@ load(\"h.star\", \"f\")\n";
    let of_code = "\n- int has no .nope field or method\n    in f\n      2 |   return x.nope\n    in g\n      \
                   _ytt_lib/e/c.yml:4 |   a: #@ f(1)\n    in <toplevel>\n      _ytt_lib/e/c.yml:6 | b: #@ g()";
    let of_load = "\n- cannot load h.star: Evaluating starlark template: \n    in <toplevel>\n      \
                   _ytt_lib/e/c.yml:1 | #@ load(\"h.star\", \"f\")\n\n    reason:\n     - floored division by zero\n         \
                   in <toplevel>\n           1 | x = 1 // 0";
    let cases: [(&str, &str, &str, &str); 4] = [
        ("def f(x):\n  return x.nope\nend\n", "c.yml", "#@ def g():\nm:\n  a: #@ f(1)\n#@ end\nb: #@ g()\n", of_code),
        ("x = 1 // 0\n", "c.yml", "a: 1\n", of_load),
        (
            "f = 1\n",
            "c.yml",
            "a: #@ yy\nb: #@ zz\n",
            "\n- undefined: yy\n    _ytt_lib/e/c.yml:2 | a: #@ yy\n- undefined: zz\n    _ytt_lib/e/c.yml:3 | b: #@ zz",
        ),
        (
            "f = 1\n",
            "c.txt",
            "x(@= f.g @)",
            "Evaluating text template: \n- int has no .g field or method\n    in <toplevel>\n      \
             _ytt_lib/e/c.txt:2 | = f.g ",
        ),
    ];
    for (star, name, template, expected) in cases {
        let load = if name.ends_with("yml") { load } else { "(@ load(\"h.star\", \"f\") @)\n" };
        let project =
            project().file(format!("_ytt_lib/e/{name}"), format!("{load}{template}")).file("_ytt_lib/e/h.star", star);
        let found = text(project, "e: #@ assert.try_to(lambda: library.get(\"e\").eval())[1]\n");
        let expected = format!("library.eval: Evaluating library 'e': {expected}");
        let rendered = crate::Project::new().data_value("v", expected.as_str());
        let rendered = rendered.file("t.yml", "#@ load(\"@ytt:data\", \"data\")\ne: #@ data.values.v\n").render();
        assert_eq!(found, rendered.unwrap().to_text(Format::Yaml).unwrap(), "{template}");
    }
}

#[test]
fn a_library_may_begin_where_the_call_stack_ends() {
    let root = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:data\", \"data\")\n#@ def f(n):\n#@ if n == 0:\n#@ \
                return len(library.get(\"l\").eval())\n#@ end\n#@ return f(n - 1)\n#@ end\na: #@ f(data.values.depth)\n";
    let mut refused = 0;
    for depth in 30..50 {
        let mut limits = crate::Limits::build();
        limits.call_depth = 50;
        let project = Project::new().file("a.yml", root).file("_ytt_lib/l/a.yml", "#@ x = 1\nk: #@ x\n");
        let project = project.file("s.yml", "#@data/values-schema\n---\ndepth: 0\n").limits(limits);
        let rendered = project.data_value_yaml("depth", depth.to_string()).render();
        let Err(error) = rendered else { continue };
        assert_eq!(error.diagnostics()[0].code(), crate::diag::Code::LIMIT, "{error}");
        refused += 1;
    }
    assert!((1..20).contains(&refused), "{refused}");
}
