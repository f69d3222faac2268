//! What the command says: texts for standard output and standard error, and the exit code.

use std::io::IsTerminal;

use ytt_engine::codegen::json_text;
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
    hint: Option<String>,
}

impl Usage {
    pub fn new(text: String) -> Usage {
        Usage { text, hint: None }
    }

    pub fn hint(mut self, hint: String) -> Usage {
        self.hint = Some(hint);
        self
    }

    pub fn to_text(&self, json: bool) -> String {
        let hint = self.hint.as_deref();
        if json {
            let helps = hint.map_or(String::new(), |hint| format!("{{\"text\":{},\"edit\":null}}", json_text(hint)));
            return json_line("command::usage", "error", &self.text, &helps);
        }
        let hint = hint.map_or(String::new(), |hint| format!(" (hint: {hint})"));
        format!("ytt: Error: {}{hint}\n", self.text)
    }
}

/// How problems and warnings are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub json: bool,
    pub colors: bool,
}

impl Style {
    pub fn new(json: bool) -> Style {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|text| text.is_empty());
        Style { json, colors: wanted && std::io::stderr().is_terminal() }
    }

    pub fn error(self, error: &Error) -> String {
        let mut warnings = self.warnings(error.warnings());
        if !self.json && !warnings.is_empty() {
            warnings.push('\n');
        }
        warnings + &if self.json { error.to_json_lines() } else { error.to_report_with_steps(self.colors) }
    }

    pub fn failed(self, error: &Error) -> Output {
        Output::failed(self.error(error))
    }

    pub fn warnings(self, warnings: &[Diagnostic]) -> String {
        let mut out = String::new();
        for warning in warnings {
            if !self.json && !out.is_empty() {
                out.push('\n');
            }
            match self.json {
                true => out.push_str(&warning.to_json_line()),
                false => out.push_str(&warning.to_report(self.colors)),
            }
            out.push('\n');
        }
        out
    }

    /// A warning of the command itself.
    pub fn note(self, text: &str) -> String {
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
