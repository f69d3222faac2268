//! One key given as a path and in a map.

static TEXT: &str = ytt_macros::include_ytt!("data/shop", values = { image.tag: "1", image: { tag: "2" } });

fn main() {
    println!("{TEXT}");
}
