//! Files that are run as they were read (`template/straight.rs`), without the interpreter's parser and compiler.
//!
//! Built-ins are called directly, all else by the interpreter, and operators that are functions of ours stay those. Where
//! something goes wrong the file gets its program after all, which tells it with places and frames.

use std::cell::Cell;
use std::sync::LazyLock;

use hashbrown::HashMap;
use smallvec::SmallVec;
use starlark::collections::SmallMap;
use starlark::eval::Evaluator;
use starlark::values::dict::Dict;
use starlark::values::list::AllocList;
use starlark::values::tuple::AllocTuple;
use starlark::values::{FrozenValue, Heap, Value, ValueLike, ValueTyped};

use super::budget::call;
use super::builtins::Builtin;
use super::compile::GLOBALS;
use super::error::{self, EvalResult, Returned, text_only};
use super::host::{Early, FileInstance, Host};
use super::text::to_star;
use super::{messages, trace};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::source::Span;
use crate::template::{Straight, StraightCode, StraightFor, StraightGiven, StraightOperator, StraightStep};
use crate::yaml::{Annotation, ArgId};

/// What a file gives: its documents or its text, and the values of the names that it exports.
type Gave<'v> = (Value<'v>, Vec<Option<Value<'v>>>);

/// Values that are mostly few.
type Values<'v> = SmallVec<[Value<'v>; 4]>;

/// Refuses later changes of what a name reaches.
type Lock = for<'v> fn(Value<'v>, &Host<'v>, &mut Evaluator<'v, '_, '_>) -> EvalResult<()>;

/// What came of a file.
pub(super) enum Done<'v> {
    Gave(Gave<'v>),
    /// Its program is to do all but loading: what was loaded from files of the project is here.
    Loaded(Early<'v>),
    /// Its program is to do all anew: functions that were loaded may remember what they were called for. So many lines that
    /// were to be printed before are not to be seen behind it.
    Failed(usize),
}

/// The names that code may use without loading, once for the process.
static BUILTINS: LazyLock<HashMap<&'static str, FrozenValue>> = LazyLock::new(|| GLOBALS.iter().collect());

/// Runs a file. Limits are told here, since more of them is used up when its program does it.
pub(super) fn run<'v>(
    inst: ValueTyped<'v, FileInstance<'v>>,
    straight: &Straight,
    lock: Lock,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Done<'v>, Diagnostics> {
    let host = inst.as_ref().host.as_ref();
    let (heights, standing, libraries) = (host.heights(), host.standing.get(), host.libraries.get());
    let (spent, printed) = (host.budget.spent(), host.printed.get());
    let mut runner = Runner {
        inst,
        host,
        slots: vec![None; straight.slots],
        constants: vec![Cell::new(None); straight.constants],
        early: Early::default(),
        loads: false,
        place: None,
        calling: Cell::new(None),
    };
    let is_first = |(step, _): &&(StraightStep, Span)| matches!(step, StraightStep::Load(..) | StraightStep::Run(_));
    let first = straight.steps.iter().take_while(is_first).count();
    let (first, others) = straight.steps.split_at_checked(first).unwrap_or_default();
    let mut result = runner.steps(first, eval);
    if result.is_ok() {
        // what was loaded may evaluate them, which must happen once
        if host.libraries.get() != libraries {
            host.standing.set(standing);
            host.restore(heights);
            return Ok(Done::Loaded(runner.early));
        }
        result = runner.steps(others, eval);
    }
    let result = result.and_then(|()| runner.end(straight, lock, eval));
    host.standing.set(standing);
    let failure = match result {
        Ok(gave) => return Ok(Done::Gave(gave)),
        Err(failure) => failure,
    };
    let is_told = |problem: &Diagnostic| problem.code() == Code::LIMIT_BUDGET;
    let is_limit = error::diagnostic_of(&failure).map_or_else(|| messages::is_stopped(&failure), is_told);
    if let Some(place) = runner.calling.get().or(runner.place).filter(|_| is_limit) {
        return Err(trace::at_top(host, &failure, place));
    }
    host.restore(heights);
    if runner.loads {
        runner.early.failed(&failure, &trace::running(host, eval));
        return Ok(Done::Loaded(runner.early));
    }
    host.budget.take_back(spent);
    Ok(Done::Failed(host.print_again(printed)))
}

struct Runner<'v> {
    inst: ValueTyped<'v, FileInstance<'v>>,
    host: &'v Host<'v>,
    slots: Vec<Option<Value<'v>>>,
    /// Those of the file, as soon as they were needed.
    constants: Vec<Cell<Option<Value<'v>>>>,
    early: Early<'v>,
    /// A file of the project is being loaded.
    loads: bool,
    /// The statement that runs.
    place: Option<Span>,
    /// The call that runs, or that failed.
    calling: Cell<Option<Span>>,
}

impl<'v> Runner<'v> {
    fn end(&self, straight: &Straight, lock: Lock, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Gave<'v>> {
        let root = self.inst.as_ref().close(None, eval.heap())?;
        let values: Vec<_> = straight.exports.iter().map(|slot| self.slots.get(*slot).copied().flatten()).collect();
        for value in values.iter().flatten() {
            lock(*value, self.host, eval)?;
        }
        Ok((root, values))
    }

    fn steps(&mut self, steps: &[(StraightStep, Span)], eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<()> {
        for (step, place) in steps {
            self.place = Some(*place);
            self.step(step, *place, eval)?;
        }
        Ok(())
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "the compiler that made the steps numbers the items and annotations of the same program"
    )]
    fn step(&mut self, step: &StraightStep, place: Span, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<()> {
        let file = self.inst.as_ref();
        match step {
            StraightStep::Run(number) => return file.run(*number),
            StraightStep::Load(path, names) => {
                self.loads = !path.starts_with(b"@ytt:");
                let path = eval.heap().alloc_str(&to_star(path)).to_value();
                // by the interpreter, which counts how deep files load each other
                let wanted = names.iter().map(|(name, _)| eval.heap().alloc_str(&to_star(name)).to_value());
                let wanted: Values<'v> = wanted.collect();
                let load = [self.inst.to_value(), path, eval.heap().alloc(AllocTuple(wanted.iter().copied()))];
                let loaded = self.at(place, eval, |eval| call(eval, builtin("__ytt_load")?, &load, &[]))?;
                if std::mem::take(&mut self.loads) {
                    self.early.loaded(loaded);
                }
                for ((_, slot), name) in names.iter().zip(&wanted) {
                    let value = loaded.at(*name, eval.heap())?;
                    self.bind(*slot, value);
                }
            }
            StraightStep::Annotate(number, index, given) => {
                self.host.budget.saved_calls(2, eval.heap())?;
                let args = self.arguments(given, eval)?;
                let (name, pos) = &file.compiled.program.skeleton.items[*number as usize].annotations[*index as usize];
                file.annotate(*number, Annotation { name: name.clone(), args, pos: *pos })?;
            }
            StraightStep::Set(code) => {
                self.host.budget.saved_calls(1, eval.heap())?;
                let value = self.value(code, eval)?;
                file.set(value, eval.heap())?;
            }
            StraightStep::Print(piece, code) => {
                self.host.budget.saved_calls(1, eval.heap())?;
                let value = self.value(code, eval)?;
                file.print(*piece, value)?;
            }
            StraightStep::Assign(slot, code) => {
                let value = self.value(code, eval)?;
                self.bind(*slot, value);
            }
            StraightStep::Unpack(slots, code) => {
                let value = self.value(code, eval)?;
                self.unpack(slots, value, eval.heap())?;
            }
            StraightStep::Do(code) => _ = self.value(code, eval)?,
            StraightStep::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if self.value(condition, eval)?.to_bool() {
                        return self.steps(body, eval);
                    }
                }
                return self.steps(otherwise, eval);
            }
            StraightStep::For(turns) => return self.turns(turns, place, eval),
        }
        Ok(())
    }

    fn turns(&mut self, turns: &StraightFor, place: Span, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<()> {
        let over = self.value(&turns.over, eval)?;
        for item in over.iterate(eval.heap())? {
            self.place = Some(place);
            self.host.budget.saved_calls(1, eval.heap())?;
            if turns.steps > 0 {
                self.host.budget.steps(turns.steps)?;
            }
            match &*turns.names {
                [slot] => self.bind(*slot, item),
                slots => self.unpack(slots, item, eval.heap())?,
            }
            self.steps(&turns.body, eval)?;
        }
        Ok(())
    }

    fn unpack(&mut self, slots: &[usize], value: Value<'v>, heap: Heap<'v>) -> EvalResult<()> {
        let items: Vec<Value<'v>> = value.iterate(heap)?.take(slots.len().saturating_add(1)).collect();
        if items.len() != slots.len() {
            return Err(text_only("there are more or fewer values than names"));
        }
        slots.iter().zip(items).for_each(|(slot, item)| self.bind(*slot, item));
        Ok(())
    }

    fn bind(&mut self, slot: usize, value: Value<'v>) {
        if let Some(bound) = self.slots.get_mut(slot) {
            *bound = Some(value);
        }
    }

    /// A call, for which those who ask are told where it stands.
    fn at<'x, 'e>(
        &self,
        place: Span,
        eval: &mut Evaluator<'v, 'x, 'e>,
        run: impl FnOnce(&mut Evaluator<'v, 'x, 'e>) -> Returned<'v>,
    ) -> Returned<'v> {
        self.host.budget.saved_calls(1, eval.heap())?;
        self.host.standing.set(Some((eval.call_stack_count(), place)));
        self.calling.set(Some(place));
        let result = run(eval)?;
        self.host.standing.set(None);
        self.calling.set(None);
        Ok(result)
    }

    fn call(
        &self,
        function: Value<'v>,
        positional: &[Value<'v>],
        named: &[(&str, Value<'v>)],
        place: Span,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> Returned<'v> {
        self.at(place, eval, |eval| call_of(function, positional, named, eval))
    }

    /// The constant of a number.
    fn constant(&self, number: usize, make: impl FnOnce() -> Returned<'v>) -> Returned<'v> {
        let kept = self.constants.get(number);
        if let Some(known) = kept.and_then(Cell::get) {
            return Ok(known);
        }
        let made = make()?;
        kept.into_iter().for_each(|kept| kept.set(Some(made)));
        Ok(made)
    }

    fn all(&self, items: &[StraightCode], eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Values<'v>> {
        let mut values = Values::with_capacity(items.len());
        for item in items {
            values.push(self.value(item, eval)?);
        }
        Ok(values)
    }

    fn two(&self, [left, right]: &[StraightCode; 2], eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<[Value<'v>; 2]> {
        Ok([self.value(left, eval)?, self.value(right, eval)?])
    }

    /// The arguments of an annotation, which are kept.
    fn arguments(&self, given: &StraightGiven, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<ArgId> {
        let positional = self.all(&given.positional, eval)?;
        Ok(self.host.keep_args(&positional, self.named(given, eval)?))
    }

    fn named<'g>(
        &self,
        given: &'g StraightGiven,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> EvalResult<Vec<(&'g str, Value<'v>)>> {
        given.named.iter().map(|(name, code)| Ok((&**name, self.value(code, eval)?))).collect()
    }

    fn value(&self, code: &StraightCode, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
        let heap = eval.heap();
        Ok(match code {
            StraightCode::None => Value::new_none(),
            StraightCode::Bool(flag) => Value::new_bool(*flag),
            StraightCode::Int(number) => heap.alloc(*number),
            StraightCode::Float(number) => heap.alloc(*number),
            StraightCode::Text(text, number) => {
                self.constant(*number, || Ok(heap.alloc_str(&to_star(text)).to_value()))?
            }
            StraightCode::List(items) => heap.alloc(AllocList(self.all(items, eval)?)),
            StraightCode::Tuple(items) => heap.alloc(AllocTuple(self.all(items, eval)?)),
            StraightCode::Dict(entries) => {
                let mut dict = SmallMap::with_capacity(entries.len());
                for (key, value) in entries {
                    let (key, value) = (self.value(key, eval)?, self.value(value, eval)?);
                    if dict.insert_hashed(key.get_hashed()?, value).is_some() {
                        return Err(text_only("a key is there twice"));
                    }
                }
                heap.alloc(Dict::new(dict))
            }
            StraightCode::Name(slot) => match self.slots.get(*slot) {
                Some(Some(value)) => *value,
                _ => return Err(text_only("a name is used before it is bound")),
            },
            StraightCode::Builtin(name, number) => self.constant(*number, || builtin(name))?,
            StraightCode::Member(of, name) => member(self.value(of, eval)?, name, heap)?,
            StraightCode::Ours(name, number, given, place) => {
                let given = self.all(given, eval)?;
                let function = self.constant(*number, || builtin(name))?;
                self.call(function, &given, &[], *place, eval)?
            }
            StraightCode::Call(parts, place) => {
                let (function, given) = &**parts;
                let function = self.value(function, eval)?;
                let positional = self.all(&given.positional, eval)?;
                let named = self.named(given, eval)?;
                self.call(function, &positional, &named, *place, eval)?
            }
            StraightCode::Plain(operator, parts) => {
                let [left, right] = self.two(parts, eval)?;
                plain(*operator, left, right, heap)?
            }
            StraightCode::Negative(of) => self.value(of, eval)?.minus(heap)?,
            StraightCode::Equal(wanted, parts) => {
                let [left, right] = self.two(parts, eval)?;
                Value::new_bool(left.equals(right)? == *wanted)
            }
            StraightCode::Not(of) => Value::new_bool(!self.value(of, eval)?.to_bool()),
            StraightCode::Both(both, parts) => {
                let [left, right] = &**parts;
                let left = self.value(left, eval)?;
                if left.to_bool() == *both { self.value(right, eval)? } else { left }
            }
            StraightCode::Choice(parts) => {
                let [condition, yes, no] = &**parts;
                let chosen = if self.value(condition, eval)?.to_bool() { yes } else { no };
                self.value(chosen, eval)?
            }
        })
    }
}

/// What an operator of the interpreter gives.
fn plain<'v>(operator: StraightOperator, left: Value<'v>, right: Value<'v>, heap: Heap<'v>) -> Returned<'v> {
    let compared = match operator {
        StraightOperator::Plus => return left.add(right, heap),
        StraightOperator::Minus => return left.sub(right, heap),
        StraightOperator::Divide => return left.div(right, heap),
        StraightOperator::DivideToFloor => return left.floor_div(right, heap),
        StraightOperator::Less => left.compare(right)?.is_lt(),
        StraightOperator::LessEqual => left.compare(right)?.is_le(),
        StraightOperator::Greater => left.compare(right)?.is_gt(),
        StraightOperator::GreaterEqual => left.compare(right)?.is_ge(),
    };
    Ok(Value::new_bool(compared))
}

/// What a function gives.
fn call_of<'v>(
    function: Value<'v>,
    positional: &[Value<'v>],
    named: &[(&str, Value<'v>)],
    eval: &mut Evaluator<'v, '_, '_>,
) -> Returned<'v> {
    let own = function.downcast_ref::<Builtin>().filter(|_| named.is_empty());
    let done = own.and_then(|own| own.directly(positional, eval));
    done.unwrap_or_else(|| call(eval, function, positional, named))
}

fn builtin<'v>(name: &str) -> Returned<'v> {
    BUILTINS.get(name).map(|value| value.to_value()).ok_or_else(|| text_only(format!("no function {name}")))
}

fn member<'v>(value: Value<'v>, name: &str, heap: Heap<'v>) -> Returned<'v> {
    value.get_attr(name, heap)?.ok_or_else(|| text_only(format!("no member {name}")))
}
