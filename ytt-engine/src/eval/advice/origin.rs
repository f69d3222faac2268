//! Where a value that code has comes from among the data values: names are followed to what they are set to, parameters
//! to the call that gave them, variables of loops to the items of their list.
//!
//! Values keep no origin while a program runs, so this reads the code of a problem once more. What is not sure gives
//! several items or none.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::super::host::Host;
use super::{calls, code_of};
use crate::diag::Frame;
use crate::source::{SourceId, SourceMap, Span};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::outline;
use crate::template::written::{self, CodeStep};
use crate::yaml::words::key_text;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Names that are followed.
const STEPS: usize = 12;
/// Functions that give dicts.
const DECODING: [&str; 3] = ["yaml.decode", "json.decode", "toml.decode"];
/// Items that are looked at.
const ITEMS: usize = 1_000;
/// Characters of a text that a label shows.
const SHOWN: usize = 60;

/// Looks for data values.
pub(super) struct Origins<'a, 'v> {
    host: &'a Host<'v>,
    data: Val,
    /// Innermost call first.
    trace: &'a [Frame],
    /// The functions have returned: a parameter has what the one call of its file gives.
    has_returned: bool,
    code: RefCell<HashMap<SourceId, Option<Arc<FileCode>>>>,
}

/// Where a value was decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoded {
    /// The call of `yaml.decode` or its like.
    pub(super) call: Span,
    /// The call, or what code takes of its value before the value goes on from there.
    pub(super) whole: Span,
    /// The name that is set to what the call gives, or to a part of that.
    pub(super) name: Option<Span>,
}

/// A value, and the item that holds it; all data values are held by none.
type Held = (Val, Option<NodeId>);

impl<'a, 'v> Origins<'a, 'v> {
    pub(super) fn new(host: &'a Host<'v>, data: Val, trace: &'a [Frame]) -> Self {
        Origins { host, data, trace, has_returned: false, code: RefCell::default() }
    }

    /// For code that has run, in functions that have returned.
    pub(super) fn returned(host: &'a Host<'v>, data: Val) -> Self {
        Origins { has_returned: true, ..Origins::new(host, data, &[]) }
    }

    /// The items of data values whose values code may have that stands in the function of this frame.
    pub(super) fn of(&self, code: Span, frame: usize) -> Vec<NodeId> {
        self.held(code, frame, STEPS).into_iter().filter_map(|(_, item)| item).collect()
    }

    /// The items that steps lead to from what code may have.
    pub(super) fn below(&self, code: Span, steps: &[CodeStep]) -> Vec<NodeId> {
        let found = steps.iter().fold(self.held(code, 0, STEPS), |found, step| self.stepped(&found, step));
        found.into_iter().filter_map(|(_, item)| item).collect()
    }

    /// The values of data values that code may have.
    pub(super) fn values(&self, code: Span) -> Vec<Val> {
        self.held(code, 0, STEPS).into_iter().map(|(value, _)| value).collect()
    }

    pub(super) fn map_of(&self, value: Val) -> Option<NodeId> {
        self.host.arena.borrow().map_of(value)
    }

    pub(super) fn trace(&self) -> &[Frame] {
        self.trace
    }

    /// The keys that lead through maps to an item of the data values.
    pub(super) fn keys_to(&self, item: NodeId) -> Option<Vec<String>> {
        let arena = self.host.arena.borrow();
        let mut open = vec![(arena.map_of(self.data)?, Vec::new())];
        let mut left = ITEMS;
        while let Some((map, keys)) = open.pop() {
            for inner in arena.items(map) {
                left = left.checked_sub(1)?;
                let below = || keys.iter().cloned().chain([key_text(&arena, arena.key(*inner))]).collect();
                if *inner == item {
                    return Some(below());
                }
                if let Some(map) = arena.map_of(arena.value(*inner)) {
                    open.push((map, below()));
                }
            }
        }
        None
    }

    /// The one item that all code of this value speaks of.
    pub(super) fn only(&self, code: Span, frame: usize) -> Option<NodeId> {
        let [item] = self.of(code, frame)[..] else { return None };
        Some(item)
    }

    /// The code that gives a name its value, where that is more than a name or what is read of it.
    pub(super) fn given_by(&self, code: Span, frame: usize) -> Option<(Span, usize)> {
        let (mut at, mut frame) = (code, frame);
        for _ in 0..STEPS {
            let Some(path) = written::path(&self.host.sources, at) else { return (at != code).then_some((at, frame)) };
            if !path.steps.is_empty() {
                return None;
            }
            (at, frame) = match self.bound(path.root)?.by {
                Binder::Value(value) => (value, frame),
                Binder::Parameter(Some(function)) => self.given(function, path.root, frame)?,
                _ => return None,
            };
        }
        None
    }

    /// The argument of the outermost call that hands the value of a parameter on as it is, through other parameters.
    pub(super) fn handed(&self, code: Span) -> Option<Span> {
        let (arguments, is_whole) = self.handed_on(code);
        arguments.last().copied().filter(|_| is_whole)
    }

    /// The arguments of the calls that hand the value of a parameter on as it is, the innermost one first, and whether that
    /// is all of them.
    pub(super) fn handed_on(&self, code: Span) -> (Vec<Span>, bool) {
        let (mut at, mut frame, mut arguments) = (code, 0, Vec::new());
        for _ in 0..STEPS {
            let is_name = written::path(&self.host.sources, at).is_some_and(|path| path.steps.is_empty());
            match is_name.then(|| self.bound(at)).flatten().map(|bound| bound.by) {
                Some(Binder::Parameter(Some(function))) => match self.given(function, at, frame) {
                    Some(given) => (at, frame) = given,
                    None => return (arguments, false),
                },
                _ => return (arguments, true),
            }
            arguments.push(at);
        }
        (arguments, false)
    }

    /// The call of `yaml.decode` or its like that gave a value, by itself or as a part of what it gave.
    pub(super) fn decoded(&self, code: Span) -> Option<Decoded> {
        let sources = &self.host.sources;
        let (mut at, mut frame, mut part, mut name) = (code, 0, None, None);
        for _ in 0..STEPS {
            let Some(path) = written::path(sources, at) else {
                let inner = written::in_front(sources, at)?;
                if inner != at {
                    (part, at) = (Some(at), inner);
                }
                let function = written::callee(sources, at).map(|function| code_of(sources, function));
                let decodes = |function: String| DECODING.contains(&function.as_str());
                if function.is_some_and(decodes) {
                    return Some(Decoded { call: at, whole: part.unwrap_or(at), name });
                }
                let inner = written::passed_on(sources, at)
                    .or_else(|| Some(written::series(sources, at)?.0))
                    .or_else(|| written::kept(sources, at));
                (at, frame) = match inner {
                    Some(inner) => (inner, frame),
                    // No call that is running has to do with what it returned.
                    None => (self.returned_by(at)?, self.trace.len()),
                };
                continue;
            };
            if !path.steps.is_empty() && at != code {
                part = Some(at);
            }
            name = Some(path.root);
            (at, frame) = match self.bound(path.root)?.by {
                Binder::Value(value) => (value, frame),
                Binder::Loop { over, .. } => (over, frame),
                Binder::Parameter(Some(function)) => self.given(function, path.root, frame)?,
                _ => return None,
            };
        }
        None
    }

    /// What a call of a function of the project gives, if that has one `return`.
    fn returned_by(&self, call: Span) -> Option<Span> {
        let sources = &self.host.sources;
        let callee = written::callee(sources, call)?;
        let name = code_of(sources, callee);
        let code = self.code(callee.source)?;
        let is_function = matches!(code.bound(callee, &name)?.by, Binder::Def | Binder::Load);
        (is_function && code.is_bound_once(callee, &name)).then_some(())?;
        let (file, own) = outline::home(sources, callee.source, &name)?;
        match self.code(file)?.function_of(&own, false)?.returned[..] {
            [value] => Some(value),
            _ => None,
        }
    }

    /// The items of data values whose values a variable of the innermost function may have.
    pub(super) fn of_bound(&self, bound: &Bound) -> Vec<NodeId> {
        let found = match bound.by {
            Binder::Loop { vars, over } => self.turned(bound.name, (vars, over), 0, STEPS),
            Binder::Value(value) => self.held(value, 0, STEPS),
            Binder::Parameter(Some(function)) => match self.given(function, bound.name, 0) {
                Some((argument, frame)) => self.held(argument, frame, STEPS),
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        found.into_iter().filter_map(|(_, item)| item).collect()
    }

    fn held(&self, code: Span, frame: usize, left: usize) -> Vec<Held> {
        let Some(left) = left.checked_sub(1) else { return Vec::new() };
        let sources = &self.host.sources;
        let Some(path) = written::path(sources, code) else {
            if let Some((of, step)) = by_name(sources, code) {
                return self.stepped(&self.held(of, frame, left), &step);
            }
            return written::passed_on(sources, code).map_or_else(Vec::new, |inner| self.held(inner, frame, left));
        };
        let bound = self.bound(path.root);
        let is_data =
            code_of(sources, path.root) == "data" && matches!(&bound, None | Some(Bound { by: Binder::Load, .. }));
        let (found, steps) = match (&path.steps[..], bound.map(|bound| bound.by)) {
            ([CodeStep::Key(values), steps @ ..], _) if is_data && values == "values" => {
                (vec![(self.data, None)], steps)
            }
            (steps, Some(Binder::Value(value))) => (self.held(value, frame, left), steps),
            (steps, Some(Binder::Loop { vars, over })) => (self.turned(path.root, (vars, over), frame, left), steps),
            (steps, Some(Binder::Parameter(Some(function)))) => match self.given(function, path.root, frame) {
                Some((argument, frame)) => (self.held(argument, frame, left), steps),
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        steps.iter().fold(found, |found, step| self.stepped(&found, step))
    }

    /// What one step leads to from values.
    fn stepped(&self, found: &[Held], step: &CodeStep) -> Vec<Held> {
        let arena = self.host.arena.borrow();
        let below = found.iter().flat_map(|(value, _)| {
            let Val::Node(id) = *value else { return Vec::new() };
            match step {
                CodeStep::Key(key) => {
                    arena.map_of(*value).and_then(|map| arena.find_str(map, key)).into_iter().collect()
                }
                CodeStep::Index(number) => arena.items(id).get(*number).copied().into_iter().collect(),
                CodeStep::Any => arena.items(id).to_vec(),
            }
        });
        below.take(ITEMS).map(|item| (arena.value(item), Some(item))).collect()
    }

    /// What the variable of a loop may be.
    fn turned(&self, name: Span, (vars, over): (Span, Span), frame: usize, left: usize) -> Vec<Held> {
        let sources = &self.host.sources;
        let Some((list, _)) = turn(sources, vars, over).filter(|(_, var)| *var == code_of(sources, name)) else {
            return Vec::new();
        };
        let mut found = self.held(list, frame, left);
        if list == over {
            // Of a map these are its keys.
            let arena = self.host.arena.borrow();
            found.retain(|(value, _)| matches!(value, Val::Node(id) if matches!(arena.get(*id).body, Body::Array(_))));
        }
        self.stepped(&found, &CodeStep::Any)
    }

    /// The argument that gave a parameter of a function its value, and the frame that it stands in.
    fn given(&self, function: Span, parameter: Span, frame: usize) -> Option<(Span, usize)> {
        let sources = &self.host.sources;
        let code = self.code(function.source)?;
        let function = code.function_at(function.start)?;
        let is_in = |frame: &Frame| {
            let around = frame.span.filter(|span| span.source == parameter.source);
            around.and_then(|span| code.function_around(span)).is_some_and(|around| around.whole == function.whole)
        };
        let (given, at) = match self.trace.iter().skip(frame).position(is_in) {
            Some(found) => {
                let at = found.checked_add(frame)?.checked_add(1)?;
                (written::call(sources, self.trace.get(at)?.span?)?, at)
            }
            None if self.has_returned => (code.only_call(&code_of(sources, function.name?))?, frame),
            None => return None,
        };
        let name = code_of(sources, parameter);
        Some((calls::argument_for(sources, &function.parameters, &name, &given)?, at))
    }

    fn bound(&self, name: Span) -> Option<Bound> {
        self.code(name.source)?.bound(name, &code_of(&self.host.sources, name))
    }

    fn code(&self, file: SourceId) -> Option<Arc<FileCode>> {
        if let Some(known) = self.code.borrow().get(&file) {
            return known.clone();
        }
        let source = self.host.sources.get(file);
        let may = self.host.may_advise(source.text.as_bytes().len());
        let read = may.then(|| FileCode::read(&source, file)).flatten();
        self.code.borrow_mut().insert(file, read.clone());
        read
    }
}

/// What a loop goes over, and the variable that has an item of it in each turn.
pub(super) fn turn(sources: &SourceMap, vars: Span, over: Span) -> Option<(Span, String)> {
    let (list, is_second) = written::series(sources, over).unwrap_or((over, false));
    let vars = code_of(sources, vars);
    let names: Vec<&str> = vars.trim_matches(['(', ')']).split(',').map(str::trim).collect();
    match (&names[..], is_second) {
        ([_, second], true) => Some((list, (*second).to_owned())),
        ([only], false) => Some((list, (*only).to_owned())),
        _ => None,
    }
}

/// What `getattr(of, name)` reads, and how.
fn by_name(sources: &SourceMap, code: Span) -> Option<(Span, CodeStep)> {
    if code_of(sources, written::callee(sources, code)?) != "getattr" {
        return None;
    }
    let arguments = written::call(sources, code)?;
    let [of, name, ..] = &arguments[..] else { return None };
    let name = code_of(sources, name.value);
    let literal =
        name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).filter(|name| !name.contains(['"', '\\']));
    Some((of.value, literal.map_or(CodeStep::Any, |name| CodeStep::Key(name.to_owned()))))
}

/// Where the value of an item stands, for a label; its key where that is long.
pub(super) fn place_of(host: &Host<'_>, item: NodeId) -> Option<Span> {
    let place = *host.arena.borrow().place_of(item)?;
    let value = code_of(&host.sources, place.value());
    let is_text = matches!(host.arena.borrow().value(item), Val::Str { .. });
    let is_line = is_text && !value.is_empty() && !value.contains('\n');
    Some(if is_line { place.value() } else { place.value_or_key(&host.sources) })
}

/// The name of an item in the code that reads it: its key, or the code.
pub(super) fn name_of(host: &Host<'_>, item: NodeId, code: &str) -> String {
    let arena = host.arena.borrow();
    match arena.get(item).body {
        Body::MapItem(key, _) => key_text(&arena, key),
        _ => code.rsplit('.').next().unwrap_or_default().to_owned(),
    }
}

/// What a value is, in a few words.
pub(super) fn described(arena: &Arena, value: Val) -> String {
    match value {
        Val::Null => "null".to_owned(),
        Val::Bool(_) => format!("the boolean `{}`", key_text(arena, value)),
        Val::Int(_) | Val::UInt(_) => format!("the integer `{}`", key_text(arena, value)),
        Val::Float(_) => format!("the float `{}`", key_text(arena, value)),
        Val::Str { .. } | Val::Bytes(_) => match arena.str(value) {
            Some("") => "an empty text".to_owned(),
            Some(text) if text.len() <= SHOWN && !text.contains('\n') => format!("the text `{text}`"),
            _ => "a text".to_owned(),
        },
        Val::Node(id) => match &arena.get(id).body {
            Body::Array(items) if items.is_empty() => "an empty list".to_owned(),
            Body::Array(_) => "a list".to_owned(),
            _ => "a map".to_owned(),
        },
        Val::Raw(_) => "a value of code".to_owned(),
    }
}
