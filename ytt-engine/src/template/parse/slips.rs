//! What people write who know other languages: problems of the grammar that say which word was meant.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "tokens are not empty and lie in the text, and other offsets were found in it"
)]

use super::Parser;
use crate::diag::Diagnostic;
use crate::source::{Span, replaced};
use crate::template::comment;
use crate::template::snippet::Snippet;
use crate::template::token::{Kind, Token};
use crate::template::tree::{Expr, TokenId};

impl Parser<'_> {
    /// Is the last word that begins or turns a block an `else`?
    fn is_behind_else(&self) -> bool {
        let above = self.blocks.scanner.tokens.iter().take(self.id as usize).rev();
        let mut words = above.map(|token| token.kind);
        let turns =
            |kind: &Kind| matches!(kind, Kind::Else | Kind::Elif | Kind::If | Kind::For | Kind::Def | Kind::While);
        words.find(turns) == Some(Kind::Else)
    }

    fn before(&self, id: TokenId) -> Option<Token> {
        Some(self.blocks.token(id.checked_sub(1)?))
    }

    pub(super) fn token_text(&self, token: Token) -> &[u8] {
        self.blocks.scanner.input.token(token)
    }

    /// The problem that something else was wanted here, told as the slip that it is.
    pub(super) fn slip(&self, error: &Diagnostic, want: &str) -> Option<Diagnostic> {
        let error = error.clone();
        let scanner = &self.blocks.scanner;
        let token = self.blocks.token(self.id);
        let span = |from: Token, to: Token| scanner.input.span(from.start, to.end);
        let labelled = |mut error: Diagnostic, from: Token, to: Token, text: &str| {
            if let Some(label) = error.parts_mut().labels.first_mut() {
                (label.span, label.text) = (span(from, to), text.to_owned());
            }
            error
        };
        let before = self.before(self.id);
        let told = match (self.kind, want) {
            (Kind::Comma | Kind::CloseBrace, "':'") => self.set_in_braces(&error),
            (Kind::If, "primary expression") => self.conditional_value(&error, token),
            (Kind::Reserved, _) => before.and_then(|before| self.loaded_as(&error, before, token)),
            _ => None,
        };
        if told.is_some() {
            return told;
        }
        match (self.kind, want) {
            (Kind::Else, "primary expression") => {
                let next = scanner.tokens.get(self.id as usize + 1).copied()?;
                if next.kind == Kind::Colon {
                    return self.blocks.branch_of_no_if(&error, self.id);
                }
                if next.kind != Kind::If {
                    let error = labelled(error, token, token, "`else` needs a colon behind it");
                    let behind = scanner.input.span(token.end - 1, token.end);
                    let place = Span { start: behind.end, ..behind };
                    return Some(error.help_edit("write `else:`", place, ":"));
                }
                let error = labelled(error, token, next, "`else if` is one word here");
                Some(error.help_edit("write `elif`", span(token, next), "elif"))
            }
            (Kind::Elif, "primary expression")
                if before.is_none_or(|before| before.kind == Kind::Newline) && self.is_behind_else() =>
            {
                let error = labelled(error, token, token, "`else` was above: nothing is asked behind it");
                Some(error.help("put this part in front of the `else`"))
            }
            (Kind::Newline, "primary expression")
                if before.is_some_and(|before| {
                    let is_word = matches!(before.kind, Kind::And | Kind::Or | Kind::Not | Kind::In);
                    is_word || matches!(before.kind, Kind::Plus | Kind::Star | Kind::Percent | Kind::Equal)
                }) && !self.is_doubled() =>
            {
                let sign = before?;
                let error = labelled(error, sign, sign, "the line ends behind this operator");
                let help =
                    "put the whole expression into parentheses: only inside of brackets it goes on in the next line";
                Some(error.help(help))
            }
            (Kind::Newline, "primary expression")
                if before
                    .is_some_and(|before| matches!(before.kind, Kind::If | Kind::For | Kind::While | Kind::Def)) =>
            {
                let (end, word) = (self.before(self.id.checked_sub(1)?)?, before?);
                (self.token_text(end) == b"end" && end.end < word.start).then_some(())?;
                let error = labelled(error, end, word, "a block ends with `end` alone");
                Some(error.help_edit("write `end`", span(end, word), "end"))
            }
            (Kind::Name, "','")
                if before.is_some_and(|before| before.kind == Kind::Name || self.is_argument(token)) =>
            {
                let before = before?;
                let behind = scanner.input.span(before.end - 1, before.end);
                let error = labelled(error, token, token, "a comma is missing in front of this");
                Some(error.help_edit("write the comma", Span { start: behind.end, ..behind }, ","))
            }
            (Kind::Assign, "':'") => {
                if scanner.innermost().is_some_and(|open| self.token_text(open) == b"{") {
                    let error = labelled(error, token, token, "in a dict, a colon stands between key and value");
                    return Some(error.help_edit("write `:`", span(token, token), ":"));
                }
                let error = labelled(error, token, token, "this sets a name: values are compared by `==`");
                Some(error.help_edit("write `==`", span(token, token), "=="))
            }
            (Kind::Assign, _) if self.is_in_lambda() => {
                let error =
                    labelled(error, token, token, "a function on one line sets nothing: values are compared by `==`");
                Some(error.help_edit("write `==`", span(token, token), "=="))
            }
            (Kind::Return, "primary expression") if before.is_some_and(|before| before.kind == Kind::Colon) => {
                let error = labelled(error, token, token, "a lambda gives its value without `return`");
                let behind = scanner.input.text.get(token.end as usize..)?;
                let blanks = (behind.len() - behind.trim_ascii_start().len()) as u32;
                let place = scanner.input.span(token.start, token.end + blanks);
                Some(error.help_edit("leave out `return`", place, ""))
            }
            (Kind::Name, "in") if self.token_text(token) == b"of" => {
                let error = labelled(error, token, token, "a loop goes over what stands behind `in`");
                Some(error.help_edit("write `in` for `of`", span(token, token), "in"))
            }
            (Kind::Reserved, _) if self.token_text(token) == b"is" => {
                let behind = &scanner.input.text[token.end as usize..];
                let rest = behind.trim_ascii_start().strip_prefix(b"not");
                let rest = rest.filter(|rest| rest.first().is_none_or(|next| !next.is_ascii_alphanumeric()));
                let length = rest.map_or(0, |rest| behind.len() - rest.len()) as u32;
                let sign = if length > 0 { "!=" } else { "==" };
                let last = Token { end: token.end + length, ..token };
                let error = labelled(error, token, last, "there is no `is`: values are compared");
                let place = span(token, last);
                let text = std::str::from_utf8(scanner.input.source_text()).unwrap_or_default();
                let code = scanner.input.written("");
                let more = more_of_is(text, place.end as usize, code.split(' ').next().unwrap_or_default());
                let error = more.iter().take(2).fold(error, |error, (at, length, _)| {
                    error.label(scanner.input.source_span(*at, at + length), "and here")
                });
                let further =
                    more.iter().map(|(at, length, sign)| (scanner.input.source_span(*at, at + length), *sign));
                let (whole, new) = replaced(text, std::iter::once((place, sign)).chain(further))?;
                let told = error.help_edit(format!("write `{sign}`"), whole, new);
                Some(if more.is_empty() { told } else { told.guessing() })
            }
            (Kind::Reserved, _) => {
                let (text, help) = match self.token_text(token) {
                    b"try" | b"except" | b"finally" | b"raise" => (
                        "there are no exceptions in this language",
                        "`assert.try_to(function)` of `@ytt:assert` gives a value and an error; `assert.fail(\"…\")` raises one",
                    ),
                    b"import" | b"from" => (
                        "files and modules are loaded otherwise",
                        "write `load(\"@ytt:json\", \"json\")`, or the path of a file",
                    ),
                    b"class" => {
                        ("there are no classes in this language", "make a struct: `struct.make(…)` of `@ytt:struct`")
                    }
                    b"with" | b"yield" | b"global" | b"nonlocal" | b"del" | b"as" => {
                        ("this word is reserved, and means nothing here", "another name is free")
                    }
                    _ => return None,
                };
                Some(labelled(error, token, token, text).help(help))
            }
            (_, "primary expression")
                if before.is_some_and(|before| matches!(before.kind, Kind::Plus | Kind::Minus))
                    && self.is_doubled()
                    && matches!(self.kind, Kind::Newline | Kind::End | Kind::CloseParen) =>
            {
                let (last, first) = (before?, self.before(self.id.checked_sub(1)?)?);
                let sign = if last.kind == Kind::Plus { "+" } else { "-" };
                let error = labelled(error, first, last, &format!("there is no `{sign}{sign}` here"));
                let [name, front] = [3, 4].map(|back| self.before(self.id.checked_add(1)?.checked_sub(back)?));
                let is_first = front.is_none_or(|front| front.kind == Kind::Newline || front.made);
                if let Some(name) = name.filter(|name| name.kind == Kind::Name && is_first) {
                    let counts = format!("{} {sign}= 1", String::from_utf8_lossy(self.token_text(name)));
                    return Some(error.help_edit(format!("write `{counts}`"), span(name, last), counts));
                }
                Some(error.help(format!("write `NAME {sign}= 1` on a line of its own, or `{sign} 1`")))
            }
            (_, "newline") => {
                let before = before?;
                let word = String::from_utf8_lossy(self.token_text(before)).into_owned();
                if before.kind == Kind::Name && matches!(&word[..], "elseif" | "elsif" | "elif" | "elsief") {
                    let error = labelled(error, before, before, &format!("`{word}` is no word of this language"));
                    return Some(error.help_edit("write `elif`", span(before, before), "elif"));
                }
                let other = self.closed_early(error.clone()).or_else(|| self.formatted(error.clone()));
                other.or_else(|| self.opener(&error, before))
            }
            (_, "primary expression") if before.is_some_and(|before| before.kind == Kind::Plus) => {
                let [name, assign, number, plus] = [3, 2, 1, 0].map(|back| self.before(self.id.checked_sub(back)?));
                let (name, number, plus) = (name?, number?, plus?);
                let is_count = assign?.kind == Kind::Assign && number.kind == Kind::Int && number.end == plus.start;
                (is_count && self.token_text(name) == b"expects").then_some(())?;
                let written = String::from_utf8_lossy(self.token_text(number)).into_owned();
                let error = labelled(error, number, plus, "this is a text, and needs quotes");
                Some(error.help_edit("put it into quotes", span(number, plus), format!("\"{written}+\"")))
            }
            (Kind::Ampersand | Kind::Pipe, "primary expression") => {
                let before = before.filter(|before| before.kind == self.kind && before.end == token.start)?;
                let (sign, word) = if self.kind == Kind::Pipe { ("||", "or") } else { ("&&", "and") };
                let error = labelled(error, before, token, &format!("`{sign}` is `{word}` here"));
                Some(error.help_edit(format!("write `{word}`"), span(before, token), word))
            }
            _ => {
                if let Some(row) = scanner.open_row(self.id as usize) {
                    return Some(scanner.not_closed(error, row.open, self.id as usize));
                }
                let other = self.closed_early(error.clone()).or_else(|| self.formatted(error.clone()));
                other.or_else(|| self.still_open(error))
            }
        }
    }

    /// Is this part of a lambda, with no bracket in between?
    fn is_in_lambda(&self) -> bool {
        let mut closed = 0_usize;
        for token in self.blocks.scanner.tokens.iter().take(self.id as usize).rev() {
            match token.kind {
                Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => closed = closed.saturating_add(1),
                Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace => match closed.checked_sub(1) {
                    Some(left) => closed = left,
                    None => return false,
                },
                Kind::Lambda if closed == 0 => return true,
                Kind::Newline | Kind::Comma if closed == 0 => return false,
                _ => {}
            }
        }
        false
    }

    /// A name with `=` behind it, as an argument has it.
    fn is_argument(&self, name: Token) -> bool {
        let behind = self.blocks.scanner.input.text.get(name.end as usize..).unwrap_or_default().trim_ascii_start();
        behind.starts_with(b"=") && !behind.starts_with(b"==")
    }

    /// `++` stands in front.
    fn is_doubled(&self) -> bool {
        let last = self.before(self.id);
        let first = self.id.checked_sub(1).and_then(|id| self.before(id));
        last.zip(first).is_some_and(|(last, first)| first.kind == last.kind && first.end == last.start)
    }

    /// A line that ends in a colon and begins with a word that opens no block: `f data.values.tls:`.
    fn opener(&self, error: &Diagnostic, word: Token) -> Option<Diagnostic> {
        let scanner = &self.blocks.scanner;
        let first = self.id.checked_sub(2).and_then(|id| scanner.tokens.get(id as usize));
        let is_first = first.is_none_or(|first| first.kind == Kind::Newline || first.made);
        let rest = scanner.input.text.get(word.end as usize..)?;
        let line = rest.split(|byte| *byte == b'\n').next()?.trim_ascii_end();
        if word.kind != Kind::Name || !is_first || !line.ends_with(b":") {
            return None;
        }
        let written = String::from_utf8_lossy(self.token_text(word)).into_owned();
        let meant = match &*written {
            "function" | "func" | "fn" | "fun" | "define" | "macro" => "def",
            _ if line.windows(4).any(|part| part == b" in ") => "for",
            _ => "if",
        };
        let place = scanner.input.span(word.start, word.end);
        let mut error = error.clone();
        let label = error.parts_mut().labels.first_mut()?;
        (label.span, label.text) = (place, format!("`{written}` opens no block: `if`, `for` and `def` do"));
        Some(error.help_edit(format!("did you mean `{meant}`?"), place, meant).guessing())
    }

    /// What begins a statement, or ends one, where a bracket is open.
    fn still_open(&self, error: Diagnostic) -> Option<Diagnostic> {
        let is_start = |kind| {
            use Kind::{Def, End, For, If, Load, Return, While};
            matches!(kind, Return | Def | Load | While | End | For | If)
        };
        let (open, token) = (self.blocks.scanner.innermost()?, self.blocks.token(self.id));
        let last = self.before(self.id)?;
        let apart = self.blocks.scanner.spans_lines(last.end as usize, token.start as usize);
        (apart && (is_start(self.kind) || self.kind == Kind::Name || self.kind == Kind::Assign)
            || self.kind == Kind::End)
            .then(|| self.blocks.scanner.not_closed(error, open, self.id as usize))
    }

    /// `f"…"`.
    fn formatted(&self, mut error: Diagnostic) -> Option<Diagnostic> {
        let (text, prefix) = (self.blocks.token(self.id), self.before(self.id)?);
        let is_prefix = matches!(self.token_text(prefix), b"f" | b"F" | b"rf" | b"fr");
        if self.kind != Kind::Str || prefix.end != text.start || !is_prefix {
            return None;
        }
        let span = self.blocks.scanner.input.span(prefix.start, text.end);
        let label = error.parts_mut().labels.first_mut()?;
        (label.span, label.text) = (span, "there are no f-strings in this language".to_owned());
        let written = std::str::from_utf8(self.token_text(text)).ok()?;
        // The text behind `rf` is raw: written without the `f`, it has to stay so.
        let raw = if prefix.end - prefix.start == 2 { "r" } else { "" };
        let general = "put the values in by `.format(…)`: `\"{} {}\".format(a, b)`";
        Some(match with_format(written) {
            Formatted::Code(code) => error.help_edit("put the values in by `.format(…)`", span, format!("{raw}{code}")),
            Formatted::Spec(spec) => {
                let width = spec.strip_prefix(":0").and_then(|spec| spec.strip_suffix('d')).unwrap_or(&spec);
                let way = match width.parse::<usize>() {
                    Ok(width @ 1..=9) => format!("pad it, such as `(\"{}\" + str(n))[-{width}:]`", "0".repeat(width)),
                    _ => "make that text by code first".to_owned(),
                };
                error.help(general).help(format!("neither `format` nor `%` knows `{spec}` here: {way}"))
            }
            Formatted::Unknown => error.help(general),
        })
    }

    /// A text that began where the one before should have ended: `"a + b + "c"`.
    fn closed_early(&self, mut error: Diagnostic) -> Option<Diagnostic> {
        let (token, text) = (self.blocks.token(self.id), self.before(self.id)?);
        if text.kind != Kind::Str || text.end != token.start || self.kind == Kind::Newline || token.made {
            return None;
        }
        let written = self.token_text(text);
        let quote = *written.first().filter(|quote| b"\"'".contains(quote))?;
        let inner = written.get(1..written.len().checked_sub(1)?)?;
        let separator = [" + ", " % ", " == ", " != ", " in ", " and ", " or ", ", ", "+", ","]
            .into_iter()
            .find(|end| inner.ends_with(end.as_bytes()))?;
        let mut places = (0..inner.len()).filter(|at| inner[*at..].starts_with(separator.as_bytes()));
        let (at, is_only) = (places.next()?, places.next().is_none());
        let input = self.blocks.scanner.input;
        let span = input.span(text.start, text.start + 1);
        let place = text.start + 1 + at as u32;
        let place = Span { end: input.span(place, place).start, ..input.span(place, place) };
        let second = input.span(text.end - 1, text.end);
        let label = error.parts_mut().labels.first_mut()?;
        (label.span, label.text) = (span, "the text that begins here has no quote at its end".to_owned());
        let quote = char::from(quote);
        error = error.label(second, "so it ends at this quote, where another text was meant to begin");
        let error = error.help_edit("close the text here", place, quote.to_string());
        Some(if is_only { error } else { error.guessing() })
    }

    /// `load("…")` that names nothing.
    pub(super) fn nothing_loaded(&self, path: TokenId, open: TokenId) -> Diagnostic {
        let token = self.blocks.token(path);
        let input = self.blocks.scanner.input;
        let mut error = self.error("load statement must import at least 1 symbol", open);
        let span = input.span(token.start, token.end);
        if let Some(label) = error.parts_mut().labels.first_mut() {
            (label.span, label.text) = (span, "what to load from here is not said".to_owned());
        }
        let written = self.text(path);
        let behind = Span { start: span.end, ..span };
        let text = written.trim_matches(|quote| "\"'".contains(quote));
        match text
            .strip_prefix("@ytt:")
            .filter(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric()))
        {
            Some(name) => error.help_edit(format!("load `{name}`"), behind, format!(", \"{name}\"")),
            None => error.help(format!("name what to load: `load(\"{text}\", \"NAME\")`")),
        }
    }

    /// A comma behind the last value, which makes a tuple of what stands in front of it.
    pub(super) fn trailing_comma(&self, items: &[Expr], comma: TokenId) -> Diagnostic {
        let mut error = self.error("unparenthesized tuple with trailing comma", comma);
        let scanner = &self.blocks.scanner;
        let place = self.blocks.token(comma);
        let span = scanner.input.span(place.start, place.end);
        let Some(first) = items.first().map(|item| self.blocks.token(item.first)) else { return error };
        let is_one = items.len() == 1;
        if let Some(label) = error.parts_mut().labels.first_mut() {
            let text = if is_one { "this comma makes a tuple with one item" } else { "nothing follows this comma" };
            text.clone_into(&mut label.text);
        }
        let error = error.help_edit("leave the comma out", span, "");
        let whole = scanner.input.span(first.start, place.end);
        let code = scanner.input.text.get(first.start as usize..place.end as usize).map(String::from_utf8_lossy);
        // Which of the two is meant is known to people alone.
        match code.filter(|code| is_one && !code.contains('\n') && whole.end > whole.start) {
            Some(code) => {
                let error = error.guessing();
                error.help_edit("or, if a tuple is meant, put it into brackets", whole, format!("({code})")).guessing()
            }
            None => error,
        }
    }
}

/// Says of code that begins with the name of an annotation that a blank makes the difference.
pub(in crate::template) fn annotation(source: &[u8], place: Span, error: &Diagnostic) -> Option<Diagnostic> {
    let at = place.start as usize;
    let start = source.get(..at)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line = source.get(start..)?.split(|byte| *byte == b'\n').next()?;
    let mark = line.windows(2).position(|two| two == b"#@")?;
    let behind = line.get(mark + 2..)?;
    let blanks = behind.iter().take_while(|byte| **byte == b' ').count();
    let name = behind.get(blanks..)?;
    let length = name.iter().take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'-')).count();
    let name = std::str::from_utf8(&name[..length]).ok()?;
    if blanks == 0 || !line[..mark].trim_ascii().is_empty() || !comment::is_known(name) {
        return None;
    }
    let span = |from: usize, to: usize| Span::new(place.source, (start + from) as u32, (start + to) as u32);
    let to = mark + 2 + blanks;
    let place = span(mark, to + length);
    let text = format!("read as code: the annotation `{name}` has no blank behind `#@`");
    Some(told_anew(error, place, text)?.help_edit("remove the blank", place, format!("#@{name}")))
}

/// A problem with nothing but another label in place of its first one: what it said follows from what is told now.
pub(super) fn told_anew(error: &Diagnostic, place: Span, text: String) -> Option<Diagnostic> {
    let mut error = error.clone();
    let parts = error.parts_mut();
    parts.helps.clear();
    parts.notes.clear();
    parts.labels.truncate(1);
    let label = parts.labels.first_mut()?;
    (label.span, label.text) = (place, text);
    Some(error)
}

/// What an f-string is with `format`.
#[derive(Debug, PartialEq, Eq)]
enum Formatted {
    /// `"{a} {b.c}"` with `.format(a, b.c)`, where all parts are plain expressions.
    Code(String),
    /// A part has this format, such as `:03d`, which nothing here does.
    Spec(String),
    Unknown,
}

fn with_format(written: &str) -> Formatted {
    let (mut text, mut values) = (String::new(), Vec::new());
    let mut rest = written;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at + 1]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix(brace) {
            text.push_str(brace);
            rest = behind;
            continue;
        }
        let Some((field, behind)) = rest.split_once('}').filter(|_| brace == "{") else { return Formatted::Unknown };
        let (value, spec) = field.split_at(spec_of(field));
        if value.trim().is_empty() || value.contains(['{', ':', ',', '=', '\n', '\\']) {
            return Formatted::Unknown;
        }
        match spec {
            // What these say is what is done without them.
            "" | ":s" | ":d" => {}
            "!r" | "!s" => text.push_str(spec),
            spec if spec.contains(['{', '\n', '`']) => return Formatted::Unknown,
            spec => return Formatted::Spec(spec.to_owned()),
        }
        values.push(value.trim());
        text.push('}');
        rest = behind;
    }
    text.push_str(rest);
    match values.is_empty() {
        true => Formatted::Unknown,
        false => Formatted::Code(format!("{text}.format({})", values.join(", "))),
    }
}

/// Where the format of a field begins: behind its value, which is a whole expression.
fn spec_of(field: &str) -> usize {
    let mut signs = field.match_indices([':', '!']).map(|(at, _)| at);
    let is_it = |at: &usize| !field[*at..].starts_with("!=") && Snippet::read(&field[..*at]).is_some();
    signs.find(is_it).unwrap_or(field.len())
}

/// Places that are looked at for further comparisons.
const NONES: usize = 50;

/// Further comparisons with None by `is` behind a place of a file: where each stands, how long it is, and what to write.
fn more_of_is(text: &str, behind: usize, sign_of_code: &str) -> Vec<(usize, usize, &'static str)> {
    let rest = text.get(behind..).unwrap_or_default();
    let found = rest.match_indices("None").take(NONES).filter_map(|(at, _)| {
        let none = behind.checked_add(at)?;
        let before = text.get(..none)?;
        let (code, sign) = match before.strip_suffix(" is not ") {
            Some(code) => (code, "!="),
            None => (before.strip_suffix(" is ")?, "=="),
        };
        let line = code.rsplit('\n').next()?;
        // Texts and comments may say the same, and end in another way.
        let own = line.trim_start().strip_prefix(sign_of_code)?;
        let is_code = !own.contains(['"', '#']);
        let ends = text.get(none.checked_add("None".len())?..)?;
        let ends_as_code = [":", ")", " and ", " or ", " else "].iter().any(|end| ends.starts_with(end));
        let start = code.len().checked_add(1)?;
        let length = none.checked_sub(1)?.checked_sub(start)?;
        (is_code && ends_as_code && start >= behind).then_some((start, length, sign))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{Formatted, with_format};
    use crate::Project;

    #[test]
    fn values_of_formatted_texts_become_arguments() {
        for (written, expected) in [
            (r#""{a}.{b.c}""#, Some(r#""{}.{}".format(a, b.c)"#)),
            (r#"'{{x}} {f("y")} z'"#, Some(r#"'{{x}} {} z'.format(f("y"))"#)),
            (r#""{a!r} {b:d} {c[1:]}""#, None),
            (r#""{a!r} {b:d} {c['x:y!']}""#, None),
            (r#""{a!r} {b:d}""#, Some(r#""{!r} {}".format(a, b)"#)),
            (r#""{a, b}""#, None),
            (r#""{a=}""#, None),
            (r#""{a != b}""#, None),
            (r#""{a:>3}""#, None),
            (r#""{""#, None),
            (r#""}""#, None),
            (r#""a""#, None),
        ] {
            let code = match with_format(written) {
                Formatted::Code(code) => Some(code),
                Formatted::Spec(_) | Formatted::Unknown => None,
            };
            assert_eq!(code.as_deref(), expected, "{written}");
        }
        assert_eq!(with_format(r#""{a} {b:>3}""#), Formatted::Spec(":>3".to_owned()));
    }

    /// What is said at the place, and the help with what it writes.
    fn told(code: &str) -> (String, String) {
        let project = Project::new().file("a.star", code).file("b.yml", "#@ load(\"a.star\", \"a\")\n");
        let error = project.render().expect_err(code);
        let problem = &error.diagnostics()[0];
        let label = problem.labels().next().map(|label| label.text().to_owned()).unwrap_or_default();
        let help = problem.helps().next().map(|help| match help.edit() {
            Some((_, new)) => format!("{}: `{new}`", help.text()),
            None => help.text().to_owned(),
        });
        (label, help.unwrap_or_default())
    }

    #[test]
    fn words_of_other_languages_are_known() {
        let exceptions =
            "`assert.try_to(function)` of `@ytt:assert` gives a value and an error; `assert.fail(\"…\")` raises one";
        let loading = "write `load(\"@ytt:json\", \"json\")`, or the path of a file";
        for (code, label, help) in [
            ("if a:\n  a = 1\nelse\n  a = 2\nend\n", "`else` needs a colon behind it", "write `else:`: `:`"),
            (
                "if a:\n  a = 1\nelseif b:\n  a = 2\nend\n",
                "`elseif` is no word of this language",
                "write `elif`: `elif`",
            ),
            ("a = {\"b\" = 1}\n", "in a dict, a colon stands between key and value", "write `:`: `:`"),
            ("try:\n  a = 1\nend\n", "there are no exceptions in this language", exceptions),
            ("from x import y\n", "files and modules are loaded otherwise", loading),
            (
                "class A:\nend\n",
                "there are no classes in this language",
                "make a struct: `struct.make(…)` of `@ytt:struct`",
            ),
            ("del a\n", "this word is reserved, and means nothing here", "another name is free"),
            ("a = 1\na++\n", "there is no `++` here", "write `a += 1`: `a += 1`"),
            ("a = 1\na--\n", "there is no `--` here", "write `a -= 1`: `a -= 1`"),
            ("a = 1 is None\n", "there is no `is`: values are compared", "write `==`: `==`"),
            (
                "a = 1 if True\n",
                "this has no `else`: what is it otherwise?",
                "write behind the condition what it is otherwise: `1 if True else …`",
            ),
            ("load(\"x\")\n", "what to load from here is not said", "name what to load: `load(\"x\", \"NAME\")`"),
            (
                "a = fr\"{b} c\"\n",
                "there are no f-strings in this language",
                "put the values in by `.format(…)`: `r\"{} c\".format(b)`",
            ),
        ] {
            assert_eq!(told(code), (label.to_owned(), help.to_owned()), "{code}");
        }
    }
}
