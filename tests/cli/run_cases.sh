#!/bin/bash
# SPDX-License-Identifier: MIT
# run_cases.sh NAME [PART[=VALUE]...]: runs the cases of the table NAME.cases with the voxphys command, in an empty folder. A line of the
# table is
#   COMMAND [CHECK]    runs `voxphys COMMAND`, whose words are those of a shell; variables before it are its environment
#       CHECK          indented by 4: another check of the same command, and after a line of bash "$ SHELL" alone. A deeper line continues
#                      the text of the line above
#   $ SHELL            a line of bash: writes files, sets variables, repeats or skips the cases that follow
#   # COMMENT
# and a CHECK is one of
#   ? FILTER           the jq filter is true for the command's JSON; --json is added to the command
#   = NAME FILTER      sets the variable NAME to the filter's output
#   > TEXT             stdout contains TEXT
#   !                  exit code 2 and nothing on stdout; "!0", "!1": this exit code instead, with any stdout
#   ! TEXT             the same, and stderr contains TEXT
#   $ SHELL            the shell command succeeds
#   $ SHELL == TEXT    the shell command prints TEXT
#   | VALUE | TEXT     repeats the case with these variables value and text ("| TEXT" is optional)
# Without "!" the exit code must be 0 and stderr empty. {{NAME}} in a FILTER or TEXT is the value of a variable. Names of the runner's own
# variables begin with case_. A PART of the build is a variable that is empty if the build lacks it.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
. "$VOXPHYS_SOURCE/tests/cli/meshes.bash"
case_table=$1
case_program=(voxphys)
case_file_limit=unlimited # KiB that the command may write into a file
case_setup= # shell code that is run before a case with a value, such as writing it into a file
for case_name in threads assimp zlib png large broken read_mesh read_png bench "${@:2}"; do
    declare "${case_name%%=*}=$([[ " $* " != *" $case_name "* ]] || echo "${case_name#*=}")"
done

translate_table() # prints the table as a script
{
    local line place number=0 words=()
    while IFS= read -r line; do
        number=$((number + 1))
        case $line in
        '     '*) words[-1]+=$'\n'${line#"${line%%[! ]*}"} ;;
        '    '*)
            [[ ${#words[@]} -gt 0 ]] || words=('') place=$number
            words+=("${line:4}")
            ;;
        *)
            [[ ${#words[@]} -eq 0 ]] || echo "check_case $place ${words[*]@Q}"
            words=()
            case $line in
            '$ '*) echo "${line:2}" ;;
            '' | '#'*) ;;
            *) words=("$line") place=$number ;;
            esac
            ;;
        esac
    done
    [[ ${#words[@]} -eq 0 ]] || echo "check_case $place ${words[*]@Q}"
}

# Splits the row at its first mark of a check. Sets case_command and case_checks.
split_row() # ROW CHECK...
{
    local mark
    case_command=" $1 " case_checks=("${@:2}")
    for mark in ' ! ' ' !0 ' ' !1 ' ' ? ' ' > '; do
        case_command=${case_command%%"$mark"*}
    done
    [[ $case_command == " $1 " ]] || case_checks=("${1:${#case_command}}" "${case_checks[@]}")
}

expand_names() # TEXT: sets case_text
{
    case_text=$1
    while [[ $case_text =~ \{\{([A-Za-z_0-9]+)\}\} ]]; do
        case_name=${BASH_REMATCH[1]}
        case_text=${case_text//"{{$case_name}}"/"${!case_name}"}
    done
}

# One start of jq checks all filters. Comparing a member needs none, because jq takes ten times as long to start as the command.
check_filters() # FILTER...
{
    local filter slow=() together='' results
    for filter; do
        checks=$((checks + 1))
        if [[ $filter =~ ^\.([a-z_]+)\ ==\ \"?([^\"\ \[\{]*)\"?$ ]]; then
            [[ $(member "${BASH_REMATCH[1]}") == "${BASH_REMATCH[2]}" ]] || fail "$filter, but it is $(member "${BASH_REMATCH[1]}")"
        else
            slow+=("$filter")
            together+="${together:+, }([($filter)] == [true])"
        fi
    done
    [[ -n $together ]] || return
    mapfile -t results < <(jq "$together" "$scratch/out" 2>&1)
    for filter in "${!slow[@]}"; do
        [[ ${results[filter]-} == true ]] || fail_filter "${slow[filter]}"
    done
}

fail_filter() # FILTER: shows the left side of a comparison, or the fault of the filter
{
    fail "not true of the JSON: $1"
    [[ $1 != *" == "* || $1 == *" and "* ]] || echo "  it is: $(jq -c "${1% == *}" "$scratch/out" 2>&1 | head -c 1000)" >&2
    [[ ${results[0]-} == true || ${results[0]-} == false ]] || echo "  ${results[0]-}" >&2
}

check_case() # LINE ROW [CHECK...]
{
    local case_command case_checks case_check case_code=0 case_refused='' case_json='' case_words case_environment=() case_filters=()
    if [[ -z $2 ]]; then # a check after shell lines
        shown="line $1"
        for case_check in "${@:3}"; do check_shell "${case_check#'$ '}"; done
        return
    fi
    split_row "${@:2}"
    [[ " ${case_checks[*]}" != *" | "* ]] || ! repeat_case "$1" || return 0
    for case_check in "${case_checks[@]}"; do
        case $case_check in
        '? '* | '= '*) case_json=yes ;;
        '!'[0-9]*) case_refused=no case_code=${case_check:1:1} ;;
        '!'*) case_refused=yes case_code=2 ;;
        esac
    done
    set -f
    eval "case_words=($case_command)"
    set +f
    while [[ ${case_words[0]-} =~ ^[A-Z_0-9]+= ]]; do
        case_environment+=("${case_words[0]}")
        case_words=("${case_words[@]:1}")
    done
    [[ -z $case_json || " ${case_words[*]} " == *" --json "* ]] || case_words+=(--json)
    shown="line $1: ${case_environment[*]}${case_environment:+ }voxphys ${case_words[*]}"
    (
        [[ ${#case_environment[@]} -eq 0 ]] || export "${case_environment[@]?}"
        ulimit -f "$case_file_limit"
        exec "${case_program[@]}" "${case_words[@]}"
    ) >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    out='' err=''
    [[ ! -s $scratch/out ]] || out=$(<"$scratch/out")
    [[ ! -s $scratch/err ]] || err=$(<"$scratch/err")
    expect_status "$case_code"
    [[ -n $case_refused ]] || expect_empty stderr "$err"
    [[ $case_refused != yes ]] || expect_empty stdout "$out"

    for case_check in "${case_checks[@]}"; do
        expand_names "${case_check#* }"
        case $case_check in
        '? '*) case_filters+=("$case_text") ;;
        '> '*) expect_in stdout "$out" "$case_text" ;;
        '!'*' '*) expect_in stderr "$err" "$case_text" ;;
        '= '*) save_value "${case_text%% *}" "${case_text#* }" ;;
        '$ '*) check_shell "${case_check:2}" ;;
        '!'*) ;;
        *) fail "unknown check: $case_check" ;;
        esac
    done
    check_filters "${case_filters[@]}"
}

repeat_case() # LINE: checks the case with each of its values, if it has any
{
    local case_row=$case_command case_others=() case_values=() case_value
    for case_value in "${case_checks[@]}"; do
        if [[ $case_value == '| '* ]]; then
            case_values+=("$case_value")
        else
            case_others+=("$case_value")
        fi
    done
    for case_value in "${case_values[@]}"; do
        value=${case_value:2} text=
        if [[ $case_value =~ ^\|\ ?(.*)\ \|\ (.*)$ ]]; then
            value=${BASH_REMATCH[1]} text=${BASH_REMATCH[2]}
        fi
        eval "$case_setup"
        check_case "$1, $value" "$case_row" "${case_others[@]}"
    done
    [[ ${#case_values[@]} -gt 0 ]]
}

save_value() # NAME FILTER
{
    local printed=
    [[ ! $2 =~ ^\.[a-z_]+$ ]] || printed=$(member "${2:1}")
    [[ $printed =~ ^[^[{] ]] || printed=$(jq -rc "$2" "$scratch/out" 2>&1)
    printf -v "$1" %s "$printed"
}

check_shell() # COMMAND [== TEXT]
{
    local printed result
    printed=$(eval "${1% == *}" 2>&1)
    result=$?
    if [[ $1 == *" == "* ]]; then
        expand_names "${1##* == }"
        expect_equal "what \"${1% == *}\" prints" "$printed" "$case_text"
    else
        checks=$((checks + 1))
        [[ $result -eq 0 ]] || fail "\"$1\" fails: $printed"
    fi
}

cd "$scratch" || exit 1
mkdir files
cd files || exit 1
translate_table <"$VOXPHYS_SOURCE/tests/cli/$case_table.cases" >"$scratch/script"
echo "case_table=" >>"$scratch/script"
. "$scratch/script"
[[ -z $case_table ]] || fail "the table does not run to its end"
finish
