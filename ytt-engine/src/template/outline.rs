//! What the text of a file defines and loads, told from its lines: for advice about files that may not even compile.
#![allow(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets and brackets are those of a source below 2³¹ bytes, cut where a word or a sign was found"
)]

use super::{word, written};
use crate::files::{PRIVATE, is_in_library};
use crate::nearest::only;
use crate::quoted;
use crate::source::{Source, SourceId, SourceMap, Span};

/// A `load` on a line of its own.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) path: Word,
    pub(crate) names: Vec<Loaded>,
    /// Where its bracket closes, and where its line ends.
    pub(crate) close: u32,
    pub(crate) end: u32,
}

/// A name that a `load` brings: `"own"`, or `alias="own"`.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    /// In the file that is loaded.
    pub(crate) own: Word,
    /// In the file that loads, if it is another one.
    pub(crate) alias: Option<Word>,
}

impl Loaded {
    /// The name in the file that loads.
    pub(crate) fn here(&self) -> &str {
        &self.alias.as_ref().unwrap_or(&self.own).name
    }

    /// Where it begins: the alias, or the quote.
    pub(crate) fn start(&self) -> u32 {
        self.alias.as_ref().map_or(self.own.span.start - 1, |alias| alias.span.start)
    }

    /// As a `load` writes it.
    pub(crate) fn written(&self) -> String {
        let alias = self.alias.as_ref().map(|alias| format!("{}=", alias.name)).unwrap_or_default();
        format!("{alias}{}", quoted::go(self.own.name.as_bytes()))
    }
}

/// A word of a `load`, and where it stands without its quotes.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// A line of code without the mark of the template.
struct CodeLine<'a> {
    /// Where the code begins.
    at: u32,
    code: &'a str,
    indent: usize,
}

impl<'a> CodeLine<'a> {
    /// What stands behind `name =`.
    fn set_to(&self, name: &str) -> Option<&'a str> {
        let rest = self.code.strip_prefix(name)?.trim_start().strip_prefix('=')?;
        Some(rest).filter(|rest| !rest.starts_with('='))
    }
}

/// The lines of a file, and of each its code, if it has any.
fn lines(source: &Source) -> impl Iterator<Item = Option<CodeLine<'_>>> {
    let is_code = source.name.ends_with(".star");
    let mut next = 0;
    source.text.as_str().unwrap_or_default().split_inclusive('\n').map(move |line| {
        let start = next;
        next += line.len();
        let trimmed = line.trim_start();
        let marked = match trimmed.strip_prefix("#@").or_else(|| trimmed.strip_prefix("(@")) {
            _ if is_code => line,
            Some(rest) => rest.strip_prefix('-').unwrap_or(rest),
            None => return None,
        };
        let code = marked.trim_start();
        let at = start + line.len() - code.len();
        Some(CodeLine { at: at as u32, code: code.trim_end(), indent: marked.len() - code.len() })
    })
}

/// The lines of code that follow each other, each time as a whole: a file of code is one.
pub(crate) fn blocks(source: &Source, id: SourceId) -> Vec<Span> {
    let text = source.text.as_str().unwrap_or_default();
    if source.name.ends_with(".star") {
        return vec![Span::new(id, 0, text.len() as u32)];
    }
    let (mut blocks, mut next, mut is_open): (Vec<Span>, u32, bool) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let start = next;
        next += line.len() as u32;
        let is_code = line.trim_start().strip_prefix("#@").is_some_and(|rest| rest.starts_with([' ', '\n']));
        match blocks.last_mut().filter(|_| is_open && is_code) {
            Some(block) => block.end = next,
            None if is_code => blocks.push(Span::new(id, start, next)),
            None => {}
        }
        is_open = is_code;
    }
    blocks
}

/// Does a place stand in a schema, and not in data values or elsewhere?
pub(crate) fn is_in_schema(source: &Source, place: Span) -> bool {
    values_above(source, place).is_some_and(|(_, is_schema)| is_schema)
}

/// The key of that name at the top of a file's documents.
pub(crate) fn key_at_top(source: &Source, id: SourceId, name: &str) -> Option<Span> {
    let mut next = 0;
    source.text.as_str()?.split_inclusive('\n').find_map(|line| {
        let start = next;
        next += line.len() as u32;
        let rest = line.strip_prefix(name)?;
        let is_key = rest.strip_prefix(':').is_some_and(|rest| rest.starts_with([' ', '\n', '\r']));
        is_key.then(|| Span::new(id, start, start + name.len() as u32))
    })
}

/// Does a file have a document that is a schema of data values?
pub(crate) fn has_schema(source: &Source) -> bool {
    const SCHEMA: &str = "#@data/values-schema";
    source.text.as_str().is_some_and(|text| text.contains(SCHEMA) && text.lines().any(|line| line.starts_with(SCHEMA)))
}

/// Are there data values, or a schema of them, above a place?
pub(crate) fn is_of_values(source: &Source, place: Span) -> bool {
    values_above(source, place).is_some()
}

/// The nearest annotation above a place that makes a document one of data values, and whether it makes it a schema.
pub(crate) fn values_above(source: &Source, place: Span) -> Option<(Span, bool)> {
    (1..source.line(place.start)).rev().find_map(|line| values_at(source, place, line))
}

/// The same of the nearest one below.
pub(crate) fn values_below(source: &Source, place: Span) -> Option<(Span, bool)> {
    let last = source.line(u32::MAX);
    (source.line(place.start)..=last).find_map(|line| values_at(source, place, line))
}

/// The annotation that a line is. An indented one is text, or is for an item.
fn values_at(source: &Source, place: Span, line: u32) -> Option<(Span, bool)> {
    let range = source.line_range(line);
    let line = source.written(Span { start: range.start, end: range.end, ..place })?;
    let word = line.split([' ', '\t']).next()?.trim_end();
    let end = range.start + line.trim_end().len() as u32;
    matches!(word, "#@data/values" | "#@data/values-schema")
        .then(|| (Span { start: range.start, end, ..place }, word.ends_with("-schema")))
}

/// The annotation right above a place that gives the default of a schema.
pub(crate) fn default_above(source: &Source, place: Span) -> Option<Span> {
    const DEFAULT: &str = "#@schema/default ";
    let is_comment = |line: &u32| source.line_text(*line).trim_start().starts_with('#');
    let above = (1..source.line(place.start)).rev().take_while(is_comment);
    let line = above.into_iter().find(|line| source.line_text(*line).trim_start().starts_with(DEFAULT))?;
    let text = source.line_text(line);
    let indent = u32::try_from(text.len().checked_sub(text.trim_start().len())?).ok()?;
    let range = source.line_range(line);
    Some(Span { start: range.start.checked_add(indent)?, end: range.end, ..place })
}

/// Where a file defines a name that others can load: by `def`, or by an assignment that is in no block.
pub(crate) fn defined(source: &Source, id: SourceId, name: &str) -> Option<Span> {
    let found = lines(source).flatten().find_map(|line| {
        let (skipped, is_function) = match line.code.strip_prefix("def ") {
            Some(rest) => (4 + rest.len() - rest.trim_start().len(), true),
            None => (0, false),
        };
        let rest = line.code[skipped..].strip_prefix(name)?.trim_start();
        let is_defined = match is_function {
            true => rest.starts_with('('),
            false => line.indent <= 1 && rest.starts_with('=') && !rest.starts_with("=="),
        };
        is_defined.then_some(line.at + skipped as u32)
    })?;
    Some(Span::new(id, found, found + name.len() as u32))
}

/// The code that a name is set to, if one line does so.
pub(crate) fn assigned<'s>(source: &'s Source, name: &str) -> Option<&'s str> {
    let found = lines(source).flatten().filter_map(|line| line.set_to(name)).map(str::trim);
    only(found)
}

/// Where the code stands that a name is set to, if one assignment does so: up to where its brackets are closed.
pub(crate) fn value(source: &Source, id: SourceId, name: &str) -> Option<Span> {
    let is_set = |line: &CodeLine<'_>| line.set_to(name).is_some();
    (lines(source).flatten().filter(is_set).take(2).count() == 1).then_some(())?;
    let first = lines(source).flatten().find(is_set)?;
    let start = first.at + (first.code.len() - first.set_to(name)?.len()) as u32;
    Some(Span::new(id, start, written::line_end(source, Span::new(id, start, start))?))
}

/// Whether a part of the code is a statement by itself, so that its value is thrown away.
pub(crate) fn is_statement(source: &Source, part: Span) -> bool {
    let [first, last] = [part.start, part.end].map(|at| source.line_range(source.line(at)));
    let before = source.written(Span { start: first.start, end: part.start, ..part }).unwrap_or("?").trim();
    let behind = source.written(Span { start: part.end, end: last.end, ..part }).unwrap_or("?").trim();
    // Only then is it worth to look for brackets that are open there.
    let is_alone =
        ["", "#@", "(@", "(@-"].contains(&before) && (["", "@)", "-@)"].contains(&behind) || behind.starts_with('#'));
    is_alone && {
        let above = lines(source).flatten().take_while(|line| line.at < part.start);
        above.fold(0, |depth, line| (depth + quoted::opened(line.code)).max(0)) == 0
    }
}

/// Whether a name can be set at a place: outside of functions, or where the function sets it before.
pub(crate) fn can_be_set(source: &Source, name: &str, place: Span) -> bool {
    let mut is_set = false;
    for line in lines(source).flatten() {
        if line.at >= place.start {
            return is_set || line.indent <= 1;
        }
        is_set = line.set_to(name).is_some() || is_set && !line.code.starts_with("def ");
    }
    false
}

/// The `load`s of a file, in their order. One that is written in another way is left out.
pub(crate) fn loads(source: &Source, id: SourceId) -> Vec<Load> {
    let read = |line: CodeLine<'_>| {
        let mut rest = line.code.strip_prefix("load(")?;
        let at = |rest: &str| line.at + (line.code.len() - rest.len()) as u32;
        let word = |rest: &str, length: usize| Word {
            name: rest[..length].to_owned(),
            span: Span::new(id, at(rest), at(rest) + length as u32),
        };
        let mut names = Vec::new();
        loop {
            rest = rest.trim_start();
            let mut alias = None;
            if let Some(equals) = rest.find(['=', '"']).filter(|at| rest[*at..].starts_with('=')) {
                alias = Some(word(rest, rest[..equals].trim_end().len()));
                rest = rest[equals + 1..].trim_start();
            }
            let inside = rest.strip_prefix('"')?;
            let length = inside.find('"')?;
            names.push(Loaded { own: word(inside, length), alias });
            rest = inside[length + 1..].trim_start();
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None => break,
            }
        }
        rest.starts_with(')').then_some(())?;
        let path = names.remove(0).own;
        Some(Load { path, names, close: at(rest), end: line.at + line.code.len() as u32 })
    };
    lines(source).flatten().filter_map(read).collect()
}

/// The file from which a `load` brings the name `here`, and what the name is there.
pub(crate) fn brought(source: &Source, id: SourceId, here: &str) -> Option<(Word, Loaded)> {
    loads(source, id).into_iter().find_map(|load| {
        let name = load.names.into_iter().find(|name| name.here() == here)?;
        Some((load.path, name))
    })
}

/// The file that sets a name of a file, and what the name is there.
pub(crate) fn home(sources: &SourceMap, file: SourceId, name: &str) -> Option<(SourceId, String)> {
    let source = sources.get(file);
    match brought(&source, file, name) {
        Some((path, loaded)) => Some((loaded_file(sources, &source, &path.name)?, loaded.own.name)),
        None => Some((file, name.to_owned())),
    }
}

/// The file that a `load` of another one names.
fn loaded_file(sources: &SourceMap, from: &Source, path: &str) -> Option<SourceId> {
    let folder = from.name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let all = sources.all();
    let file = |name: &str| all.iter().rposition(|source| *source.name == *name).map(|at| SourceId(at as u32));
    let within =
        |folder: &str, path: &str| if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
    let Some(path) = path.strip_prefix('/') else { return file(&within(folder, path)) };
    if !is_in_library(folder) {
        return file(path);
    }
    // The root of a library may lie some folders deep: only the tree of libraries knows how many.
    let depth = |folder: &str| folder.split('/').filter(|part| *part == PRIVATE).count();
    let is_root = |root: &&str| depth(root) == depth(folder) && !root.ends_with(PRIVATE);
    let roots = folder.match_indices('/').map(|(at, _)| &folder[..at]).chain([folder]).filter(is_root);
    only(roots.filter_map(|root| file(&within(root, path))))
}

/// All functions that others can load, by their names.
pub(crate) fn functions(source: &Source, id: SourceId) -> impl Iterator<Item = Word> {
    lines(source).flatten().filter_map(move |line| {
        let behind = line.code.strip_prefix("def ")?.trim_start();
        let name = behind.split_once('(')?.0.trim_end();
        let start = line.at + (line.code.len() - behind.len()) as u32;
        (line.indent <= 1)
            .then(|| Word { name: name.to_owned(), span: Span::new(id, start, start + name.len() as u32) })
    })
}

/// The names that a file loads and has nowhere else in its text.
pub(crate) fn idle(source: &Source, id: SourceId) -> Vec<Word> {
    let text = source.text.as_str().unwrap_or_default();
    let names = loads(source, id).into_iter().flat_map(|load| load.names);
    names
        .filter(|name| word::whole(text, name.here()).take(2).count() == 1)
        .map(|name| name.alias.unwrap_or(name.own))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, Text};

    fn source(name: &str, text: &str) -> Source {
        Source::new(name, Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml)
    }

    fn shown(text: &str, span: Span) -> &str {
        &text[span.start as usize..span.end as usize]
    }

    #[test]
    fn definitions_are_found_at_top_level() {
        let star = "x = 1\ndef f(a):\n  y = 2\nend\nz == 3\n";
        let yaml = "#@ def g():\nh = 1\n#@ k = 2\n#@   inner = 3\n#@ end\n#@overlay/match by=1\n";
        for (file, text, name, line) in [
            ("a.star", star, "x", Some(0)),
            ("a.star", star, "f", Some(10)),
            ("a.star", star, "y", None),
            ("a.star", star, "z", None),
            ("a.yml", yaml, "g", Some(7)),
            ("a.yml", yaml, "h", None),
            ("a.yml", yaml, "k", Some(21)),
            ("a.yml", yaml, "inner", None),
            ("a.txt", "(@ def t(): -@)\n(@- end @)\n", "t", Some(7)),
        ] {
            let found = defined(&source(file, text), SourceId(0), name);
            assert_eq!(found.map(|span| span.start), line, "{name}");
        }
    }

    #[test]
    fn loads_are_taken_apart() {
        let text = "#@ load(\"a.star\", \"b\" , \"c\")\n#@ load(\"x\", y = \"z\")\n(@ load(\"d\") @)\n";
        let all = loads(&source("t.yml", text), SourceId(0));
        let told: Vec<(&str, Vec<&str>)> = all
            .iter()
            .map(|load| {
                let names = load.names.iter().map(|name| shown(text, Span { start: name.start(), ..name.own.span }));
                (shown(text, load.path.span), names.collect())
            })
            .collect();
        assert_eq!(told, [("a.star", vec!["\"b", "\"c"]), ("x", vec!["y = \"z"]), ("d", vec![])]);
        assert_eq!(all[1].names[0].written(), "y=\"z\"");
        assert_eq!(&text[all[0].close as usize..all[0].end as usize], ")");
    }

    #[test]
    fn functions_and_idle_names() {
        let plain = "#@ load(\"p.star\", \"idle\", \"used\", other=\"not_idle\")\na: #@ used(not_idle)\n";
        let names = |all: Vec<Word>| all.into_iter().map(|word| word.name).collect::<Vec<_>>();
        assert_eq!(names(idle(&source("t.yml", plain), SourceId(0))), ["idle", "other"]);
        let code = "def f(a):\n  def inner(): pass\nend\ndef g(): pass\n";
        assert_eq!(names(functions(&source("a.star", code), SourceId(0)).collect()), ["f", "g"]);
    }

    #[test]
    fn values_reach_to_where_their_brackets_close() {
        let star = "K = \"a\"\nKS = {\n  \"b\": [1,\n  2],\n}\nx == 1\ny = 1\ny = 2\nf = (\n";
        let yaml = "#@ k = {\n#@   \"a\": 1 }\nk: 1\n";
        for (file, text, name, expected) in [
            ("a.star", star, "K", Some(" \"a\"")),
            ("a.star", star, "KS", Some(" {\n  \"b\": [1,\n  2],\n}")),
            ("a.star", star, "x", None),
            ("a.star", star, "y", None),
            ("a.star", star, "f", Some(" (")),
            ("a.yml", yaml, "k", Some(" {\n#@   \"a\": 1 }")),
        ] {
            let found = value(&source(file, text), SourceId(0), name);
            assert_eq!(found.map(|span| shown(text, span)), expected, "{name}");
        }
    }

    #[test]
    fn loaded_names_are_known_by_what_they_are_called_here() {
        let text = "#@ load(\"a.star\", \"b\", c=\"d\")\n#@ load(\"e.star\")\n";
        let found = |name| {
            let (path, name) = brought(&source("t.yml", text), SourceId(0), name)?;
            Some((path.name, name.own.name))
        };
        let own = |path: &str, own: &str| Some((path.to_owned(), own.to_owned()));
        assert_eq!(found("b"), own("a.star", "b"));
        assert_eq!(found("c"), own("a.star", "d"));
        assert_eq!(found("d"), None);
    }

    #[test]
    fn lines_of_code_in_a_row_are_one_block() {
        let text = "#@ x = {\n#@ }\n#@overlay/match by=1\n  #@ y = 1\na: 1\n";
        let all = blocks(&source("t.yml", text), SourceId(0));
        let all: Vec<&str> = all.into_iter().map(|span| shown(text, span)).collect();
        assert_eq!(all, ["#@ x = {\n#@ }\n", "  #@ y = 1\n"]);
        assert_eq!(blocks(&source("a.star", text), SourceId(0)).len(), 1);
    }

    #[test]
    fn statements_throw_their_value_away() {
        for (file, text, expected) in [
            ("a.star", "x = 1\nl.with(1)\n", true),
            ("a.star", "x = l.with(1)\n", false),
            ("a.star", "f(\n  l.with(1)\n)\n", false),
            ("a.star", "l.with(1).eval()\n", false),
            ("a.star", "f([1])\nl.with(1)  # why\n", true),
            ("a.yml", "#@ l.with(1)\na: #@ f(1)\n", true),
            ("a.yml", "a: #@ l.with(1)\n", false),
            ("a.txt", "(@ l.with(1) -@)\n", true),
        ] {
            let start = text.find("l.with(1)").unwrap() as u32;
            let part = Span::new(SourceId(0), start, start + 9);
            assert_eq!(is_statement(&source(file, text), part), expected, "{text}");
        }
        let star = "l = 1\ndef f():\n  l.with()\nend\ndef g(l):\n  l = 2\n  l.with()\nend\nl.with()\n";
        let places = star.match_indices("l.with").map(|(at, _)| Span::new(SourceId(0), at as u32, at as u32 + 8));
        let can: Vec<bool> = places.map(|place| can_be_set(&source("a.star", star), "l", place)).collect();
        assert_eq!(can, [false, true, true]);
    }
}
