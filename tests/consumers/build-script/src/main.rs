//! Prints what the build script rendered.

static PLAIN: &str = include_str!(concat!(env!("OUT_DIR"), "/config.yml"));
static SCALED: &str = include_str!(concat!(env!("OUT_DIR"), "/scaled.yml"));

fn main() {
    print!("{PLAIN}---\n{SCALED}");
}
