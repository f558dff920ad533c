#!/bin/bash
# SPDX-License-Identifier: MIT
# hostile.sh PLAYGROUND: wrong scripts are reported by line, and numbers at the ends of their ranges are accepted.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
replay() # TEXT: runs a script
{
    printf '%b' "$1" >"$scratch/script"
    run_as "${1:0:60}" "$playground" "$scratch/script"
}
playground=$1
long=$(printf '%0100000d' 0)
while IFS='|' read -r message script; do
    replay "$script"
    expect_status 2
    expect_equal stderr "$err" "playground: $message"
done <<END
line 1: command jump is unknown|jump
line 1: command ${long:0:60} is unknown|$long
line 1: step: 0 words follow; must be 1|step
line 1: mesh: 12 words follow; must be 0|mesh 1 2 3 4 5 6 7 8 9 10 11 12
line 2: step: the first command must be world|# a comment\nstep 1
line 1: count nan: must be a whole number from 1 to 100000|step nan
line 1: count 1e99: must be a whole number from 1 to 100000|step 1e99
line 1: count 99999999999999999999: must be a whole number from 1 to 100000|step 99999999999999999999
line 1: count 2x: must be a whole number from 1 to 100000|grow 2x
line 1: seed -1: must be a whole number from 0 to 1e+15|world -1
line 1: seed 1.5: must be a whole number from 0 to 1e+15|world 1.5
line 1: radius -3: must be a number from 0 to 16|dig -3 1 1 1
line 1: radius ${long:0:60}: must be a number from 0 to 16|dig ${long}16x 1 1 1
line 1: position inf: must be a number from -1e+06 to 1e+06|dig 3 1 inf 1
line 1: material 9: must be a whole number from 1 to 5|fill 9 1 1 1 1
line 1: size 0: must be a number from 0.01 to 16|throw box 0 1 1 1 1 1 1 1
line 1: density 1e-9: must be a number from 0.001 to 1000|throw box 1 1e-9 1 1 1 1 1 1
line 1: velocity -nan: must be a number from -1000 to 1000|throw box 1 1 1 1 1 1 1 -nan
line 1: rays along a side 129: must be a whole number from 2 to 128|fan 129 1 1 1 0 1 0
line 1: coordinate 65: must be a number from -64 to 64|v 1 65 1
line 1: vertex 0: must be a whole number from 1 to 1e+06|f 1 0 1
line 1: hulls 0: must be a whole number from 1 to 1000|decompose 5 0
line 2: shape cone: must be sphere, capsule, box or cylinder|world 1\nthrow cone 1 1 1 1 1 1 1 1
line 2: species elm: must be oak, pine, cherry, redwood, beetle, ant or firefly|world 1\nplant elm 1 1 1
line 2: the ray's direction is (0, 0, 0); must not be 0|world 1\nray 1 1 1 0 0 0
line 2: no hull is solid; run decompose first|world 1\ndrop 1 1 1
line 4: corner 1 of triangle 0 is point 1 of 1|world 1\nv 1 1 1\nf 1 2 3\ndecompose 5 5
byte 5 is 0; must be text|world\0000 1
END
for file in "$scratch" "$scratch/none"; do
    run_as "$file" "$playground" "$file"
    expect_status 2
    expect_equal stderr "$err" "playground: $file can't be read"
done
replay ''
expect_status 0
replay "\n \r\n$long\n"
expect_status 2
replay "world 1e15
dig 0 48 10 48
dig 16 48 10 48
fill 1 16 1e6 -1e6 1e6
throw sphere 0.01 1000 1e6 1e6 1e6 1000 1000 1000
throw cylinder 2 0.001 48 60 48 -1000 -1000 1000
plant oak 1 1 1
step 9
grow 100000
ray -1e6 1 1 1000 1e-30 0
fan 128 48 60 48 0 -1 0
mesh
v 0 0 0
f 1 1 1
decompose 1000 1000
world 1"
expect_status 0
finish
