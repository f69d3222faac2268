//! The tree that the keys and tables of a TOML text make.
//!
//! Grammar and scalars are the crate `toml_parser`'s, see `syntax`. The tree is ours, since `toml` and `toml_edit` refuse
//! what the reference takes: a key set again after an array, values swallowed by a table that dotted keys made, dotted keys
//! inside of arrays of inline tables. [`Decoded::loose`] says where.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use toml_parser::parser::{Event, EventKind};

use super::syntax::{Attempt, Events, Fault, Scalar};

pub(super) type Table = BTreeMap<String, Toml>;

/// A value; tables are sorted by key, and shared while nobody changes them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Toml {
    Scalar(Scalar),
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

/// Reads a text; values may be nested `depth` deep.
pub(super) fn decode(text: &[u8], depth: u32) -> Attempt<Decoded> {
    let text = text.strip_prefix(b"\xff\xfe").or_else(|| text.strip_prefix(b"\xfe\xff")).unwrap_or(text);
    let mut decoder = Decoder {
        events: Events::new(readable(text).map_err(|fault| fault.told(text, ""))?, depth),
        root: Table::new(),
        context: Vec::new(),
        key: String::new(),
        key_at: 0,
        implicit: HashSet::new(),
        arrays: HashSet::new(),
        loose: Vec::new(),
        depth,
        most: depth as usize,
    };
    decoder.document().map_err(|fault| fault.told(text, &decoder.last_key()))?;
    Ok(Decoded { root: decoder.root, loose: lines(text, decoder.loose) })
}

fn too_deep(event: Event) -> Fault {
    Fault { too_deep: true, ..Fault::new(event.span().start(), "nesting is too deep") }
}

/// The text, if it is UTF-8.
fn readable(text: &[u8]) -> Attempt<&str> {
    if let Some(at) = text.iter().take(6).position(|byte| *byte == 0) {
        let message = "files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8";
        return Err(Fault::new(at, message));
    }
    let valid = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    // Compat: U+FFFD counts as what it stands for, and a byte order mark as part of a key.
    let length = valid.find(char::REPLACEMENT_CHARACTER).unwrap_or(valid.len());
    match text.get(length) {
        Some(byte) => Err(Fault::new(length, format!("invalid UTF-8 byte: 0x{byte:02x}"))),
        None if valid.starts_with('\u{feff}') => Err(Fault::new(0, "invalid unquoted key")),
        None => Ok(valid),
    }
}

/// Lines in the place of offsets, which are sorted: what is loose is found from the start to the end.
#[allow(clippy::arithmetic_side_effects, reason = "a text has not more line breaks than bytes")]
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

/// A path as messages write it; also what the sets of paths hold.
fn dotted(path: &[String]) -> String {
    let mut out = Vec::new();
    for (index, part) in path.iter().enumerate() {
        if index > 0 {
            out.push(b'.');
        }
        super::key(part.as_bytes(), &mut out);
    }
    String::from_utf8(out).unwrap_or_default()
}

struct Decoder<'a> {
    events: Events<'a>,
    root: Table,
    /// Path of the table that keys go to.
    context: Vec<String>,
    /// Last part of the key whose value is being read.
    key: String,
    /// Where the key that was read last begins.
    key_at: usize,
    /// Paths of tables that exist only because something below them does.
    implicit: HashSet<String>,
    /// Paths whose latest value is an array in brackets.
    arrays: HashSet<String>,
    loose: Vec<(usize, &'static str)>,
    /// How many more values may be opened inside of each other.
    depth: u32,
    /// The parts that the path of a key may have.
    most: usize,
}

impl Decoder<'_> {
    fn document(&mut self) -> Attempt<()> {
        while let Some(event) = self.events.next()? {
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                    let first = self.events.expect()?;
                    let path = self.path(first)?;
                    self.enter(&path, event.kind() == EventKind::ArrayTableOpen)?;
                    self.arrays.remove(&dotted(&self.context));
                }
                EventKind::SimpleKey => {
                    let table = self.context.clone();
                    self.pair(event)?;
                    self.context = table;
                    self.key.clear();
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The parts of a key, from the first to the sign behind the last, which is taken.
    fn path(&mut self, first: Event) -> Attempt<Vec<String>> {
        self.key_at = first.span().start();
        let mut path = vec![self.events.key(first)?];
        loop {
            let event = self.events.expect()?;
            match event.kind() {
                EventKind::SimpleKey if path.len() >= self.most.saturating_sub(self.context.len()) => {
                    return Err(too_deep(event));
                }
                EventKind::SimpleKey => path.push(self.events.key(event)?),
                EventKind::Newline => return Err(broken_line(event)),
                _ => return Ok(path),
            }
        }
    }

    /// `key = value`; gives the last part of the key and the value. Leaves the context where the value went.
    fn pair(&mut self, first: Event) -> Attempt<(String, Toml)> {
        let mut path = self.path(first)?;
        let last = path.pop().unwrap_or_default();
        self.key.clone_from(&last);
        for part in path {
            let inner = [&self.context[..], &[part]].concat();
            self.implicit.insert(dotted(&inner));
            self.enter(&inner, false)?;
        }
        let event = self.events.expect()?;
        let value = self.value(event, false)?;
        self.set(&last, value.clone())?;
        let path = self.typed_path(&last);
        if matches!(value, Toml::List(_)) {
            self.arrays.insert(path);
        } else {
            self.arrays.remove(&path);
        }
        Ok((last, value))
    }

    /// The value that an event begins.
    fn value(&mut self, event: Event, in_array: bool) -> Attempt<Toml> {
        let is_array = match event.kind() {
            EventKind::ArrayOpen => true,
            EventKind::InlineTableOpen => false,
            EventKind::Newline => return Err(broken_line(event)),
            _ => return self.events.scalar(event).map(Toml::Scalar),
        };
        let Some(inner) = self.depth.checked_sub(1) else { return Err(too_deep(event)) };
        let outer = std::mem::replace(&mut self.depth, inner);
        let value = if is_array { self.array()? } else { self.inline_table(in_array)? };
        self.depth = outer;
        Ok(value)
    }

    fn array(&mut self) -> Attempt<Toml> {
        let path = self.typed_path(&self.key);
        self.arrays.insert(path);
        let mut values = Vec::new();
        loop {
            let event = self.events.expect()?;
            match event.kind() {
                EventKind::ArrayClose => return Ok(Toml::List(Rc::new(values))),
                EventKind::Newline | EventKind::ValueSep => {}
                _ => values.push(self.value(event, true)?),
            }
        }
    }

    /// Compat: the pairs go into the tree, where later keys may extend them; the value that is given, which only arrays
    /// use, is made of the last parts of the keys.
    fn inline_table(&mut self, in_array: bool) -> Attempt<Toml> {
        let (outer, outer_key) = (self.context.clone(), std::mem::take(&mut self.key));
        self.context.push(outer_key.clone());
        let inside = self.context.clone();
        self.implicit.insert(dotted(&inside));
        self.enter(&inside, in_array)?;
        let (mut table, mut after_comma) = (Table::new(), false);
        loop {
            let event = self.events.expect()?;
            match event.kind() {
                EventKind::InlineTableClose if !after_comma => break,
                EventKind::InlineTableClose => {
                    return Err(Fault::new(event.span().start(), "trailing comma not allowed in inline tables"));
                }
                EventKind::Newline => return Err(broken_line(event)),
                EventKind::ValueSep => after_comma = true,
                _ => {
                    let at = event.span().start();
                    let (key, value) = self.pair(event)?;
                    if in_array && self.context.len() > inside.len() {
                        let what = "a dotted key in an array of inline tables keeps its last part only";
                        self.loose.push((at, what));
                    }
                    table.insert(key, value);
                    self.context.clone_from(&inside);
                    after_comma = false;
                }
            }
        }
        (self.context, self.key) = (outer, outer_key);
        Ok(Toml::Table(Rc::new(table)))
    }

    /// Makes `path` the context: a table, or with `many` a new one at the end of an array of tables.
    #[allow(clippy::indexing_slicing, reason = "`index` counts the parts of the same path")]
    fn enter(&mut self, path: &[String], many: bool) -> Attempt<()> {
        let Some((last, parents)) = path.split_last() else { return Ok(()) };
        let mut table = &mut self.root;
        for (index, part) in parents.iter().enumerate() {
            if !table.contains_key(part) {
                self.implicit.insert(dotted(&parents[..=index]));
            }
            let inner = table.entry(part.clone()).or_insert_with(|| Toml::Table(Rc::default()));
            let Some(inner) = inner.table_mut() else {
                let shown = dotted(&parents[..=index]);
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
            let shown = dotted(path);
            return Err(self.key_fault(format!("Key '{shown}' was already created and cannot be used as an array.")));
        }
        if !many {
            self.set(last, Toml::Table(Rc::default()))?;
        }
        self.context.push(last.clone());
        Ok(())
    }

    /// Sets a key of the context.
    #[allow(clippy::indexing_slicing, reason = "`index` counts the parts of the same path")]
    fn set(&mut self, key: &str, value: Toml) -> Attempt<()> {
        let mut table = &mut self.root;
        for (index, part) in self.context.iter().enumerate() {
            let Some(inner) = table.get_mut(part).and_then(Toml::table_mut) else {
                let shown = dotted(&self.context[..=index]);
                return Err(self.key_fault(format!("Key '{shown}' has already been defined.")));
            };
            table = inner;
        }
        if !table.contains_key(key) {
            table.insert(key.to_owned(), value);
            return Ok(());
        }
        let mut path = self.context.clone();
        path.push(key.to_owned());
        let shown = dotted(&path);
        if self.arrays.contains(&shown) {
            if !matches!(value, Toml::List(_)) || matches!(table[key], Toml::List(_)) {
                self.loose.push((self.key_at, "a key is set again after an array"));
            }
            self.implicit.remove(&shown);
            table.insert(key.to_owned(), value);
            return Ok(());
        }
        if self.implicit.remove(&shown) {
            if !matches!(value, Toml::Table(_)) {
                self.loose.push((self.key_at, "a value is dropped, since keys below it were set before"));
            }
            return Ok(());
        }
        Err(self.key_fault(format!("Key '{shown}' has already been defined.")))
    }

    /// The path under which the kind of a value is remembered. Compat: an empty key means its table.
    fn typed_path(&self, key: &str) -> String {
        let mut path = self.context.clone();
        if !key.is_empty() || path.is_empty() {
            path.push(key.to_owned());
        }
        dotted(&path)
    }

    fn key_fault(&self, message: String) -> Fault {
        Fault::new(self.key_at, message)
    }

    /// What messages name as the place: the key whose value is being read, or the table.
    fn last_key(&self) -> String {
        match (self.context.is_empty(), self.key.is_empty()) {
            (_, true) => dotted(&self.context),
            (true, false) => self.key.clone(),
            (false, false) => format!("{}.{}", dotted(&self.context), self.key),
        }
    }
}

fn broken_line(event: Event) -> Fault {
    Fault::new(event.span().start(), "newlines not allowed within inline tables")
}
