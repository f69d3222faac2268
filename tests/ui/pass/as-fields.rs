//! Structs of the program are filled field by field: what a document does not name keeps its default.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Types as a generator writes them: no `kind`, since the type says it.
#[derive(Debug, Default, PartialEq)]
pub struct Deployment {
    metadata: Metadata,
    spec: Option<Spec>,
}

#[derive(Debug, Default, PartialEq)]
struct Metadata {
    name: Option<String>,
    labels: Option<BTreeMap<String, String>>,
}

#[derive(Debug, PartialEq)]
struct Spec {
    replicas: Option<i32>,
    mode: String,
    paused: bool,
}

impl Default for Spec {
    fn default() -> Spec {
        Spec { replicas: None, mode: String::new(), paused: true }
    }
}

#[derive(Debug, Default, PartialEq)]
struct Service {
    kind: &'static str,
    metadata: Metadata,
    spec: Ports,
}

#[derive(Debug, Default, PartialEq)]
struct Ports {
    ports: Vec<u16>,
}

ytt_macros::include_ytt! {
    pub static WEB: LazyLock<Deployment> = document("data/cluster", maps = ["metadata.labels"])
        where kind = "Deployment", apiVersion = "apps/v1", metadata.name = "web" as fields;
    static SERVICE: LazyLock<Service> = document("data/cluster", rename = { kind: kind })
        where apiVersion = "v1", kind = "Service" as fields;
}

fn main() {
    assert_eq!(WEB.metadata.name.as_deref(), Some("web"));
    assert_eq!(WEB.metadata.labels.as_ref().map(|labels| labels["tier"].as_str()), Some("front"));
    assert_eq!(WEB.spec, Some(Spec { replicas: Some(300), mode: "stage".to_owned(), paused: true }));
    assert_eq!((SERVICE.kind, &*SERVICE.spec.ports), ("Service", &[80, 443][..]));
}
