//! Which block has no `end`, and which `end` no block. The language ignores indentation; people do not, so that messages
//! pair what stands in the same column.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "turns, blocks and tokens have the numbers of their lists, and offsets are those of lines of the text"
)]

use super::blocks::Blocks;
use super::lines::{begins_with_return, blanks, line_end, line_of, line_start, line_start_from, trimmed};
use crate::diag::Diagnostic;
use crate::source::{Span, replaced};
use crate::template::token::Kind;
use crate::template::tree::TokenId;

/// Blocks that are named in one message.
pub(super) const NAMED: usize = 3;
/// A doubt about where a block ends.
const FURTHER_UP: &str = "if it does not end further up";
/// Blocks in which an `end` looks for its own once their places were given up.
const LOOKED: usize = 100;

/// A line that begins or ends a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) kind: TurnKind,
    /// The word that the line begins with.
    pub(super) token: TokenId,
    /// Where the word stands in the source.
    pub(super) at: usize,
    /// The column of the word, where it says something.
    pub(super) column: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnKind {
    Opens,
    /// `else` and `elif`.
    Turns,
    Closes,
}

/// A block: where it opens, and its `end`, by their numbers in the list of turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) opens: usize,
    pub(super) closes: Option<usize>,
}

/// Blocks as indentation pairs them.
#[derive(Debug, Default)]
struct Pairs {
    blocks: Vec<Block>,
    /// Each `end` that closes nothing.
    extra: Vec<usize>,
}

impl Pairs {
    /// For each turn the other end of its block.
    fn partners(&self, turns: usize) -> Vec<Option<usize>> {
        let mut partners = vec![None; turns];
        for Block { opens, closes } in &self.blocks {
            partners[*opens] = *closes;
            if let Some(closes) = closes {
                partners[*closes] = Some(*opens);
            }
        }
        partners
    }
}

/// Where an `end` is missing: the line is written at `at`. It could stand elsewhere too where there is a doubt.
struct Missing {
    at: usize,
    line: String,
    doubt: Option<&'static str>,
    /// Further down it can be in no case, and further up it hardly is.
    is_last: bool,
    /// What says that it ends there.
    by: &'static str,
}

/// The `end` that the language gives to a block without one, and the block around it whose that is.
fn taken(turns: &[Turn], partners: &[Option<usize>], opens: usize) -> Option<(usize, usize)> {
    let mut behind = turns.iter().zip(partners).enumerate().skip(opens);
    let outer = |partner: &Option<usize>| partner.filter(|outer| *outer < opens);
    behind.find_map(|(at, (turn, partner))| (turn.kind == TurnKind::Closes).then(|| Some((at, outer(partner)?)))?)
}

impl Blocks<'_> {
    /// Adds to the problem of a block without `end` which one it is, and where the `end` belongs.
    pub(super) fn say_missing(&self, mut error: Diagnostic) -> Diagnostic {
        if let Some(error) = self.foreign_end(&error) {
            return error;
        }
        let turns = self.turns();
        let pairs = self.pair(&turns, false);
        let partners = pairs.partners(turns.len());
        let blocks = pairs.blocks;
        let open: Vec<&Block> = blocks.iter().filter(|block| block.closes.is_none()).collect();
        let Some(first) = open.first() else { return error };
        let span = |at: usize| {
            let (start, end) = self.header_of(turns[at].token);
            self.scanner.input.span(start as u32, end as u32)
        };
        error.parts_mut().labels.clear();
        for block in open.iter().take(NAMED) {
            error = error.label(span(block.opens), "this block has no `end`");
        }
        // beside each other in one column they say nothing of each other
        let first_at = first.opens;
        let is_def = |block: &Block| self.token(turns[block.opens].token).kind == Kind::Def;
        let is_function = is_def(first);
        // The function is over where the next one begins.
        // One that closes itself on its line takes no `end`.
        let takes_end = |block: &&Block| block.closes.is_some_and(|closes| !self.token(turns[closes].token).made);
        let inner = blocks.iter().filter(|block| block.opens > first_at).filter(takes_end);
        let inner = inner.take_while(|block| !(is_function && is_def(block)));
        let flat: Vec<&Block> = inner.filter(|block| turns[block.opens].column == turns[first_at].column).collect();
        let is_unclear = || {
            let missing = self.missing(&turns, &partners, **first);
            self.scanner.input.is_text() || missing.is_none_or(|missing| missing.doubt.is_some())
        };
        let line = self.scanner.input.written("end");
        let uneven = self.uneven(&turns, &flat, &line).filter(|_| open.len() == 1);
        if open.len() == 1 && !flat.is_empty() && (uneven.is_some() || is_unclear()) {
            if uneven.is_none()
                && let Some(told) = self.say_beside(&error, &turns, first, &flat)
            {
                return told;
            }
            if let Some(label) = error.parts_mut().labels.first_mut() {
                label.text = format!("from here on {} blocks begin, but one of them has no `end`", flat.len() + 1);
            }
            for block in flat.iter().take(NAMED) {
                let (Some(closes), input) = (block.closes, self.scanner.input) else { continue };
                let end = self.token(turns[closes].token);
                let word = self.word(turns[block.opens]);
                error = error.label(span(block.opens), format!("this `{word}` takes the next `end` that is left"));
                error = error.label(input.span(end.start, end.end), format!("closes that `{word}`"));
            }
            error.parts_mut().in_full = self.shown_whole(&turns, &flat);
            let ends: Vec<_> = flat.iter().filter_map(|block| Some((*block, self.outgrown(&turns, block)?))).collect();
            return match ends[..] {
                [(block, (at, behind))] => {
                    let code = self.code_of(turns[block.opens]);
                    let label = format!("by its indentation not in that `{}`", self.word(turns[block.opens]));
                    error = error.label(behind, label);
                    let place = self.scanner.input.source_span(at, at);
                    let text = format!("by the indentation of what follows `{code}` ends here");
                    let start = line_start(self.scanner.input.source_text(), turns[block.opens].at);
                    let header = self.scanner.input.source_text().get(start..turns[block.opens].at).unwrap_or_default();
                    let blanks = " ".repeat(header.len() - header.trim_ascii_start().len());
                    error.help_edit(text, place, format!("{blanks}{line}\n")).guessing()
                }
                _ => match (uneven, self.missing(&turns, &partners, **first).filter(|missing| missing.is_last)) {
                    (Some((text, place, new)), _) => error.help_edit(text, place, new).guessing(),
                    (None, Some(Missing { at, line, .. })) => {
                        let code = self.code_of(turns[first_at]);
                        let place = self.scanner.input.source_span(at, at);
                        let text = format!("by the indentation of what follows the first `{code}` ends here");
                        error =
                            error.label_at(self.line_above(at), "its last line, by the indentation of what follows");
                        error.help_edit(text, place, line).guessing()
                    }
                    (None, None) => self.say_last(&error, &turns, &blocks, (first, &flat)).unwrap_or_else(|| {
                        error.help(format!("write `{line}` after the last line of the block whose `end` is missing"))
                    }),
                },
            };
        }
        if let [block] = open[..]
            && let Some((closes, outer)) = taken(&turns, &partners, block.opens)
        {
            let (end, input) = (self.token(turns[closes].token), self.scanner.input);
            let text = format!("by its column this `end` is that of `{}`", self.code_of(turns[outer]));
            error = error.label(input.span(end.start, end.end), text);
            error = error.label(span(outer), format!("the `{}` whose `end` that is", self.word(turns[outer])));
            if input.is_text()
                && let Some((place, new)) = self.end_in_text(&turns, block, closes)
            {
                let text = format!("`{}` ends in front of that", self.code_of(turns[block.opens]));
                return error.help_edit(text, place, new).guessing();
            }
        }
        if let Some((place, new)) = self.all_ends(&turns, &partners, &open) {
            // What follows in a column further left may belong to none of them.
            return error.help_edit("by their indentation these blocks end here", place, new).guessing();
        }
        for block in open.iter().take(NAMED) {
            let header = turns[block.opens];
            let code = self.code_of(header);
            error = match self.missing(&turns, &partners, **block) {
                None => {
                    let line = self.end_of(header);
                    error.help(format!(
                        "write `{line}` on a line of its own after the last line that belongs to `{code}`"
                    ))
                }
                Some(Missing { at, line, doubt, is_last, by }) => {
                    let place = self.scanner.input.source_span(at, at);
                    let text = format!("by its {by} `{code}` ends here");
                    if doubt != Some(FURTHER_UP) || is_def(block) || is_last {
                        let its = if by == "indentation" { "the" } else { "its" };
                        error = error.label_at(self.line_above(at), format!("the last line of it, by {its} {by}"));
                    }
                    match doubt {
                        None => error.help_edit(text, place, line),
                        Some(FURTHER_UP) if is_last => {
                            error.help_edit(format!("{text}, {FURTHER_UP}"), place, line).guessing()
                        }
                        // What stands beside it in one column may belong to it or follow it.
                        Some(FURTHER_UP) if !is_def(block) => {
                            let line = self.end_of(header);
                            error.help(format!("write `{line}` below the last line that belongs to `{code}`"))
                        }
                        Some(doubt) => error.help_edit(format!("{text}, {doubt}"), place, line).guessing(),
                    }
                }
            };
        }
        error
    }

    /// The edit that writes the ends of several blocks at once, where indentation says of each where it ends.
    fn all_ends(&self, turns: &[Turn], partners: &[Option<usize>], open: &[&Block]) -> Option<(Span, String)> {
        if !(2..=NAMED).contains(&open.len()) {
            return None;
        }
        let ends = open.iter().rev().map(|block| self.missing(turns, partners, **block));
        let mut ends = ends.map(|end| end.filter(|end| end.doubt.is_none())).collect::<Option<Vec<Missing>>>()?;
        // The inner blocks come first here: none goes on behind the end of one around it.
        let starts = open.iter().rev().map(|block| turns[block.opens].at);
        let blocks: Vec<(usize, usize)> = starts.zip(ends.iter().map(|end| end.at)).collect();
        let crosses = |(inner, outer): (&(usize, usize), &(usize, usize))| inner.0 < outer.1 && outer.1 < inner.1;
        if blocks.iter().enumerate().any(|(at, inner)| blocks[at + 1..].iter().any(|outer| crosses((inner, outer)))) {
            return None;
        }
        // Of those at one place the end of the inner block stays the first.
        ends.sort_by_key(|end| end.at);
        let text = std::str::from_utf8(self.scanner.input.source_text()).ok()?;
        let place = |at: usize| self.scanner.input.source_span(at, at);
        replaced(text, ends.iter().map(|end| (place(end.at), end.line.as_str())))
    }

    /// The problem of an `end` that closes nothing: the one whose column says so, else the last.
    pub(super) fn say_extra(&self, id: TokenId) -> Diagnostic {
        let turns = self.turns();
        let Pairs { blocks, extra } = self.pair(&turns, true);
        let extra = extra.first().map_or(id, |at| turns[*at].token);
        let input = self.scanner.input;
        let mut error = self.error("unexpected end", extra);
        if let Some(label) = error.parts_mut().labels.first_mut() {
            "no block is open here that this `end` could close".clone_into(&mut label.text);
        }
        let mut closed: Vec<(usize, usize)> =
            blocks.iter().filter_map(|block| Some((block.closes?, block.opens))).collect();
        closed.retain(|(closes, _)| turns[*closes].token < extra);
        closed.sort_unstable();
        for (closes, opens) in closed.into_iter().rev().take(2) {
            let (end, word) = (self.token(turns[closes].token), self.word(turns[opens]));
            let (start, to) = self.header_of(turns[opens].token);
            error = error.label(input.span(end.start, end.end), format!("closes this `{word}`"));
            error = error.label(input.span(start as u32, to as u32), format!("this `{word}` is closed below"));
        }
        // What the language closes by it stands in another column, and has an `end` there.
        let is_around = |block: &&Block| {
            let behind = block.closes.is_some_and(|closes| turns[closes].token > extra);
            behind && turns[block.opens].token < extra && turns[block.opens].column.is_some()
        };
        if let Some((opens, closes)) =
            blocks.iter().rfind(is_around).and_then(|block| Some((block.opens, block.closes?)))
        {
            let (end, word) = (self.token(turns[closes].token), self.word(turns[opens]));
            let (start, to) = self.header_of(turns[opens].token);
            if let Some(label) = error.parts_mut().labels.first_mut() {
                label.text = format!("would close the `{word}`, but stands in another column");
            }
            error = error.label(input.span(start as u32, to as u32), format!("this `{word}` begins here"));
            error = error
                .label(input.span(end.start, end.end), format!("this `end` in its column is that of the `{word}`"));
        }
        let text = input.source_text();
        let at = input.place(self.token(extra).start).0 as usize;
        if let Some(told) = self.ended_twice(&error, &turns, at) {
            return told;
        }
        let (start, end) = (line_start(text, at), line_end(text, at));
        let alone = matches!(trimmed(text, start, end), b"#@ end" | b"#@end" | b"end")
            || input.is_text()
                && matches!(
                    line_of(text, start, end).trim_ascii(),
                    b"(@ end @)" | b"(@ end -@)" | b"(@- end @)" | b"(@- end -@)"
                );
        let error = self.commented_head(error, at);
        let other = "or write the beginning of its block above";
        match alone && !self.token(extra).made {
            true => error.help_edit("remove this `end`", input.source_span(start, end), "").guessing().help(other),
            false => error.help(format!("remove this `end`, {other}")),
        }
    }

    /// The first line of what a block begins with, without its colon.
    pub(super) fn code_of(&self, header: Turn) -> String {
        let (start, end) = self.header_of(header.token);
        let code = String::from_utf8_lossy(&self.scanner.input.text[start..end]);
        code.lines().next().unwrap_or_default().trim_end_matches(':').to_owned()
    }

    pub(super) fn word(&self, turn: Turn) -> String {
        String::from_utf8_lossy(self.scanner.input.token(self.token(turn.token))).into_owned()
    }

    /// All lines so far that begin or end a block.
    pub(super) fn turns(&self) -> Vec<Turn> {
        let (input, tokens) = (self.scanner.input, &self.scanner.tokens);
        let text = input.source_text();
        let mut turns = Vec::new();
        let mut first = 0;
        let mut line = 0;
        for (at, token) in tokens.iter().enumerate() {
            let next = tokens.get(at + 1).map(|next| next.kind);
            let (kind, word) = match token.kind {
                Kind::Newline => {
                    first = at + 1;
                    continue;
                }
                Kind::Elif => (TurnKind::Turns, at),
                Kind::Else if next == Some(Kind::Colon) => (TurnKind::Turns, at),
                Kind::Name if input.token(*token) == b"end" => (TurnKind::Closes, at),
                Kind::Colon if next == Some(Kind::Newline) && !turns_line(tokens[first].kind) => {
                    (TurnKind::Opens, first)
                }
                _ => continue,
            };
            let at = input.place(tokens[word].start).0 as usize;
            // places come in order
            line = line_start_from(text, line, at);
            let made = tokens[word].made;
            let before = text.get(line..at).unwrap_or_default();
            // In a text it is that of the bracket: behind it may stand a `-`.
            let column = match input.is_text() {
                true => matches!(before.trim_ascii(), b"(@" | b"(@-").then(|| blanks(before)),
                false => Some(before.len()),
            };
            let column = column.filter(|_| !made);
            turns.push(Turn { kind, token: word as TokenId, at, column });
        }
        turns
    }

    /// Pairs turns by their columns. `too_many` says that an `end` is one too many, else one is missing.
    fn pair(&self, turns: &[Turn], too_many: bool) -> Pairs {
        let mut pairs = Pairs::default();
        // blocks that are open, and those that were given up, both by their numbers in `pairs.blocks`
        let (mut open, mut left): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        let is_text = self.scanner.input.is_text();
        for (number, turn) in turns.iter().enumerate() {
            let made = self.token(turn.token).made;
            let column = |block: usize| turns[pairs.blocks[block].opens].column;
            match turn.kind {
                TurnKind::Opens => {
                    let is_def = self.token(turn.token).kind == Kind::Def;
                    let ends_above = |block: &usize| {
                        let other = turns[pairs.blocks[*block].opens];
                        let (Some(here), Some(there)) = (turn.column, other.column) else { return false };
                        let is_function = self.token(other.token).kind == Kind::Def;
                        here < there && !is_text || is_def && is_function && here == there
                    };
                    if !too_many && let Some(from) = open.iter().position(ends_above) {
                        left.extend(open.drain(from..));
                    }
                    open.push(pairs.blocks.len());
                    pairs.blocks.push(Block { opens: number, closes: None });
                }
                TurnKind::Turns => {
                    if let Some(at) =
                        open.iter().rposition(|block| column(*block) == turn.column && turn.column.is_some())
                    {
                        left.extend(open.drain(at + 1..));
                    }
                }
                TurnKind::Closes => {
                    let same = |block: &usize| match made {
                        true => turns[pairs.blocks[*block].opens].at >= turn.at,
                        false => turn.column.is_some() && column(*block) == turn.column,
                    };
                    let looked = left.len().saturating_sub(LOOKED);
                    let block = if let Some(at) = open.iter().rposition(same) {
                        if !too_many {
                            left.extend(open.drain(at + 1..));
                        }
                        open.truncate(at + 1);
                        open.pop()
                    } else if let Some(at) = left[looked..].iter().rposition(same) {
                        Some(left.remove(looked + at))
                    } else {
                        let is_deeper = open.last().is_some_and(|block| turn.column > column(*block));
                        if too_many && is_deeper && turn.column.is_some() { None } else { open.pop() }
                    };
                    match block {
                        Some(block) => pairs.blocks[block].closes = Some(number),
                        None => pairs.extra.push(number),
                    }
                }
            }
        }
        pairs
    }

    /// Where the `end` of a block belongs, by the indentation of what follows.
    fn missing(&self, turns: &[Turn], partners: &[Option<usize>], block: Block) -> Option<Missing> {
        let input = self.scanner.input;
        let text = input.source_text();
        let header = turns[block.opens];
        let column = header.column.filter(|_| !input.is_text())?;
        let start = line_start(text, header.at);
        let before = text.get(start..header.at)?;
        if !matches!(before.trim_ascii(), b"" | b"#@") {
            return None;
        }
        let mut turns =
            turns[block.opens + 1..].iter().enumerate().map(|(at, turn)| (at + block.opens + 1, turn)).peekable();
        let (_, header_end) = self.header_of(header.token);
        let mut line = line_end(text, input.place(header_end as u32 - 1).0 as usize);
        let (mut depth, mut last) = (0_usize, line);
        let is_function = self.token(header.token).kind == Kind::Def;
        // One whose lines are not indented goes to its `return`, or to the next one.
        let is_flat = is_function && self.is_flat(line, column);
        let mut by = "indentation";
        let mut body: Option<Body> = None;
        let (mut siblings, mut is_ended) = (0, false);
        let is_if = self.token(header.token).kind == Kind::If;
        while line < text.len() {
            let (from, to) = (line, line_end(text, line));
            line = to;
            let content = line_of(text, from, to);
            let indent = content.len() - content.trim_ascii_start().len();
            let content = content.trim_ascii();
            if content.is_empty() {
                continue;
            }
            let is_turn = |turn: &(usize, &Turn)| turn.1.at < to;
            if let Some((number, turn)) = turns.next_if(is_turn) {
                let closes_other = || partners[number].is_some_and(|opens| opens < block.opens);
                match turn.kind {
                    TurnKind::Opens => {
                        let is_def = |turn: &Turn| self.token(turn.token).kind == Kind::Def;
                        let ends = turn
                            .column
                            .is_some_and(|here| here < column || here == column && is_def(turn) && is_def(&header));
                        if depth == 0 && ends {
                            is_ended = true;
                            break;
                        }
                        siblings += usize::from(depth == 0 && turn.column == Some(column));
                        depth += usize::from(partners[number].is_some());
                    }
                    TurnKind::Turns if depth == 0 && is_if && turn.column == Some(column) => {
                        (body, siblings) = (None, 0);
                    }
                    TurnKind::Turns if depth == 0 => {
                        is_ended = true;
                        break;
                    }
                    TurnKind::Closes if closes_other() => {
                        is_ended = true;
                        break;
                    }
                    TurnKind::Turns => {}
                    TurnKind::Closes => depth = depth.saturating_sub(1),
                }
                last = to;
                // `if/end` closes itself on its line
                while let Some((_, turn)) = turns.next_if(is_turn) {
                    if turn.kind == TurnKind::Closes {
                        depth = depth.saturating_sub(1);
                    }
                }
                continue;
            }
            if before.trim_ascii().is_empty() {
                // a file of code
                let code = !content.starts_with(b"#");
                if code && indent <= column && depth == 0 {
                    is_ended = !is_flat;
                    if is_ended {
                        break;
                    }
                }
                last = if code { to } else { last };
                if is_flat && depth == 0 && begins_with_return(content) {
                    (is_ended, siblings, by) = (true, 0, "`return`");
                    break;
                }
                continue;
            }
            if body.is_none()
                && depth == 0
                && is_function
                && content.strip_prefix(b"#@ ").is_some_and(begins_with_return)
            {
                (last, is_ended, by) = (to, true, "`return`");
                break;
            }
            if content.starts_with(b"#") {
                let code = content.strip_prefix(b"#@").filter(|code| code.starts_with(b" "));
                let at = code.map(|code| indent + 2 + code.len() - code.trim_ascii_start().len());
                // Code that stands further left than the beginning of the block is around it.
                if depth == 0 && at.is_some_and(|at| at < column) {
                    is_ended = true;
                    break;
                }
                if depth > 0 || at.is_some_and(|at| at > column) {
                    last = to;
                }
                continue;
            }
            if depth > 0 {
                body.get_or_insert(Body::Nodes { indent, is_list: content.starts_with(b"-") });
                last = to;
                continue;
            }
            let is_document = indent == 0 && content.starts_with(b"---");
            match body {
                None if is_document => body = Some(Body::Document),
                None => {
                    body = Some(Body::Nodes { indent, is_list: content == b"-" || content.starts_with(b"- ") });
                }
                Some(Body::Document) if is_document => {
                    (is_ended, siblings) = (true, siblings + 1);
                    break;
                }
                Some(Body::Document) => {}
                Some(Body::Nodes { indent: own, is_list }) => {
                    let is_item = content == b"-" || content.starts_with(b"- ");
                    if is_document || indent < own || indent == own && is_list && !is_item {
                        is_ended = true;
                        break;
                    }
                    // Items in the column of a key are its list.
                    siblings += usize::from(indent == own && is_list == is_item);
                }
            }
            last = to;
        }
        let mut end = before.to_vec();
        end.extend_from_slice(b"end");
        let mut line = String::from_utf8(end).ok()?;
        match text.get(..last)?.ends_with(b"\n") {
            true => line.push('\n'),
            false => line.insert(0, '\n'),
        }
        // at the end of a file what follows is as good as what is meant
        let all_of_file = !is_ended && siblings > 0 && !before.starts_with(b" ");
        let doubt = (siblings > 0).then_some(match body {
            Some(Body::Document) => "if it is about this one document",
            _ => FURTHER_UP,
        });
        // A loop goes over all items of a list as a rule.
        let is_loop = self.token(header.token).kind == Kind::For;
        let is_last = is_ended && is_loop && matches!(body, Some(Body::Nodes { is_list: true, .. }));
        (last > start && !all_of_file).then_some(Missing { at: last, line, doubt, is_last, by })
    }

    /// From the first token of a line that opens a block to its colon.
    pub(super) fn header_of(&self, first: TokenId) -> (usize, usize) {
        let tokens = &self.scanner.tokens;
        let start = tokens[first as usize].start as usize;
        let newline = tokens[first as usize..].iter().position(|token| token.kind == Kind::Newline);
        let last = newline.map_or(tokens.len(), |at| at + first as usize).saturating_sub(1);
        (start, tokens[last].end as usize)
    }
}

/// What stands in a block of a YAML file.
enum Body {
    /// It begins with `---`.
    Document,
    Nodes {
        indent: usize,
        is_list: bool,
    },
}

fn turns_line(kind: Kind) -> bool {
    matches!(kind, Kind::Else | Kind::Elif)
}
