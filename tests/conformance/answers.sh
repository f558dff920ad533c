#!/bin/bash
# SPDX-License-Identifier: MIT
# answers.sh [emulated]: the reference and every instruction set that runs here answer the whole corpus correctly. So do the examples for
# the families they know.
# docs/CONTRACT.md: ALL-5, ALL-6, ALL-8, DIL-1, DIL-2, OVL-1, OVL-2, OVL-3, OVL-4, RAY-4, RAY-7, BOX-1, BOX-2, HUL-1, HUL-7
# docs/CONTRACT.md: RAY-3, RAY-8, RAY-9, MSH-1, MSH-4, COR-1, BTR-2, SHP-1, SHP-2, SHP-4, CAS-2, CAS-3, CAS-8
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$VOXPHYS_SOURCE" || exit 1
corpus=$(jq -cs 'map(select(.vectors)) | {version: (map(.version) | unique | join(" ")), vectors: (map(.vectors | length) | add), families: (map(.family) | sort)}' conformance/corpus/*.json)
unset VOXPHYS_ISA

timeout=2
[[ -z $VOXPHYS_SLOW ]] || timeout=30
adapters=()
isas="scalar avx2 avx512 neon simd128 avx2-simde neon-simde simd128-simde"
[[ ${1-} != emulated ]] || isas="scalar neon" # golden.digests checks the other sets of that build
for isa in $isas; do
    [[ $(echo "hello 1" | voxphys adapter --isa "$isa" 2>/dev/null) == "hello 1 voxphys-$isa "* ]] && adapters+=(--adapter "voxphys adapter --isa $isa")
done
run check --timeout "$timeout" --json "${adapters[@]}"
expect_status 0
expect_json "every answer is right" '(.adapters | length) >= 1 and ([.vectors[].results[].result] | unique == ["pass"])'
expect_json "every family is asked, of each file" "[.adapters[].families | keys] | unique == [$(jq -c .families <<<"$corpus")]"
expect_json "nothing was started twice" '[.adapters[].starts] | unique == [1]'
expect_json "the whole corpus" "(.vectors | length) == $(jq .vectors <<<"$corpus") and ([.families[].asked] | add) == (.vectors | length)"
expect_equal "the corpus' version" "$(jq -r .corpus <<<"$out")" "$(jq -r .version <<<"$corpus")"
expect_equal "programs" "$(jq '.adapters | length' <<<"$out")" "$((${#adapters[@]} / 2))"

"$CC" -o "$scratch/adapter" examples/adapter.c -lm 2>"$scratch/cc.log" || fail "examples/adapter.c: $(cat "$scratch/cc.log")"
if [[ -z $VOXPHYS_SLOW && ${1-} != emulated ]]; then # otherwise it runs on another architecture, or a sanitizer would only test the example
    run check --timeout "$timeout" --json --adapter "python3 examples/adapter.py"
    expect_status 0
    expect_json "the example in Python" '.adapters[0].name == "example-python" and ([.vectors[].results[].result] | unique == ["absent", "pass"])
        and ([.vectors[] | select(.results[0].result == "pass")] | length) > 150'
    run check --timeout "$timeout" --json --adapter "$scratch/adapter"
    expect_status 0
    expect_json "the example in C" '.adapters[0].name == "example-c" and ([.vectors[].results[].result] | unique == ["absent", "pass"])
        and ([.vectors[] | select(.results[0].result == "pass")] | length) > 80'
fi
finish
