//! Warnings of functions that are asked for themselves, and of those that see a variable of a loop later.

use crate::Project;

/// The codes and places of what is warned of.
fn warned(code: &str) -> Vec<String> {
    let before = "#@ load(\"lib.star\", \"loaded\", \"number\", either=\"chosen\")\n\
        #@ load(\"@ytt:overlay\", \"overlay\")\n#@ def own():\n#@   return 1\n#@ end\n";
    let star =
        "def loaded():\n  return 1\nend\nnumber = 2\nif number == 2:\n  chosen = loaded\nelse:\n  chosen = 1\nend\n";
    let project = Project::new().file("lib.star", star).file("t.yml", format!("{before}{code}\n"));
    let rendered = project.render().unwrap_or_else(|error| panic!("{code}: {error}"));
    let told = rendered.warnings().iter().map(|warning| {
        let place = warning.position().expect("it has a place");
        format!("{} {}:{}", warning.code(), place.line.saturating_sub(5), place.column)
    });
    told.collect()
}

#[test]
fn functions_that_are_not_called() {
    let not_called = "starlark::function-not-called";
    for (code, expected) in [
        ("a: #@ 1 if own else 2", Some("1:12")),
        ("a: #@ 1 if loaded else 2", Some("1:12")),
        ("a: #@ not own", Some("1:11")),
        ("a: #@ own == 1", Some("1:7")),
        ("a: #@ 1 != own", Some("1:12")),
        ("a: #@ own == True", Some("1:7")),
        ("a: #@ [x for x in [1] if x and own]", Some("1:32")),
        ("#@ if number == 2 or own:\na: 1\n#@ end", Some("1:22")),
        ("#@ if own:\na: #@ type(own)\n#@ end\nb: 1\n#@ if own and number:\nc: 1\n#@ end", Some("5:7")),
        ("#@ if number and (own or number):\na: 1\n#@ end", Some("1:19")),
        ("#@ def f(x):\n#@   if own:\n#@     x = 1\n#@   end\n#@   return own(x)\n#@ end\na: 1", Some("2:9")),
        // Hooks that may be there or None, another time or in another file.
        ("a: #@ loaded() if loaded else 2", None),
        ("a: #@ 2 if not loaded else loaded()", None),
        ("a: #@ loaded and loaded()", None),
        ("a: #@ not loaded or loaded()", None),
        ("a: #@ (loaded or own)()", None),
        ("a: #@ [loaded() for x in [1] if loaded]", None),
        ("#@ if loaded and number:\na: #@ loaded()\n#@ end", None),
        ("#@ if not loaded:\na: 1\n#@ else:\na: #@ loaded()\n#@ end", None),
        ("#@ if number and type(loaded) and loaded:\na: #@ type(loaded)\n#@ end", None),
        ("#@ def f(x):\n#@   if not loaded:\n#@     return x\n#@   end\n#@   return loaded()\n#@ end\na: 1", None),
        ("#@ for x in [1]:\n#@ if not loaded:\n#@ continue\n#@ end\na: #@ loaded()\n#@ end", None),
        // Those that may be something else, and that are meant.
        ("a: #@ 1 if number else 2", None),
        ("a: #@ 1 if either else 2", None),
        ("a: #@ own == loaded", None),
        ("a: #@ own in [own]", None),
        ("a: #@ 1 if own() else 2", None),
        ("a: #@ (lambda own: 1 if own else 2)(0)", None),
        ("#@ def f(own):\n#@   return not own\n#@ end\na: #@ f(1)", None),
        ("a: #@ type(None or own)", None),
        ("#@ def f():\n#@ def own():\n#@ return 2\n#@ end\n#@ return 1 if own else 2\n#@ end\na: #@ f()", None),
    ] {
        let expected: Vec<String> = expected.into_iter().map(|place| format!("{not_called} {place}")).collect();
        assert_eq!(warned(code), expected, "{code}");
    }
}

#[test]
fn functions_from_the_root_of_a_library() {
    let user = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n\
        --- #@ template.replace(library.get(\"acme/flags\").eval())\n";
    let project = Project::new().file("t.yml", user);
    let project = project.file("_ytt_lib/acme/flags/flags.star", "def is_prod():\n  return True\nend\n");
    let text = "#@ load(\"/flags.star\", \"is_prod\")\na: #@ 1 if is_prod else 2\n";
    let rendered =
        project.file("_ytt_lib/acme/flags/config/a.yml", text).render().unwrap_or_else(|error| panic!("{error}"));
    let codes: Vec<&str> = rendered.warnings().iter().map(|warning| warning.code().as_str()).collect();
    assert_eq!(codes, ["starlark::function-not-called"]);
}

#[test]
fn functions_that_are_made_in_a_loop() {
    let late = "starlark::late-bound";
    for (code, expected) in [
        ("a: #@ [f() for f in [lambda: x for x in [1, 2]]]", Some("1:30")),
        ("a: #@ len([{\"f\": lambda y: x + y} for x in [1, 2]])", Some("1:28")),
        ("#@ all = []\n#@ for x in [1, 2]:\n#@ all.append(lambda: x)\n#@ end\na: #@ len(all)", Some("3:23")),
        ("#@ all = {}\n#@ for k, x in [(1, 2)]:\n#@ all[k] = lambda: x\n#@ end\na: #@ len(all)", Some("3:21")),
        (
            "#@ all = []\n#@ for x in [1, 2]:\n#@ def f():\n#@ return x\n#@ end\n#@ all.append(f)\n#@ end\na: #@ len(all)",
            Some("4:11"),
        ),
        (
            "#@ all = {}\n#@ for x in [1, 2]:\n#@ def f(y):\n#@ if y:\n#@ return [x]\n#@ end\n#@ end\n#@ all[x] = f\n\
             #@ end\na: #@ len(all)",
            Some("5:12"),
        ),
        // What is put into something is read when the loop has ended, whatever others do with it.
        (
            "#@ all = []\n#@ for x in [1, 2]:\n#@ all.append(lambda: x)\n#@ end\n#@ def run():\n#@ return [f() for f in all]\n\
             #@ end\na: #@ run()",
            Some("3:23"),
        ),
        (
            "#@ def make():\n#@ all = []\n#@ for x in [1, 2]:\n#@ all.append(lambda: x)\n#@ all.append(lambda: x)\n#@ end\n\
             #@ return len(all)\n#@ end\na: #@ make()",
            Some("4:23 starlark::late-bound 5:23"),
        ),
        // It is read in the same turn.
        (
            "#@ all = {}\n#@ out = []\n#@ for x in [1, 2]:\n#@ all[\"f\"] = lambda: x\n#@ out.append(all[\"f\"]())\n#@ end\na: #@ out",
            None,
        ),
        ("#@ all = []\n#@ for x in [1, 2]:\n#@ all.clear()\n#@ all.append(lambda: x)\n#@ end\na: #@ len(all)", None),
        (
            "#@ all = []\n#@ def run():\n#@ return all.pop()()\n#@ end\n#@ for x in [1, 2]:\n#@ all.append(lambda: x)\n\
             #@ run()\n#@ end\na: 1",
            None,
        ),
        // It may be read in the same turn by another name, or by a function that was made before.
        (
            "#@ all = []\n#@ same = all\n#@ for x in [1, 2]:\n#@ all.append(lambda: x)\n#@ same[-1]()\n#@ end\na: 1",
            None,
        ),
        (
            "#@ all = []\n#@ run = lambda: all[-1]()\n#@ for x in [1, 2]:\n#@ all.append(lambda: x)\n#@ run()\n#@ end\n\
             a: 1",
            None,
        ),
        // They run while it goes on, or have their own.
        (
            "#@ all = []\n#@ for x in [1]:\n#@ def f():\n#@ return x\n#@ end\n#@ all.append(f())\n#@ end\na: #@ all",
            None,
        ),
        (
            "#@ all = []\n#@ for x in [1]:\n#@ def f(x=x):\n#@ return x\n#@ end\n#@ all.append(f)\n#@ end\na: #@ len(all)",
            None,
        ),
        (
            "#@ all = []\n#@ for x in [1]:\n#@ def f():\n#@ x = 2\n#@ return x\n#@ end\n#@ all.append(f)\n#@ end\n\
             a: #@ len(all)",
            None,
        ),
        ("a: #@ [(lambda: x)() for x in [1, 2]]", None),
        ("a: #@ [sorted([1], key=lambda y: x) for x in [1, 2]]", None),
        ("a: #@ len([lambda x=x: x for x in [1, 2]])", None),
        ("a: #@ len([lambda y: [x for x in [y]] for x in [1, 2]])", None),
        ("a: #@ len([lambda: 1 for x in [1, 2]])", None),
        ("#@ def f(x):\n#@   return lambda: x\n#@ end\na: #@ len([f(x) for x in [1, 2]])", None),
    ] {
        let expected = expected.into_iter().map(|place| format!("{late} {place}")).collect::<String>();
        assert_eq!(warned(code).join(" "), expected, "{code}");
    }
}

#[test]
fn types_that_have_another_name() {
    let name = "starlark::type-name";
    for (code, expected) in [
        ("a: #@ type(1) == \"integer\"", Some("1:18")),
        ("a: #@ \"Boolean\" != type(True)", Some("1:7")),
        ("a: #@ type(1) in (\"str\", \"int\")", Some("1:19")),
        ("a: #@ type(1) not in ['map']", Some("1:23")),
        ("a: #@ type(1) in (\"str\")", Some("1:19")),
        ("a: #@ [x for x in [1] if type(x) == \"number\"]", Some("1:37")),
        ("#@ def f(x):\n#@   if (type((x))) == (\"list\") or type(x) == \"array\":\n#@ end\n#@ end\na: 1", None),
        (
            "#@ def f(x):\n#@   return type(x) == \"str\"\n#@ end\n#@ def g(x):\n#@   return type(x) == \"string\"\n#@ end\na: 1",
            Some("2:24"),
        ),
        // What types are called, and what may be anything else.
        ("a: #@ type(1) in (\"int\", \"float\", \"string\", \"struct\", \"yamlfragment\")", None),
        ("a: #@ type(1) == \"deployment\"", None),
        ("a: #@ type(None) == \"NoneType\"", None),
        // It holds for parts of the text.
        ("a: #@ type(1) in \"integer\"", None),
        // It asks for both.
        ("a: #@ type(1) in (\"string\", \"str\")", None),
        // It is another function.
        ("#@ type = lambda x: \"str\"\na: #@ type(1) == \"str\"", None),
        ("#@ def f(type):\n#@   return type(1) == \"str\"\n#@ end\na: 1", None),
        ("a: #@ [type(1) == \"str\" for type in [str]]", None),
        ("#@ load(\"lib.star\", type=\"loaded\")\n#@ def f():\n#@   return type(1) == \"str\"\n#@ end\na: 1", None),
        ("#@ def f(x):\n#@   return x.type(1) == \"str\"\n#@ end\na: 1", None),
        ("#@ def f(*x):\n#@   return type(*x) == \"str\"\n#@ end\na: 1", None),
    ] {
        let expected: Vec<String> = expected.into_iter().map(|place| format!("{name} {place}")).collect();
        assert_eq!(warned(code), expected, "{code}");
    }
}

#[test]
fn replacements_in_front_of_the_text() {
    let order = "module::argument-order";
    let load = "#@ load(\"@ytt:regexp\", \"regexp\")\n";
    for (code, expected) in [
        ("a: #@ regexp.replace(\"[a]\", \"-\", str(number))", Some("2:29")),
        ("a: #@ regexp.replace(\"[a]\", \"\", \"x\" + str(number))", Some("2:29")),
        ("#@ def f(x):\n#@   return regexp.replace(\"a\", r\"\\1\", x)\n#@ end\na: 1", Some("3:33")),
        ("a: #@ regexp.replace(\"[a]\", str(number), \"-\")", None),
        ("a: #@ regexp.replace(\"[a]\", \"abc\", str(number))", None),
        ("a: #@ regexp.replace(\"[a]\", \"ab\", \"x\")", None),
        ("a: #@ regexp.replace(\"[a]\", \"ab\", lambda x: \"y\")", None),
        ("#@ def f(x):\n#@   return \"x\"\n#@ end\na: #@ regexp.replace(\"[a]\", \"ab\", f)", None),
        ("#@ f = lambda x: \"x\"\na: #@ regexp.replace(\"[a]\", \"ab\", f)", None),
        ("a: #@ regexp.match(\"[a]\", \"-\")", None),
        ("#@ def f(regexp, x):\n#@   return regexp.replace(\"a\", \"b\", x)\n#@ end\na: 1", None),
        ("#@ def f(all, x):\n#@   return all.regexp.replace(\"a\", \"b\", x)\n#@ end\na: 1", None),
    ] {
        let expected: Vec<String> = expected.into_iter().map(|place| format!("{order} {place}")).collect();
        assert_eq!(warned(&format!("{load}{code}")), expected, "{code}");
    }
    let other = "#@ load(\"lib.star\", regexp=\"loaded\")\n#@ def f(x):\n#@   return regexp.replace(\"a\", \"b\", x)\n#@ end\na: 1";
    assert_eq!(warned(other), Vec::<String>::new());
}
