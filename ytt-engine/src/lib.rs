//! ytt, the YAML templating tool, as a library: templates, overlays, data values with schema, libraries.
//!
//! A [`Project`] takes files, data values and settings; [`Project::render`] gives a [`Rendered`], whose documents are
//! printed, written to a folder or read by the program, or an [`Error`] with all problems of the stage that failed. Both
//! know the [`Inputs`] that were read. What is printed is what ytt 0.48.0 prints, byte for byte.
//!
//! ```
//! use ytt_engine::{Format, Project};
//!
//! let rendered = Project::new()
//!     .file("schema.yml", "#@data/values-schema\n---\nreplicas: 1\n")
//!     .file("web.yml", "#@ load(\"@ytt:data\", \"data\")\nkind: Deployment\nreplicas: #@ data.values.replicas\n")
//!     .data_value("replicas", 3)
//!     .render()?;
//! assert_eq!(rendered.to_text(Format::Yaml)?, "kind: Deployment\nreplicas: 3\n");
//! assert_eq!(rendered.documents().next().unwrap().get("replicas").unwrap().as_i64(), Some(3));
//! # Ok::<(), ytt_engine::Error>(())
//! ```
//!
//! `ytt-macros` embeds results in a program while it is compiled, `ytt-build` makes them in a build script; both rest on
//! this crate.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `engine` (default) | everything but the following; without it the crate is empty |
//! | `serde` | data values from what can be serialized, documents into what can be deserialized |
//! | `serde_yaml` | conversions from and to `serde_yaml::Value` |
//! | `cli` | the command `cargo-ytt` |
//! | `codegen` | what `ytt-macros` and `ytt-build` share; it may change in any release |
#![cfg(feature = "engine")]
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
#[cfg(any(feature = "engine", feature = "codegen"))]
mod nearest;
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
