//! What is said of one step in the history of a value.

use super::history::{How, Overlaid, Step, StepKind};
use super::values::ValueId;
use super::{DataValue, Explanation};
use crate::diag::{TextRange, Voice};
use crate::source::{Origin as From, SourceMap, Span};
use crate::yaml::{Arena, NodeId, Raw, TextPart, Val, print};

/// One step in the history of a value: who gave it, and where.
#[derive(Clone, Debug)]
pub struct Origin {
    kind: OriginKind,
    value: String,
    place: Option<TextRange>,
    source: String,
    flag: Option<String>,
    overlay: Option<OverlayStep>,
    before: Option<String>,
    calls: Vec<TextRange>,
    reads: Vec<Reading>,
    of_values: bool,
}

/// Whose step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A value of the output.
    Output,
    /// A data value.
    Value,
    /// A data value, where a schema wrote it.
    Default,
}

/// What kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OriginKind {
    /// A literal stands there, in a plain file or a template.
    Written,
    /// An expression of a template gave it.
    Computed,
    /// An item of an overlay changed it.
    Overlaid,
    /// A flag, a variable, a values file or a call in Rust code gave it.
    Given,
    /// The schema declares it as the default.
    Default,
    /// `template.replace` put it there.
    ReplacedByCode,
}

impl OriginKind {
    /// The word that JSON has for it: `written`, `computed`, `overlaid`, `given`, `default` or `replaced-by-code`.
    pub fn as_str(self) -> &'static str {
        match self {
            OriginKind::Written => "written",
            OriginKind::Computed => "computed",
            OriginKind::Overlaid => "overlaid",
            OriginKind::Given => "given",
            OriginKind::Default => "default",
            OriginKind::ReplacedByCode => "replaced-by-code",
        }
    }
}

/// What an item of an overlay did.
#[derive(Clone, Debug)]
pub struct OverlayStep {
    /// As it was written.
    pub(super) right: NodeId,
    operation: &'static str,
    matcher: Option<String>,
    matches: u32,
}

impl OverlayStep {
    /// `merge`, `replace`, `remove`, `insert`, `append` or `assert`.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The arguments of its `@overlay/match`, as written, or of the nearest item around it that has a matcher.
    pub fn matcher(&self) -> Option<&str> {
        self.matcher.as_deref()
    }

    /// How many items this matcher matched.
    pub fn matches(&self) -> u32 {
        self.matches
    }
}

/// A data value that code read on the way to a value.
#[derive(Clone, Debug)]
pub struct Reading {
    pub(super) id: ValueId,
    name: String,
    value: String,
    in_scope: bool,
}

impl Reading {
    /// Its name: `app.replicas`, or `@lib:app.replicas` in a library.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its final value, as YAML; of a map, a list or a long text what it is.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// It was not read in the expression of the value, but before it in the template or function that made the value: in a
    /// condition, a loop, an argument or a name that was set.
    pub fn in_scope(&self) -> bool {
        self.in_scope
    }
}

impl Origin {
    pub(super) fn new(of: &Explanation<'_>, step: &Step, role: Role) -> Origin {
        let mut origin = Origin::in_expression(of, step, role);
        let known: Vec<ValueId> = origin.reads.iter().map(|read| read.id).collect();
        let scope = of.values.in_scope(of.arena, step.scopes());
        let scope = scope.into_iter().filter(|id| known.binary_search(id).is_err()).collect();
        origin.reads.extend(readings(of, scope, true));
        origin
    }

    /// A step with the reads of its expression only.
    pub(super) fn in_expression(of: &Explanation<'_>, step: &Step, role: Role) -> Origin {
        let origin = Origin::told(of, step, role);
        let calls = of.histories.calls(step).into_iter().map(|call| TextRange::new(of.sources, call)).collect();
        let reads = readings(of, of.values.in_expression(of.arena, step.expression), false);
        Origin { calls, reads, ..origin }
    }

    /// A part of a text. What a text template reads is not noted by expression, so all was read in its scope.
    pub(super) fn printed(of: &Explanation<'_>, part: &TextPart, text: &str) -> Origin {
        let kind = if part.computed { OriginKind::Computed } else { OriginKind::Written };
        let scope = if part.computed { of.values.in_scope(of.arena, part.by.into_iter()) } else { Vec::new() };
        Origin {
            kind,
            value: text.to_owned(),
            place: Some(TextRange::new(of.sources, part.place)),
            source: source_line(of.sources, part.place),
            flag: None,
            overlay: None,
            before: None,
            calls: Vec::new(),
            reads: readings(of, scope, true),
            of_values: false,
        }
    }

    /// A step without calls and reads.
    pub(super) fn told(of: &Explanation<'_>, step: &Step, role: Role) -> Origin {
        let value = shown(of.arena, step.value);
        let (kind, overlay, before) = match step.kind {
            StepKind::Written if role == Role::Default => (OriginKind::Default, None, None),
            StepKind::Written => (OriginKind::Written, None, None),
            StepKind::Computed => (OriginKind::Computed, None, None),
            StepKind::Default => (OriginKind::Default, None, None),
            StepKind::Given(before) => (OriginKind::Given, None, before),
            StepKind::Placed => (OriginKind::ReplacedByCode, None, None),
            StepKind::Overlaid(overlaid) => {
                let before = match overlaid.how {
                    How::Set(before) | How::Replaced(before) => Some(before),
                    How::Added | How::Removed => None,
                };
                (OriginKind::Overlaid, Some(overlay_step(of, overlaid)), before)
            }
        };
        let before = before.map(|before| shown(of.arena, before));
        let place = step.at.filter(|at| !is_of_call(of, *at)).map(|at| TextRange::new(of.sources, at));
        let source = step.at.map(|at| source_line(of.sources, at)).unwrap_or_default();
        let flag = step.at.and_then(|at| flag(of, at));
        let of_values = role != Role::Output;
        Origin { kind, value, place, source, flag, overlay, before, calls: Vec::new(), reads: Vec::new(), of_values }
    }

    /// What kind of step it is.
    pub fn kind(&self) -> OriginKind {
        self.kind
    }

    /// The value behind the step, as YAML; of a map, a list or a long text what it is.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Where: the literal, the expression, the item of the overlay, the flag. Values of code have none.
    pub fn place(&self) -> Option<&TextRange> {
        self.place.as_ref()
    }

    /// The line of the source there, without indentation.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The flag of the command that gave it, as it may be typed: `--data-value-yaml replicas=3`; for a call of the macro
    /// its argument.
    pub fn flag(&self) -> Option<&str> {
        self.flag.as_deref()
    }

    /// What the overlay did, if it was one.
    pub fn overlay(&self) -> Option<&OverlayStep> {
        self.overlay.as_ref()
    }

    /// The value before, if it was changed or replaced.
    pub fn before(&self) -> Option<&str> {
        self.before.as_deref()
    }

    /// The calls in which it was made, innermost first.
    pub fn calls(&self) -> &[TextRange] {
        &self.calls
    }

    /// The data values that were read for it.
    pub fn reads(&self) -> &[Reading] {
        &self.reads
    }

    /// Is it a step of a data value?
    pub(super) fn is_of_values(&self) -> bool {
        self.of_values
    }

    /// What was done, in words.
    pub(super) fn said(&self) -> String {
        match (self.kind, &self.overlay, &self.before) {
            (OriginKind::Overlaid, _, Some(before)) if self.of_values => format!("replaced {before}"),
            (OriginKind::Overlaid, ..) if self.of_values => "set here".into(),
            (OriginKind::Overlaid, Some(step), _) if step.operation == "remove" => {
                "this overlay item removed it".into()
            }
            (OriginKind::Overlaid, _, Some(before)) => format!("this overlay item replaced {before}"),
            (OriginKind::Overlaid, ..) => "this overlay item added it".into(),
            (OriginKind::Written, ..) => "written here".into(),
            (OriginKind::Computed, ..) => "this expression gave it".into(),
            (OriginKind::Given, _, Some(before)) => format!("replaced {before}"),
            (OriginKind::Given, ..) => "set here".into(),
            (OriginKind::Default, ..) => "default".into(),
            (OriginKind::ReplacedByCode, ..) => "`template.replace` put it here".into(),
        }
    }
}

fn readings(of: &Explanation<'_>, ids: Vec<ValueId>, in_scope: bool) -> Vec<Reading> {
    let reading = |id| {
        let value = DataValue { explanation: of, id };
        Reading { id, name: value.name().to_owned(), value: value.value(), in_scope }
    };
    ids.into_iter().map(reading).collect()
}

fn overlay_step(of: &Explanation<'_>, overlaid: Overlaid) -> OverlayStep {
    let right = of.histories.written_right(overlaid.right);
    let operations = ["merge", "remove", "replace", "insert", "append", "assert"];
    let annotated = |name: &&str| of.arena.ann(right, &format!("overlay/{name}")).is_some();
    let operation = operations.into_iter().find(annotated).unwrap_or("merge");
    let matcher = matcher(of, of.histories.written_right(overlaid.matched.right));
    OverlayStep { right, operation, matcher, matches: overlaid.matched.matches }
}

/// The arguments of the `@overlay/match` of an item.
fn matcher(of: &Explanation<'_>, right: NodeId) -> Option<String> {
    let place = of.arena.place(of.arena.ann(right, "overlay/match")?.pos)?;
    let source = of.sources.get(place.source);
    let written = source.written(place.value())?.trim();
    (!written.is_empty()).then(|| written.to_owned())
}

/// Was a value given in a call of the macro? Only the compiler knows where that stands.
fn is_of_call(of: &Explanation<'_>, at: Span) -> bool {
    of.voice == Voice::Macro && matches!(of.sources.get(at.source).origin, From::Rust(_))
}

/// The flag that is the source of a value.
fn flag(of: &Explanation<'_>, at: Span) -> Option<String> {
    if is_of_call(of, at) {
        return Some("`values` of the call".to_owned());
    }
    let source = of.sources.get(at.source);
    // The name is `(FLAG arg)`, with the file or the prefix of variables behind it.
    let (flag, rest) = source.name.strip_prefix('(').filter(|_| source.origin == From::Flag)?.split_once(" arg)")?;
    let (rest, text) = (rest.trim(), source.line_text(source.line(at.start)));
    Some(match (rest, flag) {
        ("", _) => format!("--{flag} {text}"),
        (rest, "data-value-file") => format!("--{flag} {rest}"),
        (rest, _) => format!("--{flag} {rest} ({text})"),
    })
}

fn source_line(sources: &SourceMap, at: Span) -> String {
    let source = sources.get(at.source);
    source.line_text(source.line(at.start)).trim().to_owned()
}

/// Texts longer than this are told by their length.
const LONG: usize = 60;

/// A value on one line: scalars as YAML, else what it is and how large.
pub(super) fn shown(arena: &Arena, value: Val) -> String {
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    let (count, is_map) = match value {
        Val::Node(id) => (arena.count(id), arena.map_of(value).is_some()),
        Val::Raw(number) => match arena.raw(number) {
            Raw::List(values) => (values.len(), false),
            Raw::Dict(entries) => (entries.len(), true),
        },
        scalar => {
            if let Some(text) = arena.str(scalar) {
                let lines = text.lines().count();
                if lines > 1 {
                    return format!("text of {}", counted(lines, "line", "lines"));
                }
                if text.contains('\n') {
                    return format!("{text:?}");
                }
                if text.chars().count() > LONG {
                    return format!("text of {} characters", text.chars().count());
                }
            }
            let text = print::text(arena, scalar, false, u64::MAX).unwrap_or_default();
            return text.trim_end_matches('\n').to_owned();
        }
    };
    match is_map {
        true => format!("map of {}", counted(count, "key", "keys")),
        false => format!("list of {}", counted(count, "item", "items")),
    }
}
