/* SPDX-License-Identifier: MIT */
/* Renaming of retired kernels and versions. Published files keep their old names. Readers replace them with today's names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/core/error.h"
#include "datasets/manifest_data.h"
#include "host/program.h"
#include "tools/results/results.h"

enum { WORD_BYTES = 64 };

/* Reads the map. Owned by the caller. */
static vp_status read_retired(const vp_manifest *manifest, json_t **out, vp_error *error)
{
    char path[VP_RESULT_PATH_BYTES];
    const char *key;
    json_t *value;
    *out = NULL;
    vp_status status = vp_result_path(vp_manifest_folder(manifest), "retired-names.json", path, error);
    if (status == VP_OK)
        status = vp_results_load(path, out, error);
    json_object_foreach (*out, key, value)
        if (status == VP_OK && !json_is_string(value))
            status = vp_fail(error, VP_E_FORMAT, "%s: \"%.60s\" has no name", vp_show_path(path).text, key);
    if (status != VP_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

/* Today's name of a word, or NULL if it is not retired. */
static const char *name_today(const char *word, size_t length, const json_t *retired)
{
    char copy[WORD_BYTES];
    if (length >= sizeof copy)
        return NULL;
    memcpy(copy, word, length);
    copy[length] = '\0';
    return json_string_value(json_object_get(retired, copy));
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Writes a text with today's names, terminated. `to` = NULL only measures. @return its length */
static size_t put_renamed(const char *text, const json_t *retired, char *to)
{
    size_t put = 0;
    while (*text != '\0') {
        size_t length = 0;
        while (in_word(text[length]))
            length++;
        const char *name = length > 0 ? name_today(text, length, retired) : NULL;
        if (length == 0)
            length = 1; /* a separator */
        const char *from = name != NULL ? name : text;
        const size_t bytes = name != NULL ? strlen(name) : length;
        if (to != NULL)
            memcpy(to + put, from, bytes);
        put += bytes;
        text += length;
    }
    if (to != NULL)
        to[put] = '\0';
    return put;
}

/* Today's WHO of a row's name, with the parameter that replaced a part of it, if any. NULL if the WHO is not retired or
 * the text is no row name. */
static const char *who_today(const char *name, const json_t *retired)
{
    const char *slash = strchr(name, '/');
    return slash == NULL || strchr(name, ' ') != NULL ? NULL : name_today(slash + 1, strcspn(slash + 1, "/"), retired);
}

/* "terrain_ray/scalar-cold/world/coherent" becomes "terrain_ray/scalar-object/world/coherent/cold" with
   "scalar-object/cold". Frees the old name. NULL = out of memory. */
static char *with_who(char *name, const char *who)
{
    const size_t room = strlen(name) + strlen(who) + 2, kernel = strcspn(name, "/") + 1, end = kernel + strcspn(name + kernel, "/");
    char *to = malloc(room);
    if (to != NULL)
        snprintf(to, room, "%.*s%.*s%s%s", (int)kernel, name, (int)strcspn(who, "/"), who, name + end, who + strcspn(who, "/"));
    free(name);
    return to;
}

/* Free the text. NULL = out of memory. */
static char *renamed_text(const char *text, const json_t *retired)
{
    const char *who = who_today(text, retired);
    char *to = malloc(put_renamed(text, retired, NULL) + 1);
    if (to != NULL)
        put_renamed(text, retired, to);
    return to != NULL && who != NULL ? with_who(to, who) : to;
}

/* Renames the parts of its name that a row repeats. */
static void rename_parts(const json_t *before, json_t *row, const json_t *retired)
{
    const char *was = vp_json_text(before, "name"), *name = vp_json_text(row, "name");
    vp_row_name n;
    if (was == NULL || name == NULL || json_object_get(row, "variant") == NULL || who_today(was, retired) == NULL ||
        !vp_row_name_read(name, &n))
        return;
    json_object_set_new(row, "variant", n.variant[0] != '\0' ? json_string(n.variant) : json_null());
    json_object_set_new(row, "parameter", n.rest[0] != '\0' ? json_string(n.rest) : json_null());
}

static json_t *renamed(json_t *value, const json_t *retired);

static json_t *renamed_object(json_t *object, const json_t *retired)
{
    json_t *out = json_object(), *value;
    const char *key;
    bool good = out != NULL;
    json_object_foreach (object, key, value) {
        char *name = good ? renamed_text(key, retired) : NULL;
        good = name != NULL && json_object_set_new(out, name, renamed(value, retired)) == 0;
        free(name);
    }
    if (good)
        rename_parts(object, out, retired);
    if (good)
        return out;
    json_decref(out);
    return NULL;
}

/* NULL = out of memory. */
static json_t *renamed(json_t *value, const json_t *retired)
{
    if (json_is_object(value))
        return renamed_object(value, retired);
    if (json_is_string(value)) {
        char *text = renamed_text(json_string_value(value), retired);
        json_t *out = text != NULL ? json_string(text) : NULL;
        free(text);
        return out;
    }
    if (!json_is_array(value))
        return json_incref(value);
    json_t *out = json_array();
    bool good = out != NULL;
    for (size_t i = 0; good && i < json_array_size(value); i++)
        good = json_array_append_new(out, renamed(json_array_get(value, i), retired)) == 0;
    if (good)
        return out;
    json_decref(out);
    return NULL;
}

vp_status vp_retired_rename(json_t **json, const vp_manifest *manifest, vp_error *error)
{
    json_t *retired;
    if (*json == NULL)
        return VP_OK;
    const vp_status status = read_retired(manifest, &retired, error);
    if (status != VP_OK)
        return status;
    json_t *today = renamed(*json, retired);
    json_decref(retired);
    if (today == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for today's names");
    json_decref(*json);
    *json = today;
    return VP_OK;
}

/* Derives baselines again. A row whose variant became a parameter now belongs to another question. */
static vp_status relate_moved(const json_t *before, json_t *results, vp_error *error)
{
    vp_findings found = {json_array(), json_array()};
    const bool good = vp_results_form(results, &found); /* the judge reports problems of the form */
    json_decref(found.problems);
    json_decref(found.remarks);
    if (!good)
        return VP_OK;
    json_t *rows = json_object_get(results, "rows"), *related = json_deep_copy(rows), *row;
    size_t i;
    const vp_status status = vp_rows_relate(related, error);
    json_array_foreach (rows, i, row) {
        static const char *const members[] = {"baselines", "speed_up", "warnings"};
        const json_t *was = json_array_get(before, i), *now = json_array_get(related, i);
        if (status != VP_OK || json_equal(json_object_get(was, "variant"), json_object_get(row, "variant")))
            continue;
        for (size_t k = 0; k < sizeof members / sizeof members[0]; k++)
            json_object_set(row, members[k], json_object_get(now, members[k]));
    }
    json_decref(related);
    return status == VP_E_FORMAT ? VP_OK : status;
}

/* Renames a results.json. A valid seal stays valid, an invalid one stays invalid. */
static vp_status rename_sealed(json_t **results, const vp_manifest *manifest, vp_error *error)
{
    char seal[17];
    const char *given = vp_json_text(*results, "seal");
    vp_results_seal(*results, seal);
    const bool fits = given != NULL && strcmp(given, seal) == 0;
    json_t *before = json_incref(json_object_get(*results, "rows"));
    vp_status status = vp_retired_rename(results, manifest, error);
    if (status == VP_OK && fits)
        status = relate_moved(before, *results, error);
    if (status == VP_OK && fits) {
        vp_results_seal(*results, seal);
        json_object_set_new(*results, "seal", json_string(seal));
    }
    json_decref(before);
    return status;
}

vp_status vp_results_open(const char *given, const vp_manifest *manifest, char path[VP_RESULT_PATH_BYTES], json_t **out, vp_error *error)
{
    struct stat found;
    if (given[0] == '\0')
        return vp_fail(error, VP_E_ARGUMENT, "the path is empty");
    const bool folder = stat(given, &found) == 0 && S_ISDIR(found.st_mode);
    const int length = snprintf(path, VP_RESULT_PATH_BYTES, "%s%s%s", given, folder ? "/" : "", folder ? VP_RESULTS_FILE : "");
    vp_status status = length > 0 && length < VP_RESULT_PATH_BYTES ? vp_results_load(path, out, error)
                                                                   : vp_fail(error, VP_E_ARGUMENT, "the path %.60s... is too long", given);
    if (status == VP_OK && manifest != NULL)
        status = rename_sealed(out, manifest, error);
    return status;
}
