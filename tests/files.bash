# SPDX-License-Identifier: MIT
# source_files: the files of the source, one a line, for scripts that stand in its root: those that git knows or would add,
# or without git all that are not in a build folder.
source_files()
{
    local list
    list=$(git ls-files --cached --others --exclude-standard 2>/dev/null) ||
        list=$(find . -type f -not -path './build*' -not -path './.git/*' | sed 's|^\./||')
    while read -r file; do
        if [[ -f $file ]]; then
            echo "$file"
        fi
    done <<<"$list" | sort -u
}
