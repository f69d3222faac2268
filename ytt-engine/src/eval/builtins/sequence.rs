//! Built-ins that walk sequences.

use std::cmp::Ordering;

use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::list::AllocList;
use starlark::values::tuple::AllocTuple;

use super::native;
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::arguments::{Input, iterate};
use crate::eval::error::{self, EvalResult, Returned, text_only};
use crate::eval::kind::type_name;

/// Bytes of a pair in a list of them, as `enumerate`, `zip` and `items` make it.
pub(super) const ROW: usize = 40;

/// The items of the one argument, of which some functions can do without.
fn items<'v>(input: &Input<'v>, min: usize) -> EvalResult<Vec<Value<'v>>> {
    input.between(min, 1)?;
    match input.get(0) {
        Some(value) => input.items("1", value),
        None => Ok(Vec::new()),
    }
}

pub(super) fn all<'v>(input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    Ok(Value::new_bool(items(&input, 1)?.into_iter().all(Value::to_bool)))
}

pub(super) fn any<'v>(input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    Ok(Value::new_bool(items(&input, 1)?.into_iter().any(Value::to_bool)))
}

pub(super) fn list<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let items = items(&input, 0)?;
    Ok(eval.heap().alloc(AllocList(items)))
}

pub(super) fn tuple<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let items = items(&input, 0)?;
    Ok(eval.heap().alloc(AllocTuple(items)))
}

pub(super) fn reversed<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let items = items(&input, 1)?;
    Ok(eval.heap().alloc(AllocList(items.into_iter().rev())))
}

pub(super) fn set<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let items = items(&input, 0)?;
    input.meter.table(items.len())?;
    if let Some(item) = items.iter().find(|item| item.get_hashed().is_err()) {
        return input.fail(format!("unhashable type: {}", type_name(*item)));
    }
    let items = eval.heap().alloc(AllocList(items));
    crate::eval::call(eval, native("set")?.to_value(), &[items], &[])
}

pub(super) fn enumerate<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    input.between(1, 2)?;
    let heap = eval.heap();
    let items = input.items("1", input.first())?;
    input.meter.room(items.len().saturating_mul(ROW))?;
    let start = i64::from(input.number(1)?.unwrap_or(0));
    let pairs = items.into_iter().zip(start..).map(|(item, number)| heap.alloc((number, item)));
    Ok(heap.alloc(AllocList(pairs)))
}

pub(super) fn zip<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if !input.named.is_empty() {
        return Err(text_only("zip does not accept keyword arguments"));
    }
    let heap = eval.heap();
    let mut columns = Vec::with_capacity(input.positional.len());
    for (number, value) in input.positional.iter().enumerate() {
        match iterate(*value, input.meter)? {
            Some(items) => columns.push(items),
            None => {
                return input.fail(format!(
                    "argument #{} is not iterable: {}",
                    number.saturating_add(1),
                    type_name(*value)
                ));
            }
        }
    }
    let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
    input.meter.room(rows.saturating_mul(ROW))?;
    #[allow(clippy::indexing_slicing, reason = "there are as many rows as the shortest column has items")]
    let row = |number: usize| {
        let items: Vec<Value<'v>> = columns.iter().map(|column| column[number]).collect();
        heap.alloc(AllocTuple(items))
    };
    Ok(heap.alloc(AllocList((0..rows).map(row))))
}

pub(super) fn min<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    extreme(input, Ordering::Less, eval)
}

pub(super) fn max<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    extreme(input, Ordering::Greater, eval)
}

fn extreme<'v>(mut input: Input<'v>, wanted: Ordering, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if input.positional.is_empty() {
        return Err(text_only(format!("{} requires at least one positional argument", input.name)));
    }
    let given = std::mem::take(&mut input.positional);
    let [key] = input.bind(["key?"])?;
    let key = key.map(|key| input.callable(0, "key", key)).transpose()?;
    let items = match given[..] {
        [value] => match iterate(value, input.meter)? {
            Some(items) => items,
            None => return input.fail(format!("{} value is not iterable", type_name(value))),
        },
        _ => given.into_vec(),
    };
    let mut best = None;
    for item in items {
        let rank = rank(key, item, eval)?;
        let better = match best {
            None => true,
            Some((_, best)) => match compare(rank, best, if wanted.is_lt() { "<" } else { ">" }) {
                Ok(order) => order == wanted,
                Err(failure) => match error::diagnostic_of(&failure) {
                    Some(diagnostic) => return input.fail(diagnostic.full_message()),
                    None => return Err(failure),
                },
            },
        };
        if better {
            best = Some((item, rank));
        }
    }
    match best {
        Some((item, _)) => Ok(item),
        None => {
            let problem =
                Diagnostic::error(Code::STARLARK_ERROR, format!("{}: argument is an empty sequence", input.name));
            Err(error::wrap(problem.fact(Fact::EmptySequence)))
        }
    }
}

fn rank<'v>(key: Option<Value<'v>>, item: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    match key {
        Some(key) => crate::eval::call(eval, key, &[item], &[]),
        None => Ok(item),
    }
}

/// Compares two values; `operator` is the one that a complaint names.
fn compare<'v>(left: Value<'v>, right: Value<'v>, operator: &str) -> EvalResult<Ordering> {
    left.compare(right).map_err(|failure| {
        let text = failure.without_diagnostic().to_string();
        // "Operation `compare` not supported for types `A` and `B`", of items of lists too
        let quoted: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        let [name, first, second] = quoted[..] else { return failure };
        if !text.starts_with("Operation `") || !name.starts_with('c') {
            return failure;
        }
        let is_list = |value| matches!(type_name(value), "list" | "tuple");
        let (first, second) = match is_list(left) && is_list(right) {
            true => (first, second),
            false => (type_name(left), type_name(right)),
        };
        text_only(format!("{first} {operator} {second} not implemented"))
    })
}

pub(super) fn sorted<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [items, key, reverse] = input.bind(["iterable", "key?", "reverse?"])?;
    let heap = eval.heap();
    let items = input.items("iterable", items.unwrap_or(Value::new_none()))?;
    input.meter.walk_items(items.len().saturating_mul(items.len().max(1).ilog2() as usize))?;
    let key = key.map(|key| input.callable(1, "key", key)).transpose()?;
    let reverse = input.flag(2, "reverse", reverse)?.unwrap_or(false);
    let mut ranked = Vec::with_capacity(items.len());
    for item in items {
        ranked.push((rank(key, item, eval)?, item));
    }
    sort(&mut ranked, |left, right| {
        let (left, right) = if reverse { (right, left) } else { (left, right) };
        Ok(compare(left.0, right.0, "<")?.is_lt())
    })?;
    Ok(heap.alloc(AllocList(ranked.into_iter().map(|(_, item)| item))))
}

/// So many items are sorted by insertion before runs of them are merged.
const RUN: usize = 20;

/// A stable sort of items that need not be comparable: the library's own may panic when they are not.
///
/// The order of comparisons is the reference's for up to [`RUN`] items, so that a complaint names the operands as there.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "`at` goes from a place in the run down to its start, and no width is more than twice the length"
)]
fn sort<T: Copy>(items: &mut [T], mut is_less: impl FnMut(T, T) -> EvalResult<bool>) -> EvalResult<()> {
    let mut failed = None;
    for run in items.chunks_mut(RUN) {
        for end in 1..run.len() {
            let mut at = end;
            while at > 0 {
                match is_less(run[at], run[at - 1]) {
                    Ok(true) => run.swap(at, at - 1),
                    Ok(false) => break,
                    Err(failure) => {
                        // As in the reference, the last complaint is the one that is heard.
                        failed = Some(failure);
                        break;
                    }
                }
                at -= 1;
            }
        }
        if let Some(failure) = failed.take() {
            return Err(failure);
        }
    }
    let (mut width, mut merged) = (RUN, Vec::with_capacity(items.len()));
    while width < items.len() {
        merged.clear();
        for pair in items.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (Some((&first, left_rest)), Some((&second, right_rest))) =
                (left.split_first(), right.split_first())
            {
                if is_less(second, first)? {
                    merged.push(second);
                    right = right_rest;
                } else {
                    merged.push(first);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        items.copy_from_slice(&merged);
        width *= 2;
    }
    Ok(())
}
