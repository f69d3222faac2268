//! A derived reader cannot read what may be anything.

ytt_macros::include_ytt! {
    #[derive(serde::Deserialize)]
    #[serde(default)]
    pub static KINDS: Kinds = data_values("data/kinds", cow = true);
}

fn main() {
    println!("{:?}", KINDS);
}
