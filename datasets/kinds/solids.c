/* SPDX-License-Identifier: MIT */
/* Sets of solids: the shapes of generate/shapes.h, drawn anew for each solid of a set, and pieces of a world. */
#include "datasets/solid_sets.h"

#include "datasets/generate/shapes.h"
#include "datasets/generate/soup.h"
#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/manifest_data.h"
#include "src/core/error.h"

#include <voxphys/mesh.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SOLIDS_MAX = 1000, CHUNKS_MAX = 256, PIECE_MAX = 8 };

typedef struct vp_shape_params {
    float grain; /* approximate length of edges */
} vp_shape_params;

/* A box of a world's chunks. */
typedef struct vp_piece_params {
    float first_x, first_y, first_z, chunks_x, chunks_y, chunks_z;
} vp_piece_params;

/* ---- places ---- */

static const struct {
    const char *name;
    double scale, away;
} places[VP_SOLID_PLACES] = {{"", 1.0, 0.0},       {"small", 0.001, 0.0},        {"large", 1000.0, 0.0},
                             {"far", 1.0, 1000.0}, {"small-far", 0.001, 1000.0}, {"large-far", 1000.0, 1000.0}};

/* Parses the text after the slash. Returns 0 if it is no place. */
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

/* Returns the first of the points connected with a point. */
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

typedef struct half_edge {
    uint32_t from, to;
} half_edge;

static int by_ends(const void *a, const void *b)
{
    const half_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static bool find_surface(const vp_triangles *mesh, vp_solid_surface *surface)
{
    const size_t count = (size_t)mesh->triangle_count * 3;
    half_edge *edge = malloc((count + 1) * sizeof *edge);
    if (edge == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        edge[i] = (half_edge){mesh->index[i], mesh->index[i % 3 == 2 ? i - 2 : i + 1]};
    qsort(edge, count, sizeof *edge, by_ends);
    *surface = VP_SOLID_CLOSED;
    for (size_t i = 0; i < count && *surface != VP_SOLID_TANGLED; i++) {
        const half_edge opposite = {edge[i].to, edge[i].from};
        if (edge[i].from == edge[i].to || (i > 0 && by_ends(&edge[i - 1], &edge[i]) == 0))
            *surface = VP_SOLID_TANGLED;
        else if (bsearch(&opposite, edge, count, sizeof *edge, by_ends) == NULL)
            *surface = VP_SOLID_OPEN;
    }
    free(edge);
    return true;
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

/* Scales, moves and rounds a model for output. */
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
    return count_shells(&out->mesh, &out->shells) && find_surface(&out->mesh, &out->surface);
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

static vp_status make_room(const char *name, uint32_t count, vp_solid_set *set, vp_error *error)
{
    set->solid = calloc(count, sizeof *set->solid);
    set->count = set->solid != NULL ? count : 0;
    return set->solid != NULL ? VP_OK : refuse(name, error);
}

/* Returns the place of the set of that name. */
static vp_status read_place(const char *name, vp_solid_place *place, vp_error *error)
{
    const char *slash = strchr(name, '/');
    *place = slash != NULL ? (vp_solid_place)place_of(slash + 1) : VP_SOLID_AS_MADE;
    if (slash != NULL && *place == VP_SOLID_AS_MADE)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.80s\": after the slash comes a place: small, large, far, small-far or large-far", name);
    return VP_OK;
}

/* Creates a set without meshes at its name's place. */
static vp_status begin(const vp_making *from, vp_solid_place *place, vp_solid_set *set, vp_error *error)
{
    const uint32_t count = from->dataset->count;
    VP_RETURN_IF_FAILED(read_place(from->name, place, error));
    if (count > SOLIDS_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": %u solids; must be at most %d", from->name, count, SOLIDS_MAX);
    return make_room(from->name, count, set, error);
}

static vp_status make(const vp_making *from, void **out, vp_error *error)
{
    const vp_shape_params *p = from->params;
    const vp_shape *shape = vp_shape_find(from->dataset->generator);
    vp_random random = {from->seed};
    vp_solid_place place = VP_SOLID_AS_MADE;
    vp_solid_set *set = *out;
    vp_status status = begin(from, &place, set, error);
    for (uint32_t i = 0; status == VP_OK && i < set->count; i++) {
        vp_model model = {0};
        set->solid[i].optimum = shape->optimum;
        shape->make(&model, (double)p->grain, &random);
        if (!finish(&model, place, &set->solid[i]))
            status = refuse(from->name, error);
        vp_model_drop(&model);
    }
    return status;
}

/* ---- pieces of a world ---- */

/* Maps voxels to a cube of 1000. `of` has the lowest corner and the longest side. */
static void from_voxels(const double from[3], double to[3], const void *of)
{
    const double *box = of;
    for (int axis = 0; axis < 3; axis++)
        to[axis] = (from[axis] - box[axis]) * 1000.0 / box[3];
}

/* Adds the mesher's surface, which is open at the border of the box. */
static vp_status add_surface(vp_model *model, const vp_world *world, const vp_piece_params *p, vp_error *error)
{
    const vp_kernels scalar = vp_scalar_kernels();
    vp_mesh mesh = {0};
    const vp_mesh_def def = {.world = world,
                             .surface = VP_SURFACE_SOLID,
                             .first = {(int32_t)p->first_x, (int32_t)p->first_y, (int32_t)p->first_z},
                             .chunks = {(uint32_t)p->chunks_x, (uint32_t)p->chunks_y, (uint32_t)p->chunks_z},
                             .kernels = &scalar};
    const vp_status status = vp_mesh_create(&def, &mesh, error);
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        vp_model_point(model, (double)mesh.vertex[i].x, (double)mesh.vertex[i].y, (double)mesh.vertex[i].z);
    for (uint32_t i = 0; i < mesh.quad_count; i++)
        vp_model_quad(model, mesh.quad[i][0], mesh.quad[i][1], mesh.quad[i][2], mesh.quad[i][3]);
    vp_mesh_destroy(&mesh);
    return status;
}

/* Adds the solid voxels as a closed solid that ends at the border of the box. Each run of voxels along x becomes a box. */
static vp_status add_voxels(vp_model *model, const vp_world *world, const vp_piece_params *p, vp_error *error)
{
    enum { E = VP_CHUNK_EDGE };
    const int32_t low[3] = {(int32_t)p->first_x * E, (int32_t)p->first_y * E, (int32_t)p->first_z * E};
    const int32_t high[3] = {low[0] + (int32_t)p->chunks_x * E, low[1] + (int32_t)p->chunks_y * E, low[2] + (int32_t)p->chunks_z * E};
    vp_model_box *boxes = malloc((size_t)(high[0] - low[0]) * (size_t)(high[1] - low[1]) * (size_t)(high[2] - low[2]) * sizeof *boxes);
    uint32_t count = 0;
    (void)error;
    model->failed = boxes == NULL;
    for (int32_t y = low[1]; boxes != NULL && y < high[1]; y++)
        for (int32_t z = low[2]; z < high[2]; z++)
            for (int32_t x = low[0], end; x < high[0]; x = end + 1) {
                for (end = x; end < high[0] && vp_world_voxel(world, (vp_ivec3){end, y, z}).material >= VP_FIRST_SOLID;)
                    end++;
                if (end > x)
                    boxes[count++] = (vp_model_box){{x, y, z}, {end, y + 1, z + 1}, false};
            }
    if (count > 0)
        vp_model_boxes(model, boxes, count, &(vp_model_lattice){.grain = {1, 1, 1}, .mended = true});
    free(boxes);
    return VP_OK;
}

typedef vp_status add_fn(vp_model *model, const vp_world *world, const vp_piece_params *params, vp_error *error);

static vp_status make_piece(const vp_making *from, add_fn *add, void **out, vp_error *error)
{
    const vp_piece_params *p = from->params;
    const vp_data *world = NULL;
    vp_model model = {0};
    vp_solid_place place = VP_SOLID_AS_MADE;
    vp_solid_set *set = *out;
    vp_status status = begin(from, &place, set, error);
    if (status == VP_OK && set->count != 1)
        status = vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": %u pieces of a world; there is one", from->name, set->count);
    if (status == VP_OK)
        status = vp_store_open(from->store, &vp_kind_world, from->dataset->world, &world, error);
    if (status == VP_OK)
        status = add(&model, world->set, p, error);
    if (status == VP_OK && !model.failed && model.triangles == 0)
        status = vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": the world \"%.60s\" has no surface there", from->name, from->dataset->world);
    if (status == VP_OK) {
        const float longer = p->chunks_x > p->chunks_y ? p->chunks_x : p->chunks_y, longest = longer > p->chunks_z ? longer : p->chunks_z;
        const double box[4] = {(double)p->first_x * VP_CHUNK_EDGE, (double)p->first_y * VP_CHUNK_EDGE, (double)p->first_z * VP_CHUNK_EDGE,
                               (double)longest * VP_CHUNK_EDGE};
        vp_model_move(&model, 0, from_voxels, box);
        if (!finish(&model, place, &set->solid[0]))
            status = refuse(from->name, error);
    }
    vp_model_drop(&model);
    return status;
}

static vp_status make_surface(const vp_making *from, void **out, vp_error *error)
{
    return make_piece(from, add_surface, out, error);
}

static vp_status make_voxels(const vp_making *from, void **out, vp_error *error)
{
    return make_piece(from, add_voxels, out, error);
}

/* ---- "fuzz-<n>" ---- */

/* Eight soups of triangles, from a separate random stream. */
static vp_status fuzz(const vp_making *from, void **out, vp_error *error)
{
    enum { SOUPS = 8 };
    vp_random random = {from->seed ^ UINT64_C(0x736f6c6964)};
    vp_solid_set *set = *out;
    vp_status status = make_room(from->name, SOUPS, set, error);
    for (uint32_t i = 0; status == VP_OK && i < SOUPS; i++) {
        vp_model model = {0};
        vp_soup_make(&model, i, &random);
        if (!finish(&model, VP_SOLID_AS_MADE, &set->solid[i]))
            status = refuse(from->name, error);
        vp_model_drop(&model);
    }
    return status;
}

/* ---- the kind ---- */

/* Hashes the number of solids. For each solid it hashes the numbers of vertices and triangles, its surface, shells and
 * optimum, the vertices and the indices. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_solid_set *solids = set;
    vp_hash_u32(h, solids->count);
    for (uint32_t i = 0; i < solids->count; i++) {
        const vp_solid *s = &solids->solid[i];
        const uint32_t head[] = {s->mesh.vertex_count, s->mesh.triangle_count, (uint32_t)s->surface, s->shells, s->optimum};
        vp_hash_words(h, head, sizeof head / sizeof head[0]);
        vp_hash_words(h, s->mesh.vertex, (size_t)s->mesh.vertex_count * 3);
        vp_hash_words(h, s->mesh.index, (size_t)s->mesh.triangle_count * 3);
    }
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

VP_KIND_DROP(vp_solid_set_drop)

static const vp_param shape_params[] = {VP_PARAM(vp_shape_params, grain, 1, 1000), {0}};
static const vp_param piece_params[] = {
    VP_PARAM_WHOLE(vp_piece_params, first_x, 0, CHUNKS_MAX),
    VP_PARAM_WHOLE(vp_piece_params, first_y, 0, CHUNKS_MAX),
    VP_PARAM_WHOLE(vp_piece_params, first_z, 0, CHUNKS_MAX),
    VP_PARAM_WHOLE(vp_piece_params, chunks_x, 1, PIECE_MAX),
    VP_PARAM_WHOLE(vp_piece_params, chunks_y, 1, PIECE_MAX),
    VP_PARAM_WHOLE(vp_piece_params, chunks_z, 1, PIECE_MAX),
    {0},
};
static bool is_shape(const char *name)
{
    return vp_shape_find(name) != NULL;
}

static const vp_generator generators[] = {{.name = "solid-box", .has = is_shape, .param = shape_params, .make = make},
                                          {.name = "solid-surface", .param = piece_params, .make = make_surface},
                                          {.name = "solid-voxels", .param = piece_params, .make = make_voxels},
                                          {0}};

const vp_kind vp_kind_solids = {
    .name = "solids",
    .words = "solids",
    .bytes = sizeof(vp_solid_set),
    .one = "set of solids",
    .member = (const char *const[]){"world", "count", "params", "on_demand", "hash", "hashes", NULL},
    .world_by_choice = true,
    .generator = generators,
    .count_of = place_of,
    .fuzz = fuzz,
    .count = vp_set_count,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
