//! `explain`: where the lines of the output come from, for people, as JSON, or as a page.

use ytt_engine::Rendered;
use ytt_engine::explain::Explanation;

use crate::args::Parsed;
use crate::message::{self, Output, Style, Usage};
use crate::render::{choice, prepared};

/// What is asked for: `explain [SELECTOR [PATH]]`.
struct Asked<'p> {
    selector: Option<&'p str>,
    path: &'p str,
    json: bool,
}

/// `explain [flags of ytt] [SELECTOR [PATH]]`.
pub fn explain(parsed: &Parsed) -> Result<Output, Output> {
    let (project, style) = prepared(parsed, "explain")?;
    let json = match parsed.last("format") {
        None | Some("text") => false,
        Some("json") => true,
        Some(other) => return Err(Output::usage(&choice("format", other, "text or json"), style.json)),
    };
    let mut words = parsed.words.iter().map(String::as_str);
    let asked = Asked { selector: words.next(), path: words.next().unwrap_or_default(), json };
    if let Some(extra) = words.next() {
        let usage = Usage::new(format!("command 'ytt explain' does not accept extra arguments '{extra}'"));
        return Err(Output::usage(&usage.help("it takes a document and a path in it".into()), style.json));
    }
    let rendered = project.explain(true).render().map_err(|error| style.failed(&error))?;
    let mut output = told(&asked, &rendered, &style)?;
    output.errors.insert_str(0, &style.warnings(rendered.warnings()));
    Ok(output)
}

fn told(asked: &Asked<'_>, rendered: &Rendered, style: &Style) -> Result<Output, Output> {
    let explanation = rendered.explanation().map_err(|error| style.failed(&error))?;
    let Some(explanation) = explanation else { return Ok(Output::default()) };
    let text = answer(asked, &explanation).map_err(|problem| Output::failed(style.warnings(&[problem])))?;
    Ok(Output::text(text))
}

fn answer(asked: &Asked<'_>, explanation: &Explanation<'_>) -> Result<String, ytt_engine::Diagnostic> {
    let colors = message::output_colors();
    let Some(selector) = asked.selector else {
        return Ok(if asked.json { explanation.to_json() + "\n" } else { explanation.to_lines(colors) });
    };
    let found = explanation.find(selector, asked.path)?;
    Ok(match (asked.json, found.path().is_empty()) {
        (true, _) => found.to_json() + "\n",
        (false, true) => found.to_lines(colors),
        (false, false) => found.to_text(colors),
    })
}
