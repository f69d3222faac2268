//! Flags, variables and files become [`GivenValue`]s.
//!
//! Nothing is opened here: bytes of files and variables are passed in. Each flag is a source of its own whose text is
//! the argument as it was typed, so that labels can point into it.

use std::sync::Arc;

use super::At;
use crate::diag::{Advice, Code, Diagnostic, Label, Step, StepKind, Variable};
use crate::files::Reads;
use crate::library::route::Route;
use crate::library::values::{GivenContent, GivenKind, GivenValue};
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Span, Text, to_u32};
use crate::times::Phase;
use crate::yaml::value::{to_arena, too_long};
use crate::yaml::words::key_text;
use crate::yaml::{
    Arena, Body, NodeId, NodeSpan, ReadFile, ReadOptions, Val, Value, comment_text, merge_duplicate_keys, read,
    resolve_duplicate_keys,
};

/// Keys of one values file that are set twice and told of.
const DUPLICATES: usize = 20;

/// Reads what one step gives.
pub(super) struct Reader<'a> {
    pub(super) arena: &'a mut Arena,
    pub(super) sources: &'a SourceMap,
    pub(super) reads: &'a Reads,
    pub(super) options: &'a ReadOptions,
    /// The step.
    pub(super) at: At,
    /// What people should know of the texts that were read.
    pub(super) warnings: Vec<Diagnostic>,
}

fn flag_error(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::VALUES_FLAG, message)
}

/// Splits `[@lib:]REST`; gives the reference, empty without one, and the rest.
fn split_library(text: &str) -> Result<(&str, &str), Diagnostic> {
    match text.split_once(':') {
        Some(("@", _)) => Err(flag_error("Expected library ref to not be empty")),
        Some((library, rest)) if text.starts_with('@') => Ok((library, rest)),
        _ => Ok(("", text)),
    }
}

/// As [`split_library`], for keys and prefixes, which hold no further `:`.
fn split_key(text: &str) -> Result<(&str, &str), Diagnostic> {
    let (library, key) = split_library(text)?;
    if key.contains(':') {
        return Err(flag_error(format!("Expected at most one library-key separator ':' in '{key}'")));
    }
    Ok((library, key))
}

fn route(library: &str) -> Result<Route, Diagnostic> {
    if library.is_empty() { Ok(Route::default()) } else { Route::parse(library) }
}

/// The step of every problem of a file of data values.
pub(super) fn from_file() -> Step {
    Step::new(StepKind::ValuesFile, "Extracting data value from file")
}

const FROM_FLAG: &str = "Extracting data value from KV";

/// `--data-values-file [@lib:]PATH`: where the values go, and the path.
pub(super) fn split_path_flag(text: &str) -> Result<(Route, &str), Diagnostic> {
    let split = split_library(text).and_then(|(library, path)| Ok((route(library)?, path)));
    split.map_err(|problem| problem.context(from_file()))
}

/// `--data-value-file [@lib:]KEY=PATH`: the key with its library, and the path.
pub(super) fn split_file_flag(text: &str) -> Result<(&str, &str), Diagnostic> {
    text.split_once('=').ok_or_else(|| flag_error("Expected format key=/file/path").context(from_file()))
}

/// The key of one data value.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    /// `[@lib:]a.b`, split at dots.
    Typed(String),
    /// Its parts, which may hold dots; a first part with `@` in front is a library. Macro calls give them.
    #[cfg_attr(not(feature = "codegen"), expect(dead_code, reason = "only `codegen` makes it"))]
    Parts(Vec<String>),
}

/// The reference of a library, empty without one, and the parts of a key.
type KeyParts<'k> = (&'k str, Vec<&'k str>);

fn split_typed(text: &str) -> Result<KeyParts<'_>, Diagnostic> {
    split_key(text).map(|(library, path)| (library, path.split('.').collect()))
}

impl Key {
    fn split(&self) -> Result<KeyParts<'_>, Diagnostic> {
        match self {
            Key::Typed(text) => split_typed(text),
            Key::Parts(parts) => {
                let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                match &parts[..] {
                    [library, keys @ ..] if library.starts_with('@') && !keys.is_empty() => {
                        Ok((library, keys.to_vec()))
                    }
                    _ => Ok(("", parts)),
                }
            }
        }
    }
}

/// A source for a flag or a variable: `KEY=VALUE`.
struct Pair {
    source: SourceId,
    text: Arc<str>,
    number: u32,
    /// Where the value begins.
    value: u32,
}

impl Pair {
    /// Each of the keys with its place; the first one begins at `start`, and `separator` bytes are between two.
    fn keys<'k>(
        &self,
        start: usize,
        keys: impl Iterator<Item = &'k str>,
        separator: usize,
    ) -> impl Iterator<Item = (&'k str, NodeSpan)> {
        let (mut start, separator) = (to_u32(start), to_u32(separator));
        keys.map(move |key| {
            let place = NodeSpan { start, key_end: start.saturating_add(to_u32(key.len())), ..self.whole() };
            start = place.key_end.saturating_add(separator);
            (key, place)
        })
    }

    fn whole(&self) -> NodeSpan {
        let (value, end) = (self.value, to_u32(self.text.len()));
        NodeSpan { source: self.source, start: 0, key_end: value.saturating_sub(1), value, end }
    }
}

impl Reader<'_> {
    /// `--data-value [@lib:]KEY=TEXT`.
    pub(super) fn text(&mut self, text: &str) -> Result<GivenValue, Diagnostic> {
        self.flag(text, GivenKind::Text, "(data-value arg)").map_err(|problem| problem.context(FROM_FLAG))
    }

    /// `--data-value-yaml [@lib:]KEY=YAML`.
    pub(super) fn yaml(&mut self, text: &str) -> Result<GivenValue, Diagnostic> {
        self.flag(text, GivenKind::Yaml, "(data-value-yaml arg)").map_err(|problem| problem.context(FROM_FLAG))
    }

    fn flag(&mut self, text: &str, kind: GivenKind, name: &str) -> Result<GivenValue, Diagnostic> {
        let left = text.split_once('=').map_or(text, |(left, _)| left);
        if text.len() > Arena::LONGEST {
            return Err(too_long(text.len()));
        }
        let pair = self.pair(name, text, left);
        let at = Some(Span::new(pair.source, 0, to_u32(left.len())));
        if left.len() == text.len() {
            let problem = flag_error("Expected format key=value");
            let problem = problem.label_at(at, "there is no `=` in it");
            return Err(problem.help(format!("write `{text}=VALUE`")));
        }
        let value = match kind {
            GivenKind::Yaml => self.yaml_of(&pair, || format!("Deserializing value for key '{left}'"))?,
            _ => self.text_of(&pair),
        };
        let (library, path) = split_key(left).map_err(|problem| problem.at(at))?;
        let route = route(library).map_err(|problem| problem.at(at))?;
        if library.is_empty() && path.starts_with('@') {
            let text = format!("this sets a key named `{path}`, not a value of a library");
            let warning = Diagnostic::warning(Code::VALUES_KEY, text).at(at);
            self.warnings.push(warning.help(format!("for a library, write `{path}:KEY=VALUE`")));
        }
        let keys = pair.keys(left.len().saturating_sub(path.len()), path.split('.'), 1);
        Ok(self.keyed(kind, route, keys, pair.whole(), value))
    }

    /// `--data-value-file [@lib:]KEY=PATH`, with the bytes of the file.
    pub(super) fn file(&mut self, text: &str, bytes: &[u8]) -> Result<GivenValue, Diagnostic> {
        let (left, path) = split_file_flag(text)?;
        let (library, key) = split_key(left).map_err(|problem| problem.context(from_file()))?;
        let pair = self.pair(&format!("(data-value-file arg) {key}={path}"), text, left);
        let route = route(library).map_err(|problem| problem.context(from_file()))?;
        let value = self.arena.make_bytes(bytes);
        let keys = pair.keys(left.len().saturating_sub(key.len()), key.split('.'), 1);
        Ok(self.keyed(GivenKind::TextFile, route, keys, pair.whole(), value))
    }

    /// `--data-values-env [@lib:]PREFIX`, or `--data-values-env-yaml` if `yaml` is true: values, and what is wrong.
    pub(super) fn environment(
        &mut self,
        text: &str,
        yaml: bool,
        variables: &[(String, String)],
    ) -> (Vec<GivenValue>, Vec<Diagnostic>) {
        let step = format!("Extracting data values from env under prefix '{text}'");
        let split = split_key(text).and_then(|(library, prefix)| Ok((route(library)?, prefix)));
        let (route, prefix) = match split {
            Ok(split) => split,
            Err(problem) => return (Vec::new(), vec![problem.context(step)]),
        };
        let (kind, flag) = of_variables(yaml);
        let (start, name) = (format!("{prefix}_"), format!("({flag} arg) {prefix}"));
        let advice = Arc::new(Advice::ReadVariablesAsYaml { prefix: text.to_owned() });
        let (mut given, mut problems, before) = (Vec::new(), Vec::new(), self.warnings.len());
        for (variable, value) in variables {
            let Some(key) = variable.strip_prefix(&*start) else { continue };
            self.reads.variable(variable);
            let pair = self.pair(&name, &format!("{variable}={value}"), variable);
            let value = match kind {
                GivenKind::EnvYaml => self.yaml_of(&pair, || of_variable(variable)),
                _ => Ok(self.text_of(&pair)),
            };
            match value {
                Ok(value) => {
                    let keys = pair.keys(start.len(), key.split("__"), 2);
                    let value = self.keyed(kind, route.clone(), keys, pair.whole(), value);
                    given.push(GivenValue { advice: Some(advice.clone()), ..value });
                }
                Err(problem) => problems.push(problem.context(step.clone())),
            }
        }
        let overlapping = self.overlapping(&given);
        self.warnings.splice(before..before, overlapping);
        if given.is_empty()
            && problems.is_empty()
            && let Some(meant) = text.strip_suffix('_')
        {
            let message = format!("no environment variable begins with `{start}`, so the prefix `{text}` sets nothing");
            let warning = Diagnostic::warning(Code::VALUES_ENVIRONMENT, message);
            let text =
                format!("a `_` follows the prefix by itself: for variables such as `{prefix}key`, give `{meant}`");
            self.warnings.push(warning.help(text));
        }
        (given, problems)
    }

    /// Warns of two variables of which one sets a part of what the other sets: their order decides.
    fn overlapping(&self, given: &[GivenValue]) -> Vec<Diagnostic> {
        let keys = |value: &GivenValue| match &value.content {
            GivenContent::Path(path, _) => {
                path.iter().map(|(key, _)| self.arena.str(*key).unwrap_or_default()).collect()
            }
            _ => Vec::new(),
        };
        let mut all: Vec<(Vec<&str>, usize)> = given.iter().enumerate().map(|(at, value)| (keys(value), at)).collect();
        all.sort();
        let variable = |at: usize| {
            let place = given.get(at).and_then(|value| self.arena.place(value.pos));
            place.map(|place| (self.sources.get(place.source).line_text(1), place.key()))
        };
        let mut warnings = Vec::new();
        // In this order what begins with a path follows it, so the open paths are a stack.
        let mut open: Vec<&(Vec<&str>, usize)> = Vec::new();
        for path in &all {
            while open.last().is_some_and(|outer| !path.0.starts_with(&outer.0)) {
                open.pop();
            }
            if let Some((outer, inner)) = open.last().and_then(|outer| variable(outer.1).zip(variable(path.1))) {
                let name = |text: &str| text.split('=').next().unwrap_or_default().to_owned();
                let message = format!(
                    "environment variable {} sets a part of what {} sets; the later one counts",
                    name(&inner.0),
                    name(&outer.0)
                );
                warnings
                    .push(Diagnostic::warning(Code::VALUES_ENVIRONMENT, message).label(inner.1, "").label(outer.1, ""));
            }
            open.push(path);
        }
        warnings
    }

    /// One variable by its exact name, for a key; `yaml` says how its value is read.
    pub(super) fn variable(
        &mut self,
        key: &Key,
        variable: &str,
        value: &str,
        yaml: bool,
    ) -> Result<GivenValue, Diagnostic> {
        let (kind, flag) = of_variables(yaml);
        let name = format!("({flag} arg) {variable}");
        let source = self.at.source(self.sources, &name, "");
        let (library, path) = key.split().map_err(|problem| problem.at(Some(Span::new(source, 0, 0))))?;
        let route = route_of_call(source, library)?;
        let value = match yaml {
            true => self.variable_yaml(source, &name, variable, value)?,
            false => self.arena.make_str(value),
        };
        let key = [library].iter().filter(|part| !part.is_empty()).chain(&path).map(|part| part.to_string()).collect();
        let advice = Arc::new(Advice::ReadVariableAsYaml(Variable { name: variable.to_owned(), key }));
        let given = self.keyed_of_call(source, kind, route, (library, path), value);
        Ok(GivenValue { advice: Some(advice), ..given })
    }

    /// The value of a variable, read as YAML. What is wrong with it is shown behind the call, which `source` stands for.
    fn variable_yaml(&mut self, source: SourceId, name: &str, variable: &str, value: &str) -> Result<Val, Diagnostic> {
        let pair = self.pair(name, &format!("{variable}={value}"), variable);
        let (places, warnings) = (self.arena.place_count(), self.warnings.len());
        let read = self.yaml_of(&pair, || of_variable(variable));
        for place in self.arena.places_from_mut(places).filter(|place| place.source == pair.source) {
            *place = place_of_call(source, 0);
        }
        let call = |problem: &mut Diagnostic| {
            problem.parts_mut().labels.insert(0, Label { span: Span::new(source, 0, 0), text: String::new() });
        };
        self.warnings.iter_mut().skip(warnings).for_each(call);
        read.map_err(|mut problem| {
            call(&mut problem);
            problem
        })
    }

    /// One file of `--data-values-file`: its documents that are not null. `path` is the flag's, without the library.
    pub(super) fn values_file(
        &mut self,
        source: SourceId,
        route: &Route,
        path: &str,
    ) -> Result<Vec<GivenValue>, Diagnostic> {
        let name = self.sources.get(source).name.clone();
        let mut file = read(self.arena, self.sources, source, self.options).map_err(|problem| {
            problem.context(format!("Unmarshaling YAML data values file '{name}'")).context(from_file())
        })?;
        self.warnings.append(&mut file.warnings);
        if file.has_duplicate_keys {
            let hidden = merge_duplicate_keys(self.arena, file.root);
            let warnings = hidden.into_iter().take(DUPLICATES).map(|(first, last)| self.duplicate_key(first, last));
            let warnings: Vec<Diagnostic> = warnings.collect();
            self.warnings.extend(warnings);
        }
        let mut given = Vec::new();
        for document in file.documents(self.arena).to_vec() {
            if self.arena.value(document) == Val::Null {
                continue;
            }
            if let Some(span) = self.annotation_comment(document) {
                let message =
                    "Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)";
                let written = self.sources.get(span.source).written(span).unwrap_or_default().to_owned();
                let told = Diagnostic::error(Code::VALUES_FILE, message).at(Some(span));
                let told = match written.contains("@data/values") {
                    true => {
                        let text =
                            format!("a file with `#@data/values` is a template: give it as one, with `-f {path}`");
                        match without_header(&self.sources.get(span.source), span) {
                            Some((span, new)) => {
                                let help = "a file that this flag takes is plain: leave the annotation out";
                                told.help_edit(help, span, new).help(format!("or keep it: {text}"))
                            }
                            None => told.help(text),
                        }
                    }
                    false if written.starts_with("#@ ") => told.help(
                        "this flag takes plain YAML, in which nothing is computed: write the value itself, or compute it in \
                         a template",
                    ),
                    false => told.help(format!(
                        "this flag takes plain YAML: to keep the annotation, write `#@data/values` above the document and \
                         give the file with `-f {path}`"
                    )),
                };
                return Err(told.context(format!("Checking data values file '{path}'")).context(from_file()));
            }
            let pos = self.arena.get(document).pos;
            given.push(GivenValue::new(GivenKind::ValuesFile, GivenContent::Plain(document), route.clone(), pos));
        }
        Ok(given)
    }

    /// A key that a values file sets twice.
    fn duplicate_key(&self, first: NodeId, last: NodeId) -> Diagnostic {
        let key = key_text(self.arena, self.arena.key(last));
        let text = format!("`{key}` is set twice in this values file: the last one counts");
        let mut warning = Diagnostic::warning(Code::VALUES_DUPLICATE_KEY, text);
        for (item, label) in [(last, "this one counts"), (first, "this one is without effect")] {
            if let Some(place) = self.arena.place_of(item) {
                warning = warning.label(place.key(), label);
            }
        }
        warning.help("remove the one that is not meant")
    }

    /// A comment that begins with `#@` and belongs to a node.
    fn annotation_comment(&self, document: NodeId) -> Option<Span> {
        let mut open = vec![Val::Node(document)];
        while let Some(value) = open.pop() {
            let Val::Node(id) = value else { continue };
            let is_code = |comment: &&Span| comment_text(&self.sources.get(comment.source), **comment).starts_with('@');
            if let Some(comment) = self.arena.comments(id).iter().find(is_code) {
                return Some(*comment);
            }
            match self.arena.get(id).body {
                Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => open.push(value),
                _ => open.extend(self.arena.items(id).iter().rev().map(|item| Val::Node(*item))),
            }
        }
        None
    }

    /// A document of values that Rust code gave, merged plainly, for the library that the reference means.
    pub(super) fn code_document(&mut self, library: &str, value: &Value) -> Result<GivenValue, Diagnostic> {
        let source = self.call("");
        let mut read = || {
            let route = route(library)?;
            let pos = self.arena.add_place(place_of_call(source, 0));
            let value = to_arena(self.arena, value, Some(source))?;
            let document = self.arena.add(Body::Doc(value), pos);
            Ok(GivenValue::new(GivenKind::Rust, GivenContent::Plain(document), route, pos))
        };
        read().map_err(|problem: Diagnostic| problem.at(Some(Span::new(source, 0, 0))))
    }

    /// What Rust code gave for a key; `make` makes the value.
    pub(super) fn code_value(
        &mut self,
        key: &str,
        make: impl FnOnce(&mut Self) -> Result<Val, Diagnostic>,
    ) -> Result<GivenValue, Diagnostic> {
        let source = self.call("");
        let read = || {
            let value = make(self)?;
            let (library, path) = split_typed(key)?;
            let route = route_of_call(source, library)?;
            Ok(self.keyed_of_call(source, GivenKind::Rust, route, (library, path), value))
        };
        read().map_err(|problem: Diagnostic| problem.at(Some(Span::new(source, 0, 0))))
    }

    /// YAML text that Rust code gave for a key: its first document.
    pub(super) fn code_yaml(&mut self, key: &str, text: &str) -> Result<Val, Diagnostic> {
        let source = self.call(text);
        let file = self.read(source).map_err(|problem| {
            problem.context("Deserializing YAML value").context(format!("Deserializing value for key '{key}'"))
        })?;
        Ok(file.first_value(self.arena))
    }

    /// A source that stands for the call: see [`Origin::Rust`].
    pub(super) fn call(&self, text: &str) -> SourceId {
        self.at.source(self.sources, "(values)", text)
    }

    /// Reads a source as plain YAML; of equal keys the last one counts.
    fn read(&mut self, source: SourceId) -> Result<ReadFile, Diagnostic> {
        let _lap = self.sources.lap(source, Phase::Reading);
        let mut file = read(self.arena, self.sources, source, self.options)?;
        if file.has_duplicate_keys {
            resolve_duplicate_keys(self.arena, file.root);
        }
        self.warnings.append(&mut file.warnings);
        Ok(file)
    }

    /// `left` is what stands in front of the `=` of the text, behind which the value begins.
    fn pair(&mut self, name: &str, text: &str, left: &str) -> Pair {
        let value = to_u32(left.len()).saturating_add(1);
        let text: Arc<str> = text.into();
        let source = Source::new(name, Text::Str(text.clone()), Origin::Flag, self.at.number, LineBreaks::Yaml);
        Pair { source: self.sources.add(source), number: self.arena.add_text(text.clone()), text, value }
    }

    fn text_of(&self, pair: &Pair) -> Val {
        Val::Str { text: pair.number, at: pair.value, len: to_u32(pair.text.len()).saturating_sub(pair.value) }
    }

    /// The first document of the value, read as YAML. Its places are places of the pair; `step` says what fails.
    fn yaml_of(&mut self, pair: &Pair, step: impl Fn() -> String) -> Result<Val, Diagnostic> {
        let outer = self.sources.get(pair.source);
        let text = Text::Str(pair.text.get(pair.value as usize..).unwrap_or_default().into());
        let part = Source::new(outer.name.clone(), text, Origin::Flag, self.at.number, LineBreaks::Yaml);
        let part = self.sources.add(part);
        let (places, warnings) = (self.arena.place_count(), self.warnings.len());
        let read = self.read(part);
        // The value was read as a text of its own: what it added to the arena stands that much further in the pair.
        for place in self.arena.places_from_mut(places).filter(|place| place.source == part) {
            place.source = pair.source;
            for offset in [&mut place.start, &mut place.key_end, &mut place.value, &mut place.end] {
                *offset = offset.saturating_add(pair.value);
            }
        }
        let shift = |problem: &mut Diagnostic| {
            for label in problem.parts_mut().labels.iter_mut().filter(|label| label.span.source == part) {
                let moved = |at: u32| at.saturating_add(pair.value);
                label.span = Span::new(pair.source, moved(label.span.start), moved(label.span.end));
            }
        };
        self.warnings.iter_mut().skip(warnings).for_each(shift);
        let file = read.map_err(|mut problem| {
            shift(&mut problem);
            problem.context("Deserializing YAML value").context(step())
        })?;
        Ok(file.first_value(self.arena))
    }

    /// A value for a path of keys, each with its place.
    fn keyed<'k>(
        &mut self,
        kind: GivenKind,
        route: Route,
        keys: impl Iterator<Item = (&'k str, NodeSpan)>,
        whole: NodeSpan,
        value: Val,
    ) -> GivenValue {
        let path = keys.map(|(key, place)| (self.arena.intern(key), self.arena.add_place(place))).collect();
        let pos = self.arena.add_place(whole);
        GivenValue::new(kind, GivenContent::Path(path, value), route, pos)
    }

    /// A value that a call gives for a key; the places are those of a call with a key, see [`Origin::Rust`].
    fn keyed_of_call(
        &mut self,
        source: SourceId,
        kind: GivenKind,
        route: Route,
        (library, path): KeyParts<'_>,
        value: Val,
    ) -> GivenValue {
        // A library that nobody evaluates is named by the first part.
        let libraries = u32::from(!library.is_empty());
        let keys = (libraries..).skip(1).zip(path).map(|(part, key)| (key, place_of_call(source, part)));
        self.keyed(kind, route, keys, place_of_call(source, libraries), value)
    }
}

/// The place of a part of a call: see [`Origin::Rust`].
fn place_of_call(source: SourceId, part: u32) -> NodeSpan {
    NodeSpan { source, start: part, key_end: part, value: 0, end: 0 }
}

fn route_of_call(source: SourceId, library: &str) -> Result<Route, Diagnostic> {
    route(library).map_err(|problem| problem.at(Some(Span::new(source, 1, 1))))
}

/// How variables are given, and the flag for it.
fn of_variables(yaml: bool) -> (GivenKind, &'static str) {
    if yaml { (GivenKind::EnvYaml, "data-values-env-yaml") } else { (GivenKind::Env, "data-values-env") }
}

fn of_variable(variable: &str) -> String {
    format!("Extracting data value from env variable '{variable}'")
}

/// The edit that takes the only annotation of a file away, with the `---` below it where that begins the file.
fn without_header(source: &Source, annotation: Span) -> Option<(Span, String)> {
    let text = source.text.as_str()?;
    let line = source.line(annotation.start);
    let is_code = |line: &&str| line.contains("#@");
    if text.lines().filter(is_code).count() != 1 {
        return None;
    }
    let start = source.line_range(line).start;
    let is_first = text.get(..start as usize)?.trim().is_empty();
    let next = line.saturating_add(1);
    let last = if is_first && source.line_text(next).trim_end() == "---" { next } else { line };
    Some((Span { start, end: source.line_range(last.saturating_add(1)).start, ..annotation }, String::new()))
}
