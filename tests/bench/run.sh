#!/bin/bash
# SPDX-License-Identifier: MIT
# The results of bench/run, with their folder, commit and mark. Stand-ins replace the slow build, measurements and verification. The real
# `voxphys results`, `report` and `info` judge the results.
# shellcheck source-path=SCRIPTDIR/../cli
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
python=/usr/bin/python3
[[ -x $python ]] || python=python3
VOXPHYS_REAL=$(command -v voxphys)
export VOXPHYS_REAL
export VOXPHYS_CANNED=$scratch/canned VOXPHYS_DATA=$VOXPHYS_SOURCE/datasets
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# ---- a small project, and stand-ins for the large programs ----
project=$scratch/project
mkdir -p "$project/bench" "$project/cmake" "$project/examples" "$project/results" "$scratch/stand-ins"
cp "$VOXPHYS_SOURCE/bench/run" "$VOXPHYS_SOURCE/bench/machine" "$VOXPHYS_SOURCE/bench/thorough" "$project/bench/"
cp "$VOXPHYS_SOURCE/CMakeLists.txt" "$project/"
cp "$VOXPHYS_SOURCE/.gitignore" "$project/"
mkdir -p "$project/datasets" && cp "$VOXPHYS_SOURCE/datasets/retired-names.json" "$project/datasets/"
printf '#!/bin/sh\n' >"$project/cmake/packages"
touch "$project/examples/adapter.py"
cat >"$scratch/stand-ins/cmake" <<'END'
#!/bin/bash
# The build makes a compilation's command, and the two programs if the preset or an option asks for benchmarks.
if [[ $1 == --preset ]]; then
    off=$(jq --arg name "$2" '.configurePresets[] | select(.name == $name).cacheVariables.VOXPHYS_BENCH == "OFF"' "$VOXPHYS_SOURCE/CMakePresets.json")
    [[ $off == false || " $* " == *" -DVOXPHYS_BENCH=ON "* ]] || { echo "preset $2 has no benchmarks"; exit 1; }
    mkdir -p "$4"
    exit 0
fi
mkdir -p "$2/bin"
cp "$VOXPHYS_CANNED/voxphys" "$VOXPHYS_CANNED/voxphys-bench" "$2/bin/"
echo '[{"file": "/x/reference/broadphase/dilation.c", "command": "cc -O3 -ffp-contract=off -c x.c"}]' >"$2/compile_commands.json"
END
cat >"$scratch/stand-ins/hyperfine" <<'END'
#!/bin/bash
while [[ $# -gt 1 ]]; do
    case "$1" in
    -n) name=$2 ;;
    --export-json) file=$2 ;;
    esac
    shift
done
printf '{"results": [{"command": "%s", "times": [0.5], "user": 0.4, "system": 0.1, "exit_codes": [0]}]}\n' "$name" >"$file"
END
cat >"$scratch/stand-ins/tar" <<'END'
#!/bin/bash
# --extract --gzip --file ARCHIVE --directory FOLDER NAME extracts a real mesh, whose archive is slow to read
mkdir -p "$6/${7%/*}" && touch "$6/$7"
END
mkdir "$VOXPHYS_CANNED"
cat >"$VOXPHYS_CANNED/voxphys" <<'END'
#!/bin/bash
case "$1" in
verify) if grep -q "\"$4\"" "$VOXPHYS_CANNED/verify.json"; then jq --arg kernel "$4" '.checks |= map(select(.kernel == $kernel))' "$VOXPHYS_CANNED/verify.json"; else echo '{"version": "0.1.0", "seed": 1, "not_run": [], "checks": []}'; fi ;;
check) echo '{"corpus": "1", "families": [{"family": "a", "asked": 1}], "adapters": [{"name": "voxphys-scalar", "version": "1", "families": {}}], "vectors": []}' ;;
broadphase) echo '{"queries": {"digest": "0123456789abcdef"}, "kernels": {"dilate_world": "scalar"}}' ;;
dataset) ;;
*) exec "$VOXPHYS_REAL" "$@" ;;
esac
END
# The benchmark program describes this machine, except that it has no ISAs. Every call reports another time.
cat >"$VOXPHYS_CANNED/voxphys-bench" <<'END'
#!/bin/bash
for option in "$@"; do
    case "$option" in
    --hulls=*) echo '{"trials": [{"who": "voxphys", "family": "ball", "outcome": "valid", "dimension": 3}]}' ;;
    --benchmark_list_tests)
        jq --raw-output '[.benchmarks[] | select(.error_occurred | not).name | select(test("/(scalar|limit|first|second|scalar-packed|peer-.*)/"))] | unique[]' "$VOXPHYS_CANNED/bench.json"
        exit 0
        ;;
    --rows=*) rows=${option#*=} ;;
    --benchmark_out=*) out=${option#*=} ;;
    esac
done
[[ -n ${out-} ]] || exit 0
[[ -z ${VOXPHYS_WHILE-} ]] || eval "$VOXPHYS_WHILE"
jq --arg commit "${VOXPHYS_COMMIT-}" --arg date "$(date -u +%Y-%m-%dT%H:%M:%S+00:00)" --slurpfile machine "$VOXPHYS_CANNED/machine.json" \
    --rawfile rows "$rows" --arg self "$0" --argjson slower "1.$((RANDOM + 10000))" \
    '.context += {date: $date, host_name: "somewhere", num_cpus: $machine[0].cpu.cpus, cpu_model: ($machine[0].cpu.model // $machine[0].cpu.architecture),
        voxphys_isas: "scalar"} | del(.context.voxphys_commit, .context.voxphys_autovec)
     | if $machine[0].tools.gcc != null then .context.voxphys_compiler = "gcc " + ($machine[0].tools.gcc | split(" ") | last) else . end
     | if ($self | contains("bench-clang")) then .context.voxphys_compiler = "clang " + ($machine[0].tools.clang | split(" ") | last) else . end
     | if $commit != "" then .context.voxphys_commit = $commit else . end
     | ($rows | split("\n")) as $wanted | .benchmarks |= map(select(.round == 1 and (.error_occurred | not) and (.name | IN($wanted[])))
           | del(.round) | .cpu_time *= $slower | .real_time *= $slower | .items_per_second /= $slower)' \
    "$VOXPHYS_CANNED/bench.json" >"$out"
END
chmod +x "$scratch/stand-ins"/* "$VOXPHYS_CANNED"/* "$project/cmake/packages"
"$python" "$VOXPHYS_SOURCE/tests/results/folder.py" "$VOXPHYS_SOURCE" "$scratch/made-up" || exit 1
cp "$scratch/made-up/bench.json" "$scratch/made-up/verify.json" "$VOXPHYS_CANNED/"
PATH=$scratch/stand-ins:$PATH
"$project/bench/machine" >"$VOXPHYS_CANNED/machine.json" || exit 1
slug=$("$project/bench/machine" --slug)

git -C "$project" init --quiet && git -C "$project" add . && git -C "$project" commit --quiet --message first || exit 1
commit=$(git -C "$project" rev-parse HEAD)

bench() # STATUS PROJECT [ARGUMENT...]: checks the exit status, sets out, err
{
    run_as "bench/run ${*:3}" "$2/bench/run" "${@:3}"
    expect_status "$1"
}
expect_results() # FOLDER JQ_FILTER: the results are valid and the filter is true for them
{
    checks=$((checks + 1))
    voxphys results verify "$1" >"$scratch/judged" 2>&1 || fail "$(cat "$scratch/judged")"
    zstd -dcqf "$1"/results.json* >"$scratch/results.json"
    jq --exit-status --arg commit "$commit" --arg slug "$slug" "$2" "$scratch/results.json" >/dev/null || fail "not true of $1: $2; $(jq -c '[.unofficial_because, .machine.voxphys]' "$scratch/results.json")"
}

# ---- a quick run writes below build/, whatever state the checkout is in, and nothing to results/ ----
echo "# changed" >>"$project/CMakeLists.txt"
bench 0 "$project"
expect_in "where the page is" "$out" "page:    $project/build/results/report.html"
expect_in "where the results are" "$out" "results: $project/build/results/$slug"
expect_equal "the folder" "$(ls -A "$project/build/results")" "README.md"$'\n'"$slug"$'\n'"report.html"$'\n'"speed.svg"
expect_equal "the machine's folder" "$(cd "$project/build/results/$slug" && echo *)" "bench.json.zst conformance.json.zst hulls.json.zst machine.json results.json.zst"
expect_results "$project/build/results/$slug" '.machine.unofficial == "a quick run" and .declared_unofficial == "a quick run" and .machine.name == $slug
    and .machine.voxphys == {version: .machine.voxphys.version, commit: $commit, dirty: true} and (.official | not)'
expect_equal "hosts that are named" "$(zstd -dcqf "$project/build/results/$slug"/*.json* | grep somewhere)" ""
expect_equal "results/" "$(ls -A "$project/results")" ""
expect_in "the head of the table" "$out" "what  "
expect_equal "a line of the table in short" "$(grep -c '^the broadphase of a whole world  *dilate_world  *scalar ' <<<"$out")" 1
expect_equal "bars that are drawn on no terminal" "$(grep -c $'\r' "$scratch/out" "$scratch/err" | grep -v ':0$')" ""
expect_equal "the steps" "$(sed -n 's/^\[ *[0-9]* s\] //p' <<<"$out" | sed 's/:.*//' | uniq | paste -sd ' ')" "packages build verify measure report"
git -C "$project" checkout --quiet .
# --quick does the same. Old results are replaced, notes are kept, and files that only a full run makes are removed.
if [[ -n $VOXPHYS_DEEP ]]; then
    echo notes >"$project/build/results/$slug/notes.md"
    echo '{}' >"$project/build/results/$slug/limits.json"
    bench 0 "$project" --quick --unofficial "on battery"
    expect_results "$project/build/results/$slug" '.machine.unofficial == "on battery" and .machine.voxphys.dirty == false'
    expect_equal "notes" "$(cat "$project/build/results/$slug/notes.md")" notes
    "$VOXPHYS_REAL" results make "$project/build/results/$slug" >"$scratch/out" || fail "made again"
    expect_results "$project/build/results/$slug" '.unofficial_because[0] == "on battery"'
fi
# On a terminal there is a bar instead of lines. It shows the current step, the part done, which never falls, and the time left.
shown="bench/run on a terminal"
status=0
script --quiet --return --command "'$project/bench/run' --name my-board --out '$scratch/elsewhere'" /dev/null >"$scratch/out" 2>&1 </dev/null || status=$?
expect_status 0
tr '\r' '\n' <"$scratch/out" | sed -n 's/^\x1b\[K *\([0-9]*\) % \[\(#*\) *\] \(.*\)$/\1 \3/p' >"$scratch/drawn"
expect_equal "the order of percents" "$(cut -d ' ' -f 1 "$scratch/drawn")" "$(cut -d ' ' -f 1 "$scratch/drawn" | sort -n)"
expect_equal "the first bar" "$(sed -n '1s/[0-9]* s left\|~[0-9]* min left/LEFT/p' "$scratch/drawn")" "0 LEFT, build"
expect_equal "the bar of the last step" "$(grep -m 1 'report$' "$scratch/drawn" | grep -c '^9[5-8] [0-9]* s left, ')" 1
expect_equal "lines of steps" "$(grep -c ' s\] ' "$scratch/out")" 0
expect_in "where the page is" "$(tr -d '\r' <"$scratch/out")" "page:    $scratch/elsewhere/report.html"
expect_results "$scratch/elsewhere/my-board" '.machine.name == "my-board"'

# ---- the folder of a full run's results, and their mark ----
bench 0 "$project" --publish
expect_in "where they are" "$out" "results: $project/results/$slug"
expect_in "where the page is" "$out" "page:    $project/results/report.html"
expect_results "$project/results/$slug" '.machine.unofficial == null and .declared_unofficial == null and .machine.name == $slug and .official
    and .machine.voxphys == {version: .machine.voxphys.version, commit: $commit, dirty: false}'
expect_equal "what is measured in how many rounds" "$(sed -n 's/^.*measure: round \([0-9] of [0-9]\).*/\1/p' <<<"$out" | uniq | paste -sd ,)" "1 of 3,2 of 3,3 of 3"
expect_equal "rows that vary are measured again" "$(grep -c 'measure: round [456], [0-9]* rows that vary' <<<"$out" | sed 's/^[1-9][0-9]*$/yes/')" yes
# Results that are not committed are replaced. Committed results are not.
if [[ -n $VOXPHYS_DEEP ]]; then
    echo notes >"$project/results/$slug/notes.md"
    bench 0 "$project" --publish --unofficial "on battery"
    expect_results "$project/results/$slug" '.machine.unofficial == "on battery"'
    expect_equal "notes" "$(cat "$project/results/$slug/notes.md")" notes
    expect_equal "folders" "$(ls -A "$project/results")" "README.md"$'\n'"$slug"$'\n'"report.html"$'\n'"speed.svg"
fi
git -C "$project" add results && git -C "$project" commit --quiet --message second
commit=$(git -C "$project" rev-parse HEAD)
said="bench/run: results/$slug is committed and stays as it is (--name $slug replaces it): these results go to results/$slug-2"
before=$(git -C "$project" rev-parse "HEAD:results/$slug")
bench 0 "$project" --publish
expect_equal "the first line" "$(head -n 1 <<<"$out")" "$said"
expect_equal "the last line" "$(tail -n 1 <<<"$out")" "$said"
expect_results "$project/results/$slug-2" '.machine.name == $slug and .machine.voxphys.dirty == false'
expect_equal "what was published" "$(git -C "$project" status --porcelain "results/$slug")$(git -C "$project" rev-parse "HEAD:results/$slug")" "$before"
if [[ -n $VOXPHYS_DEEP ]]; then # by name
    bench 0 "$project" --publish --name "$slug"
    expect_equal "said of others" "$(grep committed <<<"$out")" ""
    expect_results "$project/results/$slug" '.machine.name == $slug'
fi
git -C "$project" checkout --quiet . && git -C "$project" clean --quiet -fd results

# ---- the measured rows ----
echo "# changed" >>"$project/CMakeLists.txt"
bench 2 "$project" --publish
expect_in "a changed checkout" "$err" "the checkout has uncommitted changes"
git -C "$project" checkout --quiet .
VOXPHYS_WHILE="echo >>'$project/CMakeLists.txt'" bench 1 "$project" --publish --name while
expect_in "changed while it ran" "$err" "the checkout changed while it was measured"
git -C "$project" checkout --quiet .
# The program was built from another commit than the checkout's. Nothing is published, and no slow measurement is lost.
VOXPHYS_WHILE="VOXPHYS_COMMIT=$(printf '0%.0s' {1..40})" bench 1 "$project" --quick --name another
expect_in "what does not stand" "$err" "nothing is written to $project/build/results, and the files are in build/does-not-stand"
expect_equal "what is published of it" "$(ls "$project/build/results/another" 2>/dev/null)" ""
expect_equal "what is kept of it" "$(cd "$project/build/does-not-stand" && ls bench.json machine.json verify.json)" "bench.json"$'\n'"machine.json"$'\n'"verify.json"
# In a worktree .git is a file.
git -C "$project" worktree add --quiet "$scratch/tree" HEAD
bench 0 "$scratch/tree" --quick --name tree
expect_results "$scratch/tree/build/results/tree" '.machine.voxphys == {version: .machine.voxphys.version, commit: $commit, dirty: false}'
echo "# changed" >>"$scratch/tree/CMakeLists.txt"
bench 2 "$scratch/tree" --publish
expect_in "a changed worktree" "$err" "the checkout has uncommitted changes"
# In another user's project the commit is unknown.
mkdir "$scratch/owner"
cp -r "$project" "$scratch/owner/vendored"
rm -rf "$scratch/owner/vendored/.git"
git -C "$scratch/owner" init --quiet && git -C "$scratch/owner" add . && git -C "$scratch/owner" commit --quiet --message another || exit 1
bench 0 "$scratch/owner/vendored" --quick --name vendored
expect_results "$scratch/owner/vendored/build/results/vendored" '.machine.voxphys.commit == null and .machine.voxphys.dirty == null and (.unofficial_because | index("the commit is unknown") != null)'

# ---- mistakes ----
for name in "" a/b .hidden -x ..; do
    bench 2 "$project" --quick --name "$name"
    expect_in "the message" "$err" "--name needs a value: NAME"
done
bench 2 "$project" --quick --publish
expect_in "the message" "$err" "--quick and --publish exclude each other"
bench 2 "$project" --out --quick
expect_in "the message" "$err" "--out needs a value: DIR"
bench 2 "$project" --out /proc # a folder that nobody can write to is refused before the build
expect_in "the message" "$err" "bench/run: --out /proc cannot be written to"
expect_empty "stdout" "$out"
bench 0 "$project" --help
for option in --quick --publish --thorough --unofficial --name --out; do
    expect_in "the help" "$out" "$option"
done
shown="bench/machine"
"$project/bench/machine" --name a --unofficial "b c" >"$scratch/out" 2>"$scratch/err" || fail "it fails"
out=$(cat "$scratch/out")
expect_json "what it is told" '.name == "a" and .unofficial == "b c" and .schema == 2'
"$project/bench/machine" >"$scratch/out"
out=$(cat "$scratch/out")
expect_json "nothing" '.unofficial == null'

finish
