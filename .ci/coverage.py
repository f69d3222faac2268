"""Which lines and regions of the engine and the command no test reaches.

    python3 .ci/coverage.py                 # build, run, list lines that are not reached in `target/coverage/lines.txt`
    python3 .ci/coverage.py FILE…           # the lines of these files, as the last run found them

What is run: unit tests, cases, projects and the command, the kept inputs of the fuzz targets, the examples of the
pages, and the conformance cases beside the checkout. By hand, since everything is built once more. `llvm-profdata` and
`llvm-cov` must be of the compiler's LLVM (`rustc -vV`): those in the folder `LLVM`, of `rustup component add llvm-tools`,
or of the system's package, which is installed where that can be done.

A region is what LLVM counts: a part of an expression that may run or not, also what `?` gives back early. It is reached
if it is in any program, a line if the last region is that begins or goes on there. Modules of tests do not count.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "coverage"
FEATURES = ["--features", "cli,serde,serde_yaml"]
OTHERS = ["-p", "ytt-tests", "-p", "ytt-macros", "-p", "ytt-build", "--features", "ytt-engine/cli,ytt-engine/serde_yaml"]
RUNS = [
    ["-p", "ytt-engine", *FEATURES, "--lib", "--bins", "--tests"],
    [*OTHERS, "--lib", "--test", "corpus", "--test", "docs"],
    # Of the packages only those for which nothing is built.
    [*OTHERS, "--test", "consumers", "--", "commands"],
]
# Only the members of the workspace are measured. A shell in this place would drop variables with `-` in their names.
WRAPPER = """#!/usr/bin/env python3
import os, sys
os.execvp(sys.argv[1], sys.argv[1:] + ["-C", "instrument-coverage"])
"""
CODE = 0


def told(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def llvm():
    """The folder of LLVM's programs that read what this compiler's programs write."""
    facts = dict(line.split(": ") for line in told("rustc", "-vV").splitlines() if ": " in line)
    major = facts["LLVM version"].split(".")[0]
    own = pathlib.Path(told("rustc", "--print", "sysroot").strip()) / "lib/rustlib" / facts["host"] / "bin"
    usual = pathlib.Path(f"/usr/lib/llvm-{major}/bin")
    folders = [pathlib.Path(os.environ.get("LLVM", own)), own, usual]
    if not any((folder / "llvm-cov").exists() for folder in folders):
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", f"llvm-{major}"], stdout=subprocess.DEVNULL)
    for folder in folders:
        if (folder / "llvm-cov").exists():
            return folder
    sys.exit(f"llvm-cov of LLVM {major} is not here: say where by LLVM=FOLDER")


def measure():
    tools = llvm()
    found = TARGET / "found"
    found.mkdir(parents=True, exist_ok=True)
    for old in found.iterdir():
        old.unlink()
    wrapper = TARGET / "rustc"
    wrapper.write_text(WRAPPER)
    wrapper.chmod(0o755)
    # What is killed writes nothing; processes of one program share some files.
    profile = str(found / "%4m.profraw")
    os.environ |= {"RUSTC_WORKSPACE_WRAPPER": str(wrapper), "CARGO_INCREMENTAL": "0", "LLVM_PROFILE_FILE": profile}
    command = TARGET / "debug/cargo-ytt"
    os.environ["COMMAND_OF_TESTS"] = str(command)
    programs = set()
    for run in RUNS:
        chosen, _, names = " ".join(run).partition(" -- ")
        tests = ["cargo", "test", "--target-dir", str(TARGET), *chosen.split(), "--no-fail-fast"]
        for line in told(*tests, "--no-run", "--message-format=json-render-diagnostics").splitlines():
            programs.add(json.loads(line).get("executable") or "")
        # A test that fails reaches what it reaches; that it fails is told by others.
        subprocess.run([*tests, "--", *names.split()], cwd=ROOT)
    if (ROOT / "../shared/conformance").is_dir():
        subprocess.run([ROOT / "../shared/conformance/run", "--bin", command], cwd=ROOT)
    merged = TARGET / "all.profdata"
    subprocess.run([tools / "llvm-profdata", "merge", "-sparse", *found.glob("*.profraw"), "-o", merged], check=True)
    objects = [part for program in sorted(programs - {""}) for part in ("-object", program)]
    with open(TARGET / "all.json", "w") as out:
        export = [tools / "llvm-cov", "export", "-instr-profile", merged, command, *objects]
        subprocess.run(export, check=True, stdout=out)


def tests_begin(lines):
    """The number of the line with the module of tests of a file."""
    begins = (number for number, line in enumerate(lines, 1) if line.startswith("mod tests {"))
    return next(begins, len(lines) + 1)


def regions():
    """Of each file of the engine the regions, with how often they ran in the program that ran them most."""
    data = json.loads((TARGET / "all.json").read_text())["data"][0]
    found, sources = collections.defaultdict(dict), {}
    for function in data["functions"]:
        for *place, count, file, _, kind in function["regions"]:
            name = os.path.relpath(function["filenames"][file], ROOT)
            is_test = "/tests/" in name or name.endswith(("tests.rs", "testing.rs"))
            if kind != CODE or is_test or not name.startswith("ytt-engine/src/"):
                continue
            if name not in sources:
                sources[name] = (ROOT / name).read_text().split("\n")
            if place[0] < tests_begin(sources[name]):
                place = tuple(place)
                found[name][place] = max(found[name].get(place, 0), count)
    return found, sources


def lines_of(places, source):
    """Each line with code, and whether it is reached."""
    reached = {}
    for (start, first, end, last), count in sorted(places.items(), key=lambda one: (one[0][0] - one[0][2], one[0])):
        for line in range(start, end + 1):
            again = start == end and line in reached
            reached[line] = (reached[line] or count > 0) if again else count > 0
    # What closes a block belongs to whatever is around it.
    return {line: is_reached for line, is_reached in reached.items() if source[line - 1].strip(" });,")}


def main():
    if len(sys.argv) == 1:
        measure()
    found, sources = regions()
    lines = {name: lines_of(places, sources[name]) for name, places in found.items()}
    if len(sys.argv) > 1:
        for name in sys.argv[1:]:
            places = [place for place, count in found[name].items() if not count]
            missed = {line for start, _, end, _ in places for line in range(start, end + 1)}
            print(f"== {name}")
            for line in sorted(missed):
                print(f"{line:5} {sources[name][line - 1]}")
        return
    missed = {name: [line for line, is_reached in sorted(file.items()) if not is_reached] for name, file in lines.items()}
    with open(TARGET / "lines.txt", "w") as out:
        for name in sorted(filter(missed.get, missed), key=lambda name: -len(missed[name])):
            out.write(f"== {name}: {len(missed[name])} of {len(lines[name])} lines\n")
            out.writelines(f"{line:5} {sources[name][line - 1]}\n" for line in missed[name])
    for name, places in sorted(found.items(), key=lambda one: (len(missed[one[0]]), one[0]))[-60:]:
        regions_missed = sum(not count for count in places.values())
        print(f"{len(missed[name]):4} lines, {regions_missed:5} of {len(places):5} regions: {name}")
    print(f"each line: {os.path.relpath(TARGET / 'lines.txt')}")
    for what, counts in [
        ("lines", [one for file in lines.values() for one in file.values()]),
        ("regions", [count for file in found.values() for count in file.values()]),
    ]:
        reached = sum(1 for count in counts if count)
        print(f"{what}: {reached} of {len(counts)} are reached, {reached / len(counts):.2%}")


main()
