#!/bin/bash
# SPDX-License-Identifier: MIT
# headers.sh FOLDER...: every public header compiles alone as C17 and C++11 without a warning, by this build's compilers, and voxphys.h
# includes every header. All together compile as C17, C++11 and C++17, by these and by any installed gcc and clang. One file can include all
# public and internal headers. C++ is compiled with
# -Wold-style-cast and -Wconversion, because users who enable these see the headers' inline functions and macros.
set -uo pipefail

. "$VOXPHYS_SOURCE/tests/files.bash"

includes=()
for folder in "$@"; do
    includes+=(-I "$folder")
done

compilers=()
add() # LANGUAGE COMPILER...: the installed ones, each once
{
    local compiler known=" "
    for compiler in "${@:2}"; do
        compiler=$(command -v "$compiler") || continue
        [[ $known == *" $(readlink -f "$compiler") "* ]] || compilers+=("$compiler $1")
        known+="$(readlink -f "$compiler") "
    done
}
add "-std=c17 -x c" "$CC" gcc clang-14
strict="-Wold-style-cast -Wconversion -Wsign-conversion -Wshadow"
add "-std=c++11 $strict -x c++" "$CXX" g++ clang++-14
add "-std=c++17 $strict -x c++" "$CXX" g++ clang++-14

compile() # WHAT COMPILER...: compiles stdin with each
{
    local source options compiler
    source=$(cat)
    for compiler in "${@:2}"; do
        read -ra options <<<"$compiler"
        "${options[@]}" -Wall -Wextra -Wpedantic -Werror "${includes[@]}" -fsyntax-only - <<<"$source" || fail "$compiler: $1"
    done
}

count=0
together=
for folder in "$@"; do
    for header in "$folder"/voxphys/*.h "$folder"/voxphys/kernel/*.h; do
        [[ -e $header ]] || continue
        name=${header#"$folder/"}
        count=$((count + 1))
        together+="#include <$name>"$'\n'
        compile "$name does not compile by itself" "$CC -std=c17 -x c" "$CXX -std=c++11 $strict -x c++" <<<"#include <$name>"$'\n'"#include <$name>"$'\n'"typedef int something;"
        [[ $name == voxphys/voxphys.h ]] ||
            grep -qF "#include <$name>" "$1/voxphys/voxphys.h" ||
            fail "voxphys/voxphys.h does not include $name"
    done
done

compile "the headers together" "${compilers[@]}" <<<"$together"

# No two headers define a name twice. The first folder is the source tree's.
root=${1%/include}
internal=
for header in "$root"/src/*/*.h; do
    [[ $header == *_windows.h ]] || internal+="#include \"${header#"$root/"}\""$'\n'
done
[[ $(wc -l <<<"$internal") -ge 40 ]] || fail "only these internal headers were found: $internal"
for compiler in "$CC" gcc clang-14; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Wno-unused-function -Werror "${includes[@]}" -I "$root" \
        -include voxphys/voxphys.h -x c -fsyntax-only - <<<"$internal" || fail "$compiler: all headers together"
done

# Uses every macro, those without parameters as values, the others in the code below.
macros=$("$CC" -std=c17 "${includes[@]}" -include voxphys/voxphys.h -x c -dM -E - </dev/null | sed -n 's/^#define \(VP_.*\)/\1/p')
values=$(sed -n 's/^\(VP_[A-Za-z0-9_]*\) ..*/    (void)(\1);/p' <<<"$macros")
uses='
#include <voxphys/voxphys.h>
#define ONE(k, ...) +1
#define TWO(k, i) +1
#define SETS(k, file, versions, ...) VP_ON_##versions(TWO, k)
#define NAME(i) #i,
#define HERE(c, C, X) +1 VP_KERNELS_OF(c, C, X) VP_OPERATIONS_OF(c, C, X)
enum { both = 0 VP_KERNELS(SETS) VP_OPERATIONS(ONE) VP_ON_NONE(TWO, k), kernels = 0 VP_COMPONENTS(HERE, ONE) };
enum { VP_KERNEL_ID(of_a_program, 0) VP_OPERATION_ID(of_a_program, 0) count };
static const char *const isa[] = {VP_ISAS(NAME)};
typedef float vp_of_a_program_fn(float x);
VP_PROTO(of_a_program, scalar)
VP_PROTOS(of_a_program, no_file, NONE, "group", "unit", "Sentence.")
struct fields { VP_FIELD(of_a_program, 0) };
float use(struct fields *fields);
float use(struct fields *fields)
{
'$values'
    return fields->of_a_program(VP_CAST(float, both + kernels + count) + VP_CAST(float, isa[0][0]) +
                                VP_CAST(float, VP_COLLIDE_CONNECT_WORDS(count)));
}'
compile "macros in use" "${compilers[@]}" <<<"$uses"
while read -r macro; do
    [[ $macro =~ ^VP_([A-Z0-9]+_(KERNELS|OPERATIONS)|ON_[A-Z0-9]+|ISA_IN)$ ]] || # by VP_KERNELS, VP_OPERATIONS, rows and VP_ISAS
        [[ $uses == *"$macro("* || $uses == *", $macro)"* ]] || fail "this test does not use the macro $macro"
done < <(sed -n 's/^\(VP_[A-Za-z0-9_]*\)(.*/\1/p' <<<"$macros")

[[ $count -ge 10 ]] || fail "only $count headers were found in $*"
[[ $(wc -l <<<"$values") -ge 10 ]] || fail "only these values are macros: $values"
echo "$count headers, ${#compilers[@]} compilers and languages, $failures failures"
[[ $failures -eq 0 ]]
