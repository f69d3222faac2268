//! Calls as people write them, right and wrong.

use super::argument::Output;
use super::declared::{DeclaredBody, FieldType};
use super::item::{Reading, Written};
use super::path::{Condition, YamlPath};
use super::value::CallKind;
use super::*;
use crate::codegen::Level;

fn read(text: &str) -> Result<Call, Vec<CallError>> {
    let tokens: TokenStream = text.parse().expect("tokens");
    parse(tokens, &|name| (name == "HOME").then(|| "/home/u".to_owned()))
}

fn errors(text: &str) -> Vec<(&'static str, String)> {
    read(text).err().unwrap_or_default().into_iter().map(|error| (error.name, error.message)).collect()
}

#[test]
fn paths_and_arguments_are_read_in_order() {
    let call = read(
        r#""config", concat!("over", 'l', "ays/", 1, true, 0.5), env!("HOME"),
           values = { replicas: 3, image.tag: "1.2", "app.kubernetes.io/name": null, list: [1, -2.5, true], image: { pull: false } },
           output = "json", strict = true, values_file = "v.yml", file_marks = ["a:exclude=true"],
           limits = { steps: 10 }, env = { a.b: "A_B" }, lints = { "all": "allow", "overlay::*": "deny" },"#,
    )
    .unwrap();
    let Form::Text(call) = call.form else { panic!("an expression") };
    let inputs: Vec<&str> = call.inputs.iter().map(|text| text.value.as_str()).collect();
    assert_eq!(inputs, ["config", "overlays/1true0.5", "/home/u"]);
    let arguments = call.arguments;
    assert_eq!((arguments.output, arguments.strict), (Output::Json, true));
    assert_eq!(arguments.values_file[0].value, "v.yml");
    assert_eq!(arguments.limits[0].value, 10);
    let levels: Vec<_> = arguments.lints.iter().map(|lint| (lint.code.as_str(), lint.level)).collect();
    assert_eq!(levels, [("all", Level::Allow), ("overlay::*", Level::Deny)]);
    let key: Vec<&str> = arguments.env[0].key.iter().map(|(part, _)| part.as_str()).collect();
    assert_eq!((key, arguments.env[0].variable.value.as_str()), (vec!["a", "b"], "A_B"));
    let (values, _) = arguments.values.unwrap();
    let keys: Vec<&str> = values.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["replicas", "image", "app.kubernetes.io/name", "list"]);
    let CallKind::Map(image) = &values[1].value.kind else { panic!("image is a map") };
    let keys: Vec<&str> = image.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["tag", "pull"]);
}

/// Tokens as `macro_rules!` gives them: what came as an expression is in a group without delimiters.
fn passed(text: &str) -> TokenTree {
    TokenTree::Group(proc_macro2::Group::new(Delimiter::None, text.parse().expect("tokens")))
}

/// What was read, but not where it stands.
fn without_places(call: &Call) -> String {
    let text = format!("{:?}", call.form);
    let (first, rest) = text.split_once("bytes(").unwrap_or((&text, ""));
    let after = |part: &str| part.split_once(')').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    rest.split("bytes(").fold(first.to_owned(), |text, part| text + &after(part))
}

#[test]
fn what_comes_through_macros_counts_as_written() {
    let values = [r#"[1, ["b"]]"#, "-1.5", "\"x\"", "concat!(\"a\", 1)", "{ b: 1 }", "env!(\"HOME\")", "null"];
    for value in values {
        let whole = format!("concat!(\"a\", \"b\"), env = {{ e: \"E\" }}, values = {{ v: {value} }}, strict = true");
        let mut tokens = TokenStream::from(passed("concat!(\"a\", \"b\")"));
        tokens.extend::<TokenStream>(", env =".parse().unwrap());
        tokens.extend([passed("{ e: \"E\" }")]);
        tokens.extend::<TokenStream>(", values =".parse().unwrap());
        let inside: TokenStream = "v:".parse().unwrap();
        let inside = inside.into_iter().chain([passed(value)]).collect();
        tokens.extend([TokenTree::Group(proc_macro2::Group::new(Delimiter::Brace, inside))]);
        tokens.extend::<TokenStream>(", strict =".parse().unwrap());
        tokens.extend([passed("true")]);
        let found = parse(tokens, &|name| (name == "HOME").then(|| "/home/u".to_owned())).unwrap();
        assert_eq!(without_places(&found), without_places(&read(&whole).unwrap()), "{value}");
    }
}

#[test]
fn every_mistake_has_its_name_and_text() {
    let cases = [
        ("", "no-input", NO_INPUT),
        (
            "DIR",
            "input-not-literal",
            "expected a string literal, `concat!(..)` or `env!(..)`; a macro cannot read `DIR`",
        ),
        (r#""a" "b""#, "missing-comma", "expected `,`"),
        (r#""a", value = {}"#, "unknown-argument", "unknown argument `value` (did you mean `values`?)"),
        (r#""a", strict = true, strict = true"#, "repeated-argument", "`strict` is given twice"),
        (r#""a", strict = true, "b""#, "path-after-argument", "paths come before named arguments"),
        (r#""a", values = 3"#, "values-not-map", "expected `{ key: value, … }`"),
        (
            r#""a", values = { a: N }"#,
            "value-constant",
            "expected a literal, `[…]`, `{…}` or `null`; a macro cannot read `N`",
        ),
        (r#""a", values = { a: 3u8 }"#, "value-suffix", "a data value has no suffix: write `3`"),
        (r#""a", values = { a: None }"#, "value-none", "write `null`"),
        (r#""a", values = { a.b: 1, a: { b: 2 } }"#, "value-twice", "key `a.b` is given twice"),
        (r#""a", values = { a: 1, a: 2 }"#, "value-twice", "key `a` is given twice"),
        (
            r#""a", values = { a: 99999999999999999999 }"#,
            "value-range",
            "integer outside 64 bits: write a float or a string",
        ),
        (r#""a", values = { api-key: 1 }"#, "value-dash", "expected `:`; a key with `-` is quoted: `\"api-key\"`"),
        (r#""a", env = { a: 1 }"#, "env-name", "expected the name of a variable, as in `\"APP_A\"`"),
        (r#""a", env = { a: env!("NO") }"#, "env-unset", "the environment variable `NO` is not set for this build"),
        (r#""a", output = "xml""#, "output-unknown", "expected \"yaml\", \"json\" or \"pos\""),
        (r#""a", limits = { step: 1 }"#, "limit-unknown", "unknown limit `step` (did you mean `steps`?)"),
        (
            r#""a", lints = { "overlay::no-efect": "deny" }"#,
            "lint-unknown",
            "no lint has the name `overlay::no-efect` (did you mean `overlay::no-effect`?)",
        ),
        (
            r#""a", lints = { "all": "forbid" }"#,
            "argument-type",
            "`lints` expects a map of lints to \"allow\", \"warn\" or \"deny\"",
        ),
        (r#""a", strict = 1"#, "argument-type", "`strict` expects `true` or `false`"),
        (r#""a", values = { a.x-y-z2: 1 }"#, "value-dash", "expected `:`; a key with `-` is quoted: `a.\"x-y-z2\"`"),
        (
            r#""a", values = { a: { b: 1 } }, env = { a.b: "B" }"#,
            "env-and-values",
            "`a.b` is set by `values` and by `env`; `values` would always win",
        ),
        (r#""a", env = { a: "A", a: "B" }"#, "env-twice", "`a` is given twice"),
        (
            r#""a", env = { a.b: "A" }, env_yaml = { a.b: "B" }"#,
            "env-twice",
            "`a.b` is set by `env` and by `env_yaml`; `env_yaml` would always win",
        ),
        (
            r#""a", env_prefix = "APP""#,
            "env-prefix",
            "a macro takes exact names: `env = { key: \"APP_KEY\" }`; prefixes are for `ytt_build`",
        ),
        (r#""a", values = { v1-2: 1 }"#, "value-dash", "expected `:`; a key with `-` is quoted: `\"v1-2\"`"),
        (r#""a", values = { a 1 }"#, "value-colon", "expected `:`"),
        (r#""a", values = { 1: 1 }"#, "value-key", "expected a key: an identifier or a quoted text"),
        (r#"crate = , "a""#, "crate-path", "expected a path, as in `crate = $crate::ytt_engine`"),
        (r#""a", crate = x"#, "crate-not-first", "`crate = …` comes first"),
        (r#""a", cow = true"#, "argument-form", "`cow` belongs to items, as in `static X: T = data_values(..)`"),
    ];
    for (text, name, message) in cases {
        assert_eq!(errors(text), [(name, message.to_owned())], "{text}");
    }
}

/// The mistake of an item. That of the item behind it is told, too.
fn item_error(item: &str) -> (&'static str, String) {
    let text = format!("{item} pub const LAST: Last = document(\"c\");");
    let mut errors = errors(&text);
    let last = errors.pop();
    assert!(matches!(last, Some(("item-const", _))) && errors.len() == 1, "{text}: {errors:?} {last:?}");
    errors.remove(0)
}

#[test]
fn mistakes_of_items() {
    let cases = [
        (
            "static A: T = manifest(\"c\");",
            "source-unknown",
            "expected `data_values`, `document`, `documents` or `files`",
        ),
        (
            "static A: T = data_value(\"c\");",
            "source-unknown",
            "expected `data_values`, `document`, `documents` or `files` (did you mean `data_values`?)",
        ),
        ("pub const A: T = document(\"c\");", "item-const", "write `static`: constants can read it"),
        ("pub fn a();", "item-unknown", "expected `static`, `mod`, `struct` or `enum`"),
        ("static A: T document(\"c\");", "item-equals", "expected `=` and a source"),
        (
            "mod m = document(\"c\") by kind;",
            "module-source",
            "a module is made of `documents(..) by kind, metadata.name`",
        ),
        (
            "static A: T = document(\"c\") where a = [1];",
            "where-value",
            "expected a text, a number, `true`, `false` or `null`",
        ),
        (
            "static A: T = document(\"c\", rename = { \"9p\": 9 });",
            "rename-name",
            "expected a Rust name, as in `rename = { \"9p\": nine_p }`",
        ),
        ("#[ytt(rename = \"b\")] struct A { a: u8 }", "declared-attribute", "`rename` belongs to fields and variants"),
        ("struct A { #[ytt(name = \"b\")] a: u8 }", "declared-attribute", "expected `#[ytt(rename = \"key\")]`"),
        ("struct A(u8);", "declared-fields", "declare the keys of `A`: `struct A { key: Type, … }`"),
        ("enum A { B = 1 }", "declared-variants", "variants of declared enums have no numbers"),
        ("static A = document(\"c\");", "item-no-type", "expected `:` and a type after `A`"),
        (
            "static A: T = document(\"c\", output = \"json\");",
            "argument-form",
            "`output` belongs to the expression form",
        ),
        ("static A: T = document(\"c\") where a.[0] = 1;", "where-path", "expected a key"),
        (
            "static A: T = document(\"c\") where a == 1;",
            "where-equals",
            "conditions have one `=`, as in `kind = \"Pod\"`",
        ),
        (
            "static A: T = document(\"c\") where a.b-c = 1;",
            "where-equals",
            "expected `=`; a key with `-` is quoted, as in `metadata.\"a-b\" = \"c\"`",
        ),
        (
            "static A: T = document(\"c\", where a = 1);",
            "where-source",
            "`where` stands behind the `)` of `document(…)`",
        ),
        ("static A: T = document(\"c\", values { a: 1 });", "syntax", "expected `=` behind `values`"),
        (
            "static A: T = document(\"c\", values = { a: 'b' });",
            "value-constant",
            "expected a literal, `[…]`, `{…}` or `null`; a macro cannot read `'b'`",
        ),
        (
            "static A: &str = document(\"c\");",
            "item-type",
            "expected a name, `[Name]`, `Value` or `[Value]`; a text is `static X: &str = include_ytt!(…)`",
        ),
        (
            "static A: api::Deployment = document(\"c\");",
            "type-path",
            "a type of yours needs `LazyLock<…>` and `as serde` or `as fields`",
        ),
        (
            "static A: Deployment = document(\"c\") as serde;",
            "as-serde-type",
            "write `LazyLock<Deployment>`: `as serde` fills it at first use",
        ),
        (
            "static A: u16 = document(\"c\");",
            "item-type",
            "`u16` has a meaning already: write a new name for the type of the document, as in `Config`, or `Value`",
        ),
        (
            "static A: LazyLock<T> = files(\"c\") as serde;",
            "as-source",
            "`files` are texts or bytes: they cannot be read `as serde`",
        ),
        (
            "static A: LazyLock<Vec<T>> = documents(\"c\") as fields;",
            "as-source",
            "`as fields` fills one value: use `document(..) where ..`, or `as serde`",
        ),
        ("static A: [T] = data_values(\"c\");", "item-type", "one value: write a name, as in `static CONFIG: Config`"),
        ("struct A { a: &str }", "declared-type", "write `&'static str`: constants live as long as the program"),
        ("struct A<T> { a: T }", "declared-generic", "declared types have no generics"),
        ("static A: T = documents(\"c\");", "item-type", "`documents` is a list: write `[Name]` or `[Value]`"),
        (
            "mod m = documents(\"c\");",
            "module-by",
            "expected `by` and the keys that name the constants, as in `by kind, metadata.name`",
        ),
        (
            "static A: T = data_values(\"c\") where a = 1;",
            "where-source",
            "`where` chooses documents: it goes with `document` and `documents`",
        ),
        ("static A: T = document();", "no-input", "expected a path, as in `document(\"config\")`"),
    ];
    for (item, name, message) in cases {
        assert_eq!(item_error(item), (name, message.to_owned()), "{item}");
    }
}

#[test]
fn an_item_ends() {
    assert_eq!(errors("static A: T = document(\"c\") with;"), [("item-end", "expected `;`".to_owned())]);
}

#[test]
fn items_of_a_builder_have_no_inputs() {
    let tokens = "static A: T = document(\"c\");".parse().unwrap();
    let found: Vec<_> =
        parse_items(tokens).err().unwrap_or_default().into_iter().map(|error| (error.name, error.message)).collect();
    let message = "the builder has the inputs: write `document` without parentheses";
    assert_eq!(found, [("source-inputs", message.to_owned())]);
}

#[test]
fn every_field_is_looked_at() {
    let names: Vec<_> = errors("struct A { a: String, b: u8, c: Box<u8> } enum B { C(String), D { e: u8 }, E }")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["declared-type", "declared-type", "declared-type", "declared-variants"]);
    let names: Vec<_> =
        errors("struct A { a: &'static u16, b: api::Kind, c: Option<u8> }").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["declared-type", "declared-type"]);
    let names: Vec<_> =
        errors("struct A { a: } pub const B: B = document(\"c\");").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["syntax", "item-const"]);
}

#[test]
fn items_are_read() {
    let call = read(
        r#"crate = $crate::ytt;
           /// Doc.
           #[derive(PartialEq)]
           pub(crate) static A: A = data_values("c", rename = { "web.9p": nine }, maps = ["**.labels"], cow = true);
           static B: &'static [B] = documents("c") where kind = "Pod", metadata.labels."a.b"[1] = -2;
           static C: std::sync::LazyLock<Vec<x::C>> = documents("c") as serde;
           static D: [(&str, &[u8])] = files("c");
           pub mod m = documents("c") where a = true by kind, metadata.name;
           pub enum Mode { Dev, #[ytt(rename = "x-y")] Prod(i64) }
           struct S { a: Option<Map<Value>>, #[ytt(rename = "9p")] b: [u8; 2], c: &'static [Mode] }"#,
    )
    .unwrap();
    assert_eq!(call.engine.as_ref().map(|path| path.to_string().replace(' ', "")).as_deref(), Some("$crate::ytt"));
    let Form::Items(items) = &call.form else { panic!("items") };
    let [
        Item::Static(a),
        Item::Static(b),
        Item::Static(c),
        Item::Static(d),
        Item::Module(m),
        Item::Declared(mode),
        Item::Declared(s),
    ] = &items[..]
    else {
        panic!("{items:?}")
    };
    assert_eq!((a.source.kind, a.source.arguments.cow), (SourceKind::DataValues, true));
    assert_eq!(a.source.arguments.rename[0].key, ["web.9p"]);
    assert!(matches!(&b.ty, Written::List(Some(name), _) if name == "B"));
    let conditions: Vec<String> = b.conditions.iter().map(Condition::text).collect();
    assert_eq!(conditions, ["kind = \"Pod\"", "metadata.labels.\"a.b\"[1] = -2"]);
    assert!(matches!(&c.ty, Written::Lazy { is_list: true, .. }) && c.reading == Reading::Serde);
    assert!(matches!(&d.ty, Written::Files(true, _)));
    let by: Vec<String> = m.by.iter().map(YamlPath::text).collect();
    assert_eq!((by, m.conditions.len()), (vec!["kind".to_owned(), "metadata.name".to_owned()], 1));
    assert!(matches!(&mode.body, DeclaredBody::Enum(variants) if variants[1].rename.as_deref() == Some("x-y")));
    assert!(matches!(&s.body, DeclaredBody::Struct(fields) if matches!(fields[1].ty, FieldType::Array(_, 2))));
}

/// Texts that nest by so many levels what a call may nest, each in a way of its own.
fn nested(levels: usize) -> Vec<String> {
    let of = |start: &str, open: &str, inside: &str, close: &str, end: &str| {
        format!("{start}{}{inside}{}{end}", open.repeat(levels), close.repeat(levels))
    };
    vec![
        of("\"c\", values = { a: ", "[", "1", "]", " }"),
        of("\"c\", values = ", "{ a: ", "1", "}", ""),
        of("", "concat!(", "\"a\"", ")", ""),
        of("static A: ", "&", "T", "", " = document(\"c\");"),
        of("static A: ", "[", "T", "]", " = document(\"c\");"),
        of("static A: ", "Vec<", "T", ">", " = document(\"c\");"),
        of("static A: ", "X<u8, ", "T", ">", " = document(\"c\");"),
        of("static A: ", "fn() -> ", "T", "", " = document(\"c\");"),
        of("struct A { a: ", "Option<", "u8", ">", " }"),
        of("struct A { a: [u8; ", "!", "1", "", "] }"),
        of("struct A { a: [u8; ", "if 1 {} else ", "{}", "", "] }"),
        of("#[", "a(", "", ")", "] struct A { a: u8 }"),
    ]
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    for text in nested(5_000) {
        assert_eq!(errors(&text), [("too-deep", "this is nested too deeply".to_owned())], "{}", &text[..40]);
        let _ = is_items(text.parse().expect("tokens"));
    }
    // What is not refused needs less than half of the stack that the compiler has.
    let near = || {
        for text in nested(30) {
            assert!(errors(&text).iter().all(|(name, _)| *name != "too-deep"), "{}", &text[..40]);
        }
        for levels in 31..=80 {
            nested(levels).iter().for_each(|text| drop(errors(text)));
        }
    };
    let thread = std::thread::Builder::new().stack_size(4 << 20).spawn(near).expect("a thread");
    thread.join().expect("no overflow, which would end the process");
    let many = "/// A text, of which there are many.\n#[derive(Clone)] struct A { a: u8, b: Vec<u8> }\n".repeat(1_000);
    assert!(errors(&many).iter().all(|(name, _)| *name != "too-deep"));
    let list = format!("\"c\", values = {{ a: [{}] }}", "-1, ".repeat(5_000));
    assert!(read(&list).is_ok());
}
