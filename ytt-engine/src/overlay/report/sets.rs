//! `overlay.apply` of a set of documents and a value: a function of one side begins a document, that of the other does not.

use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::overlay::annotation::MATCH;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::Span;
use crate::template::{outline, word, written};
use crate::yaml::words::{article, kind_name};
use crate::yaml::{Arena, Body, NodeId, Val};

impl Scene<'_> {
    /// Says which side is a set of documents, and how both become the same.
    ///
    /// # Errors
    ///
    /// The problem as it was: it is another one.
    pub(super) fn set_and_value(
        &self,
        diagnostic: Diagnostic,
        left: Val,
        right: NodeId,
    ) -> Result<Diagnostic, Diagnostic> {
        let arena = self.arena();
        let Val::Node(left) = left else { return Err(diagnostic) };
        let is_set = |node| matches!(arena.get(node).body, Body::Set(_));
        if !self.trail.is_empty() || is_set(left) == is_set(right) {
            return Err(diagnostic);
        }
        let (set, value) = if is_set(right) { (right, left) } else { (left, right) };
        let documents = arena.items(set);
        let Some(document) = documents.first().copied() else { return Err(diagnostic) };
        let kind = kind_name(&arena, Val::Node(value));
        let kind = format!("{} {kind}", article(kind));
        let begins = match set == right {
            true => format!("the overlay is a set of documents, since a document begins here; {kind} is to be changed"),
            false => {
                format!("a set of documents is to be changed, since a document begins here; the overlay is {kind}")
            }
        };
        // The call is the place to look at first.
        let call = self.calls.place().filter(|place| self.written(*place).is_some_and(|code| code.contains("apply(")));
        let mut told = diagnostic.label_at(call, "applied here").label_at(arena.span_of(document), begins);
        let first = arena.items(value).first().and_then(|first| self.mark(&arena, *first));
        told = told.label_at(first, format!("{kind}, no document"));
        let argument = self.argument_with(&arena, document, set == left);
        if documents.len() > 1 && set == right {
            let name = argument.map_or("F".to_owned(), |(_, name)| name);
            let help = format!("apply each of its {} documents alone: `{name}(…)[0], {name}(…)[1]`", documents.len());
            return Ok(told.help(help));
        }
        let first_of = argument.as_ref().filter(|_| documents.len() == 1);
        let first_of = first_of.map(|(span, name)| (Span { start: span.end, ..*span }, format!("{name}(…)[0]")));
        let start = self.document_start(&arena, document).filter(|_| documents.len() == 1);
        let away = match &argument {
            Some((_, name)) => format!("take the start of the document out of `{name}`, which then gives {kind}"),
            None => format!("take the start of the document out of the function, which then gives {kind}"),
        };
        let own = argument.as_ref().is_some_and(|(_, name)| self.is_called_again(name));
        let at = told.parts().helps.len();
        told = match start {
            Some(lines) => told.help_edit(away, lines, "").if_it_mends(),
            None if documents.len() == 1 => told.help(away),
            None => told,
        };
        if let Some((end, name)) = first_of {
            told = told.help_edit(format!("give its document alone: `{name}`"), end, "[0]").if_it_mends();
            // Other calls may need the document.
            if let Some(both) = told.parts_mut().helps.get_mut(at..).filter(|_| own) {
                both.reverse();
            }
        }
        // What is to be changed may have to stay a set.
        let begins = if set == left { self.begin_document(&arena, set, value) } else { Vec::new() };
        let is_only = begins.len() == 1;
        Ok(begins.into_iter().fold(told, |told, (what, span, new)| {
            let told = told.help_edit(format!("begin a document in the overlay, too{what}"), span, new).if_it_mends();
            if is_only { told } else { told.guessing() }
        }))
    }

    /// The edit that begins a document above a map that stands alone in its function: one for all of a set or for those that
    /// have what it changes, or one for each kind that may be meant, with what is said of it.
    fn begin_document(&self, arena: &Arena, set: NodeId, map: NodeId) -> Vec<(String, Span, String)> {
        let place = || {
            let first = *arena.items(map).first()?;
            let (start, indent) = self.line_start(first)?;
            let source = self.calls.sources().get(start.source);
            outline::brought(&source, start.source, "overlay")?;
            // Its own annotations stay above the key.
            let at = self.lines_of(arena, first)?.start;
            indent.is_empty().then_some(Span { start: at, end: at, ..start })
        };
        let Some(place) = place() else { return Vec::new() };
        // A matcher above a key that does not say which key it is for is that of a document.
        let below = arena.items(map).first().and_then(|first| {
            let matcher = arena.ann(*first, MATCH)?;
            let (key, _) = self.line_start(*first)?;
            arena.place(matcher.pos).filter(|place| place.value().start < place.value().end).map(|_| key)
        });
        if let Some(key) = below {
            return vec![(", below its matcher".to_owned(), key, "---\n".to_owned())];
        }
        let matchers = self.matchers_of(arena, set, map).into_iter();
        matchers.map(|(what, by)| (what, place, format!("#@{MATCH} {by}\n---\n"))).collect()
    }

    /// What takes the documents of a set that have all that a map changes; of several kinds nobody knows which one is meant.
    fn matchers_of(&self, arena: &Arena, set: NodeId, map: NodeId) -> Vec<(String, String)> {
        const KINDS: usize = 3;
        let documents = arena.items(set);
        let fits = |document: &&NodeId| self.has_all(arena, arena.value(**document), Val::Node(map), 0);
        let fitting: Vec<NodeId> = documents.iter().filter(fits).copied().collect();
        let meant = if fitting.is_empty() { documents } else { &fitting[..] };
        let kind = |document: &NodeId| {
            let map = arena.map_of(arena.value(*document))?;
            arena.str(arena.value(arena.find_str(map, "kind")?))
        };
        let several = |count: usize| if count > 1 { ", expects=\"1+\"" } else { "" };
        let mut kinds: Vec<(Option<&str>, usize)> = Vec::new();
        for own in meant.iter().map(kind) {
            match kinds.iter_mut().find(|(known, _)| *known == own) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => kinds.push((own, 1)),
            }
        }
        if kinds.len() == 1 && meant.len() == documents.len() {
            return vec![(String::new(), format!("by=overlay.all{}", several(meant.len())))];
        }
        let others = || documents.iter().filter(|document| !meant.contains(document));
        let is_one_word = |(own, _): &(Option<&str>, usize)| own.is_some() && others().all(|other| kind(other) != *own);
        if kinds.len() > KINDS || !kinds.iter().all(is_one_word) {
            return Vec::new();
        }
        let of_kind = |(own, count): (Option<&str>, usize)| {
            let own = own?;
            let by = format!("by=overlay.subset({{\"kind\": {}}}){}", quoted::starlark(own), several(count));
            Some((format!(", if it is for the {own}"), by))
        };
        kinds.into_iter().filter_map(of_kind).collect()
    }

    /// The argument of the call at hand that calls the function in which a document begins, and the name of that function.
    fn argument_with(&self, arena: &Arena, document: NodeId, is_first: bool) -> Option<(Span, String)> {
        let place = arena.span_of(document)?;
        let source = self.calls.sources().get(place.source);
        let line = source.line(place.start);
        let name = (1..line).rev().find_map(|line| {
            let text = source.line_text(line);
            let code = text.trim_start().strip_prefix("#@")?.trim_start().strip_prefix("def ")?;
            code.split_once('(').map(|(name, _)| name.trim().to_owned())
        })?;
        let arguments = written::call(self.calls.sources(), self.calls.place()?)?;
        let calls_it = |span: &Span| {
            let code = self.written(*span).unwrap_or_default();
            let called = code.split_once('(').filter(|_| code.ends_with(')')).map(|(called, _)| called.to_owned());
            called.is_some_and(|called| called.rsplit('.').next() == Some(&*name))
        };
        let mut spans = arguments.iter().enumerate().filter(|(at, _)| (*at == 0) == is_first);
        let found = spans.by_ref().map(|(_, argument)| argument.value).filter(calls_it);
        let span = only(found)?;
        Some((span, name))
    }

    /// Does code of the project call a function more than once?
    fn is_called_again(&self, name: &str) -> bool {
        let calls = |text: &str| {
            let is_call = |at: &usize| {
                let (before, rest) = text.split_at(*at);
                rest.strip_prefix(name).is_some_and(|behind| behind.starts_with('(')) && !before.ends_with("def ")
            };
            word::whole(text, name).filter(is_call).take(2).count()
        };
        let sources = self.calls.sources().all();
        sources.iter().filter_map(|source| source.text.as_str()).map(calls).sum::<usize>() > 1
    }

    /// The lines that begin a document, if nothing but a matcher is on them.
    fn document_start(&self, arena: &Arena, document: NodeId) -> Option<Span> {
        let dashes = arena.span_of(document)?;
        let starts = arena.anns_of(document).iter().map(|ann| arena.place(ann.pos).map(|place| place.key().start));
        let start = starts.collect::<Option<Vec<u32>>>()?.into_iter().fold(dashes.start, u32::min);
        let source = self.calls.sources().get(dashes.source);
        let lines = source.whole_lines(Span { start, ..dashes })?;
        let matcher = format!("#@{MATCH} ");
        let is_plain = |line: &str| {
            let line = line.trim();
            line == "---" || line.is_empty() || line.starts_with(&matcher)
        };
        source.written(lines)?.lines().all(is_plain).then_some(lines)
    }
}
