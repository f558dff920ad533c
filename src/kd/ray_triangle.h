/* SPDX-License-Identifier: MIT */
/* A ray against one triangle. This is the only definition of a hit. Every tree, every form and every instruction set
 * returns its bits.
 *
 * After Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection" (JCGT 2013). Move the ray's origin to zero,
 * shear space so that the ray becomes the axis along which its direction is longest, and look at the triangle from
 * there. The ray meets it if zero is inside the triangle's shadow in the plane. A corner's shadow depends only on the
 * ray and the corner. So two triangles that share an edge agree on the side of it on which the ray passes, and no ray
 * slips between them.
 *
 * Near zero, edge functions in floats lose their value, and finally their sign. Here they are computed in double. The
 * products of two floats are exact there, so a difference of two has one rounding, the right sign, and is zero only if
 * it is. That also makes t good to its last bit however thin the shadow is. So a tree may cut space by planes without
 * losing a hit, see vp_ray_pad. */
#ifndef VP_KD_RAY_TRIANGLE_H
#define VP_KD_RAY_TRIANGLE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/kernel/kd.h>

/* Constants of a ray for every triangle and every node. The direction is scaled by a power of two to a longest
   component of 1 to 2, which changes no bit of any result and keeps its reciprocal normal. `s` is the parameter along
   it, and t = s * unscale. */
typedef struct vp_ray_frame {
    float origin[3];
    float direction[3];     /* scaled */
    int x, y, z;            /* z is the axis along which the direction is longest, the first of equal ones; x, y are the next */
    float shear_x, shear_y; /* direction[x]/direction[z], direction[y]/direction[z] */
    double unscale;
    float t_max, s_max; /* s_max is t_max along the scaled direction, infinite if it is beyond a float */
} vp_ray_frame;

/* 2^(exponent of v) as a double, and its reciprocal. v is not zero and finite. Denormal floats are
   normal as doubles. */
static inline void vp_power_of_two(float v, double *power, double *reciprocal)
{
    double wide = v;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    uint64_t exponent = bits >> 52 & 2047;
    bits = exponent << 52;
    memcpy(power, &bits, sizeof bits);
    bits = (2046 - exponent) << 52;
    memcpy(reciprocal, &bits, sizeof bits);
}

/* @return false for an invalid ray, see vp_ray */
static inline bool vp_ray_frame_of(const vp_ray *ray, vp_ray_frame *out)
{
    const float o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const float d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    int z = 0;
    for (int k = 0; k < 3; k++) {
        if (!(fabsf(o[k]) <= VP_KD_MAX) || !(fabsf(d[k]) <= FLT_MAX))
            return false;
        if (fabsf(d[k]) > fabsf(d[z]))
            z = k;
    }
    if (d[z] == 0.0f || !(ray->t_max >= 0.0f))
        return false;
    double scale;
    vp_power_of_two(d[z], &scale, &out->unscale);
    for (int k = 0; k < 3; k++) {
        out->origin[k] = o[k];
        out->direction[k] = (float)(d[k] * out->unscale);
    }
    out->z = z;
    out->x = (z + 1) % 3;
    out->y = (z + 2) % 3;
    out->shear_x = out->direction[out->x] / out->direction[z];
    out->shear_y = out->direction[out->y] / out->direction[z];
    out->t_max = ray->t_max;
    out->s_max = (float)(ray->t_max * scale);
    return true;
}

/* The distance by which the planes of a tree with this box are moved outwards for a ray.
 *
 * Let M be the largest coordinate of the box and of the origin, u = 2^-24. A hit's point at its computed s can lie
 * outside the triangle's own box by the roundings on the way to s. Per axis these are the two subtractions of the
 * origin and of the sheared depth, the shear, its product and s itself, together less than 16 u M. The parameter at
 * which a ray reaches a plane is (plane - origin) * (1/direction), three roundings of at most 2 u M each, and the moved
 * origin one more. With planes moved by 32 u M the computed interval in which a ray is inside a box contains the
 * computed s of every hit of every triangle in it. So a tree may cut a ray by its planes and never loses a hit, nor the
 * order of two. (The roundings of a plane's parameter are monotonic, so tighter boxes give tighter intervals.) */
static inline float vp_ray_pad(const vp_ray_frame *frame, const vp_aabb *box)
{
    const float of_box[6] = {box->min.x, box->min.y, box->min.z, box->max.x, box->max.y, box->max.z};
    float most = 0x1p-80f;
    for (int k = 0; k < 6; k++)
        most = fabsf(of_box[k]) > most ? fabsf(of_box[k]) : most;
    for (int k = 0; k < 3; k++)
        most = fabsf(frame->origin[k]) > most ? fabsf(frame->origin[k]) : most;
    return most * 0x1p-19f;
}

/* The place where a ray, or a sphere that moves along it, meets a triangle. */
typedef struct vp_meeting {
    float s, t;
    float u, v;     /* weights of the second and of the third corner */
    float distance; /* sphere: distance of its centre from the triangle; ray: 0 */
} vp_meeting;

/* A corner from the ray's origin, sheared. */
typedef struct vp_sheared {
    float x, y, z;
} vp_sheared;

static inline vp_sheared vp_shear(const vp_ray_frame *r, const float a[3])
{
    const float z = a[r->z] - r->origin[r->z];
    return (vp_sheared){(a[r->x] - r->origin[r->x]) - r->shear_x * z, (a[r->y] - r->origin[r->y]) - r->shear_y * z, z};
}

static inline bool vp_ray_meets_sheared(const vp_ray_frame *r, vp_sheared a, vp_sheared b, vp_sheared c, vp_meeting *out)
{
    /* The side of each edge on which zero lies, as twice the area of the triangle it makes with zero. */
    const double from_a = (double)c.x * b.y - (double)c.y * b.x;
    const double from_b = (double)a.x * c.y - (double)a.y * c.x;
    const double from_c = (double)b.x * a.y - (double)b.y * a.x;
    if ((from_a < 0 || from_b < 0 || from_c < 0) && (from_a > 0 || from_b > 0 || from_c > 0))
        return false;
    const double area = (from_a + from_b) + from_c;
    if (area == 0) /* seen edge-on, or degenerate */
        return false;
    const double depth = (from_a * a.z + from_b * b.z) + from_c * c.z;
    out->s = (float)(depth / (area * r->direction[r->z])) + 0.0f; /* + 0 removes -0 */
    out->t = (float)(out->s * r->unscale);
    if (!(out->s >= 0.0f && out->s <= r->s_max && out->t <= r->t_max && out->t <= FLT_MAX))
        return false;
    out->u = (float)(from_b / area);
    out->v = (float)(from_c / area);
    out->distance = 0.0f;
    return true;
}

static inline bool vp_ray_meets(const vp_ray_frame *r, const float a[3], const float b[3], const float c[3], vp_meeting *out)
{
    return vp_ray_meets_sheared(r, vp_shear(r, a), vp_shear(r, b), vp_shear(r, c), out);
}

#endif
