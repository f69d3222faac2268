//! A path behind a named argument.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", strict = true, "data/prod");

fn main() {
    println!("{TEXT}");
}
