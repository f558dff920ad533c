/* SPDX-License-Identifier: MIT */
/* Drops contacts whose normal is not the way out of the triangle.
 *
 * Correction measures a depth along a normal of the surface. Near a convex edge that normal may belong to another side
 * of the solid than the one the shape came through. The depth is then as long as the shape is wide. Such an answer is
 * kept only if no shallower answer moves the shape out of its triangle.
 *
 * No contact is lost. The shallower answer moves the shape out of the triangle. So it is at least as deep as the
 * kernel's depth, which is the shortest way out. An answer that causes a drop is never dropped itself, because answers
 * are tested from the shallowest to the deepest. */
#include "src/narrowphase/cleared.h"

#include <math.h>
#include <stdbool.h>

#include "src/narrowphase/ray.h"

static bool is_contact(const vp_collide_result *answer)
{
    return answer->triangle_feature != VP_COLLIDE_NONE;
}

static bool is_measured(const vp_collide_result *answer)
{
    return is_contact(answer) && (answer->triangle_feature & VP_MEASURED) != 0;
}

/* Whether it overlapped according to the kernel, and was measured since. */
static bool can_be_dropped(const vp_collide_result *answer)
{
    return is_measured(answer) && answer->on_triangle.x >= 0.0f;
}

static double depth_of(const vp_collide_result *answer)
{
    return -(double)answer->distance;
}

/* Whether a point is strictly inside the shape. */
static bool is_inside(const vp_collide_shape *s, vp_real3 p)
{
    const double radius = (double)s->radius, beyond = fabs(p.y) - (double)s->half_height, y = beyond > 0.0 ? beyond : 0.0;
    bool inside = true;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return vp_real3_dot(p, p) < radius * radius;
    case VP_COLLIDE_CAPSULE:
        return p.x * p.x + y * y + p.z * p.z < radius * radius;
    case VP_COLLIDE_BOX:
        return fabs(p.x) < (double)s->half.x && fabs(p.y) < (double)s->half.y && fabs(p.z) < (double)s->half.z;
    case VP_COLLIDE_CYLINDER:
        return beyond < 0.0 && p.x * p.x + p.z * p.z < radius * radius;
    default:
        for (uint32_t i = 0; i < s->hull->face_count && inside; i++)
            inside = vp_real3_dot(vp_real3_of(s->hull->plane[i].normal), p) < (double)s->hull->plane[i].offset;
        return inside;
    }
}

/* Whether the shape, moved by t w, is out of the triangle. Corners and centre are tested first, because they reject
 * most cases. */
static bool is_out(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, double t)
{
    vp_real3 middle = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        middle = vp_real3_plus(middle, corner[k], 1.0 / 3.0);
        if (is_inside(shape, vp_real3_plus(corner[k], w, -t)))
            return false;
    }
    return !is_inside(shape, vp_real3_plus(middle, w, -t)) && vp_ray_depth(shape, corner, w) <= t;
}

/* Whether a shallower answer also moves the shape out of the triangle. An answer shallower than the kernel's depth
 * cannot. A shape that only touches the triangle is out already. An answer with a borrowed normal also yields to an
 * equally deep one that was not measured, mostly that of the triangle that owns the normal. Unmeasured answers are
 * never dropped. */
static bool is_cleared(const vp_collide_job *job, uint32_t number)
{
    const vp_collide_result *answer = &job->result[number], *other = job->result;
    vp_real3 relative[3], corner[3];
    const double slack = VP_TOUCHING * vp_ray_corners(job, number, relative, corner);
    const double min = (double)answer->on_triangle.x - slack, max = depth_of(answer) - 2.0 * slack;
    const bool is_borrowed = (answer->triangle_feature & VP_BORROWED) != 0;
    bool cleared = min <= 0.0 && max > 0.0;
    for (uint32_t i = 0; i < job->count && !cleared; i++) {
        const double depth = depth_of(&other[i]);
        const bool is_shallow = depth < max || (is_borrowed && depth < max + 3.0 * slack && !is_measured(&other[i]));
        if (depth >= min && is_shallow && is_contact(&other[i]))
            cleared = is_out(job->shape, corner, vp_ray_turned(&job->frame, vp_real3_of(other[i].normal)), depth + slack);
    }
    return cleared;
}

/* The smallest depth above `done` of an answer that can be dropped. Infinity if there is none. */
static double find_next_depth(const vp_collide_job *job, double done)
{
    double next = INFINITY;
    for (uint32_t i = 0; i < job->count; i++) {
        const double depth = depth_of(&job->result[i]);
        if (depth > done && depth < next && can_be_dropped(&job->result[i]))
            next = depth;
    }
    return next;
}

static void drop_answer(vp_collide_result *answer)
{
    *answer = (vp_collide_result){
        .distance = INFINITY, .normal = answer->normal, .triangle_feature = VP_COLLIDE_NONE, .shape_feature = VP_COLLIDE_NONE};
}

static void fill_points(const vp_collide_job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        vp_collide_result *answer = &job->result[i];
        if (!is_measured(answer))
            continue;
        vp_real3 relative[3], corner[3], on = {0.0, 0.0, 0.0};
        vp_ray_corners(job, i, relative, corner);
        for (int k = 0; k < 3; k++)
            on = vp_real3_plus(on, relative[k], (double)answer->weight[k]);
        answer->on_triangle = vp_real3_rounded(on);
        answer->triangle_feature &= ~(VP_MEASURED | VP_BORROWED);
    }
}

void vp_drop_cleared(const vp_collide_job *job)
{
    for (double depth = find_next_depth(job, -INFINITY); depth < INFINITY; depth = find_next_depth(job, depth))
        for (uint32_t i = 0; i < job->count; i++)
            if (depth_of(&job->result[i]) == depth && can_be_dropped(&job->result[i]) && is_cleared(job, i))
                drop_answer(&job->result[i]);
    fill_points(job);
}
