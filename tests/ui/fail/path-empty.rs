//! An empty path: the folder of the package has a name.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", "");

fn main() {
    println!("{TEXT}");
}
