/* SPDX-License-Identifier: MIT */
/* Sets of points for hulls, in families on which hull libraries are compared or fail. They are made from whole numbers, + - * / and
 * square roots in double. Each coordinate is rounded to binary32 once, so the bits are the same everywhere. */
#ifndef VP_GENERATE_POINTS_H
#define VP_GENERATE_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

typedef enum vp_point_family {
    VP_FAMILY_BALL,      /* inside a ball */
    VP_FAMILY_SPHERE,    /* on one */
    VP_FAMILY_CUBE,      /* inside a cube */
    VP_FAMILY_GAUSS,     /* a cloud, dense in the middle */
    VP_FAMILY_CUBE_GRID, /* a grid on the faces of a cube */
    VP_FAMILY_CUBE_GRID_TURNED,
    VP_FAMILY_LATTICE, /* a grid in a whole cube */
    VP_FAMILY_LATTICE_TURNED,
    VP_FAMILY_CYLINDER,        /* two thirds on the rims of a cylinder, the others inside */
    VP_FAMILY_CONE,            /* half on the rim of a cone's base, its tip, the others inside */
    VP_FAMILY_UV_SPHERE,       /* intersections of parallels and meridians of a sphere */
    VP_FAMILY_FLAT_BOX,        /* inside a box of 1 x 1e-5 x 1 */
    VP_FAMILY_NEEDLE,          /* inside an ellipsoid of 1 x 1e-4 x 1e-4 */
    VP_FAMILY_DUPLICATES,      /* 64 points of a ball, repeated */
    VP_FAMILY_NEAR_DUPLICATES, /* the same, moved by up to 1e-6 */
    VP_FAMILY_FAR_BALL,        /* a ball at a distance of a thousand times its size */
    VP_FAMILY_TINY_BALL,       /* radius 1e-5 */
    VP_FAMILY_HUGE_BALL,       /* radius 1e+6 */
    VP_FAMILY_COLLINEAR,       /* on a line, except for rounding */
    VP_FAMILY_COPLANAR,        /* in a plane across an axis, inside a square */
    VP_FAMILY_COPLANAR_TILTED, /* the same, rotated */
    VP_FAMILY_ONE_POINT,       /* all at one place */
    VP_FAMILY_PRISM,           /* corners of a prism, alternately at its bottom and its top */
    VP_FAMILY_PRISM_TURNED,
    VP_FAMILY_COUNT
} vp_point_family;

/* "ball", "cube-grid-turned" */
const char *vp_family_name(vp_point_family family);
/* Returns false if no family has that name. */
bool vp_family_find(const char *name, vp_point_family *family);

/* Returns the number of points for a request of about `count`, at least 4. Some families have points only for some counts. */
uint32_t vp_family_points(vp_point_family family, uint32_t count);

/* Makes the points, scales them, then moves them by `away` times their extent of about 2 along each axis. `point` has room for
 * vp_family_points. */
void vp_family_make(vp_point_family family, uint32_t count, uint64_t seed, float scale, float away, vp_vec3 *point);

#endif
