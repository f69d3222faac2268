//! Constants with other formats: all of them can be serialized, a [`CowMap`] can be read.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::{CowMap, Map, Value};

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(bool) => serializer.serialize_bool(*bool),
            Value::Int(int) => serializer.serialize_i64(*int),
            Value::UInt(int) => serializer.serialize_u64(*int),
            Value::Float(float) => serializer.serialize_f64(*float),
            Value::Str(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Value::Seq(items) => serializer.collect_seq(*items),
            Value::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

impl<T: Serialize> Serialize for Map<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<T: Serialize + Clone> Serialize for CowMap<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

/// Of equal keys the last counts.
impl<'de, T: Deserialize<'de> + Clone + 'static> Deserialize<'de> for CowMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CowMap<T>, D::Error> {
        deserializer.deserialize_map(CowMapVisitor(PhantomData))
    }
}

struct CowMapVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Clone + 'static> Visitor<'de> for CowMapVisitor<T> {
    type Value = CowMap<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<CowMap<T>, A::Error> {
        let mut made: Vec<(Cow<'static, str>, T)> = Vec::new();
        while let Some(key) = entries.next_key::<String>()? {
            made.push((key.into(), entries.next_value()?));
        }
        Ok(made.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_written_in_their_order() {
        static TREE: Value = Value::Map(&[
            (Value::Str("b"), Value::Seq(&[Value::Null, Value::Bool(true), Value::Int(-1), Value::UInt(u64::MAX)])),
            (Value::Str("a"), Value::Float(1.5)),
            (Value::Int(1), Value::Bytes(&[0xFF])),
        ]);
        let text = serde_json::to_string(&TREE).unwrap();
        assert_eq!(text, r#"{"b":[null,true,-1,18446744073709551615],"a":1.5,"1":[255]}"#);
        static PORTS: Map<u16> = Map::new(&[("https", 443), ("http", 80)]);
        assert_eq!(serde_json::to_string(&PORTS).unwrap(), r#"{"https":443,"http":80}"#);
    }

    #[test]
    fn a_map_is_read_whole() {
        #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default)]
        struct Config {
            ports: CowMap<u16>,
            host: Cow<'static, str>,
        }
        static PORTS: CowMap<u16> = CowMap::borrowed(&[(Cow::Borrowed("ssh"), 22)]);
        impl Default for Config {
            fn default() -> Config {
                Config { ports: PORTS.clone(), host: Cow::Borrowed("localhost") }
            }
        }
        let read = |text| serde_json::from_str::<Config>(text).unwrap();
        assert_eq!(read("{}"), Config::default());
        let config = read(r#"{"ports":{"http":1,"a":2,"http":80}}"#);
        assert!(config.ports.iter().eq([("http", &80), ("a", &2)]));
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(text, r#"{"ports":{"http":80,"a":2},"host":"localhost"}"#);
        assert!(serde_json::from_str::<CowMap<u16>>("[1]").unwrap_err().to_string().contains("expected a map"));
    }
}
