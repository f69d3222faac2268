//! A panic inside of an entry is an error that asks for a report.

use super::*;
use crate::caught::planned::panicking;
use crate::{Error, ErrorKind, WriteOptions};

const TOLD: &str = "internal error in ytt, please report it: planned";

#[track_caller]
fn is_told<T>(done: Result<T, Error>) {
    let error = done.err().expect("a panic is an error");
    assert_eq!(error.to_string(), TOLD);
    assert!(
        error.to_report(false).starts_with("error[engine::internal]: internal error"),
        "{}",
        error.to_report(false)
    );
}

#[test]
fn a_panic_of_a_project_is_an_error() {
    let project = Project::new().file("a.yml", "a: 1\n");
    panicking(|| {
        is_told(project.render());
        is_told(project.values());
        is_told(project.schema());
        is_told(project.files());
        is_told(project.format());
    });
    assert!(project.render().is_ok());
}

#[test]
fn a_panic_of_a_result_is_an_error() {
    let folder = Folder::new("panics");
    let render = || Project::new().file("a.yml", "a: 1\n").explain(true).render().unwrap();
    let (rendered, printed) = (render(), render());
    let files = printed.files().unwrap().len();
    let defaults = WriteOptions::default();
    panicking(|| {
        is_told(rendered.to_text(Format::Yaml));
        is_told(rendered.to_bytes(Format::Json));
        is_told(rendered.to_text_and_warnings(Format::Pos));
        is_told(rendered.files());
        is_told(rendered.explanation());
        is_told(rendered.to_bulk());
        is_told(printed.to_bulk());
        is_told(printed.write_to(folder.join("out")));
        is_told(printed.compare_with(folder.join("out"), &defaults));
        assert_eq!(printed.files().unwrap().len(), files, "what is there stays");
    });
    assert!(!folder.join("out").exists());
}

#[test]
fn a_panic_in_the_midst_of_a_render_is_an_error() {
    let code = "#@ print(1)\na: 1\n";
    let error = Project::new().file("a.yml", code).on_print(|_| panic!("of a sink")).render().unwrap_err();
    assert_eq!(error.to_string(), "internal error in ytt, please report it: of a sink");
    assert_eq!(error.kind(), ErrorKind::Internal);
}
