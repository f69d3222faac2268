//! What a path in a call means: below the package, beside the source file, below `OUT_DIR`, or absolute.

use std::path::{Path, PathBuf};

use proc_macro2::Span;
#[cfg(feature = "engine")]
use ytt_engine::codegen::call::{CallError, Text};
#[cfg(feature = "engine")]
use ytt_engine::codegen::committed::clean;
#[cfg(feature = "engine")]
use ytt_engine::codegen::manifest;
#[cfg(feature = "engine")]
use ytt_engine::codegen::nearest_below;
#[cfg(feature = "engine")]
use ytt_engine::codegen::plan::Report;

/// The folders from which paths start.
pub(crate) struct Paths {
    /// Where the compiler runs; paths below it are shown relative to it.
    here: PathBuf,
    package: PathBuf,
}

/// The name of the error of a path in an editor, which does not tell where the source file is.
pub(crate) const UNKNOWN_SOURCE: &str = "path-source";

/// Is this the server of macros of rust-analyzer, not the compiler?
pub(crate) fn is_editor() -> bool {
    let program = std::env::current_exe().unwrap_or_default();
    program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rust-analyzer"))
}

impl Paths {
    pub(crate) fn new() -> Paths {
        let here = std::env::current_dir().unwrap_or_default();
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| here.clone(), PathBuf::from);
        Paths { here, package }
    }

    /// The folder of the package that is compiled.
    pub(crate) fn package(&self) -> &Path {
        &self.package
    }

    /// The source file in which the literal stands, if the compiler says; an editor does not.
    pub(crate) fn source(&self, span: Span) -> Option<PathBuf> {
        span.unwrap().local_file().map(|file| self.here.join(file))
    }

    /// All that lies in the folders of the package's sources.
    pub(crate) fn below_sources(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut left: Vec<PathBuf> = ["src", "tests", "examples", "benches"].map(|name| self.package.join(name)).into();
        while let Some(folder) = left.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    left.push(path.clone());
                }
                found.push(path);
            }
        }
        found
    }
}

#[cfg(feature = "engine")]
impl Paths {
    /// The path that a text means: it exists, and is relative to the compiler's folder where it lies below it.
    ///
    /// `is_alone` says that it is all that the call reads: then a folder without templates is a mistake; beside others it
    /// holds data.
    pub(crate) fn resolve(&self, text: &Text, is_alone: bool) -> Result<PathBuf, CallError> {
        let path = self.find(text)?;
        let path = clean(&path);
        if !path.is_file() && !path.is_dir() {
            return Err(error("path-kind", text.span, format!("`{}` is neither a file nor a folder", text.value)));
        }
        if path.is_dir() && !has_files(&path, is_alone) {
            let message = format!("no file in `{}` is used by ytt (.yml, .yaml, .txt, .star)", text.value);
            return Err(error("path-unused", text.span, message));
        }
        match path.strip_prefix(&self.here) {
            Ok(below) if below.as_os_str().is_empty() => Ok(PathBuf::from(".")),
            Ok(below) => Ok(below.to_path_buf()),
            Err(_) => Ok(path),
        }
    }

    fn find(&self, text: &Text) -> Result<PathBuf, CallError> {
        let (value, span) = (text.value.as_str(), text.span);
        if value.is_empty() {
            return Err(error("path-empty", span, "expected a path; the folder of the package is `.`"));
        }
        if value.contains('\\') {
            return Err(error("path-backslash", span, "write `/`: it works on every system"));
        }
        if value.starts_with("http://") || value.starts_with("https://") {
            return Err(error("path-url", span, "a build does not read the network"));
        }
        if let Some(rest) = value.strip_prefix("$OUT_DIR").filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            let Some(folder) = std::env::var_os("OUT_DIR") else {
                return Err(error("path-out-dir", span, "`$OUT_DIR` is not set: add a build.rs"));
            };
            let (folder, rest) = (PathBuf::from(folder), rest.trim_start_matches('/'));
            let path = folder.join(rest);
            return if path.exists() { Ok(path) } else { Err(self.missing(text, &[&folder], rest)) };
        }
        if value.contains('$') {
            return Err(error("path-dollar", span, "only `$OUT_DIR` is known"));
        }
        if let Some(rest) = value.strip_prefix("./") {
            return self.beside(text, rest);
        }
        let path = self.package.join(value);
        if path.exists() {
            return Ok(path);
        }
        let starts = self.packages(span);
        let mut paths = starts.iter().map(|start| start.join(value));
        let starts: Vec<&Path> = starts.iter().map(PathBuf::as_path).collect();
        paths.find(|path| path.exists()).ok_or_else(|| self.missing(text, &starts, value))
    }

    /// The folders from which a path of the package starts: tools such as trybuild compile a file of one package inside of
    /// another one.
    fn packages(&self, span: Span) -> Vec<PathBuf> {
        let source = self.source(span);
        let above = source.iter().flat_map(|source| source.ancestors().skip(1));
        let above = above.filter(|folder| folder.join("Cargo.toml").is_file()).map(Path::to_path_buf);
        std::iter::once(self.package.clone()).chain(above).collect()
    }

    /// What others who build the package will miss.
    pub(crate) fn warning(&self, text: &Text) -> Option<Report> {
        let warn = |what: &str| Some(Report { span: text.span, text: format!("`{}` {what}", text.value) });
        if !text.is_literal || text.value.starts_with("$OUT_DIR") {
            return None;
        }
        if Path::new(&text.value).is_absolute() {
            return warn("is a path of this machine: others cannot build the package [call::path-absolute]");
        }
        let path = clean(&self.find(text).ok()?);
        let manifest = std::fs::read_to_string(self.package.join("Cargo.toml")).unwrap_or_default();
        if path.starts_with(clean(&self.package)) || !manifest::is_published(&manifest) {
            return None;
        }
        warn(
            "is outside of the package, and not in it when it is published: say `publish = false` in its manifest, or \
             commit what is rendered [call::path-outside]",
        )
    }

    fn beside(&self, text: &Text, rest: &str) -> Result<PathBuf, CallError> {
        let Some(source) = self.source(text.span) else {
            return self
                .below_package(rest)
                .ok_or_else(|| error(UNKNOWN_SOURCE, text.span, "the source file of this call is not known here"));
        };
        let folder = source.parent().unwrap_or(&self.here);
        let path = folder.join(rest);
        if path.exists() { Ok(path) } else { Err(self.missing(text, &[folder], rest)) }
    }

    /// The one path of the package's sources that ends in `rest`: what `./` means where the source file is not known.
    fn below_package(&self, rest: &str) -> Option<PathBuf> {
        let found: Vec<PathBuf> = self.below_sources().into_iter().filter(|path| path.ends_with(rest)).collect();
        let [only] = &found[..] else { return None };
        Some(only.clone())
    }

    /// `starts` are the folders in which `rest`, the end of the text, was looked for.
    fn missing(&self, text: &Text, starts: &[&Path], rest: &str) -> CallError {
        let is_there = || self.packages(text.span).iter().any(|start| start.join(rest).exists());
        if text.value.starts_with("./") && is_there() {
            let message = format!("`./` is beside the source file; of the package it is `{rest}`");
            return error("path-missing", text.span, message);
        }
        let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "this".to_owned());
        let near = starts.iter().find_map(|start| nearest_below(start, Path::new(rest))).map(|near| {
            let start = text.value.strip_suffix(rest).unwrap_or_default();
            format!(" (did you mean `{start}{}`?)", near.display())
        });
        let message = format!("`{}` does not exist in package `{package}`{}", text.value, near.unwrap_or_default());
        error("path-missing", text.span, message)
    }
}

#[cfg(feature = "engine")]
fn error(name: &'static str, span: Span, message: impl Into<String>) -> CallError {
    CallError { name, message: message.into(), span }
}

#[cfg(feature = "engine")]
/// Does a folder hold a file, or with `used` one that ytt uses without being told? Links are not followed, as ytt does
/// not walk them.
fn has_files(folder: &Path, used: bool) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return true };
    entries.flatten().any(|entry| {
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.is_ok_and(|kind| kind.is_dir()) {
            return has_files(&path, used);
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        !used || matches!(extension, Some("yml" | "yaml" | "txt" | "star"))
    })
}

#[cfg(all(test, feature = "engine"))]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn what_a_path_means() {
        let files = ["config/a.yml", "data/x.json", "src/app/b.yml", "src/c.yml", "tests/c.yml"];
        let package = Folder::with("paths", files.map(|file| (file, "")));
        #[cfg(unix)]
        std::os::unix::fs::symlink(".", package.join("data/itself")).unwrap();
        let paths = Paths { here: package.to_path_buf(), package: package.to_path_buf() };
        let resolve = |value: &str, is_alone| {
            let text = Text { value: value.to_owned(), span: Span::call_site(), is_literal: true };
            paths.resolve(&text, is_alone).map_err(|error| error.name)
        };
        assert_eq!(resolve("config", true), Ok("config".into()));
        assert_eq!(resolve(".", true), Ok(".".into()));
        assert_eq!(resolve("config/..", true), Ok(".".into()));
        assert_eq!(resolve("", true), Err("path-empty"));
        assert_eq!(resolve("$OUT_DIRECTORY/a", true), Err("path-dollar"));
        // A folder of data is of use only beside templates.
        assert_eq!(resolve("data", true), Err("path-unused"));
        assert_eq!(resolve("data", false), Ok("data".into()));
        if cfg!(unix) {
            assert_eq!(resolve("/dev/null", true), Err("path-kind"));
        }
        let below = |rest| paths.below_package(rest);
        assert_eq!(below("app/b.yml"), Some(package.join("src/app/b.yml")));
        assert_eq!((below("c.yml"), below("d.yml")), (None, None), "two, and none");
    }

    #[test]
    fn what_others_miss_is_warned_of() {
        let manifest = "[package]\nname = \"p\"\n";
        let folder = Folder::with("outside", [("a.yml", ""), ("p/b.yml", ""), ("p/Cargo.toml", manifest)]);
        let paths = Paths { here: folder.join("p"), package: folder.join("p") };
        let code = |value: &str| {
            let text = Text { value: value.to_owned(), span: Span::call_site(), is_literal: true };
            paths.warning(&text).map(|report| report.text.rsplit(' ').next().unwrap_or_default().to_owned())
        };
        assert_eq!(code("b.yml"), None);
        assert_eq!(code("../a.yml").as_deref(), Some("[call::path-outside]"));
        assert_eq!(code(folder.join("a.yml").to_str().unwrap()).as_deref(), Some("[call::path-absolute]"));
        folder.write("p/Cargo.toml", format!("{manifest}publish = false\n"));
        assert_eq!(code("../a.yml"), None);
    }
}
