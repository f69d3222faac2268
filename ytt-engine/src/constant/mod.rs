//! What generated constants are made of: values in statics, with `core` alone.
//!
//! `ytt-macros` and `ytt-build` write statics of these types; a program reads them. The module is the same with every
//! feature of the crate, so a program that holds constants only takes the crate without features and links no renderer.
//!
//! ```
//! use ytt_engine::constant::{Map, Value};
//!
//! static SETTINGS: Value = Value::Map(&[
//!     (Value::Str("host"), Value::Str("localhost")),
//!     (Value::Str("ports"), Value::Seq(&[Value::Int(80), Value::Int(443)])),
//! ]);
//! static LABELS: Map<&str> = Map::new(&[("app", "web"), ("tier", "front")]);
//!
//! // What is in a static can be read in a constant.
//! const HOST: Option<&Value> = SETTINGS.get("host");
//!
//! assert_eq!(HOST.and_then(Value::as_str), Some("localhost"));
//! assert_eq!(SETTINGS.get("ports").and_then(|ports| ports.at(1)), Some(&Value::Int(443)));
//! assert_eq!(LABELS.get("app"), Some(&"web"));
//! ```

#[cfg(feature = "alloc")]
mod cow;
#[cfg(feature = "alloc")]
pub mod fields;
mod map;
#[cfg(feature = "serde")]
mod read;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "serde")]
pub(crate) mod tree;
mod value;

#[cfg(feature = "alloc")]
pub use cow::CowMap;
pub use map::{Entries, Map};
#[cfg(feature = "serde")]
pub use read::{FromValueError, from_value};
pub use value::Value;
