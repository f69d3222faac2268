//! All documents are one slice: of one type with options for what only some have, or of values.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    pub static DEPLOYMENTS: [Deployment] = documents("data/cluster") where kind = "Deployment";
    pub static ALL: &'static [Value] = documents("data/cluster");
    pub static NONE: [Value] = documents("data/cluster", file_marks = ["s*.yml:exclude=true"]) where spec.mode = "prod";
}

fn main() {
    let tiers: Vec<_> = DEPLOYMENTS.iter().map(|one| (one.metadata.name, one.metadata.labels.tier)).collect();
    assert_eq!(tiers, [("web", Some("front")), ("worker", None)]);
    let kinds: Vec<_> = ALL.iter().filter_map(|one| one.get("kind")?.as_str()).collect();
    assert_eq!(kinds, ["Deployment", "Deployment", "Service"]);
    assert_eq!(NONE.len(), 1);
    assert_eq!(ALL[2].get("spec.ports").and_then(|ports| ports.at(1)).and_then(|port| port.as_i64()), Some(443));
}
