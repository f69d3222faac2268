//! How many may match is written in the brackets of the matcher, which ignores it.

use crate::diag::Diagnostic;
use crate::overlay::annotation::MATCH;
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::template::written;

impl Scene<'_> {
    /// The problem, laid to such an argument. `Err` where others have something to say as well: the number may not fit
    /// what matches where it belongs, or cannot be read.
    pub(super) fn swallowed(&self, diagnostic: Diagnostic, unmet: &Unmet) -> Result<Diagnostic, Diagnostic> {
        let list = {
            let arena = self.arena();
            arena.ann(unmet.right, MATCH).and_then(|ann| arena.place(ann.pos)).map(|place| place.value())
        };
        let Some(inner) = list.and_then(|list| written::inner(self.calls.sources(), list)) else {
            return Err(diagnostic);
        };
        let text = written::whole_string(self.calls.sources(), inner.value);
        let code = self.written(inner.value).unwrap_or_default();
        let allows = allows(inner.name, (&code, text.as_deref()), unmet.found.len());
        if allows == Some(false) {
            return Err(diagnostic);
        }
        let function = self.written(inner.function).unwrap_or_default();
        let told = diagnostic.label(inner.whole, format!("`{function}` ignores this"));
        let (text, (span, new)) = (inner.help(self.calls.sources()), inner.edit);
        let told = told.help_edit(text, span, new).if_it_mends();
        if allows == Some(true) { Ok(told) } else { Err(told) }
    }
}

/// Does such an argument, whose value may be a text, allow so many matches? `None`: nobody sees that in its code.
fn allows(name: &str, (code, text): (&str, Option<&str>), found: usize) -> Option<bool> {
    let number = |text: &str| text.parse::<usize>().ok();
    match (name, code, text) {
        ("missing_ok", "True", _) => Some(found <= 1),
        ("missing_ok", "False", _) => Some(found == 1),
        ("missing_ok", ..) => None,
        // What is not as many as it says is left alone.
        ("when", ..) => Some(true),
        (_, _, Some(text)) => Some(found >= number(text.strip_suffix('+')?)?),
        (_, code, None) => Some(found == number(code)?),
    }
}
