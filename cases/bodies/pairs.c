/* SPDX-License-Identifier: MIT */
/* collide_shapes: distance, normal and points of two shapes at the places of a set. Judged by cases/bodies/shape_oracle.h. */
#include "cases/bodies/pairs.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "cases/bodies/shape_oracle.h"
#include "cases/case.h"
#include "src/core/error.h"
#include "src/narrowphase/gjk.h"

/* Tolerance as a part of the size. The smallest depth is searched for at one place in SEARCHED. */
#define BAND 1e-6
enum { SEARCHED = 16, SEARCHED_OF_HULLS = 128 };

#define NAME_OF(a, b, name)   name,
#define BODIES_OF(a, b, name) {VP_BODY_##a, VP_BODY_##b},
const char *const vp_pair_names[VP_PAIRS + 1] = {VP_PAIR_LIST(NAME_OF) NULL};
static const vp_body_kind bodies[VP_PAIRS][2] = {VP_PAIR_LIST(BODIES_OF)};

/* ---- the pairs ---- */

uint32_t vp_pair_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    uint32_t pair = 0;
    while (pair < VP_PAIRS && (slash == NULL || strcmp(slash + 1, vp_pair_names[pair]) != 0))
        pair++;
    return pair;
}

/* Returns the index of a scale. Its shapes are made on first use. */
static vp_status scale_number(vp_pairs *p, const vp_body_kind body[2], float scale, uint32_t *number, vp_error *error)
{
    uint32_t i = 0;
    vp_status status = VP_OK;
    while (i < p->scales && p->scale[i] != scale)
        i++;
    *number = i;
    if (i < p->scales)
        return VP_OK;
    if (i == VP_ASKED_SCALES)
        return vp_fail(error, VP_E_ARGUMENT, "there are more than %d scales", VP_ASKED_SCALES);
    p->scale[p->scales++] = scale;
    for (int k = 0; k < 2 && status == VP_OK; k++)
        status = vp_body_shape_create(body[k], scale, NULL, &p->shape[k][i], error);
    return status;
}

/* Moves a shape so that its farthest point against the place's normal is above the place's point by the place's gap. */
static vp_status pose_above(const vp_collide_shape *shape, const vp_pose_place *place, vp_pose *out, vp_error *error)
{
    vp_collide_frame f;
    *out = vp_pose_at(place->point);
    memcpy(out->rotation, place->rotation, sizeof out->rotation);
    const vp_status status = vp_collide_frame_of(out, &f, error);
    if (status != VP_OK || place->centred)
        return status;
    if (place->family == VP_POSES_PARALLEL) {
        *out = vp_pose_of(shape, place);
        return VP_OK;
    }
    const vp_real3 n = vp_real3_of(place->normal), row[3] = {vp_real3_of(f.row[0]), vp_real3_of(f.row[1]), vp_real3_of(f.row[2])};
    const vp_real3 d = {-vp_real3_dot(row[0], n), -vp_real3_dot(row[1], n), -vp_real3_dot(row[2], n)};
    const vp_real3 local = vp_gjk_core(shape, d);
    vp_real3 at = vp_real3_plus(vp_real3_of(place->point), n, vp_gjk_radius(shape) + (double)place->gap);
    at = vp_real3_plus(vp_real3_plus(vp_real3_plus(at, row[0], -local.x), row[1], -local.y), row[2], -local.z);
    out->position = vp_real3_rounded(at);
    return VP_OK;
}

static vp_status open_place(vp_pairs *p, const vp_body_kind body[2], const vp_pose_set *set, uint32_t i, vp_error *error)
{
    const vp_pose_place *upper = &set->place[i];
    vp_pose_place lower = *upper;
    vp_status status = scale_number(p, body, upper->scale, &p->scale_of[i], error);
    if (upper->family != VP_POSES_PARALLEL) /* the rotation of the family's next place */
        memcpy(lower.rotation, set->place[(i + VP_POSES_FAMILIES) % set->count].rotation, sizeof lower.rotation);
    lower.normal = vp_vec3_scale(upper->normal, -1.0f);
    lower.gap = 0.0f;
    p->margin[i] = VP_ASKED_MARGIN * upper->scale;
    for (int k = 0; k < 2 && status == VP_OK; k++) {
        p->body[i][k].shape = &p->shape[k][p->scale_of[i]].shape;
        status = pose_above(p->body[i][k].shape, k == 0 ? upper : &lower, &p->body[i][k].pose, error);
    }
    return status;
}

vp_status vp_pairs_create(uint32_t pair, const vp_pose_set *set, vp_pairs *out, vp_error *error)
{
    const size_t n = (size_t)set->count + 1;
    *out = (vp_pairs){.count = set->count};
    out->scale_of = calloc(n, sizeof *out->scale_of);
    out->body = calloc(n, sizeof *out->body);
    out->margin = calloc(n, sizeof *out->margin);
    vp_status status = VP_OK;
    if (out->scale_of == NULL || out->body == NULL || out->margin == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u places", set->count);
    for (uint32_t i = 0; status == VP_OK && i < set->count; i++)
        status = open_place(out, bodies[pair], set, i, error);
    if (status != VP_OK)
        vp_pairs_destroy(out);
    return status;
}

void vp_pairs_destroy(vp_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->scales; i++) {
        vp_body_shape_destroy(&pairs->shape[0][i]);
        vp_body_shape_destroy(&pairs->shape[1][i]);
    }
    free(pairs->scale_of);
    free(pairs->body);
    free(pairs->margin);
    *pairs = (vp_pairs){0};
}

/* ---- the case ---- */

typedef struct shape_pairs_work {
    vp_pairs pairs;
    vp_shape_contact *answer;
} shape_pairs_work;

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    shape_pairs_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(shape_pairs_work));
    const vp_status status = vp_pairs_create(variant, data->set, &w->pairs, error);
    if (status == VP_OK)
        w->answer = vp_arena_output(arena, w->pairs.count, sizeof *w->answer, alignof(vp_shape_contact), 0);
    return status;
}

static void drop(void *argument)
{
    vp_pairs_destroy(&((shape_pairs_work *)argument)->pairs);
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    const shape_pairs_work *w = argument;
    vp_status status = VP_OK;
    (void)how, (void)step;
    for (uint32_t i = 0; i < w->pairs.count && status == VP_OK; i++)
        status = vp_shapes_collide(&w->pairs.body[i][0], &w->pairs.body[i][1], w->pairs.margin[i], &w->answer[i], error);
    *items = w->pairs.count;
    return status;
}

VP_RECORD_EACH(record, shape_pairs_work, w->pairs.count, vp_record_words(&w->answer[i], sizeof w->answer[i] / 4, out))

/* ---- the judge ---- */

static vp_collide_fault judge_pair(const shape_pairs_work *w, uint32_t i, double *off)
{
    static const vp_collide_fault as[FAULTS] = {
        [RIGHT] = VP_FAULT_NONE,        [NOT_A_NUMBER] = VP_FAULT_NUMBER, [MISSED] = VP_FAULT_MISSED,
        [INVENTED] = VP_FAULT_INVENTED, [SIGN] = VP_FAULT_SIGN,           [DISTANCE] = VP_FAULT_DEPTH,
        [DEPTH] = VP_FAULT_DEPTH,       [POINTS] = VP_FAULT_POINTS,       [FEATURE] = VP_FAULT_FEATURE};
    const vp_manifold_body *b = w->pairs.body[i];
    const bool large = b->shape->kind == VP_COLLIDE_HULL && b->shape->hull->vertex_count > 16;
    return as[judge(&b[0], &b[1], w->pairs.margin[i], &w->answer[i], BAND, i % (large ? SEARCHED_OF_HULLS : SEARCHED) == 0, off)];
}

vp_collide_tally vp_pairs_case_tally(const void *argument)
{
    const shape_pairs_work *w = argument;
    vp_collide_tally t = {.pairs = w->pairs.count};
    for (uint32_t i = 0; i < w->pairs.count; i++) {
        double off;
        const vp_collide_fault wrong = judge_pair(w, i, &off);
        t.fault[wrong]++;
        t.near += w->answer[i].feature_a != VP_COLLIDE_NONE;
        t.worst = wrong != VP_FAULT_NUMBER && off > t.worst ? off : t.worst;
    }
    return t;
}

/* Whether a second query of a pair has the same answer, bit by bit. */
static bool is_same_again(const shape_pairs_work *w, uint32_t i)
{
    vp_shape_contact again;
    const vp_manifold_body *b = w->pairs.body[i];
    return vp_shapes_collide(&b[0], &b[1], w->pairs.margin[i], &again, NULL) == VP_OK && memcmp(&again, &w->answer[i], sizeof again) == 0;
}

static vp_status judge_all(const void *argument, uint32_t step, vp_error *error)
{
    const shape_pairs_work *w = argument;
    (void)step;
    for (uint32_t i = 0; i < w->pairs.count; i++) {
        double off;
        const vp_collide_fault wrong = judge_pair(w, i, &off);
        if (wrong != VP_FAULT_NONE)
            return vp_fail(error, VP_E_FORMAT, "place %u: %s is wrong; the distance is %.9g; off by %.2g of the size", i,
                           vp_collide_fault_name(wrong), (double)w->answer[i].distance, off);
        if (!is_same_again(w, i))
            return vp_fail(error, VP_E_FORMAT, "place %u: asked again, the answer is another", i);
    }
    return VP_OK;
}

static void count(const void *argument, vp_counters *out)
{
    const shape_pairs_work *w = argument;
    uint32_t near = 0;
    for (uint32_t i = 0; i < w->pairs.count; i++)
        near += w->answer[i].feature_a != VP_COLLIDE_NONE;
    vp_count(out, "within_margin", w->pairs.count > 0 ? (double)near / w->pairs.count : 0.0);
}

static const vp_measured measured[] = {
    VP_ON("poses-terrain", ~0u, VP_TIMED | VP_VERIFIED), VP_ON("poses-hard", ~0u, VP_TIMED | VP_VERIFIED), {.data = NULL}};

const vp_case vp_case_collide_shapes = {.kind = &vp_kind_poses,
                                        .variant = vp_pair_names,
                                        .questions = true,
                                        .make = make,
                                        .run = run,
                                        .records = record,
                                        .judge = judge_all,
                                        .counters = count,
                                        .drop = drop,
                                        .has_no_kernels = true,
                                        .measured = measured};
