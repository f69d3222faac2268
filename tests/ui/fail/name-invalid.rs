//! Keys that are no names of Rust, told at once.

ytt_macros::include_ytt! {
    pub static KEYS: Keys = document("ui/data/odd-keys", rename = { web."foo-bar": dashed });
}

fn main() {
    println!("{:?}", KEYS.web);
}
