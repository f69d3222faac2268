//! Conditions and functions of rules that do not judge: where they fail, what they take or give, and what was meant.

use super::misfit::HINTED;
use super::run_rules::{Crash, Unfit, Walk};
use super::{absent, fields, judge, parts};
use crate::diag::{Diagnostic, Fact, Label};
use crate::quoted;
use crate::source::Span;
use crate::template::code::FileCode;
use crate::template::snippet::ArgumentRole;
use crate::template::{given, outline, word, written};
use crate::validate::{self, Rules};
use crate::yaml::Val;

impl Walk<'_> {
    /// A `when=` that does not judge: where it fails, and what it takes or gives.
    pub(super) fn mistaken(&self, problem: Diagnostic, rules: &Rules, crash: Crash, parent: Val) -> Diagnostic {
        let place = || {
            self.argument(rules, |argument, source| {
                let name = argument.name.and_then(|name| source.written(name));
                (name == Some("when")).then_some(argument.value)
            })
        };
        let unfit = match crash {
            Crash::Failed(crash) | Crash::Refused(crash) => {
                let asks = match &crash.parts().fact {
                    Some(Fact::NoMember { name, .. }) => matches!(name.as_str(), "root" | "parent"),
                    _ => false,
                };
                let told = judge::crashed(problem, &crash, "condition");
                if crash.parts().fact == Some(Fact::NoKey) && self.problems.0.len() < HINTED {
                    let arena = self.calls.arena().borrow();
                    let scene = (&*arena, self.calls.sources(), self.schema);
                    // It looks at all that was read, not only at the key.
                    let mut whole = told.clone();
                    let read = crash.parts().trace.first().and_then(|frame| frame.span);
                    if let (Some(label), Some(read)) = (whole.parts_mut().labels.first_mut(), read) {
                        (label.span, label.text) = (read, "the condition fails here".to_owned());
                    }
                    whole.parts_mut().helps.clear();
                    let better = absent::told(scene, (self.root, parent), whole.clone());
                    return if better.parts().labels == whole.parts().labels { told } else { better };
                }
                if let Some(told) = place().and_then(|place| self.taken_for_parent(&told, place, parent)) {
                    return told;
                }
                if let Some(told) = fields::of_condition(self.calls.sources(), &told, &crash) {
                    return told;
                }
                let own = place().filter(|_| asks).and_then(|place| parts::parameters(self.calls.sources(), place));
                return match own.as_ref().map(|(names, body)| (&names[..], body)) {
                    Some(([only], _)) => {
                        let name = self.calls.sources().get(only.source).written(*only).unwrap_or_default().to_owned();
                        let text = format!("the first parameter is the value that is judged, the second one `{name}`");
                        let mut told = told.help_edit(text, *only, format!("_, {name}"));
                        told.parts_mut().helps.rotate_right(1);
                        told
                    }
                    _ => told,
                };
            }
            Crash::Unfit(unfit) => unfit,
        };
        let place = place();
        self.refused(problem, place, &unfit, "condition")
    }

    /// A condition with one parameter, which is the value that is judged, and is asked for a key beside that value.
    fn taken_for_parent(&self, told: &Diagnostic, condition: Span, parent: Val) -> Option<Diagnostic> {
        let sources = self.calls.sources();
        let (names, body) = parts::parameters(sources, condition)?;
        let [only] = names[..] else { return None };
        let source = sources.get(condition.source);
        // A function of its own may be used elsewhere.
        let (name, code) = (source.written(only)?, source.written(Span { end: body.end, ..only })?);
        let arena = self.calls.arena().borrow();
        let beside: Vec<String> = arena
            .items(arena.map_of(parent)?)
            .iter()
            .map(|item| validate::key_text(&arena, arena.key(*item)))
            .collect();
        let (mut new, mut at, mut asked) = ("_, ctx".to_owned(), name.len(), None);
        for place in word::whole(code, name).filter(|place| *place >= name.len()) {
            let rest = code.get(place.checked_add(name.len())?..)?;
            let is_it = |key: &&String| {
                let forms = [format!(".{key}"), format!("[{}]", quoted::starlark(key)), format!("['{key}']")];
                forms.into_iter().find(|form| {
                    let behind = rest.strip_prefix(form.as_str());
                    behind.is_some_and(|behind| !behind.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
                })
            };
            let (key, length) = beside.iter().find_map(|key| Some((key.as_str(), is_it(&key)?.len())))?;
            asked = asked.or(Some(key.to_owned()));
            new.push_str(code.get(at..place)?);
            new.push_str(&format!("ctx.parent[\"{key}\"]"));
            at = place.checked_add(name.len())?.checked_add(length)?;
        }
        new.push_str(code.get(at..)?);
        let key = asked?;
        let mut told = told.clone().help_edit(
            format!("`{name}` is the value that is judged: the map around it, which has `{key}`, is `ctx.parent`"),
            Span { end: body.end, ..only },
            new,
        );
        told.parts_mut().helps.rotate_right(1);
        Some(told)
    }

    /// A function of an annotation that takes another number of values than it is given, or gives something else than
    /// is expected: it comes first, with where it is defined.
    pub(super) fn refused(
        &self,
        mut problem: Diagnostic,
        place: Option<Span>,
        unfit: &Unfit,
        what: &str,
    ) -> Diagnostic {
        let Some(place) = place else { return problem };
        let wanted = if what == "rule" { "one value" } else { "the value, or the value and `ctx`" };
        let (text, help) = match unfit {
            Unfit::Takes(count) => {
                let plural = if *count == 1 { "" } else { "s" };
                let text = format!("a {what} is given {wanted}; this function takes {count} argument{plural}");
                (text, format!("let it take {wanted}"))
            }
            Unfit::Gave(kind, _) => {
                (format!("this gives a value of type {kind}"), "let it give True or False".to_owned())
            }
        };
        problem.parts_mut().labels.retain(|label| !label.text.is_empty());
        problem.parts_mut().labels.insert(0, Label { span: place, text });
        let sources = self.calls.sources();
        let name = sources.get(place.source).written(place).unwrap_or_default().to_owned();
        let defined = outline::home(sources, place.source, &name).and_then(|(file, own)| {
            let source = sources.get(file);
            let ends = FileCode::read(&source, file).and_then(|code| code.ends(&code.function_of(&own, false)?));
            Some((outline::defined(&source, file, &own)?, ends.is_some_and(|ends| ends.never)))
        });
        if let Unfit::Gave(_, Some(text)) = unfit {
            let code = parts::code_of_rule(sources, place);
            let told = given::told_of_text(sources, problem.clone(), &code, text);
            if told.parts().labels.len() > problem.parts().labels.len() {
                return told;
            }
        }
        let problem = match defined {
            Some((span, true)) if matches!(unfit, Unfit::Gave(..)) => {
                problem.label(span, format!("`{name}` has no `return`"))
            }
            Some((span, _)) => problem.label(span, format!("`{name}` is defined here")),
            None => problem,
        };
        if let (Unfit::Gave("function", _), true) = (unfit, what == "rule") {
            let end = Span { start: place.end, ..place };
            return match self.needs_nothing(place) {
                true => problem.help_edit(format!("call `{name}`: what it returns is the rule"), end, "()"),
                false => problem.help(format!("call `{name}` with its arguments: what it returns is the rule")),
            };
        }
        let body = written::lambda(sources, place).map(|(_, body)| body).filter(|_| matches!(unfit, Unfit::Gave(..)));
        match self.without_surplus(place, unfit, what) {
            Some((span, new)) => problem.help_edit(help, span, new),
            None => match body.and_then(|body| Some((body, sources.get(body.source).written(body)?.to_owned()))) {
                Some((body, code)) => {
                    problem.help_edit(format!("{help}, such as by `bool(…)`"), body, format!("bool({code})")).guessing()
                }
                None => problem.help(help),
            },
        }
    }

    /// Can a function be called without arguments?
    fn needs_nothing(&self, function: Span) -> bool {
        let sources = self.calls.sources();
        let of = || {
            let name = sources.get(function.source).written(function)?.to_owned();
            let (file, own) = outline::home(sources, function.source, &name)?;
            FileCode::read(&sources.get(file), file)?.function_of(&own, false)
        };
        of().is_some_and(|of| of.parameters.iter().all(|one| one.role != ArgumentRole::Plain))
    }

    /// The edit that takes away the parameters of a function which it does not use, or gives it the one that it lacks.
    fn without_surplus(&self, function: Span, unfit: &Unfit, what: &str) -> Option<(Span, String)> {
        let Unfit::Takes(count) = unfit else { return None };
        let wanted = if what == "rule" { 1 } else { 2 };
        let sources = self.calls.sources();
        let (names, body) = parts::parameters(sources, function)?;
        let body_text = sources.get(body.source).written(body)?.to_owned();
        let surplus = names.get(wanted..).filter(|_| *count == names.len())?;
        let is_used = |span: &Span| {
            let name = sources.get(span.source).written(*span).unwrap_or("*").to_owned();
            !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                || word::whole(&body_text, &name).next().is_some()
        };
        let (kept, last) = (names.get(wanted.checked_sub(1)?)?, surplus.last()?);
        (!surplus.iter().any(is_used)).then(|| (Span { start: kept.end, end: last.end, ..*kept }, String::new()))
    }
}
