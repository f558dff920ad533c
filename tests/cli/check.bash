# SPDX-License-Identifier: MIT
# For the scripts of this folder: run the voxphys command, look at what it printed and how it ended. A wrong answer is told
# and counted; `finish` ends the script with 1 if there was any.
set -uo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
checks=0
shown=
unset VOXPHYS_ISA
subject=() # the words that `refused` puts before its own: a command

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

run_small() # ARGUMENT...: the same where no file may grow beyond 8 KiB
{
    run_as "voxphys $* (ulimit -f 8)" bash -c 'ulimit -f 8; exec voxphys "$@"' - "$@"
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

succeeds() # ARGUMENT...: the command, with exit code 0 and nothing on stderr
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

expect_json() # WHAT FILTER: the filter is true of the JSON in $out
{
    checks=$((checks + 1))
    [[ $(jq -r "$2" <<<"$out" 2>&1) == true ]] || fail "$1: not true of the JSON: $2"
}

tells() # WHAT FILTER ARGUMENT...: the command, of whose JSON the filter is true
{
    succeeds "${@:3}" --json
    expect_json "$1" "$2"
}

prints() # PART ARGUMENT...: the command, with that on stdout
{
    succeeds "${@:2}"
    expect_in stdout "$out" "$1"
}

has_digest() # WHAT DIGEST ARGUMENT...: the command, with that digest in its JSON
{
    succeeds "${@:3}" --json
    expect_equal "$1" "$(member digest)" "$2"
}

refused() # PART ARGUMENT...: bad usage, and the message has that part
{
    run "${subject[@]}" "${@:2}"
    expect_status 2
    expect_in stderr "$err" "$1"
    expect_empty stdout "$out"
}

same_with() # DIGEST OPTION VALUES ARGUMENT...: with each of the values the digest in the JSON is this one; threads where this build has them
{
    local value
    for value in $3; do
        run "${@:4}" "$2" "$value" --json
        [[ $2 != --threads || $status -ne 2 || ${has_threads-} == threads || $err != *"no threads"* ]] || continue
        expect_status 0
        expect_equal "the digest with $2 $value" "$(member digest)" "$1"
    done
}

member() # NAME: a number or a text that is a member of the whole JSON in $out. Starting jq takes ten times as long as the command.
{
    local pattern=$'\n  "'$1$'": "?([^",\n]*)'
    [[ $out =~ $pattern ]] && echo "${BASH_REMATCH[1]}"
}

usable_isas() # a line each, as --isa takes them
{
    voxphys info --json | jq -r '.isas[] | select(.usable) | if .via == "simde" then "\(.name)-simde" else .name end'
}

finish()
{
    echo "$checks checks, $failures failures"
    [[ $checks -gt 0 && $failures -eq 0 ]]
    exit
}
