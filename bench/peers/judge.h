/* SPDX-License-Identifier: MIT */
/* What peers are asked, row by row, and how their answers differ from the reference's.
 *
 * For boxes, masks and polygons there is one right answer. Libraries' rays are not exact: some pass between triangles that share an edge,
 * some meet another triangle than ours because both are equally near, and where a ray begins on a triangle, that is a hit for us and none
 * for them. Such differences are counted, each kind apart, so that they can be shown beside the figures; where they are too many, something
 * else is wrong. How often a library's hulls are wrong is a result. */
#ifndef VP_BENCH_JUDGE_H
#define VP_BENCH_JUDGE_H

#include <voxphys/hull.h>

#include "bench/peers/peer.h"
#include "bench/suite.h"
#include "conformance/judge_decompose/check.h"

/* ---- a peer on a row's data ---- */

typedef enum vp_outcome {
    VP_PEER_NO_MEMORY, /* as a verdict begins */
    VP_PEER_RIGHT,     /* or what differs may differ */
    VP_PEER_FAULTY,    /* which is a result */
    VP_PEER_WRONG,     /* nothing to be timed; the text is a message */
    VP_PEER_REFUSES,   /* the library says so, or makes nothing */
    VP_PEER_CRASHES,
    VP_PEER_LATE /* it took longer than it may */
} vp_outcome;

/* The text is for a label, "rays hits=equal"; of what is refused, "these points". And counters. */
typedef struct vp_verdict {
    vp_outcome outcome;
    int signal; /* of a crash */
    uint32_t counters;
    struct {
        const char *name;
        double value;
    } counter[12];
    char text[256];
    double seconds; /* of the processor, that its one run took in a process of its own */
} vp_verdict;

typedef struct vp_contest vp_contest;

/* What a row's peers are asked, as our kernels are. */
typedef struct vp_contested {
    vp_row_id row;
    const char *const set[11]; /* of hulls none: see hull_sets.h */
    const char *as, *without;  /* another row's name; peers with this in theirs */
    vp_row_id last;            /* of several rows; 0: of the one */
} vp_contested;

/* How rows' peers are judged. A file judge_<name>.c lists its own in vp_judges_<name>, NULL behind the last. */
typedef struct vp_judge {
    const vp_contested *measured;
    size_t rows;       /* of these */
    bool apart;        /* libraries crash, and do not come to an end: first they run in a process of their own */
    unsigned seconds;  /* that it may take there; 0: as usual */
    const char *again; /* what is looked at after the time was taken, too: "polygons" */
    bool version;      /* told in labels */
    /* Sets data, right, items, and what else is not 0, or not 1 of steps. `set`: "chunks/cold", "ball/16", "brush8". */
    vp_status (*open)(vp_suite *suite, const char *set, vp_contest *out, vp_error *error);
    void (*look)(const vp_contest *contest, vp_verdict *out);
    void (*count)(const void *work, vp_counters *out); /* of the row's case: what it says of ours; NULL: nothing more than the case */
} vp_judge;

/* The i-th; NULL: there are no more. */
const vp_judge *vp_judge_at(size_t i);
/* NULL: nobody knows how. */
const vp_judge *vp_judge_of(vp_row_id row);
bool vp_contested_is_of(const vp_contested *m, vp_row_id row);
#define VP_CONTESTED(list) .measured = (list), .rows = sizeof(list) / sizeof(list)[0]

struct vp_contest {
    const vp_judge *judge;
    const vp_peer *peer;
    const vp_data *data;
    const void *right; /* the reference's answers, as the judge has them */
    uint64_t items;    /* of all steps */
    uint32_t steps;
    char name[VP_DATA_NAME_BYTES]; /* of the data, in messages */
    char hash[24];                 /* behind the label: of data that the manifest does not know */
    void *work;
    double seconds;   /* of the processor: of the first run in a process of its own */
    uint32_t refused; /* bits: which of the first steps the last run refused */
    vp_data own;      /* where `data` is no set of a store's, it may be this */
    vp_suite_set set; /* and its content that of */
    vp_ray_set rays;
};

void vp_contest_make(vp_contest *contest); /* no work without memory */
/* All steps. @return whether none was refused */
bool vp_contest_run(vp_contest *contest);
void vp_contest_drop(vp_contest *contest);
/* Makes, runs and looks, in a process of its own that may take so many seconds of the processor, and not much
   longer by the clock. @return VP_E_IO without a process */
vp_status vp_contest_try(const vp_contest *contest, unsigned seconds, vp_verdict *out, vp_error *error);

static inline void vp_verdict_count(vp_verdict *verdict, const char *name, double value)
{
    verdict->counter[verdict->counters].name = name;
    verdict->counter[verdict->counters++].value = value;
}

double vp_verdict_counter(const vp_verdict *verdict, const char *name); /* -1: there is none */

extern const vp_judge vp_judge_hulls, vp_judge_polygons, vp_judge_decompositions, vp_judge_pairs, vp_judge_simulations;

/* ---- rays and boxes (judge_kd.c) ---- */

/* Rays, and what the reference answers: the scalar kernels, on trees of the wide form. */
typedef struct vp_ray_answers {
    vp_ray_set rays;
    vp_peer_hit *hit;
    vp_peer_hit *beyond; /* where the hit is at the origin: what is behind it, or none */
} vp_ray_answers;
/* All of a set; the first PROBES, which a build is asked; or as many from all over the set as vp_cold_rays says. */
enum { VP_RAYS_ALL, VP_RAYS_PROBES, VP_RAYS_COLD };
extern const vp_derivation vp_ray_answers_derivation;

typedef struct vp_box_answers {
    size_t *list_end; /* of each box, in `list` */
    uint32_t *list;
    uint32_t *mark;     /* scratch, one a triangle of the largest mesh */
    uint32_t triangles; /* of the largest mesh */
} vp_box_answers;
extern const vp_derivation vp_box_answers_derivation;

/* Hits at most so far from a ray's origin are at the origin. */
#define VP_TREE_AT_ORIGIN 1e-6
/* Hits that are at most so far apart are the same; beyond a distance of 1, so much of the distance. */
#define VP_TREE_SAME_HIT 1e-4
/* So many answers may differ, and of 1000 hits so many more, not counting rays that begin on a triangle. What libraries show is at most 1.6
   of 1000 (of the rays that are asked after a build); a tree that lacks one triangle of each chunk is beyond 4. */
#define VP_TREE_SOME_DIFFERENT 4
#define VP_TREE_MAX_DIFFERENT  2

/* Rays by how their answer differs; each is counted once. */
typedef struct vp_ray_differences {
    uint64_t rays, hits; /* all, and those that meet something by the reference */
    uint64_t lost;       /* meet something, but not by the library */
    uint64_t gained;     /* the other way round */
    uint64_t moved;      /* meet something elsewhere, or what is no triangle */
    uint64_t neighbour;  /* meet another triangle at the same place */
    uint64_t at_origin;  /* begin on a triangle; the library leaves it out and answers rightly for what is
                            behind it */
} vp_ray_differences;

/* @param any  only whether there is a hit */
vp_ray_differences vp_compare_rays(const vp_ray_answers *right, const vp_mesh_set *meshes, const vp_peer_hit *got, bool any);
bool vp_rays_acceptable(const vp_ray_differences *differences);
/* "hits=equal", or "hits differ: 12 of 262144 lost, 3 gained" */
void vp_ray_differences_text(const vp_ray_differences *differences, char *text, size_t bytes);

/* How many boxes have another list than the reference's; of `leaves`, one that lacks a triangle of it. A list
   that does not fit, or that has a triangle twice, is another one. */
uint64_t vp_compare_boxes(const vp_box_answers *right, const vp_data *boxes, const vp_peer_answers *got, bool leaves);

/* ---- hulls (judge_hulls.c) ---- */

/* How far outside of a hull a point may be and how deep a valley, of the points' extent; and of which triangles nobody looks at the planes:
   those whose height is no more than this part of their length have none to speak of. */
#define VP_HULL_ALLOWED 1e-6
#define VP_HULL_SLIVER  1e-5

/* What a library made, looked at: `places` and no triangles are a hull too, if all points are in that one place or on that segment. */
typedef struct vp_hull_found {
    uint32_t faults;   /* vp_hull_fault bits */
    uint32_t vertices; /* that triangles have */
    double outside;    /* the furthest that a point is outside, of the extent; 0: none */
} vp_hull_found;

/* Looks at a library's hull.
   @param flat  of points that are in a plane, or on a line or in one place, their hull by us; otherwise NULL.
   Of a polygon with two sides triangles may lie on each other, if only each edge is gone along as often one
   way as the other; their planes say nothing, and a vertex is outside if it is far from all edges
   @return VP_E_UNSUPPORTED if it made nothing at all, VP_E_MEMORY */
vp_status vp_hull_look(const vp_vec3 *point, uint32_t count, const vp_hull *flat, const vp_peer_answers *mesh, vp_hull_found *out,
                       vp_error *error);

/* The places of a hull of ours, by malloc: with its triangles it is a library's answer. NULL without memory. */
vp_vec3 *vp_hull_places(const vp_hull *hull, const vp_vec3 *point);

/* The longest side of the points' box. */
double vp_hull_extent(const vp_vec3 *point, uint32_t count);

/* ---- decompositions (judge_decompose.c) ---- */

/* Of the longest side of a mesh: what is so near to a hull is covered by it, and how far apart the rays are whose errors are compared,
 * half of what is usual for ours. */
#define VP_DECOMPOSITION_NEAR    1e-4
#define VP_DECOMPOSITION_SPACING 5e-3

/* What the judge of decompositions and rays say, of one solid or several. */
typedef struct vp_decomposition_found {
    uint64_t hulls, flat, invalid, vertices, triangles, owned, lost, predictions;
    double ray_error;    /* the longest way from the surface along its normals to the back face of a hull: of the longest side */
    vp_between reach;    /* the same: of the longest side */
    double area, volume; /* of the solids; NAN if one is open */
    double covered[2];   /* area and volume, not less than this */
    double overlap;      /* volume */
    char reason[160];    /* of the first that is no hull */
} vp_decomposition_found;

/* Adds what is found. @return VP_E_MEMORY, or VP_E_ARGUMENT for what is no decomposition */
vp_status vp_decomposition_look(const vp_triangles *mesh, const vp_peer_answers *hulls, vp_decomposition_found *found, vp_error *error);
/* As counters, lengths in thousandths of the longest side. */
void vp_decomposition_count(const vp_decomposition_found *found, vp_counters *out);

/* ---- polygons (judge_polygons.c) ---- */

/* Of the three shadows of points, along x, y and z, by the reference: corners in the plane's coordinates, counterclockwise. */
typedef struct vp_shadows {
    struct {
        double (*corner)[2];
        uint32_t corners;
    } of[3];
} vp_shadows;
extern const vp_derivation vp_shadows_derivation; /* of a set of points */

#endif
