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
"$dump" merging m.vpr && "$dump" sample 300 s.vpr || exit 1
run grow small.json --steps 80 --record g.vpr
expect_status 0
head -c 150000 s.vpr >cut.vpr
for name in m s g cut; do
    run view "$name.vpr" -o "$name.html"
    expect_status 0
done
sed 's|\(id="recording">....................\)....|\1AAAA|' m.html >bad.html
shown="the pages in a browser"
checks=$((checks + 1))
python3 -B "$VOXPHYS_SOURCE/tests/view/look.py" "$scratch" || fail "they are not what they should be"
finish
