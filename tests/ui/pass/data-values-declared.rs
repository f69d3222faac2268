//! Data values become a constant of types that the call declares.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    /// The settings of this program.
    #[derive(PartialEq)]
    pub static CONFIG: Config = data_values("data/settings", values = { web: { port: 443, tls.key: "k" }, ratio: 2.0 });
    /// Settings.
    #[derive(PartialEq)]
    pub struct Config {
        /// Where it listens.
        pub web: Web,
        pub log_level: Level,
        pub envs: [Value; 0],
        pub ratio: f32,
        pub debug: bool,
    }
    #[derive(PartialEq)]
    pub struct Web {
        pub port: u16,
        pub tls: Option<Tls>,
        #[ytt(rename = "listen")]
        pub old: u16,
    }
    #[derive(PartialEq, Eq)]
    pub struct Tls {
        pub cert: &'static str,
        pub key: &'static str,
    }
    #[derive(PartialEq, Eq)]
    pub enum Level {
        Info,
        Warn,
    }
}

fn main() {
    assert_eq!(CONFIG.web, Web { port: 443, tls: Some(Tls { cert: "cert.pem", key: "k" }), old: 8080 });
    assert_eq!((CONFIG.web.port, CONFIG.web.old), (443, 8080));
    assert!(CONFIG.web.tls.is_some_and(|tls| tls.cert != tls.key));
    assert!(CONFIG.log_level != Level::Warn && CONFIG.log_level == Level::Info);
    assert_eq!((CONFIG.envs.len(), CONFIG.ratio, CONFIG.debug), (0, 2.0, false));
}
