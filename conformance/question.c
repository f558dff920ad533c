/* SPDX-License-Identifier: MIT */
/* A vector's input is turned into the words of its question, which are then read like an adapter's words. So there is one
 * reader for both. */
#include <stdlib.h>

#include "conformance/family.h"

static vp_status no_memory(vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for a question");
}

vp_status vp_question_read(vp_words *words, const vp_family *family, vp_question *out, vp_error *error)
{
    vp_reader r = {words, words->at, words->at, error};
    const char *word;
    size_t length;
    vp_status status = VP_OK;
    *out = (vp_question){.family = family};
    for (size_t i = 0; status == VP_OK && family->part[i] != NULL; i++) {
        out->part[i] = calloc(1, family->part[i]->size);
        status = out->part[i] == NULL            ? no_memory(error)
                 : family->part[i]->read != NULL ? family->part[i]->read(&r, family->part[i], out->part[i])
                                                 : vp_part_read(&r, family->part[i], out->part[i]);
    }
    if (status == VP_OK && vp_word_next(words, &word, &length))
        status = vp_fail(error, VP_E_FORMAT, "there are more words than a question of %s has, from '%.*s' on", family->name,
                         (int)(length < 40 ? length : 40), word);
    return status;
}

static void write_parts(const vp_question *q, FILE *to)
{
    for (size_t i = 0; q->family->part[i] != NULL; i++)
        (q->family->part[i]->write != NULL ? q->family->part[i]->write : vp_part_write)(q->family->part[i], q->part[i], to);
}

/* Writes the family's name and the words of the question, without a line feed. */
static void question_write(const vp_question *q, FILE *to)
{
    fputs(q->family->name, to);
    write_parts(q, to);
}

void vp_question_drop(vp_question *q)
{
    for (size_t i = 0; i < VP_QUESTION_PARTS; i++) {
        if (q->part[i] != NULL)
            vp_part_drop(q->family->part[i], q->part[i]);
        free(q->part[i]);
    }
    *q = (vp_question){.family = q->family};
}

char *vp_question_line(const vp_question *q, size_t number, size_t *length)
{
    char *line = NULL;
    FILE *to = open_memstream(&line, length);
    if (to == NULL)
        return NULL;
    fprintf(to, "%zu ", number);
    question_write(q, to);
    putc('\n', to);
    if (fclose(to) == 0)
        return line;
    free(line);
    return NULL;
}

/* The words after a family's name. The caller frees them, NULL without memory. */
static char *words_of(const vp_question *q)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return NULL;
    write_parts(q, to);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

vp_status vp_question_copy(const vp_question *q, vp_question *out, vp_error *error)
{
    *out = (vp_question){.family = q->family};
    for (size_t i = 0; q->family->part[i] != NULL; i++) {
        out->part[i] = calloc(1, q->family->part[i]->size);
        if (out->part[i] == NULL || !vp_part_copy(q->family->part[i], q->part[i], out->part[i]))
            return no_memory(error);
    }
    return VP_OK;
}

/* ---- in JSON ---- */

static bool flatten_part(const vp_member *members, const json_t *input, FILE *to)
{
    for (const vp_member *m = members; m->name != NULL; m++)
        if (vp_member_is_counted(m))
            fprintf(to, " %zu", json_array_size(json_object_get(input, m->name)));
    for (const vp_member *m = members; m->name != NULL; m++) {
        const json_t *value = json_object_get(input, m->name);
        if (value == NULL && m->otherwise != NULL)
            fputs(m->otherwise, to);
        else if (!vp_value_flatten(value, to))
            return false;
    }
    return true;
}

static bool flatten(const vp_family *family, const json_t *input, FILE *to)
{
    bool good = true;
    for (size_t i = 0; good && family->part[i] != NULL; i++)
        good = flatten_part(family->part[i]->members, input, to);
    return good;
}

static vp_status check_input(const vp_family *family, json_t *input, vp_error *error)
{
    const vp_member *lists[VP_QUESTION_PARTS + 1] = {NULL};
    for (size_t i = 0; family->part[i] != NULL; i++)
        lists[i] = family->part[i]->members;
    return vp_members_check(input, lists, "\"input\": ", error);
}

vp_status vp_question_of(const vp_family *family, json_t *input, vp_question *out, vp_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    *out = (vp_question){.family = family};
    if (to == NULL)
        return no_memory(error);
    const bool good = flatten(family, input, to);
    vp_error reason;
    vp_status status;
    if (fclose(to) != 0)
        status = no_memory(error);
    else if (good)
        status = vp_question_read(&(vp_words){text}, family, out, error);
    else if (check_input(family, input, &reason) == VP_OK) /* so writing failed */
        status = no_memory(error);
    else
        status =
            vp_fail(error, VP_E_FORMAT, "\"input\" lacks a member, or has one that is not of numbers and words: %.160s", reason.message);
    free(text);
    return status == VP_OK ? check_input(family, input, error) : status; /* words do not show how lists were nested */
}

json_t *vp_question_input(const vp_question *q)
{
    char *text = words_of(q);
    json_t *input = text != NULL ? json_object() : NULL;
    vp_words words = {text};
    for (size_t i = 0; input != NULL && q->family->part[i] != NULL; i++) {
        const vp_member *members = q->family->part[i]->members;
        int64_t count[4] = {0};
        for (size_t m = 0; members[m].name != NULL; m++)
            if (vp_member_is_counted(&members[m]))
                vp_word_whole(&words, 0, UINT32_MAX, &count[m]);
        for (size_t m = 0; members[m].name != NULL; m++) {
            const char *begin = words.at;
            json_t *value = vp_value_of(members[m].is, &words, vp_member_is_counted(&members[m]) ? (size_t)count[m] : SIZE_MAX);
            if (members[m].otherwise != NULL && vp_word_is(begin, (size_t)(words.at - begin), members[m].otherwise))
                json_decref(value);
            else
                json_object_set_new(input, members[m].name, value);
        }
    }
    free(text);
    return input;
}
