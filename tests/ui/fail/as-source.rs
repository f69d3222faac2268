//! Sources that cannot be read into types of the program.

ytt_macros::include_ytt! {
    pub static FILES: std::sync::LazyLock<Vec<String>> = files("data/two") as serde;
    pub static ALL: std::sync::LazyLock<String> = documents("data/two") as serde;
    pub static WEB: std::sync::LazyLock<String> = document("data/two") as srede;
}

fn main() {
    println!("{:?} {:?} {:?}", *FILES, *ALL, *WEB);
}
