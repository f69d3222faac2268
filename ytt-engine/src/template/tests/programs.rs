//! What files become.

use super::{compile, compile_as, program};
use crate::template::Action;

/// The lines of the function behind its head and before its last line, without the first indent. Where tasks are done,
/// they are told.
fn lines(name: &str, text: &str) -> String {
    let program = program(name, text);
    let lines: Vec<&str> = program.text.lines().collect();
    let lines = lines[1..lines.len() - 1].iter().map(|line| line.strip_prefix(' ').unwrap_or(line));
    // With a negative number steps are counted.
    let run = |line: &str| line.trim_start().strip_prefix("__i[")?.strip_suffix(']')?.parse().ok();
    let lines = lines.map(|line| match run(line) {
        Some(run) => {
            let tasks = program.skeleton.run(run);
            let tasks: Vec<String> = tasks.iter().map(|(task, _)| format!("{task:?}")).collect();
            format!("{}{}", &line[..line.len() - line.trim_start().len()], tasks.join("; "))
        }
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn check(name: &str, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(lines(name, text), *expected, "{text}");
    }
}

#[test]
fn blocks_are_indented_whatever_the_source_does() {
    check(
        "a.star",
        &[
            ("def f(x):\nreturn x\nend", "def f(x):\n return x"),
            (
                "if True:\nx = 1\nelif False:\nelse:\n    x = 2\nend x = 3",
                "if True:\n x = 1\nelif False:\n pass\nelse:\n x = 2\nx = 3",
            ),
            ("for x in [1]:\nfor y in [2]:\nend end", "for x in [1]:\n for y in [2]:\n  pass"),
            ("if True: x = 1; y = 2", "if True:\n x = 1\n y = 2"),
            ("def f():\n# only a comment\nend # here too", "def f():\n pass"),
            ("x = 1 if True else 2", "x = 1 if True else 2"),
            ("x = 1; y = 2;", "x = 1\ny = 2"),
        ],
    );
}

#[test]
fn what_may_grow_is_told_to_the_limits() {
    check(
        "a.star",
        &[
            ("x = 'a'\nx += x", "x = 'a'\nx += __ytt_more(x, x)"),
            ("x = 1\nx += 1", "x = 1\nx += 1"),
            ("x = 1\nx = 1 + x + 2", "x = 1\nx = 1 + x + 2"),
            ("x = 'a'\nx = x + 'b' + x", "x = 'a'\nx = x + __ytt_grow('b') + __ytt_grow(x)"),
            ("x = 'a' + 'b'", "x = 'a' + 'b'"),
            ("x = [1]\nx += 1, 2", "x = [1]\nx += __ytt_more(x, (1, 2))"),
            (
                "x = [1]\nx.extend(x[1:])",
                "x = [1]\n__ytt_change(x, \"extend\").extend(__ytt_grow(__ytt_part(x, 1, None, None)))",
            ),
            ("x = {}\nx.update(x, **x)", "x = {}\n__ytt_m(x, \"update\")(x, **__ytt_kw(x))"),
            ("x = ','.join(['a'])", "x = __ytt_m(',', \"join\")(['a'])"),
            (
                "x = [1]\nx.pop()\nx.pop(0)\nx.remove(1)",
                "x = [1]\n__ytt_change(x, \"pop\").pop()\n__ytt_pop(x)(0)\n\
                 __ytt_seek(__ytt_change(x, \"remove\")).remove(1)",
            ),
            ("x = 'a'\nx += 'b'", "x = 'a'\nx += __ytt_more(x, 'b')"),
            ("x = {}\ny = x.items\nz = x.values()", "x = {}\ny = x.items\nz = __ytt_values(x)()"),
            ("for x in [1]:\na = [x]; b = a[0]\nend", "for x in [1]:\n __i[-1]\n a = [x]\n b = __ytt_at(a, 0)"),
            (
                "def f(x):\nif x: return -x + 1 - 2\nfor y in [x]:\na = y\nend\nend",
                "def f(x):\n pass\n __i[-1]\n if x:\n  return -x + 1 - 2\n for y in [x]:\n  a = y",
            ),
        ],
    );
}

#[test]
fn while_is_a_loop_with_a_bound() {
    check(
        "a.star",
        &[(
            "x = 0\nwhile x < 3:\nx += 1\nwhile True: break\nend",
            "x = 0\n\
             for __ytt_w1 in range(2147483647):\n \
             __i[-1]\n \
             if not (x < 3): break\n \
             x += 1\n \
             for __ytt_w2 in range(2147483647):\n  \
             if not (True): break\n  \
             break\n  \
             if __ytt_w2 == 2147483646: __ytt_endless()\n \
             if __ytt_w1 == 2147483646: __ytt_endless()",
        )],
    );
}

#[test]
fn functions_that_loop_have_what_they_call_as_their_own() {
    check(
        "a.star",
        &[
            (
                "def f(x):\nfor y in x:\na = y % 2 * 3\nend\nend",
                "def f(x):\n __ytt_mod = __ytt_mod_; __ytt_mul = __ytt_mul_\n \
                 for y in __ytt_over(x):\n  a = y % 2 * 3",
            ),
            ("def f(x):\nreturn x % 2\nend", "def f(x):\n return x % 2"),
            (
                "def f(x):\nif x:\nfor y in [1]:\ndef g():\nreturn y % 2\nend\nend\nend\nend",
                "def f(x):\n __ytt_mod = __ytt_mod_\n if x:\n  for y in [1]:\n   def g():\n    return y % 2",
            ),
        ],
    );
}

#[test]
fn a_load_is_one_evaluation_at_any_place() {
    check(
        "a.star",
        &[
            ("load('f.star', 'a')", "__l = __ytt_load(__i, \"f.star\", (\"a\",)); a = __l[\"a\"]"),
            (
                "if True:\nload(\"f\", \"a\", b=\"assert\",)\nend",
                "if True:\n __l = __ytt_load(__i, \"f\", (\"a\",\"assert\",)); a = __l[\"a\"]; b = __l[\"assert\"]",
            ),
            (
                "load('f', 'assert')",
                "__l = __ytt_load(__i, \"f\", (\"assert\",)); YTT_U_617373657274 = __l[\"assert\"]",
            ),
        ],
    );
}

#[test]
fn calls_are_written_as_the_interpreter_takes_them() {
    check(
        "a.star",
        &[
            ("x = dict(**{})", "x = dict(**__ytt_kw({}))"),
            ("x = dict(*[1], a=2)", "x = dict( a=2 , *__ytt_star([1]) )"),
            (
                "x = dict(1, *[2], a=3, b=dict(*[4], c=5), **{})",
                "x = dict(1, a=3 , b=dict( c=5 , *__ytt_star([4]) ) , *__ytt_star([2]) , **__ytt_kw({}))",
            ),
            ("x = 'a'.format(1).strip()", "x = __ytt_m(__ytt_m('a', \"format\")(1), \"strip\")()"),
            ("x = ('a' + 'b').upper", "x = __ytt_m(('a' + 'b'), \"upper\")"),
            ("x = {}\nx.keys().é", "x = {}\n__ytt_m(__ytt_keys(x)(), \"Ã©\")"),
            ("def f(a, **k):\nreturn k\nend", "def f(a, **k):\n k = __ytt_unkw(k)\n return k"),
            ("def f(*, assert=1): return assert", "def f(*, YTT_U_617373657274=1):\n return YTT_U_617373657274"),
            ("x = dict(assert=1, é=2)", "x = dict(YTT_U_617373657274=1, YTT_U_c3a9=2)"),
            ("x = 5\nx %= 3 + 1", "x = 5\nx = x % (3 + 1)"),
            ("x = 'a'\n(x) *= 3", "x = 'a'\nx = x * (3)"),
            ("x = {1: 2}\nx[1] %= 3", "x = {1: 2}\n__ytt_set(__ytt_at(x, 1) % (3), x, 1)"),
            (
                "x = [{1: 2}]\nx[0][len(x)] *= 3 + 4",
                "x = [{1: 2}]\n__ytt_o = (__ytt_at(x, 0)); __ytt_k = (len(x)); __ytt_set(__ytt_at(__ytt_o, __ytt_k) * (3 + 4), __ytt_o, __ytt_k)",
            ),
            ("x = dict\nx.a %= 3", "x = dict\nx.a %= 3"),
            ("x = lambda **k: dict(k, **k)", "x = lambda **k: dict(__ytt_unkw(k), **__ytt_kw(__ytt_unkw(k)))"),
            ("x = lambda k=1, *a: k", "x = lambda k=1, *a: k"),
            (
                "x = lambda **k: [k for k in k] + [lambda k: k]",
                "x = lambda **k: [__ytt_unkw(k) for k in __ytt_over(__ytt_unkw(k))] + __ytt_grow([lambda k: __ytt_unkw(k)])",
            ),
            ("x = [[1]]\nx[0][0], y = 1, 2", "x = [[1]]\n__ytt_change(__ytt_at(x, 0), \"=\")[0], y = (1, 2)"),
            ("1, 2", "(1, 2)"),
            ("x = {}[1, 2]", "x = __ytt_at({}, (1, 2))"),
            ("x = (1, 2,)", "x = (1, 2,)"),
        ],
    );
}

#[test]
fn literals_are_bytes() {
    check(
        "a.star",
        &[
            (r#"x = "\u00e9\U0001""#, r#"x = "\\u00e9\\U0001""#),
            ("x = 'é'", "x = \"Ã©\""),
            (r"x = r'\d'", r#"x = "\\d""#),
            ("x = '''a\n  b\\\n  c'''", r#"x = "a\nb  c""#),
            ("x = \"\"\"a \\\\\n  b\"\"\"", r#"x = "a \\\n  b""#),
            ("x = 'a\\tb\\x00\\377'", "x = \"a\\tb\\x00\u{ff}\""),
            ("x = 00 + 1if'a'else'b'", "x = 0 + 1 if 'a' else 'b'"),
        ],
    );
    let bytes = compile("a.star", b"x = '\xff\xc3'", false).program;
    assert!(bytes.is_ok_and(|program| program.text.contains("x = \"\u{ff}\u{c3}\"")));
}

#[test]
fn white_space_becomes_what_the_interpreter_takes() {
    check(
        "a.star",
        &[
            ("x\t=\t[1,\r\n\t2]\ry = 3", "x = [1,\n2]\ny = 3"),
            ("x = 1 + \\\n   2", "x = 1 + 2"),
            ("x = [1, # one\n# two\n2]", "x = [1,\n2]"),
        ],
    );
}

#[test]
fn names_are_exported_by_where_they_are_bound() {
    let text = "load('f', 'a')\nb = 1\nif True:\nc = 1\nelse:\nb = 2\nend\nfor d, e in []: f = 1\ndef g(x): y = 1\na = 2\nlen = len\n_p = [z for z in []]\nc = 3";
    let program = program("a.star", text);
    assert_eq!(program.names.definite, ["b", "c", "g", "len", "_p"]);
    assert_eq!(program.names.conditional, ["d", "e", "f"]);
    assert_eq!(program.names.loaded.iter().collect::<Vec<_>>(), ["a"]);
    assert!(program.text.starts_with("def __ytt_file(__i, len=len):\n"));
    assert!(program.text.ends_with("return (None, (b,c,g,len,_p,), (lambda: d,lambda: e,lambda: f,))\n"));
}

#[test]
fn nothing_that_is_called_is_known_to_the_interpreter_before_it_runs() {
    let program = program("a.star", "x = len([1]) % 2\nx <<= 1\ndef f(list): return x not in list\nf(print)(x).a.b(1)");
    let head = "def __ytt_file(__i, __ytt_mod=__ytt_mod, __ytt_not_in=__ytt_not_in, __ytt_shl=__ytt_shl, \
                len=len, list=list, print=print):\n";
    assert!(program.text.starts_with(head), "{}", program.text);
    assert!(program.text.contains("\n (f(print)(x).a.b if __i else 0)(1)\n"), "{}", program.text);
}

#[test]
fn a_variable_above_a_load_of_its_name_is_exported() {
    let text = "x = 7\nload('m', 'x')\nx += 1\ny = [x, lambda: x]";
    let program = program("a.star", text);
    assert_eq!(program.names.definite, ["x", "y"]);
    let expected = "def __ytt_file(__i):\n __ytt_g_x = 7\n __l = __ytt_load(__i, \"m\", (\"x\",)); x = __l[\"x\"]\n \
                    x += 1\n y = [x, lambda: x]\n return (None, (__ytt_g_x,y,), ())\n";
    assert_eq!(program.text, expected);
}

#[test]
fn text_and_code_take_turns() {
    check(
        "a.txt",
        &[
            ("", "Text; Piece(0)"),
            ("a (@= 'b' @)", "Text\n__ytt_p(__i, 0, ( 'b' ))\nPiece(1)"),
            ("(@=-5@)", "Text\n__ytt_p(__i, 0, (5))\nPiece(1)"),
            (
                "(@ def f(x): -@)\n<(@= x -@)\n>(@ return x\nend @)",
                "Text; Piece(0)\ndef f(x):\n __ytt_start(__i, 2)\n __ytt_p(__i, 1, ( x ))\n \
                 Piece(2)\n return __ytt_end(__i, (x))\n return __ytt_end(__i)\nPiece(3)",
            ),
            ("(@ def f():\nend @)", "Text; Piece(0)\ndef f():\n pass\nPiece(1)"),
        ],
    );
    let program = program("a.txt", " a \u{A0}\n(@- -@)\n b (@ x = 1 -@) ");
    let pieces: Vec<_> = program.skeleton.pieces.iter().map(|piece| String::from_utf8_lossy(&piece.text)).collect();
    assert_eq!(pieces, [" a", "b ", ""]);
}

#[test]
fn nodes_are_started_in_the_order_of_the_file() {
    check(
        "a.yml",
        &[
            ("#@ x = 1\na: #@ x\nb:\n  c: 1\n", "Documents; Start(1)\nx = 1\nStart(3)\n__ytt_s(__i, (x))\nCopy(4, 4)"),
            (
                "#@overlay/match by=1\n#@ x = 1\n#@foo\n---\na: 1\n",
                "Documents; Copy(1, 1)\nx = 1\n__ytt_a(__i, 2, 0, __ytt_args(by=1))\n__ytt_a(__i, 2, 1, __ytt_args())\nStart(2); Copy(4, 4)",
            ),
            (
                "a:\n#@ if/end True:\n- b: 1\n  c: #@ 2\n- d\n",
                "Documents; Start(1); Start(3)\nif True:\n Start(5); Copy(7, 7); Start(8)\n __ytt_s(__i, (2))\nCopy(9, 9)",
            ),
            ("a: 1\na: 2\n#@ x = 1\n", "Documents; Start(1); Copy(3, 3); Copy(4, 4)\nx = 1\nStart(5)"),
            ("? [1]\n: 2\n#@ x = 1\n", "Documents; Start(1); Copy(3, 3)\nx = 1\nStart(4)"),
            ("--- #@ 1, 2\n", "Documents; Start(1)\n__ytt_s(__i, (1, 2))"),
            ("#@template/value 1\na: #@ 2\n", "Documents; Start(1); Start(3)\n__ytt_s(__i, (1))\n__ytt_s(__i, (2))"),
        ],
    );
}

#[test]
fn functions_with_nodes_close_their_context_at_every_return() {
    check(
        "a.yml",
        &[(
            "#@ def f(x):\n#@ if x:\n#@ return 1, 2\n#@ end\n#@ def g(): return 3\n#@ h = lambda: 4\na: 1\n#@ return\n#@ end\n#@ def k(x):\n#@ return x\n#@ end\n",
            "Documents; Start(1)\ndef f(x):\n __i[-1]\n __ytt_start(__i, 0)\n if x:\n  return __ytt_end(__i, ((1, 2)))\n \
             def g():\n  return 3\n h = lambda: 4\n Start(3)\n return __ytt_end(__i)\n return __ytt_end(__i)\n\
             def k(x):\n return x\nStart(4)",
        )],
    );
}

#[test]
fn strings_are_templates_where_an_annotation_says_so() {
    check(
        "a.yml",
        &[
            (
                "#@yaml/text-templated-strings\n\"k(@= 'e' @)\":\n- v(@= 'f' @)\n- plain\n- 5\nb: (@= 'g' @)\n",
                "Documents; Start(1)\n__ytt_a(__i, 3, 0, __ytt_args())\nText\n__ytt_p(__i, 0, ( 'e' ))\nPiece(1)\n\
                 __ytt_k(__i, 3, __ytt_string(__i))\nStart(3); Start(5)\nText\n__ytt_p(__i, 2, ( 'f' ))\nPiece(3)\n\
                 __ytt_s(__i, (__ytt_string(__i)))\nCopy(6, 7); Copy(8, 8)",
            ),
            (
                "a: \"(@ def f(x): @)<(@= x @)>(@ end @)\" #@yaml/text-templated-strings\n",
                "Documents; Start(1)\n__ytt_a(__i, 3, 0, __ytt_args())\nStart(3)\nText; Piece(0)\n\
                 def f(x):\n __ytt_start(__i, 2)\n __ytt_p(__i, 1, ( x ))\n Piece(2)\n return __ytt_end(__i)\n\
                 Piece(3)\n__ytt_s(__i, (__ytt_string(__i)))",
            ),
        ],
    );
}

#[test]
fn the_skeleton_numbers_nodes_in_pre_order() {
    let program = program("a.yml", "#@foo\n#@bar 1\na:\n- #@ 1\n- b: 1\nc: 2\n");
    let items: Vec<_> = program.skeleton.items.iter().map(|item| (item.parent, item.depth, item.computed)).collect();
    assert_eq!(
        items,
        [
            (0, 0, false),
            (0, 1, false),
            (1, 2, false),
            (2, 3, false),
            (3, 4, false),
            (4, 5, true),
            (4, 5, false),
            (2, 3, false),
        ]
    );
    let names: Vec<&str> = program.skeleton.items[3].annotations.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["foo", "bar"]);
}

#[test]
fn unknown_comments_may_be_ignored() {
    assert!(compile("a.yml", b"# c\na: #@ 1\n", true).program.is_ok());
}

#[test]
fn files_with_literals_only_need_no_program() {
    let load = "#@ load('@ytt:overlay', 'overlay')\n";
    for (text, actions) in [
        ("#@data/values\n---\na: 1\n", Some("Documents Copy Annotate Start Copy")),
        (
            "#@foo\n---\nb:\n  c: 1\n  #@schema/nullable\n  d: 2\n",
            Some("Documents Copy Annotate Start Start Copy Annotate Start"),
        ),
        ("#@ load('@ytt:data', 'data')\n#@foo\n---\n", None),
        ("#@foo 1 + 1\n---\n", None),
        ("#@foo len([])\n---\n", None),
        ("#@yaml/text-templated-strings\n---\na: b\n", None),
        ("#@foo\n---\na: #@ 1\n", None),
        ("#@foo\n---\n#@ if/end True:\na: 1\n", None),
    ] {
        let program = compile_as("a.yml", text.as_bytes(), false, false).program.expect(text);
        let word = |(action, _): &(Action, _)| {
            let written = format!("{action:?}");
            written.split(['(', ')']).find(|word| *word != "Task").unwrap_or_default().to_owned()
        };
        let words = |actions: &Vec<_>| actions.iter().map(word).collect::<Vec<_>>().join(" ");
        assert_eq!(program.skeleton.actions.as_ref().map(words).as_deref(), actions, "{text}");
        let is_run = actions.is_some() || program.straight.is_some();
        assert_eq!(program.text.is_empty(), is_run, "{text}");
    }
    let is_direct = |text: &str| {
        let text = format!("{load}{text}");
        let program = compile_as("a.yml", text.as_bytes(), false, false).program.expect("right code");
        program.skeleton.actions.is_some()
    };
    assert!(is_direct("#@overlay/match by=overlay.all\n---\n"));
    assert!(is_direct("#@overlay/match by=overlay.or_op(overlay.subset({'a': {'b': 1}}), overlay.index(0))\n---\n"));
    // nobody reads the name, of which a lint tells
    assert!(!is_direct("#@overlay/match by='overlay'\n---\n"));
    assert!(!is_direct(&format!("{load}#@overlay/match by=overlay.all\n---\n")));
    // a function may do anything
    assert!(!is_direct("#@overlay/match by=overlay.apply(1)\n---\n"));
}

#[test]
fn code_without_functions_is_run_as_it_was_read() {
    let is_straight = |name: &str, text: &str| {
        let program = compile_as(name, text.as_bytes(), false, false).program.expect("it compiles");
        assert_eq!(program.straight.is_none(), program.text.contains("__ytt_file"), "{text}");
        program.straight.is_some()
    };
    for code in [
        "#@ load('@ytt:json', j='json')\na: #@ j.encode([1], indent=2)",
        "#@ x = 'a' + str(len([1, None, True]))\na: #@ x",
        "#@ if 3 % 2 == 1 and not False:\na: #@ 1 if 'b' != 'c' else 2\n#@ else:\nb: 1\n#@ end",
        "#@ load('a.star', 'f')\n#@ load('@ytt:data', 'data')\na: #@ f(data.values.x)",
        "#@ x = {'a': 1, 'b': [2.5, -1]}\n#@ x.update(c=3)\na: #@ x.get('a') < 2 and 'b' in x\nb: #@ x.items()[1:]",
        "a: #@ 'a' * 3 not in 'b'",
        "#@ if True:\n#@ x = 1\n#@ end\na: #@ x",
        "#@ for k, v in {'a': 1}.items():\n#@ x, y = k, v\n#@ for z in [x]:\n- #@ z\n#@ end\n#@ end",
        "#@ x = {}\n#@ x['a'] = 1\na: #@ x",
        "#@ x = []\n#@ x.append(1)\n#@ x.extend([2])\na: #@ x.index(2) // 1",
        "#@ x = (1, 'a')\n#@schema/default x[0]\n#@schema/desc 'y'\na: #@ 'x {}'.format(x[1])",
    ] {
        assert!(is_straight("a.yml", code), "{code}");
    }
    for code in [
        // They would be run once more.
        "#@ load('@ytt:library', 'library')\na: 1",
        "#@ x = 1\n#@ load('a.star', 'f')\na: #@ f(1)",
        "#@ if True:\n#@ load('a.star', 'f')\n#@ end\na: 1",
        "#@ def f():\n#@ end\na: 1",
        "#@ for x in [1]:\n#@ y = x\n#@ end\na: #@ y",
        "#@ for x in [1]:\n#@ if x:\n#@ break\n#@ end\na: #@ x\n#@ end",
        "#@ for [x] in [[1]]:\na: #@ x\n#@ end",
        "a: #@ [x for x in [1]]",
        "a: #@ (lambda: 1)()",
        "#@ x = 1\n#@ x += 1\na: #@ x",
        "#@ len = 1\na: #@ len",
        "#@ é = 1\na: #@ é",
        "a: #@ {'a': 1 for x in [1]}",
        "a: #@ len(*[1])",
        "a: #@ 1e3",
        "a: #@ ~1",
        "a: #@ 1), (2",
        "#@yaml/text-templated-strings\na: (@= str(1) @)",
    ] {
        assert!(!is_straight("a.yml", code), "{code}");
    }
    assert!(is_straight("a.txt", "a (@= str(1) @) (@ if True: @)b(@ end @)"));
    assert!(is_straight("a.txt", "(@ for x in [1]: @)(@= str(x) @)(@ end @)"));
    assert!(!is_straight("a.txt", "(@ def f(x): @)(@= str(x) @)(@ end @)"));
    assert!(!is_straight("a.star", "x = 1"));
}
