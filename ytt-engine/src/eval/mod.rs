//! Evaluation: the host with an evaluator, the programs of files as functions, fragments as values.
//!
//! One render is one heap, one evaluator and one arena (ARCHITECTURE.md says why). From below, each using what stands
//! before it (`tests/tidy.rs` holds the files to this order):
//!
//! 1. `text`, `keywords`, `error`: bytes as Starlark text, names, errors on their way through the interpreter;
//! 2. `host`, `budget`, `open`, `scope`: the state of a render, which every value may reach;
//! 3. `messages`, `advice`, `trace`: what is said of an error of the interpreter;
//! 4. `object`, `fragment`, `convert`, `repr`, `kind`, `numbers`: the values that code sees, and the way to and from the
//!    arena;
//! 5. `arguments`, `strings`, `builtins`: what code does with them;
//! 6. `build`, `replace`: how nodes are made (`docs/templates.md#building-nodes`);
//! 7. `compile`, `direct`, `straight`, `load`, `session`: what running a file means (`docs/nodes.md#loaded-files`).

mod advice;
mod arguments;
mod budget;
mod build;
mod builtins;
mod compile;
pub(crate) mod convert;
mod direct;
pub(crate) mod error;
mod fragment;
pub(crate) mod host;
mod keywords;
mod kind;
mod load;
mod messages;
pub(crate) mod numbers;
pub(crate) mod object;
mod open;
mod replace;
pub(crate) mod repr;
mod scope;
mod session;
mod straight;
mod strings;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod trace;

pub(crate) use advice::groups::no_such_group;
pub(crate) use advice::nested::first_lists;
pub(crate) use advice::{call_it, is_function};
pub(crate) use budget::{Meter, call};
pub(crate) use compile::Prepared;
pub(crate) use error::{EvalResult, Returned};
pub(crate) use fragment::Fragment;
pub(crate) use host::{FileInstance, Host, PrintSink};
pub(crate) use kind::{is_callable, type_name};
pub(crate) use replace::replace;
pub(crate) use scope::{Form, MemberFn, ModuleFn, Options, Scope, SourceUnit};
pub(crate) use session::{Exports, Root, Session, Setup, Work, with_session};
