# SPDX-License-Identifier: MIT
# Helpers for the scripts of this folder, which run the voxphys command and check its output and exit code. A failed check is reported and
# counted. `finish` exits with 1 if any failed.
set -uo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
checks=0
shown=
unset VOXPHYS_ISA
subject=() # the words that `refused` puts before its arguments: a command

run_as() # SHOWN COMMAND...: sets status, out, err
{
    shown=$1
    "${@:2}" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    out=$(<"$scratch/out")
    err=$(<"$scratch/err")
}

run() # ARGUMENT...: sets status, out, err
{
    run_as "voxphys $*" voxphys "$@"
}

fail()
{
    failures=$((failures + 1))
    echo "FAIL: $shown: $*" >&2
    echo "  exit code ${status-}; stdout: $(head -c 600 "$scratch/out" 2>/dev/null)" >&2
    echo "  stderr: $(head -c 600 "$scratch/err" 2>/dev/null)" >&2
}

expect_status() # CODE
{
    checks=$((checks + 1))
    [[ $status -eq $1 ]] || fail "exit code $status, expected $1"
}

succeeds() # ARGUMENT...: the command ends with exit code 0 and nothing on stderr
{
    run "$@"
    expect_status 0
    expect_empty stderr "$err"
}

expect_in() # WHAT TEXT PART...
{
    local part
    for part in "${@:3}"; do
        checks=$((checks + 1))
        [[ $2 == *"$part"* ]] || fail "$1 lacks \"$part\""
    done
}

expect_empty() # WHAT TEXT
{
    checks=$((checks + 1))
    [[ -z $2 ]] || fail "$1 is not empty"
}

expect_equal() # WHAT GOT WANTED
{
    checks=$((checks + 1))
    [[ $2 == "$3" ]] || fail "$1 is \"$2\", expected \"$3\""
}

expect_json() # WHAT FILTER: the filter is true for the JSON in $out
{
    checks=$((checks + 1))
    [[ $(jq -r "$2" <<<"$out" 2>&1) == true ]] || fail "$1: not true of the JSON: $2"
}

prints() # PART ARGUMENT...: PART is on the command's stdout
{
    succeeds "${@:2}"
    expect_in stdout "$out" "$1"
}

refused() # PART ARGUMENT...: a usage error whose message contains PART
{
    run "${subject[@]}" "${@:2}"
    expect_status 2
    expect_in stderr "$err" "$1"
    expect_empty stdout "$out"
}

member() # NAME: prints a number or text member of the JSON in $out. jq takes ten times as long to start as the command.
{
    local pattern=$'\n  "'$1$'": "?([^",\n]*)'
    [[ $out =~ $pattern ]] && echo "${BASH_REMATCH[1]}"
}

list_isas() # one per line, as --isa accepts them
{
    voxphys info --json | jq -r '.isas[] | select(.usable) | if .via == "simde" then "\(.name)-simde" else .name end'
}

finish()
{
    echo "$checks checks, $failures failures"
    [[ $checks -gt 0 && $failures -eq 0 ]]
    exit
}
