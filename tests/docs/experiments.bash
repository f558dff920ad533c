# SPDX-License-Identifier: MIT
# Functions for tests of bench/*-experiments. The committed file must be unaltered, and the page must be its output. Altered copies are
# found.
cd "$VOXPHYS_SOURCE" || exit 1
fail()
{
    echo "FAIL: $*" >&2
    exit 1
}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

begin() # NAME DOCUMENT...: bench/NAME-experiments and docs/kernels/DOCUMENT.md. The file is named after the first document
{
    name=$1
    pages=("${@:2}")
    pages=("${pages[@]/#/docs/kernels/}")
    pages=("${pages[@]/%/.md}")
    page=${pages[0]}
    file=results/experiments/$2.json
    mkdir -p "$copy/bench" "$copy/docs/kernels" "$copy/results/experiments"
    cp "bench/$name-experiments" bench/experiments.py "$copy/bench/"
    again
    "bench/$name-experiments" --check
    # The file is exactly as the program wrote it. Any changed byte is found.
    sed -i '2s/:/: /' "$copy/$file"
    found "a blank more in the file"
    sed -i 's/^\("machines\?":.*"date": "20\)../\119/' "$copy/$file"
    found "another date in the file"
    sed -i -z 's/,\n"seal": "[^\n]*"//' "$copy/$file"
    found "no seal"
    local commit
    for commit in $(jq -r '(.machines // [.machine])[].commit' "$file"); do
        if [[ $(git rev-parse --is-shallow-repository 2>/dev/null) == false ]]; then
            git cat-file -e "$commit^{commit}" || fail "$file is of $commit, which is no commit here"
        fi
    done
}

again() # checks the committed file and pages
{
    cp "${pages[@]}" "$copy/docs/kernels/"
    cp "$file" "$copy/results/experiments/"
}

found() # WHAT: the check of the altered copy fails
{
    local status=0 one altered=false
    for one in "${pages[@]}" "$file"; do
        cmp -s "$one" "$copy/$one" || altered=true
    done
    [[ $altered == true ]] || fail "$1: nothing was altered"
    "$copy/bench/$name-experiments" --check >"$copy/log" 2>&1 || status=$?
    [[ $status -eq 1 ]] || fail "$1: the check ends with $status, not 1: $(cat "$copy/log")"
    echo "found: $1"
    again
}
