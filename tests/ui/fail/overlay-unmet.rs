//! An overlay whose key is not in the document.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", "data/prod");

fn main() {
    println!("{TEXT}");
}
