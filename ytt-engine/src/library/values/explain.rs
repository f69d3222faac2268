//! What is said of problems of data values beyond what overlay and schema say: what the schema declares, where in the
//! call of a program the value stands, and how a flag or a variable gives something else than a text.

use super::latest::in_the_latest;
use super::overridden::overridden;
use super::{GivenContent, GivenKind, GivenValue, shape};
use crate::diag::path::{PathStep, push_key, steps};
use crate::diag::{Advice, Code, Diagnostic, Fact, Help, Label, Note, NoteKind};
use crate::files::is_in_library;
use crate::schema::{self, ItemId, Schema, Type, TypeKind, Undeclared};
use crate::source::{Origin, SourceMap, Span, to_u32};
use crate::template::handled::names_version;
use crate::template::unfilled::read_as_text;
use crate::template::written::{Entry, GivenInCall, is_dotted};
use crate::validate::key_text;
use crate::yaml::resolve::{Resolved, resolve};
use crate::yaml::words::{article, push_item};
use crate::yaml::{Arena, NodeId, PosId, Val};

/// A document of values that was overlaid, and the value of the call that gave it, if code did.
pub(super) struct Explain<'a> {
    pub(super) arena: &'a Arena,
    pub(super) sources: &'a SourceMap,
    pub(super) schema: &'a Schema,
    pub(super) document: NodeId,
    pub(super) given: Option<&'a GivenInCall>,
    /// Do people read it? Programs see the texts of overlays.
    pub(super) is_report: bool,
}

impl Explain<'_> {
    pub(super) fn problems(&self, mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for problem in problems.iter_mut().filter(|problem| problem.code() == Code::OVERLAY_KIND) {
            self.kind(problem);
        }
        if problems.iter().any(|problem| problem.code() == Code::OVERLAY_NO_MATCH) {
            let undeclared = schema::undeclared(self.arena, self.sources, self.schema, self.document, self.given);
            for problem in problems.iter_mut().filter(|problem| problem.code() == Code::OVERLAY_NO_MATCH) {
                self.no_match(problem, &undeclared);
            }
        }
        problems
    }

    /// A value of another kind than the declared one. What replaces it would be of the wrong type still.
    fn kind(&self, problem: &mut Diagnostic) {
        // Overlays expect what stands on the right side, which is what is given.
        let Some(Fact::Mismatch { expected: given, found: declared }) = problem.parts().fact.clone() else { return };
        let entry = self.in_call(problem);
        let parts = problem.parts_mut();
        let declares = |label: &Label| self.schema.declares_collection(self.arena, label.span);
        let Some((at, label)) = parts.labels.iter_mut().enumerate().find(|(_, label)| declares(label)) else {
            return self.scalar(problem);
        };
        let declaration = label.span;
        label.text = format!("{} {declared} is declared here", article(&declared));
        let given_here = format!("{} {given} is given here", article(&given));
        match (at, entry, self.given) {
            (0, Some(entry), _) => parts.labels.insert(0, Label { span: entry.value, text: given_here }),
            (0, None, Some(value)) => {
                parts.labels.insert(0, Label { span: value.place(self.sources), text: given_here });
            }
            (0, None, None) => {}
            _ => parts.labels.first_mut().into_iter().for_each(|label| label.text.clone_from(&given_here)),
        }
        let note = format!("`{given}` in the first line is what is given, `{declared}` what is declared");
        parts.notes.push(note.into());
        let keys = self
            .schema
            .declared_keys(self.arena, declaration)
            .map(|keys| format!(" with the declared keys ({})", keys.join(", ")))
            .unwrap_or_default();
        // The schema of a library is that of somebody else.
        let is_library = is_in_library(&self.sources.get(declaration.source).name);
        let other = if is_library { "" } else { ", or change the schema" };
        let text = format!("give {} {declared}{keys}{other}", article(&declared));
        parts.helps = vec![Help::new(text)];
        if self.given.is_none() && self.is_report {
            shape::as_keys((self.arena, self.sources, self.schema), self.document, problem);
            shape::as_items((self.arena, self.sources, self.schema), self.document, problem);
        }
    }

    /// A map or list where the schema declares a scalar: the member of it that was probably meant.
    fn scalar(&self, problem: &mut Diagnostic) {
        let scene = (self.arena, self.schema, self.document);
        let entry = self.in_call(problem);
        let labels = &problem.parts().labels;
        let written = labels.iter().filter(|_| entry.is_none()).find_map(|label| shape::find(scene, label.span));
        // What code made of something else stands nowhere.
        let place = self.given.filter(|_| written.is_none()).map(|given| given.place(self.sources));
        let place = entry.map_or(place, |entry| Some(entry.value));
        let found = written.or_else(|| self.at(&problem.parts().value.as_ref().filter(|_| place.is_some())?.path));
        let Some((item, ty)) = found.filter(|_| self.is_report) else { return };
        let (own, declared) = (self.schema.item(ty), self.schema.inner(self.schema.item(ty).ty));
        if matches!(declared.kind, TypeKind::Map(_) | TypeKind::Array(_) | TypeKind::Any) {
            return;
        }
        let name = declared.name();
        let declaration = self.arena.place(own.pos).map(|place| place.key());
        let path = problem.parts().value.as_ref().map(|value| value.path.clone());
        let parts = problem.parts_mut();
        parts.helps.clear();
        let is_known = |label: &Label| Some(label.span) == declaration || self.is_value_of(label.span, declaration);
        let text = format!("{} {name} is declared here", article(name));
        match parts.labels.iter_mut().find(|label| is_known(label)) {
            Some(label) => label.text = text,
            None => parts.labels.extend(declaration.map(|span| Label { span, text })),
        }
        if let Some(Fact::Mismatch { expected: given, .. }) = parts.fact.clone() {
            let mut text = format!("{} {given} is given here", article(&given));
            if let (None, Some(path)) = (entry, path.filter(|_| place.is_some())) {
                text.push_str(&format!(", for `{path}`"));
            }
            match (place, parts.labels.first_mut()) {
                (Some(span), _) => parts.labels.insert(0, Label { span, text }),
                (None, Some(first)) => first.text = text,
                (None, None) => {}
            }
        }
        let code = match entry {
            Some(entry) => Some(entry.value),
            None => self.arena.place_of(item).and_then(|place| place.code(self.sources)),
        };
        let told = problem.clone();
        *problem = match code.and_then(|code| self.member(item, code, declared)) {
            Some((span, new)) => told.help_edit(format!("did you mean `{new}`?"), span, new),
            None => told.help(format!("give {} {name}, or change the schema", article(name))),
        };
    }

    /// Does a place stand on the line of a key?
    fn is_value_of(&self, span: Span, key: Option<Span>) -> bool {
        key.is_some_and(|key| {
            let source = self.sources.get(key.source);
            key.source == span.source && source.line(key.start) == source.line(span.start)
        })
    }

    /// The item of the document at a path of keys, and its declared type.
    fn at(&self, path: &str) -> Option<(NodeId, ItemId)> {
        let (mut item, mut ty) = (self.document, self.schema.root);
        for step in steps(path)? {
            let PathStep::Key(key) = step else { return None };
            item = self.arena.find_str(self.arena.map_of(self.arena.value(item))?, key)?;
            ty = self.schema.below(ty, self.arena, item)?;
        }
        Some((item, ty))
    }

    /// The code of an item with the member of its map that has the item's own key and fits.
    fn member(&self, item: NodeId, code: Span, declared: &Type) -> Option<(Span, String)> {
        let arena = self.arena;
        let key = arena.str(arena.key(item))?;
        let member = arena.find_str(arena.map_of(arena.value(item))?, key)?;
        let fits = declared.allows(self.schema, arena.value(member));
        let written = self.sources.get(code.source).written(code)?.to_owned();
        let is_name = is_dotted(key) && !key.contains('.');
        (fits && is_dotted(&written) && is_name).then(|| (code, format!("{written}.{key}")))
    }

    /// A key that matches nothing: what the schema declares there. `missing_ok` would only move the error.
    fn no_match(&self, problem: &mut Diagnostic, undeclared: &[Undeclared]) {
        let path = problem.parts().value.as_ref().map(|value| value.path.clone());
        let parts = problem.parts_mut();
        let by_place = undeclared.iter().find(|found| parts.labels.iter().any(|label| found.span == Some(label.span)));
        let by_call = undeclared.iter().find(|found| found.span.is_none() && Some(&found.path) == path.as_ref());
        let Some(Undeclared { told, .. }) = by_place.or(by_call) else { return };
        let told = told.parts();
        let notes = told.notes.iter().filter(|note| note.kind != NoteKind::Calculated);
        if self.is_report {
            // One mistake has one code and one text, wherever the value is given.
            parts.code = Code::SCHEMA_UNDECLARED;
            let unmatched = std::mem::replace(&mut parts.message, told.message.clone());
            let labels = std::mem::take(&mut parts.labels);
            let is_new = |label: &Label| told.labels.iter().all(|known| known.span != label.span);
            parts.labels = told.labels.clone();
            parts.labels.extend(labels.into_iter().filter(is_new));
            parts.notes = notes.cloned().collect();
            // The overlay's own words are for programs: people see the same at the label.
            let shown = parts.labels.first().map(|label| label.span);
            parts.notes.push(Note::from(unmatched).shown(shown));
        } else {
            parts.notes.push(Note::from(&*told.message));
            parts.notes.extend(notes.cloned());
        }
        let known = std::mem::replace(&mut parts.helps, told.helps.clone());
        for help in parts.helps.iter_mut().filter(|help| help.edit.is_none()) {
            // The overlay may know how to write the name that is meant.
            let mut edits = known.iter().filter_map(|known| known.edit.as_ref());
            help.edit = edits.find(|(_, new)| Some(new) == help.near.as_ref()).cloned();
        }
        // Where the schema knows another place only, the overlay may know how to write it there; one of several it picks.
        if parts.helps.iter().all(|help| help.edit.is_none())
            && let Some(there) = known.into_iter().find(|help| help.edit.is_some() && !help.silences && !help.is_guess)
        {
            parts.helps = vec![there];
        }
        // The schema of a library is that of somebody else.
        let is_library = |label: &Label| is_in_library(&self.sources.get(label.span.source).name);
        if parts.helps.iter().all(|help| help.edit.is_none()) || !told.labels.iter().any(is_library) {
            parts.helps.push(Help::new("otherwise declare the key in the schema"));
        }
    }

    /// Where the item of a problem stands in the call.
    fn in_call(&self, problem: &Diagnostic) -> Option<Entry> {
        self.given?.entry(self.sources, &steps(&problem.parts().value.as_ref()?.path)?)
    }
}

/// Adds to problems without a place, which tell their path, where in the call the value stands.
pub(crate) fn in_call(problems: &mut [Diagnostic], call: Option<Span>, sources: &SourceMap) {
    let Some(given) = call.map(GivenInCall::new) else { return };
    for problem in problems.iter_mut().filter(|problem| problem.parts().labels.is_empty()) {
        let value = problem.parts().value.as_ref();
        let entry = value.and_then(|value| given.entry(sources, &steps(&value.path)?));
        let span = entry.map_or_else(|| given.place(sources), |entry| entry.value);
        problem.parts_mut().labels.push(Label { span, text: String::new() });
    }
}

/// Adds to broken rules where the values come from: documents of the library, then what it was given.
pub(crate) fn tell_of_rules(
    arena: &Arena,
    sources: &SourceMap,
    problems: &mut [Diagnostic],
    (documents, given): (&[NodeId], &[GivenValue]),
) {
    let calls: Vec<Span> = given.iter().filter_map(|given| given.call).collect();
    broken_rules(problems, &calls, sources);
    given_maps(arena, sources, problems, given);
    overridden(arena, sources, problems, (documents, given));
    in_the_latest(arena, sources, problems, given);
}

/// Adds to broken rules where in a call the value stands, of the last of `calls` that gave it.
fn broken_rules(problems: &mut [Diagnostic], calls: &[Span], sources: &SourceMap) {
    let given: Vec<GivenInCall> = calls.iter().rev().copied().map(GivenInCall::new).collect();
    for problem in problems.iter_mut().filter(|problem| problem.code() == Code::VALIDATE_RULE) {
        let Some(value) = problem.parts().value.clone().filter(|value| !value.written) else { continue };
        let Some(steps) = steps(&value.path) else { continue };
        if let Some(entry) = given.iter().find_map(|given| given.entry(sources, &steps)) {
            problem.parts_mut().labels.insert(0, Label { span: entry.value, text: value.found });
        }
    }
}

/// Adds to wrong types of one value what gives it, and how to give something else than a text there.
pub(super) fn text(
    arena: &Arena,
    sources: &SourceMap,
    given: &GivenValue,
    path: &[(Val, PosId)],
    problems: &mut [Diagnostic],
) {
    let mut whole = String::new();
    path.iter().for_each(|(key, _)| push_key(&mut whole, &key_text(arena, *key)));
    for problem in problems.iter_mut().filter(|problem| problem.code() == Code::SCHEMA_TYPE) {
        if let Some(Advice::ReadVariableAsYaml(variable)) = given.advice.as_deref() {
            let note = format!("the value is that of the environment variable `{}`", variable.name);
            problem.parts_mut().notes.push(note.into());
        }
        if let Some(second) = second_pair(arena, sources, given) {
            let name = if given.kind == GivenKind::Yaml { "--data-value-yaml" } else { "--data-value" };
            let text = format!("a flag sets one value: give `{second}` by a flag of its own, `{name} {second}`");
            problem.parts_mut().helps = vec![Help::new(text)];
            continue;
        }
        let is_text = matches!(&problem.parts().fact, Some(Fact::Mismatch { found, .. }) if found == "string");
        if !is_text || problem.parts().value.as_ref().is_none_or(|value| value.path != whole) {
            continue;
        }
        let is_map = matches!(&problem.parts().fact, Some(Fact::Mismatch { expected, .. }) if expected == "map");
        match (given.kind, given.advice.as_deref()) {
            (GivenKind::Env, Some(advice)) => {
                problem.parts_mut().helps.clear();
                *problem = problem.clone().advise(advice.clone());
            }
            (GivenKind::TextFile, _) => {
                let text = "this flag always gives a string: to read a file as YAML, use `--data-values-file`";
                problem.parts_mut().helps = vec![Help::new(text)];
            }
            // The schema knows which key of a map is meant.
            (GivenKind::Text, _) if is_map && problem.parts().helps.len() > 1 => {}
            (GivenKind::Text, _) => {
                let helps = vec![Help::new(text_flag(arena, sources, given, problem))];
                let quoted = other_digits(arena, sources, given, problem);
                // Which keys the map has.
                let known = std::mem::take(&mut problem.parts_mut().helps).into_iter().filter(|_| is_map);
                problem.parts_mut().helps = known.chain(quoted).chain(helps).collect();
            }
            _ => {}
        }
    }
}

/// What follows a comma in the value of a flag and sets another value, as Helm has it: `b=2` of `a=1,b=2`.
fn second_pair(arena: &Arena, sources: &SourceMap, given: &GivenValue) -> Option<String> {
    if !matches!(given.kind, GivenKind::Text | GivenKind::Yaml) {
        return None;
    }
    let source = sources.get(arena.place(given.pos)?.source);
    let (_, value) = source.text.as_str().filter(|_| source.origin == Origin::Flag)?.split_once('=')?;
    let (_, second) = value.split_once(',')?;
    let (path, _) = second.split_once('=')?;
    let is_path = !path.is_empty() && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    is_path.then(|| second.trim_end().to_owned())
}

/// A flag that gives the text `false` where a boolean is: in a condition the text counts as true.
pub(super) fn text_for_boolean(
    arena: &Arena,
    sources: &SourceMap,
    given: &GivenValue,
    document: NodeId,
    path: &[(Val, PosId)],
    value: Val,
) -> Option<Diagnostic> {
    if given.kind != GivenKind::Text || !arena.str(value).is_some_and(|text| text.eq_ignore_ascii_case("false")) {
        return None;
    }
    let (mut item, mut name) = (document, String::new());
    for (key, _) in path {
        let Val::Node(map) = arena.value(item) else { return None };
        item = *arena.items(map).iter().find(|item| arena.same(arena.key(**item), *key))?;
        push_key(&mut name, &key_text(arena, *key));
    }
    matches!(arena.value(item), Val::Bool(_)).then_some(())?;
    let text = format!("`{name}` becomes the text `false`, which counts as true in a condition");
    let mut warning = Diagnostic::warning(Code::VALUES_TEXT_FOR_BOOLEAN, text);
    for (pos, label) in [(given.pos, "this gives a text"), (arena.get(item).pos, "it is a boolean here")] {
        if let Some(place) = arena.place(pos) {
            warning = warning.label(place.value_or_key(sources), label);
        }
    }
    Some(warning.help("to give a boolean, use `--data-value-yaml`"))
}

/// A text that is another one once it is a number, as `1.20` is 1.2, is hardly meant as one: the default of the schema lacks
/// quotes.
fn other_digits(arena: &Arena, sources: &SourceMap, given: &GivenValue, problem: &Diagnostic) -> Option<Help> {
    let flag = sources.get(arena.place(given.pos)?.source);
    let (path, text) = flag.text.as_str()?.split_once('=')?;
    let number = text.parse::<f64>().ok().map(|number| number.to_string());
    // `1.20` is a version, `0.50` and `1.0` may be numbers as people write them.
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_version = text.split_once('.').is_some_and(|(whole, part)| {
        digits(whole) && digits(part) && !whole.starts_with('0') && part.len() > 1 && part.ends_with('0')
    });
    let is_no_number = number.is_none() && is_of_version(path, text, problem);
    let declared = problem.parts().labels.get(1)?.span;
    let source = sources.get(declared.source);
    let line = source.line_range(source.line(declared.end));
    let behind = source.written(Span { start: declared.end, end: line.end, ..declared })?;
    let value = behind.strip_prefix(':')?.split(" #").next()?.trim();
    let is_number = value.parse::<f64>().is_ok() && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    // Of a plain number a render tells whether code wants a text, also of a fraction where none is declared.
    let is_open = !is_version && !is_no_number;
    let is_fraction = expected(problem) == "integer"
        && text.split_once('.').is_some_and(|(whole, part)| !part.is_empty() && digits(whole) && digits(part));
    if is_open && !fits(text, expected(problem)) && !is_fraction {
        return None;
    }
    if is_open && number.is_none() || !is_number {
        return None;
    }
    let start = declared.end.checked_add(to_u32(behind.find(value)?))?;
    let place = Span { start, end: start.checked_add(to_u32(value.len()))?, ..declared };
    // A map of labels takes texts only, which no render tells.
    let label = if is_open { read_as_text(sources, &format!("data.values.{path}")) } else { None };
    let is_open = is_open && label.is_none();
    let help = match number {
        _ if label.is_some() => "a text is wanted where code reads it: quote what declares it".to_owned(),
        _ if is_open => "code works with a text: quote what declares it".to_owned(),
        Some(number) => format!("as a number `{text}` is {number}: if it is a text, quote what declares it"),
        None => "to take any text, quote what declares it".to_owned(),
    };
    let help = Help::with_edit(help, place, format!("\"{value}\""));
    let labels = label.map(|span| Label { span, text: "Kubernetes takes a text here".to_owned() });
    let labels = labels.into_iter().collect();
    Some(Help { is_guess: true, must_mend: is_open, is_other_side: is_open, labels, ..help })
}

/// Is a text for a number surely a version, as `1.28.3` or `16-alpine` of `image.tag`?
fn is_of_version(path: &str, text: &str, problem: &Diagnostic) -> bool {
    let is_named = names_version(path.rsplit('.').next().unwrap_or_default());
    let is_float = matches!(&problem.parts().fact, Some(Fact::Mismatch { expected, .. }) if expected == "float");
    let text = text.strip_prefix('v').unwrap_or(text);
    let numbers = text.split('.').take_while(|part| part.starts_with(|first: char| first.is_ascii_digit())).count();
    // `16-alpine`, and no `3-4`.
    let has_word =
        text.split_once('-').is_some_and(|(_, rest)| rest.starts_with(|first: char| first.is_ascii_alphabetic()));
    is_named && (numbers > 2 || numbers > 0 && has_word || is_float && numbers > 1)
}

fn expected(problem: &Diagnostic) -> &str {
    match &problem.parts().fact {
        Some(Fact::Mismatch { expected, .. }) => expected,
        _ => "",
    }
}

/// Is a text, read as YAML, a scalar of the kind that is expected?
fn fits(text: &str, expected: &str) -> bool {
    match resolve(text) {
        Resolved::Int(_) | Resolved::UInt(_) => matches!(expected, "integer" | "float"),
        Resolved::Float(_) => expected == "float",
        Resolved::Bool(_) => expected == "boolean",
        Resolved::Null | Resolved::Timestamp | Resolved::Str => false,
    }
}

/// The flag that gives something else than a text; a list has brackets.
fn text_flag(arena: &Arena, sources: &SourceMap, given: &GivenValue, problem: &Diagnostic) -> String {
    let source = arena.place(given.pos).map(|place| sources.get(place.source));
    let pair = source.as_ref().and_then(|source| source.text.as_str()?.split_once('='));
    let is_of = |text: &str, signs: &[u8]| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || signs.contains(&byte))
    };
    let is_list = matches!(&problem.parts().fact, Some(Fact::Mismatch { expected, .. }) if expected == "array");
    let expected = expected(problem);
    // By that flag, too, a word is a text.
    let is_scalar = matches!(expected, "integer" | "float" | "boolean");
    // Several, as people write them who know no brackets.
    let several = pair.and_then(|(key, text)| {
        let items: Vec<&str> = text.split(',').map(str::trim).collect();
        let is_item = |item: &&str| {
            !item.is_empty() && item.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte))
        };
        (is_list && items.len() > 1 && items.iter().all(is_item)).then(|| format!("{key}=[{}]", items.join(", ")))
    });
    if let Some(pair) = several {
        return format!("to give a list, use `--data-value-yaml '{pair}'`");
    }
    match pair.filter(|(_, text)| is_of(text, if is_list { b"" } else { b"._-" })) {
        Some((key, text)) if is_list => format!("to give a list, use `--data-value-yaml '{key}=[{text}]'`"),
        Some((key, text)) if fits(text, expected) => {
            format!("to give a value that is not a string, use `--data-value-yaml {key}={text}`")
        }
        Some((key, text)) if is_scalar && !matches!(resolve(text), Resolved::Null) => {
            format!("`{text}` is no {}: give another value, by `--data-value-yaml {key}=…`", expected)
        }
        _ => "to give a value that is not a string, use `--data-value-yaml`".to_owned(),
    }
}

/// Adds to broken rules of maps where Rust code gave a part of the map: the map itself may stand in a document.
fn given_maps(arena: &Arena, sources: &SourceMap, problems: &mut [Diagnostic], given: &[GivenValue]) {
    let is_call = |span: Span| matches!(sources.get(span.source).origin, Origin::Rust(_));
    for problem in problems.iter_mut().filter(|problem| problem.code() == Code::VALIDATE_RULE) {
        let Some(value) = problem.parts().value.as_ref() else { continue };
        if problem.parts().labels.first().is_some_and(|label| is_call(label.span)) {
            continue;
        }
        let documents = given.iter().rev().filter_map(|given| match given.content {
            GivenContent::Plain(document) if given.kind == GivenKind::Rust => Some(document),
            _ => None,
        });
        let place = documents.filter_map(|document| arena.place_of(map_at(arena, document, &value.path)?)).next();
        if let Some(place) = place {
            let label = Label { span: place.value(), text: String::new() };
            problem.parts_mut().labels.insert(0, label);
        }
    }
}

/// The item at a path, or the document itself, if it holds a map.
fn map_at(arena: &Arena, document: NodeId, path: &str) -> Option<NodeId> {
    let (mut node, mut seen) = (document, String::new());
    while seen != path {
        let Val::Node(value) = arena.value(node) else { return None };
        let below = |(index, item): (usize, &NodeId)| {
            let mut below = seen.clone();
            push_item(&mut below, arena, *item, index);
            let rest = path.strip_prefix(below.as_str())?;
            (rest.is_empty() || rest.starts_with(['.', '['])).then_some((*item, below))
        };
        (node, seen) = arena.items(value).iter().enumerate().map(below).find_map(|found| found)?;
    }
    arena.map_of(arena.value(node)).map(|_| node)
}
