//! Building nodes: what the tasks of templates and the instructions `__ytt_start`, `_s`, `_a` do; equal keys in a map are
//! refused here.
//!
//! A template, a function with nodes, a text each open a [`Context`]; contexts of all files nest on one stack. Starting
//! node number N leaves open nodes until an ancestor of N is on top, and puts a new node there. The rules are those of
//! `docs/templates.md#building-nodes`, `docs/templates.md#repeated-keys` and `docs/templates.md#replacing-nodes`.

use std::ops::RangeInclusive;

use starlark::eval::Evaluator;
use starlark::values::{Heap, Value};

use super::advice::nested::list_in_list;
use super::convert::to_val;
use super::error::{self, EvalResult, Returned};
use super::fragment::Fragment;
use super::host::{FileInstance, Host};
use super::kind::type_name;
use super::object::{Func, ObjectRole};
use super::open::{Context, Dialect, Open};
use super::text::{from_star, to_star};
use super::trace;
use crate::diag::{Code, Diagnostic, Fact};
use crate::source::{Span, to_u32};
use crate::template::unfilled::CODE;
use crate::template::{Item, Task};
use crate::yaml::keys::KeyTable;
use crate::yaml::{Annotation, Arena, Body, Event, Items, Node, NodeId, PosId, ReaderKind, TextPart, Val, words};

/// From how many items on a map that is being built gets an index.
const INDEX_FROM: usize = 8;

/// Heights of the stacks of what runs: what to go back to when an error is caught.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heights {
    contexts: usize,
    loads: usize,
    readers: usize,
}

impl Heights {
    /// The same without the file that was loaded last.
    pub(super) fn without_load(self) -> Heights {
        Heights { loads: self.loads.saturating_sub(1), ..self }
    }
}

impl<'v> Host<'v> {
    /// The heights now.
    pub(crate) fn heights(&self) -> Heights {
        Heights {
            contexts: self.contexts.borrow().len(),
            loads: self.loading.borrow().len(),
            readers: self.arena.borrow().events.readers.height(),
        }
    }

    /// Drops what a call that failed left open.
    pub(crate) fn restore(&self, heights: Heights) {
        self.contexts.borrow_mut().truncate(heights.contexts);
        self.loading.borrow_mut().truncate(heights.loads);
        self.arena.borrow_mut().events.readers.restore(heights.readers);
    }
}

#[allow(
    clippy::indexing_slicing,
    clippy::unreachable,
    clippy::arithmetic_side_effects,
    reason = "the compiler that numbers items and pieces fills the tables of the same program"
)]
impl<'v> FileInstance<'v> {
    /// Does the tasks of a run. Each is a step.
    pub(super) fn run(&self, number: usize) -> EvalResult<()> {
        let run = self.compiled.program.skeleton.run(number);
        for (at, (task, place)) in run.iter().enumerate() {
            let done = self.host.as_ref().budget.steps(1).and_then(|()| self.task(*task));
            done.map_err(|failure| match error::diagnostic_of(&failure) {
                // The statement has the place of the first task.
                Some(diagnostic) if at > 0 => error::wrap(diagnostic.clone().raised(*place)),
                _ => failure,
            })?;
        }
        Ok(())
    }

    /// Does a task, which is a step.
    pub(super) fn task(&self, task: Task) -> EvalResult<()> {
        match task {
            Task::Documents => {
                self.open(1, None);
                Ok(())
            }
            Task::Text => {
                self.open(2, None);
                Ok(())
            }
            Task::Start(number) => self.start(number, false),
            Task::Copy(first, last) => self.copy(first..=last),
            Task::Piece(number) => self.piece(number),
        }
    }

    /// Opens a context; kind 1 is a whole YAML file, 2 a text, 0 a function with nodes. `eval` is given by `__ytt_start`,
    /// with which functions begin: it knows where they were called.
    pub(super) fn open(&self, kind: u32, eval: Option<&Evaluator<'v, '_, '_>>) {
        let host = self.host.as_ref();
        if host.explains {
            let call = eval.and_then(|eval| trace::caller_place(host, eval));
            host.arena.borrow_mut().events.readers.begin(ReaderKind::Body { call });
        }
        let mut context = Context {
            inst: self.number,
            compiled: self.compiled.clone(),
            dialect: if kind == 2 { Dialect::Text } else { Dialect::Yaml },
            // Functions begin with `__ytt_start`, strings with a task.
            is_string: kind == 2 && eval.is_none() && self.is_within_yaml(),
            root: None,
            open: Vec::new(),
            pending: Vec::new(),
            pending_key: None,
            text: Vec::new(),
            parts: Vec::new(),
        };
        if kind == 1 {
            let mut arena = host.arena.borrow_mut();
            let pos = self.compiled.program.skeleton.items.first().map_or(PosId(0), |item| arena.get(item.node).pos);
            let root = arena.add(Body::Set(Items::default()), pos);
            context.root = Some(root);
            context.open.push(Open::new(0, root));
        }
        host.contexts.borrow_mut().push(context);
    }

    /// Whether the innermost context is one of this file that has nodes.
    fn is_within_yaml(&self) -> bool {
        let contexts = self.host.as_ref().contexts.borrow();
        contexts.last().is_some_and(|context| context.inst == self.number && context.dialect == Dialect::Yaml)
    }

    /// `__ytt_end`: closes the context of a function or file; its tree or text, unless `value` is given.
    pub(super) fn close(&self, value: Option<Value<'v>>, heap: Heap<'v>) -> Returned<'v> {
        self.close_context(false, value, heap)
    }

    /// `__ytt_string`: closes the context of a text-templated string; its text.
    pub(super) fn close_string(&self, heap: Heap<'v>) -> Returned<'v> {
        self.close_context(true, None, heap)
    }

    /// A string that a `break` or `return` in it left is the innermost context where a function ends.
    fn close_context(&self, is_string: bool, value: Option<Value<'v>>, heap: Heap<'v>) -> Returned<'v> {
        let context = self.host.as_ref().contexts.borrow_mut().pop();
        let is_it = |context: &Context| context.inst == self.number && context.is_string == is_string;
        let Some(mut context) = context.filter(is_it) else { return Err(left_text()) };
        {
            let mut arena = self.host.as_ref().arena.borrow_mut();
            context.open.iter_mut().for_each(|open| open.drop_overridden(&mut arena));
            if self.host.as_ref().explains {
                arena.events.readers.end();
                arena.events.text = std::mem::take(&mut context.parts);
            }
        }
        Ok(match (value, context.dialect) {
            (Some(value), _) => value,
            (None, Dialect::Text) => heap.alloc_str(&to_star(&context.text)).to_value(),
            (None, Dialect::Yaml) => {
                let val = context.root.map_or(Val::Null, Val::Node);
                Fragment::new(self.host, val).alloc(heap)
            }
        })
    }

    /// `__ytt_a`: keeps an annotation for the node `number`, which starts next.
    pub(super) fn annotate(&self, number: u32, annotation: Annotation) -> EvalResult<()> {
        self.with_context(Dialect::Yaml, |context| context.pending.push((number, annotation)))
    }

    /// `__ytt_k`: the key of the node `number`, which starts next.
    pub(super) fn key(&self, number: u32, text: &[u8]) -> EvalResult<()> {
        let key = self.host.as_ref().arena.borrow_mut().make_bytes(text);
        self.with_context(Dialect::Yaml, |context| context.pending_key = Some((number, key)))
    }

    /// A piece of literal text.
    fn piece(&self, number: u32) -> EvalResult<()> {
        let compiled = self.compiled.clone();
        let Some(piece) = compiled.program.skeleton.pieces.get(number as usize) else {
            unreachable!("the compiler numbers pieces")
        };
        self.host.as_ref().budget.outside(piece.text.len())?;
        self.add_text(&piece.text, piece.place, false)
    }

    fn add_text(&self, text: &[u8], place: Span, computed: bool) -> EvalResult<()> {
        let host = self.host.as_ref();
        self.with_context(Dialect::Text, |context| {
            if host.explains && !text.is_empty() {
                let by = host.arena.borrow().events.readers.now();
                context.parts.push(TextPart { at: context.text.len(), place, computed, by });
            }
            context.text.extend_from_slice(text);
        })
    }

    /// `__ytt_p`: a piece of literal text, and the printed value behind it.
    pub(super) fn print(&self, piece: u32, value: Value<'v>) -> EvalResult<()> {
        let budget = &self.host.as_ref().budget;
        // each of the two is a step
        budget.steps(1)?;
        self.piece(piece)?;
        if is_noop(value) {
            return Ok(());
        }
        let Some(text) = value.unpack_str() else {
            let kind = type_name(value);
            let text = format!("cannot set non-string value ({kind}), consider using str(...) to convert to string");
            let fact = Fact::NotText { kind: kind.to_string() };
            return Err(error::wrap(Diagnostic::error(Code::STARLARK_ERROR, text).fact(fact)));
        };
        budget.outside(text.len())?;
        let place = self.compiled.program.skeleton.pieces.get(piece as usize).and_then(|piece| piece.value);
        self.add_text(&from_star(text), place.unwrap_or(Span::new(self.compiled.source, 0, 0)), true)
    }

    fn with_context<T>(&self, dialect: Dialect, work: impl FnOnce(&mut Context) -> T) -> EvalResult<T> {
        let mut contexts = self.host.as_ref().contexts.borrow_mut();
        match contexts.last_mut() {
            Some(context) if context.inst == self.number && context.dialect == dialect => Ok(work(context)),
            _ => Err(left_text()),
        }
    }

    /// Copies nodes that stand beside each other from the skeleton.
    fn copy(&self, mut numbers: RangeInclusive<u32>) -> EvalResult<()> {
        numbers.try_for_each(|number| {
            self.start(number, true).map_err(|failure| match error::diagnostic_of(&failure) {
                // The statement has the place of the first of them.
                Some(diagnostic) => error::wrap(diagnostic.clone().at(self.host.as_ref().last_started.get())),
                None => failure,
            })
        })
    }

    /// Starts node `number`; with `whole` its subtree is copied from the skeleton.
    fn start(&self, number: u32, whole: bool) -> EvalResult<()> {
        let host = self.host.as_ref();
        let (mut contexts, mut arena) = (host.contexts.borrow_mut(), host.arena.borrow_mut());
        let context = match contexts.last_mut() {
            Some(context) if context.inst == self.number && context.dialect == Dialect::Yaml => context,
            _ => return Err(left_text()),
        };
        let compiled = context.compiled.clone();
        let items = &compiled.program.skeleton.items;
        let item = &items[number as usize];
        let first = NodeId(to_u32(arena.len()));
        host.last_started.set(arena.span_of(item.node));
        host.check_size(&arena)?;
        if context.root.is_none() {
            let parent = items[item.parent as usize].node;
            let Node { body, pos, .. } = arena.get(parent);
            let (body, pos) = (body.emptied(), *pos);
            let root = arena.add(body, pos);
            context.root = Some(root);
            context.open.push(Open::new(item.parent, root));
        }
        unwind(context, &mut arena, items, number).map_err(|names| outside(&arena, items, number, names))?;
        let pos = arena.get(item.node).pos;
        let new = if whole {
            let before = arena.len();
            let new = arena.copy(item.node).map_err(|deep| error::wrap(deep.diagnostic(&arena)))?;
            host.budget.walk_items(arena.len() - before)?;
            new
        } else {
            let mut body = arena.get(item.node).body.emptied();
            if let (Body::MapItem(key, _), Some((_, made))) =
                (&mut body, context.pending_key.take_if(|(wanted, _)| *wanted == number))
            {
                *key = made;
            }
            arena.add(body, pos)
        };
        if !context.pending.is_empty() {
            let set = context.take_pending(number);
            arena.get_mut(new).ann = arena.add_anns(set);
        }
        let overrides = self.compiled.options.implicit_map_key_overrides;
        add(context, &mut arena, new, overrides)?;
        context.open.push(Open { whole, ..Open::new(number, new) });
        if !whole && !item.computed {
            self.set_constant(context, &mut arena, number, new);
        }
        if host.explains {
            let end = NodeId(to_u32(arena.len()));
            arena.events.readers.made(first, end);
            if item.computed {
                arena.events.readers.begin_expression(new);
            }
        }
        Ok(())
    }

    /// The constant value of a node that has just started: a scalar, or a container that is opened too.
    fn set_constant(&self, context: &mut Context, arena: &mut Arena, number: u32, new: NodeId) {
        let items = &context.compiled.program.skeleton.items;
        let value = match arena.value(items[number as usize].node) {
            Val::Node(child) => {
                let Node { body, pos, .. } = arena.get(child);
                let (body, pos) = (body.emptied(), *pos);
                let made = arena.add(body, pos);
                context.open.push(Open::new(number + 1, made));
                Val::Node(made)
            }
            scalar => scalar,
        };
        arena.set_value(new, value);
    }

    /// `__ytt_s`: sets the value of the innermost open node.
    pub(super) fn set(&self, value: Value<'v>, heap: Heap<'v>) -> EvalResult<()> {
        let host = self.host.as_ref();
        if is_noop(value) {
            if host.explains {
                host.arena.borrow_mut().events.readers.end_expression();
            }
            return Ok(());
        }
        let val = to_val(host, value, heap)?;
        let top = self.with_context(Dialect::Yaml, |context| context.open.last().map(|open| open.node))?;
        let Some(top) = top else { return Err(left_text()) };
        let mut arena = host.arena.borrow_mut();
        if let Val::Node(id) = val
            && matches!(arena.get(id).body, Body::Set(_))
        {
            let text = match arena.get(top).body {
                Body::MapItem(..) => "map items can only contain arrays, maps, or scalars; this is a document set",
                Body::ArrayItem(_) => "array items can only contain maps, arrays, or scalars; this is a document set",
                _ => "documents can only contain arrays, maps, or scalars; this is a document set",
            };
            let is_document = !matches!(arena.get(top).body, Body::MapItem(..) | Body::ArrayItem(_));
            let fact = Fact::DocumentSet { is_document };
            return Err(error::wrap(Diagnostic::error(Code::TEMPLATE_VALUE, text).fact(fact)));
        }
        arena.set_value(top, val);
        let list = match val {
            Val::Node(id) if matches!(arena.get(id).body, Body::Array(_)) => Some(id),
            _ => None,
        };
        let list = list.filter(|_| matches!(arena.get(top).body, Body::ArrayItem(_)));
        let by = if host.explains { arena.events.readers.end_expression() } else { None };
        if arena.events.kept() {
            let at = arena.span_of(top);
            arena.events.add(|| Event::Set { item: top, value: val, at, by });
        }
        drop(arena);
        if let Some(list) = list {
            let around = self.with_context(Dialect::Yaml, |context| {
                let mut above = context.open.iter().rev().skip(1).map(|open| open.node);
                Some((above.next()?, above.next()))
            })?;
            around.into_iter().for_each(|(around, holder)| list_in_list(host, (around, top), holder, list));
        }
        Ok(())
    }
}

impl Host<'_> {
    /// The limits `nodes` and `memory`, asked often and answered in a few instructions.
    pub(super) fn check_size(&self, arena: &Arena) -> EvalResult<()> {
        let nodes = arena.len() as u64;
        if self.limits.nodes.is_some_and(|limit| nodes > limit) {
            let text = format!("limit `nodes` reached: more than {} nodes", self.limits.nodes.unwrap_or_default());
            return Err(error::wrap(Diagnostic::limit(Code::LIMIT_BUDGET, "nodes", text)));
        }
        if self.budget.has_too_many(arena.size() as u64) {
            let text = format!("limit `memory` reached: more than {} bytes", self.limits.memory.unwrap_or_default());
            return Err(error::wrap(Diagnostic::limit(Code::LIMIT_BUDGET, "memory", text)));
        }
        Ok(())
    }
}

/// Leaves open nodes until the nearest common ancestor of `number` and the innermost one is on top.
#[allow(clippy::indexing_slicing, reason = "items are numbered by the compiler, and the parent of each is one of them")]
fn unwind(context: &mut Context, arena: &mut Arena, items: &[Item], number: u32) -> Result<(), u32> {
    let Some(top) = context.open.last() else { return Err(number) };
    let (mut wanted, mut at) = (items[number as usize].parent, top.number);
    while wanted != at {
        if items[wanted as usize].depth > items[at as usize].depth {
            wanted = items[wanted as usize].parent;
        } else if at == 0 {
            return Err(wanted);
        } else {
            at = items[at as usize].parent;
        }
    }
    while let Some(top) = context.open.last_mut() {
        if top.number == wanted {
            return Ok(());
        }
        top.drop_overridden(arena);
        context.open.pop();
    }
    Err(wanted)
}

/// Adds a node to the container on top, keys of maps being checked.
#[allow(clippy::unreachable, reason = "what starts a node has just unwound to an open one")]
fn add(context: &mut Context, arena: &mut Arena, new: NodeId, implicit_overrides: bool) -> EvalResult<()> {
    let Some(top) = context.open.last_mut() else { unreachable!("unwinding leaves an open node") };
    let (place, kind) = (top.node, arena.get(new).body.kind());
    let fits = match (&arena.get(place).body, &arena.get(new).body) {
        (Body::Set(_), Body::Doc(_)) | (Body::Map(_), Body::MapItem(..)) | (Body::Array(_), Body::ArrayItem(_)) => true,
        (Body::Doc(_) | Body::MapItem(..) | Body::ArrayItem(_), _) => {
            arena.set_value(place, Val::Node(new));
            return Ok(());
        }
        _ => false,
    };
    if !fits {
        let text = match arena.get(place).body {
            Body::Set(_) => format!("document sets can only contain documents; this is a {kind}"),
            Body::Map(_) => format!("maps can only contain map items; this is a {kind}"),
            _ => format!("arrays can only contain array items; this is {} {kind}", words::article(kind)),
        };
        return Err(error::wrap(Diagnostic::error(Code::TEMPLATE_STRUCTURE, text).at(arena.span_of(new))));
    }
    if matches!(arena.get(place).body, Body::Map(_)) {
        check_key(top, arena, new, implicit_overrides)?;
    }
    arena.items_mut(place).push(new);
    Ok(())
}

/// An equal key in the open map is an error, or is removed where the new item may override it.
pub(super) fn check_key(top: &mut Open, arena: &mut Arena, new: NodeId, implicit_overrides: bool) -> EvalResult<()> {
    let key = arena.key(new);
    if matches!(key, Val::Node(_) | Val::Raw(_)) {
        return Err(error::wrap(
            Diagnostic::error(Code::TEMPLATE_KEY, "map key must be a scalar").at(arena.span_of(new)),
        ));
    }
    let old = match &top.keys {
        Some(keys) => keys.find(arena, key).next(),
        None => arena.items(top.node).iter().copied().find(|&item| arena.same(arena.key(item), key)),
    };
    if let Some(old) = old {
        if !implicit_overrides && arena.ann(new, "yaml/map-key-override").is_none() {
            return Err(given_again(arena, new, old));
        }
        match &mut top.keys {
            Some(keys) => {
                keys.remove(arena, old);
                top.overridden.insert(old);
            }
            None => arena.items_mut(top.node).change(|items| items.retain(|&item| item != old)),
        }
    }
    if top.keys.is_none() && arena.count(top.node) >= INDEX_FROM {
        top.keys = Some(KeyTable::of(arena, arena.items(top.node)));
    }
    if let Some(keys) = &mut top.keys {
        keys.add(arena, new);
    }
    Ok(())
}

/// A key that is in its map already.
fn given_again(arena: &Arena, new: NodeId, old: NodeId) -> starlark::Error {
    let shown = words::key_text(arena, arena.key(new));
    let text = format!(
        "expected key '{shown}' to not be specified again (unless 'yaml/map-key-override' annotation is added)"
    );
    let diagnostic = Diagnostic::error(Code::TEMPLATE_DUPLICATE_KEY, text);
    let diagnostic = match (arena.span_of(new), arena.span_of(old)) {
        // Code that ran left nothing of itself in the key.
        (Some(new), Some(old)) if new == old && shown.contains(CODE) => diagnostic
            .label(new, "written more than once, by a loop or a function that runs again")
            .fact(Fact::CodeAsKey),
        (Some(new), Some(old)) if new == old => diagnostic
            .label(new, "written more than once, by a loop or a function that runs again")
            .help(format!(
                "for a key of its own at each turn: write `{shown}-(@= str(i) @):` with #@yaml/text-templated-strings above it"
            )),
        (Some(new), Some(old)) => {
            diagnostic.label(new, "given again here").label(old, "first given here").help("remove one of the two")
        }
        (new, _) => diagnostic.at(new),
    };
    let text =
        "to keep only the last one, write `#@yaml/map-key-override` above it: what the first one says is lost then";
    error::wrap(diagnostic.help(text))
}

fn is_noop(value: Value<'_>) -> bool {
    Func::from_value(value).is_some_and(|function| matches!(function.role, ObjectRole::Noop))
}

fn left_text() -> starlark::Error {
    error::wrap(Diagnostic::error(
        Code::TEMPLATE_STRUCTURE,
        "code in a text-templated string must not leave the string",
    ))
}

#[allow(clippy::indexing_slicing, reason = "items are numbered by the compiler, and the parent of each is one of them")]
fn outside(arena: &Arena, items: &[Item], number: u32, wanted: u32) -> starlark::Error {
    let name = |number: u32| match arena.key(items[number as usize].node) {
        Val::Null => arena.get(items[number as usize].node).body.kind().to_owned(),
        key => words::key_text(arena, key),
    };
    // A container has no name of its own: its item's is meant.
    let mut inner = wanted;
    if matches!(arena.get(items[inner as usize].node).body, Body::Map(_) | Body::Array(_)) {
        inner = items[inner as usize].parent;
    }
    let text = format!(
        "expected to find node '{}' when unwinding: '{}' cannot continue outside of the function in which it began",
        name(inner),
        name(number)
    );
    error::wrap(Diagnostic::error(Code::TEMPLATE_STRUCTURE, text).at(arena.span_of(items[number as usize].node)))
}
