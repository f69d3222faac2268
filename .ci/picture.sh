#!/usr/bin/env bash
# Makes docs/explain.png, the picture in README, from the page of the example as it is.
# CHROMIUM is the path of a Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."

picture="$PWD/docs/explain.png"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cargo build -q -p ytt-engine --features cli --bin cargo-ytt
command="$(realpath "${CARGO_TARGET_DIR:-target}/debug/cargo-ytt")"
cd examples/guestbook
page="$scratch/explain.html"
"$command" explain -f config -f overlays/prod --html "$page" >/dev/null
# The line whose history is shown is found by what stands on it.
line="$("$command" -f config -f overlays/prod | grep -n -m 1 -e '--log-level=' | cut -d: -f1)"
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" \
    --window-size=1200,720 --screenshot="$picture" "file://$page#L$line" >/dev/null 2>&1
size="$(wc -c <"$picture")"
[ "$size" -le 200000 ] || { echo "the picture is too large: $size bytes" >&2; exit 1; }
