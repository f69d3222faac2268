//! From a source of a call to a render: which steps it takes, and which of its tokens a problem belongs to.

use std::path::PathBuf;
use std::sync::Arc;

use proc_macro2::Span;

use super::call::{Arguments, CallError, CallKind, CallValue, Entry, Limit, LintLevel, Named, Source, Text};
use super::said::{STYLE, Said, report_beside, without_places_in_code};
use super::track;
use crate::diag::draw;
use crate::diag::{Code, Voice};
#[cfg(feature = "pretty")]
use crate::lints::{By, Level};
use crate::source::Origin;
use crate::yaml::{Map, Value};
use crate::{Diagnostic, Error, Inputs, Limits, Project, Rendered};

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
        Report { span: error.span, text: format!("{} [call::{}]", error.message, error.name) }
    }
}

impl Failure {
    /// Problems of the call itself.
    pub(super) fn of_call(errors: Vec<CallError>) -> Failure {
        Failure { reports: errors.into_iter().map(Report::from).collect(), inputs: Inputs::default() }
    }

    /// A problem of the whole.
    #[cfg(feature = "pretty")]
    pub(super) fn of_text(text: String, inputs: &Inputs) -> Failure {
        Failure { reports: vec![Report { span: Span::call_site(), text }], inputs: inputs.clone() }
    }
}

/// A source whose paths are known, ready to be rendered.
#[derive(Debug)]
pub struct Plan {
    project: Project,
    /// The token of each step of the project, by the step's number.
    steps: Vec<Span>,
    /// For each step that gives data values: its number, and the tokens by the numbers that the engine gives them.
    values: Vec<(usize, Vec<Tokens>)>,
    /// How the inputs are called in reports.
    title: String,
    /// One line for everything that decides about the result.
    key: String,
}

/// Where a data value stands in the call.
#[derive(Clone, Copy, Debug)]
struct Tokens {
    /// The key in front of it; an item of a list has none, and stands for itself.
    key: Span,
    value: Span,
}

impl Plan {
    /// Plans a render. `resolve` finds the path that a text of the call means, `variable` gives environment variables.
    ///
    /// # Errors
    ///
    /// The paths that cannot be resolved, each at its token.
    pub fn new(
        source: &Source,
        resolve: &dyn Fn(&Text) -> Result<PathBuf, CallError>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Plan, Vec<CallError>> {
        // Cargo shows again whatever a macro prints, at every build.
        let project = Project::new().on_print(|_| {}).spoken(Voice::Macro);
        let (title, key) = (source.named_inputs(" + "), String::new());
        let plan = Plan { project, steps: Vec::new(), values: Vec::new(), title, key };
        let mut building = Building { plan, errors: Vec::new(), resolve };
        for input in &source.inputs {
            building.path("input", input, |project, path| project.read(path));
        }
        let arguments = &source.arguments;
        for file in &arguments.values_file {
            building.path("values_file", file, |project, path| project.data_values_file(path));
        }
        building.variables(arguments, variable);
        building.settings(arguments);
        if let Some((map, span)) = &arguments.values {
            building.values(map, *span);
        }
        if building.errors.is_empty() { Ok(building.plan) } else { Err(building.errors) }
    }

    /// The same for a call with items that take the data values: then all of them are used.
    pub(super) fn taking_values(mut self) -> Plan {
        self.key.push_str(" data values are taken");
        self.project = self.project.taking_values();
        self
    }

    /// The inputs as reports name them.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Two plans with equal keys give the same, as long as the files stay as they are.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Renders, without a cache.
    ///
    /// # Errors
    ///
    /// As [`Project::render`].
    pub fn render(&self) -> crate::Result<Rendered> {
        track::trace("render", &self.title);
        self.project.render()
    }

    /// Renders without a cache, with a record for [`Rendered::explanation`].
    ///
    /// # Errors
    ///
    /// As [`Project::render`].
    #[cfg(all(feature = "pretty", feature = "explain"))]
    pub(super) fn render_explained(&self, lints: &[(String, Level)]) -> crate::Result<Rendered> {
        with_lints(self.project.clone(), lints).explain(true).render()
    }

    /// Renders as far as the data values.
    ///
    /// # Errors
    ///
    /// As [`Project::values`].
    pub fn values(&self) -> crate::Result<Rendered> {
        track::trace("values", &self.title);
        self.project.values()
    }

    /// Renders outside of a compiler, with levels of lints that a command line sets beside those of the call. The values
    /// are enough where nothing else is asked for: they are there before a template fails.
    ///
    /// # Errors
    ///
    /// As [`Project::render`].
    #[cfg(feature = "pretty")]
    pub(super) fn render_beside(&self, lints: &[(String, Level)], only_values: bool) -> crate::Result<Rendered> {
        let project = with_lints(self.project.clone(), lints);
        project.render().or_else(|error| match only_values && !error.is_denied() {
            true => project.values(),
            false => Err(error),
        })
    }

    /// The reports of a render that failed. What `said` knows already is only named.
    pub fn failure(&self, error: &Error, said: Option<&Said>) -> Failure {
        let mut reports = self.grouped(error.diagnostics(), "problem", error.reports(), said);
        // What was only warned of may be the reason.
        let warnings = self.grouped(error.warnings(), "warning", error.reports(), said);
        if let Some(first) = reports.first_mut() {
            for warning in warnings {
                first.text = format!("{}\n\n{}", first.text.trim_end(), warning.text.trim_end());
            }
        }
        Failure { reports, inputs: error.inputs().clone() }
    }

    /// The reports of what stops nothing.
    pub fn warnings(&self, warnings: &[Diagnostic], said: Option<&Said>) -> Vec<Report> {
        self.grouped(warnings, "warning", usize::MAX, said)
    }

    /// Problems in files are one report, at the token of the first; a problem in the call has one of its own.
    fn grouped(&self, diagnostics: &[Diagnostic], what: &str, limit: usize, said: Option<&Said>) -> Vec<Report> {
        let (mut in_files, mut in_call, mut known) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = None;
        for diagnostic in diagnostics {
            let (span, is_in_call) = self.token(diagnostic);
            if is_in_call {
                in_call.push(Report { span, text: draw::draw(&without_places_in_code(diagnostic), STYLE) });
                continue;
            }
            first.get_or_insert(span);
            match said.and_then(|said| said.place_if_known(diagnostic)) {
                Some(place) => known.push(place),
                None => in_files.push(without_places_in_code(diagnostic)),
            }
        }
        let of_files = first.map(|span| {
            let text = report_beside(&self.title, what, (&in_files, known), limit, STYLE);
            Report { span, text: text.trim_end().to_owned() }
        });
        of_files.into_iter().chain(in_call).collect()
    }

    /// The token to which a problem belongs, and whether the problem is in the call, not in a file.
    fn token(&self, diagnostic: &Diagnostic) -> (Span, bool) {
        let fallback = self.steps.first().copied().unwrap_or_else(Span::call_site);
        let parts = diagnostic.parts();
        let (Some(sources), Some(label)) = (&parts.sources, parts.labels.first()) else { return (fallback, false) };
        let source = sources.get(label.span.source);
        let (step, is_in_call) = (source.input as usize, matches!(source.origin, Origin::Rust(_)));
        if is_in_call
            && let Some((_, values)) = self.values.iter().find(|(number, _)| *number == step)
            && let Some(tokens) = values.get(label.span.start as usize)
        {
            let is_key = diagnostic.code() == Code::SCHEMA_UNDECLARED;
            return (if is_key { tokens.key } else { tokens.value }, true);
        }
        (self.steps.get(step).copied().unwrap_or(fallback), is_in_call)
    }
}

struct Building<'a> {
    plan: Plan,
    errors: Vec<CallError>,
    resolve: &'a dyn Fn(&Text) -> Result<PathBuf, CallError>,
}

impl Building<'_> {
    /// Takes one step of the project, which belongs to this token.
    fn step(&mut self, span: Span, step: impl FnOnce(Project) -> Project) {
        self.plan.project = step(std::mem::take(&mut self.plan.project));
        self.plan.steps.push(span);
    }

    fn note(&mut self, what: &str, value: &dyn std::fmt::Debug) {
        self.plan.key.push_str(&format!("{what} {value:?}\n"));
    }

    fn path(&mut self, what: &str, text: &Text, step: impl FnOnce(Project, PathBuf) -> Project) {
        match (self.resolve)(text) {
            Ok(path) => {
                self.note(what, &path);
                self.step(text.span, |project| step(project, path));
            }
            Err(error) => self.errors.push(error),
        }
    }

    /// The value of a variable has the number 0, the parts of its key the numbers behind it.
    fn variables(&mut self, arguments: &Arguments, variable: &dyn Fn(&str) -> Option<String>) {
        for (variables, yaml) in [(&arguments.env, false), (&arguments.env_yaml, true)] {
            for Named { key, variable: name } in variables {
                let value = variable(&name.value);
                let parts: Vec<String> = key.iter().map(|(part, _)| part.clone()).collect();
                self.note("env", &(&parts, &name.value, &value, yaml));
                let mut tokens = vec![Tokens { key: name.span, value: name.span }];
                tokens.extend(key.iter().map(|(_, span)| Tokens { key: *span, value: *span }));
                self.plan.values.push((self.plan.steps.len(), tokens));
                self.step(name.span, |project| project.data_value_variable(&parts, &name.value, value, yaml));
            }
        }
    }

    /// Keys with `@` in front hold the values of libraries, each in a step of its own.
    fn values(&mut self, map: &[Entry], span: Span) {
        let (libraries, own): (Vec<&Entry>, Vec<&Entry>) = map.iter().partition(|entry| entry.key.starts_with('@'));
        if !own.is_empty() {
            self.some_values("", span, span, &own);
        }
        for entry in libraries {
            if let CallKind::Map(inner) = &entry.value.kind {
                let entries: Vec<&Entry> = inner.iter().collect();
                self.some_values(&entry.key, entry.span, entry.value.span, &entries);
            } else {
                let message = format!("expected the values of library `{}`: {{ key: value, … }}", entry.key);
                self.errors.push(CallError::new("values-not-map", entry.value.span, message));
            }
        }
    }

    fn some_values(&mut self, library: &str, key: Span, span: Span, entries: &[&Entry]) {
        let mut tokens = Vec::new();
        let tree = tree(entries, Tokens { key, value: span }, &mut tokens);
        self.note("values", &(library, &tree));
        self.plan.values.push((self.plan.steps.len(), tokens));
        self.step(key, |project| project.data_values_of(library, tree));
    }

    fn settings(&mut self, arguments: &Arguments) {
        for mark in &arguments.file_marks {
            self.note("mark", &mark.value);
            self.step(mark.span, |project| project.file_mark(mark.value.as_str()));
        }
        for target in &arguments.allow_symlink_destination {
            self.path("symlink", target, |project, path| project.allow_symlink_destination(path));
        }
        let flags = [
            arguments.strict,
            arguments.ignore_unknown_comments,
            arguments.implicit_map_key_overrides,
            arguments.dangerous_data_values_disable_validation,
        ];
        self.note("flags", &flags);
        self.note("limits", &limits(&arguments.limits));
        let project = std::mem::take(&mut self.plan.project);
        self.plan.project = project
            .strict(arguments.strict)
            .ignore_unknown_comments(arguments.ignore_unknown_comments)
            .implicit_map_key_overrides(arguments.implicit_map_key_overrides)
            .dangerous_data_values_disable_validation(arguments.dangerous_data_values_disable_validation)
            .limits(limits(&arguments.limits));
        for LintLevel { code, level, span } in &arguments.lints {
            self.note("lint", &(code, level));
            self.step(*span, |project| project.lint(code, *level));
        }
    }
}

/// The project with levels of lints that flags of a command set, beside its own.
#[cfg(feature = "pretty")]
pub(super) fn with_lints(project: Project, lints: &[(String, Level)]) -> Project {
    lints.iter().fold(project, |project, (code, level)| project.lint_by(code.clone(), *level, By::Flag))
}

fn limits(changed: &[Limit]) -> Limits {
    let mut limits = Limits::build();
    for limit in changed {
        limits.set(&limit.name, limit.value);
    }
    limits
}

/// The tree of a map, and the tokens of its values in pre-order; `own` are those of the map.
fn tree(entries: &[&Entry], own: Tokens, tokens: &mut Vec<Tokens>) -> Value {
    tokens.push(own);
    let mut map = Map::new();
    for entry in entries {
        map.insert(entry.key.as_str(), value(&entry.value, entry.span, tokens));
    }
    Value::Map(Arc::new(map))
}

fn value(of: &CallValue, key: Span, tokens: &mut Vec<Tokens>) -> Value {
    if let CallKind::Map(map) = &of.kind {
        return tree(&map.iter().collect::<Vec<_>>(), Tokens { key, value: of.span }, tokens);
    }
    tokens.push(Tokens { key, value: of.span });
    match &of.kind {
        CallKind::Null | CallKind::Map(_) => Value::Null,
        CallKind::Bool(flag) => Value::Bool(*flag),
        CallKind::Int(number) => match i64::try_from(*number) {
            Ok(number) => Value::Int(number),
            Err(_) => Value::UInt(u64::try_from(*number).unwrap_or(u64::MAX)),
        },
        CallKind::Float(number) => Value::Float(*number),
        CallKind::Str(text) => Value::from(text.as_str()),
        CallKind::Array(items) => {
            Value::from(items.iter().map(|item| value(item, item.span, tokens)).collect::<Vec<_>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::call;
    use crate::folder::Folder;

    /// Renders a call whose one input is a folder with these files; the variable `TAG` is `1.4`.
    fn render(name: &str, files: &[(&str, &str)], arguments: &str) -> Result<String, Vec<String>> {
        let folder = Folder::with(name, files.iter().copied());
        let variable = |name: &str| (name == "TAG").then(|| "1.4".to_owned());
        let tokens = format!("\"input\", {arguments}").parse().unwrap();
        let call = call::parse(tokens, &variable).unwrap();
        let call::Form::Text(source) = &call.form else { panic!("an expression") };
        let texts = |reports: Vec<Report>| reports.into_iter().map(|report| report.text).collect::<Vec<_>>();
        let of_calls = |errors: Vec<CallError>| texts(errors.into_iter().map(Report::from).collect());
        let plan = Plan::new(source, &|_| Ok(folder.to_path_buf()), &variable);
        plan.map_err(of_calls).and_then(|plan| {
            let rendered = plan.render().and_then(|rendered| rendered.to_text(crate::Format::Yaml));
            rendered.map_err(|error| texts(plan.failure(&error, None).reports))
        })
    }

    const VALUES: &str = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:struct\", \"struct\")\n\
                          --- #@ struct.decode(data.values)\n";

    #[test]
    fn a_quoted_part_of_a_key_keeps_its_dots() {
        let files = [("a.yml", VALUES)];
        let text = render("dots", &files, r#"env = { "image.tag": "TAG" }, values = { "a.b".c: 1 }"#).unwrap();
        assert_eq!(text, "image.tag: \"1.4\"\na.b:\n  c: 1\n");
        let text = render("yaml", &files, r#"env_yaml = { image."x.y": "TAG" }"#).unwrap();
        assert_eq!(text, "image:\n  x.y: 1.4\n");
    }

    #[test]
    fn keys_with_an_at_are_values_of_libraries() {
        let files = [
            ("a.yml", "#@ load(\"@ytt:library\", \"library\")\na: #@ library.get(\"l\").eval()[0]\n"),
            ("_ytt_lib/l/s.yml", "#@data/values-schema\n---\nsize: 1\nt: \"\"\n"),
            ("_ytt_lib/l/b.yml", "#@ load(\"@ytt:data\", \"data\")\nsize: #@ data.values.size\nt: #@ data.values.t\n"),
        ];
        let text = render("library", &files, r#"env = { "@l".t: "TAG" }, values = { "@l": { size: 2 } }"#).unwrap();
        assert_eq!(text, "a:\n  size: 2\n  t: \"1.4\"\n");
        let wrong = render("scalar", &files, r#"values = { "@l": 2 }"#).unwrap_err();
        assert_eq!(wrong, ["expected the values of library `@l`: { key: value, … } [call::values-not-map]"]);
        let wrong = render("type", &files, r#"values = { "@l": { size: "x" } }"#).unwrap_err();
        assert!(wrong[0].starts_with("error[schema::type]: ") && wrong[0].contains("found: string"), "{wrong:?}");
    }

    #[test]
    fn paths_that_cannot_be_resolved_are_told_together() {
        let tokens =
            r#""a", "gone", values_file = ["b", "lost"], allow_symlink_destination = ["away"]"#.parse().unwrap();
        let call = call::parse(tokens, &|_| None).unwrap();
        let call::Form::Text(source) = &call.form else { panic!("an expression") };
        let resolve = |text: &Text| match text.value.len() {
            1 => Ok(PathBuf::from(&text.value)),
            _ => Err(CallError::new("input-missing", text.span, format!("no `{}`", text.value))),
        };
        let failure = Failure::of_call(Plan::new(source, &resolve, &|_| None).unwrap_err());
        let texts: Vec<&str> = failure.reports.iter().map(|report| report.text.as_str()).collect();
        let expected = ["gone", "lost", "away"].map(|name| format!("no `{name}` [call::input-missing]"));
        assert_eq!(texts, expected);
        assert_eq!(failure.inputs, Inputs::default());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_where_the_call_allows_it() {
        let of = |arguments: &str| {
            let folder = Folder::with("call-link", [("in/a.yml", "a: 1\n"), ("other/b.yml", "b: 1\n")]);
            std::os::unix::fs::symlink("../other/b.yml", folder.join("in/b.yml")).unwrap();
            let call = call::parse(format!("\"in\"{arguments}").parse().unwrap(), &|_| None).unwrap();
            let call::Form::Text(source) = &call.form else { panic!("an expression") };
            let plan = Plan::new(source, &|text| Ok(folder.join(&text.value)), &|_| None).unwrap();
            assert_eq!(plan.title(), "`in`");
            plan.render().and_then(|rendered| rendered.to_text(crate::Format::Yaml)).map_err(|error| error.to_string())
        };
        assert!(of("").unwrap_err().contains("to be allowed, but was not"));
        assert_eq!(of(", allow_symlink_destination = [\"other\"]").as_deref(), Ok("a: 1\n---\nb: 1\n"));
    }

    #[test]
    fn values_are_there_where_a_template_fails() {
        let folder =
            Folder::with("call-values", [("s.yml", "#@data/values-schema\n---\nport: 80\n"), ("t.yml", "a: #@ x\n")]);
        let call = call::parse("\"in\", values = { port: 81 }".parse().unwrap(), &|_| None).unwrap();
        let call::Form::Text(source) = &call.form else { panic!("an expression") };
        let plan = Plan::new(source, &|_| Ok(folder.to_path_buf()), &|_| None).unwrap();
        assert!(plan.render().is_err());
        assert_eq!(plan.values().unwrap().to_text(crate::Format::Yaml).unwrap(), "port: 81\n");
    }
}
