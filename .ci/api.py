"""Compares the public API of the three crates with what is kept in `.ci/api`.

Any difference is an error: a change of the API is a decision, which `--bless` writes down. What `codegen` has is left out,
since it may change in any release. `cargo public-api` reads what rustdoc tells as JSON, which stable compilers give only
when asked as this script does; without the program, or with a compiler that it does not know, nothing is run, and that is
said.
"""

import difflib
import os
import pathlib
import shutil
import subprocess
import sys

KEPT = pathlib.Path(__file__).with_name("api")
CRATES = {
    "ytt-engine": ["--features", "serde,serde_yaml"],
    "ytt-macros": [],
    "ytt-build": [],
}


def listing(crate, flags):
    # Implementations of auto traits and blanket ones are left out: they follow from the rest.
    command = ["cargo", "public-api", "-sss", "-p", crate, *flags]
    return subprocess.run(command, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, capture_output=True, text=True)


def main():
    bless = "--bless" in sys.argv[1:]
    if not shutil.which("cargo-public-api"):
        print("not run: cargo-public-api is not installed")
        return 0
    KEPT.mkdir(exist_ok=True)
    failed = 0
    for crate, flags in CRATES.items():
        made = listing(crate, flags)
        if made.returncode != 0:
            last = (made.stderr.strip().splitlines() or ["no output"])[-1]
            print(f"not run: the API of {crate} cannot be listed with this compiler: {last}")
            continue
        path = KEPT / f"{crate}.txt"
        kept = path.read_text() if path.exists() else ""
        if bless:
            path.write_text(made.stdout)
        difference = list(difflib.unified_diff(kept.splitlines(), made.stdout.splitlines(), "kept", "now", n=0, lineterm=""))
        print(f"{crate}: {len(made.stdout.splitlines())} items, {'the same' if not difference else 'changed'}")
        if difference and not bless:
            failed = 1
            print("\n".join(difference[:60]))
    return failed


sys.exit(main())
