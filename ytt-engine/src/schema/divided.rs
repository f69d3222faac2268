//! A text such as `registry/web:1.2` or `host:80` where a map with both halves as its members is declared, as after a value
//! was made a map: the map with the two halves of the text, also of a text that code puts together.

use super::misfit::{Checked, Told};
use super::{ItemId, MapType, TypeKind};
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::quoted;
use crate::source::{Origin, SourceMap, Span, to_u32};
use crate::template::written;
use crate::validate::key_text;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Body, NodeId, Val};

/// What members are called that stand in front of the colon, and behind.
const HALVES: [(&[&str], &[&str]); 2] =
    [(&["repository", "repo", "name", "image"], &["tag", "version"]), (&["host", "hostname", "address"], &["port"])];
/// Members that take other parts of such a text.
const MORE: [&str; 9] = ["digest", "domain", "host", "namespace", "path", "protocol", "registry", "scheme", "url"];
/// Parts of code that are looked at.
const PARTS: usize = 12;
/// Lines of a file in which a map is looked for.
const LINES: u32 = 2_000;

impl Told<'_> {
    /// The help that writes the two halves, and where the file has a map for the same key.
    pub(super) fn in_halves(&self, told: &Diagnostic, item: NodeId, value: Val, map: &MapType) -> Option<Diagnostic> {
        let text = self.arena.str(value).filter(|_| self.hints && matches!(self.from, Checked::Values))?;
        let told = match self.map_beside(item, map) {
            Some((place, key)) => told.clone().label(place, format!("here `{key}` is a map")),
            None => told.clone(),
        };
        let edit = self.members(map).and_then(|members| self.halves_edit(item, text, &members));
        Some(match edit {
            Some((span, new)) => {
                told.help_edit("write the two parts of the text as keys of the map", span, new).if_it_mends().guessing()
            }
            None => self.as_member(&told, item, value, map).unwrap_or(told),
        })
    }

    /// The only two members that the halves of a text may be, the second one with whether it is a number.
    fn members(&self, map: &MapType) -> Option<[(String, bool); 2]> {
        let member = |names: &[&str]| {
            let key = |id: &ItemId| key_text(self.arena, self.schema.item(*id).key);
            let id = only(map.items.iter().filter(|id| names.contains(&&*key(id))))?;
            match self.schema.inner(self.schema.item(*id).ty).kind {
                TypeKind::Str => Some((key(id), false)),
                TypeKind::Int => Some((key(id), true)),
                _ => None,
            }
        };
        HALVES.into_iter().find_map(|(front, behind)| {
            let front = member(front).filter(|(_, is_number)| !is_number)?;
            let behind = member(behind)?;
            let is_more = |id: &ItemId| {
                let key = key_text(self.arena, self.schema.item(*id).key);
                key != front.0 && key != behind.0 && MORE.contains(&&*key)
            };
            (!map.items.iter().any(is_more)).then_some([front, behind])
        })
    }

    fn halves_edit(&self, item: NodeId, text: &str, members: &[(String, bool); 2]) -> Option<(Span, String)> {
        let (front, behind) = divided(text)?;
        let [(first, _), (second, is_number)] = members;
        let is_address = second == "port";
        // `registry.test:5000` without an image is an address, too.
        let is_host_with_port = !front.contains('/') && front.contains('.') && behind.parse::<u16>().is_ok();
        if is_address && front.contains('/') || !is_address && is_host_with_port {
            return None;
        }
        if *is_number && behind.parse::<i64>().is_err() {
            return None;
        }
        let Some(place) = self.arena.place_of(item) else {
            // The entry of a dict in code.
            let value = self.in_code()?.value;
            let [front, behind] = halves(self.sources, value, text).filter(|_| !is_number)?;
            let new = format!("{{{}: {front}, {}: {behind}}}", quoted::starlark(first), quoted::starlark(second));
            return Some((value, new));
        };
        let (key, source) = (place.key(), self.sources.get(place.source));
        if source.origin == Origin::Flag || !matches!(self.arena.get(item).body, Body::MapItem(..)) {
            return None;
        }
        let line = source.line_range(source.line(key.start));
        let before = source.written(Span { start: line.start, end: key.start, ..key })?;
        let rest = source.written(Span { start: key.end, end: line.end, ..key })?;
        let (lead, written) = rest.split_once(':')?;
        let written = written.trim();
        // Another item in braces, a comment or a tag has more to it.
        if !lead.is_empty() || !before.trim_start_matches("- ").trim().is_empty() {
            return None;
        }
        let indent = " ".repeat(before.chars().count().checked_add(2)?);
        let [front, behind] = match place.code(self.sources) {
            Some(code) => {
                let own = source.written(code)?.trim();
                (written.strip_prefix("#@")?.trim() == own && !is_number).then_some(())?;
                halves(self.sources, code, text)?.map(|half| format!("#@ {half}"))
            }
            None => {
                let is_plain =
                    [format!("\"{text}\""), format!("'{text}'"), text.to_owned()].iter().any(|own| own == written);
                is_plain.then_some(())?;
                let in_yaml = |half: &str| match needs_no_quotes(half) {
                    true => half.to_owned(),
                    false => quoted::go(half.as_bytes()),
                };
                [in_yaml(front), if *is_number { behind.to_owned() } else { in_yaml(behind) }]
            }
        };
        let span = Span {
            start: key.end,
            end: line.start.checked_add(to_u32(source.line_text(source.line(key.start)).len()))?,
            ..key
        };
        Some((span, format!(":\n{indent}{first}: {front}\n{indent}{second}: {behind}")))
    }

    /// Another place of the file where the key has a map of declared keys.
    fn map_beside(&self, item: NodeId, map: &MapType) -> Option<(Span, String)> {
        let key = self.arena.str(self.arena.key(item))?;
        let own = self.arena.span_of(item)?;
        let source = self.sources.get(own.source);
        let last = source.line(u32::MAX).min(LINES);
        let indent = |text: &str| text.len().saturating_sub(text.trim_start().len());
        let found = (1..last).find_map(|line| {
            let text = source.line_text(line);
            (text.trim().strip_suffix(':')? == key).then_some(())?;
            let below = source.line_text(line.saturating_add(1));
            let (inner, _) = below.trim().split_once(':')?;
            let is_it = indent(&below) > indent(&text) && self.declared(map, inner).is_some();
            let start = source.line_range(line).start.saturating_add(to_u32(indent(&text)));
            is_it.then_some(Span { start, end: start.saturating_add(to_u32(key.len())), ..own })
        });
        Some((found?, key.to_owned()))
    }
}

/// The text in front of its last colon and behind it, where both may be what they are named.
fn divided(text: &str) -> Option<(&str, &str)> {
    let (front, behind) = text.rsplit_once(':')?;
    let is_whole =
        |part: &str| !part.is_empty() && !part.contains(|letter: char| letter.is_whitespace() || letter == '@');
    (is_whole(front) && is_whole(behind) && !behind.contains('/') && !front.contains("://")).then_some((front, behind))
}

/// The code of both halves of a text that code puts together around a colon. Values have none of their own then.
fn halves(sources: &SourceMap, code: Span, text: &str) -> Option<[String; 2]> {
    let colons = |text: &str| text.matches(':').count();
    (colons(&code_of(sources, code)?) == colons(text)).then_some(())?;
    joined(sources, code).or_else(|| formatted(sources, code)).or_else(|| filled(sources, code))
}

fn code_of(sources: &SourceMap, span: Span) -> Option<String> {
    Some(sources.get(span.source).written(span)?.trim().to_owned())
}

/// A literal in double quotes, without what is written otherwise in it.
fn literal(code: &str) -> Option<&str> {
    let inside = code.strip_prefix('"')?.strip_suffix('"')?;
    (!inside.contains(['"', '\\', '\n'])).then_some(inside)
}

/// `a + "/web:" + b`.
fn joined(sources: &SourceMap, code: Span) -> Option<[String; 2]> {
    let (mut rest, mut parts) = (code, Vec::new());
    while parts.len() < PARTS
        && let Some([left, right]) = written::operands(sources, rest)
    {
        (code_of(sources, Span { start: left.end, end: right.start, ..left })? == "+").then_some(())?;
        parts.insert(0, code_of(sources, right)?);
        rest = left;
    }
    parts.insert(0, code_of(sources, rest)?);
    let at = parts.iter().rposition(|part| literal(part).is_some_and(|text| text.contains(':')))?;
    let (front, behind) = literal(parts.get(at)?)?.rsplit_once(':')?;
    let is_part = |text: &&str| !text.is_empty();
    let front = Some(front).filter(is_part).map(quoted::starlark);
    let behind = Some(behind).filter(is_part).map(quoted::starlark);
    let all = |parts: Vec<String>| (!parts.is_empty()).then(|| parts.join(" + "));
    let front = parts.get(..at)?.iter().cloned().chain(front).collect();
    let behind = behind.into_iter().chain(parts.get(at.saturating_add(1)..)?.iter().cloned()).collect();
    Some([all(front)?, all(behind)?])
}

/// `"{}/web:{}".format(a, b)`.
fn formatted(sources: &SourceMap, code: Span) -> Option<[String; 2]> {
    let text = written::receiver(sources, code)?;
    code_of(sources, written::callee(sources, code)?)?.ends_with("\".format").then_some(())?;
    let given = written::call(sources, code)?;
    given.iter().all(|one| one.name.is_none()).then_some(())?;
    let given: Vec<String> = given.iter().map(|one| code_of(sources, one.value)).collect::<Option<_>>()?;
    let each = |text: &str, given: &[String]| format!("{}.format({})", quoted::starlark(text), given.join(", "));
    split(&code_of(sources, text)?, "{}", &given, each)
}

/// `"%s/web:%s" % (a, b)`.
fn filled(sources: &SourceMap, code: Span) -> Option<[String; 2]> {
    let [text, values] = written::operands(sources, code)?;
    (code_of(sources, Span { start: text.end, end: values.start, ..text })?.starts_with('%')).then_some(())?;
    let given = written::elements(sources, values);
    let given: Vec<String> = given.into_iter().map(|one| code_of(sources, one)).collect::<Option<_>>()?;
    let each = |text: &str, given: &[String]| match given {
        // What binds less needs its own parentheses.
        [only] => format!("{} % ({only},)", quoted::starlark(text)),
        all => format!("{} % ({})", quoted::starlark(text), all.join(", ")),
    };
    split(&code_of(sources, text)?, "%s", &given, each)
}

/// The halves of a literal with places for values, which each are `sign`.
fn split(text: &str, sign: &str, given: &[String], each: impl Fn(&str, &[String]) -> String) -> Option<[String; 2]> {
    let (front, behind) = literal(text)?.rsplit_once(':')?;
    let count = |half: &str| half.matches(sign).count();
    // Signs of other kinds would be counted in another way.
    let is_plain = |half: &str| !half.replace(sign, "").contains(['{', '}', '%']);
    let is_it = count(front).checked_add(count(behind))? == given.len() && is_plain(front) && is_plain(behind);
    let (own, others) = given.split_at_checked(count(front)).filter(|_| is_it)?;
    let half = |text: &str, given: &[String]| match given {
        [] if text.is_empty() => None,
        [] => Some(quoted::starlark(text)),
        [only] if text == sign => Some(only.clone()),
        _ => Some(each(text, given)),
    };
    Some([half(front, own)?, half(behind, others)?])
}
