//! What lints call useless is useless: over all cases of `tests/cases` and of `tests/diagnostics/lints`, what each of them
//! tells is taken out, and the render gives the same.

use std::path::Path;

use crate::diag::Fact;
use crate::folder::Folder;
use crate::library::Stop;
use crate::project::run::{Record, render_with};
use crate::project::trial::{Trials, is_as_good};
use crate::{Level, Project};

#[path = "../../../tests/support/case.rs"]
mod case;

use case::{Case, cases};

/// The project of a case, as `tests/cases.rs` makes it, with all lints; its files are in the folder if it has arguments.
/// Without them what lies at a path is left out.
fn project(case: &Case, folder: &Path, without: Option<&str>) -> Project {
    let project = Project::new().on_print(|_| ()).lint("all", Level::Warn);
    let is_input = |name: &str| {
        !matches!(name, "args" | "output" | "error" | "warnings" | "expected") && !name.starts_with("output ")
    };
    let is_below =
        |name: &str, path: &str| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let is_left_out = |name: &str| without.is_some_and(|path| is_below(name, path));
    let inputs = case.parts.iter().filter(|(name, _)| is_input(name) && !is_left_out(name));
    let args = case.part("args").unwrap_or_default();
    let project = match args.contains("-f ") {
        true => project,
        false => inputs.fold(project, |project, (name, text)| project.file(name, text.as_bytes())),
    };
    args.lines().fold(project, |project, line| match line.split_once(' ').unwrap_or((line, "")) {
        ("-f", path) => project.read(folder.join(path)),
        ("--file-mark", mark) => project.file_mark(mark),
        ("--allow" | "--warn" | "--deny", _) => project,
        ("--data-values-file", path) => project.data_values_file(folder.join(path)),
        (flag, text) => project.data_value_flag(flag, text),
    })
}

#[test]
fn what_is_useless_can_be_left_out() {
    let (mut told, mut wrong) = (std::collections::BTreeMap::<&str, usize>::new(), Vec::new());
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let all = cases(&tests.join("cases")).into_iter().chain(cases(&tests.join("diagnostics/lints")));
    for (name, case) in all {
        let inputs = case.parts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let inputs = inputs.filter(|_| case.part("args").is_some());
        let folder = Folder::with(&format!("lints-{}", name.replace('/', "-")), inputs);
        let project_of = |without: Option<&str>| project(&case, &folder, without);
        let project = project_of(None);
        let record = Record::default();
        // Nothing is tried here, so nothing that is wrong has been sorted out.
        let Ok(mut rendered) = render_with(&project.steps, Stop::Render, &record) else { continue };
        let found = rendered.warnings_mut().map(std::mem::take).unwrap_or_default();
        let has_flags = case.part("args").is_some_and(|args| args.contains("-f "));
        for one in &found {
            let edit = one.parts().helps.first().and_then(|help| help.edit.as_ref());
            let tried = match (&one.parts().fact, edit) {
                (Some(Fact::Useless), Some(edit)) => {
                    Trials::new(&project.steps, Stop::Render, &record.sources).render_with(edit)
                }
                (Some(Fact::IdleFile { path }), _) if !has_flags => {
                    Some(render_with(&project_of(Some(path)).steps, Stop::Render, &Record::default()))
                }
                _ => continue,
            };
            *told.entry(one.code().as_str()).or_default() += 1;
            let outcome = match tried {
                Some(Ok(other)) if is_as_good(one.code(), &rendered, &other) => continue,
                Some(Ok(other)) => other.to_text(crate::Format::Yaml).unwrap_or_default(),
                Some(Err(error)) => error.to_string(),
                None => "the edit cannot be made".to_owned(),
            };
            wrong.push(format!("{name}: {}{outcome}", one.to_report(false)));
        }
    }
    assert!(wrong.is_empty(), "{} of {told:?}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(told.values().sum::<usize>() > 40 && told.len() > 8, "{told:?}");
    println!("{told:?}");
}

#[test]
fn values_are_not_judged_where_rules_do_not_run() {
    let schema = "#@data/values-schema\n---\nidle: 1\n#@schema/validation (\"fits\", lambda v: True)\nchecked: 1\n";
    let told = |unchecked: bool| {
        let project = Project::new().file("schema.yml", schema).file("config.yml", "a: 1\n");
        let project = project.lint("values::unused", Level::Warn).dangerous_data_values_disable_validation(unchecked);
        project.render().unwrap().warnings().len()
    };
    assert_eq!([false, true].map(told), [1, 0]);
}

/// The codes of what is warned of.
fn codes(project: &Project) -> Vec<&'static str> {
    let rendered = project.render().unwrap_or_else(|error| panic!("{error}"));
    rendered.warnings().iter().map(|warning| warning.code().as_str()).collect()
}

#[test]
fn overlays_of_a_library_that_is_rendered_by_itself_are_for_others() {
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/remove\na:\n";
    let folder = Folder::with("by-itself", [("config/_ytt_lib/l/a.yml", overlay), ("config/l/a.yml", overlay)]);
    let within = |path: &str| codes(&Project::new().base_dir(&*folder).read(path));
    assert_eq!(within("config/_ytt_lib/l"), [""; 0]);
    assert_eq!(within("config/l"), ["overlay::not-an-overlay"]);
}

#[test]
fn references_of_kubernetes_are_written_in_full() {
    let role = "kind: RoleBinding\nroleRef:\n  apiGroup: rbac\n  kind: Role\n  name: a\n";
    let overlay = |keys: &str| {
        format!(
            "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({{\"kind\": \"RoleBinding\"}})\n---\n\
             roleRef:\n{keys}  name: b\n"
        )
    };
    let told = |keys: &str| codes(&Project::new().file("a.yml", role).file("b.yml", overlay(keys)));
    assert_eq!(told("  apiGroup: rbac\n  kind: Role\n"), [""; 0]);
    assert_eq!(told("  apiGroup: other\n  kind: Other\n"), [""; 0]);
    let other = role.replace("apiGroup", "group");
    let other = Project::new().file("a.yml", other).file("b.yml", overlay("  group: rbac\n"));
    assert_eq!(codes(&other), ["overlay::no-effect"]);
}
