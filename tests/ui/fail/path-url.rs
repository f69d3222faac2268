//! An input that is no file.

static TEXT: &str = ytt_macros::include_ytt!("https://example.com/a.yml");

fn main() {
    println!("{TEXT}");
}
