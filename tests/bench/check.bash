# SPDX-License-Identifier: MIT
# Checks for tests of voxphys-bench. The array `bench` is its command line, with an emulator if it needs one. `folder` is a temporary
# folder, `failures` the number of failed checks.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# check WHAT COMMAND...
check()
{
    local what=$1
    shift
    if ! "$@" >/dev/null; then
        echo "FAIL: $what" >&2
        failures=$((failures + 1))
    fi
}

# exit_code WANTED OPTION...: runs voxphys-bench, and writes its output to `out` and `err` in the folder
exit_code()
{
    local wanted=$1
    shift
    "${bench[@]}" "$@" >"$folder/out" 2>"$folder/err" </dev/null
    local code=$?
    check "voxphys-bench $*: exit code $code, not $wanted; $(tail -n 20 "$folder/out" "$folder/err")" test "$code" -eq "$wanted"
}

# listed NAME... expects each name in the folder's `names`
listed()
{
    local name
    for name in "$@"; do
        check "$name is listed" grep -qx "$name" "$folder/names"
    done
}

# measure FILTER [WANTED [OPTION...]]: measures for the shortest time, and writes the rows to the folder's `rows.json`
shortest=0.0001 # seconds
measure()
{
    rm -f "$folder/rows.json"
    exit_code "${2-0}" --benchmark_filter="$1" --benchmark_min_time="$shortest" --benchmark_out="$folder/rows.json" --benchmark_out_format=json "${@:3}"
}

# published FILTER: takes the names and rows that bench.publish measured, whose trees and terrains have small data
published()
{
    grep -E "$1" "$VOXPHYS_BUILD/tests/bench/names" >"$folder/names"
    jq --arg filter "$1" '.benchmarks |= map(select(.name | test($filter)))' "$VOXPHYS_BUILD/tests/bench/rows.json" >"$folder/rows.json"
}

# holds WHAT JQ_FILTER [OPTION...]: the filter is true for the list of rows. part(i) is part i of a row's name, of(p) the rows whose
# names match p.
holds()
{
    check "$1" jq -e "${@:3}" "def part(i): .name / \"/\" | .[i]; def of(p): map(select(.name | test(p))); .benchmarks | $2" "$folder/rows.json"
}

finish()
{
    echo "$failures failures"
    [[ $failures -eq 0 ]]
    exit
}
