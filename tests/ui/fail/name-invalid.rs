//! Keys that are no names of Rust, told at once.

ytt_macros::include_ytt! {
    pub static KEYS: Keys = document("data/odd-keys", rename = { web."foo-bar": dashed });
}

fn main() {
    println!("{:?}", KEYS.web);
}
