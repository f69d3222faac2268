//! An output file that the render does not give.

static TEXT: &str = ytt_macros::include_ytt!("data/two", file = "third.txt");

fn main() {
    println!("{TEXT}");
}
