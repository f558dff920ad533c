/* SPDX-License-Identifier: MIT */
/* shape-shape: signed distance, normal and closest points of two convex shapes. The distance comes from the oracle. The normal is
 * right if the shapes leave a gap of that distance along it. The points are right if they lie on their shapes, and differ by
 * distance times normal. */
#include <math.h>
#include <string.h>

#include "conformance/shared/convex.h"

enum { FIRST_POINTS, FIRST, OTHER_POINTS, OTHER };
enum { DISTANCE, NORMAL, ON_FIRST, ON_OTHER, VERTICES }; /* parts of an answer, the distance is stored as an x */

/* ---- answering ---- */

static vp_status answer(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_body *first = q->part[FIRST], *other = q->part[OTHER];
    vp_collide_owned_hull solid[2];
    vp_collide_shape shape[2];
    vp_shape_contact c;
    bool overlap = false;
    memset(solid, 0, sizeof solid);
    vp_status status = vp_body_shape(first, q->part[FIRST_POINTS], kernels, &solid[0], &shape[0], error);
    if (status == VP_OK)
        status = vp_body_shape(other, q->part[OTHER_POINTS], kernels, &solid[1], &shape[1], error);
    const vp_manifold_body a = {.shape = &shape[0], .pose = first->pose}, b = {.shape = &shape[1], .pose = other->pose};
    if (status == VP_OK)
        status = vp_shapes_collide(&a, &b, first->margin, &c, error);
    if (status == VP_OK)
        status = vp_shapes_overlap(&a, &b, &overlap, error);
    if (status == VP_OK && c.feature_a == VP_COLLIDE_NONE && !overlap) {
        fputs("none", to);
    } else if (status == VP_OK) {
        const float number[] = {c.distance, c.normal.x, c.normal.y, c.normal.z, c.on_a.x, c.on_a.y, c.on_a.z, c.on_b.x, c.on_b.y, c.on_b.z};
        fputs(overlap ? "overlap" : "apart", to);
        vp_words_floats(to, number, sizeof number / sizeof number[0]);
    }
    vp_collide_hull_destroy(&solid[0]);
    vp_collide_hull_destroy(&solid[1]);
    return status;
}

static json_t *unsound(const vp_question *q)
{
    const bool sound = vp_body_is_sound(&vp_part_body_margin, q->part[FIRST], q->part[FIRST_POINTS]) &&
                       vp_body_is_sound(&vp_part_other_body, q->part[OTHER], q->part[OTHER_POINTS]);
    return sound ? NULL : json_pack("{s:b}", "refused", 1);
}

/* ---- answers ---- */

static const vp_form forms[] = {{"none", .kind = VP_ANSWER_NONE},
                                {"overlap", .kind = VP_ANSWER_OVERLAP, .is = VP_FORM_PLACES, .each = VERTICES - 1},
                                {"apart", .kind = VP_ANSWER_OTHER, .is = VP_FORM_PLACES, .each = VERTICES - 1},
                                {.word = NULL}};

/* Position of the other shape, relative to the first one's. */
static vp_real3 way_to_other(const vp_question *q)
{
    const vp_query_body *first = q->part[FIRST], *other = q->part[OTHER];
    return vp_real3_sub(vp_real3_of(other->pose.position), vp_real3_of(first->pose.position));
}

/* Checks the normal and the points. `within` is the tolerance of a distance. */
static void check_proof(const vp_question *q, const vp_vec3 *said, double within, char *reason)
{
    const vp_convex a = vp_convex_of(q->part[FIRST], q->part[FIRST_POINTS]), b = vp_convex_of(q->part[OTHER], q->part[OTHER_POINTS]);
    const vp_real3 to_b = way_to_other(q), n = vp_real3_of(said[NORMAL]), back = vp_real3_scale(n, -1.0),
                   on_a = vp_real3_of(said[ON_FIRST]), on_b = vp_real3_of(said[ON_OTHER]);
    const double d = (double)said[DISTANCE].x, length = vp_real3_length(n),
                 gap = vp_real3_dot(n, vp_convex_furthest(&a, back)) - vp_real3_dot(n, vp_real3_plus(to_b, vp_convex_furthest(&b, n), 1.0)),
                 off_a = vp_convex_beyond(&a, on_a), off_b = vp_convex_beyond(&b, vp_real3_sub(on_b, to_b)),
                 apart = vp_real3_length(vp_real3_sub(vp_real3_sub(on_a, on_b), vp_real3_scale(n, d)));
    if (!(fabs(length - 1.0) <= 1e-5))
        vp_reason_say(reason, "the normal (%g, %g, %g) has the length %.9g", n.x, n.y, n.z, length);
    else if (!(fabs(gap - d) <= 2.0 * within + 1e-5 * fabs(d)))
        vp_reason_say(reason, "along the normal (%g, %g, %g) the distance is %.9g, and not %.9g", n.x, n.y, n.z, gap, d);
    else if (!(off_a <= 10.0 * within))
        vp_reason_say(reason, "the point (%g, %g, %g) is %g outside the first shape", on_a.x, on_a.y, on_a.z, off_a);
    else if (!(off_b <= 10.0 * within))
        vp_reason_say(reason, "the point (%g, %g, %g) is %g outside the second shape", on_b.x, on_b.y, on_b.z, off_b);
    else if (!(apart <= 10.0 * within + 1e-5 * fabs(d)))
        vp_reason_say(reason, "the difference of the points is off from distance times normal by %g", apart);
}

static vp_status judge(const vp_judging *j, bool *right)
{
    const json_t *range = json_object_get(j->alternative, "distance");
    const double low = (double)vp_value_bits(json_array_get(range, 0)), high = (double)vp_value_bits(json_array_get(range, 1));
    const bool overlap = j->answer->kind == VP_ANSWER_OVERLAP;
    if (j->answer->kind == VP_ANSWER_NONE) {
        vp_reason_say(j->reason, "'none'; the distance is from %.9g to %.9g, which is within the margin", low, high);
    } else {
        const double d = (double)j->answer->vertex[DISTANCE].x;
        if (!(d >= low && d <= high))
            vp_reason_say(j->reason, "the distance is %.9g; right is from %.9g to %.9g; it is off by %g", d, low, high,
                          fmax(low - d, d - high));
        else if (overlap ? low > 0.0 : high < 0.0)
            vp_reason_say(j->reason, "'%s'; the distance is from %.9g to %.9g", overlap ? "overlap" : "apart", low, high);
        else
            check_proof(j->q, j->answer->vertex, json_number_value(json_object_get(j->alternative, "within")), j->reason);
    }
    *right = j->reason[0] == '\0';
    return VP_OK;
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    return vp_hulls_sound(q, FIRST_POINTS, OTHER_POINTS, error);
}

/* Two right distances are each within 1e-6 of the size. */
static vp_status like(const vp_likening *l, const vp_answer *right)
{
    const vp_query_body *first = l->q->part[FIRST];
    const double size = fmax(fmax(vp_convex_of(first, l->q->part[FIRST_POINTS]).radius,
                                  vp_convex_of(l->q->part[OTHER], l->q->part[OTHER_POINTS]).radius),
                             vp_real3_length(way_to_other(l->q))),
                 within = 2e-6 * size;
    bool same;
    if (!vp_hulls_are_small(l->q, FIRST_POINTS, OTHER_POINTS))
        return vp_like_undecided(l, "a hull has too many points");
    if (right->kind == VP_ANSWER_NONE)
        return vp_like_expected(l, l->words, json_pack("{s:b}", "none", 1), &same);
    const double d = (double)right->vertex[DISTANCE].x;
    if (d > (double)first->margin - within)
        return vp_like_undecided(l, "the distance is about the margin");
    return vp_like_expected(l, l->words,
                            json_pack("{s:s, s:[s, s], s:f}", "checker", "pair", "distance", vp_bits_of((float)(d - within)).text,
                                      vp_bits_of((float)(d + within)).text, "within", within),
                            &same);
}

static const vp_member expected[] = {{.name = "checker", .is = &vp_is_words},
                                     {.name = "distance", .is = &vp_is_range},
                                     {.name = "within", .is = &vp_is_tolerance},
                                     {.name = NULL}};

const vp_family vp_family_shape_shape = {VP_FAMILY("shape-shape", VP_PROPERTY | VP_EXACT | VP_NONE | VP_REFUSED),
                                         .checker = "pair",
                                         .part = {&vp_part_points, &vp_part_body_margin, &vp_part_other_points, &vp_part_other_body},
                                         .sound = sound,
                                         .unsound = unsound,
                                         .like = like};
