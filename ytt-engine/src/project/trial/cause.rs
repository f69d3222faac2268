//! Warnings that are the cause of a problem, as a misspelt annotation, which ytt ignores, or a document that is printed in
//! place of being applied: the problem tells of it, and not a warning beside.

use super::{Before, Edit, Trials};
use crate::diag::{Code, Diagnostic, Help, Label};
use crate::source::SourceMap;

/// What may be the cause of something else.
const CAUSES: [Code; 9] = [
    Code::TEMPLATE_UNKNOWN_ANNOTATION,
    Code::OVERLAY_NOT_AN_OVERLAY,
    Code::MODULE_ARGUMENT_ORDER,
    Code::STARLARK_TYPE_NAME,
    Code::TEMPLATE_LIST_IN_LIST,
    Code::TEMPLATE_MISSING_BLANK,
    Code::TEMPLATE_UNPRINTED,
    Code::VALUES_PLAIN_INPUT,
    Code::YAML_MISSING_BLANK,
];
/// Lines between an annotation and its node.
const ABOVE: u32 = 20;
/// Warnings that are tried for a problem. One slip is the rule, and renders are few.
const MOST: usize = 3;

/// The warning that a problem comes of.
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
        let Some(first) = warning.labels.first() else { return };
        let place = first.span;
        let is_near = |label: &Label| label.span.start <= place.end && place.start <= label.span.end;
        if !parts.labels.iter().any(|label| label.span.source == place.source && is_near(label)) {
            let text = match self.warning.code() {
                Code::TEMPLATE_UNKNOWN_ANNOTATION => "ytt knows no such annotation and ignores it".to_owned(),
                Code::OVERLAY_NOT_AN_OVERLAY | Code::VALUES_PLAIN_INPUT => warning.message.clone(),
                _ => first.text.clone(),
            };
            parts.labels.push(Label { span: place, text });
        }
        // What the problem itself proposes is worded for it.
        if let Some(own) = parts.helps.iter_mut().find(|help| is_same(help, &warning.helps)) {
            own.tried = self.tried;
            let own = own.clone();
            parts.helps = vec![own];
            return;
        }
        let mut helps = warning.helps.clone();
        if self.warning.code() == Code::TEMPLATE_UNKNOWN_ANNOTATION {
            helps.truncate(1);
        }
        helps.iter_mut().filter(|help| help.edit.is_some()).take(1).for_each(|help| help.tried = self.tried);
        parts.helps = helps;
    }
}

/// Whether a help makes the edit that one of others makes.
fn is_same(help: &Help, others: &[Help]) -> bool {
    let edits = |help: &Help| {
        let mut edits: Vec<Edit> = help.edits().cloned().collect();
        edits.sort_by_key(|(span, _)| span.start);
        edits
    };
    help.edit.is_some() && others.iter().any(|other| edits(other) == edits(help))
}

impl Trials<'_> {
    /// The warning whose edit takes a problem away. A misspelt annotation above the item that the problem is about is the cause
    /// if nothing is known of its edit, too.
    pub(super) fn cause(&mut self, own: &Diagnostic, before: &Before) -> Option<Cause> {
        let sources = self.sources;
        let numbered = before.warnings.iter().enumerate();
        let known = numbered.filter(|(_, warning)| CAUSES.contains(&warning.code()));
        let mut known: Vec<(bool, usize, &Diagnostic)> =
            known.map(|(number, warning)| (!is_above(sources, warning, own), number, warning)).collect();
        known.sort_by_key(|(is_elsewhere, ..)| *is_elsewhere);
        known.into_iter().take(MOST).find_map(|(is_elsewhere, number, warning)| {
            let mut helps = warning.parts().helps.iter();
            let help = match warning.code() {
                Code::TEMPLATE_UNKNOWN_ANNOTATION => helps.next().filter(|help| help.edit.is_some())?,
                _ => helps.find(|help| help.edit.is_some())?,
            };
            let tried = match self.of(help, before) {
                Some(trial) => {
                    let is_gone = !trial.after.contains(&trial.moved(own));
                    (is_gone && (trial.adds_none || !is_elsewhere)).then_some(trial.adds_none)?
                }
                None => (!is_elsewhere).then_some(false)?,
            };
            Some(Cause { number, warning: warning.clone(), tried: tried && !help.is_guess })
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
        && warning.code() == Code::TEMPLATE_UNKNOWN_ANNOTATION
        && problem.code().as_str().starts_with("overlay::")
}
