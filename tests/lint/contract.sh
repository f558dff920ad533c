#!/bin/bash
# SPDX-License-Identifier: MIT
# contract.sh: every clause of docs/CONTRACT.md exists once, their numbers have no gap, tests cite every clause, and no test cites a missing
# one.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
. "$VOXPHYS_SOURCE/tests/files.bash"

clauses=$(grep -oE '^- \*\*[A-Z]{3}-[0-9]+\*\*' docs/CONTRACT.md | grep -oE '[A-Z]{3}-[0-9]+')
count=$(wc -l <<<"$clauses")
[[ $count -ge 50 ]] || fail "docs/CONTRACT.md has only $count clauses"
[[ -z $(sort <<<"$clauses" | uniq -d) ]] || fail "docs/CONTRACT.md has twice: $(sort <<<"$clauses" | uniq -d | tr '\n' ' ')"
for part in $(cut -d- -f1 <<<"$clauses" | uniq); do
    expected=1
    while read -r number; do
        [[ $number -eq $expected ]] || fail "$part-$number comes where $part-$expected should be"
        expected=$((number + 1))
    done < <(grep "^$part-" <<<"$clauses" | cut -d- -f2)
done

cited=$(grep -rhoE 'docs/CONTRACT\.md: [A-Z]{3}-[0-9]+(, [A-Z]{3}-[0-9]+)*' tests --include='*.c' --include='*.sh' --include='*.cases' | sed 's/^.*md: //; s/, /\n/g' | sort -u)
for clause in $clauses; do
    grep -qx "$clause" <<<"$cited" || fail "no test cites $clause"
done
for clause in $cited; do
    grep -qx "$clause" <<<"$clauses" || fail "a test cites $clause, which docs/CONTRACT.md does not have"
done
echo "$count clauses, $(wc -l <<<"$cited") cited, $failures failures"
[[ $failures -eq 0 ]]
