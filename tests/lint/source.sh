#!/bin/bash
# SPDX-License-Identifier: MIT
# source.sh: every source file begins with its licence tag, and no file grows past 700 lines; the arrows between the folders
# hold: reference/ and optimized/ do not include each other, src/ includes neither, src/core/ no component, a component none behind
# it, and the library nothing of the rest.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
. "$VOXPHYS_SOURCE/tests/files.bash"

failures=0
fail()
{
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

count=0
while read -r file; do
    count=$((count + 1))
    head -n 2 "$file" | grep -qF 'SPDX-License-Identifier: MIT' || fail "$file does not begin with its licence tag"
    [[ $(wc -l <"$file") -le 700 ]] || fail "$file has more than 700 lines"
done < <(source_files | grep -E '\.([ch]|cpp|py|h\.in|cmake|sh|bash)$|CMakeLists\.txt$')
[[ $count -ge 50 ]] || fail "only $count source files were found"

forbid() # FOLDER PATTERN
{
    local hit
    while read -r hit; do
        fail "an include that the layout forbids: $hit"
    done < <([[ ! -d $1 ]] || grep -rnE "^ *# *include +[\"<]($2)/" "$1")
}
forbid include 'src|reference|optimized|datasets|bench|tests|tools'
forbid src 'reference|optimized|datasets|bench|tests|tools'
forbid reference 'optimized|datasets|bench|tests|tools'
forbid optimized 'reference|datasets|bench|tests|tools'
forbid datasets 'optimized|bench|tests|tools'
# Each sees those before it; hulls see the core alone.
components=(world broadphase surface kd terrain)
forbid src/core "src/($(IFS='|'; echo "${components[*]}|hull"))"
for folder in src reference optimized; do
    for i in "${!components[@]}"; do
        behind=$(IFS='|'; echo "${components[*]:i+1}" | tr ' ' '|')
        forbid "$folder/${components[i]}" "(src|reference|optimized)/(${behind:+$behind|}hull)"
    done
    forbid "$folder/hull" "(src|reference|optimized)/($(IFS='|'; echo "${components[*]}"))"
done

echo "$count files, $failures failures"
[[ $failures -eq 0 ]]
