//! A function of code that reads a data value which is None: the node that takes what it gives is left out, or the
//! function gives an empty text.

use super::super::host::Host;
use super::code_of;
use crate::diag::{Diagnostic, Help};
use crate::source::{Source, SourceMap, Span};
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
    let used = problem.parts().trace.iter().skip(1).filter_map(|frame| frame.span);
    let used = used.filter(|call| call.source != place.source || !function.whole.holds(*call));
    let node = used.take(MOST).find_map(|call| Some((call, node_of(&sources.get(call.source), call)?)));
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
    let given = function.returned.iter().copied().find(|given| given.holds(place));
    if let Some(given) = given.filter(|given| is_comparison(sources, *given)) {
        let text = format!("ask for `{code}` first, since it may be None");
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
fn is_of_data(sources: &SourceMap, place: Span, other: Span) -> bool {
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

/// The node whose value is made of a call.
fn node_of(source: &Source, call: Span) -> Option<Node> {
    let line = source.line_range(source.line(call.start));
    let (node, code) = source.written(Span { end: call.start, start: line.start, ..call })?.split_once("#@")?;
    let key = node.trim();
    // What asks for something else may do without the call.
    let is_plain =
        !code.contains(" if ") && !source.written(Span { start: call.end, end: line.end, ..call })?.contains(" if ");
    let name = match key {
        "-" => "the item".to_owned(),
        "---" => "the document".to_owned(),
        _ => format!("`{}`", key.strip_suffix(':').filter(|key| !key.starts_with("- "))?),
    };
    let above = Span { start: line.start, end: line.start, ..call };
    let indent = node.get(..node.len().checked_sub(node.trim_start().len())?)?;
    (is_plain && indent.trim_matches(' ').is_empty()).then(|| Node { name, above, indent: indent.to_owned() })
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
