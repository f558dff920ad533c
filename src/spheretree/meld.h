/* SPDX-License-Identifier: MIT */
/* Melds two spheres: article "Scene Collision Detection", MeldSpheres. This is the only definition, for reference,
 * objects and cases.
 *
 * The result is conservative: it contains both in exact arithmetic. All steps are in double, where a distance d of two
 * float points has an error below 2^-51 of itself, and a sum or a difference 2^-53. So d (1 + 2^-50), called `far`, is
 * not less than the distance. One sphere contains the other if far <= ra - rb. The difference's own rounding is within
 * the margin of far. Otherwise the centre is rounded first, and the radius is measured from the rounded centre. It is
 * (far + r) (1 + 2^-50) of the sphere that needs more, rounded up to a float. That is less than the exact one times 1 +
 * 2^-48, so the float is the least possible or the next. */
#ifndef VP_SPHERETREE_MELD_H
#define VP_SPHERETREE_MELD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/kernel/spheretree.h>

#define VP_SCENE_FAR (1.0 + 0x1p-50)

/* The least float that is not less than a value >= 0. */
static inline float vp_scene_float_above(double value)
{
    float f = (float)value;
    uint32_t bits;
    if ((double)f >= value)
        return f;
    memcpy(&bits, &f, sizeof bits);
    bits++;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* The squared distance of two points. */
static inline double vp_scene_distance2(vp_vec3 a, vp_vec3 b)
{
    const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, z = (double)b.z - (double)a.z;
    return (x * x + y * y) + z * z;
}

/* At least the distance. */
static inline double vp_scene_far(vp_vec3 a, vp_vec3 b)
{
    return sqrt(vp_scene_distance2(a, b)) * VP_SCENE_FAR;
}

static inline vp_sphere vp_scene_melded(const vp_sphere *a, const vp_sphere *b)
{
    const double d = sqrt(vp_scene_distance2(a->centre, b->centre)), ra = a->radius, rb = b->radius, far = d * VP_SCENE_FAR;
    if (far <= ra - rb)
        return *a;
    if (far <= rb - ra)
        return *b;
    /* d > 0, so the centre is (d + rb - ra)/2 from a's on the way to b's */
    double part = ((d + rb) - ra) / (2 * d);
    part = part > 0 ? (part < 1 ? part : 1) : 0;
    vp_sphere m;
    m.centre.x = (float)((double)a->centre.x + ((double)b->centre.x - (double)a->centre.x) * part);
    m.centre.y = (float)((double)a->centre.y + ((double)b->centre.y - (double)a->centre.y) * part);
    m.centre.z = (float)((double)a->centre.z + ((double)b->centre.z - (double)a->centre.z) * part);
    const double to_a = vp_scene_far(m.centre, a->centre) + ra, to_b = vp_scene_far(m.centre, b->centre) + rb;
    m.radius = vp_scene_float_above((to_a > to_b ? to_a : to_b) * VP_SCENE_FAR);
    return m;
}

#endif
