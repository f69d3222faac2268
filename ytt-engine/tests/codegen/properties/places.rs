//! A mistake in `values = {…}` is shown at its own token, at every nesting: one value of a random call is made wrong.

use std::fmt::Write as _;

use super::random::Random;
use crate::folder::Folder;

/// Calls that are made.
const RUNS: u64 = 500;

/// The type of a value, as a schema says it.
#[derive(Clone, Debug)]
enum Type {
    Int,
    Text,
    Bool,
    Float,
    /// Below 0 is against a rule.
    Natural,
    Nullable(Box<Type>),
    Any,
    Array(Box<Type>),
    Map(Vec<(&'static str, Type)>),
}

const KEYS: &[&str] = &["a", "bb", "type", "x.y", "app-name", "c", "größe", "n"];

fn map(random: &mut Random, depth: usize) -> Type {
    let mut keys: Vec<&'static str> = Vec::new();
    for _ in 0..1 + random.below(4) {
        let key = *random.pick(KEYS);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Type::Map(keys.into_iter().map(|key| (key, any_type(random, depth, true))).collect())
}

/// Items of arrays cannot have annotations of their own.
fn any_type(random: &mut Random, depth: usize, is_entry: bool) -> Type {
    match random.below(if depth == 0 { 5 } else { 12 }) {
        0 => Type::Int,
        1 => Type::Text,
        2 => Type::Bool,
        3 => Type::Float,
        4 if is_entry && random.one_in(2) => Type::Natural,
        4 => Type::Int,
        5 if is_entry => Type::Nullable(Box::new(any_type(random, depth - 1, false))),
        6 if is_entry => Type::Any,
        5..=8 => Type::Array(Box::new(any_type(random, depth - 1, false))),
        _ => map(random, depth - 1),
    }
}

/// Writes the schema of what stands behind `key:` or `-`.
fn schema(of: &Type, indent: usize, out: &mut String) {
    let blanks = " ".repeat(indent);
    let _ = match of {
        Type::Int | Type::Natural => writeln!(out, " 0"),
        Type::Text => writeln!(out, " \"\""),
        Type::Bool => writeln!(out, " false"),
        Type::Float => writeln!(out, " 0.5"),
        Type::Any => writeln!(out, " null"),
        Type::Nullable(inner) => {
            schema(inner, indent, out);
            Ok(())
        }
        Type::Array(item) => {
            let _ = write!(out, "\n{blanks}-");
            schema(item, indent + 2, out);
            Ok(())
        }
        Type::Map(entries) => {
            out.push('\n');
            for (key, of) in entries {
                let _ = match of {
                    Type::Nullable(_) => writeln!(out, "{blanks}#@schema/nullable"),
                    Type::Any => writeln!(out, "{blanks}#@schema/type any=True"),
                    Type::Natural => writeln!(out, "{blanks}#@schema/validation min=0"),
                    _ => Ok(()),
                };
                let _ = write!(out, "{blanks}\"{key}\":");
                schema(of, indent + 2, out);
            }
            Ok(())
        }
    };
}

/// What stands in a call.
#[derive(Clone, Debug)]
enum Body {
    Token(String),
    Array(Vec<Value>),
    Map(Vec<Entry>),
}

#[derive(Clone, Debug)]
struct Value {
    of: Type,
    body: Body,
    is_wrong: bool,
}

#[derive(Clone, Debug)]
struct Entry {
    key: String,
    value: Value,
    is_wrong: bool,
}

/// A value that a schema allows.
fn value(random: &mut Random, of: &Type) -> Value {
    let body = match of {
        Type::Int => token(random, &["0", "-7", "1_000"]),
        Type::Natural => token(random, &["0", "7"]),
        Type::Text => token(random, &["\"\"", "\"3\"", "concat!(\"a\", 1)", "r\"x\""]),
        Type::Bool => token(random, &["true", "false"]),
        Type::Float => token(random, &["0.5", "-2.0", "3"]),
        Type::Any => token(random, &["null", "3", "\"x\"", "[1, { a: null }]", "{ a: [true] }", "{}"]),
        Type::Nullable(_) if random.one_in(3) => Body::Token("null".to_owned()),
        Type::Nullable(inner) => value(random, inner).body,
        Type::Array(item) => Body::Array((0..random.below(4)).map(|_| value(random, item)).collect()),
        Type::Map(entries) => {
            let mut given: Vec<Entry> = Vec::new();
            for (key, of) in entries {
                if !random.one_in(4) {
                    let entry = Entry { key: (*key).to_owned(), value: value(random, of), is_wrong: false };
                    given.insert(random.below(given.len() + 1), entry);
                }
            }
            Body::Map(given)
        }
    };
    Value { of: of.clone(), body, is_wrong: false }
}

fn token(random: &mut Random, from: &[&str]) -> Body {
    Body::Token((*random.pick(from)).to_owned())
}

fn count(value: &Value) -> usize {
    1 + match &value.body {
        Body::Token(_) => 0,
        Body::Array(items) => items.iter().map(count).sum(),
        Body::Map(entries) => entries.iter().map(|entry| count(&entry.value)).sum(),
    }
}

/// The value of that number.
fn nth<'a>(value: &'a mut Value, number: &mut usize) -> Option<&'a mut Value> {
    if *number == 0 {
        return Some(value);
    }
    *number -= 1;
    match &mut value.body {
        Body::Token(_) => None,
        Body::Array(items) => items.iter_mut().find_map(|item| nth(item, number)),
        Body::Map(entries) => entries.iter_mut().find_map(|entry| nth(&mut entry.value, number)),
    }
}

/// Makes a value wrong, or adds a key that is not declared. Says whether it could.
fn spoil(random: &mut Random, value: &mut Value, is_root: bool) -> bool {
    let (of, can_be_null) = match &value.of {
        Type::Nullable(inner) => ((**inner).clone(), true),
        other => (other.clone(), false),
    };
    if let (Type::Map(_), Body::Map(entries)) = (&of, &mut value.body)
        && (is_root || random.one_in(2))
    {
        let key = random.pick::<&str>(&["zz", "z.z", "match", "é"]).to_string();
        let body = token(random, &["1", "null", "[1, [2]]", "{ zz: { a: 1 } }"]);
        let value = Value { of: Type::Any, body, is_wrong: false };
        entries.insert(random.below(entries.len() + 1), Entry { key, value, is_wrong: true });
        return true;
    }
    let wrong: &[&str] = match of {
        Type::Int => &["\"3\"", "true", "1.5", "[1]", "{ x: 1 }", "null"],
        Type::Natural => &["-1", "\"3\"", "null"],
        Type::Text => &["3", "true", "[]", "{ x: \"\" }", "null"],
        Type::Bool => &["\"true\"", "0", "[true]", "null"],
        Type::Float => &["\"0.5\"", "true", "[0.5]", "null"],
        Type::Array(_) => &["1", "\"x\"", "{ x: 1 }", "null"],
        Type::Map(_) => &["1", "\"x\"", "[1]", "[]", "null"],
        Type::Nullable(_) | Type::Any => return false,
    };
    let wrong: &str = random.pick::<&str>(wrong);
    if wrong == "null" && can_be_null {
        return false;
    }
    (value.body, value.is_wrong) = (Body::Token(wrong.to_owned()), true);
    true
}

/// The call's text, and the column of the token that is wrong.
struct Writer<'r> {
    random: &'r mut Random,
    out: String,
    wrong: Option<usize>,
}

impl Writer<'_> {
    fn mark(&mut self, is_wrong: bool) {
        if is_wrong {
            assert_eq!(self.wrong.replace(self.out.chars().count()), None, "one token is wrong");
        }
    }

    fn value(&mut self, value: &Value) {
        self.mark(value.is_wrong);
        match &value.body {
            Body::Token(text) => {
                self.out.push_str(text);
                // A minus is a token of its own.
                self.wrong = self.wrong.map(|at| at + usize::from(value.is_wrong && text.starts_with('-')));
            }
            Body::Array(items) => {
                self.out.push('[');
                for item in items {
                    self.value(item);
                    self.out.push_str(", ");
                }
                self.out.push(']');
            }
            Body::Map(entries) => {
                self.out.push_str("{ ");
                self.entries("", entries);
                self.out.push('}');
            }
        }
    }

    /// Entries behind the keys that lead to their map, of which only the last one may be what is wrong.
    fn entries(&mut self, before: &str, entries: &[Entry]) {
        for entry in entries {
            self.out.push_str(before);
            self.mark(entry.is_wrong);
            let key = self.key(&entry.key);
            match &entry.value.body {
                Body::Map(inner) if !inner.is_empty() && self.random.one_in(3) => {
                    // `a.b: 1, a.c: 2` instead of `a: { b: 1, c: 2 }`.
                    self.out.truncate(self.out.len() - before.len());
                    self.entries(&format!("{before}{key}."), inner);
                }
                _ => {
                    self.out.push_str(&format!("{key}: "));
                    self.value(&entry.value);
                    self.out.push_str(", ");
                }
            }
        }
    }

    fn key(&mut self, key: &str) -> String {
        let is_name = syn::parse_str::<syn::Ident>(key).is_ok() || matches!(key, "type" | "match");
        if is_name && !self.random.one_in(4) { key.to_owned() } else { format!("\"{key}\"") }
    }
}

/// A library with this schema, whose values the root's call gives.
const LIBRARY: &str = "#@ load(\"@ytt:library\", \"library\")\nl: #@ library.get(\"l\").eval()[0]\n";

#[test]
fn every_mistake_is_shown_at_its_own_token() {
    let folder = Folder::new("places");
    let (mut told, mut seen) = (String::new(), 0);
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let of = map(random, 3);
        let mut values = value(random, &of);
        let mut number = random.below(count(&values));
        let is_root = number == 0;
        let place = nth(&mut values, &mut number).expect("a number below the count");
        let is_spoiled = spoil(random, place, is_root);
        let library = random.one_in(4);
        let start = if library { "\"input\", values = { \"@l\": " } else { "\"input\", values = " };
        let mut writer = Writer { random, out: start.to_owned(), wrong: None };
        writer.value(&values);
        let Writer { out, wrong, .. } = writer;
        let call = if library { format!("{out} }}") } else { out };

        let mut declared = "#@data/values-schema\n---".to_owned();
        schema(&of, 0, &mut declared);
        let _ = std::fs::remove_dir_all(&*folder);
        let part = if library { "input/_ytt_lib/l/" } else { "input/" };
        folder.write(format!("{part}schema.yml"), &declared);
        folder.write(format!("{part}a.yml"), "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values\n");
        if library {
            folder.write("input/l.yml", LIBRARY);
        }
        let found: Vec<(usize, String)> = match folder.expand(&call) {
            Ok(_) => Vec::new(),
            Err(reports) => reports.into_iter().map(|one| (one.span.start().column, one.text)).collect(),
        };
        let columns: Vec<usize> = found.iter().map(|(column, _)| *column).collect();
        let expected: Vec<usize> = wrong.into_iter().collect();
        assert_eq!(expected.len(), usize::from(is_spoiled));
        seen += expected.len();
        if columns != expected {
            let texts: Vec<String> = found.into_iter().map(|(_, text)| text).collect();
            told = format!("{seed}: {columns:?} instead of {expected:?}\n{call}\n{declared}\n{}", texts.join("\n"));
            break;
        }
    }
    assert!(told.is_empty(), "{told}");
    assert!(seen > RUNS as usize / 2, "{seen} of {RUNS} calls had a mistake");
}
