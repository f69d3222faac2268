//! Modules that turn text into text or values: base64, json, md5, regexp, sha256, toml, url, yaml.

use super::{check, run};

#[test]
fn base64() {
    check(&[
        (r#"base64.encode("é")"#, r#""w6k=""#),
        (r#"base64.decode("w6k=")"#, r#""é""#),
        (r#"base64.decode("//8=") == "\xff\xff""#, "True"),
        (r#"base64.encode("\xff\xfe", url=True, raw=True)"#, r#""__4""#),
        (r#"base64.encode("a", urll=True)"#, r#""YQ==""#),
        (r#"base64.encode()"#, "! base64.encode: expected exactly one argument"),
        (r#"base64.encode(1)"#, "! base64.encode: expected a string, but was int"),
        (r#"base64.decode("é")"#, "! base64.decode: illegal base64 data at input byte 0"),
        (r#"base64.decode("!", url=1)"#, "! base64.decode: expected starlark.Bool, but was starlark.Int"),
        (r#"base64.encode"#, "<built-in function base64.encode>"),
        (r#"base64.nope"#, "! module has no .nope field or method"),
    ]);
}

#[test]
fn digests() {
    check(&[
        (r#"md5.sum("é")"#, r#""66ddcd97cfdeabb2f6fb8a999b4bc76f""#),
        (r#"md5.sum("\xff")"#, r#""00594fd4f42ba43fc1ca0427a0576295""#),
        (r#"sha256.sum("é")"#, r#""4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c""#),
        (r#"sha256.sum("\xff")"#, r#""a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89""#),
        (r#"md5.sum("a", "b")"#, "! md5.sum: expected exactly one argument"),
        (r#"sha256.sum(None)"#, "! sha256.sum: expected a string, but was NoneType"),
    ]);
}

#[test]
fn json() {
    check(&[
        (
            r#"json.encode({"b": [1, 2.5, None], "a": "é<&>"})"#,
            r#""{\"a\":\"é\\u003c\\u0026\\u003e\",\"b\":[1,2.5,null]}""#,
        ),
        (r#"json.encode("<", escape_html=False)"#, r#""\"<\"""#),
        (r#"json.encode("\xff")"#, r#""\"\\ufffd\"""#),
        (r#"json.encode(map(), indent=2)"#, r#""{\n  \"a\": 1,\n  \"b\": [\n    \"é\"\n  ]\n}""#),
        (r#"json.encode((1, 1.0, set([2])))"#, r#""[1,1,[2]]""#),
        (r#"json.encode(empty())"#, r#""null""#),
        (r#"json.encode({1: 2})"#, "! json.encode: Expected key to be string"),
        (r#"json.encode(1, indnet=2)"#, "! json.encode: invalid argument name: indnet"),
        (r#"json.encode(1, indent=9)"#, "! json.encode: indent value must be between 0 and 8"),
        (r#"json.encode(1, indent=True)"#, "! json.encode: expected starlark.Int"),
        (r#"json.encode(float("nan"))"#, "! json.encode: json: unsupported value: NaN"),
        (
            r#"json.encode(ip.parse_addr("1.2.3.4"))"#,
            "! json.encode: Unable to convert value: @ytt:ip.addr does not automatically encode (hint: use .string())",
        ),
        (r#"json.decode("{\"b\":1,\"a\":[\"é\",1.5],\"b\":2}")"#, r#"{"a": ["é", 1.5], "b": 2}"#),
        (r#"type(json.decode("1"))"#, r#""float""#),
        (r#"json.decode("\"\xff\"")"#, "\"\u{fffd}\""),
        (r#"json.decode("")"#, "! json.decode: unexpected end of JSON input"),
        (r#"json.decode("[1,]")"#, "! json.decode: invalid character ']' looking for beginning of value"),
        (r#"json.decode("é")"#, "! json.decode: invalid character 'Ã' looking for beginning of value"),
    ]);
}

#[test]
fn yaml() {
    check(&[
        (r#"yaml.encode({"a": [1, "é"]})"#, r#""a:\n- 1\n- é\n""#),
        (r#"yaml.encode("\xff")"#, r#""!!binary /w==\n""#),
        (r#"yaml.encode(None) + yaml.encode(empty()) + yaml.encode({})"#, r#""{}\n""#),
        (r#"yaml.encode(documents())"#, r#""1\n---\n2\n""#),
        (r#"yaml.encode([documents()])"#, "! yaml.encode: a document set cannot be an item of a list"),
        (r#"yaml.encode({(1, 2): 1}, indent=4)"#, r#""? - 1\n  - 2\n: 1\n""#),
        (r#"yaml.decode("é: [1, 1.0, ~, 2001-01-01]\n")"#, r#"{"é": [1, 1, None, "2001-01-01"]}"#),
        (r#"yaml.decode("!!binary /w==") == "\xff""#, "True"),
        (r#"yaml.decode("a: #@ 1")"#, r#"{"a": None}"#),
        (r#"yaml.decode("")"#, "None"),
        (r#"yaml.decode("---")"#, "None"),
        (r##"yaml.decode("# c\n---\na: 1\n")"##, r#"{"a": 1}"#),
        (r#"yaml.decode("a: 1\n---\nb: 1\n")"#, "! yaml.decode: Expected to find exactly one YAML document"),
        (r#"yaml.decode("a: 1\na: 2\n")"#, "! yaml.decode: Unexpected duplicate key: a"),
        (r#"yaml.decode("1: a\nb: c\n1.0: d\n")"#, r#"{1: "d", "b": "c"}"#),
        (r#"yaml.decode("[1]: a")"#, "! yaml.decode: map key must be a scalar"),
        (r#"yaml.decode("18446744073709551615")"#, "18446744073709551615"),
        (r#"yaml.decode(1)"#, "! yaml.decode: expected a string, but was int"),
    ]);
}

#[test]
fn toml() {
    check(&[
        (r#"toml.encode({"b": {"é": 1}, "a": "x"})"#, r#""a = \"x\"\n\n[b]\n  \"é\" = 1\n""#),
        (r#"toml.encode({"b": {"c": {"d": 1}}}, indent=4) == "[b]\n    [b.c]\n        d = 1\n""#, "True"),
        (r#"toml.encode({"a": "\xff"}) == "a = \"\xff\"\n""#, "True"),
        (r#"toml.encode(map())"#, r#""a = 1\nb = [\"é\"]\n""#),
        (r#"toml.encode(None)"#, "! toml.encode: toml: top-level values must be Go maps or structs"),
        (r#"toml.encode({}, foo=1)"#, "! toml.encode: invalid argument name: foo"),
        (r#"toml.encode({"a": [None]})"#, "! toml.encode: toml: cannot encode array with nil element"),
        (
            r#"toml.decode("b = 1\na.\"é\" = [1.0, true]\n[[c]]\nd = 'x'\n")"#,
            r#"{"a": {"é": [1, True]}, "b": 1, "c": [{"d": "x"}]}"#,
        ),
        (r#"toml.decode("a = \xff")"#, r#"! toml.decode: toml: line 1: invalid UTF-8 byte: 0xff"#),
        (
            r#"toml.decode("a = 1\na = 2")"#,
            r#"! toml.decode: toml: line 2 (last key "a"): Key 'a' has already been defined."#,
        ),
        (
            r#"toml.decode("x = 0\na = 2001-01-01")"#,
            "! toml.decode: toml: line 2: date-times are not supported (hint: quote the value)",
        ),
        (r#"toml.decode("a=[1]\na=2")"#, r#"{"a": 2}"#),
    ]);
}

#[test]
fn loose_toml_is_taken_with_a_warning() {
    let warnings = run("#@ toml.decode(\"x=1\\na=[1]\\na=2\\nb.c=1\\nb=2\\nd=[{e.f=1}]\")\n").warnings;
    let texts: Vec<&str> = warnings.iter().map(|warning| warning.message()).collect();
    assert_eq!(
        texts,
        [
            "toml.decode: line 3 is not valid TOML: a key is set again after an array",
            "toml.decode: line 5 is not valid TOML: a value is dropped, since keys below it were set before",
            "toml.decode: line 6 is not valid TOML: a dotted key in an array of inline tables keeps its last part only",
        ]
    );
}

#[test]
fn url() {
    check(&[
        (r#"url.path_segment_encode("a/é +")"#, r#""a%2F%C3%A9%20+""#),
        (r#"url.path_segment_decode("%C3%A9+") + url.query_param_value_decode("+%2b")"#, r#""é+ +""#),
        (r#"url.path_segment_decode("%ff") == "\xff""#, "True"),
        (r#"url.query_param_value_encode("\xff ~")"#, r#""%FF+~""#),
        (r#"url.query_param_value_decode("a%zz")"#, r#"! url.query_param_value_decode: invalid URL escape "%zz""#),
        (r#"url.query_params_encode({"b": ["é", "2"], "a": [""], "c": []})"#, r#""a=&b=%C3%A9&b=2""#),
        (
            r#"url.query_params_encode({"b": "x"})"#,
            "! url.query_params_encode: expected map value to be array, but was string",
        ),
        (
            r#"url.query_params_encode([])"#,
            "! url.query_params_encode: expected argument to be a map, but was []interface {}",
        ),
        (r#"url.query_params_decode("b=1;a&b=%C3%A9")"#, r#"{"a": [""], "b": ["1", "é"]}"#),
        (r#"url.parse("http://u:p%40@h:8/é?q#f").string()"#, r#""http://u:p%40@h:8/%C3%A9?q#f""#),
        (r#"url.parse("//u:p@[::1]:8/").hostname()"#, r#""::1""#),
        (r#"[url.parse("//u:p%40@h").user.name, url.parse("//u:p%40@h").user.password]"#, r#"["u", "p@"]"#),
        (
            r#"[url.parse("//u@h").user.string(), url.parse("//u@h").user.password, url.parse("//h").user]"#,
            r#"["u", None, None]"#,
        ),
        (r#"url.parse("//u@h/x").without_user().without_user().string()"#, r#""//h/x""#),
        (
            r#"[type(url.parse("x")), type(url.parse("//u@h").user), str(url.parse("x"))]"#,
            r#"["@ytt:url.value", "@ytt:url.user", "struct(...)"]"#,
        ),
        (r#"url.parse(":x")"#, r#"! url.parse: parse ":x": missing protocol scheme"#),
        (r#"url.parse("x").string(1)"#, "! url.value.string: expected no argument"),
    ]);
}

#[test]
fn regexp() {
    check(&[
        (r#"regexp.match("é+$", "caéé")"#, "True"),
        (r#"regexp.match("^a", "ba")"#, "False"),
        (r#"regexp.replace("(?P<x>é)|b", "aéb\xff", "<$x>") == "a<é><>\xff""#, "True"),
        (r#"regexp.replace("a.", "abac", lambda m: m.upper())"#, r#""ABAC""#),
        (r#"regexp.replace(".", "\xff", lambda m: "x" if m == "\xff" else "y")"#, r#""x""#),
        (r#"regexp.replace("a", "b", 1)"#, "! regexp.replace: expected a string, but was int"),
        (r#"regexp.replace("a", "a", lambda m: 1)"#, "! regexp.replace: expected a string, but was int"),
        (r#"regexp.replace("a", "a", boom)"#, "! regexp.replace: fail: boom"),
        (r#"regexp.replace("(", 1, "")"#, "! regexp.replace: error parsing regexp: missing closing ): `(`"),
        (r#"regexp.match("[é", "")"#, "! regexp.match: error parsing regexp: missing closing ]: `[é`"),
        (r#"regexp.match("a")"#, "! regexp.match: expected exactly two arguments"),
        (r#"regexp.replace("a", "b")"#, "! regexp.replace: expected exactly 3 arguments"),
    ]);
}
