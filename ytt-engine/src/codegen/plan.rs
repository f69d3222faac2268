//! From a call to a render: which steps a call takes, and which of its tokens a problem belongs to.

use std::path::PathBuf;
use std::sync::Arc;

use proc_macro2::Span;

use super::call::{Arguments, Call, CallError, CallMap, CallValue, Limit, Output, Text};
use super::track;
use crate::diag::draw::{self, Style};
use crate::diag::{Code, Label};
use crate::source::Origin;
use crate::yaml::{Map, Value};
use crate::{Diagnostic, Error, Format, Inputs, Limits, Project};

/// What a call gave.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The text to embed.
    pub text: String,
    /// What was read.
    pub inputs: Inputs,
    /// Reports that stop nothing.
    pub warnings: Vec<Report>,
}

/// Why a call gave nothing.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What to show, each at its token.
    pub reports: Vec<Report>,
    /// What was read until then: a change of it may mend the call.
    pub inputs: Inputs,
}

/// A text for people, and the token to which it belongs.
#[derive(Clone, Debug)]
pub struct Report {
    /// The token of the call.
    pub span: Span,
    /// One or more lines, without the leading `ytt: `.
    pub text: String,
}

impl From<CallError> for Report {
    fn from(error: CallError) -> Report {
        Report { span: error.span, text: error.message }
    }
}

/// A call whose paths are known, ready to be rendered.
#[derive(Debug)]
pub struct Plan {
    project: Project,
    /// The token of each step of the project, by the step's number.
    steps: Vec<Span>,
    /// The tokens of `values`, in pre-order, as the engine numbers them.
    values: Vec<Tokens>,
    /// The number of the step that gives `values`.
    values_step: usize,
    /// How the inputs are called in reports.
    title: String,
    output: Output,
    file: Option<Text>,
}

/// Where a data value stands in the call.
#[derive(Clone, Copy, Debug)]
struct Tokens {
    /// The key in front of it; an item of a list has none, and stands for itself.
    key: Span,
    value: Span,
}

impl Plan {
    /// Plans a call. `resolve` finds the path that a text of the call means, `variable` gives environment variables.
    ///
    /// # Errors
    ///
    /// The paths that cannot be resolved, each at its token.
    pub fn new(
        call: &Call,
        resolve: &dyn Fn(&Text) -> Result<PathBuf, CallError>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Plan, Vec<CallError>> {
        let mut building = Building { project: Project::new(), steps: Vec::new(), errors: Vec::new(), resolve };
        for input in &call.inputs {
            building.path(input, |project, path| project.read(path));
        }
        let arguments = &call.arguments;
        for file in &arguments.values_file {
            building.path(file, |project, path| project.data_values_file(path));
        }
        building.variables(arguments, variable);
        building.settings(arguments);
        let mut values = Vec::new();
        let values_step = building.steps.len();
        if let Some(map) = &arguments.values {
            let tree = tree(map, map.span, &mut values);
            building.step(map.span, |project| project.data_values_map(tree));
        }
        let Building { project, steps, errors, .. } = building;
        if !errors.is_empty() {
            return Err(errors);
        }
        let title: Vec<String> = call.inputs.iter().map(|input| format!("`{}`", input.value)).collect();
        Ok(Plan {
            project,
            steps,
            values,
            values_step,
            title: title.join(" + "),
            output: arguments.output,
            file: arguments.file.clone(),
        })
    }

    /// Renders.
    ///
    /// # Errors
    ///
    /// All problems of the stage that failed, grouped by the tokens to which they belong.
    pub fn render(&self) -> Result<Expansion, Failure> {
        track::trace("render", &self.title);
        let rendered = self.project.render().map_err(|error| self.failure(&error))?;
        let text = match &self.file {
            Some(file) => self.one_file(&rendered, file)?,
            None => {
                let format = match self.output {
                    Output::Yaml => Format::Yaml,
                    Output::Json => Format::Json,
                    Output::Pos => Format::Pos,
                };
                rendered.to_text(format).map_err(|error| self.failure(&error))?
            }
        };
        let warnings = self.grouped(rendered.warnings(), "warning", usize::MAX);
        Ok(Expansion { text, inputs: rendered.inputs().clone(), warnings })
    }

    fn one_file(&self, rendered: &crate::Rendered, file: &Text) -> Result<String, Failure> {
        let fail = |text: String| Failure {
            reports: vec![Report { span: file.span, text }],
            inputs: rendered.inputs().clone(),
        };
        let files = rendered.files().map_err(|error| self.failure(&error))?;
        let Some(found) = files.iter().rfind(|known| known.path() == file.value) else {
            let names: Vec<&str> = files.iter().map(crate::RenderedFile::path).collect();
            return Err(fail(format!("no output file `{}`; there are {}", file.value, names.join(", "))));
        };
        match found.text() {
            Some(text) => Ok(text.to_owned()),
            None => Err(fail(format!("`{}` is not UTF-8", file.value))),
        }
    }

    fn failure(&self, error: &Error) -> Failure {
        let reports = self.grouped(error.diagnostics(), "problem", error.reports());
        Failure { reports, inputs: error.inputs().clone() }
    }

    /// Problems in files are one report, at the token of the first; a problem in the call has one of its own.
    fn grouped(&self, diagnostics: &[Diagnostic], what: &str, limit: usize) -> Vec<Report> {
        let (mut in_files, mut in_call) = (Vec::new(), Vec::new());
        let mut first = None;
        for diagnostic in diagnostics {
            let (span, is_in_call) = self.token(diagnostic);
            if is_in_call {
                in_call.push(Report { span, text: draw::draw(&without_places_in_code(diagnostic), STYLE) });
            } else {
                first.get_or_insert(span);
                in_files.push(diagnostic.clone());
            }
        }
        let mut reports = Vec::new();
        if let Some(span) = first {
            let count = in_files.len();
            let plural = if count == 1 { "" } else { "s" };
            let report = draw::report(&in_files, limit, STYLE);
            let text = format!("{count} {what}{plural} rendering {}\n{}", self.title, report.trim_end());
            reports.push(Report { span, text });
        }
        reports.extend(in_call);
        reports
    }

    /// The token to which a problem belongs, and whether the problem is in the call, not in a file.
    fn token(&self, diagnostic: &Diagnostic) -> (Span, bool) {
        let fallback = self.steps.first().copied().unwrap_or_else(Span::call_site);
        let parts = diagnostic.parts();
        let (Some(sources), Some(label)) = (&parts.sources, parts.labels.first()) else { return (fallback, false) };
        let source = sources.get(label.span.source);
        let (step, is_in_call) = (source.input as usize, matches!(source.origin, Origin::Rust(_)));
        if is_in_call
            && step == self.values_step
            && let Some(tokens) = self.values.get(label.span.start as usize)
        {
            let is_key = diagnostic.code() == Code::SCHEMA_UNDECLARED;
            return (if is_key { tokens.key } else { tokens.value }, true);
        }
        (self.steps.get(step).copied().unwrap_or(fallback), is_in_call)
    }
}

/// The engine knows a value of a call by the line of this crate that gave it; the compiler shows the token instead.
fn without_places_in_code(diagnostic: &Diagnostic) -> Diagnostic {
    let mut shown = diagnostic.clone();
    let Some(sources) = shown.parts().sources.clone() else { return shown };
    let is_code = |label: &Label| matches!(sources.get(label.span.source).origin, Origin::Rust(_));
    shown.parts_mut().labels.retain(|label| !is_code(label));
    shown
}

/// Reports of a build name files as they are opened, so that they can be found from the workspace.
const STYLE: Style = Style { colors: false, steps: false, paths: true };

struct Building<'a> {
    project: Project,
    steps: Vec<Span>,
    errors: Vec<CallError>,
    resolve: &'a dyn Fn(&Text) -> Result<PathBuf, CallError>,
}

impl Building<'_> {
    /// Takes one step of the project, which belongs to this token.
    fn step(&mut self, span: Span, step: impl FnOnce(Project) -> Project) {
        self.project = step(std::mem::take(&mut self.project));
        self.steps.push(span);
    }

    fn path(&mut self, text: &Text, step: impl FnOnce(Project, PathBuf) -> Project) {
        match (self.resolve)(text) {
            Ok(path) => self.step(text.span, |project| step(project, path)),
            Err(error) => self.errors.push(error),
        }
    }

    fn variables(&mut self, arguments: &Arguments, variable: &dyn Fn(&str) -> Option<String>) {
        for (path, name) in &arguments.env {
            let value = variable(&name.value);
            self.step(name.span, |project| project.data_value_env(path.join("."), name.value.clone(), value));
        }
        for (path, name) in &arguments.env_yaml {
            let value = variable(&name.value);
            self.step(name.span, |project| project.data_value_env_yaml(path.join("."), name.value.clone(), value));
        }
    }

    fn settings(&mut self, arguments: &Arguments) {
        for mark in &arguments.file_marks {
            self.step(mark.span, |project| project.file_mark(mark.value.as_str()));
        }
        for target in &arguments.allow_symlink_destination {
            self.path(target, |project, path| project.allow_symlink_destination(path));
        }
        let project = std::mem::take(&mut self.project);
        self.project = project
            .strict(arguments.strict)
            .ignore_unknown_comments(arguments.ignore_unknown_comments)
            .implicit_map_key_overrides(arguments.implicit_map_key_overrides)
            .dangerous_data_values_disable_validation(arguments.dangerous_data_values_disable_validation)
            .limits(limits(&arguments.limits));
    }
}

fn limits(changed: &[Limit]) -> Limits {
    let mut limits = Limits::build();
    for limit in changed {
        limits.set(&limit.name, limit.value);
    }
    limits
}

/// The tree of a map, and the tokens of its values in pre-order.
fn tree(map: &CallMap, key: Span, tokens: &mut Vec<Tokens>) -> Value {
    tokens.push(Tokens { key, value: map.span });
    let mut entries = Map::new();
    for entry in &map.entries {
        entries.insert(entry.key.as_str(), value(&entry.value, entry.span, tokens));
    }
    Value::Map(Arc::new(entries))
}

fn value(of: &CallValue, key: Span, tokens: &mut Vec<Tokens>) -> Value {
    if let CallValue::Map(map) = of {
        return tree(map, key, tokens);
    }
    tokens.push(Tokens { key, value: of.span() });
    match of {
        CallValue::Null(_) | CallValue::Map(_) => Value::Null,
        CallValue::Bool(flag, _) => Value::Bool(*flag),
        CallValue::Int(number, _) => match i64::try_from(*number) {
            Ok(number) => Value::Int(number),
            Err(_) => Value::UInt(u64::try_from(*number).unwrap_or(u64::MAX)),
        },
        CallValue::Float(number, _) => Value::Float(*number),
        CallValue::Str(text, _) => Value::from(text.as_str()),
        CallValue::Array(items, _) => {
            Value::from(items.iter().map(|item| value(item, item.span(), tokens)).collect::<Vec<_>>())
        }
    }
}
