#!/bin/bash
# SPDX-License-Identifier: MIT
# What a mistake on the command line leads to: exit code 2, a message on stderr that names what was wrong, nothing on stdout.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

refused() # PART ARGUMENT...
{
    run "${@:2}"
    expect_status 2
    expect_in stderr "$err" "$1"
    expect_empty stdout "$out"
}

refused "Usage: voxphys"
refused "'frobnicate'" frobnicate
refused "'--frobnicate'" --frobnicate
for command in $(voxphys --help | sed -n '/^Commands:/,/^$/ s/^  \([a-z]*\) .*/\1/p'); do
    refused "--frobnicate" "$command" --frobnicate
done
refused "'surplus'" info surplus
refused "'surplus'" verify surplus
refused "'--json' takes no value" info --json=yes
refused "'--kernel' needs a value" verify --kernel
refused "'dilate_moon'" verify --kernel dilate_moon
refused "'sse9'" verify --isa sse9
refused "'atlantis'" verify --dataset atlantis
refused "'fuzz-x'" verify --dataset fuzz-x
refused "'-1'" verify --seed -1
refused "'12monkeys'" verify --seed 12monkeys
refused "'99999999999999999999'" verify --seed 99999999999999999999

refused "'teleport'" dataset teleport
refused "dataset" dataset
refused "atlantis" dataset info atlantis
refused "atlantis" dataset make atlantis
refused "boxes-tiny" dataset make terrain-l2/boxes-tiny -o "$scratch/boxes"
refused "$scratch/absent.vox" dataset import "$scratch/absent.vox" -o "$scratch/world.vpw"
refused "-o" dataset import "$scratch/absent.vox"
echo "no world at all" >"$scratch/text"
cp "$scratch/text" "$scratch/text.vpw"
refused "$scratch/text" dataset import "$scratch/text" -o "$scratch/world.vpw"
refused "$scratch/nowhere/world.vpw" dataset make terrain-l2 -o "$scratch/nowhere/world.vpw"
checks=$((checks + 1))
[[ ! -e $scratch/world.vpw ]] || fail "a world file was written although the import was refused"

refused "WORLD" broadphase
refused "atlantis" broadphase atlantis
refused "$scratch/absent.vpw" broadphase "$scratch/absent.vpw"
refused "not a VPW world file" broadphase "$scratch/text.vpw"
refused "sse9" broadphase terrain-l2 --isa sse9
refused "'0'" broadphase terrain-l2 --threads 0
refused "many" broadphase terrain-l2 --queries many
refused "5,2" broadphase terrain-l2 --extent 5,2
refused "atlantis" broadphase terrain-l2 --boxes atlantis

# The environment is input too.
export VOXPHYS_ISA=abacus
refused '"abacus"' info
export VOXPHYS_ISA=scalar-simde
refused '"scalar-simde"' info
unset VOXPHYS_ISA
export VOXPHYS_DATA=$scratch/nowhere
refused "$scratch/nowhere" verify
unset VOXPHYS_DATA

# A full disk is not a success.
if [[ -w /dev/full ]]; then
    shown="voxphys info --json >/dev/full"
    voxphys info --json >/dev/full 2>/dev/null
    status=$?
    checks=$((checks + 1))
    [[ $status -ne 0 ]] || fail "exit code 0 although nothing could be written"
fi
finish
