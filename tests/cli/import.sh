#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys dataset import`. It never overwrites its input, the defaults are those in the help, and each refusal names the option
# that solves it.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

subject=(dataset import)

unchanged() # FILE COPY
{
    cmp -s "$1" "$2" || fail "$1 was changed"
}

# ---- a model of one voxel, four samples, a world, and a file that begins like a picture ----
printf 'VOX \226\0\0\0MAIN\0\0\0\0\54\0\0\0SIZE\14\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0XYZI\10\0\0\0\0\0\0\0\1\0\0\0\0\0\0\1' \
    >"$scratch/m.vox"
printf '\1\0\2\0\7\0\12\0' >"$scratch/four.raw"
printf '\0\0\323\377\0\0\0\0' >"$scratch/high.raw"
printf '\211PNG' >"$scratch/png"
succeeds dataset make terrain-l2 -o "$scratch/w.vpw"
raw=(--format raw --raw-size "2,2")

# ---- the input file ----
cp "$scratch/m.vox" "$scratch/m.copy"
ln "$scratch/m.vox" "$scratch/hard.vox"
ln -s m.vox "$scratch/soft.vox"
for name in m.vox ./m.vox hard.vox soft.vox; do
    refused "OUT '$scratch/$name' is the file that is read" "$scratch/m.vox" -o "$scratch/$name"
    unchanged "$scratch/m.vox" "$scratch/m.copy"
done
refused "OUT '$scratch/m.vox' is the file that is read" "$scratch/soft.vox" -o "$scratch/m.vox"
unchanged "$scratch/m.vox" "$scratch/m.copy"
cp "$scratch/w.vpw" "$scratch/w.copy"
refused "OUT '$scratch/w.vpw' is the file that is read" "$scratch/w.vpw" -o "$scratch/w.vpw"
unchanged "$scratch/w.vpw" "$scratch/w.copy"
cp "$scratch/four.raw" "$scratch/four.copy"
refused "OUT '$scratch/four.raw' is" "$scratch/four.raw" "${raw[@]}" -o "$scratch/four.raw"
unchanged "$scratch/four.raw" "$scratch/four.copy"

succeeds dataset import "$scratch/m.vox" -o "$scratch/model.vpw"
succeeds dataset import "$scratch/w.vpw" -o "$scratch/model.vpw" # another existing file is replaced
unchanged "$scratch/model.vpw" "$scratch/w.copy"

cd "$scratch" || exit 1
refused "a world is not written to standard output; give -o OUT" m.vox -o -
[[ ! -e - ]] || fail "a file called - was made"

mkdir data
cp -r "$VOXPHYS_SOURCE/datasets/manifest.json" "$VOXPHYS_SOURCE/datasets/luanti" data
export VOXPHYS_DATA=$scratch/data
subject=(dataset make)
refused "'data/manifest.json' is a file of the data sets, which is not replaced" terrain-l2 -o data/manifest.json
refused "'data/manifest.json' is a file of the data sets" terrain-l2/boxes-small -o data/manifest.json
unchanged data/manifest.json "$VOXPHYS_SOURCE/datasets/manifest.json"
refused "'data/luanti/luanti.vpw' is a file of the data sets" luanti -o data/luanti/luanti.vpw
refused "'data/luanti/luanti.vpw' is a file of the data sets" luanti/boxes-small -o data/luanti/luanti.vpw
cd data/luanti || exit 1
refused "'luanti.vpw' is a file of the data sets, which is not replaced" luanti
subject=(dataset import)
unchanged luanti.vpw "$VOXPHYS_SOURCE/datasets/luanti/luanti.vpw"
cd "$scratch" || exit 1
unset VOXPHYS_DATA

# ---- values ----
refused "--water-colour '0' is not a whole number from 1 to 255" m.vox --water-colour 0 -o x.vpw
refused "--water-colour '256' is not" m.vox --water-colour 256 -o x.vpw
refused "--height-scale 'a' is not a finite number" four.raw "${raw[@]}" --height-scale a -o x.vpw
refused "--raw-size '2x2' is not X,Z: " four.raw --format raw --raw-size 2x2 -o x.vpw
refused "--materials '4' is not T,S,R: 3 whole" four.raw "${raw[@]}" --materials 4 -o x.vpw
refused "--format 'gif': must be one of auto, vpw" m.vox --format gif -o x.vpw
refused "--materials '2,3,1': 1 is not from 2 to 255" four.raw "${raw[@]}" --materials 2,3,1 -o x.vpw
refused "--raw-size '5' is not X,Z: 2 whole numbers of 32 bits with commas between" four.raw --format raw --raw-size 5 -o x.vpw
refused "--min needs --size" png --format luanti --min 0,0,0 -o x.vpw
for option in --min=0,0,0 --min=nowhere --size=0,0,0; do # the format is checked before the value
    refused "option '${option%%=*}' is for Luanti; the format of 'png' is png" png "$option" -o x.vpw
done
refused "a raw heightmap needs --raw-size X,Z" four.raw --format raw -o x.vpw
refused "four.raw begins like no format that is imported" four.raw -o x.vpw
expect_in stderr "$err" "--format raw --raw-size X,Z"
refused "high.raw: the highest sample, 65491, is 65491 voxels high" high.raw "${raw[@]}" -o x.vpw
expect_in stderr "$err" --height-scale
refused "four.raw: a height base of 1e+07" four.raw "${raw[@]}" --height-base 1e7 -o x.vpw
expect_in stderr "$err" --height-base
[[ ! -e x.vpw ]] || fail "a file was written although that was refused"
tells "65.491 voxels and up to 72" '.size == [8, 72, 8]' dataset import high.raw "${raw[@]}" --height-scale 0.001 -o x.vpw

# ---- leaving an option out equals its default in the help, and another value differs ----
run dataset import --help
defaults=$(sed -nE 's/^  (--[a-z-]+) .*\(default ([0-9.,-]+).*/\1 \2/p' <<<"$out")
expect_equal defaults "$defaults" "--min 0,0,0
--height-scale 1
--height-base 0
--water-level 0
--soil-depth 3
--materials 4,3,2"
expect_in "the help" "$out" "palette index of water, 1 to 255 (default: none)"
succeeds dataset import four.raw "${raw[@]}" -o plain.vpw
while read -r option value other; do
    succeeds dataset import four.raw "${raw[@]}" "$option" "$value" -o same.vpw --json
    same=$(member hash)
    run dataset import plain.vpw -o copy.vpw --json
    expect_equal "the hash with $option $value" "$same" "$(member hash)"
    succeeds dataset import four.raw "${raw[@]}" "$option" "$other" -o other.vpw --json
    [[ $(member hash) != "$same" ]] || fail "$option $other changes nothing"
done < <(grep -v -- --min <<<"$defaults" | paste -d ' ' - <(printf '%s\n' 0.5 1 5 1 4,3,5))
finish
