#!/bin/bash
# SPDX-License-Identifier: MIT
# The report and the page of a conformance matrix in a real browser: no errors, no requests, sorted and filtered, light, dark, on a narrow
# screen, on paper, without scripts.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
python=/usr/bin/python3
[[ -x $python ]] || python=python3
if ! command -v chromium >/dev/null || ! "$python" -c 'import jinja2' 2>/dev/null; then
    echo "skipped: there is no chromium here, or no Jinja2"
    exit 77
fi
run report "$VOXPHYS_SOURCE/results" --out "$scratch"
expect_status 0
"$python" "$VOXPHYS_SOURCE/tests/results/folder.py" "$VOXPHYS_SOURCE" "$scratch/made/made-up-2cpu" || exit 1
run results make "$scratch/made/made-up-2cpu"
cp -r "$scratch/made/made-up-2cpu" "$scratch/made/other"
run report "$scratch/made"
expect_status 0
run check --family hull2 --html "$scratch/check.html" --adapter "voxphys adapter --isa scalar" --adapter "voxphys adapter --isa best"
expect_status 0
voxphys check --family hull2 --json --adapter "voxphys adapter" | jq '.vectors[0].results[0].result = "fail"' | "$python" -B "$VOXPHYS_SOURCE/report/report.py" check "$scratch/wrong.html"
shown="the pages in a browser"
checks=$((checks + 1))
"$python" -B "$VOXPHYS_SOURCE/tests/report/look.py" "$scratch/report.html" "$scratch/made/report.html" "$scratch/check.html" "$scratch/wrong.html" || fail "they are not what they should be"
finish
