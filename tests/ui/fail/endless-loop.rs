//! A template that takes more steps than it may.

static TEXT: &str = ytt_macros::include_ytt!("data/loop", limits = { steps: 100000 });

fn main() {
    println!("{TEXT}");
}
