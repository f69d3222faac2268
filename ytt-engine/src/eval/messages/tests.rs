//! Small programs that fail, and what is said of them.

use crate::eval::testing::run;

fn check(cases: &[(&str, &str)]) {
    let failed: Vec<String> = cases
        .iter()
        .map(|(program, expected)| (program, expected, run(program).join("\n")))
        .filter(|(_, expected, found)| *found != format!("error: {expected}"))
        .map(|(program, expected, found)| format!("{program}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn operators() {
    check(&[
        (r#"x = 1 << "a""#, "got string, want int"),
        ("x = 1 / 0", "real division by zero"),
        ("x = 1.5 / 0", "real division by zero"),
        ("x = 1 // 0", "floored division by zero"),
        ("x = 1.5 // 0", "floored division by zero"),
        (r#"x = -"a""#, "unknown unary op: - string"),
        (r#"x = +"a""#, "unknown unary op: + string"),
        (r#"x = ~"a""#, "unknown unary op: ~ string"),
        ("x = ~1.5", "unknown unary op: ~ float"),
        ("x = -[]", "unknown unary op: - list"),
        (r#"x = 1 < "a""#, "int < string not implemented"),
        ("x = None <= 1", "NoneType <= int not implemented"),
        ("x = {} > {}", "dict > dict not implemented"),
        ("x = [] >= 1", "list >= int not implemented"),
        (r#"x = [1] < ["a"]"#, "int < string not implemented"),
        (r#"x = (1 << 3) > "a""#, "int > string not implemented"),
        (r#"x = [a for a in [1] if a < "b"]"#, "int < string not implemented"),
        (r#"x = [1]["a"]"#, "list index: got string, want int"),
        ("x = [1][1.0]", "list index: got float, want int"),
        (r#"x = "a"["b"]"#, "string index: got string, want int"),
        ("x = [1]\nx[\"a\"] = 1", "got string, want int"),
        (r#"x = [1].pop("a")"#, "pop: for parameter 1: got string, want int"),
        (r#"x = [1].index(1, "a")"#, "index: invalid start index: got string, want int"),
        (r#"x = [].insert("a", 1)"#, "insert: for parameter 1: got string, want int"),
        (r#"x = [1,2]["a":]"#, "invalid start index: got string, want int"),
        (r#"x = [1,2][:"a"]"#, "invalid end index: got string, want int"),
        (r#"x = [1,2][::"a"]"#, "got string for slice step, want int"),
        ("x = -True", "unknown unary op: - bool"),
        ("x = sorted([1, None])", "NoneType < int not implemented"),
    ]);
}

#[test]
fn attributes() {
    check(&[
        (r#"x = "a".foo"#, "string has no .foo field or method"),
        (
            "load(\"@ytt:module\", \"module\")\nm = module.make(\"m\", alpha=1)\nx = m.alhpa",
            "module has no .alhpa field or method (did you mean .alpha?)",
        ),
        ("load(\"@ytt:data\", \"data\")\nx = data.zz", "module has no .zz field or method"),
        ("x = [].apend", "list has no .apend field or method (did you mean .append?)"),
        ("x = {}.itmes()", "dict has no .itmes field or method (did you mean .items?)"),
        ("x = (1).x", "int has no .x field or method"),
        (
            "x = None.x",
            "NoneType has no .x field or method (hint: what stands in front of .x is None (null in YAML): check it first, as in `if x: … x.x`)",
        ),
        ("x = len.x", "builtin_function_or_method has no .x field or method"),
        ("def f():\n  return 1\nend\nx = f.y", "function has no .y field or method"),
        ("x = 1\nx.y = 2", "can't assign to .y field of int"),
        ("x = []\nx.y = 2", "can't assign to .y field of list"),
        ("x = set([1]).foo", "set has no .foo field or method"),
        (r#"x = "abc".foo()"#, "string has no .foo field or method"),
        ("def f(a, b):\n  return a.foo\nend\nx = f(\"x\", 1)", "string has no .foo field or method"),
    ]);
}

#[test]
fn calls() {
    check(&[
        ("def f(a, b):\n  return 1\nend\nx = f(1)", "function f missing 1 argument (b)"),
        ("def f(a, b):\n  return 1\nend\nx = f()", "function f missing 2 arguments (a, b)"),
        ("def f(a, b):\n  return 1\nend\nx = f(b=1)", "function f missing 1 argument (a)"),
        ("def f(a, b, c):\n  return 1\nend\nx = f(1)", "function f missing 2 arguments (b, c)"),
        ("def f(a):\n  return 1\nend\nx = f(1, 2)", "function f accepts 1 positional argument (2 given)"),
        (
            "def f(a, b=1):\n  return 1\nend\nx = f(1, 2, 3)",
            "function f accepts at most 2 positional arguments (3 given)",
        ),
        ("def f():\n  return 1\nend\nx = f(1)", "function f accepts no arguments (1 given)"),
        ("def f():\n  return 1\nend\nx = f(a=1)", "function f accepts no arguments (1 given)"),
        ("def f(a, *, k):\n  return 1\nend\nx = f(1)", "function f missing 1 argument (k)"),
        ("def f(a, *, k):\n  return 1\nend\nx = f(1, 2, k=1)", "function f accepts 1 positional argument (2 given)"),
        ("def f(a, *args, k=2, **kw):\n  return 1\nend\nx = f()", "function f missing 1 argument (a)"),
        ("def f(a, b):\n  return 1\nend\nx = f(1, 2, z=3)", r#"function f got an unexpected keyword argument "z""#),
        (
            "def f(a, b):\n  return 1\nend\nx = f(1, 2, z=3, y=4)",
            r#"function f got an unexpected keyword argument "z""#,
        ),
        ("def f(a, b):\n  return 1\nend\nx = f(1, a=3)", r#"function f got multiple values for parameter "a""#),
        (
            "def f(a, b):\n  return 1\nend\nx = f(1, **{\"a\": 2})",
            r#"function f got multiple values for parameter "a""#,
        ),
        (
            "def f(a, **kw):\n  return 1\nend\nx = f(1, b=1, **{\"b\": 2})",
            r#"function f got multiple values for parameter "b""#,
        ),
        ("f = lambda a: 1\nx = f()", "function lambda missing 1 argument (a)"),
        ("f = lambda: 1\nx = f(1)", "function lambda accepts no arguments (1 given)"),
        ("x = 1()", "invalid call of non-function (int)"),
        ("x = None()", "invalid call of non-function (NoneType)"),
        (r#"x = "a"()"#, "invalid call of non-function (string)"),
        ("x = {}()", "invalid call of non-function (dict)"),
        ("x, y = 1, 2, 3", "too many values to unpack (got 3, want 2)"),
        ("x, y = [1]", "too few values to unpack (got 1, want 2)"),
        ("for x, y in [(1,2,3)]:\n  z = 1\nend", "too many values to unpack (got 3, want 2)"),
        ("x = [].append()", "append: got 0 arguments, want 1"),
        ("x = [].append(1, 2)", "append: got 2 arguments, want 1"),
        ("x = [].append(x=1)", "append: unexpected keyword arguments"),
        ("x = [].extend(1)", "extend: for parameter 1: got int, want iterable"),
        (r#"x = [].extend("ab")"#, "extend: for parameter 1: got string, want iterable"),
        ("x = [].insert(1)", "insert: got 1 arguments, want 2"),
        ("x = {}.pop()", "pop: got 0 arguments, want at least 1"),
        ("x = {}.popitem(1)", "popitem: got 1 arguments, want 0"),
        ("x = {}.get()", "get: got 0 arguments, want at least 1"),
        (r#"x = {}.get("a", 1, 2)"#, "get: got 3 arguments, want at most 2"),
        ("x = {}.setdefault()", "setdefault: got 0 arguments, want at least 1"),
        ("x = {}.update({}, {})", "update: got 2 arguments, want at most 1"),
        ("x = {}.keys(1)", "keys: got 1 arguments, want 0"),
        ("x = {}.items(a=1)", "items: unexpected keyword arguments"),
        ("x = {}.clear(1)", "clear: got 1 arguments, want 0"),
        ("x = set([1]).union(1)", "union: for parameter 1: got int, want iterable"),
    ]);
}

#[test]
fn changes_of_containers() {
    check(&[
        ("x = {}[[]]", "unhashable type: list"),
        ("x = {}[{}]", "unhashable type: dict"),
        ("x = {[]: 1}", "unhashable type: list"),
        ("x = {(1,[]): 1}", "unhashable type: list"),
        ("x = {a: 1 for a in [[]]}", "unhashable type: list"),
        ("x = {}\nx[[]] = 1", "unhashable type: list"),
        ("x = {}.get([])", "get: unhashable type: list"),
        ("x = {}.setdefault([])", "setdefault: unhashable type: list"),
    ]);
}

#[test]
fn names() {
    check(&[
        ("def f():\n  y = y + 1\nend\nx = f()", "local variable y referenced before assignment"),
        ("def f():\n  return g\nend\nx = f()\ng = 1", "global variable g referenced before assignment"),
        (
            "def f():\n  if False:\n    y = 1\n  end\n  return y\nend\nx = f()",
            "local variable y referenced before assignment",
        ),
        ("x = l\nl = [1]", "undefined: l"),
        ("x = struct", "undefined: struct"),
        ("x = 1 if y else 2", "undefined: y"),
        ("x = i", "undefined: i"),
        ("x = [lambda: y.z][0]()", "undefined: y"),
    ]);
}

#[test]
fn items() {
    check(&[
        (r#"x = 1 + "a""#, "unknown binary op: int + string"),
        ("x = [1] - [2]", "unknown binary op: list - list"),
        (r#"x = "a" * "b""#, "unknown binary op: string * string"),
        ("x = {} / 2", "unknown binary op: dict / int"),
        ("x = {} // 2", "unknown binary op: dict // int"),
        ("x = None | {}", "unknown binary op: NoneType | dict (hint: use 'or' instead of '|' for logical-or)"),
        ("x = len[0]", "unhandled index operation builtin_function_or_method[int]"),
        ("x = True < 1", "bool < int not implemented"),
        ("x = {} | 1", "unknown binary op: dict | int (hint: use 'or' instead of '|' for logical-or)"),
        (r#"x = 1 | "a""#, "unknown binary op: int | string (hint: use 'or' instead of '|' for logical-or)"),
        (r#"x = 1 & "a""#, "unknown binary op: int & string (hint: use 'and' instead of '&' for logical-and)"),
        (r#"x = 1 ^ "a""#, "unknown binary op: int ^ string"),
        ("x = 1[0]", "unhandled index operation int[int]"),
        (r#"x = None["a"]"#, "unhandled index operation NoneType[string]"),
        (r#"x = {"a":1}["z"]"#, r#"key "z" not in dict"#),
        ("x = {1:1}[2]", "key 2 not in dict"),
        (r#"x = {"a":1,"a":2}"#, r#"duplicate key: "a""#),
        ("x, y = 1", "got int in sequence assignment"),
        ("x, y = range(1000000000)", "too many values to unpack (got 1000000000, want 2)"),
        ("x, y = \"abc\".elems()", "too many values to unpack (got 3, want 2)"),
        (r#"x, y = "ab""#, "got string in sequence assignment"),
        ("x, (y, z) = 1, 2", "got int in sequence assignment"),
        ("for x in 1:\n  y = 1\nend", "int value is not iterable"),
        ("for x in \"abc\":\n  y = 1\nend", "string value is not iterable"),
        ("for x, y in [1]:\n  z = 1\nend", "got int in sequence assignment"),
        ("x = [a for a in 1]", "int value is not iterable"),
        (r#"x = [a for a in "abc"]"#, "string value is not iterable"),
        ("x = [1].remove(2)", "remove: element not found"),
        ("x = [1].index(2)", "index: value not in list"),
        (r#"x = {}.pop("a")"#, "pop: missing key"),
        ("x = {}.popitem()", "popitem: empty dict"),
        ("x = {}.pop([])", "pop: missing key"),
        ("x = [1,2][::0]", "zero is not a valid slice step"),
        ("x = 1[1:]", "invalid slice operand int"),
        ("x = {}[1:]", "invalid slice operand dict"),
        ("x = None + 1", "unknown binary op: NoneType + int"),
        ("x = 1\nx += \"a\"", "unknown binary op: int + string (hint: str(…) makes a string of a number or boolean)"),
        ("x = []\nx += 1", "unknown binary op: list + int"),
        ("x = {}\nx |= 1", "unknown binary op: dict | int (hint: use 'or' instead of '|' for logical-or)"),
        ("x = 1\nx -= \"a\"", "unknown binary op: int - string"),
        ("x = True + 1", "unknown binary op: bool + int"),
        ("x = [1] * 1.5", "unknown binary op: list * float"),
        (r#"x = "a" * 1.5"#, "unknown binary op: string * float"),
        (r#"x = "a" + 1"#, "unknown binary op: string + int"),
        (r#"x = "a" + None"#, "unknown binary op: string + NoneType"),
        (r#"x = "a" in 1"#, "unknown binary op: string in int"),
        ("x = 1 in 1", "unknown binary op: int in int"),
        ("x = not 1 in 1", "unknown binary op: int in int"),
        ("def f(x):\n  return x + 1\nend\ny = [f(a) for a in [\"b\"]]", "unknown binary op: string + int"),
    ]);
}

// Where the interpreter does not tell what the reference says: lengths, types of what is called with.
#[test]
fn less_is_said() {
    check(&[
        ("x = 1 << -1", "negative shift count"),
        ("x = 1 >> -1", "negative shift count"),
        ("x = [1][5]", "list index 5 out of range [-1:0]"),
        ("x = [1][-3]", "list index -3 out of range [-1:0]"),
        ("x = (1,)[2]", "tuple index 2 out of range [-1:0]"),
        (r#"x = "abc"[5]"#, "string index 5 out of range [-3:2]"),
        ("x = range(3)[5]", "range index 5 out of range [-3:2]"),
        ("x = [][0]", "index 0 out of range: empty list"),
        ("x = {1:1, 1.0:2}", "duplicate key: 1.0"),
        ("x = []\nx[0] = 1", "index 0 out of range: empty list"),
        ("x = ()\nx[0] = 1", "tuple value does not support item assignment"),
        ("x = \"a\"\nx[0] = \"b\"", "string value does not support item assignment"),
        ("x = 1\nx[\"a\"] = 2", "int value does not support item assignment"),
        ("def f(a):\n  return 1\nend\nx = f(*1)", "argument after * must be iterable, not int"),
        ("def f(a):\n  return 1\nend\nx = f(**1)", "argument after ** must be a mapping, not int"),
        ("def f(a):\n  return 1\nend\nx = f(**{1:2})", "keywords must be strings, not int"),
        ("def f(*a):\n  return 1\nend\nx = f(*None)", "argument after * must be iterable, not NoneType"),
        ("x = [1,2]\nfor a in x:\n  x.append(1)\nend", "append: cannot append to list during iteration"),
        ("x = [1,2]\nfor a in x:\n  x.extend([1])\nend", "extend: cannot extend list during iteration"),
        ("x = [1,2]\nfor a in x:\n  x.insert(0, 1)\nend", "insert: cannot insert into list during iteration"),
        ("x = [1,2]\nfor a in x:\n  x.remove(1)\nend", "remove: cannot remove from list during iteration"),
        ("x = [1,2]\nfor a in x:\n  x.pop()\nend", "pop: cannot pop from list during iteration"),
        ("x = [1,2]\nfor a in x:\n  x.clear()\nend", "clear: cannot clear list during iteration"),
        ("x = [1,2]\nfor a in x:\n  x[0] = 5\nend", "cannot assign to element of list during iteration"),
        ("x = [1,2]\nfor a in x:\n  x += [3]\nend", "cannot apply += to list during iteration"),
        ("x = {\"a\":1}\nfor a in x:\n  x[\"b\"] = 1\nend", "cannot insert into hash table during iteration"),
        ("x = {\"a\":1}\nfor a in x:\n  x[\"a\"] = 1\nend", "cannot insert into hash table during iteration"),
        ("x = {\"a\":1}\nfor a in x:\n  x.pop(\"a\")\nend", "pop: cannot delete from hash table during iteration"),
        ("x = {\"a\":1}\nfor a in x:\n  x.clear()\nend", "cannot clear hash table during iteration"),
        (
            "x = {\"a\":1}\nfor a in x:\n  x.update({\"b\":1})\nend",
            "update: cannot insert into hash table during iteration",
        ),
        (
            "x = {\"a\":1}\nfor a in x:\n  x.setdefault(\"b\", 1)\nend",
            "setdefault: cannot insert into hash table during iteration",
        ),
        ("x = {\"a\":1}\nfor a in x:\n  x.popitem()\nend", "popitem: cannot delete from hash table during iteration"),
        ("x = [].pop()", "pop: list index -1 out of range"),
        ("x = [1].pop(5)", "pop: list index 5 out of range"),
        ("x = {}.update(1)", "update: got int, want iterable"),
        ("x = {}.update([1])", "update: dictionary update sequence element #0 is not iterable (int)"),
        ("x = {}.update([(1,2,3)])", "update: dictionary update sequence element #0 has length 3, want 2"),
    ]);
}

#[test]
fn methods_of_strings() {
    check(&[
        (r#"x = "abc".index("x")"#, "index: substring not found"),
        (r#"x = "abc".rindex("x")"#, "rindex: substring not found"),
        (r#"x = "abc".find(1)"#, "find: for parameter 1: got int, want string"),
        (r#"x = "abc".find("a", "b")"#, "find: invalid start index: got string, want int"),
        (r#"x = "abc".find("a", 1, "b")"#, "find: invalid end index: got string, want int"),
        (r#"x = "abc".startswith(1)"#, "startswith: got int, want string or tuple of string"),
        (r#"x = "abc".endswith()"#, "endswith: got 0 arguments, want at least 1"),
        (r#"x = "a".partition("")"#, "partition: empty separator"),
        (r#"x = "a".rpartition(1)"#, "rpartition: for parameter 1: got int, want string"),
        (r#"x = ",".join([1, 2])"#, "join: in list, want string, got int"),
        (r#"x = ",".join("abc")"#, "join: for parameter 1: got string, want iterable"),
        (r#"x = ",".join()"#, "join: got 0 arguments, want 1"),
    ]);
}

// What is to be changed is noted before the arguments are computed, and looked at when they are.
#[test]
fn arguments_are_computed_before_a_lock_is_met() {
    let program = "load(\"@ytt:assert\", \"assert\")\nq = [7, 8]\nl = [1]\nfor i in l:\n  \
                   print(assert.try_to(lambda: l.insert(0, q.pop()))[1])\n  \
                   print(assert.try_to(lambda: l.append(q.pop()))[1])\nend\nprint(q)\n\
                   for i in l:\n  print(assert.try_to(lambda: l.append(1))[1])\nend";
    assert_eq!(
        run(program),
        [
            "insert: the value is locked, by a loop over it or since its file has ended",
            "append: cannot append to list during iteration",
            "[]",
            "append: cannot append to list during iteration"
        ]
    );
    // Much is appended in another way.
    let many = "l = []\nfor i in range(2100):\n  l.append(i)\nend\n";
    check(&[
        ("l = [1]\nfor i in l:\n  l.append(fail(\"y\"))\nend", "fail: y"),
        (
            &format!("{many}q = [7]\nfor i in l:\n  l.append(q.pop())\nend"),
            "append: cannot append to list during iteration",
        ),
        (&format!("{many}l.append()"), "append: got 0 arguments, want 1"),
    ]);
}

// The interpreter looks for what is missing first, the reference for what is too much.
#[test]
fn the_first_fault_of_a_call() {
    check(&[
        ("def f(a):\n  return 1\nend\nx = f(b=1)", "function f got an unexpected keyword argument \"b\""),
        ("def f(a, *, k):\n  return 1\nend\nx = f(1, 2)", "function f accepts 1 positional argument (2 given)"),
        ("def f(a, **k):\n  return 1\nend\nx = f(b=1)", "function f missing 1 argument (a)"),
        ("def f(a, *, b, c):\n  return 1\nend\nx = f(1, b=2)", "function f missing 1 argument (c)"),
        ("def f(é):\n  return 1\nend\nx = f()", "function f missing 1 argument (é)"),
    ]);
}

#[test]
fn bytes_are_joined_to_text() {
    check(&[
        ("x = {}[\"é\"]", "key \"é\" not in dict"),
        ("x = {}[\"é\\xff\"]", "key \"é\\xff\" not in dict"),
        ("x = 1 + é", "undefined: é"),
    ]);
}
