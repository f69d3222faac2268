//! A value of another type than the argument takes.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", strict = 1);

fn main() {
    println!("{TEXT}");
}
