/* SPDX-License-Identifier: MIT */
/* Shadows of spheres, capsules and cylinders on the ground, and slices of them, for buoyancy_lines.c. */
#ifndef VP_NARROWPHASE_BUOYANCY_SHADOW_H
#define VP_NARROWPHASE_BUOYANCY_SHADOW_H

#include <math.h>

#include "src/narrowphase/buoyancy_shape.h"

static inline double positive(double value)
{
    return value > 0.0 ? value : 0.0;
}

static inline double half_height_of(const vp_buoyancy_body *body)
{
    return body->shape->kind == VP_COLLIDE_SPHERE ? 0.0 : (double)body->shape->half_height;
}

/* The shadow of a disc or a ball on the ground, the ellipse |z - tilt*x| <= height*sqrt(1 - (x/width)^2). The shadow of a shape is this
 * ellipse, swept along the shape's axis. Shadows along z are needed too, so coordinates are (along, across) below. */
typedef struct ellipse {
    double width, height, tilt;
} ellipse;

/* The shadow of the disc perpendicular to n is the ellipse of all (x, z) whose product with the inverse of r^2 (1 - nx^2, -nx nz;
 * -nx nz, 1 - nz^2) is at most 1. The determinant of that matrix is r^4 ny^2. */
static inline ellipse ellipse_of(const vp_buoyancy_body *body, double nx, double ny, double nz)
{
    const double r = (double)body->shape->radius, wide = ny * ny + nz * nz; /* 1 - nx^2 */
    if (body->shape->kind != VP_COLLIDE_CYLINDER)
        return (ellipse){r, r, 0.0};
    if (!(wide > 0.0))
        return (ellipse){0.0, r, 0.0}; /* a disc seen from its edge */
    const double root = sqrt(wide), up = ny < 0.0 ? -ny : ny;
    return (ellipse){r * root, r * (up / root), -(nx * nz) / wide};
}

/* Shadow of a shape: the ellipse at each place t * (ax, ay, az) of the axis, with t from -h to h. */
typedef struct swept_ellipse {
    ellipse e;
    double ax, ay, az, h, lead[2];
    double end[2]; /* t of an axis that is perpendicular to x, otherwise 0 */
    double by_up;  /* 1 / ay of a cylinder, NAN if ay is small. 0 for a ball, whose shadow is that of points as high as its centre */
    double corner; /* HUGE_VAL for a cylinder, whose lines do not begin like a root at a rim, otherwise 0 */
} swept_ellipse;

/* Offset along x of a slice's highest point from the centre of its disc, unless that is an end of the axis. Its z is
 *   t*az + height*sqrt(1 - ((x - t*ax)/width)^2) + tilt*(x - t*ax).
 * Its slope in t, rise + height*ax*u/(width*sqrt(1 - u^2)) with u = (x - t*ax)/width, is 0 where the ellipse is parallel to the axis. The
 * lowest point is opposite. */
static inline double find_lead(const swept_ellipse *s)
{
    const double across = s->e.height * s->ax, along = (s->az - s->e.tilt * s->ax) * s->e.width;
    const double length = sqrt(across * across + along * along);
    return length > 0.0 ? (s->ax < 0.0 ? along : -along) / length * s->e.width : 0.0;
}

static inline swept_ellipse shadow_of(const vp_buoyancy_body *body, double nx, double ny, double nz)
{
    const bool is_cylinder = body->shape->kind == VP_COLLIDE_CYLINDER;
    swept_ellipse s = {.e = ellipse_of(body, nx, ny, nz), .ax = nx, .ay = ny, .az = nz, .h = half_height_of(body)};
    s.lead[1] = find_lead(&s);
    s.lead[0] = -s.lead[1];
    s.end[1] = nx != 0.0 ? 0.0 : nz < 0.0 ? -s.h : s.h;
    s.end[0] = -s.end[1];
    s.by_up = !is_cylinder ? 0.0 : ny * ny > 1e-6 ? 1.0 / ny : NAN;
    s.corner = is_cylinder ? HUGE_VAL : 0.0;
    return s;
}

/* Height of the point of disc t with an offset from its centre. */
static inline double height_of(const swept_ellipse *s, double t, double along, double across)
{
    return t * s->ay - (s->ax * along + s->az * across) * s->by_up;
}

/* t of the disc whose shadow is the highest or lowest at x, on the whole line of the axis. Heights are concave in t, so the best from -h
 * to h is the nearest. */
static inline double find_disc(const swept_ellipse *s, double x, int high)
{
    return (x - s->lead[high]) * (s->ax != 0.0 ? 1.0 / s->ax : 0.0) + s->end[high];
}

static inline double clamp(double t, double h)
{
    const double up = t < -h ? -h : t;
    return up > h ? h : up;
}

/* The highest or lowest z of the shadow at x, that of disc t. */
static inline double find_furthest(const swept_ellipse *s, double x, double t, int high)
{
    const double side = high ? 1.0 : -1.0, width = s->e.width > 0.0 ? s->e.width : HUGE_VAL;
    const double d = x - t * s->ax, u = d * (1.0 / width);
    return side * (side * (t * s->az + s->e.tilt * d) + s->e.height * sqrt(positive(1.0 - u * u)));
}

static inline double find_border(const swept_ellipse *s, double x, int high)
{
    return find_furthest(s, x, clamp(find_disc(s, x, high), s->h), high);
}

/* ---- slices ---- */

enum { VP_SLICES = 64 }; /* kept at a time */

/* Vertical planes across the shadow. */
typedef struct slices {
    uint32_t count;
    double x[VP_SLICES], weight[VP_SLICES];
    double z[2][VP_SLICES], height[2][VP_SLICES], corner[2][VP_SLICES]; /* of the ends, low and high */
    double rim[4][VP_SLICES], rim_height[4][VP_SLICES];              /* ends of the shadows of the lower and the upper rim. HUGE_VAL = none */
    uint32_t rims;
} slices;

/* Whether a kink of lines at a height is one of their parts in a layer. Unknown heights are. */
static inline bool is_in_layer(double height, vp_span layer)
{
    return !(height <= layer.low || height >= layer.high);
}

/* Finds the ends of all slices. Rims of cylinders without a point in the layers do not count. Loops have no branches, so that compilers
 * can vectorise them. */
static inline void find_slice_ends(slices *out, const swept_ellipse *shadow, double rise, vp_span layers)
{
    const swept_ellipse s = *shadow;
    const uint32_t count = out->count;
    for (int high = 0; high < 2; high++)
        for (uint32_t k = 0; k < count; k++) {
            const double x = out->x[k], best = find_disc(&s, x, high), t = clamp(best, s.h), z = find_furthest(&s, x, t, high);
            out->z[high][k] = z;
            out->height[high][k] = height_of(&s, t, x - t * s.ax, z - t * s.az);
            out->corner[high][k] = ((best > -s.h) & (best < s.h)) ? 0.0 : s.corner;
        }
    out->rims = rise > 0.0 ? 4 : 0;
    for (int i = 0; i < 2 && rise > 0.0; i++) {
        const double t = (i == 0) == (s.ay < 0.0) ? s.h : -s.h;
        const bool has_part = t * s.ay + rise > layers.low && t * s.ay - rise < layers.high;
        double *low = out->rim[2 * i], *high = out->rim[2 * i + 1], *height = out->rim_height[2 * i];
        for (uint32_t k = 0; k < count && !has_part; k++)
            low[k] = high[k] = HUGE_VAL;
        for (uint32_t k = 0; k < count && has_part; k++) {
            const double d = out->x[k] - t * s.ax, u = d * (1.0 / s.e.width);
            const double reach = s.e.height * sqrt(positive(1.0 - u * u)), middle = t * s.az + s.e.tilt * d;
            const bool hit = (d > -s.e.width) & (d < s.e.width);
            low[k] = hit ? middle - reach : HUGE_VAL;
            high[k] = hit ? middle + reach : HUGE_VAL;
            height[k] = height_of(&s, t, d, (middle - reach) - t * s.az);
            height[VP_SLICES + k] = height_of(&s, t, d, (middle + reach) - t * s.az);
        }
    }
}

#endif
