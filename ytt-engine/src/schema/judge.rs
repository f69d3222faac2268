//! Functions of rules: where one refused a value, and what it looked at.

use crate::diag::{Diagnostic, Fact, Label, NoteKind};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{FileCode, Replay};
use crate::template::outline;
use crate::template::written;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Where the function of a rule, as it is written in an annotation, refused a value. Nothing is said of one that compares
/// the value alone, right there.
pub(super) fn refused(sources: &SourceMap, arena: &Arena, function: Span, value: Val) -> Option<(Span, String)> {
    let is_inline = written::lambda(sources, function).is_some();
    // What a rule of a map reads of it is told by who names the parts of a map.
    if is_inline && arena.map_of(value).is_some() {
        return None;
    }
    if let Some(taken) = Replay::of(sources, arena, function).and_then(|replay| replay.run(&[value])) {
        // What it gives may be known to nobody but the interpreter, for which it was not True.
        if taken.gave == Some(true) || is_inline && taken.gave.is_none() {
            return None;
        }
        let told = taken.told(sources);
        let is_new = !is_inline || taken.operands.len() > 1 || told.contains(['[', '(', '.']);
        if is_new && !told.is_empty() {
            return Some((taken.place(), format!("refused here: {told}{}", taken.end(sources))));
        }
        return (!is_inline).then(|| (taken.returned, "refused here".to_owned()));
    }
    if is_inline {
        return None;
    }
    let name = sources.get(function.source).written(function)?.to_owned();
    let (file, own) = outline::home(sources, function.source, &name)?;
    let source = sources.get(file);
    let code = FileCode::read(&source, file)?;
    let decisions = code.decisions(&own)?;
    let ends = code.function_of(&own, false).and_then(|function| code.ends(&function)).unwrap_or_default();
    // What is written as True refuses nothing.
    let is_true = |span: &Span| source.written(*span) == Some("True");
    match (&decisions[..], &ends.falls[..]) {
        ([only], []) if !is_true(only) && ends.thrown.is_empty() => Some((*only, "refused here".to_owned())),
        (all, [(place, fall)]) if all.iter().all(is_true) && ends.thrown.is_empty() => Some((*place, fall.told(&name))),
        _ => Some((outline::defined(&source, file, &own)?, format!("`{name}` did not return True"))),
    }
}

/// The function that decides: of `lambda v: is_name(v)`, which only hands its value on, `is_name`.
pub(super) fn decider(sources: &SourceMap, function: Span) -> Span {
    let written = |span: Span| sources.get(span.source).written(span).unwrap_or_default().to_owned();
    let handed_on = || {
        let (parameters, body) = written::lambda(sources, function)?;
        let [parameter] = parameters[..] else { return None };
        let [argument] = &written::call(sources, body)?[..] else { return None };
        let callee = written::callee(sources, body)?;
        let is_name = written(callee).chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        (is_name && argument.name.is_none() && written(argument.value) == written(parameter)).then_some(callee)
    };
    handed_on().unwrap_or(function)
}

/// The last line of a function that returns nothing: it computes a value and throws it away.
pub(super) fn thrown_away(sources: &SourceMap, function: Span) -> Option<Span> {
    let name = sources.get(function.source).written(function)?.to_owned();
    let (file, own) = outline::home(sources, function.source, &name)?;
    let code = FileCode::read(&sources.get(file), file)?;
    let ends = code.ends(&code.function_of(&own, false)?)?;
    ends.thrown.first().copied().filter(|_| ends.never)
}

/// A call of `regexp.match` that has the value as the pattern, and a pattern as the text.
pub(super) struct Swapped {
    call: Span,
    /// Where the name of the pattern is set, if it has one.
    pattern: Option<(String, Span)>,
    edit: (Span, String),
}

impl Swapped {
    pub(super) fn told(self, mut problem: Diagnostic) -> Diagnostic {
        let text = "this takes the value as the pattern: the pattern comes first".to_owned();
        problem.parts_mut().labels.insert(0, Label { span: self.call, text });
        let problem = match self.pattern {
            Some((name, set)) => problem.label(set, format!("`{name}` is the pattern")),
            None => problem,
        };
        problem.help_edit("give the pattern first", self.edit.0, self.edit.1)
    }
}

/// Such a call in the function of a rule, by itself or in one that a call makes.
pub(super) fn swapped(sources: &SourceMap, function: Span) -> Option<Swapped> {
    let written = |span: Span| sources.get(span.source).written(span).unwrap_or_default().to_owned();
    let (parameter, calls, made) = match written::lambda(sources, function) {
        Some((parameters, body)) => {
            let code = FileCode::read(&sources.get(body.source), body.source);
            let calls = code.map(|code| code.calls_of(MATCH)).unwrap_or_default();
            let calls: Vec<_> = calls.into_iter().filter(|(call, _)| body.holds(*call)).collect();
            // Code that is not read as a whole may be read by itself.
            let calls = match &calls[..] {
                [] if written::callee(sources, body).is_some_and(|callee| written(callee) == MATCH) => {
                    vec![(body, written::call(sources, body)?)]
                }
                _ => calls,
            };
            (written(*parameters.first()?), calls, None)
        }
        None => {
            let callee = written::callee(sources, function);
            let (file, own) = outline::home(sources, function.source, &written(callee.unwrap_or(function)))?;
            let code = FileCode::read(&sources.get(file), file)?;
            let found = code.function_of(&own, callee.is_some())?;
            let calls = code.calls_of(MATCH).into_iter().filter(|(call, _)| found.whole.holds(*call));
            // What the function that makes it was given.
            let made = match callee {
                Some(_) => Some((code.function_of(&own, false)?, written::call(sources, function)?)),
                None => None,
            };
            (found.parameters.first()?.name.clone(), calls.collect(), made)
        }
    };
    calls.into_iter().find_map(|(call, given)| {
        let [pattern, text] = &given[..] else { return None };
        let is_it = pattern.name.is_none() && text.name.is_none() && written(pattern.value) == parameter;
        let (name, of_made) = (written(text.value), made.as_ref());
        let outer = of_made.and_then(|(maker, given)| {
            let at = maker.parameters.iter().position(|one| one.name == name)?;
            given.get(at).filter(|one| one.name.is_none()).map(|one| one.value)
        });
        let literal = outer.or_else(|| constant(sources, text.value)).unwrap_or(text.value);
        let is_pattern = written::is_text(sources, literal) && written(literal).contains(SIGNS);
        let given = Span { end: text.value.end, ..pattern.value };
        (is_it && is_pattern).then(|| Swapped {
            call,
            pattern: (literal != text.value).then_some((name.clone(), literal)),
            edit: (given, format!("{name}, {parameter}")),
        })
    })
}

const MATCH: &str = "regexp.match";
/// Characters that mean something in patterns, and hardly ever stand in what is matched.
const SIGNS: [char; 12] = ['^', '$', '[', ']', '(', ')', '*', '+', '?', '|', '{', '\\'];

/// What a name is set to, once, in its file or in one that it loads.
fn constant(sources: &SourceMap, name: Span) -> Option<Span> {
    let source = sources.get(name.source);
    let own = source.written(name)?;
    if FileCode::read(&source, name.source)?.is_local(name, own) {
        return None;
    }
    let (file, own) = outline::home(sources, name.source, own)?;
    let value = outline::value(&sources.get(file), file, &own)?;
    let code = sources.get(file).written(value)?.to_owned();
    let blank = code.len().checked_sub(code.trim_start().len())?;
    Some(Span { start: value.start.checked_add(to_u32(blank))?, ..value })
}

/// Where the items of a list stand, if another file has them than its key.
pub(super) fn items_elsewhere(sources: &SourceMap, arena: &Arena, node: NodeId) -> Option<Span> {
    let Val::Node(list) = arena.value(node) else { return None };
    let first = arena.place_of(arena.item_at(list, 0)?)?.key();
    let is_list = matches!(arena.get(list).body, Body::Array(_));
    let own = arena.place_of(node)?.source;
    let last = arena.place_of(*arena.items(list).last()?)?;
    let source = sources.get(first.source);
    let is_line = last.source == first.source && source.line(first.start) == source.line(last.start);
    let end = if is_line { last.end.max(first.end) } else { first.end };
    (is_list && first.source != own).then_some(Span { end, ..first })
}

/// Whether code failed by what it does, whatever the value is. A value has the type that is declared for it, so that
/// operators, members and arguments fit or do not for all of them; an index or a conversion depends on the value.
pub(super) fn is_mistake(error: &Diagnostic) -> bool {
    matches!(
        error.parts().fact,
        Some(
            Fact::Pattern
                | Fact::Operands { .. }
                | Fact::NoMember { .. }
                | Fact::UnknownKeyword { .. }
                | Fact::NoneArgument
        )
    )
}

/// Is it one whatever the value is?
pub(super) fn is_mistake_alone(error: &Diagnostic) -> bool {
    matches!(error.parts().fact, Some(Fact::Pattern | Fact::NoMember { .. } | Fact::UnknownKeyword { .. }))
}

/// A rule or condition that fails itself: first comes its code, which is to be mended.
pub(super) fn crashed(mut problem: Diagnostic, crash: &Diagnostic, what: &str) -> Diagnostic {
    let (parts, crash) = (problem.parts_mut(), crash.parts());
    let mut labels = crash.labels.clone();
    if let Some(first) = labels.first_mut().filter(|first| first.text.is_empty()) {
        first.text = format!("the {what} fails here");
    }
    parts.labels.retain(|label| !labels.iter().any(|known| known.span == label.span));
    labels.append(&mut parts.labels);
    parts.labels = labels;
    parts.trace = if crash.trace.len() > 1 { crash.trace.clone() } else { Vec::new() };
    parts.helps.extend(crash.helps.iter().cloned());
    parts.notes.extend(crash.notes.iter().filter(|note| note.kind == NoteKind::Text).cloned());
    problem.note(format!("the {what} fails before it can tell whether the value is right"))
}
