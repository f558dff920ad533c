#!/bin/bash
# SPDX-License-Identifier: MIT
# source.sh: every source file begins with its licence tag, and no file is longer than 700 lines.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
. "$VOXPHYS_SOURCE/tests/files.bash"

count=0
while read -r file; do
    count=$((count + 1))
    head -n 2 "$file" | grep -qF 'SPDX-License-Identifier: MIT' || fail "$file does not begin with its licence tag"
    [[ $(wc -l <"$file") -le 700 ]] || fail "$file has more than 700 lines"
done < <(source_files | grep -E '\.([ch]|cpp|py|h\.in|cmake|sh|bash|cases)$|CMakeLists\.txt$')
[[ $count -ge 50 ]] || fail "only $count source files were found"

echo "$count files, $failures failures"
[[ $failures -eq 0 ]]
