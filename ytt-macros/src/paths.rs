//! What a path in a call means: below the package, beside the source file, below `OUT_DIR`, or absolute.

use std::path::{Component, Path, PathBuf};

use proc_macro2::Span;
use ytt_engine::codegen::call::{CallError, Text};

/// The folders from which paths start.
pub(crate) struct Paths {
    /// Where the compiler runs; paths below it are shown relative to it.
    here: PathBuf,
    package: PathBuf,
}

impl Paths {
    pub(crate) fn new() -> Paths {
        let here = std::env::current_dir().unwrap_or_default();
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| here.clone(), PathBuf::from);
        Paths { here, package }
    }

    /// The path that a text means: it exists, and is relative to the compiler's folder where it lies below it.
    pub(crate) fn resolve(&self, text: &Text) -> Result<PathBuf, CallError> {
        let path = self.find(text)?;
        let path = clean(&path);
        if !path.is_file() && !path.is_dir() {
            return Err(error("path-kind", text.span, format!("`{}` is neither a file nor a folder", text.value)));
        }
        if path.is_dir() && !has_files(&path) {
            let message = format!("no file in `{}` is used by ytt (.yml, .yaml, .txt, .star)", text.value);
            return Err(error("path-unused", text.span, message));
        }
        Ok(path.strip_prefix(&self.here).map_or_else(|_| path.clone(), Path::to_path_buf))
    }

    fn find(&self, text: &Text) -> Result<PathBuf, CallError> {
        let (value, span) = (text.value.as_str(), text.span);
        if value.contains('\\') {
            return Err(error("path-backslash", span, "write `/`: it works on every system"));
        }
        if value.starts_with("http://") || value.starts_with("https://") {
            return Err(error("path-url", span, "a build does not read the network"));
        }
        if let Some(rest) = value.strip_prefix("$OUT_DIR") {
            let Some(folder) = std::env::var_os("OUT_DIR") else {
                return Err(error("path-out-dir", span, "`$OUT_DIR` is not set: add a build.rs"));
            };
            let path = PathBuf::from(folder).join(rest.trim_start_matches('/'));
            return if path.exists() { Ok(path) } else { Err(self.missing(text, &[path])) };
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
        // Tools such as trybuild compile a file of one package inside of another one.
        let source = self.source(span);
        let packages = source.iter().flat_map(|source| source.ancestors().skip(1));
        let packages = packages.filter(|folder| folder.join("Cargo.toml").is_file());
        let paths: Vec<PathBuf> = std::iter::once(path).chain(packages.map(|folder| folder.join(value))).collect();
        paths.iter().find(|path| path.exists()).cloned().ok_or_else(|| self.missing(text, &paths))
    }

    /// The source file in which the literal stands, if the compiler says; an editor does not.
    fn source(&self, span: Span) -> Option<PathBuf> {
        span.unwrap().local_file().map(|file| self.here.join(file))
    }

    fn beside(&self, text: &Text, rest: &str) -> Result<PathBuf, CallError> {
        let Some(source) = self.source(text.span) else {
            return Err(error("path-source", text.span, "the source file of this call is not known here"));
        };
        let path = source.parent().unwrap_or(&self.here).join(rest);
        if path.exists() { Ok(path) } else { Err(self.missing(text, &[path])) }
    }

    /// `paths` are the places where it was looked for.
    fn missing(&self, text: &Text, paths: &[PathBuf]) -> CallError {
        let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "this".to_owned());
        let near = paths.iter().find_map(|path| nearest(path)).map(|near| {
            let folder = text.value.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
            format!(" (did you mean `{folder}{near}`?)")
        });
        let message = format!("`{}` does not exist in package `{package}`{}", text.value, near.unwrap_or_default());
        error("path-missing", text.span, message)
    }
}

fn error(name: &'static str, span: Span, message: impl Into<String>) -> CallError {
    CallError { name, message: message.into(), span }
}

/// `path` without `.` and `..`, without asking the file system.
fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Does a folder hold a file that ytt uses?
fn has_files(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return true };
    entries.flatten().any(|entry| {
        let path = entry.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("yml" | "yaml" | "txt" | "star") if path.is_file() => true,
            _ => path.is_dir() && has_files(&path),
        }
    })
}

/// The entry beside a missing path whose name is nearest: up to two letters differ.
fn nearest(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?.to_owned();
    let mut names: Vec<String> = std::fs::read_dir(path.parent()?)
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str().map(str::to_owned))
        .collect();
    names.sort();
    ytt_engine::codegen::call::nearest(&wanted, names.iter().map(String::as_str)).map(str::to_owned)
}
