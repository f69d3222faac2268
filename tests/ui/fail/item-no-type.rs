//! A static without a type.

ytt_macros::include_ytt! {
    pub static WEB = document("data/shop");
}

fn main() {
    println!("{:?}", WEB);
}
