/* SPDX-License-Identifier: MIT */
/* overlap: does a box touch dilated cells that are solid, or water? */
#include <string.h>

#include "conformance/shapes/shapes.h"

static const char *const words[] = {"none", "solid", "water", "both", "invalid"};

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_asked_grid *q = question->part[0];
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    uint32_t touch;
    if (q->extents.x % 8 != 0 || q->extents.y % 8 != 0 || q->extents.z % 8 != 0)
        return vp_fail(error, VP_E_UNSUPPORTED, "a world of %u x %u x %u is no whole chunks", q->extents.x, q->extents.y, q->extents.z);
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

static bool read(const vp_question *q, vp_words *left, vp_answer *out)
{
    (void)q;
    return vp_word_next(left, &out->word[0], &out->length);
}

static vp_status judge(const vp_judging *j, bool *right)
{
    *right = vp_word_is(j->answer->word[0], j->answer->length, json_string_value(json_object_get(j->alternative, "touch")));
    return VP_OK;
}

static json_t *unsound(const vp_question *q)
{
    return vp_box_is_sound(q->part[1]) ? NULL : json_pack("[{s:s}, {s:b}]", "touch", "invalid", "refused", 1);
}

static json_t *expect(const vp_answer *right)
{
    return json_pack("{s:o}", "touch", json_stringn_nocheck(right->word[0], right->length));
}

static bool is_touch(json_t *value)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(json_string_value(value), words[i]) == 0)
            return true;
    return false;
}

static const vp_value touch_value = {.type = JSON_STRING, .also = is_touch};
static const vp_member expected[] = {{.name = "touch", .is = &touch_value}, {.name = NULL}};

const vp_family vp_family_overlap = {.name = "overlap",
                                     .part = {&vp_part_grid, &vp_part_box},
                                     .promises = 1u << VP_PROMISE_EXACT | 1u << VP_PROMISE_TIE,
                                     .refuses = true,
                                     .expected = expected,
                                     .answer = answer,
                                     .read = read,
                                     .judge = judge,
                                     .unsound = unsound,
                                     .expect = expect};
