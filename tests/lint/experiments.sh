#!/bin/bash
# SPDX-License-Identifier: MIT
# experiments.sh: every file of results/experiments is unaltered since its measurement, and names the program and its
# commit.
set -euo pipefail
cd "$VOXPHYS_SOURCE/bench"
python3 -B - ../results/experiments/* <<'END'
import sys
from experiments import fault_of

faults = 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        fault = fault_of(f.read())
    if fault:
        print(f"FAIL: {path} {fault}", file=sys.stderr)
        faults += 1
print(f"{len(sys.argv) - 1} files, {faults} failures")
sys.exit(faults > 0)
END
