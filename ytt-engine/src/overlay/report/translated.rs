//! A matcher function that reads a key which some item lacks: the matcher that says the same and asks for nothing, or the
//! question to put in front.

use super::nearest::COMPARISONS;
use crate::diag::Diagnostic;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::Span;
use crate::template::code::{Binder, FileCode, Function};
use crate::template::outline;
use crate::template::written::{self, CodeStep};
use crate::yaml::{NodeId, Val};

/// Comparisons of one function.
const MOST: usize = 10;

/// What `overlay.subset` is given.
enum Wanted {
    Value(String),
    Map(Vec<(String, Wanted)>),
}

/// The code of a matcher function.
struct Body {
    /// What a matcher can stand in place of: a lambda, or the name of a function.
    whole: Span,
    parameters: Vec<String>,
    /// What it returns, if it does nothing else.
    code: Option<Span>,
    /// Other code may have it too.
    is_shared: bool,
    is_def: bool,
}

/// A question to put in front of a comparison.
struct Guard {
    text: String,
    at: Span,
    new: String,
    /// The comparison asks for what has another value.
    is_of_others: bool,
}

impl Scene<'_> {
    /// What to do where the function of a matcher reads a key that an item lacks.
    pub(super) fn asking_less(&self, mut told: Diagnostic, by: Option<Span>) -> Diagnostic {
        let read = told.parts().trace.first().and_then(|frame| frame.span);
        let body = by.zip(read).and_then(|(by, read)| Some((self.body_around(by, read)?, read)));
        // A key that others have is spelt right.
        if body.as_ref().is_some_and(|(body, read)| self.is_of_others(*read, body)) {
            told.parts_mut().helps.clear();
        }
        // What the answer of another function is for is not known.
        let Some((body, read)) = body else { return told.help("ask for the key first") };
        if let Some(keys) = self.keys_of_right(read, &body) {
            return told.help(format!("write `{keys}` there, to say which one is meant"));
        }
        // In place of a `def` no matcher can stand.
        if let Some(new) = self.as_subset(&body).filter(|_| !body.is_def) {
            let text = "`overlay.subset({…})` compares the same, and takes no item without the key";
            let is_shared = body.is_shared && body.code.is_some_and(|code| body.whole.holds(code));
            let told = told.help_edit(text, body.whole, new);
            return if is_shared { told.guessing() } else { told };
        }
        match self.guard(read, &body) {
            // What lacks the key has another value, too.
            Some(guard) if guard.is_of_others || body.is_shared => {
                told.help_edit(guard.text, guard.at, guard.new).guessing()
            }
            Some(guard) => told.help_edit(guard.text, guard.at, guard.new),
            None => told.help("ask for the key first, and return False where it is not there"),
        }
    }

    /// Whether another item that the matcher is asked about has all keys that code reads of the left one.
    fn is_of_others(&self, read: Span, body: &Body) -> bool {
        let keys = || {
            let path = written::path(self.calls.sources(), read)?;
            (self.written(path.root).as_ref() == body.parameters.get(1)).then_some(())?;
            path.steps.into_iter().map(key_of).collect::<Option<Vec<String>>>()
        };
        let Some(keys) = keys() else { return false };
        let arena = self.arena();
        let has_all = |item: &NodeId| {
            let mut steps = keys.iter();
            steps.try_fold(arena.value(*item), |value, key| {
                Some(arena.value(arena.find_str(arena.map_of(value)?, key)?))
            })
        };
        let around = self.trail.iter().rev().nth(1).map(|step| step.matched.map(|left| arena.value(left.item)));
        let own = match around {
            Some(Some(Val::Node(container))) => vec![container],
            Some(_) => Vec::new(),
            None => self.sets.to_vec(),
        };
        let items = own.iter().flat_map(|container| arena.items(*container)).take(COMPARISONS);
        items.filter_map(has_all).next().is_some()
    }

    /// The matcher that reads: all of an argument, or one of those of which it asks that all match, or any.
    fn body_around(&self, by: Span, read: Span) -> Option<Body> {
        let sources = self.calls.sources();
        let (mut open, mut left) = (vec![self.value_in(by)], MOST);
        while let Some(part) = open.pop() {
            left = left.checked_sub(1)?;
            let body = self.lambda_of(part, read).or_else(|| self.function_of(part, read));
            if let Some(body) = body.or_else(|| self.made_by_call(part, read)) {
                return Some(body);
            }
            let callee = written::callee(sources, part).and_then(|callee| self.written(callee));
            let keeps_answers = matches!(callee.as_deref(), Some("overlay.and_op" | "overlay.or_op"));
            if keeps_answers && self.has_module(part) {
                open.extend(written::call(sources, part)?.into_iter().map(|argument| argument.value));
            }
        }
        None
    }

    /// A lambda that is written there, and reads.
    fn lambda_of(&self, part: Span, read: Span) -> Option<Body> {
        let (names, code) = written::lambda(self.calls.sources(), part)?;
        let parameters = names.into_iter().filter_map(|name| self.written(name)).collect();
        code.holds(read).then_some(Body { whole: part, parameters, code: Some(code), is_shared: false, is_def: false })
    }

    /// The function of a name, if that is what reads.
    fn function_of(&self, part: Span, read: Span) -> Option<Body> {
        let sources = self.calls.sources();
        let name = self.written(part).filter(|name| written::is_dotted(name) && !name.contains('.'))?;
        let here = FileCode::read(&sources.get(part.source), part.source)?;
        let is_here = part.source == read.source;
        let (file, own) = match is_here {
            true => (here.clone(), name.clone()),
            false => {
                let (id, own) = self.home(part.source, &name).filter(|(id, _)| *id == read.source)?;
                (FileCode::read(&sources.get(id), id)?, own)
            }
        };
        let function = file.function_around(read)?;
        let bound = file.bound(if is_here { part } else { function.whole }, &own)?;
        let is_it = match bound.by {
            Binder::Def => function.name == Some(bound.name),
            Binder::Value(value) => value == function.whole,
            _ => false,
        };
        is_it.then_some(())?;
        let is_once = is_here && here.is_bound_once(part, &name);
        let is_shared = !(is_once && here.reads(&name).len() == 1);
        // Where another file has the lambda, the name is what can be replaced.
        let whole = if function.name.is_none() && is_here { function.whole } else { part };
        Some(Body { whole, is_shared, is_def: false, ..self.body_of(&function) })
    }

    /// The function that another one makes, called there with what it compares with.
    fn made_by_call(&self, part: Span, read: Span) -> Option<Body> {
        let sources = self.calls.sources();
        let name = self.written(written::callee(sources, part)?).filter(|name| !name.contains('.'))?;
        let (id, own) = self.home(part.source, &name).filter(|(id, _)| *id == read.source)?;
        let file = FileCode::read(&sources.get(id), id)?;
        let function = file.function_around(read)?;
        (file.function_of(&own, true)? == function).then_some(())?;
        // Whoever calls it elsewhere has it, too.
        Some(Body { is_shared: true, ..self.body_of(&function) })
    }

    fn body_of(&self, function: &Function) -> Body {
        let parameters = function.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        // Nothing but its `return` is between its head and its end.
        let only = |code: Span| {
            let between = self.written(Span { start: function.head.end, end: code.start, ..code })?;
            let words = between.split(|letter: char| letter.is_whitespace() || matches!(letter, '#' | '@' | ':'));
            words.filter(|word| !word.is_empty()).eq(["return"]).then_some(code)
        };
        let code = match (&function.returned[..], function.name) {
            ([code], None) => Some(*code),
            ([code], Some(_)) => only(*code),
            _ => None,
        };
        Body { whole: function.whole, parameters, code, is_shared: false, is_def: function.name.is_some() }
    }

    /// Is `overlay` the module of overlays there?
    fn has_module(&self, place: Span) -> bool {
        let source = self.calls.sources().get(place.source);
        let brought = outline::brought(&source, place.source, "overlay");
        let is_it = brought.is_some_and(|(path, name)| path.name == "@ytt:overlay" && name.own.name == "overlay");
        let bound = || FileCode::read(&source, place.source)?.bound(place, "overlay");
        is_it && bound().is_some_and(|bound| matches!(bound.by, Binder::Load))
    }

    /// The keys that code reads of the right item.
    fn keys_of_right(&self, read: Span, body: &Body) -> Option<String> {
        let path = written::path(self.calls.sources(), read)?;
        (self.written(path.root).as_ref() == body.parameters.get(2)).then_some(())?;
        let keys: Option<Vec<String>> = path.steps.into_iter().map(key_of).collect();
        keys.filter(|keys| !keys.is_empty()).map(|keys| keys.join("."))
    }

    /// Comparisons of what an item has with values that do not depend on it, with nothing but `and` between, as a matcher.
    fn as_subset(&self, body: &Body) -> Option<String> {
        let code = body.code.filter(|_| self.has_module(body.whole))?;
        let (mut wanted, mut open, mut left) = (Wanted::Map(Vec::new()), vec![code], MOST);
        while let Some(code) = open.pop() {
            left = left.checked_sub(1)?;
            let [one, other] = written::operands(self.calls.sources(), code)?;
            let between = self.written(Span { start: one.end, end: other.start, ..one })?;
            match between.trim_matches([' ', '(', ')']) {
                "and" => open.extend([other, one]),
                "==" => {
                    let compared = self.compared(body, one, other).or_else(|| self.compared(body, other, one));
                    let (keys, value) = compared?;
                    wanted.add(&keys, value)?;
                }
                _ => return None,
            }
        }
        Some(format!("overlay.subset({})", wanted.code()))
    }

    /// The keys that code reads of the left item, and the value that it is compared with.
    fn compared(&self, body: &Body, read: Span, value: Span) -> Option<(Vec<String>, String)> {
        let sources = self.calls.sources();
        let path = written::path(sources, read)?;
        let root = self.written(path.root)?;
        (body.parameters.get(1) == Some(&root)).then_some(())?;
        let keys: Vec<String> = path.steps.into_iter().map(key_of).collect::<Option<_>>()?;
        let code = self.written(value)?;
        (!keys.is_empty() && (self.is_scalar(value) || self.is_named_scalar(value, body))).then_some((keys, code))
    }

    /// Is it a text, number or bool that is written out? Of a map or list a subset asks for less than all.
    fn is_scalar(&self, value: Span) -> bool {
        let code = self.written(value).unwrap_or_default();
        written::is_text(self.calls.sources(), value)
            || matches!(&*code, "True" | "False")
            || code.parse::<i64>().is_ok()
    }

    /// Is it a name that has one such value where the matcher is made?
    fn is_named_scalar(&self, value: Span, body: &Body) -> bool {
        let name = self.written(value).unwrap_or_default();
        let file = FileCode::read(&self.calls.sources().get(value.source), value.source);
        let Some(file) = file.filter(|_| body.whole.holds(value) && !body.parameters.contains(&name)) else {
            return false;
        };
        let bound = file.bound(value, &name).filter(|_| file.is_bound_once(value, &name));
        bound.is_some_and(|bound| matches!(bound.by, Binder::Value(set) if self.is_scalar(set)))
    }

    /// The question for the key that is read, and for those behind it, in front of the comparison that reads it: with what
    /// it is for.
    fn guard(&self, read: Span, body: &Body) -> Option<Guard> {
        const WORDS: [&str; 5] = ["or", "not", "if", "for", "lambda"];
        let sources = self.calls.sources();
        let mut part = body.code?;
        for _ in 0..MOST {
            let Some([one, other]) = written::operands(sources, part) else { break };
            let between = self.written(Span { start: one.end, end: other.start, ..part })?;
            match [one, other].into_iter().find(|side| side.holds(read)) {
                Some(side) if between.trim() == "and" => part = side,
                _ => break,
            }
        }
        let code = self.written(part).filter(|_| part.holds(read))?;
        code.split(|letter: char| !letter.is_alphanumeric()).all(|word| !WORDS.contains(&word)).then_some(())?;
        let paths = written::paths(sources, part);
        let whole = paths.into_iter().find(|path| path.start == read.start && path.end >= read.end)?;
        let (known, all) = (written::path(sources, read)?, written::path(sources, whole)?);
        let first = known.steps.len().checked_sub(1)?;
        let mut of = self.written(known.root).filter(|root| body.parameters.get(1) == Some(root))?;
        let mut questions = Vec::new();
        for (number, step) in all.steps.iter().enumerate() {
            let CodeStep::Key(key) = step else { return None };
            let key = quoted::starlark(key);
            if number >= first {
                questions.push(format!("{key} in {of} and "));
            }
            of.push_str(&format!("[{key}]"));
        }
        let asked = questions.concat();
        let shown = asked.trim_end_matches(" and ");
        let is_of_others = code.contains("!=");
        let text = match is_of_others {
            true => format!("if what lacks the key is not meant, ask for it first: `{shown}`"),
            false => format!("ask for the key first: `{shown}`"),
        };
        Some(Guard { text, at: Span { end: part.start, ..part }, new: asked.clone(), is_of_others })
    }
}

fn key_of(step: CodeStep) -> Option<String> {
    match step {
        CodeStep::Key(key) => Some(key),
        _ => None,
    }
}

impl Wanted {
    /// `None` if another value is wanted there.
    fn add(&mut self, keys: &[String], value: String) -> Option<()> {
        let (Some((first, rest)), Wanted::Map(entries)) = (keys.split_first(), &mut *self) else { return None };
        let known = entries.iter_mut().find(|(key, _)| key == first);
        match (known, rest) {
            (Some(_), []) => None,
            (Some((_, inner)), rest) => inner.add(rest, value),
            (None, []) => {
                entries.push((first.clone(), Wanted::Value(value)));
                Some(())
            }
            (None, rest) => {
                let mut inner = Wanted::Map(Vec::new());
                inner.add(rest, value)?;
                entries.push((first.clone(), inner));
                Some(())
            }
        }
    }

    fn code(&self) -> String {
        match self {
            Wanted::Value(value) => value.clone(),
            Wanted::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{}: {}", quoted::starlark(key), value.code())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }
}
