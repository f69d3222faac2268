//! A node with code and with a value of YAML: which of both is meant, or how both are kept.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets in a source are below 2³¹ and found in it"
)]

use super::Walk;
use crate::diag::Diagnostic;
use crate::quoted;
use crate::source::Span;
use crate::template::outline::{self, Load};
use crate::yaml::functions::{Apart, BEGIN};
use crate::yaml::layout;

impl Walk<'_> {
    /// The value are nodes of a function that is defined below the key: they stand deeper than it.
    fn of_a_function(&self, error: &Diagnostic, code: Span, value: Span) -> Option<Diagnostic> {
        let between = self.text.get(code.end as usize..value.start as usize)?;
        let is_def =
            |line: &str| line.trim_start().strip_prefix("#@").is_some_and(|code| code.trim_start().starts_with("def "));
        between.lines().any(is_def).then_some(())?;
        let column = self.source.line_text(self.source.line(code.start));
        let column = column.len().checked_sub(column.trim_start().len())?;
        let start = self.source.line_range(self.source.line(value.start)).start;
        let change = layout::moved(self.text, start as usize, column)?;
        let error = error.clone().label(value, "read as the value of that key, since it stands deeper");
        let place = Span::new(self.id, change.start as u32, change.end as u32);
        let text = format!("to have it as what the function gives, begin in column {}", column + 1);
        Some(error.help_edit(text, place, change.new))
    }

    /// The value are nodes behind a function, or of another one, which begin no document.
    fn behind_a_function(&self, error: &Diagnostic, code: Span, value: Span) -> Option<Diagnostic> {
        let start = |at: u32| self.source.line_range(self.source.line(at)).start;
        let (key, own) = (start(code.start), start(value.start));
        let column = layout::indent(layout::line(self.text, key as usize));
        (key < own && (value.start - own) as usize == column).then_some(())?;
        let apart = Apart::of(self.text, key as usize, own as usize)?;
        let line = |at: u32| Span::new(self.id, at, at + layout::line(self.text, at as usize).trim_end().len() as u32);
        let mut told = error.clone().label(line(value.start), "read as the value of that key");
        if let Some(end) = apart.end() {
            told = told.label(line(end as u32), "the function ends here, the document does not");
        }
        let begin = apart.begin() as u32;
        Some(told.help_edit(BEGIN, Span::new(self.id, begin, begin), "---\n"))
    }

    /// Adds how to keep one of code and value.
    pub(super) fn one_of_both(&self, error: Diagnostic, code: Span, value: Span, bracketed: bool) -> Diagnostic {
        let text = |start: u32, end: u32| self.text.get(start as usize..end as usize).unwrap_or_default();
        let written = text(value.start, value.end);
        if bracketed {
            let code = text(code.start, code.end).trim_end();
            return error.label(value, "the YAML value").help(format!(
                "code inside of `[ … ]` belongs to the item after it: write the list without brackets, each item on a \
                 line of its own, as in `- {code}` and `- {written}`"
            ));
        }
        let slip = self.behind_a_function(&error, code, value);
        if let Some(error) = slip.or_else(|| self.of_a_function(&error, code, value)) {
            return error;
        }
        let is_open = quoted::outside(text(code.start, code.end).trim_start_matches("#@")).1;
        if is_open.is_some_and(|quote| written.ends_with(quote)) {
            let parts = text(code.start, value.end).split_whitespace().collect::<Vec<_>>().join(" ");
            let whole = Span::new(self.id, code.start, value.end);
            let error =
                error.relabel("the text that begins here is not closed on its line").label(value, "read as YAML");
            return error.help_edit("write the text on one line", whole, parts);
        }
        let before = text(0, code.start);
        let from = before.trim_end_matches([' ', '\t']).len() as u32;
        let error_with = |value: Span| error.clone().label(value, "the YAML value");
        let without_code = |error: Diagnostic| {
            let keep = Span::new(self.id, from, code.end);
            error.help_edit("to keep the YAML value, remove the code", keep, "")
        };
        if let Some((anchor, rest)) = written.strip_prefix('&').and_then(|rest| rest.split_once(char::is_whitespace)) {
            let start = value.end - rest.trim_start().len() as u32;
            return without_code(error_with(Span::new(self.id, start, value.end))).help(format!(
                "to keep the code, remove the value with its anchor `&{anchor}`, and write the code in place of every \
                 `*{anchor}` too"
            ));
        }
        let error = error_with(value);
        let one_line = value.end <= code.start && !text(value.start, code.start).contains('\n');
        let help = "to keep the code, remove the YAML value";
        match one_line && !written.starts_with(['!', '|', '>']) {
            // The code is what was added last.
            true => without_code(error.help_edit(help, Span::new(self.id, value.start, code.start), "")),
            false => match self.goes_on(&error, code, value) {
                Some(error) => without_code(error).guessing(),
                None => without_code(self.with_children(error, code, value)).help(help),
            },
        }
    }

    /// Text on the lines below code: it may be meant as the rest of one text, or is left over.
    fn goes_on(&self, error: &Diagnostic, code: Span, value: Span) -> Option<Diagnostic> {
        let text = |start: u32, end: u32| self.text.get(start as usize..end as usize).unwrap_or_default();
        let (code_written, written) = (text(code.start, code.end).trim_end(), text(value.start, value.end).trim_end());
        let expression = code_written.strip_prefix("#@ ")?.trim();
        let is_below = code.end <= value.start && text(code.end, value.start).trim().is_empty();
        let is_plain = !written.contains(['"', '\\', '#', ':'])
            && !written.starts_with(['\'', '!', '|', '>', '&', '*', '-', '[', '{']);
        (is_below && is_plain && !written.is_empty()).then_some(())?;
        let whole = Span::new(self.id, code.start, value.start + written.len() as u32);
        let joined = written.split_whitespace().collect::<Vec<_>>().join(" ");
        let simple = expression.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]()\"".contains(&byte));
        let left = if simple { expression.to_owned() } else { format!("({expression})") };
        let new = format!("#@ {left} + {}", quoted::go(format!(" {joined}").as_bytes()));
        let error = error.clone().help_edit("to have both in one text, join them in code", whole, new).guessing();
        let below = Span::new(self.id, code.start + code_written.len() as u32, value.start + written.len() as u32);
        Some(error.help_edit("to keep the code, remove the YAML value", below, "").guessing())
    }

    /// Adds how to keep both code and the children below of its key: the code among them.
    fn with_children(&self, error: Diagnostic, code: Span, value: Span) -> Diagnostic {
        let text = |start: u32, end: u32| self.text.get(start as usize..end as usize).unwrap_or_default();
        let line = self.source.line_range(self.source.line(value.start)).start;
        let (indent, written) = (text(line, value.start), text(code.start, code.end));
        let is_below = code.end <= line && indent.bytes().all(|byte| byte == b' ');
        let first = text(value.start, self.source.line_range(self.source.line(value.start)).end);
        let item = match first.starts_with("- ") {
            true => "-",
            false if first.contains(':') => "_:",
            false => return error,
        };
        let Some(written) = written.trim_end().strip_prefix("#@ ").filter(|_| is_below) else { return error };
        let from = text(0, code.start).trim_end_matches([' ', '\t']).len() as u32;
        let (between, call) = (text(code.end, line), format!("template.replace({})", written.trim()));
        let new = format!("{between}{indent}{item} #@ {call}\n{indent}");
        let (module, name) = ("@ytt:template", "template");
        let is_it = |load: &Load| load.path.name == module && load.names.iter().any(|known| known.here() == name);
        let loads = outline::loads(self.source, self.id);
        let help = "to keep both, let `template.replace` put what the code gives among the children";
        let (start, new) = match loads.iter().rfind(|load| load.end <= code.start) {
            _ if loads.iter().any(is_it) => (from, new),
            Some(last) => {
                let load = "\n#@ load(\"@ytt:template\", \"template\")";
                (last.end, format!("{load}{}{new}", text(last.end, from)))
            }
            None => (0, format!("#@ load(\"@ytt:template\", \"template\")\n{}{new}", text(0, from))),
        };
        error.help_edit(help, Span::new(self.id, start, value.start), new).if_it_mends()
    }
}
