/* SPDX-License-Identifier: MIT */
#include "conformance/value.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"

/* ---- what they are ---- */

bool vp_value_letters(const json_t *value, const char *letters)
{
    return json_string_length(value) > 0 && strspn(json_string_value(value), letters) == json_string_length(value);
}

static bool is_anything(json_t *value)
{
    return value != NULL;
}

static bool is_object(json_t *value)
{
    return json_is_object(value);
}

static bool is_true(json_t *value)
{
    return json_is_true(value);
}

static bool is_words(json_t *value)
{
    return json_string_length(value) > 0;
}

static bool is_bits(json_t *value)
{
    return vp_value_letters(value, "0123456789abcdef") && json_string_length(value) == 8;
}

static bool is_whole(json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) < UINT32_MAX;
}

static bool is_place_of_cell(json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= INT32_MIN && json_integer_value(value) <= INT32_MAX;
}

static bool is_tolerance(json_t *value)
{
    return json_is_number(value) && json_number_value(value) >= 0.0;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool is_numbers(json_t *value)
{
    uint32_t count, *number = vp_numbers_of(value, &count);
    bool good = json_is_array(value) && number != NULL;
    if (good)
        qsort(number, count, sizeof *number, by_number);
    for (uint32_t i = 1; good && i < count; i++)
        good = number[i - 1] != number[i];
    free(number);
    return good;
}

bool vp_value_unique(const json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++)
        for (size_t k = 0; k < i; k++)
            if (json_equal(json_array_get(value, i), json_array_get(value, k)))
                return false;
    return true;
}

static const vp_value place_of_cell = {is_place_of_cell, NULL, 0};
const vp_value vp_is_anything = {is_anything, NULL, 0}, vp_is_object = {is_object, NULL, 0}, vp_is_true = {is_true, NULL, 0},
               vp_is_words = {is_words, NULL, 0}, vp_is_bits = {is_bits, NULL, 0}, vp_is_whole = {is_whole, NULL, 0},
               vp_is_three = {NULL, &vp_is_whole, 3}, vp_is_threes = {NULL, &vp_is_three, 0}, vp_is_cell = {NULL, &place_of_cell, 3},
               vp_is_place = {NULL, &vp_is_bits, 3}, vp_is_places = {NULL, &vp_is_place, 0}, vp_is_numbers = {is_numbers, &vp_is_whole, 0},
               vp_is_tolerance = {is_tolerance, NULL, 0};

static bool fits(const vp_value *of, json_t *value)
{
    const size_t count = json_array_size(value);
    if (of->is != NULL ? !of->is(value) : !json_is_array(value))
        return false;
    for (size_t i = 0; of->part != NULL && i < count; i++)
        if (!fits(of->part, json_array_get(value, i)))
            return false;
    return of->count == 0 || count == of->count;
}

/* ---- telling ---- */

enum { VALUE_SHOWN = 60 };

/* Takes what there is room for, and ends the writing then. */
static int take_beginning(const char *bytes, size_t size, void *data)
{
    vp_value_text *out = data;
    const size_t length = strlen(out->text), room = VALUE_SHOWN - length;
    memcpy(out->text + length, bytes, size < room ? size : room);
    if (size > room)
        strcpy(out->text + VALUE_SHOWN, "...");
    return size > room ? -1 : 0;
}

vp_value_text vp_value_shown(const json_t *value)
{
    vp_value_text out = {.text = ""};
    if (value == NULL)
        strcpy(out.text, "missing");
    else
        json_dump_callback(value, take_beginning, &out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    return out;
}

/* A value that is not as it should be: the part of it that is not, with its place in it, or the whole. */
static vp_status not_so(const char *where, const char *name, json_t *value, const vp_value *is, vp_error *error)
{
    char place[64] = "";
    while (json_is_array(value) && is->part != NULL) {
        size_t i = 0;
        while (i < json_array_size(value) && fits(is->part, json_array_get(value, i)))
            i++;
        if (i == json_array_size(value))
            break; /* how many there are is wrong, or which */
        const size_t length = strlen(place);
        snprintf(place + length, sizeof place - length, "[%zu]", i);
        value = json_array_get(value, i);
        is = is->part;
    }
    return vp_fail(error, VP_E_FORMAT, "%s\"%s\" is not as it should be: %s is %s", where, name, place[0] != '\0' ? place : "it", vp_value_shown(value).text);
}

/* ---- members ---- */

static const vp_member *find(const vp_member *const *lists, const char *name)
{
    for (; *lists != NULL; lists++)
        for (const vp_member *m = *lists; m->name != NULL; m++)
            if (strcmp(m->name, name) == 0)
                return m;
    return NULL;
}

vp_status vp_members_check(json_t *object, const vp_member *const *lists, const char *where, vp_error *error)
{
    const char *name;
    json_t *value;
    json_object_foreach (object, name, value) {
        const vp_member *m = find(lists, name);
        if (m == NULL)
            return vp_fail(error, VP_E_FORMAT, "%s\"%.60s\" is no member of this", where, name);
        if (!fits(m->is, value))
            return not_so(where, name, value, m->is, error);
    }
    for (; *lists != NULL; lists++)
        for (const vp_member *m = *lists; m->name != NULL; m++)
            if (m->otherwise == NULL && json_object_get(object, m->name) == NULL)
                return vp_fail(error, VP_E_FORMAT, "%s\"%s\" is missing", where, m->name);
    return VP_OK;
}

vp_status vp_expected_wrong(const json_t *answer, const char *member, vp_error *error)
{
    return vp_fail(error, VP_E_FORMAT, "\"expected\": \"%s\" is not as it should be: it is %s", member,
                   vp_value_shown(json_object_get(answer, member)).text);
}

vp_status vp_expected_below(const json_t *answer, const char *member, uint32_t limit, bool some, vp_error *error)
{
    size_t i;
    json_t *number, *list = json_object_get(answer, member);
    if (some && json_array_size(list) == 0)
        return vp_expected_wrong(answer, member, error);
    json_array_foreach (list, i, number)
        if (json_integer_value(number) >= (json_int_t)limit)
            return vp_fail(error, VP_E_FORMAT, "\"expected\": \"%s\" is not as it should be: [%zu] is %s, and there are %u", member, i,
                           vp_value_shown(number).text, limit);
    return VP_OK;
}

/* ---- words and numbers ---- */

bool vp_value_flatten(const json_t *value, FILE *to)
{
    size_t i;
    const json_t *part;
    if (json_is_integer(value))
        return fprintf(to, " %" JSON_INTEGER_FORMAT, json_integer_value(value)) > 0;
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        return strlen(text) == json_string_length(value) && strcspn(text, " \t\r\n") == json_string_length(value) && fprintf(to, " %s", text) > 0;
    }
    if (!json_is_array(value))
        return false;
    json_array_foreach (value, i, part)
        if (!vp_value_flatten(part, to))
            return false;
    return true;
}

json_t *vp_value_of(const vp_value *is, vp_words *words, size_t count)
{
    const char *word;
    size_t length;
    int64_t number;
    if (is->part != NULL) {
        json_t *list = json_array();
        for (size_t i = 0; i < (is->count != 0 ? is->count : count); i++)
            json_array_append_new(list, vp_value_of(is->part, words, 0));
        return list;
    }
    if (is != &vp_is_whole && is != &place_of_cell)
        return vp_word_next(words, &word, &length) ? json_stringn(word, length) : NULL;
    return vp_word_whole(words, INT32_MIN, UINT32_MAX, &number) ? json_integer(number) : NULL;
}

uint32_t *vp_numbers_of(const json_t *list, uint32_t *count)
{
    uint32_t *out = malloc((json_array_size(list) + 1) * sizeof *out);
    *count = (uint32_t)json_array_size(list);
    for (size_t i = 0; out != NULL && i < *count; i++)
        out[i] = (uint32_t)json_integer_value(json_array_get(list, i));
    return out;
}

json_t *vp_numbers_json(const uint32_t *number, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(number[i]));
    return list;
}
