# SPDX-License-Identifier: MIT
# For the scripts of this folder: a folder of results that is made up, `folder`, with its results.json, `results`; copies of it that are
# altered, and what becomes of them. Sourced behind tests/cli/check.bash. The folder's name is the machine's; copies have numbers behind it.
python=/usr/bin/python3 # Debian's own, which has jsonschema
[[ -x $python ]] || python=python3
printf '{}' | zstd --quiet -o "$scratch/empty.json.zst"
run results verify "$scratch/empty.json.zst"
built_with_zstd=yes # a build for the memory sanitizer is not
[[ $err != *"without libzstd"* ]] || built_with_zstd=no
folder=$scratch/made-up-2cpu
other=$folder-2
results=$folder/results.json
"$python" "$VOXPHYS_SOURCE/tests/results/folder.py" "$VOXPHYS_SOURCE" "$folder" || exit 1
run results make "$folder"
expect_status 0
expect_in "what is said" "$out" "14 rows, official"

alter() # [FILE JQ_FILTER]...: the folder $other, a copy with raw files altered and without results.json
{
    rm -rf "$other"
    cp -r "$folder" "$other"
    rm "$other/results.json"
    while [[ $# -gt 0 ]]; do
        jq "def all(\$name): .benchmarks[] | select(.name == \$name);
            def slower(\$by): .items_per_second /= \$by | .cpu_time *= \$by | .real_time *= \$by; $2" "$folder/$1" >"$other/$1" || exit 1
        shift 2
    done
}

unofficial() # WHAT REASON [OPTION...]: results of $other stand, and are not official
{
    run results make "$other" "${@:3}"
    shown="not official: $1"
    expect_status 0
    expect_in "what is said" "$out" "14 rows, not official:"
    expect_in "the reason" "$out" "$2"
    run results verify "$other"
    shown="not official: $1"
    expect_status 0
    expect_in "the judgement" "$out" "note: these results are not official"
}

official() # WHAT: results of $other are
{
    run results make "$other"
    shown="official: $1"
    expect_status 0
    expect_in "what is said" "$out" " rows, official"
    run results verify "$other"
    shown="official: $1"
    expect_status 0
    expect_in "the judgement" "$out" ": stands"
}

contradicted() # WHAT MESSAGE: results of $other do not stand, by who makes them and by who judges them, with the raw files and without
{
    run results make "$other"
    shown="contradicted: $1"
    expect_status 1
    expect_in "what is said" "$out" "14 rows, does not stand, not official:"
    expect_in "what is said" "$out" "  wrong: $2"
    expect_equal "what is written" "$(jq .official "$other/results.json")" false
    run results verify "$other"
    shown="contradicted: $1"
    expect_status 1
    expect_in "what is found" "$out" "  wrong: $2"
    mkdir -p "$scratch/alone"
    cp "$other/results.json" "$scratch/alone/"
    run results verify "$scratch/alone/results.json"
    shown="contradicted, alone: $1"
    expect_status 1
    expect_in "what is found" "$out" "  wrong: $2"
}
