//! Plain files, which have no code, where a template was probably meant.

use crate::source::{Source, SourceId, Span, to_u32};

/// The edit that makes data values of the one document of a file; `None` if that is more than a line. `first` is where
/// its first key stands.
pub(crate) fn annotated(source: &Source, first: Span) -> Option<(Span, &'static str)> {
    let text = source.text.as_str()?;
    // A template takes no comments but its own, and a byte order mark would belong to its first line.
    let is_comment = |line: &str| {
        let starts = line.trim_start().starts_with('#') || line.contains(" #") || line.contains("\t#");
        starts && !line.trim_start().starts_with("#!")
    };
    if text.starts_with('\u{FEFF}') || text.lines().any(is_comment) {
        return None;
    }
    let before = text.get(..first.start as usize)?;
    let start = if before.starts_with("---") { Some(0) } else { before.find("\n---").map(|at| at.saturating_add(1)) };
    let (at, new) = match start {
        Some(at) => (to_u32(at), "#@data/values\n"),
        None => (0, "#@data/values\n---\n"),
    };
    Some((Span { start: at, end: at, ..first }, new))
}

/// Where a key stands at the top of a file that is YAML without code, and no object of Kubernetes.
pub(crate) fn top_key(source: &Source, file: SourceId, key: &str) -> Option<Span> {
    let is_yaml = source.name.ends_with(".yml") || source.name.ends_with(".yaml");
    let text = source.text.as_str().filter(|text| is_yaml && !text.contains("#@") && !text.contains("(@"))?;
    if text.lines().any(|line| line.starts_with("apiVersion:")) {
        return None;
    }
    let mut at = 0_usize;
    for line in text.split_inclusive('\n') {
        let behind = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
        if behind.is_some_and(|behind| behind.starts_with(char::is_whitespace)) {
            return Some(Span::new(file, to_u32(at), to_u32(at.checked_add(key.len())?)));
        }
        at = at.checked_add(line.len())?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, Text};

    fn source(text: &str) -> Source {
        Source::new("a.yml", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml)
    }

    #[test]
    fn a_document_is_annotated_where_it_begins() {
        let of = |text: &str| {
            let source = source(text);
            let first = top_key(&source, SourceId(0), "a")?;
            annotated(&source, first).map(|(span, new)| (span.start, new))
        };
        assert_eq!(of("a: 1\n"), Some((0, "#@data/values\n---\n")));
        assert_eq!(of("---\na: 1\n"), Some((0, "#@data/values\n")));
        assert_eq!(of("%YAML 1.1\n---\na: 1\n"), Some((10, "#@data/values\n")));
    }

    #[test]
    fn comments_and_marks_need_more_than_a_line() {
        for text in ["# x\na: 1\n", "a: 1 # x\n", "a: 1\t# x\n", "\u{FEFF}b: 1\na: 1\n"] {
            let source = source(text);
            let first = Span::new(SourceId(0), 0, 1);
            assert_eq!(annotated(&source, first), None, "{text:?}");
        }
    }

    #[test]
    fn keys_are_found_at_the_top_only() {
        let of = |text: &str| top_key(&source(text), SourceId(0), "app").map(|span| (span.start, span.end));
        assert_eq!(of("b: 1\napp:\n  c: 1\n"), Some((5, 8)));
        for text in ["b:\n  app: 1\n", "apps: 1\n", "app:1\n", "app: #@ 1\n", ""] {
            assert_eq!(of(text), None, "{text:?}");
        }
    }
}
