//! Constants of random documents: the code is Rust, its types are few, and it holds what the documents hold.
//!
//! The code is read back from its syntax, so that thousands of documents need no compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use syn::{Expr, Item, Lit, Stmt, UnOp};

use super::random::Random;
use crate::folder::Folder;

/// Documents that are made.
const RUNS: u64 = 400;

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(Vec<u8>),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

/// Keys that need care: no names, keywords, equal names, quotes, dots, names that the code uses itself.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "a", "b", "c", "name", "name", "kind", "items", "labels", "A", "a-b", "a_b", "aB", "a.b", "9p", "", "self", "Self",
    "super", "crate", "_", "type", "match", "union", "r#a", "V", "Value", "Root", "RootA", "String", "Option", "core",
    "ytt_engine", "static", "\"", "\\", "\n", "`", "{}", "*/", "é", "e\u{301}", "日本", "ﬁ", "💥", "\u{202e}", "<<", "#@",
    "unnamed_1", "fresh1", "a b c", "true", "1", "~",
];

const TEXTS: &[&str] =
    &["", "x", "1", "true", "a\nb\n", "\"#", "\r\n", "\0\u{1b}", "\u{202e}", "é💥", "{}", "*/", "#@ x", "\\"];

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    0.5,
    -1.5,
    1e300,
    5e-324,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e15,
    1e16,
    123_456_789.125,
];

const INTS: &[i128] =
    &[0, 1, -1, i64::MIN as i128, i64::MAX as i128, u64::MAX as i128, 1 << 53, (1 << 53) + 1, 1 << 63];

/// A document that is a map: others have no fields. One without entries would not be printed.
fn document(random: &mut Random) -> Tree {
    let mut entries = entries(random, 4, false);
    if entries.is_empty() {
        entries.push((Tree::Text("a".into()), Tree::Null));
    }
    Tree::Map(entries)
}

fn tree(random: &mut Random, depth: usize) -> Tree {
    match random.below(if depth == 0 { 8 } else { 14 }) {
        0 => Tree::Null,
        1 => Tree::Bool(random.one_in(2)),
        2 => Tree::Int(*random.pick(INTS)),
        3 => Tree::Int(random.int().into()),
        4 => Tree::Float(*random.pick(FLOATS)),
        5 if random.one_in(4) => Tree::Text(vec![0xff, random.below(256) as u8]),
        5..=7 => Tree::Text((0..random.below(3)).map(|_| *random.pick(TEXTS)).collect::<String>().into()),
        8..=10 => list(random, depth - 1),
        _ => {
            let keys_of_any_kind = random.one_in(12);
            Tree::Map(entries(random, depth - 1, keys_of_any_kind))
        }
    }
}

/// Items alike, so that they have a type, or of any kind.
fn list(random: &mut Random, depth: usize) -> Tree {
    let count = random.below(5);
    if random.one_in(2) {
        return Tree::List((0..count).map(|_| tree(random, depth)).collect());
    }
    let first = tree(random, depth);
    Tree::List((0..count).map(|_| varied(random, &first)).collect())
}

/// The same with other scalars of a kind, some keys left out, some values null.
fn varied(random: &mut Random, of: &Tree) -> Tree {
    match of {
        _ if random.one_in(12) => Tree::Null,
        Tree::Int(_) if random.one_in(8) => Tree::Float(0.5),
        Tree::Int(_) => Tree::Int(random.int().into()),
        Tree::Float(_) if random.one_in(8) => Tree::Int(3),
        Tree::Text(_) => Tree::Text((*random.pick(TEXTS)).into()),
        Tree::List(items) => Tree::List(items.iter().map(|item| varied(random, item)).collect()),
        Tree::Map(entries) => {
            let kept = entries.iter().filter(|_| !random.one_in(4)).cloned().collect::<Vec<_>>();
            Tree::Map(kept.into_iter().map(|(key, value)| (key, varied(random, &value))).collect())
        }
        other => other.clone(),
    }
}

fn entries(random: &mut Random, depth: usize, of_any_kind: bool) -> Vec<(Tree, Tree)> {
    let mut entries: Vec<(Tree, Tree)> = Vec::new();
    for _ in 0..random.below(7) {
        let key = match of_any_kind && random.one_in(3) {
            true => Tree::Int(random.below(9) as i128),
            false => Tree::Text((*random.pick(KEYS)).into()),
        };
        if !entries.iter().any(|(known, _)| *known == key) {
            let value = tree(random, depth);
            entries.push((key, value));
        }
    }
    entries
}

/// The document as YAML on one line.
fn yaml(tree: &Tree, out: &mut String) {
    let _ = match tree {
        Tree::Null => write!(out, "null"),
        Tree::Bool(value) => write!(out, "{value}"),
        Tree::Int(value) => write!(out, "{value}"),
        Tree::Float(value) if value.is_nan() => write!(out, ".nan"),
        Tree::Float(value) if value.is_infinite() => write!(out, "{}.inf", if *value < 0.0 { "-" } else { "" }),
        Tree::Float(value) => write!(out, "{value:?}"),
        Tree::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => quoted(text, out),
            Err(_) => write!(out, "!!binary {}", base64(bytes)),
        },
        Tree::List(items) => {
            out.push('[');
            for item in items {
                yaml(item, out);
                out.push_str(", ");
            }
            write!(out, "]")
        }
        Tree::Map(entries) => {
            out.push('{');
            for (key, value) in entries {
                yaml(key, out);
                out.push_str(": ");
                yaml(value, out);
                out.push_str(", ");
            }
            write!(out, "}}")
        }
    };
}

fn quoted(text: &str, out: &mut String) -> std::fmt::Result {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            ' '..='~' => out.push(character),
            other => write!(out, "\\U{:08x}", other as u32)?,
        }
    }
    write!(out, "\"")
}

/// Two bytes.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8;
    let letter = |at: u32| char::from(LETTERS[(bits >> at & 63) as usize]);
    format!("{}{}{}=", letter(18), letter(12), letter(6))
}

/// Paths of maps, without the places in lists: no more structs than these can be needed.
fn paths(tree: &Tree, path: &str, found: &mut BTreeSet<String>) {
    match tree {
        Tree::List(items) => items.iter().for_each(|item| paths(item, &format!("{path}[]"), found)),
        Tree::Map(entries) => {
            found.insert(path.to_owned());
            for (key, value) in entries {
                paths(value, &format!("{path}.{key:?}"), found);
            }
        }
        _ => {}
    }
}

/// Expands a call, following the advice about names until there is nothing to advise. The place of `RENAMES` in the call
/// takes the argument.
fn expand(folder: &Folder, call: &str) -> String {
    let mut renames: Vec<String> = Vec::new();
    for _ in 0..8 {
        let argument = match renames.is_empty() {
            true => String::new(),
            false => format!(", rename = {{ {} }}", renames.join(", ")),
        };
        let reports = match folder.expand(&call.replace("RENAMES", &argument)) {
            Ok(expansion) => return expansion.tokens.to_string(),
            Err(reports) => reports,
        };
        for report in reports {
            let advice = report.text.split_once("`rename = { ").and_then(|(_, rest)| rest.split_once(" }`"));
            let (advice, _) = advice.unwrap_or_else(|| panic!("{}", report.text));
            let name = format!("fresh{}", renames.len() + 2);
            renames.push(advice.replace('…', &name));
        }
    }
    panic!("the advice leads nowhere: {renames:?}");
}

/// Fields of generated structs with the keys that they stand for.
type Structs = BTreeMap<String, Vec<(String, String)>>;

fn structs(file: &syn::File) -> Structs {
    let mut found = Structs::new();
    for item in &file.items {
        let Item::Struct(item) = item else { continue };
        let field = |field: &syn::Field| {
            let name = field.ident.as_ref().expect("a name").to_string();
            let mut key = name.trim_start_matches("r#").to_owned();
            for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde")) {
                let read = attribute.parse_nested_meta(|meta| {
                    key = meta.value()?.parse::<syn::LitStr>()?.value();
                    Ok(())
                });
                read.expect("a rename");
            }
            (name, key)
        };
        let fields: Vec<_> = item.fields.iter().map(field).collect();
        let names: BTreeSet<&String> = fields.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), fields.len(), "fields with one name in `{}`", item.ident);
        let keys: BTreeSet<&String> = fields.iter().map(|(_, key)| key).collect();
        assert_eq!(keys.len(), fields.len(), "keys with two fields in `{}`", item.ident);
        assert!(found.insert(item.ident.to_string(), fields).is_none(), "two types `{}`", item.ident);
    }
    found
}

/// The expression of a static.
fn expression<'a>(file: &'a syn::File, name: &str) -> &'a Expr {
    let statics = file.items.iter().filter_map(|item| if let Item::Static(item) = item { Some(item) } else { None });
    let found: Vec<_> = statics.filter(|item| item.ident == name).collect();
    assert_eq!(found.len(), 1, "one static `{name}`");
    &found[0].expr
}

/// The value of a constant expression. `None` is null: which key is missing is told by the document.
fn read(expr: &Expr, structs: &Structs) -> Tree {
    match expr {
        Expr::Block(block) => match block.block.stmts.last() {
            Some(Stmt::Expr(expr, None)) => read(expr, structs),
            _ => panic!("a block without a value"),
        },
        Expr::Reference(reference) => read(&reference.expr, structs),
        Expr::Array(array) => Tree::List(array.elems.iter().map(|item| read(item, structs)).collect()),
        Expr::Tuple(tuple) if tuple.elems.is_empty() => Tree::Null,
        Expr::Lit(literal) => match &literal.lit {
            Lit::Bool(value) => Tree::Bool(value.value),
            Lit::Int(value) => Tree::Int(value.base10_parse().expect("an integer")),
            Lit::Float(value) => Tree::Float(value.base10_parse().expect("a float")),
            Lit::Str(value) => Tree::Text(value.value().into()),
            Lit::ByteStr(value) => Tree::Text(value.value()),
            _ => panic!("a literal that no value is"),
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match read(&unary.expr, structs) {
            Tree::Int(value) => Tree::Int(-value),
            Tree::Float(value) => Tree::Float(-value),
            other => panic!("minus {other:?}"),
        },
        Expr::Path(path) => match last(&path.path).as_str() {
            "None" | "Null" => Tree::Null,
            "NAN" => Tree::Float(f64::NAN),
            "INFINITY" => Tree::Float(f64::INFINITY),
            "NEG_INFINITY" => Tree::Float(f64::NEG_INFINITY),
            other => panic!("`{other}` in a constant"),
        },
        Expr::Call(call) => {
            let Expr::Path(function) = &*call.func else { panic!("a call of no name") };
            let content = call.args.first().expect("one argument");
            match last(&function.path).as_str() {
                "Map" | "new" => Tree::Map(pairs(content, structs)),
                "Some" | "Bool" | "Int" | "UInt" | "Float" | "Str" | "Bytes" | "Seq" => read(content, structs),
                other => panic!("a call of `{other}`"),
            }
        }
        Expr::Struct(value) => {
            let fields = &structs[&last(&value.path)];
            assert_eq!(fields.len(), value.fields.len(), "every field has a value");
            let of = |field: &syn::FieldValue| {
                let syn::Member::Named(name) = &field.member else { panic!("a field without a name") };
                let (_, key) = fields.iter().find(|(known, _)| name == known).expect("a field of the struct");
                (Tree::Text(key.clone().into()), read(&field.expr, structs))
            };
            Tree::Map(value.fields.iter().map(of).collect())
        }
        _ => panic!("an expression that no constant is"),
    }
}

fn last(path: &syn::Path) -> String {
    path.segments.last().expect("a name").ident.to_string()
}

/// `&[(key, value), …]`.
fn pairs(expr: &Expr, structs: &Structs) -> Vec<(Tree, Tree)> {
    let Expr::Reference(reference) = expr else { panic!("no list of pairs") };
    let Expr::Array(array) = &*reference.expr else { panic!("no list of pairs") };
    let pair = |pair: &Expr| {
        let Expr::Tuple(pair) = pair else { panic!("no pair") };
        (read(&pair.elems[0], structs), read(&pair.elems[1], structs))
    };
    array.elems.iter().map(pair).collect()
}

/// Does a constant hold a document? Where it is `exact`, nulls are not left out and integers do not become floats.
fn holds(found: &Tree, wanted: &Tree, exact: bool) -> bool {
    match (found, wanted) {
        (Tree::Float(found), Tree::Float(wanted)) => {
            found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan()
        }
        (Tree::Float(found), Tree::Int(wanted)) if !exact => *found as i128 == *wanted,
        (Tree::List(found), Tree::List(wanted)) => {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, wanted)| holds(found, wanted, exact))
        }
        (Tree::Map(found), Tree::Map(wanted)) if exact => {
            let pair = |((key, value), (wanted_key, wanted)): (&(Tree, Tree), &(Tree, Tree))| {
                holds(key, wanted_key, true) && holds(value, wanted, true)
            };
            found.len() == wanted.len() && found.iter().zip(wanted).all(pair)
        }
        (Tree::Map(found), Tree::Map(wanted)) => {
            let of =
                |from: &[(Tree, Tree)], key: &Tree| from.iter().find(|(known, _)| known == key).map(|(_, v)| v.clone());
            wanted.iter().all(|(key, wanted)| of(found, key).is_some_and(|found| holds(&found, wanted, false)))
                && found.iter().all(|(key, found)| of(wanted, key).is_some() || *found == Tree::Null)
        }
        (found, wanted) => found == wanted,
    }
}

#[test]
fn constants_hold_what_documents_hold() {
    let folder = Folder::new("types");
    let call = "#[derive(serde::Serialize)] static ROOT: Root = document(\"a.yml\" RENAMES);\
                static VALUE: Value = document(\"a.yml\");";
    for seed in 0..RUNS {
        let document = document(&mut Random::new(seed));
        let mut text = String::new();
        yaml(&document, &mut text);
        folder.write("a.yml", format!("{text}\n"));
        let code = expand(&folder, call);
        let file = syn::parse_str::<syn::File>(&code).unwrap_or_else(|error| panic!("{seed}: {error}\n{text}\n{code}"));
        let structs = structs(&file);
        let mut maps = BTreeSet::new();
        paths(&document, "", &mut maps);
        assert!(structs.len() <= maps.len(), "{seed}: {} structs\n{text}\n{code}", structs.len());
        for (name, exact) in [("ROOT", false), ("VALUE", true)] {
            let found = read(expression(&file, name), &structs);
            assert!(holds(&found, &document, exact), "{seed}: {name}\n{text}\n{found:?}\n{code}");
        }
    }
}

#[test]
fn one_type_holds_many_documents() {
    let folder = Folder::new("slices");
    let call =
        "#[derive(serde::Serialize)] static ROOTS: [Root] = documents(\"a.yml\" RENAMES, maps = [\"**.labels\"]);";
    for seed in 0..RUNS / 2 {
        let random = &mut Random::new(seed);
        let first = document(random);
        let mut documents = vec![Tree::Map(vec![(Tree::Text("labels".into()), Tree::Map(Vec::new()))])];
        for _ in 0..random.below(4) {
            documents.extend(
                Some(varied(random, &first)).filter(|one| matches!(one, Tree::Map(entries) if !entries.is_empty())),
            );
        }
        let mut text = String::new();
        for document in &documents {
            text.push_str("---\n");
            yaml(document, &mut text);
            text.push('\n');
        }
        folder.write("a.yml", &text);
        let code = expand(&folder, call);
        let file = syn::parse_str::<syn::File>(&code).unwrap_or_else(|error| panic!("{seed}: {error}\n{text}\n{code}"));
        let structs = structs(&file);
        let Tree::List(found) = read(expression(&file, "ROOTS"), &structs) else { panic!("{seed}: no list\n{code}") };
        assert_eq!(found.len(), documents.len(), "{seed}: {text}\n{code}");
        for (found, document) in found.iter().zip(&documents) {
            assert!(holds(found, document, false), "{seed}: {text}\n{found:?}\n{code}");
        }
    }
}
