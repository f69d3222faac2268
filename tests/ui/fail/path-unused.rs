//! A folder in which there is nothing for ytt.

static TEXT: &str = ytt_macros::include_ytt!("data/notes");

fn main() {
    println!("{TEXT}");
}
