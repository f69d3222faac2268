//! Text templates in strings that stay as they are, since the annotation for them stands above something else.

use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span, to_u32};
use crate::yaml::NodeSpan;

/// `@yaml/text-templated-strings`, and the node that it is for.
pub(super) struct Templated {
    pub(super) annotation: Span,
    pub(super) place: NodeSpan,
}

/// An annotation for a node without any code in its strings, where a string elsewhere in the file has some.
pub(super) fn warning(text: &str, source: SourceId, templated: &[Templated]) -> Option<Diagnostic> {
    const CODE: &str = "(@=";
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
    let end = text.get(at..)?.find("@)").map_or(CODE.len(), |end| end.saturating_add(2));
    let end = to_u32(at.checked_add(end)?);
    let key = text.get(idle.place.start as usize..idle.place.key_end as usize).unwrap_or_default();
    Some(
        Diagnostic::warning(Code::TEMPLATE_UNPRINTED, "`(@= … @)` is printed as it is: no annotation covers it")
            .label(
                Span::new(source, to_u32(at), end),
                "nothing fills this: `@yaml/text-templated-strings` does not stand above it",
            )
            .label(idle.annotation, format!("covers `{key}` only, which has no `(@= … @)`"))
            .help("move the annotation above the key with the text; above the line `---` it covers the whole document"),
    )
}
