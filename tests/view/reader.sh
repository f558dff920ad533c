#!/bin/bash
# SPDX-License-Identifier: MIT
# reader.sh DUMP NODE: the page's reader accepts and refuses the same files as the reader in C, with the same words.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
dump=$1 node=$2
scripted() { "$node" "$VOXPHYS_SOURCE/tests/view/dump.mjs" "$VOXPHYS_SOURCE/viewer" "$@"; }

for make in "sample 300" "sample 1" moving; do
    read -ra words <<<"$make"
    checks=$((checks + 3))
    if ! "$dump" "${words[@]}" a.vpr || ! "$dump" print a.vpr >c.txt || ! scripted print a.vpr >js.txt; then
        fail "$make: it can't be read"
    fi
    [[ -s c.txt ]] || fail "$make: it shows nothing"
    cmp -s c.txt js.txt || fail "$make: they read another recording"
done

# Truncated and damaged.
"$dump" sample 300 a.vpr || exit 1
size=$(stat -c %s a.vpr)
files=()
for at in 0 7 8 20 31 32 100 600 1500 20000 60000 $((size - 13)) $((size - 12)) $((size - 5)); do
    head -c "$at" a.vpr >"cut-$at.vpr"
    files+=("cut-$at.vpr")
done
for at in 3 8 20 24 30 33 500 5000 70000 $((size - 30)) $((size - 12)) $((size - 1)); do
    { head -c "$at" a.vpr; head -c $((at + 1)) a.vpr | tail -c 1 | tr '\000-\377' '\001-\377\000'; tail -c +$((at + 2)) a.vpr; } >"bad-$at.vpr"
    files+=("bad-$at.vpr")
done
"$dump" sample 5 few.vpr && python3 -B "$VOXPHYS_SOURCE/tests/view/lies.py" few.vpr . || exit 1
files+=(lie-*.vpr)
for file in "${files[@]}"; do
    run view "$file" --json
    if [[ $status -eq 0 ]]; then
        jq -r '"\(.frames) frames\(if .cut then ", cut" else "" end)"' <<<"$out"
    else
        sed "s/^voxphys view: $file: //; s/^the recording has no whole frame$/0 frames, cut/" <<<"$err"
    fi
done >c.txt
# For errors in headers, each has its own words.
sed -i -E 's/^(the header:|layer "|two layers|the name of layer|.* has [0-9]+ columns).*/the header/; s/program reads/page reads/' c.txt
scripted open "${files[@]}" | sed -E 's/^the header:.*/the header/' >js.txt || fail "the page's reader ends"
checks=$((checks + 2))
[[ $(wc -l <c.txt) -eq ${#files[@]} ]] || fail "a line for each file"
diff c.txt js.txt >&2 || fail "they say something else of what is cut or damaged"
finish
