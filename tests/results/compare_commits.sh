#!/bin/bash
# SPDX-License-Identifier: MIT
# compare_commits.sh: tests/compare-commits finds every kind of difference between two commits of a project whose programs only print files.
# It accepts the expected ones, and reports expectations that are false.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

compare() # EXIT_CODE ARGUMENT...: compares the project's commits
{
    run_as "${*:2}" "$scratch/project/tests/compare-commits" "${@:2}"
    expect_status "$1"
}

says() # LINE...: whole lines of the output
{
    local line
    for line in "$@"; do
        grep -qxF -- "$line" "$scratch/out" || fail "\"$line\" is not said"
    done
}

commit() { git add --all && git -c user.name=x -c user.email=x@example.org commit --quiet --message "$1" && git tag "$1"; }

mkdir -p "$scratch/project/tests/support" "$scratch/project/bench" "$scratch/project/say"
cd "$scratch/project" || exit 1
cp "$VOXPHYS_SOURCE/tests/compare-commits" tests
cp "$VOXPHYS_SOURCE/tests/support/compare_facts.awk" tests/support
echo /build/ >.gitignore
cat >CMakePresets.json <<'END'
{"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}],
 "buildPresets": [{"name": "release", "configurePreset": "release"}]}
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(said NONE)
foreach(program voxphys voxphys-bench voxphys-count)
  configure_file(program bin/${program} COPYONLY)
endforeach()
END
cat >program <<'END'
#!/bin/bash
case "$*" in
check*) # the last argument is the adapter's command
    [[ $(printf 'hello 1\n1 overlap\n2 overlap\n' | sh -c "${*: -1}") == hello* ]] || exit 2
    echo '{"families": [{"family": "overlap", "asked": 2, "hash": "f"}],
           "vectors": [{"id": "overlap/a", "results": [{"result": "pass"}]}, {"id": "overlap/b", "results": [{"result": "pass"}]}]}'
    ;;
*) cat "say/${0##*/} $*" ;;
esac
END
chmod +x program
printf '#!/bin/sh\ncat say/rows\n' >bench/instructions
chmod +x bench/instructions
cat >'say/voxphys verify --json' <<'END'
{"checks": [{"kernel": "kd_box", "isa": "scalar", "via": "native", "dataset": "fuzz-0", "form": null, "digest": "aa", "cases": 5, "mismatches": 0},
            {"kernel": "kd_box", "isa": "scalar", "via": "native", "dataset": "fuzz-0", "form": "wide", "digest": "bb", "cases": 5, "mismatches": 0},
            {"kernel": "kd_box_leaves", "isa": "scalar", "via": "native", "dataset": "fuzz-0", "form": null, "digest": "cc", "cases": 5, "mismatches": 0}],
 "not_run": [{"kernel": "kd_box", "isa": "neon", "via": "native", "reason": "elsewhere"}]}
END
echo '{"isas": [{"name": "scalar", "via": "native", "usable": true}, {"name": "neon", "via": "simde", "usable": true}, {"name": "avx2", "usable": false}]}' >'say/voxphys info --json'
printf 'hello 1 x 1\n1 none\n2 solid\n' | tee 'say/voxphys adapter --isa neon-simde' >'say/voxphys adapter --isa scalar'
printf "Usage: voxphys\n\n  world  look at one\n  info   kd_box\n\n'voxphys COMMAND --help' shows a command's options\n" >'say/voxphys --help'
printf "Usage: voxphys world\n  edit  one\n'voxphys world COMMAND --help' shows a command's options\n" >'say/voxphys world --help'
printf 'Usage: voxphys info\nwords\n' | tee 'say/voxphys info --help' >'say/voxphys world edit --help'
echo 'Usage: voxphys-bench' >'say/voxphys-bench --help'
printf 'kd_box/scalar/a\nkd_ray/scalar/a\nnoise/first\n' >'say/voxphys-bench --benchmark_list_tests'
cat >say/rows <<'END'
{"rows": [{"name": "kd_box/scalar/a", "items": 2, "item": "boxes", "output_hash": "aa", "per_item": 100},
          {"name": "kd_ray/scalar/a", "items": 2, "item": "rays", "output_hash": "bb", "per_item": 200}]}
END
git init --quiet . && commit before

compare 0 before HEAD
says "digests: 4 facts before, 4 after: equal" "corpus: 6 facts before, 6 after: equal" "help: 5 facts before, 5 after: equal" \
    "names: 3 facts before, 3 after: equal" "counts: 2 facts before, 2 after: equal"

# Another layout, other names, blanks, and counts that are nearly equal are no unexpected difference.
mkdir -p tools/counting && git mv bench/instructions tools/counting/instructions
sed -i 's/"kd_box"/"kd_gather"/; s/kd_box_leaves/kd_gather_leaves/' 'say/voxphys verify --json'
sed -i 's/kd_box/kd_gather/; s/noise/floor/' 'say/voxphys-bench --benchmark_list_tests'
sed -i 's/info   kd_box/info        kd_gather/' 'say/voxphys --help'
echo more >>'say/voxphys world edit --help'
sed -i 's/kd_box/kd_gather/; s/: 100/: 101.9/; s/: 200/: 180/' say/rows
commit names
cat >"$scratch/expected" <<'END'
# names
rename kd_box kd_gather
rename kd_box_leaves kd_gather_leaves
gone noise/
new floor/

help world edit
count kd_ray/ 10.5
END
compare 0 before names --expected "$scratch/expected"
says "help: 5 facts before, 5 after: equal; 1 as expected" "names: 3 facts before, 3 after: equal; 2 as expected" \
    "counts: 2 facts before, 2 after: equal; 1 as expected"
compare 1 before names
says "  kd_box/scalar/native/fuzz-0/wide: gone" "  kd_gather/scalar/native/fuzz-0/wide: new" "  world edit: after:  more" "  noise/first: gone" \
    "  floor/first: new" "  voxphys: before:  info kd_box" "  voxphys: after:   info kd_gather" "  kd_ray/scalar/a: 200 -> 180 instructions (-10.0 %)"
compare 1 before names --only counts
says "counts: 2 facts before, 2 after: 3 differences"
compare 1 before before --expected "$scratch/expected" # neither names nor anything else change there
says "$scratch/expected:4: expected, and not there: gone noise/" "$scratch/expected:7: expected, and not there: help world edit" \
    "$scratch/expected:8: expected, and not there: count kd_ray/ 10.5"

# Differences that no expectation of names covers.
sed -i 's/"bb"/"b0"/; s/"cc", "cases": 5, "mismatches": 0/"cc", "cases": 5, "mismatches": 1/' 'say/voxphys verify --json'
sed -i 's/2 solid/2 water/' 'say/voxphys adapter --isa scalar'
sed -i 's/: 101.9/: 102.1/; s/"bb"/"b0"/' say/rows
printf 'words\nUsage: voxphys info\n' >'say/voxphys info --help'
commit wrong
printf 'gone kd\nnew kd\n' >>"$scratch/expected"
compare 1 before wrong --expected "$scratch/expected"
says "digests: 4 facts before, 4 after: 2 differences" "  kd_gather/scalar/native/fuzz-0/wide: bb -> b0" \
    "  kd_gather_leaves/scalar/native/fuzz-0: mismatches=0 -> mismatches=1" "corpus: 6 facts before, 6 after: 1 difference" "  overlap/b/scalar: solid -> water" \
    "  info: the same lines in another order" "  kd_gather/scalar/a: 100 -> 102.1 instructions (+2.1 %)" "  kd_ray/scalar/a: bb -> b0" \
    "$scratch/expected:9: expected, and not there: gone kd" "$scratch/expected:10: expected, and not there: new kd"

# Many differences are counted. A failing or missing program is a difference. Invalid arguments are bad usage.
seq -f 'many/%g' 25 >>'say/voxphys-bench --benchmark_list_tests'
rm 'say/voxphys adapter --isa scalar' && git mv program other && sed -i 's/program bin/other bin/; s/ voxphys-count//' CMakeLists.txt
commit broken
compare 1 wrong broken --only names
says "names: 3 facts before, 28 after: 25 differences" "  and 5 more of many"
compare 1 wrong broken --only corpus
compare 1 wrong broken --only counts
compare 2 before
compare 2 before names wrong
compare 2 before nothing-of-this-name
compare 2 before names --only colours
compare 2 before names --expected "$scratch"
for line in 'rename a' 'rename a b c' 'gone' 'count kd_ray' 'count kd_ray few' 'changed kd_ray' ' gone kd_ray'; do
    echo "$line" >"$scratch/bad"
    compare 2 before names --expected "$scratch/bad"
done
finish
