#!/bin/bash
# SPDX-License-Identifier: MIT
# null.sh FOLDER: every function of the headers that returns a status and takes a pointer has a call in a table of REJECTS, with the names
# of its parameters.
set -euo pipefail

. "$VOXPHYS_SOURCE/tests/files.bash"

tables=$(cat "$VOXPHYS_SOURCE/tests/core/test_null.c" "$VOXPHYS_SOURCE/tests/import/test_import.c" | tr -s ' \n' ' ' | sed 's/REJECTS/\n&/g')
count=0
while IFS='(' read -r name parameters; do
    count=$((count + 1))
    call=$(grep -F "REJECTS($name(" <<<"$tables") || fail "$name is not in a table of REJECTS"
    while read -r pointer; do
        [[ $parameters =~ [*\ ]$pointer(\[[^]]*\])?[,\)] ]] || fail "$name has no parameter $pointer"
    done < <(grep -oP '\bP\(\K\w+' <<<"$call")
done < <(cat "$1"/voxphys/*.h "$1"/voxphys/kernel/*.h | tr -s ' \n' ' ' | grep -oP 'VP_API vp_status \Kvp_\w+\((?!vp_error)[^;]*(?=;)')

echo "$count functions, $failures failures"
[[ $count -ge 190 && $failures -eq 0 ]]
