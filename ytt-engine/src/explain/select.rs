//! Finds what somebody asks for: documents by name, file or line, and values by path.
//!
//! `Deployment/web`, `Deployment/shop/web`, `deploy.yml`, `deploy.yml#2`, `:17`, `deploy.yml:17`; then a path such as
//! `spec.containers[name=web].image`. What is not there is an error with the nearest name, what fits several times an error
//! that lists them.

use std::fmt::{self, Write};
use std::str::Chars;

use super::origin::{Origin, Role, shown};
use super::{Entry, Explanation, Printed};
use crate::diag::path::push_key;
use crate::diag::{Code, Diagnostic, suggest};
use crate::source::to_u32;
use crate::yaml::print::MarkStep;
use crate::yaml::words::key_text;
use crate::yaml::{Body, EventId, NodeId, Val};

/// A value that [`Explanation::find`] found.
#[derive(Clone, Copy)]
pub struct Found<'e> {
    pub(super) explanation: &'e Explanation<'e>,
    pub(super) what: What,
}

#[derive(Clone, Copy)]
pub(super) enum What {
    /// A document or an item of the output.
    Entry(u32),
    /// An item that an overlay removed from what this entry holds, or a document; with the event.
    Removed { holder: Option<u32>, item: NodeId, event: u32 },
    /// A text of the output, or a line of it, from 0.
    Text { number: u32, line: Option<u32> },
}

impl fmt::Debug for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found").field("document", &self.document()).field("path", &self.path()).finish_non_exhaustive()
    }
}

impl Found<'_> {
    /// The document that it belongs to: its kind and name, or its file.
    pub fn document(&self) -> String {
        match (self.near(), self.what) {
            (Some(near), _) => self.explanation.document_name(self.explanation.entry(near).document),
            (None, What::Removed { item, event, .. }) => self.explanation.removed_name(item, event),
            (None, What::Text { number, .. }) => self.explanation.whole_text(number).file().to_owned(),
            (None, What::Entry(_)) => String::new(),
        }
    }

    /// The kind and the name of the document.
    pub(super) fn kind_and_name(&self) -> Option<(&str, &str)> {
        let root = match (self.near(), self.what) {
            (None, What::Removed { item, event, .. }) => self.explanation.histories.value_at(item, EventId(event)),
            (near, _) => self.explanation.root(self.explanation.entry(near?).document),
        };
        self.explanation.kind_and_name(root)
    }

    /// Its path in the document; empty for the whole.
    pub fn path(&self) -> String {
        let mut path = self.near().map(|near| self.explanation.path(near)).unwrap_or_default();
        if let What::Removed { item, event, .. } = self.what {
            self.explanation.push_removed(&mut path, item, event);
        }
        path
    }

    /// The value, as YAML; of a map, a list or a long text what it is; of a text template a line as it is. Nothing if it was
    /// removed.
    pub fn value(&self) -> Option<String> {
        match self.what {
            What::Entry(number) => Some(shown(self.explanation.arena, self.explanation.entry(number).mark.value)),
            What::Removed { .. } => None,
            What::Text { number, line } => {
                let text = self.explanation.whole_text(number);
                Some(line.map_or_else(
                    || format!("text of {} lines", text.count()),
                    |line| text.line(line as usize).to_owned(),
                ))
            }
        }
    }

    /// The line of the output on which it begins, of a text the line of its file; nothing if it was removed.
    pub fn line(&self) -> Option<usize> {
        match self.what {
            What::Entry(number) => Some(self.explanation.entry(number).line as usize),
            What::Removed { .. } => None,
            What::Text { line, .. } => Some(line.map_or(1, |line| (line as usize).saturating_add(1))),
        }
    }

    /// Is it a whole document, or a whole text?
    pub fn is_whole(&self) -> bool {
        match self.what {
            What::Entry(number) => self.explanation.entry(number).mark.depth == 0,
            What::Removed { .. } => false,
            What::Text { line, .. } => line.is_none(),
        }
    }

    /// How it came to be, newest step first; of something that was removed, the removal first. Of a line of a text, the parts
    /// of its template that printed it, in order.
    pub fn origins(&self) -> Vec<Origin> {
        match self.what {
            What::Entry(number) => self.explanation.origins_of(number),
            What::Removed { item, event, .. } => {
                let steps = self.explanation.histories.of_removed(item, event);
                steps.iter().map(|step| Origin::new(self.explanation, step, Role::Output)).collect()
            }
            What::Text { number, line: Some(line) } => self.explanation.origins_of_text(number, line),
            What::Text { .. } => Vec::new(),
        }
    }

    /// The entry that it is or was in; nothing if it is a document that was removed.
    fn near(&self) -> Option<u32> {
        match self.what {
            What::Entry(number) => Some(number),
            What::Removed { holder, .. } => holder,
            What::Text { .. } => None,
        }
    }
}

/// A step of a path that somebody wrote.
#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    Key(String),
    Index(usize),
    /// The items that have this key with this value; without a key, that are this value.
    With(Option<String>, String),
}

impl Explanation<'_> {
    /// Finds a document by `selector`, and in it what stands at `path`; an empty path is the whole document, an empty selector
    /// the only document.
    ///
    /// # Errors
    ///
    /// When nothing or more than one thing fits: the message says what is near, or lists them.
    ///
    /// ```
    /// let yaml = "kind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - name: http\n    port: 80\n";
    /// let rendered = ytt_engine::Project::new().file("svc.yml", yaml).explain(true).render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// let port = explanation.find("Service/web", "spec.ports[name=http].port").unwrap();
    /// assert_eq!((port.value().as_deref(), port.line()), (Some("80"), Some(7)));
    /// let problem = explanation.find("Service/wbe", "").unwrap_err();
    /// assert_eq!(problem.helps().next().unwrap().text(), "did you mean `Service/web`?");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn find(&self, selector: &str, path: &str) -> Result<Found<'_>, Diagnostic> {
        let wanted = steps(path)?;
        let line = line_of(selector);
        if let Some(found) = self.find_text(selector, line)? {
            let no_path = || missing(format!("`{}` is a text: nothing in it has a path", found.document()));
            return if wanted.is_empty() { Ok(found) } else { Err(no_path()) };
        }
        let start = match line {
            Some((file, line)) => self.on_line(file, line)?,
            None => match self.document(selector) {
                Ok(start) => start,
                // Whatever was in it went with it.
                Err(problem) => return self.removed_document(selector).ok_or(problem),
            },
        };
        self.walk(start, &wanted)
    }

    /// What stands on a line of the output, or of a file of it.
    fn on_line(&self, file: &str, line: usize) -> Result<u32, Diagnostic> {
        let (first, last) = if file.is_empty() { (1, self.lines.len()) } else { self.lines_of_file(file)? };
        let count = last.saturating_add(1).saturating_sub(first);
        let number = first.saturating_add(line).checked_sub(2).filter(|_| line <= count && line > 0);
        let found = number.and_then(|number| self.entry_on(number));
        found.ok_or_else(|| missing(format!("there is no line {line}: there are {count}")))
    }

    /// The first and the last line of the documents of a file.
    fn lines_of_file(&self, file: &str) -> Result<(usize, usize), Diagnostic> {
        let mut files: Vec<&str> = self.in_file(file).into_iter().map(|number| self.printed(number).file).collect();
        files.dedup();
        let [path] = files[..] else {
            return Err(match files.is_empty() {
                true => self.no_document(file),
                false => several(file, files.into_iter().map(str::to_owned)),
            });
        };
        // The documents of a file stand behind each other.
        let own = |document: &Printed<'_>| document.file == path;
        let first = to_u32(self.documents.iter().position(own).unwrap_or_default());
        let last = to_u32(self.documents.iter().rposition(own).unwrap_or_default());
        Ok((self.lines_of_document(first).0 as usize, self.lines_of_document(last).1 as usize))
    }

    /// The documents of an output file, or of those whose paths end so.
    fn in_file(&self, file: &str) -> Vec<u32> {
        let is_whole = self.documents.iter().any(|document| document.file == file);
        let fits = |document: &Printed<'_>| if is_whole { document.file == file } else { is_file(document.file, file) };
        (0u32..).zip(&self.documents).filter(|(_, document)| fits(document)).map(|(number, _)| number).collect()
    }

    /// The documents that a name fits.
    pub(super) fn documents_of(&self, selector: &str) -> Vec<u32> {
        let all = 0..to_u32(self.documents.len());
        let named: Vec<u32> = all.filter(|number| self.has_name(self.root(*number), selector)).collect();
        if !named.is_empty() {
            return named;
        }
        let numbered = selector.rsplit_once('#').and_then(|(file, number)| Some((file, number.parse::<u32>().ok()?)));
        let (file, wanted) = numbered.map_or((selector, None), |(file, number)| (file, Some(number)));
        let is_wanted = |number: &u32| wanted.is_none_or(|wanted| wanted == self.printed(*number).number);
        self.in_file(file).into_iter().filter(is_wanted).collect()
    }

    fn document(&self, selector: &str) -> Result<u32, Diagnostic> {
        let found = match selector {
            "" => (0..to_u32(self.documents.len())).collect(),
            selector => self.documents_of(selector),
        };
        match found[..] {
            [] => Err(self.no_document(selector)),
            [one] => Ok(self.printed(one).entry),
            _ => Err(several(selector, found.into_iter().map(|number| self.unique_name(number)))),
        }
    }

    /// `Kind/name` or `Kind/namespace/name`.
    fn has_name(&self, root: Val, selector: &str) -> bool {
        let known = self.kind_and_name(root);
        match *selector.split('/').collect::<Vec<_>>() {
            [kind, name] => known == Some((kind, name)),
            [kind, namespace, name] => {
                known == Some((kind, name)) && self.text_at(root, &["metadata", "namespace"]) == Some(namespace)
            }
            _ => false,
        }
    }

    /// A name that fits this document only, as far as its file can say it.
    fn unique_name(&self, number: u32) -> String {
        let document = self.printed(number);
        format!("{}#{} ({})", document.file, document.number, self.document_name(number))
    }

    fn no_document(&self, selector: &str) -> Diagnostic {
        if self.documents.is_empty() && self.texts.is_empty() {
            return missing("the output has no documents".to_owned());
        }
        let names = (0..to_u32(self.documents.len())).map(|number| self.document_name(number));
        let names: Vec<String> = names.chain(self.texts.iter().map(|text| text.file().to_owned())).collect();
        let problem = missing(format!("no document `{selector}`"));
        if let Some(near) = suggest::similar(selector, names.iter().map(String::as_str)) {
            return problem.help(format!("did you mean `{near}`?"));
        }
        // A part of a name is often all that somebody remembers.
        let (kind, name) = selector.rsplit_once('/').unwrap_or(("", selector));
        let holds = |known: &&String| known.contains(name) && known.starts_with(kind);
        let holding: Vec<String> = names.iter().filter(holds).cloned().collect();
        match holding.is_empty() {
            false => problem.note(format!("there are: {}", listed(&holding))),
            true => problem.note(format!("there are: {}", listed(&names))),
        }
    }

    /// Entries right below one.
    fn below(&self, number: u32) -> impl Iterator<Item = (u32, &Entry)> {
        let depth = self.entry(number).mark.depth;
        let later = (number..).zip(self.entries.get(number as usize..).unwrap_or_default()).skip(1);
        let inside = later.take_while(move |(_, entry)| entry.mark.depth > depth);
        inside.filter(move |(_, entry)| entry.mark.depth.checked_sub(1) == Some(depth))
    }

    fn walk(&self, start: u32, path: &[Wanted]) -> Result<Found<'_>, Diagnostic> {
        let mut at = start;
        for wanted in path {
            let fitting: Vec<u32> = self
                .below(at)
                .filter(|(number, entry)| self.fits(*number, entry, wanted))
                .map(|(number, _)| number)
                .collect();
            at = match fitting[..] {
                [one] => one,
                [] => return self.removed(at, wanted).ok_or_else(|| self.no_path(at, wanted)),
                _ => return Err(several(&text_of(wanted), fitting.into_iter().map(|number| self.path(number)))),
            };
        }
        Ok(Found { explanation: self, what: What::Entry(at) })
    }

    fn fits(&self, number: u32, entry: &Entry, wanted: &Wanted) -> bool {
        match (wanted, entry.mark.step) {
            (Wanted::Key(name), MarkStep::Key(key)) => key_text(self.arena, key) == *name,
            (Wanted::Index(at), MarkStep::Index(index)) => *at == index as usize,
            (Wanted::With(None, value), MarkStep::Index(_)) => self.is_text(entry.mark.value, value),
            (Wanted::With(Some(name), value), MarkStep::Index(_)) => self.below(number).any(|(_, inner)| {
                matches!(inner.mark.step, MarkStep::Key(key) if key_text(self.arena, key) == *name)
                    && self.is_text(inner.mark.value, value)
            }),
            _ => false,
        }
    }

    fn is_text(&self, value: Val, text: &str) -> bool {
        self.arena.str(value) == Some(text) || shown(self.arena, value) == text
    }

    /// What an overlay removed from an entry, if it was asked for. The value of a map item may have been another one then.
    fn removed(&self, holder: u32, wanted: &Wanted) -> Option<Found<'_>> {
        let Val::Node(container) = self.entry(holder).mark.value else { return None };
        let fits = |(item, event): &(NodeId, u32)| match (wanted, &self.arena.get(*item).body) {
            (Wanted::Key(name), Body::MapItem(key, _)) => key_text(self.arena, *key) == *name,
            (Wanted::With(name, value), Body::ArrayItem(_)) => {
                let inner = self.histories.value_at(*item, EventId(*event));
                match name {
                    None => self.is_text(inner, value),
                    Some(name) => {
                        let found = self.arena.map_of(inner).and_then(|map| self.arena.find_str(map, name));
                        found.is_some_and(|found| self.is_text(self.arena.value(found), value))
                    }
                }
            }
            _ => false,
        };
        let (item, event) = self.histories.removed_from(container).filter(fits).last()?;
        Some(Found { explanation: self, what: What::Removed { holder: Some(holder), item, event } })
    }

    /// The document of this name that an overlay removed last.
    fn removed_document(&self, selector: &str) -> Option<Found<'_>> {
        if selector.is_empty() || !self.documents_of(selector).is_empty() {
            return None;
        }
        let fits = |(item, event): &(NodeId, u32)| {
            self.has_name(self.histories.value_at(*item, EventId(*event)), selector)
                || self.file_of(*item).is_some_and(|file| is_file(&file, selector))
        };
        let (item, event) = self.histories.removed_documents().filter(fits).last()?;
        Some(Found { explanation: self, what: What::Removed { holder: None, item, event } })
    }

    /// The file in which an item was written.
    fn file_of(&self, item: NodeId) -> Option<String> {
        Some(self.sources.get(self.arena.span_of(item)?.source).name.to_string())
    }

    /// The name of a document that was removed: kind and name, else the file in which it was written.
    pub(super) fn removed_name(&self, item: NodeId, event: u32) -> String {
        match self.kind_and_name(self.histories.value_at(item, EventId(event))) {
            Some((kind, name)) => format!("{kind}/{name}"),
            None => self.file_of(item).unwrap_or_default(),
        }
    }

    /// Adds an item that was removed to a path. Where an array item stood is not known any more, and another one may stand
    /// there: it has the name by which it can be asked for.
    pub(super) fn push_removed(&self, path: &mut String, item: NodeId, event: u32) {
        let arena = self.arena;
        let (map, value) = match arena.get(item).body {
            Body::MapItem(key, _) => return push_key(path, &key_text(arena, key)),
            Body::ArrayItem(_) => {
                let value = self.histories.value_at(item, EventId(event));
                (arena.map_of(value), value)
            }
            _ => return,
        };
        let is_scalar = |value: &Val| !matches!(value, Val::Node(_) | Val::Raw(_));
        let named = map.and_then(|map| {
            let first = || arena.items(map).iter().copied().find(|item| is_scalar(&arena.value(*item)));
            arena.find_str(map, "name").filter(|item| is_scalar(&arena.value(*item))).or_else(first)
        });
        let (key, value) = match named {
            Some(inner) => (word_of(&key_text(arena, arena.key(inner)), &['=', ']']), arena.value(inner)),
            None if is_scalar(&value) => (String::new(), value),
            None => return path.push_str("[…]"),
        };
        let value = arena.str(value).map_or_else(|| shown(arena, value), str::to_owned);
        let _ = write!(path, "[{key}={}]", word_of(&value, &[']']));
    }

    fn no_path(&self, at: u32, wanted: &Wanted) -> Diagnostic {
        let inside: Vec<String> = self.below(at).map(|(number, _)| self.path(number)).collect();
        let here = match self.path(at) {
            path if path.is_empty() => self.document_name(self.entry(at).document),
            path => format!("`{path}`"),
        };
        let mut problem = missing(format!("no {} in {here}", text_of(wanted)));
        if let Val::Node(container) = self.entry(at).mark.value {
            let removed = self.histories.removed_from(container).map(|(item, event)| {
                let mut path = self.path(at);
                self.push_removed(&mut path, item, event);
                path
            });
            let removed: Vec<String> = removed.collect();
            if !removed.is_empty() {
                problem = problem.note(format!("overlays removed or replaced: {}", listed(&removed)));
            }
        }
        let keys = self.below(at).filter_map(|(_, entry)| match entry.mark.step {
            MarkStep::Key(key) => Some(key_text(self.arena, key)),
            _ => None,
        });
        let keys: Vec<String> = keys.collect();
        let near = match wanted {
            Wanted::Key(name) => suggest::similar(name, keys.iter().map(String::as_str)),
            _ => None,
        };
        match near {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None if inside.is_empty() => problem.note("there is nothing in it".to_owned()),
            None => problem.note(format!("there are: {}", listed(&inside))),
        }
    }
}

/// Whether the path of a file is meant by a name: the whole of it, or its last parts.
pub(super) fn is_file(path: &str, name: &str) -> bool {
    path == name || path.strip_suffix(name).is_some_and(|folder| folder.ends_with('/') && !name.is_empty())
}

/// The file and line of `:17` and `FILE:17`.
fn line_of(selector: &str) -> Option<(&str, usize)> {
    let (file, line) = selector.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

pub(super) fn missing(text: String) -> Diagnostic {
    Diagnostic::error(Code::EXPLAIN_SELECTOR, text)
}

pub(super) fn several(wanted: &str, names: impl Iterator<Item = String>) -> Diagnostic {
    let names: Vec<String> = names.collect();
    missing(format!("{wanted} fits {} times", names.len())).note(format!("it may be: {}", listed(&names)))
}

/// So many names are listed.
const LISTED: usize = 20;

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}

fn text_of(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Key(name) => format!("`{name}`"),
        Wanted::Index(index) => format!("item `[{index}]`"),
        Wanted::With(name, value) => format!("item `[{}={value}]`", name.as_deref().unwrap_or_default()),
    }
}

/// The steps of a path: keys with `.` between them, in quotes where they hold one, and `[0]` or `[name=web]`.
fn steps(path: &str) -> Result<Vec<Wanted>, Diagnostic> {
    let wrong = |what: &str| missing(format!("path `{path}`: {what}"));
    let (mut steps, mut rest) = (Vec::new(), path);
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (name, more) = word(inner, &['=', ']']).map_err(wrong)?;
            let behind = if let Some(inner) = more.strip_prefix('=') {
                let (value, more) = word(inner, &[']']).map_err(wrong)?;
                steps.push(Wanted::With((!rest.starts_with("[=")).then_some(name), value));
                more
            } else {
                let index = name.parse();
                let expected = "expected a number or `name=value` between `[` and `]`";
                steps.push(Wanted::Index(index.map_err(|_| wrong(expected))?));
                more
            };
            rest = behind.strip_prefix(']').ok_or_else(|| wrong("`[` without `]`"))?;
        } else {
            let (key, behind) = word(rest, &['.', '[']).map_err(wrong)?;
            if behind.len() == rest.len() {
                return Err(wrong("a key is missing before `.`"));
            }
            steps.push(Wanted::Key(key));
            rest = behind;
        }
        match rest.strip_prefix('.') {
            Some("") => return Err(wrong("a key is missing behind the last `.`")),
            Some(more) => rest = more,
            None if rest.is_empty() || rest.starts_with('[') => {}
            None => return Err(wrong("expected `.` or `[` behind a key")),
        }
    }
    Ok(steps)
}

/// A word as `word` reads it back.
fn word_of(text: &str, ends: &[char]) -> String {
    let is_plain = !text.is_empty() && !text.starts_with('"') && !text.contains(ends) && !text.contains('\n');
    if is_plain { text.to_owned() } else { format!("{text:?}") }
}

/// A word in quotes, or up to one of these characters; and what stands behind it.
fn word<'t>(text: &'t str, ends: &[char]) -> Result<(String, &'t str), &'static str> {
    let Some(inner) = text.strip_prefix('"') else {
        let (word, behind) = text.split_at(text.find(ends).unwrap_or(text.len()));
        return Ok((word.to_owned(), behind));
    };
    let (mut word, mut rest) = (String::new(), inner.chars());
    loop {
        match rest.next().ok_or("a quote is not closed")? {
            '"' => return Ok((word, rest.as_str())),
            '\\' => word.push(escaped(&mut rest).ok_or("what stands behind `\\` in quotes is not known")?),
            plain => word.push(plain),
        }
    }
}

fn hexadecimal(digits: &str) -> Option<u32> {
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// The character that stands behind `\` in quotes, as paths are written here and on the page.
fn escaped(rest: &mut Chars<'_>) -> Option<char> {
    Some(match rest.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '0' => '\0',
        'u' => {
            let text = rest.as_str();
            if let Some(inner) = text.strip_prefix('{') {
                let (digits, behind) = inner.split_once('}')?;
                *rest = behind.chars();
                return char::from_u32(hexadecimal(digits)?);
            }
            let (digits, behind) = text.split_at_checked(4)?;
            let first = hexadecimal(digits)?;
            *rest = behind.chars();
            if !(0xD800..0xDC00).contains(&first) {
                return char::from_u32(first);
            }
            // Above U+FFFF there are two, as in JSON.
            let (digits, behind) = behind.strip_prefix("\\u")?.split_at_checked(4)?;
            let second = hexadecimal(digits)?.checked_sub(0xDC00).filter(|second| *second < 0x400)?;
            *rest = behind.chars();
            char::from_u32((first.checked_sub(0xD800)? << 10 | second).checked_add(0x1_0000)?)?
        }
        same @ ('"' | '\\' | '/') => same,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
