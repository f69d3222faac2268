//! Words of a report that depend on its reader: what the command calls a flag is an argument of a macro, a method of a
//! builder, or one of [`Project`](crate::Project).
//!
//! Who reads is known when a diagnostic leaves the engine; until then an [`Advice`] stands among its helps.

use super::{Diagnostic, Help, Note};
use crate::lints::{By, Setting};

/// How the reader wrote what a report is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Voice {
    /// By arguments of `include_ytt!`.
    #[allow(dead_code, reason = "only `codegen` speaks so")]
    Macro,
    /// By methods of `ytt_build::Builder`.
    #[allow(dead_code, reason = "only `codegen` speaks so")]
    Builder,
    /// By flags.
    Command,
    /// By methods of `Project`.
    #[default]
    Library,
}

impl Voice {
    /// Says which setting made an error of a lint, as this reader wrote it.
    pub(crate) fn denies(self, setting: &Setting) -> Note {
        let (pattern, level) = (&setting.pattern, setting.level.as_str());
        let how = match (self, setting.by) {
            (Voice::Command, _) | (_, By::Flag) => format!("on the command line by `--{level} {pattern}`"),
            (Voice::Macro, By::Step) => format!("by `lints = {{ \"{pattern}\": \"{level}\" }}` of the call"),
            (Voice::Builder | Voice::Library, By::Step) => {
                format!("by `.lint(\"{pattern}\", Level::{:?})`", setting.level)
            }
        };
        format!("denied {how}").into()
    }
}

/// A help that every voice words in its own way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Advice {
    /// The limit of this name was reached.
    RaiseLimit(&'static str),
    /// The text of a variable was given where the schema wants something else.
    ReadVariableAsYaml(Variable),
    /// The same, for variables of a prefix.
    ReadVariablesAsYaml {
        /// With the reference of a library, if there is one.
        prefix: String,
    },
    /// What was given as YAML, `KEY=VALUE`, is meant as text.
    GiveText(String),
    /// What was given as text is meant as YAML; `why` ends in "write".
    GiveYaml { why: String, pair: String },
    /// A file mark without key and value; this is the pattern.
    CompleteMark(String),
    /// A file that is no input of ytt; this is its path.
    LeaveOut(String),
    /// An output file is outside of the output folder.
    RenameOutput,
    /// A symlink leads to what was not allowed.
    AllowSymlink,
    /// `-` was named, but nobody gave standard input.
    GiveStdin,
    /// A template names a file that is not among the inputs.
    AddFile,
    /// A plain file that has data values; `why` says what for.
    GiveValuesFile { why: &'static str },
    /// There are no data values at all, and this one is read.
    SetValue(String),
    /// Overlays of one file are needed by those of another.
    OrderFiles {
        first: String,
        then: String,
        /// Both come from one folder, in the order of their names.
        is_one_input: bool,
    },
}

/// A variable that gives a data value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// Parts of the key; the first may be the reference of a library.
    pub(crate) key: Vec<String>,
}

impl Variable {
    /// As `env` of a macro takes it: `image."x.y": "TAG"`.
    fn in_macro(&self) -> String {
        let is_name = |part: &str| {
            !part.is_empty()
                && part.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
                && !part.starts_with(|first: char| first.is_ascii_digit())
                && part != "_"
        };
        let part = |part: &String| if is_name(part) { part.clone() } else { format!("{part:?}") };
        let key: Vec<String> = self.key.iter().map(part).collect();
        format!("{}: {:?}", key.join("."), self.name)
    }

    /// As methods take it: `"@lib:image.tag", "TAG"`.
    fn in_call(&self) -> String {
        let (library, path) = match &self.key[..] {
            [library, path @ ..] if library.starts_with('@') && !path.is_empty() => (format!("{library}:"), path),
            path => (String::new(), path),
        };
        format!("{:?}, {:?}", library + &path.join("."), self.name)
    }
}

impl Advice {
    /// The help as this reader understands it; `None` if the message itself is in its language.
    fn words(&self, voice: Voice) -> Option<String> {
        use Voice::{Builder, Command, Library, Macro};
        let yaml = "to give a value that is not a string";
        Some(match self {
            Advice::RaiseLimit(name) => {
                let how = match voice {
                    Macro => format!("`limits = {{ {name}: … }}`"),
                    Builder => format!("`limits.{name} = …`, given to `.limits(limits)`"),
                    Command => format!("`--limit {name}=…`"),
                    Library => format!("`limits.{name} = …`, given to `Project::limits`"),
                };
                format!("only if that much is really needed, raise the limit: {how}")
            }
            Advice::ReadVariableAsYaml(variable) => match voice {
                Macro => format!("{yaml}, write `env_yaml = {{ {} }}`", variable.in_macro()),
                Builder => format!("{yaml}, write `.data_value_env_yaml({})`", variable.in_call()),
                Command => format!("{yaml}, use `--data-values-env-yaml`"),
                Library => format!("{yaml}, use `Project::data_value_env_yaml`"),
            },
            Advice::ReadVariablesAsYaml { prefix } => match voice {
                Builder => format!("{yaml}, write `.data_values_env_yaml({prefix:?})`"),
                Library => format!("{yaml}, use `Project::data_values_env_yaml`"),
                // A macro takes no prefix.
                Command | Macro => format!("{yaml}, use `--data-values-env-yaml`"),
            },
            Advice::GiveText(pair) => match voice {
                Command => format!("to give a string, use `--data-value {pair}`"),
                Macro | Builder | Library => "to give a string, give the value as text, not as YAML".to_owned(),
            },
            Advice::GiveYaml { why, pair } => match voice {
                Command => format!("{why} `--data-value-yaml {}`", for_shell(pair)),
                Macro | Builder | Library => format!("{why} the value as YAML"),
            },
            Advice::CompleteMark(pattern) => match voice {
                Macro => format!("write `file_marks = [\"{pattern}:KEY=VALUE\"]`, such as \"{pattern}:exclude=true\""),
                Builder | Library => {
                    format!("write `.file_mark(\"{pattern}:KEY=VALUE\")`, such as \"{pattern}:exclude=true\"")
                }
                Command => format!("write --file-mark {pattern}:KEY=VALUE, such as {pattern}:exclude=true"),
            },
            Advice::LeaveOut(file) => {
                let how = match voice {
                    Macro => format!("`file_marks = [\"{file}:exclude=true\"]`"),
                    Builder | Library => format!("`.file_mark(\"{file}:exclude=true\")`"),
                    Command => format!("`--file-mark '{file}:exclude=true'`"),
                };
                format!("delete that file, or leave it out: {how}")
            }
            Advice::RenameOutput => {
                let how = match voice {
                    Macro => "`file_marks = [\"PATH:path=NEW\"]`",
                    Builder | Library => "`.file_mark(\"PATH:path=NEW\")`",
                    Command => "--file-mark 'PATH:path=NEW'",
                };
                format!("give the file another path with a file mark: {how}")
            }
            Advice::AllowSymlink => {
                let how = match voice {
                    Macro => "`allow_symlink_destination = [\"…\"]`",
                    Builder => "`.allow_symlink_destination(\"…\")`",
                    Library => "`Project::allow_symlink_destination`",
                    Command => return None,
                };
                format!("to follow the link, name what it leads to, or a folder above that: {how}")
            }
            Advice::GiveStdin => match voice {
                Library => "`Project::stdin` sets what '-' stands for".to_owned(),
                Macro | Builder => "a build has no standard input: name a file".to_owned(),
                Command => return None,
            },
            Advice::AddFile => match voice {
                Macro => "name the file, or its folder, among the paths of the call".to_owned(),
                Builder => "add the file, or its folder: `.overlay(\"…\")`".to_owned(),
                Library => "add the file, or its folder: `Project::read`".to_owned(),
                Command => return None,
            },
            Advice::GiveValuesFile { why } => format!("{why} {}", values_file(voice)),
            Advice::SetValue(name) => {
                let inputs = match voice {
                    Command => "with `-f`",
                    Macro => "among the paths of the call",
                    Builder => "by `.overlay(\"…\")`",
                    Library => "by `Project::read`",
                };
                format!(
                    "give the file that sets `{name}` too: {inputs} if its document is annotated with `#@data/values` \
                     or `#@data/values-schema`, {} if it is plain YAML",
                    values_file(voice)
                )
            }
            Advice::OrderFiles { first, then, is_one_input } => {
                let how = match voice {
                    Command => format!(" (`-f {first} -f {then}`)"),
                    Macro | Builder | Library => String::new(),
                };
                if let Some(new) = with_zeros(first, then).filter(|_| *is_one_input) {
                    let either = match voice {
                        Command => format!("; or give both, `-f {first} -f {then}`"),
                        Macro | Builder | Library => String::new(),
                    };
                    return Some(format!(
                        "rename `{first}` to `{new}`: overlays and data values are applied in the order of files, whose \
                         names are compared letter by letter, so that `{then}` comes first{either}"
                    ));
                }
                match earlier(first, then).filter(|_| *is_one_input) {
                    Some(new) => {
                        let flags = if voice == Command { ", or name both by `-f`, in this order" } else { "" };
                        format!(
                            "rename `{first}`, such as to `{new}`, so that it comes before `{then}`: overlays and data \
                             values are applied in the order of files, those of a folder by their names{flags}"
                        )
                    }
                    None => {
                        let rename = if *is_one_input { ", or rename one of them" } else { "" };
                        format!(
                            "give `{first}` before `{then}`{how}{rename}: overlays and data values are applied in the \
                             order of files"
                        )
                    }
                }
            }
        })
    }
}

/// The name of a file whose number is less than that of another one of its folder, with zeros in front so that it comes
/// first.
fn with_zeros(file: &str, other: &str) -> Option<String> {
    let numbered = |path: &str| -> Option<(String, String, String)> {
        let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
        let digits = name.len().checked_sub(name.trim_start_matches(|letter: char| letter.is_ascii_digit()).len())?;
        let (number, rest) = name.split_at_checked(digits).filter(|(number, _)| !number.is_empty())?;
        Some((folder.to_owned(), number.to_owned(), rest.to_owned()))
    };
    let ((folder, number, rest), (other_folder, more, _)) = (numbered(file)?, numbered(other)?);
    let is_less = number.parse::<u64>().ok()? < more.parse::<u64>().ok()? && number.len() < more.len();
    let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    (folder == other_folder && is_less)
        .then(|| format!("{start}{}{number}{rest}", "0".repeat(more.len().saturating_sub(number.len()))))
}

/// A name for a file with which it comes before another one of its folder.
fn earlier(file: &str, other: &str) -> Option<String> {
    let split = |path: &str| {
        path.rsplit_once('/')
            .map_or((String::new(), path.to_owned()), |(folder, name)| (format!("{folder}/"), name.to_owned()))
    };
    let ((folder, name), (other_folder, other)) = (split(file), split(other));
    let new = format!("00-{name}");
    (folder == other_folder && new < other).then(|| format!("{folder}{new}"))
}

/// An argument as shells take it: in quotes, if it has brackets, blanks or the like.
fn for_shell(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/=:@%+,~".contains(letter);
    match argument.chars().all(is_plain) && !argument.starts_with('~') {
        true => argument.to_owned(),
        false => format!("'{}'", argument.replace('\'', "'\\''")),
    }
}

/// How a plain file of data values is given.
fn values_file(voice: Voice) -> &'static str {
    match voice {
        Voice::Macro => "as `values_file = \"…\"`",
        Voice::Builder => "by `.data_values_file(\"…\")`",
        Voice::Library => "by `Project::data_values_file`",
        Voice::Command => "with `--data-values-file`",
    }
}

impl Diagnostic {
    /// Adds a help that depends on the reader; until that is known, it is worded for the command.
    pub(crate) fn advise(mut self, advice: Advice) -> Diagnostic {
        let text = advice.words(Voice::Command).unwrap_or_default();
        self.0.helps.push(Help { advice: Some(advice), ..Help::new(text) });
        self
    }

    /// Words every help for its reader. A limit that was reached comes last.
    pub(crate) fn spoken(&mut self, voice: Voice) {
        if let Some(name) = self.0.limit.take() {
            self.0.helps.push(Help { advice: Some(Advice::RaiseLimit(name)), ..Help::new("") });
        }
        self.0.helps.retain_mut(|help| {
            let Some(advice) = help.advice.take() else { return true };
            match advice.words(voice) {
                Some(text) => {
                    help.text = text;
                    true
                }
                None => false,
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;

    fn spoken(advice: Advice, voice: Voice) -> Vec<String> {
        let mut diagnostic = Diagnostic::error(Code::LIMIT, "m").help("before").advise(advice).help("behind");
        diagnostic.spoken(voice);
        diagnostic.helps().map(|help| help.text().to_owned()).collect()
    }

    #[test]
    fn every_voice_has_its_own_words_at_the_same_place() {
        let key = ["image", "x.y"].map(String::from).to_vec();
        let variable = Advice::ReadVariableAsYaml(Variable { name: "TAG".into(), key });
        let yaml = "to give a value that is not a string";
        for (voice, text) in [
            (Voice::Macro, format!("{yaml}, write `env_yaml = {{ image.\"x.y\": \"TAG\" }}`")),
            (Voice::Builder, format!("{yaml}, write `.data_value_env_yaml(\"image.x.y\", \"TAG\")`")),
            (Voice::Command, format!("{yaml}, use `--data-values-env-yaml`")),
            (Voice::Library, format!("{yaml}, use `Project::data_value_env_yaml`")),
        ] {
            assert_eq!(spoken(variable.clone(), voice), ["before", &text, "behind"]);
        }
        assert_eq!(spoken(Advice::AllowSymlink, Voice::Command), ["before", "behind"]);
        assert_eq!(spoken(Advice::AllowSymlink, Voice::Macro).len(), 3);
    }

    #[test]
    fn flags_are_named_to_the_command_alone() {
        let variable = Variable { name: "V".into(), key: vec!["a".into()] };
        for advice in [
            Advice::RaiseLimit("steps"),
            Advice::ReadVariableAsYaml(variable),
            Advice::GiveText("a=1".into()),
            Advice::GiveYaml { why: "write".into(), pair: "a=1".into() },
            Advice::CompleteMark("a.yml".into()),
            Advice::RenameOutput,
            Advice::AllowSymlink,
            Advice::GiveStdin,
            Advice::AddFile,
            Advice::GiveValuesFile { why: "give the file" },
            Advice::SetValue("app".into()),
            Advice::OrderFiles { first: "a.yml".into(), then: "b.yml".into(), is_one_input: true },
        ] {
            for voice in [Voice::Macro, Voice::Builder, Voice::Library] {
                let text = advice.words(voice).expect("only the command may have nothing to be told");
                assert!(!text.contains("--"), "{text}");
                assert_eq!(text.contains("Project::"), text.contains("Project::") && voice == Voice::Library, "{text}");
            }
        }
    }

    #[test]
    fn a_name_that_comes_first_is_proposed_within_a_folder() {
        for (file, other, found) in [
            ("o/proxy.yml", "o/a.yml", Some("o/00-proxy.yml")),
            ("values.yml", "values-prod.yml", Some("00-values.yml")),
            ("o/proxy.yml", "p/a.yml", None),
            ("o/proxy.yml", "o/00-a.yml", None),
        ] {
            assert_eq!(earlier(file, other).as_deref(), found, "{file} {other}");
        }
    }

    #[test]
    fn keys_of_libraries_are_written_as_each_voice_takes_them() {
        let key = ["@lib", "image", "tag"].map(String::from).to_vec();
        let variable = Variable { name: "TAG".into(), key };
        assert_eq!(variable.in_macro(), "\"@lib\".image.tag: \"TAG\"");
        assert_eq!(variable.in_call(), "\"@lib:image.tag\", \"TAG\"");
    }
}
