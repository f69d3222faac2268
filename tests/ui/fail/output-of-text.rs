//! Another form of a text, which has none.

static TEXT: &str = ytt_macros::include_ytt!("data/two", file = "second.txt", output = "json");

fn main() {
    println!("{TEXT}");
}
