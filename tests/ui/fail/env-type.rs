//! A variable gives a text, the schema wants a number.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", env = { replicas: "CARGO_PKG_NAME" });

fn main() {
    println!("{TEXT}");
}
