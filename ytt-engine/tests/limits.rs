//! Programs without an end, or with a result that nothing can hold: each ends by a limit that it names, at a place of its
//! own, and before it made more than the limit allows.
//!
//! `YTT_LIMITS=default cargo test -p ytt-engine --test limits -- --nocapture` runs them with the limits of a build and
//! prints how long each took: in code that is not optimised none may take half a minute.

use std::time::Instant;

use ytt_engine::{ErrorKind, Format, Limits, Project};

/// What runs, and the limit that ends it.
const PROGRAMS: &[(&str, &str)] = &[
    // loops
    ("def f():\n  while True:\n    1\n  end\nend\nf()", "steps"),
    ("for i in range(1 << 30):\n  x = i\nend", "steps"),
    ("for i in range(1 << 30):\n  for k in range(1 << 30):\n    x = i\n  end\nend", "steps"),
    ("x = [0 for i in range(1 << 30) if i < 0]", "steps"),
    ("def f(n):\n  if n:\n    f(n - 1)\n    f(n - 1)\n  end\nend\nf(100)", "steps"),
    (
        "for i in range(1 << 30):\n  a = [i, i, i, i]; b = {\"a\": i, \"b\": i}; c = a[0]; d = b[\"a\"]; e = not d; a[1] = c\nend",
        "steps",
    ),
    ("def f(n):\n  return f(n + 1)\nend\nf(0)", "call_depth"),
    // texts
    ("x = \"ab\"\nfor i in range(1 << 30):\n  x = x + x\nend", "memory"),
    ("x = \"ab\"\nfor i in range(1 << 30):\n  x += x\nend", "memory"),
    ("x = \"ab\"\nfor i in range(1 << 30):\n  x = x * 2\nend", "memory"),
    ("x = \"ab\"\nfor i in range(1 << 30):\n  x *= 2\nend", "memory"),
    ("x = \"ab\"\nfor i in range(1 << 30):\n  x = \"%s%s\" % (x, x)\nend", "memory"),
    ("x = \"ab\"\nfor i in range(1 << 30):\n  x = \"{}{}\".format(x, x)\nend", "memory"),
    ("x = \"ab\"\nfor i in range(1 << 30):\n  x = \"\".join([x, x])\nend", "memory"),
    ("x = \"ab\"\nfor i in range(1 << 30):\n  x = x.replace(\"a\", \"aa\")\nend", "steps"),
    ("x = \"ab\" * 5000\nfor i in range(1 << 30):\n  y = x + str(i)\nend", "memory"),
    ("x = \"ab\" * 50000\nfor i in range(1 << 30):\n  y = x.upper()\nend", "steps"),
    ("x = \"ab\" * 50000\nfor i in range(1 << 30):\n  y = x[1:]\nend", "memory"),
    ("x = \"ab\" * 500000\nfor i in range(1 << 30):\n  y = x.find(\"c\")\nend", "steps"),
    ("x = \"ab\" * 500000\nfor i in range(1 << 30):\n  y = \"c\" in x\nend", "steps"),
    ("x = \",\" * (1 << 24)\ny = x.split(\",\")", "memory"),
    ("x = \",\" * (1 << 25)\ny = list(x.elems())", "memory"),
    ("x = \"ab\" * 5000\nfor i in range(1 << 30):\n  x += \"b\"\nend", "memory"),
    ("x = \"ab\" * 500000\nfor i in range(1 << 30):\n  y = len(x)\nend", "steps"),
    ("x = \"ab\" * 500000\nprint(*([x] * 500))", "memory"),
    // lists, dicts, sets
    ("x = [1]\nfor i in range(1 << 30):\n  x = x + x\nend", "memory"),
    ("x = [1]\nfor i in range(1 << 30):\n  x += x\nend", "memory"),
    ("x = [1]\nfor i in range(1 << 30):\n  x.extend(list(x))\nend", "steps"),
    ("x = [1]\nfor i in range(1 << 30):\n  x = x * 2\nend", "memory"),
    ("x = [1]\nfor i in range(1 << 30):\n  x = [x, x]\nend\nprint(1)", "steps"),
    ("x = [1] * 1000\nfor i in range(1 << 30):\n  y = list(x)\nend", "steps"),
    ("x = list(range(1 << 28))", "memory"),
    ("x = []\nx.extend(range(1 << 28))", "memory"),
    ("x = []\nx += range(1 << 28)", "memory"),
    ("x = list(range(5000))\nfor i in range(1 << 30):\n  y = -1 in x\nend", "steps"),
    ("x = list(range(5000))\nfor i in range(1 << 30):\n  y = x.index(4999)\nend", "steps"),
    ("x = {k: k for k in range(5000)}\nfor i in range(1 << 30):\n  y = dict(x)\nend", "steps"),
    ("x = {k: k for k in range(5000)}\nfor i in range(1 << 30):\n  y = {}; y.update(x)\nend", "steps"),
    ("x = {k: k for k in range(5000)}\nfor i in range(1 << 30):\n  y = x.items()\nend", "memory"),
    ("x = list(range(5000))\nfor i in range(1 << 30):\n  y = sorted(x)\nend", "steps"),
    ("x = list(range(5000))\nfor i in range(1 << 30):\n  y = set(x)\nend", "steps"),
    ("x = list(range(5000))\nfor i in range(1 << 30):\n  y = zip(x, x)\nend", "steps"),
    ("x = {k: k for k in range(5000)}\nfor i in range(1 << 30):\n  y = x | {}\nend", "steps"),
    ("x = list(range(5000))\nfor i in range(1 << 30):\n  x.insert(0, i)\nend", "steps"),
    // small in code, and without an end when it is written
    ("x = [1]\nfor i in range(64):\n  x = [x, x]\nend\ny = str(x)", "steps"),
    ("x = [1]\nfor i in range(64):\n  x = [x, x]\nend\ny = \"%s\" % [x]", "steps"),
    ("load(\"@ytt:json\", \"json\")\nx = [1]\nfor i in range(64):\n  x = [x, x]\nend\ny = json.encode(x)", "steps"),
    ("load(\"@ytt:yaml\", \"yaml\")\nx = [1]\nfor i in range(64):\n  x = [x, x]\nend\ny = yaml.encode(x)", "steps"),
    (
        "load(\"@ytt:struct\", \"struct\")\nx = {}\nfor i in range(64):\n  x = {\"a\": x, \"b\": x}\nend\ny = struct.encode(x)",
        "steps",
    ),
    // numbers
    ("x = 1 << 4000\nfor i in range(1 << 30):\n  x = x * x\nend", "steps"),
    ("x = \"9\" * 50000\nfor i in range(1 << 30):\n  y = int(x)\nend", "steps"),
    ("x = 1 << 90000\nfor i in range(1 << 30):\n  y = x << 90000\nend", "memory"),
    ("x = 1 << 90000\nfor i in range(1 << 30):\n  x += x\nend", "memory"),
    // functions of modules
    ("load(\"@ytt:json\", \"json\")\nx = \"ab\" * 50000\nfor i in range(1 << 30):\n  y = json.encode(x)\nend", "steps"),
    ("load(\"@ytt:base64\", \"base64\")\nx = \"ab\"\nfor i in range(1 << 30):\n  x = base64.encode(x)\nend", "steps"),
    (
        "load(\"@ytt:regexp\", \"regexp\")\nx = \"ab\"\nfor i in range(1 << 30):\n  x = regexp.replace(\"a\", x, \"aa\")\nend",
        "steps",
    ),
];

/// Templates that make nodes.
const TEMPLATES: &[(&str, &str)] = &[
    ("#@ for i in range(1 << 30):\n---\na: #@ i\nb:\n  c: 1\n#@ end\n", "steps"),
    (
        "a:\n#@ for i in range(1 << 30):\n- a: 1\n  b:\n    c: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\n    d: [1, 2, 3, 4]\n#@ end\n",
        "steps",
    ),
    ("#@ x = list(range(2000))\na:\n#@ for i in range(1 << 30):\n- #@ x\n#@ end\n", "steps"),
    ("#@ x = \"ab\" * 5000\na:\n#@ for i in range(1 << 30):\n- #@ x\n#@ end\n", "memory"),
    (
        "#@ def twice(x):\na: #@ x\nb: #@ x\n#@ end\n#@ def f():\n#@ x = twice(1)\n#@ for i in range(40):\n#@   x = twice(x)\n#@ end\n#@ return x\n#@ end\nc: #@ f()\n",
        "output_bytes",
    ),
    (
        "#@ load(\"@ytt:yaml\", \"yaml\")\n#@ def twice(x):\na: #@ x\nb: #@ x\n#@ end\n#@ def f():\n#@ x = twice(1)\n#@ for i in range(40):\n#@   x = twice(x)\n#@ end\n#@ return yaml.encode(x)\n#@ end\nc: #@ f()\n",
        "output_bytes",
    ),
];

/// Templates of texts.
const TEXTS: &[(&str, &str)] = &[
    ("(@ x = \"ab\" * 5000 @)(@ for i in range(1 << 30): @)(@= x @)(@ end @)", "memory"),
    ("(@ for i in range(1 << 30): @)some text that is written again and again(@ end @)", "steps"),
];

fn limits() -> Limits {
    let mut limits = Limits::build();
    if std::env::var_os("YTT_LIMITS").is_none() {
        limits.steps = Some(20_000);
        limits.memory = Some(8 << 20);
        limits.call_depth = 200;
        limits.output_bytes = 1 << 20;
    }
    limits
}

/// What is wrong with how the program ends.
fn check(name: &str, text: &str, limit: &str) -> Option<String> {
    let start = Instant::now();
    let result = Project::new().file(name, text).limits(limits()).render();
    let failure = match result.and_then(|rendered| rendered.to_text(Format::Yaml)) {
        Ok(_) => return Some(format!("it ended well:\n{text}")),
        Err(failure) => failure,
    };
    if std::env::var_os("YTT_LIMITS").is_some() {
        println!("{:>6.1} s  {limit:<8}  {}", start.elapsed().as_secs_f64(), text.replace('\n', "; "));
    }
    let report = failure.to_report(false);
    // which of the two is nearer depends on how large they are
    let either = std::env::var_os("YTT_LIMITS").is_some() && matches!(limit, "steps" | "memory");
    let named = |limit: &str| report.contains(&format!("`limits.{limit} = …`"));
    let right = named(limit) || either && (named("steps") || named("memory"));
    let placed = limit == "output_bytes" || failure.position().is_some();
    (failure.kind() != ErrorKind::Limit || !right || !placed).then(|| format!("{text}\n{report}"))
}

#[test]
fn programs_end() {
    let wrong: Vec<String> = PROGRAMS.iter().filter_map(|(text, limit)| check("a.star", text, limit)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn templates_end() {
    let templates = TEMPLATES.iter().filter_map(|(text, limit)| check("a.yml", text, limit));
    let texts = TEXTS.iter().filter_map(|(text, limit)| check("a.txt", text, limit));
    let wrong: Vec<String> = templates.chain(texts).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// What is no call and no turn of the program costs no step of its own, whatever it is written as.
#[test]
fn steps_are_those_of_the_program() {
    for (body, steps) in [("y = x[0]", 1_800), ("y = [x[0], x[0], x[0]]", 4_500), ("x.append(i); x.pop()", 4_500)] {
        let text = format!("x = [1]\nfor i in range(1000):\n  {body}\nend");
        let mut limits = Limits::build();
        limits.steps = Some(steps);
        let rendered = Project::new().file("a.star", text).limits(limits).render();
        assert!(rendered.is_ok(), "{body}: {}", rendered.unwrap_err().to_report(false));
    }
}

/// The call stack is short where no code can nest calls at will: what is written down still fits, and code that is read
/// after the first call has all of it.
#[test]
fn calls_that_end_are_never_too_deep() {
    let nested = format!("a: #@ {}1{}", "str(".repeat(90), ")".repeat(90));
    let called = "#@ load(\"@ytt:assert\", \"assert\")\n#@ load(\"@ytt:struct\", \"struct\")\n\
                  #@ x = assert.try_to\na: #@ str(assert.try_to(assert.try_to))\nb: #@ sorted([[2], [1]], key=len)\n";
    let short = "#@ x = 1\na: #@ x\n";
    let schema = "#@data/values-schema\n---\n#@ x = 1\na: #@ x\n";
    let deep = "#@ def f(n):\n#@   return 0 if n == 0 else 1 + f(n - 1)\n#@ end\nb: #@ f(4000)\n";
    let text = "(@ def f(n): -@)\n(@   return 0 if n == 0 else 1 + f(n - 1) @)\n(@ end @)(@= str(f(4000)) @)";
    let library = "#@ load(\"@ytt:library\", \"library\")\nc: #@ library.get(\"l\").eval()[0]\n";
    for files in [
        &[("a.yml", nested.as_str())][..],
        &[("a.yml", called)],
        &[("a.yml", short), ("b.yml", deep)],
        &[("a.yml", schema), ("b.txt", text)],
        &[("a.yml", short), ("b.yml", library), ("_ytt_lib/l/c.yml", deep)],
    ] {
        let project = files.iter().fold(Project::new(), |project, (name, text)| project.file(*name, *text));
        let rendered = project.limits(Limits::build()).render();
        assert!(rendered.is_ok(), "{files:?}: {}", rendered.unwrap_err().to_report(false));
    }
}

#[test]
fn the_limit_that_is_named_is_the_one_that_was_set() {
    let mut limits = Limits::build();
    limits.call_depth = 2;
    let failed = Project::new().file("a.yml", "#@ def x():\n#@ end\na: #@ x()\n").limits(limits).render().unwrap_err();
    assert!(failed.to_report(false).contains("deeper than 1 frames"), "{}", failed.to_report(false));
}

/// The least `memory`, but for a hundredth, with which a template renders.
fn least_memory(template: &str) -> u64 {
    let renders = |memory: u64| {
        let mut limits = Limits::build();
        limits.memory = Some(memory);
        Project::new().limits(limits).file("a.yml", template).render().is_ok()
    };
    let (mut too_little, mut enough) = (0, 256 << 20);
    assert!(renders(enough));
    while enough - too_little > enough / 100 {
        let middle = (too_little + enough) / 2;
        if renders(middle) { enough = middle } else { too_little = middle }
    }
    enough
}

#[test]
fn nodes_and_values_need_memory_together() {
    let values = "#@ x = [str(i) * 100 for i in range(1500)]\n";
    let nodes = "a:\n#@ for i in range(20000):\n- 1\n#@ end\n";
    let (of_values, of_nodes) = (least_memory(values), least_memory(nodes));
    let of_both = least_memory(&format!("{values}{nodes}"));
    assert!(of_values > 1 << 19 && of_nodes > 1 << 19, "{of_values} {of_nodes}");
    assert!(of_both > (of_values + of_nodes) / 10 * 9, "{of_values} {of_nodes} {of_both}");
}

/// What ends a loop that is run as it was read, where its steps are not counted.
#[test]
fn loops_with_nodes_need_memory_and_time() {
    let text = "#@ for x in range(1 << 30):\n#@ y = [x, x, x]\n#@ if x < 0:\n- 1\n#@ end\n#@ end\n";
    for limit in ["memory", "seconds"] {
        let mut limits = Limits::build();
        limits.steps = None;
        match limit {
            "memory" => limits.memory = Some(5 << 20),
            _ => limits.seconds = Some(0),
        }
        let failure = Project::new().file("a.yml", text).limits(limits).render().unwrap_err();
        assert!(failure.to_string().contains(&format!("limit `{limit}` reached")), "{failure}");
        assert!(failure.position().is_some(), "{limit}: {failure}");
    }
}
