/* SPDX-License-Identifier: MIT */
/* Bytes as a sequence of edits of a small world and updates of its broadphase. After every update the broadphase must equal a new one,
 * chunk by chunk. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tape.h"

#include <voxphys/broadphase.h>

static const vp_dims size = {24, 16, 32};

static int32_t coordinate(tape *t)
{
    return (int32_t)(next(t) % 48) - 8; /* also outside the world */
}

static vp_ivec3 point(tape *t)
{
    vp_ivec3 p;
    p.x = coordinate(t);
    p.y = coordinate(t);
    p.z = coordinate(t);
    return p;
}

static void edit(tape *t, vp_world *world, vp_chunk_set *stale)
{
    uint8_t what = next(t);
    vp_voxel voxel = {(uint8_t)(what >> 2 & 3), (uint8_t)(what >> 4)};
    vp_ivec3 a = point(t), b;
    vp_error error;
    switch (what & 3) {
    case 0:
    case 1:
        vp_world_set_voxel(world, a, voxel, stale, &error);
        break;
    case 2:
        b = point(t);
        vp_world_fill_box(world, a, b, voxel, stale, &error);
        break;
    default: {
        vp_vec3 centre = {(float)a.x + 0.25f, (float)a.y, (float)a.z};
        vp_world_fill_sphere(world, centre, (float)(next(t) % 64) * 0.25f, voxel, stale, &error);
        break;
    }
    }
}

static void compare(const vp_world *world, const vp_broadphase *kept, const vp_kernels *kernels)
{
    vp_broadphase_def def = {.world = world, .kernels = kernels};
    vp_broadphase *anew = NULL;
    FUZZ_CHECK(vp_broadphase_create(&def, &anew, NULL) == VP_OK);
    vp_dims c = vp_world_chunks(world);
    for (int32_t y = -1; y <= (int32_t)c.y; y++)
        for (int32_t z = -1; z <= (int32_t)c.z; z++)
            for (int32_t x = -1; x <= (int32_t)c.x; x++) {
                vp_ivec3 at = {x, y, z};
                FUZZ_CHECK(vp_broadphase_chunk_class(kept, at) == vp_broadphase_chunk_class(anew, at));
                FUZZ_CHECK(memcmp(vp_broadphase_masks(kept, at), vp_broadphase_masks(anew, at), sizeof(vp_chunk_masks)) == 0);
            }
    vp_broadphase_memory a = vp_broadphase_memory_use(kept), b = vp_broadphase_memory_use(anew);
    FUZZ_CHECK(memcmp(a.chunks, b.chunks, sizeof a.chunks) == 0 && a.mask_bytes == b.mask_bytes);
    vp_broadphase_destroy(anew);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tape t = {bytes, count};
    vp_kernels kernels;
    vp_world_def world_def = {.size = size};
    vp_world *world = NULL;
    FUZZ_CHECK(vp_kernels_named("scalar", &kernels, NULL) == VP_OK);
    FUZZ_CHECK(vp_world_create(&world_def, &world, NULL) == VP_OK);
    vp_broadphase_def def = {.world = world, .kernels = &kernels};
    vp_broadphase *kept = NULL;
    vp_chunk_set stale;
    FUZZ_CHECK(vp_broadphase_create(&def, &kept, NULL) == VP_OK);
    FUZZ_CHECK(vp_chunk_set_create(vp_world_chunks(world), NULL, &stale, NULL) == VP_OK);
    for (int round = 0; t.left > 0 && round < 32; round++) {
        for (int n = next(&t) % 4; n >= 0; n--)
            edit(&t, world, &stale);
        FUZZ_CHECK(vp_broadphase_update(kept, world, &stale, NULL) == VP_OK);
        vp_chunk_set_clear(&stale);
        compare(world, kept, &kernels);
    }
    vp_chunk_set_destroy(&stale);
    vp_broadphase_destroy(kept);
    vp_world_destroy(world);
    return 0;
}
