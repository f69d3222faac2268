"""Counts the instructions of a few small renders by valgrind, and compares with what is kept in `.ci/instructions`.

A count that has grown by more than a tenth is an error. `--bless` writes the counts anew: do so when they fell, and say
in the commit why when they grew. Without valgrind nothing is run, and that is said.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KEPT = pathlib.Path(__file__).with_name("instructions")
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
COMMAND = TARGET / "release" / "cargo-ytt"
GROWTH = 1.1

LOAD = '#@ load("@ytt:{0}", "{0}")\n'
DEPLOYMENT = """---
kind: Deployment
metadata:
  name: {name}
spec:
  replicas: {replicas}
  template:
    spec:
      containers:
      - name: web
        image: {image}
"""


def loop(count):
    body = DEPLOYMENT.format(name='#@ "web-" + str(i)', replicas="#@ i", image="#@ image(i)")
    head = '#@ def image(i):\n#@   return "nginx:1." + str(i)\n#@ end\n'
    return {"a.yml": f"{head}#@ for i in range({count}):\n{body}#@ end\n"}


def overlay(count):
    documents = "".join(DEPLOYMENT.format(name=f"web-{i}", replicas=1, image="nginx") for i in range(count))
    match = '#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="1+"\n'
    return {"a.yml": documents, "o.yml": LOAD.format("overlay") + match + "---\nspec:\n  replicas: 3\n"}


def schema(count):
    keys = "".join(f"k{i}:\n  a: {i}\n  b: text\n" for i in range(count))
    return {
        "schema.yml": "#@data/values-schema\n---\n" + keys,
        "values.yml": "#@data/values\n---\n" + keys,
        "a.yml": LOAD.format("data") + "a: #@ data.values.k0.a\n",
    }


def files(count):
    helper = "#@ def labels(name):\napp: #@ name\n#@ end\n"
    text = '#@ load("labels.lib.yml", "labels")\nlabels: #@ labels("web-{}")\n'
    return {"labels.lib.yml": helper, **{f"f{i}.yml": text.format(i) for i in range(count)}}


def text(count):
    line = 'server (@= "web-" + str({0}) @) {{ listen (@= str({0}) @); }}\n'
    return {"a.txt": "".join(line.format(i) for i in range(count)), "b.yml": "a: 1\n"}


WORK = {
    "start": {"a.yml": "a: #@ 1\n"},
    "loop": loop(200),
    "overlay": overlay(200),
    "schema": schema(200),
    "files": files(50),
    "text": text(200),
}


def instructions(inputs):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in inputs.items():
            pathlib.Path(folder, name).write_text(content)
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", COMMAND, "ytt", "-f", folder]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or not found:
            sys.exit(done.stderr)
        return int(found[1])


def main():
    if shutil.which("valgrind") is None:
        print("not run: valgrind is not installed")
        return
    counts = {name: instructions(inputs) for name, inputs in WORK.items()}
    if "--bless" in sys.argv:
        KEPT.write_text("".join(f"{name} {count}\n" for name, count in counts.items()))
    kept = {name: int(count) for name, count in (line.split() for line in KEPT.read_text().splitlines())}
    for name, count in counts.items():
        print(f"{name:8} {count:>12,} instructions, {count / kept[name]:.2f} of what is kept")
    grown = [name for name, count in counts.items() if count > kept[name] * GROWTH]
    if grown:
        sys.exit(f"more than a tenth more instructions: {', '.join(grown)}")


main()
