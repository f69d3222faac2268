//! A default that the project has for a value and that nothing reads: it was meant for where the value is None.

use super::super::host::Host;
use super::operands::items_named;
use super::{code_of, helpers};
use crate::diag::{Diagnostic, Fact, Help, Label};
use crate::nearest::{folded, only};
use crate::source::{SourceId, Span};
use crate::template::code::FileCode;
use crate::template::snippet::ArgumentRole;
use crate::template::written::{self, CodeStep};
use crate::template::{outline, word};
use crate::yaml::{NodeId, Val};

/// A value that was probably meant.
struct Default {
    code: String,
    label: Label,
    /// It is of a file that knows nothing of the code.
    is_guess: bool,
}

/// What a default is looked for.
struct Sought<'s> {
    place: Span,
    field: &'s str,
    /// Where it is in the data values, if that is known.
    group: Option<&'s str>,
    is_iterated: bool,
}

impl Sought<'_> {
    /// Is what a group has for the field meant for this value: in its own group or one around that, where there is no
    /// other of its name?
    fn is_meant(&self, group: &str, fields: &[(String, NodeId)]) -> bool {
        let rest = self.group.unwrap_or_default().strip_prefix(group);
        let is_around = group.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let is_own = self.group == Some(group);
        is_around && (is_own || !fields.iter().any(|(path, _)| group_of(path) == group))
    }
}

/// The group that a path is in.
fn group_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(group, _)| group)
}

/// Adds the default to a problem whose first place is a value that is None, in front of what else there is to do.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let Some(is_operand) = parts.fact.as_ref().and_then(is_operand) else { return };
    let Some(place) = parts.labels.first().map(|label| label.span) else { return };
    let sources = &host.sources;
    let Some(path) = written::path(sources, place) else { return };
    let field = match path.steps.last() {
        Some(CodeStep::Key(key)) => key.clone(),
        Some(_) => return,
        None => code_of(sources, path.root),
    };
    // Where a data value is; what a loop or a call gives may be any, which has only the top level around it for sure.
    let group = match (code_of(sources, path.root).as_str(), &path.steps[..]) {
        ("data", [CodeStep::Key(values), above @ .., _]) if values == "values" => {
            let keys = above.iter().map(|step| if let CodeStep::Key(key) = step { Some(&**key) } else { None });
            let Some(keys) = keys.collect::<Option<Vec<&str>>>() else { return };
            Some(keys.join("."))
        }
        _ => None,
    };
    let is_iterated = matches!(parts.fact, Some(Fact::NotIterable { .. }));
    let sought = Sought { place, field: &field, group: group.as_deref(), is_iterated };
    let found = of_file(host, place, &field).or_else(|| of_data(host, data, &sought));
    let Some(Default { code: default, label, is_guess }) = found else { return };
    let code = code_of(sources, place);
    let new = if is_operand { format!("({code} or {default})") } else { format!("{code} or {default}") };
    let text = format!("take `{default}` where `{code}` is None");
    let help = Help { must_mend: true, is_guess, labels: vec![label], ..Help::with_edit(text, place, new) };
    problem.parts_mut().helps.insert(0, help);
}

/// Whether something binds the value more tightly than `or`, where what a problem is about is None.
fn is_operand(fact: &Fact) -> Option<bool> {
    const NONE: &str = "NoneType";
    match fact {
        Fact::NoMember { kind, .. } | Fact::NotIndexed { kind } | Fact::Conversion { kind, .. } => {
            (kind == NONE).then_some(true)
        }
        Fact::Operands { left, right, .. } => (left == NONE || right == NONE).then_some(true),
        Fact::NotIterable { kind } | Fact::NotText { kind } | Fact::Joined { kind, .. } => {
            (kind == NONE).then_some(false)
        }
        Fact::Argument { found, .. } => (found == NONE).then_some(false),
        Fact::NoneArgument => Some(false),
        _ => None,
    }
}

/// Is it the name of the default of a field: `DEFAULT_RECEIVERS` of `receivers`?
fn is_default_of(name: &str, field: &str) -> bool {
    let (name, field) = (folded(name), folded(field));
    name.strip_prefix("default").or_else(|| name.strip_suffix("default")).is_some_and(|rest| rest == field)
}

/// A constant at the top of the file, a name that it loads, or a parameter of the function: of which nothing is made.
fn of_file(host: &Host<'_>, place: Span, field: &str) -> Option<Default> {
    let source = host.sources.get(place.source);
    let file = FileCode::read(&source, place.source)?;
    let is_meant = |name: &str| is_default_of(name, field);
    let function = file.function_around(place);
    let written = |span: Span| code_of(&host.sources, span);
    // What stands below is not set yet.
    let is_set = |name: &Span| function.is_some() || name.end < place.start;
    let constants = file.idle_constants(&is_meant).into_iter().filter(is_set).filter(|name| {
        let name = written(*name);
        let others = host.sources.all().into_iter().zip(0..).filter(|(_, id)| SourceId(*id) != place.source);
        let mut texts = others.map(|(source, _)| host.may_advise(source.text.as_bytes().len()).then_some(source));
        texts.all(|source| {
            source
                .is_some_and(|source| source.text.as_str().is_none_or(|text| word::whole(text, &name).next().is_none()))
        })
    });
    let constants = constants.map(|span| (written(span), span, "set here"));
    let loaded = outline::idle(&source, place.source).into_iter();
    let loaded = loaded.filter(|word| is_meant(&word.name)).map(|word| (word.name, word.span, "loaded here"));
    let parameters = function.iter().flat_map(|function| {
        let is_one = |role: ArgumentRole| matches!(role, ArgumentRole::Plain | ArgumentRole::Named);
        let is_read = |name: &str| file.reads(name).iter().any(|read| function.whole.holds(read.whole));
        let all = function.parameters.iter().filter(move |one| is_one(one.role) && is_meant(&one.name));
        let idle = all.filter(move |one| !is_read(&one.name));
        idle.map(|one| (one.name.clone(), one.span, "a parameter here"))
    });
    let (code, span, what) = only(constants.chain(loaded).chain(parameters))?;
    let text = format!("`{code}` is {what}, and nothing reads it");
    Some(Default { code, label: Label { span, text }, is_guess: false })
}

/// A data value that nothing reads: `default_receivers`, or `receivers` of `defaults`.
fn of_data(host: &Host<'_>, data: Val, sought: &Sought<'_>) -> Option<Default> {
    let Sought { place, field, .. } = *sought;
    if !helpers::is_of_data(&host.sources, place, place) {
        return None;
    }
    let is_name = |part: &str| {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        !part.starts_with(|first: char| first.is_ascii_digit()) && !part.is_empty() && part.chars().all(is_part)
    };
    let fields = items_named(host, data, field);
    let beside = items_named(host, data, &format!("default_{field}")).into_iter();
    let beside = beside.filter(|(path, _)| sought.is_meant(group_of(path), &fields));
    let below = fields.iter().filter(|(path, _)| {
        let group = group_of(path);
        let is_of_defaults = matches!(group.rsplit('.').next(), Some("default" | "defaults"));
        is_of_defaults && sought.is_meant(group_of(group), &fields)
    });
    let below = below.cloned();
    let arena = host.arena.borrow();
    let is_set = |item| match arena.value(item) {
        Val::Null => false,
        value => !sought.is_iterated || matches!(value, Val::Node(_)),
    };
    let all = beside.chain(below).filter(|(path, item)| path.split('.').all(is_name) && is_set(*item));
    let (path, item) = only(all)?;
    let read = format!(".{path}");
    // Who reads a group as a whole reads it, too.
    let ends = path.match_indices('.').filter_map(|(at, _)| path.get(..at));
    let groups: Vec<String> = ends.map(|group| format!(".{group}")).chain(["data.values".to_owned()]).collect();
    let goes_on = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let is_whole = |text: &str, group: &String| {
        let mut places = text.match_indices(&**group);
        places.any(|(at, _)| {
            text.get(at..).and_then(|rest| rest.strip_prefix(&**group)).is_some_and(|rest| !rest.starts_with(goes_on))
        })
    };
    let mut sources = host.sources.all().into_iter();
    let is_idle = sources.all(|source| {
        let text = source.text.as_str().unwrap_or_default();
        host.may_advise(text.len()) && !text.contains(&read) && !groups.iter().any(|group| is_whole(text, group))
    });
    let label = Label { span: arena.span_of(item)?, text: format!("nothing reads `data.values.{path}`") };
    is_idle.then(|| Default { code: format!("data.values.{path}"), label, is_guess: true })
}
