//! What a package's manifest says of ytt: how `ytt-engine` is called in it, and whether it is published.
//!
//! Only tables and keys of the usual forms are read; a manifest is what cargo has checked. Nothing here knows the engine.

use std::path::Path;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The name under which code of a package finds `ytt-engine`: as it is, or as the dependency renames it. `None` if no
/// dependency is found.
///
/// ```
/// use ytt_engine::codegen::manifest::engine_name;
///
/// assert_eq!(engine_name("[dependencies]\nytt-engine = \"0.1\"\n", ""), Some("ytt_engine".to_owned()));
/// let renamed = "[dev-dependencies.yaml-templates]\npackage = \"ytt-engine\"\n";
/// assert_eq!(engine_name(renamed, ""), Some("yaml_templates".to_owned()));
/// assert_eq!(engine_name("[dependencies]\nytt-macros = \"0.1\"\n", ""), None);
/// ```
pub fn engine_name(manifest: &str, workspace: &str) -> Option<String> {
    let all = entries(manifest);
    let is_other = |of: &str| {
        let mut packages = all.iter().filter(|(table, key, _)| table == of && *key == "package");
        packages.any(|(.., value)| unquoted(value) != Some("ytt-engine"))
    };
    all.iter().find_map(|(table, key, value)| {
        let (name, is_engine) = if is_dependencies(table) {
            let (name, of) = key.split_once('.').unwrap_or((key, ""));
            let name = name.trim_matches('"');
            (name, package_of(name, of, value, workspace).as_deref() == Some("ytt-engine"))
        } else {
            // `[dependencies.name]`: the package may be named below it.
            let (_, name) = table.rsplit_once('.').filter(|(above, _)| is_dependencies(above))?;
            let (name, is_named) = (name.trim_matches('"'), *key == "package" && unquoted(value) == Some("ytt-engine"));
            (name, is_named || name == "ytt-engine" && !is_other(table))
        };
        is_engine.then(|| name.replace('-', "_")).filter(|name| is_name(name))
    })
}

/// Can it be the name of a crate? Of what is no manifest, anything may stand in front of `=`.
fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = characters.next().is_some_and(|first| first == '_' || unicode_ident::is_xid_start(first));
    starts && text != "_" && characters.all(unicode_ident::is_xid_continue)
}

/// The path by which code of a package names `ytt-engine`. `None` if no dependency is found.
pub fn engine_path(package: &Path) -> Option<TokenStream> {
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let name = Ident::new(&engine_name(&manifest, &workspace_manifest(package))?, Span::call_site());
    Some(quote!(::#name))
}

/// The package that a dependency means.
fn package_of(name: &str, of: &str, value: &str, workspace: &str) -> Option<String> {
    if of == "package" {
        return unquoted(value).map(str::to_owned);
    }
    if let Some(package) = inline(value, "package") {
        return Some(package.to_owned());
    }
    let is_inherited = of == "workspace" || value.starts_with('{') && value.contains("workspace");
    if is_inherited && name != "ytt-engine" {
        return workspace_package(workspace, name);
    }
    Some(name.to_owned())
}

/// The package behind a name of `[workspace.dependencies]`.
fn workspace_package(workspace: &str, wanted: &str) -> Option<String> {
    entries(workspace).into_iter().find_map(|(table, key, value)| {
        let (name, of) = key.split_once('.').unwrap_or((key, ""));
        if table == "workspace.dependencies" && name.trim_matches('"') == wanted {
            return package_of(wanted, if of == "package" { of } else { "" }, value, "");
        }
        let is_package = table == format!("workspace.dependencies.{wanted}") && key == "package";
        unquoted(value).filter(|_| is_package).map(str::to_owned)
    })
}

/// What is said where code needs the run-time half and the package does not have it; `or` is the other way out.
///
/// ```
/// use ytt_engine::codegen::manifest::missing_engine;
///
/// let said = missing_engine("::ytt_engine::constant::from_value(&V)", "`crate = path`");
/// assert!(said.ends_with("default-features = false, features = [\"serde\"] }`, or `crate = path`"), "{said}");
/// ```
pub fn missing_engine(code: &str, or: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let features: Vec<String> = features(code).into_iter().map(|name| format!("\"{name}\"")).collect();
    let features = if features.is_empty() { String::new() } else { format!(", features = [{}]", features.join(", ")) };
    format!(
        "generated code needs `ytt-engine`: add `ytt-engine = {{ version = \"{version}\", default-features = \
         false{features} }}`, or {or}"
    )
}

/// The features without which generated code does not compile.
fn features(code: &str) -> Vec<&'static str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let is_word = |(at, name): (usize, &str)| {
        let (before, from) = code.split_at_checked(at).unwrap_or_default();
        !before.ends_with(is_part) && !from.strip_prefix(name).unwrap_or_default().starts_with(is_part)
    };
    let has = |name: &str| code.match_indices(name).any(is_word);
    let maps = has("CowMap");
    let mut found = Vec::new();
    if has("from_value") || maps && (has("Serialize") || has("Deserialize")) {
        found.push("serde");
    }
    if has("__f") {
        found.push("std");
    }
    if found.is_empty() && maps {
        found.push("alloc");
    }
    found
}

/// Can the package be published: its manifest does not say `publish = false`?
///
/// ```
/// use ytt_engine::codegen::manifest::is_published;
///
/// assert!(is_published("[package]\nname = \"a\"\n"));
/// assert!(!is_published("[package]\npublish = false # internal\n"));
/// assert!(!is_published("[package]\npublish = []\n"));
/// ```
pub fn is_published(manifest: &str) -> bool {
    let all = entries(manifest);
    let found = all.iter().find(|(table, key, _)| table == "package" && *key == "publish");
    found.is_none_or(|(.., value)| {
        let value: String = value.chars().filter(|character| !character.is_whitespace()).collect();
        value != "false" && value != "[]"
    })
}

/// The manifest of the workspace above a package; empty if there is none.
pub fn workspace_manifest(package: &Path) -> String {
    let texts = package.ancestors().filter_map(|folder| std::fs::read_to_string(folder.join("Cargo.toml")).ok());
    texts
        .into_iter()
        .find(|text| text.lines().any(|line| header(line).is_some_and(|name| name.starts_with("workspace"))))
        .unwrap_or_default()
}

/// The keys of a manifest with their tables and values.
fn entries(manifest: &str) -> Vec<(String, &str, &str)> {
    let mut table = String::new();
    let mut found = Vec::new();
    for line in manifest.lines().map(without_comment) {
        if let Some(name) = header(line) {
            table = name;
        } else if let Some((key, value)) = line.split_once('=') {
            found.push((table.clone(), key.trim(), value.trim()));
        }
    }
    found
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let begins = |character: char| {
        quoted ^= character == '"';
        character == '#' && !quoted
    };
    line.split(begins).next().unwrap_or(line).trim()
}

fn header(line: &str) -> Option<String> {
    let name = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let name = name.trim_matches(['[', ']']);
    Some(name.split('.').map(str::trim).collect::<Vec<_>>().join("."))
}

/// Does a table hold dependencies of code: not those of build scripts?
fn is_dependencies(table: &str) -> bool {
    let last = table.rsplit('.').next().unwrap_or(table);
    matches!(last, "dependencies" | "dev-dependencies" | "dev_dependencies") && !table.starts_with("workspace")
}

/// The text of a key in `{ key = "text", … }`.
fn inline<'a>(table: &'a str, key: &str) -> Option<&'a str> {
    let inside = table.strip_prefix('{')?;
    inside.split([',', '{', '}']).find_map(|part| {
        let (name, value) = part.split_once('=')?;
        if name.trim() == key { unquoted(value.trim()) } else { None }
    })
}

fn unquoted(value: &str) -> Option<&str> {
    let mark = value.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    value.strip_prefix(mark)?.split(mark).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn the_name_of_the_engine() {
        let workspace = "[workspace.dependencies]\ntemplates = { package = \"ytt-engine\", version = \"0.1\" }\n";
        for (manifest, expected) in [
            ("[dependencies]\nytt-engine = { version = \"0.1\", default-features = false }", Some("ytt_engine")),
            ("[dependencies]\nytt-engine.workspace = true", Some("ytt_engine")),
            ("[dependencies]\nytt-engine.version = \"0.1\"", Some("ytt_engine")),
            ("[dependencies]\ny = { version = \"0.1\", package = \"ytt-engine\" }", Some("y")),
            ("[dependencies]\n\"y-z\" = { package = 'ytt-engine' } # x", Some("y_z")),
            ("[dependencies]\ntemplates.workspace = true", Some("templates")),
            ("[dependencies]\ntemplates = { workspace = true }", Some("templates")),
            ("[dev-dependencies.ytt-engine]\npath = \"x\"", Some("ytt_engine")),
            ("[dependencies]\nty.package = \"ytt-engine\"\nty.version = \"0.1\"", Some("ty")),
            ("[dependencies]\nty.package = 'other'", None),
            ("[dependencies.yy]\nversion = \"1\"\npackage = \"ytt-engine\"", Some("yy")),
            ("[target.'cfg(unix)'.dependencies]\nytt-engine = \"0.1\"", Some("ytt_engine")),
            ("[target.\"cfg(unix)\".dependencies.ytt-engine]\nversion = \"0.1\"", Some("ytt_engine")),
            ("[dependencies.ytt-engine]\npackage = \"other\"", None),
            ("[dependencies]\nytt-engine = { package = \"other\" }", None),
            ("[build-dependencies]\nytt-engine = \"0.1\"", None),
            ("[dependencies]\n# ytt-engine = \"0.1\"", None),
            ("[package]\nname = \"ytt-engine\"", None),
            // No manifest: what stands in front of `=` is no name.
            ("[dependencies]\n= { package = \"ytt-engine\" }", None),
            ("[dependencies]\na b = { package = \"ytt-engine\" }", None),
        ] {
            assert_eq!(engine_name(manifest, workspace).as_deref(), expected, "{manifest}");
        }
    }

    #[test]
    fn the_features_that_code_needs() {
        for (code, expected) in [
            ("::ytt_engine::constant::Value", &[][..]),
            ("constant :: from_value (& __YTT_WEB)", &["serde"]),
            ("use ::ytt_engine::constant::fields as __f;", &["std"]),
            ("from_value; fields as __f", &["serde", "std"]),
            ("constant::CowMap<T>", &["alloc"]),
            ("#[derive(serde::Deserialize)] constant::CowMap<T>", &["serde"]),
            ("#[derive(serde::Deserialize)] constant::Map<T>", &[]),
            ("my_from_value __first", &[]),
        ] {
            assert_eq!(features(code), expected, "{code}");
        }
    }

    #[test]
    fn a_name_of_the_workspace() {
        let inherits = "[dependencies]\nyaml-templates = { workspace = true }\n";
        for (workspace, expected) in [
            ("[workspace.dependencies]\nyaml-templates = { package = \"ytt-engine\" }\n", Some("yaml_templates")),
            ("[workspace.dependencies]\nyaml-templates.package = \"ytt-engine\"\n", Some("yaml_templates")),
            ("[workspace.dependencies.yaml-templates]\npackage = \"ytt-engine\"\n", Some("yaml_templates")),
            ("[workspace.dependencies.yaml-templates]\npackage = \"other\"\n", None),
            ("[workspace.dependencies.other]\npackage = \"ytt-engine\"\n", None),
            ("[workspace.dependencies]\nyaml-templates = \"1\"\n", None),
        ] {
            assert_eq!(engine_name(inherits, workspace).as_deref(), expected, "{workspace}");
        }
    }

    #[test]
    fn packages_on_the_disk() {
        let files = [
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"a/*\"]\n[workspace.dependencies]\nyt = { package = \"ytt-engine\" }\n",
            ),
            ("a/inherits/Cargo.toml", "[dependencies]\nyt.workspace = true\n"),
            ("a/plain/Cargo.toml", "[dev-dependencies]\nytt-engine = \"0.1\"\n"),
            ("a/none/Cargo.toml", "[dependencies]\nserde = \"1\"\n"),
        ];
        let folder = Folder::with("manifests", files);
        let path = |package: &str| engine_path(&folder.join(package)).map(|path| path.to_string().replace(' ', ""));
        assert_eq!(path("a/inherits").as_deref(), Some("::yt"));
        assert_eq!(path("a/plain").as_deref(), Some("::ytt_engine"));
        assert_eq!((path("a/none"), path("a/gone")), (None, None));
        assert_eq!(workspace_manifest(&folder.join("a/plain")), files[0].1);
        assert_eq!(workspace_manifest(Path::new("nowhere")), "");
    }

    #[test]
    fn what_is_said_of_a_missing_engine() {
        let version = env!("CARGO_PKG_VERSION");
        for (code, features) in [
            ("::ytt_engine::constant::Value", ""),
            ("::ytt_engine::constant::CowMap<u8>", ", features = [\"alloc\"]"),
            ("from_value; fields as __f", ", features = [\"serde\", \"std\"]"),
        ] {
            let expected = format!(
                "generated code needs `ytt-engine`: add `ytt-engine = {{ version = \"{version}\", default-features = \
                 false{features} }}`, or x"
            );
            assert_eq!(missing_engine(code, "x"), expected);
        }
    }
}
