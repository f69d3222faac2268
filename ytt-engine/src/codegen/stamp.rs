//! Generated code as a whole file: the header, and the code behind it as people read it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
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

/// What renders read, under absolute paths.
#[derive(Default)]
struct Taken {
    /// Digests of contents.
    files: BTreeMap<PathBuf, String>,
    /// Names of what is no folder.
    folders: BTreeMap<PathBuf, Vec<OsString>>,
    /// A template asked which files there are.
    listed: bool,
}

impl Taken {
    /// Adds what a render read.
    ///
    /// # Errors
    ///
    /// Another render read something else there: the code is made of parts of both.
    fn add(&mut self, rendered: &Rendered, absolute: &dyn Fn(&Path) -> PathBuf) -> Result<(), String> {
        self.listed |= rendered.inputs().listed;
        for (path, text) in rendered.read_files() {
            note(&mut self.files, absolute(&path), committed::digest(text.as_bytes()))?;
        }
        for (folder, mut names) in rendered.outer().0.reads.listings() {
            names.sort();
            note(&mut self.folders, absolute(&folder), names)?;
        }
        Ok(())
    }

    /// The digest of what is below a folder that is in no other.
    fn listing(&self, folder: &Path) -> String {
        let below = self.folders.iter().filter_map(|(path, names)| Some((path.strip_prefix(folder).ok()?, names)));
        let files = below.flat_map(|(path, names)| names.iter().map(|name| path.join(name)));
        committed::listing_of(files.collect(), self.listed)
    }
}

fn note<T: PartialEq>(known: &mut BTreeMap<PathBuf, T>, path: PathBuf, found: T) -> Result<(), String> {
    match known.entry(path) {
        Entry::Vacant(place) => _ = place.insert(found),
        Entry::Occupied(other) if *other.get() == found => {}
        Entry::Occupied(other) => {
            return Err(format!("`{}` changed while the code was made of it: make it again", other.key().display()));
        }
    }
    Ok(())
}

/// The header of code that was made of these renders. Its digests are of what they read: whatever changed since is a
/// difference for the next check.
fn header(package: &Path, title: &str, origin: Origin, renders: &[Rendered]) -> Result<Header, String> {
    if let Some(variable) = renders.iter().find_map(|rendered| rendered.inputs().env.first()) {
        return Err(format!("the variable `{variable}` is an input: the file would depend on who made it"));
    }
    let here = std::env::current_dir().unwrap_or_default();
    let absolute = |path: &Path| clean(&here.join(path));
    let package = absolute(package);
    let digest = |path: &Path, digest: String| match relative(&package, path) {
        Some(path) => Ok(Digest { digest, path }),
        None => Err(format!("`{}` has no path relative to the package", path.display())),
    };
    let mut taken = Taken::default();
    renders.iter().try_for_each(|rendered| taken.add(rendered, &absolute))?;
    let files = taken.files.iter().map(|(path, content)| digest(path, content.clone()));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    let is_outermost = |path: &Path| !path.ancestors().skip(1).any(|above| taken.folders.contains_key(above));
    let outermost = taken.folders.keys().filter(|path| is_outermost(path));
    let mut folders = outermost.map(|path| digest(path, taken.listing(path))).collect::<Result<Vec<_>, _>>()?;
    for list in [&mut files, &mut folders] {
        list.sort_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(Header { title: title.to_owned(), origin, listed: taken.listed, folders, files })
}

/// A whole committed file of a recipe, with what stops nothing.
///
/// # Errors
///
/// What of the inputs cannot be part of a header: variables, whose values others do not have, and paths that have no form
/// relative to the package. As [`code`], and the problems of the items.
pub fn recipe_file(package: &Path, recipe: &Recipe, rendered: &Rendered) -> Result<(String, Vec<Report>), Failure> {
    const MAKER: &str = "`cargo ytt generate`, or YTT_BLESS=1 with the test that names this file";
    let wrong = |text: String| Failure::of_text(text, rendered.inputs());
    if recipe.items.is_empty() {
        return Err(wrong("there is nothing to generate: call `items` or `types`".to_owned()));
    }
    let expanded = recipe.expand(rendered)?;
    let origin = Origin::Recipe(recipe.to_json().map_err(wrong)?);
    let header = header(package, &recipe.title(), origin, std::slice::from_ref(rendered)).map_err(wrong)?;
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
        let header = header(self.package, &titles.join(", "), Origin::Call(text), &expansion.renders).map_err(wrong)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    fn rendered(recipe: &Recipe, package: &Folder) -> Rendered {
        recipe.project(package, &[]).render().unwrap()
    }

    fn text(package: &Folder, recipe: &Recipe, rendered: &Rendered) -> String {
        recipe_file(package, recipe, rendered).map_err(|failure| failure.reports).unwrap().0
    }

    fn differences(package: &Folder, text: &str) -> Vec<String> {
        Header::read(text).unwrap().0.differences(package)
    }

    #[test]
    fn digests_are_of_what_was_read() {
        let files = [
            ("config/a.yml", "a: 1\n"),
            ("config/sub/b.txt", "b\r\n"),
            ("config/sub/README.md", ""),
            ("other.yml", "a: 2\n"),
        ];
        let package = Folder::with("stamp", files);
        let inputs = ["config", "other.yml", "config/sub"].map(PathBuf::from).to_vec();
        let recipe = Recipe { inputs, ..Recipe::default() };
        let recipe = Recipe { items: "pub static ALL: [(&str, &str)] = files;".to_owned(), ..recipe };
        let render = rendered(&recipe, &package);
        let before = text(&package, &recipe, &render);
        assert_eq!(differences(&package, &before), [""; 0]);
        // Between the render and the header: it is of the first contents still, and the next check tells.
        package.write("other.yml", "a: 3\n");
        package.write("config/sub/c.yml", "");
        assert_eq!(text(&package, &recipe, &render), before);
        assert_eq!(differences(&package, &before), ["`other.yml` changed", "`config` has other files"]);
        let after = text(&package, &recipe, &rendered(&recipe, &package));
        assert_eq!(differences(&package, &after), [""; 0]);
    }

    #[test]
    fn parts_of_two_contents_are_refused() {
        let package = Folder::with("two-contents", [("in/a.yml", "a: 1\n")]);
        let recipe = Recipe { inputs: vec!["in".into()], ..Recipe::default() };
        let header_of = |renders: &[Rendered]| header(&package, "", Origin::Call(String::new()), renders);
        let first = rendered(&recipe, &package);
        assert!(header_of(&[first.clone(), rendered(&recipe, &package)]).is_ok());
        package.write("in/b.yml", "b: 1\n");
        let second = rendered(&recipe, &package);
        package.write("in/a.yml", "a: 2\n");
        let third = rendered(&recipe, &package);
        for (pair, named) in [([first, second.clone()], "in"), ([second, third], "in/a.yml")] {
            let path = clean(&std::env::current_dir().unwrap().join(package.join(named)));
            let expected = format!("`{}` changed while the code was made of it: make it again", path.display());
            assert_eq!(header_of(&pair).unwrap_err(), expected);
        }
    }

    /// Why no file is made of the recipe.
    fn refused(package: &Folder, recipe: &Recipe) -> String {
        let failure = recipe_file(package, recipe, &rendered(recipe, package)).unwrap_err();
        failure.reports.into_iter().map(|report| report.text).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_no_file_can_be_made_of() {
        let package = Folder::with("refused", [("a.yml", "a: 1\n"), ("Cargo.toml", "[dependencies]\nserde = \"1\"\n")]);
        let items = |items: &str| Recipe { inputs: vec!["a.yml".into()], items: items.to_owned(), ..Recipe::default() };
        assert_eq!(refused(&package, &items("")), "there is nothing to generate: call `items` or `types`");
        let any = items("pub static A: Value = document;");
        let missing = refused(&package, &any);
        assert!(
            missing.starts_with("generated code needs `ytt-engine`: ") && missing.ends_with("or `.crate_path(\"…\")`"),
            "{missing}"
        );
        let path = |path: &str| Recipe { crate_path: Some(path.to_owned()), ..any.clone() };
        assert_eq!(refused(&package, &path(")")), "`)` is no path of Rust");
        let given = text(&package, &path("crate::y"), &rendered(&any, &package));
        assert!(given.contains("pub static A: crate::y::constant::Value ="), "{given}");
        let absolute = Recipe { inputs: vec![package.join("a.yml")], ..items("pub static A: A = document;") };
        assert!(refused(&package, &absolute).contains("is a path of this machine"));
    }

    #[test]
    fn the_engine_has_the_name_of_the_manifest() {
        let manifest = "[dependencies]\nyt = { version = \"0.1\", package = \"ytt-engine\" }\n";
        let package = Folder::with("renamed", [("a.yml", "a: 1\n"), ("Cargo.toml", manifest)]);
        let recipe =
            |items: &str| Recipe { inputs: vec!["a.yml".into()], items: items.to_owned(), ..Recipe::default() };
        let of = |items: &str| text(&package, &recipe(items), &rendered(&recipe(items), &package));
        assert!(of("pub static A: Value = document;").contains("pub static A: ::yt::constant::Value ="));
        assert!(!of("pub static A: A = document;").contains("yt::"));
    }

    #[test]
    fn a_variable_is_no_input_of_a_committed_file() {
        let files = [("a.yml", "#@data/values\n---\nhost: x\n")];
        let package = Folder::with("variable", files);
        let variables = [("APP_host".to_owned(), "y".to_owned())];
        let rendered =
            crate::Project::new().read(package.join("a.yml")).data_values_env("APP", variables).render().unwrap();
        let problem = header(&package, "", Origin::Call(String::new()), &[rendered]).unwrap_err();
        assert_eq!(problem, "the variable `APP_host` is an input: the file would depend on who made it");
    }

    #[test]
    fn inputs_beside_the_source() {
        let files = [("src/deep/own.yml", "a: own\n"), ("own.yml", "a: package\n")];
        let package = Folder::with("beside", files);
        let source = package.join("src/deep/main.rs");
        let call = |tokens: &str| CallIn {
            package: &package,
            source: &source,
            tokens: tokens.parse().unwrap(),
            said: None,
            lints: &[],
        };
        let committed = |tokens: &str| {
            let (name, text, warnings) = call(tokens).committed().map_err(|failure| failure.reports).unwrap();
            assert!(warnings.is_empty() && name == call(tokens).committed_name());
            (name, text)
        };
        let (beside, text) = committed("\"./own.yml\"");
        assert!(text.contains(" src/deep/own.yml\n") && text.ends_with("r\"a: own\n\"\n"), "{text}");
        let (of_package, text) = committed("\"own.yml\"");
        assert!(text.contains(" own.yml\n") && text.ends_with("r\"a: package\n\"\n"), "{text}");
        // The name of the first says where its source is.
        let moved = package.join("src/main.rs");
        assert_ne!(CallIn { source: &moved, ..call("\"./own.yml\"") }.committed_name(), beside);
        assert_eq!(CallIn { source: &moved, ..call("\"own.yml\"") }.committed_name(), of_package);
    }
}
