//! Data values that code gives: which part of the call a problem is about, and how each reader is told.

use crate::diag::{Advice, Voice};
use crate::folder::Folder;
use crate::source::Origin;
use crate::yaml::{Map, Value};
use crate::{Diagnostic, Project};

const SCHEMA: &str = "#@data/values-schema
---
a:
  port: 0
  hosts: [0]
b: \"\"
#@schema/validation one_not_null=True
c:
  #@schema/nullable
  l: 0
  #@schema/nullable
  r: 0
any:
  #@schema/type any=True
  all: null
#@schema/validation min_len=3
name: long
#@schema/type any=True
open: 1
";

/// Code of the first problem, and what its first label says of the call, if it is there that the problem is.
fn first(project: &Project) -> (String, Option<u32>) {
    let error = project.render().unwrap_err();
    place(&error.diagnostics()[0])
}

fn place(problem: &Diagnostic) -> (String, Option<u32>) {
    let parts = problem.parts();
    let label = parts.labels.first();
    let is_call = |label: &&crate::diag::Label| {
        let source = parts.sources.as_ref().map(|sources| sources.get(label.span.source));
        source.is_some_and(|source| matches!(source.origin, Origin::Rust(_)))
    };
    (problem.code().as_str().to_owned(), label.filter(is_call).map(|label| label.span.start))
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Map::from_iter(entries).into()
}

fn list<const N: usize>(items: [Value; N]) -> Value {
    items.to_vec().into()
}

fn schema() -> Project {
    Project::new().file("schema.yml", SCHEMA)
}

#[test]
fn a_problem_of_a_tree_has_the_number_of_its_value() {
    for (values, code, number) in [
        (map([("b", 1.into())]), "schema::type", 1),
        (map([("b", Value::Null)]), "schema::type", 1),
        // 0 all, 1 a, 2 a.hosts, 3 its first item, 4 its second, 5 a.port
        (map([("a", map([("hosts", list([1.into(), "t".into()])), ("port", 1.into())]))]), "schema::type", 4),
        (map([("a", map([("hosts", list([1.into(), 2.into()])), ("port", "t".into())]))]), "schema::type", 5),
        (map([("a", map([("hosts", list([map([]), 1.into()]))]))]), "schema::type", 3),
        (map([("a", map([("hosts", map([("k", 1.into())]))]))]), "overlay::kind", 2),
        (map([("a", map([("port", list([1.into()]))]))]), "schema::type", 2),
        (map([("b", "".into()), ("a", map([("port", 1.into()), ("z", 1.into())]))]), "schema::undeclared", 4),
        (
            map([("any", map([("all", map([("z", list([map([]), map([])]))]))])), ("q", 1.into())]),
            "schema::undeclared",
            6,
        ),
        (map([("c", map([("l", 1.into())])), ("name", "ab".into())]), "validate::rule", 3),
        // Both keys are null: the rule is that of the map.
        (map([("b", "".into()), ("c", map([("l", Value::Null)]))]), "validate::rule", 2),
        (map([("c", map([]))]), "validate::rule", 1),
        (map([("b", "".into()), ("a", 1.into())]), "schema::type", 2),
        (1.into(), "schema::type", 0),
        (list([1.into()]), "schema::type", 0),
    ] {
        let found = first(&schema().data_values_map(values.clone()));
        assert_eq!(found, (code.to_owned(), Some(number)), "{values:?}");
    }
    // Nobody gave the map of the rule: it stands in the schema.
    assert_eq!(first(&schema()), ("validate::rule".to_owned(), None));
    let below = "#@data/values-schema
---
m:
- name: \"\"
  #@schema/validation one_not_null=True
  in:
    #@schema/nullable
    k: 0
";
    let project = Project::new().file("s.yml", below);
    let values = map([("m", list([map([("in", map([("k", 1.into())]))]), map([("in", map([]))])]))]);
    assert_eq!(first(&project.data_values_map(values)), ("validate::rule".to_owned(), Some(6)));
}

#[test]
fn a_map_over_a_scalar_has_the_number_of_the_map() {
    let project = Project::new().file("v.yml", "#@data/values\n---\na: 1\n");
    let values = map([("z", 1.into()), ("a", map([("b", 1.into())]))]);
    assert_eq!(first(&project.data_values_map(values)), ("overlay::kind".to_owned(), Some(2)));
}

#[test]
fn a_problem_of_a_key_has_the_number_of_its_part() {
    for (key, code, number) in [
        ("a.z", "schema::undeclared", 2),
        ("q.x", "schema::undeclared", 1),
        ("a.q.x", "schema::undeclared", 2),
        ("c.q.x.y", "schema::undeclared", 2),
        ("a.port", "schema::type", 0),
        ("a.port.y", "overlay::kind", 3),
        ("name", "validate::rule", 0),
    ] {
        let expected = (code.to_owned(), Some(number));
        let rule = |project: Project| project.data_value("c.l", 1);
        let project = rule(schema());
        assert_eq!(first(&project.clone().data_value(key, "ab")), expected, "{key}");
        assert_eq!(first(&project.clone().data_value_yaml(key, "ab")), expected, "{key}");
        assert_eq!(first(&project.clone().data_value_env(key, "V", Some("ab"))), expected, "{key}");
        assert_eq!(first(&project.clone().data_value_env_yaml(key, "V", Some("ab"))), expected, "{key}");
    }
    // A wrong part of the value itself is no part of the key.
    let project = schema().data_value("c.l", 1);
    assert_eq!(
        first(&project.clone().data_value_env_yaml("a", "V", Some("{port: t}"))),
        ("schema::type".into(), Some(0))
    );
    assert_eq!(first(&project.data_value_env_yaml("a", "V", Some("[\n"))), ("yaml::syntax".into(), Some(0)));
}

#[cfg(feature = "codegen")]
#[test]
fn a_library_is_a_part_of_the_key() {
    let library = Project::new()
        .file("_ytt_lib/l/s.yml", "#@data/values-schema\n---\na:\n  b: 0\n")
        .file("_ytt_lib/l/a.yml", "a: 1\n")
        .file("a.yml", "#@ load(\"@ytt:library\", \"library\")\na: #@ library.get(\"l\").eval()[0]\n");
    for (key, code, number) in [
        (&["@l", "a", "b.c"][..], "schema::undeclared", 3),
        (&["@l", "b"], "schema::undeclared", 2),
        (&["@l", "a", "b"], "schema::type", 0),
        (&["@no", "a"], "values::library-ref", 1),
        (&["@l~", "a"], "values::library-ref", 1),
    ] {
        let key: Vec<String> = key.iter().map(ToString::to_string).collect();
        let project = library.clone().data_value_variable(&key, "V", Some("t".into()), false);
        assert_eq!(first(&project), (code.to_owned(), Some(number)), "{key:?}");
    }
}

#[test]
fn the_unknown_part_of_a_flag_is_marked() {
    for (flag, text, part) in [
        ("--data-value", "a.z=1", "z"),
        ("--data-value", "q.x.y=1", "q"),
        ("--data-value", "a.q.y=1", "q"),
        ("--data-value-yaml", "c.q.x=1", "q"),
        ("--data-value", "@no:a.b=1", "@no"),
    ] {
        let error = schema().data_value("c.l", 1).data_value_flag(flag, text).render().unwrap_err();
        let label = error.diagnostics()[0].labels().next().map(|label| label.place().bytes());
        assert_eq!(label.map(|range| &text[range]), Some(part), "{text}: {error:#}");
    }
    let project = schema().data_value("c.l", 1).data_values_env("P", [("P_a__q__x", "1")]);
    let label = project.render().unwrap_err().diagnostics()[0].labels().next().map(|label| label.place().bytes());
    assert_eq!(label, Some(5..6), "the part of the variable");
}

/// The helps of the first problem, for each reader in the order of [`VOICES`].
#[cfg(feature = "codegen")]
fn told(project: &Project) -> [Vec<String>; 4] {
    VOICES.map(|voice| {
        let error = project.clone().spoken(voice).render().unwrap_err();
        error.diagnostics()[0].helps().map(|help| help.text().to_owned()).collect()
    })
}

#[cfg(feature = "codegen")]
const VOICES: [Voice; 4] = [Voice::Macro, Voice::Builder, Voice::Command, Voice::Library];

#[cfg(feature = "codegen")]
#[test]
fn each_reader_is_told_in_the_words_of_the_call() {
    let yaml = "to give a value that is not a string";
    let key = ["a", "port"].map(String::from);
    let project = schema().data_value("c.l", 1);
    assert_eq!(
        told(&project.clone().data_value_variable(&key, "N", Some("t".into()), false)),
        [
            [format!("{yaml}, write `env_yaml = {{ a.port: \"N\" }}`")],
            [format!("{yaml}, write `.data_value_env_yaml(\"a.port\", \"N\")`")],
            [format!("{yaml}, use `--data-values-env-yaml`")],
            [format!("{yaml}, use `Project::data_value_env_yaml`")],
        ]
    );
    assert_eq!(
        told(&project.clone().data_values_env("P", [("P_a__port", "t")]))[1..],
        [
            [format!("{yaml}, write `.data_values_env_yaml(\"P\")`")],
            [format!("{yaml}, use `--data-values-env-yaml`")],
            [format!("{yaml}, use `Project::data_values_env_yaml`")],
        ]
    );
    let error = project.clone().data_value_env("a.port", "N", Some("t")).render().unwrap_err();
    let note = "the value is that of the environment variable `N`";
    assert_eq!(error.diagnostics()[0].notes().last(), Some(note));
    // A variable that is read as YAML already.
    assert_eq!(told(&project.data_value_env_yaml("a.port", "N", Some("t"))), [const { Vec::<String>::new() }; 4]);
    let limits = crate::Limits { depth: 2, ..crate::Limits::build() };
    let raise = "only if that much is really needed, raise the limit:";
    assert_eq!(
        told(&Project::new().file("a.yml", "a: [[[1]]]").limits(limits)),
        [
            [format!("{raise} `limits = {{ depth: … }}`")],
            [format!("{raise} `limits.depth = …`, given to `.limits(limits)`")],
            [format!("{raise} `--limit depth=…`")],
            [format!("{raise} `limits.depth = …`, given to `Project::limits`")],
        ]
    );
}

#[cfg(feature = "codegen")]
#[test]
fn files_and_marks_are_told_in_the_words_of_the_call() {
    let such = "such as";
    assert_eq!(
        told(&Project::new().file("a.yml", "").file_mark("a.yml:exclude")),
        [
            [format!("write `file_marks = [\"a.yml:KEY=VALUE\"]`, {such} \"a.yml:exclude=true\"")],
            [format!("write `.file_mark(\"a.yml:KEY=VALUE\")`, {such} \"a.yml:exclude=true\"")],
            [format!("write --file-mark a.yml:KEY=VALUE, {such} a.yml:exclude=true")],
            [format!("write `.file_mark(\"a.yml:KEY=VALUE\")`, {such} \"a.yml:exclude=true\"")],
        ]
    );
    let missing = "#@ load(\"nowhere-near.star\", \"x\")\n";
    let helps = told(&Project::new().file("a.yml", missing));
    assert_eq!(helps.map(|helps| helps.len()), [1, 1, 0, 1]);
    assert_eq!(
        told(&Project::new().read("-")),
        [
            vec!["a build has no standard input: name a file".to_owned()],
            vec!["a build has no standard input: name a file".to_owned()],
            vec![],
            vec!["`Project::stdin` sets what '-' stands for".to_owned()],
        ]
    );
    let folder = Folder::new("voices");
    let project = Project::new().file("a.txt", "").file_mark("a.txt:path=../a.txt");
    let texts = VOICES.map(|voice| {
        let error = project.clone().spoken(voice).render().unwrap().write_to(&*folder).unwrap_err();
        error.diagnostics()[0].helps().map(|help| help.text().to_owned()).collect::<String>()
    });
    for (text, how) in texts.iter().zip(["`file_marks = [", "`.file_mark(", "--file-mark '", "`.file_mark("]) {
        assert!(text.starts_with(&format!("give the file another path with a file mark: {how}")), "{text}");
    }
}

#[cfg(unix)]
#[cfg(feature = "codegen")]
#[test]
fn links_are_told_in_the_words_of_the_call() {
    let folder = Folder::with("voice-links", [("out/x.yml", "a: 1\n")]);
    std::fs::create_dir_all(folder.join("in")).unwrap();
    std::os::unix::fs::symlink("../out/x.yml", folder.join("in/l.yml")).unwrap();
    let helps = told(&Project::new().read(folder.join("in")));
    let how = "to follow the link, name what it leads to, or a folder above that:";
    assert_eq!(
        helps,
        [
            vec![format!("{how} `allow_symlink_destination = [\"…\"]`")],
            vec![format!("{how} `.allow_symlink_destination(\"…\")`")],
            vec![],
            vec![format!("{how} `Project::allow_symlink_destination`")],
        ]
    );
    std::os::unix::fs::symlink("nowhere", folder.join("out/m.yml")).unwrap();
    assert!(told(&Project::new().read(folder.join("out"))).iter().all(Vec::is_empty), "nothing can allow that");
}

#[test]
fn a_missing_path_is_told_with_the_nearest_one() {
    let folder = Folder::with("near", [("deploy/pipelines/a.yml", "a: 1\n"), ("deploy/values.yml", "a: 1\n")]);
    let helps = |project: Project| {
        let error = project.base_dir(&*folder).render().unwrap_err();
        let helps = error.diagnostics()[0].helps().map(|help| help.text().to_owned());
        helps.collect::<Vec<_>>()
    };
    let near = |path: &str| vec![format!("did you mean `{path}`?")];
    assert_eq!(helps(Project::new().read("deplyo/pipelines")), near("deploy/pipelines"));
    assert_eq!(helps(Project::new().read("deploy/valeus.yml")), near("deploy/values.yml"));
    assert_eq!(helps(Project::new().read_as("x.yml", "deploy/values.yaml")), near("deploy/values.yml"));
    assert_eq!(helps(Project::new().file_flag("x=deploy/pipelnes")), near("deploy/pipelines"));
    assert_eq!(helps(Project::new().data_values_file("deploy/values.yaml")), near("deploy/values.yml"));
    assert_eq!(helps(Project::new().data_value_file("a", "deploy/valuse.yml")), near("deploy/values.yml"));
    let flag = |flag: &str, text: &str| helps(Project::new().data_value_flag(flag, text));
    assert_eq!(flag("--data-values-file", "@l:deploi"), near("deploy"));
    assert_eq!(flag("--data-value-file", "a=deploy/vlaues.yml"), near("deploy/values.yml"));
    assert_eq!(helps(Project::new().read("nowhere")), Vec::<String>::new());
    // The folder itself is not in doubt.
    let error = Project::new().base_dir(folder.join("deplyo")).read("values.yml").render().unwrap_err();
    assert_eq!(error.diagnostics()[0].helps().count(), 0);
}

#[test]
fn advice_is_never_left_without_words() {
    let error = Project::new().file_mark("a:b").render().unwrap_err();
    let helps = &error.diagnostics()[0].parts().helps;
    assert!(helps.iter().all(|help| help.advice.is_none()) && !helps.is_empty(), "{helps:?}");
    assert_eq!(Voice::default(), Voice::Library);
    assert_ne!(Advice::AddFile, Advice::GiveStdin);
}

#[test]
fn yaml_of_a_key_is_read_as_flags_read_it() {
    let of = |text: &str| Project::new().data_value_yaml("open", text);
    let value = |text: &str| of(text).values().unwrap().to_text(crate::Format::Yaml).unwrap();
    assert_eq!(value("[1, two]"), "open:\n- 1\n- two\n");
    // Of equal keys the last one counts, and of documents the first.
    assert_eq!(value("{a: 1, a: 2}"), "open:\n  a: 2\n");
    assert_eq!(value("1\n---\n2"), "open: 1\n");
    let error = of("[1").values().unwrap_err();
    let message = error.diagnostics()[0].full_message();
    let steps = "Deserializing value for key 'open': Deserializing YAML value: ";
    assert!(message.starts_with(steps), "{message}");
    assert_eq!(place(&error.diagnostics()[0]).0, "yaml::syntax");
}

#[cfg(feature = "serde")]
#[test]
fn values_of_a_type_are_a_map_or_a_problem_of_their_line() {
    let given = std::collections::BTreeMap::from([("b", "x"), ("name", "long")]);
    let rendered = Project::new().data_values(&given).values().unwrap();
    assert_eq!(rendered.to_text(crate::Format::Yaml).unwrap(), "b: x\nname: long\n");
    let line = line!() + 1;
    let error = Project::new().data_values(&Refused).values().unwrap_err();
    assert!(error.diagnostics()[0].message().contains("has no values"), "{error}");
    assert_eq!(error.diagnostics()[0].position().map(|position| position.line), Some(line));
}

/// A type whose author refuses to write it.
#[cfg(feature = "serde")]
struct Refused;

#[cfg(feature = "serde")]
impl serde::Serialize for Refused {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("it has no values"))
    }
}
