//! Code that is committed: written by a test of the package that owns it, and held to its inputs by the same test.

use std::path::{Path, PathBuf};

use ytt_engine::codegen::committed::{Header, is_packaged, replace};
use ytt_engine::codegen::stamp;

use crate::builder::Builder;
use crate::failure::Failure;
use crate::run::guarded;

impl Builder {
    /// Writes the code of [`Builder::items`] into a file of the package, with a header that says what it was made of.
    /// Says whether the file changed. [`assert_fresh`] is what a test calls.
    ///
    /// # Errors
    ///
    /// As [`Builder::try_build`]; if a variable is among the inputs, since the file would depend on who made it; in a
    /// build script, which must not write into the source tree.
    pub fn generate_into(self, path: impl AsRef<Path>) -> Result<bool, Failure> {
        let path = self.package_dir.join(path);
        if ["HOST", "TARGET", "OUT_DIR"].iter().all(|name| std::env::var_os(name).is_some()) {
            return Err(Failure::settings("a build script must not write into the source tree"));
        }
        let text = self.committed()?;
        replace(&path, text.as_bytes())
            .map_err(|error| Failure::settings(format!("cannot write {}: {error}", path.display())))
    }

    /// The whole text of the file.
    fn committed(&self) -> Result<String, Failure> {
        guarded(|| self.text_to_commit())
    }

    fn text_to_commit(&self) -> Result<String, Failure> {
        // A variable that is named is among the inputs of the render, also where it is not set.
        if let Some(prefix) = self.prefixes.first() {
            let problem = format!("the variables `{prefix}_…` are inputs: the file would depend on who made it");
            return Err(Failure::settings(problem));
        }
        let rendered = self.rendered_for_code()?;
        self.checks.iter().try_for_each(|check| check.run(&rendered))?;
        let (text, _) = stamp::recipe_file(self.package(), &self.recipe, &rendered)?;
        Ok(text)
    }

    fn package(&self) -> &Path {
        if self.package_dir.as_os_str().is_empty() { Path::new(".") } else { &self.package_dir }
    }
}

/// Panics unless a committed file is what the builder makes now. With `YTT_BLESS=1` it writes the file instead, unless
/// `CI` is set. For a test of the package that owns the file:
///
/// ```no_run
/// # fn builder() -> ytt_build::Builder { ytt_build::Builder::new("config").types("Config") }
/// #[test]
/// fn generated_code_is_fresh() {
///     ytt_build::assert_fresh(builder(), "src/generated.rs");
/// }
/// ```
///
/// In a package that was published or vendored without its inputs it passes, with a note: nobody can change them there.
///
/// # Panics
///
/// If the file differs, with what changed and how to write it; if the render fails, with the report.
#[track_caller]
pub fn assert_fresh(builder: Builder, path: impl AsRef<Path>) {
    let path = path.as_ref();
    let file = builder.package_dir.join(path);
    let package = builder.package();
    let is_gone = |input: &PathBuf| !package.join(input).exists();
    if is_packaged(package) && builder.recipe.inputs.iter().any(is_gone) {
        eprintln!("note: `{}` is not checked: the package is without its inputs", path.display());
        return;
    }
    let new = match builder.committed() {
        Ok(new) => new,
        Err(failure) => panic!("`{}` cannot be generated\n{}", path.display(), failure.report()),
    };
    let old = std::fs::read_to_string(&file).map(|old| old.replace("\r\n", "\n"));
    if old.as_ref().is_ok_and(|old| *old == new) {
        return;
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    if is_set("YTT_BLESS") && !is_set("CI") {
        match replace(&file, new.as_bytes()) {
            Ok(_) => eprintln!("wrote `{}`", path.display()),
            Err(error) => panic!("cannot write `{}`: {error}", path.display()),
        }
        return;
    }
    let ci = if is_set("YTT_BLESS") { "\n`YTT_BLESS` is ignored where `CI` is set" } else { "" };
    panic!("{}{ci}", stale(path, package, old.as_deref().ok(), &new));
}

/// What is said of a file that is not what it should be.
fn stale(path: &Path, package: &Path, old: Option<&str>, new: &str) -> String {
    let name = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let test = std::thread::current().name().map(|name| format!(" {name}")).unwrap_or_default();
    let bless = format!("run `cargo ytt generate`, or `YTT_BLESS=1 cargo test -p {name}{test}`");
    let Some(old) = old else {
        return format!("`{}` does not exist: run `YTT_BLESS=1 cargo test -p {name}{test}`", path.display());
    };
    let mut lines = vec![format!("`{}` is stale", path.display())];
    let headers = (Header::read(old).map(|(header, _)| header), Header::read(new).map(|(header, _)| header));
    if let (Ok(old), Ok(new)) = headers {
        lines.extend(old.differences(package));
        if old.origin != new.origin {
            lines.push(format!("the builder changed: run `YTT_BLESS=1 cargo test -p {name}{test}`"));
            return lines.join("\n  ");
        }
    }
    let pair = old.lines().zip(new.lines()).enumerate().find(|(_, (old, new))| old != new);
    let first = match pair {
        Some((number, (old, new))) => format!("line {} is `{old}`, and should be `{new}`", number + 1),
        None => format!("it has {} lines, and should have {}", old.lines().count(), new.lines().count()),
    };
    lines.extend([first, bless]);
    lines.join("\n  ")
}
