/* SPDX-License-Identifier: MIT */
/* Exact decisions about points of binary32: the side of a line or of a plane on which a point lies.
 *
 * The sign of a determinant is first computed in double. A bound on its rounding error, proportional to the sum of the
 * absolute values of its terms, decides whether the sign is certain. If it is not, the determinant is computed without
 * any rounding. Integers of 128 bits are used where they are large enough, otherwise a sum of doubles that do not
 * overlap (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997,
 * which also gives the bounds). Nothing underflows or overflows on the way for any points, because products of three
 * numbers of binary32 are multiples of 2^-447 and below 2^390. */
#ifndef VP_CORE_EXACT_H
#define VP_CORE_EXACT_H

#include <math.h>

#include <voxphys/geometry.h>

#define VP_DET3_BOUND 0x1p-50 /* of the sum of absolute terms: (7 + 56u)u, u = 2^-53, plus the rounding of that sum */

/* (b - a) x (c - a) . (d - a), in double. */
typedef struct vp_det {
    double value;
    double bound; /* maximum distance of the exact determinant from it */
} vp_det;

static inline vp_det vp_det3(vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 d)
{
    const double bx = (double)b.x - (double)a.x, by = (double)b.y - (double)a.y, bz = (double)b.z - (double)a.z;
    const double cx = (double)c.x - (double)a.x, cy = (double)c.y - (double)a.y, cz = (double)c.z - (double)a.z;
    const double dx = (double)d.x - (double)a.x, dy = (double)d.y - (double)a.y, dz = (double)d.z - (double)a.z;
    const double yz = by * cz, zy = bz * cy, zx = bz * cx, xz = bx * cz, xy = bx * cy, yx = by * cx;
    const double value = ((yz - zy) * dx + (zx - xz) * dy) + (xy - yx) * dz;
    const double size = ((fabs(yz) + fabs(zy)) * fabs(dx) + (fabs(zx) + fabs(xz)) * fabs(dy)) + (fabs(xy) + fabs(yx)) * fabs(dz);
    const vp_det det = {value, size * VP_DET3_BOUND};
    return det;
}

/* The sign of that determinant without rounding. Positive if d lies on the side to which the triangle a, b, c faces,
   from which it is seen counterclockwise. 0 on its plane, and for a triangle without area. Slow, see vp_orient3d. */
int vp_orient3d_exact(vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 d);

static inline int vp_orient3d(vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 d)
{
    const vp_det det = vp_det3(a, b, c, d);
    if (det.value > det.bound)
        return 1;
    if (det.value < -det.bound)
        return -1;
    return det.bound == 0.0 ? 0 : vp_orient3d_exact(a, b, c, d); /* 0 if all terms are 0 */
}

/* A point of a plane. */
typedef struct vp_vec2 {
    float x, y;
} vp_vec2;

/* (b - a) x (c - a), in double. */
static inline vp_det vp_det2(vp_vec2 a, vp_vec2 b, vp_vec2 c)
{
    const double xy = ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y);
    const double yx = ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
    const vp_det det = {xy - yx, (fabs(xy) + fabs(yx)) * 0x1p-51}; /* (3 + 16u)u */
    return det;
}

/* (b - a) x (c - a), rounded only in the components themselves. Slow, see vp_normal3. */
void vp_normal3_exact(vp_vec3 a, vp_vec3 b, vp_vec3 c, double out[3]);

/* (b - a) x (c - a), with an error of at most `part` of its length, from 2^-51 up, however thin the triangle is. 0 only
 * if it has no area. */
static inline void vp_normal3_within(double part, vp_vec3 a, vp_vec3 b, vp_vec3 c, double out[3])
{
    const vp_det x = vp_det2((vp_vec2){a.y, a.z}, (vp_vec2){b.y, b.z}, (vp_vec2){c.y, c.z}),
                 y = vp_det2((vp_vec2){a.z, a.x}, (vp_vec2){b.z, b.x}, (vp_vec2){c.z, c.x}),
                 z = vp_det2((vp_vec2){a.x, a.y}, (vp_vec2){b.x, b.y}, (vp_vec2){c.x, c.y});
    out[0] = x.value;
    out[1] = y.value;
    out[2] = z.value;
    const double square = (out[0] * out[0] + out[1] * out[1]) + out[2] * out[2];
    if (!((x.bound * x.bound + y.bound * y.bound) + z.bound * z.bound <= square * (part * part)))
        vp_normal3_exact(a, b, c, out);
}

/* The same to some 40 bits, for hulls' normals, whose bits are guaranteed. */
static inline void vp_normal3(vp_vec3 a, vp_vec3 b, vp_vec3 c, double out[3])
{
    vp_normal3_within(0x1p-40, a, b, c, out);
}

/* The sign of that without rounding. Positive if a, b, c turn to the left. Slow, see vp_orient2d. */
int vp_orient2d_exact(vp_vec2 a, vp_vec2 b, vp_vec2 c);

static inline int vp_orient2d(vp_vec2 a, vp_vec2 b, vp_vec2 c)
{
    const vp_det det = vp_det2(a, b, c);
    if (det.value > det.bound)
        return 1;
    if (det.value < -det.bound)
        return -1;
    return det.bound == 0.0 ? 0 : vp_orient2d_exact(a, b, c);
}

#endif
