//! What can be set. Types and defaults come from `config/schema.yml`, which is rendered by `cargo ytt generate`; a file of
//! the user's is read into the same types.

use std::error::Error;
use std::fs;
use std::path::Path;

ytt_macros::include_ytt! {
    #[derive(PartialEq, serde::Deserialize, serde::Serialize)]
    #[serde(default, deny_unknown_fields)]
    pub static DEFAULTS: Settings = data_values("config", cow = true);
}

impl Settings {
    /// Reads a file; what it leaves out is as in [`DEFAULTS`].
    pub fn read(path: &Path) -> Result<Settings, Box<dyn Error>> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let settings: Settings =
            toml::from_str(&text).map_err(|error| format!("{}: {}", path.display(), error.to_string().trim_end()))?;
        settings.check().map_err(|problem| format!("{}: {problem}", path.display()))?;
        Ok(settings)
    }

    /// The rules of the schema hold for what was rendered; what a user writes is checked here.
    fn check(&self) -> Result<(), String> {
        let mut widths = self.overrides.iter().filter_map(|one| one.max_width).chain([self.max_width]);
        if let Some(width) = widths.find(|width| !(20..=400).contains(width)) {
            return Err(format!("`max_width` is {width}, and must be from 20 to 400"));
        }
        if self.overrides.iter().any(|one| one.suffix.is_empty()) {
            return Err("`overrides` without a `suffix` would hold for all files".to_owned());
        }
        match &*self.report.form {
            "lines" | "files" => Ok(()),
            form => Err(format!("`report.form` is `{form}`, and must be `lines` or `files`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_is_as_it_was_embedded() {
        let settings: Settings = toml::from_str("[report]\nlimit = 3\n").unwrap();
        let report = SettingsReport { limit: 3, ..DEFAULTS.report.clone() };
        assert_eq!(settings, Settings { report, ..DEFAULTS.clone() });
        assert_eq!(Settings::default(), DEFAULTS);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let error = toml::from_str::<Settings>("[allow]\ntab = true\n").unwrap_err().to_string();
        assert!(error.contains("unknown field `tab`, expected `tabs` or `trailing_blanks`"), "{error}");
    }
}
