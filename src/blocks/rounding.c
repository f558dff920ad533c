/* SPDX-License-Identifier: MIT */
/* Rounded planets. The article "Les bases d'un voxel engine", "Un mesh par direction", mentions the deformation. The
 * formula is that of the game's sources (repository DigitalPulseSoftware/ThisSpaceOfMine). */
#include "src/blocks/rounding.h"

#include <math.h>

#include "src/core/error.h"

/* The inner cube's nearest point, relative to the centre, and the offset from there to the point. */
typedef struct shell {
    double inner[3], out[3], length; /* 0 without a direction */
    double reach;                    /* min(radius, d) */
} shell;

static shell shell_of(const vp_block_rounding *r, vp_vec3 point)
{
    const double p[3] = {(double)point.x - r->centre.x, (double)point.y - r->centre.y, (double)point.z - r->centre.z};
    double d = fabs(p[0]);
    for (int a = 1; a < 3; a++)
        d = fabs(p[a]) > d ? fabs(p[a]) : d;
    const double half = d - r->radius > 0 ? d - r->radius : 0;
    shell s = {.reach = r->radius < d ? r->radius : d};
    for (int a = 0; a < 3; a++) {
        s.inner[a] = p[a] < -half ? -half : p[a] > half ? half : p[a];
        s.out[a] = p[a] - s.inner[a];
    }
    s.length = sqrt((s.out[0] * s.out[0] + s.out[1] * s.out[1]) + s.out[2] * s.out[2]);
    return s;
}

vp_vec3 vp_block_rounding_point(const vp_block_rounding *rounding, vp_vec3 point)
{
    const shell s = shell_of(rounding, point);
    const double centre[3] = {rounding->centre.x, rounding->centre.y, rounding->centre.z};
    float moved[3];
    if (!(s.length > 0))
        return point;
    for (int a = 0; a < 3; a++)
        moved[a] = (float)(centre[a] + (s.inner[a] + s.reach * s.out[a] / s.length));
    return (vp_vec3){moved[0], moved[1], moved[2]};
}

vp_vec3 vp_block_rounding_up(const vp_block_rounding *rounding, vp_vec3 point)
{
    const shell s = shell_of(rounding, point);
    if (!(s.length > 0))
        return (vp_vec3){0, 0, 0};
    return (vp_vec3){(float)(s.out[0] / s.length), (float)(s.out[1] / s.length), (float)(s.out[2] / s.length)};
}

vp_status vp_block_rounding_check(const vp_block_rounding *r, vp_error *error)
{
    if (!isfinite(r->centre.x) || !isfinite(r->centre.y) || !isfinite(r->centre.z))
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_rounding.centre is (%g, %g, %g); must be finite", (double)r->centre.x,
                       (double)r->centre.y, (double)r->centre.z);
    if (!isfinite(r->radius) || !(r->radius > 0))
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_rounding.radius is %g; must be finite and > 0", (double)r->radius);
    return VP_OK;
}
