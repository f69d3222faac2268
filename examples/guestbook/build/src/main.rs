//! The guestbook's manifests, rendered by `build.rs` before this program is compiled.
//!
//! The build script writes one file for each environment below `OUT_DIR`; here they are only
//! included. `guestbook` makes the same texts with a macro, without a build script.

use std::process::ExitCode;

use guestbook_cli::Environment;

static DEV: &str = include_str!(concat!(env!("OUT_DIR"), "/dev.yml"));
static STAGING: &str = include_str!(concat!(env!("OUT_DIR"), "/staging.yml"));
static PROD: &str = include_str!(concat!(env!("OUT_DIR"), "/prod.yml"));

fn main() -> ExitCode {
    guestbook_cli::run(
        "guestbook-build",
        &[
            Environment { name: "dev", manifests: DEV },
            Environment { name: "staging", manifests: STAGING },
            Environment { name: "prod", manifests: PROD },
        ],
    )
}
