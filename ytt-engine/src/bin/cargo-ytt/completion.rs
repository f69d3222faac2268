//! Completion scripts for shells: words and flags, and files where a flag takes one.

use crate::flags::{COMMANDS, Command, Kind};
use crate::help;
use crate::message::{Output, Usage};

/// `completion SHELL`; without a shell that is known, the help.
pub fn completion(words: &[String], json: bool) -> Output {
    if let Some(extra) = words.get(1) {
        let shell = &words[0];
        let text = format!("command 'ytt completion {shell}' does not accept extra arguments '{extra}'");
        return Output::usage(&Usage::new(text), json);
    }
    Output::text(match words.first().map(String::as_str) {
        Some("bash") => bash(),
        Some("fish") => fish(),
        Some("powershell") => powershell(),
        Some("zsh") => format!("#compdef cargo-ytt\nautoload -U +X bashcompinit && bashcompinit\n{}", bash()),
        _ => help::command(Command::Completion),
    })
}

fn words() -> Vec<String> {
    let flags = Command::Root.flags().iter().map(|flag| format!("--{}", flag.long));
    COMMANDS.iter().map(|command| command.word().to_string()).chain(flags).collect()
}

fn bash() -> String {
    format!(
        "_cargo_ytt() {{\n    local word=\"${{COMP_WORDS[COMP_CWORD]}}\"\n    \
         COMPREPLY=($(compgen -W \"{}\" -- \"$word\") $(compgen -f -- \"$word\"))\n}}\n\
         complete -o filenames -F _cargo_ytt cargo-ytt ytt\n",
        words().join(" ")
    )
}

fn fish() -> String {
    let mut out = String::new();
    for command in COMMANDS {
        let (word, about) = (command.word(), command.about().replace('\'', "\\'"));
        out.push_str(&format!("complete -c cargo-ytt -n __fish_use_subcommand -a {word} -d '{about}'\n"));
    }
    for flag in Command::Root.flags() {
        let short = flag.short.map_or(String::new(), |short| format!(" -s {short}"));
        let value = if flag.kind == Kind::Switch { "" } else { " -r" };
        let about = flag.about.replace('\'', "\\'");
        out.push_str(&format!("complete -c cargo-ytt -l {}{short}{value} -d '{about}'\n", flag.long));
    }
    out
}

fn powershell() -> String {
    let words: Vec<String> = words().iter().map(|word| format!("'{word}'")).collect();
    format!(
        "Register-ArgumentCompleter -Native -CommandName cargo-ytt -ScriptBlock {{\n    param($word)\n    \
         @({}) | Where-Object {{ $_ -like \"$word*\" }}\n}}\n",
        words.join(", ")
    )
}
