//! Calls as people write them, right and wrong.

use super::*;

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
        r#""config", concat!("over", "lays/", 1), env!("HOME"),
           values = { replicas: 3, image.tag: "1.2", "app.kubernetes.io/name": null, list: [1, -2.5, true], image: { pull: false } },
           output = "json", strict = true, values_file = "v.yml", file_marks = ["a:exclude=true"],
           limits = { steps: 10 }, env = { a.b: "A_B" },"#,
    )
    .unwrap();
    let inputs: Vec<&str> = call.inputs.iter().map(|text| text.value.as_str()).collect();
    assert_eq!(inputs, ["config", "overlays/1", "/home/u"]);
    let arguments = call.arguments;
    assert_eq!((arguments.output, arguments.strict), (Output::Json, true));
    assert_eq!(arguments.values_file[0].value, "v.yml");
    assert_eq!(arguments.limits[0].value, 10);
    assert_eq!(arguments.env[0].0, ["a", "b"]);
    let values = arguments.values.unwrap();
    let keys: Vec<&str> = values.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["replicas", "image", "app.kubernetes.io/name", "list"]);
    let CallValue::Map(image) = &values.entries[1].value else { panic!("image is a map") };
    let keys: Vec<&str> = image.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["tag", "pull"]);
}

#[test]
fn every_mistake_has_its_name_and_text() {
    let cases = [
        ("", "no-input", "expected a path, as in `include_ytt!(\"config\")`"),
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
        (r#""a", values = { api-key: 1 }"#, "value-dash", "expected `:`; other keys are quoted: `\"api-…\"`"),
        (r#""a", env = { a: 1 }"#, "env-name", "expected the name of a variable, as in `\"APP_A\"`"),
        (r#""a", output = "xml""#, "output-unknown", "expected \"yaml\", \"json\" or \"pos\""),
        (r#""a", limits = { step: 1 }"#, "limit-unknown", "unknown limit `step` (did you mean `steps`?)"),
        (r#""a", strict = 1"#, "argument-type", "`strict` expects `true` or `false`"),
    ];
    for (text, name, message) in cases {
        assert_eq!(errors(text), [(name, message.to_owned())], "{text}");
    }
}
