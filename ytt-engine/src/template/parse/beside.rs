//! Blocks in one column of YAML of which one has no `end`: what stands between them tells whether the next one begins in
//! the one before, or beside it.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "turns, blocks and tokens have the numbers of their lists, and offsets are those of lines of the text"
)]

use super::blocks::Blocks;
use super::lines::{blanks, line_end, line_of, line_start};
use super::pairs::{Block, Turn, TurnKind};
use crate::diag::Diagnostic;
use crate::quoted;
use crate::source::Span;
use crate::template::token::Kind;

/// How the next block stands to the one before.
enum Stands {
    /// What comes in front of it is in the block before, and is such a node as it makes itself.
    Beside,
    Inside,
}

/// What a line of YAML begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Document,
    Item,
    Key,
}

impl Node {
    pub(super) fn of(line: &[u8]) -> Node {
        match line {
            b"-" => Node::Item,
            _ if line.starts_with(b"- ") => Node::Item,
            _ if line.starts_with(b"---") => Node::Document,
            _ => Node::Key,
        }
    }
}

impl Blocks<'_> {
    /// Says which of several blocks in one column has no `end`, where what they hold tells. The first one is where the
    /// language sees the problem.
    pub(super) fn say_beside(
        &self,
        error: &Diagnostic,
        turns: &[Turn],
        first: &Block,
        flat: &[&Block],
    ) -> Option<Diagnostic> {
        let heads: Vec<usize> = std::iter::once(first.opens).chain(flat.iter().map(|block| block.opens)).collect();
        let stands: Vec<(usize, usize, Stands)> = heads
            .windows(2)
            .filter(|pair| !turns[pair[0]..pair[1]].iter().any(|turn| turn.kind == TurnKind::Closes))
            .filter(|pair| self.token(turns[pair[0]].token).kind != Kind::Def)
            .map(|pair| Some((pair[0], pair[1], self.stands(turns, pair[0], pair[1], flat)?)))
            .collect::<Option<_>>()?;
        let mut beside = stands.iter().filter(|(.., stands)| matches!(stands, Stands::Beside));
        match (beside.next(), beside.next(), flat) {
            (Some((block, next, _)), None, _) => match self.may_be_within(turns, (first, flat), *block, *next) {
                Some(last) => self.either(error, turns, (first, flat), (*block, *next, last)),
                None => self.ends_above(error, turns, *block, *next),
            },
            (None, None, [inner]) if !stands.is_empty() => self.ends_below(error, turns, first, inner),
            (None, None, [inner, ..]) => {
                // The first one holds the second; where it ends is told by those that follow.
                let is_held =
                    stands.first().is_some_and(|(block, next, _)| (*block, *next) == (first.opens, inner.opens));
                is_held.then(|| self.held(error, turns, first, flat))?
            }
            _ => None,
        }
    }

    /// Whether a block begins in the one before it, if that is told.
    fn stands(&self, turns: &[Turn], block: usize, next: usize, flat: &[&Block]) -> Option<Stands> {
        let (above, own) = (self.first_node(turns, block, next), self.first_node(turns, next, turns.len())?);
        let Some(above) = above else {
            // Code in between may be for either.
            let is_next = turns[block..next].len() == 1 && !self.has_code(turns, block, next);
            return is_next.then_some(Stands::Inside);
        };
        // A key behind the items of a list ends the block further up.
        self.outgrown(turns, &Block { opens: block, closes: None }).is_none().then_some(())?;
        let closes = flat.iter().find(|other| other.opens == next)?.closes?;
        if self.uses_variable(turns, block, next, closes) || self.is_value(turns, block, next, own) {
            return Some(Stands::Inside);
        }
        // A block of one more time the same condition makes no sense in the first one. A key in the column of items is behind
        // their list.
        let is_same = self.code_of(turns[block]) == self.code_of(turns[next]);
        let is_behind = above.1 == Node::Item && own == (above.0, Node::Key);
        (is_same || is_behind || above == own).then_some(Stands::Beside)
    }

    /// Whether a block makes the value of the key in the last line above it.
    fn is_value(&self, turns: &[Turn], block: usize, next: usize, (column, node): (usize, Node)) -> bool {
        let end = line_start(self.scanner.input.source_text(), turns[next].at);
        let lines = self.body(turns, block, end).filter(|line| !line.trim_ascii_start().starts_with(b"#"));
        lines.last().is_some_and(|line| {
            let (own, key) = (blanks(line), line.trim_ascii());
            let is_below = column > own || column == own && node == Node::Item && Node::of(key) == Node::Key;
            is_below && key.ends_with(b":")
        })
    }

    /// The column of the first node in a block, and what it is. It stands in front of the turn `before`.
    pub(super) fn first_node(&self, turns: &[Turn], block: usize, before: usize) -> Option<(usize, Node)> {
        let text = self.scanner.input.source_text();
        let end = turns.get(before).map_or(text.len(), |turn| line_start(text, turn.at));
        let content = self.body(turns, block, end).find(|line| !line.trim_ascii_start().starts_with(b"#"))?;
        Some((blanks(content), Node::of(content.trim_ascii())))
    }

    fn has_code(&self, turns: &[Turn], block: usize, next: usize) -> bool {
        let end = line_start(self.scanner.input.source_text(), turns[next].at);
        self.body(turns, block, end).any(|line| line.trim_ascii_start().starts_with(b"#@"))
    }

    /// Lines behind the head of a block that are not empty.
    fn body(&self, turns: &[Turn], block: usize, end: usize) -> impl Iterator<Item = &[u8]> {
        let input = self.scanner.input;
        let (_, header) = self.header_of(turns[block].token);
        let start = line_end(input.source_text(), input.place(header as u32 - 1).0 as usize);
        let lines = input.source_text().get(start..end).unwrap_or_default().split(|byte| *byte == b'\n');
        lines.filter(|line| !line.trim_ascii().is_empty())
    }

    /// Whether a block asks for what the loop before it goes through.
    fn uses_variable(&self, turns: &[Turn], block: usize, next: usize, closes: usize) -> bool {
        self.uses_variable_in(turns, block, turns[next].at, turns[closes].at)
    }

    /// Whether code between two places asks for what a loop goes through.
    pub(super) fn uses_variable_in(&self, turns: &[Turn], block: usize, from: usize, to: usize) -> bool {
        let text = self.scanner.input.source_text();
        let code = self.code_of(turns[block]);
        let Some((names, _)) = code.strip_prefix("for ").and_then(|code| code.split_once(" in ")) else { return false };
        let lines = String::from_utf8_lossy(text.get(from..to).unwrap_or_default());
        // Behind the head of the block only code counts: a key may have the name.
        let code = lines.lines().enumerate().map(|(number, line)| match line.find("#@").or_else(|| line.find("(@")) {
            _ if number == 0 => line,
            Some(at) => line.get(at..).unwrap_or_default(),
            None => "",
        });
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = code.flat_map(|line| line.split(|letter| !is_word(letter)));
        words.any(|word| !word.is_empty() && names.split(|letter| !is_word(letter)).any(|name| name == word))
    }

    /// A block that is over where the next one begins.
    fn ends_above(&self, error: &Diagnostic, turns: &[Turn], block: usize, next: usize) -> Option<Diagnostic> {
        let text = self.scanner.input.source_text();
        let (at, line) = self.end_line(turns[block], line_start(text, turns[next].at))?;
        let mut error = error.clone();
        error.parts_mut().labels.clear();
        error = error.label(self.head(turns, block), "this block has no `end`");
        let (code, word) = (self.code_of(turns[block]), self.word(turns[next]));
        let label = match self.code_of(turns[next]) == code {
            true => format!("one more `{word}` of the same in its column"),
            false => format!("this `{word}` begins beside it, in its column"),
        };
        error = error.label(self.head(turns, next), label);
        Some(error.help_edit(format!("end `{code}` where the next block begins"), at, line).guessing())
    }

    /// The last `end` of two blocks, if the second one may as well be a part of the other: their ends stand together, or there
    /// is one, and the second asks for more of what the first one asks for.
    fn may_be_within(
        &self,
        turns: &[Turn],
        (first, flat): (&Block, &[&Block]),
        block: usize,
        next: usize,
    ) -> Option<usize> {
        let closes = |opens: usize| flat.iter().find(|block| block.opens == opens)?.closes;
        let inner = closes(next)?;
        if self.code_of(turns[block]) == self.code_of(turns[next]) {
            return None;
        }
        if first.opens == block {
            return asks_more(&self.code_of(turns[block]), &self.code_of(turns[next])).then_some(inner);
        }
        let (text, last) = (self.scanner.input.source_text(), closes(block)?);
        let between = text.get(line_end(text, turns[inner].at)..line_start(text, turns[last].at))?;
        (last == inner + 1 && between.trim_ascii().is_empty()).then_some(last)
    }

    /// Says that an `end` is missing behind all, or in front of the second block, where nothing tells which.
    fn either(
        &self,
        error: &Diagnostic,
        turns: &[Turn],
        (first, flat): (&Block, &[&Block]),
        (block, next, last): (usize, usize, usize),
    ) -> Option<Diagnostic> {
        let text = self.scanner.input.source_text();
        let below = self.end_line(turns[block], line_end(text, turns[last].at))?;
        let above = self.end_line(turns[block], line_start(text, turns[next].at))?;
        let mut told = error.clone();
        told.parts_mut().labels.clear();
        if first.opens != block {
            let text = format!("{} blocks begin from here on, but one of them has no `end`", flat.len() + 1);
            told = told.label(self.head(turns, first.opens), text);
        }
        let (outer, inner) = (self.word(turns[block]), self.word(turns[next]));
        told = told.label(self.head(turns, block), format!("either this `{outer}` ends in front of the next block,"));
        told = told.label(self.head(turns, next), format!("or this `{inner}` is a part of it"));
        let end = self.token(turns[last].token);
        let end = self.scanner.input.span(end.start, end.end);
        let which = if first.opens == block { format!("inner `{inner}`") } else { format!("outer `{outer}`") };
        told = told.label(end, format!("if it is, this `end` is that of the {which}"));
        let (outer, inner) = (self.code_of(turns[block]), self.code_of(turns[next]));
        let is_of_it = asks_more(&outer, &inner);
        let (within, beside) = match is_of_it {
            true => (
                format!("write one more `end` here, so that `{inner}` is a part of `{outer}`"),
                format!("or end `{outer}` in front of it, so that they stand beside each other"),
            ),
            false => (
                format!("or write one more `end` here, so that `{inner}` is a part of it"),
                format!("end `{outer}` where the next block begins"),
            ),
        };
        let (within, beside) = ((within, below), (beside, above));
        let helps = if is_of_it { [within, beside] } else { [beside, within] };
        Some(helps.into_iter().fold(told, |told, (text, (at, line))| told.help_edit(text, at, line).guessing()))
    }

    /// Says of a block that holds the next one, with others behind that: either it ends behind the one that it holds, or the
    /// others are parts of it too.
    fn held(&self, error: &Diagnostic, turns: &[Turn], first: &Block, flat: &[&Block]) -> Option<Diagnostic> {
        let text = self.scanner.input.source_text();
        let (inner, others) = flat.split_first()?;
        let within = self.first_node(turns, inner.opens, inner.closes?)?;
        let own = self.first_node(turns, first.opens, inner.opens).unwrap_or(within);
        let (mut end, mut next, mut last) = (inner.closes?, None, None);
        let mut parts = 0_usize;
        for other in others.iter().filter(|other| other.opens > inner.opens) {
            let from = last.unwrap_or(end);
            if other.opens < from {
                // It stands in one of them.
                continue;
            }
            let between = text.get(line_end(text, turns[from].at)..line_start(text, turns[other.opens].at))?;
            let is_beside = between
                .split(|byte| *byte == b'\n')
                .map(<[u8]>::trim_ascii)
                .all(|line| line.is_empty() || line.starts_with(b"#") && !line.starts_with(b"#@ "));
            if !is_beside {
                break;
            }
            let (node, closes) = (self.first_node(turns, other.opens, other.closes?)?, other.closes?);
            match next {
                None if node == own => next = Some(other.opens),
                // It goes on with the value that the first one began.
                None if node == within => {
                    end = closes;
                    continue;
                }
                Some(_) if node == own => {}
                None => return None,
                Some(_) => break,
            }
            parts += 1;
            last = Some(closes);
        }
        let (next, last) = (next?, last?);
        // What asks for the variable of a loop is in the loop.
        (!self.uses_variable_in(turns, first.opens, turns[end].at, turns[last].at)).then_some(())?;
        let behind = self.end_line(turns[first.opens], line_end(text, turns[end].at))?;
        let below = self.end_line(turns[first.opens], line_end(text, turns[last].at))?;
        let (outer, inside, following) =
            (self.word(turns[first.opens]), self.word(turns[inner.opens]), self.word(turns[next]));
        let mut told = error.clone();
        told.parts_mut().labels.clear();
        let text = format!("either this `{outer}` ends in front of the `{following}` below,");
        told = told.label(self.head(turns, first.opens), text);
        told = told.label(self.head(turns, inner.opens), format!("this `{inside}` is in it"));
        let closing = self.token(turns[inner.closes?].token);
        told = told.label(self.scanner.input.span(closing.start, closing.end), format!("closes that `{inside}`"));
        told = told.label(self.head(turns, next), format!("or this `{following}` is a part of it, too"));
        let (code, part) = (self.code_of(turns[first.opens]), self.code_of(turns[next]));
        // A condition of nothing but another one would have been written as one.
        let is_bare = outer == "if" && inside == "if" && self.first_node(turns, first.opens, inner.opens).is_none();
        let is_of_it = is_bare || asks_more(&code, &part);
        let parts = match parts {
            1 => format!("`{part}` is a part of it"),
            _ => format!("`{part}` and the blocks behind it are parts of it"),
        };
        let (end, more) = match is_of_it {
            true => (format!("or end `{code}` in front of it"), format!("write one more `end` here, so that {parts}")),
            false => {
                (format!("end `{code}` in front of `{part}`"), format!("or write one more `end` here, so that {parts}"))
            }
        };
        let (end, more) = ((end, behind), (more, below));
        let helps = if is_of_it { [more, end] } else { [end, more] };
        Some(helps.into_iter().fold(told, |told, (text, (at, line))| told.help_edit(text, at, line).guessing()))
    }

    /// A block that begins with another one: of two ends the one that is there is the inner one's.
    fn ends_below(&self, error: &Diagnostic, turns: &[Turn], block: &Block, inner: &Block) -> Option<Diagnostic> {
        let closes = inner.closes?;
        let text = self.scanner.input.source_text();
        let below = line_end(text, turns[closes].at);
        // What stands below it in the same column may belong to it as well.
        let behind = text.get(below..).unwrap_or_default().split(|byte| *byte == b'\n');
        let mut behind = behind.filter(|line| !line.trim_ascii().is_empty());
        let (indent, first) = self.first_node(turns, inner.opens, closes)?;
        let above = self.first_node(turns, block.opens, inner.opens);
        let goes_on = behind.next().is_some_and(|line| {
            let (column, node) = (blanks(line), Node::of(line.trim_ascii()));
            above.is_some_and(|above| column > above.0 || (column, node) == above)
                || column > indent
                || column == indent && (node == first || first == Node::Key && node == Node::Item)
        });
        (!goes_on).then_some(())?;
        let (at, line) = self.end_line(turns[block.opens], below)?;
        let mut error = error.clone();
        error.parts_mut().labels.clear();
        error = error.label(self.head(turns, block.opens), "this block has no `end`");
        let word = self.word(turns[inner.opens]);
        error = error.label(self.head(turns, inner.opens), format!("this `{word}` begins in it"));
        let end = self.token(turns[closes].token);
        error = error.label(self.scanner.input.span(end.start, end.end), format!("closes that `{word}`"));
        let code = self.code_of(turns[block.opens]);
        Some(error.help_edit(format!("`{code}` ends here too"), at, line).guessing())
    }

    pub(super) fn head(&self, turns: &[Turn], block: usize) -> Span {
        let (start, end) = self.header_of(turns[block].token);
        self.scanner.input.span(start as u32, end as u32)
    }

    /// The line that ends a block of YAML, for the start of a line.
    pub(super) fn end_line(&self, header: Turn, at: usize) -> Option<(Span, String)> {
        let input = self.scanner.input;
        let text = input.source_text();
        header.column.filter(|_| !input.is_text())?;
        let line = line_of(text, line_start(text, header.at), line_end(text, header.at));
        line.trim_ascii_start().starts_with(b"#@ ").then_some(())?;
        let newline = if text.get(..at)?.ends_with(b"\n") { "" } else { "\n" };
        let line = format!("{newline}{}{}\n", " ".repeat(blanks(line)), input.written("end"));
        Some((input.source_span(at, at), line))
    }
}

/// Names of what switches on all that stands beside it.
const SWITCHES: [&str; 6] = ["active", "enable", "enabled", "on", "use", "used"];

/// Does the condition of a block ask for a part of what the one before asks about? `x.y` and `x.y.z`, or `x.enabled` and
/// `x.y`.
fn asks_more(outer: &str, inner: &str) -> bool {
    if outer.starts_with("for ") || inner.starts_with("for ") {
        return false;
    }
    // What texts say is no path.
    let ((outer, _), (inner, _)) = (quoted::outside(outer), quoted::outside(inner));
    let is_of_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let paths = |code: &'_ str| -> Vec<String> {
        let words = code.split(|letter| !is_of_path(letter)).filter(|word| word.contains('.'));
        words.map(str::to_owned).collect()
    };
    let inner = paths(&inner);
    let is_of = |path: &str| inner.iter().any(|own| own.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')));
    paths(&outer).iter().any(|path| {
        let switched = path.rsplit_once('.').filter(|(_, name)| SWITCHES.contains(name)).map(|(parent, _)| parent);
        is_of(path) || switched.filter(|parent| *parent != "data.values").is_some_and(is_of)
    })
}
