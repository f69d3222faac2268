//! For tests: a [`Call`] over literals, and a reader of simple YAML with annotations.
//!
//! Arguments of annotations are literals of Starlark; a bare word is a function whose behaviour [`Script::call`] knows.

use std::cell::RefCell;
use std::sync::Arc;

use crate::call::{Arg, Args, Call, Live, Seen};
use crate::diag::{Code, Diagnostic};
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Text};
use crate::yaml::{Annotation, Arena, ArgId, Body, NodeId, Place, Plain, PosId, Val};

#[derive(Clone, Debug)]
enum Lit {
    Null,
    Bool(bool),
    Int(i64),
    BigInt,
    Float(f64),
    Str(String),
    List(Vec<Live>),
    Tuple(Vec<Live>),
    Dict(Vec<(Live, Live)>),
    Word(String),
}

pub(crate) struct Script {
    arena: RefCell<Arena>,
    sources: SourceMap,
    values: RefCell<Vec<Lit>>,
    args: RefCell<Vec<Arc<Args>>>,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Script {
    pub(crate) fn new() -> Script {
        Script {
            arena: RefCell::new(Arena::new(100)),
            sources: SourceMap::default(),
            values: RefCell::default(),
            args: RefCell::default(),
            warnings: Vec::new(),
        }
    }

    fn live(&self, value: Lit) -> Live {
        self.values.borrow_mut().push(value);
        Live(self.values.borrow().len() as u32 - 1)
    }

    fn lit(&self, value: Live) -> Lit {
        self.values.borrow()[value.0 as usize].clone()
    }

    /// The documents of a text.
    pub(crate) fn read(&self, name: &str, text: &str) -> Vec<NodeId> {
        let source = Source::new(name, Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let source = self.sources.add(source);
        let mut lines = Vec::new();
        let mut at = 0;
        for line in text.split('\n') {
            let indent = line.len() - line.trim_start().len();
            if !line.trim().is_empty() {
                lines.push((at + indent as u32, indent, line.trim()));
            }
            at += line.len() as u32 + 1;
        }
        let mut reader = Mini { script: self, source, lines, next: 0, anns: Vec::new() };
        let mut documents = Vec::new();
        while reader.next < reader.lines.len() {
            reader.annotations();
            let start = match reader.lines.get(reader.next) {
                Some((at, _, "---")) => {
                    reader.next += 1;
                    Some(*at)
                }
                _ => None,
            };
            let anns = if start.is_some() { std::mem::take(&mut reader.anns) } else { Vec::new() };
            let place = reader.place(start.unwrap_or(0), 3, 3, 3);
            let value = reader.block(0, place);
            documents.push(reader.node(Body::Doc(value), place, anns));
        }
        documents
    }

    /// A document of plain values.
    pub(crate) fn show(&self, node: NodeId) -> String {
        let arena = self.arena.borrow();
        super::repr(&arena, arena.value(node))
    }

    pub(crate) fn arguments(&self, text: &str) -> ArgId {
        let mut parser = Literals { script: self, text: text.trim().as_bytes(), at: 0 };
        let mut args = Args::default();
        while parser.at < parser.text.len() {
            let before = parser.at;
            let word = parser.word();
            if !word.is_empty() && parser.text.get(parser.at) == Some(&b'=') {
                parser.at += 1;
                let value = parser.value();
                args.named.push((word.into(), value));
            } else {
                parser.at = before;
                args.positional.push(parser.value());
            }
            parser.skip(b',');
        }
        self.args.borrow_mut().push(Arc::new(args));
        ArgId(self.args.borrow().len() as u32 - 1)
    }
}

struct Literals<'a> {
    script: &'a Script,
    text: &'a [u8],
    at: usize,
}

impl Literals<'_> {
    fn word(&mut self) -> String {
        let rest = &self.text[self.at..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || b"_.+-".contains(b)).count();
        self.at += len;
        String::from_utf8(rest[..len].to_vec()).unwrap()
    }

    fn skip(&mut self, byte: u8) -> bool {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        found
    }

    fn list(&mut self, close: u8) -> Vec<Live> {
        let mut items = Vec::new();
        while !self.skip(close) {
            items.push(self.value());
            self.skip(b',');
        }
        items
    }

    fn value(&mut self) -> Live {
        let value = match self.text[self.at] {
            b'"' => {
                let rest = &self.text[self.at + 1..];
                let len = rest.iter().position(|b| *b == b'"').unwrap();
                self.at += len + 2;
                Lit::Str(String::from_utf8(rest[..len].to_vec()).unwrap())
            }
            b'(' => {
                self.at += 1;
                Lit::Tuple(self.list(b')'))
            }
            b'[' => {
                self.at += 1;
                Lit::List(self.list(b']'))
            }
            b'{' => {
                self.at += 1;
                let mut entries = Vec::new();
                while !self.skip(b'}') {
                    let key = self.value();
                    assert!(self.skip(b':'));
                    entries.push((key, self.value()));
                    self.skip(b',');
                }
                Lit::Dict(entries)
            }
            _ => match &*self.word() {
                "None" => Lit::Null,
                "True" => Lit::Bool(true),
                "False" => Lit::Bool(false),
                "big" => Lit::BigInt,
                word => match (word.parse(), word.parse()) {
                    (Ok(int), _) => Lit::Int(int),
                    (_, Ok(float)) => Lit::Float(float),
                    _ => Lit::Word(word.to_owned()),
                },
            },
        };
        self.script.live(value)
    }
}

struct Mini<'a> {
    script: &'a Script,
    source: SourceId,
    lines: Vec<(u32, usize, &'a str)>,
    next: usize,
    anns: Vec<Annotation>,
}

impl Mini<'_> {
    fn place(&self, at: u32, key: usize, value: usize, len: usize) -> PosId {
        let place = Place {
            source: self.source,
            start: at,
            key_end: at + key as u32,
            value: at + value as u32,
            end: at + len as u32,
        };
        self.script.arena.borrow_mut().add_place(place)
    }

    fn node(&self, body: Body, pos: PosId, anns: Vec<Annotation>) -> NodeId {
        let mut arena = self.script.arena.borrow_mut();
        let id = arena.add(body, pos);
        let anns = arena.add_anns(anns.into());
        arena.get_mut(id).ann = anns;
        id
    }

    fn annotations(&mut self) {
        while let Some(&(at, _, line)) = self.lines.get(self.next) {
            let Some(text) = line.strip_prefix('#') else { break };
            if let Some(text) = text.strip_prefix('@') {
                let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
                let pos = self.place(at, name.len() + 2, name.len() + 3, line.len());
                self.anns.push(Annotation { name: name.into(), args: self.script.arguments(rest), pos });
            }
            self.next += 1;
        }
    }

    /// The map, array or scalar that begins at the next line, if it is at least that deep.
    fn block(&mut self, indent: usize, pos: PosId) -> Val {
        self.annotations();
        let Some(&(_, at, line)) = self.lines.get(self.next) else { return Val::Null };
        if at < indent || line == "---" {
            return Val::Null;
        }
        if !(line.starts_with("- ") || line == "-" || line.contains(": ") || line.ends_with(':')) {
            self.next += 1;
            return self.scalar(line);
        }
        let is_array = line.starts_with('-');
        let mut items = Vec::new();
        loop {
            self.annotations();
            let Some(&(start, column, line)) = self.lines.get(self.next) else { break };
            if column != at || line == "---" || line.starts_with('-') != is_array {
                break;
            }
            let anns = std::mem::take(&mut self.anns);
            let (key, rest) = if is_array { ("-", line[1..].trim()) } else { line.split_once(':').unwrap() };
            let value_at = line.len() - rest.trim().len();
            let pos = self.place(start, key.len(), value_at, line.len());
            let value = if is_array && (rest.contains(": ") || rest.ends_with(':')) {
                self.lines[self.next] = (start + value_at as u32, column + value_at, rest);
                self.block(column + 1, pos)
            } else {
                self.next += 1;
                match rest.trim() {
                    "" => {
                        let kept = std::mem::take(&mut self.anns);
                        self.annotations();
                        let next = self.lines.get(self.next);
                        let array =
                            !is_array && next.is_some_and(|(_, at, line)| *at == column && line.starts_with('-'));
                        debug_assert!(kept.is_empty());
                        self.block(if array { column } else { column + 1 }, pos)
                    }
                    rest => self.scalar(rest),
                }
            };
            let body = match is_array {
                true => Body::ArrayItem(value),
                false => Body::MapItem(self.scalar(key), value),
            };
            items.push(self.node(body, pos, anns));
        }
        let body = if is_array { Body::Array(items) } else { Body::Map(items) };
        Val::Node(self.node(body, pos, Vec::new()))
    }

    fn scalar(&self, text: &str) -> Val {
        let mut arena = self.script.arena.borrow_mut();
        match text {
            "null" => Val::Null,
            "true" => Val::Bool(true),
            "false" => Val::Bool(false),
            "{}" => Val::Node(arena.add(Body::Map(Vec::new()), PosId(0))),
            "[]" => Val::Node(arena.add(Body::Array(Vec::new()), PosId(0))),
            _ => match (text.parse(), text.parse()) {
                (Ok(int), _) => Val::Int(int),
                (_, Ok(float)) => Val::Float(float),
                _ => arena.make_str(text.trim_matches('"')),
            },
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
    fn see(&self, value: Live) -> Seen {
        match self.lit(value) {
            Lit::Null => Seen::Null,
            Lit::Bool(value) => Seen::Bool(value),
            Lit::Int(value) => Seen::Int(value),
            Lit::Float(value) => Seen::Float(value),
            Lit::Str(value) => Seen::Str(value.into()),
            Lit::List(items) => Seen::List(items),
            Lit::Tuple(items) => Seen::Tuple(items),
            Lit::Dict(_) => Seen::Map,
            Lit::Word(word) if word != "object" => Seen::Function,
            Lit::Word(_) | Lit::BigInt => Seen::Other,
        }
    }
    fn kind(&self, value: Live) -> &'static str {
        match self.lit(value) {
            Lit::Null => "NoneType",
            Lit::Bool(_) => "bool",
            Lit::Int(_) | Lit::BigInt => "int",
            Lit::Float(_) => "float",
            Lit::Str(_) => "string",
            Lit::List(_) => "list",
            Lit::Tuple(_) => "tuple",
            Lit::Dict(_) => "dict",
            Lit::Word(_) => "function",
        }
    }
    fn to_val(&self, value: Live) -> Result<Val, Diagnostic> {
        Ok(match self.lit(value) {
            Lit::Null => Val::Null,
            Lit::Bool(value) => Val::Bool(value),
            Lit::Int(value) => Val::Int(value),
            Lit::Float(value) => Val::Float(value),
            Lit::Str(value) => self.arena.borrow_mut().make_str(&value),
            Lit::List(items) | Lit::Tuple(items) => {
                let items = items.into_iter().map(|item| self.to_val(item)).collect::<Result<_, _>>()?;
                self.arena.borrow_mut().add_plain(Plain::List(items))
            }
            Lit::Dict(entries) => {
                let entries = entries.into_iter().map(|(key, value)| Ok((self.to_val(key)?, self.to_val(value)?)));
                let entries = entries.collect::<Result<_, Diagnostic>>()?;
                self.arena.borrow_mut().add_plain(Plain::Dict(entries))
            }
            Lit::Word(_) | Lit::BigInt => return Err(Diagnostic::error(Code::INTERNAL, "no value")),
        })
    }
    fn attr(&self, value: Live, name: &str) -> Option<Live> {
        matches!(self.lit(value), Lit::Word(word) if word == "object" && name == "check")
            .then(|| self.live(Lit::Word("odd".to_owned())))
    }
    fn params(&self, function: Live) -> Option<usize> {
        match self.lit(function) {
            Lit::Word(word) if word == "built_in" => None,
            Lit::Word(word) if word == "none" => Some(0),
            Lit::Word(word) if word.starts_with("ctx") => Some(2),
            _ => Some(1),
        }
    }
    fn call(&mut self, function: Live, args: &[Arg<'_>]) -> Result<Live, Diagnostic> {
        let Lit::Word(word) = self.lit(function) else { unreachable!("only words are called") };
        let Arg::Val(value) = args[0] else { unreachable!("the first argument is the value") };
        let result = match &*word {
            "odd" => Lit::Bool(matches!(value, Val::Int(value) if value % 2 != 0)),
            "yes" | "built_in" => Lit::Bool(true),
            "no" => Lit::Bool(false),
            "text" => Lit::Str("x".to_owned()),
            "fails" => return Err(Diagnostic::error(Code::INTERNAL, "fail: fails")),
            "ctx_parent_is_root" => {
                let Some(Arg::Struct(fields)) = args.get(1) else { unreachable!("there is a context") };
                Lit::Bool(fields[0].1 == fields[1].1)
            }
            other => unreachable!("no function {other}"),
        };
        Ok(self.live(result))
    }
    fn warn(&mut self, warning: Diagnostic) {
        self.warnings.push(warning);
    }
}

/// A diagnostic in a few lines: what precedes the message, the message, notes, helps.
pub(crate) fn told(problem: &Diagnostic) -> String {
    let parts = problem.parts();
    let mut text = problem.full_message();
    for note in &parts.notes {
        text += &format!("\n= {note}");
    }
    for help in &parts.helps {
        text += &format!("\n? {}", help.text);
    }
    text
}
