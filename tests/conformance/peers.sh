#!/bin/bash
# SPDX-License-Identifier: MIT
# peers.sh PROGRAM: the adapters of other libraries keep to the protocol, support the families that they claim, and answer the easy
# questions. Failures of the libraries themselves are not tested.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
program=$1
cd "$scratch" || exit 1

names=$("$program" 2>&1 | sed -n 's/^usage: .*, of//p')
if [[ -z $names ]]; then
    echo "no library that could be asked is in this build"
    exit 77
fi
for name in $names; do
    case $name in
    bullet) easy="ray-triangle/front ray-mesh/order aabb-gather/hills-3 hull3/tetrahedron" ;;
    bullet-quantized) easy="ray-triangle/front ray-mesh/order aabb-gather/hills-3" ;;
    embree | embree-robust) easy="ray-triangle/front ray-mesh/order" ;;
    cgal | qhull) easy="hull2/square hull3/tetrahedron hull3/random-3" ;;
    hacd) easy="decompose/box decompose/t" ;;
    *) fail "$name is not known here" ;;
    esac
    for vector in $easy; do
        run check --timeout 20 --json --vector "$vector" --adapter "'$program' $name"
        expect_status 0
        expect_json "$name answers $vector" '.adapters[0].name == "'"$name"'" and .vectors[0].results[0].result == "pass"'
    done
done
"$program" nothing 2>/dev/null
expect_equal "exit code of a library that there is not" $? 2
finish
