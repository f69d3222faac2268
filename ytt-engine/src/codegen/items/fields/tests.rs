//! What is written for each kind of value; that it is what `tests/fields.rs` tries; and that it is Rust for any document.

use proc_macro2::Delimiter;

use super::super::{Expanded, Place, expand};
use super::*;
use crate::codegen::call::{self, Form, Item, canonical};
use crate::codegen::plan::Failure;
use crate::codegen::types::layout::{Layout, Renames};
use crate::codegen::types::pattern::Patterns;
use crate::codegen::types::shape::{Observer, Part};
use crate::yaml::DocumentSet;
use crate::{Limits, Project};

/// The expansion of an item whose source is this project.
fn expansion(project: &Project, item: &str, place: Place) -> Result<Expanded, Vec<String>> {
    let parsed = call::parse(item.parse().unwrap(), &|_| None).unwrap();
    let Form::Items(items) = parsed.form else { panic!("an item") };
    assert!(matches!(&items[..], [Item::Static(_)]));
    let rendered = |_: &_| Ok::<_, Failure>(project.render().unwrap());
    expand(&items, place, &rendered)
        .map_err(|failure| failure.reports.into_iter().map(|report| report.text).collect::<Vec<_>>())
}

/// The expansion of a constant that is filled from a document.
fn of(yaml: &str, source: &str) -> Result<TokenStream, Vec<String>> {
    let item = format!("pub static A: LazyLock<my::T> = {source} as fields;");
    let project = Project::new().file("a.yml", yaml);
    expansion(&project, &item, Place::Macro).map(|expanded| expanded.tokens)
}

/// The words of a static from its name on.
fn words(tokens: TokenStream, name: &str) -> Option<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
    let start = tokens.windows(2).position(|pair| is(&pair[0], "static") && is(&pair[1], name));
    let Some(start) = start else {
        return tokens.into_iter().find_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => words(group.stream(), name),
            _ => None,
        });
    };
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    let end = tokens.iter().skip(start).position(is_end).map_or(tokens.len(), |length| start + length);
    Some(canonical(tokens[start..end].iter().cloned().collect()))
}

/// The statements for a document are these; `source` is the item's.
fn check(yaml: &str, source: &str, statements: &str) {
    let plain = if statements.starts_with('{') { "{self as __f, Plain as _}" } else { "as __f" };
    let path = if plain.starts_with('{') { "::" } else { " " };
    let expected = format!(
        "static A: LazyLock<my::T> = <LazyLock<my::T>>::new(|| {{ use ::ytt_engine::constant::fields{path}{plain}; \
         let mut __0 = <my::T as ::core::default::Default>::default(); {statements} __0 }});"
    );
    let found = words(of(yaml, source).unwrap(), "A");
    assert_eq!(found, words(expected.parse().unwrap(), "A"), "{yaml}");
}

const DOCUMENT: &str = "document(\"c\")";

#[test]
fn scalars() {
    let cases = [
        ("true", "__f::YamlBool(true)"),
        ("0", "__f::YamlInt::<0, 0>"),
        ("-129", "__f::YamlInt::<-129, -15>"),
        ("18446744073709551615", "__f::YamlInt::<18446744073709551615, 64>"),
        ("2.5", "__f::YamlFloat(2.5)"),
        ("-1e300", "__f::YamlFloat(-1e300)"),
        // Floats without fraction are integers as far as all of those are floats.
        ("3.0", "__f::YamlInt::<3, 7>"),
        ("0.0", "__f::YamlInt::<0, 0>"),
        ("-9007199254740992.0", "__f::YamlInt::<-9007199254740992, -63>"),
        ("9007199254740994.0", "__f::YamlFloat(9007199254740994.0)"),
        ("-0.0", "__f::YamlFloat(-0.0)"),
        (".inf", "__f::YamlFloat(::core::primitive::f64::INFINITY)"),
        ("-.inf", "__f::YamlFloat(::core::primitive::f64::NEG_INFINITY)"),
        (".nan", "__f::YamlFloat(::core::primitive::f64::NAN)"),
        ("\"a\\\"\\n\"", "__f::YamlText(\"a\\\"\\n\")"),
        ("!!binary /w==", "__f::YamlBytes(b\"\\xff\")"),
        ("null", "__f::YamlNull"),
    ];
    for (yaml, scalar) in cases {
        let statement = format!("{{ let __1 = __f::Slot(&mut __0).slot(); __f::put({scalar}, &mut __1.a); }}");
        check(&format!("a: {yaml}\n"), DOCUMENT, &statement);
        // Documents that hold nothing are not printed.
        if yaml != "null" {
            check(&format!("--- {yaml}\n"), DOCUMENT, &format!("__f::put({scalar}, &mut __0);"));
        }
        let statement = format!("{{ let __1 = __f::list(__f::Slot(&mut __0).slot()); __f::add({scalar}, __1); }}");
        check(&format!("- {yaml}\n"), DOCUMENT, &statement);
        let statement =
            format!("{{ let __1 = __f::map(__f::Slot(&mut __0).slot()); __f::set({scalar}, {scalar}, __1); }}");
        check(&format!("{yaml}: {yaml}\n"), "document(\"c\", maps = [\"**\"])", &statement);
    }
}

#[test]
fn collections() {
    let schema = "#@data/values-schema\n---\n{}\n";
    check(schema, "data_values(\"c\")", "{ let __1 = __f::Slot(&mut __0).slot(); }");
    check(
        "a: {type: x, b: {}}\nc: []\n",
        DOCUMENT,
        "{ let __1 = __f::Slot(&mut __0).slot();
           { let __2 = __f::Slot(&mut __1.a).slot();
             __f::put(__f::YamlText(\"x\"), &mut __2.r#type);
             { let __3 = __f::Slot(&mut __2.b).slot(); } }
           { let __2 = __f::list(__f::Slot(&mut __1.c).slot()); } }",
    );
    check(
        "- [1]\n- {a: 1}\n- []\n",
        DOCUMENT,
        "{ let __1 = __f::list(__f::Slot(&mut __0).slot());
           { let __2 = __f::list(__f::Slot(__f::item(__1)).slot()); __f::add(__f::YamlInt::<1, 7>, __2); }
           { let __2 = __f::Slot(__f::item(__1)).slot(); __f::put(__f::YamlInt::<1, 7>, &mut __2.a); }
           { let __2 = __f::list(__f::Slot(__f::item(__1)).slot()); } }",
    );
    check(
        "- m: {k: [], l: {x: 1}}\n",
        "document(\"c\", maps = [\"m\", \"m.l\"])",
        "{ let __1 = __f::list(__f::Slot(&mut __0).slot());
           { let __2 = __f::Slot(__f::item(__1)).slot();
             { let __3 = __f::map(__f::Slot(&mut __2.m).slot());
               { let __4 = __f::list(__f::Slot(__f::entry(__f::YamlText(\"k\"), __3)).slot()); }
               { let __4 = __f::map(__f::Slot(__f::entry(__f::YamlText(\"l\"), __3)).slot());
                 __f::set(__f::YamlText(\"x\"), __f::YamlInt::<1, 7>, __4); } } } }",
    );
}

#[test]
fn a_map_with_keys_that_are_no_texts_is_no_struct() {
    check(
        "80: {a: 1}\nb: null\n",
        DOCUMENT,
        "{ let __1 = __f::map(__f::Slot(&mut __0).slot());
           { let __2 = __f::Slot(__f::entry(__f::YamlInt::<80, 7>, __1)).slot();
             __f::put(__f::YamlInt::<1, 7>, &mut __2.a); }
           __f::set(__f::YamlText(\"b\"), __f::YamlNull, __1); }",
    );
    let told = of("a:\n  ? [1]\n  : x\n  ? {b: 1}\n  : y\n", DOCUMENT).unwrap_err();
    assert_eq!(
        told,
        [
            "a key in `a` is of type array: `as fields` takes scalars as keys (a.yml:2:5) [call::fields-key]",
            "a key in `a` is of type map: `as fields` takes scalars as keys (a.yml:4:5) [call::fields-key]",
        ]
    );
}

#[test]
fn what_a_condition_says_of_a_document_is_left_out() {
    let yaml = "apiVersion: apps/v1\nkind: Deployment\nname: web\nspec: {kind: x, apiVersion: v1}\n";
    let put = |key: &str, text: &str| format!("__f::put(__f::YamlText(\"{text}\"), &mut __1.{key});");
    let rest = "__f::put(__f::YamlText(\"web\"), &mut __1.name);
        { let __2 = __f::Slot(&mut __1.spec).slot();
          __f::put(__f::YamlText(\"x\"), &mut __2.kind);
          __f::put(__f::YamlText(\"v1\"), &mut __2.api_version); } }";
    let start = "{ let __1 = __f::Slot(&mut __0).slot();";
    let (version, kind) = (put("api_version", "apps/v1"), put("kind", "Deployment"));
    let cases = [
        ("", "", format!("{start} {version} {kind} {rest}")),
        ("", "where apiVersion = \"apps/v1\", kind = \"Deployment\"", format!("{start} {rest}")),
        ("", "where kind = \"Deployment\", name = \"web\"", format!("{start} {version} {rest}")),
        ("", "where spec.kind = \"x\"", format!("{start} {version} {kind} {rest}")),
        (
            ", rename = { kind: r#type }",
            "where kind = \"Deployment\"",
            format!("{start} {version} {} {rest}", put("r#type", "Deployment")),
        ),
    ];
    for (arguments, conditions, expected) in cases {
        check(yaml, &format!("document(\"c\"{arguments}) {conditions}"), &expected);
    }
    // As a map, a document has all of its keys.
    check(
        "kind: x\n",
        "document(\"c\", maps = [\"**\"]) where kind = \"x\"",
        "{ let __1 = __f::map(__f::Slot(&mut __0).slot()); __f::set(__f::YamlText(\"kind\"), __f::YamlText(\"x\"), __1); }",
    );
}

#[test]
fn names_that_cannot_be_fields_are_told_at_once_and_as_elsewhere() {
    let yaml = "web:\n- 9p: 1\n  foo-bar: 1\n- foo_bar: 2\n  9p: 2\n- foo-bar: {self: 3}\n  9p: 1\n";
    let told = of(yaml, DOCUMENT).unwrap_err();
    assert_eq!(
        told,
        [
            "key `web.9p` cannot be a Rust field name; name it with `rename = { \"web.9p\": n9p }` (a.yml:2:3) \
             [call::name-invalid]",
            "keys `web.foo-bar` and `web.foo_bar` both become the field `foo_bar`; rename one with \
             `rename = { \"web.foo_bar\": … }` (a.yml:4:3) [call::name-collision]",
            "key `web.foo-bar.self` cannot be a Rust field name; name it with \
             `rename = { \"web.foo-bar.self\": self_ }` (a.yml:6:13) [call::name-invalid]",
        ]
    );
    // Types that are generated have the same to say.
    for yaml in ["web:\n- 9p: 1\n  foo-bar: 1\n- foo_bar: 2\n", "self: {a: {\"\": 1}, A: 1, \"a.b\": 1, a-b: 1}\n"] {
        let set = DocumentSet::parse("a.yml", yaml.as_bytes()).unwrap();
        let mut part = Part::default();
        Observer::new(&Patterns::default(), 1000).observe(&mut part, set.get(0).unwrap()).unwrap();
        let mut renames = Renames::default();
        let mut layout = Layout::new(&mut renames, false);
        layout.part(&part);
        let mut expected: Vec<String> = layout.problems.into_iter().map(|problem| problem.message).collect();
        let without_place = |text: String| text.rsplit_once(" (").map(|(text, _)| text.to_owned()).unwrap();
        let mut told: Vec<String> = of(yaml, DOCUMENT).unwrap_err().into_iter().map(without_place).collect();
        expected.sort();
        told.sort();
        assert_eq!(told, expected, "{yaml}");
    }
    let renames = "rename = { web.\"9p\": nine_p, \"web.foo-bar\": bar, \"web.foo-bar.self\": own }";
    assert!(of(yaml, &format!("document(\"c\", {renames})")).is_ok());
}

#[test]
fn settings_without_use_are_told() {
    let told = of("a: {b: 1}\n", "document(\"c\", rename = { a.c: d }, maps = [\"b\", \"a\"])").unwrap_err();
    assert_eq!(told, ["no key `a.c` to rename [call::rename-unused]", "no map matches `b` [call::rename-unused]"]);
    // Keys of a map are no part of the path of names.
    let tokens = of("a: {x: {b-c: 1}}\n", "document(\"c\", rename = { \"a.b-c\": d }, maps = [\"a\"])").unwrap();
    assert!(words(tokens, "A").unwrap().contains("& mut __3 . d"));
}

#[test]
fn what_is_too_large_or_too_deep_is_told() {
    let item = "static A: LazyLock<T> = document(\"c\") as fields;";
    let read = |yaml: &str, bytes: u64| {
        let mut limits = Limits::build();
        limits.set("output_bytes", bytes);
        expansion(&Project::new().limits(limits).file("a.yml", yaml), item, Place::Macro)
    };
    let yaml = "a: 1\nb: 2\nc: {d: 3}\n";
    assert!(read(yaml, 10_000).is_ok());
    let told = read(yaml, 100).unwrap_err();
    assert!(told.len() == 1 && told[0].starts_with("output is larger than 100 bytes"), "{told:?}");
    assert!(told[0].ends_with("[call::constant-limit]"), "{told:?}");
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&format!("a: {}", nested(127)), 100_000).is_ok());
    for depth in [128, 998] {
        let told = read(&format!("a: {}", nested(depth)), 100_000).unwrap_err();
        assert!(told.len() == 1 && told[0].starts_with("nesting is deeper than 128 levels"), "{told:?}");
    }
}

#[test]
fn attributes_go_to_the_static() {
    let item = "/// Mine.\n#[cfg(x)] #[derive(Debug)] pub(crate) static A: LazyLock<T> = document(\"c\") as fields;";
    let project = Project::new().file("a.yml", "a: |\n  1\n  2\n");
    let expanded = expansion(&project, item, Place::File).unwrap();
    assert!(expanded.needs_engine && expanded.warnings.is_empty());
    let text = canonical(expanded.tokens.clone());
    let start = "# [ allow ( clippy : : all , clippy : : pedantic , clippy : : nursery , clippy : : restriction , \
                 dead_code , unreachable_pub , unnameable_types ) ] # [ doc = \" Mine.\" ] # [ cfg ( x ) ] pub ( crate ) static A :";
    assert!(text.starts_with(start), "{text}");
    // For people, texts keep their lines.
    assert!(expanded.tokens.to_string().contains("r\"1\n2\n\""), "{}", expanded.tokens);
    let plain = of("a: 1\n", DOCUMENT).unwrap();
    assert!(canonical(plain).contains("# [ doc = \" Rendered by ytt from `c`.\" ] pub static A :"));
}

/// What a test of the whole crate tries is what is generated.
#[test]
fn the_example_by_hand_is_what_is_generated() {
    let file = include_str!("../../../../tests/fields.rs");
    let yaml: String = file
        .lines()
        .skip_while(|line| !line.contains("generated from:"))
        .skip(1)
        .map_while(|line| line.strip_prefix("//"))
        .flat_map(|line| [line.strip_prefix("     ").unwrap_or_default(), "\n"])
        .collect();
    let by_hand: TokenStream = file.parse().unwrap();
    let item =
        "static WEB: LazyLock<Deployment> = document(\"c\", maps = [\"**.labels\", \"**.nodeSelector\"]) as fields;";
    let project = Project::new().file("a.yml", yaml.as_str());
    let generated = expansion(&project, item, Place::Macro).unwrap().tokens;
    assert_eq!(words(generated, "WEB").unwrap(), words(by_hand.clone(), "WEB").unwrap());
    let item = "static PORTS: LazyLock<Vec<ContainerPort>> = document(\"c\") as fields;";
    let project = Project::new().file("a.yml", "- containerPort: -1\n");
    let generated = expansion(&project, item, Place::Macro).unwrap().tokens;
    assert_eq!(words(generated, "PORTS").unwrap(), words(by_hand, "PORTS").unwrap());
}

#[cfg(feature = "pretty")]
mod random {
    use super::*;
    use crate::yaml::NodeRef;

    /// Numbers that only depend on the seed: xorshift.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % end as u64) as usize
        }

        fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
            from[self.below(from.len())]
        }
    }

    const KEYS: &[&str] =
        &["a", "bC", "type", "kind", "apiVersion", "x-y", "é", "_z", "union", "URLs", "n1", "app.io/part-of"];
    const ODD_KEYS: &[&str] =
        &["x_y", "9p", "self", "\"\"", "'*'", "1", "-2", "0.5", ".nan", "null", "true", "[1]", "{}"];
    #[rustfmt::skip]
    const SCALARS: &[&str] = &[
        "1", "-1", "300", "-9223372036854775808", "18446744073709551615", "1.5", "4.0", "-0.0", "1e300", "5e-324",
        ".inf", "-.inf", ".nan", "true", "null", "text", "\"\"", "\"a\\\"}\\n{\\0\"", "'\\'", "é😀", "!!binary /w==",
        "\"\\u202e\\r\\n#\\\"#\"", "\"'\"", "\"*/ //\"",
    ];

    fn yaml(random: &mut Random, depth: usize, odd: bool) -> String {
        let what = if depth == 0 { 0 } else { random.below(4) };
        match what {
            1 | 2 => {
                let mut keys: Vec<&str> = Vec::new();
                for _ in 0..random.below(4) {
                    let key = if odd && random.below(8) == 0 { random.pick(ODD_KEYS) } else { random.pick(KEYS) };
                    if !keys.contains(&key) {
                        keys.push(key);
                    }
                }
                let entry = |key: &str| format!("? {key}\n: {}", yaml(random, depth - 1, odd));
                format!("{{{}}}", keys.into_iter().map(entry).collect::<Vec<_>>().join(", "))
            }
            3 => {
                let items: Vec<String> = (0..random.below(4)).map(|_| yaml(random, depth - 1, odd)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => random.pick(SCALARS).to_owned(),
        }
    }

    /// Scalars as values, and collections.
    fn counted(node: NodeRef<'_>) -> (usize, usize) {
        if !node.is_map() && !node.is_array() {
            return (1, 0);
        }
        let values = node.entries().map(|(_, value)| value).chain(node.items());
        values.map(counted).fold((0, 1), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    #[test]
    fn every_document_gives_rust_or_says_why_not() {
        let (mut good, mut bad) = (0, 0);
        for seed in 1..1000 {
            let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
            let depth = random.below(5);
            let text = format!("--- {}\n", yaml(&mut random, depth, seed % 2 == 0));
            let set = DocumentSet::parse("a.yml", text.as_bytes()).unwrap();
            let source = random.pick(&["document(\"c\")", "document(\"c\", maps = [\"**\"])"]);
            match of(&text, source) {
                Ok(tokens) => {
                    good += 1;
                    let code = canonical(tokens.clone());
                    let count = |word: &str| code.matches(&format!("__f : : {word} (")).count();
                    let (scalars, collections) = counted(set.get(0).unwrap());
                    assert_eq!(count("put") + count("add") + count("set"), scalars, "{text}{code}");
                    assert_eq!(count("Slot"), collections, "{text}{code}");
                    if let Err(error) = syn::parse2::<syn::File>(tokens) {
                        panic!("{error}: {text}{code}");
                    }
                }
                Err(told) => {
                    bad += 1;
                    let is_known = |text: &String| {
                        ["[call::name-invalid]", "[call::name-collision]", "[call::fields-key]"]
                            .iter()
                            .any(|name| text.ends_with(name))
                            || text.starts_with("no document is rendered")
                            || text.starts_with("no map matches `**`")
                    };
                    assert!(told.iter().all(is_known), "{text}{told:?}");
                }
            }
        }
        assert!(good > 500 && bad > 30, "{good} {bad}");
    }
}

/// As `macro_rules!` gives what came as a type.
#[test]
fn a_type_in_a_group_stands_where_its_first_token_does() {
    let group = |tokens: TokenStream| TokenStream::from(TokenTree::Group(Group::new(Delimiter::None, tokens)));
    let place = |tokens: TokenStream| first(&tokens).and_then(|span| span.source_text());
    let ty = || "my::T<u8>".parse::<TokenStream>().unwrap();
    assert_eq!(place(ty()).as_deref(), Some("my"));
    assert_eq!(place(group(group(ty()))).as_deref(), Some("my"));
    assert_eq!(place("(u8, u8)".parse().unwrap()).as_deref(), Some("(u8, u8)"));
    assert!(first(&TokenStream::new()).is_none() && first(&group(TokenStream::new())).is_none());
}
