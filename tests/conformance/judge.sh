#!/bin/bash
# SPDX-License-Identifier: MIT
# judge.sh: right answers that are spoiled, in every way that a family's answers can be, are found wrong, each of them. (A polygon of
# points that are nearly on a line may lack one corner and be right: those vectors are left out of that.) What is said in another way, and is
# right, is found right. Of the corpus one vector in three stands for all but before a release, of families that have few of a kind all do. A family's
# ways are asked side by side.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
unset VOXPHYS_ISA
timeout=2
[[ -z $VOXPHYS_SLOW ]] || timeout=30

# The corpus that is asked: of some families a part.
every=3
[[ -z $VOXPHYS_DEEP ]] || every=1
mkdir corpus
for file in "$VOXPHYS_SOURCE"/conformance/corpus/*.json; do
    part=$every
    [[ $file == */hull2.json || $file == */boxes.json || $file == */decompose.json || $file == */schema.json ]] && part=1
    jq --argjson part "$part" 'if .vectors then .vectors |= [to_entries[] | select(.key % $part == 0 or (.value.id | test("/flat|/line|/plane|/collinear"))).value] else . end' "$file" >"corpus/${file##*/}" || exit 1
done

# judged FAMILY WAY:MIN|WAY=MIN...: at least so many answers are spoiled in a way, each is found wrong, and no other; or are said in another way (=), and all are right
judged()
{
    local family=$1 adapters=() way
    shift
    for way; do
        adapters+=(--adapter "python3 '$VOXPHYS_SOURCE/tests/conformance/spoiled.py' ${way%%[:=]*} '$scratch/log.${way%%[:=]*}'")
    done
    run check --corpus "$scratch/corpus" --timeout "$timeout" --json --family "$family" "${adapters[@]}"
    expect_status 1
    checks=$((checks + 1))
    python3 - "$scratch/out" "$family" "$every" "$@" <<'END' || fail "answers of $family"
import json, re, sys
out, family, every = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2], int(sys.argv[3])
wrong = []
for column, (way, sign, least) in enumerate(re.fullmatch("(.*)([:=])([0-9]+)", w).groups() for w in sys.argv[4:]):
    changed = {int(n) - 1 for n in open(f"log.{way}", encoding="ascii")}
    results = [v["results"][column] for v in out["vectors"]]
    failed = {i for i, r in enumerate(results) if r["result"] != "pass"}
    missed = changed - failed if sign == ":" else failed
    if family == "hull2" and way == "less":
        missed = {i for i in missed if out["vectors"][i]["promise"] != "property"}
    if len(changed) < int(least) // every:
        wrong.append(f"only {len(changed)} are changed by {way}")
    if missed:
        wrong.append(f"{way}: judged otherwise: {[(out['vectors'][i]['id'], results[i].get('reason')) for i in sorted(missed)]}")
    if len(failed) > len(changed) or any(results[i].get("reason") is None or results[i].get("answer") is None for i in failed):
        wrong.append(f"{way}: others than those {len(changed)} are wrong, or have no reason")
print("\n".join(wrong), file=sys.stderr)
sys.exit(bool(wrong))
END
}

judged dilation bit:30 classes:15
judged overlap word:60
judged grid-walk nan:40 far:40 cell:40
judged ray-triangle nan:40 far:40
judged ray-mesh nan:60 other:60
judged aabb-gather less:30 twice:30
judged hull2 less:35 back:35 part:25 crossed:30
judged hull3 less:50 back:50 twice:50 flat:50 inner:40 grown:55 larger:55 stretched:55 aside:55 one-place:55 not-finite:55 \
    corner-twice:55 points:5 lines:5 covered-twice:5 bowtie:4 gap:4 loose=60 side=5 sides=5
judged mesher less:30 back:30 twice:30 moved:30 border:20 thrice:37 dots:20 specks:20 each:20 bubble:37 hollow:37 bubble-outside:37 \
    within:37 cubes=37 loose=37
judged scene-query less:45 twice:45 more:45 object:12 nan:12 far:12 turned=6
judged automaton-step byte:70 before:50 dead:30 shorter:70
judged faces less:60 twice:60 first:60 last:60 from-nothing:3 turned=60
judged boxes less:80 twice:80 first:80 last:80 size:80 beyond:80 cut:14 upwards:17 swapped:34 from-nothing:6 turned=15 otherwise=10
judged decompose less:36 cut:35 twice:36 one-more:19 all:12 filled:7 inside:1 beyond:36 none:36 turned=36 each=10 on-surface=1
judged regions held:80 less:40 swapped:15 shorter:80
judged buoyancy nan:60 dry:25 aside:20 upside-down:9 shorter:60
judged manifold none:45 nan:45 tilted:45 backwards:45 long:45 deeper:45 lifted:45 five:45 shorter:45 turned=45
finish
