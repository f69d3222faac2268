//! Problems of the layout of a text, told by the slip that led to them.
#![allow(clippy::string_slice, reason = "texts are cut at line breaks, blanks and other ASCII that was found there")]
#![allow(clippy::arithmetic_side_effects, reason = "places and columns of a text in memory, which lines are parts of")]

use super::layout::{self, LeftBlock};
use super::scan::Scanner;
use crate::diag::Diagnostic;
use crate::quoted;
use crate::source::{Span, replaced};

/// Keys whose values are often texts with a colon.
const OF_TEXTS: [&str; 30] = [
    "image",
    "host",
    "addr",
    "address",
    "url",
    "uri",
    "ref",
    "server",
    "endpoint",
    "target",
    "upstream",
    "broker",
    "registry",
    "repository",
    "command",
    "value",
    "default",
    "description",
    "title",
    "text",
    "message",
    "pattern",
    "version",
    "tag",
    "user",
    "role",
    "arn",
    "scope",
    "path",
    "volume",
];

/// The text of a scalar whose lines are all `key:value`, with the blanks that are missing. `key` is that of the scalar; of a
/// single line, a name with a port or with a tag is no map.
pub(super) fn meant_as_map(key: Option<&str>, text: &str) -> Option<String> {
    let mut meant = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (_, colon) = layout::glued(line)?;
        let (before, behind) = line.split_at_checked(colon)?;
        let name = before.trim().strip_suffix(':')?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        if !is_name || !name.starts_with(|first: char| first.is_ascii_alphabetic()) || behind.contains([' ', '#']) {
            return None;
        }
        if !text.contains('\n') {
            let key = key.map(|key| key.trim_matches(['"', '\'']).to_lowercase()).unwrap_or_default();
            let is_number = behind.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            if OF_TEXTS.iter().any(|of| key.ends_with(of)) || name == "localhost" || is_number && name.contains('-') {
                return None;
            }
        }
        meant.push_str(before);
        meant.push(' ');
        meant.push_str(behind);
    }
    (!meant.is_empty()).then_some(meant)
}

impl Scanner<'_> {
    /// Of what was a key only if a `:` had followed.
    pub(super) fn no_colon(&self, line: u32, at: usize) -> Diagnostic {
        // The reference counts a last line without a break as ended.
        let unended = self.at == self.bytes.len() && line == self.line;
        let length = self.text[at..].find(['\n', '\r']).unwrap_or(self.text.len() - at);
        let end = at + self.text[at..at + length].trim_end().len();
        let fault = self.fault_at(self.line + u32::from(unended), "could not find expected ':'");
        let start = layout::line_start(self.text, at);
        let slip = self
            .helm(&fault, start)
            .or_else(|| self.code_goes_on(&fault.clone().label(self.span(at, end.max(at)), ""), start));
        if let Some(fault) = slip.or_else(|| self.glued(fault.clone(), start, layout::line(self.text, start))) {
            return fault;
        }
        let line = self.span(at, end.max(at));
        let whole = self.text;
        if &whole[at..end.max(at)] == "end" && whole.contains("#@ ") {
            let start = self.span(at, at);
            return fault.label(line, "code begins with `#@`").help_edit("write `#@ end`", start, "#@ ");
        }
        if let Some(block) = layout::left_block(self.text, start) {
            return self.left_text(fault, line, block);
        }
        fault
            .label(line, "expected `:` after this key")
            .help("write `key: value`; what continues the line above must be indented more than its key")
    }

    pub(super) fn misplaced_colon(&self) -> Diagnostic {
        let fault = self.fault("mapping values are not allowed in this context");
        let start = layout::line_start(self.text, self.at);
        let line = layout::line(self.text, start);
        let key = start + layout::item_start(line);
        let above = layout::above(self.text, start).next();
        if let Some((at, above)) = above {
            let whole = self.text;
            if above.trim() == "end" && whole.contains("#@ ") {
                let from = at + above.len() - above.trim_start().len();
                let label = "read as a text that goes on: code begins with `#@`";
                let mut fault = fault.label(self.span(from, from + 3), label);
                fault.parts_mut().labels.rotate_right(1);
                return fault.help_edit("write `#@ end`", self.span(from, from), "#@ ");
            }
            if let Some(fault) = self.glued(fault.clone(), at, above) {
                return fault.label(self.span_here(), "so no `:` can stand here");
            }
            if let Some((column, name)) = layout::key_with_value(above)
                && line[..key - start].trim_start_matches(' ').is_empty()
                && key - start > column
            {
                let label =
                    format!("{} deeper than `{name}` above, whose value has no keys", blanks(key - start - column));
                let fault = fault.label(self.span(key, self.at.max(key)), label);
                let above = self.span(at + column, at + column + name.len());
                return self.moved(fault.label(above, "the keys of this map stand in this column"), start, column);
            }
        }
        let fault = fault.label(self.span_here(), "no `:` can stand here");
        let value = self.text[key.min(self.at)..self.at].find(": ").map(|at| key + at + 2);
        let end = start + layout::content(line).len();
        match value.filter(|from| *from < end && !self.text[*from..end].contains(['"', '\'', '\\'])) {
            Some(from) => {
                let quoted = format!("\"{}\"", &self.text[from..end]);
                fault.help_edit("put quotes around the value if the `:` belongs to it", self.span(from, end), quoted)
            }
            None => fault
                .help("put quotes around the value if the `:` belongs to it, or begin the value on a line of its own"),
        }
    }

    /// Says of a line with `name:web` that a blank is missing.
    pub(super) fn glued(&self, fault: Diagnostic, start: usize, line: &str) -> Option<Diagnostic> {
        let (key, colon) = layout::glued(line)?;
        let end = start + layout::content(line).len();
        let text = &self.text[start + key..end];
        let label = format!("`{text}` is one text, no key with a value: a blank is missing behind the colon");
        let place = self.span(start + colon, start + colon);
        Some(fault.label(self.span(start + key, end), label).help_edit("write a blank behind the colon", place, " "))
    }

    /// A text in quotes that went on to the first quote of a line below, behind which `at` is: its own is missing.
    pub(super) fn quote_below(&self, fault: &Diagnostic, at: usize) -> Option<Diagnostic> {
        let before = self.text.get(..at)?;
        let quote = before.chars().next_back().filter(|last| matches!(last, '"' | '\''))?;
        let close = at - quote.len_utf8();
        let open = before.get(..close)?.rfind(quote)?;
        let begins = self.text.get(..open)?.chars().next_back().is_none_or(|last| " \n[{,".contains(last));
        let first = layout::line(self.text, open).trim_end();
        if !begins || open + first.len() >= close {
            return None;
        }
        let mut told = fault.clone();
        told.parts_mut().labels.clear();
        let told = told.headlined("a text in quotes goes on to a quote of another line");
        let told = told.label(self.char_span(open), "the text that begins here is not closed on its line");
        let end = self.span(open + first.len(), open + first.len());
        Some(told.label(self.char_span(close), "and ends at this quote").help_edit("close it", end, quote))
    }

    /// An apostrophe in a text in single quotes, which ends it: letters go on behind it.
    pub(super) fn apostrophe(&self, fault: &Diagnostic, at: usize) -> Option<Diagnostic> {
        let close = at.checked_sub(1).filter(|close| self.text.get(*close..at) == Some("'"))?;
        let goes_on = self.text.get(at..)?.starts_with(char::is_alphanumeric);
        let follows = self.text.get(..close)?.ends_with(char::is_alphanumeric);
        let line = layout::line(self.text, close);
        (goes_on && follows && line.matches('\'').count() > 1).then_some(())?;
        let told = fault.clone().relabel("the text in quotes ends before this");
        let text = "in single quotes an apostrophe is written twice";
        Some(told.label(self.char_span(close), "this apostrophe ends it").help_edit(text, self.span(at, at), "'"))
    }

    /// The code of a value that goes on in lines below it, of which one begins at `line`: it ends with its own.
    pub(super) fn code_goes_on(&self, fault: &Diagnostic, line: usize) -> Option<Diagnostic> {
        /// Lines of one value.
        const MOST: usize = 20;
        let (head, first) = layout::above(self.text, line).take(MOST).find(|(_, text)| text.contains(" #@ "))?;
        if layout::indent(layout::line(self.text, line)) <= layout::indent(first) {
            return None;
        }
        let (_, code) = first.split_once(" #@ ").filter(|(key, code)| !key.is_empty() && quoted::opened(code) > 0)?;
        let from = head + first.trim_end().len();
        let told = fault.clone().relabel("so this is read as YAML");
        let begins = head + first.len() - code.len();
        let told = told.label(self.span(begins, from), "this code ends with its line, before its brackets are closed");
        let mut joined = code.trim_end().to_owned();
        let mut lines = self.text.get(from..)?.split_inclusive('\n');
        let (mut next, mut end) = (from + lines.next()?.len(), from);
        for below in lines.take(MOST) {
            end = next + below.trim_end().len();
            next += below.len();
            let is_close = joined.ends_with(['(', '[', '{']) || below.trim().starts_with([')', ']', '}']);
            joined.push_str(if is_close { "" } else { " " });
            joined.push_str(below.trim());
            if quoted::opened(&joined) <= 0 {
                break;
            }
        }
        if quoted::opened(&joined) != 0 || quoted::outside(&joined).0.contains('#') {
            return Some(told.help("give it a name in lines of code above, each of which begins with `#@`"));
        }
        Some(told.help_edit("write it on one line", self.span(begins, end), joined).if_it_mends())
    }

    /// From a place to the end of what stands on its line: of a single character nobody sees what it marks.
    pub(super) fn line_span(&self, start: usize) -> Span {
        let line = layout::line(self.text, start).trim_end();
        self.span(start, start.saturating_add(line.len().max(1)))
    }

    /// An expression of Helm on the line that begins at `line`.
    pub(super) fn helm(&self, fault: &Diagnostic, line: usize) -> Option<Diagnostic> {
        let text = layout::line(self.text, line);
        let (start, end) = layout::helm_value(text)?;
        let (mut fault, place) = (fault.clone(), self.span(line + start, line + end));
        fault.parts_mut().labels.clear();
        let written = text.get(start..end)?;
        if let Some(quoted) = layout::foreign(written).filter(|_| !layout::is_of_helm(self.text)) {
            let fault = fault.label(place, layout::FOREIGN);
            return Some(fault.help_edit("put quotes around the whole text", place, quoted).guessing());
        }
        let mut fault = fault.label(place, layout::HELM);
        // Of a whole template of a chart one edit makes none of ytt.
        let others = layout::helm_lines(self.text);
        let is_whole = others.len() > 1;
        if is_whole {
            let others = others.into_iter().filter(|other| *other != line).take(2);
            fault = others.fold(fault, |fault, at| {
                let part = layout::helm_value(layout::line(self.text, at).trim_end());
                part.map_or(fault.clone(), |(start, end)| fault.label(self.span(at + start, at + end), "and here"))
            });
            fault = fault
                .help("this is a template of a chart: give ytt what `helm template` prints, in place of this file");
        }
        if let Some((help, code)) = layout::helm_statement(written) {
            let load = code.as_ref().filter(|code| code.contains("data.values"));
            let load = load.map_or("", |_| layout::helm_load(self.text));
            let place = code.as_ref().filter(|_| !is_whole).map(|_| place);
            return Some(fault.edit_at(format!("{help}{load}"), place, code.unwrap_or_default()));
        }
        if is_whole {
            return Some(fault);
        }
        let Some(code) = layout::helm(written, self.text) else {
            return Some(fault.help("write it as code of ytt: `#@ …`"));
        };
        // Helm writes a map or list on lines of its own; in ytt it is the value of its key.
        let is_alone = text.get(..start).is_some_and(|before| before.trim().is_empty());
        let above = layout::above(self.text, line).next().filter(|(_, above)| is_alone && above.ends_with(':'));
        Some(match above {
            Some((at, above)) => {
                let place = self.span(at + above.len(), line + end);
                let text = format!("write it as code of ytt, behind the key{}", layout::helm_load(self.text));
                fault.help_edit(text, place, format!(" {code}"))
            }
            // Code on a line of its own gives no value.
            None if is_alone => fault.help(format!(
                "write it as code of ytt, behind the key that it is for, or by `_: #@ template.replace(…)` for all of its keys: \
                 `{code}`{}",
                layout::helm_load(self.text)
            )),
            None => {
                let text = format!("write it as code of ytt{}", layout::helm_load(self.text));
                fault.help_edit(text, place, code)
            }
        })
    }

    pub(super) fn cannot_start(&self, first: u8) -> Diagnostic {
        let label = if first == b'\t' { "a tab" } else { "" };
        let fault = self.fault("found character that cannot start any token").label(self.span_here(), label);
        let whole = self.text;
        match first {
            b'\t' => self.without_tab(fault),
            b'%' if self.text[..self.at].ends_with('{') => self.jinja(fault),
            b'@' if whole[self.at..].starts_with("@ ") && whole.contains("#@ ") => {
                let fault = fault.relabel("code begins with `#@`");
                fault.help_edit("write `#@`", self.span(self.at, self.at), "#")
            }
            _ => {
                let text = format!("put quotes around a string that starts with `{}`", char::from(first));
                let line = layout::content(layout::line(self.text, self.at));
                let own = layout::indent(layout::line(self.text, layout::line_start(self.text, self.at)));
                let below = &self.text[self.at + layout::line(self.text, self.at).len()..];
                let is_longer = below.lines().nth(1).is_some_and(|next| layout::indent(next) > own);
                let is_key = line.contains(": ") || line.ends_with(':');
                match is_longer || is_key || line.contains(['"', '\\', ',', ']', '}']) {
                    true => fault.help(text),
                    false => fault.help_edit(text, self.span(self.at, self.at + line.len()), format!("\"{line}\"")),
                }
            }
        }
    }

    /// A statement of Jinja, and all that follow.
    fn jinja(&self, mut fault: Diagnostic) -> Diagnostic {
        let start = layout::line_start(self.text, self.at);
        let (mut parts, mut are_known) = (Vec::new(), true);
        // What stands in texts is for others.
        let lines = layout::outside_texts(&self.text[start..]);
        for (at, line) in lines.filter(|(_, line)| line.trim_start().starts_with("{%")) {
            let (code, from) = (line.trim(), start + at + line.len() - line.trim_start().len());
            match layout::jinja_statement(code) {
                Some(new) => parts.push((self.span(from, from + code.len()), new)),
                None => are_known = false,
            }
        }
        fault.parts_mut().labels.clear();
        let fault = fault.label(self.line_span(self.at - 1), "a statement of Jinja: ytt has code behind `#@`");
        let edit = are_known.then(|| replaced(self.text, parts.iter().map(|(span, new)| (*span, new.as_str()))));
        let text = "in ytt: `#@ if …:`, `#@ for … in …:` and `#@ end`";
        match edit.flatten() {
            Some((place, new)) => fault.help_edit(text, place, new),
            None => fault.help(text),
        }
    }

    /// Says of a line without a colon that it ends the text above it.
    pub(super) fn left_text(&self, fault: Diagnostic, line: Span, block: LeftBlock<'_>) -> Diagnostic {
        let LeftBlock { opened: (at, opening), first, last, next, change } = block;
        let content = layout::content(opening);
        let (end, sign) = (at + content.len(), content.rsplit(' ').next().unwrap_or_default());
        let count = change.new.lines().filter(|line| !line.trim().is_empty()).count();
        let what = if count == 1 { "this line".to_owned() } else { format!("these {count} lines") };
        let told = fault
            .headlined("a line of a text below `|` or `>` is not indented as far as the text")
            .label(line, "this ends the text above, and is no key with a value")
            .label(
                self.span(end - sign.len(), end),
                format!("this text begins here: its lines stand in column {}", first + 1),
            )
            .help_edit(
                format!(
                    "if {what} belong{} to the text: indent as far as the line above",
                    if count == 1 { "s" } else { "" }
                ),
                self.span(change.start, change.end),
                change.new,
            );
        if next == Some(last) { told } else { told.guessing() }
    }

    /// Adds the edit that moves a line and what belongs to it.
    pub(super) fn moved(&self, fault: Diagnostic, start: usize, column: usize) -> Diagnostic {
        match layout::moved(self.text, start, column) {
            Some(change) => {
                let place = self.span(change.start, change.end);
                let (own, count) = (layout::indent(layout::line(self.text, start)), change.new.lines().count());
                let what = if count == 1 { "this line".to_owned() } else { format!("these {count} lines") };
                let text =
                    format!("move {what} {} to the left, to column {}", blanks(own.saturating_sub(column)), column + 1);
                fault.help_edit(text, place, change.new)
            }
            None => fault.help(format!("begin in column {}, with all that belongs to it", column + 1)),
        }
    }

    /// Adds how many blanks are meant by the tab that stands here.
    pub(super) fn without_tab(&self, fault: Diagnostic) -> Diagnostic {
        match layout::meant_indent(self.text, layout::line_start(self.text, self.at)) {
            Some((change, count)) => {
                let text = format!("YAML does not allow tabs in indentation: write {}", blanks(count));
                fault.help_edit(text, self.span(change.start, change.end), change.new)
            }
            None => fault.help("YAML does not allow tabs in indentation: write blanks instead"),
        }
    }
}

/// A number of blanks, in words.
pub(super) fn blanks(count: usize) -> String {
    if count == 1 { "1 blank".to_owned() } else { format!("{count} blanks") }
}
