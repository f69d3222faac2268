//! Every command and flag, as data: the parser, the help and the completion read it.

use std::sync::LazyLock;

use Kind::{Each, Last, List, Switch};

use crate::args::Parsed;

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Without a word.
    Root,
    Check,
    Deps,
    Expand,
    Explain,
    Fmt,
    Generate,
    Template,
    Version,
    Watch,
    Help,
    Completion,
    Website,
}

/// The commands that have a word, sorted by it.
pub const COMMANDS: [Command; 12] = {
    use Command::{Check, Completion, Deps, Expand, Explain, Fmt, Generate, Help, Template, Version, Watch, Website};
    [Check, Completion, Deps, Expand, Explain, Fmt, Generate, Help, Template, Version, Watch, Website]
};

impl Command {
    /// The word on the command line, and what the command does.
    fn row(self) -> (&'static str, &'static str) {
        match self {
            Command::Root => ("", "ytt performs YAML templating."),
            Command::Check => (
                "check",
                "Say which committed Rust code is stale, and render all calls of a workspace; with -f and --output-files, \
                 compare that folder with what is rendered",
            ),
            Command::Completion => ("completion", "Write a completion script for bash, fish, powershell or zsh"),
            Command::Deps => ("deps", "Print what a call reads: FILE or FILE:LINE, or -f"),
            Command::Expand => {
                ("expand", "Print the Rust code that a call becomes: FILE or FILE:LINE, or -f and --items")
            }
            Command::Explain => (
                "explain",
                "Say where lines of the output come from: all, those of a document (Deployment/web, FILE, FILE#2), one value \
                 (a document and a path in it), or what stands on a line (:17)",
            ),
            Command::Fmt => ("fmt", "Print YAML files in one canonical form"),
            Command::Generate => ("generate", "Write committed Rust code anew where it is stale"),
            Command::Help => ("help", "Help about any command"),
            Command::Template => ("template", "Process YAML templates (deprecated: use no command at all)"),
            Command::Version => ("version", "Print the version of the language, and of this command"),
            Command::Watch => ("watch", "Render again whenever a file or folder that was read has changed"),
            Command::Website => ("website", "Not available here"),
        }
    }

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        self.row().0
    }

    pub fn about(self) -> &'static str {
        self.row().1
    }

    /// As it is called in messages.
    pub fn name(self) -> String {
        if self == Command::Root { "ytt".into() } else { format!("ytt {}", self.word()) }
    }

    pub fn of(word: &str) -> Option<Command> {
        match word {
            "t" | "tpl" => Some(Command::Template),
            word => COMMANDS.into_iter().find(|command| command.word() == word),
        }
    }

    pub fn flags(self) -> &'static [Flag] {
        match self {
            Command::Root => ROOT,
            Command::Fmt => FMT.as_slice(),
            Command::Generate => GENERATE.as_slice(),
            Command::Check => CHECK.as_slice(),
            Command::Deps | Command::Watch | Command::Template => of_render(),
            Command::Expand => EXPAND.as_slice(),
            Command::Explain => EXPLAIN.as_slice(),
            _ => PLAIN,
        }
    }
}

/// How often a flag may be given, and what becomes of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each use is one value.
    Each,
    /// Each use is a list, split at commas.
    List,
    /// The last use counts.
    Last,
    /// On or off; the last use counts.
    Switch,
}

/// A flag.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    pub long: &'static str,
    pub short: Option<char>,
    pub kind: Kind,
    /// What the value is called in the help.
    pub value: &'static str,
    pub about: &'static str,
}

const fn flag(long: &'static str, short: Option<char>, kind: Kind, value: &'static str, about: &'static str) -> Flag {
    Flag { long, short, kind, value, about }
}

const COLOR: Flag = flag("color", None, Last, "auto|always|never", "Whether reports have colours");

const ALLOW: Flag = flag("allow", None, Each, "LINT", "Do not look for a lint ('overlay::*' for several, or 'all')");
const WARN: Flag = flag("warn", None, Each, "LINT", "Warn of a lint; the last flag that names it counts");
const DENY: Flag = flag("deny", None, Each, "LINT", "Fail where a lint is found");

const HELP: Flag = flag("help", Some('h'), Switch, "", "Print this help");
const MANIFEST_PATH: Flag = flag("manifest-path", None, Last, "PATH", "The manifest of the package or workspace");
const PACKAGE: Flag = flag("package", Some('p'), Each, "NAME", "Only this package");

/// Flags that every command has.
const PLAIN: &[Flag] = &[HELP, COLOR];

/// Flags of the command without a word, sorted but for the first and the last.
const ROOT: &[Flag] = &[
    HELP,
    ALLOW,
    flag("allow-symlink-destination", None, List, "PATH", "Allow symlinks that lead to this path or below it"),
    flag("bulk-in", None, Last, "JSON", "Take files from a JSON text instead of -f"),
    flag("bulk-out", None, Switch, "", "Print the files as a JSON text"),
    COLOR,
    flag("dangerous-allow-all-symlink-destinations", None, Switch, "", "Allow symlinks to anything"),
    flag("dangerous-data-values-disable-validation", None, Switch, "", "Do not validate data values"),
    flag(
        "dangerous-emptied-output-directory",
        None,
        Last,
        "DIR",
        "Write files to a folder and remove all others from it",
    ),
    flag("data-value", Some('v'), Each, "KEY=TEXT", "Set a data value to a text (all.key1.subkey=123)"),
    flag(
        "data-value-file",
        None,
        Each,
        "KEY=FILE",
        "Set a data value to the content of a file ('-' is standard input)",
    ),
    flag("data-value-yaml", None, Each, "KEY=YAML", "Set a data value to what a text means as YAML"),
    flag("data-values-env", None, Each, "PREFIX", "Set data values from variables, as text (PREFIX_all__key1=str)"),
    flag("data-values-env-yaml", None, Each, "PREFIX", "Set data values from variables, read as YAML"),
    flag("data-values-file", None, Each, "PATH", "Set data values by plain YAML files"),
    flag("data-values-inspect", None, Switch, "", "Print the final data values"),
    flag("data-values-schema-inspect", None, Switch, "", "Print the schema of the data values (see --output)"),
    flag("debug", None, Switch, "", "Print how long it took, by file and phase"),
    DENY,
    flag("file", Some('f'), Each, "PATH", "Read a file, a folder or '-', standard input; NEW=PATH renames a file"),
    flag("file-mark", None, Each, "MARK", "Change what files are (path:key=value)"),
    flag("files-inspect", None, Switch, "", "Print the list of files"),
    flag("ignore-unknown-comments", None, Switch, "", "Take comments that are neither '#@' nor '#!' as comments"),
    flag("implicit-map-key-overrides", None, Switch, "", "Let a key of a map appear twice"),
    flag("limit", None, Each, "NAME=N", "Change a limit; N is a number or 'none'"),
    flag("message-format", None, Last, "human|json", "How problems and warnings are printed"),
    flag("output", Some('o'), List, "FORMAT", "yaml, json or pos; openapi-v3 or json-schema for the schema"),
    flag("output-files", None, Last, "DIR", "Write files to a folder"),
    flag("strict", Some('s'), Switch, "", "Refuse YAML whose meaning is not clear"),
    WARN,
    flag("warnings", None, Last, "default|all|none", "Short for --warn all, and for --allow all"),
    flag("version", None, Switch, "", "Print the version of the language, and of this command"),
];

/// Flags of `fmt`: what ytt has, and how messages are printed.
static FMT: LazyLock<Vec<Flag>> = LazyLock::new(|| {
    let names =
        ["help", "allow", "color", "debug", "deny", "file", "limit", "message-format", "strict", "warn", "warnings"];
    ROOT.iter().filter(|flag| names.contains(&flag.long)).cloned().collect()
});

/// Flags of a render: those of the command without a word, but for `--version`, which is the last one.
fn of_render() -> &'static [Flag] {
    ROOT.split_last().map_or(&[], |(_, flags)| flags)
}

/// Flags of commands on all packages of a workspace; the last one is `check`'s.
const WORKSPACE: &[Flag] = &[
    HELP,
    MANIFEST_PATH,
    PACKAGE,
    flag("timing", None, Switch, "", "Print how long each render takes, and what makes it faster"),
];

/// Flags of `generate`.
static GENERATE: LazyLock<Vec<Flag>> =
    LazyLock::new(|| [PLAIN, &[MANIFEST_PATH, PACKAGE], &[ALLOW, WARN, DENY]].concat());

/// Flags of `check`: those of a workspace, and those of a render.
static CHECK: LazyLock<Vec<Flag>> =
    LazyLock::new(|| WORKSPACE.iter().chain(of_render().iter().skip(1)).cloned().collect());

/// A flag of `check` that was given and belongs to its other meaning, or that changes no folder.
pub fn misplaced(parsed: &Parsed, of_folder: bool) -> Option<&'static str> {
    const PRINTED: [&str; 5] =
        ["bulk-out", "data-values-inspect", "data-values-schema-inspect", "files-inspect", "output"];
    const OF_BOTH: [&str; 7] = ["allow", "color", "debug", "deny", "message-format", "warn", "warnings"];
    let own = |flag: &&Flag| WORKSPACE.iter().any(|known| known.long == flag.long);
    let wrong = |flag: &&Flag| match of_folder {
        true => own(flag) || PRINTED.contains(&flag.long),
        false => !own(flag) && !OF_BOTH.contains(&flag.long),
    };
    let given = |flag: &&Flag| parsed.all(flag.long).next().is_some();
    CHECK.iter().filter(given).find(wrong).map(|flag| flag.long)
}

/// Flags of `expand`: those of a render, and the items.
static EXPAND: LazyLock<Vec<Flag>> = LazyLock::new(|| {
    let mut flags: Vec<Flag> = of_render().to_vec();
    flags.push(flag("items", None, Last, "TEXT", "Items, such as 'pub static CONFIG: Config = data_values;'"));
    flags
});

/// Flags of `explain`: those of a render, and the form of the answer.
static EXPLAIN: LazyLock<Vec<Flag>> = LazyLock::new(|| {
    let mut flags: Vec<Flag> = of_render().to_vec();
    flags.push(flag("format", None, Last, "text|json", "How the answer is printed"));
    flags.push(flag("html", None, Last, "FILE", "Write all of it as a page for a browser to a file"));
    flags
});

/// The command that the arguments name, and the arguments without its word.
///
/// What might be the value of a flag is no command: a flag that takes a value and stands alone takes the next argument.
pub fn find_command(args: &[String]) -> (Command, Vec<String>) {
    let is_switch = |found: Option<&Flag>| found.is_some_and(|flag| flag.kind == Kind::Switch);
    let mut left = args.iter().enumerate();
    while let Some((at, arg)) = left.next() {
        let takes_next = if arg == "--" {
            break;
        } else if let Some(name) = arg.strip_prefix("--") {
            !name.contains('=') && !is_switch(ROOT.iter().find(|flag| flag.long == name))
        } else if let Some(letters) = arg.strip_prefix('-') {
            let mut letters = letters.chars();
            let first = letters.next();
            letters.next().is_none() && !is_switch(ROOT.iter().find(|flag| first.is_some() && flag.short == first))
        } else {
            if let Some(command) = Command::of(arg) {
                let mut rest = args.to_vec();
                rest.remove(at);
                return (command, rest);
            }
            break;
        };
        if takes_next {
            left.next();
        }
    }
    (Command::Root, args.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, command: Command, rest: &str) {
        let args: Vec<String> = line.split_whitespace().map(String::from).collect();
        let (found, left) = find_command(&args);
        assert_eq!((found, left.join(" ")), (command, rest.to_string()), "{line}");
    }

    #[test]
    fn a_command_is_the_first_word_that_is_no_value() {
        check("version", Command::Version, "");
        check("-f version", Command::Root, "-f version");
        check("-s version --debug", Command::Version, "-s --debug");
        check("--file version tpl -f x", Command::Template, "--file version -f x");
        check("--file=a version", Command::Version, "--file=a");
        check("-- version", Command::Root, "-- version");
        check("x version", Command::Root, "x version");
        check("", Command::Root, "");
        check("-", Command::Root, "-");
    }

    #[test]
    fn flags_are_sorted_and_have_no_twins() {
        let middle: Vec<&str> = ROOT[1..ROOT.len() - 1].iter().map(|flag| flag.long).collect();
        assert!(middle.is_sorted());
        let mut shorts: Vec<char> = ROOT.iter().filter_map(|flag| flag.short).collect();
        shorts.sort_unstable();
        shorts.dedup();
        assert_eq!(shorts.len(), 5);
    }
}
