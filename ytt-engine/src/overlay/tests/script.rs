//! A `Call` for tests: live values are a small enum, functions are Rust closures, and texts in a small part of YAML
//! (block maps and arrays, one-line flow values, `#@overlay/…` lines) are read into the arena.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::call::{Arg, Args, Call, Live, Matcher, Seen};
use crate::diag::{Code, Diagnostic};
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Text};
use crate::yaml::{Annotation, Arena, ArgId, Body, NodeId, Place, Plain, PosId, Val};

pub(super) type Function = Rc<dyn Fn(&mut Script, &[Val]) -> Result<Value, Diagnostic>>;

#[derive(Clone)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Arc<str>),
    List(Vec<Live>),
    Tuple(Vec<Live>),
    Dict(Vec<(Live, Live)>),
    /// A value of the arena: a fragment, or a scalar.
    Val(Val),
    Function(Function),
    Matcher(Matcher),
    /// Too large for any node.
    Huge,
}

pub(super) struct Script {
    pub(super) arena: RefCell<Arena>,
    pub(super) sources: Arc<SourceMap>,
    pub(super) values: RefCell<Vec<Value>>,
    pub(super) args: Vec<Arc<Args>>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) names: HashMap<&'static str, Value>,
    pub(super) calls: usize,
    pub(super) tried: bool,
}

impl Script {
    pub(super) fn new() -> Script {
        Script {
            arena: RefCell::new(Arena::new(1000)),
            sources: Arc::default(),
            values: RefCell::default(),
            args: Vec::new(),
            warnings: Vec::new(),
            names: HashMap::new(),
            calls: 0,
            tried: false,
        }
    }

    /// Makes a function that annotations can name.
    pub(super) fn function(
        &mut self,
        name: &'static str,
        run: impl Fn(&mut Script, &[Val]) -> Result<Value, Diagnostic> + 'static,
    ) {
        self.names.insert(name, Value::Function(Rc::new(run)));
    }

    pub(super) fn live(&self, value: Value) -> Live {
        let mut values = self.values.borrow_mut();
        values.push(value);
        Live(values.len() as u32 - 1)
    }

    fn get(&self, live: Live) -> Value {
        self.values.borrow()[live.0 as usize].clone()
    }

    /// Reads a text as a document set.
    pub(super) fn read(&mut self, name: &str, text: &str) -> NodeId {
        let source = Source::new(name, Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let source = self.sources.add(source);
        let mut lines = Vec::new();
        let mut at = 0;
        for line in text.split('\n') {
            let indent = line.len() - line.trim_start().len();
            if !line.trim().is_empty() {
                lines.push(Line { at: (at + indent) as u32, indent, text: line.trim().to_string() });
            }
            at += line.len() + 1;
        }
        let mut reader = Reader { script: self, source, lines, next: 0, pending: Vec::new() };
        reader.set()
    }

    /// The value of the first document of a text.
    pub(super) fn fragment(&mut self, name: &str, text: &str) -> Val {
        let set = self.read(name, text);
        let arena = self.arena.borrow();
        arena.value(arena.items(set)[0])
    }

    /// A value as one line of flow YAML.
    pub(super) fn show(&self, value: Val) -> String {
        show(&self.arena.borrow(), value)
    }

    fn make(&self, value: &Value) -> Result<Val, Diagnostic> {
        Ok(match value {
            Value::Null => Val::Null,
            Value::Bool(value) => Val::Bool(*value),
            Value::Int(value) => Val::Int(*value),
            Value::Float(value) => Val::Float(*value),
            Value::Str(text) => self.arena.borrow_mut().make_str(text),
            Value::List(items) | Value::Tuple(items) => {
                let items: Result<_, _> = items.iter().map(|item| self.to_val(*item)).collect();
                self.arena.borrow_mut().add_plain(Plain::List(items?))
            }
            Value::Dict(entries) => {
                let mut made = Vec::new();
                for (key, value) in entries {
                    made.push((self.to_val(*key)?, self.to_val(*value)?));
                }
                self.arena.borrow_mut().add_plain(Plain::Dict(made))
            }
            Value::Val(value) => *value,
            Value::Function(_) | Value::Matcher(_) => {
                return Err(Diagnostic::error(Code::INTERNAL, "unknown type function for conversion to a value"));
            }
            Value::Huge => return Err(Diagnostic::error(Code::INTERNAL, "int value is out of range")),
        })
    }
}

impl Call for Script {
    fn arena(&self) -> &RefCell<Arena> {
        &self.arena
    }
    fn sources(&self) -> &SourceMap {
        &self.sources
    }
    fn args(&self, ann: ArgId) -> Arc<Args> {
        self.args[ann.0 as usize].clone()
    }
    fn see(&self, value: Live) -> Seen {
        match self.get(value) {
            Value::Null | Value::Val(Val::Null) => Seen::Null,
            Value::Bool(value) | Value::Val(Val::Bool(value)) => Seen::Bool(value),
            Value::Int(value) | Value::Val(Val::Int(value)) => Seen::Int(value),
            Value::Float(value) | Value::Val(Val::Float(value)) => Seen::Float(value),
            Value::Str(text) => Seen::Str(text),
            Value::List(items) => Seen::List(items),
            Value::Tuple(items) => Seen::Tuple(items),
            Value::Dict(_) => Seen::Map,
            Value::Val(Val::Node(_)) => Seen::Node,
            Value::Val(value) => match self.arena.borrow().str(value) {
                Some(text) => Seen::Str(text.into()),
                None => Seen::Other,
            },
            Value::Function(_) => Seen::Function,
            Value::Matcher(matcher) => Seen::Matcher(matcher),
            Value::Huge => Seen::Other,
        }
    }
    fn kind(&self, value: Live) -> &'static str {
        match self.get(value) {
            Value::Null | Value::Val(Val::Null) => "NoneType",
            Value::Bool(_) | Value::Val(Val::Bool(_)) => "bool",
            Value::Int(_) | Value::Huge | Value::Val(Val::Int(_) | Val::UInt(_)) => "int",
            Value::Float(_) | Value::Val(Val::Float(_)) => "float",
            Value::Str(_) | Value::Val(Val::Str { .. } | Val::Bytes(_)) => "string",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Dict(_) => "dict",
            Value::Val(_) => "yamlfragment",
            Value::Function(_) => "function",
            Value::Matcher(_) => "builtin_function_or_method",
        }
    }
    fn to_val(&self, value: Live) -> Result<Val, Diagnostic> {
        self.make(&self.get(value))
    }
    fn attr(&self, _: Live, _: &str) -> Option<Live> {
        None
    }
    fn params(&self, _: Live) -> Option<usize> {
        None
    }
    fn call(&mut self, function: Live, args: &[Arg<'_>]) -> Result<Live, Diagnostic> {
        self.calls += 1;
        let args: Vec<Val> = args
            .iter()
            .map(|arg| match arg {
                Arg::Val(value) => *value,
                Arg::Struct(_) => Val::Null,
            })
            .collect();
        let result = match self.get(function) {
            Value::Function(run) => run(self, &args)?,
            Value::Matcher(matcher) => match args[..] {
                [first, left, right] => Value::Bool(crate::overlay::call_matcher(self, &matcher, first, left, right)?),
                _ => return Err(Diagnostic::error(Code::INTERNAL, "overlay.all: expected exactly 3 arguments")),
            },
            _ => return Err(Diagnostic::error(Code::INTERNAL, "invalid call of non-function")),
        };
        Ok(self.live(result))
    }
    fn warn(&mut self, warning: Diagnostic) {
        self.warnings.push(warning);
    }
    fn is_tried(&self) -> bool {
        self.tried
    }
}

fn show(arena: &Arena, value: Val) -> String {
    let list = |items: Vec<String>, open: &str, close: &str| format!("{open}{}{close}", items.join(", "));
    match value {
        Val::Null => "null".to_string(),
        Val::Bool(value) => value.to_string(),
        Val::Int(value) => value.to_string(),
        Val::UInt(value) => value.to_string(),
        Val::Float(value) => format!("{value:?}"),
        Val::Bytes(_) => "bytes".to_string(),
        Val::Str { .. } => arena.str(value).unwrap_or_default().to_string(),
        Val::Plain(number) => match arena.plain(number) {
            Plain::List(values) => list(values.iter().map(|value| show(arena, *value)).collect(), "(", ")"),
            Plain::Dict(entries) => list(
                entries.iter().map(|(key, value)| format!("{}= {}", show(arena, *key), show(arena, *value))).collect(),
                "(",
                ")",
            ),
        },
        Val::Node(id) => match &arena.get(id).body {
            Body::Map(items) => list(
                items
                    .iter()
                    .map(|item| format!("{}: {}", show(arena, arena.key(*item)), show(arena, arena.value(*item))))
                    .collect(),
                "{",
                "}",
            ),
            Body::Array(items) => list(items.iter().map(|item| show(arena, arena.value(*item))).collect(), "[", "]"),
            Body::Set(items) => {
                items.iter().map(|item| show(arena, arena.value(*item))).collect::<Vec<_>>().join(" --- ")
            }
            Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => show(arena, *value),
        },
    }
}

struct Line {
    at: u32,
    indent: usize,
    text: String,
}

struct Reader<'s> {
    script: &'s mut Script,
    source: SourceId,
    lines: Vec<Line>,
    next: usize,
    pending: Vec<Annotation>,
}

impl Reader<'_> {
    fn set(&mut self) -> NodeId {
        let mut documents = Vec::new();
        while self.next < self.lines.len() || documents.is_empty() {
            // Annotations in front of `---` belong to the document; else to the first item.
            let mark = self.next;
            self.annotations();
            let mut pos = PosId(0);
            let mut annotations = Vec::new();
            let starts = self.lines.get(self.next).is_some_and(|line| line.text == "---");
            if starts {
                pos = self.place(self.next, 3);
                annotations = std::mem::take(&mut self.pending);
                self.next += 1;
            } else {
                if let Some(line) = self.lines.first() {
                    let (start, source) = (line.at, self.source);
                    let place = Place { source, start, key_end: start, value: start, end: start };
                    pos = self.script.arena.borrow_mut().add_place(place);
                }
                self.pending.clear();
                self.next = mark;
            }
            let value = self.block(0);
            let mut arena = self.script.arena.borrow_mut();
            let document = arena.add(Body::Doc(value), pos);
            let set = arena.add_anns(annotations.into());
            arena.get_mut(document).ann = set;
            documents.push(document);
        }
        self.script.arena.borrow_mut().add(Body::Set(documents.into()), PosId(0))
    }

    fn place(&self, line: usize, length: usize) -> PosId {
        let line = &self.lines[line];
        let (start, end) = (line.at, line.at + line.text.len() as u32);
        let key_end = start + length as u32;
        let place = Place { source: self.source, start, key_end, value: (key_end + 1).min(end), end };
        self.script.arena.borrow_mut().add_place(place)
    }

    fn annotations(&mut self) {
        while let Some(line) = self.lines.get(self.next)
            && let Some(text) = line.text.strip_prefix("#@")
        {
            let (name, args) = text.split_once(' ').unwrap_or((text, ""));
            let (name, args, start) = (name.to_string(), args.to_string(), line.at);
            let place = Place {
                source: self.source,
                start,
                key_end: start + 2 + name.len() as u32,
                value: start + 3 + name.len() as u32,
                end: start + line.text.len() as u32,
            };
            let pos = self.script.arena.borrow_mut().add_place(place);
            let mut expression = Expression { script: self.script, text: &args, at: 0, yaml: false };
            let args = expression.args();
            self.script.args.push(Arc::new(args));
            let args = ArgId(self.script.args.len() as u32 - 1);
            self.pending.push(Annotation { name: name.into(), args, pos });
            self.next += 1;
        }
    }

    /// A map, array or scalar whose lines are indented by `indent` at least.
    fn block(&mut self, indent: usize) -> Val {
        let start = self.next;
        self.annotations();
        let pending = std::mem::take(&mut self.pending);
        let Some(line) = self.lines.get(self.next) else {
            return Val::Null;
        };
        if line.indent < indent || line.text == "---" {
            self.next = start;
            return Val::Null;
        }
        self.next = start;
        drop(pending);
        let array = line.text == "-" || line.text.starts_with("- ");
        let is_map = !array && !line.text.starts_with(['{', '[']) && key_end(&line.text).is_some();
        if !array && !is_map {
            let text = line.text.clone();
            self.next += 1;
            return self.scalar(&text, PosId(0));
        }
        let level = line.indent;
        let mut items = Vec::new();
        loop {
            let before = self.next;
            self.annotations();
            let annotations = std::mem::take(&mut self.pending);
            let Some(line) = self.lines.get(self.next) else { break };
            let is_item = if array { line.text == "-" || line.text.starts_with("- ") } else { line.text != "---" };
            if line.indent != level || !is_item {
                self.next = before;
                break;
            }
            let item = if array { self.array_item() } else { self.map_item(indent) };
            let mut arena = self.script.arena.borrow_mut();
            let set = arena.add_anns(annotations.into());
            arena.get_mut(item).ann = set;
            drop(arena);
            items.push(item);
        }
        let mut arena = self.script.arena.borrow_mut();
        Val::Node(arena.add(if array { Body::Array(items.into()) } else { Body::Map(items.into()) }, PosId(0)))
    }

    fn array_item(&mut self) -> NodeId {
        let pos = self.place(self.next, 1);
        let line = &mut self.lines[self.next];
        let rest = line.text[1..].trim_start().to_string();
        let level = line.indent;
        let value = if rest.is_empty() {
            self.next += 1;
            self.block(level + 1)
        } else if rest.starts_with("- ") || !rest.starts_with(['{', '[']) && key_end(&rest).is_some() {
            // A collection that begins on the line of the dash.
            let shift = line.text.len() - rest.len();
            line.indent += shift;
            line.at += shift as u32;
            line.text = rest;
            self.block(level + 1)
        } else {
            self.next += 1;
            self.scalar(&rest, pos)
        };
        self.script.arena.borrow_mut().add(Body::ArrayItem(value), pos)
    }

    fn map_item(&mut self, _: usize) -> NodeId {
        let line = &self.lines[self.next];
        let (text, level) = (line.text.clone(), line.indent);
        let end = key_end(&text).unwrap_or(text.len());
        let pos = self.place(self.next, end);
        let key = self.scalar(&text[..end], pos);
        let rest = text[end + 1..].trim();
        self.next += 1;
        let value = if rest.is_empty() {
            let array_here = self.lines[self.next..].iter().find(|line| !line.text.starts_with("#@"));
            match array_here {
                Some(line) if line.indent == level && line.text.starts_with('-') && line.text != "---" => {
                    self.block(level)
                }
                _ => self.block(level + 1),
            }
        } else {
            self.scalar(rest, pos)
        };
        self.script.arena.borrow_mut().add(Body::MapItem(key, value), pos)
    }

    fn scalar(&mut self, text: &str, pos: PosId) -> Val {
        let value = Expression { script: self.script, text, at: 0, yaml: true }.value();
        let value = self.script.to_val(value).unwrap();
        self.script.arena.borrow_mut().nodes_with_pos(value, pos).unwrap()
    }
}

fn key_end(text: &str) -> Option<usize> {
    text.find(": ").or_else(|| text.ends_with(':').then(|| text.len() - 1))
}

/// Arguments in a small part of Starlark, or (`yaml`) a one-line YAML value.
struct Expression<'s, 't> {
    script: &'s mut Script,
    text: &'t str,
    at: usize,
    yaml: bool,
}

impl Expression<'_, '_> {
    fn rest(&mut self) -> &str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn eat(&mut self, token: char) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len_utf8() } else { 0 };
        found
    }

    fn args(&mut self) -> Args {
        let mut args = Args::default();
        while !self.rest().is_empty() {
            let rest = self.rest();
            let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, is_named) = (rest[..name].to_string(), rest[name..].starts_with('='));
            if is_named && !name.is_empty() {
                self.at += name.len() + 1;
                let value = self.value();
                args.named.push((name.into(), value));
            } else {
                let value = self.value();
                args.positional.push(value);
            }
            self.eat(',');
        }
        args
    }

    fn value(&mut self) -> Live {
        let value = self.parse();
        self.script.live(value)
    }

    fn list(&mut self, close: char) -> Vec<Live> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(self.value());
            self.eat(',');
        }
        items
    }

    fn parse(&mut self) -> Value {
        if self.eat('[') {
            return Value::List(self.list(']'));
        }
        if self.eat('(') {
            return Value::Tuple(self.list(')'));
        }
        if self.eat('{') {
            let mut entries = Vec::new();
            while !self.eat('}') {
                let key = self.value();
                self.eat(':');
                entries.push((key, self.value()));
                self.eat(',');
            }
            return Value::Dict(entries);
        }
        if self.eat('"') {
            let end = self.text[self.at..].find('"').unwrap();
            let text = self.text[self.at..self.at + end].into();
            self.at += end + 1;
            return Value::Str(text);
        }
        let yaml = self.yaml;
        let rest = self.rest();
        let stop = |c: char| if yaml { matches!(c, ',' | ']' | '}' | ':') } else { ",)]}:(".contains(c) };
        let end = rest.find(stop).unwrap_or(rest.len());
        let word = rest[..end].trim_end().to_string();
        self.at += end;
        if self.yaml
            && let Some(name) = word.strip_prefix('$')
        {
            return self.script.names.get(name).unwrap_or_else(|| panic!("no value {name}")).clone();
        }
        match &*word {
            "" | "null" | "~" | "None" => return Value::Null,
            "true" | "True" => return Value::Bool(true),
            "false" | "False" => return Value::Bool(false),
            "HUGE" => return Value::Huge,
            _ => {}
        }
        if let Ok(number) = word.parse() {
            return Value::Int(number);
        }
        if word.contains('.')
            && let Ok(number) = word.parse()
        {
            return Value::Float(number);
        }
        if self.yaml {
            return Value::Str(word.into());
        }
        self.call(&word)
    }

    fn call(&mut self, word: &str) -> Value {
        let args = if self.eat('(') { self.list(')') } else { Vec::new() };
        let matcher = match word {
            "overlay.all" => Matcher::All,
            "overlay.index" => match self.script.see(args[0]) {
                Seen::Int(index) => Matcher::Index(index),
                _ => panic!("an index is a number"),
            },
            "overlay.map_key" => Matcher::Key(args[0]),
            "overlay.subset" => Matcher::Subset(args[0]),
            "overlay.and_op" => Matcher::And(args),
            "overlay.or_op" => Matcher::Or(args),
            "overlay.not_op" => Matcher::Not(args[0]),
            name => return self.script.names.get(name).unwrap_or_else(|| panic!("no function {name}")).clone(),
        };
        Value::Matcher(matcher)
    }
}
