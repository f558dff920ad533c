/* SPDX-License-Identifier: MIT */
/* The concavity of a hull (convex decomposition article, "Calcul de l'erreur de concavité"). From each sample of the
 * surface inside the hull a ray goes along the normal to the hull's back face. The longest ray is the error. It is 0 if
 * the hull nowhere goes beyond the surface. The search ends at the first ray that is longer than allowed.
 *
 * A ray is no longer than the distance from its triangle's plane to the farthest point in front of it. So most
 * triangles have no ray that is longer than the longest one so far, and their samples are not read. */
#include <math.h>
#include <stdbool.h>

#include <voxphys/kernel/decompose.h>

enum { FEW = 8 }; /* samples of a triangle that are tested at once */

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

static double max(double a, double b)
{
    return a > b ? a : b;
}

/* The length of a ray, or 0 if it is not longer than `least`. Also 0 if it is not inside the hull, or nowhere further
   inside than the quantum. `plane` is the first one to compare with, and becomes the one that decides, because it often
   decides for the next ray too. The order of planes does not matter. */
static double length_of(const vp_concavity_job *job, const double x[3], const double along[3], double least, uint32_t *plane)
{
    const double s = job->quantum;
    double in = 0.0, out = INFINITY;           /* where the ray enters and leaves the hull */
    double deep_in = 0.0, deep_out = INFINITY; /* the same for the part of the hull that is deeper than s */
    for (uint32_t n = 0, i = *plane; n < job->planes; n++, i = i + 1 < job->planes ? i + 1 : 0) {
        const double above = dot(job->plane[i], x) - job->plane[i][3], rise = dot(job->plane[i], along);
        if (rise > 0.0) {
            out = min(out, -above / rise);
            deep_out = min(deep_out, -(above + s) / rise);
        } else if (rise < 0.0) {
            in = max(in, above / -rise);
            deep_in = max(deep_in, (above + s) / -rise);
        } else if (above + s > 0.0) {
            deep_in = INFINITY;
        }
        if (in > s || deep_in >= deep_out || out <= least) {
            *plane = i;
            return 0.0;
        }
    }
    return out < INFINITY ? out : 0.0;
}

/* True if a side of the hull's box or one plane shows that no sample of a triangle has a ray: all of it is above the plane, and the rays
 * lead away from the plane, or begin too far from it. Each sample alone would have the same result, by the same plane. */
static bool is_beyond(const vp_concavity_job *job, const vp_surface_block *block, int lane, const double along[3], const double low[3],
                      const double high[3])
{
    double corner[3][3], most = 0.0;
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++)
            corner[c][k] = block->corner[c][k][lane];
        const double least = min(min(corner[0][k], corner[1][k]), corner[2][k]), last = max(max(corner[0][k], corner[1][k]), corner[2][k]);
        const double size = max(fabs(least), fabs(last));
        most = max(most, size);
        if (last + size * 0x1p-48 < low[k] || least - size * 0x1p-48 > high[k])
            return true;
    }
    for (uint32_t i = 0; i < job->planes; i++) {
        const double *n = job->plane[i], rise = dot(n, along), slack = (4.0 * most + fabs(n[3])) * 0x1p-48; /* of roundings */
        const double above = min(min(dot(n, corner[0]), dot(n, corner[1])), dot(n, corner[2])) - n[3];
        if (above - slack > (rise < 0.0 ? -2.0 * rise * job->quantum : -job->quantum))
            return true;
    }
    return false;
}

/* Finds how far the hull's points are in front of the plane of each triangle. */
static void find_reach(const vp_concavity_job *job, const vp_surface_block *block, double reach[VP_SURFACE_LANES])
{
    for (int lane = 0; lane < VP_SURFACE_LANES; lane++)
        reach[lane] = -INFINITY;
    for (uint32_t i = 0; i < job->points; i++) {
        const double p[3] = {(double)job->point[i].x, (double)job->point[i].y, (double)job->point[i].z};
        for (int lane = 0; lane < VP_SURFACE_LANES; lane++)
            reach[lane] = max((block->normal[0][lane] * p[0] + block->normal[1][lane] * p[1]) + block->normal[2][lane] * p[2], reach[lane]);
    }
    for (int lane = 0; lane < VP_SURFACE_LANES; lane++)
        reach[lane] -= block->offset[lane];
}

static bool is_outside(const double p[3], const double low[3], const double high[3])
{
    return p[0] < low[0] || p[0] > high[0] || p[1] < low[1] || p[1] > high[1] || p[2] < low[2] || p[2] > high[2];
}

static bool is_apart(const vp_surface_box *box, const double low[3], const double high[3])
{
    return box->high[0] < low[0] || box->low[0] > high[0] || box->high[1] < low[1] || box->low[1] > high[1] || box->high[2] < low[2] ||
           box->low[2] > high[2];
}

/* Searches the samples of a block's triangles for a longer ray. @param low, high the hull's box, larger by the quantum */
static void search_block(const vp_concavity_job *job, uint32_t at, const double low[3], const double high[3], uint32_t *plane,
                         vp_concavity_result *longest)
{
    const vp_surface_samples *samples = job->samples;
    const vp_surface_block *block = &samples->block[at];
    double reach[VP_SURFACE_LANES];
    find_reach(job, block, reach);
    for (int lane = 0; lane < VP_SURFACE_LANES; lane++) {
        const double along[3] = {block->normal[0][lane], block->normal[1][lane], block->normal[2][lane]};
        if (block->first[lane + 1] - block->first[lane] > FEW && reach[lane] > max(job->quantum, longest->error) &&
            is_beyond(job, block, lane, along, low, high))
            continue;
        if (samples->place != NULL && block->first[lane] < block->first[lane + 1] && reach[lane] > max(job->quantum, longest->error))
            samples->place(samples->user, at, (uint32_t)lane);
        for (uint32_t i = block->first[lane]; i < block->first[lane + 1] && reach[lane] > max(job->quantum, longest->error); i++) {
            const double *x = samples->point[i];
            if (is_outside(x, low, high))
                continue;
            const double length = min(length_of(job, x, along, longest->error, plane), reach[lane]);
            if (length <= longest->error)
                continue;
            *longest = (vp_concavity_result){length, i};
            if (length > job->allowed)
                return;
        }
    }
}

vp_concavity_result vp_concavity_scalar(const vp_concavity_job *job)
{
    const vp_surface_samples *all = job->samples;
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = job->low[k] - job->quantum;
        high[k] = job->high[k] + job->quantum;
    }
    vp_concavity_result longest = {0.0, VP_DECOMPOSE_NONE};
    uint32_t plane = 0;
    for (uint32_t i = 0; i < all->boxes && longest.error <= job->allowed;) {
        const vp_surface_box *box = &all->box[i];
        if (is_apart(box, low, high)) {
            i = box->next;
            continue;
        }
        if (box->block != VP_DECOMPOSE_NONE)
            search_block(job, box->block, low, high, &plane, &longest);
        i++;
    }
    return longest;
}
