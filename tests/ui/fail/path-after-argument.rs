//! A path behind a named argument.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", strict = true, "ui/data/prod");

fn main() {
    println!("{TEXT}");
}
