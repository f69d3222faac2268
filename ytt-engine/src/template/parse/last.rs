//! A function of YAML whose last `end` is taken by the last block in it: one of the two has none. What the block holds and the
//! other functions of the file may tell where it ends; where nothing does, nobody is shown a place.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "turns, blocks and parts have the numbers of their lists, and offsets are those of lines of the text"
)]

use super::beside::Node;
use super::blocks::Blocks;
use super::lines::{blanks, line_end, line_of, line_start};
use super::pairs::{Block, Turn, TurnKind};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::template::token::Kind;

/// Parts of a block, keys and functions that are looked at.
const MOST: usize = 40;

/// A node or a block that stands in a block beside others, with the comments above it.
#[derive(Debug)]
struct Part {
    start: usize,
    end: usize,
    key: Option<String>,
    /// What stands behind the key, if that is no code.
    literal: Option<String>,
    /// An item of a list that is a scalar without code.
    is_plain: bool,
    is_item: bool,
}

/// A key of the map that a function makes.
#[derive(Debug)]
struct Key {
    name: String,
    literal: Option<String>,
    place: Span,
    /// The block of the function that it stands in.
    within: Option<usize>,
}

/// How many parts belong to a block, what is said of that, and the place that tells it.
struct Told {
    parts: usize,
    text: String,
    by: Option<(Span, String)>,
    /// What to do otherwise.
    other: Option<String>,
}

impl Blocks<'_> {
    /// Says where the `end` of the last block of a function belongs, whose own closes that block now, directly in front of the
    /// next function.
    pub(super) fn say_last(
        &self,
        error: &Diagnostic,
        turns: &[Turn],
        blocks: &[Block],
        (first, flat): (&Block, &[&Block]),
    ) -> Option<Diagnostic> {
        let block = flat.iter().max_by_key(|block| block.closes)?;
        let closes = block.closes?;
        let is_function = self.token(turns[first.opens].token).kind == Kind::Def;
        let text = self.scanner.input.source_text();
        let behind = text.get(line_end(text, turns[closes].at)..)?.split(|byte| *byte == b'\n');
        let is_comment = |line: &[u8]| line.starts_with(b"#") && !line.starts_with(b"#@");
        let next = behind.map(<[u8]>::trim_ascii).find(|line| !line.is_empty() && !is_comment(line));
        let is_last = next.is_none_or(|line| line.starts_with(b"#@ def ") || line == b"---");
        (is_function && is_last).then_some(())?;
        // The last branch is the one that goes on.
        let branch = self.last_branch(turns, block.opens, closes)?;
        let parts = self.parts(turns, branch, closes)?;
        let (code, line) = (self.code_of(turns[block.opens]), self.scanner.input.written("end"));
        let told = by_single(&parts, &code)
            .or_else(|| self.by_variable(turns, (branch, closes), &parts))
            .or_else(|| {
                // What an earlier branch has, too, belongs to the block.
                let is_whole = branch == block.opens;
                is_whole.then(|| self.by_others(turns, blocks, (first, block.opens), &parts)).flatten()
            })
            .or_else(|| self.by_condition(turns, (first, block.opens, branch), &parts));
        let Some(Told { parts: count, text: help, by, other }) = told else {
            // Any of several blocks may be the one.
            let is_one = flat.len() == 1;
            let (start, end) = (parts.first()?.start, line_start(text, turns[closes].at));
            let lines = [start, end.checked_sub(1)?, end].map(|at| self.line_number(at));
            let [from, to, at] = lines;
            let help = format!(
                "write one more `{line}` below line {at} if all of the lines {from} to {to} belong to `{code}`, else \
                 below the last one that does"
            );
            return is_one.then(|| error.clone().help(help));
        };
        let at = match parts.get(count) {
            Some(next) => next.start,
            None => line_end(text, turns[closes].at),
        };
        let (place, new) = self.end_line(turns[block.opens], at)?;
        let mut error = error.clone();
        if let Some((place, label)) = by {
            error = error.label(place, label);
        }
        let error = error.help_edit(help, place, new).guessing();
        Some(other.into_iter().fold(error, Diagnostic::help))
    }

    /// The lines of the blocks of which one may end further up, or of the last of them, if they are few: who has to look for
    /// its end sees them.
    pub(super) fn shown_whole(&self, turns: &[Turn], flat: &[&Block]) -> Option<Span> {
        const LINES: usize = 16;
        let text = self.scanner.input.source_text();
        let last = flat.iter().max_by_key(|block| block.closes)?;
        let end = turns[last.closes?].at;
        let is_short = |from: &usize| {
            let lines = text.get(*from..end).unwrap_or_default();
            lines.iter().filter(|byte| **byte == b'\n').count() <= LINES
        };
        let starts = [flat.first()?.opens, last.opens].map(|opens| turns[opens].at);
        let start = starts.into_iter().find(is_short)?;
        Some(self.scanner.input.source_span(start, end))
    }

    /// The turn with which the last branch of a block begins.
    fn last_branch(&self, turns: &[Turn], opens: usize, closes: usize) -> Option<usize> {
        let (mut depth, mut last) = (0_usize, opens);
        for (at, turn) in turns.iter().enumerate().take(closes).skip(opens + 1) {
            match turn.kind {
                TurnKind::Opens => depth += 1,
                TurnKind::Closes => depth = depth.checked_sub(1)?,
                TurnKind::Turns if depth == 0 => last = at,
                TurnKind::Turns => {}
            }
        }
        (depth == 0).then_some(last)
    }

    /// What stands in a branch of a block, one beside the other.
    fn parts(&self, turns: &[Turn], branch: usize, closes: usize) -> Option<Vec<Part>> {
        let (column, first) = self.first_node(turns, branch, closes)?;
        let text = self.scanner.input.source_text();
        let last = line_start(text, turns[closes].at);
        let mut parts: Vec<Part> = Vec::new();
        let mut above = None;
        let is_beside =
            |own: usize, node: Node| own <= column && !(first == Node::Key && node == Node::Item && own == column);
        self.walk(turns, branch, closes, |from, content, depth, opened| {
            let trimmed = content.trim_ascii();
            let is_part = match opened {
                _ if depth > 0 => false,
                Some(opens) => {
                    let own = self.first_node(turns, opens, closes);
                    own.is_some_and(|(own, node)| is_beside(own, node))
                }
                // It belongs to the node below.
                None if trimmed.starts_with(b"#") => {
                    if blanks(content) <= column {
                        above.get_or_insert(from);
                    }
                    return;
                }
                None => is_beside(blanks(content), Node::of(trimmed)),
            };
            let start = above.take().unwrap_or(from);
            if is_part {
                let is_item = opened.is_none() && Node::of(trimmed) == Node::Item;
                let key = if opened.is_none() { key_of(trimmed) } else { None };
                let literal = key.as_ref().and_then(|_| literal_of(trimmed));
                parts.push(Part { start, end: last, key, literal, is_plain: is_item && is_plain(trimmed), is_item });
            }
        })?;
        for at in 1..parts.len() {
            parts[at - 1].end = parts[at].start;
        }
        for part in &mut parts {
            part.is_plain &= text[part.start..part.end].trim_ascii().iter().all(|byte| *byte != b'\n');
        }
        (1..=MOST).contains(&parts.len()).then_some(parts)
    }

    /// Goes through the lines of a branch of a block that are not empty: where each begins, what is in it, how many blocks of the
    /// branch are around it, and which one it opens. `None` if blocks end that do not begin there.
    fn walk(
        &self,
        turns: &[Turn],
        branch: usize,
        closes: usize,
        mut each: impl FnMut(usize, &[u8], usize, Option<usize>),
    ) -> Option<()> {
        let text = self.scanner.input.source_text();
        let (_, header) = self.header_of(turns[branch].token);
        let at = self.scanner.input.place(u32::try_from(header).ok()?.checked_sub(1)?).0 as usize;
        let (mut line, last) = (line_end(text, at), line_start(text, turns.get(closes)?.at));
        let (mut depth, mut next) = (0_usize, branch + 1);
        while line < last {
            let (from, to) = (line, line_end(text, line));
            line = to;
            let (around, mut opened) = (depth, None);
            while let Some(turn) = turns.get(next).filter(|turn| next < closes && turn.at < to) {
                match turn.kind {
                    TurnKind::Opens => {
                        opened = Some(next);
                        depth += 1;
                    }
                    TurnKind::Closes => depth = depth.checked_sub(1)?,
                    TurnKind::Turns => {}
                }
                next += 1;
            }
            let content = line_of(text, from, to);
            if !content.trim_ascii().is_empty() {
                // What closes itself on its line is about the node below.
                each(from, content, around, opened.filter(|_| depth > around));
            }
        }
        Some(())
    }

    /// A loop goes on as far as its variable is used. What no part of it uses says nothing, and so does a loop that sets names:
    /// what uses those belongs to it as well.
    fn by_variable(&self, turns: &[Turn], (branch, closes): (usize, usize), parts: &[Part]) -> Option<Told> {
        (self.token(turns[branch].token).kind == Kind::For).then_some(())?;
        let (from, to) = self.lines_between(turns, branch, closes)?;
        let body = String::from_utf8_lossy(self.scanner.input.source_text().get(from..to)?);
        (!body.lines().any(sets_names)).then_some(())?;
        let is_used = |part: &Part| self.uses_variable_in(turns, branch, part.start, part.end);
        let used = parts.iter().rposition(is_used)? + 1;
        let code = self.code_of(turns[branch]);
        Some(ended(parts, used, &code))
    }

    /// What the other functions of the file have in no block stands behind this one, and what they have in such a block is in it.
    fn by_others(
        &self,
        turns: &[Turn],
        blocks: &[Block],
        (function, block): (&Block, usize),
        parts: &[Part],
    ) -> Option<Told> {
        let column = turns[function.opens].column;
        let is_other = |other: &&Block| {
            let is_def = self.token(turns[other.opens].token).kind == Kind::Def;
            is_def && other.opens != function.opens && turns[other.opens].column == column
        };
        let others: Vec<Vec<Key>> = blocks
            .iter()
            .filter(is_other)
            .filter_map(|other| self.keys(turns, other.opens, other.closes?))
            .take(MOST)
            .collect();
        let above = self.keys(turns, function.opens, block).unwrap_or_default();
        let own = above.iter().take(MOST).map(|key| &*key.name);
        let own: Vec<&str> = own.chain(parts.iter().filter_map(|part| part.key.as_deref())).collect();
        let code = self.code_of(turns[block]);
        let free =
            |name: &str| others.iter().find_map(|other| free_key(other, name).filter(|_| is_like(other, &own, name)));
        let is_bound = |name: &str| others.iter().flatten().any(|key| key.name == name && key.within.is_some());
        let is_free = |part: &Part| part.key.as_deref().is_some_and(|key| free(key).is_some());
        let behind = parts.iter().position(is_free);
        if let Some((count, name)) = behind.and_then(|at| Some((at, parts[at].key.as_deref()?))) {
            let is_apart = |part: &Part| part.key.as_deref().is_none_or(|key| !is_bound(key));
            let is_clear = count > 0 && parts[count..].iter().all(is_apart);
            // Another value is that of another case.
            let differs =
                |key: &&Key| parts[count].literal.as_ref().zip(key.literal.as_ref()).is_some_and(|(own, it)| own != it);
            let key = free(name).filter(|key| is_clear && !differs(key))?;
            let text = match count {
                1 => format!("in other functions `{name}` is in no block: `{code}` ends above it"),
                _ => format!("in other functions `{name}` is in no block: `{code}` ends above it, or further up"),
            };
            let other = format!("or write it below the `end` that is there, if all of it belongs to `{code}`");
            let by = Some((key.place, format!("here `{name}` is in no block")));
            return Some(Told { parts: count, text, by, other: Some(other) });
        }
        let name = parts.last()?.key.as_deref()?;
        let is_it = |key: &&Key| key.name == name && key.within.is_some_and(|head| self.code_of(turns[head]) == code);
        let key = others.iter().flatten().find(is_it)?;
        let text = format!("both `{code}` and the function end here");
        let by = Some((key.place, format!("here `{name}` is in `{code}`, too")));
        Some(Told { parts: parts.len(), text, by, other: None })
    }

    /// The keys of the map that a function makes, as far as a turn.
    fn keys(&self, turns: &[Turn], opens: usize, before: usize) -> Option<Vec<Key>> {
        let (column, first) = self.first_node(turns, opens, before)?;
        (first == Node::Key).then_some(())?;
        let (mut keys, mut around) = (Vec::new(), Vec::new());
        self.walk(turns, opens, before, |from, content, depth, opened| {
            around.truncate(depth);
            around.extend(opened);
            let trimmed = content.trim_ascii();
            if opened.is_some() || trimmed.starts_with(b"#") || blanks(content) != column {
                return;
            }
            if let Some(name) = key_of(trimmed) {
                let start = from + column;
                let place = self.scanner.input.source_span(start, start + name.len());
                keys.push(Key { name, literal: literal_of(trimmed), place, within: around.first().copied() });
            }
        })?;
        Some(keys)
    }

    /// What code in the block uses of the condition; and items of one list, of which those that are always there stand above.
    fn by_condition(
        &self,
        turns: &[Turn],
        (function, block, branch): (&Block, usize, usize),
        parts: &[Part],
    ) -> Option<Told> {
        let code = self.code_of(turns[block]);
        let condition = code.strip_prefix("if ").filter(|_| branch == block)?;
        let text = self.scanner.input.source_text();
        let written = |part: &Part| String::from_utf8_lossy(&text[part.start..part.end]);
        let is_of_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let is_used = |part: &Part| {
            let lines = written(part);
            let mut code = lines.lines().filter_map(|line| line.get(line.find("#@")?..));
            code.any(|code| code.split(|letter| !is_of_path(letter)).any(|path| path == condition))
        };
        let are_items = parts.iter().all(|part| part.is_item);
        let words = words_of(condition);
        let named = parts.iter().rposition(|part| {
            let own = words_of(&written(part));
            words.iter().any(|word| own.contains(word))
        });
        if let Some(used) = parts.iter().rposition(is_used).filter(|_| condition.chars().all(is_of_path)) {
            // `NO_PROXY` belongs to `proxy`, too.
            let last = used.max(named.unwrap_or_default());
            return (are_items || used + 1 == parts.len()).then(|| ended(parts, last + 1, &code));
        }
        if !parts.iter().all(|part| part.is_plain) || !self.is_in_list(turns, function, block, parts.first()?) {
            return None;
        }
        if named.is_some_and(|named| named + 1 < parts.len()) {
            return None;
        }
        let line = self.scanner.input.written("end");
        Some(Told {
            parts: parts.len(),
            text: format!("if all of these items belong to `{code}`, both it and the function end here"),
            by: None,
            other: Some(format!("otherwise write `{line}` below the last item that belongs to `{code}`")),
        })
    }

    /// Whether items of the list that a block adds to stand right in front of it.
    fn is_in_list(&self, turns: &[Turn], function: &Block, block: usize, part: &Part) -> bool {
        let text = self.scanner.input.source_text();
        let column = blanks(line_of(text, part.start, line_end(text, part.start)));
        let Some((from, to)) = self.lines_between(turns, function.opens, block) else { return false };
        let mut lines = text.get(from..to).unwrap_or_default().split(|byte| *byte == b'\n');
        let last = lines.rfind(|line| !line.trim_ascii().is_empty());
        last.is_some_and(|line| blanks(line) == column && Node::of(line.trim_ascii()) == Node::Item)
    }

    fn lines_between(&self, turns: &[Turn], opens: usize, next: usize) -> Option<(usize, usize)> {
        let text = self.scanner.input.source_text();
        let (_, header) = self.header_of(turns[opens].token);
        let at = self.scanner.input.place(u32::try_from(header).ok()?.checked_sub(1)?).0 as usize;
        Some((line_end(text, at), line_start(text, turns[next].at)))
    }

    fn line_number(&self, at: usize) -> usize {
        let above = self.scanner.input.source_text().get(..at).unwrap_or_default();
        above.iter().filter(|byte| **byte == b'\n').count() + 1
    }
}

/// A block that would be empty without its only part.
fn by_single(parts: &[Part], code: &str) -> Option<Told> {
    let text = format!("both `{code}` and the function end here");
    (parts.len() == 1).then_some(Told { parts: 1, text, by: None, other: None })
}

/// What is said where something in the block tells.
fn ended(parts: &[Part], count: usize, code: &str) -> Told {
    let (text, other) = match count == parts.len() {
        true => (format!("both `{code}` and the function end here"), None),
        false => (
            format!("the last `end` may be that of the function: then `{code}` ends here, or further down"),
            Some(format!("or write it below the `end` that is there, if all of it belongs to `{code}`")),
        ),
    };
    Told { parts: count, text, by: None, other }
}

/// A key that a function has in no block.
fn free_key<'k>(function: &'k [Key], name: &str) -> Option<&'k Key> {
    function.iter().find(|key| key.name == name && key.within.is_none())
}

/// Whether a function makes a map like that of another one: it has one more of its keys, of those that not every map has.
fn is_like(function: &[Key], own: &[&str], name: &str) -> bool {
    const COMMON: [&str; 6] = ["apiVersion", "kind", "labels", "metadata", "name", "spec"];
    own.iter().any(|key| *key != name && !COMMON.contains(key) && free_key(function, key).is_some())
}

/// The key of a line of YAML.
fn key_of(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok().filter(|_| Node::of(line) == Node::Key)?;
    let key = line.split_once(": ").map(|(key, _)| key).or_else(|| line.strip_suffix(':'))?;
    Some(key.to_owned())
}

/// What stands behind the key of a line, if that is no code.
fn literal_of(line: &[u8]) -> Option<String> {
    let (_, value) = std::str::from_utf8(line).ok()?.split_once(": ")?;
    let value = value.trim();
    (!value.is_empty() && !value.starts_with(['#', '&', '|', '>']) && !value.contains("(@")).then(|| value.to_owned())
}

/// Whether a line of code gives names a value.
fn sets_names(line: &str) -> bool {
    let code = line.trim_start();
    let code = code.strip_prefix("#@").or_else(|| code.strip_prefix("(@")).map(|code| code.trim_start_matches('-'));
    let Some((names, value)) = code.and_then(|code| code.split_once('=')) else { return false };
    let is_of_names = |letter: char| {
        letter.is_alphanumeric() || letter.is_whitespace() || matches!(letter, '_' | ',' | '.' | '[' | ']' | '"')
    };
    let names = names.trim_end_matches(['+', '-', '*', '/', '%', '|']);
    !value.starts_with('=') && !names.trim().is_empty() && names.chars().all(is_of_names)
}

/// An item that is a scalar, as far as its line goes.
fn is_plain(line: &[u8]) -> bool {
    let Some(value) = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix("- ")) else { return false };
    let value = value.trim();
    !value.contains(": ")
        && !value.ends_with(':')
        && !value.contains("#@")
        && !value.contains("(@")
        && !value.starts_with("- ")
        && !value.starts_with(['[', '{', '|', '>', '&', '*', '!'])
}

/// The words of code or of a value that say something, in small letters and without an `s` at their end.
fn words_of(text: &str) -> Vec<String> {
    const EMPTY: [&str; 12] =
        ["data", "values", "enabled", "enable", "active", "not", "and", "use", "with", "true", "false", "none"];
    let (mut spread, mut was_small) = (String::new(), false);
    for letter in text.chars() {
        if was_small && letter.is_uppercase() {
            spread.push(' ');
        }
        was_small = letter.is_lowercase();
        spread.extend(letter.to_lowercase());
    }
    let words = spread.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 2);
    let words = words.filter(|word| !EMPTY.contains(word)).map(|word| word.strip_suffix('s').unwrap_or(word));
    words.map(str::to_owned).collect()
}
