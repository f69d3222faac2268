//! Chains of fields in code, `.spec.type`, and what reads the same by keys: what YAML gives has no fields.

use super::word;
use crate::quoted;
use crate::source::{Source, Span, to_u32};

/// What reads as keys the fields that stand in one chain behind a place: `["spec"]["type"]` for `.spec.type`. What is called
/// is a method of the value in front of it, which ends the chain.
pub(crate) fn as_keys(text: &str, behind: Span) -> Option<(Span, String)> {
    let mut rest = text.get(behind.end as usize..)?;
    let (mut at, mut end, mut new, mut between) = (behind.end, behind.end, String::new(), String::new());
    loop {
        let length = if let Some(field) = rest.strip_prefix('.') {
            let length = field.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(field.len());
            let (name, behind) = field.split_at_checked(length)?;
            if name.is_empty() || behind.trim_start_matches(' ').starts_with('(') {
                break;
            }
            new.push_str(&std::mem::take(&mut between));
            new.push_str(&format!("[{}]", quoted::starlark(name)));
            length.checked_add(1)?
        } else if let Some((index, _)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            // A number or a text, in which no bracket ends.
            let is_text = index.len() > 1 && index.starts_with('"') && index.ends_with('"');
            if !is_text && (index.is_empty() || !index.bytes().all(|byte| byte.is_ascii_digit())) {
                break;
            }
            between.push_str(&format!("[{index}]"));
            index.len().checked_add(2)?
        } else {
            break;
        };
        at = at.checked_add(to_u32(length))?;
        rest = rest.get(length..)?;
        end = if between.is_empty() { at } else { end };
    }
    (end > behind.end).then_some((Span { start: behind.end, end, ..behind }, new))
}

/// The same for all that is read of code on its line, as of a parameter in a lambda of an annotation.
pub(crate) fn as_keys_on_line(source: &Source, of: Span) -> Option<(Span, String)> {
    let text = source.text.as_str()?;
    let line = source.line_range(source.line(of.start));
    let (code, all) = (source.written(of)?, source.written(Span { start: line.start, end: line.end, ..of })?);
    let edits: Vec<(Span, String)> = word::whole(all, code)
        .filter(|at| !all.get(..*at).is_some_and(|before| before.ends_with('.')))
        .filter_map(|at| {
            let end = line.start.checked_add(to_u32(at.checked_add(code.len())?))?;
            as_keys(text, Span { start: end, end, ..of })
        })
        .collect();
    source.replaced(edits.iter().map(|(span, new)| (*span, new.as_str())))
}
