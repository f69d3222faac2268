//! A path in a constant, which a macro cannot read.

const FOLDER: &str = "data/shop";
static TEXT: &str = ytt_macros::include_ytt!(FOLDER);

fn main() {
    println!("{FOLDER} {TEXT}");
}
