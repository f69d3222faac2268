//! A document without the key that names its constant.

ytt_macros::include_ytt! {
    pub mod configs = documents("data/names") where name = "other" by kind, name;
}

fn main() {
    println!("{:?}", configs::config::OTHER);
}
