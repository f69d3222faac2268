//! A path of one machine is warned of.
#![deny(warnings)]

static TEXT: &str = ytt_macros::include_ytt!("data/shop", "/etc/hosts");

fn main() {
    println!("{TEXT}");
}
