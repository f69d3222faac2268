//! Two items of one name.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/shop");
    pub static WEB: Other = document("data/two");
}

fn main() {
    println!("{:?}", WEB);
}
