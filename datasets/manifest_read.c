/* SPDX-License-Identifier: MIT */
/* Reads one set of the manifest, with its members, its generator's parameters and their limits. */
#include "datasets/manifest_read.h"

#include "src/core/error.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT_MAX = 1 << 20 };

/* ---- members of a JSON object ---- */

vp_status vp_read_wrong(const vp_manifest_place *c, const char *member, const char *expected)
{
    return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: \"%.40s\" must be %s", c->where, member, expected);
}

vp_status vp_read_only(const vp_manifest_place *c, json_t *object, const char *const *allowed)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const char *const *a = allowed;
        while (*a != NULL && strcmp(*a, json_object_iter_key(at)) != 0)
            a++;
        if (*a == NULL)
            return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: unknown member \"%.40s\"", c->where, json_object_iter_key(at));
    }
    return VP_OK;
}

/* Returns whether a text has no control characters, because terminals would execute them. These are ASCII's and the 32
 * from U+0080 to U+009F. */
static bool is_plain(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c < 0x20 || *c == 0x7f || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
            return false;
    return true;
}

/* Returns whether all texts and names in a value are plain. */
static bool is_all_plain(json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    json_object_foreach (value, key, member)
        if (!is_plain(key) || !is_all_plain(member))
            return false;
    json_array_foreach (value, i, member)
        if (!is_all_plain(member))
            return false;
    return !json_is_string(value) || is_plain(json_string_value(value));
}

static vp_status read_text(const vp_manifest_place *c, json_t *object, const char *member, const char *absent, const char **out)
{
    const json_t *value = json_object_get(object, member);
    if (value == NULL && absent != NULL) {
        *out = absent;
        return VP_OK;
    }
    if (!json_is_string(value))
        return vp_read_wrong(c, member, "a text");
    *out = json_string_value(value);
    if (!is_plain(*out))
        return vp_read_wrong(c, member, "without control characters");
    return VP_OK;
}

vp_status vp_read_whole(const vp_manifest_place *c, json_t *object, const char *member, json_int_t low, json_int_t high, json_int_t *out)
{
    const json_t *value = json_object_get(object, member);
    char expected[80];
    snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)low, (long long)high);
    if (!json_is_integer(value) || json_integer_value(value) < low || json_integer_value(value) > high)
        return vp_read_wrong(c, member, expected);
    *out = json_integer_value(value);
    return VP_OK;
}

vp_status vp_read_hash(const vp_manifest_place *c, const char *member, const json_t *value, uint64_t *out)
{
    const char *text = json_string_value(value); /* NULL if it is not a text */
    if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return vp_read_wrong(c, member, "a hash of 16 lower-case hexadecimal digits");
    *out = strtoull(text, NULL, 16);
    return VP_OK;
}

static vp_status check_name(const vp_manifest_place *c, const char *name)
{
    size_t length = strlen(name), allowed = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.");
    if (length == 0 || length > VP_DATASET_NAME_BYTES || allowed != length || name[0] == '.' || strstr(name, "..") != NULL)
        return vp_fail(c->error, VP_E_FORMAT,
                       "manifest.json: %s: name \"%.60s\" must be 1 to %d lower-case letters, digits, hyphens and "
                       "single points, the first no point",
                       c->where, name, VP_DATASET_NAME_BYTES);
    return VP_OK;
}

/* ---- one set ---- */

/* Returns whether sets of a kind may have that member. */
static bool has(const vp_kind *kind, const char *member)
{
    const char *const *m = kind->member;
    while (*m != NULL && strcmp(*m, member) != 0)
        m++;
    return *m != NULL;
}

enum { MEMBERS_MAX = 20 };

/* The members that a set of a kind may have. */
static const char *const *members_of(const vp_kind *kind, const char *out[MEMBERS_MAX])
{
    static const char *const all[] = {"name", "kind", "description", "generator", "licence", "seed"};
    size_t count = 0;
    for (; count < sizeof all / sizeof all[0]; count++)
        out[count] = all[count];
    for (const char *const *m = kind->member; *m != NULL && count + 1 < MEMBERS_MAX; m++)
        out[count++] = *m;
    out[count] = NULL;
    return out;
}

static vp_status read_params(const vp_manifest_place *c, json_t *object, const vp_generator *g, vp_entry *entry)
{
    json_t *params = json_object_get(object, "params");
    if (g->param == NULL && params == NULL)
        return VP_OK;
    if (!json_is_object(params))
        return vp_read_wrong(c, "params", "an object");
    if (g->param == NULL)
        return is_all_plain(params) ? VP_OK : vp_read_wrong(c, "params", "without control characters");
    const char *allowed[VP_PARAMS_MAX + 1] = {NULL}, *must = NULL;
    for (size_t i = 0; g->param[i].name != NULL; i++) {
        const vp_param *p = &g->param[i];
        const json_t *value = json_object_get(params, p->name);
        char expected[80];
        snprintf(expected, sizeof expected, "a number from %g to %g", p->low, p->high);
        if (!json_is_number(value) || json_number_value(value) < p->low || json_number_value(value) > p->high)
            return vp_read_wrong(c, p->name, expected);
        float number = (float)json_number_value(value);
        if (p->whole && number != (float)(int)number)
            return vp_read_wrong(c, p->name, "a whole number");
        memcpy((char *)entry->params + p->offset, &number, sizeof number);
        allowed[i] = p->name;
    }
    const vp_status status = vp_read_only(c, params, allowed);
    const char *wrong = status == VP_OK && g->check != NULL ? g->check(entry->params, &must) : NULL;
    return wrong != NULL ? vp_read_wrong(c, wrong, must) : status;
}

static bool size_allowed(json_int_t size, json_int_t limit)
{
    return size >= VP_CHUNK_EDGE && size <= limit && size % VP_CHUNK_EDGE == 0;
}

static vp_status read_size(const vp_manifest_place *c, json_t *object, vp_dims *out)
{
    const json_t *list = json_object_get(object, "size");
    json_int_t size[3] = {0};
    for (size_t axis = 0; json_is_array(list) && json_array_size(list) == 3 && axis < 3; axis++)
        size[axis] = json_integer_value(json_array_get(list, axis)); /* 0 if it is no whole number */
    if (!size_allowed(size[0], VP_WORLD_MAX_XZ) || !size_allowed(size[1], VP_WORLD_MAX_Y) || !size_allowed(size[2], VP_WORLD_MAX_XZ))
        return vp_read_wrong(c, "size", "three multiples of 8 from 8 to 2048, 256 and 2048");
    *out = (vp_dims){(uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2]};
    return VP_OK;
}

/* Returns whether a file set's path stays below the data folder. */
static vp_status check_source(const vp_manifest_place *c, const char *source, bool is_file)
{
    if (!is_file)
        return source[0] == '\0' ? VP_OK : vp_read_wrong(c, "source", "absent: only sets of generator \"file\" have one");
    if (source[0] == '\0' || source[0] == '/' || strlen(source) > 200 || strstr(source, "..") != NULL || strchr(source, '\\') != NULL)
        return vp_read_wrong(c, "source", "a path below the data folder, without \"..\"");
    return VP_OK;
}

static vp_status read_numbers(const vp_manifest_place *c, json_t *object, vp_dataset *d)
{
    json_int_t seed = 0, count = 0;
    vp_status status = VP_OK;
    if (json_object_get(object, "seed") != NULL)
        status = vp_read_whole(c, object, "seed", 0, INT64_MAX, &seed);
    if (status == VP_OK && has(d->kind, "size"))
        status = read_size(c, object, &d->size);
    if (status == VP_OK && has(d->kind, "count"))
        status = vp_read_whole(c, object, "count", 1, COUNT_MAX, &count);
    const json_t *on_demand = json_object_get(object, "on_demand");
    if (status == VP_OK && on_demand != NULL && !json_is_boolean(on_demand))
        status = vp_read_wrong(c, "on_demand", "true or false");
    d->seed = (uint64_t)seed;
    d->count = (uint32_t)count;
    d->on_demand = json_is_true(on_demand);
    return status;
}

static vp_status read_kind(const vp_manifest_place *c, json_t *object, const vp_generator **generator, vp_dataset *d)
{
    const char *kind = NULL;
    VP_RETURN_IF_FAILED(read_text(c, object, "kind", NULL, &kind));
    VP_RETURN_IF_FAILED(read_text(c, object, "generator", d->name, &d->generator));
    for (const vp_kind *const *k = vp_kinds; *k != NULL; k++)
        for (const vp_generator *g = (*k)->generator; g->name != NULL; g++)
            if (g->has != NULL ? g->has(d->generator) : strcmp(g->name, d->generator) == 0) {
                d->kind = *k;
                *generator = g;
            }
    if (d->kind == NULL)
        return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: generator \"%.40s\" is unknown", c->where, d->generator);
    if (strcmp(kind, d->kind->name) != 0)
        return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: kind is \"%.40s\", but generator \"%s\" makes %s", c->where, kind,
                       d->generator, d->kind->name);
    return VP_OK;
}

/* Returns the parameters as text, for the reader. json_dumps would need only one call, but jansson 2.14 returns a text
 * with a gap if memory runs out midway. */
static vp_status write_params(const vp_manifest_place *c, json_t *object, vp_dataset *d, char **params)
{
    enum { FORM = JSON_COMPACT | JSON_REAL_PRECISION(9) };
    const json_t *value = json_object_get(object, "params");
    d->params = "{}";
    if (value == NULL)
        return VP_OK;
    size_t size = json_dumpb(value, NULL, 0, FORM);
    *params = size != 0 ? malloc(size + 1) : NULL;
    if (*params == NULL || json_dumpb(value, *params, size, FORM) != size)
        return vp_fail(c->error, VP_E_MEMORY, "no memory for the manifest");
    (*params)[size] = '\0';
    d->params = *params;
    return VP_OK;
}

vp_status vp_read_entry(vp_manifest_place *c, json_t *object, vp_entry *entry, char **params)
{
    vp_dataset *d = &entry->dataset;
    const vp_generator *g = NULL;
    const char *allowed[MEMBERS_MAX];
    if (!json_is_object(object))
        return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s is not an object", c->where);
    VP_RETURN_IF_FAILED(read_text(c, object, "name", NULL, &d->name));
    VP_RETURN_IF_FAILED(check_name(c, d->name));
    snprintf(c->where, sizeof c->where, "set \"%s\"", d->name);
    VP_RETURN_IF_FAILED(read_kind(c, object, &g, d));
    VP_RETURN_IF_FAILED(vp_read_only(c, object, members_of(d->kind, allowed)));
    VP_RETURN_IF_FAILED(read_text(c, object, "description", NULL, &d->description));
    VP_RETURN_IF_FAILED(read_text(c, object, "licence", g->file ? NULL : "CC0-1.0 (generated)", &d->licence));
    VP_RETURN_IF_FAILED(read_text(c, object, "source", "", &d->source));
    VP_RETURN_IF_FAILED(read_text(c, object, "world", has(d->kind, "world") && !d->kind->world_by_choice ? NULL : "", &d->world));
    VP_RETURN_IF_FAILED(check_source(c, d->source, g->file));
    VP_RETURN_IF_FAILED(read_numbers(c, object, d));
    VP_RETURN_IF_FAILED(read_params(c, object, g, entry));
    entry->generator = g;
    return write_params(c, object, d, params);
}
