//! Data values that are no map.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = 3);

fn main() {
    println!("{TEXT}");
}
