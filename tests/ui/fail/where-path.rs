//! A path of which a part is missing.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/cluster") where spec.ports.[0] = 80;
}

fn main() {
    println!("{:?}", WEB);
}
