//! A condition that no document fulfils.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/cluster") where kind = "Deploymant", metadata.name = "web";
}

fn main() {
    println!("{:?}", WEB);
}
