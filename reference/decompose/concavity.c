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

/* The length of a ray. 0 if it is not inside the hull, or nowhere further inside than the quantum. @param min minimum
   rise or fall of a plane along a ray of length 1; planes below it count as parallel to the ray */
static double length_of(const vp_concavity_job *job, const double x[3], const double along[3], double min)
{
    const double s = job->quantum;
    double in = 0.0, out = INFINITY, deep = INFINITY; /* where the ray enters, leaves, and comes nearer to the back face than s */
    for (uint32_t i = 0; i < job->planes; i++) {
        const double above = dot(job->plane[i], x) - job->plane[i][3], rise = dot(job->plane[i], along);
        if (rise > min) {
            const double leaves = -above / rise, slides = -(above + s) / rise;
            out = leaves < out ? leaves : out;
            deep = slides < deep ? slides : deep;
        } else if (rise < -min) {
            const double enters = above / -rise;
            in = enters > in ? enters : in;
        } else if (above + s > 0.0) {
            return 0.0;
        }
    }
    return in <= s && in < deep && out < INFINITY ? out : 0.0;
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
    double low[3], high[3], size[3];
    uint32_t from[3], to[3];
    for (int k = 0; k < 3; k++) {
        low[k] = job->low[k] - job->quantum;
        high[k] = job->high[k] + job->quantum;
        size[k] = job->high[k] - job->low[k];
        from[k] = cell_of(low[k], all->low[k], all->cell, cells[k]);
        to[k] = cell_of(high[k], all->low[k], all->cell, cells[k]);
    }
    const double min = job->quantum / sqrt(dot(size, size));

    vp_concavity_result longest = {0.0, VP_DECOMPOSE_NONE};
    for (uint32_t z = from[2]; z <= to[2]; z++)
        for (uint32_t y = from[1]; y <= to[1]; y++) {
            const uint32_t row = (z * cells[1] + y) * cells[0];
            for (uint32_t i = all->first[row + from[0]]; i < all->first[row + to[0] + 1]; i++) {
                const double *x = all->point[i];
                if (x[0] < low[0] || x[0] > high[0] || x[1] < low[1] || x[1] > high[1] || x[2] < low[2] || x[2] > high[2])
                    continue;
                const double length = length_of(job, x, all->normal[i], min);
                if (length <= longest.error)
                    continue;
                longest = (vp_concavity_result){length, i};
                if (length > job->allowed)
                    return longest;
            }
        }
    return longest;
}
