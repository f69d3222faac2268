//! Files as one JSON text: `--bulk-in` and `--bulk-out`, by which other programs call ytt.
//!
//! The text is that of Go's encoder: `<`, `>`, `&` and the separators of Unicode are escaped, bytes that are not UTF-8
//! become U+FFFD. The decoder takes keys in any case and ignores those that it does not know.

use std::fmt::Write;

use super::RenderedFile;
use crate::diag::{Code, Diagnostic, StepKind};
use crate::error::{Error, ErrorKind};
use crate::quoted::{self, Json};
use crate::source::{Origin, Span};
use crate::yaml::{Arena, Raw, Val, json};

/// `{"files":[…]}`, or `{}` if there are none.
pub(super) fn write_files(files: &[RenderedFile]) -> String {
    if files.is_empty() {
        return "{}".into();
    }
    let mut out = String::from("{\"files\":[");
    for (number, file) in files.iter().enumerate() {
        out.push_str(if number == 0 { "{\"name\":" } else { ",{\"name\":" });
        quoted::json(&mut out, file.path(), Json::Html);
        out.push_str(",\"data\":");
        quoted::json(&mut out, &String::from_utf8_lossy(file.content()), Json::Html);
        out.push('}');
    }
    out + "]}"
}

impl Error {
    /// The problems as the JSON text of `--bulk-out`: `{"errors":"…"}`, each as ytt words it, with its lines.
    ///
    /// ```
    /// let error = ytt_engine::Project::new().read("x").render().unwrap_err();
    /// assert_eq!(error.to_bulk(), r#"{"errors":"Checking file 'x': lstat x: no such file or directory"}"#);
    /// ```
    pub fn to_bulk(&self) -> String {
        let texts: Vec<String> = self.diagnostics().iter().map(in_words).collect();
        let mut out = String::from("{\"errors\":");
        quoted::json(&mut out, &texts.join("\n"), Json::Html);
        out + "}"
    }

    /// Is it of reading what `-f` and `--bulk-in` name? Such problems are no part of the text of `--bulk-out`.
    ///
    /// ```
    /// assert!(ytt_engine::Project::new().read("x").render().unwrap_err().is_of_files());
    /// assert!(!ytt_engine::Project::new().file("a.yml", "a: [").render().unwrap_err().is_of_files());
    /// ```
    pub fn is_of_files(&self) -> bool {
        let is_of_files = |problem: &Diagnostic| {
            let (code, first) = (problem.code(), problem.parts().context.first());
            let is_of_values = first.is_some_and(|step| step.kind == StepKind::ValuesFile);
            code.as_str().starts_with("files::") && code != Code::FILES_MARK && !is_of_values
        };
        self.kind() == ErrorKind::Input && self.diagnostics().iter().any(is_of_files)
    }
}

/// A problem as text alone: message, then the calls that led there, or the line that it is about.
fn in_words(problem: &Diagnostic) -> String {
    let parts = problem.parts();
    let mut out = problem.full_message();
    let Some(sources) = &parts.sources else { return out };
    let mut line = |name: Option<&str>, span: Option<Span>| {
        let indent = match name {
            Some(name) => {
                let _ = write!(out, "\n    in {name}");
                "      "
            }
            None => "    ",
        };
        let source = span.map(|span| (span, sources.get(span.source)));
        // A call in Rust code has no text that could be shown.
        if let Some((span, source)) = source.filter(|(_, source)| !matches!(source.origin, Origin::Rust(_))) {
            let line = source.line(span.start);
            let _ = write!(out, "\n{indent}{}:{line} | {}", source.name, source.line_text(line));
        }
    };
    for frame in parts.trace.iter().take(50) {
        line(Some(&frame.name), frame.span);
    }
    if let (true, Some(label)) = (parts.trace.is_empty(), parts.labels.first()) {
        line(None, Some(label.span));
    }
    out
}

/// Names and contents of `{"files":[{"name":…,"data":…}]}`, in order.
pub(crate) fn read_bulk(text: &str, depth: u32) -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let mut arena = Arena::new(depth);
    let root = json::read(&mut arena, text.as_bytes())
        .map_err(|problem| Diagnostic::error(Code::FILES_BULK, problem.message()).context("Reading bulk input"))?;
    let wrong = |at: &str, kind: &str| {
        let text = format!("json: cannot unmarshal {kind} into {at}");
        Diagnostic::error(Code::FILES_BULK, text).help("write {\"files\": [{\"name\": \"a.yml\", \"data\": \"a: 1\"}]}")
    };
    let mut files = Vec::new();
    for (key, list) in entries(&arena, root).ok_or_else(|| wrong("an object with `files`", kind(&arena, root)))? {
        if !key.eq_ignore_ascii_case("files") {
            continue;
        }
        files.clear();
        for file in items(&arena, list).ok_or_else(|| wrong("`files`, a list", kind(&arena, list)))? {
            let fields = entries(&arena, file).ok_or_else(|| wrong("a file, an object", kind(&arena, file)))?;
            let (mut name, mut data) = (String::new(), Vec::new());
            for (key, value) in fields {
                let is_name = key.eq_ignore_ascii_case("name");
                if value == Val::Null || !(is_name || key.eq_ignore_ascii_case("data")) {
                    continue;
                }
                let bytes = arena.text_bytes(value);
                let bytes = bytes.ok_or_else(|| wrong("`name` or `data`, strings", kind(&arena, value)))?;
                if is_name {
                    name = String::from_utf8_lossy(bytes).into_owned();
                } else {
                    data = bytes.to_vec();
                }
            }
            files.push((name, data));
        }
    }
    Ok(files)
}

/// Keys and values of an object; null is an empty one.
fn entries(arena: &Arena, value: Val) -> Option<Vec<(String, Val)>> {
    match raw(arena, value) {
        Some(Raw::Dict(entries)) => {
            Some(entries.iter().map(|(key, value)| (arena.str(*key).unwrap_or("").to_string(), *value)).collect())
        }
        _ => (value == Val::Null).then(Vec::new),
    }
}

/// Values of an array; null is an empty one.
fn items(arena: &Arena, value: Val) -> Option<Vec<Val>> {
    match raw(arena, value) {
        Some(Raw::List(values)) => Some(values.clone()),
        _ => (value == Val::Null).then(Vec::new),
    }
}

fn raw(arena: &Arena, value: Val) -> Option<&Raw> {
    if let Val::Raw(number) = value { Some(arena.raw(number)) } else { None }
}

/// JSON's name of a value's kind.
fn kind(arena: &Arena, value: Val) -> &'static str {
    match (value, raw(arena, value)) {
        (Val::Bool(_), _) => "bool",
        (Val::Int(_) | Val::UInt(_) | Val::Float(_), _) => "number",
        (Val::Str { .. } | Val::Bytes(_), _) => "string",
        (_, Some(Raw::List(_))) => "array",
        _ => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input() {
        let read = |text: &str| match read_bulk(text, 100) {
            Ok(files) => files.iter().map(|(name, data)| format!("{name}={}", String::from_utf8_lossy(data))).collect(),
            Err(problem) => vec![problem.to_string()],
        };
        assert_eq!(
            read(r#"{"Files":[{"NAME":"b.yml","data":"b: 1","x":[1]},{"data":"q"},{"name":"b.yml"}],"more":1}"#),
            ["b.yml=b: 1", "=q", "b.yml="]
        );
        assert_eq!(read("{}"), Vec::<String>::new());
        assert_eq!(read(r#"{"files":null}"#), Vec::<String>::new());
        assert_eq!(read("null"), Vec::<String>::new());
        for (text, kind) in [("true", "bool"), ("1.5", "number"), ("\"a\"", "string")] {
            assert_eq!(read(text), [format!("json: cannot unmarshal {kind} into an object with `files`")]);
        }
        assert_eq!(read("[]"), ["json: cannot unmarshal array into an object with `files`"]);
        assert_eq!(read(r#"{"files":[{"name":1}]}"#), ["json: cannot unmarshal number into `name` or `data`, strings"]);
        assert_eq!(read(r#"{"files":{}}"#), ["json: cannot unmarshal object into `files`, a list"]);
        assert!(read("{")[0].starts_with("Reading bulk input: "));
        for text in ["[]", "{"] {
            assert_eq!(read_bulk(text, 100).unwrap_err().code(), Code::FILES_BULK, "{text}");
        }
    }

    #[test]
    fn output() {
        let file = |path: &str, content: &[u8]| RenderedFile {
            path: path.into(),
            kind: crate::files::FileKind::Text,
            content: content.into(),
        };
        assert_eq!(write_files(&[]), "{}");
        assert_eq!(
            write_files(&[file("a", b"x<\n\x01 \xff"), file("b", "\u{2028}\"".as_bytes())]),
            "{\"files\":[{\"name\":\"a\",\"data\":\"x\\u003c\\n\\u0001 \u{fffd}\"},{\"name\":\"b\",\"data\":\"\\u2028\\\"\"}]}"
        );
    }

    #[test]
    fn calls_that_led_to_a_problem() {
        let text = "#@ def inner(x):\n#@   return x + 1\n#@ end\n#@ def outer(x):\n#@   return inner(x)\n#@ end\na: #@ outer(\"b\")\n";
        let error = crate::Project::new().file("a.yml", text).render().unwrap_err();
        let bulk = error.to_bulk();
        let lines: Vec<&str> = bulk.split("\\n").skip(1).collect();
        let expected = [
            "    in inner",
            "      a.yml:2 | #@   return x + 1",
            "    in outer",
            "      a.yml:5 | #@   return inner(x)",
            "    in \\u003ctoplevel\\u003e",
            "      a.yml:7 | a: #@ outer(\\\"b\\\")\"}",
        ];
        assert_eq!(lines, expected);
    }
}
