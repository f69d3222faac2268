//! Types of the program are read by serde at first use: one value, a list, and data values.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A type that knows nothing of ytt.
#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deployment {
    /// Its version.
    pub api_version: String,
    /// What it is called.
    pub metadata: Metadata,
    /// What it shall be.
    pub spec: BTreeMap<String, serde_json::Value>,
}

/// A part of it.
#[derive(Debug, PartialEq, serde::Deserialize)]
pub struct Metadata {
    /// Its name.
    pub name: Box<str>,
    /// More about it.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
}

ytt_macros::include_ytt! {
    pub static WEB: LazyLock<Deployment> = document("data/cluster") where spec.replicas = 300 as serde;
    pub static ALL: std::sync::LazyLock<Vec<BTreeMap<String, serde_json::Value>>> = documents("data/cluster") as serde;
    pub static PORTS: LazyLock<crate::Ports> = document("data/cluster") where kind = "Service" as serde;
    pub static VALUES: LazyLock<serde_json::Value> = data_values("data/shop", values = { replicas: 2 }) as serde;
}

/// Texts are borrowed from the program.
#[derive(Debug, serde::Deserialize)]
pub struct Ports {
    kind: &'static str,
    spec: PortsSpec,
}

#[derive(Debug, serde::Deserialize)]
struct PortsSpec {
    ports: [u16; 2],
}

fn main() {
    assert_eq!((WEB.api_version.as_str(), &*WEB.metadata.name), ("apps/v1", "web"));
    assert_eq!(WEB.metadata.labels["tier"], "front");
    assert_eq!(WEB.spec["replicas"], 300);
    assert_eq!(ALL.iter().map(|one| one["kind"].as_str()).collect::<Vec<_>>(), [
        Some("Deployment"),
        Some("Deployment"),
        Some("Service")
    ]);
    assert_eq!((PORTS.kind, PORTS.spec.ports), ("Service", [80, 443]));
    assert_eq!(VALUES["replicas"], 2);
}
