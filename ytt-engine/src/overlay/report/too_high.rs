//! Keys that were added beside the map in which other documents have them, in words.

use super::SHOWN;
use super::words::key_text;
use crate::diag::{Code, Diagnostic, suggest};
use crate::overlay::engine::Scene;
use crate::overlay::problem::TooHigh;
use crate::source::{Span, indented};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, NodeId};

impl Scene<'_> {
    pub(super) fn too_high(&self, found: &TooHigh) -> Option<Diagnostic> {
        let arena = self.arena();
        let key = |item: NodeId| key_text(&arena, arena.key(item));
        let (first, others) = found.items.split_first()?;
        let (child, name) = (key(found.child), self.document_name(&arena, found.document));
        let text = format!("`{}` is added beside `{child}`; in {name} it is in `{child}`", key(*first));
        let warning = Diagnostic::warning(Code::OVERLAY_ONE_LEVEL_TOO_HIGH, text)
            .label_at(arena.span_of(*first), format!("not there before: it is added beside `{child}`"));
        let others = others.iter().take(SHOWN);
        let warning = others.fold(warning, |warning, other| warning.label_at(arena.span_of(*other), "and so is this"));
        let warning = warning
            .label_at(self.mark(&arena, found.other), format!("in {name} it is in `{child}`"))
            .label_at(self.mark(&arena, found.child), format!("`{child}` is here"));
        let keys: Vec<String> = found.items.iter().take(SHOWN).map(|item| format!("`{}`", key(*item))).collect();
        let help = format!("write {} below `{child}`", suggest::all_of(&keys));
        Some(match self.lowered(&arena, found, &child) {
            Some((span, new)) => warning.help_edit(help, span, new).guessing(),
            None => warning.help(help),
        })
    }

    /// The edit that writes the key of a map above the lines of items, if nothing stands between those and it is not there.
    /// None where more documents matched: in another one the map may be missing, or have the keys with other parts.
    fn lowered(&self, arena: &Arena, found: &TooHigh, child: &str) -> Option<(Span, String)> {
        let is_written = arena.find(found.around, arena.key(found.child)).is_some();
        let is_new = found.is_alone && !is_written && needs_no_quotes(child);
        let (first, _) = found.items.split_first().filter(|_| is_new)?;
        let column = self.column(arena, *first)?;
        let mut whole: Option<Span> = None;
        for item in &found.items {
            let lines = self.with_comments(self.lines_of(arena, *item)?);
            whole = Some(match whole {
                None => lines,
                Some(before) if before.source == lines.source && before.end == lines.start => {
                    Span { end: lines.end, ..before }
                }
                Some(_) => return None,
            });
        }
        let written = self.written(whole?)?;
        // Code between the lines may hold for what comes behind them.
        let is_code = |line: &str| {
            let line = line.trim_start();
            line.starts_with("#@") && !line.starts_with("#@overlay/")
        };
        let new = format!("{}{child}:\n{}", " ".repeat(column), indented(&written, column, column.checked_add(2)?)?);
        (!written.lines().any(is_code)).then_some((whole?, new))
    }
}
