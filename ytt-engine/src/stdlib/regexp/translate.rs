//! Patterns in Go's syntax to patterns of the crate `regex`.
//!
//! Both match in the same way, so one pass over the text is enough: what means the same stays, what differs is written
//! anew (characters, classes, `\b`, flags), and what only the crate takes is refused with Go's words. Groups are numbered
//! by the crate; their names stay here, for Go allows the same one twice.

use super::{NESTING, class};

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

/// The greatest count of a repetition, also of nested ones together.
const MOST_REPEATS: u32 = 1000;

/// Translates the bytes of a pattern.
pub(super) fn translate(pattern: &[u8]) -> Result<Translated, Wrong> {
    match std::str::from_utf8(pattern) {
        Ok(pattern) => Parser::new(pattern).parse(),
        Err(error) => {
            let at = error.valid_up_to();
            let part = String::from_utf8_lossy(pattern.split_at(at).1).into_owned();
            Err(Wrong { kind: "invalid UTF-8", part, at })
        }
    }
}

/// An open parenthesis, or the whole pattern.
#[derive(Debug, Default)]
struct Group {
    /// Where it begins in what is written.
    start: usize,
    /// Was flag `U` set before it?
    lazy: bool,
    /// What a repetition would repeat.
    item: Option<Item>,
    /// The largest product of nested counts in front of that.
    repeats: u32,
}

/// A piece of what is written.
#[derive(Clone, Copy, Debug)]
struct Item {
    start: usize,
    end: usize,
    is_repeated: bool,
    /// How often it was put into a group to be repeated again.
    wrapped: u32,
    /// The largest product of nested counts.
    repeats: u32,
}

/// A repetition operator.
#[derive(Clone, Copy, Debug)]
enum Repeat {
    Sign(char),
    Counts(u32, Option<u32>),
}

pub(super) struct Parser<'a> {
    pattern: &'a str,
    pub(super) at: usize,
    out: String,
    /// Is flag `U` set? The other flags are the crate's business.
    lazy: bool,
    outer: Vec<Group>,
    group: Group,
    names: Vec<Option<String>>,
}

type Attempt<T> = Result<T, Wrong>;

#[allow(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    reason = "`at` only moves over whole characters of the pattern, and offsets of an item are within what is written"
)]
impl<'a> Parser<'a> {
    fn new(pattern: &'a str) -> Parser<'a> {
        let (out, group) = (String::new(), Group::default());
        Parser { pattern, at: 0, out, lazy: false, outer: Vec::new(), group, names: Vec::new() }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.pattern[self.at..]
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

    /// Takes what stands before `end`, and `end`.
    pub(super) fn take_until(&mut self, end: &str) -> Option<&'a str> {
        let (taken, _) = self.rest().split_once(end)?;
        self.at += taken.len() + end.len();
        Some(taken)
    }

    /// An error that shows the pattern from `from` up to here.
    pub(super) fn wrong(&self, kind: &'static str, from: usize) -> Wrong {
        Wrong { kind, part: self.pattern[from..self.at].to_owned(), at: from }
    }

    pub(super) fn wrong_to_end(&self, kind: &'static str, from: usize) -> Wrong {
        Wrong { kind, part: self.pattern[from..].to_owned(), at: from }
    }

    fn parse(mut self) -> Attempt<Translated> {
        // Where the repetition began that the previous token was.
        let mut last_repeat = None;
        while self.at < self.pattern.len() {
            let from = self.at;
            let repeat = self.repetition()?;
            match repeat {
                Some(repeat) => self.repeat(repeat, from, last_repeat)?,
                None => self.token()?,
            }
            last_repeat = repeat.map(|_| from);
        }
        if !self.outer.is_empty() {
            return Err(self.wrong_to_end("missing closing )", 0));
        }
        Ok(Translated { pattern: self.out, names: self.names })
    }

    /// Writes what a repetition can follow.
    fn item(&mut self, text: &str) {
        let start = self.out.len();
        self.out.push_str(text);
        self.set_item(Some(Item { start, end: self.out.len(), is_repeated: false, wrapped: 0, repeats: 0 }));
    }

    /// Sets what a repetition would repeat; the counts of what came before are kept.
    fn set_item(&mut self, item: Option<Item>) {
        let before = std::mem::replace(&mut self.group.item, item);
        self.group.repeats = self.group.repeats.max(before.map_or(0, |item| item.repeats));
    }

    fn literal(&mut self, character: u32) {
        self.item(&class::literal(character));
    }

    fn token(&mut self) -> Attempt<()> {
        let from = self.at;
        match self.next() {
            Some('(') if self.take("?") => self.special_group(from)?,
            Some('(') => self.open("(", Some(None), self.lazy),
            Some('|') => {
                self.out.push('|');
                self.set_item(None);
            }
            Some(')') => {
                let Some(outer) = self.outer.pop() else { return Err(self.wrong_to_end("unexpected )", 0)) };
                self.out.push(')');
                self.set_item(None);
                let Group { start, lazy, repeats, .. } = std::mem::replace(&mut self.group, outer);
                self.lazy = lazy;
                self.set_item(Some(Item { start, end: self.out.len(), is_repeated: false, wrapped: 0, repeats }));
            }
            Some(sign @ ('^' | '$' | '.')) => self.item(sign.encode_utf8(&mut [0; 4])),
            Some('[') => {
                let class = class::bracketed(self, from)?;
                self.item(&class);
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
    fn backslash(&mut self) -> Attempt<()> {
        let from = self.at;
        for (text, written) in [("\\A", "\\A"), ("\\b", "(?-u:\\b)"), ("\\B", "(?-u:\\B)"), ("\\z", "\\z")] {
            if self.take(text) {
                self.item(written);
                return Ok(());
            }
        }
        if self.take("\\C") {
            return Err(self.wrong("invalid escape sequence", from));
        }
        if self.take("\\Q") {
            let rest = self.rest();
            let literals = self.take_until("\\E").unwrap_or_else(|| {
                self.at = self.pattern.len();
                rest
            });
            literals.chars().for_each(|character| self.literal(u32::from(character)));
            return Ok(());
        }
        if let Some(class) = class::escaped(self)? {
            self.item(&class);
            return Ok(());
        }
        let character = class::escape(self)?;
        self.literal(character);
        Ok(())
    }

    /// Opens a parenthesis, behind which flag `U` is `lazy` again; `name` is that of a capturing one.
    fn open(&mut self, text: &str, name: Option<Option<String>>, lazy: bool) {
        let start = self.out.len();
        self.out.push_str(text);
        self.names.extend(name);
        self.outer.push(std::mem::replace(&mut self.group, Group { start, lazy, item: None, repeats: 0 }));
    }

    /// After `(?`.
    fn special_group(&mut self, from: usize) -> Attempt<()> {
        if self.rest().len() > 2 && self.take("P<") {
            let Some(name) = self.take_until(">") else {
                return Err(self.wrong_to_end("invalid named capture", from));
            };
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return Err(self.wrong("invalid named capture", from));
            }
            self.open("(", Some(Some(name.to_owned())), self.lazy);
            return Ok(());
        }
        // The crate refuses a flag that is named twice, so only the last word on each is written.
        let (mut set, mut cleared) = (String::new(), String::new());
        let (outer, mut on, mut saw_flag) = (self.lazy, true, false);
        loop {
            match self.next() {
                Some('U') => self.lazy = on,
                Some(flag @ ('i' | 'm' | 's')) => {
                    set.retain(|known| known != flag);
                    cleared.retain(|known| known != flag);
                    if on { set.push(flag) } else { cleared.push(flag) }
                }
                Some('-') if on => {
                    (on, saw_flag) = (false, false);
                    continue;
                }
                Some(end @ (':' | ')')) if on || saw_flag => {
                    let minus = if cleared.is_empty() { "" } else { "-" };
                    let text = format!("(?{set}{minus}{cleared}{end}");
                    match end {
                        ':' => self.open(&text, None, outer),
                        _ if text != "(?)" => self.out.push_str(&text),
                        _ => {}
                    }
                    return Ok(());
                }
                _ => return Err(self.wrong("invalid or unsupported Perl syntax", from)),
            }
            saw_flag = true;
        }
    }

    /// Takes a repetition operator.
    fn repetition(&mut self) -> Attempt<Option<Repeat>> {
        let from = self.at;
        match self.rest().chars().next() {
            Some(sign @ ('*' | '+' | '?')) => {
                self.at += 1;
                Ok(Some(Repeat::Sign(sign)))
            }
            Some('{') => match self.counts() {
                Some((Some(least), Some(most)))
                    if least <= MOST_REPEATS && most.is_none_or(|most| least <= most && most <= MOST_REPEATS) =>
                {
                    Ok(Some(Repeat::Counts(least, most)))
                }
                Some(_) => Err(self.wrong("invalid repeat count", from)),
                None => {
                    self.at = from;
                    Ok(None)
                }
            },
            _ => Ok(None),
        }
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
    fn repeat(&mut self, repeat: Repeat, from: usize, last_repeat: Option<usize>) -> Attempt<()> {
        let lazy = self.take("?") != self.lazy;
        if let Some(first) = last_repeat {
            return Err(self.wrong("invalid nested repetition operator", first));
        }
        let Some(mut item) = self.group.item else {
            return Err(self.wrong("missing argument to repetition operator", from));
        };
        let mut operator = match repeat {
            Repeat::Sign(sign) => sign.to_string(),
            Repeat::Counts(least, None) => format!("{{{least},}}"),
            Repeat::Counts(least, Some(most)) => format!("{{{least},{most}}}"),
        };
        if let Repeat::Counts(least, most) = repeat {
            // What is repeated at most zero times counts for nothing, an open end for its minimum.
            item.repeats = match most.unwrap_or(least) {
                0 if most.is_some() => 0,
                0 => item.repeats,
                factor => factor.saturating_mul(item.repeats.max(1)),
            };
            if (least >= 2 || most.is_some_and(|most| most >= 2)) && item.repeats > MOST_REPEATS {
                return Err(self.wrong("invalid repeat count", from));
            }
        }
        if lazy {
            operator.push('?');
        }
        // Flags may stand behind the item: `a(?i)*` repeats the `a`, and `a*(?i)?` the `a*`.
        if item.is_repeated {
            item.wrapped += 1;
            if item.wrapped > NESTING {
                return Err(self.wrong_to_end("expression nests too deeply", 0));
            }
            self.out.insert_str(item.start, "(?:");
            operator.insert(0, ')');
            item.end += "(?:".len();
        }
        self.out.insert_str(item.end, &operator);
        self.group.item = Some(Item { end: item.end + operator.len(), is_repeated: true, ..item });
        Ok(())
    }
}
