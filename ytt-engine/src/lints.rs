//! Lints: what is told of a render that worked, and whether it is told, or fails.
//!
//! Each lint is the stable code of a warning and has a level, which settings change: later ones win. Only `std`: macros
//! without the renderer read settings too.

use crate::nearest::similar;

/// What becomes of a lint: nothing, a warning, or a failed build.
///
/// ```
/// # #[cfg(feature = "engine")]
/// # fn main() -> Result<(), ytt_engine::Error> {
/// use ytt_engine::{Level, Project};
///
/// let project = Project::new().file("a.yml", "#@overlay/matc\na: 1\n");
/// assert_eq!(project.render()?.warnings()[0].code().as_str(), "template::unknown-annotation");
/// assert!(project.clone().lint("template::*", Level::Allow).render()?.warnings().is_empty());
/// assert!(project.lint("all", Level::Deny).render().is_err());
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "engine"))]
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It is not looked for.
    Allow,
    /// It is a warning.
    Warn,
    /// It fails the render, as an error does.
    Deny,
}

impl Level {
    /// All levels, mildest first.
    pub const ALL: [Level; 3] = [Level::Allow, Level::Warn, Level::Deny];

    /// The word for it: of flags, of the macro's argument, of committed files.
    ///
    /// ```
    /// assert_eq!(ytt_engine::Level::Deny.as_str(), "deny");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
    }

    /// The level of a word.
    ///
    /// ```
    /// assert_eq!(ytt_engine::Level::of("warn"), Some(ytt_engine::Level::Warn));
    /// ```
    pub fn of(word: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.as_str() == word)
    }
}

/// Every lint with its own level, sorted.
const TABLE: &[(&str, Level)] = &[
    ("files::beyond-mark", Level::Allow),
    ("files::rename", Level::Warn),
    ("files::unused", Level::Allow),
    ("json::not-finite", Level::Warn),
    ("library::thrown-away", Level::Warn),
    ("module::argument-order", Level::Warn),
    ("module::loose-text", Level::Warn),
    ("module::math", Level::Warn),
    ("module::no-such-group", Level::Warn),
    ("module::unknown-argument", Level::Warn),
    ("overlay::again", Level::Warn),
    ("overlay::junction", Level::Warn),
    ("overlay::matched-nothing", Level::Allow),
    ("overlay::missing-ok-unneeded", Level::Allow),
    ("overlay::no-effect", Level::Warn),
    ("overlay::not-an-overlay", Level::Warn),
    ("overlay::not-evaluated", Level::Allow),
    ("overlay::old-key", Level::Warn),
    ("overlay::one-level-too-high", Level::Warn),
    ("overlay::other-letters", Level::Warn),
    ("overlay::overridden", Level::Allow),
    ("overlay::removes-nothing", Level::Warn),
    ("overlay::renamed-key", Level::Warn),
    ("overlay::second-item", Level::Warn),
    ("overlay::shared-node", Level::Allow),
    ("overlay::unused-argument", Level::Warn),
    ("overlay::without-match", Level::Warn),
    ("schema::deprecated", Level::Warn),
    ("starlark::function-as-text", Level::Warn),
    ("starlark::function-not-called", Level::Warn),
    ("starlark::hasattr-of-dict", Level::Warn),
    ("starlark::in-text", Level::Warn),
    ("starlark::late-bound", Level::Warn),
    ("starlark::never-equal", Level::Warn),
    ("starlark::no-return", Level::Warn),
    ("starlark::none-as-text", Level::Warn),
    ("starlark::type-name", Level::Warn),
    ("template::after-end", Level::Warn),
    ("template::code-in-text", Level::Warn),
    ("template::list-in-list", Level::Warn),
    ("template::missing-blank", Level::Warn),
    ("template::replace-statement", Level::Warn),
    ("template::unknown-annotation", Level::Warn),
    ("template::unknown-lint", Level::Warn),
    ("template::unprinted", Level::Warn),
    ("template::unused-function", Level::Allow),
    ("template::unused-load", Level::Allow),
    ("template::unused-name", Level::Allow),
    ("values::duplicate-key", Level::Warn),
    ("values::environment", Level::Warn),
    ("values::key", Level::Warn),
    ("values::number-for-text", Level::Warn),
    ("values::out-of-order", Level::Warn),
    ("values::plain-input", Level::Warn),
    ("values::same-as-before", Level::Allow),
    ("values::text-for-boolean", Level::Warn),
    ("values::unused", Level::Allow),
    ("values::unused-annotation", Level::Warn),
    ("yaml::alias-of-code", Level::Warn),
    ("yaml::braces", Level::Warn),
    ("yaml::byte-order-mark", Level::Warn),
    ("yaml::dropped-code", Level::Warn),
    ("yaml::missing-blank", Level::Warn),
    ("yaml::not-kept", Level::Warn),
    ("yaml::unknown-tag", Level::Warn),
];

/// What stands for every lint.
const ALL: &str = "all";

fn own_level(code: &str) -> Option<Level> {
    let at = TABLE.binary_search_by(|(name, _)| (*name).cmp(code)).ok()?;
    TABLE.get(at).map(|(_, level)| *level)
}

/// Does a pattern mean a lint? `all` means every one, `x::*` those that begin with `x::`.
pub(crate) fn means(pattern: &str, code: &str) -> bool {
    pattern == code || pattern == ALL || pattern.strip_suffix('*').is_some_and(|start| code.starts_with(start))
}

/// Checks the name of a lint, or of several: what there is instead of one that there is not.
///
/// ```
/// use ytt_engine::codegen::check_lint;
///
/// assert!(check_lint("overlay::*").is_ok());
/// assert_eq!(check_lint("overlay::agian").unwrap_err().near(), Some("overlay::again"));
/// ```
pub fn check(pattern: &str) -> Result<(), UnknownLint> {
    let is_group = pattern.ends_with("::*") && TABLE.iter().any(|(name, _)| means(pattern, name));
    if pattern == ALL || is_group || own_level(pattern).is_some() {
        return Ok(());
    }
    let names = || TABLE.iter().map(|(name, _)| *name);
    let mut groups: Vec<String> = names().filter_map(|name| Some(format!("{}::*", name.split_once("::")?.0))).collect();
    groups.dedup();
    let last = pattern.rsplit("::").next().unwrap_or_default();
    let of_last = || names().find(|name| name.split_once("::").is_some_and(|(_, own)| own == last));
    let near = similar(pattern, names().chain(groups.iter().map(String::as_str)).chain([ALL]));
    Err(UnknownLint { name: pattern.to_owned(), near: near.or_else(of_last).map(str::to_owned) })
}

/// A name that is none of a lint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLint {
    name: String,
    near: Option<String>,
}

impl UnknownLint {
    /// What was probably meant.
    pub fn near(&self) -> Option<&str> {
        self.near.as_deref()
    }
}

impl std::fmt::Display for UnknownLint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no lint has the name `{}`", self.name)
    }
}

/// Who set a level.
#[cfg(feature = "engine")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A step of the project, whoever took it.
    Step,
    /// A flag of the command, beside the settings of a call or a builder.
    #[allow(dead_code, reason = "only `codegen` has such")]
    Flag,
}

/// A level that was set.
#[cfg(feature = "engine")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// As written.
    pub(crate) pattern: String,
    pub(crate) level: Level,
    pub(crate) by: By,
}

/// The levels of a render.
#[cfg(feature = "engine")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Lints {
    settings: Vec<Setting>,
    /// Rust code takes the data values: all of them are used.
    values_are_taken: bool,
}

#[cfg(feature = "engine")]
impl Lints {
    pub(crate) fn set(&mut self, pattern: impl Into<String>, level: Level, by: By) {
        self.settings.push(Setting { pattern: pattern.into(), level, by });
    }

    pub(crate) fn reset(&mut self) {
        self.settings.clear();
    }

    #[cfg(feature = "codegen")]
    pub(crate) fn take_values(&mut self) {
        self.values_are_taken = true;
    }

    /// The level of a lint, and the setting that gave it.
    pub(crate) fn of(&self, code: &str) -> (Level, Option<&Setting>) {
        if self.values_are_taken && code == "values::unused" {
            return (Level::Allow, None);
        }
        match self.settings.iter().rfind(|setting| means(&setting.pattern, code)) {
            Some(setting) => (setting.level, Some(setting)),
            None => (own_level(code).unwrap_or(Level::Warn), None),
        }
    }

    /// Is anybody told of it?
    pub(crate) fn is_on(&self, code: &str) -> bool {
        self.of(code).0 != Level::Allow
    }
}

#[cfg(all(test, feature = "engine"))]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.is_sorted());
    }

    #[test]
    fn later_settings_win() {
        let mut lints = Lints::default();
        let level = |lints: &Lints, code: &str| lints.of(code).0;
        assert_eq!(
            (level(&lints, "overlay::again"), level(&lints, "overlay::shared-node")),
            (Level::Warn, Level::Allow)
        );
        lints.set("all", Level::Deny, By::Step);
        lints.set("overlay::*", Level::Allow, By::Step);
        lints.set("overlay::again", Level::Warn, By::Step);
        assert_eq!(level(&lints, "overlay::again"), Level::Warn);
        assert_eq!(level(&lints, "overlay::second-item"), Level::Allow);
        assert_eq!(lints.of("yaml::braces").1.map(|setting| &*setting.pattern), Some("all"));
        lints.reset();
        assert_eq!(level(&lints, "yaml::braces"), Level::Warn);
    }

    #[test]
    fn unknown_names_have_near_ones() {
        let near = |name: &str| check(name).map_err(|unknown| unknown.near().map(str::to_owned));
        assert_eq!((near("all"), near("yaml::*"), near("overlay::again")), (Ok(()), Ok(()), Ok(())));
        assert_eq!(near("overlay::agian"), Err(Some("overlay::again".to_owned())));
        assert_eq!(near("again"), Err(Some("overlay::again".to_owned())));
        assert_eq!(near("overlays::*"), Err(Some("overlay::*".to_owned())));
        assert_eq!((near("*"), near("overlay"), near("")), (Err(None), Err(None), Err(None)));
    }
}
