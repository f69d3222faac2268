//! More brackets in one another than a call may have.

static TEXT: &str = ytt_macros::include_ytt!(
    "data/shop",
    values = { a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
        1
    ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] }
);

fn main() {
    println!("{TEXT}");
}
