//! A key with a dash needs quotes.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", values = { api-key: 1 });

fn main() {
    println!("{TEXT}");
}
