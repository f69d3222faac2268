//! Data values that the caller gives: files are listed with the other inputs, the rest is read when the render begins.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::{At, Steps};
use crate::diag::{Code, Diagnostic, Diagnostics, Severity};
use crate::files::{Content, File, FileKind, Listed, Listing, Reads, split_argument};
use crate::library::Givens;
use crate::library::route::Route;
use crate::library::values::{GivenValue, Key, Reader, split_file_flag, split_path_flag};
use crate::limits::Limits;
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Span, Text};
use crate::yaml::{Arena, ReadOptions, Value};

/// A step that gives data values.
#[derive(Clone, Debug)]
pub(super) enum ValuesStep {
    Key(String, Value),
    Yaml(String, String),
    File(String, PathBuf),
    /// For the library of this reference; for the root if it is empty.
    Document(String, Value),
    ValuesFile(PathBuf),
    Env {
        prefix: String,
        yaml: bool,
        variables: Arc<[(String, String)]>,
    },
    Variable {
        key: Key,
        variable: String,
        text: Option<String>,
        yaml: bool,
    },
    Flag(ValuesFlag, String),
}

/// A flag that is kept as it was typed.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValuesFlag {
    Value,
    ValueYaml,
    ValueFile,
    ValuesFile,
}

impl ValuesStep {
    pub(super) fn env<N: Into<String>, V: Into<String>>(
        prefix: String,
        yaml: bool,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> ValuesStep {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        ValuesStep::Env { prefix, yaml, variables }
    }

    pub(super) fn variable(key: Key, variable: String, text: Option<String>, yaml: bool) -> ValuesStep {
        ValuesStep::Variable { key, variable, text, yaml }
    }

    pub(super) fn flag(flag: &str, text: String) -> Option<ValuesStep> {
        let flag = match flag {
            "-v" | "--data-value" => ValuesFlag::Value,
            "--data-value-yaml" => ValuesFlag::ValueYaml,
            "--data-value-file" => ValuesFlag::ValueFile,
            "--data-values-file" => ValuesFlag::ValuesFile,
            _ => return None,
        };
        Some(ValuesStep::Flag(flag, text))
    }
}

/// A step whose files are known. Their bytes are read later, as those of all files.
struct Ready {
    at: At,
    step: ValuesStep,
    files: Vec<File>,
    /// Where the values of a `--data-values-file` go, and its path.
    target: (Route, String),
}

/// What takes part in making the values of one render.
#[derive(Default)]
pub(super) struct Making {
    ready: Vec<Ready>,
    reads: Arc<Reads>,
    limits: Limits,
    strict: bool,
    /// What was found on the way and stops nothing.
    pub(super) warnings: Mutex<Vec<Diagnostic>>,
}

const FROM_FILE: &str = "Extracting data value from file";

/// Lists the files of all steps. A step that has a problem is left out, so that the others can be read for theirs.
pub(super) fn list(steps: &Steps, listing: &Listing<'_>, reads: &Arc<Reads>) -> (Arc<Making>, Vec<(At, Diagnostic)>) {
    let (mut ready, mut problems) = (Vec::new(), Vec::new());
    for (at, step) in &steps.values {
        match list_step(step, listing, *at, reads) {
            Ok((files, target)) => ready.push(Ready { at: *at, step: step.clone(), files, target }),
            Err(found) => problems.extend(found.into_iter().map(|problem| (*at, problem))),
        }
    }
    let (limits, strict) = (steps.limits.clone(), steps.options.strict);
    (Arc::new(Making { ready, reads: reads.clone(), limits, strict, warnings: Mutex::default() }), problems)
}

type Listings = (Vec<File>, (Route, String));

fn list_step(
    step: &ValuesStep,
    listing: &Listing<'_>,
    at: At,
    reads: &Arc<Reads>,
) -> Result<Listings, Vec<Diagnostic>> {
    let find = |text: &str, path: &Path, name: Option<&str>, found: &str| {
        let files = listing.list(path, name, at.number).map_err(|problems| {
            let step = |problem: Diagnostic| problem.context(format!("{found} '{text}'")).context(FROM_FILE);
            problems.into_iter().map(step).collect::<Vec<_>>()
        })?;
        Ok::<_, Vec<Diagnostic>>(files.into_iter().map(|file| file.finish(reads)).collect::<Vec<_>>())
    };
    // The argument of a flag may rename its file, as that of `-f` may.
    let typed = |text: &str, found: &str| {
        let (name, path) = split_argument(text)
            .map_err(|problem| vec![problem.context(format!("{found} '{text}'")).context(FROM_FILE)])?;
        find(text, Path::new(path), name, found)
    };
    let one_file = |files: Vec<File>, text: &str| {
        if files.len() == 1 {
            return Ok((files, Default::default()));
        }
        let text = format!("Expected '{text}' to be a file, but is a directory");
        Err(vec![Diagnostic::error(Code::VALUES_FILE, text).context(FROM_FILE)])
    };
    match step {
        ValuesStep::ValuesFile(path) => {
            let text = path.to_string_lossy().into_owned();
            Ok((find(&text, path, None, "Find files")?, (Route::default(), text)))
        }
        ValuesStep::Flag(ValuesFlag::ValuesFile, text) => {
            let (route, path) = split_path_flag(text).map_err(|problem| vec![problem])?;
            Ok((typed(path, "Find files")?, (route, path.to_string())))
        }
        ValuesStep::File(_, path) => {
            let text = path.to_string_lossy();
            one_file(find(&text, path, None, "Finding file")?, &text)
        }
        ValuesStep::Flag(ValuesFlag::ValueFile, text) => {
            let (_, path) = split_file_flag(text).map_err(|problem| vec![problem])?;
            one_file(typed(path, "Finding file")?, path)
        }
        _ => Ok(Listings::default()),
    }
}

impl Making {
    /// What the engine calls once it has nodes to put the values in.
    pub(super) fn givens(self: &Arc<Self>) -> Givens {
        let making = self.clone();
        Givens(Arc::new(move |arena, sources| making.make(arena, sources)))
    }

    /// Reads everything; all problems are reported.
    pub(super) fn make(&self, arena: &mut Arena, sources: &SourceMap) -> Result<Vec<GivenValue>, Diagnostics> {
        let (mut given, mut problems, mut warnings) = (Vec::new(), Diagnostics::default(), Vec::new());
        let options = ReadOptions::new(self.strict, &self.limits);
        for ready in &self.ready {
            let mut reader = Reader { arena, sources, input: ready.at.number, options: &options, warnings: Vec::new() };
            let mut found = Collected { values: &mut given, problems: &mut problems, warnings: &mut warnings };
            self.make_one(&mut reader, ready, &mut found);
            warnings.append(&mut reader.warnings);
        }
        self.warnings.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(warnings);
        problems.into_result().map(|()| given)
    }

    fn make_one(&self, reader: &mut Reader<'_>, ready: &Ready, found: &mut Collected<'_>) {
        match &ready.step {
            ValuesStep::Flag(ValuesFlag::Value, text) => found.one(reader.text(text)),
            ValuesStep::Flag(ValuesFlag::ValueYaml, text) => found.one(reader.yaml(text)),
            ValuesStep::Flag(ValuesFlag::ValueFile, text) => {
                let path = text.split_once('=').map_or("", |(_, path)| path);
                let value = self.bytes(reader, ready, path).and_then(|bytes| reader.file(text, bytes.as_bytes()));
                found.one(value);
            }
            ValuesStep::ValuesFile(_) | ValuesStep::Flag(ValuesFlag::ValuesFile, _) => {
                self.values_files(reader, ready, found)
            }
            ValuesStep::Env { prefix, yaml, variables } => {
                let start =
                    prefix.split_once(':').filter(|_| prefix.starts_with('@')).map_or(&**prefix, |(_, rest)| rest);
                let start = format!("{start}_");
                for (name, _) in variables.iter().filter(|(name, _)| name.starts_with(&start)) {
                    self.reads.variable(name);
                }
                let variables: Vec<(&str, &str)> =
                    variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                let (values, problems) = reader.environment(prefix, *yaml, &variables);
                found.values.extend(values);
                for problem in problems {
                    match problem.severity() {
                        Severity::Error => found.problems.push(problem),
                        _ => found.warnings.push(problem),
                    }
                }
            }
            ValuesStep::Variable { key, variable, text, yaml } => {
                self.reads.variable(variable);
                if let Some(text) = text {
                    let kind = if *yaml { "data-values-env-yaml" } else { "data-values-env" };
                    let name = format!("({kind} arg) {variable}");
                    let source = call_source(reader.sources, ready.at, &name, "");
                    found.one(reader.variable(source, key, variable, text, *yaml));
                }
            }
            ValuesStep::Key(..) | ValuesStep::Yaml(..) | ValuesStep::File(..) | ValuesStep::Document(..) => {
                let source = rust_source(reader.sources, ready.at, "");
                let at = Some(Span::new(source, 0, 0));
                found.one(self.code_value(reader, ready, source).map_err(|problem| problem.at(at)));
            }
        }
    }

    fn values_files(&self, reader: &mut Reader<'_>, ready: &Ready, found: &mut Collected<'_>) {
        let (route, path) = &ready.target;
        // Documents and licences may lie among the values of a folder.
        for file in ready.files.iter().filter(|file| !file.is_implied() || file.kind == FileKind::Yaml) {
            let source = file
                .open(reader.sources, &self.limits)
                .map_err(|problem| problem.context(format!("Reading file '{}'", file.path)).context(FROM_FILE));
            match source.and_then(|source| reader.values_file(source, route, path)) {
                Ok(values) => found.values.extend(values),
                Err(problem) => found.problems.push(problem),
            }
        }
    }

    fn code_value(&self, reader: &mut Reader<'_>, ready: &Ready, source: SourceId) -> Result<GivenValue, Diagnostic> {
        match &ready.step {
            ValuesStep::Document(library, value) => reader.rust_document(source, library, value),
            ValuesStep::Key(key, value) => {
                let tree = rust_source(reader.sources, ready.at, "");
                reader.rust_key(source, key, tree, value)
            }
            ValuesStep::Yaml(key, text) => {
                let inner = rust_source(reader.sources, ready.at, text);
                reader.rust_yaml(source, key, inner)
            }
            ValuesStep::File(key, path) => {
                let text = self.bytes(reader, ready, &path.to_string_lossy())?;
                reader.rust_file(source, key, text.as_bytes())
            }
            other => unreachable!("only values from code come here, not {other:?}"),
        }
    }

    /// Bytes of the one file of a step.
    fn bytes(&self, reader: &Reader<'_>, ready: &Ready, path: &str) -> Result<Text, Diagnostic> {
        let Some(file) = ready.files.first() else {
            unreachable!("a step that needs a file has one, or its listing failed");
        };
        let source = file
            .open(reader.sources, &self.limits)
            .map_err(|problem| problem.context(format!("Reading file '{path}'")).context(FROM_FILE))?;
        Ok(reader.sources.get(source).text.clone())
    }
}

struct Collected<'a> {
    values: &'a mut Vec<GivenValue>,
    problems: &'a mut Diagnostics,
    warnings: &'a mut Vec<Diagnostic>,
}

impl Collected<'_> {
    fn one(&mut self, value: Result<GivenValue, Diagnostic>) {
        match value {
            Ok(value) => self.values.push(value),
            Err(problem) => self.problems.push(problem),
        }
    }
}

/// A source that stands for a call in Rust code: see [`Origin::Rust`].
pub(super) fn rust_source(sources: &SourceMap, at: At, text: &str) -> SourceId {
    call_source(sources, at, "(values)", text)
}

fn call_source(sources: &SourceMap, at: At, name: &str, text: &str) -> SourceId {
    let text = Text::Str(text.into());
    sources.add(Source::new(name, text, Origin::Rust(at.location), at.number, LineBreaks::Yaml))
}

/// Files in memory need no listing.
pub(super) fn memory(path: &str, text: &Text, at: At) -> Listed {
    Listed::new(path, Content::Memory(text.clone()), at.number)
}
