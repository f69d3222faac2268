//! Arguments of `@overlay/*`: which operation an item has, and the checked arguments of each annotation.
//!
//! Only names and kinds are checked here, in the order in which the reference checks them; which items match is
//! `select`, how many may is `count`. Annotations that the engine itself wrote (plain merge, values of flags) are known
//! by their reserved numbers, without `Call`.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::failure::Failure;
use crate::call::{Call, Seen, ValueHandle};
use crate::diag::{Code, Diagnostic, suggest};
use crate::source::Span;
use crate::template::written;
use crate::yaml::{Annotation, ArgId, Body, NodeId, PosId};

/// What kind of item a right node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RightKind {
    Document,
    MapItem,
    ArrayItem,
}

impl RightKind {
    pub(super) fn of(body: &Body) -> Option<RightKind> {
        match body {
            Body::Doc(_) => Some(RightKind::Document),
            Body::MapItem(..) => Some(RightKind::MapItem),
            Body::ArrayItem(_) => Some(RightKind::ArrayItem),
            _ => None,
        }
    }
}

/// What an item does to the items that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Merge,
    Remove,
    Replace,
    Insert,
    Append,
    Assert,
}

impl Operation {
    const ALL: [(Operation, &'static str); 6] = [
        (Operation::Merge, "overlay/merge"),
        (Operation::Remove, "overlay/remove"),
        (Operation::Replace, "overlay/replace"),
        (Operation::Insert, "overlay/insert"),
        (Operation::Append, "overlay/append"),
        (Operation::Assert, "overlay/assert"),
    ];

    pub(super) fn name(self) -> &'static str {
        Operation::ALL[self as usize].1
    }
}

pub(super) const MATCH: &str = "overlay/match";
pub(super) const CHILD_DEFAULTS: &str = "overlay/match-child-defaults";

/// The value of a keyword argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgumentValue {
    Live(ValueHandle),
    /// `True`, written by the engine itself.
    True,
}

/// The value of a keyword argument and the annotation it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) given: ArgumentValue,
    /// Place of the annotation.
    pub(super) pos: PosId,
}

impl Argument {
    pub(super) fn see(self, calls: &dyn Call) -> Seen {
        match self.given {
            ArgumentValue::Live(live) => calls.see(live),
            ArgumentValue::True => Seen::Bool(true),
        }
    }

    /// Name of the type, as the reference's messages have it.
    pub(super) fn kind(self, calls: &dyn Call) -> String {
        match self.given {
            ArgumentValue::Live(live) => host_kind(calls.kind(live)),
            ArgumentValue::True => host_kind("bool"),
        }
    }

    /// The function that this is, if it is one.
    pub(super) fn function(self, calls: &dyn Call) -> Option<ValueHandle> {
        match (self.given, self.see(calls)) {
            (ArgumentValue::Live(live), Seen::Function | Seen::Matcher(_)) => Some(live),
            _ => None,
        }
    }

    fn bool(self, calls: &dyn Call, name: &str) -> Result<bool, Failure> {
        match self.see(calls) {
            Seen::Bool(value) => Ok(value),
            _ => Err(self.wrong(
                calls,
                name,
                format!("expected starlark.Bool, but was {}", self.kind(calls)),
                "True or False",
            )),
        }
    }

    fn via(self, calls: &dyn Call, annotation: &str) -> Result<ValueHandle, Failure> {
        self.function(calls).ok_or_else(|| {
            let text = format!(
                "Expected '{annotation}' annotation keyword argument 'via' to be function, but was {}",
                self.kind(calls)
            );
            let wanted = "a function of the left and the right value, such as lambda left, right: left.upper()";
            self.wrong(calls, "via", text, wanted)
        })
    }

    /// An error about this argument, labelled with what it is in plain words.
    pub(super) fn wrong(self, calls: &dyn Call, name: &str, text: String, wanted: &str) -> Failure {
        let plain = match self.given {
            ArgumentValue::Live(live) => plain_kind(calls.kind(live)),
            ArgumentValue::True => plain_kind("bool"),
        };
        let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        let label = format!("this is {plain}; it must be {wanted}");
        Failure::argument(match argument_span(calls, self.pos, name) {
            Some(span) => diagnostic.label(span, label),
            None => diagnostic.note(format!("{name}: {label}")),
        })
    }
}

/// `expects`, `missing_ok` and `when`, each of which is inherited separately.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) expects: Option<Argument>,
    pub(super) missing_ok: Option<Argument>,
    pub(super) when: Option<Argument>,
}

impl Counts {
    fn over(self, inherited: &Counts) -> Counts {
        Counts {
            expects: self.expects.or(inherited.expects),
            missing_ok: self.missing_ok.or(inherited.missing_ok),
            when: self.when.or(inherited.when),
        }
    }
}

/// The match rule of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchRule {
    pub(super) by: Option<Argument>,
    pub(super) counts: Counts,
    /// An array item without `@overlay/match`: matches nothing and expects nothing.
    pub(super) nothing: bool,
}

/// Arguments of `@overlay/replace`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReplaceRule {
    pub(super) via: Option<ValueHandle>,
    pub(super) or_add: bool,
}

/// Arguments of `@overlay/insert`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InsertRule {
    pub(super) before: bool,
    pub(super) after: bool,
    pub(super) via: Option<ValueHandle>,
}

/// Name and value of each keyword argument, in the order written.
type Named = SmallVec<[(Arc<str>, Argument); 4]>;

fn named(calls: &dyn Call, annotation: &Annotation) -> Named {
    let pos = annotation.pos;
    match annotation.args {
        ArgId::MISSING_OK => smallvec![("missing_ok".into(), Argument { given: ArgumentValue::True, pos })],
        ArgId::OR_ADD => smallvec![("or_add".into(), Argument { given: ArgumentValue::True, pos })],
        args => {
            let args = calls.args(args);
            args.named
                .iter()
                .map(|(name, live)| (name.clone(), Argument { given: ArgumentValue::Live(*live), pos }))
                .collect()
        }
    }
}

/// Keyword arguments of the annotation `name` of a node; `None` if the node has no such annotation.
fn keywords(calls: &dyn Call, node: NodeId, name: &str) -> Option<Named> {
    let annotation = calls.arena().borrow().ann(node, name).cloned()?;
    Some(named(calls, &annotation))
}

fn unknown(calls: &dyn Call, annotation: &str, name: &str, argument: Argument, known: &[&str]) -> Failure {
    let text = format!("Unknown '{annotation}' annotation keyword argument '{name}'");
    let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    let turned = || known.iter().copied().find(|known| letters(known) == letters(name));
    let near = suggest::nearest(name, known.iter().copied()).or_else(turned);
    let span = argument_name_span(calls, argument.pos, name);
    let diagnostic = match span {
        Some(span) => diagnostic.label(span, format!("@{annotation} takes {}", list(known))),
        None => diagnostic,
    };
    let diagnostic = match (annotation, name) {
        (CHILD_DEFAULTS, "by") => diagnostic.help(format!("`by` must be written at each item: #@{MATCH} by=…")),
        _ => diagnostic,
    };
    Failure::argument(match (near, span) {
        (Some(near), Some(span)) => diagnostic.help_edit(format!("did you mean `{near}`?"), span, near),
        (Some(near), None) => diagnostic.help(format!("did you mean `{near}`?")),
        (None, _) => diagnostic,
    })
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// How items are named by `by=`.
pub(super) fn which_ones(kind: RightKind) -> &'static str {
    match kind {
        RightKind::Document => {
            "write which ones: by=overlay.subset({\"kind\": \"…\"}) for those with certain values, or by=overlay.all, \
             expects=\"1+\" for all"
        }
        _ => {
            "write which ones: by=\"name\" for the one with the same `name` as here, by=overlay.index(0) for the first, \
             or by=overlay.subset({…}) for those with certain values"
        }
    }
}

/// The operation of an item: merge unless one is written.
pub(super) fn operation(calls: &dyn Call, node: NodeId) -> Result<Operation, Failure> {
    let arena = calls.arena().borrow();
    let annotations = arena.anns_of(node);
    if annotations.is_empty() {
        return Ok(Operation::Merge);
    }
    let mut found = Operation::ALL.iter().filter(|(_, name)| annotations.iter().any(|ann| &*ann.name == *name));
    let first = found.next().map_or(Operation::Merge, |(operation, _)| *operation);
    if found.next().is_none() {
        return Ok(first);
    }
    let mut diagnostic = Diagnostic::error(Code::OVERLAY_PLACE, "Expected to find only one overlay operation");
    let operations = annotations.iter().filter(|ann| Operation::ALL.iter().any(|(_, name)| *name == &*ann.name));
    for (annotation, number) in operations.zip(["first", "second"].into_iter().chain(std::iter::repeat("another"))) {
        if let Some(place) = arena.place(annotation.pos) {
            diagnostic = diagnostic.label(place.key(), format!("{number} operation"));
        }
    }
    Err(Failure::argument(diagnostic.help("keep one of them, and remove the other")))
}

/// Defaults that hold below an item: its own, else the inherited ones.
pub(super) fn child_defaults(calls: &dyn Call, node: NodeId, inherited: &Counts) -> Result<Counts, Failure> {
    let mut own = Counts::default();
    for (name, argument) in keywords(calls, node, CHILD_DEFAULTS).unwrap_or_default() {
        match &*name {
            "expects" => own.expects = Some(argument),
            "missing_ok" => own.missing_ok = Some(argument),
            "when" => own.when = Some(argument),
            _ => return Err(unknown(calls, CHILD_DEFAULTS, &name, argument, &["expects", "missing_ok", "when"])),
        }
    }
    Ok(own.over(inherited))
}

/// The match rule of an item. `exact`: the one left document is the match.
pub(super) fn match_rule(
    calls: &dyn Call,
    node: NodeId,
    kind: RightKind,
    exact: bool,
    inherited: &Counts,
) -> Result<MatchRule, Failure> {
    let keywords = keywords(calls, node, MATCH);
    if keywords.is_none() && kind == RightKind::ArrayItem {
        return Ok(MatchRule { by: None, counts: Counts::default(), nothing: true });
    }
    let keywords = keywords.unwrap_or_default();
    let needs_one = kind == RightKind::ArrayItem || kind == RightKind::Document && !exact;
    if keywords.is_empty() && needs_one {
        let text = format!("Expected '{MATCH}' annotation to have at least one keyword argument (by=..., expects=...)");
        let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        return Err(Failure::argument(
            match end(calls, node, MATCH) {
                Some((span, _)) => diagnostic.label(span, "which ones are meant?"),
                None => diagnostic,
            }
            .help(which_ones(kind)),
        ));
    }
    let (mut by, mut own) = (None, Counts::default());
    for (name, argument) in keywords {
        match &*name {
            "by" => by = Some(argument),
            "expects" => own.expects = Some(argument),
            "missing_ok" => own.missing_ok = Some(argument),
            "when" => own.when = Some(argument),
            _ => return Err(unknown(calls, MATCH, &name, argument, &["by", "expects", "missing_ok", "when"])),
        }
    }
    Ok(MatchRule { by, counts: own.over(inherited), nothing: false })
}

pub(super) fn replace_rule(calls: &dyn Call, node: NodeId) -> Result<ReplaceRule, Failure> {
    let (mut rule, annotation) = (ReplaceRule::default(), Operation::Replace.name());
    for (name, argument) in keywords(calls, node, annotation).unwrap_or_default() {
        match &*name {
            "via" => rule.via = Some(argument.via(calls, annotation)?),
            "or_add" => rule.or_add = argument.bool(calls, &name)?,
            _ => return Err(unknown(calls, annotation, &name, argument, &["via", "or_add"])),
        }
    }
    Ok(rule)
}

pub(super) fn insert_rule(calls: &dyn Call, node: NodeId) -> Result<InsertRule, Failure> {
    let (mut rule, annotation) = (InsertRule::default(), Operation::Insert.name());
    let keywords = keywords(calls, node, annotation).unwrap_or_default();
    if keywords.is_empty() {
        let text =
            format!("Expected '{annotation}' annotation to have at least one keyword argument (before=..., after=...)");
        let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        return Err(Failure::argument(match end(calls, node, annotation) {
            Some((span, end)) => diagnostic.label(span, "before or after what was matched?").help_edit(
                "write before=True or after=True, or both",
                end,
                " after=True",
            ),
            None => diagnostic.help("write before=True or after=True, or both"),
        }));
    }
    for (name, argument) in keywords {
        match &*name {
            "before" => rule.before = argument.bool(calls, &name)?,
            "after" => rule.after = argument.bool(calls, &name)?,
            "via" => rule.via = Some(argument.via(calls, annotation)?),
            _ => return Err(unknown(calls, annotation, &name, argument, &["before", "after", "via"])),
        }
    }
    Ok(rule)
}

/// `via` of `@overlay/assert`; whether it is a function is checked only when something matched.
pub(super) fn assert_rule(calls: &dyn Call, node: NodeId) -> Result<Option<Argument>, Failure> {
    let (mut via, annotation) = (None, Operation::Assert.name());
    for (name, argument) in keywords(calls, node, annotation).unwrap_or_default() {
        match &*name {
            "via" => via = Some(argument),
            _ => return Err(unknown(calls, annotation, &name, argument, &["via"])),
        }
    }
    Ok(via)
}

/// The function of `@overlay/assert via=`.
pub(super) fn assert_function(calls: &dyn Call, via: Argument) -> Result<ValueHandle, Failure> {
    via.via(calls, Operation::Assert.name())
}

/// Place of an annotation of a node.
pub(super) fn annotation_span(calls: &dyn Call, node: NodeId, name: &str) -> Option<Span> {
    let arena = calls.arena().borrow();
    Some(arena.place(arena.ann(node, name)?.pos)?.key())
}

/// An annotation of a node, and the place behind its last argument.
pub(super) fn end(calls: &dyn Call, node: NodeId, name: &str) -> Option<(Span, Span)> {
    let arena = calls.arena().borrow();
    let place = arena.place(arena.ann(node, name)?.pos)?;
    Some((place.key(), Span::new(place.source, place.end, place.end)))
}

/// Where the name of a keyword argument stands in an annotation.
fn argument_name_span(calls: &dyn Call, pos: PosId, name: &str) -> Option<Span> {
    written::named(calls.sources(), calls.arena().borrow().place(pos)?.value(), name)?.name
}

/// Where `name=value` stands in an annotation, if it is written there.
pub(super) fn argument_span(calls: &dyn Call, pos: PosId, name: &str) -> Option<Span> {
    let place = *calls.arena().borrow().place(pos)?;
    written::named(calls.sources(), place.value(), name).map(|argument| argument.whole())
}

/// A type of Starlark as the reference's messages name it.
pub(crate) fn host_kind(kind: &str) -> String {
    match kind {
        "NoneType" => "starlark.NoneType",
        "bool" => "starlark.Bool",
        "int" => "starlark.Int",
        "float" => "starlark.Float",
        "string" => "starlark.String",
        "bytes" => "starlark.Bytes",
        "list" => "*starlark.List",
        "dict" => "*starlark.Dict",
        "tuple" => "starlark.Tuple",
        "set" => "*starlark.Set",
        "range" => "starlark.rangeValue",
        "function" => "*starlark.Function",
        "builtin_function_or_method" => "*starlark.Builtin",
        "struct" => "*core.StarlarkStruct",
        "module" => "*starlarkstruct.Module",
        "yamlfragment" => "*yamltemplate.StarlarkFragment",
        other => return format!("starlark.{other}"),
    }
    .to_string()
}

/// A type of Starlark in plain words, with its article.
pub(super) fn plain_kind(kind: &str) -> String {
    match kind {
        "NoneType" => "None".to_string(),
        "int" => "an integer".to_string(),
        "yamlfragment" => "a YAML fragment".to_string(),
        "builtin_function_or_method" => "a built-in function".to_string(),
        other => format!("a {other}"),
    }
}
