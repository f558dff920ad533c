#!/bin/bash
# SPDX-License-Identifier: MIT
# shell.sh: every shell script of the source passes ShellCheck, is executable if it has no .sh in its name, and stops at its first error or
# gives a reason not to (pipefail at least).
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
. "$VOXPHYS_SOURCE/tests/files.bash"

mapfile -t files < <(source_files)
mapfile -t scripts < <(awk 'FNR == 1 && /^#!.*[\/ ](ba)?sh( |$)/ { print FILENAME } { nextfile }' "${files[@]}" 2>/dev/null)
if [[ ${#scripts[@]} -lt 10 ]]; then
    fail "only ${#scripts[@]} scripts were found"
fi
# Scripts that source files are checked without these files, because reading them for each script is slow. So warnings about variables
# shared with them are excluded.
mapfile -t sourcing < <(grep -lE '^ *(\.|source) [^ ]+$' "${scripts[@]}")
mapfile -t alone < <(comm -23 <(printf '%s\n' "${scripts[@]}" | sort) <(printf '%s\n' "${sourcing[@]}" | sort))
shellcheck "${alone[@]}" || failures=$((failures + 1))
shellcheck --exclude=SC1091,SC2034,SC2154 "${sourcing[@]}" || failures=$((failures + 1))
for script in "${scripts[@]}"; do
    [[ $script == *.sh || -x $script ]] || fail "$script is not executable"
done
while read -r script; do
    fail "$script sets neither -e nor pipefail"
done < <(grep -LE '^set -[a-z]*u?o? ?pipefail|^set -e' "${scripts[@]}")
echo "${#scripts[@]} scripts, $failures failures"
[[ $failures -eq 0 ]]
