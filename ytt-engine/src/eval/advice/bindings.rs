//! Values of another kind than code expects that come from a name: the line that binds the name, and what is meant.
//!
//! A loop over a dict gives its keys, one over its `items()` pairs; a function may give several values; a parameter may
//! have the name of a built-in.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets and lines are those of code in a source, which has fewer than 2³¹ bytes"
)]

use std::sync::Arc;

use super::super::host::Host;
use super::super::scope::SourceUnit;
use super::calls::{self, article};
use super::operands::data_path;
use super::{apart, code_of, fields, frozen, functions, keyed, operands, place_at, structs, texts};
use crate::diag::{Diagnostic, Fact, NoteKind};
use crate::quoted;
use crate::source::{LineBreaks, Source, Span, to_u32};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::written::{self, Argument};
use crate::template::{outline, word};
use crate::yaml::Val;

/// Names that are followed to what they are set to.
const STEPS: usize = 5;

/// Functions of modules that give two values.
const PAIRS: [(&str, [&str; 2]); 2] =
    [("ip.parse_cidr", ["address", "network"]), ("assert.try_to", ["value", "error"])];

/// What a loop goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Series {
    /// A dict: its keys.
    Keys,
    /// A struct: its keys.
    Fields,
    /// `items()`.
    Items,
    /// `enumerate(…)`.
    Numbered,
    List,
    Unknown,
}

/// The file that a problem is in, as far as advice looks at it.
struct Scene<'a, 'v> {
    host: &'a Host<'v>,
    unit: &'a SourceUnit,
    data: Val,
    code: Arc<FileCode>,
    source: std::sync::Arc<Source>,
}

/// Adds to a problem of a value of the wrong kind where the name that holds it is bound.
pub(super) fn tell(host: &Host<'_>, unit: &SourceUnit, data: Val, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(fact) = problem.parts().fact.clone() else { return };
    let source = host.sources.get(place.source);
    if !host.may_advise(source.text.as_bytes().len()) {
        return;
    }
    let Some(code) = FileCode::read(&source, place.source) else { return };
    let scene = Scene { host, unit, data, code, source };
    let sources = &host.sources;
    let told = match &fact {
        Fact::NoMember { near: Some(_), .. } => None,
        Fact::NoMember { kind, name, near: None, .. } => {
            written::receiver(sources, place).and_then(|of| scene.no_field(problem, of, (kind, name)))
        }
        Fact::NotIndexed { kind } => written::indexed(sources, place).and_then(|of| scene.of_kind(problem, of, kind)),
        Fact::NotIterable { kind } => scene.not_gone_through(problem, place, kind),
        Fact::NotCallable { kind } => written::callee(sources, place).and_then(|of| scene.called(problem, of, kind)),
        Fact::Operands { left, right, .. } => written::operands(sources, place).and_then(|[first, second]| {
            let (of, kind) = if is_plain(right) || is_function(left) { (first, left) } else { (second, right) };
            scene.of_kind(problem, of, kind)
        }),
        Fact::NotUnpacked { .. } => scene.unpacked(problem, place),
        Fact::Frozen { kind } => scene.frozen(problem, place, kind),
        _ => None,
    };
    if let Some(told) = told {
        *problem = told;
    }
}

/// A text or a number, which operators take.
fn is_plain(kind: &str) -> bool {
    matches!(kind, "string" | "int" | "float" | "bool")
}

fn is_function(kind: &str) -> bool {
    matches!(kind, "function" | "builtin_function_or_method")
}

fn is_name(code: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    !code.starts_with(|first: char| first.is_ascii_digit()) && !code.is_empty() && code.chars().all(part)
}

/// Marks a value, and says what it is.
fn marked(problem: &Diagnostic, span: Span, kind: &str) -> Diagnostic {
    let mut told = problem.clone().relabel(format!("this is {}", article(kind)));
    place_at(&mut told, span);
    told
}

impl Scene<'_, '_> {
    fn text(&self, span: Span) -> String {
        code_of(&self.host.sources, span)
    }

    fn bound(&self, place: Span) -> Option<(String, Bound)> {
        let name = self.text(place);
        let bound = is_name(&name).then(|| self.code.bound(place, &name))??;
        Some((name, bound))
    }

    /// What a loop cannot go over: a number is counted up to.
    fn not_gone_through(&self, problem: &Diagnostic, of: Span, kind: &str) -> Option<Diagnostic> {
        let told = self.of_kind(problem, of, kind);
        if kind == "string" {
            return told.map(|told| self.one_of_a_list(problem, told, of));
        }
        if kind != "int" {
            return told;
        }
        let told = told.unwrap_or_else(|| marked(problem, of, kind));
        let code = self.text(of);
        let help = format!("to count up to it, go over `range({code})`");
        Some(if told.parts().helps.is_empty() { told.help_edit(help, of, format!("range({code})")) } else { told })
    }

    /// A text that a call gives to a parameter which a loop goes over: a list of it alone.
    fn one_of_a_list(&self, problem: &Diagnostic, told: Diagnostic, of: Span) -> Diagnostic {
        let given = self.bound(of).and_then(|(_, bound)| match bound.by {
            Binder::Parameter(Some(function)) => self.given(problem, function, bound.name),
            _ => None,
        });
        let code = |given: Span| code_of(&self.host.sources, given);
        // What stands elsewhere may be several texts in one.
        match given.filter(|given| told.parts().helps.is_empty() && code(*given).contains('"')) {
            Some(given) => {
                let new = format!("[{}]", code(given));
                told.help_edit("to give it alone, put it into a list", given, new).guessing().if_it_mends()
            }
            None => told,
        }
    }

    /// A value of this kind that a name holds.
    fn of_kind(&self, problem: &Diagnostic, of: Span, kind: &str) -> Option<Diagnostic> {
        let told = marked(problem, of, kind);
        if is_function(kind) {
            // A parameter is what the call gives.
            let given = self.bound(of).and_then(|(_, bound)| match bound.by {
                Binder::Parameter(Some(function)) => self.given(problem, function, bound.name),
                _ => None,
            });
            return Some(match given {
                Some(given) => {
                    let told =
                        told.label(given, format!("a function is given here, not what `{}` gives", self.text(given)));
                    functions::uncalled(&self.host.sources, told, given)
                }
                None => functions::uncalled(&self.host.sources, told, of),
            });
        }
        let (name, bound) = self.bound(of)?;
        let is = article(kind);
        Some(match bound.by {
            Binder::Loop { vars, over } => self.turn(told, &name, kind, (vars, over)),
            Binder::Value(value) => {
                let told = told.label(bound.name, format!("`{name}` is set to {is} here"));
                match kind {
                    "tuple" => self.pair(told, &name, bound.name, value),
                    "string" => texts::text_of_file(self.host, self.unit, told, value),
                    _ => told,
                }
            }
            Binder::Part(value) => {
                let whole = Span { end: value.end, ..bound.name };
                told.label(whole, format!("`{name}` is one of the values of this"))
            }
            Binder::Parameter(function) => {
                let told = told.label(bound.name, format!("`{name}` is a parameter"));
                let given = function.and_then(|function| self.given(problem, function, bound.name));
                told.label_at(given, format!("{is} is given here"))
            }
            Binder::Load => told.label(bound.name, format!("`{name}` is loaded here")),
            Binder::Def => told.label(bound.name, format!("`{name}` is a function")),
        })
    }

    /// A member that a value does not have, which may be a key.
    fn no_field(&self, problem: &Diagnostic, of: Span, (kind, name): (&str, &str)) -> Option<Diagnostic> {
        let place = problem.parts().labels.first()?.span;
        let told = self.of_kind(problem, of, kind);
        let told = match self.swapped(problem, of) {
            Some((span, new)) => {
                let told = told.unwrap_or_else(|| marked(problem, of, kind));
                Some(told.help_edit("did you mean the arguments in the other order?", span, new).if_it_mends())
            }
            None => told,
        };
        if let (true, Some((span, new))) = (name == "join", self.joined(of, place)) {
            let told = told.unwrap_or_else(|| marked(problem, of, kind));
            return Some(told.help_edit("`join` is asked of the separator", span, new));
        }
        if let (true, Some((span, new))) = (kind == "list", self.in_order(of, name)) {
            let told = told.unwrap_or_else(|| marked(problem, of, kind));
            return Some(told.help_edit("a list is not put into order where it is: a new one is made", span, new));
        }
        let is_whole = self.text(place) == format!("{}.{name}", self.text(of));
        // What YAML has is called by nobody.
        let line = self.source.line_range(self.source.line(place.end));
        let behind = self.text(Span { start: place.end, end: line.end, ..place });
        let is_called = kind == "yamlfragment" && behind.trim_start().starts_with('(');
        if !is_whole || is_called || !matches!(kind, "dict" | "yamlfragment") {
            return told;
        }
        let told = told.unwrap_or_else(|| marked(problem, of, kind));
        let new = format!("[{}]", quoted::go(name.as_bytes()));
        let edit = (Span { start: of.end, ..place }, new);
        Some(match kind {
            "dict" => fields::told(self.host, self.data, told, (of, name), edit),
            // It may be a method of dicts that is not called.
            _ => {
                // Nor has what is below it, or what else is read of it.
                let (span, new) = self.code.chains_as_keys(of).unwrap_or(edit);
                told.help_edit("YAML has keys, no fields", span, new).if_it_mends()
            }
        })
    }

    /// `items.join(",")` as `",".join(items)`.
    fn joined(&self, of: Span, place: Span) -> Option<(Span, String)> {
        let line = self.source.line_range(self.source.line(place.end));
        let behind = self.text(Span { start: place.end, end: line.end, ..place });
        let ends = behind.match_indices(')').filter_map(|(at, _)| place.end.checked_add(to_u32(at))?.checked_add(1));
        ends.map(|end| Span { end, ..of }).find_map(|whole| {
            let given = written::call(&self.host.sources, whole)?;
            let [separator] = &given[..] else { return None };
            Some((whole, format!("{}.join({})", self.text(separator.value), self.text(of))))
        })
    }

    /// `names.sort()` as `names = sorted(names)`.
    fn in_order(&self, of: Span, name: &str) -> Option<(Span, String)> {
        let function = match name {
            "sort" => "sorted",
            "reverse" => "reversed",
            _ => return None,
        };
        let list = self.text(of);
        let written = format!("{list}.{name}()");
        let call = Span { end: of.start.checked_add(to_u32(written.len()))?, ..of };
        // What is set in a function is its own from its first line on.
        let can_be_set = self.code.function_around(call).is_none_or(|function| {
            let bound = self.code.bound(of, &list).map(|bound| bound.name);
            bound.is_some_and(|name| function.whole.start <= name.start && name.end <= function.whole.end)
        });
        let is_alone = outline::is_statement(&self.source, call) && is_name(&list) && can_be_set;
        (is_alone && self.text(call) == written).then(|| (call, format!("{list} = {function}({list})")))
    }

    /// The argument that the call of a function gives for a parameter.
    fn given(&self, problem: &Diagnostic, function: Span, parameter: Span) -> Option<Span> {
        let sources = &self.host.sources;
        let given = written::call(sources, problem.parts().trace.get(1)?.span?)?;
        calls::argument_for(sources, &self.code.function_at(function.start)?.parameters, &self.text(parameter), &given)
    }

    /// The two arguments of the call that gave a parameter its value, in the other order.
    fn swapped(&self, problem: &Diagnostic, of: Span) -> Option<(Span, String)> {
        let (_, bound) = self.bound(of)?;
        let Binder::Parameter(Some(function)) = bound.by else { return None };
        self.given(problem, function, bound.name)?;
        let call = problem.parts().trace.get(1)?.span?;
        let given = <[Argument; 2]>::try_from(written::call(&self.host.sources, call)?).ok()?;
        if given.iter().any(|argument| argument.name.is_some()) {
            return None;
        }
        let [first, second] = given.map(|argument| argument.value);
        let between = Span { start: first.end, end: second.start, ..first };
        let new = format!("{}{}{}", self.text(second), self.text(between), self.text(first));
        Some((Span { end: second.end, ..first }, new))
    }

    /// Two values that are taken for one.
    fn pair(&self, told: Diagnostic, name: &str, set: Span, value: Span) -> Diagnostic {
        let code = self.text(value);
        let known =
            PAIRS.iter().find(|(function, _)| code.strip_prefix(function).is_some_and(|rest| rest.starts_with('(')));
        let Some((function, [first, second])) = known else {
            return told.help(format!("name its parts, as in `{name}, other = …`, or take one: `{name}[0]`"));
        };
        let mut told = told;
        if let Some(label) = told.parts_mut().labels.last_mut() {
            label.text = format!("`{function}` gives two values: {first} and {second}");
        }
        told.help_edit(
            format!("name both: `{name}` is the {first} then"),
            set,
            format!("{name}, {}", self.free(second)),
        )
    }

    /// Data values whose values are maps, none of which has this field.
    fn no_value_has(&self, code: &str, field: &str) -> bool {
        let value = operands::value_of(self.host, self.data, &self.source, code);
        let arena = self.host.arena.borrow();
        let map = value.and_then(|(value, _)| arena.map_of(value));
        map.is_some_and(|map| {
            let mut values = arena.items(map).iter().map(|item| arena.map_of(arena.value(*item)));
            values.all(|inner| inner.is_some_and(|inner| arena.find_str(inner, field).is_none()))
        })
    }

    /// A name that the file does not have yet.
    fn free(&self, name: &str) -> String {
        let text = self.source.text.as_str().unwrap_or_default();
        let mut free = name.to_owned();
        while word::whole(text, &free).next().is_some() {
            free.push('_');
        }
        free
    }

    /// A variable of a loop that is of another kind than expected.
    fn turn(&self, told: Diagnostic, name: &str, kind: &str, (vars, over): (Span, Span)) -> Diagnostic {
        let code = self.text(over);
        let whole = Span { end: over.end, ..vars };
        match (self.series(over, STEPS), kind) {
            _ if self.text(vars) != name => told.label(whole, format!("`{name}` is {} here", article(kind))),
            (Series::Items, "tuple") => {
                let told = told.label(whole, format!("`items()` gives pairs: each `{name}` is a key with its value"));
                told.help_edit(
                    format!("name both: `{name}` is the value then"),
                    vars,
                    format!("{}, {name}", self.free("key")),
                )
            }
            (Series::Numbered, "tuple") => {
                let told =
                    told.label(whole, format!("`enumerate` gives pairs: each `{name}` is a number with an item"));
                told.help_edit(
                    format!("name both: `{name}` is the item then"),
                    vars,
                    format!("{}, {name}", self.free("number")),
                )
            }
            (Series::Fields, "string") => {
                let of = told.parts().labels.first().map(|label| label.span);
                let told = told.label(whole, format!("iterating over a struct gives its keys: each `{name}` is a key"));
                let field = match &told.parts().fact {
                    Some(Fact::NoMember { name, .. }) => Some(name.clone()),
                    _ => None,
                };
                let has = |field: &str| !self.no_value_has(&code, field);
                let whole_loop = field
                    .as_deref()
                    .and_then(|field| keyed::by_key(&self.source, &self.code, (vars, over), field, &has));
                if let Some((place, new)) = whole_loop {
                    let told = told.help_edit("give the key a name of its own, and take the value by it", place, new);
                    return told.guessing();
                }
                match field.zip(of).filter(|(field, _)| self.no_value_has(&code, field)) {
                    Some((field, of)) => {
                        let end = of.end.saturating_add(to_u32(field.len())).saturating_add(1);
                        let whole = Span { end, ..of };
                        let is_written = self.text(whole) == format!("{name}.{field}");
                        let text =
                            format!("`{name}` is the key itself, and no value of `{code}` has a field `{field}`");
                        told.edit_at(text, Some(whole).filter(|_| is_written), name).guessing()
                    }
                    None => told.edit_at("take the value by its key", of, format!("{code}[{name}]")),
                }
            }
            (Series::Keys, "string") => {
                let told = told.label(whole, format!("iterating over a dict gives its keys: each `{name}` is a key"));
                let dict = code.strip_suffix(".keys()").unwrap_or(&code);
                let told = told.help_edit("go over its values", over, format!("{dict}.values()"));
                told.help(format!("if the value of one key is meant, go over that: `{dict}[…]`"))
            }
            (Series::Unknown, "string") => {
                let text = format!("each `{name}` is a text: if `{code}` is a dict, iterating over it gives its keys");
                told.label(whole, text)
            }
            _ => told.label(whole, format!("each `{name}` is {} here", article(kind))),
        }
    }

    /// A loop or an assignment to several names that gets another number of values.
    fn unpacked(&self, problem: &Diagnostic, place: Span) -> Option<Diagnostic> {
        let names = self.text(place);
        let first = names.split(',').next()?.trim_start_matches('(').trim();
        let Binder::Loop { vars, over } = self.code.bound(place, first)?.by else { return None };
        if vars != place {
            return None;
        }
        let told = problem.clone();
        // What is sorted is what counts: a list of its items, pairs if it gives pairs.
        let sorted = self.text(over).strip_prefix("sorted(").and_then(|inner| {
            let inner = inner.strip_suffix(')').filter(|inner| !inner.contains(['(', ',']))?;
            let start = over.start + "sorted(".len() as u32;
            Some(Span::new(over.source, start, start + inner.len() as u32))
        });
        let (whole, over) = (over, sorted.unwrap_or(over));
        if let Some((row, text)) = apart::written_out(&self.host.sources, over, names.split(',').count()) {
            return Some(told.label(row, text));
        }
        let code = self.text(over);
        Some(match self.series(over, STEPS) {
            Series::Keys => {
                let told = told.label(over, "iterating over a dict gives its keys");
                let dict = code.strip_suffix(".keys()").unwrap_or(&code);
                told.help_edit("go over keys and values", over, format!("{dict}.items()"))
            }
            Series::Fields => {
                let told = told.label(over, "iterating over a struct gives its keys");
                let new = format!("struct.decode({code}).items()");
                structs::decoded(&self.source, told, "go over keys and values", over, new)
            }
            Series::List => {
                let told = told.label(over, "iterating over a list gives its items, one at a time");
                // Pairs that are sorted would be in the order of their numbers again.
                let new = format!("enumerate({})", self.text(whole));
                told.help_edit("go over the items with their numbers", whole, new).guessing()
            }
            Series::Items | Series::Numbered => told.label(over, "this gives pairs"),
            Series::Unknown if whole != over => told.label(over, "each turn gets one item of this").help(format!(
                "`sorted` gives a list: `enumerate({})` gives its items with their numbers",
                self.text(whole)
            )),
            Series::Unknown => told
                .label(over, "each turn gets one item of this")
                .help(format!("a dict gives pairs by `{code}.items()`, a list by `enumerate({})`", self.text(whole))),
        })
    }

    /// What a loop goes over, as far as code and data values tell.
    fn series(&self, over: Span, steps: usize) -> Series {
        let code = self.text(over);
        let inner = |function: &str| code.strip_prefix(function).is_some_and(|rest| rest.starts_with('('));
        let is_called = |method: &str| code.ends_with(method);
        match code.as_str() {
            _ if is_called(".items()") => Series::Items,
            _ if inner("enumerate") => Series::Numbered,
            _ if is_called(".keys()") => Series::Keys,
            _ if is_called(".values()") || inner("range") || code.starts_with('[') => Series::List,
            _ if code.starts_with('{') || inner("dict") => Series::Keys,
            _ if inner("struct.decode") => {
                let of = code.strip_prefix("struct.decode(").and_then(|of| of.strip_suffix(')'));
                let of = of.and_then(|of| self.in_data(of));
                if of == Some(Series::List) { Series::List } else { Series::Keys }
            }
            _ => match self.in_data(&code) {
                Some(series) => series,
                None if !is_name(&code) => Series::Unknown,
                None => match self.code.bound(over, &code) {
                    Some(Bound { by: Binder::Value(value), .. }) if steps > 0 => {
                        match self.series(value, steps.saturating_sub(1)) {
                            Series::Unknown if self.has_keys(&code) => Series::Keys,
                            series => series,
                        }
                    }
                    _ if self.has_keys(&code) => Series::Keys,
                    _ => Series::Unknown,
                },
            },
        }
    }

    /// Does the file take a value of a name by a text?
    fn has_keys(&self, name: &str) -> bool {
        let text = self.source.text.as_str().unwrap_or_default();
        word::whole(text, name).any(|at| text.get(at + name.len()..).is_some_and(|behind| behind.starts_with("[\"")))
    }

    /// What a path of data values leads to.
    fn in_data(&self, code: &str) -> Option<Series> {
        let names = data_path(&self.source, code)?;
        let arena = self.host.arena.borrow();
        let mut at = self.data;
        for name in &names {
            let Val::Node(map) = at else { return None };
            at = arena.value(arena.find_str(map, name)?);
        }
        let Val::Node(id) = at else { return None };
        match arena.map_of(at) {
            Some(_) => Some(Series::Fields),
            None => (arena.count(id) > 0).then_some(Series::List),
        }
    }

    /// A value that is no function, where it is called.
    fn called(&self, problem: &Diagnostic, of: Span, kind: &str) -> Option<Diagnostic> {
        let (name, bound) = self.bound(of)?;
        if !(self.host.is_builtin)(&name) {
            return self.of_kind(problem, of, kind);
        }
        let what = match bound.by {
            Binder::Loop { .. } => "variable",
            Binder::Parameter(_) => "parameter",
            _ => "value",
        };
        let told = marked(problem, of, kind);
        let told = told.label(bound.name, format!("this {what} hides the built-in function `{name}`"));
        Some(told.help(format!("give the {what} another name than `{name}`")))
    }

    /// A list or dict of a file that was loaded, which is to be changed.
    fn frozen(&self, problem: &Diagnostic, place: Span, kind: &str) -> Option<Diagnostic> {
        let sources = &self.host.sources;
        let changed = written::changed(sources, place)?;
        let code = self.text(changed);
        let end = code.find(['.', '[']).unwrap_or(code.len());
        let root = Span { end: changed.start + end as u32, ..changed };
        let (mut told, mut at) = (marked(problem, changed, kind).relabel("this cannot be changed"), root);
        told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
        // Above what a copy may be made.
        let mut own = None;
        for step in 0..STEPS {
            let Some((name, bound)) = self.bound(at) else { break };
            match bound.by {
                Binder::Value(value) => {
                    let set_to = self.text(value);
                    let path = set_to.split(['.', '[']).next().unwrap_or_default();
                    if !is_name(path) || set_to.contains('(') {
                        own = Some(changed);
                        told = told.label(bound.name, format!("`{name}` is set here: what is in it is no copy"));
                        break;
                    }
                    told = told.label(bound.name, format!("`{name}` is no copy: it is the same as `{set_to}`"));
                    if step == 0 && root == changed {
                        told = told.help_edit(format!("make a copy: `{kind}(…)`"), value, format!("{kind}({set_to})"));
                    }
                    at = Span { end: value.start + path.len() as u32, ..value };
                }
                Binder::Load => {
                    let text = format!("`{name}` belongs to the loaded file, and cannot be changed");
                    told = frozen::set(sources, told.label(bound.name, text), place.source, &name);
                    break;
                }
                Binder::Parameter(function) => {
                    own = function.and_then(|function| self.body(function)).or(Some(changed));
                    told = told.label(bound.name, format!("`{name}` is a parameter"));
                    let given = function.and_then(|function| self.given(problem, function, bound.name));
                    if let Some(given) = given {
                        told = frozen::given(self.host, self.data, told, (given, bound.name));
                    }
                    break;
                }
                Binder::Loop { vars, over } => {
                    own = Some(changed);
                    let whole = Span { end: over.end, ..vars };
                    told = told.label(whole, format!("each `{name}` belongs to this"));
                    let path = self.text(over);
                    let end = path.find(['.', '[', '(']).unwrap_or(path.len());
                    at = Span { end: over.start + end as u32, ..over };
                }
                Binder::Part(_) | Binder::Def => break,
            }
        }
        if told.parts().helps.is_empty() {
            told = match own.and_then(|own| self.line_above(own, &format!("{code} = {kind}({code})"))) {
                Some((span, line)) => told.help_edit(format!("make a copy first: `{kind}(…)`"), span, line).guessing(),
                None => told.help(format!("make a copy under another name, `… = {kind}({code})`, and change that")),
            };
        }
        Some(told)
    }

    /// Where the first statement of a function stands, if its line begins with it.
    fn body(&self, function: Span) -> Option<Span> {
        let head = self.code.function_at(function.start)?.head;
        let line = self.source.line_range(self.source.line(head.end) + 1);
        let text = self.source.written(Span { start: line.start, end: line.end, ..head })?;
        let code = text.trim_start();
        let code = match code.strip_prefix("#@") {
            Some(marked) if marked.starts_with(' ') => marked.trim_start(),
            None if self.source.breaks == LineBreaks::Plain => code,
            _ => return None,
        };
        let start = line.start + (text.len() - code.len()) as u32;
        (!code.is_empty()).then_some(Span { start, end: start, ..head })
    }

    /// The edit that puts a statement above the one at a place, if that begins its line.
    fn line_above(&self, place: Span, statement: &str) -> Option<(Span, String)> {
        let start = self.source.line_range(self.source.line(place.start)).start;
        let before = self.source.written(Span { start, end: place.start, ..place })?;
        let is_start = matches!(before.trim(), "" | "#@");
        is_start.then(|| (Span { start, end: start, ..place }, format!("{before}{statement}\n")))
    }
}
