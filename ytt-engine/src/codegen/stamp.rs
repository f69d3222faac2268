//! Generated code as a whole file: the header, and the code behind it as people read it.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;

use super::call::{self, Text, canonical};
use super::committed::{self, Digest, Header, Origin, clean, relative};
use super::expand::{Context, Expansion, expand};
use super::items::Place;
use super::manifest;
use super::plan::{Failure, Plan, Report};
use super::pretty::pretty;
use super::recipe::Recipe;
use super::said::Said;
use super::track::with_engine;
use crate::{Inputs, Level, Rendered};

/// The header of code that was made of these inputs.
///
/// # Errors
///
/// What of the inputs cannot be part of it: variables, whose values others do not have, and paths that have no form
/// relative to the package.
pub fn header(package: &Path, title: &str, origin: Origin, inputs: &Inputs) -> Result<Header, String> {
    if let Some(variable) = inputs.env.first() {
        return Err(format!("the variable `{variable}` is an input: the file would depend on who made it"));
    }
    let here = std::env::current_dir().unwrap_or_default();
    let absolute = |path: &Path| clean(&here.join(path));
    let package = absolute(package);
    let name = |path: &Path| {
        relative(&package, path).ok_or_else(|| format!("`{}` has no path relative to the package", path.display()))
    };
    let read = |path: &Path, error: std::io::Error| format!("`{}`: {error}", path.display());
    let mut files = Vec::new();
    for path in inputs.files.iter().map(|path| absolute(path)) {
        let bytes = std::fs::read(&path).map_err(|error| read(&path, error))?;
        files.push(Digest { digest: committed::digest(&bytes), path: name(&path)? });
    }
    let listed: Vec<PathBuf> = inputs.folders.iter().map(|path| absolute(path)).collect();
    let outermost = listed.iter().filter(|path| !listed.iter().any(|other| *path != other && path.starts_with(other)));
    let mut folders = Vec::new();
    for path in outermost {
        let digest = committed::listing(path, inputs.listed).map_err(|error| read(path, error))?;
        folders.push(Digest { digest, path: name(path)? });
    }
    for list in [&mut files, &mut folders] {
        list.sort_by(|a, b| a.path.cmp(&b.path));
        list.dedup();
    }
    Ok(Header { title: title.to_owned(), origin, listed: inputs.listed, folders, files })
}

/// A whole committed file of a recipe, with what stops nothing.
///
/// # Errors
///
/// As [`header`] and [`code`], and the problems of the items.
pub fn recipe_file(package: &Path, recipe: &Recipe, rendered: &Rendered) -> Result<(String, Vec<Report>), Failure> {
    const MAKER: &str = "`cargo ytt generate`, or YTT_BLESS=1 with the test that names this file";
    let wrong = |text: String| Failure::of_text(text, rendered.inputs());
    if recipe.items.is_empty() {
        return Err(wrong("there is nothing to generate: call `items` or `types`".to_owned()));
    }
    let expanded = recipe.expand(rendered)?;
    let origin = Origin::Recipe(recipe.to_json().map_err(wrong)?);
    let header = header(package, &recipe.title(), origin, rendered.inputs()).map_err(wrong)?;
    let code = code(package, expanded.tokens, expanded.needs_engine, recipe.crate_path.as_deref()).map_err(wrong)?;
    Ok((format!("{}{code}", header.to_text(MAKER)), expanded.warnings))
}

/// A call of the macro in a package, outside of the compiler.
#[derive(Clone, Debug)]
pub struct CallIn<'a> {
    /// The folder of the package.
    pub package: &'a Path,
    /// The source file, below the package.
    pub source: &'a Path,
    /// What stands between the brackets.
    pub tokens: TokenStream,
    /// Problems that need not be told again.
    pub said: Option<&'a Said>,
    /// Levels of lints that the command line sets, beside those of the call.
    pub lints: &'a [(String, Level)],
}

impl CallIn<'_> {
    /// Expands the call. Variables are those of this process.
    ///
    /// # Errors
    ///
    /// All problems of the call.
    pub fn expand(&self, place: Place) -> Result<Expansion, Failure> {
        self.expand_by(place, &|plan, only_values| plan.render_beside(self.lints, only_values))
    }

    /// What the call renders, with a record for [`Rendered::explanation`].
    ///
    /// # Errors
    ///
    /// All problems of the call.
    #[cfg(feature = "explain")]
    pub fn explained(&self) -> Result<Vec<Rendered>, Failure> {
        let renders = std::cell::RefCell::new(Vec::new());
        self.expand_by(Place::Macro, &|plan, _| {
            let rendered = plan.render_explained(self.lints)?;
            renders.borrow_mut().push(rendered.clone());
            Ok(rendered)
        })?;
        Ok(renders.into_inner())
    }

    fn expand_by(
        &self,
        place: Place,
        render: &dyn Fn(&Plan, bool) -> crate::Result<Rendered>,
    ) -> Result<Expansion, Failure> {
        let variable = |name: &str| std::env::var(name).ok();
        let call = call::parse(self.tokens.clone(), &variable).map_err(Failure::of_call)?;
        let resolve = |text: &Text| Ok(self.path(&text.value));
        expand(
            &call,
            &Context {
                resolve: &resolve,
                variable: &variable,
                render,
                said: self.said,
                place,
                has_lints: !self.lints.is_empty(),
            },
        )
    }

    /// Where an input of the call is; below the current folder it is relative to it.
    fn path(&self, value: &str) -> PathBuf {
        let path = match value.strip_prefix("./") {
            Some(rest) => self.source.parent().unwrap_or(self.package).join(rest),
            None => self.package.join(value),
        };
        let path = clean(&path);
        let here = std::env::current_dir().unwrap_or_default();
        match path.strip_prefix(here) {
            Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
            Ok(below) => below.to_path_buf(),
            Err(_) => path,
        }
    }

    /// The name and the text of the committed expansion, with what stops nothing.
    ///
    /// # Errors
    ///
    /// All problems of the call, and what makes its result depend on who renders it.
    pub fn committed(&self) -> Result<(String, String, Vec<Report>), Failure> {
        let text = canonical(self.tokens.clone());
        let name = self.committed_name();
        let expansion = self.expand(Place::Expansion)?;
        let wrong = |text: String| Failure::of_text(text, &Inputs::default());
        let call = call::parse(self.tokens.clone(), &|_| None).map_err(Failure::of_call)?;
        let mut titles: Vec<String> = Vec::new();
        for input in call.sources().into_iter().flat_map(|source| &source.inputs) {
            let title = format!("`{}`", input.value);
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        let header = header(self.package, &titles.join(", "), Origin::Call(text), &expansion.inputs).map_err(wrong)?;
        let text = format!("{}{}", header.to_text("`cargo ytt generate`"), pretty(expansion.tokens));
        Ok((name, text, expansion.warnings))
    }

    /// The name of the file in `.ytt`.
    pub fn committed_name(&self) -> String {
        let is_beside = call::parse(self.tokens.clone(), &|_| None).is_ok_and(|call| {
            let all =
                call.sources().into_iter().flat_map(|source| source.inputs.iter().chain(&source.arguments.values_file));
            all.into_iter().any(|input| input.value.starts_with("./"))
        });
        let source = if is_beside { relative(self.package, self.source).unwrap_or_default() } else { String::new() };
        committed::file_name(&canonical(self.tokens.clone()), &source)
    }
}

/// Code as text, with the name that the package has for `ytt-engine`, or the path that is given.
///
/// # Errors
///
/// If the code needs the crate and the package does not have it.
pub fn code(package: &Path, tokens: TokenStream, needs_engine: bool, path: Option<&str>) -> Result<String, String> {
    if !needs_engine {
        return Ok(pretty(tokens));
    }
    let path: TokenStream = match path {
        Some(path) => path.parse().map_err(|_| format!("`{path}` is no path of Rust"))?,
        None => manifest::engine_path(package)
            .ok_or_else(|| manifest::missing_engine(&tokens.to_string(), "`.crate_path(\"…\")`"))?,
    };
    Ok(pretty(with_engine(tokens, &path)))
}
