//! Prints what the macro rendered.

static PLAIN: &str =
    ytt_macros::include_ytt!("config", values_file = "values/team.yml", env_yaml = { replicas: "SHOP_REPLICAS" });
static SCALED: &str = ytt_macros::include_ytt!("config", "overlays", values_file = "values/team.yml");

fn main() {
    print!("{PLAIN}---\n{SCALED}");
}
