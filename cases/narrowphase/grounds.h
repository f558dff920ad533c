/* SPDX-License-Identifier: MIT */
/* Grounds for sliding shapes, as meshes and as formulas, with their normals and the convex solids that form them. A mesh's corners are
 * exactly on its ground, except the wave's. Creases run along edges. */
#ifndef VP_COLLIDE_GROUNDS_H
#define VP_COLLIDE_GROUNDS_H

#include <math.h>
#include <stdlib.h>

#include <voxphys/narrowphase.h>

#include "datasets/random.h"
#include "src/core/real3.h"

typedef enum ground_shape {
    GROUND_FLAT,
    GROUND_SLOPE, /* 10 degrees */
    GROUND_WAVE,  /* all edges are flatter than 5 degrees */
    GROUND_GROOVE_90,
    GROUND_GROOVE_150,
    GROUND_RIDGE_90,
    GROUND_RIDGE_150,
    GROUND_PYRAMIDS_45, /* sides rise by 45 degrees, with valleys in between */
    GROUND_PYRAMIDS_15,
    GROUNDS
} ground_shape;

static const char *const ground_name[GROUNDS] = {"flat",     "slope",     "wave",        "groove 90",  "groove 150",
                                                 "ridge 90", "ridge 150", "pyramids 45", "pyramids 15"};
/* Slopes in 64ths, so that nothing is rounded. */
static const double ground_steep[GROUNDS] = {0.0, 11.0 / 64, 0.0, 1.0, 17.0 / 64, 1.0, 17.0 / 64, 1.0, 17.0 / 64};

enum { GROUND_HALF = 12, GROUND_SIDE = 2 * GROUND_HALF + 1, GROUND_TRIANGLES = 8 * GROUND_HALF * GROUND_HALF, PYRAMID_HALF = 3 };

static inline vp_real3 real_unit(vp_real3 a)
{
    const double length = sqrt(vp_real3_dot(a, a));
    return (vp_real3){a.x / length, a.y / length, a.z / length};
}

/* The angle between two directions, in degrees. */
static inline double degrees_between(vp_real3 a, vp_real3 b)
{
    const vp_real3 c = vp_real3_cross(a, b);
    return atan2(sqrt(vp_real3_dot(c, c)), vp_real3_dot(a, b)) * (180.0 / 3.14159265358979323846);
}

/* The angle between a direction and the arc from a to b. */
static inline double degrees_from_arc(vp_real3 n, vp_real3 a, vp_real3 b)
{
    const vp_real3 m = real_unit(vp_real3_cross(a, b));
    if (vp_real3_dot(vp_real3_cross(a, n), m) > 0.0 && vp_real3_dot(vp_real3_cross(n, b), m) > 0.0)
        return fabs(90.0 - degrees_between(n, m));
    return fmin(degrees_between(n, a), degrees_between(n, b));
}

/* ---- the formulas ---- */

static inline bool is_groove(ground_shape g)
{
    return g == GROUND_GROOVE_90 || g == GROUND_GROOVE_150;
}

static inline bool is_ridge(ground_shape g)
{
    return g == GROUND_RIDGE_90 || g == GROUND_RIDGE_150;
}

static inline bool is_pyramids(ground_shape g)
{
    return g == GROUND_PYRAMIDS_45 || g == GROUND_PYRAMIDS_15;
}

/* The middle of the pyramid at a coordinate. */
static inline double pyramid_middle(double x)
{
    return 2.0 * PYRAMID_HALF * floor(x / (2.0 * PYRAMID_HALF) + 0.5);
}

static inline double ground_height(ground_shape g, double x, double z)
{
    const double s = ground_steep[g];
    if (is_pyramids(g))
        return -s * fmax(fabs(x - pyramid_middle(x)), fabs(z - pyramid_middle(z)));
    if (g == GROUND_WAVE)
        return 0.3 * sin(0.35 * x) + 0.2 * sin(0.4 * z);
    return g == GROUND_SLOPE ? s * x : (is_groove(g) ? s : -s) * fabs(x);
}

/* The normal of a plane that rises by a along x and by b along z. */
static inline vp_real3 rising(double a, double b)
{
    return real_unit((vp_real3){-a, 1.0, -b});
}

static inline vp_real3 wave_normal(double x, double z)
{
    return rising(0.3 * 0.35 * cos(0.35 * x), 0.2 * 0.4 * cos(0.4 * z));
}

/* The angle between a direction and the nearest normal of a ground within `near` of a place, in degrees. These are the normals of its
 * faces, and at a ridge all normals in between. A wave has those within a voxel and a half. */
static inline double ground_off(ground_shape g, double x, double z, double near, bool faces, vp_real3 n)
{
    const double s = ground_steep[g];
    double off = 180.0;
    if (g == GROUND_FLAT || g == GROUND_SLOPE)
        return degrees_between(n, rising(s, 0.0));
    if (g == GROUND_WAVE) {
        for (int i = -6; i <= 6; i++)
            for (int k = -6; k <= 6; k++)
                off = fmin(off, degrees_between(n, wave_normal(x + i * 0.25, z + k * 0.25)));
        return off;
    }
    if (!is_pyramids(g)) {
        const vp_real3 left = rising(is_groove(g) ? -s : s, 0.0), right = rising(is_groove(g) ? s : -s, 0.0);
        if (is_ridge(g) && fabs(x) <= near)
            return degrees_from_arc(n, left, right);
        if (faces && x <= near)
            off = degrees_between(n, left);
        return faces && x >= -near ? fmin(off, degrees_between(n, right)) : off;
    }
    const double px = x - pyramid_middle(x), pz = z - pyramid_middle(z);
    const vp_real3 face[4] = {rising(-s, 0.0), rising(0.0, -s), rising(s, 0.0), rising(0.0, s)}; /* towards x, z, -x, -z */
    const double along[4] = {px, pz, -px, -pz}, aside[4] = {fabs(pz), fabs(px), fabs(pz), fabs(px)};
    for (int k = 0; k < 4; k++) {
        const int next = (k + 1) % 4;
        if (faces && along[k] >= aside[k] - near)
            off = fmin(off, degrees_between(n, face[k]));
        if (faces && along[k] >= PYRAMID_HALF - near) /* the next pyramid */
            off = fmin(off, degrees_between(n, face[(k + 2) % 4]));
        if (along[k] >= aside[k] - near && along[next] >= aside[next] - near)
            off = fmin(off, degrees_from_arc(n, face[k], face[next]));
        if (fabs(along[k]) >= PYRAMID_HALF - near && fabs(along[next]) >= PYRAMID_HALF - near) /* a pit where four ridges end */
            off = fmin(off, degrees_from_arc(n, face[k], face[next]));
    }
    if (fabs(px) <= near && fabs(pz) <= near && n.y > 0.0 && fabs(n.x) + fabs(n.z) <= s * n.y)
        off = 0.0;
    return off;
}

/* The same for the normals of a triangle, from its face and the ridges it touches. */
static inline double triangle_off(ground_shape g, const vp_vec3 corner[3], vp_real3 n)
{
    const vp_real3 c[3] = {vp_real3_of(corner[0]), vp_real3_of(corner[1]), vp_real3_of(corner[2])};
    double off = ground_off(g, (c[0].x + c[1].x + c[2].x) / 3.0, (c[0].z + c[1].z + c[2].z) / 3.0, 0.0, true, n);
    for (int k = 0; k < 3 && g != GROUND_WAVE; k++)
        off = fmin(off, ground_off(g, c[k].x, c[k].z, 1e-6, false, n));
    return off;
}

/* A convex solid that forms a ground. It is below all planes through its tip with its normals. */
typedef struct ground_solid {
    vp_real3 tip;
    vp_real3 normal; /* if it has just one */
    double steep;    /* otherwise, see solid_normal */
    int free;        /* number of free parameters a and b */
    double side;     /* a groove's wall is visible where x*side >= 0, a pyramid within PYRAMID_HALF of its tip */
} ground_solid;

/* The normals of a solid for a and b from -1 to 1. A ridge has all between its sides, a pyramid all between its four. */
static inline vp_real3 solid_normal(const ground_solid *s, double a, double b)
{
    if (s->free == 0)
        return s->normal;
    return s->free == 1 ? rising(s->steep * a, 0.0) : rising(s->steep * (a + b) / 2.0, s->steep * (a - b) / 2.0);
}

typedef double rate_normal_fn(const void *context, const ground_solid *solid, vp_real3 normal);

/* The minimum of a function over a solid's normals, by a grid and shrinking steps. `at` may be NULL. */
static inline double least_of(const ground_solid *s, rate_normal_fn *function, const void *context, vp_real3 *at)
{
    enum { GRID = 4 };
    const int na = s->free >= 1 ? GRID : 0, nb = s->free == 2 ? GRID : 0;
    double best = INFINITY, a = 0.0, b = 0.0;
    for (int i = -na; i <= na; i++)
        for (int k = -nb; k <= nb; k++) {
            const double value = function(context, s, solid_normal(s, (double)i / GRID, (double)k / GRID));
            if (value < best) {
                best = value;
                a = (double)i / GRID;
                b = (double)k / GRID;
            }
        }
    for (double step = s->free > 0 ? 0.5 / GRID : 0.0; step > 1e-8;) {
        static const double way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
        bool better = false;
        for (int k = 0; k < (s->free == 2 ? 8 : 2); k++) {
            const double to_a = fmax(-1.0, fmin(1.0, a + step * way[k][0])), to_b = fmax(-1.0, fmin(1.0, b + step * way[k][1]));
            const double value = function(context, s, solid_normal(s, to_a, to_b));
            if (value >= best)
                continue;
            best = value;
            a = to_a;
            b = to_b;
            better = true;
        }
        step = better ? step : step / 2.0;
    }
    if (at != NULL)
        *at = solid_normal(s, a, b);
    return best;
}

/* The solids visible within a voxel and a half of a place. @return their number */
static inline int ground_solids(ground_shape g, double x, double z, ground_solid solid[4])
{
    const double s = ground_steep[g];
    int count = 0;
    for (int i = -1; i <= 1 && is_pyramids(g); i++)
        for (int k = -1; k <= 1; k++) {
            const vp_real3 tip = {pyramid_middle(x) + 2 * PYRAMID_HALF * i, 0.0, pyramid_middle(z) + 2 * PYRAMID_HALF * k};
            if (fabs(x - tip.x) < PYRAMID_HALF + 1.5 && fabs(z - tip.z) < PYRAMID_HALF + 1.5)
                solid[count++] = (ground_solid){.tip = tip, .steep = s, .free = 2};
        }
    if (is_pyramids(g))
        return count;
    solid[0] = (ground_solid){.normal = rising(s, 0.0), .steep = s, .free = is_ridge(g), .side = 1.0};
    solid[1] = (ground_solid){.normal = rising(-s, 0.0), .side = -1.0};
    if (g == GROUND_WAVE)
        solid[0] = (ground_solid){.tip = {x, ground_height(g, x, z), z}, .normal = wave_normal(x, z)};
    return is_groove(g) ? 2 : 1;
}

/* ---- the mesh ---- */

static inline bool is_on_crease(ground_shape g, int x, int z)
{
    if (!is_pyramids(g))
        return x == 0;
    const double px = fabs(x - pyramid_middle(x)), pz = fabs(z - pyramid_middle(z));
    return px == pz || px == PYRAMID_HALF || pz == PYRAMID_HALF;
}

static inline bool is_on_ridge_of_pyramid(int x, int z, double middle_x, double middle_z)
{
    return fabs(x - middle_x) == fabs(z - middle_z);
}

/* Cells of about a voxel, split along either diagonal, with displaced corners. A chunk is 8 voxels wide and numbered by position. Borders
 * of chunks cross creases and run along them.
 * @return GROUND_TRIANGLES triangles with corners and ids only, freed by the caller */
static inline vp_collide_triangle *ground_mesh(ground_shape g, uint64_t seed)
{
    static vp_vec3 at[GROUND_SIDE][GROUND_SIDE];
    vp_random r = {seed};
    vp_collide_triangle *triangle = calloc(GROUND_TRIANGLES, sizeof *triangle);
    uint32_t count = 0;
    for (int i = 0; i < GROUND_SIDE && triangle != NULL; i++)
        for (int k = 0; k < GROUND_SIDE; k++) {
            const int x = i - GROUND_HALF, z = k - GROUND_HALF;
            const double by_x = ((int)vp_random_below(&r, 25) - 12) / 64.0, by_z = ((int)vp_random_below(&r, 25) - 12) / 64.0;
            const bool fixed = is_on_crease(g, x, z);
            const double mx = fixed ? x : x + by_x, mz = fixed && is_pyramids(g) ? z : z + by_z;
            at[i][k] = (vp_vec3){(float)mx, (float)ground_height(g, mx, mz), (float)mz};
        }
    for (int i = 0; i + 1 < GROUND_SIDE && triangle != NULL; i++)
        for (int k = 0; k + 1 < GROUND_SIDE; k++) {
            const int x = i - GROUND_HALF, z = k - GROUND_HALF;
            const double middle_x = pyramid_middle(x + 0.5), middle_z = pyramid_middle(z + 0.5);
            bool other = vp_random_below(&r, 2) == 0;
            if (is_pyramids(g) && is_on_ridge_of_pyramid(x, z, middle_x, middle_z) &&
                is_on_ridge_of_pyramid(x + 1, z + 1, middle_x, middle_z))
                other = false;
            if (is_pyramids(g) && is_on_ridge_of_pyramid(x + 1, z, middle_x, middle_z) &&
                is_on_ridge_of_pyramid(x, z + 1, middle_x, middle_z))
                other = true;
            const vp_vec3 corner[4] = {at[i][k], at[i][k + 1], at[i + 1][k + 1], at[i + 1][k]};
            for (int t = 0; t < 2; t++) {
                vp_collide_triangle *out = &triangle[count++];
                for (int c = 0; c < 3; c++)
                    out->corner[c] = corner[((c == 0 ? 0 : c + t) + (other ? 1 : 0)) % 4];
                const int cx = (x + GROUND_HALF + 3) / 8, cz = (z + GROUND_HALF + 4) / 8;
                out->id = (vp_terrain_triangle_id){(uint32_t)(cx + 4 * cz), count};
            }
        }
    return triangle;
}

#endif
