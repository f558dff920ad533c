/* SPDX-License-Identifier: MIT */
/* A vector's input becomes the words of its question, which are then read as an adapter reads them: one reader for both. */
#include "conformance/corpus.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "datasets/datasets.h"
#include "datasets/manifest_data.h"
#include "datasets/hash.h"
#include "conformance/sound.h"

enum { SCHEMA = 1, MAJOR = 1, MAX_BYTES = 64 << 20, MAX_VECTORS = 1 << 20 };

static const char *const promises[VP_PROMISE_COUNT] = {"exact", "set", "tie", "bound", "property"};

const char *vp_promise_name(vp_promise promise)
{
    return promises[promise];
}

/* ---- a vector ---- */

/* Every number and text in a value, in its order, as words. @return false for what is neither */
static bool flatten(const json_t *value, FILE *to)
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
        if (!flatten(part, to))
            return false;
    return true;
}

static bool flatten_member(const json_t *input, const char *name, FILE *to)
{
    return flatten(json_object_get(input, name), to);
}

static bool write_words(vp_asked_family family, const json_t *input, FILE *to)
{
    bool good = true;
    if (vp_questions_have_cells(family)) {
        good = flatten_member(input, "extents", to);
        if (family == VP_ASKED_GRID_WALK && json_object_get(input, "first") == NULL)
            fputs(" 0 0 0", to);
        else if (family == VP_ASKED_GRID_WALK)
            good = good && flatten_member(input, "first", to);
        good = good && flatten_member(input, family == VP_ASKED_MESHER ? "full" : "cells", to);
    }
    if (family == VP_ASKED_RAY_TRIANGLE)
        good = flatten_member(input, "triangle", to);
    if (vp_questions_have_triangles(family)) {
        fprintf(to, " %zu %zu", json_array_size(json_object_get(input, "vertices")), json_array_size(json_object_get(input, "triangles")));
        good = flatten_member(input, "vertices", to) && flatten_member(input, "triangles", to);
    } else if (vp_questions_have_points(family) && family != VP_ASKED_RAY_TRIANGLE) {
        fprintf(to, " %zu", json_array_size(json_object_get(input, "points")));
        good = flatten_member(input, "points", to);
    }
    if (vp_questions_have_box(family))
        good = good && flatten_member(input, "min", to) && flatten_member(input, "max", to);
    if (vp_questions_have_ray(family))
        good = good && flatten_member(input, "origin", to) && flatten_member(input, "direction", to) && flatten_member(input, "t_max", to);
    return good;
}

vp_status vp_question_of(vp_asked_family family, json_t *input, vp_question *out, vp_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a question");
    const bool good = write_words(family, input, to);
    const bool whole = fclose(to) == 0;
    vp_error reason;
    vp_status status;
    if (!whole)
        status = vp_fail(error, VP_E_MEMORY, "no memory for a question");
    else if (!good && vp_sound_input(family, input, &reason) != VP_OK)
        status = vp_fail(error, VP_E_FORMAT, "\"input\" lacks a member, or has one that is not of numbers and words: %.160s", reason.message);
    else if (!good)
        status = vp_fail(error, VP_E_FORMAT, "\"input\" has a member that is not of numbers and words");
    else
        status = vp_question_read(&(vp_words){text}, family, out, error);
    free(text);
    return status == VP_OK ? vp_sound_input(family, input, error) : status; /* words alone do not say how lists were nested */
}

vp_status vp_vector_of(vp_asked_family family, json_t *json, json_t *flags, vp_vector *out, vp_error *error)
{
    const char *promise = json_string_value(json_object_get(json, "promise"));
    const char *name = vp_questions_name(family);
    out->id = json_string_value(json_object_get(json, "id"));
    out->about = json_string_value(json_object_get(json, "about"));
    out->expected = json_object_get(json, "expected");
    out->cites = json_object_get(json, "cites");
    if (out->id == NULL || strncmp(out->id, name, strlen(name)) != 0 || out->id[strlen(name)] != '/')
        return vp_fail(error, VP_E_FORMAT, "\"id\" is not a text that begins with %s/: it is %s", name, vp_value_shown(json_object_get(json, "id")).text);
    if (out->about == NULL)
        return vp_fail(error, VP_E_FORMAT, "%.80s: \"about\" is missing", out->id);
    if (!json_is_object(out->expected) && json_array_size(out->expected) == 0)
        return vp_fail(error, VP_E_FORMAT, "%.80s: \"expected\" is no object, and no list of some: it is %s", out->id, vp_value_shown(out->expected).text);
    int p = 0;
    while (p < VP_PROMISE_COUNT && (promise == NULL || strcmp(promise, promises[p]) != 0))
        p++;
    if (p == VP_PROMISE_COUNT)
        return vp_fail(error, VP_E_FORMAT, "%.80s: \"promise\" is none of exact, set, tie, bound, property: it is %s", out->id,
                       vp_value_shown(json_object_get(json, "promise")).text);
    out->promise = (vp_promise)p;
    vp_error reason;
    vp_status status = vp_question_of(family, json_object_get(json, "input"), &out->question, &reason);
    if (status == VP_OK)
        status = vp_sound_vector(out, json, flags, &reason);
    return status == VP_OK ? VP_OK : vp_fail(error, status, "%.80s: %.240s", out->id, reason.message);
}

/* ---- a family ---- */

static int by_id(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static vp_status check_ids(const vp_corpus_family *f, vp_error *error)
{
    const char **id = malloc((f->count + 1) * sizeof *id);
    vp_status status = VP_OK;
    if (id == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu vectors", f->count);
    for (size_t i = 0; i < f->count; i++)
        id[i] = f->vector[i].id;
    qsort(id, f->count, sizeof *id, by_id);
    for (size_t i = 1; status == VP_OK && i < f->count; i++)
        if (strcmp(id[i - 1], id[i]) == 0)
            status = vp_fail(error, VP_E_FORMAT, "\"%.80s\" is there twice", id[i]);
    free(id);
    return status;
}

static vp_status read_family(vp_asked_family family, vp_corpus *corpus, vp_corpus_family *out, vp_error *error)
{
    const json_t *vectors = json_object_get(out->root, "vectors");
    const char *version = json_string_value(json_object_get(out->root, "version"));
    const char *named = json_string_value(json_object_get(out->root, "family"));
    const json_t *schema = json_object_get(out->root, "schema");
    out->family = family;
    out->title = json_string_value(json_object_get(out->root, "title"));
    if (!json_is_integer(schema) || json_integer_value(schema) != SCHEMA)
        return vp_fail(error, VP_E_FORMAT, "\"schema\" is not %d, the one that is known here: it is %s", SCHEMA, vp_value_shown(schema).text);
    if (named == NULL || strcmp(named, vp_questions_name(family)) != 0)
        return vp_fail(error, VP_E_FORMAT, "\"family\" is not \"%s\": it is %s", vp_questions_name(family), vp_value_shown(json_object_get(out->root, "family")).text);
    if (version == NULL || strlen(version) >= sizeof corpus->version || out->title == NULL)
        return vp_fail(error, VP_E_FORMAT, "\"version\" or \"title\" is missing, or too long");
    if (corpus->families == 0)
        memcpy(corpus->version, version, strlen(version) + 1);
    else if (strcmp(version, corpus->version) != 0)
        return vp_fail(error, VP_E_FORMAT, "\"version\" is %s, and that of %s is %s", version, vp_questions_name(corpus->family[0].family), corpus->version);
    if (!vp_sound_version(version, MAJOR))
        return vp_fail(error, VP_E_FORMAT, "\"version\" is '%.20s', and what is known here is %d and two more numbers, as in %d.0.0", version, MAJOR, MAJOR);
    const vp_status sound = vp_sound_head(family, out->root, error);
    if (sound != VP_OK)
        return sound;
    if (json_array_size(vectors) == 0 || json_array_size(vectors) > MAX_VECTORS)
        return vp_fail(error, VP_E_FORMAT, "\"vectors\" is no list of 1 to %d", MAX_VECTORS);
    const size_t count = json_array_size(vectors);
    out->vector = calloc(count + 1, sizeof *out->vector);
    if (out->vector == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu vectors", count);
    for (; out->count < count; out->count++) {
        vp_error reason;
        const vp_status status = vp_vector_of(family, json_array_get(vectors, out->count), json_object_get(out->root, "flags"), &out->vector[out->count], &reason);
        if (status != VP_OK) {
            vp_fail(error, status, "vector %zu: %.300s", out->count, reason.message);
            out->count++; /* what it holds is dropped */
            return status;
        }
    }
    return check_ids(out, error);
}

/* @param found  whether there is a file */
static vp_status load_family(const char *path, vp_asked_family family, vp_corpus *corpus, bool *found, vp_error *error)
{
    vp_corpus_family *f = &corpus->family[corpus->families];
    const vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    json_error_t where;
    vp_error reason;
    *found = access(path, F_OK) == 0; /* one that cannot be read is an error */
    if (!*found)
        return VP_OK;
    vp_status status = vp_file_read(path, MAX_BYTES, &allocator, &bytes, &size, error);
    if (status != VP_OK)
        return status;
    f->hash = vp_hash64(bytes, size);
    f->root = json_loadb(bytes != NULL ? (const char *)bytes : "", size, JSON_REJECT_DUPLICATES, &where);
    if (f->root == NULL)
        status = vp_fail(&reason, VP_E_FORMAT, "line %d, column %d: %.120s", where.line, where.column, where.text);
    else
        status = read_family(family, corpus, f, &reason);
    vp_release(&allocator, bytes, size, 1);
    corpus->families++; /* also one that is not sound, for what it holds */
    if (status != VP_OK) {
        vp_fail(error, status, "%.300s", reason.message);
        vp_name_file(error, "", path);
    }
    return status;
}

/* ---- the corpus ---- */

vp_status vp_corpus_open(const char *folder, vp_corpus *out, vp_error *error)
{
    vp_manifest *manifest = NULL;
    vp_status status = VP_OK;
    *out = (vp_corpus){.families = 0};
    if (folder == NULL)
        status = vp_manifest_open(NULL, &manifest, error);
    if (status != VP_OK)
        return status;
    const char *data = folder != NULL ? folder : vp_manifest_folder(manifest);
    const size_t room = strlen(data) + 64;
    char *path = malloc(room);
    if (path == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for a file name");
    /* Where it was named; else where it is installed, or in the tree of sources. */
    static const char *const places[] = {"/conformance", "/../conformance/corpus"};
    for (size_t p = 0; status == VP_OK && out->families == 0 && p < (folder != NULL ? 1 : 2); p++) {
        for (int f = 0; status == VP_OK && f < VP_ASKED_COUNT; f++) {
            bool found;
            snprintf(path, room, "%s%s/%s.json", data, folder != NULL ? "" : places[p], vp_questions_name((vp_asked_family)f));
            status = load_family(path, (vp_asked_family)f, out, &found, error);
        }
    }
    if (status == VP_OK && out->families == 0)
        status = vp_fail(error, VP_E_IO, "%s%s has no file of a family, such as %s.json", vp_show_path(data).text, folder != NULL ? "" : places[0],
                         vp_questions_name(VP_ASKED_DILATION));
    free(path);
    if (manifest != NULL)
        vp_manifest_close(manifest);
    return status;
}

void vp_corpus_close(vp_corpus *corpus)
{
    for (size_t f = 0; f < corpus->families; f++) {
        for (size_t i = 0; i < corpus->family[f].count; i++)
            vp_question_drop(&corpus->family[f].vector[i].question);
        free(corpus->family[f].vector);
        json_decref(corpus->family[f].root);
    }
    corpus->families = 0;
}

size_t vp_corpus_count(const vp_corpus *corpus)
{
    size_t count = 0;
    for (size_t f = 0; f < corpus->families; f++)
        count += corpus->family[f].count;
    return count;
}
