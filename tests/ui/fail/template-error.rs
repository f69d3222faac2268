//! A template whose code fails in a function of another file.

static TEXT: &str = ytt_macros::include_ytt!("data/broken-template");

fn main() {
    println!("{TEXT}");
}
