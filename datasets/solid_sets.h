/* SPDX-License-Identifier: MIT */
/* The data sets of decomposition: meshes of solids, one or more in a set, and some that are none. A set is named alone ("solid-gear"), as
 * it is made, in a cube of about 1000; or in a place: "solid-gear/small" is a thousandth of its size, "large" a thousand times, "far" a
 * thousand times its longest side away along each axis, "small-far" and "large-far" both. Coordinates are made in binary64 and rounded
 * once. */
#ifndef VP_SOLID_SETS_H
#define VP_SOLID_SETS_H

#include <stdint.h>

#include <voxphys/kernel/kd.h>

/* How the triangles of a mesh meet, by their indices alone; where they lie is not asked: they may cross each other. */
typedef enum vp_solid_surface {
    VP_SOLID_CLOSED, /* each half-edge once, and its opposite once */
    VP_SOLID_OPEN,   /* no half-edge twice; some have no opposite */
    VP_SOLID_TANGLED /* some half-edge twice, or a triangle with a corner twice */
} vp_solid_surface;

typedef struct vp_solid {
    vp_triangles mesh; /* three indices a triangle; counterclockwise from outside */
    vp_solid_surface surface;
    uint32_t shells;  /* pieces of surface that share no vertex */
    uint32_t optimum; /* the fewest convex parts, which may overlap, whose union is the solid; 0: not known */
} vp_solid;

typedef struct vp_solid_set {
    uint32_t count;
    vp_solid *solid;
} vp_solid_set;

/* Where a set is. */
typedef enum vp_solid_place {
    VP_SOLID_AS_MADE,
    VP_SOLID_SMALL,
    VP_SOLID_LARGE,
    VP_SOLID_FAR,
    VP_SOLID_SMALL_FAR,
    VP_SOLID_LARGE_FAR,
    VP_SOLID_PLACES
} vp_solid_place;

/* "large-far"; of VP_SOLID_AS_MADE "". */
const char *vp_solid_place_name(vp_solid_place place);

void vp_solid_set_drop(vp_solid_set *set); /* one that is all zero bytes is left alone */

#endif
