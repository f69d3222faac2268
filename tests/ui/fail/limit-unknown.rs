//! A limit that there is not, near to one that there is.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", limits = { step: 1 });

fn main() {
    println!("{TEXT}");
}
