//! The help texts, made from the tables of commands and flags.

use crate::flags::{COMMANDS, Command, Flag, Kind};

/// `help [command]`; an unknown topic gives the top help.
pub fn topic(words: &[String]) -> String {
    command(words.first().and_then(|word| Command::of(word)).unwrap_or(Command::Root))
}

/// Characters of a line.
const WIDTH: usize = 100;

/// Writes words behind the beginning of a line; further lines begin below them.
fn wrap(out: &mut String, start: &str, words: &str) {
    let indent = start.chars().count();
    let mut line = start.to_owned();
    for (number, word) in words.split(' ').enumerate() {
        if number > 0 {
            match line.chars().chain(word.chars()).count() >= WIDTH {
                true => {
                    out.push_str(&format!("{line}\n"));
                    line = " ".repeat(indent);
                }
                false => line.push(' '),
            }
        }
        line.push_str(word);
    }
    out.push_str(&format!("{line}\n"));
}

/// Help of a command.
pub fn command(command: Command) -> String {
    let mut out = String::new();
    wrap(&mut out, "", command.about());
    out.push_str("\nUsage:\n");
    if command == Command::Root {
        out.push_str("  cargo ytt [flags]\n  cargo ytt [command]\n\nCommands:\n");
        for command in COMMANDS {
            wrap(&mut out, &format!("  {:<11} ", command.word()), command.about());
        }
    } else {
        let words = match command {
            Command::Help => " [command]",
            Command::Completion => " bash|fish|powershell|zsh",
            Command::Deps | Command::Expand => " [FILE|FILE:LINE] [flags]",
            Command::Explain => " [SELECTOR [PATH]] [flags]",
            _ => " [flags]",
        };
        out.push_str(&format!("  cargo {}{words}\n", command.name()));
    }
    out.push_str("\nFlags:\n");
    let flags = command.flags();
    let width = flags.iter().map(|flag| form(flag).len()).max().unwrap_or(0);
    for flag in flags {
        wrap(&mut out, &format!("  {:<width$}  ", form(flag)), flag.about);
    }
    if command == Command::Root {
        out.push_str("\nFlags marked with '...' can be given more than once.\n");
        wrap(&mut out, "Limits: ", &format!("{}.", ytt_engine::Limits::NAMES.join(", ")));
        out.push_str(&format!(
            "Differences from ytt: `website` is not available, and HTTP inputs are refused.\n\
             Language of ytt 0.48.0, cargo-ytt {}.\n",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_whole() {
        for command in COMMANDS.into_iter().chain([Command::Root]) {
            let help = super::command(command);
            for line in help.lines() {
                assert!(line.chars().count() <= WIDTH, "{} has {line:?}", command.name());
                assert_eq!(line.trim_end(), line);
            }
            let text = help.split_whitespace().collect::<Vec<_>>().join(" ");
            for flag in command.flags() {
                assert!(text.contains(flag.about), "{} of {} is not whole", flag.long, command.name());
            }
        }
    }

    #[test]
    fn a_long_description_goes_on_below_itself() {
        let mut out = String::new();
        wrap(&mut out, "  --flag  ", &format!("{} {} end", "a".repeat(80), "b".repeat(10)));
        assert_eq!(out, format!("  --flag  {}\n          {} end\n", "a".repeat(80), "b".repeat(10)));
        out.clear();
        wrap(&mut out, "  --flag  ", &"a".repeat(200));
        assert_eq!(out, format!("  --flag  {}\n", "a".repeat(200)));
    }
}
