//! Problems of values: other kinds, assertions that fail, what cannot be placed.

use super::SHOWN;
use super::left::path_in;
use super::nearest::COMPARISONS;
use super::words::{difference_text, kind_in_words, scalar_text, step_text};
use crate::diag::{Code, Diagnostic, Fact};
use crate::overlay::annotation::{Argument, MATCH, Operation, RightKind};
use crate::overlay::compare::{Difference, Why, key_value, leaf};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Verdict;
use crate::overlay::rules;
use crate::quoted;
use crate::source::Span;
use crate::template::loading::with_load;
use crate::template::{outline, written};
use crate::yaml::words::{article, kind_name};
use crate::yaml::{Arena, Body, NodeId, Val};

impl Scene<'_> {
    /// A left value of another kind than the right one.
    pub(super) fn other_kind(&self, left: Val, right: NodeId) -> Diagnostic {
        let arena = self.arena();
        let wanted = arena.get(right).body.kind();
        let mut diagnostic = Diagnostic::mismatch(Code::OVERLAY_KIND, wanted, kind_name(&arena, left));
        let item = self.trail.last();
        if item.is_none() && matches!(left, Val::Str { .. } | Val::Bytes(_)) {
            // The call of `overlay.apply` is the place to look at; the right value has its own.
            let first = arena.items(right).first().and_then(|first| arena.span_of(*first));
            return diagnostic.fact(Fact::OverlaidText { wanted, right: first.or_else(|| arena.span_of(right)) });
        }
        drop(arena);
        diagnostic = match self.set_and_value(diagnostic, left, right) {
            Ok(told) => return told,
            Err(diagnostic) => diagnostic,
        };
        let arena = self.arena();
        let wanted = format!("{} {wanted}", article(wanted));
        let is_set = matches!(arena.get(right).body, Body::Set(_));
        let mark = |item| if is_set { arena.span_of(item) } else { self.mark_value(&arena, item) };
        diagnostic = diagnostic.label_at(
            item.and_then(|step| mark(step.node)).or_else(|| arena.span_of(right)),
            format!("the overlay has {wanted} here, so it expects {wanted} to change"),
        );
        let kind = kind_name(&arena, left);
        let value = match left {
            Val::Node(_) | Val::Raw(_) => String::new(),
            left => format!(": {}", scalar_text(&arena, left)),
        };
        let matched = item.and_then(|step| mark(step.matched?.item));
        diagnostic = diagnostic.label_at(matched, format!("{} {kind} is here{value}", article(kind)));
        diagnostic = self.chain(diagnostic);
        if let Some(matched) = item.and_then(|step| step.matched) {
            diagnostic = match self.unrolled(diagnostic, &arena, matched.item) {
                Ok(told) => return told,
                Err(diagnostic) => diagnostic,
            };
        }
        if let Val::Node(left) = left {
            let pairs = self.pairs_as_there(&arena, left, right);
            diagnostic = match (&arena.get(left).body, pairs) {
                (_, Some((text, (span, new)))) => diagnostic.help_edit(text, span, new).if_it_mends(),
                (Body::Array(_), None) => {
                    let named = self.as_named_items(&arena, left, right);
                    match (named, self.as_item(&arena, left, right)) {
                        (Some((span, new)), _) => {
                            let text = "a list is there: write what is to change as items of it, by their names";
                            diagnostic.help_edit(text, span, new).if_it_mends().guessing()
                        }
                        (None, Some((matcher, (span, new)))) => {
                            let text = format!("to change one item, write it as one: `{matcher}`");
                            diagnostic.help_edit(text, span, new).guessing()
                        }
                        (None, None) => {
                            diagnostic.help("to change one item: write it as `- …` below `#@overlay/match by=…`")
                        }
                    }
                }
                (Body::Map(_), None) => diagnostic.help("to change one key: write `key: …` here"),
                _ => diagnostic,
            };
        }
        let given = item.and_then(|step| self.encoded(&arena, left, (step.matched?.item, right)));
        if let Some((module, value, span)) = given {
            let text =
                format!("hand on the value, which an overlay can change; `{module}.encode` makes one text of it");
            diagnostic = diagnostic.help_edit(text, span, value).if_it_mends().guessing();
        }
        if let Some(edit) = item.and_then(|step| self.in_decoded(&arena, left, (step.node, right))) {
            let text = "an overlay does not reach into a text: decode it, change what it says, and encode it again";
            // Comments of the text go, and all of it is written anew.
            let told = diagnostic.help_edit(text, edit.0, edit.1).if_it_mends().guessing();
            return told.help("if all of the text is to go: write `#@overlay/replace` above the key");
        }
        let help = "to replace the old value by the new one: `#@overlay/replace`";
        let is_list = matches!(left, Val::Node(left) if matches!(arena.get(left).body, Body::Array(_)));
        let is_map = matches!(arena.get(right).body, Body::Map(_));
        match item.and_then(|step| self.line_start(step.node)) {
            // A map in the place of a list is hardly ever meant: nobody is shown an edit that drops all items.
            // Behind the edit that keeps them it is no choice.
            Some(_) if is_list && is_map => {
                let is_edited = diagnostic.parts().helps.iter().any(|help| help.edit.is_some());
                if is_edited { diagnostic } else { diagnostic.help(help) }
            }
            Some((span, indent)) => {
                diagnostic.help_edit(help, span, format!("#@overlay/replace\n{indent}")).silencing()
            }
            None => diagnostic,
        }
    }

    /// The code that makes a text of a value where a map or list is to be changed: the module, the value and the place of all.
    /// What a ConfigMap or a Secret has in it has to be a text.
    fn encoded(&self, arena: &Arena, left: Val, (item, right): (NodeId, NodeId)) -> Option<(String, String, Span)> {
        const ENCODING: [&str; 3] = ["yaml", "json", "toml"];
        const OF_TEXTS: [&str; 2] = ["ConfigMap", "Secret"];
        arena.str(left)?;
        if !matches!(arena.get(right).body, Body::Map(_) | Body::Array(_)) {
            return None;
        }
        let document = self.trail.first()?.matched?.item;
        let kind = arena.map_of(arena.value(document)).and_then(|map| arena.find_str(map, "kind"));
        let kind = kind.and_then(|kind| arena.str(arena.value(kind)));
        if kind.is_some_and(|kind| OF_TEXTS.contains(&kind)) {
            return None;
        }
        // So has what stands in annotations, and the value of a variable.
        let around = self.trail.iter().rev().skip(1).find_map(|step| arena.str(arena.key(step.node)));
        if around.is_some_and(|key| ["annotations", "labels"].contains(&key))
            || arena.str(arena.key(item)) == Some("value")
        {
            return None;
        }
        let (sources, code) = (self.calls.sources(), arena.place_of(item)?.code(self.calls.sources())?);
        let callee = self.written(written::callee(sources, code)?)?;
        let module = callee.strip_suffix(".encode").filter(|module| ENCODING.contains(module))?;
        let given = written::call(sources, code)?;
        let value = given.first().filter(|one| one.name.is_none())?.value;
        Some((module.to_owned(), self.written(value)?, code))
    }

    /// The edit of an item that has a map or list where the left one has this as YAML in a text.
    fn in_decoded(&self, arena: &Arena, left: Val, (item, right): (NodeId, NodeId)) -> Option<(Span, String)> {
        let mut lines = arena.str(left)?.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let first = lines.next().filter(|first| *first != "---").or_else(|| lines.next())?;
        let is_it = match arena.get(right).body {
            Body::Map(_) => !first.starts_with(['{', '[', '-']) && (first.ends_with(':') || first.contains(": ")),
            Body::Array(_) => first.starts_with("- "),
            _ => false,
        };
        let (span, indent) = self.line_start(item).filter(|_| is_it)?;
        let source = self.calls.sources().get(span.source);
        outline::brought(&source, span.source, "overlay")?;
        let replace = "#@overlay/replace via=lambda left, right: yaml.encode(overlay.apply(yaml.decode(left), right))";
        with_load(&source, ("@ytt:yaml", "yaml"), span, format!("{replace}\n{indent}"))
    }

    /// A document by the first item of its value, which is a map or a list; others as they are.
    fn mark_value(&self, arena: &Arena, item: NodeId) -> Option<Span> {
        let first = match (&arena.get(item).body, arena.value(item)) {
            (Body::Doc(_), Val::Node(container)) => arena.item_at(container, 0),
            _ => None,
        };
        let own = arena.span_of(item);
        let mark = first.and_then(|first| self.mark(arena, first));
        // What code made stands elsewhere.
        mark.filter(|mark| own.is_some_and(|own| own.source == mark.source)).or(own)
    }

    /// A right map as the item of a list: the matcher that finds which one, and the edit that writes both.
    fn as_item(&self, arena: &Arena, list: NodeId, map: NodeId) -> Option<(String, (Span, String))> {
        let (Body::Array(_), Body::Map(_)) = (&arena.get(list).body, &arena.get(map).body) else { return None };
        let entries = arena.items(map);
        let finds = |own: &&NodeId| {
            let has_it = |item: &&NodeId| {
                let there = key_value(arena, arena.value(**item), arena.key(**own));
                there.is_ok_and(|there| leaf(arena, there, arena.value(**own)))
            };
            arena.items(list).iter().take(COMPARISONS).filter(has_it).count() == 1
        };
        let key = entries.iter().take(SHOWN).find(finds).and_then(|own| arena.str(arena.key(*own)));
        let matcher = match key {
            Some(key) => format!("#@{MATCH} by={}", quoted::starlark(key)),
            None => match arena.items(list) {
                [only] if is_map(arena, arena.value(*only)) => format!("#@{MATCH} by=overlay.index(0)"),
                _ => return None,
            },
        };
        let (first, last) = (self.lines_of(arena, *entries.first()?)?, self.lines_of(arena, *entries.last()?)?);
        let source = self.calls.sources().get(first.source);
        if key.is_none() && outline::brought(&source, first.source, "overlay").is_none() {
            return None;
        }
        let span = Span { end: last.end, ..first };
        let (_, indent) = self.line_start(*entries.first()?)?;
        let outer = indent.strip_prefix("  ")?;
        let mut new = format!("{outer}{matcher}\n");
        for (number, line) in self.written(span)?.lines().enumerate() {
            let rest = line.strip_prefix(&*indent).filter(|rest| number > 0 || !rest.starts_with('#'))?;
            new.push_str(&format!("{outer}{}{rest}\n", if number == 0 { "- " } else { "  " }));
        }
        Some((matcher, (span, new)))
    }

    /// An assertion whose value is no part of the left one.
    pub(super) fn no_part(&self, item: NodeId, right: NodeId, difference: &Difference) -> Diagnostic {
        let arena = &*self.arena();
        let text = format!("Expected objects to equal, but did not: {}", difference_text(arena, difference));
        let mut diagnostic = Diagnostic::error(Code::OVERLAY_ASSERT, text);
        let right_item = difference.path.first().copied().unwrap_or(right);
        let mut path = Vec::new();
        let mut around = arena.value(right);
        for &item in difference.path.iter().rev() {
            path.push(match (around, &arena.get(item).body) {
                (Val::Node(array), Body::ArrayItem(_)) => {
                    let at = arena.items(array).iter().position(|known| *known == item);
                    at.map_or("[]".to_string(), |at| format!("[{at}]"))
                }
                _ => step_text(arena, item),
            });
            around = arena.value(item);
        }
        let (document, inside) = self.left_path(self.trail.iter().filter_map(|step| step.matched));
        let expected = match difference.why {
            Why::Key => format!("asserts this key, which is not in {}", path_in(document.as_ref(), &inside)),
            Why::Length => "asserts this item, but the array there has fewer items".to_string(),
            Why::Collection { map } => format!("asserts {}", if map { "a map" } else { "an array" }),
            Why::Leaf => format!("asserts {}", scalar_text(arena, difference.right)),
        };
        let left_item = difference.left_item.unwrap_or(item);
        // Where two values differ they are shown, not their keys.
        let values = (difference.why == Why::Leaf).then(|| self.value_span(arena, right_item));
        diagnostic = diagnostic.label_at(values.flatten().or_else(|| self.mark(arena, right_item)), expected);
        let value = values.and_then(|_| self.value_span(arena, left_item)).or_else(|| self.mark(arena, left_item));
        let here = scalar_text(arena, arena.value(left_item));
        diagnostic = diagnostic.label_at(value, format!("here it is {here}"));
        if !path.is_empty() && difference.why != Why::Key {
            let path = inside + &path.concat();
            let place = path_in(document.as_ref(), path.trim_start_matches('.'));
            diagnostic = diagnostic.note(format!("the first difference is at {place}"));
        }
        if difference.why == Why::Key {
            diagnostic = diagnostic.help("add the key there, or remove it from the assertion");
        }
        self.chain(diagnostic)
    }

    /// Where a scalar value of one line is written.
    fn value_span(&self, arena: &Arena, item: NodeId) -> Option<Span> {
        let place = arena.place_of(item).filter(|place| place.value < place.end)?;
        let is_scalar = !matches!(arena.value(item), Val::Node(_) | Val::Raw(_));
        let written = self.written(place.value())?;
        (is_scalar && !written.contains('\n')).then(|| place.value())
    }

    /// An assertion whose function did not agree.
    pub(super) fn refused(&self, item: NodeId, via: Argument, verdict: Verdict) -> Diagnostic {
        let failed = "returned False".to_string();
        let (text, label) = match &verdict {
            Verdict::False => ("Expected via invocation to return true, but was false".to_string(), failed),
            Verdict::FalseWith(message) => {
                (format!("Expected via invocation to return true, but was false with message: {message}"), failed)
            }
            Verdict::Unknown(kind) => (
                "Expected via invocation to return NoneType, Bool or Tuple(Bool,String), but returned neither of those"
                    .to_string(),
                format!(
                    "returned {}; it may return True, False, None, or a tuple such as (False, \"why\")",
                    kind_in_words(kind)
                ),
            ),
        };
        let span = self.argument_span(via.pos, "via");
        let diagnostic = Diagnostic::error(Code::OVERLAY_ASSERT, text).label_at(span, label);
        let diagnostic = match verdict {
            Verdict::Unknown(_) => diagnostic,
            _ => self.decided(diagnostic, span, item, "False"),
        };
        let arena = self.arena();
        let here = format!("here it is {}", scalar_text(&arena, arena.value(item)));
        self.chain(diagnostic.label_at(self.mark_left(&arena, item), here))
    }

    /// An overlay that adds a document where there is no file to add it to.
    pub(super) fn no_document(&self, node: NodeId) -> Diagnostic {
        let text = "Expected at least one document to overlay, but found none";
        let diagnostic = Diagnostic::error(Code::OVERLAY_NO_DOCUMENT, text);
        let span = self.arena().span_of(node);
        diagnostic
            .label_at(span, "there is nothing that this document could be added to")
            .help("give a file with a document to change; or, to print this one as it is, remove its annotations")
    }

    /// All data values were removed by the document `right`.
    pub(in crate::overlay) fn nothing_left(&self, right: NodeId) -> Diagnostic {
        let text = "Expected data values to have one document after overlaying, but found none";
        let problem = Diagnostic::error(Code::OVERLAY_NO_DOCUMENT, text);
        match self.annotation_span(right, Operation::Remove.name()) {
            Some(span) => problem
                .label(span, "this removes all data values given so far")
                .help("remove the annotation; to remove single values, write `#@overlay/remove` above their keys"),
            None => problem.at(self.arena().span_of(right)),
        }
    }

    /// A value of `via=` that an item of that kind cannot hold.
    pub(super) fn not_placeable(&self, item: RightKind, value: &str) -> Diagnostic {
        let what = match item {
            RightKind::Document => "documents can only contain arrays, maps, or scalars",
            RightKind::MapItem => "map items can only contain arrays, maps, or scalars",
            RightKind::ArrayItem => "array items can only contain maps, arrays, or scalars",
        };
        let told = Diagnostic::error(Code::OVERLAY_VALUE, format!("{what}; this is a {value}"));
        told.label_at(self.via_span(), format!("the function gave a {value}"))
    }

    /// The value of `via=` of the operation of the item that is placed.
    pub(super) fn via_span(&self) -> Option<Span> {
        let node = self.trail.last()?.node;
        let operation = rules::operation(&*self.calls, node).ok()?.name();
        let pos = self.arena().ann(node, operation)?.pos;
        self.argument_span(pos, "via")
    }
}

fn is_map(arena: &Arena, value: Val) -> bool {
    matches!(value, Val::Node(map) if matches!(arena.get(map).body, Body::Map(_)))
}
