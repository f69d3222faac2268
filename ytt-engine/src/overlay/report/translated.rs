//! A matcher function that reads a key which some item lacks: the matcher that says the same and asks for nothing, or the
//! question to put in front.

use crate::diag::Diagnostic;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::Span;
use crate::template::code::FileCode;
use crate::template::outline;
use crate::template::written::{self, CodeStep};

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
    whole: Option<Span>,
    parameters: Vec<String>,
    /// What it returns.
    code: Span,
    /// Other code may have it too.
    is_shared: bool,
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
    pub(super) fn asking_less(&self, told: Diagnostic, by: Option<Span>) -> Diagnostic {
        let read = told.parts().trace.first().and_then(|frame| frame.span);
        let Some(body) = by.zip(read).and_then(|(by, read)| self.body_around(by, read)) else {
            return told.help("ask for the key first, and return False where it is not there");
        };
        let told = match self.as_subset(&body) {
            Some((whole, new)) => {
                told.help_edit("`overlay.subset({…})` compares the same, and takes no item without the key", whole, new)
            }
            None => match read.and_then(|read| self.guard(read, &body)) {
                // What lacks the key has another value, too.
                Some(guard) if guard.is_of_others => return told.help_edit(guard.text, guard.at, guard.new).guessing(),
                Some(guard) => told.help_edit(guard.text, guard.at, guard.new),
                None => return told.help("ask for the key first, and return False where it is not there"),
            },
        };
        if body.is_shared { told.guessing() } else { told }
    }

    /// The function that reads, if it does nothing but return.
    fn body_around(&self, by: Span, read: Span) -> Option<Body> {
        let sources = self.calls.sources();
        let value = self.value_in(by);
        let name = self.written(value)?;
        if by.holds(read) {
            return self.lambda_within(value, read);
        }
        let parameters = self.parameters_around(read, Some(by));
        let matcher = FileCode::read(&sources.get(by.source), by.source)?;
        let function = match by.source == read.source {
            true => matcher.function_around(read)?,
            false => FileCode::read(&sources.get(read.source), read.source)?.function_around(read)?,
        };
        let [code] = function.returned[..] else { return None };
        let is_only_reader = by.source == read.source && matcher.reads(&name).len() == 1;
        let is_shared = !(is_only_reader && matcher.is_bound_once(value, &name));
        let Some(own) = function.name else {
            return Some(Body { whole: Some(function.whole), parameters, code, is_shared });
        };
        // Nothing but its `return` is between its head and its end.
        let between = self.written(Span { start: function.head.end, end: code.start, ..code })?;
        let words = between.split(|letter: char| letter.is_whitespace() || matches!(letter, '#' | '@' | ':'));
        (words.filter(|word| !word.is_empty()).eq(["return"])).then_some(())?;
        let is_named = own.source == by.source && self.written(own)? == name && matcher.is_bound_once(value, &name);
        Some(Body { whole: is_named.then_some(value), parameters, code, is_shared: is_shared && !is_named })
    }

    /// The lambda of an argument that reads: all of it, or one of the matchers that it combines.
    fn lambda_within(&self, mut value: Span, read: Span) -> Option<Body> {
        let sources = self.calls.sources();
        for _ in 0..MOST {
            if let Some((names, code)) = written::lambda(sources, value) {
                let parameters = names.into_iter().filter_map(|name| self.written(name)).collect();
                return Some(Body { whole: Some(value), parameters, code, is_shared: false });
            }
            let given = written::call(sources, value)?;
            value = given.into_iter().map(|argument| argument.value).find(|value| value.holds(read))?;
        }
        None
    }

    /// Comparisons of what an item has with values that do not depend on it, with nothing but `and` between, as a matcher.
    fn as_subset(&self, body: &Body) -> Option<(Span, String)> {
        let whole = body.whole?;
        outline::brought(&self.calls.sources().get(whole.source), whole.source, "overlay")?;
        let (mut wanted, mut open, mut left) = (Wanted::Map(Vec::new()), vec![body.code], MOST);
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
        Some((whole, format!("overlay.subset({})", wanted.code())))
    }

    /// The keys that code reads of the left item, and the value that it is compared with.
    fn compared(&self, body: &Body, read: Span, value: Span) -> Option<(Vec<String>, String)> {
        let sources = self.calls.sources();
        let path = written::path(sources, read)?;
        let root = self.written(path.root)?;
        (body.parameters.get(1) == Some(&root)).then_some(())?;
        let key = |step: CodeStep| match step {
            CodeStep::Key(key) => Some(key),
            _ => None,
        };
        let keys: Vec<String> = path.steps.into_iter().map(key).collect::<Option<_>>()?;
        let code = self.written(value)?;
        let of_file = || {
            let root = self.written(written::path(sources, value)?.root)?;
            // Names of a function are not known where the matcher is made.
            (body.whole?.holds(value) && !body.parameters.contains(&root)).then_some(())
        };
        let is_literal = written::is_text(sources, value) || code.parse::<i64>().is_ok();
        (!keys.is_empty() && !matches!(&*code, "None") && (is_literal || of_file().is_some())).then_some((keys, code))
    }

    /// The question for the key that is read, and for those behind it, in front of the comparison that reads it: with what
    /// it is for.
    fn guard(&self, read: Span, body: &Body) -> Option<Guard> {
        const WORDS: [&str; 5] = ["or", "not", "if", "for", "lambda"];
        let sources = self.calls.sources();
        let mut part = body.code;
        for _ in 0..MOST {
            let Some([one, other]) = written::operands(sources, part) else { break };
            let between = self.written(Span { start: one.end, end: other.start, ..part })?;
            match [one, other].into_iter().find(|side| side.holds(read)) {
                Some(side) if between.trim() == "and" => part = side,
                _ => break,
            }
        }
        let code = self.written(part).filter(|_| part.holds(read))?;
        code.split([' ', '(', ')', '\n']).all(|word| !WORDS.contains(&word)).then_some(())?;
        let paths = written::paths(sources, part);
        let whole = paths.into_iter().find(|path| path.start == read.start && path.end >= read.end)?;
        let (known, all) = (written::path(sources, read)?, written::path(sources, whole)?);
        let first = known.steps.len().checked_sub(1)?;
        let mut of = self.written(known.root)?;
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
