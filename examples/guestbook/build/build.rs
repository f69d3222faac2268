//! Renders the guestbook's manifests for each environment into a file below `OUT_DIR`.
//!
//! A mistake in a template or an overlay is reported by cargo, for all environments at once. The
//! script runs again when a file is changed in, added to or removed from one of the folders.

use ytt_build::Builder;

fn main() {
    Builder::new("../config")
        .data_value("frontend.host", "guestbook.localhost")
        .data_value("api.log_level", "debug")
        .write_text("dev.yml")
        .build();

    Builder::new("../config")
        .overlay("../overlays/staging")
        .overlay("../overlays/team-label")
        .data_value("team", "storefront")
        .data_value("image.tag", "1.5.0-rc.1")
        .write_text("staging.yml")
        .build();

    Builder::new("../config")
        .overlay("../overlays/prod")
        .overlay("../overlays/team-label")
        .data_value("team", "storefront")
        .data_value("image.tag", "1.4.2")
        .data_value_yaml("api.replicas", "4")
        .write_text("prod.yml")
        .build();
}
