# SPDX-License-Identifier: MIT
# For the scripts of this folder: what stands in a page of voxphys report.
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

expect_line() # FILE LINE: the file has exactly this line
{
    checks=$((checks + 1))
    grep -qxF -- "$2" "$1" || fail "$(basename "$1") lacks the line: $2"
}

expect_lines() # FILE NUMBER LINE: it has it so many times
{
    expect_equal "the number of lines $3 in $(basename "$1")" "$(grep -cxF -- "$3" "$1")" "$2"
}

expect_text() # FILE TEXT
{
    checks=$((checks + 1))
    grep -qF -- "$2" "$1" || fail "$(basename "$1") lacks: $2"
}

expect_no_text() # FILE PATTERN
{
    checks=$((checks + 1))
    ! grep -qE -- "$2" "$1" || fail "$(basename "$1") has $2: $(grep -oE -m 1 ".{0,40}$2.{0,40}" "$1")"
}

expect_count() # FILE PATTERN NUMBER
{
    expect_equal "the number of $2 in $(basename "$1")" "$(grep -oE -- "$2" "$1" | wc -l)" "$3"
}

expect_links() # HTML MARKDOWN: every relative link leads to a file
{
    local link
    while read -r link; do
        checks=$((checks + 1))
        [[ -e $(dirname "$1")/$link ]] || fail "the link $link leads nowhere"
    done < <(grep -oE 'href="[^"#]+"' "$1" | sed 's/href="//; s/"//'; grep -oE '\]\([^)]+\)' "$2" | sed 's/](//; s/)//')
}
