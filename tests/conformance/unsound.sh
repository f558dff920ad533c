#!/bin/bash
# SPDX-License-Identifier: MIT
# unsound.sh: a corpus with one fault, of about 250 kinds, is refused by the reader with its file and vector. The schema refuses it too if a
# schema can express the rule.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
unset VOXPHYS_ISA
shown="alterations.py"
checks=$((checks + 1))
python3 "$VOXPHYS_SOURCE/tests/conformance/alterations.py" "$scratch" >"$scratch/out" 2>"$scratch/err" || fail "something unsound is taken: $(tail -n 40 "$scratch/out" "$scratch/err")"
tail -n 1 "$scratch/out"
finish
