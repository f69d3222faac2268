//! A tree to a TOML text: direct values of a table first, then its tables, each group sorted by key.
//!
//! What TOML cannot hold: a null in a list is refused, a null in a map is left out. Compat: an inline table that ends in
//! a null keeps the comma before it.

use super::key;
use crate::diag::{Code, Diagnostic};
use crate::yaml::view::{Entries, View, misplaced, sort_by_key, too_deep};
use crate::yaml::{Arena, Val, number};

/// Writes a map; `indent` is the number of blanks for each level of a table's path.
pub(super) fn encode(arena: &Arena, value: Val, indent: usize) -> Result<Vec<u8>, Diagnostic> {
    let mut encoder = Encoder { arena, out: Vec::new(), indent };
    let root = encoder.check(value, arena.depth())?;
    match root {
        View::Map(entries) => encoder.table(&mut Vec::new(), entries),
        _ => {
            let text = "toml: top-level values must be Go maps or structs";
            return Err(Diagnostic::error(Code::MODULE_ARGUMENT, text).note("top-level values must be maps"));
        }
    }
    Ok(encoder.out)
}

struct Encoder<'a> {
    arena: &'a Arena,
    out: Vec<u8>,
    indent: usize,
}

/// Keys and values of a map.
type Pairs<'a> = Vec<(&'a [u8], View<'a>)>;

impl<'a> Encoder<'a> {
    /// Refuses what has no form, anywhere; `depth` counts collections that may still be opened.
    fn check(&self, value: Val, depth: u32) -> Result<View<'a>, Diagnostic> {
        let view = View::of(self.arena, value);
        let (View::Map(entries) | View::Array(entries)) = view else {
            return match view {
                View::Other(node) => Err(misplaced(self.arena, node, None)),
                _ => Ok(view),
            };
        };
        let Some(depth) = depth.checked_sub(1) else { return Err(too_deep(self.arena.depth(), None)) };
        for entry in entries.iter() {
            if matches!(view, View::Map(_)) && self.arena.text_bytes(entry.key).is_none() {
                return Err(Diagnostic::error(Code::MODULE_ARGUMENT, "Expected key to be string"));
            }
            if matches!(view, View::Array(_)) && entry.value == Val::Null {
                return Err(Diagnostic::error(Code::MODULE_ARGUMENT, "toml: cannot encode array with nil element"));
            }
            self.check(entry.value, depth)?;
        }
        Ok(view)
    }

    /// Direct values and tables of a map, each in the order in which they are written.
    fn sorted(&self, entries: Entries<'a>) -> (Pairs<'a>, Pairs<'a>) {
        let mut all: Pairs<'a> = Vec::with_capacity(entries.len());
        for entry in entries.iter() {
            let name = self.arena.text_bytes(entry.key).unwrap_or_default();
            all.push((name, View::of(self.arena, entry.value)));
        }
        sort_by_key(&mut all);
        all.into_iter().partition(|(_, value)| !self.is_table(*value))
    }

    fn is_table(&self, value: View<'a>) -> bool {
        match value {
            View::Map(_) => true,
            View::Array(items) => {
                !items.is_empty() && items.iter().all(|item| matches!(View::of(self.arena, item.value), View::Map(_)))
            }
            _ => false,
        }
    }

    /// The contents of the table at `path`.
    fn table(&mut self, path: &mut Vec<&'a [u8]>, entries: Entries<'a>) {
        let (direct, tables) = self.sorted(entries);
        for (name, value) in direct {
            if !matches!(value, View::Null) {
                self.blanks(path.len());
                self.pair(name, value);
                self.out.push(b'\n');
            }
        }
        for (name, value) in tables {
            path.push(name);
            match value {
                View::Map(entries) => {
                    if path.len() == 1 {
                        self.empty_line();
                    }
                    self.header(path, "[", "]");
                    self.table(path, entries);
                }
                View::Array(items) => {
                    for item in items.iter() {
                        if let View::Map(entries) = View::of(self.arena, item.value) {
                            self.empty_line();
                            self.header(path, "[[", "]]");
                            self.table(path, entries);
                        }
                    }
                }
                _ => {}
            }
            path.pop();
        }
    }

    fn empty_line(&mut self) {
        if !self.out.is_empty() {
            self.out.push(b'\n');
        }
    }

    #[allow(
        clippy::arithmetic_side_effects,
        reason = "a level is at most the depth that `check` lets pass, and an indent at most 8"
    )]
    fn blanks(&mut self, level: usize) {
        self.out.resize(self.out.len() + level * self.indent, b' ');
    }

    fn header(&mut self, path: &[&[u8]], open: &str, close: &str) {
        self.blanks(path.len().saturating_sub(1));
        self.out.extend_from_slice(open.as_bytes());
        for (index, part) in path.iter().enumerate() {
            if index > 0 {
                self.out.push(b'.');
            }
            key(part, &mut self.out);
        }
        self.out.extend_from_slice(close.as_bytes());
        self.out.push(b'\n');
    }

    fn pair(&mut self, name: &[u8], value: View<'a>) {
        key(name, &mut self.out);
        self.out.extend_from_slice(b" = ");
        self.inline(value);
    }

    fn inline(&mut self, value: View<'a>) {
        let text = match value {
            View::Null | View::Other(_) => return,
            View::Str(text) => return super::quoted(text.as_bytes(), &mut self.out),
            View::Bytes(bytes) => return super::quoted(bytes, &mut self.out),
            View::Array(items) => return self.list(items),
            View::Map(entries) => return self.inline_table(entries),
            View::Bool(flag) => flag.to_string(),
            View::Int(number) => number.to_string(),
            View::UInt(number) => number.to_string(),
            View::Float(number) => float(number),
        };
        self.out.extend_from_slice(text.as_bytes());
    }

    fn list(&mut self, items: Entries<'a>) {
        self.out.push(b'[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.extend_from_slice(b", ");
            }
            self.inline(View::of(self.arena, item.value));
        }
        self.out.push(b']');
    }

    fn inline_table(&mut self, entries: Entries<'a>) {
        let (direct, tables) = self.sorted(entries);
        self.out.push(b'{');
        let more = !tables.is_empty();
        for (group, more) in [(direct, more), (tables, false)] {
            let last = group.len().wrapping_sub(1);
            for (index, (name, value)) in group.into_iter().enumerate() {
                if matches!(value, View::Null) {
                    continue;
                }
                self.pair(name, value);
                if more || index != last {
                    self.out.extend_from_slice(b", ");
                }
            }
        }
        self.out.push(b'}');
    }
}

/// All digits, never an exponent.
fn float(float: f64) -> String {
    if float.is_nan() {
        return "nan".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { "+inf" } else { "-inf" }.to_owned();
    }
    let mut text = String::new();
    number::write_plain(&mut text, float);
    if text.contains('.') { text } else { text + ".0" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Raw;

    fn text(value: &serde_json::Value, indent: usize) -> Result<String, String> {
        let mut arena = Arena::new(100);
        let tree = tree(&mut arena, value);
        match encode(&arena, tree, indent) {
            Ok(bytes) => Ok(String::from_utf8(bytes).unwrap()),
            Err(error) => Err(error.message().to_owned()),
        }
    }

    fn tree(arena: &mut Arena, value: &serde_json::Value) -> Val {
        match value {
            serde_json::Value::Null => Val::Null,
            serde_json::Value::Bool(flag) => Val::Bool(*flag),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(number) => Val::Int(number),
                None => Val::Float(number.as_f64().unwrap()),
            },
            serde_json::Value::String(text) => arena.make_str(text),
            serde_json::Value::Array(items) => {
                let items = items.iter().map(|item| tree(arena, item)).collect();
                arena.add_raw(Raw::List(items))
            }
            serde_json::Value::Object(entries) => {
                let entries = entries.iter().map(|(key, item)| (arena.make_str(key), tree(arena, item))).collect();
                arena.add_raw(Raw::Dict(entries))
            }
        }
    }

    #[test]
    fn values_come_before_tables() {
        let cases = [
            ("{}", ""),
            (r#"{"b":1,"a":{"x":null,"c":{}}}"#, "b = 1\n\n[a]\n  [a.c]\n"),
            (
                r#"{"a":{"b":[{"c":1},{"d":[1,"x",{"b":1}]}]}}"#,
                "[a]\n\n  [[a.b]]\n    c = 1\n\n  [[a.b]]\n    d = [1, \"x\", {b = 1}]\n",
            ),
            (r#"{"a":[{"b":1,"z":null},2]}"#, "a = [{b = 1, }, 2]\n"),
            (r#"{"a":[{"b":{},"a":null,"c":1},2]}"#, "a = [{c = 1, b = {}}, 2]\n"),
            (r#"{"":1.5,"a b":1e21,"é":-0.0}"#, "\"\" = 1.5\n\"a b\" = 1000000000000000000000.0\n\"é\" = -0.0\n"),
            (r#"{"a":"q\"\\\n\u0001\u007fé"}"#, "a = \"q\\\"\\\\\\n\\u0001\\u007fé\"\n"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(&serde_json::from_str(value).unwrap(), 2).as_deref(), Ok(expected), "{value}");
        }
    }

    #[test]
    fn what_toml_cannot_hold() {
        for (value, expected) in [
            ("[]", "toml: top-level values must be Go maps or structs"),
            (r#"{"a":[[null]]}"#, "toml: cannot encode array with nil element"),
        ] {
            assert_eq!(text(&serde_json::from_str(value).unwrap(), 2).unwrap_err(), expected);
        }
        let mut arena = Arena::new(100);
        let number = arena.add_raw(Raw::Dict(vec![(Val::Int(1), Val::Null)]));
        assert_eq!(encode(&arena, number, 2).unwrap_err().message(), "Expected key to be string");
        let (name, raw) = (arena.make_str("a"), arena.make_bytes(b"\xff\""));
        let raw = arena.add_raw(Raw::Dict(vec![(name, raw)]));
        assert_eq!(encode(&arena, raw, 2).unwrap(), b"a = \"\xff\\\"\"\n");
    }
}
