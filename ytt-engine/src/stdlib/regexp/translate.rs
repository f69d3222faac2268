//! Patterns in Go's syntax to patterns of the crate `regex`.
//!
//! A parser of its own, since the two differ in what they take (`\d`, classes in classes, names of groups, `{` as a
//! literal …): nothing of a pattern is passed on as it is. Groups are numbered by the crate; their names stay here, for
//! Go allows the same one twice.

use super::class::{self, NEVER};

/// A translated pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Translated {
    pub(super) pattern: String,
    /// The name of each group, in order.
    pub(super) names: Vec<Option<String>>,
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) kind: &'static str,
    /// The part that the message shows.
    pub(super) part: String,
    /// Where the part begins.
    pub(super) at: usize,
}

const HIGHEST: u32 = 1000;
const MOST_REPEATS: u32 = 1000;

/// Translates the bytes of a pattern.
pub(super) fn translate(pattern: &[u8]) -> Result<Translated, Wrong> {
    let valid = pattern.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let result = Parser::new(valid).parse();
    if valid.len() == pattern.len() {
        return result;
    }
    match result {
        // This is wrong whatever follows.
        Err(wrong) if wrong.at + wrong.part.len() < valid.len() => Err(wrong),
        _ => {
            let part = String::from_utf8_lossy(&pattern[valid.len()..]).into_owned();
            Err(Wrong { kind: "invalid UTF-8", part, at: valid.len() })
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) fold: bool,
    pub(super) multi_line: bool,
    pub(super) dot_newline: bool,
    pub(super) lazy: bool,
}

/// A part of the pattern, translated.
#[derive(Debug)]
struct Piece {
    text: Rope,
    /// How deep the tree of Go's parser would be.
    height: u32,
    /// The largest product of nested counts.
    repeats: u32,
}

/// Text in parts, so that nesting costs nothing.
#[derive(Debug)]
enum Rope {
    Text(String),
    Parts(Vec<Rope>),
}

impl Rope {
    fn write(&self, out: &mut String) {
        match self {
            Rope::Text(text) => out.push_str(text),
            Rope::Parts(parts) => parts.iter().for_each(|part| part.write(out)),
        }
    }

    fn wrapped(before: &str, inner: Rope, after: String) -> Rope {
        Rope::Parts(vec![Rope::Text(before.to_owned()), inner, Rope::Text(after)])
    }
}

/// An open parenthesis, or the whole pattern.
#[derive(Debug, Default)]
struct Level {
    branches: Vec<Piece>,
    items: Vec<Piece>,
    /// Flags to go back to behind the parenthesis.
    outer: Flags,
    captures: bool,
}

pub(super) struct Parser<'a> {
    pattern: &'a str,
    pub(super) at: usize,
    pub(super) flags: Flags,
    levels: Vec<Level>,
    names: Vec<Option<String>>,
}

type Step<T> = Result<T, Wrong>;

impl<'a> Parser<'a> {
    fn new(pattern: &'a str) -> Parser<'a> {
        Parser { pattern, at: 0, flags: Flags::default(), levels: vec![Level::default()], names: Vec::new() }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.pattern[self.at..]
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        &self.pattern[from..to]
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// An error that shows the pattern from `from` up to here.
    pub(super) fn wrong(&self, kind: &'static str, from: usize) -> Wrong {
        Wrong { kind, part: self.pattern[from..self.at].to_owned(), at: from }
    }

    pub(super) fn wrong_to_end(&self, kind: &'static str, from: usize) -> Wrong {
        Wrong { kind, part: self.pattern[from..].to_owned(), at: from }
    }

    fn parse(mut self) -> Step<Translated> {
        // Where the repetition began that the previous token was.
        let mut last_repeat = None;
        while self.at < self.pattern.len() {
            let from = self.at;
            let repeat = self.repetition()?;
            match repeat {
                Some((operator, least, most)) => self.repeat(operator, least, most, from, last_repeat)?,
                None => self.token()?,
            }
            last_repeat = repeat.map(|_| from);
        }
        let whole = self.close()?;
        if !self.levels.is_empty() {
            return Err(self.wrong_to_end("missing closing )", 0));
        }
        let mut pattern = String::new();
        whole.text.write(&mut pattern);
        Ok(Translated { pattern, names: self.names })
    }

    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn push(&mut self, text: impl Into<String>) {
        let piece = Piece { text: Rope::Text(text.into()), height: 1, repeats: 0 };
        self.level().items.push(piece);
    }

    fn literal(&mut self, character: u32) {
        let text = match (char::from_u32(character), self.flags.fold) {
            (None, _) => NEVER.to_owned(),
            (Some(_), false) => format!("\\x{{{character:x}}}"),
            (Some(_), true) => format!("(?i:\\x{{{character:x}}})"),
        };
        self.push(text);
    }

    fn token(&mut self) -> Step<()> {
        let from = self.at;
        match self.next() {
            Some('(') => {
                self.at = from;
                if self.rest().starts_with("(?") {
                    return self.special_group();
                }
                self.at += 1;
                self.open(self.flags, Some(None));
            }
            Some('|') => {
                let branch = self.branch()?;
                self.level().branches.push(branch);
            }
            Some(')') => {
                if self.levels.len() == 1 {
                    return Err(self.wrong_to_end("unexpected )", 0));
                }
                let group = self.close()?;
                self.level().items.push(group);
            }
            Some('^') => self.push(if self.flags.multi_line { "(?m:^)" } else { "\\A" }),
            Some('$') => self.push(if self.flags.multi_line { "(?m:$)" } else { "\\z" }),
            Some('.') => self.push(if self.flags.dot_newline { "(?s:.)" } else { "[^\\n]" }),
            Some('[') => {
                let class = class::bracketed(self, from)?;
                self.push(class);
            }
            Some('\\') => {
                self.at = from;
                self.backslash()?;
            }
            Some(other) => self.literal(u32::from(other)),
            None => {}
        }
        Ok(())
    }

    /// At a backslash outside of a class.
    fn backslash(&mut self) -> Step<()> {
        let from = self.at;
        for (text, emitted) in [("\\A", "\\A"), ("\\b", "(?-u:\\b)"), ("\\B", "(?-u:\\B)"), ("\\z", "\\z")] {
            if self.take(text) {
                self.push(emitted);
                return Ok(());
            }
        }
        if self.take("\\C") {
            return Err(self.wrong("invalid escape sequence", from));
        }
        if self.take("\\Q") {
            let length = self.rest().find("\\E");
            let literals = &self.rest()[..length.unwrap_or(self.rest().len())];
            self.at += literals.len() + length.map_or(0, |_| 2);
            literals.chars().for_each(|character| self.literal(u32::from(character)));
            return Ok(());
        }
        if let Some(item) = class::escaped(self)? {
            self.push(class::alone(&item, self.flags.fold));
            return Ok(());
        }
        let character = class::escape(self)?;
        self.literal(character);
        Ok(())
    }

    /// Opens a parenthesis; `name` is that of a capturing one.
    fn open(&mut self, outer: Flags, name: Option<Option<String>>) {
        let captures = name.is_some();
        self.names.extend(name);
        self.levels.push(Level { outer, captures, ..Level::default() });
    }

    /// At `(?`.
    fn special_group(&mut self) -> Step<()> {
        let from = self.at;
        let outer = self.flags;
        if self.rest().len() > 4 && self.take("(?P<") {
            let Some(length) = self.rest().find('>') else {
                return Err(self.wrong_to_end("invalid named capture", from));
            };
            let name = &self.rest()[..length];
            self.at += length + 1;
            let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if name.is_empty() || !name.bytes().all(word) {
                return Err(self.wrong("invalid named capture", from));
            }
            self.open(outer, Some(Some(name.to_owned())));
            return Ok(());
        }
        self.at += 2;
        let (mut flags, mut on, mut saw_flag) = (outer, true, false);
        loop {
            match self.next() {
                Some('i') => flags.fold = on,
                Some('m') => flags.multi_line = on,
                Some('s') => flags.dot_newline = on,
                Some('U') => flags.lazy = on,
                Some('-') if on => {
                    (on, saw_flag) = (false, false);
                    continue;
                }
                Some(end @ (':' | ')')) if on || saw_flag => {
                    if end == ':' {
                        self.open(outer, None);
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => return Err(self.wrong("invalid or unsupported Perl syntax", from)),
            }
            saw_flag = true;
        }
    }

    /// The items since the last bar, as one piece.
    fn branch(&mut self) -> Step<Piece> {
        let items = std::mem::take(&mut self.level().items);
        self.joined(items, "")
    }

    /// Ends the innermost level.
    fn close(&mut self) -> Step<Piece> {
        let last = self.branch()?;
        self.level().branches.push(last);
        let Some(level) = self.levels.pop() else { unreachable!("a level was just asked for") };
        self.flags = level.outer;
        let mut piece = self.joined(level.branches, "|")?;
        let open = if level.captures { "(" } else { "(?:" };
        piece.text = Rope::wrapped(open, piece.text, ")".to_owned());
        if level.captures {
            piece.height = self.checked_height(piece.height + 1)?;
        }
        Ok(piece)
    }

    fn joined(&self, pieces: Vec<Piece>, between: &str) -> Step<Piece> {
        let many = pieces.len() > 1;
        let (mut height, mut repeats, mut parts) = (1, 0, Vec::with_capacity(pieces.len()));
        for piece in pieces {
            height = height.max(piece.height + u32::from(many));
            repeats = repeats.max(piece.repeats);
            if !parts.is_empty() && !between.is_empty() {
                parts.push(Rope::Text(between.to_owned()));
            }
            parts.push(piece.text);
        }
        Ok(Piece { text: Rope::Parts(parts), height: self.checked_height(height)?, repeats })
    }

    fn checked_height(&self, height: u32) -> Step<u32> {
        if height > HIGHEST { Err(self.wrong_to_end("expression nests too deeply", 0)) } else { Ok(height) }
    }

    /// Takes a repetition operator: its text, its least and its greatest count.
    fn repetition(&mut self) -> Step<Option<(&'static str, u32, Option<u32>)>> {
        let from = self.at;
        let simple = match self.rest().as_bytes().first() {
            Some(b'*') => ("*", 0, None),
            Some(b'+') => ("+", 0, None),
            Some(b'?') => ("?", 0, None),
            Some(b'{') => {
                let Some((least, most)) = self.counts() else {
                    self.at = from;
                    return Ok(None);
                };
                return match (least, most) {
                    (Some(least), Some(most)) if most.is_none_or(|most| least <= most && most <= MOST_REPEATS) => {
                        if least > MOST_REPEATS {
                            return Err(self.wrong("invalid repeat count", from));
                        }
                        Ok(Some(("{", least, most)))
                    }
                    _ => Err(self.wrong("invalid repeat count", from)),
                };
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(simple))
    }

    /// `{n}`, `{n,}` or `{n,m}`; a number that is far too large is `None` inside, an absent maximum `Some(None)`.
    fn counts(&mut self) -> Option<(Option<u32>, Option<Option<u32>>)> {
        self.take("{");
        let least = self.count()?;
        if !self.take(",") {
            return self.take("}").then_some((least, least.map(Some)));
        }
        if self.take("}") {
            return Some((least, Some(None)));
        }
        let most = self.count()?;
        self.take("}").then_some((least, most.map(Some)))
    }

    /// Digits without leading zeros.
    fn count(&mut self) -> Option<Option<u32>> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let text = &self.rest()[..digits];
        if text.is_empty() || (text.len() > 1 && text.starts_with('0')) {
            return None;
        }
        self.at += digits;
        Some(if digits > 8 { None } else { text.parse().ok() })
    }

    /// Repeats the last item; `from` is where the operator, which was taken, begins.
    fn repeat(
        &mut self,
        operator: &str,
        least: u32,
        most: Option<u32>,
        from: usize,
        last_repeat: Option<usize>,
    ) -> Step<()> {
        let lazy = self.take("?") != self.flags.lazy;
        if let Some(first) = last_repeat {
            return Err(self.wrong("invalid nested repetition operator", first));
        }
        let Some(item) = self.level().items.pop() else {
            return Err(self.wrong("missing argument to repetition operator", from));
        };
        let (mut after, mut repeats) = (format!("){operator}"), item.repeats);
        if operator == "{" {
            after = match most {
                Some(most) if most == least => format!("){{{least}}}"),
                Some(most) => format!("){{{least},{most}}}"),
                None => format!("){{{least},}}"),
            };
            // What is repeated at most zero times counts for nothing, an open end for its minimum.
            repeats = match most.unwrap_or(least) {
                0 if most.is_some() => 0,
                0 => repeats,
                factor => factor.saturating_mul(repeats.max(1)),
            };
            if (least >= 2 || most.is_some_and(|most| most >= 2)) && repeats > MOST_REPEATS {
                return Err(self.wrong("invalid repeat count", from));
            }
        }
        if lazy {
            after.push('?');
        }
        let height = self.checked_height(item.height + 1)?;
        let text = Rope::wrapped("(?:", item.text, after);
        self.level().items.push(Piece { text, height, repeats });
        Ok(())
    }
}
