//! An argument that is given twice.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { replicas: 1 }, values = { name: "a" });

fn main() {
    println!("{TEXT}");
}
