/* SPDX-License-Identifier: MIT */
/* Workloads: data sets by name, and small random ones that look for trouble. */
#include "datasets/cases/cases.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "datasets/cases/fuzz_meshes.h"
#include "datasets/random.h"

/* ---- "fuzz-<n>" ---- */

static uint8_t random_material(vp_random *r, uint32_t pattern)
{
    switch (pattern) {
    case 0: return vp_random_below(r, 50) == 0 ? (uint8_t)vp_random_below(r, 256) : VP_AIR;
    case 1: return vp_random_below(r, 50) == 0 ? (uint8_t)vp_random_below(r, 3) : 7;
    case 2: return vp_random_below(r, 200) == 0 ? VP_FIRST_SOLID : VP_WATER;
    case 3: return (uint8_t)vp_random_below(r, 3);
    default: return 255;
    }
}

/* A few voxels and boxes of one material over a pattern, so that every tag and every border between tags occurs, and
   chunks that hold nothing but what their neighbours spill. */
static vp_status random_world(vp_random *r, vp_world **out, vp_error *error)
{
    /* One draw a statement: in an initialiser their order would be the compiler's choice. */
    vp_dims size;
    size.x = 8 + 8 * vp_random_below(r, 6);
    size.y = 8 + 8 * vp_random_below(r, 5);
    size.z = 8 + 8 * vp_random_below(r, 6);
    vp_world *world;
    vp_status status = vp_world_create(&(vp_world_def){.size = size}, &world, error);
    if (status != VP_OK)
        return status;
    uint32_t pattern = vp_random_below(r, 8);
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
        vp_ivec3 at;
        at.x = (int32_t)vp_random_below(r, size.x);
        at.y = (int32_t)vp_random_below(r, size.y);
        at.z = (int32_t)vp_random_below(r, size.z);
        vp_voxel v = {(uint8_t)(1 + vp_random_below(r, 2)), 255};
        status = vp_world_set_voxel(world, at, v, NULL, error);
    }
    for (uint32_t i = 0; status == VP_OK && i < fills; i++) {
        static const uint8_t of[] = {VP_AIR, VP_WATER, VP_FIRST_SOLID, 255};
        vp_voxel v = {of[vp_random_below(r, 4)], 255};
        vp_ivec3 low, high;
        low.x = (int32_t)vp_random_below(r, size.x) - 4;
        low.y = (int32_t)vp_random_below(r, size.y) - 4;
        low.z = (int32_t)vp_random_below(r, size.z) - 4;
        high.x = low.x + 1 + (int32_t)vp_random_below(r, 40);
        high.y = low.y + 1 + (int32_t)vp_random_below(r, 40);
        high.z = low.z + 1 + (int32_t)vp_random_below(r, 40);
        status = vp_world_fill_box(world, low, high, v, NULL, error);
    }
    if (status != VP_OK)
        vp_world_destroy(world);
    else
        *out = world;
    return status;
}

/* A number near a world's extent: whole ones, halves, ones just beside whole ones, and now and then a monster. */
static float random_coordinate(vp_random *r, uint32_t size)
{
    static const float monsters[] = {0.0f,     -0.0f,   INFINITY, -INFINITY, NAN,   FLT_MAX, -FLT_MAX,
                                     FLT_MIN, -1e-42f, 2147483648.0f, -2147483904.0f, 1e10f, -1e10f};
    float whole = (float)vp_random_below(r, size + 9) - 4.0f;
    switch (vp_random_below(r, 16)) {
    case 0: return monsters[vp_random_below(r, sizeof monsters / sizeof monsters[0])];
    case 1: return nextafterf(whole, -INFINITY);
    case 2: return nextafterf(whole, INFINITY);
    case 3:
    case 4:
    case 5: return whole;
    default: return vp_random_between(r, -4.0f, (float)size + 4.0f);
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
    vp_status status = vp_box_set_create(200 + vp_random_below(r, 40), out, error);
    if (status != VP_OK)
        return status;
    for (uint32_t i = 0; i < out->count; i++) {
        vp_aabb *box = &out->box[i];
        random_side(r, size.x, &box->min.x, &box->max.x);
        random_side(r, size.y, &box->min.y, &box->max.y);
        random_side(r, size.z, &box->min.z, &box->max.z);
    }
    vp_box_set_split(out);
    return VP_OK;
}

/* A ray from somewhere near a world to somewhere near it, or along an axis. */
static vp_ray random_ray(vp_random *r, vp_dims size)
{
    vp_vec3 from, to;
    from.x = random_coordinate(r, size.x);
    from.y = random_coordinate(r, size.y);
    from.z = random_coordinate(r, size.z);
    to.x = random_coordinate(r, size.x);
    to.y = random_coordinate(r, size.y);
    to.z = random_coordinate(r, size.z);
    vp_ray ray = {from, vp_vec3_sub(to, from), INFINITY};
    switch (vp_random_below(r, 8)) {
    case 0: ray.direction = (vp_vec3){0.0f, -1.0f, -0.0f}; break;
    case 1: ray.direction = (vp_vec3){-0.0f, 0.0f, 3.0f}; break;
    case 2: ray.direction.x = 0.0f; break;
    case 3: ray.t_max = vp_random_unit(r); break;
    case 4: ray.direction = vp_vec3_scale(ray.direction, 1e-30f); break;
    default: break;
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

/* "fuzz-12" -> 12; errno is ERANGE if it is beyond 64 bits. */
static bool is_fuzz(const char *name, uint64_t *number)
{
    char *end;
    if (strncmp(name, "fuzz-", 5) != 0 || name[5] < '0' || name[5] > '9')
        return false;
    errno = 0;
    *number = strtoull(name + 5, &end, 10);
    return *end == '\0';
}

/* ---- opening ---- */

/* Rays or boxes of meshes: "chunks/coherent". */
static vp_status load_questions(const vp_manifest *manifest, const char *name, vp_workload *w, vp_error *error)
{
    const vp_dataset *set = vp_manifest_find(manifest, strchr(name, '/') + 1);
    vp_ray_set_destroy(&w->rays);
    vp_mesh_box_set_destroy(&w->mesh_boxes);
    return set != NULL && set->kind == VP_DATASET_MESH_BOXES
               ? vp_dataset_mesh_boxes(manifest, name, &w->meshes, &w->mesh_boxes, error)
               : vp_dataset_rays(manifest, name, &w->meshes, &w->rays, error);
}

static vp_status load(const vp_manifest *manifest, const char *name, uint64_t seed, vp_workload *w, vp_error *error)
{
    uint64_t number;
    const char *slash = strchr(name, '/');
    size_t world_length = slash != NULL ? (size_t)(slash - name) : strlen(name);
    char world_name[sizeof w->name];
    snprintf(world_name, sizeof world_name, "%.*s", (int)world_length, name);
    const vp_dataset *owner = vp_manifest_find(manifest, world_name);
    if (owner != NULL && owner->kind == VP_DATASET_POINTS)
        return vp_dataset_points(manifest, name, &w->points, error);
    if (owner != NULL && owner->kind == VP_DATASET_MESHES) {
        vp_status status = vp_dataset_meshes(manifest, world_name, &w->meshes, error);
        return status != VP_OK || slash == NULL ? status : load_questions(manifest, name, w, error);
    }
    if (is_fuzz(name, &number)) {
        if (errno == ERANGE)
            return vp_fail(error, VP_E_ARGUMENT, "%s: the number is beyond 64 bits", name);
        vp_random r = {seed * UINT64_C(0x9e3779b97f4a7c15) + number};
        vp_status status = random_world(&r, &w->world, error);
        if (status == VP_OK)
            status = random_boxes(&r, vp_world_size(w->world), &w->boxes, error);
        if (status == VP_OK)
            status = vp_fuzz_meshes(&r, &w->meshes, &w->rays, &w->mesh_boxes, error);
        vp_random of_points = {r.state ^ UINT64_C(0x5bd1e995)}; /* apart, so that what was there before them stays what it was */
        if (status == VP_OK)
            status = vp_fuzz_points(&of_points, &w->points, error);
        return status != VP_OK ? status : random_rays(&r, vp_world_size(w->world), &w->terrain_rays, error);
    }
    vp_status status = vp_dataset_world(manifest, world_name, &w->world, error);
    if (status == VP_OK && slash != NULL)
        status = vp_dataset_boxes(manifest, name, w->world, &w->boxes, error);
    return status;
}

static vp_status derive(vp_workload *w, vp_error *error)
{
    vp_dims size = vp_world_size(w->world);
    w->rows = malloc((size_t)size.x * size.y * size.z);
    w->surfaces = vp_surface_set_create();
    if (w->rows == NULL || w->surfaces == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the rows of %s", w->name);
    vp_status status = vp_world_read_rows(w->world, (vp_ivec3){0, 0, 0}, size, w->rows, NULL, error);
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    vp_broadphase_def def = {.world = w->world, .kernels = &scalar};
    return status != VP_OK ? status : vp_broadphase_create(&def, &w->broadphase, error);
}

/* The terrain of a world that rays are for. */
static vp_status add_terrain(vp_workload *w, vp_error *error)
{
    const vp_mesh_set *m = &w->meshes;
    if (m->world != NULL)
        w->terrain = vp_terrain_set_create(m->world, m->surface, m->first, m->chunk_box);
    else if (w->terrain_rays.count != 0)
        w->terrain = vp_terrain_set_create(w->world, VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0}, vp_world_chunks(w->world));
    else
        return VP_OK;
    return w->terrain != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for the terrain of %s", w->name);
}

vp_status vp_workload_open(const vp_manifest *manifest, const char *name, uint64_t seed, vp_workload *out,
                           vp_error *error)
{
    vp_workload w = {0};
    if (strlen(name) >= sizeof w.name)
        return vp_fail(error, VP_E_ARGUMENT, "data set name \"%.40s...\" is too long", name);
    memcpy(w.name, name, strlen(name) + 1);
    vp_status status = load(manifest, name, seed, &w, error);
    w.form = VP_KD_WIDE;
    if (status == VP_OK && w.world != NULL)
        status = derive(&w, error);
    if (status == VP_OK && w.meshes.count != 0 && (w.trees = vp_trees_create(w.meshes.count)) == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for trees of %s", w.name);
    if (status == VP_OK)
        status = add_terrain(&w, error);
    if (status != VP_OK)
        vp_workload_close(&w);
    else
        *out = w;
    return status;
}

vp_status vp_workload_set_boxes(const vp_manifest *manifest, const char *boxes, vp_workload *workload, vp_error *error)
{
    char name[sizeof workload->name];
    const char *slash = strchr(workload->name, '/');
    int world_length = slash != NULL ? (int)(slash - workload->name) : (int)strlen(workload->name);
    if ((size_t)snprintf(name, sizeof name, "%.*s/%s", world_length, workload->name, boxes) >= sizeof name)
        return vp_fail(error, VP_E_ARGUMENT, "data set name \"%.40s...\" is too long", boxes);
    if (workload->world == NULL) {
        vp_status loaded = load_questions(manifest, name, workload, error);
        if (loaded == VP_OK)
            memcpy(workload->name, name, sizeof name);
        return loaded;
    }
    vp_box_set set;
    vp_status status = vp_dataset_boxes(manifest, name, workload->world, &set, error);
    if (status != VP_OK)
        return status;
    vp_box_set_destroy(&workload->boxes);
    workload->boxes = set;
    memcpy(workload->name, name, sizeof name);
    return VP_OK;
}

void vp_workload_thin(vp_workload *workload, uint32_t most)
{
    vp_ray_set *rays = &workload->rays;
    vp_mesh_box_set *boxes = &workload->mesh_boxes;
    const uint32_t ray_step = rays->count / most + (rays->count % most != 0), box_step = boxes->count / most + (boxes->count % most != 0);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rays->count; i += ray_step, kept++) {
        rays->ray[kept] = rays->ray[i];
        rays->mesh[kept] = rays->mesh[i];
    }
    rays->count = kept;
    kept = 0;
    for (uint32_t i = 0; i < boxes->count; i += box_step, kept++) {
        boxes->box[kept] = boxes->box[i];
        boxes->mesh[kept] = boxes->mesh[i];
    }
    boxes->count = kept;
}

void vp_workload_close(vp_workload *workload)
{
    vp_terrain_set_destroy(workload->terrain);
    vp_surface_set_destroy(workload->surfaces);
    vp_broadphase_destroy(workload->broadphase);
    vp_world_destroy(workload->world);
    free(workload->rows);
    vp_box_set_destroy(&workload->boxes);
    vp_point_sets_destroy(&workload->points);
    vp_mesh_set_destroy(&workload->meshes);
    vp_ray_set_destroy(&workload->rays);
    vp_mesh_box_set_destroy(&workload->mesh_boxes);
    vp_trees_destroy(workload->trees);
    vp_ray_set_destroy(&workload->terrain_rays);
    *workload = (vp_workload){0};
}
