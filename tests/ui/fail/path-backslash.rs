//! A path as only one system writes it.

static TEXT: &str = ytt_macros::include_ytt!("ui\\data\\shop");

fn main() {
    println!("{TEXT}");
}
