#!/bin/bash
# SPDX-License-Identifier: MIT
# browser.sh MODULE PAGE: the page in a real browser, by mouse, keys and touch, light and dark, on a narrow screen. Its hash equals node's.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
if ! command -v chromium >/dev/null; then
    echo "skipped: there is no chromium here"
    exit 77
fi
script=$VOXPHYS_SOURCE/tests/playground/script.txt
run_as "playground in node" node "$VOXPHYS_SOURCE/tests/playground/replay.mjs" "$1" "$script"
expect_status 0
shown="the page in a browser"
checks=$((checks + 1))
[[ $(stat -c %s "$2") -lt 3000000 ]] || fail "it has 3 MB or more"
python3 -B "$VOXPHYS_SOURCE/tests/playground/look.py" "$2" "$script" "${out%%$'\n'*}" || fail "it is not what it should be"
finish
