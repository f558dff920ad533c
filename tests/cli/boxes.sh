#!/bin/bash
# SPDX-License-Identifier: MIT
# The accepted forms of a number in files of boxes, and the messages for invalid files.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
boxes=$scratch/boxes.jsonl

refused_box() # PART BOX: BOX is on the second line
{
    printf '%s\n' '{"min": ["0", "0", "0"], "max": ["1", "1", "1"]}' "$2" >"$boxes"
    refused "$boxes: line 2: $1" broadphase terrain-l2 --boxes "$boxes" --queries 1
}

ask() # BOX: prints its answer
{
    printf '%s\n' "$1" >"$boxes"
    succeeds broadphase terrain-l2 --boxes "$boxes" --queries 1 --json
    answer=$(jq -c '[.queries.touch_solid, .queries.touch_water]' <<<"$out")
}

# In a world of 64 voxels with land and water, a box over everything touches both and a far one touches neither.
for box in '{"min":[0,0,0],"max":[64,64,64]}' '{"min":[-0.5,0.0,-1],"max":[64.25,64e0,64]}' \
    '{"min":["-inf",0,"0x0p+0"],"max":["inf","64",64]}'; do
    ask "$box"
    expect_equal "solid and water" "$answer" "[1,1]"
done
ask $'\xef\xbb\xbf{"min":[0,0,0],"max":[64,64,64]}'
expect_equal "the answer behind a byte order mark" "$answer" "[1,1]"
for box in '{"min":[1000,0,0],"max":[1152921504606846976,16777216,1e10]}' '{"min":["1e3",0,0],"max":["0x1p+100","9",9]}'; do
    ask "$box"
    expect_equal "solid and water" "$answer" "[0,0]"
done

# Numbers that would be rounded, and values that are not numbers.
refused_box 'min.y is 0.1,' '{"min": [0, 0.1, 0], "max": [1, 1, 1]}'
refused_box 'max.z is 16777217' '{"min": [0, 0, 0], "max": [1, 1, 16777217]}'
refused_box 'max.x is 9223372036854775807' '{"min": [0, 0, 0], "max": [9223372036854775807, 1, 1]}'
refused_box 'max.x is 1e39' '{"min": [0, 0, 0], "max": [1e39, 1, 1]}'
refused_box 'max.x is "1e39"' '{"min": [0, 0, 0], "max": ["1e39", 1, 1]}'
refused_box 'min.x is "1,5"' '{"min": ["1,5", 0, 0], "max": [1, 1, 1]}'
refused_box 'min.x is ""' '{"min": ["", 0, 0], "max": [1, 1, 1]}'
refused_box 'max.y is null' '{"min": [0, 0, 0], "max": [1, null, 1]}'
expect_in stderr "$err" '"0x1.8p+3"'
refused_box '"max" is not a list' '{"min": [0, 0, 0], "max": [1, 1]}'
refused_box '"max" is missing' '{"min": [0, 0, 0], "maximum": [1, 1, 1]}'
refused_box 'no box' '{"min": [0, 0, 0], "max": [1, 1, 1], "name": "a"}'
refused_box 'no box' '[0, 0, 0, 1, 1, 1]'
refused_box 'not JSON' 'min 0 0 0 max 1 1 1'
refused_box 'not JSON' ''

# Invalid boxes are reported with their line, even if no query reaches them.
refused_box 'min.z is NaN' '{"min": [0, 0, "nan"], "max": [1, 1, 1]}'
refused_box 'max.x is NaN' '{"min": [0, 0, 0], "max": ["nan", 1, 1]}'
refused_box 'min.y = 2.5 is above max.y = 1' '{"min": [0, 2.5, 0], "max": [1, 1, 1]}'

# A byte 0 is refused, because the rest of its line would be lost.
printf '{"min": [0, 0, 0], "max": [1, 1, 1]}\0 garbage\n' >"$boxes"
refused "$boxes: line 1: byte 37 is 0" broadphase terrain-l2 --boxes "$boxes"
printf '%1024s\n' '{"min": [0, 0, 0], "max": [1, 1, 1]}' >"$boxes"
refused "$boxes: line 1: longer" broadphase terrain-l2 --boxes "$boxes"
printf '%1023s' '{"min": [0, 0, 0], "max": [1, 1, 1]}' >"$boxes" # the longest line, without a newline at the end
succeeds broadphase terrain-l2 --boxes "$boxes" --queries 1

rm "$boxes"
mkfifo "$boxes"
run_as "voxphys broadphase terrain-l2 --boxes a pipe" timeout 60 voxphys broadphase terrain-l2 --boxes "$boxes"
expect_status 2
expect_in stderr "$err" "$boxes is not a regular file"
finish
