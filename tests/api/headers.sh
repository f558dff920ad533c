#!/bin/bash
# SPDX-License-Identifier: MIT
# headers.sh FOLDER...: every public header compiles by itself as C17 and as C++17 without a warning, and voxphys.h
# includes every one.
set -uo pipefail

failures=0
fail()
{
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

includes=()
for folder in "$@"; do
    includes+=(-I "$folder")
done

count=0
for folder in "$@"; do
    for header in "$folder"/voxphys/*.h; do
        name=voxphys/$(basename "$header")
        count=$((count + 1))
        for language in "$CC -std=c17 -x c" "$CXX -std=c++17 -x c++"; do
            read -ra compile <<<"$language"
            printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
                "${compile[@]}" -Wall -Wextra -Wpedantic -Werror "${includes[@]}" -fsyntax-only - ||
                fail "$language: $name does not compile by itself"
        done
        [[ $name == voxphys/voxphys.h ]] ||
            grep -qF "#include <$name>" "$1/voxphys/voxphys.h" ||
            fail "voxphys/voxphys.h does not include $name"
    done
done

[[ $count -ge 10 ]] || fail "only $count headers were found in $*"
echo "$count headers, $failures failures"
[[ $failures -eq 0 ]]
