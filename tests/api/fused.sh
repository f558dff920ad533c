#!/bin/bash
# SPDX-License-Identifier: MIT
# fused.sh LIBRARY ARCHITECTURE: no object of the library contains an instruction that fuses a product and a sum, or that estimates a
# reciprocal or a root. Reads the disassembly of the static library. docs/CONTRACT.md: ALL-2
set -euo pipefail
library=$1
case $2 in
x86-64) names='^v?(fm(add|sub|addsub|subadd)|fnm(add|sub))[123p]|^v?(rcp|rsqrt)(14|28)?[sp][sd]' && floats='^v?(mul|div)p[sd]' ;;
aarch64) names='^(fmadd|fmsub|fnmadd|fnmsub|fmla|fmls|fmlal|fmlsl|fmad|fmsb|fnmla|fnmls|fnmad|fnmsb|frecp[esx]|frsqrt[es])$' && floats='^fdiv|^fmul' ;;
*) echo "FAIL: architecture $2 is not known here" >&2; exit 1 ;;
esac

"$OBJDUMP" --disassemble --no-show-raw-insn "$library" | awk -v names="$names" -v floats="$floats" '
    /file format/ { member = $1 }
    !/^ *[0-9a-f]+:\t/ { next }
    {
        split($0, part, "\t")
        split(part[2], word, " ")
        count++
        if (word[1] ~ floats) products++
        if (word[1] ~ names) bad = bad "\n" member " " $0
    }
    END {
        printf "%d instructions, %d products and quotients\n", count, products
        if (count < 10000 || products < 100) { print "FAIL: too few instructions were found"; failed = 1 }
        if (bad != "") { print "FAIL: fused or estimated:" bad; failed = 1 }
        exit failed
    }'
