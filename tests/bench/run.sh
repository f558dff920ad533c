#!/bin/bash
# SPDX-License-Identifier: MIT
# What bench/run makes of what was measured: where it goes, of which commit it is, how it is marked. All that takes long is made up here:
# the build, the measurements, the verification; voxphys results, report and info are the true ones, and judge what comes of it.
# shellcheck source-path=SCRIPTDIR/../cli
# shellcheck disable=SC2016 # what jq knows begins with a dollar too
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
python=/usr/bin/python3
[[ -x $python ]] || python=python3
VOXPHYS_REAL=$(command -v voxphys)
export VOXPHYS_REAL
export VOXPHYS_CANNED=$scratch/canned VOXPHYS_DATA=$VOXPHYS_SOURCE/datasets
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# ---- a small project, and programs that stand for the large ones ----
project=$scratch/project
mkdir -p "$project/bench" "$project/cmake" "$project/examples" "$project/results" "$scratch/stand-ins"
cp "$VOXPHYS_SOURCE/bench/run" "$VOXPHYS_SOURCE/bench/machine" "$project/bench/"
cp "$VOXPHYS_SOURCE/CMakeLists.txt" "$project/"
cp "$VOXPHYS_SOURCE/.gitignore" "$project/"
printf '#!/bin/sh\n' >"$project/cmake/packages"
touch "$project/examples/adapter.py"
cat >"$scratch/stand-ins/cmake" <<'END'
#!/bin/bash
# The build: a compilation's command, and the two programs.
[[ $1 == --build ]] || { mkdir -p "$4"; exit 0; }
mkdir -p "$2/bin"
cp "$VOXPHYS_CANNED/voxphys" "$VOXPHYS_CANNED/voxphys-bench" "$2/bin/"
echo '[{"file": "/x/reference/dilation.c", "command": "cc -O3 -ffp-contract=off -c x.c"}]' >"$2/compile_commands.json"
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
jq -n --arg name "$name" '{results: [{command: $name, times: [0.5], user: 0.4, system: 0.1, exit_codes: [0]}]}' >"$file"
END
mkdir "$VOXPHYS_CANNED"
cat >"$VOXPHYS_CANNED/voxphys" <<'END'
#!/bin/bash
case "$1" in
verify) cat "$VOXPHYS_CANNED/verify.json" ;;
check) echo '{"corpus": "1", "families": [{"family": "a", "asked": 1}], "adapters": [{"name": "voxphys-scalar", "version": "1", "families": {}}], "vectors": []}' ;;
broadphase) echo '{"queries": {"digest": "0123456789abcdef"}, "kernels": {"dilate_world": "scalar"}}' ;;
dataset) ;;
*) exec "$VOXPHYS_REAL" "$@" ;;
esac
END
# Of the machine that this runs on the benchmark program tells the truth, but that it has no sets.
cat >"$VOXPHYS_CANNED/voxphys-bench" <<'END'
#!/bin/bash
for option in "$@"; do
    case "$option" in
    --hulls=*) echo '{"trials": [{"who": "voxphys", "family": "ball", "outcome": "valid", "dimension": 3}]}' ;;
    --benchmark_list_tests) echo noise/first/terrain-l2 ;;
    --benchmark_out=*) out=${option#*=} ;;
    esac
done
[[ -n ${out-} ]] || exit 0
[[ -z ${VOXPHYS_WHILE-} ]] || eval "$VOXPHYS_WHILE"
jq --arg commit "${VOXPHYS_COMMIT-}" --arg date "$(date -u +%Y-%m-%dT%H:%M:%S+00:00)" --slurpfile machine "$VOXPHYS_CANNED/machine.json" \
    '.context += {date: $date, host_name: "somewhere", num_cpus: $machine[0].cpu.cpus, cpu_model: ($machine[0].cpu.model // $machine[0].cpu.architecture),
        voxphys_isas: "scalar"} | del(.context.voxphys_commit, .context.voxphys_autovec)
     | if $machine[0].tools.gcc != null then .context.voxphys_compiler = "gcc " + ($machine[0].tools.gcc | split(" ") | last) else . end
     | if $commit != "" then .context.voxphys_commit = $commit else . end
     | .benchmarks |= map(select(.round == 1 and (.error_occurred | not) and (.name | test("/(scalar|limit|first|second|scalar-packed|peer-.*)/"))) | del(.round))' \
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

bench() # PROJECT [ARGUMENT...]: sets status, out, err
{
    shown="bench/run ${*:2}"
    "$1/bench/run" "${@:2}" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
}
expect_results() # FOLDER JQ_FILTER: they stand, and this is true of them
{
    checks=$((checks + 1))
    voxphys results verify "$1" >"$scratch/judged" 2>&1 || fail "$(cat "$scratch/judged")"
    jq --exit-status --arg commit "$commit" --arg slug "$slug" "$2" "$1/results.json" >/dev/null || fail "not true of $1: $2; $(jq -c '[.unofficial_because, .machine.voxphys]' "$1/results.json")"
}

# ---- where results go, and their mark ----
bench "$project" --quick
expect_status 0
expect_in "where they are" "$out" "done: $project/results/$slug, $project/results/README.md"
expect_results "$project/results/$slug" '.machine.unofficial == "a quick run" and .declared_unofficial == "a quick run" and .machine.name == $slug
    and .machine.voxphys == {version: .machine.voxphys.version, commit: $commit, dirty: false} and (.official | not)'
expect_equal "hosts that are named" "$(grep -l somewhere "$project/results/$slug"/*.json)" ""
"$VOXPHYS_REAL" results make "$project/results/$slug" >"$scratch/out" || fail "made again"
expect_results "$project/results/$slug" '.unofficial_because[0] == "a quick run"'
# What is nobody's yet is replaced, what is published is not.
echo notes >"$project/results/$slug/notes.md"
bench "$project" --quick --unofficial "on battery"
expect_status 0
expect_results "$project/results/$slug" '.machine.unofficial == "on battery"'
expect_equal "notes" "$(cat "$project/results/$slug/notes.md")" notes
expect_equal "folders" "$(ls -A "$project/results")" "README.md"$'\n'"$slug"$'\n'"report.html"
git -C "$project" add results && git -C "$project" commit --quiet --message second
commit=$(git -C "$project" rev-parse HEAD)
said="bench/run: results/$slug is published and stays as it is (--name $slug replaces it): these results are those of $slug-2"
before=$(git -C "$project" rev-parse "HEAD:results/$slug")
bench "$project" --quick
expect_status 0
expect_equal "the first line" "$(head -n 1 <<<"$out")" "$said"
expect_equal "the last line" "$(tail -n 1 <<<"$out")" "$said"
expect_in "where they are" "$out" "done: $project/results/$slug-2,"
expect_results "$project/results/$slug-2" '.machine.name == $slug and .machine.voxphys.dirty == false'
bench "$project" --quick
expect_in "what is no one's is replaced" "$out" "done: $project/results/$slug-2,"
git -C "$project" add results && git -C "$project" commit --quiet --message third
commit=$(git -C "$project" rev-parse HEAD)
bench "$project" --quick
expect_in "the third" "$out" "these results are those of $slug-3"
expect_results "$project/results/$slug-3" '.machine.name == $slug'
expect_equal "what was published" "$(git -C "$project" status --porcelain "results/$slug" "results/$slug-2")$(git -C "$project" rev-parse "HEAD:results/$slug")" "$before"
# By name.
bench "$project" --quick --name "$slug-2"
expect_status 0
expect_equal "said of others" "$(grep published <<<"$out")" ""
expect_results "$project/results/$slug-2" '.machine.name == $slug'
bench "$project" --quick --name my-board
expect_results "$project/results/my-board" '.machine.name == "my-board"'
# Elsewhere nothing is published.
bench "$project" --quick --out "$scratch/elsewhere"
expect_status 0
expect_in "where they are" "$out" "done: $scratch/elsewhere/$slug, $scratch/elsewhere/README.md"
expect_equal "said of others" "$(grep published <<<"$out")" ""
expect_results "$scratch/elsewhere/$slug" '.machine.name == $slug'
git -C "$project" checkout --quiet . && git -C "$project" clean --quiet -fd results

# ---- what was measured ----
echo "# changed" >>"$project/CMakeLists.txt"
bench "$project" --quick
expect_status 2
expect_in "a changed checkout" "$err" "the checkout has changes that are in no commit"
bench "$project" --quick --unofficial "trying" --name changed
expect_results "$project/results/changed" '.machine.voxphys.dirty and (.unofficial_because | index("the checkout had changes that are in no commit") != null)'
git -C "$project" checkout --quiet .
VOXPHYS_WHILE="echo >>'$project/CMakeLists.txt'" bench "$project" --quick --name while
expect_status 1
expect_in "changed while it ran" "$err" "the checkout changed while it was measured"
git -C "$project" checkout --quiet .
# A program of another commit than the checkout's: nothing is published, and nothing that took long to measure is lost.
VOXPHYS_WHILE="VOXPHYS_COMMIT=$(printf '0%.0s' {1..40})" bench "$project" --quick --name another
expect_status 1
expect_in "what does not stand" "$err" "nothing is published, and the files are in build/does-not-stand"
expect_equal "what is published of it" "$(ls "$project/results/another" 2>/dev/null)" ""
expect_equal "what is kept of it" "$(cd "$project/build/does-not-stand" && ls bench.json machine.json verify.json)" "bench.json"$'\n'"machine.json"$'\n'"verify.json"
# In a worktree .git is a file.
git -C "$project" worktree add --quiet "$scratch/tree" HEAD
bench "$scratch/tree" --quick --name tree
expect_status 0
expect_results "$scratch/tree/results/tree" '.machine.voxphys == {version: .machine.voxphys.version, commit: $commit, dirty: false}'
echo "# changed" >>"$scratch/tree/CMakeLists.txt"
bench "$scratch/tree" --quick
expect_status 2
expect_in "a changed worktree" "$err" "the checkout has changes that are in no commit"
# In another project, and in none, the commit is nobody's.
mkdir "$scratch/owner"
cp -r "$project" "$scratch/owner/vendored"
rm -rf "$scratch/owner/vendored/.git"
git -C "$scratch/owner" init --quiet && git -C "$scratch/owner" add . && git -C "$scratch/owner" commit --quiet --message another || exit 1
bench "$scratch/owner/vendored" --quick --name vendored
expect_status 0
expect_results "$scratch/owner/vendored/results/vendored" '.machine.voxphys.commit == null and .machine.voxphys.dirty == null and (.unofficial_because | index("the commit is unknown") != null)'
GIT_DIR=$scratch/owner/.git bench "$scratch/owner/vendored" --quick --name vendored
expect_results "$scratch/owner/vendored/results/vendored" '.machine.voxphys.commit == null'
rm -rf "$scratch/owner/.git"
bench "$scratch/owner/vendored" --quick
expect_status 0
expect_results "$scratch/owner/vendored/results/$slug" '.machine.voxphys.commit == null'

# ---- mistakes ----
for name in "" a/b .hidden -x .. everything; do
    bench "$project" --quick --name "$name"
    expect_status 2
    expect_in "the message" "$err" "--name needs a value: NAME"
done
bench "$project" --help
expect_status 0
for option in --quick --unofficial --name --out; do
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
