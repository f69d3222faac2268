//! Problems of annotations: operations that do not fit, arguments that are unknown, wrong or too many.

use super::words::{host_kind, kind_in_words};
use crate::call::Seen;
use crate::diag::{Code, Diagnostic, suggest};
use crate::overlay::annotation::{Argument, CHILD_DEFAULTS, MATCH, Operation, RightKind};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Wanted;
use crate::quoted;
use crate::source::Span;
use crate::template::{given, is_literal, outline};
use crate::yaml::{Annotation, Body, NodeId, Raw, Val};

impl Scene<'_> {
    /// Several operations at one item.
    pub(super) fn several_operations(&self, node: NodeId) -> Diagnostic {
        let arena = self.arena();
        let mut diagnostic = Diagnostic::error(Code::OVERLAY_PLACE, "Expected to find only one overlay operation");
        let is_operation = |name: &str| Operation::ALL.iter().any(|operation| operation.name() == name);
        let operations = arena.anns_of(node).iter().filter(|annotation| is_operation(&annotation.name));
        for (annotation, number) in operations.zip(["first", "second"].into_iter().chain(std::iter::repeat("another")))
        {
            let span = arena.place(annotation.pos).map(|place| place.key());
            diagnostic = diagnostic.label_at(span, format!("{number} operation"));
        }
        diagnostic.help("keep one of them, and remove the other")
    }

    /// A map has no order to insert into.
    pub(super) fn no_order(&self, node: NodeId, operation: Operation) -> Diagnostic {
        let name = operation.name();
        let line = self.line(node);
        let text = format!("Found @{name} on map item ({line}); only array items can be annotated with @{name}");
        let diagnostic = Diagnostic::error(Code::OVERLAY_PLACE, text);
        if let Some(told) = self.appends_by_itself(&diagnostic, node, operation) {
            return told;
        }
        let help = "maps have no order to insert into: a new key goes to the end";
        let new = format!("#@{MATCH} missing_ok=True");
        match self.annotation_end(node, name) {
            Some((span, end)) if self.arena().ann(node, MATCH).is_none() => {
                let whole = Span::new(span.source, span.start, end.start);
                diagnostic.label(span, "not for the keys of a map").help_edit(help, whole, new)
            }
            place => self.adds_already(diagnostic.at(place.map(|(span, _)| span)), node, name, help, &new),
        }
    }

    /// An operation above the key of a map beside a match: where that adds the key already, the operation goes.
    fn adds_already(&self, told: Diagnostic, node: NodeId, name: &str, help: &str, new: &str) -> Diagnostic {
        let arena = self.arena();
        let is_true = |annotation: &Annotation| {
            let named = &self.calls.args(annotation.args).named;
            named
                .iter()
                .any(|(name, value)| &**name == "missing_ok" && matches!(self.calls.see(*value), Seen::Bool(true)))
        };
        let adds = arena.ann(node, MATCH).filter(|annotation| is_true(annotation));
        let span = |annotation: &Annotation| self.whole_annotation(&arena, annotation);
        let lines = arena.ann(node, name).and_then(span);
        let lines = lines.and_then(|span| self.calls.sources().get(span.source).whole_lines(span));
        match adds.and_then(span).zip(lines) {
            Some((adds, lines)) => told
                .relabel("not for the keys of a map")
                .label(adds, "this adds the key already, where it is not there yet")
                .label_at(arena.span_of(node), "a key of a map, which has no place of its own")
                .help_edit(format!("leave it out: {help}"), lines, ""),
            None if adds.is_some() => told.help(format!("leave it out: {help}")),
            None => told.help(format!("{help}, with {new}")),
        }
    }

    /// `append` above the key of a list: items without a match are appended to the list that is there.
    fn appends_by_itself(&self, diagnostic: &Diagnostic, node: NodeId, operation: Operation) -> Option<Diagnostic> {
        let arena = self.arena();
        let is_list = match arena.value(node) {
            Val::Node(inner) => matches!(arena.get(inner).body, Body::Array(_)),
            Val::Raw(number) => matches!(arena.raw(number), Raw::List(_)),
            _ => false,
        };
        let annotation = arena.ann(node, operation.name()).filter(|_| operation == Operation::Append && is_list)?;
        let span = self.whole_annotation(&arena, annotation)?;
        let lines = self.calls.sources().get(span.source).whole_lines(span)?;
        let told = diagnostic.clone().label(span, "for the items of a list, not for the key that has the list");
        let told = told.label_at(self.mark(&arena, node), "the key that has the list");
        let first = match arena.value(node) {
            Val::Node(list) => arena.items(list).first().copied(),
            _ => None,
        };
        let is_appended = |item: &NodeId| arena.ann(*item, "overlay/match").is_none();
        let told = match first.filter(is_appended) {
            Some(item) => {
                told.label_at(self.mark(&arena, item), "this item has no `@overlay/match`, so it is appended anyway")
            }
            None => told,
        };
        let text = "leave it out: items without a match are appended to the list that is there";
        Some(told.help_edit(text, lines, ""))
    }

    /// An annotation that has no meaning without an argument; of a match rule with the kind of its item.
    pub(super) fn no_arguments(&self, node: NodeId, annotation: &str, kind: Option<RightKind>) -> Diagnostic {
        let examples = if kind.is_some() { "by=..., expects=..." } else { "before=..., after=..." };
        let text = format!("Expected '{annotation}' annotation to have at least one keyword argument ({examples})");
        let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        let (span, end) = self.annotation_end(node, annotation).unzip();
        match kind {
            Some(kind) => {
                let told = self.given_twice(diagnostic.label_at(span, "which ones are meant?"));
                self.with_usual_key(told, node).help(which_ones(kind))
            }
            None => diagnostic.label_at(span, "before or after what was matched?").edit_at(
                "write before=True or after=True, or both",
                end,
                " after=True",
            ),
        }
    }

    /// A match rule that does not say what it matches.
    pub(super) fn no_matcher(&self, kind: RightKind) -> Diagnostic {
        // Compat: two blanks for documents, as programs see it through `assert.try_to`.
        let blanks = if kind == RightKind::Document { "  " } else { " " };
        let text = format!("Expected '{MATCH}' annotation keyword argument 'by'{blanks}to be specified");
        let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        let span = self.trail.last().and_then(|step| self.annotation_span(step.node, MATCH));
        let told = self.given_twice(diagnostic.label_at(span, "which ones are meant?"));
        // Of two the first one says which ones.
        let is_said = self.trail.last().is_some_and(|step| {
            let arena = self.arena();
            arena.anns_of(step.node).iter().filter(|annotation| &*annotation.name == MATCH).count() > 1
        });
        let node = self.trail.last().map(|step| step.node).filter(|_| !is_said);
        let told = node.map_or_else(|| told.clone(), |node| self.with_usual_key(told.clone(), node));
        if is_said { told } else { told.help(which_ones(kind)) }
    }

    pub(super) fn unknown_argument(
        &self,
        annotation: &str,
        name: &str,
        argument: Argument,
        known: &[&'static str],
    ) -> Diagnostic {
        let text = format!("Unknown '{annotation}' annotation keyword argument '{name}'");
        let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        let letters = |name: &str| {
            let mut letters: Vec<char> = name.chars().collect();
            letters.sort_unstable();
            letters
        };
        let turned = || known.iter().copied().find(|known| letters(known) == letters(name));
        let near = suggest::nearest(name, known.iter().copied()).or_else(turned);
        let span = self.argument_name_span(argument.pos, name);
        let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let diagnostic = diagnostic.label_at(span, format!("@{annotation} takes {}", names.join(", ")));
        let diagnostic = match (annotation, name) {
            (CHILD_DEFAULTS, "by") => diagnostic.help(format!("`by` must be written at each item: #@{MATCH} by=…")),
            _ => diagnostic,
        };
        match near {
            Some(near) => diagnostic.edit_at(format!("did you mean `{near}`?"), span, near),
            None => diagnostic,
        }
    }

    /// An argument of another kind than the wanted one, labelled with what it is in plain words.
    pub(super) fn wrong_argument(&self, name: &str, argument: Argument, wanted: &Wanted) -> Diagnostic {
        let kind = self.calls.kind(argument.value);
        let found = host_kind(kind);
        let to_be = |annotation: &str, what: &str| {
            format!("Expected '{annotation}' annotation keyword argument '{name}' to be {what}, but was {found}")
        };
        let (text, must_be) = match wanted {
            Wanted::Bool => (format!("expected starlark.Bool, but was {found}"), "True or False"),
            Wanted::MissingOk => (format!("Expected keyword argument '{name}' to be a boolean"), "True or False"),
            Wanted::Via(annotation) => (
                to_be(annotation, "function"),
                "a function of the left and the right value, such as lambda left, right: left.upper()",
            ),
            Wanted::Matcher(RightKind::Document) => {
                (to_be(MATCH, "function"), "a function or matcher such as overlay.all")
            }
            Wanted::Matcher(_) => (
                to_be(MATCH, "either string (for map key) or function"),
                "the name of a key, a function or a matcher such as overlay.all",
            ),
            Wanted::Count => (
                to_be(MATCH, "either int, string or function"),
                "a number, a string such as \"1+\", a list or a function",
            ),
            Wanted::Integer => (format!("Expected keyword argument '{name}' to be an integer"), "a number of matches"),
            Wanted::AtLeast(text) => (
                format!("Expected '{text}' to be in format 'i+' where i is an integer"),
                "a number followed by `+`, such as \"1+\"",
            ),
            Wanted::Agreement => (
                format!("Expected keyword argument '{name}' to have a function that returns a boolean"),
                "a function that returns True or False",
            ),
        };
        let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        let label = format!("this is {}; it must be {must_be}", kind_in_words(kind));
        let diagnostic = match self.argument_span(argument.pos, name) {
            Some(span) => diagnostic.label(span, label),
            None => diagnostic.note(format!("{name}: {label}")),
        };
        match (wanted, self.calls.see(argument.value)) {
            (Wanted::Matcher(RightKind::Document), Seen::Str(_)) => {
                let span = self.argument_span(argument.pos, name);
                match span.and_then(|span| self.subset_of_document(span)) {
                    Some((span, new)) => {
                        diagnostic.help_edit("documents are told apart by what is in them", span, new).guessing()
                    }
                    None => diagnostic
                        .help("documents are told apart by what is in them: `by=overlay.subset({\"kind\": \"…\"})`"),
                }
            }
            (Wanted::Matcher(_), Seen::Bool(_)) => {
                self.negated_matcher(diagnostic, self.argument_span(argument.pos, name))
            }
            (Wanted::Bool | Wanted::MissingOk, Seen::Str(text)) if given::is_boolean(&text) => {
                let span = self.argument_span(argument.pos, name);
                let code = span.and_then(|span| self.written(self.value_in(span))).unwrap_or_default();
                let new = if text.eq_ignore_ascii_case("true") { "True" } else { "False" };
                match span.filter(|_| is_literal(&code)) {
                    Some(span) => diagnostic.help_edit(
                        format!("a boolean is written without quotes: `{name}={new}`"),
                        self.value_in(span),
                        new,
                    ),
                    None => given::told_of_text(self.calls.sources(), diagnostic, &code, &text),
                }
            }
            (Wanted::AtLeast(text), _) => {
                let digits = text.trim_matches(|letter: char| "<>=+ ".contains(letter));
                let edit = digits.parse::<u32>().ok().zip(self.argument_span(argument.pos, name));
                match edit {
                    Some((number, span)) if digits == &**text => {
                        let new = format!("{name}={number}");
                        diagnostic.help_edit(format!("for exactly so many: `{new}`"), span, new)
                    }
                    Some((number, span)) if text.contains(['+', '>']) => {
                        let least =
                            if text.contains('>') && !text.contains('=') { number.saturating_add(1) } else { number };
                        let new = format!("{name}=\"{least}+\"");
                        diagnostic.help_edit(format!("for at least so many: `{new}`"), span, new)
                    }
                    _ => diagnostic,
                }
            }
            _ => diagnostic,
        }
    }

    /// The matcher for documents with the kind and name of the right one, in place of an argument.
    fn subset_of_document(&self, argument: Span) -> Option<(Span, String)> {
        let value = self.value_in(argument);
        let source = self.calls.sources().get(value.source);
        let arena = self.arena();
        let document = arena.map_of(arena.value(self.trail.last()?.node))?;
        let text = |map, key| arena.str(arena.value(arena.find_str(map, key)?)).map(quoted::starlark);
        let kind = text(document, "kind").map(|kind| format!("\"kind\": {kind}"));
        let metadata = arena.find_str(document, "metadata").and_then(|item| arena.map_of(arena.value(item)));
        let name = metadata.and_then(|map| text(map, "name")).map(|name| format!("\"metadata\": {{\"name\": {name}}}"));
        let wanted: Vec<String> = [kind, name].into_iter().flatten().collect();
        let new = format!("overlay.subset({{{}}})", wanted.join(", "));
        if wanted.is_empty() || outline::brought(&source, value.source, "overlay").is_some() {
            return (!wanted.is_empty()).then_some((value, new));
        }
        // With the `load` that it needs, on the line above.
        let line = source.line_range(source.line(value.start));
        let before = source.written(Span { start: line.start, end: value.start, ..value })?;
        let load = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
        before.starts_with("#@").then(|| (Span { start: line.start, ..value }, format!("{load}{before}{new}")))
    }

    /// Two of the keywords of which only one may be given.
    pub(super) fn only_one_of(&self, first: (&str, Argument), second: (&str, Argument)) -> Diagnostic {
        let text = format!("Expected only one of keyword arguments ('{}', '{}') specified", first.0, second.0);
        let mut diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        let (mut inherited, mut one_is_own) = (None, false);
        let mut other = second.0;
        for (name, argument) in [first, second] {
            let own = self
                .trail
                .last()
                .is_some_and(|step| self.arena().ann(step.node, MATCH).is_some_and(|ann| ann.pos == argument.pos));
            one_is_own |= own;
            if !own {
                inherited = Some(name);
                other = if name == first.0 { second.0 } else { first.0 };
            }
            let text = match (own, name == first.0) {
                (false, _) => "inherited from here",
                (true, true) => "given here",
                (true, false) => "and here",
            };
            diagnostic = diagnostic.label_at(self.argument_span(argument.pos, name), text);
        }
        if inherited == Some(first.0) {
            // The item itself is the place to look at; what it inherits may hold for many others.
            let labels = &mut diagnostic.parts_mut().labels;
            labels.reverse();
            if let Some(own) = labels.first_mut().filter(|_| one_is_own) {
                own.text = format!("conflicts with the inherited `{}`", first.0);
            }
        }
        match (inherited, first.0) {
            (Some("missing_ok"), _)
                if second.0 == "expects" && matches!(self.calls.see(second.1.value), Seen::Int(1)) =>
            {
                let text = "for exactly 1 match, whatever was inherited: `missing_ok=False`";
                let span = self.argument_span(second.1.pos, second.0);
                diagnostic
                    .edit_at(text, span, "missing_ok=False")
                    .help(format!("for any other number, remove `missing_ok` from `@{CHILD_DEFAULTS}`"))
            }
            (Some("missing_ok"), _) if one_is_own && second.0 == "expects" => {
                let is_true = matches!(self.calls.see(first.1.value), Seen::Bool(true));
                // The same count, in the word that the own one overrides.
                let same = if is_true { "expects=[0, 1]" } else { "expects=1" };
                let text = format!(
                    "in place of the inherited `missing_ok` write `{same}`, which is the same: an own `expects` overrides it"
                );
                let told = match self.argument_span(first.1.pos, first.0) {
                    Some(span) => diagnostic.help_edit(text, span, same).if_it_mends(),
                    None => diagnostic.help(text),
                };
                told.help("only if exactly 1 match is meant here: `missing_ok=False` in place of `expects`")
            }
            (Some("missing_ok"), _) => diagnostic.help(format!("remove `missing_ok` from `@{CHILD_DEFAULTS}`")),
            (Some(name), _) => diagnostic.help(format!("remove `{name}` from `@{CHILD_DEFAULTS}`, or `{other}` here")),
            (None, "missing_ok") if second.0 == "expects" => self.either_count(diagnostic, first.1, second.1),
            (None, "missing_ok") => {
                diagnostic.help("remove one of them: `missing_ok` adds where there is none, `when` does nothing there")
            }
            (None, _) => diagnostic.help("remove one of them: `expects` fails where `when` does nothing"),
        }
    }
}

impl Scene<'_> {
    /// `missing_ok` beside `expects` in one annotation: what goes, by what `expects` allows.
    fn either_count(&self, told: Diagnostic, missing_ok: Argument, expects: Argument) -> Diagnostic {
        let [whole, other] = [(missing_ok, "missing_ok"), (expects, "expects")]
            .map(|(argument, name)| self.argument_span(argument.pos, name));
        let value = match self.calls.see(expects.value) {
            Seen::Str(text) => format!("\"{text}\""),
            Seen::Int(number) => number.to_string(),
            _ => return told.help("remove one of them: `missing_ok=True` is the same as `expects=[0, 1]`"),
        };
        let is_true = matches!(self.calls.see(missing_ok.value), Seen::Bool(true));
        let allows_none = matches!(value.as_str(), "\"0+\"" | "\">=0\"" | "0");
        let list = self.arena().place(expects.pos).map(|place| place.value());
        let without = |span: Option<Span>| {
            list.zip(span).map(|(list, span)| self.calls.sources().get(span.source).with_comma(list, span))
        };
        let told = match (is_true, allows_none) {
            (true, true) => {
                let text = format!("`expects={value}` allows none already: leave out `missing_ok`");
                return told
                    .edit_at(text, without(whole), "")
                    .edit_at("or, for one at most, leave out `expects`", without(other), "")
                    .guessing();
            }
            (true, false) => {
                let text = "where there may be none and is one at most: leave out `expects`";
                told.edit_at(text, without(other), "").guessing()
            }
            (false, _) => told,
        };
        let text = format!("to want what `expects={value}` says: leave out `missing_ok`");
        told.edit_at(text, without(whole), "").guessing()
    }
}

/// How items are named by `by=`.
fn which_ones(kind: RightKind) -> &'static str {
    match kind {
        RightKind::Document => {
            "write which ones: `by=overlay.subset({\"kind\": \"…\"})` for those with certain values, or `by=overlay.all, \
             expects=\"1+\"` for all"
        }
        _ => {
            "write which ones: `by=\"name\"` for the one with the same `name` as here, `by=overlay.index(0)` for the first, \
             or `by=overlay.subset({…})` for those with certain values"
        }
    }
}
