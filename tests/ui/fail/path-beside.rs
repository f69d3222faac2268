//! A folder of the package, looked for beside the source file.

static TEXT: &str = ytt_macros::include_ytt!("./data/shop");

fn main() {
    println!("{TEXT}");
}
