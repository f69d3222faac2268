//! A key that code misses in a decoded TOML file, while a table of the file has it: all keys below a header belong to its
//! table.

use super::super::host::Host;
use super::code_of;
use crate::diag::{Diagnostic, Label};
use crate::nearest::only;
use crate::quoted;
use crate::source::{Source, SourceId, Span, to_u32};

/// Keys of a file that are looked at.
const MOST: usize = 2_000;

/// A header with the keys below it; the first section of a file has none.
#[derive(Debug, Default)]
struct Section {
    path: Vec<String>,
    header: Option<Span>,
    /// `[[name]]`
    is_item: bool,
    keys: Vec<Key>,
}

/// A key of a section.
#[derive(Debug)]
struct Key {
    name: String,
    /// Of dotted keys the first part is known alone.
    is_whole: bool,
    place: Span,
    /// All lines of key and value.
    lines: Span,
}

/// A table without the key, and the one that has it.
struct Found {
    source: SourceId,
    sections: Vec<Section>,
    asked: usize,
    having: usize,
    key: usize,
}

/// Adds to a problem of a dict that has `keys` and not `wanted` the table that has it.
pub(super) fn lacks(host: &Host<'_>, problem: &mut Diagnostic, wanted: &str, keys: &[String]) {
    let mut all = Vec::new();
    for (number, source) in host.sources.all().iter().enumerate() {
        if !source.name.ends_with(".toml") {
            continue;
        }
        if !host.may_advise(source.text.as_bytes().len()) {
            return;
        }
        let id = SourceId(to_u32(number));
        all.extend(sections(source, id).and_then(|sections| find(id, sections, wanted, keys)));
    }
    if let Some(told) = only(all).and_then(|found| found.told(host, problem, wanted)) {
        *problem = told;
    }
}

/// The only table of a file that has the wanted key, and the only one with just these keys.
fn find(source: SourceId, sections: Vec<Section>, wanted: &str, keys: &[String]) -> Option<Found> {
    let asked = only((0..sections.len()).filter(|at| has_just(&sections, *at, keys)))?;
    let all = sections.iter().enumerate().flat_map(|(at, section)| {
        let own = section.keys.iter().enumerate().filter(|(_, key)| key.is_whole && key.name == wanted);
        own.map(move |(key, _)| (at, key))
    });
    let (having, key) = only(all)?;
    Some(Found { source, sections, asked, having, key })
}

fn has_just(sections: &[Section], at: usize, keys: &[String]) -> bool {
    let Some(section) = sections.get(at) else { return false };
    let behind = sections.get(at.saturating_add(1)..).unwrap_or_default();
    // The next item of a list begins anew.
    let own = behind.iter().take_while(|other| !(section.is_item && other.path == section.path));
    let inner = own.filter_map(|other| other.path.strip_prefix(&section.path[..])?.first());
    let mut names: Vec<&String> = section.keys.iter().map(|key| &key.name).chain(inner).collect();
    names.sort();
    names.dedup();
    names.len() == keys.len() && keys.iter().all(|key| names.binary_search(&key).is_ok())
}

impl Found {
    fn told(&self, host: &Host<'_>, problem: &Diagnostic, wanted: &str) -> Option<Diagnostic> {
        let (asked, having) = (self.sections.get(self.asked)?, self.sections.get(self.having)?);
        let (key, header) = (having.keys.get(self.key)?, having.header?);
        // Which item of a list is meant nobody knows.
        let is_around = |section: &Section| [asked, having].iter().any(|one| one.path.starts_with(&section.path));
        if self.sections.iter().any(|section| section.is_item && is_around(section)) {
            return None;
        }
        let source = host.sources.get(self.source);
        let table = having.path.join(".");
        // A dict of code may have the same keys: then none of the edits mends.
        let labels = [
            Label { span: key.place, text: format!("`{wanted}` is in the table `{table}`") },
            Label { span: header, text: "all keys below this header are in that table".to_owned() },
        ];
        let there = match asked.path.is_empty() {
            true => "at the top of the file".to_owned(),
            false => format!("in the table `{}`", asked.path.join(".")),
        };
        let moved = self.above(&source, asked).and_then(|at| {
            let lines = source.written(key.lines)?;
            let new = if lines.ends_with('\n') { lines.to_owned() } else { format!("{lines}\n") };
            source.moved(key.lines, [at], &new)
        });
        let moved = moved.map(|edit| (format!("if `{wanted}` is meant to be {there}, move it there"), edit));
        let read = self.read_there(host, problem, (asked, having), wanted);
        let read = read.map(|edit| (format!("to take it from the table `{table}`, ask for that first"), edit));
        // What was added at the end of a file lies in the last table by mistake.
        let is_last = having.keys.len() == self.key.saturating_add(1) && self.key > 0;
        let helps = if is_last { [moved, read] } else { [read, moved] };
        let told = helps.into_iter().flatten().fold(problem.clone(), |told, (text, (span, new))| {
            told.help_edit(text, span, new).guessing().if_it_mends().beside_help(labels.clone())
        });
        Some(told)
    }

    /// Where a key of a section is written: behind its last one, or below its header.
    fn above(&self, source: &Source, section: &Section) -> Option<u32> {
        match (section.keys.last(), section.header) {
            (Some(last), _) => Some(last.lines.end),
            (None, Some(header)) => Some(source.line_range(source.line(header.start).saturating_add(1)).start),
            (None, None) => Some(source.line_range(source.line(self.sections.get(1)?.header?.start)).start),
        }
    }

    /// The edit that asks for the table in front of the key.
    fn read_there(
        &self,
        host: &Host<'_>,
        problem: &Diagnostic,
        (asked, having): (&Section, &Section),
        wanted: &str,
    ) -> Option<(Span, String)> {
        let between = having.path.strip_prefix(&asked.path[..])?;
        let place = problem.parts().labels.first()?.span;
        let whole = Span { start: place.start.checked_sub(1)?, end: place.end.checked_add(1)?, ..place };
        let key = quoted::go(wanted.as_bytes());
        (!between.is_empty() && code_of(&host.sources, whole) == key).then_some(())?;
        let names: Vec<String> = between.iter().map(|name| quoted::go(name.as_bytes())).chain([key]).collect();
        Some((whole, names.join("][")))
    }
}

/// The sections of a file, if its lines tell: texts of several lines are not read.
fn sections(source: &Source, id: SourceId) -> Option<Vec<Section>> {
    let text = source.text.as_str().filter(|text| !text.contains("\"\"\"") && !text.contains("'''"))?;
    let mut sections = vec![Section::default()];
    let (mut next, mut depth, mut count) = (0_u32, 0_i64, 0_usize);
    for line in text.split_inclusive('\n') {
        let start = next;
        next = next.checked_add(to_u32(line.len()))?;
        count = count.saturating_add(1);
        let code = line.trim();
        let at = start.checked_add(to_u32(line.len().checked_sub(line.trim_start().len())?))?;
        let span = |length: usize| Some(Span::new(id, at, at.checked_add(to_u32(length))?));
        let last = sections.last_mut()?;
        if depth > 0 {
            // The value of the key above goes on.
            last.keys.last_mut()?.lines.end = next;
            depth = depth.checked_add(opened(code)?)?;
        } else if code.starts_with('[') {
            let inside = code.split('#').next()?.trim_end();
            let is_item = inside.starts_with("[[");
            let name = inside.trim_start_matches('[').trim_end_matches(']');
            let path = name.split('.').map(key_name).collect::<Option<Vec<_>>>()?;
            let header = span(inside.len());
            sections.push(Section { path, header, is_item, keys: Vec::new() });
        } else if !code.is_empty() && !code.starts_with('#') {
            let (key, value) = code.split_once('=')?;
            let key = key.trim_end();
            let first = key.split('.').next()?;
            let (place, lines) = (span(key.len())?, Span::new(id, start, next));
            last.keys.push(Key { name: key_name(first)?, is_whole: first == key, place, lines });
            depth = opened(value)?;
        }
        (count <= MOST).then_some(())?;
    }
    (depth == 0).then_some(sections)
}

/// A part of a key: a bare one, or one between quotes without dots and escapes.
fn key_name(part: &str) -> Option<String> {
    const QUOTES: [char; 2] = ['"', '\''];
    let part = part.trim();
    let inside = QUOTES.iter().find_map(|quote| part.strip_prefix(*quote)?.strip_suffix(*quote));
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let is_plain = |letter: char| is_bare(letter) || matches!(letter, ' ' | '/' | ':' | '@');
    let is_name = match inside {
        Some(name) => name.chars().all(is_plain),
        None => !part.is_empty() && part.chars().all(is_bare),
    };
    is_name.then(|| inside.unwrap_or(part).to_owned())
}

/// How many more brackets a line opens than it closes; `None` where a text is not closed.
fn opened(code: &str) -> Option<i64> {
    let (_, open) = quoted::outside(code);
    open.is_none().then(|| quoted::opened(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, Text};

    fn read(text: &str) -> Option<Vec<Section>> {
        let source = Source::new("a.toml", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Plain);
        sections(&source, SourceId(0))
    }

    #[test]
    fn sections_have_the_keys_below_their_headers() {
        let text = "a = 1 # [x]\r\n\r\n[b.\"c\"] # it\r\nd.e = [\r\n  \"]\",\r\n]\r\nf = { g = 1 }\r\n[[h]]\r\n";
        let found = read(text).unwrap();
        let shown: Vec<String> = found
            .iter()
            .map(|section| {
                let keys: Vec<&str> = section.keys.iter().map(|key| key.name.as_str()).collect();
                format!("{}:{}:{}", section.path.join("."), keys.join(","), section.is_item)
            })
            .collect();
        assert_eq!(shown, [":a:false", "b.c:d,f:false", "h::true"]);
        let [_, table, _] = &found[..] else { panic!("{found:?}") };
        let lines = table.keys[0].lines;
        assert_eq!(&text[lines.start as usize..lines.end as usize], "d.e = [\r\n  \"]\",\r\n]\r\n");
        assert!(!table.keys[0].is_whole && table.keys[1].is_whole);
        for text in ["a = \"\"\"\nb\n\"\"\"\n", "a = [\n", "a\n", "a = \"x\n", "[a \"b]\nc = 1\n"] {
            assert!(read(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn a_table_has_its_keys_and_the_tables_in_it() {
        let found = read("a = 1\n[b]\nc = 1\n[b.d]\ne = 1\n[[f]]\ng = 1\n[f.h]\n[[f]]\ni = 1\n").unwrap();
        let names = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (at, keys) in [(0, "a b f"), (1, "c d"), (2, "e"), (3, "g h"), (5, "i")] {
            assert!(has_just(&found, at, &names(keys)), "{keys}");
            assert!(!has_just(&found, at, &names("a")), "{keys}");
        }
    }
}
