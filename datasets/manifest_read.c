/* SPDX-License-Identifier: MIT */
/* Reads one set of the manifest: its members, the parameters of its generator, and their limits. */
#include "datasets/manifest_read.h"

#include "src/core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 1 << 20, EDGE_MAX = 256, CHUNKS_MAX = 256, LENGTH_MAX = 4096 };

/* ---- generators and their parameters ---- */

typedef struct param {
    const char *name;
    size_t offset; /* of a float in the generator's structure */
    double low, high;
} param;

#define PARAM(type, name, low, high) {#name, offsetof(type, name), low, high}

static const param terrain_params[] = {
    PARAM(vp_terrain_params, base, 0, VP_WORLD_MAX_Y),
    PARAM(vp_terrain_params, relief, 0, VP_WORLD_MAX_Y),
    PARAM(vp_terrain_params, wavelength, 8, 4096),
    PARAM(vp_terrain_params, overhang, 0, VP_WORLD_MAX_Y),
    PARAM(vp_terrain_params, overhang_wavelength, 8, 4096),
    PARAM(vp_terrain_params, cave_wavelength, 8, 4096),
    PARAM(vp_terrain_params, cave_radius, 0.125, 64),
    PARAM(vp_terrain_params, cavern_wavelength, 8, 4096),
    PARAM(vp_terrain_params, cavern_level, -4, 4),
    PARAM(vp_terrain_params, water_level, 0, VP_WORLD_MAX_Y),
    PARAM(vp_terrain_params, cave_water_level, 0, VP_WORLD_MAX_Y),
    PARAM(vp_terrain_params, snow_level, 0, VP_WORLD_MAX_Y),
};
static const param random_params[] = {
    PARAM(vp_random_params, filled, 0, 1),
    PARAM(vp_random_params, water, 0, 1),
};
static const param checker_params[] = {
    PARAM(vp_checker_params, edge, 1, 64),
};
static const param boxes_params[] = {
    PARAM(vp_boxes_params, least, 0, EDGE_MAX),
    PARAM(vp_boxes_params, most, 0, EDGE_MAX),
};
static const param edits_params[] = {
    PARAM(vp_edits_params, box, 1, EDGE_MAX),
    PARAM(vp_edits_params, radius, 0.25, EDGE_MAX),
};

static const param chunk_meshes_params[] = {
    PARAM(vp_meshes_params, surface, 0, 1),
};
static const param degenerate_params[] = {
    PARAM(vp_meshes_params, surface, 0, 1),
    PARAM(vp_meshes_params, share, 0, 1),
};
static const param mesh_params[] = {
    PARAM(vp_meshes_params, surface, 0, 1),
    PARAM(vp_meshes_params, first_x, 0, CHUNKS_MAX),
    PARAM(vp_meshes_params, first_y, 0, CHUNKS_MAX),
    PARAM(vp_meshes_params, first_z, 0, CHUNKS_MAX),
    PARAM(vp_meshes_params, chunks_x, 0, CHUNKS_MAX),
    PARAM(vp_meshes_params, chunks_y, 0, CHUNKS_MAX),
    PARAM(vp_meshes_params, chunks_z, 0, CHUNKS_MAX),
};
static const param camera_params[] = {
    PARAM(vp_camera_params, eye, -4, 4),
    PARAM(vp_camera_params, aim, -4, 4),
    PARAM(vp_camera_params, spread, 0.015625, 16),
    PARAM(vp_camera_params, distance, 1, LENGTH_MAX),
    PARAM(vp_camera_params, width, 0.015625, LENGTH_MAX),
    PARAM(vp_camera_params, length, 0, LENGTH_MAX),
};
static const param scattered_params[] = {
    PARAM(vp_scattered_params, near, 0, EDGE_MAX),
    PARAM(vp_scattered_params, margin, 0, EDGE_MAX),
    PARAM(vp_scattered_params, least, 0.015625, LENGTH_MAX),
    PARAM(vp_scattered_params, most, 0.015625, LENGTH_MAX),
};
static const param cold_params[] = {
    PARAM(vp_scattered_params, margin, 0, EDGE_MAX),
    PARAM(vp_scattered_params, least, 0.015625, LENGTH_MAX),
    PARAM(vp_scattered_params, most, 0.015625, LENGTH_MAX),
};
static const param grazing_params[] = {
    PARAM(vp_grazing_params, far, 1, LENGTH_MAX),
};
static const param mesh_boxes_params[] = {
    PARAM(vp_mesh_boxes_params, edge, 0, EDGE_MAX),
    PARAM(vp_mesh_boxes_params, near, 0, EDGE_MAX),
};

#define TABLE(t) t, sizeof t / sizeof t[0]

static const struct generator {
    const char *name;
    vp_generator id;
    vp_dataset_kind kind;
    const param *params; /* NULL: anything may stand there, for the reader */
    size_t param_count;
} generators[] = {
    {"terrain", VP_GENERATOR_TERRAIN, VP_DATASET_WORLD, TABLE(terrain_params)},
    {"random", VP_GENERATOR_RANDOM, VP_DATASET_WORLD, TABLE(random_params)},
    {"checker", VP_GENERATOR_CHECKER, VP_DATASET_WORLD, TABLE(checker_params)},
    {"file", VP_GENERATOR_FILE, VP_DATASET_WORLD, NULL, 0},
    {"boxes", VP_GENERATOR_BOXES, VP_DATASET_BOXES, TABLE(boxes_params)},
    {"edits", VP_GENERATOR_EDITS, VP_DATASET_EDITS, TABLE(edits_params)},
    {"chunk-meshes", VP_GENERATOR_CHUNK_MESHES, VP_DATASET_MESHES, TABLE(chunk_meshes_params)},
    {"degenerate", VP_GENERATOR_DEGENERATE, VP_DATASET_MESHES, TABLE(degenerate_params)},
    {"mesh", VP_GENERATOR_MESH, VP_DATASET_MESHES, TABLE(mesh_params)},
    {"camera", VP_GENERATOR_CAMERA, VP_DATASET_RAYS, TABLE(camera_params)},
    {"scattered", VP_GENERATOR_SCATTERED, VP_DATASET_RAYS, TABLE(scattered_params)},
    {"cold", VP_GENERATOR_COLD, VP_DATASET_RAYS, TABLE(cold_params)},
    {"grazing", VP_GENERATOR_GRAZING, VP_DATASET_RAYS, TABLE(grazing_params)},
    {"mesh-boxes", VP_GENERATOR_MESH_BOXES, VP_DATASET_MESH_BOXES, TABLE(mesh_boxes_params)},
    {"ball", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"sphere", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"cube", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"gauss", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"cube-grid", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"cube-grid-turned", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"lattice", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"lattice-turned", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"cylinder", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"cone", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"uv-sphere", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"flat-box", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"needle", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"duplicates", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"near-duplicates", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"far-ball", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"tiny-ball", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"huge-ball", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"collinear", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"coplanar", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"coplanar-tilted", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
    {"one-point", VP_GENERATOR_POINTS, VP_DATASET_POINTS, NULL, 0},
};

static const char *const kind_names[] = {
    [VP_DATASET_WORLD] = "world",   [VP_DATASET_BOXES] = "boxes", [VP_DATASET_EDITS] = "edits",
    [VP_DATASET_MESHES] = "meshes", [VP_DATASET_RAYS] = "rays",   [VP_DATASET_MESH_BOXES] = "mesh-boxes",
    [VP_DATASET_POINTS] = "points"};

const char *vp_dataset_kind_name(vp_dataset_kind kind)
{
    return kind_names[kind];
}

/* ---- members of a JSON object ---- */

vp_status vp_read_wrong(const vp_reader *c, const char *member, const char *expected)
{
    return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: \"%.40s\" must be %s", c->where, member, expected);
}

vp_status vp_read_only(const vp_reader *c, json_t *object, const char *const *allowed)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const char *const *a = allowed;
        while (*a != NULL && strcmp(*a, json_object_iter_key(at)) != 0)
            a++;
        if (*a == NULL)
            return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: unknown member \"%.40s\"", c->where,
                           json_object_iter_key(at));
    }
    return VP_OK;
}

/* Texts are shown on terminals, which control characters would command: ASCII's and the 32 of U+0080 to U+009F. */
static bool is_plain(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c < 0x20 || *c == 0x7f || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
            return false;
    return true;
}

/* The same of all texts and names in a value. */
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

static vp_status read_text(const vp_reader *c, json_t *object, const char *member, const char *absent,
                           const char **out)
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

vp_status vp_read_whole(const vp_reader *c, json_t *object, const char *member, json_int_t low, json_int_t high,
                        json_int_t *out)
{
    const json_t *value = json_object_get(object, member);
    char expected[80];
    snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)low, (long long)high);
    if (!json_is_integer(value) || json_integer_value(value) < low || json_integer_value(value) > high)
        return vp_read_wrong(c, member, expected);
    *out = json_integer_value(value);
    return VP_OK;
}

vp_status vp_read_hash(const vp_reader *c, const char *member, const json_t *value, uint64_t *out)
{
    const char *text = json_string_value(value); /* NULL if it is not a text */
    if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return vp_read_wrong(c, member, "a hash of 16 lower-case hexadecimal digits");
    *out = strtoull(text, NULL, 16);
    return VP_OK;
}

static vp_status check_name(const vp_reader *c, const char *name)
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

static vp_status read_params(const vp_reader *c, json_t *object, const struct generator *g, vp_entry *entry)
{
    json_t *params = json_object_get(object, "params");
    if (g->params == NULL && params == NULL)
        return VP_OK;
    if (!json_is_object(params))
        return vp_read_wrong(c, "params", "an object");
    if (g->params == NULL)
        return is_all_plain(params) ? VP_OK : vp_read_wrong(c, "params", "without control characters");
    const char *allowed[32] = {NULL};
    for (size_t i = 0; i < g->param_count; i++) {
        const param *p = &g->params[i];
        const json_t *value = json_object_get(params, p->name);
        char expected[80];
        snprintf(expected, sizeof expected, "a number from %g to %g", p->low, p->high);
        if (!json_is_number(value) || json_number_value(value) < p->low || json_number_value(value) > p->high)
            return vp_read_wrong(c, p->name, expected);
        float number = (float)json_number_value(value);
        memcpy((char *)&entry->params + p->offset, &number, sizeof number);
        allowed[i] = p->name;
    }
    vp_status status = vp_read_only(c, params, allowed);
    if (status == VP_OK && g->id == VP_GENERATOR_BOXES && entry->params.boxes.least > entry->params.boxes.most)
        return vp_read_wrong(c, "least", "at most \"most\"");
    if (status == VP_OK && g->id == VP_GENERATOR_CHECKER &&
        entry->params.checker.edge != (float)(int)entry->params.checker.edge)
        return vp_read_wrong(c, "edge", "a whole number");
    if (status == VP_OK && g->kind == VP_DATASET_MESHES) { /* but for the share, whole numbers */
        for (size_t i = 0; i < g->param_count; i++) {
            float value;
            memcpy(&value, (const char *)&entry->params + g->params[i].offset, sizeof value);
            if (strcmp(g->params[i].name, "share") != 0 && value != (float)(int)value)
                return vp_read_wrong(c, g->params[i].name, "a whole number");
        }
    }
    if (status == VP_OK && (g->id == VP_GENERATOR_SCATTERED || g->id == VP_GENERATOR_COLD)) {
        float at = entry->params.scattered.least;
        while (at < entry->params.scattered.most)
            at *= 2.0f;
        if (at != entry->params.scattered.most)
            return vp_read_wrong(c, "most", "\"least\" times a power of two");
    }
    return status;
}

static bool size_allowed(json_int_t size, json_int_t limit)
{
    return size >= VP_CHUNK_EDGE && size <= limit && size % VP_CHUNK_EDGE == 0;
}

static vp_status read_size(const vp_reader *c, json_t *object, vp_dims *out)
{
    const json_t *list = json_object_get(object, "size");
    json_int_t size[3] = {0};
    for (size_t axis = 0; json_is_array(list) && json_array_size(list) == 3 && axis < 3; axis++)
        size[axis] = json_integer_value(json_array_get(list, axis)); /* 0 if it is no whole number */
    if (!size_allowed(size[0], VP_WORLD_MAX_XZ) || !size_allowed(size[1], VP_WORLD_MAX_Y) ||
        !size_allowed(size[2], VP_WORLD_MAX_XZ))
        return vp_read_wrong(c, "size", "three multiples of 8 from 8 to 2048, 256 and 2048");
    *out = (vp_dims){(uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2]};
    return VP_OK;
}

/* A file set's path leads to a file below the data folder, nowhere else. */
static vp_status check_source(const vp_reader *c, const char *source, bool is_file)
{
    if (!is_file)
        return source[0] == '\0' ? VP_OK
                                 : vp_read_wrong(c, "source", "absent: only sets of generator \"file\" have one");
    if (source[0] == '\0' || source[0] == '/' || strlen(source) > 200 || strstr(source, "..") != NULL ||
        strchr(source, '\\') != NULL)
        return vp_read_wrong(c, "source", "a path below the data folder, without \"..\"");
    return VP_OK;
}

static vp_status read_numbers(const vp_reader *c, json_t *object, const struct generator *g, vp_dataset *d)
{
    json_int_t seed = 0, count = 0;
    vp_status status = VP_OK;
    if (g->id != VP_GENERATOR_FILE || json_object_get(object, "seed") != NULL) /* a file's is for the reader */
        status = vp_read_whole(c, object, "seed", 0, INT64_MAX, &seed);
    if (status == VP_OK && d->kind == VP_DATASET_WORLD)
        status = read_size(c, object, &d->size);
    if (status == VP_OK && d->kind != VP_DATASET_WORLD)
        status = vp_read_whole(c, object, "count", 1, COUNT_MAX, &count);
    const json_t *on_demand = json_object_get(object, "on_demand");
    if (status == VP_OK && on_demand != NULL && !json_is_boolean(on_demand))
        status = vp_read_wrong(c, "on_demand", "true or false");
    d->seed = (uint64_t)seed;
    d->count = (uint32_t)count;
    d->on_demand = json_is_true(on_demand);
    return status;
}

static vp_status read_kind(const vp_reader *c, json_t *object, const struct generator **generator, vp_dataset *d)
{
    const char *kind = NULL;
    vp_status status = read_text(c, object, "kind", NULL, &kind);
    if (status == VP_OK)
        status = read_text(c, object, "generator", NULL, &d->generator);
    if (status != VP_OK)
        return status;
    const struct generator *g = NULL;
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++)
        if (strcmp(generators[i].name, d->generator) == 0)
            g = &generators[i];
    if (g == NULL)
        return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: generator \"%.40s\" is unknown", c->where,
                       d->generator);
    if (strcmp(kind, vp_dataset_kind_name(g->kind)) != 0)
        return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: kind is \"%.40s\", but generator \"%s\" makes %s",
                       c->where, kind, g->name, vp_dataset_kind_name(g->kind));
    d->kind = g->kind;
    *generator = g;
    return VP_OK;
}

/* The parameters as text, for the reader. json_dumps would do it in one call, but jansson 2.14 gives a text with a hole
   in it where memory runs out midway. */
static vp_status write_params(const vp_reader *c, json_t *object, vp_dataset *d, char **params)
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

vp_status vp_read_entry(vp_reader *c, json_t *object, vp_entry *entry, char **params)
{
    static const char *const world_members[] = {"name",    "kind", "description", "generator", "source",
                                                "licence", "seed", "size",        "params",    "on_demand",
                                                "hash",    NULL};
    static const char *const other_members[] = {"name", "kind",  "description", "generator", "licence",
                                                "seed", "count", "params",      "hashes",    NULL};
    static const char *const meshes_members[] = {"name", "kind",  "description", "generator", "world", "licence",
                                                 "seed", "count", "params",      "hash",      NULL};
    static const char *const points_members[] = {"name", "kind",  "description", "generator", "licence",
                                                 "seed", "count", "hash",        "hashes",    NULL};
    vp_dataset *d = &entry->dataset;
    const struct generator *g = NULL;
    if (!json_is_object(object))
        return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s is not an object", c->where);
    vp_status status = read_text(c, object, "name", NULL, &d->name);
    if (status == VP_OK)
        status = check_name(c, d->name);
    if (status != VP_OK)
        return status;
    snprintf(c->where, sizeof c->where, "set \"%s\"", d->name);
    status = read_kind(c, object, &g, d);
    if (status == VP_OK)
        status = vp_read_only(c, object, d->kind == VP_DATASET_WORLD    ? world_members
                                         : d->kind == VP_DATASET_MESHES ? meshes_members
                                         : d->kind == VP_DATASET_POINTS ? points_members
                                                                        : other_members);
    if (status == VP_OK)
        status = read_text(c, object, "description", NULL, &d->description);
    if (status == VP_OK)
        status = read_text(c, object, "licence", NULL, &d->licence);
    if (status == VP_OK)
        status = read_text(c, object, "source", "", &d->source);
    if (status == VP_OK)
        status = read_text(c, object, "world", d->kind == VP_DATASET_MESHES ? NULL : "", &d->world);
    if (status == VP_OK)
        status = check_source(c, d->source, g->id == VP_GENERATOR_FILE);
    if (status == VP_OK)
        status = read_numbers(c, object, g, d);
    if (status == VP_OK)
        status = read_params(c, object, g, entry);
    if (status != VP_OK)
        return status;
    entry->generator = g->id;
    return write_params(c, object, d, params);
}
