#!/bin/bash
# SPDX-License-Identifier: MIT
# timed.sh FILE COMMAND...: runs the command, and writes into FILE what it took: minutes and seconds of the processor, user and system.
set -uo pipefail
file=$1
mkdir -p "${file%/*}"
"${@:2}"
status=$?
times >"$file"
exit "$status"
