//! Who asks the file system: the doors that tests refuse requests at, and a list of others.

use std::collections::BTreeMap;

use crate::{File, code, files, is_test, report};

/// Who asks the file system beside the two doors, `files/disk.rs` and `rendered/disk.rs`, and for what.
const ASKS_THE_DISK: [(&str, &str); 19] = [
    ("ytt-build/src/failure.rs", "the line of a build script that a report shows"),
    ("ytt-build/src/generate.rs", "the committed file, to compare it; whether a packed package has its inputs"),
    ("ytt-build/src/lib.rs", "whether a watched path is there, for cargo"),
    ("ytt-build/src/output.rs", "the list of files of the last build, which it wrote itself"),
    ("ytt-engine/src/bin/cargo-ytt/explain.rs", "the page that it writes"),
    ("ytt-engine/src/bin/cargo-ytt/generated/calls.rs", "folders of the package, for sources"),
    ("ytt-engine/src/bin/cargo-ytt/generated/files.rs", "sources, manifests and committed files of the package"),
    ("ytt-engine/src/bin/cargo-ytt/generated/show.rs", "the source that is named"),
    ("ytt-engine/src/bin/cargo-ytt/main.rs", "whether a word is a path, for a help"),
    ("ytt-engine/src/bin/cargo-ytt/memory.rs", "the bounds of machine and container"),
    ("ytt-engine/src/codegen/committed.rs", "committed files; inputs by their digests, where nothing is rendered"),
    ("ytt-engine/src/codegen/manifest.rs", "manifests of the package, which cargo has read before"),
    ("ytt-engine/src/codegen/seen.rs", "times and lengths of inputs, for `watch`"),
    ("ytt-engine/src/codegen/track.rs", "the log that a test asks for"),
    ("ytt-engine/src/nearest.rs", "names in a folder, for a help"),
    ("ytt-engine/src/regular.rs", "opens for the first door, and for who has no engine"),
    ("ytt-engine/src/rendered/", "the destination before it is written, and to put it back"),
    ("ytt-macros/src/committed.rs", "the committed expansion"),
    ("ytt-macros/src/paths.rs", "whether paths are there, and folders of sources"),
];

/// A request that no door sees is one that no test refuses.
#[test]
fn the_disk_is_asked_through_doors_or_for_a_reason() {
    let asks = |line: &str| {
        let call = line.split("fs::").skip(1).any(|rest| rest.starts_with(|first: char| first.is_ascii_lowercase()));
        !line.trim_start().starts_with("use ") && call
            || ["File::open(", "OpenOptions::new()", ".exists()", "path.is_file()", "path.is_dir()"]
                .iter()
                .any(|name| line.contains(name))
    };
    let doors = ["ytt-engine/src/files/disk.rs", "ytt-engine/src/rendered/disk.rs"];
    let of_crates = |file: &&File| {
        ["ytt-engine", "ytt-macros", "ytt-build"].iter().any(|name| file.name.starts_with(&format!("{name}/src/")))
    };
    let files = files(&["rs"]);
    let mut asking = BTreeMap::new();
    for file in files.iter().filter(of_crates).filter(|file| !is_test(&file.name) && !doors.contains(&&*file.name)) {
        if let Some((line, text)) = code(&file.text).into_iter().find(|(_, line)| asks(line)) {
            asking.insert(file.name.as_str(), format!("{}:{line}: {}", file.name, text.trim()));
        }
    }
    let is_listed = |name: &str| ASKS_THE_DISK.iter().any(|(listed, _)| name.starts_with(listed));
    let mut problems: Vec<String> =
        asking.iter().filter(|(name, _)| !is_listed(name)).map(|(_, at)| at.clone()).collect();
    let asks_nothing = |listed: &str| !asking.keys().any(|name| name.starts_with(listed));
    problems.extend(
        ASKS_THE_DISK
            .iter()
            .filter(|(listed, _)| asks_nothing(listed))
            .map(|(listed, _)| format!("{listed}: asks nothing")),
    );
    report("what asks the file system goes through a door or has a reason", &problems);
}
