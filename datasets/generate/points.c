/* SPDX-License-Identifier: MIT */
/* Sets of points. See points.h. */
#include "datasets/generate/points.h"

#include <math.h>
#include <string.h>

#include "datasets/random.h"

static const char *const names[VP_FAMILY_COUNT] = {
    "ball",      "sphere",    "cube",      "gauss",    "cube-grid",       "cube-grid-turned", "lattice",         "lattice-turned",
    "cylinder",  "cone",      "uv-sphere", "flat-box", "needle",          "duplicates",       "near-duplicates", "far-ball",
    "tiny-ball", "huge-ball", "collinear", "coplanar", "coplanar-tilted", "one-point",        "prism",           "prism-turned"};

const char *vp_family_name(vp_point_family family)
{
    return (unsigned)family < VP_FAMILY_COUNT ? names[family] : "unknown";
}

bool vp_family_find(const char *name, vp_point_family *family)
{
    for (int f = 0; f < VP_FAMILY_COUNT; f++)
        if (strcmp(names[f], name) == 0) {
            *family = (vp_point_family)f;
            return true;
        }
    return false;
}

/* ---- points in double ---- */

typedef struct real_point {
    double x, y, z;
} real_point;

static double between(vp_random *r, double low, double high)
{
    return low + (high - low) * (double)vp_random_unit(r);
}

static real_point in_cube(vp_random *r)
{
    const double x = between(r, -1.0, 1.0), y = between(r, -1.0, 1.0);
    return (real_point){x, y, between(r, -1.0, 1.0)};
}

static real_point in_ball(vp_random *r)
{
    for (;;) {
        const real_point p = in_cube(r);
        if (p.x * p.x + p.y * p.y + p.z * p.z <= 1.0)
            return p;
    }
}

static real_point on_sphere(vp_random *r)
{
    for (;;) {
        const real_point p = in_ball(r);
        const double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
        if (length > 0.125)
            return (real_point){p.x / length, p.y / length, p.z / length};
    }
}

static double bell(vp_random *r)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += between(r, 0.0, 1.0);
    return sum;
}

/* A point of the circle around y. `turn` from 0 to 1 is one turn, at varying speed. */
static real_point on_circle(double turn, double y)
{
    const double half = turn < 0.5 ? turn : turn - 0.5, t = 4.0 * half - 1.0; /* the tangent of half the angle */
    const double x = (1.0 - t * t) / (1.0 + t * t), z = 2.0 * t / (1.0 + t * t);
    return turn < 0.5 ? (real_point){x, y, z} : (real_point){-x, y, -z};
}

static real_point in_disc(vp_random *r, double radius, double y)
{
    for (;;) {
        const double x = between(r, -1.0, 1.0), z = between(r, -1.0, 1.0);
        if (x * x + z * z <= 1.0)
            return (real_point){radius * x, y, radius * z};
    }
}

/* Rotates by the quaternion (1, 2, 3, 4). */
static real_point turned(real_point p)
{
    return (real_point){(-20.0 * p.x + 4.0 * p.y + 22.0 * p.z) / 30.0, (20.0 * p.x - 10.0 * p.y + 20.0 * p.z) / 30.0,
                        (10.0 * p.x + 28.0 * p.y + 4.0 * p.z) / 30.0};
}

/* ---- grids ---- */

/* Returns the edge of the smallest cube with at least that many points, on its faces or in total. */
static uint32_t grid_edge(uint32_t count, bool faces)
{
    uint64_t edge = 2;
    while ((faces ? 6 * edge * edge - 12 * edge + 8 : edge * edge * edge) < count)
        edge++;
    return (uint32_t)edge;
}

/* ---- points as they are given out ---- */

typedef struct emitter {
    vp_vec3 *next;
    double scale, offset;
} emitter;

static void emit(emitter *e, real_point p)
{
    e->next->x = (float)(e->scale * p.x + e->offset);
    e->next->y = (float)(e->scale * p.y + e->offset);
    e->next->z = (float)(e->scale * p.z + e->offset);
    e->next++;
}

static void emit_grid(emitter *e, uint32_t edge, bool faces, bool turn)
{
    const double end = (double)(edge - 1);
    for (uint32_t y = 0; y < edge; y++)
        for (uint32_t z = 0; z < edge; z++)
            for (uint32_t x = 0; x < edge; x++) {
                const real_point p = {(2.0 * x - end) / end, (2.0 * y - end) / end, (2.0 * z - end) / end};
                if (!faces || x == 0 || y == 0 || z == 0 || x + 1 == edge || y + 1 == edge || z + 1 == edge)
                    emit(e, turn ? turned(p) : p);
            }
}

/* There are half as many parallels as meridians, and two poles. */
static uint32_t parallels(uint32_t count)
{
    uint32_t rings = 1;
    while (2 + 2 * (rings + 1) * (rings + 1) <= count)
        rings++;
    return rings;
}

static void emit_uv_sphere(emitter *e, uint32_t rings)
{
    emit(e, (real_point){0.0, 1.0, 0.0});
    for (uint32_t i = 0; i < rings; i++) {
        const real_point side = on_circle(0.5 * (i + 1) / (rings + 1), 0.0); /* its z runs from -1 to 1, its x is the radius */
        for (uint32_t k = 0; k < 2 * rings; k++) {
            const real_point p = on_circle((double)k / (2 * rings), 0.0);
            emit(e, (real_point){side.x * p.x, side.z, side.x * p.z});
        }
    }
    emit(e, (real_point){0.0, -1.0, 0.0});
}

static real_point near_duplicate(vp_random *r, real_point p)
{
    const real_point by = in_cube(r);
    return (real_point){p.x + 1e-6 * by.x, p.y + 1e-6 * by.y, p.z + 1e-6 * by.z};
}

static real_point point_of(vp_point_family family, vp_random *r, uint32_t i, uint32_t count)
{
    real_point p;
    switch (family) {
    case VP_FAMILY_SPHERE:
        return on_sphere(r);
    case VP_FAMILY_CUBE:
        return in_cube(r);
    case VP_FAMILY_GAUSS:
        p.x = bell(r);
        p.y = bell(r);
        p.z = bell(r);
        return p;
    case VP_FAMILY_CYLINDER:
        if (i % 3 == 2)
            return in_disc(r, 1.0, between(r, -1.0, 1.0));
        return on_circle((double)(i / 3) / ((double)(count + 2) / 3.0), i % 3 == 0 ? -1.0 : 1.0);
    case VP_FAMILY_CONE:
        if (i == 0)
            return (real_point){0.0, 1.0, 0.0};
        if (i % 2 == 0) {
            const double y = between(r, -1.0, 1.0);
            return in_disc(r, (1.0 - y) / 2.0, y);
        }
        return on_circle((double)(i / 2) / ((double)(count + 1) / 2.0), -1.0);
    case VP_FAMILY_FLAT_BOX:
        p = in_cube(r);
        return (real_point){p.x, 1e-5 * p.y, p.z};
    case VP_FAMILY_NEEDLE:
        p = in_ball(r);
        return (real_point){p.x, 1e-4 * p.y, 1e-4 * p.z};
    case VP_FAMILY_COLLINEAR:
        return turned((real_point){between(r, -1.0, 1.0), 0.0, 0.0});
    case VP_FAMILY_COPLANAR:
        p = in_cube(r);
        return (real_point){p.x, 0.5, p.z};
    case VP_FAMILY_COPLANAR_TILTED:
        p = in_cube(r);
        return turned((real_point){p.x, 0.5, p.z});
    case VP_FAMILY_ONE_POINT:
        return (real_point){0.25, 0.5, 0.75};
    case VP_FAMILY_PRISM:
    case VP_FAMILY_PRISM_TURNED:
        p = on_circle((double)(i / 2) / (double)((count + 1) / 2), i % 2 == 0 ? -1.0 : 1.0);
        return family == VP_FAMILY_PRISM ? p : turned(p);
    default:
        return in_ball(r);
    }
}

/* ---- families ---- */

uint32_t vp_family_points(vp_point_family family, uint32_t count)
{
    const uint32_t n = count < 4 ? 4 : count;
    switch (family) {
    case VP_FAMILY_CUBE_GRID:
    case VP_FAMILY_CUBE_GRID_TURNED: {
        const uint32_t edge = grid_edge(n, true);
        return 6 * edge * edge - 12 * edge + 8;
    }
    case VP_FAMILY_LATTICE:
    case VP_FAMILY_LATTICE_TURNED: {
        const uint32_t edge = grid_edge(n, false);
        return edge * edge * edge;
    }
    case VP_FAMILY_UV_SPHERE:
        return 2 + 2 * parallels(n) * parallels(n);
    default:
        return n;
    }
}

void vp_family_make(vp_point_family family, uint32_t count, uint64_t seed, float scale, float away, vp_vec3 *point)
{
    enum { DISTINCT = 64 };
    const uint32_t n = count < 4 ? 4 : count;
    const double unit = (double)scale * (family == VP_FAMILY_TINY_BALL ? 1e-5 : family == VP_FAMILY_HUGE_BALL ? 1e6 : 1.0);
    const double far = (double)away + (family == VP_FAMILY_FAR_BALL ? 1000.0 : 0.0);
    vp_random r = {seed};
    emitter e = {point, unit, 2.0 * far * unit};
    real_point distinct[DISTINCT];
    for (int i = 0; i < DISTINCT; i++)
        distinct[i] = in_ball(&r);
    switch (family) {
    case VP_FAMILY_CUBE_GRID:
        emit_grid(&e, grid_edge(n, true), true, false);
        break;
    case VP_FAMILY_CUBE_GRID_TURNED:
        emit_grid(&e, grid_edge(n, true), true, true);
        break;
    case VP_FAMILY_LATTICE:
        emit_grid(&e, grid_edge(n, false), false, false);
        break;
    case VP_FAMILY_LATTICE_TURNED:
        emit_grid(&e, grid_edge(n, false), false, true);
        break;
    case VP_FAMILY_UV_SPHERE:
        emit_uv_sphere(&e, parallels(n));
        break;
    case VP_FAMILY_DUPLICATES:
        for (uint32_t i = 0; i < n; i++)
            emit(&e, distinct[vp_random_below(&r, DISTINCT)]);
        break;
    case VP_FAMILY_NEAR_DUPLICATES:
        for (uint32_t i = 0; i < n; i++)
            emit(&e, near_duplicate(&r, distinct[vp_random_below(&r, DISTINCT)]));
        break;
    default:
        for (uint32_t i = 0; i < n; i++)
            emit(&e, point_of(family, &r, i, n));
        break;
    }
}
