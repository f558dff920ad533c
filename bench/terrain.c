/* SPDX-License-Identifier: MIT */
#include "bench/terrain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "datasets/hash.h"
#include "datasets/random.h"

enum {
    NONSENSE = 0xa5,
    RECORD_BYTES = VP_HIT_BYTES + 4,
    TILE = 8,     /* rays along an edge of a tile */
    TILES = 1024, /* that wander over a world */
    WANDER_SEED = 41
};

/* ---- who ---- */

size_t vp_terrain_tables(vp_terrain_table out[VP_TERRAIN_TABLES])
{
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t all = vp_contenders(VP_KERNEL_terrain_ray, contenders);
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const vp_contender *c = &contenders[i];
        vp_terrain_table *t = &out[count];
        if (!c->usable || c->how != VP_HOW_NATIVE || vp_kernels_named(c->name, &t->kernels, NULL) != VP_OK)
            continue;
        snprintf(t->name, sizeof t->name, "%.23s", c->name);
        count++;
    }
    return count;
}

const char *vp_terrain_form_suffix(vp_kd_form form)
{
    static const char *const suffix[] = {"-published", "-slab", "", "-packed", "-implied"};
    return (size_t)form < sizeof suffix / sizeof suffix[0] ? suffix[form] : "-other";
}

/* ---- answers ---- */

vp_status vp_terrain_hits_digest(const vp_terrain_hit *hit, size_t count, uint64_t *out, vp_error *error)
{
    uint8_t *bytes = malloc((count + 1) * RECORD_BYTES);
    if (bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu answers", count);
    for (size_t i = 0; i < count; i++) {
        vp_put_hit(bytes + i * RECORD_BYTES, &hit[i].hit);
        vp_put_u32(bytes + i * RECORD_BYTES + VP_HIT_BYTES, hit[i].chunk);
    }
    *out = vp_hash64(bytes, count * RECORD_BYTES);
    free(bytes);
    return VP_OK;
}

static bool same_hit(const vp_terrain_hit *a, const vp_terrain_hit *b)
{
    return memcmp(&a->hit, &b->hit, sizeof a->hit) == 0 && a->chunk == b->chunk;
}

vp_status vp_terrain_compare(const vp_asked_terrain *rays, const vp_terrain_hit *got, const char *who, vp_error *error)
{
    uint32_t differ = 0, first = 0;
    for (uint32_t i = rays->count; i-- > 0;)
        if (!same_hit(&rays->want[i], &got[i])) {
            differ++;
            first = i;
        }
    if (differ == 0)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "%s differs from the reference in %u of %u answers; the first is number %u", who, differ,
                   rays->count, first);
}

void vp_terrain_spoil(vp_terrain_hit *hit, size_t count)
{
    memset(hit, NONSENSE, count * sizeof *hit);
}

/* ---- rays ---- */

/* Rays by their names, or why they could not be had. */
typedef struct kept {
    const char *data, *set;
    vp_status status;
    vp_error error;
    vp_asked_terrain rays;
    vp_ray *own; /* NULL: the rays are the suite's */
    struct kept *next;
} kept;

/* Tiles of 8 x 8 rays, as a camera's are, from above a world down to it: each from another place, in random order. */
static vp_ray *wandering_rays(vp_dims size, uint32_t *count)
{
    vp_random random = {WANDER_SEED};
    vp_ray *ray = malloc((size_t)TILES * TILE * TILE * sizeof *ray);
    const float top = (float)size.y;
    *count = 0;
    for (uint32_t t = 0; ray != NULL && t < TILES; t++) {
        vp_vec3 eye, aim;
        eye.x = vp_random_between(&random, 0.0f, (float)size.x);
        eye.z = vp_random_between(&random, 0.0f, (float)size.z);
        eye.y = top + 8.0f;
        aim.x = eye.x + vp_random_between(&random, -64.0f, 64.0f);
        aim.z = eye.z + vp_random_between(&random, -64.0f, 64.0f);
        aim.y = top * 0.25f;
        for (int i = 0; i < TILE * TILE; i++) {
            const vp_vec3 at = {aim.x + (float)(i % TILE), aim.y, aim.z + (float)(i / TILE)};
            ray[(*count)++] = (vp_ray){eye, vp_vec3_sub(at, eye), 1.5f};
        }
    }
    return ray;
}

/* The reference's answers, by kernels alone: no cache, no lock, trees that are all there. */
static vp_status answer(const vp_suite_set *workload, vp_asked_terrain *rays, vp_error *error)
{
    vp_terrain_view view;
    vp_kernels scalar;
    double bytes;
    vp_kernels_best(&scalar, 0);
    vp_status status = vp_derive_terrain(workload->of_meshes, 0, &view, error);
    if (status == VP_OK)
        status = vp_terrain_bytes(workload->of_meshes, 0, &bytes, &rays->triangles, error);
    if (status != VP_OK)
        return status;
    rays->want = malloc((rays->count + 1u) * sizeof *rays->want);
    if (rays->want == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the reference's answers on %s", workload->name);
    for (uint32_t i = 0; i < rays->count; i++)
        rays->want[i] = scalar.terrain_ray(&view, &rays->ray[i]);
    return vp_terrain_hits_digest(rays->want, rays->count, &rays->digest, error);
}

static vp_status load_set(vp_suite *suite, kept *k, vp_error *error)
{
    vp_suite_set workload;
    vp_status status = vp_suite_open(suite, k->data, k->set, &workload, error);
    if (status != VP_OK)
        return status;
    const vp_mesh_set *m = &workload.meshes;
    if (m->world == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "%s is no mesh of one world", k->data);
    k->rays = (vp_asked_terrain){.world = m->world, .first = m->first, .chunks = m->chunk_box, .ray = workload.rays.ray,
                                .count = workload.rays.count};
    return answer(&workload, &k->rays, error);
}

static vp_status load_wander(vp_suite *suite, kept *k, vp_error *error)
{
    vp_suite_set workload;
    vp_status status = vp_suite_open(suite, k->data, NULL, &workload, error);
    if (status != VP_OK)
        return status;
    const vp_dims n = vp_world_chunks(workload.world);
    uint32_t count;
    k->own = wandering_rays(vp_world_size(workload.world), &count);
    k->rays = (vp_asked_terrain){.world = workload.world, .chunks = n, .ray = k->own, .count = count};
    vp_suite_set asked = {.name = ""};
    vp_store *store = NULL; /* of its own, to be closed: the trees are larger than the world */
    snprintf(asked.name, sizeof asked.name, "%.40s/wander", k->data);
    status = k->own != NULL ? vp_store_create(NULL, 0, &store, error) : vp_fail(error, VP_E_MEMORY, "no memory for rays over %s", k->data);
    if (status == VP_OK)
        status = vp_store_lend(store, &vp_kind_world, k->data, workload.world, error);
    if (status == VP_OK)
        status = vp_store_open(store, &vp_kind_world, k->data, &asked.of_meshes, error);
    if (status == VP_OK)
        status = answer(&asked, &k->rays, error);
    vp_store_destroy(store);
    return status;
}

struct vp_terrain_answers {
    vp_suite *suite;
    kept *first;
};

static void drop_answers(void *entry)
{
    vp_terrain_answers *answers = entry;
    for (kept *k = answers->first, *next; k != NULL; k = next) {
        next = k->next;
        free(k->own);
        free(k->rays.want);
        free(k);
    }
}

vp_terrain_answers *vp_terrain_answers_create(vp_suite *suite)
{
    vp_terrain_answers *answers = vp_suite_entry(suite, sizeof *answers, drop_answers);
    answers->suite = suite;
    return answers;
}

const vp_asked_terrain *vp_terrain_rays_of(vp_terrain_answers *answers, const char *data, const char *set, vp_error *error)
{
    kept *k = answers->first;
    while (k != NULL && (strcmp(k->data, data) != 0 || strcmp(k->set, set) != 0))
        k = k->next;
    if (k == NULL) {
        k = calloc(1, sizeof *k);
        if (k == NULL) {
            vp_fail(error, VP_E_MEMORY, "no memory for the answers on %s", data);
            return NULL;
        }
        k->data = data;
        k->set = set;
        k->status = strcmp(set, "wander") == 0 ? load_wander(answers->suite, k, &k->error) : load_set(answers->suite, k, &k->error);
        k->next = answers->first;
        answers->first = k;
    }
    if (k->status == VP_OK)
        return &k->rays;
    *error = k->error;
    return NULL;
}

/* ---- memory ---- */

static void *allocate_counted(void *user, size_t bytes, size_t alignment)
{
    vp_counted *c = user;
    const vp_allocator below = vp_allocator_default();
    void *block = below.allocate(below.user, bytes, alignment);
    if (block != NULL && (c->bytes += bytes) > c->most)
        c->most = c->bytes;
    return block;
}

static void release_counted(void *user, void *block, size_t bytes)
{
    vp_counted *c = user;
    const vp_allocator below = vp_allocator_default();
    c->bytes -= bytes;
    below.release(below.user, block, bytes);
}

vp_allocator vp_counted_allocator(vp_counted *counted)
{
    return (vp_allocator){counted, allocate_counted, release_counted};
}
