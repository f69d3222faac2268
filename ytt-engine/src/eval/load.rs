//! Running files: what an evaluation is, what `load` gives, what is locked when a file has ended; and the instructions that
//! compiled files call (`register`).
#![allow(
    clippy::panic,
    reason = "the value derives of starlark expand to it, for heaps that are written to a disk, which none is"
)]
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, PoisonError};

use allocative::Allocative;
use starlark::collections::SmallMap;
use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, Trace, Value, ValueTyped,
    starlark_value,
};

use super::builtins::Do;
use super::compile::{Prepared, Wanted};
use super::error::{self, EvalResult, Returned};
use super::fragment::Fragment;
use super::host::{Compiled, Early, FileInstance, Host};
use super::straight::Done;
use super::text::{from_star, readable};
use super::{Form, SourceUnit, advice, budget, compile, direct, messages, straight, trace};
use crate::call::Args;
use crate::diag::suggest;
use crate::diag::{Code, Diagnostic, Diagnostics, Fact, Step, StepKind, WordKind};
use crate::source::{SourceMap, Span};
use crate::template::{Names, Needed, Spare, outline};
use crate::times::Phase;
use crate::yaml::{Annotation, ArgId, NodeId, Val};

/// Names of a file that are kept for a message.
const EXPORTS: usize = 50;

/// What one evaluation of a file gave.
pub(crate) struct Ran<'v> {
    pub(crate) root: Root,
    pub(crate) exports: Exports<'v>,
}

/// The outcome of a file as a template.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    Documents(NodeId),
    Text(Vec<u8>),
    /// A `.star` file.
    Nothing,
}

/// Names that an evaluation of a file, or a module, offers to `load`.
#[derive(Debug, Trace)]
pub(crate) enum Exports<'v> {
    File {
        #[trace(unsafe_ignore)]
        compiled: Arc<Compiled>,
        /// Values of the definite and then the conditional names; those of names that were not assigned are missing.
        values: Vec<Option<Value<'v>>>,
    },
    Module {
        name: String,
        value: Value<'v>,
    },
    /// A plain YAML file.
    Nothing,
}

impl<'v> Exports<'v> {
    /// The value of an exported name.
    pub(crate) fn get(&self, name: &str) -> Option<Value<'v>> {
        match self {
            Exports::File { compiled, values } if !name.starts_with('_') => {
                let Names { definite, conditional, .. } = &compiled.program.names;
                let at = definite.iter().chain(conditional).position(|known| known == name)?;
                if compiled.program.unused.iter().any(|unused| unused.name == name) {
                    compiled.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
                }
                values.get(at).copied().flatten()
            }
            Exports::Module { name: known, value } => (known == name).then_some(*value),
            _ => None,
        }
    }

    /// Where the file defines a name, for advice.
    pub(crate) fn definition(&self, sources: &SourceMap, name: &str) -> Option<Span> {
        let Exports::File { compiled, .. } = self else { return None };
        outline::defined(&sources.get(compiled.source), compiled.source, name)
    }

    /// Their names, for advice.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Exports::File { compiled, values } => {
                let names = &compiled.program.names;
                let all = names.definite.iter().chain(&names.conditional).zip(values);
                all.filter(|(name, value)| value.is_some() && !name.starts_with('_')).map(|(name, _)| &**name).collect()
            }
            Exports::Module { name, .. } => vec![name],
            Exports::Nothing => Vec::new(),
        }
    }
}

/// What `__ytt_load` gives to a program.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
#[allocative(skip)]
struct Loaded<'v> {
    host: ValueTyped<'v, Host<'v>>,
    /// As it is written in the `load`.
    path: String,
    exports: Exports<'v>,
}

impl fmt::Display for Loaded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("exports")
    }
}

#[starlark_value(type = "exports")]
impl<'v> StarlarkValue<'v> for Loaded<'v> {
    type Canonical = Self;

    /// `__l["name"]` in a program: a name of what a file loaded.
    fn at(&self, name: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        self.host.as_ref().budget.steps(1)?;
        self.get(&text(name), heap)
    }
}

/// Reads a file for one evaluation: compiled at first need; a plain YAML file anew each time, since overlays may change
/// its nodes.
pub(crate) fn prepare(host: &Host<'_>, unit: &SourceUnit) -> Result<Prepared, Diagnostics> {
    if let Form::Text { plain: true } = unit.form {
        return Ok(Prepared::Text(host.sources.get(unit.source).text.as_bytes().to_vec()));
    }
    host.prepare(unit).map_err(|problems| evaluating(unit, problems))
}

/// Adds the step that the reference names for files that are no YAML.
fn evaluating(unit: &SourceUnit, mut problems: Diagnostics) -> Diagnostics {
    let step = match unit.form {
        Form::Yaml { .. } => return problems,
        Form::Text { .. } => "Evaluating text template",
        Form::Starlark => "Evaluating starlark template",
    };
    for problem in problems.0.iter_mut() {
        let steps = &mut problem.parts_mut().context;
        if !steps.first().is_some_and(|step| step.kind == StepKind::TextTemplate) {
            steps.insert(0, Step::shown(step));
        }
    }
    problems
}

/// One evaluation of a file, with these data values. `at` is the `load` that asked for it.
pub(super) fn run<'v>(
    host: ValueTyped<'v, Host<'v>>,
    unit: &SourceUnit,
    prepared: Prepared,
    data: Val,
    (at, wanted): (Option<Span>, Wanted<'_>),
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Ran<'v>, Diagnostics> {
    let compiled = match prepared {
        Prepared::Text(bytes) => return Ok(Ran { root: Root::Text(bytes), exports: Exports::Nothing }),
        Prepared::Plain(root) => return Ok(Ran { root: Root::Documents(root), exports: Exports::Nothing }),
        Prepared::Template(compiled) => compiled,
    };
    let state = host.as_ref();
    state.loading.borrow_mut().push((unit.clone(), at));
    let heights = state.heights();
    match evaluate(host, unit, compiled, data, wanted, eval) {
        Ok(ran) => {
            state.loading.borrow_mut().pop();
            Ok(ran)
        }
        Err(problems) => {
            state.restore(heights.without_load());
            Err(evaluating(unit, problems))
        }
    }
}

/// Makes an instance of a file and runs it.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "each evaluation stays on the heap, which is full long before there are 2³² of them"
)]
fn evaluate<'v>(
    host: ValueTyped<'v, Host<'v>>,
    unit: &SourceUnit,
    mut compiled: Arc<Compiled>,
    data: Val,
    wanted: Wanted<'_>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Ran<'v>, Diagnostics> {
    let state = host.as_ref();
    let with_data = |problems| advice::with_data(state, unit, data, problems);
    let instance = |compiled: &Arc<Compiled>, early: Early<'v>, eval: &Evaluator<'v, '_, '_>| {
        let number = state.instances.replace(state.instances.get() + 1);
        let (compiled, scope, modules) = (compiled.clone(), unit.scope.clone(), RefCell::new(SmallMap::new()));
        let (early, whole) = (RefCell::new(early), matches!(wanted, Wanted::All));
        let made = FileInstance { host, number, compiled, scope, data, modules, early, whole };
        inst(eval.heap().alloc_complex_no_freeze(made))
    };
    let _lap = state.sources.lap(compiled.source, Phase::Running);
    if compiled.program.skeleton.actions.is_some() {
        let heights = state.heights();
        let inst = instance(&compiled, Early::default(), eval);
        if let Some(root) = direct::run(inst, eval).map_err(with_data)? {
            return Ok(Ran { root: kind_of(root), exports: Exports::File { compiled, values: Vec::new() } });
        }
        state.restore(heights);
        compiled = state.with_program(unit, &compiled)?;
    }
    let (mut early, mut owed) = (Early::default(), None);
    if let Some(straight) = &compiled.program.straight {
        let inst = instance(&compiled, Early::default(), eval);
        match straight::run(inst, straight, lock, eval).map_err(with_data)? {
            Done::Gave((root, values)) => {
                return Ok(Ran { root: kind_of(root), exports: Exports::File { compiled, values } });
            }
            Done::Loaded(loaded) => early = loaded,
            Done::Failed(lines) => owed = Some(lines),
        }
        compiled = state.with_program(unit, &compiled)?;
    }
    let inst = instance(&compiled, early, eval).to_value();
    let (function, needed) = compile::function(state, &compiled, wanted, eval)?;
    let has = compiled.program.spare.as_ref().zip(needed.as_deref());
    let called = super::call(eval, function, &[inst], &[]).and_then(|result| collect(result, has, state, eval));
    // its program may have printed less
    owed.into_iter().for_each(|lines| state.repeated.set(state.repeated.get().min(lines)));
    let (root, values) = called.map_err(|failure| with_data(trace::diagnostics(state, &failure)))?;
    Ok(Ran { root: kind_of(root), exports: Exports::File { compiled, values } })
}

/// What a file returned, as a template.
fn kind_of(root: Value<'_>) -> Root {
    match (root.unpack_str(), Fragment::from_value(root).map(|fragment| fragment.val)) {
        (Some(text), _) => Root::Text(from_star(text).into_owned()),
        (None, Some(Val::Node(id))) => Root::Documents(id),
        _ => Root::Nothing,
    }
}

/// Takes apart what a file function returned, and locks its names. `has`: which functions of the file its program had; nobody
/// asks for the others.
#[allow(clippy::unreachable, reason = "the compiler ends the function of every file with a tuple of three")]
fn collect<'v>(
    result: Value<'v>,
    has: Option<(&Spare, &Needed)>,
    host: &Host<'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> EvalResult<(Value<'v>, Vec<Option<Value<'v>>>)> {
    let Some([root, definite, conditional]) = TupleRef::from_value(result).map(TupleRef::content) else {
        unreachable!("the compiler ends every file with a tuple of three")
    };
    let content = |value: &Value<'v>| TupleRef::from_value(*value).map_or(&[][..], TupleRef::content);
    let definite = match has {
        Some((spare, needed)) => &spare.values(content(definite), needed, Value::new_none()),
        None => content(definite),
    };
    let mut values: Vec<Option<Value<'v>>> = definite.iter().copied().map(Some).collect();
    for getter in content(conditional) {
        match super::call(eval, *getter, &[], &[]) {
            Ok(value) => values.push(Some(value)),
            Err(failure) if messages::is_unassigned(&failure) => values.push(None),
            Err(failure) => return Err(failure),
        }
    }
    for value in values.iter().flatten() {
        lock(*value, host, eval)?;
    }
    Ok((*root, values))
}

/// Refuses every later change of the lists, dicts and sets that names of a file reach: the interpreter takes them for
/// being iterated. Structs, fragments and functions are not entered, as in the reference.
fn lock<'v>(value: Value<'v>, host: &Host<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<()> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let inner: Vec<Value<'v>> = if let Some(tuple) = TupleRef::from_value(value) {
            tuple.content().to_vec()
        } else if let Some(list) = ListRef::from_value(value) {
            list.content().to_vec()
        } else if let Some(dict) = DictRef::from_value(value) {
            dict.iter().flat_map(|(key, item)| [key, item]).collect()
        } else if value.get_type() == "set" {
            Vec::new()
        } else {
            continue;
        };
        if !host.locked.borrow_mut().insert(value.identity()) {
            continue;
        }
        if ListRef::from_value(value).is_some() && inner.is_empty() && !give_storage(value, eval)? {
            continue;
        }
        std::mem::forget(value.iterate(eval.heap())?);
        open.extend(inner);
    }
    Ok(())
}

/// An empty list has no storage that could be locked: one element is added and taken away. False if it is locked.
fn give_storage<'v>(list: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<bool> {
    let (Some(append), Some(pop)) = (list.get_attr("append", eval.heap())?, list.get_attr("pop", eval.heap())?) else {
        return Ok(true);
    };
    if super::call(eval, append, &[Value::new_none()], &[]).is_err() {
        return Ok(false);
    }
    super::call(eval, pop, &[], &[])?;
    Ok(true)
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "both places are those of files in `loading`"
)]
fn refuse_cycle(host: &Host<'_>, unit: &SourceUnit, at: Option<Span>) -> Result<(), Diagnostics> {
    let loading = host.loading.borrow();
    // Only loads close a cycle: a library that is evaluated from inside the file starts with no `load`.
    let outermost = loading.iter().rposition(|(_, at)| at.is_none()).unwrap_or(0);
    let found = loading[outermost..].iter().position(|(open, _)| open.source == unit.source);
    let Some(first) = found.map(|found| outermost + found) else { return Ok(()) };
    let places: Vec<Span> = loading[first + 1..].iter().filter_map(|(_, at)| *at).chain(at).collect();
    let chain: Vec<String> = places.iter().map(|span| host.sources.name_line(*span)).collect();
    let text = format!("it is already being loaded ({} -> {})", chain.join(" -> "), unit.path);
    let mut diagnostic = Diagnostic::error(Code::TEMPLATE_LOAD_CYCLE, text);
    for span in places.iter().rev() {
        diagnostic = diagnostic.label(*span, "loaded here");
    }
    let mut files: Vec<&str> = loading[first..].iter().map(|(open, _)| &*open.path).collect();
    files.dedup();
    let help = match files.as_slice() {
        [own] => format!("remove this `load`: the names of {own} are known in it"),
        files => {
            format!("move what they need of each other to another file, and load that one in {}", files.join(" and "))
        }
    };
    let files: Vec<&SourceUnit> = loading[first..].iter().map(|(open, _)| open).collect();
    Err(advice::cycle::told(&host.sources, diagnostic.help(help), (&places, &files)).into())
}

/// `load(path, …)` of these names, of the file whose evaluation `inst` is.
fn load<'v>(
    inst: ValueTyped<'v, FileInstance<'v>>,
    path: &str,
    names: &[String],
    eval: &mut Evaluator<'v, '_, '_>,
) -> Returned<'v> {
    let step = Step::new(StepKind::Load, format!("cannot load {path}"));
    // Where there is nothing to load, the place is the `load` itself.
    let nothing = |problem: Diagnostic| error::wrap(problem.context(step.clone().shown_if(true)));
    if let Some(name) = path.strip_prefix("@ytt:") {
        return module(inst, name, eval).map_err(|failure| match error::diagnostic_of(&failure) {
            Some(problem) => nothing(problem.clone()),
            None => failure,
        });
    }
    if let Some(known) = inst.as_ref().early.borrow_mut().next() {
        return known;
    }
    let is_module = |name: &&str| inst.as_ref().scope.module(name).is_some();
    let unit = inst.as_ref().scope.resolve(path).map_err(|problem| {
        nothing(match path.strip_prefix("ytt:").filter(is_module) {
            Some(_) => problem.misspelt(path, Some(&format!("@{path}"))).saying("a module begins with `@`"),
            None => problem,
        })
    })?;
    let host = inst.as_ref().host;
    let at = trace::current_place(host.as_ref(), eval);
    let wanted = if inst.as_ref().whole { Wanted::All } else { Wanted::Names(names) };
    let ran = refuse_cycle(host.as_ref(), &unit, at)
        .and_then(|()| prepare(host.as_ref(), &unit))
        .map_err(|problems| advice::with_data(host.as_ref(), &unit, inst.as_ref().data, problems))
        .and_then(|prepared| run(host, &unit, prepared, inst.as_ref().data, (at, wanted), eval));
    match ran {
        Ok(ran) => {
            Ok(eval.heap().alloc_complex_no_freeze(Loaded { host, path: path.to_owned(), exports: ran.exports }))
        }
        Err(problems) => Err(error::wrap_all(problems.context(step))),
    }
}

/// A module is made once per evaluation of a file.
fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, name: &str, eval: &Evaluator<'v, '_, '_>) -> Returned<'v> {
    if name == "library" {
        let libraries = &inst.as_ref().host.as_ref().libraries;
        libraries.set(libraries.get().wrapping_add(1));
    }
    if let Some(known) = inst.as_ref().modules.borrow().get(name) {
        return Ok(*known);
    }
    let Some(make) = inst.as_ref().scope.module(name) else {
        let text = format!(
            "builtin ytt library does not have module '{name}' (hint: is it available in newer version of ytt?)"
        );
        let diagnostic = Diagnostic::error(Code::TEMPLATE_LOAD, text);
        let known = inst.as_ref().scope.modules();
        return Err(error::wrap(match suggest::similar(name, known.iter().copied()) {
            Some(near) => {
                let meant = format!("@ytt:{near}");
                diagnostic.misspelt(format!("@ytt:{name}"), Some(&meant)).saying("no such module")
            }
            None => diagnostic.misspelt(format!("@ytt:{name}"), None).note(format!("modules: {}", known.join(", "))),
        }));
    };
    let value = make(inst, eval.heap());
    let exports = Exports::Module { name: name.to_owned(), value };
    let loaded = Loaded { host: inst.as_ref().host, path: format!("@ytt:{name}"), exports };
    let loaded = eval.heap().alloc_complex_no_freeze(loaded);
    inst.as_ref().modules.borrow_mut().insert(name.to_owned(), loaded);
    Ok(loaded)
}

/// The instructions that compiled files call, mostly with their evaluation. Names begin with `__ytt_`, which no file can
/// load or export.
#[allow(
    clippy::indexing_slicing,
    clippy::unreachable,
    reason = "only compiled files can name these: they hand over their evaluation and numbers of its own tables"
)]
pub(super) const INSTRUCTIONS: &[(&str, Do)] = &[
    (
        "__ytt_a",
        Do::Four(|[file, number, annotation, args], _| {
            let (file, number) = (inst(file).as_ref(), index(number));
            let (name, pos) =
                &file.compiled.program.skeleton.items[number as usize].annotations[index(annotation) as usize];
            let annotation = Annotation { name: name.clone(), args: ArgId(index(args)), pos: *pos };
            nothing(file.annotate(number, annotation))
        }),
    ),
    (
        "__ytt_args",
        Do::Any(|input, eval| {
            let Some(host) = budget::host(eval) else { unreachable!("the module of a render holds its host") };
            Ok(eval.heap().alloc(
                host.keep_args(&input.positional, input.named.iter().map(|(name, value)| (name.as_str(), *value))).0,
            ))
        }),
    ),
    ("__ytt_end", Do::Any(|input, eval| inst(input.positional[0]).as_ref().close(input.get(1), eval.heap()))),
    (
        "__ytt_gave",
        Do::Two(|file, value, eval| {
            trace::note_returned(inst(file).as_ref().host.as_ref(), eval);
            Ok(value)
        }),
    ),
    (
        "__ytt_k",
        Do::Three(|[file, number, text], _| {
            nothing(inst(file).as_ref().key(index(number), &from_star(text.unpack_str().unwrap_or_default())))
        }),
    ),
    (
        "__ytt_load",
        Do::Three(|[file, path, names], eval| {
            let names = TupleRef::from_value(names).map_or(&[][..], TupleRef::content);
            let names: Vec<String> = names.iter().map(|name| text(*name)).collect();
            load(inst(file), &text(path), &names, eval)
        }),
    ),
    ("__ytt_p", Do::Three(|[file, piece, value], _| nothing(inst(file).as_ref().print(index(piece), value)))),
    ("__ytt_s", Do::Two(|file, value, eval| nothing(inst(file).as_ref().set(value, eval.heap())))),
    (
        "__ytt_start",
        Do::Two(|file, kind, eval| {
            inst(file).as_ref().open(index(kind), Some(eval));
            Ok(Value::new_none())
        }),
    ),
    ("__ytt_string", Do::One(|file, eval| inst(file).as_ref().close_string(eval.heap()))),
];

/// The evaluation that a file hands over with its instructions.
#[allow(
    clippy::unreachable,
    reason = "only compiled files can name the instructions, and they hand over their evaluation"
)]
fn inst<'v>(file: Value<'v>) -> ValueTyped<'v, FileInstance<'v>> {
    ValueTyped::new(file).unwrap_or_else(|| unreachable!("compiled files hand over their evaluation"))
}

/// A number that the compiler wrote.
fn index(value: Value<'_>) -> u32 {
    value.unpack_i32().unwrap_or_default().unsigned_abs()
}

fn text(value: Value<'_>) -> String {
    String::from_utf8_lossy(&from_star(value.unpack_str().unwrap_or_default())).into_owned()
}

fn nothing<'v>(done: EvalResult<()>) -> Returned<'v> {
    done.map(|()| Value::new_none())
}

impl<'v> Loaded<'v> {
    fn get(&self, name: &str, heap: Heap<'v>) -> Returned<'v> {
        if let Some(value) = self.exports.get(name) {
            return Ok(value);
        }
        let (path, names) = (&self.path, self.exports.names());
        let near = suggest::nearest(name, names.iter().copied());
        let text = format!("load: name {name} not found in module {path}");
        let module = match &self.exports {
            Exports::Module { name: module, value } => {
                value.get_attr(name, heap).ok().flatten().map(|_| module.to_owned())
            }
            _ => None,
        };
        let short = suggest::abbreviated(name, names.iter().copied()).map(str::to_owned);
        let own = names.iter().take(EXPORTS).map(|name| (*name).to_owned()).collect();
        let fact = Fact::NotExported { path: path.to_owned(), name: name.to_owned(), module, short, names: own };
        let diagnostic = Diagnostic::error(Code::STARLARK_ERROR, text).fact(fact).proposal(near);
        let alike = suggest::equally_similar(name, names.iter().copied());
        let alike = if alike.len() > 1 || near.is_none() { &alike[..] } else { &[] };
        Err(error::wrap(match (alike, suggest::listed(names.iter().copied())) {
            ([_, ..], _) => diagnostic.misspelt_among(WordKind::Text, name, alike),
            ([], Some(names)) => diagnostic.misspelt(name, near).note(format!("names there: {names}")),
            ([], None) => diagnostic.misspelt(name, near),
        }))
    }
}

impl<'v> Host<'v> {
    /// Keeps the arguments of an annotation; gives the number under which they are kept.
    pub(super) fn keep_args<'n>(
        &self,
        positional: &[Value<'v>],
        named: impl IntoIterator<Item = (&'n str, Value<'v>)>,
    ) -> ArgId {
        let positional = positional.iter().map(|value| self.keep(*value)).collect();
        let named = named.into_iter().map(|(name, value)| (self.keep_name(name), self.keep(value))).collect();
        self.add_args(Args { positional, named })
    }

    #[allow(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        reason = "one was just added, and for 2³² of them there is no memory"
    )]
    fn add_args(&self, new: Args) -> ArgId {
        let mut args = self.args.borrow_mut();
        args.push(Arc::new(new));
        ArgId(args.len() as u32 - 1)
    }

    /// The name of an argument, stored once.
    pub(super) fn keep_name(&self, name: &str) -> Arc<str> {
        let name = &*readable(name);
        let mut names = self.names.borrow_mut();
        if let Some(known) = names.get(name) {
            return known.clone();
        }
        let new: Arc<str> = name.into();
        names.insert(new.clone());
        new
    }
}
