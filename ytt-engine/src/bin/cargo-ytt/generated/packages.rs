//! The packages of a workspace, as `cargo metadata` tells them.

use std::path::{Path, PathBuf};
use std::process::Command;

use ytt_engine::yaml::{DocumentSet, NodeRef};

use crate::args::Parsed;

/// A package of the workspace.
#[derive(Debug)]
pub struct Package {
    pub name: String,
    pub folder: PathBuf,
    /// It depends on the macro.
    pub has_macro: bool,
    /// Its macro renders: the feature `engine` is on.
    pub has_engine: bool,
    /// It can be published.
    pub is_published: bool,
    /// The build script, if there is one.
    pub script: Option<PathBuf>,
}

/// The packages that the flags choose, and the folder of the workspace.
pub fn packages(parsed: &Parsed) -> Result<(Vec<Package>, PathBuf), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    if let Some(manifest) = parsed.last("manifest-path") {
        command.args(["--manifest-path", manifest]);
    }
    let output = command.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned());
    }
    let set = DocumentSet::parse("cargo metadata", &output.stdout).map_err(|problem| problem.message().to_owned())?;
    let root = set.get(0).ok_or("cargo metadata is empty")?;
    let wanted: Vec<&str> = parsed.all("package").collect();
    let all: Vec<Package> = items(root, "packages").filter_map(package).collect();
    if let Some(unknown) = wanted.iter().find(|name| !all.iter().any(|package| package.name == **name)) {
        let names: Vec<&str> = all.iter().map(|package| package.name.as_str()).collect();
        return Err(format!("no package `{unknown}` in the workspace; there are {}", names.join(", ")));
    }
    let chosen = all.into_iter().filter(|package| wanted.is_empty() || wanted.contains(&package.name.as_str()));
    let folder = root.get("workspace_root").and_then(NodeRef::as_str).unwrap_or(".");
    Ok((chosen.collect(), PathBuf::from(folder)))
}

/// The items of the list that a key holds.
fn items<'a>(node: NodeRef<'a>, key: &str) -> impl Iterator<Item = NodeRef<'a>> + use<'a> {
    node.get(key).into_iter().flat_map(NodeRef::items)
}

fn package(node: NodeRef<'_>) -> Option<Package> {
    let manifest = Path::new(node.get("manifest_path")?.as_str()?);
    let is_macro = |one: &NodeRef<'_>| one.get("name").and_then(NodeRef::as_str) == Some("ytt-macros");
    let macros: Vec<NodeRef<'_>> = items(node, "dependencies").filter(is_macro).collect();
    let has_engine = |one: &NodeRef<'_>| {
        let named = items(*one, "features").any(|name| name.as_str() == Some("engine"));
        named || one.get("uses_default_features").and_then(NodeRef::as_bool) == Some(true)
    };
    let is_script = |target: &NodeRef<'_>| items(*target, "kind").any(|kind| kind.as_str() == Some("custom-build"));
    let script = items(node, "targets").find(is_script);
    // `publish` is null, or the list of registries.
    let is_published = node.get("publish").is_none_or(|registries| registries.is_null() || !registries.is_empty());
    Some(Package {
        name: node.get("name")?.as_str()?.to_owned(),
        folder: manifest.parent()?.to_path_buf(),
        has_macro: !macros.is_empty(),
        has_engine: macros.iter().any(has_engine),
        is_published,
        script: script.and_then(|target| target.get("src_path")?.as_str().map(PathBuf::from)),
    })
}
