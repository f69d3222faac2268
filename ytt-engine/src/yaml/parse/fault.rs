//! What the parser says when a token cannot stand where it stands.
//!
//! The texts are the reference's, at the line where it is wrong. Labels say what was expected and what was found.
#![allow(clippy::string_slice, reason = "texts are cut at tokens, and at line breaks and blanks that were found there")]
#![allow(clippy::arithmetic_side_effects, reason = "places and columns of a text in memory, which lines are parts of")]

use super::Parser;
use crate::diag::Diagnostic;
use crate::yaml::layout;
use crate::yaml::scan::{Kind, Token};
use crate::yaml::slips::blanks;

impl Parser<'_> {
    /// An error at a token; where the token is empty, at the character that follows.
    pub(super) fn refuse(&self, token: Token, text: &str, label: &str) -> Diagnostic {
        let mut span = self.scanner.char_span(token.start as usize);
        span.end = span.end.max(token.end);
        self.scanner.fault_at(token.line, text).label(span, label)
    }

    /// Adds where the innermost open collection starts.
    fn opened_at(&self, fault: Diagnostic, text: &str) -> Diagnostic {
        match self.opened.last() {
            Some(mark) => {
                let start = mark.start as usize;
                let is_bracket = matches!(self.scanner.text.as_bytes().get(start), Some(b'[' | b'{'));
                let place = if is_bracket { self.scanner.char_span(start) } else { self.scanner.line_span(start) };
                fault.label(place, text)
            }
            None => fault,
        }
    }

    pub(super) fn no_document_start(&self, token: Token) -> Diagnostic {
        let found = format!("expected `---`, found {}", found(token.kind));
        let fault = self.refuse(token, "did not find expected <document start>", &found);
        if let Some(told) = self.deeper_start(&fault, token) {
            return told;
        }
        fault.help("a document that follows another, `...` or a directive starts with a line `---`")
    }

    /// The nodes above begin further to the right: those of a function, most often, or of a list that was pasted.
    fn deeper_start(&self, fault: &Diagnostic, token: Token) -> Option<Diagnostic> {
        let text: &str = self.scanner.text;
        let own = layout::line_start(text, token.start as usize);
        let column = token.start as usize - own;
        let is_map = matches!(token.kind, Kind::Key | Kind::BlockMappingStart);
        let first = layout::above(text, own)
            .take_while(|(_, line)| !line.starts_with("---") && !line.starts_with("..."))
            .last();
        let (start, line) = first.filter(|(_, line)| is_map && layout::indent(line) > column && column == 0)?;
        let mut before = text.get(..start)?.lines().rev().take_while(|line| !line.starts_with("---"));
        before.all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')).then_some(())?;
        let indent = layout::indent(line);
        let place = self.scanner.span(start + indent, start + line.trim_end().len());
        let fault = fault.clone().relabel("this begins further to the left than the nodes above");
        let label = format!("the nodes of the document begin here, in column {}", indent + 1);
        Some(self.scanner.moved(fault.label(place, label), start, column))
    }

    pub(super) fn no_content(&self, token: Token) -> Diagnostic {
        let label = format!("expected a value, found {}", found(token.kind));
        let fault = self.refuse(token, "did not find expected node content", &label);
        let open = self.opened.last().and_then(|mark| self.scanner.text.as_bytes().get(mark.start as usize));
        // The last item may have code alone.
        if let (Some(b'-'), Some(told)) = (open, self.apart_by_function(&fault, token, "list")) {
            return told;
        }
        match token.kind {
            Kind::StreamEnd if matches!(open, Some(b'[' | b'{')) => {
                let what = if open == Some(&b'[') { "list" } else { "map" };
                let close = if open == Some(&b'[') { ']' } else { '}' };
                let mut fault = self.opened_at(fault, &format!("this {what} is not closed"));
                fault.parts_mut().labels.reverse();
                self.hidden_close(&fault, close).unwrap_or(fault)
            }
            Kind::Anchor | Kind::Tag(_) | Kind::Alias => fault.help("a value has at most one anchor and one tag"),
            Kind::FlowEntry => fault.help("remove the comma, or write `null`"),
            Kind::Key if open == Some(&b'-') => self.no_item(fault.relabel(no_item(token.kind))),
            Kind::Value | Kind::Key => fault.help("put quotes around a string with `?` or `:` inside brackets"),
            _ => {
                let start = token.start as usize;
                let line = self.scanner.text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
                let slip = self.scanner.helm(&fault, line).or_else(|| self.scanner.code_goes_on(&fault, line));
                slip.unwrap_or(fault)
            }
        }
    }

    pub(super) fn no_entry(&self, token: Token) -> Diagnostic {
        let fault = self.refuse(token, "did not find expected '-' indicator", &no_item(token.kind));
        if let Some(told) = self.scanner.apostrophe(&fault, token.start as usize) {
            return told;
        }
        if let Some(told) = self.apart_by_function(&fault, token, "list") {
            return told;
        }
        self.no_item(fault)
    }

    fn no_item(&self, fault: Diagnostic) -> Diagnostic {
        self.opened_at(fault, "the list starts here")
            .help("items of one list start in the same column; what belongs to an item is indented more")
    }

    pub(super) fn no_key(&self, token: Token) -> Diagnostic {
        let label = format!("expected a key or the end of the map, found {}", found(token.kind));
        let fault = self.refuse(token, "did not find expected key", &label);
        let text = &self.scanner.text;
        let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
        let line = line_start(token.start as usize);
        let column = token.start as usize - line;
        let slip = self.scanner.helm(&fault, line).or_else(|| self.scanner.apostrophe(&fault, token.start as usize));
        let slip = slip.or_else(|| self.scanner.code_goes_on(&fault, line));
        let slip = slip.or_else(|| self.scanner.quote_below(&fault, token.start as usize));
        if let Some(fault) = slip {
            return fault;
        }
        if !text[line..token.start as usize].trim_start_matches(' ').is_empty() {
            return self
                .opened_at(fault, "the map starts here")
                .help("put quotes around a value with brackets or quotes in it; a key stands on a line of its own");
        }
        if matches!(token.kind, Kind::BlockEntry | Kind::BlockSequenceStart) {
            let slip = self.deeper_item(&fault, line, column);
            if let Some(fault) = slip.or_else(|| self.apart_by_function(&fault, token, "map")) {
                return fault;
            }
            return self
                .opened_at(fault, "the map starts here")
                .help("keys and `-` cannot stand side by side: write the list below a key, or a key instead of `-`");
        }
        match self.deeper(line, column) {
            Some(Deeper::Block(header, inner)) => fault
                .label(self.scanner.char_span(header), "the block of text starts here")
                .help(format!("indent every line of the block as far as its first one, to column {}", inner + 1)),
            Some(Deeper::Key(key, inner)) => {
                let (key, found) = (self.scanner.char_span(key), format!("starts in column {}", inner + 1));
                let outer = self.opened.last().map(|mark| mark.start as usize);
                let outer = outer.map(|start| start - line_start(start) + 1);
                let mut fault = fault.label(key, format!("what stands here {found}"));
                if let Some(outer) = outer.filter(|_| token.kind == Kind::Key || token.kind == Kind::BlockMappingStart)
                    && let Some(label) = fault.parts_mut().labels.first_mut()
                {
                    label.text =
                        format!("this key starts in column {}, neither in {outer} nor in {}", column + 1, inner + 1);
                }
                self.opened_at(fault, "the map starts here")
                    .help("keys of one map start in the same column: indent this line as far as one of the two")
            }
            None => self.opened_at(fault, "the map starts here").help(
                "keys of one map start in the same column; put quotes around a value with brackets or quotes in it",
            ),
        }
    }

    /// An item that is a little deeper than those of its list above.
    fn deeper_item(&self, fault: &Diagnostic, line: usize, column: usize) -> Option<Diagnostic> {
        let text: &str = self.scanner.text;
        let (start, above) = layout::above(text, line).find(|(_, above)| layout::indent(above) <= column)?;
        let own = layout::indent(above);
        if own == column || column - own > 3 || !above[own..].starts_with("- ") {
            return None;
        }
        let fault = fault.clone().relabel(format!("this `-` is {} deeper than the one above", blanks(column - own)));
        let item = self.scanner.char_span(start + own);
        let fault = fault.label(item, format!("the items of this list begin in column {}", own + 1));
        Some(self.scanner.moved(fault, line, own))
    }

    /// The line above that is indented more than a column, and what it belongs to.
    fn deeper(&self, line: usize, column: usize) -> Option<Deeper> {
        let text = self.scanner.text.get(..line)?;
        let (mut end, mut first) = (line, None);
        while end > 0 {
            let start = text[..end - 1].rfind('\n').map_or(0, |at| at + 1);
            let content = text[start..end].trim();
            let indent = text[start..end].len() - text[start..end].trim_start().len();
            if !content.is_empty() && indent > column {
                first = Some((start + indent, indent));
            } else if !content.is_empty() {
                let header = layout::content(content);
                let mark = header
                    .rfind(['|', '>'])
                    .filter(|at| header[*at + 1..].bytes().all(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9')));
                let (key, inner) = first?;
                return Some(match mark {
                    Some(at) => Deeper::Block(start + indent + at, inner),
                    None => Deeper::Key(key, inner),
                });
            }
            end = start;
        }
        None
    }

    /// Neither `,` nor the closing bracket follows. If that was noticed only on a later line, the opening bracket is the
    /// place to look at.
    pub(super) fn unclosed(&self, token: Token, text: &str, what: &str) -> Diagnostic {
        let close = if what == "list" { ']' } else { '}' };
        let found = format!("expected `,` or `{close}`, found {}", found(token.kind));
        let mut fault = self.opened_at(self.refuse(token, text, &found), &format!("this {what} is not closed"));
        let between = self.scanner.text.get(self.behind as usize..token.start as usize).unwrap_or_default();
        if between.contains('\n') || token.kind == Kind::StreamEnd {
            fault.parts_mut().labels.reverse();
        }
        self.hidden_close(&fault, close).unwrap_or(fault)
    }

    /// Code inside of brackets, to the end of its line: the closing bracket is a part of it. Says how the collection is
    /// written without brackets.
    fn hidden_close(&self, fault: &Diagnostic, close: char) -> Option<Diagnostic> {
        let (text, open) = (self.scanner.text, self.opened.last()?.start as usize);
        let inner = layout::line(text, open).trim_end().get(1..)?;
        let mark = inner.find("#@ ")?;
        let (before, code) = inner.split_at(mark);
        let code = code.strip_suffix(close)?.trim_end();
        if before.contains(['[', ']', '{', '}', '"', '\'']) || code.contains(['[', '{']) {
            return None;
        }
        let start = layout::line_start(text, open);
        let head = text.get(start..open)?;
        let indent = " ".repeat(layout::item_start(head) + if close == '}' { 2 } else { 0 });
        let item = if close == '}' { "" } else { "- " };
        let all = format!("{before}{code}");
        let cut = before.rfind(',').map_or(0, |at| at + 1);
        let (first, last) = all.split_at(cut);
        let parts = first.split(',').map(str::trim).filter(|part| !part.is_empty()).chain([last.trim_start()]);
        let new: String = parts.map(|part| format!("\n{indent}{item}{part}")).collect();
        let (key, end) = (head.trim_end().len(), open + 1 + inner.len());
        let mut told = fault.clone();
        told.parts_mut().labels.clear();
        let comment = self.scanner.span(open + 1 + mark, end);
        let told = told.label(comment, format!("a comment goes on to the end of its line, with the `{close}`"));
        let text = "code has no place between brackets: write the items on lines of their own";
        let place = self.scanner.span(start + key, end);
        let is_value = head.trim_end().ends_with(':');
        Some(told.edit_at(text, is_value.then_some(place), new))
    }
}

/// What the lines above, which are indented more, are: places and how far they are indented.
enum Deeper {
    /// Lines below the header of a block scalar.
    Block(usize, usize),
    Key(usize, usize),
}

fn no_item(kind: Kind) -> String {
    format!("expected `-` or the end of the list, found {}", found(kind))
}

/// What a token is, for people.
pub(super) fn found(kind: Kind) -> &'static str {
    match kind {
        Kind::StreamEnd => "the end of the text",
        Kind::Version(..) | Kind::TagDirective(_) => "a directive",
        Kind::DocumentStart => "`---`",
        Kind::DocumentEnd => "`...`",
        Kind::BlockSequenceStart | Kind::BlockEntry => "`-`",
        Kind::BlockMappingStart => "a key",
        Kind::BlockEnd => "the end of the indented block",
        Kind::FlowSequenceStart => "`[`",
        Kind::FlowSequenceEnd => "`]`",
        Kind::FlowMappingStart => "`{`",
        Kind::FlowMappingEnd => "`}`",
        Kind::FlowEntry => "`,`",
        Kind::Key => "a key",
        Kind::Value => "`:`",
        Kind::Alias => "an alias",
        Kind::Anchor => "an anchor",
        Kind::Tag(_) => "a tag",
        Kind::Scalar(_) => "a string",
    }
}
