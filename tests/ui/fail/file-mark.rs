//! A mark of a file that says nothing.

static TEXT: &str = ytt_macros::include_ytt!("data/two", file_marks = ["second.txt:exclude=true", "first.yml"]);

fn main() {
    println!("{TEXT}");
}
