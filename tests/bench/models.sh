#!/bin/bash
# SPDX-License-Identifier: MIT
# models.sh: results/models.json equals the output of bench/static-models, if compiler and models are those that the file names. It has
# every step of bench/models on every instruction set that implements it. Every step has instructions. NEON is checked if its cross
# compiler is installed.
set -uo pipefail
committed=$VOXPHYS_SOURCE/results/models.json
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! command -v llvm-mca-19 >/dev/null; then
    echo "no llvm-mca-19 here"
    exit 77
fi
if ! "$VOXPHYS_SOURCE/bench/static-models" >"$scratch/now.json"; then
    echo "FAIL: nothing could be modelled" >&2
    exit 1
fi
isas='["avx2", "neon"]'
command -v aarch64-linux-gnu-gcc >/dev/null || isas='["avx2"]'
steps=$(grep -ho 'VP_MODEL_BEGIN("[^/"]*' "$VOXPHYS_SOURCE"/bench/models/*.c | sed 's/.*("//' | sort -u)
jq -e --arg steps "$steps" --argjson isas "$isas" '($steps | split("\n")) as $steps | . as $all
    | ([.rows[].step] | unique) == ($steps | sort) and all(.rows[]; .instructions > 0 and .cycles > 0 and .items > 0)
    and all($steps[]; . as $s | $isas - [$all.rows[] | select(.step == $s) | .isa] == [])' "$scratch/now.json" >/dev/null ||
    { echo "FAIL: a step is missing, or empty" >&2; exit 1; }
if [[ $(jq -c '[.models, .compiler]' "$scratch/now.json") != $(jq -c '[.models, .compiler]' "$committed") ]]; then
    echo "other models, or another compiler, than the file's: not compared"
    exit 0
fi
if [[ $isas == *neon* ]]; then
    jq -S . "$committed" >"$scratch/committed.json"
else
    jq -S '.rows |= map(select(.isa != "neon"))' "$committed" >"$scratch/committed.json"
fi
if ! diff "$scratch/committed.json" <(jq -S . "$scratch/now.json") >"$scratch/diff"; then
    echo "FAIL: results/models.json is not what bench/static-models says; --update writes it anew" >&2
    head -n 40 "$scratch/diff" >&2
    exit 1
fi
echo "$(jq '.rows | length' "$scratch/committed.json") rows are as committed"
