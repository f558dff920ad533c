/* SPDX-License-Identifier: MIT */
/* Argument checks of hulls, and the default tolerance. */
#include "src/hull/check.h"

#include <float.h>
#include <math.h>

#include "src/core/error.h"

vp_status vp_hull_check_count(const vp_vec3 *point, uint64_t count, vp_error *error)
{
    if (point == NULL && count != 0)
        return vp_fail(error, VP_E_ARGUMENT, "point is NULL, count is %llu", (unsigned long long)count);
    if (count == 0 || count > VP_HULL_MAX_POINTS)
        return vp_fail(error, VP_E_ARGUMENT, "count is %llu points; must be 1 to %u", (unsigned long long)count, VP_HULL_MAX_POINTS);
    return VP_OK;
}

vp_status vp_hull_check_wishes(const vp_hull_def *def, vp_error *error)
{
    if (!(def->tolerance >= 0.0f) || !(def->tolerance <= FLT_MAX))
        return vp_fail(error, VP_E_ARGUMENT, "tolerance is %g; must be finite and >= 0", (double)def->tolerance);
    if (def->max_vertices > 0 && def->max_vertices < 4)
        return vp_fail(error, VP_E_ARGUMENT, "max_vertices is %u; must be 0, or 4 or more", def->max_vertices);
    if (!(def->max_error >= 0.0f) || !(def->max_error <= FLT_MAX))
        return vp_fail(error, VP_E_ARGUMENT, "max_error is %g; must be finite and >= 0", (double)def->max_error);
    return VP_OK;
}

vp_status vp_hull_name_bad(const vp_vec3 *point, uint32_t bad, vp_error *error)
{
    const float value[3] = {point[bad].x, point[bad].y, point[bad].z};
    const int axis = !isfinite(value[0]) ? 0 : !isfinite(value[1]) ? 1 : 2;
    return vp_fail(error, VP_E_ARGUMENT, "point[%u].%c is %g; must be finite", bad, "xyz"[axis], (double)value[axis]);
}

float vp_hull_tolerance(const vp_hull_bounds *b)
{
    const float side[3] = {b->max.x - b->min.x, b->max.y - b->min.y, b->max.z - b->min.z};
    const float end[6] = {b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z};
    float max = 0.0f;
    for (int i = 0; i < 3; i++)
        max = vp_max(side[i] < INFINITY ? side[i] : FLT_MAX, max);
    for (int i = 0; i < 6; i++)
        max = vp_max(fabsf(end[i]), max);
    return max * 0x1p-22f;
}
