//! Variables by a prefix, which only a build script can have.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/shop", env_prefix = "APP");

fn main() {
    println!("{TEXT}");
}
