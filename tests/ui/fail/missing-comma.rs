//! Two paths without a comma between them.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop" "ui/data/prod");

fn main() {
    println!("{TEXT}");
}
