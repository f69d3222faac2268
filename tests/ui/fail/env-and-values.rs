//! A key that two arguments set: the second of them would never count.

static TEXT: &str = ytt_macros::include_ytt!(
    "data/shop",
    values = { image.tag: "1.4" },
    env = { name: "APP_NAME", image.tag: "APP_TAG" },
);

fn main() {
    println!("{TEXT}");
}
