//! How given values are read: flags, variables, files and values of Rust code, and in which order they count.

use std::panic::Location;

use super::{At, Reader, split_file_flag, split_path_flag};
use crate::call::Call;
use crate::call::testing::Script;
use crate::files::Reads;
use crate::library::route::Route;
use crate::library::values::{GivenContent, GivenValue, merge, sort};
use crate::overlay::Options;
use crate::schema::Schema;
use crate::source::{LineBreaks, Origin, Source, Text};
use crate::validate::script::{script, told};
use crate::yaml::{NodeId, PosId, ReadOptions, Val};

const ALL: Options = Options { collecting: true, reports: 20 };

fn with_reader<T>(script: &Script, run: impl FnOnce(&mut Reader<'_>) -> T) -> T {
    let mut arena = script.arena().borrow_mut();
    let options = &ReadOptions { strict: false, alias_nodes: 1000, reports: 20 };
    let (sources, at) = (script.sources(), At { number: 0, location: Location::caller() });
    run(&mut Reader { arena: &mut arena, sources, reads: &Reads::default(), options, at, warnings: Vec::new() })
}

fn given(script: &Script, flags: &[(&str, &str)]) -> Vec<GivenValue> {
    with_reader(script, |reader| {
        let mut given = Vec::new();
        for (flag, text) in flags {
            given.push(match *flag {
                "-v" => reader.text(text).unwrap(),
                "-y" => reader.yaml(text).unwrap(),
                "-f" => reader.file(text, b"bytes\n").unwrap(),
                prefix => {
                    let (name, value) = text.split_once('=').unwrap();
                    let (values, problems) = reader.environment(prefix, false, &[(name.into(), value.into())]);
                    assert!(problems.is_empty(), "{problems:?}");
                    given.extend(values);
                    continue;
                }
            });
        }
        sort(&mut given);
        given
    })
}

/// What documents and flags give together under a schema.
fn values(schema: Option<&str>, documents: &str, flags: &[(&str, &str)]) -> Result<String, Vec<String>> {
    let mut script = script();
    let schema = match schema {
        None => Schema::none(),
        Some(text) => {
            let document = script.read("s.yml", text)[0];
            Schema::from_document(&mut script, document).unwrap()
        }
    };
    let documents = if documents.is_empty() { Vec::new() } else { script.read("d.yml", documents) };
    let given = given(&script, flags);
    match merge(&mut script, &schema, &documents, &given, ALL) {
        Ok(document) => Ok(script.printed(document)),
        Err(problems) => Err(problems.0.0.iter().map(told).collect()),
    }
}

#[test]
fn flags_count_by_kind_and_replace() {
    for (documents, flags, expected) in [
        ("", &[][..], "{}"),
        ("a: 1", &[("-v", "a=x")], r#"{"a": "x"}"#),
        ("a: 1", &[("-v", "a=")], r#"{"a": ""}"#),
        ("a: 1", &[("-v", "a=b=c")], r#"{"a": "b=c"}"#),
        ("a: 1", &[("-y", "a=7"), ("-v", "a=x")], r#"{"a": 7}"#),
        ("a: 1", &[("-f", "a=p"), ("-y", "a=7")], r#"{"a": "bytes\n"}"#),
        ("a: 1", &[("P", "P_a=e"), ("-v", "a=x")], r#"{"a": "x"}"#),
        ("", &[("-v", "a.b.c=x"), ("-v", "a.b.d=y")], r#"{"a": {"b": {"c": "x", "d": "y"}}}"#),
        ("a:\n  b: 1\n  c: 2", &[("-y", "a=[1]")], r#"{"a": [1]}"#),
        ("a: null", &[("-v", "a.b=1")], r#"{"a": {"b": "1"}}"#),
        ("", &[("-v", "a..b=1"), ("-v", ".c=2"), ("-v", "=3")], r#"{"a": {"": {"b": "1"}}, "": "3"}"#),
        (
            "",
            &[("P", "P_a__b=1"), ("P", "P__a=2"), ("P", "P_c___d=3"), ("P", "Q_a=1")],
            r#"{"a": {"b": "1"}, "_a": "2", "c": {"_d": "3"}}"#,
        ),
        (
            "",
            &[("P", "P_e____f=1"), ("P", "P_b__=2"), ("P", "P_=3")],
            r#"{"e": {"": {"f": "1"}}, "b": {"": "2"}, "": "3"}"#,
        ),
        ("", &[("-v", "@a=1")], r#"{"@a": "1"}"#),
        ("a: 1\n---\n#@overlay/match missing_ok=True\nb: 2", &[], r#"{"a": 1, "b": 2}"#),
    ] {
        assert_eq!(values(None, documents, flags), Ok(expected.to_owned()), "{documents} {flags:?}");
    }
}

#[test]
fn a_scalar_in_between_is_an_error_with_the_reference_s_steps() {
    assert_eq!(
        values(None, "a: 1", &[("-v", "a.b=1")]),
        Err(vec![
            "Document on line (data-value arg):1: Map item (key 'a') on line (data-value arg):1: \
             Expected map, but was integer"
                .to_owned()
        ])
    );
    assert_eq!(
        values(None, "- 1", &[("-v", "a=1")]),
        Err(vec!["Document on line (data-value arg):1: Expected map, but was array".to_owned()])
    );
}

#[test]
fn values_are_checked_after_each_step_and_all_problems_told() {
    let schema = "foo: 1\nbar: x\nm:\n  k: 1\n";
    let invalid = "One or more data values were invalid: ";
    assert_eq!(
        values(
            Some(schema),
            "foo: wrong",
            &[("-v", "foo=not an integer"), ("-v", "m.z=1"), ("-v", "zz=1"), ("-y", "bar=5")]
        ),
        Err(vec![
            format!(
                "{invalid}Expected integer, but was string\n= found: string\n= expected: integer (by s.yml:1)\n= path: foo"
            ),
            format!(
                "{invalid}Expected integer, but was string\n= found: string\n= expected: integer (by s.yml:1)\n= path: foo\n\
                 ? to give a value that is not a string, use `--data-value-yaml`"
            ),
            format!(
                "{invalid}Given data value is not declared in schema\n= found: z\n\
                 = expected: a map item with the key named \"k\" (from s.yml:3)\n= path: m.z\n\
                 ? if `z` is a new data value, declare it, too\n? declared keys of this map: k"
            ),
            format!(
                "{invalid}Given data value is not declared in schema\n= found: zz\n\
                 = expected: one of {{ bar, foo, m }} (from s.yml:1)\n= path: zz\n\
                 ? if `zz` is a new data value, declare it, too\n? declared keys of this map: bar, foo, m"
            ),
            format!(
                "{invalid}Expected string, but was integer\n= found: integer\n= expected: string (by s.yml:2)\n= path: bar\n\
                 ? to give a string, use `--data-value bar=5`"
            ),
        ])
    );
    assert_eq!(
        values(Some(schema), "foo: 2", &[("-v", "bar=y"), ("-y", "m.k=3")]),
        Ok(r#"{"foo": 2, "bar": "y", "m": {"k": 3}}"#.to_owned())
    );
    assert_eq!(
        values(Some("#@schema/nullable\nm:\n  a: 1\n  b: 2"), "", &[("-y", "m.b=3")]),
        Ok(r#"{"m": {"b": 3, "a": 1}}"#.to_owned())
    );
}

#[test]
fn wrong_flags_have_the_texts_of_the_reference() {
    let script = script();
    with_reader(&script, |reader| {
        for (text, expected) in [
            ("a", "Extracting data value from KV: Expected format key=value"),
            ("@:a=1", "Extracting data value from KV: Expected library ref to not be empty"),
            ("l:a=1", "Extracting data value from KV: Expected at most one library-key separator ':' in 'l:a'"),
            ("@l:b:c=1", "Extracting data value from KV: Expected at most one library-key separator ':' in 'b:c'"),
            ("@l~:b=1", "Extracting data value from KV: Expected library alias to not be empty"),
        ] {
            assert_eq!(reader.text(text).unwrap_err().full_message(), expected);
        }
        assert_eq!(
            reader.yaml("a.b=[").unwrap_err().full_message(),
            "Extracting data value from KV: Deserializing value for key 'a.b': Deserializing YAML value: \
             yaml: line 1: did not find expected node content"
        );
        assert_eq!(
            reader.file("a", b"").unwrap_err().full_message(),
            "Extracting data value from file: Expected format key=/file/path"
        );
        let (_, problems) = reader.environment("P", true, &[("P_a".into(), "[".into())]);
        assert_eq!(
            problems[0].full_message(),
            "Extracting data values from env under prefix 'P': Extracting data value from env variable 'P_a': \
             Deserializing YAML value: yaml: line 1: did not find expected node content"
        );
        let variables = [("P_a__b", "1"), ("P_c", "2"), ("P_a", "3")].map(|(name, value)| (name.into(), value.into()));
        let (given, problems) = reader.environment("P", false, &variables);
        assert_eq!((given.len(), problems.len(), reader.warnings.len()), (3, 0, 1));
        assert_eq!(
            reader.warnings[0].full_message(),
            "environment variable P_a__b sets a part of what P_a sets; the later one counts"
        );
        let (_, problems) = reader.environment("@:P", false, &[]);
        assert_eq!(
            problems[0].full_message(),
            "Extracting data values from env under prefix '@:P': Expected library ref to not be empty"
        );
    });
    assert_eq!(split_file_flag("@l:k=p=q").unwrap(), ("@l:k", "p=q"));
    let (route, path) = split_path_flag("@l:a:b.yml").unwrap();
    assert_eq!((route.text(), path), ("@l".to_owned(), "a:b.yml"));
}

#[test]
fn places_of_flags_are_parts_of_the_argument() {
    let script = script();
    let given = with_reader(&script, |reader| reader.yaml("@lib:a.bc=[5]").unwrap());
    assert_eq!(given.route.text(), "@lib");
    let GivenContent::Path(path, Val::Node(array)) = &given.content else { panic!("a key and an array") };
    let arena = script.arena().borrow();
    let text = |pos: PosId| {
        let span = arena.place(pos).unwrap().key();
        let source = script.sources().get(span.source);
        source.text.as_str().unwrap()[span.start as usize..span.end as usize].to_owned()
    };
    assert_eq!([text(path[0].1), text(path[1].1)], ["a", "bc"]);
    let item = arena.items(*array)[0];
    assert_eq!(text(arena.get(item).pos), "[");
    assert_eq!(script.sources().name_line(arena.span_of(item).unwrap()), "(data-value-yaml arg):1");
}

#[test]
fn deprecated_keys_are_told_once_for_each_place() {
    let mut script = script();
    let text = "#@schema/deprecated \"use b\"\na:\n  x: 1\nb: 1\n";
    let document = script.read("s.yml", text)[0];
    let schema = Schema::from_document(&mut script, document).unwrap();
    let documents = script.read("d.yml", "a:\n  x: 2\n---\nb: 1\n");
    let given = given(&script, &[("-y", "a.x=5"), ("-y", "b=5")]);
    merge(&mut script, &schema, &documents, &given, ALL).unwrap();
    let warnings: Vec<String> = script.warnings.iter().map(told).collect();
    assert_eq!(warnings, vec!["data value `a` is deprecated\n= use b"; 2]);
}

#[test]
fn values_of_rust_code_are_numbered_in_pre_order() {
    use crate::yaml::{Array, Map, Value};

    let script = script();
    let mut list = Array::new();
    list.push(1);
    list.push(2);
    let mut map = Map::new();
    map.insert("a", list);
    map.insert("b", 3);
    let given = with_reader(&script, |reader| reader.code_document("", &Value::from(map)).unwrap());
    let GivenContent::Plain(document) = given.content else { panic!("a document") };
    let arena = script.arena().borrow();
    let number = |node: NodeId| arena.span_of(node).unwrap().start;
    let Val::Node(map) = arena.value(document) else { panic!("a map") };
    let [a, b] = arena.items(map)[..] else { panic!("two items") };
    let Val::Node(list) = arena.value(a) else { panic!("a list") };
    let items: Vec<u32> = arena.items(list).iter().map(|item| number(*item)).collect();
    assert_eq!((number(document), number(a), items, number(b)), (0, 1, vec![2, 3], 4));
    assert_eq!(script.sources().name_line(arena.span_of(b).unwrap()), "(values):1");
}

#[test]
fn values_files_are_plain_and_their_null_documents_nothing() {
    let read = |text: &str| {
        let script = script();
        let source = Source::new("v.yml", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let source = script.sources().add(source);
        with_reader(&script, |reader| reader.values_file(source, &Route::default(), "p/v.yml"))
            .map(|given| given.len())
            .map_err(|problem| problem.full_message())
    };
    assert_eq!(read("a: 1 # x\n---\n---\n#! y\nb: 2\n#@ behind\n"), Ok(2));
    assert_eq!(read(""), Ok(0));
    assert_eq!(read("a: 1\na: 2\n"), Ok(1));
    assert_eq!(
        read("a:\n- 1 #@ x\n"),
        Err("Extracting data value from file: Checking data values file 'p/v.yml': Expected to be plain YAML, having \
             no annotations (hint: remove comments starting with `#@`)"
            .to_owned())
    );
    assert_eq!(
        read("a: ["),
        Err("Extracting data value from file: Unmarshaling YAML data values file 'v.yml': yaml: line 1: did not find \
             expected node content"
            .to_owned())
    );
}
