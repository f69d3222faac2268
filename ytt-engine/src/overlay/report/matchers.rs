//! Problems inside of matchers and of functions that annotations name.

use super::nearest::COMPARISONS;
use super::refused;
use super::several::literal;
use super::words::{host_kind, key_text, kind_in_words, scalar_text};
use crate::diag::{Code, Diagnostic, Fact, suggest};
use crate::overlay::annotation::{MATCH, Operation};
use crate::overlay::compare::{KeyFault, key_value, leaf};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Caller;
use crate::quoted;
use crate::source::{SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::written;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::{article, kind_name};
use crate::yaml::{Arena, NodeId, Val};

impl Scene<'_> {
    /// An element of a combination of matchers that is none.
    pub(super) fn uncallable(&self, kind: &str, text: Option<&str>) -> Diagnostic {
        let diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, format!("invalid call of non-function ({kind})"));
        let literal = text.and_then(|text| self.literal(self.by_span()?, text));
        let diagnostic = match literal {
            Some(span) => diagnostic.label(span, format!("this is a {kind}, not a matcher")),
            None => diagnostic.label_at(self.by_span(), format!("one of the matchers combined here is a {kind}")),
        };
        let Some(text) = text else {
            if matches!(kind, "list" | "tuple") {
                return self.listed(diagnostic, kind);
            }
            return diagnostic.help("combine functions and matchers, such as `overlay.subset({…})`");
        };
        let new = format!("overlay.map_key({})", quoted::starlark(text));
        diagnostic.edit_at(format!("to compare a key, write `{new}`"), literal, new)
    }

    /// A matcher that gave something else than a bool.
    pub(super) fn no_bool(&self, gave: &str, item: NodeId) -> Diagnostic {
        let text = format!("expected starlark.Bool, but was {}", host_kind(gave));
        let diagnostic = Diagnostic::error(Code::OVERLAY_FUNCTION, text);
        let words = kind_in_words(gave);
        let diagnostic = match self.by_span() {
            Some(span) => diagnostic.label(span, format!("gave {words}; a matcher must return True or False")),
            None => diagnostic.note(format!("it gave {words}; a matcher must return True or False")),
        };
        let diagnostic = self.called_with(diagnostic, self.by_span(), (item, None));
        match self.by_span().filter(|_| gave == "NoneType").and_then(|by| self.without_return(by)) {
            Some(nothing) => nothing.told(diagnostic),
            None => diagnostic,
        }
    }

    /// The left item that lacks the key of the right one, and that key.
    fn without_left(&self, arena: &Arena) -> Option<(NodeId, String)> {
        let mut trail = self.trail.iter().rev();
        let key = trail.next().map(|step| arena.key(step.node)).filter(|key| !matches!(key, Val::Null))?;
        let around = trail.next()?.matched?.item;
        Some((around, key_text(arena, key)))
    }

    /// How a function gives its second value where there is no first one: asked for in front of the line that failed.
    fn asking_for_left(&self, diagnostic: Diagnostic, parameters: &[String]) -> Diagnostic {
        let [left, right] = parameters else { return diagnostic };
        let Some(place) = diagnostic.parts().labels.first().map(|label| label.span) else { return diagnostic };
        let source = self.calls.sources().get(place.source);
        let line = source.line_range(source.line(place.start));
        let text = source.line_text(source.line(place.start));
        let code = text.trim_start_matches(['#', '@', ' ']);
        let is_asked = !code.starts_with("return ") || code.contains(" if ");
        let Some(head) = text.strip_suffix(code).filter(|_| !is_asked) else { return diagnostic };
        let new = format!("{head}if {left} == None:\n{head}  return {right}\n{head}end\n");
        let at = Span { start: line.start, end: line.start, ..place };
        diagnostic.help_edit(format!("give `{right}` where there is no `{left}` yet"), at, new)
    }

    /// What failed in a function of an annotation, told with the annotation and the values.
    pub(super) fn failed(&self, mut diagnostic: Diagnostic, caller: Caller) -> Diagnostic {
        diagnostic.parts_mut().code = code_of_failed(&diagnostic);
        let given = match caller {
            Caller::Matcher { item, right } => [Some(item), Some(right)],
            Caller::Via { item, .. } => [item, self.trail.last().map(|step| step.node)],
            Caller::Count => [None, None],
        };
        diagnostic = self.member_of_map(diagnostic, given);
        // Without a place nothing of it ran: it takes another number of values.
        let is_refused = diagnostic.parts().labels.is_empty();
        match caller {
            Caller::Count => {
                let node = self.trail.last().map(|step| step.node);
                let pos = node.and_then(|node| self.arena().ann(node, MATCH).map(|annotation| annotation.pos));
                let expects = pos.and_then(|pos| self.argument_span(pos, "expects"));
                match expects.filter(|_| is_refused) {
                    Some(span) => self.other_number(diagnostic, span, &refused::EXPECTS),
                    None => diagnostic,
                }
            }
            Caller::Matcher { item, right } => {
                let mut diagnostic = match self.by_span() {
                    Some(span) if is_refused => self.other_number(diagnostic, span, &refused::MATCHER),
                    Some(span) => diagnostic.label(span, "called for this matcher"),
                    None if is_refused => diagnostic.at(self.arena().span_of(right)).help(refused::MATCHER.help),
                    None => diagnostic.at(self.arena().span_of(right)),
                };
                diagnostic = self.called_with(diagnostic, self.by_span(), (item, Some(right)));
                diagnostic = self.in_other_unit(diagnostic, [Some(item), Some(right)]);
                diagnostic = self.asked_for_text(diagnostic, self.by_span(), item);
                if diagnostic.parts().fact == Some(Fact::NoKey) {
                    if let Some((text, span, new)) = self.read_deeper(&diagnostic, item, right) {
                        return diagnostic.help_edit(text, span, new).if_it_mends();
                    }
                    diagnostic = self.asking_less(diagnostic, self.by_span());
                }
                diagnostic
            }
            Caller::Via { annotation, item } => {
                let node = self.trail.last().map(|step| step.node);
                let pos = node.and_then(|node| self.arena().ann(node, annotation).map(|annotation| annotation.pos));
                let via = pos.and_then(|pos| self.argument_span(pos, "via"));
                let diagnostic = match via {
                    Some(span) if is_refused => self.other_number(diagnostic, span, &refused::VIA),
                    span => diagnostic.label_at(span, "called for this `via`"),
                };
                let arena = self.arena();
                let container = if item.is_none() && !is_refused { self.without_left(&arena) } else { None };
                let mark = |item| self.mark_left(&arena, item);
                let frame = diagnostic.parts().trace.iter().rev().find(|frame| !frame.name.starts_with('<'));
                let name = frame.map(|frame| frame.name.clone()).unwrap_or_default();
                let known = self.functions_of_two(node.and_then(|node| arena.span_of(node)));
                let own = known.iter().find(|known| known.name == name);
                let lambda = frame.and_then(|frame| frame.span).filter(|_| name == "lambda");
                let lambda = lambda.map(|span| self.parameters_around(span, via));
                let given = |item: NodeId, number: usize, usual: &'static str| {
                    let value = arena.value(item);
                    let own = own.and_then(|own| own.parameters.get(number));
                    let own = own.or_else(|| lambda.as_ref()?.get(number));
                    let parameter = own.map_or(usual, String::as_str);
                    // By its name nobody looks at it.
                    (!parameter.starts_with('_')).then_some(())?;
                    let kind = kind_name(&arena, value);
                    Some(match scalar_text(&arena, value) {
                        text if text == "null" => format!("`{parameter}` is {text}"),
                        text if text == "`\"\"`" => format!("`{parameter}` is an empty {kind}"),
                        text if text.starts_with('`') => format!("`{parameter}` is the {kind} {text}"),
                        text if matches!(value, Val::Node(_) | Val::Raw(_)) => format!("`{parameter}` is {text}"),
                        text => format!("`{parameter}` is the {kind} `{text}`"),
                    })
                };
                let left = item.and_then(|item| given(item, 0, "left"));
                let right = node.and_then(|node| given(node, 1, "right"));
                // Of what nothing looked at, no value says nothing.
                let right = right.filter(|_| !is_refused || node.is_some_and(|node| arena.value(node) != Val::Null));
                // Where the function calls another one, which failed, what it passes on is of interest.
                let passes = frame.and_then(|frame| frame.span).filter(|_| diagnostic.parts().trace.len() > 1);
                let passes = passes.filter(|span| diagnostic.parts().labels.iter().all(|label| label.span != *span));
                let passed = left.as_ref().map(|left| format!("called here, where {left}"));
                let diagnostic = diagnostic
                    .label_at(passes.filter(|_| passed.is_some()), passed.unwrap_or_default())
                    .label_at(item.filter(|_| left.is_some()).and_then(mark), left.unwrap_or_default())
                    .label_at(node.filter(|_| right.is_some()).and_then(mark), right.unwrap_or_default());
                let given = node.and_then(|node| {
                    let code = arena.place_of(node)?.code(self.calls.sources())?;
                    self.given_by_data(&arena, code, arena.value(node))
                });
                let diagnostic = match given {
                    Some(given) => diagnostic.label(given.span, format!("`{}` comes from here", given.code)),
                    None => diagnostic,
                };
                let parameters = own.map(|own| &own.parameters[..]).or(lambda.as_deref()).unwrap_or_default();
                let diagnostic = match container {
                    Some((at, key)) => {
                        let parameter = parameters.first().map_or("left", String::as_str);
                        let text = format!("no `{key}` here, so that `{parameter}` is None");
                        let told = diagnostic.label_at(self.mark_left(&arena, at), text);
                        if annotation == Operation::Replace.name() {
                            self.asking_for_left(told, parameters)
                        } else {
                            told
                        }
                    }
                    None => diagnostic,
                };
                let diagnostic = match (item, node) {
                    (Some(left), Some(right)) => self.added(diagnostic, (left, right), annotation, parameters),
                    _ => diagnostic,
                };
                let sides = [(parameters.first(), item), (parameters.get(1), node)];
                let faults = sides.into_iter().filter_map(|(name, item)| self.fault(&diagnostic, name?, item?));
                let faults: Vec<(Span, String)> = faults.collect();
                let diagnostic = faults.into_iter().fold(diagnostic, |told, (span, text)| {
                    let is_known = told.parts().labels.iter().any(|label| label.span == span);
                    if is_known { told } else { told.label(span, text) }
                });
                let is_null = |item: &NodeId| matches!(arena.value(*item), Val::Null);
                let diagnostic = match item.filter(is_null).and_then(|item| self.made_null_by(item)) {
                    Some(nothing) => nothing.told(diagnostic),
                    None => diagnostic,
                };
                let diagnostic = self.in_other_unit(diagnostic, [item, node]);
                let lower = node.zip(item).and_then(|(node, item)| self.meant_for_key(node, item, annotation));
                let diagnostic = match lower {
                    Some((text, span, new)) => diagnostic.help_edit(text, span, new).if_it_mends(),
                    None => diagnostic,
                };
                let others: Vec<String> = known
                    .iter()
                    .filter(|other| other.is_here && own.is_some() && other.name != name)
                    .map(|other| format!("`{}` (line {})", other.name, other.line))
                    .collect();
                match &others[..] {
                    [] | [_, _, _, ..] => diagnostic,
                    others => diagnostic
                        .help(format!("is another function of this file meant? there is {}", others.join(" and "))),
                }
            }
        }
    }

    /// The functions of two values that files define, those of the file of a place marked.
    fn functions_of_two(&self, here: Option<Span>) -> Vec<FunctionOfTwo> {
        const MOST: usize = 100;
        let sources = self.calls.sources().all();
        let with_functions = sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.text.as_str().is_some_and(|text| text.contains("def ")));
        let defined = with_functions.filter_map(|(number, source)| {
            let id = SourceId(to_u32(number));
            let is_here = here.is_some_and(|here| here.source == id);
            let functions = FileCode::read(source, id)?.defined().into_iter().filter_map(move |(name, function)| {
                let line = source.line(function.whole.start);
                let names = function.parameters.into_iter().map(|parameter| parameter.name);
                let parameters = names.collect::<Vec<_>>().try_into().ok()?;
                Some(FunctionOfTwo { name, parameters, line, is_here })
            });
            Some(functions)
        });
        defined.flatten().take(MOST).collect()
    }

    pub(super) fn set_as_target(&self, document: Option<NodeId>) -> Diagnostic {
        let text = "Unexpected document set as target of overlay.subset";
        let diagnostic = Diagnostic::error(Code::OVERLAY_VALUE, text).at(self.by_span());
        let span = document.and_then(|document| self.arena().span_of(document));
        let span = span.filter(|span| self.written(*span).as_deref() == Some("---"));
        let diagnostic = diagnostic.label_at(span, "this makes it a set of documents");
        let is_value = |code: &str| code.ends_with(')') || written::is_dotted(code);
        match self.written_target().filter(|target| self.written(*target).is_some_and(|code| is_value(&code))) {
            Some(target) => {
                let code = self.written(target).unwrap_or_default();
                let text = format!("take one document of it, `{code}[0]`, or leave out the `---`");
                diagnostic.help_edit(text, Span { start: target.end, ..target }, "[0]").if_it_mends()
            }
            None => diagnostic.help("take one document of it, such as `wanted()[0]`, or leave out the `---`"),
        }
    }

    /// An item that has no value at the key that `map_key` compares.
    pub(super) fn key_fault(&self, fault: KeyFault, item: NodeId, key: Val, right: NodeId) -> Diagnostic {
        let arena = &*self.arena();
        let value = arena.value(item);
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
        diagnostic = diagnostic.label_at(self.by_span(), format!("compares the key `{name}` of every item"));
        let is_missing = fault == KeyFault::NoKey;
        // Where the right item has it neither, the matcher is wrong, and not what is there.
        let lacks = matches!(arena.value(right), Val::Node(own) if arena.find_str(own, name).is_none());
        let of_all = if is_missing && item != right { self.key_of_all(arena, right, name) } else { None };
        let near = near_name(arena, value, name).filter(|_| is_missing);
        let is_misspelt = near.is_some();
        match near {
            Some((near, span)) => {
                diagnostic = diagnostic.label(span, format!("has `{near}`, and no key `{name}`"));
                if !(lacks && of_all.is_some()) && self.written(span).as_deref() == Some(&*near) {
                    let mut new = name.to_owned();
                    if !needs_no_quotes(name) {
                        new.clear();
                        quoted::json(&mut new, name, quoted::Json::Yaml);
                    }
                    diagnostic = diagnostic.help_edit(format!("did you mean `{new}`?"), span, new);
                }
            }
            None => diagnostic = diagnostic.label_at(self.mark(arena, item), label),
        }
        if item == right {
            return diagnostic.help(format!("write `{name}: …` in this item, to say which one is meant"));
        }
        if fault == KeyFault::NotMap {
            if let Some(told) = self.for_the_list_below(&diagnostic, right, name) {
                return told;
            }
            diagnostic = match self.unrolled(diagnostic, arena, item) {
                Ok(told) => return told,
                Err(diagnostic) => diagnostic,
            };
            return diagnostic
                .help("match by place, with `overlay.index`, or by a function: `by=lambda index, left, right: …`");
        }
        if lacks && let Some(told) = self.for_the_list_below(&diagnostic, right, name) {
            return told;
        }
        if let Some(deeper) = self.named_deeper(diagnostic.clone(), arena, right, name) {
            return deeper;
        }
        if let Some((meant, edit)) = of_all {
            let text = format!("did you mean `{meant}`? All items there have it, and one of them this value");
            return diagnostic.help_edit(text, edit.0, edit.1);
        }
        let wanted = key_value(arena, arena.value(right), key).ok();
        if wanted.is_none() {
            let diagnostic = match self.compared_deeper(diagnostic, arena, right, name) {
                Ok(told) => return told,
                Err(diagnostic) => diagnostic,
            };
            return diagnostic.label_at(self.mark(arena, right), format!("nor has this one a key `{name}`"));
        }
        diagnostic = match self.keyless(arena, right, name).filter(|_| !is_misspelt) {
            Some(cause) => cause.told(diagnostic, None),
            None => diagnostic,
        };
        let wanted = wanted.and_then(|value| literal(arena, value));
        let target = wanted.clone().unwrap_or_else(|| "…".to_string());
        let (text, new) = (
            "`overlay.subset` does not ask every item for the key",
            format!("by=overlay.subset({{{}: {target}}})", quoted::starlark(name)),
        );
        match self.by_span() {
            // Where no item has it there, that one would match nothing.
            Some(span) if wanted.is_some() => diagnostic.help_edit(text, span, new).if_it_mends(),
            _ => diagnostic.help(format!("{text}: `{new}`")),
        }
    }
}

impl Scene<'_> {
    /// Another key than the one that a matcher compares, which no item has: all have this one, and one of them the value
    /// that the right item has. With the edit of the matcher.
    fn key_of_all(&self, arena: &Arena, right: NodeId, compared: &str) -> Option<(String, (Span, String))> {
        let by = self.by_span()?;
        let around = self.trail.iter().rev().nth(1)?.matched?.item;
        let (Val::Node(list), Val::Node(own)) = (arena.value(around), arena.value(right)) else { return None };
        let value = |item: &NodeId, key: Val| match arena.value(*item) {
            Val::Node(map) => arena.find(map, key).map(|found| arena.value(found)),
            _ => None,
        };
        let items = arena.items(list);
        let has_compared =
            |item: &NodeId| matches!(arena.value(*item), Val::Node(map) if arena.find_str(map, compared).is_some());
        let is_written = self.is_key(by, compared);
        let comparisons = items.len().saturating_mul(arena.count(own));
        if !is_written || comparisons > COMPARISONS || items.iter().any(has_compared) {
            return None;
        }
        let keys = arena.items(own).iter().map(|item| (arena.key(*item), arena.value(*item)));
        let tells_apart = |(key, wanted): &(Val, Val)| {
            let values: Option<Vec<Val>> = items.iter().map(|item| value(item, *key)).collect();
            values.is_some_and(|values| values.iter().filter(|there| leaf(arena, **there, *wanted)).count() == 1)
        };
        let (key, _) = keys.filter(|(_, wanted)| !matches!(wanted, Val::Node(_) | Val::Raw(_))).find(tells_apart)?;
        let meant = arena.str(key).filter(|key| needs_no_quotes(key))?;
        Some((meant.to_string(), (by, format!("by={}", quoted::starlark(meant)))))
    }
}

/// The code under which a problem of a function of an annotation is told.
pub(super) fn code_of_failed(diagnostic: &Diagnostic) -> Code {
    let code = diagnostic.code();
    let keeps = ["limit::", "overlay::", "engine::"].iter().any(|area| code.as_str().starts_with(area));
    if keeps { code } else { Code::OVERLAY_FUNCTION }
}

/// A function that takes two values, where it is defined.
struct FunctionOfTwo {
    name: String,
    parameters: [String; 2],
    line: u32,
    is_here: bool,
}

/// The key of a map that is most like a name.
fn near_name(arena: &Arena, map: Val, name: &str) -> Option<(String, Span)> {
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
