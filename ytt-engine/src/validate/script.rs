//! For tests: a [`Call`] over literals, and a reader of YAML with annotations.
//!
//! Arguments of annotations are literals of Starlark; a bare word is a function whose behaviour [`Script::call`] knows.

use std::cell::RefCell;
use std::sync::Arc;

use crate::call::{Arg, Args, Call, Live, Seen};
use crate::diag::{Code, Diagnostic};
use crate::source::{LineBreaks, Origin, Source, SourceMap, Span, Text};
use crate::yaml::{Annotation, Arena, ArgId, NodeId, Place, Plain, ReadOptions, Val, read};

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

    /// The documents of a text; comments that begin with `@` become annotations.
    pub(crate) fn read(&self, name: &str, text: &str) -> Vec<NodeId> {
        let source = Source::new(name, Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let source = self.sources.add(source);
        let mut arena = self.arena.borrow_mut();
        let before = arena.len();
        let options = ReadOptions { strict: false, alias_nodes: 1000, reports: 20 };
        let file = read(&mut arena, &self.sources, source, &options).unwrap();
        for node in (before..arena.len()).map(|number| NodeId(number as u32)) {
            let mut anns = Vec::new();
            for comment in arena.comments(node).to_vec() {
                let Span { start, end, .. } = comment.span;
                let Some(code) = text[start as usize..end as usize].strip_prefix("#@") else { continue };
                let (name, rest) = code.split_once(' ').unwrap_or((code, ""));
                let key_end = start + 2 + name.len() as u32;
                let place = Place { source, start, key_end, value: (key_end + 1).min(end), end };
                let pos = arena.add_place(place);
                anns.push(Annotation { name: name.into(), args: self.arguments(rest), pos });
            }
            let anns = arena.add_anns(anns.into());
            arena.get_mut(node).ann = anns;
        }
        file.documents(&arena).to_vec()
    }

    /// A document of plain values.
    pub(crate) fn show(&self, node: NodeId) -> String {
        let arena = self.arena.borrow();
        super::text::repr(&arena, arena.value(node))
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
        let before = self.at;
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
        assert!(self.at > before, "no literal: {}", String::from_utf8_lossy(&self.text[before..]));
        self.script.live(value)
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
            "first" => Lit::Bool(matches!(value, Val::Int(0))),
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
    fn is_tried(&self) -> bool {
        false
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
