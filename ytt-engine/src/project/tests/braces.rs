//! Expressions of other tools in texts: told where they are surely meant for this render.

use crate::Project;

const VALUES: &str = "#@data/values\n---\nname: a\nmetrics:\n  port: 1\n";

/// The lines of what is warned of in `a.yml`.
fn told(text: &str) -> Vec<u32> {
    let project = Project::new().file("values.yml", VALUES).file("a.yml", text);
    let rendered = project.render().unwrap_or_else(|error| panic!("{text}: {error}"));
    let braces = rendered.warnings().iter().filter(|warning| warning.code().as_str() == "yaml::braces");
    braces.map(|warning| warning.position().expect("it has a place").line).collect()
}

#[test]
fn values_of_helm_are_told_where_they_are_data_values() {
    for (text, line) in [
        ("a: \"{{ .Values.name }}\"\n", Some(1)),
        ("a: '{{.Values.metrics.port}}'\n", Some(1)),
        ("#@ load(\"@ytt:data\", \"data\")\nb: #@ data.values.name\na:\n- \"{{ .Values.metrics }}\"\n", Some(4)),
        ("a: \"x-{{ .Values.name | quote }}-{{ .Values.metrics.port }}\"\n", Some(1)),
        // Whoever reads the output has these.
        ("a: \"{{ .Values.other }}\"\n", None),
        ("a: \"{{ .Values.name }}-{{ .Values.other }}\"\n", None),
        ("a: \"{{ .Values.metrics.host }}\"\n", None),
        ("a: \"{{ .Values.name.first }}\"\n", None),
        ("a: \"{{ .Values. }}\"\n", None),
        ("a: \"{{ range .Alerts }}{{ .Values.A }}{{ end }}\"\n", None),
        ("a: \".Values.name\"\n", None),
        ("a: |\n  {{ .Values.name }}\n", None),
        // A release of Flux, and a template that an operator fills in.
        ("kind: HelmRelease\nspec:\n  values:\n    name: b\n    labels:\n      a: \"{{ .Values.name }}\"\n", None),
        ("a:\n  templates:\n    b: \"{{ .Values.name }}\"\n  valuesFrom: []\n", None),
    ] {
        assert_eq!(told(text), line.into_iter().collect::<Vec<u32>>(), "{text}");
    }
}

#[test]
fn data_values_are_told_in_files_that_read_some() {
    let load = "#@ load(\"@ytt:data\", \"data\")\nb: #@ data.values.name\n";
    for (text, line) in [
        ("a: \"{{ data.values.name }}\"\n", Some(3)),
        ("a: ${data.values.name}\n", Some(3)),
        ("a: |\n  ${data.values.name}\n", None),
    ] {
        assert_eq!(told(&format!("{load}{text}")), line.into_iter().collect::<Vec<u32>>(), "{text}");
        assert_eq!(told(text), [0; 0], "{text}");
    }
}

#[test]
fn a_library_has_data_values_of_its_own() {
    let user = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n\
        --- #@ template.replace(library.get(\"l\").eval())\n";
    let project = Project::new().file("values.yml", VALUES).file("b.yml", user);
    let project = project.file("_ytt_lib/l/schema.yml", "#@data/values-schema\n---\nown: 1\n");
    let project = project.file("_ytt_lib/l/a.yml", "a: \"{{ .Values.name }}\"\nb: \"{{ .Values.own }}\"\n");
    let rendered = project.render().unwrap();
    let lines: Vec<u32> = rendered.warnings().iter().filter_map(|warning| Some(warning.position()?.line)).collect();
    assert_eq!(lines, [2]);
}
