//! Constants that are written with one name have one type, which fits all of them.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    #[derive(PartialEq)]
    pub static DEV: Config = data_values("data/settings", values = { debug: true });
    pub static PROD: Config = data_values("data/settings", values = { web.tls.cert: "prod.pem", envs: [{ name: "eu" }] });
    pub static WEB: Deployment = document("data/cluster") where spec.replicas = 300;
    pub static WORKER: Deployment = document("data/cluster") where spec.replicas = 1;
}

fn current(is_dev: bool) -> &'static Config {
    if is_dev { &DEV } else { &PROD }
}

fn main() {
    assert!(current(true).debug && !current(false).debug);
    assert_eq!(PROD.web.tls, Some(ConfigWebTls { cert: "prod.pem", key: "key.pem" }));
    assert_eq!((DEV.web.tls, DEV.envs, PROD.envs.len()), (None, &[][..], 1));
    assert_eq!([&WEB, &WORKER].map(|one| one.metadata.labels.tier), [Some("front"), None]);
}
