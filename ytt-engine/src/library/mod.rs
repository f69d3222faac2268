//! Libraries: a tree of files and what one run over it does. The root of a render is a library like any other.
//!
//! [`render`] is the whole of a render, from files to documents; `run` has its steps, `schemas` and `values` merge
//! documents. `tree` finds files and libraries, `scope` is what a running file can reach, `module` what it can do with
//! libraries, `addressed` what it hands to them by a `route`. `order` tells of files that are merged in the wrong one,
//! `cause` and `tried` write errors as programs see them, `without_effect` warns.

mod addressed;
mod braces;
mod cause;
mod data_values;
mod declarations;
mod early;
mod given_items;
mod in_texts;
mod kind;
mod lint;
mod loaded;
mod module;
mod no_return;
mod number_for_text;
mod of_library;
mod order;
pub(crate) mod route;
mod run;
mod schemas;
mod scope;
#[cfg(test)]
mod tests;
mod text_conditions;
mod thrown_away;
mod tree;
pub(crate) mod tried;
mod unequal;
mod unkept;
mod unused_values;
pub(crate) mod values;
mod without_effect;

use std::sync::Arc;

use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::eval::{PrintSink, Session, Setup, Work, with_session};
use crate::files::File;
use crate::limits::Limits;
use crate::lints::Lints;
use crate::overlay;
use crate::schema::Schema;
use crate::source::SourceMap;
use crate::yaml::{Arena, Keep, NodeId, TextPart};

pub(crate) use crate::eval::Options;
use values::GivenValue;

/// What a render works on. Nothing else is read.
#[derive(Debug)]
pub(crate) struct Job {
    /// In file order, marks applied.
    pub(crate) files: Vec<Arc<File>>,
    /// Data values from outside of the files. Their nodes are in `arena`.
    pub(crate) given: Vec<GivenValue>,
    pub(crate) arena: Arena,
    pub(crate) options: Options,
    pub(crate) limits: Limits,
    pub(crate) sources: Arc<SourceMap>,
    pub(crate) print: PrintSink,
    /// A record is kept from which the result can be explained.
    pub(crate) explain: bool,
    /// What is told of a render that works.
    pub(crate) lints: Lints,
}

/// How far a render goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// To the documents.
    Render,
    /// To the final data values.
    Values,
    /// To the schema of the data values.
    Schema,
}

/// What a file became.
#[derive(Clone, Debug)]
pub(crate) enum Output {
    Documents(NodeId),
    /// With where its parts are from, if that is noted.
    Text(Vec<u8>, Vec<TextPart>),
}

/// What a render gave: data alone, without anything of the heap it ran in. Its nodes are in the arena.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Texts in tree order, then documents in file order.
    pub(crate) files: Vec<(Arc<File>, Output)>,
    /// The final data values; `None` where the render stopped before.
    pub(crate) values: Option<NodeId>,
    /// The schema as an OpenAPI document and as a JSON Schema, if it was asked for.
    pub(crate) schema: Option<(NodeId, String)>,
    /// The types of the data values.
    pub(crate) types: Schema,
}

/// Renders on the thread of the caller, which must have the stack that the limits ask for. The last part are the
/// warnings, which there may be in any case.
pub(crate) fn render(mut job: Job, stop: Stop) -> (Result<Outcome, Diagnostics>, Arena, Vec<Diagnostic>) {
    let mut arena = std::mem::replace(&mut job.arena, Arena::new(0));
    let is_on = |code: Code| job.lints.is_on(code.as_str());
    if is_on(Code::OVERLAY_SHARED_NODE) {
        arena.events.keep(Keep::Changes);
    }
    if job.explain {
        arena.events.keep(Keep::All);
    }
    arena.outcomes.keep(
        overlay::USELESS.into_iter().any(is_on),
        is_on(Code::VALUES_SAME_AS_BEFORE),
        is_on(Code::OVERLAY_OVERRIDDEN),
    );
    if stop == Stop::Render && is_on(Code::VALUES_UNUSED) {
        arena.declared.keep();
    }
    let finds_unused = lint::NAMES.into_iter().any(is_on);
    let setup = Setup {
        sources: job.sources.clone(),
        limits: job.limits.clone(),
        print: job.print.clone(),
        arena,
        finds_unused,
    };
    with_session(setup, RootRun { job, stop })
}

struct RootRun {
    job: Job,
    stop: Stop,
}

impl Work for RootRun {
    type Output = Result<Outcome, Diagnostics>;
    fn run(self, session: &mut Session<'_, '_, '_, '_>) -> Self::Output {
        run::root(session, self.job, self.stop)
    }
}
