/* SPDX-License-Identifier: MIT */
/* Sets of rays. A camera's rays are similar and come in tiles for packets. Scattered rays are not similar. Each cold
 * ray hits a different random mesh than the ray before. Grazing rays are in grazing.c.
 *
 * The camera looks at a mesh of many chunks from above a corner of its box, and scattered rays start near its surface.
 * Chunk meshes are processed one by one, with a view of 16 x 16 rays each, or 256 scattered rays that start in the
 * chunk's box. */
#include "datasets/kinds/mesh_pick.h"

#include "src/core/error.h"
#include "datasets/fuzz.h"
#include "datasets/hash.h"
#include "datasets/text.h"

#include <jansson.h>
#include <stdlib.h>

enum { TILE = 8, CHUNK_VIEW = 16, RUN = 256, EDGE_MAX = 256, LENGTH_MAX = 4096 };

/* Views of a mesh or of chunks, one after the other. */
typedef struct vp_camera_params {
    float eye, aim; /* one mesh: heights of the camera and of its aim above the box, relative to the box's extent along x */
    float spread;   /* from the centre of the view to its edge, relative to the distance */
    float distance; /* chunks: distance from the camera to the centre of the box, voxels */
    float width;    /* from the centre of the view to its edge at that distance, voxels */
    float length;   /* length of the rays */
} vp_camera_params;

/* Rays of random directions, with equal numbers in each octave of lengths. */
typedef struct vp_scattered_params {
    float near;        /* one mesh: largest distance per axis from a vertex to a ray's start, voxels */
    float margin;      /* chunks: rays start in the mesh's box grown by this */
    float least, most; /* lengths; most is least times a power of two */
} vp_scattered_params;

/* ---- a camera ---- */

/* A view from `eye` along `forward`. `right` and `up` extend to the edges of the view. */
typedef struct camera {
    vp_vec3 eye, forward, right, up;
} camera;

/* @param forward  a unit vector that is not vertical */
static camera look(vp_vec3 eye, vp_vec3 forward, float spread)
{
    const vp_vec3 right = vp_pick_unit((vp_vec3){-forward.z, 0.0f, forward.x});
    const vp_vec3 up = {right.y * forward.z - right.z * forward.y, right.z * forward.x - right.x * forward.z,
                        right.x * forward.y - right.y * forward.x};
    return (camera){eye, forward, vp_vec3_scale(right, spread), vp_vec3_scale(up, spread)};
}

/* Writes the rays of a square view, tile by tile. */
static void view(const camera *c, uint32_t edge, float length, vp_ray *ray)
{
    for (uint32_t i = 0; i < edge * edge; i++) {
        const uint32_t tile = i / (TILE * TILE), part = i % (TILE * TILE);
        const uint32_t x = tile % (edge / TILE) * TILE + part % TILE, y = tile / (edge / TILE) * TILE + part / TILE;
        const float across = (float)(2 * x + 1) / (float)edge - 1.0f, down = (float)(2 * y + 1) / (float)edge - 1.0f;
        const vp_vec3 direction = vp_vec3_sub(vp_vec3_add(c->forward, vp_vec3_scale(c->right, across)), vp_vec3_scale(c->up, down));
        ray[i] = (vp_ray){c->eye, vp_pick_unit(direction), length};
    }
}

/* Looks from above the box's lowest corner across the box. */
static vp_status look_across(const vp_making *from, const vp_mesh_set *meshes, vp_ray_set *set, vp_error *error)
{
    const vp_camera_params *p = from->params;
    const vp_vec3 low = meshes->box[0].min, size = vp_vec3_sub(meshes->box[0].max, low);
    uint32_t edge = 0;
    while (edge * edge < set->count)
        edge += TILE;
    if (edge * edge != set->count)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": %u rays are not a square of tiles of %d x %d", from->dataset->name, set->count,
                       TILE, TILE);
    const float top = meshes->box[0].max.y;
    const vp_vec3 eye = {low.x, top + size.x * p->eye, low.z};
    const vp_vec3 aim = {low.x + size.x * 0.5f, top + size.x * p->aim, low.z + size.z * 0.5f};
    const camera c = look(eye, vp_pick_unit(vp_vec3_sub(aim, eye)), p->spread);
    view(&c, edge, p->length, set->ray);
    return VP_OK;
}

/* Views of one chunk after the other from random sides. With more chunks than views, the viewed chunks are evenly
 * spread. */
static vp_status look_at_chunks(const vp_making *from, const vp_mesh_set *meshes, vp_ray_set *set, vp_error *error)
{
    enum { RAYS = CHUNK_VIEW * CHUNK_VIEW };
    const vp_camera_params *p = from->params;
    const uint32_t views = set->count / RAYS;
    vp_random random = {from->seed};
    if (set->count % RAYS != 0)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": %u rays are not a whole number of views of %d x %d", from->dataset->name,
                       set->count, CHUNK_VIEW, CHUNK_VIEW);
    for (uint32_t k = 0; k < views; k++) {
        const uint32_t mesh = views < meshes->count ? (uint32_t)((uint64_t)k * meshes->count / views) : k % meshes->count;
        const vp_aabb *box = &meshes->box[mesh];
        const vp_vec3 middle = vp_vec3_scale(vp_vec3_add(box->min, box->max), 0.5f);
        vp_vec3 away;
        do
            away = vp_pick_direction(&random);
        while (away.y > 0.875f || away.y < -0.875f);
        const vp_vec3 eye = vp_vec3_add(middle, vp_vec3_scale(away, p->distance));
        const camera c = look(eye, (vp_vec3){-away.x, -away.y, -away.z}, p->width / p->distance);
        view(&c, CHUNK_VIEW, p->length, set->ray + (size_t)k * RAYS);
        for (uint32_t i = 0; i < RAYS; i++)
            set->mesh[k * RAYS + i] = mesh;
    }
    return VP_OK;
}

/* ---- scattered ---- */

/* A length from `least` to `most`, which is `least` times a power of two. Each octave is equally likely, and lengths
 * are uniform within it. */
static float random_length(vp_random *random, float least, float most)
{
    uint32_t octaves = 0;
    for (float at = least; at < most; at *= 2.0f)
        octaves++;
    if (octaves == 0)
        return least;
    float length = least;
    for (uint32_t octave = vp_random_below(random, octaves); octave > 0; octave--)
        length *= 2.0f;
    return length * (1.0f + vp_random_unit(random));
}

static vp_vec3 in_box(vp_random *random, const vp_aabb *box, float margin)
{
    const vp_vec3 by = {margin, margin, margin};
    return vp_random_vec3(random, vp_vec3_sub(box->min, by), vp_vec3_add(box->max, by));
}

/* Selects another random mesh after every `run` rays. */
static void scatter(const vp_making *from, const vp_mesh_set *meshes, uint32_t run, vp_ray_set *set)
{
    const vp_scattered_params *p = from->params;
    vp_random random = {from->seed};
    uint32_t mesh = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (i % run == 0)
            mesh = vp_random_below(&random, meshes->count);
        const vp_vec3 origin =
            meshes->chunks ? in_box(&random, &meshes->box[mesh], p->margin) : vp_pick_near(&random, &meshes->mesh[mesh], p->near);
        const vp_vec3 direction = vp_pick_direction(&random);
        set->ray[i] = (vp_ray){origin, direction, random_length(&random, p->least, p->most)};
        set->mesh[i] = mesh;
    }
}

/* ---- a set ---- */

/* All rays are for the first mesh. */
static vp_status make_room(const char *name, uint32_t count, vp_ray_set *rays, vp_error *error)
{
    rays->count = count;
    rays->ray = malloc((count + 1u) * sizeof *rays->ray);
    rays->mesh = calloc(count + 1u, sizeof *rays->mesh);
    return rays->ray != NULL && rays->mesh != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u rays", name, count);
}

static vp_status make_camera(const vp_making *from, void **set, vp_error *error)
{
    const vp_mesh_set *meshes = from->owner->set;
    VP_RETURN_IF_FAILED(make_room(from->name, from->dataset->count, *set, error));
    return meshes->chunks ? look_at_chunks(from, meshes, *set, error) : look_across(from, meshes, *set, error);
}

static vp_status make_scattered(const vp_making *from, void **set, vp_error *error)
{
    VP_RETURN_IF_FAILED(make_room(from->name, from->dataset->count, *set, error));
    scatter(from, from->owner->set, RUN, *set);
    return VP_OK;
}

static vp_status make_cold(const vp_making *from, void **set, vp_error *error)
{
    const vp_mesh_set *meshes = from->owner->set;
    if (!meshes->chunks)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.80s\": its rays meet another chunk each, but these meshes are one of many chunks",
                       from->name);
    VP_RETURN_IF_FAILED(make_room(from->name, from->dataset->count, *set, error));
    scatter(from, meshes, 1, *set);
    return VP_OK;
}

static vp_status make_grazing(const vp_making *from, void **set, vp_error *error)
{
    VP_RETURN_IF_FAILED(make_room(from->name, from->dataset->count, *set, error));
    vp_grazing_rays(from->params, from->seed, from->owner->set, *set);
    return VP_OK;
}

static const char *check_lengths(const void *params, const char **must)
{
    const vp_scattered_params *p = params;
    float at = p->least;
    while (at < p->most)
        at *= 2.0f;
    *must = "\"least\" times a power of two";
    return at != p->most ? "most" : NULL;
}

/* ---- the kind ---- */

static vp_status part(const void *set, uint32_t most, void **out, vp_error *error)
{
    const vp_ray_set *rays = set;
    vp_ray_set *to = *out;
    const uint32_t step = vp_part_step(rays->count, most);
    VP_RETURN_IF_FAILED(make_room("part", (rays->count + step - 1) / step, to, error));
    for (uint32_t i = 0; i < to->count; i++) {
        to->ray[i] = rays->ray[i * step];
        to->mesh[i] = rays->mesh[i * step];
    }
    return VP_OK;
}

/* Hashes the number of rays, and the mesh and fields of each. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_ray_set *rays = set;
    vp_hash_u32(h, rays->count);
    for (uint32_t i = 0; i < rays->count; i++) {
        vp_hash_u32(h, rays->mesh[i]);
        vp_hash_words(h, &rays->ray[i], 7);
    }
}

static void lines(const void *set, vp_text *to)
{
    const vp_ray_set *rays = set;
    for (uint32_t i = 0; i < rays->count; i++) {
        const vp_ray *ray = &rays->ray[i];
        vp_text_add(to, "{\"mesh\": %u", rays->mesh[i]);
        vp_text_add_vec3(to, ", \"origin\": ", ray->origin);
        vp_text_add_vec3(to, ", \"direction\": ", ray->direction);
        vp_text_add(to, ", \"t_max\": \"%a\"}\n", (double)ray->t_max);
    }
}

static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_ray_set *rays = data->set;
    return vp_count_meshes(data, "rays", rays->mesh, rays->count, sizeof *rays->ray, out, error);
}

VP_KIND_DROP(vp_ray_set_destroy)

static const vp_param camera_params[] = {
    VP_PARAM(vp_camera_params, eye, -4, 4),
    VP_PARAM(vp_camera_params, aim, -4, 4),
    VP_PARAM(vp_camera_params, spread, 0.015625, 16),
    VP_PARAM(vp_camera_params, distance, 1, LENGTH_MAX),
    VP_PARAM(vp_camera_params, width, 0.015625, LENGTH_MAX),
    VP_PARAM(vp_camera_params, length, 0, LENGTH_MAX),
    {0},
};
static const vp_param scattered_params[] = {
    VP_PARAM(vp_scattered_params, near, 0, EDGE_MAX),
    VP_PARAM(vp_scattered_params, margin, 0, EDGE_MAX),
    VP_PARAM(vp_scattered_params, least, 0.015625, LENGTH_MAX),
    VP_PARAM(vp_scattered_params, most, 0.015625, LENGTH_MAX),
    {0},
};
static const vp_param grazing_params[] = {VP_PARAM(vp_grazing_params, far, 1, LENGTH_MAX), {0}};
static const vp_generator generators[] = {{.name = "camera", .param = camera_params, .make = make_camera},
                                          {.name = "scattered", .param = scattered_params, .make = make_scattered, .check = check_lengths},
                                          {.name = "cold", .param = scattered_params + 1, .make = make_cold, .check = check_lengths},
                                          {.name = "grazing", .param = grazing_params, .make = make_grazing},
                                          {0}};

const vp_kind vp_kind_rays = {
    .name = "rays",
    .words = "rays of meshes",
    .bytes = sizeof(vp_ray_set),
    .owner = &vp_kind_meshes,
    .member = (const char *const[]){"count", "params", "hashes", NULL},
    .generator = generators,
    .fuzz = vp_fuzz_of_stream,
    .count = vp_set_count,
    .part = part,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
