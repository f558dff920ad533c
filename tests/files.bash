# SPDX-License-Identifier: MIT
# Functions of scripts that check files.
failures=0
fail()
{
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# source_files: prints the files of the source, one per line, for scripts that run in its root. These are the files that git knows or would
# add, or without git all files that are not in a build folder.
source_files()
{
    local list
    list=$(git ls-files --cached --others --exclude-standard 2>/dev/null) ||
        list=$(find . -type f -not -path './build*' -not -path './.git/*' | sed 's|^\./||')
    while read -r file; do
        [[ ! -f $file ]] || echo "$file"
    done <<<"$list" | sort -u
}
