//! Prints what the macro rendered.

static PLAIN: &str = ytt_macros::include_ytt!("config", env_yaml = { replicas: "SHOP_REPLICAS" });
static SCALED: &str = ytt_macros::include_ytt!("config", "overlays");

fn main() {
    print!("{PLAIN}---\n{SCALED}");
}
