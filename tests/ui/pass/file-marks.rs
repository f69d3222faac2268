//! Marks of files leave files out, and give others another place.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static WITHOUT: &str = ytt_macros::include_ytt!("data/names", "data/two", file_marks = ["names.yml:exclude=true"]);
static MOVED: &str =
    ytt_macros::include_ytt!("data/two", file = "conf/app.txt", file_marks = ["second.txt:path=conf/app.txt"]);

fn main() {
    assert_eq!(WITHOUT, "kind: First\n");
    assert_eq!(MOVED, "second text\n");
}
