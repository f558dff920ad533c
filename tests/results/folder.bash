# SPDX-License-Identifier: MIT
# For the scripts of this folder: `folder`, a made-up folder of results, with its results.json, `results`. Functions here alter copies and
# check them. Sourced after tests/cli/check.bash. The folder's name is the machine's, and copies have a number appended.
python=/usr/bin/python3 # Debian's own, which has jsonschema
[[ -x $python ]] || python=python3
folder=$scratch/made-up-2cpu
other=$folder-2
results=$folder/results.json
"$python" "$VOXPHYS_SOURCE/tests/results/folder.py" "$VOXPHYS_SOURCE" "$folder" || exit 1
told() # STATUS WORDS ARGUMENT...: exit status and output of voxphys results, for bad usage on stderr
{
    run results "${@:3}"
    expect_status "$1"
    if [[ $1 -eq 2 ]]; then expect_in stderr "$err" "$2"; else expect_in stdout "$out" "$2"; fi
}
told 0 "14 rows, official" make "$folder"

copy() # makes $other, a copy of the folder
{
    rm -rf "$other"
    cp -r "$folder" "$other"
}

alter() # [FILE JQ_FILTER]...: a copy with raw files altered and without results.json
{
    copy
    rm "$other/results.json"
    while [[ $# -gt 0 ]]; do
        jq "def all(\$name): .benchmarks[] | select(.name == \$name);
            def slower(\$by): .items_per_second /= \$by | .cpu_time *= \$by | .real_time *= \$by; $2" "$folder/$1" >"$other/$1" || exit 1
        shift 2
    done
}

# `make` and `verify` report the same problems, because they call the same functions. `verified` compares the two where they could differ.
# All three alter raw files first, if files are named.

unofficial() # WHAT REASON [FILE JQ_FILTER]...: results of $other stand but are not official. make gets the arguments in `options`
{
    [[ $# -lt 3 ]] || alter "${@:3}"
    run results make "$other" "${options[@]}"
    shown="not official: $1"
    expect_status 0
    expect_in "what is said" "$out" "14 rows, not official:"
    expect_in "the reason" "$out" "$2"
}
options=()

official() # WHAT [FILE JQ_FILTER]...: results of $other are official
{
    [[ $# -lt 2 ]] || alter "${@:2}"
    run results make "$other"
    shown="official: $1"
    expect_status 0
    expect_in "what is said" "$out" " rows, official"
}

contradicted() # WHAT MESSAGE [FILE JQ_FILTER]...: results of $other do not stand
{
    [[ $# -lt 3 ]] || alter "${@:3}"
    run results make "$other"
    shown="contradicted: $1"
    expect_status 1
    expect_in "what is said" "$out" "14 rows, does not stand, not official:"
    expect_in "what is said" "$out" "  wrong: $2"
}

verified() # STATUS WORDS: result of verify for $other, and for its results.json alone, without the raw files
{
    local path
    mkdir -p "$scratch/alone"
    cp "$other/results.json" "$scratch/alone/"
    for path in "$other" "$scratch/alone/results.json"; do
        told "$1" "$2" verify "$path"
    done
}
