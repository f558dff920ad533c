/* SPDX-License-Identifier: MIT */
#include "conformance/judge.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"

const char *vp_result_name(vp_result result)
{
    static const char *const names[VP_RESULT_COUNT] = {"pass", "fail", "differs", "hang", "crash", "refused", "absent"};
    return names[result];
}

void vp_reason_say(char reason[VP_REASON_BYTES], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, VP_REASON_BYTES, format, arguments);
    va_end(arguments);
}

/* ---- reading answers ---- */

/* A list of whole numbers, each below `limit`, so many for each that is counted. @return false if it is none, or without memory */
static bool read_list(vp_words *words, uint32_t each, uint32_t limit, vp_answer *out, bool *memory)
{
    int64_t count, number;
    if (!vp_word_whole(words, 0, VP_QUESTION_MAX_POINTS, &count) || (size_t)count * each > strlen(words->at) / 2)
        return false;
    out->count = (uint32_t)count;
    out->number = malloc(((size_t)count * each + 1) * sizeof *out->number);
    *memory = out->number != NULL;
    for (size_t i = 0; *memory && i < (size_t)count * each; i++) {
        if (!vp_word_whole(words, 0, (int64_t)limit - 1, &number))
            return false;
        out->number[i] = (uint32_t)number;
    }
    return *memory;
}

static bool read_mesh(vp_words *words, vp_answer *out, bool *memory)
{
    int64_t vertices, triangles, number;
    if (!vp_word_whole(words, 0, VP_QUESTION_MAX_POINTS, &vertices) || !vp_word_whole(words, 0, VP_QUESTION_MAX_POINTS, &triangles) ||
        (size_t)vertices * 3 > strlen(words->at) / 9 || (size_t)triangles * 3 > strlen(words->at) / 2)
        return false;
    out->vertices = (uint32_t)vertices;
    out->count = (uint32_t)triangles;
    out->vertex = malloc(((size_t)vertices + 1) * sizeof *out->vertex);
    out->number = malloc(((size_t)triangles * 3 + 1) * sizeof *out->number);
    *memory = out->vertex != NULL && out->number != NULL;
    for (size_t i = 0; *memory && i < (size_t)vertices; i++)
        if (!vp_word_float(words, &out->vertex[i].x) || !vp_word_float(words, &out->vertex[i].y) || !vp_word_float(words, &out->vertex[i].z))
            return false;
    for (size_t i = 0; *memory && i < (size_t)triangles * 3; i++) {
        if (!vp_word_whole(words, 0, vertices - 1, &number))
            return false;
        out->number[i] = (uint32_t)number;
    }
    return *memory;
}

static bool read_hit(vp_words *words, vp_asked_family family, vp_answer *out)
{
    const int places = family == VP_ASKED_GRID_WALK ? 3 : family == VP_ASKED_RAY_MESH ? 1 : 0;
    int64_t number;
    for (int k = 0; k < places; k++) {
        if (!vp_word_whole(words, INT32_MIN, INT32_MAX, &number))
            return false;
        out->place[k] = (int32_t)number;
    }
    out->kind = VP_ANSWER_HIT;
    return vp_word_float(words, &out->t);
}

/* What the words behind the first one say, for families whose answers begin with a word that says of which kind they are. */
static bool read_kind(vp_words *words, const char *word, size_t length, const vp_question *q, vp_answer *out, bool *memory)
{
    switch (q->family) {
    case VP_ASKED_GRID_WALK:
    case VP_ASKED_RAY_TRIANGLE:
    case VP_ASKED_RAY_MESH:
        out->kind = VP_ANSWER_NONE;
        return vp_word_is(word, length, "none") || (vp_word_is(word, length, "hit") && read_hit(words, q->family, out));
    case VP_ASKED_AABB_GATHER:
        out->kind = VP_ANSWER_LIST;
        return vp_word_is(word, length, "set") && read_list(words, 1, q->triangles, out, memory);
    case VP_ASKED_HULL2:
        out->kind = VP_ANSWER_LIST;
        return vp_word_is(word, length, "hull") && read_list(words, 1, q->points, out, memory);
    case VP_ASKED_HULL3:
        out->kind = VP_ANSWER_FLAT;
        if (vp_word_is(word, length, "flat"))
            return true;
        out->kind = VP_ANSWER_MESH;
        if (vp_word_is(word, length, "mesh"))
            return read_mesh(words, out, memory);
        out->kind = VP_ANSWER_LIST;
        return vp_word_is(word, length, "hull") && read_list(words, 3, q->points, out, memory);
    case VP_ASKED_MESHER:
        out->kind = VP_ANSWER_MESH;
        return vp_word_is(word, length, "mesh") && read_mesh(words, out, memory);
    case VP_ASKED_OVERLAP:
        out->kind = VP_ANSWER_WORD;
        out->word = word;
        out->length = length;
        return true;
    case VP_ASKED_DILATION: {
        size_t other;
        out->kind = VP_ANSWER_MASKS;
        out->mask[0] = word;
        return vp_word_next(words, &out->mask[1], &other) && length == vp_question_cells(q) && other == length;
    }
    case VP_ASKED_COUNT:
        break;
    }
    return false;
}

vp_status vp_answer_read(const vp_question *q, const char *text, vp_answer *out, vp_error *error)
{
    vp_words words = {text};
    const char *word;
    size_t length;
    bool memory = true;
    *out = (vp_answer){.kind = VP_ANSWER_NONE};
    const bool good = vp_word_next(&words, &word, &length) && read_kind(&words, word, length, q, out, &memory);
    if (!memory)
        return vp_fail(error, VP_E_MEMORY, "no memory for an answer");
    if (good && !vp_word_next(&words, &word, &length))
        return VP_OK;
    return vp_fail(error, VP_E_FORMAT, "'%.60s%s' is no answer to %s", text, strlen(text) > 60 ? "..." : "", vp_questions_name(q->family));
}

void vp_answer_drop(vp_answer *answer)
{
    free(answer->number);
    free(answer->vertex);
    *answer = (vp_answer){.kind = VP_ANSWER_NONE};
}

/* ---- comparing ---- */

/* The value of one member of an alternative, and whether there is one. */
typedef struct expectation {
    const vp_vector *vector;
    const json_t *alternative;
    vp_error *error;
} expectation;

static vp_status misshapen(const expectation *e, const char *member)
{
    return vp_fail(e->error, VP_E_FORMAT, "%.80s: \"expected\": \"%s\" is not as it should be", e->vector->id, member);
}

static vp_status compare_t(const expectation *e, float t, bool *same)
{
    const json_t *bounds = json_object_get(e->alternative, "t");
    float bound[2];
    for (size_t i = 0; i < 2; i++) {
        const json_t *text = json_array_get(bounds, i);
        if (!json_is_string(text) || !vp_bits_read(json_string_value(text), json_string_length(text), &bound[i]))
            return misshapen(e, "t");
    }
    *same = *same && t >= bound[0] && t <= bound[1];
    return VP_OK;
}

/* A list of whole numbers. Free it. */
static vp_status read_numbers(const expectation *e, const char *member, uint32_t **out, uint32_t *count)
{
    const json_t *list = json_object_get(e->alternative, member), *number;
    size_t i;
    if (!json_is_array(list) || json_array_size(list) > VP_QUESTION_MAX_POINTS)
        return misshapen(e, member);
    *count = (uint32_t)json_array_size(list);
    *out = malloc(((size_t)*count + 1) * sizeof **out);
    if (*out == NULL)
        return vp_fail(e->error, VP_E_MEMORY, "no memory for %u numbers", *count);
    json_array_foreach (list, i, number) {
        if (!json_is_integer(number) || json_integer_value(number) < 0 || json_integer_value(number) >= UINT32_MAX) {
            free(*out);
            *out = NULL;
            return misshapen(e, member);
        }
        (*out)[i] = (uint32_t)json_integer_value(number);
    }
    return VP_OK;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static vp_status compare_set(const expectation *e, vp_answer *answer, bool *same)
{
    uint32_t *wanted, count;
    const vp_status status = read_numbers(e, "triangles", &wanted, &count);
    if (status != VP_OK)
        return status;
    qsort(wanted, count, sizeof *wanted, by_number);
    if (answer->count > 0)
        qsort(answer->number, answer->count, sizeof *answer->number, by_number);
    *same = count == answer->count && memcmp(wanted, answer->number, (size_t)count * sizeof *wanted) == 0;
    free(wanted);
    return VP_OK;
}

static bool one_place(const vp_question *q, uint32_t a, uint32_t b)
{
    return q->point[a].x == q->point[b].x && q->point[a].y == q->point[b].y && q->point[a].z == q->point[b].z;
}

/* The same corners, from any of them on; of points in one place any. */
static vp_status compare_corners(const expectation *e, const vp_answer *answer, bool *same)
{
    const vp_question *q = &e->vector->question;
    uint32_t *wanted, count;
    const vp_status status = read_numbers(e, "corners", &wanted, &count);
    if (status != VP_OK)
        return status;
    *same = false;
    for (uint32_t i = 0; i < count; i++)
        if (wanted[i] >= q->points) {
            free(wanted);
            return misshapen(e, "corners");
        }
    for (uint32_t from = 0; count == answer->count && from < count && !*same; from++) {
        *same = true;
        for (uint32_t i = 0; i < count && *same; i++)
            *same = one_place(q, wanted[i], answer->number[(from + i) % count]);
    }
    free(wanted);
    return VP_OK;
}

static vp_status compare_masks(const expectation *e, const vp_answer *answer, bool *same)
{
    static const char *const members[2] = {"solid", "water"};
    const size_t cells = vp_question_cells(&e->vector->question);
    *same = true;
    for (int m = 0; m < 2; m++) {
        const json_t *wanted = json_object_get(e->alternative, members[m]);
        if (!json_is_string(wanted) || json_string_length(wanted) != cells)
            return misshapen(e, members[m]);
        *same = *same && memcmp(json_string_value(wanted), answer->mask[m], cells) == 0;
    }
    return VP_OK;
}

static vp_status compare_hit(const expectation *e, const vp_answer *answer, bool *same)
{
    if (e->vector->question.family == VP_ASKED_GRID_WALK) {
        const json_t *cell = json_object_get(e->alternative, "cell");
        for (size_t k = 0; k < 3; k++) {
            if (!json_is_integer(json_array_get(cell, k)))
                return misshapen(e, "cell");
            *same = *same && json_integer_value(json_array_get(cell, k)) == answer->place[k];
        }
    } else if (e->vector->question.family == VP_ASKED_RAY_MESH) {
        const json_t *triangle = json_object_get(e->alternative, "triangle");
        if (!json_is_integer(triangle))
            return misshapen(e, "triangle");
        *same = json_integer_value(triangle) == answer->place[0];
    } else if (!json_is_true(json_object_get(e->alternative, "hit"))) {
        return misshapen(e, "hit");
    }
    return compare_t(e, answer->t, same);
}

static bool has(const json_t *alternative, const char *member)
{
    return json_is_true(json_object_get(alternative, member));
}

/* Whether an answer is one alternative. */
static vp_status compare(const expectation *e, vp_answer *answer, bool *same)
{
    *same = true;
    if (has(e->alternative, "none") || has(e->alternative, "refused")) {
        *same = has(e->alternative, "none") && answer->kind == VP_ANSWER_NONE;
        return VP_OK;
    }
    switch (answer->kind) {
    case VP_ANSWER_NONE:
    case VP_ANSWER_FLAT:
    case VP_ANSWER_MESH:
        *same = false;
        return VP_OK;
    case VP_ANSWER_HIT:
        return compare_hit(e, answer, same);
    case VP_ANSWER_WORD: {
        const char *wanted = json_string_value(json_object_get(e->alternative, "touch"));
        *same = wanted != NULL && vp_word_is(answer->word, answer->length, wanted);
        return wanted != NULL ? VP_OK : misshapen(e, "touch");
    }
    case VP_ANSWER_MASKS:
        return compare_masks(e, answer, same);
    case VP_ANSWER_LIST:
        if (e->vector->question.family == VP_ASKED_AABB_GATHER)
            return compare_set(e, answer, same);
        return compare_corners(e, answer, same);
    }
    return VP_OK;
}

/* ---- saying what is wrong ---- */

/* An alternative in words, behind what is there. */
static void describe(const json_t *alternative, char *to, size_t room)
{
    const json_t *t = json_object_get(alternative, "t"), *cell = json_object_get(alternative, "cell");
    const size_t at = strlen(to);
    char place[64] = "hit";
    if (has(alternative, "none") || has(alternative, "refused")) {
        snprintf(to + at, room - at, "%s", has(alternative, "none") ? "none" : "a refusal");
        return;
    }
    if (t == NULL) {
        char *text = json_dumps(alternative, JSON_COMPACT | JSON_ENCODE_ANY);
        snprintf(to + at, room - at, "%.100s%s", text != NULL ? text : "", text != NULL && strlen(text) > 100 ? "..." : "");
        free(text);
        return;
    }
    if (cell != NULL)
        snprintf(place, sizeof place, "cell %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT, json_integer_value(json_array_get(cell, 0)),
                 json_integer_value(json_array_get(cell, 1)), json_integer_value(json_array_get(cell, 2)));
    else if (json_object_get(alternative, "triangle") != NULL)
        snprintf(place, sizeof place, "triangle %" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(alternative, "triangle")));
    float bound[2] = {0.0f, 0.0f};
    for (size_t i = 0; i < 2; i++) {
        const char *text = json_string_value(json_array_get(t, i));
        if (text != NULL)
            vp_bits_read(text, strlen(text), &bound[i]);
    }
    snprintf(to + at, room - at, "%s at t from %.9g to %.9g", place, (double)bound[0], (double)bound[1]);
}

static void say_wrong(const vp_vector *v, const vp_answer *answer, const char *words, char reason[VP_REASON_BYTES])
{
    char right[VP_REASON_BYTES] = "";
    const size_t count = json_is_array(v->expected) ? json_array_size(v->expected) : 1;
    for (size_t i = 0; i < count && strlen(right) < 120; i++) {
        if (i > 0)
            strcat(right, ", or ");
        describe(json_is_array(v->expected) ? json_array_get(v->expected, i) : v->expected, right, sizeof right - 8);
    }
    if (answer->kind == VP_ANSWER_HIT)
        vp_reason_say(reason, "t is %.9g in '%.60s'; right is %.150s", (double)answer->t, words, right);
    else
        vp_reason_say(reason, "'%.60s%s'; right is %.150s", words, strlen(words) > 60 ? "..." : "", right);
}

/* ---- properties ---- */

static vp_status judge_property(const expectation *e, const vp_answer *answer, char reason[VP_REASON_BYTES])
{
    const vp_question *q = &e->vector->question;
    const char *checker = json_string_value(json_object_get(e->alternative, "checker"));
    const json_t *tolerance = json_object_get(e->alternative, "tolerance");
    if (checker == NULL)
        return misshapen(e, "checker");
    if (strcmp(checker, "surface") == 0 && q->family == VP_ASKED_MESHER)
        return vp_check_surface(q, answer, reason, e->error);
    if (!json_is_number(tolerance))
        return misshapen(e, "tolerance");
    if (strcmp(checker, "polygon") == 0 && q->family == VP_ASKED_HULL2) {
        vp_check_polygon(q, answer, json_number_value(tolerance), reason);
        return VP_OK;
    }
    if (strcmp(checker, "hull") != 0 || q->family != VP_ASKED_HULL3)
        return misshapen(e, "checker");
    if (has(e->alternative, "flat") && answer->kind == VP_ANSWER_FLAT)
        return VP_OK;
    const json_t *dimension = json_object_get(e->alternative, "dimension"), *volume = json_object_get(e->alternative, "volume");
    uint32_t *vertex, vertices;
    if (!json_is_integer(dimension) || json_integer_value(dimension) < 0 || json_integer_value(dimension) > 3)
        return misshapen(e, "dimension");
    if (json_integer_value(dimension) == 3 && !json_is_number(volume))
        return misshapen(e, "volume");
    vp_status status = read_numbers(e, "vertices", &vertex, &vertices);
    if (status != VP_OK)
        return status;
    for (uint32_t i = 0; status == VP_OK && i < vertices; i++)
        if (vertex[i] >= q->points)
            status = misshapen(e, "vertices");
    const vp_hull_wanted wanted = {(uint32_t)json_integer_value(dimension), vertex, vertices, json_number_value(volume), json_number_value(tolerance)};
    if (status == VP_OK)
        status = vp_check_hull(q, answer, &wanted, reason, e->error);
    free(vertex);
    return status;
}

/* ---- the whole ---- */

/* Of a set without volume, or with hardly any, a refusal is as right as any answer. */
static bool may_refuse(const vp_vector *v)
{
    const size_t count = json_is_array(v->expected) ? json_array_size(v->expected) : 1;
    for (size_t i = 0; i < count; i++) {
        const json_t *alternative = json_is_array(v->expected) ? json_array_get(v->expected, i) : v->expected;
        const json_t *dimension = json_object_get(alternative, "dimension");
        if (has(alternative, "refused") || has(alternative, "flat") || (json_is_integer(dimension) && json_integer_value(dimension) < 3))
            return true;
    }
    return false;
}

static vp_status judge_answer(const vp_vector *v, vp_answer *answer, const char *words, vp_result *out, char reason[VP_REASON_BYTES],
                              vp_error *error)
{
    const size_t count = json_is_array(v->expected) ? json_array_size(v->expected) : 1;
    *out = VP_RESULT_FAIL;
    for (size_t i = 0; i < count; i++) {
        const expectation e = {v, json_is_array(v->expected) ? json_array_get(v->expected, i) : v->expected, error};
        bool same = false;
        vp_status status;
        reason[0] = '\0';
        if (v->promise == VP_PROMISE_PROPERTY) {
            status = judge_property(&e, answer, reason);
            same = reason[0] == '\0';
        } else {
            status = compare(&e, answer, &same);
        }
        if (status != VP_OK)
            return status;
        if (same) {
            *out = VP_RESULT_PASS;
            return VP_OK;
        }
    }
    if (v->promise != VP_PROMISE_PROPERTY)
        say_wrong(v, answer, words, reason);
    return VP_OK;
}

vp_status vp_judge(const vp_vector *v, const char *text, vp_result *out, char reason[VP_REASON_BYTES], vp_error *error)
{
    vp_words words = {text};
    vp_answer answer;
    vp_error why;
    const char *word;
    size_t length;
    reason[0] = '\0';
    *out = VP_RESULT_FAIL;
    if (!vp_word_next(&words, &word, &length)) {
        vp_reason_say(reason, "the answer has no words");
        return VP_OK;
    }
    if (vp_word_is(word, length, "refused")) {
        *out = may_refuse(v) ? VP_RESULT_PASS : VP_RESULT_REFUSED;
        if (*out == VP_RESULT_REFUSED)
            vp_reason_say(reason, "refused%s%.200s", *words.at != '\0' ? ":" : "", words.at);
        return VP_OK;
    }
    vp_status status = vp_answer_read(&v->question, text, &answer, &why);
    if (status == VP_OK) {
        status = judge_answer(v, &answer, text, out, reason, error);
    } else if (status == VP_E_FORMAT) {
        vp_reason_say(reason, "%.230s", why.message);
        status = VP_OK;
    } else {
        vp_fail(error, status, "%s", why.message);
    }
    vp_answer_drop(&answer);
    return status;
}
