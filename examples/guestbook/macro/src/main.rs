//! The guestbook's manifests, rendered while this program is compiled.
//!
//! Each constant below is the text that ytt prints for these inputs. Nothing is rendered when the
//! program runs, and a template or an overlay with a mistake in it is an error of the compiler.
//! `guestbook-build` makes the same texts in a build script.

use std::process::ExitCode;

use guestbook_cli::Environment;

static DEV: &str =
    ytt_macros::include_ytt!("../config", values = { frontend.host: "guestbook.localhost", api.log_level: "debug" });

static STAGING: &str = ytt_macros::include_ytt!(
    "../config",
    "../overlays/staging",
    "../overlays/team-label",
    values = { team: "storefront", image.tag: "1.5.0-rc.1" },
);

static PROD: &str = ytt_macros::include_ytt!(
    "../config",
    "../overlays/prod",
    "../overlays/team-label",
    values = { team: "storefront", image: { tag: "1.4.2" }, api.replicas: 4 },
);

fn main() -> ExitCode {
    guestbook_cli::run(
        "guestbook",
        &[
            Environment { name: "dev", manifests: DEV },
            Environment { name: "staging", manifests: STAGING },
            Environment { name: "prod", manifests: PROD },
        ],
    )
}
