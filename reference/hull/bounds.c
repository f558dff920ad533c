/* SPDX-License-Identifier: MIT */
/* One pass over all points before their hull is made. Finds their box, the points on its sides, and any point that
 * is not finite. */
#include <voxphys/kernel/hull.h>

#include <math.h>

void vp_hull_bounds_scalar(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++) {
        const float value[3] = {point[i].x, point[i].y, point[i].z};
        for (int k = 0; k < 3; k++) {
            if (!isfinite(value[k])) {
                out->bad = i;
                return;
            }
            if (value[k] < low[k]) {
                low[k] = value[k];
                out->lowest[k] = i;
            }
            if (value[k] > high[k]) {
                high[k] = value[k];
                out->highest[k] = i;
            }
        }
    }
    out->min = (vp_vec3){low[0], low[1], low[2]};
    out->max = (vp_vec3){high[0], high[1], high[2]};
    out->bad = VP_HULL_NONE;
}
