/* SPDX-License-Identifier: MIT */
/* Reading and writing of questions, for `voxphys reduce --adapter`. */
#define _POSIX_C_SOURCE 200809L /* access */
#include "tools/reduce/reduce.h"

#include <stdlib.h>
#include <unistd.h>

#include "src/core/file.h"
#include "src/core/memory.h"
#include "host/program.h"
#include "host/bytes.h"
#include "conformance/corpus.h"

enum { MAX_BYTES = 64 << 20 };

/* ---- reading ---- */

static vp_status open_vector(const char *id, vp_question *out, json_t **expected, vp_error *error)
{
    vp_corpus corpus;
    vp_status status = vp_corpus_open(NULL, &corpus, error);
    const vp_vector *found = NULL;
    for (size_t f = 0; status == VP_OK && f < corpus.families; f++)
        for (size_t v = 0; v < corpus.family[f].count; v++)
            if (strcmp(corpus.family[f].vector[v].id, id) == 0)
                found = &corpus.family[f].vector[v];
    if (status == VP_OK && found == NULL)
        status = vp_fail(error, VP_E_ARGUMENT, "the corpus has no vector \"%.80s\"", id);
    if (status == VP_OK) {
        *expected = json_deep_copy(found->expected);
        status = *expected != NULL ? vp_question_copy(&found->question, out, error) : vp_fail(error, VP_E_MEMORY, "no memory for a vector");
    }
    vp_corpus_close(&corpus);
    return status;
}

/* Reads {"family": "hull3", "input": {...}}, or a vector of the corpus, whose "id" begins with the family. */
static vp_status read_json(const char *text, size_t size, vp_question *out, json_t **expected, vp_error *error)
{
    json_error_t where;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    const char *family = json_string_value(json_object_get(root, "family"));
    vp_status status;
    if (family == NULL)
        family = json_string_value(json_object_get(root, "id"));
    const vp_family *of = family != NULL ? vp_family_named(family, strcspn(family, "/")) : NULL;
    if (root == NULL) {
        status = vp_fail(error, VP_E_FORMAT, "line %d: not JSON: %.120s", where.line, where.text);
    } else if (of == NULL) {
        status = vp_fail(error, VP_E_FORMAT, "neither \"family\" nor \"id\" names a family");
    } else if (json_object_get(root, "expected") != NULL) {
        vp_vector v = {.question = {.family = of}};
        status = vp_vector_of(of, root, NULL, &v, error);
        *out = v.question;
        *expected = status == VP_OK ? json_incref(json_object_get(root, "expected")) : NULL;
    } else {
        status = vp_question_of(of, json_object_get(root, "input"), out, error);
    }
    json_decref(root);
    return status;
}

/* Number of lines of a text that have words. */
static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *(text += strspn(text, " \t\r\n")) != '\0'; text += strcspn(text, "\n"))
        lines++;
    return lines;
}

/* Reads a line of the protocol: with its number and optionally the sender's mark, or from the family on. */
static vp_status read_line(char *text, vp_question *out, vp_error *error)
{
    text[strcspn(text, "\r\n")] = '\0';
    vp_words words = {text};
    const char *word;
    size_t length;
    bool any = vp_word_next(&words, &word, &length);
    if (any && vp_word_is(word, length, ">"))
        any = vp_word_next(&words, &word, &length);
    if (any && strspn(word, "0123456789") == length)
        any = vp_word_next(&words, &word, &length);
    const vp_family *family = any ? vp_family_named(word, length) : NULL;
    if (family == NULL)
        return vp_fail(error, VP_E_FORMAT,
                       "it begins neither with {, as a vector in JSON, nor with the name of a family, nor "
                       "with a number and that");
    return vp_question_read(&words, family, out, error);
}

vp_status vp_question_open(const char *name, vp_question *out, json_t **expected, vp_error *error)
{
    const vp_allocator a = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    *out = (vp_question){.family = NULL};
    const size_t family = strcspn(name, "/");
    if (name[family] == '/' && vp_family_named(name, family) != NULL && access(name, F_OK) != 0)
        return open_vector(name, out, expected, error);
    VP_RETURN_IF_FAILED(vp_file_read(name, MAX_BYTES, &a, &bytes, &size, error));
    char *text = malloc(size + 1);
    vp_error reason;
    vp_status status = VP_OK;
    if (text == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(name).text);
    } else {
        if (size != 0)
            memcpy(text, bytes, size);
        text[size] = '\0';
        const size_t begin = strspn(text, " \t\r\n"), lines = lines_of(text);
        status = text[begin] == '{' ? read_json(text, size, out, expected, &reason) : read_line(text + begin, out, &reason);
        if (status != VP_OK)
            vp_fail(error, status, "%s: %.300s", vp_show_path(name).text, reason.message);
        else if (text[begin] != '{' && lines > 1)
            fprintf(stderr, "voxphys reduce: %s has %zu lines: only the first is taken\n", vp_show_path(name).text, lines);
    }
    free(text);
    vp_release(&a, bytes, size, 1);
    return status;
}

/* ---- writing ---- */

vp_status vp_question_save(const vp_question *q, const char *about, const char *path, vp_error *error)
{
    json_t *json = json_pack("{s:s, s:s, s:s, s:[], s:[], s:o}", "family", q->family->name, "name", "found", "about", about, "flags",
                             "cites", "input", vp_question_input(q));
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    vp_bytes bytes = {0};
    if (text != NULL) {
        vp_bytes_add(&bytes, text, strlen(text));
        vp_bytes_add(&bytes, "\n", 1);
    }
    const vp_status status = text == NULL || bytes.failed
                                 ? vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text)
                                 : vp_file_replace(path, bytes.at, bytes.size, error);
    free(bytes.at);
    free(text);
    return status;
}
