//! Documents whose names are one name of Rust.

ytt_macros::include_ytt! {
    pub mod configs = documents("data/names") where kind = "Config" by kind, name;
}

fn main() {
    println!("{:?}", configs::config::WEB_1);
}
