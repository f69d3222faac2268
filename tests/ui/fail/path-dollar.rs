//! A variable of the environment in a path.

static TEXT: &str = ytt_macros::include_ytt!("$HOME/config");

fn main() {
    println!("{TEXT}");
}
