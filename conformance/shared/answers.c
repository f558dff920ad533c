/* SPDX-License-Identifier: MIT */
/* Answers of many families: words of a grid's cells, and sets. */
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

/* ---- words, one for each expected member ---- */

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

/* Reports the first cell where two words differ. */
static void say_cells(const vp_judging *j, size_t member, const char *right)
{
    const size_t letters = j->q->family->letters, cells = vp_grid_cells(j->q->part[0]);
    const char *word = j->answer->word[member];
    size_t first = 0, differ = 0;
    for (size_t i = cells; i-- > 0;)
        if (memcmp(word + i * letters, right + i * letters, letters) != 0) {
            first = i;
            differ++;
        }
    const vp_ivec3 at = vp_grid_place(j->q->part[0], first);
    vp_reason_say(j->reason, "%s: cell %zu, (%d, %d, %d), is %.*s; right is %.*s; %zu of %zu cells differ",
                  j->q->family->expected[member].name, first, at.x, at.y, at.z, (int)letters, word + first * letters, (int)letters,
                  right + first * letters, differ, cells);
}

vp_status vp_words_judge(const vp_judging *j, bool *right)
{
    const vp_member *expected = j->q->family->expected;
    *right = true;
    for (size_t m = 0; *right && expected[m].name != NULL; m++) {
        const char *wanted = json_string_value(json_object_get(j->alternative, expected[m].name));
        *right = vp_word_is(j->answer->word[m], j->answer->length, wanted);
        if (!*right && j->q->family->letters != 0)
            say_cells(j, m, wanted);
    }
    return VP_OK;
}

void vp_words_unread(const vp_question *q, const char *text, char reason[VP_REASON_BYTES])
{
    vp_words words = {text};
    const char *word;
    size_t length;
    reason[0] = '\0';
    for (const vp_member *m = q->family->expected; q->family->letters != 0 && reason[0] == '\0' && m->name != NULL; m++) {
        const size_t cells = vp_grid_cells(q->part[0]);
        if (!vp_word_next(&words, &word, &length))
            vp_reason_say(reason, "the answer ends where %s should be", m->name);
        else if (!has_letters(q, length))
            vp_reason_say(reason, "%s has %zu letters; right are %zu, %zu for each of %zu cells", m->name, length,
                          q->family->letters * cells, q->family->letters, cells);
    }
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

/* ---- sets of numbers, pairs, or longer rows ---- */

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

/* Sorted in ascending order. The caller frees them, NULL without memory. */
static uint64_t *keys_of(const uint32_t *number, uint32_t count, uint32_t each)
{
    uint64_t *key = number != NULL ? malloc(((size_t)count + 1) * sizeof *key) : NULL;
    for (size_t i = 0; key != NULL && i < count; i++)
        key[i] = vp_set_key(number + i * each, each);
    if (key != NULL)
        vp_set_sort(key, count);
    return key;
}

static bool has_key(const uint64_t *key, size_t count, uint64_t wanted)
{
    return bsearch(&wanted, key, count, sizeof *key, by_key) != NULL;
}

/* A row of a list as text: "3 0 7". */
typedef struct row_text {
    char text[64];
} row_text;

static row_text show_row(const uint32_t *number, uint32_t each)
{
    row_text out = {.text = ""};
    for (uint32_t i = 0; i < each; i++)
        snprintf(out.text + strlen(out.text), sizeof out.text - strlen(out.text), "%s%u", i > 0 ? " " : "", number[i]);
    return out;
}

/* The number of faults, and the first. */
typedef struct faults {
    size_t count;
    row_text first;
} faults;

static void add_fault(faults *f, const uint32_t *number, uint32_t each)
{
    if (f->count++ == 0)
        f->first = show_row(number, each);
}

/* An answer or an alternative: rows in their order, and their sorted keys. */
typedef struct row_set {
    uint32_t *number, count;
    uint64_t *key;
} row_set;

/* Whether an answer has no row twice, all rows of `must`, and otherwise only rows of `may`. If not, reports the rows. */
static bool fits(const row_set *answer, const row_set *must, const row_set *may, uint32_t each, char *reason)
{
    faults missing = {.count = 0}, wrong = {.count = 0}, again = {.count = 0};
    for (size_t i = 0; i < must->count; i++)
        if (!has_key(answer->key, answer->count, vp_set_key(must->number + i * each, each)))
            add_fault(&missing, must->number + i * each, each);
    for (size_t i = 0; i < answer->count; i++) {
        const uint32_t *row = answer->number + i * each;
        const uint64_t key = vp_set_key(row, each);
        if (!has_key(must->key, must->count, key) && !has_key(may->key, may->count, key))
            add_fault(&wrong, row, each);
    }
    for (size_t i = 1; i < answer->count; i++)
        again.count += answer->key[i] == answer->key[i - 1] ? 1 : 0;
    if (missing.count + wrong.count + again.count == 0)
        return true;
    vp_reason_say(reason, "%u answered, %u expected", answer->count, must->count);
    const struct {
        const faults *of;
        const char *what;
    } all[] = {{&missing, "missing"}, {&wrong, "wrong"}, {&again, "there more than once"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].of->count > 0)
            snprintf(reason + strlen(reason), VP_REASON_BYTES - strlen(reason), "; %zu %s%s%s", all[i].of->count, all[i].what,
                     all[i].of == &again ? "" : ", the first is ", all[i].of->first.text);
    return false;
}

vp_status vp_set_judge(const vp_judging *j, uint32_t each, const char *must, const char *may, bool *right)
{
    row_set answer = {.number = j->answer->number, .count = j->answer->count}, wanted, welcome;
    wanted.number = vp_numbers_of(json_object_get(j->alternative, must), each, &wanted.count);
    welcome.number = vp_numbers_of(json_object_get(j->alternative, may), each, &welcome.count);
    answer.key = keys_of(answer.number, answer.count, each);
    wanted.key = keys_of(wanted.number, wanted.count, each);
    welcome.key = keys_of(welcome.number, welcome.count, each);
    const bool memory = answer.key != NULL && wanted.key != NULL && welcome.key != NULL;
    *right = memory && fits(&answer, &wanted, &welcome, each, j->reason);
    free(answer.key);
    free(wanted.key);
    free(welcome.key);
    free(wanted.number);
    free(welcome.number);
    return memory ? VP_OK : vp_fail(j->error, VP_E_MEMORY, "no memory for %u of a set", j->answer->count);
}
