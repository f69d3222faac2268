//! Renders the folder twice: with a variable, and with an overlay.

use ytt_build::Builder;

fn main() {
    Builder::new("config").data_value_env_yaml("replicas", "SHOP_REPLICAS").build();
    Builder::new("config").overlay("overlays").write_text("scaled.yml").build();
}
