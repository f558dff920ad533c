#!/bin/bash
# SPDX-License-Identifier: MIT
# doxygen.sh DOXYGEN: doxygen reads all public headers without a warning. Types, functions and macros must have a comment. Members and
# enumerators may lack one if their name says everything.
set -uo pipefail

pages=$VOXPHYS_BUILD/docs/html
rm -rf "$pages"
output=$("$1" "$VOXPHYS_BUILD/Doxyfile" 2>&1) || { echo "FAIL: $1: $output" >&2; exit 1; }
for header in "$VOXPHYS_SOURCE"/include/voxphys/*.h "$VOXPHYS_SOURCE"/include/voxphys/kernel/*.h; do
    grep -qrF --include=*.html "${header#"$VOXPHYS_SOURCE/include/"} File Reference" "$pages" || output+=$'\n'"$header: not in the pages"
done
faults=$(grep -vE ': Member [^ ]+ \((variable\) of (struct|union)|enumvalue\) of file) [^ ]+ is not documented\.$' <<<"$output" | grep .)
[[ -z $faults ]] || { echo "FAIL: $faults" >&2; exit 1; }
