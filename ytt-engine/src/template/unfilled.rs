//! Text templates in strings that stay as they are, since the annotation for them stands above something else.

use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span, to_u32};
use crate::yaml::NodeSpan;

/// How code begins that prints into a string.
pub(super) const CODE: &str = "(@=";

/// `@yaml/text-templated-strings`, and the node that it is for.
pub(super) struct Templated {
    pub(super) annotation: Span,
    pub(super) place: NodeSpan,
}

/// An annotation for a node without any code in its strings, where a string elsewhere in the file has some.
pub(super) fn warning(text: &str, source: SourceId, templated: &[Templated]) -> Option<Diagnostic> {
    let has_code =
        |place: &NodeSpan| text.get(place.start as usize..place.end as usize).is_none_or(|text| text.contains(CODE));
    let idle = templated.iter().find(|one| !has_code(&one.place))?;
    let is_inside = |at: &usize| {
        let mut all = templated.iter().map(|one| one.place.start..one.place.end);
        all.any(|range| range.contains(&to_u32(*at)))
    };
    let is_comment = |at: &usize| {
        let line = text.get(..*at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        line.contains('#')
    };
    let at = text.match_indices(CODE).map(|(at, _)| at).find(|at| !is_inside(at) && !is_comment(at))?;
    let end = end_of(text, at)?;
    let key = text.get(idle.place.start as usize..idle.place.key_end as usize).unwrap_or_default();
    Some(
        Diagnostic::warning(Code::TEMPLATE_UNPRINTED, MESSAGE)
            .label(
                Span::new(source, to_u32(at), to_u32(end)),
                "nothing fills this: `@yaml/text-templated-strings` does not stand above it",
            )
            .label(idle.annotation, format!("covers `{key}` only, which has no `(@= … @)`"))
            .help("move the annotation above the key with the text; above the line `---` it covers the whole document"),
    )
}

const MESSAGE: &str = "`(@= … @)` is printed as it is: no annotation covers it";

/// Where code ends that begins there.
fn end_of(text: &str, at: usize) -> Option<usize> {
    let end = text.get(at..)?.find("@)").map_or(CODE.len(), |end| end.saturating_add(2));
    at.checked_add(end)
}

/// A string that has what looks like code, without an annotation that makes code of it.
pub(super) struct Uncovered {
    code: (usize, usize),
    /// All that looks like code in the string.
    text: String,
    /// The line above which the annotation belongs: where it begins, and its indentation.
    line: Option<(usize, String)>,
}

impl Uncovered {
    /// Nothing for a string that has the code of a template of its own, such as a file that another run is to read.
    pub(super) fn at(text: &str, place: NodeSpan) -> Option<Uncovered> {
        let (start, end) = (place.value as usize, place.end as usize);
        let value = text.get(start..end).filter(|value| !value.contains("#@"))?;
        let at = start.checked_add(value.find(CODE)?)?;
        let codes = value.split(CODE).skip(1).filter_map(|rest| rest.split_once("@)"));
        let codes: Vec<&str> = codes.map(|(code, _)| code).collect();
        let before = text.get(..place.start as usize)?;
        let begin = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let indent = before.get(begin..).filter(|before| before.trim_start_matches([' ', '-']).is_empty());
        let indent = indent.map(|before| before.split('-').next().unwrap_or_default());
        Some(Uncovered {
            code: (at, end_of(text, at)?),
            text: codes.join(" "),
            line: indent.map(|indent| (begin, indent.to_owned())),
        })
    }

    /// If its code names what the file knows, it was meant as such.
    pub(super) fn warning(&self, source: SourceId, binds: &dyn Fn(&str) -> bool) -> Option<Diagnostic> {
        let is_name = |character: char| character.is_alphanumeric() || character == '_';
        let mut before = ' ';
        let known = self.text.split_inclusive(|character| !is_name(character)).any(|word| {
            let (name, is_member) = (word.trim_end_matches(|character| !is_name(character)), before == '.');
            before = word.chars().next_back().unwrap_or(' ');
            !is_member && binds(name)
        });
        if !known {
            return None;
        }
        let (start, end) = self.code;
        let warning = Diagnostic::warning(Code::TEMPLATE_UNPRINTED, MESSAGE).label(
            Span::new(source, to_u32(start), to_u32(end)),
            "nothing fills this: no `@yaml/text-templated-strings` stands above it",
        );
        const HELP: &str = "write `#@yaml/text-templated-strings` above it: code in strings is read below that only";
        Some(match &self.line {
            Some((at, indent)) => {
                let new = format!("{indent}#@yaml/text-templated-strings\n");
                warning.help_edit(HELP, Span::new(source, to_u32(*at), to_u32(*at)), new)
            }
            None => warning.help(HELP),
        })
    }
}
