//! The same inputs give the same bytes and the same reports: again and again, on one thread and on eight, from folders
//! whose files were made in another order, and by the command under another locale, time zone, home and current folder.
//!
//! Every case of `cases/` is rendered. `YTT_RENDERS=100 cargo test -p ytt-engine --features cli --test deterministic`
//! renders each of them a hundred times on each number of threads, and runs the command on all of them.

#[path = "support/case.rs"]
mod case;
#[path = "support/folder.rs"]
mod folder;
#[path = "support/whole.rs"]
mod whole;

use std::path::Path;
use std::process::Command;

use case::{Case, cases};
use folder::Folder;
use whole::project;
use ytt_engine::{Diagnostic, Format, Project};

/// How often each case is rendered.
fn renders() -> usize {
    std::env::var("YTT_RENDERS").ok().and_then(|count| count.parse().ok()).unwrap_or(2)
}

fn all() -> Vec<(String, Case)> {
    let cases = cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"));
    assert!(cases.len() > 400, "{} cases", cases.len());
    cases
}

/// All that a render gives to anybody: output in each form, reports in each form, inputs.
fn result(project: &Project) -> String {
    let reports =
        |all: &[Diagnostic]| all.iter().map(|one| one.to_report(false) + &one.to_json_line()).collect::<String>();
    let told = |error: &ytt_engine::Error| {
        let warnings = reports(error.warnings());
        error.to_report_with_steps(true) + &error.to_json_lines() + &warnings + &format!("{:?}", error.inputs())
    };
    let rendered = match project.render() {
        Ok(rendered) => rendered,
        Err(error) => return told(&error),
    };
    let mut text = reports(rendered.warnings()) + &format!("{:?}", rendered.inputs());
    for format in [Format::Yaml, Format::Json, Format::Pos] {
        text += &match rendered.to_text_and_warnings(format) {
            Ok((text, warnings)) => text + &reports(&warnings),
            Err(error) => told(&error),
        };
    }
    text + &rendered.to_bulk().unwrap_or_else(|error| told(&error))
}

/// The input files of a case in one of many orders: from any of them on, forwards or backwards.
fn made_in(case: &Case, order: usize) -> Vec<(&str, &str)> {
    let mut files: Vec<_> = case.inputs().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    if order % 2 == 1 {
        files.reverse();
    }
    let first = order / 2 % files.len();
    files.rotate_left(first);
    files
}

/// The folder of a case, if it has one, with its files made in that order.
fn folder(name: &str, case: &Case, order: usize) -> Option<Folder> {
    case.part("args").map(|_| Folder::with(&name.replace('/', "-"), made_in(case, order)))
}

/// The result of a case, without the name of its folder.
fn rendered(name: &str, case: &Case, order: usize) -> String {
    let folder = folder(name, case, order);
    let result = result(&project(case, folder.as_deref()));
    match folder {
        Some(folder) => result.replace(&*folder.to_string_lossy(), "FOLDER"),
        None => result,
    }
}

/// The same on so many threads at once, each of which starts with another case.
fn on_threads(threads: usize) {
    let all = all();
    let expected: Vec<String> = all.iter().map(|(name, case)| rendered(name, case, 0)).collect();
    let renders = renders();
    let run = |thread: usize| {
        // Together the threads render each case so often.
        for turn in (0..renders * all.len()).filter(|turn| turn % threads == thread) {
            let at = (turn / threads + thread * all.len() / threads + turn % threads) % all.len();
            let (name, case) = &all[at];
            let result = rendered(name, case, 1 + turn / all.len() + thread);
            assert!(result == expected[at], "{name} gives something else:\n{}\n\n{result}", expected[at]);
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || run(thread));
        }
    });
}

#[test]
fn a_case_gives_the_same_again() {
    on_threads(1);
}

#[test]
fn eight_threads_give_the_same() {
    on_threads(8);
}

/// A folder is read in the order of names, whatever the order in which its files were made.
#[test]
fn folders_give_the_same_whatever_the_order_of_their_making() {
    for (name, case) in all() {
        let of = |order: usize| {
            let folder = Folder::with("made", made_in(&case, order));
            let project = Project::for_command().on_print(|_| ()).read(&*folder);
            result(&project).replace(&*folder.to_string_lossy(), "FOLDER")
        };
        let expected = of(0);
        for order in 1..renders().min(20) {
            assert_eq!(of(order), expected, "{name} in order {order}");
        }
    }
}

#[test]
fn the_command_gives_the_same_wherever_it_runs() {
    let all = all();
    // A process for each run: of the cases, some are enough.
    let step = if renders() > 2 { 1 } else { 16 };
    let elsewhere = Folder::new("elsewhere");
    let here = Folder::new("here");
    for (name, case) in all.iter().step_by(step) {
        let files = case.inputs().map(|(name, text)| (name, text));
        let folder = Folder::with(&name.replace('/', "-"), files);
        let run = |at: &Folder, locale: &str, zone: &str| {
            let output = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"))
                .args(["ytt", "-f"])
                .arg(&*folder)
                .current_dir(&**at)
                .env("LC_ALL", locale)
                .env("LANG", locale)
                .env("TZ", zone)
                .env("HOME", &**at)
                .env("USER", locale)
                .output()
                .expect("the command can be started");
            (output.status.code(), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let expected = run(&here, "C", "UTC");
        assert!(matches!(expected.0, Some(0 | 1)), "{name}: {expected:?}");
        for (at, locale, zone) in [
            (&elsewhere, "tr_TR.UTF-8", "Asia/Kathmandu"),
            (&folder, "de_DE.ISO-8859-1", "America/St_Johns"),
            (&here, "", "no/such zone"),
        ] {
            assert_eq!(run(at, locale, zone), expected, "{name} with {locale} and {zone}");
        }
    }
}
