//! A folder that does not exist, near to one that does.

static TEXT: &str = ytt_macros::include_ytt!("data/shpo");

fn main() {
    println!("{TEXT}");
}
