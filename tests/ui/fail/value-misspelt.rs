//! A template misspells a value that the call gives: no line of ours is shown, and a warning that may be the reason is.

static TEXT: &str = ytt_macros::include_ytt!("data/typo", values = { replicas: 3 });

fn main() {
    println!("{TEXT}");
}
