//! Values of Rust programs through serde, both ways.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::*;
use crate::source::{LineBreaks, Origin, Position, Source, SourceMap, Text};
use crate::yaml::value::to_arena;
use crate::yaml::{Arena, Body, Map, PosId, Val};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct App {
    name: String,
    replicas: u16,
    #[serde(default)]
    ports: Vec<u32>,
    mode: Mode,
    ratio: Option<f64>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Mode {
    Plain,
    Named(String),
    Pair(i8, bool),
    Full { deep: BTreeMap<String, Option<char>> },
}

fn app(mode: Mode) -> App {
    App { name: "web".into(), replicas: 3, ports: vec![80, 443], mode, ratio: None }
}

/// Hands the tree of a value, whose places are columns, to a function.
fn with_node<R>(value: &Value, check: impl FnOnce(NodeRef<'_>) -> R) -> R {
    let sources = Arc::new(SourceMap::default());
    let text = Text::Str("x".repeat(100).into());
    let source = sources.add(Source::new("values", text, Origin::Memory, 0, LineBreaks::Yaml));
    let mut arena = Arena::new(1000);
    let tree = to_arena(&mut arena, value, Some(source)).unwrap();
    let document = arena.add(Body::Doc(tree), PosId(0));
    check(NodeRef::document(&arena, &sources, document))
}

#[test]
fn types_go_there_and_back() {
    let deep = BTreeMap::from([("a".into(), Some('x')), ("b".into(), None)]);
    for mode in [Mode::Plain, Mode::Named("n".into()), Mode::Pair(-1, true), Mode::Full { deep }] {
        let app = app(mode);
        let value = Value::serialized(&app).unwrap();
        assert_eq!(with_node(&value, |node| node.deserialize::<App>()).unwrap(), app);
        let text = serde_json::to_string(&value).unwrap();
        assert_eq!(text, serde_json::to_string(&app).unwrap());
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert_eq!(with_node(&value, |node| serde_json::to_string(&node)).unwrap(), text);
    }
}

#[test]
fn errors_have_place_and_path() {
    /// Entries of a map; the message, the path and the line of its error.
    type Case<'a> = (&'a [(&'a str, Value)], &'a str, &'a str, u32);
    let cases: [Case<'_>; 5] = [
        (&[("replicas", "x".into())], "invalid type: string \"x\", expected u16", "at replicas", 2),
        (&[("replicas", 70_000.into())], "invalid value: integer `70000`, expected u16", "at replicas", 2),
        (&[("replicas", 1.5.into())], "invalid type: floating point `1.5`, expected u16", "at replicas", 2),
        (
            &[("ports", vec![Value::from(1), true.into()].into())],
            "invalid type: boolean `true`, expected u32",
            "at ports[1]",
            4,
        ),
        (
            &[("mode", "Other".into())],
            "unknown variant `Other`, expected one of `Plain`, `Named`, `Pair`, `Full`",
            "at mode",
            2,
        ),
    ];
    for (entries, message, path, column) in cases {
        let value: Value = entries.iter().cloned().collect::<Map>().into();
        let error = with_node(&value, |node| node.deserialize::<App>()).unwrap_err();
        assert_eq!(error.message(), message);
        assert_eq!(error.parts().notes, [path]);
        assert_eq!(error.position(), Some(Position { line: 1, column }));
        assert_eq!(error.file().as_deref(), Some("values"));
    }
    let error = with_node(&Map::new().into(), |node| node.deserialize::<App>()).unwrap_err();
    assert_eq!((error.code().as_str(), error.message()), ("serde::mismatch", "missing field `name`"));
    assert_eq!(error.parts().notes, [""; 0]);
    let value: Value = Map::from_iter([("a", Value::from(1)), ("b", 2.into())]).into();
    let error = with_node(&value, |node| node.deserialize::<BTreeMap<char, ()>>()).unwrap_err();
    assert_eq!(error.parts().notes, ["at a"]);
    let error = with_node(&value, |node| node.deserialize::<BTreeMap<u8, u8>>()).unwrap_err();
    assert_eq!(error.message(), "invalid type: string \"a\", expected u8");
    assert_eq!(error.parts().notes, ["at a"], "a key has a path, too");
}

#[test]
fn integral_floats_are_integers_where_one_is_asked_for() {
    assert_eq!(with_node(&8.0.into(), |node| node.deserialize::<u8>()).unwrap(), 8);
    assert_eq!(with_node(&8.into(), |node| node.deserialize::<f32>()).unwrap(), 8.0);
    assert!(with_node(&300.0.into(), |node| node.deserialize::<u8>()).is_err());
    assert_eq!(with_node(&8.0.into(), |node| node.deserialize::<Value>()).unwrap(), Value::Float(8.0));
}

#[test]
fn text_is_borrowed_and_bytes_are_text() {
    #[derive(Deserialize)]
    struct Borrowed<'a> {
        name: &'a str,
        raw: &'a [u8],
    }
    let value = Map::from_iter([("name", Value::from("x")), ("raw", Value::bytes([0xFF, 1]))]).into();
    with_node(&value, |node| {
        let borrowed: Borrowed<'_> = node.deserialize().unwrap();
        assert_eq!((borrowed.name, borrowed.raw), ("x", &[0xFF, 1][..]));
    });
    assert_eq!(with_node(&value, |node| node.deserialize::<Value>()).unwrap(), value);
    assert!(with_node(&[1, 2, 3].into(), |node| node.deserialize::<(u8, u8)>()).is_err());
}

/// `serde_json` hands out numbers as structs here, since the interpreter switches on `arbitrary_precision`.
#[test]
fn numbers_of_any_precision_are_numbers() {
    let text = r#"{"a":[1,-2,18446744073709551615,1.5,1e3,-0,1.0,1e999]}"#;
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(json.to_string(), text.replace("1e3", "1e+3").replace("1e999", "1e+999"), "not the form to be tested");
    assert!(Value::serialized(&json).is_err());
    assert!(serde_json::from_str::<Value>(text).is_err());

    let text = text.replace(",1e999", "");
    let expected: Vec<Value> =
        vec![1.into(), (-2).into(), u64::MAX.into(), 1.5.into(), 1e3.into(), 0.into(), 1.0.into()];
    let expected: Value = Map::from_iter([("a", expected)]).into();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(Value::serialized(&json).unwrap(), expected);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    assert_eq!(Value::deserialize(&json).unwrap(), expected);
    let back: serde_json::Value = with_node(&expected, |node| node.deserialize()).unwrap();
    assert_eq!(back["a"][2].as_u64(), Some(u64::MAX));
    assert_eq!(back["a"][3].as_f64(), Some(1.5));
}

#[test]
fn trees_that_contain_themselves_are_refused() {
    let mut arena = Arena::new(1000);
    let array = arena.add(Body::Array(vec![].into()), PosId(0));
    let item = arena.add(Body::ArrayItem(Val::Node(array)), PosId(0));
    arena.items_mut(array).push(item);
    let sources = Arc::default();
    let node = NodeRef::value(&arena, &sources, Val::Node(array));
    assert_eq!(node.deserialize::<Value>().unwrap_err().message(), "nesting is deeper than 128 levels");
    assert!(serde_json::to_string(&node).unwrap_err().to_string().contains("nesting is deeper"));
}

#[test]
fn integers_beyond_64_bits_are_refused() {
    assert_eq!(Value::serialized(&u64::MAX).unwrap(), Value::UInt(u64::MAX));
    assert_eq!(Value::serialized(&i128::from(i64::MIN)).unwrap(), Value::Int(i64::MIN));
    let error = Value::serialized(&BTreeMap::from([("a", vec![u128::MAX])])).unwrap_err();
    assert_eq!(error.parts().notes, ["at a[0]"]);
}
