//! What the command says: texts for standard output and standard error, and the exit code.

use std::io::IsTerminal;
use std::sync::OnceLock;

use ytt_engine::codegen::{self, json_text, summary, usage};
use ytt_engine::{Diagnostic, Error};

/// Everything that is written when the command ends. Lines of `print` were written before.
#[derive(Debug, Default)]
pub struct Output {
    pub text: Vec<u8>,
    pub errors: String,
    pub code: u8,
}

impl Output {
    pub fn text(text: String) -> Output {
        Output { text: text.into_bytes(), ..Output::default() }
    }

    pub fn usage(usage: &Usage, json: bool) -> Output {
        Output::failed(usage.to_text(json))
    }

    pub fn failed(errors: String) -> Output {
        Output { errors, code: 1, ..Output::default() }
    }
}

/// A mistake on the command line.
#[derive(Debug, PartialEq)]
pub struct Usage {
    pub text: String,
    help: Option<String>,
}

impl Usage {
    pub fn new(text: String) -> Usage {
        Usage { text, help: None }
    }

    pub fn help(mut self, help: String) -> Usage {
        self.help = Some(help);
        self
    }

    pub fn to_text(&self, json: bool) -> String {
        if !json {
            return usage(&self.text, self.help.as_deref(), colors());
        }
        let help = |text| format!("{{\"text\":{},\"edit\":null,\"applicability\":null}}", json_text(text));
        json_line("command::usage", "error", &self.text, &self.help.as_deref().map(help).unwrap_or_default())
    }
}

/// What `check` found in a folder.
pub fn stale(text: &str, json: bool) -> String {
    if json { json_line("command::stale", "error", text, "") } else { codegen::stale(text, colors()) }
}

/// A panic, as the text says it.
pub fn internal(text: &str, json: bool) -> String {
    if json { json_line("engine::internal", "error", text, "") } else { codegen::internal(text, colors()) }
}

/// What `--color` may be.
pub const COLOR: &str = "auto, always or never";

/// What was decided of colours: on, off, or only on a terminal.
static COLORS: OnceLock<Option<bool>> = OnceLock::new();

/// Decides once whether there are colours; `flag` is the value of `--color`.
///
/// The flag counts first, then the variables that other tools know: `NO_COLOR`, `CLICOLOR_FORCE`, `CARGO_TERM_COLOR`,
/// `CLICOLOR` and `TERM=dumb`. Without any, a terminal has colours.
pub fn decide_colors(flag: Option<&str>) {
    let set = |name: &str| std::env::var_os(name).filter(|text| !text.is_empty());
    let is = |name: &str, wanted: &str| set(name).is_some_and(|text| text == wanted);
    let colors = match flag {
        Some("always") => Some(true),
        Some("never") => Some(false),
        _ if set("NO_COLOR").is_some() => Some(false),
        _ if set("CLICOLOR_FORCE").is_some_and(|text| text != "0") => Some(true),
        _ if is("CARGO_TERM_COLOR", "always") => Some(true),
        _ if is("CARGO_TERM_COLOR", "never") || is("CLICOLOR", "0") || is("TERM", "dumb") => Some(false),
        _ => None,
    };
    let _ = COLORS.set(colors);
}

fn decided() -> Option<bool> {
    COLORS.get().copied().flatten()
}

/// Whether reports have colours.
fn colors() -> bool {
    decided().unwrap_or_else(|| std::io::stderr().is_terminal())
}

/// Whether an answer on standard output has colours.
pub fn output_colors() -> bool {
    decided().unwrap_or_else(|| std::io::stdout().is_terminal())
}

/// How problems and warnings are written.
#[derive(Clone, Debug)]
pub struct Style {
    pub json: bool,
    /// What is done with what, for the last line.
    work: String,
}

impl Style {
    /// `work` is what is done with `inputs`, the arguments of `-f`.
    pub fn new<'a>(json: bool, work: &str, inputs: impl Iterator<Item = &'a str>) -> Style {
        const MOST: usize = 4;
        let mut inputs: Vec<String> = inputs.map(|input| format!("`{input}`")).collect();
        if inputs.len() > MOST {
            let more = inputs.len().saturating_sub(MOST - 1);
            inputs.truncate(MOST - 1);
            inputs.push(format!("{more} more"));
        }
        Style { json, work: format!("{work} {}", inputs.join(" + ")).trim_end().to_owned() }
    }

    pub fn error(&self, error: &Error) -> String {
        let mut text = self.warnings(error.warnings());
        if self.json {
            return text + &error.to_json_lines();
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text + &error.to_report_with_steps(colors()) + "\n" + &summary(&self.work, error, colors())
    }

    pub fn failed(&self, error: &Error) -> Output {
        Output::failed(self.error(error))
    }

    pub fn warnings(&self, warnings: &[Diagnostic]) -> String {
        let mut out = String::new();
        for warning in warnings {
            if !self.json && !out.is_empty() {
                out.push('\n');
            }
            match self.json {
                true => out.push_str(&warning.to_json_line()),
                false => out.push_str(&warning.to_report(colors())),
            }
            out.push('\n');
        }
        out
    }

    /// A warning of the command itself.
    pub fn note(&self, text: &str) -> String {
        if !self.json {
            return format!("\nWarning: {text}\n");
        }
        json_line("command::output", "warning", text, "")
    }
}

/// What the command itself says, in the form of diagnostics.
fn json_line(code: &str, severity: &str, text: &str, helps: &str) -> String {
    format!(
        "{{\"code\":\"{code}\",\"severity\":\"{severity}\",\"message\":{},\"steps\":[],\"labels\":[],\
         \"trace\":[],\"notes\":[],\"helps\":[{helps}]}}\n",
        json_text(text)
    )
}
