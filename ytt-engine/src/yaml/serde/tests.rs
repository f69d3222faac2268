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
    // A key below a key: both are in the path.
    let inner = Value::from(Map::from_iter([("b", "x")]));
    let outer = Value::from(Map::from_iter([("a", inner)]));
    let error = with_node(&outer, |node| node.deserialize::<BTreeMap<String, BTreeMap<String, u8>>>()).unwrap_err();
    assert_eq!(error.parts().notes, ["at a.b"]);
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

/// What a serializer may be given beside the kinds of a struct.
#[derive(Serialize)]
struct Unit;
#[derive(Serialize)]
struct Wrapped(u8);
#[derive(Serialize)]
struct Pair(u8, i128);
/// Bytes, which derived types give as lists.
struct Raw(&'static [u8]);

impl Serialize for Raw {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

#[test]
fn every_kind_of_serde_is_a_value() {
    let value = |one: &dyn Fn() -> Result<Value, Diagnostic>| one().unwrap();
    assert_eq!(value(&|| Value::serialized(&())), Value::Null);
    assert_eq!(value(&|| Value::serialized(&Unit)), Value::Null);
    assert_eq!(value(&|| Value::serialized(&Wrapped(7))), Value::Int(7));
    assert_eq!(
        value(&|| Value::serialized(&Pair(7, i128::from(u64::MAX)))),
        [Value::Int(7), Value::UInt(u64::MAX)].into()
    );
    assert_eq!(value(&|| Value::serialized(&(1, "a"))), [Value::Int(1), "a".into()].into());
    assert_eq!(value(&|| Value::serialized(&u128::from(u64::MAX))), Value::UInt(u64::MAX));
    assert_eq!(value(&|| Value::serialized(&Raw(b"a\xff"))), Value::bytes(b"a\xff"));
    let large = Value::serialized(&i128::MIN).unwrap_err();
    assert_eq!(large.message(), format!("int value {} is out of range (-2^63 … 2^64-1)", i128::MIN));
    assert!(Value::serialized(&u128::MAX).unwrap_err().message().ends_with("is out of range (-2^63 … 2^64-1)"));
}

#[test]
fn every_value_can_be_serialized() {
    let map = Map::from_iter([
        ("null", Value::Null),
        ("large", Value::UInt(u64::MAX)),
        ("float", Value::Float(0.5)),
        ("bytes", Value::bytes(b"\xff")),
    ]);
    let (value, text) = (Value::from(map), r#"{"null":null,"large":18446744073709551615,"float":0.5,"bytes":[255]}"#);
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    assert_eq!(with_node(&value, |node| serde_json::to_string(&node)).unwrap(), text);
    assert_eq!(with_node(&value, |node| node.deserialize::<Value>()).unwrap(), value);
    assert_eq!(serde_json::from_str::<Value>("[null,1.5]").unwrap(), [Value::Null, Value::Float(1.5)].into());
}

#[test]
fn what_does_not_fit_is_named() {
    let wrong = [
        (Value::Null, "invalid type: unit value, expected u8", "null"),
        (true.into(), "invalid type: boolean `true`, expected u8", "true"),
        (Value::Int(-1), "invalid value: integer `-1`, expected u8", "-1"),
        (Value::UInt(u64::MAX), "invalid value: integer `18446744073709551615`, expected u8", "18446744073709551615"),
        (Value::Float(0.5), "invalid type: floating point `0.5`, expected u8", "0.5"),
        ("a".into(), "invalid type: string \"a\", expected u8", "a"),
        (Value::bytes(b"\xff"), "invalid type: byte array, expected u8", "(string)"),
        (Map::new().into(), "invalid type: map, expected u8", "(map)"),
        ([1].into(), "invalid type: sequence, expected u8", "(array)"),
    ];
    for (value, message, name) in &wrong {
        assert_eq!(with_node(value, |node| node.deserialize::<u8>()).unwrap_err().message(), *message, "{value:?}");
        // Below a key of each kind, the path names it.
        let map = Value::from(Map::from_iter([(value.clone(), Value::from("x"))]));
        let found = with_node(&map, |node| node.deserialize::<BTreeMap<Key, u8>>()).unwrap_err();
        assert_eq!(found.message(), "invalid type: string \"x\", expected u8", "{value:?}");
        assert_eq!(found.parts().notes, [format!("at {name}").as_str()]);
    }
    assert!(with_node(&Value::Null, |node| node.deserialize::<Mode>()).unwrap_err().message().contains("a variant"));
}

/// Any key.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        Value::deserialize(deserializer).map(|value| Key(format!("{value:?}")))
    }
}
