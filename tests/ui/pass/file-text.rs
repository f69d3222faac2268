//! One output file, a text, instead of all documents.

static TEXT: &str = ytt_macros::include_ytt!("ui/data/two", file = "second.txt");

fn main() {
    assert_eq!(TEXT, "second text\n");
}
