/* SPDX-License-Identifier: MIT */
/* Places of seeds. */
#include <stdlib.h>

#include "host/bytes.h"
#include "src/core/error.h"
#include "tools/grow/grow.h"

/* The y above the highest solid voxel of a column. */
static int32_t top_of(const vp_world *world, int32_t x, int32_t z)
{
    int32_t y = (int32_t)vp_world_size(world).y;
    while (y > 0 && vp_world_voxel(world, (vp_ivec3){x, y - 1, z}).material < VP_FIRST_SOLID)
        y--;
    return y;
}

static vp_status add(vp_seeds *seeds, size_t *room, vp_seed seed, vp_error *error)
{
    const vp_status status = vp_grow_array(&seeds->seed, room, seeds->count + 1, sizeof seed, "seeds", error);
    if (status != VP_OK)
        return status;
    seeds->seed[seeds->count++] = seed;
    seeds->highest = seed.at.y > seeds->highest ? seed.at.y : seeds->highest;
    return VP_OK;
}

/* Plants one seed in a block of columns. A hash of seed and block selects the column and the species. Blocks at the far
   edges extend past the world, and a column there has no seed. */
static vp_status sow_block(const vp_world *world, vp_dims columns, const vp_planting *p, uint64_t hash, uint32_t x0, uint32_t z0,
                           vp_seeds *out, size_t *room, vp_error *error)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    const uint32_t x = x0 + (uint32_t)((hash & UINT32_MAX) * p->every >> 32), z = z0 + (uint32_t)((hash >> 32) * p->every >> 32);
    const uint32_t which = (uint32_t)((vp_mix64(hash + golden) >> 32) * p->types >> 32);
    if (x >= columns.x || z >= columns.z)
        return VP_OK;
    const vp_ivec3 at = {(int32_t)x, top_of(world, (int32_t)x, (int32_t)z), (int32_t)z};
    if (at.y == 0)
        out->bare++;
    else if (vp_world_voxel(world, at).material != VP_AIR)
        out->flooded++;
    else
        return add(out, room, (vp_seed){at, p->type[which], p->wait}, error);
    return VP_OK;
}

vp_status vp_seeds_make(const vp_world *world, vp_dims columns, const vp_planting *planting, size_t count, uint64_t seed, vp_seeds *out,
                        vp_error *error)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    size_t room = 0;
    vp_status status = VP_OK;
    *out = (vp_seeds){.highest = -1};
    for (size_t i = 0; i < count && status == VP_OK; i++) {
        const vp_planting *p = &planting[i];
        if (p->every == 0) {
            vp_ivec3 at = p->at;
            if (at.y < 0)
                at.y = top_of(world, at.x, at.z);
            status = add(out, &room, (vp_seed){at, p->type[0], p->wait}, error);
            continue;
        }
        const uint64_t base = vp_mix64(vp_mix64(seed + golden) + i * golden);
        uint64_t block = 0;
        for (uint32_t z = 0; z < columns.z && status == VP_OK; z += p->every)
            for (uint32_t x = 0; x < columns.x && status == VP_OK; x += p->every)
                status = sow_block(world, columns, p, vp_mix64(base ^ ++block * golden), x, z, out, &room, error);
    }
    return status;
}

void vp_seeds_drop(vp_seeds *seeds)
{
    free(seeds->seed);
    seeds->seed = NULL;
}
