//! Two overlays fail, and one call tells both.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", "data/prod", "data/prod2");

fn main() {
    println!("{TEXT}");
}
