//! Laws that hold for any input, one function for each fuzz target; `tests/corpus.rs` runs them over the kept inputs.
//!
//! A law that is broken panics. What all of them say: no panic, nothing without an end, every error has a report and
//! places that lie inside of the texts. The laws of the YAML reader are in `ytt-engine/src/yaml/properties`.
#![forbid(unsafe_code)]

mod codegen;
mod modules;
mod overlay;
mod parts;
mod render;

pub use codegen::{call, committed};
pub use modules::modules;
pub use overlay::overlay;
pub use parts::whole;
pub use render::{format, program, template, text_template};
