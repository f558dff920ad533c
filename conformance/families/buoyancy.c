/* SPDX-License-Identifier: MIT */
/* buoyancy: the volume of a shape below the water of cells, and the centre of that part. */
#include <math.h>
#include <string.h>

#include "conformance/shared/shared.h"

/* ---- the body ---- */

/* A shape and its hull, if any. */
typedef struct body {
    vp_collide_shape shape;
    vp_collide_owned_hull solid;
    vp_buoyancy_body made;
} body;

/* The caller destroys the solid, also after a failure. */
static vp_status make_body(const vp_question *question, const vp_kernels *kernels, body *out, vp_error *error)
{
    const vp_query_body *q = question->part[2];
    memset(out, 0, sizeof *out);
    const vp_status status = vp_body_shape(q, question->part[1], kernels, &out->solid, &out->shape, error);
    return status == VP_OK ? vp_buoyancy_body_init(&out->shape, &q->pose, &out->made, error) : status;
}

/* Whether the question is valid. A flat hull passes, because the oracle decides that. */
static json_t *unsound(const vp_question *question)
{
    return vp_body_is_sound(&vp_part_body, question->part[2], question->part[1]) ? NULL : json_pack("{s:b}", "refused", 1);
}

/* ---- answering ---- */

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    vp_buoyancy_volume part = {0.0, {0.0, 0.0, 0.0}};
    body b;
    vp_status status = make_body(question, kernels, &b, error);
    if (status == VP_OK)
        status = vp_grid_broadphase(question->part[0], kernels, &world, &broadphase, error);
    if (status == VP_OK)
        status = vp_buoyancy_in_world(&b.made, world, broadphase, &part, error);
    const float number[] = {(float)part.volume, (float)part.centre[0], (float)part.centre[1], (float)part.centre[2]};
    if (status == VP_OK) {
        fputs("submerged", to);
        vp_words_floats(to, number, 4);
    }
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    vp_collide_hull_destroy(&b.solid);
    return status;
}

/* ---- answers ---- */

static const vp_form forms[] = {{"submerged", .is = VP_FORM_PLACES, .each = 1}, {.word = NULL}};

static vp_status judge(const vp_judging *j, bool *right)
{
    const json_t *centre = json_object_get(j->alternative, "centre");
    const vp_vec3 c = j->answer->vertex[1];
    *right = vp_is_within(j->answer->t, json_object_get(j->alternative, "volume"));
    if (!*right)
        vp_reason_say(j->reason, "the volume is %g", (double)j->answer->t);
    for (size_t a = 0; *right && a < 3; a++) {
        const float value = a == 0 ? c.x : a == 1 ? c.y : c.z;
        *right = vp_is_within(value, json_array_get(centre, a));
        if (!*right)
            vp_reason_say(j->reason, "the centre's %c is %g", "xyz"[a], (double)value);
    }
    return VP_OK;
}

static json_t *range_around(double value, double by)
{
    return json_pack("[s, s]", vp_bits_of((float)(value - by)).text, vp_bits_of((float)(value + by)).text);
}

/* Two right answers are each within 1 % of the truth. With little water the centre is ignored. */
static vp_status like(const vp_likening *l, const vp_answer *right)
{
    body b;
    bool same;
    vp_error why;
    const vp_status made = make_body(l->q, NULL, &b, &why);
    double size = 0.0, most = b.made.whole.volume * 0.02;
    for (int a = 0; a < 3; a++)
        size = fmax(size, b.made.high[a] - b.made.low[a]);
    size = (double)right->t > most ? 0.02 * size : size;
    vp_collide_hull_destroy(&b.solid);
    if (made != VP_OK)
        return vp_like_undecided(l, "the shape has no volume that is known");
    const vp_vec3 c = right->vertex[1];
    return vp_like_expected(l, l->words,
                            json_pack("{s:o, s:[o, o, o]}", "volume", range_around((double)right->t, most), "centre",
                                      range_around((double)c.x, size), range_around((double)c.y, size), range_around((double)c.z, size)),
                            &same);
}

static const vp_value centre_value = {.type = JSON_ARRAY, .part = &vp_is_range, .count = 3};
static const vp_member expected[] = {{.name = "volume", .is = &vp_is_range}, {.name = "centre", .is = &centre_value}, {.name = NULL}};

const vp_family vp_family_buoyancy = {VP_FAMILY("buoyancy", VP_BOUND | VP_EXACT | VP_REFUSED),
                                      .part = {&vp_part_full_grid, &vp_part_points, &vp_part_body}, .unsound = unsound, .like = like};
