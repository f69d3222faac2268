//! For tests: a [`Call`] over literals and functions of the test, and a reader of YAML whose comments are annotations.
//!
//! Arguments of annotations are literals of Starlark, matchers, and names that the test gave. In a document, `$NAME`
//! stands for the fragment of that name.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::{Arg, Args, Call, Matcher, Seen, ValueHandle};
use crate::diag::{Code, Diagnostic};
use crate::source::{LineBreaks, Origin, Source, SourceMap, Span, Text};
use crate::yaml::{Annotation, Arena, ArgId, Body, NodeId, NodeSpan, PosId, Raw, ReadOptions, Val, read};

/// Fields of a struct that it is given are arguments of their own.
pub(crate) type Function = Rc<dyn Fn(&mut Script, &[Val]) -> Result<Value, Diagnostic>>;

#[derive(Clone)]
pub(crate) enum Value {
    /// A scalar, or a fragment.
    Val(Val),
    /// An integer that no node can hold.
    Big,
    Str(Arc<str>),
    List(Vec<ValueHandle>),
    Tuple(Vec<ValueHandle>),
    Dict(Vec<(ValueHandle, ValueHandle)>),
    /// With the number of its parameters; a built-in one has none.
    Function(Option<usize>, Function),
    /// What has the attribute `check`.
    Object(ValueHandle),
    Matcher(Matcher),
}

impl Value {
    pub(crate) const NULL: Value = Value::Val(Val::Null);

    pub(crate) fn bool(value: bool) -> Value {
        Value::Val(Val::Bool(value))
    }

    pub(crate) fn int(value: i64) -> Value {
        Value::Val(Val::Int(value))
    }
}

pub(crate) struct Script {
    pub(crate) arena: RefCell<Arena>,
    sources: SourceMap,
    values: RefCell<Vec<Value>>,
    args: RefCell<Vec<Arc<Args>>>,
    pub(crate) names: HashMap<&'static str, Value>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) tried: bool,
}

impl Script {
    pub(crate) fn new() -> Script {
        Script {
            arena: RefCell::new(Arena::new(1000)),
            sources: SourceMap::default(),
            values: RefCell::new(vec![Value::bool(true)]),
            args: RefCell::new(Args::reserved(ValueHandle(0))),
            names: HashMap::new(),
            warnings: Vec::new(),
            tried: false,
        }
    }

    /// Gives a name to a function, a built-in one.
    pub(crate) fn function(
        &mut self,
        name: &'static str,
        run: impl Fn(&mut Script, &[Val]) -> Result<Value, Diagnostic> + 'static,
    ) {
        self.names.insert(name, Value::Function(None, Rc::new(run)));
    }

    /// The same of one that was written with so many parameters.
    pub(crate) fn function_of(
        &mut self,
        params: usize,
        name: &'static str,
        run: impl Fn(&mut Script, &[Val]) -> Result<Value, Diagnostic> + 'static,
    ) {
        self.names.insert(name, Value::Function(Some(params), Rc::new(run)));
    }

    pub(crate) fn handle(&self, value: Value) -> ValueHandle {
        let mut values = self.values.borrow_mut();
        values.push(value);
        ValueHandle(values.len() as u32 - 1)
    }

    fn get(&self, handle: ValueHandle) -> Value {
        self.values.borrow()[handle.0 as usize].clone()
    }

    fn named(&self, name: &str) -> Value {
        self.names.get(name).unwrap_or_else(|| panic!("nothing is named {name}")).clone()
    }

    /// The value of the first document of a text.
    pub(crate) fn fragment(&self, name: &str, text: &str) -> Val {
        let document = self.read(name, text)[0];
        self.arena.borrow().value(document)
    }

    /// A document set of the documents of a text.
    pub(crate) fn set(&self, name: &str, text: &str) -> NodeId {
        let documents = self.read(name, text);
        self.arena.borrow_mut().add(Body::Set(documents.into()), PosId(0))
    }

    /// The documents of a text.
    pub(crate) fn read(&self, name: &str, text: &str) -> Vec<NodeId> {
        let source = Source::new(name, Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let source = self.sources.add(source);
        let mut arena = self.arena.borrow_mut();
        let before = arena.len();
        let options = ReadOptions { strict: false, alias_nodes: 1000, reports: 20 };
        let file = read(&mut arena, &self.sources, source, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for node in (before..arena.len()).map(|number| NodeId(number as u32)) {
            let mut anns = Vec::new();
            for comment in arena.comments(node).to_vec() {
                let Span { start, end, .. } = comment;
                let Some(code) = text[start as usize..end as usize].strip_prefix("#@") else { continue };
                let (name, rest) = code.split_once(' ').unwrap_or((code, ""));
                let key_end = start + 2 + name.len() as u32;
                let place = NodeSpan { source, start, key_end, value: (key_end + 1).min(end), end };
                let pos = arena.add_place(place);
                anns.push(Annotation { name: name.into(), args: self.arguments(rest), pos });
            }
            let anns = arena.add_anns(anns.into());
            arena.get_mut(node).ann = anns;
            let name = arena.str(arena.value(node)).and_then(|text| text.strip_prefix('$'));
            if let Some(Value::Val(value)) = name.map(|name| self.named(name)) {
                arena.set_value(node, value);
            }
        }
        file.documents(&arena).to_vec()
    }

    pub(crate) fn arguments(&self, text: &str) -> ArgId {
        let args = Arguments { script: self, rest: text }.all();
        self.args.borrow_mut().push(Arc::new(args));
        ArgId(self.args.borrow().len() as u32 - 1)
    }
}

/// What is left of the text of arguments.
struct Arguments<'a> {
    script: &'a Script,
    rest: &'a str,
}

impl<'a> Arguments<'a> {
    fn all(&mut self) -> Args {
        let mut args = Args::default();
        while !self.rest.trim_start().is_empty() {
            let before = self.rest;
            let word = self.word();
            if !word.is_empty() && self.eat("=") {
                let value = self.value();
                args.named.push((word.into(), value));
            } else {
                self.rest = before;
                args.positional.push(self.value());
            }
            self.eat(",");
        }
        args
    }

    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        let behind = self.rest.strip_prefix(token);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_.+-".contains(c)).unwrap_or(rest.len());
        self.rest = &rest[end..];
        &rest[..end]
    }

    fn list(&mut self, close: &str) -> Vec<ValueHandle> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(self.value());
            self.eat(",");
        }
        items
    }

    fn value(&mut self) -> ValueHandle {
        let value = self.parse();
        self.script.handle(value)
    }

    fn parse(&mut self) -> Value {
        if self.eat("[") {
            return Value::List(self.list("]"));
        }
        if self.eat("(") {
            return Value::Tuple(self.list(")"));
        }
        if self.eat("{") {
            let mut entries = Vec::new();
            while !self.eat("}") {
                let key = self.value();
                assert!(self.eat(":"), "no value of a key: {}", self.rest);
                entries.push((key, self.value()));
                self.eat(",");
            }
            return Value::Dict(entries);
        }
        if self.eat("\"") {
            let (text, rest) = self.rest.split_once('"').expect("the end of a text");
            self.rest = rest;
            return Value::Str(text.into());
        }
        let (before, word) = (self.rest, self.word());
        match word {
            "" => panic!("no literal: {before}"),
            "None" => Value::NULL,
            "True" => Value::bool(true),
            "False" => Value::bool(false),
            "big" => Value::Big,
            word => match (word.parse(), word.parse(), word.strip_prefix("overlay.")) {
                (Ok(int), ..) => Value::int(int),
                (_, Ok(float), _) => Value::Val(Val::Float(float)),
                (.., Some(matcher)) => Value::Matcher(self.matcher(matcher)),
                _ => self.script.named(word),
            },
        }
    }

    fn matcher(&mut self, name: &str) -> Matcher {
        let args = if self.eat("(") { self.list(")") } else { Vec::new() };
        match name {
            "all" => Matcher::All,
            "index" => match self.script.see(args[0]) {
                Seen::Int(index) => Matcher::Index(index),
                _ => panic!("an index is a number"),
            },
            "map_key" => Matcher::Key(args[0]),
            "subset" => Matcher::Subset(args[0]),
            "and_op" => Matcher::And(args),
            "or_op" => Matcher::Or(args),
            "not_op" => Matcher::Not(args[0]),
            name => panic!("no matcher {name}"),
        }
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
        self.args.borrow()[ann.0 as usize].clone()
    }
    fn see(&self, value: ValueHandle) -> Seen {
        match self.get(value) {
            Value::Val(Val::Null) => Seen::Null,
            Value::Val(Val::Bool(value)) => Seen::Bool(value),
            Value::Val(Val::Int(value)) => Seen::Int(value),
            Value::Val(Val::Float(value)) => Seen::Float(value),
            Value::Val(Val::Node(_)) => Seen::Node,
            Value::Val(value) => self.arena.borrow().str(value).map_or(Seen::Other, |text| Seen::Str(text.into())),
            Value::Str(text) => Seen::Str(text),
            Value::List(items) => Seen::List(items),
            Value::Tuple(items) => Seen::Tuple(items),
            Value::Dict(_) => Seen::Map,
            Value::Function(..) => Seen::Function,
            Value::Matcher(matcher) => Seen::Matcher(matcher),
            Value::Big | Value::Object(_) => Seen::Other,
        }
    }
    fn kind(&self, value: ValueHandle) -> &'static str {
        match self.get(value) {
            Value::Val(Val::Null) => "NoneType",
            Value::Val(Val::Bool(_)) => "bool",
            Value::Big | Value::Val(Val::Int(_) | Val::UInt(_)) => "int",
            Value::Val(Val::Float(_)) => "float",
            Value::Str(_) | Value::Val(Val::Str { .. } | Val::Bytes(_)) => "string",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Dict(_) => "dict",
            Value::Val(_) => "yamlfragment",
            Value::Function(..) | Value::Object(_) => "function",
            Value::Matcher(_) => "builtin_function_or_method",
        }
    }
    fn to_val(&self, value: ValueHandle) -> Result<Val, Diagnostic> {
        Ok(match self.get(value) {
            Value::Val(value) => value,
            Value::Str(text) => self.arena.borrow_mut().make_str(&text),
            Value::List(items) | Value::Tuple(items) => {
                let items = items.into_iter().map(|item| self.to_val(item)).collect::<Result<_, _>>()?;
                self.arena.borrow_mut().add_raw(Raw::List(items))
            }
            Value::Dict(entries) => {
                let entries = entries.into_iter().map(|(key, value)| Ok((self.to_val(key)?, self.to_val(value)?)));
                let entries = entries.collect::<Result<_, Diagnostic>>()?;
                self.arena.borrow_mut().add_raw(Raw::Dict(entries))
            }
            Value::Function(..) | Value::Object(_) | Value::Matcher(_) => {
                return Err(Diagnostic::error(Code::INTERNAL, "unknown type function for conversion to a value"));
            }
            Value::Big => return Err(Diagnostic::error(Code::INTERNAL, "int value is out of range")),
        })
    }
    fn items(&self, value: ValueHandle) -> Result<Option<Vec<ValueHandle>>, Diagnostic> {
        Ok(match self.get(value) {
            Value::List(items) | Value::Tuple(items) => Some(items),
            Value::Dict(entries) => Some(entries.into_iter().map(|(key, _)| key).collect()),
            _ => None,
        })
    }
    fn repr(&self, value: ValueHandle) -> String {
        let all = |items: &[ValueHandle]| items.iter().map(|item| self.repr(*item)).collect::<Vec<_>>().join(", ");
        match self.get(value) {
            Value::Tuple(items) if items.len() == 1 => format!("({},)", all(&items)),
            Value::Tuple(items) => format!("({})", all(&items)),
            Value::List(items) => format!("[{}]", all(&items)),
            _ => match self.to_val(value) {
                Ok(value) => crate::validate::repr(&self.arena.borrow(), value),
                Err(_) => self.kind(value).to_owned(),
            },
        }
    }
    fn attr(&self, value: ValueHandle, name: &str) -> Option<ValueHandle> {
        match self.get(value) {
            Value::Object(check) if name == "check" => Some(check),
            _ => None,
        }
    }
    fn params(&self, function: ValueHandle) -> Option<usize> {
        match self.get(function) {
            Value::Function(params, _) => params,
            _ => None,
        }
    }
    fn call(&mut self, function: ValueHandle, args: &[Arg<'_>]) -> Result<ValueHandle, Diagnostic> {
        let mut given = Vec::new();
        for arg in args {
            match arg {
                Arg::Val(value) => given.push(*value),
                Arg::Struct(fields) => given.extend(fields.iter().map(|(_, value)| *value)),
            }
        }
        let result = match self.get(function) {
            Value::Function(_, run) => run(self, &given)?,
            Value::Matcher(matcher) => {
                let [first, left, right] = given[..] else { panic!("a matcher has three parameters") };
                Value::bool(crate::overlay::call_matcher(self, &matcher, first, left, right)?)
            }
            _ => return Err(Diagnostic::error(Code::INTERNAL, "invalid call of non-function")),
        };
        Ok(self.handle(result))
    }
    fn warn(&mut self, warning: Diagnostic) {
        self.warnings.push(warning);
    }
    fn is_tried(&self) -> bool {
        self.tried
    }
}
