//! Mistakes: the reference's words at the place where they are.

use super::{compile, shown};

fn check(name: &str, cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let compiled = compile(name, text.as_bytes(), false);
        let problems = compiled.program.map(|program| program.text).expect_err(text);
        assert_eq!(shown(&compiled.sources, &problems.0), *expected, "{text}");
    }
}

#[test]
fn blocks() {
    check(
        "a.star",
        &[
            ("end", &["1:1 unexpected end"]),
            ("x = 1\nx.end", &["2:3 unexpected end"]),
            ("if True:\n x = 1\nelse: x = 2\nelse:", &["4:1 unexpected end"]),
            (
                "x = 1\n def f(a,\nb):\n if True:\n end",
                &["2:2 mismatched set of block openings (if/else/elif/for/def) and closing (end)"],
            ),
            ("if True:\nelse:\n", &["1:1 mismatched set of block openings (if/else/elif/for/def) and closing (end)"]),
            ("x.pass", &["1:3 use of reserved keyword 'pass' is not allowed"]),
            ("x.class", &["1:3 use of reserved keyword 'class' is not allowed (expected identifier)"]),
            (
                "for x in [1]\nend",
                &["1:13 got newline, want ':' (hint: missing colon at the end of 'if/for/def' statement?)"],
            ),
            ("if True:\n x = 1 end", &["2:8 got outdent, want newline"]),
            ("end; x", &["1:1 unexpected end"]),
        ],
    );
}

#[test]
fn expressions() {
    check(
        "a.star",
        &[
            ("x = 1 +", &["1:7 got newline, want primary expression"]),
            ("x = [1\ny = 2", &["1:5 got identifier, want ']'"]),
            ("x = a && b", &["1:7 got '&', want primary expression (hint: use 'and' instead of '&&' for logical-and)"]),
            ("x = a || b", &["1:7 got '|', want primary expression (hint: use 'or' instead of '||' for logical-or)"]),
            ("x = 1 < 2 < 3", &["1:11 < does not associate with < (use parens)"]),
            ("x = 1 if 2", &["1:7 conditional expression without else clause"]),
            ("x = 1, 2,", &["1:9 unparenthesized tuple with trailing comma"]),
            ("x = 'a' 'b'", &["1:9 got string literal, want newline"]),
            ("x = f(1=2)", &["1:8 keyword argument must have form name=expr"]),
            ("x = 1 not 2", &["1:11 got int literal, want in"]),
        ],
    );
}

#[test]
fn syntax() {
    check(
        "a.star",
        &[
            ("x = lambda a, a: 1", &["1:15 duplicate parameter: a"]),
            ("def f(a, a):\n  return 1\nend", &["1:10 duplicate parameter: a"]),
            ("break", &["1:1 break not in a loop"]),
            ("continue", &["1:1 continue not in a loop"]),
            ("def f():\n  break\nend\nx = 1", &["2:3 break not in a loop"]),
            ("return 1", &["1:1 return statement not within a function"]),
            ("x = )", &["1:5 unexpected ')'"]),
            ("x = 1 +", &["1:7 got newline, want primary expression"]),
            (r#"x = "abc"#, &["1:5 unexpected newline in string"]),
            ("x = a b", &["1:7 got identifier, want newline"]),
            (
                "if x\n  y = 1",
                &["1:5 got newline, want ':' (hint: missing colon at the end of 'if/for/def' statement?)"],
            ),
            ("x = 1 && 2", &["1:7 got '&', want primary expression (hint: use 'and' instead of '&&' for logical-and)"]),
            ("x = 1 || 2", &["1:7 got '|', want primary expression (hint: use 'or' instead of '||' for logical-or)"]),
            ("x = !1", &["1:5 unexpected input character '!'"]),
            ("x = {1, 2}", &["1:5 got ',', want ':'"]),
            ("x = {1: }", &["1:9 got '}', want primary expression"]),
            ("for in x:\n  y = 1\nend", &["1:5 got in, want primary expression"]),
            ("x = 1 = 2", &["1:7 got '=', want newline"]),
            ("f() = 1", &["1:1 can't assign to callexpr"]),
            ("x + 1 = 2", &["1:1 can't assign to binaryexpr"]),
            ("[x] += [1]", &["1:1 can't use list expression in augmented assignment"]),
            ("x = 0777", &["1:5 obsolete form of octal literal; use 0o777"]),
            ("x = 1.2.3", &["1:8 got float literal, want newline"]),
            ("x = 1a", &["1:6 got identifier, want newline"]),
            ("x = $", &["1:5 unexpected input character '$'"]),
            ("x = @", &["1:5 unexpected input character '@'"]),
            ("x = ?", &["1:5 unexpected input character '?'"]),
            ("def f(a=1, b):\n  return 1\nend", &["1:12 required parameter may not follow optional"]),
            ("def f(*a, *b):\n  return 1\nend", &["1:11 multiple * parameters not allowed"]),
            ("def f(*):\n  return 1\nend", &["1:7 bare * must be followed by keyword-only parameters"]),
            ("x = [for y in z]", &["1:6 got for, want primary expression"]),
            ("x = [y for y in]", &["1:16 got ']', want primary expression"]),
            ("x = 1 < 2 < 3", &["1:11 < does not associate with < (use parens)"]),
            ("x = y == not z", &["1:10 got not, want primary expression"]),
            ("x = class", &["1:5 got illegal token, want primary expression"]),
            ("import x", &["1:1 got illegal token, want primary expression"]),
            ("x = a.1", &["1:6 got float literal, want newline"]),
            ("x = 1 if 2", &["1:7 conditional expression without else clause"]),
        ],
    );
}

#[test]
fn names_and_statements_are_all_judged_in_one_go() {
    check(
        "a.star",
        &[
            (
                "def g():\n return nope\nend\nx = nope3\ny = [nope4 for i in [1]]\nbreak\nz = lambda: nope + nope",
                &[
                    "4:5 undefined: nope3",
                    "6:1 break not in a loop",
                    "2:9 undefined: nope",
                    "7:13 undefined: nope",
                    "5:6 undefined: nope4",
                ],
            ),
            ("hello = 1\nx = helo", &["2:5 undefined: helo (did you mean hello?)"]),
            ("x = y\ny = 1", &["1:5 undefined: y"]),
            (
                "x = true\nz = none",
                &[
                    "1:5 undefined: true (hint: use 'True' instead of 'true' for boolean assignment)",
                    "2:5 undefined: none (hint: use 'None' instead of 'none' to indicate no value)",
                ],
            ),
            (
                "return 1\n1 = 2\nf() = x",
                &[
                    "1:1 return statement not within a function",
                    "2:1 can't assign to literal",
                    "3:7 undefined: x",
                    "3:1 can't assign to callexpr",
                ],
            ),
            (
                "def f(a, a, *, **k): load('x', '_y')",
                &[
                    "1:10 duplicate parameter: a",
                    "1:13 bare * must be followed by keyword-only parameters",
                    "1:22 load statement within a function",
                    "1:32 load: names with leading underscores are not exported: _y",
                ],
            ),
        ],
    );
}

#[test]
fn nesting_has_bounds() {
    // the interpreter's parser needs more stack than tests have
    let run = std::thread::Builder::new().stack_size(128 << 20).spawn(nesting);
    run.expect("threads can be had").join().expect("the test passes");
}

fn nesting() {
    let deep = "expression is nested too deeply";
    for (text, fails) in [
        (format!("x = {}{}", "[".repeat(200), "]".repeat(200)), false),
        (format!("x = {}{}", "[".repeat(201), "]".repeat(201)), true),
        (format!("x = 1{}", " + 1".repeat(990)), false),
        (format!("x = 1{}", " + 1".repeat(1001)), true),
        (format!("x = {}1", "not ".repeat(300)), true),
        (format!("x = {}1", "1 if True else ".repeat(900)), false),
        (format!("if True:\n{}end", "elif True:\n".repeat(1001)), true),
        (format!("{}{}", "if True:\n".repeat(100), "end ".repeat(100)), false),
        (format!("{}{}", "if True:\n".repeat(101), "end ".repeat(101)), true),
    ] {
        let compiled = compile("a.star", text.as_bytes(), false);
        let found = compiled.program.err().map(|problems| problems.0[0].message().to_string());
        assert_eq!(found.as_deref(), fails.then_some(deep), "{}", &text[..60]);
    }
}

#[test]
fn comments_of_yaml() {
    let unknown = |line: u32, text: &str| {
        format!(
            "Failed to parse line {line}: '#{text}': Expected ytt-formatted string (use '#@' for annotations or code, '#!' for comments)"
        )
    };
    let (first, second) = (format!("1:1 {}", unknown(1, " c")), format!("3:7 {}", unknown(3, "#@ y")));
    check("a.yml", &[("# c\na: #@ 1\nb: [1 ##@ y\n]\n", &[&first, &second])]);
    check(
        "a.yml",
        &[
            (
                "a: 1 #@ 2\n",
                &["1:6 Expected YAML node at line a.yml:1 to have either computed or YAML value, but found both"],
            ),
            (
                "#@ if/end True:\n#@ x = 1\na: 1\n",
                &["2:1 Unexpected code at line a.yml:2 after use of '*/end', expected YAML node"],
            ),
            ("a: #@ [1\nb: 1\n", &["1:7 unclosed '[', want ']'"]),
            ("a: #@ (1\nb: 1\n", &["1:7 unclosed '(', want ')'"]),
            ("a: #@ 1 # x\nb: 1\n", &["1:9 got identifier, want ')'"]),
            ("#@ x = [\na: 1\nb: 1\n", &["1:8 got identifier, want ']'"]),
            ("a: 1\n#@ end\nb: 1\n", &["2:4 unexpected end"]),
            ("a: #@ f()\n#@ def f(): return 1\n", &["1:7 undefined: f"]),
            ("a: #@ x = 1\n", &["1:9 got '=', want ')'"]),
            ("#@foo x y\na: 1\n", &["1:9 got identifier, want ','"]),
        ],
    );
}

#[test]
fn tags_of_strings() {
    check(
        "a.yml",
        &[
            ("#@yaml/text-templated-strings\na: 'x @)'\n", &["2:7 Unexpected code closing '@)' at line 2 col 4"]),
            ("#@yaml/text-templated-strings\na: |\n  x\n  (@= nope @)\n", &["4:7 undefined: nope"]),
            (
                "#@yaml/text-templated-strings\na: '(@ def f(): @)x'\n#@ end\n",
                &["3:4 code in a text-templated string must not leave the string"],
            ),
        ],
    );
}

#[test]
fn what_is_odd_is_warned_of() {
    for (text, expected) in [
        ("#@overlay/matc by=1\na: #@ 1\n", vec!["1:3 unknown annotation `overlay/matc`"]),
        ("a: #@data.values.x\n", vec!["1:6 `data.values.x` is read as the name of an annotation"]),
        ("a: 1\n#@overlay/match by=1\n", vec!["2:1 annotation `overlay/match` stands behind the last node"]),
        (
            "#@ template = 1\na: 1\n#@ template.replace({})\nb: 1\n",
            vec!["3:4 `template.replace` as a statement replaces the node above it"],
        ),
        ("#@my/own x=1\na: 1\n", vec![]),
    ] {
        let compiled = compile("a.yml", text.as_bytes(), false);
        let program = compiled.program.expect("only warnings");
        assert_eq!(shown(&compiled.sources, &program.warnings), expected, "{text}");
    }
}
