#!/bin/bash
# SPDX-License-Identifier: MIT
# digests.sh passes with a copy of digests.json. It fails with a message if one digit of a digest differs, a digest is missing or
# superfluous, or a data set is not verified. The verification is always the same, so it runs once.
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
script=$VOXPHYS_SOURCE/tests/golden/digests.sh
golden=$VOXPHYS_SOURCE/datasets/digests.json
world=tiny-ball
key=hull2/tiny-ball
failures=0

fail()
{
    echo "FAIL: $*" >&2
    sed 's/^/  /' "$scratch/out" >&2
    failures=$((failures + 1))
}

VOXPHYS_REAL=$(command -v voxphys)
export VOXPHYS_REAL VOXPHYS_SAID=$scratch/said
mkdir "$scratch/bin"
cat >"$scratch/bin/voxphys" <<'END'
#!/bin/bash
# verify --dataset WORLD --json. The first time it runs the real command and stores its output.
said=$VOXPHYS_SAID-$3
if [[ ! -e $said ]]; then
    "$VOXPHYS_REAL" "$@" >"$said" || { status=$?; rm "$said"; exit "$status"; }
fi
cat "$said"
END
chmod +x "$scratch/bin/voxphys"
PATH=$scratch/bin:$PATH

# compare JQ_FILTER WORLD...: runs digests.sh with a filtered digests.json and sets status
compare()
{
    mkdir -p "$scratch/datasets"
    jq ".verify |= ($1)" "$golden" >"$scratch/datasets/digests.json" || exit 1
    VOXPHYS_SOURCE=$scratch bash "$script" "${@:2}" >"$scratch/out" 2>&1
    status=$?
}

# refused WHAT MESSAGE
refused()
{
    [[ $status -eq 1 ]] || fail "$1: exit code $status, not 1"
    grep -qE -- "$2" "$scratch/out" || fail "$1: no '$2'"
}

digest=$(jq -r --arg key "$key" '.verify[$key]' "$golden")
[[ $digest =~ ^[0-9a-f]{16}$ ]] || { echo "FAIL: no digest of $key in $golden: $digest" >&2; exit 1; }

compare . "$world"
[[ $status -eq 0 ]] || fail "the file as it is: exit code $status"
grep -q '; 0 failures$' "$scratch/out" || fail "the file as it is: no '0 failures'"

for i in 0 7 15; do # the digit at this place, one higher
    digit=${digest:i:1}
    other=${digest:0:i}$(printf '%x' $(((16#$digit + 1) % 16)))${digest:i+1}
    compare ".[\"$key\"] = \"$other\"" "$world"
    refused "digit $i of $key changed" "^FAIL: $key by .*: $digest, digests.json has $other"
done
compare "del(.[\"$key\"])" "$world"
refused "$key taken out" "^FAIL: $key by .*: $digest, digests.json has none"
compare ".[\"no_such_kernel/$world\"] = \"$digest\"" "$world"
refused "one too many" "^FAIL: no_such_kernel/$world is in digests.json but was not verified"
compare . "$world" no-such-world
[[ $status -ne 0 ]] || fail "a world that is not there: exit code 0"

echo "$failures failures"
[[ $failures -eq 0 ]]
