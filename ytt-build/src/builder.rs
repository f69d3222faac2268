//! The builder: which inputs, which values, which outputs.

use std::path::{Path, PathBuf};

use ytt_engine::codegen::recipe::Recipe;
use ytt_engine::{FileMark, Format, Level, Limits, Project, Value, codegen};

use crate::check::Check;
use crate::output::is_inside;

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
    /// Knows the lines of the script that took its steps.
    pub(crate) project: Project,
    /// The same as data, and what code is to be generated.
    pub(crate) recipe: Recipe,
    pub(crate) package_dir: PathBuf,
    pub(crate) out_dir: Option<PathBuf>,
    pub(crate) outputs: Vec<Wanted>,
    pub(crate) checks: Vec<Check>,
    /// Prefixes of variables: which ones there are is for each machine to say.
    pub(crate) prefixes: Vec<String>,
    /// The last part of the first input: what the output is called if no other is asked for.
    pub(crate) default_name: String,
    pub(crate) problems: Vec<String>,
}

/// An output that was asked for, with its name below the output folder.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Documents(Format, PathBuf),
    File(String, PathBuf),
    Files(PathBuf),
    Code(PathBuf),
    /// A page that says where each line of the documents comes from.
    Explanation(PathBuf),
}

impl Wanted {
    pub(crate) fn name(&self) -> &Path {
        match self {
            Wanted::Documents(_, name) | Wanted::File(_, name) => name,
            Wanted::Files(name) | Wanted::Code(name) | Wanted::Explanation(name) => name,
        }
    }
}

impl Builder {
    /// Begins with one file or folder.
    #[track_caller]
    pub fn new(path: impl AsRef<Path>) -> Builder {
        let path = path.as_ref();
        let last = path.file_name().map_or("config".into(), |name| name.to_string_lossy());
        let stem = last.strip_suffix(".yml").or_else(|| last.strip_suffix(".yaml")).unwrap_or(&last);
        Builder {
            project: codegen::for_builder(Project::new().read(path)),
            recipe: Recipe { inputs: vec![path.to_path_buf()], ..Recipe::default() },
            package_dir: package_dir(),
            out_dir: std::env::var_os("OUT_DIR").map(PathBuf::from),
            outputs: Vec::new(),
            checks: Vec::new(),
            prefixes: Vec::new(),
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
    pub fn overlay(mut self, path: impl AsRef<Path>) -> Builder {
        self.recipe.inputs.push(path.as_ref().to_path_buf());
        Builder { project: self.project.read(path), ..self }
    }

    /// Adds a file in memory under a relative path.
    #[track_caller]
    pub fn file(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Builder {
        let (name, text) = (name.into(), text.into());
        self.recipe.files.push((name.clone(), text.clone()));
        Builder { project: self.project.file(name, text), ..self }
    }

    /// Sets one data value, typed: `a.b` is the key `b` of the map `a`.
    #[track_caller]
    pub fn data_value(mut self, key: impl Into<String>, value: impl Into<Value>) -> Builder {
        let (key, value) = (key.into(), value.into());
        self.recipe.values.push((Some(key.clone()), value.clone()));
        Builder { project: self.project.data_value(key, value), ..self }
    }

    /// Sets one data value, read as YAML.
    #[track_caller]
    pub fn data_value_yaml(mut self, key: impl Into<String>, text: impl Into<String>) -> Builder {
        let (key, text) = (key.into(), text.into());
        self.recipe.values_yaml.push((key.clone(), text.clone()));
        Builder { project: self.project.data_value_yaml(key, text), ..self }
    }

    /// Sets one data value to the text of a file.
    #[track_caller]
    pub fn data_value_file(mut self, key: impl Into<String>, path: impl AsRef<Path>) -> Builder {
        let key = key.into();
        self.recipe.value_files.push((key.clone(), path.as_ref().to_path_buf()));
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
    pub fn data_values<T: serde::Serialize + ?Sized>(mut self, values: &T) -> Builder {
        // What cannot be serialized is told by the project.
        self.recipe.values.extend(Value::serialized(values).ok().map(|value| (None, value)));
        Builder { project: self.project.data_values(values), ..self }
    }

    /// Adds a file or folder of data values, as `--data-values-file`.
    #[track_caller]
    pub fn data_values_file(mut self, path: impl AsRef<Path>) -> Builder {
        self.recipe.values_files.push(path.as_ref().to_path_buf());
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
    pub fn data_values_env(mut self, prefix: impl Into<String>) -> Builder {
        let prefix = prefix.into();
        let variables = variables(&prefix);
        self.prefixes.push(prefix.clone());
        Builder { project: self.project.data_values_env(prefix, variables), ..self }
    }

    /// As [`Builder::data_values_env`]; the texts are read as YAML.
    #[track_caller]
    pub fn data_values_env_yaml(mut self, prefix: impl Into<String>) -> Builder {
        let prefix = prefix.into();
        let variables = variables(&prefix);
        self.prefixes.push(prefix.clone());
        Builder { project: self.project.data_values_env_yaml(prefix, variables), ..self }
    }

    /// Changes what a file is, as `--file-mark 'path:key=value'`.
    #[track_caller]
    pub fn file_mark(mut self, mark: impl Into<FileMark>) -> Builder {
        let mark = mark.into();
        self.recipe.marks.push(mark.as_str().to_owned());
        Builder { project: self.project.file_mark(mark), ..self }
    }

    /// Refuses YAML outside of the strict subset.
    pub fn strict(mut self) -> Builder {
        self.recipe.flags.push("strict".to_owned());
        Builder { project: self.project.strict(true), ..self }
    }

    /// Takes comments that are neither code nor marked as comments for comments.
    pub fn ignore_unknown_comments(mut self) -> Builder {
        self.recipe.flags.push("ignore_unknown_comments".to_owned());
        Builder { project: self.project.ignore_unknown_comments(true), ..self }
    }

    /// Lets a later equal key of a map replace the earlier one in templates.
    pub fn implicit_map_key_overrides(mut self) -> Builder {
        self.recipe.flags.push("implicit_map_key_overrides".to_owned());
        Builder { project: self.project.implicit_map_key_overrides(true), ..self }
    }

    /// Does not run the validations of data values.
    pub fn dangerous_data_values_disable_validation(mut self) -> Builder {
        self.recipe.flags.push("dangerous_data_values_disable_validation".to_owned());
        Builder { project: self.project.dangerous_data_values_disable_validation(true), ..self }
    }

    /// Allows symbolic links to this path, and to what lies below it.
    pub fn allow_symlink_destination(mut self, path: impl AsRef<Path>) -> Builder {
        self.recipe.symlinks.push(path.as_ref().to_path_buf());
        Builder { project: self.project.allow_symlink_destination(path), ..self }
    }

    /// Sets the bounds of the render.
    pub fn limits(mut self, limits: Limits) -> Builder {
        self.recipe.limits = Some(limits.clone());
        Builder { project: self.project.limits(limits), ..self }
    }

    /// Sets the level of a lint, or of several: `overlay::*` are those that begin so, `all` every one. Later calls win.
    ///
    /// ```
    /// use ytt_build::Level;
    ///
    /// let builder = ytt_build::Builder::new("tests/config").file("o.yml", "#@overlay/matc\na: 1\n");
    /// let error = builder.lint("template::*", Level::Deny).render().unwrap_err();
    /// assert!(error.to_report(false).contains("denied by `.lint(\"template::*\", Level::Deny)`"));
    /// ```
    #[track_caller]
    pub fn lint(mut self, code: impl Into<String>, level: Level) -> Builder {
        let code = code.into();
        self.recipe.lints.push((code.clone(), level));
        Builder { project: self.project.lint(code, level), ..self }
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

    /// Writes a page for a browser that says where each line of the documents comes from, beside what else is asked for: the
    /// same as `cargo ytt explain --html`. The render takes up to twice the time for it.
    ///
    /// ```no_run
    /// // build.rs
    /// ytt_build::Builder::new("config").write_text("prod.yml").write_explanation("explain.html").build();
    /// ```
    pub fn write_explanation(self, name: impl AsRef<Path>) -> Builder {
        let project = self.project.clone().explain(true);
        Builder { project, ..self }.output(Wanted::Explanation(name.as_ref().to_path_buf()))
    }

    /// Writes Rust code: the items of [`Builder::items`] and [`Builder::types`], to be included where they are used.
    ///
    /// ```no_run
    /// // build.rs
    /// ytt_build::Builder::new("config").types("Config").generate("config.rs").build();
    /// // src/main.rs: include!(concat!(env!("OUT_DIR"), "/config.rs"));
    /// ```
    pub fn generate(self, name: impl AsRef<Path>) -> Builder {
        self.output(Wanted::Code(name.as_ref().to_path_buf()))
    }

    /// Adds items in the grammar of `include_ytt!`, but for inputs: the builder has them, so sources are words without
    /// parentheses.
    ///
    /// ```
    /// let builder = ytt_build::Builder::new("tests/config")
    ///     .data_value("replicas", 3)
    ///     .items("pub static WEB: Deployment = document where kind = \"Deployment\";");
    /// assert!(builder.code()?.contains("pub static WEB: Deployment"));
    /// # Ok::<(), ytt_build::Failure>(())
    /// ```
    pub fn items(mut self, text: impl AsRef<str>) -> Builder {
        if !self.recipe.items.is_empty() {
            self.recipe.items.push(' ');
        }
        self.recipe.items.push_str(text.as_ref());
        self
    }

    /// Adds the data values as a constant: `types("AppConfig")` is short for
    /// `items("pub static APP_CONFIG: AppConfig = data_values;")`.
    pub fn types(self, name: impl AsRef<str>) -> Builder {
        let name = name.as_ref();
        let constant = codegen::constant_name(name);
        self.items(format!("pub static {constant}: {name} = data_values;"))
    }

    /// Derives more traits for all generated types, as in `#[derive(…)]`.
    pub fn derive(mut self, traits: impl Into<String>) -> Builder {
        self.recipe.derive.push(traits.into());
        self
    }

    /// Gives a field or constant another name: `rename("web.9p", "nine_p")`.
    pub fn rename(mut self, key: impl Into<String>, name: impl Into<String>) -> Builder {
        self.recipe.rename.push((key.into(), name.into()));
        self
    }

    /// Makes the maps at these paths maps in Rust, whose keys are data: `maps("**.labels")`.
    pub fn maps(mut self, pattern: impl Into<String>) -> Builder {
        self.recipe.maps.push(pattern.into());
        self
    }

    /// Makes texts and lists of generated types `Cow`, and gives those of a schema `Default`: the same types then serve
    /// for what a program reads at run time.
    pub fn cow(mut self) -> Builder {
        self.recipe.cow = true;
        self
    }

    /// Says what `ytt_engine` is called where generated code is used, instead of what the manifest says.
    pub fn crate_path(mut self, path: impl Into<String>) -> Builder {
        self.recipe.crate_path = Some(path.into());
        self
    }

    /// Reads each document for which all conditions hold into a type of yours, so that the build fails when one does not
    /// fit: with the path and the place of what does not. That there is none is an error too.
    ///
    /// ```
    /// #[derive(serde::Deserialize)]
    /// struct Deployment {
    ///     #[allow(dead_code)]
    ///     spec: std::collections::BTreeMap<String, i64>,
    /// }
    ///
    /// let builder = ytt_build::Builder::new("tests/config").data_value("replicas", 3).out_dir("out");
    /// let checked = builder.clone().validate::<Deployment>("kind=Deployment");
    /// # let checked = checked.out_dir(std::env::temp_dir().join(format!("ytt-validate-{}", std::process::id())));
    /// assert!(checked.try_build().is_ok());
    /// let failure = builder.validate::<Deployment>("kind=Pod").try_build().unwrap_err();
    /// assert!(failure.to_string().contains("no document has `kind = Pod`; there are `Deployment`"));
    /// ```
    pub fn validate<T: serde::de::DeserializeOwned + 'static>(mut self, conditions: impl AsRef<str>) -> Builder {
        match Check::new::<T>(conditions.as_ref()) {
            Ok(check) => self.checks.push(check),
            Err(problem) => self.problems.push(problem),
        }
        self
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_may_name_a_library() {
        // Cargo sets these for every test.
        let names = variables("CARGO_PKG");
        assert!(names.iter().any(|(name, value)| name == "CARGO_PKG_NAME" && value == "ytt-build"));
        assert_eq!(variables("@lib:CARGO_PKG"), names);
    }
}
