#!/bin/bash
# SPDX-License-Identifier: MIT
# grow_experiments.sh: docs/kernels/automaton.md is the output of bench/grow-experiments for the committed file, and an altered figure is
# found. Growing here gives the file's counts and digests.
set -euo pipefail
. "$VOXPHYS_SOURCE/tests/docs/experiments.bash"
begin grow automaton
sed -i '/^| voxels of wood |/s/2,304/2,305/' "$copy/$page"
found "another figure in the table"
python3 - "$file" <<'END' || fail "the committed counts (>) are not those of here (<)"
import importlib.machinery, importlib.util, json, sys
sys.path.insert(0, "bench")
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("grow", "bench/grow-experiments")
grow = importlib.util.module_from_spec(importlib.util.spec_from_loader("grow", loader))
loader.exec_module(grow)
here, committed = grow.ask("voxphys")["grown"], json.load(open(sys.argv[1]))["grown"]
for h, c in zip(here, committed, strict=True):
    if h != c:
        print("<", h, "\n>", c)
sys.exit(here != committed)
END
echo "what grows in four places is counted again"
