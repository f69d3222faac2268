//! What an argument that a call lacks may be, by what other calls are given: the same data value or literal, if they all have
//! one; or else one of the few values of a group of data values, by the name that the arguments, the document or the file of
//! the call has for it. All of it is a guess.

use super::super::host::Host;
use super::operands::data_path;
use super::supplied::Supplied;
use super::{code_of, is_plain_literal};
use crate::nearest::folded;
use crate::source::{Source, Span};
use crate::template::written::{self, Argument};
use crate::yaml::words::kind_name;
use crate::yaml::{NodeId, Val};

/// Values of one group of which one is chosen.
const CHOICES: usize = 5;
/// Lines of a document that are looked through, in each direction.
const LINES: u32 = 200;

/// What may be meant.
pub(super) enum Offered {
    One(Supplied),
    /// The code of each.
    Several(Vec<String>),
}

/// A data value that may be meant: its key, its place and the code that reads it.
struct Choice {
    key: String,
    place: Span,
    code: String,
}

/// The argument for a call, from what other calls give.
pub(super) fn offered(
    host: &Host<'_>,
    data: Val,
    (call, given): (Span, &[Argument]),
    others: &[Span],
) -> Option<Offered> {
    if let Some(same) = same(host, others) {
        return Some(Offered::One(same));
    }
    let (choices, known) = choices(host, data, others)?;
    // What the file gives already is not meant again.
    let is_it =
        |other: &Span, choice: &Choice| other.source == call.source && code_of(&host.sources, *other) == choice.code;
    let is_taken = |choice: &Choice| others.iter().any(|other| is_it(other, choice));
    Some(match named(host, (call, given), &choices).filter(|(choice, _)| !is_taken(choice)) {
        Some((choice, says)) => Offered::One(Supplied {
            code: choice.code.clone(),
            place: choice.place,
            label: match choice.key == known {
                true => format!("`{known}` may be meant again"),
                false => format!("`{}` is declared beside `{known}`", choice.key),
            },
            why: format!("`{}` may be meant, since {says} `{}`", choice.code, choice.key),
        }),
        None => Offered::Several(choices.into_iter().map(|choice| choice.code).collect()),
    })
}

/// The few values of one kind in a group of which the others are given one or more, and the key of one of these.
fn choices(host: &Host<'_>, data: Val, others: &[Span]) -> Option<(Vec<Choice>, String)> {
    let paths = others.iter().map(|other| data_path(&host.sources.get(other.source), &code_of(&host.sources, *other)));
    let paths: Vec<Vec<String>> = paths.collect::<Option<_>>()?;
    let (known, around) = paths.first()?.split_last()?;
    // At the top there is all that has nothing to do with it.
    let is_there = |path: &Vec<String>| path.split_last().is_some_and(|(_, own)| own == around);
    (!around.is_empty() && paths.iter().all(is_there)).then_some(())?;
    let arena = host.arena.borrow();
    let inner = |map, key: &String| arena.map_of(arena.value(arena.find_str(map, key)?));
    let map = around.iter().try_fold(arena.map_of(data)?, inner)?;
    let items = arena.items(map);
    let kind = |item: NodeId| kind_name(&arena, arena.value(item));
    let own = kind(arena.find_str(map, known)?);
    let is_choice = (2..=CHOICES).contains(&items.len()) && items.iter().all(|item| kind(*item) == own);
    is_choice.then_some(())?;
    let choice = |item: &NodeId| {
        let key = arena.str(arena.key(*item))?.to_owned();
        let is_name = key.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let code = format!("data.values.{}.{key}", around.join("."));
        is_name.then_some(Choice { place: arena.place_of(*item)?.key(), key, code })
    };
    let choices: Vec<Choice> = items.iter().map(choice).collect::<Option<_>>()?;
    Some((choices, known.clone()))
}

/// The only one that the arguments, the document or the file of a call names: of several none is meant more than another.
fn named<'c>(
    host: &Host<'_>,
    (call, given): (Span, &[Argument]),
    choices: &'c [Choice],
) -> Option<(&'c Choice, &'static str)> {
    let source = host.sources.get(call.source);
    let arguments: Vec<String> = given.iter().map(|argument| code_of(&host.sources, argument.value)).collect();
    let file = source.name.rsplit('/').next().unwrap_or_default();
    let texts = [
        ("an argument has", arguments.join(" ")),
        ("the document has", document(&source, call)),
        ("the name of the file has", file.to_owned()),
    ];
    let words = |text: &str| -> Vec<String> {
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(folded).collect()
    };
    let mut all: Vec<(&Choice, &str)> = Vec::new();
    for (says, text) in texts {
        let said = words(&text);
        let is_named = |choice: &&Choice| {
            let own = words(&choice.key);
            choice.key.len() > 2 && !own.is_empty() && said.windows(own.len()).any(|some| some == own)
        };
        all.extend(choices.iter().filter(is_named).map(|choice| (choice, says)));
    }
    let (first, says) = *all.first()?;
    all.iter().all(|(choice, _)| choice.key == first.key).then_some((first, says))
}

/// The document around a place, without its code.
fn document(source: &Source, place: Span) -> String {
    let own = source.line(place.start);
    let last = source.line(u32::MAX);
    let is_inside = |line: &String| !line.starts_with("---");
    let text = |line: u32| source.line_text(line);
    let above = (1..own).rev().take(LINES as usize).map(text).take_while(is_inside);
    let below = (own..=last).take(LINES as usize).map(text).take_while(is_inside);
    let lines = above.chain(below).map(|line| line.split("#").next().unwrap_or_default().to_owned());
    lines.collect::<Vec<String>>().join("\n")
}

/// The data value or literal that several other calls are all given.
fn same(host: &Host<'_>, others: &[Span]) -> Option<Supplied> {
    let (first, rest) = others.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let code = code_of(&host.sources, *first);
    let is_it =
        code.starts_with("data.values.") && written::path(&host.sources, *first).is_some() || is_plain_literal(&code);
    let is_same = |other: &Span| code_of(&host.sources, *other) == code;
    (is_it && rest.iter().all(is_same)).then(|| Supplied {
        why: format!("the other calls are all given `{code}`"),
        label: format!("`{code}` is given here"),
        place: *first,
        code,
    })
}
