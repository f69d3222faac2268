//! `./` is the folder of the source file.

static TEXT: &str = ytt_macros::include_ytt!("./beside.yml");

fn main() {
    assert_eq!(TEXT, "place: beside the source\n");
}
