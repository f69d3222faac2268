//! Methods of strings, `.format` and `%`: expressions and what the reference gives for them.

use crate::eval::testing::check;

#[test]
fn format_fills_fields() {
    check(&[
        (r#"getattr("{} {}","format")(1, 2.0)"#, r#""1 2""#),
        (r#"getattr("{1} {0}","format")(1, "a")"#, r#""a 1""#),
        (r#"getattr("{a} {b!r} {b!s}","format")(a=1, b="x")"#, r#""1 \"x\" x""#),
        (r#"getattr("{{}} {}","format")("é")"#, r#""{} é""#),
        (
            r#"getattr("{} {0}","format")(1)"#,
            "error: format: cannot switch from automatic field numbering to manual field specification",
        ),
        (
            r#"getattr("{0} {}","format")(1)"#,
            "error: format: cannot switch from manual field specification to automatic field numbering",
        ),
        (r#"getattr("{}","format")()"#, "error: format: tuple index out of range"),
        (r#"getattr("{5}","format")(1)"#, "error: format: tuple index out of range"),
        (r#"getattr("{a}","format")()"#, "error: format: keyword a not found"),
        (
            r#"getattr("{a.b}","format")(a=1)"#,
            "error: format: attribute syntax x.y is not supported in replacement fields: a.b",
        ),
        (
            r#"getattr("{a[0]}","format")(a=1)"#,
            "error: format: element syntax a[i] is not supported in replacement fields: a[0]",
        ),
        (r#"getattr("{a{b}","format")(a=1)"#, "error: format: nested replacement fields not supported"),
        (r#"getattr("{","format")()"#, "error: format: unmatched '{' in format"),
        (r#"getattr("}","format")()"#, "error: format: single '}' in format"),
        (r#"getattr("a}b","format")()"#, "error: format: single '}' in format"),
        (r#"getattr("{!x}","format")(1)"#, r#"error: format: unknown conversion "x""#),
        (r#"getattr("{!}","format")(1)"#, r#"error: format: unknown conversion """#),
        (r#"getattr("{:.2f}","format")(1)"#, "error: format spec features not supported in replacement fields: .2f"),
        (r#"getattr("{x!r:}","format")(x=1)"#, r#""1""#),
        (r#"getattr("{x:}","format")(x=1)"#, r#""1""#),
        (r#"getattr("{x!r:>5}","format")(x=1)"#, "error: format spec features not supported in replacement fields: >5"),
        (r#"getattr("{é}","format")()"#, "error: format: keyword é not found"),
        (r#"getattr("{ }","format")(1)"#, "error: format: keyword   not found"),
        (r#"getattr("{99999999999999999999}","format")(1)"#, "error: format: keyword 99999999999999999999 not found"),
    ]);
}

#[test]
fn percent_fills_verbs() {
    check(&[
        (
            r#""%d %s %r %x %X %o %e %f %g %c %c %%" % (255, "a", "a", 255, -255, 8, 1.5, 2, 1234567.0, 65, "é")"#,
            r#""255 a \"a\" ff -FF 10 1.500000e+00 2.000000 1.234567e+06 A é %""#,
        ),
        (r#""%i %E %G %F" % (2.9, 1e100, 1e-10, 3)"#, r#""2 1.000000E+100 1E-10 3.000000""#),
        (r#""%F" % 3.0"#, r#""3.000000""#),
        (
            r#""%x %o" % (123456789012345678901234567890, -123456789012345678901234567890)"#,
            r#""18ee90ff6c373e0ee4e3f0ad2 -143564417755415637016711617605322""#,
        ),
        (r#""%d" % 1e20"#, r#""100000000000000000000""#),
        (
            r#""%d" % -1.5e300"#,
            r#""-1500000000000000078757140382806630373056702871662238732373781173267703686983362293679557062620671796065556665749325817265413784853040645863467188277180060474272580801389863705606745350692182135089053429852456199917621678558451461320111979114170213741868888183230085264257173504208294580298189100810240""#,
        ),
        (r#""%d" % float("nan")"#, "error: %d format requires integer: cannot convert float NaN to integer"),
        (r#""%d" % float("inf")"#, "error: %d format requires integer: cannot convert float infinity to integer"),
        (r#""%d" % "a""#, "error: %d format requires integer: cannot convert string to int"),
        (r#""%d" % True"#, "error: %d format requires integer: cannot convert bool to int"),
        (r#""%5d" % 3"#, "error: unknown conversion %5"),
        (r#""%.2f" % 3"#, "error: unknown conversion %."),
        (r#""%s" % (1,2)"#, "error: too many arguments for format string"),
        (r#""%s %s" % 1"#, "error: not enough arguments for format string"),
        (r#""%s %s" % (1,)"#, "error: not enough arguments for format string"),
        (r#""abc" % 1"#, "error: too many arguments for format string"),
        (r#""abc" % ()"#, r#""abc""#),
        (r#""%" % 1"#, "error: incomplete format"),
        (r#""a%" % 1"#, "error: incomplete format"),
        (r#""%(a)s" % {"a": 1}"#, r#""1""#),
        (r#""%(a)s %(b)s" % {"a": 1}"#, "error: key not found: b"),
        (r#""%(a)s" % 3"#, "error: format requires a mapping"),
        (r#""%(a" % {}"#, "error: incomplete format key"),
        (r#""%c" % "ab""#, "error: %c format requires a single-character string"),
        (r#""%c" % 1114112"#, "error: %c format requires a valid Unicode code point, got 1114112"),
        (r#""%c" % -1"#, "error: %c format requires a valid Unicode code point, got -1"),
        (r#""%c" % 1.5"#, "error: %c format requires int or single-character string, not float"),
        (r#""%c" % """#, "error: %c format requires a single-character string"),
        (r#""%c" % "\xff""#, r#""�""#),
        (r#""%e" % "a""#, "error: %e format requires float, not string"),
        (r#""%s" % [1.0, "a"]"#, r#""[1, \"a\"]""#),
        (r#""%r" % "é""#, r#""\"é\"""#),
        (r#""%z" % 1"#, "error: unknown conversion %z"),
        (r#""%%" % ()"#, r#""%""#),
        (r#""%é" % 1"#, "error: unknown conversion %Ã"),
        (r#""%d" % None"#, "error: %d format requires integer: cannot convert NoneType to int"),
        ("[7.5 % 2, -7.5 % 2, -7 % 3, 7 % -3, 7 % -3.0, 7 % 2.5]", "[1.5, -1.5, 2, -2, 1, 2]"),
        ("1 % 0", "error: integer modulo by zero"),
        ("1 % 0.0", "error: float modulo by zero"),
        ("1.0 % 0", "error: float modulo by zero"),
        ("[] % 1", "error: unknown binary op: list % int"),
    ]);
}

#[test]
fn parts_are_iterated() {
    check(&[
        (r#"list(getattr("é", "elems")())"#, r#"["\xc3", "\xa9"]"#),
        (r#"list(getattr("é\xff", "codepoints")())"#, r#"["é", "\xff"]"#),
        (r#"list(getattr("é\xff", "codepoint_ords")())"#, "[233, 65533]"),
        (r#"list(getattr("é", "elem_ords")())"#, "[195, 169]"),
        (r#"getattr("é", "elem_ords")()"#, r#""é".elem_ords()"#),
        (r#"getattr("é", "codepoints")()"#, r#""é".codepoints()"#),
        (r#"[type(getattr("é", "codepoints")()), type(getattr("é", "elem_ords")())]"#, r#"["codepoints", "elems"]"#),
        (r#"len(getattr("é", "elems")())"#, "error: len: value of type elems has no len"),
        (r#"getattr("é", "elems")()[0]"#, "error: unhandled index operation elems[int]"),
        (r#""a" in getattr("abc", "elems")()"#, "error: unknown binary op: string in elems"),
        (
            r#"[getattr(",","join")(["a","b"]), getattr(",","join")(("a",)), getattr(",","join")({"a":1,"b":2}), getattr("","join")([]), getattr(",","join")(getattr("abc","elems")())]"#,
            r#"["a,b", "a", "a,b", "", "a,b,c"]"#,
        ),
    ]);
}

#[test]
fn texts_are_searched_and_cut() {
    check(&[
        (
            r#"[getattr("aXbX","replace")("X", "-", 1), getattr("日本","replace")("", "-"), getattr("日本","replace")("", "-", 1), getattr("aaa","replace")("a","b",-1), getattr("aaa","replace")("a","b",0), getattr("a\xffb","replace")("", "-"), getattr("é","replace")("\xc3","x")]"#,
            r#"["a-bX", "-日-本-", "-日本", "bbb", "aaa", "-a-\xff-b-", "x\xa9"]"#,
        ),
        (r#"getattr("a","replace")("a")"#, "error: replace: got 1 arguments, want at least 2"),
        (r#"getattr("a","replace")("a", 1)"#, "error: replace: for parameter 2: got int, want string"),
        (r#"getattr("a","replace")("a", "b", "c")"#, "error: replace: for parameter 3: got string, want int"),
        (
            r#"[getattr("a\r\nb\n","splitlines")(), getattr("a\nb\n","splitlines")(True), getattr("","splitlines")(), getattr("\n","splitlines")(), getattr("a\n\nb","splitlines")()]"#,
            r#"[["a\r", "b"], ["a\n", "b\n"], [], [""], ["a", "", "b"]]"#,
        ),
        (r#"getattr("","splitlines")(1)"#, "error: splitlines: for parameter 1: got int, want bool"),
        (
            r#"[getattr("a b  c d","rsplit")(None, 2), getattr("a b  c ","split")(None, 1), getattr("  a b  ","split")(), getattr("","split")(), getattr(" a  b ","split")(None, 0), getattr(" a  b ","rsplit")(None, 0), getattr(" a  b c ","rsplit")(None, 1), getattr("a\xc2\xa0b","split")(), getattr("é\x85a","split")()]"#,
            r#"[["a b", "c", "d"], ["a", "b  c "], ["a", "b"], [], ["a  b "], [" a  b"], [" a  b", "c"], ["a", "b"], ["é\x85a"]]"#,
        ),
        (
            r#"[getattr("a,b,c","split")(","), getattr("a,b,c","split")(",", 1), getattr("a,b,c","rsplit")(",", 1), getattr("aaa","rsplit")("aa", 1), getattr("a,b","split")(",", 0), getattr("a,b","rsplit")(",",0), getattr("","split")(","), getattr("a,b,c","split")(",", -1), getattr("a,b,c","rsplit")(",", 5)]"#,
            r#"[["a", "b", "c"], ["a", "b,c"], ["a,b", "c"], ["", "a"], ["a,b"], ["a,b"], [""], ["a", "b", "c"], ["a", "b", "c"]]"#,
        ),
        (r#"getattr("a","split")("")"#, "error: split: empty separator"),
        (r#"getattr("a","split")(1)"#, "error: split: got int for separator, want string"),
        (r#"getattr("a","split")(",", "x")"#, "error: split: for parameter 2: got string, want int"),
        (r#"getattr("a","rsplit")("")"#, "error: split: empty separator"),
        (
            r#"[getattr("abcabc","find")("c"), getattr("abcabc","find")("c", 3), getattr("abcabc","find")("c", 3, 5), getattr("abcabc","rfind")("c"), getattr("abc","find")(""), getattr("abc","rfind")(""), getattr("abc","find")("", 5), getattr("日本","find")("本"), getattr("abc","find")("a", -1), getattr("abc","find")("", 3, 1), getattr("abc","find")("c", None, None)]"#,
            "[2, 5, -1, 5, 0, 3, 3, 3, -1, 3, 2]",
        ),
        (r#"getattr("abc","index")("x")"#, "error: index: substring not found"),
        (r#"getattr("abc","rindex")("x")"#, "error: rindex: substring not found"),
        (r#"getattr("abc","index")(1)"#, "error: index: for parameter 1: got int, want string"),
        (r#"getattr("abc","find")("a", "b")"#, "error: find: invalid start index: got string, want int"),
        (r#"getattr("abc","find")("a", 1, "b")"#, "error: find: invalid end index: got string, want int"),
        (
            r#"[getattr("aXa","count")("a"), getattr("aaa","count")("aa"), getattr("日本","count")(""), getattr("abc","count")("", 1), getattr("abcabc","count")("a", 1), getattr("abc","count")("a", 3, 1)]"#,
            "[2, 1, 3, 3, 1, 0]",
        ),
        (
            r#"[getattr("abc","startswith")("a"), getattr("abc","startswith")(("x","a")), getattr("abc","startswith")("b", 1), getattr("abc","endswith")("c", 0, 2), getattr("abc","endswith")(()), getattr("abc", "startswith")("", 9)]"#,
            "[True, True, True, False, False, True]",
        ),
        (r#"getattr("abc","startswith")(1)"#, "error: startswith: got int, want string or tuple of string"),
        (r#"getattr("abc","startswith")(("x", 1))"#, "error: startswith: want string, got int, for element 1"),
        (r#"getattr("abc","endswith")()"#, "error: endswith: got 0 arguments, want at least 1"),
        (
            r#"[getattr("  a ","strip")(), getattr("xxaxx","strip")("x"), getattr("éaé","strip")("é"), getattr("abc","lstrip")("ab"), getattr("abc","rstrip")("bc"), getattr(" a\xc2\xa0","strip")(), getattr("à","strip")(), getattr("a","strip")(""), getattr("\xa0a","strip")(), getattr("é","strip")("\xc3")]"#,
            r#"["a", "a", "a", "c", "a", "a", "à", "a", "\xa0a", "é"]"#,
        ),
        (r#"getattr("a","strip")(1)"#, "error: strip: for parameter 1: got int, want string"),
        (
            r#"[getattr("a.b.c","partition")("."), getattr("a.b.c","rpartition")("."), getattr("abc","partition")("."), getattr("abc","rpartition")(".")]"#,
            r#"[("a", ".", "b.c"), ("a.b", ".", "c"), ("abc", "", ""), ("", "", "abc")]"#,
        ),
        (r#"getattr("a","partition")("")"#, "error: partition: empty separator"),
        (r#"getattr("a","rpartition")(1)"#, "error: rpartition: for parameter 1: got int, want string"),
        (r#"getattr(",","join")([1])"#, "error: join: in list, want string, got int"),
        (r#"getattr(",","join")("abc")"#, "error: join: for parameter 1: got string, want iterable"),
        (r#"getattr(",","join")()"#, "error: join: got 0 arguments, want 1"),
    ]);
}

#[test]
fn letters_have_case_and_kind() {
    check(&[
        (
            r#"[[], getattr("","upper"), getattr([],"append"), getattr({},"get"), len, lambda x: x, set([1,"a"]), range(3), range(1,3), range(1,7,2), (1,), (), {"a":1.0}]"#,
            r#"[[], <built-in method upper of string value>, <built-in method append of list value>, <built-in method get of dict value>, <built-in function len>, <function lambda>, set([1, "a"]), range(3), range(1, 3), range(1, 7, 2), (1,), (), {"a": 1}]"#,
        ),
        (
            r#"[type(x) for x in [len, getattr("","upper"), set(), range(1), 1, 1.0, "", None, True, [], {}, (), lambda: 1]]"#,
            r#"["builtin_function_or_method", "builtin_function_or_method", "set", "range", "int", "float", "string", "NoneType", "bool", "list", "dict", "tuple", "function"]"#,
        ),
        (
            r#"[getattr("ß","upper")(), getattr("ǆ","title")(), getattr("ŉ","upper")(), getattr("ᾳ","upper")(), getattr("İ","lower")(), getattr("²","isdigit")(), getattr("Ⅷ","isalpha")(), getattr("ª","islower")(), getattr("ς","islower")(), getattr("ა","title")(), getattr("ა","upper")(), getattr("\xff","upper")(), getattr("a\xffB","lower")()]"#,
            r#"["ß", "ǅ", "ŉ", "ᾼ", "i", False, False, False, True, "ა", "Ა", "�", "a�b"]"#,
        ),
        (
            r#"[getattr("hello wORLD it's 3d éa","title")(), getattr("hELLO","capitalize")(), getattr("éa É","capitalize")(), getattr("ßa","islower")(), getattr("ẞ","isupper")(), getattr("İ","isupper")(), getattr("ı","islower")()]"#,
            r#"["Hello World It'S 3D Éa", "Hello", "Éa é", True, True, False, False]"#,
        ),
        (r#"getattr("a","upper")(1)"#, "error: upper: got 1 arguments, want 0"),
        (r#"getattr("a","upper")(x=1)"#, "error: upper: unexpected keyword arguments"),
        (
            r#"[getattr(x, "islower")() for x in ["a\xffb", "ß", "\xce\x90", "\xc4\xb1", "ﬀ"]]"#,
            "[False, True, True, False, False]",
        ),
    ]);
}
