#!/bin/bash
# SPDX-License-Identifier: MIT
# grow.sh threads|-: `voxphys grow`. Species grow as described, a run can be stopped and continued, and the result is always the
# same. Also refusals.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
has_threads=$1
subject=(grow)

same_file() # WHAT A B
{
    cmp -s "$2" "$3" || fail "$1: $2 and $3 differ"
}

digest_of()
{
    succeeds grow "$@" --json
    digest=$(member digest)
}

# ---- a file of species ----

cat >small.json <<'END'
{"size": [48, 48, 40], "ground": 5, "seed": 3,
 "species": [{"name": "bud", "like": "blossom", "end": 40, "radius": 2},
             {"name": "shrub", "like": "cherry", "leaf": "bud", "height": [9, 9], "lean": 0}],
 "plant": [{"species": "shrub", "at": [12, 12]}, {"species": "oak", "at": [30, 24]}, {"species": "beetle", "at": [3, 40, 3]}]}
END
succeeds grow small.json --steps 300 --each -o all.vpw -o all.vpa --json
whole=$(member digest)
expect_json "what is told" '.kind == "spec" and .size == [48, 48, 40] and .planted.seeds == 3 and .planted.seed == 3 and .steps == 300 and .step == 300'
expect_json "the ground stays" '.ground == 48 * 40 * 5'
expect_json "what is there of each species" '.cells | .shrub > 50 and .bud > 50 and .oak > 500 and .leaf > 1000 and .beetle == 1'
expect_json "wood and leaves" '.wood == .cells.shrub + .cells.oak and .leaves == .cells.bud + .cells.leaf'
expect_json "the beetle still lives" '.living.now >= 1 and .living.most > .living.now'
expect_json "each step" '(.each | length) == 300 and (.each | map(.step)) == [range(1; 301)] and .each[299].digest == .digest and .each[299].living == .living.now'
expect_json "sums" '([.each[].changes] | add) == .changes and ([.each[].living] | max) == .living.most'
expect_json "a grown cell was a change once" '.changes > .wood + .leaves'
sum=$(jq '.ground + .wood + .leaves + .cells.beetle' <<<"$out")
cells=$(jq -c .cells <<<"$out")

# The world has a voxel for each cell, with its name.
tells "the voxels of the world" ".size == [48, 48, 40] and .voxels.solid == $sum and .voxels.water == 0" world info all.vpw
for name in shrub:cherry:shrub bud:blossom:bud oak:oak leaf:leaf; do
    expect_equal "the world's ${name%%:*}" "$(strings all.vpw | sed -n "s/^[0-9]* \([0-9]*\) grown:${name#*:}\$/\1/p")" "$(jq ".[\"${name%%:*}\"]" <<<"$cells")"
done

# Again, with options that change nothing.
succeeds grow small.json --steps 300 --terrain -o again.vpw -o again.vpa --json
expect_json "the same with a terrain" ".digest == \"$whole\" and .terrain.edits > 0 and .terrain.edits <= 300 and .terrain.chunks >= .terrain.edits and .terrain.most_chunks > 0"
same_file "the world" all.vpw again.vpw
same_file "the state" all.vpa again.vpa
same_with "$whole" --threads 3 grow small.json --steps 300
digest_of small.json --steps 300 --seed 4
[[ $digest != "$whole" ]] || fail "another seed changes nothing"
succeeds grow small.json --steps 300 --each --terrain
expect_equal "lines that are steps" "$(grep -c '^step [0-9]* *[0-9]* living, [0-9]* changed, digest [0-9a-f]*, [0-9]* chunks*$' <<<"$out")" 300
expect_in "text" "$out" "digest   $whole"

# Without a height, a seed is planted on top of the ground.
sed 's/"at": \[12, 12\]/"at": [12, 5, 12]/' small.json >exact.json
digest_of exact.json --steps 300
expect_equal "the seed on the ground" "$digest" "$whole"
sed 's/"at": \[12, 12\]/"at": [12, 6, 12]/' small.json >above.json
digest_of above.json --steps 300
[[ $digest != "$whole" ]] || fail "a seed one higher changes nothing"

# A seed in each column, which would take minutes one by one.
echo '{"size": [512, 6, 512], "ground": 1, "plant": [{"species": ["beetle", "oak"], "every": 1}]}' >many.json
shown="voxphys grow many.json"
out=$(timeout 60 voxphys grow many.json --steps 0 --json)
status=$?
expect_status 0
expect_json "a seed in each column" '.planted.seeds == 262144 and .living.now == 262144'

# ---- stopped and continued ----

for at in 0 1 130; do
    succeeds grow small.json --steps $at -o part.vpa --json
    succeeds grow part.vpa --spec small.json --steps $((300 - at)) -o rest.vpa --json
    expect_json "on from step $at" ".kind == \"state\" and .planted == null and .steps == 300 - $at and .step == 300 and .digest == \"$whole\""
    same_file "on from step $at" all.vpa rest.vpa
done
succeeds grow part.vpa --spec small.json --steps 170 -o part.vpa --json # overwrites its input
same_file "in its own place" all.vpa part.vpa
refused 'species "bud" is unknown' all.vpa
sed 's/"radius": 2/"radius": 3/' small.json >other.json
refused 'part.vpa: byte 460: species "bud" has type 12, strength 15, revision ' part.vpa --spec other.json
succeeds grow all.vpa --spec small.json --steps 0 -o plain.vpw --json
tells "a state as a world: the ground is soil" ".voxels.solid == $sum" world info plain.vpw

# A run ends when no cell lives.
echo '{"size": [32, 40, 32], "plant": [{"species": "cherry", "at": [16, 16]}]}' >cherry.json
tells "a cherry ends" '.living.now == 0 and .steps < 400 and .wood > 30 and .leaves > 100' grow cherry.json
steps=$(jq .steps <<<"$out")
tells "and not before" '.living.now > 0' grow cherry.json --steps $((steps - 1))

# ---- a world ----

succeeds grow terrain-l2 --steps 0 --json
expect_json "a seed in each square, or it is passed over" '.hash_checked and .planted.seeds + .planted.bare + .planted.flooded == 4 and .planted.seeds == .living.now'
expect_json "with room above" '.size[0] == 64 and .size[2] == 64 and .size[1] > 96 and .size[1] % 8 == 0'
succeeds grow terrain-l2 --steps 0 --plant 8 --species beetle,ant,firefly --room 1 --json
expect_json "in more squares" '.planted.seeds + .planted.bare + .planted.flooded == 64 and (.cells | .beetle + .ant + .firefly) == .planted.seeds and .size[1] == 64'
succeeds grow terrain-l2 --steps 120 --plant 16 --species oak -o trees.vpw -o trees.vpa --json
digest=$(member digest)
succeeds grow terrain-l2 --steps 70 --plant 16 --species oak -o trees-70.vpw -o trees-70.vpa --json
has_digest "on in the world" "$digest" grow trees-70.vpa --onto terrain-l2 --steps 50 -o rest.vpw -o rest.vpa
same_file "on in the world" trees.vpw rest.vpw
same_file "on in the world" trees.vpa rest.vpa
has_digest "on in the world that has it already" "$digest" grow trees-70.vpa --onto trees-70.vpw --steps 50 --terrain -o rest.vpw
run world info rest.vpw --json
solid=$(jq .voxels.solid <<<"$out")
run world info trees.vpw --json
expect_equal "its solid voxels" "$solid" "$(jq .voxels.solid <<<"$out")"
refused "the state was not grown in sparse: (0, " trees-70.vpa --onto sparse -o none.vpw
refused "the state has 64 x " trees-70.vpa --onto terrain-l3 -o none.vpw

# ---- refusals ----

refused "none.vpa" none.vpa
refused "--species 'redwood,elm': name 2 is not a living species" terrain-l2 --species redwood,elm
refused "--species 'ground': name 1" terrain-l2 --species ground
refused "--species ',': name 1" terrain-l2 --species ,
refused "-o 'tree.png' ends with neither .vpw, a world, nor .vpa, a state" terrain-l2 -o tree.png
refused "-o a.vpa is given twice" small.json --steps 1 -o a.vpa -o a.vpa
refused "--species is for a world" all.vpa --species oak
refused "--seed is for a world" all.vpa --seed 3
refused "--plant 4: --species is missing" small.json --plant 4
refused "--spec small.json: small.json is a file of species itself" small.json --spec small.json
refused "--room 9 is for a world; the height of a state is fixed" all.vpa --room 9
refused "--onto terrain-l2 is for a state" terrain-l2 --onto terrain-l2 -o none.vpw
cp small.json copy.json
ln -s copy.json copy.vpa
refused "-o copy.vpa is a file that is read" copy.json --steps 1 -o copy.vpa
voxphys dataset make random-10 -o read.vpw >/dev/null
cp read.vpw kept.vpw
ln -s read.vpw link.vpa
ln -s read.vpw link.vpr
refused "-o read.vpw is a file that is read" read.vpw --steps 1 -o read.vpw
refused "-o link.vpa is a file that is read" read.vpw --steps 1 -o link.vpa
refused "--record link.vpr is a file that is read" read.vpw --steps 1 --record link.vpr
refused "cannot create a file for none/a.vpa" small.json --steps 1 --record kept.vpr -o none/a.vpa
expect_equal "the world that is read" "$(cmp read.vpw kept.vpw)" ""
expect_equal "recordings" "$(ls kept.vpr 2>/dev/null)" ""
same_file "what was read" copy.json small.json
refused "cannot create a file for none/a.vpa" small.json --steps 1 -o none/a.vpa
[[ ! -e none.vpw && ! -e a.vpa ]] || fail "a file was written although it was refused"

# Files of species, with the fault and its message on each line.
while IFS='|' read -r text part; do
    printf '%s' "$text" >wrong.json
    refused "wrong.json: $part" wrong.json
done <<'END'
|line 1: not JSON
[1]|[1] is not an object
{}|"size" is missing
{"size": [8, 8]}|"size" is [8,8], not a list of 3 numbers
{"size": [8, 8, 0]}|"size" is 0; it is from 1 to 2048
{"size": [8, 8, 2049]}|"size" is 2049
{"size": [8, 8.5, 8]}|"size" is 8.5, not a whole number
{"size": [2048, 2048, 2048]}|"size" is [2048,2048,2048]: more than 1073741824 cells
{"size": [8, 8, 8], "sise": 1}|"sise" is unknown
{"size": [8, 8, 8], "seed": -1}|"seed" is -1
{"size": [8, 8, 8], "seed": "x"}|"seed" is "x", not a whole number
{"size": [8, 8, 8], "ground": 8}|"ground" is 8 of 8 layers: nothing can grow
{"size": [8, 8, 8], "plant": {}}|"plant" is {}, not a list
{"size": [8, 8, 8], "plant": []}|nothing is planted
{"size": [8, 8, 8], "ground": 0, "plant": [{"species": "oak", "every": 2}]}|nothing is planted (columns chosen: 16 without ground
{"size": [8, 8, 8], "plant": [7]}|planting 1: 7 is not an object
{"size": [8, 8, 8], "plant": [{"species": "oak"}]}|planting 1: it has neither of "at" and "every"
{"size": [8, 8, 8], "plant": [{"species": "oak", "at": [1, 1], "every": 2}]}|planting 1: it has both
{"size": [8, 8, 8], "plant": [{"species": "oak", "at": [8, 1]}]}|planting 1: "at" is 8; it is from 0 to 7
{"size": [8, 8, 8], "plant": [{"species": "oak", "at": [1, 8, 1]}]}|planting 1: "at" is 8
{"size": [8, 8, 8], "plant": [{"species": "oak", "at": [1]}]}|planting 1: "at" is [1], not [x, z] or [x, y, z]
{"size": [8, 8, 8], "plant": [{"species": "elm", "at": [1, 1]}]}|planting 1: "species" is "elm": must be the name of a living species
{"size": [8, 8, 8], "plant": [{"species": ["oak", "ground"], "every": 1}]}|planting 1: "species" is "ground"
{"size": [8, 8, 8], "plant": [{"species": [], "every": 1}]}|planting 1: "species" are 0; they are from 1 to 16
{"size": [8, 8, 8], "plant": [{"species": "oak", "every": 0}]}|planting 1: "every" is 0
{"size": [8, 8, 8], "plant": [{"species": "oak", "every": 1, "wait": 1}]}|planting 1: "wait" is 1, not true or false
{"size": [8, 8, 8], "plant": [{"species": "oak", "every": 1, "where": 1}]}|planting 1: "where" is unknown
{"size": [8, 8, 8], "species": [{"name": "elm"}]}|species 1: "like" is missing
{"size": [8, 8, 8], "species": [{"name": "oak", "like": "oak"}]}|species 1: there is a "oak" already
{"size": [8, 8, 8], "species": [{"name": "Elm", "like": "oak"}]}|species 1: "name" is "Elm": lower-case letters
{"size": [8, 8, 8], "species": [{"like": "oak"}]}|species 1: "name" is missing
{"size": [8, 8, 8], "species": [{"name": "elm", "like": "oak"}, {"name": "yew", "like": "elm"}]}|species 2: "like" is "elm", which is not built in
{"size": [8, 8, 8], "species": [{"name": "elm", "like": "oak", "height": 9}]}|species 1: "height" is 9, not a list of 2 numbers
{"size": [8, 8, 8], "species": [{"name": "elm", "like": "oak", "height": [9, 401]}]}|species 1: "height" is 401; it is from 1 to 400
{"size": [8, 8, 8], "species": [{"name": "elm", "like": "oak", "height": [9, 8]}]}|species 1: "height" is [9,8]: it must ascend
{"size": [8, 8, 8], "species": [{"name": "elm", "like": "oak", "interval": [9, 9]}]}|species 1: "interval" is [9,9]: raw wood, the second, must be the slower
{"size": [8, 8, 8], "species": [{"name": "elm", "like": "oak", "leaf": "redwood"}]}|species 1: "leaf" is "redwood", which is not a leaf
{"size": [8, 8, 8], "species": [{"name": "elm", "like": "oak", "end": 3}]}|species 1: "end" is unknown
{"size": [8, 8, 8], "species": [{"name": "bee", "like": "beetle", "strength": 256}]}|species 1: "strength" is 256; it is from 0 to 255
{"size": [8, 8, 8], "seed": 1, "seed": 2}|line 1: not JSON: duplicate object key
END
printf '{"size": [8, 8, 8]\0}' >wrong.json
refused "wrong.json: line 1: not JSON" wrong.json
mkdir folder.json
refused "folder.json" folder.json
printf '{"size": [16, 300, 16], "plant": [{"species": "oak", "at": [8, 8]}]}' >high.json
refused "300 layers of cells are not laid into a world, which has 256 at most" high.json --steps 1 -o none.vpw
succeeds grow high.json --steps 3 -o high.vpa --json
printf '{"size": [16, 30, 16], "ground": 29, "plant": [{"species": "oak", "at": [8, 29, 8]}, {"species": "oak", "at": [9, 9]}]}' >full.json
succeeds grow full.json --steps 3 --json

# Files that are cut or changed anywhere are read, or refused with a single sentence.
try_file() # FILE
{
    run grow "$@" --steps 2
    if [[ $status -eq 2 ]]; then
        [[ $err == "voxphys grow: "?* && $(wc -l <"$scratch/err") -eq 1 && -z $out ]] || fail "no sentence"
    elif [[ $status -ne 0 ]]; then
        fail "neither read nor refused"
    fi
}
stride=13
[[ -z ${VOXPHYS_SLOW-} ]] || stride=97
size=$(wc -c <small.json)
for ((n = 0; n < size; n += stride)); do
    head -c "$n" small.json >cut.json
    try_file cut.json
    expect_status 2
    for byte in '\x22' '9' '-' '\xff'; do
        { head -c "$n" small.json; printf '%b' "$byte"; tail -c +$((n + 2)) small.json; } >cut.json
        try_file cut.json
    done
done
# fuzz.automaton_state covers other contents of a state.
head -c 500 all.vpa >cut.vpa
refused "cut.vpa: byte " cut.vpa --spec small.json
finish
