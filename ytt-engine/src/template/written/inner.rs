//! Arguments of `@overlay/match` that stand in the brackets of its matcher, which takes none by name.

use super::{Argument, arguments, call, callee};
use crate::nearest::only;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::literal::MATCHERS;

/// What says how many items match: never an argument of a matcher.
const NAMES: [&str; 3] = ["expects", "missing_ok", "when"];
/// Those of the functions that give a matcher which are given others.
const COMBINING: [&str; 3] = ["and_op", "or_op", "not_op"];
/// Calls that are read.
const MOST: usize = 10;

/// Such an argument.
pub(crate) struct Inner {
    pub(crate) name: &'static str,
    /// Its name and value.
    pub(crate) whole: Span,
    pub(crate) value: Span,
    /// The function that ignores it.
    pub(crate) function: Span,
    /// Takes it out there, and writes it behind the matcher.
    pub(crate) edit: (Span, String),
}

impl Inner {
    /// What there is to do.
    pub(crate) fn help(&self, sources: &SourceMap) -> String {
        let source = sources.get(self.whole.source);
        let written = source.written(self.whole).unwrap_or_default();
        format!("write `{written}` behind the matcher: it is an argument of `@overlay/match`")
    }
}

/// The one argument in the brackets of the matcher that the arguments `list` of `@overlay/match` have. None where one stands
/// behind the matcher as well: nobody knows then which of them is meant.
pub(crate) fn inner(sources: &SourceMap, list: Span) -> Option<Inner> {
    let source = sources.get(list.source);
    let named = |argument: &Argument| {
        let own = source.written(argument.name?)?;
        NAMES.into_iter().find(|name| *name == own)
    };
    let outer = arguments(sources, list);
    let [by] = outer[..] else { return None };
    (source.written(by.name?)? == "by").then_some(())?;
    let (mut open, mut found) = (vec![by.value], Vec::new());
    for _ in 0..MOST {
        let Some(code) = open.pop() else { break };
        let Some(function) = callee(sources, code) else { continue };
        let Some((_, member)) = source.written(function).and_then(|name| name.split_once('.')) else { continue };
        if !MATCHERS.contains(&member) {
            continue;
        }
        for argument in call(sources, code)? {
            match named(&argument) {
                Some(name) => found.push((name, argument, function, code)),
                None if COMBINING.contains(&member) => open.push(argument.value),
                None => {}
            }
        }
    }
    let (name, argument, function, code) = only(found)?;
    let bracket = source.written(Span { start: function.end, ..code })?.find('(')?;
    let start = function.end.checked_add(to_u32(bracket))?.checked_add(1)?;
    let brackets = Span { start, end: code.end.checked_sub(1)?, ..code };
    let whole = argument.whole();
    let out = source.with_comma(brackets, whole);
    let behind = Span { start: by.value.end, ..by.value };
    let new = format!(", {}", source.written(whole)?);
    let edit = source.replaced([(out, ""), (behind, &*new)])?;
    Some(Inner { name, whole, value: argument.value, function, edit })
}

/// The same for an argument that begins there, in a line which is such an annotation.
pub(crate) fn inner_at(sources: &SourceMap, argument: Span) -> Option<Inner> {
    let source = sources.get(argument.source);
    let lines = source.line_range(source.line(argument.start));
    let line = source.written(Span { start: lines.start, end: lines.end, ..argument })?;
    let list = line.trim_start().strip_prefix("#@overlay/match ")?;
    let start = lines.end.checked_sub(to_u32(list.len()))?;
    inner(sources, Span { start, end: lines.end, ..argument }).filter(|inner| inner.whole.start == argument.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, Source, Text};

    /// The line with its edit.
    fn moved(line: &str) -> Option<String> {
        let sources = SourceMap::default();
        let id = sources.add(Source::new("a.yml", Text::Str(line.into()), Origin::Memory, 0, LineBreaks::Yaml));
        let start = line.find("by=")?;
        let inner = inner(&sources, Span::new(id, to_u32(start), to_u32(line.len())))?;
        let (span, new) = inner.edit;
        Some([line.get(..span.start as usize)?, &new, line.get(span.end as usize..)?].concat())
    }

    #[test]
    fn keywords_are_moved_behind_the_matcher() {
        let of = |inside: &str, outside: &str| {
            assert_eq!(
                moved(&format!("#@overlay/match by={inside}")).as_deref(),
                Some(&*format!("#@overlay/match by={outside}"))
            );
        };
        of("overlay.subset({\"a\": 1}, expects=2)", "overlay.subset({\"a\": 1}), expects=2");
        of("overlay.index(0, missing_ok=True)", "overlay.index(0), missing_ok=True");
        of("o.and_op(a, o.not_op(o.index( 0, when=1 )))", "o.and_op(a, o.not_op(o.index( 0 ))), when=1");
    }

    #[test]
    fn others_stay() {
        for line in [
            "by=overlay.subset({\"a\": 1}, expects=2), missing_ok=True",
            "by=overlay.subset({\"a\": 1}, expects=2, when=1)",
            "by=overlay.subset({\"a\": 1}, name=2)",
            "by=mine(1, expects=2)",
            "by=helpers.matcher(1, expects=2)",
            "by=lambda i, l, r: helper(l, expects=1)",
        ] {
            assert_eq!(moved(line), None, "{line}");
        }
    }
}
