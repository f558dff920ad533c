/* SPDX-License-Identifier: MIT */
/* Worlds without terrain. In uncorrelated noise no chunk is like its neighbour and nearly all are mixed. In
 * checkerboards every voxel is next to a solid one although half of them are air. */
#include "datasets/generate/generate.h"

#include "datasets/random.h"
#include "src/core/error.h"

static void report(const vp_generate_progress *progress, uint32_t done, uint32_t total)
{
    if (progress != NULL)
        progress->report(progress->user, done, total);
}

/* One chunk of uncorrelated noise, with one draw per voxel. 16 bits decide whether the voxel is filled, 16 bits select
 * the material, and the rest is its occupancy. */
static void random_chunk(vp_random *random, uint32_t filled, uint32_t water, uint8_t *material, uint8_t *occupancy)
{
    for (uint32_t i = 0; i < VP_CHUNK_VOXELS; i++) {
        uint64_t r = vp_random_next(random);
        uint32_t kind = (uint32_t)(r >> 16 & 0xffff), solid = (uint32_t)(r >> 32 & 0xffff);
        bool is_filled = (r & 0xffff) < filled;
        uint32_t a_solid = VP_FIRST_SOLID + (solid * (VP_GENERATED_MATERIALS - VP_FIRST_SOLID) >> 16);
        material[i] = (uint8_t)(!is_filled ? VP_AIR : kind < water ? VP_WATER : a_solid);
        occupancy[i] = (uint8_t)(is_filled ? r >> 56 : 0);
    }
}

vp_status vp_generate_random(const vp_random_params *params, uint64_t seed, vp_dims size, const vp_generate_progress *progress,
                             vp_world **out, vp_error *error)
{
    vp_world *world = NULL;
    VP_RETURN_IF_FAILED(vp_world_create(&(vp_world_def){.size = size}, &world, error));
    vp_random random = {seed};
    uint32_t filled = (uint32_t)(params->filled * 65536.0f), water = (uint32_t)(params->water * 65536.0f);
    vp_dims n = vp_world_chunks(world), eight = {VP_CHUNK_EDGE, VP_CHUNK_EDGE, VP_CHUNK_EDGE};
    vp_status status = VP_OK;
    for (uint32_t cy = 0; cy < n.y; cy++, report(progress, cy, n.y))
        for (uint32_t cz = 0; cz < n.z; cz++)
            for (uint32_t cx = 0; cx < n.x; cx++) {
                uint8_t material[VP_CHUNK_VOXELS], occupancy[VP_CHUNK_VOXELS];
                random_chunk(&random, filled, water, material, occupancy);
                vp_ivec3 low = {(int32_t)cx * 8, (int32_t)cy * 8, (int32_t)cz * 8};
                status = vp_world_write_rows(world, low, eight, material, occupancy, NULL, error);
                if (status != VP_OK) {
                    vp_world_destroy(world);
                    return status;
                }
            }
    *out = world;
    return VP_OK;
}

vp_status vp_generate_checker(const vp_checker_params *params, uint64_t seed, vp_dims size, const vp_generate_progress *progress,
                              vp_world **out, vp_error *error)
{
    vp_world *world = NULL;
    VP_RETURN_IF_FAILED(vp_world_create(&(vp_world_def){.size = size}, &world, error));
    int32_t edge = (int32_t)params->edge, phase = (int32_t)(seed & 1);
    int32_t nx = ((int32_t)size.x + edge - 1) / edge, ny = ((int32_t)size.y + edge - 1) / edge;
    int32_t nz = ((int32_t)size.z + edge - 1) / edge;
    vp_status status = VP_OK;
    for (int32_t y = 0; y < ny; y++, report(progress, (uint32_t)y, (uint32_t)ny))
        for (int32_t z = 0; z < nz; z++)
            for (int32_t x = (y + z + phase) % 2; x < nx; x += 2) {
                vp_ivec3 low = {x * edge, y * edge, z * edge};
                vp_ivec3 high = {low.x + edge, low.y + edge, low.z + edge};
                status = vp_world_fill_box(world, low, high, (vp_voxel){VP_STONE, 255}, NULL, error);
                if (status != VP_OK) {
                    vp_world_destroy(world);
                    return status;
                }
            }
    *out = world;
    return VP_OK;
}
