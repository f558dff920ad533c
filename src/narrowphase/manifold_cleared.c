/* SPDX-License-Identifier: MIT */
/* Contacts of cleared triangles. The correction drops the answer of a triangle that a shallower answer clears
 * (cleared.c). The shape can still rest on that triangle. So the triangle is cut along the normal of the answer that
 * clears it. That answer moves the shape out of the triangle, so no such contact is deeper than the answer. */
#include "src/narrowphase/manifold_internal.h"

#include "src/narrowphase/cleared.h"
#include "src/narrowphase/ray.h"

/* The way out of triangle t along the normal of answer `by`. Negative if that answer does not clear the triangle. */
static double find_way_out(const vp_manifold_work *w, uint32_t t, uint32_t by)
{
    const vp_collide_job job = {.shape = w->body->shape, .frame = w->frame, .triangle = w->triangle, .count = w->count};
    vp_real3 relative[3], corner[3];
    const double slack = VP_TOUCHING * vp_ray_corners(&job, t, relative, corner);
    const double way = vp_ray_depth(job.shape, corner, vp_ray_turned(&w->frame, vp_real3_of(w->answer[by].normal)));
    return way <= slack - (double)w->answer[by].distance ? way : -1.0;
}

/* Finds the kept answer that clears triangle t and whose normal is nearest to the triangle's own.
 * @return false if no such normal has the triangle's direction */
static bool find_clearing(const vp_manifold_work *w, uint32_t t, uint32_t kept, vp_collide_result *out)
{
    float nearest = VP_MANIFOLD_ONE_DIRECTION;
    for (uint32_t i = 0; i < kept; i++) {
        const uint32_t by = w->order[i];
        const float cosine = vp_vec3_dot(w->answer[by].normal, w->triangle[t].normal);
        const double way = cosine > nearest ? find_way_out(w, t, by) : -1.0;
        if (way < 0.0)
            continue;
        nearest = cosine;
        *out = (vp_collide_result){.distance = (float)-way, .normal = w->answer[by].normal};
    }
    return nearest > VP_MANIFOLD_ONE_DIRECTION;
}

void vp_manifold_cut_cleared(vp_manifold_work *w, uint32_t kept)
{
    const uint32_t first = w->contacts;
    for (uint32_t t = 0; t < w->touched; t++) {
        const vp_collide_result dropped = w->answer[t];
        if ((w->marks[t] & VP_MANIFOLD_OVERLAPPED) == 0 || dropped.triangle_feature != VP_COLLIDE_NONE ||
            !find_clearing(w, t, kept, &w->answer[t]))
            continue;
        vp_manifold_cut(w, t);
        w->answer[t] = dropped;
    }
    for (uint32_t i = first; i < w->contacts; i++)
        w->contact[i].is_spare = true;
}
