"""Changes the code in small ways, and tells which of the changes no test of the engine notices.

    python3 .ci/mutants.py ytt-engine/src/overlay ytt-engine/src/schema --count 100 --seed 1 --minutes 60

A sample of all mutants of the folders, the same for the same seed. All of them are built into one program, which an
environment variable tells which one to be: one build instead of one for each. The programs of tests that reach a mutant
are run, the fastest first, until one fails. Only mutants that the compiler takes are counted.

A mutant is one of these: a body that returns at once, a condition that always or never holds, a comparison that is
turned round or takes its bound, an arm of a `match` that is passed over, a statement that is left out.
"""

import argparse
import bisect
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "mutants"
TREE = TARGET / "tree"
FEATURES = ["--features", "cli,serde"]
TESTS = ["cases", "diagnostics", "projects", "explain", "codegen"]
MEMORY = 8 << 30

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>b?r(?P<raw>\#*)".*?"(?P=raw)|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^']+|[^'\\])')
    |(?P<word>'?[A-Za-z_]\w*|\d[\w]*)
    |(?P<sign>&&=?|\|\||==|!=|<=|>=|=>|->|::|\.\.=|\.\.|[-+*/%^&|]=|.)""",
    re.VERBOSE | re.DOTALL,
)
OPEN, CLOSE = "([{", ")]}"
# What ends an operand of a comparison, and of `&&`, on either side.
COMPARED = {",", ";", "&&", "||", "=", "=>", "return", "if", "while", "let", "else", "in", "match", "|", "->", "{", "}"}
COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
# Never read by a mutated program that is asked for nothing.
SWITCH = """
/// Whether this is the mutant that is asked for.
#[allow(clippy::all)]
pub fn mutant(number: usize) -> bool {
    use std::sync::atomic::{AtomicBool, Ordering};
    static ASKED: std::sync::LazyLock<(usize, Option<std::ffi::OsString>)> = std::sync::LazyLock::new(|| {
        let number = std::env::var("MUTANT").ok().and_then(|text| text.parse().ok());
        (number.unwrap_or(usize::MAX), std::env::var_os("MUTANTS_SEEN"))
    });
    static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    if let Some(path) = &ASKED.1
        && !SEEN[number].swap(true, Ordering::Relaxed)
    {
        use std::io::Write;
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        file.unwrap().write_all(format!("{number}\\n").as_bytes()).unwrap();
    }
    number == ASKED.0
}
"""

# What is written in front of `start` and behind `end`, with `@` for the number.
Mutant = collections.namedtuple("Mutant", "file line what start end before after")


class File:
    """The tokens of a file without its tests, and where brackets end."""

    def __init__(self, name):
        self.name, self.text = name, (ROOT / name).read_text()
        self.code = self.text.split("\nmod tests {")[0]
        self.tokens = []
        for found in TOKEN.finditer(self.code):
            if found.lastgroup != "skip" and not found.group("skip"):
                self.tokens.append((found.group(), found.start(), found.end()))
        self.partner, stack = {}, []
        for number, (token, _, _) in enumerate(self.tokens):
            if token in OPEN:
                stack.append(number)
            elif token in CLOSE and stack:
                self.partner[number] = stack.pop()
                self.partner[self.partner[number]] = number
        self.lines = [found.start() for found in re.finditer("\n", self.text)]

    def token(self, number):
        return self.tokens[number][0] if 0 <= number < len(self.tokens) else ""

    def mutant(self, what, first, last, before, after=""):
        """A change around tokens; in front of `first` where `last` is before it."""
        start = self.tokens[first][1]
        end = self.tokens[last][2] if last >= first else start
        line = bisect.bisect_left(self.lines, start) + 1
        said = " ".join(self.text[start:end].split())[:70] or self.text.split("\n")[line - 1].strip()[:70]
        return Mutant(self.name, line, f"{what}: {said}", start, end, before, after)

    def behind(self, number, ends):
        """The last token of what begins here."""
        while number < len(self.tokens) and self.token(number) not in ends and self.token(number) not in CLOSE:
            number = self.partner.get(number, number) + 1
        return number - 1

    def ahead(self, number, ends):
        """The first token of what ends here."""
        while number >= 0 and self.token(number) not in ends and self.token(number) not in OPEN:
            number = self.partner.get(number, number) - 1
        return number + 1

    def mutants(self):
        for number, (token, _, _) in enumerate(self.tokens):
            if token == "fn" and re.fullmatch(r"\w+", self.token(number + 1)):
                yield from self.bodies(number)
            elif token in ("if", "while", "&&"):
                yield from self.conditions(number)
            elif token in COMPARISONS:
                yield from self.comparisons(number)
            elif token == "=>":
                yield from self.arms(number)
            elif token in (";", "{", "}"):
                yield from self.statements(number + 1)

    def bodies(self, number):
        body = number
        while body < len(self.tokens) and self.token(body) not in ("{", ";"):
            body = self.partner[body] + 1 if self.token(body) in "([" else body + 1
        if self.token(body) != "{" or body + 1 == self.partner.get(body):
            return
        head = " ".join(token for token, _, _ in self.tokens[number:body])
        gives = head.split(" where ")[0].rpartition(" -> ")[2] if " -> " in head else ""
        for sort, values in [
            (r"", [""]),
            (r"bool", ["true", "false"]),
            (r"Option <.*", ["None"]),
            (r"Result < \( \) ,.*", ["Ok(())"]),
            (r"Result < bool ,.*", ["Ok(true)", "Ok(false)"]),
            (r"Result < Option <.*", ["Ok(None)"]),
            (r"Vec <.*", ["Vec::new()"]),
            (r"String", ["String::new()"]),
            (r"[iu](8|16|32|64|size)", ["0", "1"]),
        ]:
            for value in values if re.fullmatch(sort, gives) else []:
                name = self.token(number + 1)
                change = self.mutant("", body + 1, body, f"if crate::mutant(@) {{ return {value}; }} ")
                yield change._replace(what=f"{name} gives {value or 'up'} at once")

    def conditions(self, number):
        first = number + 1
        if self.token(first) == "let":
            return
        ends = {"&&", "||", "{", "=>", ",", ";", "=", "}", "else"}
        last = self.behind(first, ends)
        if self.token(number) == "&&":
            # A borrow of a borrow, a closure, or a chain with `let`, of which only this part is one.
            before = self.ahead(number - 1, ends | {"if", "while", "return", "|"})
            if before > number - 1:
                return
            if self.token(before) != "let" and self.token(before - 1) not in ("if", "while", "&&"):
                yield self.mutant("always", before, number - 1, "(crate::mutant(@) || ", ")")
        if last >= first:
            yield self.mutant("always", first, last, "(crate::mutant(@) || ", ")")
            yield self.mutant("never", first, last, "(!crate::mutant(@) && ", ")")

    def comparisons(self, number):
        token, start, end = self.tokens[number]
        if self.code[start - 1] != " " or self.code[end : end + 1] not in (" ", "\n"):
            return
        first, last = self.ahead(number - 1, COMPARED), self.behind(number + 1, COMPARED)
        if first >= number or last <= number:
            return
        left = self.code[self.tokens[first][1] : self.tokens[number - 1][2]]
        right = self.code[self.tokens[number + 1][1] : self.tokens[last][2]]
        if token in ("==", "!="):
            yield self.mutant("turned round", first, last, "((", ") != crate::mutant(@))")
        elif token in ("<", ">"):
            yield self.mutant("with its bound", first, last, "(", f" || (crate::mutant(@) && {left} == {right}))")
        else:
            yield self.mutant("without its bound", first, last, "(", f" && !(crate::mutant(@) && {left} == {right}))")

    def arms(self, number):
        # Another arm must take what this one does not.
        after = number
        while after < len(self.tokens) and self.token(after) not in CLOSE:
            after = self.partner.get(after, after) + 1
            if self.token(after) == "=>" and self.token(after - 1) == "_" and self.token(after - 2) in (",", "}"):
                first = self.ahead(number - 1, {",", "{", "if"})
                if self.token(first - 1) != "if":
                    yield self.mutant("passed over", first, number - 1, "", " if !crate::mutant(@)")
                return

    def statements(self, first):
        if not re.fullmatch(r"[a-z_]\w*", self.token(first)) or self.token(first) in {
            "let", "return", "break", "continue", "use", "mod", "pub", "const", "static", "fn", "if", "match", "for",
            "while", "loop", "struct", "enum", "impl", "trait", "type", "else",
        }:  # fmt: skip
            return
        last = self.behind(first, {";", "=>", ",", "{"})
        if self.token(last + 1) == ";" and not (self.token(last) == "?" and self.token(first + 1) == "="):
            yield self.mutant("left out", first, last + 1, "if !crate::mutant(@) { ", " }")


def collect(folder):
    """All mutants of a folder. Files of tests have none."""
    names = sorted(os.path.relpath(path, ROOT) for path in (ROOT / folder).rglob("*.rs"))
    if (ROOT / folder).is_file():
        names = [folder]
    for name in names:
        if "/tests/" not in name and not name.endswith(("tests.rs", "testing.rs")):
            yield from File(name).mutants()


def write_tree(chosen):
    """A copy of the sources with all mutants in it."""
    listed = ["git", "ls-files", "Cargo.*", "README.md", "docs", "LICENSE*", "ytt-engine"]
    # The workspace has members that nothing here builds: their manifests are enough for cargo, and little to copy.
    listed += ["ytt-macros", "ytt-build", "tests", "examples"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    changes = collections.defaultdict(list)
    for number, mutant in chosen.items():
        changes[mutant.file].append((number, mutant))
    for name in filter(None, names):
        # A file that is deleted here is still listed.
        if not (ROOT / name).is_file():
            continue
        data = (ROOT / name).read_bytes()
        if name in changes:
            data = changed(data.decode(), changes[name]).encode()
        elif name == "ytt-engine/src/lib.rs":
            data += SWITCH.replace("COUNT", str(max(chosen) + 1)).encode()
        path = TREE / name
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def changed(text, mutants):
    """The text with its mutants; they nest, since tokens between brackets do."""
    places = []
    for number, mutant in mutants:
        inside = mutant.end - mutant.start
        before, after = (part.replace("@", str(number)) for part in (mutant.before, mutant.after))
        # At one place what ends comes first, the innermost first; then what begins, the outermost first.
        places.append((mutant.end, 0, inside, number, after))
        places.append((mutant.start, 1, -inside, -number, before))
    for place, _, _, _, new in sorted(places, reverse=True):
        text = text[:place] + new + text[place:]
    return text


def cargo(*arguments):
    # A build takes longer with it; the tests, which run for each mutant, take less.
    environment = {**os.environ, "CARGO_PROFILE_DEV_OPT_LEVEL": "1"}
    command = ["cargo", *arguments, "--target-dir", TARGET / "build"]
    return subprocess.run(command, cwd=TREE, env=environment, capture_output=True, text=True)


def messages(output):
    return [json.loads(line) for line in output.stdout.split("\n") if line.startswith("{")]


def leave_out_what_does_not_compile(chosen):
    """Takes the mutants out at which the compiler finds errors, until there are none."""
    while True:
        write_tree(chosen)
        built = cargo("check", "-p", "ytt-engine", "--lib", *FEATURES, "--message-format=json")
        wrong = set()
        for message in messages(built):
            message = message.get("message")
            for span in message["spans"] if message and message["level"] == "error" else []:
                for number, mutant in chosen.items():
                    if mutant.file == span["file_name"] and span["line_start"] <= mutant.line <= span["line_end"]:
                        wrong.add(number)
        if built.returncode == 0:
            return
        if not wrong:
            sys.exit(built.stderr[-3000:])
        for number in wrong:
            del chosen[number]


def programs():
    tests = ["--lib", *(f"--test={test}" for test in TESTS)]
    built = cargo("test", "-p", "ytt-engine", *FEATURES, *tests, "--no-run", "--message-format=json")
    if built.returncode:
        sys.exit(built.stderr[-3000:])
    found = {message["target"]["name"]: message["executable"] for message in messages(built) if message.get("executable")}
    return [found[name] for name in ["ytt_engine", *TESTS]]


def bound():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(program, seconds, **variables):
    """What a program of tests says: that it passed, failed, or did not end."""
    # The first test that fails is enough: an option that stable programs have only when they are asked like this.
    command = [program, "-q", "-Z", "unstable-options", "--fail-fast"]
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1", **variables}
    place = TREE / "ytt-engine"
    try:
        done = subprocess.run(
            command, cwd=place, env=environment, timeout=seconds, capture_output=True, stdin=subprocess.DEVNULL,
            preexec_fn=bound,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "does not end"
    return "passed" if done.returncode == 0 else "failed"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    asked = parser.parse_args()
    everything = [mutant for folder in asked.folders for mutant in collect(folder)]
    order = random.Random(asked.seed).sample(range(len(everything)), min(asked.count, len(everything)))
    chosen = {number: everything[at] for number, at in enumerate(order)}
    leave_out_what_does_not_compile(chosen)
    print(f"{len(chosen)} mutants are built, of {len(order)} of {len(everything)}, seed {asked.seed}", flush=True)

    known = {}
    for program in programs():
        seen = TARGET / "seen"
        seen.unlink(missing_ok=True)
        began = time.monotonic()
        if run(program, 1200, MUTANTS_SEEN=str(seen)) != "passed":
            sys.exit(f"{program} fails without a mutant")
        reached = {int(line) for line in seen.read_text().split()} if seen.exists() else set()
        known[program] = (time.monotonic() - began, reached)
        print(f"{pathlib.Path(program).name}: {known[program][0]:.0f} seconds, reaches {len(reached)}", flush=True)
    fastest = sorted(known, key=lambda program: known[program][0])
    end = time.monotonic() + asked.minutes * 60

    def judge(number):
        """How a mutant ended; `None` if no time was left."""
        result = "not reached"
        for program in fastest:
            seconds, reached = known[program]
            if number in reached:
                if time.monotonic() > end:
                    return None
                result = run(program, 60 + 8 * seconds, MUTANT=str(number))
                if result != "passed":
                    return result
        return result

    ended = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, result in zip(chosen, pool.map(judge, chosen)):
            ended[result or "not tried"] += 1
            if result in ("passed", "not reached", "does not end"):
                mutant = chosen[number]
                print(f"{result}: {mutant.file}:{mutant.line}: {mutant.what}", flush=True)
    print(", ".join(f"{count} {result}" for result, count in ended.most_common()))


main()
