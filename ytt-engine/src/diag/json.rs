//! Diagnostics as JSON lines, for programs: one object a line, keys always in the same order.
//!
//! The keys are documented at `Error::to_json_lines`. What does not exist is an empty list or null, never a missing key.

use super::{Diagnostic, FrameView, HelpView, LabelView, TextRange};
use crate::quoted::{self, Json};

/// One line without its line break.
pub(crate) fn line(diagnostic: &Diagnostic) -> String {
    let label = |label: LabelView<'_>| {
        format!("{{{},{}}}", place(Some(label.place())), members([("text", string(label.text()))]))
    };
    let frame =
        |frame: FrameView<'_>| format!("{{{},{}}}", members([("name", string(frame.name()))]), place(frame.place()));
    let help = |help: HelpView<'_>| {
        let edit = |(at, new)| format!("{{{},{}}}", place(Some(at)), members([("new", string(new))]));
        let applicability = help.applicability().map_or_else(null, |how| string(how.as_str()));
        object([
            ("text", string(help.text())),
            ("edit", help.edit().map_or_else(null, edit)),
            ("edits", list(help.edits().map(edit))),
            ("applicability", applicability),
        ])
    };
    object([
        ("code", string(diagnostic.code().as_str())),
        ("severity", string(diagnostic.severity().as_str())),
        ("message", string(diagnostic.message())),
        ("steps", list(diagnostic.steps().map(string))),
        ("labels", list(diagnostic.labels().map(label))),
        ("trace", list(diagnostic.trace().map(frame))),
        ("notes", list(diagnostic.notes().map(string))),
        ("helps", list(diagnostic.helps().map(help))),
    ])
}

/// All of them, each on a line of its own.
pub(crate) fn lines(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| line(diagnostic) + "\n").collect()
}

pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

pub(crate) fn object<const N: usize>(entries: [(&str, String); N]) -> String {
    format!("{{{}}}", members(entries))
}

/// What stands inside of an object.
pub(crate) fn members<const N: usize>(entries: [(&str, String); N]) -> String {
    entries.map(|(key, value)| format!("\"{key}\":{value}")).join(",")
}

pub(crate) fn null() -> String {
    "null".to_owned()
}

/// The members of a place.
pub(crate) fn place(place: Option<&TextRange>) -> String {
    let number = |of: fn(&TextRange) -> u64| place.map_or_else(null, |place| of(place).to_string());
    let path = place.and_then(TextRange::path);
    members([
        ("file", place.map_or_else(null, |place| string(place.file()))),
        ("path", path.map_or_else(null, |path| string(&path.to_string_lossy()))),
        ("line", number(|place| place.start().line.into())),
        ("column", number(|place| place.start().column.into())),
        ("end_line", number(|place| place.end().line.into())),
        ("end_column", number(|place| place.end().column.into())),
        ("start", number(|place| place.bytes().start as u64)),
        ("end", number(|place| place.bytes().end as u64)),
    ])
}

/// Nothing in it ends a line of YAML.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::new();
    quoted::json(&mut out, text, Json::Yaml);
    out
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
                r#""end_column":null,"start":null,"end":null}],"notes":["a note"],"helps":[{"text":"plain","edit":null,"edits":[],"applicability":null},"#,
                r#"{"text":"write c","edit":{"file":"a.yml","path":null,"line":2,"column":1,"end_line":2,"end_column":2,"#,
                r#""start":6,"end":7,"new":"c\n"},"edits":[{"file":"a.yml","path":null,"line":2,"column":1,"end_line":2,"end_column":2,"#,
                r#""start":6,"end":7,"new":"c\n"}],"applicability":"maybe-incorrect"}]}"#
            )
        );
    }
}
