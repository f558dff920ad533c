#!/bin/bash
# SPDX-License-Identifier: MIT
# protocol.sh: `voxphys check` with adapters that break the protocol, hang, crash or print random text, and `voxphys adapter` with invalid
# questions.
# shellcheck disable=SC2016 # adapters' shells expand what is quoted here
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
unset VOXPHYS_ISA

# A corpus of one family, for tests that ask one family only.
mkdir small
cp "$VOXPHYS_SOURCE/conformance/corpus/overlap.json" small

# An adapter defined by its answer to each question, which is shell code that finds the question's number in $1 and its family in $2.
adapter() # CODE [FAMILY...]: sets asked, the option's value
{
    {
        echo 'while read -r line; do set -- $line'
        echo "if [ \"\$1\" = hello ]; then echo 'hello 1 test 0'; echo 'can ${*:2}'; continue; fi"
        echo "$1"
        echo 'done'
    } >adapter.sh
    asked="exec sh '$scratch/adapter.sh'"
}

one() # RESULT [REASON]: expected for the question overlap/water-both
{
    run check --corpus small --json --timeout 0.5 --vector overlap/water-both --adapter "$asked"
    case $1 in
    pass | refused) expect_status 0 ;;
    absent) expect_status 2 ;;
    *) expect_status 1 ;;
    esac
    expect_equal "the result" "$(jq -r '.vectors[0].results[0].result' <<<"$out")" "$1"
    [[ -z ${2-} ]] || expect_in "the reason" "$(jq -r '.vectors[0].results[0].reason' <<<"$out")" "$2"
}

ends() # STATUS ARGUMENT...: runs a check
{
    run check "${@:2}"
    expect_status "$1"
}

says() # RESULT CODE [REASON]
{
    adapter "$2" overlap
    one "$1" "${3-}"
}

says pass 'echo "$1 both"'
says pass 'printf "$1 both\r\n"'
adapter 'echo "$1 both"' hull3 overlap something-new
one pass
says fail 'echo "$1 water"' "'water'; right is {\"touch\":\"both\"}"
says fail 'echo "$1"' "the answer has no words"
says refused 'echo "$1 refused my boxes are rounded"' "refused: my boxes are rounded"
adapter 'echo "$1 both"' hull3
one absent
expect_in stderr "$err" "no question was asked: no program supports a chosen family"
says hang 'sleep 60' "no answer within 0.5 seconds"
says crash 'exit 3' "it ended with exit code 3"
says crash 'exec >&-; sleep 60' "it closed its output, and went on"
says pass 'sleep 60 & echo "$1 both"; exit 3'
says fail 'printf "$1 both\0 and more\n"' "the answer has a byte 0"
says fail 'echo "7 both"' "is not an answer to question 1"
says fail 'echo "debug: asked"; echo "$1 both"' "'debug: asked' is not an answer to question 1"
adapter 'yes x | tr -d "\n" | head -c 80000000; echo' overlap
run check --corpus small --json --timeout 30 --vector overlap/water-both --adapter "$asked"
expect_json "an answer without end" '.vectors[0].results[0] | .result == "fail" and (.reason | contains("more than 67108864 bytes"))'
says pass 'echo "$1 both"; echo "from within" >&2'
expect_empty stderr "$err"
ends 0 --corpus small --errors --vector overlap/water-both --adapter "$asked"
expect_equal stderr "$err" "from within"

# After a crash, a hang or a wrong number, the next question is asked as usual.
adapter 'case $1 in 2) exit 1 ;; 3) sleep 60 ;; 4) echo "99 none" ;; *) echo "$1 refused" ;; esac' overlap
ends 1 --corpus small --json --timeout 0.5 --family overlap --adapter "$asked"
expect_json "one of each" '.adapters[0].starts == 4 and ([.vectors[].results[0].result] | .[0:5] == ["refused", "crash", "hang", "fail", "refused"])
    and ([.vectors[].results[0].result] | group_by(.) | map({(.[0]): length}) | add | .crash == 1 and .hang == 1 and .fail == 1)'
wrong_alone() # QUESTIONS CODE [OPTION...]: expects these questions in the report, without refusals
{
    adapter "$2" overlap
    ends 1 --corpus small --json --family overlap "${@:3}" --adapter "$asked"
    expect_json "those alone" '[.vectors[].results[0].result] | to_entries | map(select(.value != "refused" and .value != "pass") | .key + 1) == '"[$1]"
}

# A partial line, finished later or never, does not become part of the next answer.
wrong_alone "2, 5" 'printf "$1 refused\n"; case $1 in 2) printf "$1 re"; sleep 0.02; echo fused ;; 5) printf "99" ;; esac'
# Text printed instead of an answer is reported with its question. So is text that a restarted program prints.
wrong_alone "3, 7" 'case $1 in 3) echo "$(($1 - 1)) refused" ;; 7) echo "debug: asked"; echo "$1 refused" ;; *) echo "$1 refused" ;; esac'
expect_json "the reasons" "[.vectors[2, 6].results[0].reason] == [\"'2 refused' is not an answer to question 3\", \"'debug: asked' is not an answer to question 7\"]"
# If an adapter does not start again, the remaining questions count as crashed or hung, and the next program is still asked.
again() # CODE: runs when the adapter is started a second time
{
    rm -f started
    adapter 'case $1 in 3) exit 1 ;; *) echo "$1 refused" ;; esac' overlap
    asked="if test -e '$scratch/started'; then $1; fi; : >'$scratch/started'; $asked"
    ends 1 --corpus small --json --timeout 0.1 --family overlap --html again.html --adapter "voxphys adapter" --adapter "$asked" --adapter "voxphys adapter --isa scalar"
    expect_json "the others" '([.vectors[].results | .[0, 2].result] | unique == ["pass"]) and ([.vectors[].results[1].result] | .[0:3] == ["refused", "refused", "crash"])'
    expect_json "it was not started over and over" '.adapters[1].starts == 2'
    expect_in "the page" "$(cat again.html)" "it does not start again"
}
again 'exit 3'
expect_json "the rest" '[.vectors[3:][].results[1] | .result == "crash" and (.reason | test("it does not start again: .* ended with exit code 3"))] | all'
# An adapter without a greeting is reported, and the others are asked.
ends 2 --corpus small --json --timeout 0.1 --family overlap --html named.html --adapter false --adapter "voxphys adapter" --adapter "sleep 60"
expect_in stderr "$err" "'false' does not greet: it ended with exit code 1"
expect_in stderr "$err" "'sleep 60' does not greet within 2 seconds (a program has to flush its output after every line)"
expect_json "the other" '(.adapters | length) == 1 and ([.vectors[].results[].result] | unique == ["pass"])'
expect_in "the page" "$(cat named.html)" "<td class=\"pass\">pass</td>"
# An unknown family.
adapter 'echo "$1 none"' ray_triangle "$(printf 'hull\0012')"
ends 2 --family ray-triangle --adapter "$asked"
expect_in stderr "$err" "test supports 'ray_triangle', 'hull\x012': unknown to the corpus, whose families are dilation, overlap, grid-walk, ray-triangle"
expect_in stderr "$err" "no question was asked"
ends 0 --corpus small --family overlap --adapter "$asked" --adapter "voxphys adapter"
expect_in stderr "$err" "'ray_triangle'"

# A wrong answer is reported with the cell, both values and the number of differences. For sets, the missing and the wrong items are listed,
# and for lists, both lengths. Text, JSON and page use the same words.
where() # VECTOR ANSWER REASON
{
    adapter "echo \"\$1 $2\"" "${1%/*}"
    run check --vector "$1" --adapter "$asked" --json --html where.html
    expect_status 1
    expect_equal "the reason for $1" "$(jq -r '.vectors[0].results[0].reason' <<<"$out")" "$3"
    expect_equal "the whole answer" "$(jq -r '.vectors[0].results[0].answer' <<<"$out")" "$2"
    expect_in "the page" "$(<where.html)" "<small>$3</small>"
    run check --vector "$1" --adapter "$asked"
    expect_in stdout "$out" $'\n'"          $3"$'\n'
    expect_equal "the end" "$(tail -n 2 <<<"$out")" "To make a question smaller that fails:
  voxphys reduce $1 -o small.json --adapter '${asked//\'/\'\\\'\'}'"
}
zeros=$(printf '0%.0s' {1..162}) # 6 digits per cell, 3 x 3 x 3 cells
where regions/empty-bottom "${zeros:0:108}000001${zeros:0:18}00000a${zeros:0:24}" "regions: cell 18, (0, 2, 0), is 000001; right is 000000; 2 of 27 cells differ"
where regions/empty-bottom "${zeros:0:60}" "regions has 60 letters; right are 162, 6 for each of 27 cells"
none=$(printf '0%.0s' {1..512}) # 8 x 8 x 8 empty cells
where dilation/empty "$none ${none:0:9}1${none:0:502}" "water: cell 9, (1, 0, 1), is 1; right is 0; 1 of 512 cells differ"
where dilation/empty "$none" "the answer ends where water should be"
where faces/empty "faces 2 1 2 3 0 255 1 2 3 0 255" "2 answered, 0 expected; 2 wrong, the first is 1 2 3 0 255; 1 there more than once"
# Control characters, which a terminal would obey, and invalid UTF-8.
adapter 'printf "$1 \033[2J\377\302\233\007\n"' overlap
ends 1 --corpus small --vector overlap/water-both --html bytes.html --adapter "$asked"
expect_in stdout "$out" "'\x1b[2J\xff\xc2\x9b\x07'; right is"
checks=$((checks + 1))
python3 -c 'import sys; assert "[2J\ufffd" in open(sys.argv[1], encoding="utf-8").read()' bytes.html || fail "the page is not UTF-8, or not what was said"
ends 2 --corpus small --vector overlap/water-both --adapter "printf 'hello \033[2J\n'; cat"
expect_in stderr "$err" "says 'hello \x1b[2J' where"
# A page with two programs as columns.
adapter 'echo "$1 both"' overlap
ends 0 --family hull2 --html page.html --adapter "voxphys adapter --isa scalar" --adapter "$asked"
expect_in "the page" "$(cat page.html)" "<td class=\"pass\">pass</td><td class=\"absent\"></td>"
expect_in "the page" "$(cat page.html)" "https://github.com/PointCloudLibrary/pcl/issues/6161"

# ---- programs that are no adapters ----

no_adapter() # COMMAND TEXT
{
    refused "$2" check --corpus small --timeout 0.2 --family overlap --adapter "$1"
}
no_adapter "/nowhere/at/all" "'/nowhere/at/all' does not greet: it ended with exit code 127"
no_adapter "sleep 60" "does not greet within 2 seconds"
no_adapter "echo 'hello 2 me 1'; echo 'can overlap'; cat" "says 'hello 2 me 1' where 'hello 1 NAME VERSION' and 'can FAMILY...' should be"
no_adapter "echo 'hello 1 me 1'; echo 'cannot'; cat" "says 'cannot' where"
no_adapter "yes | tr -d '\n'" "says more than 65536 bytes without an end of line where 'hello 1 NAME VERSION' and"

# ---- command lines ----

refused "option '--adapter' is missing" check
refused "--same needs two '--adapter' or more" check --same --adapter "voxphys adapter"
refused "the name of the file to write is empty" check --html "" --adapter "voxphys adapter"
refused "--family 'hull4': must be one of these:" check --adapter true --family hull4
expect_equal "the families" "$(sed -n 's/^  //p' <<<"$err" | sort)" "$(basename -as .json "$VOXPHYS_SOURCE"/conformance/corpus/*.json | grep -vx schema | sort)"
refused "the corpus has no vector 'hull3/nothing'" check --adapter true --vector hull3/nothing
refused "the corpus has no vector 'hull3/cube'" check --adapter true --family hull2 --vector hull3/cube
refused "--timeout '0' is not above 0" check --adapter true --timeout 0
refused "/nowhere has no file of a family" check --adapter true --corpus /nowhere
refused "/nowhere/page.html" check --adapter "touch '$scratch/begun'" --html /nowhere/page.html
expect_equal "what was started before the page could not be written" "$(ls begun 2>/dev/null)" ""

# An invalid corpus.
corpus() # FILTER: of overlap.json
{
    rm -rf corpus && mkdir corpus
    jq -c "$1" "$VOXPHYS_SOURCE/conformance/corpus/overlap.json" >corpus/overlap.json
    run check --corpus corpus --adapter "voxphys adapter"
}
unsound() # FILTER TEXT
{
    corpus "$1"
    expect_status 2
    expect_in stderr "$err" "$2"
}
corpus .
expect_status 0
missing=$(basename -s .json "$VOXPHYS_SOURCE"/conformance/corpus/*.json | grep -vxE 'overlap|schema')
expect_equal "the families that are missing" "$(grep -oP '[a-z0-9-]+(?=\.json)' <<<"$err" | sort)" "$(sort <<<"$missing")"
expect_in stderr "$err" "voxphys check: the corpus has no dilation.json, no grid-walk.json"
expect_in stderr "$err" ".json: missing parts are skipped"
unsound '.schema = 2' "overlap.json: \"schema\" is not 1, the one that is known here: it is 2"
unsound '.flags.edge = 7' "overlap.json: \"flags\" is invalid: it is {"
unsound '.vectors[1].cites = ["a/b#1", "c/d"]' "\"cites\" is invalid: [1] is \"c/d\""
unsound '.vectors[0].expected = {"touch": "perhaps"}' "\"touch\" is invalid: it is \"perhaps\""
unsound '.family = "hull2"' "\"family\" is not \"overlap\": it is \"hull2\""
unsound '.vectors[1].promise = "perhaps"' "\"promise\" is \"perhaps\": must be one of exact, set, tie, bound, property"
unsound 'del(.vectors[0].input.max)' "lacks a member, or has one that is not of numbers and words: \"input\": \"max\" is missing"
unsound '.vectors[0].input.extents = [100000, 1, 1]' "'100000', is not an extent"
unsound '.vectors[0].expected = {"t": ["00000000", "00000000"]}' "overlap.json: vector 0: overlap/x-40c00000: \"expected\": \"t\" is not a member of this"
unsound '.vectors[3].id = .vectors[2].id' "overlap.json: \"overlap/x-41300000\" is there twice"
unsound '.vectors[0].flags = ["never"]' "the flag \"never\" is not explained"
# The rules that no schema can express, for each family: FAMILY; which vector; its change.
while IFS=';' read -r family vector change; do
    rm -rf corpus && mkdir corpus
    jq -c "first(.vectors[] | select($vector)) |= ($change)" "$VOXPHYS_SOURCE/conformance/corpus/$family.json" >corpus/"$family".json
    refused "/$family.json: vector " check --corpus corpus --adapter "voxphys adapter" </dev/null
done <<'END'
dilation; true; .expected.solid = "0"
grid-walk; .expected[0].t; .expected[0].t = ["3f800000", "3f7fffff"]
ray-mesh; true; .input.triangles[0] = [0, 1, 9999]
ray-triangle; .promise == "tie"; .expected |= [.[0]]
aabb-gather; true; .expected.triangles = [.input.triangles | length]
mesher; true; .input.full |= .[2:]
hull2; .expected.corners; .expected.corners = [.input.points | length]
hull3; .expected.checker; .promise = "exact"
scene-query; .expected.touched?; .expected.touched = [999]
automaton-step; true; .input.steps = 65537
faces; true; .input.first = [33554432, 0, 0]
boxes; .expected.boxes[0]; .expected.boxes[0][4] = 4096
decompose; .expected.checker; .input.allowed = "00000000"
regions; true; .expected.regions += "000000"
buoyancy; .expected.volume; .expected.volume |= reverse
manifold; .expected.contacts[0]?; .expected.contacts[0].distance |= reverse
shape-shape; .expected.distance; .expected.distance |= reverse
cast; true; .input.other_shape = ["none", "3f800000"]
END
rm -rf corpus && mkdir corpus
echo '{' >corpus/overlap.json
refused "overlap.json: line 2" check --corpus corpus --adapter "voxphys adapter"

# ---- voxphys adapter ----

talk() # LINE TEXT: the answer to question 5
{
    out=$(printf '%s\n' "$1" | voxphys adapter 2>"$scratch/err")
    status=$?
    shown="voxphys adapter, asked '$1'"
    expect_status 0
    expect_equal "the answer" "$out" "$2"
}
talk "5 hull2 3 00000000 00000000 3f800000 00000000 00000000 3f800000" "5 hull 3 0 1 2"
talk "5" "5 refused a question has no family"
talk "5 hull4 1" "5 refused 'hull4' is not a family"
talk "5 hull2 300 00000000" "5 refused the line is too short for 300 points and 0 triangles"
talk "5 hull2 1 00000000 0000000g" "5 refused word 3, '0000000g', is not the bits of a coordinate"
talk "5 hull2 0" "5 refused there are no points"
talk "5 ray-mesh 1 1 00000000 00000000 00000000 0 0 1 00000000 00000000 00000000 3f800000 00000000 00000000 7f800000" "5 refused word 8, '1', is not a vertex's number"
talk "5 dilation 1 1 1 #" "5 1 0"
talk "5 dilation 60000 60000 60000 #" "5 refused a grid of 60000 x 60000 x 60000 has more than 4194304 cells"
talk "5 overlap 1 1 1 # 00000000 00000000 00000000 00000000 00000000 00000000" "5 refused a world of 1 x 1 x 1 is not made of whole chunks"
talk "" ""
refused nothing adapter --isa nothing
refused extra adapter extra
finish
