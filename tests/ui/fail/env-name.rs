//! A variable is named by a text.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", env = { name: 1 });

fn main() {
    println!("{TEXT}");
}
