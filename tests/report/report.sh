#!/bin/bash
# SPDX-License-Identifier: MIT
# voxphys report on made-up results: every figure expected here was worked out by hand from the times in results/.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/report/page.bash"
results=$scratch/results
cp -r "$VOXPHYS_SOURCE/tests/report/results" "$results"

# ---- figures ----

run report "$results"
expect_status 0
expect_empty stderr "$err"
page=$results/README.md
html=$results/report.html

expect_line "$page" "| world build in the L2 cache, AVX2 | 25.0× the faster scalar | 20.0× | no | avx2 | terrain-l2 |"
expect_line "$page" "| world build in the L2 cache, AVX-512 | 35.0× the faster scalar | 40.0× | yes | avx512 | terrain-l2 |"
expect_line "$page" "| world build in the L3 cache | 0.50 of the read stream | 0.40 | no | avx512 | terrain-l3 |"
expect_lines "$page" 2 "| world build in DRAM | 0.60 of the read stream | not measured | - | - | - |" # beta has none either
expect_line "$page" "| one chunk after an edit | 10.0× the faster scalar | 12.0× | yes | avx512 | terrain-l2 |"
expect_line "$page" "| overlap of one box, small boxes | 1.80× the faster scalar | 0.50× | no | avx512 | terrain-l2/boxes-small, the worst of 2; best 2.00 |"
expect_line "$page" "| overlap of a batch, small boxes | 3.00× the faster scalar | 3.75× | yes | avx512 | terrain-l2/boxes-small |"
expect_line "$page" "| surface of a chunk of terrain | 6.00× the faster scalar | 8.00× | yes | avx512 | terrain-l2 |"
# Against the fastest of the peers whose names begin so: Bullet's 160, Embree's 100. Of bytes less is better.
expect_line "$page" "| trees of chunks | 5.00× the faster peer-embree-low | 8.00× | yes | avx512-create | chunks |"
expect_line "$page" "| trees of chunks | 12.0× the faster peer-bullet | 6.40× | no | avx512-create | chunks |"
expect_line "$page" "| nodes of the published form | 13.5 bytes a triangle at most | 12.5 | yes | scalar-published | chunks |"
expect_line "$page" "| nodes of the slab form | 18.5 bytes a triangle at most | 19.0 | no | scalar-slab | chunks |"
expect_line "$page" "| coherent rays at chunks | 1.00× the fastest peer-embree | 1.25× | yes | avx512 | chunks/coherent |"
expect_line "$page" "| boxes of 1.5 voxels in chunks | 2.00× peer-bullet-quantized | 2.50× | yes | avx512 | chunks/box-1.5 |"
expect_line "$page" "| mesh and tree of chunks, packed form | 15.5 bytes a triangle at most | 15.0 | yes | avx512-create-packed | chunks-luanti, the worst of 2; best 14.5 |"
expect_line "$page" "| goal: mesh and tree of chunks, implied form | 8.00 bytes a triangle at most | 7.50 | yes | avx512-create-implied | chunks |"
expect_line "$page" "| edit of a voxel to the first ray | 5.00× the fastest peer-embree | 2.00× | no | avx512 | voxel |"
expect_line "$page" "| goal: edit of a voxel to the first ray | 5.00 µs at most | 8.00 | no | avx512 | voxel |"
# Hulls: times, ratios to a library, counts that must be exact, and the worst of nine sets that have a sphere of as many points.
expect_line "$page" "| hull of a ball of 16 | 2.50 µs at most | 2.00 | yes | avx512 | ball/16 |"
expect_line "$page" "| goal: hull of a ball of 16 | 1.50 µs at most | 2.00 | no | avx512 | ball/16 |"
expect_line "$page" "| hulls of balls of 1,000 and 10,000 | 10.0× peer-qhull | 8.00× | no | avx512 | ball/1000, the worst of 2; best 12.0 |"
expect_line "$page" "| hull of a ball of 100,000 | 15.0× peer-qhull | 16.0× | yes | avx512 | ball/100000 |"
expect_lines "$page" 2 "| hull of a ball of 1,000,000 | 12.0× peer-qhull | not measured | - | - | - |"
expect_line "$page" "| hull of a cylinder of 10,000, two big caps | 3.00 ms at most | 2.40 | yes | avx512 | cylinder/10000 |"
expect_line "$page" "| vertices of that cylinder, all of its rims | 6667, exactly | 6667 | yes | avx512 | cylinder/10000 |"
expect_line "$page" "| faces of that grid | 6, exactly | 6 | yes | avx512 | cube-grid-turned/10000 |"
expect_line "$page" "| corners of that grid | 8, exactly | 9 | no | avx512 | cube-grid-turned/10000 |"
expect_line "$page" "| hull of any family | 4.00× a sphere of as many points at most | 5.00× | no | avx512 | cone/1000, the worst of 9 |"
# Alpha: measured on two worlds, the peer on one of them; beta: not measured.
expect_lines "$page" 2 "| coherent rays in packets of 16 | 1.50× the fastest peer-embree | not measured | - | - | - |"
# Beta's AVX2 just reaches its 25 times; AVX-512 was not measured there.
expect_text "$page" "| 16 of the 26 measured |" # goals are not counted
expect_text "$page" "| 1 of the 1 measured |"

# The median of 1010, 990, 1000 is 1000, and the median distance from it 10; of 19, 20, 21, 30, 20 it is 20, and 1. An
# aggregate in the file is not a sample. Against gcc's 1000 and 800, and clang's 800.
expect_line "$page" "| terrain-l2 | 1000 ± 10 | 800 ± 0 | 800 ± 0 | 900 ± 0 | 40.0 ± 0.0 (25.0×, 20.0×, 20.0×) | 20.0 ± 1.0 (50.0×, 40.0×, 40.0×) |"
# Geometric mean of 50 and 24.
expect_line "$page" "| dilate_world | 2 | 1.25× | 25.0× | 20.0× | 34.6× (24.0 to 50.0) | 40.0× |"
expect_line "$page" "| overlap_one | 2 | - | - | - | 1.00× (0.50 to 2.00) | - |"
expect_line "$page" "| terrain-l2 | 512 | 0.25 | avx512 | 20.0 ± 1.0 | 10.0 ± 0.0 | 0.50 | 15.0 ± 0.0 | 0.75 |"
expect_line "$page" "| terrain-l3 | 16384 | 8.00 | avx512 | 50.0 ± 0.0 | 20.0 ± 0.0 | 0.40 | - | unknown |"
expect_line "$page" "| avx512 | 80.0 | 79.5 | 90.0 | 3 | 2.50× |"
expect_line "$page" "| avx512, no queries | 50.0 | 50.0 | 60.0 | 2 | - |"
expect_line "$page" "| dilate_world | terrain-l3 | peer-openvdb | 4000 ± 0 | 1200 ± 0 | 3.33× | - | - | 50.0 ± 0.0 | 80.0× |" # no AVX2 there
expect_line "$page" "| dilate_world | terrain-l2 | peer-openvdb | 4000 ± 0 | 1000 ± 10 | 4.00× | 40.0 ± 0.0 | 100× | 20.0 ± 1.0 | 200× |"
expect_line "$page" "| terrain-l3 | scalar | 2 | kept | 1000 ± 0 | 1.50× | 1.50× |"
expect_line "$page" "| terrain-l3 | avx512 | 2 | kept | 40.0 ± 0.0 | 1.50× | 37.5× |"
expect_line "$page" "| terrain-l3 | avx512 | 1 | fresh | 120 ± 0 | 1.00× | unknown |"
expect_line "$page" "peer-openvdb: OpenVDB: it favours &lt;nobody&gt; &amp; all."
checks=$((checks + 1))
[[ $(grep -c "^peer-" "$page") -eq 10 ]] || fail "$(basename "$page") does not say once of each of the nine peers what it is, and twice of Bullet"
expect_line "$page" "| hull3 | ball/1000 | peer-qhull | 400000 ± 0 | 100000 ± 0 | 4.00× | - | - | 50000 ± 0 | 8.00× |"
expect_no_text "$page" "^\\| world_ray \\| [^|]* \\| peer-[a-z-]*-cold" # beside what is warm
expect_line "$page" "| terrain-l2 | 1.50 | 1.75 |"
# Trees: 1000 / 100 million rays a second; what rays look at; sizes; exactness; peers' other answers.
expect_line "$page" "| avx2 | 10.0 |"
expect_line "$page" "| peer-embree-low | 8.00 |"
expect_line "$page" "| chunks | scalar-slab | 80.0 ± 0.0 | 19.0 |"
expect_line "$page" "| chunks/coherent | 40.0 | 16.0 | 800 ± 0 | 20.0 | 6.00 | 500 ± 0 | 4.00 | 5.00 | 400 ± 0 |"
expect_line "$page" "| chunks-of-64/coherent | 40.0 ± 0.0 | 60.0 ± 0.0 | 1.50× |"
expect_line "$page" "| chunks/coherent | kd_ray | avx2 | 100 ± 0 | 80.0 ± 0.0 | 1.25× | 7 | 1 |"
expect_line "$page" "| kd_ray | peer-embree-low | chunks/coherent | 1000 | 3 | 2 | 1 | - | - |"
# Hulls: who is right, and of which family who is not; times, without one where a library has none; growth: 50 ns a point at all sizes, and
# 100 us for 1000 points at n^1.5; what a hull looks at, and the limit.
expect_lines "$page" 1 "### Convex hulls"
expect_line "$page" "| voxphys | 2 | 0 | - | 2.0e-17 | 0 | 2 | 0 | - |"
expect_line "$page" "| peer-qhull | 2 | 0 | - | 0.0e+00 | 1 | 2 | 2 | 2 refused |"
expect_line "$page" "| peer-cgal | 2 | 1 | 1 too long | 0.0e+00 | 0 | 2 | 2 | 1 open, 1 crashed |"
expect_line "$page" "| peer-bullet | 2 | 2 | 2 outside | 1.2e-04 | 0 | 2 | 0 | - |"
expect_line "$page" "| ball | 2 | 0 | 0 | 1 too long | 2 outside |"
expect_line "$page" "| coplanar | 2 | 0 | 2 refused | 1 open, 1 crashed | 0 |"
expect_text "$page" "voxphys verify has made 48 hulls of these sets"
expect_line "$page" "| sphere/10000 | - | 2000 | 8000 | 5000 (not right) | cgal takes more than 10 s | 2.50× | 4.00× |"
# Polygons: where shadows are refused nothing is compared, here or in the table of other libraries.
expect_lines "$page" 1 "#### Polygons"
expect_line "$page" "| points | avx512 | scalar | peer-cgal | peer-qhull | avx512 over scalar | over peer-cgal | over peer-qhull |"
expect_line "$page" "| ball/1000 | 20.0 | 80.0 | 100 | 160 (2 missing) | 4.00× | 5.00× | 8.00× |"
expect_line "$page" "| coplanar/100 | 4.00 | 10.0 | 6.25 | 31.2 (2 of 3 refused, 1 too many) | 2.50× | 1.56× | - |"
expect_line "$page" "| ball/16 | - | - | cgal crashes (signal 11) | - | - | - | - |"
expect_line "$page" "| hull2 | ball/1000 | peer-qhull | 160000 ± 0 | 80000 ± 0 | 2.00× | - | - | 20000 ± 0 | 8.00× |"
expect_no_text "$page" "^\\| hull2 \\| coplanar/100 \\| peer-qhull"
expect_line "$page" "| ball | 5.00 | 50.0 | 500 | 5000 | 50000 | 1.00 | 1.50 | 0.25× |"
expect_line "$page" "| sphere | 20.0 | 200 | 2000 | - | - | 1.00 | - | 1.00× |"
expect_line "$page" "| ball/10000 | 430 | 4.50 | 20.0 | 3.00 | 0.50 | 52.0 | 2.00 | 100 |"
expect_line "$page" "| ball/1000000 | 4500 | - | - | - | - | - | - | 50.0 |"
expect_text "$page" "Reading a million points once takes 1000 µs, which is 12.0 GB a second."
expect_text "$html" ">ball, n^1.00</text>"
expect_no_text "$page" "Refused, and without a figure" # a library's refusal is a result
expect_text "$page" "(alpha/hulls.json)"
# Conformance: a program, what it offers, and of what it answers wrong the first six; a refusal is none of that.
expect_line "$page" "| program | ray-mesh, 3 | hull3, 8 |"
expect_line "$page" "| voxphys-avx2 0.1.0 | 3 pass | 8 pass |"
expect_line "$page" "| other 3 | - | 7 fail, 1 refused |"
expect_line "$page" "| other | hull3/1 | fail | point 1 is \\| outside |"
expect_line "$page" "| other | hull3/7 | fail | point 7 |"
expect_line "$page" "| other | hull3 | 1 more |  |"
expect_no_text "$page" "hull3/(5|8)"
# The article: 100 triangles a mesh, which takes 10000 ns, with AVX-512 1000; Bullet's trees take 250 and 160 a triangle, ours
# 50 as published and, whole, 25; its boxes 250 against 500 and 100, its rays 1600 against 800 and 80.
expect_line "$page" "| bytes a triangle of Bullet's tree | 128 | 130 | - |"
expect_line "$page" "| bytes a triangle of the loose kD tree | about 12 | 12.5 | 20.0 |"
expect_line "$page" "| Bullet's tree takes so much of the mesh's time | 3× | 2.50× | 25.0× |"
expect_line "$page" "| Bullet's quantized tree takes so much of the mesh's time | 5× | 1.60× | 16.0× |"
expect_line "$page" "| the loose kD tree takes so much of the mesh's time | about equal | 0.50× | 2.50× |"
expect_line "$page" "| it is built faster than the faster of Bullet's by | 3 to 4× | 3.20× | 6.40× |"
expect_line "$page" "| boxes of 1.5 voxels are faster than the faster of Bullet's by | on par | 0.50× | 2.50× |"
expect_line "$page" "| rays are faster than the faster of Bullet's by | faster | 2.00× | 20.0× |"
# Terrain: warm in millions a second, cold and edits in microseconds; threads; what is kept within a budget.
expect_lines "$page" 1 "### Terrain"
expect_line "$page" "| world_ray | world-230k/coherent |"
expect_line "$page" "| avx512-object | 8.00 |"
expect_line "$page" "| peer-embree-medium | 5.00 |"
expect_line "$page" "| world_box | world-230k/box-1.5 |"
expect_line "$page" "| peer-bullet | 2.00 |"
expect_line "$page" "| avx512-cold | 0.80 |"
expect_line "$page" "| peer-embree-low-cold | 2.00 |"
expect_line "$page" "| edit_to_ray | brush8 | voxel |"
expect_line "$page" "| avx512 | 20.0 | 8.00 |"
expect_line "$page" "| avx512-slab | - | 10.0 |"
expect_line "$page" "| peer-embree-low-quads | - | 16.0 |"
expect_line "$page" "| avx512 | 3.00 | 1.50 | 1.00 | 1.25 | 2.50 | 2.25 |"
expect_line "$page" "| world_ray | world-230k/coherent | avx512-object | 2 | 62.5 ± 0.0 | 1.60× |"
expect_line "$page" "| terrain_prepare | world-230k | avx512 | 2 | 2500 ± 0 | 1.60× |"
expect_line "$page" "| terrain-dram/wander | avx512-object | 4.00 | 32.0 | 42.0 | - | - | - |"
expect_line "$page" "| terrain-dram/wander | avx512-budget-1MiB | 1.25 | 1.00 | 12.0 | 139000 | 6100 | 6099 |"
# What memory buys: with the mesh of 14 bytes beside the tree, or 20 of plain triangles; a packed tree has its own in it. Rows of rays
# tell the bytes of both, where they tell any.
expect_line "$page" "| chunks | avx512, wide | 20.0 | 34.0 | 12.5 | - | 10.0 |"
expect_line "$page" "| chunks | avx512, packed | - | 14.5 | 6.25 | - | - |"
expect_line "$page" "| chunks | avx512, implied | - | 7.25 | 5.00 | - | 5.00 |"
expect_line "$page" "| chunks | peer-embree-low | 90.0 | 110 | 8.00 | - | - |"
expect_text "$html" "<title>avx512, packed: 14.5, 6.25</title>"
expect_text "$html" "Memory against speed: boxes of 1.5 voxels at chunks"
expect_no_text "$html" "Memory against speed: .* at chunks-luanti" # nothing is known there but bytes
# Of what is told in tables of their own, nothing is in the kernels' tables.
expect_lines "$page" 1 "#### world_ray, ns per ray"
expect_no_text "$page" "^\\| (terrain-dram/wander|world-230k/coherent/threads-1) \\| -"
expect_text "$page" "4 checks, 255 answers compared bit for bit with the scalar reference's, 0 checks with disagreements."
expect_line "$page" "| neon through SIMDe | 1 | 7 | 0 |  |"
expect_line "$page" "| neon | not run | - | - | 1 kernel: made for another processor |"

# What is not known is not 0, and SIMDe's figures are in a table of their own.
expect_line "$page" "| governor | unknown |"
expect_line "$page" "| terrain-l2 | unknown | unknown |" # beta's memory
expect_line "$page" "Unknown: there is no verify.json."
expect_line "$page" "#### dilate_world through SIMDe, ns per chunk"
expect_count "$page" "neon-simde" 1
expect_text "$html" "unheard_of"

for kernel in $(voxphys info --json | jq -r '.kernels[].name'); do
    expect_text "$page" "| $kernel |"
    expect_text "$html" "<td>$kernel</td>"
done

# ---- safe and complete pages ----

expect_text "$page" '| processor | Made-up &lt;b&gt;CPU&lt;/b&gt; \| "9" &amp; \_more\_ |'
expect_text "$html" "Made-up &lt;b&gt;CPU&lt;/b&gt; | &quot;9&quot; &amp; _more_"
expect_no_text "$html" "<b>|<i>"
# shellcheck disable=SC2016 # Markdown's quotes
expect_lines "$page" 0 '- The second row is `a < b` & <i>no more</i>.' # notes could pretend to be the page
expect_lines "$page" 0 "### Notes"
expect_text "$page" "(alpha/notes.md)"
expect_text "$html" "<li>The second row is <code>a &lt; b</code> &amp; &lt;i&gt;no more&lt;/i&gt;."
expect_no_text "$html" "https?:|//[a-z]|src=|@import|url\("
expect_count "$html" "<svg" 11 # alpha's ten, and beta's speed-ups: it has one world and no limits
for tag in table caption tr thead tbody svg figure section header main nav h2 h3 p ul li td th; do
    expect_count "$html" "</$tag>" "$(grep -oE "<${tag}[ >]" "$html" | wc -l)"
done
expect_links "$html" "$page"
expect_text "$page" "(alpha/bench-clang.json)"

# ---- the same input, the same bytes ----

same_page() # HTML HTML: but for the sizes of the files, which are told in it
{
    cmp -s <(sed 's/<small>[0-9.]* [kM]\{0,1\}B<\/small>//' "$1") <(sed 's/<small>[0-9.]* [kM]\{0,1\}B<\/small>//' "$2")
}

cp "$page" "$scratch/README.first"
cp "$html" "$scratch/report.first"
jq '.benchmarks |= reverse' "$results/alpha/bench.json" >"$scratch/reversed"
mv "$scratch/reversed" "$results/alpha/bench.json"
mkdir "$results/.partial-1" "$results/empty"
echo nonsense >"$results/.partial-1/bench.json"
cd "$scratch" || exit 1
run report
expect_status 0
checks=$((checks + 2))
cmp -s "$page" "$scratch/README.first" || fail "README.md depends on the order of bench.json"
same_page "$html" "$scratch/report.first" || fail "report.html depends on the order of bench.json"

# Google Benchmark's aggregates may have figures that are no JSON. Nothing is made of them, and texts stay what they are.
odd='{"name": "dilate_world/scalar/terrain-l2_cv", "run_name": "dilate_world/scalar/terrain-l2", "run_type": "aggregate",
    "aggregate_name": "cv", "iterations": NaN, "real_time":Infinity, "cpu_time": -NaN , "items_per_second":
    -Infinity}'
text=$(<results/alpha/bench.json)
with_odd() { printf '%s\n' "${text/'"benchmarks": ['/'"benchmarks": ['$odd,}" >results/alpha/bench.json; }
with_odd
run report
expect_status 0
expect_empty stderr "$err"
checks=$((checks + 1))
same_page "$html" "$scratch/report.first" || fail "report.html depends on aggregates that are no figures"
text=$(jq '(.benchmarks[] | select(.name == "dilate_world/peer-openvdb/terrain-l2")).label += " \"x: NaN, \\"' <<<"$text")
with_odd
run report --results results --out elsewhere
expect_status 0
expect_links elsewhere/report.html elsewhere/README.md
expect_text elsewhere/README.md "(../results/alpha/bench.json)"
expect_text elsewhere/README.md '"x: NaN, \\.'

# ---- results that are wrong, and files that are no results ----

damaged() # FILE WHAT: FILE below results/ is damaged; nothing is written, and the message names it and says WHAT
{
    rm -rf pages
    run report --results results --out pages
    expect_status 2
    expect_in stderr "$err" "results/$1"
    expect_in stderr "$err" "$2"
    checks=$((checks + 1))
    [[ ! -e pages/README.md && ! -e pages/report.html ]] || fail "pages were written in spite of a damaged $1"
    rm -rf "results/${1%%/*}"
    cp -r "$VOXPHYS_SOURCE/tests/report/results/${1%%/*}" results/
}
change() # FILE FILTER: FILE below results/ through jq
{
    jq "$2" "$VOXPHYS_SOURCE/tests/report/results/$1" >"results/$1"
}
for file in machine verify bench pipeline bench-clang hulls conformance; do
    head -c 60 "$VOXPHYS_SOURCE/tests/report/results/alpha/$file.json" >"results/alpha/$file.json"
    damaged "alpha/$file.json" "not JSON"
    : >"results/alpha/$file.json"
    damaged "alpha/$file.json" "not JSON"
    echo '[1]' >"results/alpha/$file.json"
    damaged "alpha/$file.json" "not a JSON object"
done
rm results/alpha/bench.json && mkdir results/alpha/bench.json
damaged alpha/bench.json "regular file"
change alpha/bench.json '.benchmarks = 7'
damaged alpha/bench.json benchmarks
change alpha/bench.json '.benchmarks = []'
damaged alpha/bench.json benchmarks
change alpha/bench.json '.benchmarks[0] = 3'
damaged alpha/bench.json "benchmark 0 has no name"
change alpha/bench.json '.benchmarks |= map(select(.run_type == "aggregate"))'
damaged alpha/bench.json "no repetition; measure without --benchmark_report_aggregates_only"
for value in 0 -1 '"fast"' null 1e-320; do
    change alpha/bench.json "(.benchmarks[] | select(.name == \"dilate_chunk/avx512/terrain-l2\")).items_per_second = $value"
    damaged alpha/bench.json '"dilate_chunk/avx512/terrain-l2" has no items_per_second above 0'
done
for value in 1e300 1e-250; do # a scale from one to the other would have no end
    change alpha/bench.json "(.benchmarks[] | select(.name == \"dilate_chunk/avx512/terrain-l2\")).items_per_second = $value"
    damaged alpha/bench.json '"dilate_chunk/avx512/terrain-l2" has 1e'
done
for figure in NaN -NaN Infinity -Infinity; do # of a repetition; and in a file that is not Google Benchmark's
    change alpha/bench.json '(.benchmarks[] | select(.name == "dilate_chunk/avx512/terrain-l2")).items_per_second = "none"'
    sed -i "s/\"none\"/$figure/" results/alpha/bench.json
    damaged alpha/bench.json '"dilate_chunk/avx512/terrain-l2" has no items_per_second above 0'
    sed "0,/\"cases\": [0-9]*/s//\"cases\": $figure/" "$VOXPHYS_SOURCE/tests/report/results/alpha/verify.json" >results/alpha/verify.json
    damaged alpha/verify.json "not JSON"
done
sed 's/"items_per_second": [0-9.]*/"items_per_second": nan/' "$VOXPHYS_SOURCE/tests/report/results/alpha/bench.json" >results/alpha/bench.json
damaged alpha/bench.json "not JSON"
change alpha/verify.json '.checks = []'
damaged alpha/verify.json '"checks"'
change alpha/verify.json '.checks[1].mismatches = -1'
damaged alpha/verify.json "check 1"
change alpha/verify.json '.checks[2] |= del(.cases)'
damaged alpha/verify.json "check 2"
change alpha/verify.json '.not_run[0] |= del(.isa)'
damaged alpha/verify.json "not_run entry 0"
change alpha/pipeline.json '.results[1].median = 0'
damaged alpha/pipeline.json "result 1"
change alpha/hulls.json '.trials = []'
damaged alpha/hulls.json '"trials"'
change alpha/hulls.json '.trials[2].outcome = "splendid"'
damaged alpha/hulls.json "trial 2"
change alpha/hulls.json '.trials[3] |= del(.family)'
damaged alpha/hulls.json "trial 3"
change alpha/conformance.json 'del(.corpus)'
damaged alpha/conformance.json '"corpus"'
change alpha/conformance.json '.adapters[1] |= del(.version)'
damaged alpha/conformance.json "adapter 1"
change alpha/conformance.json '.families[0].asked = -1'
damaged alpha/conformance.json "family 0"
change alpha/conformance.json '.vectors[4].results |= .[0:1]'
damaged alpha/conformance.json "vector 4"
change alpha/conformance.json 'del(.vectors[2].results[1].result)'
damaged alpha/conformance.json "vector 2"
printf 'caf\xe9\n' >results/alpha/notes.md
damaged alpha/notes.md "UTF-8"
# What a link leads to is not published, nor is a pipe waited for; the message names it.
for file in notes.md machine.json bench.json limits.json results.json conformance.json; do
    for to in /etc/hostname nowhere . "$file"; do
        ln -sf -T "$to" "results/alpha/$file"
        damaged "alpha/$file" "alpha/$file is a symbolic link: results are regular files"
    done
    rm -f "results/alpha/$file"
    mkfifo "results/alpha/$file"
    damaged "alpha/$file" "alpha/$file is not a regular file"
done
ln -s "$VOXPHYS_SOURCE/tests/report/results/alpha" results/gamma
rm -rf pages
run report --results results --out pages
expect_status 2
expect_in stderr "$err" "results/gamma is a symbolic link: results are regular files"
rm results/gamma
ln -s /etc/hostname results/alpha/more.txt
ln -s results linked
run report --results linked --out pages
expect_status 0
expect_lines pages/README.md 0 "more.txt"
rm linked results/alpha/more.txt

# A disagreement and a refused benchmark are shown, and no figure is made of them.
change alpha/verify.json '.checks[1].mismatches = 12'
change alpha/bench.json '(.benchmarks[] | select(.name == "dilate_world/avx2/terrain-l2")) |=
    {name, run_name, run_type, error_occurred: true, error_message: "it <differs>", items_per_second: 5}'
run report --results results --out pages
expect_status 1
expect_in stderr "$err" "alpha: 1 checks disagree, 1 benchmarks were refused"
expect_text pages/README.md "| 1 | 1 |"
expect_text pages/README.md "Refused, and without a figure: dilate_world/avx2/terrain-l2: it &lt;differs&gt;"
expect_line pages/README.md "| avx2 | 1 | 100 | 1 |  |"
expect_text pages/README.md "AVX2 | 25.0× the faster scalar | not measured |"

# So is a refused hull of ours. Where nobody looked which are right, that is said.
rm -rf results/alpha
cp -r "$VOXPHYS_SOURCE/tests/report/results/alpha" results/
change alpha/bench.json '(.benchmarks[] | select(.name == "hull3/avx512/ball/16")) |=
    {name, run_name, run_type, error_occurred: true, error_message: "no hull"}'
rm results/alpha/hulls.json results/alpha/conformance.json
run report --results results --out pages
expect_status 1
expect_in stderr "$err" "alpha: 0 checks disagree, 1 benchmarks were refused"
expect_text pages/README.md "Refused, and without a figure: hull3/avx512/ball/16: no hull"
expect_line pages/README.md "Unknown: there is no hulls.json."
expect_line pages/README.md "Unknown: there is no conformance.json."

# A result that is a link leading nowhere is not the same as no result; a message about a long path gives file and reason.
mkdir dangling dangling/gamma
ln -s /nowhere/at/all dangling/gamma/bench.json
run report dangling
expect_status 2
expect_in stderr "$err" "gamma/bench.json"
deep=$(printf 'folder-%.0s' {1..20})
mkdir -p "$deep/$deep/$deep/delta"
echo '{"benchmarks": []}' >"$deep/$deep/$deep/delta/bench.json"
run report "$deep/$deep/$deep"
expect_status 2
expect_in stderr "$err" "delta/bench.json: \"benchmarks\" is not a list with something in it"

# ---- pages that somebody else has written ----

cp -r "$VOXPHYS_SOURCE/tests/report/results" sound
for name in README.md report.html; do
    rm -rf pages
    mkdir pages
    echo "mine" >"pages/$name"
    run report --results sound --out pages
    expect_status 2
    expect_in stderr "$err" "pages/$name: voxphys report did not make this file"
    expect_equal "what stands in $name" "$(cat "pages/$name")" mine
    expect_equal "the files in the folder" "$(ls pages)" "$name"
    : >"pages/$name" # an empty one holds no work
    run report --results sound --out pages
    expect_status 0
    run report --results sound --out pages
    expect_status 0
done

# ---- a target is judged when the peer is there for every data set ----

rm -rf whole
cp -r "$VOXPHYS_SOURCE/tests/report/results" whole
jq '.benchmarks += [.benchmarks[] | select(.name == "kd_ray16/peer-embree-low/world-230k/coherent")
    | (.name, .run_name) |= sub("230k"; "luanti") | .items_per_second = 6250000]' whole/alpha/bench.json >whole/bench.json
mv whole/bench.json whole/alpha/bench.json
run report whole
expect_status 0
expect_line whole/README.md "| coherent rays in packets of 16 | 1.50× the fastest peer-embree | 1.60× | yes | avx512 | world-luanti/coherent, the worst of 2; best 2.00 |"

# ---- what quads buy ----

expect_no_text "$page" "What quads buy" # without the pair
rm -rf paired
cp -r "$VOXPHYS_SOURCE/tests/report/results" paired
jq '[.benchmarks[] | select(.run_name == "kd_ray/avx512/chunks/coherent")] as $rows
    | .benchmarks += ($rows | map((.name, .run_name) |= sub("avx512"; "avx512-quads")))
        + ($rows | map(((.name, .run_name) |= sub("avx512"; "avx512-triangles")) | .items_per_second /= 2))' paired/alpha/bench.json >paired/bench.json
mv paired/bench.json paired/alpha/bench.json
run report paired
expect_status 0
expect_line paired/README.md "| kd_ray/chunks/coherent | avx512 | 6.25 | 12.5 | 2.00× |"

# ---- forms that were not measured ----

rm -rf older
cp -r "$VOXPHYS_SOURCE/tests/report/results" older
jq '.benchmarks |= map(select(.name | test("-packed|-implied|^world_|^edit_|^terrain_") | not))' older/alpha/bench.json >older/bench.json
mv older/bench.json older/alpha/bench.json
run report older
expect_status 0
expect_line older/README.md "| chunks | avx512, wide | 20.0 | 34.0 | 12.5 | - | 10.0 |"
expect_no_text older/README.md "avx512, (packed|implied)|### Terrain"
expect_text older/README.md "| mesh and tree of chunks, packed form | 15.5 bytes a triangle at most | not measured |"

# ---- shares of the limits are told from a file of their own, where it is ----

rm -rf limits
cp -r "$VOXPHYS_SOURCE/tests/report/results" limits
run report limits
expect_line limits/README.md "| world build in the L3 cache | 0.50 of the read stream | 0.40 | no | avx512 | terrain-l3 |"
jq '(.benchmarks[] | select(.run_name == "stream_read/limit/terrain-l3")).items_per_second /= 2' limits/alpha/bench.json \
    >limits/alpha/limits.json
run report limits
expect_status 0
expect_line limits/README.md "| world build in the L3 cache | 0.50 of the read stream | 0.80 | yes | avx512 | terrain-l3 |"
expect_line limits/README.md "| terrain-l3 | 16384 | 8.00 | avx512 | 50.0 ± 0.0 | 40.0 ± 0.0 | 0.80 | - | unknown |"
expect_text limits/README.md "(alpha/limits.json)"
expect_links limits/report.html limits/README.md

# ---- usage ----

run report --results "$scratch/empty-as-yet"
expect_status 2
expect_in stderr "$err" "$scratch/empty-as-yet"
mkdir "$scratch/empty-as-yet"
run report "$scratch/empty-as-yet"
expect_status 2
expect_in stderr "$err" "no folder here holds results"
run report results --results results
expect_status 2
run report one two
expect_status 2
expect_in stderr "$err" "'two'"
run report --out "$scratch/README.first" results
expect_status 2
expect_in stderr "$err" "README.first"
finish
