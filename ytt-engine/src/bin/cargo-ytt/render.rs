//! The command without a word, and `fmt`: a project made from the flags, and where its result goes.

use std::io::Read;

use ytt_engine::codegen::{check_lint, json_text, similar};
use ytt_engine::{Difference, Format, Inputs, Level, Limits, Project, Rendered, WriteOptions};

use crate::args::Parsed;
use crate::memory;
use crate::message::{self, Output, Style, Usage};
use crate::stop::Stop;

/// What `-o` asks for.
struct Formats {
    format: Format,
    schema: Option<Schema>,
}

#[derive(Clone, Copy, PartialEq)]
enum Schema {
    OpenApi,
    Json,
}

/// What was printed, or what is said instead.
type Outcome = Result<Output, Output>;

/// `fmt`: the files of `-f` in one canonical form.
pub fn format(parsed: &Parsed) -> Outcome {
    let (project, style) = prepared(parsed, "format")?;
    let (text, warnings) = project.format().map_err(|error| style.failed(&error))?;
    Ok(Output { errors: style.warnings(&warnings), ..Output::text(text) })
}

/// The project of the flags, and how it reports that `work` cannot be done.
pub fn prepared(parsed: &Parsed, work: &str) -> Result<(Project, Style), Output> {
    let json = match parsed.last("message-format") {
        None | Some("human") => false,
        Some("json") => true,
        Some(other) => return Err(Output::usage(&choice("message-format", other, "human or json"), false)),
    };
    let inputs: Vec<&str> = match parsed.last("bulk-in") {
        Some(_) => vec!["--bulk-in"],
        None => parsed.all("file").collect(),
    };
    match project(parsed) {
        Ok(project) => Ok((project, Style::new(json, work, inputs.into_iter()))),
        Err(usage) => Err(Output::usage(&usage, json)),
    }
}

/// The command without a word.
pub fn render(parsed: &Parsed) -> Outcome {
    // The process ends behind this: to take a large tree apart would only take time.
    run(parsed, &mut Inputs::default(), std::mem::forget)
}

/// The same, with what was read; nothing if there is a mistake on the command line.
pub fn render_with_inputs(parsed: &Parsed) -> (Output, Inputs) {
    let mut inputs = Inputs::default();
    let output = run(parsed, &mut inputs, drop).unwrap_or_else(|output| output);
    (output, inputs)
}

fn run(parsed: &Parsed, inputs: &mut Inputs, after: fn(Rendered)) -> Outcome {
    let (project, style) = prepared(parsed, "render")?;
    match parsed.switch("bulk-out") {
        true => Ok(bulk(parsed, &project, &style, inputs)),
        false => regular(parsed, &project, &style, inputs, after),
    }
}

/// Do the flags name what is rendered? Then `check` is about a folder, and not about generated code.
pub fn names_inputs(parsed: &Parsed) -> bool {
    ["bulk-in", "dangerous-emptied-output-directory", "file", "output-files"]
        .iter()
        .any(|flag| parsed.all(flag).next().is_some())
}

/// `check -f … --output-files DIR`: what the command would write otherwise than it is there.
pub fn compare(parsed: &Parsed) -> Outcome {
    let (project, style) = prepared(parsed, "render")?;
    let Some((folder, options)) = output_folder(parsed) else {
        let usage = Usage::new("`check -f` compares a folder with what is rendered: --output-files is missing".into());
        return Err(Output::usage(&usage.help("without -f it checks generated code".into()), style.json));
    };
    let found = project.render().and_then(|rendered| Ok((rendered.compare_with(folder, &options)?, rendered)));
    let (differences, rendered) = found.map_err(|error| style.failed(&error))?;
    let mut output = Output { errors: style.warnings(rendered.warnings()), ..Output::default() };
    for difference in &differences {
        let what = match difference {
            Difference::Missing(_) => "is missing",
            Difference::Stale(_) => "is stale",
            _ => "is not rendered any more",
        };
        let text = format!("{} {what}: run the same without `check`", difference.path().display());
        output.errors.push_str(&message::stale(&text, style.json));
        output.code = 1;
    }
    Ok(output)
}

/// The folder that is written, if one is, and how.
fn output_folder(parsed: &Parsed) -> Option<(&str, WriteOptions)> {
    let options = WriteOptions::default().allow_outside(true);
    match parsed.last("dangerous-emptied-output-directory") {
        Some(folder) => Some((folder, options.emptied(true))),
        None => Some((parsed.last("output-files")?, options.allow_repeated(true))),
    }
}

pub fn choice(flag: &str, value: &str, expected: &str) -> Usage {
    Usage::new(format!("invalid argument {value:?} for \"--{flag}\" flag: expected {expected}"))
}

fn project(parsed: &Parsed) -> Result<Project, Usage> {
    let limits = limits(parsed)?;
    // One byte more than it may have: enough to be refused.
    let most = limits.file_bytes.saturating_add(1);
    let mut project = Project::for_command()
        .limits(limits)
        .strict(parsed.switch("strict"))
        .ignore_unknown_comments(parsed.switch("ignore-unknown-comments"))
        .implicit_map_key_overrides(parsed.switch("implicit-map-key-overrides"))
        .dangerous_data_values_disable_validation(parsed.switch("dangerous-data-values-disable-validation"))
        .dangerous_allow_all_symlink_destinations(parsed.switch("dangerous-allow-all-symlink-destinations"));
    if parsed.switch("debug") {
        project = project.times(&parsed.times);
    }
    for (lint, level) in lints(parsed)? {
        project = project.lint(lint, level);
    }
    for path in parsed.all("allow-symlink-destination") {
        project = project.allow_symlink_destination(path);
    }
    if uses_stdin(parsed) {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(|error| Usage::new(format!("reading standard input: {error}")))?;
        project = project.stdin(bytes);
    }
    if let Some(text) = parsed.last("bulk-in") {
        project = project.bulk_in(text);
    } else {
        for text in parsed.all("file") {
            project = project.file_flag(text);
        }
    }
    for mark in parsed.all("file-mark") {
        project = project.file_mark(mark);
    }
    for flag in ["data-values-file", "data-value", "data-value-yaml", "data-value-file"] {
        for text in parsed.all(flag) {
            project = project.data_value_flag(&format!("--{flag}"), text);
        }
    }
    for prefix in parsed.all("data-values-env") {
        project = project.data_values_env(prefix, variables());
    }
    for prefix in parsed.all("data-values-env-yaml") {
        project = project.data_values_env_yaml(prefix, variables());
    }
    Ok(project)
}

/// The levels of lints that the flags set, in order.
pub fn lints(parsed: &Parsed) -> Result<Vec<(String, Level)>, Usage> {
    let mut lints = Vec::new();
    for (flag, value) in parsed.given() {
        match (flag, Level::of(flag), value) {
            (_, Some(level), lint) => {
                check_lint(lint).map_err(|unknown| {
                    let usage = Usage::new(format!("invalid argument {lint:?} for \"--{flag}\" flag: {unknown}"));
                    match unknown.near() {
                        Some(near) => usage.help(format!("did you mean `{near}`?")),
                        None => usage.help("docs/lints.md lists them; `all` means every one".to_owned()),
                    }
                })?;
                lints.push((lint.to_owned(), level));
            }
            ("warnings", _, "all") => lints.push(("all".to_owned(), Level::Warn)),
            ("warnings", _, "none") => lints.push(("all".to_owned(), Level::Allow)),
            ("warnings", _, "default" | "") => lints.clear(),
            ("warnings", ..) => return Err(choice("warnings", value, "default, all or none")),
            _ => {}
        }
    }
    Ok(lints)
}

/// The environment, in its own order.
fn variables() -> impl Iterator<Item = (String, String)> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    std::env::vars_os().map(move |(name, value)| (text(name), text(value)))
}

/// Is `-` anywhere a path?
pub fn uses_stdin(parsed: &Parsed) -> bool {
    let is_stdin = |text: &str| text == "-" || text.ends_with("=-") || (text.starts_with('@') && text.ends_with(":-"));
    let files = if parsed.last("bulk-in").is_some() { None } else { Some("file") };
    let flags = files.into_iter().chain(["data-values-file", "data-value-file"]);
    flags.into_iter().any(|flag| parsed.all(flag).any(is_stdin))
}

fn limits(parsed: &Parsed) -> Result<Limits, Usage> {
    let mut limits = Limits::command();
    memory::set(&mut limits);
    for text in parsed.all("limit") {
        let wrong = |reason: String| Usage::new(format!("invalid argument {text:?} for \"--limit\" flag: {reason}"));
        let (name, value) = text.split_once('=').ok_or_else(|| wrong("expected NAME=N".into()))?;
        let number = match value {
            "none" => None,
            _ => Some(value.parse::<u64>().map_err(|_| wrong(format!("'{value}' is no number (hint: or 'none')")))?),
        };
        if !limits.set(name, number) {
            let usage = wrong(format!("no limit has the name '{name}'"));
            return Err(match similar(name, Limits::NAMES) {
                Some(near) => usage.help(format!("did you mean {near}?")),
                None => usage.help(format!("limits are {}", Limits::NAMES.join(", "))),
            });
        }
    }
    // These two are reserved as stack or walked by calls, so there is a most.
    limits.depth = limits.depth.min(Limits::command().depth);
    limits.call_depth = limits.call_depth.min(1_000_000);
    Ok(limits)
}

/// The formats, checked against the flags they go with. The first of a kind counts.
fn formats(parsed: &Parsed) -> Result<Formats, Usage> {
    let mut formats = Formats { format: Format::Yaml, schema: None };
    let mut format = None;
    for name in parsed.all("output") {
        match name {
            "yaml" => format = format.or(Some(Format::Yaml)),
            "json" => format = format.or(Some(Format::Json)),
            "pos" => format = format.or(Some(Format::Pos)),
            "openapi-v3" => formats.schema = formats.schema.or(Some(Schema::OpenApi)),
            "json-schema" => formats.schema = formats.schema.or(Some(Schema::Json)),
            _ => {
                let usage = Usage::new(format!("Unknown output type '{name}'"));
                let types = ["yaml", "json", "pos", "openapi-v3", "json-schema"];
                return Err(match similar(name, types) {
                    Some(near) => usage.help(format!("did you mean `{near}`?")),
                    None => usage.help(format!("types are {}", types.join(", "))),
                });
            }
        }
    }
    formats.format = format.unwrap_or_default();
    if parsed.switch("files-inspect") {
        return Ok(formats);
    }
    let text = match (parsed.switch("data-values-schema-inspect"), formats.schema) {
        (false, Some(_)) => {
            "Output type currently only supported for data values schema (i.e. include --data-values-schema-inspect)"
        }
        (true, None) => {
            "Data values schema export only supported in OpenAPI v3 format; specify format with --output=openapi-v3 flag"
        }
        _ => return Ok(formats),
    };
    Err(Usage::new(text.into()))
}

/// The inspection that the flags ask for, if any.
fn inspected(parsed: &Parsed, project: &Project) -> Option<ytt_engine::Result<Rendered>> {
    if parsed.switch("files-inspect") {
        Some(project.files())
    } else if parsed.switch("data-values-schema-inspect") {
        Some(project.schema())
    } else if parsed.switch("data-values-inspect") {
        Some(project.values())
    } else {
        None
    }
}

fn regular(parsed: &Parsed, project: &Project, style: &Style, inputs: &mut Inputs, after: fn(Rendered)) -> Outcome {
    let formats = formats(parsed).map_err(|usage| Output::usage(&usage, style.json))?;
    let inspected = inspected(parsed, project);
    let is_inspection = inspected.is_some();
    let output = inspected.unwrap_or_else(|| project.render()).and_then(|rendered| {
        inputs.clone_from(rendered.inputs());
        let output = printed(parsed, &formats, &rendered, is_inspection, style);
        after(rendered);
        output
    });
    output.map_err(|error| {
        inputs.clone_from(error.inputs());
        style.failed(&error)
    })
}

/// Writes or prints what was rendered.
fn printed(
    parsed: &Parsed,
    formats: &Formats,
    rendered: &Rendered,
    is_inspection: bool,
    style: &Style,
) -> ytt_engine::Result<Output> {
    let mut output = Output { errors: style.warnings(rendered.warnings()), ..Output::default() };
    if let Some((folder, options)) = output_folder(parsed) {
        if is_inspection {
            output.errors.push_str(&style.note(&format!(
                "An inspection is printed to standard output; '{folder}' was not touched and nothing is printed.\n\
                 Leave out the flag of the output folder to see it."
            )));
            return Ok(output);
        }
        let stop = Stop::watch();
        let written = rendered.write_to_with(folder, &options.stopped_by(stop.flag()));
        stop.end(&written.as_ref().err().map(|error| style.failed(error).errors).unwrap_or_default());
        for path in written?.files() {
            output.text.extend_from_slice(format!("creating: {}\n", path.display()).as_bytes());
        }
        return Ok(output);
    }
    match rendered.json_schema() {
        Some(text) if formats.schema == Some(Schema::Json) => {
            output.text = text.as_bytes().to_vec();
        }
        _ => {
            let (bytes, warnings) = match formats.format {
                Format::Json => {
                    let (text, warnings) = rendered.to_text_and_warnings(Format::Json)?;
                    (text.into_bytes(), warnings)
                }
                format => (rendered.to_bytes(format)?, Vec::new()),
            };
            output.text = bytes;
            output.errors.push_str(&style.warnings(&warnings));
        }
    }
    if rendered.has_text_files() {
        output.errors.push_str(&style.note(
            "Found Non-YAML templates in input. Non-YAML templates are not rendered to standard output.\n\
             If you want to include those results, use the --output-files or --dangerous-emptied-output-directory flag.",
        ));
    }
    Ok(output)
}

/// `--bulk-out`: problems are part of the result, but for those of reading what `-f` and `--bulk-in` name.
fn bulk(parsed: &Parsed, project: &Project, style: &Style, inputs: &mut Inputs) -> Output {
    if let Err(usage) = formats(parsed) {
        return Output::text(format!("{{\"errors\":{}}}", json_text(&usage.text)));
    }
    let result = match inspected(parsed, project) {
        Some(inspected) => inspected.map(|rendered| (rendered, "{}".to_string())),
        None => project.render().and_then(|rendered| {
            let text = rendered.to_bulk()?;
            Ok((rendered, text))
        }),
    };
    inputs.clone_from(match &result {
        Ok((rendered, _)) => rendered.inputs(),
        Err(error) => error.inputs(),
    });
    match result {
        Ok((rendered, text)) => Output { errors: style.warnings(rendered.warnings()), ..Output::text(text) },
        Err(error) if error.is_of_files() => style.failed(&error),
        Err(error) => Output { errors: style.warnings(error.warnings()), ..Output::text(error.to_bulk()) },
    }
}
