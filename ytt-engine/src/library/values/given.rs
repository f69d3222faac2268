//! Flags, variables and files become [`GivenValue`]s.
//!
//! Nothing is opened here: bytes of files and variables are passed in. Each flag is a source of its own whose text is
//! the argument as it was typed, so that labels can point into it.

use std::sync::Arc;

use crate::diag::{Advice, Code, Diagnostic, Label, Variable};
use crate::library::route::Route;
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Span, Text};
use crate::yaml::value::to_arena;
use crate::yaml::{
    Arena, Body, NodeId, NodeSpan, ReadFile, ReadOptions, Val, Value, comment_text, read, resolve_duplicate_keys,
};

use super::{Content, GivenKind, GivenValue};

/// Reads given values. `input` is the number of the `Project` step that brought them.
pub(crate) struct Reader<'a> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) sources: &'a SourceMap,
    pub(crate) input: u32,
    pub(crate) options: &'a ReadOptions,
    /// What people should know of the texts that were read.
    pub(crate) warnings: Vec<Diagnostic>,
}

fn flag_error(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::VALUES_FLAG, message)
}

/// Splits `[@lib:]REST`; gives the reference, empty without one, and the rest.
fn split_library(text: &str) -> Result<(&str, &str), Diagnostic> {
    match text.split_once(':') {
        Some(("@", _)) if text.starts_with('@') => Err(flag_error("Expected library ref to not be empty")),
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

const FROM_FILE: &str = "Extracting data value from file";
const FROM_FLAG: &str = "Extracting data value from KV";

/// `--data-values-file [@lib:]PATH`: where the values go, and the path.
pub(crate) fn split_path_flag(text: &str) -> Result<(Route, &str), Diagnostic> {
    let split = split_library(text).and_then(|(library, path)| Ok((route(library)?, path)));
    split.map_err(|problem| problem.context(FROM_FILE))
}

/// `--data-value-file [@lib:]KEY=PATH`: the key with its library, and the path.
pub(crate) fn split_file_flag(text: &str) -> Result<(&str, &str), Diagnostic> {
    text.split_once('=').ok_or_else(|| flag_error("Expected format key=/file/path").context(FROM_FILE))
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

impl Key {
    /// The reference of a library, empty without one, and the parts.
    fn split(&self) -> Result<(&str, Vec<&str>), Diagnostic> {
        match self {
            Key::Typed(text) => split_key(text).map(|(library, path)| (library, path.split('.').collect())),
            Key::Parts(parts) => {
                let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                match parts[..] {
                    [library, _, ..] if library.starts_with('@') => Ok((library, parts[1..].to_vec())),
                    _ => Ok(("", parts)),
                }
            }
        }
    }
}

/// Variables of an environment, in their order: name and value.
pub(crate) type Environment<'a> = [(&'a str, &'a str)];

/// A source for a flag, and where things are in it.
struct FlagSource {
    source: SourceId,
    text: Arc<str>,
    number: u32,
}

impl Reader<'_> {
    /// `--data-value [@lib:]KEY=TEXT`.
    pub(crate) fn text(&mut self, text: &str) -> Result<GivenValue, Diagnostic> {
        self.pair(text, GivenKind::Text, "(data-value arg)").map_err(|problem| problem.context(FROM_FLAG))
    }

    /// `--data-value-yaml [@lib:]KEY=YAML`.
    pub(crate) fn yaml(&mut self, text: &str) -> Result<GivenValue, Diagnostic> {
        self.pair(text, GivenKind::Yaml, "(data-value-yaml arg)").map_err(|problem| problem.context(FROM_FLAG))
    }

    fn pair(&mut self, text: &str, kind: GivenKind, name: &str) -> Result<GivenValue, Diagnostic> {
        let flag = self.flag(name, text);
        let all = Span::new(flag.source, 0, text.len() as u32);
        let Some((left, right)) = text.split_once('=') else {
            let problem = flag_error("Expected format key=value").label(all, "there is no `=` in it");
            return Err(problem.help(format!("write `{text}=VALUE`")));
        };
        let value_at = left.len() as u32 + 1;
        let value = match kind {
            GivenKind::Yaml => self.yaml_part(&flag, value_at).map_err(|problem| {
                problem.context("Deserializing YAML value").context(format!("Deserializing value for key '{left}'"))
            })?,
            _ => self.text_part(&flag, value_at, right.len()),
        };
        let key = Span::new(flag.source, 0, left.len() as u32);
        let (library, path) = split_key(left).map_err(|problem| problem.at(Some(key)))?;
        let route = route(library).map_err(|problem| problem.at(Some(key)))?;
        if library.is_empty() && path.starts_with('@') {
            let text = format!("this sets a key named `{path}`, not a value of a library");
            let warning = Diagnostic::warning(Code::VALUES_KEY, text).at(Some(key));
            self.warnings.push(warning.help(format!("for a library, write `{path}:KEY=VALUE`")));
        }
        let key_at = (left.len() - path.len()) as u32;
        Ok(self.keyed(kind, route, &flag, key_at, path.split('.'), 1, value_at, value))
    }

    /// `--data-value-file [@lib:]KEY=PATH`, with the bytes of the file.
    pub(crate) fn file(&mut self, text: &str, bytes: &[u8]) -> Result<GivenValue, Diagnostic> {
        let read = |reader: &mut Self| {
            let (left, path) = split_file_flag(text)?;
            let (library, key) = split_key(left)?;
            let flag = reader.flag(&format!("(data-value-file arg) {key}={path}"), text);
            let route = route(library)?;
            let value = reader.arena.make_bytes(bytes);
            let (key_at, value_at) = ((left.len() - key.len()) as u32, left.len() as u32 + 1);
            Ok(reader.keyed(GivenKind::File, route, &flag, key_at, key.split('.'), 1, value_at, value))
        };
        read(self).map_err(|problem: Diagnostic| match problem.parts().context.is_empty() {
            true => problem.context(FROM_FILE),
            false => problem,
        })
    }

    /// `--data-values-env [@lib:]PREFIX`, or `--data-values-env-yaml` if `yaml` is true. Also gives errors and warnings.
    pub(crate) fn environment(
        &mut self,
        text: &str,
        yaml: bool,
        variables: &Environment<'_>,
    ) -> (Vec<GivenValue>, Vec<Diagnostic>) {
        let step = format!("Extracting data values from env under prefix '{text}'");
        let split = split_key(text).and_then(|(library, prefix)| Ok((route(library)?, prefix)));
        let (route, prefix) = match split {
            Ok(split) => split,
            Err(problem) => return (Vec::new(), vec![problem.context(step)]),
        };
        let (kind, flag) =
            if yaml { (GivenKind::EnvYaml, "data-values-env-yaml") } else { (GivenKind::Env, "data-values-env") };
        let (start, name) = (format!("{prefix}_"), format!("({flag} arg) {prefix}"));
        let advice = Arc::new(Advice::ReadVariablesAsYaml { prefix: text.to_owned() });
        let (mut given, mut problems) = (Vec::new(), Vec::new());
        for (variable, value) in variables {
            let Some(key) = variable.strip_prefix(&*start) else { continue };
            let flag = self.flag(&name, &format!("{variable}={value}"));
            let value_at = variable.len() as u32 + 1;
            let value = match kind {
                GivenKind::EnvYaml => self.yaml_part(&flag, value_at).map_err(|problem| {
                    problem
                        .context("Deserializing YAML value")
                        .context(format!("Extracting data value from env variable '{variable}'"))
                        .context(step.clone())
                }),
                _ => Ok(self.text_part(&flag, value_at, value.len())),
            };
            match value {
                Ok(value) => {
                    let keys = key.split("__");
                    let route = route.clone();
                    let value = self.keyed(kind, route, &flag, start.len() as u32, keys, 2, value_at, value);
                    given.push(GivenValue { advice: Some(advice.clone()), ..value });
                }
                Err(problem) => problems.push(problem),
            }
        }
        problems.extend(self.overlapping(&given));
        (given, problems)
    }

    /// Warns of two variables of which one sets a part of what the other sets: their order decides.
    fn overlapping(&self, given: &[GivenValue]) -> Vec<Diagnostic> {
        let keys = |value: &GivenValue| match &value.content {
            Content::Key(path, _) => path.iter().map(|(key, _)| self.arena.str(*key).unwrap_or_default()).collect(),
            _ => Vec::new(),
        };
        let mut all: Vec<(Vec<&str>, usize)> = given.iter().enumerate().map(|(at, value)| (keys(value), at)).collect();
        all.sort();
        let variable = |at: usize| {
            let place = self.arena.place(given[at].pos);
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

    /// One variable by its exact name, for a key; `yaml` says how its value is read. `source` stands for the call, and
    /// has the places of all that is given.
    pub(crate) fn variable(
        &mut self,
        source: SourceId,
        key: &Key,
        variable: &str,
        value: &str,
        yaml: bool,
    ) -> Result<GivenValue, Diagnostic> {
        let kind = if yaml { GivenKind::EnvYaml } else { GivenKind::Env };
        let (library, path) = key.split().map_err(|problem| problem.at(Some(Span::new(source, 0, 0))))?;
        let route = route(library).map_err(|problem| problem.at(Some(Span::new(source, 1, 1))))?;
        let value = match yaml {
            true => self.variable_yaml(source, variable, value)?,
            false => self.arena.make_str(value),
        };
        let key: Vec<String> =
            [library].iter().filter(|part| !part.is_empty()).chain(&path).map(|part| part.to_string()).collect();
        let advice = Arc::new(Advice::ReadVariableAsYaml(Variable { name: variable.to_owned(), key }));
        let given = self.given_by_call(source, kind, route, library, &path, value);
        Ok(GivenValue { advice: Some(advice), ..given })
    }

    /// The value of a variable, read as YAML. What is wrong with it is shown behind the call.
    fn variable_yaml(&mut self, source: SourceId, variable: &str, value: &str) -> Result<Val, Diagnostic> {
        let flag = self.flag(&format!("(data-values-env-yaml arg) {variable}"), &format!("{variable}={value}"));
        let (places, warnings) = (self.arena.place_count(), self.warnings.len());
        let read = self.yaml_part(&flag, variable.len() as u32 + 1);
        for place in self.arena.places_from_mut(places).filter(|place| place.source == flag.source) {
            *place = NodeSpan { source, start: 0, key_end: 0, value: 0, end: 0 };
        }
        let call = || Label { span: Span::new(source, 0, 0), text: String::new() };
        self.warnings[warnings..].iter_mut().for_each(|warning| warning.parts_mut().labels.insert(0, call()));
        read.map_err(|mut problem| {
            problem.parts_mut().labels.insert(0, call());
            problem
                .context("Deserializing YAML value")
                .context(format!("Extracting data value from env variable '{variable}'"))
        })
    }

    /// One file of `--data-values-file`: its documents that are not null. `path` is the flag's, without the library.
    pub(crate) fn values_file(
        &mut self,
        source: SourceId,
        route: &Route,
        path: &str,
    ) -> Result<Vec<GivenValue>, Diagnostic> {
        let name = self.sources.get(source).name.clone();
        let file = self.read(source).map_err(|problem| {
            problem.context(format!("Unmarshaling YAML data values file '{name}'")).context(FROM_FILE)
        })?;
        let mut given = Vec::new();
        for document in file.documents(self.arena).to_vec() {
            if self.arena.value(document) == Val::Null {
                continue;
            }
            if let Some(span) = self.annotation_comment(document) {
                let message =
                    "Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)";
                return Err(Diagnostic::error(Code::VALUES_FILE, message)
                    .at(Some(span))
                    .context(format!("Checking data values file '{path}'"))
                    .context(FROM_FILE));
            }
            let pos = self.arena.get(document).pos;
            given.push(GivenValue::plain(GivenKind::ValuesFile, document, route.clone(), pos));
        }
        Ok(given)
    }

    /// A comment that begins with `#@` and belongs to a node.
    fn annotation_comment(&self, document: NodeId) -> Option<Span> {
        let mut open = vec![Val::Node(document)];
        while let Some(value) = open.pop() {
            let Val::Node(id) = value else { continue };
            for comment in self.arena.comments(id) {
                let source = self.sources.get(comment.span.source);
                if comment_text(&source, comment).starts_with('@') {
                    return Some(comment.span);
                }
            }
            match self.arena.get(id).body {
                Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => open.push(value),
                _ => open.extend(self.arena.items(id).iter().rev().map(|item| Val::Node(*item))),
            }
        }
        None
    }

    /// A document of values that Rust code gave, merged plainly, for the library that the reference means. `source`
    /// stands for the call.
    pub(crate) fn rust_document(
        &mut self,
        source: SourceId,
        library: &str,
        value: &Value,
    ) -> Result<GivenValue, Diagnostic> {
        let route = route(library)?;
        let pos = self.arena.add_place(NodeSpan { source, start: 0, key_end: 0, value: 0, end: 0 });
        let value = to_arena(self.arena, value, Some(source))?;
        let document = self.arena.add(Body::Doc(value), pos);
        Ok(GivenValue::plain(GivenKind::Rust, document, route, pos))
    }

    /// A value that Rust code gave for a key; the parts of the value are those of `tree`.
    pub(crate) fn rust_key(
        &mut self,
        source: SourceId,
        key: &str,
        tree: SourceId,
        value: &Value,
    ) -> Result<GivenValue, Diagnostic> {
        let value = to_arena(self.arena, value, Some(tree))?;
        self.code_key(source, key, value)
    }

    /// YAML text that Rust code gave for a key: its first document. `text` is the source that holds it.
    pub(crate) fn rust_yaml(&mut self, source: SourceId, key: &str, text: SourceId) -> Result<GivenValue, Diagnostic> {
        let file = self.read(text).map_err(|problem| {
            problem.context("Deserializing YAML value").context(format!("Deserializing value for key '{key}'"))
        })?;
        let value = file.first_value(self.arena);
        self.code_key(source, key, value)
    }

    /// The bytes of a file that Rust code gave for a key.
    pub(crate) fn rust_file(&mut self, source: SourceId, key: &str, bytes: &[u8]) -> Result<GivenValue, Diagnostic> {
        let value = self.arena.make_bytes(bytes);
        self.code_key(source, key, value)
    }

    fn code_key(&mut self, source: SourceId, key: &str, value: Val) -> Result<GivenValue, Diagnostic> {
        let (library, path) = split_key(key)?;
        let route = route(library).map_err(|problem| problem.at(Some(Span::new(source, 1, 1))))?;
        let path: Vec<&str> = path.split('.').collect();
        Ok(self.given_by_call(source, GivenKind::Rust, route, library, &path, value))
    }

    /// A value that a call of Rust code gives for a key; the places are those of a call with a key, see [`Origin::Rust`].
    fn given_by_call(
        &mut self,
        source: SourceId,
        kind: GivenKind,
        route: Route,
        library: &str,
        path: &[&str],
        value: Val,
    ) -> GivenValue {
        let place = |part: u32| NodeSpan { source, start: part, key_end: part, value: 0, end: 0 };
        let libraries = u32::from(!library.is_empty());
        let mut keys = Vec::with_capacity(path.len());
        for (part, key) in (libraries + 1..).zip(path) {
            keys.push((self.arena.intern(key), self.arena.add_place(place(part))));
        }
        // A library that nobody evaluates is named by the first part.
        let pos = self.arena.add_place(place(libraries));
        GivenValue { kind, route, content: Content::Key(keys, value), pos, call: None, advice: None }
    }

    /// Reads a source as plain YAML; of equal keys the last one counts.
    fn read(&mut self, source: SourceId) -> Result<ReadFile, Diagnostic> {
        let mut file = read(self.arena, self.sources, source, self.options)?;
        if file.has_duplicate_keys {
            resolve_duplicate_keys(self.arena, file.root);
        }
        self.warnings.append(&mut file.warnings);
        Ok(file)
    }

    fn flag(&mut self, name: &str, text: &str) -> FlagSource {
        let text: Arc<str> = text.into();
        let source = Source::new(name, Text::Str(text.clone()), Origin::Flag, self.input, LineBreaks::Yaml);
        FlagSource { source: self.sources.add(source), number: self.arena.add_text(text.clone()), text }
    }

    fn text_part(&self, flag: &FlagSource, at: u32, len: usize) -> Val {
        Val::Str { text: flag.number, at, len: len as u32 }
    }

    /// The first document of the rest of a flag, read as YAML. Its places are places of the flag.
    fn yaml_part(&mut self, flag: &FlagSource, at: u32) -> Result<Val, Diagnostic> {
        let outer = self.sources.get(flag.source);
        let text = Text::Str(flag.text[at as usize..].into());
        let part = Source::new(outer.name.clone(), text, Origin::Flag, self.input, LineBreaks::Yaml);
        let part = self.sources.add(part);
        let (places, warnings) = (self.arena.place_count(), self.warnings.len());
        let read = self.read(part);
        for place in self.arena.places_from_mut(places) {
            if place.source == part {
                place.source = flag.source;
                for offset in [&mut place.start, &mut place.key_end, &mut place.value, &mut place.end] {
                    *offset += at;
                }
            }
        }
        let shift = |problem: &mut Diagnostic| {
            for label in problem.parts_mut().labels.iter_mut().filter(|label| label.span.source == part) {
                label.span = Span::new(flag.source, label.span.start + at, label.span.end + at);
            }
        };
        self.warnings[warnings..].iter_mut().for_each(shift);
        match read {
            Ok(file) => Ok(file.first_value(self.arena)),
            Err(mut problem) => {
                shift(&mut problem);
                Err(problem)
            }
        }
    }

    /// A value at a path of keys that begins at `key_at` of the flag; `separator` is the length of what parts the keys.
    #[expect(clippy::too_many_arguments, reason = "the parts of one flag")]
    fn keyed<'k>(
        &mut self,
        kind: GivenKind,
        route: Route,
        flag: &FlagSource,
        key_at: u32,
        keys: impl Iterator<Item = &'k str>,
        separator: u32,
        value_at: u32,
        value: Val,
    ) -> GivenValue {
        let (mut start, mut path) = (key_at, Vec::new());
        for key in keys {
            let key_end = start + key.len() as u32;
            let end = flag.text.len() as u32;
            let pos = self.arena.add_place(NodeSpan { source: flag.source, start, key_end, value: value_at, end });
            path.push((self.arena.intern(key), pos));
            start = key_end + separator;
        }
        let whole = NodeSpan {
            source: flag.source,
            start: 0,
            key_end: value_at - 1,
            value: value_at,
            end: flag.text.len() as u32,
        };
        let pos = self.arena.add_place(whole);
        GivenValue { kind, route, content: Content::Key(path, value), pos, call: None, advice: None }
    }
}
