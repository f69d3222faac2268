//! A type of the program is read at first use.

#[derive(Debug, serde::Deserialize)]
pub struct Deployment {
    pub kind: String,
}

ytt_macros::include_ytt! {
    pub static WEB: Deployment = document("data/shop") as serde;
}

fn main() {
    println!("{:?}", WEB);
}
