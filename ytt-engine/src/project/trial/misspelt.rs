//! Misspelt annotations, which ytt ignores: the problem that comes of one tells of it, and not a warning beside.

use super::{Before, Trials};
use crate::diag::{Code, Diagnostic, Help, Label};
use crate::source::SourceMap;

/// Lines between an annotation and its node.
const ABOVE: u32 = 20;
/// Warnings that are tried for a problem. One slip is the rule, and renders are few.
const MOST: usize = 3;

/// The warning of a misspelt annotation that a problem comes of.
pub(super) struct Cause {
    pub(super) number: usize,
    warning: Diagnostic,
    /// Its edit was tried, and mends.
    tried: bool,
}

impl Cause {
    /// Says of a problem what it comes of.
    pub(super) fn blame(&self, problem: &mut Diagnostic) {
        let (parts, warning) = (problem.parts_mut(), self.warning.parts());
        let Some(place) = warning.labels.first().map(|label| label.span) else { return };
        let is_near = |label: &Label| label.span.start <= place.end && place.start <= label.span.end;
        if !parts.labels.iter().any(|label| label.span.source == place.source && is_near(label)) {
            parts.labels.push(Label { span: place, text: "ytt knows no such annotation and ignores it".to_owned() });
        }
        parts.helps = warning.helps.iter().take(1).map(|help| Help { tried: self.tried, ..help.clone() }).collect();
    }
}

impl Trials<'_> {
    /// The misspelt annotation whose edit takes a problem away. The one above the item that the problem is about is the cause
    /// if nothing is known of its edit, too.
    pub(super) fn misspelt(&mut self, own: &Diagnostic, before: &Before) -> Option<Cause> {
        let sources = self.sources;
        let numbered = before.warnings.iter().enumerate();
        let known = numbered.filter(|(_, warning)| warning.code() == Code::TEMPLATE_UNKNOWN_ANNOTATION);
        let mut known: Vec<(bool, usize, &Diagnostic)> =
            known.map(|(number, warning)| (!is_above(sources, warning, own), number, warning)).collect();
        known.sort_by_key(|(is_elsewhere, ..)| *is_elsewhere);
        known.into_iter().take(MOST).find_map(|(is_elsewhere, number, warning)| {
            let help = warning.parts().helps.first().filter(|help| help.edit.is_some())?;
            let tried = match self.of(help, before) {
                Some(trial) => {
                    let is_gone = !trial.after.contains(&trial.moved(own));
                    (is_gone && (trial.adds_none || !is_elsewhere)).then_some(trial.adds_none)?
                }
                None => (!is_elsewhere).then_some(false)?,
            };
            Some(Cause { number, warning: warning.clone(), tried })
        })
    }
}

/// Does an annotation stand above the item that an overlay could not apply?
fn is_above(sources: &SourceMap, warning: &Diagnostic, problem: &Diagnostic) -> bool {
    let first = |one: &Diagnostic| one.parts().labels.first().map(|label| label.span);
    let Some((place, item)) = first(warning).zip(first(problem)) else { return false };
    let source = sources.get(place.source);
    let line = source.line(place.start);
    let is_comment = |line: u32| source.line_text(line).trim_start().starts_with('#');
    let node = (line.saturating_add(1)..line.saturating_add(ABOVE)).find(|line| !is_comment(*line));
    item.source == place.source
        && node == Some(source.line(item.start))
        && problem.code().as_str().starts_with("overlay::")
}
