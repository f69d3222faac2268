//! An argument of the other form.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/shop", output = "json");
}

fn main() {
    println!("{:?}", WEB);
}
