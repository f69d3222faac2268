//! Two paths without a comma between them.

static TEXT: &str = ytt_macros::include_ytt!("data/shop" "data/prod");

fn main() {
    println!("{TEXT}");
}
