//! A data value in a constant, which a macro cannot read.

const REPLICAS: i64 = 3;
static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { replicas: REPLICAS });

fn main() {
    println!("{REPLICAS} {TEXT}");
}
