#!/bin/bash
# SPDX-License-Identifier: MIT
# symbols.sh LIBRARY LEAST: every global symbol of the static library begins with vp_. None is weak, because a weak one compiled with wide
# instructions could replace another object's. No object has writable data (no global mutable state). An object for one instruction set
# defines only that set's kernels. LEAST is the minimum number of symbols.
set -euo pipefail
library=$1
least=$2

. "$VOXPHYS_SOURCE/tests/files.bash"

symbols=0
member=
while read -r first kind name; do
    if [[ -z $kind ]]; then
        [[ -z $first ]] || member=${first%:}
        continue
    fi
    symbols=$((symbols + 1))
    [[ $name == vp_* ]] || fail "$member: global symbol $name does not begin with vp_"
    [[ $kind != [WwVv] ]] || fail "$member: global symbol $name is weak"
    if [[ $member =~ _(plain|avx2|avx512|neon|simd128)\.c\.o$ ]]; then
        [[ $name == vp_*_"${BASH_REMATCH[1]}" ]] || fail "$member: $name is no kernel of this instruction set"
    fi
done < <("$NM" --extern-only --defined-only "$library" | sed 's/^\([^ ]*:\)$/\1  /')
[[ $symbols -ge $least ]] || fail "only $symbols global symbols were found in $library"

# Sections that are writable at run time. .data.rel.ro is read-only once the program is loaded.
while read -r line; do
    fail "writable data: $line"
done < <("$OBJDUMP" --syms "$library" | awk '
    /file format/ { member = $1 }
    {
        section = ""
        for (i = 2; i <= NF; i++)
            if ($i ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $i !~ /^\.data\.rel\.ro/) section = $i
        size = section == "" ? "" : $(NF - 1)
        if (section != "" && $NF != section) print member, section, $NF, size
    }')

echo "$symbols global symbols, $failures failures"
[[ $failures -eq 0 ]]
