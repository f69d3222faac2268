//! Packages that use the macro and the build helper, as their users would have them: copied out of the workspace and
//! built by cargo.
//!
//! The packages are folders of `consumers/`, beside the modules of the tests; small ones stand in the tests.
#![forbid(unsafe_code)]

#[path = "../ytt-engine/tests/support/case.rs"]
mod case;
#[path = "../ytt-engine/tests/support/folder.rs"]
mod folder;
mod support;

#[path = "consumers/commands.rs"]
mod commands;
#[path = "consumers/committed.rs"]
mod committed;
#[path = "consumers/editors.rs"]
mod editors;
#[path = "consumers/leaks.rs"]
mod leaks;
#[path = "consumers/messages.rs"]
mod messages;
#[path = "consumers/no_engine.rs"]
mod no_engine;
#[path = "consumers/places.rs"]
mod places;
#[path = "consumers/rebuilds.rs"]
mod rebuilds;
#[path = "consumers/reports.rs"]
mod reports;
#[path = "consumers/same_bytes.rs"]
mod same_bytes;

/// The triple of this machine.
fn host() -> String {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(compiler).arg("-vV").output().expect("the compiler can be started");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("the compiler names its host").to_owned()
}
