#!/bin/bash
# SPDX-License-Identifier: MIT
# commands.sh DOCUMENT [LACKING...]: runs every block of the document that is fenced as sh, in order, in a scratch copy of the source whose
# build/release and build/dev are this build. A block that needs something that this build lacks is left out, and the test is then skipped
# (77) unless others fail. Blocks fenced as console are not run. Each of their lines that begins with "$ " must begin with a command from the list below, which
# contains only commands that take long, need another machine or install things.
set -uo pipefail
document=$1
lacking=("${@:2}")
not_run='bench/run|tests/run|cmake/packages|cmake/aarch64-sysroot|cmake|ctest|git|sudo|apt-get|cc|gcc|python3 conformance/corpus/make/write.py|VOXPHYS_ISA=[a-z0-9-]+'

cd "$VOXPHYS_SOURCE" || exit 1
shopt -s nullglob
scratch=$VOXPHYS_BUILD/tests/docs/$(basename "$document" .md)
rm -rf "$scratch"
mkdir -p "$scratch/tree/build" "$scratch/blocks"
for entry in ./* ./.[a-z]*; do
    case "$entry" in
    ./build* | ./.git) ;;
    *) cp -r "$entry" "$scratch/tree/" ;;
    esac
done
for preset in release dev; do
    ln -s "$VOXPHYS_BUILD" "$scratch/tree/build/$preset"
done

# One file per block, named after its first line number.
awk -v folder="$scratch/blocks" '
    /^ *```/ {
        fence = $0; sub(/^ */, "", fence)
        if (open) { open = 0; close(file); next }
        if (fence !~ /^```(sh|console|c|cmake|text)?$/) {
            print "FAIL: " FILENAME ":" NR ": a block marked " fence ": mark commands sh or console" > "/dev/stderr"
            exit 1
        }
        open = 1
        file = fence == "```sh" ? sprintf("%s/%05d.sh", folder, NR) : fence == "```console" ? sprintf("%s/%05d.console", folder, NR) : "/dev/null"
        next
    }
    open { print > file }
    END { if (open) { print FILENAME ": the last block has no end" > "/dev/stderr"; exit 1 } }
' "$document" || exit 1

failures=0
ran=0
left_out=0
for block in "$scratch"/blocks/*; do
    [[ -e $block ]] || continue
    name=$(basename "${block%.*}")
    where=$document:$((10#$name))
    case "$block" in
    *.sh)
        for what in "${lacking[@]}"; do
            if grep -qF -- "$what" "$block"; then
                echo "$where is not run: this build has no $what"
                left_out=$((left_out + 1))
                continue 2
            fi
        done
        ran=$((ran + 1))
        if ! (cd "$scratch/tree" && bash -euo pipefail "$block" </dev/null) >"$block.log" 2>&1; then
            echo "FAIL: the commands at $where fail:" >&2
            cat "$block" >&2
            echo "--- they print:" >&2
            cat "$block.log" >&2
            failures=$((failures + 1))
        fi
        ;;
    *.console)
        while read -r command; do
            echo "FAIL: $where: \"$command\" is not run by any test: mark its block sh, or put it on the list in commands.sh" >&2
            failures=$((failures + 1))
        done < <(sed -n 's/^ *\$ //p' "$block" | grep -vE "^($not_run)( |\$)")
        grep -qE '^ *\$ ' "$block" || { echo "FAIL: $where: a console block without a line that begins with \"\$ \"" >&2; failures=$((failures + 1)); }
        ;;
    esac
done

# The commands that make the corpus must reproduce it.
diff -rq conformance/corpus "$scratch/tree/conformance/corpus" -x __pycache__ >&2 || { echo "FAIL: the commands of $document alter conformance/corpus" >&2; failures=$((failures + 1)); }

echo "$document: $ran blocks run, $left_out left out, $failures failures"
[[ $failures -eq 0 ]] || exit 1
[[ $left_out -eq 0 ]] || exit 77
