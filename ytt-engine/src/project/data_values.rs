//! The steps that set data values. Code beats flags, flags beat the environment, this beats files, and files beat
//! documents.

use std::path::Path;

use super::Project;
use super::given::{GivenStep, Key};
use crate::diag::{Code, Diagnostic};
use crate::yaml::Value;

impl Project {
    /// Sets one data value. The key is a path, split at dots; `@lib:key` is a value of a library.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let project = Project::new().file("a.yml", "#@ load(\"@ytt:data\", \"data\")\nport: #@ data.values.db.port\n");
    /// let rendered = project.data_value("db.port", 5432).render()?;
    /// assert_eq!(rendered.to_text(Format::Yaml)?, "port: 5432\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn data_value(self, key: impl Into<String>, value: impl Into<Value>) -> Project {
        self.give(GivenStep::Value(key.into(), value.into()))
    }

    /// Sets one data value to what a text means as YAML.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let rendered = Project::new().data_value_yaml("ports", "[80, 443]").values()?;
    /// assert_eq!(rendered.to_text(Format::Json)?, "{\"ports\":[80,443]}");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn data_value_yaml(self, key: impl Into<String>, text: impl Into<String>) -> Project {
        self.give(GivenStep::Yaml(key.into(), text.into()))
    }

    /// Sets one data value to the content of a file, as text.
    #[track_caller]
    pub fn data_value_file(self, key: impl Into<String>, path: impl AsRef<Path>) -> Project {
        self.give(GivenStep::File(key.into(), path.as_ref().to_path_buf()))
    }

    /// Merges a map of data values: maps merge, everything else replaces.
    ///
    /// ```
    /// use ytt_engine::{Format, Project, Value, yaml::Map};
    ///
    /// let mut db = Map::new();
    /// db.insert("port", 5432);
    /// let mut values = Map::new();
    /// values.insert("db", db);
    /// let rendered = Project::new().data_values_map(values).values()?;
    /// assert_eq!(rendered.to_text(Format::Yaml)?, "db:\n  port: 5432\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn data_values_map(self, values: impl Into<Value>) -> Project {
        self.data_values_of("", values.into())
    }

    /// As [`Project::data_values_map`], for the library that a reference such as `@lib~alias` means; empty for none.
    #[track_caller]
    pub(crate) fn data_values_of(self, library: &str, values: Value) -> Project {
        self.give(GivenStep::Document(library.into(), values))
    }

    /// Merges whatever can be serialized as data values: maps merge, everything else replaces.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Values {
    ///     port: u16,
    ///     hosts: Vec<&'static str>,
    /// }
    ///
    /// let rendered = Project::new().data_values(&Values { port: 80, hosts: vec!["a", "b"] }).values()?;
    /// assert_eq!(rendered.to_text(Format::Yaml)?, "port: 80\nhosts:\n- a\n- b\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    #[track_caller]
    pub fn data_values<T: serde::Serialize + ?Sized>(self, values: &T) -> Project {
        let value = crate::yaml::Value::serialized(values);
        self.step(|steps, at| match value {
            Ok(value) => steps.given.push((at, GivenStep::Document(String::new(), value))),
            Err(problem) => steps.problems.push((at, problem)),
        })
    }

    /// Merges the plain YAML files of a path into the data values: a file, or all files directly in a folder and those further
    /// below that end in `.yml` or `.yaml`.
    #[track_caller]
    pub fn data_values_file(self, path: impl AsRef<Path>) -> Project {
        self.give(GivenStep::ValuesFile(path.as_ref().to_path_buf()))
    }

    /// Sets the data values of all variables whose names begin with the prefix and `_`, as text: `APP_db__host` sets
    /// `db.host`. The variables count in the order in which they are given; nothing reads the environment by itself.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let rendered = Project::new().data_values_env("APP", [("APP_db__host", "h"), ("OTHER", "x")]).values()?;
    /// assert_eq!(rendered.to_text(Format::Yaml)?, "db:\n  host: h\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn data_values_env<N: Into<String>, V: Into<String>>(
        self,
        prefix: impl Into<String>,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Project {
        self.give(GivenStep::env(prefix.into(), false, variables))
    }

    /// As [`Project::data_values_env`]; the values are read as YAML.
    #[track_caller]
    pub fn data_values_env_yaml<N: Into<String>, V: Into<String>>(
        self,
        prefix: impl Into<String>,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Project {
        self.give(GivenStep::env(prefix.into(), true, variables))
    }

    /// Sets one data value to the text of one variable, with the rank of the environment. Without a text it is not set,
    /// but the name is among the inputs.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let rendered = Project::new().data_value_env("image.tag", "APP_TAG", Some("1.2")).values()?;
    /// assert_eq!(rendered.to_text(Format::Yaml)?, "image:\n  tag: \"1.2\"\n");
    /// assert_eq!(rendered.inputs().env, ["APP_TAG"]);
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn data_value_env(
        self,
        key: impl Into<String>,
        variable: impl Into<String>,
        text: Option<impl Into<String>>,
    ) -> Project {
        self.give(GivenStep::variable(Key::Typed(key.into()), variable, text, false))
    }

    /// As [`Project::data_value_env`]; the value is read as YAML.
    #[track_caller]
    pub fn data_value_env_yaml(
        self,
        key: impl Into<String>,
        variable: impl Into<String>,
        text: Option<impl Into<String>>,
    ) -> Project {
        self.give(GivenStep::variable(Key::Typed(key.into()), variable, text, true))
    }

    /// Sets data values by a flag of ytt as it was typed: `--data-value`, `--data-value-yaml`, `--data-value-file` or
    /// `--data-values-file`. Kind of flag, not order, decides which counts; the environment's flags need the variables,
    /// so they are [`Project::data_values_env`] and [`Project::data_values_env_yaml`].
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let rendered = Project::new().data_value_flag("--data-value", "a.b=1").values()?;
    /// assert_eq!(rendered.to_text(Format::Yaml)?, "a:\n  b: \"1\"\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn data_value_flag(self, flag: &str, text: impl Into<String>) -> Project {
        let step = GivenStep::flag(flag, text.into());
        self.step(|steps, at| match step {
            Some(step) => steps.given.push((at, step)),
            None => {
                let text = format!("'{flag}' is no flag that sets a data value");
                steps.problems.push((at, Diagnostic::error(Code::VALUES_FLAG, text)));
            }
        })
    }

    /// As [`Project::data_value_env`], or with `yaml` as [`Project::data_value_env_yaml`], for a key whose parts are
    /// known: dots in them are part of a name, and a first part with `@` in front is a library.
    ///
    /// What is wrong is at [`Origin::Rust`](crate::source::Origin::Rust) of this step: the span of the first label starts
    /// at 0 for the value, and at `i + 1` for part `i` of `key`.
    #[cfg(feature = "codegen")]
    #[track_caller]
    pub(crate) fn data_value_variable(
        self,
        key: &[String],
        variable: &str,
        text: Option<String>,
        yaml: bool,
    ) -> Project {
        self.give(GivenStep::variable(Key::Parts(key.to_vec()), variable, text, yaml))
    }
}
