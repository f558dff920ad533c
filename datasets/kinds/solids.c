/* SPDX-License-Identifier: MIT */
/* Sets of solids: the shapes of generate/shapes.h. A set's shape is drawn anew for each solid of it. */
#include "datasets/solid_sets.h"

#include "datasets/generate/shapes.h"
#include "datasets/hash.h"
#include "datasets/import/text.h"
#include "datasets/manifest_data.h"
#include "src/core/error.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SOLIDS_MAX = 1000 };

typedef struct vp_solids_params {
    float grain; /* the length of edges, about */
} vp_solids_params;

/* ---- places ---- */

static const struct {
    const char *name;
    double scale, away;
} places[VP_SOLID_PLACES] = {{"", 1.0, 0.0},       {"small", 0.001, 0.0},        {"large", 1000.0, 0.0},
                             {"far", 1.0, 1000.0}, {"small-far", 0.001, 1000.0}, {"large-far", 1000.0, 1000.0}};

const char *vp_solid_place_name(vp_solid_place place)
{
    return (unsigned)place < VP_SOLID_PLACES ? places[place].name : "unknown";
}

/* What is behind the slash; 0 if it is no place. */
static uint32_t place_of(const char *text)
{
    for (uint32_t p = 1; p < VP_SOLID_PLACES; p++)
        if (strcmp(text, places[p].name) == 0)
            return p;
    return 0;
}

/* ---- one solid ---- */

static vp_status refuse(const char *name, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for solids", name);
}

/* The first of the points that hang together with one. */
static uint32_t first_of(uint32_t *with, uint32_t point)
{
    while (with[point] != point)
        point = with[point] = with[with[point]];
    return point;
}

static bool count_shells(const vp_triangles *mesh, uint32_t *shells)
{
    uint32_t *with = malloc(((size_t)mesh->vertex_count + 1) * sizeof *with);
    *shells = mesh->vertex_count;
    for (uint32_t i = 0; with != NULL && i < mesh->vertex_count; i++)
        with[i] = i;
    for (size_t i = 0; with != NULL && i < (size_t)mesh->triangle_count * 3; i++) {
        const uint32_t a = first_of(with, mesh->index[i / 3 * 3]), b = first_of(with, mesh->index[i]);
        with[a < b ? b : a] = a < b ? a : b;
        *shells -= a != b;
    }
    free(with);
    return with != NULL;
}

static double longest_side(const vp_model *model)
{
    double longest = 0.0;
    for (uint32_t c = 0; c < 3 && model->points > 0; c++) {
        double low = model->point[0][c], high = low;
        for (uint32_t i = 1; i < model->points; i++) {
            const double at = model->point[i][c];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        longest = high - low > longest ? high - low : longest;
    }
    return longest;
}

/* A model as it is given out: scaled, moved, rounded. */
static bool finish(const vp_model *model, vp_solid_place place, vp_solid *out)
{
    const double away = places[place].away * longest_side(model), by = places[place].scale;
    vp_vec3 *vertex = malloc(((size_t)model->points + 1) * sizeof *vertex);
    uint32_t *index = malloc(((size_t)model->triangles * 3 + 1) * sizeof *index);
    out->mesh = (vp_triangles){vertex, index, model->points, model->triangles, false};
    if (model->failed || vertex == NULL || index == NULL)
        return false;
    for (uint32_t i = 0; i < model->points; i++) {
        const double *p = model->point[i];
        vertex[i] = (vp_vec3){(float)((p[0] + away) * by), (float)((p[1] + away) * by), (float)((p[2] + away) * by)};
    }
    for (uint32_t t = 0; t < model->triangles; t++)
        memcpy(index + (size_t)t * 3, model->triangle[t], 3 * sizeof *index);
    return count_shells(&out->mesh, &out->shells);
}

/* ---- sets ---- */

void vp_solid_set_drop(vp_solid_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        free((void *)(uintptr_t)set->solid[i].mesh.vertex);
        free((void *)(uintptr_t)set->solid[i].mesh.index);
    }
    free(set->solid);
    *set = (vp_solid_set){0};
}

static vp_status create(const char *name, uint32_t count, vp_solid_set **out, vp_error *error)
{
    vp_solid_set *set = *out = calloc(1, sizeof *set);
    if (set != NULL)
        set->solid = calloc(count, sizeof *set->solid);
    if (set == NULL || set->solid == NULL)
        return refuse(name, error);
    set->count = count;
    return VP_OK;
}

/* Where the set of that name is. */
static vp_status read_place(const char *name, vp_solid_place *place, vp_error *error)
{
    const char *slash = strchr(name, '/');
    *place = slash != NULL ? (vp_solid_place)place_of(slash + 1) : VP_SOLID_AS_MADE;
    if (slash != NULL && *place == VP_SOLID_AS_MADE)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.80s\": behind the slash there is a place: small, large, far, small-far or large-far",
                       name);
    return VP_OK;
}

static vp_status make(const vp_making *from, void **out, vp_error *error)
{
    const vp_dataset *d = from->dataset;
    const vp_solids_params *p = from->params;
    const vp_shape *shape = vp_shape_find(d->generator);
    vp_random random = {from->seed};
    vp_solid_place place = VP_SOLID_AS_MADE;
    vp_solid_set *set = NULL;
    vp_status status = read_place(from->name, &place, error);
    if (status == VP_OK && (shape == NULL || d->count > SOLIDS_MAX))
        status = vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": %u solids; %d are the most", from->name, d->count, SOLIDS_MAX);
    if (status == VP_OK)
        status = create(from->name, d->count, &set, error);
    *out = set;
    for (uint32_t i = 0; status == VP_OK && i < d->count; i++) {
        vp_model model = {0};
        set->solid[i].surface = shape->surface;
        set->solid[i].optimum = shape->optimum;
        shape->make(&model, (double)p->grain, &random);
        if (!finish(&model, place, &set->solid[i]))
            status = refuse(from->name, error);
        vp_model_drop(&model);
    }
    return status;
}

/* ---- the kind ---- */

static uint64_t count(const void *set)
{
    return ((const vp_solid_set *)set)->count;
}

/* How many; and of each the numbers of vertices and triangles, its surface, shells and optimum, vertices, indices. */
static uint64_t hash(const void *set)
{
    const vp_solid_set *solids = set;
    vp_hasher h;
    vp_hash_begin(&h);
    vp_hash_u32(&h, solids->count);
    for (uint32_t i = 0; i < solids->count; i++) {
        const vp_solid *s = &solids->solid[i];
        const uint32_t head[] = {s->mesh.vertex_count, s->mesh.triangle_count, (uint32_t)s->surface, s->shells, s->optimum};
        vp_hash_words(&h, head, sizeof head / sizeof head[0]);
        vp_hash_words(&h, s->mesh.vertex, (size_t)s->mesh.vertex_count * 3);
        vp_hash_words(&h, s->mesh.index, (size_t)s->mesh.triangle_count * 3);
    }
    return vp_hash_end(&h);
}

static const char *const surfaces[] = {"closed", "open", "tangled"};

static void lines(const void *set, vp_text *to)
{
    const vp_solid_set *solids = set;
    for (uint32_t i = 0; i < solids->count; i++) {
        const vp_solid *s = &solids->solid[i];
        vp_text_add_points(to, "{\"vertices\": [", s->mesh.vertex, s->mesh.vertex_count);
        vp_text_add(to, "], \"triangles\": [");
        for (uint32_t t = 0; t < s->mesh.triangle_count; t++) {
            const uint32_t *at = s->mesh.index + (size_t)t * 3;
            vp_text_add(to, "%s[%u, %u, %u]", t == 0 ? "" : ", ", at[0], at[1], at[2]);
        }
        vp_text_add(to, "], \"surface\": \"%s\", \"shells\": %u, \"optimum\": %u}\n", surfaces[s->surface], s->shells, s->optimum);
    }
}

static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_solid_set *solids = data->set;
    json_int_t triangles = 0, vertices = 0, shells = 0;
    uint32_t of[3] = {0};
    (void)error;
    for (uint32_t i = 0; i < solids->count; i++) {
        triangles += solids->solid[i].mesh.triangle_count;
        vertices += solids->solid[i].mesh.vertex_count;
        shells += solids->solid[i].shells;
        of[solids->solid[i].surface]++;
    }
    *out = json_pack("{s:i, s:I, s:I, s:I, s:i, s:i, s:i}", "solids", (int)solids->count, "triangles", triangles, "vertices", vertices,
                     "shells", shells, "closed", (int)of[VP_SOLID_CLOSED], "open", (int)of[VP_SOLID_OPEN], "tangled",
                     (int)of[VP_SOLID_TANGLED]);
    if (*out != NULL && solids->count == 1 && solids->solid[0].optimum != 0)
        json_object_set_new(*out, "optimum", json_integer(solids->solid[0].optimum));
    return VP_OK;
}

static void drop(void *set)
{
    if (set != NULL)
        vp_solid_set_drop(set);
    free(set);
}

static const vp_param params[] = {VP_PARAM(vp_solids_params, grain, 1, 1000), {0}};
/* Each is a vp_shape of that name. */
#define SHAPE(name)                                                                                                                        \
    {                                                                                                                                      \
        "solid-" name, params, make, NULL, false                                                                                           \
    }
static const vp_generator generators[] = {SHAPE("box"),
                                          SHAPE("l"),
                                          SHAPE("t"),
                                          SHAPE("u"),
                                          SHAPE("cross"),
                                          SHAPE("frame"),
                                          SHAPE("open-box"),
                                          SHAPE("steps"),
                                          SHAPE("stairs"),
                                          SHAPE("comb"),
                                          SHAPE("wall-window"),
                                          SHAPE("hollow"),
                                          SHAPE("holes"),
                                          SHAPE("slot"),
                                          SHAPE("crack"),
                                          SHAPE("plate-l"),
                                          SHAPE("plate-t"),
                                          SHAPE("plate-u"),
                                          SHAPE("ring"),
                                          SHAPE("gear"),
                                          SHAPE("torus"),
                                          SHAPE("edge-cubes"),
                                          {0}};
static const char *const members[] = {"count", "params", "on_demand", "hash", "hashes", NULL};

const vp_kind vp_kind_solids = {
    .name = "solids",
    .words = "solids",
    .one = "set of solids",
    .member = members,
    .generator = generators,
    .count_of = place_of,
    .count = count,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
