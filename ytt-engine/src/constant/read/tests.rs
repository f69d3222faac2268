//! Types of many shapes read from constants.

use alloc::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::*;
use Value::{Bool, Bytes, Float, Int, Map, Null, Seq, Str, UInt};

/// What is read, or path and message.
fn read<T: Deserialize<'static>>(value: &Value) -> Result<T, (String, String)> {
    from_value(value).map_err(|error| (error.path().into(), error.message().into()))
}

#[track_caller]
fn fails<T: Deserialize<'static> + Debug>(value: Value, path: &str, message: &str) {
    assert_eq!(read::<T>(&value).unwrap_err(), (path.into(), message.into()));
}

#[test]
fn scalars() {
    assert_eq!(read::<()>(&Null), Ok(()));
    assert_eq!(read::<bool>(&Bool(true)), Ok(true));
    assert_eq!((read::<i8>(&Int(-128)), read::<u8>(&Int(255))), (Ok(-128), Ok(255)));
    assert_eq!((read::<i16>(&Int(-2)), read::<u16>(&Int(2))), (Ok(-2), Ok(2)));
    assert_eq!((read::<i32>(&Int(-2)), read::<u32>(&Int(2))), (Ok(-2), Ok(2)));
    assert_eq!((read::<i64>(&Int(i64::MIN)), read::<u64>(&UInt(u64::MAX))), (Ok(i64::MIN), Ok(u64::MAX)));
    assert_eq!((read::<i128>(&Int(-2)), read::<u128>(&UInt(u64::MAX))), (Ok(-2), Ok(u64::MAX.into())));
    assert_eq!((read::<usize>(&Int(2)), read::<isize>(&UInt(2))), (Ok(2), Ok(2)));
    assert_eq!((read::<f32>(&Float(1.5)), read::<f64>(&Int(3)), read::<f64>(&UInt(3))), (Ok(1.5), Ok(3.0), Ok(3.0)));
    assert!(read::<f64>(&Float(f64::NAN)).unwrap().is_nan());
    assert_eq!((read::<u8>(&Float(8.0)), read::<i128>(&Float(-8.0))), (Ok(8), Ok(-8)));
    assert_eq!(read::<char>(&Str("é")), Ok('é'));
    fails::<u8>(Int(256), "", "invalid value: integer `256`, expected u8");
    fails::<i64>(UInt(u64::MAX), "", "invalid value: integer `18446744073709551615`, expected i64");
    fails::<u8>(Float(1.5), "", "invalid type: floating point `1.5`, expected u8");
    fails::<i64>(Float(1e16), "", "invalid type: floating point `10000000000000000.0`, expected i64");
    fails::<char>(Str("ab"), "", "invalid value: string \"ab\", expected a character");
    fails::<bool>(Str("true"), "", "invalid type: string \"true\", expected a boolean");
    fails::<String>(Int(1), "", "invalid type: integer `1`, expected a string");
    fails::<()>(Bool(false), "", "invalid type: boolean `false`, expected unit");
    fails::<bool>(Null, "", "invalid type: unit value, expected a boolean");
}

#[test]
fn text_and_bytes_are_borrowed() {
    static TEXT: Value = Str("web");
    assert_eq!(read::<&'static str>(&TEXT), Ok("web"));
    assert_eq!((read::<String>(&TEXT), read::<Cow<'static, str>>(&TEXT)), (Ok("web".into()), Ok("web".into())));
    assert_eq!(read::<&'static [u8]>(&TEXT), Ok(&b"web"[..]));
    assert_eq!(read::<&'static [u8]>(&Bytes(&[0xFF])), Ok(&[0xFF][..]));
    #[derive(Debug, Deserialize)]
    struct Borrowed {
        #[serde(borrow)]
        name: Cow<'static, str>,
    }
    let name = read::<Borrowed>(&Map(&[(Str("name"), Str("web"))])).unwrap().name;
    assert!(matches!(name, Cow::Borrowed("web")));
    fails::<String>(Bytes(&[0xFF]), "", "invalid value: byte array, expected a string");
    assert_eq!(read::<Vec<u8>>(&Seq(&[Int(1), Int(2)])), Ok(vec![1, 2]));
}

/// Reads whatever stands there, and says how it was handed over.
#[derive(Debug, PartialEq)]
struct Raw(Vec<u8>);

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        struct Visitor(bool);
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Raw;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Raw, E> {
                assert!(self.0, "formats for people give text");
                Ok(Raw(bytes.to_vec()))
            }
        }
        let people = deserializer.is_human_readable();
        deserializer.deserialize_byte_buf(Visitor(people))
    }
}

#[test]
fn options_bytes_and_newtypes() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Port(u16);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Nothing;
    assert_eq!((read::<Option<u8>>(&Null), read::<Option<u8>>(&Int(1))), (Ok(None), Ok(Some(1))));
    assert_eq!(read::<Option<Option<u8>>>(&Null), Ok(None));
    assert_eq!((read::<Port>(&Int(80)), read::<Nothing>(&Null)), (Ok(Port(80)), Ok(Nothing)));
    assert_eq!(read::<Box<Port>>(&Int(80)), Ok(Box::new(Port(80))));
    assert_eq!((read::<Raw>(&Str("a")), read::<Raw>(&Bytes(&[0xFF]))), (Ok(Raw(vec![97])), Ok(Raw(vec![0xFF]))));
    assert!(read::<IgnoredAny>(&Map(&[(Str("a"), Int(1))])).is_ok());
    fails::<Option<Port>>(Int(-1), "", "invalid value: integer `-1`, expected u16");
}

#[test]
fn arrays_and_tuples() {
    static LIST: Value = Seq(&[Int(1), Str("b"), Null]);
    assert_eq!(read::<(u8, &str, Option<u8>)>(&LIST), Ok((1, "b", None)));
    assert_eq!(read::<[u8; 2]>(&Seq(&[Int(1), Int(2)])), Ok([1, 2]));
    assert_eq!(read::<Vec<Vec<u8>>>(&Seq(&[Seq(&[]), Seq(&[Int(1)])])), Ok(vec![vec![], vec![1]]));
    fails::<(u8, String)>(LIST, "", "invalid length 3, expected 2 items");
    fails::<(u8, String, u8, u8)>(Seq(&[Int(1)]), "", "invalid length 1, expected a tuple of size 4");
    fails::<Vec<Vec<u8>>>(
        Seq(&[Seq(&[]), Seq(&[Int(1), Bool(true)])]),
        "[1][1]",
        "invalid type: boolean `true`, expected u8",
    );
    fails::<Vec<u8>>(Int(1), "", "invalid type: integer `1`, expected a sequence");
}

#[test]
fn maps_have_keys_of_any_kind() {
    static BY_NUMBER: Value = Map(&[(Int(80), Str("http")), (Int(443), Str("https"))]);
    let map = read::<BTreeMap<i64, String>>(&BY_NUMBER).unwrap();
    assert_eq!(map, BTreeMap::from([(80, "http".into()), (443, "https".into())]));
    assert_eq!(read::<HashMap<bool, u8>>(&Map(&[(Bool(true), Int(1))])).unwrap()[&true], 1);
    fails::<BTreeMap<String, String>>(BY_NUMBER, "80", "invalid type: integer `80`, expected a string");
    fails::<BTreeMap<String, u8>>(
        Map(&[(Str("a.b/c"), Str("x"))]),
        "\"a.b/c\"",
        "invalid type: string \"x\", expected u8",
    );
    fails::<BTreeMap<u8, u8>>(Map(&[(Int(7), Null)]), "7", "invalid type: unit value, expected u8");
    fails::<BTreeMap<String, u8>>(Seq(&[]), "", "invalid type: sequence, expected a map");
}

#[test]
fn structs_follow_their_attributes() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Loose {
        host_name: &'static str,
        #[serde(default)]
        port: u16,
        tls: Option<bool>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        inner: Vec<Inner>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        a: u8,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, i64>,
    }
    let loose = read(&Map(&[(Str("hostName"), Str("h")), (Str("extra"), Seq(&[Null]))]));
    assert_eq!(loose, Ok(Loose { host_name: "h", port: 0, tls: None }));
    fails::<Loose>(Map(&[]), "", "missing field `hostName`");
    static ONE: Value = Map(&[(Str("inner"), Seq(&[Map(&[(Str("a"), Int(1))])]))]);
    static NONE: Value = Map(&[(Str("inner"), Seq(&[Map(&[])]))]);
    static TWO: Value = Map(&[(Str("inner"), Seq(&[Map(&[(Str("a"), Int(1)), (Str("b"), Int(1))])]))]);
    assert_eq!(read(&ONE), Ok(Strict { inner: vec![Inner { a: 1 }] }));
    fails::<Strict>(NONE, "inner[0]", "missing field `a`");
    fails::<Strict>(TWO, "inner[0].b", "unknown field `b`, expected `a`");
    let flat = read::<Flat>(&Map(&[(Str("x"), Int(2)), (Str("a"), Int(1))]));
    assert_eq!(flat, Ok(Flat { a: 1, rest: BTreeMap::from([("x".into(), 2)]) }));
    fails::<Flat>(Map(&[(Str("a"), Int(1)), (Str("x"), Null)]), "", "invalid type: unit value, expected i64");
}

#[test]
fn enums() {
    #[derive(Debug, PartialEq, Deserialize)]
    enum Mode {
        Plain,
        Named(String),
        Pair(i8, bool),
        Full { deep: Option<char> },
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "type")]
    enum Inside {
        A { value: u8 },
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Beside {
        A(u8),
    }
    assert_eq!(read(&Str("Plain")), Ok(Mode::Plain));
    assert_eq!(read(&Map(&[(Str("Plain"), Null)])), Ok(Mode::Plain));
    assert_eq!(read(&Map(&[(Str("Named"), Str("n"))])), Ok(Mode::Named("n".into())));
    assert_eq!(read(&Map(&[(Str("Pair"), Seq(&[Int(-1), Bool(true)]))])), Ok(Mode::Pair(-1, true)));
    let full = Map(&[(Str("Full"), Map(&[(Str("deep"), Str("x"))]))]);
    assert_eq!(read(&full), Ok(Mode::Full { deep: Some('x') }));
    assert_eq!(read(&Map(&[(Str("value"), Int(1)), (Str("type"), Str("A"))])), Ok(Inside::A { value: 1 }));
    assert_eq!(read(&Map(&[(Str("c"), Int(1)), (Str("t"), Str("A"))])), Ok(Beside::A(1)));

    fails::<Mode>(Str("Other"), "", "unknown variant `Other`, expected one of `Plain`, `Named`, `Pair`, `Full`");
    fails::<Mode>(Map(&[]), "", "invalid length 0, expected a map with one entry, the variant");
    let wrong = "invalid type: integer `1`, expected a variant: its name, or a map with the name as key";
    fails::<Mode>(Int(1), "", wrong);
    fails::<Mode>(Str("Named"), "", "invalid type: unit variant, expected a variant with a value");
    fails::<Mode>(
        Map(&[(Str("Plain"), Int(1))]),
        "Plain",
        "invalid type: integer `1`, expected nothing: a variant without content",
    );
    fails::<Vec<Mode>>(
        Seq(&[Map(&[(Str("Full"), Map(&[(Str("deep"), Int(1))]))])]),
        "[0].Full.deep",
        "invalid type: integer `1`, expected a character",
    );
}

/// As Kubernetes has it: a port by number or by name.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum IntOrString {
    Int(i32),
    String(String),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Deployment {
    metadata: Option<Metadata>,
    spec: Option<Spec>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Metadata {
    name: Option<String>,
    labels: Option<BTreeMap<String, String>>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spec {
    replicas: Option<i32>,
    max_surge: Option<IntOrString>,
    #[serde(default)]
    containers: Vec<Container>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Container {
    name: String,
    image: Option<String>,
}

#[test]
fn kinds_of_kubernetes() {
    static WEB: Value = Map(&[
        (Str("apiVersion"), Str("apps/v1")),
        (
            Str("metadata"),
            Map(&[(Str("name"), Str("web")), (Str("labels"), Map(&[(Str("app.kubernetes.io/name"), Str("web"))]))]),
        ),
        (
            Str("spec"),
            Map(&[
                (Str("replicas"), Int(3)),
                (Str("maxSurge"), Str("25%")),
                (Str("containers"), Seq(&[Map(&[(Str("name"), Str("web")), (Str("image"), Null)])])),
            ]),
        ),
    ]);
    let web = read::<Deployment>(&WEB).unwrap();
    let spec = web.spec.unwrap();
    assert_eq!((spec.replicas, spec.max_surge), (Some(3), Some(IntOrString::String("25%".into()))));
    assert_eq!(spec.containers, [Container { name: "web".into(), image: None }]);
    assert_eq!(web.metadata.unwrap().labels.unwrap()["app.kubernetes.io/name"], "web");

    assert_eq!(read(&Int(1)), Ok(IntOrString::Int(1)));
    let wrong = "data did not match any variant of untagged enum IntOrString";
    fails::<Deployment>(Map(&[(Str("spec"), Map(&[(Str("maxSurge"), Bool(true))]))]), "spec.maxSurge", wrong);
    static NUMBER: Value = Map(&[(Str("metadata"), Map(&[(Str("labels"), Map(&[(Str("a.b/c"), Int(1))]))]))]);
    let error = from_value::<Deployment>(&NUMBER).unwrap_err();
    assert_eq!(error.to_string(), "metadata.labels.\"a.b/c\": invalid type: integer `1`, expected a string");
    let containers = Map(&[(Str("containers"), Seq(&[Map(&[])]))]);
    assert_eq!(from_value::<Spec>(&containers).unwrap_err().to_string(), "containers[0]: missing field `name`");
}

#[test]
fn the_nearest_path_is_found_by_steps() {
    let error = |path: &str| {
        let mut error = FromValueError::new("m".into());
        error.0.path = path.into();
        error
    };
    let paths = [("", "root"), ("a", "a"), ("a.b", "a.b"), ("a.b[1]", "a.b[1]"), ("a.bc", "a.bc"), ("a.b[1].c", "c")];
    for (path, expected) in [
        ("", "root"),
        ("x", "root"),
        ("ab", "root"),
        ("a", "a"),
        ("a.bcd", "a"),
        ("a.b.c", "a.b"),
        ("a.b[10]", "a.b"),
        ("a.b[1]", "a.b[1]"),
        ("a.b[1].c.d", "c"),
    ] {
        assert_eq!(error(path).nearest(&paths), Some(expected), "{path}");
    }
    assert_eq!(error("x").nearest(&paths[1..]), None);
}

/// So that a path finds its place in what the engine wrote.
#[cfg(feature = "engine")]
#[test]
fn paths_are_written_as_the_engine_writes_them() {
    for key in ["a", "a-b", "a b", "", "a.b/c", "a[0]", "x]", "\"", "a\nb", "é", "'", "null"] {
        let mut expected = String::from("root");
        crate::diag::path::push_key(&mut expected, key);
        crate::diag::path::push_index(&mut expected, 3);
        let mut error = FromValueError::new("m".into());
        for step in [Step::Index(3), Step::Key(key.into()), Step::Key("root".into())] {
            error = Value::under(step, error);
        }
        assert_eq!(error.path(), expected);
    }
}

#[test]
fn nesting_is_bounded() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its depth counts")]
    struct Deep(Vec<Deep>);
    let nested = |levels| {
        let mut value = Seq(&[]);
        for _ in 1..levels {
            value = Seq(Box::leak(Box::new([value])));
        }
        value
    };
    assert!(read::<Deep>(&nested(128)).is_ok());
    let error = read::<Deep>(&nested(129)).unwrap_err();
    assert_eq!(error, ("[0]".repeat(128), "nesting is deeper than 128 levels".into()));
    assert!(read::<IgnoredAny>(&nested(5000)).is_ok());
}
