/* SPDX-License-Identifier: MIT */
#include "datasets/fuzz.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "datasets/fuzz_meshes.h"
#include "datasets/point_sets.h"
#include "src/core/error.h"

static uint8_t random_material(vp_random *r, uint32_t pattern)
{
    switch (pattern) {
    case 0:
        return vp_random_below(r, 50) == 0 ? (uint8_t)vp_random_below(r, 256) : VP_AIR;
    case 1:
        return vp_random_below(r, 50) == 0 ? (uint8_t)vp_random_below(r, 3) : 7;
    case 2:
        return vp_random_below(r, 200) == 0 ? VP_FIRST_SOLID : VP_WATER;
    case 3:
        return (uint8_t)vp_random_below(r, 3);
    default:
        return 255;
    }
}

/* Writes a few voxels and boxes of one material over a pattern, so that every tag and every border between tags occurs.
 * Some chunks contain only what spills over from their neighbours. */
static vp_status random_world(vp_random *r, vp_world **out, vp_error *error)
{
    /* One draw per statement, because the order within an initialiser is the compiler's choice. */
    vp_dims size;
    size.x = 8 + 8 * vp_random_below(r, 6);
    size.y = 8 + 8 * vp_random_below(r, 5);
    size.z = 8 + 8 * vp_random_below(r, 6);
    vp_world *world;
    VP_RETURN_IF_FAILED(vp_world_create(&(vp_world_def){.size = size}, &world, error));
    uint32_t pattern = vp_random_below(r, 8);
    vp_status status = VP_OK;
    for (uint32_t y = 0; pattern < 5 && status == VP_OK && y < size.y; y++)
        for (uint32_t z = 0; z < size.z; z++)
            for (uint32_t x = 0; x < size.x; x++) {
                vp_voxel v;
                v.material = random_material(r, pattern);
                v.occupancy = (uint8_t)vp_random_below(r, 256);
                status = vp_world_set_voxel(world, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z}, v, NULL, error);
            }
    uint32_t voxels = vp_random_below(r, 4), fills = pattern < 7 ? vp_random_below(r, 6) : 0;
    for (uint32_t i = 0; status == VP_OK && i < voxels; i++) {
        const vp_ivec3 at = vp_random_cell(r, size);
        vp_voxel v = {(uint8_t)(1 + vp_random_below(r, 2)), 255};
        status = vp_world_set_voxel(world, at, v, NULL, error);
    }
    for (uint32_t i = 0; status == VP_OK && i < fills; i++) {
        static const uint8_t of[] = {VP_AIR, VP_WATER, VP_FIRST_SOLID, 255};
        vp_voxel v = {of[vp_random_below(r, 4)], 255};
        const vp_ivec3 a = vp_random_cell(r, size), edge = vp_random_cell(r, (vp_dims){40, 40, 40});
        const vp_ivec3 low = {a.x - 4, a.y - 4, a.z - 4}, high = {low.x + 1 + edge.x, low.y + 1 + edge.y, low.z + 1 + edge.z};
        status = vp_world_fill_box(world, low, high, v, NULL, error);
    }
    if (status != VP_OK)
        vp_world_destroy(world);
    else
        *out = world;
    return status;
}

/* A number near a world's extent. It is an integer, a half, a value next to an integer, or rarely a huge value. */
static float random_coordinate(vp_random *r, uint32_t size)
{
    static const float monsters[] = {0.0f,    -0.0f,   INFINITY,      -INFINITY,      NAN,   FLT_MAX, -FLT_MAX,
                                     FLT_MIN, -1e-42f, 2147483648.0f, -2147483904.0f, 1e10f, -1e10f};
    float whole = (float)vp_random_below(r, size + 9) - 4.0f;
    switch (vp_random_below(r, 16)) {
    case 0:
        return monsters[vp_random_below(r, sizeof monsters / sizeof monsters[0])];
    case 1:
        return nextafterf(whole, -INFINITY);
    case 2:
        return nextafterf(whole, INFINITY);
    case 3:
    case 4:
    case 5:
        return whole;
    default:
        return vp_random_between(r, -4.0f, (float)size + 4.0f);
    }
}

static void random_side(vp_random *r, uint32_t size, float *min, float *max)
{
    *min = random_coordinate(r, size);
    *max = vp_random_below(r, 3) == 0 ? random_coordinate(r, size) : *min + vp_random_between(r, 0.0f, 12.0f);
    if (*min > *max && vp_random_below(r, 8) != 0) {
        float t = *min;
        *min = *max;
        *max = t;
    }
}

static vp_status random_boxes(vp_random *r, vp_dims size, vp_box_set *out, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_box_set_create(200 + vp_random_below(r, 40), out, error));
    for (uint32_t i = 0; i < out->count; i++) {
        vp_aabb *box = &out->box[i];
        random_side(r, size.x, &box->min.x, &box->max.x);
        random_side(r, size.y, &box->min.y, &box->max.y);
        random_side(r, size.z, &box->min.z, &box->max.z);
    }
    vp_box_set_split(out);
    return VP_OK;
}

static vp_vec3 random_point(vp_random *r, vp_dims size)
{
    vp_vec3 p;
    p.x = random_coordinate(r, size.x);
    p.y = random_coordinate(r, size.y);
    p.z = random_coordinate(r, size.z);
    return p;
}

/* A ray between two places near a world, or along an axis. */
static vp_ray random_ray(vp_random *r, vp_dims size)
{
    const vp_vec3 from = random_point(r, size), to = random_point(r, size);
    vp_ray ray = {from, vp_vec3_sub(to, from), INFINITY};
    switch (vp_random_below(r, 8)) {
    case 0:
        ray.direction = (vp_vec3){0.0f, -1.0f, -0.0f};
        break;
    case 1:
        ray.direction = (vp_vec3){-0.0f, 0.0f, 3.0f};
        break;
    case 2:
        ray.direction.x = 0.0f;
        break;
    case 3:
        ray.t_max = vp_random_unit(r);
        break;
    case 4:
        ray.direction = vp_vec3_scale(ray.direction, 1e-30f);
        break;
    default:
        break;
    }
    return ray;
}

static vp_status random_rays(vp_random *r, vp_dims size, vp_ray_set *out, vp_error *error)
{
    enum { RAYS = 128 };
    *out = (vp_ray_set){RAYS, calloc(RAYS, sizeof *out->ray), calloc(RAYS, sizeof *out->mesh)};
    if (out->ray == NULL || out->mesh == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for random rays");
    for (uint32_t i = 0; i < RAYS; i++)
        out->ray[i] = random_ray(r, size);
    return VP_OK;
}

static float shaken(vp_random *r, float x)
{
    const uint32_t how = vp_random_below(r, 6);
    for (uint32_t i = 0; i < how % 3; i++)
        x = nextafterf(x, how < 3 ? INFINITY : -INFINITY);
    return x;
}

/* Makes one set. `kind` selects the number of dimensions and the method. */
static void random_set(vp_random *r, uint32_t kind, vp_vec3 *point, uint32_t count)
{
    static const float scales[] = {1.0f, 1e-5f, 1e6f, 0x1p-140f, 1e30f, 0.1f};
    const float by = scales[vp_random_below(r, 6)], away = vp_random_below(r, 3) == 0 ? 1000.0f : 0.0f;
    const uint32_t most = 2 + vp_random_below(r, 6), shake = vp_random_below(r, 2);
    for (uint32_t i = 0; i < count; i++) {
        vp_vec3 p;
        p.x = (float)vp_random_below(r, most);
        p.y = (float)vp_random_below(r, most);
        p.z = (float)vp_random_below(r, most);
        if (kind == 1)
            p.z = p.x + p.y;
        if (kind == 2)
            p.y = p.x * 2.0f;
        if (kind == 2)
            p.z = 3.0f - p.x;
        if (kind == 3)
            p = (vp_vec3){p.x + 0.25f * p.y, p.y, 0.5f * p.z - p.x};
        p = (vp_vec3){(p.x + away) * by, (p.y + away) * by, (p.z + away) * by};
        point[i] = shake != 0 ? (vp_vec3){shaken(r, p.x), p.y, shaken(r, p.z)} : p;
    }
}

/* Makes small, very degenerate sets. They are on lattices, in planes and on lines, or at few places, with the last bits
 * changed, at all scales. */
static vp_status random_points(vp_random *r, vp_point_sets *out, vp_error *error)
{
    enum { SETS = 12, MAX = 80 };
    *out = (vp_point_sets){0, calloc(SETS + 1, sizeof *out->first), malloc(SETS * MAX * sizeof *out->point)};
    if (out->first == NULL || out->point == NULL)
        return vp_fail(error, VP_E_MEMORY, "\"fuzz\": no memory for %d sets of points", SETS);
    for (uint32_t s = 0; s < SETS; s++) {
        const uint32_t count = 1 + vp_random_below(r, MAX);
        random_set(r, s % 6, out->point + out->first[s], count);
        out->first[++out->count] = out->first[s] + count;
    }
    return VP_OK;
}

/* ---- the stream ---- */

/* Everything that the stream makes after the world. The store's sets take their content from it. */
typedef struct stream {
    vp_box_set boxes;
    vp_mesh_set meshes;
    vp_ray_set rays, terrain_rays;
    vp_mesh_box_set mesh_boxes;
    vp_point_sets points;
} stream;

static void drop_stream(void *made)
{
    stream *s = made;
    if (s == NULL)
        return;
    vp_box_set_destroy(&s->boxes);
    vp_mesh_set_destroy(&s->meshes);
    vp_ray_set_destroy(&s->rays);
    vp_ray_set_destroy(&s->terrain_rays);
    vp_mesh_box_set_destroy(&s->mesh_boxes);
    vp_point_sets_destroy(&s->points);
    free(s);
}

/* `seed` is derived from the name again, because the world has already drawn from the stream. */
static vp_status make_stream(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    vp_random r = {vp_store_fuzz_seed(from->store, from->name)};
    vp_world *world = NULL;
    const vp_dims size = vp_world_size(from->set);
    stream *s = *out = calloc(1, sizeof *s);
    (void)variant;
    if (s == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", from->name);
    vp_status status = random_world(&r, &world, error); /* for its draws */
    vp_world_destroy(world);
    if (status == VP_OK)
        status = random_boxes(&r, size, &s->boxes, error);
    if (status == VP_OK)
        status = vp_random_meshes(&r, &s->meshes, &s->rays, &s->mesh_boxes, error);
    vp_random of_points = {r.state ^ UINT64_C(0x5bd1e995)}; /* a separate stream, so that older data does not change */
    if (status == VP_OK)
        status = random_points(&of_points, &s->points, error);
    return status != VP_OK ? status : random_rays(&r, size, &s->terrain_rays, error);
}

static vp_status stream_of(vp_store *store, const char *name, const vp_data **world, stream **out, vp_error *error)
{
    static const vp_derivation derivation = {"random data", make_stream, drop_stream};
    const void *made = NULL;
    VP_RETURN_IF_FAILED(vp_store_open(store, vp_kind_named("world"), name, world, error));
    VP_RETURN_IF_FAILED(vp_data_derive(*world, &derivation, 0, &made, error));
    *out = (stream *)(uintptr_t)made;
    return VP_OK;
}

vp_status vp_fuzz_world(const vp_making *from, void **set, vp_error *error)
{
    vp_random r = {from->seed};
    vp_world *world = NULL;
    VP_RETURN_IF_FAILED(random_world(&r, &world, error));
    *set = world;
    return VP_OK;
}

/* Each is opened once and takes its content from the stream. */
vp_status vp_fuzz_of_stream(const vp_making *from, void **set, vp_error *error)
{
    static const struct {
        const char *kind;
        size_t at;
    } parts[] = {{"boxes", offsetof(stream, boxes)},
                 {"meshes", offsetof(stream, meshes)},
                 {"rays", offsetof(stream, rays)},
                 {"mesh-boxes", offsetof(stream, mesh_boxes)},
                 {"points", offsetof(stream, points)}};
    const vp_data *world;
    stream *s = NULL;
    VP_RETURN_IF_FAILED(stream_of(from->store, from->name, &world, &s, error));
    size_t i = 0;
    while (strcmp(parts[i].kind, from->kind->name) != 0)
        i++;
    memcpy(*set, (char *)s + parts[i].at, from->kind->bytes);
    memset((char *)s + parts[i].at, 0, from->kind->bytes);
    if (parts[i].at == offsetof(stream, meshes)) {
        vp_mesh_set *meshes = *set;
        meshes->world = world->set;
        meshes->chunk_box = vp_world_chunks(world->set);
    }
    return VP_OK;
}

vp_status vp_fuzz_terrain_rays(vp_store *store, const char *name, const vp_ray_set **out, vp_error *error)
{
    const vp_data *world;
    stream *s = NULL;
    VP_RETURN_IF_FAILED(stream_of(store, name, &world, &s, error));
    *out = &s->terrain_rays;
    return VP_OK;
}
