#!/bin/bash
# SPDX-License-Identifier: MIT
# source.sh: every source file begins with its licence tag, and no file is longer than 700 lines. In C and C++ a type's name is defined in
# one file only, and no macro has a lower-case name. Exceptions:
# - optimized/simd defines its types once for each ISA. The names of native.h are macros, and so are those of packet_types.h.
# - examples/ are programs of their own.
# - file_windows.h and locks.h name functions of POSIX. kd_visits.c compiles the reference a second time, with its own functions.
# - Macros that check something in a test are named assert_*, like those of cmocka.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
. "$VOXPHYS_SOURCE/tests/files.bash"

mapfile -t sources < <(source_files | grep -E '\.([ch]|cpp|py|h\.in|cmake|sh|bash|cases)$|CMakeLists\.txt$')
count=${#sources[@]}
[[ $count -ge 50 ]] || fail "only $count source files were found"
while read -r text; do
    fail "$text"
done < <(awk 'FNR <= 2 && /SPDX-License-Identifier: MIT/ { tagged[FILENAME] = 1 } FNR == 701 { print FILENAME " has more than 700 lines" }
    END { for (i = 1; i < ARGC; i++) if (!tagged[ARGV[i]]) print ARGV[i] " does not begin with its licence tag" }' "${sources[@]}")

# type_names FILE...: prints "NAME FILE" for the types that the files define.
type_names()
{
    awk '
        FNR == 1 { anonymous = 0 }
        { sub(/^[ \t]+/, ""); sub(/[ \t]*(\/\*.*|\/\/.*)?$/, ""); alias = "" }
        /^(typedef |static |const )*(struct|union|enum|class) [A-Za-z_0-9]+( final)?( : [^;{]*)? *\{/ {
            sub(/^((typedef|static|const) )*(struct|union|enum|class) /, "")
            sub(/[^A-Za-z_0-9].*/, "")
            print $0, FILENAME
            next
        }
        /^typedef (struct|union|enum) \{/ { anonymous = 1 }
        /^\} [A-Za-z_0-9]+;$/ && anonymous { alias = $2; anonymous = 0 }
        /^typedef .*;$/ {
            alias = $0
            if (match(alias, /\(\*[A-Za-z_0-9]+\)\(/))
                alias = substr(alias, RSTART + 2)
            else if (match(alias, /[A-Za-z_0-9]+\(/))
                alias = substr(alias, RSTART)
            else {
                sub(/(\[.*\])?;$/, "", alias)
                sub(/.*[ *]/, "", alias)
            }
        }
        /^using [A-Za-z_0-9]+ =/ { alias = $2 }
        alias != "" {
            sub(/[^A-Za-z_0-9].*/, "", alias)
            if ($0 !~ "^typedef (struct|union|enum) " alias " " alias ";")
                print alias, FILENAME
        }' "$@"
}

mapfile -t c_files < <(printf '%s\n' "${sources[@]}" | grep -E '\.([ch]|cpp)$' | grep -vE '^(optimized/simd|examples)/')
types=$(type_names "${c_files[@]}" | sort -u)
[[ $(wc -l <<<"$types") -ge 500 ]] || fail "only $(wc -l <<<"$types") types were found"
while read -r name; do
    fail "the type $name is defined in $(awk -v name="$name" '$1 == name { print $2 }' <<<"$types" | paste -sd ' ')"
done < <(cut -d ' ' -f 1 <<<"$types" | sort | uniq -d)

while IFS=: read -r file line text; do
    fail "$file:$line: a macro with a lower-case name: $text"
done < <(grep -nE '^[[:space:]]*#[[:space:]]*define[[:space:]]+[a-z]' "${c_files[@]}" | grep -vE 'define[[:space:]]+assert_' |
    grep -vE '^(optimized/kd/packet_types\.h|src/core/(file_windows|locks)\.h|cases/kd_visits\.c):')

echo "$count files, $failures failures"
[[ $failures -eq 0 ]]
