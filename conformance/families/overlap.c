/* SPDX-License-Identifier: MIT */
/* overlap: whether a box touches dilated solid cells, or dilated water. */

#include "conformance/shared/shared.h"

static const char *const words[] = {"none", "solid", "water", "both", "invalid", NULL};

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_grid *q = question->part[0];
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    uint32_t touch;
    if (q->extents.x % 8 != 0 || q->extents.y % 8 != 0 || q->extents.z % 8 != 0)
        return vp_fail(error, VP_E_UNSUPPORTED, "a world of %u x %u x %u is not made of whole chunks", q->extents.x, q->extents.y,
                       q->extents.z);
    vp_status status = vp_grid_broadphase(q, kernels, &world, &broadphase, error);
    if (status == VP_OK) {
        const vp_broadphase_view bits = vp_broadphase_bits(broadphase);
        touch = kernels->overlap_box(&bits, question->part[1]);
        fputs(words[touch == VP_TOUCH_INVALID ? 4 : touch], to);
    }
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    return status;
}

static json_t *unsound(const vp_question *q)
{
    return vp_box_is_sound(q->part[1]) ? NULL : json_pack("[{s:s}, {s:b}]", "touch", "invalid", "refused", 1);
}

static const vp_value touch_value = {.type = JSON_STRING, .choice = &(const vp_choice){.names = words}};
static const vp_member expected[] = {{.name = "touch", .is = &touch_value}, {.name = NULL}};

const vp_family vp_family_overlap = {VP_FAMILY_OF_WORDS("overlap", VP_EXACT | VP_TIE | VP_REFUSED, 0),
                                     .part = {&vp_part_grid, &vp_part_box}, .unsound = unsound};
