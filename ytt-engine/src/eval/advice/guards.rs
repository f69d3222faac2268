//! Values that are None in a place that is left out under a condition: the condition that asks for them, too; or the call
//! that hands on a data value that is null.

use super::super::host::Host;
use super::whole::Item;
use super::{code_of, helpers};
use crate::diag::{Diagnostic, Fact, Help};
use crate::nearest::only;
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::{outline, word, written};

/// Reads of a parameter that are looked at.
const MOST_READS: usize = 50;

/// Adds the call, and the edit that leaves its line out; `null_at` says where the null stands that code leads to.
pub(super) fn around_call(
    host: &Host<'_>,
    problem: &mut Diagnostic,
    (place, code): (Span, &str),
    is_guarded: bool,
    null_at: &dyn Fn(&Source, &str) -> Option<Span>,
) {
    let name = code.split('.').next().unwrap_or_default();
    let source = host.sources.get(place.source);
    let bound = FileCode::read(&source, place.source).and_then(|file| file.bound(place, name));
    let is_parameter = bound.is_some_and(|bound| matches!(bound.by, Binder::Parameter(Some(_))));
    let call = problem.parts().trace.get(1).and_then(|frame| frame.span).filter(|_| is_parameter);
    let Some((call, arguments)) = call.and_then(|call| Some((call, written::call(&host.sources, call)?))) else {
        return;
    };
    let caller = host.sources.get(call.source);
    let is_null = |value: &Span| null_at(&caller, &code_of(&host.sources, *value)).is_some();
    let Some(given) = only(arguments.iter().map(|argument| argument.value).filter(is_null)) else { return };
    let given_code = code_of(&host.sources, given);
    let mut told = problem.clone().label(given, format!("`{name}` is None in this call"));
    // Where more is read of it, what leaves one line out is no help.
    let reads_more =
        matches!(problem.parts().fact, Some(Fact::NoMember { .. })) && members_of(&source, place, name) > 1;
    let statement = Statement::read(&host.sources, &caller, call);
    let statement = statement.map(|statement| (statement.guard_beside(&caller), statement));
    if let Some((beside, statement)) = statement.filter(|(beside, _)| beside.is_some() || reads_more) {
        let with_none = beside.as_ref().is_none_or(|(_, asks)| asks.ends_with(" != None"));
        let asks = if with_none { format!("{given_code} != None") } else { given_code.clone() };
        let (at, new) = statement.guarded(&asks);
        let text = format!("call it only where there is `{given_code}`");
        let help = Help { is_guess: beside.is_none(), ..Help::with_edit(text, at, new) };
        told.parts_mut().helps = vec![help];
        if let Some((place, _)) = beside {
            told = told.label(place, "a call beside it is made only under this condition");
        }
    } else if let Some((what, at, condition)) = left_out(&caller, call, &given_code) {
        let text = format!("leave {what} out where `{given_code}` is None");
        let help = Help { is_guess: true, ..Help::with_edit(text, at, condition) };
        let helps = &mut told.parts_mut().helps;
        if reads_more && !is_guarded {
            helps.clear();
        }
        // A condition of the function leaves less out.
        helps.insert(usize::from(is_guarded), help);
    }
    *problem = told;
}

/// How many lines of the function around a place read members of its parameter; of code each is one of its own.
fn members_of(source: &Source, place: Span, name: &str) -> usize {
    let Some(code) = FileCode::read(source, place.source) else { return 0 };
    let bound = code.bound(place, name);
    let mut reads: Vec<Span> =
        code.reads(name).into_iter().filter(|read| read.member.is_some()).map(|read| read.whole).collect();
    reads.truncate(MOST_READS);
    reads.retain(|read| code.bound(*read, name) == bound);
    let mut lines: Vec<u32> = reads.iter().map(|read| source.line(read.start)).collect();
    if !source.name.ends_with(".star") {
        lines.dedup();
    }
    lines.len()
}

/// A statement on a line of its own that is a call, in which another call stands.
struct Statement {
    line: u32,
    /// What stands in front of it, without a line break.
    front: String,
    /// What it calls.
    callee: String,
    whole: Span,
    code: String,
}

impl Statement {
    fn read(sources: &SourceMap, caller: &Source, call: Span) -> Option<Statement> {
        let line = caller.line(call.start);
        let range = caller.line_range(line);
        let (front, code) = code_line(caller, line)?;
        let start = range.start.checked_add(to_u32(front.len()))?;
        let whole = Span { start, end: start.checked_add(to_u32(code.len()))?, ..call };
        let callee = code_of(sources, written::callee(sources, whole)?);
        (whole.holds(call) && outline::is_statement(caller, whole)).then_some(Statement {
            line,
            front,
            callee,
            whole,
            code,
        })
    }

    /// The condition around one such statement beside it, and how it is written.
    fn guard_beside(&self, caller: &Source) -> Option<(Span, String)> {
        /// Lines that are looked at above and below.
        const NEAR: u32 = 40;
        let first = self.line.saturating_sub(NEAR).max(1);
        (first..self.line.saturating_add(NEAR)).find_map(|line| {
            let (front, code) = code_line(caller, line)?;
            let condition = code.strip_prefix("if ")?.strip_suffix(':')?.trim();
            let (_, inner) = code_line(caller, line.checked_add(1)?)?;
            let (_, end) = code_line(caller, line.checked_add(2)?)?;
            let is_alike = inner.strip_prefix(&*self.callee).is_some_and(|rest| rest.starts_with('('));
            let asks = condition.strip_suffix(" != None").unwrap_or(condition);
            // Another condition says nothing of what is given.
            let is_of_it = inner.contains(asks);
            if front != self.front || !is_alike || !is_of_it || end != "end" || !written::is_dotted(asks) {
                return None;
            }
            let start = caller.line_range(line).start.checked_add(to_u32(front.len()))?;
            let whole = Span { start, end: start.checked_add(to_u32(code.len()))?, ..self.whole };
            Some((whole, condition.to_owned()))
        })
    }

    /// The edit that makes it only where a condition holds.
    fn guarded(&self, asks: &str) -> (Span, String) {
        let Statement { front, code, .. } = self;
        (self.whole, format!("if {asks}:\n{front}  {code}\n{front}end"))
    }
}

/// What stands in front of the code of a line, and the code.
fn code_line(source: &Source, line: u32) -> Option<(String, String)> {
    let text = source.line_text(line);
    let code = match source.name.ends_with(".star") {
        true => text.trim_start(),
        false => text.trim_start().strip_prefix("#@")?.trim_start(),
    };
    let front = text.strip_suffix(code)?;
    Some((front.to_owned(), code.trim_end().to_owned()))
}

/// The line above a node whose value is the call, or what the call gives in place of the node; of an item of a list that
/// is nothing without it, the line above that. And what is left out.
fn left_out(caller: &Source, call: Span, given: &str) -> Option<(String, Span, String)> {
    let line = caller.line_range(caller.line(call.start));
    let before = caller.written(Span { start: line.start, end: call.start, ..call })?;
    let behind = caller.written(Span { start: call.end, end: line.end, ..call })?;
    let (node, code) = before.split_once("#@")?;
    let is_all = matches!((code.trim(), behind.trim()), ("", "") | ("template.replace(", ")"));
    if let Some(item) = Item::read(caller, call).filter(|item| is_all && item.is_needed()) {
        let out = item.out(caller, call);
        return Some((out.name, out.above, format!("{}#@ if/end {given}:\n", out.indent)));
    }
    let is_node = matches!(node.trim(), "---" | "-") || node.trim_end().ends_with(':') && !node.contains("- ");
    let (above, indent) = caller.above(Span { start: line.start, end: line.start, ..call })?;
    let indent =
        if indent.is_empty() { node.get(..node.len().checked_sub(node.trim_start().len())?)? } else { &indent };
    (is_node && is_all).then(|| ("it".to_owned(), above, format!("{indent}#@ if/end {given}:\n")))
}

/// Does a condition begin behind this part of a line?
pub(super) fn is_condition(before: &str) -> bool {
    let code = ["#@", "(@-", "(@"].iter().find_map(|mark| before.trim_start().strip_prefix(mark)).unwrap_or(before);
    before.ends_with(' ') && matches!(code.trim(), "if" | "elif" | "if/end")
}

/// A condition elsewhere that asks for a value, and for nothing else.
pub(super) struct Model {
    /// Where it stands, if that is in the same file.
    pub(super) place: Option<Span>,
    /// As it is written.
    pub(super) asks: String,
}

/// The condition by which others ask for the value that code has: the nearest one of the file or, for a data value, one of
/// another file of the project.
pub(super) fn model(host: &Host<'_>, place: Span, code: &str) -> Option<Model> {
    let sources = &host.sources;
    let asks = |file: &FileCode, source: &Source| {
        let with_none = format!("{code} != None");
        let is_it = |condition: &Span| source.written(*condition).is_some_and(|asks| asks == code || asks == with_none);
        let mut all = file.ifs();
        all.retain(is_it);
        all
    };
    let model = |condition: Span, place| Some(Model { place, asks: code_of(sources, condition) });
    let own = sources.get(place.source);
    if let Some(file) = FileCode::read(&own, place.source) {
        let root = code.split('.').next().unwrap_or_default();
        let bound = file.bound(place, root);
        let around = file.conditions(place);
        let is_other =
            |condition: &Span| around.iter().all(|(own, _)| own != condition) && file.bound(*condition, root) == bound;
        let all = asks(&file, &own).into_iter().filter(is_other);
        if let Some(nearest) = all.min_by_key(|condition| condition.start.abs_diff(place.start)) {
            return model(nearest, Some(nearest));
        }
    }
    let is_of_data = code.starts_with("data.values.") && helpers::is_of_data(sources, place, place);
    let others = sources.all().into_iter().zip(0..).map(|(source, id)| (source, SourceId(id)));
    let mut others = others.filter(|(_, id)| is_of_data && *id != place.source);
    others.find_map(|(source, id)| {
        let text = source.text.as_str()?;
        let may = host.may_advise(text.len()) && text.contains(code);
        let file = may.then(|| FileCode::read(&source, id)).flatten()?;
        let all = asks(&file, &source).into_iter();
        all.filter(|condition| helpers::is_of_data(sources, *condition, place)).find_map(|other| model(other, None))
    })
}

/// What stands around an item of YAML.
pub(super) enum Guard {
    /// A condition that has the item alone, and the edit of it that asks for a value, too.
    Alone(Span, String),
    /// A condition that has more than the item, or none that can be edited.
    Among,
}

/// The condition around an item whose value reads of None; `None` if there is none, or one that asks for that value.
pub(super) fn guard(source: &Source, place: Span, code: &str) -> Option<Guard> {
    const MOST: u32 = 200;
    let file = FileCode::read(source, place.source)?;
    let (condition, holds) = *file.conditions(place).first()?;
    let asked = source.written(condition)?;
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    if !holds || word::apart(asked, code, is_part).next().is_some() {
        return None;
    }
    let own = source.line(place.start);
    let is_told = |line: &u32| {
        let text = source.line_text(*line);
        !text.trim().is_empty() && !text.trim_start().starts_with("#!")
    };
    let indent = |line: u32| {
        let text = source.line_text(line);
        text.len().saturating_sub(text.trim_start().len())
    };
    let head = source.line(condition.start);
    let mut outermost = own;
    for line in (head.saturating_add(1)..own).rev().take(MOST as usize).filter(is_told) {
        // Each line above holds the one below, and nothing else.
        if indent(line) >= indent(outermost) || source.line_text(line).trim_start().starts_with('#') {
            return Some(Guard::Among);
        }
        outermost = line;
    }
    let opens = source.line_text(head);
    let opens = opens.trim_start().strip_prefix("#@").unwrap_or_default().trim_start();
    let behind =
        (own.saturating_add(1)..own.saturating_add(MOST)).find(is_told).map(|line| (line, source.line_text(line)));
    let is_alone = match (opens.starts_with("if/end "), behind) {
        (true, Some((_, text))) if text.starts_with("---") => true,
        (true, Some((line, text))) => {
            let is_item =
                text.trim_start().starts_with('-') && !source.line_text(outermost).trim_start().starts_with('-');
            indent(line) < indent(outermost) || indent(line) == indent(outermost) && !is_item
        }
        (true, None) => true,
        (false, Some((_, text))) if opens.starts_with("if ") => {
            text.trim_start().strip_prefix("#@").is_some_and(|code| code.trim() == "end")
        }
        (false, _) => false,
    };
    if !is_alone || asked.contains('\n') {
        return Some(Guard::Among);
    }
    // `and` binds more tightly than these.
    let is_loose = [" or ", " if ", "lambda"].iter().any(|part| asked.contains(part));
    let asked = if is_loose { format!("({asked})") } else { asked.to_owned() };
    Some(Guard::Alone(condition, format!("{asked} and {code} != None")))
}
