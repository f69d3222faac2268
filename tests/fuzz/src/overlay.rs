//! Overlays of a small grammar: bytes decide between its alternatives, so that most overlays are well formed and many match.

use std::fmt::Write as _;

use super::render::{check, project};

/// Alternatives, taken from bytes; when they end, always the first.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % end
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

const KEYS: &[&str] = &["a", "b", "name", "id", "\"\"", "1", "c.d", "kind"];

const VALUES: &[&str] =
    &["1", "x", "null", "\"1\"", "[]", "{}", "1.5", "true", "#@ [1, {\"a\": 2}]", "#@ f()", "#@ {\"b\": 1}"];

/// Annotations; `%` is one of [`MATCHERS`].
#[rustfmt::skip]
const ANNOTATIONS: &[&str] = &[
    "", "", "overlay/match missing_ok=True", "overlay/match by=%", "overlay/match by=%,expects=\"0+\"",
    "overlay/match by=%,expects=[0,1,2]", "overlay/match by=%,missing_ok=True", "overlay/match by=%,when=1",
    "overlay/match expects=0", "overlay/match when=\"1+\"", "overlay/match by=%,expects=lambda x: x < 3",
    "overlay/match-child-defaults missing_ok=True", "overlay/match-child-defaults expects=\"0+\"", "overlay/merge", "overlay/remove",
    "overlay/replace", "overlay/replace or_add=True", "overlay/replace via=lambda a, b: a", "overlay/replace via=lambda a, b: [a, b]",
    "overlay/replace via=lambda a, b: overlay.apply(a, b)", "overlay/insert before=True", "overlay/insert after=True",
    "overlay/insert before=True,after=True,via=lambda a, b: a", "overlay/append", "overlay/assert", "overlay/assert via=lambda a, b: a == b",
    "overlay/assert via=lambda a, b: (False, str(a))", "overlay/match", "overlay/nope", "template/value f()", "yaml/text-templated-strings",
    "overlay/replace via=g", "overlay/match by=lambda i, l, r: l[\"a\"]", "overlay/remove 1",
];

#[rustfmt::skip]
const MATCHERS: &[&str] = &[
    "\"name\"", "overlay.all", "overlay.index(0)", "overlay.index(-1)", "overlay.index(7)", "overlay.map_key(\"id\")",
    "overlay.subset({\"a\": 1})", "overlay.subset(f())", "overlay.or_op(overlay.index(0), overlay.map_key(\"name\"))",
    "overlay.and_op(overlay.all, overlay.subset({\"name\": \"x\"}))", "overlay.not_op(overlay.index(0))", "lambda i, l, r: i == 1",
    "lambda i, l, r: True", "lambda i, l, r: l == r", "lambda i: i", "1", "\"a\"", "overlay.subset([])", "overlay.map_key(\"a.b\")",
];

const HEAD: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def f():\na: 1\nb:\n- x\n#@ end\n#@ def g(a, b):\n#@   return b or a\n#@ end\n";

struct Writer<'a, 'b> {
    choices: &'a mut Choices<'b>,
    out: String,
    is_overlay: bool,
}

impl Writer<'_, '_> {
    fn documents(&mut self, most: usize) {
        for _ in 0..1 + self.choices.below(most) {
            if self.is_overlay {
                let by = self.choices.pick(MATCHERS);
                let _ = writeln!(self.out, "#@overlay/match by={by},expects=\"0+\"");
            }
            self.annotations(0);
            self.out.push_str("---\n");
            self.collection(0, 4);
        }
    }

    fn annotations(&mut self, column: usize) {
        if !self.is_overlay {
            return;
        }
        for _ in 0..self.choices.below(3) {
            let annotation = self.choices.pick(ANNOTATIONS);
            if !annotation.is_empty() {
                let annotation = annotation.replace('%', self.choices.pick(MATCHERS));
                let _ = writeln!(self.out, "{:column$}#@{annotation}", "");
            }
        }
    }

    fn collection(&mut self, column: usize, depth: usize) {
        let is_list = self.choices.below(2) == 1;
        let count = 1 + self.choices.below(4);
        let first = self.choices.below(KEYS.len());
        for number in 0..count {
            self.annotations(column);
            let _ = match is_list {
                true => write!(self.out, "{:column$}-", ""),
                false => write!(self.out, "{:column$}{}:", "", KEYS[(first + number) % KEYS.len()]),
            };
            if depth > 0 && !self.choices.is_over() && self.choices.below(2) == 1 {
                self.out.push('\n');
                self.collection(column + 2, depth - 1);
            } else {
                let value = self.choices.pick(VALUES);
                let _ = writeln!(self.out, " {value}");
            }
        }
    }
}

fn write(choices: &mut Choices<'_>, is_overlay: bool) -> String {
    let mut writer = Writer { choices, out: HEAD.to_owned(), is_overlay };
    writer.documents(3);
    writer.out
}

/// Documents, and overlays on them: as files, and applied by code to a part.
pub fn overlay(bytes: &[u8]) {
    let choices = &mut Choices(bytes);
    let way = choices.below(4);
    let right = write(choices, true);
    let left = write(choices, false);
    let project = match way {
        0 => {
            let (start, text) = right.split_at(HEAD.len());
            let inside = |text: &str| text.lines().map(|line| format!("  {line}\n")).collect::<String>();
            // A document start cannot be indented: the overlay of code is what one document holds.
            let first = text.split("---\n").nth(1).unwrap_or_default();
            let first = first.split("#@overlay/match by=").next().unwrap_or_default();
            let left = left[HEAD.len()..].split("---\n").nth(1).unwrap_or_default();
            let text = format!(
                "{start}#@ def left():\n{}#@ end\n#@ def right():\n{}#@ end\nresult: #@ overlay.apply(left(), right())\n",
                inside(left),
                inside(first)
            );
            project().file("a.yml", text)
        }
        1 => project().file("a.yml", left).file("b.yml", right).file("c.yml", write(choices, true)),
        _ => project().file("a.yml", left).file("b.yml", right),
    };
    check(&project);
}
