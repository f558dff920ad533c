/* SPDX-License-Identifier: MIT */
/* dilation: the cells within one of a solid cell, and of water. Answered by the masks of a broadphase, cut to the grid. */

#include "conformance/shared/shared.h"

static const vp_value mask = {.type = JSON_STRING, .letters = "01"};
static const vp_member expected[] = {{.name = "solid", .is = &mask}, {.name = "water", .is = &mask}, {.name = NULL}};

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_grid *q = question->part[0];
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    const vp_status status = vp_grid_broadphase(q, kernels, &world, &broadphase, error);
    for (int water = 0; status == VP_OK && water < 2; water++) {
        if (water != 0)
            putc(' ', to);
        for (size_t i = 0; i < vp_grid_cells(q); i++) {
            const vp_ivec3 at = vp_grid_place(q, i);
            const vp_chunk_masks *masks = vp_broadphase_masks(broadphase, (vp_ivec3){at.x / 8, at.y / 8, at.z / 8});
            const uint64_t slice = water != 0 ? masks->water[at.y % 8] : masks->solid[at.y % 8];
            putc((slice >> (at.z % 8 * 8 + at.x % 8) & 1) != 0 ? '1' : '0', to);
        }
    }
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    return status;
}

const vp_family vp_family_dilation = {VP_FAMILY_OF_WORDS("dilation", VP_EXACT, 1), .part = {&vp_part_grid}};
