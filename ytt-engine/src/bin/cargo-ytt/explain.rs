//! `explain`: where the lines of the output come from, for people, as JSON, or as a page.

use std::cell::Cell;
use std::path::Path;

use ytt_engine::Rendered;
use ytt_engine::codegen::committed::replace;
use ytt_engine::explain::Explanation;

use crate::args::Parsed;
use crate::generated;
use crate::message::{self, Output, Style, Usage};
use crate::render::{choice, prepared};

/// What is asked for: `explain [SELECTOR [PATH]]`.
struct Asked<'p> {
    selector: Option<&'p str>,
    path: &'p str,
    json: bool,
}

/// Is it a source file of Rust, or a line of one?
fn names_source(word: &str) -> bool {
    let file = word.rsplit_once(':').map_or(word, |(file, _)| file);
    file.ends_with(".rs") && Path::new(file).is_file()
}

/// `explain [flags of ytt] [FILE.rs[:LINE]] [SELECTOR [PATH]]`.
pub fn explain(parsed: &Parsed) -> Result<Output, Output> {
    let (project, style) = prepared(parsed, "explain")?;
    let mut words = parsed.words.iter().map(String::as_str).peekable();
    let call = words.next_if(|word| names_source(word));
    let json = match parsed.last("format") {
        None | Some("text") => false,
        Some("json") => true,
        Some(other) => return Err(Output::usage(&choice("format", other, "text or json"), style.json)),
    };
    let asked = Asked { selector: words.next(), path: words.next().unwrap_or_default(), json };
    if let Some(extra) = words.next() {
        let usage = Usage::new(format!("command 'ytt explain' does not accept extra arguments '{extra}'"));
        return Err(Output::usage(&usage.help("it takes a document and a path in it".into()), style.json));
    }
    let page = parsed.last("html");
    if page.is_some() && (json || call.is_some() || asked.selector.is_some()) {
        let usage = Usage::new(
            "the page of --html shows all of a render: it takes no call, no selector and no --format".into(),
        );
        return Err(Output::usage(&usage, style.json));
    }
    if let Some(call) = call {
        let is_found = Cell::new(false);
        let output = generated::each(parsed, call, |call| {
            let (mut text, mut errors) = (String::new(), String::new());
            for rendered in call.explained()? {
                // What one of the renders has not, another may have.
                let answer = told(&asked, &rendered, &style);
                is_found.set(is_found.get() || answer.is_ok());
                let Output { text: found, errors: more, .. } = answer.unwrap_or_else(|output| output);
                text.push_str(&String::from_utf8_lossy(&found));
                errors.push_str(&more);
            }
            Ok((text, errors))
        })?;
        return Ok(Output { code: output.code.max(u8::from(!is_found.get())), ..output });
    }
    let rendered = project.explain(true).render().map_err(|error| style.failed(&error))?;
    let mut output = match page {
        Some(file) => write_page(file, &rendered, &style)?,
        None if asked.json && asked.selector.is_none() => stream(&rendered, &style)?,
        None => told(&asked, &rendered, &style)?,
    };
    output.errors.insert_str(0, &style.warnings(rendered.warnings()));
    Ok(output)
}

/// `--html FILE`.
fn write_page(file: &str, rendered: &Rendered, style: &Style) -> Result<Output, Output> {
    let explanation = rendered.explanation().map_err(|error| style.failed(&error))?;
    let Some(explanation) = explanation else { return Ok(Output::default()) };
    let page = explanation.to_html(rendered.warnings());
    write_whole(file, page.as_bytes()).map_err(|error| {
        Output::usage(&Usage::new(format!("the page cannot be written to {file}: {error}")), style.json)
    })?;
    // As `--output-files` announces what it writes.
    Ok(Output::text(format!("creating: {file}\n")))
}

/// Not into a folder that is not there: its name may be a mistake.
fn write_whole(file: &str, content: &[u8]) -> std::io::Result<()> {
    let real = std::fs::canonicalize(file);
    let path = real.as_deref().unwrap_or(Path::new(file));
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let is_stream = path.exists() && !path.is_file();
    if is_stream || above.is_some_and(|above| !above.is_dir()) {
        return std::fs::write(path, content);
    }
    replace(path, content).map(|_| ())
}

fn told(asked: &Asked<'_>, rendered: &Rendered, style: &Style) -> Result<Output, Output> {
    let explanation = rendered.explanation().map_err(|error| style.failed(&error))?;
    let Some(explanation) = explanation else { return Ok(Output::default()) };
    let text = answer(asked, &explanation).map_err(|problem| Output::failed(style.warnings(&[problem])))?;
    Ok(Output::text(text))
}

/// The whole as JSON is tens of times the output, and goes where it is wanted while it is made.
fn stream(rendered: &Rendered, style: &Style) -> Result<Output, Output> {
    let explanation = rendered.explanation().map_err(|error| style.failed(&error))?;
    let Some(explanation) = explanation else { return Ok(Output::default()) };
    let mut stdout = std::io::stdout().lock();
    match explanation.write_json(&mut stdout) {
        Ok(()) => Ok(Output::text("\n".to_owned())),
        // What ends it is told when the rest cannot be written either.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Output::text("\n".to_owned())),
        Err(error) => Err(Output::failed(format!("ytt: Error: writing standard output: {error}\n"))),
    }
}

fn answer(asked: &Asked<'_>, explanation: &Explanation<'_>) -> Result<String, ytt_engine::Diagnostic> {
    let colors = message::output_colors();
    let Some(selector) = asked.selector else {
        return Ok(if asked.json { explanation.to_json() + "\n" } else { explanation.to_lines(colors) });
    };
    let found = match explanation.find(selector, asked.path) {
        Ok(found) => found,
        // What stands in no output may be an overlay.
        Err(problem) if asked.path.is_empty() => {
            let overlays = match asked.json {
                true => explanation.overlays_to_json(selector).map(|json| json + "\n"),
                false => explanation.overlays_to_text(selector, colors),
            };
            return overlays.ok_or(problem);
        }
        Err(problem) => return Err(problem),
    };
    Ok(match (asked.json, found.is_whole()) {
        (true, _) => found.to_json() + "\n",
        (false, true) => found.to_lines(colors),
        (false, false) => found.to_text(colors),
    })
}
