//! Resources that are no documents: items of a `kind: List`, as a cluster gives them; and documents that are no resources:
//! what other tools keep beside them in files of known names.

use super::cause::{Cause, is_like};
use super::words::{key_text, scalar_text};
use crate::diag::{Advice, Label};
use crate::nearest::only;
use crate::overlay::annotation::{MATCH, RightKind};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::quoted;
use crate::source::{Span, indented};
use crate::template::outline;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Documents, and items of one list, that are looked through.
const MOST: usize = 1_000;
/// Files of other tools, without what follows the last dot.
const OF_TOOLS: [(&str, &str); 4] =
    [("kustomization", "kustomize"), ("Chart", "Helm"), ("skaffold", "Skaffold"), ("docker-compose", "Docker Compose")];

impl Scene<'_> {
    /// What a matcher of documents asks for is an item of a document that lists resources.
    pub(super) fn packed(&self, unmet: &Unmet) -> Option<Cause> {
        if unmet.kind != RightKind::Document || unmet.test.is_none() {
            return None;
        }
        let arena = self.arena();
        let documents = unmet.lefts.iter().flat_map(|set| arena.items(*set)).copied().take(MOST);
        let found = documents.filter_map(|document| {
            let items = arena.find_str(arena.map_of(arena.value(document))?, "items")?;
            let Val::Node(list) = arena.value(items) else { return None };
            matches!(arena.get(list).body, Body::Array(_)).then_some(())?;
            let is_it = |item: &NodeId| is_like(&arena, *item, unmet.right, &unmet.test);
            let number = arena.items(list).iter().take(MOST).position(is_it)?;
            Some((document, items, number, arena.item_at(list, number)?))
        });
        let (document, items, number, item) = only(found)?;
        let kind = arena.map_of(arena.value(document)).and_then(|map| arena.find_str(map, "kind"));
        let called = kind.map_or("no resource".to_owned(), |kind| scalar_text(&arena, arena.value(kind)));
        let name = self.document_name(&arena, item);
        let mut cause = Cause {
            instead: self.by_span().map(|span| Label { span, text: "matches documents, not items of them".to_owned() }),
            ..Cause::default()
        };
        cause.labels.push((
            self.mark_left(&arena, kind.unwrap_or(document)),
            format!("this document is {called}: its resources are items, not documents"),
        ));
        cause.labels.push((self.mark(&arena, items), "in this list".to_owned()));
        let inner = arena.map_of(arena.value(item)).and_then(|map| arena.find_str(map, "kind")).unwrap_or(item);
        cause.labels.push((self.mark_left(&arena, inner), format!("{name} is here, `items[{number}]`")));
        let edit = kind.and_then(|kind| self.for_items(&arena, unmet.right, kind));
        let text = match kind {
            Some(_) => format!("match the {called}, and the resource as an item of its `items`"),
            None => "match that document, and the resource as an item of its `items`".to_owned(),
        };
        cause.helps.push((text, edit));
        cause.helps.push(("or write each resource as a document of its own, with `---` between them".to_owned(), None));
        Some(cause.guessing(false))
    }

    /// The edit that makes of an overlay for a document one for an item of a document of this kind.
    fn for_items(&self, arena: &Arena, right: NodeId, kind: NodeId) -> Option<(Span, String)> {
        let by = self.by_span()?;
        let source = self.calls.sources().get(by.source);
        outline::brought(&source, by.source, "overlay")?;
        let code = source.written(by)?.to_owned();
        // Other arguments may speak of numbers.
        let annotation = self.whole_annotation(arena, arena.ann(right, MATCH)?)?;
        (source.written(annotation)? == format!("#@{MATCH} {code}")).then_some(())?;
        let body = arena.map_of(arena.value(right))?;
        let (first, last) = (arena.items(body).first()?, arena.items(body).last()?);
        // What is said of the first key would be said of the item.
        arena.anns_of(*first).is_empty().then_some(())?;
        let (start, indent) = self.line_start(*first)?;
        let end = self.lines_of(arena, *last)?.end;
        let lines = source.written(Span { end, ..start })?;
        let between = source.written(Span { start: annotation.end, end: start.start, ..start })?;
        let lines = indented(&format!("{indent}{lines}"), 0, 2)?;
        let own = lines.strip_prefix("  ").map(|lines| lines.strip_prefix(&indent).unwrap_or(lines))?;
        let kind = quoted::starlark(&key_text(arena, arena.value(kind)));
        let new = format!(
            "#@{MATCH} by=overlay.subset({{\"kind\": {kind}}}){between}items:\n{indent}#@{MATCH} {code}\n{indent}- {own}"
        );
        let new = if lines.ends_with('\n') && !source.written(Span { end, ..start })?.ends_with('\n') {
            new.trim_end().to_owned()
        } else {
            new
        };
        Some((Span { end, ..annotation }, new))
    }

    /// The one document without the key that all others of an overlay have is no resource: a file of another tool, or one
    /// without any kind among others that have one.
    pub(super) fn no_resource(&self, unmet: &Unmet) -> Option<Cause> {
        let arena = self.arena();
        let [document, _] = self.trail else { return None };
        let matched = document.matched?.item;
        if unmet.kind != RightKind::MapItem || unmet.rule.by.is_some() {
            return None;
        }
        let place = arena.span_of(matched)?;
        let source = self.calls.sources().get(place.source);
        let file = source.name.rsplit('/').next()?;
        let (stem, ending) = file.rsplit_once('.')?;
        let known = OF_TOOLS.iter().find(|(known, _)| *known == stem && matches!(ending, "yml" | "yaml"));
        let map_of = |document: NodeId| arena.map_of(arena.value(document));
        let has = |document: NodeId, name| map_of(document).is_some_and(|map| arena.find_str(map, name).is_some());
        let key = arena.key(unmet.right);
        let has_key = |other: NodeId| map_of(other).is_some_and(|map| arena.find(map, key).is_some());
        let others = || document.found.iter().copied().filter(|other| *other != matched).take(MOST);
        (others().next().is_some() && others().all(has_key)).then_some(())?;
        let has_neither = !has(matched, "kind") && !has(matched, "apiVersion");
        (known.is_some() || has_neither && others().all(|other| has(other, "kind"))).then_some(())?;
        let kind = map_of(matched).and_then(|map| arena.find_str(map, "kind").or_else(|| arena.item_at(map, 0)));
        let what = known.map_or("without a `kind`, so".to_owned(), |(_, tool)| format!("a file of {tool},"));
        let key = key_text(&arena, key);
        let text = format!("{what} no resource: all other documents that are matched have `{key}`");
        let cause = Cause::new(self.mark_left(&arena, kind.unwrap_or(matched)), text);
        let all = self.sets.iter().flat_map(|set| arena.items(*set)).take(MOST);
        let is_alone =
            all.filter(|other| arena.span_of(**other).map(|span| span.source) == Some(place.source)).count() < 2;
        Some(match is_alone {
            true => Cause { advice: Some(Advice::LeaveOut(source.name.to_string())), ..cause },
            false => cause.help("delete that document, or move it to a file that is not given", None),
        })
    }

    /// Whether another matched document has the right item, and lacks a key below it that `owner` sets.
    pub(super) fn is_needed_elsewhere(&self, right: NodeId, owner: NodeId) -> bool {
        let Some((document, inner)) = self.trail.split_first() else { return false };
        let arena = self.arena();
        let there = |start: NodeId| {
            inner.iter().map(|step| step.node).try_fold(arena.value(start), |value, node| {
                matches!(arena.get(node).body, Body::MapItem(..)).then_some(())?;
                Some(arena.value(arena.find(arena.map_of(value)?, arena.key(node))?))
            })
        };
        let is_inside = arena.map_of(arena.value(right)).is_some_and(|map| arena.items(map).contains(&owner));
        is_inside
            && document
                .found
                .iter()
                .take(MOST)
                .filter_map(|other| arena.map_of(there(*other)?))
                .any(|map| arena.find(map, arena.key(owner)).is_none())
    }
}
