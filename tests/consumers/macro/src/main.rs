//! Prints what the macro rendered.

static PLAIN: &str = ytt_macros::include_ytt!("config");
static SCALED: &str = ytt_macros::include_ytt!("config", "overlays");

fn main() {
    print!("{PLAIN}---\n{SCALED}");
}
