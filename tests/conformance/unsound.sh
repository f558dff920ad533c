#!/bin/bash
# SPDX-License-Identifier: MIT
# unsound.sh: a corpus in which one thing is wrong, of some 250, is refused when it is read, with its file and its vector; and by the schema, where a
# schema can say it.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
unset VOXPHYS_ISA
shown="alterations.py"
checks=$((checks + 1))
python3 "$VOXPHYS_SOURCE/tests/conformance/alterations.py" "$scratch" >"$scratch/out" 2>"$scratch/err" || fail "something unsound is taken: $(tail -n 40 "$scratch/out" "$scratch/err")"
tail -n 1 "$scratch/out"
finish
