//! `@ytt:data`: `values`, `list`, `read`.
//!
//! All three belong to the file that loaded the module: its data values, and paths from its folder. What files there
//! are is the business of its `Scope`; content is bytes, never evaluated.

use starlark::eval::Evaluator;
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{only_text, text, warn_unknown, wrong};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::text::to_star;
use crate::eval::{FileInstance, Returned, convert, error, trace};
use crate::yaml::{TakenFrom, Val};

pub(super) const FUNCTIONS: Functions = &[("list", list), ("read", read)];

pub(super) fn values<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> Value<'v> {
    match inst.as_ref().data {
        // A document of data values without content.
        Val::Null => Value::new_none(),
        data => convert::as_struct(inst.as_ref().host, data, heap),
    }
}

fn list<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let folder = match given.positional[..] {
        [] => None,
        [folder] => Some(String::from_utf8_lossy(&text(folder)?).into_owned()),
        _ => return Err(wrong("expected exactly zero or one argument")),
    };
    warn_unknown(function, &given, &[]);
    let found = function.inst.as_ref().scope.list(folder.as_deref()).map_err(error::wrap)?;
    let heap = eval.heap();
    Ok(heap.alloc(AllocList(found.iter().map(|path| heap.alloc_str(&to_star(path.as_bytes())).to_value()))))
}

fn read<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let path = only_text(function, &given)?;
    let inst = function.inst.as_ref();
    let host = inst.host.as_ref();
    host.arena.borrow_mut().outcomes.note_text_read();
    let (content, source) = inst.scope.read(&String::from_utf8_lossy(&path)).map_err(error::wrap)?;
    source.into_iter().for_each(|source| trace::note_taken(host, eval, TakenFrom::File(source)));
    Ok(eval.heap().alloc_str(&to_star(content.as_bytes())).to_value())
}
