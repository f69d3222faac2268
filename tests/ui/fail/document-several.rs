//! Conditions that two documents fulfil.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/cluster") where kind = "Deployment";
}

fn main() {
    println!("{:?}", WEB);
}
