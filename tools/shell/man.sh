#!/bin/sh
# SPDX-License-Identifier: MIT
# man.sh VOXPHYS OUT: writes a manual page for the command and for each of its commands to OUT, from what --help prints.
set -eu
export LC_ALL=C NO_COLOR=1
mkdir -p "$2"
page() # WORD...: writes the page of a command, and those of its commands
{
    name=voxphys
    for word in "$@"; do
        name=$name-$word
    done
    "$voxphys" "$@" --help | awk -v name="$name" '
        function text(line) {
            gsub(/\\/, "\\e", line)
            gsub(/-/, "\\-", line)
            return line ~ /^[.\x27]/ ? "\\&" line : line
        }
        NR == 1 { usage = substr($0, 8); next }
        NR == 2 { next }
        NR == 3 {
            about = $0
            sub(/\. .*|\.$/, "", about)
            printf ".TH %s 1 \"\" voxphys\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n.SH DESCRIPTION\n", toupper(name), text(name), text(about), text(usage)
        }
        /^[A-Z][A-Za-z ]*:$/ { section = 1; gap = 0; printf ".SH %s\n", toupper(substr($0, 1, length($0) - 1)); next }
        section && match($0, /^  [-a-z][^ ]*( --help)?( [A-Z][^ ]*)*  */) { # an option or a command, and its text
            left = substr($0, 3, RLENGTH - 2)
            sub(/ +$/, "", left)
            gap = 0; printf ".TP\n.B %s\n", text(left)
            print text(substr($0, RLENGTH + 1))
            next
        }
        /^Example: / { gap = 0; printf ".SH EXAMPLE\n%s\n", text(substr($0, 10)); next }
        /^   +/ { sub(/^ +/, "") }
        /^  / { printf ".br\n" }
        $0 == "" { gap = 1; next }
        { print (gap ? ".PP\n" : "") text($0); gap = 0 }' >"$out/$name.1"
    "$voxphys" "$@" --help=words | cut -f 1 | while read -r word; do
        case $word in
        -*) ;;
        *) (page "$@" "$word") ;;
        esac
    done
}
voxphys=$1
out=$2
page
