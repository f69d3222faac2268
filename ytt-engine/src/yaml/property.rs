//! Tokens that say something about other tokens: directives, anchors, aliases and tags.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text in memory, and versions of two digits")]
#![allow(clippy::cast_possible_truncation, reason = "`check` bounds a text by 2³¹ bytes; an octet has two digits")]
#![allow(clippy::string_slice, reason = "the scanner stands where a character begins, or at the end")]
#![allow(clippy::indexing_slicing, reason = "the scanner stops at the end; a handle begins with `!`")]

use super::layout;
use super::scan::{Kind, Scanner, TagText, Text};
use crate::diag::Diagnostic;

impl Scanner<'_> {
    /// A `%YAML` or `%TAG` line with its break. A comment on it is not kept.
    pub(super) fn scan_directive(&mut self) -> Result<(), Diagnostic> {
        let (start, line) = (self.at, self.line);
        self.at += 1;
        let name_start = self.at;
        self.skip_word();
        let name = &self.text[name_start..self.at];
        if name.is_empty() {
            return Err(self.directive_fault(start, "could not find expected directive name"));
        }
        if !self.is_blank_or_end(0) {
            return Err(self.directive_fault(start, "found unexpected non-alphabetical character"));
        }
        let kind = match name {
            "YAML" => {
                self.skip_blanks();
                let major = self.version_number(start)?;
                if self.byte(0) != b'.' {
                    return Err(self.directive_fault(start, "did not find expected digit or '.' character"));
                }
                self.at += 1;
                Kind::Version(major, self.version_number(start)?)
            }
            "TAG" => self.tag_directive(start)?,
            _ => {
                return Err(self
                    .directive_fault(start, "found unknown directive name")
                    .help("put quotes around a string that starts with `%`"));
            }
        };
        let end = self.at;
        self.skip_blanks();
        if self.byte(0) == b'#' {
            let comment = self.comment();
            self.dropped.push(comment);
        }
        if !self.is_break_or_end(0) {
            return Err(self.directive_fault(start, "did not find expected comment or line break"));
        }
        self.skip_break();
        self.push_text(kind, line, start, end, Text::Source(start as u32, end as u32));
        Ok(())
    }

    fn version_number(&mut self, start: usize) -> Result<u8, Diagnostic> {
        let (from, mut value) = (self.at, 0);
        while self.byte(0).is_ascii_digit() {
            if self.at - from == 2 {
                return Err(self.directive_fault(start, "found extremely long version number"));
            }
            value = value * 10 + (self.byte(0) - b'0');
            self.at += 1;
        }
        if self.at == from {
            return Err(self.directive_fault(start, "did not find expected version number"));
        }
        Ok(value)
    }

    fn tag_directive(&mut self, start: usize) -> Result<Kind, Diagnostic> {
        self.skip_blanks();
        let handle = self.tag_handle(start, true)?;
        if !self.is_blank(0) {
            return Err(self.directive_fault(start, "did not find expected whitespace"));
        }
        self.skip_blanks();
        let rest = self.tag_uri(start, b"", false)?;
        if !self.is_blank_or_end(0) {
            return Err(self.directive_fault(start, "did not find expected whitespace or line break"));
        }
        self.tags.push(TagText { handle, rest });
        Ok(Kind::TagDirective(self.tags.len() as u32 - 1))
    }

    /// `&name` or `*name`.
    pub(super) fn anchor(&mut self, kind: Kind) -> Result<(), Diagnostic> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.at;
        self.at += 1;
        self.skip_word();
        let follows = matches!(self.byte(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if self.at == start + 1 || !(follows || self.is_blank_or_end(0)) {
            let (what, sign) = if kind == Kind::Alias { ("an alias", '*') } else { ("an anchor", '&') };
            let fault = self
                .fault("did not find expected alphabetic or numeric character")
                .label(self.span_here(), "")
                .label(self.span(start, self.at), format!("{what} starts here"));
            let text = format!("a text that begins with `{sign}` needs quotes");
            let written = layout::content(layout::line(self.text, start)).trim_end();
            return Err(match written.contains(['"', '\\', ',', ']', '}']) || !written.starts_with(sign) {
                true => fault.help(text),
                false => fault.help_edit(
                    text,
                    self.span(start, start.saturating_add(written.len())),
                    format!("\"{written}\""),
                ),
            });
        }
        let name = Text::Source(start as u32 + 1, self.at as u32);
        self.push_text(kind, self.line, start, self.at, name);
        Ok(())
    }

    /// `!`, `!name`, `!handle!name` or `!<name>`.
    pub(super) fn tag(&mut self) -> Result<(), Diagnostic> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.at;
        let tag = if self.byte(1) == b'<' {
            self.at += 2;
            let rest = self.tag_uri(start, b"", false)?;
            if self.byte(0) != b'>' {
                return Err(self.tag_fault(start, "did not find the expected '>'"));
            }
            self.at += 1;
            TagText { handle: Vec::new(), rest }
        } else {
            let handle = self.tag_handle(start, false)?;
            if handle.len() > 1 && handle.ends_with(b"!") {
                let rest = self.tag_uri(start, b"", false)?;
                TagText { handle, rest }
            } else {
                // It was no handle, but the beginning of the name.
                let rest = self.tag_uri(start, &handle[1..], true)?;
                if rest.is_empty() {
                    TagText { handle: rest, rest: handle }
                } else {
                    TagText { handle: b"!".to_vec(), rest }
                }
            }
        };
        if !self.is_blank_or_end(0) {
            return Err(self.tag_fault(start, "did not find expected whitespace or line break"));
        }
        self.tags.push(tag);
        let kind = Kind::Tag(self.tags.len() as u32 - 1);
        self.push_text(kind, self.line, start, self.at, Text::Source(start as u32, self.at as u32));
        Ok(())
    }

    /// `!`, letters and digits, and a second `!` if there is one. Only a directive must have it.
    fn tag_handle(&mut self, start: usize, directive: bool) -> Result<Vec<u8>, Diagnostic> {
        let from = self.at;
        if self.byte(0) != b'!' {
            return Err(self.tag_fault(start, "did not find expected '!'"));
        }
        self.at += 1;
        self.skip_word();
        if self.byte(0) == b'!' {
            self.at += 1;
        } else if directive && self.at != from + 1 {
            return Err(self.tag_fault(start, "did not find expected '!'"));
        }
        Ok(self.bytes[from..self.at].to_vec())
    }

    /// Characters of an address, with its escapes resolved, behind what was read of it before.
    fn tag_uri(&mut self, start: usize, head: &[u8], may_be_empty: bool) -> Result<Vec<u8>, Diagnostic> {
        let (from, mut uri) = (self.at, head.to_vec());
        loop {
            match self.byte(0) {
                b'%' => self.uri_escape(start, &mut uri)?,
                byte if is_word(byte) || b";/?:@&=+$,.!~*'()[]".contains(&byte) => {
                    uri.push(byte);
                    self.at += 1;
                }
                _ if self.at == from && !may_be_empty => {
                    return Err(self.tag_fault(start, "did not find expected tag URI"));
                }
                _ => return Ok(uri),
            }
        }
    }

    /// `%XX` as often as the first byte asks for.
    fn uri_escape(&mut self, start: usize, uri: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let mut left = None;
        while left != Some(0) {
            let digits = (char::from(self.byte(1)).to_digit(16), char::from(self.byte(2)).to_digit(16));
            let (b'%', (Some(high), Some(low))) = (self.byte(0), digits) else {
                return Err(self.tag_fault(start, "did not find URI escaped octet"));
            };
            let octet = (high << 4 | low) as u8;
            left = match left {
                None => match octet {
                    0x00..=0x7F => Some(0),
                    0xC0..=0xDF => Some(1),
                    0xE0..=0xEF => Some(2),
                    0xF0..=0xF7 => Some(3),
                    _ => return Err(self.tag_fault(start, "found an incorrect leading UTF-8 octet")),
                },
                Some(_) if octet & 0xC0 != 0x80 => {
                    return Err(self.tag_fault(start, "found an incorrect trailing UTF-8 octet"));
                }
                Some(left) => Some(left - 1),
            };
            uri.push(octet);
            self.at += 3;
        }
        Ok(())
    }

    fn skip_word(&mut self) {
        while is_word(self.byte(0)) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.at += 1;
        }
    }

    fn directive_fault(&self, start: usize, text: &str) -> Diagnostic {
        self.fault(text).label(self.span_here(), "").label(self.span(start, self.at), "in this directive")
    }

    fn tag_fault(&self, start: usize, text: &str) -> Diagnostic {
        self.fault(text)
            .label(self.span_here(), "")
            .label(self.span(start, self.at), "in this tag")
            .help("put quotes around a string that starts with `!`")
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
