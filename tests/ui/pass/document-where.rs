//! Conditions choose one document: keys, quoted keys, items of lists, and scalars of each kind.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/cluster") where kind = "Deployment", metadata.labels."app" = "web";
    pub static WORKER: Worker = document("data/cluster") where spec.replicas = 1;
    pub static SERVICE: Service = document("data/cluster") where spec.ports[1] = 443,;
    pub static ONLY: Only = document("data/two");
}

fn main() {
    assert_eq!((WEB.api_version, WEB.metadata.labels.tier, WEB.spec.replicas), ("apps/v1", "front", 300));
    assert_eq!((WORKER.metadata.name, WORKER.spec.mode), ("worker", "prod"));
    assert_eq!(SERVICE.spec.ports, [80, 443]);
    assert_eq!(ONLY.kind, "First");
}
