//! What to write where a value may be None: what is left out then, or what stands in its place.

use std::cell::OnceCell;

use super::super::host::Host;
use super::blocks::{self, Blocks, Run};
use super::code_of;
use super::guards::{self, Guard, Model};
use super::whole::{self, Item};
use crate::diag::{Diagnostic, Fact};
use crate::source::{LineBreaks, Source, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written;

/// Adds what to do where the value at a place is None, which `code` is.
pub(super) fn help(host: &Host<'_>, told: Diagnostic, source: &Source, place: Span, code: &str) -> Diagnostic {
    let absent = Absent::read(host, source, place, code);
    let is_number = |kind: &str| matches!(kind, "int" | "float");
    match told.parts().fact.clone() {
        Some(Fact::Operands { operator, left, right })
            if matches!(operator.as_str(), "+" | "-") && (is_number(&left) || is_number(&right)) =>
        {
            match absent.without_item(told, Use::Unclear) {
                (told, Rest::Closed) => told,
                (told, Rest::Open(or)) => {
                    let text = format!("{or}count 0 where `{code}` is None");
                    told.help_edit(text, place, format!("({code} or 0)")).guessing()
                }
            }
        }
        Some(Fact::Operands { operator, left, right }) if operator == "+" && [&*left, &*right].contains(&"string") => {
            absent.joined(told)
        }
        Some(Fact::NoneArgument) => {
            let callee = FileCode::read(source, place.source).and_then(|code| code.call_with(place));
            let counts = callee.is_some_and(|(callee, _)| source.written(callee) == Some("len"));
            let (told, or) = if counts { (told, "") } else { absent.before_others(told) };
            let verb = if counts { "count" } else { "take" };
            let text = format!("{or}{verb} no items where `{code}` is None");
            told.help_edit(text, place, format!("{code} or []")).guessing()
        }
        Some(Fact::NotIterable { .. }) => {
            let (told, or) = absent.before_others(told.relabel("this is None"));
            let text = format!("{or}go over nothing where `{code}` is None");
            let told = told.help_edit(text, place, format!("{code} or []"));
            if or.is_empty() { told } else { told.guessing() }
        }
        Some(Fact::Operands { operator, left, .. }) if operator == "in" && left != "NoneType" => {
            told.help_edit(format!("look into nothing where `{code}` is None"), place, format!("({code} or [])"))
        }
        Some(Fact::NoMember { .. }) => absent.member(told),
        Some(Fact::NotIndexed { .. }) => match absent.without_item(told, Use::Value) {
            (told, Rest::Open("")) => absent.asked_first(told),
            (told, _) => told,
        },
        _ => absent.asked_first(told),
    }
}

/// The node of a YAML template left out whose value is made of what is None, if its line says how, and it has no other
/// value.
pub(super) fn without_node(host: &Host<'_>, told: &Diagnostic, place: Span, code: &str) -> Option<Diagnostic> {
    let source = host.sources.get(place.source);
    let absent = Absent::read(host, &source, place, code);
    if absent.has_more() || written::path(&host.sources, place).is_none() {
        return None;
    }
    match absent.without_item(told.clone(), Use::Value) {
        (told, Rest::Closed) => Some(told),
        (told, Rest::Open(or)) => {
            let left_out = absent.without_key(&told, or).filter(|_| absent.key() != Some("name:"));
            left_out.or((!or.is_empty()).then_some(told))
        }
    }
}

/// What is left to say when it was told that the item of a list is left out.
enum Rest {
    /// All else would leave an item that is nothing.
    Closed,
    /// Other helps begin with this.
    Open(&'static str),
}

/// What code needs the value for.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// More is read of it.
    Group,
    Value,
    /// It may do without.
    Unclear,
}

/// What the value is in a text that is put together.
#[derive(PartialEq)]
enum Part {
    /// Without it the rest is no text.
    Main,
    /// What stands in front of it is one without it, and without the text that joins them.
    Added,
    /// What stands in front of it is a text of its own: `"web" + SUFFIX`.
    Optional,
    Unclear,
}

/// A value that is None, on its line.
struct Absent<'a, 'v> {
    host: &'a Host<'v>,
    source: &'a Source,
    place: Span,
    code: &'a str,
    /// What stands on its line in front of it and behind.
    before: &'a str,
    behind: &'a str,
    /// Is it in the value of a node, which a line above can leave out?
    is_of_node: bool,
    model: OnceCell<Option<Model>>,
}

impl<'a, 'v> Absent<'a, 'v> {
    fn read(host: &'a Host<'v>, source: &'a Source, place: Span, code: &'a str) -> Self {
        let line = source.line_range(source.line(place.start));
        let before = source.written(Span::new(place.source, line.start, place.start)).unwrap_or_default();
        let behind = source.written(Span::new(place.source, place.end, line.end)).unwrap_or_default();
        // The entry of a dict in code is none.
        let is_template = source.breaks == LineBreaks::Yaml && !source.name.ends_with(".star");
        let own = before.trim_start();
        // A comprehension or lambda binds the name, which nobody knows above.
        let is_bound_here = || {
            let root = code.split('.').next().unwrap_or_default();
            let bound = FileCode::read(source, place.source).and_then(|file| file.bound(place, root));
            let is_inner = |by: &Binder| matches!(by, Binder::Loop { .. } | Binder::Parameter(None));
            bound.is_some_and(|bound| is_inner(&bound.by) && line.contains(&bound.name.start))
        };
        let is_of_node = is_template && !own.starts_with('#') && own.contains("#@") && !is_bound_here();
        Absent { host, source, place, code, before, behind, is_of_node, model: OnceCell::new() }
    }

    /// How others ask for the value.
    fn model(&self) -> Option<&Model> {
        self.model.get_or_init(|| guards::model(self.host, self.place, self.code)).as_ref()
    }

    fn asked_first(&self, told: Diagnostic) -> Diagnostic {
        let code = self.code;
        told.help(format!("ask for it first: `… if {code} != None else …`"))
    }

    /// Adds the edit that writes a condition above a node, and where others ask for the value in the same file.
    fn left_out(&self, told: Diagnostic, text: String, above: Span, indent: &str) -> Diagnostic {
        let new = format!("{indent}#@ if/end {}:\n", self.condition());
        self.by_model(told).help_edit(text, above, new).guessing()
    }

    /// Adds where others ask for the value in the same file.
    fn by_model(&self, told: Diagnostic) -> Diagnostic {
        match self.model().and_then(|model| model.place) {
            Some(place) if told.parts().labels.iter().all(|label| label.span != place) => {
                told.label(place, "guarded by this here")
            }
            _ => told,
        }
    }

    fn condition(&self) -> String {
        match self.model() {
            Some(model) => model.asks.clone(),
            None => format!("{} != None", self.code),
        }
    }

    /// Adds what makes a condition that has the node alone ask for the value, too.
    fn asked_too(&self, told: &Diagnostic, guard: Option<Guard>) -> Option<Diagnostic> {
        let Some(Guard::Alone(condition, new)) = guard else { return None };
        let code = self.code;
        let told = told.clone().label(condition, format!("does not ask for `{code}`"));
        Some(told.help_edit(format!("ask for `{code}` too, since it may be None"), condition, new).guessing())
    }

    /// The code of the node, from its beginning to the end of the line.
    fn value(&self) -> Span {
        let code = self.before.split_once("#@").map_or("", |(_, code)| code.trim_start());
        let start = self.place.start.saturating_sub(to_u32(code.len()));
        Span { start, end: self.place.end.saturating_add(to_u32(self.behind.trim_end().len())), ..self.place }
    }

    /// Is there another value that the node may have, or more in it than this one?
    fn has_more(&self) -> bool {
        let value = code_of(&self.host.sources, self.value());
        [" if ", " or ", " and ", " not ", "lambda", "([", " [", " {"].iter().any(|part| value.contains(part))
            || value.starts_with(['[', '{'])
    }

    /// Adds that the item of a list is left out as a whole, where nobody wants it without the value.
    fn without_item(&self, told: Diagnostic, used: Use) -> (Diagnostic, Rest) {
        let may = self.is_of_node && !self.has_more();
        let Some(item) = may.then(|| Item::read(self.source, self.place)).flatten() else {
            return (told, Rest::Open(""));
        };
        let code = self.code;
        let is_needed = item.is_needed() || used == Use::Group && (item.is_named_by_it() || item.reads_more(code));
        let is_likely = || used != Use::Unclear && item.is_likely(code, self.model().is_some());
        if !is_needed && !is_likely() {
            return (told, Rest::Open(""));
        }
        let told = match self.asked_too(&told, guards::guard(self.source, self.place, code)) {
            Some(told) => told,
            None => {
                let out = item.out(self.source, self.place);
                let why = if out.is_list { ": it has no other item" } else { "" };
                let text = format!("leave {} out where `{code}` is None{why}", out.name);
                self.left_out(told, text, out.above, &out.indent)
            }
        };
        (told, if is_needed { Rest::Closed } else { Rest::Open("or ") })
    }

    /// The same in front of a help that is right for items, too.
    fn before_others(&self, told: Diagnostic) -> (Diagnostic, &'static str) {
        match self.without_item(told, Use::Unclear) {
            (told, Rest::Open(or)) => (told, or),
            (told, Rest::Closed) => (told, "or "),
        }
    }

    /// The key in front of the value; of an item its dash alone.
    fn key(&self) -> Option<&'a str> {
        let key = self.before.split("#@").next().unwrap_or_default().trim();
        let is_item = self.is_of_node && (key == "-" || key.ends_with(':') && !key.starts_with('-'));
        is_item.then_some(key)
    }

    /// The item or key of the line left out; `or` stands in front of that where more than it is left out otherwise.
    fn without_key(&self, told: &Diagnostic, or: &str) -> Option<Diagnostic> {
        let key = self.key()?;
        // It would be nothing, and has another value.
        if self.has_more() && Item::read(self.source, self.place).is_some_and(|item| item.is_needed()) {
            return None;
        }
        let indent = self.before.get(..self.before.len().checked_sub(self.before.trim_start().len())?)?;
        let above = whole::above(self.source, self.place, indent.len());
        let named = match key {
            "-" => "the item".to_owned(),
            _ if key.starts_with("(@") => "it".to_owned(),
            _ => format!("`{}`", key.trim_end_matches(':')),
        };
        let alone = if or.is_empty() { "" } else { " alone" };
        let text = format!("{or}leave {named}{alone} out where `{}` is None", self.code);
        Some(self.left_out(told.clone(), text, above, indent))
    }

    /// The whole document left out that reads of the value more than once.
    fn without_document(&self, told: &Diagnostic) -> Option<Diagnostic> {
        self.key()?;
        let (above, other) = whole::document(self.source, self.place, self.code)?;
        // The condition reads the name in front of the document.
        let root = self.code.split('.').next().unwrap_or_default();
        let bound = FileCode::read(self.source, self.place.source)?.bound(self.place, root)?;
        (bound.name.start < above.start).then_some(())?;
        let text = format!("leave the whole document out where `{}` is None: line {other} reads it, too", self.code);
        let told = self.left_out(told.clone(), text, above, "");
        // Where others read it as well, what is left has its own help.
        let is_read_beyond = blocks::is_read_beyond(self.source, self.place, self.code);
        Some(if is_read_beyond { told } else { told.if_it_mends() })
    }

    /// All that reads of the value left out.
    fn without_blocks(&self, told: Diagnostic, blocks: &Blocks) -> Diagnostic {
        let code = self.code;
        let condition = self.condition();
        let lines = blocks.runs.iter().flat_map(|Run { above, indent, below }| {
            let word = if below.is_some() { "if" } else { "if/end" };
            let end = below.map(|below| (below, format!("{indent}#@ end\n")));
            [(*above, format!("{indent}#@ {word} {condition}:\n"))].into_iter().chain(end)
        });
        let lines: Vec<(Span, String)> = lines.collect();
        let Some((at, new)) = self.source.replaced(lines.iter().map(|(at, new)| (*at, new.as_str()))) else {
            return told;
        };
        let text = match (&blocks.name, &blocks.lines[..]) {
            (Some(name), _) => format!("leave {name} out where `{code}` is None"),
            (None, lines) => {
                let mut lines: Vec<String> = lines.iter().map(u32::to_string).collect();
                let last = lines.pop().unwrap_or_default();
                let all = match blocks.beyond {
                    Some(_) => format!("leave what reads `{code}` here out where it is None"),
                    None => format!("leave all that reads `{code}` out where it is None"),
                };
                match blocks.runs.len() {
                    1 => all,
                    _ => format!("{all}, from lines {} and {last} on", lines.join(", ")),
                }
            }
        };
        match blocks.beyond {
            Some(line) => {
                self.by_model(told).help_edit(format!("{text}; line {line} reads it, too"), at, new).guessing()
            }
            // One read alone has a narrower help behind it, which says that it is another way.
            None if blocks.reads == 1 => self.by_model(told).help_edit(text, at, new).guessing(),
            None => self.by_model(told).help_edit(text, at, new).if_it_mends().guessing(),
        }
    }

    /// A member of None: the node is left out where there is nothing, or is null.
    fn member(&self, told: Diagnostic) -> Diagnostic {
        let (code, place) = (self.code, self.place);
        let is_bare = |rest: &str| rest.starts_with(':') || rest.starts_with("and ");
        let part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let rest = self.behind.trim_start_matches(part);
        // The condition of a value that has another one.
        let is_of_value = self.before.trim_end().ends_with(" if") && rest.contains(" else ");
        if is_of_value || guards::is_condition(self.before) && is_bare(rest.trim_start()) {
            let text = format!("ask for `{code}` first, since it may be None");
            return told.help_edit(text, Span { end: place.start, ..place }, format!("{code} != None and "));
        }
        let guard = self.key().and_then(|_| guards::guard(self.source, place, code));
        let is_guarded = guard.is_some();
        if let Some(told) = self.asked_too(&told, guard) {
            return told;
        }
        let blocks = self.key().and_then(|_| (!self.has_more()).then(|| blocks::around(self.source, place, code))?);
        let is_apart = blocks.as_ref().is_some_and(|blocks| blocks.lines.len() > 1);
        if let Some(blocks) = blocks.as_ref().filter(|_| is_apart && self.without_document(&told).is_none()) {
            let told = self.without_blocks(told, blocks);
            return if blocks.beyond.is_some() {
                told
            } else {
                or_else(told, |told| self.apart(told, None, rest, is_guarded))
            };
        }
        self.apart(told, blocks.filter(|_| !is_apart), rest, is_guarded)
    }

    /// The node of a member of None left out, or what stands around it, which may be told already.
    fn apart(&self, told: Diagnostic, blocks: Option<Blocks>, rest: &str, is_guarded: bool) -> Diagnostic {
        let (code, place) = (self.code, self.place);
        // A method works with a value, which is no group.
        let used = if rest.starts_with('(') { Use::Value } else { Use::Group };
        let (told, or) = match self.without_item(told, used) {
            (told, Rest::Closed) => return told,
            (told, Rest::Open(or)) => (told, or),
        };
        let (told, or) = match self.without_document(&told) {
            Some(told) if or.is_empty() => (told, "or "),
            _ => (told, or),
        };
        if let Some(blocks) = blocks.filter(|_| or.is_empty()) {
            let told = self.without_blocks(told, &blocks);
            // With several reads, leaving out this line alone would only lead to the next one.
            return match (blocks.reads, blocks.beyond) {
                (1, _) => self.without_key(&told, "or ").unwrap_or(told),
                (_, Some(_)) => told,
                (_, None) => or_else(told, |told| self.without_key(&told, "").unwrap_or(told)),
            };
        }
        let left_out = self.without_key(&told, or);
        let is_alone = self.before.trim_end().ends_with("#@") && rest.trim().is_empty();
        // What a list tells apart by its name needs one.
        let is_item_name = self.before.trim_start().starts_with("- name:");
        if is_alone && !is_guarded && !is_item_name {
            let whole = format!("{code}{}", self.behind.trim_end());
            let end = place.start.saturating_add(to_u32(whole.len()));
            let new = format!("{whole} if {code} != None else None");
            // Few who read a value take null, as labels and annotations of Kubernetes do not.
            let (told, or) = left_out.map_or((told, or), |told| (told, "or "));
            let text = format!("{or}give null where `{code}` is None");
            return told.help_edit(text, Span { end, ..place }, new).guessing();
        }
        match (left_out, or) {
            (Some(told), _) => told,
            (None, "") => self.asked_first(told),
            (None, _) => told,
        }
    }

    /// A part of a text that is put together by `+`.
    fn joined(&self, told: Diagnostic) -> Diagnostic {
        let (code, place) = (self.code, self.place);
        let sources = &self.host.sources;
        let file = FileCode::read(self.source, place.source);
        let pieces = file.map(|file| file.added(place)).unwrap_or_default();
        let Some(at) = pieces.iter().position(|piece| *piece == place) else { return self.asked_first(told) };
        let (front, rest) = pieces.split_at(at);
        let rest = rest.get(1..).unwrap_or_default();
        let (part, has_values) = part(self.host, front, rest);
        if part == Part::Optional {
            let text = format!("take no text where `{code}` is None");
            return told.help_edit(text, place, format!("({code} or \"\")")).guessing();
        }
        let all = pieces.first().zip(pieces.last()).map(|(first, last)| Span { end: last.end, ..*first });
        let is_value = all == Some(self.value());
        let used = match part {
            Part::Main if is_value => Some(Use::Value),
            // What stands behind it may be enough, as `/api` may.
            Part::Unclear if is_value && !has_values && (!front.is_empty() || self.model().is_some()) => {
                Some(Use::Unclear)
            }
            _ => None,
        };
        let (told, or) = match used.map(|used| self.without_item(told.clone(), used)) {
            Some((told, Rest::Closed)) => return told,
            Some((told, Rest::Open(or))) => (told, or),
            None => (told, ""),
        };
        let is_name = self.key() == Some("name:");
        let key = self.key().filter(|_| part == Part::Main && is_value && !is_name);
        let guard = key.and_then(|_| guards::guard(self.source, place, code));
        if let Some(told) = self.asked_too(&told, guard) {
            return told;
        }
        let left_out = key.and_then(|_| self.without_key(&told, or));
        let (told, or) = left_out.map_or((told, or), |told| (told, "or "));
        let literal = front.last().copied().filter(|literal| written::is_text(sources, *literal));
        // What would be left of an address is none.
        let is_text = !self.is_of_node || is_value && !is_name && self.key() != Some("-");
        let is_all = front.len() == 1 && rest.is_empty() && is_text;
        let is_whole = part == Part::Added || part == Part::Main && is_all;
        match literal.filter(|_| is_whole) {
            Some(literal) => {
                let new = format!("({} + {code} if {code} != None else \"\")", code_of(sources, literal));
                let text = format!("{or}leave both out where `{code}` is None");
                told.help_edit(text, Span { start: literal.start, ..place }, new).guessing()
            }
            None if or.is_empty() => self.asked_first(told),
            None => told,
        }
    }
}

/// What a piece of a text is that stands between others, and whether others of them are values, too.
fn part(host: &Host<'_>, front: &[Span], rest: &[Span]) -> (Part, bool) {
    let sources = &host.sources;
    let literal = |piece: Option<&Span>| {
        let text = piece.copied().filter(|piece| written::is_text(sources, *piece))?;
        let code = code_of(sources, text);
        let mut letters = code.chars();
        // Its quotes.
        letters.next().and(letters.next_back())?;
        Some(letters.as_str().to_owned())
    };
    let is_value = |piece: &Span| !written::is_text(sources, *piece);
    let [has_front, has_rest] = [front, rest].map(|pieces| pieces.iter().any(is_value));
    let (before, behind) = (literal(front.last()), literal(rest.first()));
    let (before_is, behind_is) = (before.as_deref().unwrap_or_default(), behind.as_deref().unwrap_or_default());
    let is_word = |text: &str| text.contains(char::is_alphanumeric);
    let joins = |letter: char| matches!(letter, '-' | '_' | '.' | '/');
    // A bracket or a quote that has to be closed.
    let opens =
        |letter: char| letter.is_ascii_punctuation() && !matches!(letter, '-' | '_' | '.' | '/' | ')' | ']' | '}');
    // `https://HOST`, but not the first name of one: `https://SUB.example.com`.
    let is_addressed = ["//", "@", "="].iter().any(|sign| before_is.ends_with(sign));
    // `--verbose --zone=`: what else there is does not need it.
    let is_of_several = before_is.ends_with('=') && before_is.contains(' ');
    let part = match () {
        () if is_of_several => Part::Unclear,
        () if is_addressed && !(behind_is.starts_with('.') && has_rest) => Part::Main,
        () if is_addressed => Part::Unclear,
        () if before.is_some() && (has_front || front.len() > 1) => Part::Added,
        () if !has_rest && is_enough(before_is) || before_is == "/" && rest.is_empty() => Part::Optional,
        () if behind_is.starts_with(':') && !has_front => Part::Main,
        () if has_front || has_rest => Part::Unclear,
        // `"web-" + NAME`, `NAME + "-web"`, `"web:" + TAG`: it may be a part that is not always there.
        () if is_word(before_is) && (before_is.ends_with(joins) || before_is.ends_with(':')) => Part::Unclear,
        () if is_word(behind_is) && behind_is.starts_with(joins) => Part::Unclear,
        // `"Bearer " + TOKEN`, `"serve " + OPTIONS`: who knows?
        () if rest.is_empty() && has_word(before_is) && !before_is.ends_with(opens) => Part::Unclear,
        () => Part::Main,
    };
    (part, has_front || has_rest)
}

/// Is there a word in it?
fn has_word(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.chars().nth(1).is_some())
}

/// Is a text of worth without what may follow: `web`, `http://localhost:8080`, `-Xmx512m `? What an option of a command
/// or a scheme such as `Bearer ` stands in front of is needed.
fn is_enough(text: &str) -> bool {
    let last = text.split_whitespace().next_back().unwrap_or_default();
    let is_last_whole = if text.ends_with(' ') {
        last.contains(|letter: char| matches!(letter, '=' | '.') || letter.is_ascii_digit())
    } else {
        !last.starts_with('-')
    };
    has_word(text) && last.ends_with(char::is_alphanumeric) && is_last_whole
}

/// Marks the helps that are added as those that are shown if the ones in front of them do not mend.
fn or_else(told: Diagnostic, add: impl FnOnce(Diagnostic) -> Diagnostic) -> Diagnostic {
    let known = told.parts().helps.len();
    let mut told = add(told);
    told.parts_mut().helps.iter_mut().skip(known).for_each(|help| help.is_fallback = true);
    told
}
