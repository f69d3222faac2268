//! Functions that take another number of values than they are called with: their head, and what to take.

use crate::diag::Diagnostic;
use crate::overlay::engine::Scene;
use crate::source::{Source, SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::snippet::ArgumentRole;
use crate::template::{word, written};
use crate::yaml::{NodeId, Val};

/// Names that people give to the first value of a matcher.
const INDEX: [&str; 6] = ["index", "i", "idx", "key", "k", "_"];

/// What calls a function, and the usual names of the values that it gives.
pub(super) struct Wanted {
    pub(super) by: &'static str,
    pub(super) values: &'static [&'static str],
    /// What is said where the function is not found.
    pub(super) help: &'static str,
}

pub(super) const MATCHER: Wanted = Wanted {
    by: "a matcher",
    values: &["index", "left", "right"],
    help: "take all of them: def NAME(index, left, right): … (for a map item, its key comes first)",
};

pub(super) const VIA: Wanted =
    Wanted { by: "`via`", values: &["left", "right"], help: "take both of them: def NAME(left, right): …" };

pub(super) const EXPECTS: Wanted = Wanted {
    by: "`expects`",
    values: &["found"],
    help: "take the number of matches, and return whether it is right: lambda found: …",
};

/// What a function takes, up to its colon.
struct Head {
    span: Span,
    /// From the first parameter to the last one; where there are none, the place for them.
    list: Span,
    names: Vec<String>,
    /// Are there neither stars nor defaults?
    is_plain: bool,
    /// Those of the parameters that its body reads.
    read: Vec<String>,
    /// From its head to its end.
    whole: Span,
}

/// Files that are looked through for calls.
const LOOKED: usize = 200;

impl Scene<'_> {
    /// Tells of a function that does not take what it is called with.
    pub(super) fn other_number(&self, diagnostic: Diagnostic, argument: Span, wanted: &Wanted) -> Diagnostic {
        let called = format!("{} is called with {}", wanted.by, values(wanted.values.len()));
        let Some(head) = self.head(argument) else {
            let text = format!("{called}; this function takes another number");
            return diagnostic.label(argument, text).help(wanted.help);
        };
        let takes = match head.is_plain {
            true => format!("takes {}", values(head.names.len())),
            false => "takes another number".to_owned(),
        };
        let is_inside =
            head.span.source == argument.source && argument.start <= head.span.start && head.span.end <= argument.end;
        let diagnostic = match is_inside {
            true => diagnostic.label(head.span, format!("{takes}; {called}: {}", wanted.values.join(", "))),
            false => diagnostic
                .label(argument, format!("{called}: {}", wanted.values.join(", ")))
                .label(head.span, format!("this is the function, and it {takes}")),
        };
        let diagnostic = self.refused_too(diagnostic, argument);
        let surplus = surplus(&head.names, wanted.values);
        let surplus: Vec<&str> = surplus.into_iter().filter(|name| head.read.iter().any(|read| read == name)).collect();
        if head.is_plain && !surplus.is_empty() {
            return self.bound_before(diagnostic, argument, wanted, (&head, is_inside), &surplus);
        }
        match head.is_plain.then(|| meant(&head.names, wanted.values)).flatten() {
            Some((names, is_sure)) => {
                let text = match names.len() {
                    1 => "take it",
                    2 => "take both of them",
                    _ => "take all of them",
                };
                let is_bare = head.names.is_empty() && self.written(head.span).is_some_and(|text| text == "lambda:");
                let blank = if is_bare { " " } else { "" };
                if let Some((text, new)) = self.handed_less(argument, &head, wanted).filter(|_| !is_inside) {
                    let place = self.value_in(argument);
                    let told = diagnostic.help_edit(text, place, new);
                    return if is_sure { told } else { told.guessing() };
                }
                let told = diagnostic.help_edit(text, head.list, format!("{blank}{}", names.join(", ")));
                if is_sure { told } else { told.guessing() }
            }
            None => diagnostic.help(wanted.help),
        }
    }

    /// A function with a name that takes less, and that other code calls, too: it stays as it is.
    fn handed_less(&self, argument: Span, head: &Head, wanted: &Wanted) -> Option<(&'static str, String)> {
        let name = self.written(self.value_in(argument))?;
        let name = name.trim();
        let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        (is_name && !head.names.is_empty() && head.names.len() < wanted.values.len()).then_some(())?;
        let (_, own) = self.home(argument.source, name)?;
        // In code, outside of the function itself.
        let is_called = |source: &Source, id: SourceId, name: &str| {
            let text = source.text.as_str().unwrap_or_default();
            let is_code = source.name.ends_with(".star");
            (is_code || text.contains("#@") || text.contains("(@"))
                && word::whole(text, name).any(|at| {
                    let place = Span::new(id, to_u32(at), to_u32(at));
                    let start = source.line_range(source.line(place.start)).start as usize;
                    let before = text.get(start..at).unwrap_or_default();
                    let is_written = match is_code {
                        true => !before.contains('#'),
                        false => before.contains("#@ ") || before.contains("(@"),
                    };
                    let behind = text.get(at.saturating_add(name.len())..).unwrap_or_default();
                    let is_head = before.trim_end().ends_with("def");
                    behind.starts_with('(') && is_written && !is_head && !head.whole.holds(place)
                })
        };
        let sources = self.calls.sources().all();
        let mut all = sources.iter().zip(0..).take(LOOKED).map(|(source, id)| (source, SourceId(id)));
        all.any(|(source, id)| is_called(source, id, &own) || own != name && is_called(source, id, name))
            .then_some(())?;
        let is_usual = head.names.iter().all(|own| wanted.values.contains(&own.as_str()));
        let has_index = head.names.first().is_some_and(|first| INDEX.contains(&first.as_str()));
        let is_new = head.names.len() == 1 && head.names.first().is_some_and(|name| name == "new");
        let given: Vec<&str> = match is_usual {
            true => head.names.iter().map(String::as_str).collect(),
            false if is_new => vec!["right"],
            // What a function of one value changes is the left one; a matcher's index comes before it.
            false => {
                let skipped = usize::from(wanted.values.first() == Some(&"index") && !has_index);
                wanted.values.iter().copied().skip(skipped).take(head.names.len()).collect()
            }
        };
        let text = "other code calls the function as it is: hand it what it takes";
        Some((text, format!("lambda {}: {name}({})", wanted.values.join(", "), given.join(", "))))
    }

    /// A function that works with more than it is called with: what it needs beside has to be given where it is named.
    fn bound_before(
        &self,
        diagnostic: Diagnostic,
        argument: Span,
        wanted: &Wanted,
        (head, is_inside): (&Head, bool),
        surplus: &[&str],
    ) -> Diagnostic {
        let names: Vec<String> = surplus.iter().map(|name| format!("`{name}`")).collect();
        let (names, defaults) = (names.join(" and "), surplus.iter().map(|name| format!("`{name}=…`")));
        let defaults = defaults.collect::<Vec<_>>().join(", ");
        let text = self.written(argument).unwrap_or_default();
        let written = self.written(self.value_in(argument)).unwrap_or_default();
        let Some(keyword) = text.strip_suffix(&*written).filter(|_| !is_inside) else {
            return diagnostic.help(format!("give {names} a default, with which it works: {defaults}"));
        };
        let is_surplus = |name: &String| surplus.contains(&name.as_str());
        let mut values = wanted.values.iter();
        let has_all = wanted.values.iter().all(|value| head.names.iter().any(|name| name == value));
        let given = head.names.iter().map(|name| match is_surplus(name) {
            true => "…",
            // By their own names, where these are the usual ones in whatever order.
            false if has_all => name.as_str(),
            false => values.next().unwrap_or(&"…"),
        });
        let given: Vec<&str> = given.collect();
        let lambda = format!("{keyword}lambda {}: {}({})", wanted.values.join(", "), written.trim(), given.join(", "));
        let does = format!("the function works with {names}, too");
        diagnostic
            .help(format!("{does}: give that at the call, `{lambda}`"))
            .help(format!("or give it a default: {defaults}"))
    }

    /// Marks what else the same file asks of the same function in the same way.
    fn refused_too(&self, diagnostic: Diagnostic, argument: Span) -> Diagnostic {
        const MARKED: usize = 3;
        const MOST: usize = 10_000;
        let Some(text) = self.written(argument).filter(|text| !text.contains("lambda")) else { return diagnostic };
        let Some((name, _)) = text.split_once('=') else { return diagnostic };
        let arena = self.arena();
        let is_here = |node: &NodeId| arena.span_of(*node).is_some_and(|span| span.source == argument.source);
        let mut open: Vec<NodeId> = self.overlays.iter().copied().filter(is_here).collect();
        let (mut found, mut left) = (Vec::new(), MOST);
        while let (Some(node), Some(rest)) = (open.pop(), left.checked_sub(1)) {
            left = rest;
            if let Val::Node(inner) = arena.value(node) {
                open.extend(arena.items(inner));
            }
            let spans = arena.anns_of(node).iter().filter_map(|known| self.argument_span(known.pos, name));
            let same = spans.filter(|span| span.source == argument.source && *span != argument);
            found.extend(same.filter(|span| self.written(*span).as_deref() == Some(&*text)));
        }
        found.sort_unstable_by_key(|span| span.start);
        found.dedup();
        found.into_iter().take(MARKED).fold(diagnostic, |told, span| told.label(span, "the same here"))
    }

    /// The head of the function that an argument of an annotation is, names, or makes by a call.
    fn head(&self, argument: Span) -> Option<Head> {
        let (sources, value) = (self.calls.sources(), self.value_in(argument));
        let text = self.written(value)?;
        if let Some((names, body)) = written::lambda(sources, value) {
            let head = text.get(..body.start.checked_sub(value.start)? as usize)?.trim_end();
            let at = |length: usize| value.start.saturating_add(to_u32(length));
            let span = Span { end: at(head.len()), ..value };
            let behind = Span { start: at("lambda".len()), end: at("lambda".len()), ..value };
            let list = names.first().zip(names.last()).map(|(first, last)| Span { end: last.end, ..*first });
            let names: Vec<String> = names.into_iter().filter_map(|name| self.written(name)).collect();
            // Without brackets around, stars and defaults.
            let is_plain = head == format!("lambda {}:", names.join(", ")) || head == "lambda:";
            let read = written::names(sources, body).into_iter().filter_map(|name| self.written(name)).collect();
            return Some(Head { span, list: list.unwrap_or(behind), names, is_plain, read, whole: value });
        }
        let (name, is_called) = text.split_once('(').map_or((&*text, false), |(name, _)| (name, true));
        let (file, own) = self.home(argument.source, name.trim())?;
        let code = FileCode::read(&sources.get(file), file)?;
        let function = code.function_of(&own, is_called)?;
        let head = self.written(function.head)?;
        let open = match function.name {
            Some(_) => head.find('(')?.saturating_add(1),
            None => "lambda".len(),
        };
        let at = function.head.start.saturating_add(to_u32(open));
        let list = match (function.parameters.first(), function.parameters.last()) {
            (Some(first), Some(last)) => Span { end: last.whole.end, ..first.whole },
            _ => Span { start: at, end: at, ..function.head },
        };
        let is_plain = function.parameters.iter().all(|one| one.role == ArgumentRole::Plain);
        let (body, whole) = (function.head.end, function.whole);
        let names: Vec<String> = function.parameters.into_iter().map(|one| one.name).collect();
        let is_read = |name: &&String| {
            let mut all = code.reads(name).into_iter();
            all.any(|read| body <= read.whole.start && read.whole.end <= whole.end)
        };
        let read = names.iter().filter(is_read).cloned().collect();
        Some(Head { span: function.head, list, names, is_plain, read, whole })
    }
}

/// The parameters of a function that nothing is given for: those that have no usual name, of others the last ones.
fn surplus<'n>(own: &'n [String], values: &[&str]) -> Vec<&'n str> {
    let is_usual = |name: &&String| values.contains(&name.as_str());
    match own.iter().filter(is_usual).count() == values.len() {
        true => own.iter().filter(|name| !is_usual(name)).map(String::as_str).collect(),
        false => own.iter().skip(values.len()).map(String::as_str).collect(),
    }
}

/// The parameters that a function should have, and whether that is sure: those that it has may be other values than the
/// first ones.
fn meant(own: &[String], values: &[&str]) -> Option<(Vec<String>, bool)> {
    let usual = || values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
    let is_usual = |name: &String| values.contains(&name.as_str());
    if own.len() > values.len() {
        let kept: Vec<&String> = own.iter().filter(|name| is_usual(name)).collect();
        return (kept == usual().iter().collect::<Vec<_>>()).then(|| (usual(), true));
    }
    let places: Option<Vec<usize>> = own.iter().map(|name| values.iter().position(|value| value == name)).collect();
    if places.is_some_and(|places| places.is_sorted_by(|place, next| place < next)) {
        return Some((usual(), true));
    }
    // A matcher that takes less was written without the index.
    let has_index = own.first().is_some_and(|first| INDEX.contains(&first.as_str()));
    let skipped = usize::from(values.first() == Some(&"index") && !has_index);
    let mut names = usual();
    names.get_mut(skipped..)?.get_mut(..own.len())?.clone_from_slice(own);
    let is_once = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    names.iter().all(is_once).then_some((names, false))
}

fn values(count: usize) -> String {
    match count {
        0 => "no value".to_owned(),
        1 => "1 value".to_owned(),
        count => format!("{count} values"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_completed() {
        let meant = |own: &str, values: &[&str]| {
            let own: Vec<String> = own.split(' ').filter(|name| !name.is_empty()).map(str::to_owned).collect();
            meant(&own, values).map(|(names, is_sure)| (names.join(" "), is_sure))
        };
        let some = |names: &str, is_sure| Some((names.to_owned(), is_sure));
        for (own, wanted, expected) in [
            ("left", &VIA, some("left right", true)),
            ("right", &VIA, some("left right", true)),
            ("x", &VIA, some("x right", false)),
            ("", &VIA, some("left right", true)),
            ("index left right", &VIA, some("left right", true)),
            ("a b c", &VIA, None),
            ("left right", &MATCHER, some("index left right", true)),
            ("a b", &MATCHER, some("index a b", false)),
            ("i item", &MATCHER, some("i item right", false)),
            ("x", &MATCHER, some("index x right", false)),
            ("", &EXPECTS, some("found", true)),
        ] {
            assert_eq!(meant(own, wanted.values), expected, "{own}");
        }
    }
}
