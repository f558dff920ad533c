/* SPDX-License-Identifier: MIT */
/* Comparison of two worlds, broadphases or sets of chunks, and a copy of a world. */
#ifndef VP_TESTS_WORLD_SAME_H
#define VP_TESTS_WORLD_SAME_H

#include <stdlib.h>
#include <string.h>

#include <voxphys/broadphase.h>

#include "tests/support/check.h"
#include "tests/support/samples.h"

static inline bool same_worlds(const vp_world *a, const vp_world *b)
{
    const vp_dims s = vp_world_size(a), t = vp_world_size(b);
    const size_t n = (size_t)s.x * s.y * s.z;
    return s.x == t.x && s.y == t.y && s.z == t.z && memcmp(vp_world_bricks(a).material, vp_world_bricks(b).material, n) == 0 &&
           memcmp(vp_world_occupancy(a), vp_world_occupancy(b), n) == 0;
}

static inline vp_world *copy_of(const vp_world *world)
{
    const vp_dims n = vp_world_chunks(world), s = vp_world_size(world);
    const vp_ivec3 origin = {0, 0, 0};
    vp_world *copy = test_world(n.x, n.y, n.z, NULL);
    uint8_t *material = malloc(2 * (size_t)s.x * s.y * s.z), *occupancy = material + (size_t)s.x * s.y * s.z;
    assert_non_null(material);
    assert_ok(vp_world_read_rows(world, origin, s, material, occupancy, &error));
    assert_ok(vp_world_write_rows(copy, origin, s, material, occupancy, NULL, &error));
    free(material);
    return copy;
}

static inline bool same_sets(const vp_chunk_set *a, const vp_chunk_set *b)
{
    for (uint32_t c = 0; c < a->chunks.x * a->chunks.y * a->chunks.z; c++)
        if (vp_chunk_set_has(a, c) != vp_chunk_set_has(b, c) || a->changed[c] != b->changed[c])
            return false;
    return true;
}

/* A broadphase must equal one that is built from the world now. */
static inline void expect_bits(const vp_broadphase *b, const vp_world *world)
{
    const vp_broadphase_def def = {.world = world};
    const vp_dims n = vp_world_chunks(world);
    vp_broadphase *anew = NULL;
    assert_ok(vp_broadphase_create(&def, &anew, &error));
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++) {
        const vp_ivec3 at = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        assert_int_equal(vp_broadphase_chunk_class(b, at), vp_broadphase_chunk_class(anew, at));
        assert_memory_equal(vp_broadphase_masks(b, at), vp_broadphase_masks(anew, at), sizeof(vp_chunk_masks));
    }
    vp_broadphase_destroy(anew);
}

#endif
