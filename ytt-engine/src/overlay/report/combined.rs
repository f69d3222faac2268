//! A list of matchers given to `overlay.and_op` or `overlay.or_op`, which take them one by one: where that is written, also in
//! the functions that make the matcher.

use super::junction::{self, COMBINING};
use crate::diag::{Diagnostic, Help, Label};
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::code::{Binder, FileCode};
use crate::template::written;

const OR: &str = "overlay.or_op";
const NOT: &str = "overlay.not_op";
/// Pieces of code that are looked at.
const MOST: usize = 50;

/// An argument that is a list, as far as its code tells.
struct Listed {
    argument: Span,
    function: String,
    /// The name that has the list where it is set, if it is set there alone, or the list that a function gives.
    set: Option<(Span, String)>,
    /// Nothing may stand behind a star.
    is_last: bool,
}

/// Arguments that matchers are combined of.
#[derive(Default)]
struct Found {
    lists: Vec<Listed>,
    /// What may be anything.
    open: Vec<Listed>,
}

/// How an argument looks.
enum Look {
    List(Option<(Span, String)>),
    /// A matcher, or a call of what gives one: these pieces of code may combine others.
    Matcher(Vec<Span>),
    Open,
}

impl Scene<'_> {
    /// A list of matchers where they are wanted one by one.
    pub(super) fn listed(&self, told: Diagnostic, kind: &str) -> Diagnostic {
        let by = self.by_span();
        let found = by.map(|by| self.combined(self.value_in(by))).unwrap_or_default();
        let first = found.open.first().map(|listed| listed.function.clone());
        let (is_sure, listed) = match (found.lists.into_iter().next(), &found.open[..]) {
            (Some(listed), _) => (true, Some(listed)),
            (None, [_]) => (false, found.open.into_iter().next()),
            (None, _) => (false, None),
        };
        let Some(Listed { argument, function, set, is_last }) = listed else {
            let of = first.filter(|function| function != NOT).unwrap_or_else(|| OR.to_owned());
            return told.help(format!("give what is in the {kind} one by one, with a `*` in front: `{of}(*…)`"));
        };
        let is_single = function == NOT;
        let call = if is_single { format!("{NOT}({OR}(*…))") } else { format!("{function}(*…)") };
        let text = format!("give what is in the {kind} one by one, with a `*` in front: `{call}`");
        // Behind a star no comma may follow.
        let source = self.calls.sources().get(argument.source);
        let behind = source.text.as_str().and_then(|text| text.get(argument.end as usize..)).unwrap_or_default();
        let edit = match is_last && !is_single && !behind.trim_start().starts_with(',') {
            true => Help { must_mend: true, ..Help::with_edit(text, Span { end: argument.start, ..argument }, "*") },
            false => Help::new(text),
        };
        let is_inside = by.is_some_and(|by| by.holds(argument));
        let place = Label { span: argument, text: format!("this is a {kind}, and is taken for one matcher") };
        let set = set.map(|(span, text)| Label { span, text });
        let mut told = told;
        let parts = told.parts_mut();
        match (is_inside, is_sure) {
            (true, true) => parts.labels.extend(set),
            (false, true) => {
                parts.labels.insert(0, place);
                parts.labels.extend(set);
            }
            (_, false) => {
                let labels = (!is_inside).then_some(place).into_iter().collect();
                parts.helps.push(Help { labels, ..edit });
                return told;
            }
        }
        parts.helps.push(edit);
        told
    }

    /// What is given to the functions that combine matchers, in code that makes one.
    fn combined(&self, code: Span) -> Found {
        let sources = self.calls.sources();
        let (mut open, mut found) = (vec![code], Found::default());
        for _ in 0..MOST {
            let Some(code) = open.pop() else { return found };
            let callee = written::callee(sources, code).and_then(|callee| self.written(callee));
            let Some(function) = callee.filter(|callee| COMBINING.contains(&callee.as_str())) else {
                if let Look::Matcher(below) = self.look(code) {
                    open.extend(below.into_iter().filter(|below| *below != code));
                }
                continue;
            };
            let arguments: Vec<Span> =
                written::call(sources, code).unwrap_or_default().iter().map(|argument| argument.value).collect();
            for argument in arguments.iter().copied() {
                let is_last = arguments.last() == Some(&argument);
                let listed = |set| Listed { argument, function: function.clone(), set, is_last };
                match self.look(argument) {
                    Look::List(set) => found.lists.push(listed(set)),
                    Look::Matcher(below) => open.extend(below),
                    Look::Open => found.open.push(listed(None)),
                }
            }
        }
        Found::default()
    }

    fn look(&self, code: Span) -> Look {
        let sources = self.calls.sources();
        let text = self.written(code).unwrap_or_default();
        if text.starts_with('*') {
            return Look::Matcher(Vec::new());
        }
        if self.is_list(code) {
            return Look::List(None);
        }
        if text.starts_with("overlay.") || text.starts_with("lambda ") {
            let combines = COMBINING.iter().any(|function| text.starts_with(function));
            return Look::Matcher(if combines { vec![code] } else { Vec::new() });
        }
        if let Some(callee) = written::callee(sources, code) {
            let Some(returned) = self.returned_by(callee) else { return Look::Open };
            let name = self.written(callee).unwrap_or_default();
            return match returned[..] {
                [one] if self.is_list(one) => Look::List(Some((one, format!("`{name}` gives this list")))),
                _ => Look::Matcher(returned),
            };
        }
        let is_once =
            || FileCode::read(&sources.get(code.source), code.source)?.is_bound_once(code, &text).then_some(());
        match junction::bound(sources, code) {
            Some((name, Binder::Value(value))) if is_once().is_some() => match self.look(value) {
                Look::List(None) => Look::List(Some((name, format!("`{text}` is set to a list here")))),
                other => other,
            },
            Some((_, Binder::Def)) => Look::Matcher(Vec::new()),
            _ => Look::Open,
        }
    }

    /// Is it a list or tuple that is written out, or a comprehension?
    fn is_list(&self, code: Span) -> bool {
        let sources = self.calls.sources();
        written::element(sources, code).is_some() && self.written(code).is_some_and(|text| text.starts_with('['))
            || !written::elements(sources, code).is_empty()
    }

    /// What a function of the project returns that has this name whatever runs.
    pub(super) fn returned_by(&self, callee: Span) -> Option<Vec<Span>> {
        let sources = self.calls.sources();
        let (_, binder) = junction::bound(sources, callee)?;
        matches!(binder, Binder::Load | Binder::Def).then_some(())?;
        let (file, own) = self.home(callee.source, &self.written(callee)?)?;
        let code = FileCode::read(&sources.get(file), file)?;
        code.is_function(&own).then(|| code.function_of(&own, false)).flatten().map(|function| function.returned)
    }
}
