//! A call without a path.

static TEXT: &str = ytt_macros::include_ytt!();

fn main() {
    println!("{TEXT}");
}
