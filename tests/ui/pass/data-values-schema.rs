//! Data values become a constant whose type is that of the schema, with its texts, nullables and defaults.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    #[derive(PartialEq)]
    pub static CONFIG: Config = data_values(
        "data/settings",
        values = { web.port: 81, envs: [{ name: "a" }, { name: "b", replicas: 2, labels.tier: "back" }] },
    );
}

/// Other constants may be computed from it.
pub const PORT: i64 = CONFIG.web.port;

fn main() {
    assert_eq!(PORT, 81);
    let none: Option<ConfigWebTls> = CONFIG.web.tls;
    assert_eq!(none, None);
    let envs: &'static [ConfigEnvs] = CONFIG.envs;
    let all: Vec<(&'static str, i64, &'static str)> =
        envs.iter().map(|env| (env.name, env.replicas, env.labels.tier)).collect();
    assert_eq!(all, [("a", 1, "front"), ("b", 2, "back")]);
    assert_eq!((CONFIG.log_level, CONFIG.ratio, CONFIG.debug), ("info", 0.5, false));
    let copy = CONFIG;
    assert_eq!(copy, CONFIG);
    assert!(format!("{CONFIG:?}").starts_with("Config { web: ConfigWeb { port: 81, tls: None, "), "{CONFIG:?}");
}
