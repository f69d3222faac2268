//! A source that there is not.

ytt_macros::include_ytt! {
    pub static WEB: Web = manifest("data/shop");
}

fn main() {
    println!("{:?}", WEB);
}
