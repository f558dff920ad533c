/* SPDX-License-Identifier: MIT */
#include "cases/narrowphase/collide.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "cases/case.h"
#include "src/core/error.h"

/* The index of a scale, whose shape is made on first use. */
static vp_status scale_number(vp_collide_samples *a, float scale, uint32_t *number, vp_error *error)
{
    uint32_t i = 0;
    while (i < a->scales && a->scale[i] != scale)
        i++;
    *number = i;
    if (i < a->scales)
        return VP_OK;
    if (i == VP_ASKED_SCALES)
        return vp_fail(error, VP_E_ARGUMENT, "there are more than %d scales", VP_ASKED_SCALES);
    a->scale[a->scales++] = scale;
    vp_status status = vp_body_shape_create(a->body, scale, NULL, &a->shape[i], error);
    if (status == VP_OK)
        status = vp_oracle_shape_create(&a->shape[i].shape, &a->oracle[i], error);
    return status;
}

/* Sets the place's job except for the triangles. @return its box */
static vp_status open_place(vp_collide_samples *a, const vp_pose_place *p, uint32_t i, vp_aabb *near, vp_error *error)
{
    vp_collide_job *job = &a->job[i];
    vp_status status = scale_number(a, p->scale, &a->scale_of[i], error);
    if (status != VP_OK)
        return status;
    job->shape = &a->shape[a->scale_of[i]].shape;
    job->margin = VP_ASKED_MARGIN * p->scale;
    a->pose[i] = vp_pose_of(job->shape, p);
    status = vp_collide_frame_of(&a->pose[i], &job->frame, error);
    return status != VP_OK ? status : vp_collide_bounds(job->shape, &a->pose[i], job->margin, near, error);
}

vp_status vp_collide_samples_create(vp_body_kind body, const vp_pose_set *set, vp_collide_samples *out, vp_error *error)
{
    vp_collide_samples *a = out;
    const size_t n = (size_t)set->count + 1, t = (size_t)set->triangle_count + 1;
    *a = (vp_collide_samples){.body = body, .places = set->count};
    a->scale_of = calloc(n, sizeof *a->scale_of);
    a->first = calloc(n, sizeof *a->first);
    a->pose = calloc(n, sizeof *a->pose);
    a->job = calloc(n, sizeof *a->job);
    a->triangle = calloc(t, sizeof *a->triangle);
    a->answer = calloc(t, sizeof *a->answer);
    vp_status status = VP_OK;
    if (a->scale_of == NULL || a->first == NULL || a->pose == NULL || a->job == NULL || a->triangle == NULL || a->answer == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u places", set->count);
    for (uint32_t i = 0; status == VP_OK && i < set->count; i++) {
        const vp_pose_place *p = &set->place[i];
        vp_aabb near;
        status = open_place(a, p, i, &near, error);
        a->first[i] = a->pairs;
        for (uint32_t k = p->first; status == VP_OK && k < p->first + p->count; k++) {
            const vp_vec3 *c = set->corner[k];
            const vp_aabb box = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
            if (vp_aabb_overlaps(&near, &box) || p->count == 1)
                a->triangle[a->pairs++] = vp_collide_triangle_of(c, k);
        }
        a->job[i].count = a->pairs - a->first[i];
        a->job[i].triangle = a->triangle + a->first[i];
        a->job[i].result = a->answer + a->first[i];
        a->first[i + 1] = a->pairs;
    }
    if (status != VP_OK)
        vp_collide_samples_destroy(a);
    return status;
}

void vp_collide_samples_destroy(vp_collide_samples *asked)
{
    for (uint32_t s = 0; s < asked->scales; s++) {
        vp_body_shape_destroy(&asked->shape[s]);
        vp_oracle_shape_destroy(&asked->oracle[s]);
    }
    free(asked->scale_of);
    free(asked->first);
    free(asked->pose);
    free(asked->job);
    free(asked->triangle);
    free(asked->answer);
    *asked = (vp_collide_samples){0};
}

void vp_collide_samples_spoil(vp_collide_samples *asked)
{
    memset(asked->answer, 0xff, asked->pairs * sizeof *asked->answer);
}

vp_collide_fault vp_collide_samples_judge(const vp_collide_samples *asked, uint32_t place, double band, bool overlaps_alone,
                                          vp_collide_tally *tally, uint32_t *pair)
{
    const uint32_t s = asked->scale_of[place];
    const vp_collide_job *job = &asked->job[place];
    vp_collide_fault first = VP_FAULT_NONE;
    for (uint32_t i = 0; i < job->count; i++) {
        const vp_vec3 *corner = job->triangle[i].corner;
        const bool reported = job->result[i].triangle_feature != VP_COLLIDE_NONE;
        vp_collide_fault fault = VP_FAULT_NONE;
        vp_oracle_truth truth;
        double off = 0.0;
        if (overlaps_alone && !reported) {
            vp_oracle_truth_of(&asked->oracle[s], &asked->pose[place], corner, &truth);
            fault = truth.distance < -band * truth.size ? VP_FAULT_MISSED : VP_FAULT_NONE;
        } else
            fault = vp_oracle_judge(&asked->oracle[s], job->shape, &asked->pose[place], corner, job->margin, band, &job->result[i], &off);
        tally->pairs++;
        tally->near += reported;
        tally->fault[fault]++;
        tally->worst = fault != VP_FAULT_NUMBER && off > tally->worst ? off : tally->worst;
        if (fault != VP_FAULT_NONE && first == VP_FAULT_NONE) {
            first = fault;
            *pair = i;
        }
    }
    return first;
}

/* The cases of the narrowphase: one shape at the places of a set, against the triangles that its box meets. Judged by brute force in
 * binary64, and by testing each triangle alone. */

/* Tolerance of signs, distances and normals as a part of the size. It holds for GJK too, except for overlapping cylinders. */
#define BAND     1e-6
#define GJK_DEEP 1e-3
/* With GJK one pair in GJK_POINTS may have wrong points. */
#define GJK_POINTS 1000

typedef struct collide_work {
    bool by_gjk; /* by the kernel for every shape */
    vp_collide_samples asked;
} collide_work;

static vp_status make(vp_body_kind body, bool by_gjk, const vp_data *data, vp_arena *arena, void **out, vp_error *error)
{
    collide_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(collide_work));
    vp_collide_samples *a = &w->asked;
    const vp_status status = vp_collide_samples_create(body, data->set, a, error);
    if (status != VP_OK)
        return status;
    w->by_gjk = by_gjk;
    vp_collide_triangle *triangle = vp_arena_keep(arena, a->pairs, sizeof *triangle, alignof(vp_collide_triangle));
    memcpy(triangle, a->triangle, a->pairs * sizeof *triangle); /* sources of input copies outlive drop() */
    for (uint32_t i = 0; i < a->scales; i++)
        a->oracle[i].coarse = by_gjk && body == VP_BODY_CYLINDER ? GJK_DEEP : 0.0;
    for (uint32_t i = 0; i < a->places; i++) {
        vp_collide_job *job = &a->job[i];
        job->triangle = vp_arena_input(arena, triangle + a->first[i], job->count, sizeof *job->triangle, alignof(vp_collide_triangle), 0);
        job->result = vp_arena_output(arena, job->count, sizeof *job->result, alignof(vp_collide_result), 0);
    }
    return VP_OK;
}

static void drop(void *argument)
{
    vp_collide_samples_destroy(&((collide_work *)argument)->asked);
}

static void record(const void *argument, vp_records *out)
{
    const vp_collide_samples *a = &((const collide_work *)argument)->asked;
    for (uint32_t i = 0; i < a->places; i++)
        for (uint32_t t = 0; t < a->job[i].count; t++)
            vp_record_words(&a->job[i].result[t], sizeof(vp_collide_result) / 4, out);
}

/* Whether the reference gives the same answer for a triangle alone. */
static bool is_same_alone(const collide_work *w, const vp_kernels *scalar, const vp_collide_job *job, uint32_t triangle)
{
    vp_collide_result alone;
    const vp_collide_job one = {job->shape, job->frame, job->margin, job->triangle + triangle, 1, &alone};
    void (*const kernel[VP_BODIES])(const vp_collide_job *) = {scalar->collide_sphere,   scalar->collide_capsule, scalar->collide_box,
                                                               scalar->collide_cylinder, scalar->collide_hull,    scalar->collide_hull};
    (w->by_gjk ? scalar->collide_gjk : kernel[w->asked.body])(&one);
    return memcmp(&alone, &job->result[triangle], sizeof alone) == 0;
}

vp_collide_tally vp_collide_case_tally(const void *argument)
{
    vp_collide_tally tally = {0};
    uint32_t unused;
    for (uint32_t i = 0; i < ((const collide_work *)argument)->asked.places; i++)
        vp_collide_samples_judge(&((const collide_work *)argument)->asked, i, BAND, false, &tally, &unused);
    return tally;
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    const collide_work *w = argument;
    const vp_kernels scalar = vp_scalar_kernels();
    vp_collide_tally tally = {0};
    for (uint32_t i = 0; i < w->asked.places; i++) {
        const vp_collide_job *job = &w->asked.job[i];
        uint32_t pair;
        const vp_collide_fault fault = vp_collide_samples_judge(&w->asked, i, BAND, false, &tally, &pair);
        const uint64_t fair = tally.fault[VP_FAULT_NONE] + (w->by_gjk ? tally.fault[VP_FAULT_POINTS] : 0);
        if (fair < tally.pairs)
            return vp_fail(error, VP_E_FORMAT, "place %u, triangle %u: %s is wrong; the distance is %.9g; off by %.2g of the size", i, pair,
                           vp_collide_fault_name(fault), (double)job->result[pair].distance, tally.worst);
        for (uint32_t t = 0; t < job->count; t++)
            if (!is_same_alone(w, &scalar, job, t))
                return vp_fail(error, VP_E_FORMAT, "place %u: of triangle %u alone the answer is another", i, t);
    }
    if (tally.fault[VP_FAULT_POINTS] * GJK_POINTS > tally.pairs + GJK_POINTS)
        return vp_fail(error, VP_E_FORMAT, "%u of %u pairs have wrong points", (unsigned)tally.fault[VP_FAULT_POINTS],
                       (unsigned)tally.pairs);
    return VP_OK;
}

/* Counts the triangles of a place, and those within the margin. */
static void count(const void *argument, vp_counters *out)
{
    const vp_collide_samples *a = &((const collide_work *)argument)->asked;
    uint64_t near = 0;
    for (uint32_t i = 0; i < a->places; i++)
        for (uint32_t t = 0; t < a->job[i].count; t++)
            near += a->job[i].result[t].triangle_feature != VP_COLLIDE_NONE;
    vp_count(out, "pairs_per_place", a->places > 0 ? (double)a->pairs / a->places : 0.0);
    vp_count(out, "within_margin", a->pairs > 0 ? (double)near / a->pairs : 0.0);
}

static const vp_measured measured[] = {VP_ON("poses-terrain", 1, VP_TIMED | VP_COUNTED), VP_ON("poses-hard", 1, VP_TIMED), {.data = NULL}};
static const vp_measured each_variant[] = {
    VP_ON("poses-terrain", ~0u, VP_TIMED | VP_COUNTED), VP_ON("poses-hard", ~0u, VP_TIMED), {.data = NULL}};

/* Defines a shape's case with its `make` and its kernel. */
#define COLLIDE(kernel, by_gjk, body_of_variant, ...)                                                                                      \
    static vp_status make_##kernel(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)                    \
    {                                                                                                                                      \
        return make(body_of_variant, by_gjk, data, arena, out, error);                                                                     \
    }                                                                                                                                      \
    static vp_status run_##kernel(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)                  \
    {                                                                                                                                      \
        const vp_collide_samples *a = &((collide_work *)argument)->asked;                                                                  \
        *items = a->pairs;                                                                                                                 \
        for (uint32_t i = 0; i < a->places; i++)                                                                                           \
            how->kernels->kernel(&a->job[i]);                                                                                              \
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
COLLIDE(collide_hull, false, variant == 0 ? VP_BODY_HULL16 : VP_BODY_HULL64, .variant = hulls, .questions = true, .notes = hull_notes,
        .measured = each_variant);

static const char *const shapes[] = {"box", "sphere", "capsule", "hull16", "hull64", "cylinder", NULL};
static const vp_body_kind bodies[] = {VP_BODY_BOX, VP_BODY_SPHERE, VP_BODY_CAPSULE, VP_BODY_HULL16, VP_BODY_HULL64, VP_BODY_CYLINDER};
static const char *const shape_notes[] = {
    ", with a box",     ", with a sphere", ", with a capsule", ", with a hull of 16 vertices", ", with a hull of 64 vertices",
    ", with a cylinder"};
COLLIDE(collide_gjk, true, bodies[variant], .variant = shapes, .questions = true, .notes = shape_notes, .measured = each_variant);
