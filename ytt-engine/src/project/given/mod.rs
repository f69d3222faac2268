//! Data values from outside of the files: each step of a project that gives some becomes [`GivenValue`]s.
//!
//! Here files are listed and opened; [`Reader`] makes values of what they hold, of flags, variables and Rust values.

mod read;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{At, Steps};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::files::{File, FileKind, Listing, split_argument};
use crate::library::route::Route;
use crate::library::values::GivenValue;
use crate::limits::Limits;
use crate::source::{SourceId, SourceMap, Text};
use crate::yaml::value::to_arena;
use crate::yaml::{Arena, ReadOptions, Value};

pub(super) use read::Key;
use read::{Reader, from_file, split_file_flag, split_path_flag};

#[derive(Clone, Debug)]
pub(super) enum GivenStep {
    Value(String, Value),
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
    /// Kept as it was typed.
    Flag(GivenFlag, String),
}

/// A flag that gives data values.
#[derive(Clone, Copy, Debug)]
pub(super) enum GivenFlag {
    Text,
    Yaml,
    TextFile,
    ValuesFile,
}

impl GivenStep {
    pub(super) fn env<N: Into<String>, V: Into<String>>(
        prefix: String,
        yaml: bool,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> GivenStep {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        GivenStep::Env { prefix, yaml, variables }
    }

    pub(super) fn variable(
        key: Key,
        variable: impl Into<String>,
        text: Option<impl Into<String>>,
        yaml: bool,
    ) -> GivenStep {
        GivenStep::Variable { key, variable: variable.into(), text: text.map(Into::into), yaml }
    }

    pub(super) fn flag(flag: &str, text: String) -> Option<GivenStep> {
        let flag = match flag {
            "-v" | "--data-value" => GivenFlag::Text,
            "--data-value-yaml" => GivenFlag::Yaml,
            "--data-value-file" => GivenFlag::TextFile,
            "--data-values-file" => GivenFlag::ValuesFile,
            _ => return None,
        };
        Some(GivenStep::Flag(flag, text))
    }
}

#[derive(Default)]
pub(super) struct Gathered {
    pub(super) values: Vec<GivenValue>,
    /// Of steps whose files cannot be listed; they are told among the other problems of listing.
    pub(super) unlisted: Vec<(At, Diagnostic)>,
    pub(super) problems: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Lists, opens and reads what all steps give. A step that has a problem does not keep the others from being read.
pub(super) fn gather(steps: &Steps, listing: &Listing<'_>, arena: &mut Arena, sources: &SourceMap) -> Gathered {
    let options = &ReadOptions::new(steps.options.strict, &steps.limits);
    let mut gathered = Gathered::default();
    for (at, step) in &steps.given {
        let reader = Reader { arena, sources, reads: listing.reads, options, at: *at, warnings: Vec::new() };
        let mut gather = Gather { reader, listing, limits: &steps.limits, gathered: &mut gathered };
        let listed = gather.step(step);
        let mut warnings = gather.reader.warnings;
        gathered.warnings.append(&mut warnings);
        if let Err(problems) = listed {
            gathered.unlisted.extend(problems.0.into_iter().map(|problem| (*at, problem)));
        }
    }
    gathered
}

struct Gather<'a> {
    reader: Reader<'a>,
    listing: &'a Listing<'a>,
    limits: &'a Limits,
    gathered: &'a mut Gathered,
}

impl Gather<'_> {
    /// # Errors
    ///
    /// The step has no files that can be listed.
    fn step(&mut self, step: &GivenStep) -> Result<(), Diagnostics> {
        let value = match step {
            GivenStep::Flag(GivenFlag::Text, text) => self.reader.text(text),
            GivenStep::Flag(GivenFlag::Yaml, text) => self.reader.yaml(text),
            GivenStep::Flag(GivenFlag::TextFile, text) => {
                let (_, path) = split_file_flag(text)?;
                let file = one_file(self.list_argument(path, "Finding file")?, path)?;
                self.bytes(&file, path).and_then(|bytes| self.reader.file(text, bytes.as_bytes()))
            }
            GivenStep::Flag(GivenFlag::ValuesFile, text) => {
                let (route, path) = split_path_flag(text)?;
                let files = self.list_argument(path, "Find files")?;
                self.values_files(&files, &route, path);
                return Ok(());
            }
            GivenStep::ValuesFile(path) => {
                let text = path.to_string_lossy();
                let files = self.list(&text, path, None, "Find files")?;
                self.values_files(&files, &Route::default(), &text);
                return Ok(());
            }
            GivenStep::Env { prefix, yaml, variables } => {
                let (values, problems) = self.reader.environment(prefix, *yaml, variables);
                self.gathered.values.extend(values);
                self.gathered.problems.extend(problems);
                return Ok(());
            }
            GivenStep::Variable { key, variable, text, yaml } => {
                self.listing.reads.variable(variable);
                let Some(text) = text else { return Ok(()) };
                self.reader.variable(key, variable, text, *yaml)
            }
            GivenStep::Document(library, value) => self.reader.code_document(library, value),
            GivenStep::Value(key, value) => self.reader.code_value(key, |reader| {
                let source = reader.call("");
                to_arena(reader.arena, value, Some(source))
            }),
            GivenStep::Yaml(key, text) => self.reader.code_value(key, |reader| reader.code_yaml(key, text)),
            GivenStep::File(key, path) => {
                let text = path.to_string_lossy();
                let file = one_file(self.list(&text, path, None, "Finding file")?, &text)?;
                let bytes = self.bytes(&file, &text);
                self.reader.code_value(key, |reader| Ok(reader.arena.make_bytes(bytes?.as_bytes())))
            }
        };
        match value {
            Ok(value) => self.gathered.values.push(value),
            Err(problem) => self.gathered.problems.push(problem),
        }
        Ok(())
    }

    /// Files of a path; `step` is what is done with `text`, as the reference says it.
    fn list(&self, text: &str, path: &Path, name: Option<&str>, step: &str) -> Result<Vec<File>, Diagnostics> {
        let listed = self.listing.list(path, name, self.reader.at.number);
        let (listed, _) =
            listed.map_err(|problems| problems.context(format!("{step} '{text}'")).context(from_file()))?;
        Ok(listed.into_iter().map(|file| file.finish(self.listing.reads)).collect())
    }

    /// Files of the argument of a flag, which may rename its file as that of `-f` may.
    fn list_argument(&self, text: &str, step: &str) -> Result<Vec<File>, Diagnostics> {
        let split = split_argument(text);
        let (name, path) = split.map_err(|problem| problem.context(format!("{step} '{text}'")).context(from_file()))?;
        self.list(text, Path::new(path), name, step)
    }

    /// `path` is the file's as it was given.
    fn bytes(&self, file: &File, path: &str) -> Result<Text, Diagnostic> {
        let source = self.open(file, path)?;
        Ok(self.reader.sources.get(source).text.clone())
    }

    fn open(&self, file: &File, path: &str) -> Result<SourceId, Diagnostic> {
        let opened = file.open(self.reader.sources, self.limits);
        opened.map_err(|problem| problem.context(format!("Reading file '{path}'")).context(from_file()))
    }

    fn values_files(&mut self, files: &[File], route: &Route, path: &str) {
        // Documents and licences may lie among the values of a folder.
        for file in files.iter().filter(|file| !file.is_in_subfolder() || file.kind == FileKind::Yaml) {
            let source = self.open(file, file.path.as_str());
            match source.and_then(|source| self.reader.values_file(source, route, path)) {
                Ok(values) => self.gathered.values.extend(values),
                Err(problem) => self.gathered.problems.push(problem),
            }
        }
    }
}

fn one_file(files: Vec<File>, text: &str) -> Result<File, Diagnostic> {
    let count = files.len();
    files.into_iter().next().filter(|_| count == 1).ok_or_else(|| {
        let text = format!("Expected '{text}' to be a file, but is a directory");
        Diagnostic::error(Code::VALUES_FILE, text).context(from_file())
    })
}
