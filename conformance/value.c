/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/value.h"
#include "src/core/error.h"

bool vp_word_next(vp_words *words, const char **word, size_t *length)
{
    const char *at = words->at + strspn(words->at, " ");
    *word = at;
    *length = strcspn(at, " ");
    words->at = at + *length;
    return *length > 0;
}

bool vp_word_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

bool vp_word_said(vp_words *words, const char *text)
{
    vp_words left = *words;
    const char *word;
    size_t length;
    const bool said = vp_word_next(&left, &word, &length) && vp_word_is(word, length, text);
    if (said)
        *words = left;
    return said;
}

bool vp_word_whole(vp_words *words, int64_t least, int64_t most, int64_t *out)
{
    const char *word;
    size_t length;
    if (!vp_word_next(words, &word, &length) || length > 18)
        return false;
    const bool negative = word[0] == '-';
    int64_t value = 0;
    if (length == (negative ? 1u : 0u))
        return false;
    for (size_t i = negative ? 1 : 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        value = value * 10 + (word[i] - '0');
    }
    *out = negative ? -value : value;
    return *out >= least && *out <= most;
}

int vp_digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Converts eight hexadecimal digits, up to the end of the text, to a binary32 and back. */
static bool bits_read(const char *text, size_t length, float *out)
{
    uint32_t bits = 0;
    if (length != 8)
        return false;
    for (size_t i = 0; i < 8; i++) {
        const int digit = vp_digit_of(text[i]);
        if (digit < 0)
            return false;
        bits = bits << 4 | (uint32_t)digit;
    }
    memcpy(out, &bits, sizeof bits);
    return true;
}

vp_bits_text vp_bits_of(float value)
{
    uint32_t bits;
    vp_bits_text out;
    memcpy(&bits, &value, sizeof bits);
    snprintf(out.text, sizeof out.text, "%08" PRIx32, bits);
    return out;
}

void vp_words_floats(FILE *to, const float *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, " %s", vp_bits_of(number[i]).text);
}

bool vp_word_float(vp_words *words, float *out)
{
    const char *word;
    size_t length;
    return vp_word_next(words, &word, &length) && bits_read(word, length, out);
}

/* ---- words of a question ---- */

/* Reports an invalid word. */
static vp_status wrong(const vp_reader *r, const char *what)
{
    const char *word;
    size_t length;
    int number = 0;
    vp_words count = {r->begin}, last = {r->last};
    if (!vp_word_next(&last, &word, &length))
        return vp_fail(r->error, VP_E_FORMAT, "the line ends where %s should be", what);
    for (const char *at = NULL; at != word; number++) {
        size_t passed;
        if (!vp_word_next(&count, &at, &passed))
            break;
    }
    return vp_fail(r->error, VP_E_FORMAT, "word %d, '%.*s', is not %s", number, (int)(length < 40 ? length : 40), word, what);
}

vp_status vp_reader_whole(vp_reader *r, int64_t least, int64_t most, int64_t *out, const char *what)
{
    r->last = r->words->at;
    return vp_word_whole(r->words, least, most, out) ? VP_OK : wrong(r, what);
}

vp_status vp_reader_floats(vp_reader *r, float *out, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        r->last = r->words->at;
        if (!vp_word_float(r->words, &out[i]))
            return wrong(r, what);
    }
    return VP_OK;
}

/* ---- values ---- */

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void vp_numbers_sort(uint32_t *number, uint32_t count)
{
    qsort(number, count, sizeof *number, by_number);
}

bool vp_value_unique(json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++)
        for (size_t k = 0; k < i; k++)
            if (json_equal(json_array_get(value, i), json_array_get(value, k)))
                return false;
    return true;
}

static const vp_value place_of_cell = {.type = JSON_INTEGER, .least = INT32_MIN, .most = INT32_MAX};
const vp_value vp_is_anything = {.type = JSON_NULL};
const vp_value vp_is_object = {.type = JSON_OBJECT};
const vp_value vp_is_true = {.type = JSON_TRUE};
const vp_value vp_is_words = {.type = JSON_STRING};
const vp_value vp_is_bits = {.type = JSON_STRING, .letters = "0123456789abcdef", .count = 8};
const vp_value vp_is_whole = {.type = JSON_INTEGER, .most = UINT32_MAX - 1.0};
const vp_value vp_is_three = {.type = JSON_ARRAY, .part = &vp_is_whole, .count = 3};
const vp_value vp_is_threes = {.type = JSON_ARRAY, .part = &vp_is_three};
const vp_value vp_is_cell = {.type = JSON_ARRAY, .part = &place_of_cell, .count = 3};
const vp_value vp_is_place = {.type = JSON_ARRAY, .part = &vp_is_bits, .count = 3};
const vp_value vp_is_places = {.type = JSON_ARRAY, .part = &vp_is_place};
const vp_value vp_is_numbers = {.type = JSON_ARRAY, .part = &vp_is_whole, .also = vp_value_unique};
const vp_value vp_is_tolerance = {.type = JSON_REAL, .most = INFINITY};

int vp_choice_of(const vp_choice *choice, const char *word, size_t length)
{
    for (int i = 0; choice->names[i] != NULL; i++)
        if (vp_word_is(word, length, choice->names[i]))
            return i;
    return -1;
}

static bool fits(const vp_value *of, json_t *value);

static bool is_chosen(const vp_choice *choice, const json_t *value)
{
    const json_t *name = json_is_array(value) ? json_array_get(value, 0) : value;
    const int chosen = name != NULL ? vp_choice_of(choice, json_string_value(name), json_string_length(name)) : -1;
    if (chosen < 0 || !json_is_array(value))
        return chosen >= 0;
    for (size_t i = 1; i < json_array_size(value); i++)
        if (!fits(&vp_is_bits, json_array_get(value, i)))
            return false;
    return json_array_size(value) == 1 + choice->numbers[chosen];
}

static bool fits(const vp_value *of, json_t *value)
{
    const double number = json_number_value(value);
    size_t count = json_array_size(value);
    if (of->type == JSON_REAL ? !json_is_number(value) : of->type != JSON_NULL && json_typeof(value) != of->type)
        return false;
    if ((of->type == JSON_REAL || of->type == JSON_INTEGER) && !(number >= of->least && number <= of->most))
        return false;
    if (of->type == JSON_STRING) {
        count = json_string_length(value);
        if (count == 0 || (of->letters != NULL && strspn(json_string_value(value), of->letters) != count))
            return false;
    }
    for (size_t i = 0; of->part != NULL && i < json_array_size(value); i++)
        if (!fits(of->part, json_array_get(value, i)))
            return false;
    return (of->count == 0 || count == of->count) && (of->choice == NULL || is_chosen(of->choice, value)) &&
           (of->also == NULL || of->also(value));
}

/* ---- telling ---- */

enum { VALUE_SHOWN = 60 };

/* Copies as much as fits, then stops the writing. */
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

/* Reports an invalid value: its invalid element with its index, or the whole. */
static vp_status not_so(const char *where, const char *name, json_t *value, const vp_value *is, vp_error *error)
{
    char place[64] = "";
    while (json_is_array(value) && is->part != NULL) {
        size_t i = 0;
        while (i < json_array_size(value) && fits(is->part, json_array_get(value, i)))
            i++;
        if (i == json_array_size(value))
            break; /* the count is wrong, or the further check fails */
        const size_t length = strlen(place);
        snprintf(place + length, sizeof place - length, "[%zu]", i);
        value = json_array_get(value, i);
        is = is->part;
    }
    return vp_fail(error, VP_E_FORMAT, "%s\"%s\" is invalid: %s is %s", where, name, place[0] != '\0' ? place : "it",
                   vp_value_shown(value).text);
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
            return vp_fail(error, VP_E_FORMAT, "%s\"%.60s\" is not a member of this", where, name);
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
    return vp_fail(error, VP_E_FORMAT, "\"expected\": \"%s\" is invalid: it is %s", member,
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
            return vp_fail(error, VP_E_FORMAT, "\"expected\": \"%s\" is invalid: [%zu] is %s; must be below %u", member, i,
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
        return strlen(text) == json_string_length(value) && strcspn(text, " \t\r\n") == json_string_length(value) &&
               fprintf(to, " %s", text) > 0;
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
    if (is->part != NULL && is->choice != NULL) {
        const int chosen = vp_word_next(&(vp_words){words->at}, &word, &length) ? vp_choice_of(is->choice, word, length) : -1;
        count = chosen >= 0 && is->choice->numbers != NULL ? 1 + is->choice->numbers[chosen] : 1;
    }
    if (is->part != NULL) {
        json_t *list = json_array();
        for (size_t i = 0; i < (is->count != 0 ? is->count : count) && words->at[strspn(words->at, " ")] != '\0'; i++)
            json_array_append_new(list, vp_value_of(is->part, words, 0));
        return list;
    }
    if (is->type == JSON_STRING)
        return vp_word_next(words, &word, &length) ? json_stringn(word, length) : NULL;
    return vp_word_whole(words, INT32_MIN, UINT32_MAX, &number) ? json_integer(number) : NULL;
}

float vp_value_bits(const json_t *bits)
{
    float out;
    return json_is_string(bits) && bits_read(json_string_value(bits), json_string_length(bits), &out) ? out : NAN;
}

uint32_t *vp_numbers_of(const json_t *list, uint32_t each, uint32_t *count)
{
    *count = (uint32_t)json_array_size(list);
    uint32_t *out = malloc(((size_t)*count * each + 1) * sizeof *out);
    for (size_t i = 0; out != NULL && i < (size_t)*count * each; i++) {
        const json_t *row = json_array_get(list, i / each);
        out[i] = (uint32_t)json_integer_value(each > 1 ? json_array_get(row, i % each) : row);
    }
    return out;
}

json_t *vp_numbers_json(const uint32_t *number, uint32_t count, uint32_t each)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, each > 1 ? vp_numbers_json(number + (size_t)i * each, each, 1) : json_integer(number[i]));
    return list;
}
