//! What is said of one step in the history of a value.

use super::history::{Overlaid, Step, StepKind};
use super::names::{self, SetName};
use super::values::ValueId;
use super::{DataValue, Explanation, values};
use crate::diag::{TextRange, Voice};
use crate::source::{Origin as From, SourceMap, Span};
use crate::template::code::Set;
use crate::yaml::readers::Noted;
use crate::yaml::{self, Arena, EventId, NodeId, Raw, TakenFrom, TextPart, Val, print};

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
    taken: Vec<Taken>,
    returns: Vec<Returned>,
    names: Vec<SetName>,
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

/// What code took from elsewhere on the way to a value: a file that `data.read` read, or a text that was decoded.
#[derive(Clone, Debug)]
pub struct Taken {
    format: Option<&'static str>,
    file: Option<TextRange>,
    call: Option<TextRange>,
    in_scope: bool,
}

/// A function without nodes that returned in an expression.
#[derive(Clone, Debug)]
pub struct Returned {
    place: TextRange,
    call: Option<TextRange>,
}

impl Returned {
    /// Its `return`.
    pub fn place(&self) -> &TextRange {
        &self.place
    }

    /// Where it was called.
    pub fn call(&self) -> Option<&TextRange> {
        self.call.as_ref()
    }

    /// What somebody noted, if it is that.
    pub(super) fn of_noted(of: &Explanation<'_>, noted: Noted) -> Option<Returned> {
        let Noted::Taken(number) = noted else { return None };
        let yaml::Taken { from: TakenFrom::Return(place), call } = of.arena.events.readers.taken(number)? else {
            return None;
        };
        let range = |at| TextRange::new(of.sources, at);
        Some(Returned { place: range(place), call: call.map(range) })
    }
}

impl Taken {
    fn new(of: &Explanation<'_>, taken: yaml::Taken, in_scope: bool) -> Option<Taken> {
        let (format, file) = match taken.from {
            TakenFrom::Text(format) => (Some(format), None),
            TakenFrom::File(source) => (None, Some(TextRange::new(of.sources, Span::new(source, 0, 0)))),
            TakenFrom::Return(_) => return None,
        };
        Some(Taken { format, file, call: taken.call.map(|call| TextRange::new(of.sources, call)), in_scope })
    }

    /// What somebody noted, if it was taken in an expression.
    pub(super) fn of_noted(of: &Explanation<'_>, noted: Noted) -> Option<Taken> {
        let Noted::Taken(number) = noted else { return None };
        Taken::new(of, of.arena.events.readers.taken(number)?, false)
    }

    /// Of a text that was decoded, by what: `JSON`, `YAML` or `TOML`.
    pub fn format(&self) -> Option<&str> {
        self.format
    }

    /// The beginning of the file that was read.
    pub fn file(&self) -> Option<&TextRange> {
        self.file.as_ref()
    }

    /// The call that read or decoded it.
    pub fn call(&self) -> Option<&TextRange> {
        self.call.as_ref()
    }

    /// As [`Reading::in_scope`].
    pub fn in_scope(&self) -> bool {
        self.in_scope
    }
}

impl Origin {
    pub(super) fn new(of: &Explanation<'_>, step: &Step, role: Role) -> Origin {
        let mut origin = Origin::in_expression(of, step, role);
        let own: Vec<u32> = numbers(values::noted_in_expression(of.arena, step.expression));
        let around = numbers(values::noted_in_scope(of.arena, step.scopes()));
        origin.taken.extend(taken(of, around.into_iter().filter(|number| !own.contains(number)), true));
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
        let own = numbers(values::noted_in_expression(of.arena, step.expression));
        let returned = values::noted_in_expression(of.arena, step.expression);
        let returns = returned.filter_map(|noted| Returned::of_noted(of, noted)).collect();
        let taken = taken(of, own.into_iter(), false).collect();
        Origin { calls, reads, taken, returns, ..origin }.with_names(of, names::of_step(of, step))
    }

    /// A part of a text. What a text template reads is not noted by expression, so all was read in its scope.
    pub(super) fn printed(of: &Explanation<'_>, part: &TextPart, text: &str) -> Origin {
        let kind = if part.computed { OriginKind::Computed } else { OriginKind::Written };
        let by = part.by.filter(|_| part.computed);
        let scope = of.values.in_scope(of.arena, by.into_iter());
        let around = numbers(values::noted_in_scope(of.arena, by.into_iter()));
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
            taken: taken(of, around.into_iter(), true).collect(),
            returns: Vec::new(),
            names: Vec::new(),
            of_values: false,
        }
        .with_names(of, if part.computed { names::of_printed(of, part.place) } else { Vec::new() })
    }

    pub(super) fn with_names(self, of: &Explanation<'_>, names: Vec<Set>) -> Origin {
        Origin { names: names.into_iter().map(|set| SetName::new(of, set)).collect(), ..self }
    }

    /// A step without calls and reads.
    pub(super) fn told(of: &Explanation<'_>, step: &Step, role: Role) -> Origin {
        let value = shown_behind(of, step);
        let (kind, overlay) = match step.kind {
            StepKind::Written if role == Role::Default => (OriginKind::Default, None),
            StepKind::Written => (OriginKind::Written, None),
            StepKind::Computed => (OriginKind::Computed, None),
            StepKind::Default => (OriginKind::Default, None),
            StepKind::Given(_) => (OriginKind::Given, None),
            StepKind::Placed => (OriginKind::ReplacedByCode, None),
            StepKind::Overlaid(overlaid) => (OriginKind::Overlaid, Some(overlay_step(of, overlaid))),
        };
        let before = shown_before(of, step);
        let place = step.at.filter(|at| !is_of_call(of, *at)).map(|at| TextRange::new(of.sources, at));
        let source = step.at.map(|at| source_line(of.sources, at)).unwrap_or_default();
        let flag = step.at.and_then(|at| flag(of, at));
        let of_values = role != Role::Output;
        let (calls, reads) = (Vec::new(), Vec::new());
        let (taken, returns, names) = (Vec::new(), Vec::new(), Vec::new());
        Origin { kind, value, place, source, flag, overlay, before, calls, reads, taken, returns, names, of_values }
    }

    /// Did an overlay remove it?
    pub(super) fn is_removal(&self) -> bool {
        self.overlay.as_ref().is_some_and(|step| step.operation == "remove")
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

    /// The functions without nodes that returned in its expression, each `return` and call once, in order: the last one mostly
    /// gave the value.
    ///
    /// ```
    /// let template = "#@ def twice(number):\n#@   return number * 2\n#@ end\nport: #@ twice(40)\n";
    /// let rendered = ytt_engine::Project::new().file("web.yml", template).explain(true).render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// let newest = &explanation.find("web.yml", "port").unwrap().origins()[0];
    /// let returned = &newest.returns()[0];
    /// assert_eq!((returned.place().start().line, returned.call().unwrap().start().line), (2, 4));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn returns(&self) -> &[Returned] {
        &self.returns
    }

    /// Where the names that its expression reads were set, then those in what they were set to: only names that one
    /// assignment or loop of the file alone sets.
    ///
    /// ```
    /// let template = "#@ name = \"web\" + \"-svc\"\nname: #@ name\n";
    /// let rendered = ytt_engine::Project::new().file("web.yml", template).explain(true).render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// let newest = &explanation.find("web.yml", "name").unwrap().origins()[0];
    /// let set = &newest.names()[0];
    /// assert_eq!((set.code(), set.place().start().line), ("name = \"web\" + \"-svc\"", 1));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn names(&self) -> &[SetName] {
        &self.names
    }

    /// The data values that were read for it.
    pub fn reads(&self) -> &[Reading] {
        &self.reads
    }

    /// What code took from elsewhere for it: files that it read, and texts that it decoded.
    ///
    /// ```
    /// let template = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:json\", \"json\")\n\
    ///                 port: #@ json.decode(data.read(\"web.json\"))[\"port\"]\n";
    /// let project = ytt_engine::Project::new().file("web.yml", template).file("web.json", "{\"port\": 80}");
    /// let rendered = project.explain(true).render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// let newest = &explanation.find("web.yml", "port").unwrap().origins()[0];
    /// assert_eq!(newest.taken()[0].file().unwrap().file(), "web.json");
    /// assert_eq!(newest.taken()[1].format(), Some("JSON"));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// The value before it, as [`Origin::before`] says it.
    pub(super) fn set_before(&mut self, before: Option<String>) {
        self.before = before;
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
            (OriginKind::Overlaid, ..) if self.is_removal() => "this overlay item removed it".into(),
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

/// The numbers of what was taken from elsewhere, each once.
fn numbers(noted: impl Iterator<Item = Noted>) -> Vec<u32> {
    let number = |noted| if let Noted::Taken(number) = noted { Some(number) } else { None };
    let mut numbers: Vec<u32> = noted.filter_map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn taken(of: &Explanation<'_>, numbers: impl Iterator<Item = u32>, in_scope: bool) -> impl Iterator<Item = Taken> {
    let taken = numbers.filter_map(|number| of.arena.events.readers.taken(number));
    taken.filter_map(move |taken| Taken::new(of, taken, in_scope))
}

fn overlay_step(of: &Explanation<'_>, overlaid: Overlaid) -> OverlayStep {
    let right = of.histories.written_right(overlaid.right);
    let matcher = matcher(of, of.histories.written_right(overlaid.matched.right));
    OverlayStep { operation: operation(of.arena, right), matcher, matches: overlaid.matched.matches }
}

/// What an item of an overlay does, by its annotations.
pub(super) fn operation(arena: &Arena, right: NodeId) -> &'static str {
    const OPERATIONS: [(&str, &str); 6] = [
        ("merge", "overlay/merge"),
        ("remove", "overlay/remove"),
        ("replace", "overlay/replace"),
        ("insert", "overlay/insert"),
        ("append", "overlay/append"),
        ("assert", "overlay/assert"),
    ];
    let annotated = |(_, name): &(&str, &str)| arena.ann(right, name).is_some();
    OPERATIONS.into_iter().find(annotated).map_or("merge", |(operation, _)| operation)
}

/// The arguments of the `@overlay/match` of an item.
pub(super) fn matcher(of: &Explanation<'_>, right: NodeId) -> Option<String> {
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

pub(super) fn source_line(sources: &SourceMap, at: Span) -> String {
    let source = sources.get(at.source);
    source.line_text(source.line(at.start)).trim().to_owned()
}

/// Texts longer than this are told by their length.
const LONG: usize = 60;

/// A value on one line: scalars as YAML, else what it is and how large.
pub(super) fn shown(arena: &Arena, value: Val) -> String {
    let count = if let Val::Node(id) = value { arena.count(id) } else { 0 };
    shown_with(arena, value, count)
}

/// The same of the value behind a step; a map or list with as many items as it had then.
pub(super) fn shown_behind(of: &Explanation<'_>, step: &Step) -> String {
    shown_at(of, step.value, step.end())
}

/// The value that a step took the place of, as it was then.
pub(super) fn shown_before(of: &Explanation<'_>, step: &Step) -> Option<String> {
    Some(shown_at(of, step.before()?, EventId(step.event.unwrap_or_default())))
}

fn shown_at(of: &Explanation<'_>, value: Val, bound: EventId) -> String {
    let count = if let Val::Node(id) = value { of.histories.count_before(id, bound) } else { 0 };
    shown_with(of.arena, value, count)
}

fn shown_with(arena: &Arena, value: Val, count: usize) -> String {
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    let (count, is_map) = match value {
        Val::Node(_) => (count, arena.map_of(value).is_some()),
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
