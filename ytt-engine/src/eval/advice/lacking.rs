//! An item that lacks a key which the others in its list have, whether it is one of data values or of a decoded file.

use super::super::host::Host;
use super::dicts::keys_there;
use crate::diag::{Diagnostic, NoteKind, suggest};
use crate::quoted;
use crate::source::Span;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::key_text;
use crate::yaml::{Arena, NodeId};

/// A map without a key, and the item with that key in a map beside it.
pub(super) struct Lacking {
    pub(super) map: NodeId,
    pub(super) other: Option<NodeId>,
}

impl Lacking {
    /// Says where the map is, and where the other one; the edit if the key is misspelt, else what `otherwise` says.
    pub(super) fn told(
        &self,
        (host, arena): (&Host<'_>, &Arena),
        mut told: Diagnostic,
        wanted: &str,
        otherwise: &str,
    ) -> Diagnostic {
        let place = |item: &NodeId| arena.place_of(*item).map(|place| place.key());
        let items = arena.items(self.map);
        let keys: Vec<String> = items.iter().map(|item| key_text(arena, arena.key(*item))).collect();
        let near = suggest::similar(wanted, keys.iter().map(String::as_str));
        let near = near.and_then(|near| Some((near, place(&arena.find_str(self.map, near)?)?)));
        let listed = suggest::listed(keys.iter().map(String::as_str));
        match (near, self.other) {
            (Some((_, span)), None) => return told.label(span, "nearest key"),
            (Some((_, span)), Some(_)) => told = told.label(span, format!("this item has no `{wanted}`")),
            (None, _) => {
                if let Some(listed) = &listed {
                    told = told.label_at(items.first().and_then(place), format!("this item has: {listed}"));
                }
            }
        }
        if let Some(listed) = listed.filter(|_| near.is_none()) {
            let is_said = |text: &str| text == keys_there(&listed) || text == format!("its fields: {listed}");
            told.parts_mut().notes.retain(|note| note.kind != NoteKind::Text || !is_said(note.text()));
        }
        let Some(other) = self.other else { return told };
        told = told.label_at(place(&other), format!("others have `{wanted}`"));
        told.parts_mut().helps.clear();
        match near.and_then(|(near, span)| written(host, span, near, wanted)) {
            Some((span, new)) => told.help_edit(format!("did you mean `{wanted}`, as in the others?"), span, new),
            None => told.help(otherwise),
        }
    }
}

/// The edit of a key as it is written, in its quotes if it has any.
fn written(host: &Host<'_>, span: Span, near: &str, wanted: &str) -> Option<(Span, String)> {
    let source = host.sources.get(span.source);
    let text = source.written(span)?;
    if text == near && needs_no_quotes(wanted) {
        return Some((span, wanted.to_owned()));
    }
    let is_quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) == Some(near);
    is_quoted.then(|| (span, quoted::go(wanted.as_bytes())))
}
