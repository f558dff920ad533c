#!/bin/bash
# SPDX-License-Identifier: MIT
# example.sh: the README shows, as a block fenced as c, the very program that tests/package builds and runs, without its
# licence line.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
shown=$(awk '/^```/ { if (open) exit; open = $0 == "```c"; next } open' README.md)
built=$(sed 1d tests/package/consumer.c)
if ! diff <(echo "$built") <(echo "$shown"); then
    echo "FAIL: README.md's first c block (>) is not tests/package/consumer.c (<)" >&2
    exit 1
fi
