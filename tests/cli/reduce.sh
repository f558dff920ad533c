#!/bin/bash
# SPDX-License-Identifier: MIT
# reduce.sh PROGRAM...: `voxphys reduce` finds the smallest set where it is known. Commands fail on a property of the points, and PROGRAM,
# with its emulator if any, makes wrong hulls on purpose (broken.c).
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
program=("$@")
cd "$scratch" || exit 1
export TMPDIR=$scratch/temporary
subject=(reduce)
mkdir "$TMPDIR"

# Points without a pattern.
points() # COUNT
{
    awk -v n="$1" 'BEGIN { s = 7; for (i = 0; i < n; i++) { for (k = 0; k < 3; k++) { s = (s * 16807) % 2147483647; printf "%.7g ", s / 2147483647 * 50 - 20 } print "" } }'
}

reduced() # TEXT: the written points
{
    expect_status 0
    expect_equal "the points" "$(cat small.points)" "$1"
    expect_equal "what is left over" "$(ls -A "$TMPDIR")" ""
}

# ---- commands with an exit code, a signal or a timeout, on a property of the lines ----

points 200 >many.points
cat >fails.sh <<'END'
# Exit code 3 if a point's x is negative and another's y is. Exit code 4 if neither is and there is a point.
x=$(grep -c '^-' "$1"); y=$(grep -c '^0[^ ]* -' "$1")
if [ "$x" -ge 1 ] && [ "$y" -ge 1 ]; then exit 3; fi
exit 4
END
run reduce many.points -o small.points --json -- sh fails.sh {}
reduced "-0x0p+0 0x0p+0 0x0p+0
0x0p+0 -0x0p+0 0x0p+0"
expect_json "what is told" '.input == "many.points" and .points_before == 200 and .points == 2 and .failure == "the command ends with exit code 3"
    and .complete and .tries > 10 and .tries < 2000 and .file == "small.points"'
tries=$(jq .tries <<<"$out")
cp small.points first.points
run reduce many.points -o small.points --json -- sh fails.sh {}
expect_equal "tries, again" "$(jq .tries <<<"$out")" "$tries"
cmp -s first.points small.points || fail "another outcome the second time"

# Fails with at least 7 points. The argument names the file twice, once within a word.
# shellcheck disable=SC2016 # the shell that is run expands it
run reduce many.points -o small.points -- sh -c 'test "$1" = "a{}" || exit 1; test $(wc -l <{}) -lt 7 || exit 9' sh 'a{}'
reduced "$(yes "0x0p+0 0x0p+0 0x0p+0" | head -n 7)"
expect_in stdout "$out" "points    7 of the 200 of many.points" "the command ends with exit code 9"

# Numbers become rounder. The command fails if x is between 3.125 and 3.25.
echo "3.14159274 2.71828175 1.41421354" >one.points
# shellcheck disable=SC2016
run reduce one.points -o small.points -- sh -c 'grep -q "^0x1\.9[0-9a-f]*p+1 " {} && kill -USR1 $$; exit 0'
reduced "0x1.9p+1 0x0p+0 0x0p+0"
expect_in stdout "$out" "by signal 10, "

run reduce one.points -o small.points --limit 0.2 -- sh -c 'sleep 60; echo {}'
reduced "0x0p+0 0x0p+0 0x0p+0"
expect_in stdout "$out" "the command takes more than 0.2 seconds"

# Lines of two numbers stay so.
printf '1.5 2.5\n3 4\n' >plane.points
refused "nothing fails on its 2 points: the command ends with exit code 0" plane.points -o small.points -- grep -q 0x {}
run reduce plane.points -o small.points -- sh -c '! grep -q "p.*p" {}'
reduced "0x0p+0 0x0p+0"

# At most --tries attempts, and the written set still fails.
succeeds reduce many.points -o small.points --tries 12 --json -- sh fails.sh {}
expect_json "it is not complete" '.tries == 12 and (.complete | not) and .points < 200'
sh fails.sh small.points
expect_equal "what a stopped run has written ends with" $? 3

# A signal ends it, and it writes the smallest set so far.
shown="voxphys reduce, ended"
cat >slow.sh <<'END'
sleep 0.5
exit 3
END
voxphys reduce many.points -o stopped.points -- sh slow.sh {} >out 2>"$scratch/err" </dev/null &
child=$!
for ((i = 0; i < 200; i++)); do
    [[ -s stopped.points ]] && break
    sleep 0.05
done
kill -TERM $child
wait $child
status=$? err=$(cat "$scratch/err")
expect_status 1
expect_in stderr "$err" "ended by signal 15; what is written still fails"
[[ $(wc -l <stopped.points) -ge 1 ]] || fail "nothing was written"
expect_equal "what is left over" "$(ls -A "$TMPDIR")" ""

# ---- kernels ----

isas=$(usable_isas | grep -v '^scalar$')
first=$(head -n 1 <<<"$isas")
(points 60; printf '150 3 4\n2 300 4\n1 2 101\n'; points 30) >wrong.points
broken() # HOW ARGUMENT...
{
    BROKEN_HULL=$1 run_as "reduce with hulls that are $1, ${*:2}" "${program[@]}" reduce wrong.points -o small.points "${@:2}"
}
corners="0x1p+7 0x0p+0 0x0p+0
0x0p+0 0x1p+8 0x0p+0
0x0p+0 0x0p+0 0x1p+7"
if [[ -n $first ]]; then
    broken differs
    reduced "$corners"
    expect_in stdout "$out" "the hull by $first is not the reference's"
    broken crashes
    reduced "$corners"
    expect_in stdout "$out" "the hull by $first ends by signal 6, "
    broken hangs --limit 1.5
    reduced "$corners"
    expect_in stdout "$out" "the hull by $first takes more than 1.5 seconds"
    last=$(tail -n 1 <<<"$isas")
    broken differs --isa "$last"
    reduced "$corners"
    expect_in stdout "$out" "the hull by $last is not the reference's"
fi
rm small.points
broken differs --isa scalar
expect_status 2
expect_in stderr "$err" "wrong.points: nothing fails on its 93 points"
[[ ! -e small.points ]] || fail "a file was written though nothing fails"
broken open
reduced "$corners"
expect_in stdout "$out" "the hull by scalar is not valid"
export BROKEN_HULL2=turned
broken no
expect_status 0
expect_in stdout "$out" "the polygon of hull2 by scalar is not valid"
unset BROKEN_HULL2
for file in "$VOXPHYS_SOURCE"/tests/hull/corpus/*.points; do
    refused "nothing fails" "$file" -o small.points
done

# ---- refusals ----

refused "option '-o' is missing" one.points
refused "-o 'x.obj' does not end with .points" one.points -o x.obj
refused "FILE 'one.points' is the file that is read" one.points -o one.points
refused "the COMMAND after '--' is missing" one.points -o refused.points --
refused "COMMAND 'false' has no {}" one.points -o refused.points -- false
refused "cannot run 'no-such-command': No such file or directory" one.points -o refused.points -- no-such-command {}
refused "option '--isa' is for kernels" one.points -o refused.points --isa scalar -- false {}
refused "sse9" one.points -o refused.points --isa sse9
refused "--limit '0' is not above 0" one.points -o refused.points --limit 0
refused "--limit '1e9' is not above 0 and at most 86400 seconds" one.points -o refused.points --limit 1e9
refused "--tries '1' is not a whole number from 2" one.points -o refused.points --tries 1
refused "too few arguments" -o refused.points -- false {}
refused "unexpected argument 'two'" one.points two -o refused.points
refused "cannot open none.points" none.points -o refused.points
refused "cannot create a file for none/small.points" one.points -o none/small.points -- false {}
: >empty.points
refused "empty.points: it has no point" empty.points -o refused.points
rm -f odd
# shellcheck disable=SC2016
refused "does not fail the same way twice: first the command ends with exit code 1, then the command ends with exit code 2" one.points \
    -o refused.points -- sh -c 'test -s {} && test -e odd && exit 2; : >odd; exit 1'
TMPDIR=$scratch/nowhere refused "cannot create a folder in $scratch/nowhere" one.points -o refused.points -- false {}
[[ ! -e refused.points ]] || fail "a file was written"
expect_equal "what is left over" "$(ls -A "$TMPDIR")" ""
finish
