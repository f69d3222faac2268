//! Renders the workflows of the CI and a Compose file for each environment into `OUT_DIR`, and an index of both in Rust.

use ytt_build::Builder;

/// In the order in which they are deployed.
const ENVIRONMENTS: [&str; 3] = ["dev", "staging", "prod"];

fn main() {
    Builder::new("ci")
        .data_value("environments", ENVIRONMENTS)
        .write_files("ci")
        .items("pub static FILES: [(&str, &str)] = files;")
        .items("pub static WORKFLOWS: [Workflow] = documents;")
        .maps("jobs")
        .generate("ci.rs")
        .build();

    for environment in ENVIRONMENTS {
        Builder::new("compose")
            .data_value("environment", environment)
            .data_values_file(format!("environments/{environment}.yml"))
            .write_text(format!("compose/{environment}.yml"))
            .items("pub static STACK: Stack = document;")
            .maps("services")
            .generate(format!("{environment}.rs"))
            .build();
    }
}
