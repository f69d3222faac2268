//! A number with the suffix of a Rust type.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { replicas: 3u8 });

fn main() {
    println!("{TEXT}");
}
