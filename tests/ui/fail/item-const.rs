//! A constant is written as a static.

ytt_macros::include_ytt! {
    pub const WEB: Web = document("data/shop");
}

fn main() {
    println!("{:?}", WEB);
}
