//! An alias whose anchor stands in another document, where it does not hold.

use crate::diag::{Code, Diagnostic, Help, Label};
use crate::source::{LineBreaks, Origin, Source, SourceMap, Span, to_u32};

/// Aliases that are looked for in all files.
const MOST: usize = 20;

/// Leads aliases without anchor to the anchor of that name, if a file that was read has one elsewhere.
pub(super) fn found_elsewhere(sources: &SourceMap, problems: &mut [Diagnostic]) {
    let of_aliases = problems.iter_mut().filter(|problem| problem.code() == Code::YAML_ALIAS);
    for problem in of_aliases.take(MOST) {
        let Some(alias) = problem.parts().labels.first().map(|label| label.span) else { continue };
        let own = sources.get(alias.source);
        let Some(name) = own.written(alias).and_then(|text| text.strip_prefix('*')) else { continue };
        // An alias inside of its own anchor is another mistake.
        let is_above = |at: u32| at < alias.start && own.document(at) == own.document(alias.start);
        if anchor(&own, name).is_some_and(is_above) {
            continue;
        }
        let files = sources.all().into_iter().zip(0..).map(|(source, id)| (source, crate::source::SourceId(id)));
        let files =
            files.filter(|(source, _)| matches!(source.origin, Origin::File(_)) && source.breaks == LineBreaks::Yaml);
        let found = files.into_iter().find_map(|(source, id)| Some((anchor(&source, name)?, source, id)));
        let Some((at, source, id)) = found else { continue };
        let is_behind = id == alias.source && at > alias.start && source.document(at) == own.document(alias.start);
        let parts = problem.parts_mut();
        let text = match is_behind {
            true => format!("`&{name}` is here, behind the alias"),
            false => format!("`&{name}` is here: it holds in its own document only"),
        };
        let end = at.saturating_add(to_u32(name.len())).saturating_add(1);
        parts.labels.push(Label { span: Span::new(id, at, end), text });
        parts.notes.clear();
        let copied = copied(&source, at, &own, alias).filter(|_| !is_behind);
        let text = match (&copied, is_behind) {
            (_, true) => "an anchor stands above its aliases: move it up",
            (Some(_), _) => "write here what it stands for",
            (None, _) => "write here what it stands for, or let a function that both load give it",
        };
        parts.helps = vec![Help { edit: copied, is_guess: true, ..Help::new(text) }];
    }
}

/// Where an anchor of this name stands.
fn anchor(source: &Source, name: &str) -> Option<u32> {
    let text = source.text.as_str()?;
    let wanted = format!("&{name}");
    let found = text.match_indices(&wanted).map(|(at, _)| at).find(|at| {
        let (before, behind) = text.split_at(*at);
        let behind = behind.get(wanted.len()..).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.ends_with([' ', '[', ',', '{'])
            && !line.contains('#')
            && (behind.is_empty() || behind.starts_with(char::is_whitespace))
    });
    found.map(to_u32)
}

/// `<<: *name` with the lines of the map that the anchor stands for in its place.
fn copied(source: &Source, anchor: u32, own: &Source, alias: Span) -> Option<(Span, String)> {
    let (line, here) = (source.line(anchor), own.line(alias.start));
    let begin = own.line_range(here).start;
    let merge = own.written(Span { start: begin, end: alias.start, ..alias })?;
    let indent = merge.strip_suffix("<<: ").filter(|indent| indent.trim().is_empty())?;
    let depth = |text: &str| text.len().saturating_sub(text.trim_start().len());
    let outer = depth(&source.line_text(line));
    let lines =
        (line.saturating_add(1)..=source.line(to_u32(source.text.as_bytes().len()))).map(|line| source.line_text(line));
    let lines: Vec<String> = lines.take_while(|text| !text.trim().is_empty() && depth(text) > outer).collect();
    let first = depth(lines.first()?);
    let lines: Vec<String> =
        lines.iter().map(|text| Some(format!("{indent}{}", text.get(first..)?))).collect::<Option<_>>()?;
    Some((Span { start: begin, ..alias }, lines.join("\n")))
}
