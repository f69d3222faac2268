//! Modules that make and test values: assert, ip, math, module, struct, version.

use super::{check, run, run_within};
use crate::diag::Code;
use crate::limits::Limits;

#[test]
fn assert_equals() {
    check(&[
        (r#"assert.equals([1, "é"], (1.0, "é"))"#, "None"),
        (r#"assert.equals(struct.make(a=1), {"a": 1})"#, "None"),
        (r#"assert.equals("\xff", "\xff")"#, "None"),
        (r#"assert.equals(empty(), None)"#, "None"),
        (
            r#"assert.equals({"a": 1}, "é")"#,
            r"! assert.equals: Not equal:
(expected type: dict)
a: 1


(was type: string)
é
",
        ),
        (r#"assert.equals(1)"#, "! assert.equals: got 1 arguments, want 2"),
        (
            r#"assert.equals(len, 1)"#,
            "! assert.equals: expected argument not to be a function, but was *starlark.Builtin",
        ),
        (
            r#"assert.equals(1, boom)"#,
            "! assert.equals: expected argument not to be a function, but was *starlark.Function",
        ),
    ]);
}

#[test]
fn assert_fail_and_try_to() {
    check(&[
        (r#"assert.fail("é")"#, "! assert.fail: fail: é"),
        (r#"assert.fail(1)"#, "! assert.fail: expected a string, but was int"),
        (r#"assert.fail()"#, "! assert.fail: got 0 arguments, want 1"),
        (r#"assert.try_to(lambda: 1)"#, "(1, None)"),
        (r#"assert.try_to(boom)"#, r#"(None, "fail: boom")"#),
        (r#"assert.try_to(lambda: assert.fail("x"))"#, r#"(None, "assert.fail: fail: x")"#),
        (r#"assert.try_to(lambda x: 1)"#, r#"(None, "function lambda missing 1 argument (x)")"#),
        (r#"assert.try_to(1)"#, "! assert.try_to: expected argument to be a function, but was starlark.Int"),
    ]);
}

#[test]
fn budgets_of_the_render_cannot_be_caught_and_depth_can() {
    let mut limits = Limits::build();
    limits.steps = Some(20_000);
    let endless = "#@ def count():\n#@   for x in range(1 << 30):\n#@     str(x)\n#@   end\n#@ end\n";
    let outcome = run_within(limits, &format!("{endless}#@ assert.try_to(count)\n#@ print(\"went on\")\n"));
    assert!(outcome.printed.is_empty());
    assert_eq!(outcome.documents.unwrap_err().0[0].code(), Code::LIMIT_BUDGET);
    let mut limits = Limits::build();
    limits.memory = Some(1 << 20);
    let doubling = "#@ x = []\n#@ for i in range(64):\n#@   x = [x, x]\n#@ end\n";
    let outcome = run_within(limits, &format!("{doubling}#@ assert.try_to(lambda: json.encode(x))\n"));
    assert_eq!(outcome.documents.unwrap_err().0[0].code(), Code::LIMIT_BUDGET);
    check(&[
        (r#"json.decode("[" * 1001 + "]" * 1001)"#, "! json.decode: nesting is deeper than 1000 levels"),
        (r#"yaml.decode("[" * 1001 + "]" * 1001)"#, "! yaml.decode: nesting is deeper than 1000 levels"),
        (r#"toml.decode("a=" + "[" * 1001 + "]" * 1001)"#, "! toml.decode: nesting is deeper than 1000 levels"),
    ]);
}

#[test]
fn assertion_objects() {
    check(&[
        (
            r#"[type(assert.min(1)), str(assert.min(1)), dir(assert.min(1))]"#,
            r#"["@ytt:assert.assertion", "struct(...)", ["check"]]"#,
        ),
        (r#"[type(assert.min(1).check), str(assert.min(1).check)]"#, r#"["function", "<function lambda>"]"#),
        (r#"str(assert.one_not_null().check)"#, r#""<built-in function assert.one_not_null>""#),
        (
            r#"yaml.encode(assert.not_null())"#,
            "! yaml.encode: Unable to convert value: @ytt:assert.assertion does not encode (did you mean to call check()?)",
        ),
        (r#"assert.min(1).check(val=1.0)"#, "True"),
        (r#"assert.min(1.5).check(1)"#, "! fail: value < 1.5"),
        (r#"assert.min((1, "é")).check([1, "z"])"#, r#"! fail: value < [1, "é"]"#),
        (r#"assert.max("a").check("b")"#, "! fail: value > a"),
        (r#"assert.max("\xff").check("é")"#, "True"),
        (r#"assert.min(1).check("a")"#, "! string >= int not implemented"),
        (r#"assert.min(1).check(boom)"#, "! yaml.encode: unknown type function for conversion to a value"),
        (r#"assert.min(1).check()"#, "! function lambda missing 1 argument (val)"),
        (r#"assert.min(1).check(1, 2)"#, "! function lambda accepts 1 positional argument (2 given)"),
        (r#"assert.min(1).check(v=1)"#, "! function lambda got an unexpected keyword argument \"v\""),
        (r#"assert.min_len(2).check("é")"#, "True"),
        (r#"assert.max_len(1.9).check([1, 2])"#, "! fail: length = 2"),
        (r#"assert.max_len(1).check("\xff")"#, "True"),
        (r#"assert.min_len(1).check(1)"#, "! len: value of type int has no len"),
        (r#"assert.min_len("1")"#, "! assert.min_len: expected value to be an number, but was string"),
        (r#"assert.max_len(1 << 90).check([])"#, "True"),
        (r#"assert.not_null().check(None)"#, "! fail: value is null"),
        (r#"[assert.not_null(1), assert.not_null().check(value=0)]"#, "[True, True]"),
        (r#"assert.not_null(None)"#, "! assert.not_null: fail: value is null"),
        (r#"assert.not_null(1, 2)"#, "! assert.not_null: got 2 arguments, want at most 1"),
    ]);
}

#[test]
fn assertions_on_collections() {
    check(&[
        (r#"assert.one_of(1, "é").check("é")"#, "True"),
        (r#"assert.one_of([1.0, (2,)]).check([2])"#, "True"),
        (r#"assert.one_of({"a": 1}).check("a")"#, "True"),
        (r#"assert.one_of(array()).check({"x": 2})"#, "True"),
        (r#"assert.one_of([1]).check(2)"#, "! fail: not one of allowed values"),
        (r#"assert.one_of("a")"#, "! assert.one_of: expected a sequence, but was a 'string'"),
        (r#"assert.one_of()"#, "! assert.one_of: got 0 arguments, want at least 1"),
        (r#"assert.one_not_null().check({"a": 1, "b": None})"#, "True"),
        (r#"assert.one_not_null(["a", "é"]).check({"é": 1, "c": 1})"#, "True"),
        (r#"assert.one_not_null().check(map())"#, r#"! check: ["a", "b"] are not null"#),
        (r#"assert.one_not_null().check({})"#, "! check: value is empty"),
        (r#"assert.one_not_null(True).check({"a": None})"#, "! check: all values are null"),
        (r#"assert.one_not_null().check([1])"#, "! check: value must be a map or dict, but was 'list'"),
        (r#"assert.one_not_null(False)"#, "! assert.one_not_null: one_not_null() cannot be False"),
        (r#"assert.one_not_null(1)"#, "! assert.one_not_null: expected a sequence of keys, but was a 'int'"),
    ]);
}

#[test]
fn ip() {
    check(&[
        (r#"ip.parse_addr("::FFFF:1.2.3.4").string()"#, r#""1.2.3.4""#),
        (r#"[ip.parse_addr("::1").is_ipv4(), ip.parse_addr("::1").is_ipv6()]"#, "[False, True]"),
        (r#"[x.string() for x in ip.parse_cidr("10.1.2.3/8")]"#, r#"["10.1.2.3", "10.0.0.0/8"]"#),
        (r#"ip.parse_cidr("2001:db8::1/32")[1].addr().string()"#, r#""2001:db8::""#),
        (r#"[type(x) for x in ip.parse_cidr("::/0")]"#, r#"["@ytt:ip.addr", "@ytt:ip.net"]"#),
        (r#"ip.parse_addr("é")"#, "! ip.parse_addr: invalid IP address: é"),
        (r#"ip.parse_addr("\xff")"#, "! ip.parse_addr: invalid IP address: \u{fffd}"),
        (r#"ip.parse_cidr("1.2.3.4")"#, "! ip.parse_cidr: invalid CIDR address: 1.2.3.4"),
        (r#"ip.parse_addr("::1").string(1)"#, "! ip.addr.string: expected no argument"),
    ]);
}

#[test]
fn math() {
    check(&[
        (
            r#"[math.ceil(1.2), math.floor(-1.2), math.ceil(1 << 80), type(math.floor(2.0))]"#,
            r#"[2, -2, 1208925819614629174706176, "int"]"#,
        ),
        (r#"[math.floor(1e30), math.ceil(-1e19)]"#, "[1000000000000000019884624838656, -10000000000000000000]"),
        (r#"[math.round(2.5), math.round(-0.5), type(math.round(1))]"#, r#"[3, -1, "float"]"#),
        (r#"[math.mod(-7, 3), math.remainder(7, 4), math.pow(2, 10), math.sqrt(-1)]"#, "[-1, -1, 1024, NaN]"),
        (
            r#"[math.degrees(math.pi), math.radians(180) == math.pi, math.log(8, 2), math.log(math.e)]"#,
            "[180, True, 3, 1]",
        ),
        (
            r#"[math.copysign(1, -2), math.hypot(3, 4), math.fabs(-1), math.atan2(0, 1), math.gamma(5)]"#,
            "[-1, 5, 1, 0, 24]",
        ),
        (r#"math.sin("é")"#, "! sin: expected float value, but was starlark.String"),
        (r#"math.sin("\xff")"#, "! sin: expected float value, but was starlark.String"),
        (r#"math.sin()"#, "! sin: expected exactly one argument"),
        (r#"math.pow(1)"#, "! pow: expected exactly two arguments"),
        (r#"math.ceil(float("nan"))"#, "! ceil: cannot convert float NaN to integer"),
        (r#"math.floor(float("inf"))"#, "! floor: cannot convert float infinity to integer"),
        (r#"math.ceil()"#, "! ceil: got 0 arguments, want 1"),
        (r#"math.log()"#, "! log: got 0 arguments, want at least 1"),
        (r#"math.mod"#, "<built-in function mod>"),
    ]);
    let warnings = run("#@ math.sin(1)\n#@ math.cos(1)\n").warnings;
    assert_eq!(warnings.len(), 1);
}

#[test]
fn modules() {
    check(&[
        (r#"module.make("m", a=1, name=2).name"#, "2"),
        (r#"str(module.make("a\"é"))"#, r#""<module \"a\\\"é\">""#),
        (r#"str(module.make("\xff"))"#, r#""<module \"\\xff\">""#),
        (r#"dir(module.make("m", b=1, a=2))"#, r#"["a", "b"]"#),
        (r#"module.make()"#, "! module.make: got 0 arguments, want 1"),
        (r#"module.make(1)"#, "! module.make: for parameter 1: got int, want string"),
    ]);
}

#[test]
fn structs() {
    check(&[
        (r#"dict(**{"é": struct.make(b=1, a=[]).b})"#, r#"{"é": 1}"#),
        (r#"[x for x in struct.make(b=1, a=2)]"#, r#"["b", "a"]"#),
        (r#"struct.make(a="\xff")["a"] == "\xff""#, "True"),
        (
            r#"struct.make(1)"#,
            "! struct.make: unexpected positional arguments (structs are made from keyword arguments only)",
        ),
        (r#"struct.bind(lambda a, b, c=0: [a, b, c], 1)(2, c=3)"#, "[1, 2, 3]"),
        (r#"str(struct.bind(1, 2))"#, r#""<built-in function struct.bind_result>""#),
        (r#"struct.bind(1, 2)()"#, "! struct.bind_result: invalid call of non-function (int)"),
        (r#"struct.bind(1)"#, "! struct.bind: expected at least two arguments"),
        (r#"struct.bind(boom, 1)()"#, "! struct.bind_result: fail: boom"),
        (r#"struct.make_and_bind("é", f=lambda self, x: self + x, g=1).f("a")"#, r#""éa""#),
        (r#"struct.make_and_bind()"#, "! struct.make_and_bind: expected at exactly one argument"),
        (r#"struct.encode({"a": [{"é": 1}]}).a[0]["é"]"#, "1"),
        (r#"struct.decode(struct.make(a=struct.make(b=(1, 2))))"#, r#"{"a": {"b": [1, 2]}}"#),
        (r#"struct.encode({1: 2})"#, "! struct.encode: expected struct key 1 to be string"),
        (r#"struct.decode([map()])"#, "! struct.decode: unknown type yamlfragment for conversion to starlark value"),
    ]);
}

#[test]
fn version() {
    check(&[
        (r#"version.require_at_least("0.48.0")"#, "None"),
        (
            r#"version.require_at_least("1.0.0")"#,
            "! version.require_at_least: ytt version '0.48.0' does not meet the minimum required version '1.0.0'",
        ),
        (r#"version.require_at_least("é")"#, "! version.require_at_least: version string 'é' must be a valid semver"),
        (
            r#"version.require_at_least("\xff")"#,
            "! version.require_at_least: version string '\u{fffd}' must be a valid semver",
        ),
        (r#"version.require_at_least(1)"#, "! version.require_at_least: expected a string, but was int"),
    ]);
}

#[test]
fn groups_with_more_of_a_name_behind_their_number_give_a_warning() {
    for (pattern, replacement, is_told) in [
        ("(a)", "$1_b", true),
        ("(a)", "${1b}", true),
        ("(a)", "${1}_b", false),
        ("(a)", "$1-b", false),
        ("(a)", "$$1_b", false),
        ("(a)", "$2_b", false),
        ("(a)", "$01_b", false),
        ("(a)", "$b", false),
        ("(?P<_1>a)", "$_1", false),
    ] {
        let warnings = run(&format!("#@ regexp.replace(\"{pattern}\", \"a\", \"{replacement}\")\n")).warnings;
        let codes: Vec<&str> = warnings.iter().map(|warning| warning.code().as_str()).collect();
        let expected: &[&str] = if is_told { &["module::no-such-group"] } else { &[] };
        assert_eq!(codes, expected, "{pattern} {replacement}");
    }
}

#[test]
fn ignored_arguments_give_a_warning() {
    let warnings = run("#@ base64.encode(\"a\", urll=True)\n").warnings;
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].message(), "base64.encode: argument `urll` is ignored");
    // It stands at its own call, whatever that one calls before it ends.
    let code = "#@ def inner():\n#@   return json.encode(1)\n#@ end\n#@ assert.try_to(lambda: inner(), idle=1)\n";
    let warnings = run(code).warnings;
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].message(), "assert.try_to: argument `idle` is ignored");
    let place = warnings[0].parts().labels[0].span.start as usize;
    let whole = super::with_modules(code);
    assert_eq!(&whole[place..place + 4], "idle");
}
