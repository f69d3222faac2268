//! A type of the program that serde cannot read.

#[derive(Debug)]
pub struct Deployment {
    pub kind: String,
}

ytt_macros::include_ytt! {
    pub static WEB: std::sync::LazyLock<Deployment> = document("data/shop") as serde;
}

fn main() {
    println!("{:?}", *WEB);
}
