//! `overlay.apply` with its two arguments the other way round: what has annotations of overlays is changed by what has none.

use super::nearest::COMPARISONS;
use crate::diag::{Diagnostic, Help, Label};
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::written;
use crate::yaml::{Annotation, Body, NodeId, Val};

/// A call with its arguments the other way round.
pub(super) struct OtherWay {
    pub(super) call: Span,
    /// The first item with an annotation among what is changed.
    pub(super) annotated: NodeId,
    pub(super) edit: (Span, String),
}

impl Scene<'_> {
    /// A problem of `overlay.apply`, with the other order of its arguments as the first help, if that is none yet.
    pub(in crate::overlay) fn or_other_way(&self, mut told: Diagnostic, left: Val, right: Val) -> Diagnostic {
        let node = |value| if let Val::Node(node) = value { Some(node) } else { None };
        if self.calls.is_tried() {
            return told;
        }
        let (lefts, rights): (Vec<NodeId>, Vec<NodeId>) =
            (node(left).into_iter().collect(), node(right).into_iter().collect());
        let Some(OtherWay { call, annotated, edit }) = self.other_way(&lefts, &rights) else { return told };
        let helps = &mut told.parts_mut().helps;
        if helps.iter().any(|help| help.edit.as_ref() == Some(&edit)) {
            return told;
        }
        let label = |span, text: &str| Label { span, text: text.to_owned() };
        let place = self.mark(&self.arena(), annotated).map(|span| label(span, IS_CHANGED));
        let labels = place.into_iter().chain([label(call, BY_THE_SECOND)]).collect();
        // Behind what may be meant as it stands.
        let at = helps.iter().rposition(|help| help.edit.is_some()).map_or(0, |at| at.saturating_add(1));
        helps.insert(at, Help { must_mend: true, is_guess: true, labels, ..Help::with_edit(FIRST, edit.0, edit.1) });
        told
    }

    /// The running call of two arguments the other way round, if of what they are the first alone has such annotations.
    pub(super) fn other_way(&self, lefts: &[NodeId], rights: &[NodeId]) -> Option<OtherWay> {
        let call = self.calls.place()?;
        let arguments = written::call(self.calls.sources(), call)?;
        let [left, right] = &arguments[..] else { return None };
        let texts = [left, right].map(|argument| self.written(argument.value).filter(|_| argument.name.is_none()));
        let [Some(first), Some(second)] = texts else { return None };
        if first.starts_with('*') || second.starts_with('*') {
            return None;
        }
        let annotated = self.annotated(lefts)?;
        if self.annotated(rights).is_some() {
            return None;
        }
        let edit = (Span { end: right.value.end, ..left.value }, format!("{second}, {first}"));
        Some(OtherWay { call, annotated, edit })
    }

    /// The first item there that has annotations of overlays.
    fn annotated(&self, roots: &[NodeId]) -> Option<NodeId> {
        let arena = self.arena();
        let mut open = roots.to_vec();
        for _ in 0..COMPARISONS {
            let node = open.pop()?;
            if arena.anns_of(node).iter().any(is_of_overlays) {
                return Some(node);
            }
            match (&arena.get(node).body, arena.value(node)) {
                (Body::Map(_) | Body::Array(_) | Body::Set(_), _) => open.extend(arena.items(node)),
                (_, Val::Node(below)) => open.push(below),
                _ => {}
            }
        }
        None
    }
}

/// What is said of that item, of the call, and of its other order.
pub(super) const IS_CHANGED: &str = "this has annotations of overlays, and is what is changed";
pub(super) const BY_THE_SECOND: &str = "the first argument is changed by the second";
pub(super) const FIRST: &str = "give what is to be changed first";

fn is_of_overlays(annotation: &Annotation) -> bool {
    annotation.name.starts_with("overlay/")
}
