//! A render while it runs: the host with its evaluator. Every stage works through a [`Session`]; layers without Starlark
//! see it as a `Call`.

use std::cell::RefCell;
use std::sync::Arc;

use starlark::collections::Hashed;
use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Value, ValueTyped};

use super::arguments::iterate;
use super::budget::Meter;
use super::compile::{Prepared, Wanted};
use super::convert::{from_val, scalar, to_val};
use super::fragment::Fragment;
use super::host::{Host, PrintSink};
use super::kind::{is_callable, type_name};
use super::object::{Func, Object, ObjectRole};
use super::repr::repr;
use super::text::{from_star, readable, to_star};
use super::{SourceUnit, advice, compile, load, messages, trace};
use crate::call::{Arg, Args, Call, Seen, ValueHandle};
use crate::diag::{Diagnostic, Diagnostics};
use crate::limits::Limits;
use crate::source::{SourceMap, Span};
use crate::yaml::{Arena, ArgId, NodeId, Val};

pub(crate) use load::{Exports, Ran, Root};

/// What a render starts with.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) sources: Arc<SourceMap>,
    pub(crate) limits: Limits,
    pub(crate) print: PrintSink,
    pub(crate) arena: Arena,
    /// Names that nobody uses are asked for in the end.
    pub(crate) finds_unused: bool,
}

/// A render that is running.
pub(crate) struct Session<'v, 'x, 'a, 'e> {
    pub(crate) host: ValueTyped<'v, Host<'v>>,
    pub(crate) eval: &'x mut Evaluator<'v, 'a, 'e>,
}

/// Work to do with a session; a trait since closures cannot be generic over the heap's lifetime.
pub(crate) trait Work {
    type Output;
    fn run(self, session: &mut Session<'_, '_, '_, '_>) -> Self::Output;
}

/// Opens the heap of a render, runs `work` in it, and gives its result with the arena and the warnings.
#[allow(clippy::unreachable, reason = "the line before allocates the host")]
pub(crate) fn with_session<W: Work>(setup: Setup, work: W) -> (W::Output, Arena, Vec<Diagnostic>) {
    Module::with_temp_heap(|module| {
        let mut eval = Evaluator::new(&module);
        // Nothing is collected before the render ends, so values may be held anywhere.
        eval.disable_gc();
        let Setup { sources, limits, print, arena, finds_unused } = setup;
        let host = Host::new(sources, limits, print, arena, compile::is_builtin, finds_unused);
        let host = module.heap().alloc_complex_no_freeze(host);
        module.set_extra_value(host);
        let Some(host) = ValueTyped::<Host>::new(host) else { unreachable!("a host was just allocated") };
        eval.set_check_cancelled(host.as_ref().budget.question(module.heap()));
        let output = work.run(&mut Session { host, eval: &mut eval });
        let arena = host.as_ref().arena.replace(Arena::new(0));
        let warnings = host.as_ref().warnings.take();
        (output, arena, warnings)
    })
}

impl<'v> Session<'v, '_, '_, '_> {
    /// Reads a file for one evaluation.
    pub(crate) fn prepare(&self, unit: &SourceUnit) -> Result<Prepared, Diagnostics> {
        self.prepare_with(unit, Val::Null)
    }

    /// As [`Session::prepare`], for an evaluation with these data values, which problems may speak of.
    pub(crate) fn prepare_with(&self, unit: &SourceUnit, data: Val) -> Result<Prepared, Diagnostics> {
        load::prepare(self.state(), unit).map_err(|problems| advice::with_data(self.state(), unit, data, problems))
    }

    /// Looks among these data values for names that files do not know.
    pub(crate) fn name_values(&self, data: Val, problems: &mut Diagnostics) {
        advice::name_values(self.state(), data, problems);
    }

    /// One evaluation of a file with these data values. `whole`: any of its names may be asked for, and of files that it loads.
    pub(crate) fn run(
        &mut self,
        unit: &SourceUnit,
        prepared: Prepared,
        data: Val,
        whole: bool,
    ) -> Result<Ran<'v>, Diagnostics> {
        let wanted = if whole { Wanted::All } else { Wanted::Names(&[]) };
        load::run(self.host, unit, prepared, data, (None, wanted), self.eval)
    }

    /// Adds to problems of overlays what these data values tell.
    pub(crate) fn advised(&self, data: Val, problems: Diagnostics) -> Diagnostics {
        advice::floats::of_overlays(self.state(), data, problems)
    }

    /// The host's state.
    pub(crate) fn state(&self) -> &'v Host<'v> {
        self.host.as_ref()
    }

    fn argument(&self, arg: &Arg<'_>) -> Value<'v> {
        let heap = self.eval.heap();
        match arg {
            Arg::Val(value) => from_val(self.host, *value, heap),
            Arg::Struct(fields) => {
                let field = |(name, value): &(&str, Val)| {
                    (heap.alloc_str(&to_star(name.as_bytes())), from_val(self.host, *value, heap))
                };
                Object::structure(self.host, fields.iter().map(field).collect()).alloc(heap)
            }
        }
    }
}

impl Call for Session<'_, '_, '_, '_> {
    fn arena(&self) -> &RefCell<Arena> {
        &self.state().arena
    }
    fn sources(&self) -> &SourceMap {
        &self.state().sources
    }
    fn args(&self, ann: ArgId) -> Arc<Args> {
        self.state().args.borrow().get(ann.0 as usize).cloned().unwrap_or_default()
    }
    fn see(&self, live: ValueHandle) -> Seen {
        let value = self.state().value(live);
        if let Some(text) = value.unpack_str() {
            return Seen::Str(String::from_utf8_lossy(&from_star(text)).into());
        }
        match scalar(value) {
            Some(Val::Null) => return Seen::Null,
            Some(Val::Bool(flag)) => return Seen::Bool(flag),
            Some(Val::Float(number)) => return Seen::Float(number),
            Some(Val::Int(number)) => return Seen::Int(number),
            Some(_) => return Seen::Other,
            None => {}
        }
        if let Some(fragment) = Fragment::from_value(value) {
            return match fragment.val {
                Val::Node(_) => Seen::Node,
                _ => Seen::Null,
            };
        }
        if let Some(function) = Func::from_value(value) {
            return match &function.role {
                ObjectRole::Matcher(matcher) => Seen::Matcher(matcher.clone()),
                _ => Seen::Function,
            };
        }
        if let Some(list) = ListRef::from_value(value) {
            return Seen::List(list.iter().map(|item| self.state().keep(item)).collect());
        }
        if let Some(tuple) = TupleRef::from_value(value) {
            return Seen::Tuple(tuple.iter().map(|item| self.state().keep(item)).collect());
        }
        if DictRef::from_value(value).is_some() || Object::from_value(value).is_some() {
            return Seen::Map;
        }
        if is_callable(value) { Seen::Function } else { Seen::Other }
    }
    fn kind(&self, live: ValueHandle) -> &'static str {
        type_name(self.state().value(live))
    }
    fn to_val(&self, live: ValueHandle) -> Result<Val, Diagnostic> {
        let value = self.state().value(live);
        to_val(self.state(), value, self.eval.heap()).map_err(|failure| trace::diagnostic(self.state(), &failure))
    }
    fn items(&self, value: ValueHandle) -> Result<Option<Vec<ValueHandle>>, Diagnostic> {
        let items = iterate(self.state().value(value), Meter::of(self.eval));
        let items = items.map_err(|failure| trace::diagnostic(self.state(), &failure))?;
        Ok(items.map(|items| items.into_iter().map(|item| self.state().keep(item)).collect()))
    }
    fn repr(&self, value: ValueHandle) -> String {
        let value = self.state().value(value);
        let text = repr(value, Meter::of(self.eval)).unwrap_or_else(|_| type_name(value).to_owned());
        readable(&text).into_owned()
    }
    fn attr(&self, live: ValueHandle, name: &str) -> Option<ValueHandle> {
        let value = self.state().value(live);
        let object = Object::from_value(value)?;
        let found = object.member(Hashed::new(&to_star(name.as_bytes())), self.eval.heap()).ok()??;
        Some(self.state().keep(found))
    }
    fn params(&self, function: ValueHandle) -> Option<usize> {
        self.state().value(function).parameters_spec().map(|spec| spec.len())
    }
    fn call(&mut self, function: ValueHandle, args: &[Arg<'_>]) -> Result<ValueHandle, Diagnostic> {
        let callee = self.state().value(function);
        let args: Vec<Value<'_>> = args.iter().map(|arg| self.argument(arg)).collect();
        let heights = self.state().heights();
        match super::call(self.eval, callee, &args, &[]) {
            Ok(result) => Ok(self.state().keep(result)),
            Err(failure) => {
                self.state().restore(heights);
                let mut diagnostic = trace::diagnostic(self.state(), &failure);
                // Where nothing of the function ran, the interpreter knows no call that it could speak of.
                if let Some(text) = messages::refused_by_engine(callee, args.len()) {
                    diagnostic.parts_mut().message = text;
                }
                Err(diagnostic)
            }
        }
    }
    fn ask(&mut self, function: ValueHandle, args: &[Arg<'_>]) -> Result<ValueHandle, Diagnostic> {
        const STEPS: u64 = 2_000;
        let budget = self.state().budget.clone();
        budget.aside(STEPS, || self.call(function, args))
    }
    fn place(&self) -> Option<Span> {
        trace::current_place(self.state(), self.eval)
    }
    fn data_items(&self, code: Span) -> Vec<NodeId> {
        let data = self.state().overlaid_with.get();
        data.map_or_else(Vec::new, |data| advice::data_items(self.state(), data, code))
    }
    fn warn(&mut self, warning: Diagnostic) {
        self.state().warn(warning);
    }
    fn is_tried(&self) -> bool {
        self.state().trying.get() > 0
    }
}
