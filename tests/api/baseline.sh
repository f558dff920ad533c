#!/bin/bash
# SPDX-License-Identifier: MIT
# baseline.sh LIBRARY SIMD: objects without an instruction set of their own contain no instruction that the oldest x86-64 processors lack,
# and AVX2 objects contain no AVX-512. Reads the disassembly of the static library.
set -euo pipefail
library=$1
simd=$2

"$OBJDUMP" --disassemble --no-show-raw-insn "$library" | awk -v simd="$simd" '
    /file format/ { member = $1; set = "baseline"
                    if (member ~ /_avx2\.c\.o:/) set = "avx2"
                    if (member ~ /_avx512\.c\.o:/) set = "avx512" }
    !/^ *[0-9a-f]+:\t/ { next }
    {
        count[set]++
        split($0, part, "\t")
        code = part[2]
        split(code, word, " ")
        name = word[1]
        if (name ~ /^(rep|repz|repnz|lock|bnd|notrack|data16|cs)$/) name = word[2]
        vex = name ~ /^v[a-z]/ && name !~ /^ver[rw]$/
        bits = name ~ /^(lzcnt|popcnt|andn|bextr|blsi|blsr|blsmsk|bzhi|pdep|pext|rorx|sarx|shlx|shrx|mulx)[lqw]?$/
        # SSE3, SSSE3, SSE4.1, SSE4.2 and ciphers, all newer than the x86-64 baseline.
        newer = name ~ /^(addsubp[sd]|h(add|sub)p[sd]|lddqu|mov(d|sh|sl)dup|fisttpl*|pshufb|ph(add|sub)(w|d|sw)|pmaddubsw|pmulhrsw)$/ ||
                name ~ /^(psign[bwd]|palignr|pabs[bwd]|pmulld|pmuldq|dpp[sd]|blendv*p[sd]|pblend(vb|w)|p(min|max)(sb|uw|ud|sd))$/ ||
                name ~ /^(round[ps][sd]|insertps|extractps|p(ins|ext)r[bdq]|pmov[sz]x(b[wdq]|w[dq]|dq)|ptest|pcmp(eq|gt)q|packusdw)$/ ||
                name ~ /^(movntdqa|mpsadbw|phminposuw|pcmp[ei]str[im]|crc32[bwlq]?|aes.*|pclmul.*|sha(1|256).*)$/
        if (member ~ /^cpu\.c\.o/ && name ~ /^lzcnt/) bits = 0 # detection of instruction sets
        if (set == "baseline" && (vex || bits || newer || code ~ /%[yz]mm/)) bad = bad "\n" member " " $0
        if (set == "avx2" && code ~ /%zmm|%k[0-7]|%[xy]mm(1[6-9]|2[0-9]|3[01])/) bad = bad "\n" member " " $0
        if (code ~ /%ymm/) ymm[set]++
        if (code ~ /%zmm/) zmm[set]++
    }
    END {
        printf "%d baseline, %d avx2, %d avx512 instructions\n", count["baseline"], count["avx2"], count["avx512"]
        if (count["baseline"] < 1000) { print "FAIL: too few baseline instructions were found"; failed = 1 }
        if (simd == "ON" && (!ymm["avx2"] || !zmm["avx512"])) { print "FAIL: no AVX2 or AVX-512 code was found"; failed = 1 }
        if (bad != "") { print "FAIL: instructions that do not belong there:" bad; failed = 1 }
        exit failed
    }'
