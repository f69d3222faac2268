//! What a package's manifest says of ytt: how `ytt-engine` is called in it, and whether it is published.
//!
//! Only tables and keys of the usual forms are read; a manifest is what cargo has checked. Nothing here knows the engine.

use std::path::Path;

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
    let mut table = String::new();
    for line in manifest.lines().map(without_comment) {
        if let Some(name) = header(line) {
            table = name;
            // `[dependencies.name]`: the package may be named below it.
            if let Some((above, name)) = table.rsplit_once('.')
                && is_dependencies(above)
                && name.trim_matches('"') == "ytt-engine"
                && !has_other_package(manifest, line)
            {
                return Some("ytt_engine".to_owned());
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim());
        let (name, of) = key.split_once('.').unwrap_or((key, ""));
        let name = name.trim_matches('"');
        if is_dependencies(&table) {
            let package = package_of(name, of, value, workspace);
            if package.as_deref() == Some("ytt-engine") {
                return Some(name.replace('-', "_"));
            }
        } else if let Some((above, name)) = table.rsplit_once('.')
            && is_dependencies(above)
            && key == "package"
            && unquoted(value) == Some("ytt-engine")
        {
            return Some(name.trim_matches('"').replace('-', "_"));
        }
    }
    None
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
    let mut table = String::new();
    for line in workspace.lines().map(without_comment) {
        if let Some(name) = header(line) {
            table = name;
        } else if let Some((key, value)) = line.split_once('=') {
            let (key, value) = (key.trim(), value.trim());
            let (name, of) = key.split_once('.').unwrap_or((key, ""));
            if table == "workspace.dependencies" && name.trim_matches('"') == wanted {
                return package_of(wanted, if of == "package" { of } else { "" }, value, "");
            }
            if table == format!("workspace.dependencies.{wanted}") && key == "package" {
                return unquoted(value).map(str::to_owned);
            }
        }
    }
    None
}

/// What is said where code needs the run-time half and the package does not have it; `or` is the other way out.
pub fn missing_engine(or: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "generated code needs `ytt-engine`: add `ytt-engine = {{ version = \"{version}\", default-features = false }}`, or \
         {or}"
    )
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
    let mut table = String::new();
    for line in manifest.lines().map(without_comment) {
        if let Some(name) = header(line) {
            table = name;
        } else if let Some((key, value)) = line.split_once('=')
            && table == "package"
            && key.trim() == "publish"
        {
            let value: String = value.chars().filter(|character| !character.is_whitespace()).collect();
            return value != "false" && value != "[]";
        }
    }
    true
}

/// The manifest of the workspace above a package; empty if there is none.
pub fn workspace_manifest(package: &Path) -> String {
    let texts = package.ancestors().filter_map(|folder| std::fs::read_to_string(folder.join("Cargo.toml")).ok());
    texts
        .into_iter()
        .find(|text| text.lines().any(|line| header(line).is_some_and(|name| name.starts_with("workspace"))))
        .unwrap_or_default()
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.char_indices().find(|(_, character)| {
        quoted ^= *character == '"';
        *character == '#' && !quoted
    });
    line[..end.map_or(line.len(), |(at, _)| at)].trim()
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

/// Does the table that begins with this line name another package?
fn has_other_package(manifest: &str, start: &str) -> bool {
    let below = manifest.lines().map(without_comment).skip_while(|line| *line != start).skip(1);
    let inside = below.take_while(|line| header(line).is_none());
    inside
        .filter_map(|line| line.split_once('='))
        .any(|(key, value)| key.trim() == "package" && unquoted(value.trim()) != Some("ytt-engine"))
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
    value[1..].split(mark).next()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("[dependencies.yy]\nversion = \"1\"\npackage = \"ytt-engine\"", Some("yy")),
            ("[target.'cfg(unix)'.dependencies]\nytt-engine = \"0.1\"", Some("ytt_engine")),
            ("[target.\"cfg(unix)\".dependencies.ytt-engine]\nversion = \"0.1\"", Some("ytt_engine")),
            ("[dependencies.ytt-engine]\npackage = \"other\"", None),
            ("[dependencies]\nytt-engine = { package = \"other\" }", None),
            ("[build-dependencies]\nytt-engine = \"0.1\"", None),
            ("[dependencies]\n# ytt-engine = \"0.1\"", None),
            ("[package]\nname = \"ytt-engine\"", None),
        ] {
            assert_eq!(engine_name(manifest, workspace).as_deref(), expected, "{manifest}");
        }
    }
}
