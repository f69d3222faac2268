//! YAML as ytt reads and prints it: a reader that keeps every place and comment, the arena of nodes, the printers.
//!
//! Reading: `scan` → `parse` → `compose` → `attach` (comments to nodes), with `scalar`, `resolve` and `property` for what a
//! scalar means, `strict` and `warn` beside them; `read` leads. The `arena` holds nodes, `meta` their places and annotations,
//! `event` what happened to them and `readers` who read which data values, `declared` which of those that are declared anybody read, `keys` finds keys, `duplicates` resolves repeated ones, `words` names values in messages.
//! Printing: `view` is what a printer sees of a node; `print`, `json`, `positions` and `fmt` write it, with `write`, `number`
//! and `quote`, which says when a string needs quotes. `value`, `document` and `serde` are public.

pub(crate) mod arena;
mod attach;
mod check;
mod compose;
mod declared;
mod document;
pub(crate) mod duplicates;
pub(crate) mod event;
#[cfg(any(feature = "fmt", fuzzing, test))]
pub(crate) mod fmt;
pub(crate) mod functions;
pub(crate) mod joined;
pub(crate) mod json;
pub(crate) mod keys;
pub(crate) mod layout;
pub(crate) mod meta;
pub(crate) mod number;
mod outcome;
mod parse;
pub(crate) mod positions;
pub(crate) mod print;
#[cfg(any(test, fuzzing))]
pub(crate) mod properties;
mod property;
pub(crate) mod quote;
pub(crate) mod read;
pub(crate) mod readers;
pub(crate) mod resolve;
mod scalar;
mod scan;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "serde_yaml")]
mod serde_yaml;
mod slips;
mod strict;
pub(crate) mod value;
pub(crate) mod view;
mod warn;
pub(crate) mod words;
mod write;

pub(crate) use arena::{Arena, Body, Items, Node, NodeId, Raw, TooDeep, Val};
pub(crate) use declared::Wanted;
pub use document::{DocumentSet, NodeRef};
pub(crate) use duplicates::{has_duplicates, merge_duplicate_keys, resolve_duplicate_keys};
pub(crate) use event::{Applied, Before, Event, EventId, Keep, MatchedBy, TextPart, What};
#[cfg(any(feature = "fmt", fuzzing, test))]
pub use fmt::format;
pub(crate) use meta::{AnnId, AnnSet, Annotation, ArgId, NodeSpan, PosId};
pub(crate) use outcome::{Did, Outcome};
#[cfg(any(feature = "fmt", fuzzing, test))]
pub(crate) use read::read_text;
pub(crate) use read::{ReadFile, ReadOptions, comment_text, comments, read};
#[cfg(feature = "explain")]
pub(crate) use readers::{Moment, ReaderId};
pub(crate) use readers::{ReaderKind, Taken, TakenFrom};
pub use value::{Array, Map, Value};
