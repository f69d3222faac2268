//! Variables by a prefix, which only a build script can have.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", env_prefix = "APP");

fn main() {
    println!("{TEXT}");
}
