//! The builder of a render: what to read, which values to set, which rules to keep.
//!
//! A step only records what it was given; nothing is read before [`Project::render`], which reports the problems of all
//! steps together. `run` lists the files, applies the marks and starts the thread; `given` reads data values from outside of
//! the files; `trial` tries helps, `format` is `cargo ytt fmt`.

mod anchors;
mod data_values;
#[cfg(any(feature = "fmt", test))]
mod format;
mod given;
mod levels;
mod run;
#[cfg(test)]
mod tests;
mod trial;

use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diag::{Diagnostic, Voice};
use crate::error::Result;
use crate::eval::PrintSink;
use crate::files::{Disk, FileMark, Symlinks, split_argument};
use crate::library::{Options, Stop};
use crate::limits::Limits;
use crate::lints::Lints;
use crate::rendered::{Rendered, read_bulk};
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Text};
use crate::times::Times;
use given::GivenStep;

/// A render that is being put together; every method takes it and gives it back.
///
/// Cheap to clone, and can be rendered more than once: each time everything is read again.
///
/// ```
/// use ytt_engine::{Format, Project};
///
/// let project = Project::new()
///     .file("schema.yml", "#@data/values-schema\n---\nname: \"\"\n")
///     .file("config.yml", "#@ load(\"@ytt:data\", \"data\")\ngreeting: #@ \"hello \" + data.values.name\n");
/// let rendered = project.clone().data_value("name", "world").render()?;
/// assert_eq!(rendered.to_text(Format::Yaml)?, "greeting: hello world\n");
/// let rendered = project.data_value("name", "moon").render()?;
/// assert_eq!(rendered.to_text(Format::Yaml)?, "greeting: hello moon\n");
/// # Ok::<(), ytt_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a project does nothing before `render` is called"]
pub struct Project {
    steps: Arc<Steps>,
}

/// Where a step was called, and its number in call order.
#[derive(Clone, Copy, Debug)]
struct At {
    number: u32,
    location: &'static Location<'static>,
}

impl At {
    /// A source that stands for the call: see [`Origin::Rust`].
    fn source(self, sources: &SourceMap, name: &str, text: &str) -> SourceId {
        let text = Text::Str(text.into());
        sources.add(Source::new(name, text, Origin::Rust(self.location), self.number, LineBreaks::Yaml))
    }
}

/// Everything that steps record.
#[derive(Clone, Debug, Default)]
struct Steps {
    count: u32,
    inputs: Vec<(At, Input)>,
    marks: Vec<(At, FileMark)>,
    given: Vec<(At, GivenStep)>,
    problems: Vec<(At, Diagnostic)>,
    stdin: Option<Text>,
    /// What relative paths are joined to; empty for the current folder.
    base: PathBuf,
    symlinks: Symlinks,
    disk: Disk,
    options: Options,
    limits: Limits,
    lints: Lints,
    /// A record is kept from which the result can be explained.
    explain: bool,
    /// Takes how long renders work on each file.
    times: Option<Times>,
    print: PrintSink,
    /// Steps come from a command line: pipes may be read, and no line of Rust is named.
    command: bool,
    /// How reports speak to whoever took the steps.
    voice: Voice,
}

#[derive(Clone, Debug)]
enum Input {
    /// A path, and the name that a single file gets instead of its own.
    Path(PathBuf, Option<String>),
    Memory(String, Text),
}

impl Project {
    /// A render without inputs, with the bounds of [`Limits::build`].
    pub fn new() -> Project {
        Project::default()
    }

    /// A render for a command line: with the bounds of [`Limits::command`], named pipes as inputs, and problems that do
    /// not name the Rust code that took the steps.
    pub fn for_command() -> Project {
        Project::new().with(|steps| {
            steps.command = true;
            steps.voice = Voice::Command;
            steps.limits = Limits::command();
        })
    }

    fn with(mut self, change: impl FnOnce(&mut Steps)) -> Project {
        change(Arc::make_mut(&mut self.steps));
        self
    }

    #[track_caller]
    fn step(self, change: impl FnOnce(&mut Steps, At)) -> Project {
        let location = Location::caller();
        self.with(|steps| {
            let at = At { number: steps.count, location };
            steps.count = steps.count.saturating_add(1);
            change(steps, at);
        })
    }

    #[track_caller]
    fn give(self, given: GivenStep) -> Project {
        self.step(|steps, at| steps.given.push((at, given)))
    }

    #[track_caller]
    fn input(self, input: Input) -> Project {
        self.step(|steps, at| steps.inputs.push((at, input)))
    }

    // Inputs.

    /// Reads a file, or a folder with everything below it. A file's relative path is its name, that of files below a
    /// folder their path below it. `-` is what [`Project::stdin`] set.
    ///
    /// ```
    /// let error = ytt_engine::Project::new().read("missing.yml").render().unwrap_err();
    /// assert!(error.to_string().starts_with("Checking file 'missing.yml': "));
    /// ```
    #[track_caller]
    pub fn read(self, path: impl AsRef<Path>) -> Project {
        self.input(Input::Path(path.as_ref().to_path_buf(), None))
    }

    /// Reads a file under another relative path, as `-f new=path` does. Folders keep their names.
    #[track_caller]
    pub fn read_as(self, name: impl Into<String>, path: impl AsRef<Path>) -> Project {
        self.input(Input::Path(path.as_ref().to_path_buf(), Some(name.into())))
    }

    /// Adds an input as it is typed behind `-f`: `path` or `new=path`.
    ///
    /// ```
    /// let error = ytt_engine::Project::new().file_flag("a=b=c").render().unwrap_err();
    /// assert!(error.to_string().contains("only have single '=' sign"));
    /// ```
    #[track_caller]
    pub fn file_flag(self, text: impl AsRef<str>) -> Project {
        let text = text.as_ref();
        self.step(|steps, at| match split_argument(text) {
            Ok((name, path)) => {
                steps.inputs.push((at, Input::Path(PathBuf::from(path), name.map(String::from))));
            }
            Err(problem) => steps.problems.push((at, problem)),
        })
    }

    /// Adds a file in memory.
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.txt", "1 + 1 = (@= str(1 + 1) @)\n").render()?;
    /// assert_eq!(rendered.file("a.txt")?.unwrap().text(), Some("1 + 1 = 2\n"));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn file(self, path: impl Into<String>, content: impl Into<Vec<u8>>) -> Project {
        self.input(Input::Memory(path.into(), Text::from_bytes(content.into())))
    }

    /// Adds the files of a JSON text as `--bulk-in` takes it.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let rendered = Project::new().bulk_in(r#"{"files":[{"name":"a.yml","data":"a: #@ 2"}]}"#).render()?;
    /// assert_eq!(rendered.to_text(Format::Yaml)?, "a: 2\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn bulk_in(self, text: impl AsRef<str>) -> Project {
        let text = text.as_ref();
        self.step(|steps, at| match read_bulk(text, steps.limits.depth) {
            Ok(files) => {
                let files = files.into_iter().map(|(name, data)| (at, Input::Memory(name, Text::from_bytes(data))));
                steps.inputs.extend(files);
            }
            Err(problem) => steps.problems.push((at, problem)),
        })
    }

    /// Sets what `-` stands for: as a path, and in the flags that take one. It can be used once.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let rendered = Project::new().read("-").stdin("a: #@ 1 + 1\n").render()?;
    /// assert_eq!(rendered.to_text(Format::Yaml)?, "a: 2\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn stdin(self, content: impl Into<Vec<u8>>) -> Project {
        let text = Text::from_bytes(content.into());
        self.with(|steps| steps.stdin = Some(text))
    }

    /// Changes what files are: `path:key=value`, or one of the functions of [`FileMark`].
    ///
    /// ```
    /// use ytt_engine::{FileMark, Format, Project};
    ///
    /// let project = Project::new().file("a.yml", "a: 1\n").file("docs/b.yml", "b: 1\n");
    /// let rendered = project.file_mark("docs/**/*:exclude=true").file_mark(FileMark::path("a.yml", "c.yml")).render()?;
    /// assert_eq!(rendered.files()?[0].path(), "c.yml");
    /// assert_eq!(rendered.files()?.len(), 1);
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[track_caller]
    pub fn file_mark(self, mark: impl Into<FileMark>) -> Project {
        let mark = mark.into();
        self.step(|steps, at| steps.marks.push((at, mark)))
    }

    /// Allows symlinks as inputs if what they lead to is this path or below it. None are followed otherwise.
    pub fn allow_symlink_destination(self, path: impl AsRef<Path>) -> Project {
        let path = path.as_ref().to_path_buf();
        self.with(|steps| steps.symlinks.destinations.push(path))
    }

    /// Allows symlinks to anything, so that whoever can write into an input folder chooses what is read.
    pub fn dangerous_allow_all_symlink_destinations(self, yes: bool) -> Project {
        self.with(|steps| steps.symlinks.all = yes)
    }

    /// Sets the folder from which relative paths start, those of earlier steps too; the current one otherwise.
    ///
    /// ```
    /// let project = ytt_engine::Project::new().read("a.yml").base_dir("no/such/folder");
    /// assert!(project.render().unwrap_err().to_string().contains("lstat no/such/folder/a.yml"));
    /// ```
    pub fn base_dir(self, path: impl AsRef<Path>) -> Project {
        let path = path.as_ref().to_path_buf();
        self.with(|steps| steps.base = path)
    }

    // Settings.

    /// Makes reports speak of what this reader wrote, where it was not `Project`.
    #[cfg(feature = "codegen")]
    pub(crate) fn spoken(self, voice: Voice) -> Project {
        self.with(|steps| steps.voice = voice)
    }

    /// Refuses YAML whose meaning is not clear, such as `yes` and `1_000`.
    pub fn strict(self, yes: bool) -> Project {
        self.with(|steps| steps.options.strict = yes)
    }

    /// Takes YAML comments that are neither `#@` nor `#!` as comments, where templates refuse them.
    pub fn ignore_unknown_comments(self, yes: bool) -> Project {
        self.with(|steps| steps.options.ignore_unknown_comments = yes)
    }

    /// Lets a key of a template's map appear twice: the later one counts.
    pub fn implicit_map_key_overrides(self, yes: bool) -> Project {
        self.with(|steps| steps.options.implicit_map_key_overrides = yes)
    }

    /// Does not check data values against validations.
    pub fn dangerous_data_values_disable_validation(self, yes: bool) -> Project {
        self.with(|steps| steps.options.disable_validation = yes)
    }

    /// Sets the bounds of the render.
    ///
    /// ```
    /// use ytt_engine::{ErrorKind, Limits, Project};
    ///
    /// let mut limits = Limits::build();
    /// limits.steps = Some(1000);
    /// let endless = Project::new().file("a.star", "n = [i for i in range(1000000)]\n").limits(limits);
    /// assert_eq!(endless.render().unwrap_err().kind(), ErrorKind::Limit);
    /// ```
    pub fn limits(self, limits: Limits) -> Project {
        self.with(|steps| steps.limits = limits)
    }

    /// Sets whether a record is kept of what happens, for [`Rendered::explanation`]: where every line of the output comes
    /// from. The output is the same; time and memory are at most twice as much.
    ///
    /// ```
    /// let project = ytt_engine::Project::new().file("a.yml", "a: #@ 1 + 1\n").explain(true);
    /// let rendered = project.render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// assert_eq!(explanation.lines().next().unwrap().text(), "a: 2");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[cfg(feature = "explain")]
    pub fn explain(self, explain: bool) -> Project {
        self.with(|steps| steps.explain = explain)
    }

    /// Adds to `times` how long a render reads, compiles, runs and changes each file, and how long printing takes: see [`Times`].
    pub fn times(self, times: &Times) -> Project {
        self.with(|steps| steps.times = Some(times.clone()))
    }

    /// Sets who takes the lines that `print` of a template writes; by default they go to standard error.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// let lines = Arc::new(Mutex::new(Vec::new()));
    /// let taken = lines.clone();
    /// ytt_engine::Project::new()
    ///     .file("a.yml", "#@ print(\"hi\")\n")
    ///     .on_print(move |line| taken.lock().unwrap().push(line.to_string()))
    ///     .render()?;
    /// assert_eq!(*lines.lock().unwrap(), ["hi"]);
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn on_print(self, print: impl Fn(&str) + Send + Sync + 'static) -> Project {
        self.with(|steps| steps.print = PrintSink(Arc::new(print)))
    }

    // Results.

    /// Reads everything and renders it.
    ///
    /// # Errors
    ///
    /// All problems of the steps, or else of the first stage of the render that has some.
    ///
    /// ```
    /// let error = ytt_engine::Project::new().read("no-a").read("no-b").file_mark("x").render().unwrap_err();
    /// assert_eq!(error.diagnostics().len(), 3);
    /// ```
    pub fn render(&self) -> Result<Rendered> {
        self.steps.caught(|steps| run::render(steps, Stop::Render))
    }

    /// Renders as far as the final data values, which are the one document of the result.
    ///
    /// # Errors
    ///
    /// As [`Project::render`].
    pub fn values(&self) -> Result<Rendered> {
        self.steps.caught(|steps| run::render(steps, Stop::Values))
    }

    /// Renders as far as the schema of the data values; the result is its description as an OpenAPI v3 document.
    ///
    /// # Errors
    ///
    /// As [`Project::render`].
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let schema = Project::new().file("s.yml", "#@data/values-schema\n---\nport: 80\n").schema()?;
    /// assert!(schema.to_text(Format::Yaml)?.contains("default: 80"));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn schema(&self) -> Result<Rendered> {
        self.steps.caught(|steps| run::render(steps, Stop::Schema))
    }

    /// Lists the relative paths of the files that a render would see, without those of libraries: the result is one
    /// document, a list. Nothing is read but folders.
    ///
    /// # Errors
    ///
    /// When a path cannot be listed or a mark cannot be applied.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let files = Project::new().file("a.yml", "").file("_ytt_lib/l/b.yml", "").files()?;
    /// assert_eq!(files.to_text(Format::Json)?, "[\"a.yml\"]");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn files(&self) -> Result<Rendered> {
        self.steps.caught(run::files)
    }

    /// Prints the YAML files in one canonical form, as `cargo ytt fmt` does, and says what was lost: comments stay,
    /// aliases and merge keys are written out, nothing is evaluated.
    ///
    /// # Errors
    ///
    /// When a path cannot be listed or a file is no YAML.
    ///
    /// ```
    /// let (text, _) = ytt_engine::Project::new().file("a.yml", "{a: 1, b: [2]}").format()?;
    /// assert_eq!(text, "a: 1\nb:\n  - 2\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    #[cfg(any(feature = "fmt", test))]
    pub fn format(&self) -> Result<(String, Vec<Diagnostic>)> {
        self.steps.caught(format::format)
    }
}
