//! Diagnostics as JSON lines, for programs: one object a line, keys always in the same order.
//!
//! The keys are documented at `Error::to_json_lines`. What does not exist is an empty list or null, never a missing key.

use std::fmt::Write;

use super::Diagnostic;
use super::view::TextRange;
use crate::quoted::{self, Json};

/// One line without its line break.
pub(crate) fn line(diagnostic: &Diagnostic) -> String {
    let mut out = String::new();
    out.push_str("{\"code\":");
    string(&mut out, diagnostic.code().as_str());
    out.push_str(",\"severity\":");
    string(&mut out, diagnostic.severity().as_str());
    out.push_str(",\"message\":");
    string(&mut out, diagnostic.message());
    out.push_str(",\"steps\":");
    list(&mut out, diagnostic.steps(), string);
    out.push_str(",\"labels\":");
    list(&mut out, diagnostic.labels(), |out, label| {
        out.push('{');
        place(out, Some(label.place()));
        out.push_str(",\"text\":");
        string(out, label.text());
        out.push('}');
    });
    out.push_str(",\"trace\":");
    list(&mut out, diagnostic.trace(), |out, frame| {
        out.push_str("{\"name\":");
        string(out, frame.name());
        out.push(',');
        place(out, frame.place());
        out.push('}');
    });
    out.push_str(",\"notes\":");
    list(&mut out, diagnostic.notes(), string);
    out.push_str(",\"helps\":");
    list(&mut out, diagnostic.helps(), |out, help| {
        out.push_str("{\"text\":");
        string(out, help.text());
        out.push_str(",\"edit\":");
        match help.edit() {
            Some((at, new)) => {
                out.push('{');
                place(out, Some(at));
                out.push_str(",\"new\":");
                string(out, new);
                out.push('}');
            }
            None => out.push_str("null"),
        }
        out.push('}');
    });
    out.push('}');
    out
}

/// All of them, each on a line of its own.
pub(crate) fn lines(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| line(diagnostic) + "\n").collect()
}

fn list<T>(out: &mut String, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    out.push('[');
    for (number, item) in items.enumerate() {
        if number > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

fn place(out: &mut String, place: Option<&TextRange>) {
    let Some(place) = place else {
        for key in ["file", "path", "line", "column", "end_line", "end_column", "start", "end"] {
            let comma = if key == "file" { "" } else { "," };
            let _ = write!(out, "{comma}\"{key}\":null");
        }
        return;
    };
    out.push_str("\"file\":");
    string(out, place.file());
    out.push_str(",\"path\":");
    match place.path() {
        Some(path) => string(out, &path.to_string_lossy()),
        None => out.push_str("null"),
    }
    let (start, end, bytes) = (place.start(), place.end(), place.bytes());
    let _ = write!(
        out,
        ",\"line\":{},\"column\":{},\"end_line\":{},\"end_column\":{},\"start\":{},\"end\":{}",
        start.line, start.column, end.line, end.column, bytes.start, bytes.end
    );
}

/// Nothing in it ends a line of YAML.
fn string(out: &mut String, text: &str) {
    quoted::json(out, text, Json::Yaml);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diag::Code;
    use crate::source::{LineBreaks, Origin, Source, SourceMap, Span, Text};

    #[test]
    fn a_line_holds_everything() {
        let sources = SourceMap::default();
        let id =
            sources.add(Source::new("a.yml", Text::Str("é: 1\nb: 2\n".into()), Origin::Memory, 0, LineBreaks::Yaml));
        let mut diagnostic = Diagnostic::error(Code::YAML_SYNTAX, "bad \"key\"\u{1}")
            .label(Span::new(id, 6, 7), "here")
            .note("a note")
            .help("plain")
            .help_edit("write c", Span::new(id, 6, 7), "c\n")
            .frame("f", Some(Span::new(id, 0, 2)))
            .frame("<toplevel>", None)
            .context("Reading");
        assert!(line(&diagnostic).contains("\"labels\":[],\"trace\":[]"));
        diagnostic.parts_mut().sources = Some(Arc::new(sources));
        assert_eq!(
            line(&diagnostic),
            concat!(
                r#"{"code":"yaml::syntax","severity":"error","message":"bad \"key\"\u0001","steps":["Reading"],"#,
                r#""labels":[{"file":"a.yml","path":null,"line":2,"column":1,"end_line":2,"end_column":2,"start":6,"end":7,"text":"here"}],"#,
                r#""trace":[{"name":"f","file":"a.yml","path":null,"line":1,"column":1,"end_line":1,"end_column":2,"start":0,"end":2},"#,
                r#"{"name":"<toplevel>","file":null,"path":null,"line":null,"column":null,"end_line":null,"#,
                r#""end_column":null,"start":null,"end":null}],"notes":["a note"],"helps":[{"text":"plain","edit":null},"#,
                r#"{"text":"write c","edit":{"file":"a.yml","path":null,"line":2,"column":1,"end_line":2,"end_column":2,"#,
                r#""start":6,"end":7,"new":"c\n"}}]}"#
            )
        );
    }
}
