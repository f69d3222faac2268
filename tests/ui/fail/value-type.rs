//! A value of another type than the schema says.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { replicas: "3" });

fn main() {
    println!("{TEXT}");
}
