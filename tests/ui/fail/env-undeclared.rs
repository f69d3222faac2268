//! A part of a key of a variable that the schema does not have.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", env = { image.tga: "CARGO_PKG_NAME" });

fn main() {
    println!("{TEXT}");
}
