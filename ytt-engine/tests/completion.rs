//! The completion scripts, run by the shells themselves where they are installed.
#![cfg(unix)]

#[path = "support/folder.rs"]
mod folder;

use std::process::Command;

use folder::Folder;

/// The script for a shell, in a file of its own that goes away with the value.
struct Script {
    folder: Folder,
    text: String,
}

impl Script {
    fn new(shell: &str, test: &str) -> Script {
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-ytt")).args(["completion", shell]).output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let folder = Folder::with(test, [("in/my file.yml", ""), ("script", text.as_str())]);
        std::fs::create_dir_all(folder.join("in/my folder")).unwrap();
        Script { folder, text }
    }

    /// Runs lines behind the script, in a folder with `my file.yml`; `None` if there is no such shell.
    fn run(&self, shell: &str, options: &[&str], before: &str, behind: &str) -> Option<Vec<String>> {
        let script = self.folder.join("script");
        let all = format!("{before}\n. '{}'\n{behind}\n", script.display());
        let output = Command::new(shell)
            .args(options)
            .args(["-c", &all])
            .current_dir(self.folder.join("in"))
            .env("HOME", &*self.folder)
            .output()
            .ok()?;
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.is_empty(), "{shell}: {error}");
        Some(String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect())
    }
}

/// What bash offers for a line of words; the last one is being typed. What it knows of `cargo` comes before the script.
fn bash(test: &str, cargo: &str, line: &[&str]) -> Option<Vec<String>> {
    let script = Script::new("bash", test);
    let words: Vec<String> = line.iter().map(|word| format!("'{word}'")).collect();
    let complete = format!(
        "COMP_WORDS=({}); COMP_CWORD={}; spec=$(complete -p {}); name=${{spec##* -F }}; ${{name%% *}} 2>&1\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        line.len() - 1,
        line[0]
    );
    script.run("bash", &["--norc", "--noprofile"], cargo, &complete)
}

#[test]
fn bash_completes_both_ways_to_write_it() {
    for program in [&["cargo-ytt"][..], &["cargo", "ytt"], &["cargo", "+nightly", "ytt"], &["cargo-ytt", "ytt"]] {
        for (rest, expected) in [
            (&["--stri"][..], &["--strict"][..]),
            (&["fm"], &["fmt"]),
            (&["fmt", "--st"], &["--strict"]),
            (&["fmt", "--output"], &[""]),
            (&["-f", "my"], &["my file.yml", "my folder"]),
            (&["--message-format", ""], &["human", "json"]),
            (&["--message-format", "=", "js"], &["json"]),
            (&["completion", ""], &["bash", "fish", "powershell", "zsh"]),
            (&["help", "te"], &["template"]),
            (&["version", "my"], &[""]),
        ] {
            let line = [program, rest].concat();
            let Some(mut found) = bash("words", "", &line) else { return };
            found.sort();
            assert_eq!(found, expected, "{line:?}");
        }
    }
}

#[test]
fn bash_leaves_the_rest_of_cargo_to_others() {
    let known = "_cargo() { COMPREPLY=(build \"$1\"); return 3; }\ncomplete -o nosort -F _cargo cargo";
    let offered = |test: &str, cargo: &str, line: &[&str]| bash(test, cargo, line).map(|found| found.join(" "));
    let Some(found) = offered("others", known, &["cargo", ""]) else { return };
    assert_eq!(found, "build ");
    assert_eq!(offered("others", known, &["cargo", "yt"]).unwrap(), "build  ytt");
    assert_eq!(offered("others", known, &["cargo", "build", "--r"]).unwrap(), "build ");
    assert_eq!(offered("others", known, &["cargo", "build", "ytt", "--stri"]).unwrap(), "build ");
    assert_eq!(offered("others", known, &["cargo", "ytt", "--stri"]).unwrap(), "--strict");
    // Nobody else knows cargo.
    assert_eq!(offered("others", "", &["cargo", "bu"]).unwrap(), "");

    let script = Script::new("bash", "specs");
    let run = |before: &str, behind: &str| script.run("bash", &["--norc", "--noprofile"], before, behind).unwrap();
    let source = format!(". '{}'", script.folder.join("script").display());
    let twice = run(known, &format!("{source}\ncomplete -p cargo; echo $_cargo_ytt_before; complete -p ytt 2>&1"));
    assert_eq!(twice[..2], ["complete -o nosort -F _cargo_ytt_of_cargo cargo", "_cargo"]);
    assert!(twice[2].contains("no completion specification"), "{twice:?}");
    // What is loaded at its first use, as bash-completion does.
    let lazy = format!("_completion_loader() {{ {}; return 124; }}", known.replace('\n', "; "));
    assert_eq!(run(&lazy, "echo $_cargo_ytt_before"), ["_cargo"]);
    // A list of words is no function that could be called.
    assert_eq!(run("complete -W 'a b' cargo", "complete -p cargo"), ["complete -W 'a b' cargo"]);
}

#[test]
fn fish_completes_both_ways_to_write_it() {
    let script = Script::new("fish", "fish");
    for program in ["cargo-ytt", "cargo ytt", "cargo +nightly ytt", "cargo-ytt ytt"] {
        for (rest, expected) in [
            ("--stri", &["--strict"][..]),
            ("fm", &["fmt"]),
            ("fmt --st", &["--strict"]),
            ("fmt --outpu", &[]),
            ("-f my\\ fi", &["my file.yml"]),
            ("--message-format j", &["json"]),
            ("completion po", &["powershell"]),
            ("help te", &["template"]),
        ] {
            let complete = format!("complete -C '{program} {}'", rest.replace('\\', "\\\\"));
            let Some(found) = script.run("fish", &["--no-config"], "", &complete) else { return };
            let words: Vec<&str> = found.iter().map(|line| line.split('\t').next().unwrap_or_default()).collect();
            assert_eq!(words, expected, "{program} {rest}");
        }
    }
    let nothing =
        script.run("fish", &["--no-config"], "", "complete -C 'ytt --stri'; complete -C 'cargo build --stri'");
    assert_eq!(nothing.unwrap_or_default(), [""; 0]);
}

#[test]
fn zsh_completes_both_ways_to_write_it() {
    let script = Script::new("zsh", "zsh");
    let known = "autoload -U compinit; compinit -u -D";
    let registered = "print $_comps[cargo-ytt] $_comps[cargo] -${_comps[ytt]-}-";
    let Some(found) = script.run("zsh", &["-f"], known, registered) else { return };
    assert_eq!(found, ["_cargo-ytt _cargo-ytt-of-cargo --"]);
    let other = format!("{known}; _cargo() {{ : }}; compdef _cargo cargo");
    assert_eq!(script.run("zsh", &["-f"], &other, registered).unwrap(), ["_cargo-ytt _cargo --"]);
    // The specifications reach `_arguments` as they are meant.
    let stub = "_arguments() { print -l -- \"$@\"; }; words=(cargo-ytt fmt --st); CURRENT=3; _cargo-ytt";
    let found = script.run("zsh", &["-f"], known, stub).unwrap();
    assert!(found.contains(&"--strict[Refuse YAML whose meaning is not clear]".to_owned()), "{found:?}");
    assert!(
        found.contains(
            &"*-f+[Read a file, a folder or '-', standard input; NEW=PATH renames a file]:PATH:_files".to_owned()
        ),
        "{found:?}"
    );
}

#[test]
fn no_script_speaks_for_ytt() {
    for (shell, registered) in [
        ("bash", "complete -F _cargo_ytt cargo-ytt\n"),
        ("fish", "for program in cargo cargo-ytt\n"),
        ("powershell", "-CommandName cargo-ytt, cargo "),
        ("zsh", "compdef _cargo-ytt cargo-ytt\n"),
    ] {
        let script = Script::new(shell, "never");
        assert!(script.text.contains(registered), "{shell}");
        assert!(!script.text.contains("cargo-ytt ytt\n"), "{shell}");
        let is_left = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_uppercase());
        assert!(!script.text.split('@').any(is_left), "{shell} has a place that nothing was put in");
        for flag in ["data-values-file", "message-format", "openapi-v3", "completion"] {
            assert!(script.text.contains(flag), "{shell}: {flag}");
        }
        let count = |letter: char| script.text.matches(letter).count();
        assert_eq!(count('{'), count('}'), "{shell}");
    }
}
