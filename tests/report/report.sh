#!/bin/bash
# SPDX-License-Identifier: MIT
# The report of made-up results, whose figures can be calculated by hand: cells, exit codes, escaped texts of files, and damaged files.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
python=/usr/bin/python3 # Debian's own, which has Jinja2
[[ -x $python ]] || python=python3
if ! "$python" -c 'import jinja2' 2>/dev/null; then
    echo "skipped: there is no Jinja2 here"
    exit 77
fi
made=$scratch/made-up-2cpu
"$python" "$VOXPHYS_SOURCE/tests/results/folder.py" "$VOXPHYS_SOURCE" "$made" || exit 1
run results make "$made"
expect_status 0
rm "$made"/{verify,bench,bench-clang}.json # the pages are made from results.json

folder=$scratch/results
page=$folder/report.html
readme=$folder/README.md
prepare() # JQ_FILTER: the results, altered
{
    rm -rf "$folder"
    mkdir -p "$folder"
    cp -r "$made" "$folder/"
    jq "$1" "$made/results.json" >"$folder/made-up-2cpu/results.json" || exit 1
}
report() # STATUS JQ_FILTER [ARGUMENT...]: reports the altered results, sets out and err
{
    prepare "$2"
    run_as "report of results altered by $2" voxphys report "$folder" "${@:3}"
    expect_status "$1"
}
subject=(report)
cells() # HEADING WORD: the cells of rows that contain the word, under a heading, separated by bars
{
    "$python" - "$page" "$1" "$2" <<'END'
import html, re, sys
text = re.sub('<span class="axis">.*?</span>', "", open(sys.argv[1], encoding="utf-8").read())
text = re.split(rf'<h[23][^>]*>{sys.argv[2]}</h[23]>|id="{sys.argv[2]}"', text)[1]
for row in re.findall(r"<tr[^>]*>(.*?)</tr>", re.split("<h[23]", text)[0], re.S):
    cells = [html.unescape(re.sub("<.*?>", "", c)).strip() for c in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)]
    if sys.argv[3] in cells:
        print("|".join(cells))
END
}

# ---- cells, of round times ----
# shellcheck disable=SC2016 # variables of jq
round='def of($name; $ns): (.rows[] | select(.file == "bench.json" and .name == $name)) |= (.median_ns = $ns | .mad_ns = 0.04);
    of("dilate_world/scalar/terrain-l2"; 1100) | of("dilate_world/scalar-autovec/terrain-l2"; 900) | of("dilate_world/avx2/terrain-l2"; 20)
    | of("dilate_world/peer-leptonica/terrain-l2"; 400) | of("kd_ray/scalar/chunks/coherent"; 200) | of("kd_ray/avx2/chunks/coherent"; 400)
    | of("stream_read/limit/terrain-l2"; 4) | of("noise/first/terrain-l2"; 1000) | of("noise/second/terrain-l2"; 1250)
    | (.rows[] | .baselines.scalar_ns | numbers) = 1100 | (.rows[] | select(.file == "bench-clang.json")).median_ns = 1000'
report 0 "$round"
expect_equal "in short" "$(cells "In short" dilate_world)" "the broadphase of a whole world|dilate_world|avx2|1.22×|55.0×|45.0×|20.0×|20.0×"
expect_equal "the head of the matrix" "$(cells matrix component)" "component|autovec|avx2|over library"
expect_equal "the matrix" "$(cells matrix dilate_world)" "dilate_world|1.22×|55.0×|20.0×"
expect_equal "a loss" "$(cells matrix kd_ray)" "kd_ray|-|0.50×|-"
expect_equal "a component" "$(cells matrix "Broadphase")" "Broadphase|1.22×|55.0×|20.0×"
expect_equal "the bar of a loss" "$(grep '<tr class="kernel" id="kd_ray">' "$page" | grep -c '<td class="n loss m0">.*<svg class="bar loss".*<rect x="20" y="1" width="10"')" 1
expect_equal "a target that is met" "$(cells Targets "world build in the L2 cache, AVX2")" "world build in the L2 cache, AVX2|25.0× the faster scalar|50.0×|met|avx2|terrain-l2"
expect_equal "a target that was not measured" "$(cells Targets "world build in DRAM")" "world build in DRAM|0.60 of the read stream|-|not measured|avx2|"
expect_equal "a row" "$(cells "Every row" dilate_world/avx2/terrain-l2)" "dilate_world/avx2/terrain-l2|20.0 ± 0.04|chunks|18|55.0×|20.0×|gcc 12.2.0|"
expect_equal "a library that gave up" "$(cells "Every row" hull3/peer-qhull/cylinder/10000)" "hull3/peer-qhull/cylinder/10000|-||0|-|-||qhull takes more than 10 s"
expect_equal "rows" "$(grep -c '<tr class="m0" id="made-up-2cpu/[a-z0-9_]*/' "$page")" 14
expect_equal "hulls that are right" "$(cells "Hulls, right and wrong" voxphys | sed -n 1p)" "voxphys|1|0|0.0e+00|0|0"
expect_equal "hulls that are not" "$(cells "Hulls, right and wrong" peer-bullet | sed -n 1p)" "peer-bullet|1|1 otherwise wrong|0.0e+00|0|0"
expect_equal "answers" "$(cells Conformance "hull2/made0made up")" "hull2/made0made up|exact|pass|fail"
expect_equal "the machine" "$(cells "The machine" governor)" "governor|unknown"
expect_in "the page" "$(cat "$page")" "1 thing measured twice differs by 25.0 % in the middle"
expect_in "the page" "$(cat "$page")" "9 checks, 4608 answers compared bit for bit"
expect_in "README.md" "$(cat "$readme")" "| the broadphase of a whole world | dilate_world | avx2 | 1.22× | 55.0× | 45.0× | 20.0× | 20.0× |"
expect_in "README.md" "$(cat "$readme")" "voxphys-scalar 2 of 2, peer-bullet 0 of 1."
expect_in "README.md" "$(cat "$readme")" "[results.json](made-up-2cpu/results.json)"
# Within noise: 25 x 1.25 is 31.3.
report 0 "$round"' | of("dilate_world/avx2/terrain-l2"; 1000 / 24)'
expect_equal "a target that is missed within noise" "$(cells Targets "world build in the L2 cache, AVX2" | cut -d '|' -f 3,4)" "24.0×|missed, within noise"
report 0 "$round"' | of("dilate_world/avx2/terrain-l2"; 1000 / 18)'
expect_equal "one that is missed" "$(cells Targets "world build in the L2 cache, AVX2" | cut -d '|' -f 3,4)" "18.0×|missed"
# A library with wrong answers is not the fastest correct one, and a target that names it reports this.
by_library='of("dilate_world/peer-leptonica/terrain-l2"; 5000) | (.rows[] | select(.name == "dilate_world/peer-leptonica/terrain-l2")) |= (.name |= sub("dilate_world"; "hull3") | .kernel = "hull3")
    | (.rows[] | select(.file == "bench.json" and .name == "dilate_world/avx2/terrain-l2")) |= (.name |= sub("dilate_world"; "hull3") | .kernel = "hull3")
    | (.rows[] | select(.kernel == "hull3" and .dataset == "terrain-l2")) |= (.name |= sub("terrain-l2"; "ball/100000") | .name |= sub("leptonica"; "qhull"))'
report 0 "$round"' | (.rows[] | select(.via == "peer" and .median_ns != null)).counters.faulty = 1'
expect_equal "of a library with wrong answers" "$(cells "In short" dilate_world | cut -d '|' -f 7,8)" "-|20.0×"
expect_equal "its row" "$(cells "Every row" dilate_world/avx2/terrain-l2 | cut -d '|' -f 6)" "-"
report 0 "$round | $by_library"' | (.rows[] | select(.via == "peer" and .median_ns != null)).counters.faults = 1'
expect_equal "of one with wrong answers" "$(cells Targets "hull of a ball of 100,000" | cut -d '|' -f 3-6)" "250×|met|avx2|ball/100000, where the library's answer is wrong"
expect_in "README.md" "$(cat "$readme")" "hull of a ball of 100,000 250× (15.0× the fastest peer-qhull, whose answer is wrong)"
# A kernel that has only a reference.
report 0 "$round"' | (.rows[] | select(.kernel == "kd_ray")) |= (.name |= sub("kd_ray"; "collide_gjk") | .kernel = "collide_gjk") | .rows |= map(select(.name | test("collide_gjk/avx2") | not))
    | .verified.kernels.collide_gjk = {checks_of: {scalar: 2, "scalar-autovec": 2}}'
expect_equal "a kernel" "$(cells matrix collide_gjk)" "collide_gjk|verified|reference only|-"
# A kernel without a description is not lost.
report 0 '(.rows[0] | .kernel, .name) |= sub("dilate_world"; "weave")'
expect_in "the page" "$(cat "$page")" "<summary>Other: 1 rows</summary>"

# ---- output folder, exit codes, foreign files ----
report 0 . --out "$scratch/elsewhere"
expect_in "a link" "$(cat "$scratch/elsewhere/README.md")" "(../results/made-up-2cpu/results.json)"
report 1 '.verified.disagreements = 2'
expect_in stderr "$err" "made-up-2cpu: 2 checks disagree, 0 benchmarks were refused"
report 1 '.rows[0] |= (.error = "answers differ" | .median_ns = null | .mad_ns = null)'
expect_in stderr "$err" "0 checks disagree, 1 benchmarks were refused"
expect_equal "a refused row" "$(cells "Every row" dilate_world/scalar/terrain-l2 | sed -n 1p | cut -d '|' -f 2,8)" "-|answers differ"
report 0 .
run report "$folder" # again
expect_status 0
echo "mine" >"$readme"
refused "README.md: voxphys report did not make this file, and does not replace it" "$folder"
expect_equal "what was there" "$(cat "$readme")" mine
rm "$readme"
if command -v zstd >/dev/null; then
    zstd --quiet --rm "$folder/made-up-2cpu"/*.json
    cp "$page" "$scratch/plain.html"
    run report "$folder"
    expect_status 0
    expect_equal "of compressed files" "$(sed 's/\.json\.zst/.json/g' "$page" | cksum)" "$(cksum <"$scratch/plain.html")"
    printf 'half' >"$folder/made-up-2cpu/hulls.json.zst"
    refused "hulls.json.zst cannot be unpacked" "$folder"
fi

# ---- hostile texts: in names, remarks, reasons, the machine, the folder ----
evil='</td><script>alert(1)</script><img src=x onerror=alert(2)>|`*[a](javascript:b)_c_&lt;\u001b[2J'
prepare "(.rows[] | .note) = \"$evil\" | .rows[0].error = \"$evil\" | .rows[1].name = \"dilate_world/scalar-$evil\" | .rows[0].compiler = \"$evil\" | .rows[0].warnings = [\"$evil\"]
    | .machine.cpu.model = \"$evil\" | .machine.date = \"$evil\" | .machine.tools.gcc = \"$evil\" | .machine.voxphys.commit = \"$evil\" | .official = false | .unofficial_because = [\"$evil\"] | .warnings = [\"$evil\"]"
mv "$folder/made-up-2cpu" "$folder/a<b>\"c'&\`|d"
strange="$folder/a<b>\"c'&\`|d"
jq "(.trials[] | .who, .family) |= \"$evil\"" "$made/hulls.json" >"$strange/hulls.json"
jq "(.adapters[] | .name, .version) |= \"$evil\" | (.vectors[] | .about) = \"$evil\" | .vectors[0].cites = [\"a/b#1\", \"javascript:alert(3)#$evil\"]
    | (.vectors[].results[]).reason = \"$evil\" | (.vectors[].results[]).result = \"fail\"" "$made/conformance.json" >"$strange/conformance.json"
jq "(.results[] | .command) = \"$evil\" | .pipeline = \"$evil\"" "$made/pipeline.json" >"$strange/pipeline.json"
printf '</pre><script>alert(4)</script>\xff\x1b' >"$strange/notes.md"
run report "$folder"
expect_status 1
checks=$((checks + 1))
"$python" - "$page" "$readme" <<'END' || fail "something from a file is not escaped"
import html.parser, sys
class Page(html.parser.HTMLParser):
    tags, scripts, text = {}, 0, ""
    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, value in attributes:
            assert not name.startswith("on") and not (value or "").startswith("javascript:"), (tag, name, value)
    def handle_data(self, data):
        self.text += data
page = Page()
text = open(sys.argv[1], encoding="utf-8").read()
page.feed(text)
page.close()
assert page.tags["script"] == 1 and "img" not in page.tags, page.tags
assert "<script>alert(1)</script>" in page.text and "</pre><script>alert(4)" in page.text
readme = open(sys.argv[2], encoding="utf-8").read()
for bad in ("<script", "<img", "[a](javascript", "\x1b"):
    assert bad not in readme, bad
assert not any(ord(c) < 32 and c != "\n" for c in text + readme)
END

# ---- damaged and other files ----
damaged() # FILE CONTENT MESSAGE
{
    prepare .
    printf '%s' "$2" >"$folder/made-up-2cpu/$1"
    refused "$3" "$folder"
    expect_equal "lines of the message" "$(wc -l <<<"$err")" 1
    checks=$((checks + 1))
    [[ ! -e $page && ! -e $readme ]] || fail "a page was written"
}
damaged results.json '{' "results.json: not JSON"
damaged results.json '{"format": "other"}' "not of the form of voxphys results"
damaged results.json '{"x": NaN}' "NaN is no number"
damaged hulls.json '{"trials": [{"who": 1}]}' "not of the form"
damaged conformance.json '{"adapters": 3}' "not of the form"
damaged pipeline.json '{"results": [{}], "pipeline": 1}' "not of the form"
for filter in '.rows = 5' '.rows[0].counters = null' 'del(.machine)' '.verified = null' '.rows[0].median_ns = 0'; do
    prepare "$filter"
    run report "$folder"
    checks=$((checks + 1))
    [[ $status -eq 2 || ($status -eq 0 && -z $err) ]] || fail "of $filter it ends with $status: $err"
    [[ $err != *Traceback* ]] || fail "it breaks: $err"
done
prepare .
ln -s /etc/hostname "$folder/made-up-2cpu/notes.md"
refused "notes.md is a symbolic link" "$folder"
rm "$folder/made-up-2cpu/notes.md"
mkfifo "$folder/made-up-2cpu/notes.md"
refused "notes.md is no regular file" "$folder"
mkdir "$scratch/empty"
refused "no folder here holds a results.json" "$scratch/empty"
refused "nowhere: No such file" "$scratch/nowhere"

# ---- without Python, or without Jinja2 ----
cat >"$scratch/no-jinja.py" <<'END'
import runpy, sys
sys.modules["jinja2"] = None
sys.path.insert(0, sys.argv[1])
sys.argv = ["report.py", "ready"]
runpy.run_path(sys.path[0] + "/report.py", run_name="__main__")
END
run_as "without Jinja2" "$python" -B "$scratch/no-jinja.py" "$VOXPHYS_SOURCE/report"
expect_status 2
expect_in stderr "$err" "Python lacks Jinja2 (Debian's package python3-jinja2)"

# ---- committed report ----
shown="the committed results"
rm -rf "$folder"
mkdir "$folder"
cp -r "$VOXPHYS_SOURCE"/results/*/ "$folder/"
run report "$folder"
expect_status 0
rows=$(for file in "$folder"/*/results.json.zst; do zstd -dcq "$file" | jq '.rows | length'; done | paste -sd + | bc)
expect_equal "rows" "$(grep -c '<tr class="m[0-9]*" id="[^"]*/' "$page")" "$rows"
checks=$((checks + 1))
[[ $(stat -c %s "$page") -lt $((250000 + 500 * rows)) ]] || fail "it weighs $(stat -c %s "$page") bytes"
finish
