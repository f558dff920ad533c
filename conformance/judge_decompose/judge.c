/* SPDX-License-Identifier: MIT */
#include "conformance/judge_decompose/check.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/parts.h"
#include "conformance/judge_decompose/vector.h"

#define USUAL_WORK (UINT64_C(1) << 18)

static vp_status look_at_numbers(const vp_decomposition_question *asked, vp_error *error)
{
    const double number[3] = {asked->s, asked->allowed, asked->tolerance};
    static const char *const name[3] = {"s", "allowed", "tolerance"};
    for (int i = 0; i < 3; i++)
        if (!(number[i] >= 0.0) || !isfinite(number[i]))
            return vp_fail(error, VP_E_ARGUMENT, "%s is %g: it must be 0 or more", name[i], number[i]);
    if (asked->owner != NULL)
        for (uint32_t t = 0; t < asked->mesh.triangle_count; t++)
            if (asked->owner[t] != VP_JUDGED_NONE && asked->owner[t] >= asked->hulls)
                return vp_fail(error, VP_E_ARGUMENT, "triangle %u is owned by hull %u of %u", t, asked->owner[t], asked->hulls);
    return VP_OK;
}

/* Finds winding numbers near the middle of each triangle, on both sides. */
static void look_beside(const vp_space *s, vp_decomposition_verdict *out)
{
    bool any = false;
    for (uint32_t t = 0; s->closed && t < s->triangles; t++) {
        double n[3];
        vp_normal_of((const double(*)[3])s->corner[t], n);
        const double length = sqrt(vp_dot3(n, n));
        for (int side = -1; side < 2 && length > 0.0; side += 2) {
            double p[3];
            uint32_t triangle;
            int32_t winding;
            for (int k = 0; k < 3; k++)
                p[k] = (s->corner[t][0][k] + s->corner[t][1][k] + s->corner[t][2][k]) / 3.0 +
                       (double)side * s->extent * 0x1p-20 * n[k] / length;
            if (!vp_space_winding(s, p, vp_space_distance(s, p, t, &triangle), &winding))
                continue;
            out->winding[0] = any && out->winding[0] < winding ? out->winding[0] : winding;
            out->winding[1] = any && out->winding[1] > winding ? out->winding[1] : winding;
            any = true;
        }
    }
}

static vp_status begin(vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error)
{
    const uint32_t hulls = j->asked->hulls;
    vp_status status = look_at_numbers(j->asked, error);
    if (status == VP_OK)
        status = vp_space_make(&j->asked->mesh, &j->space, error);
    if (status != VP_OK)
        return status;
    j->tolerance = j->asked->tolerance > 0.0 ? j->asked->tolerance : j->space.extent * 0x1p-10;
    j->max_work = j->asked->max_work != 0 ? j->asked->max_work : USUAL_WORK;
    j->body = calloc((size_t)hulls + 1, sizeof *j->body);
    out->hull = calloc((size_t)hulls + 1, sizeof *out->hull);
    if (j->body == NULL || out->hull == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u hulls", hulls);
    out->hulls = hulls;
    out->extent = j->space.extent;
    out->closed = j->space.closed;
    out->open_edges = j->space.open_edges;
    memcpy(out->open_edge, j->space.open_edge, sizeof out->open_edge);
    look_beside(&j->space, out);
    out->volume = j->space.closed ? fabs(vp_space_volume(&j->space)) : (double)NAN;
    out->reach_hull = out->largest_triangle = out->away_triangle = out->lost_triangle = VP_JUDGED_NONE;
    return VP_OK;
}

static void add_hull(vp_decomposition_verdict *out, uint32_t number)
{
    const vp_hull_judged *h = &out->hull[number];
    out->invalid += h->valid ? 0 : 1;
    out->flat += h->flat ? 1 : 0;
    out->vertices += h->vertices;
    if (out->reach_hull == VP_JUDGED_NONE || h->reach.low > out->reach.low) {
        out->reach_hull = number;
        memcpy(out->witness, h->witness, sizeof out->witness);
    }
    out->reach.low = vp_more(out->reach.low, h->reach.low);
    out->reach.high = vp_more(out->reach.high, h->reach.high);
}

vp_status vp_decomposition_judge(const vp_decomposition_question *asked, vp_decomposition_verdict *out, vp_error *error)
{
    vp_decomposition_job j = {.asked = asked};
    const uint32_t parts = asked->parts != 0 ? asked->parts : VP_JUDGE_REACH | VP_JUDGE_SURFACE | VP_JUDGE_VOLUME;
    *out = (vp_decomposition_verdict){0};
    vp_status status = begin(&j, out, error);
    for (uint32_t h = 0; h < asked->hulls && status == VP_OK; h++) {
        status = vp_body_make(asked, h, j.space.middle, j.space.extent, &j.body[h], &out->hull[h], error);
        if (status == VP_OK && (parts & VP_JUDGE_REACH) != 0)
            status = vp_judge_reach(&j, &j.body[h], &out->hull[h], error);
        if (status == VP_OK)
            add_hull(out, h);
    }
    out->reach_ratio = out->extent > 0.0 ? out->reach.high / out->extent : 0.0;
    if (status == VP_OK && (parts & VP_JUDGE_SURFACE) != 0)
        status = vp_judge_surface(&j, out, error);
    if (status == VP_OK && (parts & VP_JUDGE_VOLUME) != 0)
        status = vp_judge_volume(&j, out, error);
    for (uint32_t h = 0; j.body != NULL && h < asked->hulls; h++)
        vp_body_drop(&j.body[h]);
    free(j.body);
    vp_space_drop(&j.space);
    if (status != VP_OK)
        vp_decomposition_drop(out);
    return status == VP_OK ? vp_succeed(error) : status;
}

void vp_decomposition_drop(vp_decomposition_verdict *verdict)
{
    free(verdict->hull);
    *verdict = (vp_decomposition_verdict){0};
}
