"""Runs the recorded cases of the reference that stand beside the checkout, and holds each area to its floor."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
RUNNER = SHARED / "conformance" / "run"
SCENARIOS = SHARED / "design" / "spike" / "scenarios"


def floors():
    for line in (ROOT / ".ci" / "conformance-floor").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            area, floor = line.split()
            yield area, int(floor)


def passed(command):
    """How many cases pass: the last line of the runner says it."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    last = done.stdout.strip().splitlines()[-1]
    return int(last.split()[0]), last


def main():
    if not RUNNER.exists():
        print("no recorded cases beside this checkout: not run")
        return 0
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    binary = (ROOT / target / "release" / "cargo-ytt").resolve()
    failed = False
    for area, floor in floors():
        command = [str(RUNNER), "--bin", str(binary)]
        command += ["--cases", str(SCENARIOS)] if area == "identity" else ["--area", area]
        count, last = passed(command)
        word = "ok" if count >= floor else "BELOW THE FLOOR"
        failed |= count < floor
        print(f"{area:16} {last:28} floor {floor}: {word}", flush=True)
    return 1 if failed else 0


sys.exit(main())
