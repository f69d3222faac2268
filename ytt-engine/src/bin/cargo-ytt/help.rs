//! The help texts, made from the tables of commands and flags.

use crate::flags::{COMMANDS, Command, Flag, Kind};

/// `help [command]`; an unknown topic gives the top help.
pub fn topic(words: &[String]) -> String {
    command(words.first().and_then(|word| Command::of(word)).unwrap_or(Command::Root))
}

/// Help of a command.
pub fn command(command: Command) -> String {
    let mut out = format!("{}\n\nUsage:\n", command.about());
    if command == Command::Root {
        out.push_str("  cargo ytt [flags]\n  cargo ytt [command]\n\nCommands:\n");
        for command in COMMANDS {
            out.push_str(&format!("  {:<11} {}\n", command.word(), command.about()));
        }
    } else {
        let words = match command {
            Command::Help => " [command]",
            Command::Completion => " bash|fish|powershell|zsh",
            _ => " [flags]",
        };
        out.push_str(&format!("  cargo {}{words}\n", command.name()));
    }
    out.push_str("\nFlags:\n");
    let flags = command.flags();
    let width = flags.iter().map(|flag| form(flag).len()).max().unwrap_or(0);
    for flag in flags {
        out.push_str(&format!("  {:<width$}  {}\n", form(flag), flag.about));
    }
    if command == Command::Root {
        out.push_str(&format!(
            "\nFlags marked with '...' can be given more than once. Limits: {}.\n\
             Differences from ytt: `website` is not available, and HTTP inputs are refused.\n\
             Language of ytt 0.48.0, cargo-ytt {}.\n",
            ytt_engine::Limits::NAMES.join(", "),
            env!("CARGO_PKG_VERSION"),
        ));
    }
    out
}

fn form(flag: &Flag) -> String {
    let short = flag.short.map_or("    ".to_string(), |short| format!("-{short}, "));
    let value = if flag.value.is_empty() { String::new() } else { format!(" {}", flag.value) };
    let more = if matches!(flag.kind, Kind::Each | Kind::List) { " ..." } else { "" };
    format!("{short}--{}{value}{more}", flag.long)
}
