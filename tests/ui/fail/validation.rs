//! A value that the schema refuses by a rule.

static TEXT: &str = ytt_macros::include_ytt!("data/rules", values = { port: 0 });

fn main() {
    println!("{TEXT}");
}
