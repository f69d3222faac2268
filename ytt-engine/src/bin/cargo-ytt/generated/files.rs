//! Committed files of a workspace: made anew by `generate`, compared by `check`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use ytt_engine::Level;
use ytt_engine::codegen::committed::{Header, Origin, replace};
use ytt_engine::codegen::items::{Place, need_only_values};
use ytt_engine::codegen::plan::Report;
use ytt_engine::codegen::recipe::Recipe;
use ytt_engine::codegen::said::Said;
use ytt_engine::codegen::stamp::{self, CallIn};
use ytt_engine::codegen::{self, call};

use super::calls::{calls, sources};
use super::packages::{Package, packages};
use super::report;
use crate::args::Parsed;
use crate::message::{Output, Usage};
use crate::render::lints;
use crate::stop::Stop;

/// Files as they should be, by their paths; nothing for one that has no call.
type Wanted = BTreeMap<PathBuf, Option<String>>;

/// What was found in the packages.
#[derive(Default)]
struct State {
    /// Levels that the flags set.
    lints: Vec<(String, Level)>,
    wanted: Wanted,
    /// Lines about what is wrong.
    problems: Vec<String>,
    /// Lines about what people should look at.
    warnings: Vec<String>,
    /// Time of each render, with what it rendered.
    times: Vec<(Duration, String)>,
}

/// `generate`: writes every committed file that is not what it should be.
pub fn generate(parsed: &Parsed) -> Result<Output, Output> {
    let (state, root) = state(parsed, false)?;
    let mut output = Output::default();
    let stop = Stop::watch();
    for (path, text) in &state.wanted {
        if stop.is_asked() {
            break;
        }
        let shown = path.strip_prefix(&root).unwrap_or(path).display();
        let done = match text {
            Some(text) => replace(path, text.as_bytes()).map(|is_new| is_new.then_some("wrote")),
            None => std::fs::remove_file(path).map(|()| Some("removed")),
        };
        match done {
            Ok(Some(word)) => output.text.extend(format!("{word} {shown}\n").into_bytes()),
            Ok(None) => {}
            Err(error) => _ = writeln!(output.errors, "error: ytt: cannot write {shown}: {error}"),
        }
    }
    stop.end("error: ytt: stopped; `cargo ytt generate` writes the rest\n");
    // Reports of renders begin with what was rendered: they count, whatever their first word is.
    output.code = u8::from(!output.errors.is_empty() || !state.problems.is_empty());
    output.errors.extend(state.problems);
    output.errors.extend(state.warnings);
    Ok(output)
}

/// `check`: says which committed files are stale, missing or without a call; renders all other calls.
pub fn check(parsed: &Parsed) -> Result<Output, Output> {
    let (state, root) = state(parsed, true)?;
    let mut output = Output::default();
    for (path, text) in &state.wanted {
        let shown = path.strip_prefix(&root).unwrap_or(path).display();
        let old = std::fs::read_to_string(path).map(|text| text.replace("\r\n", "\n"));
        let problem = match (text, old) {
            (Some(new), Ok(old)) if *new == old => continue,
            (Some(_), Ok(_)) => "is stale: run `cargo ytt generate`",
            (Some(_), Err(_)) => "is missing: run `cargo ytt generate`",
            (None, _) => "belongs to no call: `cargo ytt generate` removes it",
        };
        let _ = writeln!(output.errors, "error: {shown} {problem}");
    }
    output.errors.extend(state.problems);
    output.code = u8::from(!output.errors.is_empty());
    output.errors.extend(state.warnings);
    if parsed.switch("timing") {
        output.text.extend(timing(&state.times).into_bytes());
    }
    Ok(output)
}

/// How long renders took, and what makes them faster where cargo runs them.
fn timing(times: &[(Duration, String)]) -> String {
    let mut text = String::new();
    for (time, what) in times {
        let _ = writeln!(text, "{:8.1} ms  {what}", time.as_secs_f64() * 1000.0);
    }
    let all: Duration = times.iter().map(|(time, _)| *time).sum();
    let _ = writeln!(text, "{:8.1} ms  in all, by this command", all.as_secs_f64() * 1000.0);
    if all > Duration::from_millis(100) {
        text.push_str(
            "Cargo does not optimise macros and build scripts; these lines in the manifest of the workspace do:\n\
             [profile.dev.package]\n",
        );
        for name in ["ytt-engine", "starlark", "starlark_map", "starlark_syntax", "hashbrown", "bumpalo"] {
            let _ = writeln!(text, "{name} = {{ opt-level = 3 }}");
        }
    }
    text
}

fn state(parsed: &Parsed, checks: bool) -> Result<(State, PathBuf), Output> {
    let lints = lints(parsed).map_err(|usage| Output::usage(&usage, false))?;
    let (packages, root) = packages(parsed).map_err(|text| Output::usage(&Usage::new(text), false))?;
    let (mut state, said) = (State { lints, ..State::default() }, Said::new());
    for package in &packages {
        // The first call that reads a folder.
        let mut folder = None;
        let mut has_expansions = false;
        for path in sources(&package.folder) {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            if text.starts_with("// @generated by ytt from ") {
                recipe(&mut state, package, (&path, &text), &said);
                continue;
            }
            for found in calls(&text) {
                let (tokens, said) = (found.tokens, Some(&said));
                let lints = state.lints.clone();
                let call = CallIn { package: &package.folder, source: &path, tokens, said, lints: &lints };
                let place = format!("{}:{}", path.strip_prefix(&root).unwrap_or(&path).display(), found.lines.0);
                if package.has_engine || !package.has_macro {
                    if folder.is_none() {
                        folder = folder_of(&call).map(|folder| (place.clone(), folder));
                    }
                    if checks {
                        let done =
                            state.timed(&place, || call.expand(Place::Macro).map_err(|failure| report(&failure)));
                        state.warn_of(&place, done.map(|expansion| expansion.warnings).unwrap_or_default());
                    }
                } else {
                    has_expansions = true;
                    let file = package.folder.join(".ytt").join(call.committed_name());
                    match state.timed(&place, || call.committed().map_err(|failure| report(&failure))) {
                        Some((_, text, warnings)) => {
                            state.warn_of(&place, warnings);
                            state.wanted.insert(file, Some(text));
                        }
                        // It stays as it is, if there is one: what is wrong is told.
                        None => {
                            if let Ok(text) = std::fs::read_to_string(&file) {
                                state.wanted.entry(file).or_insert(Some(text));
                            }
                        }
                    }
                }
            }
        }
        orphans(&mut state, &package.folder.join(".ytt"));
        if checks {
            warn(&mut state, package, folder, has_expansions);
        }
    }
    if checks && resolver_is_old(&root) {
        let text = "warning: the workspace has resolver 1, which builds the engine into programs: set `resolver = \"2\"`, or \
                    edition 2021\n";
        state.warnings.push(text.to_owned());
    }
    Ok((state, root))
}

impl State {
    /// Notes how long it takes, and the report if it fails.
    fn timed<T>(&mut self, what: &str, work: impl FnOnce() -> Result<T, String>) -> Option<T> {
        let start = Instant::now();
        let done = work();
        self.times.push((start.elapsed(), what.to_owned()));
        done.map_err(|report| self.problems.push(format!("{what}:\n{report}"))).ok()
    }

    /// Notes what a call is warned of.
    fn warn_of(&mut self, what: &str, warnings: Vec<Report>) {
        let told = warnings.iter().map(|warning| format!("warning: {what}: {}\n", warning.text.trim_end()));
        self.warnings.extend(told);
    }
}

/// A file that a builder made.
fn recipe(state: &mut State, package: &Package, (path, text): (&Path, &str), said: &Said) {
    let what = path.strip_prefix(&package.folder).unwrap_or(path).display().to_string();
    let read = Header::read(text).and_then(|(header, _)| match header.origin {
        Origin::Recipe(recipe) => Recipe::from_json(&recipe).map(Some),
        Origin::Call(_) => Ok(None),
    });
    let recipe = match read {
        Ok(Some(recipe)) => recipe,
        Ok(None) => return,
        Err(problem) => {
            state.problems.push(format!("error: {what}: {problem}\n"));
            return;
        }
    };
    let here = std::env::current_dir().unwrap_or_default();
    let base = package.folder.strip_prefix(&here).unwrap_or(&package.folder);
    let project = recipe.project(base, &state.lints);
    let only_values = recipe.items().is_ok_and(|items| need_only_values(&items));
    let rendered = state.timed(&what, || {
        let rendered = project.render().or_else(|error| match only_values && !error.is_denied() {
            true => project.values(),
            false => Err(error),
        });
        rendered.map_err(|error| format!("{}\n", codegen::report_of_recipe(&error).trim_end()))
    });
    let Some(rendered) = rendered else { return };
    state.warnings.extend(codegen::warnings_of(&recipe.title(), rendered.warnings(), said));
    match stamp::recipe_file(&package.folder, &recipe, &rendered) {
        Ok((text, _)) => _ = state.wanted.insert(path.to_path_buf(), Some(text)),
        Err(failure) => state.problems.push(format!("{what}:\n{}", report(&failure))),
    }
}

/// Files in `.ytt` that no call asks for.
fn orphans(state: &mut State, folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            state.wanted.entry(path).or_insert(None);
        }
    }
}

/// The first folder among the inputs of a call.
fn folder_of(call: &CallIn<'_>) -> Option<String> {
    let parsed = call::parse(call.tokens.clone(), &|name| std::env::var(name).ok()).ok()?;
    let mut inputs = parsed.sources().into_iter().flat_map(|source| &source.inputs);
    inputs.find(|input| call.package.join(&input.value).is_dir()).map(|input| input.value.clone())
}

fn warn(state: &mut State, package: &Package, folder: Option<(String, String)>, has_expansions: bool) {
    let name = &package.name;
    let script = package.script.as_ref().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    if let Some((place, folder)) = folder
        && !script.contains("watch(")
        && !script.contains("rerun-if-changed")
    {
        state.warnings.push(format!(
            "warning: {place}: the compiler does not see new files in the folder `{folder}`: call \
             `ytt_build::watch(\"{folder}\")` in a build script of `{name}`\n"
        ));
    }
    // Without any expansion it is said that they are missing.
    if has_expansions && package.folder.join(".ytt").is_dir() && !packs(&package.folder) {
        let in_git = package.folder.ancestors().any(|folder| folder.join(".git").exists());
        let text = format!(
            "{name}: `.ytt` is not in the package: `git add` it; where the manifest has `include`, add \"/.ytt/\""
        );
        match package.is_published && in_git {
            true => state.problems.push(format!("error: {text}\n")),
            false => state.warnings.push(format!("warning: {text}\n")),
        }
    }
}

/// Does the package hold `.ytt` when it is packed?
fn packs(package: &Path) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["package", "--list", "--allow-dirty", "--offline", "--manifest-path"])
        .arg(package.join("Cargo.toml"));
    match command.output() {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).lines().any(|line| line.replace('\\', "/").starts_with(".ytt/"))
        }
        // Cargo has its reasons, which it tells when the package is packed.
        _ => true,
    }
}

fn resolver_is_old(root: &Path) -> bool {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let value = |key: &str| {
        let line = manifest.lines().find(|line| line.split('=').next().is_some_and(|found| found.trim() == key))?;
        Some(line.split_once('=')?.1.trim().trim_matches('"').to_owned())
    };
    match value("resolver") {
        Some(resolver) => resolver == "1",
        // A workspace without a package has resolver 1 whatever its members say.
        None => {
            !manifest.contains("[package]")
                || value("edition").is_none_or(|edition| edition == "2015" || edition == "2018")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_slow_renders_faster_is_said() {
        let times = |all: &[u64]| {
            let all: Vec<_> =
                all.iter().zip(0..).map(|(time, at)| (Duration::from_millis(*time), format!("a.rs:{at}"))).collect();
            timing(&all)
        };
        let quick = "     4.0 ms  a.rs:0\n    96.0 ms  a.rs:1\n   100.0 ms  in all, by this command\n";
        assert_eq!(times(&[4, 96]), quick);
        let slow = times(&[4, 97]);
        let lines: Vec<&str> = slow.lines().skip(2).collect();
        assert_eq!(lines[0], "   101.0 ms  in all, by this command");
        assert!(lines[1].ends_with("these lines in the manifest of the workspace do:"), "{slow}");
        assert_eq!(lines[2..4], ["[profile.dev.package]", "ytt-engine = { opt-level = 3 }"]);
        assert!(lines[4..].iter().all(|line| line.ends_with(" = { opt-level = 3 }")), "{slow}");
    }
}
