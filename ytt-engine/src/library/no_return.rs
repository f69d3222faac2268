//! Functions that compute or build a value and do not return it, where that was to be the value of YAML: it is null.

use std::collections::HashSet;

use crate::diag::{Code, Diagnostic};
use crate::nearest::only;
use crate::source::{Source, SourceId, SourceMap, Span};
use crate::template::code::FileCode;
use crate::template::{outline, written};

/// Functions that are looked at, and calls that are told of.
const TOLD: usize = 20;

/// Values of one function, and calls of it, that are shown.
const SHOWN: usize = 3;

/// Functions that are called for what they give.
const GIVE: [&str; 10] = ["bool", "dict", "float", "int", "len", "list", "max", "min", "sorted", "str"];

/// The same of methods and of functions of modules.
const GIVE_OF: [&str; 15] = [
    "capitalize",
    "decode",
    "encode",
    "format",
    "get",
    "join",
    "lower",
    "lstrip",
    "make",
    "replace",
    "rstrip",
    "split",
    "strip",
    "title",
    "upper",
];

/// Warns of such functions in these files of code, at the calls that stand as values of YAML.
pub(super) fn lint(sources: &SourceMap, files: &[SourceId]) -> Vec<Diagnostic> {
    let texts = || files.iter().map(|file| sources.get(*file));
    let mut suspects = Vec::new();
    for (file, source) in files.iter().zip(texts()) {
        let names = source.text.as_str().map(|text| without_return(text, is_code(&source)));
        suspects.extend(names.unwrap_or_default().into_iter().map(|name| (*file, name)));
    }
    if suspects.is_empty() {
        return Vec::new();
    }
    let mut called = HashSet::new();
    for source in texts().filter(|source| !is_code(source)) {
        called.extend(source.text.as_str().into_iter().flat_map(calls).map(str::to_owned));
    }
    // Files are read once more only where there is something to find.
    let suspects = suspects.into_iter().filter(|(_, name)| called.contains(name)).take(TOLD);
    let lost = suspects.filter_map(|(file, name)| Lost::of(sources, file, name));
    let found = lost.filter_map(|lost| told(sources, files, &lost));
    found.take(TOLD).collect()
}

/// A function that gives nothing, and what it computes.
struct Lost {
    home: SourceId,
    name: String,
    values: Vec<Span>,
    /// What is said of these.
    what: &'static str,
    /// Where there is one value: the place of the `return`, what is written there, and what that says.
    edit: Option<(Span, String, String)>,
}

impl Lost {
    fn of(sources: &SourceMap, home: SourceId, name: String) -> Option<Lost> {
        let code = FileCode::read(&sources.get(home), home)?;
        let function = code.function_of(&name, false)?;
        let ends = code.ends(&function).filter(|ends| ends.never)?;
        match (&ends.thrown[..], &ends.falls[..]) {
            ([value], []) => is_value(sources, *value).then(|| {
                let start = Span { end: value.start, ..*value };
                let edit = Some((start, "return ".to_owned(), "return it".to_owned()));
                Lost { home, name, values: vec![*value], what: "computed, and not returned", edit }
            }),
            ([], [_, ..]) => {
                let values = code.built(&function);
                let written = |value: Span| sources.get(home).written(value).map(str::to_owned);
                let edit = ends.end.zip(only(&values)).and_then(|((end, before), value)| {
                    let built = written(*value)?;
                    Some((end, format!("{before}return {built}\n"), format!("return what was built: `{built}`")))
                });
                let what = "built here, and not returned";
                (!values.is_empty()).then_some(Lost { home, name, values, what, edit })
            }
            _ => None,
        }
    }
}

fn is_code(source: &Source) -> bool {
    source.name.ends_with(".star")
}

/// The names of functions whose calls begin values of YAML.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    text.split("#@ ").skip(1).filter_map(|code| {
        let (name, _) = code.split_once('(')?;
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_').then_some(name)
    })
}

/// The names of functions in a text that seem to return nothing, and to hold no YAML.
fn without_return(text: &str, is_code: bool) -> Vec<String> {
    if !text.contains("def ") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut open: Option<(String, usize)> = None;
    for line in text.lines() {
        let bare = line.trim_start();
        let code = match is_code {
            true => bare,
            false => bare.strip_prefix("#@").unwrap_or_default(),
        };
        let column = line.len().saturating_sub(code.trim_start().len());
        let code = code.trim();
        if let Some(head) = code.strip_prefix("def ") {
            let name = head.split('(').next().unwrap_or_default().trim();
            // What is inside of another one is that one's matter.
            open = open.is_none().then(|| (name.to_owned(), column));
            continue;
        }
        let is_nodes = !is_code && !bare.is_empty() && !bare.starts_with('#');
        open = match open {
            Some((name, own)) if code == "end" && column == own => {
                found.push(name);
                None
            }
            Some(_) if is_nodes || code.contains("return") => None,
            open => open,
        };
    }
    found
}

/// Whether a statement is there for its value: an operation, or a call that does nothing else.
fn is_value(sources: &SourceMap, statement: Span) -> bool {
    let source = sources.get(statement.source);
    let written = |span: Span| source.written(span).unwrap_or_default();
    match written::callee(sources, statement).map(written) {
        Some(callee) => match callee.rsplit_once('.') {
            Some((_, method)) => GIVE_OF.contains(&method),
            None => GIVE.contains(&callee),
        },
        None => {
            let code = written(statement);
            // Of what is called on one way, or at each turn, nobody knows what it is for.
            let may_do =
                code.contains('(') && [" if ", " and ", " or ", " for "].iter().any(|word| code.contains(word));
            !code.is_empty() && !may_do && !code.contains("None")
        }
    }
}

/// The warning of the first call in a file that is a whole value; those of other files are shown, too.
fn told(sources: &SourceMap, files: &[SourceId], lost: &Lost) -> Option<Diagnostic> {
    let Lost { home, name, values, what, edit } = lost;
    let mut calls = files.iter().filter_map(|file| call_in(sources, *file, (*home, name)));
    let (call, key) = calls.next()?;
    let is_null = match &*key {
        "" => "this item is null".to_owned(),
        key => format!("`{key}` is null"),
    };
    let warning = Diagnostic::warning(Code::STARLARK_NO_RETURN, format!("`{name}` returns nothing, so {is_null}"));
    let mut told = warning.label(call, "this gives None");
    for value in values.iter().take(SHOWN) {
        told = told.label(*value, *what);
    }
    let place = outline::defined(&sources.get(*home), *home, name);
    told = told.label_at(place, format!("`{name}` has no `return`"));
    told = calls.take(SHOWN).fold(told, |told, (call, _)| told.label(call, "and so does this"));
    Some(match edit {
        Some((place, new, text)) => told.help_edit(text.as_str(), *place, new.as_str()).if_it_mends(),
        None => told.help(format!("end `{name}` with a `return`")),
    })
}

/// The first call of a function in a file that is a whole value of YAML, and the key of that.
fn call_in(sources: &SourceMap, file: SourceId, (home, own): (SourceId, &str)) -> Option<(Span, String)> {
    let source = sources.get(file);
    let text = source.text.as_str().filter(|_| !is_code(&source))?;
    (text.contains(&format!("#@ {own}(")) && is_it(sources, file, home, own)).then_some(())?;
    let code = FileCode::read(&source, file)?;
    let calls = code.calls_of(own);
    let found = calls.iter().find_map(|(call, _)| Some((*call, value_of(&source, *call)?)))?;
    (!code.is_local(found.0, own)).then_some(found)
}

/// Whether a name in a file is that function, which may be another file's.
fn is_it(sources: &SourceMap, file: SourceId, home: SourceId, own: &str) -> bool {
    file == home || outline::home(sources, file, own).is_some_and(|(at, its)| at == home && its == own)
}

/// The key whose whole value a call is, or nothing for the item of a list.
fn value_of(source: &Source, call: Span) -> Option<String> {
    let line = source.line_range(source.line(call.start));
    let before = source.written(Span { start: line.start, end: call.start, ..call })?;
    let behind = source.written(Span { start: call.end, end: line.end, ..call })?;
    let before = before.trim_end().strip_suffix("#@")?.trim();
    (behind.trim().is_empty() && !before.starts_with('#')).then_some(())?;
    let before = before.trim_start_matches("- ").trim_start();
    match before {
        "-" => Some(String::new()),
        key => key.strip_suffix(':').map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_without_return_and_yaml_are_looked_at() {
        assert_eq!(without_return("def a(x):\n  x + 1\nend\ndef b():\n  return 1\nend\n", true), ["a"]);
        assert_eq!(without_return("#@ def a(x):\n#@   x + 1\n#@ end\n#@ def b():\nk: 1\n#@ end\n", false), ["a"]);
        assert!(without_return("def a():\n  if x:\n    return 1\n  end\n  2\nend\n", true).is_empty());
        assert!(without_return("def a():\n  def b():\n    1\n  end\n  b\nend\n", true).is_empty());
    }
}
