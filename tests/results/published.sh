#!/bin/bash
# SPDX-License-Identifier: MIT
# The published results stand.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
# shellcheck source-path=SCRIPTDIR
. "$VOXPHYS_SOURCE/tests/results/folder.bash"
script=$VOXPHYS_SOURCE/tests/results/published

published() # STATUS WORDS [RESULTS]: exit status and output
{
    run_as "tests/results/published ${*:3}" "$script" voxphys "${@:3}"
    expect_status "$1"
    expect_in "what is told" "$out$err" "$2"
}

published 0 ", 0 failures"
expect_equal "folders" "$(find "$VOXPHYS_SOURCE/results" -mindepth 1 -maxdepth 1 -type d -not -name '.*' -not -name experiments | wc -l)" "$(sed -n 's/^\([0-9]*\) folders judged.*/\1/p' <<<"$out")"
# The results of a machine take less than 2 MB.
while read -r bytes name; do
    checks=$((checks + 1))
    [[ $bytes -lt 2000000 ]] || fail "$name takes $bytes bytes"
done < <(du --bytes --separate-dirs "$VOXPHYS_SOURCE"/results/*/)

# The continuous integration runs this script.
expect_in "ci.yml" "$(cat "$VOXPHYS_SOURCE/.github/workflows/ci.yml")" "- run: tests/results/published build/release/bin/voxphys"

finish
