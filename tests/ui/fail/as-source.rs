//! Sources that cannot be read into types of the program.

ytt_macros::include_ytt! {
    pub static FILES: std::sync::LazyLock<Vec<String>> = files("ui/data/two") as serde;
    pub static ALL: std::sync::LazyLock<String> = documents("ui/data/two") as serde;
    pub static WEB: std::sync::LazyLock<String> = document("ui/data/two") as srede;
}

fn main() {
    println!("{:?} {:?} {:?}", *FILES, *ALL, *WEB);
}
