//! The builder: which inputs, which values, which outputs.

use std::collections::BTreeSet;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ytt_engine::{Error, FileMark, Format, Inputs, Limits, Project, Rendered, RenderedFile, Value, codegen};

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
    problems: Vec<String>,
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
    #[track_caller]
    pub fn new(path: impl AsRef<Path>) -> Builder {
        let path = path.as_ref();
        let last = path.file_name().map_or("config".into(), |name| name.to_string_lossy());
        let stem = last.strip_suffix(".yml").or_else(|| last.strip_suffix(".yaml")).unwrap_or(&last);
        Builder {
            project: Project::new().read(path),
            package_dir: package_dir(),
            out_dir: std::env::var_os("OUT_DIR").map(PathBuf::from),
            outputs: Vec::new(),
            default_name: format!("{stem}.yml"),
            problems: Vec::new(),
        }
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
    #[track_caller]
    pub fn overlay(self, path: impl AsRef<Path>) -> Builder {
        Builder { project: self.project.read(path), ..self }
    }

    /// Adds a file in memory under a relative path.
    #[track_caller]
    pub fn file(self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Builder {
        Builder { project: self.project.file(name, text), ..self }
    }

    /// Sets one data value, typed: `a.b` is the key `b` of the map `a`.
    #[track_caller]
    pub fn data_value(self, key: impl Into<String>, value: impl Into<Value>) -> Builder {
        Builder { project: self.project.data_value(key, value), ..self }
    }

    /// Sets one data value, read as YAML.
    #[track_caller]
    pub fn data_value_yaml(self, key: impl Into<String>, text: impl Into<String>) -> Builder {
        Builder { project: self.project.data_value_yaml(key, text), ..self }
    }

    /// Sets one data value to the text of a file.
    #[track_caller]
    pub fn data_value_file(self, key: impl Into<String>, path: impl AsRef<Path>) -> Builder {
        Builder { project: self.project.data_value_file(key, path), ..self }
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
        Builder { project: self.project.data_values(values), ..self }
    }

    /// Adds a file or folder of data values, as `--data-values-file`.
    #[track_caller]
    pub fn data_values_file(self, path: impl AsRef<Path>) -> Builder {
        Builder { project: self.project.data_values_file(path), ..self }
    }

    /// Sets one data value to the text of an environment variable, if that is set.
    #[track_caller]
    pub fn data_value_env(self, key: impl Into<String>, variable: impl Into<String>) -> Builder {
        let variable = variable.into();
        let value = std::env::var(&variable).ok();
        Builder { project: self.project.data_value_env(key, variable, value), ..self }
    }

    /// As [`Builder::data_value_env`]; the text is read as YAML.
    #[track_caller]
    pub fn data_value_env_yaml(self, key: impl Into<String>, variable: impl Into<String>) -> Builder {
        let variable = variable.into();
        let value = std::env::var(&variable).ok();
        Builder { project: self.project.data_value_env_yaml(key, variable, value), ..self }
    }

    /// Sets data values from the variables whose names begin with `PREFIX_`, sorted by name, as `--data-values-env`.
    ///
    /// Cargo watches the variables that there are now: a new one is not noticed.
    #[track_caller]
    pub fn data_values_env(self, prefix: impl Into<String>) -> Builder {
        let prefix = prefix.into();
        let variables = variables(&prefix);
        Builder { project: self.project.data_values_env(prefix, variables), ..self }
    }

    /// As [`Builder::data_values_env`]; the texts are read as YAML.
    #[track_caller]
    pub fn data_values_env_yaml(self, prefix: impl Into<String>) -> Builder {
        let prefix = prefix.into();
        let variables = variables(&prefix);
        Builder { project: self.project.data_values_env_yaml(prefix, variables), ..self }
    }

    /// Changes what a file is, as `--file-mark 'path:key=value'`.
    #[track_caller]
    pub fn file_mark(self, mark: impl Into<FileMark>) -> Builder {
        Builder { project: self.project.file_mark(mark), ..self }
    }

    /// Refuses YAML outside of the strict subset.
    pub fn strict(self) -> Builder {
        Builder { project: self.project.strict(true), ..self }
    }

    /// Takes comments that are neither code nor marked as comments for comments.
    pub fn ignore_unknown_comments(self) -> Builder {
        Builder { project: self.project.ignore_unknown_comments(true), ..self }
    }

    /// Lets a later equal key of a map replace the earlier one in templates.
    pub fn implicit_map_key_overrides(self) -> Builder {
        Builder { project: self.project.implicit_map_key_overrides(true), ..self }
    }

    /// Does not run the validations of data values.
    pub fn dangerous_data_values_disable_validation(self) -> Builder {
        Builder { project: self.project.dangerous_data_values_disable_validation(true), ..self }
    }

    /// Allows symbolic links to this path, and to what lies below it.
    pub fn allow_symlink_destination(self, path: impl AsRef<Path>) -> Builder {
        Builder { project: self.project.allow_symlink_destination(path), ..self }
    }

    /// Sets the bounds of the render.
    pub fn limits(self, limits: Limits) -> Builder {
        Builder { project: self.project.limits(limits), ..self }
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
    /// and this function returns, so that all builders of a script report. Two builders of a script cannot write the same
    /// file. Outside of cargo a problem goes to standard error and ends the process with 1.
    pub fn build(self) {
        codegen::track::trace("script", &self.default_name);
        let in_cargo = std::env::var_os("OUT_DIR").is_some() && std::env::var_os("CARGO_MANIFEST_DIR").is_some();
        let package = self.package_dir.clone();
        let result = match self.claim() {
            Ok(()) => self.try_build(),
            Err(problem) => Err(Failure::Settings(problem)),
        };
        if !in_cargo {
            if let Err(failure) = result {
                eprintln!("{}", failure.report());
                std::process::exit(1);
            }
            return;
        }
        let inputs = result.as_ref().map_or_else(Failure::inputs, |output| Some(&output.inputs));
        for line in inputs.map(|inputs| rerun::lines(inputs, &package)).unwrap_or_default() {
            println!("{line}");
        }
        let reports = match &result {
            Ok(output) => output.warnings.iter().map(|found| ("warning", codegen::warning(found))).collect(),
            Err(failure) => vec![("error", failure.report())],
        };
        for (kind, report) in &reports {
            rerun::report(kind, report).for_each(|line| println!("{line}"));
        }
    }

    /// What is written: what was asked for, or else all documents.
    fn wanted(&self) -> Vec<Wanted> {
        match self.outputs.is_empty() {
            true => vec![Wanted::Documents(Format::Yaml, PathBuf::from(&self.default_name))],
            false => self.outputs.clone(),
        }
    }

    /// Takes the outputs for this builder; another one of the script may have them already.
    fn claim(&self) -> Result<(), String> {
        static CLAIMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
        let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = self.out_dir.clone().unwrap_or_default();
        for wanted in self.wanted() {
            if !claimed.insert(folder.join(wanted.name())) {
                return Err(format!(
                    "`{}` is written by two builders of this script: name the outputs, for instance by `write_text`",
                    wanted.name().display()
                ));
            }
        }
        Ok(())
    }

    /// As [`Builder::build`], but prints nothing.
    ///
    /// # Errors
    ///
    /// All problems of the stage that failed; nothing was written then.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("ytt-build-doc-{}", std::process::id()));
    /// let builder = ytt_build::Builder::new("tests/config").data_value("replicas", 3).out_dir(&folder);
    /// let output = builder.write_json("config.json").try_build()?;
    /// assert_eq!(output.written, [folder.join("config.json")]);
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok::<(), ytt_build::Failure>(())
    /// ```
    pub fn try_build(self) -> Result<Output, Failure> {
        if !self.problems.is_empty() {
            return Err(Failure::Settings(self.problems.join("\n")));
        }
        let outputs = self.wanted();
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
                        let names: Vec<&str> = rendered.files()?.iter().map(RenderedFile::path).collect();
                        let text = format!("no output file `{path}`; there are {}", names.join(", "));
                        return Err(Failure::Settings(text));
                    };
                    files.push((folder.join(name), file.content().to_vec()));
                }
                Wanted::Files(name) => folders.push((folder.join(name), names_of_files(&rendered)?)),
            }
        }
        let mut output = Output { inputs: rendered.inputs().clone(), ..Output::default() };
        output.warnings = rendered.warnings().to_vec();
        for (path, content) in files {
            let shown = path.clone();
            let done = output.write(path, &content);
            done.map_err(|error| Failure::Settings(format!("cannot write {}: {error}", shown.display())))?;
        }
        for (folder, names) in folders {
            output.write_files(&rendered, &folder, &names)?;
        }
        Ok(output)
    }

    /// Renders without writing anything.
    ///
    /// # Errors
    ///
    /// All problems of the stage that failed.
    ///
    /// ```
    /// let rendered = ytt_build::Builder::new("tests/config").data_value("replicas", 3).render()?;
    /// assert_eq!(rendered.documents().len(), 1);
    /// # Ok::<(), ytt_build::Error>(())
    /// ```
    pub fn render(self) -> Result<Rendered, Error> {
        self.project.base_dir(self.package_dir).render()
    }
}

/// The names of all output files. Each must be one below a folder, and none a folder of another one.
fn names_of_files(rendered: &Rendered) -> Result<Vec<String>, Failure> {
    let name = |file: &RenderedFile| {
        if !is_inside(Path::new(file.path())) || file.path().contains('\n') {
            return Err(Failure::Settings(format!("`{}` is not a name below the output folder", file.path())));
        }
        let parts: Vec<_> = Path::new(file.path()).iter().map(|part| part.to_string_lossy()).collect();
        Ok(parts.join("/"))
    };
    let names = rendered.files()?.iter().map(name).collect::<Result<Vec<String>, Failure>>()?;
    let files: BTreeSet<&Path> = names.iter().map(Path::new).collect();
    for name in &files {
        if let Some(above) = name.ancestors().skip(1).find(|above| files.contains(above)) {
            let text = format!("`{}` is a file, but `{}` needs a folder there", above.display(), name.display());
            return Err(Failure::Settings(text));
        }
    }
    Ok(names)
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

/// The line of the script that took a step. The compiler names files from the workspace, scripts run in the package.
fn code_line(at: &Location<'_>) -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let file = here.ancestors().map(|folder| folder.join(at.file())).find(|file| file.is_file())?;
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().nth(at.line() as usize - 1).map(str::to_owned)
}

/// Variables that begin with `PREFIX_`, sorted by name: the order of the environment is no promise. In front of the prefix
/// may stand `@lib:`.
fn variables(prefix: &str) -> Vec<(String, String)> {
    let prefix = prefix.split_once(':').filter(|_| prefix.starts_with('@')).map_or(prefix, |(_, rest)| rest);
    let start = format!("{prefix}_");
    let mut found: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with(&start))
        .collect();
    found.sort();
    found
}

/// Why a build gave nothing.
///
/// `{}` is the first problem in one line; [`Failure::report`] shows all of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The render failed.
    Render(Error),
    /// The builder was asked for something that is not possible, or the system refused to write.
    Settings(String),
}

impl Failure {
    /// What was read until then, if anything was.
    pub fn inputs(&self) -> Option<&Inputs> {
        match self {
            Failure::Render(error) => Some(error.inputs()),
            Failure::Settings(_) => None,
        }
    }

    /// The report for people, with source lines; files are named by the paths under which they were opened.
    ///
    /// ```
    /// let failure = ytt_build::Builder::new("missing").out_dir("out").try_build().unwrap_err();
    /// assert!(failure.report().contains("lstat missing: no such file or directory"));
    /// ```
    pub fn report(&self) -> String {
        match self {
            Failure::Render(error) => codegen::report(error, code_line),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_belongs_to_one_builder_of_a_script() {
        let builder = |path: &str| Builder::new(path).out_dir("claimed");
        assert_eq!(builder("a/config").claim(), Ok(()));
        let problem = builder("b/config").claim().unwrap_err();
        assert!(problem.starts_with("`config.yml` is written by two builders of this script"), "{problem}");
        assert_eq!(builder("b/config").write_text("b.yml").claim(), Ok(()));
        assert_eq!(builder("b/config").out_dir("other").claim(), Ok(()));
    }

    #[test]
    fn a_prefix_may_name_a_library() {
        // Cargo sets these for every test.
        let names = variables("CARGO_PKG");
        assert!(names.iter().any(|(name, value)| name == "CARGO_PKG_NAME" && value == "ytt-build"));
        assert_eq!(variables("@lib:CARGO_PKG"), names);
    }
}
