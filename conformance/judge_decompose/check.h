/* SPDX-License-Identifier: MIT */
/* What a convex decomposition is worth, whoever made it: how far its hulls reach out of the solid, what of the surface and of the
   solid they cover, how much of them lies outside or twice, and whether each is a hull at all. Nothing of src/decompose is used.

   The solid is the mesh's surface, and all places that it winds around: where its winding number is not 0. So a shell within another,
   turned the other way, is a void; one turned the same way changes nothing; and a mesh that is turned inwards as a whole is a
   solid all the same. That needs a closed mesh: each edge is gone along as often one way as the other. Vertices in one place are one,
   and where only triangles that are there twice keep a mesh open, one of each is meant. An open mesh is the surface alone, a
   sheet: reach is measured from it, and what needs a solid is NAN.

   All is computed in binary64 about the middle of the mesh's box; what is called exact is so up to roundings, some 2^-40 of the extent, and
   up to more in directions along triangles thinner than 2^-20 of their length. The same on every machine. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_CHECK_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/hull.h>
#include <voxphys/kernel/kd.h>

#define VP_JUDGED_NONE UINT32_MAX

/* A hull by anybody. */
typedef struct vp_judged_hull {
    const vp_vec3 *point; /* at least one, all finite */
    uint32_t points;
    const uint32_t (*triangle)[3]; /* of these points, counterclockwise seen from outside: looked at by vp_hull_validate as they are.
                                      NULL: the hull of the points is meant, which is one. What is measured is the hull of the points
                                      that triangles have, or of all. */
    uint32_t triangles;
} vp_judged_hull;

/* What is asked for; 0: all. Hulls are always looked at. */
enum { VP_JUDGE_REACH = 1, VP_JUDGE_SURFACE = 2, VP_JUDGE_VOLUME = 4 };

typedef struct vp_decomposition_question {
    vp_triangles mesh;     /* at least one triangle; corners are finite, and triangles may be without area */
    const uint32_t *owner; /* of each triangle, the hull that is to hold it, or VP_JUDGED_NONE; NULL: nobody has said */
    const vp_judged_hull *hull;
    uint32_t hulls;
    double s;          /* in the mesh's unit: surface no further than this from a hull is covered */
    double allowed;    /* how far a point of a hull may be above a triangle of it; 0: 2^-20 of the largest magnitude of its coordinates */
    double tolerance;  /* reach and `away` are to be known to this, in the mesh's unit; 0: 2^-10 of the mesh's extent */
    uint64_t max_work; /* pieces of one hull, of the surface, or of the volume, that are looked at; 0: 2^18. Beyond that, intervals are
                           as wide as they are by then. */
    uint32_t parts;
} vp_decomposition_question;

/* A number that is proven to be in between. */
typedef struct vp_between {
    double low, high;
} vp_between;

/* One hull. */
typedef struct vp_hull_judged {
    bool valid;            /* it has no faults; triangles of one of a dimension below 3 are not looked at */
    uint32_t faults;       /* vp_hull_fault */
    char reason[160];      /* of one that is not valid */
    vp_hull_report report; /* of its triangles, if it has any and a volume; otherwise all 0 */
    uint32_t dimension;    /* by the tolerance of vp_hull_create, or a 16th of s if that is less; reach and volumes go by it */
    bool
        flat; /* below 3, or between two planes s apart, a 16th of the mesh at most: then of its triangles' faults only those of edges count
               */
    uint32_t vertices, triangles; /* of what is measured */
    double volume;
    double extent;     /* the longest side of its box */
    vp_between reach;  /* the furthest that a point of it is from the solid */
    double witness[3]; /* a point of it that is as far away as `low` says, if that is above 0; otherwise any */
    uint64_t pieces;   /* that were looked at */
} vp_hull_judged;

typedef struct vp_decomposition_verdict {
    /* the mesh */
    double extent; /* the longest side of its box */
    bool closed;
    uint32_t open_edges;   /* that are gone along more often one way than the other */
    uint32_t open_edge[2]; /* vertices of the first triangle's that has one; VP_JUDGED_NONE of a closed mesh */
    int32_t winding[2];    /* lowest and highest winding number right beside the middles of triangles; 0 and 0 of an open mesh */
    double area;
    double volume; /* the winding number, summed up over space: of a mesh turned inwards that of the mesh turned. NAN of an open mesh */

    /* hulls */
    vp_hull_judged *hull; /* `hulls` of them */
    uint32_t hulls, invalid, flat;
    uint64_t vertices;

    /* reach of all hulls together: that of the one that reaches furthest */
    vp_between reach;
    uint32_t reach_hull; /* VP_JUDGED_NONE: there are no hulls */
    double witness[3];
    double reach_ratio; /* reach.high / extent */

    /* The surface. A hull is grown by moving the planes of its faces outwards by s, and such planes in between at edges and corners
       that no point within s is left out, and few further than 1.5 s are let in. */
    vp_between covered_surface; /* the part of the area within grown hulls, exact: 0 to 1 */
    double uncovered_area;
    double largest_piece;      /* area of the largest convex piece of a triangle that is in none */
    uint32_t largest_triangle; /* that it is of; VP_JUDGED_NONE: there is none */
    double largest_at[3];      /* and its middle */
    vp_between away;           /* the furthest that a point of the surface is from all hulls; INFINITY without hulls */
    double away_at[3];         /* a point that is as far away as `low` says */
    uint32_t away_triangle;    /* and its triangle; VP_JUDGED_NONE: none is away */
    uint32_t owned, lost;      /* triangles that have an owner, and those of them that reach out of it by more than s */
    double lost_by;            /* the furthest that a triangle is out of its owner */
    uint32_t lost_triangle;    /* that triangle; VP_JUDGED_NONE: none is out */

    /* Volumes: exact where low and high are one but for roundings; they are not where `max_work` has run out. A place that the mesh winds
       around twice counts twice as solid: see `winding`. All of this is 0 wide, and NAN where it needs a solid and there is none. */
    double hull_volume;       /* of all hulls, one by one */
    vp_between union_volume;  /* of all together */
    vp_between overlap;       /* hull_volume - union_volume */
    vp_between covered;       /* volume of the solid within hulls */
    vp_between covered_solid; /* and as a part of `volume` */
    vp_between excess;        /* union_volume - covered: volume of hulls that is not solid, if no place is wound around twice */
} vp_decomposition_verdict;

/* Judges. With T triangles, H hulls of F faces that meet few others, as a rule O(T log T + max_work (log T + F)).
   @return VP_E_ARGUMENT for a mesh without triangles, a vertex or point that is not finite, an index or owner that is too high, a hull
           without points, numbers that are negative or NaN: the message names it; VP_E_MEMORY. Drop the verdict after VP_OK; after a
           failure it is all 0. */
vp_status vp_decomposition_judge(const vp_decomposition_question *asked, vp_decomposition_verdict *out, vp_error *error);
void vp_decomposition_drop(vp_decomposition_verdict *verdict);

#endif
