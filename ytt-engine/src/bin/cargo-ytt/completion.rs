//! Completion scripts for shells: words and flags, and files where a flag takes one.
//!
//! The scripts complete `cargo-ytt` and `cargo ytt`, never `ytt`: that is another program. What each shell needs stands in
//! `completion/`; the tables of flags are written into it.

use crate::flags::{COMMANDS, Command, Flag, Kind};
use crate::help;
use crate::message::{Output, Usage};

const SHELLS: [&str; 4] = ["bash", "fish", "powershell", "zsh"];

/// `completion SHELL`; without a shell that is known, the help.
pub fn completion(words: &[String], json: bool) -> Output {
    if let [shell, extra, ..] = words {
        let text = format!("command 'ytt completion {shell}' does not accept extra arguments '{extra}'");
        return Output::usage(&Usage::new(text), json);
    }
    Output::text(match words.first().map(String::as_str) {
        Some("bash") => bash(),
        Some("fish") => fish(),
        Some("powershell") => powershell(),
        Some("zsh") => zsh(),
        _ => help::command(Command::Completion),
    })
}

/// Words that may follow a command, beside flags; `None` if files do.
fn words(command: Command) -> Option<Vec<&'static str>> {
    match command {
        Command::Root
        | Command::Deps
        | Command::Expand
        | Command::Explain
        | Command::Fmt
        | Command::Template
        | Command::Watch => None,
        Command::Completion => Some(SHELLS.to_vec()),
        Command::Help => Some(names().to_vec()),
        Command::Check | Command::Generate | Command::Version | Command::Website => Some(Vec::new()),
    }
}

fn names() -> [&'static str; COMMANDS.len()] {
    COMMANDS.map(Command::word)
}

/// The flags of a command as they are typed.
fn typed(command: Command) -> Vec<String> {
    command.flags().iter().map(|flag| format!("--{}", flag.long)).collect()
}

/// Values of a flag that can be listed.
fn choices(flag: &Flag) -> Vec<&'static str> {
    match flag.long {
        "output" => vec!["yaml", "json", "pos", "openapi-v3", "json-schema"],
        _ if flag.value.contains('|') => flag.value.split('|').collect(),
        _ => Vec::new(),
    }
}

/// Is the value of a flag a path, or does one stand in it?
fn takes_path(flag: &Flag) -> bool {
    matches!(flag.value, "PATH" | "DIR" | "KEY=FILE")
}

/// All flags whose values can be listed, as they are typed, with the values.
fn flags_with_choices() -> impl Iterator<Item = (Vec<String>, Vec<&'static str>)> {
    Command::Root.flags().iter().filter(|flag| !choices(flag).is_empty()).map(|flag| {
        let short = flag.short.map(|short| format!("-{short}"));
        (short.into_iter().chain([format!("--{}", flag.long)]).collect(), choices(flag))
    })
}

/// The commands with a word; `template` has shorter ones.
fn patterns(command: Command) -> Vec<&'static str> {
    if command == Command::Template { vec!["template", "tpl", "t"] } else { vec![command.word()] }
}

fn bash() -> String {
    let arm = |pattern: String, command: Command| {
        let words = words(command);
        let files = if words.is_none() { String::new() } else { " files=\"\"".to_owned() };
        let words = words.unwrap_or_default().join(" ");
        let words = if words.is_empty() { words } else { format!(" words=\"{words}\"") };
        format!("        {pattern}) flags=\"{}\"{words}{files} ;;", typed(command).join(" "))
    };
    let mut arms: Vec<String> = COMMANDS.map(|command| arm(patterns(command).join("|"), command)).into();
    arms.push(arm("*".into(), Command::Root));
    let choices = flags_with_choices()
        .map(|(flags, choices)| format!("        {}) words=\"{}\" files=\"\" ;;", flags.join("|"), choices.join(" ")));
    include_str!("completion/bash.sh")
        .replace("@ARMS@", &arms.join("\n"))
        .replace("@COMMANDS@", &names().join(" "))
        .replace("@CHOICES@", &choices.collect::<Vec<_>>().join("\n"))
}

fn zsh() -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let commands = COMMANDS.map(|command| {
        let about = command.about().replace(':', "\\:");
        format!("        {}", quoted(&format!("{}:{about}", command.word())))
    });
    let flag = |flag: &Flag| {
        let about = flag.about.replace('[', "\\[").replace(']', "\\]").replace(':', "\\:");
        let many = if matches!(flag.kind, Kind::Each | Kind::List) { "*" } else { "" };
        let (equals, value) = match (flag.kind, choices(flag)) {
            (Kind::Switch, _) => ("", String::new()),
            (_, choices) if choices.is_empty() => {
                ("=", format!(":{}:{}", flag.value, if takes_path(flag) { "_files" } else { " " }))
            }
            (_, choices) => ("=", format!(":value:({})", choices.join(" "))),
        };
        let long = quoted(&format!("{many}--{}{equals}[{about}]{value}", flag.long));
        let more = if equals.is_empty() { "" } else { "+" };
        let short = flag.short.map(|short| quoted(&format!("{many}-{short}{more}[{about}]{value}")));
        short.into_iter().chain([long]).collect::<Vec<_>>()
    };
    let arm = |pattern: String, command: Command, mut positions: Vec<String>| {
        positions.extend(command.flags().iter().flat_map(flag));
        format!(
            "        {pattern})\n            _arguments -s \\\n                {} ;;",
            positions.join(" \\\n                ")
        )
    };
    let mut arms: Vec<String> = Vec::new();
    for command in COMMANDS {
        let mut positions = vec!["'1: :'".to_owned()];
        match words(command) {
            None => positions.push("'*:file:_files'".into()),
            Some(words) if words.is_empty() => {}
            Some(words) => positions.push(format!("'2:word:({})'", words.join(" "))),
        }
        arms.push(arm(patterns(command).join("|"), command, positions));
    }
    arms.push(arm("*".into(), Command::Root, vec!["'1: :_cargo-ytt-commands'".into(), "'*:file:_files'".into()]));
    include_str!("completion/zsh.zsh").replace("@COMMANDS@", &commands.join("\n")).replace("@ARMS@", &arms.join("\n"))
}

fn fish() -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    let mut lines = Vec::new();
    let mut line = |when: &str, rest: String| lines.push(format!("    complete -c $program -n {when} {rest}"));
    for command in COMMANDS {
        line("__cargo_ytt_first", format!("-a {} -d {}", command.word(), quoted(command.about())));
    }
    let mut flags = |at: &str, command: Command| {
        let when = quoted(&format!("__cargo_ytt_at {at}"));
        for flag in command.flags() {
            let short = flag.short.map_or(String::new(), |short| format!(" -s {short}"));
            let value = match (flag.kind, choices(flag)) {
                (Kind::Switch, _) => String::new(),
                (_, choices) if choices.is_empty() => if takes_path(flag) { " -r -F" } else { " -x" }.to_owned(),
                (_, choices) => format!(" -x -a {}", quoted(&choices.join(" "))),
            };
            line(&when, format!("-l {}{short}{value} -d {}", flag.long, quoted(flag.about)));
        }
        if let Some(words) = words(command) {
            let words = if words.is_empty() { String::new() } else { format!(" -a {}", quoted(&words.join(" "))) };
            line(&when, format!("-f{words}"));
        }
    };
    flags("root template tpl t", Command::Root);
    for command in COMMANDS.into_iter().filter(|command| *command != Command::Template) {
        flags(command.word(), command);
    }
    include_str!("completion/fish.fish")
        .replace("@COMMANDS@", &COMMANDS.map(patterns).concat().join(" "))
        .replace("@ABOUT@", "ytt: YAML templates and overlays")
        .replace("@LINES@", &lines.join("\n"))
}

fn powershell() -> String {
    let list = |words: Vec<String>| {
        let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        format!("@({})", words.join(", "))
    };
    let owned = |words: Vec<&str>| words.into_iter().map(String::from).collect::<Vec<_>>();
    let mut arms = Vec::new();
    for command in COMMANDS {
        let all = [typed(command), owned(words(command).unwrap_or_default())].concat();
        for pattern in patterns(command) {
            arms.push(format!("                '{pattern}' {{ {} }}", list(all.clone())));
        }
    }
    arms.push(format!("                '' {{ {} }}", list([owned(names().to_vec()), typed(Command::Root)].concat())));
    arms.push(format!("                default {{ {} }}", list(typed(Command::Root))));
    let choices = flags_with_choices()
        .flat_map(|(flags, choices)| flags.into_iter().map(move |flag| (flag, choices.clone())).collect::<Vec<_>>());
    let choices: Vec<String> =
        choices.map(|(flag, choices)| format!("        '{flag}' {{ {} }}", list(owned(choices)))).collect();
    include_str!("completion/powershell.ps1")
        .replace("@CHOICES@", &choices.join("\n"))
        .replace("@ARMS@", &arms.join("\n"))
}
