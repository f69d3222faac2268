//! A form of output that there is not.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", output = "xml");

fn main() {
    println!("{TEXT}");
}
