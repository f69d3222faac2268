//! ytt, the YAML templating tool, as a library that works while a program is being built.
#![deny(missing_docs)]
#![deny(unsafe_code)]

extern crate alloc;

mod call;
#[cfg(feature = "codegen")]
pub mod codegen;
mod diag;
mod error;
mod eval;
mod files;
mod library;
mod limits;
mod overlay;
mod project;
mod rendered;
mod schema;
mod source;
mod stdlib;
mod template;
mod validate;
pub mod yaml;

pub use diag::{Code, Diagnostic, FrameView, HelpView, LabelView, Severity, TextRange};
pub use error::{Error, ErrorKind, Result, Warnings};
pub use files::{FileKind, FileMark, Inputs};
pub use limits::Limits;
pub use project::Project;
pub use rendered::{Format, Rendered, RenderedFile, WriteOptions, Written};
pub use source::Position;
pub use yaml::Value;

/// What the fuzz target calls. Not part of the API: `cargo fuzz` alone sets this flag.
#[cfg(fuzzing)]
pub use yaml::laws::check_text;
