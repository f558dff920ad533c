/* SPDX-License-Identifier: MIT */
/* The data sets of decomposition: meshes of solids, one or more per set. Some meshes are not solid. The plain name ("solid-gear") is the
 * set at its original size, in a cube of about 1000. A suffix names a place. "solid-gear/small" is a thousandth of the size, "large" a
 * thousand times the size, "far" is moved by a thousand times its longest side along each axis. "small-far" and "large-far" combine them.
 * Coordinates are made in binary64 and rounded once. */
#ifndef VP_SOLID_SETS_H
#define VP_SOLID_SETS_H

#include <stdint.h>

#include <voxphys/kernel/kd.h>

/* How the triangles of a mesh are connected, by their indices alone. Positions are ignored, so triangles may intersect. */
typedef enum vp_solid_surface {
    VP_SOLID_CLOSED, /* each half-edge once, and its opposite once */
    VP_SOLID_OPEN,   /* no half-edge twice; some have no opposite */
    VP_SOLID_TANGLED /* some half-edge twice, or a triangle with a corner twice */
} vp_solid_surface;

typedef struct vp_solid {
    vp_triangles mesh; /* three indices per triangle; counterclockwise seen from outside */
    vp_solid_surface surface;
    uint32_t shells;  /* connected pieces of surface that share no vertex */
    uint32_t optimum; /* minimum number of convex parts, possibly overlapping, whose union is the solid; 0: unknown */
} vp_solid;

typedef struct vp_solid_set {
    uint32_t count;
    vp_solid *solid;
} vp_solid_set;

/* The place of a set. */
typedef enum vp_solid_place {
    VP_SOLID_AS_MADE,
    VP_SOLID_SMALL,
    VP_SOLID_LARGE,
    VP_SOLID_FAR,
    VP_SOLID_SMALL_FAR,
    VP_SOLID_LARGE_FAR,
    VP_SOLID_PLACES
} vp_solid_place;

void vp_solid_set_drop(vp_solid_set *set); /* an all-zero set is a no-op */

#endif
