/* SPDX-License-Identifier: MIT */
/* Reads and writes parts of questions by their members: from words, to words, and number by number. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/family.h"

static const vp_value *leaf_of(const vp_value *is)
{
    while (is->part != NULL)
        is = is->part;
    return is;
}

static bool is_float(const vp_member *m)
{
    return m->is->choice != NULL || leaf_of(m->is) == &vp_is_bits;
}

/* How many numbers one item of a list, or the whole member, has. */
static size_t each_of(const vp_member *m)
{
    size_t each = 1;
    for (const vp_value *is = m->many != NULL ? m->is->part : m->is; is->part != NULL; is = is->part)
        each *= is->count;
    return each;
}

static size_t stride_of(const vp_member *m)
{
    return m->stride != 0 ? m->stride : each_of(m);
}

static uint32_t *word_at(void *part, size_t at)
{
    return (void *)((char *)part + at);
}

static void **list_of(const vp_member *m, void *part)
{
    return (void *)((char *)part + m->at);
}

/* How many numbers a member has, 0 if the part reads it itself. */
static size_t numbers_of(const vp_member *m, void *part)
{
    if (m->is->choice != NULL)
        return m->is->choice->numbers != NULL ? m->is->choice->numbers[*word_at(part, m->at)] : 0;
    if (!is_float(m) && leaf_of(m->is)->type != JSON_INTEGER)
        return 0;
    return (m->many != NULL ? *word_at(part, m->count) : 1) * each_of(m);
}

/* The numbers of a choice follow the index of its word. */
static void *place_of(const vp_member *m, void *part, size_t i)
{
    uint32_t *begin = m->many != NULL ? *list_of(m, part) : word_at(part, m->at);
    return m->is->choice != NULL ? begin + 1 + i : begin + i / each_of(m) * stride_of(m) + i % each_of(m);
}

/* ---- words ---- */

static vp_status fail_of(const vp_reader *r, const vp_part *of, void *part, vp_status status, const char *why)
{
    char text[120] = "";
    size_t at = 0;
    for (const vp_member *m = of->members; m->name != NULL && at < sizeof text; m++)
        if (m->many != NULL)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%u %s", at > 0 ? " and " : "", *word_at(part, m->count), m->many);
    return vp_fail(r->error, status, "%s %s%s", why, text, of->nor != NULL ? of->nor : "");
}

/* Reads the counts and allocates the lists. */
static vp_status read_counts(vp_reader *r, const vp_part *of, void *part)
{
    for (const vp_member *m = of->members; m->name != NULL; m++) {
        char what[60];
        int64_t count = (int64_t)m->is->count;
        if (m->many == NULL)
            continue;
        snprintf(what, sizeof what, "how many %s there are", m->many);
        if (count == 0 && vp_reader_whole(r, 0, m->most != 0 ? m->most : UINT32_MAX - 1, &count, what) != VP_OK)
            return VP_E_FORMAT;
        *word_at(part, m->count) = (uint32_t)count;
    }
    const size_t left = strlen(r->words->at);
    for (const vp_member *m = of->members; m->name != NULL; m++)
        if (m->many != NULL && *word_at(part, m->count) > left / m->letters)
            return fail_of(r, of, part, VP_E_FORMAT, "the line is too short for");
    for (const vp_member *m = of->members; m->name != NULL; m++)
        if (m->many != NULL && (*list_of(m, part) = calloc(*word_at(part, m->count) + (size_t)1, stride_of(m) * sizeof(uint32_t))) == NULL)
            return fail_of(r, of, part, VP_E_MEMORY, "no memory for");
    return VP_OK;
}

static vp_status read_choice(vp_reader *r, const vp_choice *choice, uint32_t *out)
{
    const char *word;
    size_t length, at = 0;
    char names[120] = "";
    vp_word_next(r->words, &word, &length);
    const int chosen = vp_choice_of(choice, word, length);
    *out = chosen < 0 ? 0 : (uint32_t)chosen;
    for (size_t i = 0; choice->names[i] != NULL && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i > 0 ? ", " : "", choice->names[i]);
    return chosen >= 0 ? VP_OK : vp_fail(r->error, VP_E_FORMAT, "'%.*s': must be one of %s", (int)(length < 40 ? length : 40), word, names);
}

static vp_status read_whole(vp_reader *r, const vp_member *m, void *part, uint32_t *out)
{
    const vp_value *leaf = leaf_of(m->is);
    const bool own = m->many == NULL && m->most != 0;
    const int64_t most = m->below != 0 ? (int64_t)*word_at(part, m->below) - 1 : own ? m->most : (int64_t)leaf->most;
    int64_t number = 0;
    const vp_status status = vp_reader_whole(r, own ? m->least : (int64_t)leaf->least, most, &number, m->what);
    *out = (uint32_t)number;
    return status;
}

vp_status vp_part_read(vp_reader *r, const vp_part *of, void *part)
{
    vp_status status = read_counts(r, of, part);
    for (const vp_member *m = of->members; status == VP_OK && m->name != NULL; m++) {
        if (m->is->choice != NULL)
            status = read_choice(r, m->is->choice, word_at(part, m->at));
        for (size_t i = 0; status == VP_OK && i < numbers_of(m, part); i++)
            status = is_float(m) ? vp_reader_floats(r, place_of(m, part, i), 1, m->what) : read_whole(r, m, part, place_of(m, part, i));
    }
    return status;
}

void vp_part_write(const vp_part *of, void *part, FILE *to)
{
    for (const vp_member *m = of->members; m->name != NULL; m++)
        if (vp_member_is_counted(m))
            fprintf(to, " %u", *word_at(part, m->count));
    for (const vp_member *m = of->members; m->name != NULL; m++) {
        if (m->is->choice != NULL)
            fprintf(to, " %s", m->is->choice->names[*word_at(part, m->at)]);
        for (size_t i = 0; i < numbers_of(m, part); i++) {
            const void *at = place_of(m, part, i);
            if (is_float(m))
                fprintf(to, " %s", vp_bits_of(*(const float *)at).text);
            else
                fprintf(to, " %" PRId64, leaf_of(m->is)->least < 0.0 ? (int64_t) * (const int32_t *)at : (int64_t) * (const uint32_t *)at);
        }
    }
}

/* ---- memory ---- */

bool vp_part_copy(const vp_part *of, void *from, void *to)
{
    memcpy(to, from, of->size);
    bool memory = of->copy == NULL || of->copy(to);
    for (const vp_member *m = of->members; m->name != NULL; m++) {
        if (m->many == NULL)
            continue;
        const size_t bytes = *word_at(from, m->count) * stride_of(m) * sizeof(uint32_t);
        *list_of(m, to) = malloc(bytes + sizeof(uint32_t));
        memory = memory && *list_of(m, to) != NULL;
        if (memory && bytes > 0)
            memcpy(*list_of(m, to), *list_of(m, from), bytes);
    }
    return memory;
}

void vp_part_drop(const vp_part *of, void *part)
{
    for (const vp_member *m = of->members; m->name != NULL; m++)
        if (m->many != NULL)
            free(*list_of(m, part));
    if (of->drop != NULL)
        of->drop(part);
}

float *vp_part_number(const vp_part *of, void *part, size_t i)
{
    for (const vp_member *m = of->members; m->name != NULL; m++) {
        const size_t count = is_float(m) ? numbers_of(m, part) : 0;
        if (i < count)
            return place_of(m, part, i);
        i -= count;
    }
    return NULL;
}

/* The member whose items are left out. */
static const vp_member *last_list(const vp_part *of)
{
    const vp_member *last = NULL;
    for (const vp_member *m = of->members; m->name != NULL; m++)
        last = m->many != NULL ? m : last;
    return last;
}

size_t vp_part_count(const vp_part *of, void *part)
{
    return *word_at(part, last_list(of)->count);
}

bool vp_part_leave_out(const vp_part *of, void *part, size_t from, size_t to)
{
    const vp_member *m = last_list(of);
    const size_t each = stride_of(m) * sizeof(uint32_t);
    uint32_t *count = word_at(part, m->count);
    char *list = *list_of(m, part);
    memmove(list + from * each, list + to * each, (*count - to) * each);
    *count -= (uint32_t)(to - from);
    return true;
}
