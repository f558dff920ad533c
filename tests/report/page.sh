#!/bin/bash
# SPDX-License-Identifier: MIT
# What the report tells beyond tables of figures, on made-up results: what comes first, where lines cross, what exactness costs, noise,
# raw files, and what results of a later schema tell. Every figure was worked out by hand.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/report/page.bash"
results=$scratch/results
made=$VOXPHYS_SOURCE/tests/report/results
cp -r "$made" "$results"
page=$results/README.md
html=$results/report.html

change() # FILE FILTER: FILE below the results, through jq
{
    jq "$2" "$made/$1" >"$results/$1"
}

run report "$results"
expect_status 0
expect_empty stderr "$err"

# ---- what comes first ----

# A world's build: 24 and 50 times, 800 / 20, and 4000 over 20 and 50. Trees have no scalar form here. Hulls: 3162 / 5000, 100 / 50 and
# 3162 / 500; Qhull by 8, 12, 16, 4 and 25, where Bullet's faulty 5000 counts among all alone, as 2.5. Plain C: the least of 1000, 800, and
# clang's 800 and 900, over 20, and 1200 over 50.
expect_lines "$page" 2 "### In short" # one a machine
expect_line "$page" "| the broadphase of a whole world | dilate_world | avx512 | 34.6× (24.0 to 50.0) | 40.0× | 31.0× (24.0 to 40.0) | 126× (80.0 to 200) | 126× (80.0 to 200) |"
expect_line "$page" "| single rays at a tree | kd_ray | avx512 | 5.00× | - | 5.00× | 1.25× | 1.25× |"
expect_line "$page" "| trees of triangles, whole | kd_build | avx512-create | - | - | - | 6.40× | 6.40× |"
expect_line "$page" "| convex hulls | hull3 | avx512 | 2.00× (0.63 to 6.32) | - | 2.00× (0.63 to 6.32) | 10.9× (4.00 to 25.0) | 9.92× (2.50 to 25.0) |"
expect_text "$html" '<li><a href="#alpha/kernel-dilate_world"><strong>34.6×</strong><span>the broadphase of a whole world</span><small>avx512 over plain scalar C: 24.0 to 50.0 on 2 data sets; over what the compiler vectorises itself 40.0×; over the fastest of what compilers make of the reference 31.0× (24.0 to 40.0); over the fastest other library 126× (80.0 to 200)</small></a></li>'
expect_text "$html" 'id="alpha/kernel-dilate_world"'
expect_text "$html" ", one thread of Made-up &lt;b&gt;CPU&lt;/b&gt; | &quot;9&quot; &amp; _more_, measured 2020-01-02T03:04:05Z:"
first=$(grep -n '</header>' "$html" | cut -d: -f1)
expect_equal "whether the speed-ups come before all else" "$(head -n "$first" "$html" | grep -c '<strong>')" "$(grep -c '<strong>' "$html")"

# Every link inside of the page leads somewhere, once.
while read -r link; do
    checks=$((checks + 1))
    [[ $(grep -cF "id=\"$link\"" "$html") -eq 1 ]] || fail "the link #$link leads nowhere, or to two places"
done < <(grep -oE 'href="#[^"]+"' "$html" | sed 's/href="#//; s/"//' | sort -u)
expect_equal "anchors that two places have" "$(grep -oE ' id="[^"]+"' "$html" | sort | uniq -d)" ""

# ---- where from ----

expect_text "$html" '<caption>Figures from <a href="alpha/bench.json">bench.json</a>, <a href="alpha/bench-clang.json">bench-clang.json</a></caption>'
expect_text "$html" '<caption>Figures from <a href="alpha/hulls.json">hulls.json</a></caption>'
expect_equal "tables of a machine that do not say where from" "$(sed -n '/<main>/,/id="everything"/p' "$html" | grep -A1 '<table' | grep -cE '^<thead')" 0
for file in "$made"/alpha/*; do
    expect_text "$html" "<li><a href=\"alpha/${file##*/}\">${file##*/}</a> <small>"
done
printf '%1234d' 0 >"$results/alpha/huge.csv"
truncate --size 10500000 "$results/alpha/samples.bin"
mkdir "$results/alpha/folder" "$results/alpha/.hidden"
run report "$results"
expect_text "$html" '<li><a href="alpha/huge.csv">huge.csv</a> <small>1.23 kB</small></li>'
expect_text "$html" '<li><a href="alpha/samples.bin">samples.bin</a> <small>10.5 MB</small></li>'
expect_text "$html" '<li><a href="beta/machine.json">machine.json</a> <small>3 B</small></li>'
expect_text "$page" "[huge.csv](alpha/huge.csv)"
expect_no_text "$html" 'alpha/(folder|\.hidden)"'
rm -r "$results"/alpha/{huge.csv,samples.bin,folder,.hidden}

# ---- where lines cross ----

# 50 ns a point against 100 us of a thousand and n^1.5: equal at 250. Qhull is slower everywhere. Of trees there is one size, and no line.
expect_line "$page" "avx512 is slower than scalar at 100 points; it overtakes it at about 250. From 100 to 10000 it is 0.63 to 6.32 times as fast."
expect_line "$page" "avx512 is faster than peer-qhull at every size that was measured, from 1000 to 100000 points: 8.00 to 16.0 times as fast. No crossover in what was measured."
expect_count "$html" '<circle class="ring"' 1
expect_text "$html" ">≈ 250</text>"
expect_no_text "$page" "by every triangle"
# Trees: 20 against 10 ns at 16 triangles, 40 against 60 at 64; they cross at 16 * 4^(ln 2 / ln 3). One that never pays; one that does not any more.
with_sizes() # NAME NS...: the row at 16 and 256 triangles
{
    printf '[.benchmarks[0] | del(.label) | . + {name: "%s", run_name: "%s", items_per_second: (1e9 / %s)}]' "$1" "$1" "$2"
}
change alpha/bench.json ".benchmarks += $(with_sizes kd_ray/avx512/chunks-of-16/coherent 20) + $(with_sizes brute_ray/avx512/chunks-of-16/coherent 10)"
run report "$results"
expect_line "$page" "avx512 by a tree is slower than avx512 by every triangle at 16 triangles; it overtakes it at about 38. From 16 to 64 it is 0.50 to 1.50 times as fast."
expect_line "$page" "| chunks-of-16/coherent | 20.0 ± 0.0 | 10.0 ± 0.0 | 0.50× |"
expect_equal "the sizes in their order" "$(grep -oE '^\| chunks-of-[0-9]+/coherent' "$page" | head -n 2 | tr '\n' ' ')" "| chunks-of-16/coherent | chunks-of-64/coherent "
expect_count "$html" '<circle class="ring"' 2
expect_text "$html" ">≈ 38</text>"
change alpha/bench.json ".benchmarks += $(with_sizes kd_ray/avx512/chunks-of-16/coherent 10) + $(with_sizes brute_ray/avx512/chunks-of-16/coherent 20)
    + $(with_sizes kd_ray/avx512/chunks-of-256/coherent 90) + $(with_sizes brute_ray/avx512/chunks-of-256/coherent 60)"
run report "$results"
expect_line "$page" "avx512 by a tree is faster than avx512 by every triangle at 16 triangles; it falls behind it at about 130. From 16 to 256 it is 0.67 to 2.00 times as fast."
change alpha/bench.json "(.benchmarks[] | select(.name == \"kd_ray/avx512/chunks-of-64/coherent\")).items_per_second = 1e7
    | .benchmarks += $(with_sizes kd_ray/avx512/chunks-of-16/coherent 20) + $(with_sizes brute_ray/avx512/chunks-of-16/coherent 10)"
run report "$results"
expect_line "$page" "avx512 by a tree is slower than avx512 by every triangle at every size that was measured, from 16 to 64 triangles: 0.50 to 0.60 times as fast. No crossover in what was measured."
cp "$made/alpha/bench.json" "$results/alpha/"

# ---- what exactness costs ----

expect_line "$page" "Rounding twice, so that every instruction set gives the same bits, makes rays take 1.25 times as long as fusing (1.25 to 1.25 on 1 data sets). Fused, 7 answers of 1000 hits have other bits, and 1 hits are lost or made up."
# Single rays 125 over 80, packets 2 times: 1.77 on two sets.
expect_line "$page" "| peer-embree-low | 2000 | 6 | 4 | 2 | - | - | 1.77× (1.56 to 2.00) |"
expect_line "$page" "| peer-embree-medium | 1000 | 3 | 2 | 1 | - | - | 1.25× |"
expect_line "$page" "Ours decide every side exactly, and of 2 sets with a volume 0 are not right. What others decide with, how often they are not right, and how many times as fast ours are, the geometric mean over the sets that both made:"
expect_line "$page" "| peer-qhull | doubles, and faces merged where they are nearly flat | 2 | 0 | 10.9× (4.00 to 25.0) |"
expect_line "$page" "| peer-bullet | whole numbers, on points rounded to a grid | 2 | 2 | 2.50× |"

# A library that was asked in two modes: of the made-up programs one answers 7 questions wrong, the other none.
expect_no_text "$page" "robust mode"
change alpha/conformance.json '.adapters[0].name = "tracer-robust" | .adapters[1].name = "tracer"'
run report "$results"
expect_line "$page" "Of the questions of the conformance corpus tracer answers 7 wrong, and 0 in its robust mode. The times are of the mode that is not robust; what the other takes was not measured."
cp "$made/alpha/conformance.json" "$results/alpha/"

# ---- noise ----

expect_line "$page" "How much the same thing differs when it is measured twice is unknown: it was not."
change alpha/bench.json ".benchmarks += $(with_sizes noise/first/terrain-l2/dilate_world 100) + $(with_sizes noise/second/terrain-l2/dilate_world 98)
    + $(with_sizes noise/first/chunks/cold/kd_ray 100) + $(with_sizes noise/second/chunks/cold/kd_ray 101) + $(with_sizes noise/first/alone 5)"
run report "$results"
expect_status 0
twice="things were measured twice, under two names (noise/first and noise/second; of trees and terrain -quads is the default once more). Their medians differ by"
less="A difference that is not clearly more says nothing, and what is asked for is called reached or not reached by little where it is within the middle of them."
expect_line "$page" "2 $twice 1.52 % in the middle, and by 2.04 % at most, of noise/first/terrain-l2/dilate_world. $less"
expect_line "$page" "| world build in the L2 cache, AVX-512 | 35.0× the faster scalar | 40.0× | yes | avx512 | terrain-l2 |"
expect_no_text "$page" "^(#+|\\|) noise"
expect_text "$html" "<td>noise</td>" # among all measurements
# The default once more takes 100 where it takes 80, a quarter more: 40 of 35 and 20 of 25 are as near as that, 12 of 10 too; 0.5 of 1.8 is not, and bytes are what they are.
cp "$made/alpha/bench.json" "$results/alpha/"
change alpha/bench.json ".benchmarks += $(with_sizes kd_ray/avx512-quads/chunks/coherent 100)"
run report "$results"
expect_line "$page" "1 $twice 25.0 % in the middle, and by 25.0 % at most, of kd_ray/avx512/chunks/coherent. $less"
expect_line "$page" "| world build in the L2 cache, AVX-512 | 35.0× the faster scalar | 40.0× | yes, by little | avx512 | terrain-l2 |"
expect_line "$page" "| world build in the L2 cache, AVX2 | 25.0× the faster scalar | 20.0× | no, by little | avx2 | terrain-l2 |"
expect_line "$page" "| overlap of one box, small boxes | 1.80× the faster scalar | 0.50× | no | avx512 | terrain-l2/boxes-small, the worst of 2; best 2.00 |"
expect_line "$page" "| nodes of the slab form | 18.5 bytes a triangle at most | 19.0 | no | scalar-slab | chunks |"
expect_no_text "$html" 'kernel-noise|>noise</text>'

# ---- whether a file calls itself official ----

expect_equal "machines without results.json" "$(grep -c '| unknown: there is no results.json |' "$page")" 2
echo '{"official": false, "unofficial_because": ["a quick run", "<b>changed"], "warnings": ["<i>hot", "and loud"]}' >"$results/alpha/results.json"
echo '{"official": true, "unofficial_because": [], "warnings": []}' >"$results/beta/results.json"
run report "$results"
expect_status 0
expect_text "$page" " | no: a quick run; &lt;b&gt;changed | "
expect_text "$html" "official: no: a quick run; &lt;b&gt;changed:</p>"
expect_text "$page" " | yes | "
expect_line "$page" "| warnings | &lt;i&gt;hot; and loud |"
expect_line "$page" "| warnings | none |"
rm "$results"/*/results.json

# ---- a later schema ----

expect_line "$page" "| kinds of cores | unknown |"
expect_line "$page" "| clock before | unknown |"
expect_line "$page" "| floating-point numbers | unknown |"
change alpha/machine.json '.schema = 2 | .cpu.core_types = [{name: "performance", cpus: "0-3"}, {name: "efficiency", cpus: "4-7"}]
    | .cpu.clock_mhz_before = 2100.4 | .cpu.cpus_allowed = "0-7"
    | .float_mode = {register: "MXCSR", bits: 8064, nearest: true, flushes_results: false, flushes_operands: true}'
run report "$results"
expect_line "$page" "| kinds of cores | performance: CPUs 0-3; efficiency: CPUs 4-7 |"
expect_line "$page" "| clock before | 2100 MHz |"
expect_line "$page" "| CPUs that it may run on | 0-7 |"
expect_line "$page" "| floating-point numbers | rounds to nearest, denormal results are kept, denormal operands count as 0 |"
finish
