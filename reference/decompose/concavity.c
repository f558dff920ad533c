/* SPDX-License-Identifier: MIT */
/* The concavity of a hull (convex decomposition article, "Calcul de l'erreur de concavité"). Samples of the surface
 * that lie in the hull's box are taken from the grid. From each sample inside the hull a ray goes along the normal to
 * the hull's back face. The longest ray is the error. It is 0 if the hull nowhere goes beyond the surface. The search
 * ends at the first ray that is longer than allowed. */
#include <math.h>

#include <voxphys/kernel/decompose.h>

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

/* The length of a ray. 0 if it is not inside the hull, or nowhere further inside than the quantum. Both grow with the hull. */
static double length_of(const vp_concavity_job *job, const double x[3], const double along[3])
{
    const double s = job->quantum;
    double in = 0.0, out = INFINITY;           /* where the ray enters and leaves the hull */
    double deep_in = 0.0, deep_out = INFINITY; /* the same for the part of the hull that is deeper than s */
    for (uint32_t i = 0; i < job->planes; i++) {
        const double above = dot(job->plane[i], x) - job->plane[i][3], rise = dot(job->plane[i], along);
        if (rise > 0.0) {
            out = min(out, -above / rise);
            deep_out = min(deep_out, -(above + s) / rise);
        } else if (rise < 0.0) {
            in = max(in, above / -rise);
            deep_in = max(deep_in, (above + s) / -rise);
        } else if (above + s > 0.0) {
            return 0.0;
        }
        if (in > s || deep_in >= deep_out)
            return 0.0;
    }
    return out < INFINITY ? out : 0.0;
}

/* The cell of a coordinate, along an axis with that many cells. */
static uint32_t cell_of(double at, double low, double cell, uint32_t cells)
{
    const double c = floor((at - low) / cell);
    return c <= 0.0 ? 0 : c >= (double)(cells - 1) ? cells - 1 : (uint32_t)c;
}

vp_concavity_result vp_concavity_scalar(const vp_concavity_job *job)
{
    const vp_surface_samples *all = job->samples;
    const uint32_t cells[3] = {all->cells.x, all->cells.y, all->cells.z};
    double low[3], high[3];
    uint32_t from[3], to[3];
    for (int k = 0; k < 3; k++) {
        low[k] = job->low[k] - job->quantum;
        high[k] = job->high[k] + job->quantum;
        from[k] = cell_of(low[k], all->low[k], all->cell, cells[k]);
        to[k] = cell_of(high[k], all->low[k], all->cell, cells[k]);
    }
    vp_concavity_result longest = {0.0, VP_DECOMPOSE_NONE};
    for (uint32_t z = from[2]; z <= to[2]; z++)
        for (uint32_t y = from[1]; y <= to[1]; y++) {
            const uint32_t row = (z * cells[1] + y) * cells[0];
            for (uint32_t i = all->first[row + from[0]]; i < all->first[row + to[0] + 1]; i++) {
                const double *x = all->point[i];
                if (x[0] < low[0] || x[0] > high[0] || x[1] < low[1] || x[1] > high[1] || x[2] < low[2] || x[2] > high[2])
                    continue;
                const double length = length_of(job, x, all->normal[i]);
                if (length <= longest.error)
                    continue;
                longest = (vp_concavity_result){length, i};
                if (length > job->allowed)
                    return longest;
            }
        }
    return longest;
}
