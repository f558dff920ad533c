#!/bin/bash
# SPDX-License-Identifier: MIT
# The report in a real browser: it opens, is silent and asks for nothing; its bar shows exactly the rows that jq finds in the raw files;
# an address restores a view; light, dark, narrow, on paper, without scripts; and pages that are broken on purpose are found.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/report/page.bash"
for program in chromium python3; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: there is no $program here"
        exit 77
    fi
done

# The rows that a folder of results must give: each benchmark of each machine and compiler once.
rows_of() # FOLDER
{
    local file
    for file in "$1"/*/bench.json "$1"/*/bench-clang.json; do
        [[ ! -e $file ]] ||
            jq -c --arg machine "$(basename "$(dirname "$file")")" '[.benchmarks[] | select(.run_type != "aggregate") | .run_name // .name] | unique
                | .[] | split("/") | [$machine, .[0], .[1] // "", (.[2:] | join("/"))]' "$file"
    done | jq -c -s .
}

look() # FOLDER [BROKEN LOOK:WORDS]...: looks at the report of a folder of results
{
    local folder=$1
    shift
    rows_of "$folder" >"$folder.rows"
    checks=$((checks + 1))
    shown="the report of $folder"
    python3 -B "$VOXPHYS_SOURCE/tests/report/browser.py" "$folder/report.html" "$folder.rows" "$@" || fail "it is not what it should be"
}

# The largest of the real ones; and what a page of two such machines weighs.
mkdir "$scratch/real"
largest=$(du "$VOXPHYS_SOURCE"/results/*/bench.json | sort -n | tail -n 1 | cut -f 2)
cp -r "${largest%/*}" "$scratch/real/one"
run report "$scratch/real"
expect_status 0
look "$scratch/real"
cp -r "${largest%/*}" "$scratch/real/the other"
run report "$scratch/real"
expect_status 0
checks=$((checks + 1))
[[ $(stat -c %s "$scratch/real/report.html") -lt 3000000 ]] || fail "it weighs $(stat -c %s "$scratch/real/report.html") bytes"

# Made-up results, and the same page broken.
cp -r "$VOXPHYS_SOURCE/tests/report/results" "$scratch/made"
run report "$scratch/made"
expect_status 0
broken=()
breaks() # NAME LOOK:WORDS SED: a page that is wrong, and which look must say what of it
{
    mkdir "$scratch/$1"
    sed "$3" "$scratch/made/report.html" >"$scratch/$1/report.html"
    checks=$((checks + 1))
    ! cmp -s "$scratch/made/report.html" "$scratch/$1/report.html" || fail "the page $1 is not broken"
    broken+=("$scratch/$1/report.html" "$2")
}
breaks throws "opening:exception" "s|^bar.hidden = false;|nothing.there();|"
breaks complains "opening:console error" "s|^bar.hidden = false;|console.error('lost'); &|"
breaks fetches "opening:request to https://voxphys.invalid" "s|<main>|&<img alt='' src='https://voxphys.invalid/x.png'>|"
breaks hides-nothing "filters:rows by kernel" "s|</style>|tr[hidden] { display: table-row !important; }&|"
breaks hides-too-much "filters:rows by who" "s|m.kernel === chosen.kernel)\$|& \&\& m.who !== 'avx2'|"
breaks keeps-chapters "filters:parts of other machines" "s|machine !== chosen.machine)\$|false)|"
breaks lacks-a-row "opening:names of rows" "0,/<td>dilate_chunk<\/td><td>scalar<\/td>/s//<td>dilate_chunk<\/td><td>vector<\/td>/"
breaks forgets "address:an address restores" "s|location.hash.slice(1)|''|"
breaks sorts-wrongly "sorting:medians" "s|Math.sign(a.key - b.key)|Math.sign(b.key - a.key)|"
breaks is-dim "colours:too little contrast, dark" "s|</style>|@media (prefers-color-scheme: dark) { body { color: #333; } }&|"
breaks is-wide "colours:width on a narrow screen" "s|<main>|&<div style='width: 900px'>wide</div>|"
breaks prints-the-bar "paper:on paper" "s|</style>|@media print { #filters { display: block !important; } }&|"
breaks loses-heads "paper:columns' names" "s|th button { display: contents; }||"
breaks leaves-empty-tables "filters:tables that are shown without a row" "s|table.closest('.wide').hidden = !words.hidden;||"
breaks leads-nowhere "address:where an address leads" "s|if (place) place.scrollIntoView();||"
breaks hides-without-scripts "without_scripts:hidden without scripts" "s|<main>|<main hidden>|"
look "$scratch/made" "${broken[@]}"
finish
