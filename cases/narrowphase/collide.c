/* SPDX-License-Identifier: MIT */
/* The cases of the narrowphase: one shape each, at the places of a set, against the triangles that its box meets there. Judged by brute
 * force in binary64, and by asking about each triangle alone. */
#include <stdalign.h>
#include <string.h>

#include "cases/case.h"
#include "cases/narrowphase/collide.h"
#include "cases/narrowphase/oracle.h"
#include "cases/narrowphase/shapes.h"
#include "src/core/error.h"

/* What is further apart is not told. */
static const float margin = VP_ASKED_MARGIN;

/* Of the size, within which signs, distances and normals are right; those of GJK too, but of cylinders that overlap. */
#define BAND     1e-6
#define GJK_DEEP 1e-3
/* One pair of so many may have wrong points by GJK. */
#define GJK_POINTS 1000

enum { SCALES = 4 };

typedef struct work {
    vp_body body;
    bool by_gjk; /* by the kernel that takes every shape */
    uint32_t places;
    vp_body_shape shape[SCALES]; /* as many as there are scales */
    float scale[SCALES];
    uint32_t scales;
    uint32_t *scale_of; /* of each place */
    vp_pose *pose;
    vp_collide_job *job;
} work;

/* The shape at a place's scale. @return SCALES if there are too many */
static uint32_t scale_number(const work *w, float scale)
{
    uint32_t i = 0;
    while (i < w->scales && w->scale[i] != scale)
        i++;
    return i;
}

static vp_status add_shape(work *w, float scale, vp_error *error)
{
    if (w->scales == SCALES)
        return vp_fail(error, VP_E_ARGUMENT, "there are more than %d scales", SCALES);
    const vp_status status = vp_body_shape_create(w->body, scale, NULL, &w->shape[w->scales], error);
    w->scale[w->scales++] = scale;
    return status;
}

/* The triangles whose boxes meet that of the shape. */
static vp_status add_place(work *w, const vp_pose_set *set, uint32_t i, vp_arena *arena, vp_error *error)
{
    const vp_pose_place *p = &set->place[i];
    const uint32_t s = scale_number(w, p->scale);
    vp_collide_job *job = &w->job[i];
    vp_aabb near;
    vp_status status = s == w->scales ? add_shape(w, p->scale, error) : VP_OK;
    if (status != VP_OK)
        return status;
    const vp_collide_shape *shape = &w->shape[s].shape;
    w->scale_of[i] = s;
    w->pose[i] = vp_pose_of(shape, p);
    job->shape = shape;
    job->margin = margin * p->scale;
    status = vp_collide_frame_of(&w->pose[i], &job->frame, error);
    if (status == VP_OK)
        status = vp_collide_bounds(shape, &w->pose[i], job->margin, &near, error);
    if (status != VP_OK)
        return status;
    vp_collide_triangle *triangle = vp_arena_keep(arena, p->count, sizeof *triangle, alignof(vp_collide_triangle));
    for (uint32_t t = p->first; t < p->first + p->count; t++) {
        const vp_vec3 *c = set->corner[t];
        const vp_aabb box = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
        if (vp_aabb_overlaps(&near, &box) || p->count == 1)
            triangle[job->count++] = vp_collide_triangle_of(c, t);
    }
    job->triangle = vp_arena_input(arena, triangle, job->count, sizeof *triangle, alignof(vp_collide_triangle), 0);
    job->answer = vp_arena_output(arena, job->count, sizeof *job->answer, alignof(vp_collide_answer), 0);
    return VP_OK;
}

static vp_status make(vp_body body, bool by_gjk, const vp_data *data, vp_arena *arena, void **out, vp_error *error)
{
    const vp_pose_set *set = data->set;
    vp_status status = VP_OK;
    work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(work));
    w->body = body;
    w->by_gjk = by_gjk;
    w->places = set->count;
    w->scale_of = vp_arena_keep(arena, set->count, sizeof *w->scale_of, alignof(uint32_t));
    w->pose = vp_arena_keep(arena, set->count, sizeof *w->pose, alignof(vp_pose));
    w->job = vp_arena_keep(arena, set->count, sizeof *w->job, alignof(vp_collide_job));
    for (uint32_t i = 0; status == VP_OK && i < set->count; i++)
        status = add_place(w, set, i, arena, error);
    return status;
}

static void drop(void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->scales; i++)
        vp_body_shape_destroy(&w->shape[i]);
}

static void record(const void *argument, vp_records *out)
{
    const work *w = argument;
    for (uint32_t i = 0; i < w->places; i++)
        for (uint32_t t = 0; t < w->job[i].count; t++)
            vp_record_words(&w->job[i].answer[t], sizeof(vp_collide_answer) / 4, out);
}

/* Whether the reference says the same of a triangle alone. */
static bool is_same_alone(const work *w, const vp_kernels *scalar, const vp_collide_job *job, uint32_t triangle)
{
    vp_collide_answer alone;
    const vp_collide_job one = {job->shape, job->frame, job->margin, job->triangle + triangle, 1, &alone};
    if (w->by_gjk)
        scalar->collide_gjk(&one);
    else if (w->body == VP_BODY_SPHERE)
        scalar->collide_sphere(&one);
    else if (w->body == VP_BODY_CAPSULE)
        scalar->collide_capsule(&one);
    else if (w->body == VP_BODY_BOX)
        scalar->collide_box(&one);
    else if (w->body == VP_BODY_CYLINDER)
        scalar->collide_cylinder(&one);
    else
        scalar->collide_hull(&one);
    return memcmp(&alone, &job->answer[triangle], sizeof alone) == 0;
}

/* Each pair by the oracle. @param first  the first that is wrong stops it, but for points by GJK; otherwise all are counted */
static vp_status look(const work *w, bool first, vp_collide_tally *tally, vp_error *error)
{
    vp_kernels scalar;
    vp_oracle_shape oracle[SCALES] = {{0}};
    vp_status status = vp_kernels_named("scalar", &scalar, error);
    for (uint32_t s = 0; s < w->scales && status == VP_OK; s++) {
        status = vp_oracle_shape_create(&w->shape[s].shape, &oracle[s], error);
        oracle[s].coarse = w->by_gjk && w->body == VP_BODY_CYLINDER ? GJK_DEEP : 0.0;
    }
    for (uint32_t i = 0; i < w->places && status == VP_OK; i++)
        for (uint32_t t = 0; t < w->job[i].count && status == VP_OK; t++) {
            const vp_collide_job *job = &w->job[i];
            double off;
            const vp_collide_fault fault = vp_oracle_judge(&oracle[w->scale_of[i]], job->shape, &w->pose[i], job->triangle[t].corner,
                                                           job->margin, BAND, &job->answer[t], &off);
            tally->pairs++;
            tally->near += job->answer[t].triangle_feature != VP_COLLIDE_NONE;
            tally->fault[fault]++;
            tally->worst = off > tally->worst ? off : tally->worst;
            if (!first)
                continue;
            if (fault != VP_FAULT_NONE && !(w->by_gjk && fault == VP_FAULT_POINTS))
                status = vp_fail(error, VP_E_FORMAT, "place %u, triangle %u: %s is wrong; the distance %.9g is off by %.2g of the size", i,
                                 t, vp_collide_fault_name(fault), (double)job->answer[t].distance, off);
            else if (!is_same_alone(w, &scalar, job, t))
                status = vp_fail(error, VP_E_FORMAT, "place %u: of triangle %u alone the answer is another", i, t);
        }
    for (uint32_t s = 0; s < w->scales; s++)
        vp_oracle_shape_destroy(&oracle[s]);
    return status;
}

vp_status vp_collide_case_tally(const void *argument, vp_collide_tally *out, vp_error *error)
{
    *out = (vp_collide_tally){0};
    return look(argument, false, out, error);
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    vp_collide_tally tally = {0};
    const vp_status status = look(argument, true, &tally, error);
    (void)step;
    if (status == VP_OK && tally.fault[VP_FAULT_POINTS] * GJK_POINTS > tally.pairs + GJK_POINTS)
        return vp_fail(error, VP_E_FORMAT, "%u of %u pairs have wrong points", (unsigned)tally.fault[VP_FAULT_POINTS],
                       (unsigned)tally.pairs);
    return status;
}

/* How many triangles a place has, and how many of these are within the margin. */
static void count(const void *argument, vp_counters *out)
{
    const work *w = argument;
    uint64_t pairs = 0, near = 0;
    for (uint32_t i = 0; i < w->places; i++)
        for (uint32_t t = 0; t < w->job[i].count; t++) {
            pairs++;
            near += w->job[i].answer[t].triangle_feature != VP_COLLIDE_NONE;
        }
    vp_count(out, "pairs_per_place", w->places > 0 ? (double)pairs / w->places : 0.0);
    vp_count(out, "within_margin", pairs > 0 ? (double)near / (double)pairs : 0.0);
}

static const vp_measured measured[] = {VP_ON("poses-terrain", 1, VP_TIMED), VP_ON("poses-hard", 1, VP_TIMED), {.data = NULL}};

/* A shape's case: what is made, and the kernel that is run. */
#define COLLIDE(kernel, by_gjk, body_of_variant, ...)                                                                                      \
    static vp_status make_##kernel(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)                    \
    {                                                                                                                                      \
        (void)variant;                                                                                                                     \
        return make(body_of_variant, by_gjk, data, arena, out, error);                                                                     \
    }                                                                                                                                      \
    static vp_status run_##kernel(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)                  \
    {                                                                                                                                      \
        work *w = argument;                                                                                                                \
        (void)step, (void)error;                                                                                                           \
        *items = 0;                                                                                                                        \
        for (uint32_t i = 0; i < w->places; i++) {                                                                                         \
            how->kernels->kernel(&w->job[i]);                                                                                              \
            *items += w->job[i].count;                                                                                                     \
        }                                                                                                                                  \
        return VP_OK;                                                                                                                      \
    }                                                                                                                                      \
    const vp_case vp_case_##kernel = {.kind = &vp_kind_poses,                                                                              \
                                      .make = make_##kernel,                                                                               \
                                      .run = run_##kernel,                                                                                 \
                                      .records = record,                                                                                   \
                                      .judge = judge,                                                                                      \
                                      .counters = count,                                                                                   \
                                      .drop = drop,                                                                                        \
                                      __VA_ARGS__}

COLLIDE(collide_sphere, false, VP_BODY_SPHERE, .measured = measured);
COLLIDE(collide_capsule, false, VP_BODY_CAPSULE, .measured = measured);
COLLIDE(collide_box, false, VP_BODY_BOX, .measured = measured);
COLLIDE(collide_cylinder, false, VP_BODY_CYLINDER, .measured = measured);

static const char *const hulls[] = {"16", "64", NULL};
static const char *const hull_notes[] = {", with a hull of 16 vertices", ", with a hull of 64 vertices"};
static const vp_measured hulls_measured[] = {VP_AS("poses-terrain", 1, VP_TIMED, "16", NULL),
                                             VP_AS("poses-terrain", 2, VP_TIMED, "64", NULL),
                                             VP_AS("poses-hard", 1, VP_TIMED, "16", NULL),
                                             VP_AS("poses-hard", 2, VP_TIMED, "64", NULL),
                                             {.data = NULL}};
COLLIDE(collide_hull, false, variant == 0 ? VP_BODY_HULL16 : VP_BODY_HULL64, .variant = hulls, .notes = hull_notes,
        .measured = hulls_measured);

static const char *const shapes[] = {"box", "sphere", "capsule", "hull16", "hull64", "cylinder", NULL};
static const vp_body bodies[] = {VP_BODY_BOX, VP_BODY_SPHERE, VP_BODY_CAPSULE, VP_BODY_HULL16, VP_BODY_HULL64, VP_BODY_CYLINDER};
static const char *const shape_notes[] = {
    ", with a box",     ", with a sphere", ", with a capsule", ", with a hull of 16 vertices", ", with a hull of 64 vertices",
    ", with a cylinder"};
#define SHAPES_ON(set)                                                                                                                     \
    VP_AS(set, 1, VP_TIMED, "box", NULL), VP_AS(set, 2, VP_TIMED, "sphere", NULL), VP_AS(set, 4, VP_TIMED, "capsule", NULL),               \
        VP_AS(set, 8, VP_TIMED, "hull16", NULL), VP_AS(set, 16, VP_TIMED, "hull64", NULL), VP_AS(set, 32, VP_TIMED, "cylinder", NULL)
static const vp_measured gjk_measured[] = {SHAPES_ON("poses-terrain"), SHAPES_ON("poses-hard"), {.data = NULL}};
COLLIDE(collide_gjk, true, bodies[variant], .variant = shapes, .notes = shape_notes, .measured = gjk_measured);
