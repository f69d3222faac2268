//! Matchers that `and`, `or` and `not` are written between: these are words of code, which give one of their operands and
//! never ask the other one.

use crate::diag::{Code, Diagnostic};
use crate::overlay::engine::Scene;
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::literal::MATCHERS;
use crate::template::loading::with_load;
use crate::template::{outline, word, written};

/// Functions of the module that take matchers; the last one takes a single one.
pub(super) const COMBINING: [&str; 3] = ["overlay.and_op", "overlay.or_op", "overlay.not_op"];

/// What the module is called unless a file says so.
const MODULE: &str = "overlay";

/// Names and functions that are followed to a matcher.
const STEPS: usize = 4;

/// Lists of arguments with such a word that are read.
const LISTS: usize = 100;

/// Files whose code is looked at.
const FILES: usize = 100;

/// Expressions with such a word that are looked at.
const JOINED: usize = 1_000;

/// Operands of one matcher that are read.
const MOST: usize = 10;

/// Matchers with a word between them.
struct Junction {
    /// All of it.
    value: Span,
    /// The word, and where it stands.
    word: &'static str,
    place: Span,
    /// The operand that nobody asks.
    dropped: Span,
    /// The function that joins them.
    function: String,
    /// What was meant.
    new: String,
}

impl Junction {
    /// The first junction that a matcher is, or that `and_op` and its like are given.
    fn find(sources: &SourceMap, value: Span) -> Option<Junction> {
        let mut open = vec![value];
        for _ in 0..MOST {
            let code = open.pop()?;
            if let Some(found) = Junction::read(sources, code) {
                return Some(found);
            }
            let function = written::callee(sources, code).map(|function| text(sources, function));
            if function.is_some_and(|function| COMBINING.contains(&function.as_str())) {
                open.extend(written::call(sources, code)?.iter().rev().map(|argument| argument.value));
            }
        }
        None
    }

    fn read(sources: &SourceMap, value: Span) -> Option<Junction> {
        let (word, place, [first, second]) = operator(sources, value)?;
        let all = operands(sources, value)?;
        all.iter().all(|one| is_matcher(sources, *one)).then_some(())?;
        // What is true ends `or`, and `and` goes on.
        let dropped = if word == "and" { first } else { second };
        Some(Junction {
            value,
            word,
            place,
            dropped,
            function: joining(MODULE, word),
            new: combined(sources, value, MODULE)?,
        })
    }

    /// The same of code that gives a matcher on each side of the word, whatever runs.
    fn certain(sources: &SourceMap, value: Span) -> Option<Junction> {
        let all = operands(sources, value)?;
        // `not` of a matcher is False, so that another side counts.
        word::whole(&text(sources, value), "not").next().is_none().then_some(())?;
        all.iter().all(|one| is_made(sources, *one, STEPS)).then_some(())?;
        let (word, place, [first, second]) = operator(sources, value)?;
        let dropped = if word == "and" { first } else { second };
        let source = sources.get(value.source);
        let module = module_of(&source, value.source);
        let own = module.as_deref().unwrap_or(MODULE);
        let (function, new) = (joining(own, word), combined(sources, value, own)?);
        let (value, new) = match module {
            Some(_) => (value, new),
            None => with_load(&source, ("@ytt:overlay", MODULE), value, new)?,
        };
        Some(Junction { value, word, place, dropped, function, new })
    }

    fn warning(&self, sources: &SourceMap) -> Diagnostic {
        let text = format!("`{}` between matchers gives one of them", self.word);
        self.told(sources, Diagnostic::warning(Code::OVERLAY_JUNCTION, text)).guessing()
    }

    fn told(&self, sources: &SourceMap, told: Diagnostic) -> Diagnostic {
        let (word, dropped) = (self.word, text(sources, self.dropped));
        let which = if word == "and" { "second" } else { "first" };
        let short = dropped.chars().count() <= SHORT;
        let ignored = if short { format!("`{dropped}`") } else { "the other one".to_owned() };
        let told = told.label(
            self.place,
            format!("`{word}` between two matchers gives just the {which} one: {ignored} is not asked"),
        );
        let bound = bound(sources, self.dropped).map(|bound| bound.0);
        let told = told.label_at(bound, "this matcher is not asked there");
        told.help_edit(format!("join matchers by `{}`", self.function), self.value, &*self.new)
    }
}

/// Characters of an operand that a label shows.
const SHORT: usize = 40;

impl Scene<'_> {
    /// The problem, laid to the word between the matchers of the item at hand.
    pub(super) fn junction(&self, diagnostic: &Diagnostic) -> Option<Diagnostic> {
        let value = self.value_in(self.by_span()?);
        let sources = self.calls.sources();
        let mut told = Junction::find(sources, value)?.told(sources, diagnostic.clone());
        let parts = told.parts_mut();
        parts.helps.drain(..diagnostic.parts().helps.len());
        Some(told)
    }
}

impl Scene<'_> {
    /// A truth value where a matcher is wanted, which comes of `not` in front of one.
    pub(super) fn negated_matcher(&self, told: Diagnostic, argument: Option<Span>) -> Diagnostic {
        let sources = self.calls.sources();
        let Some(value) = argument.map(|argument| self.value_in(argument)) else { return told };
        let all = operands(sources, value).unwrap_or_default();
        let has_word = operator(sources, value).is_some() || negated(sources, value).is_some();
        match combined(sources, value, MODULE).filter(|_| has_word && all.iter().all(|one| is_matcher(sources, *one))) {
            Some(new) => {
                let told = told.relabel("`not` of a matcher is False, as a matcher itself is true");
                told.help_edit("negate what it says", value, new)
            }
            None => told,
        }
    }
}

/// Can arguments have matchers with a word between them?
pub(crate) fn may_join(arguments: &str) -> bool {
    [" and ", " or "].iter().any(|word| arguments.contains(word))
}

/// Warns of matchers with a word between them in such arguments of `overlay/match`: the number of matches may fit all the
/// same.
pub(crate) fn warn_of_junctions(sources: &SourceMap, matches: &[Span]) -> Vec<Diagnostic> {
    let found = matches.iter().take(LISTS).filter_map(|list| {
        let by = written::named(sources, *list, "by")?.value;
        let is_sure = |found: &Junction| {
            operands(sources, found.value).is_some_and(|all| all.iter().all(|one| is_surely_matcher(sources, *one)))
        };
        let found = Junction::find(sources, by).filter(is_sure).or_else(|| Junction::certain(sources, by))?;
        Some(found.warning(sources))
    });
    found.collect()
}

/// The same of code that stands elsewhere, as where a name is set that files load.
pub(crate) fn warn_of_joined(sources: &SourceMap, programs: &[SourceId]) -> Vec<Diagnostic> {
    let loads_it = |file: &SourceId| sources.get(*file).text.as_str().is_some_and(|text| text.contains("@ytt:overlay"));
    if !programs.iter().any(loads_it) {
        return Vec::new();
    }
    let found = programs.iter().take(FILES).flat_map(|file| {
        let source = sources.get(*file);
        let text = source.text.as_str().unwrap_or_default();
        // What is in front of the word is a call, or `overlay.all`.
        let may_join = [") or ", ") and ", ".all or ", ".all and "].iter().any(|part| text.contains(part));
        let code = Some(source).filter(|_| may_join).and_then(|source| FileCode::read(&source, *file));
        code.map(|code| code.joined()).unwrap_or_default()
    });
    let junctions = found.take(JOINED).filter_map(|value| Junction::certain(sources, value)).take(LISTS);
    junctions.map(|junction| junction.warning(sources)).collect()
}

fn text(sources: &SourceMap, span: Span) -> String {
    sources.get(span.source).written(span).unwrap_or_default().to_owned()
}

/// `and` or `or` in code, where it stands, and what is on its sides.
fn operator(sources: &SourceMap, code: Span) -> Option<(&'static str, Span, [Span; 2])> {
    let [first, second] = written::operands(sources, code)?;
    let between = text(sources, Span { end: second.start, start: first.end, ..first });
    let word = ["and", "or"].into_iter().find(|word| between.split_whitespace().any(|part| part == *word))?;
    let at = first.end.saturating_add(to_u32(between.find(word)?));
    Some((word, Span { start: at, end: at.saturating_add(to_u32(word.len())), ..first }, [first, second]))
}

/// What stands between all words of a matcher, without `not`.
fn operands(sources: &SourceMap, code: Span) -> Option<Vec<Span>> {
    let (mut open, mut found) = (vec![code], Vec::new());
    while let Some(code) = open.pop() {
        match operator(sources, code) {
            Some((_, _, sides)) => open.extend(sides),
            None => found.push(negated(sources, code).unwrap_or(code)),
        }
        (found.len().saturating_add(open.len()) <= MOST).then_some(())?;
    }
    Some(found)
}

/// What `not` negates.
fn negated(sources: &SourceMap, code: Span) -> Option<Span> {
    let written = text(sources, code);
    let rest = written.strip_prefix("not ")?.trim_start();
    Some(Span { start: code.start.saturating_add(to_u32(written.len().saturating_sub(rest.len()))), ..code })
}

/// The function that does what a word says.
fn joining(module: &str, word: &str) -> String {
    format!("{module}.{}", if word == "and" { "and_op" } else { "or_op" })
}

/// The matcher that does what the words say.
fn combined(sources: &SourceMap, code: Span, module: &str) -> Option<String> {
    if let Some((word, _, sides)) = operator(sources, code) {
        let function = &*joining(module, word);
        let parts: Vec<String> =
            sides.into_iter().map(|side| combined(sources, side, module)).collect::<Option<_>>()?;
        // `a and b and c` is one of three.
        let same = |part: &String| {
            let inside = part.strip_prefix(function).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
            inside.map_or_else(|| part.clone(), str::to_owned)
        };
        let first = parts.first().map(same)?;
        return Some(format!("{function}({first}, {})", parts.last()?));
    }
    Some(match negated(sources, code) {
        Some(inner) => format!("{module}.not_op({})", text(sources, inner)),
        None => text(sources, code),
    })
}

/// Where a name is bound, and by what.
pub(super) fn bound(sources: &SourceMap, code: Span) -> Option<(Span, Binder)> {
    let name = text(sources, code);
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let bound = FileCode::read(&sources.get(code.source), code.source)?.bound(code, &name).filter(|_| is_name)?;
    Some((bound.name, bound.by))
}

/// The name by which a file has the module.
fn module_of(source: &Source, file: SourceId) -> Option<String> {
    let of_module = outline::loads(source, file).into_iter().filter(|load| load.path.name == "@ytt:overlay");
    let mut names = of_module.flat_map(|load| load.names).filter(|name| name.own.name == MODULE);
    names.next().map(|name| name.here().to_owned())
}

/// Without the parentheses around it.
fn bare(sources: &SourceMap, code: Span) -> Span {
    let written = text(sources, code);
    match written.starts_with('(') && written.ends_with(')') && written::callee(sources, code).is_none() {
        true => Span { start: code.start.saturating_add(1), end: code.end.saturating_sub(1), ..code },
        false => code,
    }
}

/// Does code make a matcher by the module, by a function of the program that does nothing but return one, or by a name that is
/// set to one and to nothing else?
fn is_made(sources: &SourceMap, code: Span, steps: usize) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    let code = bare(sources, code);
    let source = sources.get(code.source);
    let Some(file) = FileCode::read(&source, code.source) else { return false };
    let callee = written::callee(sources, code);
    let name = text(sources, callee.unwrap_or(code));
    if let Some((module, member)) = name.split_once('.') {
        let is_matcher = if callee.is_some() { MATCHERS.contains(&member) } else { member == "all" };
        let is_loaded = || file.bound(code, module).is_some_and(|bound| bound.by == Binder::Load);
        return is_matcher && module_of(&source, code.source).as_deref() == Some(module) && is_loaded();
    }
    let is_once = |bound: &Bound| file.is_bound_once(code, &name) && bound.name.source == code.source;
    match (file.bound(code, &name).filter(is_once).map(|bound| bound.by), callee) {
        (Some(Binder::Value(value)), None) => is_made(sources, value, steps),
        (Some(Binder::Def), Some(_)) => returns_matcher(sources, (code.source, &name), steps),
        (Some(Binder::Load), Some(_)) => outline::home(sources, code.source, &name)
            .is_some_and(|(home, own)| home != code.source && returns_matcher(sources, (home, &own), steps)),
        _ => false,
    }
}

/// Does a function return a matcher, and end in no other way?
fn returns_matcher(sources: &SourceMap, (file, name): (SourceId, &str), steps: usize) -> bool {
    let Some(code) = FileCode::read(&sources.get(file), file) else { return false };
    let Some(function) = code.only_function(name) else { return false };
    let has_end = code.gives_nodes(&function) || code.ends(&function).is_some();
    !has_end && matches!(function.returned[..], [value] if is_made(sources, value, steps))
}

/// Is it a matcher whatever runs? A function, or a name with a condition, may give None, for which `or` has another one.
fn is_surely_matcher(sources: &SourceMap, code: Span) -> bool {
    let is_whole = |code: &str| {
        let of_module = code.starts_with("overlay.") || code.starts_with("lambda ");
        of_module && ![" if ", " or ", " and "].iter().any(|word| code.contains(word))
    };
    let name = text(sources, code);
    let is_set_once = || {
        let file = FileCode::read(&sources.get(code.source), code.source);
        file.is_some_and(|file| file.is_bound_once(code, &name))
    };
    is_whole(&name)
        || matches!(bound(sources, code), Some((_, Binder::Value(value))) if is_whole(&text(sources, value)) && is_set_once())
}

/// Is it most likely a matcher? `data.values.key or "name"` gives the key to compare.
fn is_matcher(sources: &SourceMap, code: Span) -> bool {
    let of_module = |code: &str| code.starts_with("overlay.") || code.starts_with("lambda ");
    // What a function of the file gives is one beside others.
    let called = written::callee(sources, code);
    of_module(&text(sources, code))
        || match bound(sources, called.unwrap_or(code)) {
            Some((_, Binder::Value(value))) => of_module(&text(sources, value)),
            Some((_, Binder::Def)) => true,
            _ => false,
        }
}
