//! What one call gives: its expansion, and what it reads.

use std::path::{Path, PathBuf};

use ytt_engine::Inputs;
use ytt_engine::codegen::call::parse_items;
use ytt_engine::codegen::items::{self, Place};
use ytt_engine::codegen::plan::Failure;
use ytt_engine::codegen::pretty::pretty;
use ytt_engine::codegen::said::Said;
use ytt_engine::codegen::stamp::CallIn;

use super::calls::{Found, calls};
use super::report;
use crate::args::Parsed;
use crate::message::{Output, Usage};
use crate::render::{lints, prepared};

/// `expand`: the code that calls of a file become, or that items become of what the flags render.
pub fn expand(parsed: &Parsed) -> Result<Output, Output> {
    if let Some(text) = parsed.last("items") {
        return items_of(parsed, text);
    }
    each(parsed, only_word(parsed)?, |call| {
        let expansion = call.expand(Place::File)?;
        let code = pretty(expansion.tokens);
        let warnings = expansion.warnings.iter().map(|warning| format!("warning: ytt: {}\n", warning.text)).collect();
        Ok((code, warnings))
    })
}

/// `deps`: what calls of a file read, or what the flags read, one a line.
pub fn deps(parsed: &Parsed) -> Result<Output, Output> {
    if parsed.words.is_empty() {
        let (project, style) = prepared(parsed, "render")?;
        return match project.render() {
            Ok(rendered) => Ok(Output::text(lines(rendered.inputs()))),
            Err(error) => Err(Output { text: lines(error.inputs()).into_bytes(), ..style.failed(&error) }),
        };
    }
    each(parsed, only_word(parsed)?, |call| {
        call.expand(Place::Macro).map(|expansion| (lines(&expansion.inputs), String::new()))
    })
}

fn lines(inputs: &Inputs) -> String {
    let paths = inputs.files.iter().chain(&inputs.folders).map(|path| format!("{}\n", path.display()));
    paths.chain(inputs.env.iter().map(|name| format!("{name}\n"))).collect()
}

fn items_of(parsed: &Parsed, text: &str) -> Result<Output, Output> {
    let (project, style) = prepared(parsed, "render")?;
    let tokens =
        text.parse().map_err(|_| usage("--items is not Rust: its brackets or quotes do not fit".to_owned()))?;
    let items = parse_items(tokens).map_err(|errors| {
        Output::failed(errors.into_iter().map(|error| format!("error: ytt: --items: {}\n", error.message)).collect())
    })?;
    let only_values = items::need_only_values(&items);
    let rendered = project.render().or_else(|error| match only_values && !error.is_denied() {
        true => project.values(),
        false => Err(error),
    });
    let rendered = rendered.map_err(|error| style.failed(&error))?;
    let expanded = items::expand(&items, Place::File, &|_| Ok(rendered.clone()));
    let expanded = expanded.map_err(|failure| Output::failed(report(&failure)))?;
    Ok(Output { errors: style.warnings(rendered.warnings()), ..Output::text(pretty(expanded.tokens)) })
}

fn usage(text: String) -> Output {
    Output::usage(&Usage::new(text), false)
}

/// The source file on the command line.
fn only_word(parsed: &Parsed) -> Result<&str, Output> {
    let [word] = &parsed.words[..] else {
        let usage = Usage::new("expected a source file, as in src/main.rs or src/main.rs:12".to_owned());
        return Err(Output::usage(&usage.help("or -f and --items".to_owned()), false));
    };
    Ok(word)
}

/// Does the same with each call that a word names: `FILE` or `FILE:LINE`. Levels of lints are those of the flags.
pub fn each(
    parsed: &Parsed,
    word: &str,
    work: impl Fn(&CallIn<'_>) -> Result<(String, String), Failure>,
) -> Result<Output, Output> {
    let (file, line) = match word.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<usize>().ok()?))) {
        Some((file, line)) => (file, Some(line)),
        None => (word, None),
    };
    let text = std::fs::read_to_string(file).map_err(|error| usage(format!("cannot read {file}: {error}")))?;
    let source = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
    let package = source.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file());
    let package = package.or(source.parent()).unwrap_or(Path::new("."));
    let all = calls(&text);
    let chosen: Vec<&Found> =
        all.iter().filter(|found| line.is_none_or(|line| (found.lines.0..=found.lines.1).contains(&line))).collect();
    if chosen.is_empty() {
        let lines: Vec<String> = all.iter().map(|found| found.lines.0.to_string()).collect();
        let usage = Usage::new(format!("no call of include_ytt! at {word}"));
        let hint = match lines.is_empty() {
            true => "the file has none".to_owned(),
            false => format!("there are calls at line {}", lines.join(", ")),
        };
        return Err(Output::usage(&usage.help(hint), false));
    }
    let lints = lints(parsed).map_err(|usage| Output::usage(&usage, false))?;
    let (mut output, said) = (Output::default(), Said::new());
    for found in &chosen {
        if chosen.len() > 1 {
            output.text.extend(format!("// {file}:{}\n", found.lines.0).into_bytes());
        }
        let tokens = found.tokens.clone();
        match work(&CallIn { package, source: &source, tokens, said: Some(&said), lints: &lints }) {
            Ok((text, errors)) => {
                output.text.extend(text.into_bytes());
                output.errors.push_str(&errors);
            }
            Err(failure) => {
                output.errors.push_str(&format!("{file}:{}:\n{}", found.lines.0, report(&failure)));
                output.code = 1;
            }
        }
    }
    Ok(output)
}
