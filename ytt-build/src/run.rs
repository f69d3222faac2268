//! What a builder does: renders, checks, generates, writes, and tells cargo.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use ytt_engine::codegen::plan::Report;
use ytt_engine::codegen::said::Said;
use ytt_engine::codegen::{self, caught, stamp};
use ytt_engine::{Error, Format, Project, Rendered, RenderedFile};

use crate::builder::{Builder, Wanted};
use crate::failure::Failure;
use crate::output::{Output, is_inside};
use crate::rerun;

/// What the builders of this script have told.
static SAID: LazyLock<Said> = LazyLock::new(Said::new);

impl Builder {
    /// Renders, writes, and prints the lines for cargo.
    ///
    /// A problem is printed as lines of `cargo::error`: cargo then fails the build by itself. The last good outputs stay,
    /// and this function returns, so that all builders of a script report; what one of them has told the others only
    /// name. Two builders of a script cannot write the same file. Outside of cargo a problem goes to standard error and
    /// ends the process with 1.
    pub fn build(self) {
        codegen::track::trace("script", &self.default_name);
        let package = self.package_dir.clone();
        let title = self.recipe.title();
        let result = match self.claim() {
            Ok(()) => self.try_build(),
            Err(problem) => Err(Failure::settings(problem)),
        };
        if !rerun::in_cargo() {
            if let Err(failure) = result {
                eprintln!("{}", failure.report_of(&title, &SAID).trim_end());
                std::process::exit(1);
            }
            return;
        }
        let inputs = result.as_ref().map_or_else(Failure::inputs, |output| Some(&output.inputs));
        for line in inputs.map(|inputs| rerun::lines(inputs, &package)).unwrap_or_default() {
            println!("{line}");
        }
        let reports: Vec<(&str, String)> = match &result {
            Ok(output) => {
                let found = codegen::warnings_of(&title, &output.warnings, &SAID);
                let texts = output.notes.iter().map(|note| format!("warning: ytt: {note}"));
                found.into_iter().chain(texts).map(|text| ("warning", text)).collect()
            }
            Err(failure) => {
                let warnings = codegen::warnings_of(&title, failure.warnings(), &SAID).into_iter();
                let report = ("error", failure.report_of(&title, &SAID));
                warnings.map(|text| ("warning", text)).chain([report]).collect()
            }
        };
        for (kind, report) in &reports {
            rerun::report(kind, report).for_each(|line| println!("{line}"));
        }
    }

    /// What is written: what was asked for, or else all documents.
    fn wanted(&self) -> Vec<Wanted> {
        let mut wanted = self.outputs.clone();
        // A page explains what is written, it is no form of it.
        if wanted.iter().all(|wanted| matches!(wanted, Wanted::Explanation(_))) {
            wanted.insert(0, Wanted::Documents(Format::Yaml, PathBuf::from(&self.default_name)));
        }
        wanted
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
        guarded(|| self.built())
    }

    fn built(&self) -> Result<Output, Failure> {
        let mut problems = self.problems.clone();
        let generates = self.outputs.iter().any(|wanted| matches!(wanted, Wanted::Code(_)));
        if generates && self.recipe.items.is_empty() {
            problems.push("`generate` writes what `items` or `types` ask for: there are none".to_owned());
        }
        if !generates && !self.recipe.items.is_empty() {
            problems.push("`items` and `types` need `generate(\"name.rs\")`, which writes them".to_owned());
        }
        if !problems.is_empty() {
            return Err(Failure::Settings { problems, inputs: None });
        }
        let Some(folder) = self.out_dir.clone() else {
            let text = "OUT_DIR is not set: run through cargo, or call `out_dir(path)`";
            return Err(Failure::settings(text));
        };
        let only_code = generates && self.outputs.iter().all(|wanted| matches!(wanted, Wanted::Code(_)));
        let rendered = if only_code { self.rendered_for_code()? } else { self.whole()? };
        self.write(&rendered, &folder).map_err(|failure| failure.having_read(rendered.inputs()))
    }

    fn write(&self, rendered: &Rendered, folder: &Path) -> Result<Output, Failure> {
        self.checks.iter().try_for_each(|check| check.run(rendered))?;
        let mut output = Output { inputs: rendered.inputs().clone(), ..Output::default() };
        output.warnings = rendered.warnings().to_vec();
        let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        let mut folders = Vec::new();
        for wanted in &self.wanted() {
            match wanted {
                Wanted::Documents(format, name) => {
                    let text = rendered.to_text(*format)?;
                    if text.is_empty() {
                        output.notes.push(format!("nothing is rendered from {}", self.recipe.title()));
                    }
                    files.push((folder.join(name), text.into_bytes()));
                }
                Wanted::File(path, name) => {
                    files.push((folder.join(name), one_file(rendered, path)?.content().to_vec()))
                }
                Wanted::Files(name) => folders.push((folder.join(name), names_of_files(rendered)?)),
                Wanted::Explanation(name) => {
                    let explanation = rendered.explanation()?;
                    let page = explanation.map(|explanation| explanation.to_html(rendered.warnings()));
                    files.push((folder.join(name), page.unwrap_or_default().into_bytes()));
                }
                Wanted::Code(name) => {
                    let (code, warnings) = self.code_of(rendered)?;
                    output.notes.extend(warnings.into_iter().map(|report| report.text));
                    let text = format!("// @generated by ytt from {}.\n{code}", self.recipe.title());
                    files.push((folder.join(name), text.into_bytes()));
                }
            }
        }
        for (path, content) in files {
            let shown = path.clone();
            let done = output.write(path, &content);
            done.map_err(|error| Failure::settings(format!("cannot write {}: {error}", shown.display())))?;
        }
        for (folder, names) in folders {
            output.write_files(rendered, &folder, &names)?;
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
        self.whole()
    }

    fn whole(&self) -> Result<Rendered, Error> {
        codegen::track::trace("render", &self.recipe.title());
        self.located().render()
    }

    fn located(&self) -> Project {
        self.recipe.taken(self.project.clone()).base_dir(&self.package_dir)
    }

    /// What code is made of. The values are there before a template fails: they are enough where nothing else is asked for.
    pub(crate) fn rendered_for_code(&self) -> Result<Rendered, Error> {
        let rendered = self.whole();
        match (&rendered, self.recipe.items()) {
            (Err(error), Ok(items))
                if !error.is_denied()
                    && self.checks.is_empty()
                    && !items.is_empty()
                    && codegen::items::need_only_values(&items) =>
            {
                self.located().values().or(rendered)
            }
            _ => rendered,
        }
    }

    /// The code that [`Builder::generate`] writes, as text.
    ///
    /// # Errors
    ///
    /// All problems of the stage that failed, or of the items.
    pub fn code(&self) -> Result<String, Failure> {
        guarded(|| {
            let rendered = self.rendered_for_code()?;
            self.checks.iter().try_for_each(|check| check.run(&rendered))?;
            self.code_of(&rendered).map(|(code, _)| code)
        })
    }

    fn code_of(&self, rendered: &Rendered) -> Result<(String, Vec<Report>), Failure> {
        let expanded = self.recipe.expand(rendered)?;
        let path = self.recipe.crate_path.as_deref();
        let code = stamp::code(&self.package_dir, expanded.tokens, expanded.needs_engine, path);
        Ok((code.map_err(Failure::settings)?, expanded.warnings))
    }
}

/// Does the work of an entry; a panic is a failure that says so.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    caught(work).unwrap_or_else(|text| Err(Failure::settings(text)))
}

/// The file of that path, or what there is instead.
fn one_file<'a>(rendered: &'a Rendered, path: &str) -> Result<&'a RenderedFile, Failure> {
    if let Some(file) = rendered.file(path)? {
        return Ok(file);
    }
    Err(Failure::settings(codegen::expand::no_output_file(rendered, path)?))
}

/// The names of all output files. Each must be one below a folder, and none a folder of another one.
fn names_of_files(rendered: &Rendered) -> Result<Vec<String>, Failure> {
    let name = |file: &RenderedFile| {
        if !is_inside(Path::new(file.path())) || file.path().contains('\n') {
            return Err(Failure::settings(format!("`{}` is not a name below the output folder", file.path())));
        }
        let parts: Vec<_> = Path::new(file.path()).iter().map(|part| part.to_string_lossy()).collect();
        Ok(parts.join("/"))
    };
    let names = rendered.files()?.iter().map(name).collect::<Result<Vec<String>, Failure>>()?;
    let files: BTreeSet<&Path> = names.iter().map(Path::new).collect();
    for name in &files {
        if let Some(above) = name.ancestors().skip(1).find(|above| files.contains(above)) {
            let text = format!("`{}` is a file, but `{}` needs a folder there", above.display(), name.display());
            return Err(Failure::settings(text));
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Panics;

    impl<'de> serde::Deserialize<'de> for Panics {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Panics, D::Error> {
            panic!("boom")
        }
    }

    #[test]
    fn a_panic_is_a_failure() {
        let out = std::env::temp_dir().join(format!("ytt-build-panics-{}", std::process::id()));
        let builder = || Builder::new("tests/config").data_value("replicas", 3).validate::<Panics>("").out_dir(&out);
        let text = "internal error in ytt, please report it: boom";
        assert_eq!(builder().try_build().unwrap_err().to_string(), text);
        assert_eq!(builder().types("Config").code().unwrap_err().to_string(), text);
        assert_eq!(builder().types("Config").generate_into("src/never.rs").unwrap_err().to_string(), text);
        assert!(!out.exists() && !std::path::Path::new("src/never.rs").exists());
    }

    #[test]
    fn an_output_belongs_to_one_builder_of_a_script() {
        let builder = |path: &str| Builder::new(path).out_dir("claimed");
        assert_eq!(builder("a/config").claim(), Ok(()));
        let problem = builder("b/config").claim().unwrap_err();
        assert!(problem.starts_with("`config.yml` is written by two builders of this script"), "{problem}");
        assert_eq!(builder("b/config").write_text("b.yml").claim(), Ok(()));
        assert_eq!(builder("b/config").out_dir("other").claim(), Ok(()));
    }
}
