//! A key with a dash needs quotes.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { api-key: 1 });

fn main() {
    println!("{TEXT}");
}
