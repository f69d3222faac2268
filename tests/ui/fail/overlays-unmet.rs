//! Two overlays fail, and one call tells both.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", "ui/data/prod", "ui/data/prod2");

fn main() {
    println!("{TEXT}");
}
