//! What the parser says when a token cannot stand where it stands.
//!
//! The texts are the reference's, at the line where it is wrong. Labels say what was expected and what was found.

use super::Parser;
use crate::diag::Diagnostic;
use crate::yaml::scan::{Kind, Token};

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
            Some(mark) => fault.label(self.scanner.char_span(mark.start as usize), text),
            None => fault,
        }
    }

    pub(super) fn no_document_start(&self, token: Token) -> Diagnostic {
        let found = format!("expected `---`, found {}", found(token.kind));
        self.refuse(token, "did not find expected <document start>", &found)
            .help("a document that follows another, `...` or a directive starts with a line `---`")
    }

    pub(super) fn no_content(&self, token: Token) -> Diagnostic {
        let label = format!("expected a value, found {}", found(token.kind));
        let fault = self.refuse(token, "did not find expected node content", &label);
        match token.kind {
            Kind::Anchor | Kind::Tag(_) | Kind::Alias => fault.help("a value has at most one anchor and one tag"),
            Kind::FlowEntry => fault.help("remove the comma, or write `null`"),
            Kind::Value | Kind::Key => fault.help("put quotes around a text with `?` or `:` inside brackets"),
            _ => fault,
        }
    }

    pub(super) fn no_entry(&self, token: Token) -> Diagnostic {
        let label = format!("expected `-` or the end of the list, found {}", found(token.kind));
        let fault = self.refuse(token, "did not find expected '-' indicator", &label);
        self.opened_at(fault, "the list starts here")
            .help("items of one list start in the same column; what belongs to an item is indented more")
    }

    pub(super) fn no_key(&self, token: Token) -> Diagnostic {
        let label = format!("expected a key or the end of the map, found {}", found(token.kind));
        let fault = self.refuse(token, "did not find expected key", &label);
        self.opened_at(fault, "the map starts here")
            .help("keys of one map start in the same column; put quotes around a value with brackets or quotes in it")
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
        fault
    }
}

/// What a token is, for people.
fn found(kind: Kind) -> &'static str {
    match kind {
        Kind::StreamEnd => "the end of the file",
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
        Kind::Scalar(_) => "a text",
    }
}
