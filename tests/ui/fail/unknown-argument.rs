//! An argument that there is not, near to one that there is.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", value = {});

fn main() {
    println!("{TEXT}");
}
