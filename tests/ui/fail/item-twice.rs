//! Two items of one name.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("ui/data/shop");
    pub static WEB: Other = document("ui/data/two");
}

fn main() {
    println!("{:?}", WEB);
}
