//! Items may stand in the body of a function.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

fn replicas(name: &str) -> i64 {
    ytt_macros::include_ytt! {
        static WEB: Deployment = document("data/cluster") where metadata.labels.app = "web";
        static WORKER: Deployment = document("data/cluster") where metadata.labels.app = "worker";
        mod named = documents("data/cluster") by kind, metadata.name;
    }
    match name {
        "web" => WEB.spec.replicas,
        "worker" => WORKER.spec.replicas,
        _ => named::service::WEB.spec.ports[0],
    }
}

fn main() {
    // The same names again are others here.
    ytt_macros::include_ytt! {
        static WEB: Web = document("data/two");
    }
    assert_eq!(["web", "worker", ""].map(replicas), [300, 1, 80]);
    assert_eq!(WEB.kind, "First");
}
