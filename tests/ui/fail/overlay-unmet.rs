//! An overlay whose key is not in the document.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", "ui/data/prod");

fn main() {
    println!("{TEXT}");
}
