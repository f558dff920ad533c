/* SPDX-License-Identifier: MIT */
#include "cases/narrowphase/sampled_poses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
