/* SPDX-License-Identifier: MIT */
/* Reads the corpus and validates it by conformance/corpus/schema.json and by rules that a schema cannot express. So no answer is judged by
 * an invalid vector. */
#include "conformance/corpus.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/core/file.h"
#include "src/core/memory.h"
#include "datasets/datasets.h"
#include "datasets/manifest_data.h"
#include "datasets/hash.h"

enum { SCHEMA = 1, MAJOR = 1, MAX_BYTES = 64 << 20, MAX_VECTORS = 1 << 20 };

static const char *const promises[VP_PROMISE_COUNT] = {"exact", "set", "tie", "bound", "property"};

const char *vp_promise_name(vp_promise promise)
{
    return promises[promise];
}

/* ---- members ---- */

/* "owner/name#12" */
static bool is_cite(json_t *value)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-", digits[] = "0123456789";
    const char *text = json_string_value(value);
    const size_t owner = text != NULL ? strspn(text, letters) : 0;
    if (owner == 0 || text[owner] != '/')
        return false;
    const size_t name = strspn(text + owner + 1, letters);
    const char *mark = text + owner + 1 + name;
    return name > 0 && *mark == '#' && mark[1] != '\0' && mark[1 + strspn(mark + 1, digits)] == '\0';
}

static bool is_set(json_t *value)
{
    return json_array_size(value) > 0 && vp_value_unique(value);
}

static bool is_explained(json_t *value)
{
    const char *name;
    json_t *words;
    json_object_foreach (value, name, words)
        if (json_string_length(words) == 0)
            return false;
    return true;
}

static bool is_alternatives(json_t *value)
{
    return json_is_object(value) || json_array_size(value) > 0;
}

static const vp_value one_cite = {.type = JSON_STRING, .also = is_cite};
static const vp_value cites = {.type = JSON_ARRAY, .part = &one_cite, .also = is_set},
                      flags_value = {.type = JSON_ARRAY, .part = &vp_is_words, .also = is_set},
                      explained = {.type = JSON_OBJECT, .also = is_explained},
                      alternatives = {.part = &vp_is_object, .also = is_alternatives, .type = JSON_NULL};

static const vp_member head_members[] = {
    {.name = "schema", .is = &vp_is_anything}, {.name = "version", .is = &vp_is_words},    {.name = "family", .is = &vp_is_words},
    {.name = "title", .is = &vp_is_words},     {.name = "question", .is = &vp_is_words},   {.name = "answer", .is = &vp_is_words},
    {.name = "flags", .is = &explained},       {.name = "vectors", .is = &vp_is_anything}, {.name = NULL},
};

static const vp_member vector_members[] = {
    {.name = "id", .is = &vp_is_words},
    {.name = "about", .is = &vp_is_words},
    {.name = "promise", .is = &vp_is_words},
    {.name = "reason", .is = &vp_is_words, .otherwise = ""},
    {.name = "flags", .is = &flags_value, .otherwise = ""},
    {.name = "cites", .is = &cites, .otherwise = ""},
    {.name = "input", .is = &vp_is_object},
    {.name = "expected", .is = &alternatives},
    {.name = NULL},
};

static const vp_member none_members[] = {{.name = "none", .is = &vp_is_true}, {.name = NULL}},
                       refused_members[] = {{.name = "refused", .is = &vp_is_true}, {.name = NULL}};

/* "1.0.2", whose first number must be the known one */
static bool is_version(const char *text)
{
    long number[3];
    for (int i = 0; i < 3; i++) {
        const size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 6 || text[digits] != (i < 2 ? '.' : '\0'))
            return false;
        number[i] = strtol(text, NULL, 10);
        text += digits + 1;
    }
    return number[0] == MAJOR;
}

/* ---- a vector ---- */

static vp_status check_alternative(const vp_question *q, json_t *alternative, bool by_property, vp_error *error)
{
    const vp_family *family = q->family;
    const bool none = json_object_get(alternative, "none") != NULL, refused = json_object_get(alternative, "refused") != NULL;
    const vp_member *members = none      ? ((family->promises & VP_NONE) != 0 ? none_members : NULL)
                               : refused ? ((family->promises & VP_REFUSED) != 0 ? refused_members : NULL)
                                         : family->expected;
    const vp_status status = vp_members_check(alternative, (const vp_member *const[]){members, NULL}, "\"expected\": ", error);
    if (status != VP_OK)
        return status;
    const char *checker = json_string_value(json_object_get(alternative, "checker"));
    if ((checker != NULL) != by_property || (checker != NULL && strcmp(checker, family->checker) != 0))
        return vp_expected_wrong(alternative, "checker", error);
    return none || refused || family->sound == NULL ? VP_OK : family->sound(q, alternative, error);
}

static vp_status check_expected(const vp_question *q, json_t *expected, vp_promise promise, vp_error *error)
{
    const size_t count = json_is_array(expected) ? json_array_size(expected) : 1;
    if ((q->family->promises & 1u << promise) == 0)
        return vp_fail(error, VP_E_FORMAT, "\"promise\": %s does not support %s", q->family->name, vp_promise_name(promise));
    if ((count > 1) != (promise == VP_PROMISE_TIE))
        return vp_fail(error, VP_E_FORMAT, "\"expected\": a tie needs two or more answers, every other promise one");
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < count; i++)
        status =
            check_alternative(q, json_is_array(expected) ? json_array_get(expected, i) : expected, promise == VP_PROMISE_PROPERTY, error);
    return status;
}

/* Checks a vector that was read: its flags, its cites and its expected answer. */
static vp_status check_vector(const vp_vector *v, json_t *json, json_t *flags, vp_error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const char *name = v->id + strlen(v->question.family->name) + 1;
    vp_status status = vp_members_check(json, (const vp_member *const[]){vector_members, NULL}, "", error);
    if (status != VP_OK)
        return status;
    if (*name == '\0' || name[strspn(name, letters)] != '\0')
        return vp_fail(error, VP_E_FORMAT, "\"id\" has other letters than a-z, digits and -");
    if (v->promise == VP_PROMISE_BOUND && json_object_get(json, "reason") == NULL)
        return vp_fail(error, VP_E_FORMAT, "\"reason\" of a bound is missing");
    size_t i;
    json_t *flag;
    json_array_foreach (json_object_get(json, "flags"), i, flag)
        if (flags != NULL && json_object_get(flags, json_string_value(flag)) == NULL)
            return vp_fail(error, VP_E_FORMAT, "the flag \"%.60s\" is not explained in the head", json_string_value(flag));
    return check_expected(&v->question, json_object_get(json, "expected"), v->promise, error);
}

vp_status vp_vector_of(const vp_family *family, json_t *json, json_t *flags, vp_vector *out, vp_error *error)
{
    const char *promise = json_string_value(json_object_get(json, "promise"));
    const char *name = family->name;
    out->id = json_string_value(json_object_get(json, "id"));
    out->about = json_string_value(json_object_get(json, "about"));
    out->expected = json_object_get(json, "expected");
    out->cites = json_object_get(json, "cites");
    if (out->id == NULL || strncmp(out->id, name, strlen(name)) != 0 || out->id[strlen(name)] != '/')
        return vp_fail(error, VP_E_FORMAT, "\"id\" is not a text that begins with %s/: it is %s", name,
                       vp_value_shown(json_object_get(json, "id")).text);
    if (out->about == NULL)
        return vp_fail(error, VP_E_FORMAT, "%.80s: \"about\" is missing", out->id);
    if (!json_is_object(out->expected) && json_array_size(out->expected) == 0)
        return vp_fail(error, VP_E_FORMAT, "%.80s: \"expected\" is %s: must be an object or a list with an object", out->id,
                       vp_value_shown(out->expected).text);
    int p = 0;
    while (p < VP_PROMISE_COUNT && (promise == NULL || strcmp(promise, promises[p]) != 0))
        p++;
    if (p == VP_PROMISE_COUNT)
        return vp_fail(error, VP_E_FORMAT, "%.80s: \"promise\" is %s: must be one of exact, set, tie, bound, property", out->id,
                       vp_value_shown(json_object_get(json, "promise")).text);
    out->promise = (vp_promise)p;
    vp_error reason;
    vp_status status = vp_question_of(family, json_object_get(json, "input"), &out->question, &reason);
    if (status == VP_OK)
        status = check_vector(out, json, flags, &reason);
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

static vp_status read_family(const vp_family *family, vp_corpus *corpus, vp_corpus_family *out, vp_error *error)
{
    const json_t *vectors = json_object_get(out->root, "vectors");
    const char *version = json_string_value(json_object_get(out->root, "version"));
    const char *named = json_string_value(json_object_get(out->root, "family"));
    const json_t *schema = json_object_get(out->root, "schema");
    out->family = family;
    out->title = json_string_value(json_object_get(out->root, "title"));
    if (!json_is_integer(schema) || json_integer_value(schema) != SCHEMA)
        return vp_fail(error, VP_E_FORMAT, "\"schema\" is not %d, the one that is known here: it is %s", SCHEMA,
                       vp_value_shown(schema).text);
    if (named == NULL || strcmp(named, family->name) != 0)
        return vp_fail(error, VP_E_FORMAT, "\"family\" is not \"%s\": it is %s", family->name,
                       vp_value_shown(json_object_get(out->root, "family")).text);
    if (version == NULL || strlen(version) >= sizeof corpus->version || out->title == NULL)
        return vp_fail(error, VP_E_FORMAT, "\"version\" or \"title\" is missing, or too long");
    if (corpus->families == 0)
        memcpy(corpus->version, version, strlen(version) + 1);
    else if (strcmp(version, corpus->version) != 0)
        return vp_fail(error, VP_E_FORMAT, "\"version\" is %s, and that of %s is %s", version, corpus->family[0].family->name,
                       corpus->version);
    if (!is_version(version))
        return vp_fail(error, VP_E_FORMAT, "\"version\" is '%.20s': must be %d and two more numbers, e.g. %d.0.0", version, MAJOR, MAJOR);
    const vp_status sound = vp_members_check(out->root, (const vp_member *const[]){head_members, NULL}, "", error);
    if (sound != VP_OK)
        return sound;
    if (json_array_size(vectors) == 0 || json_array_size(vectors) > MAX_VECTORS)
        return vp_fail(error, VP_E_FORMAT, "\"vectors\" must be a list of 1 to %d", MAX_VECTORS);
    const size_t count = json_array_size(vectors);
    out->vector = calloc(count + 1, sizeof *out->vector);
    if (out->vector == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu vectors", count);
    for (; out->count < count; out->count++) {
        vp_error reason;
        const vp_status status = vp_vector_of(family, json_array_get(vectors, out->count), json_object_get(out->root, "flags"),
                                              &out->vector[out->count], &reason);
        if (status != VP_OK) {
            vp_fail(error, status, "vector %zu: %.300s", out->count, reason.message);
            out->count++; /* counted before, so that closing drops its memory */
            return status;
        }
    }
    return check_ids(out, error);
}

/* @param found  whether the file exists */
static vp_status load_family(const char *path, const vp_family *family, vp_corpus *corpus, bool *found, vp_error *error)
{
    vp_corpus_family *f = &corpus->family[corpus->families];
    const vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    json_error_t where;
    vp_error reason;
    *found = access(path, F_OK) == 0; /* an unreadable file is an error */
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
    corpus->families++; /* also if invalid, so that closing frees it */
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
    /* The named folder, otherwise the installed one or the one in the source tree. */
    static const char *const places[] = {"/conformance", "/../conformance/corpus"};
    for (size_t p = 0; status == VP_OK && out->families == 0 && p < (folder != NULL ? 1 : 2); p++) {
        for (const vp_family *const *f = vp_families; status == VP_OK && *f != NULL; f++) {
            bool found;
            snprintf(path, room, "%s%s/%s.json", data, folder != NULL ? "" : places[p], (*f)->name);
            status = load_family(path, *f, out, &found, error);
        }
    }
    if (status == VP_OK && out->families == 0)
        status = vp_fail(error, VP_E_IO, "%s%s has no file of a family, such as %s.json", vp_show_path(data).text,
                         folder != NULL ? "" : places[0], vp_families[0]->name);
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
