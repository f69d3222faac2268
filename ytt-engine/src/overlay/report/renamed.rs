//! A text that an earlier overlay changed, told where a later one looks for what it was.

use super::nearest::Fix;
use crate::diag::{Advice, Diagnostic};
use crate::overlay::annotation::Operation;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::Span;
use crate::yaml::{Arena, NodeId, Val};

/// What changed a text, and to what.
pub(super) struct Renamed {
    by: NodeId,
    /// The path of the text.
    path: String,
    old: String,
    new: String,
    /// The code that made the new one: another run may make something else.
    code: Option<Code>,
}

/// Code that makes a text.
struct Code {
    span: Span,
    /// Of the old text, if it is short enough to be written elsewhere.
    of_old: Option<String>,
}

impl Renamed {
    pub(super) fn is_made(&self) -> bool {
        self.code.is_some()
    }

    /// The code that made the new text.
    pub(super) fn made_at(&self) -> Option<Span> {
        self.code.as_ref().map(|code| code.span)
    }
}

impl Scene<'_> {
    /// The right item that changed what a left one is from the wanted text.
    pub(super) fn renamed_by(&self, arena: &Arena, item: NodeId, wanted: Val) -> Option<NodeId> {
        let mut renames = self.renames?.borrow_mut();
        renames.extend(self.removed, self.rewritten);
        renames.from(arena, item, wanted)
    }

    /// The edit to what a text is now, with who changed it.
    pub(super) fn as_renamed(&self, arena: &Arena, fix: Fix, (old, new): (&str, &str), by: NodeId) -> Fix {
        let who = self.line_of(arena, by).unwrap_or_else(|| "an earlier overlay".to_string());
        Fix { text: format!("did you mean `{new}`? {who} changes `{old}` to that, before this overlay"), ..fix }
    }

    /// What is known of a change of the text at a path.
    pub(super) fn change_of(&self, arena: &Arena, by: NodeId, path: &str, (old, new): (&str, &str)) -> Renamed {
        let code = self.made_by(arena, by, (old, new));
        Renamed { by, path: path.to_owned(), old: old.to_owned(), new: new.to_owned(), code }
    }

    /// The code that makes the new text of a right item, unless it always makes the same of the old one.
    fn made_by(&self, arena: &Arena, by: NodeId, (old, new): (&str, &str)) -> Option<Code> {
        let place = arena.place_of(by)?;
        let source = self.calls.sources().get(place.source);
        let line = source.line_text(source.line(place.start));
        let own = line.split_once(": #@ ").map(|(_, code)| code.trim().to_owned());
        let via = arena.ann(by, Operation::Replace.name()).and_then(|ann| self.argument_span(ann.pos, "via"));
        if let Some(via) = via {
            let code = self.written(self.value_in(via))?;
            let lambda = Lambda::read(&code);
            if own.is_none() && lambda.as_ref().is_some_and(Lambda::reads_only_parameters) {
                return None;
            }
            let of_old = lambda.and_then(|lambda| lambda.of_left(&quoted::starlark(old)));
            return Some(Code { span: via, of_old });
        }
        // Without code in its line it is written there, or another overlay has changed it since.
        if self.written(place.whole()).is_some_and(|written| written.contains(new))
            || own.is_none() && !line.contains("(@")
        {
            return None;
        }
        Some(Code { span: place.key(), of_old: own.filter(|code| code.len() <= LONGEST) })
    }

    /// How overlays of one file come before those of another one; `None` for those of one file.
    pub(super) fn in_order(&self, first: Span, then: Span) -> Option<Advice> {
        let [first, then] = [first, then].map(|span| {
            let source = self.calls.sources().get(span.source);
            (span.source, source.shown_name(), source.input)
        });
        (first.0 != then.0).then_some(Advice::OrderFiles {
            first: first.1,
            then: then.1,
            is_one_input: first.2 == then.2,
        })
    }

    /// Says that this overlay may come before the one that changed the text.
    pub(super) fn tell_order(&self, diagnostic: Diagnostic, renamed: &Renamed) -> Diagnostic {
        let arena = self.arena();
        let here = self.trail.first().and_then(|step| arena.span_of(step.node));
        let Some((here, there)) = here.zip(arena.span_of(renamed.by)) else { return diagnostic };
        match self.in_order(here, there) {
            Some(advice) => diagnostic.advise(advice),
            None => diagnostic.help(format!(
                "overlays are applied in the order in which they are written: move this document above the one that \
                 changes `{}`",
                renamed.path
            )),
        }
    }

    /// What to do about a text that code has made another one: to match what it is now would do for this run alone.
    pub(super) fn tell_made(
        &self,
        diagnostic: Diagnostic,
        renamed: &Renamed,
        fix: Option<&Fix>,
        or: &str,
    ) -> Diagnostic {
        let Renamed { path, new, code, .. } = renamed;
        let Some(code) = code else { return diagnostic };
        let source = self.calls.sources().get(code.span.source);
        let place = format!("{}:{}", source.shown_name(), source.line(code.span.start));
        let text =
            format!("{or}match what `{path}` is by then: code makes it at {place}, `{new}` is what it is this time");
        // Code can stand where a text of code stands.
        let is_text = |fix: &&Fix| {
            let old = quoted::starlark(&renamed.old);
            let by = self.by_span();
            by.is_some_and(|by| by.source == fix.span.source && by.start <= fix.span.start && fix.span.end <= by.end)
                && self.written(fix.span).is_some_and(|written| written == old)
        };
        let told = diagnostic.help(text);
        match code.of_old.as_ref().zip(fix.filter(is_text)) {
            Some((code, fix)) => {
                told.help_edit("for example by the same code", fix.span, code.clone()).if_it_mends().guessing()
            }
            None => told,
        }
    }
}

/// Bytes of code that are written elsewhere.
const LONGEST: usize = 80;

/// A function of two values, in pieces: code, and texts in quotes, in turn.
struct Lambda<'a> {
    parameters: Vec<&'a str>,
    pieces: Vec<&'a str>,
    quote: char,
}

impl<'a> Lambda<'a> {
    /// `None` also where quotes are too many to be told apart at a glance.
    fn read(code: &'a str) -> Option<Lambda<'a>> {
        let (parameters, body) = code.trim().strip_prefix("lambda ")?.split_once(':')?;
        let quote = match (body.contains('"'), body.contains('\'')) {
            (true, true) => return None,
            (_, is_single) => {
                if is_single {
                    '\''
                } else {
                    '"'
                }
            }
        };
        if body.contains(['\\', '\n', '#']) {
            return None;
        }
        let parameters = parameters.split(',').map(str::trim).collect();
        Some(Lambda { parameters, pieces: body.trim().split(quote).collect(), quote })
    }

    /// Whether it gives the same wherever it runs.
    fn reads_only_parameters(&self) -> bool {
        const WORDS: [&str; 7] = ["if", "else", "and", "or", "not", "in", "str"];
        self.pieces.iter().step_by(2).flat_map(|code| code.split(|letter| !is_of_name(letter))).all(|word| {
            let name = word.split('.').next().unwrap_or_default();
            name.is_empty()
                || name.starts_with(|letter: char| letter.is_ascii_digit())
                || self.parameters.contains(&name)
                || WORDS.contains(&name)
        })
    }

    /// Its code with a text in place of the left value; `None` if it reads the right one, too, or is long.
    fn of_left(&self, left: &str) -> Option<String> {
        let [own, other] = self.parameters[..] else { return None };
        let (mut code, quote) = (String::new(), self.quote);
        for (number, piece) in self.pieces.iter().enumerate() {
            if number % 2 == 1 {
                code.push_str(&format!("{quote}{piece}{quote}"));
                continue;
            }
            let mut rest = *piece;
            while !rest.is_empty() {
                let length = rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len());
                let (word, behind) = rest.split_at(length);
                let name = word.split('.').next().unwrap_or_default();
                if name == other && name != own {
                    return None;
                }
                match word.strip_prefix(own).filter(|_| name == own) {
                    Some(members) => code.push_str(&format!("{left}{members}")),
                    None => code.push_str(word),
                }
                let next = behind.chars().next().map_or(0, char::len_utf8);
                let (between, after) = behind.split_at(next);
                code.push_str(between);
                rest = after;
            }
        }
        (code.len() <= LONGEST).then_some(code)
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.')
}
