//! What binds names, and which functions and loops are around a place.

use super::*;
use crate::source::{Origin as From, SourceMap};
use crate::yaml::{Arena, Val};

fn code(name: &str, text: &str) -> Arc<FileCode> {
    let breaks = if name.ends_with(".yml") { LineBreaks::Yaml } else { LineBreaks::Plain };
    let source = Source::new(name, Text::Str(text.into()), From::Memory, 0, breaks);
    FileCode::read(&source, SourceId(0)).unwrap_or_else(|| panic!("{text} is read"))
}

/// The text of what binds the name that stands last in a text between `<` and `>`.
fn bound(name: &str, marked: &str) -> Option<String> {
    let (open, close) = (marked.find('<').expect("<"), marked.find('>').expect(">"));
    let text = marked.replacen(['<', '>'], "", 2);
    let used = &marked[open + 1..close];
    let span = Span::new(SourceId(0), open as u32, close as u32 - 1);
    let part = |span: Span| text[span.start as usize..span.end as usize].to_owned();
    Some(match code(name, &text).bound(span, used)?.by {
        Binder::Loop { vars, over } => format!("for {} in {}", part(vars), part(over)),
        Binder::Value(value) => part(value),
        Binder::Part(value) => format!("part of {}", part(value)),
        Binder::Parameter(function) => format!("parameter of {}", function.map(part).unwrap_or_default()),
        Binder::Load => "load".to_owned(),
        Binder::Def => "def".to_owned(),
    })
}

#[test]
fn names_are_bound_by_the_innermost_function() {
    for (text, expected) in [
        ("x = 1\nx = 2\ny = <x>\nx = 3\n", Some("2")),
        ("def f(x, *y):\n  return <x>\nend\nx = 1\n", Some("parameter of f")),
        ("def f():\n  return <x>\nend\nx = 1\n", Some("1")),
        ("def f(x):\n  return x\nend\nfor x in z:\n  <x>\nend\n", Some("for x in z")),
        ("a, b = f()\n<b>.c\n", Some("part of f()")),
        ("y = [<x>.a for x in z if x]\n", Some("for x in z")),
        ("y = [x.a for x in <x>]\nx = 1\n", Some("1")),
        ("y = lambda x: [<x> for z in x]\n", Some("parameter of ")),
        ("load(\"a\", \"b\", c=\"d\")\n<c>(1)\n", Some("load")),
        ("x = 1\nx += 2\n<x>\n", Some("1")),
        ("f = 1\ndef g():\n  f()\nend\n<g>()\n", Some("def")),
        ("<x>\n", None),
    ] {
        assert_eq!(bound("a.star", text).as_deref(), expected, "{text}");
    }
}

#[test]
fn code_of_templates_is_read_without_their_nodes() {
    for (name, text, expected) in [
        ("a.yml", "#@ for k, v in d:\n- a: #@ <v>.x\n#@ end\n", Some("for k, v in d")),
        ("a.yml", "#@ for/end x in a:\n- y: #@ x\n  z:\n  - 1\n#@ x = 2\nb: #@ <x>\n", Some("2")),
        ("a.yml", "#@ if/end a:\nb:\n- c\n#@ else/end:\nd: 1\n#@ x = 1\ne: #@ <x>\n", Some("1")),
        ("a.yml", "#@ def f(x):\na: 1\n#@ if/end x:\nb: #@ <x>\n#@ end\nc: #@ f(1)\n", Some("parameter of f")),
        ("a.yml", "#@ for/end x in a:\n--- #@ f(<x>)\n", Some("for x in a")),
        ("a.yml", "#@overlay/match by=lambda: (\na: #! it's\n#@ x = (1,\n#@   2)\nb: #@ <x>\n", Some("(1,\n#@   2)")),
        ("a.txt", "(@- for x in y: -@)\n(@= <x>.z @)\n(@ end @)\n", Some("for x in y")),
        ("a.txt", "a (@ x = 1 -@)b(@= [str(<x>) for x in z] @)\n", Some("for x in z")),
    ] {
        assert_eq!(bound(name, text).as_deref(), expected, "{text}");
    }
}

#[test]
fn functions_know_what_they_take_and_return() {
    let text = "def f(a, b=1, *, c, **d):\n  if a:\n    return 1\n  end\n  g = lambda x: x + 1\n  return b\nend\n";
    let code = code("a.star", text);
    let part = |span: Span| &text[span.start as usize..span.end as usize];
    let at = |word: &str| {
        let start = text.find(word).expect("it is there") as u32;
        Span::new(SourceId(0), start, start + 1)
    };
    let outer = code.function_around(at("return b")).expect("a function");
    let names: Vec<&str> = outer.parameters.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "", "c", "d"]);
    assert_eq!(outer.returned.iter().map(|span| part(*span)).collect::<Vec<_>>(), ["1", "b"]);
    assert_eq!(code.function_at(4).map(|function| function.whole), Some(outer.whole));
    let inner = code.function_around(at("x + 1")).expect("a lambda");
    assert_eq!((inner.name, part(inner.returned[0])), (None, "x + 1"));
    assert!(
        code.function_around(at("def f")).is_some() && code.function_at(1).is_none() && code.function_at(0).is_some()
    );
}

#[test]
fn what_decides_is_what_is_returned_at_last() {
    let text = "def f(a):\n  if a:\n    return False\n  end\n  return a == 1\nend\n\
                def g(b):\n  def h(l, r):\n    return l == b\n  end\n  return h\nend\n\
                def k(x):\n  return lambda l, r: l == x\nend\ndef m(x):\n  return x\nend\n";
    let code = code("a.star", text);
    for (name, expected) in [
        ("f", Some(&["False", "a == 1"][..])),
        ("g", Some(&["l == b"])),
        ("k", Some(&["lambda l, r: l == x"])),
        ("m", Some(&[])),
        ("n", None),
    ] {
        let found = code.decisions(name);
        let found = found.map(|all| all.into_iter().map(|span| code.written(span)).collect::<Vec<_>>());
        assert_eq!(found.as_deref(), expected, "{name}");
    }
}

#[test]
fn loops_are_known_by_what_is_in_them() {
    let text = "for i in [a for a in b]:\n  while c:\n    d\n  end\n  e\nend\nf\n";
    let code = code("a.star", text);
    for (inside, head) in
        [("a for", Some("a in b")), ("d", Some("c")), ("e\nend", Some("i in [a for a in b]")), ("f\n", None)]
    {
        let start = text.find(inside).expect("it is there") as u32;
        let found = code.loop_around(Span::new(SourceId(0), start, start + 1));
        assert_eq!(found.map(|span| &text[span.start as usize..span.end as usize]), head, "{inside}");
    }
}

#[test]
fn functions_are_found_that_others_make() {
    let text = "def a():\n  return lambda x: x\nend\ndef b():\n  def inner(y, z):\n    return y\n  end\n  return inner\n\
                end\nc = lambda: 1\ndef d(v):\n  if v:\n    return c\n  end\n  return a\nend\n";
    let code = code("a.star", text);
    for (name, is_called, head) in [
        ("a", false, Some("def a():")),
        ("a", true, Some("lambda x:")),
        ("b", true, Some("def inner(y, z):")),
        ("c", false, Some("lambda:")),
        ("d", true, None),
        ("e", false, None),
    ] {
        let found = code.function_of(name, is_called);
        assert_eq!(found.map(|function| code.written(function.head).trim().to_owned()).as_deref(), head, "{name}");
    }
}

#[test]
fn names_that_functions_change_hide_outer_ones() {
    let hidden = |text: &str, at: &str| {
        let start = text.find(at).expect("it is there") as u32;
        code("a.star", text).hidden(Span::new(SourceId(0), start, start + at.len() as u32), "n")
    };
    let text = "n = 1\ndef f():\n  x = 1\n  n += 1\n  return n\nend\n";
    let found = hidden(text, "n += 1").expect("it is hidden");
    let changed = found.changed.expect("it is changed");
    assert_eq!((changed.as_str(), found.renamed.len()), ("+=", 2));
    assert_eq!(found.first.map(|(at, front)| (at.start, front)), Some((15, "  ".to_owned())));
    assert!(hidden("n = 1\ndef f():\n  n = 2\n  n += 1\nend\n", "n += 1").is_some_and(|one| one.changed.is_none()));
    assert!(hidden("def f():\n  n += 1\nend\n", "n += 1").is_none());
    // What is set on one way only may be the outer one, read in a default or in the body.
    let goes_on = |body: &str| {
        let text = format!("n = 1\ndef f(x=n):\n{body}  return n\nend\n");
        hidden(&text, "n\nend").map(|one| (one.goes_on, one.renamed.len()))
    };
    assert_eq!(goes_on("  if x:\n    n = 2\n  end\n"), Some((true, 2)));
    assert_eq!(goes_on("  for y in x:\n    n = n + y\n  end\n"), Some((true, 3)));
    assert_eq!(goes_on("  n = n + x\n"), Some((false, 2)));
    let twice = "n = 1\ndef f():\n  n += 1\n  g = lambda n: n\nend\n";
    assert!(hidden(twice, "n += 1").is_some_and(|one| one.renamed.is_empty()));
}

/// What is told of a function of a file that is run with a number, or nothing.
fn told(text: &str, function: &str, given: i64) -> Option<String> {
    let sources = SourceMap::default();
    let file = sources.add(Source::new("a.star", Text::Str(text.into()), From::Memory, 0, LineBreaks::Plain));
    let call = sources.add(Source::new(
        "b.star",
        Text::Str(format!("load(\"a.star\", \"f\", \"g\")\n{function}").into()),
        From::Memory,
        0,
        LineBreaks::Plain,
    ));
    let start = "load(\"a.star\", \"f\", \"g\")\n".len() as u32;
    let place = Span::new(call, start, start + function.len() as u32);
    let taken = Replay::of(&sources, &Arena::new(10), place)?.run(&[Val::Int(given)])?;
    assert_eq!(taken.place().source, if function.starts_with("lambda") { call } else { file });
    Some(format!("{:?} {}{}", taken.gave, taken.told(&sources), taken.end(&sources)))
}

#[test]
fn functions_are_run_on_paper() {
    for (text, function, given, expected) in [
        ("def f(x):\n  return x in [1, 2]\nend\n", "f", 3, Some("Some(false) `x` is `3`")),
        ("def f(x):\n  return x in [1, 2]\nend\n", "f", 2, Some("Some(true) `x` is `2`")),
        (
            "M = [7]\ndef f(x):\n  if x in M:\n    return True\n  end\n  return False\nend\n",
            "f",
            3,
            Some("Some(false) `x` is `3`; `M` is `[7]`; then line 6 returns False"),
        ),
        (
            "def f(x):\n  for y in [4, 5]:\n    if y == x:\n      return True\n    end\n  end\n  return False\nend\n",
            "f",
            3,
            Some("Some(false) `y` is `4`, `5`; `x` is `3`; then line 7 returns False"),
        ),
        ("def f(x):\n  return x > 5 and x < 9\nend\n", "f", 3, Some("Some(false) `x` is `3`")),
        (
            "def g(x):\n  return x * 2\nend\ndef f(x):\n  y = g(x)\n  return y == 7\nend\n",
            "f",
            3,
            Some("Some(false) `y` is `6`"),
        ),
        ("def g(n):\n  return lambda x: x == n\nend\n", "g(4)", 3, Some("Some(false) `x` is `3`; `n` is `4`")),
        ("", "lambda x: len(str(x)) > 1", 3, Some("Some(false) `len(str(x))` is `1`")),
        (
            "def f(x):\n  return any([y == x for y in [1, 2]])\nend\n",
            "f",
            3,
            Some("Some(false) `y` is `1`, `2`; `x` is `3`"),
        ),
        // A list that holds itself many times over.
        (
            "def f(x):\n  y = [x]\n  for z in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]:\n\
             \x20   y = [y, y]\n  end\n  return y == y and x == 4\nend\n",
            "f",
            3,
            Some("None `y` is a list of 2; `x` is `3`"),
        ),
        // What is not known is not told.
        ("def f(x):\n  if unknown(x):\n    return True\n  end\n  return False\nend\n", "f", 3, None),
        ("def f(x):\n  return f(x)\nend\n", "f", 3, Some("None `x` is `3`")),
        ("def f(x, y):\n  return x == y\nend\n", "f", 3, None),
    ] {
        assert_eq!(told(text, function, given).as_deref(), expected, "{text}{function}");
    }
}

#[test]
fn a_part_is_cut_where_code_outside_stays_whole() {
    let text = "a:\n  #@ if x:\n  b: 1\n  #@ else:\n  c: 2\n  #@ end\n  d: 3\n#@ y = 1\n#@ def f():\n  e: 4\n#@ end\n";
    let code = code("a.yml", text);
    let at = |part: &str| text.find(part).expect("it is there") as u32;
    for (from, to, expected) in [
        ("a:\n", "#@ y = 1", true),
        ("  #@ if", "  d: 3", true),
        ("  b: 1", "  #@ else", true),
        ("  b: 1", "  c: 2", false),
        ("  c: 2", "  d: 3", false),
        ("  d: 3", "#@ y = 1", true),
        ("  d: 3", "#@ def", false),
        ("#@ def", "#@ end\n", false),
        ("  e: 4", "#@ end\n", true),
    ] {
        let end = if to == "#@ end\n" { text.rfind(to).expect("it is there") as u32 } else { at(to) };
        assert_eq!(code.may_cut(Span::new(SourceId(0), at(from), end)), expected, "{from:?} to {to:?}");
    }
}

/// What a report says of how the function `f` ends: a star in front of what is thrown away.
fn ends(name: &str, text: &str) -> Option<Vec<String>> {
    let code = code(name, text);
    let found = code.ends(&code.function_of("f", false)?)?;
    let never = found.never.then(|| "never".to_owned());
    let thrown = found.thrown.iter().map(|span| format!("*{}", code.written(*span)));
    let falls = found.falls.iter().map(|(span, fall)| format!("{} {fall:?}", code.written(*span)));
    Some(never.into_iter().chain(thrown).chain(falls).collect())
}

#[test]
fn ways_without_a_return_are_known() {
    for (body, expected) in [
        ("  b = a\n  b + 1\n", Some(vec!["never", "*b + 1"])),
        ("  return 1\n", None),
        ("  if a:\n    1\n  end\n", Some(vec!["never", "*1", "if a Conditions(1)"])),
        ("  if a:\n    return 1\n  elif b:\n    return 2\n  end\n", Some(vec!["elif b Conditions(2)"])),
        ("  if a:\n    return 1\n  else:\n    fail(\"x\")\n  end\n", None),
        ("  if a:\n    return 1\n  else:\n    print(a)\n  end\n", Some(vec!["print(a) Statement"])),
        ("  for x in a:\n    return x\n  end\n", Some(vec!["for x in a Loop"])),
        ("  x = []\n  x.append(a)\n", Some(vec!["never", "x.append(a) Statement"])),
        ("  \"what it is for\"\n", Some(vec!["never", "\"what it is for\" Statement"])),
        ("  if a:\n    return 1\n  end\n  \"b\"\n", Some(vec!["*\"b\""])),
        ("  if a:\n    return\n  end\n  return 1\n", Some(vec!["return Return"])),
        ("  if a:\n    return\n  end\n", Some(vec!["never", "return Return", "if a Conditions(1)"])),
    ] {
        let text = format!("def f(a, b=1):\n{body}end\n");
        let found = ends("a.star", &text);
        let expected = expected.map(|all| all.into_iter().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(found, expected, "{body}");
    }
    // Lines of YAML and text are values.
    assert_eq!(ends("a.yml", "#@ def f(a):\na: 1\n#@ end\n"), None);
    assert_eq!(ends("a.txt", "(@ def f(a): @)a(@ end @)\n"), None);
    let coded = ends("a.yml", "#@ def f(a):\n#@   if a:\n#@     return 1\n#@   end\n#@ end\n");
    assert_eq!(coded, Some(vec!["if a Conditions(1)".to_owned()]));
    let inner = code("a.star", "def g():\n  def f():\n    1\n  end\n  return f\nend\n");
    let function = inner.function_of("f", false).expect("it is there");
    assert_eq!(inner.ends(&function).and_then(|ends| ends.end).map(|(_, before)| before), Some("    ".to_owned()));
}

#[test]
fn a_name_may_be_bound_more_than_once() {
    for (text, expected) in [
        ("x = 1\ny = <x>\n", true),
        ("x = None\nif y:\n  x = 1\nend\ny = <x>\n", false),
        ("x = 1\nx = 2\ndef f(x):\n  return <x>\nend\n", true),
        ("x = 1\ndef f():\n  x = 2\nend\ny = <x>\n", true),
        ("y = <x>\n", false),
    ] {
        let at = text.find('<').expect("<");
        let text = text.replace(['<', '>'], "");
        let used = Span::new(SourceId(0), at as u32, at as u32 + 1);
        assert_eq!(code("a.star", &text).is_bound_once(used, "x"), expected, "{text}");
    }
}

#[test]
fn pieces_of_a_text_are_those_of_the_longest_chain() {
    for (text, piece, expected) in [
        ("x = \"a\" + b.c + \"d\"\n", "b.c", "\"a\" b.c \"d\""),
        ("x = f(a + b, c + d).e\n", "d", "c d"),
        ("x = (a + b) + c\n", "c", "(a + b) c"),
        ("x = (a + b) + c\n", "b", "a b"),
        ("x = a - b + c\n", "a", ""),
        ("x = a\n", "a", ""),
    ] {
        let at = text.find(piece).expect("it is there") as u32;
        let pieces = code("a.star", text).added(Span::new(SourceId(0), at, at + piece.len() as u32));
        let pieces: Vec<&str> = pieces.iter().map(|span| &text[span.start as usize..span.end as usize]).collect();
        assert_eq!(pieces.join(" "), expected, "{text}");
    }
}

#[test]
fn conditions_of_statements_are_found_in_all_blocks() {
    let text = "#@ if a.b:\nx: 1\n#@ end\n#@ def f(c):\ny:\n  #@ if/end c != None:\n  z: #@ 1 if d else 2\n#@ for e in c:\n\
                #@ if g:\nz: 1\n#@ elif h:\nz: 2\n#@ end\n#@ end\n#@ end\n";
    let all = code("a.yml", text).ifs();
    let all: Vec<&str> = all.iter().map(|span| &text[span.start as usize..span.end as usize]).collect();
    assert_eq!(all, ["a.b", "c != None", "g", "h"]);
}

#[test]
fn idle_constants_are_set_once_and_read_nowhere() {
    for (text, expected) in [
        ("A = 1\n", &["A"][..]),
        ("A = 1\nA = 2\n", &[]),
        ("A = 1\nA += 2\n", &[]),
        ("A = 1\ndef f():\n  return [A]\nend\n", &[]),
        ("A = 1\ndef f(A):\n  return 1\nend\n", &["A"]),
        ("if b:\n  A = 1\nend\n", &[]),
        ("def f():\n  A = 1\nend\n", &[]),
        ("B = 1\n", &[]),
    ] {
        let names = code("a.star", text).idle_constants(&|name| name == "A");
        let names: Vec<&str> = names.iter().map(|span| &text[span.start as usize..span.end as usize]).collect();
        assert_eq!(names, expected, "{text}");
    }
}
