//! A file that is no YAML.

static TEXT: &str = ytt_macros::include_ytt!("data/broken-yaml");

fn main() {
    println!("{TEXT}");
}
