//! Short texts that were written as they are not long ago: what a loop makes, and keys of what code made, is one text of the
//! arena that comes again and again.

use crate::yaml::Val;
use crate::yaml::quote::{Shape, Style};

/// Texts that are remembered.
const TEXTS: usize = 256;

/// Each stands at a place of its own, where the last one of several stays.
#[derive(Default)]
pub(super) struct Known(Vec<Val>);

impl Known {
    pub(super) fn with_room() -> Known {
        Known(vec![Val::Null; TEXTS])
    }

    pub(super) fn has(&self, text: Val) -> bool {
        place(text).and_then(|place| self.0.get(place)) == Some(&text)
    }

    /// Remembers a text that is written as it is, also as a key.
    pub(super) fn note(&mut self, value: Val, text: &str, shape: Shape) {
        if shape.style == Style::Plain
            && shape.is_simple_key(text)
            && let Some(known) = place(value).and_then(|place| self.0.get_mut(place))
        {
            *known = value;
        }
    }
}

/// Where a text is remembered.
fn place(text: Val) -> Option<usize> {
    match text {
        Val::Str { at, .. } => Some(at as usize % TEXTS),
        _ => None,
    }
}
