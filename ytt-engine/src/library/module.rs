//! `@ytt:library`: `get`, and what can be done with the instance of a library that it gives.
//!
//! An instance is a name, options and the documents that code added; it is never changed. Each `eval`, `export` and
//! `data_values` is a run of its own over the library's folder, in the heap and arena of the render, and gives new
//! nodes. Rules and texts: `docs/libraries.md#library-instances`.
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]
#![allow(clippy::panic, reason = "the value derives of starlark expand to it, for heaps that are written to a disk")]

use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::eval::Evaluator;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, Trace, Value, ValueLike, ValueTyped,
    starlark_value,
};

use super::run::{self, Ended};
use super::scope::{Common, FileScope};
use super::thrown_away::{self, Made};
use super::tried;
use super::{Stop, values};
use crate::diag::{Code, Diagnostic, Diagnostics, Fact, WordKind, suggest};
use crate::eval::object::{CallArgs, Func, Object, Run, expect_text};
use crate::eval::{EvalResult, FileInstance, Fragment, Returned, Session, convert, error, trace};
use crate::overlay;
use crate::schema::{self, Schema};
use crate::source::Span;
use crate::stdlib;
use crate::stdlib::arguments::{expect_count, flag, named_boolean, only_names, warn_unknown, wrong};
use crate::yaml::{Body, NodeId, PosId, Val};

pub(super) fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> Value<'v> {
    stdlib::module_of("library", &[("get", get)], [], inst, heap)
}

/// A document that code added to an instance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Added {
    /// With the call.
    Values(NodeId, Option<Span>),
    Schema(NodeId),
}

/// An instance of a library.
#[derive(Clone, Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
#[allocative(skip)]
pub(super) struct Library {
    name: String,
    alias: Option<String>,
    /// Its folder, with its options.
    #[trace(unsafe_ignore)]
    scope: FileScope,
    /// In the order of the calls.
    #[trace(unsafe_ignore)]
    added: Vec<Added>,
    /// Calls that made it and others of its kind.
    #[trace(unsafe_ignore)]
    made: Made,
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.alias {
            Some(alias) => write!(f, "{}~{alias}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

#[starlark_value(type = "library")]
impl<'v> StarlarkValue<'v> for Library {
    type Canonical = Self;
}

/// The scope of the file that loaded the module.
#[allow(clippy::unreachable, reason = "`FileScope` is the one scope that has this module to load")]
fn caller<'v>(function: &Func<'v>) -> &'v FileScope {
    let Some(scope) = function.inst.as_ref().scope.as_any().downcast_ref::<FileScope>() else {
        unreachable!("no other scope offers this module to its files")
    };
    scope
}

fn string(value: Value<'_>) -> EvalResult<String> {
    Ok(String::from_utf8_lossy(&expect_text(value)?).into_owned())
}

#[allow(clippy::indexing_slicing, reason = "`expect_count` wants one argument")]
fn get<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    expect_count(&given, 1, "expected exactly one argument")?;
    let name = string(given.positional[0])?;
    let caller = caller(function);
    let mut options = caller.common.options;
    let mut alias = None;
    for (keyword, value) in &given.named {
        match keyword.as_str() {
            "alias" => alias = Some(string(*value)?).filter(|alias| !alias.is_empty()),
            "ignore_unknown_comments" => options.ignore_unknown_comments = named_boolean(keyword.as_str(), *value)?,
            "implicit_map_key_overrides" => {
                options.implicit_map_key_overrides = named_boolean(keyword.as_str(), *value)?
            }
            "strict" => options.strict = named_boolean(keyword.as_str(), *value)?,
            "dangerous_data_values_disable_validation" => {
                options.disable_validation |= named_boolean(keyword.as_str(), *value)?
            }
            _ => return Err(unexpected(&crate::eval::text::readable(keyword.as_str()))),
        }
    }
    if name.starts_with('@') {
        let text = format!("Expected library '{name}' to be specified without '@'");
        let bare = name.trim_start_matches('@').to_owned();
        let diagnostic = Diagnostic::error(Code::MODULE_ARGUMENT, text);
        return Err(error::wrap(diagnostic.misspelt(name, Some(&bare)).saying("without `@` here")));
    }
    let folder = caller.common.tree.library(caller.folder, &name).map_err(error::wrap)?;
    caller.common.tree.note_used_library(folder);
    let common = Arc::new(Common { options, ..(*caller.common).clone() });
    let scope = FileScope { common, folder, root: folder, addressed: Arc::default() };
    Ok(instance(function.inst, Library { name, alias, scope, added: Vec::new(), made: Made::default() }, eval.heap()))
}

/// A keyword argument that `library.get` does not have.
fn unexpected(keyword: &str) -> starlark::Error {
    let names = [
        "alias",
        "dangerous_data_values_disable_validation",
        "ignore_unknown_comments",
        "implicit_map_key_overrides",
        "strict",
    ];
    let diagnostic = Diagnostic::error(Code::MODULE_ARGUMENT, format!("Unexpected kwarg '{keyword}'"));
    let near = suggest::similar(keyword, names);
    let diagnostic = diagnostic.misspelt_as(WordKind::Argument, keyword, near).saying("no such argument");
    error::wrap(match near {
        Some(_) => diagnostic,
        None => diagnostic.note(format!("arguments: {}", names.join(", "))),
    })
}

/// An instance as code sees it.
fn instance<'v>(inst: ValueTyped<'v, FileInstance<'v>>, library: Library, heap: Heap<'v>) -> Value<'v> {
    let library = heap.alloc_complex_no_freeze(library);
    let methods: [(&'static str, &'static str, Run); 5] = [
        ("with_data_values", "library.with_data_values", with_data_values),
        ("with_data_values_schema", "library.with_data_values_schema", with_data_values_schema),
        ("eval", "library.eval", evaluate),
        ("export", "library.export", export),
        ("data_values", "library.data_values", data_values),
    ];
    let methods = methods.into_iter().map(|(name, whole, method)| {
        (heap.alloc_str(name), Func::new(inst, whole, method).keeping(vec![library]).alloc(heap))
    });
    Object::module("library", methods.collect()).of(inst).alloc(heap)
}

/// The instance that a method belongs to.
#[allow(clippy::unreachable, reason = "`instance` makes all methods, and each keeps it")]
fn this<'v>(function: &Func<'v>) -> &'v Library {
    let Some(library) = function.kept.first().and_then(|value| value.downcast_ref::<Library>()) else {
        unreachable!("every method keeps its instance")
    };
    library
}

/// The same instance with one document more, made by a call.
fn with<'v>(function: &Func<'v>, added: Added, call: Option<Span>, heap: Heap<'v>) -> Value<'v> {
    let mut library = this(function).clone();
    library.added.push(added);
    library.made.add(call);
    instance(function.inst, library, heap)
}

/// The argument as a document. A fragment is not copied: what becomes of it before a run is seen by the run.
#[allow(clippy::indexing_slicing, reason = "who asks has seen by `expect_count` that there is one argument")]
fn document<'v>(function: &Func<'v>, given: &CallArgs<'v>, heap: Heap<'v>) -> EvalResult<NodeId> {
    let host = function.inst.as_ref().host.as_ref();
    let value = convert::to_val(host, given.positional[0], heap)?;
    let mut arena = host.arena.borrow_mut();
    let value = arena.nodes(value).map_err(|deep| error::wrap(schema::too_deep(&arena, deep)))?;
    Ok(arena.add(Body::Doc(value), PosId(0)))
}

fn with_data_values<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    expect_count(&given, 1, "expected exactly one argument")?;
    let document = document(function, &given, eval.heap())?;
    only_names(&given, &["plain"])?;
    if flag(&given, "plain")? {
        let host = function.inst.as_ref().host.as_ref();
        overlay::plain_merge_annotations(&mut host.arena.borrow_mut(), &host.sources, document).map_err(error::wrap)?;
    }
    let call = trace::call_place(function.inst.as_ref().host.as_ref(), eval);
    Ok(with(function, Added::Values(document, call), call, eval.heap()))
}

fn with_data_values_schema<'v>(
    function: &Func<'v>,
    given: CallArgs<'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Returned<'v> {
    expect_count(&given, 1, "expected exactly one argument")?;
    warn_unknown(function, &given, &[]);
    let document = document(function, &given, eval.heap())?;
    let host = function.inst.as_ref().host;
    let call = trace::call_place(host.as_ref(), eval);
    if let Err(mut problems) = Schema::from_document(&mut Session { host, eval }, document) {
        // A program that tries the call sees the reference's text, which has no place.
        if host.as_ref().trying.get() == 0 {
            values::in_call(&mut problems.0, call, &host.as_ref().sources);
        }
        return Err(failed(function, problems, None, 0));
    }
    Ok(with(function, Added::Schema(document), call, eval.heap()))
}

fn evaluate<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let step = format!("Evaluating library '{}'", this(function));
    no_arguments(function, &given, &step)?;
    let ended = run(function, Stop::Render, &step, eval)?;
    let host = function.inst.as_ref().host;
    let set = {
        let mut arena = host.as_ref().arena.borrow_mut();
        let documents = ended.documents.iter().flat_map(|set| arena.items(*set).to_vec()).collect();
        arena.add(Body::Set(documents), PosId(0))
    };
    Ok(Fragment::new(host, Val::Node(set)).alloc(eval.heap()))
}

fn data_values<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let step = format!("Exporting from library '{}'", this(function));
    no_arguments(function, &given, &step)?;
    let ended = run(function, Stop::Values, &step, eval)?;
    let host = function.inst.as_ref().host;
    let values = host.as_ref().arena.borrow().value(ended.values);
    Ok(convert::as_struct(host, values, eval.heap()))
}

/// Names of a library of which people are told where they are defined.
const LOOKED: usize = 100;

fn export<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let step = format!("Exporting from library '{}'", this(function));
    let (symbol, path) = export_arguments(&given).map_err(|raised| below(function, &raised, &step))?;
    let refuse = |text: String| Err(error::wrap(Diagnostic::error(Code::MODULE_ARGUMENT, text).context(step.clone())));
    if symbol.starts_with('_') {
        return refuse("Symbols starting with '_' are private, and cannot be exported".to_owned());
    }
    let ended = run(function, Stop::Render, &step, eval)?;
    let files = ended.exports.iter().filter(|(file, _)| path.is_empty() || *file == path);
    let found: Vec<(&str, Value<'v>)> =
        files.filter_map(|(file, exports)| Some((file.as_str(), exports.get(&symbol)?))).collect();
    let sources = &function.inst.as_ref().host.as_ref().sources;
    let elsewhere = || {
        let all = ended.exports.iter().filter(|(_, exports)| exports.get(&symbol).is_some());
        all.map(|(file, exports)| (file.clone(), exports.definition(sources, &symbol))).collect::<Vec<_>>()
    };
    match found[..] {
        [] if !elsewhere().is_empty() => {
            let text = format!("Expected to find exported symbol '{symbol}', but did not");
            let is_file = ended.exports.iter().any(|(file, _)| *file == path);
            let fact = Fact::ExportedElsewhere { symbol: symbol.clone(), path, is_file, files: elsewhere() };
            Err(error::wrap(Diagnostic::error(Code::MODULE_ARGUMENT, text).context(step.clone()).fact(fact)))
        }
        [] => {
            let text = format!("Expected to find exported symbol '{symbol}', but did not");
            let mut names: Vec<&str> = ended.exports.iter().flat_map(|(_, exports)| exports.names()).collect();
            names.sort_unstable();
            names.dedup();
            let diagnostic = Diagnostic::error(Code::MODULE_ARGUMENT, text);
            let near = suggest::similar(&symbol, names.iter().copied());
            let label = "no such name in the library";
            let diagnostic = diagnostic.misspelt(symbol.as_str(), near).saying(label);
            let raised = match (near, suggest::listed(names)) {
                (Some(_), _) => diagnostic,
                (None, Some(names)) => diagnostic.note(format!("exported symbols: {names}")),
                (None, None) => diagnostic.note("the library exports nothing: symbols come from .star and .lib files"),
            };
            let sources = &function.inst.as_ref().host.as_ref().sources;
            let defined = |name: &str| ended.exports.iter().find_map(|(_, exports)| exports.definition(sources, name));
            let fact = match near {
                Some(near) => defined(near).map(|place| Fact::DefinedAt { name: near.to_owned(), place }),
                None => {
                    let all = ended.exports.iter().flat_map(|(_, exports)| {
                        exports.names().into_iter().map(|name| (name.to_owned(), exports.definition(sources, name)))
                    });
                    let exported = all.take(LOOKED).collect();
                    Some(Fact::NotInLibrary { symbol: symbol.clone(), exported })
                }
            };
            let raised = fact.into_iter().fold(raised, Diagnostic::fact);
            Err(below(function, &error::wrap(raised), &step))
        }
        [(_, value)] => Ok(value),
        _ => {
            let paths: Vec<&str> = found.iter().map(|(file, _)| *file).collect();
            let text = format!(
                "Expected to find exactly one exported symbol '{symbol}', but found multiple across files: {}",
                paths.join(", ")
            );
            let sources = &function.inst.as_ref().host.as_ref().sources;
            let place = |path: &str| {
                let (_, exports) = ended.exports.iter().find(|(file, _)| file == path)?;
                exports.definition(sources, &symbol)
            };
            let files = paths.iter().map(|path| ((*path).to_owned(), place(path))).collect();
            let problem = Diagnostic::error(Code::MODULE_ARGUMENT, text).context(step.clone());
            Err(error::wrap(problem.fact(Fact::Exported { symbol: symbol.clone(), files })))
        }
    }
}

/// The name to export, and the file it is looked for in; empty for all files.
#[allow(clippy::indexing_slicing, reason = "`expect_count` wants one argument")]
fn export_arguments(given: &CallArgs<'_>) -> EvalResult<(String, String)> {
    expect_count(given, 1, "expected exactly one argument")?;
    let symbol = string(given.positional[0])?;
    let mut path = String::new();
    for (keyword, value) in &given.named {
        if keyword.as_str() != "path" {
            let keyword = crate::eval::text::readable(keyword.as_str());
            return Err(wrong(format!("Unexpected keyword argument '{keyword}'")));
        }
        path = string(*value)?;
    }
    Ok((symbol, path))
}

fn no_arguments<'v>(function: &Func<'v>, given: &CallArgs<'v>, step: &str) -> EvalResult<()> {
    expect_count(given, 0, "expected no arguments").map_err(|raised| below(function, &raised, step))?;
    warn_unknown(function, given, &[]);
    Ok(())
}

/// An error of an argument, with the step in front.
fn below(function: &Func<'_>, raised: &starlark::Error, step: &str) -> starlark::Error {
    error::wrap(trace::diagnostic(function.inst.as_ref().host.as_ref(), raised).context(step))
}

/// A run over the folder of the instance.
fn run<'v>(function: &Func<'v>, stop: Stop, step: &str, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Ended<'v>> {
    let library = this(function);
    let given = caller(function).addressed.hand_to(&library.name, library.alias.as_deref());
    let host = function.inst.as_ref().host;
    let depth = trace::depth(host.as_ref(), eval);
    let thrown_away = library.made.thrown_away(&host.as_ref().sources);
    let place = if thrown_away.is_empty() { None } else { trace::call_place(host.as_ref(), eval) };
    let ended = run::library(
        &mut Session { host, eval },
        library.scope.clone(),
        given,
        &library.added,
        (stop, library.alias.as_deref()),
    );
    match ended {
        Ok(ended) => {
            thrown_away.into_iter().for_each(|call| host.as_ref().warn(call.warning(place)));
            Ok(ended)
        }
        Err(mut problems) => {
            if host.as_ref().trying.get() == 0 {
                thrown_away::explain(&mut problems, &thrown_away, &host.as_ref().sources);
            }
            Err(failed(function, problems, Some(step), depth))
        }
    }
}

/// Problems of a run as an error of the call. A program that tries the call sees the reference's one text of them.
/// The call stack was `depth` frames deep when the run began.
fn failed(function: &Func<'_>, problems: Diagnostics, step: Option<&str>, depth: usize) -> starlark::Error {
    let problems: Vec<Diagnostic> = match step {
        Some(step) => problems.context(step).0,
        None => problems.0,
    };
    let host = function.inst.as_ref().host.as_ref();
    let Some(first) = problems.first().filter(|_| host.trying.get() > 0) else {
        return error::wrap_all(Diagnostics(problems));
    };
    let text = tried::text(&problems, depth, &host.sources);
    if text == first.full_message() {
        return error::wrap(first.clone());
    }
    error::wrap(Diagnostic::error(Code::VALUES_DOCUMENT, text))
}
