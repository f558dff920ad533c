#!/bin/bash
# SPDX-License-Identifier: MIT
# timed.sh FILE COMMAND...: runs the command, and writes its user and system time into FILE, in minutes and seconds.
set -uo pipefail
file=$1
mkdir -p "${file%/*}"
"${@:2}"
status=$?
times >"$file"
exit "$status"
