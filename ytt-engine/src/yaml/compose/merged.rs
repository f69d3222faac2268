//! Merge keys: `<<` and the map whose items stand in its place.

use super::{Anchor, Built, Composer, What};
use crate::diag::{Code, Diagnostic};
use crate::yaml::arena::Val;
use crate::yaml::warn::Spelling;

const NO_MAP: &str = "yaml: map merge requires map or sequence of maps as the value";

impl Composer<'_, '_> {
    /// The items of a merged map stand in place of the merge key, with their own places.
    pub(super) fn merge(&mut self, key: Built, value: Built) -> Result<(), Diagnostic> {
        self.notes.spelled(Spelling::Merge, self.span(key.start, key.end));
        match (value.what, value.val) {
            (What::Map, Val::Node(map)) => {
                let text = self.parser.scanner.text;
                let written = text.get(value.start as usize..value.end as usize).unwrap_or_default();
                if let Some(name) = written.strip_prefix('*') {
                    let spans = (self.span(key.start, key.end), self.span(value.start, value.end));
                    self.merged_names.push((name, spans.0, spans.1));
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.height = frame.height.max(value.height);
                }
                let items = self.arena.items(map);
                self.items.extend_from_slice(items);
                Ok(())
            }
            (What::EmptySequence, _) => Ok(()),
            (what, _) => {
                let is_list = what == What::Sequence;
                let found = if is_list { "this is a list" } else { "this is neither a map nor an alias of one" };
                let fault = Diagnostic::error(Code::YAML_MERGE, NO_MAP)
                    .label(self.span(value.start, value.end), found)
                    .label(self.span(key.start, key.end), "merged here");
                Err(if is_list { fault.help("write one line `<<: *name` for each map; later ones win") } else { fault })
            }
        }
    }

    /// Compat: a merged name must be a map wherever the document sets it last, also behind the merge.
    pub(super) fn check_merged_names(&self) -> Result<(), Diagnostic> {
        for &(name, key, alias) in &self.merged_names {
            if let Some(Anchor { built: Some(built), .. }) = self.anchors.get(name)
                && built.what != What::Map
            {
                return Err(Diagnostic::error(Code::YAML_MERGE, NO_MAP)
                    .label(alias, format!("`&{name}` is set again below, to what is not a map"))
                    .label(self.span(built.start, built.end), "set again here")
                    .label(key, "merged here")
                    .help("give one of the two anchors another name"));
            }
        }
        Ok(())
    }
}
