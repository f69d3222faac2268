//! Inputs and the trees, places, errors and warnings they give. Trees were confirmed with the reference.

use super::*;
use crate::diag::Severity;
use crate::source::{LineBreaks, Origin};
use crate::yaml::duplicates::first_duplicate_key;
use crate::yaml::resolve_duplicate_keys;

const OPTIONS: ReadOptions = ReadOptions { strict: false, alias_nodes: 1_000_000, reports: 20 };

struct Case {
    arena: Arena,
    source: Arc<Source>,
    result: Result<ReadFile, Diagnostic>,
}

fn case(bytes: &[u8], options: &ReadOptions, depth: u32) -> Case {
    let sources = SourceMap::default();
    let mut arena = Arena::new(depth);
    let text = Text::from_bytes(bytes.to_vec());
    let source = Source::new("a.yml", text, Origin::Memory, 0, LineBreaks::Yaml);
    let result = read_text(&mut arena, &sources, source, options);
    Case { arena, source: sources.get(SourceId(0)), result }
}

impl Case {
    fn file(&self) -> &ReadFile {
        self.result.as_ref().unwrap()
    }

    /// One line: documents between `|`, each node with its line and comments.
    fn dump(&self) -> String {
        let documents = self.arena.items(self.file().root);
        documents.iter().map(|&id| self.node(id) + &self.value(self.arena.value(id))).collect::<Vec<_>>().join(" | ")
    }

    fn node(&self, id: NodeId) -> String {
        let line = self.arena.place_of(id).map_or("?".into(), |place| self.source.line(place.start).to_string());
        let comments =
            self.arena.comments(id).iter().map(|comment| format!("#{}#", comment_text(&self.source, *comment)));
        line + &comments.collect::<String>() + " "
    }

    fn value(&self, value: Val) -> String {
        let arena = &self.arena;
        match value {
            Val::Null => "null".into(),
            Val::Bool(value) => value.to_string(),
            Val::Int(value) => value.to_string(),
            Val::UInt(value) => format!("{value}u"),
            Val::Float(value) => format!("{value:?}"),
            Val::Str { .. } => format!("{:?}", arena.str(value).unwrap()),
            Val::Bytes(_) => format!("b{:?}", arena.text_bytes(value).unwrap()),
            Val::Node(id) => {
                let items = arena.items(id).iter();
                if matches!(arena.get(id).body, Body::Map(_)) {
                    let text = |id: &NodeId| {
                        self.node(*id) + &self.value(arena.key(*id)) + ": " + &self.value(arena.value(*id))
                    };
                    format!("{{{}}}", items.map(text).collect::<Vec<_>>().join(", "))
                } else {
                    let text = |id: &NodeId| self.node(*id) + &self.value(arena.value(*id));
                    format!("[{}]", items.map(text).collect::<Vec<_>>().join(", "))
                }
            }
            Val::Raw(_) => unreachable!("the reader makes nodes"),
        }
    }

    /// The message and the first label with its position.
    fn error(&self) -> String {
        let error = self.result.as_ref().err().unwrap();
        let label = &error.parts().labels[0];
        let text = String::from_utf8_lossy(self.source.text.as_bytes()).into_owned();
        let found = text.get(label.span.start as usize..label.span.end as usize).unwrap_or("?");
        format!("{} @ {} {found:?}", error.message(), self.source.position(label.span.start))
    }
}

fn trees(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(case(text.as_bytes(), &OPTIONS, 1000).dump(), *expected, "{text:?}");
    }
}

fn errors(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(case(text.as_bytes(), &OPTIONS, 1000).error(), *expected, "{text:?}");
    }
}

#[test]
fn documents() {
    trees(&[
        ("", "1 null"),
        ("a", "1 \"a\""),
        ("a: 1\n", "1 {1 \"a\": 1}"),
        ("# c\n---\na: 1", "1 null | 2# c# {3 \"a\": 1}"),
        ("---\n---\nb\n...\n", "1 null | 2 \"b\""),
        ("--- foo\n--- [1]\n", "1 \"foo\" | 2 [2 1]"),
        ("---a: 1\n", "1 {1 \"---a\": 1}"),
        ("a: 1\n%YAML 1.1\n---\nb: 1\n", "1 {1 \"a\": 1} | 2 {4 \"b\": 1}"),
        ("...\n", "1 null"),
        ("\n\n---\na\n", "3 \"a\""),
        ("a: x\n  %y\n", "1 {1 \"a\": \"x %y\"}"),
        ("\u{feff}a: 1\n", "1 {1 \"\\u{feff}a\": 1}"),
        ("a: 1\n--- #! c\nb: 1\n", "1 {1 \"a\": 1} | 2#! c# {3 \"b\": 1}"),
    ]);
}

#[test]
fn block() {
    trees(&[
        ("a:\n- b\n- c\nd: e\n", "1 {1 \"a\": [2 \"b\", 3 \"c\"], 4 \"d\": \"e\"}"),
        (
            "- - 1\n  - 2\n-\n- a: 1\n  b:\n    c: d\n",
            "1 [1 [1 1, 2 2], 3 null, 4 {4 \"a\": 1, 5 \"b\": {6 \"c\": \"d\"}}]",
        ),
        ("? a\n: b\n? - x\n: y\n? z\n", "1 {1 \"a\": \"b\", 3 [3 \"x\"]: true, 5 \"z\": null}"),
        ("- a\n - b\n", "1 [1 \"a - b\"]"),
        ("a:\n- b\n - c\n", "1 {1 \"a\": [2 \"b - c\"]}"),
        ("a: b\n  c\n\n  d\n", "1 {1 \"a\": \"b c\\nd\"}"),
        ("a: 1\r\nb:\r\n  - x\r\n", "1 {1 \"a\": 1, 2 \"b\": [3 \"x\"]}"),
        ("a:\t1\nb\t: 2\n", "1 {1 \"a\": 1, 2 \"b\": 2}"),
        ("a: x\n \ty\n", "1 {1 \"a\": \"x y\"}"),
        ("a:\n\n\n  - 1\n", "1 {1 \"a\": [4 1]}"),
        ("a: {b: 1,\nc: 2}\nd: e\n", "1 {1 \"a\": {1 \"b\": 1, 2 \"c\": 2}, 3 \"d\": \"e\"}"),
    ]);
}

#[test]
fn flow() {
    trees(&[
        ("[a, b,]", "1 [1 \"a\", 1 \"b\"]"),
        ("[a: 1, b]", "1 [1 {1 \"a\": 1}, 1 \"b\"]"),
        ("{a, b: , c: 1}", "1 {1 \"a\": null, 1 \"b\": null, 1 \"c\": 1}"),
        ("{a:}", "1 {1 \"a:\": null}"),
        ("{b:1}", "1 {1 \"b:1\": null}"),
        ("[\"b\":1]", "1 [1 {1 \"b\": 1}]"),
        ("[-]", "1 [1 \"-\"]"),
        ("- [a\n- b]\n", "1 [1 [1 \"a - b\"]]"),
        ("a: [1, #! c\n 2]\n", "1 {1 \"a\": [1 1, 1#! c# 2]}"),
        ("[\n\t1]\n", "1 [1 1]"),
        ("{? a : b, ? c}", "1 {1 \"a\": \"b\", 1 \"c\": null}"),
        ("[[], {}, [[1]]]", "1 [1 [], 1 {}, 1 [1 [1 1]]]"),
        ("{a: [b: c]}", "1 {1 \"a\": [1 {1 \"b\": \"c\"}]}"),
    ]);
}

#[test]
fn scalars() {
    trees(&[
        (
            "a: !!str 1\nb: ! 2\nc: !Ref ~\nd: !!float 1\ne: !!int '0x_1'\nf: !!binary gIGC\ng: !!binary YQ==\nh: !!str\ni: !x\n",
            "1 {1 \"a\": \"1\", 2 \"b\": \"2\", 3 \"c\": \"~\", 4 \"d\": 1.0, 5 \"e\": 1, 6 \"f\": b[128, 129, 130], 7 \"g\": \"a\", 8 \"h\": \"\", 9 \"i\": \"\"}",
        ),
        (
            "- |\n  x\n   y\n\n- |-\n  x\n- |+\n  x\n\n- >\n  a\n  b\n\n  c\n   d\n  e\n- |2\n    x\n",
            "1 [1 \"x\\n y\\n\", 5 \"x\", 7 \"x\\n\\n\", 10 \"a b\\nc\\n d\\ne\\n\", 17 \"  x\\n\"]",
        ),
        ("a: |\n", "1 {1 \"a\": \"\"}"),
        ("a: |#c\n  x\n# d\n", "1 {1 \"a\": \"x\\n\"} | ?# d# null"),
        ("|1+\n a\n\n", "1 \"a\\n\\n\""),
        ("'it''s'", "1 \"it's\""),
        ("\"a\\x41\\u00e9\\U0001F389\\n\\\n   b\\tc\"", "1 \"aAé🎉\\nb\\tc\""),
        ("\"a\n\n b\n  c \"", "1 \"a\\nb c \""),
        ("'a\n\n\n b'", "1 \"a\\n\\nb\""),
        ("a\u{2028} b", "1 \"a\\u{2028}b\""),
        ("[!!str, b]", "1 [1 \"b\"]"),
        ("%TAG !e! tag:yaml.org,2002:\n---\n!e!str 1\n", "1 null | 1 \"1\""),
        ("!!%73tr 1", "1 \"1\""),
        ("y: 1\n1.5: 2\n~: 3\n", "1 {1 true: 1, 2 1.5: 2, 3 null: 3}"),
    ]);
}

#[test]
fn anchors() {
    trees(&[
        ("a: &x [1, {b: 2}]\nc: *x\n", "1 {1 \"a\": [1 1, 1 {1 \"b\": 2}], 2 \"c\": [1 1, 1 {1 \"b\": 2}]}"),
        ("a: &x #@ v\nb: *x\n", "1 {1#@ v# \"a\": null, 2 \"b\": null}"),
        ("a: &x\n  b: #@ 1+1\nc: *x\n", "1 {1 \"a\": {2 \"b\": null}, 3 \"c\": {2#@ 1+1# \"b\": null}}"),
        ("a: &x k\n*x : 1\n", "1 {1 \"a\": \"k\", 2 \"k\": 1}"),
        (
            "a: &x {p: 1}\nb:\n  q: 0\n  <<: *x\n  r: 2\n",
            "1 {1 \"a\": {1 \"p\": 1}, 2 \"b\": {3 \"q\": 0, 1 \"p\": 1, 5 \"r\": 2}}",
        ),
        ("a: {<<: {b: 1}, <<: []}\n", "1 {1 \"a\": {1 \"b\": 1}}"),
        ("\"<<\": 1\n!!merge '<<': {a: 1}\n! <<: {b: 1}\n", "1 {1 \"<<\": 1, 2 \"a\": 1, 3 \"b\": 1}"),
        ("&x a: *x\n", "1 {1 \"a\": \"a\"}"),
        ("a: &x 1\nb: &x 2\nc: *x\n", "1 {1 \"a\": 1, 2 \"b\": 2, 3 \"c\": 2}"),
        ("- &a 1\n- *a\n--- \n- &a 2\n- *a\n", "1 [1 1, 2 1] | 3 [4 2, 5 2]"),
    ]);
}

#[test]
fn comments() {
    trees(&[
        ("#! c\na: 1\n", "1 {2#! c# \"a\": 1}"),
        ("---\n#! c\na: 1\n", "1 {3#! c# \"a\": 1}"),
        ("--- #! c\na: 1\n", "1#! c# {2 \"a\": 1}"),
        ("k: #! c\n  a: 1\n", "1 {1#! c# \"k\": {2 \"a\": 1}}"),
        ("- #! c\n  a: 1\n- b: 1 #! d\n", "1 [1#! c# {2 \"a\": 1}, 3 {3#! d# \"b\": 1}]"),
        ("#! c\n- a: 1\n", "1 [2#! c# {2 \"a\": 1}]"),
        ("a: {b: 1} #! c\n", "1 {1 \"a\": {1#! c# \"b\": 1}}"),
        ("a: [1, 2] #! c\n", "1 {1 \"a\": [1 1, 1#! c# 2]}"),
        ("a:\n  b: 1\n      #! c\n  d: 2\n#! e\nf: 3\n", "1 {1 \"a\": {2 \"b\": 1, 4#! c# \"d\": 2}, 6#! e# \"f\": 3}"),
        ("a: x\n  y #! c\nb: 1\n", "1 {1 \"a\": \"x y\", 3#! c# \"b\": 1}"),
        ("k:\n  #! c\n  x\nl: 1\n", "1 {1 \"k\": \"x\", 4#! c# \"l\": 1}"),
        ("? k\n: v #! c\nl: 1\n", "1 {1 \"k\": \"v\", 3#! c# \"l\": 1}"),
        (
            "a: &x {b: 1}\nc:\n  <<: *x #! c\nd: 1\n",
            "1 {1 \"a\": {1 \"b\": 1}, 2 \"c\": {1 \"b\": 1}, 4#! c# \"d\": 1}",
        ),
        ("a: 1\n#! c\n---\nb: 1\n#! d\n", "1 {1 \"a\": 1} | 3#! c# {4 \"b\": 1} | ?#! d# null"),
        ("a: 1\n#! c\n---\n#! d\nb: 1\n", "1 {1 \"a\": 1} | 3#! c# {5#! d# \"b\": 1}"),
        ("a: #@ 1\n...\n#@ bad\n", "1 {1#@ 1# \"a\": null}"),
        ("a: \"x\"#! c\nb: x#! d\n", "1 {1#! c# \"a\": \"x\", 2 \"b\": \"x#! d\"}"),
        ("a: |  #! c\n  x\n#! d\n", "1 {1 \"a\": \"x\\n\"} | ?#! d# null"),
        ("%YAML 1.1 #! c\n---\na: 1\n", "1 null | 1 {3 \"a\": 1}"),
        ("#! c", "1 null | ?#! c# null"),
        ("a: [#! x\n #! y\n 1 #! z\n] #! e\n", "1 {1 \"a\": [1#! x# 1]} | ?#! y##! z##! e# null"),
    ]);
}

#[test]
fn errors_name_the_place() {
    errors(&[
        ("a: ]", "yaml: line 1: did not find expected node content @ 1:4 \"]\""),
        ("[1, 2", "yaml: line 1: did not find expected ',' or ']' @ 1:1 \"[\""),
        ("{a: 1\nb: 2", "yaml: line 2: did not find expected ',' or '}' @ 2:2 \":\""),
        ("a: 1\nb", "yaml: line 3: could not find expected ':' @ 2:1 \"b\""),
        ("a: b: c", "yaml: line 1: mapping values are not allowed in this context @ 1:5 \":\""),
        ("a: \"x", "yaml: line 1: found unexpected end of stream @ 1:4 \"\\\"\""),
        ("a: 'x\n---\n", "yaml: line 2: found unexpected document indicator @ 1:4 \"'\""),
        ("a:\t- b", "yaml: line 1: block sequence entries are not allowed in this context @ 1:4 \"-\""),
        ("- \ta", "yaml: line 1: found character that cannot start any token @ 1:3 \"\\t\""),
        ("\ta: 1", "yaml: line 1: found character that cannot start any token @ 1:1 \"\\t\""),
        ("a: 1\n\t\nb: 2", "yaml: line 2: found a tab character that violates indentation @ 2:1 \"\\t\""),
        ("a: |\n  \tx\n", "yaml: line 2: found a tab character where an indentation space is expected @ 2:3 \"\\t\""),
        ("a: |0\n", "yaml: line 1: found an indentation indicator equal to 0 @ 1:5 \"0\""),
        ("a: |x\n", "yaml: line 1: did not find expected comment or line break @ 1:5 \"x\""),
        ("a: @x", "yaml: line 1: found character that cannot start any token @ 1:4 \"@\""),
        ("a: `x`", "yaml: line 1: found character that cannot start any token @ 1:4 \"`\""),
        ("%YAML 1.2\n---\n", "yaml: line 1: found incompatible YAML document @ 1:1 \"%YAML 1.2\""),
        ("%FOO\n---\n", "yaml: line 1: found unknown directive name @ 1:5 \"\\n\""),
        ("%YAML 1.1\n%YAML 1.1\n---\n", "yaml: line 2: found duplicate %YAML directive @ 2:1 \"%YAML 1.1\""),
        ("&x &y 1", "yaml: line 1: did not find expected <document start> @ 1:4 \"&y\""),
        ("*x", "yaml: unknown anchor 'x' referenced @ 1:1 \"*x\""),
        ("a: &x [*x]", "yaml: anchor 'x' value contains itself @ 1:8 \"*x\""),
        ("!e!x a", "yaml: line 1: found undefined tag handle @ 1:1 \"!e!x\""),
        ("[a?b]", "yaml: line 1: did not find expected ',' or ']' @ 1:3 \"?\""),
        ("\"\\/\"", "yaml: line 1: found unknown escape character @ 1:2 \"\\\\/\""),
        ("\"\\ud83d\"", "yaml: line 1: found invalid Unicode character escape code @ 1:2 \"\\\\ud83d\""),
        ("\"\\x4\"", "yaml: line 1: did not find expected hexdecimal number @ 1:2 \"\\\\x4\""),
        ("--- a: 1", "yaml: mapping values are not allowed in this context @ 1:6 \":\""),
        ("a: 1\n- b\n", "yaml: line 2: did not find expected key @ 2:1 \"-\""),
        ("- a\nb: 1\n", "yaml: line 2: did not find expected '-' indicator @ 2:1 \"b\""),
        ("a:\n  b: 1\n c: 2\n", "yaml: line 3: did not find expected key @ 3:2 \"c\""),
        ("a: [1] x\n", "yaml: line 1: did not find expected key @ 1:8 \"x\""),
        ("a: 1\n...\nb: 1\n", "yaml: line 3: did not find expected <document start> @ 3:1 \"b\""),
        ("!!int x", "yaml: cannot decode !!str `x` as a !!int @ 1:1 \"!!int x\""),
        (
            "!!float 18446744073709551615",
            "yaml: cannot decode !!int `18446744073709551615` as a !!float @ 1:1 \"!!float 18446744073709551615\"",
        ),
        ("!!binary 'a b'", "yaml: !!binary value contains invalid base64 data @ 1:1 \"!!binary 'a b'\""),
        ("<<: 1", "yaml: map merge requires map or sequence of maps as the value @ 1:5 \"1\""),
        ("<<: [{a: 1}]", "yaml: map merge requires map or sequence of maps as the value @ 1:5 \"[{a: 1}]\""),
        (
            "a: &x {b: 1}\nc: {<<: *x}\nd: &x 1\n",
            "yaml: map merge requires map or sequence of maps as the value @ 2:9 \"*x\"",
        ),
        ("a: \u{1}", "yaml: control characters are not allowed @ 1:4 \"\\u{1}\""),
        ("a: &- é\n&é: 1", "yaml: line 2: did not find expected alphabetic or numeric character @ 2:2 \"é\""),
        ("---\n\ta", "yaml: line 2: found character that cannot start any token @ 2:1 \"\\t\""),
        ("a: {b: c: d}", "yaml: line 1: did not find expected ',' or '}' @ 1:9 \":\""),
        ("[!x]", "yaml: line 1: did not find expected ',' or ']' @ 1:1 \"[\""),
        ("!<x a", "yaml: line 1: did not find the expected '>' @ 1:4 \" \""),
        ("a\u{85}\tb: 1\n: c: d", "yaml: line 2: mapping values are not allowed in this context @ 2:3 \":\""),
    ]);
}

#[test]
fn places_are_the_indicator_the_key_and_the_value() {
    let text = "--- #! c\nab: &x !!str v # c\nl:\n- p: [1, {q: 2}]\n-\n? long key\n: >\n  text\n\n";
    let case = case(text.as_bytes(), &OPTIONS, 1000);
    let mut found = Vec::new();
    let mut open = vec![case.file().root];
    while let Some(id) = open.pop() {
        let arena = &case.arena;
        if let (Some(place), false) = (arena.place_of(id), matches!(arena.get(id).body, Body::Map(_) | Body::Array(_)))
        {
            let part = |from: u32, to: u32| &text[from as usize..to as usize];
            found.push((part(place.start, place.key_end), part(place.value, place.end)));
        }
        match arena.value(id) {
            Val::Node(value) if value != id => open.push(value),
            _ => open.extend(arena.items(id).iter().rev()),
        }
    }
    let whole = &text[9..text.len() - 2];
    assert_eq!(
        found,
        [
            ("---", whole),
            ("ab", "&x !!str v"),
            ("l", "- p: [1, {q: 2}]\n-"),
            ("-", "p: [1, {q: 2}]"),
            ("p", "[1, {q: 2}]"),
            ("[", "1"),
            (",", "{q: 2}"),
            ("q", "2"),
            ("-", ""),
            ("long key", ">\n  text"),
        ]
    );
}

#[test]
fn collections_share_the_place_of_their_item() {
    let case = case(b"a: &x {b: 1}\nc: *x\n", &OPTIONS, 1000);
    let document = case.arena.items(case.file().root)[0];
    let Val::Node(map) = case.arena.value(document) else { unreachable!("it is a map") };
    assert_eq!(case.arena.get(map).pos, case.arena.get(document).pos);
    for &item in case.arena.items(map) {
        let Val::Node(inner) = case.arena.value(item) else { unreachable!("it is a map") };
        assert_eq!(case.arena.get(inner).pos, case.arena.get(item).pos);
    }
}

#[test]
fn text_of_the_source_is_not_copied() {
    let case = case(b"a: plain text\nb: 'quoted'\nc: \"quoted\"\n", &OPTIONS, 1000);
    let Val::Node(map) = case.file().first_value(&case.arena) else { unreachable!("it is a map") };
    for (key, value) in case.arena.entries(map) {
        assert!(matches!((key, value), (Val::Str { text: 1, .. }, Val::Str { text: 1, .. })));
    }
}

#[test]
fn a_file_is_a_template_if_code_is_recorded() {
    for (text, expected) in [
        ("a: 1 #@ v", true),
        ("a: 1\n#@ v", true),
        ("#@ v\n---\na: 1\n", true),
        ("a: 1 #! v", false),
        ("a: 1 # @ v", false),
        ("a: | #@ v\n  #@ v\n", false),
        ("a: 1\n...\n#@ v\n", false),
    ] {
        assert_eq!(case(text.as_bytes(), &OPTIONS, 1000).file().has_code, expected, "{text:?}");
    }
}

#[test]
fn duplicate_keys() {
    for (text, expected) in [
        ("a: 1\nb: 2\na: 3\n", "1 {3 \"a\": 3, 2 \"b\": 2}"),
        ("1: a\n1.0: b\n'1': c\n", "1 {1 1: \"a\", 2 1.0: \"b\", 3 \"1\": \"c\"}"),
        ("0.0: a\n-0.0: b\n", "1 {2 -0.0: \"b\"}"),
        ("~: a\nnull: b\n", "1 {2 null: \"b\"}"),
        (".nan: a\n.nan: b\n", "1 {1 NaN: \"a\", 2 NaN: \"b\"}"),
        ("{[1]: a, [1]: b}", "1 {1 [1 1]: \"b\"}"),
        ("? [1]\n: a\n? [1]\n: b\n", "1 {1 [1 1]: \"a\", 3 [3 1]: \"b\"}"),
        ("!!binary YQ==: 1\na: 2\n", "1 {2 \"a\": 2}"),
        ("- x: &x {a: 1}\n  z: {a: 2, <<: *x}\n", "1 [1 {1 \"x\": {1 \"a\": 1}, 2 \"z\": {1 \"a\": 1}}]"),
    ] {
        let mut case = case(text.as_bytes(), &OPTIONS, 1000);
        let root = case.file().root;
        let before = first_duplicate_key(&case.arena, root);
        assert_eq!(case.file().has_duplicate_keys, before.is_some(), "{text:?}");
        resolve_duplicate_keys(&mut case.arena, root);
        assert_eq!(case.dump(), expected, "{text:?}");
    }
}

#[test]
fn duplicate_keys_of_large_maps() {
    let text: String = (0..50).map(|n| format!("k{}: {n}\n.nan: 0\n", n % 20)).collect();
    let mut case = case(text.as_bytes(), &OPTIONS, 1000);
    let root = case.file().root;
    assert!(case.file().has_duplicate_keys);
    resolve_duplicate_keys(&mut case.arena, root);
    let Val::Node(map) = case.file().first_value(&case.arena) else { unreachable!("it is a map") };
    let entries: Vec<_> = case.arena.entries(map).filter(|entry| !matches!(entry.0, Val::Float(_))).collect();
    assert_eq!(entries.len(), 20);
    assert_eq!(entries[0].1, Val::Int(40));
    assert_eq!(entries[19].1, Val::Int(39));
    assert_eq!(case.arena.items(map).len(), 70);
}

#[test]
fn strict_refuses_all_at_once() {
    let options = ReadOptions { strict: true, ..OPTIONS };
    assert_eq!(
        case(b"a: \"yes\"\n<<: {b: !!str 01}\n", &options, 1000).dump(),
        "1 {1 \"a\": \"yes\", 2 \"b\": \"01\"}"
    );
    let text = format!("a: yes\nb: {}\n", "[x y, 01],".repeat(30).trim_end_matches(',').replace("],[", ", "));
    let whole = case(text.as_bytes(), &options, 1000);
    assert_eq!(whole.error(), "yaml: Strict parsing: Found 'yes' ambigious (could be !!str or !!bool) @ 1:4 \"yes\"");
    for (reports, labels, note) in [(20, 20, "and 41 more"), (2, 2, "and 59 more"), (0, 1, "and 60 more")] {
        let few = case(text.as_bytes(), &ReadOptions { reports, ..options.clone() }, 1000);
        let error = few.result.err().unwrap();
        assert_eq!((error.parts().labels.len(), error.parts().notes[0].text()), (labels, note));
    }
}

#[test]
fn depth_counts_open_collections() {
    let flow = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let block = |depth: usize| "- ".repeat(depth - 1) + "[]";
    let keys = |depth: usize| "? ".repeat(depth) + "a";
    for make in [&flow as &dyn Fn(usize) -> String, &block, &keys] {
        assert!(case(make(10).as_bytes(), &OPTIONS, 10).result.is_ok(), "{}", make(10));
        assert!(case(make(11).as_bytes(), &OPTIONS, 10).error().starts_with("nesting is deeper than 10 levels @ 1:"));
    }
    assert!(case(b"a: &x [[1]]\nb: [*x]\n", &OPTIONS, 4).result.is_ok());
    assert_eq!(case(b"a: &x [[1]]\nb: [*x]\n", &OPTIONS, 3).error(), "nesting is deeper than 3 levels @ 2:5 \"*x\"");
    assert!(case(b"a: &x {b: [1]}\nc: {<<: *x}\n", &OPTIONS, 3).result.is_ok());
}

#[test]
fn deep_texts_end_in_an_error() {
    for part in ["[", "{", "- ", "? ", "{a: ", "[a: ", "&a [", "!t {", "[? ", "- - ? - "] {
        let text = part.repeat(100_000);
        assert!(case(text.as_bytes(), &OPTIONS, 1000).result.is_err(), "{part:?}");
    }
    let lines: String = (0..1_100).map(|depth| " ".repeat(depth) + "a:\n").collect();
    assert!(
        case(lines.as_bytes(), &OPTIONS, 1000).error().starts_with("nesting is deeper than 1000 levels @ 1001:1001")
    );
    let key = "[".repeat(998) + &"]".repeat(998);
    let text = format!("? {key}\n: 1\n? {key}\n: 2\n");
    assert!(!case(text.as_bytes(), &OPTIONS, 1000).file().has_duplicate_keys);
}

#[test]
fn copies_are_counted_before_they_are_made() {
    let text = "a: &a [1, 2, 3]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    // The first list has 7 nodes, the second 1 + 2 * 8.
    let options = |alias_nodes| ReadOptions { alias_nodes, ..OPTIONS };
    assert!(case(text.as_bytes(), &options(7 + 7 + 17 + 17), 1000).result.is_ok());
    let limited = case(text.as_bytes(), &options(7 + 7 + 17 + 16), 1000);
    assert_eq!(limited.error(), "aliases expand to more than 47 nodes @ 3:9 \"*b\"");
    let laughs: String = (0..60).map(|n| format!("a{}: &a{} [*a{n}, *a{n}]\n", n + 1, n + 1)).collect();
    let bomb = case(("a0: &a0 x\n".to_owned() + &laughs).as_bytes(), &OPTIONS, 1000);
    assert!(bomb.error().starts_with("aliases expand to more than 1000000 nodes"));
}

#[test]
fn bytes_that_yaml_forbids() {
    let cases: [(&[u8], &str); 11] = [
        (b"a: \x00", "yaml: control characters are not allowed @ 1:4"),
        (b"a: 1\n# \x7f", "yaml: control characters are not allowed @ 2:3"),
        ("a: \u{80}".as_bytes(), "yaml: control characters are not allowed @ 1:4"),
        ("a: \u{fffe}".as_bytes(), "yaml: control characters are not allowed @ 1:4"),
        (b"\xff\xfea\x00", "yaml: invalid leading UTF-8 octet @ 1:1"),
        (b"a: \xc3", "yaml: incomplete UTF-8 octet sequence @ 1:4"),
        (b"a: \xc3a", "yaml: invalid trailing UTF-8 octet @ 1:4"),
        (b"a: \xc0\xaf", "yaml: invalid length of a UTF-8 sequence @ 1:4"),
        (b"a: \xed\xa0\x80", "yaml: invalid Unicode character @ 1:4"),
        (b"a: \xf4\x90\x80\x80", "yaml: invalid Unicode character @ 1:4"),
        (b"a: \x01\xff", "yaml: control characters are not allowed @ 1:4"),
    ];
    for (bytes, expected) in cases {
        let error = case(bytes, &OPTIONS, 1000).error();
        assert!(error.starts_with(expected), "{bytes:?}: {error}");
    }
    assert!(case("a: \u{85} \u{a0}\u{d7ff}\u{e000}\u{fffd}\u{10ffff}".as_bytes(), &OPTIONS, 1000).result.is_ok());
}

#[test]
fn warnings() {
    for (text, expected) in [
        ("\u{feff}a: 1", "yaml::byte-order-mark"),
        ("a: !Ref b\nc: !Sub [d]\n", "yaml::unknown-tag"),
        ("a: !!str b\nc: !!int 1\nd: ! 1\n", ""),
        ("a: &x #@ v\nb: *x\n", "yaml::alias-of-code"),
        ("a: &x\n  b: #@ 1\nc: *x\n", "yaml::alias-of-code"),
        ("a: &x 1\nb: 2 #@ 1\nc: *x\n", ""),
        ("#! 1\n#! 2\na: &x 1\nb: *x\n---\na: &x 1\nb: *x\n", ""),
        ("#! 1\n#@ 2\na: &x 1\nb: *x\n---\na: &x #@ 3\nb: *x\n", "yaml::alias-of-code"),
        ("a: | #@ v\n  x\n", "yaml::dropped-code"),
        ("a: 1\n...\n#@ v\n", "yaml::dropped-code"),
        ("a: | #! v\n  x\n...\n#! v", ""),
        ("a: {{ .Values.b }}\n", "yaml::braces"),
        ("a: {{ .Values.b }}\nc: 1 #@ d\n", ""),
        ("a: {{b: 1}: c}\nd: '{{ e }}'\nf: |\n  {{ g }}\n? {h: 1}\n: 2\n", ""),
    ] {
        let case = case(text.as_bytes(), &OPTIONS, 1000);
        let codes: Vec<_> = case.file().warnings.iter().map(|warning| warning.code().as_str()).collect();
        assert_eq!(codes.join(" "), expected, "{text:?}");
        assert!(case.file().warnings.iter().all(|warning| warning.severity() == Severity::Warning));
    }
}

#[test]
fn documents_are_counted_as_people_count_them() {
    for (text, expected) in [
        ("", 1),
        ("a: 1", 1),
        ("# c\n---\na: 1", 1),
        ("%YAML 1.1\n---\na: 1\n", 1),
        ("---", 1),
        ("---\n", 1),
        ("null\n---\na: 1", 2),
        ("a: 1\n---\nb: 1\n#! c", 2),
        ("#! c", 1),
    ] {
        let case = case(text.as_bytes(), &OPTIONS, 1000);
        assert_eq!(case.file().documents(&case.arena).len(), expected, "{text:?}");
    }
}

#[test]
fn broken_texts_end_in_an_error_or_a_tree() {
    let text = "%YAML 1.1\n--- #! é\na: &x [1, {b: 'c''d'}, \"\\u00e9\\\n  z\"] #@ 1\n? |+2\n   t\n\n: *x\n<<: {\u{2028}é: !!str 1}\n...\n";
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        let _ = case(&bytes[..at], &OPTIONS, 1000);
        let _ = case(&[&bytes[..at], &bytes[at + 1..]].concat(), &OPTIONS, 1000);
        for byte in *b" \t\n-:?#[]{},&*!|>'\"%@\\\xE2" {
            let _ = case(&[&bytes[..at], &[byte], &bytes[at..]].concat(), &OPTIONS, 1000);
        }
    }
}
