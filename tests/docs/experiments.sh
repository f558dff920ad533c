#!/bin/bash
# SPDX-License-Identifier: MIT
# experiments.sh NAME FILE [PROGRAM...]: results/experiments/FILE.json is unaltered and names its commit, and the pages in docs/kernels are
# the output of bench/NAME-experiments for it. PROGRAM, voxphys-NAME-experiments, must reproduce the file's counts of small inputs.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
name=$1
file=results/experiments/$2.json
program=("${@:3}")
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
fail()
{
    echo "FAIL: $*" >&2
    exit 1
}

"bench/$name-experiments" --check
for commit in $(jq -r '(.machines // [.machine])[].commit' "$file"); do
    if [[ $(git rev-parse --is-shallow-repository 2>/dev/null) == false ]]; then
        git cat-file -e "$commit^{commit}" || fail "$file is of $commit, which is no commit here"
    fi
done

recount() # ROWS FILTER ARGUMENT...: the filter yields as many rows, and the same ones, of the program's output and of the file
{
    "${program[@]}" "${@:3}" >"$counts" 2>/dev/null
    diff <(jq -S "$2" "$counts") <(jq -S "$2" "$file") || fail "the committed counts (>) are not those of here (<)"
    [[ $(jq "$2 | length" "$file") -eq $1 ]] || fail "$file has not $1 rows of $2"
    echo "${*:3}: $1 rows are counted again"
}

[[ $name == grow || ${#program[@]} -gt 0 ]] || exit 0
hundredths='walk(if type == "number" then . * 100 | round else . end)' # the file has three decimals, and a tie rounds either way
case $name in
decompose) recount 1 "[.meshes[] | select(.mesh == \"solid-stairs\" and .who == \"voxphys\") | del(.seconds)] | $hundredths" --only solid-stairs ;;
grow)
    python3 -B - "$file" <<'END' || fail "the committed counts (>) are not those of here (<)"
import importlib.machinery, importlib.util, json, sys
sys.path.insert(0, "bench")
loader = importlib.machinery.SourceFileLoader("grow", "bench/grow-experiments")
grow = importlib.util.module_from_spec(importlib.util.spec_from_loader("grow", loader))
loader.exec_module(grow)
here, committed = grow.ask("voxphys")["grown"], json.load(open(sys.argv[1]))["grown"]
for h, c in zip(here, committed, strict=True):
    if h != c:
        print("<", h, "\n>", c)
sys.exit(here != committed)
END
    ;;
esac
