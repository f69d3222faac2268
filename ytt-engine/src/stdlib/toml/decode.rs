//! A TOML text to a table: what keys and headers mean.
//!
//! TOML 1.0 as the reference reads it. Where it is looser than the standard (a key set again after an array, values
//! swallowed by a table that dotted keys made, dotted keys inside of arrays of inline tables), so is this, and
//! [`Decoded::loose`] says where. Characters are `scan`'s business.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use super::scan::{Fault, Scanner, Token, is_bare};
use crate::quoted;

pub(super) type Table = BTreeMap<Vec<u8>, Toml>;

/// A value; tables are sorted by key, and shared while nobody changes them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Toml {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Vec<u8>),
    /// A date or time; the offset of its end.
    Date(usize),
    List(Rc<Vec<Toml>>),
    Table(Rc<Table>),
    /// What `[[name]]` made.
    Tables(Vec<Rc<Table>>),
}

impl Toml {
    /// The table that keys below this value go to: the value itself, or the newest of an array of tables.
    fn table_mut(&mut self) -> Option<&mut Table> {
        match self {
            Toml::Table(table) => Some(Rc::make_mut(table)),
            Toml::Tables(tables) => tables.last_mut().map(Rc::make_mut),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) root: Table,
    /// Lines that are not TOML by its standard, with what they break.
    pub(super) loose: Vec<(usize, &'static str)>,
}

/// What is wrong, and the offset it concerns.
#[derive(Debug)]
pub(super) struct DecodeError {
    pub(super) message: String,
    pub(super) at: usize,
    /// A limit of ours, not a mistake in the text.
    pub(super) limit: bool,
}

/// Reads a text; values may be nested `depth` deep.
pub(super) fn decode(text: &[u8], depth: u32) -> Result<Decoded, DecodeError> {
    let text = text.strip_prefix(b"\xff\xfe").or_else(|| text.strip_prefix(b"\xfe\xff")).unwrap_or(text);
    if let Some(at) = text.iter().take(6).position(|byte| *byte == 0) {
        let message = "toml: line 1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8";
        return Err(DecodeError { message: message.to_owned(), at, limit: false });
    }
    let mut decoder = Decoder {
        scan: Scanner::new(text),
        root: Table::new(),
        context: Vec::new(),
        key: Vec::new(),
        implicit: HashSet::new(),
        arrays: HashSet::new(),
        loose: Vec::new(),
        depth,
        limit: false,
    };
    match decoder.document() {
        Ok(()) => {
            let loose = lines(text, decoder.loose);
            Ok(Decoded { root: decoder.root, loose })
        }
        Err(fault) => Err(decoder.error(fault)),
    }
}

/// Lines in the place of offsets, which are sorted: what is loose is found from the start to the end.
fn lines(text: &[u8], mut loose: Vec<(usize, &'static str)>) -> Vec<(usize, &'static str)> {
    let (mut counted, mut number) = (0, 1);
    for (at, _) in &mut loose {
        let next = text.get(counted..*at).unwrap_or_default();
        number += next.iter().filter(|byte| **byte == b'\n').count();
        counted = counted.max(*at);
        *at = number;
    }
    loose
}

/// Line of an offset, from 1.
pub(super) fn line(text: &[u8], at: usize) -> usize {
    text[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// A path as messages write it; also what the sets of paths hold.
fn dotted(path: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    for (index, part) in path.iter().enumerate() {
        if index > 0 {
            out.push(b'.');
        }
        super::key(part, &mut out);
    }
    out
}

struct Decoder<'a> {
    scan: Scanner<'a>,
    root: Table,
    /// Path of the table that keys go to.
    context: Vec<Vec<u8>>,
    /// Last part of the key whose value is being read.
    key: Vec<u8>,
    /// Paths of tables that exist only because something below them does.
    implicit: HashSet<Vec<u8>>,
    /// Paths whose latest value is an array in brackets.
    arrays: HashSet<Vec<u8>>,
    loose: Vec<(usize, &'static str)>,
    depth: u32,
    limit: bool,
}

type Step<T> = Result<T, Fault>;

impl Decoder<'_> {
    fn document(&mut self) -> Step<()> {
        loop {
            match self.scan.peek()? {
                None => return Ok(()),
                Some(' ' | '\t' | '\n' | '\r') => {
                    self.scan.next()?;
                    continue;
                }
                Some('#') => {
                    self.scan.comment()?;
                    continue;
                }
                Some('[') => self.header()?,
                Some(_) => {
                    let outer = self.context.clone();
                    let (_, value) = self.pair()?;
                    drop(value);
                    self.context = outer;
                    self.key.clear();
                }
            }
            self.end_of_item()?;
        }
    }

    /// Nothing but blanks and a comment may follow on the line.
    fn end_of_item(&mut self) -> Step<()> {
        self.scan.skip_blanks()?;
        match self.scan.peek()? {
            None | Some('\n' | '\r' | '#') => Ok(()),
            Some(found) => {
                self.scan.next()?;
                let found = quoted::go_char(found);
                let expected = "expected a top-level item to end with a newline, comment, or EOF";
                Err(self.scan.fault(format!("{expected}, but got {found} instead")))
            }
        }
    }

    /// `[a.b]` or `[[a.b]]`.
    fn header(&mut self) -> Step<()> {
        self.scan.next()?;
        let many = self.scan.accept('[')?;
        let mut path = Vec::new();
        loop {
            self.scan.skip_blanks()?;
            let begin = self.scan.at;
            match self.scan.peek()? {
                None | Some(']') => {
                    return Err(self.scan.fault("unexpected end of table name (table names cannot be empty)"));
                }
                Some('.') => {
                    return Err(self.scan.fault("unexpected table separator (table names cannot be empty)"));
                }
                Some(_) => path.push(self.scan.key_part()?),
            }
            if path.len() == 1 {
                self.scan.key_at = begin;
            }
            self.scan.skip_blanks()?;
            match self.scan.next()? {
                Some('.') => {}
                Some(']') => break,
                read => {
                    let found = quoted::go_char(read.unwrap_or('\0'));
                    let message = format!("expected '.' or ']' to end table name, but got {found} instead");
                    return Err(self.scan.fault_after(read, message));
                }
            }
        }
        if many {
            let read = self.scan.next()?;
            if read != Some(']') {
                let found = quoted::go_char(read.unwrap_or('\0'));
                let message = format!("expected end of table array name delimiter ']', but got {found} instead");
                return Err(self.scan.fault_after(read, message));
            }
        }
        self.enter(&path, many)?;
        self.arrays.remove(&dotted(&self.context));
        Ok(())
    }

    /// `key = value`; gives the last part of the key and the value. Leaves the context where the value went.
    fn pair(&mut self) -> Step<(Vec<u8>, Toml)> {
        let mut path = Vec::new();
        self.scan.skip_blanks()?;
        match self.scan.peek()? {
            None | Some('=') => return Err(self.scan.fault("unexpected '=': key name appears blank")),
            Some('.') => return Err(self.scan.fault("unexpected '.': keys cannot start with a '.'")),
            Some(_) => {}
        }
        loop {
            self.scan.skip_blanks()?;
            let begin = self.scan.at;
            match self.scan.peek()? {
                None | Some('=') => return Err(self.scan.fault("unexpected '='")),
                Some('.') => return Err(self.scan.fault("unexpected '.'")),
                Some(_) => path.push(self.scan.key_part()?),
            }
            if path.len() == 1 {
                self.scan.key_at = begin;
            }
            self.scan.skip_blanks()?;
            match self.scan.next()? {
                Some('.') => {}
                Some('=') => break,
                read @ None => {
                    return Err(self.scan.fault_after(read, "unexpected EOF; expected key separator '='"));
                }
                Some(found) => {
                    let found = quoted::go_char(found);
                    return Err(self.scan.fault(format!("expected '.' or '=', but got {found} instead")));
                }
            }
        }
        let last = path.pop().unwrap_or_default();
        self.key.clone_from(&last);
        for part in path {
            let mut inner = self.context.clone();
            inner.push(part);
            self.implicit.insert(dotted(&inner));
            self.enter(&inner, false)?;
        }
        let value = self.value(false)?;
        self.set(&last, value.clone())?;
        let path = self.typed_path(&last);
        if matches!(value, Toml::List(_)) {
            self.arrays.insert(path);
        } else {
            self.arrays.remove(&path);
        }
        Ok((last, value))
    }

    fn value(&mut self, in_array: bool) -> Step<Toml> {
        Ok(match self.scan.value()? {
            Token::Bool(value) => Toml::Bool(value),
            Token::Int(value) => Toml::Int(value),
            Token::Float(value) => Toml::Float(value),
            Token::Text(value) => Toml::Text(value),
            Token::Date(at) => Toml::Date(at),
            nested => {
                if self.depth == 0 {
                    self.limit = true;
                    return Err(self.scan.fault("nesting is too deep"));
                }
                self.depth -= 1;
                let value = if nested == Token::Array { self.array()? } else { self.inline_table(in_array)? };
                self.depth += 1;
                value
            }
        })
    }

    fn array(&mut self) -> Step<Toml> {
        let path = self.typed_path(&self.key);
        self.arrays.insert(path);
        let mut values = Vec::new();
        loop {
            self.skip_lines()?;
            match self.scan.peek()? {
                Some(',') => {
                    self.scan.next()?;
                    return Err(self.scan.fault("unexpected comma"));
                }
                Some(']') => break,
                _ => values.push(self.value(true)?),
            }
            self.skip_lines()?;
            match self.scan.peek()? {
                Some(',') => self.scan.next()?,
                Some(']') => break,
                read => {
                    let found = end_or(read);
                    self.scan.next()?;
                    let message = format!("expected a comma (',') or array terminator (']'), but got {found}");
                    return Err(self.scan.fault_after(read, message));
                }
            };
        }
        self.scan.next()?;
        Ok(Toml::List(Rc::new(values)))
    }

    /// Blanks, line breaks and comments between the values of an array.
    fn skip_lines(&mut self) -> Step<()> {
        loop {
            match self.scan.peek()? {
                Some(' ' | '\t' | '\n' | '\r') => drop(self.scan.next()?),
                Some('#') => self.scan.comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// Blanks and a comment inside of an inline table; a line break is refused.
    fn skip_in_line(&mut self) -> Step<()> {
        loop {
            match self.scan.peek()? {
                Some(' ' | '\t') => drop(self.scan.next()?),
                Some('#') => self.scan.comment()?,
                Some('\n' | '\r') => {
                    self.scan.next()?;
                    return Err(Fault {
                        lines_back: 1,
                        ..self.scan.fault("newlines not allowed within inline tables")
                    });
                }
                _ => return Ok(()),
            }
        }
    }

    /// Compat: the pairs go into the tree, where later keys may extend them; the value that is given, which only arrays
    /// use, is made of the last parts of the keys.
    fn inline_table(&mut self, in_array: bool) -> Step<Toml> {
        let (outer, outer_key) = (self.context.clone(), std::mem::take(&mut self.key));
        self.context.push(outer_key.clone());
        let inside = self.context.clone();
        self.implicit.insert(dotted(&inside));
        self.enter(&inside, in_array)?;
        let mut table = Table::new();
        loop {
            self.skip_in_line()?;
            match self.scan.peek()? {
                Some(',') => {
                    self.scan.next()?;
                    return Err(self.scan.fault("unexpected comma"));
                }
                Some('}') => break,
                _ => {}
            }
            let (key, value) = self.pair()?;
            if in_array && self.context.len() > inside.len() {
                self.loose
                    .push((self.scan.key_at, "a dotted key in an array of inline tables keeps its last part only"));
            }
            table.insert(key, value);
            self.context.clone_from(&inside);
            self.skip_in_line()?;
            match self.scan.peek()? {
                Some(',') => {
                    self.scan.next()?;
                    self.scan.skip_blanks()?;
                    if self.scan.peek()? == Some('}') {
                        return Err(self.scan.fault("trailing comma not allowed in inline tables"));
                    }
                }
                Some('}') => break,
                read => {
                    let found = end_or(read);
                    self.scan.next()?;
                    let expected = "expected a comma or an inline table terminator '}'";
                    return Err(self.scan.fault_after(read, format!("{expected}, but got {found} instead")));
                }
            }
        }
        self.scan.next()?;
        (self.context, self.key) = (outer, outer_key);
        Ok(Toml::Table(Rc::new(table)))
    }

    /// Makes `path` the context: a table, or with `many` a new one at the end of an array of tables.
    fn enter(&mut self, path: &[Vec<u8>], many: bool) -> Step<()> {
        let Some((last, parents)) = path.split_last() else { return Ok(()) };
        let mut table = &mut self.root;
        for (index, part) in parents.iter().enumerate() {
            if !table.contains_key(part) {
                self.implicit.insert(dotted(&parents[..=index]));
            }
            let inner = table.entry(part.clone()).or_insert_with(|| Toml::Table(Rc::default()));
            let Some(inner) = inner.table_mut() else {
                let shown = String::from_utf8_lossy(&dotted(&parents[..=index])).into_owned();
                return Err(self.key_fault(format!("Key '{shown}' was already created as a hash.")));
            };
            table = inner;
        }
        let fits = match many.then(|| table.entry(last.clone()).or_insert_with(|| Toml::Tables(Vec::new()))) {
            Some(Toml::Tables(tables)) => {
                tables.push(Rc::default());
                true
            }
            Some(_) => false,
            None => true,
        };
        self.context = parents.to_vec();
        if !fits {
            let shown = String::from_utf8_lossy(&dotted(path)).into_owned();
            return Err(self.key_fault(format!("Key '{shown}' was already created and cannot be used as an array.")));
        }
        if !many {
            self.set(last, Toml::Table(Rc::default()))?;
        }
        self.context.push(last.clone());
        Ok(())
    }

    /// Sets a key of the context.
    fn set(&mut self, key: &[u8], value: Toml) -> Step<()> {
        let mut table = &mut self.root;
        for (index, part) in self.context.iter().enumerate() {
            let Some(inner) = table.get_mut(part).and_then(Toml::table_mut) else {
                let shown = String::from_utf8_lossy(&dotted(&self.context[..=index])).into_owned();
                return Err(self.key_fault(format!("Key '{shown}' has already been defined.")));
            };
            table = inner;
        }
        if !table.contains_key(key) {
            table.insert(key.to_vec(), value);
            return Ok(());
        }
        let mut path = self.context.clone();
        path.push(key.to_vec());
        let shown = dotted(&path);
        if self.arrays.contains(&shown) {
            if !matches!(value, Toml::List(_)) || matches!(table[key], Toml::List(_)) {
                self.loose.push((self.scan.key_at, "a key is set again after an array"));
            }
            self.implicit.remove(&shown);
            table.insert(key.to_vec(), value);
            return Ok(());
        }
        if self.implicit.remove(&shown) {
            if !matches!(value, Toml::Table(_)) {
                self.loose.push((self.scan.key_at, "a value is dropped, since keys below it were set before"));
            }
            return Ok(());
        }
        let shown = String::from_utf8_lossy(&shown).into_owned();
        Err(self.key_fault(format!("Key '{shown}' has already been defined.")))
    }

    /// The path under which the kind of a value is remembered. Compat: an empty key means its table.
    fn typed_path(&self, key: &[u8]) -> Vec<u8> {
        let mut path = self.context.clone();
        if !key.is_empty() || path.is_empty() {
            path.push(key.to_vec());
        }
        dotted(&path)
    }

    fn key_fault(&self, message: String) -> Fault {
        Fault { message, at: self.scan.key_at, lines_back: 0 }
    }

    fn error(&self, fault: Fault) -> DecodeError {
        let number = line(self.scan.text, fault.at) - fault.lines_back as usize;
        let last = match (self.context.is_empty(), self.key.is_empty()) {
            (_, true) => dotted(&self.context),
            (true, false) => self.key.clone(),
            (false, false) => [&dotted(&self.context), &b"."[..], &self.key].concat(),
        };
        let message = if last.is_empty() {
            format!("toml: line {number}: {}", fault.message)
        } else {
            format!("toml: line {number} (last key {}): {}", quoted::go(&last), fault.message)
        };
        DecodeError { message, at: fault.at, limit: self.limit }
    }
}

fn end_or(read: Option<char>) -> String {
    read.map_or_else(|| "end of file".to_owned(), |found| format!("'{found}'"))
}

/// Does a key need no quotes?
pub(super) fn is_bare_key(key: &[u8]) -> bool {
    !key.is_empty() && key.iter().all(|byte| is_bare(char::from(*byte)))
}
