//! A value of another type than the schema says.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", values = { replicas: "3" });

fn main() {
    println!("{TEXT}");
}
