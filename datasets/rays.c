/* SPDX-License-Identifier: MIT */
/* Sets of rays: a camera's, which are alike and come in tiles as packets want them; scattered ones, which are not alike;
 * and cold ones, each of which meets another mesh, at random, than the ray before. Grazing rays are in grazing.c.
 *
 * A mesh of many chunks is looked at from above a corner of its box, and scattered rays start near its surface. Chunks'
 * meshes are looked at one after the other, 16 x 16 rays each, and scattered rays start in the chunk's box, 256 in one
 * before the next. */
#include "datasets/mesh_pick.h"

#include "src/core/error.h"

#include <stdlib.h>

enum { TILE = 8, CHUNK_VIEW = 16, RUN = 256 };

/* ---- a camera ---- */

/* Looks from `eye` along `forward`; `right` and `up` reach the edges of the view. */
typedef struct camera {
    vp_vec3 eye, forward, right, up;
} camera;

/* @param forward  a unit vector, not upright */
static camera look(vp_vec3 eye, vp_vec3 forward, float spread)
{
    const vp_vec3 right = vp_pick_unit((vp_vec3){-forward.z, 0.0f, forward.x});
    const vp_vec3 up = {right.y * forward.z - right.z * forward.y, right.z * forward.x - right.x * forward.z,
                        right.x * forward.y - right.y * forward.x};
    return (camera){eye, forward, vp_pick_times(right, spread), vp_pick_times(up, spread)};
}

/* Writes the rays of a square view, tile by tile. */
static void view(const camera *c, uint32_t edge, float length, vp_ray *ray)
{
    for (uint32_t i = 0; i < edge * edge; i++) {
        const uint32_t tile = i / (TILE * TILE), part = i % (TILE * TILE);
        const uint32_t x = tile % (edge / TILE) * TILE + part % TILE, y = tile / (edge / TILE) * TILE + part / TILE;
        const float across = (float)(2 * x + 1) / (float)edge - 1.0f, down = (float)(2 * y + 1) / (float)edge - 1.0f;
        const vp_vec3 direction =
            vp_pick_difference(vp_pick_sum(c->forward, vp_pick_times(c->right, across)), vp_pick_times(c->up, down));
        ray[i] = (vp_ray){c->eye, vp_pick_unit(direction), length};
    }
}

/* From above the box's lowest corner across it. */
static vp_status look_across(const vp_entry *entry, const vp_mesh_set *meshes, vp_ray_set *set, vp_error *error)
{
    const vp_camera_params *p = &entry->params.camera;
    const vp_vec3 low = meshes->box[0].min, size = vp_pick_difference(meshes->box[0].max, low);
    uint32_t edge = 0;
    while (edge * edge < set->count)
        edge += TILE;
    if (edge * edge != set->count)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": %u rays are no square of tiles of %d x %d", entry->dataset.name,
                       set->count, TILE, TILE);
    const float top = meshes->box[0].max.y;
    const vp_vec3 eye = {low.x, top + size.x * p->eye, low.z};
    const vp_vec3 aim = {low.x + size.x * 0.5f, top + size.x * p->aim, low.z + size.z * 0.5f};
    const camera c = look(eye, vp_pick_unit(vp_pick_difference(aim, eye)), p->spread);
    view(&c, edge, p->length, set->ray);
    return VP_OK;
}

/* At chunk after chunk from random sides; if there are more chunks than views, at some, evenly spread. */
static vp_status look_at_chunks(const vp_entry *entry, const vp_mesh_set *meshes, vp_ray_set *set, vp_error *error)
{
    enum { RAYS = CHUNK_VIEW * CHUNK_VIEW };
    const vp_camera_params *p = &entry->params.camera;
    const uint32_t views = set->count / RAYS;
    vp_random random = {entry->dataset.seed};
    if (set->count % RAYS != 0)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": %u rays are no whole number of views of %d x %d",
                       entry->dataset.name, set->count, CHUNK_VIEW, CHUNK_VIEW);
    for (uint32_t k = 0; k < views; k++) {
        const uint32_t mesh = views < meshes->count ? (uint32_t)((uint64_t)k * meshes->count / views) : k % meshes->count;
        const vp_aabb *box = &meshes->box[mesh];
        const vp_vec3 middle = vp_pick_times(vp_pick_sum(box->min, box->max), 0.5f);
        vp_vec3 away;
        do
            away = vp_pick_direction(&random);
        while (away.y > 0.875f || away.y < -0.875f);
        const vp_vec3 eye = vp_pick_sum(middle, vp_pick_times(away, p->distance));
        const camera c = look(eye, (vp_vec3){-away.x, -away.y, -away.z}, p->width / p->distance);
        view(&c, CHUNK_VIEW, p->length, set->ray + (size_t)k * RAYS);
        for (uint32_t i = 0; i < RAYS; i++)
            set->mesh[k * RAYS + i] = mesh;
    }
    return VP_OK;
}

/* ---- scattered ---- */

/* From `least` to `most`, which is `least` times a power of two: as many in each octave, spread evenly in it. */
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
    const float x = vp_random_between(random, box->min.x - margin, box->max.x + margin);
    const float y = vp_random_between(random, box->min.y - margin, box->max.y + margin);
    const float z = vp_random_between(random, box->min.z - margin, box->max.z + margin);
    return (vp_vec3){x, y, z};
}

/* Another random mesh after every `run` rays. */
static void scatter(const vp_entry *entry, const vp_mesh_set *meshes, uint32_t run, vp_ray_set *set)
{
    const vp_scattered_params *p = &entry->params.scattered;
    vp_random random = {entry->dataset.seed};
    uint32_t mesh = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (i % run == 0)
            mesh = vp_random_below(&random, meshes->count);
        const vp_vec3 origin = meshes->chunks ? in_box(&random, &meshes->box[mesh], p->margin)
                                              : vp_pick_near(&random, &meshes->mesh[mesh], p->near);
        const vp_vec3 direction = vp_pick_direction(&random);
        set->ray[i] = (vp_ray){origin, direction, random_length(&random, p->least, p->most)};
        set->mesh[i] = mesh;
    }
}

/* ---- a set ---- */

static vp_status make(const vp_entry *entry, const vp_mesh_set *meshes, vp_ray_set *set, vp_error *error)
{
    switch (entry->generator) {
    case VP_GENERATOR_CAMERA:
        return meshes->chunks ? look_at_chunks(entry, meshes, set, error) : look_across(entry, meshes, set, error);
    case VP_GENERATOR_COLD: scatter(entry, meshes, 1, set); return VP_OK;
    case VP_GENERATOR_GRAZING:
        vp_grazing_rays(&entry->params.grazing, entry->dataset.seed, meshes, set);
        return VP_OK;
    default: scatter(entry, meshes, RUN, set); return VP_OK;
    }
}

vp_status vp_dataset_rays(const vp_manifest *manifest, const char *name, const vp_mesh_set *meshes, vp_ray_set *out,
                          vp_error *error)
{
    const vp_entry *entry;
    vp_status status = vp_manifest_entry_on(manifest, name, VP_DATASET_RAYS, &entry, error);
    if (status != VP_OK)
        return status;
    if (entry->generator == VP_GENERATOR_COLD && !meshes->chunks)
        return vp_fail(error, VP_E_ARGUMENT,
                       "\"%.80s\": its rays meet another chunk each, but these meshes are one of many chunks", name);
    vp_ray_set set = {.count = entry->dataset.count};
    set.ray = malloc(set.count * sizeof *set.ray);
    set.mesh = calloc(set.count, sizeof *set.mesh);
    if (set.ray == NULL || set.mesh == NULL)
        status = vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u rays", name, set.count);
    else
        status = make(entry, meshes, &set, error);
    if (status == VP_OK)
        status = vp_manifest_check(manifest, name, vp_ray_set_hash(&set), error);
    if (status == VP_OK)
        *out = set;
    else
        vp_ray_set_destroy(&set);
    return status;
}

void vp_ray_set_destroy(vp_ray_set *set)
{
    free(set->ray);
    free(set->mesh);
    *set = (vp_ray_set){0};
}
