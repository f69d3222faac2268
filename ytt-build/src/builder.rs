//! The builder: which inputs, which values, which outputs.

use std::path::{Path, PathBuf};

use ytt_engine::yaml::Value;
use ytt_engine::{Error, Format, Limits, Project, Rendered};

use crate::output::{Output, is_inside};
use crate::rerun;

/// A render of a build script that is being put together; every method takes it and gives it back.
///
/// Nothing is read before [`Builder::build`]. Paths are relative to the package. Data values count in this order, later
/// ones win: schema, documents, values files, environment, values of code.
///
/// ```no_run
/// // build.rs
/// ytt_build::Builder::new("config")
///     .overlay("overlays/prod")
///     .data_value("replicas", 3)
///     .write_text("prod.yml")
///     .write_json("prod.json")
///     .build();
/// ```
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing before `build` is called"]
pub struct Builder {
    project: Project,
    package_dir: PathBuf,
    out_dir: Option<PathBuf>,
    outputs: Vec<Wanted>,
    /// The last part of the first input: what the output is called if no other is asked for.
    default_name: String,
    /// Steps with paths, which wait for the package's folder.
    steps: Vec<Step>,
    problems: Vec<String>,
}

#[derive(Clone, Debug)]
enum Step {
    Read(PathBuf),
    ValueFile(String, PathBuf),
    ValuesFile(PathBuf),
    AllowSymlink(PathBuf),
}

/// An output that was asked for, with its name below the output folder.
#[derive(Clone, Debug)]
enum Wanted {
    Documents(Format, PathBuf),
    File(String, PathBuf),
    Files(PathBuf),
}

impl Builder {
    /// Begins with one file or folder.
    pub fn new(path: impl AsRef<Path>) -> Builder {
        let path = path.as_ref();
        let last = path.file_name().map_or("config".into(), |name| name.to_string_lossy());
        let stem = last.strip_suffix(".yml").or_else(|| last.strip_suffix(".yaml")).unwrap_or(&last);
        Builder {
            project: Project::new(),
            package_dir: package_dir(),
            out_dir: std::env::var_os("OUT_DIR").map(PathBuf::from),
            outputs: Vec::new(),
            default_name: format!("{stem}.yml"),
            steps: vec![Step::Read(path.to_path_buf())],
            problems: Vec::new(),
        }
    }

    fn with(mut self, change: impl FnOnce(Project) -> Project) -> Builder {
        self.project = change(self.project);
        self
    }

    fn step(mut self, step: Step) -> Builder {
        self.steps.push(step);
        self
    }

    fn output(mut self, wanted: Wanted) -> Builder {
        let name = wanted.name().to_path_buf();
        if !is_inside(&name) {
            self.problems.push(format!("`{}` is not a name below the output folder", name.display()));
        } else if self.outputs.iter().any(|known| known.name() == name) {
            self.problems.push(format!("`{}` is written twice", name.display()));
        }
        self.outputs.push(wanted);
        self
    }

    /// Adds a file or folder. An overlay is an ordinary input; it counts behind those before it.
    pub fn overlay(self, path: impl AsRef<Path>) -> Builder {
        self.step(Step::Read(path.as_ref().to_path_buf()))
    }

    /// Adds a file in memory under a relative path.
    #[track_caller]
    pub fn file(self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Builder {
        self.with(|project| project.file(name, text))
    }

    /// Sets one data value, typed: `a.b` is the key `b` of the map `a`.
    #[track_caller]
    pub fn data_value(self, key: impl Into<String>, value: impl Into<Value>) -> Builder {
        self.with(|project| project.data_value(key, value))
    }

    /// Sets one data value, read as YAML.
    #[track_caller]
    pub fn data_value_yaml(self, key: impl Into<String>, text: impl Into<String>) -> Builder {
        self.with(|project| project.data_value_yaml(key, text))
    }

    /// Sets one data value to the text of a file.
    pub fn data_value_file(self, key: impl Into<String>, path: impl AsRef<Path>) -> Builder {
        self.step(Step::ValueFile(key.into(), path.as_ref().to_path_buf()))
    }

    /// Sets data values from anything that `serde` can serialize to a map.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// let values = BTreeMap::from([("replicas", 3)]);
    /// let rendered = ytt_build::Builder::new("tests/config").data_values(&values).render()?;
    /// assert_eq!(rendered.to_text(ytt_engine::Format::Yaml)?, "kind: Deployment\nspec:\n  replicas: 3\n");
    /// # Ok::<(), ytt_build::Error>(())
    /// ```
    #[track_caller]
    pub fn data_values<T: serde::Serialize + ?Sized>(self, values: &T) -> Builder {
        self.with(|project| project.data_values(values))
    }

    /// Adds a file or folder of data values, as `--data-values-file`.
    pub fn data_values_file(self, path: impl AsRef<Path>) -> Builder {
        self.step(Step::ValuesFile(path.as_ref().to_path_buf()))
    }

    /// Sets one data value to the text of an environment variable, if that is set.
    #[track_caller]
    pub fn data_value_env(self, key: impl Into<String>, variable: impl Into<String>) -> Builder {
        let variable = variable.into();
        let value = std::env::var(&variable).ok();
        self.with(|project| project.data_value_env(key, variable, value))
    }

    /// As [`Builder::data_value_env`]; the text is read as YAML.
    #[track_caller]
    pub fn data_value_env_yaml(self, key: impl Into<String>, variable: impl Into<String>) -> Builder {
        let variable = variable.into();
        let value = std::env::var(&variable).ok();
        self.with(|project| project.data_value_env_yaml(key, variable, value))
    }

    /// Sets data values from the variables whose names begin with `PREFIX_`, sorted by name, as `--data-values-env`.
    ///
    /// Cargo watches the variables that there are now: a new one is not noticed.
    #[track_caller]
    pub fn data_values_env(self, prefix: impl Into<String>) -> Builder {
        let prefix = prefix.into();
        let variables = variables(&prefix);
        self.with(|project| project.data_values_env(prefix, variables))
    }

    /// As [`Builder::data_values_env`]; the texts are read as YAML.
    #[track_caller]
    pub fn data_values_env_yaml(self, prefix: impl Into<String>) -> Builder {
        let prefix = prefix.into();
        let variables = variables(&prefix);
        self.with(|project| project.data_values_env_yaml(prefix, variables))
    }

    /// Changes what a file is, as `--file-mark 'path:key=value'`.
    #[track_caller]
    pub fn file_mark(self, mark: impl Into<ytt_engine::FileMark>) -> Builder {
        self.with(|project| project.file_mark(mark))
    }

    /// Refuses YAML outside of the strict subset.
    pub fn strict(self) -> Builder {
        self.with(|project| project.strict(true))
    }

    /// Takes comments that are neither code nor marked as comments for comments.
    pub fn ignore_unknown_comments(self) -> Builder {
        self.with(|project| project.ignore_unknown_comments(true))
    }

    /// Lets a later equal key of a map replace the earlier one in templates.
    pub fn implicit_map_key_overrides(self) -> Builder {
        self.with(|project| project.implicit_map_key_overrides(true))
    }

    /// Does not run the validations of data values.
    pub fn dangerous_data_values_disable_validation(self) -> Builder {
        self.with(|project| project.dangerous_data_values_disable_validation(true))
    }

    /// Allows symbolic links to this path, and to what lies below it.
    pub fn allow_symlink_destination(self, path: impl AsRef<Path>) -> Builder {
        self.step(Step::AllowSymlink(path.as_ref().to_path_buf()))
    }

    /// Sets the bounds of the render.
    pub fn limits(self, limits: Limits) -> Builder {
        self.with(|project| project.limits(limits))
    }

    /// The folder from which paths start, instead of the package's.
    pub fn package_dir(mut self, path: impl AsRef<Path>) -> Builder {
        self.package_dir = path.as_ref().to_path_buf();
        self
    }

    /// The folder for outputs, instead of `OUT_DIR`.
    pub fn out_dir(mut self, path: impl AsRef<Path>) -> Builder {
        self.out_dir = Some(path.as_ref().to_path_buf());
        self
    }

    /// Writes all documents as YAML.
    pub fn write_text(self, name: impl AsRef<Path>) -> Builder {
        self.output(Wanted::Documents(Format::Yaml, name.as_ref().to_path_buf()))
    }

    /// Writes all documents as JSON.
    pub fn write_json(self, name: impl AsRef<Path>) -> Builder {
        self.output(Wanted::Documents(Format::Json, name.as_ref().to_path_buf()))
    }

    /// Writes one output file, YAML or text.
    pub fn write_file(self, output_path: impl Into<String>, name: impl AsRef<Path>) -> Builder {
        self.output(Wanted::File(output_path.into(), name.as_ref().to_path_buf()))
    }

    /// Writes all output files below a folder of their own; what an earlier build wrote there and this one does not have
    /// is removed.
    pub fn write_files(self, folder: impl AsRef<Path>) -> Builder {
        self.output(Wanted::Files(folder.as_ref().to_path_buf()))
    }

    /// Renders, writes, and prints the lines for cargo.
    ///
    /// A problem is printed as lines of `cargo::error`: cargo then fails the build by itself. The last good outputs stay,
    /// and this function returns, so that all builders of a script report. Outside of cargo a problem goes to standard
    /// error and ends the process with 1.
    pub fn build(self) {
        ytt_engine::codegen::track::trace("script", &self.default_name);
        let in_cargo = std::env::var_os("OUT_DIR").is_some() && std::env::var_os("CARGO_MANIFEST_DIR").is_some();
        let package = self.package_dir.clone();
        let (lines, failure) = match self.try_build() {
            Ok(output) => {
                let warnings: Vec<String> = output
                    .warnings
                    .iter()
                    .map(|warning| ytt_engine::codegen::report(std::slice::from_ref(warning)))
                    .collect();
                (rerun::lines(&output.inputs, &package), Ok(warnings))
            }
            Err(failure) => {
                (failure.inputs().map(|inputs| rerun::lines(inputs, &package)).unwrap_or_default(), Err(failure))
            }
        };
        if !in_cargo {
            if let Err(failure) = failure {
                eprintln!("{}", failure.report());
                std::process::exit(1);
            }
            return;
        }
        for line in lines {
            println!("{line}");
        }
        match failure {
            Ok(warnings) => {
                warnings
                    .iter()
                    .flat_map(|warning| rerun::report("warning", warning))
                    .for_each(|line| println!("{line}"));
            }
            Err(failure) => rerun::report("error", &failure.report()).for_each(|line| println!("{line}")),
        }
    }

    /// As [`Builder::build`], but prints nothing.
    ///
    /// # Errors
    ///
    /// All problems of the stage that failed; nothing was written then.
    pub fn try_build(self) -> Result<Output, Failure> {
        if !self.problems.is_empty() {
            return Err(Failure::Settings(self.problems.join("\n")));
        }
        let mut outputs = self.outputs.clone();
        if outputs.is_empty() {
            outputs.push(Wanted::Documents(Format::Yaml, PathBuf::from(&self.default_name)));
        }
        let Some(folder) = self.out_dir.clone() else {
            let text = "OUT_DIR is not set: run through cargo, or call `out_dir(path)`";
            return Err(Failure::Settings(text.to_owned()));
        };
        let rendered = self.render()?;
        let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        let mut folders = Vec::new();
        for wanted in &outputs {
            match wanted {
                Wanted::Documents(format, name) => {
                    files.push((folder.join(name), rendered.to_text(*format)?.into_bytes()));
                }
                Wanted::File(path, name) => {
                    let Some(file) = rendered.file(path)? else {
                        let names: Vec<&str> = rendered.files()?.iter().map(ytt_engine::RenderedFile::path).collect();
                        let text = format!("no output file `{path}`; there are {}", names.join(", "));
                        return Err(Failure::Settings(text));
                    };
                    files.push((folder.join(name), file.content().to_vec()));
                }
                Wanted::Files(name) => folders.push(folder.join(name)),
            }
        }
        let mut output = Output { inputs: rendered.inputs().clone(), ..Output::default() };
        output.warnings = rendered.warnings().to_vec();
        for (path, content) in files {
            let shown = path.clone();
            let done = output.write(path, &content);
            done.map_err(|error| Failure::Settings(format!("cannot write {}: {error}", shown.display())))?;
        }
        for folder in folders {
            output.write_files(rendered.files()?, &folder).map_err(Failure::Settings)?;
        }
        Ok(output)
    }

    /// Renders without writing anything.
    ///
    /// # Errors
    ///
    /// All problems of the stage that failed.
    pub fn render(self) -> Result<Rendered, Error> {
        let at = |path: PathBuf| self.package_dir.join(path);
        let mut project = self.project;
        for step in self.steps {
            project = match step {
                Step::Read(path) => project.read(at(path)),
                Step::ValueFile(key, path) => project.data_value_file(key, at(path)),
                Step::ValuesFile(path) => project.data_values_file(at(path)),
                Step::AllowSymlink(path) => project.allow_symlink_destination(at(path)),
            };
        }
        project.render()
    }
}

impl Wanted {
    fn name(&self) -> &Path {
        match self {
            Wanted::Documents(_, name) | Wanted::File(_, name) | Wanted::Files(name) => name,
        }
    }
}

/// The folder of the package. Cargo runs build scripts in it: paths then stay relative, and reports name no machine.
fn package_dir() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    match std::env::current_dir() {
        Ok(here) if here == package => PathBuf::new(),
        _ => package,
    }
}

/// Variables that begin with `PREFIX_`, sorted by name: the order of the environment is no promise.
fn variables(prefix: &str) -> Vec<(String, String)> {
    let start = format!("{prefix}_");
    let mut found: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with(&start))
        .collect();
    found.sort();
    found
}

/// Why a build gave nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The render failed.
    Render(Error),
    /// The builder was asked for something that is not possible, or the system refused to write.
    Settings(String),
}

impl Failure {
    /// What was read until then, if anything was.
    pub fn inputs(&self) -> Option<&ytt_engine::Inputs> {
        match self {
            Failure::Render(error) => Some(error.inputs()),
            Failure::Settings(_) => None,
        }
    }

    fn report(&self) -> String {
        match self {
            Failure::Render(error) => ytt_engine::codegen::report(error.diagnostics()),
            Failure::Settings(text) => format!("error: ytt: {text}"),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Render(error) => error.fmt(f),
            Failure::Settings(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Render(error)
    }
}
