# SPDX-License-Identifier: MIT
# For tests of voxphys-bench, which is in the array `bench` (behind its emulator if it has one): a folder of their own, `folder`, and
# checks that count what fails in `failures`.
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

# exit_code WANTED OPTION...: runs it; what it prints is in the folder's `out` and `err`
exit_code()
{
    local wanted=$1
    shift
    "${bench[@]}" "$@" >"$folder/out" 2>"$folder/err" </dev/null
    local code=$?
    check "voxphys-bench $*: exit code $code, not $wanted; $(tail -n 20 "$folder/out" "$folder/err")" test "$code" -eq "$wanted"
}

# listed NAME...: all are among the folder's `names`
listed()
{
    local name
    for name in "$@"; do
        check "$name is listed" grep -qx "$name" "$folder/names"
    done
}

# measure FILTER [WANTED [OPTION...]]: in as short a time as can be; the rows are in the folder's `rows.json`
shortest=0.0001 # seconds
measure()
{
    rm -f "$folder/rows.json"
    exit_code "${2-0}" --benchmark_filter="$1" --benchmark_min_time="$shortest" --benchmark_out="$folder/rows.json" --benchmark_out_format=json "${@:3}"
}

# holds WHAT JQ_FILTER [OPTION...]: of the list of these rows; part(i) is what a row has in place i of its name, of(p) those whose names have p
holds()
{
    check "$1" jq -e "${@:3}" "def part(i): .name / \"/\" | .[i]; def of(p): map(select(.name | test(p))); .benchmarks | $2" "$folder/rows.json"
}

# the end
finish()
{
    echo "$failures failures"
    [[ $failures -eq 0 ]]
    exit
}
