//! A form of output that there is not.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", output = "xml");

fn main() {
    println!("{TEXT}");
}
