//! A key that the schema does not have, near to one that it has.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { replcas: 3 });

fn main() {
    println!("{TEXT}");
}
