/* SPDX-License-Identifier: MIT */
/* Hashes of decoded content: XXH3-64 over the fields in a fixed order, little-endian whatever the machine, so that a
   set made anywhere can be compared with the manifest. */
#include "datasets/mesh_sets.h"
#include "datasets/point_sets.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

/* Bytes on their way into the hash. XXH3's state is large and must be aligned; it lives on the stack, so hashing cannot
   run out of memory. */
typedef struct hasher {
    XXH3_state_t state;
} hasher;

static void begin(hasher *h)
{
    XXH3_INITSTATE(&h->state);
    (void)XXH3_64bits_reset(&h->state);
}

static void add_bytes(hasher *h, const void *bytes, size_t count)
{
    (void)XXH3_64bits_update(&h->state, bytes, count);
}

static void add_u32(hasher *h, uint32_t v)
{
    const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    add_bytes(h, bytes, sizeof bytes);
}

static void add_float(hasher *h, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    add_u32(h, bits);
}

static void add_vec3(hasher *h, vp_vec3 v)
{
    add_float(h, v.x);
    add_float(h, v.y);
    add_float(h, v.z);
}

static void add_ivec3(hasher *h, vp_ivec3 v)
{
    add_u32(h, (uint32_t)v.x);
    add_u32(h, (uint32_t)v.y);
    add_u32(h, (uint32_t)v.z);
}

uint64_t vp_world_hash(const vp_world *world)
{
    vp_dims s = vp_world_size(world);
    size_t voxels = (size_t)s.x * s.y * s.z;
    hasher h;
    begin(&h);
    add_u32(&h, s.x);
    add_u32(&h, s.y);
    add_u32(&h, s.z);
    add_bytes(&h, vp_world_bricks(world).material, voxels);
    add_bytes(&h, vp_world_occupancy(world), voxels);
    return XXH3_64bits_digest(&h.state);
}

uint64_t vp_box_set_hash(const vp_box_set *set)
{
    hasher h;
    begin(&h);
    add_u32(&h, set->count);
    for (uint32_t i = 0; i < set->count; i++) {
        add_vec3(&h, set->box[i].min);
        add_vec3(&h, set->box[i].max);
    }
    return XXH3_64bits_digest(&h.state);
}

uint64_t vp_edit_set_hash(const vp_edit_set *set)
{
    hasher h;
    begin(&h);
    add_u32(&h, set->count);
    for (uint32_t i = 0; i < set->count; i++) {
        const vp_edit *e = &set->edit[i];
        add_u32(&h, (uint32_t)e->shape);
        add_ivec3(&h, e->low);
        add_ivec3(&h, e->high);
        add_vec3(&h, e->centre);
        add_float(&h, e->radius);
        const uint8_t voxel[2] = {e->voxel.material, e->voxel.occupancy};
        add_bytes(&h, voxel, sizeof voxel);
    }
    return XXH3_64bits_digest(&h.state);
}

/* u32 values or, bit by bit, floats: as they lie in memory on a little-endian machine. */
static void add_words(hasher *h, const void *words, size_t count)
{
    const uint8_t *at = words;
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, at + i * 4, sizeof word);
        add_u32(h, word);
    }
}

uint64_t vp_mesh_set_hash(const vp_mesh_set *set)
{
    hasher h;
    begin(&h);
    add_u32(&h, set->count);
    for (uint32_t i = 0; i < set->count; i++) {
        const vp_triangles *m = &set->mesh[i];
        const size_t half = m->triangle_count / 2;
        add_u32(&h, m->vertex_count);
        add_u32(&h, m->triangle_count);
        add_u32(&h, m->quads);
        add_words(&h, m->vertex, (size_t)m->vertex_count * 3);
        add_words(&h, m->index, m->quads ? half * 4 : (size_t)m->triangle_count * 3);
        add_bytes(&h, set->material[i], m->quads ? half : m->triangle_count);
    }
    return XXH3_64bits_digest(&h.state);
}

uint64_t vp_ray_set_hash(const vp_ray_set *set)
{
    hasher h;
    begin(&h);
    add_u32(&h, set->count);
    for (uint32_t i = 0; i < set->count; i++) {
        add_u32(&h, set->mesh[i]);
        add_vec3(&h, set->ray[i].origin);
        add_vec3(&h, set->ray[i].direction);
        add_float(&h, set->ray[i].t_max);
    }
    return XXH3_64bits_digest(&h.state);
}

uint64_t vp_mesh_box_set_hash(const vp_mesh_box_set *set)
{
    hasher h;
    begin(&h);
    add_u32(&h, set->count);
    for (uint32_t i = 0; i < set->count; i++) {
        add_u32(&h, set->mesh[i]);
        add_vec3(&h, set->box[i].min);
        add_vec3(&h, set->box[i].max);
    }
    return XXH3_64bits_digest(&h.state);
}

uint64_t vp_point_sets_hash(const vp_point_sets *sets)
{
    hasher h;
    begin(&h);
    add_u32(&h, sets->count);
    for (uint32_t i = 0; i < sets->count; i++) {
        const uint32_t first = sets->first[i], count = sets->first[i + 1] - first;
        add_u32(&h, count);
        add_words(&h, sets->point + first, (size_t)count * 3);
    }
    return XXH3_64bits_digest(&h.state);
}
