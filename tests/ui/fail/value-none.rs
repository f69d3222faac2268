//! The null of another language.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { note: None });

fn main() {
    println!("{TEXT}");
}
