#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage errors end with exit code 2, a message on stderr that names the fault, and nothing on stdout.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

# ---- every command and option in the help, with too few and too many values, of a wrong kind or out of range ----

try_options() # WORD...: a command
{
    local help synopsis option metavar text value
    local -a others=() values
    run "$@" --help
    help=$out
    read -r _ _ synopsis <<<"$help"
    synopsis=${synopsis#"$*"}
    for value in ${synopsis%% -*}; do
        [[ $value == \[* ]] || others+=(x)
    done
    refused "unknown option '--frobnicate'" "$@" --frobnicate
    [[ ${#others[@]} -eq 0 ]] || refused "voxphys $*: too few arguments; usage: voxphys $*$synopsis" "$@"
    [[ $synopsis == *FILE...* ]] || refused "unexpected argument 'x'" "$@" x x x x x x x x x x
    while IFS='^' read -r option metavar text; do
        if [[ -z $metavar ]]; then
            refused "option '$option' takes no value" "$@" "$option=yes"
            refused "option '$option' is given twice" "$@" "$option" "$option"
            continue
        fi
        refused "option '$option' needs a value: $metavar" "$@" "$option"
        [[ $metavar == *... ]] || refused "option '$option' is given twice" "$@" "$option" 1 "$option" 2
        values=("?" "" nan)
        [[ $metavar != [NS] ]] || values+=(-1)
        [[ $metavar != N ]] || values+=(12monkeys 1e3 99999999999999999999)
        if [[ $text =~ (^|\ )(-?[0-9]+)\ to\ ([0-9]+)($|\ |\;) ]]; then
            values+=($((BASH_REMATCH[2] - 1)) $((BASH_REMATCH[3] + 1)))
        fi
        case "$* $option $metavar" in
        *FILE* | *OUT* | *PAGE* | *FOLDER | *DIR | *SET | *WORLD | *NAMES | *SHAPE | *... | *A..B | "verify "*\ [KID]) continue ;; # texts
        *" --codec NAME" | adapter* | check* | "dataset import "* | reduce* | results*) continue ;; # these check another argument first
        esac
        for value in "${values[@]}"; do
            run "$@" "${others[@]}" "$option" "$value"
            expect_status 2
            [[ $err == *"$option"*[\'\"]"$value"[\'\"]* ]] || fail "the message lacks the option or its value"
            expect_in stderr "$err" "voxphys $*: " "Try 'voxphys $* --help'."
        done
    done < <(sed -nE 's/^  (--?[a-z-]+)  +(.*)/\1^^\2/p; s/^  (--?[a-z-]+) ([^ ]+) +(.*)/\1^\2^\3/p' <<<"$help")
}
for command in $(voxphys --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    run "$command" --help
    if [[ $out == "Usage: voxphys $command COMMAND "* ]]; then
        while read -r subcommand; do try_options "$command" "$subcommand"; done < <(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' <<<"$out")
    else
        try_options "$command"
    fi
done
finish
