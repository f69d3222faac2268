//! Maps whose keys are data, and values of any type.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    pub static WEB: Deployment = document("data/cluster", maps = ["**.labels"]) where metadata.labels.tier = "front";
    pub static ANY: Value = document("data/cluster") where kind = "Service";
    pub static MIXED: V = document("data/mixed");
}

fn main() {
    assert_eq!(WEB.metadata.labels.get("app"), Some(&"web"));
    assert_eq!(WEB.metadata.labels.keys().collect::<Vec<_>>(), ["app", "tier"]);
    assert_eq!(ANY.get("metadata.name").and_then(|name| name.as_str()), Some("web"));
    assert_eq!(MIXED.list.len(), 3);
    assert_eq!(MIXED.list[1].as_str(), Some("two"));
    assert!(MIXED.list[2].is_null() && MIXED.none == () && MIXED.map.kind() == "map" && MIXED.map.is_empty());
    assert_eq!(MIXED.numbers, [Some(1.0), None, Some(2.5)]);
    assert_eq!(MIXED.large, u64::MAX);
    assert!(MIXED.nan.is_nan() && MIXED.zero == 0.0 && MIXED.zero.is_sign_negative());
    assert_eq!((MIXED.infinite, MIXED.bytes), (f64::NEG_INFINITY, &b"\xff\x00"[..]));
}
