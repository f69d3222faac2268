//! Random trees and texts, the same for the same seed.
//!
//! Trees hold every kind of value at every place, with texts put together of what printing must mind. Texts follow the
//! grammar loosely: most of them read. A mutated text differs in a few places, and most of those do not read.

use super::tree::Tree;
use crate::yaml::{Arena, Body, NodeId, PosId, Raw, Val};

/// Numbers that only depend on the seed: xorshift.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        // Seeds that are close must not begin alike, and 0 would stay 0.
        Random(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below that one.
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((self.bits() >> 33) % end as u64) as usize
    }

    /// True once in so many times.
    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Parts of texts that a printer must mind.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    " ", "  ", "\n", "\n\n", "\t", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{A0}", "é", "日",
    "😀", "\0", "\x1B", "\x7F", "\u{9F}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{FFFE}", "\u{10FFFF}", "a", "x y",
    "#", " #", ":", ": ", "-", "- ", "? ", "?", "'", "\"", "\\", ",", "[", "]", "{", "}", "&", "*", "!", "|", ">",
    "%", "@", "`", "---", "...", "=", "<", "<<", "0", "1", "e", "+", "_", ".", "0x", "0b1", "0o7", "1e5", ".inf",
    ".NaN", "null", "~", "yes", "True", "off", "2001-01-01", "12:30:45", "190:20", "T00:00:00Z",
];

const NUMBERS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    1.5,
    99_999.0,
    100_000.5,
    999_999.0,
    999_999.5,
    1e6,
    -1e6,
    1e15,
    1e20,
    1e21,
    1e22,
    1e-4,
    1e-5,
    1e-7,
    123_456_789.123,
    9_007_199_254_740_993.0,
    9_223_372_036_854_775_807.0,
    18_446_744_073_709_551_616.0,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// A tree with so many levels at most.
pub(super) fn tree(random: &mut Random, depth: usize) -> Tree {
    match random.below(if depth == 0 { 6 } else { 12 }) {
        6..=8 => Tree::Map((0..random.below(4)).map(|_| (key(random), tree(random, depth - 1))).collect()),
        9..=11 => Tree::Array((0..random.below(4)).map(|_| tree(random, depth - 1)).collect()),
        _ => scalar(random),
    }
}

fn key(random: &mut Random) -> Tree {
    match random.below(24) {
        0 => Tree::Map(Vec::new()),
        1 => Tree::Array(Vec::new()),
        2 => Tree::Map((0..1 + random.below(3)).map(|_| (scalar(random), tree(random, 1))).collect()),
        3 => Tree::Text("k".repeat(126 + random.below(5)).into()),
        4 => Tree::Text("é".repeat(62 + random.below(5)).into()),
        _ => scalar(random),
    }
}

fn scalar(random: &mut Random) -> Tree {
    match random.below(16) {
        0 => Tree::Null,
        1 => Tree::Bool(random.one_in(2)),
        2 => Tree::Int(random.bits() as i64 >> random.below(64)),
        3 => Tree::UInt(random.bits() | 1 << 63),
        4 => Tree::Float(NUMBERS[random.below(NUMBERS.len())]),
        5 => Tree::Float(f64::from_bits(random.bits())),
        6 => Tree::Float((random.below(4_000_000) as f64 - 2e6) / [1.0, 2.0, 10.0, 1000.0][random.below(4)]),
        7 => {
            let bytes: Vec<u8> = (0..random.below(70)).map(|_| random.bits() as u8).collect();
            Tree::Text(bytes)
        }
        _ => Tree::Text((0..random.below(5)).map(|_| random.pick(PARTS)).collect::<String>().into()),
    }
}

/// Puts a tree into an arena: collections as nodes or, here and there, as lists and dicts of code.
pub(super) fn build(random: &mut Random, arena: &mut Arena, tree: &Tree) -> Val {
    match tree {
        Tree::Null => Val::Null,
        Tree::Bool(value) => Val::Bool(*value),
        Tree::Int(value) => Val::Int(*value),
        Tree::UInt(value) => Val::UInt(*value),
        Tree::Float(value) => Val::Float(*value),
        Tree::Text(bytes) => arena.make_bytes(bytes),
        Tree::Map(entries) => {
            let entries: Vec<(Val, Val)> =
                entries.iter().map(|(key, value)| (build(random, arena, key), build(random, arena, value))).collect();
            if random.one_in(4) {
                return arena.add_raw(Raw::Dict(entries));
            }
            let items =
                entries.into_iter().map(|(key, value)| arena.add(Body::MapItem(key, value), PosId(0))).collect();
            Val::Node(arena.add(Body::Map(items), PosId(0)))
        }
        Tree::Array(items) => {
            let values: Vec<Val> = items.iter().map(|item| build(random, arena, item)).collect();
            if random.one_in(4) {
                return arena.add_raw(Raw::List(values));
            }
            let items = values.into_iter().map(|value| arena.add(Body::ArrayItem(value), PosId(0))).collect();
            Val::Node(arena.add(Body::Array(items), PosId(0)))
        }
    }
}

/// Documents of an arena.
pub(super) fn documents(random: &mut Random, arena: &mut Arena) -> Vec<NodeId> {
    let add = |random: &mut Random, arena: &mut Arena| {
        let depth = random.below(5);
        let tree = tree(random, depth);
        let value = build(random, arena, &tree);
        arena.add(Body::Doc(value), PosId(0))
    };
    (0..1 + random.below(3)).map(|_| add(random, arena)).collect()
}

#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "a", "b", "name", "x y", "1", "-1", "0x1F", "010", "1_000", "1.5", "1e3", ".5", ".inf", "-.inf", ".nan", "~",
    "null", "true", "no", "on", "y", "2001-01-01", "12:30", "a:b", "a#b", "-a", "a-", "a,b", "=", "é日", "😀",
    "18446744073709551615", "9223372036854775808", "1e400", "a'b", "a\"b", "a\\b", "http://x/y?z", "\u{FEFF}x",
    "a\tb",
];

/// As many of [`QUOTED`] stand on one line.
const ONE_LINE: usize = 8;

#[rustfmt::skip]
const QUOTED: &[&str] = &[
    "''", "\"\"", "'it''s'", "\"\\n\\t\\x41\\u00e9\\U0001F600\"", "'a # b'", "\"a: b\"", "'<<'", "\"1\"",
    "'a\n\n  b'", "\"a\\\n  \\  b\"", "\"a\n\n\n  b\"", "'x\u{2028}  y'", "\"\\0\\e\\_\\N\\L\\P\"",
];

const TAGS: &[&str] = &["!!str ", "!!str ", "! ", "!x ", "!<y> ", "!!map ", "!!merge ", "!!int "];

const COMMENTS: &[&str] = &["#! c", "#@ 1", "# c", "#", "#@ if x:", "#@overlay/match missing_ok=True", "#! é "];

const HEADERS: &[&str] = &["|", ">", "|-", ">-", "|+", ">+", "|2", ">1", "|2-", "|+1", "| #c"];

/// Characters and words that are put into texts by mutation.
#[rustfmt::skip]
const NOISE: &[&str] = &[
    " ", "  ", "\n", "\n\n", "\t", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{FEFF}", "\0", "\x7F", ":", ": ", "- ",
    "-", "? ", "#", " #", "#@ x", ",", "[", "]", "{", "}", "&a ", "*a", "*a ", "!", "!!", "|", ">", "'", "\"", "%",
    "@", "`", "\\", "---", "--- ", "\n---\n", "\n...\n", "...", "<<: ", "<<", "~", "0", "é", "😀", "{}", "[]",
    "\n%YAML 1.1\n---\n", "a: ", "a: 1\n",
];

/// Writes texts.
pub(super) struct Writer<'a> {
    random: &'a mut Random,
    out: String,
    anchors: usize,
}

/// The text of a file.
pub(super) fn text(random: &mut Random) -> String {
    let mut writer = Writer { random, out: String::new(), anchors: 0 };
    writer.file();
    writer.out
}

/// Changes a text at a few places.
pub(super) fn mutate(random: &mut Random, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            2 if at < bytes.len() => bytes[at] = random.bits() as u8,
            _ => drop(bytes.splice(at..at, random.pick(NOISE).bytes())),
        }
    }
    bytes
}

impl Writer<'_> {
    fn file(&mut self) {
        if self.random.one_in(4) {
            self.comment_line(0);
        }
        for index in 0..1 + self.random.below(3) {
            let marked = index > 0 || self.random.one_in(3);
            if marked && self.random.one_in(8) {
                self.out.push_str(if self.random.one_in(2) { "%YAML 1.1\n" } else { "%TAG !e! tag:e,1:\n" });
            }
            if marked {
                self.out.push_str("---");
            }
            self.anchors = 0;
            match self.random.below(8) {
                0 => {
                    self.out.push_str(if marked { " " } else { "" });
                    self.inline(0);
                    self.line_end();
                }
                1 if marked => self.line_end(),
                2 if marked => self.block_text(0),
                _ => {
                    if marked {
                        self.line_end();
                    }
                    let depth = 1 + self.random.below(4);
                    self.collection(0, depth);
                }
            }
            if self.random.one_in(12) {
                self.out.push_str("...\n");
            }
        }
        if self.random.one_in(6) {
            self.comment_line(0);
        }
    }

    /// A block collection whose items stand at a column; the line is empty so far.
    fn collection(&mut self, column: usize, depth: usize) {
        let is_map = !self.random.one_in(3);
        for _ in 0..1 + self.random.below(4) {
            self.noise_lines(column);
            self.indent(column);
            self.item(is_map, column, depth);
        }
    }

    fn item(&mut self, is_map: bool, column: usize, depth: usize) {
        if !is_map {
            self.out.push('-');
            // A collection may begin behind the indicator.
            if depth > 0 && self.random.one_in(4) {
                self.out.push(' ');
                let is_map = self.random.one_in(2);
                self.item(is_map, column + 2, depth - 1);
                return;
            }
        } else if self.random.one_in(16) && depth > 0 {
            self.out.push_str("? ");
            let is_map = self.random.one_in(2);
            if self.random.one_in(2) {
                self.item(is_map, column + 2, depth - 1)
            } else {
                self.simple_end()
            }
            if self.random.one_in(4) {
                return;
            }
            self.indent(column);
            self.out.push(':');
        } else if self.random.one_in(16) && self.anchors > 0 {
            self.out.push_str("<<: ");
            self.alias();
            self.line_end();
            return;
        } else {
            self.properties();
            let key =
                if self.random.one_in(6) { self.random.pick(&QUOTED[..ONE_LINE]) } else { self.random.pick(PLAIN) };
            self.out.push_str(key);
            self.out.push_str(if self.random.one_in(12) { " :" } else { ":" });
        }
        self.value(is_map, column, depth);
    }

    /// What follows `-` or `key:`.
    fn value(&mut self, is_map: bool, column: usize, depth: usize) {
        match self.random.below(10) {
            0 => self.line_end(),
            1 => self.block_text(column),
            2..=5 if depth > 0 => {
                if self.random.one_in(5) {
                    self.out.push(' ');
                    self.properties();
                }
                self.line_end();
                let deeper = if is_map && self.random.one_in(4) { 0 } else { 1 + self.random.below(4) };
                // Only a list may stand in the column of its key.
                if deeper == 0 {
                    self.indent(column);
                    self.item(false, column, depth - 1);
                } else {
                    self.collection(column + deeper, depth - 1);
                }
            }
            6 if self.anchors > 0 => {
                self.out.push(' ');
                self.alias();
                self.line_end();
            }
            _ => {
                self.out.push(' ');
                self.properties();
                self.inline(2);
                self.line_end();
            }
        }
    }

    fn simple_end(&mut self) {
        self.inline(1);
        self.line_end();
    }

    /// A scalar or flow collection.
    fn inline(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0 | 1 => self.out.push_str(self.random.pick(QUOTED)),
            6 | 7 => {
                let is_map = self.random.one_in(2);
                self.out.push(if is_map { '{' } else { '[' });
                for _ in 0..self.random.below(4) {
                    if is_map || self.random.one_in(8) {
                        let key = if self.random.one_in(3) {
                            self.random.pick(&QUOTED[..ONE_LINE])
                        } else {
                            self.random.pick(PLAIN)
                        };
                        self.out.push_str(key);
                        self.out.push_str(": ");
                    }
                    if self.random.one_in(4) {
                        self.properties();
                    }
                    if self.anchors > 0 && self.random.one_in(8) {
                        self.alias()
                    } else {
                        self.inline(depth - 1)
                    }
                    self.out.push(',');
                    if self.random.one_in(6) {
                        self.line_end();
                        self.out.push(' ');
                    }
                    self.out.push(' ');
                }
                self.out.push(if is_map { '}' } else { ']' });
            }
            _ => self.out.push_str(self.random.pick(PLAIN)),
        }
    }

    fn block_text(&mut self, column: usize) {
        self.out.push(' ');
        self.out.push_str(self.random.pick(HEADERS));
        self.out.push('\n');
        let indent = column + 1 + self.random.below(3);
        for _ in 0..self.random.below(4) {
            if self.random.one_in(4) {
                self.out.push('\n');
            }
            self.indent(indent);
            let words = ["x", " y", "# z", "a: b", "- c", "\té", "x  ", "'", "---", "😀"];
            self.out.push_str(self.random.pick(&words));
            self.out.push_str(self.random.pick(&["\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\u{2028}\n"]));
        }
    }

    fn properties(&mut self) {
        if self.random.one_in(8) {
            self.anchors += 1;
            self.out.push_str(&format!("&a{} ", self.anchors));
        }
        if self.random.one_in(16) {
            self.out.push_str(self.random.pick(TAGS));
        }
    }

    fn alias(&mut self) {
        let number = 1 + self.random.below(self.anchors);
        self.out.push_str(&format!("*a{number} "));
    }

    fn line_end(&mut self) {
        if self.random.one_in(6) {
            self.out.push(' ');
            self.out.push_str(self.random.pick(COMMENTS));
        }
        self.out.push_str(if self.random.one_in(40) { "\r\n" } else { "\n" });
    }

    fn noise_lines(&mut self, column: usize) {
        if self.random.one_in(8) {
            self.comment_line(column);
        }
        if self.random.one_in(12) {
            self.out.push('\n');
        }
    }

    fn comment_line(&mut self, column: usize) {
        let column = if self.random.one_in(3) { self.random.below(8) } else { column };
        self.indent(column);
        self.out.push_str(self.random.pick(COMMENTS));
        self.out.push('\n');
    }

    fn indent(&mut self, column: usize) {
        self.out.extend(std::iter::repeat_n(' ', column));
    }
}
