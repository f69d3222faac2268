//! The command `cargo ytt`: ytt's command line over the library.
//!
//! `args` parses as ytt's own parser does, `flags` lists what there is, `render` builds a project of it; `help` and
//! `completion` write texts. No rule of templates or data values is here.
#![deny(unsafe_code)]
// No input may end in a panic: what could panic, wrap or lose says in a reason why it does not. Tests may.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::allow_attributes_without_reason
    )
)]

mod args;
mod completion;
mod explain;
mod flags;
mod generated;
mod heap;
mod help;
mod memory;
mod message;
mod render;
mod stop;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use ytt_engine::codegen::{caught, similar};

use args::Parsed;
use flags::Command;
use message::{Output, Usage};

fn main() -> ExitCode {
    heap::prepare();
    let mut args = Vec::new();
    for arg in std::env::args_os().skip(1) {
        match arg.into_string() {
            Ok(arg) => args.push(arg),
            Err(arg) => {
                return finish(&Output::usage(&Usage::new(format!("argument {arg:?} is not UTF-8")), false));
            }
        }
    }
    // `cargo ytt …` runs `cargo-ytt ytt …`.
    if args.first().is_some_and(|first| first == "ytt") {
        args.remove(0);
    }
    let json = early(&args, "--message-format") == Some("json");
    if json {
        // Who reads lines of JSON cannot read what the system says of a panic; the last line tells it.
        std::panic::set_hook(Box::new(|_| {}));
    }
    finish(&guarded(json, || run(&args)))
}

/// A panic is a mistake of ours that people can report.
fn guarded(json: bool, work: impl FnOnce() -> Output) -> Output {
    caught(work).unwrap_or_else(|text| Output::failed(message::internal(&text, json)))
}

fn run(args: &[String]) -> Output {
    let json = early(args, "--message-format") == Some("json");
    let color = early(args, "--color");
    let (command, args) = flags::find_command(args);
    let parsed = match args::parse(command.flags(), &args) {
        Ok(parsed) => parsed,
        Err(usage) => {
            message::decide_colors(color);
            return Output::usage(&usage, json);
        }
    };
    message::decide_colors(parsed.last("color"));
    if let Some(other) = parsed.last("color").filter(|other| !["auto", "always", "never"].contains(other)) {
        return Output::usage(&render::choice("color", other, message::COLOR), json);
    }
    if parsed.switch("help") {
        return Output::text(help::command(command));
    }
    if command == Command::Root && parsed.switch("version") {
        return version(json);
    }
    match command {
        Command::Help => return Output::text(help::topic(&parsed.words)),
        Command::Completion => return completion::completion(&parsed.words, json),
        _ => {}
    }
    if let Some(word) =
        parsed.words.first().filter(|_| !matches!(command, Command::Expand | Command::Deps | Command::Explain))
    {
        return Output::usage(&extra_argument(command, word), json);
    }
    match command {
        Command::Version => version(json),
        Command::Website => {
            let usage = Usage::new("command 'ytt website' is not available".into());
            Output::usage(&usage.help("the playground is on the web: https://carvel.dev/ytt/#playground".into()), json)
        }
        Command::Explain => timed(&parsed, explain::explain),
        Command::Fmt => timed(&parsed, render::format),
        Command::Generate => generated::generate(&parsed).unwrap_or_else(|output| output),
        Command::Check => check(&parsed, json),
        Command::Expand => generated::expand(&parsed).unwrap_or_else(|output| output),
        Command::Deps => generated::deps(&parsed).unwrap_or_else(|output| output),
        Command::Watch => watch::watch(&parsed, write),
        _ => timed(&parsed, render::render),
    }
}

/// The value of a flag, before anything is parsed: it says how a mistake in the arguments is reported.
fn early<'a>(args: &'a [String], flag: &str) -> Option<&'a str> {
    let mut found = None;
    let mut rest = args.iter().take_while(|arg| *arg != "--");
    while let Some(arg) = rest.next() {
        match arg.strip_prefix(flag) {
            Some("") => found = rest.next().map(String::as_str).or(found),
            Some(joined) => found = joined.strip_prefix('=').or(found),
            None => {}
        }
    }
    found
}

/// On standard output the version of the language, as ytt says it and templates can ask for it; scripts compare it. Which
/// `cargo-ytt` this is, is for people: it goes to standard error, and nowhere if a program reads that.
fn version(json: bool) -> Output {
    let own = if json { String::new() } else { concat!("cargo-ytt ", env!("CARGO_PKG_VERSION"), "\n").to_owned() };
    Output { errors: own, ..Output::text("ytt version 0.48.0\n".into()) }
}

fn extra_argument(command: Command, word: &str) -> Usage {
    let name = command.name();
    let usage = Usage::new(format!("command '{name}' does not accept extra arguments '{word}'"));
    if word == "-" || std::path::Path::new(word).exists() {
        return usage.help(format!("use -f {word}"));
    }
    match similar(word, flags::COMMANDS.iter().map(|command| command.word())) {
        Some(near) if command == Command::Root => usage.help(format!("did you mean '{near}'?")),
        _ => usage,
    }
}

/// `check` has two meanings, each with flags of its own.
fn check(parsed: &Parsed, json: bool) -> Output {
    let of_folder = render::names_inputs(parsed);
    if let Some(flag) = flags::misplaced(parsed, of_folder) {
        let other = if of_folder { "is for the check of generated code, without -f" } else { "needs -f" };
        return Output::usage(&Usage::new(format!("--{flag} {other}")), json);
    }
    if of_folder { timed(parsed, render::compare) } else { generated::check(parsed).unwrap_or_else(|output| output) }
}

fn timed(parsed: &Parsed, work: fn(&Parsed) -> Result<Output, Output>) -> Output {
    let start = std::time::Instant::now();
    let mut output = work(parsed).unwrap_or_else(|output| output);
    if parsed.switch("debug") {
        output.errors.push_str(&format!("{}total: {:?}\n", parsed.times, start.elapsed()));
    }
    output
}

/// Writes what there is so far; false if nobody reads it.
fn write(output: &Output) -> bool {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(&output.text).and_then(|()| stdout.flush());
    let _ = std::io::stderr().lock().write_all(output.errors.as_bytes());
    written.is_ok()
}

/// Writes everything at the very end, standard output first.
fn finish(output: &Output) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(&output.text).and_then(|()| stdout.flush());
    let mut code = output.code;
    let mut errors = output.errors.clone();
    if let Err(error) = written {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            // As if the signal that ends other programs had come.
            return ExitCode::from(141);
        }
        errors.push_str(&format!("ytt: Error: writing standard output: {error}\n"));
        code = 1;
    }
    // Whoever closed standard error does not want to know.
    let _ = std::io::stderr().lock().write_all(errors.as_bytes());
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_report() {
        let text = "internal error in ytt, please report it: boom";
        let output = guarded(true, || panic!("boom"));
        assert!(output.errors.contains(text) && output.errors.contains("engine::internal"), "{}", output.errors);
        assert!(serde_json::from_str::<serde_json::Value>(&output.errors).is_ok(), "{}", output.errors);
        assert_eq!((output.code, output.text), (1, Vec::new()));
        let output = guarded(false, || panic!("boom"));
        assert!(output.errors.contains(&format!("error[engine::internal]: {text}")), "{}", output.errors);
        assert_eq!(guarded(false, || Output::text("a".into())).text, b"a");
    }
}
