//! What `subset` looks for: its value, and the leaves of it by which items can be found.

use smallvec::{SmallVec, smallvec};

use super::index::{DEEPEST, Path};
use super::matcher::Target;
use super::problem::Problem;
use crate::call::Call;
use crate::yaml::{Arena, Body, Raw, Val};

/// Leaves of one target that are looked up.
const LEAVES: usize = 4;

/// The value that `subset` looks for, to compare with: lists and dicts of scalars stay what they are.
pub(super) fn target_value(calls: &dyn Call, target: &mut Target) -> Result<Val, Problem> {
    let live = match target {
        Target::Val(value) => return Ok(*value),
        Target::Live(live) => *live,
    };
    let value = calls.to_val(live).map_err(Problem::Other)?;
    let mut arena = calls.arena().borrow_mut();
    let value = if has_no_nodes(&arena, value) { value } else { arena.nodes(value)? };
    if let Val::Node(id) = value
        && matches!(arena.get(id).body, Body::Set(_))
    {
        return Err(Problem::SetAsTarget(arena.item_at(id, 0)));
    }
    *target = Target::Val(value);
    Ok(value)
}

/// Whether a value is a scalar, or nothing but lists, dicts and scalars.
fn has_no_nodes(arena: &Arena, value: Val) -> bool {
    let mut open: SmallVec<[Val; 8]> = smallvec![value];
    while let Some(value) = open.pop() {
        match value {
            Val::Node(_) => return false,
            Val::Raw(number) => match arena.raw(number) {
                Raw::List(values) => open.extend(values.iter().copied()),
                Raw::Dict(entries) => open.extend(entries.iter().flat_map(|(key, value)| [*key, *value])),
            },
            _ => {}
        }
    }
    true
}

/// Leaves with their paths.
pub(super) type Leaves = SmallVec<[(Path, Val); LEAVES]>;

/// Scalar leaves of a `subset` target that are reached by string keys, with their paths.
pub(super) fn leaves(arena: &Arena, target: Val) -> Leaves {
    let mut found = Leaves::new();
    let mut open: Leaves = smallvec![(Path::new(), target)];
    while let Some((path, value)) = open.pop().filter(|_| found.len() < LEAVES) {
        let before = open.len();
        let mut below = |(key, value): (Val, Val)| {
            if path.len() < DEEPEST && arena.str(key).is_some() {
                let mut path = path.clone();
                path.push(key);
                open.push((path, value));
            }
        };
        match value {
            Val::Node(map) if matches!(arena.get(map).body, Body::Map(_)) => {
                arena.entries(map).take(LEAVES).for_each(&mut below);
            }
            Val::Raw(number) => {
                if let Raw::Dict(entries) = arena.raw(number) {
                    entries.iter().copied().take(LEAVES).for_each(&mut below);
                }
            }
            Val::Node(_) => {}
            leaf if !path.is_empty() => found.push((path, leaf)),
            _ => {}
        }
        // what is written first is taken first
        if let Some(new) = open.get_mut(before..) {
            new.reverse();
        }
    }
    found
}
