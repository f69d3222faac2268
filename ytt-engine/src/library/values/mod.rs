//! Data values of one library: documents, then what the caller gives, merged into one document.
//!
//! Order of a render (`docs/data-values.md#sources-and-their-order`, `docs/data-values.md#values-of-rust-code`): defaults
//! of the schema, `@data/values` documents, files, environment, flags by their kind, values of Rust code. That of an
//! instance, to which code gives values too, is made by `run`.
//!
//! Each source is merged over the result so far; then the whole is checked, or, if the source set a single key, what it
//! touched. The project makes [`GivenValue`]s of flags, files and variables; `apply` puts them into the document.

mod apply;
mod explain;
mod latest;
mod overridden;
mod shape;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::call::Call;
use crate::diag::{Advice, Diagnostic, Diagnostics};
use crate::library::number_for_text;
use crate::library::route::Route;
use crate::library::without_effect::{DocumentRole, unused};
use crate::overlay::{self, Options};
use crate::schema::{self, Schema};
use crate::source::Span;
use crate::template::written::GivenInCall;
use crate::yaml::{Arena, Body, Event, Items, NodeId, PosId, Val};

use explain::Explain;
pub(crate) use explain::{in_call, tell_of_rules};

/// What a value was given by. Those that a render is given are sorted by it ([`sort`]): later ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum GivenKind {
    /// A document from outside of the library's own files: `@data/values`, or `with_data_values`, which `run` puts last.
    Document,
    ValuesFile,
    Env,
    EnvYaml,
    Text,
    Yaml,
    TextFile,
    /// Rust code beats flags.
    Rust,
    /// A document that even counts after what code gave to an instance: `after_library_module=True`.
    DocumentAfter,
}

/// A value, or a document of values, that does not stand in the library's own files.
#[derive(Clone, Debug)]
pub(crate) struct GivenValue {
    pub(crate) kind: GivenKind,
    pub(crate) route: Route,
    pub(crate) content: GivenContent,
    /// Where it is: the document's place, or the argument of the flag.
    pub(crate) pos: PosId,
    /// The call that gave it, if code of a template did.
    pub(crate) call: Option<Span>,
    /// What helps if a text is given where something else is declared.
    pub(crate) advice: Option<Arc<Advice>>,
}

/// How a given value is merged.
#[derive(Clone, Debug)]
pub(crate) enum GivenContent {
    /// A strict overlay.
    Overlay(NodeId),
    /// Plain merge: maps merge, all else replaces, keys may be new.
    Plain(NodeId),
    /// Replaces what is at a path of keys, each with its place.
    Path(Vec<(Val, PosId)>, Val),
}

impl GivenValue {
    /// Given by no call, and without advice.
    pub(crate) fn new(kind: GivenKind, content: GivenContent, route: Route, pos: PosId) -> GivenValue {
        GivenValue { kind, route, content, pos, call: None, advice: None }
    }
}

/// Puts what a render is given in the order in which it counts; what is of one kind keeps its order.
pub(crate) fn sort(given: &mut [GivenValue]) {
    given.sort_by_key(|value| value.kind);
}

/// The values of a library: `documents` in order, then `given` in order. Rules are not run here.
///
/// All problems are reported; a part that has one is left out, or put back to its default, before the next step. Where
/// `options` say so, the first step with a problem is the last one.
///
/// # Errors
///
/// The problems, and what the values are without the parts that have one, if all was looked at.
pub(crate) fn merge(
    calls: &mut dyn Call,
    schema: &Schema,
    documents: &[NodeId],
    given: &[GivenValue],
    options: Options,
) -> Result<NodeId, (Diagnostics, Option<NodeId>)> {
    let only = |problems| (problems, None);
    let defaults = schema.defaults(&mut calls.arena().borrow_mut()).map_err(|problem| only(problem.into()))?;
    if let Some(document) = defaults {
        calls.arena().borrow_mut().events.add(|| Event::Defaults { document });
    }
    let mut merge = Merge { calls, schema, options, result: defaults, problems: Vec::new() };
    for &document in documents {
        merge.overlay(document, None);
        merge.stop_if_told().map_err(only)?;
    }
    for value in given {
        match &value.content {
            GivenContent::Overlay(document) => {
                let copied = merge.calls.arena().borrow_mut().copy(*document);
                match copied {
                    Ok(document) => merge.overlay(document, value.call),
                    Err(deep) => {
                        let problem = schema::too_deep(&merge.calls.arena().borrow(), deep);
                        merge.problems.push(problem);
                    }
                }
            }
            GivenContent::Plain(document) => merge.merge_plain(*document),
            GivenContent::Path(path, new) => merge.key(value, path, *new),
        }
        merge.stop_if_told().map_err(only)?;
    }
    let Merge { calls, result, problems, .. } = merge;
    Diagnostics(problems).into_result().map_err(|problems| (problems, result))?;
    Ok(result.unwrap_or_else(|| empty_document(&mut calls.arena().borrow_mut(), PosId(0))))
}

fn empty_document(arena: &mut Arena, pos: PosId) -> NodeId {
    let empty = arena.add(Body::Map(Items::default()), pos);
    arena.add(Body::Doc(Val::Node(empty)), pos)
}

struct Merge<'a> {
    calls: &'a mut dyn Call,
    schema: &'a Schema,
    options: Options,
    result: Option<NodeId>,
    problems: Vec<Diagnostic>,
}

impl Merge<'_> {
    /// The problems so far, if nothing is to be collected.
    fn stop_if_told(&mut self) -> Result<(), Diagnostics> {
        if self.options.collecting { Ok(()) } else { Diagnostics(std::mem::take(&mut self.problems)).into_result() }
    }

    fn overlay(&mut self, document: NodeId, call: Option<Span>) {
        let given = call.map(GivenInCall::new);
        let given = given.as_ref();
        self.warn_deprecated(document);
        let schema = Some((self.schema, self.calls.sources()));
        let (arena, args) = (self.calls.arena().borrow(), |args| self.calls.args(args));
        let warnings = unused(&arena, &args, DocumentRole::Values, self.result, document, schema);
        drop(arena);
        warnings.into_iter().for_each(|warning| self.calls.warn(warning));
        match self.result {
            None => self.result = Some(document),
            Some(left) => match overlay::exact(self.calls, left, document, call, true, self.options) {
                Ok(document) => self.result = Some(document),
                Err(found) => {
                    let arena = self.calls.arena().borrow();
                    let sources = self.calls.sources();
                    let is_report = self.options.collecting;
                    let explain = Explain { arena: &arena, sources, schema: self.schema, document, given, is_report };
                    self.problems.extend(explain.problems(found.0));
                }
            },
        }
        self.conform(given);
    }

    fn merge_plain(&mut self, document: NodeId) {
        self.warn_deprecated(document);
        let merged =
            apply::merge_plain(&mut self.calls.arena().borrow_mut(), self.calls.sources(), self.result, document);
        match merged {
            Ok((merged, mut problems, warnings)) => {
                // With a schema it is an error, or allowed.
                let warnings = warnings.into_iter().filter(|_| !self.schema.is_declared());
                warnings.for_each(|warning| self.calls.warn(warning));
                self.result = Some(merged);
                let arena = self.calls.arena().borrow();
                let scene = (&*arena, self.calls.sources(), self.schema);
                problems.iter_mut().take(schema::HINTED).for_each(|problem| shape::as_items(scene, document, problem));
                drop(arena);
                self.problems.extend(problems);
            }
            Err(problem) => self.problems.push(problem),
        }
        self.conform(None);
    }

    fn key(&mut self, given: &GivenValue, path: &[(Val, PosId)], value: Val) {
        let pos = given.pos;
        let deprecated = schema::deprecated_path(&self.calls.arena().borrow(), self.schema, path);
        if let Some(warning) = deprecated {
            self.calls.warn(warning);
        }
        let mut arena = self.calls.arena().borrow_mut();
        let left = *self.result.get_or_insert_with(|| empty_document(&mut arena, pos));
        let warning = explain::text_for_boolean(&arena, self.calls.sources(), given, left, path, value);
        let is_flag = given.kind == GivenKind::Yaml && !self.schema.is_declared();
        let number =
            is_flag.then(|| number_for_text::of_flag(&arena, self.calls.sources(), left, (path, value, pos))).flatten();
        let mut problems = apply::key(&mut arena, self.calls.sources(), self.schema, left, path, value, pos);
        explain::text(&arena, self.calls.sources(), given, path, &mut problems);
        drop(arena);
        // With a schema it is an error.
        warning.or(number).filter(|_| problems.is_empty()).into_iter().for_each(|warning| self.calls.warn(warning));
        self.problems.extend(problems);
    }

    /// Checks the whole and fills it in.
    fn conform(&mut self, given: Option<&GivenInCall>) {
        if let Some(document) = self.result {
            let mut arena = self.calls.arena().borrow_mut();
            let found = schema::conform(&mut arena, self.calls.sources(), self.schema, document, given);
            self.problems.extend(found.0);
        }
    }

    fn warn_deprecated(&mut self, document: NodeId) {
        let found = schema::deprecated(&self.calls.arena().borrow(), self.schema, document);
        found.into_iter().for_each(|warning| self.calls.warn(warning));
    }
}
