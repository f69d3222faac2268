//! The folder of a build script, in a package without one.

static TEXT: &str = ytt_macros::include_ytt!("$OUT_DIR/config");

fn main() {
    println!("{TEXT}");
}
