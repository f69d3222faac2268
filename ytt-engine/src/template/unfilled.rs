//! What looks like code and stays as it is: values of code between quotes, and code in blocks of text. Strings that no
//! `@yaml/text-templated-strings` covers are in `uncovered`.

use super::input::{Input, Origin};
use super::parse::Single;
use crate::diag::{Code, Diagnostic};
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::yaml::NodeSpan;

/// How code begins that prints into a string.
pub(crate) const CODE: &str = "(@=";

/// The annotation that makes code of what begins with [`CODE`].
pub(super) const TEMPLATED: &str = "#@yaml/text-templated-strings";

/// Does code name what a file knows? Members are names of something else.
pub(super) fn names_known(code: &str, binds: &dyn Fn(&str) -> bool) -> bool {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut before = ' ';
    code.split_inclusive(|character| !is_name(character)).any(|word| {
        let (name, is_member) = (word.trim_end_matches(|character| !is_name(character)), before == '.');
        before = word.chars().next_back().unwrap_or(' ');
        !is_member && binds(name)
    })
}

/// How code begins that is the value of a node.
pub(super) const VALUE: &str = "#@ ";

/// What names of keys have that hold words for people.
const DOCUMENTING: [&str; 11] =
    ["descr", "doc", "example", "comment", "help", "note", "title", "usage", "text", "template", "hint"];

/// Keys below which texts show code, and what ends those that are names of files, whose code another run reads.
const SHOWING: [&str; 10] =
    ["comment", "description", "doc", "docs", "documentation", "example", "examples", "help", "notes", "usage"];
const FILES: [&str; 7] = [".yml", ".yaml", ".star", ".txt", ".json", ".md", ".tpl"];

/// Do the texts below a key show code on purpose?
pub(crate) fn shows_code(key: &str) -> bool {
    documents(key) || FILES.iter().any(|ending| ends_with(key, ending))
}

/// Are the texts below a key for people?
pub(super) fn documents(key: &str) -> bool {
    const README: &str = "readme";
    // Asked for every key of a template.
    SHOWING.iter().any(|word| word.eq_ignore_ascii_case(key))
        || key.get(..README.len()).is_some_and(|start| start.eq_ignore_ascii_case(README))
        || ends_with(key, ".md")
}

/// Whatever the case of ASCII letters.
fn ends_with(key: &str, ending: &str) -> bool {
    let start = key.len().checked_sub(ending.len());
    start.and_then(|start| key.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

/// A string in quotes that is all code, or one without them that names a data value as code does.
pub(super) struct Quoted {
    place: (u32, u32),
    code: String,
    is_bare: bool,
    /// What it gives may be no text where one is wanted.
    is_number: bool,
    /// Nothing follows on its line.
    is_last: bool,
}

/// How code names a data value.
const DATA_VALUE: &str = "data.values.";

/// What a text has that may have a [`Quoted`].
pub(super) const QUOTED: [&str; 4] = ["'#@ ", "\"#@ ", ": data.values.", "- data.values."];

/// What names of keys have that hold paths as texts.
const PATHS: [&str; 6] = ["expr", "field", "path", "query", "ref", "valuefrom"];

/// Keys below which Kubernetes takes texts only, and one that holds such a text itself.
const OF_TEXTS: [&str; 5] = ["annotations", "labels", "matchLabels", "nodeSelector", "stringData"];
const TEXT: &str = "value";
/// Lines above an item among which that of its map is looked for.
const LOOKED: usize = 100;

/// Must the value of an item be a text, by its key or the one around it?
fn is_text_wanted(text: &str, place: NodeSpan) -> bool {
    let own = text.get(place.start as usize..place.key_end as usize).unwrap_or_default();
    own == TEXT || is_below_texts(text, place.start as usize)
}

/// Where code is the whole value of a key below which Kubernetes takes texts only.
pub(crate) fn read_as_text(sources: &SourceMap, code: &str) -> Option<Span> {
    let value = format!(": {VALUE}{code}");
    sources.all().iter().enumerate().find_map(|(number, source)| {
        let text = source.text.as_str()?;
        let at = text.match_indices(&value).map(|(at, _)| at).find(|at| {
            let (before, behind) = text.split_at(*at);
            let line = before.rsplit('\n').next().unwrap_or_default();
            let start = at.saturating_sub(line.trim_start().len());
            let is_whole =
                behind.strip_prefix(&*value).is_some_and(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']));
            is_whole && is_below_texts(text, start)
        })?;
        let start = at.checked_add(value.len().checked_sub(code.len())?)?;
        Some(Span::new(SourceId(to_u32(number)), to_u32(start), to_u32(start.checked_add(code.len())?)))
    })
}

/// Is code the whole value of a key below which Kubernetes takes texts only?
pub(crate) fn is_taken_as_text(source: &Source, code: Span) -> bool {
    let line = source.line_range(source.line(code.start));
    let is_whole = || {
        let before = source.written(Span { start: line.start, end: code.start, ..code })?.strip_suffix(VALUE)?;
        let behind = source.written(Span { start: code.end, end: line.end, ..code })?;
        let key = before.strip_suffix(": ")?;
        let indent = key.len().checked_sub(key.trim_start().len())?;
        let start = (line.start as usize).checked_add(indent)?;
        (behind.trim().is_empty() && is_below_texts(source.text.as_str()?, start)).then_some(())
    };
    is_whole().is_some()
}

/// The line of the key that holds the map of a key which begins here: where that key begins, and where its line ends.
pub(super) fn map_around(text: &str, start: usize) -> Option<(usize, usize)> {
    let indent = |line: &str| line.len().saturating_sub(line.trim_start_matches(' ').len());
    let before = text.get(..start)?;
    let mut end = before.rfind('\n')?;
    let own = before.len().checked_sub(end)?.checked_sub(1)?;
    // A key behind a dash has its item in its own line.
    before.get(end..)?.trim().is_empty().then_some(())?;
    for line in before.get(..end)?.rsplit('\n').take(LOOKED) {
        let begin = end.checked_sub(line.len())?;
        let (at, trimmed) = (begin.checked_add(indent(line))?, line.trim());
        if !trimmed.is_empty() && !trimmed.starts_with('#') && indent(line) < own {
            let is_key = trimmed.split(" #").next().is_some_and(|code| code.trim_end().ends_with(':'));
            return (is_key && !trimmed.starts_with('-')).then_some((at, end));
        }
        end = begin.saturating_sub(1);
    }
    None
}

/// The edit that makes code of a key, and the key of its map, above which the annotation comes then.
pub(crate) fn covering(source: &Source, key: Span) -> Option<((Span, String), Option<Span>)> {
    let text = source.text.as_str()?;
    let start = key.start as usize;
    let around = map_around(text, start);
    let at = around.map_or(start, |(at, _)| at);
    let begin = text.get(..at)?.rfind('\n').map_or(0, |line| line.saturating_add(1));
    let indent = text.get(begin..at).filter(|indent| indent.trim_start_matches([' ', '-']).is_empty())?;
    let indent = indent.split('-').next().unwrap_or_default();
    let holder = around.and_then(|(at, end)| {
        let name = text.get(at..end)?.split(':').next()?;
        Some(Span { start: to_u32(at), end: to_u32(at.checked_add(name.len())?), ..key })
    });
    let place = Span { start: to_u32(begin), end: to_u32(begin), ..key };
    Some(((place, format!("{indent}{TEMPLATED}\n")), holder))
}

/// Another file than this one that has a text template in strings, to look at.
pub(crate) fn shown_in(sources: &SourceMap, other: SourceId, may_look: impl Fn(usize) -> bool) -> Option<String> {
    sources.all().iter().zip(0..).find_map(|(source, id)| {
        let text = source.text.as_str().filter(|text| SourceId(id) != other && may_look(text.len()))?;
        let (_, behind) = text.split_once(TEMPLATED)?;
        behind.contains(CODE).then(|| source.shown_name().to_string())
    })
}

/// Does an item that begins here stand in a map of texts?
fn is_below_texts(text: &str, start: usize) -> bool {
    let key_of = |line: &str| line.trim().trim_start_matches("- ").split(':').next().unwrap_or_default().to_owned();
    let around = || {
        let mut above = text.get(..start)?.rsplit('\n');
        let own = above.next()?.len();
        (own > 0).then_some(())?;
        above.take(LOOKED).find(|line| {
            let trimmed = line.trim_start_matches(' ');
            !trimmed.is_empty() && !trimmed.starts_with('#') && line.len().saturating_sub(trimmed.len()) < own
        })
    };
    around().is_some_and(|line| OF_TEXTS.contains(&key_of(line).as_str()))
}

/// Does a value stand alone behind its key or dash, on the same line? In flow maps and lists code has no place.
fn is_in_line(text: &str, place: NodeSpan) -> bool {
    let in_line = || {
        let (before, behind) = (text.get(..place.value as usize)?, text.get(place.end as usize..)?);
        let before = before.rsplit('\n').next()?.trim_start_matches([' ', '-']);
        let is_plain = before.is_empty() && place.value > place.start
            || before.strip_suffix(": ").is_some_and(|key| !key.contains([' ', '{', '[', ',', '"', '\'', ':']));
        (is_plain && behind.split('\n').next()?.trim().is_empty()).then_some(())
    };
    in_line().is_some()
}

/// Is this all of `data.values.app.name`?
fn is_data_value(text: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
    };
    text.strip_prefix(DATA_VALUE).is_some_and(|path| path.split('.').all(is_name))
}

impl Quoted {
    /// The value `value` of a node at a place, as it is written in `text`.
    pub(super) fn at(text: &str, place: NodeSpan, value: &str, source: SourceId) -> Option<Quoted> {
        let is_bare = is_data_value(value);
        let code = if is_bare { value } else { value.strip_prefix(VALUE)?.trim() }.to_owned();
        // Who documents code quotes it on purpose.
        let key = text.get(place.start as usize..place.key_end as usize)?.to_lowercase();
        if DOCUMENTING.iter().any(|word| key.contains(word)) {
            return None;
        }
        let written = text.get(place.value as usize..place.end as usize)?;
        if is_bare {
            // In quotes it may be a text about data values.
            (written == code && !PATHS.iter().any(|word| key.contains(word)) && is_in_line(text, place))
                .then_some(())?;
        } else {
            let mut alone = Input::new(source, ("", ""));
            alone.piece(code.as_bytes(), Origin::Code(place.value));
            (written.starts_with(['"', '\'']) && Single::read(alone).is_some()).then_some(())?;
        }
        let behind = text.get(place.end as usize..)?.split('\n').next().unwrap_or_default();
        // The quotes say that a text is meant, which a number or a boolean is not.
        let is_value = code.chars().all(|one| one.is_ascii_alphanumeric() || ['_', '.'].contains(&one));
        let is_number = !is_bare && is_value && is_text_wanted(text, place);
        Some(Quoted { place: (place.value, place.end), code, is_bare, is_number, is_last: behind.trim().is_empty() })
    }

    /// If it names what the file knows, it was meant as code.
    pub(super) fn warning(&self, source: SourceId, binds: &dyn Fn(&str) -> bool) -> Option<Diagnostic> {
        let span = Span::new(source, self.place.0, self.place.1);
        let (message, help) = match self.is_bare {
            true => ("`data.values.…` without `#@` is printed as it is", "write `#@` in front of it"),
            false => ("`#@ …` in quotes is printed as it is", "leave out the quotes around it"),
        };
        let warning = Diagnostic::warning(Code::TEMPLATE_UNPRINTED, message);
        let warning = names_known(&self.code, binds).then(|| warning.label(span, "this is a text, and no code"))?;
        Some(match (self.is_last, self.is_number) {
            (true, true) => {
                let text = "leave out the quotes around it, and make a text of what it gives";
                warning.help_edit(text, span, format!("{VALUE}str({})", self.code)).guessing()
            }
            (true, false) => warning.help_edit(help, span, format!("{VALUE}{}", self.code)).guessing(),
            (false, _) => warning.help(help),
        })
    }
}

/// A block of text that has lines with code as a value or a statement.
pub(super) struct InBlock {
    /// The key, or what stands in its place.
    key: (u32, u32),
    codes: Vec<(u32, u32)>,
    text: String,
    /// Lines of the file, and what makes a text template of them; not if there are statements.
    edit: Option<(u32, u32, String)>,
    /// It is a text template already.
    is_templated: bool,
    /// Text follows the code of a line, so that where it ends is likely, not sure.
    is_cut: bool,
}

/// What statements in a text begin with that are no template of their own.
const STATEMENTS: [&str; 6] = ["if ", "if/end ", "elif ", "else:", "for ", "for/end "];

/// Places that a label is for.
pub(super) const SHOWN: usize = 4;

impl InBlock {
    /// Of the scalar of a node at a place. A text that loads, defines or annotates is a file for another run.
    pub(super) fn at(text: &str, place: NodeSpan, is_templated: bool, source: SourceId) -> Option<InBlock> {
        let whole = text.get(place.value as usize..place.end as usize).filter(|whole| whole.starts_with(['|', '>']))?;
        whole.contains(VALUE).then_some(())?;
        let key = text.get(place.start as usize..place.key_end as usize)?.to_lowercase();
        if DOCUMENTING.iter().any(|word| key.contains(word)) {
            return None;
        }
        let (mut codes, mut all) = (Vec::new(), String::new());
        let (mut at, mut open, mut has_statements) = (place.value as usize, 0_u32, false);
        let (mut parts, mut is_cut) = (Vec::new(), false);
        for line in whole.split_inclusive('\n') {
            let begin = at;
            at = at.checked_add(line.len())?;
            let Some((before, behind)) = line.split_once("#@") else { continue };
            // Within a word, or in a comment of the text.
            if before.contains('#') || !(before.trim().is_empty() || before.ends_with([' ', '\t'])) {
                continue;
            }
            let code = behind.strip_prefix(' ')?.trim();
            let is_statement =
                before.trim().is_empty() && (STATEMENTS.iter().any(|word| code.starts_with(word)) || code == "end");
            has_statements |= is_statement;
            match code.split([' ', ':']).next() {
                Some("if" | "for") if is_statement => open = open.checked_add(1)?,
                Some("end") if is_statement => open = open.checked_sub(1)?,
                _ => {}
            }
            let start = begin.checked_add(line.len().checked_sub(behind.len())?)?.checked_add(behind.find(code)?)?;
            let code = match is_statement {
                true => code,
                // A comment of the text begins its line.
                false if before.trim().is_empty() => expression(code, start, source)?,
                false => match path_in_front(code, start, source) {
                    Some(path) => {
                        is_cut = true;
                        path
                    }
                    None => expression(code, start, source)?,
                },
            };
            let from = begin.checked_add(before.len())?;
            let end = start.checked_add(code.len())?;
            codes.push((to_u32(from), to_u32(end)));
            all.push_str(code);
            all.push('\n');
            let new = if is_text(code) { format!("(@= {code} @)") } else { format!("(@= str({code}) @)") };
            parts.push((from, end, new));
        }
        (open == 0).then_some(())?;
        let edit = match (has_statements, is_templated) {
            (true, _) => None,
            (false, true) => replaced(text, parts.first()?.0, &parts),
            (false, false) => templated(text, place, &parts),
        };
        Some(InBlock { key: (place.start, place.key_end), codes, text: all, edit, is_templated, is_cut })
    }

    /// If the code names what the file knows, it was meant as such.
    pub(super) fn warning(&self, source: SourceId, binds: &dyn Fn(&str) -> bool) -> Option<Diagnostic> {
        if !names_known(&self.text, binds) {
            return None;
        }
        let (first, others) = self.codes.split_first()?;
        let span = |(start, end): (u32, u32)| Span::new(source, start, end);
        let warning = Diagnostic::warning(Code::TEMPLATE_UNPRINTED, "`#@ …` in a block of text is printed as it is")
            .label(span(*first), "this is a part of the text, and no code")
            .label(span(self.key), "the text begins here");
        let others = others.iter().take(SHOWN);
        let warning = others.fold(warning, |warning, other| warning.label(span(*other), "so is this"));
        let help = match self.is_templated {
            true => "write `(@= … @)` for each value",
            false => "write `#@yaml/text-templated-strings` above the key, and `(@= … @)` for each value",
        };
        Some(match &self.edit {
            Some((start, end, new)) => {
                let warning = warning.help_edit(help, span((*start, *end)), new.clone()).if_it_mends();
                if self.is_cut { warning.guessing() } else { warning }
            }
            None => warning.help(format!("{help}, `(@ if …: @)` and `(@ end @)` for statements")),
        })
    }
}

/// The expression that a code is, without signs behind it that belong to the text.
fn expression(code: &str, start: usize, source: SourceId) -> Option<&str> {
    let mut left = code;
    // With nothing, and with a few signs left out.
    for _ in 0..4 {
        let mut alone = Input::new(source, ("", ""));
        alone.piece(left.as_bytes(), Origin::Code(to_u32(start)));
        if Single::read(alone).is_some() {
            return Some(left);
        }
        left = left.strip_suffix([';', ',', '"', '\'', '{'])?.trim_end();
    }
    None
}

/// The path or call that a line begins with which goes on as a command does: `data.values.name` of `data.values.name > /tmp/a`.
/// What goes on with words is a comment, if anything.
fn path_in_front(code: &str, start: usize, source: SourceId) -> Option<&str> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut open, mut end) = (0_usize, code.len());
    for (at, letter) in code.char_indices() {
        match letter {
            '(' | '[' => open = open.checked_add(1)?,
            ')' | ']' if open > 0 => open = open.checked_sub(1)?,
            _ if open > 0 || letter == '.' || is_name(letter) => {}
            _ => {
                end = at;
                break;
            }
        }
    }
    let path = code.get(..end)?.trim_end_matches('.');
    let rest = code.get(path.len()..)?;
    let goes_on = rest.starts_with('/') || rest.trim_start().starts_with(['>', '<', '|', '&', ';']);
    goes_on.then_some(())?;
    // A word alone may be one of the text.
    let is_path = open == 0
        && path.contains(['.', '('])
        && path != "data.values"
        && path.starts_with(|first: char| is_name(first));
    expression(path, start, source).filter(|_| is_path)
}

/// Whether an expression surely gives a text: only such can stand in a text template.
fn is_text(code: &str) -> bool {
    let joins = [" + ", "%", ".format("].iter().any(|sign| code.contains(sign));
    let has_text = code.contains(['"', '\'']) && joins;
    has_text || code.starts_with(['"', '\'']) || code.starts_with("str(")
}

/// The lines of a block with the annotation above them and other texts in some places.
fn templated(text: &str, place: NodeSpan, parts: &[(usize, usize, String)]) -> Option<(u32, u32, String)> {
    let line = text.get(..place.start as usize)?.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let before = text.get(line..place.start as usize)?;
    before.trim_start_matches([' ', '-']).is_empty().then_some(())?;
    let indent = before.split('-').next().unwrap_or_default();
    let (start, end, new) = replaced(text, line, parts)?;
    Some((start, end, format!("{indent}#@yaml/text-templated-strings\n{new}")))
}

/// What stands from a place up to the last of these parts, with other texts for them.
fn replaced(text: &str, start: usize, parts: &[(usize, usize, String)]) -> Option<(u32, u32, String)> {
    let (mut new, mut at) = (String::new(), start);
    for (from, to, part) in parts {
        new.push_str(text.get(at..*from)?);
        new.push_str(part);
        at = *to;
    }
    Some((to_u32(start), to_u32(at), new))
}
