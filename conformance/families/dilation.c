/* SPDX-License-Identifier: MIT */
/* dilation: which cells are within one of a solid cell, and which of water? Answered by the masks of a
 * broadphase, cut to the grid. */
#include <string.h>

#include "conformance/shapes/shapes.h"

static const vp_value mask = {.type = JSON_STRING, .letters = "01"};
static const vp_member expected[] = {{.name = "solid", .is = &mask}, {.name = "water", .is = &mask}, {.name = NULL}};

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_asked_grid *q = question->part[0];
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    const vp_status status = vp_grid_broadphase(q, kernels, &world, &broadphase, error);
    for (int water = 0; status == VP_OK && water < 2; water++) {
        if (water != 0)
            putc(' ', to);
        for (uint32_t y = 0; y < q->extents.y; y++)
            for (uint32_t z = 0; z < q->extents.z; z++)
                for (uint32_t x = 0; x < q->extents.x; x++) {
                    const vp_ivec3 chunk = {(int32_t)(x / 8), (int32_t)(y / 8), (int32_t)(z / 8)};
                    const vp_chunk_masks *masks = vp_broadphase_masks(broadphase, chunk);
                    const uint64_t slice = water != 0 ? masks->water[y % 8] : masks->solid[y % 8];
                    putc((slice >> (z % 8 * 8 + x % 8) & 1) != 0 ? '1' : '0', to);
                }
    }
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    return status;
}

const vp_family vp_family_dilation = {VP_FAMILY_OF_WORDS("dilation", VP_EXACT, 1), .part = {&vp_part_grid}};
