//! An integer that no YAML reader takes.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { big: 99999999999999999999 });

fn main() {
    println!("{TEXT}");
}
