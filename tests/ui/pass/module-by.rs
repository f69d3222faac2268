//! A module for each kind, in it a constant for each name; with one part the constants stand in the module.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    pub mod manifests = documents("data/cluster") by kind, metadata.name;
    pub mod deployments = documents("data/cluster") where kind = "Deployment" by metadata.name;
    pub mod deep = documents("data/cluster") by apiVersion, kind, metadata.name;
    pub mod renamed = documents(
        "data/names",
        rename = { Config."web-1": FIRST, Config."web_1": SECOND },
    ) where kind = "Config" by kind, name;
}

fn main() {
    assert_eq!(manifests::deployment::WEB.spec.replicas, 300);
    assert_eq!(manifests::service::WEB.spec.ports, [80, 443]);
    let both: [manifests::deployment::Deployment; 2] =
        [manifests::deployment::WEB, manifests::deployment::WORKER];
    assert_eq!(both.map(|one| one.metadata.labels.tier), [Some("front"), None]);
    let document: deployments::Document = deployments::WORKER;
    assert_eq!(document.metadata.name, "worker");
    assert_eq!(deep::apps_v1::deployment::WEB.spec.mode, "stage");
    assert_eq!((renamed::config::FIRST.name, renamed::config::SECOND.name), ("web-1", "web_1"));
}
