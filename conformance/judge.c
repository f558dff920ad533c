/* SPDX-License-Identifier: MIT */
#include "conformance/family.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

static bool read_place(vp_words *words, vp_vec3 *out)
{
    return vp_word_float(words, &out->x) && vp_word_float(words, &out->y) && vp_word_float(words, &out->z);
}

bool vp_answer_list(vp_words *words, uint32_t each, uint32_t limit, vp_answer *out)
{
    int64_t count, number;
    if (!vp_word_whole(words, 0, VP_QUESTION_MAX_POINTS, &count) || (size_t)count * each > strlen(words->at) / 2)
        return false;
    out->count = (uint32_t)count;
    out->number = malloc(((size_t)count * each + 1) * sizeof *out->number);
    out->no_memory = out->number == NULL;
    for (size_t i = 0; !out->no_memory && i < (size_t)count * each; i++) {
        if (!vp_word_whole(words, 0, (int64_t)limit - 1, &number))
            return false;
        out->number[i] = (uint32_t)number;
    }
    return !out->no_memory;
}

static bool read_mesh(vp_words *words, vp_answer *out)
{
    int64_t vertices, triangles, number;
    if (!vp_word_whole(words, 0, VP_QUESTION_MAX_POINTS, &vertices) || !vp_word_whole(words, 0, VP_QUESTION_MAX_POINTS, &triangles) ||
        (size_t)vertices * 3 > strlen(words->at) / 9 || (size_t)triangles * 3 > strlen(words->at) / 2)
        return false;
    out->vertices = (uint32_t)vertices;
    out->count = (uint32_t)triangles;
    out->vertex = malloc(((size_t)vertices + 1) * sizeof *out->vertex);
    out->number = malloc(((size_t)triangles * 3 + 1) * sizeof *out->number);
    out->no_memory = out->vertex == NULL || out->number == NULL;
    for (size_t i = 0; !out->no_memory && i < (size_t)vertices; i++)
        if (!read_place(words, &out->vertex[i]))
            return false;
    for (size_t i = 0; !out->no_memory && i < (size_t)triangles * 3; i++) {
        if (!vp_word_whole(words, 0, vertices - 1, &number))
            return false;
        out->number[i] = (uint32_t)number;
    }
    return !out->no_memory;
}

static bool read_places(vp_words *words, const vp_form *form, vp_answer *out)
{
    const size_t each = form->each + 1;
    int64_t count = 1;
    if (form->limit != 0 && !vp_word_whole(words, 0, form->limit, &count))
        return false;
    out->count = (uint32_t)count;
    out->vertex = calloc((size_t)count * each + 1, sizeof *out->vertex);
    out->no_memory = out->vertex == NULL;
    for (size_t i = 0; !out->no_memory && i < (size_t)count * each; i++)
        if (i % each == 0 ? !vp_word_float(words, &out->vertex[i].x) : !read_place(words, &out->vertex[i]))
            return false;
    out->t = out->no_memory ? 0.0f : out->vertex[0].x;
    return !out->no_memory;
}

static bool read_form(const vp_question *q, vp_words *words, vp_answer *out)
{
    const vp_form *form = q->family->forms;
    while (form->word != NULL && !vp_word_said(words, form->word))
        form++;
    if (form->word == NULL)
        return false;
    out->kind = form->kind;
    const uint32_t limit = form->below != 0 ? *(const uint32_t *)((const char *)q->part[0] + form->below) : form->limit;
    switch (form->is) {
    case VP_FORM_NUMBERS:
        return vp_answer_list(words, form->each, limit, out);
    case VP_FORM_MESH:
        return read_mesh(words, out);
    case VP_FORM_PLACES:
        return read_places(words, form, out);
    default:
        return true;
    }
}

vp_status vp_answer_read(const vp_question *q, const char *text, vp_answer *out, vp_error *error)
{
    vp_words words = {text};
    const char *word;
    size_t length;
    *out = (vp_answer){.kind = VP_ANSWER_OTHER};
    const bool good = q->family->forms != NULL ? read_form(q, &words, out) : q->family->read(q, &words, out);
    if (out->no_memory)
        return vp_fail(error, VP_E_MEMORY, "no memory for an answer");
    if (good && !vp_word_next(&words, &word, &length))
        return VP_OK;
    return vp_fail(error, VP_E_FORMAT, "'%.60s%s' is not an answer to %s", text, strlen(text) > 60 ? "..." : "", q->family->name);
}

void vp_answer_drop(vp_answer *answer)
{
    free(answer->number);
    free(answer->vertex);
    *answer = (vp_answer){.kind = VP_ANSWER_OTHER};
}

/* ---- messages ---- */

/* The number of alternatives, and each of them. */
static size_t count_of(const json_t *expected)
{
    return json_is_array(expected) ? json_array_size(expected) : 1;
}

static const json_t *alternative_of(const json_t *expected, size_t i)
{
    return json_is_array(expected) ? json_array_get(expected, i) : expected;
}

static bool has(const json_t *alternative, const char *member)
{
    return json_is_true(json_object_get(alternative, member));
}

/* Appends an alternative in words. */
static void describe(const json_t *alternative, char *to, size_t room)
{
    static const char *const numbered[] = {"triangle", "object"};
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
        snprintf(place, sizeof place, "cell %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT,
                 json_integer_value(json_array_get(cell, 0)), json_integer_value(json_array_get(cell, 1)),
                 json_integer_value(json_array_get(cell, 2)));
    for (size_t i = 0; i < sizeof numbered / sizeof numbered[0]; i++)
        if (json_object_get(alternative, numbered[i]) != NULL)
            snprintf(place, sizeof place, "%s %" JSON_INTEGER_FORMAT, numbered[i],
                     json_integer_value(json_object_get(alternative, numbered[i])));
    snprintf(to + at, room - at, "%s at t from %.9g to %.9g", place, (double)vp_value_bits(json_array_get(t, 0)),
             (double)vp_value_bits(json_array_get(t, 1)));
}

static void say_wrong(const json_t *expected, const vp_answer *answer, const char *words, char reason[VP_REASON_BYTES])
{
    char right[VP_REASON_BYTES] = "";
    const size_t count = count_of(expected);
    for (size_t i = 0; i < count && strlen(right) < 120; i++) {
        if (i > 0)
            strcat(right, ", or ");
        describe(alternative_of(expected, i), right, sizeof right - 8);
    }
    if (answer->kind == VP_ANSWER_HIT)
        vp_reason_say(reason, "t is %.9g in '%.60s'; right is %.150s", (double)answer->t, words, right);
    else
        vp_reason_say(reason, "'%.60s%s'; right is %.150s", words, strlen(words) > 60 ? "..." : "", right);
}

/* ---- by the expected answer ---- */

static bool may_refuse(const vp_question *q, const json_t *expected)
{
    for (size_t i = 0; i < count_of(expected); i++) {
        const json_t *alternative = alternative_of(expected, i);
        if (has(alternative, "refused") || (q->family->may_refuse != NULL && q->family->may_refuse(alternative)))
            return true;
    }
    return false;
}

static vp_status judge_answer(const vp_question *q, const json_t *expected, const vp_answer *answer, const char *words, vp_result *out,
                              char reason[VP_REASON_BYTES], vp_error *error)
{
    *out = VP_RESULT_FAIL;
    for (size_t i = 0; i < count_of(expected); i++) {
        const json_t *alternative = alternative_of(expected, i);
        bool right = has(alternative, "none") && answer->kind == VP_ANSWER_NONE;
        vp_status status = VP_OK;
        reason[0] = '\0';
        if (!has(alternative, "none") && !has(alternative, "refused"))
            status = q->family->judge(&(vp_judging){q, alternative, answer, reason, error}, &right);
        if (status != VP_OK)
            return status;
        if (right) {
            *out = VP_RESULT_PASS;
            return VP_OK;
        }
    }
    if (reason[0] == '\0')
        say_wrong(expected, answer, words, reason);
    return VP_OK;
}

vp_status vp_judge(const vp_question *q, const json_t *expected, const char *text, vp_result *out, char reason[VP_REASON_BYTES],
                   vp_error *error)
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
        *out = may_refuse(q, expected) ? VP_RESULT_PASS : VP_RESULT_REFUSED;
        if (*out == VP_RESULT_REFUSED)
            vp_reason_say(reason, "refused%s%.200s", *words.at != '\0' ? ":" : "", words.at);
        return VP_OK;
    }
    vp_status status = vp_answer_read(q, text, &answer, &why);
    if (status == VP_OK) {
        status = judge_answer(q, expected, &answer, text, out, reason, error);
    } else if (status == VP_E_FORMAT) {
        if (q->family->unread != NULL)
            q->family->unread(q, text, reason);
        if (reason[0] == '\0')
            vp_reason_say(reason, "%.230s", why.message);
        status = VP_OK;
    } else {
        vp_fail(error, status, "%s", why.message);
    }
    vp_answer_drop(&answer);
    return status;
}

/* ---- judging by another program's answer ---- */

vp_status vp_like_undecided(const vp_likening *l, const char *why)
{
    *l->out = VP_LIKE_UNDECIDED;
    vp_reason_say(l->reason, "%s", why);
    return VP_OK;
}

vp_status vp_like_expected(const vp_likening *l, const char *words, json_t *expected, bool *right)
{
    vp_result result = VP_RESULT_FAIL;
    *right = false;
    if (expected == NULL)
        return vp_fail(l->error, VP_E_MEMORY, "no memory for what is expected");
    const vp_status status = vp_judge(l->q, expected, words, &result, l->reason, l->error);
    json_decref(expected);
    *right = status == VP_OK && result == VP_RESULT_PASS;
    *l->out = *right ? VP_LIKE_RIGHT : VP_LIKE_WRONG;
    return status;
}

vp_status vp_judge_like(const vp_likening *l)
{
    json_t *expected = l->q->family->unsound != NULL ? l->q->family->unsound(l->q) : NULL;
    bool same;
    vp_answer answer;
    vp_error why;
    l->reason[0] = '\0';
    if (expected != NULL)
        return vp_like_expected(l, l->words, expected, &same);
    if (vp_word_said(&(vp_words){l->right}, "refused"))
        return vp_like_undecided(l, "it is refused, and could be answered");
    vp_status status = vp_answer_read(l->q, l->right, &answer, &why);
    if (status == VP_OK)
        status = l->q->family->like != NULL ? l->q->family->like(l, &answer)
                                            : vp_like_expected(l, l->words, l->q->family->expect(l->q, &answer), &same);
    else if (status == VP_E_FORMAT)
        status = vp_like_undecided(l, why.message);
    else
        vp_fail(l->error, status, "%s", why.message);
    vp_answer_drop(&answer);
    return status;
}
