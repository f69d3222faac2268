//! ytt, the YAML templating tool, as a library: templates, overlays, data values with schema, libraries.
//!
//! A [`Project`] takes files, data values and settings; [`Project::render`] gives a [`Rendered`], whose documents are
//! printed, written to a folder or read by the program, or an [`Error`] with all problems of the stage that failed. Both
//! know the [`Inputs`] that were read. What is printed is what ytt 0.48.0 prints, byte for byte.
//!
//! ```
//! # #[cfg(feature = "engine")]
//! # fn main() -> Result<(), ytt_engine::Error> {
//! use ytt_engine::{Format, Project};
//!
//! let rendered = Project::new()
//!     .file("schema.yml", "#@data/values-schema\n---\nreplicas: 1\n")
//!     .file("web.yml", "#@ load(\"@ytt:data\", \"data\")\nkind: Deployment\nreplicas: #@ data.values.replicas\n")
//!     .data_value("replicas", 3)
//!     .render()?;
//! assert_eq!(rendered.to_text(Format::Yaml)?, "kind: Deployment\nreplicas: 3\n");
//! assert_eq!(rendered.documents().next().unwrap().get("replicas").unwrap().as_i64(), Some(3));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "engine"))]
//! # fn main() {}
//! ```
//!
//! `ytt-macros` embeds results in a program while it is compiled, `ytt-build` makes them in a build script; both rest on
//! this crate.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none | [`constant`]: what generated constants are made of; `no_std`, no dependencies |
//! | `alloc` | `constant::CowMap`, `constant::fields` |
//! | `std` | `alloc`, and what `constant::fields` does for types of `std` |
//! | `engine` (default) | `std` and the renderer: everything but the following |
//! | `explain` (default) | where lines of a result come from: `Rendered::explanation` |
//! | `fmt` (default) | YAML files in one canonical form: `Project::format` |
//! | `serde` | `alloc`; constants, and with `engine` documents, into what can be deserialized; values from what can be serialized |
//! | `serde_yaml` | conversions from and to `serde_yaml::Value` |
//! | `cli` | the command `cargo-ytt` |
//! | `codegen` | what `ytt-macros` and `ytt-build` share; it may change in any release |
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(missing_docs)]
#![deny(unsafe_code)]
// No input may end in a panic: what could panic, wrap or lose says in a reason why it does not. Tests may.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::allow_attributes_without_reason
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "engine")]
mod call;
#[cfg(any(feature = "engine", feature = "codegen"))]
mod caught;
#[cfg(feature = "codegen")]
pub mod codegen;
pub mod constant;
#[cfg(feature = "engine")]
mod diag;
#[cfg(feature = "engine")]
mod error;
#[cfg(feature = "engine")]
mod eval;
#[cfg(feature = "explain")]
pub mod explain;
#[cfg(feature = "engine")]
mod files;
#[cfg(test)]
#[path = "../tests/support/folder.rs"]
mod folder;
#[cfg(feature = "engine")]
mod library;
#[cfg(any(feature = "engine", feature = "codegen"))]
mod limits;
#[cfg(any(feature = "engine", feature = "codegen"))]
mod lints;
#[cfg(any(feature = "engine", feature = "codegen"))]
mod nearest;
#[cfg(feature = "engine")]
mod overlay;
#[cfg(feature = "engine")]
mod project;
#[cfg(feature = "engine")]
mod quoted;
#[cfg(any(feature = "engine", feature = "codegen"))]
mod regular;
#[cfg(feature = "engine")]
mod rendered;
#[cfg(feature = "engine")]
mod schema;
#[cfg(feature = "engine")]
mod source;
#[cfg(feature = "engine")]
mod stdlib;
#[cfg(feature = "engine")]
mod template;
#[cfg(feature = "engine")]
mod times;
#[cfg(feature = "engine")]
mod validate;
#[cfg(feature = "engine")]
pub mod yaml;

#[cfg(feature = "engine")]
pub use diag::{Applicability, Code, Diagnostic, FrameView, HelpView, LabelView, Severity, TextRange};
#[cfg(feature = "engine")]
pub use error::{Error, ErrorKind, Result, Warnings};
#[cfg(feature = "engine")]
pub use files::{FileKind, FileMark, Inputs};
#[cfg(any(feature = "engine", feature = "codegen"))]
pub use limits::Limits;
#[cfg(any(feature = "engine", feature = "codegen"))]
pub use lints::Level;
#[cfg(feature = "engine")]
pub use project::Project;
#[cfg(feature = "engine")]
pub use rendered::{Difference, Format, Rendered, RenderedFile, WriteOptions, Written};
#[cfg(feature = "engine")]
pub use source::Position;
#[cfg(feature = "engine")]
pub use times::Times;
#[cfg(feature = "engine")]
pub use yaml::Value;

/// What the fuzz target calls. Not part of the API: `cargo fuzz` alone sets this flag.
#[cfg(all(fuzzing, feature = "engine"))]
pub use yaml::properties::check_text;
