//! The null of another language.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", values = { note: None });

fn main() {
    println!("{TEXT}");
}
