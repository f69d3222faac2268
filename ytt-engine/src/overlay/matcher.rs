//! Matchers: `by=` of an item made ready, and evaluated on one left item without Starlark where that is possible.
//!
//! `overlay.index`, `all`, `map_key`, `subset` and their combinations are data ([`Matcher`]); only functions of the
//! user are called. Errors inside a matcher carry its name in front, nested ones chain.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::annotation::{self, ArgumentValue, MATCH, MatchRule, RightKind, host_kind, plain_kind};
use super::compare::{KeyFault, is_part, key_value, key_values};
use super::engine::{Engine, Right};
use super::failure::Failure;
use super::nearest::is_plain_text;
use crate::call::{Arg, Matcher, Seen, ValueHandle};
use crate::diag::{Code, Diagnostic, Fact, suggest};
use crate::source::Span;
use crate::yaml::words::{article, kind_name};
use crate::yaml::{Arena, Body, NodeId, Raw, Val};

/// A matcher made ready for the items of one container.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Index(i64),
    All,
    /// Value of a string key, equal on both sides.
    Key(Val),
    Subset(Target),
    And(Vec<Test>),
    Or(Vec<Test>),
    Not(Box<Test>),
    Function(ValueHandle),
    /// An element of a combination that cannot be called; an error once it is reached.
    Uncallable(&'static str, Option<Arc<str>>),
}

/// What `subset` looks for: converted when first needed, then kept.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Live(ValueHandle),
    Val(Val),
}

/// Who is asked: a left item with its index or key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Index, or key of a map item.
    pub(super) first: Val,
    pub(super) item: NodeId,
}

impl Test {
    /// Name of the matcher as errors have it in front.
    ///
    /// Compat: programs see the wrong name that the reference has for `not_op`.
    fn name(&self, tried: bool) -> &'static str {
        match self {
            Test::Index(_) => "overlay.index_matcher",
            Test::Key(_) => "overlay.map_key_matcher",
            Test::Subset(_) => "overlay.subset_matcher",
            Test::And(_) => "overlay.and_op",
            Test::Or(_) => "overlay.or_op",
            Test::Not(_) if tried => "overlay.or_op",
            Test::Not(_) => "overlay.not_op",
            Test::All | Test::Function(_) | Test::Uncallable(..) => "",
        }
    }
}

impl Engine<'_> {
    /// The matcher of a rule; `None` where a map item matches by its own key.
    pub(super) fn test_of(&mut self, rule: &MatchRule, kind: RightKind) -> Result<Option<Test>, Failure> {
        let Some(by) = rule.by else {
            let text = match kind {
                RightKind::MapItem => return Ok(None),
                RightKind::ArrayItem => {
                    format!("Expected '{MATCH}' annotation keyword argument 'by' to be specified")
                }
                // Compat: two blanks, as programs see it through `assert.try_to`.
                RightKind::Document => format!("Expected '{MATCH}' annotation keyword argument 'by'  to be specified"),
            };
            let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
            let node = self.trail.last().map(|step| step.node);
            return Err(Failure::argument(
                match node.and_then(|node| annotation::end(&*self.calls, node, MATCH)) {
                    Some((span, _)) => diagnostic.label(span, "which ones are meant?"),
                    None => diagnostic,
                }
                .help(annotation::which_ones(kind)),
            ));
        };
        let ArgumentValue::Live(live) = by.given else {
            return Ok(Some(Test::All));
        };
        match self.calls.see(live) {
            Seen::Str(name) if kind != RightKind::Document => Ok(Some(Test::Key(self.arena_mut().intern(&name)))),
            Seen::Function => Ok(Some(Test::Function(live))),
            Seen::Matcher(matcher) => Ok(Some(self.test(&matcher, 0)?)),
            _ => {
                let wanted = match kind {
                    RightKind::Document => "to be function",
                    _ => "to be either string (for map key) or function",
                };
                let kind_name = by.kind(&*self.calls);
                let text = format!("Expected '{MATCH}' annotation keyword argument 'by' {wanted}, but was {kind_name}");
                let plain = match kind {
                    RightKind::Document => "a function or matcher such as overlay.all",
                    _ => "the name of a key, a function or a matcher such as overlay.all",
                };
                let failure = by.wrong(&*self.calls, "by", text, plain);
                Err(match (self.calls.see(live), failure) {
                    (Seen::Str(_), Failure::Fresh(mut problem)) => {
                        problem.diagnostic = problem
                            .diagnostic
                            .help("documents are told apart by what is in them: by=overlay.subset({\"kind\": \"…\"})");
                        Failure::Fresh(problem)
                    }
                    (_, failure) => failure,
                })
            }
        }
    }

    /// Makes a matcher ready. `depth` counts combinations in combinations.
    pub(super) fn test(&mut self, matcher: &Matcher, depth: u32) -> Result<Test, Diagnostic> {
        let limit = self.arena().depth();
        if depth >= limit {
            return Err(Diagnostic::limit(Code::LIMIT, "depth", format!("nesting is deeper than {limit} levels")));
        }
        let mut inner = |live: &ValueHandle| match self.calls.see(*live) {
            Seen::Function => Ok(Test::Function(*live)),
            Seen::Matcher(matcher) => self.test(&matcher, depth + 1),
            Seen::Str(text) => Ok(Test::Uncallable("string", Some(text))),
            _ => Ok(Test::Uncallable(self.calls.kind(*live), None)),
        };
        Ok(match matcher {
            Matcher::Index(index) => Test::Index(*index),
            Matcher::All => Test::All,
            Matcher::Key(name) => match self.calls.see(*name) {
                Seen::Str(name) => Test::Key(self.arena_mut().intern(&name)),
                _ => Test::Uncallable("map_key", None),
            },
            Matcher::Subset(target) => Test::Subset(Target::Live(*target)),
            Matcher::And(tests) => Test::And(tests.iter().map(&mut inner).collect::<Result<_, _>>()?),
            Matcher::Or(tests) => Test::Or(tests.iter().map(&mut inner).collect::<Result<_, _>>()?),
            Matcher::Not(test) => Test::Not(Box::new(inner(test)?)),
        })
    }

    /// Does the matcher take this left item?
    pub(super) fn matches(
        &mut self,
        test: &mut Test,
        candidate: Candidate,
        right: &mut Right,
    ) -> Result<bool, Diagnostic> {
        let name = test.name(self.calls.is_tried());
        let result = match test {
            Test::All => Ok(true),
            Test::Index(index) => match candidate.first {
                Val::Int(first) => Ok(first == *index),
                Val::UInt(_) => Err(Diagnostic::error(Code::OVERLAY_MATCHER_KEY, "expected int64 value")),
                _ => Err(Diagnostic::error(Code::OVERLAY_MATCHER_KEY, "expected starlark.Int")
                    .note("overlay.index compares with the key of a map item, which is not a number here")),
            },
            Test::Key(key) => self.matches_key(*key, candidate, right),
            Test::Subset(target) => self.matches_subset(target, candidate),
            Test::And(tests) => self.matches_each(tests, candidate, right, false),
            Test::Or(tests) => self.matches_each(tests, candidate, right, true),
            Test::Not(test) => self.matches(test, candidate, right).map(|found| !found),
            Test::Function(function) => self.matches_function(*function, candidate, right),
            Test::Uncallable(kind, text) => {
                let diagnostic =
                    Diagnostic::error(Code::OVERLAY_ARGUMENTS, format!("invalid call of non-function ({kind})"));
                let literal = text.as_deref().and_then(|text| self.literal(self.by_span()?, text));
                let diagnostic = match (literal, self.by_span()) {
                    (Some(span), _) => diagnostic.label(span, format!("this is a {kind}, not a matcher")),
                    (_, Some(span)) => diagnostic.label(span, format!("one of the matchers combined here is a {kind}")),
                    _ => diagnostic,
                };
                Err(match text {
                    Some(text) => {
                        let new = format!("overlay.map_key(\"{text}\")");
                        let help = format!("to compare a key, write {new}");
                        match literal {
                            Some(span) => diagnostic.help_edit(help, span, new),
                            None => diagnostic.help(help),
                        }
                    }
                    None => diagnostic.help("combine functions and matchers, such as overlay.subset({…})"),
                })
            }
        };
        result.map_err(|diagnostic| if name.is_empty() { diagnostic } else { diagnostic.context(name) })
    }

    /// Elements in order, until one is `until`.
    fn matches_each(
        &mut self,
        tests: &mut [Test],
        candidate: Candidate,
        right: &mut Right,
        until: bool,
    ) -> Result<bool, Diagnostic> {
        for test in tests {
            if self.matches(test, candidate, right)? == until {
                return Ok(until);
            }
        }
        Ok(!until)
    }

    fn matches_function(
        &mut self,
        function: ValueHandle,
        candidate: Candidate,
        right: &mut Right,
    ) -> Result<bool, Diagnostic> {
        self.own(right)?;
        right.exposed = true;
        let (left, new) = (self.arena().value(candidate.item), self.arena().value(right.node));
        let args = [Arg::Val(candidate.first), Arg::Val(left), Arg::Val(new)];
        let result = self.call(function, &args).map_err(|diagnostic| {
            let refused = diagnostic.parts().labels.is_empty();
            let mut diagnostic = match self.by_span() {
                Some(span) if refused => {
                    diagnostic.label(span, "a matcher is called with 3 values; this function takes another number")
                }
                Some(span) => diagnostic.label(span, "called for this matcher"),
                None => diagnostic.at(self.arena().span_of(right.node)),
            };
            if refused {
                diagnostic = diagnostic
                    .help("take all of them: def NAME(index, left, right): … (for a map item, its key comes first)");
            }
            if let Some(span) = self.mark(&self.arena(), candidate.item) {
                diagnostic = diagnostic.label(span, "called with this value as `left`");
            }
            if diagnostic.parts().fact == Some(Fact::NoKey) {
                diagnostic =
                    diagnostic.help("overlay.subset({…}) compares the same, and takes no item without the key");
            }
            diagnostic
        })?;
        match self.calls.see(result) {
            Seen::Bool(found) => Ok(found),
            _ => {
                let kind = host_kind(self.calls.kind(result));
                let text = format!("expected starlark.Bool, but was {kind}");
                let diagnostic = Diagnostic::error(Code::OVERLAY_FUNCTION, text);
                let plain = plain_kind(self.calls.kind(result));
                let mut diagnostic = match self.by_span() {
                    Some(span) => diagnostic.label(span, format!("gave {plain}; a matcher must return True or False")),
                    None => diagnostic.note(format!("it gave {plain}; a matcher must return True or False")),
                };
                if let Some(span) = self.mark(&self.arena(), candidate.item) {
                    diagnostic = diagnostic.label(span, "called with this value as `left`");
                }
                Err(diagnostic)
            }
        }
    }

    /// Compat: `subset` makes nodes of the raw values that it looks at (overlays 3.6.6).
    fn matches_subset(&mut self, target: &mut Target, candidate: Candidate) -> Result<bool, Diagnostic> {
        let wanted = self.target(target)?;
        self.settle(candidate.item)?;
        let arena = self.arena();
        Ok(is_part(&arena, arena.value(candidate.item), wanted))
    }

    /// The value that `subset` looks for, to compare with: lists and dicts of scalars stay what they are.
    pub(super) fn target(&mut self, target: &mut Target) -> Result<Val, Diagnostic> {
        let live = match target {
            Target::Val(value) => return Ok(*value),
            Target::Live(live) => *live,
        };
        let mut value = self.calls.to_val(live)?;
        if !has_no_nodes(&self.arena(), value) {
            value = self.make_nodes(value)?;
        }
        if let Val::Node(id) = value
            && matches!(self.arena().get(id).body, Body::Set(_))
        {
            let text = "Unexpected document set as target of overlay.subset";
            let mut diagnostic = Diagnostic::error(Code::OVERLAY_VALUE, text).at(self.by_span());
            let document = self.arena().item_at(id, 0).and_then(|document| self.arena().span_of(document));
            if let Some(span) = document.filter(|span| self.written(*span).as_deref() == Some("---")) {
                diagnostic = diagnostic.label(span, "this makes it a set of documents");
            }
            return Err(diagnostic.help("take one document of it, such as wanted()[0], or leave out the ---"));
        }
        *target = Target::Val(value);
        Ok(value)
    }

    /// As [`Engine::target`], but nodes, new ones each time: for paths that name items.
    pub(super) fn target_nodes(&mut self, target: &mut Target) -> Result<Val, Diagnostic> {
        let value = self.target(target)?;
        self.make_nodes(value)
    }

    fn matches_key(&mut self, key: Val, candidate: Candidate, right: &Right) -> Result<bool, Diagnostic> {
        let arena = self.arena();
        let (left, new) = (arena.value(candidate.item), arena.value(right.node));
        let fault = |fault, value, item| self.key_fault(&arena, fault, (value, item), key, right.node);
        let left = key_value(&arena, left, key).map_err(|kind| fault(kind, left, candidate.item))?;
        let new = key_value(&arena, new, key).map_err(|kind| fault(kind, new, right.node))?;
        Ok(key_values(&arena, left, new, &|node| self.line_of(&arena, node)))
    }

    fn key_fault(
        &self,
        arena: &Arena,
        fault: KeyFault,
        (value, item): (Val, NodeId),
        key: Val,
        right: NodeId,
    ) -> Diagnostic {
        let name = arena.str(key).unwrap_or_default();
        let (text, label) = match fault {
            KeyFault::NotMap => {
                let kind = kind_name(arena, value);
                (format!("Expected value to be map, but was {kind}"), format!("{} {kind}, not a map", article(kind)))
            }
            KeyFault::NoKey => {
                (format!("Expected to find map item with key '{name}', but did not"), format!("has no key `{name}`"))
            }
        };
        let mut diagnostic = Diagnostic::error(Code::OVERLAY_MATCHER_KEY, text);
        if let Some(span) = self.by_span() {
            diagnostic = diagnostic.label(span, format!("compares the key `{name}` of every item"));
        }
        match self.near_name(arena, value, name).filter(|_| fault == KeyFault::NoKey) {
            Some((near, span)) => {
                diagnostic = diagnostic.label(span, format!("has `{near}`, and no key `{name}`"));
                if self.written(span).as_deref() == Some(&*near) && is_plain_text(name) {
                    diagnostic = diagnostic.help_edit(format!("did you mean `{name}`?"), span, name);
                }
            }
            None => {
                if let Some(span) = self.mark(arena, item) {
                    diagnostic = diagnostic.label(span, label);
                }
            }
        }
        if item == right {
            return diagnostic.help(format!("write `{name}: …` in this item, to say which one is meant"));
        }
        if fault == KeyFault::NotMap {
            return diagnostic
                .help("match by place, with overlay.index, or by a function: by=lambda index, left, right: …");
        }
        let wanted = key_value(arena, arena.value(right), key).ok().and_then(|value| arena.str(value));
        let target = wanted.map_or("…".to_string(), |wanted| format!("\"{wanted}\""));
        let (text, new) = (
            "overlay.subset does not ask every item for the key",
            format!("by=overlay.subset({{\"{name}\": {target}}})"),
        );
        match self.by_span() {
            Some(span) if wanted.is_some_and(|wanted| !wanted.contains(['"', '\\'])) => {
                diagnostic.help_edit(text, span, new)
            }
            _ => diagnostic.help(format!("{text}: {new}")),
        }
    }

    /// The key of a map that is most like a name.
    fn near_name(&self, arena: &Arena, map: Val, name: &str) -> Option<(String, Span)> {
        let Val::Node(map) = map else {
            return None;
        };
        let items = arena.items(map).iter().copied();
        let most = (name.chars().count() / 3).max(1);
        let keys = items.filter_map(|item| arena.str(arena.key(item)));
        let near = keys.filter_map(|key| Some((suggest::distance(name, key, most)?, key))).min();
        let (_, near) = near?;
        Some((near.to_string(), arena.span_of(arena.find_str(map, near)?)?))
    }
}

/// Whether a value is a scalar, or nothing but lists, dicts and scalars.
fn has_no_nodes(arena: &Arena, value: Val) -> bool {
    let mut open: SmallVec<[Val; 8]> = smallvec![value];
    while let Some(value) = open.pop() {
        match value {
            Val::Node(_) => return false,
            Val::Raw(number) => match arena.raw(number) {
                Raw::List(values) => open.extend(values.iter().copied()),
                Raw::Dict(entries) => open.extend(entries.iter().flat_map(|(key, value)| [*key, *value])),
            },
            _ => {}
        }
    }
    true
}
