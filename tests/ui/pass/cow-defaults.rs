//! The settings of a program are a schema: the file of a user is read into the same types, and what it leaves out comes
//! from what was embedded.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

use std::borrow::Cow;

ytt_macros::include_ytt! {
    #[derive(PartialEq, serde::Serialize, serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub static SETTINGS: Settings = data_values("data/settings", cow = true, values = { web.port: 81, ratio: 0.25 });
}

fn read(text: &str) -> Result<Settings, serde_json::Error> {
    serde_json::from_str(text)
}

fn main() -> Result<(), serde_json::Error> {
    assert_eq!(Settings::default(), SETTINGS);
    assert_eq!(read("{}")?, SETTINGS);
    assert!(matches!(SETTINGS.log_level, Cow::Borrowed("info")));

    let user = read(r#"{"web": {"tls": {"key": "own.pem"}}, "log-level": "warn", "envs": [{"name": "a"}, {}]}"#)?;
    assert_eq!((user.web.port, &*user.log_level, user.ratio), (81, "warn", 0.25));
    // What is null in the constant, and items of lists, have the defaults of the schema.
    let tls = user.web.tls.clone().unwrap_or_default();
    assert_eq!((&*tls.cert, &*tls.key), ("cert.pem", "own.pem"));
    assert_eq!((&*user.envs[0].name, user.envs[0].replicas, &*user.envs[0].labels.tier), ("a", 1, "front"));
    assert_eq!(user.envs[1], SettingsEnvs::default());

    let written = serde_json::to_string(&user)?;
    assert!(written.contains(r#""log-level":"warn""#), "{written}");
    assert_eq!(read(&written)?, user);

    let mut changed = SETTINGS.clone();
    changed.log_level = format!("{}-2", changed.log_level).into();
    assert_eq!(changed.log_level, "info-2");

    let problem = read(r#"{"web": {"prot": 1}}"#).map(|_| ()).unwrap_err().to_string();
    assert!(problem.contains("unknown field `prot`"), "{problem}");
    Ok(())
}
