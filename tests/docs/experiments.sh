#!/bin/bash
# SPDX-License-Identifier: MIT
# Every file of results/experiments names a commit of this repository. automaton.json is unaltered, its page matches it, and the command
# counts the same.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
fail()
{
    echo "FAIL: $*" >&2
    exit 1
}

bench/grow-experiments --check
for file in results/experiments/*.json; do
    for commit in $(jq -r '(.machines // [.machine])[].commit' "$file"); do
        if [[ $(git rev-parse --is-shallow-repository 2>/dev/null) == false ]]; then
            git cat-file -e "$commit^{commit}" || fail "$file is of $commit, which is no commit here"
        fi
    done
done

python3 -B - <<'END' || fail "the committed counts (>) are not those of here (<)"
import importlib.machinery, importlib.util, json, sys
sys.path.insert(0, "bench")
loader = importlib.machinery.SourceFileLoader("grow", "bench/grow-experiments")
grow = importlib.util.module_from_spec(importlib.util.spec_from_loader("grow", loader))
loader.exec_module(grow)
here, committed = grow.ask("voxphys")["grown"], json.load(open(grow.FILE))["grown"]
for h, c in zip(here, committed, strict=True):
    if h != c:
        print("<", h, "\n>", c)
sys.exit(here != committed)
END
