#!/bin/bash
# SPDX-License-Identifier: MIT
# scene_experiments.sh [PROGRAM...]: docs/kernels/scene.md is the output of bench/scene-experiments for the committed file, and an altered
# figure in either is found. PROGRAM, voxphys-scene-experiments (with its emulator, if any), must reproduce the file's counts.
set -euo pipefail
. "$VOXPHYS_SOURCE/tests/docs/experiments.bash"
begin scene scene
sed -i 's/^It is \([0-9]\)/It is 1\1/' "$copy/$page"
found "another figure in a sentence"
# A file with another count, but with a valid seal, gives another page.
python3 -B - "$file" "$copy/$file" <<'END'
import json, sys
sys.path.insert(0, "bench")
from experiments import sealed
with open(sys.argv[1], encoding="utf-8") as f:
    data = json.load(f)
del data["seal"]
for row in data["rules"]:
    if (row["scene"], row["objects"], row["rule"]) == ("hills", 10000, "least"):
        row["nodes"] *= 2
with open(sys.argv[2], "w", encoding="utf-8") as f:
    f.write(sealed(json.dumps(data, indent=1) + "\n"))
END
"$copy/bench/scene-experiments" --page
cmp -s "$copy/$page" "$page" && fail "--page does not write the page"
cp "$page" "$copy/$page"
found "another count in the file"
sed -i '/^<!-- .experiments -->$/d' "$copy/$page"
found "a page without its place"
status=0
bench/scene-experiments --chek 2>"$copy/log" || status=$?
[[ $status -eq 2 ]] || fail "an argument that is unknown ends with $status, not 2"

[[ $# -gt 0 ]] || exit 0
"$@" --counts 1000 >"$copy/counts.json"
counts='{rules: [.rules[] | select(.objects == 1000) | del(.build_ms, .excess)], looseness: [.looseness[] | select(.objects == 1000) | del(.excess)]}
    | walk(if type == "number" then . * 1000 | round else . end)'
diff <(jq "$counts" "$copy/counts.json") <(jq "$counts" "$file") || fail "the committed counts (>) are not those of here (<)"
echo "$(jq "$counts | [.[][]] | length" "$copy/counts.json") rows are counted again"
