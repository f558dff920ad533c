# SPDX-License-Identifier: MIT
# For tests/compare-commits. Lines are "part, tab, name, tab, value". Prints the differences between the values before (stage 2) and after
# (stage 3), except the expected ones (stage 1). Exit code 1 if there is one.

function renamed(text, out, word)
{
    while (match(text, /[A-Za-z0-9_-]+/)) {
        word = substr(text, RSTART, RLENGTH)
        if (word in to) {
            used[line_of[word]] = 1
            word = to[word]
        }
        out = out substr(text, 1, RSTART - 1) word
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

# Whether there is a rule of this kind for NAME. All that fit are used. @return the largest percentage, 0 for other kinds, -1
# without a rule
function expected(kind, name, i, most)
{
    most = -1
    for (i = 1; i <= rules; i++)
        if (kind_of[i] == kind && (kind == "help" ? name == prefix[i] : index(name, prefix[i]) == 1)) {
            used[line_at[i]] = 1
            if (percent[i] > most)
                most = percent[i]
        }
    return most
}

# Reports a difference of the fact NAME. The first 20 of a part are printed, the others are counted by the beginning of their names.
function tell(part, name, text, head)
{
    text = "  " name ": " text
    if (++told[part] <= 20)
        shown[part] = shown[part] (length(text) > 200 ? substr(text, 1, 197) "..." : text) "\n"
    else {
        head = name
        sub(/\/.*/, "", head)
        if (!rest[part, head]++)
            heads[part] = heads[part] (heads[part] ? "/" : "") head
    }
}

# The parts in which two values differ, word by word if they have the same number of words.
function change(old, new, n, a, b, i, from, into)
{
    n = split(old, a, " ")
    if (n != split(new, b, " "))
        return old " -> " new
    for (i = 1; i <= n; i++)
        if (a[i] != b[i]) {
            from = from a[i] " "
            into = into " " b[i]
        }
    return from "->" into
}

function ok(part, kind, name)
{
    if (expected(kind, name) < 0)
        return 0
    fine[part]++
    return 1
}

function tell_lines(name, old, new, n, m, a, b, i, left, any)
{
    n = split(old, a, /\\n/)
    m = split(new, b, /\\n/)
    for (i = 1; i <= n; i++)
        left[a[i]]++
    for (i = 1; i <= m; i++)
        if (left[b[i]] > 0)
            left[b[i]]--
        else
            any = added[++added[0]] = b[i]
    for (i = n; i >= 1; i--) # of equal lines the last one was removed
        gone[i] = left[a[i]]-- > 0
    for (i = 1; i <= n; i++)
        if (gone[i]) {
            any = 1
            tell("help", name, "before: " a[i])
        }
    for (i = 1; i <= added[0]; i++)
        tell("help", name, "after:  " added[i])
    if (any == "")
        tell("help", name, "the same lines in another order")
    added[0] = 0
}

function compare_counts(name, old, new, more, allowed)
{
    match(old, /[^ ]*$/)
    old_count = substr(old, RSTART)
    old_rest = substr(old, 1, RSTART - 1)
    match(new, /[^ ]*$/)
    new_count = substr(new, RSTART)
    if (old_rest != substr(new, 1, RSTART - 1))
        tell("counts", name, change(old_rest, substr(new, 1, RSTART - 1)))
    if (old_count == new_count)
        return
    more = old_count == 0 ? 1e9 : (new_count / old_count - 1) * 100
    if (more * more <= 4)
        return
    allowed = expected("count", name)
    if (more * more <= allowed * allowed && allowed >= 0)
        fine["counts"]++
    else
        tell("counts", name, old_count " -> " new_count " instructions (" sprintf("%+.1f", more) " %)")
}

stage == 1 && /^[a-z]/ {
    n = split($0, word, " ")
    lines[++line_count] = FNR
    text[FNR] = $0
    if (word[1] == "rename") {
        to[word[2]] = word[3]
        line_of[word[2]] = FNR
        next
    }
    kind_of[++rules] = word[1]
    line_at[rules] = FNR
    prefix[rules] = substr($0, length(word[1]) + 2)
    percent[rules] = 0
    if (word[1] == "count") {
        percent[rules] = word[n] + 0
        sub(/ [^ ]*$/, "", prefix[rules])
    }
}

stage == 2 {
    name = renamed($2)
    key = $1 FS name
    if (key in before)
        tell($1, name, "twice before")
    before[key] = $1 == "help" ? renamed($3) : $3
    part_of[++count] = $1
    name_of[count] = name
    facts[$1]++
}

stage == 3 {
    key = $1 FS $2
    if (key in after)
        tell($1, $2, "twice after")
    after[key] = 1
    facts_after[$1]++
    if (!(key in before)) {
        if (!ok($1, "new", $2))
            tell($1, $2, "new")
    } else if (before[key] == $3)
        next
    else if ($1 == "help") {
        if (!ok("help", "help", $2))
            tell_lines($2, before[key], $3)
    } else if ($1 == "counts")
        compare_counts($2, before[key], $3)
    else
        tell($1, $2, change(before[key], $3))
}

END {
    for (i = 1; i <= count; i++)
        if (!((part_of[i] FS name_of[i]) in after) && !ok(part_of[i], "gone", name_of[i]))
            tell(part_of[i], name_of[i], "gone")
    for (n = split(parts, list, ","); ++k <= n;) {
        part = list[k]
        print part ": " facts[part] + 0 " facts before, " facts_after[part] + 0 " after: " (told[part] ? told[part] " difference" (told[part] == 1 ? "" : "s") : "equal") \
            (fine[part] ? "; " fine[part] " as expected" : "")
        if (told[part]) {
            bad = 1
            print substr(shown[part], 1, length(shown[part]) - 1)
        }
        m = split(heads[part], head, "/")
        for (i = 1; i <= m; i++)
            print "  and " rest[part, head[i]] " more of " head[i]
    }
    for (i = 1; i <= line_count && parts == all; i++)
        if (!(lines[i] in used)) {
            bad = 1
            print file ":" lines[i] ": expected, and not there: " text[lines[i]]
        }
    exit bad
}
