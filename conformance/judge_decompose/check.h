/* SPDX-License-Identifier: MIT */
/* Judges a convex decomposition, of this library or another. Nothing of src/decompose is used. It measures:
 * - how far the hulls reach out of the solid,
 * - how much of the surface and of the solid they cover,
 * - how much of their volume lies outside or overlaps,
 * - and whether each hull is valid.
 *
 * The solid is the surface and all places whose winding number is not 0. A shell within another one is a void if it is turned the other
 * way, and changes nothing if it is turned the same way. A mesh that is turned inside out is the same solid. This needs a closed mesh,
 * where each edge is used equally often in both directions. Vertices in one place count as one. If only duplicate triangles keep a mesh
 * open, one of each counts. An open mesh is just a surface. Reach is measured from it, and values that need a solid are NAN.
 *
 * All is computed in binary64 relative to the middle of the mesh's box, with the same result on every machine. "Exact" means up to
 * rounding, about 2^-40 of the extent. The error is larger in directions along triangles thinner than 2^-20 of their length. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_CHECK_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/hull.h>
#include <voxphys/kernel/kd.h>

#define VP_JUDGED_NONE UINT32_MAX

/* A hull to judge. */
typedef struct vp_judged_hull {
    const vp_vec3 *point; /* at least one, all finite */
    uint32_t points;
    /* Indices into `point`, counterclockwise seen from outside. vp_hull_validate checks them as they are. The convex hull of the points
     * that triangles use is measured. NULL = the hull of all points, which is always valid. */
    const uint32_t (*triangle)[3];
    uint32_t triangles;
} vp_judged_hull;

/* The parts to judge, 0 = all. Hulls are always validated. */
enum { VP_JUDGE_REACH = 1, VP_JUDGE_SURFACE = 2, VP_JUDGE_VOLUME = 4 };

typedef struct vp_decomposition_question {
    vp_triangles mesh;     /* at least one triangle, corners must be finite, triangles may have no area */
    const uint32_t *owner; /* the hull that is to hold each triangle, or VP_JUDGED_NONE, NULL = unknown */
    const vp_judged_hull *hull;
    uint32_t hulls;
    double s;          /* surface within this distance of a hull is covered, in the mesh's unit */
    double allowed;    /* how far a point of a hull may lie above one of its triangles, 0 = 2^-20 of the largest absolute coordinate */
    double tolerance;  /* accuracy of reach and `away`, in the mesh's unit, 0 = 2^-10 of the mesh's extent */
    uint64_t max_work; /* maximum number of pieces of one hull, of the surface or of the volume, 0 = 2^18. At this limit the intervals stay
                          as wide as they are */
    uint32_t parts;
} vp_decomposition_question;

/* An interval that is proven to hold the value. */
typedef struct vp_between {
    double low, high;
} vp_between;

/* Verdict on one hull. */
typedef struct vp_hull_judged {
    bool valid;            /* it has no faults. Triangles are not checked below dimension 3 */
    uint32_t faults;       /* bits of vp_hull_fault */
    char reason[160];      /* if it is not valid */
    vp_hull_report report; /* about its triangles, all 0 without triangles or volume */
    uint32_t dimension;    /* for the tolerance of vp_hull_create, or s/16 if that is less. Reach and volumes follow it */
    bool flat; /* dimension below 3, or thickness at most s and 1/16 of the mesh. Then only edge faults of its triangles count */
    uint32_t vertices, triangles; /* of the measured hull */
    double volume;
    double extent;     /* longest side of its box */
    vp_between reach;  /* largest distance of its points from the solid */
    double witness[3]; /* a point at distance reach.low, if that is above 0, otherwise any point */
    uint64_t pieces;   /* number examined */
} vp_hull_judged;

typedef struct vp_decomposition_verdict {
    /* the mesh */
    double extent; /* longest side of its box */
    bool closed;
    uint32_t open_edges;   /* edges used more often in one direction than in the other */
    uint32_t open_edge[2]; /* vertices of the first such edge, VP_JUDGED_NONE for a closed mesh */
    int32_t winding[2];    /* lowest and highest winding number next to the middles of triangles, 0 and 0 for an open mesh */
    double area;
    double volume; /* integral of the winding number over space, positive also for a mesh turned inside out, NAN for an open mesh */

    /* hulls */
    vp_hull_judged *hull; /* [hulls] */
    uint32_t hulls, invalid, flat;
    uint64_t vertices;

    /* the largest reach of all hulls */
    vp_between reach;
    uint32_t reach_hull; /* VP_JUDGED_NONE = no hulls */
    double witness[3];
    double reach_ratio; /* reach.high / extent */

    /* The surface. A grown hull has its face planes moved outwards by s, and more such planes at edges and corners. It holds every point
     * within s, and few farther than 1.5 s. */
    vp_between covered_surface; /* covered part of the area, exact, 0 to 1 */
    double uncovered_area;
    double largest_piece;      /* area of the largest convex piece of a triangle that is not covered */
    uint32_t largest_triangle; /* its triangle, VP_JUDGED_NONE = none */
    double largest_at[3];      /* its middle */
    vp_between away;           /* largest distance of a surface point from all hulls, INFINITY without hulls */
    double away_at[3];         /* a point at distance away.low */
    uint32_t away_triangle;    /* its triangle, VP_JUDGED_NONE = none is away */
    uint32_t owned, lost;      /* triangles that have an owner, and those that reach out of it by more than s */
    double lost_by;            /* the farthest that a triangle reaches out of its owner */
    uint32_t lost_triangle;    /* that triangle, VP_JUDGED_NONE = none is out */

    /* Volumes. They are exact unless `max_work` ran out, and then low and high differ. A place with winding number 2 counts twice as solid,
     * see `winding`. Values that need a solid are NAN for an open mesh. */
    double hull_volume;       /* sum over the hulls */
    vp_between union_volume;  /* of the union of all hulls */
    vp_between overlap;       /* hull_volume - union_volume */
    vp_between covered;       /* volume of the solid within hulls */
    vp_between covered_solid; /* the same as a part of `volume` */
    vp_between excess;        /* union_volume - covered: volume of hulls outside the solid, if winding numbers are at most 1 */
} vp_decomposition_verdict;

/* Judges a decomposition. Usually O(T log T + max_work (log T + F)) for T triangles and hulls of F faces that meet few others. Drop the
 * verdict after VP_OK. After a failure it is all 0.
 * @return VP_E_ARGUMENT, with a message that names the cause: a mesh without triangles, a vertex or point that is not finite, an index or
 * owner out of range, a hull without points, a negative number or NaN, VP_E_MEMORY */
vp_status vp_decomposition_judge(const vp_decomposition_question *asked, vp_decomposition_verdict *out, vp_error *error);
void vp_decomposition_drop(vp_decomposition_verdict *verdict);

#endif
