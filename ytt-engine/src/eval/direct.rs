//! Files whose code can be read without a program (`template/literal.rs`): what their program would do is done at once,
//! without the interpreter's parser and compiler.

use starlark::eval::Evaluator;
use starlark::values::dict::AllocDict;
use starlark::values::list::AllocList;
use starlark::values::tuple::AllocTuple;
use starlark::values::{Value, ValueTyped};

use super::error::{self, EvalResult, Returned, text_only};
use super::host::FileInstance;
use super::text::to_star;
use super::trace;
use crate::diag::{Code, Diagnostics};
use crate::template::{Action, Literal, Literals};
use crate::yaml::{Annotation, ArgId};

/// The calls that stand for a `load` and for an annotation in a program.
const CALLS: u64 = 2;

/// Does what a file is told, and gives its documents. `None` where something goes wrong: its program, with which places
/// and frames come, tells what. Limits are told here, since more of them is used up then.
#[allow(
    clippy::indexing_slicing,
    reason = "the compiler that made the actions numbers the items and annotations of the same program"
)]
pub(super) fn run<'v>(
    inst: ValueTyped<'v, FileInstance<'v>>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Option<Value<'v>>, Diagnostics> {
    let file = inst.as_ref();
    let host = file.host.as_ref();
    let before = host.budget.spent();
    for (action, place) in file.compiled.program.skeleton.actions.iter().flatten() {
        let counted = match action {
            Action::Task(_) => host.budget.steps(1),
            Action::Load | Action::Annotate(..) => host.budget.saved_calls(CALLS, eval.heap()),
        };
        let done = counted.and_then(|()| match action {
            Action::Task(task) => file.task(*task),
            // Matchers ask for the members that they are.
            Action::Load => Ok(()),
            Action::Annotate(number, index, literals) => {
                let args = Maker { inst }.arguments(literals, eval)?;
                let (name, pos) = &file.compiled.program.skeleton.items[*number as usize].annotations[*index as usize];
                file.annotate(*number, Annotation { name: name.clone(), args, pos: *pos })
            }
        });
        let Err(failure) = done else { continue };
        if error::diagnostic_of(&failure).is_some_and(|problem| problem.code() == Code::LIMIT_BUDGET) {
            return Err(trace::at_top(host, &failure, *place));
        }
        host.budget.take_back(before);
        return Ok(None);
    }
    host.arena.borrow_mut().outcomes.note_literal(file.compiled.source);
    Ok(file.close(None, eval.heap()).ok())
}

/// Makes the values of literals, anew for each evaluation: code may change what it is given.
struct Maker<'v> {
    inst: ValueTyped<'v, FileInstance<'v>>,
}

impl<'v> Maker<'v> {
    fn arguments(&self, literals: &Literals, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<ArgId> {
        if literals.positional.is_empty() && literals.named.is_empty() {
            return Ok(ArgId::NONE);
        }
        let host = self.inst.as_ref().host.as_ref();
        let positional = self.all(&literals.positional, eval)?;
        let named = literals.named.iter().map(|(name, value)| Ok((&**name, self.value(value, eval)?)));
        let named = named.collect::<EvalResult<Vec<_>>>()?;
        Ok(host.keep_args(&positional, named))
    }

    fn all(&self, literals: &[Literal], eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Vec<Value<'v>>> {
        literals.iter().map(|literal| self.value(literal, eval)).collect()
    }

    fn value(&self, literal: &Literal, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
        let heap = eval.heap();
        Ok(match literal {
            Literal::None => Value::new_none(),
            Literal::Bool(flag) => Value::new_bool(*flag),
            Literal::Int(number) => heap.alloc(*number),
            Literal::Text(text) => heap.alloc_str(&to_star(text)).to_value(),
            Literal::List(items) => heap.alloc(AllocList(self.all(items, eval)?)),
            Literal::Tuple(items) => heap.alloc(AllocTuple(self.all(items, eval)?)),
            Literal::Dict(entries) => {
                let entry =
                    |(key, value): &(Box<[u8]>, Literal)| Ok((heap.alloc_str(&to_star(key)), self.value(value, eval)?));
                heap.alloc(AllocDict(entries.iter().map(entry).collect::<EvalResult<Vec<_>>>()?))
            }
            Literal::Matcher(name, arguments) => {
                let member = (self.inst.as_ref().scope.overlay_member())(name, self.inst, heap);
                let Some(member) = member else { return Err(text_only(format!("no member {name}"))) };
                match arguments {
                    None => member,
                    Some(arguments) => {
                        let arguments = self.all(arguments, eval)?;
                        super::call(eval, member, &arguments, &[])?
                    }
                }
            }
        })
    }
}
