/* SPDX-License-Identifier: MIT */
/* Answers that many families have: words of a grid's cells, and sets. */
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

/* ---- words: one a member that is expected ---- */

static bool has_letters(const vp_question *q, size_t length)
{
    return q->family->letters == 0 || length == q->family->letters * vp_grid_cells(q->part[0]);
}

bool vp_words_read(const vp_question *q, vp_words *words, vp_answer *out)
{
    size_t length[2] = {0};
    for (size_t m = 0; q->family->expected[m].name != NULL; m++)
        if (!vp_word_next(words, &out->word[m], &length[m]) || !has_letters(q, length[m]))
            return false;
    out->length = length[0];
    return true;
}

vp_status vp_words_judge(const vp_judging *j, bool *right)
{
    const vp_member *expected = j->q->family->expected;
    *right = true;
    for (size_t m = 0; expected[m].name != NULL; m++)
        *right = *right &&
                 vp_word_is(j->answer->word[m], j->answer->length, json_string_value(json_object_get(j->alternative, expected[m].name)));
    return VP_OK;
}

json_t *vp_words_expect(const vp_question *q, const vp_answer *right)
{
    json_t *out = json_object();
    for (size_t m = 0; q->family->expected[m].name != NULL; m++)
        json_object_set_new(out, q->family->expected[m].name, json_stringn_nocheck(right->word[m], right->length));
    return out;
}

vp_status vp_words_sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    for (const vp_member *m = q->family->expected; m->name != NULL; m++)
        if (!has_letters(q, json_string_length(json_object_get(alternative, m->name))))
            return vp_expected_wrong(alternative, m->name, error);
    return VP_OK;
}

/* ---- sets: of numbers, pairs, rows of numbers ---- */

uint64_t vp_set_key(const uint32_t *number, uint32_t each)
{
    uint64_t key = 0;
    if (each == 2 && number[0] > number[1])
        return vp_set_key((const uint32_t[2]){number[1], number[0]}, each);
    for (uint32_t i = 0; i < each; i++)
        key = (i > 0 ? key << 64 / each : 0) | number[i];
    return key;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void vp_set_sort(uint64_t *key, size_t count)
{
    qsort(key, count, sizeof *key, by_key);
}

/* In ascending order; to be freed, NULL without memory. */
static uint64_t *keys_of(const uint32_t *number, uint32_t count, uint32_t each)
{
    uint64_t *key = number != NULL ? malloc(((size_t)count + 1) * sizeof *key) : NULL;
    for (size_t i = 0; key != NULL && i < count; i++)
        key[i] = vp_set_key(number + i * each, each);
    if (key != NULL)
        vp_set_sort(key, count);
    return key;
}

static uint64_t *keys_in(const json_t *list, uint32_t each, uint32_t *count)
{
    uint32_t *number = vp_numbers_of(list, each, count);
    uint64_t *key = keys_of(number, *count, each);
    free(number);
    return key;
}

/* Whether an ascending list has no key twice, every one of `must`, and beside those only such of `may`. */
static bool fits(const uint64_t *key, size_t count, const uint64_t *must, size_t musts, const uint64_t *may, size_t mays)
{
    size_t m = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && key[i] == key[i - 1])
            return false;
        if (m < musts && key[i] == must[m])
            m++;
        else if (bsearch(&key[i], may, mays, sizeof *may, by_key) == NULL)
            return false;
    }
    return m == musts;
}

vp_status vp_set_judge(const vp_judging *j, uint32_t each, const char *must, const char *may, bool *right)
{
    uint32_t musts, mays;
    uint64_t *key = keys_of(j->answer->number, j->answer->count, each),
             *wanted = keys_in(json_object_get(j->alternative, must), each, &musts),
             *welcome = keys_in(json_object_get(j->alternative, may), each, &mays);
    const bool memory = key != NULL && wanted != NULL && welcome != NULL;
    *right = memory && fits(key, j->answer->count, wanted, musts, welcome, mays);
    free(key);
    free(wanted);
    free(welcome);
    return memory ? VP_OK : vp_fail(j->error, VP_E_MEMORY, "no memory for %u of a set", j->answer->count);
}
