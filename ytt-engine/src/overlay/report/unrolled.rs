//! An item of a list for which code gave a list: the items of that one were meant.

use crate::diag::{Diagnostic, Label};
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::loading::with_load;
use crate::yaml::{Arena, Body, NodeId, Val};

impl Scene<'_> {
    /// Adds the edit that puts the items of the list in the place of the item; `Err` if it is no such item.
    pub(super) fn unrolled(&self, told: Diagnostic, arena: &Arena, item: NodeId) -> Result<Diagnostic, Diagnostic> {
        let edit = || -> Option<(String, (Span, String), Option<Label>)> {
            let Body::ArrayItem(Val::Node(list)) = arena.get(item).body else { return None };
            let is_list = matches!(arena.get(list).body, Body::Array(_));
            let code = arena.place_of(item).filter(|_| is_list)?.code(self.calls.sources())?;
            let written = self.written(code)?;
            let source = self.calls.sources().get(code.source);
            let new = format!("template.replace({written})");
            let first = arena.items(list).first().and_then(|first| self.mark(arena, *first));
            let first = first.filter(|first| first.source != code.source || !code.holds(*first));
            let first = first.map(|span| Label { span, text: "the first item of that list".to_owned() });
            Some((written, with_load(&source, ("@ytt:template", "template"), code, new)?, first))
        };
        match edit() {
            Some((written, (span, new), first)) => {
                let text = format!(
                    "`{written}` gives a list, which is one item here: `template.replace` puts its items in the place of it"
                );
                Ok(told.help_edit(text, span, new).if_it_mends().beside_help(first))
            }
            None => Err(told),
        }
    }
}
