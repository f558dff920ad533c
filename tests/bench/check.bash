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
    check "voxphys-bench $*: exit code $code, not $wanted; $(cat "$folder/err")" test "$code" -eq "$wanted"
}
