//! A function of code that reads a data value which is None: the node that takes what it gives is left out, or the
//! function gives an empty text.

use super::super::host::Host;
use super::code_of;
use super::whole::{Item, Out};
use crate::diag::{Diagnostic, Help};
use crate::source::{Source, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::{outline, written};

/// Puts what mends in front of helps without an edit: of code that stands in a function and reads the data value at
/// `names`.
pub(super) fn around(host: &Host<'_>, problem: &mut Diagnostic, (place, code): (Span, &str), names: &[String]) {
    let sources = &host.sources;
    if problem.parts().helps.iter().any(|help| help.edit.is_some()) || !is_of_data(sources, place, place) {
        return;
    }
    let source = sources.get(place.source);
    let function = FileCode::read(&source, place.source).and_then(|file| file.function_around(place));
    let Some(function) = function.filter(|function| function.name.is_some()) else { return };
    let value = format!("data.values.{}", names.join("."));
    let given = function.returned.iter().copied().find(|given| given.holds(place));
    let used = problem.parts().trace.iter().skip(1).filter_map(|frame| frame.span);
    let used = used.filter(|call| call.source != place.source || !function.whole.holds(*call));
    // Without the node nothing else may be lost.
    let node = match (given, &function.returned[..]) {
        (Some(given), [_]) if is_read(sources, given) || is_made_text(sources, given) => taken_by(sources, used),
        _ => None,
    };
    let mut helps = Vec::new();
    if let Some((call, node)) =
        node.filter(|(call, _)| is_of_data(sources, *call, place) || may_load(sources, *call, place))
    {
        let condition = format!("{}#@ if/end {value} != None:\n", node.indent);
        let source = sources.get(call.source);
        let load = (Span { start: 0, end: 0, ..node.above }, "#@ load(\"@ytt:data\", \"data\")\n");
        let load = may_load(sources, call, place).then_some(load);
        let edit = source.replaced(load.into_iter().chain([(node.above, &*condition)]));
        let text = format!("leave {} out where `{value}` is None", node.name);
        helps.extend(edit.map(|(at, new)| Help { must_mend: true, is_guess: true, ..Help::with_edit(text, at, new) }));
    }
    if let Some(given) = given.filter(|given| is_comparison(sources, *given)) {
        // What is None is another value, too, and what is empty may be meant to be none.
        let is_of_none =
            ["!=", "\"\"", "''", "None", "False"].iter().any(|word| code_of(sources, given).contains(word));
        let text = match is_of_none {
            true => format!("if False is meant where `{code}` is None, ask for it first"),
            false => format!("ask for `{code}` first, since it may be None"),
        };
        let edit = Help::with_edit(text, Span { end: given.start, ..given }, format!("{code} != None and "));
        helps.push(Help { must_mend: true, is_guess: true, ..edit });
    }
    if let Some(given) = given.filter(|given| is_made_text(sources, *given)) {
        let end = Span { start: given.end, ..given };
        let text = format!("give another text where `{code}` is None, such as an empty one");
        let edit = Help::with_edit(text, end, format!(" if {code} != None else \"\""));
        helps.push(Help { must_mend: true, is_guess: true, ..edit });
    }
    problem.parts_mut().helps.splice(0..0, helps);
}

/// Calls that are gone through.
const MOST: usize = 20;

/// Is `data` the module of data values at a place, and are these the ones of another place?
pub(super) fn is_of_data(sources: &SourceMap, place: Span, other: Span) -> bool {
    let source = sources.get(place.source);
    let is_module = outline::brought(&source, place.source, "data").is_some_and(|(path, _)| path.name == "@ytt:data");
    let bound = FileCode::read(&source, place.source).and_then(|file| file.bound(place, "data"));
    is_module && bound.is_some_and(|bound| matches!(bound.by, Binder::Load)) && is_of_one_run(sources, place, other)
}

/// Is there no `data` yet where a node calls, so that it can be loaded?
fn may_load(sources: &SourceMap, call: Span, other: Span) -> bool {
    let source = sources.get(call.source);
    let file = FileCode::read(&source, call.source);
    file.is_some_and(|file| !file.binds("data")) && is_of_one_run(sources, call, other)
}

/// The values of a library are others.
fn is_of_one_run(sources: &SourceMap, place: Span, other: Span) -> bool {
    let library = |span: Span| {
        let source = sources.get(span.source);
        let (path, rest) = source.name.rsplit_once("_ytt_lib/")?;
        Some((path.to_owned(), rest.split('/').next()?.to_owned()))
    };
    library(place) == library(other)
}

/// A node on a line of its own.
struct Node {
    /// `the item`, or its key.
    name: String,
    above: Span,
    indent: String,
}

/// The node that takes what the first of calls gives, through functions that only pass it on, with the call in it.
fn taken_by(sources: &SourceMap, calls: impl Iterator<Item = Span>) -> Option<(Span, Node)> {
    for call in calls.take(MOST) {
        let source = sources.get(call.source);
        if let Some(node) = node_of(sources, &source, call) {
            return Some((call, node));
        }
        let function = FileCode::read(&source, call.source)?.function_around(call)?;
        let [given] = function.returned[..] else { return None };
        let is_passed = given == call || is_made_text(sources, given);
        (given.holds(call) && is_passed).then_some(())?;
    }
    None
}

/// The node whose value is a call, or a text made of it, and that is not the only one there.
fn node_of(sources: &SourceMap, source: &Source, call: Span) -> Option<Node> {
    let number = source.line(call.start);
    let line = source.line_range(number);
    let (node, code) = source.written(Span { end: call.start, start: line.start, ..call })?.split_once("#@")?;
    let before = call.start.checked_sub(to_u32(code.trim_start().len()))?;
    let rest = source.written(Span { start: call.end, end: line.end, ..call })?;
    let value = Span { start: before, end: call.end.checked_add(to_u32(rest.trim_end().len()))?, ..call };
    (value == call || is_made_text(sources, value)).then_some(())?;
    if let Some(item) = Item::read(source, call).filter(Item::is_needed) {
        let Out { name, above, indent, .. } = item.out(source, call);
        return Some(Node { name, above, indent });
    }
    let key = node.trim();
    let name = match key {
        "-" => "the item".to_owned(),
        "---" => "the document".to_owned(),
        _ => format!("`{}`", key.strip_suffix(':').filter(|key| !key.starts_with("- "))?),
    };
    let above = Span { start: line.start, end: line.start, ..call };
    let indent = node.get(..node.len().checked_sub(node.trim_start().len())?)?;
    let is_alone = || !has_sibling(source, number, (indent.len(), key == "-"));
    (indent.trim_matches(' ').is_empty() && (key == "---" || !is_alone())).then(|| Node {
        name,
        above,
        indent: indent.to_owned(),
    })
}

/// Does another node surely stand beside the one of a line, in the same map or list?
fn has_sibling(source: &Source, number: u32, (indent, is_item): (usize, bool)) -> bool {
    const LINES: usize = 100;
    const BLOCKS: [&str; 7] = ["def", "if", "elif", "else", "for", "while", "end"];
    let last = to_u32(source.text.as_str().map_or(0, |text| text.lines().count()));
    // Whether it is one; `None` where the map or list ends.
    let look = |line: u32| {
        let text = source.line_text(line);
        let own = text.trim();
        let depth = text.len().saturating_sub(text.trim_start().len());
        if let Some(code) = own.strip_prefix("#@") {
            let word = code.trim_start().split(|letter: char| !letter.is_alphabetic()).next();
            let is_block = code.starts_with(' ') && word.is_some_and(|word| BLOCKS.contains(&word));
            return (!is_block).then_some(false);
        }
        if own.is_empty() || own.starts_with('#') || depth > indent {
            return Some(false);
        }
        let is_dashed = own.starts_with("- ") || own == "-";
        match depth == indent {
            _ if own.starts_with("---") => None,
            true if is_item && !is_dashed => None,
            true => Some(is_item == is_dashed),
            // The first key of an item stands behind its dash.
            false => (!is_item && is_dashed && depth.saturating_add(2) == indent && line < number).then_some(true),
        }
    };
    // A condition of its own stands above it.
    let is_sure = |line: u32| line <= 1 || !source.line_text(line.saturating_sub(1)).contains("/end");
    let above = (1..number).rev().take(LINES).map_while(|line| Some((line, look(line)?)));
    let below = (number.saturating_add(1)..=last).take(LINES).map_while(|line| Some((line, look(line)?)));
    above.chain(below).any(|(line, is_one)| is_one && is_sure(line))
}

/// Is code a value that is read, and nothing else?
fn is_read(sources: &SourceMap, code: Span) -> bool {
    written::path(sources, code).is_some()
}

/// Is code a comparison, or several with `and` between?
fn is_comparison(sources: &SourceMap, code: Span) -> bool {
    const OPERATORS: [&str; 9] = ["and", "==", "!=", "<", ">", "<=", ">=", "in", "not in"];
    let is_plain = ![" if ", "lambda", "not "].iter().any(|word| code_of(sources, code).contains(word));
    let between = |[one, other]: [Span; 2]| code_of(sources, Span { start: one.end, end: other.start, ..one });
    let operator = written::operands(sources, code).map(between);
    is_plain && operator.is_some_and(|operator| OPERATORS.contains(&operator.trim()))
}

/// Is code a text that is put together: a literal with something added, or with gaps that are filled?
fn is_made_text(sources: &SourceMap, code: Span) -> bool {
    let is_plain = ![" if ", " or ", " and ", "lambda"].iter().any(|word| code_of(sources, code).contains(word));
    let filled = || {
        let is_format =
            written::callee(sources, code).is_some_and(|callee| code_of(sources, callee).ends_with(".format"));
        is_format && written::receiver(sources, code).is_some_and(|text| written::is_text(sources, text))
    };
    let (mut left, mut is_added) = (code, false);
    for _ in 0..MOST {
        let Some([one, other]) = written::operands(sources, left) else { break };
        let between = code_of(sources, Span { start: one.end, end: other.start, ..one });
        is_added =
            is_added || between.trim() == "+" && [one, other].iter().any(|side| written::is_text(sources, *side));
        left = one;
    }
    is_plain && (is_added || filled())
}
