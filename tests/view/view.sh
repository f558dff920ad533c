#!/bin/bash
# SPDX-License-Identifier: MIT
# view.sh DUMP page|-: tests `voxphys view` and `voxphys grow --record`. Covers the information about a recording, the page, a part of a
# recording, and errors.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
dump=$1 page=$2
subject=(view)

"$dump" sample 300 s.vpr && "$dump" sample 7 few.vpr || exit 1
run view s.vpr --json
expect_status 0
expect_json "what is in it" '.type == "sample" and .frames == 300 and .first == 7 and .cut == false and .shapes == 8 and .page == null'
expect_json "its layers" '[.layers[] | .name + " " + .kind] == ["hulls items", "bodies items", "contacts arrows", "held boxes", "decisions table", "labels texts", "figures scalars", "cells voxels"]'
expect_json "its bytes" ".bytes == $(stat -c %s s.vpr)"
run view few.vpr
expect_status 0
expect_in stdout "$out" "frames    7 to 13; 8 shapes"
expect_in stdout "$out" "layer     decisions            table"

# ---- a growing forest ----
cat >small.json <<'END'
{"size": [24, 32, 24], "ground": 5, "seed": 3, "plant": [{"species": "cherry", "at": [12, 12]}, {"species": "beetle", "at": [3, 20, 3]}]}
END
run grow small.json --steps 80 --record grown.vpr --each --json
expect_status 0
expect_json "the recording is among the files" '.files == ["grown.vpr"]'
expect_json "steps" '.steps == 80'
grown=$out
"$dump" print grown.vpr >grown.txt || fail "it can't be read"
[[ $(grep -c '^frame' grown.txt) -eq 81 ]] || fail "a frame for the beginning and for each step"
[[ $(sed -n 's/^state.* step \([0-9]*\), digest \(.*\)/\1 \2/p' grown.txt | tail -n 80) == "$(jq -r '.each[] | "\(.step) \(.digest)"' <<<"$grown")" ]] || fail "the digests of the steps"
# The end shows every grown cell, and the visible part of the ground.
awk '/^frame/ { delete n } /^cells/ { n[$3]++ } END { for (m in n) print m, n[m] }' grown.txt | sort -n >cells.txt
[[ $(awk '$1 > 1 { n += $2 } END { print n }' cells.txt) == "$(jq '.wood + .leaves + (.cells.beetle // 0)' <<<"$grown")" ]] || fail "the cells that have grown: $(cat cells.txt)"
run grow small.json --steps 5 --record grown.html
expect_status 2
expect_in stderr "$err" "--record 'grown.html' does not end with .vpr"
run grow small.json --steps 5 --record none/grown.vpr
expect_status 2
expect_in stderr "$err" "cannot create a file for none/grown.vpr"
# It continues from a saved state.
run grow small.json --steps 40 -o half.vpa
run grow half.vpa --steps 40 --record rest.vpr
run view rest.vpr --json
expect_json "from step 40 on" '.first == 40 and .frames == 41'
"$dump" print rest.vpr >rest.txt || fail "it can't be read"
expect_equal "the last step" "$(grep '^state' rest.txt | tail -n 1)" "$(grep '^state' grown.txt | tail -n 1)"

# ---- refused arguments ----
head -c 150000 s.vpr >cut.vpr
run view cut.vpr --json
expect_status 0
expect_json "it was cut" '.cut and .frames < 300'
expect_in stderr "$err" "was not ended, as by a crash: its "
head -c 100 s.vpr >short.vpr
refused "short.vpr: the recording ends before its header does" short.vpr
{ head -c 5000 s.vpr; printf X; tail -c +5002 s.vpr; } >bad.vpr
refused "bad.vpr: the block at byte" bad.vpr
refused "small.json: this is not a recording of voxphys" small.json
refused "none.vpr: No such file" none.vpr
refused "'--frames': '5' is not A..B" s.vpr --frames 5
refused "'9..8' is not A..B" s.vpr --frames 9..8
refused "s.vpr has frames 7 to 306, not 6 to 9" s.vpr --frames 6..9
refused "s.vpr has no layer \"hull\"" s.vpr --layers hulls,hull
refused "s.vpr has no layer \"\"" s.vpr --layers ""
refused "-o s.vpr is the file that is read" s.vpr -o s.vpr
refused "cannot create a file for none/page.html" s.vpr -o none/page.html

# ---- the page ----
if [[ $page != page ]]; then
    refused "this build has no page. Run 'cmake/packages page' (it installs esbuild, npm and node on Debian), then 'cmake --preset release && cmake --build --preset release'" s.vpr -o page.html
    finish
fi
embedded() # PAGE: the recording in it
{
    sed -n 's|.*id="recording">\([^<]*\)</script>.*|\1|p' "$1" | base64 -d
}
run view few.vpr -o page.html --json
expect_status 0
expect_json "the page" ".page == \"page.html\" and .page_bytes == $(stat -c %s page.html)"
cmp -s <(embedded page.html) few.vpr || fail "the recording is not in the page as it is"
[[ $(stat -c %s page.html) -lt 700000 ]] || fail "the page has $(stat -c %s page.html) bytes"
[[ $(grep -o '</script' page.html | wc -l) -eq 2 ]] || fail "another script ends in the page"
! grep -qE '(src|href)=' <(sed '/<script>/,$d' page.html) || fail "the page asks for something"
run view s.vpr -o part.html --frames 100..120 --layers decisions,hulls,figures
expect_status 0
expect_in stdout "$out" "layer     cells                voxels, left out"
embedded part.html >part.vpr
run view part.vpr --json
expect_json "the part" '.first == 100 and .frames == 21 and [.layers[].name] == ["hulls", "decisions", "figures"] and .type == "sample"'
"$dump" print part.vpr >part.txt || fail "it can't be read"
"$dump" print s.vpr >s.txt || fail "it can't be read"
some() { awk '/^frame/ { on = $2 >= 100 && $2 <= 120 } on && /^(frame|decisions|figures)/' "$1"; }
cmp -s <(some part.txt) <(some s.txt) || fail "the part shows something else"
finish
