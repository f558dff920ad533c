#!/bin/bash
# SPDX-License-Identifier: MIT
# browser.sh DUMP: pages of step records in a real browser.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
dump=$1
if ! command -v chromium >/dev/null; then
    echo "skipped: there is no chromium here"
    exit 77
fi
cd "$scratch" || exit 1
cat >small.json <<'END'
{"size": [24, 32, 24], "ground": 5, "seed": 3, "plant": [{"species": "cherry", "at": [12, 12]}]}
END
"$dump" moving b.vpr && "$dump" sample 300 s.vpr && "$dump" sample 5 few.vpr || exit 1
run grow small.json --steps 80 --record g.vpr
expect_status 0
head -c 150000 s.vpr >cut.vpr
# Decompositions whose edges were dropped by a ray, dropped through inheritance, decided by area, or left in the queue by the minimum number
# of hulls.
cat >flat.obj <<'END'
v 0 0 0
v 1 0 0
v 2 0 0
v 0 1 0
v 1 1 0
v 2 1 0
v 0 2 0
v 1 2 0
f 1 2 5
f 1 5 4
f 2 3 6
f 2 6 5
f 4 5 8
f 4 8 7
END
decomposed() # NAME ARGUMENT...
{
    run decompose "${@:2}" --record "$1.vpr" --json
    expect_status 0
    expect_json "frames of $1" '.record.frames == .counts.collapses + .counts.drops + 1'
    expect_json "bytes of $1" ".record.bytes == $(stat -c %s "$1.vpr") and .record.bytes < 150 * .record.frames + 3000"
    "$dump" print "$1.vpr" | grep -E '^(frame|decisions|input)' >"$1.txt" || fail "$1 can't be read"
}
decomposed d-l solid-l
decomposed d-few solid-l --min-hulls 3
decomposed d-gear solid-gear --quantization 5
decomposed d-flat flat.obj
head -c 40000 d-gear.vpr >d-cut.vpr
for name in b s g cut d-l d-few d-gear d-flat d-cut; do
    run view "$name.vpr" -o "$name.html"
    expect_status 0
done
run view d-gear.vpr -o d-part.html --frames 900..1069
expect_status 0
if [[ -n ${VOXPHYS_PICTURES-} ]]; then # only for a picture of the documents
    cp "$VOXPHYS_SOURCE/datasets/scenes/arch.json" . && run simulate arch.json --record arch.vpr
    expect_status 0
    run view arch.vpr -o arch.html
    expect_status 0
fi
python3 -B "$VOXPHYS_SOURCE/tests/view/lies.py" few.vpr . || exit 1
run view lie-29.vpr -o odd.html
expect_status 0
sed 's|\(id="recording">....................\)....|\1AAAA|' s.html >bad.html
shown="the pages in a browser"
python3 -B "$VOXPHYS_SOURCE/tests/view/look.py" "$scratch" || fail "they are not what they should be"
finish
