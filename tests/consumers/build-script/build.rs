//! Renders the folder twice: with a variable, and with an overlay.

use ytt_build::Builder;

fn main() {
    let builder = Builder::new("config").data_values_file("values/team.yml");
    builder.clone().data_value_env_yaml("replicas", "SHOP_REPLICAS").build();
    builder.overlay("overlays").write_text("scaled.yml").build();
}
