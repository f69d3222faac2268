//! Files of data values count in their order; variables come behind them, then values of the call.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static ONE: &str = ytt_macros::include_ytt!("data/shop", values_file = "data/parts/values.yml");
static TWO: &str =
    ytt_macros::include_ytt!("data/shop", values_file = ["data/parts/values.yml", "data/parts/more.yml"]);
static ALL: &str = ytt_macros::include_ytt!(
    "data/shop",
    values = { replicas: 7 },
    env = { image.tag: "CARGO_PKG_NAME" },
    values_file = "data/parts/values.yml",
);

fn main() {
    assert!(ONE.ends_with("replicas: 5\n  image: shop/web:1.3\n"), "{ONE}");
    assert!(TWO.ends_with("replicas: 5\n  image: shop/web:1.4\n"), "{TWO}");
    let expected = format!("replicas: 7\n  image: shop/web:{}\n", env!("CARGO_PKG_NAME"));
    assert!(ALL.ends_with(&expected), "{ALL}");
}
