//! The name of the engine stands behind a path.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", crate = ytt_engine);

fn main() {
    println!("{TEXT}");
}
